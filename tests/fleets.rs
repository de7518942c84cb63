//! Fleets from file to units: the samples, what a fleet does to its ships, what is told of broken ones.

mod again;
mod broken;
mod many;
mod marks;
mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use moldloft::design::fleet::Fleet;
use moldloft::formula::Value;
use moldloft::library::{ClassSource, EvaluatedFleet, Fingerprint, FleetUnit, Rulesets, check_fleet, evaluate_fleet};
use moldloft::source::Source;
use moldloft::store::{AssetKind, FileRef, Store};

/// A built-in fleet.
fn sample(games: &Rulesets, name: &str) -> EvaluatedFleet {
    let source = moldloft::store::built_in_source(name).unwrap();
    check_fleet(games, &source, &FileRef::built_in(name)).unwrap()
}

/// A fleet of this text, as if it lay among the built-in designs.
fn of_text(games: &Rulesets, text: &str) -> EvaluatedFleet {
    let fleet = Fleet::read(&Source::new("x.toml", text)).unwrap();
    evaluate_fleet(games, fleet, &FileRef::built_in("designs/wars-of-honor/x.toml"), None)
}

fn said(fleet: &EvaluatedFleet) -> Vec<String> {
    fleet.all_findings().map(|finding| format!("{} {}", finding.code, finding.message)).collect()
}

fn value(unit: &FleetUnit, id: &str) -> Value {
    unit.evaluation.values.iter().find(|value| &*value.id == id).unwrap().value.clone()
}

/// Every built-in fleet by its game.
fn samples(games: &Rulesets) -> BTreeMap<String, Vec<EvaluatedFleet>> {
    let mut all: BTreeMap<String, Vec<EvaluatedFleet>> = BTreeMap::new();
    for listed in games.store().list_assets(AssetKind::Fleet) {
        let game = listed.id.split('/').next().unwrap().to_owned();
        all.entry(game).or_default().push(sample(games, &listed.file.path.to_string_lossy()));
    }
    all
}

#[test]
fn every_game_has_two_fleets_that_balance_within_two_percent() {
    let games = Rulesets::without_settings(&Store::built_in());
    let all = samples(&games);
    let played: BTreeSet<String> = games
        .store()
        .list_assets(AssetKind::Design)
        .iter()
        .map(|one| one.id.split('/').next().unwrap().to_owned())
        .collect();
    assert!(all.keys().eq(&played), "{played:?}");
    for (game, fleets) in all {
        assert!(fleets.len() >= 2, "{game}");
        for fleet in &fleets {
            assert!(fleet.legal && fleet.skipped.is_empty(), "{game}: {} {:#?}", fleet.name(), said(fleet));
            assert!(fleet.fleet.budget.is_some() && fleet.fleet.side.is_some(), "{game}: {}", fleet.name());
        }
        let points: Vec<i64> = fleets.iter().map(|fleet| fleet.points.unwrap()).collect();
        let (least, most) = (points.iter().min().unwrap(), points.iter().max().unwrap());
        assert!((most - least) * 100 <= most * 2, "{game}: {points:?}");
    }
}

#[test]
fn the_samples_tow_group_load_embed_and_are_damaged() {
    let games = Rulesets::without_settings(&Store::built_in());
    let all: Vec<EvaluatedFleet> = samples(&games).into_values().flatten().collect();
    let any = |is: &dyn Fn(&FleetUnit) -> bool| all.iter().flat_map(|fleet| &fleet.units).any(is);
    assert!(any(&|unit| unit.carrier.is_some()));
    assert!(any(&|unit| unit.evaluation.ship.group.is_some()));
    assert!(any(&|unit| !unit.evaluation.ship.load.is_empty()));
    assert!(any(&|unit| matches!(unit.class.source, ClassSource::Embedded(_))));
    assert!(any(&|unit| !unit.evaluation.ship.damage.is_empty()));
    assert!(any(&|unit| unit.copy > 1));
}

#[test]
fn a_sample_fleet_gives_its_units_in_roster_order() {
    let games = Rulesets::without_settings(&Store::built_in());
    let fleet = sample(&games, "designs/wars-of-honor/fleets/convoy-escort.toml");
    let keys: Vec<&str> = fleet.units.iter().map(|unit| &*unit.evaluation.ship.unit).collect();
    assert_eq!(keys, ["ca-301", "ca-301-quiver", "dd-118", "lac-207", "lac-208"]);
    assert_eq!(fleet.points, Some(1732 + 160 + 442 + 2 * 167));
    let pod = &fleet.units[1];
    assert_eq!((pod.carrier, pod.evaluation.ship.owner.as_deref()), (Some(0), Some("CA-301")));
    let lac = &fleet.units[4].evaluation.ship;
    assert_eq!((lac.name.as_deref(), lac.hull_number.as_deref()), (Some("Swordsman 2"), Some("LAC-208")));
}

#[test]
fn a_tow_leaves_alpha_thrust_and_a_group_is_counted() {
    let games = Rulesets::without_settings(&Store::built_in());
    let text = |tow: &str| format!("ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'Vigilant'\n{tow}");
    let alone = of_text(&games, &text(""));
    let towing = of_text(&games, &text("tow = [{ design = 'Quiver' }]\n"));
    let plain = of_text(&games, &text("tow = 1\n"));
    let alpha = value(&alone.units[0], "alpha");
    let thrust = |fleet: &EvaluatedFleet| value(&fleet.units[0], "thrust");
    assert_ne!(thrust(&alone), alpha);
    assert_eq!((thrust(&towing), thrust(&plain)), (alpha.clone(), alpha));
    assert!(towing.legal && plain.legal && plain.units.len() == 1, "{:?}", said(&plain));
    // Alpha nodes never slow her, and in tow they are all that pushes; cast off, she has her own thrust again.
    let slow = |fleet: &EvaluatedFleet| value(&fleet.units[0], "thrust_slow");
    assert_eq!((slow(&alone), slow(&towing)), (Value::Int(8), Value::Int(0)));
    assert_eq!(value(&towing.units[0], "thrust_free"), thrust(&alone));
}

#[test]
fn a_load_is_checked_as_if_it_stood_in_the_design() {
    let games = Rulesets::without_settings(&Store::built_in());
    let text = |heads: i64| {
        format!(
            "ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'Quiver'\nload = [{{ system = 'box-launcher', laser_heads = {heads}, nuclear = 0 }}]\n"
        )
    };
    let full = of_text(&games, &text(10));
    assert!(full.legal, "{:?}", said(&full));
    let heads = |fleet: &EvaluatedFleet| -> u32 {
        fleet.units[0].evaluation.counters.iter().map(|counter| counter.count).sum()
    };
    assert_eq!((heads(&full), heads(&of_text(&games, &text(3)))), (10, 3));
    let over = of_text(&games, &text(11));
    assert_eq!(over.units[0].evaluation.findings[0].code, "load-over-capacity");
    assert!(!over.legal);
}

#[test]
fn numbers_of_counters_run_on_through_a_fleet() {
    let games = Rulesets::without_settings(&Store::built_in());
    let fleet = of_text(&games, "ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'Quiver'\ncount = 2\n");
    let mut next = None;
    for counter in
        fleet.units.iter().flat_map(|unit| &unit.evaluation.counters).filter(|counter| counter.first.is_some())
    {
        assert!(next.is_none_or(|next| counter.first == Some(next)), "{counter:?}");
        next = counter.first.map(|first| first + counter.count);
    }
    assert!(next.is_some());
}

#[test]
fn keys_do_not_change_when_ships_change_places() {
    let games = Rulesets::without_settings(&Store::built_in());
    let ships = [
        "design = 'Petrel'\nname = 'X'\n",
        "design = 'Vigilant'\nhull_number = 'X'\n",
        "design = 'Quiver'\n",
        "design = 'Petrel'\n",
    ];
    let keys = |order: [usize; 4]| {
        let text: String = order.iter().map(|&n| format!("[[ship]]\n{}", ships[n])).collect();
        let fleet = of_text(&games, &format!("ruleset = 'wars-of-honor'\n{text}"));
        let mut keys: Vec<(usize, String)> =
            order.iter().zip(&fleet.units).map(|(n, unit)| (*n, unit.evaluation.ship.unit.to_string())).collect();
        keys.sort();
        keys
    };
    assert_eq!(keys([0, 1, 2, 3]), keys([3, 2, 1, 0]));
    assert_eq!(keys([0, 1, 2, 3]), keys([2, 0, 3, 1]));
}

#[test]
fn classes_are_found_by_path_and_by_name_in_a_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let quiver = moldloft::store::built_in_source("designs/wars-of-honor/quiver.toml").unwrap().text.to_string();
    write("designs/wars-of-honor/basket.toml", &quiver.replace("Quiver", "Basket"));
    write("mine/hamper.toml", &quiver.replace("Quiver", "Hämper"));
    write("outside.toml", &quiver);
    let fleet = "ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'basket'\n[[ship]]\ndesign = 'hamper.toml'\n[[ship]]\ndesign = 'HÄMPER'\n\
                 [[ship]]\ndesign = '../designs/wars-of-honor/quiver.toml'\n[[ship]]\ndesign = 'Quiver'\n";
    write("mine/fleet.toml", fleet);
    let store = Store::open(Some(folder.path())).unwrap();
    let games = Rulesets::without_settings(&store);
    let at = |path: &Path| FileRef::on_disk(path);
    let path = folder.path().join("mine/fleet.toml");
    let read = moldloft::store::read(&path).unwrap();
    let evaluated = check_fleet(&games, &read, &at(&path)).unwrap();
    let names: Vec<&str> = evaluated.units.iter().map(|unit| &*unit.evaluation.name).collect();
    assert_eq!(names, ["Basket", "Hämper", "Hämper", "Quiver", "Quiver"], "{:?}", said(&evaluated));
    assert_eq!(
        evaluated.units[3].class.source,
        ClassSource::File(FileRef::built_in("designs/wars-of-honor/quiver.toml"))
    );
    // A path with a slip in it is answered with the one that is there.
    let wrong = [
        "../designs/wars-of-honor/baskte.toml",
        "../desings/wars-of-honor/basket.toml",
        "hampre.toml",
        "../hampre.toml",
    ];
    let ships: String = wrong.iter().map(|path| format!("[[ship]]\ndesign = '{path}'\n")).collect();
    write("mine/wrong.toml", &format!("ruleset = 'wars-of-honor'\n{ships}"));
    let path = folder.path().join("mine/wrong.toml");
    let evaluated = check_fleet(&games, &moldloft::store::read(&path).unwrap(), &at(&path)).unwrap();
    let helps: Vec<&str> = evaluated.skipped.iter().filter_map(|one| one.findings[0].help.as_deref()).collect();
    assert_eq!(helps[0], "did you mean `../designs/wars-of-honor/basket.toml`?");
    assert_eq!(helps[1], "did you mean `../designs/wars-of-honor/basket.toml`?");
    assert_eq!(helps[2], "did you mean `hamper.toml`?");
    assert!(helps[3].starts_with("use a path relative to"), "{helps:?}");
    // Without a workspace around it, a fleet reaches its folder's neighbours and no further.
    let deep = tempfile::tempdir().unwrap();
    let deep_file = |name: &str| deep.path().join(name);
    std::fs::create_dir_all(deep_file("a/b")).unwrap();
    std::fs::write(deep_file("a/near.toml"), &quiver).unwrap();
    std::fs::write(deep_file("far.toml"), &quiver).unwrap();
    let text = "ruleset = 'wars-of-honor'\n[[ship]]\ndesign = '../near.toml'\n[[ship]]\ndesign = '../../far.toml'\n";
    let path = deep_file("a/b/fleet.toml");
    std::fs::write(&path, text).unwrap();
    let evaluated = check_fleet(&games, &moldloft::store::read(&path).unwrap(), &at(&path)).unwrap();
    assert_eq!((evaluated.units.len(), evaluated.skipped.len()), (1, 1), "{:?}", said(&evaluated));
    assert_eq!(evaluated.skipped[0].findings[0].code, "outside-workspace");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(deep_file("far.toml"), deep_file("a/b/link.toml")).unwrap();
        std::fs::write(&path, "ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'link.toml'\n").unwrap();
        let evaluated = check_fleet(&games, &moldloft::store::read(&path).unwrap(), &at(&path)).unwrap();
        assert_eq!(evaluated.skipped[0].findings[0].code, "outside-workspace");
    }
}

/// A player's class in a folder of folders goes before the built-in one, with a warning; one that a bundle put apart does not.
#[test]
fn a_class_in_a_folder_within_a_folder_of_designs_is_found() {
    let tern = moldloft::store::built_in_source("designs/sky-full-of-ships/tern.toml").unwrap().text.to_string();
    let own = tern.replace("secondary = 3", "secondary = 2");
    assert!(own != tern);
    for (place, is_found) in
        [("x", true), ("sky-full-of-ships/x", true), ("x/shared", false), ("sky-full-of-ships/shared-2", false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let designs = folder.path().join("designs").join(place);
        std::fs::create_dir_all(&designs).unwrap();
        std::fs::write(designs.join("tern.toml"), &own).unwrap();
        let path = folder.path().join("f.toml");
        std::fs::write(&path, "ruleset = 'sky-full-of-ships'\n[[ship]]\ndesign = 'Tern'\n").unwrap();
        let games = Rulesets::without_settings(&Store::open(Some(folder.path())).unwrap());
        let source = moldloft::store::read(&path).unwrap();
        let fleet = check_fleet(&games, &source, &FileRef::on_disk(&path)).unwrap();
        let ClassSource::File(file) = &fleet.units[0].class.source else { panic!("{place}") };
        assert_eq!(!file.built_in, is_found, "{place}");
        assert_eq!(said(&fleet).iter().any(|said| said.contains("two designs are called Tern")), is_found, "{place}");
    }
}

#[test]
fn other_rules_judge_a_fleet_when_asked() {
    let games = Rulesets::without_settings(&Store::built_in());
    let source = Source::new("x.toml", "ruleset = 'nowhere'\n[[ship]]\ndesign = 'Quiver'\n");
    let lies = FileRef::built_in("designs/x.toml");
    let missing = check_fleet(&games, &source, &lies).unwrap();
    assert!(missing.units.is_empty() && !missing.legal);
    let asked = evaluate_fleet(&games, Fleet::read(&source).unwrap(), &lies, Some("wars-of-honor"));
    assert_eq!(asked.units.len(), 1, "{:?}", said(&asked));
}

#[test]
fn a_short_code_stands_for_own_systems_too() {
    let games = Rulesets::without_settings(&Store::built_in());
    let fleet = |points: u32, mass: u32| {
        of_text(
            &games,
            &format!(
                "ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"Doom\"\n[[design]]\nname = \"Doom\"\n\
                 [[design.system]]\nid = \"doom\"\nlike = \"laser\"\nmass = {mass}\npoints = {points}\n\
                 [[design.fit]]\nsystem = \"doom\"\nmount = \"forward\"\ncount = 3\n"
            ),
        )
    };
    let code = |points, mass| Fingerprint::of_fleet(&fleet(points, mass)).unwrap().to_string();
    assert_eq!(code(5, 1), code(5, 1));
    assert!(code(5, 1) != code(6, 1) && code(5, 1) != code(5, 2));
    // Whoever is handed the list or the summary reads it too.
    let shared = moldloft::exchange::list::write_list(&fleet(5, 1), Default::default()).0;
    assert!(
        shared.contains("With own systems, class Doom: own systems (house): doom ×3 (like laser, 1 mass, 5 points)"),
        "{shared}"
    );
}
