//! Battleships of the 1890s: worked figures and random ships.

use std::fmt::Write;

use moldloft::evaluate::{Evaluation, number_counters};
use moldloft::formula::Value;
use moldloft::scene::{SceneItem, Shape};
use moldloft::sheet::{Paper, SheetOptions};
use proptest::prelude::*;

use super::legible::holds;
use super::rules::load;
use super::{printed, ship};

const ID: &str = "battleships-1890s";

super::game_of!(ID, 6);

fn int(ship: &Evaluation, id: &str) -> i64 {
    match ship.values.iter().find(|value| &*value.id == id).map(|value| &value.value) {
        Some(Value::Int(n)) => *n,
        other => panic!("{id} is {other:?}"),
    }
}

fn rows(ship: &Evaluation, id: &str) -> Option<Vec<u32>> {
    ship.tracks.iter().find(|track| &*track.id == id).map(|track| track.rows.clone())
}

/// A ship on one card, two cards to a page.
#[test]
fn two_cards_share_a_page_and_none_is_continued() {
    let mut ships = super::samples(ID);
    number_counters(&mut ships);
    for paper in [Paper::A4, Paper::Letter] {
        let (scene, findings) = printed(&ships, SheetOptions { page_setup: paper.into(), ..SheetOptions::default() });
        assert!(findings.is_empty());
        assert_eq!(scene.pages.len(), ships.len().div_ceil(2));
    }
}

/// The squares of a ship's firing arcs: those that a torpedo reaches, and those of secondary guns to port and starboard.
fn arcs(ship: &Evaluation) -> (usize, [usize; 2]) {
    let table = ship.tables.iter().find(|table| &*table.id == "own_arcs").expect("a table of the ship's arcs");
    let cells = || table.rows.iter().flat_map(|row| row.iter().enumerate());
    let holds = |cell: &Value, found: fn(char) -> bool| match cell {
        Value::Text(text) => !text.ends_with(".svg") && text.contains(found),
        Value::Int(_) => found('1'),
        _ => false,
    };
    let torpedo = cells().filter(|(_, cell)| holds(cell, |c| c == 'T')).count();
    let guns = |side: &dyn Fn(usize) -> bool| {
        cells().filter(|(c, cell)| side(*c) && holds(cell, |c| c.is_ascii_digit())).count()
    };
    (torpedo, [guns(&|c| c < 9), guns(&|c| c > 9)])
}

#[test]
fn arcs_are_those_of_the_ships_guns_and_tubes() {
    let ships = super::samples(ID);
    let named = |name: &str| ships.iter().find(|ship| &*ship.name == name).expect("the sample");
    assert_eq!(arcs(named("Saltholm")).0, 3, "a bow tube");
    assert_eq!(arcs(named("Duca Silvano")).0, 6, "beam tubes");
    assert_eq!(arcs(named("Unterwalden")).0, 0, "no tube");
    assert_eq!(arcs(named("Saltholm")).1, [35, 35], "secondary guns to both sides: 3 + 5 + 7 + 9 + 11 squares");
    let fit = "ruleset = \"battleships-1890s\"\nname = \"X\"\n[[fit]]\nsystem = \"main-gun\"\nmount = \"fore\"\n";
    let port = format!("{fit}[[fit]]\nsystem = \"secondary-gun\"\nmount = \"port-fore\"\n");
    assert_eq!(arcs(&ship(&load(ID), fit)), (0, [0, 0]));
    assert_eq!(arcs(&ship(&load(ID), &port)), (0, [35, 0]));
}

/// An empty card has what every ship has: her flotation, her states, the arcs.
#[test]
fn an_empty_card_shows_what_is_the_same_for_all() {
    let rules = load(ID);
    let blank = Evaluation::blank(&rules, "card").expect("a card");
    assert_eq!(rows(&blank, "flotation"), Some(vec![12]));
    assert_eq!(rows(&blank, "status"), Some(vec![6, 6, 6]));
    assert_eq!((rows(&blank, "machinery"), rows(&blank, "on_fire")), (Some(vec![1, 1]), Some(vec![1])));
    assert!(blank.tables.iter().any(|table| &*table.id == "arc_grid"));
    for large_print in [false, true] {
        let options = SheetOptions { is_blank: true, large_print, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&blank), options);
        assert!(findings.is_empty());
        holds(&blank, &scene, &findings, options);
    }
    for paper in [Paper::A4, Paper::Letter, Paper::A5] {
        let options = SheetOptions { is_blank: true, page_setup: paper.into(), ..SheetOptions::default() };
        let (scene, _) = printed(std::slice::from_ref(&blank), options);
        assert_eq!(scene.pages.len(), 1, "{paper}: the rows for the dice of all guns and of a side are on the card");
    }
}

/// Six tubes of a side and batteries that differ, which need a row of dice each, are on the card.
#[test]
fn what_differs_from_side_to_side_stays_on_the_card() {
    let fit = |system: &str, mount: &str, more: &str| {
        format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\n{more}\n")
    };
    let text = "ruleset = \"battleships-1890s\"\nname = \"Uneven\"\n".to_owned()
        + &fit("main-gun", "fore", "guns = 2")
        + &fit("secondary-gun", "port-fore", "guns = 3")
        + &fit("secondary-gun", "starboard-fore", "guns = 3")
        + &fit("secondary-gun", "starboard-aft", "guns = 3")
        + &fit("torpedo-tube", "port", "count = 6");
    let uneven = ship(&load(ID), &text);
    for paper in [Paper::A4, Paper::Letter, Paper::A5] {
        let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&uneven), options);
        assert_eq!(scene.pages.len(), 1, "{paper}: {findings:?}");
    }
}

/// What a square holds: the dice of a secondary gun abeam, and T where a torpedo reaches.
fn square(across: i64, down: i64, abeam: bool, tube: bool) -> String {
    let secondary = [2, 2, 2, 1, 1];
    let range = across.abs().max(down.abs()) as usize;
    if range == 0 {
        return String::new();
    }
    let dice = secondary.get(range - 1).filter(|_| abeam).map(ToString::to_string).unwrap_or_default();
    if tube && range <= 3 { dice + "T" } else { dice }
}

#[test]
fn the_arc_grids_hold_the_dice_of_each_square() {
    let rules = load(ID);
    let reference = Evaluation::blank(&rules, "reference").expect("a reference sheet");
    type Covers = fn(i64, i64) -> bool;
    let up: [Covers; 2] = [|across, down| across.abs() >= down.abs(), |across, down| across == 0 || down == 0];
    let diagonal: [Covers; 2] = [|across, down| across * down >= 0, |across, down| across.abs() == down.abs()];
    for (id, reach, [abeam, tube]) in [("arc_grid", 9, up), ("arc_grid_diagonal", 9, diagonal)] {
        let table = reference.tables.iter().find(|table| &*table.id == id).expect(id);
        assert_eq!(table.row_numbers, (-reach..=reach).collect::<Vec<_>>(), "{id}");
        for (row, &down) in table.rows.iter().zip(&table.row_numbers) {
            assert_eq!(row.len() as i64, 2 * reach + 1, "{id}");
            for (cell, across) in row.iter().zip(-reach..) {
                let wanted = square(across, down, abeam(across, down), tube(across, down));
                match cell {
                    Value::Text(words) if (across, down) == (0, 0) => assert!(words.ends_with(".svg")),
                    Value::Text(words) => assert_eq!(**words, *wanted, "{id} {across} {down}"),
                    Value::Int(n) => assert_eq!(n.to_string(), wanted, "{id} {across} {down}"),
                    other => panic!("{id}: {other:?}"),
                }
            }
        }
    }
}

const TURRETS: [&str; 4] = ["fore", "aft", "wing-port", "wing-starboard"];
const BATTERIES: [&str; 4] = ["port-fore", "port-aft", "starboard-fore", "starboard-aft"];
const TUBES: [&str; 4] = ["bow", "stern", "port", "starboard"];

/// Fits as (place, count, guns).
type Fits = Vec<(usize, i64, i64)>;

fn fits(places: usize, guns: i64) -> impl Strategy<Value = Fits> {
    prop::collection::vec((0..places, prop_oneof![9 => 0..4_i64, 1 => 5..60_i64], 1..=guns), 0..5)
}

fn written(ram: bool, main: &Fits, second: &Fits, tubes: &Fits) -> String {
    let mut text = format!("ruleset = \"{ID}\"\nname = \"Trial\"\n[fields]\nram = {ram}\n");
    let mut add = |system: &str, places: &[&str], fits: &Fits, armed: bool| {
        for (place, count, guns) in fits {
            let mount = places[*place];
            let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n");
            if armed {
                let _ = writeln!(text, "guns = {guns}");
            }
        }
    };
    add("main-gun", &TURRETS, main, true);
    add("secondary-gun", &BATTERIES, second, true);
    add("torpedo-tube", &TUBES, tubes, false);
    text
}

/// What lasts and what passes says so beside its box, and leaves the turns of a hit on one line each.
#[test]
fn the_state_says_how_long_it_lasts() {
    for name in ["Saltholm", "August der Starke"] {
        let ship = super::samples(ID).into_iter().find(|ship| &*ship.name == name).expect("the sample");
        for (paper, large_print) in [(Paper::A4, false), (Paper::A4, true), (Paper::A5, false), (Paper::A5, true)] {
            let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
            let (scene, findings) = printed(std::slice::from_ref(&ship), options);
            assert!(findings.is_empty(), "{name}, {paper:?}");
            let text = |words: &str| {
                scene.pages[0].items.iter().find_map(|item| match &item.shape {
                    Shape::Text(text) if *text.shaped.text == *words => Some((text.x, text.y)),
                    _ => None,
                })
            };
            let place = |mark: &str| {
                let marked = |item: &&SceneItem| item.mark.as_ref().is_some_and(|known| *known.name == *mark);
                let item = scene.pages[0].items.iter().find(marked).unwrap_or_else(|| panic!("{mark}"));
                match &item.shape {
                    Shape::Rect { rect, .. } => *rect,
                    Shape::Path(path, _) => super::legible::bounds(path),
                    other => panic!("{mark}: {other:?}"),
                }
            };
            for (words, mark) in
                [("for good", "machinery_1"), ("also for good", "machinery_2"), ("until out", "on_fire_1")]
            {
                let ((x, y), place) =
                    (text(words).unwrap_or_else(|| panic!("{name}, {paper:?}: {words}")), place(mark));
                assert!(x > place.right() && (place.y..place.bottom()).contains(&y), "{words} is beside {mark}");
            }
            for row in 0..3 {
                let tops: Vec<f32> = (1..=6).map(|n| place(&format!("status_{}", row * 6 + n)).y).collect();
                assert!(tops.iter().all(|top| (top - tops[0]).abs() < 0.01), "{name}, {paper:?}: {tops:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_ships_are_reckoned_alike_and_printed_whole(
        ram in any::<bool>(), main in fits(4, 4), second in fits(4, 12), tubes in fits(4, 1),
    ) {
        let rules = load(ID);
        let ship = ship(&rules, &written(ram, &main, &second, &tubes));
        let barrels = |fits: &Fits| fits.iter().map(|(_, count, guns)| count * guns).sum::<i64>();
        let side = |places: [usize; 2]| {
            let there = second.iter().filter(|(place, _, _)| places.contains(place));
            there.map(|(_, count, guns)| count * guns).sum::<i64>()
        };
        let (guns, port, starboard) = (barrels(&main), side([0, 1]), side([2, 3]));
        let tube_count: i64 = tubes.iter().map(|(_, count, _)| count).sum();
        let points = 12 + 4 * guns + port + starboard + 3 * tube_count + if ram { 2 } else { 0 };
        for (id, wanted) in [
            ("flotation", 12), ("critical", 6), ("main_guns", guns), ("guns_port", port), ("guns_starboard", starboard),
            ("tubes", tube_count), ("torpedoes", if tube_count > 0 { 4 } else { 0 }), ("points", points),
        ] {
            prop_assert_eq!(int(&ship, id), wanted, "{}", id);
        }
        prop_assert_eq!(ship.costs.iter().map(|line| line.total).sum::<i64>(), points);
        prop_assert_eq!(rows(&ship, "flotation"), Some(vec![12]));
        prop_assert_eq!(rows(&ship, "status"), Some(vec![6, 6, 6]));
        prop_assert_eq!(rows(&ship, "torpedo_shots"), (tube_count > 0).then(|| vec![4]));
        let mut codes: Vec<&str> = ship.findings.iter().map(|finding| &*finding.code).collect();
        codes.sort_unstable();
        let mut wanted = Vec::new();
        if guns == 0 { wanted.push("no-main-gun"); }
        if port != starboard { wanted.push("secondary-uneven"); }
        if tube_count > 4 { wanted.push("tubes-over-torpedoes"); }
        prop_assert_eq!(codes, wanted);
        prop_assert!(ship.legal);
        let options = SheetOptions::default();
        let (scene, findings) = printed(std::slice::from_ref(&ship), options);
        holds(&ship, &scene, &findings, options);
    }
}
