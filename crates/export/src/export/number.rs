//! Writes numbers for PDF and SVG: plain decimals with a maximum number of places, no trailing zeros, never `NaN` or
//! `inf`.

pub const POINTS_PER_MM: f32 = 72.0 / 25.4;

/// The largest number written, since readers hold integers in 32 bits. Larger values are clamped, so callers must omit
/// shapes for which that matters.
pub const MAX_NUMBER: f32 = 2e6;

/// A number in steps of `10^-places`; NaN becomes 0, and values are clamped to [`MAX_NUMBER`].
pub fn to_steps(value: f32, places: u8) -> i64 {
    if value.is_nan() {
        return 0;
    }
    let scaled = f64::from(value.clamp(-MAX_NUMBER, MAX_NUMBER)) * f64::from(10_u32.pow(u32::from(places.min(6))));
    scaled.round() as i64
}

/// Appends a number given in steps of `10^-places`.
pub fn put_steps(out: &mut Vec<u8>, steps: i64, places: u8) {
    if steps < 0 {
        out.push(b'-');
    }
    let unit = 10_u64.pow(u32::from(places.min(6)));
    let size = steps.unsigned_abs();
    let (whole, mut part) = (size / unit, size % unit);
    if whole > 0 || part == 0 {
        put_integer(out, whole);
    }
    if part > 0 {
        out.push(b'.');
        let mut unit = unit / 10;
        while part > 0 && unit > 0 {
            out.push(b'0' + (part / unit) as u8);
            part %= unit;
            unit /= 10;
        }
    }
}

pub fn put(out: &mut Vec<u8>, value: f32, places: u8) {
    put_steps(out, to_steps(value, places), places);
}

fn put_integer(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
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
        for wild in [f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE] {
            assert!(shown(wild, 3).bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'), "{wild}");
        }
    }
}
