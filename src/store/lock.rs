//! One writer at a time: what reads a file, changes it and writes it holds its folder meanwhile, so that of two programs that do so at once none
//! loses what the other wrote. The system lets go of the hold however a program ends, and nothing is left in the folder.

use std::fs::File;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::finding::Finding;

use super::Seal;
use super::file::{at, name};
use super::save::{Refused, folder_of, is_there, put, target};

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
    pub fn on(path: &Path) -> Result<Self, Finding> {
        Self::folder(folder_of(&target(path)))
    }

    /// Holds a folder.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    pub fn folder(folder: &Path) -> Result<Self, Finding> {
        Self::tried(folder, TRIES)
    }

    fn tried(folder: &Path, tries: u32) -> Result<Self, Finding> {
        for _ in 0..tries {
            match held(folder) {
                Held::Free(held) => return Ok(Self { _held: held }),
                Held::Taken => sleep(PAUSE),
            }
        }
        Err(Finding::error("busy", "another program is changing files in this folder; nothing was written")
            .help("wait until it has finished, then try again")
            .at(at(&name(folder))))
    }

    /// Writes a file of the folder, as [`save_over`] does.
    ///
    /// # Errors
    /// As there.
    pub fn save_over(&self, path: &Path, bytes: &[u8], expected: Option<Seal>) -> Result<Seal, Refused> {
        put(path, bytes, expected)
    }
}

/// Writes a file as [`save`](super::save()) does, if what is there is still what is `expected`; `None` overwrites whatever is there. Gives
/// the seal of what stands there now. What a killed program left half written in the same folder is cleared away. With an `expected` seal
/// the folder is held meanwhile, so that no other program writes between the look and the move; who holds it already writes by its
/// [`Lock`].
///
/// # Errors
/// [`Refused::Changed`] when the file on the disk is another by now, [`Refused::Unwritable`] when it cannot be written; then nothing has
/// changed.
pub fn save_over(path: &Path, bytes: &[u8], expected: Option<Seal>) -> Result<Seal, Refused> {
    let _held = expected.map(|_| Lock::on(path)).transpose().map_err(Refused::Unwritable)?;
    put(path, bytes, expected)
}

/// Writes a file that is not there yet.
///
/// # Errors
/// As [`save`](super::save()); `file-exists` when something of this name is there, which stays as it is.
pub fn save_new(path: &Path, bytes: &[u8]) -> Result<(), Finding> {
    if is_there(path) {
        return Err(Finding::error("file-exists", "the file already exists; it was not changed")
            .help("give another name with -o")
            .at(at(&name(path))));
    }
    save_over(path, bytes, Some(Seal::Absent)).map(drop).map_err(Finding::from)
}

enum Held {
    Free(Option<File>),
    Taken,
}

/// The folder itself is locked, which leaves nothing behind.
#[cfg(not(windows))]
fn held(folder: &Path) -> Held {
    let Ok(file) = File::open(folder) else { return Held::Free(None) };
    match file.try_lock() {
        Ok(()) => Held::Free(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Held::Taken,
        Err(std::fs::TryLockError::Error(_)) => Held::Free(None),
    }
}

/// Folders cannot be locked here: a file in it is, that nobody else may open and that the system removes when it is closed.
#[cfg(windows)]
fn held(folder: &Path) -> Held {
    use std::os::windows::fs::OpenOptionsExt;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// Another has it open; it is about to be removed.
    const TAKEN: [i32; 2] = [32, 5];
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    match options.open(folder.join(".moldloft-lock.part")) {
        Ok(file) => Held::Free(Some(file)),
        Err(error) if error.raw_os_error().is_some_and(|code| TAKEN.contains(&code)) => Held::Taken,
        Err(_) => Held::Free(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_at_a_time_and_nothing_is_left_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fleet.toml");
        let first = Lock::on(&file).unwrap();
        let busy = Lock::tried(folder.path(), 2).unwrap_err();
        assert_eq!(busy.code, "busy");
        first.save_over(&file, b"1", Some(Seal::Absent)).unwrap();
        drop(first);
        Lock::folder(folder.path()).unwrap().save_over(&file, b"2", Some(Seal::of(b"1"))).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        // Where there is no such folder, saving says so.
        assert!(Lock::folder(&folder.path().join("none")).is_ok());
    }
}
