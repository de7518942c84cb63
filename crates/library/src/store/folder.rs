//! Writes a folder of related files and updates it later: takes names, bytes and the known earlier contents, and never
//! touches other files in it.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use moldloft_base::finding::{Cause, Finding, Place};
use moldloft_base::sanitize::list_names;

use super::ContentHash;
use super::file::display_name;
use super::file_system::{self, FileKind, is_there};
use super::save::{clear_parts, describe_error, new_part_file, new_part_folder, parent_folder};
use super::workspace::is_inside;

const MAX_NAMED: usize = 3;

/// Files by name relative to the folder, with `/`.
pub type Bundle = Vec<(String, Vec<u8>)>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BundleReport {
    pub written: usize,
    pub unchanged: usize,
    pub removed: usize,
}

/// Whether a folder has no visible entries; a missing one counts as empty.
///
/// # Errors
/// `unwritable` when it is not a folder, or cannot be read.
pub fn is_empty(folder: &Path) -> Result<bool, Finding> {
    let wrong = |why: String| Finding::error("unwritable", why).at(Place::in_file(display_name(folder)));
    match file_system::entries(folder) {
        Ok(mut entries) => Ok(!entries.any(|entry| !entry.name.to_string_lossy().starts_with('.'))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            Err(wrong("expected a folder, found a file".into()).help("give the name of a folder with -o"))
        }
        Err(error) => Err(wrong(format!("cannot read the folder: {}", describe_error(&error).0))),
    }
}

/// The text of a plain file of at most `max` bytes; `None` otherwise.
pub fn text_in(folder: &Path, file: &str, max: u64) -> Option<String> {
    let path = folder.join(file);
    let meta = file_system::metadata(&path).ok()?;
    if !is_inside(file) || meta.kind != FileKind::File || meta.length > max {
        return None;
    }
    String::from_utf8(file_system::read(&path, max).ok()?).ok()
}

/// Writes the files of a folder. `known` are the earlier files of this program: they are replaced, or removed if no
/// longer needed. Nothing is changed if another file is in the way, or a known one was modified; a file with the same
/// bytes is accepted. A new folder is completed under another name first.
///
/// # Errors
/// `file-exists` with the obstacle, `unwritable`.
pub fn save_bundle(
    folder: &Path,
    files: &Bundle,
    known: &BTreeMap<String, ContentHash>,
) -> Result<BundleReport, Finding> {
    if let Some((bad, _)) = files.iter().find(|(file, _)| !is_inside(file)) {
        return Err(Finding::error("unwritable", format!("invalid file name `{bad}`")));
    }
    if !is_there(folder) {
        create_folder(folder, files).map_err(|error| folder_error(folder, &error))?;
        return Ok(BundleReport { written: files.len(), ..BundleReport::default() });
    }
    let own = file_system::canonicalize(folder).map_err(|error| folder_error(folder, &error))?;
    if let Some((file, _)) = files.iter().find(|(file, _)| !is_inside_folder(&own, file)) {
        let message = format!("{file} is a link that leads out of the folder; nothing was written");
        return Err(Finding::caused(Cause::FileExists, message)
            .help("remove the link, or give another folder with -o")
            .at(Place::in_file(display_name(folder))));
    }
    let mut done = BundleReport::default();
    let mut due = Vec::new();
    let mut in_the_way = Vec::new();
    for (file, bytes) in files {
        let now = ContentHash::of_path(&folder.join(file));
        if now == ContentHash::of_bytes(bytes) {
            done.unchanged += 1;
        } else if now == ContentHash::Absent || known.get(file) == Some(&now) {
            due.push((file, bytes));
        } else {
            in_the_way.push(file.as_str());
        }
    }
    if !in_the_way.is_empty() {
        let which = list_names(&in_the_way, MAX_NAMED);
        let message = format!("cannot replace files that are changed or from elsewhere: {which}; nothing was written");
        return Err(Finding::caused(Cause::FileExists, message)
            .help("move them, or give another folder with -o")
            .at(Place::in_file(display_name(folder))));
    }
    for (file, bytes) in due {
        write_file(&folder.join(file), bytes).map_err(|error| folder_error(&folder.join(file), &error))?;
        done.written += 1;
    }
    for (file, hash) in known {
        let path = folder.join(file);
        let wanted = files.iter().any(|(other, _)| other == file);
        if !wanted
            && is_inside(file)
            && is_inside_folder(&own, file)
            && ContentHash::of_path(&path) == *hash
            && file_system::remove_file(&path).is_ok()
        {
            done.removed += 1;
        }
    }
    Ok(done)
}

/// Whether a file's location is inside the folder, with links followed. `folder` is canonical.
fn is_inside_folder(folder: &Path, file: &str) -> bool {
    let mut path = folder.to_path_buf();
    file.split('/').all(|part| {
        path.push(part);
        !file_system::is_link(&path) || file_system::canonicalize(&path).is_ok_and(|real| real.starts_with(folder))
    })
}

fn folder_error(path: &Path, error: &std::io::Error) -> Finding {
    let (why, help) = describe_error(error);
    let mut finding =
        Finding::error("unwritable", format!("cannot write: {why}")).at(Place::in_file(display_name(path)));
    finding.help = help.map(str::to_owned);
    finding
}

/// A new folder, complete or not at all.
fn create_folder(folder: &Path, files: &Bundle) -> std::io::Result<()> {
    let parent = parent_folder(folder);
    file_system::create_folders(parent)?;
    clear_parts(parent);
    let (_locked, part) = new_part_folder(parent)?;
    let fill = || {
        for (file, bytes) in files {
            let path = part.join(file);
            if let Some(inner) = path.parent() {
                file_system::create_folders(inner)?;
            }
            file_system::write(&path, bytes)?;
        }
        file_system::rename(&part, folder)
    };
    fill().inspect_err(|_| {
        let _ = file_system::remove_folders(&part);
    })
}

fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    file_system::create_folders(parent)?;
    let mut file = new_part_file(parent)?;
    file.write(bytes)?;
    file.persist(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::MemoryFolder;

    fn files(of: &[(&str, &str)]) -> Bundle {
        of.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    fn known(of: &[(&str, &str)]) -> BTreeMap<String, ContentHash> {
        of.iter().map(|(name, text)| ((*name).to_owned(), ContentHash::of_bytes(text.as_bytes()))).collect()
    }

    #[test]
    fn only_what_is_known_is_replaced_and_taken_away() {
        let outer = MemoryFolder::new();
        let folder = outer.path().join("a/b");
        assert!(is_empty(&folder).unwrap());
        let first = [("images/x.png", "1"), ("images/y.png", "2")];
        assert_eq!(save_bundle(&folder, &files(&first), &BTreeMap::new()).unwrap().written, 2);
        assert!(!is_empty(&folder).unwrap());
        assert_eq!(file_system::entries(folder.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");

        let second = [("images/x.png", "3"), ("images/z.png", "4")];
        let finding = save_bundle(&folder, &files(&second), &BTreeMap::new()).unwrap_err();
        assert!(finding.message.contains("images/x.png"), "{}", finding.message);
        assert_eq!(text_in(&folder, "images/x.png", 9).as_deref(), Some("1"));
        assert!(!is_there(&folder.join("images/z.png")), "nothing at all was written");

        file_system::write(&folder.join("mine.txt"), b"mine").unwrap();
        let done = save_bundle(&folder, &files(&second), &known(&first)).unwrap();
        assert_eq!(done, BundleReport { written: 2, unchanged: 0, removed: 1 });
        assert_eq!(text_in(&folder, "images/x.png", 9).as_deref(), Some("3"));
        assert!(!is_there(&folder.join("images/y.png")) && is_there(&folder.join("mine.txt")));
        assert_eq!(save_bundle(&folder, &files(&second), &known(&second)).unwrap().unchanged, 2);

        // Modified by the player, so it stays.
        file_system::write(&folder.join("images/x.png"), b"painted").unwrap();
        assert!(save_bundle(&folder, &files(&first), &known(&second)).is_err());
        assert_eq!(text_in(&folder, "images/x.png", 9).as_deref(), Some("painted"));
    }

    #[test]
    fn names_stay_in_the_folder() {
        let outer = MemoryFolder::new();
        for bad in ["../x", "/x", "a\\b", ""] {
            assert!(save_bundle(&outer.path().join("f"), &files(&[(bad, "1")]), &BTreeMap::new()).is_err(), "{bad}");
        }
        file_system::write(&outer.path().join("file"), b"x").unwrap();
        assert!(is_empty(&outer.path().join("file")).is_err());
        // A manifest that names files elsewhere removes nothing.
        file_system::create_folder(&outer.path().join("f")).unwrap();
        let list = known(&[("../file", "x")]);
        assert_eq!(save_bundle(&outer.path().join("f"), &files(&[("a", "1")]), &list).unwrap().removed, 0);
        assert!(is_there(&outer.path().join("file")));
    }
}
