//! The first pass: takes the tables of settings, fields, mounts, systems and tables, gives them without their formulas,
//! and fills the symbol table. All ids and types are known before any formula is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::formula::{Type, Value};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlTable, TomlValue};

use super::formulas::{common_type, matches_type};
use super::{Compiler, label_from_id};
use crate::ruleset::grammar::{
    ATTRIBUTE_TYPES, COLUMN_KINDS, FIELD_KINDS, PARAMETER_KINDS, PARAMETER_SCOPES, ValueKind, declared_section,
    is_provenance_key,
};
use crate::ruleset::inherit::Likes;
use crate::ruleset::layer_reasons::layer_reason;
use crate::ruleset::model::{
    AttributeRule, ChoiceDef, ChoiceOption, ColumnKind, FieldColumn, FieldDef, FieldKind, MountDef, ParameterDef,
    SettingDef, SystemDef,
};
use crate::ruleset::outputs::BoxShape;
use crate::ruleset::problems::{Problems, shorten, suggest};
use crate::ruleset::removed_names::RemovedDeclaration;
use crate::ruleset::symbol_table::{AttributeDef, SystemSymbol};
use crate::ruleset::symbols::MAX_SYMBOLS;
use crate::ruleset::table_reader::TableReader;

pub(super) type Declaration<'t, 'c> = (Arc<str>, TableReader<'t, 'c>);

/// For all options of one choice together.
const MAX_OPTION_VALUES: usize = 500_000;

impl Compiler<'_> {
    /// `[attributes]`, which every system has: `mass = 0`, or `arc = { type = "text", default = "" }`.
    pub(super) fn declare_attributes(&mut self, root: &TomlTable<'_>) {
        let Some(node) = root.get("attributes") else { return };
        let TomlValue::Table(table) = &node.data else {
            self.problems.error("wrong-type", node.span, "expected a table for [attributes]", "");
            return;
        };
        for TomlEntry { key, span, node } in &table.entries {
            if !self.check_id(key, *span, false) || self.is_reserved(key, *span) {
                continue;
            }
            let what = format!("[attributes] {key}");
            let mut example: Arc<str> = "".into();
            let (ty, default) = match &node.data {
                TomlValue::Table(table) => {
                    let reader = TableReader::new(table, what.clone(), self.problems);
                    let kind = reader.one_of("type", &ATTRIBUTE_TYPES);
                    let default = reader.node("default").and_then(|node| self.literal_value(&what, node));
                    let options = reader
                        .texts("options")
                        .map(|list| list.into_iter().map(|(word, _)| word).collect::<Arc<[_]>>());
                    let _ = (reader.string("unit"), reader.string("label"));
                    example = reader.string("example").unwrap_or(example);
                    reader.report_unknown_keys();
                    let ty = match kind {
                        Some(ValueKind::Integer) => Type::Int,
                        Some(ValueKind::Text) => Type::Text(options),
                        Some(ValueKind::Flag) => Type::Flag,
                        Some(_) => Type::list_of(Type::Any),
                        None => match &default {
                            Some(Value::Text(_)) => Type::Text(options),
                            Some(Value::Flag(_)) => Type::Flag,
                            Some(Value::List(_)) => Type::list_of(Type::Any),
                            _ => Type::Int,
                        },
                    };
                    let default = default.unwrap_or_else(|| empty_value(&ty));
                    if !matches_type(&default, &ty) {
                        self.report_wrong_type(&what, node, &ty);
                        continue;
                    }
                    (ty, default)
                }
                _ => {
                    let Some(default) = self.literal_value(&what, node) else { continue };
                    (common_type(std::iter::once(&default)), default)
                }
            };
            self.symbols.attributes.push(AttributeDef { id: key.as_ref().into(), ty, default: Some(default), example });
        }
    }

    fn is_reserved(&self, id: &str, span: Span) -> bool {
        // Other properties of `it`, such as `mirror`, are never those of a system.
        let properties = ["system", "mount", "count", "whole", "label", "mount_label"];
        let is_system_key = declared_section("system").is_some_and(|system| system.key(id).is_some());
        let taken = properties.contains(&id) || is_system_key || is_provenance_key(id);
        if taken {
            self.problems.error("bad-id", span, format!("`{id}` is a reserved name"), "use another name");
        }
        taken
    }

    pub(super) fn parse_choice(&self, reader: &TableReader<'_, '_>) -> Option<ChoiceDef> {
        let table = reader.table("options")?;
        let mut choice = ChoiceDef::default();
        let mut given: Vec<Vec<(Arc<str>, Value)>> = Vec::new();
        for TomlEntry { key, span, node } in &table.entries {
            if !self.check_id(key, *span, true) {
                continue;
            }
            let what = format!("{}: option `{key}`", reader.label);
            let mut option = ChoiceOption {
                id: key.as_ref().into(),
                label: label_from_id(key),
                values: Vec::new(),
                marks: Vec::new(),
            };
            let mut attributes = Vec::new();
            match &node.data {
                TomlValue::Table(table) => {
                    for TomlEntry { key, span, node } in &table.entries {
                        match (key.as_ref(), &node.data) {
                            ("label", TomlValue::Text(text)) => option.label = text.as_ref().into(),
                            ("label", _) => self.report_wrong_type(&what, node, &Type::Text(None)),
                            (key, _) if is_provenance_key(key) => {}
                            (key, _) => {
                                if self.check_id(key, *span, false)
                                    && let Some(value) = self.literal_value(&what, node)
                                {
                                    attributes.push((Arc::from(key), value));
                                }
                            }
                        }
                    }
                }
                TomlValue::Text(text) => option.label = text.as_ref().into(),
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
        // The options' values of each attribute, in the order of the attributes.
        let mut places: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut values_by_attribute: Vec<Vec<(usize, &Value)>> = Vec::new();
        for (option, given) in given.iter().enumerate() {
            for (id, value) in given {
                let next = places.len();
                let place = *places.entry(id.clone()).or_insert(next);
                if place == next {
                    choice.attributes.push((id.clone(), Type::Any));
                    values_by_attribute.push(Vec::new());
                }
                values_by_attribute[place].push((option, value));
            }
        }
        let cells = choice.options.len().saturating_mul(choice.attributes.len());
        if cells > MAX_OPTION_VALUES {
            let message = format!(
                "{} options with {} keys each, at most {MAX_OPTION_VALUES} in all are allowed",
                choice.options.len(),
                choice.attributes.len()
            );
            reader.error("too-large", reader.span(), message, "remove keys, or split the choice");
            return Some(choice);
        }
        let has_all = self.removed_options(reader).next().is_none();
        for ((id, ty), values_by_attribute) in choice.attributes.iter_mut().zip(&values_by_attribute) {
            *ty = common_type(values_by_attribute.iter().map(|(_, value)| *value));
            if *ty == Type::Any {
                reader.error("wrong-type", reader.span(), format!("`{id}` has different types in its options"), "");
            }
            // An attribute that an option leaves out is empty.
            let empty = empty_value(ty);
            for option in &mut choice.options {
                option.values.push(empty.clone());
            }
            for (option, value) in values_by_attribute {
                if let Some(last) = choice.options[*option].values.last_mut() {
                    *last = (*value).clone();
                }
            }
            // A removed option may have had any word.
            if *ty == Type::Text(None) && has_all {
                let words = choice.options.iter().filter_map(|o| {
                    if let Some(Value::Text(word)) = o.values.last() { Some(word.clone()) } else { None }
                });
                let mut words: Vec<_> = words.collect();
                words.sort();
                words.dedup();
                *ty = Type::Text(Some(words.into()));
            }
        }
        if choice.options.is_empty() || choice.options.len() >= MAX_SYMBOLS || choice.attributes.len() >= MAX_SYMBOLS {
            reader.error("missing-key", table.span, "no options, or too many", "");
        }
        Some(choice)
    }

    /// The options of a choice that layers removed.
    fn removed_options<'s>(&'s self, reader: &'s TableReader<'_, '_>) -> impl Iterator<Item = &'s Arc<str>> {
        self.symbols.removed.within("option", reader.declaration().map_or("", |id| id))
    }

    fn option_type(&self, reader: &TableReader<'_, '_>, choice: &ChoiceDef) -> Type {
        let removed = self.removed_options(reader).cloned();
        Type::Text(Some(choice.options.iter().map(|option| option.id.clone()).chain(removed).collect()))
    }

    pub(super) fn declare_settings(&mut self, declarations: &[Declaration<'_, '_>]) -> Vec<SettingDef> {
        let mut settings = Vec::new();
        for (id, reader) in declarations {
            let choice = self.parse_choice(reader);
            let label = reader.string("label").unwrap_or_else(|| label_from_id(id));
            let (min, max) = reader.bounds();
            reader.check_default((min, max), true);
            let (value, ty) = match &choice {
                Some(choice) => {
                    let default = self.default_option(reader, choice);
                    let first = || choice.options.first().map_or(Value::Null, |option| Value::Text(option.id.clone()));
                    (if default == Value::Null { first() } else { default }, self.option_type(reader, choice))
                }
                None => (reader.required("default", reader.int("default")).map_or(Value::Null, Value::Int), Type::Int),
            };
            let attributes = choice.as_ref().map(|choice| choice.attributes.clone());
            self.symbols.settings.push((id.clone(), ty, attributes));
            settings.push(SettingDef {
                id: id.clone(),
                label,
                choice,
                value,
                min,
                max,
                is_hidden: reader.flag("hide").unwrap_or(false),
                marks: Vec::new(),
                span: reader.span(),
            });
        }
        settings
    }

    /// The option that `default` names.
    fn default_option(&self, reader: &TableReader<'_, '_>, choice: &ChoiceDef) -> Value {
        let Some((word, span)) = reader.text("default") else { return Value::Null };
        match choice.options.iter().find(|option| option.id == word) {
            Some(option) => Value::Text(option.id.clone()),
            // Without the option that a layer removed, a design must choose, and a setting has the first.
            None if self.removed_options(reader).any(|option| *option == word) => Value::Null,
            None => {
                let help = suggest(&word, choice.options.iter().map(|option| &*option.id));
                reader.error("unknown-option", span, format!("unknown option `{}`", shorten(&word)), help);
                Value::Null
            }
        }
    }

    pub(super) fn declare_fields(&mut self, declarations: &[Declaration<'_, '_>]) -> Vec<FieldDef> {
        let mut fields = Vec::new();
        for (id, reader) in declarations {
            let kind = reader.required("kind", reader.one_of("kind", &FIELD_KINDS));
            let label = reader.string("label").unwrap_or_else(|| label_from_id(id));
            let help = reader.string("help");
            let mut columns = Vec::new();
            let mut attributes = None;
            let (kind, default, ty) = match kind {
                Some(ValueKind::Choice) => {
                    let choice = reader.required("options", self.parse_choice(reader)).unwrap_or_default();
                    let default = self.default_option(reader, &choice);
                    attributes = Some(choice.attributes.clone());
                    let ty = self.option_type(reader, &choice);
                    (FieldKind::Choice(choice), default, ty)
                }
                Some(ValueKind::Integer) => {
                    let (min, max) = reader.bounds();
                    reader.check_default((min, max), true);
                    (FieldKind::Integer { min, max }, reader.int("default").map_or(Value::Null, Value::Int), Type::Int)
                }
                Some(ValueKind::Flag) => {
                    (FieldKind::Flag, Value::Flag(reader.flag("default").unwrap_or(false)), Type::Flag)
                }
                Some(ValueKind::Rows) => {
                    let list = self.parse_columns(reader);
                    columns = list.iter().map(|column| (column.id.clone(), self.column_type(&column.kind))).collect();
                    let systems = list.iter().enumerate().filter(|(_, column)| column.kind == ColumnKind::System);
                    let field = self.symbols.fields.len();
                    self.symbols.system_columns.extend(systems.map(|(column, _)| (field, column)));
                    let ty = Type::list_of(Type::Record(columns.clone().into()));
                    if reader.list("default").is_some_and(|list| !list.is_empty()) {
                        reader.error("wrong-type", reader.span(), "rows have no default: use default = []", "");
                    }
                    (FieldKind::Rows(list), Value::List(Arc::new([])), ty)
                }
                _ => (FieldKind::Text, reader.string("default").map_or(Value::Null, Value::Text), Type::Text(None)),
            };
            self.symbols.fields.push((id.clone(), ty, attributes));
            self.symbols.columns.push(columns);
            fields.push(FieldDef {
                id: id.clone(),
                label,
                kind,
                default,
                faces: reader.int("faces"),
                shown_when: None,
                help,
                bounds_reason: self.reason_for_keys(reader, &["max", "min"]),
                marks: Vec::new(),
                span: reader.span(),
            });
        }
        fields
    }

    fn reason_for_keys(&self, reader: &TableReader<'_, '_>, keys: &[&str]) -> Option<Arc<str>> {
        let spans = keys.iter().filter_map(|key| reader.table.get(key)).map(|node| node.span);
        spans.filter_map(|span| layer_reason(&self.index, &self.statements, &self.layers, span)).next().map(Into::into)
    }

    fn parse_columns(&self, reader: &TableReader<'_, '_>) -> Vec<FieldColumn> {
        let mut columns: Vec<FieldColumn> = Vec::new();
        let mut seen = BTreeSet::new();
        for node in reader.required("columns", reader.list("columns")).unwrap_or_default() {
            let TomlValue::Table(table) = &node.data else {
                reader.error("wrong-type", node.span, "expected a table for a column: { id, kind }", "");
                continue;
            };
            let column = reader.nested(table, "column");
            let Some((id, span)) = column.required("id", column.text("id")) else { continue };
            let kind = column.required("kind", column.one_of("kind", &COLUMN_KINDS));
            let (min, max) = column.bounds();
            column.check_default((min, max), true);
            let options = column.texts("options").unwrap_or_default();
            let default = column.node("default").and_then(|node| self.literal_value(&column.label, node));
            let label = column.string("label").unwrap_or_else(|| label_from_id(&id));
            column.report_unknown_keys();
            let kind = match kind {
                Some(ValueKind::Integer) => ColumnKind::Integer { min, max },
                Some(ValueKind::Flag) => ColumnKind::Flag,
                Some(ValueKind::Mount) => ColumnKind::Mount,
                Some(ValueKind::System) => ColumnKind::System,
                Some(ValueKind::Choice) => ColumnKind::Choice(options.into_iter().map(|(word, _)| word).collect()),
                _ => ColumnKind::Text,
            };
            if seen.contains(&id) {
                reader.error("duplicate-id", span, format!("duplicate column `{}`", shorten(&id)), "");
            } else if self.check_id(&id, span, false) {
                seen.insert(id.clone());
                columns.push(FieldColumn { id, label, kind, default });
            }
        }
        columns
    }

    fn column_type(&self, kind: &ColumnKind) -> Type {
        match kind {
            ColumnKind::Integer { .. } => Type::Int,
            ColumnKind::Flag => Type::Flag,
            // A system may be a custom one of the design; mounts are declared after fields and are checked in the
            // design.
            ColumnKind::Text | ColumnKind::Mount | ColumnKind::System => Type::Text(None),
            ColumnKind::Choice(words) => Type::Text(Some(words.clone())),
        }
    }

    pub(super) fn declare_mounts(&mut self, declarations: &[Declaration<'_, '_>]) -> Vec<MountDef> {
        let mut mounts = Vec::new();
        for (id, reader) in declarations {
            let tags: Arc<[Arc<str>]> =
                reader.texts("tags").unwrap_or_default().into_iter().map(|(tag, _)| tag).collect();
            self.symbols.mounts.push((id.clone(), tags.clone()));
            let label = reader.string("label").unwrap_or_else(|| label_from_id(id));
            mounts.push(MountDef { id: id.clone(), label, tags, mirror: None, plan: None, shown_when: None });
        }
        for (mount, (_, reader)) in mounts.iter_mut().zip(declarations) {
            if let Some((word, span)) = reader.text("mirror") {
                mount.mirror = self.symbols.mount_index(&word);
                if mount.mirror.is_none() && !self.symbols.removed.has("mount", &word) {
                    let help = suggest(
                        &word,
                        self.symbols.mounts.iter().map(|(id, _)| &**id).collect::<Vec<_>>().iter().copied(),
                    );
                    self.problems.error("unknown-mount", span, format!("unknown mount `{}`", shorten(&word)), help);
                }
            }
        }
        mounts
    }

    pub(super) fn declare_systems(&mut self, declarations: &[Declaration<'_, '_>], likes: &Likes) -> Vec<SystemDef> {
        let mut systems = Vec::new();
        let mut known_tags: BTreeMap<Arc<str>, u32> = BTreeMap::new();
        for (id, reader) in declarations {
            let tags: Arc<[Arc<str>]> =
                reader.texts("tags").unwrap_or_default().into_iter().map(|(tag, _)| tag).collect();
            let mut tag_ids = Vec::new();
            for tag in tags.iter() {
                let number = *known_tags.entry(tag.clone()).or_insert_with(|| {
                    self.symbols.tags.push(tag.clone());
                    self.symbols.tags.len() as u32 - 1
                });
                tag_ids.push(number);
            }
            let mounts = reader.texts("mounts").map(|list| {
                let mut all = Vec::new();
                for (word, span) in list {
                    match self.symbols.match_mounts(&word) {
                        Ok(found) => all.extend(found),
                        Err(help) => {
                            reader.error("unknown-mount", span, format!("unknown mount `{}`", shorten(&word)), help)
                        }
                    }
                }
                all
            });
            let parameters = self.parse_parameters(reader);
            self.symbols.systems.push(SystemSymbol {
                id: id.clone(),
                tags: tags.clone(),
                parameters: parameters.iter().map(|parameter| parameter.attribute).collect(),
                kinds: Vec::new(),
            });
            systems.push(SystemDef {
                id: id.clone(),
                name: reader.string("name").unwrap_or_else(|| label_from_id(id)),
                abbr: reader.string("abbr").unwrap_or_default(),
                icon: reader.string("icon"),
                shape: reader.one_of("shape", &BoxShape::ALL).unwrap_or_default(),
                tags,
                mounts,
                mounts_reason: self.reason_for_keys(reader, &["mounts"]),
                is_abstract: reader.flag("abstract").unwrap_or(false) || self.symbols.removed.kept.contains(&**id),
                is_removed: self.symbols.removed.kept.contains(&**id),
                parameters,
                kinds: Vec::new(),
                attributes: Vec::new(),
                rule: reader.string("rule"),
                tag_ids,
                marks: Vec::new(),
                span: reader.span(),
            });
        }
        let places: BTreeMap<&str, usize> = declarations.iter().enumerate().map(|(n, (id, _))| (&**id, n)).collect();
        let mut bases = vec![None; systems.len()];
        for (id, base) in likes {
            let n = places.get(&**id).copied();
            if let Some(n) = n.filter(|n| !declarations[*n].1.flag("distinct").unwrap_or(false)) {
                bases[n] = places.get(&**base).copied();
            }
        }
        for (n, system) in systems.iter_mut().enumerate() {
            system.attributes = vec![AttributeRule::None; self.symbols.attributes.len()];
            let mut kinds = vec![n];
            while let Some(base) = kinds.last().and_then(|last| bases[*last]).filter(|base| !kinds.contains(base)) {
                kinds.push(base);
            }
            self.symbols.systems[n].kinds.clone_from(&kinds);
            system.kinds = kinds;
        }
        systems
    }

    /// Parameters of removed systems are names that formulas may still read.
    pub(super) fn declare_removed_parameters(&mut self, removed: &[RemovedDeclaration<'_>], systems: &mut [SystemDef]) {
        // What is wrong in them concerns nobody.
        let unheard = Problems::new(self.sources);
        let tables = removed.iter().filter(|(section, _)| *section == "system").filter_map(|(_, node)| node.as_table());
        for table in tables {
            let parameters = self.parse_parameters(&TableReader::new(table, "", &unheard));
            if let Some(system) = self.symbols.removed.systems.iter_mut().find(|one| Some(&*one.id) == table.text("id"))
            {
                system.parameters = parameters.iter().map(|parameter| parameter.attribute).collect();
            }
        }
        for system in systems {
            system.attributes.resize(self.symbols.attributes.len(), AttributeRule::None);
        }
    }

    fn parse_parameters(&mut self, reader: &TableReader<'_, '_>) -> Vec<ParameterDef> {
        let mut parameters = Vec::new();
        let Some(table) = reader.table("parameters") else { return parameters };
        for TomlEntry { key, span, node } in &table.entries {
            if !self.check_id(key, *span, false) || self.is_reserved(key, *span) {
                continue;
            }
            let TomlValue::Table(table) = &node.data else {
                let message = format!("parameter `{key}`: expected a table, such as {{ default = 0, min = 0 }}");
                reader.error("wrong-type", node.span, message, "");
                continue;
            };
            let one = reader.nested(table, &format!("parameter `{key}`"));
            let kind = one.one_of("kind", &PARAMETER_KINDS);
            let per_fit = one.one_of("per", &PARAMETER_SCOPES).unwrap_or(false);
            let load = one.flag("load").unwrap_or(false);
            let options = one.texts("options");
            let default = one.node("default").and_then(|node| self.literal_value(&one.label, node));
            let label = one.string("label").unwrap_or_else(|| label_from_id(key));
            let (min, max) = one.bounds();
            one.check_default((min, max), true);
            let bounds_why = self.reason_for_keys(&one, &["max", "min"]);
            one.report_unknown_keys();
            let ty = match (kind, options, &default) {
                (Some(ValueKind::Choice) | None, Some(words), _) => {
                    Type::Text(Some(words.into_iter().map(|(word, _)| word).collect()))
                }
                (Some(ValueKind::Integers), _, _) => Type::list_of(Type::Int),
                (Some(ValueKind::Integer), _, _) => Type::Int,
                (Some(ValueKind::Flag), _, _) => Type::Flag,
                (Some(_), _, _) => Type::TEXT,
                (None, None, Some(default)) => common_type(std::iter::once(default)),
                (None, None, None) => Type::Int,
            };
            let default = default.unwrap_or_else(|| empty_value(&ty));
            let text = matches!((&default, &ty), (Value::Text(word), Type::Text(Some(_))) if word.is_empty());
            if !matches_type(&default, &ty) && !text {
                self.report_wrong_type(&one.label, node, &ty);
            }
            let attribute = match self.symbols.attribute(key) {
                Some(n) => {
                    let known = &self.symbols.attributes[n];
                    if known.default.is_some() || known.ty != ty {
                        self.report_type_conflict(&one, *span, n, &ty);
                    }
                    n
                }
                None => {
                    self.symbols.attributes.push(AttributeDef {
                        id: key.as_ref().into(),
                        ty: ty.clone(),
                        default: None,
                        example: "".into(),
                    });
                    self.symbols.attributes.len() - 1
                }
            };
            let id = key.as_ref().into();
            parameters.push(ParameterDef {
                id,
                label,
                per_fit,
                load,
                ty,
                default,
                min,
                max,
                attribute,
                bounds_reason: bounds_why,
            });
        }
        parameters
    }

    pub(super) fn declare_relations_and_values(
        &mut self,
        relations: &[Declaration<'_, '_>],
        values: &[Declaration<'_, '_>],
    ) {
        self.symbols.relations = relations.iter().map(|(id, _)| id.clone()).collect();
        self.symbols.values = values.iter().map(|(id, _)| (id.clone(), Type::Any)).collect();
        self.symbols.build_index();
    }

    /// Settings, fields, values and relations share one namespace.
    pub(super) fn check_unique_names(
        &self,
        settings: &[Declaration<'_, '_>],
        fields: &[Declaration<'_, '_>],
        values: &[Declaration<'_, '_>],
        relations: &[Declaration<'_, '_>],
        situations: &[Declaration<'_, '_>],
    ) {
        let mut seen = BTreeSet::from([
            "it", "choice", "group", "ship", "ruleset", "name", "notes", "legal", "page", "pages", "assumed",
        ]);
        let all = settings.iter().chain(fields).chain(relations).chain(values).chain(situations);
        for (id, reader) in all {
            if !seen.insert(&**id) {
                let span = reader.table.get("id").map_or(reader.span(), |node| node.span);
                let help = "use another name: settings, fields, values, relations and situations share theirs";
                reader.error("duplicate-id", span, format!("duplicate name `{id}`"), help);
            }
        }
    }
}

/// The zero value of a type: 0, false, no text, no items.
pub(super) fn empty_value(ty: &Type) -> Value {
    match ty {
        Type::Int => Value::Int(0),
        Type::Flag => Value::Flag(false),
        Type::Text(_) => Value::Text("".into()),
        Type::List(_) => Value::List(Arc::new([])),
        _ => Value::Null,
    }
}
