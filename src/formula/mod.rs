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
}

/// A compiled formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// As written.
    pub source: Arc<str>,
    /// What it gives.
    pub ty: Type,
    // A helper fills in: the tree, the slots and calls it reads.
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
