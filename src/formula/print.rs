//! Tree to text: the one way an expression is written, with no bracket that is not needed. What it prints parses to the same tree.

use std::fmt::Write;

use super::Value;
use super::syntax::{Expr, Kind};

/// Items of a list that a trace shows.
const SHOWN: usize = 8;
/// Characters of a text that a trace shows.
const SHOWN_TEXT: usize = 60;

// How tightly an expression binds; an operand that binds less tightly than its place asks for is bracketed.
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

/// The expression as text.
pub(super) fn print(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, CHOICE, &mut out);
    out
}

fn binding(expr: &Expr) -> u8 {
    match &expr.kind {
        Kind::If(_) => CHOICE,
        Kind::Or(_) => OR,
        Kind::And(_) => AND,
        Kind::Not(_) => NOT,
        Kind::Compare(..) => COMPARE,
        Kind::Sum(..) => SUM,
        Kind::Product(..) => PRODUCT,
        Kind::Minus(_) => MINUS,
        // `5.x` would read as a fraction.
        Kind::Int(_) | Kind::Put(Value::Int(_)) => MINUS,
        Kind::Field(..) | Kind::Index(..) => POSTFIX,
        _ => ATOM,
    }
}

fn write(expr: &Expr, least: u8, out: &mut String) {
    let bracket = binding(expr) < least;
    if bracket {
        out.push('(');
    }
    bare(expr, out);
    if bracket {
        out.push(')');
    }
}

fn bare(expr: &Expr, out: &mut String) {
    match &expr.kind {
        Kind::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Kind::Text(text) => quote(text, out),
        Kind::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Kind::Path(words) => {
            for (place, word) in words.iter().enumerate() {
                if place > 0 {
                    out.push('.');
                }
                out.push_str(&word.text);
            }
        }
        Kind::Field(inner, name) => {
            write(inner, POSTFIX, out);
            out.push('.');
            out.push_str(&name.text);
        }
        Kind::Index(list, index) => {
            write(list, POSTFIX, out);
            out.push('[');
            write(index, CHOICE, out);
            out.push(']');
        }
        Kind::Call(function, given) => {
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
        Kind::List(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                write(item, CHOICE, out);
            }
            out.push(']');
        }
        Kind::Minus(inner) => {
            out.push('-');
            write(inner, MINUS, out);
        }
        Kind::Not(inner) => {
            out.push_str("not ");
            write(inner, NOT, out);
        }
        Kind::Sum(first, rest) => chain(first, rest.iter().map(|(sign, item)| (sign.sign(), item)), SUM, out),
        Kind::Product(first, rest) => chain(first, rest.iter().map(|(sign, item)| (sign.sign(), item)), PRODUCT, out),
        Kind::Compare(first, rest) => {
            write(first, SUM, out);
            for (relation, item) in rest {
                let _ = write!(out, " {} ", relation.sign());
                write(item, SUM, out);
            }
        }
        Kind::And(items) => joined(items, " and ", NOT, out),
        Kind::Or(items) => joined(items, " or ", AND, out),
        Kind::If(parts) => {
            let [then, condition, otherwise] = &**parts;
            write(then, OR, out);
            out.push_str(" if ");
            write(condition, OR, out);
            out.push_str(" else ");
            write(otherwise, CHOICE, out);
        }
        Kind::Put(value) => put(value, out),
    }
}

fn chain<'e>(first: &Expr, rest: impl Iterator<Item = (&'static str, &'e Expr)>, level: u8, out: &mut String) {
    write(first, level, out);
    for (sign, item) in rest {
        let _ = write!(out, " {sign} ");
        write(item, level + 1, out);
    }
}

fn joined(items: &[Expr], word: &str, least: u8, out: &mut String) {
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push_str(word);
        }
        write(item, least, out);
    }
}

fn quote(text: &str, out: &mut String) {
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

/// A value within a trace: long lists and texts are cut.
fn put(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push('?'),
        Value::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Text(text) => match text.char_indices().nth(SHOWN_TEXT) {
            Some((end, _)) => quote(&format!("{}…", &text[..end]), out),
            None => quote(text, out),
        },
        Value::List(items) => {
            out.push('[');
            // Room for all of a short list; a long one shows how long it is.
            let shown = if items.len() > SHOWN + 2 { SHOWN } else { items.len() };
            for (place, item) in items.iter().take(shown).enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                nested(item, out);
            }
            if shown < items.len() {
                let _ = write!(out, ", … {} in all", items.len());
            }
            out.push(']');
        }
        Value::Record(record) => {
            out.push('{');
            for (place, (name, item)) in record.entries.iter().take(SHOWN).enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                let _ = write!(out, "{name}: ");
                nested(item, out);
            }
            if record.entries.len() > SHOWN {
                out.push_str(", …");
            }
            out.push('}');
        }
    }
}

/// A value within a list: what is deeper in would grow without end.
fn nested(value: &Value, out: &mut String) {
    match value {
        Value::List(items) if items.is_empty() => out.push_str("[]"),
        Value::List(_) => out.push_str("[…]"),
        Value::Record(record) if record.entries.is_empty() => out.push_str("{}"),
        Value::Record(_) => out.push_str("{…}"),
        plain => put(plain, out),
    }
}
