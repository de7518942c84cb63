//! Finds the folder `schemas/` for text editors, next to a file or above it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::finding::Finding;

use super::file;

/// Makes a folder and its missing parents; an existing one is left unchanged.
///
/// # Errors
/// `unwritable` when it cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), Finding> {
    fs::create_dir_all(folder).map_err(|error| {
        Finding::error("unwritable", format!("cannot create the folder: {error}"))
            .at(file::file_place(&file::display_name(folder)))
    })
}

/// What a file that is to be written to `path` says after `#:schema`: the schema of this name in the nearest folder `schemas/`,
/// relative to the file, with `/` on every system. `None` when there is none.
pub fn schema_for(path: &Path, name: &str) -> Option<String> {
    let full = std::path::absolute(path).ok()?;
    let folder = full.parent()?;
    let steps = folder.ancestors().position(|above| above.join("schemas").join(name).is_file())?;
    let mut relative = PathBuf::new();
    (0..steps).for_each(|_| relative.push(".."));
    let relative = relative.join("schemas").join(name);
    Some(relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}
