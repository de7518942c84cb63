//! The schema of rulesets, made from the grammar's table.

use serde_json::{Map, Value, json};

use super::{integer, list, object, one_of, root_schema, scalar};
use crate::ruleset::{
    CHANGE_KEYS, GRID_CELLS, ID_PATTERN, KeySpec, KeyType, MAX_PLAN_OFFSET, NAME_PATTERN, NESTED_TABLES, PROVENANCE,
    SCHEMA, SECTIONS, declared_section, section as grammar_section,
};

pub fn ruleset() -> Value {
    let mut keys = Map::new();
    let mut header = section_schema("ruleset", true);
    header["properties"]["schema"] = integer("the format of this file", Some(1), Some(SCHEMA));
    keys.insert("ruleset".to_owned(), header);
    let attributes = json!({
        "type": "object",
        "description": "values that every system has: NAME = default, or NAME = { type, default, … }; read as it.NAME",
        "patternProperties": { NAME_PATTERN: any_of_types(&["integer", "boolean", "string", "array", "object"], "attribute") },
        "additionalProperties": false,
    });
    keys.insert("attributes".to_owned(), attributes);
    for section in SECTIONS {
        keys.insert(
            section.name.to_owned(),
            list(&format!("[[{}]]: {}", section.name, section.about), reference(section.name)),
        );
    }
    let mut changes = Map::new();
    for section in SECTIONS {
        let about = format!("[change.{}.ID]: changes keys of one in the extended ruleset", section.name);
        let one = json!({
            "type": "object",
            "description": about,
            "patternProperties": { ID_PATTERN: reference(&change_definition(section.name)) },
            "additionalProperties": false,
        });
        changes.insert(section.name.to_owned(), one);
    }
    changes.insert("attributes".to_owned(), scalar("changes the defaults for systems that do not set them", "object"));
    let about =
        "in a layer: its changes to the ruleset it extends. Keys are replaced, tables are merged, lists are replaced";
    keys.insert("change".to_owned(), object(about, changes, &[], false));
    let mut schema = object("A game's rules, or a layer of house rules over them.", keys, &["ruleset"], false);
    let mut definitions = Map::new();
    for section in SECTIONS {
        definitions.insert(section.name.to_owned(), section_schema(section.name, true));
        definitions.insert(change_definition(section.name), section_schema(section.name, false));
    }
    for section in NESTED_TABLES.iter().filter(|section| section.name != "ruleset") {
        definitions.insert(definition_name(section.name), section_schema(section.name, true));
    }
    definitions.extend(PROVENANCE.map(|(name, _, about)| (name.to_owned(), provenance_schema(about))));
    schema["definitions"] = Value::Object(definitions);
    root_schema("Moldloft: ruleset", schema)
}

fn change_definition(word: &str) -> String {
    format!("changed-{}", definition_name(word))
}

/// `table column` → `table-column`, since references cannot contain spaces.
fn definition_name(word: &str) -> String {
    word.replace(' ', "-")
}

fn reference(word: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{}", definition_name(word)) })
}

fn section_schema(name: &str, new: bool) -> Value {
    let Some(section) = grammar_section(name) else { return json!({}) };
    let mut properties: Map<String, Value> =
        section.keys.iter().map(|key| (key.name.to_owned(), value_schema(key, new))).collect();
    if declared_section(name).is_some() || ["option", "attack step"].contains(&name) {
        properties.extend(PROVENANCE.map(|(name, ..)| (name.to_owned(), reference(name))));
    }
    if name == "grid" {
        properties.insert(GRID_CELLS.name.to_owned(), value_schema(&GRID_CELLS, new));
    }
    if !new {
        for key in &CHANGE_KEYS {
            properties.entry(key.name).or_insert_with(|| value_schema(key, new));
        }
    }
    let required: Vec<&str> = section.keys.iter().filter(|key| new && key.required).map(|key| key.name).collect();
    let mut schema = object(section.about, properties, &required, false);
    // Attributes of systems, data of options and keys of groups are the author's own.
    if section.open {
        schema["additionalProperties"] = json!({ "type": ["integer", "boolean", "string", "array"] });
    }
    schema
}

fn provenance_schema(about: &str) -> Value {
    let mut reason = any_of_types(&["string", "object"], "reason");
    reason["description"] = "why; or { why, when }".into();
    json!({ "type": ["string", "object"], "description": about, "additionalProperties": reason })
}

/// Any of these types; an object is an item called `name`.
fn any_of_types(types: &[&str], name: &str) -> Value {
    let mut one = section_schema(name, true);
    one["type"] = types.into();
    one
}

fn value_schema(key: &KeySpec, new: bool) -> Value {
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
        KeyType::Name => described(json!({ "type": "string", "pattern": NAME_PATTERN })),
        KeyType::Id => described(json!({ "type": "string", "pattern": ID_PATTERN })),
        KeyType::Text | KeyType::Template => scalar(about, "string"),
        KeyType::Integer => scalar(about, "integer"),
        KeyType::Bool => scalar(about, "boolean"),
        KeyType::StringOrList => described(json!({ "type": ["string", "array"], "items": { "type": "string" } })),
        KeyType::Choice(words) => one_of(about, words.iter().map(|word| (*word, ""))),
        KeyType::Number => formula(&["integer"], "a whole number"),
        KeyType::Condition => formula(&["boolean", "integer"], "true, false"),
        KeyType::IntegerList => formula(&["array"], "a list of whole numbers"),
        KeyType::Anything => formula(&["integer", "boolean", "array"], "a plain value"),
        KeyType::Literal => described(cells),
        KeyType::Default => described(json!({ "type": ["integer", "boolean", "string", "array"] })),
        KeyType::FormulaTable => {
            let one = json!({ "type": ["integer", "boolean", "string", "array"] });
            described(
                json!({ "type": "object", "patternProperties": { NAME_PATTERN: one }, "additionalProperties": false }),
            )
        }
        // A layer refers to single steps by id.
        KeyType::Tables("attack step") if !new => described(json!({ "type": ["array", "object"] })),
        KeyType::Tables(inner) => list(about, reference(inner)),
        KeyType::TablesOrIds(inner) if new => list(about, any_of_types(&["string", "object"], inner)),
        // A layer refers to single columns by id.
        KeyType::TablesOrIds(_) => described(json!({ "type": ["array", "object"] })),
        KeyType::TablesById(inner) => {
            let one = if inner == "option" { any_of_types(&["string", "object"], inner) } else { reference(inner) };
            described(
                json!({ "type": "object", "patternProperties": { ID_PATTERN: one }, "additionalProperties": false }),
            )
        }
        KeyType::TableOf(inner) => reference(inner),
        KeyType::ChoiceOrTable(words, inner) => {
            let mut schema = any_of_types(&["string", "object"], inner);
            schema["description"] = format!("{about} ({}, or a table)", words.join(", ")).into();
            schema
        }
        KeyType::AnyTable => scalar(about, "object"),
        KeyType::TextList => {
            json!({ "type": "array", "items": { "type": "string" }, "description": about })
        }
        KeyType::IntegersByName => {
            described(json!({ "type": "object", "additionalProperties": { "type": "integer" } }))
        }
        KeyType::Rows if new => list(about, json!({ "type": "array", "items": cells })),
        // A layer refers to single rows by key.
        KeyType::Rows => {
            let row = json!({ "type": "object", "additionalProperties": cells });
            described(json!({ "type": ["array", "object"], "items": { "type": "array" }, "additionalProperties": row }))
        }
        KeyType::Position => {
            let place = json!({ "type": "integer", "minimum": -MAX_PLAN_OFFSET, "maximum": MAX_PLAN_OFFSET });
            described(json!({ "type": "array", "items": place, "minItems": 2, "maxItems": 2 }))
        }
        KeyType::Size => {
            described(json!({ "type": ["number", "string", "array"], "items": { "type": ["number", "string"] } }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_and_key_is_described() {
        let schema = ruleset();
        for section in SECTIONS {
            let one = &schema["definitions"][section.name];
            assert_eq!(schema["properties"][section.name]["items"]["$ref"], format!("#/definitions/{}", section.name));
            for key in section.keys {
                let held = &one["properties"][key.name];
                let is_described = held["description"].is_string() || held["$ref"].is_string();
                assert!(is_described, "{}: {}", section.name, key.name);
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
                        assert_eq!(map.len(), 1, "keys beside {to} do not count");
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
