//! The names for players of what a formula reads, for phrases that say how a number comes about.

use crate::evaluate::state::{ShipState, display_value};
use crate::formula::{Slot, Value, Wording};
use crate::ruleset::{Call, CallKind, ChoiceDef, FieldKind, FitFilter, Ruleset, Symbol, TableKind};
use moldloft_base::sanitize::id_as_words;
use moldloft_base::words::around_in_words;

pub(super) struct ShipWording<'a> {
    pub rules: &'a Ruleset,
    pub state: &'a ShipState,
}

impl ShipWording<'_> {
    fn chosen(&self, field: usize) -> Option<String> {
        let FieldKind::Choice(ChoiceDef { options, .. }) = &self.rules.fields.get(field)?.kind else { return None };
        let chosen = (*self.state.chosen.get(field)?)?;
        options.get(chosen).map(|option| self.rules.say(&option.label))
    }

    fn attribute_name(&self, answer: usize) -> Option<String> {
        let parameters = self.rules.systems.iter().flat_map(|system| &system.parameters);
        let label =
            parameters.filter(|parameter| parameter.attribute == answer).map(|parameter| &parameter.label).next();
        let id = || self.rules.symbols.attributes.get(answer).map(|known| id_as_words(&known.id));
        label.map(ToString::to_string).or_else(id).map(|name| self.rules.say(&name))
    }

    fn systems(&self, filter: &FitFilter, given: &[Value]) -> Option<Vec<String>> {
        let plural = |name: &str| self.rules.say(&several(name));
        let name =
            |id: &str| self.rules.systems.iter().find(|system| *system.id == *id).map(|system| plural(&system.name));
        match filter {
            FitFilter::Any => None,
            FitFilter::Only(systems) | FitFilter::Exactly(systems) => {
                let system = |n: &u32| self.rules.systems.get(*n as usize).map(|system| plural(&system.name));
                Some(systems.iter().take(4).filter_map(system).collect())
            }
            FitFilter::Argument(place) => {
                Some(texts(given.get(*place)?).iter().map(|id| name(id).unwrap_or_else(|| id_as_words(id))).collect())
            }
        }
    }

    fn mounts(&self, filter: &FitFilter, given: &[Value]) -> Vec<String> {
        let label = |id: &str| {
            self.rules.mounts.iter().find(|mount| *mount.id == *id).map(|mount| self.rules.say(&mount.label))
        };
        match filter {
            FitFilter::Any => Vec::new(),
            FitFilter::Only(mounts) | FitFilter::Exactly(mounts) => {
                let mount = |n: &u32| self.rules.mounts.get(*n as usize).map(|mount| self.rules.say(&mount.label));
                mounts.iter().take(4).filter_map(mount).collect()
            }
            FitFilter::Argument(place) => {
                given.get(*place).map(texts).unwrap_or_default().iter().filter_map(|id| label(id)).collect()
            }
        }
    }

    fn tags(&self, filter: &FitFilter, given: &[Value]) -> Vec<String> {
        let plural = |tag: &str| self.rules.say(&several(&id_as_words(tag)));
        match filter {
            FitFilter::Any => Vec::new(),
            FitFilter::Only(tags) | FitFilter::Exactly(tags) => {
                let tag = |n: &u32| self.rules.symbols.tags.get(*n as usize).map(|tag| plural(tag));
                tags.iter().take(4).filter_map(tag).collect()
            }
            FitFilter::Argument(place) => {
                given.get(*place).map(texts).unwrap_or_default().iter().map(|tag| plural(tag)).collect()
            }
        }
    }

    fn table_label(&self, table: usize) -> Option<String> {
        let table = self.rules.tables.get(table)?;
        Some(self.rules.say(&table.label.is_literal().map_or_else(|| id_as_words(&table.id), str::to_owned)))
    }

    /// `alpha nodes`, `weapons, port`, `systems`.
    fn what(&self, call: &Call, given: &[Value]) -> String {
        let named = self.systems(&call.system, given).unwrap_or_default();
        let tagged = self.tags(&call.tag, given);
        let both = |names: Vec<String>| {
            let joined = names.into_iter().reduce(|text, name| self.tell("{1} and {2}", &[&text, &name]));
            joined.unwrap_or_default()
        };
        let what = match (named.is_empty(), tagged.is_empty()) {
            (false, _) => both(named),
            (true, false) => both(tagged),
            (true, true) => self.tell("all systems", &[]),
        };
        let mounts = self.mounts(&call.mount, given);
        if mounts.is_empty() { what } else { self.tell("{1} in {2}", &[&what, &both(mounts)]) }
    }
}

impl Wording for ShipWording<'_> {
    fn slot_name(&self, slot: Slot) -> Option<String> {
        match Symbol::from_slot(slot) {
            Symbol::Value(n) => self.rules.values.get(n).map(|value| self.rules.say(&value.label)),
            Symbol::Field(n) => self.rules.fields.get(n).map(|field| self.rules.say(&field.label)),
            Symbol::Relation(n) => self.rules.relations.get(n).map(|relation| self.rules.say(&relation.label)),
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
                    Value::Int(0) | Value::Flag(false) => Some(self.tell("no {1}", &[&name])),
                    Value::Int(number) => Some(format!("{name} {number}")),
                    Value::Flag(true) => Some(name),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn tell(&self, phrase: &str, values: &[&str]) -> String {
        around_in_words(self.rules.words.as_deref(), phrase, values)
    }

    fn is_rate(&self, slot: Slot) -> bool {
        matches!(Symbol::from_slot(slot), Symbol::FieldOption(_, 1..) | Symbol::Setting(_) | Symbol::SettingOption(..))
    }

    fn call_name(&self, call: u32, given: &[Value]) -> Option<String> {
        let call = self.rules.symbols.calls.get(call)?;
        match call.kind {
            CallKind::Count => Some(match self.what(call, given) {
                all if all == "all systems" => self.tell("the number of systems aboard", &[]),
                what => self.tell("{1} aboard", &[&what]),
            }),
            CallKind::Total(answer) => {
                Some(self.tell("{1} of {2} aboard", &[&self.attribute_name(answer)?, &self.what(call, given)]))
            }
            CallKind::Row(table) => {
                let (table, row) = (self.table_label(table)?, row_words(given));
                Some(match row {
                    Some(row) => self.tell("the table {1} for {2}", &[&table, &row]),
                    None => self.tell("the table {1}", &[&table]),
                })
            }
            CallKind::Step(table, _) | CallKind::Within(table, _) => {
                let reach = given.first().map(display_value)?;
                Some(self.tell("the table {1} at {2}", &[&self.table_label(table)?, &reach]))
            }
            CallKind::Cells(table, column) => {
                let TableKind::Rows { columns, .. } = &self.rules.tables.get(table)?.kind else { return None };
                let column = columns.get(column)?;
                let label = if column.label.is_empty() { id_as_words(&column.id) } else { column.label.to_string() };
                Some(
                    self.tell(
                        "{1} of all rows in the table {2}",
                        &[&self.rules.say(&label), &self.table_label(table)?],
                    ),
                )
            }
            CallKind::Removed { .. } => None,
            CallKind::Fitted | CallKind::Systems => Some(match self.what(call, given) {
                all if all == "all systems" => self.tell("the systems aboard", &[]),
                what => self.tell("{1} aboard", &[&what]),
            }),
            CallKind::Kind(_) => None,
        }
    }
}

/// `laser, 3`: the words that find a row; `None` where they are long.
fn row_words(given: &[Value]) -> Option<String> {
    let words: Vec<String> = given.iter().map(display_value).map(|word| id_as_words(&word)).collect();
    let words = words.join(", ");
    (!words.is_empty() && words.chars().count() <= 40).then_some(words)
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
