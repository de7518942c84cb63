//! Layers that say the names of older days: takes the changes of a section, gives them under the names of today, by what
//! declarations, rows and columns were called `formerly`. What was said of numbers that now stand in another form is
//! reported with the line to write, and changes nothing.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::log::LayerLog;
use super::rows::{row_key, table_columns};
use super::tree::former_names;
use crate::formula::{Value, faces_by_roll};
use crate::ruleset::problems::shorten;

/// Keys of a table that do not hang on its form.
const WORDS: [&str; 5] = ["label", "note", "when", "rule", "reason"];

/// The changes with the names of today; one for each declaration that has taken over a part of what is changed.
pub(super) fn by_names_of_today<'a>(
    changes: TomlTable<'a>,
    section: &str,
    key: &str,
    declarations: &[TomlNode<'a>],
    log: &LayerLog<'_>,
) -> Vec<TomlEntry<'a>> {
    let mut renewed = Vec::with_capacity(changes.entries.len());
    for entry in changes.entries {
        if let Some(known) = declarations.iter().find(|known| known.text_at(key) == Some(&*entry.key)) {
            renewed.push(with_rows_of_today(entry, known, log));
            continue;
        }
        let heirs: Vec<_> = declarations.iter().filter(|known| former_names(known).contains(&&*entry.key)).collect();
        if heirs.is_empty() {
            renewed.push(entry);
            continue;
        }
        for heir in heirs {
            let Some(now) = heir.text_at(key) else { continue };
            let mut entry = entry.clone();
            let was = std::mem::replace(&mut entry.key, now.to_owned().into());
            if section == "table"
                && let TomlValue::Table(new) = &mut entry.node.data
            {
                for part in new.entries.extract_if(.., |part| !is_taken_over(part, heir)) {
                    let help = format!("write it in [change.table.{now}]");
                    log.numbers_moved(
                        part.span,
                        format!("table `{}`: its numbers are in `{now}` now", shorten(&was)),
                        help,
                    );
                }
                if new.entries.is_empty() {
                    continue;
                }
            }
            let what = format!("{section} `{}`", shorten(&was));
            log.renamed(entry.span, &what, now, format!("use [change.{section}.{now}]"));
            renewed.push(with_rows_of_today(entry, heir, log));
        }
    }
    renewed
}

/// Whether a change of a table holds for its heir: words do, and what both have; single rows that are found in it.
fn is_taken_over(part: &TomlEntry<'_>, heir: &TomlNode<'_>) -> bool {
    let has = |key: &str| heir.as_table().is_some_and(|table| table.get(key).is_some());
    match &*part.key {
        "rows" => matches!(part.node.data, TomlValue::Table(_)) && (has("key") || has("formerly_rows")),
        "grid" => has("grid"),
        key => WORDS.contains(&key),
    }
}

/// A change of a table, its rows and columns by their names of today.
fn with_rows_of_today<'a>(mut entry: TomlEntry<'a>, known: &TomlNode<'a>, log: &LayerLog<'_>) -> TomlEntry<'a> {
    let (TomlValue::Table(new), Some(table)) = (&mut entry.node.data, known.as_table()) else { return entry };
    let Some(TomlValue::Table(rows)) = new.entry_mut("rows").map(|rows| &mut rows.node.data) else { return entry };
    let columns = table_columns(table);
    let names = table.table("formerly_rows");
    let mut known_rows: HashMap<String, &TomlNode<'_>> = HashMap::new();
    for row in table.list("rows") {
        known_rows.entry(row_key(row, &columns)).or_insert(row);
    }
    // A table that has got a key since its rows were known by their numbers; not where a key may be a number.
    let has_words = columns.iter().any(|(_, key)| *key) && known_rows.keys().all(|key| key.parse::<i64>().is_err());
    let by_number = |key: &str| {
        let place = key.parse::<usize>().ok().filter(|_| has_words)?.checked_sub(1)?;
        Some(row_key(table.list("rows").get(place)?, &columns))
    };
    for row in &mut rows.entries {
        let named = names.and_then(|names| names.text(&row.key)).map(str::to_owned);
        let now = named.or_else(|| by_number(&row.key));
        if let Some(now) = now.filter(|_| !known_rows.contains_key(&*row.key)) {
            let was = format!("table `{}`: row `{}`", entry.key, shorten(&row.key));
            log.renamed(row.span, &was, &now, format!("use [change.table.{}.rows.\"{now}\"]", entry.key));
            row.key = now.into();
        }
        let old = known_rows.get(&*row.key).copied();
        if let TomlValue::Table(cells) = &mut row.node.data {
            for (n, column) in table.list("columns").iter().enumerate() {
                let cell = old.and_then(|row| row.as_list()).and_then(|row| row.get(n));
                let place = (&*entry.key, &*row.key);
                rename_cells(cells, column, cell, place, log);
            }
        }
    }
    entry
}

/// Cells of a changed row that were said of columns which this one has taken over; `place`: the table and the row.
fn rename_cells<'a>(
    cells: &mut TomlTable<'a>,
    column: &TomlNode<'a>,
    now: Option<&TomlNode<'a>>,
    place: (&str, &str),
    log: &LayerLog<'_>,
) {
    let (former, Some(id)) = (former_names(column), column.text_at("id")) else { return };
    let is_former = |cell: &TomlEntry<'_>| former.contains(&&*cell.key);
    let Some(first) = cells.entries.iter().position(is_former) else { return };
    let said: Vec<TomlEntry<'a>> = cells.entries.extract_if(.., |cell| is_former(cell)).collect();
    let mut one = said[0].clone();
    let renewed = match &former[..] {
        [_] => Some(one.node.data.clone()),
        _ => now.and_then(TomlNode::as_text).and_then(|text| with_numbers(text, &former, &said)),
    };
    let row = format!("[change.table.{}.rows.\"{}\"]", place.0, place.1);
    match renewed {
        Some(data) => {
            let what = format!("table `{}`: column `{}`", place.0, one.key);
            log.renamed(one.span, &what, id, format!("write `{id}` in {row}"));
            one.node.data = data;
            one.key = id.to_owned().into();
            cells.entries.insert(first, one);
        }
        None => {
            for cell in said {
                let message = format!("table `{}`: column `{}` is a part of `{id}` now", place.0, cell.key);
                let is = now.and_then(TomlNode::as_text).unwrap_or("…");
                log.numbers_moved(cell.span, message, format!("write the whole: {id} = \"{is}\" in {row}"));
            }
        }
    }
}

/// A text of as many numbers as the columns that it has taken over, such as `2/1`, with those said of single ones; `None` if it is another text.
fn with_numbers<'a>(text: &str, former: &[&str], said: &[TomlEntry<'_>]) -> Option<TomlValue<'a>> {
    let mut renewed = text.to_owned();
    for (place, column) in numbers_alone(text, former.len())?.into_iter().zip(former).rev() {
        match said.iter().find(|cell| cell.key == **column).map(|cell| &cell.node.data) {
            Some(TomlValue::Int(number)) => renewed.replace_range(place, &number.to_string()),
            Some(_) => return None,
            None => {}
        }
    }
    Some(TomlValue::Text(renewed.into()))
}

/// Where the numbers are of a text that has nothing but so many, with the same between them.
fn numbers_alone(text: &str, count: usize) -> Option<Vec<Range<usize>>> {
    let places = numbers_in(text);
    let between: BTreeSet<&str> = places.windows(2).map(|pair| &text[pair[0].end..pair[1].start]).collect();
    let (first, last) = (places.first()?, places.last()?);
    let is_alone = places.len() == count && between.len() <= 1 && first.start == 0 && last.end == text.len();
    is_alone.then_some(places)
}

/// What a cell says of each of the columns that its own has taken over; null where that cannot be told.
pub fn former_cells(cell: &Value, columns: usize) -> Vec<Value> {
    let known = match cell {
        cell if columns == 1 => Some(vec![cell.clone()]),
        Value::Text(text) => faces_by_roll(text, columns).or_else(|| {
            let numbers = numbers_alone(text, columns)?;
            numbers.into_iter().map(|place| text[place].parse().ok().map(Value::Int)).collect()
        }),
        _ => None,
    };
    known.unwrap_or_else(|| vec![Value::Null; columns])
}

fn numbers_in(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices(|letter: char| letter.is_ascii_digit()) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_base::source::Span;

    #[test]
    fn a_number_takes_its_place_in_a_text_of_numbers_alone() {
        let node = TomlNode { span: Span::default(), data: TomlValue::Int(7) };
        let said = [TomlEntry { key: "far".into(), span: Span::default(), node }];
        let text = |text: &str| match with_numbers(text, &["near", "far"], &said) {
            Some(TomlValue::Text(text)) => Some(text.to_string()),
            _ => None,
        };
        assert_eq!(text("2/1").as_deref(), Some("2/7"));
        assert_eq!(text("12 – 10").as_deref(), Some("12 – 7"));
        for other in ["2", "2/1/1", "1: 0 each", "D6/2", ""] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}
