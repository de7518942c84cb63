//! A design whose numbers are free within limits: takes the ranges of its levers, gives everything that values, attributes and checks can
//! come to, by the rules' own formulas. Computes only what hangs on a lever and is asked for.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::formula::{Formula, NumberRange, RangeValue, Value};
use crate::ruleset::{AttributeRule, Call, CallKind, ComputedId, FitFilter, ItWord, Ruleset, Selector, Symbol};

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
    pub(super) levers: Vec<BoxLever>,
    /// By value: whether it hangs on a lever.
    pub(super) values: Vec<bool>,
    /// By fit and attribute.
    pub(super) answers: Vec<bool>,
    pub(super) counts: Vec<bool>,
    pub(super) fields: Vec<bool>,
    /// What is computed, each after all that it reads.
    pub(super) order: Vec<ComputedId>,
    /// Checks that no answer may fail and that hang on a lever.
    pub(super) checks: Vec<usize>,
    /// Faults that an answer may have: check and what it concerns.
    pub(super) tolerated: Vec<(usize, ItTarget)>,
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

impl BoxState {
    /// Work on exact lists, tables and fits so far, in plain formulas. What each formula takes besides is not in it.
    pub fn work(&self) -> u64 {
        self.work.spent()
    }
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
            let of = |formula: &Formula| self.check_hangs(formula, check.scope.for_each.as_ref());
            with_check(*n)
                && (of(&check.fails_when)
                    || check.when.as_ref().is_some_and(of)
                    || self.selects(check.scope.for_each.as_ref()))
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

    pub(super) fn states_itself(&self, fit: usize, attribute: usize) -> bool {
        let own = self.state.fits[fit].system.checked_sub(self.rules.systems.len());
        let own = own.and_then(|own| self.state.custom_systems.get(own));
        own.is_some_and(|own| own.answers.iter().any(|(stated, _)| *stated == attribute))
    }

    /// Whether a formula of the question hangs on a lever, directly or through what it reads.
    pub fn is_moved(&self, formula: &Formula) -> bool {
        self.hangs(formula, ItTarget::Nothing)
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
            CallKind::Row(_)
            | CallKind::Step(..)
            | CallKind::Cells(..)
            | CallKind::Within(..)
            | CallKind::Kind(_)
            | CallKind::Removed { .. } => return false,
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
            FitFilter::Only(only) | FitFilter::Exactly(only) => of(only),
            FitFilter::Any | FitFilter::Argument(_) => true,
        };
        within(&call.system, &|only| self.rules.symbols.systems[fit.base].counts_as_any(only, &call.except))
            && within(&call.mount, &|only| fit.mount.is_some_and(|mount| only.contains(&(mount as u32))))
            && within(&call.tag, &|only| tags.iter().any(|tag| only.contains(tag)))
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
