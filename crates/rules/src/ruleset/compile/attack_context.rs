//! What all attacks of a ruleset share while they are compiled: the names of both ships, situations and gauges, and the
//! text that may still be compiled.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::formula::{
    Argument, BoundCall, Formula, FormulaError, KindScope, ResolvedName, Scope, TextTemplate, Type, UnknownName,
};
use moldloft_base::source::toml::TomlNode;

use super::Compiler;
use crate::ruleset::attack_model::{MAX_ATTACK_TEXT, PrintedRows};
use crate::ruleset::attack_scope::{AttackScope, ScopedName};
use crate::ruleset::outputs::TrackDef;
use crate::ruleset::problems::suggest;
use crate::ruleset::symbol_table::{ScopeContext, ScopeView, SymbolTable};
use crate::ruleset::symbols::{Absent, Symbol};
use crate::ruleset::table_reader::TableReader;

/// The names that all attacks read, and what they may still cost.
pub(super) struct AttackContext<'a, 'c> {
    pub compiler: &'a Compiler<'c>,
    pub tracks: &'a [TrackDef],
    pub target: SheetScope<'a>,
    /// Situations and gauges.
    pub names: Vec<ScopedName>,
    /// What sheets print and formulas read.
    pub printed: Cell<BTreeSet<PrintedRows>>,
    /// Characters of formulas that may still be compiled.
    pub text_left: Cell<usize>,
}

/// The names of one of two ships: those of a ship, then the rows of its tables as TABLE and of its tracks as track.ID.
pub(super) struct SheetScope<'a> {
    pub ship: ScopeView<'a>,
    tracks: &'a [TrackDef],
}

impl<'a> SheetScope<'a> {
    pub(super) fn new(symbols: &'a SymbolTable, context: &'a ScopeContext, tracks: &'a [TrackDef]) -> Self {
        Self { ship: ScopeView { symbols, context }, tracks }
    }

    fn table(&self, word: &str) -> Option<ResolvedName> {
        let tables = &self.ship.symbols.tables;
        let number = tables.iter().position(|table| *table.id == *word)?;
        let slot = PrintedRows::Table(u16::try_from(number).ok()?).slot();
        Some(ResolvedName { word_count: 1, slot, ty: Type::list_of(tables[number].record.clone()) })
    }

    /// Each row has its number of boxes, what is in them, and its labels. A track that a layer removed has no rows.
    fn track(&self, word: Option<&&str>) -> Result<ResolvedName, UnknownName> {
        let found = word.and_then(|word| self.tracks.iter().position(|track| *track.id == **word));
        let Some((number, track)) = found.and_then(|number| Some((u16::try_from(number).ok()?, &self.tracks[number])))
        else {
            if word.is_some_and(|word| self.ship.symbols.removed.has("track", word)) {
                return Ok(no_rows(2));
            }
            let known = self.tracks.iter().map(|track| &*track.id);
            let help = suggest(word.copied().unwrap_or_default(), known);
            return Err(UnknownName { word_index: usize::from(word.is_some()), help: Some(help) });
        };
        let labels = track.row_labels.iter().map(|(name, _)| (name.clone(), Type::TEXT));
        let cell: Vec<_> = track.cell.iter().map(|(name, cell)| (name.clone(), cell.ty.clone())).collect();
        let cells = Type::list_of(Type::Record(cell.into()));
        let row = [("boxes".into(), Type::Int), ("cells".into(), cells)];
        let row: Vec<_> = row.into_iter().chain(labels).collect();
        let ty = Type::list_of(Type::Record(row.into()));
        Ok(ResolvedName { word_count: 2, slot: PrintedRows::Track(number).slot(), ty })
    }
}

/// What a layer removed, in place of its rows.
fn no_rows(word_count: usize) -> ResolvedName {
    ResolvedName { word_count, slot: Symbol::Absent(Absent::NoItems).slot(), ty: Absent::NoItems.ty() }
}

impl Scope for SheetScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        self.ship.resolve(path).or_else(|unknown| match path.first() {
            Some(&"track") => self.track(path.get(1)),
            Some(word) => match self.table(word) {
                None if self.ship.symbols.removed.has("table", word) => Ok(no_rows(1)),
                found => found.ok_or(unknown),
            },
            None => Err(unknown),
        })
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        self.ship.call(function, arguments)
    }

    fn functions(&self) -> Vec<String> {
        self.ship.functions()
    }

    fn kinds(&self) -> Option<&dyn KindScope> {
        self.ship.kinds()
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
        let compiled = self.compiler.compile_in_scope(&what, node, &scope, expected)?;
        if let Ok(formula) = &compiled {
            self.note_printed(formula);
        }
        Some(compiled)
    }

    /// A text of an attack, about both ships; errors are reported.
    pub(super) fn compile_text(
        &self,
        reader: &TableReader<'_, '_>,
        key: &'static str,
        own: &dyn Scope,
    ) -> Option<TextTemplate> {
        let (text, span) = reader.text(key)?;
        let scope = AttackScope { own, target: &self.target, names: &[] };
        let text = self.compiler.compile_text_in(&text, span, &scope)?;
        text.formulas().for_each(|formula| self.note_printed(formula));
        Some(text)
    }

    /// Remembers what a formula reads of sheets.
    pub(super) fn note_printed(&self, formula: &Formula) {
        let mut printed = self.printed.take();
        printed.extend(formula.reads().filter_map(PrintedRows::from_slot));
        self.printed.set(printed);
    }
}
