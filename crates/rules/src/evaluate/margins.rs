//! Margins: takes an evaluation, gives for each stepped value the range of amounts with the same result, and for each
//! budget what is left. Runs the ruleset's formulas with other amounts, on request and within limits.

use std::sync::Arc;

use crate::design::Ship;
use crate::formula::Value;
use crate::ruleset::{Amount, ComputedId, FieldKind, Ruleset, Symbol};

use super::Evaluation;
use super::state::{ItTarget, ShipState, StateView, display_value};
use super::work_budget::WorkBudget;

/// Distance of a value from its next step, or of a budget from its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    pub value: Arc<str>,
    pub label: Arc<str>,
    pub result: Value,
    pub kind: MarginKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MarginKind {
    /// An amount spent on the value, and how much of it is wasted.
    Slack(AmountRange),
    /// An amount paid for with the value, and how much more is free.
    Headroom(AmountRange),
    Budget {
        limit: i64,
        /// Negative if over the limit.
        left: i64,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct AmountRange {
    /// Id of the value or field: `mass`.
    pub value: Arc<str>,
    pub label: Arc<str>,
    pub amount: i64,
    /// Smallest amount with the same result, within the search range.
    pub min: i64,
    /// Largest amount with the same result, within the search range.
    pub max: i64,
    /// The next amount that gives something else, and what; `None` where there is none, or it is far.
    pub next: Option<(i64, Value)>,
}

impl Margin {
    /// How much is wasted, free, or left of a budget.
    pub fn remaining(&self) -> i64 {
        match &self.kind {
            MarginKind::Slack(steps) => steps.amount - steps.min,
            MarginKind::Headroom(steps) => steps.max - steps.amount,
            MarginKind::Budget { left, .. } => *left,
        }
    }

    /// `1 spare`, `room for 2 more`, `3 left`. `of` names what, after a space, where that is not clear: ` mass`.
    pub fn remaining_text(&self, of: &str) -> String {
        let left = self.remaining();
        match &self.kind {
            MarginKind::Slack(_) => format!("{left}{of} spare"),
            MarginKind::Headroom(_) => format!("room for {left} more{of}"),
            MarginKind::Budget { .. } => format!("{left}{of} left"),
        }
    }

    /// `124 also gives 37`: the other end of the range with this result. `None` for a budget.
    pub fn same_result_text(&self, result: &str) -> Option<String> {
        let end = match &self.kind {
            MarginKind::Slack(steps) => steps.min,
            MarginKind::Headroom(steps) => steps.max,
            MarginKind::Budget { .. } => return None,
        };
        Some(format!("{end} also gives {result}"))
    }

    /// `structure blocks 37: mass 125, 1 spare (124 also gives 37); 38 at 127`.
    pub fn sentence(&self) -> String {
        let (label, result) = (&self.label, display_value(&self.result));
        let next = |steps: &AmountRange| {
            steps.next.as_ref().map_or_else(String::new, |(at, then)| format!("; {} at {at}", display_value(then)))
        };
        let same = || match self.same_result_text(&result.to_string()) {
            Some(same) => format!("{} ({same})", self.remaining_text("")),
            None => self.remaining_text(""),
        };
        match (&self.kind, self.remaining()) {
            (MarginKind::Slack(steps), 0) => {
                format!("{label} {result}: {} {}, none spare{}", steps.label, steps.amount, next(steps))
            }
            (MarginKind::Headroom(steps), 0) => {
                format!("{label} {result}: {} {}, room for no more{}", steps.label, steps.amount, next(steps))
            }
            (MarginKind::Slack(steps) | MarginKind::Headroom(steps), _) => {
                format!("{label} {result}: {} {}, {}{}", steps.label, steps.amount, same(), next(steps))
            }
            (MarginKind::Budget { limit, left }, _) if *left < 0 => {
                format!("{label} {result} of {limit}: {} over", left.unsigned_abs())
            }
            (MarginKind::Budget { limit, .. }, _) => format!("{label} {result} of {limit}: {}", same()),
        }
    }
}

const MAX_DISTANCE: i64 = 1_000;
/// In the ruleset's order; values that are not computable have none.
pub fn margins(evaluation: &Evaluation) -> Vec<Margin> {
    let rules = &*evaluation.ruleset;
    let mut margins = Vec::new();
    // A blank evaluation has no numbers.
    if evaluation.state.values.len() != rules.values.len() || evaluation.state.fields.len() != rules.fields.len() {
        return margins;
    }
    let mut search = MarginSearch {
        rules,
        ship: &evaluation.ship,
        state: (*evaluation.state).clone(),
        effort: WorkBudget::for_ship(),
    };
    for (n, (rule, result)) in rules.values.iter().zip(&evaluation.values).enumerate() {
        if result.value.is_null() {
            continue;
        }
        let mut push = |kind: MarginKind| {
            let (value, label, result) = (result.id.clone(), result.label.clone(), result.value.clone());
            margins.push(Margin { value, label, result, kind });
        };
        let applies = |amount: &&Amount| match amount {
            Amount::Field(field) => evaluation.fields[*field].applies,
            Amount::Value(_) => true,
        };
        for amount in rule.spare_of.iter().filter(applies) {
            search.amount_range(n, *amount).map(MarginKind::Slack).into_iter().for_each(&mut push);
        }
        for amount in rule.room_for.iter().filter(applies) {
            search.amount_range(n, *amount).map(MarginKind::Headroom).into_iter().for_each(&mut push);
        }
        if let (Some(limit), Value::Int(value)) = (result.limit, &result.value) {
            push(MarginKind::Budget { limit, left: limit - value });
        }
    }
    margins
}

struct MarginSearch<'a> {
    rules: &'a Ruleset,
    ship: &'a Ship,
    /// A copy, in which numbers are changed and restored.
    state: ShipState,
    /// Work left for all margins of one ship.
    effort: WorkBudget,
}

impl MarginSearch<'_> {
    fn amount_slot(&mut self, amount: Amount) -> &mut Value {
        match amount {
            Amount::Value(n) => &mut self.state.values[n],
            Amount::Field(n) => &mut self.state.fields[n],
        }
    }

    /// The values between an amount and a value that depends on it, in order of computation, ending with the value.
    fn dependent_values(&self, value: usize, amount: Amount) -> Vec<usize> {
        let slot = match amount {
            Amount::Value(n) => Symbol::Value(n),
            Amount::Field(n) => Symbol::Field(n),
        };
        let rules = self.rules;
        let order = rules.order.iter().filter_map(|node| if let ComputedId::Value(n) = node { Some(*n) } else { None });
        let order: Vec<usize> = order.collect();
        let reads = |n: usize, name: Symbol| rules.values[n].formula.reads().any(|read| read == name.slot());
        let mut chain: Vec<usize> = Vec::new();
        for n in order {
            if amount != Amount::Value(n) && (reads(n, slot) || chain.iter().any(|m| reads(n, Symbol::Value(*m)))) {
                chain.push(n);
            }
            if n == value {
                break;
            }
        }
        if chain.last() != Some(&value) {
            return Vec::new();
        }
        // Leave out dependents of the amount that do not affect the value.
        let mut needed = vec![value];
        for n in chain.iter().rev().skip(1) {
            if needed.iter().any(|m| reads(*m, Symbol::Value(*n))) {
                needed.push(*n);
            }
        }
        needed.reverse();
        needed
    }

    fn amount_range(&mut self, value: usize, amount: Amount) -> Option<AmountRange> {
        let chain = self.dependent_values(value, amount);
        let Value::Int(now) = *self.amount_slot(amount) else { return None };
        if chain.is_empty() {
            return None;
        }
        let kept: Vec<Value> = chain.iter().map(|n| self.state.values[*n].clone()).collect();
        let result = kept.last()?.clone();
        let (min, max) = self.bounds(amount, now);
        let (mut least, mut most, mut next) = (now, now, None);
        while least > min
            && now - least < MAX_DISTANCE
            && self.result_with(amount, least - 1, &chain) == Some(result.clone())
        {
            least -= 1;
        }
        while most < max && most - now < MAX_DISTANCE {
            match self.result_with(amount, most + 1, &chain) {
                Some(then) if then == result => most += 1,
                then => {
                    next = then.map(|then| (most + 1, then));
                    break;
                }
            }
        }
        *self.amount_slot(amount) = Value::Int(now);
        for (n, value) in chain.iter().zip(kept) {
            self.state.values[*n] = value;
        }
        let (of, label) = match amount {
            Amount::Value(n) => (&self.rules.values[n].id, &self.rules.values[n].label),
            Amount::Field(n) => (&self.rules.fields[n].id, &self.rules.fields[n].label),
        };
        Some(AmountRange { value: of.clone(), label: label.clone(), amount: now, min: least, max: most, next })
    }

    /// The range of an amount: a field's own; not below 0 unless it is already.
    fn bounds(&self, amount: Amount, now: i64) -> (i64, i64) {
        let none = if now < 0 { i64::MIN } else { 0 };
        match amount {
            Amount::Field(n) => match self.rules.fields[n].kind {
                FieldKind::Integer { min, max } => (min.unwrap_or(none), max.unwrap_or(i64::MAX)),
                _ => (now, now),
            },
            Amount::Value(_) => (none, i64::MAX),
        }
    }

    /// What the last of a chain comes to with another amount; `None` when it cannot be computed.
    fn result_with(&mut self, amount: Amount, number: i64, chain: &[usize]) -> Option<Value> {
        if self.effort.is_spent() {
            return None;
        }
        *self.amount_slot(amount) = Value::Int(number);
        for n in chain {
            let view = StateView::new(self.rules, &self.state, self.ship, ItTarget::Nothing, &self.effort);
            let value = self.rules.values[*n].formula.eval(&view).unwrap_or(Value::Null);
            self.state.values[*n] = value;
        }
        let last = &self.state.values[*chain.last()?];
        (!last.is_null()).then(|| last.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, Ship};
    use crate::evaluate::evaluate;
    use moldloft_base::source::Source;

    fn sentences(rules: &str, text: &str) -> Vec<String> {
        let (rules, findings) = Ruleset::load(&Source::new("x.toml", rules));
        let rules = Arc::new(rules.unwrap_or_else(|| panic!("{findings:?}")));
        let design = Design::read(&Source::new("y.toml", &format!("ruleset = 'x'\nname = 'y'\n{text}"))).unwrap();
        let evaluation = evaluate(&rules, &design, &Ship::default());
        let before = evaluation.clone();
        let found = margins(&evaluation).iter().map(Margin::sentence).collect();
        assert_eq!(format!("{:?}", evaluation.values), format!("{:?}", before.values));
        found
    }

    const HEAD: &str = "ruleset = { id = 'x', title = 'X', version = '1', schema = 1 }\n[attributes]\nmass = 0\n[[system]]\nid = 'box'\nmass = 1\n";

    #[test]
    fn the_next_step_and_what_is_wasted_are_counted() {
        let rules = format!(
            "{HEAD}
            [[value]]\nid = 'mass'\nformula = \"total('mass')\"
            [[value]]\nid = 'structure'\nformula = 'mass * 30 // 100'\nspare_of = 'mass'
            [[value]]\nid = 'repair'\nformula = 'structure // 20'\nspare_of = ['mass', 'structure']
            [[value]]\nid = 'flat'\nformula = '7'\nspare_of = 'mass'
            [[value]]\nid = 'ends'\nformula = '10 // (126 - mass)'\nspare_of = 'mass'"
        );
        let boxes = |count: i64| sentences(&rules, &format!("[[fit]]\nsystem = 'box'\ncount = {count}"));
        assert_eq!(
            boxes(125),
            [
                "structure 37: mass 125, 1 spare (124 also gives 37); 38 at 127",
                "repair 1: mass 125, 58 spare (67 also gives 1); 2 at 134",
                "repair 1: structure 37, 17 spare (20 also gives 1); 2 at 40",
                "ends 10: mass 125, none spare",
            ]
        );
        assert_eq!(boxes(124)[0], "structure 37: mass 124, none spare; 38 at 127");
        assert_eq!(boxes(2)[0], "structure 0: mass 2, 2 spare (0 also gives 0); 1 at 4");
    }

    #[test]
    fn fields_bound_what_is_looked_at_and_costs_leave_room() {
        let rules = format!(
            "{HEAD}
            [[field]]\nid = 'guns'\nkind = 'integer'\ndefault = 9\nmin = 0\nmax = 11
            [[field]]\nid = 'far'\nkind = 'integer'\ndefault = 5
            [[field]]\nid = 'off'\nkind = 'integer'\ndefault = 5\nshown_when = 'guns > 99'
            [[value]]\nid = 'weight'\nformula = 'ceil_div(guns, 4)'\nroom_for = 'guns'\nlimit = 2
            [[value]]\nid = 'slow'\nformula = 'far // 1000000'\nspare_of = ['far', 'off']"
        );
        assert_eq!(
            sentences(&rules, ""),
            [
                "weight 3: guns 9, room for 2 more (11 also gives 3)",
                "weight 3 of 2: 1 over",
                "slow 0: far 5, 5 spare (0 also gives 0)"
            ]
        );
        assert_eq!(
            sentences(&rules, "[fields]\nguns = 8")[..2],
            ["weight 2: guns 8, room for no more; 3 at 9", "weight 2 of 2: 0 left"]
        );
        // A value that is not computable has no margin, and the largest number has no next step.
        assert_eq!(sentences(&rules, "[fields]\nguns = 'x'\nfar = 999999999999999").len(), 1);
    }

    #[test]
    fn amounts_are_values_or_numbers() {
        for (key, code) in [("'mas'", "unknown-name"), ("'name_of'", "wrong-type"), ("['mass', 3]", "wrong-type")] {
            let text = format!(
                "{HEAD}[[field]]\nid = 'name_of'\nkind = 'text'\n[[value]]\nid = 'mass'\nformula = 1\n[[value]]\nid = 'a'\nformula = 'mass'\nspare_of = {key}"
            );
            let (_, findings) = Ruleset::load(&Source::new("x.toml", &text));
            assert_eq!(findings.iter().map(|finding| &*finding.code).collect::<Vec<_>>(), [code], "{findings:?}");
        }
    }
}
