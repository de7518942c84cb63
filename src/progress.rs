//! How far a long piece of work is, and whether it is to stop: held by the one who works and by the one who waits. Data only; nothing
//! that is made depends on it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A running piece of work, seen from both sides.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    inner: Arc<Inner>,
    cancelled: Arc<AtomicBool>,
    /// A share of a larger part: its steps count, but it begins nothing.
    shared: bool,
}

#[derive(Debug, Default)]
struct Inner {
    part: Mutex<&'static str>,
    done: AtomicUsize,
    of: AtomicUsize,
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
    pub fn share(&self) -> Self {
        Self { shared: true, ..self.clone() }
    }

    /// For what goes on beside the part that was begun: it can be asked to stop with it, and counts for itself.
    pub fn aside(&self) -> Self {
        Self { inner: Arc::default(), cancelled: Arc::clone(&self.cancelled), shared: false }
    }

    /// Begins the next part of the work, of so many of these: `page`.
    pub fn begin(&self, step: &'static str, of: usize) {
        if self.shared {
            return;
        }
        *self.inner.part.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.progress(0, of);
    }

    /// A step of the part is done.
    pub fn step(&self) {
        self.inner.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Says how far it is.
    pub fn progress(&self, done: usize, of: usize) {
        self.inner.done.store(done, Ordering::Relaxed);
        self.inner.of.store(of, Ordering::Relaxed);
    }

    /// What the part of the work that was begun last counts; empty before the first.
    pub fn counts(&self) -> &'static str {
        *self.inner.part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far it is: done, of how many; (0, 0) while that is not known.
    pub fn so_far(&self) -> (usize, usize) {
        (self.inner.done.load(Ordering::Relaxed), self.inner.of.load(Ordering::Relaxed))
    }

    /// Whether two are of one piece of work.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}
