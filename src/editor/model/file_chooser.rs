//! Asking for a file or a folder: what is asked for, and what can be done in the dialog.

use std::path::PathBuf;

use crate::store::Store;

/// A file or folder that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePick {
    /// What the chooser's window says.
    pub title: String,
    /// Which kind.
    pub kind: FilePickKind,
    /// Where it starts.
    pub folder: Option<PathBuf>,
    /// The name it proposes.
    pub name: Option<String>,
    /// Kinds of file: a name and endings.
    pub extensions: Vec<(String, Vec<String>)>,
    /// What is to be done with what is chosen.
    pub purpose: PickPurpose,
}

impl FilePick {
    /// The folder of the player's own designs and rules.
    pub fn workspace(store: &Store) -> Self {
        Self {
            title: "Folder of your designs and rules".into(),
            kind: FilePickKind::Folder,
            folder: store.workspace().map(Into::into),
            name: None,
            extensions: Vec::new(),
            purpose: PickPurpose::Workspace,
        }
    }
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePickKind {
    /// Files that are there.
    Open,
    /// A file to write.
    Save,
    /// A folder.
    Folder,
}

/// What is done with what was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickPurpose {
    /// Designs to open.
    Open,
    /// A design to compare with.
    Compare,
    /// The path in the dialog that is open.
    FillDialogPath,
    /// The workspace.
    Workspace,
    /// A filled form, whose boxes are ticked in the fleet.
    FilledForm,
}

/// What can be done there.
#[derive(Clone, Debug)]
pub enum FileChooserCommand {
    /// Opens the dialog.
    Open(Box<FilePick>),
    /// Looks into another folder.
    EnterFolder(PathBuf),
    /// What was typed.
    SetInput(String),
    /// Takes a path, or goes on into it where a file is asked for and it is a folder.
    Accept(PathBuf),
}
