//! Values as numbers, so that a state is a row of numbers: takes a value, gives its code, and back.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_rules::formula::Value;

/// Numbers are their own code; other values have codes beyond all numbers of formulas, which are within ±10^15.
const FIRST: i64 = 1 << 60;
pub(super) const NULL: i64 = FIRST;
const FALSE: i64 = FIRST + 1;
const TRUE: i64 = FIRST + 2;
/// Stands for every number where a list is expected.
pub(super) const NO_LIST: i64 = FIRST + 3;
const FIRST_KEPT: i64 = FIRST + 16;

#[derive(Debug, Default)]
pub(super) struct Codes {
    values: Vec<Value>,
    texts: BTreeMap<Arc<str>, i64>,
    /// Lists by the codes of their items; records by those of their names and values, after one -1.
    compounds: BTreeMap<Vec<i64>, i64>,
}

impl Codes {
    pub fn code(&mut self, value: &Value) -> i64 {
        match value {
            Value::Null => NULL,
            Value::Int(number) => *number,
            Value::Flag(flag) => {
                if *flag {
                    TRUE
                } else {
                    FALSE
                }
            }
            Value::Text(text) => self.text(text),
            Value::List(items) => {
                let mut key = vec![FIRST];
                key.extend(items.iter().map(|item| self.code(item)));
                self.compound(key, value)
            }
            Value::Record(record) => {
                let mut key = vec![-1];
                for (name, item) in &record.entries {
                    key.push(self.text(name));
                    key.push(self.code(item));
                }
                self.compound(key, value)
            }
        }
    }

    fn text(&mut self, text: &Arc<str>) -> i64 {
        if let Some(code) = self.texts.get(text) {
            return *code;
        }
        let code = self.keep(Value::Text(text.clone()));
        self.texts.insert(text.clone(), code);
        code
    }

    fn compound(&mut self, key: Vec<i64>, value: &Value) -> i64 {
        if let Some(code) = self.compounds.get(&key) {
            return *code;
        }
        let code = self.keep(value.clone());
        self.compounds.insert(key, code);
        code
    }

    fn keep(&mut self, value: Value) -> i64 {
        self.values.push(value);
        FIRST_KEPT + i64::try_from(self.values.len() - 1).unwrap_or(0)
    }

    pub fn value(&self, code: i64) -> Value {
        match code {
            NULL => Value::Null,
            FALSE => Value::Flag(false),
            TRUE => Value::Flag(true),
            code if code < FIRST => Value::Int(code),
            _ => self.kept(code).cloned().unwrap_or(Value::Null),
        }
    }

    /// A text, list or record without a copy.
    pub fn kept(&self, code: i64) -> Option<&Value> {
        self.values.get(usize::try_from(code.checked_sub(FIRST_KEPT)?).ok()?)
    }
}

/// The number that a code is.
pub(super) fn as_number(code: i64) -> Option<i64> {
    (code < FIRST).then_some(code)
}
