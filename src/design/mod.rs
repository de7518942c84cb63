//! Ship designs: takes a design's TOML, gives a [`Design`] and what is wrong with the file itself, and writes designs back
//! with the player's comments, order and line ends. Never knows a ruleset: whether a field, system or mount exists is not
//! decided here, and no string of a design is ever compiled.

mod document;
pub mod fleet;
mod model;
mod read;
mod ship;
mod write;

pub use crate::finding::{DesignEdit, DesignPart, Scalar};
pub use document::{Document, NewCarried, UnitPath};
pub use model::{CustomSystem, Design, Fit, SpannedText};
pub use read::{MAX_COUNT, SCHEMA};
pub use ship::{CarriedBy, Damage, FleetInfo, RelationUse, Ship, ShipLoad};

#[cfg(test)]
mod roundtrip;
#[cfg(test)]
mod tests;
