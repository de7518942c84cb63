//! Random fleets: whatever is read and evaluated, nothing fails badly, no key stands twice, and what is written is what was meant.

use std::fmt::Write;

use moldloft::design::fleet::Fleet;
use moldloft::design::{Damage, Document};
use moldloft::library::Rulesets;
use moldloft::source::Source;
use moldloft::store::Store;
use proptest::prelude::*;
use std::sync::OnceLock;

fn games() -> &'static Rulesets {
    static GAMES: OnceLock<Rulesets> = OnceLock::new();
    GAMES.get_or_init(|| Rulesets::without_settings(&Store::built_in()))
}

fn ship() -> impl Strategy<Value = String> {
    let designs = prop::sample::select(vec!["Quiver", "Petrel", "quiver.toml", "../x.toml", "Nobody", "Vigilant", ""]);
    let words = prop::sample::select(vec![
        "name = 'A'",
        "hull_number = 'DD-9'",
        "count = 3",
        "count = -1",
        "group = 'g'",
        "tow = 2",
        "tow = [{ design = 'Quiver', count = 2 }]",
        "load = [{ system = 'box-launcher', nuclear = 1 }]",
        "damage = { structure = '1-2, 9', odd = 4 }",
        "odd = 'x'",
        "owner = 'B'",
    ]);
    (designs, prop::collection::btree_set(words, 0..5)).prop_map(|(design, words)| {
        let mut text = format!("[[ship]]\ndesign = '{design}'\n");
        let mut keys = std::collections::BTreeSet::new();
        for word in words {
            if keys.insert(word.split(' ').next().unwrap()) {
                let _ = writeln!(text, "{word}");
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_fleets_are_mustered(ships in prop::collection::vec(ship(), 0..6), group: bool, budget in -5i64..5000) {
        let group = if group { "[[group]]\nid = 'g'\nkind = 'formation'\n" } else { "" };
        let text = format!("ruleset = 'wars-of-honor'\nbudget = {budget}\n{group}{}", ships.concat());
        let fleet = super::of_text(games(), &text);
        let mut keys: Vec<&str> = fleet.units.iter().map(|unit| &*unit.evaluation.ship.unit).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        prop_assert_eq!(keys.len(), count);
        let plain = |key: &&str| key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        prop_assert!(keys.iter().all(plain), "{:?}", keys);
        prop_assert_eq!(fleet.points.unwrap_or(0), fleet.units.iter().filter_map(|unit| unit.evaluation.points).sum::<i64>());
        // Every unit's seat is hers: what is written there is read there.
        if let (Some(last), Ok(mut document)) = (count.checked_sub(1), Document::parse(&text)) {
            let seat = fleet.unit_path(last).unwrap();
            let mut damage = Damage::default();
            damage.tick("structure", 2, 2);
            let key = fleet.units[last].evaluation.ship.unit.clone();
            if document.set_damage(&[(seat, damage.clone())]).is_ok() {
                let after = super::of_text(games(), document.text());
                let unit = after.units.iter().find(|unit| unit.evaluation.ship.unit == key);
                let unit = unit.unwrap_or_else(|| panic!("{key}\n{text}\n{}", document.text()));
                prop_assert_eq!(unit.evaluation.ship.damage.runs_text("structure"), "2");
                prop_assert_eq!(after.units.len(), fleet.units.len());
            }
        }
    }

    #[test]
    fn no_text_makes_reading_fail_badly(text in "\\PC{0,200}", lines in prop::collection::vec("(\\[\\[(ship|group|design)\\]\\]|\\[ship.damage\\]|[a-z_]{1,6} = ([0-9]{1,12}|'[a-z0-9, -]{0,9}'|\\[\\{ design = 'x' \\}\\]))", 0..20)) {
        let _ = Fleet::read(&Source::new("f.toml", &text));
        let _ = Fleet::read(&Source::new("f.toml", &lines.join("\n")));
    }
}
