//! Noticing: takes a workspace and single files, and tells from a thread of its own which of them are others by now. The
//! system only says that something happened; what has changed is found by looking, so that files saved by renaming, moved
//! folders, lost messages and systems that say nothing at all come to the same. Never reads what a file holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

use super::bounds::Bounds;
use super::{Stamp, stamp};

/// Folders of a workspace that are looked into.
const FOLDERS: [&str; 4] = ["rulesets", "templates", "designs", "fleets"];
/// Kinds of files that matter.
const ENDINGS: [&str; 2] = ["toml", "svg"];
/// How long nothing must happen before it is told: a program that saves does several things at once.
const QUIET: Duration = Duration::from_millis(100);
/// What may happen before it is told though more is going on.
const MOST_EVENTS: usize = 1_000;
/// Files looked at.
const MOST_FILES: usize = 20_000;
/// Folders within folders that are looked into.
const DEEPEST: usize = 8;

/// Keeps an eye on files as long as it lives.
pub struct Watch {
    known: Arc<Mutex<Known>>,
    is_live: Arc<AtomicBool>,
    to_thread: Sender<Signal>,
}

enum Signal {
    Happened(notify::Event),
    /// Messages were lost or cannot be had.
    Lost,
    Follow,
    End,
}

/// What is looked at, and how it was when it was looked at last.
#[derive(Default)]
struct Known {
    workspace: Option<PathBuf>,
    files: BTreeSet<PathBuf>,
    stamps: BTreeMap<PathBuf, Option<Stamp>>,
}

impl Watch {
    /// Watches a workspace's rulesets, templates, designs and fleets. `told` gets the paths that were changed, made or removed, the
    /// workspace's below the path given here; the program's own saves are among them.
    pub fn new(workspace: Option<&Path>, told: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        let mut known = Known { workspace: workspace.map(Path::to_path_buf), ..Known::default() };
        known.look();
        let known = Arc::new(Mutex::new(known));
        let is_live = Arc::new(AtomicBool::new(true));
        let (to_thread, signals) = channel();
        let ears = {
            let to_thread = to_thread.clone();
            recommended_watcher(move |event: notify::Result<notify::Event>| {
                let signal = match event {
                    Ok(event) if event.need_rescan() => Signal::Lost,
                    Ok(event) if matches!(event.kind, EventKind::Access(_)) => return,
                    Ok(event) => Signal::Happened(event),
                    Err(_) => Signal::Lost,
                };
                // A thread that is gone needs no telling.
                let _ = to_thread.send(signal);
            })
        };
        match ears {
            Ok(ears) => {
                let mut ear = Ear { ears, hears: BTreeMap::new(), known: known.clone(), is_live: is_live.clone() };
                ear.attend(&[]);
                let work = move || ear.run(&signals, &told);
                if thread::Builder::new().name("moldloft watch".into()).spawn(work).is_err() {
                    is_live.store(false, Ordering::Relaxed);
                }
            }
            Err(_) => is_live.store(false, Ordering::Relaxed),
        }
        Self { known, is_live, to_thread }
    }

    /// Watches these single files too, wherever they are, in the place of those named before; they are told under these names.
    pub fn follow(&self, files: impl IntoIterator<Item = PathBuf>) {
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        let mut known = lock(&self.known);
        if known.files == files {
            return;
        }
        known.files = files;
        known.meet();
        drop(known);
        let _ = self.to_thread.send(Signal::Follow);
    }

    /// Whether the system says when something changes. If not, [`poll`](Self::poll) now and then.
    pub fn is_live(&self) -> bool {
        self.is_live.load(Ordering::Relaxed)
    }

    /// Looks now; what has changed since the last look and was not told yet.
    pub fn poll(&self) -> Vec<PathBuf> {
        lock(&self.known).look()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.to_thread.send(Signal::End);
    }
}

fn lock(known: &Mutex<Known>) -> std::sync::MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// All that is there now.
    fn now(&self) -> BTreeMap<PathBuf, Option<Stamp>> {
        let mut now: BTreeMap<PathBuf, Option<Stamp>> =
            self.files.iter().map(|file| (file.clone(), stamp(file))).collect();
        let mut seen = BTreeSet::new();
        let bounds = Bounds::of(self.workspace.as_deref());
        for folder in self.workspace.iter().flat_map(|workspace| FOLDERS.map(|name| workspace.join(name))) {
            list(&folder, 0, &bounds, &mut seen, &mut now);
        }
        now
    }

    /// What is another than at the last look.
    fn look(&mut self) -> Vec<PathBuf> {
        let now = self.now();
        let before = std::mem::take(&mut self.stamps);
        let changed = now.iter().filter(|(file, stamp)| before.get(*file).copied().flatten() != **stamp);
        let gone = before.iter().filter(|(file, stamp)| stamp.is_some() && !now.contains_key(*file));
        let changed = changed.chain(gone).map(|(file, _)| file.clone()).collect();
        self.stamps = now;
        changed
    }

    /// Takes note of files that are new here, without telling them.
    fn meet(&mut self) {
        for file in &self.files {
            self.stamps.entry(file.clone()).or_insert_with(|| stamp(file));
        }
    }
}

fn list(
    folder: &Path,
    depth: usize,
    bounds: &Bounds,
    seen: &mut BTreeSet<PathBuf>,
    into: &mut BTreeMap<PathBuf, Option<Stamp>>,
) {
    // By its true path, so that links in a circle end.
    if depth > DEEPEST || !bounds.allow(folder) || !fs::canonicalize(folder).is_ok_and(|real| seen.insert(real)) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        if into.len() >= MOST_FILES {
            return;
        }
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.extension().is_some_and(|end| ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(known))) {
            if let Some(stamp) = stamp(&path) {
                into.insert(path, Some(stamp));
            }
        } else if path.is_dir() {
            list(&path, depth + 1, bounds, seen, into);
        }
    }
}

/// The thread's side.
struct Ear {
    ears: RecommendedWatcher,
    /// Folders the system was asked about, and whether with all in them.
    hears: BTreeMap<PathBuf, bool>,
    known: Arc<Mutex<Known>>,
    is_live: Arc<AtomicBool>,
}

impl Ear {
    fn run(mut self, signals: &Receiver<Signal>, told: &dyn Fn(Vec<PathBuf>)) {
        while let Ok(first) = signals.recv() {
            let mut next = Some(first);
            let mut touched = Vec::new();
            let mut events = 0;
            while let Some(signal) = next {
                match signal {
                    Signal::Happened(event) => touched.extend(event.paths),
                    Signal::Lost | Signal::Follow => {}
                    Signal::End => return,
                }
                events += 1;
                next = match signals.recv_timeout(QUIET) {
                    Ok(signal) if events < MOST_EVENTS => Some(signal),
                    Ok(Signal::End) | Err(RecvTimeoutError::Disconnected) => return,
                    Ok(_) | Err(RecvTimeoutError::Timeout) => None,
                };
            }
            // Asked about new folders first: what is changed in them from now on is said again.
            self.attend(&touched);
            let changed = lock(&self.known).look();
            if !changed.is_empty() {
                told(changed);
            }
        }
    }

    /// Asks the system about every folder that matters; those that `touched` may have removed and made again are asked about anew.
    fn attend(&mut self, touched: &[PathBuf]) {
        let wanted = self.wanted();
        let is_stale = |folder: &PathBuf| touched.iter().any(|path| folder.starts_with(path));
        let old: Vec<PathBuf> = self
            .hears
            .iter()
            .filter(|(folder, deep)| wanted.get(*folder) != Some(*deep) || is_stale(folder))
            .map(|(folder, _)| folder.clone())
            .collect();
        for folder in old {
            self.hears.remove(&folder);
            let _ = self.ears.unwatch(&folder);
        }
        let mut is_live = true;
        for (folder, deep) in wanted {
            if self.hears.contains_key(&folder) || !folder.is_dir() {
                continue;
            }
            let mode = if deep { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            if self.ears.watch(&folder, mode).is_ok() {
                self.hears.insert(folder, deep);
            } else {
                is_live = false;
            }
        }
        self.is_live.store(is_live, Ordering::Relaxed);
    }

    /// The folders that matter, and whether all in them does.
    fn wanted(&self) -> BTreeMap<PathBuf, bool> {
        let known = lock(&self.known);
        let mut wanted = BTreeMap::new();
        if let Some(workspace) = known.workspace.as_ref().and_then(|workspace| absolute(workspace).ok()) {
            // The folder above tells when the workspace itself is removed and made again.
            wanted.extend(workspace.parent().map(|above| (above.to_path_buf(), false)));
            wanted.extend(FOLDERS.map(|name| (workspace.join(name), true)));
            wanted.insert(workspace, false);
        }
        // A file's folder, for a file saved by renaming is another one; of a link also the folder of what it points to.
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
