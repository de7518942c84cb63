//! Compares several designs: takes their evaluations, gives one table with a column for each: what is decided by first,
//! then costs, then what is aboard. The first design is the player's. Never decides which is better.

use std::sync::Arc;

use super::Evaluation;
use super::compared_items::{
    ComparedItem, budget_items, cost_items, custom_system_items, field_items, finding_items, fit_items, head_items,
    mounts_of_all, value_items,
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignTable {
    pub sections: Vec<TableSection>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSection {
    pub title: String,
    pub rows: Vec<TableRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    pub label: String,
    /// One for each design; `None` if it does not have it.
    pub cells: Vec<Option<ComparedCell>>,
    /// Not the same in all designs.
    pub differs: bool,
    /// What of the file makes the row; `None` for what is computed.
    pub part: Option<ComparedPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedCell {
    pub text: String,
    /// The number minus that of the first design.
    pub difference: Option<i64>,
    /// Equal to the first design's.
    pub is_same: bool,
}

/// A part of a design's or fleet's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedPart {
    TopKey(&'static str),
    Field(String),
    /// All of a system in a mount.
    Fits {
        mount: Arc<str>,
        system: String,
    },
    /// One of the design's own systems, by its id.
    CustomSystem(String),
    /// All ships of a class, by its name.
    Class(String),
}

impl DesignTable {
    pub fn differences(&self) -> usize {
        self.sections.iter().flat_map(|section| &section.rows).filter(|row| row.differs).count()
    }
}

/// Compares designs; the first one is the player's.
pub fn compare(ships: &[&Evaluation]) -> DesignTable {
    let all = |of: &dyn Fn(&Evaluation) -> Vec<ComparedItem>| ships.iter().map(|ship| of(ship)).collect::<Vec<_>>();
    let mut sections =
        vec![section("Key values", all(&budget_items), |_| None), section("Cost", all(&cost_items), |_| None)];
    for mount in mounts_of_all(ships) {
        let title = if mount.label.is_empty() { "Aboard".to_owned() } else { format!("Aboard: {}", mount.label) };
        let part = |key: &str| Some(ComparedPart::Fits { mount: mount.id.clone(), system: key.to_owned() });
        sections.push(section(&title, all(&|ship| fit_items(ship, &mount.id)), part));
    }
    let own = |id: &str| Some(ComparedPart::CustomSystem(id.to_owned()));
    sections.push(section("Own systems", all(&custom_system_items), own));
    // A row of a field is known by the field's id and the row's number.
    let field = |key: &str| key.split(' ').next().map(|id| ComparedPart::Field(id.to_owned()));
    sections.push(section("Fields", all(&field_items), field));
    let is_key_value =
        |ship: &Evaluation, key: &str| key == "points" || budget_items(ship).iter().any(|item| item.key == key);
    let values = |ship: &Evaluation| {
        let mut items = value_items(ship);
        items.retain(|item| !is_key_value(ship, &item.key));
        items
    };
    sections.push(section("Values", all(&values), |_| None));
    let top = |key: &str| ["name", "notes"].into_iter().find(|known| *known == key).map(ComparedPart::TopKey);
    sections.push(section("Design", all(&head_items), top));
    sections.push(section("Findings", all(&finding_items), |_| None));
    sections.retain(|section| !section.rows.is_empty());
    DesignTable { sections }
}

/// How points, and each value with a limit or of the headline, differ from the design before: label and difference, in
/// the order of the rules.
pub fn key_value_changes(before: &Evaluation, after: &Evaluation) -> Vec<(String, i64)> {
    let rows = section("Key values", vec![budget_items(before), budget_items(after)], |_| None).rows;
    let change = |row: TableRow| Some((row.label, row.cells.into_iter().nth(1)??.difference.filter(|by| *by != 0)?));
    rows.into_iter().filter_map(change).collect()
}

/// A section of texts with a key, a label and perhaps a number each, one list for each column.
pub fn table_section(
    title: &str,
    columns: Vec<Vec<(String, String, String, Option<i64>)>>,
    part: impl Fn(&str) -> Option<ComparedPart>,
) -> TableSection {
    let item = |(key, label, text, number)| ComparedItem { number, ..ComparedItem::new(key, label, text) };
    let columns = columns.into_iter().map(|items| items.into_iter().map(item).collect()).collect();
    section(title, columns, part)
}

struct MatchedRow {
    key: String,
    label: String,
    items: Vec<Option<ComparedItem>>,
}

fn section(title: &str, columns: Vec<Vec<ComparedItem>>, part: impl Fn(&str) -> Option<ComparedPart>) -> TableSection {
    let count = columns.len();
    let mut rows: Vec<MatchedRow> = Vec::new();
    for (column, items) in columns.into_iter().enumerate() {
        let mut items: Vec<Option<ComparedItem>> = items.into_iter().map(Some).collect();
        // Equal ones find each other first, then those of one key in their order.
        for equal in [true, false] {
            for item in items.iter_mut().filter(|item| item.is_some()) {
                let is_row = |row: &&mut MatchedRow| {
                    let Some(item) = item.as_ref() else { return false };
                    let same = |other: &ComparedItem| !equal || other.facts == item.facts;
                    row.key == item.key && row.items[column].is_none() && row.items.iter().flatten().any(same)
                };
                if let Some(row) = rows.iter_mut().find(is_row) {
                    row.items[column] = item.take();
                }
            }
        }
        rows.extend(items.into_iter().flatten().map(|item| {
            let (key, label) = (item.key.clone(), item.label.clone());
            let mut items: Vec<Option<ComparedItem>> = (0..count).map(|_| None).collect();
            items[column] = Some(item);
            MatchedRow { key, label, items }
        }));
    }
    let rows = rows.into_iter().map(|row| table_row(row, &part)).collect();
    TableSection { title: title.to_owned(), rows }
}

fn table_row(row: MatchedRow, part: &impl Fn(&str) -> Option<ComparedPart>) -> TableRow {
    let first = row.items.first().and_then(Option::as_ref);
    let facts = first.map(|item| &item.facts);
    let cell = |item: &ComparedItem| ComparedCell {
        text: item.text.clone(),
        difference: item.number.zip(first.and_then(|first| first.number)).map(|(number, first)| number - first),
        is_same: Some(&item.facts) == facts,
    };
    let differs = row.items.iter().any(|item| item.as_ref().map(|item| &item.facts) != facts);
    let cells = row.items.iter().map(|item| item.as_ref().map(cell)).collect();
    TableRow { part: part(&row.key), label: row.label, cells, differs }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(section: &TableSection) -> Vec<String> {
        let cell = |cell: &Option<ComparedCell>| cell.as_ref().map_or("–".to_owned(), |cell| cell.text.clone());
        let row = |row: &TableRow| {
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            format!("{} {}{}", row.label, cells.join(" "), if row.differs { " differs" } else { "" })
        };
        section.rows.iter().map(row).collect()
    }

    #[test]
    fn equal_items_share_a_row() {
        let item = |key: &str, number: i64| (key.to_owned(), key.to_owned(), number.to_string(), Some(number));
        let columns = vec![
            vec![item("laser", 2), item("laser", 4)],
            vec![item("laser", 4), item("drive", 1)],
            vec![item("laser", 3), item("drive", 1)],
        ];
        let section = table_section("Aboard", columns, |key| Some(ComparedPart::Field(key.to_owned())));
        assert_eq!(rows(&section), ["laser 2 – 3 differs", "laser 4 4 – differs", "drive – 1 1 differs"]);
        assert_eq!(section.rows[0].cells[2].as_ref().and_then(|cell| cell.difference), Some(1));
        let same = table_section("Aboard", vec![vec![item("laser", 2)], vec![item("laser", 2)]], |_| None);
        assert!(!same.rows[0].differs);
    }
}
