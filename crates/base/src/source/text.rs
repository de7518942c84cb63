//! Converts byte spans of a file's text to lines and columns, and cuts out the line to show under a message.

use std::sync::{Arc, OnceLock};

use crate::allowance::count_work;
use crate::finding::{Place, SourceSnippet};

use super::span::Span;

#[derive(Clone, Debug, Default)]
pub struct Source {
    /// As the player named it, or a built-in name such as `rulesets/wars-of-honor.toml`.
    pub file: Arc<str>,
    /// Without a byte-order mark.
    pub text: Arc<str>,
    index: Arc<OnceLock<LineIndex>>,
}

/// Makes places cheap to find, however long a line is.
#[derive(Debug)]
struct LineIndex {
    lines: Vec<u32>,
    /// Characters before each chunk of [`CHUNK_BYTES`] bytes.
    characters: Vec<u32>,
}

/// Bytes between two counts of characters.
const CHUNK_BYTES: usize = 512;
/// The most characters of a line shown, and how many of them may precede the error.
const MAX_SHOWN_CHARS: usize = 160;
const MAX_CHARS_BEFORE: usize = 80;

impl LineIndex {
    fn new(text: &str) -> Self {
        let ends = text.bytes().zip(1..).filter(|&(byte, _)| byte == b'\n').map(|(_, next)| next);
        let lines = std::iter::once(0).chain(ends).collect();
        let mut characters = Vec::with_capacity(text.len() / CHUNK_BYTES + 1);
        let mut before = 0;
        for chunk in text.as_bytes().chunks(CHUNK_BYTES) {
            characters.push(before);
            before += count_chars(chunk);
        }
        characters.push(before);
        Self { lines, characters }
    }
}

fn count_chars(bytes: &[u8]) -> u32 {
    count_work(bytes.len());
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count() as u32
}

impl Source {
    pub fn new(file: impl Into<Arc<str>>, text: &str) -> Self {
        let text = Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text));
        Self { file: file.into(), text, index: Arc::default() }
    }

    /// Both from 1; the column in characters.
    pub fn line_column(&self, byte: u32) -> (u32, u32) {
        let byte = floor_char(&self.text, byte as usize);
        let line = self.line(byte);
        let start = self.index().lines[line - 1] as usize;
        (u32::try_from(line).unwrap_or(u32::MAX), self.characters(byte) - self.characters(start) + 1)
    }

    fn index(&self) -> &LineIndex {
        self.index.get_or_init(|| LineIndex::new(&self.text))
    }

    fn line(&self, byte: usize) -> usize {
        self.index().lines.partition_point(|&start| start as usize <= byte)
    }

    fn characters(&self, byte: usize) -> u32 {
        let chunk = byte / CHUNK_BYTES;
        self.index().characters[chunk] + count_chars(&self.text.as_bytes()[chunk * CHUNK_BYTES..byte])
    }

    /// The text at a place; empty if it has none.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Without the source line.
    pub fn place(&self, span: Span) -> Place {
        let (line, column) = self.line_column(span.start);
        Place { file: Some(self.file.clone()), line, column, ..Place::default() }
    }

    /// With the source line and caret.
    pub fn place_with_snippet(&self, span: Span) -> Place {
        let start = floor_char(&self.text, span.start as usize);
        let line = self.line(start);
        let lines = &self.index().lines;
        let first = lines[line - 1] as usize;
        let last = lines.get(line).map_or(self.text.len(), |&next| next as usize - 1);
        // A long line is cut around the error, so that a hostile file cannot fill the screen.
        let from = self.text[first..start]
            .char_indices()
            .rev()
            .take(MAX_CHARS_BEFORE)
            .last()
            .map_or(start, |(at, _)| first + at);
        let window = &self.text[from..last];
        let to = window.char_indices().nth(MAX_SHOWN_CHARS).map_or(window.len(), |(at, _)| at);
        let window = if to == window.len() { window.trim_end_matches('\r') } else { &window[..to] };
        let text: String = window.chars().take(MAX_SHOWN_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let column = self.text[from..start].chars().count();
        let end = floor_char(&self.text, (span.end as usize).clamp(start, last));
        let length = self.text[start..end].chars().take(MAX_SHOWN_CHARS - column).count().max(1);
        Place { snippet: Some(Arc::new(SourceSnippet { text, start: column, length })), ..self.place(span) }
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
        let place = source.place_with_snippet(Span { file: 0, start: 9, end: 11 });
        let snippet = place.snippet.unwrap();
        assert_eq!((snippet.text.as_str(), snippet.start, snippet.length), ("βγ = x", 1, 1));
        for start in 0..40 {
            for end in 0..40 {
                let _ = source.place_with_snippet(Span { file: 0, start, end });
            }
        }
    }

    #[test]
    fn a_place_in_a_long_line_is_as_cheap_as_any() {
        let text = format!("β = [{}]\r\nx = 1", "1,β,".repeat(250_000));
        let source = Source::new("x.toml", &text);
        let before = crate::allowance::work_counted();
        for n in 0..500 {
            let byte = 6 + 2_000 * n;
            let place = source.place_with_snippet(Span { file: 0, start: byte, end: byte + 1_000 });
            let snippet = place.snippet.unwrap();
            assert_eq!(place.column as usize, text[..floor_char(&text, byte as usize)].chars().count() + 1);
            assert_eq!(snippet.text.chars().count(), MAX_SHOWN_CHARS);
            assert!(
                snippet.start <= MAX_CHARS_BEFORE && snippet.start + snippet.length <= MAX_SHOWN_CHARS,
                "{snippet:?}"
            );
        }
        // One pass over the text, and a chunk or two for each place; other tests count at the same time.
        assert!(crate::allowance::work_counted() - before < 20_000_000);
    }
}
