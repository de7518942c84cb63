//! Fills a page with its panels: takes a prepared template and a ship, puts the panels' contents into their rectangles
//! or into the page's flow, gives what did not fit, in order.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::conditions::condition_holds;
use super::flow_block::{BlockContent, BlockPanel, FlowBlock, draw_placed};
use super::page_flow::{FlowNode, FlowNodeKind, PanelHome};
use super::prepare::PreparedTemplate;
use super::prepared_panel::PreparedPanel;
use super::ship_view::ShipView;
use super::shown_parts::ShownParts;
use super::slots::SlotText;
use crate::sheet::layout::flow_group::FlowGroup;
use crate::sheet::layout::flow_layout::{FlowContent, FlowOptions, FlowPart, HitBoxes};
use crate::sheet::layout::flowable::{Flowable, SizeHint, VStack};
use crate::sheet::layout::joined_headings::join_headings;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::panels::panel::{PanelShows, REST_GAP};
use moldloft_drawing::scene::{MountArea, Rect};
use moldloft_rules::evaluate::SlotScope;

type Contents = Vec<Box<dyn Flowable>>;
/// A ship, and what its pages show of it so far.
type Shown<'a, 'b> = (&'a ShipView<'b>, &'a mut ShownParts);

/// Above what is below the panels of a flow, mm.
const BELOW_GAP: f32 = 2.5;

/// Draws a template's panels on a page of a height, mm; returns what did not fit, in order.
pub fn draw_panels(
    prepared: &PreparedTemplate,
    (view, shown): Shown<'_, '_>,
    height: f32,
    pen: &mut SheetPen,
) -> Contents {
    let filler =
        PageFiller { prepared, view, shown, is_continuation: false, remaining: None, below: None, coming: &[] };
    filler.draw(height, pen)
}

/// The logs that a template has for a ship in any case, by their names.
pub fn due_logs(prepared: &PreparedTemplate, view: &ShipView<'_>, styles: &TextStyles) -> Vec<Arc<str>> {
    let is_due = |placed: &&PreparedPanel| {
        !placed.panel.flow.is_optional
            && condition_holds(prepared, view, styles, placed.when)
            && placed.panel.holds(view)
    };
    let due = prepared.panels.iter().filter(is_due);
    due.filter_map(|placed| placed.panel.panel.log()).map(|(name, _)| Arc::clone(name)).collect()
}

/// Draws a template's panels and, below those of its highest flow, a further content.
pub fn draw_panels_and(
    below: Box<dyn Flowable>,
    prepared: &PreparedTemplate,
    (view, shown): Shown<'_, '_>,
    height: f32,
    pen: &mut SheetPen,
) -> Contents {
    let below = Some(below);
    PageFiller { prepared, view, shown, is_continuation: false, remaining: None, below, coming: &[] }.draw(height, pen)
}

/// Draws what remained of earlier pages on a continuation page of a size, mm, with logs among it; returns whether any
/// of it was drawn, and what remains.
pub fn draw_remaining(
    continuation: Option<&PreparedTemplate>,
    (view, shown): Shown<'_, '_>,
    size: (f32, f32),
    (parts, logs): (Contents, &[Arc<str>]),
    pen: &mut SheetPen,
) -> (bool, Contents) {
    let drawn = Arc::new(AtomicBool::new(false));
    // Joined contents are measured whole on each page: only where a flow takes them whole, too.
    let flows = continuation.is_some_and(|prepared| prepared.flow.is_some());
    let parts = if flows { join_headings(parts) } else { parts };
    let gap = continuation.and_then(|prepared| prepared.panels.iter().find_map(|n| n.panel.panel.leftovers_gap()));
    let stack = Box::new(VStack::new(parts, gap.unwrap_or(REST_GAP), true));
    let content: Box<dyn Flowable> = Box::new(Watched { content: stack, drawn: Arc::clone(&drawn) });
    let rest: Contents = match continuation {
        Some(prepared) if prepared.flow.is_some() => {
            let remaining = Some(content);
            PageFiller { prepared, view, shown, is_continuation: true, remaining, below: None, coming: logs }
                .draw(size.1, pen)
        }
        // Without a flow, a continuation page shows only what remained.
        _ => {
            let panels = continuation.iter().flat_map(|prepared| &prepared.panels);
            let area = panels.filter(|placed| placed.panel.panel.takes_leftovers()).map(|placed| placed.rect).next();
            content.draw(area.unwrap_or(default_area(size)), pen).into_iter().collect()
        }
    };
    // The parts, not the stack of them: otherwise the stack of each page would contain that of the page before, to be
    // measured again at every depth.
    (drawn.load(Ordering::Relaxed), rest.into_iter().flat_map(split_content).collect())
}

/// The content area of a continuation page without a template.
fn default_area((width, height): (f32, f32)) -> Rect {
    Rect::new(9.0, 24.0, width - 18.0, height - 34.0)
}

/// The parts of a content, or the content itself.
fn split_content(mut content: Box<dyn Flowable>) -> Contents {
    let parts = content.take_parts();
    if parts.is_empty() { vec![content] } else { parts }
}

/// Notes whether a content draws anything.
#[derive(Debug)]
struct Watched {
    content: Box<dyn Flowable>,
    drawn: Arc<AtomicBool>,
}

impl Flowable for Watched {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        self.content.measure(width, styles)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let before = pen.items.len();
        let rest = self.content.draw(rect, pen);
        if pen.items.len() > before {
            self.drawn.store(true, Ordering::Relaxed);
        }
        rest
    }

    fn allow_split(&mut self) -> bool {
        self.content.allow_split()
    }

    fn take_parts(&mut self) -> Contents {
        self.content.take_parts()
    }
}

struct PageFiller<'a, 'b> {
    prepared: &'a PreparedTemplate,
    view: &'a ShipView<'b>,
    shown: &'a mut ShownParts,
    /// On a continuation page, panels other than `panel: rest` use the room that it leaves, and show no boxes: those are
    /// printed once.
    is_continuation: bool,
    /// What remained of earlier pages, until a panel takes it.
    remaining: Option<Box<dyn Flowable>>,
    /// A content below the panels of the highest flow, until that is drawn.
    below: Option<Box<dyn Flowable>>,
    /// Logs among what remained: none of the page's own continues them on it.
    coming: &'a [Arc<str>],
}

impl PageFiller<'_, '_> {
    fn draw(mut self, height: f32, pen: &mut SheetPen) -> Contents {
        let flow = self.prepared.flow.as_ref();
        let mut rest = Vec::new();
        let mut placed = Vec::new();
        for (n, panel) in self.prepared.panels.iter().enumerate() {
            if flow.is_some_and(|flow| flow.owned.panels[n] != PanelHome::Page) {
                continue;
            }
            let rect = flow.map_or(panel.rect, |flow| flow.stretch_rect(panel.rect, height));
            if let Some(mount) = self.shown_mount(n, pen) {
                for area in self.mount_rects(n, rect) {
                    pen.note_mount_area(Arc::clone(&mount), area);
                }
            }
            let Some(content) = self.content(n, pen) else { continue };
            if self.is_deferred(n) {
                rest.push((n, content));
            } else {
                placed.push((n, BlockPanel { rect, ..self.placed_panel(n, content) }));
            }
        }
        let (indexes, placed): (Vec<usize>, Vec<BlockPanel>) = placed.into_iter().unzip();
        rest.extend(draw_placed(placed, pen).into_iter().map(|(n, content)| (indexes[n], content)));
        rest.sort_by_key(|(n, _)| *n);
        let mut rest: Contents = rest.into_iter().map(|(_, content)| content).collect();
        let mut deferred = Vec::new();
        let roots: Vec<(Rect, &FlowNode)> = flow
            .iter()
            .flat_map(|flow| flow.roots.iter().map(|root| (flow.stretch_rect(root.rect, height), root)))
            .collect();
        let highest = roots.iter().map(|(rect, _)| rect.h).fold(0.0, f32::max);
        for (rect, root) in roots {
            let Some(mut part) = self.part(root, rect.w, pen, &mut deferred) else { continue };
            if let Some(below) = self.below.take_if(|_| rect.h >= highest) {
                let below = FlowPart::Content(FlowContent::new(below, FlowOptions::default()));
                part = FlowPart::Rows { gap: BELOW_GAP, parts: vec![part, below] };
            }
            rest.extend(part.draw(rect, pen));
        }
        rest.extend(deferred);
        rest.extend(self.below);
        rest.extend(self.remaining);
        rest
    }

    /// The content of a panel, by its index; `None` if it shows nothing.
    fn content(&mut self, n: usize, pen: &SheetPen) -> Option<Box<dyn Flowable>> {
        let panel = &self.prepared.panels[n];
        if !condition_holds(self.prepared, self.view, &pen.styles, panel.when) {
            return None;
        }
        if panel.panel.panel.takes_leftovers() {
            return self.remaining.take();
        }
        let continues = |(_, after): (_, &[Arc<str>])| after.iter().any(|name| self.coming.contains(name));
        let is_coming = panel.panel.panel.log().is_some_and(continues);
        if self.is_continuation && (is_coming || panel.panel.panel.shows() == PanelShows::Boxes) {
            return None;
        }
        panel.panel.content(self.view, self.shown)
    }

    /// The mount whose place a panel is, whether or not the ship has something in it.
    fn shown_mount(&self, n: usize, pen: &SheetPen) -> Option<Arc<str>> {
        let PreparedPanel { panel, when, .. } = &self.prepared.panels[n];
        let is_asked = self.view.options.maps_mounts && !self.is_continuation && !panel.deferred;
        let mount = panel.panel.mount().filter(|_| is_asked)?;
        let focus = SlotScope::default();
        let holds = panel.when.as_ref().is_none_or(|when| self.view.condition_holds(when, &focus))
            && condition_holds(self.prepared, self.view, &pen.styles, *when);
        let known = self.view.evaluation.mounts.iter().find(|known| *known.id == *mount && known.applies);
        known.filter(|_| holds).map(|known| Arc::clone(&known.id))
    }

    /// Where a panel's mount is found in its rectangle: within its outline, if it has one.
    fn mount_rects(&self, n: usize, rect: Rect) -> Vec<Rect> {
        let outline = self.prepared.panels[n].panel.outline.as_ref();
        outline.map_or_else(|| vec![rect], |outline| outline.strips(rect))
    }

    fn placed_panel(&self, n: usize, content: Box<dyn Flowable>) -> BlockPanel {
        let PreparedPanel { panel, rect, .. } = &self.prepared.panels[n];
        BlockPanel {
            rect: *rect,
            group: panel.group.clone(),
            is_underlay: panel.panel.is_underlay(),
            is_confined: self.is_confined(n),
            content,
        }
    }

    /// Whether a panel waits for a further page; on a continuation page it would do so on each.
    fn is_deferred(&self, n: usize) -> bool {
        self.prepared.panels[n].panel.deferred && !self.is_continuation
    }

    /// Whether a panel is never continued on a further page.
    fn is_confined(&self, n: usize) -> bool {
        self.is_continuation && !self.prepared.panels[n].panel.panel.takes_leftovers()
    }

    /// How a part with these panels behaves on this page.
    fn options_here(&self, options: FlowOptions, panels: &[usize]) -> FlowOptions {
        if !self.is_continuation {
            let boxes = panels.iter().map(|n| self.prepared.panels[*n].panel.flow.boxes).max().unwrap_or_default();
            return FlowOptions { boxes, ..options };
        }
        let is_confined = panels.iter().all(|n| self.is_confined(*n));
        FlowOptions { move_order: None, is_optional: is_confined, boxes: HitBoxes::None, is_confined, ..options }
    }

    /// A part of the flow at a width; contents for the next page are put into `deferred`.
    fn part(&mut self, node: &FlowNode, width: f32, pen: &SheetPen, deferred: &mut Contents) -> Option<FlowPart> {
        if !condition_holds(self.prepared, self.view, &pen.styles, node.when) {
            return None;
        }
        let is_stacked = matches!(&node.kind, FlowNodeKind::Columns { stack_below, .. }
            if width < stack_below * pen.styles.minimums.scale);
        let part = match &node.kind {
            FlowNodeKind::Panel(n) => {
                let content = self.content(*n, pen)?;
                if self.is_deferred(*n) {
                    deferred.push(content);
                    return None;
                }
                FlowPart::Content(FlowContent::new(content, self.options_here(node.options, &[*n])))
            }
            FlowNodeKind::Block(block) => {
                let content = Box::new(self.block(block, node.options, pen));
                // Its heights come from its own options.
                let options = self.options_here(node.options, &block.panels);
                let options = FlowOptions { least: None, most: None, is_bare: block.panels.is_empty(), ..options };
                FlowPart::Content(FlowContent::new(content, options))
            }
            FlowNodeKind::Rows { gap, children } => {
                let parts = children.iter().filter_map(|child| self.part(child, width, pen, deferred)).collect();
                FlowPart::Rows { gap: *gap, parts }
            }
            FlowNodeKind::Balanced { gap, columns, children } => {
                let parts = children.iter().filter_map(|child| self.part(child, width, pen, deferred)).collect();
                FlowPart::Balanced { gap: *gap, columns: *columns, parts }
            }
            FlowNodeKind::Columns { gap, children, .. } => {
                // Stacked, each has the whole width.
                let of = |child: &FlowNode| if is_stacked { width } else { child.rect.w };
                let parts = children
                    .iter()
                    .filter_map(|child| Some((child.rect.w, self.part(child, of(child), pen, deferred)?)));
                let parts: Vec<_> = parts.collect();
                if is_stacked {
                    FlowPart::Rows { gap: *gap, parts: parts.into_iter().map(|(_, part)| part).collect() }
                } else {
                    FlowPart::Columns { gap: *gap, parts }
                }
            }
        };
        if part.is_empty() {
            return None;
        }
        let order = node.options.move_order.filter(|_| !self.is_continuation);
        Some(match (order, part) {
            (Some(_), part @ FlowPart::Content(_)) | (None, part) => part,
            // Columns that are put one under another for want of width may be on different pages.
            (Some(order), mut part) if is_stacked => {
                part.move_contents(order);
                part
            }
            (Some(_), part) => {
                let options = FlowOptions { boxes: part.boxes(), ..node.options };
                FlowPart::Content(FlowContent::new(Box::new(FlowGroup { part, may_split: false }), options))
            }
        })
    }

    fn block(&mut self, block: &FlowBlock, options: FlowOptions, pen: &SheetPen) -> BlockContent {
        let (prepared, view) = (self.prepared, self.view);
        let focus = SlotScope { page: Some((1, 1)), ..SlotScope::default() };
        let holds = |when| condition_holds(prepared, view, &pen.styles, when);
        let texts = block.slots.iter().map(|n| (*n, &prepared.texts.slots[*n]));
        let texts = texts
            .filter(|(_, filled)| holds(prepared.template.slots[filled.slot_index].when))
            .map(|(n, filled)| SlotText::new(filled, &prepared.template, view.slot_text(filled, &focus), n, 1))
            .collect();
        let drawn = block.art.pieces().iter().map(|piece| holds(piece.when)).collect();
        let shown = block.panels.iter().filter_map(|n| Some((*n, self.shown_mount(*n, pen)?)));
        let areas = shown.flat_map(|(n, mount)| {
            let rects = self.mount_rects(n, prepared.panels[n].rect);
            rects.into_iter().map(move |rect| MountArea { mount: Arc::clone(&mount), rect })
        });
        let mount_areas = areas.collect();
        let (mut panels, mut empty) = (Vec::new(), Vec::new());
        for n in block.panels.iter().copied() {
            let placed = &prepared.panels[n];
            match self.content(n, pen) {
                Some(content) => panels.push(self.placed_panel(n, content)),
                None if holds(placed.when) && placed.panel.holds(view) => empty.push(placed.rect),
                None => {}
            }
        }
        BlockContent {
            rect: block.rect,
            options,
            panels,
            empty,
            mount_areas,
            texts,
            notes_texts: !self.is_continuation,
            keeps_form: block.panels.iter().any(|n| self.prepared.panels[*n].panel.outline.is_some()),
            may_split: false,
            drawn,
            art: Arc::clone(&block.art),
            page: prepared.size(),
            known_hints: RefCell::default(),
        }
    }
}
