//! What is done about a fleet beside editing its text: which sheet is shown, designs chosen for it, boxes ticked, its classes opened and saved as
//! variants. Carries out its own commands for `apply`; files go through `store`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::apply::{Effects, notify};
use crate::editor::command::{Command, Dialog};
use crate::editor::doc::DocOrigin;
use crate::editor::state::{EditorState, FormTarget, InspectorTab, Notice, Pane};
use crate::finding::Cause;
use crate::library::{ClassSource, LoadedRuleset, renamed_design_text, toml_text};
use crate::sanitize::design_file_name;
use crate::store;

use super::design_chooser::{self, DesignChooser, DesignChooserPurpose};
use super::{candidates, damage, edits};

/// The name a new fleet has when the player gives none.
pub const NEW_FLEET_NAME: &str = "New fleet";

/// What can be done about a fleet.
#[derive(Clone, Debug)]
pub enum FleetCommand {
    /// Begins a fleet for a game.
    New(Arc<str>),
    /// Shows the sheet of another unit of the ship chosen.
    ShowUnit(u32),
    /// Opens the dialog in which designs are chosen.
    OpenDesignChooser(DesignChooserPurpose),
    /// Another state of that dialog.
    UpdateDesignChooser(Box<DesignChooser>),
    /// Does what was chosen there.
    ConfirmDesignChooser,
    /// Ticks a box of the sheet that is shown, or takes the tick off.
    ToggleBox {
        /// The stem of its mark.
        stem: String,
        /// Which of them, from 1.
        number: u32,
    },
    /// Ticks these boxes of a stem and no others: `1-12, 14`.
    SetBoxes {
        /// The stem of the marks.
        stem: String,
        /// Which.
        boxes: String,
    },
    /// Takes every tick off the ships chosen.
    ClearDamage,
    /// Opens the design of the ship that is shown.
    EditClass,
    /// Asks for the name of a variant of her class.
    OpenVariantDialog,
    /// Saves the variant, and makes her one.
    SaveVariant {
        /// The ship.
        ship: u32,
        /// The new class.
        name: String,
    },
}

/// Carries it out.
pub fn apply(state: &mut EditorState, command: FleetCommand, outside: &mut Effects<'_>) {
    let edit = match command {
        FleetCommand::New(game) => return create_fleet(state, &game),
        FleetCommand::ShowUnit(beside) => {
            return crate::editor::apply::update_doc(state, |doc, _| {
                doc.show_unit(beside);
                true
            });
        }
        FleetCommand::OpenDesignChooser(what) => {
            if !state.library.is_scanned {
                let look = Command::Library(crate::editor::library_browser::LibraryCommand::Scan);
                crate::editor::apply::apply(state, look, outside);
            }
            return design_chooser::open(state, what);
        }
        FleetCommand::UpdateDesignChooser(choosing) => return design_chooser::update_chooser(state, *choosing),
        FleetCommand::ConfirmDesignChooser => design_chooser::confirm(state),
        FleetCommand::ToggleBox { stem, number } => {
            state.current_doc().and_then(|doc| damage::toggle_box(doc, &stem, number))
        }
        FleetCommand::SetBoxes { stem, boxes } => {
            match state.current_doc().and_then(|doc| damage::set_boxes(doc, &stem, &boxes)) {
                Some(Ok(edit)) => Some(edit),
                Some(Err(words)) => return notify(state, Notice::error(words)),
                None => None,
            }
        }
        FleetCommand::ClearDamage => state.current_doc().and_then(damage::clear_damage),
        FleetCommand::EditClass => return edit_class(state, outside),
        FleetCommand::OpenVariantDialog => return open_variant_dialog(state),
        FleetCommand::SaveVariant { ship, name } => return save_variant(state, ship, &name, outside),
    };
    if let Some(edit) = edit {
        crate::editor::apply::apply(state, Command::Edit(edit), outside);
    }
}

/// A new fleet.
fn create_fleet(state: &mut EditorState, game: &Arc<str>) {
    let name = state.library.name.trim();
    let name = if name.is_empty() { NEW_FLEET_NAME } else { name };
    let quoted = |text: &str| toml_text(&crate::formula::Value::Text(text.into())).unwrap_or_default();
    if let LoadedRuleset::Broken(findings) = state.rulesets.find(game) {
        let why = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
        return notify(state, Notice::error(format!("{game}: {why}")));
    }
    let text = format!("ruleset = {}\nname = {}\nside = \"\"\n", quoted(game), quoted(name));
    state.library.name.clear();
    state.library.game = None;
    crate::editor::apply::add_doc(state, DocOrigin::New, text.into(), false);
    // What is typed next is its name.
    state.go_to = Some(FormTarget::TopKey("name"));
    state.pane = Pane::Form;
}

/// The class of the ship that is shown.
fn shown_class(state: &EditorState) -> Option<(u32, Arc<crate::library::FleetClass>)> {
    let fleet = state.current_doc()?.as_fleet()?;
    let unit = fleet.shown_unit()?;
    Some((fleet.fleet().ships.get(unit.entry)?.index, unit.class.clone()))
}

fn edit_class(state: &mut EditorState, outside: &mut Effects<'_>) {
    let Some((_, class)) = shown_class(state) else { return };
    let command = match &class.source {
        ClassSource::File(file) if file.built_in => Command::OpenBuiltIn(file.path.clone()),
        ClassSource::File(file) => Command::Open(file.path.clone()),
        ClassSource::Embedded(_) => {
            let text = "this class is embedded in the fleet's file: save it as a variant to edit it in its own tab";
            return notify(state, Notice::info(text));
        }
    };
    crate::editor::apply::apply(state, command, outside);
}

fn open_variant_dialog(state: &mut EditorState) {
    let Some((ship, class)) = shown_class(state) else { return };
    let name = class.design.name.as_ref().map_or_else(|| "Class".to_owned(), |word| word.text.trim().to_owned());
    state.dialog = Some(Dialog::NameVariant { ship, name: format!("{name} II") });
}

/// Writes the class under a new name beside its file, or into the workspace, and lets the ship be one.
fn save_variant(state: &mut EditorState, ship: u32, name: &str, outside: &mut Effects<'_>) {
    let name = name.trim();
    let Some((shown, class)) = shown_class(state).filter(|_| !name.is_empty()) else { return };
    if shown != ship {
        return;
    }
    let Some(ruleset) = state.current_doc().and_then(|doc| doc.ruleset_id()).cloned() else { return };
    let own = match &class.source {
        ClassSource::File(file) => file.disk_path().and_then(Path::parent).map(Path::to_path_buf),
        ClassSource::Embedded(_) => None,
    };
    let workspace = || Some(state.store.workspace()?.join("designs").join(&*ruleset));
    let beside = || state.current_doc()?.path()?.parent().map(Path::to_path_buf);
    let Some(folder) = own.or_else(workspace).or_else(beside) else {
        let text = "no folder to save a variant in: open one on the start page, or save the fleet first";
        return notify(state, Notice::error(text));
    };
    let path: PathBuf = crate::editor::persistence::absolute_path(&folder.join(design_file_name(name)));
    let text = renamed_design_text(&class.design.source, name);
    let saved = store::make_folder(&folder).and_then(|()| store::save_new(&path, text.as_bytes()));
    if let Err(finding) = saved {
        let help = if finding.cause == Some(Cause::FileExists) { "; give the variant another name" } else { "" };
        return notify(state, Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
    }
    state.dialog = None;
    // By its path where the fleet lies in a place of its own, else by its name.
    let near = state
        .current_doc()
        .and_then(|doc| doc.path()?.parent())
        .and_then(|folder| candidates::relative_path_from(folder, &path));
    let word = near.unwrap_or_else(|| name.to_owned());
    let edit = state.current_doc().and_then(|doc| edits::set_class(doc.as_fleet()?.fleet(), &[ship], &word));
    if let Some(edit) = edit {
        crate::editor::apply::apply(state, Command::Edit(edit), outside);
    }
    crate::editor::apply::files_changed(state, std::slice::from_ref(&path), outside.jobs);
    let text = format!("Saved: {}; use Edit class to change it", path.display());
    notify(state, Notice::info(text));
    state.inspector_tab = InspectorTab::Ship;
}
