//! Folders for a file chooser: takes a folder and file extensions, gives its visible folders and files by name; also the
//! user's own folders, and whether one can be written. Opens no file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use moldloft_base::finding::{Cause, Finding, Place};

use super::file::display_name;
use super::file_system::{self, FileKind};
use super::save::new_part_file;

pub const MAX_LISTED: usize = 2_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    pub folders: Vec<String>,
    pub files: Vec<String>,
    /// There are more than [`MAX_LISTED`].
    pub is_truncated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    Folder,
    File,
}

/// `None` when nothing is there, or it may not be read.
pub fn path_kind(path: &Path) -> Option<PathKind> {
    let meta = file_system::metadata(path).ok()?;
    Some(if meta.kind == FileKind::Folder { PathKind::Folder } else { PathKind::File })
}

/// The folder itself, or its nearest existing ancestor.
pub fn nearest_folder(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|above| path_kind(above) == Some(PathKind::Folder)).map(Path::to_path_buf)
}

/// Why a file cannot be saved under this name, as far as can be seen without writing.
pub fn obstacle_to_saving(path: &Path) -> Option<String> {
    if path.file_name().is_none() {
        return Some("expected the name of a file".to_owned());
    }
    if path_kind(path) == Some(PathKind::Folder) {
        return Some(format!("{} is a folder", path.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    match path_kind(folder) {
        Some(PathKind::Folder) => None,
        Some(PathKind::File) => Some(format!("{} is a file, not a folder", folder.display())),
        None => Some(format!("no such folder: {}", folder.display())),
    }
}

pub fn documents() -> Option<PathBuf> {
    directories::UserDirs::new().and_then(|folders| folders.document_dir().map(Path::to_path_buf))
}

/// Whether a new file can be made in it, which is tried.
pub fn is_writable_folder(folder: &Path) -> bool {
    path_kind(folder) == Some(PathKind::Folder) && new_part_file(folder).is_ok()
}

/// Folders, and plain files with one of these extensions (such as `toml`; all if none is given), sorted by name.
///
/// # Errors
/// `not-a-file` when the folder cannot be read.
pub fn list_folder(folder: &Path, endings: &[String]) -> Result<FolderListing, Finding> {
    let wrong = |error: std::io::Error| {
        let why = match error.kind() {
            ErrorKind::PermissionDenied => "permission denied".to_owned(),
            ErrorKind::NotFound => "it no longer exists".to_owned(),
            ErrorKind::NotADirectory => "it is a file".to_owned(),
            _ => error.to_string(),
        };
        Finding::caused(Cause::NotAFile, format!("cannot read the folder: {why}"))
            .at(Place::in_file(display_name(folder)))
    };
    let mut found = FolderListing::default();
    for entry in file_system::entries(folder).map_err(wrong)? {
        let Ok(name) = entry.name.into_string() else { continue };
        if name.starts_with('.') {
            continue;
        }
        let path = folder.join(&name);
        let is_wanted = || {
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            endings.is_empty() || ending.is_some_and(|ending| endings.contains(&ending))
        };
        let list = match file_system::metadata(&path).map(|meta| meta.kind) {
            Ok(FileKind::Folder) => &mut found.folders,
            Ok(FileKind::File) if is_wanted() => &mut found.files,
            _ => continue,
        };
        list.push(name);
        if found.folders.len() + found.files.len() > MAX_LISTED {
            found.is_truncated = true;
            break;
        }
    }
    for list in [&mut found.folders, &mut found.files] {
        list.sort_by_cached_key(|name| (name.to_lowercase(), name.clone()));
    }
    Ok(found)
}
