//! How a template's page flows: takes its rectangles labelled `flow:` and `block:`, gives the tree of rows and columns
//! that contains its panels, and the pages' art and texts moved to where the flow puts them. What lies in a block's
//! rectangle moves with it; what lies below the flow moves down with the paper's edge.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::flow_block::{BlockArt, FlowBlock};
use super::prepared_panel::PreparedPanel;
use super::prepared_texts::{PreparedTexts, parse_options};
use super::stretch::{bounds, map_shape};
use crate::art::{ArtPiece, CappedFindings, PanelRect, Template};
use crate::finding::{Finding, nearest};
use crate::ruleset::{Ruleset, SlotContext};
use crate::scene::{Drawing, Rect, Shape};
use crate::sheet::layout::flow_layout::FlowOptions;
use crate::sheet::panels::common_options::{FlowPartOptions, FlowRectOptions};
use crate::sheet::panels::panel_args::PanelArgs;
use crate::sheet::panels::panel_options::PanelOption;

/// A rectangle belongs to a flow or block whose edges it crosses by no more than this, mm.
const CROSSING: f32 = 1.0;
/// A page grows to at most this factor of its template's height.
const MAX_STRETCH: f32 = 1.25;
const MAX_COLUMNS: usize = 6;

/// The flow of a template's page.
pub struct PageFlow {
    pub roots: Vec<FlowNode>,
    /// By index in the prepared panels: whether it is in the flow, not at its own place.
    pub owns_panel: Vec<bool>,
    /// By index in the template's slots: whether it belongs to a block.
    pub owns_slot: Vec<bool>,
    /// The art outside blocks.
    art: Vec<ArtPiece>,
    /// Top and bottom of what grows with the page, mm.
    span: (f32, f32),
    height: f32,
    /// The art of pages of other heights: by the height's bits.
    stretched: Mutex<BTreeMap<u32, Arc<Vec<ArtPiece>>>>,
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
    /// The greatest height of a page, mm: that of the room, within bounds.
    pub fn page_height(&self, room: f32) -> f32 {
        room.clamp(self.height, self.height * MAX_STRETCH)
    }

    /// The rectangle of a root on a page of a height, mm.
    pub fn root_rect(&self, root: &FlowNode, height: f32) -> Rect {
        self.stretch_rect(root.rect, height)
    }

    /// A rectangle outside the flow on a page of a height, mm.
    pub fn stretch_rect(&self, rect: Rect, height: f32) -> Rect {
        let (top, bottom) = (self.stretch_y(rect.y, height), self.stretch_y(rect.bottom(), height));
        Rect::new(rect.x, top, rect.w, bottom - top)
    }

    /// A position outside the flow on a page of a height, mm.
    pub fn stretch_y(&self, y: f32, height: f32) -> f32 {
        let extra = height - self.height;
        let (top, bottom) = self.span;
        if y >= bottom - CROSSING {
            y + extra
        } else if y <= top + CROSSING {
            y
        } else {
            y + extra * (y - top) / (bottom - top).max(0.01)
        }
    }

    /// The art outside blocks on a page of a height, mm: one `Arc` for all such pages.
    pub fn art(&self, height: f32) -> Arc<Vec<ArtPiece>> {
        let mut known = self.stretched.lock().unwrap_or_else(PoisonError::into_inner);
        let stretch = || {
            let pieces = self.art.iter().map(|piece| {
                if (height - self.height).abs() < 0.01 {
                    return piece.clone();
                }
                let shapes = piece.drawing.shapes.iter().map(|shape| {
                    let bounds = bounds(shape);
                    // What is wholly above, below or in the flow keeps its form.
                    let shift = self.stretch_y(bounds.y + bounds.h / 2.0, height) - (bounds.y + bounds.h / 2.0);
                    let crosses = bounds.y < self.span.0 && bounds.bottom() > self.span.1;
                    map_shape(shape, |x, y| (x, if crosses { self.stretch_y(y, height) } else { y + shift }))
                });
                let drawing = Drawing {
                    name: piece.drawing.name.clone(),
                    width: piece.drawing.width,
                    height: piece.drawing.height + (height - self.height).max(0.0),
                    shapes: shapes.collect(),
                };
                ArtPiece { drawing: Arc::new(drawing), when: piece.when }
            });
            Arc::new(pieces.collect())
        };
        Arc::clone(known.entry(height.to_bits()).or_insert_with(stretch))
    }
}

/// Reads a template's flow; `None` if it has none.
pub fn prepare_flow(
    template: &Arc<Template>,
    panels: &[PreparedPanel],
    texts: &Arc<PreparedTexts>,
    ruleset: &Ruleset,
    findings: &mut CappedFindings,
) -> Option<PageFlow> {
    let mut reader = FlowReader { template, ruleset, findings };
    let mut nodes: Vec<Option<FlowNode>> = template.flows.iter().map(|flow| reader.flow(flow)).collect();
    let mut owns_panel = vec![false; panels.len()];
    let mut owns_slot = vec![false; template.slots.len()];
    let flow_rects: Vec<Option<Rect>> = nodes.iter().map(|node| node.as_ref().map(|node| node.rect)).collect();
    let flow_of = |rect: Rect, except: Option<usize>| {
        smallest(flow_rects.iter().enumerate().filter_map(|(n, flow)| {
            let flow = (*flow)?;
            (Some(n) != except && contains(flow, rect) && (except.is_none() || area(flow) > area(rect)))
                .then_some((n, flow))
        }))
    };
    let mut children: Vec<Vec<FlowNode>> = template.flows.iter().map(|_| Vec::new()).collect();
    // What lies in a block belongs to it; the art is shared out shape by shape.
    let mut art = template.art.clone();
    let mut blocks: Vec<(usize, FlowNode)> = Vec::new();
    for block in &template.blocks {
        let Some(flow) = flow_of(block.rect, None) else {
            reader.warn(
                block,
                "block-outside-a-flow",
                "is in no flow, so that nothing moves it",
                "put it in a rectangle labelled `flow: rows`",
            );
            continue;
        };
        let options = reader.block(block);
        let own_panels: Vec<usize> = (0..panels.len())
            .filter(|n| {
                !owns_panel[*n]
                    && contains(block.rect, panels[*n].rect)
                    && flow_of_panel_is_larger(&flow_rects, block.rect, panels[*n].rect)
            })
            .collect();
        own_panels.iter().for_each(|n| owns_panel[*n] = true);
        let own_slots: Vec<usize> = (0..texts.slots.len())
            .filter(|n| {
                let slot = &template.slots[texts.slots[*n].slot_index];
                !owns_slot[texts.slots[*n].slot_index] && contains(block.rect, Rect::new(slot.x, slot.y, 0.0, 0.0))
            })
            .collect();
        own_slots.iter().for_each(|n| owns_slot[texts.slots[*n].slot_index] = true);
        let own_art = take_art(&mut art, block.rect);
        let content = FlowBlock {
            rect: block.rect,
            panels: own_panels,
            slots: own_slots,
            art: Arc::new(BlockArt::new(own_art, block.rect)),
            texts: Arc::clone(texts),
        };
        let node = FlowNode { rect: block.rect, when: block.when, options, kind: FlowNodeKind::Block(content) };
        blocks.push((flow, node));
    }
    for (flow, node) in blocks {
        children[flow].push(node);
    }
    for (n, panel) in panels.iter().enumerate() {
        if owns_panel[n] {
            continue;
        }
        if let Some(flow) = flow_of(panel.rect, None) {
            owns_panel[n] = true;
            let (rect, when, options) = (panel.rect, panel.when, panel.panel.flow);
            children[flow].push(FlowNode { rect, when, options, kind: FlowNodeKind::Panel(n) });
        }
    }
    // From the innermost flow outwards: the smallest first.
    let mut order: Vec<usize> = (0..nodes.len()).filter(|n| nodes[*n].is_some()).collect();
    order.sort_by(|a, b| area(template.flows[*a].rect).total_cmp(&area(template.flows[*b].rect)).then(b.cmp(a)));
    let mut roots = Vec::new();
    for n in order {
        let Some(mut node) = nodes[n].take() else { continue };
        let mut own = std::mem::take(&mut children[n]);
        node.adopt(&mut own);
        match flow_of(node.rect, Some(n)) {
            Some(outer) => children[outer].push(node),
            None => roots.push(node),
        }
    }
    if roots.is_empty() {
        return None;
    }
    let bottom = roots.iter().map(|root| root.rect.bottom()).fold(0.0, f32::max);
    let lowest = roots.iter().filter(|root| root.rect.bottom() > bottom - CROSSING);
    let top = lowest.map(|root| root.rect.y).fold(f32::MAX, f32::min);
    Some(PageFlow {
        roots,
        owns_panel,
        owns_slot,
        art,
        span: (top, bottom),
        height: template.height,
        stretched: Mutex::default(),
    })
}

/// Whether no flow lies between a block and a panel.
fn flow_of_panel_is_larger(flows: &[Option<Rect>], block: Rect, panel: Rect) -> bool {
    let inner = flows.iter().flatten().any(|flow| contains(*flow, panel) && area(*flow) < area(block));
    !inner
}

impl FlowNode {
    /// Takes its children, in the order in which they are drawn.
    fn adopt(&mut self, own: &mut Vec<Self>) {
        match &mut self.kind {
            FlowNodeKind::Rows { children, .. } => {
                own.sort_by(|a, b| a.rect.y.total_cmp(&b.rect.y));
                *children = std::mem::take(own);
            }
            FlowNodeKind::Columns { children, .. } => {
                own.sort_by(|a, b| a.rect.x.total_cmp(&b.rect.x));
                *children = std::mem::take(own);
            }
            FlowNodeKind::Balanced { children, .. } => {
                // By columns: what begins within a few millimetres of the left edge is in one.
                let column = |node: &Self| (node.rect.x / 8.0).round();
                own.sort_by(|a, b| column(a).total_cmp(&column(b)).then(a.rect.y.total_cmp(&b.rect.y)));
                *children = std::mem::take(own);
            }
            FlowNodeKind::Panel(_) | FlowNodeKind::Block(_) => {}
        }
    }
}

struct FlowReader<'a> {
    template: &'a Arc<Template>,
    ruleset: &'a Ruleset,
    findings: &'a mut CappedFindings,
}

impl FlowReader<'_> {
    fn flow(&mut self, flow: &PanelRect) -> Option<FlowNode> {
        let number = flow.argument.text.trim();
        let columns = number.parse::<usize>().ok().filter(|columns| (2..=MAX_COLUMNS).contains(columns));
        let FlowRectOptions { gap, stack_below } = self.with_args(flow, FlowRectOptions::LIST, FlowRectOptions::read);
        let children = Vec::new();
        let kind = match (&*flow.kind, columns) {
            ("rows", None) if number.is_empty() => FlowNodeKind::Rows { gap, children },
            ("columns", None) if number.is_empty() => FlowNodeKind::Columns { gap, stack_below, children },
            ("balance", Some(columns)) => FlowNodeKind::Balanced { gap, columns, children },
            _ => {
                let near = nearest(&flow.kind, ["rows", "columns", "balance"]);
                let help = match near {
                    Some("balance") => format!("write `flow: balance 2`; up to {MAX_COLUMNS} columns"),
                    Some(word) => format!("did you mean `flow: {word}`?"),
                    None => format!("write `flow: rows`, `flow: columns` or `flow: balance 2` (up to {MAX_COLUMNS})"),
                };
                self.findings.add(|| {
                    let found = Finding::error("unknown-flow", format!("“{}”: unknown kind of flow", flow.label));
                    found.help(help).at(self.template.source.place_with_snippet(flow.span))
                });
                return None;
            }
        };
        Some(FlowNode { rect: flow.rect, when: flow.when, options: FlowOptions::default(), kind })
    }

    fn block(&mut self, block: &PanelRect) -> FlowOptions {
        self.with_args(block, FlowPartOptions::LIST, FlowPartOptions::read).into()
    }

    fn with_args<T>(
        &mut self,
        rect: &PanelRect,
        known: &'static [PanelOption],
        read: impl FnOnce(&mut PanelArgs<'_>) -> T,
    ) -> T {
        let options = parse_options(&rect.options, self.template, &rect.label, self.findings);
        let mut args = PanelArgs {
            ruleset: self.ruleset,
            template: self.template,
            label: Arc::clone(&rect.label),
            argument: Vec::new(),
            argument_span: rect.span,
            options: &options,
            mapped: &rect.options,
            heading_context: SlotContext::Ship,
            findings: self.findings,
            compile_nested: crate::sheet::panels::compile_panel,
        };
        args.report_unknown_options(|| known.iter().map(|option| option.key));
        read(&mut args)
    }

    fn warn(&mut self, rect: &PanelRect, code: &'static str, what: &str, help: &str) {
        self.findings.add(|| {
            let found = Finding::warning(code, format!("“{}” {what}", rect.label));
            found.help(help).at(self.template.source.place_with_snippet(rect.span))
        });
    }
}

fn area(rect: Rect) -> f32 {
    rect.w * rect.h
}

/// Whether one rectangle contains another, but for a little at the edges.
fn contains(outer: Rect, inner: Rect) -> bool {
    inner.x > outer.x - CROSSING
        && inner.y > outer.y - CROSSING
        && inner.right() < outer.right() + CROSSING
        && inner.bottom() < outer.bottom() + CROSSING
}

fn smallest(all: impl Iterator<Item = (usize, Rect)>) -> Option<usize> {
    all.min_by(|a, b| area(a.1).total_cmp(&area(b.1)).then(a.0.cmp(&b.0))).map(|(n, _)| n)
}

/// Takes the shapes in a rectangle out of the art.
fn take_art(art: &mut Vec<ArtPiece>, rect: Rect) -> Vec<ArtPiece> {
    let mut taken = Vec::new();
    for piece in art.iter_mut() {
        let (inside, outside): (Vec<Shape>, Vec<Shape>) =
            piece.drawing.shapes.iter().cloned().partition(|shape| contains(rect, bounds(shape)));
        if inside.is_empty() {
            continue;
        }
        let with = |shapes| Arc::new(Drawing { shapes, ..Drawing::clone(&piece.drawing) });
        taken.push(ArtPiece { drawing: with(inside), when: piece.when });
        piece.drawing = with(outside);
    }
    art.retain(|piece| !piece.drawing.shapes.is_empty());
    taken
}
