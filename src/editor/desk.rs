//! The system around the window: file choosers, viewers of files. A trait, so that tests can stand in for it.

use std::path::{Path, PathBuf};

use super::command::Command;
use super::jobs::Give;
use super::state::State;

/// A file or folder that is asked for.
#[derive(Clone, Debug)]
pub struct Pick {
    /// What the chooser's window says.
    pub title: String,
    /// Which kind.
    pub kind: PickKind,
    /// Where it starts.
    pub folder: Option<PathBuf>,
    /// The name it proposes.
    pub name: Option<String>,
    /// Kinds of file: a name and endings.
    pub endings: Vec<(String, Vec<String>)>,
    /// What is to be done with what is chosen.
    pub then: Picked,
}

impl Pick {
    /// The folder of the player's own designs and rules.
    pub fn workspace(state: &State) -> Self {
        Self {
            title: "The folder of your designs and rules".into(),
            kind: PickKind::Folder,
            folder: state.store.workspace().map(Into::into),
            name: None,
            endings: Vec::new(),
            then: Picked::Workspace,
        }
    }
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickKind {
    /// Files that are there.
    Open,
    /// A file to write.
    Save,
    /// A folder.
    Folder,
}

/// What is done with what was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picked {
    /// Designs to open.
    Open,
    /// A design to compare with.
    Compare,
    /// The path in the dialog that is open.
    IntoDialog,
    /// The workspace.
    Workspace,
    /// A filled form, whose boxes are ticked in the fleet.
    Form,
}

/// The system around the window.
pub trait Desk {
    /// Lets the player choose; the answer comes as [`Command::Chosen`], or as a notice that no chooser can be had.
    fn pick(&mut self, pick: Pick, give: Give);

    /// Opens a file or folder in the program the system has for it.
    ///
    /// # Errors
    /// The system's words.
    fn view(&mut self, path: &Path) -> Result<(), String>;
}

/// The real system.
#[derive(Debug, Default)]
pub struct System;

impl Desk for System {
    fn pick(&mut self, pick: Pick, give: Give) {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(&pick.title);
        if let Some(folder) = &pick.folder {
            dialog = dialog.set_directory(folder);
        }
        if let Some(name) = &pick.name {
            dialog = dialog.set_file_name(name);
        }
        for (name, endings) in &pick.endings {
            dialog = dialog.add_filter(name, endings);
        }
        let then = pick.then;
        // The chooser is made here (some systems allow that on this thread only) and waited for in another.
        let chosen = move |paths: Vec<PathBuf>| Command::Chosen { paths, then };
        let path = |handle: rfd::FileHandle| handle.path().to_path_buf();
        match pick.kind {
            PickKind::Open => {
                let answer = dialog.pick_files();
                std::thread::spawn(move || {
                    let files = pollster::block_on(answer).unwrap_or_default();
                    give.give(chosen(files.into_iter().map(path).collect()));
                });
            }
            PickKind::Save => {
                let answer = dialog.save_file();
                std::thread::spawn(move || {
                    give.give(chosen(pollster::block_on(answer).into_iter().map(path).collect()));
                });
            }
            PickKind::Folder => {
                let answer = dialog.pick_folder();
                std::thread::spawn(move || {
                    give.give(chosen(pollster::block_on(answer).into_iter().map(path).collect()));
                });
            }
        }
    }

    fn view(&mut self, path: &Path) -> Result<(), String> {
        open::that_detached(path).map_err(|error| error.to_string())
    }
}
