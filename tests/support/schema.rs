//! As much of JSON Schema, draft 7, as the schemas of this house use: says where a value does not conform. A keyword that it does not
//! know is a failure, so that no schema says more than is tested.

use serde_json::Value;

/// The faults of a value: where, and what.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Check { root: schema }.check(schema, value, "", &mut found);
    found
}

struct Check<'s> {
    root: &'s Value,
}

/// Keywords that say nothing about a value.
const SILENT: [&str; 7] = ["$schema", "title", "description", "default", "x-taplo", "definitions", "then"];

impl Check<'_> {
    fn holds(&self, schema: &Value, value: &Value) -> bool {
        let mut found = Vec::new();
        self.check(schema, value, "", &mut found);
        found.is_empty()
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                found.push(format!("{at}: nothing may stand here"));
            }
            return;
        };
        let mut wrong = |what: String| found.push(format!("{at}: {what}"));
        for (keyword, of) in keywords {
            match keyword.as_str() {
                "type" => {
                    let types = of.as_array().map_or(std::slice::from_ref(of), Vec::as_slice);
                    if !types.iter().any(|kind| is(value, kind.as_str().unwrap())) {
                        wrong(format!("{value} is not of type {of}"));
                    }
                }
                "enum" if !of.as_array().unwrap().contains(value) => wrong(format!("{value} is none of {of}")),
                "const" if of != value => wrong(format!("{value} is not {of}")),
                "minimum" if value.as_f64().is_some_and(|n| n < of.as_f64().unwrap()) => {
                    wrong(format!("{value} < {of}"))
                }
                "maximum" if value.as_f64().is_some_and(|n| n > of.as_f64().unwrap()) => {
                    wrong(format!("{value} > {of}"))
                }
                "pattern" if value.as_str().is_some_and(|text| !matches(of.as_str().unwrap(), text)) => {
                    wrong(format!("{value} is not as {of}"));
                }
                "minItems" if value.as_array().is_some_and(|list| (list.len() as u64) < of.as_u64().unwrap()) => {
                    wrong(format!("{value} has fewer than {of} items"));
                }
                "maxItems" if value.as_array().is_some_and(|list| list.len() as u64 > of.as_u64().unwrap()) => {
                    wrong(format!("{value} has more than {of} items"));
                }
                "required" => {
                    for key in of.as_array().unwrap() {
                        if value.as_object().is_some_and(|object| !object.contains_key(key.as_str().unwrap())) {
                            wrong(format!("there is no {key}"));
                        }
                    }
                }
                _ => {}
            }
        }
        for (keyword, of) in keywords {
            match keyword.as_str() {
                "$ref" => {
                    let place = of.as_str().unwrap().trim_start_matches('#');
                    self.check(self.root.pointer(place).unwrap(), value, at, found);
                }
                "properties" | "patternProperties" | "additionalProperties" if value.is_object() => {
                    for (key, inner) in value.as_object().unwrap() {
                        for schema in named(schema, keyword, key) {
                            self.check(schema, inner, &format!("{at}/{key}"), found);
                        }
                    }
                }
                "items" => {
                    for (n, inner) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(of, inner, &format!("{at}/{n}"), found);
                    }
                }
                "allOf" => of.as_array().unwrap().iter().for_each(|one| self.check(one, value, at, found)),
                "anyOf" => {
                    if !of.as_array().unwrap().iter().any(|one| self.holds(one, value)) {
                        found.push(format!("{at}: {value} is none of what it may be"));
                    }
                }
                "not" => {
                    if self.holds(of, value) {
                        found.push(format!("{at}: it must not be {of}"));
                    }
                }
                "if" => {
                    if self.holds(of, value) {
                        self.check(&schema["then"], value, at, found);
                    }
                }
                "dependencies" => {
                    for (key, of) in of.as_object().unwrap() {
                        if value.get(key).is_some() {
                            self.check(of, value, at, found);
                        }
                    }
                }
                "type"
                | "enum"
                | "const"
                | "minimum"
                | "maximum"
                | "minItems"
                | "maxItems"
                | "pattern"
                | "required"
                | "properties"
                | "patternProperties"
                | "additionalProperties" => {}
                other => assert!(SILENT.contains(&other), "a keyword that no test knows: {other}"),
            }
        }
    }
}

/// The schemas of a keyword that hold for a key.
fn named<'s>(schema: &'s Value, keyword: &str, key: &str) -> Vec<&'s Value> {
    let known = schema["properties"].get(key);
    let patterns = || {
        let patterns = schema["patternProperties"].as_object().into_iter().flatten();
        patterns.filter(|(pattern, _)| matches(pattern, key)).map(|(_, schema)| schema).collect::<Vec<_>>()
    };
    match keyword {
        "properties" => known.into_iter().collect(),
        "patternProperties" => patterns(),
        _ if known.is_none() && patterns().is_empty() => vec![&schema["additionalProperties"]],
        _ => Vec::new(),
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("no type {other}"),
    }
}

/// The two patterns that the schemas have.
fn matches(pattern: &str, text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let first = text.chars().next();
    match pattern {
        "^[a-z][a-z0-9_]{0,59}$" => {
            first.is_some_and(|c| c.is_ascii_lowercase()) && text.len() <= 60 && text.chars().all(small)
        }
        "^[a-z0-9][a-z0-9_-]{0,59}$" => {
            first.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
                && text.len() <= 60
                && text.chars().all(|c| small(c) || c == '-')
        }
        other => panic!("a pattern that no test knows: {other}"),
    }
}
