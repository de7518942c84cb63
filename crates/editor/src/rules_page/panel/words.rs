//! Names of the tables of a ruleset for players.

use crate::widgets::capitalize;
use moldloft_rules::ruleset::{GridId, Provenance, RuleGrid};

/// The sections in the order of the page, with their names.
pub const ORDER: [(&str, &str, &str); 22] = [
    ("system", "Systems", "system"),
    ("field", "Fields and options", "field"),
    ("setting", "Settings", "setting"),
    ("value", "Values", "value"),
    ("table", "Tables", "table"),
    ("term", "Glossary", "term"),
    ("check", "Checks", "check"),
    ("mount", "Mounts", "mount"),
    ("cost", "Cost lines", "cost line"),
    ("track", "Tracks", "track"),
    ("counter", "Counters", "counter"),
    ("ruler", "Rulers", "ruler"),
    ("shared_roll", "Shared rolls", "shared roll"),
    ("relation", "Relations", "relation"),
    ("situation", "Situations", "situation"),
    ("gauge", "Gauges", "gauge"),
    ("routine", "Routines", "routine"),
    ("attack", "Attacks", "attack"),
    ("outcome", "Outcomes", "outcome"),
    ("sheet", "Sheets", "sheet"),
    ("guide", "Guide to a first ship", "step"),
    ("", "Other", "entry"),
];

pub fn plural(section: &str) -> &'static str {
    ORDER.iter().find(|(known, ..)| *known == section).map_or("Other", |(_, name, _)| name)
}

pub fn singular(section: &str) -> &'static str {
    ORDER.iter().find(|(known, ..)| *known == section).map_or("entry", |(.., name)| name)
}

/// Several of what is under a key, and one of them.
pub fn part_name(key: &str) -> (String, String) {
    match key {
        "options" => ("options".into(), "option".into()),
        "parameters" => ("parameters".into(), "parameter".into()),
        "rows" => ("rows".into(), "row".into()),
        other => (other.replace('_', " "), format!("name in {}", other.replace('_', " "))),
    }
}

/// `Systems`, `Nation: options`.
pub fn grid_name(grid: &RuleGrid) -> String {
    match &grid.id.part {
        None => plural(&grid.id.section).to_owned(),
        Some((_, key)) if &**key == "rows" => capitalize(&grid.title),
        Some((_, key)) => format!("{}: {}", capitalize(&grid.title), part_name(key).0),
    }
}

/// Whether rows can be added by a form.
pub fn can_add(id: &GridId) -> bool {
    match &id.part {
        Some((_, key)) => matches!(&**key, "options" | "parameters" | "rows"),
        None => !id.section.is_empty(),
    }
}

pub fn severity_name(severity: &str) -> &'static str {
    match severity {
        "error" => "an error",
        "warning" => "a warning",
        "info" => "a note",
        _ => "off",
    }
}

pub fn provenance_name(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::Published => "in the text",
        Provenance::Derived => "derived",
        Provenance::Assumed => "assumed",
        Provenance::House => "house rule",
    }
}
