//! Drafts: the text of every unsaved document, for recovery after a crash. Takes the folder for drafts; each running
//! program has a locked folder in it, which distinguishes drafts in use from leftovers. Unreadable drafts are reported
//! and left in place.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use moldloft_base::finding::{Finding, Place};

use super::file::display_name;
use super::file_system::{self, FileKind, FileLock, LockFile, lock_file};
use super::save::clear_parts;
use super::{ContentHash, make_folder, save};

const LOCK_FILE: &str = "lock";
const FAULT_FILE: &str = "fault.txt";
const MAX_FAULT_BYTES: u64 = 16_000_000;
/// Start of a draft's first line; the number is the format's version.
const HEADER_PREFIX: &str = "# Moldloft draft 1: ";
const MAX_FOLDERS: usize = 10_000;
const MAX_DRAFT_BYTES: u64 = 4_100_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The file it belongs to; `None` for one that was never saved.
    pub path: Option<PathBuf>,
    /// The file's state when the document was read or last saved.
    pub content_hash: ContentHash,
    pub ruleset: String,
    pub name: String,
    pub text: String,
}

/// A draft of a program that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftoverDraft {
    pub draft: Draft,
    /// Pass it to [`Drafts::discard`] once it is restored or declined.
    pub file: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct DraftHeader {
    path: Option<PathBuf>,
    based_on: String,
    ruleset: String,
    name: String,
    text: String,
}

/// This program's drafts, and the leftovers that it has claimed.
#[derive(Debug)]
pub struct Drafts {
    root: PathBuf,
    own_folder: PathBuf,
    /// The system releases it however the program ends.
    lock: FileLock,
    /// Folders of ended programs, locked so that no other program offers the same drafts.
    claimed: Vec<(PathBuf, FileLock)>,
}

impl Drafts {
    /// Makes a folder of its own in `root`, which is made if necessary.
    ///
    /// # Errors
    /// `no-drafts` when drafts cannot be kept there; the player should know that a crash would lose unsaved work.
    pub fn open(root: &Path) -> Result<Self, Finding> {
        let refused = |why: String| {
            Finding::warning("no-drafts", format!("cannot protect unsaved changes from a crash: {why}"))
                .help("save often, or make the folder writable")
                .at(Place::in_file(display_name(root)))
        };
        make_folder(root).map_err(|finding| refused(finding.message))?;
        for number in 1..MAX_FOLDERS {
            let own = root.join(number.to_string());
            match file_system::create_folder(&own) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(refused(error.to_string())),
            }
            // Another program may remove the folder before it is locked; then the next number is tried.
            let lock = own.join(LOCK_FILE);
            if let Ok(Some(held)) = lock_file(&lock, LockFile::New)
                && file_system::is_file(&lock)
            {
                return Ok(Self { root: root.to_path_buf(), own_folder: own, lock: held, claimed: Vec::new() });
            }
        }
        Err(refused(format!("it has {MAX_FOLDERS} folders already")))
    }

    /// Saves the draft of a document, replacing the one before.
    ///
    /// # Errors
    /// `unwritable`; the draft before is then still there.
    pub fn save_draft(&mut self, document: u64, draft: &Draft) -> Result<(), Finding> {
        if !file_system::exists(&self.own_folder.join(LOCK_FILE)) {
            // The folder may have been deleted while the program runs.
            make_folder(&self.own_folder)?;
            if let Ok(Some(lock)) = lock_file(&self.own_folder.join(LOCK_FILE), LockFile::Any) {
                self.lock = lock;
            }
        }
        save(&self.draft_path(document), to_file_text(draft).as_bytes())
    }

    /// Removes the draft of a document.
    ///
    /// # Errors
    /// `unwritable` when it exists and cannot be removed.
    pub fn remove(&self, document: u64) -> Result<(), Finding> {
        remove_file(&self.draft_path(document))
    }

    /// Drafts of ended programs, in the order of their files, with findings for unreadable ones. They are claimed until
    /// this is dropped.
    pub fn leftover_drafts(&mut self) -> (Vec<LeftoverDraft>, Vec<Finding>) {
        self.claim_leftovers();
        let (mut leftovers, mut findings) = (Vec::new(), Vec::new());
        for (folder, _) in &self.claimed {
            let files = paths_in(folder).into_iter();
            for file in files.filter(|file| file.extension().is_some_and(|end| end == "toml")) {
                match read_draft(&file) {
                    Ok(draft) => leftovers.push(LeftoverDraft { draft, file }),
                    Err(why) => findings.push(
                        Finding::warning("damaged-draft", format!("cannot read a draft: {why}"))
                            .help("kept the file; try to open it in a text editor")
                            .at(Place::in_file(display_name(&file))),
                    ),
                }
            }
        }
        (leftovers, findings)
    }

    /// Deletes a leftover draft permanently.
    ///
    /// # Errors
    /// `unwritable` when it cannot be removed.
    pub fn discard(&mut self, leftover: &LeftoverDraft) -> Result<(), Finding> {
        // Only offered drafts can be discarded, never another file.
        if !self.claimed.iter().any(|(folder, _)| leftover.file.parent() == Some(folder)) {
            return Ok(());
        }
        remove_file(&leftover.file)?;
        self.claimed.retain(|(folder, _)| !remove_if_empty(folder));
        Ok(())
    }

    /// Locks the folders of ended programs; empty ones are removed.
    fn claim_leftovers(&mut self) {
        for folder in paths_in(&self.root).into_iter().take(MAX_FOLDERS) {
            if folder == self.own_folder
                || !file_system::is_folder(&folder)
                || self.claimed.iter().any(|(claimed, _)| *claimed == folder)
            {
                continue;
            }
            let lock = match lock_file(&folder.join(LOCK_FILE), LockFile::Existing) {
                Ok(lock) => lock,
                // An empty folder without a lock is just being made, or its program was killed then; remove it.
                Err(_) if file_system::remove_folder(&folder).is_ok() => None,
                Err(_) => lock_file(&folder.join(LOCK_FILE), LockFile::New).ok().flatten(),
            };
            if let Some(lock) = lock {
                clear_parts(&folder);
                if !remove_if_empty(&folder) {
                    self.claimed.push((folder, lock));
                }
            }
        }
    }

    fn draft_path(&self, document: u64) -> PathBuf {
        self.own_folder.join(format!("{document}.toml"))
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        remove_if_empty(&self.own_folder);
    }
}

/// Removes a folder that contains only its lock; returns whether it is gone.
fn remove_if_empty(folder: &Path) -> bool {
    let only_lock = file_system::entries(folder).is_ok_and(|mut entries| entries.all(|entry| entry.name == LOCK_FILE));
    if only_lock {
        let _ = file_system::remove_file(&folder.join(LOCK_FILE));
        let _ = file_system::remove_folder(folder);
    }
    only_lock
}

/// Keeps what a program that ends by a fault has to say, beside the drafts in `root`.
///
/// # Errors
/// `unwritable` when it cannot be written.
pub fn keep_fault(root: &Path, text: &str) -> Result<(), Finding> {
    make_folder(root)?;
    save(&root.join(FAULT_FILE), text.as_bytes())
}

/// What the program before kept; once.
pub fn take_fault(root: &Path) -> Option<String> {
    let bytes = file_system::read(&root.join(FAULT_FILE), MAX_FAULT_BYTES).ok()?;
    remove_file(&root.join(FAULT_FILE)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// By number: 2 comes before 10.
fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = file_system::entries(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| folder.join(entry.name)).collect();
    paths.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    paths
}

fn remove_file(file: &Path) -> Result<(), Finding> {
    match file_system::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Finding::error("unwritable", format!("cannot remove the file: {error}"))
                .at(Place::in_file(display_name(file))))
        }
        _ => Ok(()),
    }
}

/// A comment line with the header, then the document's text, so that any text editor can open it.
fn to_file_text(draft: &Draft) -> String {
    let head = DraftHeader {
        path: draft.path.clone().filter(|path| path.to_str().is_some()),
        based_on: draft.content_hash.to_string(),
        ruleset: draft.ruleset.clone(),
        name: draft.name.clone(),
        text: ContentHash::of_bytes(draft.text.as_bytes()).to_string(),
    };
    let head = serde_json::to_string(&head).unwrap_or_default();
    format!("{HEADER_PREFIX}{head}\n{}", draft.text)
}

fn read_draft(file: &Path) -> Result<Draft, String> {
    let meta = file_system::metadata(file).map_err(|error| error.to_string())?;
    if meta.kind != FileKind::File || meta.length > MAX_DRAFT_BYTES {
        return Err("not a draft".to_owned());
    }
    let bytes = file_system::read(file, u64::MAX).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "not text".to_owned())?;
    let cut = || "truncated or changed".to_owned();
    let (head, text) = text.split_once('\n').ok_or_else(cut)?;
    let head = head.strip_prefix(HEADER_PREFIX).ok_or("unknown header, or written by a newer Moldloft")?;
    let head: DraftHeader = serde_json::from_str(head).map_err(|_| cut())?;
    if head.text != ContentHash::of_bytes(text.as_bytes()).to_string() {
        return Err(cut());
    }
    let content_hash = head.based_on.parse().map_err(|()| cut())?;
    Ok(Draft { path: head.path, content_hash, ruleset: head.ruleset, name: head.name, text: text.to_owned() })
}
