//! `own_systems` of `[ruleset]`: takes its node, gives the rules for custom systems. Attributes are resolved once they
//! are known.

use std::sync::Arc;

use super::Compiler;
use crate::formula::Type;
use crate::ruleset::model::{AttributeBound, CustomSystemBase, CustomSystemRules};
use crate::ruleset::table_reader::{Problems, TableReader, shorten, suggest};
use crate::source::toml::{TomlNode, TomlValue};

/// Parses `own_systems = "abstract"`, or a table with `like`, `min`, `max` and `house`.
pub(super) fn parse_custom_systems(node: &TomlNode<'_>, problems: &Problems<'_>) -> Option<CustomSystemRules> {
    let said = CustomSystemRules { span: Some(node.span), ..CustomSystemRules::default() };
    match &node.data {
        TomlValue::Text(text) => {
            let like = CustomSystemBase::ALL.iter().find(|(word, _)| *word == text.as_ref());
            if like.is_none() {
                let help = suggest(text, CustomSystemBase::ALL.iter().map(|(word, _)| *word));
                let message = format!("[ruleset]: `own_systems` cannot be `{}`", shorten(text));
                problems.error("unknown-word", node.span, message, help);
            }
            like.map(|(_, like)| CustomSystemRules { like: *like, ..said })
        }
        TomlValue::Table(table) => {
            let reader = TableReader::new(table, "[ruleset]: own_systems", problems);
            let like = reader.one_of("like", &CustomSystemBase::ALL).unwrap_or_default();
            let (min, max) = (parse_bounds(&reader, "min"), parse_bounds(&reader, "max"));
            let house = reader.string("house");
            let _ = reader.string("assumed");
            reader.report_unknown_keys();
            Some(CustomSystemRules { like, min, max, house, ..said })
        }
        other => {
            let message = format!(
                "[ruleset]: expected \"none\", \"abstract\", \"any\" or a table for `own_systems`, found {}",
                other.kind()
            );
            problems.error("wrong-type", node.span, message, "");
            None
        }
    }
}

fn parse_bounds(reader: &TableReader<'_, '_>, key: &'static str) -> Vec<AttributeBound> {
    let mut bounds = Vec::new();
    for entry in reader.table(key).iter().flat_map(|table| &table.entries).take(super::MAX_ATTRIBUTES) {
        match entry.node.data {
            TomlValue::Int(amount) if amount.unsigned_abs() <= crate::ruleset::MAX_NUMBER => {
                bounds.push(AttributeBound { attribute: Arc::from(entry.key.as_ref()), amount, span: entry.span });
            }
            _ => {
                let message = format!(
                    "{}: expected a whole number of at most 15 digits for `{key}.{}`",
                    reader.label,
                    shorten(&entry.key)
                );
                reader.problems.error("wrong-type", entry.node.span, message, "");
            }
        }
    }
    bounds
}

impl Compiler<'_> {
    /// Removes and reports bounds of attributes that are not numbers.
    pub(super) fn check_custom_bounds(&self, own: &mut CustomSystemRules) {
        let known = |bound: &AttributeBound| {
            let numbers = self.symbols.attributes.iter().filter(|answer| answer.ty == Type::Int);
            let names: Vec<&str> = numbers.map(|answer| &*answer.id).collect();
            let found = names.contains(&&*bound.attribute);
            if !found {
                let message =
                    format!("[ruleset]: own_systems: unknown number `{}` in [attributes]", shorten(&bound.attribute));
                self.problems.error("unknown-word", bound.span, message, suggest(&bound.attribute, names));
            }
            found
        };
        own.min.retain(known);
        own.max.retain(known);
    }
}
