//! Numbers that goals are made of: takes a ruleset, gives what a menu offers: values, fields and counts of systems; and what each comes
//! to in an evaluated design.

use std::sync::Arc;

use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::{Type, Value};
use moldloft_rules::ruleset::{AttackRules, FieldKind};

/// A number that a goal or an objective may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// As a formula: `points`, `count('laser')`.
    pub formula: String,
    /// For players: `points`, `laser`.
    pub label: Arc<str>,
    pub kind: TermKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    Value,
    Field,
    /// How many of a system.
    Count,
    /// A figure of odds: no number of the design alone.
    Odds,
}

/// All terms of a design's ruleset: points first, then what is shown large, other values, fields, systems, figures of odds.
pub fn terms(evaluation: &Evaluation) -> Vec<Term> {
    let rules = &evaluation.ruleset;
    let value = |id: &Arc<str>, label: &Arc<str>, kind| Term { formula: id.to_string(), label: label.clone(), kind };
    let mut values: Vec<(u8, Term)> = rules
        .values
        .iter()
        .filter(|known| known.formula.ty == Type::Int)
        .map(|known| {
            let place = if &*known.id == "points" { 0 } else { 2 - u8::from(known.headline) };
            (place, value(&known.id, &known.label, TermKind::Value))
        })
        .collect();
    values.sort_by_key(|(place, _)| *place);
    let fields = rules.fields.iter().zip(&evaluation.fields).filter(|(rule, result)| {
        let is_number = matches!(rule.kind, FieldKind::Integer { .. });
        is_number && result.applies && rules.values.iter().all(|value| value.id != rule.id)
    });
    let fields = fields.map(|(rule, _)| value(&rule.id, &rule.label, TermKind::Field));
    let systems = rules.systems.iter().filter(|system| !system.is_abstract);
    let counts = systems.map(|system| Term {
        formula: format!("count('{}')", system.id),
        label: system.name.clone(),
        kind: TermKind::Count,
    });
    values
        .into_iter()
        .map(|(_, term)| term)
        .chain(fields)
        .chain(counts)
        .chain(odds_terms(&rules.attack_rules))
        .collect()
}

/// What all that bears takes from the gauge that puts a ship out, and what each attack does; where nothing puts a ship out, from each gauge.
fn odds_terms(rules: &AttackRules) -> Vec<Term> {
    let term = |formula: String, label: String| Term { formula, label: label.into(), kind: TermKind::Odds };
    if rules.attacks.is_empty() {
        return Vec::new();
    }
    let ends = rules.gauges.iter().find(|gauge| gauge.ends);
    let mut terms = Vec::new();
    for gauge in ends.map_or_else(|| rules.gauges.iter().collect(), |gauge| vec![gauge]) {
        let suffix = if ends.is_some() { String::new() } else { format!(".{}", gauge.id) };
        let label = if gauge.label.is_empty() { &gauge.id } else { &gauge.label };
        terms.push(term(format!("odds.all{suffix}"), format!("{label} taken by all that bears")));
        if rules.attacks.len() > 1 {
            let attacks = rules.attacks.iter();
            terms.extend(attacks.map(|attack| {
                term(format!("odds.{}{suffix}", attack.id), format!("{label} taken by {}", attack.id.replace('-', " ")))
            }));
        }
    }
    if ends.is_some() {
        terms.push(term("odds.trade".to_owned(), "points destroyed for each lost".to_owned()));
    }
    terms
}

/// What a term comes to; `None` where it is no number in this design.
pub fn number_of(evaluation: &Evaluation, formula: &str) -> Option<i64> {
    let whole = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
    if let Some(system) = formula.strip_prefix("count('").and_then(|rest| rest.strip_suffix("')")) {
        let fits = evaluation.fits.iter().filter(|fit| *fit.system == *system);
        return Some(fits.map(|fit| i64::from(fit.count)).sum());
    }
    if let Some(value) = evaluation.values.iter().find(|value| *value.id == *formula) {
        return whole(&value.value);
    }
    if let Some(field) = evaluation.fields.iter().find(|field| *field.id == *formula) {
        return whole(&field.value);
    }
    evaluation.points.filter(|_| formula == "points")
}

/// What players call a term; the formula itself where it is none.
pub fn term_label(evaluation: &Evaluation, formula: &str) -> String {
    let known = terms(evaluation).into_iter().find(|term| term.formula == formula);
    known.map_or_else(|| formula.to_owned(), |term| term.label.to_string())
}
