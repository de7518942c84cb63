//! Text taken out of an XML file, with the way back: every part of it can name its line and column. Takes raw text with
//! entities and CDATA, gives what it says.

use std::ops::Range;

use crate::source::Span;

/// Text out of a file, and where each part of it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    /// What it says.
    pub text: String,
    /// Where each run begins: byte in `text`, byte in the file. Within a run bytes correspond one to one.
    runs: Vec<(u32, u32)>,
    /// One past its last byte in the file.
    end: u32,
}

impl Mapped {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Where all of it stands in the file.
    pub fn span(&self) -> Span {
        Span { file: 0, start: self.runs.first().map_or(self.end, |run| run.1), end: self.end }
    }

    /// Where bytes of `text` stand in the file.
    pub fn at(&self, part: Range<usize>) -> Span {
        let start = self.file_byte(part.start);
        let last = self.file_byte(part.end.saturating_sub(1).max(part.start));
        Span { file: 0, start, end: (last + 1).max(start).min(self.end.max(start)) }
    }

    fn file_byte(&self, byte: usize) -> u32 {
        let byte = u32::try_from(byte).unwrap_or(u32::MAX);
        let after = self.runs.partition_point(|run| run.0 <= byte);
        match after.checked_sub(1).and_then(|n| self.runs.get(n)) {
            Some(run) => run.1.saturating_add(byte - run.0).min(self.end),
            None => self.end,
        }
    }
}
