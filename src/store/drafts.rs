//! Drafts: the text of every open document that is not saved, kept where a crash does not reach it. Takes the folder to keep
//! them in; each running program has a folder of its own there and holds its lock, so that what a program that is gone
//! left behind is told from what another is working on. A draft that cannot be read is told and left where it is.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::finding::Finding;

use super::file::{at, name};
use super::save::clear_parts;
use super::{Seal, make_folder, save};

/// The file whose lock a running program holds.
const LOCK: &str = "lock";
/// How a draft's first line begins; the number is the format's.
const HEAD: &str = "# Moldloft draft 1: ";
/// Programs at once, and what crashed ones left.
const MOST_FOLDERS: usize = 10_000;
/// The most bytes of a draft that is read.
const MOST_BYTES: u64 = 4_100_000;

/// A document that is not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The file it belongs to; `None` for one that was never saved.
    pub path: Option<PathBuf>,
    /// What that file held when the document was read from it or last saved.
    pub seal: Seal,
    /// The ruleset's id, to name the game in an offer.
    pub ruleset: String,
    /// The ship's class.
    pub name: String,
    /// The document's text.
    pub text: String,
}

/// A draft that a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What it holds.
    pub draft: Draft,
    /// Where it lies; hand it to [`Drafts::discard`] once it is restored or not wanted.
    pub file: PathBuf,
}

/// The first line of a draft, the text follows it.
#[derive(Serialize, Deserialize)]
struct Head {
    path: Option<PathBuf>,
    based_on: String,
    ruleset: String,
    name: String,
    text: String,
}

/// The drafts of this program, and a hold on what others left behind.
#[derive(Debug)]
pub struct Drafts {
    root: PathBuf,
    own: PathBuf,
    /// Held as long as this lives; the system lets go of it however the program ends.
    lock: File,
    /// Folders of programs that are gone, held so that no other program offers the same drafts.
    taken: Vec<(PathBuf, File)>,
}

impl Drafts {
    /// Takes a folder of its own in `root`, which is made if need be.
    ///
    /// # Errors
    /// `no-drafts` when no draft can be kept there; the player should know, for then a crash loses what is not saved.
    pub fn open(root: &Path) -> Result<Self, Finding> {
        let refused = |why: String| {
            Finding::warning("no-drafts", format!("cannot protect unsaved changes from a crash: {why}"))
                .help("save often, or make the folder writable")
                .at(at(&name(root)))
        };
        make_folder(root).map_err(|finding| refused(finding.message))?;
        for number in 1..MOST_FOLDERS {
            let own = root.join(number.to_string());
            match fs::create_dir(&own) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(refused(error.to_string())),
            }
            // Another program may clear the folder away before it is locked; then the next number is tried.
            if let Some(lock) = File::create_new(own.join(LOCK)).ok().filter(holds)
                && own.join(LOCK).is_file()
            {
                return Ok(Self { root: root.to_path_buf(), own, lock, taken: Vec::new() });
            }
        }
        Err(refused(format!("it has {MOST_FOLDERS} folders already")))
    }

    /// Keeps the draft of a document, in the place of the one kept before.
    ///
    /// # Errors
    /// `unwritable` when it cannot be written; then the one before is still there.
    pub fn put(&mut self, document: u64, draft: &Draft) -> Result<(), Finding> {
        if !self.own.join(LOCK).exists() {
            // Somebody tidied up under a running program.
            make_folder(&self.own)?;
            if let Ok(lock) = File::create(self.own.join(LOCK)) {
                holds(&lock);
                self.lock = lock;
            }
        }
        save(&self.file(document), written(draft).as_bytes())
    }

    /// Lets go of a document's draft: it is saved, or not wanted.
    ///
    /// # Errors
    /// `unwritable` when it is there and cannot be removed.
    pub fn remove(&self, document: u64) -> Result<(), Finding> {
        gone(&self.file(document))
    }

    /// What programs left behind that are gone, in the order of their files; until this is dropped no other program is offered
    /// the same. Beside it findings on drafts that cannot be read.
    pub fn recoverable(&mut self) -> (Vec<Lost>, Vec<Finding>) {
        self.take();
        let (mut lost, mut findings) = (Vec::new(), Vec::new());
        for (folder, _) in &self.taken {
            for file in drafts_in(folder) {
                match read(&file) {
                    Ok(draft) => lost.push(Lost { draft, file }),
                    Err(why) => findings.push(
                        Finding::warning("damaged-draft", format!("cannot read a draft: {why}"))
                            .help("kept the file; try to open it in a text editor")
                            .at(at(&name(&file))),
                    ),
                }
            }
        }
        (lost, findings)
    }

    /// Throws away a draft that a program left behind, for good.
    ///
    /// # Errors
    /// `unwritable` when it cannot be removed.
    pub fn discard(&mut self, lost: &Lost) -> Result<(), Finding> {
        // Only what was offered can be thrown away, never a file of some other place.
        if !self.taken.iter().any(|(folder, _)| lost.file.parent() == Some(folder)) {
            return Ok(());
        }
        gone(&lost.file)?;
        self.taken.retain(|(folder, _)| !cleared(folder));
        Ok(())
    }

    /// Takes hold of the folders whose programs are gone; those with nothing in them are cleared away.
    fn take(&mut self) {
        let Ok(entries) = fs::read_dir(&self.root) else { return };
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.sort_by_key(|folder| (folder.as_os_str().len(), folder.clone()));
        for folder in folders.into_iter().take(MOST_FOLDERS) {
            if folder == self.own || !folder.is_dir() || self.taken.iter().any(|(taken, _)| *taken == folder) {
                continue;
            }
            let lock = match File::open(folder.join(LOCK)) {
                Ok(lock) => Some(lock),
                // An empty folder without a lock was just made, or its program was killed then: it goes.
                Err(_) if fs::remove_dir(&folder).is_ok() => None,
                Err(_) => File::create_new(folder.join(LOCK)).ok(),
            };
            if let Some(lock) = lock.filter(holds) {
                clear_parts(&folder);
                if !cleared(&folder) {
                    self.taken.push((folder, lock));
                }
            }
        }
    }

    fn file(&self, document: u64) -> PathBuf {
        self.own.join(format!("{document}.toml"))
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        cleared(&self.own);
    }
}

/// Whether the lock is held by this file now. Where the disk knows no locks nothing can be told: better a draft is offered
/// twice than never.
fn holds(file: &File) -> bool {
    !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock))
}

/// Removes a folder with nothing but its lock in it; gives whether it is gone.
fn cleared(folder: &Path) -> bool {
    let only_lock = fs::read_dir(folder)
        .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LOCK)));
    if only_lock {
        let _ = fs::remove_file(folder.join(LOCK));
        let _ = fs::remove_dir(folder);
    }
    only_lock
}

fn drafts_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
    files.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
    files
}

fn gone(file: &Path) -> Result<(), Finding> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Finding::error("unwritable", format!("cannot remove the file: {error}")).at(at(&name(file))))
        }
        _ => Ok(()),
    }
}

/// A draft as a file: a line of comment that says what it is, then the document's text, so that any text editor can open it.
fn written(draft: &Draft) -> String {
    let head = Head {
        path: draft.path.clone().filter(|path| path.to_str().is_some()),
        based_on: draft.seal.to_string(),
        ruleset: draft.ruleset.clone(),
        name: draft.name.clone(),
        text: Seal::of(draft.text.as_bytes()).to_string(),
    };
    let head = serde_json::to_string(&head).unwrap_or_default();
    format!("{HEAD}{head}\n{}", draft.text)
}

/// Reads a draft, or says why not.
fn read(file: &Path) -> Result<Draft, String> {
    let meta = fs::metadata(file).map_err(|error| error.to_string())?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err("not a draft".to_owned());
    }
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "not text".to_owned())?;
    let cut = || "truncated or changed".to_owned();
    let (head, text) = text.split_once('\n').ok_or_else(cut)?;
    let head = head.strip_prefix(HEAD).ok_or("unknown header, or written by a newer Moldloft")?;
    let head: Head = serde_json::from_str(head).map_err(|_| cut())?;
    if head.text != Seal::of(text.as_bytes()).to_string() {
        return Err(cut());
    }
    let seal = head.based_on.parse().map_err(|()| cut())?;
    Ok(Draft { path: head.path, seal, ruleset: head.ruleset, name: head.name, text: text.to_owned() })
}
