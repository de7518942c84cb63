//! Reads a design under a ruleset: takes fields, custom systems and fits, gives them as state, with a finding for each
//! that the ruleset does not know or allow. Unusable values become null and are reported once.

use std::sync::Arc;

use crate::design::{DesignPart, Fit, Scalar};
use crate::formula::{Record, Type, Value};
use crate::ruleset::{
    AttributeRule, ColumnKind, FieldColumn, FieldDef, FieldKind, MAX_NUMBER, ParameterDef, Ruleset, append_hint,
    not_allowed_message, range_text, shorten, suggest_near,
};
use moldloft_base::finding::{Finding, FindingOrigin, nearest};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlValue};

use super::diagnostics::{Diagnostics, ValuePath};
use super::list_bounds::report_list_bounds;
use super::scalars::{flag_from_text, number_from_text, scalar, text_from_number};
use super::state::{ResolvedFit, ShipState};

pub const MAX_FITS: usize = 2_000;

pub fn resolve(notes: &mut Diagnostics<'_>, state: &mut ShipState) {
    let (rules, design) = (notes.rules, notes.design);
    let mut given: Vec<Option<&TomlEntry<'static>>> = vec![None; rules.fields.len()];
    for entry in &design.fields {
        match rules.symbols.field_index(&entry.key) {
            Some(n) => given[n] = Some(entry),
            None if notes.is_full() => {}
            None => {
                let (help, near) = suggest_near(&entry.key, rules.fields.iter().map(|field| &field.id));
                let message = format!("unknown field `{}` in {}", shorten(&entry.key), rules.base.title);
                let message = rules.with_removal(message, "field", &entry.key, None);
                let free = near.filter(|near| design.fields.iter().all(|entry| *entry.key != ***near));
                let renamed = free.and_then(|near| Some((ValuePath::Field(near), scalar(&entry.node.data)?)));
                let key = entry.key.as_ref().into();
                notes.error_left_out(
                    "unknown-field",
                    entry.span,
                    None,
                    (message, help),
                    ValuePath::Field(&key).for_unknown_key(renamed),
                );
            }
        }
    }
    for (field, given) in rules.fields.iter().zip(given) {
        let mut chosen = None;
        state.stated_fields.push(given.is_some());
        let value = match given {
            Some(entry) => field_value(notes, state, field, entry, &mut chosen),
            None => {
                if let (FieldKind::Choice(choice), Value::Text(word)) = (&field.kind, &field.default) {
                    chosen = choice.options.iter().position(|option| option.id == *word);
                }
                field.default.clone()
            }
        };
        state.fields.push(value);
        state.chosen.push(chosen);
    }
    if design.fits.len() > MAX_FITS {
        let span = design.fits[MAX_FITS].span;
        let message = format!("{} fits, at most {MAX_FITS} are read", design.fits.len());
        let help = "combine identical fits into one with a count".to_owned();
        notes.error_left_out("too-large", span, None, (message, help), DesignPart::Design);
    }
    for (place, fit) in design.fits.iter().take(MAX_FITS).enumerate() {
        read_fit(notes, state, place, fit);
    }
}

/// Reports a missing value of a field that applies, once.
pub fn report_missing_field(notes: &mut Diagnostics<'_>, field: &FieldDef) {
    let help = match &field.kind {
        FieldKind::Choice(choice) => {
            let words: Vec<_> = choice.options.iter().take(12).map(|option| &*option.id).collect();
            format!("add {} = \"…\" under [fields]; options: {}", field.id, words.join(", "))
        }
        _ => format!("add {} = … under [fields]", field.id),
    };
    notes.error_left_out(
        "field-without-value",
        Span::default(),
        Some(field.label.clone()),
        (format!("missing value for {}", field.label), help),
        DesignPart::Field(field.id.clone()),
    );
}

pub(super) fn wrong_type(
    notes: &mut Diagnostics<'_>,
    node: &TomlNode<'_>,
    what: &str,
    wanted: &str,
    about: impl Into<FindingOrigin>,
) -> Value {
    if notes.is_full() {
        return Value::Null;
    }
    let message = match &node.data {
        TomlValue::Int(number) => format!("{what}: expected {wanted}, found {number}"),
        TomlValue::Float(text) => format!("{what}: expected {wanted}, found {}", shorten(text)),
        data => format!("{what}: expected {wanted}, found {}", data.type_name()),
    };
    notes.error_left_out("wrong-type", node.span, Some(what.into()), (message, String::new()), about);
    Value::Null
}

/// A number out of its range is reported and used; one beyond the language's limits is null.
pub(super) fn integer(
    notes: &mut Diagnostics<'_>,
    node: &TomlNode<'_>,
    (what, item): (&str, &Arc<str>),
    (min, max, why): (Option<i64>, Option<i64>, Option<&str>),
    path: ValuePath<'_>,
) -> Value {
    let within = |number: i64| number.max(min.unwrap_or(i64::MIN)).min(max.unwrap_or(i64::MAX));
    let bound = |number: i64| Some(Scalar::Number(within(number))).filter(|_| within(number) != number);
    let TomlValue::Int(number) = node.data else {
        if let TomlValue::Float(text) = &node.data
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+' || b == b'_')
        {
            let message = format!("{what} = {} has more than 15 digits", shorten(text));
            let about = path.with_value(bound(if text.starts_with('-') { i64::MIN } else { i64::MAX }));
            notes.error_left_out("value-out-of-range", node.span, Some(item.clone()), (message, String::new()), about);
            return Value::Null;
        }
        let meant = number_from_text(&node.data).filter(|number| within(*number) == *number).map(Scalar::Number);
        return wrong_type(notes, node, what, "a whole number", path.with_value(meant));
    };
    if number.unsigned_abs() > MAX_NUMBER {
        if notes.is_full() {
            return Value::Null;
        }
        let help = "use at most 15 digits".to_owned();
        let message = format!("{what} = {number} has more than 15 digits");
        notes.error_left_out(
            "value-out-of-range",
            node.span,
            Some(item.clone()),
            (message, help),
            path.with_value(bound(number)),
        );
        return Value::Null;
    }
    if let Some(bound) = bound(number)
        && !notes.is_full()
    {
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let message = format!("{what} = {number}, expected a number{}{why}", range_text(min, max));
        let about = path.with_value(Some(bound));
        notes.error_left_out("value-out-of-range", node.span, Some(item.clone()), (message, String::new()), about);
    }
    Value::Int(number)
}

/// Longest text in characters, since it becomes one paragraph.
const MAX_TEXT: usize = 16_000;

/// A text, cut to [`MAX_TEXT`] with a finding.
fn design_text(
    notes: &mut Diagnostics<'_>,
    span: Span,
    (what, text): (&str, &str),
    about: impl Into<FindingOrigin>,
) -> Value {
    let Some((end, _)) = text.char_indices().nth(MAX_TEXT) else { return Value::Text(text.into()) };
    if !notes.is_full() {
        let letters = text.chars().count();
        let message = format!("{what}: expected at most {MAX_TEXT} characters, found {letters}; the rest is cut off");
        notes.error_left_out("too-long", span, Some(what.into()), (message, String::new()), about);
    }
    Value::Text(text[..end].into())
}

fn field_value(
    notes: &mut Diagnostics<'_>,
    state: &ShipState,
    field: &FieldDef,
    entry: &TomlEntry<'_>,
    chosen: &mut Option<usize>,
) -> Value {
    let node = &entry.node;
    let path = ValuePath::Field(&field.id);
    match (&field.kind, &node.data) {
        (FieldKind::Choice(choice), TomlValue::Text(word)) => {
            *chosen = choice.options.iter().position(|option| *option.id == **word);
            match *chosen {
                Some(option) => Value::Text(choice.options[option].id.clone()),
                None if notes.is_full() => Value::Null,
                None => {
                    let (mut help, near) = suggest_near(word, choice.options.iter().map(|option| &*option.id));
                    let message = format!("unknown option `{}` for {}", shorten(word), field.label);
                    let removal = notes.rules.removed_by("option", word, Some(&field.id));
                    // What a layer banned is not there: the rest is computed as without it.
                    let default = Some(&field.default).filter(|_| removal.is_some());
                    *chosen = choice.options.iter().position(|option| default == Some(&Value::Text(option.id.clone())));
                    let instead = chosen.map(|option| choice.options[option].id.clone());
                    if let Some(instead) = &instead {
                        help = append_hint(&help, &format!("until then it counts as `{instead}`"));
                    }
                    let message = removal.map_or(message.clone(), |removal| format!("{message}: {removal}"));
                    let item = Some(field.label.clone());
                    notes.error_left_out("unknown-option", node.span, item, (message, help), path.with_near_word(near));
                    instead.map_or(Value::Null, Value::Text)
                }
            }
        }
        (FieldKind::Choice(_), _) => {
            wrong_type(notes, node, &field.label, "one of its options in \"quotes\"", path.subject())
        }
        (FieldKind::Integer { min, max }, _) => {
            integer(notes, node, (&field.label, &field.label), (*min, *max, field.bounds_reason.as_deref()), path)
        }
        (FieldKind::Flag, TomlValue::Flag(flag)) => Value::Flag(*flag),
        (FieldKind::Flag, data) => {
            wrong_type(notes, node, &field.label, "true or false", path.with_value(flag_from_text(data)))
        }
        (FieldKind::Text, TomlValue::Text(text)) => design_text(notes, node.span, (&field.label, text), path.subject()),
        (FieldKind::Text, _) => {
            wrong_type(notes, node, &field.label, "text in \"quotes\"", path.with_value(text_from_number(node)))
        }
        (FieldKind::Rows(columns), TomlValue::List(list)) => {
            if list.len() > MAX_FITS {
                let message = format!("{} has {} rows, at most {MAX_FITS} are read", field.label, list.len());
                let item = Some(field.label.clone());
                notes.error_left_out("too-large", node.span, item, (message, String::new()), path.subject());
            }
            let rows = list
                .iter()
                .take(MAX_FITS)
                .enumerate()
                .filter_map(|(n, row)| read_row(notes, state, field, columns, n, row))
                .collect();
            Value::List(rows)
        }
        (FieldKind::Rows(_), _) => {
            wrong_type(notes, node, &field.label, "a list of rows: [{ … }, { … }]", path.subject())
        }
    }
}

fn read_row(
    notes: &mut Diagnostics<'_>,
    state: &ShipState,
    field: &FieldDef,
    columns: &[FieldColumn],
    n: usize,
    row: &TomlNode<'_>,
) -> Option<Value> {
    let what: Arc<str> = format!("{}, row {}", field.label, n + 1).into();
    let whole = DesignPart::Row { field: field.id.clone(), row: n };
    let TomlValue::Table(table) = &row.data else {
        wrong_type(notes, row, &what, "a table of columns: { … }", whole);
        return None;
    };
    for entry in &table.entries {
        if !columns.iter().any(|column| *column.id == *entry.key) && !notes.is_full() {
            let (help, near) = suggest_near(&entry.key, columns.iter().map(|column| &column.id));
            let message = format!("unknown column `{}` in {}", shorten(&entry.key), field.label);
            let free = near.filter(|near| table.get(near).is_none());
            let renamed = free.and_then(|near| Some((ValuePath::Cell(&field.id, n, near), scalar(&entry.node.data)?)));
            let key = entry.key.as_ref().into();
            let about = ValuePath::Cell(&field.id, n, &key).for_unknown_key(renamed);
            notes.error_left_out("unknown-column", entry.span, Some(what.clone()), (message, help), about);
        }
    }
    let rules = notes.rules;
    let mut entries = Vec::with_capacity(columns.len());
    for column in columns {
        let Some(node) = table.get(&column.id) else {
            let value = column.default.clone().unwrap_or(Value::Null);
            if value == Value::Null && !notes.is_full() {
                let message = format!("{what}: missing value for {}", column.label);
                notes.error_left_out(
                    "row-without-value",
                    row.span,
                    Some(what.clone()),
                    (message, format!("add {} = …", column.id)),
                    whole.clone(),
                );
            }
            entries.push((column.id.clone(), value));
            continue;
        };
        let name = format!("{what}: {}", column.label);
        let path = ValuePath::Cell(&field.id, n, &column.id);
        let unknown =
            |notes: &mut Diagnostics<'_>, code, sort: &str, word: &str, (help, near): (String, Option<&str>)| {
                let message = format!("{what}: unknown {sort} `{}`", shorten(word));
                let message = rules.with_removal(message, sort, word, None);
                notes.error_left_out(code, node.span, Some(what.clone()), (message, help), path.with_near_word(near));
                Value::Null
            };
        let value = match (&column.kind, &node.data) {
            (ColumnKind::Integer { min, max }, _) => integer(notes, node, (&name, &what), (*min, *max, None), path),
            (ColumnKind::Flag, TomlValue::Flag(flag)) => Value::Flag(*flag),
            (ColumnKind::Text, TomlValue::Text(text)) => design_text(notes, node.span, (&name, text), path.subject()),
            (ColumnKind::Mount, TomlValue::Text(word)) => match rules.symbols.mount_index(word) {
                Some(mount) => Value::Text(rules.mounts[mount].id.clone()),
                None if notes.is_full() => Value::Null,
                None => {
                    let known = suggest_near(word, rules.mounts.iter().map(|mount| &*mount.id));
                    unknown(notes, "unknown-mount", "mount", word, known)
                }
            },
            (ColumnKind::System, TomlValue::Text(word)) => match find_system(rules, state, word) {
                Some(_) => Value::Text(word.as_ref().into()),
                None if notes.is_full() => Value::Null,
                // It is reported where the design declares it.
                None if is_like_a_removed_one(notes, word) => Value::Null,
                None => {
                    let known = unknown_system_help(rules, state, word);
                    unknown(notes, "unknown-system", "system", word, known)
                }
            },
            (ColumnKind::Choice(words), TomlValue::Text(word)) => match words.iter().find(|known| ***known == **word) {
                Some(word) => Value::Text(word.clone()),
                None if notes.is_full() => Value::Null,
                None => {
                    let known = suggest_near(word, words.iter().map(|word| &**word));
                    unknown(notes, "unknown-option", column.label.as_ref(), word, known)
                }
            },
            (ColumnKind::Flag, data) => {
                wrong_type(notes, node, &name, "true or false", path.with_value(flag_from_text(data)))
            }
            _ => wrong_type(notes, node, &name, "text in \"quotes\"", whole.clone()),
        };
        entries.push((column.id.clone(), value));
    }
    Some(Value::Record(Arc::new(Record { entries })))
}

fn find_system(rules: &Ruleset, state: &ShipState, word: &str) -> Option<usize> {
    let own = state.custom_systems.iter().position(|own| *own.id == *word).map(|n| n + rules.systems.len());
    own.or_else(|| rules.systems.iter().position(|system| *system.id == *word && !system.is_abstract))
}

/// Whether it is an own system of the design that is like one that a layer removed.
fn is_like_a_removed_one(notes: &Diagnostics<'_>, word: &str) -> bool {
    let own = notes.design.systems.iter().find(|own| *own.id.text == *word);
    let like = own.and_then(|own| own.like.as_ref());
    like.is_some_and(|like| notes.rules.is_removed("system", &like.text))
}

fn unknown_system_help<'s>(rules: &'s Ruleset, state: &'s ShipState, word: &str) -> (String, Option<&'s str>) {
    if rules.systems.iter().any(|system| system.is_open() && *system.id == *word) {
        return (format!("`{word}` is abstract: define your own [[system]] with like = \"{word}\""), None);
    }
    let known = rules
        .systems
        .iter()
        .filter(|system| !system.is_abstract)
        .map(|system| &*system.id)
        .chain(state.custom_systems.iter().map(|own| &*own.id));
    let known: Vec<&str> = known.collect();
    let near = nearest(word, known.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("run `moldloft list systems {}` for all systems", rules.id),
    };
    (help, near)
}

/// A value of a type. Strings of designs are data, never formulas.
pub(super) fn plain_value(
    notes: &mut Diagnostics<'_>,
    node: &TomlNode<'_>,
    what: &str,
    ty: &Type,
    path: ValuePath<'_>,
) -> Value {
    match (ty, &node.data) {
        (Type::Int, _) => integer(notes, node, (what, &what.into()), (None, None, None), path),
        (Type::Flag, TomlValue::Flag(flag)) => Value::Flag(*flag),
        (Type::Flag, data) => wrong_type(notes, node, what, "true or false", path.with_value(flag_from_text(data))),
        (Type::Text(words), TomlValue::Text(text)) => {
            if let Some(words) = words
                && !words.iter().any(|word| **word == **text)
            {
                if notes.is_full() {
                    return Value::Null;
                }
                let (help, near) = suggest_near(text, words.iter().map(|word| &**word));
                let message = format!("{what}: unknown option `{}`", shorten(text));
                notes.error_left_out(
                    "unknown-option",
                    node.span,
                    Some(what.into()),
                    (message, help),
                    path.with_near_word(near),
                );
                return Value::Null;
            }
            Value::Text(text.as_ref().into())
        }
        (Type::Text(_), _) => wrong_type(notes, node, what, "text in \"quotes\"", path.subject()),
        (_, TomlValue::List(list)) => {
            let path = ValuePath::ListItem(&path);
            let item = |node: &TomlNode<'_>, notes: &mut Diagnostics<'_>| match &node.data {
                TomlValue::Text(text) => Value::Text(text.as_ref().into()),
                TomlValue::Flag(flag) => Value::Flag(*flag),
                _ => integer(notes, node, (what, &what.into()), (None, None, None), path),
            };
            Value::List(list.iter().take(MAX_FITS).map(|node| item(node, notes)).collect())
        }
        _ => wrong_type(notes, node, what, "a list", path.subject()),
    }
}

fn read_fit(notes: &mut Diagnostics<'_>, state: &mut ShipState, place: usize, fit: &Fit) {
    let rules = notes.rules;
    let Some(system) = find_system(rules, state, &fit.system.text) else {
        if is_like_a_removed_one(notes, &fit.system.text) || notes.is_full() {
            return;
        }
        let (help, near) = unknown_system_help(rules, state, &fit.system.text);
        let message = format!("unknown system `{}` in {}", shorten(&fit.system.text), rules.base.title);
        let message = rules.with_removal(message, "system", &fit.system.text, None);
        let about = ValuePath::Fit(fit.index, "system").with_near_word(near);
        notes.error_left_out("unknown-system", fit.system.span, None, (message, help), about);
        return report_misspelt_keys(notes, fit);
    };
    let own = system.checked_sub(rules.systems.len());
    let base = own.map_or(system, |n| state.custom_systems[n].base);
    let mount = fit.mount.as_ref().and_then(|word| rules.symbols.mount_index(&word.text));
    let face = state.system(rules, system);
    let name = face.name.clone();
    // Only a fault needs the place.
    let item = || -> Arc<str> {
        let label = mount.map(|n| &*rules.mounts[n].label).or(fit.mount.as_ref().map(|word| &*word.text));
        self::fit_label(&name, label)
    };
    let allowed = |list: &[usize]| list.iter().map(|&n| &*rules.mounts[n].id).collect::<Vec<_>>().join(", ");
    let all = || (0..rules.mounts.len()).collect::<Vec<usize>>();
    let mounts = face.mounts.as_deref();
    let path = ValuePath::Fit(fit.index, "mount");
    // The only mount that it may take, if there is just one.
    let only = || match (mounts, &*rules.mounts) {
        (Some([only]), _) => Some(&*rules.mounts[*only].id),
        (None, [only]) => Some(&*only.id),
        _ => None,
    };
    match (&fit.mount, mount) {
        (None, _) if rules.mounts.is_empty() => {}
        (None, _) | (Some(_), None) if notes.is_full() => {}
        (None, _) => {
            let help = format!("add mount = \"…\"; allowed mounts: {}", allowed(mounts.unwrap_or(&all())));
            let message = format!("missing mount for the {name}");
            notes.error("missing-mount", fit.span, Some(item()), (message, help), path.with_near_word(only()));
        }
        (Some(word), None) => {
            let near = nearest(&word.text, rules.mounts.iter().map(|mount| &*mount.id));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("allowed mounts: {}", allowed(mounts.unwrap_or(&all()))),
            };
            let message = format!("unknown mount `{}`", shorten(&word.text));
            let message = rules.with_removal(message, "mount", &word.text, None);
            let about = path.with_near_word(near.or_else(only));
            notes.error_left_out("unknown-mount", word.span, Some(item()), (message, help), about);
        }
        (Some(word), Some(mount)) => {
            if let Some(mounts) = mounts
                && !mounts.contains(&mount)
                && !notes.is_full()
            {
                let mut message = not_allowed_message(&name, &rules.mounts[mount].label);
                // A custom system may name other mounts; the layer's reason concerns those of its base.
                let why = rules.systems[base].mounts_reason.as_ref();
                if let Some(why) = why.filter(|_| rules.systems[base].mounts.as_deref() == Some(mounts)) {
                    message.push_str(&format!(" ({why})"));
                }
                let help = format!("allowed mounts: {}", allowed(mounts));
                let mut finding = Finding::error("mount-not-allowed", message).help(help);
                finding.rule = Some(rules.location(rules.systems[base].span));
                notes.add(finding, word.span, Some(item()), path.with_near_word(only()));
            }
        }
    }
    let answers = rules.symbols.attributes.len();
    let row = state.answers.len();
    state.answers.resize(row + answers, Value::Null);
    for (answer, rule) in rules.systems[base].attributes.iter().enumerate() {
        if let AttributeRule::Constant(value, ..) = rule {
            state.answers[row + answer] = value.clone();
        }
    }
    let parameters = &rules.systems[base].parameters;
    for parameter in parameters {
        state.answers[row + parameter.attribute] = parameter.default.clone();
    }
    if let Some(own) = own {
        for (answer, value) in &state.custom_systems[own].answers {
            state.answers[row + answer] = value.clone();
        }
    }
    let mut stated = Vec::new();
    for entry in &fit.parameters {
        match parameters.iter().find(|parameter| *parameter.id == *entry.key) {
            Some(parameter) => {
                stated.push(parameter.attribute);
                state.answers[row + parameter.attribute] =
                    parameter_value(notes, parameter, entry, &name, &item, fit.index);
            }
            None if notes.is_full() => {}
            None => {
                let known: Vec<&str> = parameters.iter().map(|p| &*p.id).chain(["system", "mount", "count"]).collect();
                let (help, near) = suggest_near(&entry.key, known.iter().copied());
                let message = format!("unknown parameter `{}` for {}", shorten(&entry.key), shorten(&name));
                let message = rules.with_removal(message, "parameter", &entry.key, Some(&rules.systems[base].id));
                let is_set = |word: &str| {
                    fit.parameters.iter().any(|entry| *entry.key == *word)
                        || word == "system"
                        || (word == "mount" && fit.mount.is_some())
                        || (word == "count" && fit.count != 1)
                };
                let free = near.filter(|near| !is_set(near));
                let renamed = free.and_then(|near| Some((ValuePath::Fit(fit.index, near), scalar(&entry.node.data)?)));
                let about = ValuePath::Fit(fit.index, &entry.key).for_unknown_key(renamed);
                notes.error_left_out("unknown-parameter", entry.span, Some(item()), (message, help), about);
            }
        }
    }
    let mount_id = match (mount, &fit.mount) {
        (Some(mount), _) => rules.mounts[mount].id.clone(),
        (None, Some(word)) => shorten(&word.text).into(),
        (None, None) => "".into(),
    };
    state.fits.push(ResolvedFit {
        system,
        base,
        mount,
        mount_id,
        count: i64::from(fit.count),
        index: place,
        stated_parameters: stated,
    });
}

/// Parameters of an unknown system cannot be checked, but misspelt keys common to all fits are reported.
fn report_misspelt_keys(notes: &mut Diagnostics<'_>, fit: &Fit) {
    let free = ["mount"].into_iter().filter(|_| fit.mount.is_none()).chain(["count"]);
    for entry in &fit.parameters {
        let Some(near) = nearest(&entry.key, free.clone()) else { continue };
        let message = format!("unknown key `{}` in a fit", shorten(&entry.key));
        let renamed = scalar(&entry.node.data).map(|value| (ValuePath::Fit(fit.index, near), value));
        let about = ValuePath::Fit(fit.index, &entry.key).for_unknown_key(renamed);
        let help = format!("did you mean `{near}`?");
        notes.error_left_out(
            "unknown-parameter",
            entry.span,
            Some(shorten(&fit.system.text).into()),
            (message, help),
            about,
        );
    }
}

pub(super) fn parameter_value(
    notes: &mut Diagnostics<'_>,
    parameter: &ParameterDef,
    entry: &TomlEntry<'_>,
    name: &str,
    item: &dyn Fn() -> Arc<str>,
    fit: u32,
) -> Value {
    if let (Type::Int, TomlValue::Int(number)) = (&parameter.ty, &entry.node.data)
        && parameter.min.is_none_or(|min| *number >= min)
        && parameter.max.is_none_or(|max| *number <= max)
        && number.unsigned_abs() <= MAX_NUMBER
    {
        return Value::Int(*number);
    }
    let what = format!("{name}: {}", parameter.label);
    let path = ValuePath::Fit(fit, &parameter.id);
    match parameter.ty {
        Type::Int => {
            let bounds = (parameter.min, parameter.max, parameter.bounds_reason.as_deref());
            integer(notes, &entry.node, (&what, &item()), bounds, path)
        }
        _ => {
            report_list_bounds(notes, parameter, &entry.node, (&what, item), path);
            plain_value(notes, &entry.node, &what, &parameter.ty, path)
        }
    }
}

/// `missile launcher, port`.
pub fn fit_label(name: &str, mount: Option<&str>) -> Arc<str> {
    match mount {
        Some(mount) => format!("{}, {}", shorten(name), shorten(mount)).into(),
        None => shorten(name).into(),
    }
}
