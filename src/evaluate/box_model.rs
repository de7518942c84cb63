//! A design whose numbers are free within limits: takes the ranges of its levers, gives everything that values, attributes and checks can
//! come to, by the rules' own formulas. Computes only what hangs on a lever and is asked for.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::formula::{Formula, LeverBox, NumberRange, RangeKind, RangeValue, Truth, Value};
use crate::ruleset::{AttributeRule, Call, CallKind, ComputedId, FitFilter, ItWord, Ruleset, Selector, Symbol};

use super::box_view::BoxView;
use super::evaluator::targets;
use super::state::{ItTarget, ShipState};
use super::trial::{Trial, TrialFault, TrialPart};
use super::work_budget::WorkBudget;

/// What a lever's numbers mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeverKind {
    /// A whole number.
    Number,
    /// 0 is false, 1 is true.
    Flag,
    /// Places among these options of the field.
    Choice(Arc<[Arc<str>]>),
}

impl LeverKind {
    pub fn value(&self, number: i64) -> Value {
        match self {
            Self::Number => Value::Int(number),
            Self::Flag => Value::Flag(number != 0),
            Self::Choice(options) => match usize::try_from(number).ok().and_then(|place| options.get(place)) {
                Some(option) => Value::Text(option.clone()),
                None => Value::Null,
            },
        }
    }
}

/// A lever as a box sees it: the parts that it sets, all to the same number.
#[derive(Clone, Debug)]
pub struct BoxLever {
    pub parts: Vec<TrialPart>,
    pub kind: LeverKind,
}

/// The levers of a design, and what hangs on them.
pub struct BoxModel<'a> {
    pub(super) rules: &'a Arc<Ruleset>,
    pub(super) state: ShipState,
    pub(super) ship: &'a crate::design::Ship,
    levers: Vec<BoxLever>,
    /// By value: whether it hangs on a lever.
    pub(super) values: Vec<bool>,
    /// By fit and attribute.
    pub(super) answers: Vec<bool>,
    pub(super) counts: Vec<bool>,
    fields: Vec<bool>,
    /// What is computed, each after all that it reads.
    order: Vec<ComputedId>,
    /// Checks that no answer may fail and that hang on a lever.
    checks: Vec<usize>,
    /// Faults that an answer may have: check and what it concerns.
    tolerated: Vec<(usize, ItTarget)>,
}

/// Everything that can come of a box.
pub struct BoxState {
    pub(super) levers: Vec<(i64, i64)>,
    pub(super) values: Vec<Option<RangeValue>>,
    pub(super) answers: Vec<Option<RangeValue>>,
    pub(super) counts: Vec<Option<NumberRange>>,
    pub(super) fields: Vec<Option<RangeValue>>,
    /// Option's attributes of choice fields that are levers: those that can be chosen.
    pub(super) options: Vec<Option<Vec<usize>>>,
    pub(super) work: WorkBudget,
}

impl<'a> BoxModel<'a> {
    /// The trial must have been computed. `asked` are the formulas of the question; no answer may fail the checks `with_check`, but for
    /// the faults `tolerated`.
    pub fn new(
        trial: &Trial<'a>,
        levers: Vec<BoxLever>,
        asked: &[&Formula],
        with_check: &dyn Fn(usize) -> bool,
        tolerated: &[TrialFault],
    ) -> Self {
        let rules = trial.rules();
        let state = trial.state().clone();
        let attributes = rules.symbols.attributes.len();
        let mut model = Self {
            rules,
            ship: trial.ship(),
            levers,
            values: vec![false; rules.values.len()],
            answers: vec![false; state.fits.len() * attributes],
            counts: vec![false; state.fits.len()],
            fields: vec![false; rules.fields.len()],
            order: Vec::new(),
            checks: Vec::new(),
            tolerated: tolerated.iter().filter_map(|fault| Some((fault.check?, fault.target))).collect(),
            state,
        };
        for lever in &model.levers {
            for part in &lever.parts {
                match *part {
                    TrialPart::Field(field) => model.fields[field] = true,
                    TrialPart::Count(fit) => model.counts[fit] = true,
                    TrialPart::Parameter(fit, attribute) => model.answers[fit * attributes + attribute] = true,
                }
            }
        }
        model.follow(asked, with_check);
        model
    }

    pub fn levers(&self) -> &[BoxLever] {
        &self.levers
    }

    /// The checks that hang on a lever, by index.
    pub fn checks(&self) -> &[usize] {
        &self.checks
    }

    /// Finds what hangs on a lever, then keeps of it what the question needs.
    fn follow(&mut self, asked: &[&Formula], with_check: &dyn Fn(usize) -> bool) {
        let rules = self.rules;
        let attributes = rules.symbols.attributes.len();
        let mut order = Vec::new();
        for node in &rules.order {
            match *node {
                ComputedId::Value(n) => {
                    if self.hangs(&rules.values[n].formula, ItTarget::Nothing) {
                        self.values[n] = true;
                        order.push(*node);
                    }
                }
                ComputedId::Attribute(system, attribute) => {
                    let rule = &rules.systems[system].attributes[attribute];
                    let mut any = false;
                    for fit in 0..self.state.fits.len() {
                        if self.state.fits[fit].base != system || self.states_itself(fit, attribute) {
                            continue;
                        }
                        let hangs = match rule {
                            AttributeRule::Formula(formula, ..) => self.hangs(formula, ItTarget::Fit(fit)),
                            AttributeRule::Text(text, ..) => {
                                text.formulas().any(|formula| self.hangs(formula, ItTarget::Fit(fit)))
                            }
                            _ => false,
                        };
                        if hangs {
                            self.answers[fit * attributes + attribute] = true;
                            any = true;
                        }
                    }
                    if any {
                        order.push(*node);
                    }
                }
            }
        }
        let checks = rules.checks.iter().enumerate().filter(|(n, check)| {
            let of = |formula: &Formula| self.check_hangs(formula, check.for_each.as_ref());
            with_check(*n)
                && (of(&check.fails_when)
                    || check.when.as_ref().is_some_and(of)
                    || self.selects(check.for_each.as_ref()))
        });
        self.checks = checks.map(|(n, _)| n).collect();
        let checked = self.checks.iter().flat_map(|n| {
            let check = &rules.checks[*n];
            check.when.iter().chain([&check.fails_when])
        });
        let mut needed = Needed { rules, values: BTreeSet::new(), attributes: BTreeSet::new() };
        asked.iter().copied().chain(checked).for_each(|formula| needed.add(formula));
        for node in order.iter().rev() {
            match *node {
                ComputedId::Value(n) if needed.values.contains(&n) => needed.add(&rules.values[n].formula),
                ComputedId::Attribute(system, attribute) if needed.attributes.contains(&attribute) => {
                    match &rules.systems[system].attributes[attribute] {
                        AttributeRule::Formula(formula, ..) => needed.add(formula),
                        AttributeRule::Text(text, ..) => text.formulas().for_each(|formula| needed.add(formula)),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        order.retain(|node| match node {
            ComputedId::Value(n) => needed.values.contains(n),
            ComputedId::Attribute(_, attribute) => needed.attributes.contains(attribute),
        });
        self.order = order;
    }

    fn states_itself(&self, fit: usize, attribute: usize) -> bool {
        let own = self.state.fits[fit].system.checked_sub(self.rules.systems.len());
        let own = own.and_then(|own| self.state.custom_systems.get(own));
        own.is_some_and(|own| own.answers.iter().any(|(stated, _)| *stated == attribute))
    }

    /// Whether a formula of the question hangs on a lever, directly or through what it reads.
    pub fn is_moved(&self, formula: &Formula) -> bool {
        self.hangs(formula, ItTarget::Nothing)
    }

    /// What the fixes of checks would set when a lever moves within its window: parts, and the check. Only checks that can fail there, and
    /// fixes that are computed from what moves.
    pub fn followers(&self, levers: &LeverBox) -> Vec<(TrialPart, usize)> {
        let attributes = &self.rules.symbols.attributes;
        let mut found = Vec::new();
        let state = self.compute(levers);
        for check in &self.checks {
            let rule = &self.rules.checks[*check];
            let fails = |of: ItTarget| {
                let view = BoxView::new(self, &state, of);
                rule.when.as_ref().is_none_or(|when| when.truth(&view).may_be_true)
                    && rule.fails_when.truth(&view).may_be_true
            };
            if !self.box_targets(&state, rule.for_each.as_ref()).into_iter().any(|(of, _)| fails(of)) {
                continue;
            }
            let Some(fix) = &rule.fix else { continue };
            let fits: Vec<usize> = match fix.system {
                Some(system) => (0..self.state.fits.len())
                    .filter(|fit| {
                        let fitted = &self.state.fits[*fit];
                        let there =
                            fix.mounts.is_empty() || fitted.mount.is_some_and(|mount| fix.mounts.contains(&mount));
                        fitted.base == system && there
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

    /// Whether the things that a check is made for depend on a count.
    fn selects(&self, selector: Option<&Selector>) -> bool {
        matches!(selector, Some(Selector::Fit(_) | Selector::System(_))) && self.counts.contains(&true)
    }

    fn check_hangs(&self, formula: &Formula, selector: Option<&Selector>) -> bool {
        match selector {
            Some(Selector::Fit(_) | Selector::System(_)) => {
                (0..self.state.fits.len()).any(|fit| self.hangs(formula, ItTarget::Fit(fit)))
            }
            Some(Selector::Mount(_)) => self.hangs(formula, ItTarget::Mount(0)),
            _ => self.hangs(formula, ItTarget::Nothing),
        }
    }

    /// Whether a formula reads, directly, anything that hangs on a lever.
    pub(super) fn hangs(&self, formula: &Formula, of: ItTarget) -> bool {
        formula.reads().any(|slot| self.slot_hangs(Symbol::from_slot(slot), of))
            || formula.calls().any(|call| self.call_hangs(call))
    }

    pub(super) fn slot_hangs(&self, symbol: Symbol, of: ItTarget) -> bool {
        let attributes = self.rules.symbols.attributes.len();
        let answer =
            |fit: usize, attribute: usize| self.answers.get(fit * attributes + attribute).copied().unwrap_or(false);
        let any_answer = |attribute| (0..self.state.fits.len()).any(|fit| answer(fit, attribute));
        match symbol {
            Symbol::Field(n) | Symbol::FieldOption(n, _) => self.fields.get(n).copied().unwrap_or(false),
            Symbol::Value(n) => self.values.get(n).copied().unwrap_or(false),
            Symbol::It(ItWord::Count) => match of {
                ItTarget::Fit(fit) => self.counts[fit],
                _ => self.counts.contains(&true),
            },
            Symbol::Attribute(attribute) => match of {
                ItTarget::Fit(fit) => answer(fit, attribute),
                _ => any_answer(attribute),
            },
            Symbol::Whole(attribute) => match of {
                ItTarget::Fit(fit) => answer(fit, attribute) || self.counts[fit],
                _ => any_answer(attribute) || self.counts.contains(&true),
            },
            _ => false,
        }
    }

    pub(super) fn call_hangs(&self, call: u32) -> bool {
        let attributes = self.rules.symbols.attributes.len();
        let Some(call) = self.rules.symbols.calls.get(call) else { return false };
        let attribute = match call.kind {
            CallKind::Count | CallKind::Fitted | CallKind::Systems => None,
            CallKind::Total(attribute) => Some(attribute),
            // Their arguments are looked at as such.
            CallKind::Row(_) | CallKind::Step(..) => return false,
        };
        let hangs = |fit: usize| {
            self.counts[fit] || attribute.is_some_and(|attribute| self.answers[fit * attributes + attribute])
        };
        (0..self.state.fits.len()).any(|fit| hangs(fit) && self.may_ask(call, fit))
    }

    /// Whether a call can ask about a fit, whatever its arguments.
    fn may_ask(&self, call: &Call, fit: usize) -> bool {
        let fit = &self.state.fits[fit];
        let tags = self.state.system(self.rules, fit.system).tag_ids;
        let within = |filter: &FitFilter, of: &dyn Fn(&[u32]) -> bool| match filter {
            FitFilter::Only(only) => of(only),
            FitFilter::Any | FitFilter::Argument(_) => true,
        };
        within(&call.system, &|only| only.contains(&(fit.system as u32)))
            && within(&call.mount, &|only| fit.mount.is_some_and(|mount| only.contains(&(mount as u32))))
            && within(&call.tag, &|only| tags.iter().any(|tag| only.contains(tag)))
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
        if let (LeverKind::Choice(words), crate::ruleset::FieldKind::Choice(choice)) =
            (kind, &self.rules.fields[field].kind)
        {
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
    pub fn bounds(&self, state: &BoxState, formula: &Formula, bounds: &mut Vec<crate::formula::LeverBound>) {
        formula.bounds(&BoxView::new(self, state, ItTarget::Nothing), true, bounds);
    }

    /// Whether a check fails for every design of the box; if not, adds bounds for those where it does not.
    pub fn check_fails(&self, state: &BoxState, check: usize, bounds: &mut Vec<crate::formula::LeverBound>) -> bool {
        let number = check;
        let Some(check) = self.rules.checks.get(check) else { return false };
        for (of, is_certain) in self.box_targets(state, check.for_each.as_ref()) {
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

/// What formulas read, directly.
struct Needed<'r> {
    rules: &'r Ruleset,
    values: BTreeSet<usize>,
    attributes: BTreeSet<usize>,
}

impl Needed<'_> {
    fn add(&mut self, formula: &Formula) {
        for slot in formula.reads() {
            match Symbol::from_slot(slot) {
                Symbol::Value(n) => self.values.insert(n),
                Symbol::Attribute(n) | Symbol::Whole(n) => self.attributes.insert(n),
                _ => false,
            };
        }
        for call in formula.calls() {
            if let Some(call) = self.rules.symbols.calls.get(call)
                && let CallKind::Total(attribute) = call.kind
            {
                self.attributes.insert(attribute);
            }
        }
    }
}
