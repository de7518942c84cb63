//! Undoes what forums, mail and word processors do to a text: quote marks before lines, forum tags, special and
//! invisible spaces, line ends. Takes a text, gives numbered lines.

use crate::allowance::count_work;

const FORUM_TAGS: [&str; 24] = [
    "b", "i", "u", "s", "code", "quote", "list", "*", "li", "ul", "ol", "size", "color", "colour", "font", "url",
    "img", "center", "left", "right", "indent", "spoiler", "tt", "pre",
];

/// Cleaned lines with their numbers, from 1; lines with nothing but tags are left out, empty ones are kept.
pub fn clean_lines(text: &str) -> Vec<(u32, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = Vec::new();
    for (number, raw) in
        (1..).zip(text.replace("\r\n", "\n").split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']))
    {
        let line = clean_line(raw);
        // A line with nothing but tags is dropped, but one with only `>` is an empty line.
        if line.is_empty() && !plain_spaces(raw).chars().all(|c| c == '>' || c == ' ') {
            continue;
        }
        lines.push((number, line));
    }
    lines
}

pub fn clean_line(raw: &str) -> String {
    let mut line = plain_spaces(raw);
    let mut rest = line.trim();
    while let Some(after) = rest.strip_prefix('>') {
        rest = after.trim_start();
    }
    line = strip_forum_tags(rest);
    let line = line.trim();
    if line.starts_with("```") || line.starts_with("~~~") {
        return String::new();
    }
    collapse_spaces(line)
}

/// Single spaces, none at the ends, no invisible characters.
pub fn collapse_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in plain_spaces(text).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

pub fn non_empty(words: &str) -> Option<String> {
    let words = words.trim();
    (!words.is_empty()).then(|| words.to_owned())
}

fn plain_spaces(text: &str) -> String {
    let seen = |c: char| match c {
        '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}' => None,
        c if c.is_whitespace() => Some(' '),
        c if c.is_control() => None,
        c => Some(c),
    };
    text.chars().filter_map(seen).collect()
}

/// Removes tags such as `[b]`, `[/list]`, `[quote=Anna]`.
fn strip_forum_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    // Search for the next closing bracket only once, not for each opening one before it.
    let mut close = 0;
    while let Some(start) = text[rest..].find('[').map(|at| rest + at) {
        if close <= start {
            let Some(next) = text[start..].find(']') else { break };
            count_work(next);
            close = start + next;
        }
        let inner = &text[start + 1..close];
        let word = inner.strip_prefix('/').unwrap_or(inner);
        let word = word.find(['=', ' ']).map_or(word, |end| &word[..end]);
        if FORUM_TAGS.iter().any(|mark| mark.eq_ignore_ascii_case(word)) {
            out.push_str(&text[rest..start]);
            rest = close + 1;
            // The tag of a list item replaces its hyphen.
            if inner == "*" {
                out.push_str("- ");
            }
        } else {
            out.push_str(&text[rest..=start]);
            rest = start + 1;
        }
    }
    out.push_str(&text[rest..]);
    out
}
