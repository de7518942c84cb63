//! What takes longer than a frame: takes work, does it in a thread, gives its [`Command`] to the window when it is done. Each job can be
//! cancelled and tells how far it is. Never touches the state.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::editor::model::command::Command;
use crate::editor::model::view::Notice;
use crate::progress::Progress;

/// Starts jobs and collects what they give.
pub struct Jobs {
    sender: CommandSender,
    results: Receiver<Command>,
    pending: Arc<AtomicUsize>,
}

/// The way by which threads give commands to the window.
#[derive(Clone)]
pub struct CommandSender {
    sender: Sender<Command>,
    wake: Arc<dyn Fn() + Send + Sync>,
    running_jobs: Arc<(Mutex<usize>, Condvar)>,
    pending: Arc<AtomicUsize>,
}

impl CommandSender {
    /// Gives a command and wakes the window.
    pub fn send(&self, command: Command) {
        // A window that is gone needs nothing.
        if self.sender.send(command).is_ok() {
            self.pending.fetch_add(1, Ordering::Relaxed);
        }
        (self.wake)();
    }
}

/// Counts a job down, whatever becomes of it.
struct RunningJobGuard(Arc<(Mutex<usize>, Condvar)>);

impl Drop for RunningJobGuard {
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
        let give =
            CommandSender { sender, wake: Arc::new(wake), running_jobs: Arc::default(), pending: waiting.clone() };
        Self { sender: give, results, pending: waiting }
    }

    /// The way by which threads give commands.
    pub fn sender(&self) -> CommandSender {
        self.sender.clone()
    }

    /// Starts a job. A cancelled one may give nothing.
    pub fn start(&self, job: impl FnOnce(&Progress) -> Option<Command> + Send + 'static) -> Progress {
        let progress = Progress::default();
        let (give, theirs) = (self.sender.clone(), progress.clone());
        *give.running_jobs.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let running = RunningJobGuard(give.running_jobs.clone());
        let work = move || {
            if let Some(command) = job(&theirs) {
                give.send(command);
            }
            drop(running);
        };
        // Without threads the window still works, only slower.
        if let Err(error) = thread::Builder::new().name("moldloft job".into()).spawn(work) {
            self.sender.send(Command::Notify(Notice::error(format!("cannot start a thread: {error}"))));
        }
        progress
    }

    /// What has come in.
    pub fn take_results(&self) -> Vec<Command> {
        let results: Vec<Command> = self.results.try_iter().collect();
        self.pending.fetch_sub(results.len(), Ordering::Relaxed);
        results
    }

    /// Whether something has come in.
    pub fn has_results(&self) -> bool {
        self.pending.load(Ordering::Relaxed) > 0
    }

    /// Waits until no job runs: for tests.
    pub fn wait_until_idle(&self) {
        let mut running = self.sender.running_jobs.0.lock().unwrap_or_else(PoisonError::into_inner);
        while *running > 0 {
            running = self.sender.running_jobs.1.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
