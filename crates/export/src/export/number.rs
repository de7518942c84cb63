//! Writes numbers for PDF and SVG: plain decimals with a maximum number of places, no trailing zeros, never `NaN` or
//! `inf`.

pub const POINTS_PER_MM: f32 = 72.0 / 25.4;

/// Units of the coordinates of a PDF's contents.
pub const UNITS_PER_MM: f32 = 100.0;

/// The largest number written, since readers hold integers in 32 bits. Larger values are clamped, so callers must omit
/// shapes for which that matters.
pub const MAX_NUMBER: f32 = 2e6;

/// By places.
const UNITS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

/// A number in steps of `10^-places`; NaN becomes 0, and values are clamped to [`MAX_NUMBER`].
pub fn to_steps(value: f32, places: u8) -> i64 {
    if value.is_nan() {
        return 0;
    }
    let scaled = f64::from(value.clamp(-MAX_NUMBER, MAX_NUMBER)) * UNITS[usize::from(places.min(6))];
    // As `round()` has it, which is a call: both numbers are exact.
    (scaled + 0.5_f64.copysign(scaled)) as i64
}

/// Appends a number given in steps of `10^-places`.
pub fn put_steps(out: &mut Vec<u8>, steps: i64, places: u8) {
    let (mut size, mut places) = (steps.unsigned_abs(), places.min(6));
    while places > 0 && size % 10 == 0 {
        (size, places) = (size / 10, places - 1);
    }
    // From the last digit to the first.
    let mut digits = [0_u8; 24];
    let mut at = digits.len();
    let mut put_before = |byte: u8| {
        at -= 1;
        digits[at] = byte;
    };
    if places > 0 {
        for _ in 0..places {
            put_before(b'0' + (size % 10) as u8);
            size /= 10;
        }
        put_before(b'.');
    } else if size == 0 {
        put_before(b'0');
    }
    while size > 0 {
        put_before(b'0' + (size % 10) as u8);
        size /= 10;
    }
    if steps < 0 {
        put_before(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

pub fn put(out: &mut Vec<u8>, value: f32, places: u8) {
    put_steps(out, to_steps(value, places), places);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        let shown = |value: f32, places| {
            let mut out = Vec::new();
            put(&mut out, value, places);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(12.0, 2), "12");
        assert_eq!(shown(12.345, 2), "12.35");
        assert_eq!(shown(-0.5, 2), "-.5");
        assert_eq!(shown(0.05, 2), ".05");
        assert_eq!(shown(-0.001, 2), "0");
        assert_eq!(shown(100.0, 0), "100");
        assert_eq!(shown(0.000_01, 5), ".00001");
        assert_eq!(shown(f32::NAN, 2), "0");
        for half in [0.5_f32, 1.5, 2.5, 0.499_999_97, 12.345, 1_234_567.9] {
            assert_eq!(to_steps(half, 2), (f64::from(half) * 100.0).round() as i64);
            assert_eq!(to_steps(-half, 6), (f64::from(-half) * 1e6).round() as i64);
        }
        for wild in [f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE] {
            assert!(shown(wild, 3).bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'), "{wild}");
        }
    }
}
