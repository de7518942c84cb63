//! A compiled formula: compiles text, evaluates, traces, lists what it reads.

use std::sync::Arc;

use moldloft_base::source::Span;

use super::chance::{self, ChanceBudget, Spread, Weight};
use super::check::{check, conform};
use super::error::{EvalResult, unknown_option, wrong_type};
use super::fixed_parts::FixedParts;
use super::limits::{FORMULA_WORK, check_number};
use super::node::{FormulaNode, ItemPlace, Lookup, NodeOp, RollOp};
use super::run::FormulaRun;
use super::syntax::Expr;
use super::{FormulaError, Host, Scope, Slot, Trace, Type, Value, parse};

/// A compiled formula; cheap to clone.
#[derive(Clone, Debug)]
pub struct Formula {
    /// As written.
    pub source: Arc<str>,
    pub ty: Type,
    pub at: Span,
    pub(super) tree: Arc<CompiledTree>,
}

#[derive(Debug)]
pub(super) struct CompiledTree {
    pub(super) node: FormulaNode,
    /// Whether the value certainly has that type.
    pub(super) type_is_certain: bool,
    slots: Vec<Slot>,
    calls: Vec<u32>,
    /// Number of nodes; evaluation visits each at most once.
    pub(super) parts: u32,
    rolls: bool,
    /// Whether it gives a value whatever its names are, as long as work is left.
    never_fails: bool,
}

impl CompiledTree {
    fn new(node: FormulaNode, is_certain: bool) -> Arc<Self> {
        let (mut slots, mut calls) = (Vec::new(), Vec::new());
        node.reads(&mut slots, &mut calls);
        let (parts, rolls) = (node.size(), node.rolls());
        Arc::new(Self { node, type_is_certain: is_certain, slots, calls, parts, rolls, never_fails: false })
    }

    fn compiled(node: FormulaNode, is_certain: bool, scope: &dyn Scope) -> Arc<Self> {
        let never_fails = is_certain && node.never_fails(scope);
        let mut tree = Self::new(node, is_certain);
        if let Some(tree) = Arc::get_mut(&mut tree) {
            tree.never_fails = never_fails;
        }
        tree
    }
}

impl Formula {
    /// Compiles `text`, which is at `at` (the characters within the quotes) and must give a `expected`: any value is
    /// accepted as a flag, and a number of a type not yet known is checked on evaluation.
    ///
    /// # Errors
    /// The first error, with its place in the file.
    pub fn compile(text: &str, at: Span, scope: &dyn Scope, expected: &Type) -> Result<Self, FormulaError> {
        Self::of_expr(text, &parse::parse(text, at)?, at, scope, expected)
    }

    /// Of a parsed expression, with its text; spans of the expression begin at `at`.
    pub(super) fn of_expr(
        text: &str,
        expr: &Expr,
        at: Span,
        scope: &dyn Scope,
        expected: &Type,
    ) -> Result<Self, FormulaError> {
        let (node, ty, is_certain) = check(expr, at, scope, expected)?;
        let formula = Self { source: Arc::from(text), ty, at, tree: CompiledTree::compiled(node, is_certain, scope) };
        if formula.is_constant() {
            formula.eval(&super::NoNames)?;
        }
        Ok(formula)
    }

    /// For numbers and flags written as plain values.
    pub fn constant(value: Value, at: Span) -> Self {
        let ty = match &value {
            Value::Int(_) => Type::Int,
            Value::Flag(_) => Type::Flag,
            Value::Text(_) => Type::TEXT,
            Value::List(_) => Type::list_of(Type::Any),
            Value::Null | Value::Record(_) => Type::Any,
        };
        let source = Arc::from(value.shown().unwrap_or_default());
        Self { source, ty, at, tree: CompiledTree::new(FormulaNode { op: NodeOp::Const(value), at }, true) }
    }

    /// Evaluates the formula.
    ///
    /// # Errors
    /// `overflow`, `division-by-zero`, `no-such-item`, `empty-list`, `out-of-range`, `too-long`, `too-deep`,
    /// `too-large`; for values of unknown type also `wrong-type`, `unknown-name`, `unknown-option`; `no-answer` when
    /// the host cannot answer a call.
    pub fn eval(&self, host: &dyn Host) -> Result<Value, FormulaError> {
        let run = FormulaRun::new(host, self.tree.parts);
        self.value(&run).map_err(|error| *error)
    }

    fn value(&self, run: &FormulaRun<'_>) -> EvalResult<Value> {
        let node = &self.tree.node;
        let value = match self.ty {
            Type::Int => self.number(run)?.map_or(Value::Null, Value::Int),
            Type::Flag => node.eval_flag(run)?.map_or(Value::Null, Value::Flag),
            _ => node.value(run)?,
        };
        if !self.tree.type_is_certain && !conform(&value, &self.ty) {
            return Err(match (&self.ty, &value) {
                (Type::Text(Some(options)), Value::Text(word)) => Box::new(unknown_option(word, options, node.at)),
                (ty, value) => wrong_type(ty.describe(), value.describe(), node.at),
            });
        }
        run.finish(node.at)?;
        Ok(value)
    }

    fn number(&self, run: &FormulaRun<'_>) -> EvalResult<Option<i64>> {
        let node = &self.tree.node;
        node.eval_int(run)?.map(|found| check_number(found, node.at)).transpose()
    }

    /// Evaluates it as a number; `None` is null. Faster than [`Formula::eval`] for formulas compiled to give one.
    ///
    /// # Errors
    /// As [`Formula::eval`], and `wrong-type` when it gives something else.
    pub fn int(&self, host: &dyn Host) -> Result<Option<i64>, FormulaError> {
        let run = FormulaRun::new(host, self.tree.parts);
        let found = self.number(&run).and_then(|number| run.finish(self.at).map(|()| number));
        found.map_err(|error| *error)
    }

    /// Evaluates it as a flag; `None` is null.
    ///
    /// # Errors
    /// As [`Formula::eval`].
    pub fn flag(&self, host: &dyn Host) -> Result<Option<bool>, FormulaError> {
        let run = FormulaRun::new(host, self.tree.parts);
        let found = self.tree.node.eval_flag(&run).and_then(|flag| run.finish(self.at).map(|()| flag));
        found.map_err(|error| *error)
    }

    /// Evaluates and shows the steps; a failed part shows as `?`.
    pub fn trace(&self, host: &dyn Host) -> Trace {
        Trace::of(&self.source, &self.tree.node, host, self.eval(host).ok())
    }

    /// The same formula with every part that reads none of `varying` replaced by its value. Without this,
    /// `spread(boxes, …)[box - 1]` would be computed again for each box of a track or cell of a table. Calls must
    /// depend on their arguments alone. Failing parts are kept and fail when evaluated; traces show the values.
    #[must_use]
    pub fn specialize(&self, host: &dyn Host, varying: &[Slot]) -> Self {
        let run = FormulaRun::new(host, self.tree.parts);
        let node = specialize(&self.tree.node, &run, varying);
        Self { tree: CompiledTree::new(node, self.tree.type_is_certain), ..self.clone() }
    }

    /// `is_same` of a bound call: it hangs on its arguments alone. `None` where another varies.
    pub fn fixed_parts(&self, varying: &[Slot], is_same: &dyn Fn(u32) -> bool) -> Option<FixedParts> {
        FixedParts::of_node(&self.tree.node, varying, is_same)
    }

    /// The same formula in which a bound call of one of two words is one of two calls: with what decides left open, each can be worked out beforehand.
    #[must_use]
    pub fn with_calls_chosen(&self) -> Self {
        Self { tree: CompiledTree::new(calls_chosen(&self.tree.node), self.tree.type_is_certain), ..self.clone() }
    }

    /// Each slot once, in the order of first use.
    pub fn reads(&self) -> impl Iterator<Item = Slot> + '_ {
        self.tree.slots.iter().copied()
    }

    /// The place of the only item of `list` that it reads, if it is always the same: `left.hulls[at]`.
    pub fn only_item(&self, list: Slot) -> Option<ItemPlace> {
        let mut found = Vec::new();
        self.tree.node.items_read(list, &mut found);
        let first = found.first().copied().flatten()?;
        found.iter().all(|place| *place == Some(first)).then_some(first)
    }

    /// Each bound call once.
    pub fn calls(&self) -> impl Iterator<Item = u32> + '_ {
        self.tree.calls.iter().copied()
    }

    /// Each bound call as it is written, with what is known of its arguments before anything is evaluated.
    pub fn lookups(&self) -> Vec<Lookup<'_>> {
        let mut found = Vec::new();
        self.tree.node.lookups(None, &mut found);
        found
    }

    /// The lists of numbers that it writes out, and the numbers with which it compares a name.
    pub fn written_numbers(&self) -> (Vec<Vec<i64>>, Vec<(Slot, i64)>) {
        let mut found = (Vec::new(), Vec::new());
        self.tree.node.written_numbers(&mut found);
        found
    }

    /// Whether it reads and rolls nothing, so that its value is the same for every ship.
    pub fn is_constant(&self) -> bool {
        self.tree.slots.is_empty() && self.tree.calls.is_empty() && !self.tree.rolls
    }

    /// Whether it gives a value whatever its names are, as long as work is left: nothing in it can be too large, too long, missing or of another type.
    /// False where that is not known.
    pub fn never_fails(&self) -> bool {
        self.tree.never_fails
    }

    /// Work of an evaluation, in the unit of [`Host::record_work`], without the items and texts that it visits.
    pub fn least_work(&self) -> u32 {
        FORMULA_WORK + self.tree.parts
    }

    /// Whether it rolls dice, so that only [`Formula::spread`] evaluates it.
    pub fn rolls(&self) -> bool {
        self.tree.rolls
    }

    /// Whether it rolls dice that a text names.
    pub fn rolls_text(&self) -> bool {
        self.tree.rolls && self.tree.node.any(&|op| matches!(op, NodeOp::Roll(RollOp::Text, _)))
    }

    /// The distribution of its value; of one value if it rolls nothing.
    ///
    /// # Errors
    /// As [`Formula::eval`], and `too-many-dice`, `too-many-outcomes`, `too-many-states`, `never-ends`, `not-dice`.
    pub fn spread<W: Weight>(&self, host: &dyn Host, budget: &ChanceBudget) -> Result<Spread<W>, FormulaError> {
        if !self.tree.rolls {
            return self.eval(host).map(Spread::certain);
        }
        let run = FormulaRun::new(host, self.tree.parts);
        let spread = chance::spread(&self.tree.node, &run, budget);
        let spread = spread.map_err(|error| *error)?;
        let spread = if self.ty == Type::Flag { spread.into_flags() } else { spread };
        for (value, _) in &spread.outcomes {
            if !self.tree.type_is_certain && !conform(value, &self.ty) {
                return Err(*wrong_type(self.ty.describe(), value.describe(), self.tree.node.at));
            }
        }
        Ok(spread)
    }

    /// Where it is `slot ± rest` and the rest does not read the slot: the rest, with its sign.
    pub fn as_shift(&self, slot: Slot) -> Option<Self> {
        let NodeOp::Sum { first, rest, ints: true } = &self.tree.node.op else { return None };
        if !matches!(first.op, NodeOp::IntSlot(first) if first == slot) {
            return None;
        }
        let at = self.tree.node.at;
        let zero = Box::new(FormulaNode { op: NodeOp::Const(Value::Int(0)), at });
        let node = FormulaNode { op: NodeOp::Sum { first: zero, rest: rest.clone(), ints: true }, at };
        let tree = CompiledTree::new(node, self.tree.type_is_certain);
        (!tree.slots.contains(&slot)).then(|| Self { tree, ..self.clone() })
    }

    /// Whether both compute the same in the same way, wherever they are written.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) || self.ty == other.ty && self.tree.node.is_same(&other.tree.node)
    }

    /// Its value if it is a constant.
    pub fn as_constant(&self) -> Option<&Value> {
        match &self.tree.node.op {
            NodeOp::Const(value) => Some(value),
            _ => None,
        }
    }
}

fn specialize(node: &FormulaNode, run: &FormulaRun<'_>, varying: &[Slot]) -> FormulaNode {
    if !node.varies(varying) {
        if matches!(node.op, NodeOp::Const(_)) {
            return node.clone();
        }
        return match node.value(run) {
            Ok(value) => FormulaNode { op: NodeOp::Const(value), at: node.at },
            Err(_) => node.clone(),
        };
    }
    if let NodeOp::If(parts) = &node.op {
        let condition = specialize(&parts[1], run, varying);
        match &condition.op {
            NodeOp::Const(value) if value.as_bool() == Some(true) => return specialize(&parts[0], run, varying),
            NodeOp::Const(value) if value.as_bool() == Some(false) => return specialize(&parts[2], run, varying),
            _ => {}
        }
        let parts = [specialize(&parts[0], run, varying), condition, specialize(&parts[2], run, varying)];
        return FormulaNode { op: NodeOp::If(Box::new(parts)), at: node.at };
    }
    let node = node.map(&mut |part| specialize(part, run, varying));
    match node.op {
        NodeOp::And(items) => without_constants(items, node.at, true),
        NodeOp::Or(items) => without_constants(items, node.at, false),
        op => FormulaNode { op, at: node.at },
    }
}

fn calls_chosen(node: &FormulaNode) -> FormulaNode {
    let node = node.map(&mut calls_chosen);
    let NodeOp::HostCall(call, items) = &node.op else { return node };
    let is_const = |node: &FormulaNode| matches!(node.op, NodeOp::Const(_));
    // Numbers that are compared decide for certain.
    let choice = |item: &FormulaNode| match &item.op {
        NodeOp::If(parts) if is_const(&parts[0]) && is_const(&parts[2]) => {
            matches!(parts[1].op, NodeOp::Compare { ints: true, .. }).then(|| parts.clone())
        }
        _ => None,
    };
    let Some((place, parts)) = items.iter().enumerate().find_map(|(n, item)| Some((n, choice(item)?))) else {
        return node;
    };
    let with = |part: &FormulaNode| {
        let mut items = items.clone();
        items[place] = part.clone();
        FormulaNode { op: NodeOp::HostCall(*call, items), at: node.at }
    };
    let chosen = [calls_chosen(&with(&parts[0])), parts[1].clone(), calls_chosen(&with(&parts[2]))];
    FormulaNode { op: NodeOp::If(Box::new(chosen)), at: node.at }
}

/// `and` (`neutral` is true) or `or` (`neutral` is false) without the conditions that cannot change it.
fn without_constants(items: Box<[FormulaNode]>, at: Span, neutral: bool) -> FormulaNode {
    let mut kept: Vec<FormulaNode> = Vec::with_capacity(items.len());
    for item in items {
        match &item.op {
            NodeOp::Const(value) if value.as_bool() == Some(neutral) => {}
            NodeOp::Const(value) if value.as_bool() == Some(!neutral) => {
                kept.push(item);
                break;
            }
            _ => kept.push(item),
        }
    }
    let decided = match kept.first() {
        None => Some(neutral),
        Some(first) => match &first.op {
            NodeOp::Const(value) if value.as_bool() == Some(!neutral) => Some(!neutral),
            _ => None,
        },
    };
    let kept = kept.into_boxed_slice();
    let op = match decided {
        Some(flag) => NodeOp::Const(Value::Flag(flag)),
        None if neutral => NodeOp::And(kept),
        None => NodeOp::Or(kept),
    };
    FormulaNode { op, at }
}
