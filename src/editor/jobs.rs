//! What takes longer than a frame: takes work, does it in a thread, gives its [`Command`] to the window when it is done. Each job can be
//! cancelled and tells how far it is. Never touches the state.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::progress::Progress;

use super::command::Command;

/// Starts jobs and collects what they give.
pub struct Jobs {
    give: Give,
    results: Receiver<Command>,
    waiting: Arc<AtomicUsize>,
}

/// The way by which threads give commands to the window.
#[derive(Clone)]
pub struct Give {
    sender: Sender<Command>,
    wake: Arc<dyn Fn() + Send + Sync>,
    running: Arc<(Mutex<usize>, Condvar)>,
    waiting: Arc<AtomicUsize>,
}

impl Give {
    /// Gives a command and wakes the window.
    pub fn give(&self, command: Command) {
        // A window that is gone needs nothing.
        if self.sender.send(command).is_ok() {
            self.waiting.fetch_add(1, Ordering::Relaxed);
        }
        (self.wake)();
    }
}

/// Counts a job down, whatever becomes of it.
struct Running(Arc<(Mutex<usize>, Condvar)>);

impl Drop for Running {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.1.notify_all();
    }
}

impl Jobs {
    /// Jobs that wake the window by this.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, results) = channel();
        let waiting = Arc::<AtomicUsize>::default();
        let give = Give { sender, wake: Arc::new(wake), running: Arc::default(), waiting: waiting.clone() };
        Self { give, results, waiting }
    }

    /// The way by which threads give commands.
    pub fn give(&self) -> Give {
        self.give.clone()
    }

    /// Starts a job. A cancelled one may give nothing.
    pub fn start(&self, job: impl FnOnce(&Progress) -> Option<Command> + Send + 'static) -> Progress {
        let progress = Progress::default();
        let (give, theirs) = (self.give.clone(), progress.clone());
        *give.running.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let running = Running(give.running.clone());
        let work = move || {
            if let Some(command) = job(&theirs) {
                give.give(command);
            }
            drop(running);
        };
        // Without threads the window still works, only slower.
        if let Err(error) = thread::Builder::new().name("moldloft job".into()).spawn(work) {
            self.give.give(Command::Notice(super::state::Notice::error(format!("cannot start a thread: {error}"))));
        }
        progress
    }

    /// What has come in.
    pub fn results(&self) -> Vec<Command> {
        let results: Vec<Command> = self.results.try_iter().collect();
        self.waiting.fetch_sub(results.len(), Ordering::Relaxed);
        results
    }

    /// Whether something has come in.
    pub fn has_results(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Waits until no job runs: for tests.
    pub fn settle(&self) {
        let mut running = self.give.running.0.lock().unwrap_or_else(PoisonError::into_inner);
        while *running > 0 {
            running = self.give.running.1.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
