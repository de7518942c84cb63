//! Compiles dice: takes a name or a call, gives its node. Only where the scope has dice.

use moldloft_base::sanitize::plural;
use moldloft_base::source::Span;

use super::super::node::{FormulaNode, NodeOp, RollOp};
use super::super::syntax::ArgumentExpr;
use super::super::{FormulaError, Type};
use super::sums::dice_hold;

/// Name, arguments, description.
#[rustfmt::skip] // A function a line.
pub(in super::super) const DICE_FUNCTIONS: [(&str, &str, &str); 4] = [
    ("times", "n, formula", "the sum of n separate rolls of the formula; a condition counts 1 when it holds"),
    ("faces", "list, again=[6]", "one die with these faces; the faces at these places, counted from 1, are rolled again and added"),
    ("reached", "numbers, formula", "how many of the numbers are reached by a separate roll for each; texts that are no number are never reached"),
    ("roll", "'2D10+4'", "the dice that a text names: sums of dice and numbers, and what they count, as in 'D5 pulses'"),
];

/// The node of a name such as `d6` or `3d6`; `None` for other names.
///
/// # Errors
/// `too-many-dice`; `misplaced-dice` where the scope has no dice.
pub(in super::super) fn die(name: &str, at: Span, has_dice: bool) -> Option<Result<(FormulaNode, Type), FormulaError>> {
    let (count, sides) = name.split_once('d')?;
    let number = |digits: &str| match digits.bytes().all(|b| b.is_ascii_digit()) && !digits.is_empty() {
        true => Some(digits.parse::<u64>().unwrap_or(u64::MAX)),
        false => None,
    };
    let count = if count.is_empty() { 1 } else { number(count)? };
    let sides = number(sides)?;
    if !has_dice {
        return Some(Err(misplaced(name, at)));
    }
    Some(dice_hold(count, sides, at).map(|(count, sides)| {
        (FormulaNode { op: NodeOp::Roll(RollOp::Dice { count, sides }, Box::new([])), at }, Type::Int)
    }))
}

fn misplaced(name: &str, at: Span) -> FormulaError {
    FormulaError::new("misplaced-dice", format!("cannot roll `{name}` here"), at)
        .help("dice belong in attacks and outcomes")
}

/// The node of a call of `times`, `faces` or `roll`; `None` for other functions.
///
/// # Errors
/// `wrong-arguments`, `wrong-type`; `misplaced-dice` where the scope has no dice.
pub(in super::super) fn roll_call(
    name: &str,
    written: &[ArgumentExpr],
    checked: Vec<(FormulaNode, Type)>,
    at: Span,
    has_dice: bool,
) -> Result<(FormulaNode, Type), FormulaError> {
    if !has_dice {
        return Err(misplaced(name, at));
    }
    let usage = || {
        let known = DICE_FUNCTIONS.iter().find(|(known, ..)| *known == name);
        known.map(|(name, arguments, doc)| format!("{name}({arguments}): {doc}")).unwrap_or_default()
    };
    let wrong = |code: &'static str, message: String, at: Span| Err(FormulaError::new(code, message, at).help(usage()));
    let (op, takes) = match name {
        "times" => (RollOp::Times, 2..=2),
        "faces" => (RollOp::Faces, 1..=2),
        "reached" => (RollOp::Reached, 2..=2),
        _ => (RollOp::Text, 1..=1),
    };
    if !takes.contains(&checked.len()) {
        return wrong("wrong-arguments", format!("`{name}` cannot take {}", plural(checked.len(), "argument")), at);
    }
    for (place, argument) in written.iter().enumerate() {
        let named = argument.name.as_ref().map(|name| &*name.text);
        if named != (op == RollOp::Faces && place == 1).then_some("again") {
            let at = checked[place].0.at;
            return wrong("wrong-arguments", format!("unexpected argument of `{name}`"), at);
        }
    }
    let numbers = |ty: &Type| match ty {
        Type::List(item) => matches!(**item, Type::Int | Type::Any),
        ty => *ty == Type::Any,
    };
    let fits = |place: usize, ty: &Type| match (op, place) {
        (RollOp::Times, 0) => matches!(ty, Type::Int | Type::Any),
        (RollOp::Times, _) => matches!(ty, Type::Int | Type::Flag | Type::Any),
        (RollOp::Faces, _) => numbers(ty),
        (RollOp::Reached, 0) => matches!(ty, Type::List(_) | Type::Any),
        (RollOp::Reached, _) => matches!(ty, Type::Int | Type::Any),
        _ => matches!(ty, Type::Text(_) | Type::Any),
    };
    for (place, (node, ty)) in checked.iter().enumerate() {
        if !fits(place, ty) {
            return wrong("wrong-type", format!("`{name}` cannot take {}", ty.describe()), node.at);
        }
    }
    let parts = checked.into_iter().map(|(node, _)| node).collect();
    Ok((FormulaNode { op: NodeOp::Roll(op, parts), at }, Type::Int))
}
