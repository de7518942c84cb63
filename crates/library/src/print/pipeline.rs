//! The pipeline of every print job: takes ships, a ruleset or fleets with options, gives pages and findings. Numbers
//! the counters; skips and reports what cannot be printed.

use std::borrow::Borrow;
use std::sync::Arc;

use crate::library::{EvaluatedFleet, open_templates};
use crate::store::Store;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::{list_names, plural};
use moldloft_drawing::scene::{MarkKind, Scene, SceneItem};
use moldloft_export::export::Format;
use moldloft_rules::evaluate::{Evaluation, number_job};
use moldloft_rules::ruleset::{Ruleset, SheetKind};
use moldloft_sheet::sheet::{self, Backs, PageStorage};

use super::maps::ruler_sheets;
use super::pack::lay_out_pack;
use super::roster_data::skip_reason;
use super::{
    PackOptions, PrintKind, PrintOptions, PrintedPages, RosterFormat, blank_sheets, counters_of, nothing_to_print,
    sheets_of,
};

/// The most skipped ships of a fleet that are named.
const MAX_NAMED: usize = 6;

/// A roster that is not written yet.
#[derive(Debug)]
pub struct PrintedRoster {
    /// `None` without a ship.
    pub bytes: Option<Vec<u8>>,
    /// What was skipped.
    pub findings: Vec<Finding>,
    /// `1 fleet, 3 ships`
    pub contents: String,
}

/// Prints ships' sheets, counters or both, by `options.kind`. After a cancel the pages are incomplete.
pub fn print_ships(
    store: &Store,
    mut ships: Vec<Evaluation>,
    options: &PrintOptions,
    progress: &Progress,
) -> PrintedPages {
    if ships.is_empty() {
        return PrintedPages::nothing("designs", Vec::new());
    }
    number_job(&mut ships);
    lay_out(store, &ships, options, progress)
}

/// Prints the sheets of a ruleset without a ship: the reference, or blank sheets, by `options.kind`.
///
/// # Errors
/// `no-reference-sheet`.
pub fn print_ruleset(
    store: &Store,
    ruleset: &Arc<Ruleset>,
    options: &PrintOptions,
    progress: &Progress,
) -> Result<PrintedPages, Finding> {
    let sheets = blank_sheets(ruleset, options.kind.sheet_kind().unwrap_or(SheetKind::Design));
    if sheets.is_empty() && options.kind == PrintKind::Reference {
        let message = format!("the ruleset `{}` has no reference sheet", ruleset.id);
        return Err(Finding::error("no-reference-sheet", message)
            .help("add a [[sheet]] with kind = \"reference\" to the ruleset"));
    }
    let mut printed = lay_out(store, &sheets, options, progress);
    let is_box = |item: &SceneItem| item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Tick);
    let has_boxes = printed.scene.pages.iter().any(|page| page.items().iter().any(is_box));
    if options.kind == PrintKind::Blank && !sheets.is_empty() && !has_boxes {
        let message = format!("the empty sheets of {} have no boxes: no panel says how many", ruleset.id);
        let help =
            "add `blank = 20` to the panels of tracks and mounts in the templates, as docs/rulesets/sheets.md says";
        printed.findings.push(Finding::warning("blank-without-boxes", message).help(help));
    }
    Ok(printed)
}

/// Prints the table pack of fleets. Ships and fleets that cannot be printed are skipped and reported. For one side of
/// the paper, chits are folded; where every page is a separate file, no blank backs are added. After a cancel the pages
/// are incomplete.
pub fn print_fleets<F: Borrow<EvaluatedFleet>>(
    store: &Store,
    fleets: &[F],
    options: &PackOptions,
    format: &Format,
    progress: &Progress,
) -> PrintedPages {
    let (fleets, mut findings) = printable_fleets(fleets);
    if fleets.is_empty() {
        return PrintedPages::nothing("fleets", findings);
    }
    let mut options = options.clone();
    if options.single_sided && options.print.backs == Backs::Duplex {
        options.print.backs = Backs::Fold;
    }
    options.single_sided |= format.page_by_page;
    let pack = lay_out_pack(store, &fleets, &options, progress);
    findings.extend(pack.findings);
    let blanks = match pack.blank_backs {
        0 => String::new(),
        blanks => format!(", with {}", plural(blanks, "blank back")),
    };
    let pages = PrintedPages::new(pack.scene, findings, fleets_text(&fleets) + &blanks);
    PrintedPages { two_sided: !options.single_sided, ..pages }
}

/// The roster of fleets as a table; skips and reports the same as a pack.
///
/// # Errors
/// As for [`RosterFormat::write`].
pub fn print_roster<F: Borrow<EvaluatedFleet>>(fleets: &[F], format: RosterFormat) -> Result<PrintedRoster, Finding> {
    let (fleets, mut findings) = printable_fleets(fleets);
    let bytes = if fleets.is_empty() {
        findings.push(nothing_to_print("fleets"));
        None
    } else {
        Some(format.write(&fleets)?)
    };
    Ok(PrintedRoster { bytes, findings, contents: fleets_text(&fleets) })
}

fn fleets_text(fleets: &[&EvaluatedFleet]) -> String {
    let ships = fleets.iter().map(|fleet| fleet.units.len()).sum::<usize>();
    format!("{}, {}", plural(fleets.len(), "fleet"), plural(ships, "ship"))
}

/// The fleets that have a ship, and findings for skipped ships and fleets.
fn printable_fleets<F: Borrow<EvaluatedFleet>>(fleets: &[F]) -> (Vec<&EvaluatedFleet>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut ready = Vec::with_capacity(fleets.len());
    for fleet in fleets.iter().map(Borrow::borrow) {
        let name = fleet.name();
        if !fleet.skipped.is_empty() {
            let ships: Vec<&str> = fleet.skipped.iter().map(|ship| &*ship.name).collect();
            let message = format!("skipped {} in {name}", list_names(&ships, MAX_NAMED));
            findings.push(Finding::error("left-out", message));
        }
        if !fleet.units.is_empty() {
            ready.push(fleet);
        } else if fleet.ruleset.is_none() {
            findings.push(Finding::error("left-out", format!("skipped {name}: {}", skip_reason(&fleet.findings))));
        } else if fleet.skipped.is_empty() {
            let message = format!("nothing to print: {name} has no ships");
            findings.push(Finding::error("empty-fleet", message).help("list its ships as [[ship]]"));
        }
    }
    (ready, findings)
}

fn lay_out(store: &Store, ships: &[Evaluation], options: &PrintOptions, progress: &Progress) -> PrintedPages {
    let (mut scene, findings) = lay_out_pages(store, ships, options, progress);
    let words = ships.iter().find_map(|ship| ship.ruleset.words.as_deref());
    scene.pages = sheet::impose(scene.pages, &options.page_setup, true, words);
    PrintedPages::new(scene, findings, options.kind.count_text(ships.len()))
}

fn lay_out_pages(
    store: &Store,
    ships: &[Evaluation],
    options: &PrintOptions,
    progress: &Progress,
) -> (Scene, Vec<Finding>) {
    let templates = open_templates(store);
    let counters = || sheet::lay_out_counters(&counters_of(&templates, ships, options), PageStorage::Plain, progress);
    if options.kind == PrintKind::Counters {
        return counters();
    }
    let (mut scene, mut findings) =
        sheet::lay_out_sheets(&sheets_of(&templates, ships, options), PageStorage::Plain, progress);
    if options.kind == PrintKind::SheetsAndCounters && !progress.is_cancelled() {
        let (more, found) = counters();
        scene.pages.extend(more.pages);
        findings.extend(found);
    }
    if options.rulers && options.kind != PrintKind::Blank && options.kind != PrintKind::Reference {
        let (pages, found) = ruler_sheets(ships, &options.page_setup);
        scene.pages.extend(pages);
        findings.extend(found);
    }
    (scene, findings)
}
