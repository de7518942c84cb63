//! Sheets: takes evaluated ships and templates, gives pages of typed items in millimetres. Every panel fits its boxes
//! into its rectangle at the largest size that holds them all; what does not fit even at the minimum size continues on
//! further pages, never dropped. Knows no game and no file format; never touches the disk.
//!
//! - `assembly` prepares each template once ([`TemplateCache`]), lays ships and fleets out page by page
//!   ([`lay_out_sheets()`]) and compares the boxes drawn with the numbers ([`box_audit`]).
//! - [`panels`] holds the kinds of panel, one file each, and in `panels/content` what they draw.
//! - `layout` measures and draws: text styles, line breaking, `box_layout`, `flowable` content; only `pen`
//!   draws on a page, and it keeps the minimum sizes; [`mark_labels`] gives each mark its ship and its name.
//! - `page_setup` holds paper and how pages are placed on it ([`PageSetup`]); [`impose()`] does so last, when everything
//!   is drawn.
//! - `table_pages` draws pages without a template: maps, arcs and courses, a battle's ships, a scenario, odds.
//! - [`counters`] places counters edge to edge, fronts and backs, at their exact sizes; [`TokenRenderer`] draws each on
//!   a page of its own.

mod assembly;
pub mod counters;
mod layout;
mod page_setup;
pub mod panels;
mod table_pages;
pub mod typography;

pub use assembly::fleet_sheets::{FleetJob, FleetPage, lay_out_fleet_page};
pub use assembly::icon::first_unfilled_text;

pub use assembly::lone_card::{lay_out_card, lone_card};
pub use assembly::prepare::{PanelCapacity, PreparedTemplate, prepare_template_within};
pub use assembly::prepared_panel::PreparedPanel;
pub use assembly::prepared_texts::{PreparedSlot, PreparedTexts, SLOT_OPTIONS};
pub use assembly::scene_meta::scene_meta;
pub use assembly::sheet_typography::{CheckedSheet, SheetFault, check_sheet_typography, template_files_of};
pub use assembly::ship_sheets::{PageStorage, SheetJob, boxes_after, lay_out_sheets, print};
pub use assembly::ship_view::{DrawingSource, ShipView, format_signed, format_value};

pub use assembly::slot_measure::{SlotMeasures, measure_slots};
pub use assembly::template_cache::{ArtFile, FileLookup, SheetTemplate, TemplateCache, compact_form};
pub use assembly::template_check::{check_sheet_template, drawing_files};
pub use assembly::{box_audit, fleet_roster, unit_names};
pub use counters::tokens::{DrawnToken, GameToken, TokenBacking, TokenRenderer};
pub use counters::{Backs, CounterJob, lay_out_counters};
pub use layout::minimum_sizes::{INK, LINE_WIDTH, MinimumSizes};

pub use layout::text_style::TextStyles;

pub use layout::{mark_labels, pen};
pub use page_setup::impose::impose;
pub use page_setup::{DuplexEdge, NUp, NUpOrder, PageSetup, PrinterScale, calibration};

pub use page_setup::paper::{CustomSize, Margins, Paper};
pub use page_setup::sheet_options::SheetOptions;
pub use panels::band::{COLUMNS as BAND_COLUMNS, TABLE as BAND_TABLE, ship_band};
pub use table_pages::battle_page::{Battle, BattleCraft, BattleShip, BattleSide};
pub use table_pages::gauges::{ARCS, COURSES, Gauges, MapGauge, RADII};
pub use table_pages::map_grid::{CellShape, MapGrid, parse_pages};
pub use table_pages::odds_page::odds_pages;
pub use table_pages::roll_pages::roll_pages;
pub use table_pages::rulers::ruler_pages;
