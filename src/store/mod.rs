//! The only room that touches the disk: finds and loads rulesets, templates and designs, built in or in a player's
//! workspace, and writes finished files whole. It gives texts and bytes; what they mean is for other rooms.
#![allow(clippy::disallowed_methods, reason = "this is the room that touches the disk")]

mod builtin;
mod file;
mod save;
mod schemas;
mod stock;
mod walk;
mod workspace;

pub use file::{LIMIT, LIMIT_TOML, read};
pub use save::{numbered, save, save_new};
pub use schemas::{make_folder, schema_for};
pub use stock::{Stamp, Stock, Stocked, built_in, stamp};
pub use walk::{Found, find};
pub use workspace::{Kind, Listed, Store};

#[cfg(test)]
mod tests;
