//! Limits of a question.

/// Most levers of one question.
pub const MAX_LEVERS: usize = 24;
/// Most numbers in a lever's window, less one.
pub const MAX_WINDOW: u64 = 10_000;
/// Boxes that are looked into, for an effort of 1.
pub const BOXES: usize = 20_000;
pub const MAX_EFFORT: u32 = 100;
/// Most boxes that wait.
pub const MAX_WAITING: usize = 200_000;
pub const MAX_GOALS: usize = 16;
/// Most changes that are tried together to make a design legal.
pub const MAX_CHANGES: usize = 4;
/// Windows with at most so many designs are tried whole.
pub const TRY_ALL: u64 = 2_000;
/// Work for an effort of 1, in plain formulas.
pub const WORK: u64 = 20_000_000;
/// The same for rulesets of which one design takes more than [`HEAVY`]: about half a second.
pub const HEAVY_WORK: u64 = 8_000_000;
/// Plain formulas; a cruiser of Wars of Honor takes about 220.
pub const HEAVY: u64 = 2_000;
/// A box takes about as much work as so many designs.
pub const BOX_WORK: u64 = 6;
/// The bounds of a box, for each pair of levers.
pub const BOUNDS_WORK: u64 = 3;
/// Most levers that are looked at when a question names none.
pub const MAX_LOOKED_AT: usize = 256;

/// Work that a question may take, when one design takes `each`.
pub fn work_limit(each: u64, effort: u32) -> u64 {
    let once = if each > HEAVY { HEAVY_WORK } else { WORK };
    once * u64::from(effort)
}
