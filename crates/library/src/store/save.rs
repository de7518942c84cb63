//! Writes files atomically: a file is complete or absent, and one that another program has changed is replaced only on
//! request.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use moldloft_base::finding::{Finding, Place};

use super::ContentHash;
use super::file::display_name;
use super::file_system::{self, FileKind, LockFile, Metadata, PartFile, lock_file};

const PART_NAME: (&str, &str) = (".moldloft-", ".part");
const PART_FOLDER: &str = ".folder.part";
const MAX_LINKS: usize = 40;

/// Why a file was not written; it is unchanged.
#[derive(Clone, Debug)]
pub enum SaveError {
    /// The file was changed, removed or created since it was read.
    Changed {
        now: ContentHash,
        finding: Finding,
    },
    Unwritable(Finding),
}

impl SaveError {
    pub fn finding(&self) -> &Finding {
        match self {
            Self::Changed { finding, .. } | Self::Unwritable(finding) => finding,
        }
    }
}

impl From<SaveError> for Finding {
    fn from(error: SaveError) -> Self {
        match error {
            SaveError::Changed { finding, .. } | SaveError::Unwritable(finding) => finding,
        }
    }
}

/// Writes a file under another name, then moves it into place in one step. An existing file keeps its permissions.
///
/// # Errors
/// A finding with the path and reason; nothing has changed then.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Finding> {
    save_expecting(path, bytes, None).map(drop).map_err(Finding::from)
}

/// As [`save_over`](super::save_over), for a caller that holds the folder's lock.
pub(super) fn save_expecting(
    path: &Path,
    bytes: &[u8],
    expected: Option<ContentHash>,
) -> Result<ContentHash, SaveError> {
    // A link stays a link; its target is replaced.
    let target = link_target(path);
    let wrong = |message: String, help: Option<&str>| {
        let mut finding = Finding::error("unwritable", message).at(Place::in_file(display_name(path)));
        finding.help = help.map(str::to_owned);
        SaveError::Unwritable(finding)
    };
    let old = file_system::metadata(&target).ok();
    match old.as_ref().map(|old| old.kind) {
        Some(FileKind::Folder) => {
            return Err(wrong("expected a file name, found a folder".into(), Some("add a file name")));
        }
        Some(FileKind::Link | FileKind::Other) => {
            return Err(wrong("expected a regular file, found a device or a pipe".into(), None));
        }
        Some(FileKind::File) | None => {}
    }
    if old.as_ref().is_some_and(|old| old.is_read_only) {
        return Err(wrong(
            "the existing file is read-only".into(),
            Some("make it writable, or save under another name"),
        ));
    }
    let parent = parent_folder(&target);
    if !file_system::is_folder(parent) {
        return Err(wrong(
            format!("no such folder: {}", parent.display()),
            Some("create the folder first; nothing was written"),
        ));
    }
    clear_parts(parent);
    let mut again = true;
    loop {
        match write_part(parent, &target, old.as_ref(), bytes, expected) {
            Ok(()) => break,
            Err(SaveFault::Changed(now)) => return Err(changed_error(path, now, expected)),
            // The folder was removed during the write; try once more.
            Err(SaveFault::Disk(error)) if error.kind() == ErrorKind::NotFound && again => again = false,
            Err(SaveFault::Disk(error)) => {
                let (why, help) = describe_error(&error);
                return Err(wrong(format!("cannot write: {why}"), help));
            }
        }
    }
    Ok(ContentHash::of_bytes(bytes))
}

enum SaveFault {
    Changed(ContentHash),
    Disk(std::io::Error),
}

impl From<std::io::Error> for SaveFault {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

fn write_part(
    parent: &Path,
    target: &Path,
    old: Option<&Metadata>,
    bytes: &[u8],
    expected: Option<ContentHash>,
) -> Result<(), SaveFault> {
    let as_expected = || match (expected, ContentHash::of_path(target)) {
        (Some(expected), now) if now != expected => Err(SaveFault::Changed(now)),
        _ => Ok(()),
    };
    as_expected()?;
    let mut file = new_part_file(parent)?;
    file.write(bytes)?;
    if let Some(old) = old {
        file.set_permissions(old)?;
    }
    file.sync()?;
    // Writing takes time, so check again as late as possible.
    as_expected()?;
    if expected == Some(ContentHash::Absent) {
        file.persist_new(target).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => SaveFault::Changed(ContentHash::of_path(target)),
            _ => SaveFault::Disk(error),
        })?;
    } else {
        file.persist(target)?;
    }
    file_system::sync_folder(parent);
    Ok(())
}

/// A temporary folder, and the file next to it that is locked meanwhile.
pub(super) fn new_part_folder(parent: &Path) -> std::io::Result<(PartFile, PathBuf)> {
    let file = new_part_file(parent)?;
    let folder = parent.join(file.name().replace(PART_NAME.1, PART_FOLDER));
    file_system::create_folder(&folder)?;
    Ok((file, folder))
}

pub(super) fn new_part_file(folder: &Path) -> std::io::Result<PartFile> {
    PartFile::new(folder, PART_NAME.0, PART_NAME.1)
}

/// Removes unfinished files of ended programs in a folder. Saving calls it; opening a file may. Only plain files and
/// folders are examined: a pipe with such a name would block.
pub fn clear_parts(folder: &Path) {
    let Ok(entries) = file_system::entries(folder) else { return };
    for entry in entries.take(20_000) {
        let file = entry.name;
        let Some(name) = file.to_str().filter(|name| name.starts_with(PART_NAME.0) && name.ends_with(PART_NAME.1))
        else {
            continue;
        };
        let path = folder.join(name);
        let Ok(meta) = file_system::link_metadata(&path) else { continue };
        if meta.kind == FileKind::Folder && name.ends_with(PART_FOLDER) {
            // A program that is still writing holds the file next to it.
            let lock_path = folder.join(name.replace(PART_FOLDER, PART_NAME.1));
            let is_file = file_system::link_metadata(&lock_path).is_ok_and(|meta| meta.kind == FileKind::File);
            if !is_file || is_abandoned(&lock_path) {
                let _ = file_system::remove_folders(&path);
                let _ = file_system::remove_file(&lock_path);
            }
        } else if meta.kind == FileKind::Folder && name.len() == PART_NAME.0.len() + PART_NAME.1.len() + 6 {
            // Older versions held no lock.
            let _ = file_system::remove_folders(&path);
        } else if meta.kind == FileKind::File && is_abandoned(&path) {
            let _ = file_system::remove_file(&path);
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    lock_file(path, LockFile::Existing).is_ok_and(|lock| lock.is_some_and(|lock| lock.is_supported))
}

/// Follows links, even to a missing file.
pub(super) fn link_target(path: &Path) -> PathBuf {
    if let Ok(target) = file_system::canonicalize(path) {
        return target;
    }
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = file_system::read_link(&target) else { break };
        target = parent_folder(&target).join(next);
    }
    target
}

pub(super) fn parent_folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn changed_error(path: &Path, now: ContentHash, expected: Option<ContentHash>) -> SaveError {
    let (message, help) = match (expected, now) {
        (Some(ContentHash::Absent), _) => {
            ("another program created this file; it was not changed", "check it first, or save under another name")
        }
        (_, ContentHash::Absent) => (
            "the file was removed or renamed since it was opened; nothing was written",
            "save again to create it, or save under another name",
        ),
        (_, ContentHash::Unreadable) => {
            ("cannot read the existing file; it was not changed", "save under another name")
        }
        _ => (
            "another program changed the file since it was opened; nothing was written",
            "compare the two, then keep yours, use the other, or save yours as a copy",
        ),
    };
    SaveError::Changed {
        now,
        finding: Finding::error("changed-on-disk", message).help(help).at(Place::in_file(display_name(path))),
    }
}

/// Message and help.
pub(super) fn describe_error(error: &std::io::Error) -> (String, Option<&'static str>) {
    let (why, help) = match error.kind() {
        ErrorKind::PermissionDenied => ("permission denied", "save in a folder you can write to"),
        ErrorKind::StorageFull => ("the disk is full", "free some space, then save again"),
        ErrorKind::QuotaExceeded => ("the disk quota is used up", "free some space, then save again"),
        ErrorKind::ReadOnlyFilesystem => ("the disk is read-only", "save on another disk"),
        ErrorKind::InvalidFilename | ErrorKind::InvalidInput => {
            ("the disk does not allow this name", "use a shorter name without special characters")
        }
        ErrorKind::NotFound | ErrorKind::NotADirectory => ("the folder was removed", "save in another folder"),
        _ => return (error.to_string(), None),
    };
    (why.to_owned(), Some(help))
}

/// Whether two paths lead to the same existing file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    matches!((file_system::canonicalize(one), file_system::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The name of page `page` (from 1) of `pages`: `squadron.svg` for a single one, else `squadron-1.svg`,
/// `squadron-2.svg`…
pub fn page_path(path: &Path, page: usize, pages: usize) -> PathBuf {
    if pages == 1 {
        return path.to_path_buf();
    }
    let mut file = path.file_stem().unwrap_or_default().to_os_string();
    file.push(format!("-{page}"));
    if let Some(extension) = path.extension() {
        file.push(".");
        file.push(extension);
    }
    path.with_file_name(file)
}
