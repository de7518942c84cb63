//! The pages of the sheet in the window's coordinates, and what is remembered between frames: a drag that is held, the
//! place that the keyboard is at.

use std::sync::Arc;

use egui::{Context, Id, Pos2, Rect, Response, Vec2, vec2};

use crate::Doc;
use crate::preview::page_layout::PreviewLayout;
use crate::preview::{MarkedShape, PreviewMode, SheetPreview};
use moldloft_drawing::scene;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TargetKey {
    Mount(Arc<str>),
    /// By index in the file.
    Fit(u32),
    /// By the name of its mark.
    Box(Arc<str>),
}

/// The pages in the window's coordinates.
pub struct SheetOnScreen<'a> {
    pub window: Rect,
    pub scroll_offset: Vec2,
    pub layout: &'a PreviewLayout,
    /// Points per mm.
    pub per_mm: f32,
}

impl SheetOnScreen<'_> {
    /// Of a page in sight.
    pub fn page_rect(&self, n: usize) -> Option<Rect> {
        Some(self.place_of_page(n)?).filter(|rect| rect.intersects(self.window))
    }

    fn place_of_page(&self, n: usize) -> Option<Rect> {
        Some(self.layout.pages.get(n)?.translate(self.window.min.to_vec2() - self.scroll_offset))
    }

    /// In sight or not.
    pub fn to_screen(&self, page: usize, rect: &scene::Rect) -> Option<Rect> {
        let place = self.place_of_page(page)?;
        let min = place.min + vec2(rect.x, rect.y) * self.per_mm;
        Some(Rect::from_min_size(min, vec2(rect.w, rect.h) * self.per_mm))
    }

    pub fn marked_shape_at<'s>(&self, shown: &'s SheetPreview, pointer: Pos2) -> Option<&'s MarkedShape> {
        let count = self.layout.pages.len();
        let (n, rect) =
            (0..count).filter_map(|n| Some((n, self.page_rect(n)?))).find(|(_, rect)| rect.contains(pointer))?;
        let at = (pointer - rect.min) / self.per_mm;
        shown.pages.page_indices.get(n)?.marked_shape_at(at.x, at.y)
    }
}

/// Whether the pictures show the present text as a sheet, so that their marks can be edited.
pub fn is_editable(doc: &Doc, shown: &SheetPreview) -> bool {
    shown.key.revision == doc.revision && shown.key.proposal.is_none() && shown.key.view == PreviewMode::Sheet
}

/// Whether a drag that began on the sheet moves a system or ticks boxes, rather than the sheet.
pub fn holds_drag(ctx: &Context, doc: &Doc) -> bool {
    ctx.data(|data| data.get_temp::<bool>(held_id(doc))).unwrap_or(false)
}

pub fn held_id(doc: &Doc) -> Id {
    Id::unique(("sheet", doc.id)).with("held")
}

/// Of the place that the keyboard is at, by its [`TargetKey`].
pub fn walk_id(doc: &Doc) -> Id {
    Id::unique(("sheet", doc.id)).with("walk")
}

pub fn target_id(doc: &Doc, key: &TargetKey) -> Id {
    Id::unique(("sheet target", doc.id, key))
}

/// Gives the focus back to where the keyboard was on the sheet.
pub fn return_focus(ctx: &Context, doc: &Doc, response: &Response) {
    match ctx.data(|data| data.get_temp::<TargetKey>(walk_id(doc))) {
        Some(key) => ctx.memory_mut(|memory| memory.request_focus(target_id(doc, &key))),
        None => response.request_focus(),
    }
}
