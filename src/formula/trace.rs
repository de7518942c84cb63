//! Showing the work: takes a compiled formula and a host, gives the formula with its numbers put in. Branches not taken are left
//! out; what fails shows as `?`.

use std::sync::Arc;

use super::node::{Node, Op};
use super::print::print;
use super::run::Run;
use super::syntax::{Expr, Given, Kind, Word};
use super::{Host, Value};

/// How a formula came to its result, in the words of `explain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The formula as written, white space tidied: `mass * 30 // 100`.
    pub formula: String,
    /// Branches not taken left out, numbers put in: `125 * 30 // 100`; equal to `formula` when nothing was put in.
    pub numbers: String,
    /// `37`; `?` when not computable.
    pub result: String,
}

impl Trace {
    pub(super) fn of(source: &str, node: &Node, host: &dyn Host, result: Option<Value>) -> Self {
        let run = Run::new(host, node.size());
        let mut tracer = Tracer { run: &run, changed: false };
        let numbers = print(&tracer.expr(node));
        let formula = tidy(source);
        let numbers = if tracer.changed { numbers } else { formula.clone() };
        let result = result.and_then(|value| value.shown()).unwrap_or_else(|| "?".to_owned());
        Self { formula, numbers, result }
    }
}

/// White space outside quotes becomes single spaces.
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
    run: &'r Run<'h>,
    changed: bool,
}

fn expr(kind: Kind) -> Expr {
    Expr::new(kind, 0..0)
}

impl Tracer<'_, '_> {
    /// The value of a part that is not shown as it is made.
    fn put(&mut self, node: &Node) -> Expr {
        self.changed = true;
        expr(Kind::Put(node.value(self.run).unwrap_or(Value::Null)))
    }

    fn exprs(&mut self, items: &[Node]) -> Vec<Expr> {
        items.iter().map(|item| self.expr(item)).collect()
    }

    fn expr(&mut self, node: &Node) -> Expr {
        match &node.op {
            Op::Const(value) => expr(Kind::Put(value.clone())),
            Op::Slot(_) | Op::IntSlot(_) | Op::Field(..) | Op::Index(_) | Op::Host(..) => self.put(node),
            // What a function made of a list says more than the list.
            Op::Values(_, _, items, _) if !self.all_plain(items) => self.put(node),
            Op::Numbers(function, _, items) | Op::Values(function, _, items, _) => {
                let given = self.exprs(items).into_iter().map(|value| Given { name: None, value });
                let word = Word { text: Arc::from(function.name), span: 0..0 };
                expr(Kind::Call(word, given.collect()))
            }
            Op::List { items, .. } => {
                let items = self.exprs(items);
                expr(Kind::List(items))
            }
            Op::Minus(inner) => {
                let inner = self.expr(inner);
                expr(Kind::Minus(Box::new(inner)))
            }
            Op::Said(inner) => self.expr(inner),
            Op::Not(inner) => {
                let inner = self.expr(inner);
                expr(Kind::Not(Box::new(inner)))
            }
            Op::Sum { first, rest, .. } => {
                let first = self.expr(first);
                let rest = rest.iter().map(|(sign, item)| (*sign, self.expr(item))).collect();
                Expr::sum(first, rest, 0..0)
            }
            Op::Product { first, rest } => {
                let first = self.expr(first);
                let rest = rest.iter().map(|(sign, item)| (*sign, self.expr(item))).collect();
                Expr::product(first, rest, 0..0)
            }
            Op::Compare { first, rest, .. } => {
                let first = self.expr(first);
                let rest = rest.iter().map(|(relation, item)| (*relation, self.expr(item))).collect();
                expr(Kind::Compare(Box::new(first), rest))
            }
            Op::And(items) => Expr::and(self.decided(items, false), 0..0),
            Op::Or(items) => Expr::or(self.decided(items, true), 0..0),
            Op::If(parts) => {
                let taken = match parts[1].flag(self.run) {
                    Ok(Some(true)) => &parts[0],
                    Ok(Some(false)) => &parts[2],
                    // Which branch holds is not known: the condition is what to look at.
                    Ok(None) | Err(_) => {
                        let [then, condition, otherwise] = &**parts;
                        let parts = [self.expr(then), self.expr(condition), self.expr(otherwise)];
                        return expr(Kind::If(Box::new(parts)));
                    }
                };
                self.changed = true;
                self.expr(taken)
            }
        }
    }

    fn all_plain(&self, items: &[Node]) -> bool {
        items.iter().all(|item| !matches!(item.value(self.run), Ok(Value::List(_) | Value::Record(_)) | Err(_)))
    }

    /// The items of `and` or `or` up to the one that decides.
    fn decided(&mut self, items: &[Node], decides: bool) -> Vec<Expr> {
        let mut shown = Vec::new();
        for (place, item) in items.iter().enumerate() {
            shown.push(self.expr(item));
            if matches!(item.flag(self.run), Ok(Some(flag)) if flag == decides) {
                self.changed |= place + 1 < items.len();
                break;
            }
        }
        shown
    }
}
