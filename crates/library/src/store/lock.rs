//! Locks a folder while a program reads, changes and writes a file in it, so that concurrent programs lose no changes.
//! The system releases the lock however a program ends, and nothing is left in the folder.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use moldloft_base::finding::{Cause, Finding, Place};

use super::ContentHash;
use super::file::display_name;
use super::file_system::{FileLock, is_there, lock_folder};
use super::save::{SaveError, link_target, parent_folder, save_expecting};

/// With `PAUSE` between tries, some ten seconds in all.
const TRIES: u32 = 400;
const PAUSE: Duration = Duration::from_millis(25);

#[derive(Debug)]
pub struct Lock {
    /// `None` where the disk has no locks: then a writer notices another by the file's hash alone.
    _held: Option<FileLock>,
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
            match lock_folder(folder) {
                Ok(Some(held)) => return Ok(Self { _held: Some(held) }),
                Ok(None) => sleep(PAUSE),
                Err(_) => return Ok(Self { _held: None }),
            }
        }
        Err(Finding::error("busy", "another program is changing files in this folder; nothing was written")
            .help("wait until it has finished, then try again")
            .at(Place::in_file(display_name(folder))))
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

/// Writes a file as [`save`](super::save()) does, if its current state is `expected`, and gives its new state; `None`
/// replaces whatever is there. With an expected state the folder is locked meanwhile, so that no other program writes
/// between the comparison and the move; who holds the lock already calls [`Lock::save_over`].
///
/// # Errors
/// [`SaveError::Changed`] when the file is in another state, [`SaveError::Unwritable`] when it cannot be written; nothing
/// has changed then.
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
            .at(Place::in_file(display_name(path))));
    }
    save_over(path, bytes, Some(ContentHash::Absent)).map(drop).map_err(Finding::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{MemoryFolder, file_system};

    #[test]
    fn a_folder_has_one_holder_at_a_time_and_nothing_is_left_in_it() {
        let (disk, memory) = (tempfile::tempdir().unwrap(), MemoryFolder::new());
        for folder in [disk.path(), memory.path()] {
            one_holder(folder);
        }
    }

    fn one_holder(folder: &Path) {
        let file = folder.join("fleet.toml");
        let first = Lock::for_file(&file).unwrap();
        let busy = Lock::try_lock(folder, 2).unwrap_err();
        assert_eq!(busy.code, "busy");
        first.save_over(&file, b"1", Some(ContentHash::Absent)).unwrap();
        drop(first);
        Lock::for_folder(folder).unwrap().save_over(&file, b"2", Some(ContentHash::of_bytes(b"1"))).unwrap();
        assert_eq!(file_system::entries(folder).unwrap().count(), 1);
        // If the folder is missing, saving reports it.
        assert!(Lock::for_folder(&folder.join("none")).is_ok());
    }
}
