//! A fleet as plain text for a forum post, in both directions: [`write_list()`] writes an evaluated fleet,
//! [`read_list()`] reads such a text, even a handwritten one, into a [`FleetList`], and [`FleetList::to_toml`] makes a
//! fleet's file. Unreadable lines are reported and kept as comments. Never opens a file.
//!
//! Lines consist of a label, a colon and a value; a ship begins with a bullet, a count or its class. Any other line
//! continues the one before if that is as long as lines are wrapped; else it is reported.

mod clean;
mod foreign;
mod import;
mod item_start;
mod label;
mod line;
mod model;
mod read;
mod share;
mod table;
mod text;
mod toml;
mod value;

use model::relation_label;

pub use foreign::refuse_foreign;
pub use import::{ImportedList, import_list};
pub use model::{FleetList, KnownNames, ListCarried, ListClass, ListFit, ListGroup, ListLoad, ListShip};

pub use read::read_list;
pub use share::{ShareOptions, write_list};

#[cfg(test)]
mod tests;
