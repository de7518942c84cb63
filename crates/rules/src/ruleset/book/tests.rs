//! Tests of the tables of a ruleset.

use super::*;
use crate::ruleset::model::Provenance;

const BASE: &str = r#"
[ruleset]
id = "base"
title = "Base"
version = "1"
schema = 1
[attributes]
mass = { default = 0, unit = "tons" }
points = { default = 0, unit = "points" }
[[field]]
id = "nation"
kind = "choice"
[field.options]
haven = { label = "Haven", discount = 5, assumed = { discount = "not stated" } }
[[system]]
id = "laser"
mass = 2
points = "2 * it.mass"
derived = { points = "from the table" }
[[system]]
id = "graser"
like = "laser"
mass = 3
[[value]]
id = "points"
formula = "total('points')"
[[table]]
id = "guns"
columns = ["gun", "range"]
key = "gun"
rows = [["laser", 12], ["old one", 4]]
[[check]]
code = "too-heavy"
severity = "error"
fails_when = "total('mass') > 9"
message = "too heavy"
"#;

const LAYER: &str = r#"
[ruleset]
id = "ours"
title = "Ours"
version = "1"
schema = 1
extends = "base"
[change.system.laser]
points = "base + 1"
reason = "they win"
[change.field.nation.add.options]
manticore = { label = "Manticore", discount = 1 }
[change.table.guns]
rows."old one" = { remove = true }
rows.laser = { range = 14 }
add.rows = [["mortar", 2]]
[change.check.missing-name]
severity = "info"
reason = "we do"
[[system]]
id = "mortar"
like = "laser"
mass = 9
"#;

fn book(layer: &str) -> RuleBook {
    let sources = [Source::new("base.toml", BASE), Source::new("ours.toml", layer)];
    RuleBook::new(&sources, true)
}

fn grid<'b>(book: &'b RuleBook, section: &str, part: Option<(&str, &str)>) -> &'b RuleGrid {
    let part = part.map(|(entry, key)| (entry.into(), key.into()));
    book.grid(&GridId { section: section.into(), part }).unwrap()
}

fn cell<'g>(grid: &'g RuleGrid, row: &str, column: &str) -> &'g RuleCell {
    &grid.row(row).unwrap().cells[grid.column(column).unwrap()]
}

fn path(steps: &[PathStep]) -> String {
    steps.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")
}

#[test]
fn cells_show_what_is_written_and_what_is_below() {
    let book = book(LAYER);
    let systems = grid(&book, "system", None);
    assert_eq!(systems.columns.iter().map(|column| &*column.key).collect::<Vec<_>>(), ["mass", "points"]);
    assert_eq!(systems.columns[0].unit, "tons");
    let points = cell(systems, "laser", "points");
    assert_eq!(points.text.as_deref(), Some("base + 1"));
    assert_eq!(points.in_full.as_deref(), Some("(2 * it.mass) + 1"));
    assert_eq!((points.below.as_deref(), points.base.as_deref()), (Some("2 * it.mass"), Some("2 * it.mass")));
    assert!(points.is_set && !cell(systems, "laser", "mass").is_set);
    assert_eq!(points.provenance, [(Provenance::Derived, "from the table".to_owned())]);
    // It follows the system that it is like, and is not set itself.
    assert!(!cell(systems, "graser", "points").is_set);
    assert_eq!(systems.row("laser").unwrap().reason.as_deref(), Some("they win"));
    let states: Vec<_> = systems.rows.iter().map(|row| row.state).collect();
    assert_eq!(states, [RowState::Changed, RowState::Below, RowState::Added]);
    let mortar = systems.row("mortar").unwrap();
    assert_eq!(path(&mortar.cell_path("mass", 0)), "system/1/mass");
}

#[test]
fn options_and_rows_have_the_path_of_their_change() {
    let book = book(LAYER);
    let options = grid(&book, "field", Some(("nation", "options")));
    assert_eq!(
        path(&options.row("haven").unwrap().cell_path("discount", 1)),
        "change/field/nation/options/haven/discount"
    );
    let added = options.row("manticore").unwrap();
    assert_eq!((added.state, path(&added.path)), (RowState::Added, "change/field/nation/add/options/manticore".into()));
    assert_eq!(cell(options, "haven", "discount").provenance[0].0, Provenance::Assumed);
    let guns = grid(&book, "table", Some(("guns", "rows")));
    assert_eq!(path(&guns.row("laser").unwrap().cell_path("range", 1)), "change/table/guns/rows/laser/range");
    assert_eq!(cell(guns, "laser", "range").text.as_deref(), Some("14"));
    assert_eq!(cell(guns, "laser", "range").below.as_deref(), Some("12"));
    assert_eq!(path(&guns.row("mortar").unwrap().cell_path("range", 1)), "change/table/guns/add/rows/1/2");
    assert_eq!(guns.row("old one").unwrap().state, RowState::Removed);
}

#[test]
fn built_in_findings_follow_the_checks() {
    let book = book(LAYER);
    let checks = grid(&book, "check", None);
    assert_eq!(&*checks.rows[0].key, "too-heavy");
    let soft = checks.row("missing-name").unwrap();
    assert_eq!((soft.state, soft.reason.as_deref()), (RowState::Changed, Some("we do")));
    assert_eq!(cell(checks, "missing-name", "severity").text.as_deref(), Some("info"));
    assert_eq!(cell(checks, "over-budget", "severity").text, None);
}

#[test]
fn bad_layers_have_tables() {
    for layer in
        ["", "change = 3", "[change.system.laser]\npoints = [[1]]", "[change.table.guns]\nrows = 4\n[[system]]\nid = 4"]
    {
        let book = book(layer);
        assert!(book.grids.iter().any(|grid| grid.rows.iter().any(|row| &*row.key == "laser")), "{layer}");
    }
    assert!(RuleBook::new(&[], true).grids.is_empty());
    let alone = RuleBook::new(&[Source::new("base.toml", BASE)], false);
    assert!(alone.grids.iter().flat_map(|grid| &grid.rows).all(|row| row.state == RowState::Below));
}
