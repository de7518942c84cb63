//! Bounds on levers that follow from a condition: takes a compiled condition and a box, gives sums of levers with their greatest value.

use super::super::node::{FormulaNode, NodeOp};
use super::super::syntax::CompareOp;
use super::number::{LeverBox, NumberRange};
use super::run::RangeRun;

const SLACK: f64 = 1e-6;

/// The sum of its terms, lever and factor, is at most `most`.
#[derive(Clone, Debug, PartialEq)]
pub struct LeverBound {
    pub terms: Vec<(u16, f64)>,
    pub most: f64,
}

impl LeverBound {
    /// The least value of its sum in a box.
    pub fn least(&self, levers: &LeverBox) -> f64 {
        let each = self.terms.iter().filter_map(|(lever, factor)| {
            let (low, high) = levers.get(usize::from(*lever))?;
            Some((factor * *low as f64).min(factor * *high as f64))
        });
        each.sum()
    }

    /// Whether a point can meet it.
    pub fn allows(&self, point: &[i64]) -> bool {
        let levers: Vec<(i64, i64)> = point.iter().map(|value| (*value, *value)).collect();
        self.least(&levers) <= self.most + SLACK
    }
}

/// For designs of the box for which the node is `wanted`.
pub(super) fn collect(run: &RangeRun<'_>, node: &FormulaNode, wanted: bool, bounds: &mut Vec<LeverBound>) {
    match &node.op {
        NodeOp::Not(inner) => collect(run, inner, !wanted, bounds),
        NodeOp::And(items) if wanted => items.iter().for_each(|item| collect(run, item, true, bounds)),
        NodeOp::Or(items) if !wanted => items.iter().for_each(|item| collect(run, item, false, bounds)),
        // One of them decides: the last that is not certainly the other way.
        NodeOp::And(items) | NodeOp::Or(items) => {
            let open = |item: &&FormulaNode| {
                let truth = run.truth(item);
                if wanted { truth.may_be_true } else { truth.may_be_false }
            };
            let mut open = items.iter().filter(open);
            if let (Some(last), None) = (open.next(), open.next()) {
                collect(run, last, wanted, bounds);
            }
        }
        NodeOp::Compare { first, rest, .. } => {
            if !wanted && rest.len() > 1 {
                return;
            }
            let mut left = run.value(first);
            for (relation, item) in rest {
                let right = run.value(item);
                if let (Some(a), Some(b)) = (left.numbers(), right.numbers()) {
                    let relation = if wanted { *relation } else { opposite(*relation) };
                    compare(relation, &a, &b, run.levers(), bounds);
                }
                left = right;
            }
        }
        NodeOp::If(parts) => {
            let condition = run.truth(&parts[1]);
            match (condition.may_be_true, condition.may_be_false) {
                (true, false) => collect(run, &parts[0], wanted, bounds),
                (false, true) => collect(run, &parts[2], wanted, bounds),
                _ => {}
            }
        }
        _ => {
            // A number as a condition: 0, or something else.
            let Some(number) = run.value(node).numbers() else { return };
            let zero = NumberRange::exact(0);
            match wanted {
                false => compare(CompareOp::Equal, &number, &zero, run.levers(), bounds),
                true if number.low >= 0 => compare(CompareOp::Greater, &number, &zero, run.levers(), bounds),
                true => {}
            }
        }
    }
}

fn opposite(relation: CompareOp) -> CompareOp {
    match relation {
        CompareOp::Equal => CompareOp::NotEqual,
        CompareOp::NotEqual => CompareOp::Equal,
        CompareOp::Less => CompareOp::GreaterEqual,
        CompareOp::LessEqual => CompareOp::Greater,
        CompareOp::Greater => CompareOp::LessEqual,
        CompareOp::GreaterEqual => CompareOp::Less,
        CompareOp::In => CompareOp::NotIn,
        CompareOp::NotIn => CompareOp::In,
    }
}

fn compare(relation: CompareOp, a: &NumberRange, b: &NumberRange, levers: &LeverBox, bounds: &mut Vec<LeverBound>) {
    let mut at_most = |a: &NumberRange, b: &NumberRange, most: f64| {
        if let Some(difference) = a.minus(b, levers).range
            && !difference.terms.is_empty()
        {
            bounds.push(LeverBound { terms: difference.terms, most: most - difference.rest_low });
        }
    };
    match relation {
        CompareOp::Less => at_most(a, b, -1.0),
        CompareOp::LessEqual => at_most(a, b, 0.0),
        CompareOp::Greater => at_most(b, a, -1.0),
        CompareOp::GreaterEqual => at_most(b, a, 0.0),
        CompareOp::Equal => {
            at_most(a, b, 0.0);
            at_most(b, a, 0.0);
        }
        CompareOp::NotEqual | CompareOp::In | CompareOp::NotIn => {}
    }
}
