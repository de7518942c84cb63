//! Things that no design can reach: takes the lint context, reports conditions that never or always hold, mounts that
//! take nothing, systems that fit nowhere, rows that no key finds. Conditions are tried on every combination of the
//! choices, flags and short ranges that they read, so the findings are certain.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_rules::formula::{Formula, Host, Slot, Type, Value};
use moldloft_rules::ruleset::{CallKind, ChoiceDef, FieldKind, Ruleset, Symbol, TableKind};

use super::context::{LintContext, template_texts, words_of};

/// The most combinations for one condition.
const MAX_COMBINATIONS: usize = 4_000;
/// The most for all conditions together, and the most list cells that their formulas create.
const MAX_TOTAL_COMBINATIONS: u32 = 300_000;
/// Rows of one table times calls that may find several of them.
const MAX_ROW_CHECKS: usize = 1_000_000;
/// The longest range of whole numbers that is tried in full.
const MAX_RANGE: i64 = 60;

pub(super) fn check(context: &mut LintContext<'_>) {
    check_conditions(context);
    check_mounts(context);
    check_rows(context);
}

/// The cases of a name, each with the values of its slots.
type SlotCases = Vec<Vec<(Slot, Value)>>;

/// The cases of a name and of those that depend on the same choice, with the numbers so far `beyond` what is allowed; `None` when they
/// are not known statically.
fn slot_cases(rules: &Ruleset, name: Symbol, beyond: i64) -> Option<SlotCases> {
    let of_choice = |choice: &ChoiceDef, own: Symbol, attribute: &dyn Fn(usize) -> Symbol| -> SlotCases {
        let one = |option: &moldloft_rules::ruleset::ChoiceOption| {
            let data = option.values.iter().enumerate().map(|(a, value)| (attribute(a + 1).slot(), value.clone()));
            let label = (attribute(0).slot(), Value::Text(option.label.clone()));
            [(own.slot(), Value::Text(option.id.clone())), label].into_iter().chain(data).collect()
        };
        // One more than the limit, so that no condition tries them.
        choice.options.iter().take(MAX_COMBINATIONS + 1).map(one).collect()
    };
    let numbers = |min: Option<i64>, max: Option<i64>| -> Option<SlotCases> {
        let (min, max) = (min?, max?);
        let numbers = min.saturating_sub(beyond)..=max.saturating_add(beyond);
        (max - min <= MAX_RANGE).then(|| numbers.map(|n| vec![(name.slot(), Value::Int(n))]).collect())
    };
    match name {
        Symbol::Field(n) | Symbol::FieldOption(n, _) => match &rules.fields[n].kind {
            FieldKind::Choice(choice) => Some(of_choice(choice, Symbol::Field(n), &|a| Symbol::FieldOption(n, a))),
            FieldKind::Flag => Some([true, false].map(|flag| vec![(name.slot(), Value::Flag(flag))]).to_vec()),
            FieldKind::Integer { min, max } => numbers(*min, *max),
            FieldKind::Text | FieldKind::Rows(_) => None,
        },
        Symbol::Setting(n) | Symbol::SettingOption(n, _) => match &rules.settings[n].choice {
            Some(choice) => Some(of_choice(choice, Symbol::Setting(n), &|a| Symbol::SettingOption(n, a))),
            None => numbers(rules.settings[n].min, rules.settings[n].max),
        },
        _ => None,
    }
}

/// The name that all names of one choice share.
fn choice_root(name: Symbol) -> Symbol {
    match name {
        Symbol::FieldOption(n, _) => Symbol::Field(n),
        Symbol::SettingOption(n, _) => Symbol::Setting(n),
        other => other,
    }
}

struct CaseHost<'b>(BTreeMap<Slot, Value>, &'b Cell<u32>);

impl Host for CaseHost<'_> {
    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        self.0.get(&slot)
    }

    fn reserve_cells(&self, cells: u32) -> bool {
        self.1.set(self.1.get().saturating_sub(cells));
        self.1.get() > 0
    }
}

/// Whether a condition can hold and can fail, with numbers so far `beyond` what is allowed; `None` when it depends on more than choices.
fn possible_outcomes(rules: &Ruleset, formula: &Formula, beyond: i64, budget: &Cell<u32>) -> Option<(bool, bool)> {
    if formula.calls().next().is_some() {
        return None;
    }
    let mut names: Vec<Symbol> = Vec::new();
    for slot in formula.reads() {
        let name = choice_root(Symbol::from_slot(slot));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let all: Vec<SlotCases> = names.iter().map(|&name| slot_cases(rules, name, beyond)).collect::<Option<_>>()?;
    if all.iter().map(Vec::len).try_fold(1_usize, |a, b| a.checked_mul(b)).is_none_or(|count| count > MAX_COMBINATIONS)
    {
        return None;
    }
    let slots: usize = all.iter().flatten().map(Vec::len).sum();
    budget.set(budget.get().saturating_sub(u32::try_from(slots / 8).unwrap_or(u32::MAX)).max(1));
    let (mut holds, mut fails) = (false, false);
    let mut places = vec![0; all.len()];
    loop {
        budget.set(budget.get().saturating_sub(1));
        if budget.get() == 0 {
            return None;
        }
        let chosen = all.iter().zip(&places).flat_map(|(cases, &place)| cases.get(place).cloned().unwrap_or_default());
        match formula.flag(&CaseHost(chosen.collect(), budget)) {
            Ok(Some(true)) => holds = true,
            Ok(Some(false)) => fails = true,
            Ok(None) | Err(_) => return None,
        }
        let Some(next) = (0..all.len()).find(|&n| places[n] + 1 < all[n].len()) else { break };
        places[next] += 1;
        places[..next].fill(0);
    }
    Some((holds, fails))
}

fn check_conditions(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let off: Vec<&str> = rules.checks.iter().filter(|c| c.severity.is_none()).map(|c| &*c.code).collect();
    let mut found: Vec<(&'static str, &Formula, String, &str)> = Vec::new();
    let budget = Cell::new(MAX_TOTAL_COMBINATIONS);
    for entry in &context.formulas {
        let moldloft_rules::ruleset::FormulaRef::Formula(formula) = entry.part else { continue };
        if !["when", "shown_when", "fails_when", "from", "to"].contains(&entry.key)
            || entry.section == "check" && off.contains(&entry.id)
        {
            continue;
        }
        let what = match entry.section {
            "provenance" => entry.id.to_owned(),
            "cost" => "[[cost]]".to_owned(),
            word => format!("[[{word}]] {}", entry.id),
        };
        match possible_outcomes(rules, formula, 0, &budget) {
            Some((false, _)) => {
                // A table that only the reference sheet shows belongs to no ship.
                // One made from another is read by formulas.
                let is_made = || rules.tables.iter().any(|table| *table.id == *entry.id && table.made_from.is_some());
                let only_shown = entry.section == "table"
                    && (context.template_words.contains(entry.id) || is_made())
                    && formula.is_constant();
                if !only_shown {
                    let message =
                        format!("{what}: `{}` never holds for any design: `{}`", entry.key, shorten_source(formula));
                    found.push(("never-holds", formula, message, "fix the condition, or remove what it is for"));
                }
            }
            // What is true of every number that is allowed may keep a check from one that is not.
            Some((true, false))
                if entry.key != "fails_when"
                    && !formula.is_constant()
                    && possible_outcomes(rules, formula, 1, &budget) == Some((true, false)) =>
            {
                let message =
                    format!("{what}: `{}` always holds for any design: `{}`", entry.key, shorten_source(formula));
                found.push(("always-holds", formula, message, "remove it, or fix it"));
            }
            _ => {}
        }
    }
    for (code, formula, message, help) in found {
        context.find_about(code, formula.at, words_of(&formula.source), message, help);
    }
}

fn shorten_source(formula: &Formula) -> String {
    moldloft_rules::ruleset::shorten(&formula.source)
}

fn check_mounts(context: &mut LintContext<'_>) {
    let rules = context.rules;
    if rules.mounts.is_empty() {
        return;
    }
    for system in rules.systems.iter().filter(|system| !system.is_abstract) {
        if system.mounts.as_ref().is_some_and(Vec::is_empty) {
            let span = context.span("system", &system.id, "mounts");
            let message = format!("{} has no allowed mount, so it cannot be fitted", system.id);
            context.find("system-without-mount", span, message, "list its mounts, or remove `mounts` to allow any");
        }
    }
    // An abstract system counts: custom systems like it go where it may.
    let anywhere = rules.systems.iter().any(|system| system.mounts.is_none());
    for (n, mount) in rules.mounts.iter().enumerate() {
        if !anywhere && !rules.systems.iter().any(|s| s.mounts.as_ref().is_some_and(|mounts| mounts.contains(&n))) {
            let span = context.span("mount", &mount.id, "id");
            let message = format!("no system is allowed in {}", mount.id);
            context.find("mount-takes-nothing", span, message, "add it to the `mounts` of a system, or remove it");
        }
    }
}

/// Rows of tables that only formulas read, with keys that no formula has.
fn check_rows(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let stepped = |table: usize| {
        let calls = context.calls.iter().filter_map(|&call| rules.symbols.calls.get(call));
        calls.into_iter().any(|call| call.kind.table() == Some(table) && !matches!(call.kind, CallKind::Row(_)))
    };
    let templates = || context.existing_templates.iter().flat_map(|(_, template)| template_texts(template));
    let is_shown = |id: &str| {
        let (quoted, looked_up) = (format!("'{id}'"), format!("row('{id}'"));
        let mut panels = context.existing_templates.iter().flat_map(|(_, template)| &template.panels);
        panels.any(|panel| panel.argument.text.split(' ').next() == Some(id) || shows_table(&panel.options.text, id))
            || templates().any(|text| text.matches(&quoted).count() > text.matches(&looked_up).count())
    };
    let mut calls: HashMap<String, Vec<Vec<&str>>> = HashMap::new();
    for formula in context.formulas.iter().flat_map(|entry| entry.part.formula_sources()).chain(templates()) {
        for (table, arguments) in row_calls(formula) {
            calls.entry(table.to_owned()).or_default().push(arguments);
        }
    }
    let mut found = Vec::new();
    for (n, table) in rules.tables.iter().enumerate() {
        let TableKind::Rows { columns, key, rows, .. } = &table.kind else { continue };
        // Rows that are made from another table's come and go with those.
        let is_made = table.made_from.is_some() || rules.tables.iter().any(|other| other.made_from == Some(n));
        if key.is_empty() || is_made || !context.has_all_files || stepped(n) {
            continue;
        }
        let Some(calls) = calls.get(&*table.id).filter(|_| !is_shown(&table.id)) else { continue };
        // Where all keys are literals, rows are looked up; the few other calls are compared one by one.
        let mut words: BTreeSet<Vec<String>> = BTreeSet::new();
        let mut partly_known: Vec<Vec<Option<Vec<Value>>>> = Vec::new();
        for arguments in calls {
            let possible: Vec<Option<Vec<Value>>> =
                arguments.iter().map(|argument| possible_values(rules, argument)).collect();
            let one = |possible: &Option<Vec<Value>>| match possible.as_deref() {
                Some([one]) => Some(format!("{one:?}")),
                _ => None,
            };
            match possible.iter().take(key.len()).map(one).collect::<Option<Vec<String>>>() {
                Some(all) if all.len() == key.len() => {
                    words.insert(all);
                }
                _ => partly_known.push(possible),
            }
        }
        if partly_known.len().saturating_mul(rows.len()) > MAX_ROW_CHECKS {
            continue;
        }
        for (place, row) in rows.iter().enumerate() {
            let own: Vec<String> = key.iter().map(|&column| format!("{:?}", row.entries[column].1)).collect();
            let reached = words.contains(&own)
                || partly_known.iter().any(|arguments| {
                    key.iter().zip(arguments).all(|(&column, possible)| {
                        possible.as_ref().is_none_or(|values| values.contains(&row.entries[column].1))
                    })
                });
            if !reached {
                let words: Vec<String> = key.iter().map(|&column| value_text(&row.entries[column].1)).collect();
                let names: Vec<&str> = key.iter().map(|&column| &*columns[column].id).collect();
                let span = row_span(context, &table.id, place);
                found.push((
                    span,
                    words.clone(),
                    format!(
                        "no formula looks up the row of {} with {} = {}",
                        table.id,
                        names.join(", "),
                        words.join(", ")
                    ),
                ));
            }
        }
    }
    for (span, words, message) in found {
        let help = "show the table on a sheet, fix the row's key, or remove the row";
        context.find_about("row-never-read", span, words, message, help);
    }
}

/// Whether a panel's options name a panel of this table: `show = "table dice"`.
fn shows_table(options: &str, id: &str) -> bool {
    let mut named = options.split("table ").skip(1);
    named.any(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c)).next() == Some(id))
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        _ => "…".to_owned(),
    }
}

pub(super) fn row_span(context: &LintContext<'_>, table: &str, place: usize) -> Span {
    match context.definition("table", table).and_then(|table| table.get("rows")?.as_list()) {
        Some(rows) => rows.get(place).map_or(Span::default(), |row| row.span),
        None => context.span("table", table, "id"),
    }
}

/// Table and arguments of each `row('TABLE', …)` in a formula.
fn row_calls(formula: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all = Vec::new();
    for (at, _) in formula.match_indices("row(") {
        let rest = &formula[at + 4..];
        let Some(arguments) = split_arguments(rest) else { continue };
        if let Some((first, rest)) = arguments.split_first() {
            all.push((first.trim_matches(['\'', '"']), rest.to_vec()));
        }
    }
    all
}

/// Up to the closing bracket.
fn split_arguments(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut quote, mut start) = (0, None, 0);
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')') if depth == 0 => {
                found.push(text[start..at].trim());
                return Some(found);
            }
            (None, ')' | ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The values of an argument that is a literal, a choice or its data.
fn possible_values(rules: &Ruleset, argument: &str) -> Option<Vec<Value>> {
    let quoted = argument.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    if let Some(word) = quoted.filter(|word| !word.contains('\'')) {
        return Some(vec![Value::Text(word.into())]);
    }
    if let Ok(number) = argument.parse() {
        return Some(vec![Value::Int(number)]);
    }
    if let Some((one, rest)) = argument.split_once(" if ") {
        let (_, other) = rest.split_once(" else ")?;
        return Some([possible_values(rules, one)?, possible_values(rules, other)?].concat());
    }
    let parts: Vec<&str> = argument.split('.').collect();
    let choice = |id: &str| {
        let field = rules.fields.iter().find(|field| *field.id == *id).and_then(|field| match &field.kind {
            FieldKind::Choice(choice) => Some(choice),
            _ => None,
        });
        field.or_else(|| rules.settings.iter().find(|s| *s.id == *id).and_then(|s| s.choice.as_ref()))
    };
    match parts.as_slice() {
        [id] => Some(choice(id)?.options.iter().map(|option| Value::Text(option.id.clone())).collect()),
        ["choice", id, attribute] => {
            let choice = choice(id)?;
            let place = choice.attributes.iter().position(|(known, _)| **known == **attribute)?;
            Some(choice.options.iter().filter_map(|option| option.values.get(place).cloned()).collect())
        }
        ["it", parameter] => {
            let attribute = rules.symbols.attributes.iter().find(|attribute| *attribute.id == **parameter)?;
            match &attribute.ty {
                Type::Text(Some(words)) => {
                    Some(words.iter().map(|word: &Arc<str>| Value::Text(word.clone())).collect())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_row_are_found() {
        let formula = "1 + row('a', choice.x.y, max(1, [2, 3][0])).n + row('b', 'it, )').m";
        let calls = [("a", vec!["choice.x.y", "max(1, [2, 3][0])"]), ("b", vec!["'it, )'"])];
        assert_eq!(row_calls(formula), calls);
        assert!(row_calls("row('a', 1").is_empty());
    }
}
