//! Random Wars of Honor designs against a small calculator written from the rules alone: it shares nothing with the ruleset file
//! or the formula language.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, report_json};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;
use proptest::prelude::*;

/// Id, mass of one, points of one (of nodes: a base, and as much again for each structure block).
const SYSTEMS: [(&str, i64, i64); 14] = [
    ("alpha-node", 2, 2),
    ("beta-node", 1, 1),
    ("cnc", 1, 10),
    ("laser-cluster", 1, 6),
    ("ew-drone", 1, 8),
    ("missile-launcher", 1, 15),
    ("missile-magazine", 0, 0),
    ("box-launcher", 1, 16),
    ("counter-missile-launcher", 1, 4),
    ("laser", 1, 10),
    ("graser", 2, 15),
    ("grav-lance", 6, 5),
    ("energy-torpedo", 4, 5),
    ("cargo-hold", 10, 10),
];
const MOUNTS: [&str; 9] =
    ["forward-ring", "after-ring", "core", "all-round", "forward", "aft", "port", "starboard", "pod"];
/// Id, discount, per cent of structure.
const NATIONS: [(&str, i64, i64); 6] = [
    ("manticore", 0, 30),
    ("manticore-q-ship", 16, 20),
    ("haven", 6, 30),
    ("silesian-confederacy", 10, 30),
    ("silesian-pirates", 35, 20),
    ("anderman", 2, 30),
];
const UNITS: [&str; 3] = ["starship", "lac", "pod"];

#[derive(Clone, Debug)]
struct Fit {
    system: usize,
    mount: usize,
    count: i64,
    feeds: i64,
    laser_heads: i64,
    nuclear: i64,
}

#[derive(Clone, Debug)]
struct Drawn {
    nation: usize,
    unit: usize,
    fits: Vec<Fit>,
}

fn toml(drawn: &Drawn) -> String {
    let mut text = format!(
        "ruleset = \"wars-of-honor\"\nname = \"Drawn\"\n[fields]\nnation = \"{}\"\nunit = \"{}\"\n",
        NATIONS[drawn.nation].0, UNITS[drawn.unit]
    );
    for fit in &drawn.fits {
        let _ = write!(
            text,
            "[[fit]]\nsystem = \"{}\"\nmount = \"{}\"\ncount = {}\n",
            SYSTEMS[fit.system].0, MOUNTS[fit.mount], fit.count
        );
        if fit.system == 6 {
            let _ = writeln!(text, "feeds = {}", fit.feeds);
        }
        if fit.system == 6 || fit.system == 7 {
            let _ = write!(text, "laser_heads = {}\nnuclear = {}\n", fit.laser_heads, fit.nuclear);
        }
    }
    text
}

fn may_stand(system: usize, mount: usize) -> bool {
    match system {
        0 | 1 => mount < 2,
        2 | 4 | 6 | 13 => mount == 2,
        3 => mount == 3,
        7 => (4..9).contains(&mount),
        _ => (4..8).contains(&mount),
    }
}

fn weapon(system: usize) -> bool {
    matches!(system, 5 | 7..=12)
}

#[derive(Debug, PartialEq)]
struct Figures {
    mass: i64,
    structure: i64,
    rows: Vec<i64>,
    half_mark: i64,
    repair: i64,
    sidewall: i64,
    thrust: [i64; 3],
    missiles: i64,
    points_full: i64,
    points: i64,
    codes: BTreeSet<&'static str>,
    legal: bool,
}

fn figures(drawn: &Drawn) -> Figures {
    let (lac, pod) = (drawn.unit == 1, drawn.unit == 2);
    let (_, discount, percent) = NATIONS[drawn.nation];
    let of = |system: usize| drawn.fits.iter().filter(|fit| fit.system == system).map(|fit| fit.count).sum::<i64>();
    let mass: i64 = drawn
        .fits
        .iter()
        .map(|fit| fit.count * if fit.system == 6 { 3 * fit.feeds } else { SYSTEMS[fit.system].1 })
        .sum();
    let structure = mass * if pod { 30 } else { percent } / 100;
    let (row, rest) = (structure / 5, structure % 5);
    let rows: Vec<i64> = [row + rest, row, row, row, row].into_iter().filter(|boxes| *boxes > 0).collect();
    let (alpha, beta) = (of(0), of(1));
    let thrust = if alpha == 0 && beta == 1 { 1 } else { alpha + beta / 2 };
    let points_of = |fit: &Fit| match fit.system {
        0 => 2 + 2 * structure,
        1 => 1 + structure,
        6 => 3 * fit.feeds,
        n => SYSTEMS[n].2,
    };
    let points_full: i64 = drawn.fits.iter().map(|fit| fit.count * points_of(fit)).sum();
    // A magazine's load is of each of its count, a box launcher's of the whole fit.
    let load = |fit: &Fit| (fit.laser_heads + fit.nuclear) * if fit.system == 6 { fit.count } else { 1 };
    let room = |fit: &Fit| fit.count * if fit.system == 6 { 5 * fit.feeds } else { 1 };
    let stores = || drawn.fits.iter().filter(|fit| fit.system == 6 || fit.system == 7);
    let fed: i64 = drawn.fits.iter().filter(|fit| fit.system == 6).map(|fit| fit.count * fit.feeds).sum();
    let in_ring = |ring: usize| drawn.fits.iter().any(|fit| fit.system == 0 && fit.mount == ring);
    let weapons: i64 = drawn.fits.iter().filter(|fit| weapon(fit.system)).map(|fit| fit.count).sum();
    let forward: i64 = drawn.fits.iter().filter(|fit| weapon(fit.system) && fit.mount == 4).map(|fit| fit.count).sum();
    let any = |test: &dyn Fn(&Fit) -> bool| drawn.fits.iter().any(test);
    let faults = [
        ("no-structure", structure < 1, true),
        ("launcher-without-magazine", fed < of(5), true),
        ("magazine-without-launcher", fed > of(5), true),
        ("load-over-capacity", stores().any(|fit| load(fit) > room(fit)), true),
        ("load-below-capacity", stores().any(|fit| load(fit) < room(fit)), false),
        ("starship-without-cnc", !pod && of(2) == 0, false),
        ("alpha-nodes-in-one-ring", drawn.unit == 0 && alpha > 0 && !(in_ring(0) && in_ring(1)), false),
        ("no-alpha-nodes", drawn.unit == 0 && alpha == 0, false),
        ("no-nodes", !pod && alpha + beta == 0, true),
        ("lac-forbidden-system", lac && any(&|fit| matches!(fit.system, 0 | 4 | 5 | 6)), true),
        ("lac-broadside-weapon", lac && any(&|fit| weapon(fit.system) && matches!(fit.mount, 6 | 7)), true),
        ("lac-box-launcher-not-forward", lac && any(&|fit| fit.system == 7 && fit.mount != 4), true),
        ("lac-weapons-not-forward", lac && weapons > 0 && 2 * (weapons - forward) >= weapons, true),
        ("lac-too-many-counter-missile-launchers", lac && of(8) > 1, true),
        ("lac-too-many-laser-clusters", lac && of(3) > 1, true),
        ("lac-unusual-beams", lac && (of(10) > 1 || (of(10) > 0 && of(9) > 0)), false),
        ("pod-forbidden-system", pod && any(&|fit| fit.system != 7), true),
        ("rare-weapon", of(11) + of(12) > 0, false),
        ("energy-torpedo-without-grav-lance", of(12) > 0 && of(11) == 0, false),
        ("mount-not-allowed", any(&|fit| !may_stand(fit.system, fit.mount)), true),
        ("mirror-mounts-differ", mirrors_differ(drawn), false),
    ];
    Figures {
        mass,
        structure,
        half_mark: (structure + 1) / 2,
        repair: structure / 20,
        sidewall: if pod { 0 } else { row + rest },
        rows,
        thrust: [thrust, alpha, beta / 2],
        missiles: stores().map(load).sum(),
        points_full,
        points: points_full * (100 - discount) / 100,
        legal: !faults.iter().any(|(_, found, error)| *found && *error),
        codes: faults.into_iter().filter(|(_, found, _)| *found).map(|(code, _, _)| code).collect(),
    }
}

fn mirrors_differ(drawn: &Drawn) -> bool {
    let count = |system: usize, mount: usize| {
        drawn.fits.iter().filter(|fit| fit.system == system && fit.mount == mount).map(|fit| fit.count).sum::<i64>()
    };
    [(0, 1), (6, 7)]
        .into_iter()
        .any(|(one, other)| (0..SYSTEMS.len()).any(|system| count(system, one) != count(system, other)))
}

fn found(ship: &Evaluation) -> Figures {
    let json = report_json(ship);
    let value = |id: &str| json["values"][id].as_i64().unwrap();
    let rows = |id: &str| -> Vec<i64> {
        json["tracks"][id]["rows"]
            .as_array()
            .map(|rows| rows.iter().map(|row| row.as_i64().unwrap()).collect())
            .unwrap_or_default()
    };
    assert_eq!(rows("sidewall_port"), rows("sidewall_starboard"));
    assert_eq!(rows("sidewall_port").iter().sum::<i64>(), value("sidewall"));
    let total: i64 = json["costs"].as_array().unwrap().iter().map(|line| line["total"].as_i64().unwrap()).sum();
    assert_eq!(Some(total), json["points"].as_i64(), "the lines add up");
    assert_eq!(json["points"], json["values"]["points"]);
    Figures {
        mass: value("mass"),
        structure: value("structure"),
        rows: rows("structure"),
        half_mark: value("half_mark"),
        repair: value("repair"),
        sidewall: value("sidewall"),
        thrust: [value("thrust"), value("thrust_wave"), value("thrust_slow")],
        missiles: value("missiles"),
        points_full: value("points_full"),
        points: value("points"),
        codes: ship
            .findings
            .iter()
            .map(|finding| CODES.iter().find(|code| finding.code == **code).copied().unwrap_or("unforeseen"))
            .collect(),
        legal: json["legal"].as_bool().unwrap(),
    }
}

const CODES: [&str; 21] = [
    "no-structure",
    "launcher-without-magazine",
    "magazine-without-launcher",
    "load-over-capacity",
    "load-below-capacity",
    "starship-without-cnc",
    "alpha-nodes-in-one-ring",
    "no-alpha-nodes",
    "no-nodes",
    "lac-forbidden-system",
    "lac-broadside-weapon",
    "lac-box-launcher-not-forward",
    "lac-weapons-not-forward",
    "lac-too-many-counter-missile-launchers",
    "lac-too-many-laser-clusters",
    "lac-unusual-beams",
    "pod-forbidden-system",
    "rare-weapon",
    "energy-torpedo-without-grav-lance",
    "mount-not-allowed",
    "mirror-mounts-differ",
];

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/wars-of-honor.toml");
        let text = std::fs::read_to_string(path).unwrap();
        Arc::new(Ruleset::load(&Source::new("rulesets/wars-of-honor.toml", &text)).0.unwrap())
    })
}

fn fit() -> impl Strategy<Value = Fit> {
    let mount = (0..14usize).prop_flat_map(|system| {
        let good: Vec<usize> = (0..MOUNTS.len()).filter(|mount| may_stand(system, *mount)).collect();
        (Just(system), prop_oneof![9 => prop::sample::select(good), 1 => 0..MOUNTS.len()])
    });
    let load = (0..12i64, prop_oneof![3 => Just(0i64), 1 => 1..8i64], prop_oneof![3 => Just(5i64), 1 => 0..9i64]);
    (mount, 1..16i64, 1..9i64, load).prop_map(|((system, mount), count, feeds, (spare, nuclear, each))| Fit {
        system,
        mount,
        count: if system == 6 { 1 + count / 8 } else { count },
        feeds,
        laser_heads: if system == 6 { (each * feeds - nuclear).max(0) } else { spare.min(count) },
        nuclear,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_designs_agree_with_a_calculator_made_from_the_rules(
        nation in 0..6usize,
        unit in prop_oneof![5 => Just(0usize), 2 => Just(1), 1 => Just(2)],
        fits in prop::collection::vec(fit(), 0..16),
    ) {
        let drawn = Drawn { nation, unit, fits };
        let source = Source::new("drawn.toml", &toml(&drawn));
        let ship = evaluate(rules(), &Design::read(&source).unwrap(), &Ship::default());
        prop_assert_eq!(found(&ship), figures(&drawn), "{}", source.text);
    }

    /// Whatever stands in a design, evaluating it ends, and what it says of boxes and counters is bounded.
    #[test]
    fn any_numbers_end_in_findings(
        numbers in prop::collection::vec(prop_oneof![Just(i64::MAX), Just(i64::MIN), Just(1_000_000_000_000_000), any::<i64>(), -10..10_000i64], 4),
    ) {
        let [count, feeds, heads, nuclear] = numbers[..] else { unreachable!() };
        let text = format!(
            "ruleset = \"wars-of-honor\"\nname = \"x\"\n[[fit]]\nsystem = \"cargo-hold\"\nmount = \"core\"\ncount = {count}\n\
             [[fit]]\nsystem = \"missile-magazine\"\nmount = \"core\"\nfeeds = {feeds}\nlaser_heads = {heads}\nnuclear = {nuclear}\n"
        );
        let ship = evaluate(rules(), &Design::read(&Source::new("x.toml", &text)).unwrap(), &Ship::default());
        let boxes: u64 = ship.tracks.iter().map(|track| u64::from(track.boxes())).sum();
        prop_assert!(boxes <= 100_000);
        prop_assert!(ship.counters.iter().all(|counter| counter.count <= 100_000));
        prop_assert!(report_json(&ship).to_string().len() < 50_000_000);
    }
}
