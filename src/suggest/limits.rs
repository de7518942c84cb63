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
/// Windows with at most so many designs are tried whole.
pub const TRY_ALL: u64 = 2_000;
/// Work for an effort of 1, in plain formulas: what a ruleset with long lists takes for a box counts for more.
pub const WORK: u64 = 24_000_000;
/// A box takes about as much work as so many designs.
pub const BOX_WORK: u64 = 4;
/// Most levers that are looked at when a question names none.
pub const MAX_LOOKED_AT: usize = 256;
