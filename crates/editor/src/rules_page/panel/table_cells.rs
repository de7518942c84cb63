//! The input of a cell that holds a table with names, such as the options of a field or a fix: cells in place of its text. What
//! is named alike is a row with a column for each key; anything else is a name and its value, with dots where tables are nested.

use egui::{Grid, ScrollArea, TextEdit, Ui, vec2};
use toml_edit::{DocumentMut, InlineTable, Value};

use crate::widgets::{muted_label, named_button, with_accessible_name};

use crate::rules_page::panel::list_cells::{CHAR_WIDTH, FIELD_HEIGHT, MAX_COLUMNS, MAX_ROWS, typed_value, value_text};

/// A value with the names of the tables around it.
type Leaf = (Vec<String>, Value);

/// The table in a text; `None` if the text holds something else.
pub fn table_in(text: &str) -> Option<InlineTable> {
    let table = format!("v = {}", text.trim()).parse::<DocumentMut>().ok()?;
    let table = table.get("v")?.as_inline_table()?.clone();
    (leaves(&table).len() <= MAX_ROWS).then_some(table)
}

/// All values, and tables without any.
fn leaves(table: &InlineTable) -> Vec<Leaf> {
    let mut all = Vec::new();
    add_leaves(table, &mut Vec::new(), &mut all);
    all
}

fn add_leaves(table: &InlineTable, path: &mut Vec<String>, all: &mut Vec<Leaf>) {
    for (key, value) in table {
        path.push(key.to_owned());
        match value {
            Value::InlineTable(inner) if !inner.is_empty() => add_leaves(inner, path, all),
            value => {
                let mut value = value.clone();
                value.decor_mut().clear();
                all.push((path.clone(), value));
            }
        }
        path.pop();
    }
}

/// As text of the file; a name that is both a value and a table is the last one.
fn text_of(leaves: &[Leaf]) -> String {
    let mut table = InlineTable::new();
    for (path, value) in leaves {
        let Some((last, around)) = path.split_last() else { continue };
        let mut inner = &mut table;
        for key in around {
            if !inner.get(key).is_some_and(Value::is_inline_table) {
                inner.insert(key, InlineTable::new().into());
            }
            let Some(next) = inner.get_mut(key).and_then(Value::as_inline_table_mut) else { return String::new() };
            inner = next;
        }
        inner.insert(last, value.clone());
    }
    table.to_string().trim().to_owned()
}

/// The keys of the rows in the order of their first use; `None` unless each name has a table of values.
fn columns(table: &InlineTable) -> Option<Vec<String>> {
    let mut columns: Vec<String> = Vec::new();
    for (_, value) in table {
        for (key, cell) in value.as_inline_table()? {
            if cell.is_inline_table() {
                return None;
            }
            if !columns.iter().any(|known| known == key) {
                columns.push(key.to_owned());
            }
        }
    }
    (table.len() > 1 && !columns.is_empty() && columns.len() <= MAX_COLUMNS).then_some(columns)
}

/// An empty text takes the value away; its row stays.
fn set_cell(leaves: &mut Vec<Leaf>, row: &str, column: &str, typed: &str) {
    let is_row = |leaf: &Leaf| leaf.0.first().is_some_and(|name| name == row);
    let path = vec![row.to_owned(), column.to_owned()];
    let at = leaves.iter().position(|leaf| leaf.0 == path);
    match (at, typed.is_empty()) {
        (Some(at), true) => {
            leaves.remove(at);
            if !leaves.iter().any(is_row) {
                leaves.insert(at, (vec![row.to_owned()], InlineTable::new().into()));
            }
        }
        (Some(at), false) => leaves[at].1 = typed_value(typed, Some(&leaves[at].1)),
        (None, true) => {}
        (None, false) => {
            let end = leaves.iter().rposition(is_row).map_or(leaves.len(), |last| last + 1);
            leaves.insert(end, (path, typed_value(typed, None)));
            leaves.retain(|leaf| !(leaf.0.len() == 1 && is_row(leaf)));
        }
    }
}

/// Gives the names from the first to another; not the name of another one.
fn rename(leaves: &mut [Leaf], old: &[String], new: &[String]) {
    if leaves.iter().any(|leaf| leaf.0.starts_with(new) && !leaf.0.starts_with(old)) {
        return;
    }
    for (path, _) in leaves.iter_mut().filter(|leaf| leaf.0.starts_with(old)) {
        path.splice(..old.len(), new.iter().cloned());
    }
}

/// A name that no other has.
fn new_name(leaves: &[Leaf]) -> String {
    let is_free = |name: &String| leaves.iter().all(|leaf| leaf.0.first() != Some(name));
    (1..).map(|n| if n == 1 { "new".to_owned() } else { format!("new-{n}") }).find(is_free).unwrap_or_default()
}

/// The whole table as text after a change.
pub fn show(ui: &mut Ui, table: &InlineTable, accessible: &str) -> Option<String> {
    let old = leaves(table);
    let mut changed = old.clone();
    let columns = columns(table);
    ScrollArea::horizontal().id_salt("table cells").auto_shrink([false, true]).show(ui, |ui| {
        let count = columns.as_ref().map_or(1, Vec::len) + 2;
        Grid::new("table cells").num_columns(count).spacing([4.0, 3.0]).show(ui, |ui| match &columns {
            Some(columns) => rows_of_cells(ui, table, columns, &mut changed, accessible),
            None => names_and_values(ui, &old, &mut changed, accessible),
        });
    });
    if named_button(ui, "+ Row", &format!("add a row to {accessible}")) {
        let empty: Value = if columns.is_some() { InlineTable::new().into() } else { "".into() };
        changed.push((vec![new_name(&changed)], empty));
    }
    let is_changed = changed.len() != old.len()
        || changed.iter().zip(&old).any(|(new, old)| new.0 != old.0 || new.1.to_string() != old.1.to_string());
    is_changed.then(|| text_of(&changed))
}

fn rows_of_cells(ui: &mut Ui, table: &InlineTable, columns: &[String], changed: &mut Vec<Leaf>, accessible: &str) {
    let cell = |name: &str, column: &str| {
        let row = table.get(name).and_then(Value::as_inline_table);
        row.and_then(|row| row.get(column)).map(value_text).unwrap_or_default()
    };
    let names: Vec<&str> = table.iter().map(|(name, _)| name).collect();
    let width = |longest: usize| (longest as f32 * CHAR_WIDTH + 24.0).clamp(60.0, 240.0);
    let length = |text: &str| text.chars().count();
    let name_width = width(names.iter().map(|name| length(name)).max().unwrap_or_default());
    let widths = columns.iter().map(|column| {
        let cells = names.iter().map(|name| length(&cell(name, column)));
        width(cells.chain([length(column) + 1]).max().unwrap_or_default())
    });
    let widths: Vec<f32> = widths.collect();
    muted_label(ui, "name");
    for column in columns {
        muted_label(ui, column.replace('_', " "));
    }
    ui.label("");
    ui.end_row();
    for (n, name) in names.iter().enumerate() {
        let row = n + 1;
        if let Some(typed) = field(ui, name_width, name, &format!("name of {accessible}, row {row}")) {
            rename(changed, &[(*name).to_owned()], &[typed]);
        }
        for (column, width) in columns.iter().zip(&widths) {
            let now = cell(name, column);
            if let Some(typed) = field(ui, *width, &now, &format!("{column} of {accessible}, row {row}")) {
                set_cell(changed, name, column, &typed);
            }
        }
        if named_button(ui, "Remove", &format!("remove row {row} of {accessible}")) {
            changed.retain(|leaf| leaf.0.first().is_none_or(|first| first != name));
        }
        ui.end_row();
    }
}

fn names_and_values(ui: &mut Ui, old: &[Leaf], changed: &mut Vec<Leaf>, accessible: &str) {
    let width = |longest: usize| (longest as f32 * CHAR_WIDTH + 24.0).clamp(120.0, 420.0);
    let names: Vec<String> = old.iter().map(|leaf| leaf.0.join(".")).collect();
    let texts: Vec<String> = old.iter().map(|leaf| value_text(&leaf.1)).collect();
    let longest = |all: &[String]| width(all.iter().map(|text| text.chars().count()).max().unwrap_or_default());
    let (name_width, text_width) = (longest(&names), longest(&texts));
    muted_label(ui, "name");
    muted_label(ui, "value");
    ui.label("");
    ui.end_row();
    let mut removed = None;
    for (n, (name, text)) in names.iter().zip(&texts).enumerate() {
        let row = n + 1;
        if let Some(typed) = field(ui, name_width, name, &format!("name of {accessible}, row {row}")) {
            let new: Vec<String> = typed.split('.').map(str::to_owned).collect();
            rename(changed, &old[n].0, &new);
        }
        if let Some(typed) = field(ui, text_width, text, &format!("value of {accessible}, row {row}")) {
            changed[n].1 = typed_value(&typed, Some(&old[n].1));
        }
        if named_button(ui, "Remove", &format!("remove row {row} of {accessible}")) {
            removed = Some(n);
        }
        ui.end_row();
    }
    if let Some(n) = removed {
        changed.remove(n);
    }
}

fn field(ui: &mut Ui, width: f32, text: &str, name: &str) -> Option<String> {
    let mut typed = text.to_owned();
    let field = ui.add_sized(vec2(width, FIELD_HEIGHT), TextEdit::singleline(&mut typed));
    with_accessible_name(field, name).changed().then_some(typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_alike_has_a_row_each() {
        let table = table_in("{ inch = { label = \"1 inch\", tenths = 254 }, cm = { label = \"1 cm\" }, mm = {} }");
        let table = table.expect("a table");
        assert_eq!(columns(&table).expect("columns"), ["label", "tenths"]);
        let mut all = leaves(&table);
        set_cell(&mut all, "cm", "tenths", "100");
        set_cell(&mut all, "mm", "label", "1 mm");
        set_cell(&mut all, "inch", "label", "");
        assert_eq!(
            text_of(&all),
            "{ inch = { tenths = 254 }, cm = { label = \"1 cm\", tenths = 100 }, mm = { label = \"1 mm\" } }"
        );
        set_cell(&mut all, "mm", "label", "");
        rename(&mut all, &["mm".to_owned()], &["metre".to_owned()]);
        rename(&mut all, &["cm".to_owned()], &["inch".to_owned()]);
        assert_eq!(
            text_of(&all),
            "{ inch = { tenths = 254 }, cm = { label = \"1 cm\", tenths = 100 }, metre = {} }",
            "no name is given twice"
        );
    }

    #[test]
    fn nested_tables_have_names_with_dots() {
        let text = "{ system = \"reactor\", set = { output = \"it.output + 1\", delay = 2 } }";
        let table = table_in(text).expect("a table");
        assert!(columns(&table).is_none());
        let mut all = leaves(&table);
        assert_eq!(all.iter().map(|leaf| leaf.0.join(".")).collect::<Vec<_>>(), ["system", "set.output", "set.delay"]);
        assert_eq!(text_of(&all), text);
        all[2].1 = typed_value("3", Some(&all[2].1));
        rename(&mut all, &["set".to_owned(), "delay".to_owned()], &["set".to_owned(), "half".to_owned()]);
        assert_eq!(text_of(&all), "{ system = \"reactor\", set = { output = \"it.output + 1\", half = 3 } }");
        assert_eq!(new_name(&all), "new");
        assert!(table_in("[1]").is_none() && table_in("{").is_none());
    }
}
