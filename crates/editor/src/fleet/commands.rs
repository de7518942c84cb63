//! Fleet commands other than edits of the text: the sheet shown, choosing designs, ticking boxes, opening classes and
//! saving variants. Takes a command and the state, gives the commands that follow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fleet::model::FleetCommand;
use crate::fleet::{damage, design_chooser, edits};
use crate::language::say;
use crate::library_browser::model::LibraryCommand;
use crate::paths::{absolute_path, relative_path_from};
use crate::{Command, Dialog, Edit, EditorState, FormTarget, InspectorTab, Notice, Pane};
use moldloft_base::finding::Cause;
use moldloft_base::sanitize::design_file_name;
use moldloft_library::library::{ClassSource, LoadedRuleset, renamed_design_text, toml_text};
use moldloft_library::store;

pub const NEW_FLEET_NAME: &str = "New fleet";

pub fn apply(state: &mut EditorState, command: FleetCommand) -> Vec<Command> {
    let edit = |edit: Option<Edit>| edit.map(Command::Edit).into_iter().collect();
    match command {
        FleetCommand::New(game) => create_fleet(state, &game),
        FleetCommand::ShowUnit(unit) => state.update_doc(|doc, _| doc.show_unit(unit)),
        FleetCommand::OpenDesignChooser(purpose) => {
            design_chooser::open(state, purpose);
            if !state.library.is_scanned {
                return vec![Command::Library(LibraryCommand::Scan)];
            }
        }
        FleetCommand::UpdateDesignChooser(chooser) => design_chooser::update_chooser(state, *chooser),
        FleetCommand::ConfirmDesignChooser => return design_chooser::confirm(state),
        FleetCommand::ToggleBox { stem, number } => {
            return edit(state.current_doc().and_then(|doc| damage::toggle_box(doc, &stem, number)));
        }
        FleetCommand::MarkBoxes { boxes, ticked } => {
            return edit(state.current_doc().and_then(|doc| damage::mark_boxes(doc, &boxes, ticked)));
        }
        FleetCommand::SetBoxes { stem, boxes } => {
            match state.current_doc().and_then(|doc| damage::set_boxes(doc, &stem, &boxes)).transpose() {
                Ok(ticked) => return edit(ticked),
                Err(message) => state.notify(Notice::error(message)),
            }
        }
        FleetCommand::ClearDamage => return edit(state.current_doc().and_then(damage::clear_damage)),
        FleetCommand::EditClass => return edit_class(state).into_iter().collect(),
        FleetCommand::OpenVariantDialog => open_variant_dialog(state),
        FleetCommand::SaveVariant { ship, name } => return save_variant(state, ship, &name),
    }
    Vec::new()
}

fn create_fleet(state: &mut EditorState, game: &Arc<str>) {
    let name = state.library.name.trim();
    let new_name = say(NEW_FLEET_NAME);
    let name = if name.is_empty() { &new_name } else { name };
    let quoted = |text: &str| toml_text(&moldloft_rules::formula::Value::Text(text.into())).unwrap_or_default();
    if let LoadedRuleset::Broken(findings) = state.rulesets.find(game) {
        let why = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
        return state.notify(Notice::error(format!("{game}: {why}")));
    }
    let text = format!("ruleset = {}\nname = {}\nside = \"\"\n", quoted(game), quoted(name));
    state.library.name.clear();
    state.library.game = None;
    state.add_doc(None, text.into(), false);
    // The name is typed next.
    state.go_to = Some(FormTarget::TopKey("name"));
    state.pane = Pane::Form;
}

fn shown_class(state: &EditorState) -> Option<(u32, Arc<moldloft_library::library::FleetClass>)> {
    let fleet = state.current_doc()?.as_fleet()?;
    let unit = fleet.shown_unit()?;
    Some((fleet.fleet().ships.get(unit.entry)?.index, unit.class.clone()))
}

fn edit_class(state: &mut EditorState) -> Option<Command> {
    let (_, class) = shown_class(state)?;
    match &class.source {
        ClassSource::File(file) if file.built_in => Some(Command::OpenBuiltIn(file.path.clone())),
        ClassSource::File(file) => Some(Command::Open(file.path.clone())),
        ClassSource::Embedded(_) => {
            let text = "this class is embedded in the fleet's file: save it as a variant to edit it in its own tab";
            state.notify(Notice::info(text));
            None
        }
    }
}

fn open_variant_dialog(state: &mut EditorState) {
    let Some((ship, class)) = shown_class(state) else { return };
    let name = class.design.name.as_ref().map_or_else(|| "Class".to_owned(), |word| word.text.trim().to_owned());
    state.dialog = Some(Dialog::NameVariant { ship, name: format!("{name} II") });
}

/// Saves the class under a new name in the folder of its file, or in the workspace, and assigns it to the ship.
fn save_variant(state: &mut EditorState, ship: u32, name: &str) -> Vec<Command> {
    let name = name.trim();
    let Some((shown, class)) = shown_class(state).filter(|_| !name.is_empty()) else { return Vec::new() };
    if shown != ship {
        return Vec::new();
    }
    let Some(ruleset) = state.current_doc().and_then(|doc| doc.ruleset_id()).cloned() else { return Vec::new() };
    let own = match &class.source {
        ClassSource::File(file) => file.disk_path().and_then(Path::parent).map(Path::to_path_buf),
        ClassSource::Embedded(_) => None,
    };
    let workspace = || Some(state.store.workspace()?.join("designs").join(&*ruleset));
    let beside = || state.current_doc()?.path()?.parent().map(Path::to_path_buf);
    let Some(folder) = own.or_else(workspace).or_else(beside) else {
        let text = "no folder to save a variant in: open one on the start page, or save the fleet first";
        state.notify(Notice::error(text));
        return Vec::new();
    };
    let path: PathBuf = absolute_path(&folder.join(design_file_name(name)));
    let text = renamed_design_text(&class.design.source, name);
    let saved = store::make_folder(&folder).and_then(|()| store::save_new(&path, text.as_bytes()));
    if let Err(finding) = saved {
        let help = if finding.cause == Some(Cause::FileExists) { "; give the variant another name" } else { "" };
        state.notify(Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
        return Vec::new();
    }
    state.dialog = None;
    // By path if the fleet has a folder, or else by name.
    let near =
        state.current_doc().and_then(|doc| doc.path()?.parent()).and_then(|folder| relative_path_from(folder, &path));
    let word = near.unwrap_or_else(|| name.to_owned());
    let edit = state.current_doc().and_then(|doc| edits::set_class(doc.as_fleet()?.fleet(), &[ship], &word));
    state.inspector_tab = InspectorTab::Ship;
    let text = format!("Saved: {}; use Edit class to change it", path.display());
    let edit = edit.map(Command::Edit);
    edit.into_iter().chain([Command::RereadFiles(vec![path]), Command::Notify(Notice::info(text))]).collect()
}
