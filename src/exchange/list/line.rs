//! Parses and writes a ship's line, `- 3 x Tern "HMS Argus", DD-12 (120 points each)`, and the variants that players
//! write.

use super::clean::non_empty;
use super::{KnownNames, ListShip};

const BULLETS: [char; 7] = ['-', '*', '•', '–', '—', '·', '+'];
const QUOTES: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”'), ('‟', '”'), ('＂', '＂')];

/// The line without its bullet or number, if it has one.
pub fn strip_bullet(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(BULLETS) {
        return rest.starts_with(' ').then(|| rest.trim_start()).filter(|rest| !rest.is_empty());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?.strip_prefix(['.', ')'])?;
    (digits > 0 && digits <= 4 && rest.starts_with(' ')).then(|| rest.trim_start()).filter(|rest| !rest.is_empty())
}

/// A leading count: `3 x Tern`, `3× Tern`, `x3 Tern`.
pub fn parse_count(line: &str) -> Option<(u32, &str)> {
    let is_times = |c: char| matches!(c, 'x' | 'X' | '×' | '✕' | '✖');
    if let Some(rest) = line.strip_prefix(is_times) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &rest[digits..];
        return (digits > 0 && digits <= 4 && after.starts_with(' '))
            .then(|| Some((rest[..digits].parse().ok()?, after.trim_start())))?;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 4 {
        return None;
    }
    let (number, rest) = line.split_at(digits);
    let rest = rest.trim_start().strip_prefix(is_times)?;
    rest.starts_with(' ').then(|| Some((number.parse().ok()?, rest.trim_start())))?.filter(|(_, rest)| !rest.is_empty())
}

/// Points at the end: `(120 points each)`, `(120 pts)`, `[120]`, `- 120 points`, `@ 120`.
fn parse_points(line: &str) -> (&str, Option<i64>) {
    let number = |words: &str| -> Option<i64> {
        let words = words.trim().trim_start_matches(['@', '=']).trim();
        let digits = words.bytes().take_while(u8::is_ascii_digit).count();
        let rest = words[digits..].trim().to_lowercase();
        let unit = rest.trim_end_matches("each").trim().trim_end_matches('.');
        let known = matches!(unit, "" | "point" | "points" | "pt" | "pts" | "p" | "bpv");
        (digits > 0 && digits <= 9 && known).then(|| words[..digits].parse().ok())?
    };
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some(inner) = line.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
            && let Some(points) = number(&inner[at + 1..])
        {
            return (inner[..at].trim_end(), Some(points));
        }
    }
    for sign in [" - ", " – ", " — ", " @ ", ", ", ": "] {
        if let Some((head, tail)) = line.rsplit_once(sign)
            && (sign == " @ " || tail.trim().ends_with(|c: char| c.is_alphabetic() || c == '.'))
            && let Some(points) = number(tail)
        {
            return (head.trim_end(), Some(points));
        }
    }
    (line, None)
}

/// `words`: the line without its bullet.
pub fn parse_ship(words: &str, known: &KnownNames) -> ListShip {
    let mut ship = ListShip::default();
    let mut rest = words.trim();
    if let Some((count, after)) = parse_count(rest) {
        ship.count = Some(count);
        rest = after;
    }
    (rest, ship.points) = parse_points(rest);
    if ship.count.is_none()
        && let Some((head, tail)) = rest.rsplit_once(' ')
        && let Some(digits) = tail.strip_prefix(['x', 'X', '×'])
        && digits.len() <= 4
        && let Ok(count) = digits.parse()
    {
        ship.count = Some(count);
        rest = head.trim_end();
    }
    let quoted = QUOTES.iter().filter_map(|&(open, close)| {
        let start = rest.find(open)?;
        let inner = start + open.len_utf8();
        let end = inner + rest[inner..].find(close)?;
        Some((start, inner, end, end + close.len_utf8()))
    });
    if let Some((start, inner, end, after)) = quoted.min_by_key(|found| found.0)
        && start > 0
    {
        ship.name = non_empty(&rest[inner..end]);
        ship.hull_number = non_empty(rest[after..].trim().trim_start_matches([',', ';']));
        ship.class = rest[..start].trim().trim_end_matches([',', ':', '-']).trim().to_owned();
    } else if let Some((class, others)) = rest.split_once(',') {
        ship.class = class.trim().to_owned();
        match others.rsplit_once(',') {
            Some((name, hull)) => {
                ship.name = non_empty(name);
                ship.hull_number = non_empty(hull);
            }
            None => ship.hull_number = non_empty(others),
        }
    } else {
        ship.class = rest.to_owned();
    }
    let marked = ship.name.is_some() || rest.contains(',');
    resolve_class(&mut ship, marked, known);
    ship
}

/// For an unknown class: tries a class that it begins with, or one that it is the plural of.
fn resolve_class(ship: &mut ListShip, marked: bool, known: &KnownNames) {
    let is_class = |words: &str| known.find_class(words);
    if known.classes.is_empty() || is_class(&ship.class).is_some() {
        return;
    }
    let words = ship.class.clone();
    if let Some((first, rest)) = words.split_once(' ')
        && ship.count.is_none()
        && first.len() <= 4
        && let Ok(count) = first.parse::<u32>()
    {
        let single = rest.strip_suffix('s').unwrap_or(rest);
        if let Some(class) = is_class(rest).or_else(|| is_class(single)) {
            ship.count = Some(count);
            ship.class = class.clone();
            return;
        }
    }
    if ship.count.is_some_and(|count| count > 1)
        && let Some(class) = words.strip_suffix('s').and_then(is_class)
    {
        ship.class = class.clone();
        return;
    }
    if let Some(class) = words.strip_suffix("-class").or_else(|| words.strip_suffix(" class")).and_then(is_class) {
        ship.class = class.clone();
        return;
    }
    // `Vigilant CA-301`, `Vigilant HMS Argus`; with quotes or commas, the class ends there.
    if marked {
        return;
    }
    let mut ends: Vec<usize> = words.match_indices(' ').map(|(at, _)| at).collect();
    ends.reverse();
    for end in ends.into_iter().take(12) {
        let Some(class) = is_class(words[..end].trim_end_matches([':', '-', ' '])) else { continue };
        let more = words[end..].trim().trim_start_matches(['-', ':']).trim();
        ship.class = class.clone();
        if ship.hull_number.is_none() && more.bytes().any(|b| b.is_ascii_digit()) && !more.contains(' ') {
            ship.hull_number = non_empty(more);
        } else if ship.name.is_none() {
            ship.name = non_empty(more);
        }
        return;
    }
}

/// Whether a line without a bullet is a ship: it begins with a known class and continues like a ship's line.
pub fn looks_like_ship(line: &str, known: &KnownNames) -> bool {
    !known.classes.is_empty() && known.find_class(&parse_ship(line, known).class).is_some_and(|class| !class.is_empty())
}

/// A ship's line, unless it would be read differently.
pub fn ship_line(ship: &ListShip, known: &KnownNames) -> Option<String> {
    let mut line = String::new();
    if let Some(count) = ship.count {
        line += &format!("{count} x ");
    }
    line += &ship.class;
    if let Some(name) = &ship.name {
        line += &format!(" \"{name}\"");
    }
    if let Some(hull) = &ship.hull_number {
        line += &format!(", {hull}");
    }
    if let Some(points) = ship.points {
        let each = if ship.count.is_some_and(|count| count > 1) { " each" } else { "" };
        line += &format!(" ({points} points{each})");
    }
    let again = self::parse_ship(&line, known);
    let same = again.class == ship.class
        && again.count == ship.count
        && again.name == ship.name
        && again.hull_number == ship.hull_number
        && again.points == ship.points;
    same.then_some(line)
}
