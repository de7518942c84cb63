//! Compares texts that name kinds: takes where both sides come from, gives the call that asks whether one counts as the other.

use moldloft_base::source::Span;

use super::super::functions::Function;
use super::super::node::{FormulaNode, NodeOp};
use super::super::syntax::{ArgumentExpr, CompareOp, ProductOp, SumOp};
use super::super::{KindCall, NameSource, Naming, Type, Value};
use super::{Checker, TypedNode};

/// A call that asks whether the left side counts as the right one, or the other way round.
pub(super) struct KindComparison {
    call: u32,
    left_is_thing: bool,
}

impl Checker<'_> {
    /// The comparison as a call.
    pub(super) fn compared(
        &self,
        comparison: KindComparison,
        relation: CompareOp,
        left: FormulaNode,
        right: FormulaNode,
        at: Span,
    ) -> TypedNode {
        let parts = if comparison.left_is_thing { [left, right] } else { [right, left] };
        let call = FormulaNode { op: NodeOp::HostCall(comparison.call, Box::new(parts)), at };
        let node = match relation {
            CompareOp::NotEqual | CompareOp::NotIn => FormulaNode { op: NodeOp::Not(Box::new(call)), at },
            _ => call,
        };
        TypedNode::plain(node, Type::Flag, false)
    }

    pub(super) fn naming(&self, source: NameSource<'_>) -> Naming {
        self.scope.kinds().map_or(Naming::Word, |kinds| kinds.naming(source))
    }

    /// `None` where both sides are compared as they are.
    pub(super) fn kind_comparison(&self, left: Naming, relation: CompareOp, right: Naming) -> Option<KindComparison> {
        let is_of_words = matches!(relation, CompareOp::Equal | CompareOp::NotEqual | CompareOp::In | CompareOp::NotIn);
        if left == right || !is_of_words {
            return None;
        }
        let call = self.scope.kinds()?.kind_call(KindCall::CountsAs)?;
        Some(KindComparison { call, left_is_thing: left > right })
    }

    /// In a sum, nothing is counted twice: what one call names more closely than another is left to it.
    pub(super) fn count_apart(&self, first: &mut FormulaNode, rest: &mut [(SumOp, FormulaNode)]) {
        let Some(kinds) = self.scope.kinds() else { return };
        let added = rest.iter_mut().filter(|(sign, _)| *sign == SumOp::Add).map(|(_, node)| node);
        let mut calls: Vec<(&mut u32, &[FormulaNode])> = Vec::new();
        for node in std::iter::once(first).chain(added) {
            let factors: Vec<&mut FormulaNode> = if matches!(node.op, NodeOp::Product { .. }) {
                let NodeOp::Product { first, rest } = &mut node.op else { continue };
                let more = rest.iter_mut().filter(|(sign, _)| *sign == ProductOp::Multiply);
                std::iter::once(&mut **first).chain(more.map(|(_, node)| node)).collect()
            } else {
                vec![node]
            };
            calls.extend(factors.into_iter().filter_map(|factor| match &mut factor.op {
                NodeOp::HostCall(call, arguments) => Some((call, &**arguments)),
                _ => None,
            }));
        }
        let numbers: Vec<u32> = calls.iter().map(|(call, _)| **call).collect();
        for n in 0..calls.len() {
            let asks_alike = |other: &usize| *other != n && have_same_names(calls[n].1, calls[*other].1);
            let others: Vec<u32> = (0..numbers.len()).filter(asks_alike).map(|other| numbers[other]).collect();
            if let Some(apart) = kinds.apart(numbers[n], &others) {
                *calls[n].0 = apart;
            }
        }
    }

    /// The naming of what `where` and `column` give.
    pub(super) fn call_naming(&self, function: &Function, written: &[ArgumentExpr], given: &[TypedNode]) -> Naming {
        match (function.name, given, written) {
            ("column", [rows, _], [_, name]) => match (columns(&rows.ty), name.value.literal()) {
                (Some(columns), Some(Value::Text(name))) => self.naming(NameSource::Column(columns, &name)),
                _ => Naming::Word,
            },
            _ => Naming::Word,
        }
    }

    /// The arguments of a call; where `where` looks for a kind, all that it counts as, or all that count as it.
    pub(super) fn with_kinds(
        &self,
        function: &Function,
        written: &[ArgumentExpr],
        mut given: Vec<TypedNode>,
    ) -> Vec<TypedNode> {
        let (Some(kinds), "where") = (self.scope.kinds(), function.name) else { return given };
        let Some((rows, values)) = given.split_first_mut() else { return given };
        let Some(columns) = columns(&rows.ty) else { return given };
        for (value, written) in values.iter_mut().zip(&written[1..]) {
            let Some(name) = &written.name else { continue };
            let column = kinds.naming(NameSource::Column(columns, &name.text));
            let call = match value.naming.cmp(&column) {
                std::cmp::Ordering::Less => kinds.kind_call(KindCall::Below),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => kinds.kind_call(KindCall::Above),
            };
            let (Some(call), Type::Text(_)) = (call, &value.ty) else { continue };
            let at = value.node.at;
            let word = std::mem::replace(&mut value.node, FormulaNode { op: NodeOp::Const(Value::Null), at });
            value.node.op = NodeOp::HostCall(call, Box::new([word]));
        }
        given
    }
}

/// Whether arguments are the same names or constants.
fn have_same_names(a: &[FormulaNode], b: &[FormulaNode]) -> bool {
    let is_same = |(a, b): (&FormulaNode, &FormulaNode)| match (&a.op, &b.op) {
        (NodeOp::Slot(a), NodeOp::Slot(b)) => a == b,
        (NodeOp::Const(a), NodeOp::Const(b)) => a == b,
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

fn columns(rows: &Type) -> Option<&[(std::sync::Arc<str>, Type)]> {
    match rows {
        Type::List(row) => match &**row {
            Type::Record(columns) => Some(columns),
            _ => None,
        },
        _ => None,
    }
}
