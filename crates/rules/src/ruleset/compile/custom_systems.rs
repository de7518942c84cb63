//! `own_systems` of `[ruleset]`: takes its node, gives the rules for custom systems. Attributes are resolved once they
//! are known.

use std::sync::Arc;

use crate::formula::Type;
use crate::ruleset::limits::{MAX_ATTRIBUTES, MAX_NUMBER};
use crate::ruleset::model::{AttributeBound, CustomSystemBase, CustomSystemRules};
use crate::ruleset::problems::{Problems, shorten, suggest};
use crate::ruleset::symbol_table::SymbolTable;
use crate::ruleset::table_reader::TableReader;
use moldloft_base::source::toml::{TomlNode, TomlValue};

/// Parses `own_systems = "abstract"`, or a table with `like`, `min`, `max`, `open` and `house`.
pub(super) fn parse_custom_systems(node: &TomlNode<'_>, problems: &Problems<'_>) -> Option<CustomSystemRules> {
    let given = CustomSystemRules { span: Some(node.span), ..CustomSystemRules::default() };
    match &node.data {
        TomlValue::Text(text) => {
            let like = CustomSystemBase::named(text);
            if like.is_none() {
                let help = suggest(text, CustomSystemBase::ALL.iter().map(|(word, _)| *word));
                let message = format!("[ruleset]: `own_systems` cannot be `{}`", shorten(text));
                problems.error("unknown-word", node.span, message, help);
            }
            like.map(|like| CustomSystemRules { like, ..given })
        }
        TomlValue::Table(table) => {
            let reader = TableReader::new(table, "[ruleset]: own_systems", problems);
            let like = reader.one_of("like", &CustomSystemBase::ALL).unwrap_or_default();
            let (min, max) = (parse_bounds(&reader, "min"), parse_bounds(&reader, "max"));
            let open = reader.texts("open").unwrap_or_default();
            let house = reader.string("house");
            let _ = reader.string("assumed");
            reader.report_unknown_keys();
            Some(CustomSystemRules { like, min, max, open, house, ..given })
        }
        other => {
            let message = format!(
                "[ruleset]: expected \"none\", \"abstract\", \"any\" or a table for `own_systems`, found {}",
                other.type_name()
            );
            problems.error("wrong-type", node.span, message, "");
            None
        }
    }
}

fn parse_bounds(reader: &TableReader<'_, '_>, key: &'static str) -> Vec<AttributeBound> {
    let mut bounds = Vec::new();
    for entry in reader.table(key).iter().flat_map(|table| &table.entries).take(MAX_ATTRIBUTES) {
        match entry.node.data {
            TomlValue::Int(amount) if amount.unsigned_abs() <= MAX_NUMBER => {
                bounds.push(AttributeBound { attribute: Arc::from(entry.key.as_ref()), amount, span: entry.span });
            }
            _ => {
                let message =
                    format!("expected a whole number of at most 15 digits for `{key}.{}`", shorten(&entry.key));
                reader.error("wrong-type", entry.node.span, message, "");
            }
        }
    }
    bounds
}

/// Removes and reports bounds of attributes that are not numbers, and open attributes that are none.
pub(super) fn check_bounds(own: &mut CustomSystemRules, symbols: &SymbolTable, problems: &Problems<'_>) {
    let is_known = |bound: &AttributeBound| {
        let numbers = symbols.attributes.iter().filter(|attribute| attribute.ty == Type::Int);
        let names: Vec<&str> = numbers.map(|attribute| &*attribute.id).collect();
        let found = names.contains(&&*bound.attribute);
        if !found {
            let message =
                format!("[ruleset]: own_systems: unknown number `{}` in [attributes]", shorten(&bound.attribute));
            problems.error("unknown-word", bound.span, message, suggest(&bound.attribute, names));
        }
        found
    };
    own.min.retain(is_known);
    own.max.retain(is_known);
    own.open.retain(|(open, span)| {
        let found = symbols.attribute(open).is_some();
        if !found {
            let names = symbols.attributes.iter().map(|attribute| &*attribute.id);
            let message = format!("[ruleset]: own_systems: unknown attribute `{}` in `open`", shorten(open));
            problems.error("unknown-word", *span, message, suggest(open, names));
        }
        found
    });
}
