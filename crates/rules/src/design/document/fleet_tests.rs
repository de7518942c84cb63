//! Tests: edits of a fleet's file change what they should and nothing else.

use toml_edit::Value;

use super::{Document, TableList, TablePath, UnitPath};
use crate::design::Damage;
use crate::design::fleet::Fleet;
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;

const TEXT: &str = "ruleset = 'x' # the game\n\n# the flagship\n[[ship]]\ndesign = \"../raft.toml\" # hers\nname = 'Kon'\n\
                    hull_number = \"R-08\"\ncount = 3\ntow = [{ design = 'log.toml', count = 2 }, { design = 'reed.toml' }]\n\n\
                    [ship.damage]\nhull = 2 # old\n\n# the last\n[[ship]]\ndesign = 'Tern'\n";

fn edited<T>(text: &str, edit: impl FnOnce(&mut Document) -> Result<T, Finding>) -> String {
    let mut document = Document::parse(text).unwrap();
    edit(&mut document).unwrap();
    document.to_text()
}

fn read(text: &str) -> Fleet {
    let fleet = Fleet::read(&Source::new("f.toml", text)).unwrap();
    let other = fleet.findings.iter().filter(|finding| !matches!(&*finding.code, "damage-on-many" | "unused-design"));
    assert_eq!(other.count(), 0, "{:?}\n{text}", fleet.findings);
    fleet
}

fn damage(said: &[(&str, u32, u32)]) -> Damage {
    let mut damage = Damage::default();
    said.iter().for_each(|(stem, first, last)| damage.tick(stem, *first, *last));
    damage
}

#[test]
fn ships_come_move_and_go_with_what_is_theirs() {
    let new = edited(TEXT, |document| {
        document.reorder(&TableList::Ships, 0, 1)?;
        document.set(&TablePath::Ship(1), "captain", "Ann")?;
        document.insert(&TableList::Ships, 0, &[("design", Value::from("Wren"))])?;
        document.remove(&TableList::Ships, 1)
    });
    assert_eq!(
        new,
        "ruleset = 'x' # the game\n\n[[ship]]\ndesign = \"Wren\"\n\n# the flagship\n[[ship]]\ndesign = \"../raft.toml\" # hers\nname = 'Kon'\n\
         hull_number = \"R-08\"\ncount = 3\ntow = [{ design = 'log.toml', count = 2 }, { design = 'reed.toml' }]\ncaptain = \"Ann\"\n\n\
         [ship.damage]\nhull = 2 # old\n"
    );
    let twice = edited(TEXT, |document| document.duplicate_ship(0).map(|_| ()));
    assert_eq!(read(&twice).ships.len(), 3);
    assert_eq!(read(&twice).ships[1].ticked_boxes.len(), 1);
}

#[test]
fn what_a_ship_carries_is_changed_in_its_list() {
    let new = edited(TEXT, |document| {
        document.add_carried(0, "tow", "twig.toml", 4)?;
        document.set(&TablePath::Carried { ship: 0, relation: "tow".into(), at: 0 }, "count", 1)?;
        document.remove(&TableList::Carried { ship: 0, relation: "tow".into() }, 1)?;
        document.add_carried(1, "tow", "log.toml", 1).map(|_| ())
    });
    assert!(
        new.contains("tow = [{ design = 'log.toml', count = 1 }, { design = \"twig.toml\", count = 4 }]\n"),
        "{new}"
    );
    assert!(new.ends_with("[[ship]]\ndesign = 'Tern'\ntow = [{ design = \"log.toml\" }]\n"), "{new}");
    let gone = edited(&new, |document| document.remove(&TableList::Carried { ship: 1, relation: "tow".into() }, 0));
    assert!(gone.ends_with("design = 'Tern'\n"), "{gone}");
}

#[test]
fn ticked_boxes_are_written_where_they_belong() {
    let seat = |ship, copy, carried: Option<(usize, u32)>| UnitPath {
        ship,
        copy,
        carried: carried.map(|(at, copy)| ("tow".to_owned(), at, copy)),
    };
    let same = edited(TEXT, |document| document.set_damage(&[(seat(0, 1, None), damage(&[("hull", 1, 2)]))]));
    assert_eq!(same, TEXT);
    let last = edited(TEXT, |document| {
        document.set_damage(&[(seat(1, 1, None), damage(&[("hull", 2, 3), ("mast deck", 1, 1)]))])
    });
    assert!(last.ends_with("design = 'Tern'\n\n[ship.damage]\nhull = \"2-3\"\n\"mast deck\" = 1\n"), "{last}");
    assert_eq!(edited(&last, |document| document.set_damage(&[(seat(1, 1, None), Damage::default())])), TEXT);
    let apart = edited(TEXT, |document| {
        document.set_damage(&[
            (seat(0, 1, None), damage(&[("hull", 1, 2)])),
            (seat(0, 2, None), damage(&[("hull", 4, 4)])),
            (seat(0, 3, Some((0, 2))), damage(&[("bark", 1, 1)])),
            (seat(1, 1, None), damage(&[("sail", 1, 1)])),
        ])
    });
    let fleet = read(&apart);
    let said: Vec<String> = fleet
        .ships
        .iter()
        .map(|ship| {
            let hits: Vec<String> =
                ship.ticked_boxes.iter().map(|hits| format!("{} {:?}", hits.stem.text, hits.runs)).collect();
            let word = |word: &Option<crate::design::SpannedText>| {
                word.as_ref().map_or(String::new(), |word| word.text.to_string())
            };
            let tow = ship.carried.first().map_or(0, |list| list.ships.len());
            format!("{}/{}×{} {tow} {}", word(&ship.name), word(&ship.hull_number), ship.count, hits.join(" "))
        })
        .collect();
    assert_eq!(
        said,
        ["Kon 1/R-08×1 2 hull [(1, 2)]", "Kon 2/R-09×1 2 hull [(4, 4)]", "Kon 3/R-10×1 3 ", "/×1 0 sail [(1, 1)]"],
        "{apart}"
    );
    assert_eq!(fleet.ships[2].carried[0].ships[1].ticked_boxes.len(), 1, "{apart}");
    let inline = "ruleset = 'x'\nship = [{ design = 'a' }]\n";
    let new = edited(inline, |document| document.set_damage(&[(seat(0, 1, None), damage(&[("hull", 1, 1)]))]));
    assert_eq!(new, "ruleset = 'x'\nship = [{ design = 'a', damage = { hull = 1 } }]\n");
    let mut document = Document::parse(TEXT).unwrap();
    assert!(document.set_damage(&[(seat(0, 4, None), damage(&[("hull", 1, 1)]))]).is_err());
    assert!(document.set_damage(&[(seat(7, 1, None), damage(&[("hull", 1, 1)]))]).is_err());
    assert_eq!(document.to_text(), TEXT);
}

#[test]
fn groups_keep_their_ships() {
    let new = edited(TEXT, |document| {
        let group = document.insert(
            &TableList::Groups,
            usize::MAX,
            &[("id", Value::from("a")), ("kind", Value::from("squadron"))],
        )?;
        document.set(&TablePath::Ship(0), "group", "a")?;
        document.set(&TablePath::Ship(1), "group", "a")?;
        document.set(&TablePath::Group(group), "id", "b")
    });
    let fleet = read(&new);
    assert!(fleet.ships.iter().all(|ship| &*ship.group.as_ref().unwrap().text == "b"), "{new}");
    let gone = edited(&new, |document| document.remove(&TableList::Groups, 0));
    assert_eq!(gone, TEXT);
}

#[test]
fn loads_come_and_go() {
    let new = edited(TEXT, |document| {
        document.set_load(1, "locker", Some("deck"), "nets", Some(4.into()))?;
        document.set_load(1, "locker", Some("deck"), "hooks", Some(2.into()))?;
        document.set_load(1, "chest", None, "nets", Some(1.into()))?;
        document.set_load(1, "chest", None, "nets", Some(3.into()))
    });
    assert!(
        new.ends_with(
            "load = [{ system = \"locker\", mount = \"deck\", nets = 4, hooks = 2 }, { system = \"chest\", nets = 3 }]\n"
        ),
        "{new}"
    );
    let gone = edited(&new, |document| {
        document.set_load(1, "locker", Some("deck"), "hooks", None)?;
        document.set_load(1, "locker", Some("deck"), "nets", None)?;
        document.set_load(1, "chest", None, "nets", None)
    });
    assert_eq!(gone, TEXT);
}

#[test]
fn designs_travel_and_come_out_as_they_were() {
    let design = "#:schema ../x.json\n# a tern\nruleset = \"x\" # the game\nname = \"Tern\"\nnotes = \"\"\"\nfast\n\"\"\"\n\n[fields]\nhull = 3 # thin\n\n\
                  # mast\n[[fit]]\nsystem = \"mast\"\n\n[[system]]\nid = \"own\"\nlike = \"mast\"\n";
    let new = edited(TEXT, |document| {
        assert_eq!(document.embed(design)?, 0);
        assert_eq!(document.embed("name = 'Wren'\r\nfit = [{ system = 'mast' }]\r\n")?, 1);
        Ok(())
    });
    let fleet = read(&new);
    assert_eq!(fleet.designs.len(), 2, "{new}");
    assert_eq!((fleet.designs[0].fits.len(), fleet.designs[0].systems.len(), fleet.designs[0].fields.len()), (1, 1, 1));
    assert!(new.contains("[design.fields]\nhull = 3 # thin\n\n# mast\n[[design.fit]]\n"), "{new}");
    let document = Document::parse(&new).unwrap();
    let out = document.design_text(0, "x").unwrap();
    let read = crate::design::Design::read(&Source::new("d.toml", &out)).unwrap();
    assert!(read.findings.is_empty() && read.fits.len() == 1 && out.contains("hull = 3 # thin"), "{out}");
    let gone = edited(&new, |document| {
        document.set_design(1, "name = 'Lark'\n")?;
        document.remove(&TableList::Designs, 1)?;
        document.remove(&TableList::Designs, 0)
    });
    assert_eq!(gone, TEXT);
}
