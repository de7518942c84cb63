//! A block of a flow: takes the art, texts and panels in its rectangle, gives a content that moves as a whole
//! and stretches with its panels.

use std::sync::Arc;

use super::slots::{self, SlotText};
use super::stretch::{ResizableArt, map_shape};
use crate::sheet::layout::flow_layout::FlowOptions;
use crate::sheet::layout::flowable::{Flowable, SizeHint, VStack};
use crate::sheet::layout::joined_headings::join_headings;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::scene::{MountArea, Rect};

/// Sizes of stretched blocks are rounded down to this, mm, so that ships share their drawings.
const SIZE_STEP: f32 = 0.5;
/// Narrower and lower rectangles count as this, mm.
pub const MIN_SIDE: f32 = 0.01;

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
    /// As drawn in the template.
    pub mount_areas: Vec<MountArea>,
    pub texts: Vec<SlotText>,
    /// Whether the pen notes how its texts fit: those of a continuation sheet are on each of its pages.
    pub notes_texts: bool,
    /// Whether it may be lower than its panels need, which then go on elsewhere: no page holds all of it.
    pub may_split: bool,
    /// Size of the template, mm: texts without a width reach to its edge.
    pub page: (f32, f32),
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
        let drawn = self.rect.h;
        let least = self.options.least.unwrap_or(drawn);
        let most = self.options.most.unwrap_or(drawn).max(least);
        let across = width / self.rect.w.max(MIN_SIDE);
        let (mut needed, mut natural) = (least, least);
        for panel in self.panels.iter().filter(|panel| !panel.is_underlay) {
            let hint = panel.content.measure(panel.rect.w * across, styles);
            let share = drawn / panel.rect.h.max(MIN_SIDE);
            needed = needed.max(hint.min * share);
            natural = natural.max(hint.natural * share);
        }
        let needed = needed.min(most);
        let natural = natural.clamp(needed, most);
        let min_start = if self.may_split { least } else { needed };
        SizeHint { min_start, min: needed, natural, max: most }
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
        let at = |x: f32, y: f32| {
            (
                rect.x + (x - from.x) * rect.w / from.w.max(MIN_SIDE),
                rect.y + (y - from.y) * height / from.h.max(MIN_SIDE),
            )
        };
        let (dx, dy) = (rect.x - from.x, rect.y - from.y);
        let origin = pen.origin;
        pen.origin = (origin.0 + dx, origin.1 + dy);
        let stretch = |x: f32, y: f32| {
            (
                from.x + (x - from.x) * rect.w / from.w.max(MIN_SIDE),
                from.y + (y - from.y) * height / from.h.max(MIN_SIDE),
            )
        };
        let art = self.art.at_size((rect.w, height), 0.0, |shape| map_shape(shape, stretch));
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
        for MountArea { mount, rect } in std::mem::take(&mut self.mount_areas) {
            let ((x, y), (right, bottom)) = (at(rect.x, rect.y), at(rect.right(), rect.bottom()));
            pen.note_mount_area(mount, Rect::new(x, y, right - x, bottom - y));
        }
        for panel in &mut self.panels {
            let (x, y) = at(panel.rect.x, panel.rect.y);
            let (right, bottom) = at(panel.rect.right(), panel.rect.bottom());
            panel.rect = Rect::new(x, y, right - x, bottom - y);
        }
        let panels = std::mem::take(&mut self.panels);
        let rest: Vec<_> = draw_placed(panels, pen).into_iter().map(|(_, content)| content).collect();
        if rest.is_empty() { None } else { Some(Box::new(VStack::new(join_headings(rest), 5.0, true))) }
    }

    fn allow_split(&mut self) -> bool {
        !std::mem::replace(&mut self.may_split, true)
    }
}

/// Draws contents into their rectangles, those of a group with the box size that suits the tightest of them; returns
/// what did not fit, in order, each with the index of its panel.
pub fn draw_placed(mut panels: Vec<BlockPanel>, pen: &mut SheetPen) -> Vec<(usize, Box<dyn Flowable>)> {
    let mut sizes: Vec<(Arc<str>, f32)> = Vec::new();
    for panel in &panels {
        if let (Some(group), Some(size)) = (&panel.group, panel.content.max_box_size(panel.rect, &pen.styles)) {
            match sizes.iter_mut().find(|(known, _)| known == group) {
                Some((_, least)) => *least = least.min(size),
                None => sizes.push((Arc::clone(group), size)),
            }
        }
    }
    for panel in &mut panels {
        let size = panel.group.as_ref().and_then(|group| sizes.iter().find(|(known, _)| known == group));
        if let Some((_, size)) = size {
            panel.content.limit_box_size(*size);
        }
    }
    let fits = |panel: &BlockPanel| panel.content.measure(panel.rect.w, &pen.styles).min <= panel.rect.h + 0.05;
    let drawn: Vec<bool> = panels.iter().map(|panel| !panel.is_confined || fits(panel)).collect();
    let (under, over): (Vec<_>, Vec<_>) = panels.into_iter().enumerate().partition(|(_, panel)| panel.is_underlay);
    let mut rest: Vec<_> = under
        .into_iter()
        .chain(over)
        .filter(|(n, _)| drawn[*n])
        .filter_map(|(n, panel)| {
            let left = panel.content.draw(panel.rect, pen)?;
            (!panel.is_confined).then_some((n, left))
        })
        .collect();
    rest.sort_by_key(|(n, _)| *n);
    rest
}
