//! What a print job takes from the state: takes the open documents and the dialog, lays out the pages in a job. The print
//! room shows the same pages that printing writes.

use std::sync::Arc;

use crate::printing::model::{PrintDialog, PrintReport, PrintSettings, PrintSource};
use crate::{Doc, EditorState};
use moldloft_base::allowance::Allowance;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_export::export::Format;
use moldloft_library::library::{
    EvaluatedFleet, FleetInput, Language, Rulesets, evaluate_design, evaluate_fleet, evaluate_fleets,
};
use moldloft_library::print::{self, PackOptions, PackPart, PrintKind, PrintOptions, PrintedPages, Printers};
use moldloft_library::store::{FileRef, Store};
use moldloft_rules::design::Design;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::Ruleset;

pub struct PrintJob {
    settings: PrintSettings,
    printers: Arc<Printers>,
    content: PrintContent,
    store: Store,
    rulesets: Arc<Rulesets>,
}

enum PrintContent {
    Ships(Vec<PrintShip>),
    /// Open ones with their files, and those of the library.
    Fleets {
        open: Vec<(Option<FileRef>, Arc<EvaluatedFleet>)>,
        files: Vec<FileRef>,
    },
}

struct PrintShip {
    name: String,
    rules_and_design: Result<(Arc<Ruleset>, Arc<Design>), Vec<Finding>>,
    /// Chosen by the user for this ruleset.
    sheet: Option<Arc<str>>,
}

impl PrintShip {
    fn new(doc: &Doc, state: &EditorState) -> Self {
        let open_design = doc.as_design().and_then(|open_design| {
            Some((open_design.evaluation.as_ref()?.ruleset.clone(), open_design.design.clone()))
        });
        let sheet = open_design.as_ref().and_then(|(ruleset, _)| state.settings.sheet.sheets.get(&*ruleset.id));
        let sheet = sheet.map(|sheet| sheet.as_str().into());
        Self { name: doc.name(), rules_and_design: open_design.ok_or_else(|| doc.findings().to_vec()), sheet }
    }
}

/// The open documents that are printed: the current one, and others that were chosen.
pub fn printed_docs<'a>(state: &'a EditorState, dialog: &PrintDialog) -> Vec<&'a Doc> {
    let Some(current) = state.current_doc() else { return Vec::new() };
    let is_fleet = current.as_fleet().is_some();
    let is_of_game = dialog.options.what.sheet_kind().is_some() && !is_fleet;
    let is_chosen = |doc: &&Doc| {
        let is_other = dialog.all_open && !is_of_game || dialog.more.contains(&PrintSource::Open(doc.id));
        doc.id == current.id || is_other && doc.as_ruleset().is_none() && doc.as_fleet().is_some() == is_fleet
    };
    state.docs.iter().filter(is_chosen).collect()
}

/// Fleets of the library that are printed with an open one.
pub fn printed_files(state: &EditorState, dialog: &PrintDialog) -> Vec<FileRef> {
    let files = dialog.more.iter().filter_map(|source| match source {
        PrintSource::File(file) => Some(file.clone()),
        PrintSource::Open(_) => None,
    });
    if state.shows_fleet() { files.collect() } else { Vec::new() }
}

impl PrintJob {
    pub fn new(state: &EditorState, dialog: &PrintDialog) -> Self {
        let docs = printed_docs(state, dialog);
        let is_fleet = state.shows_fleet();
        let content = if is_fleet {
            let open = docs.iter().filter_map(|doc| Some((doc.file.clone(), doc.as_fleet()?.evaluated.clone())));
            PrintContent::Fleets { open: open.collect(), files: printed_files(state, dialog) }
        } else {
            PrintContent::Ships(docs.into_iter().map(|doc| PrintShip::new(doc, state)).collect())
        };
        // The kind is for designs: a fleet's pack has parts.
        let what = if is_fleet { PrintKind::Sheets } else { dialog.options.what };
        Self {
            settings: PrintSettings { what, ..dialog.options.clone() },
            printers: Arc::clone(&dialog.printers),
            content,
            store: state.store.clone(),
            rulesets: Arc::clone(&state.rulesets),
        }
    }

    /// With another number of copies.
    pub fn with_copies(mut self, copies: u32) -> Self {
        self.settings.copies = copies;
        self
    }

    /// # Errors
    /// That nothing was printed, and why.
    pub fn lay_out(self, format: &Format, progress: &Progress) -> Result<PrintedPages, PrintReport> {
        let Self { settings, printers, content, store, rulesets } = self;
        let print_options = settings.print_options(&printers).map_err(|finding| nothing_printed(vec![finding]))?;
        let language = settings.language.as_deref().map(Language::new);
        let is_other = language.as_ref().map(|one| &one.code) != rulesets.language().map(|one| &one.code);
        let spoken = is_other.then(|| rulesets.spoken(language));
        let rulesets = spoken.as_ref().unwrap_or(&rulesets);
        match content {
            PrintContent::Fleets { open, files } => {
                let mut findings = Vec::new();
                let in_language = |(file, fleet): (Option<FileRef>, Arc<EvaluatedFleet>)| {
                    let Some(rulesets) = &spoken else { return Ok(fleet) };
                    if let Some(ruleset) = &fleet.ruleset {
                        rulesets.get(&ruleset.id)?;
                    }
                    let location = file.unwrap_or_else(|| FileRef::on_disk(""));
                    Ok(Arc::new(evaluate_fleet(rulesets, fleet.fleet.clone(), &location, None)))
                };
                let open: Result<Vec<_>, Finding> = open.into_iter().map(in_language).collect();
                let mut open = open.map_err(|finding| nothing_printed(vec![finding]))?;
                for file in files {
                    if progress.is_cancelled() {
                        break;
                    }
                    match read_fleet(&file, rulesets) {
                        Ok(fleet) => open.push(Arc::new(fleet)),
                        Err(finding) => findings.push(finding),
                    }
                }
                let (parts, single_sided) = (settings.parts.clone(), settings.single_sided);
                // Beside their sheets, ships with a log there need none.
                let logs_if_needed = parts.contains(&PackPart::Sheets);
                let pack = PackOptions::default().print(print_options).parts(parts).single_sided(single_sided);
                let pack = pack.logs_if_needed(logs_if_needed);
                let mut pages = print::print_fleets(&store, &open, &pack, format, progress);
                findings.append(&mut pages.findings);
                Ok(PrintedPages { findings, ..pages })
            }
            PrintContent::Ships(mut ships) => {
                for (ruleset, _) in ships.iter_mut().filter_map(|ship| ship.rules_and_design.as_mut().ok()) {
                    if let Some(rulesets) = &spoken {
                        let loaded = rulesets.get(&ruleset.id).map_err(|finding| nothing_printed(vec![finding]))?;
                        *ruleset = loaded.ruleset().cloned().unwrap_or_else(|| Arc::clone(ruleset));
                    }
                }
                lay_out_ships(&store, ships, &settings, &print_options, progress)
            }
        }
    }
}

fn read_fleet(file: &FileRef, rulesets: &Rulesets) -> Result<EvaluatedFleet, Finding> {
    let wrong = |finding: Option<&Finding>| {
        let why = finding.map_or_else(|| "it is not a fleet".to_owned(), |finding| finding.message.clone());
        Finding::error("left-out", format!("skipped {file}: {why}"))
    };
    let source = file.read().map_err(|finding| wrong(Some(&finding)))?;
    let fleet = Fleet::read(&source).map_err(|findings| wrong(findings.first()))?;
    let input = FleetInput { fleet, location: file.clone() };
    evaluate_fleets(rulesets, vec![input], None, &Allowance::default()).pop().ok_or_else(|| wrong(None))
}

pub fn nothing_printed(findings: Vec<Finding>) -> PrintReport {
    PrintReport { summary: "Nothing was printed.".into(), any_written: false, findings, path: None }
}

fn lay_out_ships(
    store: &Store,
    ships: Vec<PrintShip>,
    settings: &PrintSettings,
    print_options: &PrintOptions,
    progress: &Progress,
) -> Result<PrintedPages, PrintReport> {
    if settings.what.sheet_kind().is_some() {
        let first = ships.into_iter().next().ok_or_else(|| nothing_printed(Vec::new()))?;
        let (ruleset, _) = first.rules_and_design.map_err(nothing_printed)?;
        return print::print_ruleset(store, &ruleset, print_options, progress)
            .map_err(|finding| nothing_printed(vec![finding]));
    }
    let (ready, mut findings) = evaluate_ships(ships, settings);
    let mut pages = print::print_ships(store, ready, print_options, progress);
    findings.append(&mut pages.findings);
    Ok(PrintedPages { findings, ..pages })
}

/// Designs that cannot be evaluated are reported.
fn evaluate_ships(ships: Vec<PrintShip>, settings: &PrintSettings) -> (Vec<Evaluation>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut rules: Vec<(Arc<Ruleset>, Arc<Ruleset>)> = Vec::new();
    let mut ready = Vec::with_capacity(ships.len());
    for ship in ships {
        match ship.rules_and_design {
            Ok((ruleset, design)) => {
                let known = rules.iter().find(|(own, _)| Arc::ptr_eq(own, &ruleset)).map(|(_, sized)| sized.clone());
                let sized = known.unwrap_or_else(|| {
                    let sized = with_chit_size(&ruleset, settings, &mut findings);
                    rules.push((ruleset, sized.clone()));
                    sized
                });
                ready.push(Evaluation { wanted_sheet: ship.sheet, ..evaluate_design(&sized, &design) });
            }
            Err(why) => {
                let why: Vec<String> = why.iter().take(1).map(|finding| format!(": {}", finding.message)).collect();
                findings.push(Finding::error("not-printed", format!("{} is not printed{}", ship.name, why.concat())));
            }
        }
    }
    (ready, findings)
}

fn with_chit_size(ruleset: &Arc<Ruleset>, settings: &PrintSettings, findings: &mut Vec<Finding>) -> Arc<Ruleset> {
    let counters = matches!(settings.what, PrintKind::Counters | PrintKind::SheetsAndCounters);
    let Some(side) = settings.chit.filter(|_| counters) else { return Arc::clone(ruleset) };
    let (sized, finding) = print::with_chit_size(ruleset, side);
    findings.extend(finding);
    sized
}
