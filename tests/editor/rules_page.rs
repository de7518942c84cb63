//! The rules page: tables, a first change as a house layer, undo, checks, layers, text.

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::rules_page::{CellId, RulesPageCommand, RulesSide};
use moldloft::editor::{Command, Dialog, Tab};
use moldloft::ruleset::GridId;

use crate::editor::bench::Bench;
use crate::editor::rule_impact::rows;

pub const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
pub const LAYER: &str = "rulesets/our-house-rules.toml";
pub const HEADER: &str = "[ruleset]\nid = \"our-house-rules\"\ntitle = \"Our house rules\"\nversion = \"1.0\"\nschema = 1\n\
                      extends = \"wars-of-honor\"\nextends_version = \"1.0.0\"\n";

pub fn page() -> Bench {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.give(Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())));
    bench
}

/// Selects a cell and types into it.
pub fn type_into(bench: &mut Bench, cell: &str, text: &str) {
    bench.click(cell);
    bench.type_text(text);
}

/// A layer in which a laser costs 12 points, for the reason given.
pub fn layer() -> Bench {
    let mut bench = page();
    type_into(&mut bench, "laser, points: 10", "12");
    bench.click("Change in a house layer…");
    bench.focus("Reason");
    bench.type_text("they won every battle");
    bench.click("Create");
    bench
}

#[test]
fn rules_are_tables_that_can_be_searched_with_where_numbers_come_from() {
    let mut bench = page();
    assert!(bench.shows("Show Systems, 14"));
    assert!(bench.shows("laser, points: 10") && bench.shows_part("beta node, points: 1 + structure"));
    assert!(bench.shows_part("built-in rules"));
    bench.click("Show Nation: options, 6");
    bench.click("Silesian pirates, civilians, row: silesian-pirates");
    assert!(bench.shows_part("assumed: civilians use the pirates' missiles"));
    assert!(bench.shows_part("rulesets/wars-of-honor.toml:"));
    // Words anywhere; the first table with a match is shown.
    bench.give(Command::RulesPage(RulesPageCommand::Search("energy torpedo".into())));
    assert!(bench.shows_part("energy torpedo, points") && !bench.shows("laser, points: 10"));
    bench.give(Command::RulesPage(RulesPageCommand::Search("no such rule".into())));
    assert!(bench.shows("Nothing found."));
}

#[test]
fn the_first_change_makes_a_layer_and_undo_gives_the_bytes_back() {
    let mut bench = layer();
    let expected = format!("{HEADER}\n[change.system.laser]\npoints = 12\nreason = \"they won every battle\"\n");
    assert_eq!(bench.text(), expected);
    assert_eq!(std::fs::read_to_string(bench.path(LAYER)).unwrap(), expected, "saved with its first change");
    assert!(bench.shows("laser, points: 12, changed") && bench.shows_part("house layer, 1 change"));
    assert!(bench.shows_part("before: 10"));
    // Further changes are written as they are typed.
    type_into(&mut bench, "laser, mass: 1", "3");
    assert_eq!(
        bench.text(),
        expected.replace("reason = \"they won every battle\"\n", "reason = \"they won every battle\"\nmass = 3\n")
    );
    assert!(bench.shows("Our house rules, not saved"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), expected);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), HEADER);
    assert!(bench.shows("laser, points: 10"));
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(bench.text(), expected);
}

#[test]
fn a_key_is_in_the_text_at_once_and_in_the_tables_after_a_job() {
    let mut bench = layer();
    bench.click("laser, points: 12, changed");
    let before = bench.text();
    let now = |bench: &mut Bench, command: Command| bench.harness.state_mut().apply(command);
    let key = |text: &str| Command::RulesPage(RulesPageCommand::Type(text.into()));
    let tables = |bench: &Bench| std::sync::Arc::clone(&bench.doc().as_ruleset().unwrap().book);
    let made = tables(&bench);
    now(&mut bench, key("1"));
    now(&mut bench, key("14"));
    assert!(bench.text().contains("points = 14\n"));
    assert!(std::sync::Arc::ptr_eq(&made, &tables(&bench)), "no tables are made while a key is typed");
    bench.settle();
    assert!(bench.shows("laser, points: 14, changed") && bench.doc().as_ruleset().unwrap().behind.is_none());
    // Undone before the tables are there: those of the key are dropped.
    now(&mut bench, key("15"));
    now(&mut bench, Command::Undo);
    assert_eq!(bench.text(), before);
    bench.settle();
    assert!(bench.shows("laser, points: 12, changed") && bench.shows_part("house layer, 1 change"));
    // What is saved, and what needs the tables, has the key.
    now(&mut bench, key("16"));
    now(&mut bench, Command::Save);
    assert!(std::fs::read_to_string(bench.path(LAYER)).unwrap().contains("points = 16\n"));
    let cell =
        CellId { grid: GridId { section: "system".into(), part: None }, row: "laser".into(), column: "points".into() };
    now(&mut bench, key("17"));
    now(&mut bench, Command::RulesPage(RulesPageCommand::TakeBack(cell)));
    assert!(!bench.text().contains("points"));
    bench.settle();
    assert!(bench.shows("laser, points: 10"));
}

#[test]
fn a_change_is_taken_back_alone_and_comments_stay() {
    let mut bench = Bench::new(&[VIGILANT]);
    let text = format!(
        "{HEADER}\n# lasers\n[change.system.laser]\npoints = 12   # dear\nmass = 3\n\n[change.system.graser]\nmass = 9\n"
    );
    std::fs::create_dir_all(bench.path("rulesets")).unwrap();
    std::fs::write(bench.path(LAYER), &text).unwrap();
    bench.open(LAYER);
    bench.click("laser, mass: 3, changed");
    bench.click("take back mass of laser");
    assert_eq!(bench.text(), text.replace("mass = 3\n", ""));
    bench.click("graser, mass: 9, changed");
    bench.click("take back mass of graser");
    assert_eq!(bench.text(), text.replace("mass = 3\n\n[change.system.graser]\nmass = 9\n", ""));
}

#[test]
fn a_layer_is_saved_closed_and_opened_like_a_design() {
    let mut bench = layer();
    type_into(&mut bench, "laser, mass: 1", "3");
    let id = bench.doc().id;
    bench.give(Command::Close(id));
    assert_eq!(bench.state().dialog, Some(Dialog::ConfirmClose(id)));
    bench.click("Save");
    assert!(bench.state().docs.iter().all(|doc| doc.id != id));
    assert!(std::fs::read_to_string(bench.path(LAYER)).unwrap().contains("mass = 3\n"));
    // Designs can be checked by it at once.
    bench.open(VIGILANT);
    let before = bench.doc().evaluation().unwrap().points;
    bench
        .give(Command::Rules(moldloft::editor::ruleset_status::RulesCommand::Override(Some("our-house-rules".into()))));
    assert_ne!(bench.doc().evaluation().unwrap().points, before);
}

#[test]
fn a_layer_without_a_workspace_begins_one() {
    let mut bench = Bench::over(tempfile::tempdir().unwrap());
    bench.give(Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())));
    type_into(&mut bench, "laser, points: 10", "12");
    bench.click("Change in a house layer…");
    bench.click("Create");
    let to = bench.folder.path().join("club/rulesets/our-house-rules.toml");
    bench.give(Command::SaveTo(to.clone()));
    assert!(to.exists(), "{:?}", bench.state().notices);
    assert_eq!(bench.state().store.workspace(), Some(&*bench.folder.path().join("club")));
    assert!(bench.state().rulesets.find("our-house-rules").ruleset().is_some(), "designs can be checked by it");
}

#[test]
fn rules_saved_where_no_design_finds_them_are_copied_to_where_they_are_offered() {
    let mut bench = Bench::new(&[VIGILANT]);
    let (first, other) = (bench.folder.path().join("mine.toml"), bench.folder.path().join("other.toml"));
    std::fs::write(&first, format!("{HEADER}\n[change.system.laser]\npoints = 12\n")).unwrap();
    bench.give(Command::Open(first));
    bench.give(Command::SaveTo(other.clone()));
    assert!(other.exists() && bench.state().rulesets.find("our-house-rules").ruleset().is_none());
    assert!(bench.shows_part("Designs cannot use these rules from here"));
    // Said once, and of the rules, whatever is shown by then.
    bench.give(Command::ShowTab(Tab::Start));
    bench.click("Save a copy where designs find it");
    assert!(bench.path(LAYER).exists() && other.exists());
    assert!(!bench.shows_part("Designs cannot use these rules from here"));
    assert!(bench.state().rulesets.find("our-house-rules").ruleset().is_some(), "designs can be checked by it");
}

#[test]
fn a_formula_error_is_shown_at_once_and_the_rest_stays_in_force() {
    let mut bench = layer();
    type_into(&mut bench, "graser, points: 15", "base + structur");
    assert!(bench.text().contains("points = \"base + structur\"\n"));
    assert!(bench.shows_part("unknown name “structur”"), "the compiler's own finding");
    assert!(bench.shows("graser, points: base + structur, error"));
    assert!(bench.shows("laser, points: 12, changed"));
    bench.click("insert structure");
    assert!(bench.text().contains("points = \"base + structure\"\n"));
    assert!(!bench.shows_part("unknown name") && bench.shows("graser, points: base + structure, changed"));
    assert!(bench.shows_part("in full: 15 + structure") || bench.shows_part("in full: (15) + structure"));
}

#[test]
fn a_check_is_softened_or_switched_off_with_a_reason() {
    let mut bench = layer();
    bench.give(Command::RulesPage(RulesPageCommand::Search("starship-without-cnc".into())));
    bench.click_first("starship without cnc, severity: warning");
    bench.click("severity of starship without cnc: off");
    assert!(!bench.is_enabled("Apply"), "never without a reason");
    bench.type_text("freighters are flown from the bridge");
    bench.click("Apply");
    let lines =
        "[change.check.starship-without-cnc]\nseverity = \"off\"\nreason = \"freighters are flown from the bridge\"\n";
    assert!(bench.text().contains(lines), "{}", bench.text());
    // A built-in finding, too.
    bench.give(Command::RulesPage(RulesPageCommand::Search("mount-not-allowed".into())));
    bench.click_first("mount not allowed (built-in), severity: not set");
    bench.click("severity of mount not allowed (built-in): a warning");
    bench.type_text("captured ships");
    bench.click("Apply");
    assert!(bench.text().contains("[change.check.mount-not-allowed]\nseverity = \"warning\"\n"));
    assert!(bench.doc().as_ruleset().unwrap().findings.iter().all(|finding| finding.severity.as_str() != "error"));
}

#[test]
fn layers_are_switched_for_a_look_and_ordered() {
    let mut bench = Bench::new(&[VIGILANT]);
    std::fs::create_dir_all(bench.path("rulesets")).unwrap();
    let other = |id: &str, points: i64| {
        format!(
            "[ruleset]\nid = \"{id}\"\ntitle = \"{id}\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
             [change.system.laser]\npoints = {points}\n"
        )
    };
    for (id, points) in [("cheap", 4), ("dear", 40), ("third", 7)] {
        std::fs::write(bench.path(&format!("rulesets/{id}.toml")), other(id, points)).unwrap();
    }
    let text = HEADER
        .replace("extends = \"wars-of-honor\"", "extends = [\"cheap\", \"dear\"]")
        .replace("extends_version = \"1.0.0\"", "extends_version = [\"1\", \"1\"]")
        + "[change.system.graser]\npoints = 20\n";
    std::fs::write(bench.path(LAYER), &text).unwrap();
    bench.open(LAYER);
    assert!(bench.shows("laser, points: 40"));
    let with_all = rows(&bench);
    bench.click("use dear");
    assert!(bench.shows("laser, points: 4") && !bench.doc().is_changed(), "nothing is saved");
    assert_ne!(rows(&bench), with_all);
    bench.click("use Our house rules");
    assert!(bench.shows("graser, points: 20, changed"), "the table shows what the layer says");
    bench.click("use Our house rules");
    bench.click("use dear");
    assert_eq!(rows(&bench), with_all);
    bench.click("move dear earlier");
    assert!(bench.text().contains("extends = [\"dear\", \"cheap\"]\n"));
    assert!(bench.shows("laser, points: 4"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), text);
    // The same with the pointer.
    let centre = |bench: &Bench, name: &str| bench.harness.get_all_by_label(name).next().unwrap().rect().center();
    let (from, to) = (centre(&bench, "dear"), centre(&bench, "cheap"));
    bench.harness.hover_at(from);
    bench.harness.run_steps(2);
    bench.harness.drag_at(from);
    bench.harness.run_steps(2);
    bench.harness.hover_at(from + egui::vec2(-12.0, 2.0));
    bench.harness.run_steps(2);
    bench.harness.hover_at(to);
    bench.harness.run_steps(2);
    bench.harness.drop_at(to);
    bench.settle();
    assert!(bench.text().contains("extends = [\"dear\", \"cheap\"]\n"), "dragged: {}", bench.text());
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), text);
    bench.click("add another layer below this one");
    bench.click("third");
    assert!(bench.text().contains("extends = [\"cheap\", \"dear\", \"third\"]\n"));
    bench.click("remove third from the layers");
    assert!(bench.text().contains("extends = [\"cheap\", \"dear\"]\n"));
}

#[test]
fn text_and_tables_have_one_undo_and_a_broken_text_loses_nothing() {
    let mut bench = layer();
    let first = bench.text();
    type_into(&mut bench, "laser, mass: 1", "3");
    let second = bench.text();
    bench.click("Text");
    let typed = second.replace("points = 12", "points = 14");
    bench.give(Command::Persistence(moldloft::editor::PersistenceCommand::SetText(typed.clone())));
    assert!(bench.shows("laser, points: 14, changed"));
    let broken = typed.replace("points = 14", "points = = 14");
    bench.give(Command::Persistence(moldloft::editor::PersistenceCommand::SetText(broken.clone())));
    assert_eq!(bench.text(), broken);
    assert!(bench.shows("laser, points: 14, error"), "the last tables stay");
    assert!(bench.shows_part("The text cannot be read at the moment"));
    bench.give(Command::RulesPage(RulesPageCommand::ShowSide(RulesSide::Findings)));
    assert!(bench.shows_part("invalid TOML"));
    bench.give(Command::EndMerge);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), second);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), first);
}

#[test]
fn bad_layers_open_with_their_findings_at_place() {
    let mut bench = Bench::new(&[VIGILANT]);
    std::fs::create_dir_all(bench.path("rulesets")).unwrap();
    let bad = [
        format!("{HEADER}[change.system.laser]\npoints = \"2 *\"\n[change.system.lasr]\nmass = 1\n"),
        HEADER.replace("wars-of-honor", "no-such-rules"),
        "[ruleset]\nextends = 4\n".to_owned(),
        format!("{HEADER}change = 3\n"),
        format!("{HEADER}[change.table.missiles]\nrows = [[[[1]]]]\nadd.rows = \"x\"\n[[system]]\nid = 3\n"),
    ];
    for (n, text) in bad.iter().enumerate() {
        let file = format!("rulesets/bad{n}.toml");
        std::fs::write(bench.path(&file), text).unwrap();
        bench.open(&file);
        bench
            .click_first(&bench.state().docs.last().map(|doc| format!("Findings ({})", doc.findings().len())).unwrap());
        assert!(bench.shows_part("error: "), "{text}");
        assert_eq!(bench.text(), *text);
    }
    bench.give(Command::ShowTab(Tab::Doc(bench.state().docs[0].id)));
    assert!(bench.shows_part("Go to line 9, column "));
    let line = bench.harness.get_all_by_label_contains("Go to line 9, column ").next();
    line.expect("a finding has its place").click_accesskit();
    bench.settle();
    assert_eq!(bench.state().rules_pages[&bench.doc().id].side, RulesSide::Text);
    // A file that is no TOML from the start is shown as text.
    std::fs::write(bench.path("rulesets/worse.toml"), "[ruleset]\nid = = 3\n").unwrap();
    bench.open("rulesets/worse.toml");
    assert_eq!(bench.text(), "[ruleset]\nid = = 3\n");
}

#[test]
fn the_menu_opens_the_page_of_the_rules_in_use() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::U);
    assert!(bench.shows("Show Systems, 14"));
}

#[test]
fn a_list_of_tables_is_a_table_of_cells() {
    for game in ["wars-of-honor", "star-navy", "b5-house-rules", "sky-full-of-ships", "battleships-1890s"] {
        let mut bench = Bench::new(&[]);
        bench.give(Command::RulesPage(RulesPageCommand::Open(game.into())));
        let id = bench.doc().id;
        let open = bench.doc().as_ruleset().unwrap().clone();
        let lists: Vec<CellId> = open
            .book
            .grids
            .iter()
            .flat_map(|grid| grid.rows.iter().map(move |row| (grid, row)))
            .flat_map(|(grid, row)| {
                grid.columns.iter().zip(&row.cells).map(move |(column, cell)| (grid, row, column, cell))
            })
            .filter(|(.., cell)| !cell.is_plain && cell.text.as_deref().is_some_and(|text| text.starts_with("[{")))
            .map(|(grid, row, column, _)| CellId {
                grid: grid.id.clone(),
                row: row.key.clone(),
                column: column.key.clone(),
            })
            .collect();
        let Some(cell) = lists.first() else { continue };
        bench.give(Command::RulesPage(RulesPageCommand::SelectCell(cell.clone())));
        assert!(bench.shows_part(", row 1") && bench.shows_part("add a row to"), "{game}: {cell:?}");
        let add = bench.harness.get_by_label_contains("add a row to").rect().center();
        _ = add;
        bench.click_part("add a row to");
        let typed = bench.state().rules_pages[&id].typed.clone().expect("typed");
        assert!(typed.starts_with('[') && typed.matches('{').count() > 1, "{game}: {typed}");
        bench.click("Change in a house layer…");
        bench.click("Create");
        assert!(bench.text().contains(&*cell.column), "{game}: {}", bench.text());
        return;
    }
    panic!("no game has a list of tables");
}

/// The first cell with a table in it that has no table of its own.
fn cell_with_a_table(bench: &Bench) -> CellId {
    let book = &bench.doc().as_ruleset().unwrap().book;
    let cells = book.grids.iter().flat_map(|grid| grid.rows.iter().map(move |row| (grid, row)));
    let of = cells.flat_map(|(grid, row)| row.cells.iter().zip(&grid.columns).map(move |cell| (grid, row, cell)));
    let is_table = |text: &str| text.starts_with('{') && text.len() > 4;
    let mut tables = of.filter(|(.., (cell, _))| !cell.is_plain && cell.text.as_deref().is_some_and(is_table));
    let (grid, row, (_, column)) = tables.next().expect("a table in a cell");
    CellId { grid: grid.id.clone(), row: row.key.clone(), column: column.key.clone() }
}

#[test]
fn a_table_with_names_has_cells() {
    let mut bench = page();
    let cell = cell_with_a_table(&bench);
    bench.give(Command::RulesPage(RulesPageCommand::SelectCell(cell.clone())));
    assert!(!bench.shows("A table: edit it as text."), "{cell:?}");
    let first = bench.harness.query_all_by_label_contains(", row 1").find(|node| {
        node.accesskit_node().label().is_some_and(|name| name.contains(" of ") && !name.starts_with("name of"))
    });
    first.expect("cells").focus();
    bench.settle();
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("4321");
    bench.click("Change in a house layer…");
    bench.click("Create");
    assert!(bench.text().contains("4321"), "{cell:?}: {}", bench.text());
}

#[test]
fn a_formula_typed_into_a_game_is_checked_before_there_is_a_layer() {
    let mut bench = page();
    type_into(&mut bench, "laser, points: 10", "structur + 1");
    assert!(bench.shows_part("unknown name"), "its names are checked");
    assert!(bench.shows("Change in a house layer…"), "it may be changed anyway");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("structure + 1");
    assert!(!bench.shows_part("unknown name"));
}

#[test]
fn an_opened_ruleset_is_no_design_of_the_library() {
    let mut bench = layer();
    let path = bench.path(LAYER);
    let elsewhere = bench.folder.path().join("elsewhere.toml");
    std::fs::copy(path, &elsewhere).unwrap();
    bench.give(Command::Open(elsewhere));
    bench.give(Command::Library(moldloft::editor::library_browser::LibraryCommand::Scan));
    let entries = bench.state().library.catalogue.entries();
    assert!(entries.into_iter().all(|entry| !entry.file.path.ends_with("elsewhere.toml")));
}

#[test]
fn enter_makes_the_layer() {
    let mut bench = page();
    type_into(&mut bench, "laser, points: 10", "12");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.focused().as_deref(), Some("Name"));
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().dialog, None);
    assert!(bench.text().contains("points = 12"), "{}", bench.text());
}

#[test]
fn a_click_on_the_selected_cell_gives_the_input_the_focus() {
    let mut bench = page();
    type_into(&mut bench, "laser, points: 10", "12");
    bench.press(Modifiers::NONE, Key::Enter);
    bench.press(Modifiers::NONE, Key::Escape);
    type_into(&mut bench, "laser, points: 10", "14");
    assert!(bench.shows("Change in a house layer…"), "typed again");
}
