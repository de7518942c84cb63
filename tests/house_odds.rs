//! House rules and odds: each number of each table that attacks read changes the odds, or is said not to be counted; weapons that no attack uses are named.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::finding::Finding;
use moldloft::formula::Value;
use moldloft::odds::{GaugeOdds, Odds, OddsQuestion, odds_text, read_situation, work_out};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;

use crate::support::rules;
use rules::{chain, said, source};

/// A layer over a built-in ruleset.
pub(crate) fn lay(base: &str, text: &str) -> (Arc<Ruleset>, Vec<Finding>) {
    let header =
        format!("[ruleset]\nid = \"house\"\ntitle = \"Our club\"\nversion = \"1\"\nschema = 1\nextends = \"{base}\"\n");
    let mut sources = chain(base);
    sources.push(Source::new("rulesets/house.toml", &(header + text)));
    let (ruleset, findings) = Ruleset::load_layers(&sources);
    (Arc::new(ruleset.unwrap_or_else(|| panic!("{text}\n{}", said(&findings)))), findings)
}

pub(crate) fn house(base: &str, text: &str) -> Arc<Ruleset> {
    let (ruleset, findings) = lay(base, text);
    assert!(findings.is_empty(), "{text}\n{}", said(&findings));
    ruleset
}

fn ship(rules: &Arc<Ruleset>, text: &str) -> Evaluation {
    evaluate(rules, &Design::read(&Source::new("ship.toml", text)).unwrap(), &Ship::default())
}

pub(crate) fn odds(rules: &Arc<Ruleset>, text: &str, situation: &str) -> Odds {
    odds_on(rules, [text, text], situation)
}

pub(crate) fn odds_on(rules: &Arc<Ruleset>, ships: [&str; 2], situation: &str) -> Odds {
    odds_of_turns(rules, ships, situation, 0)
}

pub(crate) fn odds_of_turns(rules: &Arc<Ruleset>, [own, target]: [&str; 2], situation: &str, turns: u32) -> Odds {
    let (own, target) = (ship(rules, own), ship(rules, target));
    let words: Vec<String> = situation.split_whitespace().map(str::to_owned).collect();
    let situation = read_situation(&rules.attack_rules, &words).unwrap();
    work_out(&own, &target, &OddsQuestion { situation, turns, ..OddsQuestion::default() })
}

pub(crate) fn sample(path: &str) -> String {
    source(&format!("designs/{path}.toml")).text.to_string()
}

/// All that may differ: what fires and what becomes of each gauge.
fn figures(odds: &Odds) -> String {
    let gauges: Vec<_> = odds.all.iter().map(|gauge| (gauge.gauge, &gauge.lost)).collect();
    let bearing: Vec<_> = odds.attacks.iter().map(|attack| attack.bearing).collect();
    let outcomes: Vec<_> = odds.outcomes.iter().map(|outcome| &outcome.spread.outcomes).collect();
    format!("{gauges:?} {bearing:?} {outcomes:?}")
}

/// The same text with its first number one higher; `None` without one.
fn raised(cell: &Value) -> Option<String> {
    match cell {
        Value::Int(number) => Some((number + 1).to_string()),
        Value::Text(text) => {
            let start = text.find(|c: char| c.is_ascii_digit())?;
            let end = text[start..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| start + end);
            let number: i64 = text[start..end].parse().ok()?;
            Some(format!("\"{}{}{}\"", &text[..start], number + 1, &text[end..]))
        }
        _ => None,
    }
}

/// Changes each cell of these tables; `designs` gives the firing ship and its target with which a row tells, `situations` where.
fn every_cell_counts(
    base: &str,
    tables: &[&str],
    skipped: &[(&str, &str)],
    designs: &dyn Fn(&str) -> Vec<[String; 2]>,
    situations: &[&str],
) {
    let plain = house(base, "");
    let mut known: BTreeMap<([String; 2], &str), String> = BTreeMap::new();
    let mut cells = 0;
    for table in plain.tables.iter().filter(|table| tables.contains(&&*table.id)) {
        let (columns, key) = (table.columns(), table.key());
        for (n, row) in table.rows().iter().enumerate() {
            let words: Vec<String> = key.iter().map(|&n| row.entries[n].1.shown().unwrap_or_default()).collect();
            let name = if words.is_empty() { (n + 1).to_string() } else { words.join(" ") };
            for (place, column) in columns.iter().enumerate() {
                if key.contains(&place) || skipped.contains(&(&table.id, &column.id)) {
                    continue;
                }
                let Some(cell) = raised(&row.entries[place].1) else { continue };
                let text = format!("[change.table.{}.rows.\"{name}\"]\n{} = {cell}\n", table.id, column.id);
                let (changed, findings) = lay(base, &text);
                assert!(findings.is_empty(), "{text}\n{}", said(&findings));
                cells += 1;
                let counts = designs(&name).iter().any(|ships| {
                    let [own, target] = ships.each_ref().map(String::as_str);
                    situations.iter().any(|situation| {
                        let before = known
                            .entry((ships.clone(), situation))
                            .or_insert_with(|| figures(&odds_on(&plain, [own, target], situation)));
                        let after = odds_on(&changed, [own, target], situation);
                        let says = after.not_counted.iter().any(|note| note.contains(&*table.id));
                        figures(&after) != *before || says || !after.findings.is_empty()
                    })
                });
                assert!(counts, "{text}changes no odds and is not said to be left out");
            }
        }
    }
    assert!(cells >= 40, "{cells} cells of {base}");
}

pub(crate) fn cruiser(nation: &str) -> String {
    let fit = |system: &str, mount: &str, rest: &str| {
        format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\n{rest}\n")
    };
    let weapons = ["missile-launcher", "laser", "graser", "grav-lance", "energy-torpedo"];
    let weapons: String = weapons.iter().map(|system| fit(system, "port", "")).collect();
    format!(
        "ruleset = \"wars-of-honor\"\nname = \"Trial\"\n[fields]\nnation = \"{nation}\"\n{weapons}{}{}{}{}",
        fit("counter-missile-launcher", "starboard", "count = 2"),
        fit("laser-cluster", "all-round", ""),
        fit("missile-magazine", "core", "feeds = 1\nlaser_heads = 3\nnuclear = 2") + &fit("cnc", "core", ""),
        fit("beta-node", "forward-ring", "count = 9"),
    )
}

#[test]
fn every_number_of_wars_of_honor_that_attacks_read_changes_the_odds() {
    let nation = |row: &str| {
        let nations = ["manticore", "haven", "silesian-confederacy", "silesian-pirates", "anderman"];
        let nation = nations.iter().find(|nation| row.split(' ').next() == Some(**nation)).unwrap_or(&"haven");
        // Missiles of Silesia reach less far than its counter-missiles: only those of another nation tell how far that is.
        vec![[cruiser(nation), cruiser(nation)], [cruiser("manticore"), cruiser(nation)]]
    };
    let situations = [
        "range=5 aspect=starboard",
        "range=5 warhead=nuclear",
        "range=13",
        "range=7",
        "range=7 aspect=forward",
        "range=30",
        "range=47",
        "range=30 warhead=nuclear",
        "range=46",
        "range=41",
        "range=36",
        "range=37",
        "range=73",
        "range=73 warhead=nuclear",
        "range=42 warhead=nuclear",
        "range=40",
        "range=39",
        "range=39 warhead=nuclear",
        "range=57",
        "range=52",
        "range=45",
    ];
    let tables = ["missiles", "counter_missiles", "damage", "damage_by_die"];
    every_cell_counts("wars-of-honor", &tables, &[("damage", "roll"), ("damage_by_die", "text")], &nation, &situations);
}

#[test]
fn every_number_of_the_combat_chart_changes_the_odds() {
    let design = |primary: i64, special: &str, count: i64| {
        format!(
            "ruleset = \"sky-full-of-ships\"\nname = \"Trial\"\n[fields]\nmass = 6\nhull_strength = 7\nprimary_forward = {primary}\nsecondary = 4\nagile = true\nengine = 4\nspecial = \"{special}\"\nspecial_count = {count}\nfighter_bays = 1\n"
        )
    };
    let designs = |_: &str| {
        let specials = ["none", "particle-cannon", "mass-driver"];
        [3, 4, 7, 11, 14, 21, 28, 35, 42]
            .iter()
            .zip(specials.iter().cycle())
            .map(|(primary, special)| design(*primary, special, 1))
            // Of −6, a slow target leaves a 1, which hits from 3:1 on.
            .chain([design(3, "particle-cannon", 3)])
            .map(|ship| [ship.clone(), ship])
            .collect()
    };
    let situations = [
        "range=5 flights=1 slow=true",
        "range=5 dodging=false",
        "range=20",
        "range=30",
        "range=30 dodging=false",
        "range=30 slow=true dodging=false",
        "range=13",
        "range=25",
        "range=7",
        "range=20 slow=true dodging=false",
    ];
    every_cell_counts(
        "sky-full-of-ships",
        &["combat_chart", "modifiers"],
        &[("modifiers", "what")],
        &designs,
        &situations,
    );
}

#[test]
fn specials_do_not_fire_to_the_rear() {
    let rules = house("sky-full-of-ships", "");
    let halberd = std::fs::read_to_string(rules::root().join("designs/sky-full-of-ships/halberd.toml")).unwrap();
    let rear = odds(&rules, &halberd, "arc=rear range=20");
    let fired: Vec<&str> = rear
        .attacks
        .iter()
        .filter(|attack| attack.bearing == moldloft::odds::Bearing::Fires)
        .map(|attack| &*rules.attack_rules.attacks[attack.attack].id)
        .collect();
    assert_eq!(fired, ["primaries"]);
    assert!(odds_text(&rear, false).contains("Exact: every roll counted"));
}

/// `Exact` is said of no ship with a weapon that no attack uses, however it is called.
#[test]
fn weapons_that_no_attack_uses_are_named() {
    let gun = |keys: &str| {
        format!(
            "[[system]]\nid = \"plasma-gun\"\nmounts = [\"#chase\", \"#broadside\"]\nmass = 1\npoints = 4\n{keys}\n"
        )
    };
    let armed = cruiser("haven") + "[[fit]]\nsystem = \"plasma-gun\"\nmount = \"port\"\n";
    for keys in ["", "tags = [\"weapon\"]"] {
        let told = odds(&house("wars-of-honor", &gun(keys)), &armed, "range=5");
        let text = odds_text(&told, false);
        assert!(!text.contains("Exact"), "{text}");
        assert!(text.contains("plasma gun, port: no attack of the rules uses it"), "{text}");
    }
    let plain = odds_text(&odds(&house("wars-of-honor", ""), &cruiser("haven"), "range=5"), false);
    assert!(plain.contains("Exact: every roll counted"), "{plain}");
    let lance = house(
        "sky-full-of-ships",
        "[change.field.special.add.options]\nplasma-lance = { label = \"plasma lance\", plural = \"plasma lances\", factor = 10 }\n",
    );
    let ship = "ruleset = \"sky-full-of-ships\"\nname = \"Trial\"\n[fields]\nmass = 6\nprimary_forward = 8\nspecial = \"plasma-lance\"\nspecial_count = 2\n";
    let text = odds_text(&odds(&lance, ship, "range=5"), false);
    assert!(!text.contains("Exact") && text.contains("plasma lance, special weapon: no attack"), "{text}");
}

/// A gun that the rules do not have is not counted, nor is one in a mount that they do not have, on either side.
#[test]
fn what_the_rules_do_not_have_is_named() {
    let vigilant = sample("wars-of-honor/vigilant");
    for (ban, said) in [
        ("[change.system.graser]\nremove = true\nreason = \"too strong\"\n", "unknown system `graser`"),
        ("[change.mount.forward]\nremove = true\n", "laser, forward: unknown mount `forward`: removed by house"),
    ] {
        let text = odds_text(&odds(&house("wars-of-honor", ban), &vigilant, "range=10"), false);
        assert!(text.contains(said) && !text.contains("Exact"), "{text}");
    }
    let no_chase = house("wars-of-honor", "[change.mount.forward]\nremove = true\n");
    let mean = |rules, situation| odds(rules, &vigilant, situation).all.iter().map(GaugeOdds::mean).sum::<f64>();
    let plain = house("wars-of-honor", "");
    let [ahead, abeam] = ["range=10 bearing=forward", "range=10 bearing=port"].map(|side| mean(&no_chase, side));
    assert!(ahead == 0.0 && mean(&plain, "range=10 bearing=forward") > 0.0 && abeam > 20.0, "{ahead} {abeam}");
    let no_top = house("wars-of-honor", "[change.mount.all-round]\nremove = true\n");
    assert!(mean(&no_top, "range=40") > mean(&plain, "range=40"), "clusters without a mount stop nothing");
    let text = odds_text(&odds(&no_top, &vigilant, "range=40"), false);
    assert!(text.contains("laser cluster, all-round: unknown mount `all-round`: removed by house"), "{text}");
    // Guns that a value counts, which attacks read.
    let no_fore = house("battleships-1890s", "[change.mount.fore]\nremove = true\n");
    let bare = odds(&no_fore, MONITOR, "range=3");
    assert!(bare.all.iter().all(|gauge| gauge.mean() == 0.0), "{}", odds_text(&bare, false));
    assert!(bare.not_counted.iter().any(|note| note.contains("fore: unknown mount `fore`")), "{:?}", bare.not_counted);
    let sides = house("b5-house-rules", "[change.mount.forward]\nremove = true\n");
    let notes = odds(&sides, &sample("b5-house-rules/torvald-deep"), "").not_counted;
    assert!(notes.contains(&"side hit, row 1: unknown mount `forward`: removed by house".into()), "{notes:?}");
    // A target's banned laser clusters, too.
    let ban = "[change.system.laser-cluster]\nremove = true\n";
    let bare = cruiser("haven").replace("system = \"laser-cluster\"", "system = \"ew-drone\"");
    let ships = [&*bare, &*vigilant];
    let text = odds_text(&odds_on(&house("wars-of-honor", ban), ships, "range=10"), false);
    assert!(text.contains("Vigilant: unknown system `laser-cluster`") && !text.contains("Exact"), "{text}");
}

/// Bands of range count by their numbers, in whatever order a layer writes them; where no band is, nothing is added.
#[test]
fn bands_of_range_count_by_their_numbers() {
    let ship = sample("sky-full-of-ships/swordfish");
    let mean = |layer: &str, range: u32| {
        let found = odds(&house("sky-full-of-ships", layer), &ship, &format!("range={range}"));
        found.headline_of(&found.all).unwrap().mean()
    };
    let same = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let near = "[change.table.modifiers]\nrows.3.what = \"0–6 inches\"\nrows.3.primary = \"+1\"\nadd.rows = [[\"6–12 inches\", \"0\", \"0\", \"0\"]]\n";
    assert!(same(mean(near, 10), mean("", 10)) && mean(near, 3) > mean("", 3));
    let none = "[change.table.modifiers]\nrows.3.remove = true\n";
    assert!(same(mean(none, 3), mean("", 3)) && same(mean(none, 20), mean("", 20)));
}

/// Without the row of its warhead a ship has no missiles that count, and without what its structure hangs on nothing to lose: neither is an answer.
#[test]
fn what_hangs_on_a_banned_row_or_field_is_named() {
    let vigilant = sample("wars-of-honor/vigilant");
    let rules = house("wars-of-honor", "[change.table.damage.rows.\"laser head\"]\nremove = true\n");
    let evaluation = ship(&rules, &vigilant);
    assert!(
        evaluation.findings.iter().all(|one| !one.message.contains("cannot compute")),
        "{}",
        said(&evaluation.findings)
    );
    let text = odds_text(&odds(&rules, &vigilant, "range=10"), false);
    assert!(text.contains("graser, port       2.13") && !text.contains("launched"), "{text}");
    let text = odds_text(
        &odds(&house("wars-of-honor", "[change.field.nation]\nremove = true\n"), &vigilant, "range=10"),
        false,
    );
    assert!(!text.contains("Exact"), "{text}");
}

/// Cells of a table that is made from another, written as they were when they were text.
#[test]
fn a_cell_of_a_made_table_counts_in_words_or_in_numbers() {
    let vigilant = sample("wars-of-honor/vigilant");
    let figures = |cells: &str| {
        let layer = format!("[change.table.damage_by_die.rows.laser]\n{cells}\n");
        figures(&odds(&house("wars-of-honor", &layer), &vigilant, "range=14"))
    };
    assert_eq!(figures("range = \"15 MU\""), figures("range = 15"));
    assert_eq!(figures("range = \"15 MU\"\nf1 = \"1\""), figures("range = 15\nf1 = 1"));
}

#[test]
fn tables_and_tracks_that_no_attack_reads_are_named_where_a_layer_changes_them() {
    let note = "[change.table.damage]\nnote = \"a 6 is rolled again, once\"\n";
    let text = odds_text(&odds(&house("wars-of-honor", note), &cruiser("haven"), "range=5"), false);
    assert!(!text.contains("Exact") && text.contains("the note of the table damage as Our club changes it"), "{text}");
    let lost = "[change.table.losses.rows.\"launcher M\"]\nloses = \"nothing\"\n";
    let text = odds_text(&odds(&house("wars-of-honor", lost), &cruiser("haven"), "range=5"), false);
    assert!(text.contains("the table losses as Our club changes it"), "{text}");
}

const CARRIER: &str = "ruleset = \"sky-full-of-ships\"\nname = \"Trial\"\n[fields]\nmass = 6\nprimary_forward = 8\nsecondary = 4\nspecial = \"mass-driver\"\nspecial_count = 2\nfighter_bays = 3\n";
const MONITOR: &str = "ruleset = \"battleships-1890s\"\nname = \"Trial\"\n[fields]\nflotation = 12\n[[fit]]\nsystem = \"main-gun\"\nmount = \"fore\"\nguns = 2\n";

/// What attacks read of a cell is all of it, however it is written, or is not called exact.
#[test]
fn a_cell_that_attacks_do_not_read_whole_is_named() {
    for (game, ship, table, row, column, cell) in [
        ("sky-full-of-ships", CARRIER, "combat_chart", "6", "even", "two"),
        ("sky-full-of-ships", CARRIER, "modifiers", "4", "what", "beyond 12 inches"),
        (
            "sky-full-of-ships",
            CARRIER,
            "weapons_facts",
            "4",
            "how",
            "forward; one die each, 5+ hits after modifiers; 12 per hit",
        ),
        ("sky-full-of-ships", CARRIER, "weapons_facts", "5", "how", "attacks with 6, damaged 3; defence 3"),
        ("wars-of-honor", &cruiser("haven"), "damage", "graser", "dice", "2D6+1"),
        ("wars-of-honor", &cruiser("haven"), "damage", "graser", "dice", "two dice"),
        ("wars-of-honor", &cruiser("haven"), "damage", "laser", "range", "up to 15 MU"),
        ("wars-of-honor", &cruiser("haven"), "damage", "laser", "roll", "1–2: 0 · 3–4: 1 · 5–6: 2 · one more near"),
        ("wars-of-honor", &cruiser("haven"), "missiles", "haven laser-head", "dice", "2D8"),
        ("wars-of-honor", &cruiser("haven"), "damage", "graser", "roll", "1: 0 · 2–3: 1 · 4–5: 2 · 6: D3"),
        ("wars-of-honor", &cruiser("haven"), "damage", "graser", "roll", "1: 0 · 2–3: 1 · 4–5: 2"),
        ("wars-of-honor", &cruiser("haven"), "damage", "graser", "roll", "1–2: miss · 3–4: 1 · 5–6: 2"),
        ("wars-of-honor", &cruiser("haven"), "damage", "graser", "roll", "3+: 1"),
        ("wars-of-honor", &cruiser("haven"), "damage", "laser cluster", "roll", "4, 6 kills; one per missile"),
        ("wars-of-honor", &cruiser("haven"), "damage", "laser cluster", "roll", "6 kills; two per missile"),
        ("wars-of-honor", &cruiser("haven"), "damage", "energy torpedo", "roll", "1–2: 0 · 3–4: 1 · 5–6: 2"),
        ("wars-of-honor", &cruiser("haven"), "damage", "nuclear", "roll", "half the sum of the dice"),
        ("battleships-1890s", MONITOR, "first_die", "1", "hit", "1 point, and a 2nd die"),
        ("battleships-1890s", MONITOR, "first_die", "1", "hit", "2 hits"),
        ("battleships-1890s", MONITOR, "first_die", "2", "hit", "1 point, 2 at range 3 or less"),
        ("battleships-1890s", MONITOR, "gun_hits", "6", "effect", "hole: 1 flotation"),
        ("battleships-1890s", MONITOR, "ramming", "1", "rammed", "4D6+2"),
    ] {
        let rules = house(game, &format!("[change.table.{table}.rows.\"{row}\"]\n{column} = \"{cell}\"\n"));
        let text = odds_text(&odds(&rules, ship, "range=3"), false);
        let is_said = text.contains(&format!("`{cell}` in the table {table}"));
        assert!(is_said && !text.contains("Exact"), "{table} {cell}\n{text}");
    }
    for (game, ship, table, row, column, cell) in [
        ("sky-full-of-ships", CARRIER, "modifiers", "4", "what", "12-24 inches"),
        ("sky-full-of-ships", CARRIER, "modifiers", "4", "what", "12 to 24 inches"),
        ("wars-of-honor", &cruiser("haven"), "damage", "laser", "range", "12"),
        ("battleships-1890s", MONITOR, "first_die", "2", "die", "4 to 5"),
        ("battleships-1890s", MONITOR, "gun_hits", "1", "effect", "bridge: 1 turn"),
    ] {
        let rules = house(game, &format!("[change.table.{table}.rows.\"{row}\"]\n{column} = \"{cell}\"\n"));
        let situation = if ship == CARRIER { "range=20" } else { "range=7" };
        let (plain, other) = (odds(&house(game, ""), ship, situation), odds(&rules, ship, situation));
        assert_eq!(figures(&plain), figures(&other), "{table} {cell}");
        assert!(!odds_text(&other, false).contains("in the table"), "{table} {cell}");
    }
}

/// Dice that are rolled once are not rolled again, and a missile has as many as its row of damage says, if that says a number.
#[test]
fn dice_count_as_their_column_says() {
    let vigilant = sample("wars-of-honor/vigilant");
    let ships = [&*vigilant, &*sample("wars-of-honor/ardennes")];
    let mean = |layer: &str, attack: &str| {
        let odds = odds_on(&house("wars-of-honor", layer), ships, "range=10");
        let found = odds.attacks.iter().find(|one| one.title() == attack).unwrap();
        odds.headline_of(&found.gauges).unwrap().mean()
    };
    // Four dice of 0, 0, 1, 1, 2, 2, the sidewall taking a point of each that does something.
    let once = "[change.table.damage.rows.graser]\ndice = \"2D6 once\"\n";
    assert!((mean(once, "graser, port") - 4.0 / 3.0).abs() < 1e-9 && mean("", "graser, port") > 2.0);
    let head = |dice: u8| format!("[change.table.damage.rows.\"laser head\"]\ndice = \"{dice}D6\"\n");
    let [three, four] = [3, 4].map(|dice| mean(&head(dice), "missiles"));
    assert!((three - mean("", "missiles")).abs() < 1e-9 && four > three + 2.0, "{three} {four}");
}

/// What an attack that is asked for alone does not read is named as it is among all.
#[test]
fn an_attack_alone_says_what_it_does_not_read() {
    let rules = house("wars-of-honor", "[change.table.damage.rows.graser]\nroll = \"1–2: miss · 3–4: 1 · 5–6: 2\"\n");
    let ship = ship(&rules, &cruiser("haven"));
    let told = |attack: &str| {
        let only = vec![attack.into()];
        let situation = read_situation(&rules.attack_rules, &[]).unwrap();
        odds_text(&work_out(&ship, &ship, &OddsQuestion { situation, only, ..OddsQuestion::default() }), false)
    };
    assert!(told("beams").contains("in the table damage") && !told("beams").contains("Exact"));
}

#[test]
fn a_table_of_rules_that_no_attack_reads_is_named_unless_it_has_no_bearing_on_fire() {
    for (game, ship, change, table) in [
        ("sky-full-of-ships", CARRIER, "[change.table.attack]\nrows.6.how = \"nothing more\"\n", "attack"),
        ("sky-full-of-ships", CARRIER, "[change.table.firing_order]\nrows.1.how = \"last\"\n", "firing_order"),
        ("wars-of-honor", &cruiser("haven"), "[change.table.damage_drill]\nrows.1.how = \"stops 2\"\n", "damage_drill"),
        ("battleships-1890s", MONITOR, "[change.table.turn_order]\nrows.4.what = \"two a turn\"\n", "turn_order"),
    ] {
        let text = odds_text(&odds(&house(game, change), ship, "range=3"), false);
        assert!(
            text.contains(&format!("the table {table} as Our club changes it")) && !text.contains("Exact"),
            "{text}"
        );
    }
    for (game, ship, change, note) in [
        ("sky-full-of-ships", CARRIER, "[change.table.attack]\nrows.6.remove = true\n", "the table attack as Our club"),
        (
            "wars-of-honor",
            &cruiser("haven"),
            "[change.table.damage_drill]\nrows.2.remove = true\n",
            "the table damage_drill as Our club",
        ),
        (
            "sky-full-of-ships",
            CARRIER,
            "[change.table.combat_chart]\nadd.columns = [{ id = \"eight\", label = \"8:1\", default = \"5\" }]\n",
            "the column eight of the table combat_chart, which a layer adds",
        ),
    ] {
        let text = odds_text(&odds(&house(game, change), ship, "range=3"), false);
        assert!(text.contains(note) && !text.contains("Exact"), "{text}");
    }
    let moves = "[change.table.movement]\nrows.1.how = \"as you like\"\n[change.table.attack]\nlabel = \"Attacks\"\n";
    let text = odds_text(&odds(&house("sky-full-of-ships", moves), CARRIER, "range=3"), false);
    assert!(!text.contains("as Our club changes it"), "{text}");
}

/// Of two rows from which a table makes rows with one key, the layer's is left out, and nothing else.
#[test]
fn a_row_that_collides_in_a_table_made_from_it_is_left_out_alone() {
    let layer = "[change.table.modifiers]\nrows.\"1\".primary = \"−2\"\nadd.rows = [[\"agile, 2 points left\", \"−3\", \"−3\", \"−3\"]]\n";
    let (rules, findings) = lay("sky-full-of-ships", layer);
    let told: Vec<_> = findings.iter().map(|one| (&*one.code, one.at.file.as_deref(), one.at.line)).collect();
    assert!(told.contains(&("duplicate-id", Some("rulesets/house.toml"), 9)), "{told:?}");
    assert!(!told.iter().any(|(code, ..)| *code == "unusable-layer"), "{told:?}");
    let modifiers = rules.tables.iter().find(|table| &*table.id == "modifiers").unwrap();
    assert_eq!(modifiers.rows()[0].entries[1].1.shown().as_deref(), Some("−2"));
}

#[test]
fn a_banned_table_is_named_by_what_looked_it_up() {
    let chicago = source("designs/star-navy/chicago.toml").text.to_string();
    let ban =
        |table: &str| house("star-navy", &format!("[change.table.{table}]\nremove = true\nreason = \"too slow\"\n"));
    let text = odds_text(&odds(&ban("damage"), &chicago, "range=3"), false);
    assert!(text.contains("the table damage: removed by house (\"too slow\")") && !text.contains("Exact"), "{text}");
    let told = said(&ship(&ban("pulser"), &chicago).findings);
    assert!(!told.contains("error["), "{told}");
    let own = "[change.table.pulser]\nremove = true\nreason = \"too slow\"\n[[check]]\ncode = \"many\"\nseverity = \"error\"\n\
               message = \"many\"\nfails_when = \"max(cells('pulser', 'fired')) > 9\"\n";
    let told = said(&ship(&house("star-navy", own), &chicago).findings);
    assert!(told.contains("max of an empty list: table pulser: removed by house (\"too slow\")"), "{told}");
}

/// One finding for all that a banned table leaves open, where it is banned, also for tables that went along.
#[test]
fn a_banned_table_is_told_once_where_it_is_banned() {
    let burlington = source("designs/sky-full-of-ships/burlington.toml").text.to_string();
    let saltholm = source("designs/battleships-1890s/saltholm.toml").text.to_string();
    for (game, ship, table) in
        [("sky-full-of-ships", burlington, "combat_chart"), ("battleships-1890s", saltholm, "first_die")]
    {
        let ban = format!("[change.table.{table}]\nremove = true\nreason = \"too dear\"\n");
        let odds = odds(&house(game, &ban), &ship, "range=3");
        let [told] = &odds.findings[..] else { panic!("{}", said(&odds.findings)) };
        assert!(told.message.contains(&format!("the table {table}: removed by house (\"too dear\")")), "{told:?}");
        assert_eq!(told.at.file.as_deref(), Some("rulesets/house.toml"));
    }
}

/// An attack that hits by a banned row is left aside with the row's name; what may or may not be rolled is told where it is
/// banned.
#[test]
fn what_looks_up_a_banned_row_says_which() {
    let (vigilant, petrel) = (sample("wars-of-honor/vigilant"), sample("wars-of-honor/petrel"));
    for (table, row) in [("missiles", "manticore laser-head"), ("counter_missiles", "manticore")] {
        let ban = format!("[change.table.{table}.rows.\"{row}\"]\nremove = true\nreason = \"too good\"\n");
        let odds = odds_on(&house("wars-of-honor", &ban), [&vigilant, &petrel], "range=10");
        let text = odds_text(&odds, false);
        let told = format!("the table {table} has no row {row}: removed by house (\"too good\")");
        assert!(text.contains(&format!("missiles: {told}")) && text.contains("graser, port"), "{text}");
        assert!(!text.contains("Exact") && !text.contains("not worked out"), "{text}");
        let is_told = |one: &Finding| one.message == format!("missiles is not counted: {told}");
        assert!(!odds.findings.is_empty() && odds.findings.iter().all(is_told), "{}", said(&odds.findings));
    }
    // Of several banned rows the one that is looked up is named.
    let ban = "[change.table.missiles.rows]\n\"haven nuclear\".remove = true\n\"manticore laser-head\".remove = true\n";
    let text = odds_text(&odds_on(&house("wars-of-honor", ban), [&vigilant, &petrel], "range=10"), false);
    assert!(text.contains("has no row manticore laser-head") && !text.contains("haven nuclear"), "{text}");
    let text =
        odds_text(&odds_on(&house("wars-of-honor", ban), [&vigilant, &petrel], "range=10 warhead=nuclear"), false);
    assert!(text.contains("missiles") && !text.contains("has no row"), "{text}");
    let ban = "[change.table.combat_chart.rows.6]\nremove = true\n";
    let [burlington, tern] = ["burlington", "tern"].map(|name| sample(&format!("sky-full-of-ships/{name}")));
    let odds = odds_on(&house("sky-full-of-ships", ban), [&burlington, &tern], "range=3");
    let [told] = &odds.findings[..] else { panic!("{}", said(&odds.findings)) };
    assert!(told.message.contains("the table combat_chart has no row 6: removed by house"), "{told:?}");
    assert_eq!(told.at.file.as_deref(), Some("rulesets/house.toml"));
}

#[test]
fn a_cell_of_another_type_is_an_error_at_its_place() {
    for cell in ["\"3 3 3\"", "[3, \"x\"]", "4"] {
        let (rules, findings) = lay("battleships-1890s", &format!("[change.table.dice.rows.main]\ndice = {cell}\n"));
        let wrong =
            findings.iter().find(|one| one.code == "wrong-type").unwrap_or_else(|| panic!("{}", said(&findings)));
        assert!(wrong.message.contains("expected a list of numbers for `dice`, found"), "{wrong:?}");
        assert_eq!((wrong.at.file.as_deref(), wrong.at.line), (Some("rulesets/house.toml"), 8));
        let ship = ship(&rules, &source("designs/battleships-1890s/saltholm.toml").text);
        assert!(ship.findings.iter().all(|one| !one.message.contains("cannot compute")), "{}", said(&ship.findings));
    }
    // Where sheets alone show a column, a house may write what it likes.
    house("wars-of-honor", "[change.table.losses.rows.magazine]\nloses = 3\n");
}

#[test]
fn a_table_whose_row_attacks_find_by_a_range_is_counted() {
    let chicago = source("designs/star-navy/chicago.toml").text.to_string();
    let layer = "[change.table.laser]\nrows.\"4–6\".damage = 6\n";
    let text = odds_text(&odds(&house("star-navy", layer), &chicago, "range=5"), false);
    assert!(!text.contains("the table laser"), "{text}");
}

/// From range 90, a missile of acceleration 3 is within the 40 MU of two counter-missile launchers at the ends of turns 5, 6 and 7: (15/36)^6 get past.
#[test]
fn counter_missiles_go_at_missiles_in_every_turn_of_flight() {
    let slow = "[change.table.missiles.rows.\"manticore laser-head\"]\naccel = 3\nendurance = 7\n";
    let odds = odds(&house("wars-of-honor", slow), &cruiser("manticore"), "range=90");
    let text = odds_text(&odds, false);
    assert!(text.contains("1 launched → 0.01 past counter-missiles"), "{text}");
}

/// An attack's pace is a formula: every second turn for one ship, twice in a battle.
#[test]
fn every_and_uses_are_formulas() {
    let layer = "[change.attack.beams]\nevery = \"2 if nation == 'haven' else 1\"\nuses = \"it.count\"\n";
    let rules = house("wars-of-honor", layer);
    let text = odds_text(&odds(&rules, &cruiser("haven"), "range=5"), false);
    assert!(text.contains("fires every 2 turns"), "{text}");
    assert!(!odds_text(&odds(&rules, &cruiser("anderman"), "range=5"), false).contains("fires every"));
}

/// What a layer of older days says and what cannot be meant today is not in force, and so the game without it is not told as exact.
#[test]
fn odds_of_layers_with_skipped_statements_are_not_exact() {
    let older = [
        ("wars-of-honor", "[change.table.damage.rows.laser]\nf6 = 3", "write the whole: roll = "),
        ("star-navy", "[change.table.descent.rows.1]\nparts = []", "[change.table.damage]"),
        ("sky-full-of-ships", "[change.value.needs]\nformula = \"1\"", "[change.table.combat_chart]"),
        (
            "star-navy",
            "[[value]]\nid = \"ours\"\nformula = \"step('laser_by_range', 2)\"",
            "its numbers are in `laser`",
        ),
    ];
    for (game, text, help) in older {
        let (rules, findings) = lay(game, text);
        assert!(
            findings.iter().any(|one| one.help.as_ref().is_some_and(|known| known.contains(help))),
            "{}",
            said(&findings)
        );
        let text = format!("ruleset = \"{game}\"\nname = \"Trial\"\n");
        let odds = odds(&rules, &text, "");
        assert!(odds.not_counted.iter().any(|note| note.contains("not in force")), "{:?}", odds.not_counted);
    }
}

/// What is assumed of a box's contents concerns figures that read them, not those that count boxes.
#[test]
fn figures_that_count_boxes_assume_nothing_of_their_contents() {
    let odds = odds(&house("sky-full-of-ships", ""), CARRIER, "range=3");
    assert!(odds.assumed.iter().any(|note| note.contains("between whole, half and quarter")), "{:?}", odds.assumed);
    assert!(!odds.assumed.iter().any(|note| note.contains("crew unit")), "{:?}", odds.assumed);
}

/// What a layer takes away is no more exact than what it changes.
#[test]
fn tables_attacks_and_options_that_a_layer_removes_are_named() {
    let ban = "[change.field.special.options.mass-driver]\nremove = true\n";
    for (change, note) in [
        ("[change.table.critical_hits]\nremove = true\n", "the table critical_hits: removed by house"),
        ("[change.attack.primaries]\nremove = true\n", "the attack primaries: removed by house"),
        (ban, "mass-driver"),
    ] {
        let text = odds_text(&odds(&house("sky-full-of-ships", change), CARRIER, "range=3"), false);
        let counted = text.split_once("not counted:").map_or("", |(_, rest)| rest);
        assert!(counted.contains(note) && !text.contains("Exact"), "{change}{text}");
    }
    let moves = "[change.table.movement]\nremove = true\n";
    let text = odds_text(&odds(&house("sky-full-of-ships", moves), CARRIER, "range=3"), false);
    assert!(text.contains("Exact"), "it has no bearing on fire: {text}");
}

#[test]
fn strengths_begin_with_the_first_box_however_many_there_are() {
    let of = |change: &str| {
        let text = odds_text(&odds(&house("sky-full-of-ships", change), CARRIER, "range=5"), false);
        text.lines().filter(|line| line.contains(": strength ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = of("[change.table.attack]\nlabel = \"Attacks\"\n");
    assert!(plain.iter().any(|line| line.contains("primaries: strength 8")), "{plain:?}");
    for boxes in ["mass - 1", "mass + 2"] {
        assert_eq!(of(&format!("[change.track.weapons]\nboxes = \"{boxes}\"\n")), plain, "{boxes}");
    }
}

/// However the same rule is written in the table.
#[test]
fn the_section_that_is_hit_is_read_whole() {
    let of = |change: &str| {
        let rules = house("star-navy", &format!("[change.table.section_hit]\n{change}"));
        figures(&odds_on(&rules, [&sample("star-navy/pittsburgh"), &sample("star-navy/cincinnati")], "range=5"))
    };
    assert_eq!(
        of("rows.2.roll = \"2–4\"\nrows.3.roll = \"5+\"\n"),
        of("rows.2.roll = \"2–4\"\nrows.3.roll = \"5–6\"\n")
    );
    assert_eq!(
        of("rows.2.roll = \"2–4\"\nadd.rows = [[\"\", \"5\", \"left of it\"]]\n"),
        of("rows.1.roll = \"1, 5\"\nrows.2.roll = \"2–4\"\n")
    );
    assert_eq!(of("rows.3.section = \"that one\"\n"), of("rows.2.roll = \"2–6\"\nrows.3.remove = true\n"));
}

#[test]
fn two_ships_that_do_the_same_are_even_and_boxes_that_put_nobody_out_count() {
    let varnic = sample("b5-house-rules/varnic");
    let (rules, findings) = Ruleset::load_layers(&chain("b5-house-rules"));
    assert!(findings.is_empty());
    let text = odds_text(&odds(&Arc::new(rules.unwrap()), &varnic, "range=3"), false);
    assert!(text.contains(" are even at range 3 hexes: each takes ") && !text.contains("stronger"), "{text}");
    let (rules, _) = Ruleset::load_layers(&chain("star-navy"));
    let rules = Arc::new(rules.unwrap());
    let [pittsburgh, cincinnati] = ["pittsburgh", "cincinnati"].map(|name| sample(&format!("star-navy/{name}")));
    let text = odds_text(&odds_on(&rules, [&cincinnati, &pittsburgh], "range=5"), false);
    assert!(text.contains("takes no integrity from it") && !text.contains("does nothing"), "{text}");
    let text = odds_text(&odds(&rules, &sample("star-navy/milwaukee"), "range=5"), false);
    assert!(text.contains("Neither takes integrity from the other at range 5 hexes."), "{text}");
}
