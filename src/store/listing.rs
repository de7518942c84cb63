//! Lists the designs and fleets of a workspace and the built-in ones, each with a stamp that shows whether the file has changed since.
//! Bounded: of a folder with far too many files it lists the first, and that there are more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::source::Source;

use super::allowed_roots::AllowedRoots;
use super::file_ref::FileRef;
use super::workspace::{Store, is_inside};
use super::{builtin, file};

/// The folders looked into, beside the files of the workspace folder itself.
const FOLDERS: [&str; 2] = ["designs", "fleets"];
const MAX_DEPTH: usize = 8;
/// Entries examined per file that may be listed.
const LOOKS_PER_FILE: usize = 8;

/// Detects a changed file without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStamp {
    length: u64,
    modified: u128,
    node: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Relative to the workspace: `designs/wars-of-honor/vigilant.toml`; for other files the path.
    pub name: String,
    /// Built in only where the workspace has none of the name.
    pub file: FileRef,
    pub stamp: FileStamp,
}

#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The workspace's sorted by name, then the built-in ones sorted by name.
    pub files: Vec<ListedFile>,
    /// The workspace has more files than requested.
    pub is_truncated: bool,
}

impl ListedFile {
    /// A file named by the player; it may be missing.
    pub fn from_path(path: &Path) -> Self {
        let name = path.to_string_lossy().into_owned();
        Self { name, file: FileRef::on_disk(path), stamp: file_stamp(path).unwrap_or_default() }
    }
}

/// A built-in file, `designs/wars-of-honor/vigilant.toml`, even if shadowed.
pub fn built_in_source(name: &str) -> Option<Source> {
    builtin::text(name).map(|text| Source::new(name, text))
}

/// The stamp of a file; `None` when there is no plain file.
pub fn file_stamp(path: &Path) -> Option<FileStamp> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let since = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    #[cfg(unix)]
    let node = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let node = 0;
    Some(FileStamp { length: meta.len(), modified: since.map_or(0, |since| since.as_nanos()), node })
}

impl Store {
    /// At most `most` designs and fleets of the workspace, and the built-in designs that it does not shadow.
    pub fn list_files(&self, most: usize) -> Listing {
        let mut stock = Listing::default();
        let mut walk = ListingWalk {
            store: self,
            max: most,
            looks: most.saturating_mul(LOOKS_PER_FILE),
            seen: BTreeSet::new(),
            bounds: AllowedRoots::from_folders(self.workspace()),
        };
        if self.workspace().is_some() {
            walk.list_top(&mut stock);
            for folder in FOLDERS {
                walk.add_folder(folder, 0, &mut stock);
            }
        }
        stock.files.sort_by(|one, two| one.name.cmp(&two.name));
        let own: BTreeSet<String> = stock.files.iter().map(|file| file.name.clone()).collect();
        for name in builtin::files("designs") {
            if name.ends_with(".toml") && !own.contains(&name) {
                let file = FileRef::built_in(&name);
                stock.files.push(ListedFile { name, file, stamp: FileStamp::default() });
            }
        }
        stock
    }
}

impl Store {
    /// The path of a file of the workspace that is not there yet: in this folder under this name, or with a number behind it. `None`
    /// without a workspace, or when the name leaves it.
    pub fn free_path(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let workspace = self.workspace()?;
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let names = std::iter::once(name.to_owned()).chain((2..10_000).map(|n| format!("{stem}-{n}.{extension}")));
        let mut inner = names.map(|name| format!("{folder}/{name}")).filter(|inner| is_inside(inner));
        inner.find(|inner| fs::symlink_metadata(workspace.join(inner)).is_err()).map(|inner| workspace.join(inner))
    }
}

struct ListingWalk<'s> {
    store: &'s Store,
    max: usize,
    looks: usize,
    /// Canonical paths of the folders entered, so that cyclic links end.
    seen: BTreeSet<PathBuf>,
    /// Links out of the workspace are not followed.
    bounds: AllowedRoots,
}

impl ListingWalk<'_> {
    /// Files of the workspace folder itself; its other folders are not read.
    fn list_top(&mut self, stock: &mut Listing) {
        let Some(entries) = self.store.workspace().and_then(|folder| fs::read_dir(folder).ok()) else { return };
        let names =
            entries.filter_map(Result::ok).take(self.looks).filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| !name.starts_with('.') && file::is_toml(Path::new(name))).collect();
        names.sort();
        for name in names {
            self.add_file(name, stock);
        }
    }

    /// Adds the file if it qualifies; false when the list is full.
    fn add_file(&mut self, name: String, stock: &mut Listing) -> bool {
        let path =
            self.store.workspace().map(|folder| folder.join(&name)).filter(|path| self.bounds.allows_entry(path));
        let Some(stamp) = path.and_then(|path| file_stamp(&path)) else { return true };
        if stock.files.len() == self.max {
            stock.is_truncated = true;
            return false;
        }
        let file = FileRef::on_disk(self.store.display_path(&name));
        stock.files.push(ListedFile { name, file, stamp });
        true
    }

    fn add_folder(&mut self, name: &str, depth: usize, stock: &mut Listing) {
        let Some(workspace) = self.store.workspace() else { return };
        let path = workspace.join(name);
        if depth > MAX_DEPTH
            || !self.bounds.allows_entry(&path)
            || !fs::canonicalize(&path).is_ok_and(|real| self.seen.insert(real))
        {
            return;
        }
        let Ok(entries) = fs::read_dir(&path) else { return };
        let mut inner: Vec<String> = Vec::new();
        for entry in entries.filter_map(Result::ok) {
            if self.looks == 0 {
                stock.is_truncated = true;
                break;
            }
            self.looks -= 1;
            inner.extend(entry.file_name().into_string().ok().filter(|file| !file.starts_with('.')));
        }
        inner.sort();
        for file in inner {
            let name = format!("{name}/{file}");
            let path = workspace.join(&name);
            if file::is_toml(&path) {
                if !self.add_file(name, stock) {
                    return;
                }
            } else if path.is_dir() {
                self.add_folder(&name, depth + 1, stock);
            }
        }
    }
}
