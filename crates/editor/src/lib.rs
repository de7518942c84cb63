//! The editor: a window over the other rooms. Panels take `&EditorState` and give [`Command`]s, which `apply` alone
//! carries out.
//!
//! - [`model`] is the data that all share: the state, open documents, commands, dialogs.
//! - [`effects`] is what commands reach outside the state: jobs, the system around the window, files on disk.
//! - A feature is a folder ([`fleet`], [`suggest`], [`rules_page`], …): its data and commands (`model`), what changes the state for `apply`, and its `panel`.
//! - [`actions`] is the table of all menu entries and keys.
//! - [`preview`] draws the sheet in jobs and keeps its pictures.
//! - `panels` draws the window.

pub mod actions;
mod app;
mod apply;
pub mod bundles;
mod cell_trial;
pub mod compare_page;
pub mod effects;
mod event_loop;
pub mod fault;
pub mod file_chooser;
mod fit_edits;
pub mod fix_all;
pub mod fleet;
pub mod fleet_exchange;
mod focus;
pub mod guide;
mod icons;
mod inputs;
pub mod inspector;
pub mod language;
pub mod layer_edits;
pub mod library_browser;
mod line_diff;
pub mod model;
mod mount_layout;
pub mod odds_page;
mod own_picture;
pub mod palette;
mod panels;
mod panic_guard;
mod paths;
pub mod pointer_moves;
mod pressed_keys;
pub mod preview;
pub mod print_room;
pub mod printing;
mod regions;
mod roll_table;
pub mod rules_page;
pub mod ruleset_status;
pub mod suggest;
mod system_costs;
mod theme;
mod tile;
mod typed_events;
mod typed_number;
mod value_text;
mod widgets;
mod window;

pub use app::App;
pub use effects::jobs;
pub use effects::jobs::Jobs;
pub use effects::persistence::reopen_command;
pub use effects::platform::Platform;
pub use file_chooser::model::{FilePick, FilePickKind, PickPurpose};
pub use model::command::{Command, CommandKind};
pub use model::cost_measures::CostMeasure;
pub use model::design_chooser::{DesignCandidate, DesignChooser, DesignChooserPurpose};
pub use model::dialog::Dialog;
pub(crate) use model::doc::DocContent;
pub use model::doc::{DiskChange, Doc};
pub use model::edit::Edit;
pub use model::history::History;
pub(crate) use model::kinds::with_kinds;
pub use model::open_fleet::OpenFleet;
pub use model::open_ruleset::OpenRuleset;
pub(crate) use model::persistence::RecoveredDraft;
pub use model::persistence::{DiscardTarget, Persistence, PersistenceCommand};
pub use model::rules::{ActiveRuleset, RulesCommand};
pub use model::settings::{Settings, Theme};
pub use model::state::{AppFolders, EditorState, PlatformCapabilities};
pub use model::view::message_with_help;
pub use model::view::{DocId, FormTarget, InspectorTab, Notice, Pane, SystemPicker, Tab};
pub use odds_page::model::RightPage;
pub use system_costs::SystemCosts;
pub use window::open;
