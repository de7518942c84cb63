//! A player's own picture: takes the bytes of a PNG or JPEG file, gives a drawing of its pixels, upright, without the
//! empty ground around them and no finer than a sheet can show.

use std::io::Cursor;

use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgba, RgbaImage};

use crate::scene::{Drawing, Picture};

/// Pixels of the longer side: 68 mm at 300 to the inch.
const MAX_SIDE: u32 = 800;
/// Of the file, in all: each takes four bytes, and up to eight more while it is unpacked.
const MAX_PIXELS: u64 = 30_000_000;
/// What the file may take while it is unpacked, in bytes.
const MAX_MEMORY: u64 = 8 * MAX_PIXELS;
/// Millimetres of a pixel.
const PIXEL: f32 = 25.4 / 300.0;
/// From here on, a colour counts as the white of paper.
const NEARLY_WHITE: u8 = 250;
/// Up to here, an opacity counts as nothing.
const NEARLY_CLEAR: u8 = 5;

/// `None` for a picture without ink: all white or clear.
///
/// # Errors
/// What is wrong with the file: neither PNG nor JPEG, damaged, or of more than 30 million pixels.
pub fn read_picture(name: &str, bytes: &[u8]) -> Result<Option<Drawing>, String> {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let Some(ImageFormat::Png | ImageFormat::Jpeg) = reader.format() else {
        return Err("expected a PNG or JPEG picture".into());
    };
    let mut reader = reader;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    let told = |error: image::ImageError| error.to_string();
    let mut decoder = reader.into_decoder().map_err(told)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(format!("expected at most {MAX_PIXELS} pixels, found {width} × {height}"));
    }
    // A phone writes how it was held.
    let held = decoder.orientation().map_err(told)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(told)?;
    image.apply_orientation(held);
    let mut image = image.into_rgba8();
    // What cannot be seen has the colour of paper, so that no edge gets a dark seam.
    image.pixels_mut().filter(|pixel| pixel[3] == 0).for_each(|pixel| *pixel = Rgba([255, 255, 255, 0]));
    let Some((x, y, width, height)) = inked_part(&image) else { return Ok(None) };
    let part = imageops::crop_imm(&image, x, y, width, height);
    let shrink = (MAX_SIDE as f32 / width.max(height) as f32).min(1.0);
    let side = |side: u32| ((side as f32 * shrink).round() as u32).max(1);
    let image = if shrink < 1.0 {
        imageops::resize(&*part, side(width), side(height), FilterType::Triangle)
    } else {
        part.to_image()
    };
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
    fn what_is_no_picture_says_so() {
        for bytes in [&b""[..], b"GIF89a....", b"<svg/>", b"\x89PNG\r\n\x1a\n"] {
            assert!(read_picture("x.png", bytes).is_err());
        }
    }

    /// A PNG of grey, of which only the first bytes are there.
    fn promising(width: u32, height: u32) -> Vec<u8> {
        let chunk = |kind: &[u8; 4], data: &[u8]| {
            let mut sum = flate2::Crc::new();
            sum.update(kind);
            sum.update(data);
            [&(data.len() as u32).to_be_bytes()[..], kind, data, &sum.sum().to_be_bytes()].concat()
        };
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
        [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &header), &chunk(b"IDAT", &[0x78, 0x9c, 0, 0])].concat()
    }

    #[test]
    fn a_header_that_promises_too_much_is_refused_before_memory_is_taken() {
        for (width, height) in [(20_000, 20_000), (30_001, 1_000)] {
            let error = read_picture("x.png", &promising(width, height)).unwrap_err();
            assert_eq!(error, format!("expected at most 30000000 pixels, found {width} × {height}"));
        }
        let error = read_picture("x.png", &promising(3, 2)).unwrap_err();
        assert!(!error.contains("pixels"), "{error}");
    }

    #[test]
    fn a_photograph_is_upright_however_the_phone_was_held() {
        let plain = image::RgbImage::from_pixel(60, 20, image::Rgb([40, 40, 40]));
        let mut jpeg = Vec::new();
        plain.write_to(&mut Cursor::new(&mut jpeg), ImageFormat::Jpeg).unwrap();
        // Behind the first two bytes, Exif with one entry: orientation 6, held on its side.
        let exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        let mut held = jpeg[..2].to_vec();
        held.extend([0xff, 0xe1, 0, (exif.len() + 2) as u8]);
        held.extend(exif);
        held.extend(&jpeg[2..]);
        let sides = |bytes: &[u8]| {
            let picture = read_picture("a.jpg", bytes).unwrap().unwrap().picture.unwrap();
            (picture.width, picture.height)
        };
        assert_eq!((sides(&jpeg), sides(&held)), ((60, 20), (20, 60)));
    }
}
