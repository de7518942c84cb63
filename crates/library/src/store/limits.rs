//! The largest files that are read.

/// 4 MB.
pub const MAX_SVG_BYTES: u64 = 4_000_000;
/// 8 MB, of a PNG or JPEG.
pub const MAX_PICTURE_BYTES: usize = 8_000_000;
/// 1 MB. A design has one or two thousand bytes, a ruleset some fifty thousand; parsing needs up to two hundred times a
/// file's size.
pub const MAX_TOML_BYTES: u64 = 1_000_000;
