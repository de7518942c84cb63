//! The options of a printing job: page setup, copies, large print. Data only.

use super::PageSetup;
use crate::sheet::layout::minimum_sizes::MinimumSizes;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetOptions {
    pub page_setup: PageSetup,
    /// Every smallest and preferred size is 1.3 times as large.
    pub large_print: bool,
    /// How often each ship's pages are printed, multiplied by a fleet's own count; at least 1.
    pub copies: u32,
    /// An empty sheet to fill in by pencil: tracks and mounts show the `blank` boxes of their panels.
    pub is_blank: bool,
    /// Each ship's design is printed as a QR code where its template has a `panel: qr`.
    pub qr: bool,
    /// Cards have their backs on the page behind them, where their game has some.
    pub card_backs: bool,
    /// Backs of cards are on the page of their cards instead, where that has room for all of them.
    pub card_backs_beside: bool,
    /// A ship whose pages leave the last side of the paper blank has its back there, where its game has one.
    pub sheet_backs: bool,
    /// Each ship's pages are followed by its load sheets, where its game has some.
    pub load_sheets: bool,
    /// The room that cards leave free on a page is used: for more of them on empty sheets, or for the backs of all cards of the
    /// page; then for lines to write on, where most of it is free.
    pub fill_card_pages: bool,
    /// The least pages of a fleet's order log: it has turns for all of them.
    pub log_pages: u32,
    /// Boxes of earlier parts of the same file, which count towards the limit of a file.
    pub boxes_before: u64,
    /// Texts with the number of a value have a mark of its name, for programs that show pages.
    pub marks_values: bool,
    /// Pages say where each mount has its place, for a window that shows them.
    pub maps_mounts: bool,
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self {
            page_setup: PageSetup::default(),
            large_print: false,
            copies: 1,
            is_blank: false,
            qr: false,
            card_backs: false,
            card_backs_beside: false,
            sheet_backs: false,
            load_sheets: false,
            fill_card_pages: false,
            log_pages: 1,
            boxes_before: 0,
            marks_values: false,
            maps_mounts: false,
        }
    }
}

impl SheetOptions {
    pub fn minimum_sizes(&self) -> MinimumSizes {
        MinimumSizes::new(self.large_print)
    }
}
