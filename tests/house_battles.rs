//! Odds of ships: what is aboard, what own rows and own systems do, what turns change that follow one another; figures worked out by hand.

use moldloft::odds::{Odds, odds_text};

use crate::house_odds::{cruiser, house, lay, odds, odds_of_turns, odds_on, sample};

/// The probabilities that the target is out by each turn, in hundredths of a percent.
fn out_by(odds: &Odds) -> Vec<i64> {
    let out_by = &odds.turns.as_ref().unwrap().there.out_by;
    out_by.iter().map(|p| (p * 10_000.0).round() as i64).collect()
}

/// What is launched is aboard, and a shot of a one-shot tube is gone.
#[test]
fn no_more_missiles_are_launched_than_are_loaded() {
    let rules = house("wars-of-honor", "");
    let lac = sample("wars-of-honor/sparrowhawk");
    let ships = [&*lac, &*sample("wars-of-honor/vigilant")];
    let found = odds_of_turns(&rules, ships, "range=14 bearing=forward", 5);
    assert!(odds_text(&found, false).contains("4 launched"), "{}", odds_text(&found, false));
    let by_turn = out_by(&found);
    assert!(by_turn.iter().all(|p| *p == by_turn[0]), "{by_turn:?}");
    let nuclear = odds_text(&odds_on(&rules, ships, "range=14 bearing=forward warhead=nuclear"), false);
    assert!(nuclear.contains("2 launched"), "{nuclear}");
    // Fifty laser heads are ten salvoes of five.
    let vigilant = sample("wars-of-honor/vigilant");
    let dozen = |design: &str| {
        let found = odds_of_turns(&rules, [design, &sample("wars-of-honor/ardennes")], "range=30 aspect=forward", 12);
        out_by(&found)
    };
    let (all, none) = (dozen(&vigilant), dozen(&vigilant.replace("laser_heads = 50", "laser_heads = 0")));
    assert!(all[9] > all[8] && all[10] == all[9] && all[11] == all[9], "{all:?}");
    assert_eq!(none, [0; 12]);
}

/// An attack that reads a gauge which a layer removed is gone, and said to be.
#[test]
fn an_attack_that_goes_along_is_named() {
    let rules = house("b5-house-rules", "[change.gauge.hits]\nremove = true\n");
    let found = odds(&rules, &sample("b5-house-rules/varnic"), "range=5");
    let told = &found.findings[0];
    assert!(
        &*told.code == "no-odds" && told.message.contains("direct went along with what a layer removed"),
        "{told:?}"
    );
}

/// Without a command centre, no target for energy fire, and no launch.
#[test]
fn a_ship_without_a_command_centre_fires_nothing() {
    let rules = house("wars-of-honor", "");
    let blind = cruiser("haven").replace("system = \"cnc\"", "system = \"ew-drone\"");
    let text = odds_text(&odds(&rules, &blind, "range=5"), false);
    assert!(text.contains("graser, port: no attack of the rules fires it as it is"), "{text}");
    assert!(text.contains("missile launcher, port: no attack of the rules uses it"), "{text}");
    assert!(!text.contains("launched") && !text.contains("Exact"), "{text}");
}

/// A warhead of the club's own has a row in each of the two tables, and counts by them: of 2.43 missiles two dice each of four points on a half, less one
/// for the sidewall; it strikes from 9 MU, so that it reaches 3 MU farther.
#[test]
fn a_warhead_of_our_own_counts_by_its_rows() {
    let rows = "[change.situation.warhead]\nadd.options.emp-head = { label = \"EMP heads\" }\n[change.table.missiles]\nadd.rows = [[\"manticore\", \"emp-head\", 10, 4, 3, \"2D6\"], [\"haven\", \"emp-head\", 10, 3, 3, \"2D6\"]]\n";
    let row = "[change.table.damage]\nadd.rows = [[\"emp head\", [\"missile-launcher\"], \"9 MU\", \"as above\", \"1–3: 0 · 4–6: 4\"]]\n";
    let ships = ["vigilant", "ardennes"].map(|ship| sample(&format!("wars-of-honor/{ship}")));
    let ships = ships.each_ref().map(String::as_str);
    let (counted, ruled) = (house("wars-of-honor", &format!("{rows}{row}")), house("wars-of-honor", rows));
    let emp = odds_on(&counted, ships, "range=20 warhead=emp-head");
    let text = odds_text(&emp, false);
    assert!(text.contains("→ 2.43 past laser clusters → damage: sidewall 2.43, structure 9.24"), "{text}");
    assert!(odds_text(&odds_on(&counted, ships, "range=75 warhead=emp-head"), false).contains("5 launched"));
    // Without its row there is nothing to count.
    assert!(!odds_text(&odds_on(&ruled, ships, "range=20 warhead=emp-head"), false).contains("launched"));
}

/// Six phalanxes roll two dice each, of which one of 5 or 6 stops a missile: 4 in 9 get past. Those without a row count as what they are like.
#[test]
fn point_defence_of_our_own_counts_by_its_row() {
    let system =
        "[[system]]\nid = \"phalanx\"\nlike = \"laser-cluster\"\nabbr = \"F\"\nname = \"phalanx\"\npoints = 9\n";
    let row = "[change.table.damage]\nadd.rows = [[\"phalanx\", [\"phalanx\"], \"own ship\", \"2D6 once\", \"5–6 kills; one per missile\"]]\n";
    let vigilant = sample("wars-of-honor/vigilant");
    let past = |layer: &str, target: &str| {
        let text = odds_text(&odds_on(&house("wars-of-honor", layer), [&vigilant, target], "range=20"), false);
        let at = text.find(" past laser clusters").unwrap();
        text[..at].rsplit(' ').next().unwrap().to_owned()
    };
    let (plain, own) = (vigilant.clone(), vigilant.replace("laser-cluster", "phalanx"));
    let row = format!("{system}{row}");
    assert_eq!(past("", &plain), "3.19");
    assert_eq!(past(system, &own), "3.19");
    assert_eq!((past(&row, &plain), past(&row, &own)), ("3.19".to_owned(), "1.70".to_owned()));
    // One at each of five missiles, whichever fires: five phalanxes and a cluster stop as many.
    let both = own.replace(
        "system = \"phalanx\"\nmount = \"all-round\"\ncount = 6",
        "system = \"phalanx\"\nmount = \"all-round\"\ncount = 5\n[[fit]]\nsystem = \"laser-cluster\"\nmount = \"all-round\"",
    );
    assert_eq!(past(&row, &both), "1.70");
}

/// Eleven lasers and one engine: the answer says what the energy does not pay for.
#[test]
fn odds_say_what_the_energy_does_not_pay_for() {
    let chicago = sample("star-navy/chicago");
    let rules = house("star-navy", "");
    let told = |design: &str| {
        let odds = odds_on(&rules, [design, &chicago], "range=3 section=front");
        odds.not_counted.iter().any(|words| words.starts_with("energy: the weapons of the section take 11"))
    };
    let fit = |system: &str, mount: &str, count: u8| {
        format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n")
    };
    let ship = |engines: u8| {
        format!(
            "ruleset = \"star-navy\"\nname = \"Trial\"\n{}{}",
            fit("engine", "core", engines),
            fit("laser", "front", 11)
        )
    };
    assert!(told(&ship(1)) && !told(&ship(11)));
}

/// One grav lance and four energy torpedoes on twelve boxes of sidewall and sixty of structure, with the generator burnt out on 5 and 6: enumerated by hand.
#[test]
fn a_generator_that_is_burnt_out_is_not_repaired() {
    let lance = armed(&[("cnc", "core", ""), ("grav-lance", "port", ""), ("energy-torpedo", "port", "count = 4")]);
    let found = odds_of_turns(&house("wars-of-honor", ""), [&lance, &sample("wars-of-honor/ardennes")], "range=5", 6);
    assert_eq!(out_by(&found)[2..], [64, 1371, 3946, 5954]);
}

/// A ship of Manticore with these alone: system, mount, other keys.
fn armed(fits: &[(&str, &str, &str)]) -> String {
    let fits = fits
        .iter()
        .map(|(system, mount, rest)| format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\n{rest}\n"));
    let head = "ruleset = \"wars-of-honor\"\nname = \"Trial\"\n[fields]\nnation = \"manticore\"\n".to_owned();
    fits.fold(head, |ship, fit| ship + &fit)
}

/// A wall that is halved to nothing is burnt out like one that is struck by a 5 or 6.
#[test]
fn a_wall_that_halves_bring_down_is_burnt_out() {
    let lances = armed(&[("cnc", "core", ""), ("grav-lance", "port", "count = 2")]);
    let target = sample("wars-of-honor/ardennes");
    let rules = house("wars-of-honor", "");
    let found = odds_on(&rules, [&lances, &target], "range=5");
    let burnt = rules.attack_rules.gauges.iter().position(|gauge| &*gauge.id == "burnt").unwrap();
    let burnt = found.all.iter().find(|gauge| gauge.gauge == burnt).unwrap();
    // A 5 or 6 of either die, or two of 3 and 4: 20/36 + 4/36.
    assert!((burnt.mean() - 24.0 / 36.0).abs() < 1e-12, "{}", burnt.mean());
}

/// Missiles need a command centre, those of a pod that of its owner; a pod fires to all sides.
#[test]
fn missiles_are_launched_by_a_command_centre_and_from_pods_to_all_sides() {
    let rules = house("wars-of-honor", "");
    let launched = |own: &str, bearing: &str| {
        let target = sample("wars-of-honor/ardennes");
        let found = odds_on(&rules, [own, &target], &format!("range=10 bearing={bearing}"));
        let text = odds_text(&found, false);
        let (before, _) = text.split_once(" launched")?;
        before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse::<i64>().ok()
    };
    let pod = sample("wars-of-honor/quiver");
    assert!(["forward", "port", "starboard", "aft"].into_iter().all(|side| launched(&pod, side) == Some(8)));
    let tubes = ("box-launcher", "port", "count = 4\nlaser_heads = 4");
    assert_eq!(launched(&armed(&[("cnc", "core", ""), tubes]), "port"), Some(4));
    assert_eq!(launched(&armed(&[tubes]), "port"), None);
}

/// What runs out, burns on or is lost meanwhile is named where turns follow one another, and only there.
#[test]
fn odds_of_several_turns_say_what_they_leave_out_besides() {
    for (game, own, target, note) in [
        ("sky-full-of-ships", "swordfish", "tern", "what a critical hit does in later turns"),
        ("wars-of-honor", "vigilant", "ardennes", "counter-missiles that run out"),
        ("battleships-1890s", "saltholm", "hammerfest", "fire aboard"),
        ("star-navy", "milwaukee", "detroit", "weapons that are lost meanwhile"),
    ] {
        let rules = house(game, "");
        let ships = [own, target].map(|ship| sample(&format!("{game}/{ship}")));
        let told = |turns| {
            let odds = odds_of_turns(&rules, ships.each_ref().map(String::as_str), "range=5", turns);
            let is_told = odds.not_counted.iter().any(|words| words.contains(note));
            assert_eq!(odds.is_whole, !is_told, "{game}: {:?}", odds.not_counted);
            is_told
        };
        assert!(told(2) && !told(0), "{game}: {note}");
    }
}

/// A section fires in every other cycle of six turns, or in every cycle if the table of systems says so.
#[test]
fn sections_fire_as_often_as_the_table_of_systems_says() {
    let ships = ["milwaukee", "detroit"].map(|ship| sample(&format!("star-navy/{ship}")));
    let ships = ships.each_ref().map(String::as_str);
    let often = |layer: &str| out_by(&odds_of_turns(&house("star-navy", layer), ships, "range=3", 25));
    // Of three volleys, the third may be the last: in turns 1, 13 and 25, or 1, 7 and 13.
    let (plain, layer) =
        (often(""), "[change.table.systems_summary.rows.\"any weapon\"]\nfrequency = \"every cycle\"\n");
    assert!(plain[..24].iter().all(|p| *p == 0) && plain[24] > 0, "{plain:?}");
    let each_cycle = often(layer);
    assert!(each_cycle[..12].iter().all(|p| *p == 0) && each_cycle[12] == plain[24], "{each_cycle:?}");
}

/// What hangs on a banned field or on a banned row does not count; the rest does.
#[test]
fn a_ban_takes_its_own_shots_and_modifiers_alone() {
    let ship = "ruleset = \"sky-full-of-ships\"\nname = \"N\"\n[fields]\nmass = 5\nprimary_forward = 9\nengine = 4\nagile = true\n";
    let mean = |layer: &str| {
        let found = odds(&house("sky-full-of-ships", layer), ship, "range=5");
        assert!(found.findings.is_empty(), "{layer} {:?}", found.findings);
        found.headline_of(&found.all).unwrap().mean()
    };
    let steady = "[change.table.modifiers]\nrows.1.primary = \"–\"\n";
    assert!((mean("[change.table.modifiers]\nrows.1.remove = true\n") - mean(steady)).abs() < 1e-12);
    assert!(mean(steady) > mean(""));
    let (rules, told) = lay("sky-full-of-ships", "[change.field.special]\nremove = true\n");
    assert!(told.iter().all(|one| one.severity != moldloft::finding::Severity::Error), "{told:?}");
    let found = odds(&rules, ship, "range=5");
    assert!((found.headline_of(&found.all).unwrap().mean() - mean("")).abs() < 1e-12, "{:?}", found.findings);
}
