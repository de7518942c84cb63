//! How far a long piece of work is, and whether it is to stop: held by the one who works and by the one who waits. Data only; nothing
//! that is made depends on it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A running piece of work, seen from both sides.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    inner: Arc<ProgressState>,
    cancelled: Arc<AtomicBool>,
    /// A share of a larger part: its steps count, but it begins nothing.
    is_child: bool,
}

#[derive(Debug, Default)]
struct ProgressState {
    unit: Mutex<&'static str>,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// For one of several who do the part that was begun: its steps count as they come, what it begins itself is not told.
    pub fn child(&self) -> Self {
        Self { is_child: true, ..self.clone() }
    }

    /// For what goes on beside the part that was begun: it can be asked to stop with it, and counts for itself.
    pub fn detached(&self) -> Self {
        Self { inner: Arc::default(), cancelled: Arc::clone(&self.cancelled), is_child: false }
    }

    /// Begins the next part of the work, of so many of these: `page`.
    pub fn begin_phase(&self, step: &'static str, of: usize) {
        if self.is_child {
            return;
        }
        *self.inner.unit.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.set_done(0, of);
    }

    /// A step of the part is done.
    pub fn step(&self) {
        self.inner.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Says how far it is.
    pub fn set_done(&self, done: usize, of: usize) {
        self.inner.done.store(done, Ordering::Relaxed);
        self.inner.total.store(of, Ordering::Relaxed);
    }

    /// What the part of the work that was begun last counts; empty before the first.
    pub fn unit(&self) -> &'static str {
        *self.inner.unit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far it is: done, of how many; (0, 0) while that is not known.
    pub fn done_and_total(&self) -> (usize, usize) {
        (self.inner.done.load(Ordering::Relaxed), self.inner.total.load(Ordering::Relaxed))
    }

    /// Whether two are of one piece of work.
    pub fn is_same_work(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_work(other)
    }
}
