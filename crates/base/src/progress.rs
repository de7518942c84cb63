//! Data only: the progress and cancellation of a long job, shared by the worker and whoever waits. Results never depend
//! on it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default)]
pub struct Progress {
    inner: Arc<ProgressState>,
    cancelled: Arc<AtomicBool>,
    /// Counts steps of its parent's phase, but begins none.
    is_child: bool,
}

#[derive(Debug, Default)]
struct ProgressState {
    unit: Mutex<&'static str>,
    done: AtomicUsize,
    total: AtomicUsize,
    note: Mutex<String>,
}

impl Progress {
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Set once it is cancelled, for work that knows no progress.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// For one of several workers in the current phase: its steps count, but phases that it begins are ignored.
    pub fn child(&self) -> Self {
        Self { is_child: true, ..self.clone() }
    }

    /// For work next to the current phase: it is cancelled together but counts separately.
    pub fn detached(&self) -> Self {
        Self { inner: Arc::default(), cancelled: Arc::clone(&self.cancelled), is_child: false }
    }

    /// Begins a phase of `of` steps, each a `step`: `page`.
    pub fn begin_phase(&self, step: &'static str, of: usize) {
        if self.is_child {
            return;
        }
        *self.inner.unit.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.set_done(0, of);
    }

    pub fn step(&self) {
        self.inner.done.fetch_add(1, Ordering::Relaxed);
    }

    pub fn set_done(&self, done: usize, of: usize) {
        self.inner.done.store(done, Ordering::Relaxed);
        self.inner.total.store(of, Ordering::Relaxed);
    }

    /// What is known so far, for whoever waits.
    pub fn set_note(&self, note: String) {
        *self.inner.note.lock().unwrap_or_else(PoisonError::into_inner) = note;
    }

    /// Empty while nothing is known.
    pub fn note(&self) -> String {
        self.inner.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the current phase counts; empty before the first.
    pub fn unit(&self) -> &'static str {
        *self.inner.unit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// (0, 0) while unknown.
    pub fn done_and_total(&self) -> (usize, usize) {
        (self.inner.done.load(Ordering::Relaxed), self.inner.total.load(Ordering::Relaxed))
    }

    pub fn is_same_work(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_work(other)
    }
}
