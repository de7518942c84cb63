//! Saves or prints the odds: takes the dialog's path, writes a chart or table as the command line does, and reports the result.

use std::path::{Path, PathBuf};

use crate::effects::Effects;
use crate::odds_page::answer::current_answer;
use crate::odds_page::model::{OddsAnswer, OddsCommand, OddsContent, OddsFileDialog};
use crate::{Command, Dialog, EditorState, Jobs, Notice};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::file_stem;
use moldloft_library::print::{ChartOptions, PrintedFiles, matrix_files, odds_files};
use moldloft_odds::odds::Odds;
use moldloft_odds::odds::words::who;
use moldloft_sheet::sheet::Paper;

/// Of a PNG.
const DPI: f32 = 150.0;

/// `vigilant-on-ardennes-odds.pdf` in the last folder, or in that of the design.
pub fn open_dialog(state: &mut EditorState) {
    let Some((doc, answer)) = state.current_doc().zip(current_answer(state)) else { return };
    let beside = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let workspace = || state.store.workspace().map(Path::to_path_buf);
    let folder = state.settings.print.folder.clone().or(beside).or_else(workspace).unwrap_or_default();
    let title = answer.pair().map_or_else(|| doc.name(), who);
    let name = format!("{}.pdf", file_stem(&format!("{title} odds"), "odds"));
    let path = folder.join(name).to_string_lossy().into_owned();
    let view = state.platform.opens_files;
    let dialog = OddsFileDialog { path, paper: Some(Paper::A4), view, existing: None };
    state.dialog = Some(Dialog::OddsFile(dialog));
}

pub fn ask_to_replace(state: &mut EditorState, name: String) {
    if let Some(Dialog::OddsFile(dialog)) = &mut state.dialog {
        dialog.existing = Some(name);
    }
}

/// A file that exists is replaced only if the player agreed.
pub fn write(state: &mut EditorState, replace: bool, jobs: &Jobs) {
    let Some(Dialog::OddsFile(dialog)) = &state.dialog else { return };
    let Some(answer) = current_answer(state).cloned() else { return };
    let typed = dialog.path.trim();
    if typed.is_empty() {
        return state.notify(Notice::error("missing file name"));
    }
    let mut path = PathBuf::from(typed);
    if path.extension().is_none() {
        path.set_extension("pdf");
    }
    let (paper, view, words) = (dialog.paper, dialog.view, state.language.words().cloned());
    jobs.start(move |progress| {
        let options = ChartOptions::default().paper(paper).dpi(DPI).words(words.as_deref());
        let command = match make_files(&answer, path, &options, progress) {
            Err(finding) => OddsCommand::FileFailed(finding),
            Ok(files) if !replace && !files.existing.is_empty() => OddsCommand::FileExists(files.names()),
            Ok(files) => match files.save(progress) {
                Err(finding) => OddsCommand::FileFailed(finding),
                Ok(()) => {
                    let summary = format!("{}: {}", files.names(), files.summary);
                    OddsCommand::FileWritten { path: files.path, summary, view }
                }
            },
        };
        Some(Command::Odds(command))
    });
}

fn make_files(
    answer: &OddsAnswer,
    path: PathBuf,
    options: &ChartOptions,
    progress: &Progress,
) -> Result<PrintedFiles, Finding> {
    match &answer.content {
        OddsContent::Pair(odds) => {
            let both: Vec<&Odds> = std::iter::once(&**odds).chain(answer.other()).collect();
            odds_files(path, &both, options, progress)
        }
        OddsContent::Matrix(matrix) => matrix_files(path, &[matrix], options, progress),
        OddsContent::Refused(finding) => Err(finding.clone()),
    }
}

pub fn finish(state: &mut EditorState, path: &Path, summary: String, view: bool, effects: &mut Effects<'_>) {
    if matches!(state.dialog, Some(Dialog::OddsFile(_))) {
        state.dialog = None;
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        state.settings.print.folder = Some(folder.to_path_buf());
    }
    state.notify(Notice::info(summary));
    if view
        && state.platform.opens_files
        && let Err(words) = effects.platform.open_externally(path, effects.jobs.sender())
    {
        state.notify(Notice::error(format!("wrote {}, but cannot open it: {words}", path.display())));
    }
}
