//! Babylon 5 Wars house rules: worked figures and random ships.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use moldloft::evaluate::{Evaluation, TableResult};
use moldloft::finding::Severity;
use moldloft::formula::Value;
use moldloft::sheet::{Paper, SheetOptions};
use proptest::prelude::*;

use super::legible::holds;
use super::rules::{load, said};

const ID: &str = "b5-house-rules";

super::game_of!(ID, 3);

fn table<'e>(ship: &'e Evaluation, id: &str) -> &'e TableResult {
    ship.tables.iter().find(|table| &*table.id == id).unwrap_or_else(|| panic!("no table {id}"))
}

fn words(value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

fn value(ship: &Evaluation, id: &str) -> i64 {
    let value = ship.values.iter().find(|value| &*value.id == id).expect("a value of that name");
    if let Value::Int(n) = value.value { n } else { panic!("{id}: {:?}", value.value) }
}

/// A table's column under a heading, from the top.
fn under(table: &TableResult, head: &str) -> Vec<String> {
    let at = table.columns.iter().position(|column| &*column.label == head).expect("a column of that heading");
    table.rows.iter().map(|row| words(&row[at])).collect()
}

#[test]
fn the_rules_own_ship_turns_as_the_rules_say() {
    let ship = super::samples(ID).into_iter().find(|ship| &*ship.name == "Var'Nic").expect("the sample");
    assert_eq!(value(&ship, "accel_steps"), 4);
    let delays = table(&ship, "turn_delay");
    assert_eq!(under(delays, "7")[..4], ["4", "5", "5", "6"]);
    assert_eq!(under(delays, "6")[..4], ["3", "4", "4", "5"]);
    assert_eq!(delays.rows.len(), 13, "full thrust, and 1 to 12 short");
    // Her table ends at speed 10: two zigs on she stands past it.
    assert_eq!(under(delays, "10")[..4], ["7", "8", "–", "–"]);
    assert_eq!(under(delays, "8")[..7], ["5", "6", "6", "7", "7", "8", "–"]);
}

#[test]
fn the_medium_laser_is_printed_as_the_rules_have_it() {
    let ship = super::samples(ID).into_iter().find(|ship| &*ship.name == "Var'Nic").expect("the sample");
    let weapons = table(&ship, "weapons");
    let row: Vec<String> = weapons.rows[0].iter().map(words).collect();
    assert_eq!(row[0], "medium laser");
    assert_eq!(row[4..11], ["10", "12", "9", "6", "3", "1", "-2"]);
    let (scene, findings) = super::printed(std::slice::from_ref(&ship), SheetOptions::default());
    assert!(findings.is_empty(), "{}", said(&findings));
    let texts: BTreeSet<&str> = scene.pages[0]
        .items
        .iter()
        .filter_map(|item| match &item.shape {
            moldloft::scene::Shape::Text(text) => Some(&*text.shaped.text),
            _ => None,
        })
        .collect();
    for word in ["12", "−2", "medium laser", "no turn", "accn 3 · 4 a turn", "THRUST", "10–18"] {
        assert!(texts.contains(word), "{word} stands on page one");
    }
}

#[test]
fn a_side_lost_costs_what_the_rules_say() {
    let ship = super::samples(ID).into_iter().find(|ship| &*ship.name == "Sirenna").expect("the sample");
    assert_eq!(value(&ship, "jamming_side_lost"), 2, "half of 5, rounded down");
    let lost = table(&ship, "sides_lost");
    assert_eq!(under(lost, "0"), ["14", "10", "0"]);
    assert_eq!(under(lost, "1"), ["8", "12", "2"]);
    assert_eq!(under(lost, "2"), ["2", "14", "4"]);
    assert!(lost.note.ends_with("jamming\u{a0}2"), "{}", lost.note);
    let base = super::samples(ID).into_iter().find(|ship| &*ship.name == "Torvald Deep").expect("the sample");
    assert!(!base.tables.iter().any(|table| &*table.id == "turn_delay"), "she has no drive");
}

/// What a ship's sheet rests on is listed for that ship: jamming only where it has some, turns only where it moves.
#[test]
fn each_ship_lists_what_is_assumed_of_it() {
    let ships = super::samples(ID);
    let assumed = |name: &str| -> String {
        ships.iter().find(|ship| &*ship.name == name).expect("the sample").assumptions.join("; ")
    };
    for (name, rests_on_jamming, moves) in
        [("Sirenna", true, true), ("Var'Nic", false, true), ("Torvald Deep", false, false)]
    {
        let found = assumed(name);
        assert!(found.contains("d20 to hit") && found.contains("a block is a box"), "{name}: {found}");
        assert_eq!(found.contains("jamming halved"), rests_on_jamming, "{name}: {found}");
        assert_eq!(found.contains("no turn past the last column"), moves, "{name}: {found}");
    }
}

/// Each side that the ship has can be ticked as lost, and nothing else; a ship without sides has one section.
#[test]
fn each_side_lost_has_a_box() {
    let lost = |ship: &Evaluation| -> Vec<String> {
        let tracks = ship.tracks.iter().filter(|track| &*track.track == "side_lost");
        tracks.map(|track| track.label.to_string()).collect()
    };
    let base = super::samples(ID).into_iter().find(|ship| &*ship.name == "Torvald Deep").expect("the sample");
    assert_eq!(lost(&base), ["forward", "port", "starboard", "aft"]);
    let core = "[[fit]]\nsystem = \"structure\"\nmount = \"primary\"\narmour = 1\nboxes = 6\n";
    let small = super::ship(&load(ID), &format!("ruleset = \"{ID}\"\nname = \"Mote\"\n{core}"));
    assert!(lost(&small).is_empty());
    for paper in [Paper::A4, Paper::A5] {
        let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
        assert_eq!(lines_of(&small, "boxes_1", options), [6], "{paper:?}");
        let (scene, _) = super::printed(std::slice::from_ref(&small), options);
        let texts = scene.pages[0].items.iter().filter_map(|item| match &item.shape {
            moldloft::scene::Shape::Text(text) => Some(text.shaped.text.to_string()),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        for absent in ["FORWARD", "PORT", "AFT", "SIDES LOST"] {
            assert!(!texts.iter().any(|text| text == absent), "{absent} on {paper:?}");
        }
    }
}

/// How many boxes of a system stand in each line, page after page.
fn lines_of(ship: &Evaluation, track: &str, options: SheetOptions) -> Vec<usize> {
    let (scene, findings) = super::printed(std::slice::from_ref(ship), options);
    assert!(findings.is_empty(), "{}", said(&findings));
    // Page, top, right edge, boxes: units side by side have lines of their own.
    let mut lines: Vec<(usize, i64, f32, usize)> = Vec::new();
    for (n, page) in scene.pages.iter().enumerate() {
        let named = |item: &&moldloft::scene::SceneItem| {
            let mark = item.mark.as_ref().and_then(|mark| mark.name.strip_prefix(track)?.strip_prefix('_'));
            mark.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
        };
        for item in page.items.iter().filter(named) {
            let moldloft::scene::Shape::Rect { rect, .. } = &item.shape else { panic!("{:?}", item.shape) };
            let top = (rect.y * 100.0).round() as i64;
            match lines.last_mut() {
                Some(line) if (line.0, line.1) == (n, top) && (0.0..rect.w).contains(&(rect.x - line.2 + 0.01)) => {
                    (line.2, line.3) = (rect.right(), line.3 + 1);
                }
                _ => lines.push((n, top, rect.right(), 1)),
            }
        }
    }
    lines.into_iter().map(|line| line.3).collect()
}

#[test]
fn rows_that_are_counted_are_the_same_on_every_paper() {
    let rules = load(ID);
    let fit =
        |system: &str, more: &str| format!("[[fit]]\nsystem = \"{system}\"\nmount = \"port\"\narmour = 3\n{more}\n");
    let text = format!(
        "ruleset = \"{ID}\"\nname = \"Rows\"\n[fields]\nthrust = 4\n{}{}{}{}",
        fit("thruster", "boxes = 8\ncount = 2"),
        fit("cnc", "boxes = 13\nrows = [8, 5]"),
        fit("sensors", "boxes = 30\nrows = [24, 6]"),
        fit("structure", "boxes = 60"),
    );
    let ship = super::ship(&rules, &text);
    for paper in [Paper::A4, Paper::Letter, Paper::A5, Paper::A3] {
        for large_print in [false, true] {
            if large_print && paper == Paper::A5 {
                continue; // the paper holds no sheet in large print
            }
            let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
            // Not stated: rows of five. Stated: just those.
            assert_eq!(lines_of(&ship, "boxes_1", options), [5, 3, 5, 3], "{paper:?} {large_print}");
            assert_eq!(lines_of(&ship, "boxes_2", options), [8, 5], "{paper:?} {large_print}");
            // Longer than the page allows: on in a further line, and the next row begins one of its own.
            let long = lines_of(&ship, "boxes_3", options);
            let ends: Vec<usize> = long
                .iter()
                .scan(0, |sum, line| {
                    *sum += line;
                    Some(*sum)
                })
                .collect();
            assert!(ends.contains(&24) && ends.last() == Some(&30), "{paper:?} {large_print} {long:?}");
        }
    }
    let assumed = ship.assumptions.iter().any(|words| words.contains("rows of five"));
    assert!(assumed, "what is assumed of rows is told: {:?}", ship.assumptions);
    let own = text.replace("boxes = 8", "boxes = 8\nrows = [4]");
    assert_eq!(lines_of(&super::ship(&rules, &own), "boxes_1", SheetOptions::default()), [4, 4, 4, 4]);
}

#[test]
fn a_flight_has_one_number_on_chit_and_sheet() {
    let mut ships: Vec<Evaluation> = super::samples(ID).into_iter().filter(|ship| &*ship.name == "Var'Nic").collect();
    ships.push(ships[0].clone());
    moldloft::evaluate::number_counters(&mut ships);
    let (scene, _) = super::printed(&ships[1..], SheetOptions::default());
    let words: BTreeSet<String> = scene
        .pages
        .iter()
        .flat_map(|page| &page.items)
        .filter_map(|item| match &item.shape {
            moldloft::scene::Shape::Text(text) => Some(text.shaped.text.to_string()),
            _ => None,
        })
        .collect();
    for name in ["Frazi", "3", "4", "3.1", "3.6", "4.1", "4.6"] {
        assert!(words.contains(name), "{name}: {words:?}");
    }
    assert_eq!(moldloft::sheet::fleet_roster::counter_numbers(&ships[1]), "fighter flight 3–4, missile or torpedo 3–4");
}

/// Texts of a page.
fn texts(page: &moldloft::scene::Page) -> Vec<String> {
    let text = |item: &moldloft::scene::SceneItem| match &item.shape {
        moldloft::scene::Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    };
    page.items.iter().filter_map(text).collect()
}

/// A side with more than a page holds beside the primary section has its systems in the ship's outline all the same, whole on each paper that holds them;
/// nothing is lost where none does.
#[test]
fn sides_of_very_many_weapons_keep_their_outline() {
    let rules = load(ID);
    let mut text = format!("ruleset = \"{ID}\"\nname = \"Colossus\"\n");
    for gun in 1..=6 {
        let _ = write!(
            text,
            "[[system]]\nid = \"gun-{gun}\"\nlike = \"weapon\"\nname = \"gun {gun}\"\nrecharge = 3\nranges = [3, 2, 1]\n"
        );
    }
    for side in ["forward", "port", "starboard", "aft"] {
        for gun in 1..=6 {
            let _ =
                write!(text, "[[fit]]\nsystem = \"gun-{gun}\"\nmount = \"{side}\"\ncount = 4\narmour = 4\nboxes = 8\n");
        }
        let _ = write!(text, "[[fit]]\nsystem = \"structure\"\nmount = \"{side}\"\narmour = 5\nboxes = 100\n");
    }
    for system in ["cnc", "reactor", "structure"] {
        let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"primary\"\narmour = 6\nboxes = 30\n");
    }
    let ship = super::ship(&rules, &text);
    for (paper, large_print) in [(Paper::A4, false), (Paper::Letter, false), (Paper::A4, true), (Paper::A5, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        let (scene, findings) = super::printed(std::slice::from_ref(&ship), options);
        assert!(findings.is_empty(), "{paper:?}, large print {large_print}: {}", said(&findings));
        holds(&ship, &scene, &findings, options);
        if !large_print {
            let continued = |text: &String| text.contains(" · CONTINUED");
            assert!(!scene.pages.iter().flat_map(texts).any(|text| continued(&text)), "{paper:?}");
        }
    }
}

/// Six boxes of a craft are one line at one distance, not five and one, on the ship's sheet and on the empty one.
#[test]
fn boxes_of_a_craft_are_one_line() {
    let mut ship = super::samples(ID).into_iter().find(|ship| &*ship.name == "Torvald Deep").expect("the sample");
    let blank = Evaluation::blank(&load(ID), "scs").expect("an empty sheet");
    for is_blank in [false, true] {
        if is_blank {
            ship = blank.clone();
        }
        let options =
            SheetOptions { is_blank, page_setup: Paper::A5.into(), large_print: true, ..SheetOptions::default() };
        let (scene, _) = super::printed(std::slice::from_ref(&ship), options);
        let place = |n: usize| {
            let name = format!("flight_1_{n}");
            let marked =
                |item: &&moldloft::scene::SceneItem| item.mark.as_ref().is_some_and(|mark| *mark.name == *name);
            let item = scene.pages.iter().flat_map(|page| &page.items).find(marked).unwrap_or_else(|| panic!("{name}"));
            let moldloft::scene::Shape::Rect { rect, .. } = &item.shape else { panic!("{:?}", item.shape) };
            (rect.x, rect.y)
        };
        let places: Vec<(f32, f32)> = (1..=6).map(place).collect();
        let steps: Vec<f32> = places.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        assert!(places.iter().all(|place| (place.1 - places[0].1).abs() < 0.01), "{places:?}");
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 0.01), "{steps:?}");
    }
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn from(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn often(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

const SIDES: [&str; 5] = ["forward", "port", "primary", "starboard", "aft"];
const KINDS: [&str; 11] = [
    "structure",
    "thruster",
    "cnc",
    "reactor",
    "engine",
    "sensors",
    "hangar",
    "jump-engine",
    "heavy-laser",
    "torpedo-tube",
    "burner",
];

/// A row of a chart: from, to, what is hit.
type Hit = (i64, i64, &'static str);

struct Fit {
    system: &'static str,
    side: &'static str,
    count: i64,
    boxes: i64,
    output: i64,
}

/// A ship as the test knows it.
struct Random {
    thrust: i64,
    accn: i64,
    retro: bool,
    gravitic: bool,
    movement: Vec<(i64, i64, i64)>,
    sides: Vec<Hit>,
    charts: Vec<(&'static str, Hit)>,
    fits: Vec<Fit>,
    /// Ranges of the design's three weapons, and the power each draws.
    weapons: [(Vec<i64>, i64); 3],
    flights: Vec<(i64, i64)>,
}

const WEAPONS: [&str; 3] = ["heavy-laser", "torpedo-tube", "burner"];

/// A chart over a die with a row for each of some things; spoiled now and then.
fn chart(dice: &mut Dice, faces: i64, things: &[&'static str]) -> Vec<Hit> {
    let mut rows: Vec<Hit> = Vec::new();
    let mut next = 1;
    for (n, &thing) in things.iter().enumerate() {
        let left = (things.len() - n - 1) as i64;
        let most = faces - left;
        let to = if left == 0 { faces } else { dice.from(next, most.max(next)).min(faces) };
        if next <= faces {
            rows.push((next, to, thing));
        }
        next = to + 1;
    }
    if dice.often(35) && !rows.is_empty() {
        let at = dice.below(rows.len() as u64) as usize;
        match dice.below(6) {
            0 => drop(rows.remove(at)),
            1 => rows[at].1 += 1,
            2 => rows[at].0 -= 1,
            3 => rows.push(rows[at]),
            4 => rows[at] = (rows[at].1, rows[at].0, rows[at].2),
            _ => rows.reverse(),
        }
    }
    rows
}

fn random(seed: u64) -> Random {
    let dice = &mut Dice(seed);
    let columns = dice.from(0, 18);
    let (mut delay, first) = (dice.from(0, 2), dice.from(0, 5));
    let mut movement = Vec::new();
    for n in 0..columns {
        delay += dice.from(0, 2);
        let spoiled = if dice.often(3) { -1 } else { 0 };
        let gap = i64::from(dice.often(2));
        movement.push((first + n + gap, (delay + spoiled).max(0), delay + dice.from(0, 1)));
    }
    let present: Vec<&str> = SIDES.into_iter().filter(|_| dice.often(80)).collect();
    let mut fits = Vec::new();
    for &side in &present {
        let many = if dice.often(5) { 12 } else { dice.from(1, 6) };
        for _ in 0..many {
            let system = KINDS[dice.below(KINDS.len() as u64) as usize];
            let big = system == "structure";
            fits.push(Fit {
                system,
                side,
                count: if big { 1 } else { dice.from(1, 3) },
                boxes: if dice.often(3) { 0 } else { dice.from(1, if big { 160 } else { 24 }) },
                output: if system == "reactor" { dice.from(0, 40) } else { 0 },
            });
        }
    }
    let sides = chart(dice, 10, &present);
    let mut charts = Vec::new();
    for &side in &present {
        let mut aboard: Vec<&'static str> = Vec::new();
        for fit in fits.iter().filter(|fit| fit.side == side) {
            if !aboard.contains(&fit.system) && !dice.often(4) {
                aboard.push(fit.system);
            }
        }
        if dice.often(4) {
            aboard.push("jump-engine");
        }
        charts.extend(chart(dice, 20, &aboard).into_iter().map(|hit| (side, hit)));
    }
    let mut weapon = || {
        let hexes = if dice.often(5) { 0 } else { dice.from(1, 40) };
        ((0..hexes).map(|_| dice.from(-9, 15)).collect(), dice.from(0, 6))
    };
    let weapons = [weapon(), weapon(), weapon()];
    let flights = (0..dice.from(0, 3)).map(|_| (dice.from(0, 12), dice.from(0, 9))).collect();
    Random {
        thrust: if dice.often(15) { 0 } else { dice.from(1, 30) },
        accn: dice.from(1, 8),
        retro: dice.often(60),
        gravitic: dice.often(20),
        movement,
        sides,
        charts,
        fits,
        weapons,
        flights,
    }
}

/// The ship as its player would write it.
fn written(ship: &Random) -> String {
    let mut out = format!("ruleset = \"{ID}\"\nname = \"Random\"\n[fields]\nrace = \"any\"\npoints = 5\n");
    let (thrust, accn, retro, gravitic) = (ship.thrust, ship.accn, ship.retro, ship.gravitic);
    let _ = writeln!(out, "thrust = {thrust}\naccn = {accn}\nretro = {retro}\ngravitic = {gravitic}\nmovement = [");
    for (speed, delay, half) in &ship.movement {
        let _ = writeln!(out, "  {{ speed = {speed}, delay = {delay}, half = {half} }},");
    }
    out.push_str("]\nsides_hit = [\n");
    for (from, to, hits) in &ship.sides {
        let _ = writeln!(out, "  {{ from = {from}, to = {to}, hits = \"{hits}\" }},");
    }
    out.push_str("]\nlocation = [\n");
    for (side, (from, to, hits)) in &ship.charts {
        let _ = writeln!(out, "  {{ side = \"{side}\", from = {from}, to = {to}, hits = \"{hits}\" }},");
    }
    out.push_str("]\nfighters = [\n");
    for (craft, boxes) in &ship.flights {
        let _ = writeln!(out, "  {{ name = \"Hornet\", craft = {craft}, boxes = {boxes} }},");
    }
    out.push_str("]\n");
    for (n, (id, (ranges, power))) in WEAPONS.iter().zip(&ship.weapons).enumerate() {
        let ranges: Vec<String> = ranges.iter().map(i64::to_string).collect();
        let ballistic = *id == "torpedo-tube";
        let _ = writeln!(
            out,
            "[[system]]\nid = \"{id}\"\nlike = \"weapon\"\nabbr = \"W{n}\"\npower = {power}\nrecharge = 3\nballistic = {ballistic}\nranges = [{}]",
            ranges.join(", ")
        );
    }
    for fit in &ship.fits {
        let Fit { system, side, count, boxes, output } = fit;
        let _ = writeln!(
            out,
            "[[fit]]\nsystem = \"{system}\"\nmount = \"{side}\"\ncount = {count}\nboxes = {boxes}\narmour = 3"
        );
        if *system == "reactor" {
            let _ = writeln!(out, "output = {output}");
        }
    }
    out
}

/// Whether each face of a die is hit by one row, and nothing beyond it by any.
fn covered(rows: &[Hit], faces: i64) -> bool {
    let once = (1..=faces).all(|face| rows.iter().filter(|row| (row.0..=row.1).contains(&face)).count() == 1);
    once && rows.iter().all(|row| row.0 >= 1 && row.1 <= faces && row.0 <= row.1)
}

/// What is wrong with a ship, counted by code.
fn expected(ship: &Random) -> BTreeMap<&'static str, usize> {
    let mut codes = BTreeMap::new();
    let mut say = |code, times: usize| {
        if times > 0 {
            *codes.entry(code).or_insert(0) += times;
        }
    };
    let aboard = |system: &str, side: &str| ship.fits.iter().any(|fit| fit.system == system && fit.side == side);
    let peopled = |side: &str| ship.fits.iter().any(|fit| fit.side == side);
    let falls =
        |pick: fn(&(i64, i64, i64)) -> i64| ship.movement.windows(2).any(|pair| pick(&pair[0]) > pick(&pair[1]));
    say("side-chart-incomplete", usize::from(!covered(&ship.sides, 10)));
    for side in SIDES.into_iter().filter(|side| peopled(side)) {
        let rows: Vec<Hit> = ship.charts.iter().filter(|row| row.0 == side).map(|row| row.1).collect();
        say("location-chart-incomplete", usize::from(!covered(&rows, 20)));
    }
    say("location-names-absent-system", ship.charts.iter().filter(|(side, hit)| !aboard(hit.2, side)).count());
    say("side-chart-names-empty-side", ship.sides.iter().filter(|hit| !peopled(hit.2)).count());
    say("system-without-boxes", ship.fits.iter().filter(|fit| fit.boxes == 0).count());
    say("movement-row-falls", usize::from(falls(|column| column.1) || falls(|column| column.2)));
    let steps = ship.movement.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
    say("movement-speeds-not-in-order", usize::from(!steps));
    say("half-step-below-delay", ship.movement.iter().filter(|column| column.2 < column.1).count());
    let moves = ship.thrust > 0;
    say("no-movement-table", usize::from(moves && ship.movement.is_empty()));
    say("movement-without-thrust", usize::from(!moves && !ship.movement.is_empty()));
    say("accn-above-thrust", usize::from(moves && ship.accn > ship.thrust));
    say("no-braking", usize::from(moves && !ship.retro && !ship.gravitic));
    say("power-short", usize::from(drawn(ship) > made(ship)));
    let ranges = |system: &str| WEAPONS.iter().position(|id| *id == system).map(|n| ship.weapons[n].0.len());
    say("weapon-without-ranges", ship.fits.iter().filter(|fit| ranges(fit.system) == Some(0)).count());
    say("no-cnc", usize::from(!ship.fits.iter().any(|fit| fit.system == "cnc")));
    say("no-reactor", usize::from(!ship.fits.iter().any(|fit| fit.system == "reactor")));
    let hit = |fit: &Fit| ship.charts.iter().any(|(side, hit)| *side == fit.side && hit.2 == fit.system);
    say("never-hit", ship.fits.iter().filter(|fit| !hit(fit)).count());
    codes
}

fn made(ship: &Random) -> i64 {
    ship.fits.iter().map(|fit| fit.output * fit.count).sum()
}

fn drawn(ship: &Random) -> i64 {
    let power = |fit: &Fit| WEAPONS.iter().position(|id| *id == fit.system).map_or(0, |n| ship.weapons[n].1);
    ship.fits.iter().map(|fit| power(fit) * fit.count).sum()
}

/// The delay, walked zig by zig.
fn delay(movement: &[(i64, i64, i64)], column: usize, short: i64) -> String {
    let (mut column, mut lower) = (column, false);
    for _ in 0..short {
        if lower {
            column += 1;
        }
        lower = !lower;
    }
    match movement.get(column) {
        Some((_, delay, half)) => if lower { half } else { delay }.to_string(),
        None => "–".to_owned(),
    }
}

const ERRORS: [&str; 6] = [
    "side-chart-incomplete",
    "location-chart-incomplete",
    "location-names-absent-system",
    "system-without-boxes",
    "movement-row-falls",
    "weapon-without-ranges",
];

fn agrees(seed: u64) {
    let ship = random(seed);
    let text = written(&ship);
    let found = super::ship(&load(ID), &text);
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &found.findings {
        *codes.entry(&finding.code).or_insert(0) += 1;
        let error = ERRORS.contains(&&*finding.code);
        assert_eq!(finding.severity == Severity::Error, error, "{}", finding.code);
    }
    let due = expected(&ship);
    assert_eq!(codes, due, "seed {seed}: {}\n{text}", said(&found.findings));
    assert_eq!(found.legal, !due.keys().any(|code| ERRORS.contains(code)));
    let mut steps = 0;
    while ship.accn * (steps + 1) <= ship.thrust {
        steps += 1;
    }
    assert_eq!(value(&found, "accel_steps"), steps);
    assert_eq!((value(&found, "power_made"), value(&found, "power_drawn")), (made(&ship), drawn(&ship)));
    assert_eq!(found.points, Some(5));
    if ship.thrust > 0 && !ship.movement.is_empty() {
        let delays = table(&found, "turn_delay");
        let walked = |short: i64| -> Vec<String> {
            (0..ship.movement.len()).map(|column| delay(&ship.movement, column, short)).collect()
        };
        // No row says only that no such turn is possible.
        let due: Vec<Vec<String>> =
            (0..=ship.thrust).map(walked).filter(|row| row.iter().any(|cell| cell != "–")).collect();
        let found: Vec<Vec<String>> = delays.rows.iter().map(|row| row.iter().map(words).collect()).collect();
        assert_eq!(found, due);
    }
    for (n, fit) in ship.fits.iter().enumerate() {
        let rows = found.tracks.iter().find(|track| *track.id == *format!("boxes_{}", n + 1));
        let rows = rows.map_or(Vec::new(), |track| track.rows.clone());
        let due = if fit.boxes > 0 { vec![fit.boxes as u32; fit.count as usize] } else { Vec::new() };
        assert_eq!(rows, due);
    }
    let torpedoes: i64 = ship.fits.iter().filter(|fit| fit.system == "torpedo-tube").map(|fit| fit.count).sum();
    let counters = |id: &str| -> Vec<i64> {
        found.counters.iter().filter(|counter| &*counter.id == id).map(|counter| i64::from(counter.count)).collect()
    };
    assert_eq!(counters("ballistic").iter().sum::<i64>(), torpedoes);
    assert_eq!(counters("flight").len(), ship.flights.iter().filter(|flight| flight.0 > 0).count());
    let options = SheetOptions { large_print: seed.is_multiple_of(3), ..SheetOptions::default() };
    let (scene, findings) = super::printed(std::slice::from_ref(&found), options);
    assert!(findings.is_empty(), "seed {seed}: {}", said(&findings));
    holds(&found, &scene, &findings, options);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_ships_agree_with_a_calculation_of_its_own(seed in any::<u64>()) {
        agrees(seed);
    }
}

#[test]
fn an_empty_sheet_and_a_monster_lose_nothing() {
    let rules = load(ID);
    let blank = Evaluation::blank(&rules, "scs").expect("a sheet called `scs`");
    let options = SheetOptions { is_blank: true, ..SheetOptions::default() };
    let (scene, findings) = super::printed(std::slice::from_ref(&blank), options);
    assert!(findings.is_empty(), "{}", said(&findings));
    holds(&blank, &scene, &findings, options);
    let mut text = format!("ruleset = \"{ID}\"\nname = \"Leviathan\"\n[fields]\nthrust = 99\nmovement = [\n");
    for speed in 0..99 {
        let _ = writeln!(text, "  {{ speed = {speed}, delay = {speed}, half = {} }},", speed + 1);
    }
    text.push_str("]\n[[system]]\nid = \"long-gun\"\nlike = \"weapon\"\nabbr = \"LG\"\nranges = [");
    let ranges: Vec<String> = (0..150).map(|hex| (20 - hex).to_string()).collect();
    let _ = writeln!(text, "{}]", ranges.join(", "));
    for side in SIDES {
        let _ = writeln!(text, "[[fit]]\nsystem = \"structure\"\nmount = \"{side}\"\nboxes = 900\narmour = 12");
        let _ =
            writeln!(text, "[[fit]]\nsystem = \"long-gun\"\nmount = \"{side}\"\ncount = 20\nboxes = 12\narmour = 9");
    }
    let ship = super::ship(&rules, &text);
    let options = SheetOptions::default();
    let (scene, findings) = super::printed(std::slice::from_ref(&ship), options);
    assert!(findings.is_empty(), "{}", said(&findings));
    holds(&ship, &scene, &findings, options);
}
