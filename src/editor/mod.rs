//! The editor: a window over the rooms. Panels take `&State` and give [`Command`]s; `apply` alone carries them out. Computes
//! nothing of a ship and draws nothing of a sheet itself; touches no file but through `store`.
//!
//! - [`model`] is all there is to show and all that can be done, as data: the state, open documents, commands, dialogs.
//! - [`effects`] is what commands reach beside the state: jobs, the system around the window, files on the disk.
//! - The features ([`fleet`], [`inspector`], [`library_browser`], [`ruleset_status`], …) change the state for `apply` and give the commands that
//!   follow; none knows another's.
//! - [`actions`] is the one table of everything with a menu entry or a key.
//! - [`preview`] draws the sheet in a thread and holds its pictures.
//! - `panels` draws the window.

pub mod actions;
mod app;
mod apply;
pub mod effects;
pub mod file_chooser;
mod fit_edits;
pub mod fix_all;
pub mod fleet;
pub mod fleet_exchange;
mod focus;
mod inputs;
pub mod inspector;
pub mod library_browser;
mod line_diff;
pub mod model;
mod mount_layout;
mod panels;
mod panic_guard;
mod paths;
pub mod preview;
pub mod printing;
mod regions;
pub mod ruleset_status;
mod system_costs;
mod theme;
mod tile;
mod value_text;
mod widgets;
mod window;

pub use app::App;
pub use effects::jobs;
pub use effects::persistence::reopen_command;
pub use effects::platform::Platform;
pub use model::command::{Command, CommandKind};
pub use model::dialog::Dialog;
pub use model::doc::{DiskChange, Doc, DocContent, DocOrigin};
pub use model::edit::{Edit, EditStep};
pub use model::file_chooser::{FilePick, FilePickKind, PickPurpose};
pub use model::history::History;
pub use model::persistence::{DiscardTarget, Persistence, PersistenceCommand, RecoveredDraft};
pub use model::settings::{Settings, Theme};
pub use model::state::{AppFolders, EditorState, PlatformCapabilities};
pub use model::view::{DocId, FormTarget, InspectorTab, Notice, Pane, SystemPicker, Tab};
pub use system_costs::SystemCosts;
pub use window::open;
