//! Choosing a file or a folder in the window itself, for systems that have no file chooser: takes a [`Pick`] and what the player does, gives the path.
//! Looks into folders through `store`; opens and writes nothing.

use std::path::{Path, PathBuf};

use crate::store::{self, Folder, Thing};

use super::command::{Command, Dialog};
use super::desk::{Pick, PickKind};
use super::state::State;

/// The dialog in which a file is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chooser {
    /// What is asked for.
    pub pick: Pick,
    /// The folder that is looked into.
    pub folder: PathBuf,
    /// What was typed: a name, the beginning of one, or a path.
    pub typed: String,
    /// What the folder holds; the system's words when it cannot be looked into.
    pub held: Result<Folder, String>,
    /// Why what was typed cannot be taken.
    pub refused: Option<String>,
    /// The dialog that asked, which comes back afterwards.
    behind: Option<Box<Dialog>>,
}

/// What can be done there.
#[derive(Clone, Debug)]
pub enum Filing {
    /// Opens the dialog.
    Begin(Box<Pick>),
    /// Looks into another folder.
    Into(PathBuf),
    /// What was typed.
    Typed(String),
    /// Takes a path, or goes on into it where a file is asked for and it is a folder.
    Take(PathBuf),
}

impl Chooser {
    fn new(pick: Pick, behind: Option<Box<Dialog>>) -> Self {
        let start = pick.folder.as_deref().map(super::keep::whole);
        let folder = start.and_then(|folder| store::nearest_folder(&folder)).or_else(store::home);
        let typed = pick.name.clone().filter(|_| pick.kind == PickKind::Save).unwrap_or_default();
        let folder = folder.unwrap_or_else(|| super::keep::whole(Path::new(".")));
        let mut new = Self { pick, folder, typed, held: Ok(Folder::default()), refused: None, behind };
        new.look();
        new
    }

    fn look(&mut self) {
        let endings: Vec<String> = self.pick.endings.iter().flat_map(|(_, endings)| endings.clone()).collect();
        let held = match self.pick.kind {
            PickKind::Folder => store::look_into(&self.folder, &[]).map(|held| Folder { files: Vec::new(), ..held }),
            PickKind::Open | PickKind::Save => store::look_into(&self.folder, &endings),
        };
        self.held = held.map_err(|finding| finding.message);
    }

    fn go(&mut self, folder: PathBuf) {
        self.folder = folder;
        self.refused = None;
        if self.pick.kind != PickKind::Save {
            self.typed.clear();
        }
        self.look();
    }

    /// The path that was typed; the folder itself when nothing was.
    pub fn path(&self) -> PathBuf {
        let typed = self.typed.trim();
        let home = typed.strip_prefix("~/").or((typed == "~").then_some("")).zip(store::home());
        match home {
            Some((rest, home)) => home.join(rest),
            None if typed.is_empty() => self.folder.clone(),
            None => self.folder.join(typed),
        }
    }

    /// What is listed: folders and files whose names begin as was typed, while that is no path and names none of them; else all.
    pub fn listed(&self) -> (Vec<&str>, Vec<&str>) {
        let Ok(held) = &self.held else { return Default::default() };
        let typed = self.typed.trim().to_lowercase();
        let narrows = self.pick.kind != PickKind::Save && !typed.contains(['/', '\\', '~']);
        let is_meant = |name: &&str| !narrows || name.to_lowercase().contains(&typed);
        let folders: Vec<&str> = held.folders.iter().map(String::as_str).filter(is_meant).collect();
        let files: Vec<&str> = held.files.iter().map(String::as_str).filter(is_meant).collect();
        (folders, files)
    }

    /// What Enter takes: what was typed in full, else the only thing that it can mean.
    pub fn meant(&self) -> PathBuf {
        let typed = self.path();
        if self.pick.kind == PickKind::Save || self.typed.trim().is_empty() || store::thing(&typed).is_some() {
            return typed;
        }
        match self.listed() {
            (folders, files) if folders.len() + files.len() == 1 => {
                self.folder.join(folders.first().or(files.first()).copied().unwrap_or_default())
            }
            _ => typed,
        }
    }
}

/// Carries it out; gives what follows from it.
pub fn apply(state: &mut State, filing: Filing) -> Option<Command> {
    if let Filing::Begin(pick) = filing {
        // A chooser that failed twice asks once.
        let behind = match state.dialog.take() {
            Some(Dialog::Files(old)) => old.behind,
            other => other.map(Box::new),
        };
        state.dialog = Some(Dialog::Files(Box::new(Chooser::new(*pick, behind))));
        return None;
    }
    let Some(Dialog::Files(chooser)) = &mut state.dialog else { return None };
    match filing {
        Filing::Begin(_) => None,
        Filing::Into(folder) => {
            chooser.go(folder);
            None
        }
        Filing::Typed(typed) => {
            chooser.typed = typed;
            chooser.refused = None;
            None
        }
        Filing::Take(path) => take(state, path),
    }
}

fn take(state: &mut State, path: PathBuf) -> Option<Command> {
    let Some(Dialog::Files(chooser)) = &mut state.dialog else { return None };
    let refused = match (chooser.pick.kind, store::thing(&path)) {
        (PickKind::Open | PickKind::Save, Some(Thing::Folder)) => {
            chooser.go(path);
            return None;
        }
        (PickKind::Open, Some(Thing::File)) | (PickKind::Folder, Some(Thing::Folder)) => None,
        (PickKind::Open, None) => Some(format!("no such file: {}", path.display())),
        (PickKind::Folder, _) => Some(format!("no such folder: {}", path.display())),
        (PickKind::Save, _) if path.parent().and_then(store::thing) == Some(Thing::Folder) => None,
        (PickKind::Save, _) => Some(format!("no such folder: {}", path.parent().unwrap_or(Path::new("")).display())),
    };
    if refused.is_some() {
        chooser.refused = refused;
        return None;
    }
    let then = chooser.pick.then;
    close(state);
    Some(Command::Chosen { paths: vec![path], then })
}

/// Closes the dialog; the one that asked is there again. False when it is not open.
pub fn close(state: &mut State) -> bool {
    match state.dialog.take() {
        Some(Dialog::Files(chooser)) => {
            state.dialog = chooser.behind.map(|behind| *behind);
            true
        }
        other => {
            state.dialog = other;
            false
        }
    }
}
