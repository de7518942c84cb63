//! The one function that changes the state: takes it and a command, carries the command out. Files go through `store`, the system through
//! the desk, long work into jobs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::library::Rulesets;
use crate::store;

use super::command::{Command, Dialog};
use super::doc::{Doc, DocOrigin};
use super::edit::Edit;
use super::file_chooser;
use super::fit_edits;
use super::fix_all;
use super::fleet;
use super::fleet_exchange;
use super::inspector;
use super::jobs::Jobs;
use super::library_browser::{self, LibraryCommand};
use super::persistence::{self, PersistenceCommand};
use super::platform::{PickPurpose, Platform};
use super::printing;
use super::ruleset_status;
use super::state::{EditorState, FormTarget, Notice, Pane, Tab};
use super::system_costs;

/// What commands reach beside the state.
pub struct Effects<'a> {
    /// Threads.
    pub jobs: &'a Jobs,
    /// The system.
    pub platform: &'a mut dyn Platform,
}

/// Carries a command out.
pub fn apply(state: &mut EditorState, command: Command, outside: &mut Effects<'_>) {
    use Command::{FilesPicked, Open, Save, SaveAll, SaveTo};
    let touches_files = matches!(command, Open(_) | FilesPicked { .. } | Save | SaveTo(_) | SaveAll)
        || matches!(
            command,
            Command::Persistence(PersistenceCommand::ReplaceFile { .. } | PersistenceCommand::SaveAndClose(_))
        );
    if is_action(&command) {
        state.notices.retain(|notice| notice.is_error);
    }
    match command {
        Command::ShowTab(tab) => show_tab(state, tab),
        Command::NextTab { back } => show_next_tab(state, back),
        Command::Close(id) => persistence::close(state, id),
        Command::CloseAnyway(id) => persistence::close_anyway(state, id),
        Command::Quit => persistence::quit(state),
        Command::QuitAnyway => persistence::quit_anyway(state),
        Command::Open(path) => persistence::open(state, &path),
        Command::OpenBuiltIn(path) => open_built_in(state, &path),
        Command::OpenText { text } => add_doc(state, DocOrigin::New, text, false),
        Command::Save => persistence::save(state),
        Command::SaveAs => persistence::save_as(state),
        Command::SaveTo(path) => persistence::save_to(state, &path),
        Command::SaveAll => persistence::save_all(state),
        Command::PickFile(pick) => outside.platform.pick_file(pick, outside.jobs.sender()),
        Command::FilesPicked { paths, purpose: then } => files_picked(state, paths, then, outside.jobs),
        Command::OpenExternally(path) => {
            if let Err(words) = outside.platform.open_externally(&path) {
                let text = format!("cannot open {}: {words}", path.display());
                state.notices.push(Notice::error(text));
            }
        }
        Command::FileChooser(filing) => {
            if let Some(then) = file_chooser::apply(state, filing) {
                return apply(state, then, outside);
            }
        }
        Command::FixAll(mend) => {
            if let Some(then) = fix_all::apply(state, mend) {
                return apply(state, then, outside);
            }
        }
        Command::Persistence(keeping) => persistence::apply(state, keeping, outside),
        Command::Library(browsing) => library_browser::apply(state, browsing, outside.jobs),
        Command::Edit(edit) => edit_doc(state, edit),
        Command::Undo => update_doc(state, |doc, games| doc.undo(games)),
        Command::Redo => update_doc(state, |doc, games| doc.redo(games)),
        Command::EndMerge => update_doc(state, |doc, _| {
            doc.history.end_merge();
            true
        }),
        Command::Select(chosen) => update_doc(state, |doc, _| {
            doc.select(chosen);
            true
        }),
        Command::SelectMount(mount) => update_doc(state, |doc, _| {
            doc.select(Vec::new());
            doc.selected_mount = Some(mount);
            true
        }),
        Command::Exchange(trade) => fleet_exchange::apply(state, trade, outside),
        Command::Fleet(mustering) => fleet::apply(state, mustering, outside),
        Command::Copy => copy_fits(state),
        Command::Cut => {
            copy_fits(state);
            if let Some(edit) = state.current_doc().and_then(fit_edits::remove_selected) {
                edit_doc(state, edit);
            }
        }
        Command::Paste(text) => paste_fits(state, text),
        Command::RequestPaste => state.wants_paste = true,
        Command::SystemPicker(palette) => state.system_picker = palette,
        Command::SystemCosts(prices) => state.system_costs = prices,
        Command::ShowPane(pane) => state.pane = pane,
        Command::ShowInspectorTab(inspector) => {
            state.inspector_tab = inspector;
            state.pane = Pane::Inspector;
        }
        Command::Explain(asked) => {
            inspector::explain(state, asked);
            state.pane = Pane::Inspector;
        }
        Command::Inspector(inspecting) => {
            for command in inspector::apply(state, inspecting) {
                apply(state, command, outside);
            }
        }
        Command::Rules(ruling) => ruleset_status::apply(state, ruling, outside.jobs),
        Command::GoTo(place) => {
            state.go_to = Some(place);
            state.pane = Pane::Form;
        }
        Command::ClearGoTo => state.go_to = None,
        Command::ToggleLibrary => state.settings.library = !state.settings.library,
        Command::SetTheme(theme) => state.settings.theme = theme,
        Command::StepScale { larger } => state.settings.step_scale(larger),
        Command::ResetScale => state.settings.scale = 100,
        Command::Preview(change) => {
            let now = state.preview.percent();
            state.settings.sheet.apply_change(change, now);
        }
        Command::SetViewport(look) => state.preview.set_viewport(look),
        Command::PreviewRendered(drawn) => state.preview.accept_rendered(*drawn),
        Command::OpenDialog(dialog) => state.dialog = Some(dialog),
        Command::CloseDialog if file_chooser::close(state) => {}
        Command::CloseDialog => {
            printing::cancel(state);
            state.dialog = None;
            state.persistence.after_save = None;
        }
        Command::Print(print) => printing::apply(state, print, outside),
        Command::Notify(notice) => notify(state, notice),
        Command::DismissNotice(n) => {
            if n < state.notices.len() {
                state.notices.remove(n);
            }
        }
    }
    persistence::sync_after_command(state, outside);
    if touches_files && state.library.is_scanned {
        library_browser::apply(state, LibraryCommand::Scan, outside.jobs);
    }
    // What is listed follows every edit.
    system_costs::request(state, outside.jobs);
}

/// Whether it is something that a player does next: then what went well before has been read.
fn is_action(command: &Command) -> bool {
    use Command::{
        Close, Cut, Edit, Open, OpenBuiltIn, OpenDialog, Paste, Print, Redo, Save, SaveAll, SaveAs, SaveTo, ShowTab,
        Undo,
    };
    matches!(command, ShowTab(_) | Close(_) | Open(_) | OpenBuiltIn(_) | Save | SaveAs | SaveTo(_) | SaveAll)
        || matches!(command, Edit(_) | Undo | Redo | Cut | Paste(_) | OpenDialog(_))
        || matches!(command, Print(printing::PrintCommand::Open(_) | printing::PrintCommand::Start))
}

fn copy_fits(state: &mut EditorState) {
    let text = state.current_doc().and_then(fit_edits::selection_text);
    state.to_clipboard = text.or(state.to_clipboard.take());
}

/// Puts the fits of a text in and says what of it these rules do not know.
fn paste_fits(state: &mut EditorState, text: String) {
    let Some((edit, refused)) = state.current_doc().map(|doc| fit_edits::paste(doc, text)) else { return };
    let is_done = edit.is_some();
    if let Some(edit) = edit {
        let before = state.current_doc().map(|doc| doc.revision);
        edit_doc(state, edit);
        let doc = state.current_doc().filter(|doc| Some(doc.revision) != before);
        state.go_to = doc.and_then(|doc| doc.selected.first()).map(|fit| FormTarget::Fit(*fit)).or(state.go_to.take());
    }
    if let Some(why) = refused {
        let words = if is_done { "Pasted in part" } else { "Not pasted" };
        notify(state, Notice::info(format!("{words}: {why}")));
    }
    if let Some(words) = state.current_doc().and_then(fit_edits::describe_unknown_fits) {
        notify(state, Notice::info(words));
    }
}

/// Files were changed by another program: rules and what they judge, the library, comparisons.
pub(super) fn files_changed(state: &mut EditorState, paths: &[PathBuf], jobs: &Jobs) {
    ruleset_status::files_changed(state, paths, jobs);
    if paths.iter().any(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"))) {
        fleet::reevaluate_open_fleets(state);
    }
    // Templates and icons are read anew wherever a sheet is drawn; a ruleset may name others than before.
    let is_design =
        |path: &PathBuf| path.components().any(|part| matches!(part.as_os_str().to_str(), Some("designs" | "fleets")));
    let sheets = !paths.iter().all(is_design);
    if sheets {
        library_browser::apply(state, LibraryCommand::Invalidate, jobs);
    } else if state.library.is_scanned {
        library_browser::apply(state, LibraryCommand::Scan, jobs);
    }
}

/// Tells something once.
pub(super) fn notify(state: &mut EditorState, notice: Notice) {
    state.notices.retain(|other| *other != notice);
    state.notices.push(notice);
}

/// Shows the start page, ready for a new design: of the game that is in use, the keyboard on its name.
pub(super) fn show_new_design(state: &mut EditorState) {
    let named = state.current_doc().and_then(|doc| doc.ruleset_id()).cloned();
    let lately = || state.docs.last().and_then(|doc| doc.ruleset_id()).cloned();
    let game = named.or_else(lately);
    let is_ready = |id: &Arc<str>| state.rulesets.find(id).ruleset().is_some();
    let game = game.filter(is_ready).or(state.library.game.take());
    show_tab(state, Tab::Start);
    state.pane = Pane::Form;
    state.library.game = game;
    state.library.wants_name_focus = true;
}

pub(super) fn update_doc(state: &mut EditorState, to: impl FnOnce(&mut Doc, &Rulesets) -> bool) {
    let Tab::Doc(id) = state.tab else { return };
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
        to(doc, &state.rulesets);
    }
}

/// Edits the design before the player; a built-in one becomes a copy first.
fn edit_doc(state: &mut EditorState, edit: Edit) {
    let Tab::Doc(id) = state.tab else { return };
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return };
    let mut edit = edit;
    if let (DocOrigin::BuiltIn(_), Some(fleet)) = (&doc.origin, doc.as_fleet()) {
        // A copy lies nowhere yet: its designs are called by their names.
        edit.steps.splice(0..0, fleet::rebase::rebase_steps(fleet, None));
    }
    match doc.edit(edit, &state.rulesets) {
        Ok(false) => {}
        Ok(true) => {
            if let DocOrigin::BuiltIn(path) = &doc.origin {
                // Undone to the start it is the built-in one again, and nothing would be lost.
                doc.copied_from = Some(path.clone());
                doc.origin = DocOrigin::New;
                doc.evaluate(&state.rulesets);
            }
        }
        Err(finding) => {
            let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
            notify(state, Notice::error(format!("{}{help}", finding.message)));
        }
    }
}

fn show_tab(state: &mut EditorState, tab: Tab) {
    if let Tab::Doc(id) = tab
        && state.find_doc(id).is_none()
    {
        return;
    }
    update_doc(state, |doc, _| {
        doc.history.end_merge();
        true
    });
    state.system_picker = None;
    state.tab = tab;
}

fn show_next_tab(state: &mut EditorState, back: bool) {
    let tabs: Vec<Tab> = std::iter::once(Tab::Start).chain(state.docs.iter().map(|doc| Tab::Doc(doc.id))).collect();
    let at = tabs.iter().position(|tab| *tab == state.tab).unwrap_or(0);
    let next = if back { at + tabs.len() - 1 } else { at + 1 } % tabs.len();
    show_tab(state, tabs[next]);
}

fn open_built_in(state: &mut EditorState, path: &Path) {
    if let Some(doc) = state.docs.iter().find(|doc| doc.origin == DocOrigin::BuiltIn(path.to_path_buf())) {
        state.tab = Tab::Doc(doc.id);
        return;
    }
    match store::built_in_source(&path.to_string_lossy()) {
        Some(source) => add_doc(state, DocOrigin::BuiltIn(path.to_path_buf()), (*source.text).into(), true),
        None => notify(state, Notice::error(format!("no built-in design {}", path.display()))),
    }
}

pub(super) fn add_doc(state: &mut EditorState, origin: DocOrigin, text: Arc<str>, saved: bool) {
    let id = state.allocate_doc_id();
    let doc = Doc::new(id, origin, text, saved, &state.rulesets);
    state.docs.push(doc);
    state.tab = Tab::Doc(id);
}

fn files_picked(state: &mut EditorState, paths: Vec<PathBuf>, then: PickPurpose, jobs: &Jobs) {
    for path in paths {
        match then {
            PickPurpose::Open => persistence::open(state, &path),
            PickPurpose::Compare => inspector::compare_with_file(state, path),
            PickPurpose::FillDialogPath => match &mut state.dialog {
                Some(Dialog::SaveAs { path: typed }) => *typed = path.to_string_lossy().into_owned(),
                Some(Dialog::Tokens(ask)) => ask.folder = path.to_string_lossy().into_owned(),
                Some(Dialog::Print(ask)) => {
                    let mut ask = ask.clone();
                    ask.path = path.to_string_lossy().into_owned();
                    printing::update_dialog(state, *ask);
                }
                _ => {}
            },
            PickPurpose::Workspace => library_browser::apply(state, LibraryCommand::SetWorkspace(path), jobs),
            PickPurpose::FilledForm => fleet_exchange::read_form(state, path, jobs),
        }
    }
}
