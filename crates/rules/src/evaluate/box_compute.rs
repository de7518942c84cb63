//! Computes boxes of designs: takes the ranges of levers, gives what values, attributes and checks can come to, and bounds on levers.

use crate::formula::{Formula, LeverBound, LeverBox, NumberRange, RangeKind, RangeValue, Truth};
use crate::ruleset::{AttributeRule, ComputedId, FieldKind, Selector};

use super::box_model::{BoxModel, BoxState, LeverKind};
use super::box_view::BoxView;
use super::evaluator::targets;
use super::state::ItTarget;
use super::trial::TrialPart;
use super::work_budget::WorkBudget;

impl BoxModel<'_> {
    /// What the fixes of checks would set when a lever moves within its window: parts, and the check. Only checks that can fail there, and
    /// fixes that are computed from what moves.
    pub fn followers(&self, levers: &LeverBox) -> Vec<(TrialPart, usize)> {
        let attributes = &self.rules.symbols.attributes;
        let mut found = Vec::new();
        let state = self.compute(levers);
        for check in &self.checks {
            let rule = &self.rules.checks[*check];
            let Some(fix) = &rule.scope.fix else { continue };
            let fails = |of: ItTarget| {
                let view = BoxView::new(self, &state, of);
                rule.when.as_ref().is_none_or(|when| when.truth(&view).may_be_true)
                    && rule.fails_when.truth(&view).may_be_true
            };
            let targets = self.box_targets(&state, rule.scope.for_each.as_ref()).into_iter().map(|(of, _)| of);
            let failing: Vec<ItTarget> = targets.filter(|of| fails(*of)).collect();
            if failing.is_empty() {
                continue;
            }
            // As for the fix of a finding: without mounts of its own, that of a mount is made there.
            let is_there = |mount: Option<usize>| match &*fix.mounts {
                [] => failing.iter().any(|of| if let ItTarget::Mount(here) = of { mount == Some(*here) } else { true }),
                mounts => mount.is_some_and(|mount| mounts.contains(&mount)),
            };
            let fits: Vec<usize> = match fix.system {
                Some(system) => (0..self.state.fits.len())
                    .filter(|fit| {
                        let fitted = &self.state.fits[*fit];
                        self.rules.systems[fitted.base].kinds.contains(&system) && is_there(fitted.mount)
                    })
                    .collect(),
                None => Vec::new(),
            };
            let mut add = |part: TrialPart| {
                if !found.iter().any(|(known, _)| *known == part) {
                    found.push((part, *check));
                }
            };
            for fit in fits {
                let of = ItTarget::Fit(fit);
                if fix.count.as_ref().is_some_and(|count| self.hangs(count, of)) {
                    add(TrialPart::Count(fit));
                }
                for (key, formula) in &fix.set {
                    let attribute = attributes.iter().position(|known| known.id == *key);
                    if let Some(attribute) = attribute.filter(|_| self.hangs(formula, of)) {
                        add(TrialPart::Parameter(fit, attribute));
                    }
                }
            }
            for (key, formula) in fix.set.iter().filter(|_| fix.system.is_none()) {
                let field = self.rules.fields.iter().position(|field| field.id == *key);
                if let Some(field) = field.filter(|_| self.hangs(formula, ItTarget::Nothing)) {
                    add(TrialPart::Field(field));
                }
            }
        }
        found
    }

    /// Everything that can come of a box; ranges are by lever.
    pub fn compute(&self, levers: &LeverBox) -> BoxState {
        let attributes = self.rules.symbols.attributes.len();
        let mut state = BoxState {
            levers: levers.to_vec(),
            values: vec![None; self.values.len()],
            answers: vec![None; self.answers.len()],
            counts: vec![None; self.counts.len()],
            fields: vec![None; self.fields.len()],
            options: vec![None; self.fields.len()],
            work: WorkBudget::for_ship(),
        };
        for (n, (lever, within)) in self.levers.iter().zip(levers).enumerate() {
            let range = NumberRange::lever(u16::try_from(n).unwrap_or(u16::MAX), *within);
            for part in &lever.parts {
                match *part {
                    TrialPart::Count(fit) => state.counts[fit] = Some(range.clone()),
                    TrialPart::Field(field) => self.set_field(&mut state, field, &lever.kind, &range),
                    TrialPart::Parameter(fit, attribute) => {
                        state.answers[fit * attributes + attribute] = Some(range_of_kind(&lever.kind, &range));
                    }
                }
            }
        }
        for node in &self.order {
            match *node {
                ComputedId::Value(n) => {
                    let value = self.rules.values[n].formula.ranges(&BoxView::new(self, &state, ItTarget::Nothing));
                    state.values[n] = Some(value);
                }
                ComputedId::Attribute(system, attribute) => {
                    for fit in 0..self.state.fits.len() {
                        let place = fit * attributes + attribute;
                        if self.state.fits[fit].base != system
                            || !self.answers[place]
                            || self.states_itself(fit, attribute)
                        {
                            continue;
                        }
                        let view = BoxView::new(self, &state, ItTarget::Fit(fit));
                        let value = match &self.rules.systems[system].attributes[attribute] {
                            AttributeRule::Formula(formula, ..) => formula.ranges(&view),
                            _ => RangeValue::any(),
                        };
                        state.answers[place] = Some(value);
                    }
                }
            }
        }
        state
    }

    fn set_field(&self, state: &mut BoxState, field: usize, kind: &LeverKind, range: &NumberRange) {
        if let (LeverKind::Choice(words), FieldKind::Choice(choice)) = (kind, &self.rules.fields[field].kind) {
            let chosen = words.iter().enumerate().filter(|(n, _)| range.contains(i64::try_from(*n).unwrap_or(-1)));
            let places = chosen.filter_map(|(_, word)| choice.options.iter().position(|option| option.id == *word));
            state.options[field] = Some(places.collect());
        }
        state.fields[field] = Some(range_of_kind(kind, range));
    }

    /// What a formula can come to in a box.
    pub fn ranges(&self, state: &BoxState, formula: &Formula) -> RangeValue {
        formula.ranges(&BoxView::new(self, state, ItTarget::Nothing))
    }

    pub fn truth(&self, state: &BoxState, formula: &Formula) -> Truth {
        formula.truth(&BoxView::new(self, state, ItTarget::Nothing))
    }

    /// Adds bounds that hold for all designs of the box for which the condition holds.
    pub fn bounds(&self, state: &BoxState, formula: &Formula, bounds: &mut Vec<LeverBound>) {
        formula.bounds(&BoxView::new(self, state, ItTarget::Nothing), true, bounds);
    }

    /// Whether a check fails for every design of the box; if not, adds bounds for those where it does not.
    pub fn check_fails(&self, state: &BoxState, check: usize, bounds: &mut Vec<LeverBound>) -> bool {
        let number = check;
        let Some(check) = self.rules.checks.get(check) else { return false };
        for (of, is_certain) in self.box_targets(state, check.scope.for_each.as_ref()) {
            if self.tolerated.contains(&(number, of)) {
                continue;
            }
            let view = BoxView::new(self, state, of);
            let when = check.when.as_ref().map_or(Truth::of(Some(true)), |when| when.truth(&view));
            if !is_certain || !when.is_certain() {
                continue;
            }
            if check.fails_when.truth(&view).is_certain() {
                return true;
            }
            check.fails_when.bounds(&view, false, bounds);
        }
        false
    }

    /// What a check is made for, and whether that is so for every design of the box.
    fn box_targets(&self, state: &BoxState, selector: Option<&Selector>) -> Vec<(ItTarget, bool)> {
        let count = |fit: usize| match &state.counts[fit] {
            Some(range) => (range.low, range.high),
            None => (self.state.fits[fit].count, self.state.fits[fit].count),
        };
        let chosen = |systems: &Option<Vec<usize>>, fit: usize| {
            systems.as_ref().is_none_or(|systems| systems.contains(&self.state.fits[fit].base)) && count(fit).1 > 0
        };
        match selector {
            Some(Selector::Fit(systems)) => {
                let fits = (0..self.state.fits.len()).filter(|fit| chosen(systems, *fit));
                fits.map(|fit| (ItTarget::Fit(fit), count(fit).0 > 0)).collect()
            }
            Some(Selector::System(systems)) => {
                let mut aboard: Vec<(ItTarget, bool)> = Vec::new();
                for fit in (0..self.state.fits.len()).filter(|fit| chosen(systems, *fit)) {
                    let of = ItTarget::System(self.state.fits[fit].system);
                    match aboard.iter_mut().find(|(known, _)| *known == of) {
                        Some((_, is_certain)) => *is_certain |= count(fit).0 > 0,
                        None => aboard.push((of, count(fit).0 > 0)),
                    }
                }
                aboard
            }
            other => targets(self.rules, &self.state, other).into_iter().map(|of| (of, true)).collect(),
        }
    }
}

fn range_of_kind(kind: &LeverKind, range: &NumberRange) -> RangeValue {
    match kind {
        LeverKind::Number => RangeValue::number(range.clone()),
        LeverKind::Flag => RangeValue {
            may_be_null: false,
            kind: RangeKind::Flag { may_be_false: range.contains(0), may_be_true: range.high > 0 },
        },
        LeverKind::Choice(words) => {
            let chosen = words.iter().enumerate().filter(|(n, _)| range.contains(i64::try_from(*n).unwrap_or(-1)));
            RangeValue { may_be_null: false, kind: RangeKind::Texts(chosen.map(|(_, word)| word.clone()).collect()) }
        }
    }
}
