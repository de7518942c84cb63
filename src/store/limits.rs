//! The largest files that are read.

/// The most bytes of an SVG file that is read: 4 MB.
pub const MAX_SVG_BYTES: u64 = 4_000_000;
/// The most bytes of a TOML file that is read: 1 MB. A design has one or two thousand, a ruleset some fifty thousand; reading
/// TOML takes up to two hundred times a file's size.
pub const MAX_TOML_BYTES: u64 = 1_000_000;
