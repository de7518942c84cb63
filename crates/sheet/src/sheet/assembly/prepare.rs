//! Prepares a template: takes a template and a ruleset, gives its texts, conditions and panels compiled once for a
//! whole job, with findings.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use super::page_flow::{PageFlow, PanelHome};
use super::prepare_flow::prepare_flow;
use super::prepared_panel::PreparedPanel;
use super::prepared_texts::{PreparedTexts, parse_options, prepare_texts};
use crate::sheet::layout::box_layout::{self, BoxGaps, BoxLayoutRequest, RowFlow};
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::layout::outline::Outline;
use crate::sheet::panels::compile_panel;
use crate::sheet::panels::panel_args::PanelArgs;
use moldloft_base::finding::Finding;
use moldloft_drawing::art::{CappedFindings, Template};
use moldloft_rules::ruleset::{Ruleset, SlotContext};

/// A template ready to be filled.
pub struct PreparedTemplate {
    pub template: Arc<Template>,
    pub texts: Arc<PreparedTexts>,
    pub panels: Vec<PreparedPanel>,
    /// How the page flows, if it does.
    pub flow: Option<PageFlow>,
}

pub fn prepare_template(template: &Arc<Template>, ruleset: &Ruleset) -> (PreparedTemplate, Vec<Finding>) {
    prepare_template_within(template, ruleset, &SlotContext::Ship)
}

/// For a template about something on board, such as a counter's face.
pub fn prepare_template_within(
    template: &Arc<Template>,
    ruleset: &Ruleset,
    within: &SlotContext,
) -> (PreparedTemplate, Vec<Finding>) {
    let mut findings = CappedFindings::default();
    let texts = prepare_texts(template, ruleset, within, &mut findings);
    let panels: Vec<PreparedPanel> = template
        .panels
        .iter()
        .filter_map(|panel| {
            let options = parse_options(&panel.options, template, &panel.label, &mut findings);
            let args = PanelArgs {
                ruleset,
                template,
                label: Arc::clone(&panel.label),
                argument: panel.argument.text.split_whitespace().map(Arc::from).collect(),
                argument_span: if panel.argument.is_empty() { panel.span } else { panel.argument.span() },
                options: &options,
                mapped: &panel.options,
                heading_context: SlotContext::Ship,
                findings: &mut findings,
                compile_nested: compile_panel,
            };
            let mut compiled = compile_panel(&panel.kind, args)?;
            compiled.outline = panel.outline.as_ref().and_then(|points| Outline::new(points.to_vec()));
            Some(PreparedPanel {
                panel: compiled,
                rect: panel.rect,
                when: panel.when,
                kind: Arc::clone(&panel.kind),
                span: panel.span,
            })
        })
        .collect();
    let texts = Arc::new(texts);
    let flow = prepare_flow(template, &panels, &texts, ruleset, &mut findings);
    (PreparedTemplate { template: Arc::clone(template), texts, panels, flow }, findings.into_vec())
}

/// How many boxes a panel's rectangle holds at the minimum size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelCapacity {
    /// `panel: track structure`.
    pub label: Arc<str>,
    /// Tick boxes of 3 mm, in fives.
    pub boxes: u32,
}

/// Tracks that a sheet's panels show, by their ids and by `ID_REST` where a panel names one instance.
pub struct ShownTracks(BTreeSet<Arc<str>>);

impl ShownTracks {
    /// Whether a track, or one of its instances, is shown.
    pub fn contains(&self, id: &str) -> bool {
        let of_it = format!("{id}_");
        let mut after = self.0.range::<str, _>((Bound::Included(&*of_it), Bound::Unbounded));
        self.0.contains(id) || after.next().is_some_and(|next| next.starts_with(&of_it))
    }
}

impl PreparedTemplate {
    /// Width and height, mm.
    pub fn size(&self) -> (f32, f32) {
        (self.template.width, self.template.height)
    }

    /// The panels with boxes that keep their rectangles or stretch with their blocks, each with its greatest height in
    /// mm: in a flow they get the height that they need.
    pub fn fixed_box_panels(&self) -> impl Iterator<Item = (&PreparedPanel, f32)> {
        let home = |n: usize| self.flow.as_ref().map_or(PanelHome::Page, |flow| flow.owned.panels[n]);
        let panels = self.panels.iter().enumerate().filter(|(_, placed)| has_boxes(placed));
        panels.filter_map(move |(n, placed)| match home(n) {
            PanelHome::Flow => None,
            PanelHome::Page => Some((placed, placed.rect.h)),
            PanelHome::Block { max_stretch } => Some((placed, placed.rect.h * max_stretch)),
        })
    }

    /// Of the panels with boxes that are not in a flow.
    pub fn panel_capacities(&self) -> Vec<PanelCapacity> {
        let minimums = MinimumSizes::default();
        self.fixed_box_panels()
            .map(|(placed, height)| {
                let heading = minimums.text * 1.3;
                // More boxes than it has room for, and so many that all lines are full.
                let (across, down) = (placed.rect.w / minimums.tick_box, height / minimums.tick_box);
                let rows = [((across * across.max(down)) as u32).min(100_000) + 1];
                let request = BoxLayoutRequest {
                    rows: &rows,
                    width: placed.rect.w,
                    height: height - heading,
                    min_side: minimums.tick_box,
                    max_side: minimums.tick_box,
                    aspect: 1.0,
                    min_width: 0.0,
                    flow: RowFlow::Start,
                    down: false,
                    gaps: BoxGaps::default(),
                    companions: &[],
                    min_companion: 0.0,
                };
                let fitted = box_layout::lay_out_boxes(&request);
                PanelCapacity { label: Arc::clone(&placed.panel.label), boxes: fitted.corners.len() as u32 }
            })
            .collect()
    }

    pub fn shown_tracks(&self) -> ShownTracks {
        ShownTracks(self.panels.iter().flat_map(|placed| placed.panel.panel.tracks().to_vec()).collect())
    }

    /// Whether a panel shows a drawing of this name.
    pub fn shows_file(&self, file: &str) -> bool {
        self.panels.iter().any(|placed| placed.panel.panel.files().iter().any(|name| **name == *file))
    }

    /// Whether a player writes a log of the turns on it.
    pub fn has_log(&self) -> bool {
        self.panels.iter().any(|placed| placed.panel.panel.is_log())
    }

    /// Whether it has room for what a ship does to its enemies.
    pub fn shows_odds(&self) -> bool {
        self.panels.iter().any(|placed| placed.panel.panel.shows_odds())
    }

    /// Its logs that continue others: the name of each, and the names of those that it continues.
    pub fn continued_logs(&self) -> impl Iterator<Item = (&Arc<str>, &[Arc<str>])> {
        self.panels.iter().filter_map(|placed| placed.panel.panel.log()).filter(|(_, after)| !after.is_empty())
    }

    /// Whether a panel takes what did not fit elsewhere.
    pub fn takes_leftovers(&self) -> bool {
        self.panels.iter().any(|placed| placed.panel.panel.takes_leftovers())
    }
}

fn has_boxes(placed: &PreparedPanel) -> bool {
    matches!(&*placed.kind, "track" | "mount" | "counter" | "stack")
}
