//! Ship designs: takes a design's TOML, gives a [`Design`] and what is wrong with the file itself, and writes designs back
//! with the player's comments, order and line ends. Never knows a ruleset: whether a field, system or mount exists is not
//! decided here, and no string of a design is ever compiled.

mod concern;
mod document;
pub mod fleet;
mod model;
mod read;
mod ship;
mod write;

pub(crate) use concern::Concern;
pub use concern::{Plain, Step, Subject};
pub use document::{Carries, Document, Seat};
pub use model::{Design, Fit, OwnSystem, Word};
pub use read::{COUNT_MOST, SCHEMA};
pub use ship::{Asks, CarriedBy, Damage, Load, OfFleet, Ship};

#[cfg(test)]
mod roundtrip;
#[cfg(test)]
mod tests;
