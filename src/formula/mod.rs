//! The language of rulesets: takes text, gives a compiled formula; evaluates it over numbered slots and shows its work.
//! Exact, typed and bounded: whole numbers only, no loops but over what exists. Never knows a ship: names and the functions
//! that ask about one are given by a [`Scope`] when compiling and a [`Host`] when evaluating.

mod types;
mod value;

use std::sync::Arc;

pub use types::Type;
pub use value::{Record, Value};

use crate::source::Span;

/// A number the [`Scope`] gave a name, for the [`Host`] to read it by.
pub type Slot = u32;

/// What a name means while compiling. One method sees whole dotted paths, so that `mass`, `it.count`, `it.whole.points`,
/// `choice.nation.discount` and `group.warhead` are all slots; what the path has left over is read from the slot's record.
pub trait Scope {
    /// Resolves the longest known beginning of `path`.
    ///
    /// # Errors
    /// A [`Unknown`] when the first word, or a word the scope itself answers for, is not known here.
    fn resolve(&self, path: &[&str]) -> Result<Resolved, Unknown>;

    /// Binds a call of a function that the language itself does not have (`count`, `total`, `row`…): checks its arguments
    /// and gives it a number. `None` when the scope has no such function.
    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<Bound, Mistake>>;

    /// The names of the scope's own functions, for suggestions.
    fn functions(&self) -> Vec<String>;
}

/// A resolved name.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// How many words of the path the slot stands for.
    pub words: usize,
    /// What the host reads.
    pub slot: Slot,
    /// Its type.
    pub ty: Type,
}

/// A word that is not known.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Which word of the path, from 0.
    pub word: usize,
    /// The nearest known word, or another hint in full.
    pub help: Option<String>,
}

/// An argument of a call, as the scope sees it when binding.
#[derive(Clone, Debug)]
pub struct Argument<'a> {
    /// The keyword, for named arguments.
    pub name: Option<&'a str>,
    /// Its value if it is written out (`'laser'`, `['port', 'starboard']`, `3`).
    pub literal: Option<Value>,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// A bound call.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What the host is asked for.
    pub call: u32,
    /// Which arguments (by their place in the call) are evaluated and handed over, in this order.
    pub pass: Vec<usize>,
    /// The result's type.
    pub ty: Type,
}

/// A fault in a formula, found when compiling or evaluating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Kebab-case, names the fault: `unknown-name`, `wrong-type`, `fraction`, `overflow`, `too-long`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Where in the file.
    pub span: Span,
}

/// What a formula reads while it runs.
pub trait Host {
    /// The value of a slot.
    fn read(&self, slot: Slot) -> Value;

    /// The result of a bound call.
    ///
    /// # Errors
    /// A sentence when the call cannot be answered.
    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String>;

    /// The value of a slot whose type is [`Type::Int`], `None` when it is null. Worth writing where speed counts.
    fn read_int(&self, slot: Slot) -> Option<i64> {
        match self.read(slot) {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The value of a slot without a copy, where the host holds it; `None` sends the formula to [`Host::read`].
    fn peek(&self, _slot: Slot) -> Option<&Value> {
        None
    }

    /// Told once for each evaluation that made lists how many cells of them it made; `false` ends it with `too-large`. A host that keeps what many
    /// formulas give bounds their sum here.
    fn spend(&self, _cells: u32) -> bool {
        true
    }
}

/// A compiled formula. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Formula {
    /// As written.
    pub source: Arc<str>,
    /// What it gives.
    pub ty: Type,
    /// Where it stands in its file.
    pub at: Span,
    // A helper fills in: the tree, the slots and calls it reads.
}

#[allow(unused_variables, missing_docs)]
impl Formula {
    /// Compiles `text`, which stands at `at` (from the first to the last character within the quotes) and is to give a `want`:
    /// where a flag is due anything gives one, where a number is due a value known only later is checked when evaluated.
    ///
    /// # Errors
    /// The first mistake, with its place in the file.
    pub fn compile(text: &str, at: Span, scope: &dyn Scope, want: &Type) -> Result<Self, Mistake> {
        todo!()
    }

    /// A formula that is a plain value, for numbers and flags that stand in the file as such.
    pub fn constant(value: Value, at: Span) -> Self {
        todo!()
    }

    /// Evaluates it.
    ///
    /// # Errors
    /// `overflow`, `division-by-zero`, `no-such-item`, `too-long`, `too-large`, `wrong-type` (of a value known only now), `no-answer` (a call's).
    pub fn eval(&self, host: &dyn Host) -> Result<Value, Mistake> {
        todo!()
    }

    /// Evaluates it as a number; `None` is null. Faster than [`Formula::eval`] for formulas compiled to give one.
    ///
    /// # Errors
    /// As [`Formula::eval`], and `wrong-type` when it gives something else.
    pub fn int(&self, host: &dyn Host) -> Result<Option<i64>, Mistake> {
        todo!()
    }

    /// Evaluates it as a flag; `None` is null.
    ///
    /// # Errors
    /// As [`Formula::eval`].
    pub fn flag(&self, host: &dyn Host) -> Result<Option<bool>, Mistake> {
        todo!()
    }

    /// Evaluates it and shows its work. What fails shows as `?`.
    pub fn trace(&self, host: &dyn Host) -> Trace {
        todo!()
    }

    /// The same formula with every part that reads none of `varying` replaced by its value: for the boxes of a track and the cells of
    /// a table, where `spread(boxes, …)[box - 1]` would else be worked out anew for each box.
    #[must_use]
    pub fn settle(&self, host: &dyn Host, varying: &[Slot]) -> Self {
        todo!()
    }

    /// The slots it reads, each once, in the order of their first use.
    pub fn reads(&self) -> impl Iterator<Item = Slot> + '_ {
        [].into_iter()
    }

    /// The bound calls it makes, each once.
    pub fn calls(&self) -> impl Iterator<Item = u32> + '_ {
        [].into_iter()
    }

    /// Whether it reads nothing: its value is the same for every ship.
    pub fn is_constant(&self) -> bool {
        todo!()
    }
}

/// Text with `{{ expression }}` in it. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Text {
    /// As written.
    pub source: Arc<str>,
    /// Where it stands in its file.
    pub at: Span,
}

#[allow(unused_variables, missing_docs)]
impl Text {
    /// Compiles `text`, which stands at `at`.
    ///
    /// # Errors
    /// The first mistake, with its place in the file.
    pub fn compile(text: &str, at: Span, scope: &dyn Scope) -> Result<Self, Mistake> {
        todo!()
    }

    /// Text to be taken as it stands.
    pub fn literal(text: &str, at: Span) -> Self {
        todo!()
    }

    /// The text with its values put in; `None` when one of them is null. Numbers print plain with `-`, flags as yes or no, lists joined with `, `.
    ///
    /// # Errors
    /// As [`Formula::eval`].
    pub fn eval(&self, host: &dyn Host) -> Result<Option<String>, Mistake> {
        todo!()
    }

    /// The whole text, if there is no expression in it.
    pub fn is_literal(&self) -> Option<&str> {
        todo!()
    }

    /// The slots it reads, each once.
    pub fn reads(&self) -> impl Iterator<Item = Slot> + '_ {
        [].into_iter()
    }

    /// The bound calls it makes, each once.
    pub fn calls(&self) -> impl Iterator<Item = u32> + '_ {
        [].into_iter()
    }
}

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
