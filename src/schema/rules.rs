//! The schema of rulesets, made from the table of the language's words. Takes nothing, gives it.

use serde_json::{Map, Value, json};

use super::{list, object, one_of, plain, whole, whole_file};
use crate::ruleset::{Holds, INNER, Key, PLAN_MOST, SCHEMA, WORDS, word};

/// Words that formulas say: names of values, fields, settings, columns.
const NAME: &str = "^[a-z][a-z0-9_]{0,59}$";
/// Words that designs and templates say.
const ID: &str = "^[a-z0-9][a-z0-9_-]{0,59}$";

/// The schema of a ruleset's or a layer's file.
pub fn ruleset() -> Value {
    let mut keys = Map::new();
    let mut header = thing("ruleset", true);
    header["properties"]["schema"] = whole("the format of this file", Some(1), Some(SCHEMA));
    keys.insert("ruleset".to_owned(), header);
    let attributes = json!({
        "type": "object",
        "description": "values that every system has: NAME = default, or NAME = { type, default, … }; read as it.NAME",
        "patternProperties": { NAME: of_types(&["integer", "boolean", "string", "array", "object"], "attribute") },
        "additionalProperties": false,
    });
    keys.insert("attributes".to_owned(), attributes);
    for word in WORDS {
        keys.insert(word.name.to_owned(), list(&format!("[[{}]]: {}", word.name, word.about), reference(word.name)));
    }
    let mut changes = Map::new();
    for word in WORDS {
        let about = format!("[change.{}.ID]: changes keys of one in the extended ruleset", word.name);
        let one = json!({
            "type": "object",
            "description": about,
            "patternProperties": { ID: reference(&changed(word.name)) },
            "additionalProperties": false,
        });
        changes.insert(word.name.to_owned(), one);
    }
    changes.insert("attributes".to_owned(), plain("changes the defaults for systems that do not set them", "object"));
    let about =
        "in a layer: its changes to the ruleset it extends. Keys are replaced, tables are merged, lists are replaced";
    keys.insert("change".to_owned(), object(about, changes, &[], false));
    let mut schema = object("A game's rules, or a layer of house rules over them.", keys, &["ruleset"], false);
    let mut definitions = Map::new();
    for word in WORDS {
        definitions.insert(word.name.to_owned(), thing(word.name, true));
        definitions.insert(changed(word.name), thing(word.name, false));
    }
    for word in INNER.iter().filter(|word| word.name != "ruleset") {
        definitions.insert(slug(word.name), thing(word.name, true));
    }
    definitions.extend(PROVENANCE.map(|(name, about)| (name.to_owned(), provenance(about))));
    schema["definitions"] = Value::Object(definitions);
    whole_file("Moldloft: ruleset", schema)
}

/// The definition of a thing as a layer changes it.
fn changed(word: &str) -> String {
    format!("changed-{}", slug(word))
}

/// `table column` → `table-column`: definitions are referred to by addresses, which have no spaces.
fn slug(word: &str) -> String {
    word.replace(' ', "-")
}

fn reference(word: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{}", slug(word)) })
}

/// A thing that is new, with all it must have; or one that a layer changes.
fn thing(name: &str, new: bool) -> Value {
    let Some(word) = word(name) else { return json!({}) };
    let mut properties: Map<String, Value> =
        word.keys.iter().map(|key| (key.name.to_owned(), value(key, new))).collect();
    let is_top = WORDS.iter().any(|known| known.name == name);
    if is_top || name == "option" {
        properties.extend(PROVENANCE.map(|(name, _)| (name.to_owned(), reference(name))));
    }
    if name == "grid" {
        let cells = "in a layer: single cells by their two numbers, across and down: { \"3 2\" = 9 }";
        properties.insert("cells".to_owned(), plain(cells, "object"));
    }
    if !new {
        properties.insert("remove".to_owned(), plain("true: it is removed", "boolean"));
        let more = "more for its lists and tables: add.mounts = [\"…\"], add.rows = [[…]], add.options.ID = { … }";
        properties.insert("add".to_owned(), plain(more, "object"));
        let unset = json!({ "type": "array", "items": { "type": "string" }, "description": "keys to remove" });
        properties.insert("unset".to_owned(), unset);
        properties.entry("reason").or_insert_with(|| plain("why it was changed", "string"));
    }
    let required: Vec<&str> = word.keys.iter().filter(|key| new && key.required).map(|key| key.name).collect();
    let mut schema = object(word.about, properties, &required, false);
    // Attributes of systems, data of options and words of groups are keys of the author's own.
    if ["system", "option", "group"].contains(&name) {
        schema["additionalProperties"] = json!({ "type": ["integer", "boolean", "string", "array"] });
    }
    schema
}

/// Where numbers come from, beside the keys they stand under.
const PROVENANCE: [(&str, &str); 4] = [
    ("published", "keys whose numbers are in the game's text, although an earlier layer has others: { KEY = \"why\" }"),
    ("derived", "keys whose numbers follow from the game's text by arithmetic, and how: { KEY = \"why\" }"),
    ("assumed", "keys that the game's text leaves open, and why they have their values: { KEY = \"why\" }"),
    ("house", "keys that are the players' own rule, and why: { KEY = \"why\" }"),
];

fn provenance(about: &str) -> Value {
    let mut reason = of_types(&["string", "object"], "reason");
    reason["description"] = "why; or { why, when }".into();
    json!({ "type": ["string", "object"], "description": about, "additionalProperties": reason })
}

/// Something of these types; an object is a thing of this word.
fn of_types(types: &[&str], name: &str) -> Value {
    let mut one = thing(name, true);
    one["type"] = types.into();
    one
}

fn value(key: &Key, new: bool) -> Value {
    let about = key.about;
    let formula = |kinds: &[&str], what: &str| {
        let mut types: Vec<&str> = kinds.to_vec();
        types.push("string");
        json!({ "type": types, "description": format!("{about} ({what}, or a \"formula\")") })
    };
    let described = |mut schema: Value| {
        schema["description"] = about.into();
        schema
    };
    let cells = json!({ "type": ["integer", "boolean", "string", "array"] });
    match key.holds {
        Holds::Name => described(json!({ "type": "string", "pattern": NAME })),
        Holds::Id => described(json!({ "type": "string", "pattern": ID })),
        Holds::Words | Holds::Said => plain(about, "string"),
        Holds::Whole => plain(about, "integer"),
        Holds::Yes => plain(about, "boolean"),
        Holds::Names => described(json!({ "type": ["string", "array"], "items": { "type": "string" } })),
        Holds::Choice(words) => one_of(about, words.iter().map(|word| (*word, ""))),
        Holds::Number => formula(&["integer"], "a whole number"),
        Holds::Condition => formula(&["boolean", "integer"], "true, false"),
        Holds::Numbers => formula(&["array"], "a list of whole numbers"),
        Holds::Anything => formula(&["integer", "boolean", "array"], "a plain value"),
        Holds::Plain => described(cells),
        Holds::Default => described(json!({ "type": ["integer", "boolean", "string", "array"] })),
        Holds::Formulas => {
            let one = json!({ "type": ["integer", "boolean", "string", "array"] });
            described(json!({ "type": "object", "patternProperties": { NAME: one }, "additionalProperties": false }))
        }
        Holds::List(inner) => list(about, reference(inner)),
        Holds::ListOrIds(inner) if new => list(about, of_types(&["string", "object"], inner)),
        // A layer reaches single columns by their ids.
        Holds::ListOrIds(_) => described(json!({ "type": ["array", "object"] })),
        Holds::Each(inner) => {
            let one = if inner == "option" { of_types(&["string", "object"], inner) } else { reference(inner) };
            described(json!({ "type": "object", "patternProperties": { ID: one }, "additionalProperties": false }))
        }
        Holds::One(inner) => reference(inner),
        Holds::ChoiceOrOne(words, inner) => {
            let mut schema = of_types(&["string", "object"], inner);
            schema["description"] = format!("{about} ({}, or a table)", words.join(", ")).into();
            schema
        }
        Holds::Amounts => described(json!({ "type": "object", "additionalProperties": { "type": "integer" } })),
        Holds::Rows if new => list(about, json!({ "type": "array", "items": cells })),
        // A layer reaches single rows by the words of their key.
        Holds::Rows => {
            let row = json!({ "type": "object", "additionalProperties": cells });
            described(json!({ "type": ["array", "object"], "items": { "type": "array" }, "additionalProperties": row }))
        }
        Holds::Place => {
            let place = json!({ "type": "integer", "minimum": -PLAN_MOST, "maximum": PLAN_MOST });
            described(json!({ "type": "array", "items": place, "minItems": 2, "maxItems": 2 }))
        }
        Holds::Size => {
            described(json!({ "type": ["number", "string", "array"], "items": { "type": ["number", "string"] } }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_and_key_is_described() {
        let schema = ruleset();
        for word in WORDS {
            let one = &schema["definitions"][word.name];
            assert_eq!(schema["properties"][word.name]["items"]["$ref"], format!("#/definitions/{}", word.name));
            for key in word.keys {
                let held = &one["properties"][key.name];
                let told = held["description"].is_string() || held["$ref"].is_string();
                assert!(told, "{}: {}", word.name, key.name);
            }
        }
    }

    #[test]
    fn references_lead_somewhere() {
        fn walk(value: &Value, schema: &Value) {
            match value {
                Value::Object(map) => {
                    if let Some(to) = map.get("$ref").and_then(Value::as_str) {
                        assert!(schema.pointer(to.trim_start_matches('#')).is_some(), "{to}");
                        assert_eq!(map.len(), 1, "what stands beside {to} does not count");
                    }
                    map.values().for_each(|value| walk(value, schema));
                }
                Value::Array(list) => list.iter().for_each(|value| walk(value, schema)),
                _ => {}
            }
        }
        let schema = ruleset();
        walk(&schema, &schema);
    }
}
