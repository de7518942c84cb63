//! Parses TOML strictly into a tree in file order, with a span for every key and value. Never knows what a key means.

use std::borrow::Cow;
use std::cell::Cell;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use toml_parser::ParseError;
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace};

pub use super::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};
use super::{Span, built_in_toml};
use crate::allowance::count_work;

const MAX_DEPTH: u32 = 80;

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

/// What the parser says of a word without quotes that begins as `true` or `false` does.
const INVALID_BOOLEAN: &str = "invalid boolean";

impl TomlErrorKind {
    /// The parser gives nothing but a text; nothing else reads it.
    fn of_message(message: &str) -> Self {
        const STARTS: [(&str, TomlErrorKind); 6] = [
            (INVALID_BOOLEAN, TomlErrorKind::UnquotedText),
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

/// The most errors collected; the text after them is not read.
const MAX_ERRORS: usize = 1_000;
/// A shorter text cannot hold enough errors to be worth counting them first.
const MIN_BYTES_TO_COUNT: usize = 128 * 1024;

/// Parses a whole text. Gives the readable part as a tree, and the first error of each line, since one mistake causes
/// the next. Text after `MAX_ERRORS` errors is not read.
pub fn parse(text: &str, file: u16) -> (TomlTable<'_>, Vec<TomlError>) {
    match built_in_toml::tree(text, file) {
        Some(root) => (root, Vec::new()),
        None => parse_anew(text, file),
    }
}

/// As [`parse`], also of what is built in.
pub fn parse_anew(text: &str, file: u16) -> (TomlTable<'_>, Vec<TomlError>) {
    let text = if text.len() < MIN_BYTES_TO_COUNT { text } else { &text[..readable_len(text)] };
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut faults: Vec<TomlError> = errors
        .into_iter()
        .map(|error| TomlError {
            span: Span { file, ..error.span().unwrap_or(0..0).into() },
            message: match error.message().starts_with(INVALID_BOOLEAN) {
                true => "expected text in quotes, a number, `true` or `false`".to_owned(),
                false => error.message().to_owned(),
            },
            kind: TomlErrorKind::of_message(error.message()),
        })
        .collect();
    faults.sort_by_key(|fault| fault.span.start);
    // From one error to the next, so that each byte is visited once.
    let mut last: Option<usize> = None;
    faults.retain(|fault| {
        let start = fault.span.start as usize;
        let between = last.replace(start).and_then(|last| text.get(last..start));
        count_work(between.map_or(0, str::len));
        between.is_none_or(|between| between.contains('\n'))
    });
    let span = Span { file, ..root.span().into() };
    (convert_table(root.into_inner(), span, file), faults)
}

/// How many bytes to parse: all, or up to where there are too many errors. Keeps nothing.
fn readable_len(text: &str) -> usize {
    let source = toml_parser::Source::new(text);
    let tokens = source.lex().into_vec();
    let faults = Cell::new(0_usize);
    let end = Cell::new(text.len());
    let fault = |at: Option<toml_parser::Span>| {
        faults.set(faults.get() + 1);
        if faults.get() == MAX_ERRORS {
            end.set(at.map_or(text.len(), |span| span.end()));
        }
    };
    let mut receiver = |event: Event| {
        if end.get() < text.len() {
            return;
        }
        // Errors within a value or key appear when it is decoded.
        let wrong = &mut |error: ParseError| fault(error.unexpected().or(Some(event.span())));
        match (event.kind(), source.get(event)) {
            (EventKind::Scalar, Some(raw)) => {
                let _ = raw.decode_scalar(&mut (), wrong);
            }
            (EventKind::SimpleKey, Some(raw)) => raw.decode_key(&mut (), wrong),
            _ => {}
        }
    };
    let mut receiver = ValidateWhitespace::new(&mut receiver, source);
    let mut receiver = RecursionGuard::new(&mut receiver, MAX_DEPTH);
    toml_parser::parser::parse_document(&tokens, &mut receiver, &mut |error: ParseError| fault(error.unexpected()));
    let mut end = end.get().min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

fn convert_table<'a>(from: DeTable<'a>, span: Span, file: u16) -> TomlTable<'a> {
    let entries = from
        .into_iter()
        .map(|(key, value)| TomlEntry {
            span: Span { file, ..key.span().into() },
            key: key.into_inner(),
            node: convert_node(value, file),
        })
        .collect();
    TomlTable { span, entries }
}

fn convert_node(from: Spanned<DeValue<'_>>, file: u16) -> TomlNode<'_> {
    let span = Span { file, ..from.span().into() };
    let data = match from.into_inner() {
        DeValue::String(text) => TomlValue::Text(text),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => TomlValue::Int(number),
            Err(_) => TomlValue::Float(Cow::Owned(number.as_str().to_owned())),
        },
        DeValue::Float(number) => TomlValue::Float(Cow::Owned(number.as_str().to_owned())),
        DeValue::Boolean(flag) => TomlValue::Flag(flag),
        DeValue::Datetime(date) => TomlValue::Date(date.to_string()),
        DeValue::Array(list) => TomlValue::List(list.into_iter().map(|item| convert_node(item, file)).collect()),
        DeValue::Table(inner) => TomlValue::Table(convert_table(inner, span, file)),
    };
    TomlNode { span, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_file_order_and_spans() {
        let text = "b = 1\na = ['x', 2.5]\n[[t]]\nz = true\n";
        let (root, faults) = parse(text, 3);
        assert!(faults.is_empty());
        let keys: Vec<_> = root.entries.iter().map(|e| e.key.as_ref()).collect();
        assert_eq!(keys, ["b", "a", "t"]);
        let a = root.get("a").unwrap();
        assert_eq!(&text[a.span.start as usize..a.span.end as usize], "['x', 2.5]");
        assert_eq!(a.span.file, 3);
    }

    #[test]
    fn what_is_not_toml_says_where() {
        let (_, faults) = parse("a = \nb = [1,,2]\n", 0);
        assert!(faults.len() >= 2, "{faults:?}");
    }

    #[test]
    fn deep_nesting_ends_in_a_fault() {
        let text = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(!parse(&text, 0).1.is_empty());
        let text = format!("a = {}1{}", "{a=".repeat(50_000), "}".repeat(50_000));
        assert!(!parse(&text, 0).1.is_empty());
        let text = format!("{} = 1", vec!["a"; 50_000].join("."));
        assert!(!parse(&text, 0).1.is_empty());
    }

    #[test]
    fn as_many_faults_as_a_text_has_room_for_are_no_work() {
        let before = crate::allowance::work_counted();
        for line in [",", "\r", "= 1\n", "=\n", "a = \"\\q\"\n", "a = 1\n", "]\n"] {
            let text = format!("x = 1\n{}", line.repeat(900_000 / line.len()));
            let (_, faults) = parse(&text, 0);
            assert!(!faults.is_empty() && faults.len() <= 160_000, "{line:?}: {}", faults.len());
            if !line.starts_with("a = 1") {
                assert!(faults.len() <= MAX_ERRORS + 2, "{line:?}: {}", faults.len());
            }
        }
        let text = format!("a = \"{}\"\n", "\\q".repeat(450_000));
        assert_eq!(parse(&text, 0).1.len(), 1);
        assert!(crate::allowance::work_counted() - before < 30_000_000);
    }

    #[test]
    fn a_long_sound_text_is_read_to_its_end() {
        let text = format!("{}z = \"\\u00e9\"\n", (0..5_000).map(|n| format!("a{n} = \"β\"\n")).collect::<String>());
        let (root, faults) = parse(&text, 0);
        assert!(faults.is_empty() && root.entries.len() == 5_001);
    }
}
