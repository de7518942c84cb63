//! Draws pages as pictures: takes a scene, gives PNG files, or one page as pixels for a preview. Drawn straight from the
//! scene with tiny-skia; figures and letters come from a memory of small masks.

use png::{BitDepth, ColorType, Compression, Encoder, PixelDimensions, Unit};
use rayon::prelude::*;
use resvg::tiny_skia::{Color, Pixmap};

use super::{Refusal, paper, watched};
use crate::progress::Progress;
use crate::scene::{Item, Page, Scene, Transform};

mod canvas;
mod glyphs;
mod solid;

/// The most pixels a picture may have.
pub const MOST_PIXELS: u64 = 200_000_000;

/// What may be chosen about a PNG.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Colours become greys.
    pub grey: bool,
    /// Dots per inch.
    pub dpi: f32,
    /// Whether there is a white ground rather than none.
    pub ground: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { grey: false, dpi: 150.0, ground: true }
    }
}

/// Every page as a PNG file that states its size in millimetres.
///
/// # Errors
/// A page without width or height, or a resolution that would make a picture beyond [`MOST_PIXELS`].
pub fn write(scene: &Scene, options: &Options) -> Result<Vec<Vec<u8>>, Refusal> {
    write_watched(scene, options, &Progress::default())
}

/// The same, each page counted on the way.
///
/// # Errors
/// As for [`write()`], and when it was asked to stop.
pub fn write_watched(scene: &Scene, options: &Options, progress: &Progress) -> Result<Vec<Vec<u8>>, Refusal> {
    progress.begin("page", scene.pages.len());
    let pages = scene.pages.iter().enumerate();
    let sizes = pages.map(|(at, page)| pixels(page, at + 1, options.dpi)).collect::<Result<Vec<_>, _>>()?;
    // Large pictures one after the other: two hundred million pixels take 800 MB.
    let large = sizes.iter().any(|&(width, height)| u64::from(width) * u64::from(height) > MOST_PIXELS / 10);
    let one = |(page, &size): (&Page, &(u32, u32))| watched(progress, || encode(&draw(page, size, options)?, options));
    if large {
        scene.pages.iter().zip(&sizes).map(one).collect()
    } else {
        scene.pages.par_iter().zip(&sizes).map(one).collect()
    }
}

/// One page drawn on white: for a preview.
///
/// # Errors
/// As for [`write()`].
pub fn picture(page: &Page, dpi: f32) -> Result<Pixmap, Refusal> {
    let options = Options { dpi, ..Options::default() };
    draw(page, pixels(page, 1, dpi)?, &options)
}

/// Where a part of a page lies in the picture of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Pixels a millimetre.
    pub scale: f32,
    /// Its left top corner, in pixels.
    pub corner: (u32, u32),
    /// Its width and height, in pixels.
    pub size: (u32, u32),
}

/// A part of a page drawn on white, for a preview that shows it large: the same pixels that the whole page would have there. Items that lie
/// elsewhere may be left out.
///
/// # Errors
/// A part without width or height, or beyond [`MOST_PIXELS`].
pub fn part<'a>(items: impl Iterator<Item = &'a Item>, part: &Part, grey: bool) -> Result<Pixmap, Refusal> {
    let Part { scale, corner, size } = *part;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(Refusal::NoResolution(scale * 25.4));
    }
    if u64::from(size.0) * u64::from(size.1) > MOST_PIXELS {
        return Err(Refusal::Failed("the picture is too large".into()));
    }
    let mut pixmap = Pixmap::new(size.0, size.1).ok_or_else(|| Refusal::Failed("the picture is too large".into()))?;
    pixmap.fill(Color::WHITE);
    let page = Transform { m: [scale, 0.0, 0.0, scale, -(corner.0 as f32), -(corner.1 as f32)] };
    canvas::draw(&mut pixmap, items, &page, grey);
    Ok(pixmap)
}

/// Width and height in pixels.
fn pixels(page: &Page, number: usize, dpi: f32) -> Result<(u32, u32), Refusal> {
    let (width, height) = paper(page, number)?;
    if !(dpi.is_finite() && dpi > 0.0) {
        return Err(Refusal::NoResolution(dpi));
    }
    let side = |length: f32| (f64::from(length) * f64::from(dpi) / 25.4).round().max(1.0) as u64;
    let size = (side(width), side(height));
    if size.0.saturating_mul(size.1) > MOST_PIXELS {
        let most = (MOST_PIXELS as f64 / (f64::from(width) * f64::from(height))).sqrt() * 25.4;
        return Err(Refusal::TooLarge { dpi, size, most: most.floor() as f32 });
    }
    Ok((size.0 as u32, size.1 as u32))
}

fn draw(page: &Page, (width, height): (u32, u32), options: &Options) -> Result<Pixmap, Refusal> {
    let mut pixmap = Pixmap::new(width, height).ok_or_else(|| Refusal::Failed("the picture is too large".into()))?;
    if options.ground {
        pixmap.fill(Color::WHITE);
    }
    let scale = options.dpi / 25.4;
    canvas::draw(&mut pixmap, page.shapes().iter(), &Transform::scale(scale, scale), options.grey);
    Ok(pixmap)
}

/// The file: with a ground three bytes a pixel, or one if nothing is coloured.
fn encode(pixmap: &Pixmap, options: &Options) -> Result<Vec<u8>, Refusal> {
    let failed = |error: png::EncodingError| Refusal::Failed(error.to_string());
    let (kind, data): (ColorType, Vec<u8>) = if options.ground {
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
