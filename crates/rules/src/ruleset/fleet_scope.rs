//! The names of checks over a fleet: the fleet's own facts, settings and tables, `it` for the item of a `for_each`, and the
//! functions `units` and `each`, whose arguments read one ship's names.

use std::cell::RefCell;
use std::sync::Arc;

use crate::formula::{
    Argument, BoundCall, Formula, FormulaCall, FormulaError, KindCall, KindScope, NameSource, Naming, ResolvedName,
    Scope, Slot, Type, UnknownName,
};
use moldloft_base::source::Span;

use super::attack_model::TARGET;
use super::fleet_model::{FleetCall, FleetCallKind, FleetSelector};
use super::symbol_table::{ScopeContext, ScopeView, SymbolTable};
use super::symbols::{FLEET_FUNCTIONS, ItProperty, QUERY_FUNCTIONS, Symbol};

/// The most calls of `units` and `each` in one check.
const MAX_CALLS: usize = 64;
const FLEET_CALL: u32 = 1 << 28;

/// The number of a call of `units` or `each` within its check.
pub fn fleet_call_of(call: u32) -> Option<usize> {
    (call & FLEET_CALL != 0).then_some((call & !FLEET_CALL) as usize)
}

/// A ship's own slot that `it.NAME` of a check over a fleet reads.
pub fn unit_slot(slot: Slot) -> Option<Slot> {
    (slot & TARGET != 0).then_some(slot & !TARGET)
}

/// The names of one check over a fleet; collects its calls of `units` and `each`.
pub struct FleetScope<'s> {
    unit: UnitScope<'s>,
    calls: RefCell<Vec<FleetCall>>,
}

/// The names that the arguments of `units` and `each` read: those of one ship, and besides them the fleet's facts and `it`.
struct UnitScope<'s> {
    symbols: &'s SymbolTable,
    for_each: Option<FleetSelector>,
    ship: ScopeContext,
    /// Knows the fleet's facts.
    page: ScopeContext,
}

impl<'s> FleetScope<'s> {
    pub fn new(symbols: &'s SymbolTable, for_each: Option<FleetSelector>) -> Self {
        let page = ScopeContext { in_template: true, ..ScopeContext::default() };
        let unit = UnitScope { symbols, for_each, ship: ScopeContext::default(), page };
        Self { unit, calls: RefCell::default() }
    }

    /// The names of one ship, for conditions outside `units` and `each`.
    pub fn unit_scope(&self) -> &dyn Scope {
        &self.unit
    }

    pub fn into_calls(self) -> Vec<FleetCall> {
        self.calls.into_inner()
    }
}

fn unknown<T>(word_index: usize, help: impl Into<String>) -> Result<T, UnknownName> {
    Err(UnknownName { word_index, help: Some(help.into()) })
}

impl UnitScope<'_> {
    fn ship_view(&self) -> ScopeView<'_> {
        ScopeView { symbols: self.symbols, context: &self.ship }
    }

    /// The names that do not belong to the ship being asked: `fleet.` and `it.`; `None` for others.
    fn resolve_around(&self, path: &[&str]) -> Option<Result<ResolvedName, UnknownName>> {
        match path {
            ["fleet", ..] => Some(ScopeView { symbols: self.symbols, context: &self.page }.resolve(path)),
            ["it", ..] => Some(self.resolve_it(path)),
            _ => None,
        }
    }

    fn resolve_it(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        if self.for_each.is_none() {
            return unknown(0, "`it` is available only under for_each = \"unit\", \"class\" or \"group\"");
        }
        match path {
            [_, "count", ..] => {
                Ok(ResolvedName { word_count: 2, slot: Symbol::It(ItProperty::Count).slot(), ty: Type::Int })
            }
            [_, rest @ ..] if !rest.is_empty() => match self.ship_view().resolve(rest) {
                Ok(name) => Ok(ResolvedName { word_count: name.word_count + 1, slot: name.slot | TARGET, ..name }),
                Err(error) => Err(UnknownName { word_index: error.word_index + 1, ..error }),
            },
            _ => unknown(0, "add what to read: it.points, it.count …"),
        }
    }
}

impl Scope for UnitScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        self.resolve_around(path).unwrap_or_else(|| self.ship_view().resolve(path))
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        if FLEET_FUNCTIONS.iter().any(|known| known.name == function) {
            let span = arguments.first().map_or(Span::default(), |argument| argument.span);
            let message = format!("`{function}` cannot be used inside `units` or `each`");
            let help = "use for_each = \"unit\", \"class\" or \"group\" and compare with it.NAME";
            return Some(Err(FormulaError::new("wrong-arguments", message, span).help(help)));
        }
        self.ship_view().call(function, arguments)
    }

    fn functions(&self) -> Vec<String> {
        self.ship_view().functions()
    }

    fn kinds(&self) -> Option<&dyn KindScope> {
        Some(self)
    }
}

impl KindScope for UnitScope<'_> {
    fn naming(&self, source: NameSource<'_>) -> Naming {
        self.ship_view().naming(source)
    }

    fn apart(&self, call: u32, others: &[u32]) -> Option<u32> {
        self.ship_view().apart(call, others)
    }

    fn kind_call(&self, call: KindCall) -> Option<u32> {
        self.ship_view().kind_call(call)
    }
}

impl Scope for FleetScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        if let Some(found) = self.unit.resolve_around(path) {
            return found;
        }
        let resolved = self.unit.ship_view().resolve(path)?;
        match Symbol::from_slot(resolved.slot) {
            Symbol::Setting(_) | Symbol::SettingOption(..) => Ok(resolved),
            Symbol::Builtin(word) if word.is_of_ruleset() => Ok(resolved),
            _ => {
                let name = path[..resolved.word_count.min(path.len())].join(".");
                let it = match self.unit.for_each {
                    Some(_) => format!(", or it.{name}"),
                    None => String::new(),
                };
                unknown(0, format!("`{name}` is one ship's: use it in units(…) or each(…){it}"))
            }
        }
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        let query = QUERY_FUNCTIONS.iter().find(|query| query.name == function)?;
        if query.reads_table {
            return self.unit.ship_view().call(function, arguments);
        }
        let span = arguments.first().map_or(Span::default(), |argument| argument.span);
        let message = format!("`{function}` asks one ship: a fleet has many");
        let help = format!("use it in units(…) or each(…), such as each({function}(…))");
        Some(Err(FormulaError::new("wrong-arguments", message, span).help(help)))
    }

    fn functions(&self) -> Vec<String> {
        let tables = QUERY_FUNCTIONS.iter().filter(|query| query.reads_table);
        FLEET_FUNCTIONS.iter().chain(tables).map(|query| query.name.to_owned()).collect()
    }

    fn formula_call(&self, function: &str) -> Option<&dyn FormulaCall> {
        FLEET_FUNCTIONS.iter().any(|known| known.name == function).then_some(self)
    }
}

impl FormulaCall for FleetScope<'_> {
    fn scope(&self) -> &dyn Scope {
        &self.unit
    }

    fn expected(&self, function: &str, place: usize) -> Type {
        if function == "each" && place == 0 { Type::Any } else { Type::Flag }
    }

    fn bind(&self, function: &str, arguments: Vec<Formula>, at: Span) -> Result<BoundCall, FormulaError> {
        let written: Vec<&str> = arguments.iter().map(|formula| &*formula.source).collect();
        let text: Arc<str> = format!("{function}({})", written.join(", ")).into();
        let wrong = |message: &str, help: &str| FormulaError::new("wrong-arguments", message, at).help(help);
        let mut arguments = arguments.into_iter();
        let (kind, ty) = if function == "each" {
            let Some(formula) = arguments.next() else {
                return Err(wrong("`each` needs a formula", "use each(points), or each(points, condition)"));
            };
            let ty = Type::list_of(formula.ty.clone());
            (FleetCallKind::Each(formula), ty)
        } else {
            (FleetCallKind::Units, Type::Int)
        };
        let condition = arguments.next();
        if arguments.next().is_some() {
            return Err(wrong(&format!("`{function}` takes one condition"), "join conditions with `and`, `or`"));
        }
        let mut call = FleetCall { kind, condition, text, reads_it: false };
        let is_it = |slot: Slot| unit_slot(slot).is_some() || slot == Symbol::It(ItProperty::Count).slot();
        let reads_it = call.formulas().any(|formula| formula.reads().any(is_it));
        call.reads_it = reads_it;
        let mut calls = self.calls.borrow_mut();
        if calls.len() >= MAX_CALLS {
            let message = format!("more than {MAX_CALLS} calls of `units` and `each` in one check");
            return Err(FormulaError::new("too-large", message, at).help("split the check"));
        }
        calls.push(call);
        Ok(BoundCall { call: FLEET_CALL | (calls.len() as u32 - 1), passed_arguments: Vec::new(), ty })
    }
}
