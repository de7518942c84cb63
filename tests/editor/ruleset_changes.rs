//! Rules and templates changed in other programs while designs are open.

use moldloft::editor::compare_page::{CompareCommand, CompareTarget};
use moldloft::editor::ruleset_status::{LintStatus, RulesCommand};
use moldloft::editor::{Command, InspectorTab, PersistenceCommand, Tab};

use egui_kittest::kittest::Queryable;

use crate::editor::bench::Bench;

const RULES: &str = "rulesets/rafts.toml";
const DESIGN: &str = "ruleset = \"rafts\"\nname = \"Log\"\n[fields]\nhull = 3\n";

/// A minimal ruleset in which a hull costs `points`.
fn rules(points: &str) -> String {
    format!(
        "[ruleset]\nid = \"rafts\"\ntitle = \"Rafts\"\nversion = \"1.0\"\nschema = 1\ncredit = \"Nobody\"\n\n[[field]]\nid = \"hull\"\n\
         kind = \"integer\"\ndefault = 1\n\n[[value]]\nid = \"points\"\nheadline = true\nformula = \"{points}\"\n"
    )
}

fn write(bench: &Bench, file: &str, text: &str) {
    let path = bench.path(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Two open designs.
fn rafts() -> Bench {
    let mut bench = Bench::new(&[]);
    write(&bench, RULES, &rules("hull * 2"));
    for name in ["one", "two"] {
        let file = format!("designs/rafts/{name}.toml");
        write(&bench, &file, &DESIGN.replace("Log", name));
        bench.open(&file);
    }
    bench
}

fn change(bench: &mut Bench, text: &str) {
    write(bench, RULES, text);
    let path = bench.path(RULES);
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
}

fn points(bench: &Bench) -> Vec<Option<i64>> {
    bench.state().docs.iter().map(|doc| doc.evaluation().and_then(|evaluation| evaluation.points)).collect()
}

#[test]
fn a_changed_ruleset_evaluates_every_open_design_again() {
    let mut bench = rafts();
    assert_eq!(points(&bench), [Some(6), Some(6)]);
    let texts: Vec<_> = bench.state().docs.iter().map(|doc| doc.text().clone()).collect();
    change(&mut bench, &rules("hull * 5"));
    assert_eq!(points(&bench), [Some(15), Some(15)]);
    assert!(bench.state().docs.iter().zip(&texts).all(|(doc, text)| doc.text() == text && !doc.is_changed()));
    bench.give(Command::ShowInspectorTab(InspectorTab::Rules));
    assert!(bench.shows_part("Reloaded"));
    assert!(bench.shows_part("credit: Nobody"));
}

#[test]
fn a_broken_ruleset_leaves_the_last_good_one_in_force_and_says_so() {
    let mut bench = rafts();
    change(&mut bench, &rules("hul * 5"));
    assert_eq!(points(&bench), [Some(6), Some(6)]);
    assert!(bench.shows_part("rafts: using the last good version: line 16: "));
    bench.give(Command::ShowTab(Tab::Start));
    assert!(bench.shows_part("rafts: using the last good version"));
    let doc = bench.state().docs[0].id;
    bench.give(Command::ShowTab(Tab::Doc(doc)));
    bench.click("Show what is wrong with rafts");
    assert_eq!(bench.state().inspector_tab, InspectorTab::Rules);
    assert!(bench.shows_part("rafts.toml:16"));
    assert!(bench.shows_part("Rules (1)"));
    // Not TOML.
    change(&mut bench, "[ruleset\n");
    assert!(bench.shows_part("using the last good version: line 1: "));
    // Deleted.
    std::fs::remove_file(bench.path(RULES)).unwrap();
    let path = bench.path(RULES);
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
    assert_eq!(points(&bench), [Some(6), Some(6)]);
    assert!(bench.shows_part("using the last good version"));
    // Repaired.
    change(&mut bench, &rules("hull * 7"));
    assert_eq!(points(&bench), [Some(21), Some(21)]);
    assert!(!bench.shows_part("the last good version"));
}

#[test]
fn a_new_ruleset_evaluates_designs_that_name_it() {
    let mut bench = Bench::new(&[]);
    write(&bench, "designs/rafts/one.toml", DESIGN);
    bench.open("designs/rafts/one.toml");
    assert_eq!(points(&bench), [None]);
    assert!(bench.shows("no usable ruleset"));
    change(&mut bench, &rules("hull"));
    assert_eq!(points(&bench), [Some(3)]);
    assert!(bench.shows("Rules: Rafts"));
}

#[test]
fn lints_are_shown_and_only_the_newest_counts() {
    let mut bench = rafts();
    bench.give(Command::Rules(RulesCommand::Lint("rafts".into())));
    assert!(bench.shows("CHECK OF THE RULES"));
    assert!(bench.shows_part("sheet-missing") && bench.shows_part("rafts.toml:2"));
    let known = |bench: &Bench| match bench.state().ruleset_status.lint_status.get("rafts") {
        Some(LintStatus::Done(done)) => {
            done.findings.iter().map(|finding| finding.code.to_string()).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert!(known(&bench).contains(&"credit-missing".to_owned()));
    // After two changes in a row, the first lint is cancelled.
    let more = rules("hull").replace(
        "[[field]]",
        "source = \"a river\"
terms = \"swim\"
[[field]]",
    );
    write(&bench, RULES, &rules("hull * 4"));
    let path = bench.path(RULES);
    bench.harness.state_mut().apply(Command::Persistence(PersistenceCommand::FilesChanged(vec![path.clone()])));
    let first = match bench.state().ruleset_status.lint_status.get("rafts") {
        Some(LintStatus::Running(token)) => token.clone(),
        other => panic!("{other:?}"),
    };
    write(&bench, RULES, &more);
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
    assert!(first.is_cancelled());
    assert!(!known(&bench).contains(&"credit-missing".to_owned()), "{:?}", bench.state().ruleset_status.lint_status);
    assert!(!bench.shows_part("credit-missing") && bench.shows_part("sheet-missing"));
}

#[test]
fn other_rules_are_tried_without_touching_the_file() {
    let mut bench = rafts();
    let layer = "[ruleset]\nid = \"ours\"\ntitle = \"Ours\"\nversion = \"2\"\nschema = 1\nextends = \"rafts\"\n\
                 [change.value.points]\nformula = \"hull * 100\"\nhouse = { formula = \"dear wood\" }\n";
    write(&bench, "rulesets/ours.toml", layer);
    bench.give(Command::Rules(RulesCommand::Override(Some("ours".into()))));
    assert_eq!(points(&bench), [Some(6), Some(300)]);
    assert!(bench.shows("two, checked by ours"));
    assert!(bench.shows_part("Trial: two is checked by ours. Its file names rafts and is not changed."));
    assert!(!bench.doc().is_changed());
    // Beside a ship by the file's rules, each says by which it is, and neither is better.
    let one = bench.state().docs[0].id;
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::Doc(one))));
    assert!(bench.shows_part("300 points · Rafts + Ours") && bench.shows("6 points · Rafts"));
    assert!(!bench.shows_part(" · better"));
    bench.give(Command::Compare(CompareCommand::Close));
    // It is reloaded like any other.
    write(&bench, "rulesets/ours.toml", &layer.replace("100", "200"));
    let path = bench.path("rulesets/ours.toml");
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
    assert_eq!(points(&bench), [Some(6), Some(600)]);
    bench.click_first("Use the file's ruleset");
    assert_eq!(points(&bench), [Some(6), Some(6)]);
    bench.give(Command::Rules(RulesCommand::Override(Some("nowhere".into()))));
    assert!(bench.shows_part("cannot try nowhere"));
    assert_eq!(points(&bench), [Some(6), Some(6)]);
    // Offered are the rules of this game, by their titles; what was tried can be kept.
    bench.give(Command::ShowInspectorTab(InspectorTab::Rules));
    bench.click("Try other rules: from the file");
    assert!(!bench.shows("star-navy") && !bench.shows("Star Navy"));
    bench.harness.get_all_by_label_contains("+ Ours 2").last().unwrap().click_accesskit();
    bench.settle();
    bench.click("Use ours in the file");
    assert_eq!((points(&bench)[1], bench.doc().rules_override.as_ref()), (Some(600), None));
    assert!(bench.text().contains("ruleset = \"ours\"") && !bench.shows_part("Trial:"), "{}", bench.text());
}

#[test]
fn built_in_rules_and_templates_are_copied_to_be_changed_and_nothing_is_overwritten() {
    const LANCET: &str = "designs/star-navy/chicago.toml";
    let mut bench = Bench::opened(&[LANCET]);
    bench.give(Command::ShowInspectorTab(InspectorTab::Rules));
    assert!(bench.shows_part("star-navy.toml, built-in"));
    bench.click("Copy into the workspace");
    let own = bench.path("rulesets/star-navy.toml");
    assert!(own.is_file());
    assert!(!bench.shows_part("star-navy.toml, built-in"));
    bench.click("Open in a text editor");
    assert_eq!(bench.platform.borrow().views, [std::path::absolute(&own).unwrap()]);
    bench.click("Copy the templates");
    assert!(bench.path("templates/star-navy").is_dir());
    bench.click("Copy the templates");
    assert!(bench.shows_part("that existed"));
}

#[test]
fn the_watched_workspace_is_reloaded() {
    let mut bench = rafts();
    bench.give(Command::Persistence(PersistenceCommand::Watch));
    for factor in [4, 5] {
        write(&bench, RULES, &rules(&format!("hull * {factor}")));
        for _ in 0..400 {
            if bench.harness.state().jobs().has_results() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(25));
        }
        bench.settle();
        assert_eq!(points(&bench), [Some(3 * factor), Some(3 * factor)]);
    }
}
