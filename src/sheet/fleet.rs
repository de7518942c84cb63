//! A fleet's own pages: takes a roster, gives the pages of its roster sheet, its summary or its order logs, from the ruleset's templates or,
//! where it has none, from those all games share. What finds no room goes on to further pages.

use std::sync::Arc;

use super::leaf::Leaf;
use super::options::{Floor, Options};
use super::page;
use super::roster::Roster;
use super::shelf::Shelf;
use super::units;
use super::view::View;
use crate::evaluate::Evaluation;
use crate::finding::Finding;
use crate::ruleset::SheetKind;
use crate::scene::{Page, Unit};

/// Which of a fleet's own pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FleetPage {
    /// Its ships and what they cost.
    Roster,
    /// What an opponent is handed.
    Summary,
    /// Where orders are written.
    Log,
}

impl FleetPage {
    fn kind(self) -> SheetKind {
        match self {
            Self::Roster => SheetKind::Roster,
            Self::Summary => SheetKind::Summary,
            Self::Log => SheetKind::Log,
        }
    }

    /// Its name among the fleet's units, for fields to write in.
    fn key(self) -> &'static str {
        match self {
            Self::Roster => "fleet-roster",
            Self::Summary => "fleet-summary",
            Self::Log => "fleet-log",
        }
    }

    /// The template for rulesets that have none of their own.
    fn shared(self) -> &'static str {
        match self {
            Self::Roster => "fleet/roster.svg",
            Self::Summary => "fleet/summary.svg",
            Self::Log => "fleet/log.svg",
        }
    }
}

/// What goes on from a fleet's page.
const MORE: &str = "fleet/more.svg";

/// What is to be laid out.
pub struct FleetJob<'a> {
    /// The fleet.
    pub roster: &'a Roster<'a>,
    /// Where templates come from.
    pub shelf: &'a Shelf<'a>,
    /// How.
    pub options: Options,
}

/// Lays one of a fleet's own sheets out: a page for each sheet of that kind, and what continues it.
pub fn fleet_page(job: &FleetJob<'_>, page: FleetPage) -> (Vec<Page>, Vec<Finding>) {
    let ruleset = &job.roster.ruleset;
    let evaluation = Evaluation::of_fleet(ruleset, job.roster.facts.clone());
    let bed = &job.options.bed;
    let own: Vec<&str> =
        ruleset.sheets.iter().filter(|sheet| sheet.kind == page.kind()).map(|sheet| &*sheet.template).collect();
    let names = if own.is_empty() { vec![page.shared()] } else { own };
    let more = job.shelf.prepared(ruleset, MORE).filter(|prepared| prepared.takes_rest());
    let floor = Floor::of(&job.options);
    let (mut pages, mut findings) = (Vec::new(), Vec::new());
    for (n, name) in names.into_iter().enumerate() {
        let Some(prepared) = job.shelf.prepared(ruleset, name) else {
            let message = format!("{}: cannot use the template {name}", job.roster.facts.name);
            findings.push(Finding::error("no-template", message));
            continue;
        };
        let size = |prepared: &super::prepare::Prepared| (prepared.template.width, prepared.template.height);
        let fleet = &job.roster.facts.name;
        let unit = Arc::new(Unit {
            key: if n == 0 { page.key().into() } else { format!("{}-{}", page.key(), n + 1).into() },
            title: page.key().replace('-', " ").into(),
            fleet: units::word(fleet).into(),
            fleet_title: Arc::clone(fleet),
            game: Arc::clone(&ruleset.id),
            ..Unit::default()
        });
        let mut own = Leaf::new(bed, size(&prepared));
        let mut next = Leaf::new(bed, more.as_ref().map_or(super::paper::SHARED, |more| size(more)));
        let scale = own.fit.scale.min(next.fit.scale);
        (own.fit.scale, next.fit.scale) = (scale, scale);
        if let Some(finding) = own.no_room(&job.options, &job.roster.facts.name) {
            findings.push(finding);
            continue;
        }
        let stand = own.stand(floor);
        let mut view = View::new(&evaluation, job.options, stand.hands, job.shelf);
        view.roster = Some(job.roster);
        let laid = page::lay(&prepared, more.as_deref(), &view, stand.origin, next.stand(floor), unit);
        let leaves = std::iter::once((own, laid.first)).chain(laid.more.into_iter().map(|items| (next, items)));
        pages.extend(leaves.map(|(leaf, mut items)| {
            leaf.reduce(&mut items, leaf.origin(), &job.options);
            Page { items, ..leaf.page() }
        }));
        findings.extend(laid.findings);
    }
    (pages, findings)
}
