//! The files that the other modules of `store` work on: those of the disk, and those of folders kept in memory. A path
//! below a [`MemoryFolder`] is in memory, any other is on the disk. Errors are those of the system on both.
#![allow(clippy::disallowed_methods, reason = "this is the module that touches the disk")]

mod lock;
mod memory;
mod metadata;
mod part_file;

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Result};
use std::path::{Path, PathBuf};

pub(crate) use lock::{FileLock, LockFile, lock_file, lock_folder};
pub use memory::MemoryFolder;
pub use metadata::Metadata;
pub(crate) use metadata::{FileKind, FolderEntry};
pub(crate) use part_file::PartFile;

use memory::memory_of;

/// Links are followed.
pub fn metadata(path: &Path) -> Result<Metadata> {
    match memory_of(path) {
        Some((memory, path)) => memory.metadata(&path),
        None => fs::metadata(path).map(Metadata::from),
    }
}

/// A link's own.
pub fn link_metadata(path: &Path) -> Result<Metadata> {
    match memory_of(path) {
        Some((memory, path)) => memory.metadata(&path),
        None => fs::symlink_metadata(path).map(Metadata::from),
    }
}

pub fn is_file(path: &Path) -> bool {
    metadata(path).is_ok_and(|meta| meta.kind == FileKind::File)
}

pub fn is_folder(path: &Path) -> bool {
    metadata(path).is_ok_and(|meta| meta.kind == FileKind::Folder)
}

/// Whether a path leads to anything; a broken link does not.
pub fn exists(path: &Path) -> bool {
    metadata(path).is_ok()
}

/// Whether anything has this name, even a broken link.
pub fn is_there(path: &Path) -> bool {
    link_metadata(path).is_ok()
}

pub fn is_link(path: &Path) -> bool {
    link_metadata(path).is_ok_and(|meta| meta.kind == FileKind::Link)
}

/// The absolute path without links, `.` and `..`; fails when nothing is there.
pub fn canonicalize(path: &Path) -> Result<PathBuf> {
    match memory_of(path) {
        Some((memory, path)) => memory.metadata(&path).map(|_| path),
        None => fs::canonicalize(path),
    }
}

pub fn read_link(path: &Path) -> Result<PathBuf> {
    match memory_of(path) {
        Some(_) => Err(ErrorKind::InvalidInput.into()),
        None => fs::read_link(path),
    }
}

/// What is in a folder, in no order. Entries that cannot be read are left out.
pub fn entries(folder: &Path) -> Result<Box<dyn Iterator<Item = FolderEntry>>> {
    if let Some((memory, folder)) = memory_of(folder) {
        return Ok(Box::new(memory.entries(&folder)?.into_iter()));
    }
    let entries = fs::read_dir(folder)?.filter_map(Result::ok);
    Ok(Box::new(entries.map(|entry| {
        let kind = entry.file_type().ok().map(FileKind::from);
        FolderEntry { name: entry.file_name(), kind }
    })))
}

/// The first `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    if let Some((memory, path)) = memory_of(path) {
        return memory.read(&path, limit);
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len().min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes in place, so that a reader may see half of it; for files that nobody knows yet.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    match memory_of(path) {
        Some((memory, path)) => memory.write(&path, bytes, true),
        None => fs::write(path, bytes),
    }
}

/// Fails when anything has this name.
pub fn create_folder(folder: &Path) -> Result<()> {
    match memory_of(folder) {
        Some((memory, folder)) => memory.create_folder(&folder),
        None => fs::create_dir(folder),
    }
}

/// With the missing folders above; an existing one is left unchanged.
pub fn create_folders(folder: &Path) -> Result<()> {
    match memory_of(folder) {
        Some((memory, folder)) => memory.create_folders(&folder),
        None => fs::create_dir_all(folder),
    }
}

pub fn remove_file(path: &Path) -> Result<()> {
    match memory_of(path) {
        Some((memory, path)) => memory.remove_file(&path),
        None => fs::remove_file(path),
    }
}

/// Fails when it is not empty.
pub fn remove_folder(folder: &Path) -> Result<()> {
    match memory_of(folder) {
        Some((memory, folder)) => memory.remove_folder(&folder),
        None => fs::remove_dir(folder),
    }
}

/// With all that is in it.
pub fn remove_folders(folder: &Path) -> Result<()> {
    match memory_of(folder) {
        Some((memory, folder)) => memory.remove_folders(&folder),
        None => fs::remove_dir_all(folder),
    }
}

/// Moves a file or a folder; an existing file is replaced. Not between the disk and memory.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    match (memory_of(from), memory_of(to)) {
        (None, None) => fs::rename(from, to),
        (Some((memory, from)), Some((_, to))) if memory.contains(&to) => memory.rename(&from, &to),
        _ => Err(ErrorKind::CrossesDevices.into()),
    }
}

/// Has the names of a folder written to the disk, if its file system can.
pub fn sync_folder(folder: &Path) {
    if cfg!(unix)
        && memory_of(folder).is_none()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}
