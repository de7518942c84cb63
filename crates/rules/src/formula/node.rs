//! The tree of a compiled formula: names are slots, functions are bound, types are known. Names remain only for
//! messages.

use std::sync::Arc;

use moldloft_base::source::Span;

use super::functions::{Function, NumberFn, ValueFn};
use super::syntax::{CompareOp, ProductOp, SumOp};
use super::{Scope, Slot, Value};

/// A bound call in a formula.
#[derive(Debug)]
pub struct Lookup<'f> {
    pub call: u32,
    /// `None` where it hangs on more than the formula's own words.
    pub arguments: Vec<Option<&'f Value>>,
    /// The only field of its answer that is read; `None`: the whole answer.
    pub field: Option<&'f str>,
}

/// Where an item of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemPlace {
    Slot(Slot),
    Number(i64),
}

#[derive(Clone, Debug)]
pub(super) struct FormulaNode {
    pub op: NodeOp,
    pub at: Span,
}

/// The operation of a node. `ints`: all operands are known to be numbers and need no check.
#[derive(Clone, Debug)]
pub(super) enum NodeOp {
    Const(Value),
    Slot(Slot),
    IntSlot(Slot),
    Field(Box<FormulaNode>, Arc<str>),
    Index(Box<[FormulaNode; 2]>),
    HostCall(u32, Box<[FormulaNode]>),
    NumberCall(&'static Function, NumberFn, Box<[FormulaNode]>),
    /// Another built-in function, with the names of its named arguments, which come last.
    ValueCall(&'static Function, ValueFn, Box<[FormulaNode]>, Box<[Arc<str>]>),
    List {
        items: Box<[FormulaNode]>,
        /// May contain lists, so that its depth is checked.
        deep: bool,
    },
    Negate(Box<FormulaNode>),
    Not(Box<FormulaNode>),
    /// A text as a condition; null is false.
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
        /// All operands are known to be numbers, flags or texts.
        words: bool,
    },
    And(Box<[FormulaNode]>),
    Or(Box<[FormulaNode]>),
    /// then, condition, otherwise
    If(Box<[FormulaNode; 3]>),
    /// Has no single value: only [`spread`](super::chance) evaluates it.
    Roll(RollOp, Box<[FormulaNode]>),
}

/// What is rolled; the parts of its node are its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RollOp {
    /// The sum of `count` dice with `sides` sides.
    Dice { count: u32, sides: u32 },
    /// One die: its faces, and the places (from 1) of those that are rolled again and added.
    Faces,
    /// How many, what: the sum of separate rolls; a condition counts 1.
    Times,
    /// Dice in a text, such as `2D10+4`.
    Text,
    /// Numbers, what: how many numbers a separate roll for each comes to.
    Reached,
}

impl RollOp {
    /// As in a formula: `3d6`, `times`.
    pub fn written(self) -> String {
        match self {
            Self::Dice { count: 1, sides } => format!("d{sides}"),
            Self::Dice { count, sides } => format!("{count}d{sides}"),
            Self::Faces => "faces".to_owned(),
            Self::Times => "times".to_owned(),
            Self::Text => "roll".to_owned(),
            Self::Reached => "reached".to_owned(),
        }
    }
}

impl FormulaNode {
    /// Whether it gives a value whatever its names are: false where that is not known.
    pub fn never_fails(&self, scope: &dyn Scope) -> bool {
        match &self.op {
            NodeOp::Const(_) | NodeOp::Slot(_) | NodeOp::IntSlot(_) => true,
            NodeOp::Not(inner) | NodeOp::IsNotEmpty(inner) => inner.never_fails(scope),
            NodeOp::And(items) | NodeOp::Or(items) => items.iter().all(|item| item.never_fails(scope)),
            NodeOp::If(parts) => parts.iter().all(|part| part.never_fails(scope)),
            NodeOp::HostCall(call, items) => scope.is_sure(*call) && items.iter().all(|item| item.never_fails(scope)),
            NodeOp::Compare { first, rest, ints: true, .. } => {
                first.is_sure_number(scope) && rest.iter().all(|(_, item)| item.is_sure_number(scope))
            }
            NodeOp::Compare { first, rest, words, .. } => {
                let holds = |(relation, item): &(CompareOp, FormulaNode)| {
                    let is_sure = match relation {
                        CompareOp::Equal | CompareOp::NotEqual => *words,
                        CompareOp::In | CompareOp::NotIn => matches!(item.op, NodeOp::Const(Value::List(_))),
                        _ => false,
                    };
                    is_sure && item.never_fails(scope)
                };
                first.never_fails(scope) && rest.iter().all(holds)
            }
            _ => false,
        }
    }

    /// Of a node that is known to give a number.
    fn is_sure_number(&self, scope: &dyn Scope) -> bool {
        match &self.op {
            NodeOp::Const(Value::Int(_)) | NodeOp::IntSlot(_) => true,
            NodeOp::HostCall(..) => self.never_fails(scope),
            _ => false,
        }
    }

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
            | NodeOp::Or(items)
            | NodeOp::Roll(_, items) => items.iter().for_each(visit),
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
            NodeOp::Compare { first, rest, ints, words } => NodeOp::Compare {
                first: boxed(first),
                rest: rest.iter().map(|(relation, item)| (*relation, change(item))).collect(),
                ints: *ints,
                words: *words,
            },
            NodeOp::If(parts) => NodeOp::If(Box::new([change(&parts[0]), change(&parts[1]), change(&parts[2])])),
            NodeOp::Roll(op, items) => NodeOp::Roll(*op, items.iter().map(change).collect()),
        };
        FormulaNode { op, at: self.at }
    }

    /// Adds the slots and calls of this node, each once, in the order of first use.
    pub fn reads(&self, slots: &mut Vec<Slot>, calls: &mut Vec<u32>) {
        match &self.op {
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) if !slots.contains(slot) => slots.push(*slot),
            NodeOp::HostCall(call, _) if !calls.contains(call) => calls.push(*call),
            _ => {}
        }
        self.visit_parts(&mut |part| part.reads(slots, calls));
    }

    /// Adds, for each time that `list` is read, the place of the only item that is; `None` where more of it is read.
    pub fn items_read(&self, list: Slot, found: &mut Vec<Option<ItemPlace>>) {
        match &self.op {
            NodeOp::Slot(slot) if *slot == list => return found.push(None),
            NodeOp::Index(parts) if matches!(parts[0].op, NodeOp::Slot(slot) if slot == list) => {
                return found.push(match &parts[1].op {
                    NodeOp::Slot(place) | NodeOp::IntSlot(place) if *place != list => Some(ItemPlace::Slot(*place)),
                    NodeOp::Const(Value::Int(place)) => Some(ItemPlace::Number(*place)),
                    _ => None,
                });
            }
            _ => {}
        }
        self.visit_parts(&mut |part| part.items_read(list, found));
    }

    /// Adds the bound calls of this node, of which `field` is read.
    pub fn lookups<'n>(&'n self, field: Option<&'n str>, found: &mut Vec<Lookup<'n>>) {
        match &self.op {
            NodeOp::Field(inner, name) => return inner.lookups(Some(name), found),
            NodeOp::HostCall(call, items) => {
                let known = |item: &'n FormulaNode| match &item.op {
                    NodeOp::Const(value) => Some(value),
                    _ => None,
                };
                found.push(Lookup { call: *call, arguments: items.iter().map(known).collect(), field });
            }
            _ => {}
        }
        self.visit_parts(&mut |part| part.lookups(None, found));
    }

    pub fn written_numbers(&self, found: &mut (Vec<Vec<i64>>, Vec<(Slot, i64)>)) {
        let number = |node: &FormulaNode| match &node.op {
            NodeOp::Const(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let of_value = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
        match &self.op {
            NodeOp::Const(Value::List(items)) => found.0.extend(items.iter().map(of_value).collect::<Option<Vec<_>>>()),
            NodeOp::List { items, .. } => found.0.extend(items.iter().map(number).collect::<Option<Vec<_>>>()),
            NodeOp::Compare { first, rest, .. } => {
                if let (NodeOp::Slot(slot) | NodeOp::IntSlot(slot), [(_, other)]) = (&first.op, &**rest) {
                    found.1.extend(number(other).map(|number| (*slot, number)));
                }
            }
            _ => {}
        }
        self.visit_parts(&mut |part| part.written_numbers(found));
    }

    pub fn size(&self) -> u32 {
        let mut size = 1_u32;
        self.visit_parts(&mut |part| size = size.saturating_add(part.size()));
        size
    }

    /// Whether both compute the same in the same way; places are ignored.
    pub fn is_same(&self, other: &Self) -> bool {
        let same_op = match (&self.op, &other.op) {
            (NodeOp::Const(a), NodeOp::Const(b)) => return a == b,
            (NodeOp::Slot(a), NodeOp::Slot(b)) | (NodeOp::IntSlot(a), NodeOp::IntSlot(b)) => return a == b,
            (NodeOp::Field(_, a), NodeOp::Field(_, b)) => a == b,
            (NodeOp::HostCall(a, _), NodeOp::HostCall(b, _)) => a == b,
            (NodeOp::NumberCall(a, ..), NodeOp::NumberCall(b, ..)) => std::ptr::eq(*a, *b),
            (NodeOp::ValueCall(a, _, _, names), NodeOp::ValueCall(b, _, _, others)) => {
                std::ptr::eq(*a, *b) && names == others
            }
            (NodeOp::Sum { rest, .. }, NodeOp::Sum { rest: others, .. }) => same_signs(rest, others),
            (NodeOp::Product { rest, .. }, NodeOp::Product { rest: others, .. }) => same_signs(rest, others),
            (NodeOp::Compare { rest, .. }, NodeOp::Compare { rest: others, .. }) => same_signs(rest, others),
            (NodeOp::Roll(a, _), NodeOp::Roll(b, _)) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        if !same_op {
            return false;
        }
        let (parts, others) = (self.parts(), other.parts());
        parts.len() == others.len() && parts.iter().zip(others).all(|(part, other)| part.is_same(other))
    }

    /// The direct parts, in source order.
    pub fn parts(&self) -> Vec<&FormulaNode> {
        let mut parts = Vec::new();
        self.visit_parts(&mut |part| parts.push(part));
        parts
    }

    pub fn rolls(&self) -> bool {
        self.any(&|op| matches!(op, NodeOp::Roll(..)))
    }

    /// Whether it reads one of these, or rolls.
    pub fn varies(&self, varying: &[Slot]) -> bool {
        self.any(&|op| match op {
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) => varying.contains(slot),
            op => matches!(op, NodeOp::Roll(..)),
        })
    }

    pub fn any(&self, test: &dyn Fn(&NodeOp) -> bool) -> bool {
        let mut found = test(&self.op);
        self.visit_parts(&mut |part| found = found || part.any(test));
        found
    }
}

fn same_signs<S: PartialEq>(some: &[(S, FormulaNode)], others: &[(S, FormulaNode)]) -> bool {
    some.iter().map(|(sign, _)| sign).eq(others.iter().map(|(sign, _)| sign))
}
