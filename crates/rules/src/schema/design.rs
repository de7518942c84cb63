//! The schemas of designs: a general one, and one for a ruleset with its fields, systems, mounts and parameters.

use serde_json::{Map, Value, json};

use super::{integer, list, object, one_of, properties, root_schema, scalar};
use crate::design::{MAX_COUNT, SCHEMA};
use crate::formula::{Type, Value as Answer};
use crate::ruleset::{
    AttributeRule, BoxShape, ChoiceDef, ColumnKind, FieldColumn, FieldDef, FieldKind, PROVENANCE, ParameterDef,
    Ruleset, SystemDef, merged_tree,
};
use moldloft_base::source::toml::TomlTable;

pub fn any_design_schema() -> Value {
    let fields = scalar("[fields]: the values that the ruleset asks for", "object");
    let fit = properties([
        ("system", scalar("the system's id", "string")),
        ("mount", scalar("the mount it is in", "string")),
        ("count", count_schema()),
    ]);
    let fit =
        object("one or more of a system in one mount; other keys are the system's parameters", fit, &["system"], true);
    let own = object(
        ABOUT_CUSTOM_SYSTEM,
        custom_system_keys(scalar("the system of the ruleset that it is like", "string")),
        &["id"],
        true,
    );
    let ruleset = scalar("the id of the game's ruleset, such as wars-of-honor", "string");
    root_schema("Moldloft: design", file_schema("A ship class for any game.", ruleset, fields, fit, own, &["ruleset"]))
}

const ABOUT_CUSTOM_SYSTEM: &str =
    "a design's own system, like one of the ruleset except for the keys it sets; plain values only";

fn count_schema() -> Value {
    integer("how many; defaults to 1", Some(0), Some(i64::from(MAX_COUNT)))
}

fn file_schema(about: &str, ruleset: Value, fields: Value, fit: Value, own: Value, required: &[&str]) -> Value {
    let all = properties([
        ("ruleset", ruleset),
        ("schema", integer("the format of this file; defaults to 1", Some(1), Some(SCHEMA))),
        ("name", scalar("the name of the ship class", "string")),
        ("notes", scalar("free text", "string")),
        ("silhouette", scalar("an SVG, PNG or JPEG in the design's folder, in place of the game's outline", "string")),
        ("fields", fields),
        ("fit", list("[[fit]]: what is fitted, as many as you like", fit)),
        ("system", list("[[system]]: the design's own systems", own)),
    ]);
    object(about, all, required, false)
}

fn custom_system_keys(like: Value) -> Map<String, Value> {
    let text = |about: &str| scalar(about, "string");
    let words = |about: &str| list(about, json!({ "type": "string" }));
    let shapes = BoxShape::ALL.map(|(word, _)| (word, ""));
    let mut all = properties([
        ("id", text("its name in the design's fits")),
        ("like", like),
        ("name", text("its name for players")),
        ("abbr", text("the letters in its box")),
        ("icon", text("a file in the templates folder to draw instead of letters")),
        ("shape", one_of("how its boxes are drawn", shapes)),
        ("tags", words("its tags; defaults to those of the system it is like")),
        ("mounts", words("the mounts it is allowed in, by id or #tag")),
        ("rule", text("where it comes from")),
    ]);
    let reasons = json!({ "type": ["string", "object"], "description": "keys, and why they have their values" });
    all.extend(PROVENANCE.map(|(word, ..)| (word.to_owned(), reasons.clone())));
    all
}

pub fn design(rules: &Ruleset) -> Value {
    let mut ruleset = one_of("the game's ruleset", [(&*rules.id, &*rules.title)]);
    ruleset["default"] = (*rules.id).into();
    let mut like =
        one_of("the system of the ruleset that it is like", rules.systems.iter().map(|s| (&*s.id, &*s.name)));
    if rules.systems.is_empty() {
        like = scalar("", "string");
    }
    let mut own = custom_system_keys(like);
    let tree = merged_tree(&rules.sources);
    for (attribute, of) in rules.symbols.attributes.iter().zip(0..) {
        let parameter = rules.systems.iter().flat_map(|s| &s.parameters).find(|p| p.attribute == of);
        let about =
            parameter.map_or_else(|| attribute_title(&tree, &attribute.id), |parameter| parameter.label.to_string());
        own.insert(attribute.id.to_string(), type_schema(&about, &attribute.ty, None, None));
    }
    let own = object(ABOUT_CUSTOM_SYSTEM, own, &["id", "like"], false);
    let (fields, some_required) = fields_schema(rules);
    let required: &[&str] = if some_required { &["ruleset", "fields"] } else { &["ruleset"] };
    let about = format!("A ship class for {}, version {}.", rules.title, rules.version);
    let mut schema = file_schema(&about, ruleset, fields, fit_schema(rules), own, required);
    // A design may use custom systems with names unknown here.
    let known: Vec<&str> = fittable_systems(rules).map(|system| &*system.id).collect();
    schema["if"] = json!({ "not": { "required": ["system"] } });
    schema["then"] = json!({ "properties": { "fit": { "items": { "properties": { "system": { "enum": known } } } } } });
    root_schema(&format!("Moldloft: design for {}", rules.title), schema)
}

/// Name and unit of an attribute: `mass, in tons`.
fn attribute_title(tree: &TomlTable<'_>, id: &str) -> String {
    let attribute = tree.table("attributes").and_then(|attributes| attributes.table(id));
    let text = |key: &str| attribute.and_then(|attribute| attribute.text(key));
    let label = text("label").map_or_else(|| id.replace('_', " "), str::to_owned);
    match text("unit") {
        Some(unit) if unit != label => format!("{label}, in {unit}"),
        _ => label,
    }
}

fn fittable_systems(rules: &Ruleset) -> impl Iterator<Item = &SystemDef> {
    rules.systems.iter().filter(|system| !system.is_abstract)
}

/// The schema of the fields, and whether at least one is required.
fn fields_schema(rules: &Ruleset) -> (Value, bool) {
    let properties: Map<String, Value> =
        rules.fields.iter().map(|field| (field.id.to_string(), field_schema(rules, field))).collect();
    let required: Vec<&str> = rules
        .fields
        .iter()
        .filter(|field| {
            field.default == Answer::Null && field.shown_when.is_none() && !matches!(field.kind, FieldKind::Text)
        })
        .map(|field| &*field.id)
        .collect();
    let some_required = !required.is_empty();
    (object("[fields]: the values that the ruleset asks for", properties, &required, false), some_required)
}

fn field_schema(rules: &Ruleset, field: &FieldDef) -> Value {
    let mut about = field.label.to_string();
    if let Some(help) = &field.help {
        about = format!("{about}: {help}");
    }
    if let Some(when) = &field.shown_when {
        about = format!("{about} (only if {})", when.source);
    }
    let mut schema = match &field.kind {
        FieldKind::Choice(choice) => choice_schema(&about, choice),
        FieldKind::Integer { min, max } => integer(&about, *min, *max),
        FieldKind::Flag => scalar(&about, "boolean"),
        FieldKind::Text => scalar(&about, "string"),
        FieldKind::Rows(columns) => list(&about, row_schema(rules, columns)),
    };
    with_default(&mut schema, &field.default);
    schema
}

fn choice_schema(about: &str, choice: &ChoiceDef) -> Value {
    one_of(about, choice.options.iter().map(|option| (&*option.id, &*option.label)))
}

fn row_schema(rules: &Ruleset, columns: &[FieldColumn]) -> Value {
    let properties: Map<String, Value> =
        columns.iter().map(|column| (column.id.to_string(), column_schema(rules, column))).collect();
    let required: Vec<&str> = columns.iter().filter(|c| c.default.is_none()).map(|column| &*column.id).collect();
    object("one row", properties, &required, false)
}

fn column_schema(rules: &Ruleset, column: &FieldColumn) -> Value {
    let about = &*column.label;
    let mut schema = match &column.kind {
        ColumnKind::Integer { min, max } => integer(about, *min, *max),
        ColumnKind::Flag => scalar(about, "boolean"),
        ColumnKind::Mount => one_of(about, rules.mounts.iter().map(|mount| (&*mount.id, &*mount.label))),
        // It may be a custom system.
        ColumnKind::Text | ColumnKind::System => scalar(about, "string"),
        ColumnKind::Choice(words) => one_of(about, words.iter().map(|word| (&**word, ""))),
    };
    if let Some(default) = &column.default {
        with_default(&mut schema, default);
    }
    schema
}

fn with_default(schema: &mut Value, default: &Answer) {
    match default {
        Answer::Int(number) => schema["default"] = (*number).into(),
        Answer::Flag(flag) => schema["default"] = (*flag).into(),
        Answer::Text(text) if !text.is_empty() => schema["default"] = (**text).into(),
        _ => {}
    }
}

fn type_schema(about: &str, ty: &Type, min: Option<i64>, max: Option<i64>) -> Value {
    match ty {
        Type::Int => integer(about, min, max),
        Type::Flag => scalar(about, "boolean"),
        Type::Text(Some(words)) => one_of(about, words.iter().map(|word| (&**word, ""))),
        Type::Text(None) => scalar(about, "string"),
        Type::List(_) => list(about, json!({})),
        _ => json!({ "description": about }),
    }
}

/// A fit offers all parameters of all systems, with the range that covers all of them; the system's own range is
/// checked once the system is named.
fn fit_schema(rules: &Ruleset) -> Value {
    let about = fittable_systems(rules).map(|system| (&*system.id, about_system(rules, system))).collect::<Vec<_>>();
    let mut system = json!({ "type": "string", "description": "the system's id" });
    if !about.is_empty() {
        // Offered but not required: the design may have custom systems.
        let (ids, meanings): (Vec<&str>, Vec<&String>) = about.iter().map(|(id, meaning)| (*id, meaning)).unzip();
        system["anyOf"] = json!([
            { "type": "string", "enum": ids, "x-taplo": { "docs": { "enumValues": meanings } } },
            { "type": "string" },
        ]);
    }
    let mut properties = Map::new();
    properties.insert("system".to_owned(), system);
    if !rules.mounts.is_empty() {
        let mounts = rules.mounts.iter().map(|mount| (&*mount.id, &*mount.label));
        properties.insert("mount".to_owned(), one_of("the mount it is in", mounts));
    }
    properties.insert("count".to_owned(), count_schema());
    for parameter in rules.systems.iter().flat_map(|system| &system.parameters) {
        properties.entry(&*parameter.id).or_insert_with(|| shared_parameter_schema(rules, parameter));
    }
    let required: &[&str] = if rules.mounts.is_empty() { &["system"] } else { &["system", "mount"] };
    let mut schema = object("one or more of a system in one mount", properties, required, false);
    let each: Vec<Value> = fittable_systems(rules).filter_map(|system| system_condition(rules, system)).collect();
    if !each.is_empty() {
        schema["dependencies"] = json!({ "system": { "allOf": each } });
    }
    schema
}

fn shared_parameter_schema(rules: &Ruleset, parameter: &ParameterDef) -> Value {
    let all = || rules.systems.iter().flat_map(|system| &system.parameters).filter(|p| p.id == parameter.id);
    let names: Vec<&str> = rules
        .systems
        .iter()
        .filter(|system| !system.is_abstract && system.parameters.iter().any(|p| p.id == parameter.id))
        .map(|system| &*system.name)
        .collect();
    let per = if parameter.per_fit { ", of the whole fit" } else { "" };
    let of = if names.len() > 4 { String::new() } else { format!(" ({})", names.join(", ")) };
    let about = format!("{}{per}{of}", parameter.label);
    let least = all().map(|p| p.min).min().flatten();
    let most = if all().all(|p| p.max.is_some()) { all().filter_map(|p| p.max).max() } else { None };
    let mut schema = type_schema(&about, &parameter.ty, least, most);
    if all().all(|p| p.default == parameter.default) {
        with_default(&mut schema, &parameter.default);
    }
    schema
}

fn system_condition(rules: &Ruleset, system: &SystemDef) -> Option<Value> {
    let mut then = Map::new();
    if let Some(mounts) = &system.mounts {
        let ids: Vec<&str> = mounts.iter().filter_map(|&n| rules.mounts.get(n)).map(|mount| &*mount.id).collect();
        then.insert("mount".to_owned(), json!({ "enum": ids }));
    }
    for parameter in rules.systems.iter().flat_map(|other| &other.parameters) {
        match system.parameters.iter().find(|own| own.id == parameter.id) {
            Some(own) if own.min.is_some() || own.max.is_some() => {
                then.insert(own.id.to_string(), integer("", own.min, own.max));
            }
            Some(_) => {}
            None => {
                then.insert(parameter.id.to_string(), false.into());
            }
        }
    }
    let named = json!({ "properties": { "system": { "const": &*system.id } } });
    (!then.is_empty()).then(|| json!({ "if": named, "then": { "properties": then } }))
}

/// `missile launcher: mass 1, points 15`.
fn about_system(rules: &Ruleset, system: &SystemDef) -> String {
    let answers: Vec<String> = system
        .attributes
        .iter()
        .zip(&rules.symbols.attributes)
        .filter_map(|(rule, attribute)| {
            let text = match rule {
                AttributeRule::Constant(Answer::Int(number), ..) if *number != 0 => number.to_string(),
                AttributeRule::Formula(formula, ..) => formula.source.to_string(),
                _ => return None,
            };
            Some(format!("{} {text}", attribute.id))
        })
        .collect();
    if answers.is_empty() { system.name.to_string() } else { format!("{}: {}", system.name, answers.join(", ")) }
}
