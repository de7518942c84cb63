//! What the fuzz target `formula` and the corpus test do with an input: compile it as a formula of each kind and as a text, and
//! evaluate, trace and settle what compiles. Bytes that are no text are replaced.

use moldloft::formula::{
    Argument, BoundCall, Formula, FormulaError, Host, Record, ResolvedName, Scope, Slot, TextTemplate, Type,
    UnknownName, Value,
};
use moldloft::source::Span;

/// Runs one input.
///
/// # Panics
/// When a promise of the language is broken.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let at = Span::from(0..text.len());
    for want in [Type::Any, Type::Int, Type::Flag, Type::TEXT, Type::list_of(Type::Int)] {
        match Formula::compile(&text, at, &Ship, &want) {
            Ok(formula) => formula_holds(&formula),
            Err(mistake) => mistake_holds(&mistake, &text),
        }
    }
    match TextTemplate::compile(&text, at, &Ship).and_then(|text| text.eval(&Ship)) {
        Ok(found) => assert!(found.is_none_or(|found| found.len() <= 100_000)),
        Err(mistake) => mistake_holds(&mistake, &text),
    }
}

fn formula_holds(formula: &Formula) {
    let first = formula.eval(&Ship);
    match &first {
        Ok(Value::Int(number)) => assert!(number.abs() <= 1_000_000_000_000_000),
        Ok(Value::List(items)) => assert!(items.len() <= 100_000),
        Ok(_) => {}
        Err(mistake) => mistake_holds(mistake, &formula.source),
    }
    let trace = formula.trace(&Ship);
    assert!(trace.result.len() <= 50_000);
    let slots: Vec<Slot> = formula.reads().collect();
    for varying in [&slots[..], &slots[slots.len() / 2..], &[]] {
        let settled = formula.specialize(&Ship, varying).eval(&Ship);
        // What is worked out once may spare work that was too much to do twice.
        assert!(settled == first || first.is_err_and_too_large(), "{}", formula.source);
    }
}

trait TooLarge {
    fn is_err_and_too_large(&self) -> bool;
}

impl TooLarge for Result<Value, FormulaError> {
    fn is_err_and_too_large(&self) -> bool {
        matches!(self, Err(mistake) if mistake.code == "too-large")
    }
}

fn mistake_holds(mistake: &FormulaError, text: &str) {
    assert!(text.get(mistake.span.start as usize..mistake.span.end as usize).is_some(), "{mistake:?}");
    assert!(!mistake.message.is_empty() && mistake.message.len() < 5000, "{mistake:?}");
}

/// A scope and host of one-letter names.
struct Ship;

fn rows() -> Type {
    Type::list_of(Type::Record(
        [("from".into(), Type::Int), ("to".into(), Type::Int), ("hits".into(), Type::TEXT)].into(),
    ))
}

fn row(from: i64, to: i64, hits: Value) -> Value {
    let entries = vec![("from".into(), Value::Int(from)), ("to".into(), Value::Int(to)), ("hits".into(), hits)];
    Value::Record(Record { entries }.into())
}

impl Scope for Ship {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        let known = [
            ("n", Type::Int),
            ("z", Type::Int),
            ("big", Type::Int),
            ("null", Type::Int),
            ("f", Type::Flag),
            ("t", Type::TEXT),
            ("o", Type::one_of(["port", "aft"])),
            ("a", Type::Any),
            ("l", Type::list_of(Type::Int)),
            ("r", rows()),
        ];
        match known.iter().position(|(name, _)| *name == path[0]) {
            Some(slot) => {
                Ok(ResolvedName { word_count: 1, slot: u32::try_from(slot).unwrap_or(0), ty: known[slot].1.clone() })
            }
            None => Err(UnknownName { word_index: 0, help: None }),
        }
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        match function {
            "count" => Some(Ok(BoundCall { call: 0, passed_arguments: (0..arguments.len()).collect(), ty: Type::Int })),
            "row" => Some(Ok(BoundCall { call: 1, passed_arguments: vec![], ty: Type::Any })),
            "fail" => Some(Ok(BoundCall { call: 2, passed_arguments: vec![], ty: Type::Any })),
            _ => None,
        }
    }

    fn functions(&self) -> Vec<String> {
        ["count", "row", "fail"].map(str::to_owned).to_vec()
    }
}

impl Host for Ship {
    fn read(&self, slot: Slot) -> Value {
        match slot {
            0 => Value::Int(7),
            1 => Value::Int(0),
            2 => Value::Int(1_000_000_000_000_000),
            4 => Value::Flag(true),
            5 => Value::text("missile"),
            6 => Value::text("aft"),
            7 => row(1, 2, Value::Null),
            8 => Value::List([3, -1, 12].map(Value::Int).into()),
            9 => Value::List([row(1, 4, Value::text("hull")), row(5, 20, Value::Null)].into()),
            _ => Value::Null,
        }
    }

    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        match call {
            0 => Ok(Value::Int(i64::try_from(arguments.len()).unwrap_or(0))),
            1 => Ok(row(2, 3, Value::text("laser"))),
            _ => Err("no row answers".to_owned()),
        }
    }
}
