//! What a panel shows for one ship: takes a width and gives the heights it wants; takes a rectangle and a pen, draws
//! what fits and returns the rest. Knows no ruleset and no template, so that each kind can be tested with made-up data.

use std::fmt::Debug;
use std::sync::Arc;

use super::block_rows::BlockRows;
use super::minimum_sizes::{HEADING_RULE_DROP, INK, LINE_WIDTH, QUIET_INK};
use super::outline::Outline;
use super::pen::SheetPen;
use super::text_style::{TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::Rect;

/// More than the height of a usual sheet of paper, mm. Heights beyond it are not measured exactly; on a higher sheet
/// the content continues on another page.
pub const MORE_THAN_PAPER_HEIGHT: f32 = 600.0;

/// Heights that a content wants at some width, mm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SizeHint {
    /// With less room nothing is drawn: a heading and one line.
    pub min_start: f32,
    /// Everything at the minimum sizes.
    pub min: f32,
    /// Everything at the preferred sizes.
    pub natural: f32,
    /// What it can use beyond that; equal to `natural` unless it grows.
    pub max: f32,
}

impl SizeHint {
    /// The same height in every case.
    pub const fn fixed(height: f32) -> Self {
        Self { min_start: height, min: height, natural: height, max: height }
    }

    /// Contents one under another, with gaps between them.
    pub fn stacked(hints: impl Iterator<Item = Self>, gap: f32) -> Self {
        let mut sum = Self::default();
        for (n, hint) in hints.enumerate() {
            sum = if n == 0 { hint } else { Self { min_start: sum.min_start, ..sum.add(hint.plus(gap)) } };
        }
        sum
    }

    /// Contents side by side.
    pub fn side_by_side(hints: impl Iterator<Item = Self>) -> Self {
        hints.fold(Self::default(), |all, one| Self {
            min_start: all.min_start.max(one.min_start),
            min: all.min.max(one.min),
            natural: all.natural.max(one.natural),
            max: all.max.max(one.max),
        })
    }

    fn add(self, other: Self) -> Self {
        Self {
            min_start: self.min_start + other.min_start,
            min: self.min + other.min,
            natural: self.natural + other.natural,
            max: self.max + other.max,
        }
    }

    #[must_use]
    pub fn plus(self, by: f32) -> Self {
        Self { min_start: self.min_start + by, min: self.min + by, natural: self.natural + by, max: self.max + by }
    }
}

/// Left edges and widths of columns with these shares of a width, mm; the shares count as parts of `whole`, or of their
/// sum if that is more.
pub fn column_positions(shares: &[f32], whole: f32, gap: f32, width: f32) -> Vec<(f32, f32)> {
    let room = (width - gap * shares.len().saturating_sub(1) as f32).max(0.0);
    let sum = shares.iter().sum::<f32>().max(whole).max(0.001);
    let mut x = 0.0;
    shares
        .iter()
        .map(|share| {
            let position = (x, room * share / sum);
            x += position.1 + gap;
            position
        })
        .collect()
}

/// Something that can be drawn in part.
pub trait Flowable: Debug + Send {
    /// The heights wanted at a width, mm.
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint;

    /// Draws what fits into `rect` and returns the rest. Draws at least something where there is room for its `start`.
    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>>;

    /// The largest box size, mm, at which all its boxes fit `rect`: for panels that share one size.
    fn max_box_size(&self, _rect: Rect, _styles: &TextStyles) -> Option<f32> {
        None
    }

    /// The height at which its boxes have this size, mm, or the largest below it that the width allows: `None` without
    /// boxes of a size.
    fn height_for_boxes(&self, _width: f32, _size: f32, _styles: &TextStyles) -> Option<f32> {
        None
    }

    /// The height of its drawing, mm, if that is less than the rectangle's and should be centred in it.
    fn drawn_height(&self, _rect: Rect, _styles: &TextStyles) -> Option<f32> {
        None
    }

    /// Puts what would be centred between top and bottom at the top: it follows a ruled heading.
    fn start_at_top(&mut self) {}

    /// Sets the largest size of its boxes, mm.
    fn limit_box_size(&mut self, _size: f32) {}

    /// Lets what is otherwise kept whole be split, since not even a whole page holds it; returns whether that changes
    /// anything.
    fn allow_split(&mut self) -> bool {
        false
    }

    /// Puts its boxes inside an outline of its rectangle, if it has boxes in lines.
    fn set_outline(&mut self, _outline: &Outline) {}

    /// Only a strip of the rectangle remains: from `top` on, `height` high, as fractions of the rectangle's height.
    fn crop_outline(&mut self, _top: f32, _height: f32) {}

    /// Art under the panels of a block, whose heights are traded, keeps its place under them: its rows, as shares of its height.
    fn follow_rows(&mut self, _rows: BlockRows) {}

    /// Its ruled heading, if it has no notes, and whether it is continued.
    fn heading(&self) -> Option<(&str, bool)> {
        None
    }

    /// Whether each of its parts has a heading of its own, so that a continuation needs none above them.
    fn has_headed_parts(&self) -> bool {
        false
    }

    /// Gives what is under its heading for something else; `None` where it has no heading.
    fn swap_body(&mut self, _body: Box<dyn Flowable>) -> Option<Box<dyn Flowable>> {
        None
    }

    /// Takes out its parts, from top to bottom, where each can be drawn on its own; nothing when it is one piece.
    fn take_parts(&mut self) -> Vec<Box<dyn Flowable>> {
        Vec::new()
    }

    /// The same for what no page holds: each part under the heading of all.
    fn take_apart(&mut self) -> Vec<Box<dyn Flowable>> {
        self.take_parts()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadingStyle {
    /// Spaced capitals over a rule, the note at the right.
    #[default]
    Ruled,
    /// Small and quiet above, centred: a place on the ship's plan.
    Above,
    /// Small and quiet below, centred.
    Below,
    /// Small and quiet above, at the left: a part of a longer panel.
    Beside,
}

/// Between a heading's rule and what follows, mm.
const UNDER_HEADING: f32 = 1.45;
/// Above a small heading, mm: what is above it stays clear.
const SMALL_HEADING_TOP: f32 = 0.25;
/// Between a small heading and its boxes, mm.
const SMALL_HEADING_GAP: f32 = 0.7;
/// Between notes under a title line and what follows, mm.
const NOTE_GAP: f32 = 0.7;
/// Anything higher is never kept whole, mm on the page.
pub const MAX_KEPT_TOGETHER: f32 = 150.0;

/// A content with its heading; an empty content leaves no heading behind.
#[derive(Debug)]
pub struct HeadedContent {
    /// Empty for no heading.
    pub title: String,
    /// Small text at the right of the title line, or under it where that is too narrow.
    pub note: String,
    /// More small text, always under the title line.
    pub extra_note: String,
    pub style: HeadingStyle,
    /// The heading of its continuation when it has no title.
    pub continuation_title: String,
    /// Whether it was begun on another page.
    pub continued: bool,
    /// What is said of that.
    pub continued_word: Arc<str>,
    /// Begun only where all of it fits, if its body is no higher than this, mm at normal size: 0 if it may be split.
    pub kept_together: f32,
    pub body: Box<dyn Flowable>,
}

/// From a heading's baseline to its rule, mm.
fn rule_drop(styles: &TextStyles) -> f32 {
    HEADING_RULE_DROP * styles.minimums.scale.max(1.0)
}

impl HeadedContent {
    /// A content under a ruled heading with a note.
    pub fn titled(title: String, note: String, continued_word: Arc<str>, body: Box<dyn Flowable>) -> Self {
        Self {
            continued_word,
            continuation_title: title.clone(),
            title,
            note,
            extra_note: String::new(),
            style: HeadingStyle::Ruled,
            continued: false,
            kept_together: 0.0,
            body,
        }
    }

    fn without_body(&self) -> Self {
        let [title, note, extra_note, continuation_title] =
            [&self.title, &self.note, &self.extra_note, &self.continuation_title].map(String::clone);
        let continued_word = Arc::clone(&self.continued_word);
        Self { title, note, extra_note, continuation_title, continued_word, body: Box::new(Empty), ..*self }
    }

    /// Height of the heading, mm.
    fn heading_height(&self, width: f32, styles: &TextStyles) -> f32 {
        match self.style {
            _ if self.title.is_empty() && self.note.is_empty() && self.extra_note.is_empty() => 0.0,
            HeadingStyle::Ruled => {
                let under = self.note_lines(width, styles).len() as f32 * styles.note.line_height();
                let ruled =
                    if self.has_rule() { styles.title.cap_height() + rule_drop(styles) + UNDER_HEADING } else { 0.0 };
                ruled + under + if under > 0.0 { NOTE_GAP } else { 0.0 }
            }
            HeadingStyle::Above | HeadingStyle::Below | HeadingStyle::Beside => {
                let line = self.small_heading_style(styles).line_height();
                self.small_heading_lines(width, styles).len() as f32 * line + SMALL_HEADING_TOP + SMALL_HEADING_GAP
            }
        }
    }

    /// What this rest of the body has above it on a further page.
    fn title_of_continuation(&self, rest: &dyn Flowable) -> String {
        // A small heading may be short, since the plan shows where it is.
        let is_of_plan = matches!(self.style, HeadingStyle::Above | HeadingStyle::Below);
        let title = if self.title.is_empty() || is_of_plan { &self.continuation_title } else { &self.title };
        if self.title.is_empty() && rest.has_headed_parts() { String::new() } else { title.clone() }
    }

    /// Whether there is a title line at all.
    fn has_rule(&self) -> bool {
        !self.title.is_empty() || !self.note.is_empty()
    }

    /// The title as it is printed, and its style: a long one shrinks.
    fn headline(&self, width: f32, styles: &TextStyles) -> (String, TextStyle) {
        let mut title = self.title.to_uppercase();
        if self.continued {
            title.push_str(&format!(" · {}", self.continued_word.to_uppercase()));
        }
        let mut style = styles.title;
        let wide = style.width(&title);
        if wide > width {
            style.size = styles.minimums.shrink_to_width(
                style.size,
                wide / style.size.mm(),
                width,
                super::text_style::TextRole::Label,
            );
        }
        (title, style)
    }

    /// Whether the note fits at the right of the title. Half a note is useless, and one left out may be a rule of the
    /// game.
    fn note_fits_beside_title(&self, width: f32, styles: &TextStyles) -> bool {
        let (title, style) = self.headline(width, styles);
        styles.note.width(&self.note) <= width - style.width(&title) - 3.0
    }

    /// The lines of notes under the title line.
    fn note_lines(&self, width: f32, styles: &TextStyles) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.note.is_empty() && !self.note_fits_beside_title(width, styles) {
            lines.extend(styles.note.wrap(&self.note, width));
        }
        if !self.extra_note.is_empty() {
            lines.extend(styles.note.wrap(&self.extra_note, width));
        }
        lines
    }

    /// The body's heights; a body kept whole does not begin before there is room for all of it.
    fn size_hint(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let wants = self.body.measure(width, styles);
        if wants.min <= (self.kept_together * styles.minimums.scale).min(MAX_KEPT_TOGETHER) {
            SizeHint { min_start: wants.min, ..wants }
        } else {
            wants
        }
    }

    /// A small heading's lines: a narrow place on the plan may break it, and lets it extend a little on both sides.
    fn small_heading_lines(&self, width: f32, styles: &TextStyles) -> Vec<String> {
        let words = [&self.title, &self.note, &self.extra_note];
        let style = self.small_heading_style(styles);
        words.iter().filter(|words| !words.is_empty()).flat_map(|words| style.wrap(words, width + 2.0)).collect()
    }

    /// A place on the plan has little room; the heading of a longer panel's part has more.
    fn small_heading_style(&self, styles: &TextStyles) -> TextStyle {
        if self.style == HeadingStyle::Beside { styles.label } else { styles.small }
    }

    fn draw_small_heading(&self, x: f32, top: f32, width: f32, anchor: Anchor, pen: &mut SheetPen) {
        let label = self.small_heading_style(&pen.styles).with_paint(QUIET_INK);
        let first = top + SMALL_HEADING_TOP + label.size.mm() * 0.85;
        for (n, line) in self.small_heading_lines(width, &pen.styles).iter().enumerate() {
            pen.text(line, label, x, first + n as f32 * label.line_height(), anchor);
        }
    }

    fn draw_ruled_heading(&self, rect: Rect, pen: &mut SheetPen) {
        let styles = pen.styles;
        let mut y = rect.y;
        if self.has_rule() {
            let baseline = y + styles.title.cap_height();
            let (title, style) = self.headline(rect.w, &styles);
            pen.text(&title, style, rect.x, baseline, Anchor::Start);
            if self.note_fits_beside_title(rect.w, &styles) {
                pen.text(&self.note, styles.note, rect.right(), baseline, Anchor::End);
            }
            pen.rule(rect.x, baseline + rule_drop(&styles), rect.w, LINE_WIDTH * 1.4, INK);
            y = baseline + rule_drop(&styles) + UNDER_HEADING;
        }
        for line in self.note_lines(rect.w, &styles) {
            pen.text(&line, styles.note, rect.x, y + styles.note.size.mm() * 0.8, Anchor::Start);
            y += styles.note.line_height();
        }
    }
}

impl Flowable for HeadedContent {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        self.size_hint(width, styles).plus(self.heading_height(width, styles))
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let height = self.heading_height(rect.w, &pen.styles);
        let wants = self.size_hint(rect.w, &pen.styles);
        if wants.min_start.min(wants.min) + height > rect.h + 0.05 {
            if self.style != HeadingStyle::Beside {
                self.title = self.title_of_continuation(&*self.body);
                self.style = HeadingStyle::Ruled;
            }
            return Some(self);
        }
        let middle = rect.x + rect.w / 2.0;
        // A heading stays close to its boxes: a small one and they are centred in the rectangle together.
        let room = Rect::new(rect.x, rect.y, rect.w, rect.h - height);
        let rect = match (self.style, self.body.drawn_height(room, &pen.styles)) {
            (HeadingStyle::Above | HeadingStyle::Below, Some(drawn)) if height > 0.0 => {
                // In all of its room, for which it was measured: lower room may have other lines.
                self.body.start_at_top();
                let spare = (room.h - drawn).max(0.0);
                Rect::new(rect.x, rect.y + spare / 2.0, rect.w, rect.h - spare)
            }
            _ => rect,
        };
        let before = pen.items.len();
        let inner = match self.style {
            _ if height == 0.0 => rect,
            HeadingStyle::Ruled => {
                self.body.start_at_top();
                self.draw_ruled_heading(rect, pen);
                Rect::new(rect.x, rect.y + height, rect.w, room.h)
            }
            HeadingStyle::Above => {
                self.draw_small_heading(middle, rect.y, rect.w, Anchor::Middle, pen);
                Rect::new(rect.x, rect.y + height, rect.w, room.h)
            }
            HeadingStyle::Beside => {
                self.draw_small_heading(rect.x, rect.y, rect.w, Anchor::Start, pen);
                Rect::new(rect.x, rect.y + height, rect.w, room.h)
            }
            HeadingStyle::Below => {
                self.draw_small_heading(
                    middle,
                    rect.bottom() - height + SMALL_HEADING_GAP,
                    rect.w,
                    Anchor::Middle,
                    pen,
                );
                Rect::new(rect.x, rect.y, rect.w, room.h)
            }
        };
        let mut body = std::mem::replace(&mut self.body, Box::new(Empty));
        if height > 0.0 {
            body.crop_outline((inner.y - rect.y) / rect.h.max(0.01), inner.h / rect.h.max(0.01));
        }
        let heading_end = pen.items.len();
        let rest = body.draw(inner, pen)?;
        // A heading with nothing under it would be repeated on page after page.
        if pen.items.len() == heading_end {
            pen.items.truncate(before);
        }
        if self.style == HeadingStyle::Beside {
            return Some(Box::new(Self { body: rest, ..*self }));
        }
        let title = self.title_of_continuation(&*rest);
        Some(Box::new(Self { title, body: rest, continued: true, style: HeadingStyle::Ruled, ..*self }))
    }

    fn max_box_size(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        let height = self.heading_height(rect.w, styles);
        self.body.max_box_size(Rect::new(rect.x, rect.y + height, rect.w, rect.h - height), styles)
    }

    fn height_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Option<f32> {
        Some(self.body.height_for_boxes(width, size, styles)? + self.heading_height(width, styles))
    }

    fn limit_box_size(&mut self, size: f32) {
        self.body.limit_box_size(size);
    }

    fn follow_rows(&mut self, rows: BlockRows) {
        self.body.follow_rows(rows);
    }

    fn allow_split(&mut self) -> bool {
        self.body.allow_split()
    }

    fn heading(&self) -> Option<(&str, bool)> {
        let is_plain = self.style == HeadingStyle::Ruled && self.note.is_empty() && self.extra_note.is_empty();
        (is_plain && !self.title.is_empty()).then_some((&*self.title, self.continued))
    }

    fn swap_body(&mut self, body: Box<dyn Flowable>) -> Option<Box<dyn Flowable>> {
        Some(std::mem::replace(&mut self.body, body))
    }

    fn take_apart(&mut self) -> Vec<Box<dyn Flowable>> {
        let parts = self.body.take_parts().into_iter();
        parts.map(|body| -> Box<dyn Flowable> { Box::new(Self { body, ..self.without_body() }) }).collect()
    }
}

#[derive(Debug)]
pub struct Empty;

impl Flowable for Empty {
    fn measure(&self, _width: f32, _styles: &TextStyles) -> SizeHint {
        SizeHint::default()
    }
    fn draw(self: Box<Self>, _rect: Rect, _pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        None
    }
}

/// Contents one under another that share a height: natural heights first, then growing parts get what is left; when
/// there is too little room, the small parts stay whole and the long ones are continued.
#[derive(Debug)]
pub struct VStack {
    /// From top to bottom.
    pub parts: Vec<Box<dyn Flowable>>,
    /// Between parts, mm.
    pub gap: f32,
    /// Filled from the top, the first in full before the next begins: continued lists.
    pub in_order: bool,
    /// Parts for the next page, whatever room there is, each with the number of parts before it.
    pub deferred: Vec<(usize, Box<dyn Flowable>)>,
}

impl VStack {
    /// Without deferred parts.
    pub fn new(parts: Vec<Box<dyn Flowable>>, gap: f32, in_order: bool) -> Self {
        Self { parts, gap, in_order, deferred: Vec::new() }
    }
}

impl Flowable for VStack {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        SizeHint::stacked(self.parts.iter().map(|part| part.measure(width, styles)), self.gap)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let gap = self.gap;
        let mut wants: Vec<SizeHint> = Vec::new();
        let mut least = 0.0;
        for part in &self.parts {
            let one = part.measure(rect.w, &pen.styles);
            wants.push(one);
            least += one.min + gap;
            // Nothing after a cut part is begun, so that a list over many pages is not measured in full for each.
            if self.in_order && least - gap > rect.h + 0.01 {
                break;
            }
        }
        let mut shares =
            if self.in_order { allot_in_order(&wants, rect.h, gap) } else { allot_heights(&wants, rect.h, gap) };
        shares.resize(self.parts.len(), 0.0);
        let in_order = self.in_order;
        let mut y = rect.y;
        let mut rest = self.deferred;
        for (n, (part, height)) in self.parts.into_iter().zip(shares).enumerate() {
            if height <= 0.0 {
                rest.push((n, part));
                continue;
            }
            rest.extend(part.draw(Rect::new(rect.x, y, rect.w, height), pen).map(|part| (n, part)));
            y += height + gap;
        }
        rest.sort_by_key(|(n, _)| *n);
        let rest: Vec<_> = rest.into_iter().map(|(_, part)| part).collect();
        if rest.is_empty() { None } else { Some(Box::new(Self::new(rest, gap, in_order))) }
    }

    fn allow_split(&mut self) -> bool {
        self.parts.first_mut().is_some_and(|part| part.allow_split())
    }

    fn take_parts(&mut self) -> Vec<Box<dyn Flowable>> {
        let later = self.deferred.drain(..).map(|(_, part)| part);
        self.parts.drain(..).chain(later).collect()
    }
}

/// Heights from the top when not everything fits: each part whole at its smallest sizes, until one must be cut.
fn allot_in_order(wants: &[SizeHint], height: f32, gap: f32) -> Vec<f32> {
    let least = wants.iter().map(|w| w.min + gap).sum::<f32>() - gap;
    if least <= height + 0.01 {
        return allot_heights(wants, height, gap);
    }
    let mut left = height;
    let mut is_cut = false;
    let mut shares = Vec::with_capacity(wants.len());
    for w in wants {
        if is_cut || w.min_start > left + 0.01 {
            break;
        }
        let take = w.min.min(left);
        is_cut = take + 0.01 < w.min;
        left -= take + gap;
        shares.push(take);
    }
    // Where the next part waits for a further page, those before it use its room.
    if !is_cut && !shares.is_empty() {
        shares = allot_heights(&wants[..shares.len()], height, gap);
    }
    shares.resize(wants.len(), 0.0);
    shares
}

/// Heights for parts one under another, mm; 0 for a part without room to start.
pub fn allot_heights(wants: &[SizeHint], height: f32, gap: f32) -> Vec<f32> {
    let room = height - gap * wants.len().saturating_sub(1) as f32;
    let natural: f32 = wants.iter().map(|w| w.natural).sum();
    let least: f32 = wants.iter().map(|w| w.min).sum();
    if natural <= room + 0.01 {
        let grow: f32 = wants.iter().map(|w| w.max - w.natural).sum();
        let part = if grow > 0.0 { ((room - natural) / grow).min(1.0) } else { 0.0 };
        return wants.iter().map(|w| w.natural + (w.max - w.natural) * part).collect();
    }
    if least <= room + 0.01 {
        let part = ((room - least) / (natural - least).max(0.001)).clamp(0.0, 1.0);
        return wants.iter().map(|w| w.min + (w.natural - w.min) * part).collect();
    }
    // Too little room: the part that needs most is continued on a further page. The others keep their preferred sizes
    // if a third of the room then remains for the long one; otherwise they get their smallest.
    let longest = (0..wants.len()).max_by(|&a, &b| wants[a].min.total_cmp(&wants[b].min).then(b.cmp(&a)));
    let others = wants.iter().enumerate().filter(|(n, _)| Some(*n) != longest);
    let comfortable = others.clone().map(|(_, w)| w.natural).sum::<f32>() <= room * 0.66;
    let need = |n: usize| if comfortable && Some(n) != longest { wants[n].natural } else { wants[n].min };
    let mut order: Vec<usize> = (0..wants.len()).collect();
    order.sort_by(|&a, &b| need(a).total_cmp(&need(b)).then(a.cmp(&b)));
    let mut shares = vec![0.0; wants.len()];
    let mut left = height + gap;
    for (place, &n) in order.iter().enumerate() {
        // Whole, if those after it can still start; otherwise what they leave; a part without room to start waits.
        let starts: f32 = order[place + 1..].iter().map(|&later| wants[later].min_start + gap).sum();
        let take = need(n).min((left - starts).max(wants[n].min_start + gap) - gap);
        if wants[n].min_start <= left - gap + 0.01 && take <= left - gap + 0.01 && take > 0.0 {
            shares[n] = take;
            left -= take + gap;
        }
    }
    shares
}

#[cfg(test)]
mod tests;
