//! The only function that changes the state: takes the state and a command, carries it out with the commands that
//! follow. Only this module knows all features.

use std::path::{Path, PathBuf};

use crate::bundles::model::BundleCommand;
use crate::effects::{Effects, persistence};
use crate::file_chooser::model::FileChooserCommand;
use crate::fleet_exchange::model::ExchangeCommand;
use crate::library_browser::model::LibraryCommand;
use crate::preview::{PreviewChange, PreviewSettings, Zoom};
use crate::printing::model::PrintCommand;
use crate::{
    Command, Dialog, Edit, EditorState, FormTarget, Jobs, Notice, Pane, PickPurpose, RightPage, SystemPicker, Tab,
    bundles, cell_trial, compare_page, fault, file_chooser, fit_edits, fix_all, fleet, fleet_exchange, guide,
    inspector, library_browser, odds_page, own_picture, palette, printing, rules_page, ruleset_status, suggest,
    system_costs,
};
use moldloft_library::exchange::bundle::is_bundle_text;
use moldloft_library::print::plural;
use moldloft_library::store::{self, FileRef};

/// Also asks for what has to follow every change: drafts, listed costs, tables of rules and what they change.
pub fn apply(state: &mut EditorState, command: Command, effects: &mut Effects<'_>) {
    carry_out(state, command, effects);
    persistence::sync_after_command(state, effects);
    suggest::sync_after_command(state);
    system_costs::request(state, effects.jobs);
    rules_page::request_tables(state, effects.jobs);
    cell_trial::request(state, effects.jobs);
    rules_page::request_impact(state, effects.jobs);
}

fn carry_out(state: &mut EditorState, command: Command, effects: &mut Effects<'_>) {
    if command.starts_something() {
        state.notices.retain(|notice| notice.is_error);
    }
    if command.replaces_text() {
        rules_page::forget_typed(state);
    }
    if command.shows_a_part() {
        compare_page::close(state);
    }
    let (saves, touches_files) = (command.saves(), command.touches_files());
    let mut follow_ups = dispatch(state, command, effects);
    if saves {
        // Designs by these rules are evaluated again.
        follow_ups.extend(rules_page::commands_after_save(state));
    }
    for command in follow_ups {
        carry_out(state, command, effects);
    }
    if touches_files && state.library.is_scanned {
        library_browser::apply(state, LibraryCommand::Scan, effects.jobs);
    }
}

/// Returns the commands that follow.
fn dispatch(state: &mut EditorState, command: Command, effects: &mut Effects<'_>) -> Vec<Command> {
    let mut follow_ups = Vec::new();
    match command {
        Command::ShowTab(tab) => state.show_tab(tab),
        Command::NextTab { back } => show_next_tab(state, back),
        Command::Close(id) => persistence::close(state, id),
        Command::CloseAnyway(id) => persistence::close_anyway(state, id),
        Command::Quit => persistence::quit(state),
        Command::QuitAnyway => persistence::quit_anyway(state),
        Command::Open(path) => persistence::open(state, &path),
        Command::OpenBuiltIn(path) => open_built_in(state, &path),
        Command::Glance(file) => glance(state, &file),
        Command::KeepTab(id) => state.glance_tab = state.glance_tab.filter(|glance| *glance != id),
        Command::KeepCurrentTab => state.glance_tab = state.glance_tab.filter(|id| state.tab != Tab::Doc(*id)),
        Command::OpenText { text } => state.add_doc(None, text, false),
        Command::Save => persistence::save(state),
        Command::SaveAs => persistence::save_as(state),
        Command::SaveTo(path) => persistence::save_to(state, &path),
        Command::SaveAll => persistence::save_all(state),
        Command::PickFile(pick) if state.platform.has_file_chooser => {
            effects.platform.pick_file(pick, effects.jobs.sender());
        }
        Command::PickFile(pick) => {
            follow_ups.push(Command::FileChooser(FileChooserCommand::Open(Box::new(pick))));
        }
        Command::FilesPicked { paths, purpose: PickPurpose::Open } => {
            follow_ups.extend(paths.iter().flat_map(|path| bundles::commands_to_open(state, path)));
        }
        Command::FilesPicked { paths, purpose: PickPurpose::Picture } => {
            follow_ups.extend(paths.last().and_then(|path| own_picture::use_file(state, path)));
        }
        Command::FilesPicked { paths, purpose } => files_picked(state, paths, purpose, effects.jobs),
        Command::OpenExternally(path) => {
            if let Err(message) = effects.platform.open_externally(&path, effects.jobs.sender()) {
                let text = format!("cannot open {}: {message}", path.display());
                state.notices.push(Notice::error(text));
            }
        }
        Command::FileChooser(command) => follow_ups.extend(file_chooser::apply(state, command)),
        Command::FixAll(command) => follow_ups.extend(fix_all::apply(state, command)),
        Command::Suggest(command) => follow_ups = suggest::apply(state, command, effects.jobs),
        Command::RereadFiles(paths) => reread_files(state, &paths, effects.jobs),
        Command::Persistence(command) => follow_ups = persistence::apply(state, command, effects),
        Command::Library(command) => library_browser::apply(state, command, effects.jobs),
        Command::Edit(edit) => edit_doc(state, edit),
        Command::Undo => state.update_doc(|doc, rulesets| _ = doc.undo(rulesets)),
        Command::Redo => state.update_doc(|doc, rulesets| _ = doc.redo(rulesets)),
        Command::EndMerge => state.update_doc(|doc, _| doc.history.end_merge()),
        Command::Select(chosen) => state.update_doc(|doc, _| doc.select(chosen)),
        Command::SelectMount(mount) => state.update_doc(|doc, _| {
            doc.select(Vec::new());
            doc.selected_mount = Some(mount);
        }),
        Command::Bundle(command) => follow_ups = bundles::apply(state, command, effects.jobs),
        Command::Exchange(ExchangeCommand::ImportList(text)) if is_bundle_text(&text) => {
            follow_ups.push(Command::Bundle(BundleCommand::OpenText(text)));
        }
        Command::Exchange(command) => fleet_exchange::apply(state, command, effects.jobs),
        Command::Fleet(command) => follow_ups = fleet::apply(state, command),
        Command::Copy => copy_fits(state),
        Command::Cut => {
            copy_fits(state);
            if let Some(edit) = state.current_doc().and_then(fit_edits::remove_selected) {
                edit_doc(state, edit);
            }
        }
        Command::Paste(text) => paste_fits(state, text),
        Command::RequestPaste => state.wants_paste = true,
        Command::SystemPicker(picker) => {
            state.picker_on_sheet &= state.system_picker.is_some() && picker.is_some();
            state.system_picker = picker;
        }
        Command::PickForSheet(mount) => {
            state.system_picker = Some(SystemPicker { mount: Some(mount.to_string()), ..SystemPicker::default() });
            state.picker_on_sheet = true;
        }
        Command::SystemCosts(costs) => state.system_costs = costs,
        Command::ShowPane(pane) => state.pane = pane,
        Command::ShowPage(page) => {
            state.settings.page = page;
            state.pane = Pane::Sheet;
        }
        Command::Odds(command) => odds_page::apply(state, command, effects),
        Command::ShowInspectorTab(inspector) => {
            state.inspector_tab = inspector;
            show_inspector(state);
        }
        Command::Explain(target) => {
            inspector::explain(state, target);
            show_inspector(state);
        }
        Command::Compare(command) => follow_ups = compare_page::apply(state, command),
        Command::Guide(command) => follow_ups = guide::apply(state, command, effects.jobs),
        Command::Inspector(command) => follow_ups = inspector::apply(state, command),
        Command::RulesPage(command) => follow_ups = rules_page::apply(state, command, effects.jobs),
        Command::Rules(command) => follow_ups = ruleset_status::apply(state, command, effects.jobs),
        Command::GoTo(place) => {
            if !matches!(place, FormTarget::FitInView(_)) {
                state.pane = Pane::Form;
            }
            state.go_to = Some(place);
        }
        Command::ClearGoTo => state.go_to = None,
        Command::ShowIdentity(shown) => state.settings.identity = shown,
        Command::ToggleLibrary => state.settings.library = !state.settings.library,
        Command::SetTheme(theme) => state.settings.theme = theme,
        Command::DimPaper(dims) => state.settings.dim_paper = dims,
        Command::SetLanguage(language) => {
            state.settings.print.language.clone_from(&language);
            state.settings.language = language;
            library_browser::read_anew(state, effects.jobs);
        }
        Command::StepScale { larger } => state.settings.step_scale(larger),
        Command::ResetScale => state.settings.scale = 100,
        Command::Preview(change) if state.shows_pictures() && change.is_zoom() => {
            let mut zoomed = PreviewSettings { zoom: Zoom::FitWidth, ..state.settings.sheet.clone() };
            zoomed.apply_change(change, state.pictures_percent);
            state.pictures_percent = if let Zoom::Percent(percent) = zoomed.zoom { percent } else { 100.0 };
        }
        Command::Preview(change) => {
            if let PreviewChange::View(_) = change {
                state.settings.page = RightPage::Sheet;
            }
            let now = state.preview.percent();
            state.settings.sheet.apply_change(change, now);
        }
        Command::SetViewport(viewport) => state.preview.set_viewport(viewport),
        Command::PreviewRendered(rendered) => state.preview.accept_rendered(*rendered),
        Command::Palette(command) => follow_ups = palette::apply(state, command),
        Command::OpenDialog(dialog) => state.dialog = Some(dialog),
        Command::CloseDialog if file_chooser::close(state) || rules_page::cancel(state) => {}
        Command::CloseDialog => {
            printing::cancel(state);
            state.dialog = None;
            state.persistence.after_save = None;
        }
        Command::Print(mut print) => {
            if let PrintCommand::FilesWritten(_, _, shown) = &mut print
                && !state.platform.opens_files
            {
                shown.clear();
            }
            printing::apply(state, print, effects);
        }
        Command::CopyReport => copy_report(state),
        Command::Notify(notice) => state.notify(notice),
        Command::DismissNotice(n) => {
            if n < state.notices.len() {
                state.notices.remove(n);
            }
        }
    }
    follow_ups
}

/// The file takes the place of the one that was looked at before, unless that was changed.
fn glance(state: &mut EditorState, file: &FileRef) {
    let known: Vec<_> = state.docs.iter().map(|doc| doc.id).collect();
    match file.built_in {
        true => open_built_in(state, &file.path),
        false => persistence::open(state, &file.path),
    }
    let Some(new) = state.docs.last().map(|doc| doc.id).filter(|id| !known.contains(id)) else { return };
    let old = state.glance_tab.replace(new);
    let Some(at) = state.docs.iter().position(|doc| Some(doc.id) == old && !doc.is_changed()) else { return };
    if let (Some(doc), Some(old)) = (state.docs.pop(), old) {
        state.docs.insert(at, doc);
        persistence::close_anyway(state, old);
        state.tab = Tab::Doc(new);
    }
}

fn show_inspector(state: &mut EditorState) {
    state.pane = Pane::Inspector;
}

fn copy_fits(state: &mut EditorState) {
    let text = state.current_doc().and_then(fit_edits::selection_text);
    state.to_clipboard = text.or(state.to_clipboard.take());
}

fn copy_report(state: &mut EditorState) {
    let shown = state.persistence.fault.clone().filter(|_| state.dialog == Some(Dialog::RecoverDrafts));
    let report = shown.unwrap_or_else(|| fault::report_of(Some(state), None));
    let lines = plural(report.lines().count(), "line");
    state.notify(Notice::info(format!(
        "Report copied, {lines}: paste it into a message. Your folders and name are not in it."
    )));
    state.to_clipboard = Some(report);
}

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
        let message = if is_done { "Pasted in part" } else { "Not pasted" };
        state.notify(Notice::info(format!("{message}: {why}")));
    }
    if let Some(message) = state.current_doc().and_then(fit_edits::describe_unknown_fits) {
        state.notify(Notice::info(message));
    }
}

/// Reloads what depends on changed files: rules and what is evaluated by them, fleets, the library.
fn reread_files(state: &mut EditorState, paths: &[PathBuf], jobs: &Jobs) {
    ruleset_status::files_changed(state, paths, jobs);
    if paths.iter().any(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"))) {
        state.reevaluate_open_fleets();
    }
    // Templates and icons are reloaded whenever a sheet is drawn; a ruleset may name others than before.
    let is_design =
        |path: &PathBuf| path.components().any(|part| matches!(part.as_os_str().to_str(), Some("designs" | "fleets")));
    let sheets = !paths.iter().all(is_design);
    if sheets {
        library_browser::apply(state, LibraryCommand::Invalidate, jobs);
    } else if state.library.is_scanned {
        library_browser::apply(state, LibraryCommand::Scan, jobs);
    }
}

/// Edits the current document; a built-in one becomes a copy first.
fn edit_doc(state: &mut EditorState, edit: Edit) {
    let Tab::Doc(id) = state.tab else { return };
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return };
    let mut edit = edit;
    if doc.is_built_in() && doc.as_ruleset().is_some() {
        // Never a copy of the rules: changes are made in a layer.
        return state.notify(Notice::error("cannot change a built-in ruleset; make a house layer"));
    }
    if let (true, Some(fleet)) = (doc.is_built_in(), doc.as_fleet()) {
        // A copy has no folder yet, so it refers to designs by name.
        edit.steps.splice(0..0, fleet::rebase::rebase_steps(fleet, None));
    }
    match doc.edit(edit, &state.rulesets) {
        Ok(false) => {}
        Ok(true) => {
            state.glance_tab = state.glance_tab.filter(|glance| *glance != id);
            if doc.is_built_in() {
                // After undoing all changes it is the built-in one again, and closing it loses nothing.
                doc.copied_from = doc.file.take();
                doc.evaluate(&state.rulesets);
            }
        }
        Err(finding) => {
            state.notify(Notice::from_finding(&finding));
        }
    }
}

fn show_next_tab(state: &mut EditorState, back: bool) {
    let tabs: Vec<Tab> = std::iter::once(Tab::Start).chain(state.docs.iter().map(|doc| Tab::Doc(doc.id))).collect();
    let at = tabs.iter().position(|tab| *tab == state.tab).unwrap_or(0);
    let next = if back { at + tabs.len() - 1 } else { at + 1 } % tabs.len();
    state.show_tab(tabs[next]);
}

fn open_built_in(state: &mut EditorState, path: &Path) {
    let file = FileRef::built_in(path);
    if let Some(doc) = state.docs.iter().find(|doc| doc.file.as_ref() == Some(&file)) {
        state.tab = Tab::Doc(doc.id);
        return;
    }
    match store::built_in_source(&path.to_string_lossy()) {
        Some(source) => state.add_doc(Some(file), (*source.text).into(), true),
        None => state.notify(Notice::error(format!("no built-in design {}", path.display()))),
    }
}

fn files_picked(state: &mut EditorState, paths: Vec<PathBuf>, purpose: PickPurpose, jobs: &Jobs) {
    for path in paths {
        match purpose {
            // Left to the commands that follow.
            PickPurpose::Open | PickPurpose::Picture => {}
            PickPurpose::Compare => compare_page::add_file(state, path),
            PickPurpose::FillDialogPath => match &mut state.dialog {
                Some(Dialog::SaveAs { path: typed }) => *typed = path.to_string_lossy().into_owned(),
                Some(Dialog::Share(ask)) => ask.path = path.to_string_lossy().into_owned(),
                Some(Dialog::Bundle(_)) => {
                    let folder = path.to_string_lossy().into_owned();
                    bundles::apply(state, BundleCommand::SetFolder(folder), jobs);
                }
                Some(Dialog::Tokens(ask)) => ask.folder = path.to_string_lossy().into_owned(),
                Some(Dialog::OddsFile(ask)) => {
                    ask.path = path.to_string_lossy().into_owned();
                    ask.existing = None;
                }
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
