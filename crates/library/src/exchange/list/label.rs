//! Reads the value of a labelled line: takes the words, sets what is given once, gives what was expected where it cannot be read.

use std::fmt::Display;

use moldloft_base::sanitize::fold_for_search;

use super::clean::non_empty;
use super::{ListGroup, ListLoad, ListShip, line, value};

pub fn read_ship_label(ship: &mut ListShip, label: &str, words: &str, groups: &[ListGroup]) -> Result<(), Unread> {
    match label {
        "class" => {
            // `- HMS Argus` is its name, and `- ship` what a list has where no line can say all.
            if !matches!(&*ship.class, "" | "?" | "ship") && ship.class != words {
                if ship.name.is_some() {
                    return Err(Unread(Some(format!("one class, {}", ship.class))));
                }
                ship.name = Some(std::mem::take(&mut ship.class));
            }
            ship.class = words.to_owned();
        }
        "name" => set_once(&mut ship.name, words, label)?,
        "hull number" | "hull" => set_once(&mut ship.hull_number, words, "hull number")?,
        "count" | "qty" | "quantity" => {
            set_value_once(&mut ship.count, line::count_of(words).ok_or_else(|| a_number(3))?, "count")?;
        }
        "points" => set_value_once(&mut ship.points, points_number(words)?, "number of points")?,
        "captain" => set_once(&mut ship.captain, words, label)?,
        "owner" => set_once(&mut ship.owner, words, label)?,
        "group" | "squadron" => {
            let wanted = fold_for_search(words);
            let named = |group: &&ListGroup| group.name.as_deref().is_some_and(|name| fold_for_search(name) == wanted);
            let found = groups.iter().find(|group| group.id == words).or_else(|| groups.iter().find(named));
            set_once(&mut ship.group, found.map_or(words, |group| &group.id), "group")?;
        }
        "notes" => append_line(&mut ship.notes, words),
        "load" => ship.loads.push(parse_load(words).ok_or(Unread(None))?),
        "damage" => {
            for part in value::split_parts(words) {
                let (stem, runs) = part.split_once(' ').ok_or(Unread(None))?;
                let runs: String = runs.chars().map(|c| if matches!(c, '–' | '—' | '−') { '-' } else { c }).collect();
                ship.damage.push((stem.trim_end_matches(':').to_owned(), runs.trim().to_owned()));
            }
        }
        _ => return Err(Unread(None)),
    }
    Ok(())
}

/// A label that is not read: what was expected, where it is no ship or other label.
pub struct Unread(pub Option<String>);

fn a_number(such_as: u16) -> Unread {
    Unread(Some(format!("a whole number, such as {such_as}")))
}

/// `1500`, `1500 pts`.
pub fn points_number(words: &str) -> Result<i64, Unread> {
    line::points_of(words).ok_or_else(|| a_number(1500))
}

/// Nothing that is given twice replaces what was given first.
pub fn set_once(slot: &mut Option<String>, words: &str, what: &str) -> Result<(), Unread> {
    non_empty(words).map_or(Ok(()), |words| set_value_once(slot, words, what))
}

pub fn set_value_once<T: Display + PartialEq>(slot: &mut Option<T>, value: T, what: &str) -> Result<(), Unread> {
    match slot {
        Some(known) if *known != value => Err(Unread(Some(format!("one {what}, {known}")))),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

/// `missile-magazine in core; laser_heads = 40`.
pub fn parse_load(words: &str) -> Option<ListLoad> {
    let mut parts = value::split_parts(words).into_iter();
    let head = parts.next()?;
    let (system, mount) = match head.split_once(" in ") {
        Some((system, mount)) => (system.trim(), non_empty(mount)),
        None => (head, None),
    };
    let values: Option<Vec<_>> = parts.map(value::parse_pair).collect();
    Some(ListLoad { system: system.to_owned(), mount, values: values? })
}

pub fn set_text(slot: &mut Option<String>, words: &str) {
    *slot = non_empty(words).or_else(|| slot.take());
}

pub fn append_line(slot: &mut Option<String>, words: &str) {
    match slot {
        Some(text) => {
            text.push('\n');
            text.push_str(words);
        }
        None => *slot = Some(words.to_owned()),
    }
}
