//! A bundle: designs and fleets with everything they need that is not built in (layers, templates, silhouettes), and what the
//! sender's program saw of them. A plain zip with the folders of a workspace and a manifest, or the same as a text for a chat.
//! [`gather_bundle`] makes one from files, [`read_bundle`] reads a stranger's within bounds, [`review_bundle`] evaluates it in
//! memory and compares, [`plan_files`] says where each file can go without touching what is there.

mod archive;
mod differences;
mod entry_names;
mod gather;
mod model;
mod own_files;
mod placing;
mod review;
mod seen;
mod text;

pub use archive::{read_bundle, write_bundle};
pub use gather::{BundleInput, gather_bundle};
pub use model::{
    BundleFile, BundleFileKind, BundleManifest, MANIFEST_FILE, MAX_BUNDLE_BYTES, SeenResult, SeenRuleset, SeenValue,
    SharedBundle,
};
pub use placing::{BundlePlan, FileAction, PlannedFile, plan_files};
pub use review::{BundleReview, ReviewEntry, review_bundle, review_bundle_for};
pub use text::{bundle_of_text, is_bundle_text, text_of_bundle};
