//! The ruler at the foot of a page for checking the printer's scale, with its caption: takes a pen and a position,
//! draws at true size only.

use crate::sheet::layout::minimum_sizes::{INK, POINT_MM, QUIET_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use moldloft_drawing::art::Anchor;

/// Draws a ruler of `mm` from its left end, followed by `words`.
pub fn draw_ruler(mm: f32, x: f32, y: f32, words: &str, pen: &mut SheetPen) {
    let ticks = (0..=(mm / 10.0) as u8).map(|n| {
        let x = x + 10.0 * f32::from(n);
        [x, y - if n % 5 == 0 { 2.0 } else { 1.2 }, x, y]
    });
    pen.lines(ticks.chain([[x, y, x + mm, y]]), THIN_LINE, INK);
    pen.text(words, pen.styles.small.with_paint(QUIET_INK), x + mm + 1.5, y, Anchor::Start);
}

/// The longest ruler that leaves room for its number, mm.
pub fn longest_ruler(room: f32) -> f32 {
    if room >= 118.0 { 100.0 } else { 50.0 }
}

/// The lines of a ruler's caption beside or below it, and the distance down to the last one, mm.
pub fn caption_lines(words: &[&str], width: f32, pen: &SheetPen) -> (Vec<String>, f32) {
    let style = pen.styles.small;
    let lines: Vec<String> = words.iter().flat_map(|words| style.wrap(words, width)).collect();
    let down = lines.len() as f32 * CAPTION_LINE_HEIGHT;
    (lines, down)
}

/// Distance between lines of the caption, mm.
pub const CAPTION_LINE_HEIGHT: f32 = 9.0 * POINT_MM;
