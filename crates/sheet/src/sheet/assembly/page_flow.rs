//! How a template's page flows: the tree of rows, columns and blocks that contains its panels, and the page's art and
//! texts moved to where the flow puts them. What is below the flow moves down with the paper's edge.

use std::sync::Arc;

use super::flow_block::FlowBlock;
use super::stretch::{ResizableArt, bounds, map_shape};
use crate::sheet::layout::flow_layout::FlowOptions;
use moldloft_drawing::art::ArtPiece;
use moldloft_drawing::scene::Rect;

/// A rectangle belongs to a flow or block whose edges it crosses by no more than this, mm.
pub const CROSSING: f32 = 1.0;
/// A page grows to at most this factor of its template's height.
const MAX_STRETCH: f32 = 1.25;

/// The flow of a template's page.
pub struct PageFlow {
    pub roots: Vec<FlowNode>,
    pub owned: OwnedParts,
    /// The art outside blocks.
    art: ResizableArt,
    /// Top and bottom of what grows with the page, mm.
    span: (f32, f32),
    /// The template's, mm.
    size: (f32, f32),
}

/// What a flow moves.
pub struct OwnedParts {
    /// By index in the prepared panels.
    pub panels: Vec<PanelHome>,
    /// By index in the template's slots: whether it belongs to a block.
    pub slots: Vec<bool>,
}

/// What gives a panel its rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PanelHome {
    /// It is outside the flow, and keeps the rectangle that is drawn.
    Page,
    Block {
        /// How much higher it can get than it is drawn, as a factor.
        max_stretch: f32,
    },
    Flow,
}

/// A part of the flow.
pub struct FlowNode {
    pub rect: Rect,
    /// Index in the template's conditions.
    pub when: Option<usize>,
    pub options: FlowOptions,
    pub kind: FlowNodeKind,
}

pub enum FlowNodeKind {
    Rows {
        gap: f32,
        children: Vec<FlowNode>,
    },
    Columns {
        gap: f32,
        stack_below: f32,
        children: Vec<FlowNode>,
    },
    Balanced {
        gap: f32,
        columns: usize,
        children: Vec<FlowNode>,
    },
    /// Index in the prepared panels.
    Panel(usize),
    Block(FlowBlock),
}

impl PageFlow {
    /// `art` is that outside blocks; `size` the template's, mm.
    pub fn new(roots: Vec<FlowNode>, owned: OwnedParts, art: Vec<ArtPiece>, size: (f32, f32)) -> Self {
        let bottom = roots.iter().map(|root| root.rect.bottom()).fold(0.0, f32::max);
        let lowest = roots.iter().filter(|root| root.rect.bottom() > bottom - CROSSING);
        let top = lowest.map(|root| root.rect.y).fold(f32::MAX, f32::min);
        Self { roots, owned, art: ResizableArt::new(art, size), span: (top, bottom), size }
    }

    /// The greatest height of a page, mm: that of the room, within bounds.
    pub fn page_height(&self, room: f32) -> f32 {
        room.clamp(self.size.1, self.size.1 * MAX_STRETCH)
    }

    /// A rectangle outside the flow, or that of a root, on a page of a height, mm.
    pub fn stretch_rect(&self, rect: Rect, height: f32) -> Rect {
        let (top, bottom) = (self.stretch_y(rect.y, height), self.stretch_y(rect.bottom(), height));
        Rect::new(rect.x, top, rect.w, bottom - top)
    }

    /// A position outside the flow on a page of a height, mm.
    pub fn stretch_y(&self, y: f32, height: f32) -> f32 {
        let extra = height - self.size.1;
        let (top, bottom) = self.span;
        if y >= bottom - CROSSING {
            y + extra
        } else if y <= top + CROSSING {
            y
        } else {
            y + extra * (y - top) / (bottom - top).max(0.01)
        }
    }

    /// Whether a text at this height is below what grows with the page.
    pub fn is_foot(&self, y: f32) -> bool {
        y >= self.span.1 - CROSSING
    }

    /// The art outside blocks on a page of a height with some room below it for its foot, mm: one `Arc` for all such pages. Frames go around
    /// that room, too.
    pub fn art(&self, height: f32, foot: f32) -> Arc<Vec<ArtPiece>> {
        self.art.at_size((self.size.0, height), foot, 0, |shape| {
            let bounds = bounds(shape);
            // What is wholly above, below or in the flow keeps its form.
            let shift = self.stretch_y(bounds.y + bounds.h / 2.0, height) - (bounds.y + bounds.h / 2.0);
            let crosses = bounds.y < self.span.0 && bounds.bottom() > self.span.1;
            map_shape(shape, |x, y| (x, if crosses { self.stretch_y(y, height + foot) } else { y + shift }))
        })
    }
}

impl FlowNode {
    /// Takes its children, in the order in which they are drawn.
    pub fn adopt(&mut self, mut own: Vec<Self>) {
        match &mut self.kind {
            FlowNodeKind::Rows { children, .. } => {
                own.sort_by(|a, b| a.rect.y.total_cmp(&b.rect.y));
                *children = own;
            }
            FlowNodeKind::Columns { children, .. } => {
                own.sort_by(|a, b| a.rect.x.total_cmp(&b.rect.x));
                *children = own;
            }
            FlowNodeKind::Balanced { children, .. } => {
                // By columns: what begins within a few millimetres of the left edge is in one.
                let column = |node: &Self| (node.rect.x / 8.0).round();
                own.sort_by(|a, b| column(a).total_cmp(&column(b)).then(a.rect.y.total_cmp(&b.rect.y)));
                *children = own;
            }
            FlowNodeKind::Panel(_) | FlowNodeKind::Block(_) => {}
        }
    }
}
