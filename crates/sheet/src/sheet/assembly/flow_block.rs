//! A block of a flow: takes the art, texts and panels in its rectangle, gives a content that moves as a whole
//! and stretches with its panels.

use std::cell::RefCell;
use std::sync::Arc;

use super::slots::{self, SlotText};
use super::stretch::{ResizableArt, map_shape};
use crate::sheet::layout::block_rows::{BlockNeed, BlockRows};
use crate::sheet::layout::flow_layout::{FlowOptions, LARGER_BOXES};
use crate::sheet::layout::flowable::{Flowable, SizeHint, VStack};
use crate::sheet::layout::joined_headings::join_headings;
use crate::sheet::layout::outline::least_height;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::scene::{MountArea, Rect};

/// Sizes of stretched blocks are rounded down to this, mm, so that ships share their drawings.
const SIZE_STEP: f32 = 0.5;
/// Narrower and lower rectangles count as this, mm.
pub const MIN_SIDE: f32 = 0.01;
/// How exactly a common size of boxes is searched for, mm.
const SIZE_SEARCH_STEP: f32 = 0.06;
/// Between a panel and what is below it, at least, mm.
const PANEL_GAP: f32 = 0.8;

/// What belongs to a block.
pub struct FlowBlock {
    pub rect: Rect,
    /// Indexes in the prepared panels.
    pub panels: Vec<usize>,
    /// Indexes in the prepared texts.
    pub slots: Vec<usize>,
    pub art: Arc<ResizableArt>,
}

impl FlowBlock {
    pub fn empty(rect: Rect) -> Self {
        let art = Arc::new(ResizableArt::new(Vec::new(), (rect.w, rect.h)));
        Self { rect, panels: Vec::new(), slots: Vec::new(), art }
    }
}

/// A block for one ship.
#[derive(Debug)]
pub struct BlockContent {
    pub rect: Rect,
    pub options: FlowOptions,
    pub art: Arc<ResizableArt>,
    /// By piece of art: whether it is drawn.
    pub drawn: Vec<bool>,
    pub panels: Vec<BlockPanel>,
    /// Places of panels that show nothing on this ship.
    pub empty: Vec<Rect>,
    /// As drawn in the template.
    pub mount_areas: Vec<MountArea>,
    pub texts: Vec<SlotText>,
    /// Whether the pen notes how its texts fit: those of a continuation sheet are on each of its pages.
    pub notes_texts: bool,
    /// Whether its panels keep their places on its art: some are in an outline that is drawn.
    pub keeps_form: bool,
    /// Whether it may be lower than its panels need, which then go on elsewhere: no page holds all of it.
    pub may_split: bool,
    /// Size of the template, mm: texts without a width reach to its edge.
    pub page: (f32, f32),
    /// What its panels want at a width, once that is known.
    pub known_hints: RefCell<Option<(f32, Vec<SizeHint>)>>,
}

/// A panel in a block.
#[derive(Debug)]
pub struct BlockPanel {
    /// As drawn in the template.
    pub rect: Rect,
    pub group: Option<Arc<str>>,
    /// Drawn before the other panels.
    pub is_underlay: bool,
    /// Drawn on this page only, if there is room for all of it.
    pub is_confined: bool,
    pub content: Box<dyn Flowable>,
}

impl BlockContent {
    /// The heights at which its panels have the heights they want.
    fn heights(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let (least, most) = self.least_and_most();
        let hints: Vec<_> = self.hints(width, styles);
        let height = |of: fn(&SizeHint) -> f32| {
            self.height_for(&self.needs(hints.iter().map(|(panel, hint)| (panel.rect, of(hint)))))
        };
        let needed = height(|hint| hint.min);
        let natural = height(|hint| hint.natural).max(needed);
        let min_start = if self.may_split { least } else { needed };
        SizeHint { min_start, min: needed, natural, max: most }
    }

    /// How low and high it may be, mm.
    fn least_and_most(&self) -> (f32, f32) {
        let least = self.options.least.unwrap_or(self.rect.h);
        (least, self.options.most.unwrap_or(self.rect.h).max(least))
    }

    /// The height that its panels' needs take, mm.
    fn height_for(&self, needs: &[BlockNeed]) -> f32 {
        let (least, most) = self.least_and_most();
        self.least_rows(needs).height().max(least).min(most)
    }

    /// The panels that need room, with the heights that they want at the block's width.
    fn hints(&self, width: f32, styles: &TextStyles) -> Vec<(&BlockPanel, SizeHint)> {
        let across = width / self.rect.w.max(MIN_SIDE);
        let panels = self.panels.iter().filter(|panel| !panel.is_underlay);
        let mut known = self.known_hints.borrow_mut();
        if known.as_ref().is_none_or(|(of, _)| *of != width) {
            let hints = panels.clone().map(|panel| panel.content.measure(panel.rect.w * across, styles));
            *known = Some((width, hints.collect()));
        }
        panels.zip(known.iter().flat_map(|(_, hints)| hints.iter().copied())).collect()
    }

    /// What needs room for a panel, and for places that are empty on this ship.
    fn needs(&self, panels: impl Iterator<Item = (Rect, f32)>) -> Vec<BlockNeed> {
        let empty = self.empty.iter().map(|rect| (*rect, 0.0));
        let gap = if self.keeps_form { 0.0 } else { PANEL_GAP };
        let need = |(rect, needed): (Rect, f32)| {
            let top = rect.y - self.rect.y;
            BlockNeed { top, bottom: top + rect.h, needed: if needed > 0.0 { needed + gap } else { 0.0 } }
        };
        panels.chain(empty).map(need).collect()
    }

    /// Its parts at the least height at which its panels have what they need.
    fn least_rows(&self, needs: &[BlockNeed]) -> BlockRows {
        let least = self.least_share();
        if self.keeps_form {
            let shares = needs.iter().map(|need| need.needed / (need.bottom - need.top).max(MIN_SIDE));
            return BlockRows::at_share(self.rect.h, &[], shares.fold(least, f32::max));
        }
        BlockRows::at_share(self.rect.h, needs, least)
    }

    /// No part of it gets less of its height than this.
    fn least_share(&self) -> f32 {
        self.least_and_most().0 / self.rect.h.max(MIN_SIDE)
    }

    /// What its panels need for boxes of a size, mm.
    fn needs_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Vec<BlockNeed> {
        let across = width / self.rect.w.max(MIN_SIDE);
        let height = |(panel, hint): (&BlockPanel, SizeHint)| {
            let wanted = panel.content.height_for_boxes(panel.rect.w * across, size, styles);
            (panel.rect, wanted.unwrap_or(hint.min).max(hint.min))
        };
        self.needs(self.hints(width, styles).into_iter().map(height))
    }

    /// Where its heights are at a size: as much as possible as drawn, but each panel gets what the largest boxes need that
    /// all of them have room for.
    fn rows(&self, (width, height): (f32, f32), styles: &TextStyles) -> BlockRows {
        let fitting = |needs: &[BlockNeed]| BlockRows::fitting(self.rect.h, needs, self.least_share(), height);
        if self.keeps_form {
            return fitting(&[]);
        }
        let hints = self.hints(width, styles);
        let needs = |size: f32| self.needs_for_boxes(width, size, styles);
        // The largest size at which all panels have room for theirs.
        let mut found = self.needs(hints.iter().map(|(panel, hint)| (panel.rect, hint.min)));
        let mut low = styles.minimums.tick_box / styles.minimums.scale;
        let mut high = self.max_box_size(Rect::new(0.0, 0.0, width, height), styles).unwrap_or(low).max(low);
        let mut size = high;
        while high - low > SIZE_SEARCH_STEP {
            let tried = needs(size);
            if self.least_rows(&tried).height() <= height + 0.01 {
                (low, found) = (size, tried);
            } else {
                high = size;
            }
            size = (low + high) / 2.0;
        }
        // Where there is too little room, those that need most are continued elsewhere, and the others are whole.
        let most = found.iter().map(|need| need.needed).fold(0.0, f32::max);
        let capped = |less: f32| -> Vec<BlockNeed> {
            found.iter().map(|need| BlockNeed { needed: need.needed.min(most - less), ..*need }).collect()
        };
        let fits = |less: f32| self.least_rows(&capped(less)).height() <= height + 0.01;
        let less = if fits(0.0) { None } else { least_height(most, fits) };
        fitting(&capped(less.unwrap_or(0.0)))
    }
}

impl Flowable for BlockContent {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        self.heights(width, styles)
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let hint = self.heights(rect.w, &pen.styles);
        if hint.min_start > rect.h + 0.05 {
            return Some(self);
        }
        let height = rect.h.min(hint.max);
        let stretches = hint.max > self.rect.h + 0.01 || hint.min < self.rect.h - 0.01;
        let height = if stretches { (height / SIZE_STEP).floor() * SIZE_STEP } else { height };
        let height = height.max(hint.min_start);
        let from = self.rect;
        let rows = self.rows((rect.w, height), &pen.styles);
        let form = rows.form();
        // A place in the block, the same wherever the block is: ships share the art of a size and a form.
        let within = |x: f32, y: f32| {
            let down = if form == 0 { (y - from.y) * height / from.h.max(MIN_SIDE) } else { rows.at(y - from.y) };
            ((x - from.x) * rect.w / from.w.max(MIN_SIDE), down)
        };
        let at = |x: f32, y: f32| {
            let (x, y) = within(x, y);
            (rect.x + x, rect.y + y)
        };
        let (dx, dy) = (rect.x - from.x, rect.y - from.y);
        let origin = pen.origin;
        pen.origin = (origin.0 + dx, origin.1 + dy);
        let stretch = |x: f32, y: f32| {
            let (x, y) = within(x, y);
            (from.x + x, from.y + y)
        };
        let art = self.art.at_size((rect.w, height), 0.0, form, |shape| map_shape(shape, stretch));
        for (piece, drawn) in art.iter().zip(&self.drawn) {
            if *drawn {
                pen.drawing_at_origin(&piece.drawing);
            }
        }
        pen.origin = origin;
        for text in &mut self.texts {
            let (x, y) = at(text.slot.x, text.slot.y);
            (text.slot.x, text.slot.y) = (x, y);
            text.width = text.width.map(|width| width * rect.w / from.w.max(MIN_SIDE));
            slots::draw(text, self.page, pen);
            if let Some(words) = text.words.as_ref().filter(|words| self.notes_texts && !words.trim().is_empty()) {
                let measured = slots::measure(text, words, self.page, &pen.styles);
                pen.measured_texts.push(measured);
            }
        }
        let moved = |inner: Rect| {
            let ((x, y), (right, bottom)) = (at(inner.x, inner.y), at(inner.right(), inner.bottom()));
            Rect::new(x, y, right - x, bottom - y)
        };
        for MountArea { mount, rect } in std::mem::take(&mut self.mount_areas) {
            pen.note_mount_area(mount, moved(rect));
        }
        // Where heights are traded, each panel was given the gap below it, too.
        let gap = if form == 0 { 0.0 } else { PANEL_GAP };
        for panel in &mut self.panels {
            let whole = moved(panel.rect);
            if panel.is_underlay && form != 0 {
                panel.content.follow_rows(rows.part(panel.rect.y - from.y, panel.rect.h));
            }
            panel.rect = Rect { h: if panel.is_underlay { whole.h } else { whole.h - gap }, ..whole };
        }
        let panels = std::mem::take(&mut self.panels);
        let rest: Vec<_> = draw_placed(panels, pen).into_iter().map(|(_, content)| content).collect();
        if rest.is_empty() { None } else { Some(Box::new(VStack::new(join_headings(rest), 5.0, true))) }
    }

    /// The largest of any of its panels, if that had all the height.
    fn max_box_size(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        let across = rect.w / self.rect.w.max(MIN_SIDE);
        let own = self.panels.iter().filter(|panel| !panel.is_underlay);
        own.filter_map(|panel| panel.content.max_box_size(Rect { w: panel.rect.w * across, ..rect }, styles))
            .reduce(f32::max)
    }

    fn height_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Option<f32> {
        Some(self.height_for(&self.needs_for_boxes(width, size, styles)))
    }

    fn limit_box_size(&mut self, size: f32) {
        self.panels.iter_mut().for_each(|panel| panel.content.limit_box_size(size));
        self.known_hints.take();
    }

    fn allow_split(&mut self) -> bool {
        !std::mem::replace(&mut self.may_split, true)
    }
}

/// Draws contents into their rectangles, those of a group with the box size that suits the tightest of them, and none
/// with much larger boxes than another; returns what did not fit, in order, each with the index of its panel.
pub fn draw_placed(mut panels: Vec<BlockPanel>, pen: &mut SheetPen) -> Vec<(usize, Box<dyn Flowable>)> {
    let sizes: Vec<_> = panels.iter().map(|panel| panel.content.max_box_size(panel.rect, &pen.styles)).collect();
    let least = |is_of: &dyn Fn(&BlockPanel) -> bool| {
        let own = panels.iter().zip(&sizes).filter(|(panel, _)| is_of(panel));
        own.filter_map(|(_, size)| *size).fold(f32::INFINITY, f32::min)
    };
    let most = least(&|_| true) * LARGER_BOXES;
    let limit = |(panel, size): (&BlockPanel, &Option<f32>)| match &panel.group {
        Some(group) => Some(least(&|other| other.group.as_ref() == Some(group)).min(most)),
        None => size.filter(|size| *size > most).map(|_| most),
    };
    let limits: Vec<_> = panels.iter().zip(&sizes).map(limit).collect();
    for (panel, limit) in panels.iter_mut().zip(limits) {
        limit.into_iter().for_each(|limit| panel.content.limit_box_size(limit));
    }
    let fits = |panel: &BlockPanel| panel.content.measure(panel.rect.w, &pen.styles).min <= panel.rect.h + 0.05;
    let drawn: Vec<bool> = panels.iter().map(|panel| !panel.is_confined || fits(panel)).collect();
    let (under, over): (Vec<_>, Vec<_>) = panels.into_iter().enumerate().partition(|(_, panel)| panel.is_underlay);
    let mut rest: Vec<_> = under
        .into_iter()
        .chain(over)
        .filter(|(n, _)| drawn[*n])
        .filter_map(|(n, panel)| {
            let mut left = panel.content.draw(panel.rect, pen)?;
            // What is continued has boxes of the same size.
            left.limit_box_size(most);
            (!panel.is_confined).then_some((n, left))
        })
        .collect();
    rest.sort_by_key(|(n, _)| *n);
    rest
}
