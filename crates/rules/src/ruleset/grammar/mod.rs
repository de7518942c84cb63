//! The ruleset language, declared once: its sections with their keys, what each key holds, what layers and `like` do
//! with it. The compiler, layers, differences, lints, the schema for text editors and the manual read it from here.

mod choices;
mod nested;
mod sections;
mod spec;

pub use choices::*;
pub(crate) use nested::GRID_CELLS;
pub use nested::NESTED_TABLES;
pub use sections::SECTIONS;
pub(crate) use spec::{ID_PATTERN, NAME_PATTERN, is_valid_id};
pub use spec::{KeySpec, KeyType, SectionSpec};

use super::model::Provenance;
use spec::optional;

/// The newest ruleset format that this program reads.
pub const SCHEMA: i64 = 1;

/// The keys for the origin of numbers, next to the keys that they describe.
pub const PROVENANCE: [(&str, Provenance, &str); 4] = [
    (
        "published",
        Provenance::Published,
        "keys whose numbers are in the game's text, although an earlier layer has others: { KEY = \"why\" }",
    ),
    (
        "derived",
        Provenance::Derived,
        "keys whose numbers follow from the game's text by arithmetic, and how: { KEY = \"why\" }",
    ),
    (
        "assumed",
        Provenance::Assumed,
        "keys that the game's text leaves open, and why they have their values: { KEY = \"why\" }",
    ),
    ("house", Provenance::House, "keys that are the players' own rule, and why: { KEY = \"why\" }"),
];

/// What a layer may write in `[change.SECTION.ID]` besides the section's keys.
pub static CHANGE_KEYS: [KeySpec; 4] = [
    optional("remove", KeyType::Bool, "true: it is removed"),
    optional(
        "add",
        KeyType::AnyTable,
        "more for its lists and tables: add.mounts = [\"…\"], add.rows = [[…]], add.options.ID = { … }",
    ),
    optional("unset", KeyType::TextList, "keys to remove"),
    optional("reason", KeyType::Text, "why it was changed"),
];

/// A section of declarations, or a nested table.
pub fn section(name: &str) -> Option<&'static SectionSpec> {
    SECTIONS.iter().chain(NESTED_TABLES).find(|section| section.name == name)
}

/// A section of declarations.
pub fn declared_section(name: &str) -> Option<&'static SectionSpec> {
    SECTIONS.iter().find(|section| section.name == name)
}

/// The key that identifies a declaration of a section: `id` or `code`.
pub fn id_key(section: &str) -> &'static str {
    declared_section(section).map_or("id", |section| section.id().name)
}

/// The sections as lists of differences have them: what a ship has, then its checks, then its cost lines.
pub fn report_order() -> impl Iterator<Item = &'static SectionSpec> {
    const LAST: [&str; 2] = ["check", "cost"];
    let first = SECTIONS.iter().filter(|section| !LAST.contains(&section.name));
    first.chain(LAST.into_iter().filter_map(declared_section))
}

/// The keys at the top of a ruleset's file.
pub fn top_keys() -> impl Iterator<Item = &'static str> + Clone {
    ["ruleset", "attributes"].into_iter().chain(SECTIONS.iter().map(|section| section.name))
}

/// Whether any section or nested table has this key.
pub fn is_key(name: &str) -> bool {
    is_provenance_key(name) || SECTIONS.iter().chain(NESTED_TABLES).any(|section| section.key(name).is_some())
}

/// Whether no number of a ship depends on a key of this name, in any section.
pub fn is_wording(name: &str) -> bool {
    SECTIONS.iter().filter_map(|section| section.key(name)).any(|key| key.wording)
}

pub fn is_provenance_key(name: &str) -> bool {
    PROVENANCE.iter().any(|(known, ..)| *known == name)
}

#[cfg(test)]
mod tests;
