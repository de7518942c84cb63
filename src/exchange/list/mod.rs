//! A fleet as plain text for a forum post, in both directions: [`write_list()`] writes an evaluated fleet,
//! [`read_list()`] reads such a text, even a handwritten one, into a [`FleetList`], and [`FleetList::to_toml`] makes a
//! fleet's file. Unreadable lines are reported and kept as comments. Never opens a file.
//!
//! Lines consist of a label, a colon and a value; a ship begins with a bullet or a count. Any other line continues the
//! one before, so that text may be wrapped anywhere.

mod clean;
mod import;
mod item_start;
mod line;
mod model;
mod read;
mod share;
mod text;
mod toml;
mod value;

use model::relation_label;

pub use import::{ImportedList, import_list};
pub use model::{FleetList, KnownNames, ListCarried, ListClass, ListFit, ListGroup, ListLoad, ListShip};
pub use read::{named_game, read_list};
pub use share::{ShareOptions, write_list};

#[cfg(test)]
mod tests;
