//! A design's own words under a ruleset: takes fields, own systems and fits, gives them as state, and a finding for each that
//! the ruleset does not know or allow. What cannot be used becomes null and is spoken of once.

use std::sync::Arc;

use crate::design::{Fit, Plain, Subject};
use crate::finding::{Finding, nearest};
use crate::formula::{Record, Type, Value};
use crate::ruleset::{
    AttributeRule, Column, ColumnKind, Field, FieldKind, MOST_NUMBER, Parameter, Ruleset, brief, cannot_stand, range,
    suggest_near,
};
use crate::source::Span;
use crate::source::toml::{Data, Entry, Node};

use super::notes::{About, Notes, Seat};
use super::state::{Fitted, State};

/// The most fits, and the most rows of one field.
pub(crate) const MOST_FITS: usize = 2_000;

/// Reads the design's fields, systems and fits into the state.
pub(crate) fn read(notes: &mut Notes<'_>, state: &mut State) {
    let (rules, design) = (notes.rules, notes.design);
    super::own::own_systems(notes, state);
    let mut given: Vec<Option<&Entry<'static>>> = vec![None; rules.fields.len()];
    for entry in &design.fields {
        match rules.lexicon.field(&entry.key) {
            Some(n) => given[n] = Some(entry),
            None if notes.is_full() => {}
            None => {
                let (help, near) = suggest_near(&entry.key, rules.fields.iter().map(|field| &field.id));
                let message = format!("unknown field `{}` in {}", brief(&entry.key), rules.base.title);
                let message = rules.and_removed(message, "field", &entry.key, None);
                let free = near.filter(|near| design.fields.iter().all(|entry| *entry.key != ***near));
                let renamed = free.and_then(|near| Some((Seat::Field(near), stated(&entry.node.data)?)));
                let key = entry.key.as_ref().into();
                notes.error("unknown-field", entry.span, None, (message, help), Seat::Field(&key).key(renamed));
            }
        }
    }
    for (field, given) in rules.fields.iter().zip(given) {
        let mut chosen = None;
        state.said.push(given.is_some());
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
    if design.fits.len() > MOST_FITS {
        let span = design.fits[MOST_FITS].span;
        let message = format!("{} fits, at most {MOST_FITS} are read", design.fits.len());
        let help = "combine identical fits into one with a count".to_owned();
        notes.error("too-large", span, None, (message, help), Subject::Design);
    }
    for (place, fit) in design.fits.iter().take(MOST_FITS).enumerate() {
        read_fit(notes, state, place, fit);
    }
}

/// A missing value of a field that applies is spoken of once.
pub(crate) fn missing_field(notes: &mut Notes<'_>, field: &Field) {
    let help = match &field.kind {
        FieldKind::Choice(choice) => {
            let words: Vec<_> = choice.options.iter().take(12).map(|option| &*option.id).collect();
            format!("add {} = \"…\" under [fields]; options: {}", field.id, words.join(", "))
        }
        _ => format!("add {} = … under [fields]", field.id),
    };
    notes.error(
        "field-without-value",
        Span::default(),
        Some(field.label.clone()),
        (format!("missing value for {}", field.label), help),
        Subject::Field(field.id.clone()),
    );
}

/// A plain value as it stands in a file.
pub(super) fn stated(data: &Data<'_>) -> Option<Plain> {
    match data {
        Data::Int(number) => Some(Plain::Number(*number)),
        Data::Flag(flag) => Some(Plain::Flag(*flag)),
        Data::Text(text) => Some(Plain::Text(text.as_ref().into())),
        _ => None,
    }
}

/// The number that a text is, for one that stands in quotes.
fn number_meant(data: &Data<'_>) -> Option<i64> {
    let Data::Text(text) = data else { return None };
    text.trim().parse().ok()
}

/// The flag that is meant by what says yes or no in another way.
fn flag_meant(data: &Data<'_>) -> Option<Plain> {
    let flag = match data {
        Data::Int(0) => false,
        Data::Int(1) => true,
        Data::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => true,
            "false" | "no" | "off" => false,
            _ => return None,
        },
        _ => return None,
    };
    Some(Plain::Flag(flag))
}

/// The text that a number is meant to be: what is written there, in quotes.
fn text_meant(node: &Node<'_>) -> Option<Plain> {
    match &node.data {
        Data::Int(number) => Some(Plain::Text(number.to_string().into())),
        _ => None,
    }
}

pub(super) fn wrong_type(
    notes: &mut Notes<'_>,
    node: &Node<'_>,
    what: &str,
    wanted: &str,
    about: impl Into<About>,
) -> Value {
    if notes.is_full() {
        return Value::Null;
    }
    let message = match &node.data {
        Data::Int(number) => format!("{what}: expected {wanted}, found {number}"),
        Data::Float(text) => format!("{what}: expected {wanted}, found {}", brief(text)),
        data => format!("{what}: expected {wanted}, found {}", data.kind()),
    };
    notes.error("wrong-type", node.span, Some(what.into()), (message, String::new()), about);
    Value::Null
}

/// A whole number; out of its range it is reported and used, beyond all counting it is null.
pub(super) fn integer(
    notes: &mut Notes<'_>,
    node: &Node<'_>,
    (what, item): (&str, &Arc<str>),
    (min, max, why): (Option<i64>, Option<i64>, Option<&str>),
    seat: Seat<'_>,
) -> Value {
    let within = |number: i64| number.max(min.unwrap_or(i64::MIN)).min(max.unwrap_or(i64::MAX));
    let bound = |number: i64| Some(Plain::Number(within(number))).filter(|_| within(number) != number);
    let Data::Int(number) = node.data else {
        if let Data::Float(text) = &node.data
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+' || b == b'_')
        {
            let message = format!("{what} = {} has more than 15 digits", brief(text));
            let about = seat.meant(bound(if text.starts_with('-') { i64::MIN } else { i64::MAX }));
            notes.error("value-out-of-range", node.span, Some(item.clone()), (message, String::new()), about);
            return Value::Null;
        }
        let meant = number_meant(&node.data).filter(|number| within(*number) == *number).map(Plain::Number);
        return wrong_type(notes, node, what, "a whole number", seat.meant(meant));
    };
    if number.unsigned_abs() > MOST_NUMBER {
        if notes.is_full() {
            return Value::Null;
        }
        let help = "use at most 15 digits".to_owned();
        let message = format!("{what} = {number} has more than 15 digits");
        notes.error("value-out-of-range", node.span, Some(item.clone()), (message, help), seat.meant(bound(number)));
        return Value::Null;
    }
    if let Some(bound) = bound(number)
        && !notes.is_full()
    {
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let message = format!("{what} = {number}, expected a number{}{why}", range(min, max));
        let about = seat.meant(Some(bound));
        notes.error("value-out-of-range", node.span, Some(item.clone()), (message, String::new()), about);
    }
    Value::Int(number)
}

/// The most letters of a text: more than that cannot be set as one.
const TEXT_MOST: usize = 16_000;

/// A text of a design: what is longer than [`TEXT_MOST`] is cut, and that is reported.
fn words(notes: &mut Notes<'_>, span: Span, (what, text): (&str, &str), about: impl Into<About>) -> Value {
    let Some((end, _)) = text.char_indices().nth(TEXT_MOST) else { return Value::Text(text.into()) };
    if !notes.is_full() {
        let letters = text.chars().count();
        let message = format!("{what}: expected at most {TEXT_MOST} letters, found {letters}; cut the rest");
        notes.error("too-long", span, Some(what.into()), (message, String::new()), about);
    }
    Value::Text(text[..end].into())
}

fn field_value(
    notes: &mut Notes<'_>,
    state: &State,
    field: &Field,
    entry: &Entry<'_>,
    chosen: &mut Option<usize>,
) -> Value {
    let node = &entry.node;
    let seat = Seat::Field(&field.id);
    match (&field.kind, &node.data) {
        (FieldKind::Choice(choice), Data::Text(word)) => {
            *chosen = choice.options.iter().position(|option| *option.id == **word);
            match *chosen {
                Some(option) => Value::Text(choice.options[option].id.clone()),
                None if notes.is_full() => Value::Null,
                None => {
                    let (help, near) = suggest_near(word, choice.options.iter().map(|option| &*option.id));
                    let message = format!("unknown option `{}` for {}", brief(word), field.label);
                    let message = notes.rules.and_removed(message, "option", word, Some(&field.id));
                    let item = Some(field.label.clone());
                    notes.error("unknown-option", node.span, item, (message, help), seat.near(near));
                    Value::Null
                }
            }
        }
        (FieldKind::Choice(_), _) => {
            wrong_type(notes, node, &field.label, "one of its options in \"quotes\"", seat.subject())
        }
        (FieldKind::Integer { min, max }, _) => {
            integer(notes, node, (&field.label, &field.label), (*min, *max, field.bounds_why.as_deref()), seat)
        }
        (FieldKind::Flag, Data::Flag(flag)) => Value::Flag(*flag),
        (FieldKind::Flag, data) => wrong_type(notes, node, &field.label, "true or false", seat.meant(flag_meant(data))),
        (FieldKind::Text, Data::Text(text)) => words(notes, node.span, (&field.label, text), seat.subject()),
        (FieldKind::Text, _) => {
            wrong_type(notes, node, &field.label, "text in \"quotes\"", seat.meant(text_meant(node)))
        }
        (FieldKind::Rows(columns), Data::List(list)) => {
            if list.len() > MOST_FITS {
                let message = format!("{} has {} rows, at most {MOST_FITS} are read", field.label, list.len());
                let item = Some(field.label.clone());
                notes.error("too-large", node.span, item, (message, String::new()), seat.subject());
            }
            let rows = list
                .iter()
                .take(MOST_FITS)
                .enumerate()
                .filter_map(|(n, row)| read_row(notes, state, field, columns, n, row))
                .collect();
            Value::List(rows)
        }
        (FieldKind::Rows(_), _) => {
            wrong_type(notes, node, &field.label, "a list of rows: [{ … }, { … }]", seat.subject())
        }
    }
}

fn read_row(
    notes: &mut Notes<'_>,
    state: &State,
    field: &Field,
    columns: &[Column],
    n: usize,
    row: &Node<'_>,
) -> Option<Value> {
    let what: Arc<str> = format!("{}, row {}", field.label, n + 1).into();
    let whole = Subject::Row { field: field.id.clone(), row: n };
    let Data::Table(table) = &row.data else {
        wrong_type(notes, row, &what, "a table of columns: { … }", whole);
        return None;
    };
    for entry in &table.entries {
        if !columns.iter().any(|column| *column.id == *entry.key) && !notes.is_full() {
            let (help, near) = suggest_near(&entry.key, columns.iter().map(|column| &column.id));
            let message = format!("unknown column `{}` in {}", brief(&entry.key), field.label);
            let free = near.filter(|near| table.get(near).is_none());
            let renamed = free.and_then(|near| Some((Seat::Cell(&field.id, n, near), stated(&entry.node.data)?)));
            let key = entry.key.as_ref().into();
            let about = Seat::Cell(&field.id, n, &key).key(renamed);
            notes.error("unknown-column", entry.span, Some(what.clone()), (message, help), about);
        }
    }
    let rules = notes.rules;
    let mut entries = Vec::with_capacity(columns.len());
    for column in columns {
        let Some(node) = table.get(&column.id) else {
            let value = column.default.clone().unwrap_or(Value::Null);
            if value == Value::Null && !notes.is_full() {
                let message = format!("{what}: missing value for {}", column.label);
                notes.error(
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
        let seat = Seat::Cell(&field.id, n, &column.id);
        let unknown = |notes: &mut Notes<'_>, code, sort: &str, word: &str, (help, near): (String, Option<&str>)| {
            let message = format!("{what}: unknown {sort} `{}`", brief(word));
            let message = rules.and_removed(message, sort, word, None);
            notes.error(code, node.span, Some(what.clone()), (message, help), seat.near(near));
            Value::Null
        };
        let value = match (&column.kind, &node.data) {
            (ColumnKind::Integer { min, max }, _) => integer(notes, node, (&name, &what), (*min, *max, None), seat),
            (ColumnKind::Flag, Data::Flag(flag)) => Value::Flag(*flag),
            (ColumnKind::Text, Data::Text(text)) => words(notes, node.span, (&name, text), seat.subject()),
            (ColumnKind::Mount, Data::Text(word)) => match rules.lexicon.mount(word) {
                Some(mount) => Value::Text(rules.mounts[mount].id.clone()),
                None if notes.is_full() => Value::Null,
                None => {
                    let known = suggest_near(word, rules.mounts.iter().map(|mount| &*mount.id));
                    unknown(notes, "unknown-mount", "mount", word, known)
                }
            },
            (ColumnKind::System, Data::Text(word)) => match system_number(rules, state, word) {
                Some(_) => Value::Text(word.as_ref().into()),
                None if notes.is_full() => Value::Null,
                None => {
                    let known = system_help(rules, state, word);
                    unknown(notes, "unknown-system", "system", word, known)
                }
            },
            (ColumnKind::Choice(words), Data::Text(word)) => match words.iter().find(|known| ***known == **word) {
                Some(word) => Value::Text(word.clone()),
                None if notes.is_full() => Value::Null,
                None => {
                    let known = suggest_near(word, words.iter().map(|word| &**word));
                    unknown(notes, "unknown-option", column.label.as_ref(), word, known)
                }
            },
            (ColumnKind::Flag, data) => wrong_type(notes, node, &name, "true or false", seat.meant(flag_meant(data))),
            _ => wrong_type(notes, node, &name, "text in \"quotes\"", whole.clone()),
        };
        entries.push((column.id.clone(), value));
    }
    Some(Value::Record(Arc::new(Record { entries })))
}

fn system_number(rules: &Ruleset, state: &State, word: &str) -> Option<usize> {
    let own = state.own.iter().position(|own| *own.id == *word).map(|n| n + rules.systems.len());
    own.or_else(|| rules.systems.iter().position(|system| *system.id == *word && !system.is_abstract))
}

/// What to do about a system that nobody knows, and the near word.
fn system_help<'s>(rules: &'s Ruleset, state: &'s State, word: &str) -> (String, Option<&'s str>) {
    if rules.systems.iter().any(|system| system.is_abstract && *system.id == *word) {
        return (format!("`{word}` is abstract: define your own [[system]] with like = \"{word}\""), None);
    }
    let known = rules
        .systems
        .iter()
        .filter(|system| !system.is_abstract)
        .map(|system| &*system.id)
        .chain(state.own.iter().map(|own| &*own.id));
    let known: Vec<&str> = known.collect();
    let near = nearest(word, known.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("run `moldloft list {}` for all systems", rules.id),
    };
    (help, near)
}

/// A plain value of a type: strings of designs are data, never formulas.
pub(super) fn plain(notes: &mut Notes<'_>, node: &Node<'_>, what: &str, ty: &Type, seat: Seat<'_>) -> Value {
    match (ty, &node.data) {
        (Type::Int, _) => integer(notes, node, (what, &what.into()), (None, None, None), seat),
        (Type::Flag, Data::Flag(flag)) => Value::Flag(*flag),
        (Type::Flag, data) => wrong_type(notes, node, what, "true or false", seat.meant(flag_meant(data))),
        (Type::Text(words), Data::Text(text)) => {
            if let Some(words) = words
                && !words.iter().any(|word| **word == **text)
            {
                if notes.is_full() {
                    return Value::Null;
                }
                let (help, near) = suggest_near(text, words.iter().map(|word| &**word));
                let message = format!("{what}: unknown option `{}`", brief(text));
                notes.error("unknown-option", node.span, Some(what.into()), (message, help), seat.near(near));
                return Value::Null;
            }
            Value::Text(text.as_ref().into())
        }
        (Type::Text(_), _) => wrong_type(notes, node, what, "text in \"quotes\"", seat.subject()),
        (_, Data::List(list)) => {
            let seat = Seat::Within(&seat);
            let item = |node: &Node<'_>, notes: &mut Notes<'_>| match &node.data {
                Data::Text(text) => Value::Text(text.as_ref().into()),
                Data::Flag(flag) => Value::Flag(*flag),
                _ => integer(notes, node, (what, &what.into()), (None, None, None), seat),
            };
            Value::List(list.iter().take(MOST_FITS).map(|node| item(node, notes)).collect())
        }
        _ => wrong_type(notes, node, what, "a list", seat.subject()),
    }
}

fn read_fit(notes: &mut Notes<'_>, state: &mut State, place: usize, fit: &Fit) {
    let rules = notes.rules;
    let Some(system) = system_number(rules, state, &fit.system.text) else {
        if notes.is_full() {
            return;
        }
        let (help, near) = system_help(rules, state, &fit.system.text);
        let message = format!("unknown system `{}` in {}", brief(&fit.system.text), rules.base.title);
        let message = rules.and_removed(message, "system", &fit.system.text, None);
        let about = Seat::Fit(fit.index, "system").near(near);
        notes.error("unknown-system", fit.system.span, None, (message, help), about);
        return misspelt_keys(notes, fit);
    };
    let own = system.checked_sub(rules.systems.len());
    let base = own.map_or(system, |n| state.own[n].base);
    let mount = fit.mount.as_ref().and_then(|word| rules.lexicon.mount(&word.text));
    let face = state.system(rules, system);
    let name = face.name.clone();
    // Only a fault needs to be told where it is.
    let item = || -> Arc<str> {
        let label = mount.map(|n| &*rules.mounts[n].label).or(fit.mount.as_ref().map(|word| &*word.text));
        self::item(&name, label)
    };
    let allowed = |list: &[usize]| list.iter().map(|&n| &*rules.mounts[n].id).collect::<Vec<_>>().join(", ");
    let all = || (0..rules.mounts.len()).collect::<Vec<usize>>();
    let mounts = face.mounts.as_deref();
    let seat = Seat::Fit(fit.index, "mount");
    // The only mount that it may take, if it may take but one.
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
            notes.error("missing-mount", fit.span, Some(item()), (message, help), seat.near(only()));
        }
        (Some(word), None) => {
            let near = nearest(&word.text, rules.mounts.iter().map(|mount| &*mount.id));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("allowed mounts: {}", allowed(mounts.unwrap_or(&all()))),
            };
            let message = format!("unknown mount `{}`", brief(&word.text));
            let message = rules.and_removed(message, "mount", &word.text, None);
            let about = seat.near(near.or_else(only));
            notes.error("unknown-mount", word.span, Some(item()), (message, help), about);
        }
        (Some(word), Some(mount)) => {
            if let Some(mounts) = mounts
                && !mounts.contains(&mount)
                && !notes.is_full()
            {
                let mut message = cannot_stand(&name, &rules.mounts[mount].label);
                // A design's own system may name other mounts; the layer's reason is about those of the kind.
                let why = rules.systems[base].mounts_why.as_ref();
                if let Some(why) = why.filter(|_| rules.systems[base].mounts.as_deref() == Some(mounts)) {
                    message.push_str(&format!(" ({why})"));
                }
                let help = format!("allowed mounts: {}", allowed(mounts));
                let mut finding = Finding::error("mount-not-allowed", message).help(help);
                finding.rule = Some(rules.place(rules.systems[base].span));
                notes.add(finding, word.span, Some(item()), seat.near(only()));
            }
        }
    }
    let answers = rules.lexicon.answers.len();
    let row = state.answers.len();
    state.answers.resize(row + answers, Value::Null);
    for (answer, rule) in rules.systems[base].attributes.iter().enumerate() {
        if let AttributeRule::Is(value, ..) = rule {
            state.answers[row + answer] = value.clone();
        }
    }
    let parameters = &rules.systems[base].parameters;
    for parameter in parameters {
        state.answers[row + parameter.answer] = parameter.default.clone();
    }
    if let Some(own) = own {
        for (answer, value) in &state.own[own].answers {
            state.answers[row + answer] = value.clone();
        }
    }
    let mut said = Vec::new();
    for entry in &fit.parameters {
        match parameters.iter().find(|parameter| *parameter.id == *entry.key) {
            Some(parameter) => {
                said.push(parameter.answer);
                state.answers[row + parameter.answer] =
                    parameter_value(notes, parameter, entry, &name, &item, fit.index);
            }
            None if notes.is_full() => {}
            None => {
                let known: Vec<&str> = parameters.iter().map(|p| &*p.id).chain(["system", "mount", "count"]).collect();
                let (help, near) = suggest_near(&entry.key, known.iter().copied());
                let message = format!("unknown parameter `{}` for {}", brief(&entry.key), brief(&name));
                let message = rules.and_removed(message, "parameter", &entry.key, Some(&rules.systems[base].id));
                let stands = |word: &str| {
                    fit.parameters.iter().any(|entry| *entry.key == *word)
                        || word == "system"
                        || (word == "mount" && fit.mount.is_some())
                        || (word == "count" && fit.count != 1)
                };
                let free = near.filter(|near| !stands(near));
                let renamed = free.and_then(|near| Some((Seat::Fit(fit.index, near), stated(&entry.node.data)?)));
                let about = Seat::Fit(fit.index, &entry.key).key(renamed);
                notes.error("unknown-parameter", entry.span, Some(item()), (message, help), about);
            }
        }
    }
    let mount_id = match (mount, &fit.mount) {
        (Some(mount), _) => rules.mounts[mount].id.clone(),
        (None, Some(word)) => brief(&word.text).into(),
        (None, None) => "".into(),
    };
    state.fits.push(Fitted { system, base, mount, mount_id, count: i64::from(fit.count), place, said });
}

/// Of a fit whose system nobody knows the parameters cannot be judged, but a slip in a key that every fit has is told all the same.
fn misspelt_keys(notes: &mut Notes<'_>, fit: &Fit) {
    let free = ["mount"].into_iter().filter(|_| fit.mount.is_none()).chain(["count"]);
    for entry in &fit.parameters {
        let Some(near) = nearest(&entry.key, free.clone()) else { continue };
        let message = format!("unknown key `{}` in a fit", brief(&entry.key));
        let renamed = stated(&entry.node.data).map(|value| (Seat::Fit(fit.index, near), value));
        let about = Seat::Fit(fit.index, &entry.key).key(renamed);
        let help = format!("did you mean `{near}`?");
        notes.error("unknown-parameter", entry.span, Some(brief(&fit.system.text).into()), (message, help), about);
    }
}

pub(super) fn parameter_value(
    notes: &mut Notes<'_>,
    parameter: &Parameter,
    entry: &Entry<'_>,
    name: &str,
    item: &dyn Fn() -> Arc<str>,
    fit: u32,
) -> Value {
    if let (Type::Int, Data::Int(number)) = (&parameter.ty, &entry.node.data)
        && parameter.min.is_none_or(|min| *number >= min)
        && parameter.max.is_none_or(|max| *number <= max)
        && number.unsigned_abs() <= MOST_NUMBER
    {
        return Value::Int(*number);
    }
    let what = format!("{name}: {}", parameter.label);
    let seat = Seat::Fit(fit, &parameter.id);
    match parameter.ty {
        Type::Int => {
            let bounds = (parameter.min, parameter.max, parameter.bounds_why.as_deref());
            integer(notes, &entry.node, (&what, &item()), bounds, seat)
        }
        _ => plain(notes, &entry.node, &what, &parameter.ty, seat),
    }
}

/// `missile launcher, port`.
pub(crate) fn item(name: &str, mount: Option<&str>) -> Arc<str> {
    match mount {
        Some(mount) => format!("{}, {}", brief(name), brief(mount)).into(),
        None => brief(name).into(),
    }
}
