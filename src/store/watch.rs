//! Watches a workspace and single files in a thread, and reports which files changed. The system only signals that
//! something happened; changes are found by comparing stamps, so that renames, moved folders, lost events and systems
//! without events all work. Never reads a file's contents.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf, absolute};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

use super::allowed_roots::AllowedRoots;
use super::walk::{FolderWalk, WalkStep};
use super::{FileStamp, file_stamp};

const FOLDERS: [&str; 4] = ["rulesets", "templates", "designs", "fleets"];
const ENDINGS: [&str; 2] = ["toml", "svg"];
/// Events are collected until none arrived for this long, since a program does several things when it saves.
const QUIET_TIME: Duration = Duration::from_millis(100);
/// The most events collected before a report.
const MAX_EVENTS: usize = 1_000;
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 8;

pub struct FileWatcher {
    known: Arc<Mutex<WatchedFiles>>,
    is_live: Arc<AtomicBool>,
    to_thread: Sender<WatchSignal>,
}

enum WatchSignal {
    Event(notify::Event),
    Lost,
    Follow,
    End,
}

/// Watched files with their last stamps.
#[derive(Default)]
struct WatchedFiles {
    workspace: Option<PathBuf>,
    files: BTreeSet<PathBuf>,
    stamps: BTreeMap<PathBuf, Option<FileStamp>>,
}

impl FileWatcher {
    /// Watches a workspace's rulesets, templates, designs and fleets. `told` gets the paths that were changed, made or
    /// removed (relative to the workspace as given), including the program's own saves.
    pub fn new(workspace: Option<&Path>, told: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        let mut known = WatchedFiles { workspace: workspace.map(Path::to_path_buf), ..WatchedFiles::default() };
        known.take_changes();
        let known = Arc::new(Mutex::new(known));
        let is_live = Arc::new(AtomicBool::new(true));
        let (to_thread, signals) = channel();
        let ears = {
            let to_thread = to_thread.clone();
            recommended_watcher(move |event: notify::Result<notify::Event>| {
                let signal = match event {
                    Ok(event) if event.need_rescan() => WatchSignal::Lost,
                    Ok(event) if matches!(event.kind, EventKind::Access(_)) => return,
                    Ok(event) => WatchSignal::Event(event),
                    Err(_) => WatchSignal::Lost,
                };
                // The thread may have ended.
                let _ = to_thread.send(signal);
            })
        };
        match ears {
            Ok(ears) => {
                let mut ear = WatchThread {
                    watcher: ears,
                    watched_folders: BTreeMap::new(),
                    known: known.clone(),
                    is_live: is_live.clone(),
                };
                ear.watch_folders(&[]);
                let work = move || ear.run(&signals, &told);
                if thread::Builder::new().name("moldloft watch".into()).spawn(work).is_err() {
                    is_live.store(false, Ordering::Relaxed);
                }
            }
            Err(_) => is_live.store(false, Ordering::Relaxed),
        }
        Self { known, is_live, to_thread }
    }

    /// Also watches these single files, in place of earlier ones; they are reported by these names.
    pub fn watch_files(&self, files: impl IntoIterator<Item = PathBuf>) {
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        let mut known = lock_files(&self.known);
        if known.files == files {
            return;
        }
        known.files = files;
        known.note_new_files();
        drop(known);
        let _ = self.to_thread.send(WatchSignal::Follow);
    }

    /// Whether the system reports events. If not, call [`poll`](Self::poll) from time to time.
    pub fn is_live(&self) -> bool {
        self.is_live.load(Ordering::Relaxed)
    }

    /// Compares now; returns the changes since the last comparison that were not reported.
    pub fn poll(&self) -> Vec<PathBuf> {
        lock_files(&self.known).take_changes()
    }
}

impl Drop for FileWatcher {
    fn drop(&mut self) {
        let _ = self.to_thread.send(WatchSignal::End);
    }
}

fn lock_files(known: &Mutex<WatchedFiles>) -> std::sync::MutexGuard<'_, WatchedFiles> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WatchedFiles {
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
                let is_known = |end: &OsStr| ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(known));
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

    fn take_changes(&mut self) -> Vec<PathBuf> {
        let now = self.current_stamps();
        let before = std::mem::take(&mut self.stamps);
        let changed = now.iter().filter(|(file, stamp)| before.get(*file).copied().flatten() != **stamp);
        let gone = before.iter().filter(|(file, stamp)| stamp.is_some() && !now.contains_key(*file));
        let changed = changed.chain(gone).map(|(file, _)| file.clone()).collect();
        self.stamps = now;
        changed
    }

    fn note_new_files(&mut self) {
        for file in &self.files {
            self.stamps.entry(file.clone()).or_insert_with(|| file_stamp(file));
        }
    }
}

struct WatchThread {
    watcher: RecommendedWatcher,
    watched_folders: BTreeMap<PathBuf, bool>,
    known: Arc<Mutex<WatchedFiles>>,
    is_live: Arc<AtomicBool>,
}

impl WatchThread {
    fn run(mut self, signals: &Receiver<WatchSignal>, told: &dyn Fn(Vec<PathBuf>)) {
        while let Ok(first) = signals.recv() {
            let mut next = Some(first);
            let mut touched = Vec::new();
            let mut events = 0;
            while let Some(signal) = next {
                match signal {
                    WatchSignal::Event(event) => touched.extend(event.paths),
                    WatchSignal::Lost | WatchSignal::Follow => {}
                    WatchSignal::End => return,
                }
                events += 1;
                next = match signals.recv_timeout(QUIET_TIME) {
                    Ok(signal) if events < MAX_EVENTS => Some(signal),
                    Ok(WatchSignal::End) | Err(RecvTimeoutError::Disconnected) => return,
                    Ok(_) | Err(RecvTimeoutError::Timeout) => None,
                };
            }
            // Watch new folders first, so that later changes in them are reported.
            self.watch_folders(&touched);
            let changed = lock_files(&self.known).take_changes();
            if !changed.is_empty() {
                told(changed);
            }
        }
    }

    /// Requests events for every relevant folder, again for those in `touched`, which may have been replaced.
    fn watch_folders(&mut self, touched: &[PathBuf]) {
        let wanted = self.folders_to_watch();
        let is_stale = |folder: &PathBuf| touched.iter().any(|path| folder.starts_with(path));
        let old: Vec<PathBuf> = self
            .watched_folders
            .iter()
            .filter(|(folder, deep)| wanted.get(*folder) != Some(*deep) || is_stale(folder))
            .map(|(folder, _)| folder.clone())
            .collect();
        for folder in old {
            self.watched_folders.remove(&folder);
            let _ = self.watcher.unwatch(&folder);
        }
        let mut is_live = true;
        for (folder, deep) in wanted {
            if self.watched_folders.contains_key(&folder) || !folder.is_dir() {
                continue;
            }
            let mode = if deep { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            if self.watcher.watch(&folder, mode).is_ok() {
                self.watched_folders.insert(folder, deep);
            } else {
                is_live = false;
            }
        }
        self.is_live.store(is_live, Ordering::Relaxed);
    }

    fn folders_to_watch(&self) -> BTreeMap<PathBuf, bool> {
        let known = lock_files(&self.known);
        let mut wanted = BTreeMap::new();
        if let Some(workspace) = known.workspace.as_ref().and_then(|workspace| absolute(workspace).ok()) {
            // The parent folder reports when the workspace itself is removed and made again.
            wanted.extend(workspace.parent().map(|above| (above.to_path_buf(), false)));
            wanted.extend(FOLDERS.map(|name| (workspace.join(name), true)));
            wanted.insert(workspace, false);
        }
        // The file's folder, since saving by renaming replaces the file; for a link also the folder of its target.
        let places = known.files.iter().flat_map(|file| [absolute(file).ok(), fs::canonicalize(file).ok()]);
        for file in places.flatten() {
            if let Some(folder) = file.parent() {
                let is_in = wanted.iter().any(|(other, deep)| *deep && folder.starts_with(other));
                if !is_in {
                    wanted.entry(folder.to_path_buf()).or_insert(false);
                }
            }
        }
        wanted
    }
}
