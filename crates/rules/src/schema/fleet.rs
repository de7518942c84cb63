//! The schema of fleets. Other keys of a ship may be relations of its ruleset, such as `tow`.

use serde_json::{Value, json};

use super::{any_design_schema, integer, list, object, one_of, properties, root_schema, scalar};
use crate::design::BandPattern;
use crate::design::fleet::MAX_UNITS;

pub fn fleet() -> Value {
    let text = |about: &str| scalar(about, "string");
    let group = properties([
        ("id", text("its name in ships")),
        ("kind", text("its relation in the ruleset, such as formation")),
        ("name", text("its name for players")),
        ("notes", text("free text")),
    ]);
    let all = properties([
        ("ruleset", text("the id of the game's ruleset, such as wars-of-honor")),
        ("schema", integer("the format of this file: 1", Some(1), Some(1))),
        ("name", text("the name of the fleet")),
        ("side", text("the side it belongs to: a nation, an alliance")),
        ("player", text("who plays it")),
        ("colour", text("its colour as #rrggbb, in place of those of its ships' nations")),
        ("pattern", one_of("the pattern of its band", BandPattern::ALL.map(|(word, _)| (word, "")))),
        ("budget", integer("the most points it can cost", Some(0), Some(1_000_000_000))),
        ("notes", text("free text")),
        (
            "group",
            list("[[group]]: ships that sail together", object("ships that sail together", group, &["id"], false)),
        ),
        ("ship", list("[[ship]]: the ships", ship_schema(false))),
        ("design", list("[[design]]: designs included in this file", embedded_design_schema())),
    ]);
    let about = "A fleet: its ships by name, what they tow, how they are loaded and how they are damaged.";
    root_schema("Moldloft: fleet", object(about, all, &["ruleset"], false))
}

fn ship_schema(is_carried: bool) -> Value {
    let text = |about: &str| scalar(about, "string");
    let load = properties([
        ("system", text("the system that is loaded, such as missile-magazine")),
        ("mount", text("the mount it is in; defaults to all")),
    ]);
    let mut load = object("another load for one ship", load, &["system"], true);
    load["additionalProperties"] = json!({ "type": ["integer", "boolean", "string"] });
    let damage = json!({
        "type": "object",
        "description": "the boxes already ticked, by the name of their row on the sheet: the number ticked from the first, or a list such as \"1-12, 14\"",
        "additionalProperties": { "type": ["integer", "string"], "minimum": 0 },
    });
    let mut own = properties([
        ("design", text("the class: a design's file by its path from this one, or the name of a class")),
        ("name", text("the ship's own name")),
        ("hull_number", text("its hull number; for several alike, that of the first")),
        ("captain", text("who commands it")),
        ("owner", text("the player it belongs to, where several share a side")),
        ("notes", text("free text")),
        ("count", integer("how many alike; defaults to 1", Some(1), Some(i64::from(MAX_UNITS)))),
        ("group", text("the id of the group it sails in")),
        ("load", list("other loads for its systems", load)),
    ]);
    own.insert("damage".to_owned(), damage);
    let about = if is_carried { "what is carried" } else { "one ship, or several alike" };
    let mut schema = object(about, own, &["design"], is_carried);
    // Units of a relation: a count, or a list.
    schema["additionalProperties"] = if is_carried {
        false.into()
    } else {
        json!({ "type": ["integer", "array"], "minimum": 0, "items": ship_schema(true) })
    };
    schema
}

fn embedded_design_schema() -> Value {
    let mut design = any_design_schema();
    if let Some(design) = design.as_object_mut() {
        design.retain(|key, _| !matches!(key.as_str(), "$schema" | "title" | "required"));
    }
    design["required"] = json!(["name"]);
    design
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_fleet_is_in_it() {
        let schema = fleet();
        for key in crate::design::fleet::FLEET_KEYS {
            assert!(schema["properties"][key].is_object(), "{key}");
        }
        for key in crate::design::fleet::SHIP_KEYS {
            assert!(schema["properties"]["ship"]["items"]["properties"][key].is_object(), "{key}");
        }
        assert_eq!(schema["$schema"], super::super::DRAFT);
    }
}
