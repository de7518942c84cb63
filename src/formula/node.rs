//! A compiled formula's tree: names are numbers, functions are bound, types are known. Never holds a name but for messages.

use std::sync::Arc;

use crate::source::Span;

use super::functions::Function;
use super::syntax::{CompareOp, ProductOp, SumOp};
use super::{Slot, Value};

/// A part of a compiled formula.
#[derive(Clone, Debug)]
pub(super) struct FormulaNode {
    pub op: NodeOp,
    /// Where it stands in its file.
    pub at: Span,
}

/// What a node does. `ints` says that all operands are known to be numbers, which spares looking at each.
#[derive(Clone, Debug)]
pub(super) enum NodeOp {
    Const(Value),
    Slot(Slot),
    /// A slot that holds a number.
    IntSlot(Slot),
    Field(Box<FormulaNode>, Arc<str>),
    Index(Box<[FormulaNode; 2]>),
    /// A call that the host answers.
    HostCall(u32, Box<[FormulaNode]>),
    /// A pure function of numbers.
    NumberCall(&'static Function, super::functions::NumberFn, Box<[FormulaNode]>),
    /// Any other pure function, with the names of its named arguments, which come last.
    ValueCall(&'static Function, super::functions::ValueFn, Box<[FormulaNode]>, Box<[Arc<str>]>),
    List {
        items: Box<[FormulaNode]>,
        /// Whether lists may stand within it, so that their depth must be looked at.
        deep: bool,
    },
    Negate(Box<FormulaNode>),
    Not(Box<FormulaNode>),
    /// A text as a condition: whether there is one. One that is not stated is none.
    IsNotEmpty(Box<FormulaNode>),
    Sum {
        first: Box<FormulaNode>,
        rest: Box<[(SumOp, FormulaNode)]>,
        ints: bool,
    },
    Product {
        first: Box<FormulaNode>,
        rest: Box<[(ProductOp, FormulaNode)]>,
    },
    Compare {
        first: Box<FormulaNode>,
        rest: Box<[(CompareOp, FormulaNode)]>,
        ints: bool,
    },
    And(Box<[FormulaNode]>),
    Or(Box<[FormulaNode]>),
    /// then, condition, otherwise
    If(Box<[FormulaNode; 3]>),
}

impl FormulaNode {
    /// Calls `visit` with each part of this node, in the order they are written.
    pub fn visit_parts<'n>(&'n self, visit: &mut dyn FnMut(&'n FormulaNode)) {
        match &self.op {
            NodeOp::Const(_) | NodeOp::Slot(_) | NodeOp::IntSlot(_) => {}
            NodeOp::Field(inner, _) | NodeOp::Negate(inner) | NodeOp::Not(inner) | NodeOp::IsNotEmpty(inner) => {
                visit(inner)
            }
            NodeOp::Index(parts) => parts.iter().for_each(visit),
            NodeOp::HostCall(_, items)
            | NodeOp::NumberCall(_, _, items)
            | NodeOp::ValueCall(_, _, items, _)
            | NodeOp::List { items, .. }
            | NodeOp::And(items)
            | NodeOp::Or(items) => items.iter().for_each(visit),
            NodeOp::Sum { first, rest, .. } => {
                visit(first);
                rest.iter().for_each(|(_, item)| visit(item));
            }
            NodeOp::Product { first, rest } => {
                visit(first);
                rest.iter().for_each(|(_, item)| visit(item));
            }
            NodeOp::Compare { first, rest, .. } => {
                visit(first);
                rest.iter().for_each(|(_, item)| visit(item));
            }
            NodeOp::If(parts) => parts.iter().for_each(visit),
        }
    }

    /// The same node with each of its parts replaced by what `change` makes of it.
    pub fn map(&self, change: &mut dyn FnMut(&FormulaNode) -> FormulaNode) -> FormulaNode {
        let mut boxed = |node: &FormulaNode| Box::new(change(node));
        let op = match &self.op {
            NodeOp::Const(_) | NodeOp::Slot(_) | NodeOp::IntSlot(_) => self.op.clone(),
            NodeOp::Field(inner, name) => NodeOp::Field(boxed(inner), name.clone()),
            NodeOp::Negate(inner) => NodeOp::Negate(boxed(inner)),
            NodeOp::Not(inner) => NodeOp::Not(boxed(inner)),
            NodeOp::IsNotEmpty(inner) => NodeOp::IsNotEmpty(boxed(inner)),
            NodeOp::Index(parts) => NodeOp::Index(Box::new([change(&parts[0]), change(&parts[1])])),
            NodeOp::HostCall(call, items) => NodeOp::HostCall(*call, items.iter().map(change).collect()),
            NodeOp::NumberCall(function, run, items) => {
                NodeOp::NumberCall(function, *run, items.iter().map(change).collect())
            }
            NodeOp::ValueCall(function, run, items, names) => {
                NodeOp::ValueCall(function, *run, items.iter().map(change).collect(), names.clone())
            }
            NodeOp::List { items, deep } => NodeOp::List { items: items.iter().map(change).collect(), deep: *deep },
            NodeOp::And(items) => NodeOp::And(items.iter().map(change).collect()),
            NodeOp::Or(items) => NodeOp::Or(items.iter().map(change).collect()),
            NodeOp::Sum { first, rest, ints } => NodeOp::Sum {
                first: boxed(first),
                rest: rest.iter().map(|(sign, item)| (*sign, change(item))).collect(),
                ints: *ints,
            },
            NodeOp::Product { first, rest } => NodeOp::Product {
                first: boxed(first),
                rest: rest.iter().map(|(sign, item)| (*sign, change(item))).collect(),
            },
            NodeOp::Compare { first, rest, ints } => NodeOp::Compare {
                first: boxed(first),
                rest: rest.iter().map(|(relation, item)| (*relation, change(item))).collect(),
                ints: *ints,
            },
            NodeOp::If(parts) => NodeOp::If(Box::new([change(&parts[0]), change(&parts[1]), change(&parts[2])])),
        };
        FormulaNode { op, at: self.at }
    }

    /// Adds the slots and calls that this node reads, each once, in the order of their first use.
    pub fn reads(&self, slots: &mut Vec<Slot>, calls: &mut Vec<u32>) {
        match &self.op {
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) if !slots.contains(slot) => slots.push(*slot),
            NodeOp::HostCall(call, _) if !calls.contains(call) => calls.push(*call),
            _ => {}
        }
        self.visit_parts(&mut |part| part.reads(slots, calls));
    }

    /// How many nodes it has.
    pub fn size(&self) -> u32 {
        let mut size = 1_u32;
        self.visit_parts(&mut |part| size = size.saturating_add(part.size()));
        size
    }

    /// Whether it or a part of it is so.
    pub fn any(&self, test: &dyn Fn(&NodeOp) -> bool) -> bool {
        let mut found = test(&self.op);
        self.visit_parts(&mut |part| found = found || part.any(test));
        found
    }
}
