//! Reads and writes small settings files in a folder given by the caller, who interprets them. A file without meaning
//! is renamed, not lost.

use std::path::{Path, PathBuf};

use moldloft_base::finding::{Cause, Finding, Place};

use super::file::display_name;
use super::file_system;
use super::{ContentHash, make_folder, read, save};

/// Where the system wants a player's settings; `None` if it names no place.
pub fn settings_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "moldloft").map(|folders| folders.config_dir().to_path_buf())
}

/// The player's own folder.
pub fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|folders| folders.home_dir().to_path_buf())
}

/// Reads a file and parses its text; `None` when there is no such file yet, or it cannot be parsed. Then the finding
/// gives the reason, and the file is renamed, its name ending in `.broken`.
pub fn load_settings<T>(
    folder: &Path,
    file: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> (Option<T>, Option<Finding>) {
    let path = folder.join(file);
    let why = match read(&path) {
        Ok(source) => match parse(&source.text) {
            Ok(settings) => return (Some(settings), None),
            Err(why) => why,
        },
        Err(finding) if finding.cause == Some(Cause::NoSuchFile) => return (None, None),
        Err(finding) => finding.message,
    };
    let finding = Finding::warning("broken-settings", format!("cannot use {file}: {why}"))
        .at(Place::in_file(display_name(&path)));
    let kept = (1..100)
        .map(|n| path.with_file_name(if n == 1 { format!("{file}.broken") } else { format!("{file}.broken-{n}") }))
        .find(|kept| !file_system::is_there(kept) || has_same_content(&path, kept));
    let help = match kept.map(|kept| (file_system::rename(&path, &kept), kept)) {
        Some((Ok(()), kept)) => format!("kept its contents in {}; using the default settings", kept.display()),
        _ => "using the default settings".to_owned(),
    };
    (None, Some(finding.help(help)))
}

fn has_same_content(path: &Path, other: &Path) -> bool {
    matches!(ContentHash::of_path(path), hash @ ContentHash::File { .. } if ContentHash::of_path(other) == hash)
}

/// Writes a settings file atomically; its folder is made if necessary.
///
/// # Errors
/// As [`save()`].
pub fn save_settings(folder: &Path, file: &str, text: &str) -> Result<(), Finding> {
    make_folder(folder)?;
    save(&folder.join(file), text.as_bytes())
}
