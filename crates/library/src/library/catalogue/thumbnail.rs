//! Thumbnails of sheets: takes an evaluated ship, gives the pixels of its first page. Caches nothing.

use moldloft_drawing::scene::Page;
use moldloft_export::export::render_page;
use moldloft_rules::evaluate::Evaluation;
use moldloft_sheet::sheet::{self, SheetJob, SheetOptions, TemplateCache};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row; opaque on white.
    pub rgba: Vec<u8>,
}

/// The widest thumbnail, in pixels.
pub const MAX_WIDTH: u32 = 2_000;
/// White around the drawn part of the page, in mm.
const MARGIN: f32 = 4.0;

/// The drawn part of the first page of a ship's sheet, `width` pixels across, so that a small card fills the picture as
/// a full page does. `None` without a page.
pub fn thumbnail(evaluation: &Evaluation, templates: &TemplateCache<'_>, width: u32) -> Option<Thumbnail> {
    let ships = std::slice::from_ref(evaluation);
    let (scene, _) = sheet::print(&SheetJob { ships, templates, options: SheetOptions::default(), subject: "" });
    first_page(scene.pages.first()?, width)
}

/// The drawn part of a page.
pub fn first_page(page: &Page, width: u32) -> Option<Thumbnail> {
    let width = width.clamp(8, MAX_WIDTH);
    // A rough picture shows where there is ink.
    let rough = render_page(page, PROBE_DPI).ok()?;
    let (across, down) = (rough.width() as usize, rough.height() as usize);
    let inked = |x: usize, y: usize| rough.data().get((y * across + x) * 4).is_some_and(|&red| red < 250);
    let columns: Vec<usize> = (0..across).filter(|&x| (0..down).any(|y| inked(x, y))).collect();
    let rows: Vec<usize> = (0..down).filter(|&y| (0..across).any(|x| inked(x, y))).collect();
    let (&left, &right, &top, &bottom) = (columns.first()?, columns.last()?, rows.first()?, rows.last()?);
    let millimetres = |pixels: usize| pixels as f32 * 25.4 / PROBE_DPI;
    let (left, top) = ((millimetres(left) - MARGIN).max(0.0), (millimetres(top) - MARGIN).max(0.0));
    let right = (millimetres(right + 1) + MARGIN).min(page.width);
    let bottom = (millimetres(bottom + 1) + MARGIN).min(page.height);
    let dpi = width as f32 * 25.4 / (right - left).max(1.0);
    let whole = render_page(page, dpi.min(MAX_DPI)).ok()?;
    let pixels = |length: f32| (length * dpi.min(MAX_DPI) / 25.4).round() as u32;
    let (x, y) = (pixels(left).min(whole.width() - 1), pixels(top).min(whole.height() - 1));
    let width = pixels(right - left).clamp(1, whole.width() - x);
    let height = pixels(bottom - top).clamp(1, whole.height() - y);
    let line = |row: u32| {
        let start = (((y + row) * whole.width() + x) * 4) as usize;
        whole.data().get(start..start + width as usize * 4).unwrap_or_default()
    };
    Some(Thumbnail { width, height, rgba: (0..height).flat_map(line).copied().collect() })
}

/// Resolution of the picture that is only searched for ink.
const PROBE_DPI: f32 = 12.0;
/// The highest resolution, however small the drawn part is.
const MAX_DPI: f32 = 200.0;
