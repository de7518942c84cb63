//! What a user does with a fleet: takes the open fleet, gives edits of its text and the commands that follow. Never
//! draws.

pub mod lines;
pub mod model;
pub mod panel;

pub mod candidates;
mod commands;
mod damage;
pub mod design_chooser;
pub mod edits;
pub mod hull_numbers;
pub mod rebase;

pub use crate::fleet::lines::{FleetLine, unit_label};
pub use crate::fleet::model::FleetCommand;
pub use crate::model::open_fleet::OpenFleet;
pub(crate) use commands::NEW_FLEET_NAME;
pub use commands::apply;
