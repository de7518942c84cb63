//! The input of a cell that holds a table with names, such as the options of a field or a fix: the cells of a list in place of its text. What is named
//! alike is a row with a column for each key; anything else is a name and its value, with dots where tables are nested.

use egui::Ui;
use toml_edit::{Array, DocumentMut, InlineTable, Value};

use crate::rules_page::panel::list_cells::{self, MAX_COLUMNS, MAX_ROWS};

/// The column that has the names.
const NAME: &str = "name";

/// The table in a text; `None` if the text holds something else.
pub fn table_in(text: &str) -> Option<InlineTable> {
    let table = format!("v = {}", text.trim()).parse::<DocumentMut>().ok()?;
    let table = table.get("v")?.as_inline_table()?.clone();
    (leaves(&table).len() <= MAX_ROWS).then_some(table)
}

/// All values with the names of the tables around them, and tables without any.
fn leaves(table: &InlineTable) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (key, value) in table {
        match value {
            Value::InlineTable(inner) if !inner.is_empty() => {
                all.extend(leaves(inner).into_iter().map(|(path, value)| (format!("{key}.{path}"), value)));
            }
            value => all.push((key.to_owned(), plain(value))),
        }
    }
    all
}

fn plain(value: &Value) -> Value {
    let mut value = value.clone();
    value.decor_mut().clear();
    value
}

/// Whether each name has a table of values.
fn has_columns(table: &InlineTable) -> bool {
    let is_row = |value: &Value| {
        let row = value.as_inline_table();
        row.is_some_and(|row| !row.contains_key(NAME) && row.iter().all(|(_, cell)| !cell.is_inline_table()))
    };
    let keys = table.iter().flat_map(|(_, row)| row.as_inline_table().into_iter().flatten()).count();
    table.len() > 1 && keys > 0 && keys <= MAX_COLUMNS * table.len() && table.iter().all(|(_, value)| is_row(value))
}

fn to_list(table: &InlineTable) -> Array {
    let row = |name: &str, cells: &mut dyn Iterator<Item = (String, Value)>| {
        let name = (NAME.to_owned(), Value::from(name));
        std::iter::once(name).chain(cells).collect::<InlineTable>()
    };
    if has_columns(table) {
        let cells = |value: &Value| value.as_inline_table().cloned().unwrap_or_default();
        let cells = |value| cells(value).into_iter().map(|(key, cell)| (key.to_string(), plain(&cell)));
        return table.iter().map(|(name, value)| row(name, &mut cells(value))).collect();
    }
    let all = leaves(table).into_iter();
    all.map(|(path, value)| row(&path, &mut std::iter::once(("value".to_owned(), value)))).collect()
}

/// As text of the file; `None` if two rows have one name, or a name is also that of a table.
fn to_text(list: &Array, has_columns: bool) -> Option<String> {
    let mut table = InlineTable::new();
    for row in list.iter().filter_map(Value::as_inline_table) {
        let name = match row.get(NAME)?.as_str()? {
            "" => (1..)
                .map(|n| if n == 1 { "new".to_owned() } else { format!("new-{n}") })
                .find(|n| !table.contains_key(n))?,
            name => name.to_owned(),
        };
        let cells = row.iter().filter(|(key, _)| *key != NAME);
        let (path, value) = match has_columns {
            true => (vec![&*name], cells.map(|(key, cell)| (key, plain(cell))).collect::<InlineTable>().into()),
            false => (name.split('.').collect(), row.get("value").map_or_else(|| "".into(), plain)),
        };
        let (last, around) = path.split_last()?;
        let mut inner = &mut table;
        for key in around {
            inner = inner.entry(*key).or_insert(InlineTable::new().into()).as_inline_table_mut()?;
        }
        if inner.insert(*last, value).is_some() {
            return None;
        }
    }
    Some(table.to_string().trim().to_owned())
}

/// The whole table as text after a change.
pub fn show(ui: &mut Ui, table: &InlineTable, accessible: &str) -> Option<String> {
    list_cells::show_list(ui, &to_list(table), accessible).and_then(|list| to_text(&list, has_columns(table)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_either_kind_is_a_list_and_back() {
        let rows = "{ inch = { label = \"1 inch\", tenths = 254 }, cm = { label = \"1 cm\" }, mm = {} }";
        let table = table_in(rows).expect("a table");
        let mut list = to_list(&table);
        assert_eq!(to_text(&list, has_columns(&table)).as_deref(), Some(rows));
        assert_eq!(list.get(1).unwrap().as_inline_table().unwrap().get("label").unwrap().as_str(), Some("1 cm"));
        let rename = |list: &mut Array, row: usize, name: &str| {
            list.get_mut(row).unwrap().as_inline_table_mut().unwrap().insert("name", name.into());
        };
        rename(&mut list, 2, "metre");
        assert!(to_text(&list, true).unwrap().ends_with("metre = {} }"));
        rename(&mut list, 2, "");
        assert!(to_text(&list, true).unwrap().ends_with("new = {} }"), "a new row has a name of its own");
        rename(&mut list, 2, "cm");
        assert_eq!(to_text(&list, true), None, "no name is given twice");

        let nested = "{ system = \"reactor\", set = { output = \"it.output + 1\", delay = 2 } }";
        let table = table_in(nested).expect("a table");
        let mut list = to_list(&table);
        assert_eq!(to_text(&list, has_columns(&table)).as_deref(), Some(nested));
        rename(&mut list, 2, "set.half");
        assert!(to_text(&list, false).unwrap().contains("half = 2"));
        assert!(table_in("[1]").is_none() && table_in("{").is_none());
    }
}
