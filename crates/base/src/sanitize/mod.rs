//! Makes text safe for its destination: a terminal, a spreadsheet, XML, JSON, a file name. Takes any text, gives it
//! with harmful characters escaped; one function for each destination.

mod fold;
mod slug;
mod spreadsheet;
mod words;

use std::borrow::Cow;

pub use fold::fold_for_search;
pub use slug::{MAX_FILE_STEM, design_file_name, file_name_key, file_stem, is_device, slug};
pub use spreadsheet::{CsvStyle, csv_table};
pub use words::{amount_with_unit, capitalize, id_as_words, list_names, plural, shorten, shorten_line, singular};

/// Whether a character is not printable: controls, line separators, direction marks, and the byte order mark.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// For one line of a terminal: line ends and tabs become spaces; control and direction characters are escaped as
/// `\u{1b}`.
pub fn for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_unsafe(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// For complete output of a command: only the program's own colour sequences remain; line ends and tabs are kept.
pub fn for_output(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| matches!(c, '\n' | '\t') || !is_unsafe(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let kept = match c {
            '\u{1b}' => colour_sequence_len(rest),
            '\r' if after.starts_with('\n') => 1,
            c if harmless(c) => c.len_utf8(),
            _ => 0,
        };
        if kept == 0 {
            out.extend(c.escape_unicode());
            rest = after;
        } else {
            out.push_str(&rest[..kept]);
            rest = &rest[kept..];
        }
    }
    Cow::Owned(out)
}

/// Length of the colour sequence at the start of a text; 0 if there is none.
fn colour_sequence_len(text: &str) -> usize {
    let inner = text.strip_prefix("\u{1b}[").map_or("", |rest| rest);
    let figures = inner.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if figures <= 16 && inner[figures..].starts_with('m') { 2 + figures + 1 } else { 0 }
}

/// For a spreadsheet cell: an apostrophe precedes what would be a formula.
pub fn for_spreadsheet(text: &str) -> String {
    let begins = text.trim_start_matches([' ', '\u{a0}']).chars().next();
    match begins {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠') => format!("'{text}"),
        _ => text.to_owned(),
    }
}

/// For an element or attribute; characters that XML forbids become spaces.
pub fn for_xml(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// For serialised JSON: characters that would control a terminal are escaped as `\u009b`. They occur only in strings,
/// so the meaning is unchanged.
pub fn for_json(written: String) -> String {
    if !written.chars().any(|c| c != '\n' && is_unsafe(c)) {
        return written;
    }
    let mut out = String::with_capacity(written.len() + 64);
    for c in written.chars() {
        if c != '\n' && is_unsafe(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIL: &str = "\u{feff}a\u{1b}[2J\u{7}\u{9b}2J\u{61c}\u{200f}\u{202e}\u{2028}\u{2069}é";

    #[test]
    fn nothing_drives_a_terminal() {
        let out = for_terminal(EVIL);
        assert!(
            !out.chars().any(is_unsafe)
                && out.starts_with("\\u{feff}a\\u{1b}[2J\\u{7}\\u{9b}2J\\u{61c}")
                && out.ends_with('é')
        );
    }

    #[test]
    fn colours_are_all_that_passes() {
        let said = "\u{1b}[1;31merror\u{1b}[0m: x\ty\r\n";
        assert_eq!(for_output(said), said);
        assert_eq!(
            for_output("\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}m\r\u{1b}"),
            "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{9b}m\\u{d}\\u{1b}"
        );
        assert!(matches!(for_output("plain é\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_says_the_same_and_drives_nothing() {
        let value = serde_json::json!({ "name": EVIL, "\u{9b}": ["\n", "\u{2029}"] });
        let out = for_json(serde_json::to_string_pretty(&value).unwrap());
        assert!(!out.chars().any(|c| c != '\n' && is_unsafe(c)), "{out}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), value);
    }

    #[test]
    fn cells_are_no_formulas_and_xml_is_whole() {
        for evil in ["=1+1", "+1", "-1", "@x", "\tx", " =1", "＝1"] {
            assert_eq!(for_spreadsheet(evil), format!("'{evil}"));
        }
        assert_eq!(for_spreadsheet("CA-301"), "CA-301");
        assert_eq!(for_xml("<a b=\"&\">\u{1}\u{ffff}"), "&lt;a b=&quot;&amp;&quot;&gt;  ");
    }
}
