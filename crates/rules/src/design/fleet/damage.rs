//! Parses ticked boxes as a fleet's file writes them, a count or `"1-12, 14"`, into runs of boxes or an error.

use moldloft_base::source::toml::TomlValue;

pub(super) const MAX_BOXES: u32 = 100_000;
const MAX_RUNS: usize = 20_000;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum TickedBoxesError {
    Type,
    InvalidPart(String),
    Reversed(u32, u32),
    /// A number above [`MAX_BOXES`].
    TooLarge(String),
    /// Below 0, or box 0.
    TooSmall(String),
}

pub(super) fn parse_runs(data: &TomlValue<'_>) -> Result<Vec<(u32, u32)>, TickedBoxesError> {
    match data {
        TomlValue::Int(0) => Ok(Vec::new()),
        TomlValue::Int(count) if *count < 0 => Err(TickedBoxesError::TooSmall(count.to_string())),
        TomlValue::Int(count) => match u32::try_from(*count).ok().filter(|count| *count <= MAX_BOXES) {
            Some(count) => Ok(vec![(1, count)]),
            None => Err(TickedBoxesError::TooLarge(count.to_string())),
        },
        TomlValue::Float(text) if text.bytes().all(|b| b.is_ascii_digit()) => {
            Err(TickedBoxesError::TooLarge(shorten(text)))
        }
        TomlValue::Text(text) => {
            let mut runs = Vec::new();
            let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
            for part in parts {
                let (first, last) = match part.split_once(['-', '–']) {
                    Some((first, last)) => (parse_number(part, first)?, parse_number(part, last)?),
                    None => {
                        let only = parse_number(part, part)?;
                        (only, only)
                    }
                };
                if first > last {
                    return Err(TickedBoxesError::Reversed(first, last));
                }
                if runs.len() == MAX_RUNS {
                    return Err(TickedBoxesError::TooLarge(format!("more than {MAX_RUNS} parts")));
                }
                runs.push((first, last));
            }
            Ok(runs)
        }
        _ => Err(TickedBoxesError::Type),
    }
}

fn parse_number(part: &str, text: &str) -> Result<u32, TickedBoxesError> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(TickedBoxesError::InvalidPart(shorten(part)));
    }
    match text.parse::<u32>().ok().filter(|number| *number <= MAX_BOXES) {
        Some(0) => Err(TickedBoxesError::TooSmall("0".to_owned())),
        Some(number) => Ok(number),
        None => Err(TickedBoxesError::TooLarge(shorten(text))),
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_a_number_or_runs() {
        let text = |text: &str| parse_runs(&TomlValue::Text(text.to_owned().into()));
        assert_eq!(parse_runs(&TomlValue::Int(3)), Ok(vec![(1, 3)]));
        assert_eq!(parse_runs(&TomlValue::Int(0)), Ok(vec![]));
        assert_eq!(text("1-12, 14"), Ok(vec![(1, 12), (14, 14)]));
        assert_eq!(text(" 7;; 2 – 3 ,"), Ok(vec![(7, 7), (2, 3)]));
        assert_eq!(text(""), Ok(vec![]));
        assert_eq!(text("5-2"), Err(TickedBoxesError::Reversed(5, 2)));
        assert_eq!(text("0"), Err(TickedBoxesError::TooSmall("0".into())));
        assert_eq!(text("1-x"), Err(TickedBoxesError::InvalidPart("1-x".into())));
        assert_eq!(text("-3"), Err(TickedBoxesError::InvalidPart("-3".into())));
        assert_eq!(text("4000000000"), Err(TickedBoxesError::TooLarge("4000000000".into())));
        assert_eq!(parse_runs(&TomlValue::Int(-1)), Err(TickedBoxesError::TooSmall("-1".into())));
        assert_eq!(parse_runs(&TomlValue::Int(i64::MAX)), Err(TickedBoxesError::TooLarge(i64::MAX.to_string())));
        assert_eq!(parse_runs(&TomlValue::Flag(true)), Err(TickedBoxesError::Type));
        let many: Vec<String> = (0..60_000).map(|n| n.to_string()).collect();
        assert!(text(&many[1..].join(",")).is_err());
    }
}
