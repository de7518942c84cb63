//! Changes of a layer as edits of its text: takes an open layer and a change, gives the edit. Writes what a person would
//! write: `[change.SECTION.ID]` with the keys that differ, `add` for new rows, `[[section]]` for new declarations.

use toml_edit::{Array, InlineTable, Value};

use crate::rules_page::model::{CellId, RuleChange};
use crate::{Edit, OpenRuleset};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{capitalize, id_as_words};
use moldloft_base::source::PathStep;
use moldloft_rules::design::DocumentEdit;
use moldloft_rules::ruleset::{CellKind, GridId, GridRow, RowState, RuleGrid, declaration_key, form_columns};

/// Keys that alone are no reason to keep a table of a change.
const NOTES: [&str; 1] = ["reason"];

/// The edit that makes a change.
///
/// # Errors
/// What is wrong with the text, or that there is no such row.
pub fn edit_for(open: &OpenRuleset, change: &RuleChange) -> Result<Edit, Finding> {
    match change {
        RuleChange::Cell { cell, text } => set_cell(open, cell, text),
        RuleChange::Severity { code, severity, reason } => {
            let grid = GridId { section: "check".into(), part: None };
            let row = find_row(open, &grid, code)?;
            let mut steps = vec![set(with_key(&row.path, "severity"), severity.as_str(), 3)];
            if !reason.trim().is_empty() {
                steps.push(set(with_key(&row.path, "reason"), reason.trim(), 3));
            }
            Ok(Edit::from_steps(format!("set {code} to {severity}"), steps))
        }
        RuleChange::Remove { grid, row, reason } => {
            let found = find_row(open, grid, row)?;
            let header = header_length(grid, found);
            let mut steps = vec![set(with_key(&found.path, "remove"), true, header)];
            if !reason.trim().is_empty() {
                steps.push(set(with_key(&found.path, "reason"), reason.trim(), header));
            }
            Ok(Edit::from_steps(format!("remove {}", found.label), steps))
        }
        RuleChange::Add { grid, cells, reason } => add_row(open, grid, cells, reason.trim()),
        RuleChange::Reason { grid, row, reason } => {
            let found = find_row(open, grid, row)?;
            let path = with_key(&found.path, "reason");
            let step = match reason.trim() {
                "" => DocumentEdit::UnsetAt { path, notes: Vec::new() },
                _ => set(path, reason.as_str(), header_length(grid, found)),
            };
            let key = format!("reason {grid:?} {row}");
            Ok(Edit::single(format!("give a reason for {}", found.label), step).with_merge_key(key))
        }
    }
}

/// Removes a cell's change from the layer.
///
/// # Errors
/// If there is no such cell.
pub fn take_back(open: &OpenRuleset, cell: &CellId) -> Result<Edit, Finding> {
    let (grid, row) = (find_grid(open, &cell.grid)?, find_row(open, &cell.grid, &cell.row)?);
    let number = grid.column(&cell.column).ok_or_else(|| missing("column", &cell.column))?;
    let step = DocumentEdit::UnsetAt { path: row.cell_path(&cell.column, number), notes: notes() };
    Ok(Edit::single(format!("take back {} of {}", cell.column, row.label), step))
}

/// Removes what the layer says about a row: its changes, its removal, or the row that it adds.
///
/// # Errors
/// If there is no such row.
pub fn take_back_row(open: &OpenRuleset, grid: &GridId, row: &str) -> Result<Edit, Finding> {
    let row = find_row(open, grid, row)?;
    let path = match row.state {
        RowState::Removed => with_key(&row.path, "remove"),
        _ => row.path.clone(),
    };
    let step = DocumentEdit::UnsetAt { path, notes: notes() };
    Ok(Edit::single(format!("take back {}", row.label), step))
}

/// Puts the rulesets that a layer extends into another order, or adds or drops one.
pub fn set_extends(open: &OpenRuleset, ids: &[(String, String)]) -> Edit {
    let list = |texts: Vec<&str>| match texts.as_slice() {
        [one] => Value::from(*one),
        _ => Value::Array(texts.into_iter().collect::<Array>()),
    };
    let path = |key: &str| vec!["ruleset".into(), PathStep::from(key)];
    let steps = vec![
        set(path("extends"), list(ids.iter().map(|(id, _)| id.as_str()).collect()), 1),
        set(path("extends_version"), list(ids.iter().map(|(_, version)| version.as_str()).collect()), 1),
    ];
    Edit::from_steps(format!("order the layers below {}", open.title), steps)
}

/// A new layer without changes.
pub fn new_layer_text(id: &str, title: &str, base: &OpenRuleset, schema: Option<&str>) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let schema = schema.map(|schema| format!("#:schema {schema}\n")).unwrap_or_default();
    format!(
        "{schema}[ruleset]\nid = {}\ntitle = {}\nversion = \"1.0\"\nschema = 1\nextends = {}\nextends_version = {}\n",
        text(id),
        text(title),
        text(&base.id),
        text(&base.version)
    )
}

/// A typed text as a value of the file.
///
/// # Errors
/// What is expected instead.
pub fn parse_typed(kind: CellKind, typed: &str, old: Option<&str>) -> Result<Value, String> {
    let text = typed.trim();
    let number = text.replace('−', "-").parse::<i64>().ok();
    let as_toml = || {
        let table = format!("v = {text}").parse::<toml_edit::DocumentMut>().ok();
        let value = table.and_then(|table| table.get("v").and_then(|item| item.as_value()).cloned());
        value.map(|mut value| {
            value.decor_mut().clear();
            value
        })
    };
    match kind {
        CellKind::Integer => number.map(Value::from).ok_or_else(|| format!("expected a whole number, found `{text}`")),
        CellKind::Flag => match text {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(format!("expected true or false, found `{text}`")),
        },
        CellKind::Text | CellKind::Template => Ok(typed.into()),
        CellKind::Choice(words) if words.contains(&text) => Ok(text.into()),
        CellKind::Choice(words) => Err(format!("expected one of {}, found `{text}`", words.join(", "))),
        CellKind::Formula(_) if text.is_empty() => Err("expected a number or a formula".to_owned()),
        CellKind::Formula(_) => Ok(match (number, text) {
            (Some(number), _) => number.into(),
            (None, "true") => true.into(),
            (None, "false") => false.into(),
            // A list that was written as one stays one.
            _ if old.is_some_and(|old| old.starts_with('[')) && text.starts_with('[') => {
                as_toml().unwrap_or_else(|| text.into())
            }
            _ => text.into(),
        }),
        CellKind::Literal => Ok(match (number, text) {
            (Some(number), _) => number.into(),
            (None, "true") => true.into(),
            (None, "false") => false.into(),
            _ if old.is_some_and(|old| old.starts_with(['[', '{'])) || text.starts_with('[') => {
                as_toml().unwrap_or_else(|| typed.into())
            }
            _ => typed.into(),
        }),
        CellKind::Words => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            Ok(Value::Array(words.collect::<Array>()))
        }
        CellKind::Toml => as_toml().ok_or_else(|| "expected a value as in the file, such as [1, 2] or \"text\"".into()),
    }
}

fn set_cell(open: &OpenRuleset, cell: &CellId, text: &str) -> Result<Edit, Finding> {
    let (grid, row) = (find_grid(open, &cell.grid)?, find_row(open, &cell.grid, &cell.row)?);
    let number = grid.column(&cell.column).ok_or_else(|| missing("column", &cell.column))?;
    let (column, now) = (&grid.columns[number], &row.cells[number]);
    let value = parse_typed(column.kind, text, now.text.as_deref())
        .map_err(|message| Finding::error("cannot-edit", message).help("nothing was changed"))?;
    let step = set(row.cell_path(&cell.column, number), value, header_length(&cell.grid, row));
    let label = format!("change {} of {}", column.label, row.label);
    let edit = Edit::single(label, step).with_merge_key(format!("cell {cell:?}"));
    Ok(Edit { keeps_rows: true, ..edit })
}

/// The reason is the `rule` of a new declaration, and that of the change of a known one.
fn add_row(
    open: &OpenRuleset,
    id: &GridId,
    cells: &[(std::sync::Arc<str>, String)],
    reason: &str,
) -> Result<Edit, Finding> {
    let grid = find_grid(open, id)?;
    let key = cells.iter().find(|(column, _)| column.is_empty()).map(|(_, text)| text.trim().to_owned());
    let columns = form_columns(grid);
    let known = |column: &str| columns.iter().find(|known| *known.column.key == *column);
    let kind = |column: &str| known(column).map(|known| known.column.kind);
    let mut keys: Vec<(String, Value)> = Vec::new();
    let is_row = id.part.as_ref().is_some_and(|(_, key)| &**key == "rows");
    for (column, text) in cells.iter().filter(|(column, _)| !column.is_empty()) {
        if text.trim().is_empty() && !is_row {
            if known(column).is_some_and(|known| known.required) {
                return Err(missing("key", column));
            }
            continue;
        }
        let kind = kind(column).unwrap_or(CellKind::Literal);
        let value = parse_typed(kind, text, None)
            .map_err(|message| Finding::error("cannot-edit", format!("{column}: {message}")))?;
        keys.push((column.to_string(), value));
    }
    let Some((entry, part)) = &id.part else {
        let word = declaration_key(&id.section);
        let key = key.filter(|key| !key.is_empty()).ok_or_else(|| missing(word, ""))?;
        if grid.row(&key).is_some() {
            return Err(
                Finding::error("duplicate-id", format!("duplicate {} `{key}`", id.section)).help("choose another name")
            );
        }
        // Systems are called by the words of their ids anyway.
        let words = id_as_words(&key);
        keys.retain(|(name, value)| {
            name != "name" || value.as_str().is_none_or(|name| name != words && name != capitalize(&words))
        });
        if known("rule").is_some() && !reason.is_empty() {
            keys.retain(|(key, _)| key != "rule");
            keys.push(("rule".to_owned(), reason.into()));
        }
        keys.insert(0, (word.to_owned(), key.as_str().into()));
        let step = DocumentEdit::AppendTable { list: id.section.to_string(), keys };
        return Ok(Edit::single(format!("add the {} {key}", id.section), step));
    };
    let declaration = declaration_of(open, id).ok_or_else(|| missing("entry", entry))?;
    let is_own = declaration.state == RowState::Added;
    let list: Vec<PathStep> = match is_own {
        true => with_key(&declaration.path, part),
        false => with_key(&with_key(&declaration.path, "add"), part),
    };
    let why = set(with_key(&declaration.path, "reason"), reason, 3);
    let with_why = |step| std::iter::once(step).chain((!is_own && !reason.is_empty()).then_some(why)).collect();
    if is_row {
        let value = Value::Array(keys.into_iter().map(|(_, value)| value).collect::<Array>());
        let step = DocumentEdit::PushAt { path: list, value, header: 3 };
        return Ok(Edit::from_steps(format!("add a row to {}", grid.title), with_why(step)));
    }
    let key = key.filter(|key| !key.is_empty()).ok_or_else(|| missing("id", ""))?;
    if grid.row(&key).is_some() {
        return Err(Finding::error("duplicate-id", format!("`{key}` exists already")).help("choose another name"));
    }
    let table = Value::InlineTable(keys.into_iter().collect::<InlineTable>());
    let step = set(with_key(&list, &key), table, list.len());
    Ok(Edit::from_steps(format!("add {key} to {}", grid.title), with_why(step)))
}

fn set(path: Vec<PathStep>, value: impl Into<Value>, header: usize) -> DocumentEdit {
    DocumentEdit::SetAt { path, value: value.into(), header }
}

/// Options and rows of a table get a header of their own; names under a key are dotted.
fn header_length(grid: &GridId, row: &GridRow) -> usize {
    match &grid.part {
        Some(_) if row.path.len() > 4 => row.path.len(),
        _ => 3,
    }
}

fn with_key(path: &[PathStep], key: &str) -> Vec<PathStep> {
    path.iter().cloned().chain([key.into()]).collect()
}

fn notes() -> Vec<String> {
    NOTES.iter().map(|key| (*key).to_owned()).collect()
}

fn missing(what: &str, name: &str) -> Finding {
    let name = if name.is_empty() { String::new() } else { format!(" `{name}`") };
    Finding::error("cannot-edit", format!("missing {what}{name}")).help("nothing was changed")
}

pub fn find_grid<'o>(open: &'o OpenRuleset, id: &GridId) -> Result<&'o RuleGrid, Finding> {
    open.book.grid(id).ok_or_else(|| missing("table", &id.section))
}

/// The declaration that a table is part of.
pub fn declaration_of<'o>(open: &'o OpenRuleset, id: &GridId) -> Option<&'o GridRow> {
    let (entry, _) = id.part.as_ref()?;
    find_row(open, &GridId { section: id.section.clone(), part: None }, entry).ok()
}

pub fn find_row<'o>(open: &'o OpenRuleset, id: &GridId, row: &str) -> Result<&'o GridRow, Finding> {
    find_grid(open, id)?.row(row).ok_or_else(|| missing("entry", row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_texts_become_the_values_of_their_kind() {
        let text = |kind, typed: &str| parse_typed(kind, typed, None).map(|value| value.to_string());
        assert_eq!(text(CellKind::Integer, " 12 "), Ok("12".into()));
        assert_eq!(text(CellKind::Integer, "−3"), Ok("-3".into()));
        assert!(text(CellKind::Integer, "x").is_err());
        assert_eq!(text(CellKind::Formula("a whole number"), "base + 2"), Ok("\"base + 2\"".into()));
        assert_eq!(text(CellKind::Formula("a whole number"), "7"), Ok("7".into()));
        assert_eq!(text(CellKind::Literal, "12 MU"), Ok("\"12 MU\"".into()));
        assert_eq!(text(CellKind::Words, "port, #chase,"), Ok("[\"port\", \"#chase\"]".into()));
        assert_eq!(text(CellKind::Toml, "[1, 2]"), Ok("[1, 2]".into()));
        assert!(text(CellKind::Toml, "[1,").is_err());
        assert_eq!(parse_typed(CellKind::Literal, "[\"a\"]", Some("[]")).unwrap().to_string(), "[\"a\"]");
        assert!(text(CellKind::Choice(&["off", "info"]), "loud").is_err());
    }
}
