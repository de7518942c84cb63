//! A compiled formula's tree: names are numbers, functions are bound, types are known. Never holds a name but for messages.

use std::sync::Arc;

use crate::source::Span;

use super::functions::Function;
use super::syntax::{Plus, Relation, Times};
use super::{Slot, Value};

/// A part of a compiled formula.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub op: Op,
    /// Where it stands in its file.
    pub at: Span,
}

/// What a node does. `ints` says that all operands are known to be numbers, which spares looking at each.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Const(Value),
    Slot(Slot),
    /// A slot that holds a number.
    IntSlot(Slot),
    Field(Box<Node>, Arc<str>),
    Index(Box<[Node; 2]>),
    /// A call that the host answers.
    Host(u32, Box<[Node]>),
    /// A pure function of numbers.
    Numbers(&'static Function, super::functions::Numbers, Box<[Node]>),
    /// Any other pure function, with the names of its named arguments, which come last.
    Values(&'static Function, super::functions::Values, Box<[Node]>, Box<[Arc<str>]>),
    List {
        items: Box<[Node]>,
        /// Whether lists may stand within it, so that their depth must be looked at.
        deep: bool,
    },
    Minus(Box<Node>),
    Not(Box<Node>),
    /// A text as a condition: whether there is one. One that is not stated is none.
    Said(Box<Node>),
    Sum {
        first: Box<Node>,
        rest: Box<[(Plus, Node)]>,
        ints: bool,
    },
    Product {
        first: Box<Node>,
        rest: Box<[(Times, Node)]>,
    },
    Compare {
        first: Box<Node>,
        rest: Box<[(Relation, Node)]>,
        ints: bool,
    },
    And(Box<[Node]>),
    Or(Box<[Node]>),
    /// then, condition, otherwise
    If(Box<[Node; 3]>),
}

impl Node {
    /// Calls `visit` with each part of this node, in the order they are written.
    pub fn parts<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        match &self.op {
            Op::Const(_) | Op::Slot(_) | Op::IntSlot(_) => {}
            Op::Field(inner, _) | Op::Minus(inner) | Op::Not(inner) | Op::Said(inner) => visit(inner),
            Op::Index(parts) => parts.iter().for_each(visit),
            Op::Host(_, items)
            | Op::Numbers(_, _, items)
            | Op::Values(_, _, items, _)
            | Op::List { items, .. }
            | Op::And(items)
            | Op::Or(items) => items.iter().for_each(visit),
            Op::Sum { first, rest, .. } => {
                visit(first);
                rest.iter().for_each(|(_, item)| visit(item));
            }
            Op::Product { first, rest } => {
                visit(first);
                rest.iter().for_each(|(_, item)| visit(item));
            }
            Op::Compare { first, rest, .. } => {
                visit(first);
                rest.iter().for_each(|(_, item)| visit(item));
            }
            Op::If(parts) => parts.iter().for_each(visit),
        }
    }

    /// The same node with each of its parts replaced by what `change` makes of it.
    pub fn map(&self, change: &mut dyn FnMut(&Node) -> Node) -> Node {
        let mut boxed = |node: &Node| Box::new(change(node));
        let op = match &self.op {
            Op::Const(_) | Op::Slot(_) | Op::IntSlot(_) => self.op.clone(),
            Op::Field(inner, name) => Op::Field(boxed(inner), name.clone()),
            Op::Minus(inner) => Op::Minus(boxed(inner)),
            Op::Not(inner) => Op::Not(boxed(inner)),
            Op::Said(inner) => Op::Said(boxed(inner)),
            Op::Index(parts) => Op::Index(Box::new([change(&parts[0]), change(&parts[1])])),
            Op::Host(call, items) => Op::Host(*call, items.iter().map(change).collect()),
            Op::Numbers(function, run, items) => Op::Numbers(function, *run, items.iter().map(change).collect()),
            Op::Values(function, run, items, names) => {
                Op::Values(function, *run, items.iter().map(change).collect(), names.clone())
            }
            Op::List { items, deep } => Op::List { items: items.iter().map(change).collect(), deep: *deep },
            Op::And(items) => Op::And(items.iter().map(change).collect()),
            Op::Or(items) => Op::Or(items.iter().map(change).collect()),
            Op::Sum { first, rest, ints } => Op::Sum {
                first: boxed(first),
                rest: rest.iter().map(|(sign, item)| (*sign, change(item))).collect(),
                ints: *ints,
            },
            Op::Product { first, rest } => Op::Product {
                first: boxed(first),
                rest: rest.iter().map(|(sign, item)| (*sign, change(item))).collect(),
            },
            Op::Compare { first, rest, ints } => Op::Compare {
                first: boxed(first),
                rest: rest.iter().map(|(relation, item)| (*relation, change(item))).collect(),
                ints: *ints,
            },
            Op::If(parts) => Op::If(Box::new([change(&parts[0]), change(&parts[1]), change(&parts[2])])),
        };
        Node { op, at: self.at }
    }

    /// Adds the slots and calls that this node reads, each once, in the order of their first use.
    pub fn reads(&self, slots: &mut Vec<Slot>, calls: &mut Vec<u32>) {
        match &self.op {
            Op::Slot(slot) | Op::IntSlot(slot) if !slots.contains(slot) => slots.push(*slot),
            Op::Host(call, _) if !calls.contains(call) => calls.push(*call),
            _ => {}
        }
        self.parts(&mut |part| part.reads(slots, calls));
    }

    /// How many nodes it has.
    pub fn size(&self) -> u32 {
        let mut size = 1_u32;
        self.parts(&mut |part| size = size.saturating_add(part.size()));
        size
    }

    /// Whether it or a part of it is so.
    pub fn any(&self, test: &dyn Fn(&Op) -> bool) -> bool {
        let mut found = test(&self.op);
        self.parts(&mut |part| found = found || part.any(test));
        found
    }
}
