//! Undoes what forums, mail and word processors do to a text: quote marks before lines, forum tags, bold of Markdown,
//! special and invisible spaces, line ends. Takes a text, gives numbered lines.

use std::borrow::Cow;

use moldloft_base::allowance::count_work;

/// Tags around what is struck out; `[s]` and `[/s]` stand also around several lines.
const STRIKE_TAGS: [(&str, &str); 5] =
    [("[s]", "[/s]"), ("[strike]", "[/strike]"), ("<s>", "</s>"), ("<del>", "</del>"), ("<strike>", "</strike>")];

const FORUM_TAGS: [&str; 23] = [
    "b", "i", "u", "code", "quote", "list", "*", "li", "ul", "ol", "size", "color", "colour", "font", "url", "img",
    "center", "left", "right", "indent", "spoiler", "tt", "pre",
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanLine {
    /// From 1.
    pub number: u32,
    pub words: String,
    /// What is struck out of the line, and not in `words`.
    pub struck: String,
    /// Blanks before the words.
    pub indent: usize,
    /// The cells of a row of a table, at least two; else none.
    pub cells: Vec<String>,
}

/// Cleaned lines; lines with nothing but tags are left out, empty ones and rules of dashes are kept as empty.
pub fn clean_lines(text: &str) -> Vec<CleanLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = Vec::new();
    let mut open = None;
    for (number, raw) in
        (1..).zip(text.replace("\r\n", "\n").split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']))
    {
        let (raw, struck) = take_struck(raw, &mut open);
        let raw = &*raw;
        let (words, struck) = (clean_line(raw), clean_line(&struck));
        // A line with nothing but tags is dropped, but one with only `>` is an empty line.
        if words.is_empty() && struck.is_empty() && !plain_spaces(raw).chars().all(|c| c == '>' || c == ' ') {
            continue;
        }
        let words = if is_rule(&words) { String::new() } else { words };
        let own = raw.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
        let indent = raw[..raw.len() - own.len()].chars().rev().take_while(|c| *c != '>').count();
        lines.push(CleanLine { number, words, struck, indent, cells: row_cells(own) });
    }
    lines
}

/// A line without what is struck out by Markdown, a forum's or a page's tags or letters with a stroke, and that. `open`:
/// the tag that a line before opened.
fn take_struck<'a>(raw: &'a str, open: &mut Option<&'static str>) -> (Cow<'a, str>, String) {
    if open.is_none() && !raw.contains(['~', '[', '<', '\u{336}']) {
        return (Cow::Borrowed(raw), String::new());
    }
    let (mut kept, mut struck) = (String::with_capacity(raw.len()), String::new());
    let mut rest = raw;
    while !rest.is_empty() {
        let Some(tag) = *open else {
            let tags = STRIKE_TAGS.iter().filter_map(|(tag, end)| Some((find_tag(rest, tag)?, tag.len(), *end)));
            let Some((at, length, end)) = tags.min() else { break };
            kept.push_str(&rest[..at]);
            *open = Some(end);
            rest = &rest[at + length..];
            continue;
        };
        let (at, length) = find_tag(rest, tag).map_or((rest.len(), 0), |at| (at, tag.len()));
        struck.push_str(&rest[..at]);
        struck.push(' ');
        if length > 0 {
            *open = None;
        }
        rest = &rest[at + length..];
    }
    kept.push_str(rest);
    if !kept.trim_start().starts_with("~~~") {
        for mark in ["~~", "~"] {
            kept = without_marks(&kept, mark, |inner| {
                struck.push_str(inner);
                struck.push(' ');
                false
            });
        }
    }
    // Word processors put the stroke behind each letter.
    let mut letters = std::mem::take(&mut kept).chars().collect::<Vec<_>>().into_iter().peekable();
    while let Some(letter) = letters.next() {
        if letters.next_if_eq(&'\u{336}').is_some() { struck.push(letter) } else { kept.push(letter) }
    }
    (Cow::Owned(kept), struck)
}

fn find_tag(text: &str, tag: &str) -> Option<usize> {
    (0..text.len()).find(|at| {
        text.as_bytes()[*at..].get(..tag.len()).is_some_and(|word| word.eq_ignore_ascii_case(tag.as_bytes()))
    })
}

/// A line of dashes and the like, between parts of a text.
pub fn is_rule(words: &str) -> bool {
    words.chars().nth(2).is_some()
        && words
            .chars()
            .all(|c| matches!(c, ' ' | ':' | '-' | '=' | '_' | '*' | '~' | '+' | '|' | '–' | '—' | '─' | '═'))
}

/// `2⇥Tern⇥120`, `| 2 | Tern | 120 |`, and `2, Tern, 120`, which begins with a number.
fn row_cells(raw: &str) -> Vec<String> {
    let raw = raw.trim();
    let digits = raw.bytes().take_while(u8::is_ascii_digit).count();
    let cells: Vec<&str> = if let Some(inner) = raw.strip_prefix(['|', '│']) {
        inner.trim_end_matches(['|', '│']).split(['|', '│']).collect()
    } else if raw.contains('\t') {
        raw.split('\t').collect()
    } else if digits > 0 && raw[digits..].starts_with([',', ';']) {
        raw.split(&raw[digits..=digits]).collect()
    } else {
        Vec::new()
    };
    let cells: Vec<String> = cells.into_iter().map(clean_line).collect();
    if cells.len() > 1 { cells } else { Vec::new() }
}

pub fn clean_line(raw: &str) -> String {
    let mut line = plain_spaces(raw);
    let mut rest = line.trim();
    while let Some(after) = rest.strip_prefix('>') {
        rest = after.trim_start();
    }
    line = strip_forum_tags(rest);
    for mark in ["**", "__"] {
        line = without_marks(&line, mark, |_| true);
    }
    let line = line.trim();
    if line.starts_with("```") || line.starts_with("~~~") {
        return String::new();
    }
    // A line of code, or in italics.
    let inner = ['`', '*', '_'].into_iter().find_map(|mark| {
        let inner = line.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.starts_with([' ', mark]) && !inner.contains(mark)).then_some(inner)
    });
    collapse_spaces(inner.unwrap_or(line))
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

/// Removes the marks around words, `**Tern**`, but not those within a word, such as `a__b__`; the words stay where `keep`
/// says so.
fn without_marks(line: &str, mark: &str, mut keep: impl FnMut(&str) -> bool) -> String {
    let is_outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !mark.contains(c));
    let (mut out, mut rest) = (String::new(), line);
    while let Some(open) = rest.find(mark) {
        let inner = &rest[open + mark.len()..];
        let before = rest[..open].chars().next_back().or_else(|| out.chars().next_back());
        let close = inner.find(mark).filter(|close| {
            let words = &inner[..*close];
            !words.is_empty()
                && words.trim() == words
                && is_outside(before)
                && is_outside(inner[close + mark.len()..].chars().next())
        });
        let Some(close) = close else { break };
        out.push_str(&rest[..open]);
        if keep(&inner[..close]) {
            out.push_str(&inner[..close]);
        }
        rest = &inner[close + mark.len()..];
    }
    out + rest
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
