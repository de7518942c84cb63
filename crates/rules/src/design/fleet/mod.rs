//! Fleets: takes a fleet's TOML, gives a [`Fleet`] and the findings about the file itself. Never knows a ruleset and
//! never opens the designs that a fleet names.

mod damage;
mod keys;
mod model;
mod read;
mod ships;

pub use keys::FLEET_KEYS;
pub(super) use keys::has_fleet_keys;
pub use model::{Budget, CarriedUnits, Fleet, FleetGroup, FleetLoad, FleetShip, TickedBoxes};
pub use read::{MAX_DESIGNS, MAX_SHIPS};

pub use ships::{MAX_UNITS, SHIP_KEYS};

#[cfg(test)]
mod tests;
