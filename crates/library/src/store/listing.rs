//! Lists the designs and fleets of a workspace and the built-in ones, each with a stamp that shows whether the file has changed since.
//! Bounded: of a folder with far too many files it lists the first, and that there are more.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;

use super::allowed_roots::AllowedRoots;
use super::file_ref::FileRef;
use super::file_system::{self, FileKind};
use super::walk::{FolderWalk, WalkStep, name_below};
use super::workspace::{Store, is_inside};
use super::{builtin, file};

/// The folders looked into, beside the files of the workspace folder itself.
const FOLDERS: [&str; 2] = ["designs", "fleets"];
const MAX_DEPTH: usize = 8;
/// The most templates of a workspace that are looked at.
const MAX_TEMPLATES: usize = 4_000;
/// Entries examined per file that may be listed.
const EXAMINED_PER_FILE: usize = 8;

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

/// The names of all built-in files in and below a folder, sorted.
pub fn built_in_names(folder: &str) -> Vec<String> {
    builtin::files(folder)
}

/// The stamp of a file; `None` when there is no plain file.
pub fn file_stamp(path: &Path) -> Option<FileStamp> {
    let meta = file_system::metadata(path).ok().filter(|meta| meta.kind == FileKind::File)?;
    Some(FileStamp { length: meta.length, modified: meta.modified, node: meta.node })
}

impl Store {
    /// At most `most` designs and fleets of the workspace, and the built-in designs that it does not shadow.
    pub fn list_files(&self, max: usize) -> Listing {
        let mut listing = Listing::default();
        if let Some(workspace) = self.workspace() {
            let roots = AllowedRoots::from_folders([workspace]);
            let lister = WorkspaceLister { store: self, workspace, max, roots: &roots };
            let mut walk = FolderWalk::new(&roots, MAX_DEPTH);
            walk.max_entries = max.saturating_mul(EXAMINED_PER_FILE);
            lister.list_top(walk.max_entries, &mut listing);
            for folder in FOLDERS {
                lister.add_folder(folder, &mut walk, &mut listing);
            }
        }
        listing.files.sort_by(|one, two| one.name.cmp(&two.name));
        let own: BTreeSet<String> = listing.files.iter().map(|file| file.name.clone()).collect();
        for name in builtin::files("designs") {
            if name.ends_with(".toml") && !own.contains(&name) {
                let file = FileRef::built_in(&name);
                listing.files.push(ListedFile { name, file, stamp: FileStamp::default() });
            }
        }
        listing
    }

    /// The names of all files of the workspace in and below these of its folders, `templates/fleet/roster.svg`; whether there are
    /// more than `most`.
    pub fn names_in(&self, folders: &[&str], most: usize) -> (Vec<String>, bool) {
        let (mut names, mut is_truncated) = (Vec::new(), false);
        let Some(workspace) = self.workspace() else { return (names, false) };
        let roots = AllowedRoots::from_folders([workspace]);
        let mut walk = FolderWalk::new(&roots, MAX_DEPTH);
        walk.max_entries = most.saturating_mul(EXAMINED_PER_FILE);
        for folder in folders {
            let _ = walk.walk(&workspace.join(folder), &mut |step| {
                match step {
                    WalkStep::File(_) | WalkStep::TooMany if names.len() >= most => is_truncated = true,
                    WalkStep::File(path) => names.extend(name_below(workspace, path)),
                    WalkStep::TooMany => is_truncated = true,
                    WalkStep::LinkOut(_) | WalkStep::Unreadable(..) => {}
                }
                ControlFlow::Continue(())
            });
        }
        (names, is_truncated)
    }

    /// The workspace's templates that rulesets with these ids can print with, each with its name, `templates/fleet/roster.svg`: those
    /// in their folders, and those in no ruleset's. Sorted by name.
    pub fn own_templates(&self, ids: &[&str]) -> Vec<(String, Result<Source, Finding>)> {
        let (mut names, _) = self.names_in(&["templates"], MAX_TEMPLATES);
        let is_of_another = |folder: &str| {
            let ruleset = format!("rulesets/{folder}.toml");
            let is_own = self.workspace().is_some_and(|workspace| file_system::exists(&workspace.join(&ruleset)));
            !ids.contains(&folder) && (is_own || builtin::text(&ruleset).is_some())
        };
        names.retain(|name| {
            let folder = name["templates/".len()..].split_once('/');
            name.ends_with(".svg") && !folder.is_some_and(|(folder, _)| is_of_another(folder))
        });
        names.sort();
        let read = |name: String| {
            let source = file::read(&self.display_path(&name));
            (name, source)
        };
        names.into_iter().map(read).collect()
    }

    /// The path of a file of the workspace that is not there yet: in this folder under this name, or with a number behind it. `None`
    /// without a workspace, or when the name leaves it.
    pub fn free_path(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let workspace = self.workspace()?;
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let names = std::iter::once(name.to_owned()).chain((2..10_000).map(|n| format!("{stem}-{n}.{extension}")));
        let mut inner = names.map(|name| format!("{folder}/{name}")).filter(|inner| is_inside(inner));
        inner.find(|inner| !file_system::is_there(&workspace.join(inner))).map(|inner| workspace.join(inner))
    }
}

struct WorkspaceLister<'s> {
    store: &'s Store,
    workspace: &'s Path,
    max: usize,
    roots: &'s AllowedRoots,
}

impl WorkspaceLister<'_> {
    /// Files of the workspace folder itself; its other folders are not read.
    fn list_top(&self, max_entries: usize, listing: &mut Listing) {
        let Ok(entries) = file_system::entries(self.workspace) else { return };
        let names = entries.take(max_entries).filter_map(|entry| entry.name.into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| !name.starts_with('.') && file::is_toml(Path::new(name))).collect();
        names.sort();
        for name in names {
            let _ = self.add_file(name, listing);
        }
    }

    fn add_folder(&self, name: &str, walk: &mut FolderWalk<'_>, listing: &mut Listing) {
        let _ = walk.walk(&self.workspace.join(name), &mut |step| {
            match step {
                WalkStep::File(path) if file::is_toml(path) => {
                    if let Some(name) = name_below(self.workspace, path) {
                        self.add_file(name, listing)?;
                    }
                }
                WalkStep::TooMany => listing.is_truncated = true,
                WalkStep::File(_) | WalkStep::LinkOut(_) | WalkStep::Unreadable(..) => {}
            }
            ControlFlow::Continue(())
        });
    }

    /// Adds the file if it qualifies; breaks when the list is full.
    fn add_file(&self, name: String, listing: &mut Listing) -> ControlFlow<()> {
        let path = self.workspace.join(&name);
        let stamp = Some(path).filter(|path| self.roots.allows_entry(path)).and_then(|path| file_stamp(&path));
        let Some(stamp) = stamp else { return ControlFlow::Continue(()) };
        if listing.files.len() == self.max {
            listing.is_truncated = true;
            return ControlFlow::Break(());
        }
        let file = FileRef::on_disk(self.store.display_path(&name));
        listing.files.push(ListedFile { name, file, stamp });
        ControlFlow::Continue(())
    }
}
