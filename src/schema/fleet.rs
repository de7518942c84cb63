//! The schema of fleets: what one says of each ship, as far as this version reads it. Keys that it does not know are left alone.

use serde_json::Value;

use super::{keys, list, object, plain, whole, whole_file};

/// The schema of a fleet's file.
pub fn fleet() -> Value {
    let text = |about: &str| plain(about, "string");
    let ship = keys([
        ("design", text("the class: a design's file beside this one, or its name")),
        ("name", text("the ship's own name")),
        ("hull_number", text("her hull number")),
        ("captain", text("who commands her")),
        ("owner", text("the player")),
        ("notes", text("free text")),
        ("count", whole("how many alike; 1 if not said", Some(1), Some(9_999))),
        ("tow", whole("units in tow", Some(0), None)),
    ]);
    let ship = object("one ship, or several alike", ship, &[], true);
    let all = keys([
        ("ruleset", text("the id of the game's ruleset, such as wars-of-honor")),
        ("schema", whole("the format of this file: 1", Some(1), Some(1))),
        ("name", text("what the fleet is called")),
        ("side", text("whose it is")),
        ("budget", whole("the points it may cost", Some(0), None)),
        ("notes", text("free text")),
        ("ship", list("[[ship]]: the ships", ship)),
    ]);
    let about = "A fleet: its ships by name. Fleets are not yet settled in all they may say: keys beyond these are not checked.";
    whole_file("Moldloft: fleet", object(about, all, &["ruleset"], true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Ship;

    #[test]
    fn every_word_about_a_ship_is_in_it() {
        let schema = fleet();
        // Fails to compile when a ship gains something: it then belongs here too.
        let Ship { name: _, hull_number: _, captain: _, owner: _, notes: _, count: _, tow: _ } = Ship::default();
        let properties = &schema["properties"]["ship"]["items"]["properties"];
        for key in ["name", "hull_number", "captain", "owner", "notes", "count", "tow"] {
            assert!(properties[key].is_object(), "{key}");
        }
        assert_eq!(schema["$schema"], super::super::DRAFT);
    }
}
