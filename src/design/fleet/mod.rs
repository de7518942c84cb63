//! Fleets: takes a fleet's TOML, gives a [`Fleet`] and what is wrong with the file itself. Never knows a ruleset: whether a ship may tow
//! another, or a group stand together, is not decided here; nor does it open the designs that a fleet names.

mod damage;
mod keys;
mod model;
mod read;
mod ships;

pub use keys::FLEET_KEYS;
pub(super) use keys::has_fleet_keys;
pub use model::{Budget, CarriedUnits, Fleet, FleetGroup, FleetLoad, FleetShip, TickedBoxes};
pub use read::{MAX_DESIGNS, MAX_GROUPS, MAX_SHIPS, SCHEMA};
pub use ships::{MAX_UNITS, SHIP_KEYS};

#[cfg(test)]
mod tests;
