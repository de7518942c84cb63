//! Checks relations and the ruleset's checks, and computes cost lines: takes the computed state, gives findings and
//! cost lines. A condition that is not computable gives no finding, since its cause has one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::design::{DesignPart, Ship};
use crate::formula::{Host, Value};
use crate::ruleset::{CheckDef, CheckTarget, ConditionRead, RelationDef, RelationKind, Ruleset, Selector};
use moldloft_base::finding::{Finding, FindingFix, FindingOrigin};
use moldloft_base::sanitize::amount_with_unit;
use moldloft_base::source::Span;

use super::CostLine;
use super::evaluator::Evaluator;
use super::house_rules::HouseRuleUse;
use super::state::{FiredCheck, ItTarget, display_value};

/// Checks the ship's relations: whether they are allowed, with this count, and for its carrier.
pub(super) fn check_relations(run: &mut Evaluator<'_>, ship: &Ship) {
    let rules = run.rules.clone();
    for asked in &ship.relations {
        // Unknown relations and groups are reported by the fleet's evaluation.
        let known = rules.relations.iter().find(|relation| relation.id == asked.relation);
        let Some(relation) = known.filter(|relation| relation.kind == RelationKind::Carry) else { continue };
        run.notes.set_place(Some(asked.place.clone()).filter(|at| at.file.is_some()));
        check_carrier(run, relation, asked.count);
    }
    if let Some(by) = &ship.carried_by
        && let Some(relation) = rules.relations.iter().find(|relation| relation.id == by.relation)
        && let Some(to) = &relation.to
        && run.eval_flag(to, ItTarget::Nothing, &relation.id) == Some(false)
    {
        run.notes.set_place(Some(by.place.clone()).filter(|at| at.file.is_some()));
        let message = format!("a {} is not allowed among the {} of {}", class_name(run), relation.label, by.carrier);
        let finding = Finding::error(format!("{}-not-allowed", relation.id), message);
        let finding = finding.help("give it a separate entry in the fleet, or remove it");
        run.notes.add(finding.rule(rules.location(relation.span)), Span::default(), None, DesignPart::Design);
    }
    run.notes.set_place(None);
}

fn class_name(run: &Evaluator<'_>) -> String {
    run.state
        .name
        .as_ref()
        .map_or_else(|| "ship of this class".to_owned(), |name| crate::ruleset::shorten(name).to_string())
}

fn check_carrier(run: &mut Evaluator<'_>, relation: &RelationDef, count: i64) {
    if count == 0 {
        return;
    }
    let rules = run.rules.clone();
    let (span, _) = run.target_place(ItTarget::Nothing);
    let item: Option<Arc<str>> = Some(relation.label.clone());
    let rule = rules.location(relation.span);
    if count < 0 {
        let message = format!("{} = {count}, expected 0 or more", relation.label);
        run.notes.add(Finding::error("value-out-of-range", message).rule(rule), span, item, DesignPart::Design);
        return;
    }
    if let Some(from) = &relation.from
        && run.eval_flag(from, ItTarget::Nothing, &relation.id) == Some(false)
    {
        let message = format!("a {} cannot have {}", class_name(run), relation.label);
        let finding = Finding::error(format!("{}-not-allowed", relation.id), message);
        let finding = finding.help(format!("remove the {}", relation.label));
        run.notes.add(finding.rule(rule), span, item, DesignPart::Design);
        return;
    }
    let limit = relation.limit.as_ref().and_then(|limit| run.eval_int(limit, ItTarget::Nothing, &relation.id));
    if let Some(limit) = limit.filter(|limit| count > *limit) {
        let finding = Finding::error(
            format!("{}-over-limit", relation.id),
            format!("{}, at most {limit} allowed", amount_with_unit(&count.to_string(), &relation.label)),
        )
        .help(format!("remove {}", count - limit))
        .numbers(format!("{} = {count}, limit = {limit}", relation.id));
        run.notes.add(finding.rule(rule), span, item, DesignPart::Design);
    }
}

pub(super) fn run_checks(run: &mut Evaluator<'_>) {
    let rules = run.rules.clone();
    for_each_target(run, &rules, |run, number, of| {
        if check_fails(run, &rules.checks[number], of) && !run.notes.is_full() {
            report_check(run, &rules, number, of);
        }
    });
}

/// As [`run_checks`], without findings: only which checks fail, and for what.
pub(super) fn fire_checks(run: &mut Evaluator<'_>) {
    let rules = run.rules.clone();
    for_each_target(run, &rules, |run, number, of| {
        if check_fails(run, &rules.checks[number], of) {
            run.state.fired_checks.push(FiredCheck { check: number, target: of, row: 0 });
        }
    });
}

/// Calls `with` for each check that is on and each thing that it concerns, in order.
fn for_each_target<'a>(
    run: &mut Evaluator<'a>,
    rules: &Ruleset,
    mut with: impl FnMut(&mut Evaluator<'a>, usize, ItTarget),
) {
    for (number, check) in rules.checks.iter().enumerate() {
        if check.severity.is_none() {
            continue;
        }
        if check.scope.for_each.is_none() {
            with(run, number, ItTarget::Nothing);
            continue;
        }
        for of in run.targets(check.scope.for_each.as_ref()) {
            with(run, number, of);
        }
    }
}

fn check_fails(run: &mut Evaluator<'_>, check: &CheckDef, of: ItTarget) -> bool {
    if let Some(when) = &check.when
        && run.eval_flag(when, of, &check.code) != Some(true)
    {
        return false;
    }
    run.eval_flag(&check.fails_when, of, &check.code) == Some(true)
}

fn report_check(run: &mut Evaluator<'_>, rules: &Ruleset, number: usize, of: ItTarget) {
    let check = &rules.checks[number];
    let Some(severity) = check.severity else { return };
    let message = run.eval_text(&check.message, of, &check.code);
    let message = message.map_or_else(|| check.code.replace('-', " "), |message| message.to_string());
    let mut finding = Finding::new(check.code.to_string(), severity, message);
    finding.help =
        check.help.as_ref().and_then(|help| run.eval_text(help, of, &check.code)).map(|help| help.to_string());
    finding.rule = Some(rules.check_rule(check));
    let view = run.view(of);
    finding.numbers = numbers_read(check, |read| match read {
        ConditionRead::Slot(slot) => Some(view.read(slot)),
        ConditionRead::Call(call) => view.call(call, &[]).ok(),
    });
    let (span, item, subject) = finding_place(run, check, of);
    let row = if let DesignPart::Row { row, .. } = run.target_part(of) { row } else { 0 };
    let fix = FindingFix::Check(run.state.fired_checks.len());
    run.state.fired_checks.push(FiredCheck { check: number, target: of, row });
    run.notes.add(finding, span, item, FindingOrigin { fix, ..subject.into() });
}

/// `launchers = 14, fed = 8`: the values that the condition read.
pub(super) fn numbers_read<S>(
    check: &CheckDef<S>,
    value_of: impl Fn(ConditionRead) -> Option<Value>,
) -> Option<String> {
    let numbers = check.condition_reads.iter().filter_map(|(name, read)| {
        let value = value_of(*read)?;
        let is_shown = !matches!(value, Value::Null | Value::List(_) | Value::Record(_));
        is_shown.then(|| format!("{name} = {}", display_value(&value)))
    });
    let numbers: Vec<String> = numbers.collect();
    (!numbers.is_empty()).then(|| numbers.join(", "))
}

fn finding_place(run: &Evaluator<'_>, check: &CheckDef, of: ItTarget) -> (Span, Option<Arc<str>>, DesignPart) {
    let at = match &check.scope.at {
        Some(CheckTarget::Field(field)) => {
            let id = &run.rules.fields[*field].id;
            let label = Some(run.rules.fields[*field].label.clone());
            let entry = run.notes.design.fields.iter().find(|entry| *entry.key == **id);
            let span = entry.map_or_else(|| run.target_place(ItTarget::Nothing).0, |entry| entry.span);
            return (span, label, DesignPart::Field(id.clone()));
        }
        Some(CheckTarget::First(selector)) => first_match(run, selector, of),
        None => of,
    };
    let (span, item) = run.target_place(at);
    (span, item, run.target_part(at))
}

/// The check's own item if it matches, else the first match.
fn first_match(run: &Evaluator<'_>, selector: &Selector, of: ItTarget) -> ItTarget {
    let selector = match selector {
        Selector::System(systems) => Selector::Fit(systems.clone()),
        other => other.clone(),
    };
    let all = run.targets(Some(&selector));
    if all.contains(&of) { of } else { all.first().copied().unwrap_or(ItTarget::Nothing) }
}

/// What a cost line is made for. A line for each system is made for each fit, so that fits with different points stay
/// separate.
pub(super) fn cost_selector(selector: Option<&Selector>) -> Option<Selector> {
    match selector {
        Some(Selector::System(systems)) => Some(Selector::Fit(systems.clone())),
        other => other.cloned(),
    }
}

/// With equal lines merged.
pub(super) fn cost_lines(run: &mut Evaluator<'_>, holds: &[bool]) -> Vec<CostLine> {
    let rules = run.rules.clone();
    let mut lines: Vec<CostLine> = Vec::new();
    let mut places: HashMap<(i64, Arc<str>), usize> = HashMap::new();
    for cost in &rules.costs {
        let selector = cost_selector(cost.for_each.as_ref());
        let mut all = run.targets(selector.as_ref());
        if matches!(cost.for_each, Some(Selector::System(_))) {
            let system = |of: &ItTarget| if let ItTarget::Fit(n) = of { run.state.fits[*n].system } else { 0 };
            all.sort_by_key(system);
        }
        for of in all {
            if let Some(when) = &cost.when
                && run.eval_flag(when, of, "cost") != Some(true)
            {
                continue;
            }
            let count = match (&cost.count, of) {
                (Some(count), _) => run.eval_int(count, of, "cost"),
                (None, ItTarget::Fit(n)) => Some(run.state.fits[n].count),
                _ => Some(1),
            };
            let (Some(count), Some(each)) = (count, run.eval_int(&cost.each, of, "cost")) else { continue };
            if run.is_needless_text(&cost.label) {
                continue;
            }
            let Some(label) = run.eval_text(&cost.label, of, "cost") else { continue };
            let Some(total) = count.checked_mul(each) else { continue };
            if count == 0 || !run.keeps_results {
                continue;
            }
            let system = if let ItTarget::Fit(n) = of { Some(run.state.fits[n].base) } else { None };
            let house =
                HouseRuleUse::new(&rules, &run.state, holds).is_some_and(|house| house.uses_in_cost(cost, system));
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
