//! How a job is printed: how it lies on paper, copies, large print; and the sizes below which nothing is drawn. Data only.

use crate::scene::Paint;
use crate::sheet::page_setup::PageSetup;

/// Millimetres in a typographic point.
pub const POINT_MM: f32 = 25.4 / 72.0;

/// How a job is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetOptions {
    /// How pages lie on the paper.
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

/// The smallest sizes that are drawn, in millimetres, and the factor that sizes grow by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimumSizes {
    /// 1, or 1.3 in large print.
    pub scale: f32,
    /// Side of a tick box: 3 mm.
    pub tick_box: f32,
    /// Font size of any text: 6 pt.
    pub text: f32,
    /// Font size of a value read during play: 8 pt.
    pub play_text: f32,
    /// What the page is made smaller by after it is laid out; 1 at true size. All else here is larger by the same, so that it comes out as it should.
    pub page_scale: f32,
}

impl MinimumSizes {
    /// The floor of a job.
    pub fn of(options: &SheetOptions) -> Self {
        let scale = if options.large_print { 1.3 } else { 1.0 };
        Self {
            scale,
            tick_box: 3.0 * scale,
            text: 6.0 * POINT_MM * scale,
            play_text: 8.0 * POINT_MM * scale,
            page_scale: 1.0,
        }
    }

    /// The floor for a page that is made smaller by so much once it is laid out.
    #[must_use]
    pub fn for_page_scale(self, by: f32) -> Self {
        let Self { scale, tick_box: tick, text, play_text: played, page_scale: reduced } = self;
        Self {
            scale: scale / by,
            tick_box: tick / by,
            text: text / by,
            play_text: played / by,
            page_scale: reduced * by,
        }
    }
}

impl Default for MinimumSizes {
    fn default() -> Self {
        Self::of(&SheetOptions::default())
    }
}

/// Text, box outlines and heading rules.
pub const INK: Paint = Paint::grey(26);
/// Labels, notes and column headings: quiet, yet dark enough for a laser printer at 6 pt.
pub const QUIET_INK: Paint = Paint::grey(110);
/// Thin rules between lines of a table or log.
pub const RULE_INK: Paint = Paint::grey(165);
/// The thin line weight: rules of tables and logs.
pub const THIN_LINE: f32 = 0.18;
/// The line weight of boxes and heading rules.
pub const LINE_WIDTH: f32 = 0.3;
