//! Text to words and signs: takes a formula's text, gives tokens with their places. Signs of other languages are answered with this
//! one's.

use std::borrow::Cow;

use crate::source::Span;

use super::Mistake;
use super::limits::{FORMULA_SOURCE, NUMBER};

/// A word, sign, number or text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub kind: Kind<'t>,
    /// First byte in the formula.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    Int(i64),
    Text(Cow<'t, str>),
    Word(&'t str),
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 18] =
    ["//", "==", "!=", "<=", ">=", "+", "-", "*", "%", "<", ">", "=", "(", ")", "[", "]", ",", "."];

const COMPARE: &str = "to compare, write ==";
const AND: &str = "write `and`";
const OR: &str = "write `or`";
const CHOOSE: &str = "to choose, write `a if condition else b`";
const QUOTES: &str = "text stands in straight quotes: 'text'";
const MINUS: &str = "write a plain `-`";
const NO_SET: &str = "a formula sets nothing; to compare, write ==";
const NO_POWER: &str = "there are no powers; write x * x";
const DIVIDE: &str = "`//` rounds down, ceil_div(a, b) rounds up, round_div(a, b) rounds to the nearest, halves up";

/// Signs that look like one of the above and are not: tried first.
const WRONG_LONG: [(&str, &str); 10] = [
    ("**", NO_POWER),
    ("&&", AND),
    ("||", OR),
    ("<>", "write !="),
    (":=", NO_SET),
    ("===", COMPARE),
    ("!==", "write !="),
    ("=>", "write >="),
    ("=<", "write <="),
    ("+=", NO_SET),
];

/// Signs that have no meaning here.
const WRONG: [(&str, &str); 24] = [
    ("!", "write `not`"),
    ("&", AND),
    ("|", OR),
    ("^", NO_POWER),
    ("~", "write `not`"),
    ("?", CHOOSE),
    (":", CHOOSE),
    (";", "a formula is one expression"),
    ("{", "a list is written [1, 2, 3]"),
    ("}", "a list is written [1, 2, 3]"),
    ("#", "comments stand outside the quotes"),
    ("\\", "text stands in quotes: 'text'"),
    ("≥", "write >="),
    ("≤", "write <="),
    ("≠", "write !="),
    ("×", "write *"),
    ("·", "write *"),
    ("−", MINUS),
    ("–", MINUS),
    ("‘", QUOTES),
    ("’", QUOTES),
    ("“", QUOTES),
    ("”", QUOTES),
    ("`", QUOTES),
];

/// Splits a formula into tokens; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str, at: Span) -> Result<Vec<Token<'_>>, Mistake> {
    if text.len() > FORMULA_SOURCE {
        let message = format!("a formula of {} bytes: at most {FORMULA_SOURCE}", text.len());
        return Err(Mistake::new("too-long", message, at).help("give parts of it names, as values of their own"));
    }
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let (kind, end) = token(text, start, first, at)?;
        tokens.push(Token { kind, start, end });
        start = end;
    }
    tokens.push(Token { kind: Kind::End, start: text.len(), end: text.len() });
    Ok(tokens)
}

fn token(text: &str, start: usize, first: char, at: Span) -> Result<(Kind<'_>, usize), Mistake> {
    let rest = &text[start..];
    if first.is_ascii_digit() {
        return number(text, start, at);
    }
    if first == '\'' || first == '"' {
        return quoted(text, start, first, at);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let end = start + word_length(rest);
        return Ok((Kind::Word(&text[start..end]), end));
    }
    let wrong = |sign: &str, help: &str| {
        let span = at.within(start..start + sign.len());
        Err(Mistake::new("wrong-sign", format!("`{sign}` is no sign of this language"), span).help(help))
    };
    if let Some((sign, help)) = WRONG_LONG.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return wrong(sign, help);
    }
    if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        if sign == "." && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return Err(fraction(&rest[..1 + word_length(&rest[1..])], start, at));
        }
        return Ok((Kind::Sign(sign), start + sign.len()));
    }
    if first == '/' || first == '÷' {
        let span = at.within(start..start + first.len_utf8());
        let message = format!("`{first}` would give fractions, and numbers here are whole");
        return Err(Mistake::new("fraction", message, span).help(DIVIDE));
    }
    if let Some((sign, help)) = WRONG.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return wrong(sign, help);
    }
    if first.is_alphabetic() {
        return wrong(first.encode_utf8(&mut [0; 4]), "names are written in a-z, 0-9 and _; text stands in quotes");
    }
    let sign = first.encode_utf8(&mut [0; 4]).to_owned();
    let sign = if first.is_control() { first.escape_default().to_string() } else { sign };
    let span = at.within(start..start + first.len_utf8());
    Err(Mistake::new("wrong-sign", format!("`{sign}` is no sign of this language"), span).help(QUOTES))
}

fn word_length(text: &str) -> usize {
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

fn fraction(written: &str, start: usize, at: Span) -> Mistake {
    let span = at.within(start..start + written.len());
    Mistake::new("fraction", format!("`{written}` is a fraction, and numbers here are whole"), span)
        .help("a share is a multiplication and a division: 30 % of x is x * 30 // 100")
}

fn number(text: &str, start: usize, at: Span) -> Result<(Kind<'_>, usize), Mistake> {
    let rest = &text[start..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let whole = word_length(rest);
    let after = &rest[whole..];
    if whole == digits && after.starts_with('.') {
        return Err(fraction(&rest[..whole + 1 + word_length(&after[1..])], start, at));
    }
    let span = at.within(start..start + whole);
    if whole > digits {
        let written = &rest[..whole];
        let plain: String = written.chars().filter(|c| *c != '_').collect();
        let help = if plain.bytes().all(|b| b.is_ascii_digit()) {
            format!("write {plain}")
        } else {
            "a number is digits only; names begin with a letter; text stands in quotes: '3D6'".to_owned()
        };
        let message = format!("`{written}` is neither a number nor a name");
        return Err(Mistake::new("not-a-formula", message, span).help(help));
    }
    match rest[..digits].parse::<i64>() {
        Ok(number) if number <= NUMBER => Ok((Kind::Int(number), start + digits)),
        _ => Err(Mistake::new("overflow", "this number is beyond 1,000,000,000,000,000", span)
            .help("numbers stay within ±10^15")),
    }
}

fn quoted(text: &str, start: usize, quote: char, at: Span) -> Result<(Kind<'_>, usize), Mistake> {
    let inner = start + 1;
    let mut plain = true;
    let mut chars = text[inner..].char_indices();
    while let Some((offset, c)) = chars.next() {
        if c == quote {
            let written = &text[inner..inner + offset];
            let value = if plain { Cow::Borrowed(written) } else { Cow::Owned(unescape(written)) };
            return Ok((Kind::Text(value), inner + offset + 1));
        }
        if c == '\\' {
            plain = false;
            match chars.next() {
                Some((_, '\\' | '\'' | '"')) | None => {}
                Some((next, other)) => {
                    let span = at.within(inner + offset..inner + next + other.len_utf8());
                    let message = "`\\` stands only before a quote or another `\\`";
                    return Err(Mistake::new("wrong-sign", message, span).help("write `\\\\` for one `\\`"));
                }
            }
        }
    }
    let span = at.within(start..text.len());
    Err(Mistake::new("unclosed-text", "this text has no closing quote", span).help(format!("end it with {quote}")))
}

fn unescape(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut chars = written.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    out
}
