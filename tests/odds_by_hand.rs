//! House rules and the odds: what a layer changes in a table or value changes the odds as the rule's text says. Each distribution is enumerated here,
//! throw by throw, from the rules as they are written, and shares nothing with the program.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use toml_edit::DocumentMut;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// By number: its probability.
type Chances = BTreeMap<i64, f64>;

/// Runs the program in a workspace with one layer over a game.
fn run(game: &str, lines: &str, arguments: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("rulesets")).unwrap();
    let header =
        format!("[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"{game}\"\n");
    std::fs::write(folder.path().join("rulesets/club.toml"), format!("{header}{lines}\n")).unwrap();
    let words = arguments.split_whitespace().map(|word| match word.strip_prefix('@') {
        Some(ship) => Path::new(ROOT).join(format!("designs/{game}/{ship}.toml")).to_string_lossy().into_owned(),
        None => word.to_owned(),
    });
    let output = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(words).current_dir(folder.path()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The odds under a layer; ships as `@saltholm`.
fn odds(game: &str, lines: &str, arguments: &str) -> Value {
    let (status, out, errors) = run(game, lines, &format!("odds {arguments} --rules club --json"));
    assert_eq!(status, Some(0), "{lines}\n{arguments}\n{errors}");
    let all: Value = serde_json::from_str(&out).unwrap();
    all[0].clone()
}

fn chances(spread: &Value) -> Chances {
    let pairs = spread.as_array().unwrap().iter();
    let number = |value: &Value| value.as_i64().unwrap_or_else(|| i64::from(value.as_bool().unwrap()));
    pairs.map(|pair| (number(&pair[0]), pair[1].as_f64().unwrap())).collect()
}

/// What is lost of a gauge, or what a counter comes to.
fn lost(odds: &Value, gauge: &str) -> Chances {
    chances(&odds["all"][gauge]["lost"])
}

fn holds(odds: &Value, outcome: &str) -> f64 {
    chances(&odds["outcomes"][outcome]).get(&1).copied().unwrap_or(0.0)
}

fn assert_same(found: &Chances, wanted: &Chances, what: &str) {
    for number in found.keys().chain(wanted.keys()) {
        let of = |chances: &Chances| chances.get(number).copied().unwrap_or(0.0);
        let (found, wanted) = (of(found), of(wanted));
        assert!((found - wanted).abs() < 1e-9, "{what}: {number} is {found}, not {wanted}");
    }
}

fn add(chances: &mut Chances, number: i64, p: f64) {
    *chances.entry(number).or_default() += p;
}

/// The sum of so many alike.
fn times(count: usize, one: &Chances) -> Chances {
    let mut sum = Chances::from([(0, 1.0)]);
    for _ in 0..count {
        let mut next = Chances::new();
        for (a, p) in &sum {
            one.iter().for_each(|(b, q)| add(&mut next, a + b, p * q));
        }
        sum = next;
    }
    sum
}

/// No more than a ship has.
fn at_most(chances: &Chances, most: i64) -> Chances {
    let mut held = Chances::new();
    chances.iter().for_each(|(number, p)| add(&mut held, *number.min(&most), *p));
    held
}

/// Counts of a sample by system and mount.
fn fitted(game: &str, ship: &str) -> BTreeMap<(String, String), i64> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(format!("designs/{game}/{ship}.toml"))).unwrap();
    let document: DocumentMut = text.parse().unwrap();
    let fits = document["fit"].as_array_of_tables().unwrap();
    let mut counts = BTreeMap::new();
    for fit in fits {
        let word = |key: &str| fit[key].as_str().unwrap().to_owned();
        let count = fit.get("count").map_or(1, |count| count.as_integer().unwrap());
        *counts.entry((word("system"), word("mount"))).or_default() += count;
    }
    counts
}

// --- battleships of the 1890s: a die of gunfire; 4 and 5 one point, 6 one and the second die ---

/// Points lost to one die, where the first die hits from `least` on and the second die's faces cost more points.
fn gun_die(least: i64, more: [i64; 6]) -> Chances {
    let mut one = Chances::new();
    for die in 1..=6 {
        for second in more {
            let points = if die == 6 { 1 + second } else { i64::from(die >= least) };
            add(&mut one, points, 1.0 / 36.0);
        }
    }
    one
}

const HAMMER: &str = "@unterwalden --against @saltholm --attack main-guns --with side=none";

#[test]
fn ironclads_float_and_break_off_as_the_layer_says() {
    let lines = "[change.value.flotation]\nformula = \"14\"\n[change.value.critical]\nformula = \"7\"";
    // Six guns at range 3, three dice each.
    let found = odds("battleships-1890s", lines, &format!("{HAMMER} --range 3"));
    let wanted = times(18, &gun_die(4, [1, 0, 0, 0, 0, 0]));
    assert_same(&lost(&found, "flotation"), &at_most(&wanted, 14), "flotation");
    let breaks_off: f64 = wanted.range(7..).map(|(_, p)| p).sum();
    assert!((holds(&found, "critical") - breaks_off).abs() < 1e-9, "{breaks_off}");
    assert!(
        (holds(&odds("battleships-1890s", "", &format!("{HAMMER} --range 3")), "critical") - breaks_off).abs() > 1e-3
    );
}

#[test]
fn ironclads_are_hit_as_both_tables_of_dice_say() {
    let first = "[change.table.first_die.rows.2]\ndie = \"3–5\"\n[change.table.first_die.rows.3]\ndie = \"1–2\"";
    let found = odds("battleships-1890s", first, &format!("{HAMMER} --range 9"));
    let wanted = times(6, &gun_die(3, [1, 0, 0, 0, 0, 0]));
    assert_same(&lost(&found, "flotation"), &at_most(&wanted, 12), "a three hits");

    let second = "[change.table.gun_hits.rows.5]\neffect = \"2 more points\"";
    let found = odds("battleships-1890s", second, &format!("{HAMMER} --range 9"));
    let wanted = times(6, &gun_die(4, [1, 2, 0, 0, 0, 0]));
    assert_same(&lost(&found, "flotation"), &at_most(&wanted, 12), "no fire, two points");
    assert_same(&lost(&found, "fire"), &Chances::from([(0, 1.0)]), "no fire");

    let torpedo =
        "[change.table.torpedo_hits.rows.2]\neffect = \"3 more points\"\n[change.table.dice.rows.torpedo]\ndice = [2]";
    let found = odds("battleships-1890s", torpedo, "@saltholm --against @hammerfest --attack torpedo --range 1");
    let wanted = times(2, &gun_die(4, [1, 1, 2, 2, 3, 0]));
    assert_same(&lost(&found, "flotation"), &at_most(&wanted, 12), "torpedo");
}

#[test]
fn a_face_that_no_row_names_is_no_miss() {
    let lines = "[change.table.first_die.rows.3]\ndie = \"1–2\"";
    let (status, out, errors) = run("battleships-1890s", lines, &format!("odds {HAMMER} --range 9 --rules club"));
    assert_eq!(status, Some(1), "{out}");
    assert!(errors.contains("table `first_die` has no row with 3") && out.contains("Not worked out"), "{errors}{out}");
}

#[test]
fn an_ironclad_rams_from_the_next_square_with_the_dice_of_the_layer() {
    let lines = "[change.table.rams.rows.\"side-on without\"]\nrammed = 5\n[change.table.first_die.rows.1]\nramming = \"3 points\"";
    let ask = "@unterwalden --against @saltholm --attack ram --with ramming=side-on";
    let found = odds("battleships-1890s", lines, &format!("{ask} --range 1"));
    let die = Chances::from([(0, 0.5), (1, 1.0 / 3.0), (3, 1.0 / 6.0)]);
    assert_same(&lost(&found, "flotation"), &at_most(&times(5, &die), 12), "rammed");
    let far = odds("battleships-1890s", lines, &format!("{ask} --range 2"));
    assert!(far["attacks"].as_array().unwrap().iter().all(|attack| attack["fires"] == false), "{}", far["attacks"]);
}

#[test]
fn an_ironclad_on_fire_blows_up_as_the_layer_says() {
    let lines =
        "[change.table.fire.rows.\"put out\"]\ndie = \"4–6\"\n[change.table.fire.rows.\"burns on\"]\ndie = \"2–3\"";
    let found = odds(
        "battleships-1890s",
        lines,
        "@saltholm --against @hammerfest --attack main-guns --range 9 --with side=none",
    );
    // Two dice; each sets fire on a 6 and then a 2. Of the four faces that end it, one is the magazine.
    let fire = 1.0 - (35.0_f64 / 36.0).powi(2);
    assert!((holds(&found, "blown-up") - fire / 4.0).abs() < 1e-9, "{}", found["outcomes"]);
}

// --- Star Navy: damage on a section, shields first, then down the columns ---

const SECTIONS: [&str; 6] = ["front", "right-front", "right-rear", "rear", "left-rear", "left-front"];
const COLUMNS: [[&str; 9]; 6] = [
    ["hull", "shield", "shield", "cap/thr", "cap/thr", "hull", "engine", "engine", "integrity"],
    ["hull", "shield", "shield", "weapon", "weapon", "hull", "isd", "isd", "engine"],
    ["hull", "shield", "cap/thr", "shield", "hull", "cap/thr", "marine", "marine", "integrity"],
    ["hull", "hull", "weapon", "shield", "shield", "weapon", "engine", "engine", "integrity"],
    ["hull", "cap/thr", "hull", "shield", "shield", "isd", "cap/thr", "isd", "marine"],
    ["hull", "weapon", "hull", "shield", "shield", "marine", "weapon", "marine", "integrity"],
];

/// What a section and the core lose to points past the shields, from a column (from 0) on.
fn descend(
    columns: &[[&str; 9]; 6],
    ship: &BTreeMap<(String, String), i64>,
    section: usize,
    through: i64,
    column: usize,
) -> BTreeMap<String, i64> {
    let at = SECTIONS[section];
    let count = |system: &str, mount: &str| ship.get(&(system.to_owned(), mount.to_owned())).copied().unwrap_or(0);
    let weapons = ["cannon", "laser", "pulser", "torpedo"].iter().map(|weapon| count(weapon, at)).sum();
    let front = [0, 1, 5].contains(&section);
    let mut left = BTreeMap::from([
        ("hull", count("hull", at)),
        ("shield", count("shield", at)),
        ("weapon", weapons),
        ("cap/thr", if front { count("capacitor", at) } else { count("thruster", at) }),
    ]);
    for system in ["engine", "isd", "marine", "integrity"] {
        left.insert(system, count(system, "core"));
    }
    let mut gone = BTreeMap::new();
    let mut points = through;
    let order: Vec<&str> = (0..6).flat_map(|n| columns[(column + n) % 6]).collect();
    while points > 0 && order.iter().any(|part| left[part] > 0) {
        for part in &order {
            let there = left.get_mut(part).unwrap();
            if points > 0 && *there > 0 {
                *there -= 1;
                points -= 1;
                *gone.entry((*part).to_owned()).or_default() += 1;
            }
        }
    }
    gone
}

/// What the laser of three on Detroit's front does: the section by a die, the column by another.
fn lasers(columns: &[[&str; 9]; 6], damage: i64, side: impl Fn(i64) -> usize, part: &str) -> Chances {
    let ship = fitted("star-navy", "detroit");
    let mut found = Chances::new();
    for die in 1..=6 {
        let section = side(die);
        let shields = ship.get(&("shield".to_owned(), SECTIONS[section].to_owned())).copied().unwrap_or(0);
        for column in 0..6 {
            let gone = descend(columns, &ship, section, (damage - shields).max(0), column);
            add(&mut found, gone.get(part).copied().unwrap_or(0), 1.0 / 36.0);
        }
    }
    found
}

fn one_faced(die: i64) -> usize {
    match die {
        1 => 5,
        6 => 1,
        _ => 0,
    }
}

const LASERS: &str = "@milwaukee --against @detroit --with section=front --attack laser --range 5";

fn assert_sections(found: &Value, wanted: impl Fn(&str) -> Chances, what: &str) {
    for (gauge, part) in [
        ("hulls", "hull"),
        ("weapons", "weapon"),
        ("engine", "engine"),
        ("integrity", "integrity"),
        ("marine", "marine"),
    ] {
        assert_same(&lost(found, gauge), &wanted(part), &format!("{what}: {gauge}"));
    }
}

#[test]
fn lasers_do_what_the_layer_prints() {
    let plain = odds("star-navy", "", LASERS);
    assert_sections(&plain, |part| lasers(&COLUMNS, 12, one_faced, part), "as published");
    let found = odds("star-navy", "[change.table.laser.rows.\"4–6\"]\ndamage = 6", LASERS);
    assert_sections(&found, |part| lasers(&COLUMNS, 18, one_faced, part), "six points each");
}

#[test]
fn damage_goes_down_the_table_of_the_layer() {
    let mut columns = COLUMNS;
    columns[2][1] = "integrity";
    columns[5][0] = "marine";
    let lines = "[change.table.damage]\nrows.2.d3 = \"integrity\"\nrows.1.d6 = \"marine\"";
    assert_sections(&odds("star-navy", lines, LASERS), |part| lasers(&columns, 12, one_faced, part), "other columns");
}

#[test]
fn sections_are_hit_as_the_layer_says() {
    let lines = "[change.table.section_hit]\nrows.1.roll = \"1–2\"\nrows.2.roll = \"3–4\"\nrows.3.roll = \"5–6\"";
    let side = |die: i64| {
        if die <= 2 {
            5
        } else if die <= 4 {
            0
        } else {
            1
        }
    };
    assert_sections(&odds("star-navy", lines, LASERS), |part| lasers(&COLUMNS, 12, side, part), "other sections");
}

#[test]
fn torpedoes_and_pulsers_do_what_the_layer_says() {
    let ship = fitted("star-navy", "detroit");
    let shields = |section: usize| ship.get(&("shield".to_owned(), SECTIONS[section].to_owned())).copied().unwrap_or(0);
    // Three torpedoes above speed 3, each on a section of its own roll.
    let mut wanted = Chances::new();
    for throw in 0..36_usize.pow(3) {
        let mut damage = [0_i64; 6];
        for torpedo in 0..3 {
            let roll = i64::try_from(throw / 36_usize.pow(torpedo) % 36).unwrap();
            if roll / 6 + 1 > 3 {
                damage[one_faced(roll % 6 + 1)] += 4;
            }
        }
        let absorbed = (0..6).map(|section| damage[section].min(shields(section))).sum();
        add(&mut wanted, absorbed, 1.0 / 36.0_f64.powi(3));
    }
    let torpedoes = "@milwaukee --against @detroit --with section=rear --attack torpedo --range 5";
    let found = odds("star-navy", "[change.value.torpedo_damage]\nformula = \"4\"", torpedoes);
    assert_same(&lost(&found, "up"), &wanted, "four points each");
    // Three pulsers: the larger number on three sections, the smaller on the others; no shield falls below it.
    let pulsers = "@milwaukee --against @detroit --with section=left-front --attack pulser --range 5";
    let found = odds("star-navy", "[change.table.pulser.rows.3]\ndamage = \"4/2\"", pulsers);
    assert_same(&lost(&found, "up"), &Chances::from([(18, 1.0)]), "4/2");
}

// --- Babylon 5: a d20 at most the signature and the range, pulses by a die, a d20 for the place ---

/// Armour by a d20 on Var'Nic's forward side: two lasers, two torpedoes, thruster, structure, array.
fn forward_armour(spot: i64) -> i64 {
    if (10..=18).contains(&spot) { 4 } else { 3 }
}

#[test]
fn pulses_bear_and_are_stopped_by_what_the_target_has() {
    // Two neutron pulsars at range 3: 14 + 9 always hits; ten points a pulse, D5 pulses.
    let volley = |stopped: &Chances| {
        let mut one = Chances::new();
        for pulses in 1..=5_i64 {
            for (stops, p) in stopped {
                let mut pulse = Chances::new();
                (1..=20).for_each(|spot| add(&mut pulse, 10 - forward_armour(spot), 1.0 / 20.0));
                let through = usize::try_from((pulses - stops).max(0)).unwrap();
                times(through, &pulse).into_iter().for_each(|(points, q)| add(&mut one, points, p * q / 5.0));
            }
        }
        times(2, &one)
    };
    let ask = "@sirenna --against @varnic --range 3";
    let found = odds("b5-house-rules", "", ask);
    assert_same(&lost(&found, "points"), &volley(&Chances::from([(0, 1.0)])), "pulses");
    // Var'Nic's arrays have a rating of 2: a one stops one pulse, a two stops two.
    let stopped = Chances::from([(0, 0.8), (1, 0.1), (2, 0.1)]);
    let found = odds("b5-house-rules", "", &format!("{ask} --with interceptors=1"));
    assert_same(&lost(&found, "points"), &volley(&stopped), "intercepted");
    let found = odds("b5-house-rules", "", &format!("{ask} --with interceptors=1 --with rating=1"));
    assert_same(&lost(&found, "points"), &volley(&Chances::from([(0, 0.9), (1, 0.1)])), "a rating of 1 at most");
}

#[test]
fn every_side_of_a_ship_can_lose_its_structure() {
    for side in ["forward", "port", "starboard", "aft", "primary"] {
        let found = odds("b5-house-rules", "", &format!("@varnic --against @varnic --range 1 --with aspect={side}"));
        assert!(found["all"]["structure"]["mean"].as_f64().unwrap() > 0.0, "{side}: {}", found["all"]["structure"]);
    }
}

#[test]
fn plasma_is_stopped_by_half_the_armour_rounded_down_and_loses_power_by_the_hex() {
    // One shot of 4D10+4 less 2 at range 2, on Var'Nic's forward side, by a d20 at most 14 + 8.
    let dice = times(4, &(1..=10).map(|face| (face, 0.1)).collect());
    let mut shot = Chances::new();
    for spot in 1..=20 {
        dice.iter().for_each(|(points, p)| add(&mut shot, points + 4 - 2 - forward_armour(spot) / 2, p / 20.0));
    }
    let count = fitted("b5-house-rules", "torvald-deep")[&("heavy-plasma".to_owned(), "forward".to_owned())];
    let found = odds("b5-house-rules", "", "@torvald-deep --against @varnic --range 2");
    let attacks = found["attacks"].as_array().unwrap();
    let plasma = attacks.iter().find(|attack| attack["label"].as_str().unwrap().contains("plasma")).unwrap();
    assert_eq!(plasma["fires"], true, "{plasma}");
    let wanted = times(usize::try_from(count).unwrap(), &shot);
    assert_same(&chances(&plasma["gauges"]["points"]["lost"]), &at_most(&wanted, 400), "plasma");
}

// --- what a change reaches ---

fn reach(game: &str, lines: &str) -> Vec<Value> {
    let (status, out, errors) = run(game, lines, &format!("rules diff {game} club --reach --json"));
    assert_eq!(status, Some(0), "{errors}");
    serde_json::from_str(&out).unwrap()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn a_change_says_which_panels_and_attacks_read_it_and_which_do_not() {
    let found = reach("star-navy", "[change.table.laser.rows.\"4–6\"]\ndamage = 6");
    let laser = found.iter().find(|one| one["key"] == "rows.4–6.damage").unwrap();
    assert_eq!(words(&laser["reach"]["attacks"]), ["laser"]);
    assert!(words(&laser["reach"]["not_in_odds"]).contains(&"torpedo"), "{laser}");
    assert!(words(&laser["reach"]["panels"]).iter().any(|panel| panel.starts_with("reference: ")), "{laser}");
    assert_eq!(words(&laser["reach"]["suggestions"]), ["odds.laser"]);
    assert!(words(&laser["reach"]["checks"]).is_empty());

    // A row with a constant name is read where it is named, and nowhere else.
    let found = reach("battleships-1890s", "[change.table.dice.rows.secondary]\ndice = [2, 2, 2, 1]");
    assert_eq!(words(&found[0]["reach"]["attacks"]), ["secondary-guns"]);
    assert_eq!(words(&found[0]["reach"]["outcomes"]), ["blown-up", "critical"]);
    let found = reach("battleships-1890s", "[change.value.critical]\nformula = \"7\"");
    assert_eq!(words(&found[0]["reach"]["outcomes"]), ["critical"]);
    assert!(words(&found[0]["reach"]["attacks"]).is_empty());
    assert_eq!(words(&found[0]["reach"]["tracks"]), ["flotation"]);
    // Points are no business of the dice.
    let found = reach("battleships-1890s", "[change.system.torpedo-tube]\npoints = 5");
    assert!(words(&found[0]["reach"]["values"]).contains(&"points"), "{}", found[0]);
    assert!(words(&found[0]["reach"]["attacks"]).is_empty(), "{}", found[0]);
    let (_, text, _) =
        run("star-navy", "[change.table.laser.rows.\"4–6\"]\ndamage = 6", "rules diff star-navy club --reach");
    assert!(text.contains("\n    attacks: laser\n"), "{text}");
    assert!(text.contains("\n    not read by values, costs, checks,"), "{text}");
}

// --- tables that are made from others, and numbers that have moved ---

#[test]
fn a_layer_that_changes_a_table_without_rows_is_told_which_to_change() {
    let told = |game: &str, lines: &str| {
        let (_, out, err) = run(game, lines, "rules check club");
        out + &err
    };
    let made = told("battleships-1890s", "[change.table.ramming.rows.1]\nrammed = \"5D6\"");
    assert!(!made.contains("no rows of its own"), "the odds read these rows: {made}");
    let made = told("battleships-1890s", "[change.table.second_die.rows.2]\ngun = \"fire\"");
    assert!(
        made.contains("it is made from gun_hits, torpedo_hits") && made.contains("[change.table.gun_hits]"),
        "{made}"
    );
    for (old, new) in [("laser_by_range", "laser"), ("pulser_by_number", "pulser"), ("descent", "damage")] {
        let moved = told("star-navy", &format!("[change.table.{old}]\nrows = []"));
        assert!(moved.contains(&format!("table `{old}`: its numbers are in `{new}` now")), "{moved}");
    }
}

#[test]
fn a_house_gun_without_an_attack_is_reported() {
    let gun = "[[system]]\nid = \"mortar\"\nmounts = [\"#turret\"]\npoints = 3\nrule = \"club\"";
    let (_, said, _) = run("battleships-1890s", gun, "rules check club");
    assert!(said.contains("weapon-without-attack") && said.contains("mortar"), "{said}");
    let (_, said, _) = run("star-navy", "[change.system.shield]\nmounts = [\"#fore\"]", "rules check club");
    assert!(!said.contains("weapon-without-attack"), "a hull is no weapon for that: {said}");
}

/// A weapon that is like another has the other's row; one of its own name, which the rules look up nowhere, is told.
#[test]
fn a_row_for_a_house_gun_that_nothing_reads_is_reported() {
    let row = "[[system]]\nid = \"heavy-gun\"\nlike = \"main-gun\"\n[change.table.dice]\nadd.rows = [[\"heavy-gun\", [5, 5]]]";
    let (_, said, _) = run("battleships-1890s", row, "rules check club");
    assert!(said.contains("no formula looks up the row of dice with weapon = heavy-gun"), "{said}");
}
