//! Reads a template's flow: takes its rectangles labelled `flow:` and `block:`, its panels, texts and art, gives the tree
//! of rows, columns and blocks with what is in each. Everything belongs to the smallest flow or block that holds it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::flow_block::{FlowBlock, MIN_SIDE};
use super::page_flow::{CROSSING, FlowNode, FlowNodeKind, OwnedParts, PageFlow, PanelHome};
use super::prepared_panel::PreparedPanel;
use super::prepared_texts::{PreparedTexts, parse_options};
use super::stretch::{ResizableArt, bounds};
use crate::sheet::layout::flow_layout::FlowOptions;
use crate::sheet::panels::common_options::{FlowPartOptions, FlowRectOptions};
use crate::sheet::panels::panel_args::PanelArgs;
use crate::sheet::panels::panel_options::PanelOption;
use moldloft_base::finding::{Finding, nearest};
use moldloft_drawing::art::{ArtPiece, CappedFindings, PanelRect, Template};
use moldloft_drawing::scene::{Drawing, Rect, Shape};
use moldloft_rules::ruleset::{Ruleset, SlotContext};

const MAX_COLUMNS: usize = 6;
/// Further flows and blocks of a template are ignored; its own sheets have at most a dozen of each.
const MAX_FLOWS: usize = 60;
const MAX_BLOCKS: usize = 60;
/// Flows, blocks and panels in flows; further panels keep the place where they are drawn.
const MAX_PARTS: usize = 300;
/// Flows in flows.
const MAX_DEPTH: usize = 8;

/// A flow or block of the template.
struct Container {
    /// Without children; a block without what is in it.
    node: FlowNode,
    /// Index of the flow around it; `None` for a root.
    outer: Option<usize>,
    /// How many flows are around it.
    depth: usize,
    /// Area, mm²; a flow counts as at least as large as each block in it.
    size: f32,
    /// Index in the template's flows or blocks.
    n: usize,
}

impl Container {
    fn is_block(&self) -> bool {
        matches!(self.node.kind, FlowNodeKind::Block(_))
    }
}

/// Reads a template's flow; `None` if it has none.
pub fn prepare_flow(
    template: &Template,
    panels: &[PreparedPanel],
    texts: &PreparedTexts,
    ruleset: &Ruleset,
    findings: &mut CappedFindings,
) -> Option<PageFlow> {
    if template.flows.is_empty() && template.blocks.is_empty() {
        return None;
    }
    let mut reader = FlowReader { template, ruleset, findings };
    let mut containers = reader.containers();
    if containers.is_empty() {
        return None;
    }
    let mut children: Vec<Vec<FlowNode>> = containers.iter().map(|_| Vec::new()).collect();
    let mut owned =
        OwnedParts { panels: vec![PanelHome::Page; panels.len()], slots: vec![false; template.slots.len()] };
    let mut parts = containers.len();
    for (n, panel) in panels.iter().enumerate() {
        let Some(at) = container_of(&containers, panel.rect) else { continue };
        parts += 1;
        if parts > MAX_PARTS {
            reader.findings.add(|| {
                let found = format!("“{}” is not moved: the limit is {MAX_PARTS} parts of flows", panel.panel.label);
                let found = Finding::error("too-many-flow-parts", found).help("use fewer panels, or `panel: stack`");
                found.at(template.source.place_with_snippet(panel.span))
            });
            continue;
        }
        let (rect, when, options) = (panel.rect, panel.when, panel.panel.flow);
        let node = &mut containers[at].node;
        let greatest = node.options.most.or(node.options.least).unwrap_or(node.rect.h);
        let max_stretch = greatest.max(node.options.least.unwrap_or(0.0)) / node.rect.h.max(MIN_SIDE);
        match &mut node.kind {
            FlowNodeKind::Block(block) => {
                owned.panels[n] = PanelHome::Block { max_stretch };
                block.panels.push(n);
            }
            _ => {
                owned.panels[n] = PanelHome::Flow;
                children[at].push(FlowNode { rect, when, options, kind: FlowNodeKind::Panel(n) });
            }
        }
    }
    for (n, filled) in texts.slots.iter().enumerate() {
        let slot = &template.slots[filled.slot_index];
        let Some(at) = container_of(&containers, Rect::new(slot.x, slot.y, 0.0, 0.0)) else { continue };
        let rect = containers[at].node.rect;
        match &mut containers[at].node.kind {
            FlowNodeKind::Block(block) => {
                block.slots.push(n);
                owned.slots[filled.slot_index] = true;
            }
            _ if contains(rect.inset(2.0 * CROSSING), Rect::new(slot.x, slot.y, 0.0, 0.0)) => {
                reader.findings.add(|| {
                    let found = format!("{} is in a flow, but in no block, so that nothing moves it", slot.name());
                    let help = "put it into a rectangle labelled `block: NAME`, or outside the flow";
                    let found = Finding::warning("text-outside-a-block", found).help(help);
                    found.at(template.source.place_with_snippet(slot.span))
                });
            }
            _ => {}
        }
    }
    let (art, mut art_of_blocks) = share_out_art(&template.art, &containers);
    let mut roots = Vec::new();
    // From the inside outwards: what is around something comes before it.
    while let (Some(Container { mut node, outer, .. }), Some(own)) = (containers.pop(), children.pop()) {
        if let FlowNodeKind::Block(block) = &mut node.kind {
            let own_art = art_of_blocks.remove(&containers.len()).unwrap_or_default();
            block.art = Arc::new(ResizableArt::new(own_art, (node.rect.w, node.rect.h)));
        }
        node.adopt(own);
        match outer {
            Some(outer) => children[outer].push(node),
            None => roots.push(node),
        }
    }
    Some(PageFlow::new(roots, owned, art, (template.width, template.height)))
}

/// The smallest flow or block that holds a rectangle, among some that are sorted from the outside inwards.
fn container_of(containers: &[Container], rect: Rect) -> Option<usize> {
    containers.iter().rposition(|container| contains(container.node.rect, rect))
}

/// The art outside blocks, and that of each block by its index, shape by shape.
fn share_out_art(art: &[ArtPiece], containers: &[Container]) -> (Vec<ArtPiece>, BTreeMap<usize, Vec<ArtPiece>>) {
    let block_of = |shape: &Shape| container_of(containers, bounds(shape)).filter(|at| containers[*at].is_block());
    let mut outside = Vec::new();
    let mut of_blocks: BTreeMap<usize, Vec<ArtPiece>> = BTreeMap::new();
    for piece in art {
        let mut shapes: BTreeMap<Option<usize>, Vec<Shape>> = BTreeMap::new();
        for shape in &piece.drawing.shapes {
            shapes.entry(block_of(shape)).or_default().push(shape.clone());
        }
        for (block, shapes) in shapes {
            let drawing = Arc::new(Drawing {
                name: piece.drawing.name.clone(),
                width: piece.drawing.width,
                height: piece.drawing.height,
                picture: None,
                shapes,
            });
            let piece = ArtPiece { drawing, when: piece.when };
            match block {
                Some(block) => of_blocks.entry(block).or_default().push(piece),
                None => outside.push(piece),
            }
        }
    }
    (outside, of_blocks)
}

struct FlowReader<'a> {
    template: &'a Template,
    ruleset: &'a Ruleset,
    findings: &'a mut CappedFindings,
}

impl FlowReader<'_> {
    /// The flows and blocks, sorted from the outside inwards; those that cannot be used are reported.
    fn containers(&mut self) -> Vec<Container> {
        let template = self.template;
        let mut all = Vec::new();
        self.report_beyond(&template.blocks, MAX_BLOCKS, "too-many-blocks", "blocks");
        self.report_beyond(&template.flows, MAX_FLOWS, "too-many-flows", "flows");
        for (n, block) in template.blocks.iter().enumerate().take(MAX_BLOCKS) {
            let kind = FlowNodeKind::Block(FlowBlock::empty(block.rect));
            let node = FlowNode { rect: block.rect, when: block.when, options: self.block_options(block), kind };
            all.push(Container { node, outer: None, depth: 0, size: area(block.rect), n });
        }
        for (n, flow) in template.flows.iter().enumerate().take(MAX_FLOWS) {
            let Some(node) = self.flow(flow) else { continue };
            // A block drawn a little larger than its flow is in it nevertheless.
            let blocks = template.blocks.iter().take(MAX_BLOCKS).filter(|block| contains(flow.rect, block.rect));
            let size = blocks.map(|block| area(block.rect)).fold(area(flow.rect), f32::max);
            all.push(Container { node, outer: None, depth: 0, size, n });
        }
        // Of rectangles of one size, blocks are inside flows, and later ones inside earlier ones.
        all.sort_by(|a, b| b.size.total_cmp(&a.size).then(a.is_block().cmp(&b.is_block())).then(a.n.cmp(&b.n)));
        let mut kept: Vec<Container> = Vec::new();
        for mut container in all {
            container.outer = container_of(&kept, container.node.rect);
            container.depth = container.outer.map_or(0, |outer| kept[outer].depth + 1);
            let is_in_block = container.outer.is_some_and(|outer| kept[outer].is_block());
            match (container.is_block(), container.outer) {
                (true, None) => {
                    let what = "is in no flow, so that nothing moves it";
                    let help = "put it in a rectangle labelled `flow: rows`";
                    self.warn(&template.blocks[container.n], "block-outside-a-flow", what, help);
                }
                (true, _) if is_in_block => {
                    let what = "is in another block, with which it moves as a whole: it has no effect";
                    let help = "remove it, or divide the other block";
                    self.warn(&template.blocks[container.n], "block-in-a-block", what, help);
                }
                (false, _) if is_in_block => {
                    let what = "is in a block, in which everything keeps its place: it has no effect";
                    let help = "remove it, or remove the block around it";
                    self.warn(&template.flows[container.n], "flow-in-a-block", what, help);
                }
                (false, _) if container.depth >= MAX_DEPTH => {
                    let flow = &template.flows[container.n];
                    self.findings.add(|| {
                        let found = format!("“{}” is ignored: it is in {} flows", flow.label, container.depth);
                        let help = format!("use at most {MAX_DEPTH} flows inside one another");
                        let found = Finding::error("flow-too-deep", found).help(help);
                        found.at(template.source.place_with_snippet(flow.span))
                    });
                }
                _ => kept.push(container),
            }
        }
        kept
    }

    /// Reports the rectangles beyond a limit.
    fn report_beyond(&mut self, rects: &[PanelRect], most: usize, code: &'static str, what: &str) {
        for rect in rects.iter().skip(most) {
            self.findings.add(|| {
                let found = format!("“{}” is ignored: the limit is {most} {what} in a template", rect.label);
                let found = Finding::error(code, found).help(format!("use fewer {what}"));
                found.at(self.template.source.place_with_snippet(rect.span))
            });
        }
    }

    fn flow(&mut self, flow: &PanelRect) -> Option<FlowNode> {
        let number = flow.argument.text.trim();
        let columns = number.parse::<usize>().ok().filter(|columns| (2..=MAX_COLUMNS).contains(columns));
        let FlowRectOptions { gap, stack_below, move_order } =
            self.with_args(flow, FlowRectOptions::LIST, FlowRectOptions::read);
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
        let options = FlowOptions { move_order, ..FlowOptions::default() };
        Some(FlowNode { rect: flow.rect, when: flow.when, options, kind })
    }

    fn block_options(&mut self, block: &PanelRect) -> FlowOptions {
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
        args.report_unknown_options(&[], || known.iter().map(|option| option.key));
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
