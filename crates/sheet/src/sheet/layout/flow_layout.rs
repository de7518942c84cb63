//! A page's flow: takes a tree of rows and columns whose leaves are contents, and a rectangle; gives each content its
//! rectangle and draws it. What does not fit goes to a further page: first the optional contents are left out, then
//! whole contents move in the order that the template gives, then what is not the ship's plan, the last first, and only
//! then is the longest one continued. A plan never leaves its page; where there is a further page, what moves makes room
//! for the boxes that it prefers.

use std::cell::Cell;
use std::cmp::Reverse;

use super::balance::{TOLERANCE, abreast, balance, even_width};
use super::flowable::{Flowable, SizeHint, allot_heights, column_positions};
use super::largest_size::largest_size;
use super::pen::{RoomForPlans, SheetPen};
use super::text_style::TextStyles;
use moldloft_drawing::scene::Rect;

/// Room that nothing can use widens the gaps between rows, up to this factor.
const MAX_GAP_FACTOR: f32 = 2.0;
/// Common sizes of boxes are multiples of this, mm.
const BOX_STEP: f32 = 0.1;
/// How much larger the boxes of one panel may be than those of another of its plan: what is left is no rank.
pub const LARGER_BOXES: f32 = 1.22;

/// Which boxes a part of a flow has: those that are ticked when they are hit count more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitBoxes {
    #[default]
    None,
    /// No hit ticks them: ammunition, what is down this turn.
    Other,
    /// Those of the whole ship, such as its structure: of what leaves for the sake of a plan, they are the last.
    Ship,
    /// The plan with the ship's systems: it never leaves its page.
    Plan,
}

/// How a part of a flow behaves when there is too much or too little room.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlowOptions {
    /// Least height, mm, if the content needs less.
    pub least: Option<f32>,
    /// Greatest height, mm, if the content could use more.
    pub most: Option<f32>,
    /// The lower, the earlier it moves whole to a further page; `None`: it stays, and is continued if need be, but for the
    /// sake of a plan.
    pub move_order: Option<u32>,
    /// Left out where there is no room: a log, lines for notes.
    pub is_optional: bool,
    pub boxes: HitBoxes,
    /// Drawn on this page only: what has no room on it is on no further page either.
    pub is_confined: bool,
    /// Lines and texts alone: right above a plan they are its heading, and on no page without it.
    pub is_bare: bool,
}

/// A part of a page's flow.
#[derive(Debug)]
pub enum FlowPart {
    /// One under another.
    Rows {
        gap: f32,
        parts: Vec<Self>,
    },
    /// Side by side, each with its share of the width.
    Columns {
        gap: f32,
        parts: Vec<(f32, Self)>,
    },
    /// In reading order over some columns of one width, as even as possible.
    Balanced {
        gap: f32,
        columns: usize,
        parts: Vec<Self>,
    },
    Content(FlowContent),
}

/// A content and its behaviour.
#[derive(Debug)]
pub struct FlowContent {
    pub content: Box<dyn Flowable>,
    pub options: FlowOptions,
    measured: Cell<Option<(f32, SizeHint)>>,
    /// When it leaves the page, if it may.
    leaves: Option<Leaving>,
    /// In reading order, from 0.
    place: usize,
    /// Leaves the page.
    is_out: bool,
    /// Has no room below what it prefers.
    is_comfortable: bool,
    /// Has room for boxes of this size, mm before large print.
    box_size: Option<f32>,
}

impl FlowContent {
    pub fn new(content: Box<dyn Flowable>, options: FlowOptions) -> Self {
        Self {
            content,
            options,
            measured: Cell::new(None),
            leaves: None,
            place: 0,
            is_out: false,
            is_comfortable: false,
            box_size: None,
        }
    }

    pub fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        if let Some((known, hint)) = self.measured.get()
            && (known - width).abs() < 1e-4
        {
            return hint;
        }
        let mut hint = self.content.measure(width, styles);
        if let Some(least) = self.options.least {
            hint.min_start = hint.min_start.max(least);
            hint.min = hint.min.max(least);
        }
        if let Some(most) = self.options.most {
            hint.max = hint.max.min(most.max(hint.min));
        }
        if let Some(high) = self.box_size.and_then(|size| self.content.height_for_boxes(width, size, styles)) {
            hint.min = hint.min.max(high);
        }
        hint.natural = hint.natural.max(hint.min).min(hint.max.max(hint.min));
        hint.max = hint.max.max(hint.natural);
        if self.is_comfortable {
            hint.min = hint.natural;
        }
        self.measured.set(Some((width, hint)));
        hint
    }
}

impl FlowPart {
    /// Draws what fits into the rectangle; returns rests of contents, then those that moved whole, each in reading order.
    pub fn draw(mut self, rect: Rect, pen: &mut SheetPen) -> Vec<Box<dyn Flowable>> {
        let styles = pen.styles;
        self.number_contents(self.boxes() == HitBoxes::Plan);
        let mut left = Vec::new();
        while self.is_full(rect, &styles) {
            let Some(leaving) = self.next_to_leave((rect.w, rect.h), |_| true, &styles) else { break };
            self.set_out(leaving, true);
            left.push(leaving);
        }
        // What left first may have room again after a larger one has left.
        left.pop();
        while let Some(leaving) = left.pop().filter(|_| !self.is_full(rect, &styles)) {
            self.set_out(leaving, false);
            if self.is_full(rect, &styles) {
                self.set_out(leaving, true);
            }
        }
        let makes_room = match pen.makes_room {
            RoomForPlans::AsNeeded => false,
            RoomForPlans::Overleaf => self.has_left(),
            RoomForPlans::Page => self.count_plans() > 0,
        };
        if makes_room {
            pen.made_room |= self.make_room_for_plans(rect, pen.makes_room, &styles);
        }
        let is_shared = self.contents().iter().any(|content| content.box_size.is_some());
        if !is_shared && (self.count_plans() > 1 || pen.makes_room == RoomForPlans::Page) {
            self.share_box_size(rect, &styles);
        }
        // What even alone has too little room is split, not moved.
        if self.is_full(rect, &styles) && self.count_plans() == 1 {
            self.each_plan(|plan| {
                plan.content.allow_split();
            });
        }
        let mut moved = Vec::new();
        self.take_out(&mut moved);
        moved.sort_by_key(|content| content.place);
        let mut rest = Vec::new();
        self.draw_within(rect, true, pen, &mut rest);
        let own = |content: FlowContent| (content.measured.get().map_or(rect.w, |(own, _)| own), content.content);
        rest.extend(abreast(moved.into_iter().map(own), rect.w, &styles));
        rest
    }

    /// The heights wanted at a width, mm.
    pub fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        self.measure_with(width, &|content, width| content.measure(width, styles))
    }

    /// The same, from what each content wants at its width.
    pub fn measure_with(&self, width: f32, wants: &impl Fn(&FlowContent, f32) -> SizeHint) -> SizeHint {
        match self {
            Self::Content(content) => wants(content, width),
            Self::Rows { gap, parts } => {
                SizeHint::stacked(present(parts).map(|part| part.measure_with(width, wants)), *gap)
            }
            Self::Columns { gap, parts } => SizeHint::side_by_side(
                present_columns(parts, *gap, width).into_iter().map(|(part, _, width)| part.measure_with(width, wants)),
            ),
            Self::Balanced { gap, columns, parts } => {
                let width = even_width(width, *gap, *columns);
                let hints: Vec<_> = present(parts).map(|part| part.measure_with(width, wants)).collect();
                let columns = balance(&hints, *gap, *columns);
                let mut hints = hints.into_iter();
                SizeHint::side_by_side(
                    columns.into_iter().map(|count| SizeHint::stacked(hints.by_ref().take(count), *gap)),
                )
            }
        }
    }

    /// Whether it needs more than the height of a rectangle.
    fn is_full(&self, rect: Rect, styles: &TextStyles) -> bool {
        self.measure(rect.w, styles).min > rect.h + TOLERANCE
    }

    fn draw_within(self, rect: Rect, spreads: bool, pen: &mut SheetPen, rest: &mut Vec<Box<dyn Flowable>>) {
        match self {
            Self::Content(content) => {
                let left = if rect.h > 0.0 { content.content.draw(rect, pen) } else { Some(content.content) };
                rest.extend(left.filter(|_| !content.options.is_confined));
            }
            Self::Rows { gap, parts } => draw_rows(parts, gap, rect, spreads, pen, rest),
            Self::Columns { gap, parts } => {
                let widths = flow_columns(&parts, gap, rect.w);
                for ((_, part), (x, width)) in parts.into_iter().zip(widths) {
                    part.draw_within(Rect::new(rect.x + x, rect.y, width, rect.h), spreads, pen, rest);
                }
            }
            Self::Balanced { gap, columns, parts } => {
                let width = even_width(rect.w, gap, columns);
                let hints: Vec<_> = parts.iter().map(|part| part.measure(width, &pen.styles)).collect();
                let mut parts = parts.into_iter();
                for (n, count) in balance(&hints, gap, columns).into_iter().enumerate() {
                    let x = rect.x + n as f32 * (width + gap);
                    let column = parts.by_ref().take(count).collect();
                    draw_rows(column, gap, Rect::new(x, rect.y, width, rect.h), spreads, pen, rest);
                }
            }
        }
    }

    fn count_plans(&self) -> usize {
        self.contents().iter().filter(|content| content.options.boxes == HitBoxes::Plan).count()
    }

    /// Its contents in reading order.
    fn contents(&self) -> Vec<&FlowContent> {
        match self {
            Self::Content(content) => vec![content],
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => parts.iter().flat_map(Self::contents).collect(),
            Self::Columns { parts, .. } => parts.iter().flat_map(|(_, part)| part.contents()).collect(),
        }
    }

    /// Changes its contents, in reading order.
    fn each_content(&mut self, change: &mut impl FnMut(&mut FlowContent)) {
        match self {
            Self::Content(content) => change(content),
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => {
                parts.iter_mut().for_each(|part| part.each_content(change));
            }
            Self::Columns { parts, .. } => parts.iter_mut().for_each(|(_, part)| part.each_content(change)),
        }
    }

    /// Changes plans, which are then measured again.
    fn each_plan(&mut self, mut change: impl FnMut(&mut FlowContent)) {
        self.each_content(&mut |content| {
            if content.options.boxes == HitBoxes::Plan {
                change(content);
                content.measured.take();
            }
        });
    }

    /// Sets the largest size of the boxes of its plans, mm.
    pub fn limit_box_size(&mut self, size: f32) {
        self.each_plan(|plan| plan.content.limit_box_size(size));
    }

    /// What may leave does so until plans have what they prefer; gives whether anything did.
    fn make_room_for_plans(&mut self, rect: Rect, room: RoomForPlans, styles: &TextStyles) -> bool {
        let mut left = Vec::new();
        self.each_plan(|plan| plan.is_comfortable = true);
        while self.is_full(rect, styles) {
            // What is left out is on no page, unless there is a further one.
            let may_leave_out = room == RoomForPlans::Page && self.has_left();
            let may_leave = |leaving: &Leaving| match leaving {
                Leaving::Optional(_) => may_leave_out,
                Leaving::Moved(_) => room == RoomForPlans::Page || !self.has_boxes(*leaving),
                Leaving::ForPlan(..) => room == RoomForPlans::Page,
            };
            let Some(leaving) = self.next_to_leave((rect.w, rect.h), may_leave, styles) else { break };
            self.set_out(leaving, true);
            left.push(leaving);
        }
        let is_short = self.is_full(rect, styles);
        self.each_plan(|plan| plan.is_comfortable = false);
        if is_short {
            // What makes no box larger comes back.
            self.share_box_size(rect, styles);
            left.retain(|leaving| {
                self.set_out(*leaving, false);
                let helps = self.is_full(rect, styles);
                self.set_out(*leaving, helps);
                helps
            });
            if !self.has_left() {
                // Without a further page, what is left out would be on none.
                left.drain(..).for_each(|leaving| self.set_out(leaving, false));
                self.each_plan(|plan| plan.box_size = None);
            }
        }
        !left.is_empty()
    }

    /// Whether boxes leave with it.
    fn has_boxes(&self, leaving: Leaving) -> bool {
        self.contents().iter().any(|one| one.leaves == Some(leaving) && one.options.boxes != HitBoxes::None)
    }

    /// Plans get boxes of one size, the largest that all of them have room for.
    fn share_box_size(&mut self, rect: Rect, styles: &TextStyles) {
        if self.count_plans() == 0 {
            return;
        }
        let mut most = 0.0_f32;
        self.each_plan(|plan| most = most.max(plan.content.max_box_size(rect, styles).unwrap_or(0.0)));
        let least = styles.minimums.tick_box / styles.minimums.scale;
        let shared = largest_size(least, most.max(least), BOX_STEP, |size| {
            self.each_plan(|plan| plan.box_size = Some(size));
            (!self.is_full(rect, styles)).then_some(size)
        });
        self.each_plan(|plan| {
            plan.box_size = shared;
            plan.content.limit_box_size(shared.unwrap_or(least) * LARGER_BOXES);
        });
    }

    /// Whether something leaves for a further page.
    fn has_left(&self) -> bool {
        self.contents().iter().any(|content| content.is_out && !content.options.is_optional)
    }

    /// What leaves the page next of what may, if the part that is too high contains it.
    fn next_to_leave(
        &self,
        (width, height): (f32, f32),
        may_leave: impl Fn(&Leaving) -> bool,
        styles: &TextStyles,
    ) -> Option<Leaving> {
        let stay = self.contents().into_iter().filter(|content| !content.is_out);
        let mut all: Vec<Leaving> = stay.filter_map(|content| content.leaves).filter(may_leave).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().find(|leaving| self.is_relieved(*leaving, width, height, styles))
    }

    /// Whether a part that is too high for its room gets lower without this.
    fn is_relieved(&self, leaving: Leaving, width: f32, height: f32, styles: &TextStyles) -> bool {
        let too_high = |part: &Self, width: f32, height: f32| part.measure(width, styles).min > height + TOLERANCE;
        match self {
            Self::Content(content) => !content.is_out && content.leaves == Some(leaving),
            Self::Rows { gap, parts } => {
                let heights: Vec<f32> = present(parts).map(|part| part.measure(width, styles).min).collect();
                let all = heights.iter().sum::<f32>() + gap * heights.len().saturating_sub(1) as f32;
                all > height + TOLERANCE
                    && present(parts)
                        .zip(heights)
                        .any(|(part, own)| part.is_relieved(leaving, width, height - (all - own), styles))
            }
            Self::Columns { gap, parts } => {
                let columns = present_columns(parts, *gap, width);
                let is_plan = |part: &Self| part.boxes() == HitBoxes::Plan;
                let plan_is_high =
                    columns.iter().any(|(part, _, width)| is_plan(part) && too_high(part, *width, height));
                columns.into_iter().any(|(part, _, width)| {
                    // A column that leaves makes the plan beside it wider.
                    let widens_plan = plan_is_high && !is_plan(part);
                    let height = if widens_plan { 0.0 } else { height };
                    (widens_plan || too_high(part, width, height)) && part.is_relieved(leaving, width, height, styles)
                })
            }
            Self::Balanced { gap, columns, parts } => {
                let own = even_width(width, *gap, *columns);
                too_high(self, width, height) && present(parts).any(|part| part.is_relieved(leaving, own, 0.0, styles))
            }
        }
    }

    fn set_out(&mut self, leaving: Leaving, is_out: bool) {
        self.each_content(&mut |content| {
            if content.leaves == Some(leaving) {
                content.is_out = is_out;
            }
        });
    }

    /// Whether something of it stays on the page.
    fn is_present(&self) -> bool {
        match self {
            Self::Content(content) => !content.is_out,
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => parts.iter().any(Self::is_present),
            Self::Columns { parts, .. } => parts.iter().any(|(_, part)| part.is_present()),
        }
    }

    /// Takes out what leaves, and containers that are then empty; gives contents that move.
    fn take_out(&mut self, moved: &mut Vec<FlowContent>) {
        match self {
            Self::Content(_) => {}
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => {
                let is_plan = |part: &Self| part.boxes() == HitBoxes::Plan && !matches!(part, Self::Columns { .. });
                let above_plan: Vec<bool> = parts.iter().skip(1).map(is_plan).chain([false]).collect();
                let rows = std::mem::take(parts).into_iter().zip(above_plan);
                *parts = rows.filter_map(|(part, above_plan)| part.without_out(above_plan, moved)).collect();
            }
            Self::Columns { parts, .. } => {
                *parts = std::mem::take(parts)
                    .into_iter()
                    .filter_map(|(share, part)| Some((share, part.without_out(false, moved)?)))
                    .collect();
            }
        }
    }

    fn without_out(mut self, above_plan: bool, moved: &mut Vec<FlowContent>) -> Option<Self> {
        if let Self::Content(content) = self {
            if !content.is_out {
                return Some(Self::Content(content));
            }
            let is_left_out = content.options.is_optional || above_plan && content.options.is_bare;
            if !is_left_out {
                moved.push(content);
            }
            return None;
        }
        self.take_out(moved);
        (!self.is_empty()).then_some(self)
    }

    /// Gives the contents that do not move a number of their own.
    pub fn move_contents(&mut self, order: u32) {
        self.each_content(&mut |content| {
            content.options.move_order.get_or_insert(order);
        });
    }

    fn number_contents(&mut self, has_plan: bool) {
        let mut next = 0;
        self.each_content(&mut |content| {
            content.place = next;
            content.leaves = Leaving::of(content, has_plan);
            next += 1;
        });
    }

    pub fn boxes(&self) -> HitBoxes {
        self.contents().iter().map(|content| content.options.boxes).max().unwrap_or_default()
    }

    /// Its contents in reading order.
    pub fn into_contents(self) -> Vec<Box<dyn Flowable>> {
        match self {
            Self::Content(content) => vec![content.content],
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => {
                parts.into_iter().flat_map(Self::into_contents).collect()
            }
            Self::Columns { parts, .. } => parts.into_iter().flat_map(|(_, part)| part.into_contents()).collect(),
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Content(_) => false,
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => parts.is_empty(),
            Self::Columns { parts, .. } => parts.is_empty(),
        }
    }
}

/// What leaves a page that is too full, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leaving {
    /// It is not printed; of several, the last one in reading order first.
    Optional(Reverse<usize>),
    /// It is printed on a further page; the number of its `move`.
    Moved(u32),
    /// It is printed on a further page for the sake of a plan; the last one in reading order first, boxes of the whole ship
    /// last.
    ForPlan(bool, Reverse<usize>),
}

impl Leaving {
    fn of(content: &FlowContent, has_plan: bool) -> Option<Self> {
        let FlowOptions { is_optional, boxes, move_order, .. } = content.options;
        match move_order {
            _ if is_optional => Some(Self::Optional(Reverse(content.place))),
            _ if boxes == HitBoxes::Plan => None,
            Some(order) => Some(Self::Moved(order)),
            None => has_plan.then_some(Self::ForPlan(boxes == HitBoxes::Ship, Reverse(content.place))),
        }
    }
}

fn draw_rows(
    parts: Vec<FlowPart>,
    gap: f32,
    rect: Rect,
    spreads: bool,
    pen: &mut SheetPen,
    rest: &mut Vec<Box<dyn Flowable>>,
) {
    let mut hints: Vec<_> = parts.iter().map(|part| part.measure(rect.w, &pen.styles)).collect();
    let between = parts.len().saturating_sub(1) as f32;
    // A plan gets what it prefers before anything else does.
    if let Some(plan) = parts.iter().position(|part| part.boxes() == HitBoxes::Plan) {
        let spare = rect.h - gap * between - hints.iter().map(|hint| hint.min).sum::<f32>();
        hints[plan].min += (hints[plan].natural - hints[plan].min).min(spare.max(0.0));
    }
    let plans = parts.iter().filter(|part| part.boxes() == HitBoxes::Plan).count();
    let shares = if plans > 1 { whole_parts(&hints, rect.h, gap) } else { allot_heights(&hints, rect.h, gap) };
    let used = shares.iter().sum::<f32>() + gap * between;
    let spare = if spreads && between > 0.0 && shares.iter().all(|share| *share > 0.0) {
        ((rect.h - used).max(0.0) / between).min(gap * (MAX_GAP_FACTOR - 1.0))
    } else {
        0.0
    };
    let mut y = rect.y;
    for (part, height) in parts.into_iter().zip(shares) {
        part.draw_within(Rect::new(rect.x, y, rect.w, height), false, pen, rest);
        if height > 0.0 {
            y += height + gap + spare;
        }
    }
}

/// Heights of parts of a plan one under another, mm, in reading order: 0 for those that have no room whole.
fn whole_parts(hints: &[SizeHint], height: f32, gap: f32) -> Vec<f32> {
    let mut left = height + gap;
    let mut has_room = |hint: &SizeHint| {
        let fits = hint.min + gap <= left + TOLERANCE;
        left -= if fits { hint.min + gap } else { 0.0 };
        fits
    };
    let whole: Vec<bool> = hints.iter().map(&mut has_room).collect();
    let fitting: Vec<SizeHint> = hints.iter().zip(&whole).filter(|(_, fits)| **fits).map(|(hint, _)| *hint).collect();
    let mut heights = allot_heights(&fitting, height, gap).into_iter();
    whole.into_iter().map(|fits| if fits { heights.next().unwrap_or(0.0) } else { 0.0 }).collect()
}

fn present(parts: &[FlowPart]) -> impl Iterator<Item = &FlowPart> {
    parts.iter().filter(|part| part.is_present())
}

/// The columns that stay on the page, with their left edges and widths, mm.
fn present_columns(parts: &[(f32, FlowPart)], gap: f32, width: f32) -> Vec<(&FlowPart, f32, f32)> {
    let stay: Vec<_> = parts.iter().filter(|(_, part)| part.is_present()).collect();
    let shares: Vec<f32> = stay.iter().map(|(share, _)| *share).collect();
    let places = column_positions(&shares, 0.0, gap, width);
    stay.into_iter().zip(places).map(|((_, part), (x, width))| (part, x, width)).collect()
}

fn flow_columns(parts: &[(f32, FlowPart)], gap: f32, width: f32) -> Vec<(f32, f32)> {
    let shares: Vec<f32> = parts.iter().map(|(share, _)| *share).collect();
    column_positions(&shares, 0.0, gap, width)
}

#[cfg(test)]
mod tests;
