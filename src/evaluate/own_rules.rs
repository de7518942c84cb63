//! Systems of a design's own against what the rules let them be: takes the computed state, gives a finding for each number out of range, and
//! the systems with their numbers as sheets and reports name them.

use std::sync::Arc;

use crate::design::Plain;
use crate::finding::Finding;
use crate::formula::{Type, Value};
use crate::ruleset::{AttributeRule, Bound, Ruleset};

use super::OwnResult;
use super::notes::Seat;
use super::run::Run;
use super::state::State;

/// The most of them that one sentence names; the rest is counted.
const MOST_NAMED: usize = 60;

/// The numbers of an attribute that an own system has: of each of its fits; without fits, as stated.
fn numbers(rules: &Ruleset, state: &State, own: usize, answer: usize) -> Vec<i64> {
    let (number, width) = (rules.systems.len() + own, rules.lexicon.answers.len());
    let fits = (0..state.fits.len()).filter(|&fit| state.fits[fit].system == number);
    let known: Vec<&Value> = fits.filter_map(|fit| state.answers.get(fit * width + answer)).collect();
    let own = &state.own[own];
    let stated = || own.answers.iter().find(|(known, _)| *known == answer).map(|(_, value)| value);
    let plain = || match rules.systems[own.base].attributes.get(answer) {
        Some(AttributeRule::Is(value, ..)) => Some(value),
        _ => rules.lexicon.answers[answer].default.as_ref(),
    };
    let known = if known.is_empty() { stated().or_else(plain).into_iter().collect() } else { known };
    known.into_iter().filter_map(|value| if let Value::Int(number) = value { Some(*number) } else { None }).collect()
}

/// Reports each own system whose numbers are beyond what the rules let them be.
pub(super) fn check(run: &mut Run<'_>) {
    let rules = run.rules.clone();
    let allowed = &rules.own_systems;
    let design = run.notes.design;
    for n in 0..run.state.own.len() {
        let bounds =
            allowed.min.iter().map(|bound| (bound, true)).chain(allowed.max.iter().map(|bound| (bound, false)));
        for (Bound { attribute, amount, .. }, is_least) in bounds {
            let Some(answer) = rules.lexicon.answer(attribute) else { continue };
            let beyond = |found: &i64| if is_least { found < amount } else { found > amount };
            let Some(found) = numbers(&rules, &run.state, n, answer).into_iter().find(beyond) else { continue };
            let (id, name) = (run.state.own[n].id.clone(), run.state.own[n].name.clone());
            let word = attribute.replace('_', " ");
            let (at, or) = if is_least { ("at least", "more") } else { ("at most", "less") };
            let message = format!("{name}: expected {word} of {at} {amount}, found {found}");
            let mut finding = Finding::error("own-system-out-of-range", message)
                .help(format!("set {attribute} = {amount} or {or} in its [[system]]"));
            finding.rule = allowed.span.map(|span| rules.place(span));
            let system = design.systems.iter().find(|system| system.id.text == id);
            let key = system.and_then(|system| system.keys.iter().find(|entry| *entry.key == **attribute));
            let span = key.map(|entry| entry.span).or(system.map(|system| system.span)).unwrap_or_default();
            let about = Seat::Own(&id, attribute).meant(Some(Plain::Number(*amount)));
            run.notes.add(finding, span, Some(id.clone()), about);
        }
    }
}

/// The design's own systems in file order.
pub(super) fn results(rules: &Ruleset, state: &State) -> Vec<OwnResult> {
    let bounds = || rules.own_systems.min.iter().chain(&rules.own_systems.max);
    let mut results = Vec::with_capacity(state.own.len());
    for (n, own) in state.own.iter().enumerate() {
        let number = rules.systems.len() + n;
        let fits = state.fits.iter().filter(|fit| fit.system == number);
        let shown = |answer: usize, id: &str| {
            *id == *"points"
                || own.answers.iter().any(|(stated, _)| *stated == answer)
                || bounds().any(|bound| *bound.attribute == *id)
        };
        let answers = rules.lexicon.answers.iter().enumerate();
        let numbers = answers
            .filter(|(answer, known)| known.default.is_some() && known.ty == Type::Int && shown(*answer, &known.id))
            .filter_map(|(answer, known)| Some((known.id.clone(), *numbers(rules, state, n, answer).first()?)));
        results.push(OwnResult {
            id: own.id.clone(),
            name: own.name.clone(),
            like: rules.systems[own.base].id.clone(),
            count: fits.map(|fit| fit.count).fold(0, i64::saturating_add),
            numbers: numbers.collect(),
        });
    }
    results
}

/// `own systems: doom ×3 (like laser, 0 mass, 0 points)`, of those aboard; nothing where the rules have them as part of the game.
pub(super) fn words(rules: &Ruleset, results: &[OwnResult]) -> Option<Arc<str>> {
    if !rules.own_systems.is_marked() {
        return None;
    }
    let aboard: Vec<&OwnResult> = results.iter().filter(|own| own.count > 0).collect();
    if aboard.is_empty() {
        return None;
    }
    let house = if rules.own_systems.house.is_some() { " (house)" } else { "" };
    let mut named: Vec<String> = aboard.iter().take(MOST_NAMED).map(|own| own.words()).collect();
    if aboard.len() > MOST_NAMED {
        named.push(format!("and {} more", aboard.len() - MOST_NAMED));
    }
    Some(format!("own systems{house}: {}", named.join(", ")).into())
}
