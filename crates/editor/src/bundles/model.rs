//! Commands for bundles, and the dialogs for sharing and for opening one.

use std::path::PathBuf;
use std::sync::Arc;

use crate::with_kinds;
use moldloft_library::exchange::bundle::{BundlePlan, BundleReview, SharedBundle};

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum BundleCommand as BundleCommandKind {
        /// Asks where to write the current design or fleet with all that it needs.
        OpenShareDialog,
        WriteShared,
        /// As text to the clipboard.
        CopyShared,
        /// Reads a bundle's file and shows what is in it.
        Open(PathBuf),
        /// The same with a bundle's text.
        OpenText(String),
        /// Sent by the job that reads and evaluates it.
        Reviewed(Result<Arc<OpenedBundle>, String>),
        /// Where its files would be written.
        SetFolder(String),
        /// Sent by the job that looks into the folder.
        Planned { folder: String, plan: Arc<BundlePlan> },
        /// Writes its files.
        Unpack,
    }
}

/// A bundle as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenedBundle {
    pub bundle: SharedBundle,
    pub review: BundleReview,
    /// The folder of its file; `None` for a text.
    pub folder: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BundleDialog {
    pub opened: Arc<OpenedBundle>,
    pub folder: String,
    /// What unpacking into the folder does; `None` while it is worked out.
    pub plan: Option<Arc<BundlePlan>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareDialog {
    /// What is shared.
    pub name: String,
    pub path: String,
}
