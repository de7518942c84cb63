//! House rules by form: systems, attacks, checks, rows, options; begun from the menu or on the page.

use std::process::Command as Process;

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::rules_page::{CellId, RuleChange, RulesPageCommand};
use moldloft::editor::{Command, Dialog};
use moldloft::ruleset::GridId;

use crate::editor::bench::Bench;
use crate::editor::rules_page::{LAYER, VIGILANT, layer, type_into};

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
    bench.focus(label);
    bench.type_text(text);
}

#[test]
fn an_attack_added_by_form_has_its_odds() {
    let mut bench = layer();
    bench.click_part("Show Attacks, ");
    bench.click("add a new attack");
    fill(&mut bench, "id", "ion-storm");
    fill(&mut bench, "when", "range <= 10");
    bench.focus("step");
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
    bench.click_part("Show Checks, ");
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
    bench.focus("id");
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
    bench.click_part("Show Systems, ");
    bench.click("add a new system");
    fill(&mut bench, "Name", "Ion cannon");
    choose(&mut bench, "like", "Laser");
    bench.click("Add");
    bench.click_part("Show Checks, ");
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
    bench.click_part("Show Attacks, ");
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

/// From a design: *New house rule…*, and what is asked for first.
fn begin(kind: &str) -> Bench {
    let mut bench = Bench::opened(&[VIGILANT]);
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
    let mut bench = Bench::opened(&[VIGILANT]);
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

#[test]
fn a_form_is_kept_when_the_layers_name_is_cancelled() {
    let mut bench = begin("New system…");
    fill(&mut bench, "Name", "Ion cannon");
    fill(&mut bench, "Reason", "our yards build them");
    let form = bench.state().dialog.clone();
    bench.click("Add");
    assert!(matches!(bench.state().dialog, Some(Dialog::NewLayer(_))));
    bench.click("Cancel");
    assert_eq!(bench.state().dialog, form, "back where the name was asked for");
    // It goes on to the design, as if nothing had been cancelled.
    bench.click("Add");
    bench.press(Modifiers::NONE, Key::Escape);
    bench.click("Add");
    bench.click("Create");
    assert!(bench.text().contains("ruleset = \"our-house-rules\""), "{}", bench.text());
    assert!(std::fs::read_to_string(bench.path(LAYER)).unwrap().contains("ion-cannon"));
    // The form itself is cancelled as before.
    let mut bench = begin("New check…");
    bench.click("Cancel");
    assert_eq!(bench.state().dialog, None);
}
