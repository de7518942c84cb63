//! Minimum sizes of texts and boxes, inks and line widths. Data only.

use moldloft_drawing::scene::Paint;

/// Millimetres in a typographic point.
pub const POINT_MM: f32 = 25.4 / 72.0;

/// Smallest side of a companion box without text, mm: a pencil still strikes it out.
const COMPANION_MM: f32 = 2.4;

/// The smallest sizes that are drawn, in millimetres, and the factor by which sizes grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimumSizes {
    /// 1, or 1.3 in large print.
    pub scale: f32,
    /// Side of a tick box: 3 mm.
    pub tick_box: f32,
    /// Side of a small box beside the box that it belongs to, for ammunition or a state: 2.4 mm.
    pub companion: f32,
    /// Font size of any text: 6 pt.
    pub text: f32,
    /// Font size of a value read during play: 8 pt.
    pub play_text: f32,
    /// Scale applied to the page after layout; 1 at true size. The other sizes are larger by the same factor, so that
    /// they come out right.
    pub page_scale: f32,
}

impl MinimumSizes {
    /// Large print makes every smallest and preferred size 1.3 times as large.
    pub fn new(large_print: bool) -> Self {
        let scale = if large_print { 1.3 } else { 1.0 };
        Self {
            scale,
            tick_box: 3.0 * scale,
            companion: COMPANION_MM * scale,
            text: 6.0 * POINT_MM * scale,
            play_text: 8.0 * POINT_MM * scale,
            page_scale: 1.0,
        }
    }

    /// For a page that is scaled by this factor after layout. A page enlarged by more than large print requires is laid
    /// out at the usual sizes.
    #[must_use]
    pub fn for_page_scale(self, by: f32) -> Self {
        let by_sizes = by.min(self.scale.max(1.0));
        Self {
            scale: self.scale / by_sizes,
            tick_box: self.tick_box / by_sizes,
            companion: self.companion / by_sizes,
            text: self.text / by_sizes,
            play_text: self.play_text / by_sizes,
            page_scale: self.page_scale * by,
        }
    }
}

impl Default for MinimumSizes {
    fn default() -> Self {
        Self::new(false)
    }
}

/// Text, box outlines and heading rules.
pub const INK: Paint = Paint::grey(26);
/// Labels, notes and column headings: quiet, yet dark enough for a laser printer at 6 pt.
pub const QUIET_INK: Paint = Paint::grey(110);
/// Thin rules between lines of a table or log.
pub const RULE_INK: Paint = Paint::grey(165);
/// From a heading's baseline to the middle of its rule, mm: descenders of a note beside it stay clear.
pub const HEADING_RULE_DROP: f32 = 1.55;
/// Rules of tables and logs, mm.
pub const THIN_LINE: f32 = 0.18;
/// Boxes and heading rules, mm.
pub const LINE_WIDTH: f32 = 0.3;
