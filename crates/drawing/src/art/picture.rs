//! A player's own picture: takes the bytes of a PNG or JPEG file, gives a drawing of its pixels, upright, without the
//! empty ground around them and no finer than a sheet can show.

use std::io::Cursor;

use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgba, RgbaImage};

use crate::scene::{Drawing, Picture};

/// Pixels of the longer side: 68 mm at 300 to the inch.
const MAX_SIDE: u32 = 800;
/// Of the file, in pixels.
const MAX_FILE_SIDE: u32 = 20_000;
/// While it is unpacked, in bytes.
const MAX_MEMORY: u64 = 400_000_000;
/// Millimetres of a pixel.
const PIXEL: f32 = 25.4 / 300.0;
/// From here on, a colour counts as the white of paper.
const NEARLY_WHITE: u8 = 250;
/// Up to here, an opacity counts as nothing.
const NEARLY_CLEAR: u8 = 5;

/// `None` for a picture without ink: all white or clear.
///
/// # Errors
/// What is wrong with the file: neither PNG nor JPEG, damaged, or larger than 20,000 pixels a side or 100 million in all.
pub fn read_picture(name: &str, bytes: &[u8]) -> Result<Option<Drawing>, String> {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let Some(ImageFormat::Png | ImageFormat::Jpeg) = reader.format() else {
        return Err("expected a PNG or JPEG picture".into());
    };
    let mut reader = reader;
    let mut limits = Limits::no_limits();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_FILE_SIDE), Some(MAX_FILE_SIDE));
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    let read = || {
        let mut decoder = reader.into_decoder()?;
        // A phone writes how it was held.
        let held = decoder.orientation()?;
        let mut image = DynamicImage::from_decoder(decoder)?;
        image.apply_orientation(held);
        Ok(image.into_rgba8())
    };
    let mut image = read().map_err(|error: image::ImageError| error.to_string())?;
    // What cannot be seen has the colour of paper, so that no edge gets a dark seam.
    image.pixels_mut().filter(|pixel| pixel[3] == 0).for_each(|pixel| *pixel = Rgba([255, 255, 255, 0]));
    let Some((x, y, width, height)) = inked_part(&image) else { return Ok(None) };
    let image = imageops::crop_imm(&image, x, y, width, height).to_image();
    let shrink = (MAX_SIDE as f32 / width.max(height) as f32).min(1.0);
    let side = |side: u32| ((side as f32 * shrink).round() as u32).max(1);
    let image =
        if shrink < 1.0 { imageops::resize(&image, side(width), side(height), FilterType::Triangle) } else { image };
    let (width, height) = image.dimensions();
    let picture = Picture { width, height, pixels: image.into_raw() };
    Ok(Some(Drawing {
        name: name.to_owned(),
        width: width as f32 * PIXEL,
        height: height as f32 * PIXEL,
        picture: Some(picture.into()),
        shapes: Vec::new(),
    }))
}

/// Left, top, width and height of what is neither clear nor white.
fn inked_part(image: &RgbaImage) -> Option<(u32, u32, u32, u32)> {
    let has_ink = |pixel: &Rgba<u8>| pixel[3] > NEARLY_CLEAR && pixel.0[..3].iter().any(|part| *part < NEARLY_WHITE);
    let inked = image.enumerate_pixels().filter(|(.., pixel)| has_ink(pixel)).map(|(x, y, _)| [x, y, x, y]);
    let [left, top, right, bottom] =
        inked.reduce(|[l, t, r, b], [x, y, ..]| [l.min(x), t.min(y), r.max(x), b.max(y)])?;
    Some((left, top, right - left + 1, bottom - top + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(image: &RgbaImage) -> Vec<u8> {
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        bytes
    }

    #[test]
    fn empty_ground_goes_and_no_side_is_finer_than_paper_shows() {
        let mut image = RgbaImage::from_pixel(2400, 900, Rgba([0, 0, 0, 0]));
        (100..2100).for_each(|x| (200..700).for_each(|y| image.put_pixel(x, y, Rgba([20, 40, 60, 255]))));
        let drawing = read_picture("a.png", &png(&image)).unwrap().unwrap();
        let picture = drawing.picture.unwrap();
        assert_eq!((picture.width, picture.height), (800, 200));
        assert!(picture.pixels.chunks(4).all(|pixel| pixel == [20, 40, 60, 255]));
        assert!((drawing.width / drawing.height - 4.0).abs() < 1e-4);
        let white = RgbaImage::from_pixel(30, 30, Rgba([255, 255, 255, 255]));
        assert!(read_picture("white.png", &png(&white)).unwrap().is_none());
    }

    #[test]
    fn what_is_no_picture_says_so_and_a_hostile_one_takes_no_memory() {
        for bytes in [&b""[..], b"GIF89a....", b"<svg/>", b"\x89PNG\r\n\x1a\n"] {
            assert!(read_picture("x.png", bytes).is_err());
        }
        // A header that promises 20,000 times 20,000 pixels, and one that promises more.
        for side in [20_000_u32, 2_000_000] {
            let mut bytes = png(&RgbaImage::new(1, 1));
            bytes[16..20].copy_from_slice(&side.to_be_bytes());
            bytes[20..24].copy_from_slice(&side.to_be_bytes());
            // Its sum is wrong now; the decoder must not have asked for the memory before it sees that.
            assert!(read_picture("x.png", &bytes).is_err());
        }
    }
}
