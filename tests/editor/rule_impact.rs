//! What a house rule does to the designs and fleets of a workspace: figures, and sheets before and after.

use std::process::Command as Process;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::rules_page::{ImpactStatus, RulesPageCommand};
use moldloft::editor::{Command, Edit, Tab};

use crate::editor::bench::Bench;
use crate::editor::rules_page::{VIGILANT, layer, type_into};

pub fn rows(bench: &Bench) -> Vec<(String, Option<i64>, Option<i64>, bool)> {
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
    bench.click_part("show the sheets of Vigilant the second");
    let id = bench.doc().id;
    let pages = bench.state().rules_pages[&id].sheets.as_ref().expect("shown").pages.as_ref().expect("drawn");
    assert!(!pages[0].is_empty());
}
