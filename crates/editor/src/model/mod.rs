//! The editor's data: the state, open documents, commands, dialogs and what each feature keeps. Knows neither how
//! commands are carried out nor how anything is drawn.

pub mod bundle;
pub mod command;
pub mod compare_page;
pub mod cost_measures;
pub mod design_chooser;
pub mod dialog;
pub mod doc;
pub mod edit;
pub mod exchange;
pub mod file_chooser;
pub mod fix_all;
pub mod fleet;
pub mod fleet_lines;
pub mod goals;
pub mod guide;
pub mod history;
pub mod inspector;
pub(crate) mod kinds;
pub mod library;
pub mod odds;
pub mod open_fleet;
pub mod open_ruleset;
pub mod palette;
pub mod persistence;
pub mod print;
pub mod print_presets;
pub mod print_room;
pub mod print_settings;
pub mod rules;
pub mod rules_page;
pub mod settings;
pub mod state;
pub mod suggest;
pub mod system_costs;
pub mod view;
