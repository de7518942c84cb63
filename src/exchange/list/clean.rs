//! What forums, mail and word processors do to a text, taken back: quotation marks before lines, their own marks, hard and invisible spaces, line ends.
//! Takes a text, gives its lines with their numbers.

use crate::allowance::count_work;

/// Marks in square brackets that forums know.
const FORUM_TAGS: [&str; 24] = [
    "b", "i", "u", "s", "code", "quote", "list", "*", "li", "ul", "ol", "size", "color", "colour", "font", "url",
    "img", "center", "left", "right", "indent", "spoiler", "tt", "pre",
];
/// The lines of a text, cleaned, each with its number from 1; lines of nothing but marks are left out, empty ones stay.
pub fn clean_lines(text: &str) -> Vec<(u32, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = Vec::new();
    for (number, raw) in
        (1..).zip(text.replace("\r\n", "\n").split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']))
    {
        let line = clean_line(raw);
        // Nothing but marks: no line at all, where one of nothing but `>` is an empty one.
        if line.is_empty() && !plain_spaces(raw).chars().all(|c| c == '>' || c == ' ') {
            continue;
        }
        lines.push((number, line));
    }
    lines
}

/// One line, cleaned.
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

/// One space for many, none at the ends, no sign that cannot be seen.
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

/// Spaces of every kind as spaces; what cannot be seen is gone.
fn plain_spaces(text: &str) -> String {
    let seen = |c: char| match c {
        '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}' => None,
        c if c.is_whitespace() => Some(' '),
        c if c.is_control() => None,
        c => Some(c),
    };
    text.chars().filter_map(seen).collect()
}

/// The text without a forum's marks: `[b]`, `[/list]`, `[quote=Anna]`.
fn strip_forum_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    // The next closing bracket is looked for once, not for each opening one before it.
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
            // A list's mark stands for its hyphen.
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
