//! Printing from the window: takes the print dialog's settings and the open documents, starts jobs that print through
//! `print` and write the files, and reports the result.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::design::Design;
use crate::evaluate::Evaluation;
use crate::export::{self, Format};
use crate::finding::Finding;
use crate::library::{EvaluatedFleet, evaluate_design};
use crate::print::{self, PackOptions, PackPart, PrintKind, PrintOptions, PrintedFiles, PrintedPages, Printers};
use crate::progress::Progress;
use crate::ruleset::Ruleset;
use crate::sanitize::file_stem;
use crate::store::Store;

use super::effects::Effects;
use super::model::command::Command;
use super::model::dialog::Dialog;
use super::model::doc::Doc;
use super::model::state::EditorState;
use super::model::view::Notice;

pub use super::model::print::{DPI_RANGE, PrintCommand, PrintDialog, PrintReport, PrintSettings, PrintStage};

pub fn apply(state: &mut EditorState, print: PrintCommand, effects: &mut Effects<'_>) {
    match print {
        PrintCommand::Open(what) => open_print_dialog(state, what),
        PrintCommand::UpdateDialog(dialog) => update_dialog(state, *dialog),
        PrintCommand::Start => start_printing(state, effects),
        PrintCommand::Replace => {
            let Some(PrintDialog { stage: PrintStage::ConfirmReplace(result), options, .. }) = current_dialog(state)
            else {
                return;
            };
            let (result, options) = (Arc::clone(result), options.clone());
            write_files(state, result, &options, effects);
        }
        PrintCommand::BackToSettings => {
            cancel(state);
            set_stage(state, PrintStage::Settings);
        }
        PrintCommand::FilesMade(progress, result) => match result {
            _ if !is_current_job(state, &progress) => {}
            Err(report) => show_report(state, report),
            Ok(result) if result.existing.is_empty() => {
                let Some(options) = current_dialog(state).map(|dialog| dialog.options.clone()) else { return };
                write_files(state, result, &options, effects);
            }
            Ok(result) => set_stage(state, PrintStage::ConfirmReplace(result)),
        },
        PrintCommand::FilesWritten(progress, report, path) => {
            if is_current_job(state, &progress) {
                finish_writing(state, report, &path, effects);
            } else {
                // The dialog was closed meanwhile: the result is reported all the same.
                let why = report
                    .findings
                    .first()
                    .filter(|_| !report.any_written)
                    .map(|finding| format!(" {}", finding.message));
                let text = format!("{}{}", report.summary, why.unwrap_or_default());
                state.notify(Notice { is_error: !report.any_written, text });
            }
        }
    }
}

pub fn cancel(state: &EditorState) {
    if let Some(PrintDialog { stage: PrintStage::Working(progress), .. }) = current_dialog(state) {
        progress.cancel();
    }
}

fn current_dialog(state: &EditorState) -> Option<&PrintDialog> {
    match &state.dialog {
        Some(Dialog::Print(dialog)) => Some(dialog),
        _ => None,
    }
}

fn set_stage(state: &mut EditorState, stage: PrintStage) {
    if let Some(Dialog::Print(dialog)) = &mut state.dialog {
        dialog.stage = stage;
    }
}

fn is_current_job(state: &EditorState, progress: &Progress) -> bool {
    matches!(current_dialog(state), Some(PrintDialog { stage: PrintStage::Working(awaited), .. }) if awaited.is_same_work(progress))
}

fn open_print_dialog(state: &mut EditorState, what: Option<PrintKind>) {
    if state.current_doc().is_none() {
        return;
    }
    let mut options = state.settings.print.clone();
    options.clamp();
    // Print what the preview shows.
    let seen = &state.settings.sheet;
    (options.page_setup.paper, options.grey, options.large_print) = (seen.paper, seen.grey, seen.large_print);
    let is_fleet = state.shows_fleet();
    match what {
        Some(PrintKind::Counters) if is_fleet => options.parts = BTreeSet::from([PackPart::Chits]),
        Some(what) => options.what = what,
        None => {}
    }
    let (printers, unreadable) = Printers::load(state.folders.config.as_deref());
    if let Some(finding) = unreadable {
        state.notify(Notice::from_finding(&finding));
    }
    if options.printer.as_ref().is_some_and(|name| printers.find(name).is_none()) {
        options.select_printer(None);
    }
    let printers = Arc::new(printers);
    let mut dialog = PrintDialog {
        options,
        all_open: false,
        path: String::new(),
        path_edited: false,
        printers,
        stage: PrintStage::Settings,
    };
    dialog.path = proposed_path(state, &dialog);
    state.dialog = Some(Dialog::Print(Box::new(dialog)));
}

pub fn update_dialog(state: &mut EditorState, mut dialog: PrintDialog) {
    let Some(before) = current_dialog(state) else { return };
    if dialog.path != before.path
        && let Some(format) = format_of(Path::new(dialog.path.trim()))
    {
        dialog.options.format = format.extension.to_owned();
    }
    dialog.options.clamp();
    (dialog.stage, dialog.printers) = (before.stage.clone(), Arc::clone(&before.printers));
    dialog.path_edited |= dialog.path != before.path;
    if !dialog.path_edited {
        dialog.path = proposed_path(state, &dialog);
    } else if dialog.options.format != before.options.format {
        dialog.path = Path::new(&dialog.path).with_extension(&dialog.options.format).to_string_lossy().into_owned();
    }
    let seen = &mut state.settings.sheet;
    (seen.paper, seen.grey, seen.large_print) =
        (dialog.options.page_setup.paper, dialog.options.grey, dialog.options.large_print);
    state.settings.print = PrintSettings { folder: state.settings.print.folder.take(), ..dialog.options.clone() };
    state.dialog = Some(Dialog::Print(Box::new(dialog)));
}

/// `vigilant-chits.pdf` in the last folder, or in that of the design.
fn proposed_path(state: &EditorState, dialog: &PrintDialog) -> String {
    let Some(doc) = state.current_doc() else { return String::new() };
    let beside = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let workspace = || state.store.workspace().map(Path::to_path_buf);
    let folder = state.settings.print.folder.clone().or(beside).or_else(workspace).unwrap_or_default();
    let game = || doc.shown_ship().map_or_else(|| doc.name(), |evaluation| evaluation.ruleset.id.to_string());
    let ships = || if dialog.all_open && state.docs.len() > 1 { "designs".to_owned() } else { doc.name() };
    let pack =
        doc.as_fleet().map(|_| if dialog.all_open { "battle pack".to_owned() } else { format!("{} pack", doc.name()) });
    let stem = match dialog.options.what {
        PrintKind::Sheets => ships(),
        PrintKind::SheetsAndCounters => format!("{} with chits", ships()),
        PrintKind::Counters => format!("{} chits", ships()),
        PrintKind::Reference => format!("{} reference", game()),
        PrintKind::Blank => format!("{} blank", game()),
    };
    let stem = pack.unwrap_or(stem);
    let name = format!("{}.{}", file_stem(&stem, "design"), dialog.options.format);
    folder.join(name).to_string_lossy().into_owned()
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

/// `None` if no fleet is shown.
fn fleets_to_print(state: &EditorState, all: bool) -> Option<Vec<Arc<EvaluatedFleet>>> {
    let shown = state.current_doc()?.as_fleet()?;
    let open = state.docs.iter().filter_map(Doc::as_fleet).map(|fleet| fleet.evaluated.clone());
    Some(if all { open.collect() } else { vec![shown.evaluated.clone()] })
}

fn start_printing(state: &mut EditorState, effects: &mut Effects<'_>) {
    let Some(dialog) = current_dialog(state) else { return };
    if matches!(dialog.stage, PrintStage::Working(_)) {
        return;
    }
    let (options, printers) = (dialog.options.clone(), Arc::clone(&dialog.printers));
    let typed = dialog.path.trim();
    if typed.is_empty() {
        let finding = Finding::error("no-file", "missing file name").help("type a name or choose one with Browse…");
        return show_report(state, Arc::new(nothing_printed(vec![finding])));
    }
    let mut path = PathBuf::from(typed);
    if format_of(&path).is_none() {
        // A name without a known extension gets that of the chosen format.
        path.as_mut_os_string().push(format!(".{}", options.format));
    }
    let here = state.current_doc();
    let all = dialog.all_open && options.what.sheet_kind().is_none();
    let fleets = fleets_to_print(state, dialog.all_open);
    let ships: Vec<PrintShip> = if all {
        state.docs.iter().filter(|doc| doc.as_fleet().is_none()).map(|doc| PrintShip::new(doc, state)).collect()
    } else {
        here.map(|doc| PrintShip::new(doc, state)).into_iter().collect()
    };
    let store = state.store.clone();
    // The kind is for designs: a fleet's pack has parts.
    let what = if fleets.is_some() { PrintKind::Sheets } else { options.what };
    let options = PrintSettings { what, ..options };
    let progress = effects.jobs.start(move |progress| {
        let result = options.print_options(&printers).map_err(|finding| nothing_printed(vec![finding]));
        let result = result.and_then(|print_options| match fleets {
            Some(fleets) => {
                let (parts, single_sided) = (options.parts.clone(), options.single_sided);
                let pack = PackOptions { print: print_options, parts, single_sided, ..PackOptions::default() };
                Ok(print::print_fleets(&store, &fleets, &pack, file_format(&path, &options), progress))
            }
            None => print_designs(&store, ships, &options, &print_options, progress),
        });
        let result = result.and_then(|pages| make_files(pages, &options, path, progress));
        // After a cancel the result is not needed.
        (!progress.is_cancelled())
            .then(|| Command::Print(PrintCommand::FilesMade(progress.clone(), result.map(Arc::new).map_err(Arc::new))))
    });
    set_stage(state, PrintStage::Working(progress));
}

fn nothing_printed(findings: Vec<Finding>) -> PrintReport {
    PrintReport { summary: "Nothing was printed.".into(), any_written: false, findings }
}

/// `None` if the extension belongs to no format.
fn format_of(path: &Path) -> Option<&'static Format> {
    path.extension().and_then(|extension| extension.to_str()).and_then(export::format_for)
}

/// By the file's extension, or else as chosen in the dialog.
fn file_format(path: &Path, options: &PrintSettings) -> &'static Format {
    format_of(path).unwrap_or_else(|| options.format())
}

fn print_designs(
    store: &Store,
    ships: Vec<PrintShip>,
    options: &PrintSettings,
    print_options: &PrintOptions,
    progress: &Progress,
) -> Result<PrintedPages, PrintReport> {
    if options.what.sheet_kind().is_some() {
        let first = ships.into_iter().next().ok_or_else(|| nothing_printed(Vec::new()))?;
        let (ruleset, _) = first.rules_and_design.map_err(nothing_printed)?;
        return print::print_ruleset(store, &ruleset, print_options, progress)
            .map_err(|finding| nothing_printed(vec![finding]));
    }
    let (ready, mut findings) = evaluate_ships(ships, options);
    let mut pages = print::print_ships(store, ready, print_options, progress);
    findings.append(&mut pages.findings);
    Ok(PrintedPages { findings, ..pages })
}

fn make_files(
    mut pages: PrintedPages,
    options: &PrintSettings,
    path: PathBuf,
    progress: &Progress,
) -> Result<PrintedFiles, PrintReport> {
    if pages.is_empty() {
        return Err(nothing_printed(pages.findings));
    }
    let format = file_format(&path, options);
    pages.write(path, format, &options.export_options(), progress).map_err(|finding| {
        pages.findings.push(finding);
        nothing_printed(pages.findings)
    })
}

/// Designs that cannot be evaluated are reported.
fn evaluate_ships(ships: Vec<PrintShip>, options: &PrintSettings) -> (Vec<Evaluation>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut rules: Vec<(Arc<Ruleset>, Arc<Ruleset>)> = Vec::new();
    let mut ready = Vec::with_capacity(ships.len());
    for ship in ships {
        match ship.rules_and_design {
            Ok((ruleset, design)) => {
                let known = rules.iter().find(|(own, _)| Arc::ptr_eq(own, &ruleset)).map(|(_, sized)| sized.clone());
                let sized = known.unwrap_or_else(|| {
                    let sized = with_chit_size(&ruleset, options, &mut findings);
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

fn with_chit_size(ruleset: &Arc<Ruleset>, options: &PrintSettings, findings: &mut Vec<Finding>) -> Arc<Ruleset> {
    let counters = matches!(options.what, PrintKind::Counters | PrintKind::SheetsAndCounters);
    let Some(side) = options.chit.filter(|_| counters) else { return Arc::clone(ruleset) };
    let (sized, finding) = print::with_chit_size(ruleset, side);
    findings.extend(finding);
    sized
}

fn write_files(state: &mut EditorState, result: Arc<PrintedFiles>, options: &PrintSettings, effects: &mut Effects<'_>) {
    let view = options.view;
    let progress = effects.jobs.start(move |progress| {
        let names = result.names();
        let report = match result.save(progress) {
            Ok(()) => PrintReport {
                summary: format!("{names}: {}", result.summary),
                any_written: true,
                findings: result.findings.clone(),
            },
            Err(finding) => {
                let findings = [finding].into_iter().chain(result.findings.iter().cloned()).collect();
                PrintReport { summary: format!("{names}: not everything was written."), any_written: false, findings }
            }
        };
        // Several files are shown in their folder.
        let folder = || result.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let shown = if result.files.len() == 1 { &result.path } else { folder() };
        let shown = if view { shown.to_path_buf() } else { PathBuf::new() };
        Some(Command::Print(PrintCommand::FilesWritten(progress.clone(), Arc::new(report), shown)))
    });
    if let Some(folder) = current_dialog(state).and_then(|dialog| Path::new(dialog.path.trim()).parent()) {
        state.settings.print.folder = Some(folder.to_path_buf()).filter(|folder| !folder.as_os_str().is_empty());
    }
    set_stage(state, PrintStage::Working(progress));
}

fn finish_writing(state: &mut EditorState, report: Arc<PrintReport>, shown: &Path, effects: &mut Effects<'_>) {
    if report.any_written
        && !shown.as_os_str().is_empty()
        && let Err(words) = effects.platform.open_externally(shown)
    {
        let text = format!("wrote {}, but cannot open it: {words}", shown.display());
        state.notify(Notice::error(text));
    }
    show_report(state, report);
}

/// As a notice if all is well, in the dialog if there are findings.
fn show_report(state: &mut EditorState, report: Arc<PrintReport>) {
    if report.any_written && report.findings.is_empty() {
        state.dialog = None;
        state.notify(Notice::info(report.summary.clone()));
    } else {
        set_stage(state, PrintStage::Report(report));
    }
}
