//! A picture's pixels as files hold them: takes a picture, gives a JPEG or plain samples, whichever takes less, and its
//! opacity apart; or a file of its own in a `data:` address.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageError};

use super::limits::output_colour;
use super::pdf::compress;
use moldloft_drawing::scene::Picture;

/// Of a JPEG, in percent: no difference is seen on paper.
const QUALITY: u8 = 80;

/// A picture in a PDF.
pub struct PixelStreams {
    pub width: u32,
    pub height: u32,
    pub grey: bool,
    /// A JPEG; otherwise samples compressed with zlib.
    pub is_jpeg: bool,
    pub colours: Vec<u8>,
    /// One byte for each pixel, compressed with zlib; `None` if nothing shows through.
    pub opacity: Option<Vec<u8>>,
}

pub fn pixel_streams(picture: &Picture, grey: bool) -> PixelStreams {
    let samples = samples(picture, grey);
    let jpeg = jpeg(picture, &samples, grey).ok();
    let plain = compress(&samples);
    let (is_jpeg, colours) = match jpeg.filter(|jpeg| jpeg.len() < plain.len()) {
        Some(jpeg) => (true, jpeg),
        None => (false, plain),
    };
    let opacity =
        is_clear(picture).then(|| compress(&picture.pixels.iter().skip(3).step_by(4).copied().collect::<Vec<u8>>()));
    PixelStreams { width: picture.width, height: picture.height, grey, is_jpeg, colours, opacity }
}

/// `data:image/png;base64,…`, or a JPEG.
///
/// # Errors
/// Sides of nothing, or pixels that do not fill them.
pub fn data_address(picture: &Picture, grey: bool) -> Result<String, ImageError> {
    let (kind, bytes) = if is_clear(picture) {
        let mut pixels = picture.pixels.clone();
        pixels.chunks_exact_mut(4).for_each(|pixel| {
            let colour = output_colour([pixel[0], pixel[1], pixel[2]], grey);
            pixel[..3].copy_from_slice(&colour);
        });
        ("png", png(picture, &pixels, ExtendedColorType::Rgba8)?)
    } else {
        let samples = samples(picture, grey);
        let plain = png(picture, &samples, colour_type(grey))?;
        let jpeg = jpeg(picture, &samples, grey)?;
        if jpeg.len() < plain.len() { ("jpeg", jpeg) } else { ("png", plain) }
    };
    Ok(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

fn is_clear(picture: &Picture) -> bool {
    picture.pixels.iter().skip(3).step_by(4).any(|opacity| *opacity < 255)
}

fn colour_type(grey: bool) -> ExtendedColorType {
    if grey { ExtendedColorType::L8 } else { ExtendedColorType::Rgb8 }
}

/// Without opacity; one byte for each pixel in grey.
fn samples(picture: &Picture, grey: bool) -> Vec<u8> {
    let kept = if grey { 1 } else { 3 };
    picture
        .pixels
        .chunks_exact(4)
        .flat_map(|pixel| output_colour([pixel[0], pixel[1], pixel[2]], grey).into_iter().take(kept))
        .collect()
}

fn jpeg(picture: &Picture, samples: &[u8], grey: bool) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    encoder.write_image(samples, picture.width, picture.height, colour_type(grey))?;
    Ok(bytes)
}

fn png(picture: &Picture, pixels: &[u8], colours: ExtendedColorType) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(pixels, picture.width, picture.height, colours)?;
    Ok(bytes)
}
