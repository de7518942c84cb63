//! Low windows, as large letters on a small screen make them: one row of controls, the rest for the sheet.

use egui::Rect;
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::{Command, Pane, RightPage};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const FLEET: &str = "designs/wars-of-honor/fleets/escort.toml";

/// In points: 1366 × 768 and 1024 × 700 at 150 % and at 200 %.
const LOW: [(f32, f32); 4] =
    [(1366.0 / 1.5, 768.0 / 1.5), (1024.0 / 1.5, 700.0 / 1.5), (1366.0 / 2.0, 768.0 / 2.0), (512.0, 350.0)];

fn opened(width: f32, height: f32) -> Bench {
    Bench::opened_in(&[VIGILANT], width, height)
}

fn with_fleet(text: &str, width: f32, height: f32) -> Bench {
    let mut bench = opened(width, height);
    bench.write(FLEET, text);
    bench.open(FLEET);
    bench
}

fn sheet(bench: &Bench) -> Rect {
    let found = bench.harness.query_all_by_label_contains("Sheet of Vigilant, ");
    let rects = found.map(|node| node.rect());
    rects.max_by(|a, b| a.area().total_cmp(&b.area())).expect("the sheet is shown")
}

#[test]
fn the_sheet_has_most_of_the_height() {
    for (width, height) in LOW {
        let mut bench = opened(width, height);
        bench.give(Command::ShowPage(RightPage::Sheet));
        // The page of the sheet is cut by its window, which begins below one row of controls.
        let view = bench.harness.get_by_label_contains("View of the sheet: ").rect();
        let print = bench.rect("Print…");
        let high = sheet(&bench).intersect(Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height))).height();
        assert!((view.center().y - print.center().y).abs() < 4.0, "{width} × {height}: one row, {view:?} {print:?}");
        assert!(high > height * 0.55, "{width} × {height}: {high} points of the sheet");
    }
}

#[test]
fn the_headline_has_one_row_and_its_numbers_are_in_a_menu() {
    for (width, height) in LOW {
        let mut bench = opened(width, height);
        bench.give(Command::ShowPane(Pane::Form));
        let points = bench.harness.get_all_by_label_contains("points: 1732").next().expect("the points").rect();
        let more = bench.rect("All numbers of the headline");
        let name = bench.rect("name");
        assert!((points.center().y - more.center().y).abs() < 6.0, "{points:?} {more:?}");
        assert!(more.right() <= width && name.top() - more.bottom() < 40.0, "{more:?} {name:?}");
        assert!(!bench.shows_part("cost reductions"));
        bench.click("All numbers of the headline");
        let values =
            bench.doc().evaluation().unwrap().values.iter().filter(|value| value.headline || value.limit.is_some());
        let labels: Vec<String> = values.map(|value| format!("{}: ", value.label)).collect();
        assert!(labels.len() > 2);
        for label in labels {
            assert!(bench.shows_part(&label), "{label} at {width} × {height}");
        }
    }
}

#[test]
fn sheet_and_findings_take_turns() {
    let (width, height) = LOW[0];
    let mut bench = opened(width, height);
    assert!(!bench.shows("Explain") && !bench.shows_part("No findings"));
    bench.click("Show findings and rules");
    assert!(bench.shows("Explain") && bench.shows("Suggest") && !bench.shows_part("Sheet of Vigilant"));
    bench.click("Show the sheet");
    assert!(bench.shows_part("Sheet of Vigilant") && !bench.shows("Explain"));
    // The menu has what the toolbar of a higher window has.
    bench.click_part("View of the sheet: ");
    for name in ["Fit page", "True size", "Greyscale", "Zoom sheet in", "Calibrate screen…", "Letter"] {
        let node = bench.harness.query_all_by_label(name).next();
        assert!(node.is_some_and(|node| !node.accesskit_node().is_disabled()), "{name}");
    }
    bench.click("Greyscale");
    assert!(bench.state().settings.sheet.grey);
}

#[test]
fn the_odds_have_the_page_and_one_row_of_controls() {
    for (width, height) in LOW {
        let mut bench = opened(width, height);
        bench.give(Command::ShowPage(RightPage::Odds));
        let (row, print) = (bench.rect("Show the odds"), bench.rect("Print…"));
        assert!((row.center().y - print.center().y).abs() < 4.0, "{width} × {height}: {row:?} {print:?}");
        assert!(!bench.shows_part("No findings") && !bench.shows("Copy the odds as text"));
        let chart = bench.harness.get_by_label_contains("Chart of odds: ").rect();
        assert!(chart.top() - row.bottom() < 120.0, "{width} × {height}: who is stronger, the duel, then {chart:?}");
        bench.click("What can be done with the odds");
        assert!(bench.is_enabled("Copy the odds as text") && bench.is_enabled("Save or print the odds…"));
    }
}

#[test]
fn a_fleet_has_room_for_its_table() {
    for (width, height) in LOW {
        let bench = with_fleet(include_str!("fleet/escort.toml"), width, height);
        let (ships, points) = (
            bench.harness.get_all_by_label_contains("ships: ").next().expect("the ships").rect(),
            bench.harness.get_all_by_label_contains("points: ").next().expect("the points").rect(),
        );
        assert!((ships.center().y - points.center().y).abs() < 4.0, "{width} × {height}: {ships:?} {points:?}");
        assert!(points.height() < 30.0, "{points:?}");
    }
}

/// The rows that are whole within the window.
fn ships_in_sight(bench: &Bench) -> usize {
    let screen = bench.harness.ctx.content_rect();
    let foot = screen.bottom() - 34.0;
    let is_whole = |n: &usize| {
        let row = bench.harness.query_all_by_label(&format!("count of ship {n}")).next().map(|node| node.rect());
        row.is_some_and(|row| row.top() > 0.0 && row.bottom() <= foot)
    };
    (1..=40).filter(is_whole).count()
}

#[test]
fn twelve_ships_are_in_sight_with_large_letters() {
    let mut text = include_str!("fleet/escort.toml").to_owned();
    (0..30).for_each(|n| text.push_str(&format!("\n[[ship]]\ndesign = \"Petrel\"\nname = \"P{n}\"\n")));
    // 1920 × 1080 and 1366 × 768 at 150 %.
    for (width, height, least) in [(1280.0, 720.0, 12), (1366.0 / 1.5, 768.0 / 1.5, 8)] {
        let mut bench = with_fleet(&text, width, height);
        assert!(ships_in_sight(&bench) >= least, "{width} × {height}: {}", ships_in_sight(&bench));
        bench.click("Name, side, budget, notes, groups");
        assert!(bench.shows("budget of the fleet"));
    }
}
