//! What all attacks of a ruleset share while they are compiled: the names of both ships, situations and gauges, and the
//! text that may still be compiled.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::formula::{Argument, BoundCall, Formula, FormulaError, ResolvedName, Scope, Type, UnknownName};
use crate::source::toml::TomlNode;

use super::Compiler;
use crate::ruleset::attack_model::MAX_ATTACK_TEXT;
use crate::ruleset::attack_scope::{AttackScope, ScopedName, target_table_of, target_table_slot};
use crate::ruleset::symbol_table::{ScopeContext, ScopeView, SymbolTable};
use crate::ruleset::symbols::{Absent, Symbol};

/// The names that all attacks read, and what they may still cost.
pub(super) struct AttackContext<'a, 'c> {
    pub compiler: &'a Compiler<'c>,
    pub target: TargetScope<'a>,
    /// Situations and gauges.
    pub names: Vec<ScopedName>,
    /// Tables of the ship fired at that formulas read.
    pub target_tables: Cell<BTreeSet<usize>>,
    /// Characters of formulas that may still be compiled.
    pub text_left: Cell<usize>,
}

/// The names of the ship fired at: those of a ship, and its tables.
pub(super) struct TargetScope<'a> {
    pub ship: ScopeView<'a>,
    tables: BTreeMap<&'a str, usize>,
}

impl<'a> TargetScope<'a> {
    pub(super) fn new(symbols: &'a SymbolTable, context: &'a ScopeContext) -> Self {
        let tables = symbols.tables.iter().enumerate().map(|(n, table)| (&*table.id, n)).collect();
        Self { ship: ScopeView { symbols, context }, tables }
    }
}

impl Scope for TargetScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        self.ship.resolve(path).or_else(|unknown| {
            if path.first().is_some_and(|word| self.ship.symbols.removed.has("table", word)) {
                let (slot, ty) = (Symbol::Absent(Absent::NoItems).slot(), Absent::NoItems.ty());
                return Ok(ResolvedName { word_count: 1, slot, ty });
            }
            let table = path.first().and_then(|word| self.tables.get(word));
            let found = table.and_then(|&table| Some((u16::try_from(table).ok()?, &self.ship.symbols.tables[table])));
            let (number, table) = found.ok_or(unknown)?;
            let ty = Type::list_of(table.record.clone());
            Ok(ResolvedName { word_count: 1, slot: target_table_slot(number), ty })
        })
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        self.ship.call(function, arguments)
    }

    fn functions(&self) -> Vec<String> {
        self.ship.functions()
    }
}

impl AttackContext<'_, '_> {
    /// Compiles a formula of an attack; errors are reported.
    pub(super) fn compile(
        &self,
        what: &str,
        node: &TomlNode<'_>,
        own: &dyn Scope,
        names: &[ScopedName],
        expected: &Type,
    ) -> Option<Formula> {
        self.try_compile(what, node, own, names, expected)?
            .map_err(|error| self.compiler.problems.add_formula_error(error))
            .ok()
    }

    pub(super) fn try_compile(
        &self,
        what: &str,
        node: &TomlNode<'_>,
        own: &dyn Scope,
        names: &[ScopedName],
        expected: &Type,
    ) -> Option<Result<Formula, FormulaError>> {
        let length = node.as_text().map_or(1, str::len);
        let left = self.text_left.get().checked_sub(length);
        self.text_left.set(left.unwrap_or(0));
        if left.is_none() {
            let message = format!("{what}: the formulas of all attacks have more than {MAX_ATTACK_TEXT} characters");
            let help = "a routine counts once for each use";
            self.compiler.problems.error("too-large", node.span, message, help);
            return None;
        }
        let scope = AttackScope { own, target: &self.target, names };
        let compiled = self.compiler.compile_in_scope(what, node, &scope, expected)?;
        if let Ok(formula) = &compiled {
            let mut tables = self.target_tables.take();
            tables.extend(formula.reads().filter_map(target_table_of).map(usize::from));
            self.target_tables.set(tables);
        }
        Some(compiled)
    }
}
