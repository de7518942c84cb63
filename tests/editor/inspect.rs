//! Findings, explanations and comparisons.

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::compare_page::{CompareCommand, CompareTarget};
use moldloft::editor::{Command, Dialog, Edit, InspectorTab, Tab};
use moldloft::evaluate::ExplainTarget;
use moldloft::formula::Value;

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const FIX: &str = "fix: set launchers it feeds of the missile magazine in core to 14";

/// A cruiser whose magazine feeds two launchers too few.
fn unfed() -> Bench {
    let mut bench = Bench::new(&[VIGILANT]);
    let path = bench.path(VIGILANT);
    let text = std::fs::read_to_string(&path).unwrap().replace("feeds = 14", "feeds = 12");
    std::fs::write(path, text).unwrap();
    bench.open(VIGILANT);
    bench
}

fn click_fix(bench: &mut Bench) {
    bench.click_part(FIX);
}

fn value(bench: &Bench, id: &str) -> i64 {
    let values = &bench.doc().evaluation().unwrap().values;
    match values.iter().find(|value| &*value.id == id).unwrap().value {
        Value::Int(number) => number,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn findings_are_counted_worded_and_bring_the_player_to_what_they_concern() {
    let mut bench = unfed();
    let count = bench.doc().findings().len();
    assert!(bench.shows(&format!("Findings ({count})")));
    assert!(bench.shows_part("Breaks the rules: 2 errors"));
    assert!(bench.shows("ERRORS"));
    bench.click("error: magazines feed 12 of 14 launchers");
    assert!(bench.state().go_to.is_some() || bench.shows_part("missile launcher"));
    let view = bench.state().inspector_views.view(bench.doc().id).unwrap();
    assert_eq!(view.selected_finding, Some(0));
}

#[test]
fn an_offered_fix_says_what_it_costs_and_is_one_step() {
    let mut bench = unfed();
    let before = bench.text();
    let (mass, points) = (value(&bench, "mass"), value(&bench, "points"));
    let label = bench.harness.get_by_label_contains(FIX).accesskit_node().label().unwrap();
    click_fix(&mut bench);
    assert_eq!(bench.text(), before.replace("feeds = 12", "feeds = 14"));
    assert!(bench.shows_part("Follows the rules"));
    let (mass, points) = (value(&bench, "mass") - mass, value(&bench, "points") - points);
    assert!(mass > 0 && points > 0);
    assert!(label.contains(&format!("+{mass} mass")) && label.ends_with(&format!("+{points} points)")), "{label}");
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
    assert!(bench.shows_part(FIX));
}

#[test]
fn the_next_finding_does_not_slide_under_the_pointer_after_a_fix() {
    let mut bench = unfed();
    // More findings, each with its fix.
    for key in ["beard", "moustache", "whiskers"] {
        let edit = Edit::single("mistype", DocumentEdit::set(TablePath::Top, key, 3));
        bench.give(Command::Edit(edit));
    }
    bench.settle();
    let at = bench.harness.get_all_by_label_contains("fix: ").next().unwrap().rect().center();
    let count = |bench: &Bench| bench.doc().findings().len();
    let before = count(&bench);
    // The pointer stays where it is; `click_at` would move it away.
    let click = |bench: &mut Bench| {
        bench.harness.hover_at(at);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
            bench.harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            bench.harness.run_steps(1);
        }
        bench.settle();
    };
    click(&mut bench);
    let text = bench.text();
    assert!(count(&bench) < before && bench.shows_part("Done: "), "{text}");
    for _ in 0..3 {
        click(&mut bench);
    }
    assert_eq!(bench.text(), text, "further clicks on the spot change nothing");
    bench.give(Command::Undo);
    assert!(!bench.shows_part("Done: "), "it is not done any more");
    bench.give(Command::Redo);
    click(&mut bench);
    bench.harness.hover_at(at - egui::vec2(0.0, 300.0));
    bench.settle();
    assert!(!bench.shows_part("Done: "), "the list closes up when the pointer is elsewhere");
}

#[test]
fn safe_fixes_are_applied_together() {
    let mut bench = unfed();
    let edit = Edit::single("mistype", DocumentEdit::set(TablePath::Top, "beard", 3));
    bench.give(Command::Edit(edit));
    let before = bench.text();
    assert!(bench.shows_part(FIX));
    let all = bench.state().inspector_views.view(bench.doc().id).unwrap().fixable_count.unwrap();
    bench.click(&format!("Fix all {all}…"));
    assert_eq!(bench.text(), before, "first it is shown what would be done");
    let lines = |bench: &Bench| match &bench.state().dialog {
        Some(Dialog::FixAll(fixes)) => fixes.clone(),
        other => panic!("{other:?}"),
    };
    let dear = lines(&bench).lines.iter().find(|line| line.description.contains("feeds")).unwrap().clone();
    assert!(!dear.change.is_empty() && lines(&bench).change.contains("points"), "{:?}", lines(&bench));
    // The cheap fixes alone cost nothing.
    bench.click(&format!("include: {} ({})", dear.description, dear.change));
    assert_eq!(lines(&bench).change, "");
    let count = lines(&bench).lines.iter().filter(|line| line.enabled).count();
    bench.click(&format!("Fix {count}"));
    assert!(!bench.text().contains("beard") && bench.text().contains("feeds = 12"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
    // By keys: Enter does what the dialog is for.
    bench.click(&format!("Fix all {all}…"));
    assert_eq!(bench.focused(), Some(format!("Fix {all}")));
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(!bench.text().contains("beard") && bench.text().contains("feeds = 14"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn f8_goes_round_all_findings() {
    let mut bench = unfed();
    bench.give(Command::ShowInspectorTab(InspectorTab::Explain));
    let count = bench.doc().findings().len();
    let at = |bench: &Bench| bench.state().inspector_views.view(bench.doc().id).unwrap().selected_finding;
    bench.press(Modifiers::NONE, Key::F8);
    assert_eq!((bench.state().inspector_tab, at(&bench)), (InspectorTab::Findings, Some(0)));
    bench.press(Modifiers::SHIFT, Key::F8);
    assert_eq!(at(&bench), Some(count - 1));
    bench.press(Modifiers::NONE, Key::F8);
    assert_eq!(at(&bench), Some(0));
}

#[test]
fn a_text_that_is_not_toml_is_reported_with_line_and_column() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = Vigilant\n".into() });
    assert!(bench.shows_part("line 2, column 8"));
    assert!(bench.shows("name = Vigilant"));
    assert!(bench.shows_part("Cannot be read: 1 error"));
}

#[test]
fn a_code_and_a_number_are_explained_down_to_the_leaves_and_back() {
    let mut bench = unfed();
    let mass = value(&bench, "mass");
    bench.click_first("What launcher-without-magazine means");
    assert_eq!(bench.state().inspector_tab, InspectorTab::Explain);
    assert!(bench.shows("launcher-without-magazine"));
    bench.give(Command::Explain(ExplainTarget::Value("structure".into())));
    assert!(bench.shows("structure"));
    assert!(bench.shows_part(&format!("= {mass} * 30 // 100")));
    assert!(bench.shows_part(&format!("30 % of mass {mass}")));
    assert!(bench.shows_part("rule: "));
    bench.click("Explain mass");
    assert!(bench.shows("mass"));
    bench.click("Back");
    assert!(bench.shows("structure") && bench.shows("Explain mass"));
    bench.click("Forward");
    assert!(!bench.shows("structure"));
    bench.click("Back");
    bench.click("Collapse structure");
    assert!(!bench.shows("Explain mass"));
    bench.click("Expand structure");
    assert!(bench.shows("Explain mass"));
}

#[test]
fn an_explanation_follows_the_design() {
    let mut bench = unfed();
    bench.give(Command::Explain(ExplainTarget::Value("points".into())));
    let points = |bench: &Bench| bench.doc().evaluation().unwrap().points.unwrap();
    let before = points(&bench);
    assert!(bench.shows(&format!("= {before}")));
    let magazine = bench.doc().evaluation().unwrap().fits.iter().find(|fit| &*fit.system == "missile-magazine");
    let fit = magazine.unwrap().index as usize;
    bench.give(Command::Edit(Edit::single("feed", DocumentEdit::set(TablePath::Fit(fit), "feeds", 14))));
    assert_ne!(points(&bench), before);
    assert!(bench.shows(&format!("= {}", points(&bench))) && !bench.shows(&format!("= {before}")));
}

#[test]
fn all_values_and_the_cost_are_listed() {
    let mut bench = unfed();
    bench.click("Explain");
    let evaluation = bench.doc().evaluation().unwrap().clone();
    for value in &evaluation.values {
        let name = format!("Explain {}", value.label);
        let names: Vec<_> = bench.harness.query_all_by_label(&name).collect();
        assert!(!names.is_empty() && names.iter().all(|one| one.rect().height() < 30.0), "{name} stands on one line");
    }
    bench.click("Cost");
    for line in &evaluation.costs {
        assert!(bench.shows(&format!("{} × {} =", line.count, line.each)), "{}", line.label);
    }
    assert!(bench.shows("total") && bench.shows(&evaluation.points.unwrap().to_string()));
    bench.click("All values");
    assert!(bench.shows("VALUES"));
}

#[test]
fn changes_since_the_last_save_are_compared() {
    let mut bench = unfed();
    bench.click("Compare");
    assert!(!bench.shows("Compare with the saved version"), "it is the same");
    bench.click("Back to Vigilant");
    click_fix(&mut bench);
    bench.click("Compare");
    assert!(bench.shows_part("rows differ"));
    assert!(bench.shows_part("feeds 14") && bench.shows_part("feeds 12"));
    assert!(bench.shows_part("launcher-without-magazine"), "the finding that is gone");
    bench.give(Command::Undo);
    assert!(bench.shows("The files are identical."));
}

#[test]
fn two_open_designs_and_a_file_are_compared() {
    const OTHER: &str = "designs/wars-of-honor/quiver.toml";
    let mut bench = Bench::new(&[VIGILANT, OTHER]);
    bench.open(OTHER);
    let other = bench.doc().id;
    bench.open(VIGILANT);
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::Doc(other))));
    let table = |bench: &Bench| bench.state().compare_pages.open_page(bench.doc().id).expect("open").table.clone();
    let first = table(&bench);
    assert!(first.differences() > 0);
    // A closed one is taken out.
    bench.give(Command::CloseAnyway(other));
    assert!(bench.shows_part("Choose one to three others"));
    let path = bench.path(OTHER);
    bench.platform.borrow_mut().choice = vec![path];
    bench.click("Choose file…");
    assert_eq!(table(&bench), first);
    assert!(matches!(bench.state().tab, Tab::Doc(_)));
}

#[test]
fn findings_name_numbers_as_the_form_does() {
    let mut bench = Bench::opened(&["designs/sky-full-of-ships/tern.toml"]);
    let text = bench.text();
    let set =
        |key: &str, number: i64| moldloft::design::DocumentEdit::set(moldloft::design::TablePath::Fields, key, number);
    let steps = vec![set("primary_rear", 6), set("primary_forward", 1)];
    bench.give(Command::Edit(moldloft::editor::Edit::from_steps("turn the guns round", steps)));
    assert_ne!(bench.text(), text);
    let numbers = bench.doc().findings().iter().filter_map(|finding| finding.numbers.clone()).collect::<Vec<_>>();
    assert!(numbers.iter().any(|numbers| numbers.contains("primary_rear = 6")), "as in the file: {numbers:?}");
    assert!(bench.shows_part("rear = 6") && !bench.shows_part("primary_rear = 6"));
}

#[test]
fn what_a_new_design_lacks_has_one_heading() {
    let mut bench = Bench::new(&[]);
    let create = moldloft::editor::library_browser::LibraryCommand::CreateDesign {
        game: "b5-house-rules".into(),
        copy_of: None,
    };
    bench.give(Command::Library(create));
    assert_eq!(bench.harness.get_all_by_label("STILL TO DO").count(), 1);
}
