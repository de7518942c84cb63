//! Text extracted from an XML file, with entities and CDATA decoded, that maps each part back to its place in the file.

use std::ops::Range;

use moldloft_base::source::Span;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappedText {
    pub text: String,
    /// Start of each run: byte in `text`, byte in the file. Within a run, bytes correspond one to one.
    runs: Vec<(u32, u32)>,
    /// End in the file, exclusive.
    end: u32,
}

impl MappedText {
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    pub fn span(&self) -> Span {
        Span { file: 0, start: self.runs.first().map_or(self.end, |run| run.1), end: self.end }
    }

    pub fn span_of(&self, part: Range<usize>) -> Span {
        let start = self.file_byte(part.start);
        let last = self.file_byte(part.end.saturating_sub(1).max(part.start));
        Span { file: 0, start, end: last.saturating_add(1).min(self.end).max(start) }
    }

    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
        let later = self.runs.iter().map(|run| run.0 as usize).filter(|byte| *byte > range.start);
        let starts = std::iter::once(range.start).chain(later).take_while(|byte| *byte < range.end);
        let runs = starts.map(|byte| (byte_index(byte - range.start), self.file_byte(byte))).collect();
        Self { text, runs, end: self.span_of(range).end }
    }

    #[must_use]
    pub fn trimmed(&self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        self.part(start..start.max(self.text.trim_end().len()))
    }

    /// Raw XML at byte `file` that decodes to `text`.
    pub(super) fn from_raw(raw: &str, text: &str, file: usize) -> Self {
        let mut mapped = Self::default();
        mapped.push_raw(raw, text, file);
        mapped
    }

    /// Appends raw XML that decodes to `text`; they may differ in entities, CDATA marks and line ends.
    pub(super) fn push_raw(&mut self, raw: &str, text: &str, file: usize) {
        if raw == text && !text.is_empty() {
            self.push_plain(text, file);
            self.end = byte_index(file + text.len());
            return;
        }
        let mut at = 0;
        for c in text.chars() {
            let rest = loop {
                let rest = raw.get(at..).unwrap_or_default();
                if rest.starts_with("<![CDATA[") {
                    at += 9;
                } else if rest.starts_with("]]>") && c != ']' {
                    at += 3;
                } else if rest.starts_with("<!--") {
                    at += rest.find("-->").map_or(rest.len(), |n| n + 3);
                } else {
                    break rest;
                }
            };
            let length = match rest.bytes().next() {
                Some(b'&') if !rest.starts_with(c) || c == '&' => rest.find(';').map_or(1, |n| n + 1),
                Some(b'\r') if rest.starts_with("\r\n") => 2,
                _ => rest.chars().next().map_or(0, char::len_utf8),
            };
            self.push(c, file + at, file + at + length);
            at += length;
        }
    }

    pub(super) fn push(&mut self, c: char, start: usize, end: usize) {
        self.push_plain(c.encode_utf8(&mut [0; 4]), start);
        // What is appended may stand before what is there.
        self.end = self.end.max(byte_index(end));
    }

    /// Appends what begins at a byte of the file and is written there as it is.
    fn push_plain(&mut self, text: &str, start: usize) {
        let (here, start) = (byte_index(self.text.len()), byte_index(start));
        let follows = self.runs.last().is_some_and(|run| run.1.saturating_add(here - run.0) == start);
        if !follows {
            self.runs.push((here, start));
        }
        self.text.push_str(text);
    }

    pub(super) fn append(&mut self, other: &Self) {
        for (byte, c) in other.text.char_indices() {
            let span = other.span_of(byte..byte + c.len_utf8());
            self.push(c, span.start as usize, span.end as usize);
        }
    }

    /// Appends a text and the end of a line.
    pub(super) fn append_line(&mut self, line: &Self) {
        self.append(line);
        self.push('\n', line.end as usize, line.end as usize);
    }

    fn file_byte(&self, byte: usize) -> u32 {
        let byte = byte_index(byte);
        let after = self.runs.partition_point(|run| run.0 <= byte);
        match after.checked_sub(1).and_then(|n| self.runs.get(n)) {
            Some(run) => run.1.saturating_add(byte - run.0).min(self.end),
            None => self.end,
        }
    }
}

fn byte_index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(file: &str, mapped: &MappedText, part: &str) -> String {
        let at = mapped.text.find(part).unwrap();
        let span = mapped.span_of(at..at + part.len());
        file[span.start as usize..span.end as usize].to_owned()
    }

    #[test]
    fn every_part_finds_its_way_back() {
        let raw = "if a &lt; b &amp;&amp; c\r\n<![CDATA[x < &y]]> end";
        let mapped = MappedText::from_raw(raw, "if a < b && c\nx < &y end", 0);
        assert_eq!(shown(raw, &mapped, "b"), "b");
        assert_eq!(shown(raw, &mapped, "c"), "c");
        assert_eq!(shown(raw, &mapped, "&y"), "&y");
        assert_eq!(shown(raw, &mapped, "end"), "end");
        let part = mapped.part(9..12);
        assert_eq!(part.text, "&& ");
        assert_eq!(part.trimmed().text, "&&");
        assert_eq!(part.span_of(1..2).start, mapped.span_of(10..11).start);
    }

    #[test]
    fn what_is_put_together_finds_its_way_back_whatever_comes_first_in_the_file() {
        let raw = "<a>early &lt;</a><b>later</b>";
        let mut mapped = MappedText::from_raw("later", "later", raw.find("later").unwrap());
        mapped.append(&MappedText::from_raw("early &lt;", "early <", 3));
        let last = mapped.part(0..5);
        mapped.append_line(&last);
        assert_eq!(mapped.text, "laterearly <later\n");
        assert_eq!(shown(raw, &mapped, "later"), "later");
        assert_eq!(shown(raw, &mapped, "early"), "early");
        let last = mapped.span_of(12..17);
        assert_eq!(&raw[last.start as usize..last.end as usize], "later");
    }

    #[test]
    fn any_range_is_survived() {
        let mapped = MappedText::from_raw("é&gt;", "é>", 7);
        for start in 0..9 {
            for end in start..9 {
                let _ = mapped.span_of(start..end);
                let _ = mapped.part(start..end);
            }
        }
    }
}
