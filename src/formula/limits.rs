//! How large anything may grow: what keeps a hostile ruleset within a few milliseconds and megabytes.

use crate::source::Span;

use super::error::{EvalResult, overflow};

/// Numbers stay within ± this.
pub(super) const MAX_NUMBER: i64 = 1_000_000_000_000_000;
/// Bytes of a formula as written.
pub(super) const MAX_FORMULA_BYTES: usize = 4 * 1024;
/// Bytes of a text as written.
pub(super) const MAX_TEXT_BYTES: usize = 16 * 1024;
/// Brackets, `not`, `-` and `if` within each other while parsing.
pub(super) const MAX_NESTING: usize = 64;
/// Levels of a formula's tree.
pub(super) const MAX_TREE_HEIGHT: u16 = 100;
/// Items of a list.
pub(super) const MAX_LIST_LEN: usize = 100_000;
/// Lists and records within each other.
pub(super) const MAX_VALUE_DEPTH: usize = 8;
/// Characters of a text that a formula makes.
pub(super) const MAX_TEXT_CHARS: usize = 10_000;
/// Bytes of a text with its values put in.
pub(super) const MAX_RESULT_BYTES: usize = 64 * 1024;
/// Work on lists and text that one evaluation may do: items made or looked at, and 16 bytes of text.
pub(super) const MAX_WORK: u32 = 500_000;
/// What any evaluation costs a host before its parts, in the same unit: a plain formula takes about as long as ten items looked at.
pub const FORMULA_WORK: u32 = 10;

/// A number, if it is one of the language's.
#[inline]
pub(super) fn number(number: i64, at: Span) -> EvalResult<i64> {
    if (-MAX_NUMBER..=MAX_NUMBER).contains(&number) { Ok(number) } else { Err(overflow(at)) }
}

/// A number that may have left 64 bits on its way.
#[inline]
pub(super) fn check_wide(number: i128, at: Span) -> EvalResult<i64> {
    match i64::try_from(number) {
        Ok(number) => self::number(number, at),
        Err(_) => Err(overflow(at)),
    }
}
