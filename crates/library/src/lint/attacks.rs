//! Attacks: takes the lint context, reports what no attack reads or changes, attacks that never fire, an axis that changes nothing, and names of gauges
//! read without `left.`. Tries some of the designs in many situations; rolls nothing.

use std::collections::BTreeSet;

use moldloft_base::source::Span;
use moldloft_base::source::toml::TomlNode;
use moldloft_odds::odds::{Encounter, OddsQuestion, axis, axis_values, default_situation, work_out};
use moldloft_rules::design::Ship;
use moldloft_rules::evaluate::{Evaluation, evaluate_within};
use moldloft_rules::formula::{Formula, Type, Value};
use moldloft_rules::ruleset::{
    AttackRules, Situation, SituationKind, Step, Symbol, TARGET, Variable, ship_slot, situation_of,
};

use super::context::LintContext;

/// Designs that are tried.
const MAX_DESIGNS: usize = 24;
/// Situations that are tried, for all designs together.
const MAX_TRIES: usize = 6_000;
/// Values of an axis that are tried.
const AXIS_TRIES: usize = 16;
/// What no weapon reaches beyond the end of an axis.
const FAR: i64 = 1_000_000;
/// Odds that are worked out of an attack that may have none.
const MAX_WORKED_OUT: usize = 60;
/// Work of the evaluation of one design.
const WORK: u64 = 4_000_000;

pub(super) fn check(context: &mut LintContext<'_>) {
    if context.rules.attack_rules.attacks.is_empty() {
        return;
    }
    check_reads(context);
    check_cells(context);
    check_gauges(context);
    let designs: Vec<Evaluation> = (0..context.trials.len())
        .filter_map(|trial| context.design(trial))
        .take(MAX_DESIGNS)
        .map(|design| evaluate_within(context.rules, design, &Ship::default(), WORK))
        .collect();
    check_firing(context, &designs);
    check_axis(context, &designs);
    check_reach(context, &designs);
    check_removals(context, &designs);
}

fn formulas(rules: &AttackRules) -> Vec<&Formula> {
    let attacks = rules
        .attacks
        .iter()
        .flat_map(|attack| attack.when.iter().chain(attack.steps.iter().flat_map(Step::formulas)).collect::<Vec<_>>());
    attacks.chain(rules.outcomes.iter().map(|outcome| &outcome.formula)).collect()
}

fn check_reads(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let read: BTreeSet<u16> =
        formulas(&rules.attack_rules).into_iter().flat_map(Formula::reads).filter_map(situation_of).collect();
    for (number, situation) in (0..).zip(&rules.attack_rules.situations) {
        if !read.contains(&number) {
            let message = format!("[[situation]] {}: no attack or outcome reads it", situation.id);
            let span = context.span("situation", &situation.id, "id");
            context.find("situation-never-read", span, message, "read it in a step or a condition, or remove it");
        }
    }
}

fn check_cells(context: &mut LintContext<'_>) {
    for table in &context.rules.tables {
        for (text, span) in &table.unread_cells {
            let message = format!("[[table]] {}: attacks cannot read all of `{text}`", table.id);
            let help = "write it as the other cells of its column are written; odds say that it is not counted";
            context.find("cell-not-read", *span, message, help);
        }
    }
    for (table, id) in context.rules.attack_reads(formulas(&context.rules.attack_rules)).columns {
        let Some(table) = context.rules.tables.get(table) else { continue };
        let mut columns = table.columns().iter().enumerate().filter(|(n, _)| !table.key().contains(n));
        let is_of_texts = columns.any(|(_, column)| column.id == id && matches!(column.ty, Type::Text(_)));
        let Some(declared) = context.definition("table", &table.id).filter(|_| is_of_texts) else { continue };
        let column = declared.list("columns").iter().find(|node| node.as_text().or(node.text_at("id")) == Some(&*id));
        let is_open = |node: &&TomlNode<'_>| node.as_table().is_none_or(|column| column.get("read_if").is_none());
        let Some(node) = column.filter(is_open).filter(|_| table.made_from.is_none()) else { continue };
        let message = format!("[[table]] {}: attacks read the texts of `{id}`, and it does not say which", table.id);
        let help = format!("write {{ id = \"{id}\", read_if = \"it.{id} in […]\" }}, with all that they read");
        context.find("texts-without-read-if", node.span, message, help);
    }
}

/// Gauges that nothing changes, and steps that read the firing ship's number instead of what is left.
fn check_gauges(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut changed = BTreeSet::new();
    let mut mistaken: BTreeSet<(Span, String)> = BTreeSet::new();
    for step in rules.attack_rules.attacks.iter().flat_map(|attack| &attack.steps) {
        look_at_step(context, step, &mut changed, &mut mistaken);
    }
    for (number, gauge) in (0..).zip(&rules.attack_rules.gauges) {
        if !changed.contains(&number) && gauge.at_turn.is_none() {
            let message = format!("[[gauge]] {}: no attack changes it", gauge.id);
            let span = context.span("gauge", &gauge.id, "id");
            let help = format!("set left.{} in a step, or remove it", gauge.id);
            context.find("gauge-never-changes", span, message, help);
        }
    }
    for (span, id) in mistaken {
        let message = format!("`{id}` is the firing ship's; the step changes left.{id}");
        context.find("gauge-name-without-left", span, message, format!("did you mean left.{id}?"));
    }
}

fn look_at_step(
    context: &LintContext<'_>,
    step: &Step,
    changed: &mut BTreeSet<u16>,
    mistaken: &mut BTreeSet<(Span, String)>,
) {
    for set in &step.assignments {
        let (Variable::Left(number) | Variable::Own(number)) = set.variable else { continue };
        changed.insert(number);
        let Some(gauge) = context.rules.attack_rules.gauges.get(usize::from(number)) else { continue };
        if set.variable != Variable::Left(number) || set.formula.reads().any(|slot| slot == set.variable.slot()) {
            continue;
        }
        let is_own = |slot: u32| match Symbol::from_slot(slot) {
            Symbol::Value(n) => context.rules.values.get(n).is_some_and(|value| value.id == gauge.id),
            Symbol::Field(n) => context.rules.fields.get(n).is_some_and(|field| field.id == gauge.id),
            _ => false,
        };
        if set.formula.reads().filter(|slot| slot & TARGET == 0).filter_map(ship_slot).any(is_own) {
            mistaken.insert((set.formula.at, gauge.id.to_string()));
        }
    }
    step.each.iter().for_each(|inner| look_at_step(context, inner, changed, mistaken));
}

/// Values to try of a situation: for numbers the default, the ends and some between.
fn values_to_try(rule: &Situation) -> Vec<Value> {
    match &rule.kind {
        SituationKind::Integer { min, max } if rule.axis => {
            let all = axis_values(rule);
            let every = all.len().div_ceil(AXIS_TRIES).max(1);
            let mut some: Vec<Value> = all.iter().step_by(every).cloned().collect();
            some.extend([Value::Int(*min), Value::Int(*max)]);
            some
        }
        SituationKind::Integer { min, max } => vec![rule.default.clone(), Value::Int(*max), Value::Int(*min)],
        _ => axis_values(rule),
    }
}

/// All combinations of values, at most so many.
fn situations_to_try(rules: &AttackRules, most: usize) -> Vec<Vec<Value>> {
    let mut all = vec![default_situation(rules)];
    for (number, rule) in rules.situations.iter().enumerate() {
        let mut more = Vec::new();
        for value in values_to_try(rule) {
            for situation in &all {
                if situation.get(number) != Some(&value) && all.len() + more.len() < most {
                    let mut changed: Vec<Value> = situation.clone();
                    if let Some(place) = changed.get_mut(number) {
                        *place = value.clone();
                    }
                    more.push(changed);
                }
            }
        }
        all.extend(more);
    }
    all
}

fn check_firing(context: &mut LintContext<'_>, designs: &[Evaluation]) {
    let rules = &context.rules.attack_rules;
    let mut silent: BTreeSet<usize> = (0..rules.attacks.len()).collect();
    let situations = situations_to_try(rules, MAX_TRIES / 4);
    let mut tries = 0;
    'tried: for own in designs {
        for situation in &situations {
            if silent.is_empty() || tries >= MAX_TRIES {
                break 'tried;
            }
            tries += 1;
            let fired = Encounter { own, target: own, situation, fights: 1, progress: None }.firing_attacks();
            silent.retain(|attack| !fired.contains(attack));
        }
    }
    let is_complete = tries < MAX_TRIES && !designs.is_empty();
    for attack in silent.into_iter().filter(|_| is_complete) {
        let Some(attack) = rules.attacks.get(attack) else { continue };
        let message = format!("[[attack]] {}: fires in none of {tries} situations that were tried", attack.id);
        let span = context.span("attack", &attack.id, "when");
        context.find("attack-never-fires", span, message, "fix its `when` or `for_each`, or remove it");
    }
}

/// Attacks that look up what a layer removed, and whose odds fail for it with one of the designs.
fn check_removals(context: &mut LintContext<'_>, designs: &[Evaluation]) {
    let rules = context.rules;
    let situations = situations_to_try(&rules.attack_rules, MAX_TRIES / 4);
    for (number, attack) in rules.attack_rules.attacks.iter().enumerate() {
        let formulas = || attack.when.iter().chain(attack.steps.iter().flat_map(Step::formulas));
        let removed = formulas().find_map(|formula| rules.first_removed(formula.at));
        let Some((removal, gone)) = removed.filter(|(removal, _)| removal.span.file > 0) else { continue };
        let mut tried = designs.iter().flat_map(|own| {
            let fires = |situation: &&Vec<Value>| {
                Encounter { own, target: own, situation, fights: 1, progress: None }.firing_attacks().contains(&number)
            };
            situations.iter().filter(fires).take(AXIS_TRIES).map(move |situation| (own, situation.clone()))
        });
        let fails = |(own, situation): (&Evaluation, Vec<Value>)| {
            let only = vec![attack.id.clone()];
            work_out(own, own, &OddsQuestion { situation, only, ..OddsQuestion::default() }).failed
        };
        if !tried.by_ref().take(MAX_WORKED_OUT).any(fails) {
            continue;
        }
        let message = format!("odds of the attack {} can no longer be worked out: {gone}", attack.id);
        let help = format!("change or remove the attack, too; in this layer: [change.attack.{}]", attack.id);
        context.find("odds-without-answer", removal.span, message, help);
    }
}

fn check_axis(context: &mut LintContext<'_>, designs: &[Evaluation]) {
    let rules = &context.rules.attack_rules;
    let Some(number) = axis(rules) else { return };
    let Some(rule) = rules.situations.get(number) else { return };
    let is_read = formulas(rules)
        .into_iter()
        .flat_map(Formula::reads)
        .any(|slot| situation_of(slot).map(usize::from) == Some(number));
    let default = default_situation(rules);
    let changes = designs.iter().any(|own| {
        values_to_try(rule).into_iter().any(|value| {
            let mut situation = default.clone();
            if let Some(place) = situation.get_mut(number) {
                *place = value;
            }
            !Encounter { own, target: own, situation: &default, fights: 1, progress: None }.is_same_in(&situation)
        })
    });
    if is_read && !changes && !designs.is_empty() {
        let message = format!("[[situation]] {}: attacks do the same at all its values", rule.id);
        let span = context.span("situation", &rule.id, "axis");
        context.find("axis-changes-nothing", span, message, "let a step or a condition read it, or remove `axis`");
    }
}

/// Attacks that bear one step beyond the end of the axis, and not without end: their range cannot be asked for.
fn check_reach(context: &mut LintContext<'_>, designs: &[Evaluation]) {
    let rules = &context.rules.attack_rules;
    let Some(number) = axis(rules) else { return };
    let Some(Situation { id, kind: SituationKind::Integer { max, .. }, .. }) = rules.situations.get(number) else {
        return;
    };
    let Some(beyond) = max.checked_add(1) else { return };
    let at_end = |situation: &Vec<Value>| situation.get(number) == Some(&Value::Int(*max));
    let situations: Vec<_> = situations_to_try(rules, MAX_TRIES / 4).into_iter().filter(at_end).collect();
    let fired = |own: &Evaluation, situation: &[Value], value: i64| {
        let mut situation = situation.to_vec();
        situation[number] = Value::Int(value);
        Encounter { own, target: own, situation: &situation, fights: 1, progress: None }.firing_attacks()
    };
    let tried = designs.iter().flat_map(|own| situations.iter().map(move |situation| (own, situation)));
    for (own, situation) in tried.take(MAX_TRIES / 4) {
        let mut far = fired(own, situation, beyond);
        if !far.is_empty() {
            let endless = fired(own, situation, max.saturating_add(FAR));
            far.retain(|attack| !endless.contains(attack));
        }
        let Some(attack) = far.first().and_then(|attack| rules.attacks.get(*attack)) else { continue };
        let message = format!(
            "[[situation]] {id}: ends at {max}, and [[attack]] {} of {} bears at {beyond}",
            attack.id, own.name
        );
        let span = context.span("situation", id, "max");
        let help = format!("let it end later; in a layer: [change.situation.{id}], then max = …");
        context.find("reach-beyond-axis", span, message, help);
        return;
    }
}
