//! The limits of a ruleset's numbers and sizes.

/// The furthest distance of a mount from the middle of the ship's plan, across and down.
pub const MAX_PLAN_OFFSET: i64 = 9;
/// The largest number in a file, positive or negative.
pub const MAX_NUMBER: u64 = 1_000_000_000_000_000;
/// The most declarations in one section.
pub(super) const MAX_DECLARATIONS: usize = 2_000;
/// The most attributes, parameters and the like.
pub(super) const MAX_ATTRIBUTES: usize = 250;
