//! Traces a compiled formula: gives the formula with its numbers substituted. Untaken branches are left out; failed
//! parts show as `?`.

use std::sync::Arc;

use super::node::{FormulaNode, NodeOp, RollOp};
use super::print::print;
use super::run::FormulaRun;
use super::syntax::{ArgumentExpr, Expr, ExprKind, Ident};
use super::{Host, Value};

/// How a formula reached its result, for `explain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// As written, with white space normalised: `mass * 30 // 100`.
    pub formula: String,
    /// Without untaken branches and with numbers substituted: `125 * 30 // 100`; equal to `formula` if nothing was
    /// substituted.
    pub numbers: String,
    /// `37`; `?` when not computable.
    pub result: String,
}

impl Trace {
    pub(super) fn of(source: &str, node: &FormulaNode, host: &dyn Host, result: Option<Value>) -> Self {
        let run = FormulaRun::new(host, node.size());
        let mut tracer = Tracer { run: &run, changed: false };
        let numbers = print(&tracer.trace_expr(node));
        let formula = tidy(source);
        let numbers = if tracer.changed { numbers } else { formula.clone() };
        let result = result.and_then(|value| value.shown()).unwrap_or_else(|| "?".to_owned());
        Self { formula, numbers, result }
    }
}

/// Replaces white space outside quotes by single spaces.
fn tidy(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let (mut quote, mut escaped) = (None, false);
    for c in source.trim().chars() {
        match quote {
            Some(mark) => {
                if c == mark && !escaped {
                    quote = None;
                }
                escaped = c == '\\' && !escaped;
            }
            None if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
                continue;
            }
            None if c == '\'' || c == '"' => quote = Some(c),
            None => {}
        }
        out.push(c);
    }
    out
}

struct Tracer<'r, 'h> {
    run: &'r FormulaRun<'h>,
    changed: bool,
}

fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, 0..0)
}

impl Tracer<'_, '_> {
    fn substitute(&mut self, node: &FormulaNode) -> Expr {
        self.changed = true;
        expr(ExprKind::Substituted(node.value(self.run).unwrap_or(Value::Null)))
    }

    fn trace_exprs(&mut self, items: &[FormulaNode]) -> Vec<Expr> {
        items.iter().map(|item| self.trace_expr(item)).collect()
    }

    fn trace_expr(&mut self, node: &FormulaNode) -> Expr {
        match &node.op {
            NodeOp::Const(value) => expr(ExprKind::Substituted(value.clone())),
            NodeOp::Slot(_) | NodeOp::IntSlot(_) | NodeOp::Field(..) | NodeOp::Index(_) | NodeOp::HostCall(..) => {
                self.substitute(node)
            }
            NodeOp::ValueCall(_, _, items, _) if !self.all_scalar(items) => self.substitute(node),
            NodeOp::NumberCall(function, _, items) | NodeOp::ValueCall(function, _, items, _) => {
                let given = self.trace_exprs(items).into_iter().map(|value| ArgumentExpr { name: None, value });
                let word = Ident { text: Arc::from(function.name), span: 0..0 };
                expr(ExprKind::Call(word, given.collect()))
            }
            NodeOp::Roll(op, items) => {
                let given = self.trace_exprs(items).into_iter().map(|value| ArgumentExpr { name: None, value });
                let name = Ident { text: op.written().into(), span: 0..0 };
                expr(match op {
                    RollOp::Dice { .. } => ExprKind::Path(vec![name]),
                    _ => ExprKind::Call(name, given.collect()),
                })
            }
            NodeOp::List { items, .. } => {
                let items = self.trace_exprs(items);
                expr(ExprKind::List(items))
            }
            NodeOp::Negate(inner) => {
                let inner = self.trace_expr(inner);
                expr(ExprKind::Negate(Box::new(inner)))
            }
            NodeOp::IsNotEmpty(inner) => self.trace_expr(inner),
            NodeOp::Not(inner) => {
                let inner = self.trace_expr(inner);
                expr(ExprKind::Not(Box::new(inner)))
            }
            NodeOp::Sum { first, rest, .. } => {
                let first = self.trace_expr(first);
                let rest = rest.iter().map(|(sign, item)| (*sign, self.trace_expr(item))).collect();
                Expr::sum(first, rest, 0..0)
            }
            NodeOp::Product { first, rest } => {
                let first = self.trace_expr(first);
                let rest = rest.iter().map(|(sign, item)| (*sign, self.trace_expr(item))).collect();
                Expr::product(first, rest, 0..0)
            }
            NodeOp::Compare { first, rest, .. } => {
                let first = self.trace_expr(first);
                let rest = rest.iter().map(|(relation, item)| (*relation, self.trace_expr(item))).collect();
                expr(ExprKind::Compare(Box::new(first), rest))
            }
            NodeOp::And(items) => Expr::and(self.trace_until_decided(items, false), 0..0),
            NodeOp::Or(items) => Expr::or(self.trace_until_decided(items, true), 0..0),
            NodeOp::If(parts) => {
                let taken = match parts[1].eval_flag(self.run) {
                    Ok(Some(true)) => &parts[0],
                    Ok(Some(false)) => &parts[2],
                    // The branch is not known, so the condition is shown.
                    Ok(None) | Err(_) => {
                        let [then, condition, otherwise] = &**parts;
                        let parts = [self.trace_expr(then), self.trace_expr(condition), self.trace_expr(otherwise)];
                        return expr(ExprKind::If(Box::new(parts)));
                    }
                };
                self.changed = true;
                self.trace_expr(taken)
            }
        }
    }

    fn all_scalar(&self, items: &[FormulaNode]) -> bool {
        items.iter().all(|item| !matches!(item.value(self.run), Ok(Value::List(_) | Value::Record(_)) | Err(_)))
    }

    fn trace_until_decided(&mut self, items: &[FormulaNode], decides: bool) -> Vec<Expr> {
        let mut shown = Vec::new();
        for (place, item) in items.iter().enumerate() {
            shown.push(self.trace_expr(item));
            if matches!(item.eval_flag(self.run), Ok(Some(flag)) if flag == decides) {
                self.changed |= place + 1 < items.len();
                break;
            }
        }
        shown
    }
}
