//! Describes a ruleset's declarations for players: lines for lists and for the comments of a new design.

use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::{AttributeRule, ChoiceDef, FieldDef, FieldKind, Ruleset, SystemDef, range_text};

/// The attributes of a system as written: `mass 2, points 2 + 2 * structure`. Empty values, 0 and defaults are left
/// out.
pub fn system_answers(ruleset: &Ruleset, system: &SystemDef) -> String {
    let named = system.attributes.iter().zip(&ruleset.symbols.attributes);
    let shown = named.filter_map(|(rule, answer)| {
        let text = match rule {
            AttributeRule::None => return None,
            AttributeRule::Constant(value, ..) if answer.default.as_ref() == Some(value) => return None,
            AttributeRule::Constant(value, ..) => value_text(value).filter(|text| text != "0" && !text.is_empty())?,
            AttributeRule::Formula(formula, ..) => formula.source.to_string(),
            AttributeRule::Text(..) => return None,
        };
        Some(format!("{} {text}", answer.id))
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The mounts that take a system: `port, starboard`; empty when all do.
pub fn allowed_mounts(ruleset: &Ruleset, system: &SystemDef) -> Vec<String> {
    let places = system.mounts.iter().flatten();
    places.filter_map(|&place| ruleset.mounts.get(place)).map(|mount| mount.id.to_string()).collect()
}

/// The values of a field: `manticore (Manticore Alliance), haven (Republic of Haven)`, `a whole number from 1 to 60`.
pub fn field_values(field: &FieldDef) -> String {
    match &field.kind {
        FieldKind::Choice(choice) => choice_options(choice),
        FieldKind::Integer { min, max } => format!("a whole number{}", range_text(*min, *max)),
        FieldKind::Flag => "true or false".to_owned(),
        FieldKind::Text => "text in \"quotes\"".to_owned(),
        FieldKind::Rows(columns) => {
            let columns: Vec<&str> = columns.iter().map(|column| &*column.id).collect();
            format!("rows of {}", columns.join(", "))
        }
    }
}

fn choice_options(choice: &ChoiceDef) -> String {
    let one = |id: &str, label: &str| if id == label { id.to_owned() } else { format!("{id} ({label})") };
    choice.options.iter().map(|option| one(&option.id, &option.label)).collect::<Vec<_>>().join(", ")
}

/// A value as TOML; `None` for values that have no one-line form.
pub fn toml_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(toml_edit::Value::from(&**text).to_string().trim().to_owned()),
        Value::List(list) => {
            let all: Option<Vec<String>> = list.iter().map(toml_text).collect();
            all.map(|all| format!("[{}]", all.join(", ")))
        }
        other => value_text(other),
    }
}

fn value_text(value: &Value) -> Option<String> {
    match value {
        Value::Int(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(flag.to_string()),
        Value::Text(text) => Some(text.to_string()),
        Value::List(_) | Value::Record(_) | Value::Null => None,
    }
}
