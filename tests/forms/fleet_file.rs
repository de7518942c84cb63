//! The commands around a form: a filled form is not overwritten, `damage` waits for others, states are not damage.

use std::collections::BTreeMap;
use std::process::Command;

use lopdf::Document;
use moldloft::store::Store;

use super::damage::{FLEET, damage_lines, run, tick};
use super::{fields, ships};

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_form_that_was_filled_in_is_not_printed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("first.toml"), FLEET).expect("written");
    for command in ["print", "pack"] {
        let print = |more: &[&str]| {
            run(folder.path(), &[&[command, "first.toml", "--form", "-o", "tablet.pdf"], more].concat())
        };
        assert_eq!(print(&["--force"]).0, 0);
        // As it was printed, with the damage of then, it is made anew as ever.
        assert_eq!(print(&[]).0, 0);
        tick(&at("tablet.pdf"), &at("tablet.pdf"), &[("first.hms-vigilant.structure_2", false)]);
        let filled = std::fs::read(at("tablet.pdf")).expect("read");
        for more in [&[][..], &["--grey"]] {
            let (status, _, wrong) = print(more);
            assert!(status == 2 && wrong.contains("form-filled-in") && wrong.contains("1 field"), "{wrong}");
        }
        let (status, ..) = run(folder.path(), &["print", "first.toml", "-o", "tablet.pdf"]);
        assert_eq!(status, 2);
        assert_eq!(std::fs::read(at("tablet.pdf")).expect("read"), filled);
        // One that cannot be read may be one.
        std::fs::write(at("tablet.pdf"), &filled[..filled.len() - 8]).expect("written");
        let (status, _, wrong) = print(&[]);
        assert!(status == 2 && wrong.contains("may be a filled form"), "{wrong}");
        assert_eq!(print(&["--force"]).0, 0);
    }
    // Plain prints are replaced as ever.
    for _ in 0..2 {
        assert_eq!(run(folder.path(), &["print", "first.toml", "-o", "plain.pdf"]).0, 0);
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn damage_waits_for_who_is_changing_the_fleet() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("first.toml"), FLEET).expect("written");
    assert_eq!(run(folder.path(), &["print", "first.toml", "--form", "-o", "form.pdf"]).0, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("first.hms-vigilant.structure_9", true)]);
    let lock = moldloft::store::Lock::for_file(&at("first.toml")).expect("free");
    let mut damage = Command::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["damage", "filled.pdf", "first.toml"])
        .current_dir(folder.path())
        .spawn()
        .expect("it runs");
    // It has all the time it would need, and does not end.
    for _ in 0..40 {
        assert!(damage.try_wait().expect("running").is_none(), "it did not wait");
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    let other = FLEET.replace("# ours", "# ours, and theirs");
    let hash = moldloft::store::ContentHash::of_bytes(FLEET.as_bytes());
    lock.save_over(&at("first.toml"), other.as_bytes(), Some(hash)).expect("written");
    drop(lock);
    assert!(damage.wait().expect("an end").success());
    let text = std::fs::read_to_string(at("first.toml")).expect("read");
    assert!(text.starts_with("# ours, and theirs\n") && text.contains("structure = \"1-3, 9\""), "{text}");
    // Several at once, each with a ship of its own: none is lost, and nothing is left beside the file.
    let boxes = [("hms-vigilant", "structure_9"), ("dd-12", "structure_1"), ("dd-13", "structure_2")];
    for (ship, name) in boxes {
        let text = format!(
            "<xfdf><fields><field name=\"first\"><field name=\"{ship}\"><field name=\"{name}\"><value>Yes</value></field></field></field></fields></xfdf>"
        );
        std::fs::write(at(&format!("{ship}.xfdf")), text).expect("written");
    }
    let names = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let before = names();
    for _ in 0..3 {
        std::fs::write(at("first.toml"), FLEET).expect("written");
        let all = boxes.map(|(ship, _)| {
            Command::new(env!("CARGO_BIN_EXE_moldloft"))
                .args(["damage", &format!("{ship}.xfdf"), "first.toml"])
                .current_dir(folder.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("it runs")
        });
        for mut one in all {
            assert!(one.wait().expect("an end").success());
        }
        assert_eq!(
            damage_lines(&at("first.toml")),
            ["structure = \"1-3, 9\" # at the yard", "structure = 1", "structure = \"2\""]
        );
    }
    assert_eq!(names(), before);
}

/// A fleet of one sample of each game, and all boxes of its form that are no damage: by the name of their track, and how many.
const TICKED: [(&str, &str, &[(&str, usize)]); 5] = [
    ("wars-of-honor", "Petrel", &[("sidewall_down", 4), ("thrust_left", 9), ("loaded", 6)]),
    (
        "star-navy",
        "Cincinnati",
        &[
            ("speed", 7),
            ("turn", 6),
            ("engine_energy", 0),
            ("status", 0),
            ("shields_active", 0),
            ("cannon_fired", 0),
            ("thrusters", 0),
        ],
    ),
    ("sky-full-of-ships", "Swordfish", &[]),
    ("battleships-1890s", "Saltholm", &[("status", 18), ("on_fire", 1)]),
    ("b5-house-rules", "Var'Nic", &[("charge", 0)]),
];

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn only_damage_and_what_is_used_up_is_set_from_a_form() {
    let store = Store::built_in();
    for (game, class, apart) in TICKED {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let fleet = format!("ruleset = \"{game}\"\nname = \"All\"\n[[ship]]\ndesign = \"{class}\"\nname = \"Ship\"\n");
        std::fs::write(at("all.toml"), fleet).expect("written");
        let (status, said, wrong) = run(folder.path(), &["print", "all.toml", "--form", "-o", "form.pdf"]);
        assert_eq!(status, 0, "{game}: {said}{wrong}");
        let document = Document::load(at("form.pdf")).expect("a PDF");
        let boxes: Vec<String> =
            fields(&document).into_iter().filter(|field| field.is_box).map(|field| field.name).collect();
        let all: Vec<(&str, bool)> = boxes.iter().map(|name| (&**name, true)).collect();
        tick(&at("form.pdf"), &at("filled.pdf"), &all);
        let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "all.toml"]);
        assert_eq!(status, 0, "{game}: {said}{wrong}");

        // What is written is what the rules call damage or ammunition, every box of it, and nothing else.
        let ships = ships(&store, game);
        let ship = ships.iter().find(|ship| *ship.name == *class).expect("a sample");
        let written: toml::Table = std::fs::read_to_string(at("all.toml")).expect("read").parse().expect("TOML");
        let damage = written["ship"][0]["damage"].as_table().expect("damage");
        let kinds = moldloft::evaluate::tick_marks(ship);
        let wanted: BTreeMap<&str, i64> = kinds
            .iter()
            .filter(|(_, boxes)| boxes.kind.is_lasting())
            .map(|(stem, boxes)| (&**stem, i64::from(boxes.count)))
            .collect();
        let found: BTreeMap<&str, i64> =
            damage.iter().map(|(stem, boxes)| (stem.as_str(), boxes.as_integer().expect("a number"))).collect();
        assert_eq!(found, wanted, "{game}");
        for (track, many) in apart {
            let is_of =
                |stem: &str| stem == *track || stem.strip_prefix(track).is_some_and(|rest| rest.starts_with('_'));
            assert!(!found.keys().any(|stem| is_of(stem)), "{game}: {track} is no damage: {found:?}");
            let ticked = boxes
                .iter()
                .filter_map(|name| name.rsplit_once('.')?.1.rsplit_once('_'))
                .filter(|(stem, _)| is_of(stem));
            let ticked = ticked.count();
            assert!(ticked > 0 && (*many == 0 || ticked == *many), "{game}: {track} has {ticked} boxes on the form");
        }
        let left_out: u32 = kinds.values().filter(|boxes| !boxes.kind.is_lasting()).map(|boxes| boxes.count).sum();
        match left_out {
            0 => assert!(!wrong.contains("skipped"), "{game}: {wrong}"),
            many => assert!(wrong.contains(&format!("skipped {many} boxes that are ")), "{game}: {wrong}"),
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_state_in_an_old_fleet_is_reported_and_kept_but_never_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let fleet = "ruleset = \"star-navy\"\nname = \"Old\"\n[[ship]]\ndesign = \"Chicago\"\nname = \"Chicago\"\n[ship.damage]\nspeed = \"4\"\nhull_front = 2\n";
    std::fs::write(at("old.toml"), fleet).expect("written");
    let (status, said, _) = run(folder.path(), &["check", "old.toml"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("warning[not-damage]: `speed` is a state, not damage; skipped"), "{said}");
    let (status, ..) = run(folder.path(), &["print", "old.toml", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0);
    let (_, said, _) = run(folder.path(), &["damage", "form.pdf"]);
    assert!(said.contains("hull front: 1–2") && !said.contains("speed"), "{said}");
    for file in ["roster.csv", "roster.json"] {
        assert_eq!(run(folder.path(), &["pack", "old.toml", "-o", file]).0, 0);
        let roster = std::fs::read_to_string(at(file)).expect("read");
        assert!(!roster.contains("speed") && roster.contains("hull"), "{roster}");
    }
    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[("old.chicago.speed_2", true), ("old.chicago.turn_1", true), ("old.chicago.hull_front_3", true)],
    );
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "old.toml"]);
    assert_eq!(status, 0, "{said}{wrong}");
    assert!(wrong.contains("skipped 2 boxes that are state, not damage: turn, speed"), "{wrong}");
    let text = std::fs::read_to_string(at("old.toml")).expect("read");
    assert!(text.contains("speed = \"4\"") && text.contains("hull_front = 3") && !text.contains("turn"), "{text}");
}
