//! Tests of reading fleets.

use moldloft_base::source::Source;

use super::Fleet;

const WHOLE: &str = r#"
ruleset = "rafts"
name = "Escort"
side = "North"
budget = 300

[[group]]
id = "first"
kind = "squadron"
name = "First Squadron"

[[ship]]
design = "../raft.toml"
name = "Kon-Tiki"
hull_number = "R-7"
group = "first"
tow = [{ design = "log.toml", count = 3 }]
load = [{ system = "locker", mount = "deck", nets = 4 }]
[ship.damage]
hull = "1-3, 5"
mast_deck = 1

[[ship]]
design = "Tern"

[[design]]
name = "Tern"
[[design.fit]]
system = "mast"
mount = "deck"
"#;

fn read(text: &str) -> Fleet {
    Fleet::read(&Source::new("f.toml", text)).unwrap()
}

#[test]
fn a_fleet_is_read_whole() {
    let fleet = read(WHOLE);
    assert!(fleet.findings.is_empty(), "{:?}", fleet.findings);
    assert_eq!((fleet.ships.len(), fleet.groups.len(), fleet.designs.len()), (2, 1, 1));
    assert_eq!(fleet.budget.unwrap().points, 300);
    let ship = &fleet.ships[0];
    assert_eq!((ship.count, ship.carried[0].ships[0].count, ship.load[0].values.len()), (1, 3, 1));
    assert_eq!(ship.damage(&fleet.source).runs_text("hull"), "1-3, 5");
    let tern = fleet.design("tern").unwrap();
    assert!(tern.findings.is_empty(), "{:?}", tern.findings);
    assert_eq!((tern.ruleset.as_ref().map(|word| &*word.text), tern.fits.len()), (Some("rafts"), 1));
}

#[test]
fn names_are_cut_at_a_thousand_letters_and_notes_of_a_fleet_later() {
    let long = |letters: usize| "é".repeat(letters);
    let keys = ["name", "hull_number", "captain", "owner"].map(|key| format!("{key} = \"{}\"", long(1_001))).join("\n");
    let head = format!("side = \"{}\"\nplayer = \"{}\"\nnotes = \"{}\"", long(1_001), long(1_000), long(16_001));
    let fleet = read(&format!("ruleset = \"rafts\"\nname = \"x\"\n{head}\n[[ship]]\ndesign = \"Tern\"\n{keys}\n"));
    let found: Vec<&str> = fleet.findings.iter().map(|finding| finding.message.as_str()).collect();
    let cut = |key: &str, most: usize| {
        format!("`{key}`: expected at most {most} characters, found {}; the rest is cut off", most + 1)
    };
    let wanted = [
        ("side", 1_000),
        ("notes", 16_000),
        ("name", 1_000),
        ("hull_number", 1_000),
        ("captain", 1_000),
        ("owner", 1_000),
    ];
    assert_eq!(found, wanted.map(|(key, most)| cut(key, most)));
    assert!(fleet.findings.iter().all(|finding| finding.code == "too-long"));
    let ship = &fleet.ships[0];
    for word in [&fleet.side, &fleet.player, &ship.name, &ship.hull_number, &ship.captain, &ship.owner] {
        assert_eq!(word.as_ref().map(|word| word.text.chars().count()), Some(1_000));
    }
    assert_eq!(fleet.notes.map(|word| word.text.chars().count()), Some(16_000));
}
