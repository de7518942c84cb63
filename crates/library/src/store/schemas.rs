//! Finds the folder `schemas/` for text editors, next to a file or above it.

use std::path::{Path, PathBuf};

use moldloft_base::finding::{Finding, Place};

use super::{file, file_system};

/// Makes a folder and its missing parents; an existing one is left unchanged.
///
/// # Errors
/// `unwritable` when it cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), Finding> {
    file_system::create_folders(folder).map_err(|error| {
        Finding::error("unwritable", format!("cannot create the folder: {error}"))
            .at(Place::in_file(file::display_name(folder)))
    })
}

/// The path of a schema as a file at `path` writes it after `#:schema`: from the file to the nearest folder `schemas/`,
/// with `/` on every system. `None` when no such folder has this schema.
pub fn schema_for(path: &Path, name: &str) -> Option<String> {
    let full = std::path::absolute(path).ok()?;
    let folder = full.parent()?;
    let steps = folder.ancestors().position(|above| file_system::is_file(&above.join("schemas").join(name)))?;
    let mut relative = PathBuf::new();
    (0..steps).for_each(|_| relative.push(".."));
    let relative = relative.join("schemas").join(name);
    Some(relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}
