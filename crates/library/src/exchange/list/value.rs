//! Converts values between TOML and their form in a list, where plain words need no quotes. Undoes a word processor's
//! quotation marks.

use moldloft_base::source::toml::{TomlValue, parse};
pub use moldloft_rules::design::basic_string as quoted;
use moldloft_rules::design::data_with_texts;

pub fn list_value(data: &TomlValue<'_>) -> String {
    match data {
        TomlValue::Text(text) if is_word(text) => text.to_string(),
        data => data_with_texts(data, &quoted),
    }
}

/// A list's value as TOML; an unquoted word becomes a string.
pub fn parse_value(words: &str) -> String {
    let words = words.trim();
    if is_value(words) {
        return words.to_owned();
    }
    let straight: String = words.chars().map(|c| if matches!(c, '“' | '”' | '„' | '‟') { '"' } else { c }).collect();
    if is_value(&straight) { straight } else { quoted(words) }
}

fn is_value(words: &str) -> bool {
    if words.is_empty() || words.contains(['\n', '#']) && !words.contains('"') {
        return false;
    }
    let line = format!("v = {words}\n");
    let (table, faults) = parse(&line, 0);
    // Exactly one value, with nothing after it.
    faults.is_empty() && table.entries.len() == 1 && !ends_in_comment(words)
}

fn ends_in_comment(words: &str) -> bool {
    let mut inside = QuoteState::default();
    words.chars().any(|c| !inside.advance(c) && c == '#')
}

#[derive(Default)]
struct QuoteState {
    quote: Option<char>,
    escaped: bool,
}

impl QuoteState {
    fn advance(&mut self, c: char) -> bool {
        match self.quote {
            Some(quote) => {
                if self.escaped {
                    self.escaped = false;
                } else if c == '\\' && quote == '"' {
                    self.escaped = true;
                } else if c == quote {
                    self.quote = None;
                }
                true
            }
            None => {
                self.quote = match c {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    _ => None,
                };
                self.quote.is_some()
            }
        }
    }
}

/// Splits at semicolons outside quotes and brackets.
pub fn split_parts(words: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut inside = QuoteState::default();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in words.char_indices() {
        if inside.advance(c) {
            continue;
        }
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                parts.push(words[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(words[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// `key = value`, with the value as TOML.
pub fn parse_pair(part: &str) -> Option<(String, String)> {
    let (key, value) = part.split_once('=')?;
    let key = key.trim().trim_matches(['"', '“', '”']);
    let value = value.trim();
    (!key.is_empty() && !value.is_empty()).then(|| (key.to_owned(), parse_value(value)))
}

/// A word that cannot be read as anything else.
pub fn is_word(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    plain && text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic()) && !is_value(text)
}
