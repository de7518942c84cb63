//! What commands reach outside the state: jobs, the system around the window, files on disk.

mod disk;
pub mod jobs;
pub mod persistence;
pub mod platform;

pub use disk::DiskServices;

use jobs::Jobs;
use platform::Platform;

pub struct Effects<'a> {
    pub jobs: &'a Jobs,
    pub platform: &'a mut dyn Platform,
    pub disk: &'a mut DiskServices,
}
