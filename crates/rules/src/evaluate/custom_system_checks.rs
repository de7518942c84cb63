//! Checks a design's custom systems against the rules: takes the computed state, gives a finding for each number out of
//! range, and the systems with their numbers for sheets and reports.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use crate::design::{DesignPart, Scalar};
use crate::formula::{Type, Value};
use crate::ruleset::{AttributeBound, AttributeRule, BoxShape, Ruleset};
use moldloft_base::finding::Finding;

use super::CustomSystemResult;
use super::diagnostics::ValuePath;
use super::evaluator::Evaluator;
use super::state::{ItTarget, ShipState};

const MAX_NAMED: usize = 60;

/// The values of a custom system's attribute: of each fit, or as stated if there are none.
fn stated_numbers(rules: &Ruleset, state: &ShipState, own: usize, answer: usize) -> Vec<i64> {
    let (number, width) = (rules.systems.len() + own, rules.symbols.attributes.len());
    let fits = (0..state.fits.len()).filter(|&fit| state.fits[fit].system == number);
    let known: Vec<&Value> = fits.filter_map(|fit| state.answers.get(fit * width + answer)).collect();
    let own = &state.custom_systems[own];
    let stated = || own.answers.iter().find(|(known, _)| *known == answer).map(|(_, value)| value);
    let plain = || match rules.systems[own.base].attributes.get(answer) {
        Some(AttributeRule::Constant(value, ..)) => Some(value),
        // Without a fit, nothing is computed.
        Some(AttributeRule::Formula(..)) => None,
        _ => rules.symbols.attributes[answer].default.as_ref(),
    };
    let known = if known.is_empty() { stated().or_else(plain).into_iter().collect() } else { known };
    known.into_iter().filter_map(|value| if let Value::Int(number) = value { Some(*number) } else { None }).collect()
}

pub(super) fn check_custom_systems(run: &mut Evaluator<'_>) {
    let rules = run.rules.clone();
    let allowed = &rules.custom_systems;
    let design = run.notes.design;
    for n in 0..run.state.custom_systems.len() {
        let bounds =
            allowed.min.iter().map(|bound| (bound, true)).chain(allowed.max.iter().map(|bound| (bound, false)));
        for (AttributeBound { attribute, amount, .. }, is_least) in bounds {
            let Some(answer) = rules.symbols.attribute(attribute) else { continue };
            let beyond = |found: &i64| if is_least { found < amount } else { found > amount };
            let Some(found) = stated_numbers(&rules, &run.state, n, answer).into_iter().find(beyond) else { continue };
            let (id, name) = (run.state.custom_systems[n].id.clone(), run.state.custom_systems[n].name.clone());
            let word = attribute.replace('_', " ");
            let (at, or) = if is_least { ("at least", "more") } else { ("at most", "less") };
            let message = format!("{name}: expected {word} of {at} {amount}, found {found}");
            let mut finding = Finding::error("own-system-out-of-range", message)
                .help(format!("set {attribute} = {amount} or {or} in its [[system]]"));
            finding.rule = allowed.span.map(|span| rules.location(span));
            let system = design.systems.iter().find(|system| system.id.text == id);
            let key = system.and_then(|system| system.keys.iter().find(|entry| *entry.key == **attribute));
            let span = key.map(|entry| entry.span).or(system.map(|system| system.span)).unwrap_or_default();
            let about = ValuePath::CustomSystem(&id, attribute).with_value(Some(Scalar::Number(*amount)));
            run.notes.add(finding, span, Some(id.clone()), about);
        }
    }
}

/// How a system's box looks on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoxLook<'s> {
    icon: Option<&'s str>,
    /// Empty with an icon.
    letters: &'s str,
    shape: &'static str,
}

impl<'s> BoxLook<'s> {
    /// `None` for an empty box, which shows what is written into it.
    pub fn of(letters: &'s str, icon: &'s Option<Arc<str>>, shape: BoxShape) -> Option<Self> {
        let letters = if icon.is_some() { "" } else { letters };
        (icon.is_some() || !letters.is_empty()).then_some(Self { icon: icon.as_deref(), letters, shape: shape.word() })
    }

    /// letter `M`
    pub fn face(&self) -> String {
        match self.icon {
            Some(icon) => format!("icon `{icon}`"),
            None if self.letters.chars().count() == 1 => format!("letter `{}`", self.letters),
            None => format!("letters `{}`", self.letters),
        }
    }
}

/// Systems aboard whose boxes cannot be told apart.
pub(super) fn check_letters(run: &mut Evaluator<'_>) {
    let rules = run.rules;
    let mut known: BTreeMap<BoxLook<'_>, usize> = BTreeMap::new();
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    let mut aboard: Vec<usize> = run.state.fits.iter().filter(|fit| fit.count > 0).map(|fit| fit.system).collect();
    aboard.sort_unstable();
    aboard.dedup();
    for system in aboard {
        let face = run.state.system(rules, system);
        let Some(look) = BoxLook::of(face.abbr, face.icon, face.shape) else { continue };
        match known.entry(look) {
            Entry::Occupied(other) => found.push((system, *other.get(), look.face())),
            Entry::Vacant(place) => drop(place.insert(system)),
        }
    }
    for (system, other, face) in found {
        let named = |system| run.state.system(rules, system).name.clone();
        let message =
            format!("{} and {} have the same {face}: their boxes look alike on a sheet", named(other), named(system));
        let id = run.state.system(rules, system).id.clone();
        let (help, about) = match system >= rules.systems.len() {
            true => ("give it another letter: abbr = \"…\" in its [[system]]", DesignPart::CustomSystem(id.clone())),
            false => ("give one of them another letter: abbr = \"…\" in the rules", DesignPart::System(id.clone())),
        };
        let (span, _) = run.target_place(ItTarget::System(system));
        run.notes.add(Finding::warning("same-letter", message).help(help), span, Some(id), about);
    }
}

/// In file order.
pub(super) fn custom_system_results(rules: &Ruleset, state: &ShipState) -> Vec<CustomSystemResult> {
    let bounds = || rules.custom_systems.min.iter().chain(&rules.custom_systems.max);
    let mut results = Vec::with_capacity(state.custom_systems.len());
    for (n, own) in state.custom_systems.iter().enumerate() {
        let number = rules.systems.len() + n;
        let fits = state.fits.iter().filter(|fit| fit.system == number);
        let shown = |answer: usize, id: &str| {
            *id == *"points"
                || own.answers.iter().any(|(stated, _)| *stated == answer)
                || bounds().any(|bound| *bound.attribute == *id)
        };
        let answers = rules.symbols.attributes.iter().enumerate();
        let numbers = answers
            .filter(|(answer, known)| known.default.is_some() && known.ty == Type::Int && shown(*answer, &known.id))
            .filter_map(|(answer, known)| Some((known.id.clone(), *stated_numbers(rules, state, n, answer).first()?)));
        results.push(CustomSystemResult {
            id: own.id.clone(),
            name: own.name.clone(),
            like: rules.systems[own.base].id.clone(),
            count: fits.map(|fit| fit.count).fold(0, i64::saturating_add),
            numbers: numbers.collect(),
        });
    }
    results
}

/// `own systems: doom ×3 (like laser, 0 mass, 0 points)`, of those aboard; `None` where the rules treat them as part of
/// the game.
pub(super) fn custom_system_summary(rules: &Ruleset, results: &[CustomSystemResult]) -> Option<Arc<str>> {
    if !rules.custom_systems.is_marked() {
        return None;
    }
    let aboard: Vec<&CustomSystemResult> = results.iter().filter(|own| own.count > 0).collect();
    if aboard.is_empty() {
        return None;
    }
    let house = if rules.custom_systems.house.is_some() { " (house)" } else { "" };
    let mut named: Vec<String> = aboard.iter().take(MAX_NAMED).map(|own| own.summary()).collect();
    if aboard.len() > MAX_NAMED {
        named.push(format!("and {} more", aboard.len() - MAX_NAMED));
    }
    Some(format!("own systems{house}: {}", named.join(", ")).into())
}
