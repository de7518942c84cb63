//! Ship designs: takes a design's TOML, gives a [`Design`] and what is wrong with the file itself, and writes designs back
//! with the player's comments, order and line ends. Never knows a ruleset: whether a field, system or mount exists is not
//! decided here, and no string of a design is ever compiled.

mod concern;
mod document;
mod model;
mod read;
mod write;

pub(crate) use concern::Concern;
pub use concern::{Plain, Step, Subject};
pub use document::Document;
pub use model::{Design, Fit, OwnSystem, Ship, Word};
pub use read::{COUNT_MOST, SCHEMA};

#[cfg(test)]
mod roundtrip;
#[cfg(test)]
mod tests;
