//! Blends colours into pixels: upright rectangles with exact edges, and masks, both clipped to the picture.

use resvg::tiny_skia::Pixmap;

#[derive(Clone, Copy)]
pub struct BlendColour {
    pub rgb: [u8; 3],
    /// 255 is opaque.
    pub alpha: u8,
}

fn blend_pixel(pixel: &mut [u8; 4], ink: BlendColour, cover: u32) {
    let alpha = mul_div_255(u32::from(ink.alpha), cover);
    if alpha == 0 {
        return;
    }
    if alpha == 255 {
        *pixel = [ink.rgb[0], ink.rgb[1], ink.rgb[2], 255];
        return;
    }
    let left = 255 - alpha;
    for (part, colour) in pixel.iter_mut().zip([ink.rgb[0], ink.rgb[1], ink.rgb[2], 255]) {
        *part = (mul_div_255(u32::from(colour), alpha) + mul_div_255(u32::from(*part), left)).min(255) as u8;
    }
}

/// `a * b / 255`, rounded.
fn mul_div_255(a: u32, b: u32) -> u32 {
    (a * b + 127) / 255
}

/// Corners are in pixels; partly covered pixels are blended.
pub fn fill_rectangle(pixmap: &mut Pixmap, [left, top, right, bottom]: [f32; 4], ink: BlendColour) {
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let (left, right) = (left.clamp(0.0, width as f32), right.clamp(0.0, width as f32));
    let (top, bottom) = (top.clamp(0.0, height as f32), bottom.clamp(0.0, height as f32));
    if left >= right || top >= bottom {
        return;
    }
    let (first, last) = (left.floor() as usize, (right.ceil() as usize).min(width));
    let covered = |at: usize, low: f32, high: f32| (high.min(at as f32 + 1.0) - low.max(at as f32)).clamp(0.0, 1.0);
    let (pixels, _) = pixmap.data_mut().as_chunks_mut::<4>();
    for y in top.floor() as usize..(bottom.ceil() as usize).min(height) {
        let row = covered(y, top, bottom);
        let line = &mut pixels[y * width + first..y * width + last];
        if let [single] = line {
            blend_pixel(single, ink, (row * (right - left) * 255.0).round() as u32);
            continue;
        }
        let inner = (row * 255.0).round() as u32;
        let Some((start, rest)) = line.split_first_mut() else { continue };
        let Some((end, middle)) = rest.split_last_mut() else { continue };
        blend_pixel(start, ink, (row * covered(first, left, right) * 255.0).round() as u32);
        middle.iter_mut().for_each(|pixel| blend_pixel(pixel, ink, inner));
        blend_pixel(end, ink, (row * covered(last - 1, left, right) * 255.0).round() as u32);
    }
}

/// The mask's top left corner is at (x, y).
pub fn blend_mask(pixmap: &mut Pixmap, cover: &[u8], width: usize, (x, y): (i32, i32), ink: BlendColour) {
    if width == 0 {
        return;
    }
    let (wide, high) = (pixmap.width() as usize, pixmap.height() as usize);
    let (pixels, _) = pixmap.data_mut().as_chunks_mut::<4>();
    let skip = (-i64::from(x)).clamp(0, width as i64) as usize;
    let start = i64::from(x).max(0) as usize;
    for (index, row) in cover.chunks_exact(width).enumerate() {
        let Ok(at) = usize::try_from(i64::from(y) + index as i64) else { continue };
        if at >= high || start >= wide {
            continue;
        }
        for (pixel, &cover) in pixels[at * wide + start..(at + 1) * wide].iter_mut().zip(&row[skip..]) {
            if cover > 0 {
                blend_pixel(pixel, ink, u32::from(cover));
            }
        }
    }
}

/// Draws a picture over another, its top left corner at (x, y).
pub fn draw_over(pixmap: &mut Pixmap, above: &Pixmap, (x, y): (usize, usize)) {
    let (wide, high) = (pixmap.width() as usize, pixmap.height() as usize);
    let width = above.width() as usize;
    let (pixels, _) = pixmap.data_mut().as_chunks_mut::<4>();
    let (source, _) = above.data().as_chunks::<4>();
    if x >= wide {
        return;
    }
    for (row, line) in source.chunks_exact(width).enumerate().take(high.saturating_sub(y)) {
        for (pixel, over) in pixels[(y + row) * wide + x..(y + row + 1) * wide].iter_mut().zip(line) {
            match over[3] {
                0 => {}
                255 => *pixel = *over,
                alpha => {
                    let left = 255 - u32::from(alpha);
                    for (part, colour) in pixel.iter_mut().zip(over) {
                        *part = (u32::from(*colour) + mul_div_255(u32::from(*part), left)).min(255) as u8;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::{Color, PixmapPaint, Transform};

    use super::*;

    #[test]
    fn a_picture_is_drawn_over_another_as_the_library_does() {
        let mut above = Pixmap::new(16, 16).unwrap();
        let (pixels, _) = above.data_mut().as_chunks_mut::<4>();
        for (n, pixel) in pixels.iter_mut().enumerate() {
            let alpha = (n % 256) as u8;
            let part = |share: u32| (u32::from(alpha) * share / 255) as u8;
            *pixel = [part(200), part(90), part(n as u32 % 256), alpha];
        }
        let mut below = Pixmap::new(20, 18).unwrap();
        below.fill(Color::from_rgba8(120, 33, 250, 255));
        let mut expected = below.clone();
        for (x, y) in [(0, 0), (7, 5), (18, 17), (25, 3), (3, 40)] {
            expected.draw_pixmap(x, y, above.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
            draw_over(&mut below, &above, (x as usize, y as usize));
        }
        assert_eq!(below.data(), expected.data());
    }
}
