//! A ruleset as tables for reading and changing: takes the sources of a ruleset with its layers, gives a grid for each
//! section, each list of options and each table, with every cell's text, the text below the last layer, and the path at
//! which that layer changes it. Never compiles and never changes a text.

mod collect;
mod marks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::source::{PathStep, Source, Span};

use super::formula_index::merged_tree;
use super::grammar::declared_section;
use super::layers::softenable_codes;
use super::model::Provenance;
use collect::{RawGrid, RawRow};
use marks::LayerTree;

/// The tables of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    pub grids: Vec<RuleGrid>,
}

/// Which table: a section, or what is under one key of a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GridId {
    /// `system`
    pub section: Arc<str>,
    /// `nation`, and the key: `options`, `rows`, `parameters`; `None` for a whole section.
    pub part: Option<(Arc<str>, Arc<str>)>,
}

#[derive(Clone, Debug)]
pub struct RuleGrid {
    pub id: GridId,
    /// The declaration's name for players; empty for a whole section.
    pub title: String,
    pub columns: Vec<GridColumn>,
    pub rows: Vec<GridRow>,
}

#[derive(Clone, Debug)]
pub struct GridColumn {
    pub key: Arc<str>,
    pub label: String,
    /// `points`; empty for none.
    pub unit: String,
    pub kind: CellKind,
    /// What the key is for; empty for the author's own keys.
    pub about: &'static str,
}

/// What a cell holds, for its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    Integer,
    Flag,
    Text,
    /// Text with `{{ formula }}`.
    Template,
    /// A formula or a literal; what it gives.
    Formula(&'static str),
    /// A number, flag or text.
    Literal,
    Choice(&'static [&'static str]),
    /// Texts, separated by commas.
    Words,
    /// Any value, as in the file.
    Toml,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowState {
    /// As in the rules below.
    #[default]
    Below,
    /// The last layer changes some of it.
    Changed,
    /// The last layer adds it.
    Added,
    /// The last layer removes it.
    Removed,
}

#[derive(Clone, Debug, Default)]
pub struct GridRow {
    /// The id, the words of a row's key, or a number.
    pub key: Arc<str>,
    /// For players.
    pub label: String,
    pub state: RowState,
    /// Where the last layer changes it, or has it.
    pub path: Vec<PathStep>,
    /// The last layer's reason for its changes.
    pub reason: Option<String>,
    /// One for each column.
    pub cells: Vec<RuleCell>,
}

#[derive(Clone, Debug, Default)]
pub struct RuleCell {
    /// As written; `None` if it is not set.
    pub text: Option<Arc<str>>,
    /// With `base` put in, if that differs.
    pub in_full: Option<Arc<str>>,
    /// In the rules below the last layer.
    pub below: Option<Arc<str>>,
    /// In the ruleset that extends none.
    pub base: Option<Arc<str>>,
    /// Whether the last layer sets it.
    pub is_set: bool,
    /// Whether the text is a value that can be typed, not a table or a list of tables.
    pub is_plain: bool,
    /// Where it is written: the number of the source and the place in it.
    pub span: Option<Span>,
    pub provenance: Vec<(Provenance, String)>,
}

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

impl RuleGrid {
    pub fn column(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| *column.key == *key)
    }

    pub fn row(&self, key: &str) -> Option<&GridRow> {
        self.rows.iter().find(|row| *row.key == *key)
    }
}

impl GridRow {
    /// Where the last layer sets a cell of this row.
    pub fn cell_path(&self, column: &str, number: usize) -> Vec<PathStep> {
        match self.path.last() {
            // A row that the layer adds is a list of cells.
            Some(PathStep::Nth(_)) if self.path.iter().any(|step| *step == PathStep::Key("rows".into())) => {
                self.path.iter().cloned().chain([PathStep::Nth(number)]).collect()
            }
            _ => with_step(&self.path, column),
        }
    }
}

fn with_step(path: &[PathStep], key: &str) -> Vec<PathStep> {
    path.iter().cloned().chain([PathStep::Key(key.to_owned())]).collect()
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

/// The key that names a declaration of a section: `id` or `code`.
pub fn declaration_key(section: &str) -> &'static str {
    declared_section(section).map_or("id", |section| section.id().name)
}

#[cfg(test)]
mod tests;
