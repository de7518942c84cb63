//! The language of rulesets: takes text, gives a compiled formula; evaluates it over numbered slots and traces it.
//! Exact, typed and bounded: whole numbers only, no unbounded loops. Never knows a ship: a [`Scope`] supplies names and
//! functions when compiling, a [`Host`] their values when evaluating.

mod chance;
mod check;
mod compiled_formula;
mod error;
mod eval;
mod fixed_parts;
mod functions;
mod lexer;
mod limits;
mod node;
mod operators;
mod parse;
mod print;
mod ranges;
mod run;
mod sentence;
mod syntax;
mod text_template;
mod trace;
mod types;
mod value;

#[cfg(test)]
mod tests;

pub use chance::{ChanceBudget, MAX_MULTIPLICATIONS, Spread, Weight};
pub use compiled_formula::Formula;
pub use error::{FormulaError, FormulaErrorKind};
pub use fixed_parts::FixedParts;
pub use functions::{FUNCTIONS, Function, faces_by_roll, ranges_of};
pub use limits::FORMULA_WORK;
pub use node::{ItemPlace, Lookup};
pub use ranges::{LeverBound, LeverBox, NumberRange, NumberResult, RangeHost, RangeKind, RangeValue, Truth};
pub use sentence::Wording;
pub use text_template::TextTemplate;
pub use trace::Trace;
pub use types::Type;
pub use value::{Record, Value};

use moldloft_base::source::Span;

/// A number that the [`Scope`] assigns to a name and the [`Host`] reads it by.
pub type Slot = u32;

/// Names while compiling. It sees whole dotted paths, so that `mass`, `it.count`, `it.whole.points`,
/// `choice.nation.discount` and `group.warhead` are all slots; the rest of a path is read from the slot's record.
pub trait Scope {
    /// Resolves the longest known beginning of `path`.
    ///
    /// # Errors
    /// An [`UnknownName`] when the first word, or another word that belongs to the scope, is unknown.
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName>;

    /// Binds a call of a function that the language itself does not have (`count`, `total`, `row`…): checks its arguments
    /// and gives it a number. `None` when the scope has no such function.
    fn call(&self, _function: &str, _arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        None
    }

    /// Names of the scope's functions, for suggestions.
    fn functions(&self) -> Vec<String> {
        Vec::new()
    }

    /// The functions that evaluate their arguments once for each of several things (`units`, `each`); `None` for all others.
    fn formula_call(&self, _function: &str) -> Option<&dyn FormulaCall> {
        None
    }

    /// Whether the host answers this call whatever its arguments are, as long as work is left.
    fn is_sure(&self, _call: u32) -> bool {
        false
    }

    /// Whether formulas may roll dice: `d6`, `3d6`, `times`, `faces`, `roll`.
    fn has_dice(&self) -> bool {
        false
    }

    /// The texts that name a kind which may be like another; `None` where there are none.
    fn kinds(&self) -> Option<&dyn KindScope> {
        None
    }
}

/// Texts that name kinds of things. A kind that is like another counts as it: `it.system == 'laser'` holds for what is like a
/// laser, too.
pub trait KindScope {
    fn naming(&self, source: NameSource<'_>) -> Naming;

    /// The call that counts what none of the others counts more closely, if it is another one.
    fn apart(&self, call: u32, others: &[u32]) -> Option<u32>;

    /// The number of a call of the host. `None` when there are too many.
    fn kind_call(&self, call: KindCall) -> Option<u32>;
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
pub enum NameSource<'a> {
    Slot(Slot),
    /// Of rows with these columns, by its name.
    Column(&'a [(std::sync::Arc<str>, Type)], &'a str),
    /// A call's list.
    Call(u32),
}

/// Of two texts, the later one here counts as the earlier one if it is like it; two of the same are compared as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// A word such as `'laser'`, or any other text.
    #[default]
    Word,
    /// A column in which a kind is written.
    Written,
    /// What is there itself.
    Thing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindCall {
    /// Whether the first, a text or one of a list, counts as the second, a text or one of a list.
    CountsAs,
    /// All that a kind counts as.
    Above,
    /// All kinds that count as it.
    Below,
}

/// A function whose arguments are formulas in names of their own, which its scope keeps and its host evaluates.
pub trait FormulaCall {
    /// The names that the arguments read.
    fn scope(&self) -> &dyn Scope;

    /// The type that an argument must have, by its place from 0.
    fn expected(&self, function: &str, place: usize) -> Type;

    /// Binds a call that spans `at`. No argument is passed when it is evaluated.
    ///
    /// # Errors
    /// Too many or too few arguments.
    fn bind(&self, function: &str, arguments: Vec<Formula>, at: Span) -> Result<BoundCall, FormulaError>;
}

#[derive(Clone, Debug)]
pub struct ResolvedName {
    /// How many words of the path the slot covers.
    pub word_count: usize,
    pub slot: Slot,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct UnknownName {
    /// Which word of the path, from 0.
    pub word_index: usize,
    /// The nearest known word, or another complete hint.
    pub help: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Argument<'a> {
    /// The keyword of a named argument.
    pub name: Option<&'a str>,
    /// The value of a literal (`'laser'`, `['port', 'starboard']`, `3`).
    pub literal: Option<Value>,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct BoundCall {
    pub call: u32,
    /// Indices of the arguments that are evaluated and passed, in this order.
    pub passed_arguments: Vec<usize>,
    pub ty: Type,
}

pub trait Host {
    /// The host that answers what this one does not, and limits its work.
    fn around(&self) -> Option<&dyn Host> {
        None
    }

    fn read(&self, slot: Slot) -> Value {
        match self.read_ref(slot) {
            Some(value) => value.clone(),
            None => self.around().map_or(Value::Null, |host| host.read(slot)),
        }
    }

    /// Result of a bound call.
    ///
    /// # Errors
    /// A sentence when the call cannot be answered.
    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        self.around().map_or(Ok(Value::Null), |host| host.call(call, arguments))
    }

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

    /// Work that the next evaluation may do, in the unit of [`Host::record_work`]; capped at the limit of one formula.
    fn work_limit(&self) -> u32 {
        self.around().map_or(u32::MAX, |host| host.work_limit())
    }

    /// Called once after each evaluation, even a failed one, with its work: [`FORMULA_WORK`], 1 for each node, each
    /// item visited or made and each 16 bytes of text. A host can limit the sum over many formulas here.
    fn record_work(&self, units: u32) {
        if let Some(host) = self.around() {
            host.record_work(units);
        }
    }

    /// Called once for each evaluation that made lists, with the number of their cells; `false` ends it with
    /// `too-large`. A host that keeps results can limit their sum here.
    fn reserve_cells(&self, cells: u32) -> bool {
        self.around().is_none_or(|host| host.reserve_cells(cells))
    }
}

/// No names and no values: for formulas of written-out numbers.
pub struct NoNames;

impl Scope for NoNames {
    fn resolve(&self, _path: &[&str]) -> Result<ResolvedName, UnknownName> {
        Err(UnknownName { word_index: 0, help: None })
    }
}

impl Host for NoNames {}
