//! Lifts a formula over its dice: takes a tree and a host, gives the distribution of its value. Parts of a tree are independent of each other, since
//! every die is written once and all names are fixed.

use std::cell::Cell;

use moldloft_base::source::Span;

use super::super::error::{EvalResult, FormulaErrorKind, fail, wrong_type};
use super::super::eval::{field, item};
use super::super::limits::{self, MAX_VALUE_DEPTH};
use super::super::node::{FormulaNode, NodeOp, RollOp};
use super::super::operators::{self, SumAccumulator, floor_div, floor_rest};
use super::super::run::{FormulaRun, FunctionContext};
use super::super::syntax::{ProductOp, SumOp};
use super::super::{FormulaError, Value};
use super::sums::{self, NumberSums};
use super::{CHAIN_REST, ChanceBudget, MAX_COMBINATIONS, MAX_OUTCOMES, Spread, Weight, dice_text, too_many_outcomes};

struct Lift<'r, 'h> {
    run: &'r FormulaRun<'h>,
    combinations: Cell<u32>,
    budget: &'r ChanceBudget,
}

/// The distribution of a formula.
///
/// # Errors
/// As those of an evaluation, and `too-many-dice`, `too-many-outcomes`, `too-many-states`, `never-ends`, `not-dice`.
pub(in super::super) fn spread<W: Weight>(
    node: &FormulaNode,
    run: &FormulaRun<'_>,
    budget: &ChanceBudget,
) -> EvalResult<Spread<W>> {
    Lift { run, combinations: Cell::new(0), budget }.spread(node)
}

impl Lift<'_, '_> {
    fn spread<W: Weight>(&self, node: &FormulaNode) -> EvalResult<Spread<W>> {
        if !node.rolls() {
            return Ok(Spread::certain(node.value(self.run)?));
        }
        match &node.op {
            NodeOp::Roll(op, parts) => self.roll(*op, parts, node.at),
            NodeOp::If(parts) => self.choose(parts, node.at),
            NodeOp::And(items) => self.decide(items, false),
            NodeOp::Or(items) => self.decide(items, true),
            NodeOp::Sum { first, rest, .. } => {
                let mut total = self.spread(first)?;
                for (sign, item) in rest {
                    let next = self.spread(item)?;
                    total = self.sum(&total, *sign, &next, item.at)?;
                }
                Ok(total)
            }
            NodeOp::Product { first, rest } => {
                let mut total = self.spread(first)?;
                for (sign, item) in rest {
                    let next = self.spread(item)?;
                    total = self.pairs(&total, &next, item.at, |a, b| product(a, *sign, b, item.at))?;
                }
                Ok(total)
            }
            _ => self.combine(node),
        }
    }

    fn count_combinations(&self, combinations: usize, at: Span) -> EvalResult<()> {
        let total = u32::try_from(combinations).ok().and_then(|more| self.combinations.get().checked_add(more));
        match total {
            Some(total) if total <= MAX_COMBINATIONS => self.combinations.set(total),
            _ => return too_many_outcomes(at),
        }
        self.budget.charge(combinations, at)
    }

    fn bounded<W: Weight>(&self, spread: Spread<W>, at: Span) -> EvalResult<Spread<W>> {
        if spread.outcomes.len() > MAX_OUTCOMES { too_many_outcomes(at) } else { Ok(spread) }
    }

    fn pairs<W: Weight>(
        &self,
        a: &Spread<W>,
        b: &Spread<W>,
        at: Span,
        compute: impl Fn(&Value, &Value) -> EvalResult<Value>,
    ) -> EvalResult<Spread<W>> {
        self.count_combinations(a.outcomes.len().saturating_mul(b.outcomes.len()), at)?;
        let mut outcomes = Vec::with_capacity(a.outcomes.len() * b.outcomes.len());
        for (x, p) in &a.outcomes {
            for (y, q) in &b.outcomes {
                outcomes.push((compute(x, y)?, p.times(q)));
            }
        }
        let mut lost = a.mass().times(&b.lost);
        lost.add(&a.lost);
        self.bounded(Spread::of(outcomes, lost), at)
    }

    fn sum<W: Weight>(&self, a: &Spread<W>, sign: SumOp, b: &Spread<W>, at: Span) -> EvalResult<Spread<W>> {
        let ints = |spread: &Spread<W>| spread.outcomes.iter().all(|(value, _)| matches!(value, Value::Int(_)));
        if ints(a)
            && ints(b)
            && let (Some(a), Some(b)) = (NumberSums::of(a), NumberSums::of(b))
        {
            return Ok(sums::add(&a, &b, sign == SumOp::Subtract, self.budget, at)?.into_spread());
        }
        self.pairs(a, b, at, |a, b| {
            let mut sum = SumAccumulator::new(a.clone());
            Ok(if sum.add(sign, b, self.run, at)? { sum.into_value() } else { Value::Null })
        })
    }

    /// `a if condition else b`: a branch that is never taken is not rolled.
    fn choose<W: Weight>(&self, parts: &[FormulaNode; 3], at: Span) -> EvalResult<Spread<W>> {
        let [then, condition, otherwise] = parts;
        let condition = self.spread::<W>(condition)?.into_flags();
        let branches = condition.outcomes.into_iter().map(|(value, weight)| {
            let branch = match value {
                Value::Flag(true) => self.spread(then)?,
                Value::Flag(false) => self.spread(otherwise)?,
                _ => Spread::certain(Value::Null),
            };
            Ok((branch, weight))
        });
        let branches = branches.collect::<EvalResult<Vec<_>>>()?;
        self.mixed(branches, condition.lost, at)
    }

    fn mixed<W: Weight>(&self, branches: Vec<(Spread<W>, W)>, mut lost: W, at: Span) -> EvalResult<Spread<W>> {
        self.budget.charge(branches.iter().map(|(branch, _)| branch.outcomes.len()).sum(), at)?;
        let mut outcomes = Vec::new();
        for (branch, weight) in branches {
            lost.add(&branch.lost.times(&weight));
            outcomes.extend(branch.outcomes.into_iter().map(|(value, p)| (value, p.times(&weight))));
        }
        self.bounded(Spread::of(outcomes, lost), at)
    }

    /// `and` (`decides` is false) and `or` (`decides` is true). Null is "not known", as in an evaluation.
    fn decide<W: Weight>(&self, items: &[FormulaNode], decides: bool) -> EvalResult<Spread<W>> {
        let (mut decided, mut open, mut unknown, mut lost) = (W::zero(), W::one(), W::zero(), W::zero());
        for item in items {
            if open.is_zero() && unknown.is_zero() {
                break;
            }
            let item = self.spread::<W>(item)?.into_flags();
            let part = |wanted: Value| {
                let found = item.outcomes.iter().find(|(value, _)| *value == wanted);
                found.map_or_else(W::zero, |(_, weight)| weight.clone())
            };
            let (yes, no, null) = (part(Value::Flag(decides)), part(Value::Flag(!decides)), part(Value::Null));
            let mut before = open.clone();
            before.add(&unknown);
            decided.add(&before.times(&yes));
            lost.add(&before.times(&item.lost));
            let mut certain = no.clone();
            certain.add(&null);
            unknown = unknown.times(&certain);
            unknown.add(&open.times(&null));
            open = open.times(&no);
        }
        let outcomes = [(Value::Flag(decides), decided), (Value::Flag(!decides), open), (Value::Null, unknown)];
        Ok(Spread::of(outcomes.into_iter().filter(|(_, weight)| !weight.is_zero()).collect(), lost))
    }

    /// All combinations of the parts' values.
    fn combine<W: Weight>(&self, node: &FormulaNode) -> EvalResult<Spread<W>> {
        let parts: Vec<Spread<W>> =
            node.parts().into_iter().map(|part| self.spread(part)).collect::<EvalResult<_>>()?;
        let combinations = parts.iter().fold(1_usize, |product, part| product.saturating_mul(part.outcomes.len()));
        self.count_combinations(combinations, node.at)?;
        let (mut mass, mut lost) = (W::one(), W::zero());
        for part in &parts {
            lost.add(&mass.times(&part.lost));
            mass = mass.times(&part.mass());
        }
        let mut outcomes = Vec::with_capacity(combinations);
        let mut places = vec![0; parts.len()];
        for _ in 0..combinations {
            let mut weight = W::one();
            let mut values = Vec::with_capacity(parts.len());
            for (part, place) in parts.iter().zip(&places) {
                let (value, p) = &part.outcomes[*place];
                values.push(value);
                weight = weight.times(p);
            }
            outcomes.push((self.apply(node, &values)?, weight));
            for (part, place) in parts.iter().zip(&mut places).rev() {
                *place += 1;
                if *place < part.outcomes.len() {
                    break;
                }
                *place = 0;
            }
        }
        self.bounded(Spread::of(outcomes, lost), node.at)
    }

    /// The value of a node whose parts have these values.
    fn apply(&self, node: &FormulaNode, values: &[&Value]) -> EvalResult<Value> {
        let at = node.at;
        let unknown = values.iter().any(|value| value.is_null());
        Ok(match &node.op {
            NodeOp::Field(_, name) => field(values[0], name, at)?.clone(),
            NodeOp::Index(parts) => item(values[0], number(values[1], at)?, parts[0].at, at)?.clone(),
            NodeOp::Not(_) => values[0].as_bool().map_or(Value::Null, |flag| Value::Flag(!flag)),
            NodeOp::IsNotEmpty(_) => Value::Flag(values[0].as_bool().unwrap_or(false)),
            NodeOp::Compare { rest, .. } => {
                let mut known = true;
                for ((relation, _), pair) in rest.iter().zip(values.windows(2)) {
                    match operators::compare(*relation, pair[0], pair[1], self.run, at)? {
                        Some(false) => return Ok(Value::Flag(false)),
                        Some(true) => {}
                        None => known = false,
                    }
                }
                if known { Value::Flag(true) } else { Value::Null }
            }
            NodeOp::List { deep, .. } => {
                self.run.charge_items(values.len(), at)?;
                let list = Value::List(values.iter().map(|value| (*value).clone()).collect());
                if *deep {
                    self.run.check_depth(&list, MAX_VALUE_DEPTH, at)?;
                }
                list
            }
            _ if unknown => Value::Null,
            NodeOp::HostCall(call, _) => {
                let given: Vec<Value> = values.iter().map(|value| (*value).clone()).collect();
                let answer = self.run.host.call(*call, &given);
                answer.map_err(|message| Box::new(FormulaError::of_kind(FormulaErrorKind::NoAnswer, message, at)))?
            }
            NodeOp::NumberCall(_, compute, _) => {
                let numbers = values.iter().map(|value| number(value, at)).collect::<EvalResult<Option<Vec<_>>>>()?;
                match numbers {
                    Some(numbers) => Value::Int(compute(&numbers, at)?),
                    None => Value::Null,
                }
            }
            NodeOp::ValueCall(_, compute, _, names) => compute(&FunctionContext { run: self.run, at, names }, values)?,
            NodeOp::Negate(_) => match number(values[0], at)? {
                Some(number) => Value::Int(-number),
                None => Value::Null,
            },
            _ => node.value(self.run)?,
        })
    }

    fn roll<W: Weight>(&self, op: RollOp, parts: &[FormulaNode], at: Span) -> EvalResult<Spread<W>> {
        match op {
            RollOp::Dice { count, sides } => Ok(sums::dice(count, sides, self.budget, at)?.into_spread()),
            RollOp::Times => self.times(&parts[0], &parts[1], at),
            RollOp::Reached => self.reached(&parts[0], &parts[1], at),
            RollOp::Faces => {
                let list = self.spread::<W>(&parts[0])?;
                let again = match parts.get(1) {
                    Some(again) => self.spread(again)?,
                    None => Spread::certain(Value::List([].into())),
                };
                let mut dice = Vec::new();
                let mut lost = list.mass().times(&again.lost);
                lost.add(&list.lost);
                for (list, p) in &list.outcomes {
                    for (again, q) in &again.outcomes {
                        dice.push((self.die(list, again, at)?, p.times(q)));
                    }
                }
                self.mixed(dice, lost, at)
            }
            RollOp::Text => {
                let text = self.spread::<W>(&parts[0])?;
                let rolls = text.outcomes.iter().map(|(text, p)| Ok((self.dice_of_text(text, at)?, p.clone())));
                let rolls = rolls.collect::<EvalResult<Vec<_>>>()?;
                self.mixed(rolls, text.lost, at)
            }
        }
    }

    fn times<W: Weight>(&self, count: &FormulaNode, each: &FormulaNode, at: Span) -> EvalResult<Spread<W>> {
        let count = self.spread::<W>(count)?;
        let each = self.spread::<W>(each)?;
        let one = NumberSums::of(&each);
        let mut totals = Vec::with_capacity(count.outcomes.len());
        for (rolls, weight) in count.outcomes {
            let total = match (number(&rolls, at)?, &one) {
                (Some(rolls), Some(one)) => sums::repeated(rolls, one, self.budget, at)?.into_spread(),
                (Some(rolls), None) if rolls <= 0 => Spread::certain(Value::Int(0)),
                (Some(_), None) if each.outcomes.iter().all(|(value, _)| value.is_null()) => {
                    Spread::certain(Value::Null)
                }
                (Some(_), None) => return fail("wrong-type", "`times` adds numbers or counts conditions", at),
                (None, _) => Spread::certain(Value::Null),
            };
            totals.push((total, weight));
        }
        self.mixed(totals, count.lost, at)
    }

    /// For each number of a list a roll of its own; how many come to it.
    fn reached<W: Weight>(&self, numbers: &FormulaNode, each: &FormulaNode, at: Span) -> EvalResult<Spread<W>> {
        let lists = self.spread::<W>(numbers)?;
        let each = self.spread::<W>(each)?;
        let mut totals = Vec::with_capacity(lists.outcomes.len());
        for (list, weight) in lists.outcomes {
            let Value::List(wanted) = &list else {
                totals.push((Spread::certain(Value::Null), weight));
                continue;
            };
            let mut total = NumberSums::certain(0);
            for wanted in wanted.iter() {
                let wanted = match wanted {
                    Value::Int(wanted) => Some(*wanted),
                    Value::Text(text) => text.trim().parse().ok(),
                    other => return Err(wrong_type("a list of numbers", other.describe(), at)),
                };
                let Some(wanted) = wanted else { continue };
                let comes_to = each.outcomes.iter().map(|(value, p)| {
                    let reaches = number(value, at)?.is_some_and(|number| number >= wanted);
                    Ok((Value::Int(i64::from(reaches)), p.clone()))
                });
                let one = Spread::of(comes_to.collect::<EvalResult<Vec<_>>>()?, each.lost.clone());
                let Some(one) = NumberSums::of(&one) else { continue };
                total = sums::add(&total, &one, false, self.budget, at)?;
            }
            totals.push((total.into_spread(), weight));
        }
        self.mixed(totals, lists.lost, at)
    }

    /// One die with these faces; those at the places `again` are rolled again and added.
    fn die<W: Weight>(&self, list: &Value, again: &Value, at: Span) -> EvalResult<Spread<W>> {
        let (Value::List(faces), Value::List(again)) = (list, again) else { return Ok(Spread::certain(Value::Null)) };
        let faces = faces.iter().map(|face| number(face, at)).collect::<EvalResult<Option<Vec<i64>>>>()?;
        let again = again.iter().map(|place| number(place, at)).collect::<EvalResult<Option<Vec<i64>>>>()?;
        let (Some(faces), Some(again)) = (faces, again) else { return Ok(Spread::certain(Value::Null)) };
        let sides = u32::try_from(faces.len()).unwrap_or(u32::MAX);
        if sides == 0 || sides > super::MAX_SIDES {
            return super::too_many_dice(format!("a die with {} faces", faces.len()), at);
        }
        let mut rolled_again = vec![false; faces.len()];
        for place in &again {
            let face = usize::try_from(place - 1).ok().and_then(|place| rolled_again.get_mut(place));
            match face {
                Some(face) => *face = true,
                None => return fail("out-of-range", format!("this die has no face at place {place}"), at),
            }
        }
        let negative = faces.iter().zip(&rolled_again).any(|(face, again)| *again && *face < 0);
        if negative || rolled_again.iter().all(|again| *again) {
            let message = if negative { "a negative face is rolled again" } else { "every face is rolled again" };
            return fail("never-ends", message, at);
        }
        let each = W::ratio(1, sides);
        let part = |again: bool| {
            let faces = faces.iter().zip(&rolled_again).filter(move |(_, rolled)| **rolled == again);
            Spread::of(faces.map(|(face, _)| (Value::Int(*face), each.clone())).collect(), W::zero())
        };
        let numbers = |again: bool| NumberSums::of(&part(again)).unwrap_or_else(|| NumberSums::certain(0));
        let (last, more) = (numbers(false), numbers(true));
        if more.outcomes.is_empty() {
            return Ok(last.into_spread());
        }
        let (mut chain, mut left) = (NumberSums::certain(0), W::one());
        let mut outcomes = Vec::new();
        while left.value() >= CHAIN_REST {
            let ended = sums::add(&chain, &last, false, self.budget, at)?;
            outcomes.extend(ended.outcomes.into_iter().map(|(number, weight)| (Value::Int(number), weight)));
            chain = sums::add(&chain, &more, false, self.budget, at)?;
            left = W::zero();
            chain.outcomes.iter().for_each(|(_, weight)| left.add(weight));
            if outcomes.len() > MAX_COMBINATIONS as usize {
                return too_many_outcomes(at);
            }
        }
        self.bounded(Spread::of(outcomes, left), at)
    }

    fn dice_of_text<W: Weight>(&self, text: &Value, at: Span) -> EvalResult<Spread<W>> {
        let text = match text {
            Value::Text(text) => text,
            Value::Null => return Ok(Spread::certain(Value::Null)),
            other => return Err(wrong_type("text", other.describe(), at)),
        };
        let mut total = NumberSums::certain(0);
        for term in dice_text::parse(text, at)? {
            let next = match term.sides {
                Some(sides) => sums::dice(term.count, sides, self.budget, at)?,
                None => NumberSums::certain(i64::from(term.count)),
            };
            total = sums::add(&total, &next, term.negative, self.budget, at)?;
        }
        Ok(total.into_spread())
    }
}

fn number(value: &Value, at: Span) -> EvalResult<Option<i64>> {
    match value {
        Value::Int(number) => Ok(Some(*number)),
        Value::Null => Ok(None),
        other => Err(wrong_type("a number", other.describe(), at)),
    }
}

fn product(a: &Value, sign: ProductOp, b: &Value, at: Span) -> EvalResult<Value> {
    let (Some(a), Some(b)) = (number(a, at)?, number(b, at)?) else { return Ok(Value::Null) };
    if b == 0 && sign != ProductOp::Multiply {
        return Err(super::super::error::division_by_zero(at));
    }
    let wide = match sign {
        ProductOp::Multiply => i128::from(a) * i128::from(b),
        ProductOp::FloorDivide => floor_div(a, b),
        ProductOp::Remainder => floor_rest(a, b),
    };
    limits::check_wide(wide, at).map(Value::Int)
}
