//! The keys of a fleet's file, and how it differs from a design's.

use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

pub const FLEET_KEYS: [&str; 12] =
    ["ruleset", "schema", "name", "side", "player", "colour", "pattern", "notes", "budget", "group", "ship", "design"];

pub(in crate::design) fn has_fleet_keys(root: &TomlTable<'_>) -> bool {
    let has = |key: &str| root.get(key).is_some();
    let of_design = has("fit") || has("fields") || has("system");
    let tables =
        |key: &str| matches!(root.get(key), Some(TomlNode { data: TomlValue::List(_) | TomlValue::Table(_), .. }));
    !matches!(root.get("ruleset"), Some(TomlNode { data: TomlValue::Table(_), .. }))
        && !of_design
        && (has("ship") || has("budget") || has("side") || tables("group") || tables("design"))
}
