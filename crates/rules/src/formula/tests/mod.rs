//! Tests of the language: cases with exact results, drafted games, properties of random and hostile text.

mod cases;
mod drafts;
mod hostile;
mod properties;

use std::sync::Arc;

use super::*;
use moldloft_base::finding::nearest;

/// A scope and host of plain names with types and values, and of functions with constant results.
#[derive(Default)]
pub(super) struct TestHost {
    names: Vec<(&'static str, Type, Value)>,
    functions: Vec<(&'static str, Type, Value)>,
}

impl TestHost {
    pub fn name(mut self, name: &'static str, ty: Type, value: Value) -> Self {
        self.names.push((name, ty, value));
        self
    }

    pub fn int(self, name: &'static str, value: i64) -> Self {
        self.name(name, Type::Int, Value::Int(value))
    }

    pub fn flag(self, name: &'static str, value: bool) -> Self {
        self.name(name, Type::Flag, Value::Flag(value))
    }

    pub fn text(self, name: &'static str, value: &str) -> Self {
        self.name(name, Type::TEXT, Value::text(value))
    }

    pub fn option(self, name: &'static str, options: &[&str], value: &str) -> Self {
        self.name(name, Type::one_of(options.iter().copied()), Value::text(value))
    }

    pub fn function(mut self, name: &'static str, ty: Type, value: Value) -> Self {
        self.functions.push((name, ty, value));
        self
    }

    pub fn compile(&self, text: &str, expected: &Type) -> Result<Formula, FormulaError> {
        Formula::compile(text, whole_span(text), self, expected)
    }

    pub fn eval(&self, text: &str) -> Result<Value, FormulaError> {
        self.compile(text, &Type::Any)?.eval(self)
    }
}

pub(super) fn whole_span(text: &str) -> Span {
    Span::from(0..text.len())
}

impl Scope for TestHost {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        for words in (1..=path.len()).rev() {
            let wanted = path[..words].join(".");
            if let Some(slot) = self.names.iter().position(|(name, ..)| *name == wanted) {
                let slot = u32::try_from(slot).unwrap();
                return Ok(ResolvedName { word_count: words, slot, ty: self.names[slot as usize].1.clone() });
            }
        }
        let mut word = 0;
        while word + 1 < path.len()
            && self.names.iter().any(|(name, ..)| name.starts_with(&(path[..=word].join(".") + ".")))
        {
            word += 1;
        }
        let before = path[..word].iter().map(|word| format!("{word}.")).collect::<String>();
        let known = self.names.iter().filter_map(|(name, ..)| name.strip_prefix(before.as_str()));
        Err(UnknownName { word_index: word, help: nearest(path[word], known).map(str::to_owned) })
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        let call = self.functions.iter().position(|(name, ..)| *name == function)?;
        let pass = (0..arguments.len()).filter(|place| arguments[*place].literal.is_none()).collect();
        Some(Ok(BoundCall {
            call: u32::try_from(call).unwrap(),
            passed_arguments: pass,
            ty: self.functions[call].1.clone(),
        }))
    }

    fn is_sure(&self, _call: u32) -> bool {
        true
    }

    fn functions(&self) -> Vec<String> {
        self.functions.iter().map(|(name, ..)| (*name).to_owned()).collect()
    }
}

impl Host for TestHost {
    fn read(&self, slot: Slot) -> Value {
        self.names[slot as usize].2.clone()
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        Some(&self.names[slot as usize].2)
    }

    fn call(&self, call: u32, _arguments: &[Value]) -> Result<Value, String> {
        Ok(self.functions[call as usize].2.clone())
    }
}

pub(super) fn ints(numbers: &[i64]) -> Value {
    Value::List(numbers.iter().copied().map(Value::Int).collect())
}

pub(super) fn record(entries: &[(&str, Value)]) -> Value {
    let entries = entries.iter().map(|(name, value)| (Arc::from(*name), value.clone())).collect();
    Value::Record(Arc::new(Record { entries }))
}

pub(super) fn columns(columns: &[(&str, Type)]) -> Type {
    Type::Record(columns.iter().map(|(name, ty)| (Arc::from(*name), ty.clone())).collect())
}

pub(super) fn list(items: &[Value]) -> Value {
    Value::List(items.iter().cloned().collect())
}
