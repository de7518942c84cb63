//! A request for a file or folder, and the commands of the file chooser.

use std::path::PathBuf;

use crate::store::Store;

use super::kinds::with_kinds;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePick {
    pub title: String,
    pub kind: FilePickKind,
    pub folder: Option<PathBuf>,
    pub name: Option<String>,
    pub extensions: Vec<(String, Vec<String>)>,
    pub purpose: PickPurpose,
}

impl FilePick {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePickKind {
    Open,
    Save,
    Folder,
}

with_kinds! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PickPurpose as PickPurposeKind {
        Open,
        Compare,
        FillDialogPath,
        Workspace,
        /// Its boxes are ticked in the fleet.
        FilledForm,
    }
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum FileChooserCommand as FileChooserCommandKind {
        Open(Box<FilePick>),
        EnterFolder(PathBuf),
        SetInput(String),
        /// Accepts a path, or enters it if it is a folder and a file is requested.
        Accept(PathBuf),
    }
}
