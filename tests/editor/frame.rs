//! The frame holds still: menus, tabs, headline, goals, panes and what stands in them are under the same points through a session of random commands.

use egui::accesskit::Role;
use egui::{Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::{Command, CommandKind, Edit, InspectorTab, RightPage};

use crate::editor::bench::Bench;
use crate::editor::dice::{Dice, Files, of_kind};

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const TERN: &str = "designs/sky-full-of-ships/tern.toml";
const FLEET: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";

/// The names of the widgets at a point, those of what is scrolled out of sight, too.
fn names_at(bench: &Bench, point: Pos2) -> Vec<String> {
    let nodes = bench.harness.root().children_recursive().filter_map(|node| {
        let node = node.accesskit_node();
        let name = node.label().or_else(|| node.value())?;
        let is_widget = matches!(node.role(), Role::Button | Role::TextInput | Role::ComboBox | Role::Label);
        let bounds = node.raw_bounds()?;
        let corner = |x: f64, y: f64| pos2(x as f32, y as f32);
        let rect = Rect::from_min_max(corner(bounds.x0, bounds.y0), corner(bounds.x1, bounds.y1));
        (is_widget && rect.contains(point)).then_some(name)
    });
    nodes.collect()
}

/// Fifty points in the widgets of the frame, by chance, each with what the name of its widget contains.
fn fifty_points<'f>(bench: &Bench, frame: &[&'f str], dice: &mut Dice) -> Vec<(Pos2, &'f str)> {
    let mut share = || dice.roll(1000) as f32 / 999.0;
    let points = (0..50).map(|n| {
        let name = frame[n % frame.len()];
        let exact = bench.harness.query_all_by_label(name).next();
        let found = exact.or_else(|| bench.harness.query_all_by_label_contains(name).next());
        let rect = found.unwrap_or_else(|| panic!("nothing is called “{name}”")).rect().shrink(2.0);
        (rect.min + rect.size() * vec2(share(), share()), name)
    });
    points.collect()
}

const KINDS: [CommandKind; 25] = [
    CommandKind::Edit,
    CommandKind::Edit,
    CommandKind::Edit,
    CommandKind::Undo,
    CommandKind::Redo,
    CommandKind::Select,
    CommandKind::SelectMount,
    CommandKind::Suggest,
    CommandKind::Suggest,
    CommandKind::Suggest,
    CommandKind::ShowIdentity,
    CommandKind::SystemPicker,
    CommandKind::PickForSheet,
    CommandKind::Explain,
    CommandKind::Inspector,
    CommandKind::ShowInspectorTab,
    CommandKind::ShowInspectorTab,
    CommandKind::ShowPage,
    CommandKind::GoTo,
    CommandKind::FixAll,
    CommandKind::Palette,
    CommandKind::Notify,
    CommandKind::CopyReport,
    CommandKind::DismissNotice,
    CommandKind::Preview,
];

/// Where a document cannot be read as what it was, its page is another one; the next commands undo that.
fn holds_still(file: &str, size: (f32, f32), frame: &[&str], seed: u64) {
    let mut bench = Bench::sized(Bench::new(&[file]).folder, size.0, size.1);
    // The bundled faces draw a box for missing letters.
    bench.harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    bench.open(file);
    let files = Files { designs: vec![bench.path(file)], built_in: Vec::new(), scratch: Vec::new() };
    let mut dice = Dice::new(seed);
    let points = fifty_points(&bench, frame, &mut dice);
    let mut compared = 0;
    for step in 0..70 {
        let kind = KINDS[dice.roll(KINDS.len())];
        let Some(command) = of_kind(kind, bench.state(), &files, &mut dice) else { continue };
        let words = format!("{command:?}").chars().take(90).collect::<String>();
        bench.give(command);
        bench.give(Command::CloseDialog);
        let is_page = bench.doc().shown_ship().is_some() && bench.doc().ruleset_id().is_some();
        if !is_page {
            bench.give(Command::Undo);
            continue;
        }
        compared += 1;
        for (point, name) in &points {
            let found = names_at(&bench, *point);
            let is_there = found.iter().any(|found| found.contains(name));
            assert!(is_there, "{name}, not {found:?}: {file}, {point:?}, after {words} (step {step})");
        }
    }
    assert!(compared > 40, "{compared} steps were compared");
}

const OF_ALL: [&str; 19] = [
    "File",
    "Edit",
    "View",
    "Ship",
    "Fleet",
    "Sheet",
    "Rules",
    "Help",
    "Start",
    "Close ",
    "POINTS",
    "Show the sheet",
    "Show the odds",
    "Findings",
    "Explain",
    "Compare",
    "Print…",
    "Chits…",
    "LIBRARY",
];

#[test]
fn fifty_points_of_a_design_keep_their_widgets() {
    let frame: Vec<&str> = OF_ALL.into_iter().chain(["MASS", "THRUST", "Suggest…", "Suggest"]).collect();
    for (size, seed) in [((1280.0, 800.0), 3), ((1366.0, 768.0), 8), ((1920.0, 1080.0), 21)] {
        holds_still(VIGILANT, size, &frame, seed);
    }
    holds_still(TERN, (1280.0, 800.0), &OF_ALL, 5);
}

#[test]
fn fifty_points_of_a_fleet_keep_their_widgets() {
    let frame: Vec<&str> = OF_ALL.into_iter().chain(["SHIPS", "Damage and load"]).collect();
    holds_still(FLEET, (1280.0, 800.0), &frame, 13);
}

#[test]
fn what_is_taken_in_tow_moves_no_ship() {
    let mut bench = Bench::opened(&[FLEET]);
    let tops = |bench: &Bench| -> Vec<f32> {
        let ships = (1..=3).map(|n| {
            let name = format!("ship {n}: ");
            bench.harness.get_all_by_label_contains(&name).next().unwrap().rect().top()
        });
        ships.collect()
    };
    let before = tops(&bench);
    let tow = DocumentEdit::AddCarried { ship: 0, relation: "tow".into(), design: "../carquois.toml".into(), count: 1 };
    bench.give(Command::Edit(Edit::single("tow", tow)));
    assert_eq!(bench.doc().as_fleet().unwrap().fleet().ships[0].carried[0].ships.len(), 2);
    assert_eq!(tops(&bench), before);
    let pod = bench.harness.get_by_label_contains("ship 1 carries 1 Carquois").rect().top();
    assert!(pod > before[2], "below all ships: {pod} {before:?}");
}

#[test]
fn the_list_of_systems_stays_where_it_opens_while_a_name_is_typed() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.click_first("Add to after chase");
    let field = |bench: &Bench| bench.harness.get_by_label("search systems").rect();
    let before = field(&bench);
    for letter in ["g", "r", "a", "zz"] {
        bench.type_text(letter);
        assert_eq!(field(&bench), before, "after {letter}");
    }
}

#[test]
fn a_longer_number_moves_no_button() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let more = |bench: &Bench| bench.harness.get_all_by_label("more laser, port").next().unwrap().rect();
    let before = more(&bench);
    let laser =
        bench.doc().evaluation().unwrap().fits.iter().find(|fit| &*fit.system == "laser" && &*fit.mount == "port");
    let laser = laser.unwrap().index as usize;
    for count in [8, 88, 888, 8_888_i64] {
        bench.give(Command::Edit(Edit::single("many", DocumentEdit::set(TablePath::Fit(laser), "count", count))));
        assert_eq!(more(&bench), before, "{count}");
    }
}

#[test]
fn goals_and_pages_do_not_move_the_form() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let name = |bench: &Bench| bench.harness.get_by_label("name").rect();
    let before = name(&bench);
    let at = pos2(before.center().x, before.center().y);
    for tab in [InspectorTab::Suggest, InspectorTab::Rules, InspectorTab::Explain, InspectorTab::Findings] {
        bench.give(Command::ShowInspectorTab(tab));
        assert_eq!(name(&bench), before, "{tab:?}");
    }
    bench.give(Command::ShowPage(RightPage::Odds));
    assert_eq!(name(&bench), before);
    assert!(name(&bench).contains(at));
}
