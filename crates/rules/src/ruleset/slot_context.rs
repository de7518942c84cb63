//! Compiles a template's formulas and texts against a loaded ruleset: takes text and its context, gives it compiled.
//! Never changes the rules (it adds queries to the call table, which does not affect results).

use std::sync::Arc;

use crate::formula::{
    Argument, BoundCall, Formula, FormulaError, FormulaErrorKind, ResolvedName, Scope, TextTemplate, Type, UnknownName,
};
use moldloft_base::source::Span;

use super::symbol_table::{ItKind, ScopeContext, ScopeView, SymbolTable};
use super::{LocalVar, Ruleset};

/// What `it` is in a template's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotContext {
    /// No `it`: the ship as a whole.
    Ship,
    /// `it.id it.label it.tags it.count it.mirror it.mirror_label`.
    Mount,
    /// `it.system it.name it.abbr it.mount it.mount_label it.count it.tags`, its parameters, attributes,
    /// `it.whole.NAME`.
    Fit,
    /// All fits of one system together: as a fit, without a mount.
    System,
    /// A row of this rows field or table, with its columns.
    Row(Arc<str>),
    /// The `it` of the counter's `for_each`, its groups (`group.warhead`), its data, and `number`.
    Counter(Arc<str>),
    /// A square of a grid: `across` and `down`.
    Grid,
    /// A track as drawn: `it.id it.track it.label it.badge it.boxes it.mount`.
    Track(Arc<str>),
    /// A box of this track: the names of its cell, `box` and `boxes`; `it` is the track.
    Box(Arc<str>),
}

/// The names of a ruleset as seen from one context, for scopes that add names of their own.
pub struct RulesetScope<'r> {
    symbols: &'r SymbolTable,
    context: ScopeContext,
}

impl Scope for RulesetScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        ScopeView { symbols: self.symbols, context: &self.context }.resolve(path)
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        ScopeView { symbols: self.symbols, context: &self.context }.call(function, arguments)
    }

    fn functions(&self) -> Vec<String> {
        ScopeView { symbols: self.symbols, context: &self.context }.functions()
    }
}

impl SlotContext {
    /// The id that it names, and the sections that may declare it.
    fn named(&self) -> Option<(&'static [&'static str], &str)> {
        match self {
            Self::Row(id) => Some((&["field", "table"], id)),
            Self::Counter(id) => Some((&["counter"], id)),
            Self::Track(id) | Self::Box(id) => Some((&["track"], id)),
            _ => None,
        }
    }
}

impl Ruleset {
    /// Whether a layer removed a declaration and none has its id now.
    pub fn is_removed(&self, section: &str, id: &str) -> bool {
        let symbols = &self.symbols;
        symbols.removed.has(section, id)
            && match section {
                "field" => symbols.field_index(id).is_none(),
                "mount" => symbols.mount_index(id).is_none(),
                "system" => symbols.system_index(id).is_none() || symbols.removed.kept.contains(id),
                "table" => !self.tables.iter().any(|table| *table.id == *id),
                "track" => !self.tracks.iter().any(|track| *track.id == *id),
                "counter" => !self.counters.iter().any(|counter| *counter.id == *id),
                _ => true,
            }
    }

    /// The names known in a context.
    ///
    /// # Errors
    /// `unknown-name` when the context's own id is unknown.
    pub fn scope(&self, within: &SlotContext, at: Span) -> Result<RulesetScope<'_>, FormulaError> {
        Ok(RulesetScope { symbols: &self.symbols, context: self.scope_context(within, at)? })
    }

    /// Compiles a text of a template.
    ///
    /// # Errors
    /// The first error, placed within `at`.
    pub fn text(&self, source: &str, at: Span, within: &SlotContext) -> Result<TextTemplate, FormulaError> {
        let context = self.scope_context(within, at)?;
        TextTemplate::compile(source, at, &ScopeView { symbols: &self.symbols, context: &context })
    }

    /// Compiles a formula of a template.
    ///
    /// # Errors
    /// The first error, placed within `at`.
    pub fn formula(&self, source: &str, at: Span, within: &SlotContext, want: &Type) -> Result<Formula, FormulaError> {
        let context = self.scope_context(within, at)?;
        Formula::compile(source, at, &ScopeView { symbols: &self.symbols, context: &context }, want)
    }

    fn scope_context(&self, within: &SlotContext, at: Span) -> Result<ScopeContext, FormulaError> {
        let unknown = |what: &str, id: &str, known: Vec<&str>| {
            let message = format!("unknown {what} `{}`", super::shorten(id));
            let help = super::suggest(id, known.iter().copied());
            FormulaError::of_kind(FormulaErrorKind::UnknownName, message, at).help(help)
        };
        let mut context = ScopeContext { in_template: true, ..ScopeContext::default() };
        if let Some((sections, id)) = within.named()
            && sections.iter().any(|section| self.is_removed(section, id))
        {
            return Ok(ScopeContext { it: ItKind::Removed, ..context });
        }
        context.it = match within {
            SlotContext::Ship => ItKind::Nothing,
            SlotContext::Grid => {
                context.locals = &[LocalVar::Across, LocalVar::Down];
                ItKind::Nothing
            }
            SlotContext::Mount => ItKind::Mount,
            SlotContext::Fit => ItKind::Fit(None),
            SlotContext::System => ItKind::System(None),
            SlotContext::Row(id) => {
                let field = self.symbols.fields.iter().position(|(known, _, _)| known == id);
                match (field, self.symbols.tables.iter().position(|table| table.id == *id)) {
                    (Some(field), _) => ItKind::Row(field),
                    (None, Some(table)) => ItKind::TableRow(table),
                    (None, None) => {
                        let known = self
                            .symbols
                            .fields
                            .iter()
                            .map(|(id, _, _)| &**id)
                            .chain(self.tables.iter().map(|t| &*t.id))
                            .collect();
                        return Err(unknown("rows field or table", id, known));
                    }
                }
            }
            SlotContext::Counter(id) => {
                let Some(counter) = self.counters.iter().find(|counter| counter.id == *id) else {
                    return Err(unknown("counter", id, self.counters.iter().map(|c| &*c.id).collect()));
                };
                context.group.clone_from(&counter.words);
                context.data = counter.data.iter().map(|(id, formula)| (id.clone(), formula.ty.clone())).collect();
                context.locals = &[LocalVar::Number];
                counter.for_each.as_ref().map_or(ItKind::Nothing, ItKind::of)
            }
            SlotContext::Track(id) | SlotContext::Box(id) => {
                let Some(track) = self.tracks.iter().find(|track| track.id == *id) else {
                    return Err(unknown("track", id, self.tracks.iter().map(|t| &*t.id).collect()));
                };
                if let SlotContext::Box(_) = within {
                    context.data = track.cell.iter().map(|(id, formula)| (id.clone(), formula.ty.clone())).collect();
                    context.locals = &[LocalVar::Box, LocalVar::Boxes];
                }
                ItKind::Track
            }
        };
        Ok(context)
    }
}
