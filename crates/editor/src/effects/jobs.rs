//! Work that takes longer than a frame: takes work, has a runner do it and sends a [`Command`] when it is done. A job
//! can be cancelled, reports its progress and never touches the state.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::{Command, Notice};
use moldloft_base::progress::Progress;

pub type Work = Box<dyn FnOnce() + Send>;

/// Runs the work of jobs: in threads, at once, or one piece between frames.
pub trait JobRunner {
    /// # Errors
    /// Why it cannot be run; the work is then dropped.
    fn run(&self, work: Work) -> Result<(), String>;

    /// Runs one piece of waiting work. Called once a frame. False if none waits.
    fn advance(&self) -> bool {
        false
    }

    fn needs_frame(&self) -> bool {
        false
    }
}

#[derive(Debug, Default)]
pub struct Threads;

impl JobRunner for Threads {
    fn run(&self, work: Work) -> Result<(), String> {
        let started = thread::Builder::new().name("moldloft job".into()).spawn(work);
        started.map(drop).map_err(|error| format!("cannot start a thread: {error}"))
    }
}

/// Each job is finished before its start returns: the same order every time.
#[derive(Debug, Default)]
pub struct AtOnce;

impl JobRunner for AtOnce {
    fn run(&self, work: Work) -> Result<(), String> {
        work();
        Ok(())
    }
}

/// One job a frame, in the order of their start: for systems without threads.
#[derive(Default)]
pub struct Slices {
    pending: Mutex<VecDeque<Work>>,
}

impl Slices {
    fn pending(&self) -> MutexGuard<'_, VecDeque<Work>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JobRunner for Slices {
    fn run(&self, work: Work) -> Result<(), String> {
        self.pending().push_back(work);
        Ok(())
    }

    fn advance(&self) -> bool {
        // The lock is released before the work begins.
        let next = self.pending().pop_front();
        next.map(|work| work()).is_some()
    }

    fn needs_frame(&self) -> bool {
        !self.pending().is_empty()
    }
}

pub struct Jobs {
    runner: Box<dyn JobRunner>,
    sender: CommandSender,
    results: Receiver<Command>,
    pending: Arc<AtomicUsize>,
}

#[derive(Clone)]
pub struct CommandSender {
    sender: Sender<Command>,
    wake: Arc<dyn Fn() + Send + Sync>,
    running_jobs: Arc<(Mutex<usize>, Condvar)>,
    pending: Arc<AtomicUsize>,
}

impl CommandSender {
    pub fn send(&self, command: Command) {
        // Ignored if the window is gone.
        if self.sender.send(command).is_ok() {
            self.pending.fetch_add(1, Ordering::Relaxed);
        }
        (self.wake)();
    }
}

/// Counts a job as finished, even if it panics.
struct RunningJobGuard(Arc<(Mutex<usize>, Condvar)>);

impl Drop for RunningJobGuard {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.1.notify_all();
    }
}

impl Jobs {
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self::with_runner(Threads, wake)
    }

    pub fn with_runner(runner: impl JobRunner + 'static, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, results) = channel();
        let pending = Arc::<AtomicUsize>::default();
        let command_sender =
            CommandSender { sender, wake: Arc::new(wake), running_jobs: Arc::default(), pending: pending.clone() };
        Self { runner: Box::new(runner), sender: command_sender, results, pending }
    }

    pub fn sender(&self) -> CommandSender {
        self.sender.clone()
    }

    /// A cancelled job may give no command.
    pub fn start(&self, job: impl FnOnce(&Progress) -> Option<Command> + Send + 'static) -> Progress {
        let progress = Progress::default();
        let (command_sender, job_progress) = (self.sender.clone(), progress.clone());
        *command_sender.running_jobs.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let running = RunningJobGuard(command_sender.running_jobs.clone());
        let work = move || {
            if let Some(command) = job(&job_progress) {
                command_sender.send(command);
            }
            drop(running);
        };
        // Without threads the window still works, only more slowly.
        if let Err(message) = self.runner.run(Box::new(work)) {
            self.sender.send(Command::Notify(Notice::error(message)));
        }
        if self.runner.needs_frame() {
            (self.sender.wake)();
        }
        progress
    }

    /// A runner that works between frames runs one piece first.
    pub fn take_results(&self) -> Vec<Command> {
        self.runner.advance();
        if self.runner.needs_frame() {
            (self.sender.wake)();
        }
        let results: Vec<Command> = self.results.try_iter().collect();
        self.pending.fetch_sub(results.len(), Ordering::Relaxed);
        results
    }

    pub fn has_results(&self) -> bool {
        self.pending.load(Ordering::Relaxed) > 0
    }

    pub fn wait_until_idle(&self) {
        while self.runner.advance() {}
        let mut running = self.sender.running_jobs.0.lock().unwrap_or_else(PoisonError::into_inner);
        while *running > 0 {
            running = self.sender.running_jobs.1.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(jobs: &Jobs, text: &'static str) {
        jobs.start(move |_| Some(Command::Notify(Notice::info(text))));
    }

    fn texts(commands: Vec<Command>) -> Vec<String> {
        let texts = commands.into_iter().map(|command| match command {
            Command::Notify(notice) => notice.text,
            other => format!("{other:?}"),
        });
        texts.collect()
    }

    #[test]
    fn jobs_at_once_are_done_when_they_are_started() {
        let jobs = Jobs::with_runner(AtOnce, || {});
        notice(&jobs, "one");
        notice(&jobs, "two");
        assert!(jobs.has_results());
        assert_eq!(texts(jobs.take_results()), ["one", "two"]);
    }

    #[test]
    fn slices_do_one_job_a_frame_and_ask_for_the_next_frame() {
        let frames = Arc::new(AtomicUsize::new(0));
        let requested = frames.clone();
        let jobs = Jobs::with_runner(Slices::default(), move || {
            requested.fetch_add(1, Ordering::Relaxed);
        });
        notice(&jobs, "one");
        notice(&jobs, "two");
        assert!(!jobs.has_results() && frames.load(Ordering::Relaxed) > 0);
        assert_eq!(texts(jobs.take_results()), ["one"]);
        assert_eq!(texts(jobs.take_results()), ["two"]);
        let before = frames.load(Ordering::Relaxed);
        assert!(jobs.take_results().is_empty());
        assert_eq!(frames.load(Ordering::Relaxed), before, "an idle runner asks for no frame");
    }

    #[test]
    fn waiting_ends_whatever_the_runner() {
        for jobs in [Jobs::new(|| {}), Jobs::with_runner(AtOnce, || {}), Jobs::with_runner(Slices::default(), || {})] {
            notice(&jobs, "one");
            jobs.wait_until_idle();
            assert_eq!(texts(jobs.take_results()), ["one"]);
        }
    }
}
