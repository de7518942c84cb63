//! Fleets: takes a fleet's TOML, gives a [`Fleet`] and what is wrong with the file itself. Never knows a ruleset: whether a ship may tow
//! another, or a group stand together, is not decided here; nor does it open the designs that a fleet names.

mod damage;
mod model;
mod read;
mod ships;

pub use model::{Budget, Carried, Fleet, FleetLoad, FleetShip, Group, Hits};
pub(super) use read::is_fleet;
pub use read::{KEYS, MOST_DESIGNS, MOST_GROUPS, MOST_SHIPS, SCHEMA};
pub use ships::{SHIP_KEYS, UNITS_MOST};

#[cfg(test)]
mod tests;
