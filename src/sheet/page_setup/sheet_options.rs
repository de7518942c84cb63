//! The options of a printing job: how pages are placed on paper, copies, large print. Data only.

use super::PageSetup;
use crate::sheet::layout::minimum_sizes::MinimumSizes;

/// How a job is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetOptions {
    pub page_setup: PageSetup,
    /// Every smallest and preferred size is 1.3 times as large.
    pub large_print: bool,
    /// How often each ship's pages are printed, beside a fleet's own count; at least 1.
    pub copies: u32,
    /// An empty sheet for the pencil: tracks and mounts show the `blank` boxes their panels ask for.
    pub is_blank: bool,
    /// Boxes of earlier parts of the same file: they count against the limit of a file.
    pub boxes_before: u64,
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self { page_setup: PageSetup::default(), large_print: false, copies: 1, is_blank: false, boxes_before: 0 }
    }
}

impl SheetOptions {
    pub fn minimum_sizes(&self) -> MinimumSizes {
        MinimumSizes::new(self.large_print)
    }
}
