//! How a new item of a list begins: with a label, a bullet, a count, or the footer of a generated list.

use super::table::Column;
use super::{KnownNames, clean, line};
use moldloft_base::sanitize::fold_for_search;

pub const FOOTER: &str = "Made with Moldloft, which reads this list again (moldloft import).";
/// Label of a line about a class's custom systems; ignored on reading.
pub const CUSTOM_SYSTEMS_LABEL: &str = "With own systems, class";
const MAX_LABEL: usize = 60;

/// The least characters of a line that was wrapped, with the word after it.
const WRAP_WIDTH: usize = 60;

#[rustfmt::skip]
const HEAD_LABELS: [&str; 16] = [
    "fleet", "name", "side", "player", "colour", "color", "pattern", "game", "rules", "house rules", "points",
    "total", "budget", "legal", "limit", "notes",
];
#[rustfmt::skip]
const SHIP_LABELS: [&str; 13] = [
    "class", "name", "hull number", "hull", "count", "captain", "owner", "group", "squadron", "notes", "load",
    "damage", "points",
];
const CLASS_LABELS: [&str; 6] = ["design", "fields", "field", "fit", "system", "design notes"];
const CARRIED_LABELS: [&str; 9] =
    ["class", "name", "hull number", "count", "captain", "owner", "notes", "load", "damage"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListItemKind {
    Ship,
    Label(String),
    /// A row of a table.
    Row(Vec<(Column, String)>),
    Name,
    /// A ship that is struck out.
    Struck,
    /// The footer of a generated list.
    Foot,
}

/// Whether a line would be read as a new item.
pub fn starts_item(words: &str, known: &KnownNames) -> bool {
    words.starts_with(['>', '#', '`', '~', '|']) || clean::is_rule(words) || parse_start(words, known, false).is_some()
}

/// Whether a line is so long that the next one can be its end.
pub fn is_wrapped(line: &str, next: &str) -> bool {
    let first = next.split(' ').next().unwrap_or_default();
    line.chars().count() + 1 + first.chars().count() > WRAP_WIDTH
}

/// The item that a line begins. Within wrapped text a class alone begins none.
pub fn parse_start<'a>(words: &'a str, known: &KnownNames, in_text: bool) -> Option<(ListItemKind, &'a str)> {
    if words.get(..18).is_some_and(|head| FOOTER.starts_with(head)) || words.starts_with(CUSTOM_SYSTEMS_LABEL) {
        return Some((ListItemKind::Foot, words));
    }
    let label = |words: &'a str| {
        let (label, value) = split_label(words)?;
        let label = fold_for_search(label);
        // `Qty: 3 Tern` is a ship.
        let is_label = is_label(&label, known) && line::parse_count(words).is_none();
        is_label.then_some((ListItemKind::Label(label), value))
    };
    let carried = |words: &'a str| {
        let (relation, what) = line::parse_with(words, known)?;
        Some((ListItemKind::Label(relation.to_owned()), what))
    };
    if line::parse_count(words).is_none()
        && let Some(point) = line::strip_bullet(words)
    {
        return label(point).or_else(|| carried(point)).or(Some((ListItemKind::Ship, point)));
    }
    if let Some(found) = label(words).or_else(|| carried(words)) {
        return Some(found);
    }
    // `-2 Terns`: without a space, a count after a hyphen is known by the class.
    let bare = words.trim_start_matches(line::is_bullet);
    if bare.len() < words.len() && !in_text && line::looks_like_ship(bare, known) {
        return Some((ListItemKind::Ship, bare));
    }
    let is_ship = line::parse_count(words).is_some() || (!in_text && line::looks_like_ship(words, known));
    is_ship.then_some((ListItemKind::Ship, words))
}

pub fn split_label(words: &str) -> Option<(&str, &str)> {
    let (label, value) = words.split_once(':')?;
    let label = label.trim().trim_matches(['*', '_', '#']).trim();
    let apart = value.is_empty() || value.starts_with([' ', '*', '_']);
    (apart && !label.is_empty() && label.chars().count() <= MAX_LABEL)
        .then(|| (label, value.trim_start_matches(['*', '_']).trim()))
}

fn is_label(label: &str, known: &KnownNames) -> bool {
    let fixed = [&HEAD_LABELS[..], &SHIP_LABELS, &CLASS_LABELS, &line::QUANTITY_WORDS]
        .iter()
        .any(|labels| labels.contains(&label));
    fixed
        || label.strip_prefix("group ").is_some()
        || label.strip_prefix("notes on ").is_some()
        || split_relation_label(label, known).is_some()
}

/// The relation at the start of a label, and the rest of the label.
pub fn split_relation_label<'a>(label: &'a str, known: &'a KnownNames) -> Option<(&'a str, &'a str)> {
    known.relations.iter().find_map(|(id, word)| {
        let rest = label.strip_prefix(word.as_str())?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        (rest.is_empty() || rest == "points" || CARRIED_LABELS.contains(&rest)).then_some((id.as_str(), rest))
    })
}
