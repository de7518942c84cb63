//! Keeps a panic in one job from leaving the window waiting: without it, a scan, picture or check that panics would be
//! awaited forever. Only for work that changes nothing outside itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// `None` if it panicked.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    // The work owns its data or only reads it, so no half-changed data is seen afterwards.
    catch_unwind(AssertUnwindSafe(work)).ok()
}
