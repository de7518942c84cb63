//! Checks that the grammar table has exactly the keys that the compiler reads and rulesets use.

use std::collections::{BTreeMap, BTreeSet};

use super::KeyType::*;
use super::*;
use crate::ruleset::Ruleset;
use crate::ruleset::table_reader::key_usage;
use moldloft_base::source::Source;

/// The readers that the compiler may use for a key.
fn read_methods(holds: KeyType) -> BTreeSet<String> {
    let methods: &[&str] = match holds {
        Name | Id | Text | Template => &["text"],
        Integer => &["int"],
        Bool => &["flag"],
        StringOrList => &["texts"],
        Choice(words) => return BTreeSet::from([format!("one of {}", words.join(" "))]),
        Number | Condition | IntegerList | Anything | Literal | Size | ChoiceOrTable(..) => &["any"],
        Default => &["text", "int", "flag", "list"],
        FormulaTable | TableOf(_) | IntegersByName => &["table"],
        TablesById(_) | AnyTable => &["table"],
        Tables(_) | TablesOrIds(_) | Rows | Position => &["list"],
        TextList => &[],
    };
    methods.iter().map(|method| (*method).to_owned()).collect()
}

const ALL: &str = r#"
        ruleset = { id = "x", title = "X", version = "1", schema = 1, own_systems = { like = "any" } }
        attributes = { mass = { default = 1 } }
        setting = [{ id = "s", default = 1 }, { id = "t", default = "a", options = { a = {} } }]
        field = [
          { id = "c", kind = "choice", options = { a = {} } }, { id = "i", kind = "integer" }, { id = "f", kind = "flag" },
          { id = "w", kind = "text" }, { id = "r", kind = "rows", columns = [{ id = "a", kind = "flag" }] },
        ]
        mount = [{ id = "m" }]
        system = [{ id = "gun", mounts = ["m"], parameters = { n = {} }, mass = 2, assumed = { mass = { why = "so" } } }]
        relation = [{ id = "tow" }]
        value = [{ id = "points", formula = 1 }]
        cost = [{ label = "l", each = 1 }]
        track = [{ id = "t1", boxes = 1, marks = [{ at = 1 }] }, { id = "t2", rows = [1] }]
        table = [{ id = "g", grid = { across = [1], down = [1], cell = "1" } }, { id = "h", columns = [{ id = "a" }], rows = [[1]] }]
        check = [{ code = "c-c", severity = "info", fails_when = "true", message = "m", fix = { system = "gun" } }]
        counter = [{ id = "k", count = 1 }, { id = "l", groups = [{ count = 1 }] }]
        situation = [
          { id = "range", kind = "integer", default = 3 }, { id = "slow", kind = "flag", default = true },
          { id = "side", kind = "choice", options = { a = {} }, default = "a" },
        ]
        gauge = [{ id = "hull", boxes = 2 }, { id = "fire", most = 1 }]
        routine = [{ id = "hit", step = [{ left.hull = "left.hull - 1" }] }]
        attack = [{ id = "shot", step = [{ repeat = 2, own.fire = "1", each = [{ use = "hit" }] }] }]
        outcome = [{ id = "sunk", formula = "left.hull == 0" }]
        sheet = [{ id = "p", kind = "design", template = "p.svg" }]
    "#;

#[test]
fn the_compiler_asks_for_these_keys_and_no_others() {
    let texts = [
        ALL,
        include_str!("../../../../../rulesets/wars-of-honor.toml"),
        include_str!("../../../../../rulesets/b5-house-rules.toml"),
        include_str!("../../../../../rulesets/star-navy.toml"),
    ];
    let (_, found) = key_usage::record_during(|| {
        let faults = Ruleset::load(&Source::new("x.toml", ALL)).1;
        assert!(faults.is_empty(), "{faults:?}");
        for text in texts {
            let _ = Ruleset::load(&Source::new("x.toml", text));
        }
    });
    let mut declared: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for section in SECTIONS.iter().chain(NESTED_TABLES) {
        for key in section.keys {
            declared.insert((section.name, key.name), read_methods(key.holds));
        }
    }
    // Resolved on the tree before compiling, or read without a reader.
    for quiet in [("system", "like"), ("option", "label"), ("group", "count")] {
        assert!(declared.remove(&quiet).is_some(), "{quiet:?}");
    }
    let mut faults = Vec::new();
    for ((section, key), methods) in &found {
        match declared.get(&(section.as_str(), *key)) {
            None => faults.push(format!("the table of words does not have `{key}` of {section}")),
            // `after` is resolved on the tree.
            Some(known) if !methods.is_subset(known) && *key != "after" => {
                faults.push(format!("`{key}` of {section} is read as {methods:?}, the table says {known:?}"));
            }
            Some(_) => {}
        }
    }
    for (section, key) in declared.keys() {
        if !found.contains_key(&((*section).to_owned(), *key)) {
            faults.push(format!("nothing reads `{key}` of {section}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_section_has_an_id_and_no_key_twice() {
    for section in SECTIONS {
        assert!(["id", "code"].contains(&section.id().name), "{}", section.name);
    }
    assert_eq!(report_order().count(), SECTIONS.len());
    for section in SECTIONS.iter().chain(NESTED_TABLES) {
        let keys: BTreeSet<&str> = section.keys.iter().map(|key| key.name).collect();
        assert_eq!(keys.len(), section.keys.len(), "{}", section.name);
        for nested in section.keys.iter().filter_map(|key| key.holds.nested()) {
            assert!(super::section(nested).is_some(), "{nested}");
        }
    }
}
