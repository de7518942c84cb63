//! The input of a cell that holds a list of tables, such as the signs of a track or the columns of a table: a table of cells
//! in place of its text.

use egui::{Grid, ScrollArea, TextEdit, Ui, vec2};
use toml_edit::{Array, DocumentMut, InlineTable, Value};

use crate::widgets::{muted_label, named_button, with_accessible_name};

/// Longer lists are edited as text.
pub(crate) const MAX_ROWS: usize = 200;
pub(crate) const MAX_COLUMNS: usize = 16;
const CHAR_WIDTH: f32 = 7.5;
const FIELD_HEIGHT: f32 = 26.0;

/// The list in a text; `None` if the text holds something else than a list with tables or lists in it.
pub fn list_in(text: &str) -> Option<Array> {
    let table = format!("v = {}", text.trim()).parse::<DocumentMut>().ok()?;
    let list = table.get("v")?.as_array()?.clone();
    let is_table = |item: &Value| item.is_inline_table() || item.is_array();
    let can_show = list.iter().any(is_table) && list.iter().all(|item| is_table(item) || item.is_str());
    (can_show && list.len() <= MAX_ROWS && columns(&list).len() <= MAX_COLUMNS).then_some(list)
}

/// The keys of the tables in the order of their first use, those of a table within as `key.inner`; numbers for lists.
fn columns(list: &Array) -> Vec<String> {
    let with_inner = keys_used(list, true);
    if with_inner.len() <= MAX_COLUMNS { with_inner } else { keys_used(list, false) }
}

fn keys_used(list: &Array, has_inner: bool) -> Vec<String> {
    let is_inner = |key: &str| {
        let tables = list.iter().filter_map(Value::as_inline_table);
        let mut cells = tables.filter_map(|table| table.get(key)).peekable();
        let is_plain = |cell: &Value| matches!(cell, Value::String(_) | Value::Integer(_) | Value::Boolean(_));
        has_inner
            && cells.peek().is_some()
            && cells
                .all(|cell| cell.as_inline_table().is_some_and(|inner| inner.iter().all(|(_, cell)| is_plain(cell))))
    };
    let mut columns: Vec<String> = Vec::new();
    for item in list {
        let keys: Vec<String> = match item {
            Value::InlineTable(table) => {
                let of_cell = |(key, cell): (&str, &Value)| match cell.as_inline_table() {
                    Some(inner) if is_inner(key) => inner.iter().map(|(one, _)| format!("{key}.{one}")).collect(),
                    _ => vec![key.to_owned()],
                };
                table.iter().flat_map(of_cell).collect()
            }
            Value::Array(cells) => (1..=cells.len()).map(|n| n.to_string()).collect(),
            _ => vec!["id".to_owned()],
        };
        for key in keys {
            if !columns.contains(&key) {
                columns.push(key);
            }
        }
    }
    columns
}

fn cell_text(item: &Value, column: &str) -> String {
    let cell = match item {
        Value::InlineTable(table) => table.get(column),
        Value::Array(cells) => column.parse::<usize>().ok().and_then(|n| cells.get(n.checked_sub(1)?)),
        word => Some(word).filter(|_| column == "id"),
    };
    cell.or_else(|| nested(item, column)).map(value_text).unwrap_or_default()
}

/// The cell of a column `when.speed`.
fn nested<'v>(item: &'v Value, column: &str) -> Option<&'v Value> {
    let (key, rest) = column.split_once('.')?;
    item.as_inline_table()?.get(key)?.as_inline_table()?.get(rest)
}

/// Texts without quotes.
fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.value().clone(),
        other => {
            let mut other = other.clone();
            other.decor_mut().clear();
            other.to_string()
        }
    }
}

/// As typed: a number, a flag or a list where it is one, and none was a text before.
fn typed_value(typed: &str, old: Option<&Value>) -> Value {
    let text = typed.trim();
    if old.is_some_and(Value::is_str) {
        return typed.into();
    }
    if let Ok(number) = text.replace('−', "-").parse::<i64>() {
        return number.into();
    }
    match text {
        "true" => return true.into(),
        "false" => return false.into(),
        _ => {}
    }
    let parsed = text.starts_with(['[', '{']).then(|| format!("v = {text}").parse::<DocumentMut>().ok()).flatten();
    let mut parsed = parsed.and_then(|table| table.get("v")?.as_value().cloned());
    if let Some(value) = &mut parsed {
        value.decor_mut().clear();
    }
    parsed.unwrap_or_else(|| typed.into())
}

/// An empty text takes the key out of a table.
fn set_cell(list: &mut Array, row: usize, column: &str, typed: &str) {
    let Some(item) = list.get_mut(row) else { return };
    match item {
        Value::InlineTable(table) if column.contains('.') && !table.contains_key(column) => {
            let Some((key, rest)) = column.split_once('.') else { return };
            if table.get(key).is_none() && !typed.is_empty() {
                table.insert(key, InlineTable::new().into());
            }
            let Some(inner) = table.get_mut(key).and_then(Value::as_inline_table_mut) else { return };
            if typed.is_empty() {
                inner.remove(rest);
                if inner.is_empty() {
                    table.remove(key);
                }
            } else {
                let value = typed_value(typed, inner.get(rest));
                inner.insert(rest, value);
            }
        }
        Value::InlineTable(table) if typed.is_empty() => _ = table.remove(column),
        Value::InlineTable(table) => {
            let value = typed_value(typed, table.get(column));
            _ = table.insert(column, value);
        }
        Value::Array(cells) => {
            let Some(at) = column.parse::<usize>().ok().and_then(|n| n.checked_sub(1)) else { return };
            while cells.len() < at {
                cells.push("");
            }
            let value = typed_value(typed, cells.get(at));
            if at < cells.len() {
                _ = cells.replace(at, value);
            } else {
                cells.push(value);
            }
        }
        // A name alone stands for a table with an id.
        word if column == "id" => *word = typed.into(),
        word => {
            let mut table = InlineTable::new();
            table.insert("id", word.clone());
            table.insert(column, typed_value(typed, None));
            *word = table.into();
        }
    }
}

/// One more, like the last: its texts empty, its numbers as they are.
fn add_row(list: &mut Array) {
    let empty = |value: &Value| match value {
        Value::String(_) => Value::from(""),
        other => other.clone(),
    };
    let row: Value = match list.iter().last() {
        Some(Value::InlineTable(table)) => {
            table.iter().map(|(key, value)| (key.to_owned(), empty(value))).collect::<InlineTable>().into()
        }
        Some(Value::Array(cells)) => cells.iter().map(empty).collect::<Array>().into(),
        _ => "".into(),
    };
    list.push(row);
}

/// The whole list as text after a change.
pub fn show(ui: &mut Ui, list: &Array, accessible: &str) -> Option<String> {
    show_list(ui, list, accessible).map(|changed| changed.to_string().trim().to_owned())
}

/// The list after a change.
pub fn show_list(ui: &mut Ui, list: &Array, accessible: &str) -> Option<Array> {
    let columns = columns(list);
    let mut changed = list.clone();
    let mut is_changed = false;
    let widths: Vec<f32> = columns
        .iter()
        .map(|column| {
            let cells = list.iter().map(|item| cell_text(item, column).chars().count());
            let longest = cells.chain([column.chars().count() + 1]).max().unwrap_or_default();
            (longest as f32 * CHAR_WIDTH + 24.0).clamp(60.0, if columns.len() > 2 { 240.0 } else { 420.0 })
        })
        .collect();
    ScrollArea::horizontal().id_salt("list cells").auto_shrink([false, true]).show(ui, |ui| {
        Grid::new("list cells").num_columns(columns.len() + 1).spacing([4.0, 3.0]).show(ui, |ui| {
            for column in &columns {
                muted_label(ui, column.replace('_', " "));
            }
            ui.label("");
            ui.end_row();
            for (row, item) in list.iter().enumerate() {
                for (column, width) in columns.iter().zip(&widths) {
                    let mut typed = cell_text(item, column);
                    let field = ui.add_sized(vec2(*width, FIELD_HEIGHT), TextEdit::singleline(&mut typed));
                    let field = with_accessible_name(field, &format!("{column} of {accessible}, row {}", row + 1));
                    if field.changed() {
                        set_cell(&mut changed, row, column, &typed);
                        is_changed = true;
                    }
                }
                if named_button(ui, "Remove", &format!("remove row {} of {accessible}", row + 1)) {
                    changed.remove(row);
                    is_changed = true;
                }
                ui.end_row();
            }
        });
    });
    if named_button(ui, "+ Row", &format!("add a row to {accessible}")) {
        add_row(&mut changed);
        is_changed = true;
    }
    is_changed.then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_change_and_the_rest_stays_as_written() {
        let text = "[\n  { at = 3, label = \"half\" },   # the middle\n  { at = 9 },\n]";
        let mut list = list_in(text).expect("a list of tables");
        assert_eq!(columns(&list), ["at", "label"]);
        set_cell(&mut list, 0, "at", "4");
        set_cell(&mut list, 1, "label", "5");
        assert_eq!(
            list.to_string().trim(),
            "[\n  { at = 4, label = \"half\" },   # the middle\n  { at = 9 , label = 5 },\n]"
        );
        set_cell(&mut list, 0, "label", "12");
        assert_eq!(cell_text(list.get(0).unwrap(), "label"), "12");
        assert!(list.get(0).unwrap().to_string().contains("\"12\""), "a text stays one");
        set_cell(&mut list, 0, "label", "");
        assert!(!list.to_string().contains("label = \"12\""));
        add_row(&mut list);
        assert_eq!(list.len(), 3);
    }

    #[test]
    fn tables_within_have_columns_of_their_own() {
        let mut list = list_in("[{ at = 1, when = { speed = 2 } }, { at = 2 }]").expect("a list");
        assert_eq!(columns(&list), ["at", "when.speed"]);
        assert_eq!(
            (cell_text(list.get(0).unwrap(), "when.speed"), cell_text(list.get(1).unwrap(), "when.speed")),
            ("2".into(), "".into())
        );
        set_cell(&mut list, 1, "when.speed", "5");
        set_cell(&mut list, 0, "when.speed", "");
        assert_eq!(list.to_string().trim(), "[{ at = 1}, { at = 2 , when = { speed = 5 } }]");
        let mixed = list_in("[{ at = { a = 1 } }, { at = 2 }]").expect("a list");
        assert_eq!(columns(&mixed), ["at"], "typed as in the file");
    }

    #[test]
    fn names_stand_for_tables_and_lists_have_numbers() {
        let mut list = list_in("[\"who\", { id = \"each\", hide = true }]").expect("a list");
        assert_eq!(columns(&list), ["id", "hide"]);
        set_cell(&mut list, 0, "hide", "true");
        assert_eq!(cell_text(list.get(0).unwrap(), "hide"), "true");
        let mut rows = list_in("[[1, \"a\"], [2]]").expect("a list");
        set_cell(&mut rows, 1, "2", "b");
        assert_eq!(cell_text(rows.get(1).unwrap(), "2"), "b");
        assert!(list_in("[1, 2]").is_none() && list_in("{ a = 1 }").is_none() && list_in("[").is_none());
    }
}
