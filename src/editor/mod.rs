//! The editor: a window over the rooms. Panels take `&State` and give [`Command`]s; `apply` alone carries them out. Computes
//! nothing of a ship and draws nothing of a sheet itself; touches no file but through `store`.
//!
//! - [`EditorState`] is all there is to show; a [`Doc`] is an open design or fleet: its text, what came before, how it is judged.
//! - [`fleet`] is what a fleet is beside that: lines of a table, edits of its ships.
//! - [`Edit`] is a change of a design's text; undoing one puts the old text back, byte for byte.
//! - [`actions`] is the one table of everything with a menu entry or a key.
//! - [`preview`] draws the sheet in a thread and holds its pictures.
//! - [`inspector`] is what is shown below the sheet; [`ruleset_status`] keeps the rules up to date.
//! - [`file_chooser`] chooses files in the window where the system has no chooser.
//! - [`fix_all`] fixes all findings at once, after showing what that does.
//! - [`jobs`] does what takes longer than a frame, in threads; [`Platform`] is the system around the window (file choosers, viewers).

pub mod actions;
mod app;
mod apply;
mod command;
mod doc;
mod edit;
pub mod file_chooser;
mod fit_edits;
pub mod fix_all;
pub mod fleet;
pub mod fleet_exchange;
mod focus;
mod history;
mod inputs;
pub mod inspector;
pub mod jobs;
pub mod library_browser;
mod line_diff;
mod mount_layout;
mod panels;
mod persistence;
mod platform;
pub mod preview;
pub mod printing;
mod regions;
pub mod ruleset_status;
mod settings;
mod state;
mod system_costs;
mod theme;
mod tile;
mod widgets;
mod window;

pub use app::App;
pub use command::{Command, Dialog};
pub use doc::{Doc, DocContent, DocId, DocOrigin};
pub use edit::{Edit, EditStep};
pub use history::History;
pub use persistence::{DiscardTarget, DiskChange, Persistence, PersistenceCommand, RecoveredDraft, reopen_command};
pub use platform::{FilePick, FilePickKind, PickPurpose, Platform};
pub use settings::{Settings, Theme};
pub use state::{AppFolders, EditorState, FormTarget, InspectorTab, Notice, Pane, SystemPicker, Tab};
pub use system_costs::SystemCosts;
pub use window::open;
