//! Formulas and texts of a ruleset: takes a key's node, gives it compiled, or reports the error. A number, flag or
//! list is a constant and a string is a formula; for a text key, a string is a template with `{{ }}`.

use std::fmt;
use std::sync::Arc;

use crate::formula::{Formula, FormulaError, FormulaErrorKind, Scope, TextTemplate, Type, Value};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlValue};

use super::Compiler;
use crate::ruleset::layers;
use crate::ruleset::limits::MAX_NUMBER;
use crate::ruleset::model::CheckTarget;
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::selector::Selector;
use crate::ruleset::symbol_table::{ItKind, ScopeContext, ScopeView};
use crate::ruleset::table_reader::TableReader;

impl Compiler<'_> {
    pub(super) fn source_at(&self, span: Span) -> &str {
        self.sources.get(usize::from(span.file)).map_or("", |source| source.slice(span))
    }

    /// The span of a string without its quotes.
    pub(super) fn inner_span(&self, span: Span) -> Span {
        let text = self.source_at(span);
        let quote = if text.starts_with("\"\"\"") || text.starts_with("'''") { 3 } else { 1 };
        let line_end = match text.get(quote as usize..) {
            Some(rest) if quote == 3 && rest.starts_with("\r\n") => 2,
            Some(rest) if quote == 3 && rest.starts_with('\n') => 1,
            _ => 0,
        };
        if text.len() < 2 * quote as usize + line_end as usize {
            return span;
        }
        Span { file: span.file, start: span.start + quote + line_end, end: span.end - quote }
    }

    pub(super) fn compile_node(
        &self,
        what: &dyn fmt::Display,
        node: &TomlNode<'_>,
        context: &ScopeContext,
        expected: &Type,
    ) -> Option<Formula> {
        let scope = ScopeView { symbols: &self.symbols, context };
        self.compile_in_scope(what, node, &scope, expected)?
            .map_err(|error| self.problems.add_formula_error(error))
            .ok()
    }

    /// An error of the formula is returned, one of a literal is reported.
    pub(super) fn compile_in_scope(
        &self,
        what: &dyn fmt::Display,
        node: &TomlNode<'_>,
        scope: &dyn Scope,
        expected: &Type,
    ) -> Option<Result<Formula, FormulaError>> {
        match &node.data {
            TomlValue::Text(text) => {
                let at = self.inner_span(node.span);
                Some(Formula::compile(text, at, scope, expected).map_err(|mut error| {
                    if layers::mentions_base(text)
                        && error.kind == Some(FormulaErrorKind::UnknownName)
                        && !self.symbols.index.contains_key("base")
                    {
                        let help = "`base` is the value of this key in the extended ruleset, or in the system that this one is like; neither has it";
                        error.help = Some(help.to_owned());
                    }
                    // Text that replaced `base` is not in this file.
                    let written = self.source_at(at);
                    if written != &**text && layers::mentions_base(written) {
                        error.span = at;
                    }
                    error
                }))
            }
            _ => {
                let value = self.literal_value(what, node)?;
                if !matches_type(&value, expected) {
                    self.report_wrong_type(what, node, expected);
                    return None;
                }
                Some(Ok(Formula::constant(value, node.span)))
            }
        }
    }

    pub(super) fn report_wrong_type(&self, what: &dyn fmt::Display, node: &TomlNode<'_>, expected: &Type) {
        let wanted = match expected {
            Type::Int => "a whole number",
            Type::Flag => "true or false",
            Type::List(_) => "a list",
            Type::Text(_) => "text",
            _ => "another type",
        };
        self.problems.error(
            "wrong-type",
            node.span,
            format!("{what}: expected {wanted}, found {}", node.data.type_name()),
            "",
        );
    }

    /// A literal; a string stays text.
    pub(super) fn literal_value(&self, what: &dyn fmt::Display, node: &TomlNode<'_>) -> Option<Value> {
        match &node.data {
            TomlValue::Int(number) if number.unsigned_abs() <= MAX_NUMBER => Some(Value::Int(*number)),
            TomlValue::Flag(flag) => Some(Value::Flag(*flag)),
            TomlValue::Text(text) => Some(Value::Text(text.as_ref().into())),
            TomlValue::List(list) if list.len() <= 10_000 => {
                let list: Option<Vec<_>> = list.iter().map(|node| self.literal_value(what, node)).collect();
                Some(Value::List(list?.into()))
            }
            TomlValue::Float(text) => {
                let help = "use whole numbers of at most 15 digits: count in tenths, or in per cent";
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{what}: expected a whole number, found {}", shorten(text)),
                    help,
                );
                None
            }
            _ => {
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{what}: {} is not allowed here", node.data.type_name()),
                    "",
                );
                None
            }
        }
    }

    pub(super) fn compile_formula(
        &self,
        reader: &TableReader<'_, '_>,
        key: &'static str,
        context: &ScopeContext,
        expected: &Type,
    ) -> Option<Formula> {
        let node = reader.node(key)?;
        self.compile_node(&format_args!("{}: `{key}`", reader.label), node, context, expected)
    }

    pub(super) fn named_formulas(
        &self,
        reader: &TableReader<'_, '_>,
        key: &'static str,
        context: &ScopeContext,
    ) -> Vec<(Arc<str>, Formula)> {
        let Some(table) = reader.table(key) else { return Vec::new() };
        let mut named = Vec::new();
        if table.entries.len() > 250 {
            let message = format!("`{key}` has {} words, at most 250 are allowed", table.entries.len());
            reader.error("too-large", table.span, message, "");
            return named;
        }
        for entry in &table.entries {
            if !self.check_id(&entry.key, entry.span, false) {
                continue;
            }
            let what = format_args!("{}: `{key}.{}`", reader.label, entry.key);
            if let Some(formula) = self.compile_node(&what, &entry.node, context, &Type::Any) {
                named.push((Arc::from(entry.key.as_ref()), formula));
            }
        }
        named
    }

    pub(super) fn compile_text(&self, text: &str, span: Span, context: &ScopeContext) -> Option<TextTemplate> {
        self.compile_text_in(text, span, &ScopeView { symbols: &self.symbols, context })
    }

    pub(super) fn compile_text_in(&self, text: &str, span: Span, scope: &dyn Scope) -> Option<TextTemplate> {
        let compiled = TextTemplate::compile(text, self.inner_span(span), scope);
        compiled.map_err(|error| self.problems.add_formula_error(error)).ok()
    }

    pub(super) fn compile_text_key(
        &self,
        reader: &TableReader<'_, '_>,
        key: &'static str,
        context: &ScopeContext,
    ) -> Option<TextTemplate> {
        let (text, span) = reader.text(key)?;
        self.compile_text(&text, span, context)
    }

    /// The key `label`, or the id as words.
    pub(super) fn compile_label(&self, reader: &TableReader<'_, '_>, id: &str, context: &ScopeContext) -> TextTemplate {
        self.compile_text_key(reader, "label", context)
            .unwrap_or_else(|| TextTemplate::literal(&super::label_from_id(id), reader.span()))
    }

    /// A `for_each`, and the scope with its `it`.
    pub(super) fn parse_for_each(&self, reader: &TableReader<'_, '_>) -> (Option<Selector>, ScopeContext) {
        let selector = reader.text("for_each").and_then(|(text, span)| self.parse_selector(&text, span));
        let it = selector.as_ref().map_or(ItKind::Nothing, ItKind::of);
        (selector, ScopeContext { it, ..ScopeContext::default() })
    }

    pub(super) fn parse_selector(&self, text: &str, span: Span) -> Option<Selector> {
        if text.contains(',') {
            let meant = text.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            let message = format!("expected ids and tags separated by spaces, found a comma: `{}`", shorten(text));
            self.problems.error("unknown-name", span, message, format!("use \"{}\"", shorten(&meant)));
            // The intended name is clear: using it prevents further errors.
            return self.parse_selector(&meant, span);
        }
        let spaced = text.replace(':', " ");
        let mut parts = spaced.split_whitespace();
        let first = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let unknown = |what: &str, word: &str, help: String| {
            self.problems.error("unknown-name", span, format!("unknown {what} `{}`", shorten(word)), help);
        };
        let gather = |find: &dyn Fn(&str) -> Result<Vec<usize>, String>, what: &str| -> Option<Option<Vec<usize>>> {
            if rest.is_empty() {
                return Some(None);
            }
            let mut all = Vec::new();
            for word in &rest {
                match find(word) {
                    Ok(found) => all.extend(found),
                    Err(help) => {
                        unknown(what, word, help);
                        return None;
                    }
                }
            }
            all.sort_unstable();
            all.dedup();
            Some(Some(all))
        };
        match first {
            "fit" => return gather(&|word| self.symbols.match_systems(word), "system").map(Selector::Fit),
            "system" => return gather(&|word| self.symbols.match_systems(word), "system").map(Selector::System),
            "mount" => return gather(&|word| self.symbols.match_mounts(word), "mount").map(Selector::Mount),
            _ => {}
        }
        if let Some(field) = self
            .symbols
            .fields
            .iter()
            .position(|(id, _, _)| **id == *first)
            .filter(|&n| !self.symbols.columns[n].is_empty())
        {
            return Some(Selector::Field(field));
        }
        if let Some(table) =
            self.symbols.tables.iter().position(|table| *table.id == *first && !table.columns.is_empty())
        {
            return Some(Selector::Table(table));
        }
        if ["field", "table"].iter().any(|section| self.symbols.removed.has(section, first)) {
            return Some(Selector::NOTHING);
        }
        let rows = self
            .symbols
            .fields
            .iter()
            .enumerate()
            .filter(|(n, _)| !self.symbols.columns[*n].is_empty())
            .map(|(_, (id, _, _))| &**id);
        let known: Vec<&str> = ["fit", "system", "mount"]
            .into_iter()
            .chain(rows)
            .chain(self.symbols.tables.iter().map(|t| &*t.id))
            .collect();
        let help = suggest(first, known.iter().copied());
        self.problems.error(
            "unknown-name",
            span,
            format!(
                "cannot repeat for each `{}`: expected fit, system, mount, a rows field or a table",
                shorten(first)
            ),
            help,
        );
        None
    }

    pub(super) fn parse_target(&self, reader: &TableReader<'_, '_>) -> Option<CheckTarget> {
        let (text, span) = reader.text("at")?;
        let spaced = text.replace(':', " ");
        if let Some(id) = spaced.strip_prefix("field ").map(str::trim) {
            let found = self.symbols.fields.iter().position(|(known, _, _)| **known == *id);
            if found.is_none() && !self.symbols.removed.has("field", id) {
                let help = suggest(id, self.symbols.fields.iter().map(|(id, _, _)| &**id));
                self.problems.error("unknown-name", span, format!("unknown field `{}`", shorten(id)), help);
            }
            return found.map(CheckTarget::Field);
        }
        if let Some((id, _, _)) = self.symbols.fields.iter().find(|(id, _, _)| **id == *spaced) {
            let message = format!("expected a fit or mount for `at`, found field `{id}`");
            self.problems.error("unknown-name", span, message, format!("use \"field {id}\""));
            return None;
        }
        match self.parse_selector(&spaced, span)? {
            Selector::Field(field) => Some(CheckTarget::Field(field)),
            selector => Some(CheckTarget::First(selector)),
        }
    }
}

pub(super) fn matches_type(value: &Value, expected: &Type) -> bool {
    match (value, expected) {
        (_, Type::Any)
        | (Value::Int(_), Type::Int)
        | (Value::Flag(_) | Value::Int(_), Type::Flag)
        | (Value::Text(_), Type::Text(None)) => true,
        (Value::Text(word), Type::Text(Some(words))) => words.contains(word),
        (Value::List(list), Type::List(of)) => list.iter().all(|value| matches_type(value, of)),
        _ => false,
    }
}

/// `Any` when they differ.
pub(super) fn common_type<'v>(values: impl Iterator<Item = &'v Value>) -> Type {
    let mut common: Option<Type> = None;
    for value in values {
        let ty = match value {
            Value::Int(_) => Type::Int,
            Value::Flag(_) => Type::Flag,
            Value::Text(_) => Type::Text(None),
            Value::List(list) => Type::List(Box::new(self::common_type(list.iter()))),
            Value::Record(_) | Value::Null => Type::Any,
        };
        match &common {
            None => common = Some(ty),
            Some(known) if *known == ty => {}
            Some(_) => return Type::Any,
        }
    }
    common.unwrap_or(Type::Any)
}
