//! Parses and writes a ship's line, `- 3 x Tern "HMS Argus", DD-12 (120 points each)`, and the variants that players
//! write.

use super::clean::non_empty;
use super::{KnownNames, ListShip};
use moldloft_base::sanitize::plural;

const QUOTES: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”'), ('‟', '”'), ('＂', '＂')];
/// A number on its own, in brackets or in a row, is a count up to here, and points beyond.
pub const MAX_LIKELY_COUNT: i64 = 12;
/// Counts and numbers of lines have at most so many digits.
const MAX_DIGITS: usize = 4;
/// What stands after a count.
const UNIT_WORDS: [&str; 6] = ["ship", "ships", "of", "off", "pcs", "pcs."];
/// What stands before a count, with a full stop or a colon or without.
pub const QUANTITY_WORDS: [&str; 2] = ["qty", "quantity"];
const COUNT_WORDS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Hyphens, dots, arrows, boxes, ticks, stars, emoji, and the private letters of word processors.
pub fn is_bullet(c: char) -> bool {
    matches!(c,
        '-' | '*' | '+' | '•' | '‐'..='―' | '−' | '·' | '‣' | '⁃' | '∙' | '»' | '›' | '¤' | '§' | '°' | '・'
        | '\u{2190}'..='\u{2bff}' | '\u{e000}'..='\u{f8ff}' | '\u{fe0e}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

pub fn is_times(c: char) -> bool {
    matches!(c, 'x' | 'X' | '×' | '✕' | '✖' | '*')
}

pub fn is_opening_quote(c: char) -> bool {
    QUOTES.iter().any(|(open, _)| *open == c)
}

/// The mark that closes a quotation which a text leaves open.
pub fn open_quote(words: &str) -> Option<char> {
    words.chars().fold(None, |open, c| match open {
        Some(close) if c == close => None,
        Some(close) => Some(close),
        None => QUOTES.iter().find(|(open, _)| *open == c).map(|(_, close)| *close),
    })
}

/// The line without its bullet, number or box to tick, if it has one.
pub fn strip_bullet(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c| c == ' ' || is_bullet(c));
    // `- -2x Tern`: below zero.
    let rest = match line[..line.len() - rest.len()].strip_suffix(['-', '−']) {
        Some(before) if before.ends_with(' ') && rest.starts_with(|c: char| c.is_ascii_digit()) => {
            &line[before.len()..]
        }
        _ => rest,
    };
    let marks = &line[..line.len() - rest.len()];
    let rest = if marks.is_empty() { after_number(rest).unwrap_or(rest) } else { rest };
    let is_apart = marks.is_empty() || marks.ends_with(' ');
    let point = after_tick_box(rest).unwrap_or(rest);
    if marks.ends_with(' ') && point.starts_with(is_bullet) {
        return Some(point);
    }
    // `-5` is a number.
    let begins = point.starts_with(|c: char| c.is_alphabetic() || c == '(' || c == '[' || is_opening_quote(c));
    let is_point = point.len() < line.len()
        && (is_apart || begins || parse_count(point).or_else(|| parse_loose_count(point)).is_some());
    (is_point && !point.is_empty()).then_some(point)
}

/// `1. Tern`, `1) Tern`, `1.) Tern`, `a) Tern`.
fn after_number(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(|c: char| c.is_ascii_lowercase())?.strip_prefix(')')?,
        1..=MAX_DIGITS => line[digits..].strip_prefix(".)").or_else(|| line[digits..].strip_prefix(['.', ')']))?,
        _ => return None,
    };
    rest.starts_with(|c: char| c == ' ' || c.is_alphabetic()).then(|| rest.trim_start())
}

/// `[ ] Tern`, `[x] Tern`.
fn after_tick_box(line: &str) -> Option<&str> {
    let (inner, rest) = line.strip_prefix('[')?.split_once(']')?;
    matches!(inner, "" | " " | "x" | "X").then(|| rest.trim_start())
}

fn leading_digits(line: &str) -> Option<(u32, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=MAX_DIGITS).contains(&digits).then(|| Some((line[..digits].parse().ok()?, &line[digits..])))?
}

/// A count that cannot be anything else, before the rest: `3 x Tern`, `3× Tern`, `3xTern`, `x3 Tern`, `(x3) Tern`,
/// `3 off Tern`, `qty 3 Tern`.
pub fn parse_count(line: &str) -> Option<(u32, &str)> {
    let (count, rest) = match line.strip_prefix(['(', '[']) {
        Some(inner) => {
            let (inner, rest) = inner.split_once([')', ']'])?;
            (whole_count(inner).filter(|(_, is_sure)| *is_sure)?.0, rest)
        }
        None => {
            if let Some(rest) = after_quantity(line) {
                let (count, rest) = leading_digits(rest)?;
                rest.starts_with([' ', ':', ',']).then_some((count, rest))?
            } else if let Some(rest) = line.strip_prefix(is_times) {
                // `* 3 Tern` is a bullet.
                let rest = if line.starts_with('*') { rest } else { rest.trim_start() };
                let (count, rest) = leading_digits(rest)?;
                rest.starts_with([' ', ':']).then_some((count, rest))?
            } else {
                let (count, rest) = leading_digits(line)?;
                let rest = rest.trim_start();
                if let Some((unit, after)) = rest.split_once([' ', ':'])
                    && UNIT_WORDS.contains(&unit)
                    && !after.trim_start().is_empty()
                {
                    return Some((count, after.trim_start()));
                }
                let after = rest.strip_prefix(is_times)?;
                // `3xTern`, but not `3xtern`; `3*Tern`.
                let is_apart = after.starts_with(|c: char| matches!(c, ' ' | ':') || c.is_uppercase())
                    || !rest.starts_with(['x', 'X']) && after.starts_with(char::is_alphabetic);
                is_apart.then_some((count, after))?
            }
        }
    };
    let rest = rest.trim_start_matches([':', ',', ' ']);
    (!rest.is_empty()).then_some((count, rest))
}

/// What follows `qty`, `Qty:`, `quantity`.
fn after_quantity(words: &str) -> Option<&str> {
    let (word, rest) = words.split_at(words.find(|c: char| !c.is_alphabetic())?);
    let is_quantity = QUANTITY_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
    is_quantity.then(|| rest.trim_start_matches(['.', ':', ' ']))
}

/// `x3`, `3x`, `3 ships`, `qty 3` and `3`; whether it can be nothing but a count.
fn whole_count(words: &str) -> Option<(u32, bool)> {
    let words = words.trim();
    let digits = after_quantity(words).unwrap_or_else(|| words.trim_start_matches(is_times).trim());
    let (count, rest) = leading_digits(digits)?;
    let rest = rest.trim();
    let is_known = rest.is_empty() || rest.len() == 1 && rest.starts_with(['x', 'X', '×']);
    (is_known || UNIT_WORDS.contains(&rest)).then_some((count, digits.len() < words.len() || !rest.is_empty()))
}

/// The count of a cell or a label: `3`, `x3`, `3 ships`.
pub fn count_of(words: &str) -> Option<u32> {
    whole_count(words).map(|(count, _)| count)
}

/// Ships that share a line: `3 Tern, 2 Swordfish`; `Petrel "HMS A"; Petrel "HMS B"`.
pub fn split_ships<'a>(words: &'a str, known: &KnownNames) -> Vec<&'a str> {
    let mut ships = Vec::new();
    let mut rest = words;
    let mut from = 0;
    while let Some(at) = rest[from..].find([',', ';']).map(|at| from + at) {
        let (own, next) = (rest[..at].trim(), rest[at + 1..].trim_start());
        let is_ended = open_quote(own).is_none() && looks_like_ship(own, known);
        // The first ship of a class has its name: `Vigilant, Vigilant, CA-1`.
        let is_class = |ship: ListShip| known.find_class(&ship.class).is_some();
        let begins = || {
            let plain = parse_ship(next, &KnownNames::default());
            // No hull number is a class: `Tern, Tern, Tern` are three.
            let (name, number) = next.split_once(',').map_or((next, ""), |(name, number)| (name, number.trim()));
            let is_repeated = name.trim() == own && (number == own || ships.last() == Some(&own));
            let is_name = rest[at..].starts_with(',') && plain.class == parse_ship(own, known).class && !is_repeated;
            let counted = parse_ship(next, known);
            counted.count.is_some() && is_class(counted) || !is_name && is_class(plain)
        };
        if is_ended && begins() {
            ships.push(own);
            (rest, from) = (next, 0);
        } else {
            from = at + 1;
        }
    }
    ships.push(rest);
    ships
}

/// Takes what is more than one name and one hull number out of a ship.
pub fn take_surplus(ship: &mut ListShip) -> Option<String> {
    let is_number = |words: &str| !words.contains(' ') && words.bytes().any(|b| b.is_ascii_digit());
    let numbers = ship.name.as_deref().is_some_and(is_number) && ship.hull_number.as_deref().is_some_and(is_number);
    if numbers {
        std::mem::replace(&mut ship.hull_number, ship.name.take())
    } else {
        let hull = ship.hull_number.take()?;
        let end = hull.find(|c| matches!(c, ',' | ';') || is_opening_quote(c)).unwrap_or(hull.len());
        ship.hull_number = non_empty(&hull[..end]);
        non_empty(hull[end..].trim_start_matches([',', ';']))
    }
}

/// A count by what follows it: `3, Tern`, `3 - Tern`, `3: Tern`, `(3) Tern`.
fn parse_loose_count(line: &str) -> Option<(u32, &str)> {
    let (count, rest) = match line.strip_prefix(['(', '[']) {
        Some(inner) => {
            let (inner, rest) = inner.split_once([')', ']'])?;
            (whole_count(inner)?.0, rest)
        }
        None => {
            let (count, rest) = leading_digits(line)?;
            (count, rest.trim_start().strip_prefix([',', ';', ':', '-', '–', '—'])?)
        }
    };
    let rest = rest.trim_start();
    rest.starts_with(|c: char| c.is_alphabetic() || is_opening_quote(c)).then_some((count, rest))
}

/// A count at the end, `Tern x3`, `Tern, 3x`, `Tern (x3)`, and whether it was guessed: `Tern (3)`.
fn split_last_count(line: &str) -> Option<(&str, u32, bool)> {
    let bracket = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
        let inner = line.strip_suffix(close)?;
        let at = inner.rfind(open)?;
        let (count, is_sure) = whole_count(&inner[at + 1..])?;
        (is_sure || (2..=MAX_LIKELY_COUNT).contains(&i64::from(count))).then_some((&line[..at], count, !is_sure))
    });
    // `Tern, 3 off`, `Tern qty 3`
    let words = || {
        let (head, _) = line.rsplit_once(' ')?;
        let start = head.rfind(' ')?;
        let (count, is_sure) = whole_count(&line[start..])?;
        is_sure.then_some((&line[..start], count, false))
    };
    let word = || {
        let (head, tail) = line.rsplit_once(' ')?;
        let (count, is_sure) = whole_count(tail)?;
        // `Tern x 3`
        let apart = head.strip_suffix(is_times).filter(|head| head.ends_with(' '));
        match apart {
            Some(head) if !is_sure => Some((head, count, false)),
            _ => is_sure.then_some((head, count, false)),
        }
    };
    let (head, count, guessed) = bracket.or_else(words).or_else(word)?;
    let head = head.trim_end().trim_end_matches([',', ':', '-', '–', '—']).trim_end();
    (!head.is_empty()).then_some((head, count, guessed))
}

/// What a ship takes along, without the label: `with 2 x Quiver`, in a game that has one way to do so.
pub fn parse_with<'a, 'k>(words: &'a str, known: &'k KnownNames) -> Option<(&'k str, &'a str)> {
    let [(_, label)] = known.relations.as_slice() else { return None };
    let (first, rest) = words.split_once(' ')?;
    let first = first.to_lowercase();
    let is_verb = first.strip_prefix(label.as_str()).is_some_and(|end| matches!(end, "s" | "ing"));
    let rest = rest.trim_start();
    let is_ships = parse_count(rest).is_some() || looks_like_ship(rest, known);
    ((is_verb || matches!(first.as_str(), "with" | "carrying")) && is_ships).then_some((label.as_str(), rest))
}

/// `120 points each`, `120 pts`, `@ 120`, `120`.
pub fn points_of(words: &str) -> Option<i64> {
    let words = words.trim().trim_start_matches(['@', '=']).trim();
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let rest = words[digits..].trim().to_lowercase();
    let unit = rest.trim_end_matches("each").trim().trim_end_matches('.');
    let known = matches!(unit, "" | "point" | "points" | "pt" | "pts" | "p" | "bpv");
    (digits > 0 && digits <= 9 && known).then(|| words[..digits].parse().ok())?
}

/// Points at the end: `(120 points each)`, `(120 pts)`, `[120]`, `- 120 points`, `@ 120`.
fn parse_points(line: &str) -> (&str, Option<i64>) {
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some(inner) = line.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
            && let Some(points) = points_of(&inner[at + 1..])
        {
            return (inner[..at].trim_end(), Some(points));
        }
    }
    for sign in [" - ", " – ", " — ", " @ ", ", ", ": "] {
        if let Some((head, tail)) = line.rsplit_once(sign)
            && (sign == " @ " || tail.trim().ends_with(|c: char| c.is_alphabetic() || c == '.'))
            && let Some(points) = points_of(tail)
        {
            return (head.trim_end(), Some(points));
        }
    }
    (line, None)
}

/// `words`: the line without its bullet.
pub fn parse_ship(words: &str, known: &KnownNames) -> ListShip {
    parse_guessed_ship(words, known).0
}

/// The ship, and whether its count is a guess.
pub fn parse_guessed_ship(words: &str, known: &KnownNames) -> (ListShip, bool) {
    let mut ship = ListShip::default();
    let mut is_guess = false;
    let mut rest = words.trim();
    if known.find_class(rest).is_none()
        && let Some((count, after)) = parse_count(rest).or_else(|| parse_loose_count(rest))
    {
        ship.count = Some(count);
        is_guess = rest.starts_with(['(', '[']) && parse_count(rest).is_none();
        rest = after;
    }
    // In either order.
    for _ in 0..2 {
        if ship.count.is_none()
            && known.find_class(rest).is_none()
            && let Some((head, count, guessed)) = split_last_count(rest)
        {
            (rest, ship.count, is_guess) = (head, Some(count), guessed);
        }
        if ship.points.is_none() {
            (rest, ship.points) = parse_points(rest);
        }
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
    (ship, is_guess)
}

/// For an unknown class: tries a class that it begins with, or one that it is the plural of.
fn resolve_class(ship: &mut ListShip, marked: bool, known: &KnownNames) {
    let is_class = |words: &str| known.find_class(words);
    if known.classes.is_empty() || is_class(&ship.class).is_some() {
        return;
    }
    let words = ship.class.clone();
    let count_of = |first: &str| {
        let first = first.to_lowercase();
        let word = COUNT_WORDS.iter().zip(1..).find(|(word, _)| **word == first).map(|(_, count)| count);
        word.or_else(|| first.parse().ok().filter(|_| first.len() <= MAX_DIGITS))
    };
    if let Some((first, rest)) = words.split_once(' ')
        && ship.count.is_none()
        && let Some(count) = count_of(first)
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
        line += &format!(" ({}{each})", plural(points, "point"));
    }
    // Those who read it know other classes, or none.
    let is_same = [known, &KnownNames::default()].into_iter().all(|known| {
        let again = self::parse_ship(&line, known);
        again.class == ship.class
            && again.count == ship.count
            && again.name == ship.name
            && again.hull_number == ship.hull_number
            && again.points == ship.points
    });
    is_same.then_some(line)
}
