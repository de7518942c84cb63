//! What a player does about a fleet: takes the open fleet, gives edits of its text and the commands that follow. What a fleet may do is the ruleset's;
//! evaluating it is the library's. Never draws.

pub mod candidates;
mod commands;
mod damage;
pub mod design_chooser;
pub mod edits;
pub mod hull_numbers;
pub mod rebase;

pub use super::model::fleet::FleetCommand;
pub use super::model::fleet_lines::{FleetLine, unit_label};
pub use super::model::open_fleet::OpenFleet;
pub use commands::{NEW_FLEET_NAME, apply};
