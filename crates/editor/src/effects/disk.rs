//! What is open on disk while the window is: drafts, written in order by jobs, and the file watcher.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Command, Jobs, Notice};
use moldloft_base::finding::Finding;
use moldloft_library::store::{Draft, Drafts, FileWatcher, LeftoverDraft};

#[derive(Default)]
pub struct DiskServices {
    /// `None` until drafts are kept.
    pub drafts: Option<DraftQueue>,
    /// With the workspace that it watches.
    pub watcher: Option<(Option<PathBuf>, FileWatcher)>,
}

/// Drafts and pending changes to them, which jobs carry out one after another, in order.
#[derive(Clone)]
pub struct DraftQueue {
    drafts: Arc<Mutex<Drafts>>,
    tasks: Arc<Mutex<VecDeque<DraftTask>>>,
}

pub enum DraftTask {
    Write(u64, Box<Draft>),
    Remove(u64),
    Discard(Box<LeftoverDraft>),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DraftQueue {
    pub fn new(drafts: Drafts) -> Self {
        Self { drafts: Arc::new(Mutex::new(drafts)), tasks: Arc::default() }
    }

    pub fn enqueue(&self, task: DraftTask, jobs: &Jobs) {
        {
            let mut queue = lock(&self.tasks);
            if let DraftTask::Write(id, _) | DraftTask::Remove(id) = &task {
                queue.retain(|other| !matches!(other, DraftTask::Write(other, _) if other == id));
            }
            queue.push_back(task);
        }
        let all = self.clone();
        jobs.start(move |_| {
            let finding = all.run_tasks()?;
            let text = format!("Cannot write the draft of unsaved changes: {}", finding.message);
            Some(Command::Notify(Notice::error(text)))
        });
    }

    /// Carries out all tasks; gives the first error.
    fn run_tasks(&self) -> Option<Finding> {
        let mut drafts = lock(&self.drafts);
        let mut error = None;
        loop {
            let Some(task) = lock(&self.tasks).pop_front() else { return error };
            let result = match task {
                DraftTask::Write(id, draft) => drafts.save_draft(id, &draft),
                DraftTask::Remove(id) => drafts.remove(id),
                DraftTask::Discard(leftover) => drafts.discard(&leftover),
            };
            error = error.or(result.err());
        }
    }
}

impl Drop for DiskServices {
    fn drop(&mut self) {
        // No draft is left unwritten.
        if let Some(drafts) = &self.drafts {
            drafts.run_tasks();
        }
    }
}
