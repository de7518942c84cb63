//! The first pass: every id and its type, before any formula is compiled. Takes the tables of settings, fields, mounts,
//! systems and tables, gives them without their formulas, and fills the lexicon.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::formula::{Type, Value};
use crate::source::Span;
use crate::source::toml::{Data, Entry, Table};

use super::formulas::{common, fits};
use super::{Compiler, words};
use crate::ruleset::drawn::BoxShape;
use crate::ruleset::lexicon::SystemName;
use crate::ruleset::model::{
    Answer, AttributeRule, Choice, Column, ColumnKind, Field, FieldKind, Mount, Opt, Parameter, Setting, System,
};
use crate::ruleset::names::MOST;
use crate::ruleset::reader::{PROVENANCE, Reader, brief, suggest};
use crate::ruleset::why::written_why;

/// A thing's id and its table.
pub(super) type Thing<'t, 'c> = (Arc<str>, Reader<'t, 'c>);

/// Values that the options of one choice may hold in all.
const MOST_CELLS: usize = 500_000;

const KINDS: [(&str, Type); 4] =
    [("integer", Type::Int), ("flag", Type::Flag), ("text", Type::Text(None)), ("choice", Type::Text(None))];
/// Of a parameter: beside those, a list of whole numbers.
const NUMBERS: usize = KINDS.len();

impl Compiler<'_> {
    /// `[attributes]`: what every system answers. `mass = 0`, or `arc = { type = "text", default = "" }`.
    pub(super) fn attributes(&mut self, root: &Table<'_>) {
        let Some(node) = root.get("attributes") else { return };
        let Data::Table(table) = &node.data else {
            self.problems.error("wrong-type", node.span, "expected a table for [attributes]", "");
            return;
        };
        for Entry { key, span, node } in &table.entries {
            if !self.good_id(key, *span, false) || self.taken(key, *span) {
                continue;
            }
            let what = format!("[attributes] {key}");
            let (ty, default) = match &node.data {
                Data::Table(table) => {
                    let reader = Reader::new(table, what.clone(), self.problems);
                    let kinds: [(&str, u8); 4] = [("integer", 0), ("text", 1), ("flag", 2), ("list", 3)];
                    let kind = reader.one_of("type", &kinds);
                    let default = reader.node("default").and_then(|node| self.plain(&what, node));
                    let options = reader
                        .texts("options")
                        .map(|list| list.into_iter().map(|(word, _)| word).collect::<Arc<[_]>>());
                    let _ = (reader.words("unit"), reader.words("label"));
                    reader.finish();
                    let ty = match kind {
                        Some(0) => Type::Int,
                        Some(1) => Type::Text(options),
                        Some(2) => Type::Flag,
                        Some(_) => Type::List(Box::new(Type::Any)),
                        None => match &default {
                            Some(Value::Text(_)) => Type::Text(options),
                            Some(Value::Flag(_)) => Type::Flag,
                            Some(Value::List(_)) => Type::List(Box::new(Type::Any)),
                            _ => Type::Int,
                        },
                    };
                    let default = default.unwrap_or_else(|| empty(&ty));
                    if !fits(&default, &ty) {
                        self.wrong_kind(&what, node, &ty);
                        continue;
                    }
                    (ty, default)
                }
                _ => {
                    let Some(default) = self.plain(&what, node) else { continue };
                    (common(std::iter::once(&default)), default)
                }
            };
            self.lexicon.answers.push(Answer { id: key.as_ref().into(), ty, default: Some(default) });
        }
    }

    /// Words that cannot be parameters or attributes.
    fn taken(&self, id: &str, span: Span) -> bool {
        let taken = [
            "id",
            "system",
            "mount",
            "count",
            "name",
            "abbr",
            "tags",
            "whole",
            "label",
            "like",
            "icon",
            "shape",
            "mounts",
            "parameters",
            "rule",
            "abstract",
            "after",
            "assumed",
            "derived",
            "house",
            "published",
            "mount_label",
        ]
        .contains(&id);
        if taken {
            self.problems.error("bad-id", span, format!("`{id}` is a reserved name"), "use another name");
        }
        taken
    }

    fn choice(&self, reader: &Reader<'_, '_>) -> Option<Choice> {
        let table = reader.table("options")?;
        let mut choice = Choice::default();
        let mut given: Vec<Vec<(Arc<str>, Value)>> = Vec::new();
        for Entry { key, span, node } in &table.entries {
            if !self.good_id(key, *span, true) {
                continue;
            }
            let what = format!("{}: option `{key}`", reader.what);
            let mut option = Opt { id: key.as_ref().into(), label: words(key), values: Vec::new(), marks: Vec::new() };
            let mut attributes = Vec::new();
            match &node.data {
                Data::Table(table) => {
                    for Entry { key, span, node } in &table.entries {
                        match (key.as_ref(), &node.data) {
                            ("label", Data::Text(text)) => option.label = text.as_ref().into(),
                            ("label", _) => self.wrong_kind(&what, node, &Type::Text(None)),
                            (key, _) if PROVENANCE.contains(&key) => {}
                            (key, _) => {
                                if self.good_id(key, *span, false)
                                    && let Some(value) = self.plain(&what, node)
                                {
                                    attributes.push((Arc::from(key), value));
                                }
                            }
                        }
                    }
                }
                Data::Text(text) => option.label = text.as_ref().into(),
                _ => self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{what}: expected a table, such as {{ label = \"…\" }}"),
                    "",
                ),
            }
            choice.options.push(option);
            given.push(attributes);
        }
        // What each option says of each attribute, by the attributes' order.
        let mut places: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut said: Vec<Vec<(usize, &Value)>> = Vec::new();
        for (option, given) in given.iter().enumerate() {
            for (id, value) in given {
                let next = places.len();
                let place = *places.entry(id.clone()).or_insert(next);
                if place == next {
                    choice.attributes.push((id.clone(), Type::Any));
                    said.push(Vec::new());
                }
                said[place].push((option, value));
            }
        }
        let cells = choice.options.len().saturating_mul(choice.attributes.len());
        if cells > MOST_CELLS {
            let message = format!(
                "{}: {} options with {} keys each, at most {MOST_CELLS} in all are allowed",
                reader.what,
                choice.options.len(),
                choice.attributes.len()
            );
            self.problems.error("too-large", reader.span(), message, "remove keys, or split the choice");
            return Some(choice);
        }
        for ((id, ty), said) in choice.attributes.iter_mut().zip(&said) {
            *ty = common(said.iter().map(|(_, value)| *value));
            if *ty == Type::Any {
                self.problems.error(
                    "wrong-type",
                    reader.span(),
                    format!("{}: `{id}` has different types in its options", reader.what),
                    "",
                );
            }
            // An option that does not speak of it has nothing of it.
            let empty = empty(ty);
            for option in &mut choice.options {
                option.values.push(empty.clone());
            }
            for (option, value) in said {
                if let Some(last) = choice.options[*option].values.last_mut() {
                    *last = (*value).clone();
                }
            }
            if *ty == Type::Text(None) {
                let words = choice.options.iter().filter_map(|o| {
                    if let Some(Value::Text(word)) = o.values.last() { Some(word.clone()) } else { None }
                });
                let mut words: Vec<_> = words.collect();
                words.sort();
                words.dedup();
                *ty = Type::Text(Some(words.into()));
            }
        }
        if choice.options.is_empty() || choice.options.len() >= MOST || choice.attributes.len() >= MOST {
            self.problems.error("missing-key", table.span, format!("{}: no options, or too many", reader.what), "");
        }
        Some(choice)
    }

    pub(super) fn settings(&mut self, things: &[Thing<'_, '_>]) -> Vec<Setting> {
        let mut settings = Vec::new();
        for (id, reader) in things {
            let choice = self.choice(reader);
            let label = reader.words("label").unwrap_or_else(|| words(id));
            let (min, max) = reader.bounds();
            let (value, ty) = match &choice {
                Some(choice) => (self.chosen(reader, choice), option_words(choice)),
                None => (reader.required("default", reader.int("default")).map_or(Value::Null, Value::Int), Type::Int),
            };
            let attributes = choice.as_ref().map(|choice| choice.attributes.clone());
            self.lexicon.settings.push((id.clone(), ty, attributes));
            settings.push(Setting {
                id: id.clone(),
                label,
                choice,
                value,
                min,
                max,
                marks: Vec::new(),
                span: reader.span(),
            });
        }
        settings
    }

    /// The option that `default` names.
    fn chosen(&self, reader: &Reader<'_, '_>, choice: &Choice) -> Value {
        let Some((word, span)) = reader.text("default") else { return Value::Null };
        match choice.options.iter().find(|option| option.id == word) {
            Some(option) => Value::Text(option.id.clone()),
            None => {
                let help = suggest(&word, choice.options.iter().map(|option| &*option.id));
                self.problems.error(
                    "unknown-option",
                    span,
                    format!("{}: unknown option `{}`", reader.what, brief(&word)),
                    help,
                );
                Value::Null
            }
        }
    }

    pub(super) fn fields(&mut self, things: &[Thing<'_, '_>]) -> Vec<Field> {
        let mut fields = Vec::new();
        for (id, reader) in things {
            let kinds: [(&str, u8); 5] = [("choice", 0), ("integer", 1), ("flag", 2), ("text", 3), ("rows", 4)];
            let kind = reader.required("kind", reader.one_of("kind", &kinds));
            let label = reader.words("label").unwrap_or_else(|| words(id));
            let help = reader.words("help");
            let mut columns = Vec::new();
            let mut attributes = None;
            let (kind, default, ty) = match kind {
                Some(0) => {
                    let choice = reader.required("options", self.choice(reader)).unwrap_or_default();
                    let default = self.chosen(reader, &choice);
                    attributes = Some(choice.attributes.clone());
                    let ty = option_words(&choice);
                    (FieldKind::Choice(choice), default, ty)
                }
                Some(1) => {
                    let (min, max) = reader.bounds();
                    (FieldKind::Integer { min, max }, reader.int("default").map_or(Value::Null, Value::Int), Type::Int)
                }
                Some(2) => (FieldKind::Flag, Value::Flag(reader.flag("default").unwrap_or(false)), Type::Flag),
                Some(4) => {
                    let list = self.columns(reader);
                    columns = list.iter().map(|column| (column.id.clone(), self.column_type(&column.kind))).collect();
                    let ty = Type::List(Box::new(Type::Record(columns.clone().into())));
                    if reader.list("default").is_some_and(|list| !list.is_empty()) {
                        self.problems.error(
                            "wrong-type",
                            reader.span(),
                            format!("{}: rows have no default: use default = []", reader.what),
                            "",
                        );
                    }
                    (FieldKind::Rows(list), Value::List(Arc::new([])), ty)
                }
                _ => (FieldKind::Text, reader.words("default").map_or(Value::Null, Value::Text), Type::Text(None)),
            };
            self.lexicon.fields.push((id.clone(), ty, attributes));
            self.lexicon.columns.push(columns);
            fields.push(Field {
                id: id.clone(),
                label,
                kind,
                default,
                shown_when: None,
                help,
                bounds_why: self.why(reader, &["max", "min"]),
                marks: Vec::new(),
                span: reader.span(),
            });
        }
        fields
    }

    /// Which layer wrote one of these keys, and why.
    fn why(&self, reader: &Reader<'_, '_>, keys: &[&str]) -> Option<Arc<str>> {
        let spans = keys.iter().filter_map(|key| reader.table.get(key)).map(|node| node.span);
        spans.filter_map(|span| written_why(&self.index, &self.statements, &self.layers, span)).next().map(Into::into)
    }

    fn columns(&self, reader: &Reader<'_, '_>) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        let mut seen = BTreeSet::new();
        for node in reader.required("columns", reader.list("columns")).unwrap_or_default() {
            let Data::Table(table) = &node.data else {
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{}: expected a table for a column: {{ id, kind }}", reader.what),
                    "",
                );
                continue;
            };
            let column = Reader::new(table, format!("{}: column", reader.what), self.problems);
            let Some((id, span)) = column.required("id", column.text("id")) else { continue };
            let kinds: [(&str, u8); 6] =
                [("integer", 0), ("flag", 1), ("text", 2), ("mount", 3), ("system", 4), ("choice", 5)];
            let kind = column.required("kind", column.one_of("kind", &kinds));
            let (min, max) = column.bounds();
            let options = column.texts("options").unwrap_or_default();
            let default = column.node("default").and_then(|node| self.plain(&column.what, node));
            let label = column.words("label").unwrap_or_else(|| words(&id));
            column.finish();
            let kind = match kind {
                Some(0) => ColumnKind::Integer { min, max },
                Some(1) => ColumnKind::Flag,
                Some(3) => ColumnKind::Mount,
                Some(4) => ColumnKind::System,
                Some(5) => ColumnKind::Choice(options.into_iter().map(|(word, _)| word).collect()),
                _ => ColumnKind::Text,
            };
            if seen.contains(&id) {
                self.problems.error(
                    "duplicate-id",
                    span,
                    format!("{}: duplicate column `{}`", reader.what, brief(&id)),
                    "",
                );
            } else if self.good_id(&id, span, false) {
                seen.insert(id.clone());
                columns.push(Column { id, label, kind, default });
            }
        }
        columns
    }

    fn column_type(&self, kind: &ColumnKind) -> Type {
        match kind {
            ColumnKind::Integer { .. } => Type::Int,
            ColumnKind::Flag => Type::Flag,
            // A system may be the design's own, which no ruleset knows; a mount's words come after the fields and are checked in the design.
            ColumnKind::Text | ColumnKind::Mount | ColumnKind::System => Type::Text(None),
            ColumnKind::Choice(words) => Type::Text(Some(words.clone())),
        }
    }

    pub(super) fn mounts(&mut self, things: &[Thing<'_, '_>]) -> Vec<Mount> {
        let mut mounts = Vec::new();
        for (id, reader) in things {
            let tags: Arc<[Arc<str>]> =
                reader.texts("tags").unwrap_or_default().into_iter().map(|(tag, _)| tag).collect();
            self.lexicon.mounts.push((id.clone(), tags.clone()));
            let label = reader.words("label").unwrap_or_else(|| words(id));
            mounts.push(Mount { id: id.clone(), label, tags, mirror: None, plan: None, shown_when: None });
        }
        for (mount, (_, reader)) in mounts.iter_mut().zip(things) {
            if let Some((word, span)) = reader.text("mirror") {
                mount.mirror = self.lexicon.mount(&word);
                if mount.mirror.is_none() {
                    let help = suggest(
                        &word,
                        self.lexicon.mounts.iter().map(|(id, _)| &**id).collect::<Vec<_>>().iter().copied(),
                    );
                    self.problems.error("unknown-mount", span, format!("unknown mount `{}`", brief(&word)), help);
                }
            }
        }
        mounts
    }

    pub(super) fn systems(&mut self, things: &[Thing<'_, '_>]) -> Vec<System> {
        let mut systems = Vec::new();
        let mut known_tags: BTreeMap<Arc<str>, u32> = BTreeMap::new();
        for (id, reader) in things {
            let tags: Arc<[Arc<str>]> =
                reader.texts("tags").unwrap_or_default().into_iter().map(|(tag, _)| tag).collect();
            let mut tag_ids = Vec::new();
            for tag in tags.iter() {
                let number = *known_tags.entry(tag.clone()).or_insert_with(|| {
                    self.lexicon.tags.push(tag.clone());
                    self.lexicon.tags.len() as u32 - 1
                });
                tag_ids.push(number);
            }
            let mounts = reader.texts("mounts").map(|list| {
                let mut all = Vec::new();
                for (word, span) in list {
                    match self.lexicon.mounts_of(&word) {
                        Ok(found) => all.extend(found),
                        Err(help) => self.problems.error(
                            "unknown-mount",
                            span,
                            format!("{}: unknown mount `{}`", reader.what, brief(&word)),
                            help,
                        ),
                    }
                }
                all
            });
            let parameters = self.parameters(reader);
            self.lexicon.systems.push(SystemName {
                id: id.clone(),
                tags: tags.clone(),
                parameters: parameters.iter().map(|parameter| parameter.answer).collect(),
            });
            systems.push(System {
                id: id.clone(),
                name: reader.words("name").unwrap_or_else(|| words(id)),
                abbr: reader.words("abbr").unwrap_or_default(),
                icon: reader.words("icon"),
                shape: reader.one_of("shape", &BoxShape::ALL).unwrap_or_default(),
                tags,
                mounts,
                mounts_why: self.why(reader, &["mounts"]),
                is_abstract: reader.flag("abstract").unwrap_or(false),
                parameters,
                attributes: Vec::new(),
                rule: reader.words("rule"),
                tag_ids,
                marks: Vec::new(),
                span: reader.span(),
            });
        }
        for system in &mut systems {
            system.attributes = vec![AttributeRule::None; self.lexicon.answers.len()];
        }
        systems
    }

    fn parameters(&mut self, reader: &Reader<'_, '_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let Some(table) = reader.table("parameters") else { return parameters };
        for Entry { key, span, node } in &table.entries {
            if !self.good_id(key, *span, false) || self.taken(key, *span) {
                continue;
            }
            let what = format!("{}: parameter `{key}`", reader.what);
            let Data::Table(table) = &node.data else {
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{what}: expected a table, such as {{ default = 0, min = 0 }}"),
                    "",
                );
                continue;
            };
            let one = Reader::new(table, what, self.problems);
            let kind = one
                .one_of("kind", &[("integer", 0usize), ("flag", 1), ("text", 2), ("choice", 3), ("numbers", NUMBERS)]);
            let per_fit = one.one_of("per", &[("each", false), ("fit", true)]).unwrap_or(false);
            let load = one.flag("load").unwrap_or(false);
            let options = one.texts("options");
            let default = one.node("default").and_then(|node| self.plain(&one.what, node));
            let label = one.words("label").unwrap_or_else(|| words(key));
            let (min, max) = one.bounds();
            let bounds_why = self.why(&one, &["max", "min"]);
            one.finish();
            let ty = match (kind, options, &default) {
                (Some(3), Some(words), _) | (None, Some(words), _) => {
                    Type::Text(Some(words.into_iter().map(|(word, _)| word).collect()))
                }
                (Some(NUMBERS), _, _) => Type::list_of(Type::Int),
                (Some(kind), _, _) => KINDS[kind].1.clone(),
                (None, None, Some(default)) => common(std::iter::once(default)),
                (None, None, None) => Type::Int,
            };
            let default = default.unwrap_or_else(|| empty(&ty));
            let text = matches!((&default, &ty), (Value::Text(word), Type::Text(Some(_))) if word.is_empty());
            if !fits(&default, &ty) && !text {
                self.wrong_kind(&one.what, node, &ty);
            }
            let answer = match self.lexicon.answer(key) {
                Some(n) => {
                    let known = &self.lexicon.answers[n];
                    if known.default.is_some() || known.ty != ty {
                        let (message, help) = self.other_meaning(n, &ty);
                        self.problems.error("duplicate-id", *span, format!("{}: {message}", one.what), help);
                    }
                    n
                }
                None => {
                    self.lexicon.answers.push(Answer { id: key.as_ref().into(), ty: ty.clone(), default: None });
                    self.lexicon.answers.len() - 1
                }
            };
            let id = key.as_ref().into();
            parameters.push(Parameter { id, label, per_fit, load, ty, default, min, max, answer, bounds_why });
        }
        parameters
    }

    pub(super) fn relation_and_value_names(&mut self, relations: &[Thing<'_, '_>], values: &[Thing<'_, '_>]) {
        self.lexicon.relations = relations.iter().map(|(id, _)| id.clone()).collect();
        self.lexicon.values = values.iter().map(|(id, _)| (id.clone(), Type::Any)).collect();
        self.lexicon.index();
    }

    /// Settings, fields, values and relations share one namespace.
    pub(super) fn one_namespace(
        &self,
        settings: &[Thing<'_, '_>],
        fields: &[Thing<'_, '_>],
        values: &[Thing<'_, '_>],
        relations: &[Thing<'_, '_>],
    ) {
        let mut seen = BTreeSet::from([
            "it", "choice", "group", "ship", "ruleset", "name", "notes", "legal", "page", "pages", "assumed",
        ]);
        for (id, reader) in settings.iter().chain(fields).chain(relations).chain(values) {
            if !seen.insert(&**id) {
                let span = reader.table.get("id").map_or(reader.span(), |node| node.span);
                let help = "use another name: settings, fields, values and relations share theirs";
                self.problems.error("duplicate-id", span, format!("{}: duplicate name `{id}`", reader.what), help);
            }
        }
    }
}

fn option_words(choice: &Choice) -> Type {
    Type::Text(Some(choice.options.iter().map(|option| option.id.clone()).collect()))
}

/// Nothing, of a type.
pub(super) fn empty(ty: &Type) -> Value {
    match ty {
        Type::Int => Value::Int(0),
        Type::Flag => Value::Flag(false),
        Type::Text(_) => Value::Text("".into()),
        Type::List(_) => Value::List(Arc::new([])),
        _ => Value::Null,
    }
}
