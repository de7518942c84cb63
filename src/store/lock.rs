//! Locks a folder while a program reads, changes and writes a file in it, so that concurrent programs lose no changes.
//! The system releases the lock however a program ends, and nothing is left in the folder.

use std::fs::File;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::finding::{Cause, Finding};

use super::ContentHash;
use super::file::{display_name, file_place};
use super::save::{SaveError, is_there, link_target, parent_folder, save_expecting};

/// With `PAUSE` between tries, some ten seconds in all.
const TRIES: u32 = 400;
const PAUSE: Duration = Duration::from_millis(25);

#[derive(Debug)]
pub struct Lock {
    /// `None` where the disk knows no locks: then two writers are told apart by the seals alone.
    _held: Option<File>,
}

impl Lock {
    /// Locks the folder of an existing or new file; waits for other programs.
    ///
    /// # Errors
    /// `busy` after some ten seconds.
    pub fn for_file(path: &Path) -> Result<Self, Finding> {
        Self::for_folder(parent_folder(&link_target(path)))
    }

    /// Locks a folder.
    ///
    /// # Errors
    /// As [`for_file`](Self::for_file).
    pub fn for_folder(folder: &Path) -> Result<Self, Finding> {
        Self::try_lock(folder, TRIES)
    }

    fn try_lock(folder: &Path, tries: u32) -> Result<Self, Finding> {
        for _ in 0..tries {
            match try_lock_folder(folder) {
                LockAttempt::Free(held) => return Ok(Self { _held: held }),
                LockAttempt::Taken => sleep(PAUSE),
            }
        }
        Err(Finding::error("busy", "another program is changing files in this folder; nothing was written")
            .help("wait until it has finished, then try again")
            .at(file_place(&display_name(folder))))
    }

    /// As the function [`save_over`].
    ///
    /// # Errors
    /// As [`save_over`].
    pub fn save_over(
        &self,
        path: &Path,
        bytes: &[u8],
        expected: Option<ContentHash>,
    ) -> Result<ContentHash, SaveError> {
        save_expecting(path, bytes, expected)
    }
}

/// Writes a file as [`save`](super::save()) does, if what is there is still what is `expected`; `None` overwrites whatever is there. Gives
/// the seal of what stands there now. What a killed program left half written in the same folder is cleared away. With an `expected` seal
/// the folder is held meanwhile, so that no other program writes between the look and the move; who holds it already writes by its
/// [`Lock`].
///
/// # Errors
/// [`SaveError::Changed`] when the file on the disk is another by now, [`SaveError::Unwritable`] when it cannot be written; then nothing has
/// changed.
pub fn save_over(path: &Path, bytes: &[u8], expected: Option<ContentHash>) -> Result<ContentHash, SaveError> {
    let _held = expected.map(|_| Lock::for_file(path)).transpose().map_err(SaveError::Unwritable)?;
    save_expecting(path, bytes, expected)
}

/// Writes a new file.
///
/// # Errors
/// As [`save`](super::save()); `file-exists` when the name is in use.
pub fn save_new(path: &Path, bytes: &[u8]) -> Result<(), Finding> {
    if is_there(path) {
        return Err(Finding::caused(Cause::FileExists, "the file already exists; it was not changed")
            .help("give another name with -o")
            .at(file_place(&display_name(path))));
    }
    save_over(path, bytes, Some(ContentHash::Absent)).map(drop).map_err(Finding::from)
}

enum LockAttempt {
    Free(Option<File>),
    Taken,
}

#[cfg(not(windows))]
fn try_lock_folder(folder: &Path) -> LockAttempt {
    let Ok(file) = File::open(folder) else { return LockAttempt::Free(None) };
    match file.try_lock() {
        Ok(()) => LockAttempt::Free(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => LockAttempt::Taken,
        Err(std::fs::TryLockError::Error(_)) => LockAttempt::Free(None),
    }
}

/// Folders cannot be locked here, so open a file in it exclusively, which the system removes on closing.
#[cfg(windows)]
fn held(folder: &Path) -> LockAttempt {
    use std::os::windows::fs::OpenOptionsExt;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// Open in another program, or about to be removed.
    const TAKEN: [i32; 2] = [32, 5];
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    match options.open(folder.join(".moldloft-lock.part")) {
        Ok(file) => LockAttempt::Free(Some(file)),
        Err(error) if error.raw_os_error().is_some_and(|code| TAKEN.contains(&code)) => LockAttempt::Taken,
        Err(_) => LockAttempt::Free(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_at_a_time_and_nothing_is_left_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fleet.toml");
        let first = Lock::for_file(&file).unwrap();
        let busy = Lock::try_lock(folder.path(), 2).unwrap_err();
        assert_eq!(busy.code, "busy");
        first.save_over(&file, b"1", Some(ContentHash::Absent)).unwrap();
        drop(first);
        Lock::for_folder(folder.path()).unwrap().save_over(&file, b"2", Some(ContentHash::of_bytes(b"1"))).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        // If the folder is missing, saving reports it.
        assert!(Lock::for_folder(&folder.path().join("none")).is_ok());
    }
}
