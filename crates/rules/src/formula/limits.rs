//! Limits that keep a hostile ruleset within a few milliseconds and megabytes.

use moldloft_base::source::Span;

use super::error::{EvalResult, overflow};

/// Largest absolute value of a number.
pub(super) const MAX_NUMBER: i64 = 1_000_000_000_000_000;
pub(super) const MAX_FORMULA_BYTES: usize = 4 * 1024;
pub(super) const MAX_TEXT_BYTES: usize = 16 * 1024;
/// Nested brackets, `not`, `-` and `if` while parsing.
pub(super) const MAX_NESTING: usize = 64;
pub(super) const MAX_TREE_HEIGHT: u16 = 100;
pub(super) const MAX_LIST_LEN: usize = 100_000;
pub(super) const MAX_VALUE_DEPTH: usize = 8;
pub(super) const MAX_TEXT_CHARS: usize = 10_000;
pub(super) const MAX_RESULT_BYTES: usize = 64 * 1024;
/// Work of one evaluation on lists and text, in items made or visited and units of 16 bytes of text.
pub(super) const MAX_WORK: u32 = 500_000;
/// Fixed work of an evaluation in the same unit: a plain formula takes about as long as visiting ten items.
pub const FORMULA_WORK: u32 = 10;

#[inline]
pub(super) fn check_number(number: i64, at: Span) -> EvalResult<i64> {
    if (-MAX_NUMBER..=MAX_NUMBER).contains(&number) { Ok(number) } else { Err(overflow(at)) }
}

/// For results that may exceed 64 bits.
#[inline]
pub(super) fn check_wide(number: i128, at: Span) -> EvalResult<i64> {
    match i64::try_from(number) {
        Ok(number) => check_number(number, at),
        Err(_) => Err(overflow(at)),
    }
}
