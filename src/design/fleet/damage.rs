//! Ticked boxes as a fleet's file writes them: a number of boxes, or `"1-12, 14"`. Takes a value, gives runs of boxes or what is wrong.

use crate::source::toml::Data;

/// The most boxes that a stem of marks can have.
pub(super) const MOST_BOXES: u32 = 100_000;
/// The most runs of one stem.
const MOST_RUNS: usize = 20_000;

/// Why ticked boxes cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Neither a number nor a text.
    Type,
    /// This part is no box and no run of boxes.
    Part(String),
    /// A run that ends before it begins.
    Turned(u32, u32),
    /// A number beyond all sheets.
    TooLarge(String),
    /// Below 0, or box 0.
    TooSmall(String),
}

/// The runs that a value names.
pub(super) fn runs(data: &Data<'_>) -> Result<Vec<(u32, u32)>, Wrong> {
    match data {
        Data::Int(0) => Ok(Vec::new()),
        Data::Int(count) if *count < 0 => Err(Wrong::TooSmall(count.to_string())),
        Data::Int(count) => match u32::try_from(*count).ok().filter(|count| *count <= MOST_BOXES) {
            Some(count) => Ok(vec![(1, count)]),
            None => Err(Wrong::TooLarge(count.to_string())),
        },
        Data::Float(text) if text.bytes().all(|b| b.is_ascii_digit()) => Err(Wrong::TooLarge(short(text))),
        Data::Text(text) => {
            let mut runs = Vec::new();
            let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
            for part in parts {
                let (first, last) = match part.split_once(['-', '–']) {
                    Some((first, last)) => (number(part, first)?, number(part, last)?),
                    None => {
                        let only = number(part, part)?;
                        (only, only)
                    }
                };
                if first > last {
                    return Err(Wrong::Turned(first, last));
                }
                if runs.len() == MOST_RUNS {
                    return Err(Wrong::TooLarge(format!("more than {MOST_RUNS} parts")));
                }
                runs.push((first, last));
            }
            Ok(runs)
        }
        _ => Err(Wrong::Type),
    }
}

fn number(part: &str, text: &str) -> Result<u32, Wrong> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Wrong::Part(short(part)));
    }
    match text.parse::<u32>().ok().filter(|number| *number <= MOST_BOXES) {
        Some(0) => Err(Wrong::TooSmall("0".to_owned())),
        Some(number) => Ok(number),
        None => Err(Wrong::TooLarge(short(text))),
    }
}

fn short(text: &str) -> String {
    text.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_a_number_or_runs() {
        let text = |text: &str| runs(&Data::Text(text.to_owned().into()));
        assert_eq!(runs(&Data::Int(3)), Ok(vec![(1, 3)]));
        assert_eq!(runs(&Data::Int(0)), Ok(vec![]));
        assert_eq!(text("1-12, 14"), Ok(vec![(1, 12), (14, 14)]));
        assert_eq!(text(" 7;; 2 – 3 ,"), Ok(vec![(7, 7), (2, 3)]));
        assert_eq!(text(""), Ok(vec![]));
        assert_eq!(text("5-2"), Err(Wrong::Turned(5, 2)));
        assert_eq!(text("0"), Err(Wrong::TooSmall("0".into())));
        assert_eq!(text("1-x"), Err(Wrong::Part("1-x".into())));
        assert_eq!(text("-3"), Err(Wrong::Part("-3".into())));
        assert_eq!(text("4000000000"), Err(Wrong::TooLarge("4000000000".into())));
        assert_eq!(runs(&Data::Int(-1)), Err(Wrong::TooSmall("-1".into())));
        assert_eq!(runs(&Data::Int(i64::MAX)), Err(Wrong::TooLarge(i64::MAX.to_string())));
        assert_eq!(runs(&Data::Flag(true)), Err(Wrong::Type));
        let many: Vec<String> = (0..60_000).map(|n| n.to_string()).collect();
        assert!(text(&many[1..].join(",")).is_err());
    }
}
