//! A fleet's own pages: takes a roster, gives the pages of its roster sheet, its summary or its order logs, from the
//! ruleset's templates or, without those, from the ones shared by all games. What does not fit continues on further
//! pages.

use std::sync::Arc;

use super::fleet_roster::Roster;
use super::sheet_plan::SheetPlan;
use super::ship_pages;
use super::ship_view::ShipView;
use super::template_cache::TemplateCache;
use super::unit_names;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::finding::Finding;
use moldloft_drawing::scene::{Page, PrintedUnit};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::SheetKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FleetPage {
    /// Its ships and their cost.
    Roster,
    /// What an opponent gets to see.
    Summary,
    /// Lines for orders.
    Log,
}

impl FleetPage {
    fn sheet_kind(self) -> SheetKind {
        match self {
            Self::Roster => SheetKind::Roster,
            Self::Summary => SheetKind::Summary,
            Self::Log => SheetKind::Log,
        }
    }

    /// The name that prefixes its fields, among the fleet's units.
    fn unit_key(self) -> &'static str {
        match self {
            Self::Roster => "fleet-roster",
            Self::Summary => "fleet-summary",
            Self::Log => "fleet-log",
        }
    }

    /// The template for rulesets without one of their own.
    fn default_template(self) -> &'static str {
        match self {
            Self::Roster => "fleet/roster.svg",
            Self::Summary => "fleet/summary.svg",
            Self::Log => "fleet/log.svg",
        }
    }
}

/// For the continuation of a fleet's page.
const CONTINUATION_TEMPLATE: &str = "fleet/more.svg";

pub struct FleetJob<'a> {
    pub roster: &'a Roster<'a>,
    /// Source of the templates.
    pub templates: &'a TemplateCache<'a>,
    pub options: SheetOptions,
}

/// Lays out a page for each of the ruleset's sheets of that kind, with continuation pages.
pub fn lay_out_fleet_page(job: &FleetJob<'_>, page: FleetPage) -> (Vec<Page>, Vec<Finding>) {
    let ruleset = &job.roster.ruleset;
    let evaluation = Evaluation::for_fleet(ruleset, job.roster.facts.clone());
    let declared: Vec<&str> =
        ruleset.sheets.iter().filter(|sheet| sheet.kind == page.sheet_kind()).map(|sheet| &*sheet.template).collect();
    let names = if declared.is_empty() { vec![page.default_template()] } else { declared };
    let minimums = job.options.minimum_sizes();
    let (mut pages, mut findings) = (Vec::new(), Vec::new());
    for (n, name) in names.into_iter().enumerate() {
        let plan = SheetPlan::new(name, Some(CONTINUATION_TEMPLATE), job.templates, ruleset, &job.options);
        let Some(plan) = plan else {
            let message = format!("{}: cannot use the template {name}", job.roster.facts.name);
            findings.push(Finding::error("no-template", message));
            continue;
        };
        let fleet = &job.roster.facts.name;
        let unit = Arc::new(PrintedUnit {
            key: if n == 0 { page.unit_key().into() } else { format!("{}-{}", page.unit_key(), n + 1).into() },
            title: page.unit_key().replace('-', " ").into(),
            fleet: unit_names::unit_slug(fleet).into(),
            fleet_title: Arc::clone(fleet),
            game: Arc::clone(&ruleset.id),
            ..PrintedUnit::default()
        });
        let (first_sheet, next) = (plan.own, plan.next);
        if let Some(finding) = first_sheet.too_small_finding(plan.first.size(), &job.options, &job.roster.facts.name) {
            findings.push(finding);
            continue;
        }
        let frame = first_sheet.page_frame(minimums);
        let mut view = ShipView::new(&evaluation, job.options, frame.styles, job.templates);
        view.roster = Some(job.roster);
        let templates = std::iter::once(&plan.first.texts).chain(plan.continuation.iter().map(|more| &more.texts));
        let view = view.knowing(templates);
        let continuation = plan.continuation.as_deref();
        let more_frame = next.page_frame(minimums);
        let laid = ship_pages::lay_out_pages(&plan.first, continuation, &view, frame, more_frame, unit, false);
        let leaves = std::iter::once((first_sheet, laid.first))
            .chain(laid.continuation_pages.into_iter().map(|items| (next, items)));
        pages.extend(leaves.map(|(sheet, mut items)| {
            sheet.scale_items(&mut items, sheet.origin(), Some((&job.options, evaluation.ruleset.words.as_deref())));
            Page { items, ..sheet.blank_page() }
        }));
        findings.extend(laid.findings);
    }
    (pages, findings)
}
