//! Printing from the window: takes the print dialog's settings and the open documents, starts jobs that print through
//! `print` and write the files, and reports the result.

pub mod calibrate_panel;
pub mod calibration;
pub mod job;
pub mod model;
pub mod page_setup_panel;
pub mod panel;
pub mod presets;
pub mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::effects::Effects;
use crate::printing::job::{PrintJob, nothing_printed, printed_docs, printed_files};
use crate::printing::presets::keep_preset;
use crate::{Command, Dialog, EditorState, Notice, message_with_help, print_room};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::file_stem;
use moldloft_export::export::{self, Format};
use moldloft_library::library::Language;
use moldloft_library::print::{PackPart, PrintKind, PrintedFiles, PrintedPages, Printers};
use moldloft_library::store;

pub use crate::printing::model::{CalibrationForm, PrintCommand, PrintDialog, PrintSettings, PrintStage};
pub(crate) use crate::printing::model::{DPI_RANGE, PrintReport, PrintSource};

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
                state.notify(match report.any_written {
                    true => Notice::written(text, report.path.as_deref()),
                    false => Notice::error(text),
                });
            }
        }
        PrintCommand::ApplyPreset(preset) => {
            let is_fleet = state.shows_fleet();
            change_settings(state, |settings| preset.apply(settings, is_fleet));
        }
        PrintCommand::ApplyOwnPreset(name) => {
            let own = state.settings.print_presets.iter().find(|preset| preset.name == name).cloned();
            if let Some(own) = own {
                change_settings(state, |settings| own.apply(settings));
            }
        }
        PrintCommand::KeepPreset => {
            let Some(dialog) = current_dialog(state) else { return };
            let (name, settings) = (dialog.preset_name.clone().unwrap_or_default(), dialog.options.clone());
            if keep_preset(&mut state.settings.print_presets, &name, &settings)
                && let Some(Dialog::Print(dialog)) = &mut state.dialog
            {
                dialog.preset_name = None;
            }
        }
        PrintCommand::RemovePreset(name) => state.settings.print_presets.retain(|preset| preset.name != name),
        PrintCommand::PlanMade { key, progress, plan } => print_room::accept_plan(state, *key, &progress, plan),
        PrintCommand::ShowPages(visible) => print_room::show_pages(&mut state.print_room, visible),
        PrintCommand::PagesDrawn { progress, width, grey, pictures } => {
            print_room::accept_pictures(&mut state.print_room, &progress, (width, grey), pictures);
        }
        PrintCommand::StepPictureSize { larger } => print_room::step_picture_size(&mut state.print_room, larger),
        PrintCommand::OpenCalibration => {
            if let Some(form) = current_dialog(state).map(calibration::new_form) {
                set_stage(state, PrintStage::Calibrate(Box::new(form)));
            }
        }
        PrintCommand::UpdateCalibration(form) => {
            if let Some(PrintDialog { stage: PrintStage::Calibrate(_), .. }) = current_dialog(state) {
                set_stage(state, PrintStage::Calibrate(form));
            }
        }
        PrintCommand::WriteCalibrationPage => write_calibration_page(state, effects),
        PrintCommand::KeepCalibration => keep_calibration(state),
    }
}

/// By a preset: the dialog's settings change as if by hand.
fn change_settings(state: &mut EditorState, change: impl FnOnce(&PrintSettings) -> PrintSettings) {
    let Some(dialog) = current_dialog(state).filter(|dialog| dialog.stage == PrintStage::Settings) else { return };
    let dialog = PrintDialog { options: change(&dialog.options), ..dialog.clone() };
    update_dialog(state, dialog);
}

fn write_calibration_page(state: &mut EditorState, effects: &mut Effects<'_>) {
    let Some(PrintDialog { stage: PrintStage::Calibrate(form), path, .. }) = current_dialog(state) else { return };
    let folder = Path::new(path.trim()).parent().map(Path::to_path_buf).unwrap_or_default();
    let mut form = form.clone();
    match calibration::write_page(&form, &folder, state.language.words().map(|words| &**words)) {
        Ok(path) => {
            form.error = None;
            let mut text = format!("Wrote {}: print it at 100 % on both sides.", path.display());
            if state.platform.opens_files
                && let Err(message) = effects.platform.open_externally(&path, effects.jobs.sender())
            {
                text = format!("Wrote {}, but cannot open it: {message}", path.display());
            }
            form.written = Some(text);
        }
        Err(finding) => form.error = Some(message_with_help(&finding)),
    }
    set_stage(state, PrintStage::Calibrate(form));
}

fn keep_calibration(state: &mut EditorState) {
    let Some(PrintDialog { stage: PrintStage::Calibrate(form), .. }) = current_dialog(state) else { return };
    let mut form = form.clone();
    match calibration::store_printer(&form, state.folders.config.as_deref()) {
        Ok((printers, printer)) => {
            let Some(dialog) = current_dialog(state) else { return };
            let mut dialog = dialog.clone();
            dialog.options.select_printer(Some(&printer));
            update_dialog(state, dialog);
            if let Some(Dialog::Print(dialog)) = &mut state.dialog {
                (dialog.printers, dialog.stage) = (printers, PrintStage::Settings);
            }
        }
        Err(message) => {
            form.error = Some(message);
            set_stage(state, PrintStage::Calibrate(form));
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
    let languages = languages(state);
    options.language = options.language.filter(|language| languages.contains(language));
    let mut dialog = PrintDialog {
        options,
        all_open: false,
        more: BTreeSet::new(),
        pages: String::new(),
        path: String::new(),
        path_edited: false,
        path_problem: None,
        preset_name: None,
        shows_pages: false,
        printers,
        languages,
        stage: PrintStage::Settings,
    };
    dialog.path = proposed_path(state, &dialog);
    dialog.path_problem = path_problem(&dialog.path);
    state.dialog = Some(Dialog::Print(Box::new(dialog)));
}

/// Of the game that is shown.
fn languages(state: &EditorState) -> Arc<[String]> {
    let ship = state.current_doc().and_then(|doc| doc.shown_ship());
    ship.map(|ship| Language::known(&state.store, &ship.ruleset).into_iter().collect()).unwrap_or_default()
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
    dialog.languages = Arc::clone(&before.languages);
    // A preset may have one that this game has not.
    dialog.options.language = dialog.options.language.filter(|language| dialog.languages.contains(language));
    dialog.path_edited |= dialog.path != before.path;
    if !dialog.path_edited {
        dialog.path = proposed_path(state, &dialog);
    } else if dialog.options.format != before.options.format {
        dialog.path = Path::new(&dialog.path).with_extension(&dialog.options.format).to_string_lossy().into_owned();
    }
    dialog.path_problem = path_problem(&dialog.path);
    let seen = &mut state.settings.sheet;
    (seen.paper, seen.grey, seen.large_print) =
        (dialog.options.page_setup.paper, dialog.options.grey, dialog.options.large_print);
    state.settings.print = PrintSettings { folder: state.settings.print.folder.take(), ..dialog.options.clone() };
    state.dialog = Some(Dialog::Print(Box::new(dialog)));
}

/// Why nothing can be written under the typed name.
fn path_problem(typed: &str) -> Option<String> {
    let typed = typed.trim();
    if typed.is_empty() { None } else { store::obstacle_to_saving(Path::new(typed)) }
}

/// `vigilant-chits.pdf` in the last folder, or in that of the design.
fn proposed_path(state: &EditorState, dialog: &PrintDialog) -> String {
    let Some(doc) = state.current_doc() else { return String::new() };
    let beside = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let workspace = || state.store.workspace().map(Path::to_path_buf);
    let folder = state.settings.print.folder.clone().or(beside).or_else(workspace).unwrap_or_default();
    // Players see where a file goes.
    let folder =
        std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { &folder }).unwrap_or(folder);
    let game = || doc.shown_ship().map_or_else(|| doc.name(), |evaluation| evaluation.ruleset.id.to_string());
    let ships = || if printed_docs(state, dialog).len() > 1 { "designs".to_owned() } else { doc.name() };
    let fleets = printed_docs(state, dialog).len() + printed_files(state, dialog).len();
    let pack =
        doc.as_fleet().map(|_| if fleets > 1 { "battle pack".to_owned() } else { format!("{} pack", doc.name()) });
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

fn start_printing(state: &mut EditorState, effects: &mut Effects<'_>) {
    let Some(dialog) = current_dialog(state) else { return };
    if matches!(dialog.stage, PrintStage::Working(_)) {
        return;
    }
    let options = dialog.options.clone();
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
    let selection = match dialog.selection() {
        Ok(selection) => selection,
        Err(message) => {
            return show_report(state, Arc::new(nothing_printed(vec![Finding::error("no-such-page", message)])));
        }
    };
    let job = PrintJob::new(state, dialog);
    let progress = effects.jobs.start(move |progress| {
        let result = job.lay_out(file_format(&path, &options), progress);
        let result = result.and_then(|mut pages| match pages.select(&selection) {
            Ok(()) => make_files(pages, &options, path, progress),
            Err(finding) => Err(nothing_printed(vec![finding])),
        });
        // After a cancel the result is not needed.
        (!progress.is_cancelled())
            .then(|| Command::Print(PrintCommand::FilesMade(progress.clone(), result.map(Arc::new).map_err(Arc::new))))
    });
    set_stage(state, PrintStage::Working(progress));
}

/// `None` if the extension belongs to no format.
fn format_of(path: &Path) -> Option<&'static Format> {
    path.extension().and_then(|extension| extension.to_str()).and_then(export::format_for)
}

/// By the file's extension, or else as chosen in the dialog.
fn file_format(path: &Path, options: &PrintSettings) -> &'static Format {
    format_of(path).unwrap_or_else(|| options.format())
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

fn write_files(state: &mut EditorState, result: Arc<PrintedFiles>, options: &PrintSettings, effects: &mut Effects<'_>) {
    let view = options.view;
    let progress = effects.jobs.start(move |progress| {
        let names = result.names();
        // Several files are shown in their folder.
        let folder = || result.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let shown = if result.files.len() == 1 { &result.path } else { folder() };
        let report = match result.save(progress) {
            Ok(()) => PrintReport {
                summary: format!("{names}: {}", result.summary),
                any_written: true,
                findings: result.findings.clone(),
                path: Some(shown.to_path_buf()),
            },
            Err(finding) => {
                let findings = [finding].into_iter().chain(result.findings.iter().cloned()).collect();
                PrintReport {
                    summary: format!("{names}: not everything was written."),
                    any_written: false,
                    findings,
                    path: None,
                }
            }
        };
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
        && let Err(words) = effects.platform.open_externally(shown, effects.jobs.sender())
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
        state.notify(Notice::written(report.summary.clone(), report.path.as_deref()));
    } else {
        set_stage(state, PrintStage::Report(report));
    }
}
