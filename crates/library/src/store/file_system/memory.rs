//! Folders kept in memory: for tests, and for systems without a disk. They have files and folders, but no links, no
//! devices and no permissions.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Result};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::metadata::{FileKind, FolderEntry, Metadata};

static FOLDERS: RwLock<Vec<Arc<Memory>>> = RwLock::new(Vec::new());

/// A folder in memory; every path below it is in memory too, for the whole program, until this is dropped.
#[derive(Debug)]
pub struct MemoryFolder(Arc<Memory>);

impl MemoryFolder {
    /// An empty folder at a path that no other has.
    #[must_use]
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("moldloft-memory-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        Self::at(&std::env::temp_dir().join(name))
    }

    /// An empty folder at an absolute path; it hides what the disk has there.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        let memory = Arc::new(Memory { root: normalize(path), files: Mutex::default() });
        memory.lock().add(&memory.root, None);
        FOLDERS.write().unwrap_or_else(PoisonError::into_inner).push(memory.clone());
        Self(memory)
    }

    pub fn path(&self) -> &Path {
        &self.0.root
    }
}

impl Default for MemoryFolder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for MemoryFolder {
    fn drop(&mut self) {
        FOLDERS.write().unwrap_or_else(PoisonError::into_inner).retain(|one| !Arc::ptr_eq(one, &self.0));
    }
}

/// The memory that a path is in, and the path without `.` and `..`; `None` for the disk.
pub fn memory_of(path: &Path) -> Option<(Arc<Memory>, PathBuf)> {
    let folders = FOLDERS.read().unwrap_or_else(PoisonError::into_inner);
    if folders.is_empty() || !path.is_absolute() {
        return None;
    }
    let path = normalize(path);
    let memory = folders.iter().rev().find(|memory| memory.contains(&path))?;
    Some((memory.clone(), path))
}

fn normalize(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[derive(Debug)]
pub struct Memory {
    root: PathBuf,
    files: Mutex<Files>,
}

#[derive(Debug, Default)]
struct Files {
    nodes: BTreeMap<PathBuf, Node>,
    /// Counts changes; the numbers of nodes are taken from it too.
    changes: u64,
    /// The numbers of locked nodes.
    locked: BTreeSet<u64>,
}

#[derive(Debug)]
struct Node {
    number: u64,
    modified: u64,
    /// `None` for a folder.
    bytes: Option<Vec<u8>>,
}

impl Files {
    fn add(&mut self, path: &Path, bytes: Option<Vec<u8>>) {
        self.changes += 1;
        let node = Node { number: self.changes, modified: self.changes, bytes };
        self.nodes.insert(path.to_path_buf(), node);
    }

    fn node(&self, path: &Path) -> Result<&Node> {
        self.nodes.get(path).ok_or_else(|| match path.parent().and_then(|above| self.nodes.get(above)) {
            Some(above) if above.bytes.is_some() => ErrorKind::NotADirectory.into(),
            _ => ErrorKind::NotFound.into(),
        })
    }

    fn require_folder(&self, path: &Path) -> Result<()> {
        if self.node(path)?.bytes.is_none() { Ok(()) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    fn require_parent(&self, path: &Path) -> Result<()> {
        path.parent().map_or(Ok(()), |above| self.require_folder(above))
    }

    fn below(&self, folder: &Path) -> Vec<PathBuf> {
        self.nodes.keys().filter(|path| path.starts_with(folder) && *path != folder).cloned().collect()
    }
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn contains(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
    }

    pub fn metadata(&self, path: &Path) -> Result<Metadata> {
        let files = self.lock();
        let node = files.node(path)?;
        Ok(Metadata {
            kind: if node.bytes.is_some() { FileKind::File } else { FileKind::Folder },
            length: node.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
            modified: node.modified.into(),
            node: node.number,
            is_read_only: false,
            permissions: None,
        })
    }

    pub fn entries(&self, folder: &Path) -> Result<Vec<FolderEntry>> {
        let files = self.lock();
        files.require_folder(folder)?;
        let inner = files.nodes.iter().filter(|(path, _)| path.parent() == Some(folder));
        let entry = |(path, node): (&PathBuf, &Node)| {
            let kind = if node.bytes.is_some() { FileKind::File } else { FileKind::Folder };
            Some(FolderEntry { name: path.file_name()?.to_owned(), kind: Some(kind) })
        };
        Ok(inner.filter_map(entry).collect())
    }

    pub fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        let files = self.lock();
        let bytes = files.node(path)?.bytes.as_ref().ok_or(ErrorKind::IsADirectory)?;
        let length = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[..length].to_vec())
    }

    /// `keeps_node`: as a file that is written again, not as another that takes its place.
    pub fn write(&self, path: &Path, bytes: &[u8], keeps_node: bool) -> Result<()> {
        let mut files = self.lock();
        files.require_parent(path)?;
        let number = match files.nodes.get(path) {
            Some(old) if old.bytes.is_none() => return Err(ErrorKind::IsADirectory.into()),
            old => old.filter(|_| keeps_node).map(|old| old.number),
        };
        files.add(path, Some(bytes.to_vec()));
        if let (Some(number), Some(node)) = (number, files.nodes.get_mut(path)) {
            node.number = number;
        }
        Ok(())
    }

    /// Fails when anything has this name.
    pub fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let mut files = self.lock();
        files.require_parent(path)?;
        if files.nodes.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        files.add(path, Some(bytes.to_vec()));
        Ok(())
    }

    pub fn create_folder(&self, folder: &Path) -> Result<()> {
        let mut files = self.lock();
        files.require_parent(folder)?;
        if files.nodes.contains_key(folder) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        files.add(folder, None);
        Ok(())
    }

    pub fn create_folders(&self, folder: &Path) -> Result<()> {
        let mut files = self.lock();
        let mut missing: Vec<&Path> =
            folder.ancestors().take_while(|above| !files.nodes.contains_key(*above)).collect();
        let last = missing.last().and_then(|first| first.parent()).unwrap_or(folder);
        files.require_folder(last)?;
        while let Some(next) = missing.pop() {
            files.add(next, None);
        }
        Ok(())
    }

    pub fn remove_file(&self, path: &Path) -> Result<()> {
        let mut files = self.lock();
        if files.node(path)?.bytes.is_none() {
            return Err(ErrorKind::IsADirectory.into());
        }
        files.nodes.remove(path);
        Ok(())
    }

    pub fn remove_folder(&self, folder: &Path) -> Result<()> {
        let mut files = self.lock();
        files.require_folder(folder)?;
        if !files.below(folder).is_empty() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        files.nodes.remove(folder);
        Ok(())
    }

    pub fn remove_folders(&self, folder: &Path) -> Result<()> {
        let mut files = self.lock();
        files.require_folder(folder)?;
        files.nodes.retain(|path, _| !path.starts_with(folder));
        Ok(())
    }

    pub fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let mut files = self.lock();
        let is_folder = files.node(from)?.bytes.is_none();
        files.require_parent(to)?;
        match files.nodes.get(to) {
            Some(old) if old.bytes.is_none() != is_folder => {
                return Err(if is_folder { ErrorKind::NotADirectory } else { ErrorKind::IsADirectory }.into());
            }
            Some(_) if is_folder && !files.below(to).is_empty() => return Err(ErrorKind::DirectoryNotEmpty.into()),
            _ => {}
        }
        for old in files.below(from).into_iter().chain([from.to_path_buf()]) {
            let Ok(inner) = old.strip_prefix(from) else { continue };
            let new = if inner.as_os_str().is_empty() { to.to_path_buf() } else { to.join(inner) };
            if let Some(node) = files.nodes.remove(&old) {
                files.nodes.insert(new, node);
            }
        }
        Ok(())
    }

    /// Locks a file or folder; `None` when it is locked already.
    pub fn try_lock(self: &Arc<Self>, path: &Path) -> Result<Option<MemoryLock>> {
        let mut files = self.lock();
        let number = files.node(path)?.number;
        Ok(files.locked.insert(number).then(|| MemoryLock { memory: self.clone(), number }))
    }

    /// A number that no other call has got.
    pub fn next_number(&self) -> u64 {
        let mut files = self.lock();
        files.changes += 1;
        files.changes
    }
}

/// Released when dropped.
#[derive(Debug)]
pub struct MemoryLock {
    memory: Arc<Memory>,
    number: u64,
}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.memory.lock().locked.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::file_system::{self, LockFile, lock_file};
    use crate::store::{
        AssetKind, ContentHash, Draft, Drafts, SaveError, Store, find_inputs, load_settings, make_folder, read, save,
        save_new, save_over, save_settings,
    };

    #[test]
    fn what_the_disk_refuses_memory_refuses_too() {
        let (disk, memory) = (tempfile::tempdir().unwrap(), MemoryFolder::new());
        let kinds = |folder: &Path| {
            let path = |name: &str| folder.join(name);
            file_system::create_folders(&path("a/b")).unwrap();
            file_system::write(&path("a/file"), b"12345").unwrap();
            let results = [
                file_system::create_folder(&path("a")),
                file_system::create_folder(&path("x/y")),
                file_system::create_folders(&path("a/b")),
                file_system::create_folders(&path("a/file/c")),
                file_system::write(&path("x/file"), b""),
                file_system::metadata(&path("a/file/x")).map(drop),
                file_system::metadata(&path("a/../a/./none")).map(drop),
                file_system::canonicalize(&path("none")).map(drop),
                file_system::entries(&path("a/file")).map(drop),
                file_system::remove_folder(&path("a")),
                file_system::remove_file(&path("none")),
                file_system::rename(&path("none"), &path("other")),
                file_system::rename(&path("a/b"), &path("a/file")),
                file_system::rename(&path("a/b"), &path("c")),
                file_system::rename(&path("a"), &path("c/d")),
                lock_file(&path("c/d/file"), LockFile::New).map(drop),
                lock_file(&path("none"), LockFile::Existing).map(drop),
            ];
            let kinds = results.map(|result| result.err().map(|error| error.kind()));
            let read = file_system::read(&path("c/d/../d/file"), 3).unwrap();
            let mut names: Vec<_> = file_system::entries(folder).unwrap().map(|entry| entry.name).collect();
            names.sort();
            file_system::remove_folders(&path("c")).unwrap();
            (kinds.to_vec(), read, names, file_system::exists(&path("c/d/file")))
        };
        assert_eq!(kinds(memory.path()), kinds(disk.path()));
    }

    #[test]
    fn files_are_saved_locked_and_gone_with_their_folder() {
        let memory = MemoryFolder::new();
        let path = memory.path().join("ship.toml");
        assert_eq!(read(&path).unwrap_err().code, "no-such-file");
        let saved = save_over(&path, b"one", Some(ContentHash::Absent)).unwrap();
        assert_eq!(save_new(&path, b"two").unwrap_err().code, "file-exists");
        file_system::write(&path, b"theirs").unwrap();
        assert!(matches!(save_over(&path, b"two", Some(saved)), Err(SaveError::Changed { .. })));
        save(&path, b"two").unwrap();
        assert_eq!(&*read(&path).unwrap().text, "two");
        assert_eq!(file_system::entries(memory.path()).unwrap().count(), 1, "nothing is left beside it");

        let lock = lock_file(&path, LockFile::Existing).unwrap().unwrap();
        assert!(lock_file(&path, LockFile::Existing).unwrap().is_none());
        drop(lock);
        assert!(lock_file(&path, LockFile::Existing).unwrap().is_some());
        drop(memory);
        assert!(!file_system::exists(&path));
    }

    #[test]
    fn a_workspace_settings_and_drafts_need_no_disk() {
        let memory = MemoryFolder::new();
        let folder = memory.path();
        make_folder(&folder.join("rulesets")).unwrap();
        make_folder(&folder.join("designs/x/fleets")).unwrap();
        for name in ["rulesets/x.toml", "designs/x/ship.toml", "designs/x/fleets/squadron.toml"] {
            save(&folder.join(name), name.as_bytes()).unwrap();
        }
        let store = Store::open(Some(folder)).unwrap();
        assert_eq!(&*store.ruleset("x").unwrap().text, "rulesets/x.toml");
        assert!(store.find_asset(AssetKind::Fleet, "x/fleets/squadron").is_ok());
        let own = store.list_files(10).files.into_iter().filter(|file| !file.file.built_in);
        let names: Vec<String> = own.map(|file| file.name).collect();
        assert_eq!(names, ["designs/x/fleets/squadron.toml", "designs/x/ship.toml"]);
        let (inputs, findings) = find_inputs(&[folder.join("designs")], store.workspace());
        assert_eq!((inputs.len(), findings.len()), (2, 0));

        let number = |text: &str| text.parse::<i32>().map_err(|error| error.to_string());
        save_settings(&folder.join("config"), "scale", "x").unwrap();
        assert!(load_settings(&folder.join("config"), "scale", number).1.is_some());
        assert!(file_system::is_file(&folder.join("config/scale.broken")));

        let draft = Draft {
            path: None,
            content_hash: ContentHash::Absent,
            ruleset: "x".into(),
            name: "Ship".into(),
            text: "text".into(),
        };
        let mut first = Drafts::open(&folder.join("drafts")).unwrap();
        first.save_draft(1, &draft).unwrap();
        let mut second = Drafts::open(&folder.join("drafts")).unwrap();
        assert!(second.leftover_drafts().0.is_empty(), "the first program still runs");
        drop(first);
        let (leftovers, findings) = second.leftover_drafts();
        assert_eq!((leftovers.len(), findings.len(), &leftovers[0].draft), (1, 0, &draft));
        second.discard(&leftovers[0]).unwrap();
        drop(second);
        assert_eq!(file_system::entries(&folder.join("drafts")).unwrap().count(), 0);
    }

    #[cfg(feature = "watch")]
    #[test]
    fn changes_are_found_without_a_disk() {
        let memory = MemoryFolder::new();
        let (ship, other) = (memory.path().join("designs/ship.toml"), memory.path().join("other.toml"));
        make_folder(&memory.path().join("designs")).unwrap();
        let mut watched = crate::store::watched_files::WatchedFiles::new(Some(memory.path()));
        assert!(watched.set_files([other.clone()].into()));
        for bytes in [b"one", b"two"] {
            save(&ship, bytes).unwrap();
            save(&other, bytes).unwrap();
            assert_eq!(watched.take_changes(), [ship.clone(), other.clone()]);
            assert!(watched.take_changes().is_empty());
        }
        file_system::remove_folders(&memory.path().join("designs")).unwrap();
        assert_eq!(watched.take_changes(), [ship]);
    }
}
