//! The names for players of what a formula reads, for phrases that say how a number comes about.

use crate::evaluate::state::{ShipState, display_value};
use crate::formula::{Slot, Value, Wording};
use crate::ruleset::{Call, CallKind, ChoiceDef, FieldKind, FitFilter, Ruleset, Symbol, TableKind};
use moldloft_base::sanitize::id_as_words;

pub(super) struct ShipWording<'a> {
    pub rules: &'a Ruleset,
    pub state: &'a ShipState,
}

impl ShipWording<'_> {
    fn chosen(&self, field: usize) -> Option<String> {
        let FieldKind::Choice(ChoiceDef { options, .. }) = &self.rules.fields.get(field)?.kind else { return None };
        let chosen = (*self.state.chosen.get(field)?)?;
        options.get(chosen).map(|option| option.label.to_string())
    }

    fn attribute_name(&self, answer: usize) -> Option<String> {
        let parameters = self.rules.systems.iter().flat_map(|system| &system.parameters);
        let label =
            parameters.filter(|parameter| parameter.attribute == answer).map(|parameter| &parameter.label).next();
        let id = || self.rules.symbols.attributes.get(answer).map(|known| id_as_words(&known.id));
        label.map(ToString::to_string).or_else(id)
    }

    fn systems(&self, filter: &FitFilter, given: &[Value]) -> Option<Vec<String>> {
        let name =
            |id: &str| self.rules.systems.iter().find(|system| *system.id == *id).map(|system| several(&system.name));
        match filter {
            FitFilter::Any => None,
            FitFilter::Only(systems) | FitFilter::Exactly(systems) => {
                let system = |n: &u32| self.rules.systems.get(*n as usize).map(|system| several(&system.name));
                Some(systems.iter().take(4).filter_map(system).collect())
            }
            FitFilter::Argument(place) => {
                Some(texts(given.get(*place)?).iter().map(|id| name(id).unwrap_or_else(|| id_as_words(id))).collect())
            }
        }
    }

    fn mounts(&self, filter: &FitFilter, given: &[Value]) -> Vec<String> {
        let label =
            |id: &str| self.rules.mounts.iter().find(|mount| *mount.id == *id).map(|mount| mount.label.to_string());
        match filter {
            FitFilter::Any => Vec::new(),
            FitFilter::Only(mounts) | FitFilter::Exactly(mounts) => {
                let mount = |n: &u32| self.rules.mounts.get(*n as usize).map(|mount| mount.label.to_string());
                mounts.iter().take(4).filter_map(mount).collect()
            }
            FitFilter::Argument(place) => {
                given.get(*place).map(texts).unwrap_or_default().iter().filter_map(|id| label(id)).collect()
            }
        }
    }

    fn tags(&self, filter: &FitFilter, given: &[Value]) -> Vec<String> {
        match filter {
            FitFilter::Any => Vec::new(),
            FitFilter::Only(tags) | FitFilter::Exactly(tags) => {
                let tag = |n: &u32| self.rules.symbols.tags.get(*n as usize).map(|tag| several(&id_as_words(tag)));
                tags.iter().take(4).filter_map(tag).collect()
            }
            FitFilter::Argument(place) => {
                given.get(*place).map(texts).unwrap_or_default().iter().map(|tag| several(&id_as_words(tag))).collect()
            }
        }
    }

    fn table_label(&self, table: usize) -> Option<String> {
        let table = self.rules.tables.get(table)?;
        Some(table.label.is_literal().map_or_else(|| id_as_words(&table.id), str::to_owned))
    }

    /// `alpha nodes`, `weapons, port`, `systems`.
    fn what(&self, call: &Call, given: &[Value]) -> String {
        let named = self.systems(&call.system, given).unwrap_or_default();
        let tagged = self.tags(&call.tag, given);
        let what = match (named.is_empty(), tagged.is_empty()) {
            (false, _) => named.join(" and "),
            (true, false) => tagged.join(" and "),
            (true, true) => "all systems".to_owned(),
        };
        let mounts = self.mounts(&call.mount, given);
        if mounts.is_empty() { what } else { format!("{what} in {}", mounts.join(" and ")) }
    }
}

impl Wording for ShipWording<'_> {
    fn slot_name(&self, slot: Slot) -> Option<String> {
        match Symbol::from_slot(slot) {
            Symbol::Value(n) => self.rules.values.get(n).map(|value| value.label.to_string()),
            Symbol::Field(n) => self.rules.fields.get(n).map(|field| field.label.to_string()),
            Symbol::Relation(n) => self.rules.relations.get(n).map(|relation| relation.label.to_string()),
            Symbol::Attribute(answer) | Symbol::Whole(answer) => self.attribute_name(answer),
            _ => None,
        }
    }

    fn circumstance(&self, slot: Slot, value: &Value) -> Option<String> {
        match Symbol::from_slot(slot) {
            Symbol::FieldOption(n, _) => self.chosen(n),
            Symbol::Field(n) if self.chosen(n).is_some() => self.chosen(n),
            Symbol::Value(_) | Symbol::Field(_) | Symbol::Relation(_) | Symbol::Attribute(_) | Symbol::Whole(_) => {
                let name = self.slot_name(slot)?;
                match value {
                    Value::Int(0) | Value::Flag(false) => Some(format!("no {name}")),
                    Value::Int(number) => Some(format!("{name} {number}")),
                    Value::Flag(true) => Some(name),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_rate(&self, slot: Slot) -> bool {
        matches!(Symbol::from_slot(slot), Symbol::FieldOption(_, 1..) | Symbol::Setting(_) | Symbol::SettingOption(..))
    }

    fn call_name(&self, call: u32, given: &[Value]) -> Option<String> {
        let call = self.rules.symbols.calls.get(call)?;
        match call.kind {
            CallKind::Count => Some(match self.what(call, given) {
                all if all == "all systems" => "the number of systems aboard".to_owned(),
                what => format!("{what} aboard"),
            }),
            CallKind::Total(answer) => {
                Some(format!("{} of {} aboard", self.attribute_name(answer)?, self.what(call, given)))
            }
            CallKind::Row(table) => Some(format!("the table {}{}", self.table_label(table)?, row_words(given))),
            CallKind::Step(table, _) | CallKind::Within(table, _) => {
                let reach = given.first().map(display_value)?;
                Some(format!("the table {} at {reach}", self.table_label(table)?))
            }
            CallKind::Cells(table, column) => {
                let TableKind::Rows { columns, .. } = &self.rules.tables.get(table)?.kind else { return None };
                let column = columns.get(column)?;
                let label = if column.label.is_empty() { id_as_words(&column.id) } else { column.label.to_string() };
                Some(format!("{label} of all rows in the table {}", self.table_label(table)?))
            }
            CallKind::Removed { .. } => None,
            CallKind::Fitted | CallKind::Systems => Some(match self.what(call, given) {
                all if all == "all systems" => "the systems aboard".to_owned(),
                what => format!("{what} aboard"),
            }),
            CallKind::Kind(_) => None,
        }
    }
}

/// ` for laser, 3`: the words that find a row; nothing where they are long.
fn row_words(given: &[Value]) -> String {
    let words: Vec<String> = given.iter().map(display_value).map(|word| id_as_words(&word)).collect();
    let words = words.join(", ");
    if words.is_empty() || words.chars().count() > 40 { String::new() } else { format!(" for {words}") }
}

fn several(name: &str) -> String {
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if name.ends_with('s') => name.to_owned(),
        _ => format!("{name}s"),
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.to_string()],
        Value::List(list) => list.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
