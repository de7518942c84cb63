//! A design's own words under a ruleset: takes fields, own systems and fits, gives them as state, and a finding for each that
//! the ruleset does not know or allow. What cannot be used becomes null and is spoken of once.

use std::sync::Arc;

use crate::design::{Design, Fit};
use crate::finding::{Finding, nearest};
use crate::formula::{Record, Type, Value};
use crate::ruleset::{
    AttributeRule, Choice, Column, ColumnKind, Field, FieldKind, MOST_NUMBER, Parameter, Ruleset, brief, range, suggest,
};
use crate::source::Span;
use crate::source::toml::{Data, Entry, Node};

use super::state::{Fitted, State};

/// The most fits, and the most rows of one field.
pub(crate) const MOST_FITS: usize = 2_000;
const MOST_FINDINGS: usize = 500;

/// The findings of a design, gathered with their places.
pub(crate) struct Notes<'a> {
    pub rules: &'a Ruleset,
    pub design: &'a Design,
    pub found: Vec<Finding>,
    left_out: usize,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(rules: &'a Ruleset, design: &'a Design) -> Self {
        Self { rules, design, found: design.findings.clone(), left_out: 0 }
    }

    pub(crate) fn add(&mut self, finding: Finding, span: Span, item: Option<Arc<str>>) {
        if self.found.len() >= MOST_FINDINGS {
            self.left_out += 1;
            return;
        }
        let mut place = self.design.source.shown(span);
        if span == Span::default() {
            place.shown = None;
        }
        place.item = item;
        self.found.push(finding.at(place));
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        item: Option<Arc<str>>,
        message: String,
        help: String,
    ) {
        let finding = Finding::error(code, message);
        self.add(if help.is_empty() { finding } else { finding.help(help) }, span, item);
    }

    /// Findings of the language in the light in which layers see them.
    fn soften(&mut self) {
        for softened in &self.rules.softened {
            let Some(severity) = softened.severity else {
                self.found.retain(|finding| finding.code != *softened.code);
                continue;
            };
            for finding in self.found.iter_mut().filter(|finding| finding.code == *softened.code) {
                finding.severity = severity;
                let place = self.rules.place(softened.span);
                finding.rule = Some(format!("{place}; house: {}", softened.reason).into());
            }
        }
    }

    /// All findings, errors first, then in file order.
    pub(crate) fn into_found(mut self) -> Vec<Finding> {
        if self.left_out > 0 {
            let message = format!("{} more findings are not shown", self.left_out);
            let place = self.design.source.place(Span::default());
            self.found.push(
                Finding::error("too-many-findings", message).help("mend the first ones and look again").at(place),
            );
        }
        self.soften();
        self.found.sort_by_key(|finding| (finding.severity, finding.at.line, finding.at.column));
        self.found
    }
}

/// Reads the design's fields, systems and fits into the state.
pub(crate) fn read(notes: &mut Notes<'_>, state: &mut State) {
    let (rules, design) = (notes.rules, notes.design);
    super::own::own_systems(notes, state);
    let mut given: Vec<Option<&Entry<'static>>> = vec![None; rules.fields.len()];
    for entry in &design.fields {
        match rules.fields.iter().position(|field| *field.id == *entry.key) {
            Some(n) => given[n] = Some(entry),
            None => {
                let help = suggest(&entry.key, rules.fields.iter().map(|field| &*field.id));
                notes.error(
                    "unknown-field",
                    entry.span,
                    None,
                    format!("{} has no field `{}`", rules.base.title, brief(&entry.key)),
                    help,
                );
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
    let answers = rules.lexicon.answers.len();
    if design.fits.len() > MOST_FITS {
        let span = design.fits[MOST_FITS].span;
        let message = format!("{} fits, at most {MOST_FITS} are looked at", design.fits.len());
        notes.error("too-large", span, None, message, "put what is alike into one fit with a count".to_owned());
    }
    state.answers.reserve(design.fits.len().min(MOST_FITS) * answers);
    for (place, fit) in design.fits.iter().take(MOST_FITS).enumerate() {
        read_fit(notes, state, place, fit);
    }
}

/// A missing value of a field that applies is spoken of once.
pub(crate) fn missing_field(notes: &mut Notes<'_>, field: &Field) {
    let help = match &field.kind {
        FieldKind::Choice(choice) => {
            let words: Vec<_> = choice.options.iter().take(12).map(|option| &*option.id).collect();
            format!("under [fields] write {} = \"…\": {}", field.id, words.join(", "))
        }
        _ => format!("under [fields] write {} = …", field.id),
    };
    notes.error(
        "field-without-value",
        Span::default(),
        Some(field.label.clone()),
        format!("the design does not state its {}", field.label),
        help,
    );
}

pub(super) fn wrong_type(notes: &mut Notes<'_>, node: &Node<'_>, what: &str, wanted: &str) -> Value {
    let message = match &node.data {
        Data::Int(number) => format!("{what} is {wanted}, not {number}"),
        Data::Float(text) => format!("{what} is {wanted}, not {}", brief(text)),
        data => format!("{what} is {wanted}, here it is {}", data.kind()),
    };
    notes.error("wrong-type", node.span, Some(what.into()), message, String::new());
    Value::Null
}

/// A whole number; out of its range it is reported and used, beyond all counting it is null.
pub(super) fn integer(
    notes: &mut Notes<'_>,
    node: &Node<'_>,
    what: &str,
    item: &Arc<str>,
    min: Option<i64>,
    max: Option<i64>,
) -> Value {
    let Data::Int(number) = node.data else {
        if let Data::Float(text) = &node.data
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+' || b == b'_')
        {
            notes.error(
                "value-out-of-range",
                node.span,
                Some(item.clone()),
                format!("{what} = {} is beyond all counting", brief(text)),
                String::new(),
            );
            return Value::Null;
        }
        return wrong_type(notes, node, what, "a whole number");
    };
    if number.unsigned_abs() > MOST_NUMBER {
        let help = "numbers have at most 15 digits here".to_owned();
        notes.error(
            "value-out-of-range",
            node.span,
            Some(item.clone()),
            format!("{what} = {number} is beyond all counting"),
            help,
        );
        return Value::Null;
    }
    if min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
        let message = format!("{what} = {number}, it is a number{}", range(min, max));
        notes.error("value-out-of-range", node.span, Some(item.clone()), message, String::new());
    }
    Value::Int(number)
}

fn field_value(
    notes: &mut Notes<'_>,
    state: &State,
    field: &Field,
    entry: &Entry<'_>,
    chosen: &mut Option<usize>,
) -> Value {
    let node = &entry.node;
    match (&field.kind, &node.data) {
        (FieldKind::Choice(choice), Data::Text(word)) => {
            *chosen = choice.options.iter().position(|option| *option.id == **word);
            match *chosen {
                Some(option) => Value::Text(choice.options[option].id.clone()),
                None => {
                    let help = option_help(choice, word);
                    let message = format!("{} cannot be `{}`", field.label, brief(word));
                    notes.error("unknown-option", node.span, Some(field.label.clone()), message, help);
                    Value::Null
                }
            }
        }
        (FieldKind::Choice(_), _) => wrong_type(notes, node, &field.label, "one of its options, in \"quotes\""),
        (FieldKind::Integer { min, max }, _) => integer(notes, node, &field.label, &field.label, *min, *max),
        (FieldKind::Flag, Data::Flag(flag)) => Value::Flag(*flag),
        (FieldKind::Flag, _) => wrong_type(notes, node, &field.label, "true or false"),
        (FieldKind::Text, Data::Text(text)) => Value::Text(text.as_ref().into()),
        (FieldKind::Text, _) => wrong_type(notes, node, &field.label, "text in \"quotes\""),
        (FieldKind::Rows(columns), Data::List(list)) => {
            if list.len() > MOST_FITS {
                let message = format!("{} has {} rows, at most {MOST_FITS} are looked at", field.label, list.len());
                notes.error("too-large", node.span, Some(field.label.clone()), message, String::new());
            }
            let rows = list
                .iter()
                .take(MOST_FITS)
                .enumerate()
                .filter_map(|(n, row)| read_row(notes, state, field, columns, n, row))
                .collect();
            Value::List(rows)
        }
        (FieldKind::Rows(_), _) => wrong_type(notes, node, &field.label, "a list of rows: [{ … }, { … }]"),
    }
}

fn option_help(choice: &Choice, word: &str) -> String {
    suggest(word, choice.options.iter().map(|option| &*option.id))
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
    let Data::Table(table) = &row.data else {
        wrong_type(notes, row, &what, "a table of columns: { … }");
        return None;
    };
    for entry in &table.entries {
        if !columns.iter().any(|column| *column.id == *entry.key) {
            let help = suggest(&entry.key, columns.iter().map(|column| &*column.id));
            notes.error(
                "unknown-column",
                entry.span,
                Some(what.clone()),
                format!("{} has no column `{}`", field.label, brief(&entry.key)),
                help,
            );
        }
    }
    let rules = notes.rules;
    let mut entries = Vec::with_capacity(columns.len());
    for column in columns {
        let Some(node) = table.get(&column.id) else {
            let value = column.default.clone().unwrap_or(Value::Null);
            if value == Value::Null {
                let message = format!("{what} does not state its {}", column.label);
                notes.error(
                    "row-without-value",
                    row.span,
                    Some(what.clone()),
                    message,
                    format!("add {} = …", column.id),
                );
            }
            entries.push((column.id.clone(), value));
            continue;
        };
        let name = format!("{what}: {}", column.label);
        let unknown = |notes: &mut Notes<'_>, code, sort: &str, word: &str, help: String| {
            let message = format!("{what}: there is no {sort} `{}`", brief(word));
            notes.error(code, node.span, Some(what.clone()), message, help);
            Value::Null
        };
        let value = match (&column.kind, &node.data) {
            (ColumnKind::Integer { min, max }, _) => integer(notes, node, &name, &what, *min, *max),
            (ColumnKind::Flag, Data::Flag(flag)) => Value::Flag(*flag),
            (ColumnKind::Text, Data::Text(text)) => Value::Text(text.as_ref().into()),
            (ColumnKind::Mount, Data::Text(word)) => match rules.lexicon.mount(word) {
                Some(mount) => Value::Text(rules.mounts[mount].id.clone()),
                None => {
                    let help = suggest(word, rules.mounts.iter().map(|mount| &*mount.id));
                    unknown(notes, "unknown-mount", "mount", word, help)
                }
            },
            (ColumnKind::System, Data::Text(word)) => match system_number(rules, state, word) {
                Some(_) => Value::Text(word.as_ref().into()),
                None => {
                    let help = system_help(rules, state, word);
                    unknown(notes, "unknown-system", "system", word, help)
                }
            },
            (ColumnKind::Choice(words), Data::Text(word)) => match words.iter().find(|known| ***known == **word) {
                Some(word) => Value::Text(word.clone()),
                None => {
                    let help = suggest(word, words.iter().map(|word| &**word));
                    unknown(notes, "unknown-option", column.label.as_ref(), word, help)
                }
            },
            (ColumnKind::Flag, _) => wrong_type(notes, node, &name, "true or false"),
            _ => wrong_type(notes, node, &name, "text in \"quotes\""),
        };
        entries.push((column.id.clone(), value));
    }
    Some(Value::Record(Arc::new(Record { entries })))
}

fn system_number(rules: &Ruleset, state: &State, word: &str) -> Option<usize> {
    let own = state.own.iter().position(|own| *own.id == *word).map(|n| n + rules.systems.len());
    own.or_else(|| rules.systems.iter().position(|system| *system.id == *word && !system.is_abstract))
}

fn system_help(rules: &Ruleset, state: &State, word: &str) -> String {
    if rules.systems.iter().any(|system| system.is_abstract && *system.id == *word) {
        return format!("`{word}` is only a kind: define a [[system]] of your own with like = \"{word}\"");
    }
    let known = rules
        .systems
        .iter()
        .filter(|system| !system.is_abstract)
        .map(|system| &*system.id)
        .chain(state.own.iter().map(|own| &*own.id));
    let known: Vec<&str> = known.collect();
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`moldloft list {}` shows all systems", rules.id),
    }
}

/// A plain value of a type: strings of designs are data, never formulas.
pub(super) fn plain(notes: &mut Notes<'_>, node: &Node<'_>, what: &str, ty: &Type) -> Value {
    match (ty, &node.data) {
        (Type::Int, _) => integer(notes, node, what, &what.into(), None, None),
        (Type::Flag, Data::Flag(flag)) => Value::Flag(*flag),
        (Type::Flag, _) => wrong_type(notes, node, what, "true or false"),
        (Type::Text(words), Data::Text(text)) => {
            if let Some(words) = words
                && !words.iter().any(|word| **word == **text)
            {
                let help = suggest(text, words.iter().map(|word| &**word));
                notes.error(
                    "unknown-option",
                    node.span,
                    Some(what.into()),
                    format!("{what} cannot be `{}`", brief(text)),
                    help,
                );
                return Value::Null;
            }
            Value::Text(text.as_ref().into())
        }
        (Type::Text(_), _) => wrong_type(notes, node, what, "text in \"quotes\""),
        (_, Data::List(list)) => {
            let item = |node: &Node<'_>, notes: &mut Notes<'_>| match &node.data {
                Data::Text(text) => Value::Text(text.as_ref().into()),
                Data::Flag(flag) => Value::Flag(*flag),
                _ => integer(notes, node, what, &what.into(), None, None),
            };
            Value::List(list.iter().take(MOST_FITS).map(|node| item(node, notes)).collect())
        }
        _ => wrong_type(notes, node, what, "a list"),
    }
}

fn read_fit(notes: &mut Notes<'_>, state: &mut State, place: usize, fit: &Fit) {
    let rules = notes.rules;
    let Some(system) = system_number(rules, state, &fit.system.text) else {
        let help = system_help(rules, state, &fit.system.text);
        let message = format!("{} has no system `{}`", rules.base.title, brief(&fit.system.text));
        notes.error("unknown-system", fit.system.span, None, message, help);
        return;
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
    match (&fit.mount, mount) {
        (None, _) if rules.mounts.is_empty() => {}
        (None, _) => {
            let help = format!("add a line mount = \"…\": {}", allowed(mounts.unwrap_or(&all())));
            notes.error("missing-mount", fit.span, Some(item()), format!("the {name} stands nowhere"), help);
        }
        (Some(word), None) => {
            let help = match nearest(&word.text, rules.mounts.iter().map(|mount| &*mount.id)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it may stand in: {}", allowed(mounts.unwrap_or(&all()))),
            };
            notes.error(
                "unknown-mount",
                word.span,
                Some(item()),
                format!("there is no mount `{}`", brief(&word.text)),
                help,
            );
        }
        (Some(word), Some(mount)) => {
            if let Some(mounts) = mounts
                && !mounts.contains(&mount)
            {
                let message = format!("{name} cannot stand in {}", rules.mounts[mount].label);
                let help = format!("it may stand in: {}", allowed(mounts));
                let mut finding = Finding::error("mount-not-allowed", message).help(help);
                finding.rule = Some(rules.place(rules.systems[base].span));
                notes.add(finding, word.span, Some(item()));
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
                state.answers[row + parameter.answer] = parameter_value(notes, parameter, entry, &name, &item);
            }
            None => {
                let known: Vec<&str> = parameters.iter().map(|p| &*p.id).chain(["system", "mount", "count"]).collect();
                let help = suggest(&entry.key, known.iter().copied());
                notes.error(
                    "unknown-parameter",
                    entry.span,
                    Some(item()),
                    format!("a {name} has nothing called `{}`", brief(&entry.key)),
                    help,
                );
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

fn parameter_value(
    notes: &mut Notes<'_>,
    parameter: &Parameter,
    entry: &Entry<'_>,
    name: &str,
    item: &dyn Fn() -> Arc<str>,
) -> Value {
    if let (Type::Int, Data::Int(number)) = (&parameter.ty, &entry.node.data)
        && parameter.min.is_none_or(|min| *number >= min)
        && parameter.max.is_none_or(|max| *number <= max)
        && number.unsigned_abs() <= MOST_NUMBER
    {
        return Value::Int(*number);
    }
    let what = format!("{name}: {}", parameter.label);
    match parameter.ty {
        Type::Int => integer(notes, &entry.node, &what, &item(), parameter.min, parameter.max),
        _ => plain(notes, &entry.node, &what, &parameter.ty),
    }
}

/// `missile launcher, port`.
pub(crate) fn item(name: &str, mount: Option<&str>) -> Arc<str> {
    match mount {
        Some(mount) => format!("{name}, {}", brief(mount)).into(),
        None => name.into(),
    }
}
