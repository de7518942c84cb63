//! Watches a workspace and single files in a thread, and reports which files changed. The system only signals that
//! something happened; [`WatchedFiles`] finds out what.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

use super::file_system;
use super::watched_files::WatchedFiles;

/// Events are collected until none arrived for this long, since a program does several things when it saves.
const QUIET_TIME: Duration = Duration::from_millis(100);
/// The most events collected before a report.
const MAX_EVENTS: usize = 1_000;

pub struct FileWatcher {
    files: Arc<Mutex<WatchedFiles>>,
    is_live: Arc<AtomicBool>,
    to_thread: Sender<WatchSignal>,
}

enum WatchSignal {
    Event(notify::Event),
    Lost,
    Follow,
    End,
}

impl FileWatcher {
    /// Watches a workspace's rulesets, templates, designs and fleets. `report` gets the paths that were changed, made or
    /// removed (relative to the workspace as given), including the program's own saves.
    pub fn new(workspace: Option<&Path>, report: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        let files = Arc::new(Mutex::new(WatchedFiles::new(workspace)));
        let is_live = Arc::new(AtomicBool::new(true));
        let (to_thread, signals) = channel();
        let watcher = {
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
        match watcher {
            Ok(watcher) => {
                let mut thread = WatchThread {
                    watcher,
                    watched_folders: BTreeMap::new(),
                    files: files.clone(),
                    is_live: is_live.clone(),
                };
                thread.watch_folders(&[]);
                let work = move || thread.run(&signals, &report);
                if thread::Builder::new().name("moldloft watch".into()).spawn(work).is_err() {
                    is_live.store(false, Ordering::Relaxed);
                }
            }
            Err(_) => is_live.store(false, Ordering::Relaxed),
        }
        Self { files, is_live, to_thread }
    }

    /// Also watches these single files, in place of earlier ones; they are reported by these names.
    pub fn watch_files(&self, files: impl IntoIterator<Item = PathBuf>) {
        if lock_files(&self.files).set_files(files.into_iter().collect()) {
            let _ = self.to_thread.send(WatchSignal::Follow);
        }
    }

    /// Whether the system reports events. If not, call [`poll`](Self::poll) from time to time.
    pub fn is_live(&self) -> bool {
        self.is_live.load(Ordering::Relaxed)
    }

    /// Compares now; returns the changes since the last comparison that were not reported.
    pub fn poll(&self) -> Vec<PathBuf> {
        lock_files(&self.files).take_changes()
    }
}

impl Drop for FileWatcher {
    fn drop(&mut self) {
        let _ = self.to_thread.send(WatchSignal::End);
    }
}

fn lock_files(files: &Mutex<WatchedFiles>) -> std::sync::MutexGuard<'_, WatchedFiles> {
    files.lock().unwrap_or_else(PoisonError::into_inner)
}

struct WatchThread {
    watcher: RecommendedWatcher,
    watched_folders: BTreeMap<PathBuf, bool>,
    files: Arc<Mutex<WatchedFiles>>,
    is_live: Arc<AtomicBool>,
}

impl WatchThread {
    fn run(mut self, signals: &Receiver<WatchSignal>, report: &dyn Fn(Vec<PathBuf>)) {
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
            let changed = lock_files(&self.files).take_changes();
            if !changed.is_empty() {
                report(changed);
            }
        }
    }

    /// Requests events for every relevant folder, again for those in `touched`, which may have been replaced.
    fn watch_folders(&mut self, touched: &[PathBuf]) {
        let wanted = lock_files(&self.files).folders();
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
            if self.watched_folders.contains_key(&folder) || !file_system::is_folder(&folder) {
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
}
