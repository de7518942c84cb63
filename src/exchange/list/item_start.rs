//! How a new item of a list begins: with a label, a bullet, a count, or the footer of a generated list.

use super::{KnownNames, line};
use crate::sanitize::fold_for_search;

pub const FOOTER: &str = "Made with Moldloft, which reads this list again (moldloft import).";
/// Label of a line about a class's custom systems; ignored on reading.
pub const CUSTOM_SYSTEMS_LABEL: &str = "With own systems, class";
const MAX_LABEL: usize = 60;

const HEAD_LABELS: [&str; 12] =
    ["fleet", "name", "side", "player", "game", "rules", "house rules", "points", "total", "budget", "limit", "notes"];
const SHIP_LABELS: [&str; 13] = [
    "class",
    "name",
    "hull number",
    "hull",
    "count",
    "captain",
    "owner",
    "group",
    "squadron",
    "notes",
    "load",
    "damage",
    "points",
];
const CLASS_LABELS: [&str; 6] = ["design", "fields", "field", "fit", "system", "design notes"];
const CARRIED_LABELS: [&str; 9] =
    ["class", "name", "hull number", "count", "captain", "owner", "notes", "load", "damage"];

#[derive(PartialEq, Eq)]
pub enum ListItemKind {
    Ship,
    Label(String),
    Name,
    /// The footer of a generated list.
    Foot,
}

/// Whether a line would be read as a new item.
pub fn starts_item(words: &str, known: &KnownNames) -> bool {
    words.starts_with(['>', '#', '`', '~', '|']) || parse_start(words, known, false).is_some()
}

pub fn parse_start<'a>(words: &'a str, known: &KnownNames, in_label: bool) -> Option<(ListItemKind, &'a str)> {
    if words.get(..18).is_some_and(|head| FOOTER.starts_with(head)) || words.starts_with(CUSTOM_SYSTEMS_LABEL) {
        return Some((ListItemKind::Foot, words));
    }
    let label = |words: &'a str| {
        let (label, value) = split_label(words)?;
        let label = fold_for_search(label);
        is_label(&label, known).then_some((ListItemKind::Label(label), value))
    };
    if let Some(point) = line::strip_bullet(words) {
        return label(point).or(Some((ListItemKind::Ship, point)));
    }
    if let Some(found) = label(words) {
        return Some(found);
    }
    let is_ship = line::parse_count(words).is_some() || (!in_label && line::looks_like_ship(words, known));
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
    let fixed = [&HEAD_LABELS[..], &SHIP_LABELS, &CLASS_LABELS].iter().any(|labels| labels.contains(&label));
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
