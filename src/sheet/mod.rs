//! Sheets: takes evaluated ships and templates, gives pages of typed items in millimetres. Every panel fits its boxes into its
//! rectangle at the largest size that holds them; what the smallest legal size cannot hold continues on further pages, so that
//! nothing is dropped. Knows no game and no file format; never touches the disk.
//!
//! - [`TemplateCache`] reads and prepares each template once; [`panels`] holds the kinds of panel, one file each.
//! - [`print()`] lays all ships out: [`box_layout`] places boxes, [`mod@pen`] is the one way ink gets onto a page and keeps the smallest sizes.
//! - [`PageSetup`] is how pages lie on paper; [`impose()`] sets them on it at the very end, when everything is drawn.
//! - [`lay_out_counters()`] sets chits edge to edge, fronts and backs, at their exact sizes; [`TokenRenderer`] gives each for itself.
//! - [`mark_labels`] tells each mark whose it is and what it is called; `unit_names` gives each ship of a job its own name.
//! - [`box_audit`] compares the boxes drawn with the numbers.

pub mod box_audit;
pub mod box_layout;
pub mod calibration;
mod card_packing;
pub mod counters;
pub mod fleet_roster;
mod fleet_sheets;
pub mod flowable;
mod icon;
mod impose;
mod line_break;
pub mod mark_labels;
mod missing_characters;
mod options;
mod page_setup;
pub mod panels;
mod paper;
pub mod pen;
mod prepare;
mod ruler;
mod sheet_placement;
mod ship_pages;
mod ship_sheets;
mod ship_view;
mod slot_measure;
mod template_cache;
pub mod unit_names;

pub use counters::tokens::{DrawnToken, GameToken, TokenBacking, TokenRenderer};
pub use counters::{Backs, CounterJob, lay_out_counters, lay_out_counters_compact, lay_out_counters_with_progress};
pub use fleet_sheets::{FleetJob, FleetPage, lay_out_fleet_page};
pub(crate) use icon::first_unfilled_text;
pub use impose::impose;
pub use options::{INK, LINE_WIDTH, MinimumSizes, POINT_MM, QUIET_INK, RULE_INK, SheetOptions, THIN_LINE};
pub use page_setup::{DuplexEdge, NUp, NUpOrder, PageSetup, PrinterScale};
pub use paper::{CustomSize, FULL_SHEET_SIZE, Margins, Paper};
pub use pen::pen;
pub use prepare::{
    PanelCapacity, PreparedPanel, PreparedSlot, PreparedTemplate, SLOT_OPTIONS, check, drawing_files, prepare_template,
    prepare_template_within,
};
pub use ship_sheets::{SheetJob, boxes_after, lay_out_sheets_compact, lay_out_sheets_with_progress, print};
pub use ship_view::{ShipView, format_signed, shown, with_minus_signs};
pub use slot_measure::{SlotMeasure, SlotMeasures, measure_slots};
pub use template_cache::{FileLookup, TemplateCache};
