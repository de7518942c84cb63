//! Writes files atomically: a file is complete or absent, and one that another program has changed is replaced only on
//! request.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::finding::Finding;

use super::ContentHash;
use super::file::{display_name, file_place};

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
    fn from(refused: SaveError) -> Self {
        match refused {
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
        let mut finding = Finding::error("unwritable", message).at(file_place(&display_name(path)));
        finding.help = help.map(str::to_owned);
        SaveError::Unwritable(finding)
    };
    let old = fs::metadata(&target).ok();
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(wrong("expected a file name, found a folder".into(), Some("add a file name")));
        }
        if !old.is_file() {
            return Err(wrong("expected a regular file, found a device or a pipe".into(), None));
        }
        if old.permissions().readonly() {
            return Err(wrong(
                "the existing file is read-only".into(),
                Some("make it writable, or save under another name"),
            ));
        }
    }
    let parent = parent_folder(&target);
    if !parent.is_dir() {
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
    old: Option<&fs::Metadata>,
    bytes: &[u8],
    expected: Option<ContentHash>,
) -> Result<(), SaveFault> {
    let as_expected = || match (expected, ContentHash::of_path(target)) {
        (Some(expected), now) if now != expected => Err(SaveFault::Changed(now)),
        _ => Ok(()),
    };
    as_expected()?;
    let mut file = new_part_file(parent)?;
    // Locked during the write, so that others do not take it for a leftover.
    let _ = file.as_file().try_lock();
    file.write_all(bytes)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    // Writing takes time, so check again as late as possible.
    as_expected()?;
    if expected == Some(ContentHash::Absent) {
        file.persist_noclobber(target).map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => SaveFault::Changed(ContentHash::of_path(target)),
            _ => SaveFault::Disk(error.error),
        })?;
    } else {
        file.persist(target).map_err(|error| error.error)?;
    }
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(parent) {
        // Not supported for folders by every file system; the file itself is safe by now.
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A temporary folder, and the file next to it that is locked meanwhile.
pub(super) fn new_part_folder(parent: &Path) -> std::io::Result<(NamedTempFile, PathBuf)> {
    let held = new_part_file(parent)?;
    let _ = held.as_file().try_lock();
    let name = held.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = parent.join(name.replace(PART_NAME.1, PART_FOLDER));
    fs::create_dir(&folder)?;
    Ok((held, folder))
}

pub(super) fn new_part_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PART_NAME.0).suffix(PART_NAME.1);
    #[cfg(unix)]
    {
        // The usual permissions of a new file: rw-rw-rw- with the umask applied.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Removes unfinished files of ended programs in a folder. Saving calls it; opening a file may. Only plain files and
/// folders are examined: a pipe with such a name would block.
pub fn clear_parts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.take(20_000).filter_map(Result::ok) {
        let file = entry.file_name();
        let Some(name) = file.to_str().filter(|name| name.starts_with(PART_NAME.0) && name.ends_with(PART_NAME.1))
        else {
            continue;
        };
        let path = entry.path();
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        if meta.is_dir() && name.ends_with(PART_FOLDER) {
            // A program that is still writing holds the file next to it.
            let beside = folder.join(name.replace(PART_FOLDER, PART_NAME.1));
            let is_held = fs::symlink_metadata(&beside).is_ok_and(|meta| meta.is_file()) && !is_abandoned(&beside);
            if !is_held {
                let _ = fs::remove_dir_all(&path);
                let _ = fs::remove_file(beside);
            }
        } else if meta.is_dir() && name.len() == PART_NAME.0.len() + PART_NAME.1.len() + 6 {
            // Older versions held no lock.
            let _ = fs::remove_dir_all(&path);
        } else if meta.is_file() && is_abandoned(&path) {
            let _ = fs::remove_file(path);
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    fs::File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Follows links, even to a missing file.
pub(super) fn link_target(path: &Path) -> PathBuf {
    if let Ok(target) = fs::canonicalize(path) {
        return target;
    }
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
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
        finding: Finding::error("changed-on-disk", message).help(help).at(file_place(&display_name(path))),
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
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether anything has this name, even a broken link.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
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
