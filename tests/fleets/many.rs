//! What a count multiplies: ships that are alike share what they have alike, what each has for herself has bounds, and what goes beyond them is named.

use std::sync::Arc;

use moldloft::library::Rulesets;
use moldloft::store::Store;

use super::{of_text, said};

fn ship(keys: &str) -> String {
    format!("ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'Petrel'\n{keys}\n")
}

#[test]
fn ships_alike_share_what_they_have_alike() {
    let games = Rulesets::without_settings(&Store::built_in());
    let load = "load = [{ system = 'nothing', x = 1, y = 2 }]";
    for keys in ["", load] {
        let keys = format!("count = 2000\nname = 'HMS'\nhull_number = 'DD-1'\nnotes = 'long'\ncaptain = 'C'\n{keys}");
        let fleet = of_text(&games, &ship(&keys));
        assert_eq!(fleet.units.len(), 2000, "{:?}", said(&fleet));
        let first = &fleet.units[0].evaluation;
        for unit in &fleet.units {
            let here = &unit.evaluation;
            assert!(here.shares_with(first));
            assert!(Arc::ptr_eq(here.ship.notes.as_ref().unwrap(), first.ship.notes.as_ref().unwrap()));
            assert!(Arc::ptr_eq(&here.ship.load, &first.ship.load));
        }
        let last = &fleet.units[1999].evaluation;
        assert_eq!(last.ship.name.as_deref(), Some("HMS 2000"));
        assert_eq!(last.ship.hull_number.as_deref(), Some("DD-2000"));
        let text = |evaluation: &moldloft::evaluate::Evaluation| evaluation.ship.unit.to_string();
        assert_eq!((text(first), text(last)), ("dd-1".to_owned(), "dd-2000".to_owned()));
        // What is wrong with all of them is said once.
        assert!(said(&fleet).len() <= 2, "{:?}", said(&fleet));
    }
    // Of one class, in entries of their own.
    let many: String = (0..50).map(|n| format!("[[ship]]\ndesign = 'petrel'\nname = 'S{n}'\n")).collect();
    let fleet = of_text(&games, &format!("ruleset = 'wars-of-honor'\n{many}"));
    assert!(fleet.units.iter().all(|unit| unit.evaluation.shares_with(&fleet.units[0].evaluation)));
    // Their counters are numbered one after another all the same.
    let first = |unit: &moldloft::library::FleetUnit| unit.evaluation.counters.iter().find_map(|counter| counter.first);
    assert!(first(&fleet.units[0]).is_none_or(|number| first(&fleet.units[1]) != Some(number)));
}

#[test]
fn a_long_name_of_many_ships_is_cut_before_it_is_multiplied() {
    let games = Rulesets::without_settings(&Store::built_in());
    let long = "X".repeat(400_000);
    for key in ["hull_number", "name"] {
        let fleet =
            of_text(&games, &(ship(&format!("count = 1999\n{key} = '{long}'")) + "[[ship]]\ndesign = 'Petrel'\n"));
        let texts: usize = fleet.units.iter().map(|unit| unit.evaluation.unshared_memory_size()).sum();
        assert!(texts < 10_000_000 && fleet.units.len() == 2000, "{texts} {}", fleet.units.len());
        let cut = format!("`{key}`: expected at most 1000 characters, found 400000; the rest is cut off");
        let finding = fleet.fleet.findings.iter().find(|finding| finding.code == "too-long");
        assert_eq!(finding.map(|finding| finding.message.as_str()), Some(&*cut));
        assert!(said(&fleet).iter().all(|words| words.len() < 400));
    }
}

#[test]
fn fits_times_ships_are_bounded() {
    let games = Rulesets::without_settings(&Store::built_in());
    let fits = "[[design.fit]]\nsystem = 'laser'\nmount = 'port'\n".repeat(1000);
    let head = "ruleset = 'wars-of-honor'\n";
    let design = format!("[[design]]\nname = 'Many'\n{fits}");
    let alike = of_text(&games, &format!("{head}[[ship]]\ndesign = 'Many'\ncount = 2000\n{design}"));
    assert_eq!(alike.units.len(), 2000);
    assert!(alike.units.iter().all(|unit| unit.evaluation.shares_with(&alike.units[0].evaluation)));
    // Each with a load of its own: as many as there is room for, the rest is counted.
    let load = "load = [{ system = 'nothing', x = 1 }]";
    let own = format!("[[ship]]\ndesign = 'Many'\n{load}\n").repeat(400);
    let fleet = of_text(&games, &format!("{head}{own}{design}"));
    let weight: usize = fleet.units.iter().map(|unit| unit.evaluation.memory_size()).sum();
    assert!(weight < 250_000_000 && !fleet.units.is_empty() && !fleet.legal, "{weight}");
    if fleet.units.len() < 400 {
        assert!(said(&fleet).iter().any(|words| words.starts_with("too-large")), "{:?}", said(&fleet).len());
    }
}

#[test]
fn a_class_written_in_many_ways_is_one_class() {
    let games = Rulesets::without_settings(&Store::built_in());
    let ships: String = ["tern", "Tern", "TERN", "tErn "].map(|name| format!("[[ship]]\ndesign = '{name}'\n")).concat();
    let fleet = of_text(&games, &format!("ruleset = 'wars-of-honor'\n{ships}[[design]]\nname = 'Tern'\n"));
    assert!(fleet.units.iter().all(|unit| Arc::ptr_eq(&unit.class, &fleet.units[0].class)) && fleet.units.len() == 4);
}
