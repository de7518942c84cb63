//! A Sky Full of Ships: worked figures, the combat chart as printed, and random ships recomputed by other code.

use std::sync::Arc;

use moldloft::evaluate::Evaluation;
use moldloft::finding::Severity;
use moldloft::formula::Value;
use moldloft::ruleset::{Ruleset, TableKind};
use moldloft::scene::Shape;
use moldloft::sheet::{Paper, SheetOptions};
use proptest::prelude::*;

use super::legible::holds;
use super::rules::{load, rows, said, source, value};
use super::{printed, ship};

const ID: &str = "sky-full-of-ships";
/// The words of a weapons box, in the order in which the ruleset has them.
const WORDS: [&str; 6] = ["forward", "left", "right", "rear", "secondary", "special"];

super::game_of!(ID, 8);

/// The ruleset with a setting changed.
fn with(setting: &str, to: &str) -> Arc<Ruleset> {
    let (rules, findings) = Ruleset::load(&source(&format!("rulesets/{ID}.toml")));
    assert!(findings.is_empty(), "{}", said(&findings));
    let mut rules = rules.unwrap();
    rules.set_setting(setting, to).unwrap();
    Arc::new(rules)
}

/// The picture on a card has the guns, the special weapon and the bays that the ship carries.
#[test]
fn the_picture_of_a_ship_shows_what_it_carries() {
    fn shapes_of(items: &[moldloft::scene::SceneItem]) -> Option<usize> {
        items.iter().find_map(|item| match &item.shape {
            Shape::Use { drawing, .. } if drawing.name.contains("silhouette") => Some(drawing.shapes.len()),
            Shape::Group { items, .. } => shapes_of(items),
            _ => None,
        })
    }
    let shapes = |fields: &str| {
        let text = format!("ruleset = \"{ID}\"\nname = \"Trial\"\n[fields]\nmass = 6\n{fields}");
        let (scene, _) = printed(&[ship(&load(ID), &text)], SheetOptions::default());
        scene.pages.iter().find_map(|page| shapes_of(&page.items)).expect("a picture")
    };
    let bare = shapes("");
    for (fields, more) in [
        ("primary_forward = 4\n", 2),
        ("primary_forward = 9\n", 4),
        ("primary_left = 2\nprimary_right = 2\n", 4),
        ("special = \"mass-driver\"\nspecial_count = 1\n", 2),
        ("fighter_bays = 2\n", 2),
    ] {
        assert_eq!(shapes(fields), bare + more, "{fields}");
    }
}

/// What stands in box `n` (from 1) of a track under a word.
fn cell(ship: &Evaluation, track: &str, n: usize, word: &str) -> Value {
    let track = ship.tracks.iter().find(|known| &*known.id == track).unwrap();
    let Value::Record(record) = &track.cells[n - 1] else { panic!("{:?}", track.cells[n - 1]) };
    record.get(word).unwrap().clone()
}

fn strengths(ship: &Evaluation, n: usize) -> [i64; 6] {
    WORDS.map(|word| match cell(ship, "weapons", n, word) {
        Value::Int(strength) => strength,
        other => panic!("{other:?}"),
    })
}

/// The hull boxes that hold an icon, from 1.
fn icons(ship: &Evaluation, icon: &str) -> Vec<usize> {
    let boxes = rows(ship, "hull").iter().sum::<u32>() as usize;
    (1..=boxes).filter(|&n| cell(ship, "hull", n, "icon") == Value::Text(icon.into())).collect()
}

fn sample<'a>(ships: &'a [Evaluation], name: &str) -> &'a Evaluation {
    ships.iter().find(|ship| &*ship.name == name).unwrap()
}

/// Mass, class, defence factor, crew units, launch rate, turns, points: counted by hand from the files.
#[test]
fn samples_come_to_the_figures_counted_by_hand() {
    let ships = super::samples(ID);
    let found: Vec<_> = ships
        .iter()
        .map(|ship| {
            let of = |id| value(ship, id);
            let class = ship.values.iter().find(|value| &*value.id == "class_name").unwrap();
            let Value::Text(class) = &class.value else { panic!("{class:?}") };
            let figures = [of("df"), of("crew_units"), of("launch_rate"), of("turns"), of("weapon_mass"), of("points")];
            (&*ship.name, class.to_string(), figures)
        })
        .collect();
    let expected = [
        ("Atlas", "titan", [9, 15, 3, 1, 57, 153]),
        ("Burlington", "battleship", [5, 3, 0, 2, 9, 27]),
        ("Halberd", "dreadnought", [7, 4, 1, 2, 13, 37]),
        ("Kriegdonner", "battleship", [6, 3, 1, 2, 9, 25]),
        ("Nightwatch", "superdreadnought", [8, 6, 1, 1, 22, 59]),
        ("Projector", "battle cruiser", [4, 2, 2, 2, 8, 16]),
        ("Swordfish", "heavy cruiser", [4, 2, 0, 2, 4, 13]),
        ("Tern", "light cruiser", [4, 1, 0, 3, 2, 6]),
    ];
    assert_eq!(found, expected.map(|(name, class, figures)| (name, class.to_owned(), figures)));
}

/// The author's own figure, 6 + (4 + 2) + 1 = 13, in masses; and the same from strengths at 4 a mass.
#[test]
fn both_worked_costs_come_to_13() {
    let masses = "ruleset = \"sky-full-of-ships\"\nname = \"Errata\"\n[fields]\nmass = 6\nprimary_forward = 2\nprimary_left = 1\n\
                  primary_right = 1\nsecondary = 1\nspecial = \"mass-driver\"\nspecial_count = 1\n";
    let errata = ship(&with("strength_per_mass", "1"), masses);
    assert!(errata.legal, "{}", said(&errata.findings));
    assert_eq!(value(&errata, "points"), 13);
    let lines: Vec<(i64, i64)> = errata.costs.iter().map(|line| (line.count, line.total)).collect();
    assert_eq!(lines, [(6, 6), (3, 6), (1, 1)]);
    let ships = super::samples(ID);
    let swordfish = sample(&ships, "Swordfish");
    assert_eq!(value(swordfish, "points"), 13);
    assert_eq!(swordfish.costs.iter().map(|line| line.total).sum::<i64>(), 13);
}

/// Half the boxes left: exactly half the strength; a quarter left: a quarter. So it is under every rounding.
#[test]
fn half_and_quarter_are_exact_however_the_rest_is_rounded() {
    let text = "ruleset = \"sky-full-of-ships\"\nname = \"Degradation\"\n[fields]\nmass = 12\nprimary_forward = 40\n\
                primary_left = 20\nprimary_right = 12\nprimary_rear = 8\nsecondary = 16\nspecial = \"mass-driver\"\nspecial_count = 4\n";
    let tenth = [("nearest", [37, 18, 11, 7, 15, 4]), ("down", [36, 18, 11, 7, 14, 3]), ("up", [37, 19, 11, 8, 15, 4])];
    for (how, second) in tenth {
        let ship = ship(&with("rounding", how), text);
        assert_eq!(strengths(&ship, 1), [40, 20, 12, 8, 16, 4], "{how}: all boxes");
        assert_eq!(strengths(&ship, 2), second, "{how}: eleven of twelve");
        assert_eq!(strengths(&ship, 7), [20, 10, 6, 4, 8, 2], "{how}: six of twelve");
        assert_eq!(strengths(&ship, 10), [10, 5, 3, 2, 4, 1], "{how}: three of twelve");
        // Rounding of strengths leaves crew units alone: they are rounded off, halves up.
        assert_eq!(value(&ship, "crew_units"), 3);
    }
}

#[test]
fn icons_are_spread_and_give_way_to_bays() {
    let ships = super::samples(ID);
    // Six bays on eight boxes stand in 1 3 4 5 7 8; crew units would stand in 3 and 7, and move on to 6 and, round the end, to 2.
    let projector = sample(&ships, "Projector");
    let bays: Vec<usize> = (1..=6).map(|j| (2 * j - 1) * 8 / 12 + 1).collect();
    assert_eq!(bays, [1, 3, 4, 5, 7, 8]);
    assert_eq!(icons(projector, "bay"), bays);
    assert_eq!(icons(projector, "crew"), [2, 6]);
    assert_eq!(icons(sample(&ships, "Swordfish"), "crew"), [2, 5]);
    assert_eq!(icons(sample(&ships, "Tern"), "crew"), [2]);
}

/// Crew units are a quarter rounded off, at least one; launches a third of the bays.
#[test]
fn crew_units_and_launches_are_rounded_off() {
    let rules = load(ID);
    for (mass, crew) in [(1, 1), (2, 1), (5, 1), (6, 2), (9, 2), (10, 3), (13, 3), (14, 4), (60, 15)] {
        let text = format!("ruleset = \"{ID}\"\nname = \"Crew\"\n[fields]\nmass = {mass}\nprimary_forward = 1\n");
        assert_eq!(value(&ship(&rules, &text), "crew_units"), crew, "mass {mass}");
    }
    for (bays, rate) in [(0, 0), (1, 1), (2, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 3)] {
        let text = format!("ruleset = \"{ID}\"\nname = \"Bays\"\n[fields]\nmass = 20\nfighter_bays = {bays}\n");
        assert_eq!(value(&ship(&rules, &text), "launch_rate"), rate, "{bays} bays");
    }
}

/// The chart as it is printed, and the worked example: 14 against 4 is 3:1; a 3 for the hull costs one box, a 4 two weapons boxes.
#[test]
fn combat_chart_is_the_printed_one() {
    let rules = load(ID);
    let table = rules.tables.iter().find(|table| &*table.id == "combat_chart").unwrap();
    let TableKind::Rows { rows, columns, .. } = &table.kind else { panic!("rows") };
    let ratios: Vec<&str> = columns.iter().skip(1).map(|column| &*column.label).collect();
    assert_eq!(ratios, ["1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1"]);
    let line = |row: &Arc<moldloft::formula::Record>| {
        let words = row.entries.iter().map(|(_, cell)| match cell {
            Value::Text(text) => text.replace('–', "-"),
            other => panic!("{other:?}"),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let found: Vec<String> = rows.iter().map(line).collect();
    let printed = [
        "0 - - - - - - - - -",
        "1 - - - - - 1 1 1 2",
        "2 - - - - 1 1 1 2 2",
        "3 - - - 1 1 1 2 2 3",
        "4 - - 1 1 1 2 2 3 3",
        "5 - 1 1 1 2 2 3 3 4",
        "6 1 1 1 2 2 3 3 4 4",
    ];
    assert_eq!(found, printed);
    // The greatest ratio not above attacker : defender; none below a third.
    let column = |attack: i64, defence: i64| {
        let reached = |ratio: &&&str| {
            let (a, d) = ratio.split_once(':').unwrap();
            attack * d.parse::<i64>().unwrap() >= defence * a.parse::<i64>().unwrap()
        };
        ratios.iter().filter(reached).count()
    };
    let hits = |attack, defence, die: usize| match column(attack, defence) {
        0 => "-".to_owned(),
        n => found[die].split(' ').nth(n).unwrap().to_owned(),
    };
    assert_eq!(ratios[column(14, 4) - 1], "3:1");
    assert_eq!((hits(14, 4, 3), hits(14, 4, 4)), ("1".into(), "2".into()));
    assert_eq!(ratios[column(19, 4) - 1], "4:1");
    assert_eq!(hits(1, 4, 6), "-");
}

/// Numbers read in play are at least 8 pt on every sample's card, and there are six in every box (five without specials).
#[test]
fn weapons_boxes_are_legible_across_a_table() {
    for sample in super::samples(ID) {
        let (scene, _) = printed(std::slice::from_ref(&sample), SheetOptions::default());
        let items = || scene.pages.iter().flat_map(|page| &page.items);
        let boxes: Vec<_> = items()
            .filter(|item| item.mark.as_ref().is_some_and(|mark| mark.name.starts_with("weapons_")))
            .map(|item| match &item.shape {
                Shape::Rect { rect, .. } => *rect,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(boxes.len() as u32, rows(&sample, "weapons").iter().sum::<u32>());
        let each = strengths(&sample, 1).iter().filter(|strength| **strength > 0).count();
        for rect in boxes {
            let inside = items().filter_map(|item| match &item.shape {
                Shape::Text(text)
                    if text.x > rect.x && text.x < rect.right() && text.y > rect.y && text.y < rect.bottom() =>
                {
                    Some(text)
                }
                _ => None,
            });
            let inside: Vec<_> = inside.collect();
            assert_eq!(inside.len(), each, "{}", sample.name);
            for text in inside {
                assert!(text.size >= 8.0 * 25.4 / 72.0 - 0.001, "{}: {} mm", sample.name, text.size);
                assert!(*text.shaped.text == *"·" || text.shaped.text.parse::<u32>().is_ok(), "{}", text.shaped.text);
            }
        }
    }
}

/// A ship of six hundred boxes with strengths of three figures goes on over pages and loses nothing; so does the empty card.
#[test]
fn a_monster_goes_on_and_loses_nothing() {
    let text = "ruleset = \"sky-full-of-ships\"\nname = \"Monster\"\n[fields]\nmass = 600\nprimary_forward = 2000\nprimary_left = 999\n\
                primary_right = 999\nprimary_rear = 800\nsecondary = 700\nspecial = \"particle-cannon\"\nspecial_count = 120\nfighter_bays = 100\nengine = 1\n";
    let monster = ship(&load(ID), text);
    for large_print in [false, true] {
        let options = SheetOptions { large_print, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&monster), options);
        assert!(findings.is_empty(), "{}", said(&findings));
        assert!(scene.pages.len() > 1);
        holds(&monster, &scene, &findings, options);
    }
    for sheet in ["small", "medium", "large", "huge", "titan", "giant"] {
        let blank = Evaluation::blank(&load(ID), sheet).unwrap();
        for large_print in [false, true] {
            let options = SheetOptions { large_print, is_blank: true, ..SheetOptions::default() };
            let (scene, findings) = printed(std::slice::from_ref(&blank), options);
            assert!(findings.is_empty(), "{sheet}: {}", said(&findings));
            assert!(scene.pages.len() == 1 || large_print && sheet == "giant", "{sheet}");
            holds(&blank, &scene, &findings, options);
        }
    }
}

/// A ship as a player might write her.
#[derive(Clone, Debug)]
struct Plan {
    mass: i64,
    hull: i64,
    screens: i64,
    /// Forward, left, right, rear, secondary.
    batteries: [i64; 5],
    engine: i64,
    agile: bool,
    /// 0 none, 1 particle cannon, 2 mass driver.
    special: usize,
    specials: i64,
    bays: i64,
}

impl Plan {
    fn text(&self) -> String {
        let [forward, left, right, rear, secondary] = self.batteries;
        let special = ["none", "particle-cannon", "mass-driver"][self.special];
        format!(
            "ruleset = \"{ID}\"\nname = \"Random\"\n[fields]\nmass = {}\nhull_strength = {}\nscreens = {}\nprimary_forward = {forward}\n\
             primary_left = {left}\nprimary_right = {right}\nprimary_rear = {rear}\nsecondary = {secondary}\nengine = {}\nagile = {}\n\
             special = \"{special}\"\nspecial_count = {}\nfighter_bays = {}\n",
            self.mass, self.hull, self.screens, self.engine, self.agile, self.specials, self.bays
        )
    }

    fn crew(&self) -> i64 {
        ((self.mass + 2) / 4).max(1)
    }

    /// Masses of the strongest arc, and of secondaries and bays.
    fn masses(&self) -> (i64, i64) {
        let [forward, left, right, rear, secondary] = self.batteries.map(|strength| (strength + 3) / 4);
        ((forward + self.specials).max(left).max(right).max(rear), secondary + self.bays)
    }

    /// Codes of errors, warnings and notes, by the rules page.
    fn faults(&self) -> Vec<(Severity, &'static str)> {
        use Severity::{Error, Info, Warning};
        let outside = |n: i64, from: i64, to: i64| n < from || n > to;
        let ranges = [
            outside(self.mass, 1, 9999),
            outside(self.hull, 2, 99),
            outside(self.screens, 0, 4),
            outside(self.engine, 0, 8),
        ];
        let mut faults: Vec<_> = ranges.iter().filter(|bad| **bad).map(|_| (Error, "value-out-of-range")).collect();
        let real = self.mass >= 1;
        let (strongest, small) = self.masses();
        let [forward, left, right, rear, _] = self.batteries;
        let found = [
            (real && self.crew() + self.bays > self.mass, Error, "too-many-icons"),
            (self.special > 0 && self.specials == 0, Error, "special-without-count"),
            (self.special == 0 && self.specials > 0, Error, "special-without-type"),
            (real && strongest + small > self.mass, Warning, "weapons-over-mass"),
            (matches!(self.mass, 1 | 2 | 25..), Warning, "beyond-basic-rules"),
            (self.agile && self.engine == 0, Warning, "agile-without-engine"),
            (forward + left + right + rear == 0, Info, "no-primaries"),
            (rear > forward, Info, "rear-stronger-than-forward"),
        ];
        faults.extend(found.iter().filter(|fault| fault.0).map(|fault| (fault.1, fault.2)));
        faults.sort_by_key(|fault| fault.1);
        faults
    }

    /// Icons by box: `bay`, `crew` or nothing.
    fn icons(&self) -> Vec<&'static str> {
        let boxes = self.mass as usize;
        let mut row = vec![""; boxes];
        for (word, many) in [("bay", self.bays as usize), ("crew", self.crew() as usize)] {
            for j in 1..=many {
                let wanted = (2 * j - 1) * boxes / (2 * many);
                if let Some(place) = (0..boxes).map(|n| (wanted + n) % boxes).find(|&n| row[n].is_empty()) {
                    row[place] = word;
                }
            }
        }
        row
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let mass = prop_oneof![8 => 1..30_i64, 2 => 30..90_i64, 1 => -2..1_i64];
    let battery = prop_oneof![4 => 0..40_i64, 1 => Just(0_i64), 1 => 40..300_i64];
    let specials = prop_oneof![2 => Just((0_usize, 0_i64)), 3 => (1..3_usize, 1..8_i64), 1 => (0..3_usize, 0..3_i64)];
    let engine = prop_oneof![6 => 0..9_i64, 1 => 9..12_i64];
    (mass, 1..7_i64, 0..6_i64, prop::array::uniform5(battery), engine, any::<bool>(), specials, 0..9_i64).prop_map(
        |(mass, hull, screens, batteries, engine, agile, (special, specials), bays)| Plan {
            mass,
            hull,
            screens,
            batteries,
            engine,
            agile,
            special,
            specials,
            bays,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_ships_agree_with_other_code(plan in plans()) {
        let ship = ship(&load(ID), &plan.text());
        let mut found: Vec<_> = ship.findings.iter().map(|finding| (finding.severity, finding.code.to_string())).collect();
        found.sort_by(|a, b| a.1.cmp(&b.1));
        let due: Vec<_> = plan.faults().into_iter().map(|(severity, code)| (severity, code.to_owned())).collect();
        prop_assert_eq!(&found, &due);
        prop_assert_eq!(ship.legal, due.iter().all(|fault| fault.0 != Severity::Error));
        let (strongest, small) = plan.masses();
        prop_assert_eq!(value(&ship, "points"), plan.mass + 2 * strongest + small);
        prop_assert_eq!(ship.costs.iter().map(|line| line.total).sum::<i64>(), plan.mass + 2 * strongest + small);
        prop_assert_eq!(value(&ship, "df"), plan.hull + plan.screens);
        prop_assert_eq!(value(&ship, "turns"), plan.engine / 2);
        prop_assert_eq!(value(&ship, "crew_units"), plan.crew());
        let rate = if plan.bays == 0 { 0 } else { ((2 * plan.bays + 3) / 6).max(1) };
        prop_assert_eq!(value(&ship, "launch_rate"), rate);
        let n = plan.mass.max(0);
        prop_assert_eq!(rows(&ship, "weapons").iter().sum::<u32>() as i64, n);
        prop_assert_eq!(rows(&ship, "hull").iter().sum::<u32>() as i64, n);
        let [forward, left, right, rear, secondary] = plan.batteries;
        let full = [forward, left, right, rear, secondary, plan.specials];
        for k in 1..=n {
            // To nearest, halves up: twice the share and one, halved and floored.
            let left = full.map(|strength| (2 * strength * (n - k + 1) + n) / (2 * n));
            prop_assert_eq!(strengths(&ship, k as usize), left);
        }
        if n > 0 {
            let row: Vec<String> = (1..=n as usize).map(|k| match cell(&ship, "hull", k, "icon") {
                Value::Text(word) => word.to_string(),
                Value::Null => String::new(),
                other => panic!("{other:?}"),
            }).collect();
            prop_assert_eq!(row, plan.icons());
        }
        let flights: u32 = ship.counters.iter().filter(|counter| &*counter.id == "flight").map(|counter| counter.count).sum();
        prop_assert_eq!(i64::from(flights), plan.bays);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_ships_print_legibly(plan in plans(), large_print in any::<bool>(), letter in any::<bool>()) {
        let ship = ship(&load(ID), &plan.text());
        let options = SheetOptions { large_print, page_setup: if letter { Paper::Letter } else { Paper::A4 }.into(), ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&ship), options);
        prop_assert!(findings.is_empty(), "{}", said(&findings));
        holds(&ship, &scene, &findings, options);
        // Cards up to 24 boxes are one card, not pages, whatever their size of print.
        if plan.mass <= 24 && plan.batteries.iter().all(|&strength| strength < 100) {
            prop_assert_eq!(scene.pages.len(), 1);
        }
    }
}

/// What is written each turn has 6 mm, less the margin of its field, on every card; a carrier with as many flights as it has boxes for is one card.
#[test]
fn turns_have_room_for_a_pencil() {
    let carrier = |mass: i64, bays: i64, named: bool| {
        let text = format!(
            "ruleset = \"{ID}\"\nname = \"Ship\"\n[fields]\nmass = {mass}\nengine = 4\nprimary_forward = 8\nfighter_bays = {bays}\n"
        );
        let source = moldloft::source::Source::new("ship.toml", &text);
        let design = moldloft::design::Design::read(&source).expect("it is TOML");
        let own = moldloft::design::Ship { name: named.then(|| "Ark".into()), ..moldloft::design::Ship::default() };
        moldloft::evaluate::evaluate(&load(ID), &design, &own)
    };
    let mut ships: Vec<(i64, Evaluation)> = super::samples(ID).into_iter().map(|ship| (0, ship)).collect();
    for (mass, bays) in [(2, 1), (5, 4), (8, 6), (9, 7), (12, 9), (16, 12), (24, 18), (60, 40)] {
        ships.extend([false, true].map(|named| (mass, carrier(mass, bays, named))));
    }
    for paper in [Paper::A4, Paper::A5] {
        let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
        for (mass, ship) in &ships {
            let (scene, findings) = printed(std::slice::from_ref(ship), options);
            assert!(findings.is_empty(), "{}: {}", ship.name, said(&findings));
            let mut lowest = f32::INFINITY;
            for item in scene.pages.iter().flat_map(|page| &page.items) {
                let Some(mark) = item.mark.as_ref().filter(|mark| mark.name.starts_with("turns")) else { continue };
                // The first row's fields are below the turn's number; below the speed at the start is where the plots are.
                let is_below_words = mark.name.contains("_1_") || &*mark.name == "turns_2_1";
                if let (false, Shape::Rect { rect, .. }) = (is_below_words, &item.shape) {
                    lowest = lowest.min(rect.h);
                }
            }
            assert!(lowest >= 5.39, "{} of mass {mass}, {paper}: {lowest}", ship.name);
            assert!(paper != Paper::A4 || *mass > 24 || scene.pages.len() == 1, "{} of mass {mass}", ship.name);
        }
    }
}

/// Critical hits on the bridge repeat the target: each card has a line for it. Which rules a ship is beyond stands on its card.
#[test]
fn cards_have_a_line_for_the_target_and_say_what_the_basic_rules_leave_out() {
    for ship in super::samples(ID) {
        let texts = super::texts(std::slice::from_ref(&ship), SheetOptions::default());
        let is_line = |text: &String| ["target", "speed, target", "speed, plot, target"].contains(&text.as_str());
        assert!(texts.iter().any(is_line), "{}: {texts:?}", ship.name);
        let is_beyond = texts.iter().any(|text| text.contains("legal, beyond the basic rules"));
        assert_eq!(is_beyond, &*ship.name == "Atlas", "{}", ship.name);
    }
}

/// The largest x and y of boxes to tick, and whether a turn is printed.
fn reach(paper: Paper, large_print: bool, mass: i64, turn: &str) -> (f32, f32, bool) {
    let text =
        format!("ruleset = \"{ID}\"\nname = \"Ship\"\n[fields]\nmass = {mass}\nprimary_forward = 9\nengine = 4\n");
    let ship = ship(&load(ID), &text);
    let options = SheetOptions { large_print, page_setup: paper.into(), ..SheetOptions::default() };
    let (scene, findings) = printed(std::slice::from_ref(&ship), options);
    assert_eq!(scene.pages.len(), 1, "{paper}, {mass}: {}", said(&findings));
    let (mut right, mut bottom, mut has_turn) = (0.0_f32, 0.0_f32, false);
    for item in scene.pages[0].items().iter() {
        match &item.shape {
            Shape::Rect { rect, .. } if item.mark.is_some() => {
                (right, bottom) = (right.max(rect.right()), bottom.max(rect.bottom()));
            }
            Shape::Text(text) => has_turn |= &*text.shaped.text == turn,
            _ => {}
        }
    }
    (right, bottom, has_turn)
}

#[test]
fn cards_alone_on_a_page_in_large_print_are_pages_with_twelve_turns() {
    for mass in [1, 3, 8, 12] {
        assert!(reach(Paper::A5, true, mass, "11").2, "mass {mass}");
    }
    assert!(!reach(Paper::A4, true, 3, "11").2, "two cards share this page");
}
