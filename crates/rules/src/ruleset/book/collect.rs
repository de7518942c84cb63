//! Takes a merged tree apart: each section, and each table within a declaration, becomes a grid of texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::sanitize::id_as_words;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};
use moldloft_base::source::{Source, Span};

use super::model::{CellKind, GridColumn, GridId};
use crate::ruleset::grammar::{KeyType, PROVENANCE, SECTIONS, SectionSpec, is_provenance_key, section};
use crate::ruleset::layers::{row_key, table_columns};
use crate::ruleset::model::Provenance;

pub(super) struct RawGrid {
    pub id: GridId,
    pub title: String,
    pub columns: Vec<GridColumn>,
    pub rows: Vec<RawRow>,
    /// Its rows are known by their numbers.
    pub is_numbered: bool,
}

#[derive(Clone, Default)]
pub(super) struct RawRow {
    pub key: Arc<str>,
    pub label: String,
    pub span: Span,
    pub cells: BTreeMap<Arc<str>, RawCell>,
    pub provenance: BTreeMap<Arc<str>, Vec<(Provenance, String)>>,
    /// Only the rules below have it.
    pub is_gone: bool,
    /// Its key is a column: the value of a name.
    pub is_key_only: bool,
}

#[derive(Clone)]
pub(super) struct RawCell {
    pub text: Arc<str>,
    pub is_plain: bool,
    pub span: Span,
}

/// The most characters of a cell that is no plain value.
const MAX_SUMMARY_CHARS: usize = 200;

/// The text of a value, and whether it is plain: no table and no list of tables or lists.
pub(super) fn node_text(node: &TomlNode<'_>, source: &str) -> (Arc<str>, bool) {
    let text = match &node.data {
        TomlValue::Int(number) => number.to_string(),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::Text(text) => text.to_string(),
        TomlValue::Float(text) => text.to_string(),
        TomlValue::Date(text) => text.clone(),
        TomlValue::List(list) if list.iter().all(|item| item.as_text().is_some_and(|text| !text.contains(','))) => {
            list.iter().filter_map(TomlNode::as_text).collect::<Vec<_>>().join(", ")
        }
        TomlValue::List(_) | TomlValue::Table(_) => {
            let slice = source.get(node.span.start as usize..node.span.end as usize).unwrap_or_default();
            let is_flat = matches!(&node.data, TomlValue::List(list) if list.iter().all(|item| item.as_list().is_none() && item.as_table().is_none()));
            return (slice.chars().take(MAX_SUMMARY_CHARS).collect::<String>().into(), is_flat);
        }
    };
    (text.into(), true)
}

struct Collector<'s> {
    sources: &'s [Source],
    units: BTreeMap<String, (String, CellKind)>,
    order: Vec<String>,
    grids: Vec<RawGrid>,
}

pub(super) fn grids(root: &TomlTable<'_>, sources: &[Source]) -> Vec<RawGrid> {
    let attributes = root.table("attributes").map(|table| &table.entries[..]).unwrap_or_default();
    let units = attributes.iter().map(|entry| (entry.key.to_string(), attribute(&entry.node))).collect();
    let order = attributes.iter().map(|entry| entry.key.to_string()).collect();
    let mut collector = Collector { sources, units, order, grids: Vec::new() };
    for spec in SECTIONS {
        collector.section(spec, root.list(spec.name));
    }
    collector.grids
}

/// The unit and the kind of an attribute.
fn attribute(node: &TomlNode<'_>) -> (String, CellKind) {
    let table = node.as_table();
    let unit = table.and_then(|table| table.text("unit")).unwrap_or_default();
    let default = table.map_or(Some(node), |table| table.get("default"));
    let kind = match (table.and_then(|table| table.text("type")), default.map(|node| &node.data)) {
        (Some("text"), _) | (None, Some(TomlValue::Text(_))) => CellKind::Text,
        (Some("flag"), _) | (None, Some(TomlValue::Flag(_))) => CellKind::Formula("true or false"),
        (Some("list"), _) | (None, Some(TomlValue::List(_))) => CellKind::Formula("a list"),
        _ => CellKind::Formula("a whole number"),
    };
    (unit.to_owned(), kind)
}

/// Keys that say where a declaration comes from or goes, and nothing about a ship.
fn is_shown(key: &str) -> bool {
    !is_provenance_key(key) && !["after", "reason"].contains(&key)
}

impl Collector<'_> {
    fn source(&self, span: Span) -> &str {
        self.sources.get(usize::from(span.file)).map_or("", |source| &source.text)
    }

    fn cell(&self, node: &TomlNode<'_>) -> RawCell {
        let (text, is_plain) = node_text(node, self.source(node.span));
        RawCell { text, is_plain, span: node.span }
    }

    fn section(&mut self, spec: &'static SectionSpec, declarations: &[TomlNode<'_>]) {
        let id_key = spec.id().name;
        let main = self.grids.len();
        let id = GridId { section: spec.name.into(), part: None };
        let grid = RawGrid { id, title: String::new(), columns: Vec::new(), rows: Vec::new(), is_numbered: false };
        self.grids.push(grid);
        let mut columns: Vec<Arc<str>> = Vec::new();
        for (n, node) in declarations.iter().enumerate() {
            let Some(table) = node.as_table() else { continue };
            let known = table.text(id_key).map(Arc::from);
            // A cost line without an id is known by its number.
            let Some(key) = known.or_else(|| (spec.name == "cost").then(|| Arc::from((n + 1).to_string()))) else {
                continue;
            };
            let mut row = RawRow { key, span: node.span, provenance: provenance(table), ..RawRow::default() };
            row.label = label(table, &row.key);
            for entry in table.entries.iter().filter(|entry| entry.key != id_key && is_shown(&entry.key)) {
                if self.part(spec, &row, &entry.key, &entry.node, table) {
                    continue;
                }
                let key: Arc<str> = (&*entry.key).into();
                if !columns.contains(&key) {
                    columns.push(key.clone());
                }
                row.cells.insert(key, self.cell(&entry.node));
            }
            self.grids[main].rows.push(row);
        }
        let place = |key: &Arc<str>| {
            let known = spec.keys.iter().position(|known| *known.name == **key);
            let attribute = self.order.iter().position(|known| **known == **key);
            match (&**key, known, attribute) {
                ("abbr" | "severity" | "formula", at, _) => (0, at.unwrap_or(0)),
                (_, _, Some(at)) => (1, at),
                ("rule", ..) => (4, 0),
                (_, Some(at), _) => (2, at),
                (_, None, None) => (3, 0),
            }
        };
        columns.sort_by_key(place);
        let columns = columns.into_iter().map(|key| self.column(Some(spec), key)).collect();
        self.grids[main].columns = columns;
    }

    fn column(&self, spec: Option<&'static SectionSpec>, key: Arc<str>) -> GridColumn {
        let known = spec.and_then(|spec| spec.key(&key));
        let attribute = self.units.get(&*key).filter(|_| spec.is_none_or(|spec| spec.name == "system"));
        let (kind, about) = match (known, attribute) {
            (Some(known), _) => (kind_of(known.holds), known.about),
            (None, Some((_, kind))) => (*kind, ""),
            _ => (CellKind::Literal, ""),
        };
        let unit = attribute.map(|(unit, _)| unit.clone()).unwrap_or_default();
        GridColumn { label: key.replace('_', " "), key, unit, kind, about }
    }

    /// Makes a grid of a table under a key of a declaration; false if it is a cell.
    fn part(
        &mut self,
        spec: &'static SectionSpec,
        row: &RawRow,
        key: &str,
        node: &TomlNode<'_>,
        declaration: &TomlTable<'_>,
    ) -> bool {
        let Some(known) = spec.key(key) else { return false };
        let id = GridId { section: spec.name.into(), part: Some((row.key.clone(), key.into())) };
        let mut grid =
            RawGrid { id, title: row.label.clone(), columns: Vec::new(), rows: Vec::new(), is_numbered: false };
        match (known.holds, &node.data) {
            (KeyType::TablesById(nested), TomlValue::Table(items)) => {
                self.named_tables(&mut grid, section(nested), items);
            }
            (KeyType::Rows, TomlValue::List(rows)) => self.table_rows(&mut grid, rows, declaration),
            (KeyType::FormulaTable, TomlValue::Table(names)) => {
                self.names(&mut grid, names, |_| CellKind::Formula("any value"));
            }
            (KeyType::IntegersByName, TomlValue::Table(names)) => self.names(&mut grid, names, |_| CellKind::Integer),
            (KeyType::TableOf(nested) | KeyType::ChoiceOrTable(_, nested), TomlValue::Table(names)) => {
                let nested = section(nested);
                self.names(&mut grid, names, |key| {
                    nested.and_then(|nested| nested.key(key)).map_or(CellKind::Literal, |key| kind_of(key.holds))
                });
            }
            _ => return false,
        }
        self.grids.push(grid);
        true
    }

    fn named_tables(&self, grid: &mut RawGrid, nested: Option<&'static SectionSpec>, items: &TomlTable<'_>) {
        let mut columns: Vec<Arc<str>> = Vec::new();
        for item in &items.entries {
            let mut row = RawRow { key: (&*item.key).into(), span: item.node.span, ..RawRow::default() };
            if let Some(table) = item.node.as_table() {
                row.label = label(table, &row.key);
                row.provenance = provenance(table);
                for entry in table.entries.iter().filter(|entry| is_shown(&entry.key)) {
                    let key: Arc<str> = (&*entry.key).into();
                    if !columns.contains(&key) {
                        columns.push(key.clone());
                    }
                    row.cells.insert(key, self.cell(&entry.node));
                }
            }
            grid.rows.push(row);
        }
        grid.columns = columns.into_iter().map(|key| self.column(nested, key)).collect();
    }

    fn names(&self, grid: &mut RawGrid, names: &TomlTable<'_>, kind: impl Fn(&str) -> CellKind) {
        for entry in names.entries.iter().filter(|entry| is_shown(&entry.key)) {
            let key: Arc<str> = (&*entry.key).into();
            let column = GridColumn {
                key: key.clone(),
                label: key.replace('_', " "),
                unit: String::new(),
                kind: kind(&key),
                about: "",
            };
            grid.columns.push(column);
            if grid.rows.is_empty() {
                let (key, label) = (grid.id.part.as_ref().map(|(entry, _)| entry.clone()), grid.title.clone());
                let key = key.unwrap_or_default();
                grid.rows.push(RawRow { key, label, span: names.span, is_key_only: true, ..RawRow::default() });
            }
            grid.rows[0].cells.insert(key, self.cell(&entry.node));
        }
    }

    fn table_rows(&self, grid: &mut RawGrid, rows: &[TomlNode<'_>], declaration: &TomlTable<'_>) {
        let columns = table_columns(declaration);
        let is_keyed = columns.iter().any(|(_, key)| *key);
        grid.is_numbered = !is_keyed;
        let marks = provenance(declaration).remove("rows").unwrap_or_default();
        for (n, node) in rows.iter().enumerate() {
            let key = if is_keyed { row_key(node, &columns) } else { (n + 1).to_string() };
            let mut row = RawRow { key: key.as_str().into(), label: key, span: node.span, ..RawRow::default() };
            for ((column, _), cell) in columns.iter().zip(node.as_list().unwrap_or_default()) {
                let column: Arc<str> = column.as_str().into();
                if !marks.is_empty() {
                    row.provenance.insert(column.clone(), marks.clone());
                }
                row.cells.insert(column, self.cell(cell));
            }
            grid.rows.push(row);
        }
        grid.columns = columns
            .into_iter()
            .map(|(key, _)| GridColumn {
                label: key.replace('_', " "),
                key: key.into(),
                unit: String::new(),
                kind: CellKind::Literal,
                about: "",
            })
            .collect();
    }
}

fn label(table: &TomlTable<'_>, key: &str) -> String {
    let named = table.text("label").or_else(|| table.text("name")).filter(|text| !text.contains("{{"));
    named.map_or_else(|| id_as_words(key), str::to_owned)
}

/// The reasons of a declaration's keys: `assumed = { points = "why" }`.
fn provenance(table: &TomlTable<'_>) -> BTreeMap<Arc<str>, Vec<(Provenance, String)>> {
    let mut all: BTreeMap<Arc<str>, Vec<(Provenance, String)>> = BTreeMap::new();
    for (word, provenance, _) in PROVENANCE {
        for entry in table.table(word).map(|marks| &marks.entries[..]).unwrap_or_default() {
            all.entry((&*entry.key).into()).or_default().push((provenance, reason(&entry.node)));
        }
    }
    all
}

fn reason(node: &TomlNode<'_>) -> String {
    match &node.data {
        TomlValue::Text(text) => text.to_string(),
        TomlValue::Table(table) => table.text("why").unwrap_or_default().to_owned(),
        TomlValue::List(list) => list.iter().map(reason).collect::<Vec<_>>().join("; "),
        _ => String::new(),
    }
}

pub(super) fn kind_of(holds: KeyType) -> CellKind {
    match holds {
        KeyType::Name | KeyType::Id | KeyType::Text => CellKind::Text,
        KeyType::Template => CellKind::Template,
        KeyType::Integer => CellKind::Integer,
        KeyType::Bool => CellKind::Flag,
        KeyType::StringOrList | KeyType::TextList => CellKind::Words,
        KeyType::Choice(words) => CellKind::Choice(words),
        KeyType::Number => CellKind::Formula("a whole number"),
        KeyType::Condition => CellKind::Formula("true or false"),
        KeyType::IntegerList => CellKind::Formula("a list of whole numbers"),
        KeyType::Anything => CellKind::Formula("a number, flag, text or list"),
        KeyType::Literal | KeyType::Default => CellKind::Literal,
        _ => CellKind::Toml,
    }
}
