//! A request for a file or folder, and the commands of the file chooser.

use std::path::{Path, PathBuf};

use crate::with_kinds;
use moldloft_library::store::Store;

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
    /// Existing designs or fleets.
    pub fn designs(title: &str, folder: Option<&Path>, purpose: PickPurpose) -> Self {
        Self {
            title: title.into(),
            kind: FilePickKind::Open,
            folder: folder.map(Into::into),
            name: None,
            extensions: vec![("Designs".into(), vec!["toml".into()])],
            purpose,
        }
    }

    /// A file to write, starting from what was typed.
    pub fn save(title: &str, typed: &str, file_type: (&str, &str)) -> Self {
        let path = Path::new(typed.trim());
        Self {
            title: title.into(),
            kind: FilePickKind::Save,
            folder: path.parent().map(Into::into),
            name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
            extensions: vec![(file_type.0.into(), vec![file_type.1.into()])],
            purpose: PickPurpose::FillDialogPath,
        }
    }

    pub fn workspace(store: &Store) -> Self {
        Self::folder("Folder of your designs and rules", store.workspace(), PickPurpose::Workspace)
    }

    pub fn folder(title: &str, folder: Option<&Path>, purpose: PickPurpose) -> Self {
        Self { kind: FilePickKind::Folder, extensions: Vec::new(), ..Self::designs(title, folder, purpose) }
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
        /// Of the design that is shown.
        Picture,
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
