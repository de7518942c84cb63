//! Walks a folder and those below it: takes a folder and limits, gives its files sorted by name. Hidden entries are
//! skipped, each folder is entered once, however many links lead to it, and links out of the allowed folders are not
//! followed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::allowed_roots::AllowedRoots;
use super::file_system::{self, FileKind};

pub enum WalkStep<'a> {
    /// Anything but a folder.
    File(&'a Path),
    /// A link that leads out.
    LinkOut(&'a Path),
    /// A folder that cannot be read.
    Unreadable(&'a Path, &'a Error),
    /// A folder has more entries than may be examined.
    TooMany,
}

pub struct FolderWalk<'a> {
    /// Where links may lead.
    pub roots: &'a AllowedRoots,
    /// How deep folders are entered; 0 is the first folder alone.
    pub max_depth: usize,
    /// Entries that may still be examined.
    pub max_entries: usize,
    pub follows_folder_links: bool,
    /// Canonical paths of the folders entered, so that cyclic links end.
    seen: BTreeSet<PathBuf>,
}

impl<'a> FolderWalk<'a> {
    /// Any number of entries; links to folders are followed.
    pub fn new(roots: &'a AllowedRoots, max_depth: usize) -> Self {
        Self { roots, max_depth, max_entries: usize::MAX, follows_folder_links: true, seen: BTreeSet::new() }
    }

    /// Goes through a folder until `visit` breaks. Folders of earlier walks are not entered again.
    pub fn walk(&mut self, folder: &Path, visit: &mut dyn FnMut(WalkStep<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.roots.allows_entry(folder) { self.enter(folder, 0, visit) } else { ControlFlow::Continue(()) }
    }

    fn enter(
        &mut self,
        folder: &Path,
        depth: usize,
        visit: &mut dyn FnMut(WalkStep<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if depth > self.max_depth || !file_system::canonicalize(folder).is_ok_and(|real| self.seen.insert(real)) {
            return ControlFlow::Continue(());
        }
        let entries = match file_system::entries(folder) {
            Ok(entries) => entries,
            Err(error) => return visit(WalkStep::Unreadable(folder, &error)),
        };
        let mut inner: Vec<(OsString, Option<FileKind>)> = Vec::new();
        for entry in entries {
            if self.max_entries == 0 {
                visit(WalkStep::TooMany)?;
                break;
            }
            self.max_entries -= 1;
            if !entry.name.to_string_lossy().starts_with('.') {
                inner.push((entry.name, entry.kind));
            }
        }
        inner.sort_by(|one, two| one.0.cmp(&two.0));
        for (name, kind) in inner {
            let path = folder.join(name);
            let is_link = kind.is_none_or(|kind| kind == FileKind::Link);
            if is_link && !self.roots.contains(&path) {
                visit(WalkStep::LinkOut(&path))?;
            } else if is_link && file_system::is_folder(&path) {
                if self.follows_folder_links {
                    self.enter(&path, depth + 1, visit)?;
                }
            } else if kind == Some(FileKind::Folder) {
                self.enter(&path, depth + 1, visit)?;
            } else {
                visit(WalkStep::File(&path))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A path below a folder with `/`: `designs/wars-of-honor/vigilant.toml`. `None` when it is not UTF-8.
pub fn name_below(folder: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(folder).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}
