//! Draws pages as PNG files, or one page as pixels for a preview, directly from the scene with tiny-skia and cached
//! glyph masks.

use png::{BitDepth, ColorType, Compression, Encoder, PixelDimensions, Unit};
use rayon::prelude::*;
use resvg::tiny_skia::{Color, Pixmap};

use super::limits::MAX_PIXELS;
use super::options::ExportOptions;
use super::page_work::{ExportError, page_size, with_progress};
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::{Page, Scene, SceneItem, Transform};

mod blend;
mod canvas;
mod glyphs;
mod ink;

/// Draws every page as a PNG file that states its size in millimetres.
///
/// # Errors
/// A page without width or height, or a resolution that would exceed the limit of pixels.
pub fn write(scene: &Scene, options: &ExportOptions) -> Result<Vec<Vec<u8>>, ExportError> {
    write_with_progress(scene, options, &Progress::default())
}

/// As [`write()`], with progress.
///
/// # Errors
/// As [`write()`], and [`ExportError::Cancelled`].
pub fn write_with_progress(
    scene: &Scene,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<Vec<Vec<u8>>, ExportError> {
    progress.begin_phase("page", scene.pages.len());
    let pages = scene.pages.iter().enumerate();
    let sizes = pages.map(|(at, page)| pixel_size(page, at + 1, options.dpi)).collect::<Result<Vec<_>, _>>()?;
    // Large pictures are drawn one by one: two hundred million pixels take 800 MB.
    let large = sizes.iter().any(|&(width, height)| u64::from(width) * u64::from(height) > MAX_PIXELS / 10);
    let one =
        |(page, &size): (&Page, &(u32, u32))| with_progress(progress, || encode(&draw(page, size, options)?, options));
    if large {
        scene.pages.iter().zip(&sizes).map(one).collect()
    } else {
        scene.pages.par_iter().zip(&sizes).map(one).collect()
    }
}

/// Draws one page on white, for a preview.
///
/// # Errors
/// As [`write()`].
pub fn render_page(page: &Page, dpi: f32) -> Result<Pixmap, ExportError> {
    let options = ExportOptions { dpi, ..ExportOptions::default() };
    draw(page, pixel_size(page, 1, dpi)?, &options)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureRegion {
    /// Pixels per millimetre.
    pub scale: f32,
    pub corner: (u32, u32),
    pub size: (u32, u32),
}

/// Draws a part of a page on white, with the same pixels as in the whole page. Items outside the part may be left out.
///
/// # Errors
/// A part without width or height, or larger than the limit of pixels.
pub fn render_region<'a>(
    items: impl Iterator<Item = &'a SceneItem>,
    part: &PictureRegion,
    grey: bool,
) -> Result<Pixmap, ExportError> {
    let PictureRegion { scale, corner, size } = *part;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(ExportError::NoResolution(scale * 25.4));
    }
    if u64::from(size.0) * u64::from(size.1) > MAX_PIXELS {
        return Err(ExportError::Failed("the picture is too large".into()));
    }
    let mut pixmap =
        Pixmap::new(size.0, size.1).ok_or_else(|| ExportError::Failed("the picture is too large".into()))?;
    pixmap.fill(Color::WHITE);
    let page = Transform { m: [scale, 0.0, 0.0, scale, -(corner.0 as f32), -(corner.1 as f32)] };
    canvas::draw_items(&mut pixmap, items, &page, grey);
    Ok(pixmap)
}

fn pixel_size(page: &Page, number: usize, dpi: f32) -> Result<(u32, u32), ExportError> {
    let (width, height) = page_size(page, number)?;
    if !(dpi.is_finite() && dpi > 0.0) {
        return Err(ExportError::NoResolution(dpi));
    }
    let side = |length: f32| (f64::from(length) * f64::from(dpi) / 25.4).round().max(1.0) as u64;
    let size = (side(width), side(height));
    if size.0.saturating_mul(size.1) > MAX_PIXELS {
        let most = (MAX_PIXELS as f64 / (f64::from(width) * f64::from(height))).sqrt() * 25.4;
        return Err(ExportError::TooLarge { dpi, size, most: most.floor() as f32 });
    }
    Ok((size.0 as u32, size.1 as u32))
}

fn draw(page: &Page, (width, height): (u32, u32), options: &ExportOptions) -> Result<Pixmap, ExportError> {
    let mut pixmap =
        Pixmap::new(width, height).ok_or_else(|| ExportError::Failed("the picture is too large".into()))?;
    if options.background {
        pixmap.fill(Color::WHITE);
    }
    let scale = options.dpi / 25.4;
    canvas::draw_items(&mut pixmap, page.items_for_drawing().iter(), &Transform::scale(scale, scale), options.grey);
    Ok(pixmap)
}

/// Encodes the file: three bytes per pixel with a background, or one if everything is grey.
fn encode(pixmap: &Pixmap, options: &ExportOptions) -> Result<Vec<u8>, ExportError> {
    let failed = |error: png::EncodingError| ExportError::Failed(error.to_string());
    let (kind, data): (ColorType, Vec<u8>) = if options.background {
        let (pixels, _) = pixmap.data().as_chunks::<4>();
        if pixels.iter().all(|[r, g, b, _]| r == g && g == b) {
            (ColorType::Grayscale, pixels.iter().map(|pixel| pixel[0]).collect())
        } else {
            (ColorType::Rgb, pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect())
        }
    } else {
        (ColorType::Rgba, pixmap.clone().take_demultiplied())
    };
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, pixmap.width(), pixmap.height());
    encoder.set_color(kind);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let per_metre = (f64::from(options.dpi) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&data).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}
