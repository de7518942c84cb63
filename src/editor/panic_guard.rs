//! Keeps a fault in one piece of work from leaving the window waiting: a job that panics gives no command, so that what awaits it (a scan, a picture,
//! a check) would be awaited for ever. Only work that changes nothing outside itself may run here.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the work gives; None if it panicked.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    // The work owns or only reads what it uses, so nothing half changed can be seen afterwards.
    catch_unwind(AssertUnwindSafe(work)).ok()
}
