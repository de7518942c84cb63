//! What is tested and what is paid: relations of a fleet, the ruleset's checks, the lines of the cost. Takes the computed state,
//! gives findings and cost lines. A condition that is not computable keeps silent: its cause has been spoken of.

use std::collections::HashMap;
use std::sync::Arc;

use crate::design::{Ship, Subject};
use crate::finding::Finding;
use crate::formula::{Host, Value};
use crate::ruleset::{At, Check, Read, Relation, RelationKind, Ruleset, Selector};
use crate::source::Span;

use super::CostLine;
use super::house::House;
use super::notes::{About, Cause};
use super::run::Run;
use super::state::{Of, shown};

/// Tests what the ship does with others of its fleet: whether she may, with how many, and whether what carries her may.
pub(super) fn relations(run: &mut Run<'_>, ship: &Ship) {
    let rules = run.rules.clone();
    for asked in &ship.relations {
        // What the ruleset does not know, and groups, are told where the fleet is mustered.
        let known = rules.relations.iter().find(|relation| relation.id == asked.relation);
        let Some(relation) = known.filter(|relation| relation.kind == RelationKind::Carry) else { continue };
        run.notes.elsewhere(Some(asked.at.clone()).filter(|at| at.file.is_some()));
        carries(run, relation, asked.count);
    }
    if let Some(by) = &ship.carried_by
        && let Some(relation) = rules.relations.iter().find(|relation| relation.id == by.relation)
        && let Some(to) = &relation.to
        && run.flag(to, Of::Nothing, &relation.id) == Some(false)
    {
        run.notes.elsewhere(Some(by.at.clone()).filter(|at| at.file.is_some()));
        let message = format!("a {} is not allowed among the {} of {}", named(run), relation.label, by.carrier);
        let finding = Finding::error(format!("{}-not-allowed", relation.id), message);
        let finding = finding.help("give it a separate entry in the fleet, or remove it");
        let rule = Some(rules.place(relation.span));
        run.notes.add(Finding { rule, ..finding }, Span::default(), None, Subject::Design);
    }
    run.notes.elsewhere(None);
}

/// The class as messages name it.
fn named(run: &Run<'_>) -> String {
    run.state
        .name
        .as_ref()
        .map_or_else(|| "ship of this class".to_owned(), |name| crate::ruleset::brief(name).to_string())
}

fn carries(run: &mut Run<'_>, relation: &Relation, count: i64) {
    if count == 0 {
        return;
    }
    let rules = run.rules.clone();
    let (span, _) = run.place(Of::Nothing);
    let item: Option<Arc<str>> = Some(relation.label.clone());
    let rule = Some(rules.place(relation.span));
    if count < 0 {
        let finding = Finding {
            rule,
            ..Finding::error("value-out-of-range", format!("{} = {count}, expected 0 or more", relation.label))
        };
        run.notes.add(finding, span, item, Subject::Design);
        return;
    }
    if let Some(from) = &relation.from
        && run.flag(from, Of::Nothing, &relation.id) == Some(false)
    {
        let message = format!("a {} cannot have {}", named(run), relation.label);
        let finding = Finding::error(format!("{}-not-allowed", relation.id), message);
        let finding = finding.help(format!("remove the {}", relation.label));
        run.notes.add(Finding { rule, ..finding }, span, item, Subject::Design);
        return;
    }
    let limit = relation.limit.as_ref().and_then(|limit| run.int(limit, Of::Nothing, &relation.id));
    if let Some(limit) = limit.filter(|limit| count > *limit) {
        let finding = Finding::error(
            format!("{}-over-limit", relation.id),
            format!("{} {count}, at most {limit} allowed", relation.label),
        )
        .help(format!("remove {}", count - limit));
        let numbers = Some(format!("{} = {count}, limit = {limit}", relation.id));
        run.notes.add(Finding { rule, numbers, ..finding }, span, item, Subject::Design);
    }
}

/// Runs every check.
pub(super) fn checks(run: &mut Run<'_>) {
    let rules = run.rules.clone();
    for (n, check) in rules.checks.iter().enumerate() {
        let Some(severity) = check.severity else { continue };
        if check.for_each.is_none() {
            one(run, &rules, n, severity, Of::Nothing);
            continue;
        }
        for of in run.each(check.for_each.as_ref()) {
            one(run, &rules, n, severity, of);
        }
    }
}

fn one(run: &mut Run<'_>, rules: &Ruleset, number: usize, severity: crate::finding::Severity, of: Of) {
    let check = &rules.checks[number];
    if let Some(when) = &check.when
        && run.flag(when, of, &check.code) != Some(true)
    {
        return;
    }
    if run.flag(&check.fails_when, of, &check.code) != Some(true) || run.notes.is_full() {
        return;
    }
    let message = run.text(&check.message, of, &check.code);
    let message = message.map_or_else(|| check.code.replace('-', " "), |message| message.to_string());
    let mut finding = Finding::new(check.code.to_string(), severity, message);
    finding.help = check.help.as_ref().and_then(|help| run.text(help, of, &check.code)).map(|help| help.to_string());
    finding.rule = Some(match (&check.house, &check.reason) {
        (Some(house), _) => format!("{}; {house}", rules.place(check.span)).into(),
        (None, Some(reason)) if !rules.layers.is_empty() => format!("{}; {reason}", rules.place(check.span)).into(),
        (None, _) => rules.place(check.span),
    });
    finding.numbers = numbers(run, check, of);
    let (span, item, subject) = place(run, check, of);
    let row = if let Subject::Row { row, .. } = run.subject(of) { row } else { 0 };
    run.notes.add(finding, span, item, About { subject, cause: Cause::Check { check: number, of, row } });
}

/// `launchers = 14, fed = 8`: what the condition read.
fn numbers(run: &Run<'_>, check: &Check, of: Of) -> Option<String> {
    let view = run.view(of);
    let mut numbers = Vec::new();
    for (name, read) in &check.reads {
        let value = match read {
            Read::Slot(slot) => view.read(*slot),
            Read::Call(call) => view.call(*call, &[]).unwrap_or(Value::Null),
        };
        if !matches!(value, Value::Null | Value::List(_) | Value::Record(_)) {
            numbers.push(format!("{name} = {}", shown(&value)));
        }
    }
    (!numbers.is_empty()).then(|| numbers.join(", "))
}

fn place(run: &Run<'_>, check: &Check, of: Of) -> (Span, Option<Arc<str>>, Subject) {
    let at = match &check.at {
        Some(At::Field(field)) => {
            let id = &run.rules.fields[*field].id;
            let label = Some(run.rules.fields[*field].label.clone());
            let entry = run.notes.design.fields.iter().find(|entry| *entry.key == **id);
            let span = entry.map_or_else(|| run.place(Of::Nothing).0, |entry| entry.span);
            return (span, label, Subject::Field(id.clone()));
        }
        Some(At::First(selector)) => first(run, selector, of),
        None => of,
    };
    let (span, item) = run.place(at);
    (span, item, run.subject(at))
}

/// The thing that the check is about, if it is one of these; else the first of them.
fn first(run: &Run<'_>, selector: &Selector, of: Of) -> Of {
    let selector = match selector {
        Selector::System(systems) => Selector::Fit(systems.clone()),
        other => other.clone(),
    };
    let all = run.each(Some(&selector));
    if all.contains(&of) { of } else { all.first().copied().unwrap_or(Of::Nothing) }
}

/// What a line of the cost is made for: one for each system is made of its fits, so that fits that differ in points stay apart.
pub(super) fn fits_of(selector: Option<&Selector>) -> Option<Selector> {
    match selector {
        Some(Selector::System(systems)) => Some(Selector::Fit(systems.clone())),
        other => other.cloned(),
    }
}

/// The lines of the cost, those alike joined.
pub(super) fn costs(run: &mut Run<'_>, holds: &[bool]) -> Vec<CostLine> {
    let rules = run.rules.clone();
    let mut lines: Vec<CostLine> = Vec::new();
    let mut places: HashMap<(i64, Arc<str>), usize> = HashMap::new();
    for cost in &rules.costs {
        let selector = fits_of(cost.for_each.as_ref());
        let mut all = run.each(selector.as_ref());
        if matches!(cost.for_each, Some(Selector::System(_))) {
            let system = |of: &Of| if let Of::Fit(n) = of { run.state.fits[*n].system } else { 0 };
            all.sort_by_key(system);
        }
        for of in all {
            if let Some(when) = &cost.when
                && run.flag(when, of, "cost") != Some(true)
            {
                continue;
            }
            let count = match (&cost.count, of) {
                (Some(count), _) => run.int(count, of, "cost"),
                (None, Of::Fit(n)) => Some(run.state.fits[n].count),
                _ => Some(1),
            };
            let (Some(count), Some(each)) = (count, run.int(&cost.each, of, "cost")) else { continue };
            let Some(label) = run.text(&cost.label, of, "cost") else { continue };
            let Some(total) = count.checked_mul(each) else { continue };
            if count == 0 {
                continue;
            }
            let system = if let Of::Fit(n) = of { Some(run.state.fits[n].base) } else { None };
            let house = House::new(&rules, &run.state, holds).is_some_and(|house| house.cost(cost, system));
            let place = *places.entry((each, label.clone())).or_insert(lines.len());
            match lines.get_mut(place) {
                Some(line) => {
                    line.count = line.count.saturating_add(count);
                    line.total = line.total.saturating_add(total);
                    line.house |= house;
                }
                None => lines.push(CostLine { label, count, each, total, house }),
            }
        }
    }
    lines
}
