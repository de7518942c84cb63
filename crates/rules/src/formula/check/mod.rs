//! Checks names, types and arguments: takes a parsed tree and a scope, gives a compiled tree or the first error. Errors
//! that do not depend on the ship (`1 // 0`, an index beyond a literal list) are found here.

mod calls;
mod kinds;
mod names;

use std::ops::Range;
use std::sync::Arc;

use moldloft_base::source::Span;

use super::error::{division_by_zero, too_nested};
use super::functions::{comparable, options_hold};
use super::limits::MAX_VALUE_DEPTH;
use super::node::{FormulaNode, NodeOp};
use super::run::FormulaRun;
use super::syntax::{CompareOp, Expr, ExprKind, ProductOp, SumOp};
use super::{FormulaError, Naming, NoNames, Record, Scope, Type, Value};

pub(super) struct TypedNode {
    pub node: FormulaNode,
    pub ty: Type,
    constant: bool,
    /// Of a text, or of the texts of a list.
    naming: Naming,
}

/// Compiles an expression that must give a `expected`. Also returns its actual type, and whether that is certain before
/// evaluation.
pub(super) fn check(
    expr: &Expr,
    at: Span,
    scope: &dyn Scope,
    expected: &Type,
) -> Result<(FormulaNode, Type, bool), FormulaError> {
    let mut checker = Checker { scope, at, work: CONSTANT_WORK };
    let checked = checker.check(expr)?;
    if !expected.accepts(&checked.ty) {
        let message = format!("expected {}, found {}", expected.describe(), checked.ty.describe());
        let help = match (expected, &checked.ty) {
            (Type::Int, Type::Flag) => Some("use `1 if condition else 0` to count a condition"),
            (Type::Int, Type::Text(_)) => Some("remove the quotes from numbers"),
            (Type::List(_), Type::Int | Type::Text(_) | Type::Flag) => Some("use [1, 2, 3] for a list"),
            _ => None,
        };
        return Err(FormulaError::new("wrong-type", message, checked.node.at).maybe_help(help.map(str::to_owned)));
    }
    options_hold(expected, expr, at)?;
    let is_certain = expected.includes(&checked.ty);
    let ty = match expected {
        Type::Flag => Type::Flag,
        _ if is_certain => checked.ty,
        _ => expected.clone(),
    };
    Ok((checked.node, ty, is_certain))
}

/// Work limit for evaluating constants; parts beyond it are not evaluated here.
const CONSTANT_WORK: u32 = 1_000_000;

struct Checker<'s> {
    scope: &'s dyn Scope,
    at: Span,
    work: u32,
}

impl TypedNode {
    fn plain(node: FormulaNode, ty: Type, constant: bool) -> Self {
        Self { node, ty, constant, naming: Naming::Word }
    }
}

impl Checker<'_> {
    fn span(&self, range: &Range<usize>) -> Span {
        self.at.subspan(range.clone())
    }

    fn check(&mut self, expr: &Expr) -> Result<TypedNode, FormulaError> {
        let checked = self.parts(expr)?;
        if checked.constant && !matches!(checked.node.op, NodeOp::Const(_)) && self.work > 0 {
            let run = FormulaRun::new(&NoNames, 0);
            let before = run.remaining();
            checked.node.value(&run).map_err(|error| *error)?;
            self.work = self.work.saturating_sub(before - run.remaining());
        }
        Ok(checked)
    }

    fn parts(&mut self, expr: &Expr) -> Result<TypedNode, FormulaError> {
        let at = self.span(&expr.span);
        let done = |op: NodeOp, ty: Type, constant: bool| Ok(TypedNode::plain(FormulaNode { op, at }, ty, constant));
        if let Some(value) = expr.literal() {
            let ty = literal_type(&value);
            if ty.nesting() > MAX_VALUE_DEPTH {
                return Err(*too_nested(at));
            }
            return done(NodeOp::Const(value), ty, true);
        }
        match &expr.kind {
            // Literals are handled above; substituted values of a trace are never compiled.
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Flag(_) => {
                done(NodeOp::Const(Value::Null), Type::Any, true)
            }
            ExprKind::Substituted(value) => done(NodeOp::Const(value.clone()), Type::Any, true),
            ExprKind::Path(words) => self.path(words, at),
            ExprKind::Field(inner, name) => {
                let inner = self.check(inner)?;
                self.field(inner, name, at)
            }
            ExprKind::Index(list, index) => self.index(list, index, at),
            ExprKind::Call(function, given) => self.call(function, given, at),
            ExprKind::List(items) => {
                let checked = items.iter().map(|item| self.check(item)).collect::<Result<Vec<_>, _>>()?;
                let constant = checked.iter().all(|item| item.constant);
                let item = checked.iter().map(|item| item.ty.clone()).reduce(|a, b| a.join(&b)).unwrap_or(Type::Any);
                let deep = !checked.iter().all(|item| item.ty.is_scalar());
                let ty = Type::list_of(item);
                if ty.nesting() > MAX_VALUE_DEPTH {
                    return Err(*too_nested(at));
                }
                done(NodeOp::List { items: nodes(checked), deep }, ty, constant)
            }
            ExprKind::Negate(inner) => {
                let inner = self.int(inner, "-")?;
                done(NodeOp::Negate(Box::new(inner.node)), Type::Int, inner.constant)
            }
            ExprKind::Not(inner) => {
                let inner = self.check(inner)?;
                done(NodeOp::Not(Box::new(inner.node)), Type::Flag, inner.constant)
            }
            ExprKind::Sum(first, rest) => self.sum(first, rest, at),
            ExprKind::Product(first, rest) => {
                let first = self.int(first, rest[0].0.sign())?;
                let mut constant = first.constant;
                let mut items = Vec::with_capacity(rest.len());
                for (sign, item) in rest {
                    let item = self.int(item, sign.sign())?;
                    if *sign != ProductOp::Multiply && self.number(&item) == Some(0) {
                        return Err(*division_by_zero(item.node.at));
                    }
                    constant &= item.constant;
                    items.push((*sign, item.node));
                }
                done(NodeOp::Product { first: Box::new(first.node), rest: items.into() }, Type::Int, constant)
            }
            ExprKind::Compare(first, rest) => self.compare(first, rest, at),
            ExprKind::And(items) | ExprKind::Or(items) => {
                let checked = items.iter().map(|item| self.check(item)).collect::<Result<Vec<_>, _>>()?;
                let constant = checked.iter().all(|item| item.constant);
                let items = nodes(checked);
                done(
                    if matches!(expr.kind, ExprKind::And(_)) { NodeOp::And(items) } else { NodeOp::Or(items) },
                    Type::Flag,
                    constant,
                )
            }
            ExprKind::If(parts) => {
                let [then, condition, otherwise] = &**parts;
                let (then, condition, otherwise) = (self.check(then)?, self.check(condition)?, self.check(otherwise)?);
                let ty = then.ty.join(&otherwise.ty);
                let constant = then.constant && condition.constant && otherwise.constant;
                let condition = match condition.ty {
                    Type::Text(_) => {
                        FormulaNode { at: condition.node.at, op: NodeOp::IsNotEmpty(Box::new(condition.node)) }
                    }
                    _ => condition.node,
                };
                done(NodeOp::If(Box::new([then.node, condition, otherwise.node])), ty, constant)
            }
        }
    }

    fn int(&mut self, expr: &Expr, sign: &str) -> Result<TypedNode, FormulaError> {
        let checked = self.check(expr)?;
        if matches!(checked.ty, Type::Int | Type::Any) {
            return Ok(checked);
        }
        let message = format!("expected a number for `{sign}`, found {}", checked.ty.describe());
        let help = match (&checked.ty, sign) {
            (Type::Flag, _) => Some("use `1 if condition else 0` to count a condition"),
            (Type::Text(_) | Type::List(_), "*") => Some("use repeat(a, n) for a list of n times a"),
            (Type::List(_), "-") => Some("use where(rows, column=value) to choose items of a list"),
            (Type::Text(_), _) => Some("remove the quotes from numbers"),
            _ => None,
        };
        Err(FormulaError::new("wrong-type", message, checked.node.at).maybe_help(help.map(str::to_owned)))
    }

    fn number(&self, checked: &TypedNode) -> Option<i64> {
        if !checked.constant {
            return None;
        }
        checked.node.eval_int(&FormulaRun::with_work(&NoNames, 1000)).ok().flatten()
    }

    fn sum(&mut self, first: &Expr, rest: &[(SumOp, Expr)], at: Span) -> Result<TypedNode, FormulaError> {
        let first = if rest[0].0 == SumOp::Subtract { self.int(first, "-")? } else { self.check(first)? };
        let (mut ty, mut constant) = (first.ty.clone(), first.constant);
        if matches!(ty, Type::Flag | Type::Record(_)) {
            let message = format!("expected a number, text or a list for `+`, found {}", ty.describe());
            let help = (ty == Type::Flag).then(|| "use `1 if condition else 0` to count a condition".to_owned());
            return Err(FormulaError::new("wrong-type", message, first.node.at).maybe_help(help));
        }
        let mut items = Vec::with_capacity(rest.len());
        for (sign, item) in rest {
            let item = if *sign == SumOp::Subtract { self.int(item, "-")? } else { self.check(item)? };
            ty = match (&ty, &item.ty) {
                (Type::Int, Type::Int | Type::Any) | (Type::Any, Type::Int) => Type::Int,
                (Type::Text(_), Type::Text(_) | Type::Any) | (Type::Any, Type::Text(_)) => Type::TEXT,
                (Type::List(a), Type::List(b)) => Type::list_of(a.join(b)),
                (Type::List(_), Type::Any) | (Type::Any, Type::List(_)) => Type::list_of(Type::Any),
                (Type::Any, Type::Any) => {
                    if *sign == SumOp::Subtract {
                        Type::Int
                    } else {
                        Type::Any
                    }
                }
                (before, after) => {
                    let message = format!("cannot compute {} {} {}", before.describe(), sign.sign(), after.describe());
                    let help = match (before, after) {
                        (Type::Text(_), Type::Int) | (Type::Int, Type::Text(_)) => {
                            Some("use 'text {{ number }}' in a message, or join([number], '') to make text of a number")
                        }
                        (_, Type::Flag) => Some("use `1 if condition else 0` to count a condition"),
                        (Type::List(_), _) => Some("use list + [item] to add one item to a list"),
                        _ => None,
                    };
                    let error = FormulaError::new("wrong-type", message, item.node.at);
                    return Err(error.maybe_help(help.map(str::to_owned)));
                }
            };
            if *sign == SumOp::Subtract && ty != Type::Int {
                let message = format!("expected a number before `-`, found {}", ty.describe());
                return Err(FormulaError::new("wrong-type", message, item.node.at));
            }
            constant &= item.constant;
            items.push((*sign, item.node));
        }
        // A sum of numbers checks its operands itself, including those of type `Any`.
        let ints = ty == Type::Int;
        let (mut first, mut items) = (first, items);
        self.count_apart(&mut first.node, &mut items);
        let op = NodeOp::Sum { first: Box::new(first.node), rest: items.into(), ints };
        Ok(TypedNode::plain(FormulaNode { op, at }, ty, constant))
    }

    fn compare(&mut self, first: &Expr, rest: &[(CompareOp, Expr)], at: Span) -> Result<TypedNode, FormulaError> {
        let mut left_written = first;
        let first = self.check(first)?;
        let is_word = |ty: &Type| matches!(ty, Type::Int | Type::Flag | Type::Text(_));
        let (mut constant, mut ints, mut words) = (first.constant, first.ty == Type::Int, is_word(&first.ty));
        let (mut left, naming) = (first.ty.clone(), first.naming);
        let mut items = Vec::with_capacity(rest.len());
        for (relation, written) in rest {
            let item = self.check(written)?;
            let span = self.span(&(left_written.span.start..written.span.end));
            let sign = relation.sign();
            match relation {
                CompareOp::Equal | CompareOp::NotEqual => {
                    comparable((&left, left_written), (&item.ty, written), self.at, span)?;
                }
                CompareOp::In | CompareOp::NotIn => self.within(&left, left_written, &item, written, span)?,
                _ => {
                    for (ty, written) in [(&left, left_written), (&item.ty, written)] {
                        if !matches!(ty, Type::Int | Type::Any) {
                            let message = format!("expected a number for `{sign}`, found {}", ty.describe());
                            let help =
                                matches!(ty, Type::List(_)).then(|| "use length(list) to count its items".to_owned());
                            return Err(
                                FormulaError::new("wrong-type", message, self.span(&written.span)).maybe_help(help)
                            );
                        }
                    }
                }
            }
            ints &= item.ty == Type::Int;
            words &= is_word(&item.ty);
            constant &= item.constant;
            left = item.ty;
            left_written = written;
            if let ([_], Some(call)) = (rest, self.kind_comparison(naming, *relation, item.naming)) {
                return Ok(self.compared(call, *relation, first.node, item.node, at));
            }
            items.push((*relation, item.node));
        }
        let op = NodeOp::Compare { first: Box::new(first.node), rest: items.into(), ints, words };
        Ok(TypedNode::plain(FormulaNode { op, at }, Type::Flag, constant))
    }

    fn within(
        &self,
        ty: &Type,
        written: &Expr,
        list: &TypedNode,
        list_written: &Expr,
        at: Span,
    ) -> Result<(), FormulaError> {
        let item = match &list.ty {
            Type::Any => return Ok(()),
            Type::List(item) => &**item,
            // The names of a record: {system: n}
            Type::Record(_) if matches!(ty, Type::Text(_) | Type::Any) => return Ok(()),
            // A part of a text; of a choice's words or a text as written, a comparison is meant.
            Type::Text(None)
                if matches!(ty, Type::Text(_) | Type::Any) && !matches!(list_written.kind, ExprKind::Text(_)) =>
            {
                return Ok(());
            }
            other => {
                let message = format!("expected a list after `in`, found {}", other.describe());
                let help = match &list_written.kind {
                    ExprKind::Text(text) => Some(format!("use a list, in ['{text}'], or compare with `==`")),
                    _ => None,
                };
                return Err(FormulaError::new("wrong-type", message, list.node.at).maybe_help(help));
            }
        };
        if !item.comparable(ty) {
            let message = format!("{} is never in a list that holds {}", ty.describe(), item.describe());
            return Err(FormulaError::new("wrong-type", message, at));
        }
        options_hold(item, written, self.at)?;
        options_hold(&Type::list_of(ty.clone()), list_written, self.at)
    }
}

fn nodes(checked: Vec<TypedNode>) -> Box<[FormulaNode]> {
    checked.into_iter().map(|checked| checked.node).collect()
}

fn literal_type(value: &Value) -> Type {
    match value {
        Value::Null | Value::Record(_) => Type::Any,
        Value::Int(_) => Type::Int,
        Value::Flag(_) => Type::Flag,
        Value::Text(_) => Type::TEXT,
        Value::List(items) => {
            Type::list_of(items.iter().map(literal_type).reduce(|a, b| a.join(&b)).unwrap_or(Type::Any))
        }
    }
}

pub(super) fn conform(value: &Value, ty: &Type) -> bool {
    match (ty, value) {
        (_, Value::Null) | (Type::Any, _) | (Type::Int, Value::Int(_)) | (Type::Flag, Value::Flag(_)) => true,
        (Type::Text(options), Value::Text(word)) => options.as_ref().is_none_or(|options| options.contains(word)),
        (Type::List(item), Value::List(items)) => **item == Type::Any || items.iter().all(|value| conform(value, item)),
        (Type::Record(fields), Value::Record(record)) => fields_conform(fields, record),
        _ => false,
    }
}

fn fields_conform(fields: &[(Arc<str>, Type)], record: &Record) -> bool {
    fields.iter().all(|(name, ty)| record.get(name).is_some_and(|value| conform(value, ty)))
}
