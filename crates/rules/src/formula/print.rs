//! Prints an expression in its canonical form, with no unnecessary brackets; parsing it gives the same tree.

use std::fmt::Write;

use super::Value;
use super::syntax::{Expr, ExprKind};

const MAX_ITEMS: usize = 8;
const MAX_TEXT_CHARS: usize = 60;

// Precedence: an operand with a lower one than its place requires is bracketed.
const CHOICE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARE: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const MINUS: u8 = 7;
const POSTFIX: u8 = 8;
const ATOM: u8 = 9;

pub(super) fn print(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, CHOICE, &mut out);
    out
}

fn precedence(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::If(_) => CHOICE,
        ExprKind::Or(_) => OR,
        ExprKind::And(_) => AND,
        ExprKind::Not(_) => NOT,
        ExprKind::Compare(..) => COMPARE,
        ExprKind::Sum(..) => SUM,
        ExprKind::Product(..) => PRODUCT,
        ExprKind::Negate(_) => MINUS,
        // `5.x` would read as a fraction.
        ExprKind::Int(_) | ExprKind::Substituted(Value::Int(_)) => MINUS,
        ExprKind::Field(..) | ExprKind::Index(..) => POSTFIX,
        _ => ATOM,
    }
}

fn write(expr: &Expr, least: u8, out: &mut String) {
    let bracket = precedence(expr) < least;
    if bracket {
        out.push('(');
    }
    write_bare(expr, out);
    if bracket {
        out.push(')');
    }
}

fn write_bare(expr: &Expr, out: &mut String) {
    match &expr.kind {
        ExprKind::Int(number) => {
            let _ = write!(out, "{number}");
        }
        ExprKind::Text(text) => write_quoted(text, out),
        ExprKind::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        ExprKind::Path(words) => {
            for (place, word) in words.iter().enumerate() {
                if place > 0 {
                    out.push('.');
                }
                out.push_str(&word.text);
            }
        }
        ExprKind::Field(inner, name) => {
            write(inner, POSTFIX, out);
            out.push('.');
            out.push_str(&name.text);
        }
        ExprKind::Index(list, index) => {
            write(list, POSTFIX, out);
            out.push('[');
            write(index, CHOICE, out);
            out.push(']');
        }
        ExprKind::Call(function, given) => {
            out.push_str(&function.text);
            out.push('(');
            for (place, given) in given.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                if let Some(name) = &given.name {
                    out.push_str(&name.text);
                    out.push('=');
                }
                write(&given.value, CHOICE, out);
            }
            out.push(')');
        }
        ExprKind::List(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                write(item, CHOICE, out);
            }
            out.push(']');
        }
        ExprKind::Negate(inner) => {
            out.push('-');
            write(inner, MINUS, out);
        }
        ExprKind::Not(inner) => {
            out.push_str("not ");
            write(inner, NOT, out);
        }
        ExprKind::Sum(first, rest) => write_chain(first, rest.iter().map(|(sign, item)| (sign.sign(), item)), SUM, out),
        ExprKind::Product(first, rest) => {
            write_chain(first, rest.iter().map(|(sign, item)| (sign.sign(), item)), PRODUCT, out)
        }
        ExprKind::Compare(first, rest) => {
            write(first, SUM, out);
            for (relation, item) in rest {
                let _ = write!(out, " {} ", relation.sign());
                write(item, SUM, out);
            }
        }
        ExprKind::And(items) => write_joined(items, " and ", NOT, out),
        ExprKind::Or(items) => write_joined(items, " or ", AND, out),
        ExprKind::If(parts) => {
            let [then, condition, otherwise] = &**parts;
            write(then, OR, out);
            out.push_str(" if ");
            write(condition, OR, out);
            out.push_str(" else ");
            write(otherwise, CHOICE, out);
        }
        ExprKind::Substituted(value) => write_value(value, out),
    }
}

fn write_chain<'e>(first: &Expr, rest: impl Iterator<Item = (&'static str, &'e Expr)>, level: u8, out: &mut String) {
    write(first, level, out);
    for (sign, item) in rest {
        let _ = write!(out, " {sign} ");
        write(item, level + 1, out);
    }
}

fn write_joined(items: &[Expr], word: &str, least: u8, out: &mut String) {
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push_str(word);
        }
        write(item, least, out);
    }
}

fn write_quoted(text: &str, out: &mut String) {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(mark);
    for c in text.chars() {
        if c == mark || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(mark);
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push('?'),
        Value::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Text(text) => match text.char_indices().nth(MAX_TEXT_CHARS) {
            Some((end, _)) => write_quoted(&format!("{}…", &text[..end]), out),
            None => write_quoted(text, out),
        },
        Value::List(items) => {
            out.push('[');
            let shown = if items.len() > MAX_ITEMS + 2 { MAX_ITEMS } else { items.len() };
            for (place, item) in items.iter().take(shown).enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                write_nested(item, out);
            }
            if shown < items.len() {
                let _ = write!(out, ", … {} in all", items.len());
            }
            out.push(']');
        }
        Value::Record(record) => {
            out.push('{');
            for (place, (name, item)) in record.entries.iter().take(MAX_ITEMS).enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                let _ = write!(out, "{name}: ");
                write_nested(item, out);
            }
            if record.entries.len() > MAX_ITEMS {
                out.push_str(", …");
            }
            out.push('}');
        }
    }
}

fn write_nested(value: &Value, out: &mut String) {
    match value {
        Value::List(items) if items.is_empty() => out.push_str("[]"),
        Value::List(_) => out.push_str("[…]"),
        Value::Record(record) if record.entries.is_empty() => out.push_str("{}"),
        Value::Record(_) => out.push_str("{…}"),
        plain => write_value(plain, out),
    }
}
