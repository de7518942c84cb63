//! One file's text: byte span to line and column, and the line to show under a message.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::finding::{Place, Shown};

/// A range of bytes in one [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which file, where several make one thing: a ruleset is file 0, its layers follow.
    pub file: u16,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
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
    /// The span of `inner` (bytes within this span's text), moved to the file: for formulas within strings.
    #[must_use]
    pub fn within(self, inner: Range<usize>) -> Self {
        let at = |offset: usize| {
            self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(self.end.max(self.start))
        };
        Self { file: self.file, start: at(inner.start), end: at(inner.end) }
    }
}

/// A file's name and text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file as the player named it, or `built-in` names such as `rulesets/wars-of-honor.toml`.
    pub file: Arc<str>,
    /// Its text, without a byte-order mark.
    pub text: Arc<str>,
    /// Where its lines start; found when first asked for.
    lines: Arc<OnceLock<Vec<u32>>>,
}

impl Source {
    /// A source of this name and text; a leading byte-order mark is dropped.
    pub fn new(file: impl Into<Arc<str>>, text: &str) -> Self {
        let text = Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text));
        Self { file: file.into(), text, lines: Arc::default() }
    }

    /// Line and column of a byte, both from 1, the column in characters.
    pub fn line_column(&self, byte: u32) -> (u32, u32) {
        let byte = floor_char(&self.text, byte as usize);
        let lines = self.lines();
        let line = lines.partition_point(|&start| start as usize <= byte);
        let column = self.text[lines[line - 1] as usize..byte].chars().count() + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }

    /// Where each line starts, so that a file with many faults is not read again for each.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = self.text.bytes().zip(1..).filter(|&(byte, _)| byte == b'\n').map(|(_, next)| next);
            std::iter::once(0).chain(ends).collect()
        })
    }

    /// The place of a span, without its source line.
    pub fn place(&self, span: Span) -> Place {
        let (line, column) = self.line_column(span.start);
        Place { file: Some(self.file.clone()), line, column, ..Place::default() }
    }

    /// The place of a span with the source line and caret to show.
    pub fn shown(&self, span: Span) -> Place {
        let start = floor_char(&self.text, span.start as usize);
        let line_start = self.text[..start].rfind('\n').map_or(0, |n| n + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |n| start + n);
        let line = self.text[line_start..line_end].trim_end_matches('\r');
        let column = self.text[line_start..start].chars().count();
        let end = floor_char(&self.text, (span.end as usize).clamp(start, line_end));
        let length = self.text[start..end].chars().count().max(1);
        // A long line is cut around the fault, so that a hostile file cannot fill the screen.
        let skip = column.saturating_sub(80);
        let text: String = line.chars().skip(skip).take(160).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let start = column - skip;
        let length = length.min(160_usize.saturating_sub(start).max(1));
        Place { shown: Some(Arc::new(Shown { text, start, length })), ..self.place(span) }
    }
}

fn floor_char(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_survive_any_span() {
        let source = Source::new("x.toml", "\u{feff}a = 1\r\nβγ = x\n");
        assert_eq!(source.line_column(7), (2, 1));
        assert_eq!(source.line_column(9), (2, 2));
        let place = source.shown(Span { file: 0, start: 9, end: 11 });
        let shown = place.shown.unwrap();
        assert_eq!((shown.text.as_str(), shown.start, shown.length), ("βγ = x", 1, 1));
        for start in 0..40 {
            for end in 0..40 {
                let _ = source.shown(Span { file: 0, start, end });
            }
        }
    }
}
