//! Fleets: takes a fleet's TOML, gives a [`Fleet`] and what is wrong with the file itself. Never knows a ruleset: whether a ship may tow
//! another, or a group stand together, is not decided here; nor does it open the designs that a fleet names.

mod damage;
mod model;
mod read;
mod ships;

pub use model::{Budget, CarriedUnits, Fleet, FleetGroup, FleetLoad, FleetShip, TickedBoxes};
pub(super) use read::has_fleet_keys;
pub use read::{FLEET_KEYS, MAX_DESIGNS, MAX_GROUPS, MAX_SHIPS, SCHEMA};
pub use ships::{MAX_UNITS, SHIP_KEYS};

#[cfg(test)]
mod tests;
