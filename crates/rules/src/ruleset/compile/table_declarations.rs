//! The first pass over tables: takes their TOML, gives columns, rows and keys without formulas, and fills the symbol
//! table.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::formula::{Formula, Host, Record, ResolvedName, Scope, Slot, Type, UnknownName, Value};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

use super::declarations::Declaration;
use super::formulas::common_type;
use super::{Compiler, label_from_id};
use crate::ruleset::layers::{former_cells, former_words};
use crate::ruleset::outputs::{BoxKind, TableColumn};
use crate::ruleset::problems::shorten;
use crate::ruleset::symbol_table::{TableSymbol, TypedName};
use crate::ruleset::table_reader::TableReader;

/// A row, and where its last written part is: in the layer that wrote it, if one did.
type PlacedRow = (Arc<Record>, Span);

/// A table whose names are known; its formulas are not compiled yet.
pub(super) struct TableDraft<'t, 'c, 'v> {
    pub id: Arc<str>,
    pub reader: &'v TableReader<'t, 'c>,
    pub columns: Vec<TableColumn>,
    /// The TOML of each column, for its cell formula.
    pub sources: Vec<Option<&'t TomlTable<'t>>>,
    pub rows: Vec<Arc<Record>>,
    /// By row.
    pub places: Vec<Span>,
    pub key: Vec<usize>,
    pub has_rows: bool,
    /// The table whose rows its own are made from.
    pub made_from: Option<usize>,
    /// Its `when` was asked of each of those rows.
    pub is_filtered: bool,
    pub unread_cells: Vec<(Arc<str>, Span)>,
}

impl Compiler<'_> {
    pub(super) fn declare_tables<'t, 'c, 'v>(
        &mut self,
        declarations: &'v [Declaration<'t, 'c>],
    ) -> Vec<TableDraft<'t, 'c, 'v>> {
        let mut drafts: Vec<TableDraft<'t, 'c, 'v>> = Vec::new();
        for (id, reader) in declarations {
            let hide = reader.texts("hide").unwrap_or_default();
            let hidden: BTreeSet<&Arc<str>> = hide.iter().map(|(id, _)| id).collect();
            let mut columns: Vec<TableColumn> = Vec::new();
            let mut seen: BTreeMap<Arc<str>, usize> = BTreeMap::new();
            let mut sources = Vec::new();
            for node in reader.list("columns").unwrap_or_default() {
                let plain = |id: Arc<str>| TableColumn {
                    label: label_from_id(&id),
                    id,
                    ty: Type::Any,
                    hidden: false,
                    boxes: None,
                    signed: false,
                    is_optional: false,
                    is_new: false,
                    spread: false,
                    cell: None,
                };
                let (mut column, span, source) = match &node.data {
                    TomlValue::Text(text) => (plain(text.as_ref().into()), node.span, None),
                    TomlValue::Table(table) => {
                        let one = reader.nested(table, "column");
                        let Some((id, span)) = one.required("id", one.text("id")) else { continue };
                        let mut column = plain(id);
                        column.label = one.string("label").unwrap_or(column.label);
                        column.hidden = one.flag("hide").unwrap_or(false);
                        let boxes = one.flag("boxes").unwrap_or(false);
                        let kind = one.one_of("kind", &BoxKind::ALL);
                        if kind.is_some() && !boxes {
                            let message = format!("column `{}` has a `kind` but no boxes", column.id);
                            let help = "add boxes = true, or remove `kind`";
                            reader.error("missing-key", span, message, help);
                        }
                        column.boxes = boxes.then(|| kind.unwrap_or_default());
                        column.signed = one.flag("signed").unwrap_or(false);
                        column.is_optional = one.flag("optional").unwrap_or(false);
                        column.spread = one.flag("spread").unwrap_or(false);
                        let _ = one.node("cell");
                        let _ = (one.node("read_if"), one.texts("formerly"));
                        one.report_unknown_keys();
                        (column, span, Some(table))
                    }
                    _ => {
                        reader.error("wrong-type", node.span, "expected an id or a table for a column", "");
                        continue;
                    }
                };
                column.is_new = span.file > reader.span().file;
                column.hidden |= hidden.contains(&column.id);
                if seen.contains_key(&column.id) {
                    reader.error("duplicate-id", span, format!("duplicate column `{}`", shorten(&column.id)), "");
                } else if self.check_id(&column.id, span, false) {
                    seen.insert(column.id.clone(), columns.len());
                    columns.push(column);
                    sources.push(source);
                }
            }
            let place = |word: &str, span: Span| {
                let found = seen.get(word).copied();
                if found.is_none() {
                    let help = self.problems.suggest(word, columns.iter().map(|column| &*column.id));
                    reader.error_without_label(
                        "unknown-column",
                        span,
                        format!("{} has no column `{}`", reader.label, shorten(word)),
                        help,
                    );
                }
                found
            };
            for (id, span) in &hide {
                place(id, *span);
            }
            let key: Vec<usize> =
                reader.texts("key").unwrap_or_default().iter().filter_map(|(id, span)| place(id, *span)).collect();
            let of = reader.table.text("for_each").filter(|_| !key.is_empty());
            let of = of.and_then(|word| drafts.iter().position(|known| *known.id == *word && known.has_rows));
            let made = of.and_then(|of| self.make_rows(&drafts[of], reader, &columns, &sources));
            let made_from = of.filter(|_| made.is_some());
            let has_rows = reader.table.get("rows").is_some() || made_from.is_some();
            let rows = match made {
                Some(rows) => self.change_made_rows(reader, &columns, &key, rows),
                None => self.parse_rows(reader, &columns, reader.list("rows").unwrap_or_default()),
            };
            let (mut rows, places): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            self.check_layer_cells(reader, &columns, &sources, &rows);
            let former = self.add_former_columns(&columns, &sources, &mut rows);
            let mut is_filtered = false;
            if let Some(of) = made_from {
                sources.fill(None);
                is_filtered = self.made_when(reader, &self.row_scope(&drafts[of])).is_some();
            }
            for (n, column) in columns.iter_mut().enumerate() {
                column.ty = common_type(rows.iter().map(|row| &row.entries[n].1));
            }
            let typed = columns.iter().map(|column| (column.id.clone(), column.ty.clone()));
            let typed: Vec<TypedName> = typed.chain(former).collect();
            let keys: Vec<Vec<Value>> =
                rows.iter().map(|row| key.iter().map(|&n| row.entries[n].1.clone()).collect()).collect();
            let mut seen = HashMap::new();
            for (n, words) in keys.iter().enumerate().filter(|_| !key.is_empty()) {
                if let Some(first) = seen.insert(words, places[n]) {
                    // The later one, but the layer's if just one of the two is.
                    let at = if first.file > places[n].file { first } else { places[n] };
                    let message = format!("row {} has a duplicate key", n + 1);
                    reader.error("duplicate-id", at, message, "");
                }
            }
            let unread_cells = match self.with_attacks {
                true => self.unread_cells(reader, &columns, &sources, &rows),
                false => Vec::new(),
            };
            self.symbols.tables.push(TableSymbol {
                id: id.clone(),
                former: reader.texts("formerly").into_iter().flatten().map(|(word, _)| word).collect(),
                made_from: made_from.map(|of| drafts[of].id.clone()),
                record: Type::Record(typed.clone().into()),
                columns: if has_rows { typed } else { Vec::new() },
                key: key.clone(),
                keys,
            });
            drafts.push(TableDraft {
                id: id.clone(),
                reader,
                columns,
                sources,
                rows,
                places,
                key,
                has_rows,
                made_from,
                is_filtered,
                unread_cells,
            });
        }
        drafts
    }

    /// The rows of a table with `for_each = TABLE` and a key: each cell computed from a row of the other. `None` where a cell reads more than that row:
    /// then it is worked out for each ship.
    fn make_rows(
        &self,
        of: &TableDraft<'_, '_, '_>,
        reader: &TableReader<'_, '_>,
        columns: &[TableColumn],
        sources: &[Option<&TomlTable<'_>>],
    ) -> Option<Vec<PlacedRow>> {
        let scope = self.row_scope(of);
        let what = format_args!("{}: `cell`", reader.label);
        let cells = sources.iter().map(|source| {
            let node = source.as_ref()?.get("cell")?;
            match &node.data {
                TomlValue::Text(text) => Formula::compile(text, self.inner_span(node.span), &scope, &Type::Any).ok(),
                _ => Some(Formula::constant(self.literal_value(&what, node)?, node.span)),
            }
        });
        let cells: Vec<Formula> = cells.collect::<Option<_>>()?;
        let when = self.made_when(reader, &scope);
        let is_there = |(row, _): &(&Arc<Record>, &Span)| match &when {
            Some(when) => when.eval(&RowHost(row)).is_ok_and(|value| value.as_bool() == Some(true)),
            None => true,
        };
        let rows = of.rows.iter().zip(&of.places).filter(is_there).map(|(row, at)| {
            let values = cells.iter().map(|cell| match cell.eval(&RowHost(row)) {
                Ok(value) => value,
                // What it was read from is not there.
                Err(_) if cell.reads().any(|slot| slot as usize >= of.columns.len()) => Value::Null,
                Err(error) => {
                    self.problems.add_formula_error(error);
                    Value::Null
                }
            });
            let entries = columns.iter().map(|column| column.id.clone()).zip(values).collect();
            (Arc::new(Record { entries }), *at)
        });
        Some(rows.collect())
    }

    /// Reports cells that a layer wrote in a table that formulas look up, of another type than all those below: no formula could use them.
    fn check_layer_cells(
        &self,
        reader: &TableReader<'_, '_>,
        columns: &[TableColumn],
        sources: &[Option<&TomlTable<'_>>],
        rows: &[Arc<Record>],
    ) {
        let nodes = reader.list("rows").unwrap_or_default();
        let is_own = |span: Span| span.file <= reader.span().file;
        let mut written = nodes.iter().filter_map(TomlNode::as_list).flatten();
        if self.layers.len() == 1 || nodes.len() != rows.len() || written.all(|cell| is_own(cell.span)) {
            return;
        }
        let looked_up = format!("('{}'", reader.table.text("id").unwrap_or_default());
        if !self.sources.iter().any(|source| source.text.contains(&looked_up)) {
            return;
        }
        for (place, (column, source)) in columns.iter().zip(sources).enumerate() {
            let cells = || {
                nodes
                    .iter()
                    .zip(rows)
                    .filter_map(|(node, row)| Some((node.as_list()?.get(place)?.span, &row.entries.get(place)?.1)))
            };
            let known = common_type(cells().filter(|(span, _)| is_own(*span)).map(|(_, value)| value));
            if known == Type::Any || source.is_some_and(|source| source.get("read_if").is_some()) {
                continue;
            }
            for (span, value) in cells().filter(|(span, _)| !is_own(*span)) {
                let found = common_type(std::iter::once(value));
                let is_number_as_text = matches!((&known, &found), (Type::Text(_), Type::Int));
                let is_empty = matches!(value, Value::List(list) if list.is_empty());
                if found != known && !is_number_as_text && !is_empty {
                    let message =
                        format!("expected {} for `{}`, found {}", known.describe(), column.id, found.describe());
                    reader.error("wrong-type", span, message, "write it as the other rows have it");
                }
            }
        }
    }

    /// Puts what columns said that those of today have taken over behind these: formulas of older layers read it.
    fn add_former_columns(
        &self,
        columns: &[TableColumn],
        sources: &[Option<&TomlTable<'_>>],
        rows: &mut [Arc<Record>],
    ) -> Vec<TypedName> {
        let mut added = Vec::new();
        let of_layers = sources.iter().enumerate().filter(|_| self.layers.len() > 1);
        for (place, former) in of_layers.filter_map(|(place, source)| Some((place, former_words((*source)?)))) {
            let cells = rows.iter().map(|row| former_cells(&row.entries[place].1, former.len()));
            let cells: Vec<Vec<Value>> = cells.collect();
            for (n, word) in former.iter().enumerate() {
                if columns.iter().any(|column| *column.id == **word) {
                    continue;
                }
                let id: Arc<str> = (*word).into();
                added.push((id.clone(), common_type(cells.iter().map(|cells| &cells[n]))));
                for (row, cells) in rows.iter_mut().zip(&cells) {
                    Arc::make_mut(row).entries.push((id.clone(), cells[n].clone()));
                }
            }
        }
        added
    }

    /// The cells for which `read_if` of their column fails, which concerns attacks.
    fn unread_cells(
        &self,
        reader: &TableReader<'_, '_>,
        columns: &[TableColumn],
        sources: &[Option<&TomlTable<'_>>],
        rows: &[Arc<Record>],
    ) -> Vec<(Arc<str>, Span)> {
        let nodes = reader.list("rows").unwrap_or_default();
        let gone = self.symbols.removed.within("column", reader.table.text("id").unwrap_or_default()).collect();
        let untyped: Vec<TableColumn> =
            columns.iter().map(|column| TableColumn { ty: Type::Any, ..column.clone() }).collect();
        let scope = RowScope { columns: &untyped, gone };
        let mut unread = Vec::new();
        for (place, source) in sources.iter().enumerate() {
            let Some(node) = source.and_then(|source| source.get("read_if")) else { continue };
            let text = node.as_text().unwrap_or_default();
            let formula = match Formula::compile(text, self.inner_span(node.span), &scope, &Type::Flag) {
                Ok(formula) => formula,
                Err(error) => {
                    self.problems.add_formula_error(error);
                    continue;
                }
            };
            for (row, node) in rows.iter().zip(nodes) {
                if formula.eval(&RowHost(row)).is_ok_and(|value| value.as_bool() == Some(true)) {
                    continue;
                }
                let span = if let TomlValue::List(cells) = &node.data { cells.get(place) } else { None };
                let shown = row.entries[place].1.shown().unwrap_or_default();
                unread.push((shown.into(), span.map_or(node.span, |cell| cell.span)));
            }
        }
        unread
    }

    fn row_scope<'d>(&'d self, of: &'d TableDraft<'_, '_, '_>) -> RowScope<'d> {
        RowScope { columns: &of.columns, gone: self.symbols.removed.within("column", &of.id).collect() }
    }

    /// `when` of a table whose rows are made, if it reads only the row that each is made from.
    fn made_when(&self, reader: &TableReader<'_, '_>, scope: &RowScope<'_>) -> Option<Formula> {
        let node = reader.table.get("when").filter(|node| node.as_text().is_some_and(|text| text.contains("it.")))?;
        Formula::compile(node.as_text()?, self.inner_span(node.span), scope, &Type::Flag).ok()
    }

    /// What `rows` says differs from the rows that were made: whole rows, or cells by a row's key.
    fn change_made_rows(
        &self,
        reader: &TableReader<'_, '_>,
        columns: &[TableColumn],
        key: &[usize],
        mut rows: Vec<PlacedRow>,
    ) -> Vec<PlacedRow> {
        let words = |row: &Record| {
            let words = key.iter().map(|&n| row.entries[n].1.shown().unwrap_or_default());
            words.collect::<Vec<_>>().join(" ")
        };
        for node in reader.list("rows").unwrap_or_default() {
            let TomlValue::Table(changes) = &node.data else {
                for row in self.parse_rows(reader, columns, std::slice::from_ref(node)) {
                    match rows.iter_mut().find(|(known, _)| words(known) == words(&row.0)) {
                        Some(known) => *known = row,
                        None => rows.push(row),
                    }
                }
                continue;
            };
            for change in &changes.entries {
                // What was skipped of a row may be all of it; an error is at the first statement of what is left.
                let first = match change.node.as_table() {
                    Some(cells) => cells.entries.first().map(|cell| cell.span),
                    None => Some(change.span),
                };
                let Some(first) = first else { continue };
                let Some(place) = rows.iter().position(|(row, _)| words(row) == change.key) else {
                    let known: Vec<String> = rows.iter().map(|(row, _)| words(row)).collect();
                    let help = self.problems.suggest(&change.key, known.iter().map(String::as_str));
                    let message = format!("{} has no row `{}`", reader.label, shorten(&change.key));
                    reader.error("unknown-row", first, message, help);
                    continue;
                };
                let change = change.node.as_table();
                let is_removed = |node: &TomlNode<'_>| matches!(node.data, TomlValue::Flag(true));
                if change.is_some_and(|change| change.get("remove").is_some_and(is_removed)) {
                    rows.remove(place);
                    continue;
                }
                let mut cells = rows[place].0.entries.to_vec();
                let cells_written = change.into_iter().flat_map(|table| &table.entries);
                for cell in cells_written.filter(|cell| cell.key != "remove") {
                    let Some(n) = columns.iter().position(|column| *column.id == *cell.key) else {
                        let help = self.problems.suggest(&cell.key, columns.iter().map(|column| &*column.id));
                        let message = format!("{} has no column `{}`", reader.label, shorten(&cell.key));
                        reader.error("unknown-column", cell.span, message, help);
                        continue;
                    };
                    if let Some(value) = self.literal_value(&reader.label, &cell.node) {
                        cells[n].1 = value;
                    }
                }
                rows[place].0 = Arc::new(Record { entries: cells });
            }
        }
        rows
    }

    fn parse_rows(
        &self,
        reader: &TableReader<'_, '_>,
        columns: &[TableColumn],
        nodes: &[TomlNode<'_>],
    ) -> Vec<PlacedRow> {
        let mut rows = Vec::new();
        for node in nodes {
            let TomlValue::List(cells) = &node.data else {
                reader.error("wrong-type", node.span, "expected a list of cells for a row", "");
                continue;
            };
            if cells.len() != columns.len() {
                let s = if columns.len() == 1 { "" } else { "s" };
                let message = format!("expected {} cell{s} in a row, found {}", columns.len(), cells.len());
                reader.error("wrong-row", node.span, message, "");
                continue;
            }
            let values: Option<Vec<_>> = cells.iter().map(|cell| self.literal_value(&reader.label, cell)).collect();
            if let Some(values) = values {
                let entries = columns.iter().map(|column| column.id.clone()).zip(values).collect();
                let parts = std::iter::once(node).chain(cells).map(|part| part.span);
                let at = parts.rev().max_by_key(|part| part.file).unwrap_or(node.span);
                rows.push((Arc::new(Record { entries }), at));
            }
        }
        rows
    }
}

/// The columns of a row as `it.COLUMN`, and nothing else.
struct RowScope<'c> {
    columns: &'c [TableColumn],
    /// Columns that layers removed: null, read from where none is.
    gone: Vec<&'c Arc<str>>,
}

impl Scope for RowScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        let word = path.get(1).filter(|_| path.first() == Some(&"it"));
        let find = |word: &&str| {
            let found = self.columns.iter().position(|column| *column.id == **word);
            let gone = self.gone.iter().any(|column| ***column == **word).then_some(Slot::MAX as usize);
            let place = found.or(gone)?;
            let ty = self.columns.get(place).map_or(Type::Any, |column| column.ty.clone());
            Some((Slot::try_from(place).ok()?, ty))
        };
        let (slot, ty) = word.and_then(find).ok_or(UnknownName { word_index: 0, help: None })?;
        Ok(ResolvedName { word_count: 2, slot, ty })
    }
}

struct RowHost<'r>(&'r Record);

impl Host for RowHost<'_> {
    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        self.0.entries.get(slot as usize).map(|(_, value)| value)
    }
}
