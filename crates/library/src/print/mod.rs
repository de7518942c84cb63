//! Printing: takes ships, a ruleset or fleets and print options, gives pages and findings, then files, and writes
//! these. The command line and the editor both print through here, so that equal options give equal bytes. A
//! [`moldloft_base::progress::Progress`] counts ships and pages and may cancel between two of them.

mod battle_data;
mod calibration;
mod charts;
mod chit_size;
mod fights;
mod files;
mod maps;
mod pack;
mod pack_options;
mod page_selection;
mod pipeline;
mod printers;
mod roster_data;
mod roster_export;
mod roster_pages;
mod words_survey;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::{Ruleset, SheetKind};
use moldloft_sheet::sheet::{self, Backs, CounterJob, PageSetup, SheetOptions, TemplateCache};

pub use calibration::calibration_pages;
pub use charts::{ChartOptions, check_chart_path, is_table, matrix_files, odds_files};
pub use chit_size::{CHIT_SIZES, chit_size_setting, with_chit_size};
pub use files::{PrintedFiles, PrintedPages, nothing_to_print, write_bytes};
pub use maps::map_pages;
pub use pack_options::{PackOptions, PackPart};
pub use page_selection::{PageOutline, PageSelection, PaperCount};
pub use pipeline::{PrintedRoster, print_fleets, print_roster, print_ruleset, print_ships};
pub use printers::{MeasuredPrinter, Printer, Printers};

pub use roster_export::{COLUMNS, RosterFormat};
pub use words_survey::{WordsSurvey, games_in, survey_words, updated_words, wider_texts};

pub use moldloft_base::sanitize::plural;

/// The most copies of a ship in one file.
pub const MAX_COPIES: u32 = 1000;
/// The most that the back may be moved, in mm in either direction.
pub const MAX_OFFSET: f32 = 20.0;

/// What is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrintKind {
    /// The ships' control sheets.
    #[default]
    Sheets,
    /// Control sheets, then the ships' counters.
    SheetsAndCounters,
    /// Only the ships' counters.
    Counters,
    /// A game's tables for all players.
    Reference,
    /// A game's sheets without a ship, to fill in by hand.
    Blank,
}

impl PrintKind {
    /// The kind of sheet that is printed for a ruleset without a ship.
    pub fn sheet_kind(self) -> Option<SheetKind> {
        match self {
            Self::Sheets | Self::SheetsAndCounters | Self::Counters => None,
            Self::Reference => Some(SheetKind::Reference),
            Self::Blank => Some(SheetKind::Design),
        }
    }

    /// `3 ships`, `the counters of 1 ship`.
    pub fn count_text(self, count: usize) -> String {
        match self {
            Self::Sheets | Self::SheetsAndCounters => plural(count, "ship"),
            Self::Counters => format!("the counters of {}", plural(count, "ship")),
            Self::Reference => plural(count, "reference sheet"),
            Self::Blank => plural(count, "blank sheet"),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Sheets | Self::SheetsAndCounters | Self::Counters => "control sheets",
            Self::Reference => "reference",
            Self::Blank => "blank sheets",
        }
    }
}

/// Options for printing ships. By default one copy of their control sheets on A4.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PrintOptions {
    /// Sheets, counters, or both.
    pub kind: PrintKind,
    /// Paper, margins, sheets per page.
    pub page_setup: PageSetup,
    /// The smallest boxes and letters are 1.3 times as large.
    pub large_print: bool,
    /// Copies of each ship, 1 to 1000.
    pub copies: u32,
    /// How fronts and backs of chits are matched.
    pub backs: Backs,
    /// Each ship's first page has its design as a QR code, where its template has a `panel: qr`.
    pub qr: bool,
    /// Each ship's sheets are followed by places for the chits of what it has loaded, where its game has them.
    pub loads: bool,
    /// Each class's own ruler and collar to cut out, where its game has one.
    pub rulers: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self {
            kind: PrintKind::default(),
            page_setup: PageSetup::default(),
            large_print: false,
            copies: 1,
            backs: Backs::default(),
            qr: false,
            loads: false,
            rulers: false,
        }
    }
}

moldloft_base::setters! {
    PrintOptions { kind: PrintKind, page_setup: PageSetup, large_print: bool, copies: u32, backs: Backs, qr: bool, loads: bool, rulers: bool }
}

/// Sheets of a kind without a ship.
pub fn blank_sheets(ruleset: &Arc<Ruleset>, kind: SheetKind) -> Vec<Evaluation> {
    let sheets = ruleset.sheets.iter().filter(|sheet| sheet.kind == kind);
    sheets.filter_map(|sheet| Evaluation::blank(ruleset, &sheet.id)).collect()
}

impl PrintOptions {
    fn sheet_options(&self) -> SheetOptions {
        let blank = self.kind == PrintKind::Blank;
        SheetOptions {
            page_setup: self.page_setup,
            large_print: self.large_print,
            copies: self.copies,
            is_blank: blank,
            qr: self.qr && !blank,
            // A card has its code on its back.
            card_backs: self.page_setup.two_sided || self.qr && !blank,
            card_backs_beside: !self.page_setup.two_sided,
            fill_card_pages: true,
            sheet_backs: self.page_setup.two_sided,
            load_sheets: self.loads,
            log_pages: 1,
            boxes_before: 0,
            marks_values: false,
            maps_mounts: false,
        }
    }
}

/// The job for sheets; the template cache may serve other parts too.
fn sheets_of<'a>(
    templates: &'a TemplateCache<'a>,
    ships: &'a [Evaluation],
    options: &PrintOptions,
) -> sheet::SheetJob<'a> {
    sheet::SheetJob { ships, templates, options: options.sheet_options(), subject: options.kind.title() }
}

fn counters_of<'a>(
    templates: &'a TemplateCache<'a>,
    ships: &'a [Evaluation],
    options: &PrintOptions,
) -> CounterJob<'a> {
    let PrintOptions { page_setup, backs, copies, .. } = *options;
    CounterJob { ships, templates, page_setup, backs, copies }
}

pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_counted_by_ship() {
        assert_eq!(PrintKind::Counters.count_text(1), "the counters of 1 ship");
        assert_eq!(PrintKind::Blank.count_text(2), "2 blank sheets");
    }
}
