//! The only room that touches the disk, through `file_system`: finds and loads rulesets, templates and designs, built in
//! or from a workspace, and writes complete files. Gives texts and bytes; never interprets them.

mod allowed_roots;
mod browse;
mod builtin;
mod content_hash;
mod drafts;
mod file;
mod file_ref;
mod file_system;
mod fleet_designs;
mod folder;
mod input_files;
mod limits;
mod listing;
mod lock;
mod save;
mod schemas;
mod settings;
mod walk;
#[cfg(feature = "watch")]
mod watch;
#[cfg(feature = "watch")]
mod watched_files;
mod workspace;

pub use browse::{
    FolderListing, MAX_LISTED, PathKind, documents, is_writable_folder, list_folder, nearest_folder,
    obstacle_to_saving, path_kind,
};
pub use content_hash::ContentHash;
pub use drafts::{Draft, Drafts, LeftoverDraft, keep_fault, take_fault};
#[cfg(feature = "watch")]
pub use file::display_name;
pub use file::{read, read_bytes, read_hashed};
pub use file_ref::FileRef;
pub use file_system::{MemoryFolder, is_there};
pub use fleet_designs::SHARED_FOLDER;
pub use folder::{Bundle, BundleReport, is_empty};
pub(crate) use folder::{save_bundle, text_in};
pub use input_files::{InputFile, find_inputs};
pub(crate) use limits::MAX_SVG_BYTES;
pub use limits::{MAX_PICTURE_BYTES, MAX_TOML_BYTES};
pub(crate) use listing::file_stamp;
pub use listing::{FileStamp, ListedFile, Listing, built_in_names, built_in_source};
pub use lock::{Lock, save_new, save_over};
pub use save::{SaveError, clear_parts, is_same, page_path, save};
pub use schemas::{make_folder, schema_for};
pub(crate) use settings::save_settings;
pub use settings::{home, load_settings, settings_folder};
#[cfg(feature = "watch")]
pub use watch::FileWatcher;
pub use workspace::{AssetKind, ListedAsset, Store};

#[cfg(test)]
mod tests;
