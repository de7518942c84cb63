//! One writer at a time: what reads a file, changes it and writes it holds its folder meanwhile, so that of two programs that do so at once none
//! loses what the other wrote. The system lets go of the hold however a program ends, and nothing is left in the folder.

use std::fs::File;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::finding::{Cause, Finding};

use super::ContentHash;
use super::file::{display_name, file_place};
use super::save::{SaveError, is_there, link_target, parent_folder, save_expecting};

/// How often it is tried, and how long is waited between two tries: some ten seconds in all.
const TRIES: u32 = 400;
const PAUSE: Duration = Duration::from_millis(25);

/// A hold on a folder, as long as this lives.
#[derive(Debug)]
pub struct Lock {
    /// `None` where the disk knows no locks: then two writers are told apart by the seals alone.
    _held: Option<File>,
}

impl Lock {
    /// Holds the folder that a file is in, or is to be in; waits for another program that holds it.
    ///
    /// # Errors
    /// `busy` when the other does not let go for some ten seconds.
    pub fn for_file(path: &Path) -> Result<Self, Finding> {
        Self::for_folder(parent_folder(&link_target(path)))
    }

    /// Holds a folder.
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

    /// Writes a file of the folder, as [`save_over`] does.
    ///
    /// # Errors
    /// As there.
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

/// Writes a file that is not there yet.
///
/// # Errors
/// As [`save`](super::save()); `file-exists` when something of this name is there, which stays as it is.
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

/// The folder itself is locked, which leaves nothing behind.
#[cfg(not(windows))]
fn try_lock_folder(folder: &Path) -> LockAttempt {
    let Ok(file) = File::open(folder) else { return LockAttempt::Free(None) };
    match file.try_lock() {
        Ok(()) => LockAttempt::Free(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => LockAttempt::Taken,
        Err(std::fs::TryLockError::Error(_)) => LockAttempt::Free(None),
    }
}

/// Folders cannot be locked here: a file in it is, that nobody else may open and that the system removes when it is closed.
#[cfg(windows)]
fn held(folder: &Path) -> LockAttempt {
    use std::os::windows::fs::OpenOptionsExt;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// Another has it open; it is about to be removed.
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
        // Where there is no such folder, saving says so.
        assert!(Lock::for_folder(&folder.path().join("none")).is_ok());
    }
}
