//! The editor's own file chooser, for systems without one: takes a [`FilePick`] and the user's input, gives the path.
//! Only reads folders.

pub mod model;
pub mod panel;

use std::path::{Path, PathBuf};

use crate::paths::absolute_path;
use crate::{Command, Dialog, EditorState, FilePick, FilePickKind};
use moldloft_library::store::{self, FolderListing, PathKind};

pub use crate::file_chooser::model::FileChooserCommand;
pub use crate::model::dialog::FileChooser;

impl FileChooser {
    fn new(pick: FilePick, previous: Option<Box<Dialog>>) -> Self {
        let start = pick.folder.as_deref().map(absolute_path);
        let folder = start.and_then(|folder| store::nearest_folder(&folder)).or_else(store::home);
        let typed = pick.name.clone().filter(|_| pick.kind == FilePickKind::Save).unwrap_or_default();
        let folder = folder.unwrap_or_else(|| absolute_path(Path::new(".")));
        let mut new = Self {
            request: pick,
            folder,
            input: typed,
            contents: Ok(FolderListing::default()),
            error: None,
            previous_dialog: previous,
        };
        new.read_folder();
        new
    }

    fn read_folder(&mut self) {
        let endings: Vec<String> = self.request.extensions.iter().flat_map(|(_, endings)| endings.clone()).collect();
        let listing = match self.request.kind {
            FilePickKind::Folder => {
                store::list_folder(&self.folder, &[]).map(|listing| FolderListing { files: Vec::new(), ..listing })
            }
            FilePickKind::Open | FilePickKind::Save => store::list_folder(&self.folder, &endings),
        };
        self.contents = listing.map_err(|finding| finding.message);
    }

    fn enter_folder(&mut self, folder: PathBuf) {
        self.folder = folder;
        self.error = None;
        if self.request.kind != FilePickKind::Save {
            self.input.clear();
        }
        self.read_folder();
    }

    /// The typed path, or the folder itself if nothing was typed.
    pub fn input_path(&self) -> PathBuf {
        let typed = self.input.trim();
        let home = typed.strip_prefix("~/").or((typed == "~").then_some("")).zip(store::home());
        match home {
            Some((rest, home)) => home.join(rest),
            None if typed.is_empty() => self.folder.clone(),
            None => self.folder.join(typed),
        }
    }

    /// Folders and files whose names contain the typed text; all of them if it is a path.
    pub fn visible_entries(&self) -> (Vec<&str>, Vec<&str>) {
        let Ok(listing) = &self.contents else { return Default::default() };
        let typed = self.input.trim().to_lowercase();
        let narrows = self.request.kind != FilePickKind::Save && !typed.contains(['/', '\\', '~']);
        let is_meant = |name: &&str| !narrows || name.to_lowercase().contains(&typed);
        let folders: Vec<&str> = listing.folders.iter().map(String::as_str).filter(is_meant).collect();
        let files: Vec<&str> = listing.files.iter().map(String::as_str).filter(is_meant).collect();
        (folders, files)
    }

    /// The path for Enter: what was typed, or the only entry that matches it.
    pub fn path_to_accept(&self) -> PathBuf {
        let typed = self.input_path();
        if self.request.kind == FilePickKind::Save || self.input.trim().is_empty() || store::path_kind(&typed).is_some()
        {
            return typed;
        }
        match self.visible_entries() {
            (folders, files) if folders.len() + files.len() == 1 => {
                self.folder.join(folders.first().or(files.first()).copied().unwrap_or_default())
            }
            _ => typed,
        }
    }
}

pub fn apply(state: &mut EditorState, command: FileChooserCommand) -> Option<Command> {
    if let FileChooserCommand::Open(pick) = command {
        // A chooser over a chooser keeps the first one's dialog.
        let previous = match state.dialog.take() {
            Some(Dialog::FileChooser(old)) => old.previous_dialog,
            other => other.map(Box::new),
        };
        state.dialog = Some(Dialog::FileChooser(Box::new(FileChooser::new(*pick, previous))));
        return None;
    }
    let Some(Dialog::FileChooser(chooser)) = &mut state.dialog else { return None };
    match command {
        FileChooserCommand::Open(_) => None,
        FileChooserCommand::EnterFolder(folder) => {
            chooser.enter_folder(folder);
            None
        }
        FileChooserCommand::SetInput(typed) => {
            chooser.input = typed;
            chooser.error = None;
            None
        }
        FileChooserCommand::Accept(path) => accept(state, path),
    }
}

fn accept(state: &mut EditorState, path: PathBuf) -> Option<Command> {
    let Some(Dialog::FileChooser(chooser)) = &mut state.dialog else { return None };
    let error_text = match (chooser.request.kind, store::path_kind(&path)) {
        (FilePickKind::Open | FilePickKind::Save, Some(PathKind::Folder)) => {
            chooser.enter_folder(path);
            return None;
        }
        (FilePickKind::Open, Some(PathKind::File)) | (FilePickKind::Folder, Some(PathKind::Folder)) => None,
        (FilePickKind::Open, None) => Some(format!("no such file: {}", path.display())),
        (FilePickKind::Folder, _) => Some(format!("no such folder: {}", path.display())),
        (FilePickKind::Save, _) if path.parent().and_then(store::path_kind) == Some(PathKind::Folder) => None,
        (FilePickKind::Save, _) => {
            Some(format!("no such folder: {}", path.parent().unwrap_or(Path::new("")).display()))
        }
    };
    if error_text.is_some() {
        chooser.error = error_text;
        return None;
    }
    let purpose = chooser.request.purpose;
    close(state);
    Some(Command::FilesPicked { paths: vec![path], purpose })
}

/// Restores the dialog that asked. False if the chooser was not open.
pub fn close(state: &mut EditorState) -> bool {
    match state.dialog.take() {
        Some(Dialog::FileChooser(chooser)) => {
            state.dialog = chooser.previous_dialog.map(|previous| *previous);
            true
        }
        other => {
            state.dialog = other;
            false
        }
    }
}

/// That of the document, else of another that is open, else the workspace.
pub(crate) fn folder_to_open(state: &EditorState) -> Option<&Path> {
    let docs = state.current_doc().into_iter().chain(&state.docs);
    docs.filter_map(|doc| doc.path()?.parent()).next().or(state.store.workspace())
}
