//! The editor: a window over the rooms. Panels take `&State` and give [`Command`]s; `apply` alone carries them out. Computes
//! nothing of a ship and draws nothing of a sheet itself; touches no file but through `store`.
//!
//! - [`State`] is all there is to show; a [`Doc`] is an open design or fleet: its text, what came before, how it is judged.
//! - [`fleet`] is what a fleet is beside that: lines of a table, edits of its ships.
//! - [`Edit`] is a change of a design's text; undoing one puts the old text back, byte for byte.
//! - [`actions`] is the one table of everything with a menu entry or a key.
//! - [`preview`] draws the sheet in a thread and holds its pictures.
//! - [`inspect`] is what stands below the sheet; [`rules`] keeps the rules live.
//! - [`chooser`] chooses files in the window where the system has no chooser.
//! - [`mending`] mends all findings at once, after it has shown what that does.
//! - [`jobs`] does what takes longer than a frame, in threads; [`Desk`] is the system around the window (file choosers, viewers).

pub mod actions;
mod app;
mod apply;
pub mod browse;
pub mod chooser;
mod command;
mod desk;
mod doc;
mod edit;
mod fits;
pub mod fleet;
mod focus;
mod history;
mod inputs;
pub mod inspect;
pub mod jobs;
mod keep;
mod layout;
mod lines;
pub mod mending;
mod packing;
mod panels;
pub mod preview;
mod prices;
pub mod printing;
mod regions;
pub mod rules;
mod settings;
mod state;
mod theme;
mod tile;
pub mod trading;
mod widgets;
mod window;

pub use app::App;
pub use command::{Command, Dialog};
pub use desk::{Desk, Pick, PickKind, Picked};
pub use doc::{Content, Doc, DocId, Origin};
pub use edit::{Edit, Step};
pub use history::History;
pub use keep::{Discarding, Keep, Keeping, Offer, Theirs, reopen};
pub use prices::Prices;
pub use settings::{Settings, Theme};
pub use state::{Inspector, Notice, Palette, Pane, Place, Places, State, Tab};
pub use window::open;
