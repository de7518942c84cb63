//! Star Navy: the printed move chart, worked figures, and random ships recomputed by other code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use moldloft::evaluate::Evaluation;
use moldloft::finding::Severity;
use moldloft::formula::Value;
use moldloft::scene::{Path, Rect, Scene, SceneItem, Segment, Shape, Transform};
use moldloft::sheet::{Paper, SheetOptions};
use proptest::prelude::*;

use super::legible::holds;
use super::rules::{load, rows, said, value};
use super::{printed, ship};

const ID: &str = "star-navy";

const MOUNTS: [&str; 7] = ["left-front", "front", "right-front", "left-rear", "rear", "right-rear", "core"];
/// Left and right by their places in [`MOUNTS`].
const PAIRS: [(usize, usize); 2] = [(0, 2), (3, 5)];
/// System, points of one.
const SYSTEMS: [(&str, i64); 14] = [
    ("hull", 1),
    ("shield", 2),
    ("cannon", 4),
    ("laser", 4),
    ("pulser", 4),
    ("torpedo", 4),
    ("weapon", 4),
    ("capacitor", 1),
    ("thruster", 1),
    ("engine", 5),
    ("isd", 3),
    ("marine", 2),
    ("integrity", 4),
    ("mine", 3),
];
const CLASSES: [(&str, i64); 6] =
    [("dreadnought", 0), ("battleship", 0), ("cruiser", 1), ("frigate", 1), ("destroyer", 2), ("corvette", 2)];

super::game_of!(ID, 6);

/// Points, energy, discount of the samples, counted by hand from their files.
#[test]
fn samples_come_to_the_figures_counted_by_hand() {
    let ships = super::samples(ID);
    let found: Vec<(&str, i64, i64, i64)> = ships
        .iter()
        .map(|ship| {
            let of = |id| value(ship, id);
            (&*ship.name, of("points"), of("energy_per_cycle"), of("turn_discount"))
        })
        .collect();
    let expected = [
        ("Chicago", 376, 14, 0),
        ("Cincinnati", 119, 4, 2),
        ("Detroit", 309, 11, 0),
        ("Milwaukee", 251, 9, 1),
        ("Pittsburgh", 162, 6, 2),
        ("Saint Louis", 197, 7, 1),
    ];
    assert_eq!(found, expected);
    // They shrink in the order of their classes, boxes and points alike.
    let boxes = |name: &str| -> u32 {
        ships.iter().find(|ship| &*ship.name == name).unwrap().fits.iter().map(|fit| fit.count).sum()
    };
    let order = ["Chicago", "Detroit", "Milwaukee", "Saint Louis", "Pittsburgh", "Cincinnati"];
    assert!(order.map(boxes).is_sorted_by(|a, b| a > b), "{:?}", order.map(boxes));
}

/// The chart as it is printed: turn by turn, the speeds that move.
#[test]
fn move_chart_is_the_printed_one() {
    let blank = Evaluation::blank(&load(ID), "reference").unwrap();
    let chart = blank.tables.iter().find(|table| &*table.id == "move_chart").unwrap();
    let shown = |row: &Vec<Value>| {
        let cells = row.iter().filter_map(|cell| match cell {
            Value::Int(speed) => Some(speed.to_string()),
            _ => None,
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    let printed = ["6", "3 4 5 6", "2 4 5 6", "3 5 6", "4 5 6", "1 2 3 4 5 6"];
    assert_eq!(chart.rows.iter().map(shown).collect::<Vec<_>>(), printed);
    // The console says the same, turn by turn.
    let console = Evaluation::blank(&load(ID), "console").unwrap();
    let turn = console.tracks.iter().find(|track| &*track.id == "turn").unwrap();
    let speeds = turn.cells.iter().map(|cell| match cell {
        Value::Record(record) => record.get("speeds").unwrap().clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(speeds.collect::<Vec<_>>(), printed.map(|words| Value::Text(words.into())));
    // A ship of speed s moves s times in a cycle.
    for speed in 1..=6_usize {
        let moves = chart.rows.iter().filter(|row| row[speed - 1] == Value::Int(speed as i64)).count();
        assert_eq!(moves, speed);
    }
}

#[test]
fn damage_table_is_the_printed_one() {
    let rules = load(ID);
    let table = rules.tables.iter().find(|table| &*table.id == "damage").unwrap();
    let moldloft::ruleset::TableKind::Rows { rows, .. } = &table.kind else { panic!("rows") };
    let letter = |value: &Value| match value {
        Value::Text(text) => match &**text {
            "hull" => 'H',
            "shield" => 'S',
            "cap/thr" => 'C',
            "weapon" => 'W',
            "engine" => 'E',
            "ISD" => 'I',
            "marine" => 'M',
            "integrity" => '+',
            other => panic!("{other}"),
        },
        other => panic!("{other:?}"),
    };
    let found: Vec<String> =
        rows.iter().map(|row| row.entries.iter().map(|(_, cell)| letter(cell)).collect()).collect();
    let printed = ["HHHHHH", "SSSHCW", "SSCWHH", "CWSSSS", "CWHSSS", "HHCWIM", "EIMECW", "EIMEIM", "+E++M+"];
    assert_eq!(found, printed);
}

/// Thirty hulls in each section and sixty engines: nothing shrinks below the smallest box, nothing is lost.
#[test]
fn a_monster_goes_on_and_loses_nothing() {
    let leviathan = ship(&load(ID), &leviathan());
    assert!(leviathan.legal, "{}", said(&leviathan.findings));
    for large_print in [false, true] {
        let options = SheetOptions { large_print, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&leviathan), options);
        assert!(findings.is_empty(), "{}", said(&findings));
        assert!(scene.pages.len() > 1);
        holds(&leviathan, &scene, &findings, options);
    }
}

/// The straight lines of drawn outlines higher than 30 mm: those of the hexagon, mm on the page.
fn hexagon(items: &[SceneItem]) -> Vec<[f32; 4]> {
    fn walk(shape: &Shape, transform: &Transform, lines: &mut Vec<[f32; 4]>) {
        match shape {
            Shape::Use { drawing, transform: own } => {
                drawing.shapes.iter().for_each(|shape| walk(shape, &transform.then_inner(own), lines));
            }
            Shape::Group { transform: own, items } => {
                items.iter().for_each(|item| walk(&item.shape, &transform.then_inner(own), lines));
            }
            // Lines to write on are thinner.
            Shape::Path(path, style)
                if style.stroke.as_ref().is_some_and(|stroke| stroke.width * transform.m[3] > 0.4)
                    && super::legible::bounds(path).h > 30.0 =>
            {
                add_lines(path, transform, lines);
            }
            _ => {}
        }
    }
    fn add_lines(path: &Path, transform: &Transform, lines: &mut Vec<[f32; 4]>) {
        let (mut start, mut last) = ((0.0, 0.0), (0.0, 0.0));
        for segment in &path.segments {
            let next = match *segment {
                Segment::Move(x, y) => {
                    start = (x, y);
                    last = start;
                    continue;
                }
                Segment::Line(x, y) | Segment::Curve(_, _, _, _, x, y) => (x, y),
                Segment::Close => start,
            };
            let ((x1, y1), (x2, y2)) = (transform.apply(last.0, last.1), transform.apply(next.0, next.1));
            lines.push([x1, y1, x2, y2]);
            last = next;
        }
    }
    let mut lines = Vec::new();
    items.iter().for_each(|item| walk(&item.shape, &Transform::IDENTITY, &mut lines));
    assert_eq!(lines.len(), 18, "two hexagons and six lines between them");
    lines
}

/// Whether a line passes through a rectangle: walked in steps far smaller than any box.
fn crosses(line: &[f32; 4], rect: &Rect) -> bool {
    let (left, right) = (line[0].min(line[2]), line[0].max(line[2]));
    let (top, bottom) = (line[1].min(line[3]), line[1].max(line[3]));
    if rect.right() < left || rect.x > right || rect.bottom() < top || rect.y > bottom {
        return false;
    }
    (0..=2000).any(|n| {
        let t = n as f32 / 2000.0;
        let (x, y) = (line[0] + t * (line[2] - line[0]), line[1] + t * (line[3] - line[1]));
        x > rect.x && x < rect.right() && y > rect.y && y < rect.bottom()
    })
}

/// The sections are slanted: no box and no word may stand on their lines, on the smallest and the largest ship.
#[test]
fn nothing_stands_on_the_lines_of_the_hexagon() {
    let mut ships = super::samples(ID);
    ships.push(ship(&load(ID), &leviathan()));
    for large_print in [false, true] {
        for ship in &ships {
            let options = SheetOptions { large_print, ..SheetOptions::default() };
            let (scene, _) = printed(std::slice::from_ref(ship), options);
            let lines = hexagon(&scene.pages[0].items);
            for item in &scene.pages[0].items {
                let tick = item.mark.as_ref().map(|mark| &*mark.name);
                let rect = match (&item.shape, super::legible::extent(item)) {
                    (Shape::Rect { rect, .. }, _) if tick.is_some() => *rect,
                    (Shape::Circle { x, y, radius, .. }, _) => {
                        Rect::new(x - radius, y - radius, 2.0 * radius, 2.0 * radius)
                    }
                    (Shape::Path(path, _), _) if tick.is_some() => super::legible::bounds(path),
                    (_, Some(text)) => text,
                    _ => continue,
                };
                let struck = lines.iter().find(|line| crosses(line, &rect));
                assert!(struck.is_none(), "{}: {tick:?} {rect:?} stands on {struck:?}", ship.name);
            }
        }
    }
}

/// Shields are numbered, so that a marker says how many are active; components of other kinds are not.
#[test]
fn shields_are_numbered() {
    let ships = super::samples(ID);
    let chicago = ships.iter().find(|ship| &*ship.name == "Chicago").unwrap();
    let (scene, _) = printed(std::slice::from_ref(chicago), SheetOptions::default());
    // What stands in a box follows it.
    let items = &scene.pages[0].items;
    let inside = |name: &str| {
        let place = items.iter().position(|item| item.mark.as_ref().is_some_and(|mark| &*mark.name == name)).unwrap();
        match &items[place + 1].shape {
            Shape::Text(text) => text.shaped.text.to_string(),
            _ => String::new(),
        }
    };
    for n in 1..=7 {
        // Which is active has boxes of its own, apart from those that are crossed off.
        assert_eq!(inside(&format!("shields_active_front_{n}")), n.to_string());
        assert_ne!(inside(&format!("shield_front_{n}")), n.to_string());
    }
    assert_eq!(inside("shields_active_front_8"), "none", "a place for the marker of a section without shields");
    assert_eq!(inside("cannon_front_1"), "C");
    assert_eq!(inside("hull_front_1"), "");
}

/// An empty console to be filled in by pencil: every row of every section, and the tracks that all ships have alike.
#[test]
fn empty_console_has_all_its_rows() {
    let blank = Evaluation::blank(&load(ID), "console").unwrap();
    for options in papers() {
        let options = SheetOptions { is_blank: true, ..options };
        let (scene, findings) = printed(std::slice::from_ref(&blank), options);
        assert!(findings.is_empty(), "{}", said(&findings));
        holds(&blank, &scene, &findings, options);
        let is_small = options.page_setup == Paper::A5.into();
        assert_eq!(scene.pages.len(), 1 + usize::from(is_small) + usize::from(options.large_print));
        // Every section is on the hexagon, whole.
        for mount in &MOUNTS[..6] {
            assert_eq!(box_of(&scene, &format!("hull_{mount}_10")).0, 0, "{mount}");
        }
        let marks: BTreeSet<&str> = scene
            .pages
            .iter()
            .flat_map(|page| &page.items)
            .filter_map(|item| item.mark.as_ref())
            .map(|mark| &*mark.name)
            .collect();
        for mount in &MOUNTS[..6] {
            let fourth = if mount.ends_with("front") { "capacitor" } else { "thruster" };
            // As many shields, capacitors and thrusters as their rows of markers have numbers for.
            for (system, boxes) in [("hull", 10), ("shield", 7), ("weapon", 5), (fourth, 4)] {
                assert!(marks.contains(format!("{system}_{mount}_{boxes}").as_str()), "{system} {mount}");
            }
        }
        for mark in ["engine_core_14", "mine_core_6", "speed_7", "turn_6", "engine_energy_engines_14"] {
            assert!(marks.contains(mark), "{mark}");
        }
    }
}

/// What the console shows of one section's weapons stands in one row, in columns with the other sections'.
#[test]
fn status_rows_line_up() {
    let ships = super::samples(ID);
    let cincinnati = ships.iter().find(|ship| &*ship.name == "Cincinnati").unwrap();
    let (scene, _) = printed(std::slice::from_ref(cincinnati), SheetOptions::default());
    let place = |name: &str| {
        let item = scene.pages[0].items.iter().find(|item| item.mark.as_ref().is_some_and(|mark| &*mark.name == name));
        match &item.unwrap_or_else(|| panic!("{name}")).shape {
            Shape::Rect { rect, .. } => (rect.x, rect.y),
            Shape::Circle { x, y, radius, .. } => (x - radius, y - radius),
            other => panic!("{other:?}"),
        }
    };
    let near = |a: f32, b: f32| (a - b).abs() < 0.3;
    // One weapon on the bow, two ahead: "recover" is after "ready", so that numbers begin under one another.
    assert!(near(place("status_left-front_2").0, place("status_front_2").0));
    assert!(near(place("status_left-front_3").0, place("isd_status_3").0));
    assert!(near(place("status_left-front_1").0, place("isd_status_1").0));
    // Cannon fired once, twice: in the section's own row, after it.
    assert!(near(place("status_left-front_1").1, place("cannon_fired_left-front_1").1));
    assert!(place("cannon_fired_left-front_2").0 > place("status_left-front_3").0);
    // Marines have a place of their own, beside the hexagon.
    assert!(place("marine_status_1").1 < place("isd_status_1").1 - 3.0);
}

/// The rectangle of a box on one of the pages, with the number of that page.
fn box_of(scene: &Scene, name: &str) -> (usize, Rect) {
    let found = scene.pages.iter().enumerate().find_map(|(page, content)| {
        let item = content.items.iter().find(|item| item.mark.as_ref().is_some_and(|mark| &*mark.name == name))?;
        Some((page, extent_of(item)?))
    });
    found.unwrap_or_else(|| panic!("{name}"))
}

fn extent_of(item: &SceneItem) -> Option<Rect> {
    match &item.shape {
        Shape::Rect { rect, .. } => Some(*rect),
        Shape::Circle { x, y, radius, .. } => Some(Rect::new(x - radius, y - radius, 2.0 * radius, 2.0 * radius)),
        Shape::Path(path, _) => Some(super::legible::bounds(path)),
        _ => None,
    }
}

/// The papers that a club prints on.
fn papers() -> impl Iterator<Item = SheetOptions> {
    let papers = [Paper::A4, Paper::Letter, Paper::A5].into_iter();
    papers.flat_map(|paper| {
        [false, true].map(|large_print| SheetOptions {
            page_setup: paper.into(),
            large_print,
            ..SheetOptions::default()
        })
    })
}

/// A pencil crosses them off: boxes of a dreadnought's sections are 4.5 mm at least, on full sheets.
#[test]
fn damage_boxes_of_a_dreadnought_are_large() {
    for ship in super::samples(ID) {
        for options in papers().filter(|options| !options.large_print) {
            let (scene, findings) = printed(std::slice::from_ref(&ship), options);
            assert!(findings.is_empty(), "{}", said(&findings));
            let is_a5 = options.page_setup == Paper::A5.into();
            let least = if is_a5 { 4.0 } else { 4.5 };
            for mount in &MOUNTS[..6] {
                for system in ["hull", "shield"] {
                    let (page, rect) = box_of(&scene, &format!("{system}_{mount}_1"));
                    assert_eq!(page, 0, "{}: {system} {mount}", ship.name);
                    assert!(rect.w > least - 0.01, "{}: {system} {mount} is {} mm", ship.name, rect.w);
                }
            }
        }
    }
}

/// The rules mark states with nuts of 7 mm: they fit on every paper, on the largest ship too.
#[test]
fn markers_of_seven_millimetres_fit() {
    let mut ships = super::samples(ID);
    ships.push(ship(&load(ID), &leviathan()));
    let states = ["status_", "shields_active_", "isd_status_", "marine_status_", "speed_", "turn_"];
    let counts = ["engine_energy_", "capacitor_energy_", "thrusters_"];
    for ship in &ships {
        for options in papers() {
            let (scene, _) = printed(std::slice::from_ref(ship), options);
            let mut found = 0;
            for item in scene.pages.iter().flat_map(|page| &page.items) {
                let Some(mark) = &item.mark else { continue };
                let is_state = states.iter().chain(&counts).any(|start| mark.name.starts_with(start));
                let Some(rect) = extent_of(item).filter(|_| is_state) else { continue };
                found += 1;
                let side = rect.w.min(rect.h);
                assert!(side > 7.5, "{}: {} is {side} mm", ship.name, mark.name);
            }
            assert!(found > 40, "{}: {found} boxes", ship.name);
        }
    }
}

/// On every paper, cannon that have fired are ticked in their section's row, and boxes of all shields are alike.
#[test]
fn rows_of_a_dreadnought_are_whole_and_alike() {
    let ships = super::samples(ID);
    let chicago = ships.iter().find(|ship| &*ship.name == "Chicago").unwrap();
    for options in papers() {
        let (scene, _) = printed(std::slice::from_ref(chicago), options);
        let place = |name: &str| box_of(&scene, name).1;
        let middle = |rect: Rect| rect.y + rect.h / 2.0;
        let (ready, fired) = (place("status_front_1"), place("cannon_fired_front_1"));
        assert!((middle(ready) - middle(fired)).abs() < 0.5, "{ready:?} {fired:?}");
        let (front, rear) = (place("shields_active_front_1"), place("shields_active_rear_1"));
        assert!((front.w - rear.w).abs() < 0.1 && (front.h - rear.h).abs() < 0.1, "{front:?} {rear:?}");
    }
}

/// Without a side there is no band, and the ship's name begins at the margin like the rest of the page.
#[test]
fn a_name_without_a_band_begins_at_the_margin() {
    let ships = super::samples(ID);
    let chicago = ships.iter().find(|ship| &*ship.name == "Chicago").unwrap();
    for options in papers() {
        let (scene, _) = printed(std::slice::from_ref(chicago), options);
        let starts = |text: &str| {
            let item = scene.pages[0]
                .items
                .iter()
                .find(|item| matches!(&item.shape, Shape::Text(line) if line.shaped.text.starts_with(text)));
            super::legible::extent(item.unwrap_or_else(|| panic!("{text}"))).unwrap().x
        };
        assert!((starts("Chicago") - starts("TURN")).abs() < 0.8, "{} {}", starts("Chicago"), starts("TURN"));
    }
}

/// The tracks of a console begin at one place, and what is marked twice stays together.
#[test]
fn tracks_begin_at_one_place() {
    for ship in super::samples(ID) {
        let (scene, _) = printed(std::slice::from_ref(&ship), SheetOptions::default());
        let starts = ["status_front_1", "isd_status_1", "engine_energy_1", "capacitor_energy_1"];
        let starts = starts.map(|name| box_of(&scene, name).1.x);
        assert!(starts.iter().all(|x| (x - starts[0]).abs() < 0.05), "{}: {starts:?}", ship.name);
    }
    let cannon = leviathan().replace("\"laser\"", "\"cannon\"").replace("count = 9", "count = 11");
    let cannon = ship(&load(ID), &cannon);
    for options in papers() {
        let (scene, _) = printed(std::slice::from_ref(&cannon), options);
        for mount in &MOUNTS[..6] {
            let [once, twice] = [1, 2].map(|n| box_of(&scene, &format!("cannon_fired_{mount}_{n}")).1);
            assert!((once.y - twice.y).abs() < 0.05 && twice.x > once.x, "{mount}: {once:?} {twice:?}");
        }
    }
}

/// Cycles are numbered on from page to page: the back begins after the last of the front.
#[test]
fn the_back_numbers_its_cycles_on() {
    for ship in super::samples(ID) {
        let options = SheetOptions { sheet_backs: true, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&ship), options);
        assert!(findings.is_empty(), "{}", said(&findings));
        assert_eq!(scene.pages.len(), 2, "{}", ship.name);
        let rows = |page: usize, log: &str| -> BTreeSet<u32> {
            let names = scene.pages[page].items.iter().filter_map(|item| item.mark.as_ref());
            let rows = names.filter_map(|mark| mark.name.strip_prefix(log)?.split('_').next()?.parse().ok());
            rows.collect()
        };
        let (front, back) = (rows(0, "commands_"), rows(1, "further_commands_"));
        assert_eq!(front.first(), Some(&1));
        assert_eq!(back.first().copied(), front.last().map(|last| last + 1), "{}", ship.name);
        assert!(back.len() >= 10);
    }
}

/// Fifteen hulls, seven shields and four weapons in every section stay on the hexagon, all damage of a section in one place; Letter has
/// room for a console on one page.
#[test]
fn a_dreadnoughts_sections_stay_whole_on_one_page() {
    let mut text = "ruleset = \"star-navy\"\nname = \"Titan\"\n[fields]\nclass_kind = \"dreadnought\"\n".to_owned();
    for mount in &MOUNTS[..6] {
        for (system, count) in [("hull", 15), ("shield", 7), ("laser", 4)] {
            let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n");
        }
    }
    text += "[[fit]]\nsystem = \"engine\"\nmount = \"core\"\ncount = 14\n";
    text += "[[fit]]\nsystem = \"integrity\"\nmount = \"core\"\ncount = 6\n";
    let titan = ship(&load(ID), &text);
    let (scene, _) = printed(std::slice::from_ref(&titan), SheetOptions::default());
    let marks: BTreeSet<&str> =
        scene.pages[0].items.iter().filter_map(|item| item.mark.as_ref()).map(|mark| &*mark.name).collect();
    for mount in &MOUNTS[..6] {
        for last in ["hull", "shield", "laser"].map(|system| (system, if system == "hull" { 15 } else { 4 })) {
            let name = format!("{}_{mount}_{}", last.0, last.1);
            assert!(marks.contains(&*name), "{name} is not on the first page");
        }
    }
    let options = SheetOptions { page_setup: Paper::Letter.into(), ..SheetOptions::default() };
    for ship in super::samples(ID) {
        let (scene, _) = printed(std::slice::from_ref(&ship), options);
        assert_eq!(scene.pages.len(), 1, "{} on Letter", ship.name);
    }
}

fn leviathan() -> String {
    let mut text = "ruleset = \"star-navy\"\nname = \"Leviathan\"\n[fields]\nclass_kind = \"dreadnought\"\n".to_owned();
    for mount in &MOUNTS[..6] {
        for (system, count) in [("hull", 30), ("shield", 12), ("laser", 9)] {
            let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n");
        }
    }
    for (system, count) in [("engine", 60), ("isd", 6), ("marine", 40), ("integrity", 30), ("mine", 12)] {
        let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"core\"\ncount = {count}\n");
    }
    text
}

#[derive(Clone, Debug)]
struct Drawn {
    class: usize,
    /// System, mount, count.
    fits: Vec<(usize, usize, i64)>,
}

impl Drawn {
    fn toml(&self) -> String {
        let mut text = format!(
            "ruleset = \"star-navy\"\nname = \"Drawn\"\n[fields]\nclass_kind = \"{}\"\n",
            CLASSES[self.class].0
        );
        for &(system, mount, count) in &self.fits {
            let (system, mount) = (SYSTEMS[system].0, MOUNTS[mount]);
            let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n");
        }
        text
    }

    fn count(&self, systems: std::ops::Range<usize>, mount: Option<usize>) -> i64 {
        let wanted = |(s, m, _): &&(usize, usize, i64)| systems.contains(s) && mount.is_none_or(|mount| mount == *m);
        self.fits.iter().filter(wanted).map(|(_, _, count)| count).sum()
    }

    fn aboard(&self, mount: usize) -> BTreeMap<usize, i64> {
        let mut aboard = BTreeMap::new();
        for &(system, _, count) in self.fits.iter().filter(|fit| fit.1 == mount && fit.2 > 0) {
            *aboard.entry(system).or_default() += count;
        }
        aboard
    }

    fn types(&self, mount: usize) -> BTreeSet<usize> {
        self.aboard(mount).into_keys().filter(|system| (2..7).contains(system)).collect()
    }

    /// Every code that is due, with its severity.
    fn codes(&self) -> BTreeSet<(&'static str, Severity)> {
        let one = |system: usize| self.count(system..system + 1, None);
        let discount = CLASSES[self.class].1;
        let mut codes = BTreeSet::new();
        let mut due = |code, severity, holds: bool| {
            if holds {
                codes.insert((code, severity));
            }
        };
        due("no-engine", Severity::Error, one(9) == 0);
        due("no-integrity", Severity::Error, one(12) == 0);
        let astray = |&(system, mount, _): &(usize, usize, i64)| match system {
            7 => mount > 2,
            8 => !(3..6).contains(&mount),
            0..=6 => mount == 6,
            _ => mount != 6,
        };
        due("mount-not-allowed", Severity::Error, self.fits.iter().any(astray));
        due("two-weapon-types", Severity::Error, (0..7).any(|mount| self.types(mount).len() > 1));
        due("weapon-types-differ", Severity::Error, PAIRS.iter().any(|&(a, b)| self.types(a) != self.types(b)));
        due("counts-differ", Severity::Warning, PAIRS.iter().any(|&(a, b)| self.aboard(a) != self.aboard(b)));
        due("too-many-pulsers", Severity::Warning, (0..7).any(|mount| self.count(4..5, Some(mount)) > 4));
        due("too-many-isds", Severity::Warning, one(10) > 6);
        let bare = |mount: usize| self.count(0..1, Some(mount)) == 0 || self.count(1..2, Some(mount)) == 0;
        due("section-bare", Severity::Info, (0..6).any(bare));
        due("energy-short", Severity::Info, one(9) < self.count(2..7, None) + (1 - discount).max(0));
        due("thrusters-short", Severity::Info, one(8) < 6 - discount);
        codes
    }
}

fn agrees(drawn: &Drawn, ship: &Evaluation) {
    let one = |system: usize| drawn.count(system..system + 1, None);
    assert_eq!(value(ship, "energy_per_cycle"), one(9));
    assert_eq!(value(ship, "turn_discount"), CLASSES[drawn.class].1);
    let points: i64 = drawn.fits.iter().map(|&(system, _, count)| SYSTEMS[system].1 * count).sum();
    assert_eq!(value(ship, "points"), points);
    assert_eq!(ship.costs.iter().map(|line| line.total).sum::<i64>(), points);
    let found: BTreeSet<(String, Severity)> =
        ship.findings.iter().map(|finding| (finding.code.to_string(), finding.severity)).collect();
    let due = drawn.codes();
    assert_eq!(found, due.iter().map(|(code, severity)| ((*code).to_owned(), *severity)).collect());
    assert_eq!(ship.legal, !due.iter().any(|(_, severity)| *severity == Severity::Error));
    let row = |boxes: i64| if boxes > 0 { vec![boxes as u32] } else { Vec::new() };
    assert_eq!(rows(ship, "speed"), [7]);
    assert_eq!(rows(ship, "engine_energy"), row(one(9) + 1));
    for (track, system, more) in [("capacitor_energy", 7, 1), ("thrusters", 8, 1), ("isd_status", 10, 2)] {
        let boxes = if one(system) > 0 { one(system) + more } else { 0 };
        assert_eq!(rows(ship, track), row(boxes), "{track}");
    }
    // All marines that are ready board together: three states, whatever their number.
    assert_eq!(rows(ship, "marine_status"), row(if one(11) > 0 { 3 } else { 0 }));
    for (place, mount) in MOUNTS.iter().enumerate() {
        let weapons = drawn.count(2..7, Some(place));
        let boxes = if weapons > 0 { weapons + 2 } else { 0 };
        assert_eq!(rows(ship, &format!("status_{mount}")), row(boxes), "{mount}");
        // Weapons left open may become cannon.
        let cannon = if drawn.count(2..3, Some(place)) + drawn.count(6..7, Some(place)) > 0 { 2 } else { 0 };
        assert_eq!(rows(ship, &format!("cannon_fired_{mount}")), row(cannon), "{mount}");
    }
    let counted = |id: &str| ship.counters.iter().filter(|c| &*c.id == id).map(|c| c.count).sum::<u32>();
    assert_eq!(counted("mine"), one(13) as u32);
    assert_eq!(counted("marker"), 23);
    // In millimetres: a ship 20 from side to side, a hex 25, a marker 7; a hexagon is 2/√3 as wide as high, to the tenth below.
    let size = |id: &str| ship.counters.iter().find(|counter| &*counter.id == id).map(|counter| counter.size);
    assert_eq!(size("ship"), Some((23.0, 20.0)));
    assert_eq!(size("asteroids"), Some((28.8, 25.0)));
    assert_eq!(size("marker"), Some((7.0, 7.0)));
}

fn drawn() -> impl Strategy<Value = Drawn> {
    // A weapon type astray, or a fit in a wrong place, is as likely as one that is right.
    let sensible = prop_oneof![
        (0..9_usize, 0..6_usize).prop_map(|(system, mount)| match system {
            7 => (system, mount % 3),
            8 => (system, 3 + mount % 3),
            _ => (system, mount),
        }),
        (9..14_usize).prop_map(|system| (system, 6)),
    ];
    let astray = (0..14_usize, 0..7_usize);
    let place = prop_oneof![9 => sensible, 1 => astray];
    let count = prop_oneof![6 => 0..9_i64, 1 => 9..60_i64];
    let fits = prop::collection::vec((place, count).prop_map(|((system, mount), count)| (system, mount, count)), 0..34);
    (0..6_usize, fits, any::<bool>()).prop_map(|(class, mut fits, mirrored)| {
        if mirrored {
            fits.retain(|fit| fit.1 != 2 && fit.1 != 5);
            let more: Vec<_> =
                fits.iter().filter(|fit| fit.1 == 0 || fit.1 == 3).map(|f| (f.0, f.1 + 2, f.2)).collect();
            fits.extend(more);
        }
        Drawn { class, fits }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn random_ships_agree_with_other_arithmetic(drawn in drawn()) {
        agrees(&drawn, &ship(&load(ID), &drawn.toml()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, rng_seed: proptest::test_runner::RngSeed::Fixed(11), ..ProptestConfig::default() })]

    #[test]
    fn random_ships_print_legibly(drawn in drawn(), letter: bool, large_print: bool) {
        let ship = ship(&load(ID), &drawn.toml());
        let options = SheetOptions { page_setup: if letter { Paper::Letter } else { Paper::A4 }.into(), large_print, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&ship), options);
        prop_assert!(findings.is_empty(), "{}", said(&findings));
        holds(&ship, &scene, &findings, options);
    }
}
