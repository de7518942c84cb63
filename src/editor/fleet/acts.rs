//! What is done about a fleet beside editing its text: which sheet is shown, designs chosen for it, boxes ticked, its classes opened and saved as
//! variants. Carries out its own commands for `apply`; files go through `store`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cleaning::design_file;
use crate::editor::apply::{Outside, tell};
use crate::editor::command::{Command, Dialog};
use crate::editor::doc::Origin;
use crate::editor::state::{Inspector, Notice, Pane, Place, State};
use crate::library::Loaded;
use crate::library::basis::renamed;
use crate::library::fleet::ClassFrom;
use crate::library::words::toml_text;
use crate::store;

use super::choosing::{self, Choosing, For};
use super::{candidates, damage, edits};

/// The name a new fleet has when the player gives none.
pub const NEW_FLEET: &str = "New fleet";

/// What can be done about a fleet.
#[derive(Clone, Debug)]
pub enum Mustering {
    /// Begins a fleet for a game.
    Begin(Arc<str>),
    /// Shows the sheet of another unit of the ship chosen.
    Beside(u32),
    /// Opens the dialog in which designs are chosen.
    Choose(For),
    /// Another state of that dialog.
    Chosen(Box<Choosing>),
    /// Does what was chosen there.
    Take,
    /// Ticks a box of the sheet that is shown, or takes the tick off.
    Mark {
        /// The stem of its mark.
        stem: String,
        /// Which of them, from 1.
        number: u32,
    },
    /// Ticks these boxes of a stem and no others: `1-12, 14`.
    Hits {
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
    AskVariant,
    /// Saves the variant, and makes her one.
    SaveVariant {
        /// The ship.
        ship: u32,
        /// The new class.
        name: String,
    },
}

/// Carries it out.
pub fn apply(state: &mut State, command: Mustering, outside: &mut Outside<'_>) {
    let edit = match command {
        Mustering::Begin(game) => return begin(state, &game),
        Mustering::Beside(beside) => {
            return crate::editor::apply::with_doc(state, |doc, _| {
                doc.show_beside(beside);
                true
            });
        }
        Mustering::Choose(what) => {
            if !state.browse.is_known {
                let look = Command::Browse(crate::editor::browse::Browsing::Look);
                crate::editor::apply::apply(state, look, outside);
            }
            return choosing::open(state, what);
        }
        Mustering::Chosen(choosing) => return choosing::change(state, *choosing),
        Mustering::Take => choosing::take(state),
        Mustering::Mark { stem, number } => state.doc().and_then(|doc| damage::toggle(doc, &stem, number)),
        Mustering::Hits { stem, boxes } => match state.doc().and_then(|doc| damage::set(doc, &stem, &boxes)) {
            Some(Ok(edit)) => Some(edit),
            Some(Err(words)) => return tell(state, Notice::error(words)),
            None => None,
        },
        Mustering::ClearDamage => state.doc().and_then(damage::clear),
        Mustering::EditClass => return edit_class(state, outside),
        Mustering::AskVariant => return ask_variant(state),
        Mustering::SaveVariant { ship, name } => return save_variant(state, ship, &name, outside),
    };
    if let Some(edit) = edit {
        crate::editor::apply::apply(state, Command::Edit(edit), outside);
    }
}

/// A new fleet.
fn begin(state: &mut State, game: &Arc<str>) {
    let name = state.browse.name.trim();
    let name = if name.is_empty() { NEW_FLEET } else { name };
    let quoted = |text: &str| toml_text(&crate::formula::Value::Text(text.into())).unwrap_or_default();
    if let Loaded::Broken(findings) = state.games.find(game) {
        let why = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
        return tell(state, Notice::error(format!("{game}: {why}")));
    }
    let text = format!("ruleset = {}\nname = {}\nside = \"\"\n", quoted(game), quoted(name));
    state.browse.name.clear();
    state.browse.game = None;
    crate::editor::apply::add(state, Origin::New, text.into(), false);
    // What is typed next is its name.
    state.go_to = Some(Place::Top("name"));
    state.pane = Pane::Form;
}

/// The class of the ship that is shown.
fn class(state: &State) -> Option<(u32, Arc<crate::library::fleet::Class>)> {
    let fleet = state.doc()?.fleet()?;
    let unit = fleet.shown_unit()?;
    Some((fleet.fleet().ships.get(unit.entry)?.index, unit.class.clone()))
}

fn edit_class(state: &mut State, outside: &mut Outside<'_>) {
    let Some((_, class)) = class(state) else { return };
    let command = match &class.from {
        ClassFrom::File(path) => Command::Open(path.clone()),
        ClassFrom::BuiltIn(name) => Command::OpenBuiltIn(name.clone()),
        ClassFrom::Embedded(_) => {
            let text = "this class is embedded in the fleet's file: save it as a variant to edit it in its own tab";
            return tell(state, Notice::info(text));
        }
    };
    crate::editor::apply::apply(state, command, outside);
}

fn ask_variant(state: &mut State) {
    let Some((ship, class)) = class(state) else { return };
    let name = class.design.name.as_ref().map_or_else(|| "Class".to_owned(), |word| word.text.trim().to_owned());
    state.dialog = Some(Dialog::Variant { ship, name: format!("{name} II") });
}

/// Writes the class under a new name beside its file, or into the workspace, and lets the ship be one.
fn save_variant(state: &mut State, ship: u32, name: &str, outside: &mut Outside<'_>) {
    let name = name.trim();
    let Some((shown, class)) = class(state).filter(|_| !name.is_empty()) else { return };
    if shown != ship {
        return;
    }
    let Some(ruleset) = state.doc().and_then(|doc| doc.rules_named()).cloned() else { return };
    let own = match &class.from {
        ClassFrom::File(path) => path.parent().map(Path::to_path_buf),
        ClassFrom::BuiltIn(_) | ClassFrom::Embedded(_) => None,
    };
    let workspace = || Some(state.store.workspace()?.join("designs").join(&*ruleset));
    let beside = || state.doc()?.path()?.parent().map(Path::to_path_buf);
    let Some(folder) = own.or_else(workspace).or_else(beside) else {
        let text = "no folder to save a variant in: open one on the start page, or save the fleet first";
        return tell(state, Notice::error(text));
    };
    let path: PathBuf = crate::editor::keep::whole(&folder.join(design_file(name)));
    let text = renamed(&class.design.source, name);
    let saved = store::make_folder(&folder).and_then(|()| store::save_new(&path, text.as_bytes()));
    if let Err(finding) = saved {
        let help = if finding.code == "file-exists" { "; give the variant another name" } else { "" };
        return tell(state, Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
    }
    state.dialog = None;
    // By its path where the fleet lies in a place of its own, else by its name.
    let near = state.doc().and_then(|doc| doc.path()?.parent()).and_then(|folder| candidates::beside(folder, &path));
    let word = near.unwrap_or_else(|| name.to_owned());
    let edit = state.doc().and_then(|doc| edits::class(doc.fleet()?.fleet(), &[ship], &word));
    if let Some(edit) = edit {
        crate::editor::apply::apply(state, Command::Edit(edit), outside);
    }
    crate::editor::apply::files_changed(state, std::slice::from_ref(&path), outside.jobs);
    let text = format!("Saved: {}; use Edit class to change it", path.display());
    tell(state, Notice::info(text));
    state.inspector = Inspector::Ship;
}
