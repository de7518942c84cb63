//! A ruleset as tables for reading and changing: takes the sources of a ruleset with its layers, gives a grid for each
//! section, each list of options and each table, with every cell's text, the text below the last layer, and the path at
//! which that layer changes it. Never compiles and never changes a text.

mod collect;
mod form;
mod marks;
mod model;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::source::{PathStep, Source};

use super::formula_index::merged_tree;
use super::layers::softenable_codes;
use collect::{RawGrid, RawRow};
use marks::LayerTree;
use model::with_step;

pub use form::{FormColumn, form_columns};
pub use model::{CellKind, GridColumn, GridId, GridRow, RowState, RuleBook, RuleCell, RuleGrid, declaration_key};

impl RuleBook {
    /// The tables of merged sources, the first of which extends none. `layer`: the last source changes the others.
    pub fn new(sources: &[Source], layer: bool) -> Self {
        let Some((own, below)) = sources.split_last() else { return Self::default() };
        let now = merged_tree(sources);
        let mut grids = collect::grids(&now, sources);
        let raw_below = if layer { collect::grids(&merged_tree(below), sources) } else { Vec::new() };
        let raw_base =
            if layer && below.len() > 1 { collect::grids(&merged_tree(&below[..1]), sources) } else { Vec::new() };
        let marks = LayerTree::new(if layer { &own.text } else { "" }, sources.len() - 1);
        if layer {
            add_missing_rows(&mut grids, &raw_below);
        }
        let (old, first) = (index_rows(&raw_below), index_rows(&raw_base));
        let first = if raw_base.is_empty() { &old } else { &first };
        let mut book = Self { grids: grids.into_iter().map(|grid| finish_grid(grid, &marks, &old, first)).collect() };
        book.add_built_in_checks(&marks);
        book
    }

    pub fn grid(&self, id: &GridId) -> Option<&RuleGrid> {
        self.grids.iter().find(|grid| grid.id == *id)
    }

    /// Built-in findings, whose severity layers may change, after the game's checks.
    fn add_built_in_checks(&mut self, marks: &LayerTree<'_>) {
        let Some(grid) = self.grids.iter_mut().find(|grid| &*grid.id.section == "check" && grid.id.part.is_none())
        else {
            return;
        };
        let known: BTreeSet<Arc<str>> = grid.rows.iter().map(|row| row.key.clone()).collect();
        for code in softenable_codes().into_iter().filter(|code| !known.contains(*code)) {
            let path: Vec<PathStep> = ["change", "check", code].into_iter().map(PathStep::from).collect();
            let mut row = GridRow {
                key: code.into(),
                label: format!("{} (built-in)", code.replace('-', " ")),
                reason: marks.reason(&path),
                path,
                ..GridRow::default()
            };
            for column in &grid.columns {
                let path = with_step(&row.path, &column.key);
                let text = (&*column.key == "severity").then(|| marks.text(&path)).flatten();
                let is_set = text.is_some();
                if is_set {
                    row.state = RowState::Changed;
                }
                let is_plain = &*column.key == "severity";
                row.cells.push(RuleCell { text, is_set, is_plain, span: marks.span(&path), ..RuleCell::default() });
            }
            grid.rows.push(row);
        }
    }
}

type RowIndex<'g> = BTreeMap<(&'g GridId, &'g str), &'g RawRow>;

fn index_rows(grids: &[RawGrid]) -> RowIndex<'_> {
    grids.iter().flat_map(|grid| grid.rows.iter().map(move |row| ((&grid.id, &*row.key), row))).collect()
}

/// Rows that are only in the rules below: the layer removes them.
fn add_missing_rows(grids: &mut [RawGrid], below: &[RawGrid]) {
    for grid in grids {
        let Some(old) = below.iter().find(|old| old.id == grid.id) else { continue };
        // Rows without a key are known by their number only.
        if old.is_numbered {
            continue;
        }
        let known: BTreeSet<Arc<str>> = grid.rows.iter().map(|row| row.key.clone()).collect();
        for (at, row) in old.rows.iter().enumerate().filter(|(_, row)| !known.contains(&row.key)) {
            let mut gone = row.clone();
            gone.is_gone = true;
            grid.rows.insert(at.min(grid.rows.len()), gone);
        }
    }
}

fn finish_grid(grid: RawGrid, marks: &LayerTree<'_>, below: &RowIndex<'_>, base: &RowIndex<'_>) -> RuleGrid {
    let RawGrid { id, title, columns, rows, .. } = grid;
    let rows = rows
        .into_iter()
        .enumerate()
        .map(|(at, raw)| {
            let old = below.get(&(&id, &*raw.key)).copied();
            let first = base.get(&(&id, &*raw.key)).copied();
            let path = marks.row_path(&id, &raw, at);
            let mut row = GridRow {
                key: raw.key.clone(),
                label: raw.label.clone(),
                reason: marks.reason(&path),
                path,
                ..GridRow::default()
            };
            let is_own = marks.is_own(raw.span) && old.is_none();
            for (number, column) in columns.iter().enumerate() {
                let path = row.cell_path(&column.key, number);
                let now = raw.cells.get(&column.key);
                let written = if raw.is_gone { None } else { marks.text(&path) };
                let is_set = written.is_some() && !is_own;
                let text = written.or_else(|| now.map(|cell| cell.text.clone()));
                let in_full = now.map(|cell| cell.text.clone()).filter(|full| is_set && Some(full) != text.as_ref());
                row.cells.push(RuleCell {
                    in_full,
                    below: old.and_then(|old| old.cells.get(&column.key)).map(|cell| cell.text.clone()),
                    base: first.and_then(|first| first.cells.get(&column.key)).map(|cell| cell.text.clone()),
                    is_set,
                    is_plain: now.is_none_or(|cell| cell.is_plain),
                    span: marks.span(&path).or(now.map(|cell| cell.span)),
                    provenance: raw.provenance.get(&column.key).cloned().unwrap_or_default(),
                    text,
                });
            }
            row.state = match () {
                () if raw.is_gone => RowState::Removed,
                () if is_own => RowState::Added,
                () if row.cells.iter().any(|cell| cell.is_set) => RowState::Changed,
                () => RowState::Below,
            };
            row
        })
        .collect();
    RuleGrid { id, title, columns, rows }
}

#[cfg(test)]
mod tests;
