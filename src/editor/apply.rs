//! The one function that changes the state: takes it and a command, carries the command out. Files go through `store`, the system through
//! the desk, long work into jobs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::library::Games;
use crate::store;

use super::browse::{self, Browsing};
use super::chooser;
use super::command::{Command, Dialog};
use super::desk::{Desk, Picked};
use super::doc::{Doc, Origin};
use super::edit::Edit;
use super::fits;
use super::fleet;
use super::inspect;
use super::jobs::Jobs;
use super::keep::{self, Keeping};
use super::mending;
use super::prices;
use super::printing;
use super::rules;
use super::state::{Notice, Pane, Place, State, Tab};
use super::trading;

/// What commands reach beside the state.
pub struct Outside<'a> {
    /// Threads.
    pub jobs: &'a Jobs,
    /// The system.
    pub desk: &'a mut dyn Desk,
}

/// Carries a command out.
pub fn apply(state: &mut State, command: Command, outside: &mut Outside<'_>) {
    use Command::{Chosen, Open, Save, SaveAll, SaveTo};
    let touches_files = matches!(command, Open(_) | Chosen { .. } | Save | SaveTo(_) | SaveAll)
        || matches!(command, Command::Keep(Keeping::Replace { .. } | Keeping::SaveAndClose(_)));
    if is_action(&command) {
        state.notices.retain(|notice| notice.is_error);
    }
    match command {
        Command::Show(tab) => show(state, tab),
        Command::NextTab { back } => next_tab(state, back),
        Command::Close(id) => keep::close(state, id),
        Command::CloseAnyway(id) => keep::close_anyway(state, id),
        Command::Quit => keep::quit(state),
        Command::QuitAnyway => keep::leave(state),
        Command::Open(path) => keep::open(state, &path),
        Command::OpenBuiltIn(path) => open_built_in(state, &path),
        Command::OpenText { text } => add(state, Origin::New, text, false),
        Command::Save => keep::save(state),
        Command::SaveAs => keep::save_as(state),
        Command::SaveTo(path) => keep::save_to(state, &path),
        Command::SaveAll => keep::save_all(state),
        Command::Pick(pick) => outside.desk.pick(pick, outside.jobs.give()),
        Command::Chosen { paths, then } => chosen(state, paths, then, outside.jobs),
        Command::View(path) => {
            if let Err(words) = outside.desk.view(&path) {
                let text = format!("cannot open {}: {words}", path.display());
                state.notices.push(Notice::error(text));
            }
        }
        Command::Files(filing) => {
            if let Some(then) = chooser::apply(state, filing) {
                return apply(state, then, outside);
            }
        }
        Command::Mend(mend) => {
            if let Some(then) = mending::apply(state, mend) {
                return apply(state, then, outside);
            }
        }
        Command::Keep(keeping) => keep::apply(state, keeping, outside),
        Command::Browse(browsing) => browse::apply(state, browsing, outside.jobs),
        Command::Edit(edit) => change(state, edit),
        Command::Undo => with_doc(state, |doc, games| doc.undo(games)),
        Command::Redo => with_doc(state, |doc, games| doc.redo(games)),
        Command::Seal => with_doc(state, |doc, _| {
            doc.history.seal();
            true
        }),
        Command::Select(chosen) => with_doc(state, |doc, _| {
            doc.choose(chosen);
            true
        }),
        Command::ChooseMount(mount) => with_doc(state, |doc, _| {
            doc.choose(Vec::new());
            doc.mount = Some(mount);
            true
        }),
        Command::Trade(trade) => trading::apply(state, trade, outside),
        Command::Fleet(mustering) => fleet::apply(state, mustering, outside),
        Command::Copy => copy(state),
        Command::Cut => {
            copy(state);
            if let Some(edit) = state.doc().and_then(fits::delete) {
                change(state, edit);
            }
        }
        Command::Paste(text) => paste(state, text),
        Command::AskPaste => state.wants_paste = true,
        Command::Palette(palette) => state.palette = palette,
        Command::Prices(prices) => state.prices = prices,
        Command::Pane(pane) => state.pane = pane,
        Command::Inspect(inspector) => {
            state.inspector = inspector;
            state.pane = Pane::Known;
        }
        Command::Explain(asked) => {
            inspect::explain(state, asked);
            state.pane = Pane::Known;
        }
        Command::Inspecting(inspecting) => {
            for command in inspect::apply(state, inspecting) {
                apply(state, command, outside);
            }
        }
        Command::Rules(ruling) => rules::apply(state, ruling, outside.jobs),
        Command::GoTo(place) => {
            state.go_to = Some(place);
            state.pane = Pane::Form;
        }
        Command::Arrived => state.go_to = None,
        Command::ToggleLibrary => state.settings.library = !state.settings.library,
        Command::SetTheme(theme) => state.settings.theme = theme,
        Command::Scale { larger } => state.settings.step_scale(larger),
        Command::PlainScale => state.settings.scale = 100,
        Command::Sheet(change) => {
            let now = state.preview.percent();
            state.settings.sheet.change(change, now);
        }
        Command::Look(look) => state.preview.set_look(look),
        Command::Drawn(drawn) => state.preview.drawn(*drawn),
        Command::Ask(dialog) => state.dialog = Some(dialog),
        Command::Dismiss if chooser::close(state) => {}
        Command::Dismiss => {
            printing::called_off(state);
            state.dialog = None;
            state.keep.after = None;
        }
        Command::Print(print) => printing::apply(state, print, outside),
        Command::Notice(notice) => tell(state, notice),
        Command::DismissNotice(n) => {
            if n < state.notices.len() {
                state.notices.remove(n);
            }
        }
    }
    keep::settle(state, outside);
    if touches_files && state.browse.is_known {
        browse::apply(state, Browsing::Look, outside.jobs);
    }
    // What is listed follows every edit.
    prices::ask(state, outside.jobs);
}

/// Whether it is something that a player does next: then what went well before has been read.
fn is_action(command: &Command) -> bool {
    use Command::{
        Ask, Close, Cut, Edit, Open, OpenBuiltIn, Paste, Print, Redo, Save, SaveAll, SaveAs, SaveTo, Show, Undo,
    };
    matches!(command, Show(_) | Close(_) | Open(_) | OpenBuiltIn(_) | Save | SaveAs | SaveTo(_) | SaveAll)
        || matches!(command, Edit(_) | Undo | Redo | Cut | Paste(_) | Ask(_))
        || matches!(command, Print(printing::Print::Open(_) | printing::Print::Start))
}

fn copy(state: &mut State) {
    let text = state.doc().and_then(fits::copy);
    state.to_clipboard = text.or(state.to_clipboard.take());
}

/// Puts the fits of a text in and says what of it these rules do not know.
fn paste(state: &mut State, text: String) {
    let Some((edit, refused)) = state.doc().map(|doc| fits::paste(doc, text)) else { return };
    let is_done = edit.is_some();
    if let Some(edit) = edit {
        let before = state.doc().map(|doc| doc.revision);
        change(state, edit);
        let doc = state.doc().filter(|doc| Some(doc.revision) != before);
        state.go_to = doc.and_then(|doc| doc.selected.first()).map(|fit| Place::Fit(*fit)).or(state.go_to.take());
    }
    if let Some(why) = refused {
        let words = if is_done { "Pasted in part" } else { "Not pasted" };
        tell(state, Notice::info(format!("{words}: {why}")));
    }
    if let Some(words) = state.doc().and_then(fits::strangers) {
        tell(state, Notice::info(words));
    }
}

/// Files were changed by another program: rules and what they judge, the library, comparisons.
pub(super) fn files_changed(state: &mut State, paths: &[PathBuf], jobs: &Jobs) {
    rules::files_changed(state, paths, jobs);
    if paths.iter().any(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"))) {
        fleet::designs_changed(state);
    }
    // Templates and icons are read anew wherever a sheet is drawn; a ruleset may name others than before.
    let is_design =
        |path: &PathBuf| path.components().any(|part| matches!(part.as_os_str().to_str(), Some("designs" | "fleets")));
    let sheets = !paths.iter().all(is_design);
    if sheets {
        browse::apply(state, Browsing::Renew, jobs);
    } else if state.browse.is_known {
        browse::apply(state, Browsing::Look, jobs);
    }
}

/// Tells something once.
pub(super) fn tell(state: &mut State, notice: Notice) {
    state.notices.retain(|other| *other != notice);
    state.notices.push(notice);
}

/// Shows the start page, ready for a new design: of the game that is in use, the keyboard on its name.
pub(super) fn begin(state: &mut State) {
    let named = state.doc().and_then(|doc| doc.rules_named()).cloned();
    let lately = || state.docs.last().and_then(|doc| doc.rules_named()).cloned();
    let game = named.or_else(lately);
    let is_ready = |id: &Arc<str>| state.games.find(id).ruleset().is_some();
    let game = game.filter(is_ready).or(state.browse.game.take());
    show(state, Tab::Start);
    state.pane = Pane::Form;
    state.browse.game = game;
    state.browse.wants_name = true;
}

pub(super) fn with_doc(state: &mut State, to: impl FnOnce(&mut Doc, &Games) -> bool) {
    let Tab::Doc(id) = state.tab else { return };
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
        to(doc, &state.games);
    }
}

/// Edits the design before the player; a built-in one becomes a copy first.
fn change(state: &mut State, edit: Edit) {
    let Tab::Doc(id) = state.tab else { return };
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return };
    let mut edit = edit;
    if let (Origin::BuiltIn(_), Some(fleet)) = (&doc.origin, doc.fleet()) {
        // A copy lies nowhere yet: its designs are called by their names.
        edit.steps.splice(0..0, fleet::moved::steps(fleet, None));
    }
    match doc.edit(edit, &state.games) {
        Ok(false) => {}
        Ok(true) => {
            if let Origin::BuiltIn(path) = &doc.origin {
                // Undone to the start it is the built-in one again, and nothing would be lost.
                doc.copied = Some(path.clone());
                doc.origin = Origin::New;
                doc.judge(&state.games);
            }
        }
        Err(finding) => {
            let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
            tell(state, Notice::error(format!("{}{help}", finding.message)));
        }
    }
}

fn show(state: &mut State, tab: Tab) {
    if let Tab::Doc(id) = tab
        && state.doc_of(id).is_none()
    {
        return;
    }
    with_doc(state, |doc, _| {
        doc.history.seal();
        true
    });
    state.palette = None;
    state.tab = tab;
}

fn next_tab(state: &mut State, back: bool) {
    let tabs: Vec<Tab> = std::iter::once(Tab::Start).chain(state.docs.iter().map(|doc| Tab::Doc(doc.id))).collect();
    let at = tabs.iter().position(|tab| *tab == state.tab).unwrap_or(0);
    let next = if back { at + tabs.len() - 1 } else { at + 1 } % tabs.len();
    show(state, tabs[next]);
}

fn open_built_in(state: &mut State, path: &Path) {
    if let Some(doc) = state.docs.iter().find(|doc| doc.origin == Origin::BuiltIn(path.to_path_buf())) {
        state.tab = Tab::Doc(doc.id);
        return;
    }
    match store::built_in(&path.to_string_lossy()) {
        Some(source) => add(state, Origin::BuiltIn(path.to_path_buf()), (*source.text).into(), true),
        None => tell(state, Notice::error(format!("no built-in design {}", path.display()))),
    }
}

pub(super) fn add(state: &mut State, origin: Origin, text: Arc<str>, saved: bool) {
    let id = state.new_id();
    let doc = Doc::new(id, origin, text, saved, &state.games);
    state.docs.push(doc);
    state.tab = Tab::Doc(id);
}

fn chosen(state: &mut State, paths: Vec<PathBuf>, then: Picked, jobs: &Jobs) {
    for path in paths {
        match then {
            Picked::Open => keep::open(state, &path),
            Picked::Compare => inspect::chosen(state, path),
            Picked::IntoDialog => match &mut state.dialog {
                Some(Dialog::SaveAs { path: typed }) => *typed = path.to_string_lossy().into_owned(),
                Some(Dialog::Tokens(ask)) => ask.folder = path.to_string_lossy().into_owned(),
                Some(Dialog::Print(ask)) => {
                    let mut ask = ask.clone();
                    ask.path = path.to_string_lossy().into_owned();
                    printing::change(state, *ask);
                }
                _ => {}
            },
            Picked::Workspace => browse::apply(state, Browsing::Workspace(path), jobs),
            Picked::Form => trading::read_form(state, path, jobs),
        }
    }
}
