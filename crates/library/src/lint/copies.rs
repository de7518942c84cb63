//! Numbers that attacks have a copy of: takes the lint context, reports weapons that no attack uses, numbers that stand in an attack and again in a
//! table or value, and tables that a layer changes while attacks read a copy. Never evaluates.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::finding::Advice;
use moldloft_base::source::Span;
use moldloft_rules::formula::{Formula, Value, ranges_of};
use moldloft_rules::ruleset::{ChangeKind, GaugeSize, Ruleset, Selector, Step, Symbol, TableKind, Variable, ship_slot};

use super::context::LintContext;
use super::reach::{Part, RulesetReads};

/// Fewer numbers than these may be alike by chance.
const MIN_NUMBERS: usize = 3;

pub(super) fn check(context: &mut LintContext<'_>) {
    if context.rules.attack_rules.attacks.is_empty() {
        return;
    }
    let rules = context.rules;
    let reads = RulesetReads::new(rules);
    check_weapons(context, &reads);
    check_tables(context, &reads);
    check_values(context, &reads);
    check_changes(context, &reads);
}

/// Whether the odds of an attack hang on a part other than by what a ship has to lose.
fn is_used(reads: &RulesetReads<'_>, part: Part) -> bool {
    let mut parts = vec![part];
    let mut seen = BTreeSet::new();
    while let Some(part) = parts.pop() {
        for (n, declaration) in reads.declarations.iter().enumerate() {
            let passes_on = matches!(declaration.section, "value" | "table" | "track" | "attack");
            if !passes_on || seen.contains(&n) || !reads.reads(declaration, &part) {
                continue;
            }
            if declaration.section == "attack" {
                return true;
            }
            seen.insert(n);
            parts.push(declaration.part.clone());
        }
    }
    false
}

/// Systems that are weapons by a tag, or by mounts that only weapons have, and that no attack uses.
fn check_weapons(context: &mut LintContext<'_>, reads: &RulesetReads<'_>) {
    let rules = context.rules;
    let used: Vec<bool> = (0..rules.systems.len()).map(|system| is_used(reads, Part::System(system))).collect();
    let mut for_each = BTreeSet::new();
    for attack in &rules.attack_rules.attacks {
        if let Some(Selector::Fit(Some(systems)) | Selector::System(Some(systems))) = &attack.for_each {
            for_each.extend(systems.iter().copied());
        }
    }
    let moves_systems = rules.statements.iter().any(|one| {
        let key = rules.sources.get(usize::from(one.span.file)).map_or("", |source| source.slice(one.span));
        one.kind == ChangeKind::Changed && &*one.section == "system" && key.trim() == "mounts"
    });
    let all = || rules.systems.iter().enumerate();
    for (n, system) in all().filter(|(n, system)| !used[*n] && !system.is_abstract) {
        // Others of the same file that are not used either say nothing.
        let own_file = system.span.file;
        let is_other_used = |alike: &dyn Fn(usize) -> bool| {
            let others = all().filter(|(other, one)| *other != n && !one.is_abstract && alike(*other));
            let mut others = others.filter(|(other, one)| used[*other] || one.span.file != own_file || own_file == 0);
            let first = others.next();
            first.is_some_and(|(first, _)| used[first]) && others.all(|(other, _)| used[other])
        };
        let by_tag = system.tag_ids.iter().any(|tag| {
            let alike = |other: usize| rules.systems[other].tag_ids.contains(tag);
            is_other_used(&alike) && for_each.iter().any(|used| alike(*used))
        });
        // Where a layer moves systems, mounts of those below are no sign any more.
        let by_mounts = (own_file > 0 || !moves_systems)
            && system.mounts.is_some()
            && is_other_used(&|other| rules.systems[other].mounts == system.mounts);
        if by_tag || by_mounts {
            let message = format!("[[system]] {}: no attack uses it, though others like it are weapons", system.id);
            let span = context.span("system", &system.id, "id");
            context.find_about(
                "weapon-without-attack",
                span,
                [&*system.id],
                message,
                "add an [[attack]] for it, make it like a weapon that has one, or give it other tags and mounts",
            );
        }
    }
}

fn attack_formulas(rules: &Ruleset) -> impl Iterator<Item = &Formula> {
    let attacks = rules.attack_rules.attacks.iter();
    let of_attacks = attacks.flat_map(|attack| attack.when.iter().chain(attack.steps.iter().flat_map(Step::formulas)));
    of_attacks.chain(rules.attack_rules.outcomes.iter().map(|outcome| &outcome.formula))
}

/// The numbers of each column of a table, and of each list in it, with the name of the column.
fn columns_of(rules: &Ruleset, table: usize) -> Vec<(Arc<str>, Vec<i64>)> {
    let TableKind::Rows { columns, rows, .. } = &rules.tables[table].kind else { return Vec::new() };
    let mut found = Vec::new();
    for (n, column) in columns.iter().enumerate() {
        let cells = || rows.iter().map(|row| &row.entries[n].1);
        let numbers: Vec<i64> = cells().flat_map(numbers_of).collect();
        found.push((column.id.clone(), numbers));
        let lists = cells().filter(|cell| matches!(cell, Value::List(_)));
        found.extend(lists.map(|cell| (column.id.clone(), numbers_of(cell))));
    }
    found.retain(|(_, numbers)| is_telling(numbers));
    found
}

fn numbers_of(cell: &Value) -> Vec<i64> {
    match cell {
        Value::Int(number) => vec![*number],
        Value::Text(text) => ranges_of(text).map(|(from, _)| from).collect(),
        Value::List(items) => items.iter().flat_map(numbers_of).collect(),
        _ => Vec::new(),
    }
}

/// Whether numbers are too many and too unlike to be alike by chance: no run such as 1, 2, 3 or 6, 5, 4, and more than two of them.
fn is_telling(numbers: &[i64]) -> bool {
    let steps: BTreeSet<i64> = numbers.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    numbers.len() >= MIN_NUMBERS && steps.len() > 1
}

fn is_read_by_attacks(reads: &RulesetReads<'_>, table: usize) -> bool {
    is_used(reads, Part::Named("table", reads.rules.tables[table].id.clone()))
        || reads.rules.attack_rules.outcomes.iter().any(|outcome| {
            reads.formula_reads(&outcome.formula, &Part::Named("table", reads.rules.tables[table].id.clone()), None)
        })
}

/// Where attacks have numbers of their own that a table has: in a formula, or in a table that only they read.
struct CopyOf {
    /// As a message names it: `laser_by_range`.
    place: String,
    span: Span,
}

/// A copy that attacks have of a column's numbers in `rules`, by the ruleset that is in force.
fn copy_in_attacks(
    context: &LintContext<'_>,
    reads: &RulesetReads<'_>,
    numbers: &[i64],
    table: &str,
) -> Option<CopyOf> {
    let rules = reads.rules;
    let is_same = |others: &[i64]| others == numbers || others.iter().rev().eq(numbers);
    let written = attack_formulas(rules).find(|formula| formula.written_numbers().0.iter().any(|list| is_same(list)));
    if let Some(formula) = written {
        return Some(CopyOf { place: "in their steps".to_owned(), span: formula.at });
    }
    let copies = |other: usize| {
        // What is made from another has that one's numbers.
        *rules.tables[other].id != *table
            && rules.tables[other].made_from.is_none()
            && columns_of(rules, other).iter().any(|(_, others)| is_same(others))
            && is_read_by_attacks(reads, other)
    };
    let other = (0..rules.tables.len()).find(|other| copies(*other))?;
    let id = &rules.tables[other].id;
    Some(CopyOf { place: format!("in table {id}"), span: context.span("table", id, "rows") })
}

fn check_tables(context: &mut LintContext<'_>, reads: &RulesetReads<'_>) {
    let rules = context.rules;
    for (n, table) in rules.tables.iter().enumerate() {
        let columns = columns_of(rules, n);
        if columns.is_empty() || is_read_by_attacks(reads, n) {
            continue;
        }
        let copy = columns
            .iter()
            .find_map(|(column, numbers)| Some((column.clone(), copy_in_attacks(context, reads, numbers, &table.id)?)));
        if let Some((column, copy)) = copy {
            let message = format!(
                "table {}: attacks have the numbers of its column `{column}` a second time, {}",
                table.id, copy.place
            );
            let help = format!(
                "let the attack read the table: row('{id}', …), step('{id}', …) or within('{id}', …)",
                id = table.id
            );
            context.find_about("number-written-twice", copy.span, [&*table.id], message, help);
        }
    }
}

/// A number that an attack compares a gauge with, and that is a value of the rules too.
fn check_values(context: &mut LintContext<'_>, reads: &RulesetReads<'_>) {
    let rules = context.rules;
    let mut found = Vec::new();
    for formula in attack_formulas(rules) {
        for (slot, number) in formula.written_numbers().1 {
            let Some(Variable::Left(gauge) | Variable::Own(gauge)) = Variable::from_slot(slot) else { continue };
            let Some(gauge) = rules.attack_rules.gauges.get(usize::from(gauge)).filter(|_| number > 1) else {
                continue;
            };
            // Of those values, one that the gauge's own number is shown with, such as its critical point.
            let GaugeSize::Boxes(boxes) = &gauge.size else { continue };
            let is_same = |value: &&moldloft_rules::ruleset::ValueDef| {
                value.formula.as_constant() == Some(&Value::Int(number)) && shown_with(rules, boxes, &value.id)
            };
            let value = rules.values.iter().find(is_same);
            let value = value.filter(|value| !is_used(reads, Part::Named("value", value.id.clone())));
            if let Some(value) = value {
                found.push((formula.at, number, gauge.id.clone(), value.id.clone()));
            }
        }
    }
    for (span, number, gauge, value) in found {
        let message = format!("an attack compares left.{gauge} with {number}, which is the value `{value}` too");
        context.find_about("number-written-twice", span, [&*value], message, format!("write target.{value}"));
    }
}

/// Whether the track with the boxes that a gauge counts reads a value in its marks.
fn shown_with(rules: &Ruleset, boxes: &Formula, value: &str) -> bool {
    let reads_value = |formula: &Formula| {
        formula.reads().filter_map(ship_slot).any(|slot| match Symbol::from_slot(slot) {
            Symbol::Value(n) => rules.values.get(n).is_some_and(|known| *known.id == *value),
            _ => false,
        })
    };
    let of_gauge = |formula: &Formula| formula.reads().any(|slot| boxes.reads().any(|own| own == slot));
    rules.tracks.iter().any(|track| of_gauge(&track.boxes) && track.signs.iter().any(|sign| reads_value(&sign.at)))
}

/// Tables that a layer changes and no attack reads, though attacks have the same numbers from below the layer.
fn check_changes(context: &mut LintContext<'_>, reads: &RulesetReads<'_>) {
    if !context.is_layer() {
        return;
    }
    let rules = context.rules;
    let Some(below) = rules.without_last_layer() else { return };
    let own = rules.statements.iter().filter(|one| one.span.file == context.own_file() && &*one.section == "table");
    let mut found: Vec<(Span, String, String)> = Vec::new();
    for statement in own.filter(|one| one.kind != ChangeKind::Removed) {
        let (Some(n), Some(before)) = (
            rules.tables.iter().position(|table| table.id == statement.id),
            below.tables.iter().position(|table| table.id == statement.id),
        ) else {
            continue;
        };
        if is_read_by_attacks(reads, n) || found.iter().any(|(_, table, _)| **table == *statement.id) {
            continue;
        }
        let copy = columns_of(&below, before).into_iter().find_map(|(column, numbers)| {
            // What the layer left as it was is not said again.
            let is_changed = !columns_of(rules, n).iter().any(|(known, now)| *known == column && *now == numbers);
            copy_in_attacks(context, reads, &numbers, &statement.id).filter(|_| is_changed)
        });
        if let Some(copy) = copy {
            found.push((statement.span, statement.id.to_string(), copy.place));
        }
    }
    for (span, table, place) in found {
        let message =
            format!("table {table}: the change is printed, but no attack reads it: they have its numbers {place}");
        context.find_about("change-misses-attacks", span, [table], message, Advice::ChangeCopies);
    }
}
