//! What a form for a new entry of a table asks for: the keys of the grammar, those that must be set first.

use std::sync::Arc;

use super::collect::kind_of;
use super::model::{CellKind, GridColumn, RuleGrid};
use crate::ruleset::grammar::{KeySpec, KeyType, SectionSpec, declared_section, section};

/// Keys that a new entry often has, even if no other one has.
const OFTEN: [&str; 2] = ["like", "over"];

/// A key that a form asks for.
#[derive(Clone, Debug)]
pub struct FormColumn {
    pub column: GridColumn,
    pub required: bool,
    /// No other entry sets it.
    pub is_rare: bool,
    /// An example of the value, for what is written as in the file; empty for other kinds.
    pub example: String,
}

/// The keys of a new entry but its id. Required ones come first, then those that other entries set, then the others.
pub fn form_columns(grid: &RuleGrid) -> Vec<FormColumn> {
    let spec = spec_of(grid);
    let mut columns: Vec<FormColumn> = grid
        .columns
        .iter()
        .map(|column| (column, spec.and_then(|spec| spec.key(&column.key))))
        // What has a table of its own is added to that table.
        .filter(|(column, known)| column.kind != CellKind::Toml || known.is_some())
        .map(|(column, known)| FormColumn {
            column: column.clone(),
            required: known.is_some_and(|key| key.required),
            is_rare: false,
            example: known.map_or_else(String::new, example),
        })
        .collect();
    let id = spec.filter(|_| grid.id.part.is_none()).map(|spec| spec.id().name);
    for key in spec.map(|spec| spec.keys).unwrap_or_default() {
        if Some(key.name) == id || key.name == "after" || grid.column(key.name).is_some() {
            continue;
        }
        let column = GridColumn {
            key: Arc::from(key.name),
            label: key.name.replace('_', " "),
            unit: String::new(),
            kind: kind_of(key.holds),
            about: key.about,
        };
        // Options and parameters of a new entry are tables of their own, added after it.
        if matches!(key.holds, KeyType::TablesById(_)) {
            continue;
        }
        let is_rare = !key.required && !OFTEN.contains(&key.name);
        columns.push(FormColumn { column, required: key.required, is_rare, example: example(key) });
    }
    columns.sort_by_key(|known| (!known.required, known.is_rare, !OFTEN.contains(&&*known.column.key)));
    columns
}

fn spec_of(grid: &RuleGrid) -> Option<&'static SectionSpec> {
    let declared = declared_section(&grid.id.section)?;
    match &grid.id.part {
        None => Some(declared),
        Some((_, part)) => match declared.key(part)?.holds {
            KeyType::TablesById(nested) => section(nested),
            _ => None,
        },
    }
}

fn example(key: &KeySpec) -> String {
    match key.holds {
        KeyType::Tables(nested) => format!("[{}]", table_example(nested)),
        KeyType::TablesOrIds(_) => "[\"first\", \"second\"]".to_owned(),
        KeyType::Rows => "[[\"a\", 1], [\"b\", 2]]".to_owned(),
        KeyType::TableOf(nested) | KeyType::ChoiceOrTable(_, nested) => table_example(nested),
        KeyType::FormulaTable => "{ name = \"formula\" }".to_owned(),
        KeyType::IntegersByName => "{ name = 1 }".to_owned(),
        KeyType::Size => "20 or [20, 30]".to_owned(),
        KeyType::Position => "[0, 1]".to_owned(),
        _ => String::new(),
    }
}

/// The keys that must be set, or a name with a formula where the names are the author's own.
fn table_example(nested: &str) -> String {
    let Some(spec) = section(nested) else { return "{ }".to_owned() };
    if spec.open {
        return "{ name = \"formula\" }".to_owned();
    }
    let required = spec.keys.iter().filter(|key| key.required);
    let shown: Vec<&KeySpec> =
        if required.clone().next().is_some() { required.collect() } else { spec.keys.iter().take(2).collect() };
    let value = |key: &KeySpec| match kind_of(key.holds) {
        CellKind::Integer => "1",
        CellKind::Flag => "true",
        CellKind::Choice(words) => words.first().copied().unwrap_or("word"),
        _ => "text",
    };
    let quoted = |key: &KeySpec| match kind_of(key.holds) {
        CellKind::Integer | CellKind::Flag => value(key).to_owned(),
        _ => format!("\"{}\"", value(key)),
    };
    let keys: Vec<String> = shown.into_iter().map(|key| format!("{} = {}", key.name, quoted(key))).collect();
    format!("{{ {} }}", keys.join(", "))
}
