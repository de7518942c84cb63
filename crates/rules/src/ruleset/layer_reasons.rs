//! Reasons of layers: takes what a design uses and the ruleset no longer allows, gives the layer and its reason for the
//! end of a message.

use std::collections::BTreeSet;

use moldloft_base::source::Span;

use super::call_table::CallKind;
use super::layers::{ChangeKind, LayerStatement, RulesetLayer, StatementIndex};
use super::model::Ruleset;
use super::problems::shorten;
use crate::formula::Value;

impl Ruleset {
    /// The statement of a layer that removed it. `parent`: the declaration that contained it.
    pub fn removal(&self, section: &str, id: &str, parent: Option<&str>) -> Option<&LayerStatement> {
        self.statements.iter().rev().find(|one| {
            one.kind == ChangeKind::Removed
                && *one.section == *section
                && *one.id == *id
                && one.parent.as_deref() == parent
                && one.span.file > 0
        })
    }

    /// `woh-club removed it ("nobody plays them")`; `None` if no layer removed it.
    pub fn removed_by(&self, section: &str, id: &str, parent: Option<&str>) -> Option<String> {
        let statement = self.removal(section, id, parent)?;
        let layer = self.layers.get(usize::from(statement.span.file) - 1)?;
        let reason = statement.reason.as_ref().map(|why| format!(" (\"{}\")", shorten(why))).unwrap_or_default();
        Some(format!("removed by {}{reason}", layer.id))
    }

    /// Declarations that went along with what they are about, which a layer removed.
    pub fn gone_along(&self, section: &str) -> Vec<&str> {
        let gone = self.symbols.removed.of(section).map(|id| &**id);
        gone.filter(|id| self.removed_by(section, id, None).is_none()).collect()
    }

    /// The tables looked up by a formula that layers removed.
    pub fn removed_tables(&self, formula: Span) -> impl Iterator<Item = &str> {
        let text = self.sources.get(usize::from(formula.file)).map_or("", |source| source.slice(formula));
        self.symbols.removed.tables_in(text).into_iter().filter(|id| self.is_removed("table", id))
    }

    /// Tables that layers removed, other than those with `odds = false`.
    pub fn removed_tables_of_odds(&self) -> impl Iterator<Item = &str> {
        let removed = self.symbols.removed.tables_of_odds.iter().map(|id| &**id);
        removed.filter(|id| self.removal("table", id, None).is_some() && self.is_removed("table", id))
    }

    /// The rows that layers removed from the tables that a formula looks up, or from those that these are made from: the table
    /// and the row.
    pub fn removed_rows(&self, formula: Span) -> Vec<(&str, &str)> {
        let removed = &self.symbols.removed;
        if removed.has_none("row") {
            return Vec::new();
        }
        let text = self.sources.get(usize::from(formula.file)).map_or("", |source| source.slice(formula));
        let looked_up = self.tables.iter().filter(|table| text.contains(&format!("'{}'", table.id)));
        let tables: BTreeSet<&str> = looked_up.flat_map(|table| self.symbols.sources_of(&table.id)).collect();
        let rows = |table| removed.within("row", table).map(move |row| (table, &**row));
        tables
            .into_iter()
            .flat_map(rows)
            .filter(|(table, row)| self.removal("row", row, Some(table)).is_some())
            .collect()
    }

    /// The message, followed by the tables that the formula looks up and that layers removed.
    pub fn with_removed_tables(&self, message: String, formula: Span) -> String {
        self.removed_tables(formula)
            .fold(message, |message, id| self.with_removal(format!("{message}: table {id}"), "table", id, None))
    }

    /// What a formula looks up and a layer removed, the first of it: the statement, and words for what is gone.
    pub fn first_removed(&self, formula: Span) -> Option<(&LayerStatement, String)> {
        if let Some(id) = self.removed_tables(formula).next() {
            let words = self.with_removal(format!("the table {id}"), "table", id, None);
            return Some((self.removal("table", id, None)?, words));
        }
        let rows = self.removed_rows(formula);
        let (table, row) = rows.first()?;
        Some((self.removal("row", row, Some(table))?, self.without_row(table, row)))
    }

    /// What else a formula names and a layer removed, as [`Ruleset::first_removed`].
    pub fn first_named_removed(&self, formula: Span) -> Option<(&LayerStatement, String)> {
        let text = self.sources.get(usize::from(formula.file))?.slice(formula);
        let mut removed = self.statements.iter().filter(|one| one.kind == ChangeKind::Removed && one.span.file > 0);
        let one = removed.find(|one| text.contains(&format!("'{}'", one.id)))?;
        let what = format!("the {} {}", one.section, one.id);
        Some((one, self.with_removal(what, &one.section, &one.id, one.parent.as_deref())))
    }

    /// Words for the row that a call looks up and a layer removed.
    pub fn lost_row(&self, call: u32, arguments: &[Value]) -> Option<String> {
        let CallKind::Row(table) = self.symbols.calls.get(call)?.kind else { return None };
        let row = arguments.iter().filter_map(Value::shown).collect::<Vec<_>>().join(" ");
        let mut tables = self.symbols.sources_of(&self.tables.get(table)?.id);
        let table = tables.find(|id| self.removal("row", &row, Some(id)).is_some())?;
        Some(self.without_row(table, &row))
    }

    /// `the table damage has no row laser: removed by club`
    pub fn without_row(&self, table: &str, row: &str) -> String {
        self.with_removal(format!("the table {table} has no row {row}"), "row", row, Some(table))
    }

    /// The message, followed by the layer that removed the id, if one did.
    pub fn with_removal(&self, message: String, section: &str, id: &str, parent: Option<&str>) -> String {
        match self.removed_by(section, id, parent) {
            Some(removed) => format!("{message}: {removed}"),
            None => message,
        }
    }
}

/// `woh-club: "nobody plays them"`: the layer that wrote the text at a place; `None` if it gives no reason.
pub fn layer_reason(
    index: &StatementIndex,
    statements: &[LayerStatement],
    layers: &[RulesetLayer],
    span: Span,
) -> Option<String> {
    let statement = index.smallest_at(statements, span)?;
    let layer = layers.get(usize::from(statement.span.file))?;
    Some(format!("{}: \"{}\"", layer.id, shorten(statement.reason.as_ref()?)))
}
