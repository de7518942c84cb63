//! Hull numbers: takes a fleet, gives the numbers in use and the next free one. A hull number is counted by the digits
//! at its end.

use std::collections::BTreeSet;

use moldloft_rules::design::fleet::{Fleet, FleetShip};

const MAX_TRIES: usize = 20_000;

/// The stem of a path: `vigilant` for `../vigilant.toml`.
pub fn class_display_name(word: &str) -> String {
    let path = word.trim().rsplit(['/', '\\']).next().unwrap_or(word);
    let stem = path.strip_suffix(".toml").unwrap_or(path).trim();
    if stem.is_empty() { "no class".to_owned() } else { stem.to_owned() }
}

/// Prefix, number and count of digits: `CA-`, 7, 3 of `CA-007`.
fn split_hull_number(hull: &str) -> (&str, Option<(u64, usize)>) {
    let hull = hull.trim();
    let figures = hull.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (begin, end) = hull.split_at(hull.len() - figures);
    (begin, end.parse().ok().map(|number| (number, figures)))
}

fn format_hull_number(begin: &str, number: u64, figures: usize) -> String {
    format!("{begin}{number:0figures$}")
}

/// Of all copies of an entry.
fn hull_numbers(ship: &FleetShip) -> impl Iterator<Item = String> + '_ {
    (1..=ship.count.max(1)).filter_map(|copy| ship.copy_hull_number(copy))
}

/// Includes the hull numbers of carried ships.
pub fn taken_hull_numbers(fleet: &Fleet) -> BTreeSet<String> {
    let carried = |ship: &FleetShip| -> Vec<String> {
        let all = ship.carried.iter().flat_map(|carried| &carried.ships);
        let each = |one: &FleetShip| -> Vec<String> {
            // They continue over all copies of the carrier.
            let many = one.count.saturating_mul(ship.count.max(1)).min(2_000);
            (1..=many).filter_map(|copy| one.copy_hull_number(copy)).collect()
        };
        all.flat_map(each).collect()
    };
    fleet.ships.iter().flat_map(|ship| hull_numbers(ship).chain(carried(ship)).collect::<Vec<_>>()).collect()
}

/// `count` numbers, counted up from the first.
pub fn hull_number_series(first: &str, count: u32) -> Vec<String> {
    match split_hull_number(first) {
        (begin, Some((number, figures))) => {
            (0..u64::from(count.max(1))).map(|n| format_hull_number(begin, number.saturating_add(n), figures)).collect()
        }
        (begin, None) => vec![begin.to_owned()],
    }
}

/// The first number from `hull` on that is free for `count` ships in a row.
pub fn first_free_hull_number(hull: &str, count: u32, taken: &BTreeSet<String>) -> String {
    let (begin, number) = split_hull_number(hull);
    let (first, figures) = number.unwrap_or((1, 1));
    let begin = if number.is_none() { format!("{}-", begin.trim_end_matches('-')) } else { begin.to_owned() };
    let is_free = |start: u64| {
        (0..u64::from(count.max(1))).all(|n| !taken.contains(&format_hull_number(&begin, start + n, figures)))
    };
    let start = (0..MAX_TRIES as u64).map(|n| first.saturating_add(n)).find(|start| is_free(*start));
    format_hull_number(&begin, start.unwrap_or(first), figures)
}

/// Continues from the ship's own number, or the last one of its class, or the last of the fleet; a fleet without any
/// begins with
/// the letters of the class.
pub fn next_hull_number(fleet: &Fleet, ship: &FleetShip, taken: &BTreeSet<String>) -> String {
    let hull = |ship: &FleetShip| ship.hull_number.as_ref().map(|word| word.text.trim().to_owned());
    let class = |ship: &FleetShip| ship.design.as_ref().map(|word| word.text.clone());
    let others = || fleet.ships.iter().filter(|other| other.index != ship.index);
    let alike = || others().filter(|other| class(other) == class(ship)).filter_map(hull).next_back();
    let known = hull(ship).or_else(alike).or_else(|| others().filter_map(hull).next_back());
    let known = known.unwrap_or_else(|| {
        let name = ship.design.as_ref().map_or_else(|| "S".to_owned(), |word| class_display_name(&word.text));
        let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).take(2).collect();
        format!("{}-1", if letters.is_empty() { "S".to_owned() } else { letters.to_uppercase() })
    });
    first_free_hull_number(&known, ship.count, taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hull_numbers_count_up_by_their_figures() {
        assert_eq!(hull_number_series("DD-12", 3), ["DD-12", "DD-13", "DD-14"]);
        assert_eq!(hull_number_series("A009", 2), ["A009", "A010"]);
        assert_eq!(hull_number_series("Alpha", 1), ["Alpha"]);
        assert_eq!(hull_number_series("9", 2), ["9", "10"]);
    }

    #[test]
    fn the_next_free_one_is_found() {
        let taken: BTreeSet<String> = ["DD-12", "DD-13", "DD-15"].map(str::to_owned).into();
        assert_eq!(first_free_hull_number("DD-12", 1, &taken), "DD-14");
        assert_eq!(first_free_hull_number("DD-12", 2, &taken), "DD-16");
        assert_eq!(first_free_hull_number("Alpha", 1, &taken), "Alpha-1");
        assert_eq!(first_free_hull_number("18446744073709551615", 1, &taken), "18446744073709551615");
    }
}
