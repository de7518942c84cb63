//! What is wrong with a text that is not TOML: the place, a sentence, and a hint where it is a common slip.

use super::Span;

/// Lists and tables within one another.
pub(super) const MAX_DEPTH: u32 = 80;

#[derive(Clone, Debug)]
pub struct TomlError {
    pub span: Span,
    pub message: String,
    /// Which slip it is, as far as there is a hint for it.
    pub kind: TomlErrorKind,
}

/// Common slips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TomlErrorKind {
    /// A key that the table has already.
    DuplicateKey,
    /// Text without quotes.
    UnquotedText,
    /// Something after a value.
    AfterValue,
    /// Text whose closing quote is missing.
    UnclosedText,
    /// Two pairs of an inline table without a comma.
    MissingComma,
    /// A backslash that begins no escape.
    BadEscape,
    /// Any other.
    Other,
}

impl TomlErrorKind {
    /// The parser gives nothing but a text; nothing else reads it.
    pub(super) fn of_message(message: &str) -> Self {
        const STARTS: [(&str, TomlErrorKind); 5] = [
            ("string values must be quoted", TomlErrorKind::UnquotedText),
            ("unexpected key or value", TomlErrorKind::AfterValue),
            ("invalid basic string", TomlErrorKind::UnclosedText),
            ("missing comma between key-value pairs", TomlErrorKind::MissingComma),
            ("missing escaped value", TomlErrorKind::BadEscape),
        ];
        match message {
            "duplicate key" => TomlErrorKind::DuplicateKey,
            _ => {
                let found = STARTS.iter().find(|(start, _)| message.starts_with(start));
                found.map_or(TomlErrorKind::Other, |(_, kind)| *kind)
            }
        }
    }
}

impl TomlError {
    /// A suggestion, if the text shows which mistake it is.
    pub fn hint(&self, text: &str) -> Option<String> {
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let shown = text.get(start..end)?;
        let line = text.get(text.get(..start)?.rfind('\n').map_or(0, |newline| newline + 1)..start)?;
        let short: String = shown.chars().take(60).collect();
        if shown.contains(['„', '“', '”', '‚', '‘', '’', '«', '»']) {
            return Some("use straight quotes: \"text\"".to_owned());
        }
        match self.kind {
            TomlErrorKind::DuplicateKey if line.trim() == "[" => {
                Some(format!("use two brackets for each of several entries: [[{short}]]"))
            }
            TomlErrorKind::DuplicateKey => Some(format!("remove one of the two `{short}` in this table")),
            TomlErrorKind::UnquotedText => match shown.trim().to_ascii_lowercase().as_str() {
                "yes" | "true" | "on" => Some("use true".to_owned()),
                "no" | "false" | "off" => Some("use false".to_owned()),
                _ => Some(format!("put text in quotes: \"{short}\"")),
            },
            TomlErrorKind::AfterValue if line.contains('"') => {
                Some("the text ended at the last `\"`; use single quotes inside it: 'text'".to_owned())
            }
            TomlErrorKind::UnclosedText => {
                Some("add `\"` at the end of the text; use three of them around text on several lines".to_owned())
            }
            TomlErrorKind::MissingComma if line.ends_with("\"\"") => {
                Some("use single quotes inside text in `\"`: 'text'".to_owned())
            }
            TomlErrorKind::BadEscape => Some("use `\\\\` for `\\` in text".to_owned()),
            _ => None,
        }
    }
}
