//! Sheets: takes evaluated ships and templates, gives pages of typed items in millimetres. Every panel fits its boxes into its
//! rectangle at the largest size that holds them; what the smallest legal size cannot hold continues on further pages, so that
//! nothing is dropped. Knows no game and no file format; never touches the disk.
//!
//! - [`Shelf`] reads and [`prepare()`]s each template once; [`panels`] holds the kinds of panel, one file each.
//! - [`print()`] lays all ships out: [`fit`] places boxes, [`mod@pen`] is the one way ink gets onto a page and keeps the smallest sizes.
//! - [`Bed`] is how pages lie on paper; [`impose()`] sets them on it at the very end, when everything is drawn.
//! - [`counters()`] sets chits edge to edge, fronts and backs, at their exact sizes; [`Tokens`] gives each for itself.
//! - [`subject`] tells each mark whose it is and what it is called; [`units`] gives each ship of a job its own name.
//! - [`counted`] compares the boxes drawn with the numbers.

mod bed;
mod breaking;
pub mod calibration;
mod cards;
pub mod content;
pub mod counted;
pub mod counters;
pub mod fit;
mod fleet;
mod icon;
mod impose;
mod leaf;
mod missing;
mod options;
mod page;
pub mod panels;
mod paper;
pub mod pen;
mod prepare;
mod print;
pub mod roster;
mod ruler;
mod shelf;
pub mod subject;
mod texts;
pub mod units;
mod view;

pub use bed::{Bed, Correction, Sequence, Turn, Up};
pub use counters::tokens::{Card, Drawn, Token, Tokens};
pub use counters::{Backs, CounterJob, counters, counters_folded, counters_watched};
pub use fleet::{FleetJob, FleetPage, fleet_page};
pub use impose::impose;
pub use options::{Floor, INK, LINE, Options, POINT, QUIET, RULE, THIN};
pub use paper::{Figures, Margins, Paper, SHARED};
pub use pen::pen;
pub use prepare::{Filled, Placed, Prepared, Room, SLOT_OPTIONS, check, drawings, prepare, prepare_within};
pub use print::{Job, boxes_after, print, print_folded, print_watched};
pub use shelf::{Files, Shelf};
pub use texts::{SetText, SetTexts, set_texts};
pub use view::{View, minus, shown, signed};
