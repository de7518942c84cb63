//! The rules page: tables, a first change as a house layer, undo, checks, new rows, impact, layers, text.

use std::process::Command as Process;

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::rules_page::{CellId, ImpactStatus, RuleChange, RulesPageCommand, RulesSide};
use moldloft::editor::{Command, Dialog, Edit, Tab};
use moldloft::ruleset::GridId;

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const LAYER: &str = "rulesets/our-house-rules.toml";
const HEADER: &str = "[ruleset]\nid = \"our-house-rules\"\ntitle = \"Our house rules\"\nversion = \"1.0\"\nschema = 1\n\
                      extends = \"wars-of-honor\"\nextends_version = \"1.0.0\"\n";

fn page() -> Bench {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.give(Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())));
    bench
}

/// Selects a cell and types into it.
fn type_into(bench: &mut Bench, cell: &str, text: &str) {
    bench.click(cell);
    bench.type_text(text);
}

/// A layer in which a laser costs 12 points, for the reason given.
fn layer() -> Bench {
    let mut bench = page();
    type_into(&mut bench, "laser, points: 10", "12");
    bench.click("Change in a house layer…");
    bench.harness.get_by_label("Reason").focus();
    bench.settle();
    bench.type_text("they won every battle");
    bench.click("Create");
    bench
}

fn rows(bench: &Bench) -> Vec<(String, Option<i64>, Option<i64>, bool)> {
    let id = bench.doc().id;
    let ImpactStatus::Done(rows) = &bench.state().rules_pages[&id].impact else {
        panic!(
            "no impact: {}",
            if let ImpactStatus::Failed(why) = &bench.state().rules_pages[&id].impact { why } else { "" }
        )
    };
    rows.iter().map(|(_, row)| (row.file.to_string(), row.before.points, row.after.points, row.after.legal)).collect()
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
fn a_system_added_by_form_can_be_fitted() {
    let mut bench = layer();
    bench.click("add a new system");
    bench.click("Add");
    assert!(bench.shows_part("missing id"), "a name is needed");
    fill(&mut bench, "Name", "Ion cannon");
    choose(&mut bench, "like", "Laser");
    let hint = bench.harness.get_by_label("points").accesskit_node().placeholder().map(str::to_owned);
    assert_eq!(hint.as_deref(), Some("as laser: 12"), "what the laser has need not be filled in");
    fill(&mut bench, "points", "8 + structure // 10");
    bench.click("Add");
    assert!(
        bench
            .text()
            .ends_with("\n[[system]]\nid = \"ion-cannon\"\nlike = \"laser\"\npoints = \"8 + structure // 10\"\n"),
        "{}",
        bench.text()
    );
    assert!(bench.shows_part("ion cannon, new"));
    bench.press(Modifiers::COMMAND, Key::S);
    let text = std::fs::read_to_string(bench.path(VIGILANT)).unwrap();
    let design = text.replace("wars-of-honor", "our-house-rules")
        + "\n[[fit]]\nsystem = \"ion-cannon\"\nmount = \"port\"\ncount = 2\n";
    std::fs::write(bench.path("designs/wars-of-honor/ion.toml"), design).unwrap();
    bench.open("designs/wars-of-honor/ion.toml");
    let fits = &bench.doc().evaluation().unwrap().fits;
    assert!(fits.iter().any(|fit| &*fit.system == "ion-cannon" && fit.placed));
}

/// Takes an entry of the list of this name.
fn choose(bench: &mut Bench, list: &str, entry: &str) {
    bench.click(list);
    bench.harness.get_all_by_label(entry).last().expect("an entry").click_accesskit();
    bench.settle();
}

/// Types into the field of this name.
fn fill(bench: &mut Bench, label: &str, text: &str) {
    bench.harness.get_by_label(label).focus();
    bench.settle();
    bench.type_text(text);
}

#[test]
fn an_attack_added_by_form_has_its_odds() {
    let mut bench = layer();
    bench.harness.get_by_label_contains("Show Attacks, ").click_accesskit();
    bench.settle();
    bench.click("add a new attack");
    fill(&mut bench, "id", "ion-storm");
    fill(&mut bench, "when", "range <= 10");
    bench.harness.get_by_label("step").focus();
    bench.settle();
    bench.type_text("[{ label = \"hits\", hits = \"3d6\" }, { left.structure = \"left.structure - hits\" }]");
    bench.click("Add");
    assert!(
        bench.text().ends_with(
            "\n[[attack]]\nid = \"ion-storm\"\nwhen = \"range <= 10\"\n\n[[attack.step]]\nlabel = \"hits\"\nhits = \"3d6\"\n\n\
             [[attack.step]]\nleft.structure = \"left.structure - hits\"\n"
        ),
        "{}",
        bench.text()
    );
    let rules = bench.doc().as_ruleset().unwrap();
    let errors: Vec<_> = rules.findings.iter().filter(|finding| finding.severity.as_str() == "error").collect();
    assert!(errors.is_empty(), "{errors:?}");
    bench.press(Modifiers::COMMAND, Key::S);
    let output = Process::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["odds", VIGILANT, "--rules", "our-house-rules", "--attack", "ion-storm", "--range", "8", "--json"])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let mean = report[0]["all"]["structure"]["mean"].as_f64().unwrap();
    assert!((mean - 10.5).abs() < 1e-9, "{mean}: 3d6");
}

#[test]
fn a_limit_of_fleets_is_made_by_form() {
    let mut bench = layer();
    bench.harness.get_by_label_contains("Show Checks, ").click_accesskit();
    bench.settle();
    bench.click("add a new check");
    choose(&mut bench, "kind of limit", "Something else: a formula");
    fill(&mut bench, "code", "too-many-ships");
    bench.click("Add");
    assert!(bench.shows_part("missing key"), "what is required is asked for");
    choose(&mut bench, "over", "fleet");
    fill(&mut bench, "fails when", "units() > 1");
    fill(&mut bench, "message", "{{ units() }} ships, at most 1 allowed");
    bench.click("Add");
    assert!(
        bench.text().ends_with(
            "\n[[check]]\ncode = \"too-many-ships\"\nseverity = \"error\"\nfails_when = \"units() > 1\"\n\
             message = \"{{ units() }} ships, at most 1 allowed\"\nover = \"fleet\"\n"
        ),
        "{}",
        bench.text()
    );
    bench.press(Modifiers::COMMAND, Key::S);
    let fleet = "ruleset = \"our-house-rules\"\nname = \"Two\"\n\n\
                 [[ship]]\ndesign = \"designs/wars-of-honor/vigilant.toml\"\ncount = 2\n";
    std::fs::write(bench.path("two.toml"), fleet).unwrap();
    let output =
        Process::new(env!("CARGO_BIN_EXE_moldloft")).args(["check", "two.toml"]).current_dir(bench.path("")).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(text.contains("error[too-many-ships]: 2 ships, at most 1 allowed"), "{text}");
}

#[test]
fn rows_and_options_are_added_and_removed() {
    let mut bench = layer();
    bench.give(Command::RulesPage(RulesPageCommand::Search("".into())));
    bench.click("Show Nation: options, 6");
    bench.click("Manticore Alliance, discount: 0");
    bench.click("add a new option");
    bench.harness.get_by_label("id").focus();
    bench.settle();
    bench.type_text("grayson");
    bench.click("Add");
    assert!(
        bench.text().contains("[change.field.nation.add.options]\ngrayson = {")
            && !bench.text().contains("Manticore Alliance"),
        "{}",
        bench.text()
    );
    assert!(bench.shows_part("changed") && bench.shows("Show Nation: options, 7, 1 changed"));
    bench.click("Republic of Haven, discount: 6");
    bench.click("remove Republic of Haven");
    bench.type_text("nobody plays them");
    bench.click("Apply");
    assert!(
        bench.text().contains("[change.field.nation.options.haven]\nremove = true\nreason = \"nobody plays them\"\n")
    );
    assert!(bench.shows("Republic of Haven, removed"));
    bench.click("take back the row Republic of Haven");
    assert!(!bench.text().contains("haven"), "{}", bench.text());
}

#[test]
fn the_impact_counts_open_designs_as_they_are_on_the_screen() {
    let mut bench = layer();
    let rules = bench.doc().id;
    let of_vigilant = |bench: &Bench| {
        let found = rows(bench).into_iter().find(|(file, ..)| file.ends_with("vigilant.toml"));
        let (_, before, after, _) = found.expect("a row");
        after.unwrap() - before.unwrap()
    };
    let saved = of_vigilant(&bench);
    bench.open(VIGILANT);
    let fit = {
        let fits = &bench.doc().evaluation().unwrap().fits;
        let at = fits.iter().position(|fit| &*fit.system == "laser").expect("lasers");
        (at, fits[at].count)
    };
    let step = DocumentEdit::set(TablePath::Fit(fit.0), "count", i64::from(fit.1) + 3);
    bench.give(Command::Edit(Edit::single("three more", step)));
    bench.give(Command::ShowTab(Tab::Doc(rules)));
    bench.settle();
    assert_eq!(of_vigilant(&bench), saved + 3 * 2, "three more lasers, each 2 points dearer");
}

#[test]
fn the_impact_is_that_of_the_command_line() {
    let bench = layer();
    let shown = rows(&bench);
    assert!(shown.len() > 3 && shown.iter().any(|(_, before, after, _)| before != after));
    let output = Process::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["rules", "impact", "wars-of-honor", "our-house-rules", "designs", "--json", "--workspace"])
        .arg(bench.path(""))
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for row in rows.as_array().unwrap() {
        let file = row["file"].as_str().unwrap();
        let own = shown.iter().find(|(known, ..)| known.ends_with(file)).unwrap_or_else(|| panic!("{file} is shown"));
        assert_eq!(own.1, row["before"]["points"].as_i64(), "{file}");
        assert_eq!(own.2, row["after"]["points"].as_i64(), "{file}");
        assert_eq!(Some(own.3), row["after"]["legal"].as_bool(), "{file}");
    }
    assert!(bench.shows_part("EVERYTHING THAT DIFFERS"));
}

#[test]
fn sheets_before_and_after_are_one_click_away() {
    let mut bench = layer();
    type_into(&mut bench, "laser, mass: 1", "30");
    bench.click("show the sheets of Vigilant before and after");
    assert!(bench.shows("sheet of Vigilant before, page 1") && bench.shows("sheet of Vigilant after, page 1"));
    // The keys, the wheel and a click enlarge both, and leave the preview's own size alone.
    let width = |bench: &Bench, side: &str| {
        bench.harness.get_by_label(&format!("sheet of Vigilant {side}, page 1")).rect().width()
    };
    let (before, zoom) = (width(&bench, "before"), bench.state().settings.sheet.zoom);
    bench.press(Modifiers::SHIFT, Key::F7);
    let larger = width(&bench, "before");
    assert!(larger > before * 1.2 && (larger - width(&bench, "after")).abs() < 1.0, "{before} {larger}");
    bench.press(Modifiers::NONE, Key::F9);
    assert!((width(&bench, "before") - before).abs() < 1.0);
    let middle =
        bench.harness.get_by_label("sheet of Vigilant after, page 1").rect().left_top() + egui::vec2(80.0, 80.0);
    bench.harness.hover_at(middle);
    bench.harness.run_steps(2);
    bench.harness.event(egui::Event::Zoom(1.5));
    bench.settle();
    assert!(width(&bench, "after") > before * 1.4);
    bench.click("sheet of Vigilant after, page 1");
    assert!((width(&bench, "after") - before).abs() < 1.0, "all of it again");
    bench.click_at(middle);
    let large = bench.harness.get_by_label("sheet of Vigilant after, page 1").rect();
    assert!(large.width() > before * 2.0 && large.contains(middle), "the place that was clicked is in sight");
    let left = large.left();
    let other = bench.harness.get_by_label("sheet of Vigilant before, page 1").rect();
    bench.press(Modifiers::NONE, Key::ArrowRight);
    let now = bench.harness.get_by_label("sheet of Vigilant after, page 1").rect().left();
    assert!(now < left, "{left} {now}");
    let moved = other.left() - bench.harness.get_by_label("sheet of Vigilant before, page 1").rect().left();
    assert!((moved - (left - now)).abs() < 1.0, "both are scrolled");
    assert_eq!(bench.state().settings.sheet.zoom, zoom);
    bench.click("close the sheets");
    assert!(bench.shows("laser, mass: 30, changed"));
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
    let mut bench = Bench::new(&[VIGILANT]);
    bench.open(VIGILANT);
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
        bench.harness.get_by_label_contains("add a row to").click_accesskit();
        bench.settle();
        let typed = bench.state().rules_pages[&id].typed.clone().expect("typed");
        assert!(typed.starts_with('[') && typed.matches('{').count() > 1, "{game}: {typed}");
        bench.click("Change in a house layer…");
        bench.click("Create");
        assert!(bench.text().contains(&*cell.column), "{game}: {}", bench.text());
        return;
    }
    panic!("no game has a list of tables");
}

#[test]
fn open_texts_count_in_fleets_and_designs_that_were_never_saved_count() {
    let fleet = "designs/wars-of-honor/fleets/patrol.toml";
    let mut bench = Bench::new(&[VIGILANT]);
    std::fs::create_dir_all(bench.path(fleet).parent().unwrap()).unwrap();
    let text = "ruleset = \"wars-of-honor\"\nname = \"Patrol\"\n\n[[ship]]\ndesign = \"../vigilant.toml\"\n\n\
                [[ship]]\ndesign = \"Vigilant\"\n";
    std::fs::write(bench.path(fleet), text).unwrap();
    bench.open(VIGILANT);
    let step = DocumentEdit::set(TablePath::Fit(0), "count", 1);
    bench.give(Command::Edit(Edit::single("fewer", step)));
    let now = bench.doc().evaluation().unwrap().points;
    let new = bench.text().replace("name = \"Vigilant\"", "name = \"Vigilant the second\"");
    bench.give(Command::OpenText { text: new.into() });
    bench.give(Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())));
    type_into(&mut bench, "laser, points: 10", "12");
    bench.click("Change in a house layer…");
    bench.click("Create");
    let rows = rows(&bench);
    let of = |part: &str| rows.iter().find(|row| row.0.contains(part)).unwrap_or_else(|| panic!("{part}: {rows:?}"));
    assert_eq!(of("vigilant.toml").1, now);
    assert_eq!(of("patrol.toml").1, now.map(|points| 2 * points), "the open design's ships: {rows:?}");
    assert_eq!(of("Vigilant the second").1, now, "{rows:?}");
    bench.harness.get_by_label_contains("show the sheets of Vigilant the second").click_accesskit();
    bench.settle();
    let id = bench.doc().id;
    let pages = bench.state().rules_pages[&id].sheets.as_ref().expect("shown").pages.as_ref().expect("drawn");
    assert!(!pages[0].is_empty());
}

/// Ideas of docs/guide/src/house-rules.md, each by cells, buttons and forms alone.
#[test]
fn ten_house_rules_are_made_without_the_text() {
    let mut bench = layer();
    let grid = |section: &str, part: Option<(&str, &str)>| GridId {
        section: section.into(),
        part: part.map(|(entry, key)| (entry.into(), key.into())),
    };
    let set = |bench: &mut Bench, grid: GridId, row: &str, column: &str, text: &str| {
        let cell = CellId { grid, row: row.into(), column: column.into() };
        bench.give(Command::RulesPage(RulesPageCommand::SelectCell(cell)));
        bench.type_text(text);
    };
    set(&mut bench, grid("system", None), "graser", "points", "base + 2");
    set(&mut bench, grid("setting", None), "mu", "default", "cm");
    set(&mut bench, grid("setting", None), "chit_mm", "default", "25");
    set(&mut bench, grid("field", Some(("nation", "options"))), "haven", "discount", "10");
    set(&mut bench, grid("table", Some(("missiles", "rows"))), "haven laser-head", "defence", "2");
    for (code, severity) in [("starship-without-cnc", "off"), ("over-budget", "warning")] {
        let change = RuleChange::Severity { code: code.into(), severity: severity.into(), reason: String::new() };
        bench.give(Command::RulesPage(RulesPageCommand::OpenReasonDialog(change)));
        // The dialog has the focus in its reason.
        bench.type_text("as we like it");
        bench.click("Apply");
    }
    bench.harness.get_by_label_contains("Show Systems, ").click_accesskit();
    bench.settle();
    bench.click("add a new system");
    fill(&mut bench, "Name", "Ion cannon");
    choose(&mut bench, "like", "Laser");
    bench.click("Add");
    bench.harness.get_by_label_contains("Show Checks, ").click_accesskit();
    bench.settle();
    bench.click("add a new check");
    choose(&mut bench, "kind of limit", "At most so many ships of a class in a fleet");
    bench.click("Add");
    let text = bench.text();
    let expected = [
        "[change.system.laser]\npoints = 12\n",
        "[change.system.graser]\npoints = \"base + 2\"\n",
        "[change.setting.mu]\ndefault = \"cm\"\n",
        "[change.setting.chit_mm]\ndefault = 25\n",
        "[change.field.nation.options.haven]\ndiscount = 10\n",
        "[change.table.missiles.rows.\"haven laser-head\"]\ndefence = 2\n",
        "[change.check.starship-without-cnc]\nseverity = \"off\"\n",
        "[change.check.over-budget]\nseverity = \"warning\"\n",
        "id = \"ion-cannon\"\nlike = \"laser\"\n",
        "code = \"too-many-of-a-class\"\n",
    ];
    for lines in expected {
        assert!(text.contains(lines), "{lines}\nin\n{text}");
    }
    let findings = &bench.doc().as_ruleset().unwrap().findings;
    let errors: Vec<_> = findings.iter().filter(|finding| finding.severity.as_str() == "error").collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_list_in_a_form_is_filled_in_as_cells() {
    let mut bench = layer();
    bench.harness.get_by_label_contains("Show Attacks, ").click_accesskit();
    bench.settle();
    bench.click("add a new attack");
    fill(&mut bench, "id", "ion-storm");
    bench.click("fill in step as cells");
    assert!(bench.shows("add a row to step"), "a table of cells");
    let rows = bench.harness.query_all_by_label_contains("remove row").count();
    bench.click("add a row to step");
    assert_eq!(bench.harness.query_all_by_label_contains("remove row").count(), rows + 1);
    bench.harness.get_all_by_label_contains(" of step, row 1").next().unwrap().focus();
    bench.settle();
    bench.type_text("x");
    let Some(Dialog::AddRule(dialog)) = &bench.state().dialog else { panic!("the form is open") };
    let step = dialog.cells.iter().find(|(key, _)| &**key == "step").unwrap().1.clone();
    assert!(step.starts_with("[{") && step.contains('x'), "{step}");
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

/// From a design: *New house rule…*, and what is asked for first.
fn begin(kind: &str) -> Bench {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.open(VIGILANT);
    bench.give(Command::RulesPage(RulesPageCommand::BeginRule));
    bench.click(kind);
    bench
}

fn check_of_rules(bench: &Bench) -> String {
    let mut check = Process::new(env!("CARGO_BIN_EXE_moldloft"));
    let output = check.args(["rules", "check", "our-house-rules"]).current_dir(bench.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_system_made_from_the_menu_is_in_the_design_at_once() {
    let mut bench = begin("New system…");
    fill(&mut bench, "Name", "Ion cannon");
    choose(&mut bench, "like", "Laser");
    fill(&mut bench, "letters in its box", "IO");
    fill(&mut bench, "points", "14");
    bench.click("fits in port");
    fill(&mut bench, "Reason", "our yards build them");
    let lines = "[[system]]\nid = \"ion-cannon\"\nlike = \"laser\"\n";
    assert!(bench.shows_part(lines), "the lines are shown before they are written");
    // What was typed is not lost by a click beside the dialog.
    bench.click_at(egui::pos2(4.0, 400.0));
    assert!(matches!(bench.state().dialog, Some(Dialog::AddRule(_))));
    bench.click("Add");
    bench.click("Create");
    let layer = std::fs::read_to_string(bench.path(LAYER)).unwrap();
    for line in ["points = 14", "abbr = \"IO\"", "rule = \"our yards build them\""] {
        assert!(layer.contains(line), "{line} in {layer}");
    }
    // The design is shown again, follows the layer, and its picker has the system.
    assert!(bench.text().contains("ruleset = \"our-house-rules\""), "{}", bench.text());
    let points = bench.doc().evaluation().unwrap().points.unwrap();
    bench.give(Command::Select(Vec::new()));
    bench.give(Command::SystemPicker(Some(moldloft::editor::SystemPicker {
        mount: Some("port".to_owned()),
        ..Default::default()
    })));
    bench.type_text("2 ion cannon");
    bench.press(Modifiers::NONE, Key::Enter);
    let ship = bench.doc().evaluation().unwrap().clone();
    assert!(ship.fits.iter().any(|fit| &*fit.system == "ion-cannon" && fit.count == 2 && fit.placed));
    assert!(ship.points.unwrap() >= points + 28, "{points} and {:?}", ship.points);
    check_of_rules(&bench);
    bench.press(Modifiers::COMMAND, Key::S);
    let sheet = bench.path("ship.svg");
    let mut print = Process::new(env!("CARGO_BIN_EXE_moldloft"));
    let output = print.args(["print", VIGILANT, "-o", "ship.svg"]).current_dir(bench.path("")).output().unwrap();
    assert!(output.status.code() != Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let sheets = std::fs::read_dir(bench.path("")).unwrap().filter_map(|file| {
        let path = file.unwrap().path();
        let is_sheet = path.extension().is_some_and(|end| end == "svg");
        is_sheet.then(|| std::fs::read_to_string(path).unwrap())
    });
    assert!(sheets.collect::<String>().contains("IO"), "{}", sheet.display());
}

#[test]
fn a_limit_made_as_a_sentence_is_checked_at_once() {
    let mut bench = begin("New check…");
    choose(&mut bench, "system", "laser");
    bench.click("severity: a warning");
    fill(&mut bench, "Reason", "they won every battle");
    bench.click("Add");
    bench.click("Create");
    let found = bench.doc().findings().iter().find(|finding| &*finding.code == "too-many-laser").cloned();
    let found = found.expect("more than one laser");
    assert!(found.message.ends_with("× laser, at most 1 on a ship"), "{}", found.message);
    assert_eq!(found.severity.as_str(), "warning");
    check_of_rules(&bench);
    // The list of checks says the same, and shows formulas only when they are asked for.
    bench.give(Command::RulesPage(RulesPageCommand::Open("our-house-rules".into())));
    bench.give(Command::RulesPage(RulesPageCommand::Search("too-many-laser".into())));
    assert!(bench.shows_part("too many laser, message: … × laser, at most 1 on a ship"));
    assert!(!bench.shows_part("too many laser, fails when: "));
    bench.click("Formulas");
    assert!(bench.shows_part("too many laser, fails when: count('laser') > 1"));
}

#[test]
fn an_option_made_from_the_menu_can_be_chosen() {
    let mut bench = begin("new option of Nation");
    fill(&mut bench, "Name", "Grayson");
    fill(&mut bench, "Reason", "our campaign");
    bench.click("Add");
    bench.click("Create");
    let layer = std::fs::read_to_string(bench.path(LAYER)).unwrap();
    assert!(layer.contains("grayson = {") && layer.contains("reason = \"our campaign\""), "{layer}");
    let rules = bench.doc().evaluation().unwrap().ruleset.clone();
    let fields = format!("{:?}", rules.fields);
    assert!(fields.contains("grayson"), "the design may choose it");
    check_of_rules(&bench);
}

#[test]
fn a_system_is_begun_from_the_menu_by_keys() {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.open(VIGILANT);
    bench.press(Modifiers::ALT, Key::R);
    bench.press(Modifiers::NONE, Key::ArrowDown);
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(
        (bench.state().dialog.clone(), bench.focused().as_deref()),
        (Some(Dialog::NewRule), Some("New system…"))
    );
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(bench.state().dialog, Some(Dialog::AddRule(_))), "{:?}", bench.state().dialog);
    bench.type_text("Ion cannon");
    let Some(Dialog::AddRule(form)) = &bench.state().dialog else { panic!("the form is open") };
    assert_eq!((form.text("name"), form.text("")), ("Ion cannon", "ion-cannon"));
}

#[test]
fn a_rule_that_is_not_made_leaves_the_design_alone() {
    let mut bench = begin("New system…");
    let before = bench.state().docs[0].text().clone();
    bench.click("Cancel");
    type_into(&mut bench, "laser, points: 10", "12");
    bench.click("Change in a house layer…");
    bench.click("Create");
    assert!(bench.text().contains("points = 12"), "the layer is still shown: {}", bench.text());
    assert_eq!(*bench.state().docs[0].text(), before);
}
