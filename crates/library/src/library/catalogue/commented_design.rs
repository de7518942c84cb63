//! New designs with comments: takes a ruleset and a name, gives TOML. Never writes a file.

use std::fmt::Write;

use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::{ColumnKind, CustomSystemBase, FieldDef, FieldKind, Ruleset, SystemDef};

use crate::library::rulesets::{allowed_mounts, field_values, system_answers, toml_text};

/// A new design with everything that it may contain as comments.
pub fn commented_design(ruleset: &Ruleset, name: &str) -> String {
    let mut out = String::new();
    let quoted = toml_text(&Value::Text(name.into())).unwrap_or_default();
    let _ = writeln!(out, "# A design for {}, version {}.", comment(&ruleset.title), comment(&ruleset.version));
    let _ = writeln!(out, "# Lines that start with # are comments. Remove the # to use a line.");
    let _ = writeln!(out, "ruleset = \"{}\"\nname = {quoted}", ruleset.id);
    if !ruleset.fields.is_empty() {
        let _ = writeln!(out, "\n[fields]");
        for one in &ruleset.fields {
            put_field(&mut out, ruleset, one);
        }
    }
    let fitted: Vec<&SystemDef> = ruleset.systems.iter().filter(|system| !system.is_abstract).collect();
    if !fitted.is_empty() {
        let _ = writeln!(out, "\n# Fitted systems: one [[fit]] per system and mount, as many as you like.");
        for one in fitted {
            put_system(&mut out, ruleset, one);
        }
    }
    let kinds: Vec<&SystemDef> = ruleset.systems.iter().filter(|system| system.is_open()).collect();
    if !kinds.is_empty() && ruleset.custom_systems.like != CustomSystemBase::None {
        put_custom_system(&mut out, ruleset, &kinds);
    }
    out
}

/// The custom system of the comments.
fn put_custom_system(out: &mut String, ruleset: &Ruleset, kinds: &[&SystemDef]) {
    let Some(kind) = kinds.last() else { return };
    let last = &kind.id;
    let ids: Vec<&str> = kinds.iter().map(|kind| &*kind.id).collect();
    let _ = writeln!(
        out,
        "\n# Own systems, each like a kind of the game ({}); fit them by their id, like the others.",
        ids.join(", ")
    );
    let _ = writeln!(
        out,
        "# [[system]]\n# id = \"own-{last}\"\n# like = \"{last}\"\n# name = \"own {last}\"\n# abbr = \"O\""
    );
    let parameters = || kinds.iter().flat_map(|kind| &kind.parameters);
    let rules = &ruleset.custom_systems;
    for (n, answer) in ruleset.symbols.attributes.iter().enumerate() {
        if parameters().any(|parameter| parameter.id == answer.id)
            || rules.is_locked(kind, &ruleset.symbols.attributes, n)
        {
            continue;
        }
        let least = rules.min.iter().find(|bound| bound.attribute == answer.id).map(|bound| bound.amount);
        let value = match (&answer.default, least) {
            (Some(Value::Int(number)), Some(least)) => Some(Value::Int(*number.max(&least))),
            (value, _) => value.clone(),
        };
        if let Some(value) = value.as_ref().and_then(toml_text) {
            let _ = writeln!(out, "# {} = {value}", answer.id);
        }
    }
}

fn put_field(out: &mut String, ruleset: &Ruleset, field: &FieldDef) {
    let mut note = comment(&field_values(field));
    if *field.label != *field.id {
        note = format!("{}: {note}", comment(&field.label));
    }
    if let Some(when) = &field.shown_when {
        let _ = write!(note, "; only if {}", comment(&when.source));
    }
    put_wrapped_comment(out, &note);
    if let Some(help) = &field.help {
        let _ = writeln!(out, "# {}", comment(help));
    }
    if let FieldKind::Rows(_) = &field.kind {
        let _ = writeln!(out, "# {} = {}", field.id, field_example(ruleset, &field.kind));
    }
    match toml_text(&field.default) {
        Some(value) if field.shown_when.is_none() => {
            let _ = writeln!(out, "{} = {value}", field.id);
        }
        Some(value) => {
            let _ = writeln!(out, "# {} = {value}", field.id);
        }
        None => {
            let _ = writeln!(out, "# {} = {}", field.id, field_example(ruleset, &field.kind));
        }
    }
}

/// A comment on as many lines as it needs, broken after commas and semicolons.
fn put_wrapped_comment(out: &mut String, note: &str) {
    let mut width = 0;
    for part in note.split_inclusive([',', ';']) {
        let part = part.trim_start();
        let more = part.chars().count() + 1;
        if width == 0 || width + more > 110 {
            out.push_str(if width == 0 { "# " } else { "\n#   " });
            width = 2;
        } else {
            out.push(' ');
        }
        out.push_str(part);
        width += more;
    }
    out.push('\n');
}

/// A valid value of a field without a default.
fn field_example(ruleset: &Ruleset, kind: &FieldKind) -> String {
    match kind {
        FieldKind::Choice(choice) => {
            choice.options.first().map_or("\"\"".into(), |option| format!("\"{}\"", option.id))
        }
        FieldKind::Integer { min, .. } => min.unwrap_or(1).to_string(),
        FieldKind::Flag => "true".into(),
        FieldKind::Text => "\"\"".into(),
        FieldKind::Rows(columns) => {
            let columns: Vec<String> = columns
                .iter()
                .map(|column| format!("{} = {}", column.id, column_example(ruleset, &column.kind)))
                .collect();
            format!("[{{ {} }}]", columns.join(", "))
        }
    }
}

/// A valid value of a column.
fn column_example(ruleset: &Ruleset, kind: &ColumnKind) -> String {
    match kind {
        ColumnKind::Integer { min, .. } => min.unwrap_or(1).max(1).to_string(),
        ColumnKind::Flag => "true".to_owned(),
        ColumnKind::Text => "\"\"".to_owned(),
        ColumnKind::Choice(words) => format!("\"{}\"", words.first().map_or("", |word| word)),
        ColumnKind::Mount => format!("\"{}\"", ruleset.mounts.first().map_or("", |mount| &mount.id)),
        ColumnKind::System => {
            let fitted = ruleset.systems.iter().find(|system| !system.is_abstract);
            format!("\"{}\"", fitted.map_or("", |system| &system.id))
        }
    }
}

fn put_system(out: &mut String, ruleset: &Ruleset, system: &SystemDef) {
    let mounts = allowed_mounts(ruleset, system);
    let mut note = comment(&system.name);
    let answers = system_answers(ruleset, system);
    if !answers.is_empty() {
        let _ = write!(note, ": {}", comment(&answers));
    }
    if mounts.len() > 1 {
        let _ = write!(note, "; mounts {}", mounts.join(", "));
    }
    let _ = writeln!(out, "\n# {note}\n# [[fit]]\n# system = \"{}\"", system.id);
    let first = mounts.first().map(String::as_str);
    let any = system.mounts.is_none().then(|| ruleset.mounts.first().map(|mount| &*mount.id)).flatten();
    if let Some(mount) = first.or(any) {
        let _ = writeln!(out, "# mount = \"{mount}\"");
    }
    let _ = writeln!(out, "# count = 1");
    for parameter in &system.parameters {
        if let Some(value) = toml_text(&parameter.default) {
            let whole = if parameter.per_fit { "  # of the whole fit" } else { "" };
            let _ = writeln!(out, "# {} = {value}{whole}", parameter.id);
        }
    }
}

/// A text on one comment line.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
