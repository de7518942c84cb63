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
    /// A ship's only sheet has its back on the next page, where its game has one.
    pub sheet_backs: bool,
    /// A page that its cards leave mostly free has lines to write on below them.
    pub notes_below_cards: bool,
    /// Boxes of earlier parts of the same file, which count towards the limit of a file.
    pub boxes_before: u64,
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
            sheet_backs: false,
            notes_below_cards: false,
            boxes_before: 0,
            maps_mounts: false,
        }
    }
}

impl SheetOptions {
    pub fn minimum_sizes(&self) -> MinimumSizes {
        MinimumSizes::new(self.large_print)
    }
}
