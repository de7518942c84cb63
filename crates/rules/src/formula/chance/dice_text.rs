//! Dice in a text, as on players' sheets: takes `2D10+4`, gives its dice and numbers. The text is data and is never compiled.

use moldloft_base::source::Span;

use super::super::{FormulaError, FormulaErrorKind};
use super::sums::dice_hold;

/// One part of a sum: `count` dice with `sides` sides, or a number where `sides` is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DiceTerm {
    pub negative: bool,
    pub count: u32,
    pub sides: Option<u32>,
}

/// Longest text in characters, and the most parts of a sum.
const MAX_CHARS: usize = 100;
const MAX_TERMS: usize = 16;

/// Reads sums of dice and numbers: `3D6`, `d10 + 4`, `2D10-1`; one word after them says what is counted, `D5 pulses`.
pub(super) fn parse(text: &str, at: Span) -> Result<Vec<DiceTerm>, FormulaError> {
    let wrong = || {
        let shown: String = text.chars().take(40).collect();
        FormulaError::of_kind(FormulaErrorKind::NotDice, format!("`{shown}` is not a sum of dice and numbers"), at)
            .help("use dice such as 3D6 or 2D10+4")
    };
    if text.len() > MAX_CHARS {
        return Err(wrong());
    }
    let text = match text.trim_end().rsplit_once(' ') {
        Some((dice, word)) if word.len() > 1 && word.chars().all(char::is_alphabetic) => dice,
        _ => text,
    };
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '−' { '-' } else { c }).collect();
    let mut terms = Vec::new();
    let mut rest = plain.as_str();
    while !rest.is_empty() || terms.is_empty() {
        let signed = rest.strip_prefix(['+', '-']);
        if signed.is_none() && !terms.is_empty() {
            return Err(wrong());
        }
        let negative = rest.starts_with('-');
        let body = signed.unwrap_or(rest);
        let end = body.find(['+', '-']).unwrap_or(body.len());
        let (term, after) = body.split_at(end);
        let number = |digits: &str| match digits.bytes().all(|b| b.is_ascii_digit()) {
            true => digits.parse::<u64>().ok(),
            false => None,
        };
        let term = match term.split_once(['d', 'D']) {
            Some((count, sides)) => {
                let count = if count.is_empty() { Some(1) } else { number(count) };
                let (Some(count), Some(sides)) = (count, number(sides)) else { return Err(wrong()) };
                let (count, sides) = dice_hold(count, sides, at)?;
                DiceTerm { negative, count, sides: Some(sides) }
            }
            None => {
                let count = number(term).and_then(|number| u32::try_from(number).ok()).ok_or_else(wrong)?;
                DiceTerm { negative, count, sides: None }
            }
        };
        terms.push(term);
        if terms.len() > MAX_TERMS {
            return Err(wrong());
        }
        rest = after;
    }
    Ok(terms)
}
