//! JSON Schemas with which text editors complete and check files: takes the grammar of rulesets or a loaded ruleset,
//! gives a schema. Never checks a file.
//!
//! Draft 7, limited to what common TOML editors complete: `properties` and `enum` with documentation. Constraints that
//! depend on another key are `dependencies`, which are checked but not completed.

mod design;
mod fleet;
mod ruleset;

use serde_json::{Map, Value, json};

use moldloft_base::sanitize;

pub use design::{any_design_schema, design};
pub use fleet::fleet;
pub use ruleset::ruleset;

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// File name in a folder `schemas/`: `ruleset.json`, `design.wars-of-honor.json`.
pub fn file_name(kind: &str, ruleset: Option<&str>) -> String {
    match ruleset {
        Some(id) => format!("{kind}.{id}.json"),
        None => format!("{kind}.json"),
    }
}

/// Deterministic, for output and files.
pub fn text(schema: &Value) -> String {
    let mut text = sanitize::for_json(serde_json::to_string_pretty(schema).unwrap_or_default());
    text.push('\n');
    text
}

fn properties<const N: usize>(all: [(&str, Value); N]) -> Map<String, Value> {
    all.into_iter().map(|(key, schema)| (key.to_owned(), schema)).collect()
}

/// Other keys are errors unless `open`.
fn object(about: &str, properties: Map<String, Value>, required: &[&str], open: bool) -> Value {
    let mut schema = json!({ "type": "object" });
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    schema["properties"] = Value::Object(properties);
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    if !open {
        schema["additionalProperties"] = false.into();
    }
    schema
}

fn one_of<'w>(about: &str, words: impl IntoIterator<Item = (&'w str, &'w str)>) -> Value {
    let (words, meanings): (Vec<&str>, Vec<&str>) = words.into_iter().unzip();
    let mut schema = json!({ "type": "string", "enum": words });
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    if meanings.iter().any(|meaning| !meaning.is_empty()) {
        schema["x-taplo"] = json!({ "docs": { "enumValues": meanings } });
    }
    schema
}

fn integer(about: &str, min: Option<i64>, max: Option<i64>) -> Value {
    let mut schema = json!({ "type": "integer" });
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    if let Some(min) = min {
        schema["minimum"] = min.into();
    }
    if let Some(max) = max {
        schema["maximum"] = max.into();
    }
    schema
}

fn scalar(about: &str, kind: &str) -> Value {
    let mut schema = json!({ "type": kind });
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    schema
}

fn list(about: &str, items: Value) -> Value {
    let mut schema = json!({ "type": "array" });
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    schema["items"] = items;
    schema
}

fn root_schema(title: &str, mut schema: Value) -> Value {
    let mut head = json!({ "$schema": DRAFT, "title": title });
    if let (Some(head), Some(schema)) = (head.as_object_mut(), schema.as_object_mut()) {
        head.append(schema);
    }
    head
}
