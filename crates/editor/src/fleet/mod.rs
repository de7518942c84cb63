//! What a user does with a fleet: takes the open fleet, gives edits of its text and the commands that follow. Never
//! draws.

pub mod candidates;
mod commands;
mod damage;
pub mod design_chooser;
pub mod edits;
pub mod hull_numbers;
pub mod rebase;

pub use super::model::fleet::FleetCommand;
pub use super::model::fleet_lines::FleetLine;
pub use super::model::fleet_lines::unit_label;
pub use super::model::open_fleet::OpenFleet;
pub(crate) use commands::NEW_FLEET_NAME;
pub use commands::apply;
