//! A range of bytes in a file's text.

use std::ops::Range;

/// A range of bytes in one [`Source`](super::Source).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which file, if several are combined: 0 is a ruleset, its layers follow.
    pub file: u16,
    pub start: u32,
    /// Exclusive.
    pub end: u32,
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self {
            file: 0,
            start: u32::try_from(range.start).unwrap_or(u32::MAX),
            end: u32::try_from(range.end).unwrap_or(u32::MAX),
        }
    }
}

impl Span {
    /// The span of `inner` (bytes of this span's text) in the file, for formulas within strings.
    #[must_use]
    pub fn subspan(self, inner: Range<usize>) -> Self {
        let at = |offset: usize| {
            self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(self.end.max(self.start))
        };
        Self { file: self.file, start: at(inner.start), end: at(inner.end) }
    }
}
