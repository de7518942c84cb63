//! Lists a folder for a file chooser: takes a folder and file extensions, gives its visible folders and files by name.
//! Opens no file.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::finding::{Cause, Finding};

use super::file::{display_name, file_place};

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

/// What stands at a path; `None` when nothing does, or nobody may know.
pub fn path_kind(path: &Path) -> Option<PathKind> {
    let meta = fs::metadata(path).ok()?;
    Some(if meta.is_dir() { PathKind::Folder } else { PathKind::File })
}

/// The folder itself, or its nearest existing ancestor.
pub fn nearest_folder(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|above| path_kind(above) == Some(PathKind::Folder)).map(Path::to_path_buf)
}

pub fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|folders| folders.home_dir().to_path_buf())
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
        Finding::caused(Cause::NotAFile, format!("cannot read the folder: {why}")).at(file_place(&display_name(folder)))
    };
    let mut found = FolderListing::default();
    for entry in fs::read_dir(folder).map_err(wrong)?.filter_map(Result::ok) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        let is_wanted = || {
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            endings.is_empty() || ending.is_some_and(|ending| endings.contains(&ending))
        };
        let list = match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => &mut found.folders,
            Ok(meta) if meta.is_file() && is_wanted() => &mut found.files,
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
