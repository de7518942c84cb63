//! The language of rulesets: takes text, gives a compiled formula; evaluates it over numbered slots and shows its work.
//! Exact, typed and bounded: whole numbers only, no loops but over what exists. Never knows a ship: names and the functions
//! that ask about one are given by a [`Scope`] when compiling and a [`Host`] when evaluating.

mod check;
mod compiled_formula;
mod error;
mod eval;
mod functions;
mod lexer;
mod limits;
mod node;
mod operators;
mod parse;
mod print;
mod syntax;
mod text_template;
mod trace;
mod types;
mod value;

#[cfg(test)]
mod tests;

pub use compiled_formula::Formula;
pub use error::{FormulaError, FormulaErrorKind};
pub use functions::{FUNCTIONS, Function};
pub use limits::FORMULA_WORK;
pub use text_template::TextTemplate;
pub use trace::Trace;
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
    /// A [`UnknownName`] when the first word, or a word the scope itself answers for, is not known here.
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName>;

    /// Binds a call of a function that the language itself does not have (`count`, `total`, `row`…): checks its arguments
    /// and gives it a number. `None` when the scope has no such function.
    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>>;

    /// The names of the scope's own functions, for suggestions.
    fn functions(&self) -> Vec<String>;
}

/// A resolved name.
#[derive(Clone, Debug)]
pub struct ResolvedName {
    /// How many words of the path the slot stands for.
    pub words: usize,
    /// What the host reads.
    pub slot: Slot,
    /// Its type.
    pub ty: Type,
}

/// A word that is not known.
#[derive(Clone, Debug)]
pub struct UnknownName {
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
pub struct BoundCall {
    /// What the host is asked for.
    pub call: u32,
    /// Which arguments (by their place in the call) are evaluated and handed over, in this order.
    pub passed_arguments: Vec<usize>,
    /// The result's type.
    pub ty: Type,
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
    fn read_ref(&self, _slot: Slot) -> Option<&Value> {
        None
    }

    /// How much work the next evaluation may do, in the unit of [`Host::record_work`]; never more than one formula may in any case.
    fn work_limit(&self) -> u32 {
        u32::MAX
    }

    /// Called once after each evaluation, also one that failed, with the work it did: [`FORMULA_WORK`], 1 for each part of the formula, each item
    /// looked at or made and each 16 bytes of text. A host that evaluates many formulas bounds their sum here.
    fn record_work(&self, _units: u32) {}

    /// Told once for each evaluation that made lists how many cells of them it made; `false` ends it with `too-large`. A host that keeps what many
    /// formulas give bounds their sum here.
    fn reserve_cells(&self, _cells: u32) -> bool {
        true
    }
}

/// The host of constants, which are never asked for.
struct NullHost;

impl Host for NullHost {
    fn read(&self, _slot: Slot) -> Value {
        Value::Null
    }

    fn call(&self, _call: u32, _arguments: &[Value]) -> Result<Value, String> {
        Ok(Value::Null)
    }
}
