//! What commands reach beside the state: jobs in threads, the system around the window, files on the disk.

mod disk;
pub mod jobs;
pub mod persistence;
pub mod platform;

pub use disk::DiskServices;

use jobs::Jobs;
use platform::Platform;

/// What commands reach beside the state.
pub struct Effects<'a> {
    pub jobs: &'a Jobs,
    pub platform: &'a mut dyn Platform,
    pub disk: &'a mut DiskServices,
}
