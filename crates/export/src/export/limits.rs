//! Bounds on what is written: takes numbers from a scene, gives finite ones within the limits of readers.

/// Largest side of a page in millimetres; PDF readers allow 14,400 points.
pub const MAX_PAGE_MM: f32 = 5000.0;
/// Largest picture.
pub const MAX_PIXELS: u64 = 200_000_000;
/// Deepest nesting of groups and drawings; what is deeper is skipped.
pub const MAX_DEPTH: usize = 64;

/// The colour to write: unchanged, or the grey of the same brightness (weights of ITU-R BT.709).
pub fn output_colour(rgb: [u8; 3], grey: bool) -> [u8; 3] {
    if !grey || (rgb[0] == rgb[1] && rgb[1] == rgb[2]) {
        return rgb;
    }
    let [r, g, b] = rgb.map(u32::from);
    [((r * 2126 + g * 7152 + b * 722 + 5000) / 10_000) as u8; 3]
}

/// The opacity to write, in per cent from 0 to 100; NaN counts as opaque.
pub fn opacity_percent(alpha: f32) -> u8 {
    if alpha.is_nan() { 100 } else { (alpha.clamp(0.0, 1.0) * 100.0).round() as u8 }
}

/// The length to write: NaN becomes 0, and the limit is twenty metres.
pub fn bounded_length(length: f32) -> f32 {
    if length.is_nan() { 0.0 } else { length.clamp(-20_000.0, 20_000.0) }
}
