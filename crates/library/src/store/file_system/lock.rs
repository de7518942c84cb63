//! Locks on files and folders, by which running programs respect one another. The system releases them however a
//! program ends.

use std::fs::{File, TryLockError};
use std::io::Result;
use std::path::Path;

use super::memory::{MemoryLock, memory_of};

/// Held until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    _held: Held,
    /// False where the disk has no locks: then nothing keeps others out.
    pub is_supported: bool,
}

#[derive(Debug)]
enum Held {
    Disk { _file: File },
    Memory { _lock: MemoryLock },
}

/// Which file is opened as a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockFile {
    Existing,
    /// It must not be there yet.
    New,
    /// It is emptied if it is there.
    Any,
}

/// Opens a file and locks it; `None` when another program holds it.
pub fn lock_file(path: &Path, which: LockFile) -> Result<Option<FileLock>> {
    if let Some((memory, path)) = memory_of(path) {
        match which {
            LockFile::Existing => {}
            LockFile::New => memory.write_new(&path, b"")?,
            LockFile::Any => memory.write(&path, b"", true)?,
        }
        let lock = memory.try_lock(&path)?;
        return Ok(lock.map(|lock| FileLock { _held: Held::Memory { _lock: lock }, is_supported: true }));
    }
    let file = match which {
        LockFile::Existing => File::open(path)?,
        LockFile::New => File::create_new(path)?,
        LockFile::Any => File::create(path)?,
    };
    Ok(try_lock(file))
}

fn try_lock(file: File) -> Option<FileLock> {
    let is_supported = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => return None,
        Err(TryLockError::Error(_)) => false,
    };
    Some(FileLock { _held: Held::Disk { _file: file }, is_supported })
}

/// Locks a folder; `None` when another program holds it. Leaves nothing in it.
#[cfg(not(windows))]
pub fn lock_folder(folder: &Path) -> Result<Option<FileLock>> {
    lock_file(folder, LockFile::Existing)
}

/// Locks a folder; `None` when another program holds it. Folders cannot be locked here, so a file in it is opened that
/// no other program can open and that the system removes on closing.
#[cfg(windows)]
pub fn lock_folder(folder: &Path) -> Result<Option<FileLock>> {
    use std::os::windows::fs::OpenOptionsExt;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// Open in another program, or about to be removed.
    const TAKEN: [i32; 2] = [32, 5];
    if memory_of(folder).is_some() {
        return lock_file(folder, LockFile::Existing);
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    match options.open(folder.join(".moldloft-lock.part")) {
        Ok(file) => Ok(Some(FileLock { _held: Held::Disk { _file: file }, is_supported: true })),
        Err(error) if error.raw_os_error().is_some_and(|code| TAKEN.contains(&code)) => Ok(None),
        Err(error) => Err(error),
    }
}
