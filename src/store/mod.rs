//! The only room that touches the disk: finds and loads rulesets, templates and designs, built in or in a player's
//! workspace, and writes finished files whole. It gives texts and bytes; what they mean is for other rooms.
#![allow(clippy::disallowed_methods, reason = "this is the room that touches the disk")]

mod bounds;
mod builtin;
mod drafts;
mod file;
mod folder;
mod limits;
mod lock;
#[cfg(feature = "editor")]
mod look;
mod named;
mod save;
mod schemas;
mod seal;
mod settings;
mod stock;
mod walk;
#[cfg(feature = "editor")]
mod watch;
mod workspace;

pub use drafts::{Draft, Drafts, Lost};
pub use file::{read, read_bytes, read_sealed};
pub use folder::{Bundle, Bundled, is_empty, save_bundle, text_in};
pub use limits::{LIMIT, LIMIT_TOML};
pub use lock::{Lock, save_new, save_over};
#[cfg(feature = "editor")]
pub use look::{Folder, MOST_LISTED, Thing, home, look_into, nearest_folder, thing};
pub use named::Named;
pub use save::{Refused, clear_parts, is_same, is_there, numbered, save};
pub use schemas::{make_folder, schema_for};
pub use seal::Seal;
pub use settings::{load_settings, save_settings, settings_folder};
pub use stock::{Stamp, Stock, Stocked, built_in, stamp};
pub use walk::{Found, find};
#[cfg(feature = "editor")]
pub use watch::Watch;
pub use workspace::{Kind, Listed, Store};

#[cfg(test)]
mod tests;
