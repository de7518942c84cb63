//! Merges a layer's changes into a table: takes both TOML trees, changes the first in place. Rows are found by their
//! key (by number in a table without a key), cells by their column, columns by their id, cells of a grid by their two
//! numbers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::log::{LayerLog, StatementTarget};
use super::statements::ChangeKind;
use super::tree::remove_indices;
use crate::ruleset::problems::{append_hint, shorten};

/// The columns' names, and whether they belong to the key.
pub fn table_columns(table: &TomlTable<'_>) -> Vec<(String, bool)> {
    // One column, or a list of them.
    let key = table.get("key").map(|node| node.as_list().unwrap_or(std::slice::from_ref(node))).unwrap_or_default();
    let key: Vec<&str> = key.iter().filter_map(column_id).collect();
    let columns = table.list("columns").iter().filter_map(column_id);
    columns.map(|column| (column.to_owned(), key.contains(&column))).collect()
}

fn column_id<'n>(node: &'n TomlNode<'_>) -> Option<&'n str> {
    match &node.data {
        TomlValue::Text(text) => Some(text.as_ref()),
        TomlValue::Table(table) => table.text("id"),
        _ => None,
    }
}

/// The cells of a row's key: `haven laser-head`; empty in a table without a key. Of changed cells of a row that is made: its key.
pub fn row_key(row: &TomlNode<'_>, columns: &[(String, bool)]) -> String {
    let cells = match &row.data {
        TomlValue::List(cells) => cells,
        TomlValue::Table(made) => return made.entries.first().map_or_else(String::new, |row| row.key.to_string()),
        _ => return String::new(),
    };
    let words: Vec<_> = cells
        .iter()
        .zip(columns)
        .filter(|(_, (_, key))| *key)
        .map(|(cell, _)| match &cell.data {
            TomlValue::Text(text) => text.to_string(),
            TomlValue::Int(number) => number.to_string(),
            _ => String::new(),
        })
        .collect();
    words.join(" ")
}

/// The rows' keys, or their numbers in a table without a key.
fn row_keys(rows: &[TomlNode<'_>], columns: &[(String, bool)]) -> Vec<String> {
    let keyed = columns.iter().any(|(_, key)| *key);
    let name = |(n, row): (usize, &TomlNode<'_>)| if keyed { row_key(row, columns) } else { (n + 1).to_string() };
    rows.iter().enumerate().map(name).collect()
}

pub(super) fn change_rows<'a>(
    rows: &mut Vec<TomlNode<'a>>,
    columns: &[(String, bool)],
    changes: TomlTable<'a>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
) {
    let names = row_keys(rows, columns);
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for (n, name) in names.iter().enumerate() {
        places.entry(name).or_insert(n);
    }
    let column_places: HashMap<&str, usize> = columns.iter().enumerate().map(|(n, (id, _))| (id.as_str(), n)).collect();
    let mut removed = Vec::new();
    for entry in changes.entries {
        let Some(&n) = places.get(entry.key.as_ref()) else {
            let mut help = log.suggest(&entry.key, names.iter().map(String::as_str));
            if help.is_empty() {
                help = format!(
                    "add new rows under add.rows; the first existing row is `{}`",
                    shorten(names.first().map_or("", String::as_str))
                );
            }
            log.reject(
                "unknown-row",
                entry.span,
                format!("table `{}` has no row `{}`", shorten(&at.id), shorten(&entry.key)),
                help,
            );
            continue;
        };
        let known = columns.iter().find(|(_, key)| !key).map_or("COLUMN", |(column, _)| column.as_str());
        let help = format!("use {{ {known} = … }}");
        let Some(cells) = log.table_of(entry.node, "of columns for a row", &help) else { continue };
        if let Some(is_removed) = log.removal(&cells, at, ("row", &entry.key, rows[n].span)) {
            removed.extend(is_removed.then_some(n));
            continue;
        }
        let at = &at.with_reason(log.reason_text(&cells));
        let TomlValue::List(row) = &mut rows[n].data else { continue };
        for cell in cells.entries.into_iter().filter(|cell| !["remove", "reason"].contains(&cell.key.as_ref())) {
            match column_places.get(cell.key.as_ref()).copied() {
                Some(column) if column < row.len() => {
                    let mut old =
                        TomlEntry { key: cell.key.clone(), span: row[column].span, node: row[column].clone() };
                    log.replace(&mut old, cell, false, at);
                    row[column] = old.node;
                }
                _ => {
                    let near = log.suggest(&cell.key, columns.iter().map(|(column, _)| column.as_str()));
                    log.reject(
                        "unknown-column",
                        cell.span,
                        format!("table `{}` has no column `{}`", shorten(&at.id), shorten(&cell.key)),
                        near,
                    );
                }
            }
        }
    }
    remove_indices(rows, removed);
}

/// Keeps the changes for when the rows are made: each is a table of cells by the row's key.
pub(super) fn change_made_rows<'a>(
    rows: &mut Vec<TomlNode<'a>>,
    changes: TomlTable<'a>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
) {
    for entry in changes.entries {
        let span = entry.node.span;
        let Some(mut cells) = log.table_of(entry.node, "of columns for a row", "use { COLUMN = … }") else {
            continue;
        };
        let at = at.with_reason(log.reason_text(&cells));
        cells.entries.retain(|cell| cell.key != "reason" && log.record_entry(cell, ChangeKind::Changed, &at));
        let node = TomlNode { span, data: TomlValue::Table(cells) };
        let row = TomlEntry { key: entry.key, span: entry.span, node };
        let data = TomlValue::Table(TomlTable { span: entry.span, entries: vec![row] });
        rows.push(TomlNode { span: entry.span, data });
    }
}

pub(super) fn add_rows<'a>(
    table: &mut TomlTable<'a>,
    new: Vec<TomlNode<'a>>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
) {
    let columns = table_columns(table);
    let keyed = columns.iter().any(|(_, key)| *key);
    let Some(rows) = table.list_mut("rows") else { return };
    let mut names: HashSet<String> = rows.iter().map(|row| row_key(row, &columns)).collect();
    for node in new {
        let name = row_key(&node, &columns);
        if keyed && names.contains(&name) {
            let help = format!("to change it, use [change.table.{}.rows.\"{name}\"]", at.id);
            log.reject(
                "duplicate-id",
                node.span,
                format!("table `{}` already has a row `{}`", shorten(&at.id), shorten(&name)),
                help,
            );
        } else if log.record(node.span, node.span, ChangeKind::Added, at.clone()) {
            names.insert(name);
            rows.push(node);
        }
    }
}

/// `columns.dice = { label = "damage" }`, which `merge` merges, or `{ remove = true }`, which also removes the cells.
pub(super) fn change_columns<'a>(
    table: &mut TomlTable<'a>,
    changes: TomlTable<'a>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
    merge: &mut dyn FnMut(&mut TomlTable<'a>, TomlTable<'a>),
) {
    for entry in changes.entries {
        let known: Vec<String> = table_columns(table).into_iter().map(|(column, _)| column).collect();
        let Some(n) = known.iter().position(|column| *column == entry.key) else {
            let near = log.suggest(&entry.key, known.iter().map(String::as_str));
            let help = append_hint(&near, "add a new one under add.columns");
            log.reject(
                "unknown-column",
                entry.span,
                format!("table `{}` has no column `{}`", shorten(&at.id), shorten(&entry.key)),
                help,
            );
            continue;
        };
        let help = "use { label = \"…\" }, or { remove = true }";
        let Some(new) = log.table_of(entry.node, "of keys for a column", help) else { continue };
        let width = known.len();
        let Some(columns) = table.list_mut("columns") else { continue };
        // Invalid columns, reported elsewhere, are not counted.
        let Some(place) =
            columns.iter().enumerate().filter(|(_, node)| column_id(node).is_some()).nth(n).map(|(place, _)| place)
        else {
            continue;
        };
        match log.removal(&new, at, ("column", &entry.key, columns[place].span)) {
            Some(true) => {
                columns.remove(place);
                for row in table.list_mut("rows").into_iter().flatten() {
                    if let TomlValue::List(cells) = &mut row.data
                        && cells.len() == width
                    {
                        cells.remove(n);
                    }
                }
            }
            Some(false) => {}
            None => {
                let node = &mut columns[place];
                if let TomlValue::Text(text) = &node.data {
                    let id = TomlNode { span: node.span, data: TomlValue::Text(text.clone()) };
                    let entries = vec![TomlEntry { key: Cow::Borrowed("id"), span: node.span, node: id }];
                    node.data = TomlValue::Table(TomlTable { span: node.span, entries });
                }
                if let TomlValue::Table(old) = &mut node.data {
                    merge(old, new);
                }
            }
        }
    }
}

/// `add.columns = [{ id = "range", default = 12 }]`: every existing row gets the default.
pub(super) fn add_columns<'a>(
    table: &mut TomlTable<'a>,
    new: Vec<TomlNode<'a>>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
) {
    for mut node in new {
        let known = table_columns(table);
        let id = column_id(&node).unwrap_or_default().to_owned();
        if known.iter().any(|(column, _)| *column == id) {
            let help = format!("to change it, use [change.{}.{}.columns.{id}]", at.section, at.id);
            log.reject(
                "duplicate-id",
                node.span,
                format!("table `{}` already has a column `{}`", shorten(&at.id), shorten(&id)),
                help,
            );
            continue;
        }
        let has_rows = &*at.section == "table" && table.get("rows").is_some_and(|rows| rows.as_list().is_some());
        let mut default = None;
        // Cells of rows that are made are formulas.
        let is_made = table.get("for_each").is_some();
        if is_made
            && let TomlValue::Table(column) = &mut node.data
            && let Some(entry) = column.entry_mut("default")
        {
            entry.key = Cow::Borrowed("cell");
            if let TomlValue::Text(text) = &entry.node.data {
                entry.node.data = TomlValue::Text(format!("'{}'", text.replace('\'', "’")).into());
            }
        }
        if has_rows && !is_made {
            if let TomlValue::Table(column) = &mut node.data {
                default = column.take("default").map(|entry| entry.node);
            }
            if default.is_none() {
                let message = format!("new column `{}`: missing `default` for the existing rows", shorten(&id));
                log.reject(
                    "missing-key",
                    node.span,
                    message,
                    format!("use {{ id = \"{}\", default = … }}, then change single rows by their key", shorten(&id)),
                );
                continue;
            }
        }
        if !log.record(node.span, node.span, ChangeKind::Added, at.clone()) {
            continue;
        }
        if let Some(columns) = table.list_mut("columns") {
            columns.push(node);
        }
        if let (Some(cell), Some(rows)) = (default, table.list_mut("rows")) {
            for row in rows {
                if let TomlValue::List(cells) = &mut row.data {
                    cells.push(cell.clone());
                }
            }
        }
    }
}

/// `cells = { "3 2" = 9 }`: across 3, down 2.
pub(super) fn set_cells<'a>(grid: &mut TomlTable<'a>, cells: TomlEntry<'a>, at: &StatementTarget, log: &LayerLog<'_>) {
    let help = "use cells = { \"3 2\" = 9 }: across 3, down 2";
    let Some(list) = log.table_of(cells.node, "for `cells`", help) else { return };
    for cell in list.entries {
        let numbers: Vec<Option<i64>> =
            cell.key.split([' ', ',']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
        let [Some(across), Some(down)] = numbers[..] else {
            let message = format!("`{}` is not a grid cell", shorten(&cell.key));
            log.reject("unknown-cell", cell.span, message, "name a cell by two numbers, across and down: \"3 2\" = 9");
            continue;
        };
        let value = match &cell.node.data {
            TomlValue::Int(number) => number.to_string(),
            TomlValue::Flag(flag) => flag.to_string(),
            TomlValue::Text(text) if !text.contains(['\'', '\\', '\n']) => format!("'{text}'"),
            data => {
                log.reject(
                    "wrong-type",
                    cell.node.span,
                    format!("expected a number or plain text for a cell, found {}", data.type_name()),
                    "use \"3 2\" = 9",
                );
                continue;
            }
        };
        let Some(old) = grid.entry_mut("cell") else { continue };
        let below = match &old.node.data {
            TomlValue::Text(text) => text.to_string(),
            TomlValue::Int(number) => number.to_string(),
            _ => continue,
        };
        if !log.record_entry(&cell, ChangeKind::Changed, &at.with_before(old.node.span)) {
            continue;
        }
        old.node = TomlNode {
            span: cell.node.span,
            data: TomlValue::Text(format!("{value} if across == {across} and down == {down} else ({below})").into()),
        };
    }
}
