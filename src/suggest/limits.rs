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
/// Designs that are tried, for each box.
pub const TRIALS_PER_BOX: usize = 20;
