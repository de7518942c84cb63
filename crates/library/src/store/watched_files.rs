//! Which files of a workspace, and which single files, have changed: compares their stamps with the earlier ones, so
//! that renames, moved folders and lost events need no care. Needs no threads and no events; never reads a file's contents.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf, absolute};

use super::allowed_roots::AllowedRoots;
use super::file_system;
use super::walk::{FolderWalk, WalkStep};
use super::{FileStamp, file_stamp};

const FOLDERS: [&str; 4] = ["rulesets", "templates", "designs", "fleets"];
const EXTENSIONS: [&str; 2] = ["toml", "svg"];
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 8;

/// Watched files with their last stamps.
#[derive(Default)]
pub struct WatchedFiles {
    workspace: Option<PathBuf>,
    files: BTreeSet<PathBuf>,
    stamps: BTreeMap<PathBuf, Option<FileStamp>>,
}

impl WatchedFiles {
    /// A workspace's rulesets, templates, designs and fleets as they are now.
    pub fn new(workspace: Option<&Path>) -> Self {
        let mut watched = Self { workspace: workspace.map(Path::to_path_buf), ..Self::default() };
        watched.take_changes();
        watched
    }

    /// Replaces the single files; returns whether they are others than before.
    pub fn set_files(&mut self, files: BTreeSet<PathBuf>) -> bool {
        if self.files == files {
            return false;
        }
        self.files = files;
        for file in &self.files {
            self.stamps.entry(file.clone()).or_insert_with(|| file_stamp(file));
        }
        true
    }

    /// The files that were changed, made or removed since the last call.
    pub fn take_changes(&mut self) -> Vec<PathBuf> {
        let now = self.current_stamps();
        let before = std::mem::take(&mut self.stamps);
        let changed = now.iter().filter(|(file, stamp)| before.get(*file).copied().flatten() != **stamp);
        let gone = before.iter().filter(|(file, stamp)| stamp.is_some() && !now.contains_key(*file));
        let changed = changed.chain(gone).map(|(file, _)| file.clone()).collect();
        self.stamps = now;
        changed
    }

    fn current_stamps(&self) -> BTreeMap<PathBuf, Option<FileStamp>> {
        let mut now: BTreeMap<PathBuf, Option<FileStamp>> =
            self.files.iter().map(|file| (file.clone(), file_stamp(file))).collect();
        let roots = AllowedRoots::from_folders(self.workspace.as_deref());
        let mut walk = FolderWalk::new(&roots, MAX_DEPTH);
        for folder in self.workspace.iter().flat_map(|workspace| FOLDERS.map(|name| workspace.join(name))) {
            let _ = walk.walk(&folder, &mut |step| {
                if now.len() >= MAX_FILES {
                    return ControlFlow::Break(());
                }
                let is_known = |end: &OsStr| EXTENSIONS.iter().any(|known| end.eq_ignore_ascii_case(known));
                if let WalkStep::File(path) = step
                    && path.extension().is_some_and(is_known)
                    && let Some(stamp) = file_stamp(path)
                {
                    now.insert(path.into(), Some(stamp));
                }
                ControlFlow::Continue(())
            });
        }
        now
    }

    /// The folders in which something may happen to these files, each with whether all below it count too.
    pub fn folders(&self) -> BTreeMap<PathBuf, bool> {
        let mut folders = BTreeMap::new();
        if let Some(workspace) = self.workspace.as_ref().and_then(|workspace| absolute(workspace).ok()) {
            // The parent folder reports when the workspace itself is removed and made again.
            folders.extend(workspace.parent().map(|above| (above.to_path_buf(), false)));
            folders.extend(FOLDERS.map(|name| (workspace.join(name), true)));
            folders.insert(workspace, false);
        }
        // The file's folder, since saving by renaming replaces the file; for a link also the folder of its target.
        let places = self.files.iter().flat_map(|file| [absolute(file).ok(), file_system::canonicalize(file).ok()]);
        for file in places.flatten() {
            if let Some(folder) = file.parent() {
                let is_in = folders.iter().any(|(other, deep)| *deep && folder.starts_with(other));
                if !is_in {
                    folders.entry(folder.to_path_buf()).or_insert(false);
                }
            }
        }
        folders
    }
}
