//! The editor's data: the state, open documents, commands, dialogs and what each feature keeps. Knows neither how
//! commands are carried out nor how anything is drawn.

pub mod command;
pub mod cost_measures;
pub mod design_chooser;
pub mod dialog;
pub mod doc;
pub mod edit;
pub mod history;
pub(crate) mod kinds;
pub mod open_fleet;
pub mod open_ruleset;
pub mod persistence;
pub mod rules;
pub mod settings;
pub mod state;
pub mod view;
