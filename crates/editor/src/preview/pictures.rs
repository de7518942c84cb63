//! Whole sheets as pictures, to compare them: takes an evaluated ship, gives its pages; of two sheets, the second one
//! with the places tinted where it differs.

use std::sync::Arc;

use egui::{Color32, ColorImage};

use crate::preview::render::{PreviewKey, lay_out};
use crate::preview::settings::{PreviewMode, PreviewSettings};
use crate::preview::tiles::{draw_tile, page_pixels};
use moldloft_drawing::scene::Page;
use moldloft_export::export::{PictureRegion, render_region};
use moldloft_rules::evaluate::Evaluation;
use moldloft_sheet::sheet::{PageSetup, TemplateCache};

/// Pixels per millimetre.
const SCALE: f32 = 6.0;
const MAX_PAGES: usize = 4;
/// Textures may be no larger, in pixels.
const MAX_SIDE: f32 = 2_040.0;
/// In pixels.
const BLOCK: usize = 6;
const TINT: [f32; 3] = [255.0, 214.0, 92.0];

pub fn sheet_pictures(
    ship: Arc<Evaluation>,
    settings: &PreviewSettings,
    templates: &TemplateCache<'_>,
) -> Vec<ColorImage> {
    let key = PreviewKey {
        revision: 0,
        proposal: None,
        unit: ship.ship.unit.clone(),
        template_generation: 0,
        view: PreviewMode::Sheet,
        page_setup: PageSetup::default().paper(settings.paper),
        large_print: settings.large_print,
        sheet: settings.sheets.get(&*ship.ruleset.id).cloned(),
    };
    let pages = lay_out(&key, &ship, templates);
    let drawn = pages.scene.pages.iter().zip(&pages.page_indices).take(MAX_PAGES).filter_map(|(page, index)| {
        let size = page_pixels((page.width, page.height), SCALE);
        let whole = PictureRegion { scale: SCALE, corner: (0, 0), size };
        draw_tile(page, index, &whole, settings.grey)
    });
    drawn.collect()
}

/// A page of this width in pixels; `None` if it cannot be drawn.
pub fn page_picture(page: &Page, width: u32, grey: bool) -> Option<ColorImage> {
    let scale = (width.max(1) as f32 / page.width.max(1.0)).min(MAX_SIDE / page.width.max(page.height).max(1.0));
    let whole = PictureRegion { scale, corner: (0, 0), size: page_pixels((page.width, page.height), scale) };
    let drawn = render_region(page.items_for_drawing().iter(), &whole, grey).ok()?;
    Some(ColorImage::from_rgba_premultiplied([drawn.width() as usize, drawn.height() as usize], drawn.data()))
}

/// Tints the blocks of each picture that the other one has not.
pub fn tint_differences(before: Vec<ColorImage>, after: Vec<ColorImage>) -> [Vec<ColorImage>; 2] {
    let tinted = |own: &[ColorImage], others: &[ColorImage]| {
        let pairs = own.iter().enumerate().map(|(at, image)| match others.get(at) {
            Some(other) => tint(image.clone(), other),
            None => image.clone(),
        });
        pairs.collect::<Vec<_>>()
    };
    [tinted(&before, &after), tinted(&after, &before)]
}

fn tint(mut image: ColorImage, other: &ColorImage) -> ColorImage {
    let [width, height] = image.size;
    for top in (0..height).step_by(BLOCK) {
        for left in (0..width).step_by(BLOCK) {
            let (bottom, right) = ((top + BLOCK).min(height), (left + BLOCK).min(width));
            let pixel = |image: &ColorImage, x: usize, y: usize| {
                (x < image.size[0] && y < image.size[1]).then(|| image.pixels[y * image.size[0] + x])
            };
            let differs = (top..bottom).any(|y| (left..right).any(|x| pixel(&image, x, y) != pixel(other, x, y)));
            if !differs {
                continue;
            }
            for y in top..bottom {
                for at in y * width + left..y * width + right {
                    image.pixels[at] = multiply(image.pixels[at]);
                }
            }
        }
    }
    image
}

/// As a highlighter: white takes the tint, black stays black.
fn multiply(colour: Color32) -> Color32 {
    let part = |value: u8, tint: f32| (f32::from(value) * tint / 255.0).round() as u8;
    Color32::from_rgb(part(colour.r(), TINT[0]), part(colour.g(), TINT[1]), part(colour.b(), TINT[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_tinted() {
        let white = ColorImage::filled([20, 20], Color32::WHITE);
        let mut other = white.clone();
        other.pixels[20 * 13 + 13] = Color32::BLACK;
        let [one, two] = tint_differences(vec![white.clone()], vec![other]);
        assert_eq!(one[0].pixels[0], Color32::WHITE);
        assert_eq!(one[0].pixels[20 * 12 + 12], Color32::from_rgb(255, 214, 92));
        assert_eq!(two[0].pixels[20 * 13 + 13], Color32::BLACK);
        let [same, _] = tint_differences(vec![white.clone()], vec![white.clone()]);
        assert_eq!(same[0].pixels, white.pixels);
        // Pages of other sizes differ where the other one ends.
        let [large, small] = tint_differences(vec![white], vec![ColorImage::filled([6, 6], Color32::WHITE)]);
        assert_eq!((large[0].pixels[0], small[0].pixels[0]), (Color32::WHITE, Color32::WHITE));
        assert_ne!(large[0].pixels[10], Color32::WHITE);
    }
}
