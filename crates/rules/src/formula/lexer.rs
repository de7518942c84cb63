//! Splits a formula's text into tokens with their places. Operators of other languages give an error that names the
//! equivalent.

use std::borrow::Cow;

use moldloft_base::source::Span;

use super::FormulaError;
use super::limits::{MAX_FORMULA_BYTES, MAX_NUMBER};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormulaToken<'t> {
    pub kind: FormulaTokenKind<'t>,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormulaTokenKind<'t> {
    Int(i64),
    Text(Cow<'t, str>),
    Ident(&'t str),
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 18] =
    ["//", "==", "!=", "<=", ">=", "+", "-", "*", "%", "<", ">", "=", "(", ")", "[", "]", ",", "."];

const COMPARE_HELP: &str = "use `==` to compare";
const AND_HELP: &str = "use `and`";
const OR_HELP: &str = "use `or`";
const CHOICE_HELP: &str = "use `a if condition else b` to choose";
const QUOTES_HELP: &str = "use straight quotes: 'text'";
const MINUS_HELP: &str = "use a plain `-`";
const ASSIGNMENT_HELP: &str = "formulas cannot assign; use `==` to compare";
const POWER_HELP: &str = "there are no powers; use x * x";
const DIVISION_HELP: &str =
    "use `//` to round down, ceil_div(a, b) to round up, round_div(a, b) to round to the nearest, halves up";

/// Operators of other languages that begin like one of the above; tried first.
const FOREIGN_SIGNS: [(&str, &str); 10] = [
    ("**", POWER_HELP),
    ("&&", AND_HELP),
    ("||", OR_HELP),
    ("<>", "use `!=`"),
    (":=", ASSIGNMENT_HELP),
    ("===", COMPARE_HELP),
    ("!==", "use `!=`"),
    ("=>", "use `>=`"),
    ("=<", "use `<=`"),
    ("+=", ASSIGNMENT_HELP),
];

const UNKNOWN_SIGNS: [(&str, &str); 24] = [
    ("!", "use `not`"),
    ("&", AND_HELP),
    ("|", OR_HELP),
    ("^", POWER_HELP),
    ("~", "use `not`"),
    ("?", CHOICE_HELP),
    (":", CHOICE_HELP),
    (";", "use a single expression"),
    ("{", "use [1, 2, 3] for a list"),
    ("}", "use [1, 2, 3] for a list"),
    ("#", "move comments outside the quotes"),
    ("\\", "put text in quotes: 'text'"),
    ("≥", "use `>=`"),
    ("≤", "use `<=`"),
    ("≠", "use `!=`"),
    ("×", "use `*`"),
    ("·", "use `*`"),
    ("−", MINUS_HELP),
    ("–", MINUS_HELP),
    ("‘", QUOTES_HELP),
    ("’", QUOTES_HELP),
    ("“", QUOTES_HELP),
    ("”", QUOTES_HELP),
    ("`", QUOTES_HELP),
];

/// The last token is [`FormulaTokenKind::End`].
pub(super) fn tokenize(text: &str, at: Span) -> Result<Vec<FormulaToken<'_>>, FormulaError> {
    if text.len() > MAX_FORMULA_BYTES {
        let message = format!("formula of {} bytes, at most {MAX_FORMULA_BYTES} are allowed", text.len());
        return Err(FormulaError::new("too-long", message, at).help("move parts of it to values"));
    }
    let mut tokens = Vec::with_capacity(text.len() / 4 + 2);
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let (kind, end) = next_token(text, start, first, at)?;
        tokens.push(FormulaToken { kind, start, end });
        start = end;
    }
    tokens.push(FormulaToken { kind: FormulaTokenKind::End, start: text.len(), end: text.len() });
    Ok(tokens)
}

fn next_token(text: &str, start: usize, first: char, at: Span) -> Result<(FormulaTokenKind<'_>, usize), FormulaError> {
    let rest = &text[start..];
    if first.is_ascii_digit() {
        return lex_number(text, start, at);
    }
    if first == '\'' || first == '"' {
        return lex_string(text, start, first, at);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let end = start + word_length(rest);
        return Ok((FormulaTokenKind::Ident(&text[start..end]), end));
    }
    let wrong = |sign: &str, help: &str| {
        let span = at.subspan(start..start + sign.len());
        Err(FormulaError::new("wrong-sign", format!("unknown sign `{sign}`"), span).help(help))
    };
    // All of these have two or three signs.
    let is_sign = |byte: &u8| byte.is_ascii_punctuation();
    if rest.as_bytes().get(1).is_some_and(is_sign)
        && let Some((sign, help)) = FOREIGN_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))
    {
        return wrong(sign, help);
    }
    if let Some(sign) = SIGNS.iter().copied().find(|sign| rest.starts_with(sign)) {
        if sign == "." && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return Err(fraction_error(&rest[..1 + word_length(&rest[1..])], start, at));
        }
        return Ok((FormulaTokenKind::Sign(sign), start + sign.len()));
    }
    if first == '/' || first == '÷' {
        let span = at.subspan(start..start + first.len_utf8());
        let message = format!("unsupported `{first}`: it gives fractions, and numbers are whole");
        return Err(FormulaError::new("fraction", message, span).help(DIVISION_HELP));
    }
    if let Some((sign, help)) = UNKNOWN_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return wrong(sign, help);
    }
    if first.is_alphabetic() {
        return wrong(first.encode_utf8(&mut [0; 4]), "use a-z, 0-9 and _ for names, and quotes for text");
    }
    let sign = first.encode_utf8(&mut [0; 4]).to_owned();
    let sign = if first.is_control() { first.escape_default().to_string() } else { sign };
    let span = at.subspan(start..start + first.len_utf8());
    Err(FormulaError::new("wrong-sign", format!("unknown sign `{sign}`"), span).help(QUOTES_HELP))
}

fn word_length(text: &str) -> usize {
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

fn fraction_error(written: &str, start: usize, at: Span) -> FormulaError {
    let span = at.subspan(start..start + written.len());
    FormulaError::new("fraction", format!("unsupported fraction `{written}`: numbers are whole"), span)
        .help("use a multiplication and a division: 30 % of x is x * 30 // 100")
}

fn lex_number(text: &str, start: usize, at: Span) -> Result<(FormulaTokenKind<'_>, usize), FormulaError> {
    let rest = &text[start..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let whole = word_length(rest);
    let after = &rest[whole..];
    if whole == digits && after.starts_with('.') {
        return Err(fraction_error(&rest[..whole + 1 + word_length(&after[1..])], start, at));
    }
    let span = at.subspan(start..start + whole);
    if whole > digits {
        let written = &rest[..whole];
        if is_dice(written) {
            return Ok((FormulaTokenKind::Ident(written), start + whole));
        }
        let plain: String = written.chars().filter(|c| *c != '_').collect();
        let help = if plain.bytes().all(|b| b.is_ascii_digit()) {
            format!("use {plain}")
        } else {
            "use only digits for a number, start a name with a letter, put text in quotes: '3D6'".to_owned()
        };
        let message = format!("`{written}` is neither a number nor a name");
        return Err(FormulaError::new("not-a-formula", message, span).help(help));
    }
    match rest[..digits].parse::<i64>() {
        Ok(number) if number <= MAX_NUMBER => Ok((FormulaTokenKind::Int(number), start + digits)),
        _ => Err(FormulaError::new("overflow", "number beyond 1,000,000,000,000,000", span)
            .help("keep numbers within ±10^15")),
    }
}

/// `3d6`
fn is_dice(written: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    written.split_once('d').is_some_and(|(count, sides)| digits(count) && digits(sides))
}

fn lex_string(text: &str, start: usize, quote: char, at: Span) -> Result<(FormulaTokenKind<'_>, usize), FormulaError> {
    let inner = start + 1;
    let mut plain = true;
    let mut chars = text[inner..].char_indices();
    while let Some((offset, c)) = chars.next() {
        if c == quote {
            let written = &text[inner..inner + offset];
            let value = if plain { Cow::Borrowed(written) } else { Cow::Owned(unescape(written)) };
            return Ok((FormulaTokenKind::Text(value), inner + offset + 1));
        }
        if c == '\\' {
            plain = false;
            match chars.next() {
                Some((_, '\\' | '\'' | '"')) | None => {}
                Some((next, other)) => {
                    let span = at.subspan(inner + offset..inner + next + other.len_utf8());
                    let message = "`\\` is allowed only before a quote or another `\\`";
                    return Err(FormulaError::new("wrong-sign", message, span).help("use `\\\\` for one `\\`"));
                }
            }
        }
    }
    let span = at.subspan(start..text.len());
    Err(FormulaError::new("unclosed-text", "missing closing quote", span).help(format!("end it with {quote}")))
}

fn unescape(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut chars = written.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    out
}
