//! Formulas and texts where they stand in a ruleset: a number, flag or list may stand as such, a string is a formula; where
//! text is due, a string is text with `{{ }}`. Takes a key's node, gives it compiled, or reports the mistake.

use std::sync::Arc;

use crate::formula::{Formula, Text, Type, Value};
use crate::source::Span;
use crate::source::toml::{Data, Node};

use super::Compiler;
use crate::ruleset::MOST_NUMBER;
use crate::ruleset::layers;
use crate::ruleset::lexicon::{Around, In, Meaning};
use crate::ruleset::model::{At, Selector};
use crate::ruleset::reader::{Reader, brief, suggest};

impl Compiler<'_> {
    /// The span of a string's text, without its quotes.
    pub(super) fn inside(&self, span: Span) -> Span {
        let Some(source) = self.sources.get(usize::from(span.file)) else { return span };
        let text = source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
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

    pub(super) fn compile_node(&self, what: &str, node: &Node<'_>, around: &Around, want: &Type) -> Option<Formula> {
        let scope = In { lexicon: &self.lexicon, around };
        match &node.data {
            Data::Text(text) => match Formula::compile(text, self.inside(node.span), &scope, want) {
                Ok(formula) => Some(formula),
                Err(mut mistake) => {
                    let at = self.inside(node.span);
                    if layers::says_base(text)
                        && mistake.code == "unknown-name"
                        && !self.lexicon.index.contains_key("base")
                    {
                        let help = "`base` is the value of this key in the extended ruleset, or in the system that this one is like; neither has it";
                        mistake.help = Some(help.to_owned());
                    }
                    // What was put in for `base` is at no place of this file.
                    let source = self.sources.get(usize::from(at.file)).map_or("", |source| &source.text);
                    let written = source.get(at.start as usize..at.end as usize).unwrap_or_default();
                    if written != &**text && layers::says_base(written) {
                        mistake.span = at;
                    }
                    self.problems.mistake(mistake);
                    None
                }
            },
            _ => {
                let value = self.plain(what, node)?;
                if !fits(&value, want) {
                    self.wrong_kind(what, node, want);
                    return None;
                }
                Some(Formula::constant(value, node.span))
            }
        }
    }

    pub(super) fn wrong_kind(&self, what: &str, node: &Node<'_>, want: &Type) {
        let wanted = match want {
            Type::Int => "a whole number",
            Type::Flag => "true or false",
            Type::List(_) => "a list",
            Type::Text(_) => "text",
            _ => "another type",
        };
        self.problems.error(
            "wrong-type",
            node.span,
            format!("{what}: expected {wanted}, found {}", node.data.kind()),
            "",
        );
    }

    /// A plain value; text stays text.
    pub(super) fn plain(&self, what: &str, node: &Node<'_>) -> Option<Value> {
        match &node.data {
            Data::Int(number) if number.unsigned_abs() <= MOST_NUMBER => Some(Value::Int(*number)),
            Data::Flag(flag) => Some(Value::Flag(*flag)),
            Data::Text(text) => Some(Value::Text(text.as_ref().into())),
            Data::List(list) if list.len() <= 10_000 => {
                let list: Option<Vec<_>> = list.iter().map(|node| self.plain(what, node)).collect();
                Some(Value::List(list?.into()))
            }
            Data::Float(text) => {
                let help = "use whole numbers of at most 15 digits: count in tenths, or in per cent";
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{what}: expected a whole number, found {}", brief(text)),
                    help,
                );
                None
            }
            _ => {
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{what}: {} is not allowed here", node.data.kind()),
                    "",
                );
                None
            }
        }
    }

    pub(super) fn formula(
        &self,
        reader: &Reader<'_, '_>,
        key: &'static str,
        around: &Around,
        want: &Type,
    ) -> Option<Formula> {
        let node = reader.node(key)?;
        self.compile_node(&format!("{}: `{key}`", reader.what), node, around, want)
    }

    /// A table of named formulas, in file order.
    pub(super) fn named_formulas(
        &self,
        reader: &Reader<'_, '_>,
        key: &'static str,
        around: &Around,
    ) -> Vec<(Arc<str>, Formula)> {
        let Some(table) = reader.table(key) else { return Vec::new() };
        let mut named = Vec::new();
        if table.entries.len() > 250 {
            let message =
                format!("{}: `{key}` has {} words, at most 250 are allowed", reader.what, table.entries.len());
            self.problems.error("too-large", table.span, message, "");
            return named;
        }
        for entry in &table.entries {
            if !self.good_id(&entry.key, entry.span, false) {
                continue;
            }
            let what = format!("{}: `{key}.{}`", reader.what, entry.key);
            if let Some(formula) = self.compile_node(&what, &entry.node, around, &Type::Any) {
                named.push((Arc::from(entry.key.as_ref()), formula));
            }
        }
        named
    }

    pub(super) fn compile_text(&self, text: &str, span: Span, around: &Around) -> Option<Text> {
        match Text::compile(text, self.inside(span), &In { lexicon: &self.lexicon, around }) {
            Ok(text) => Some(text),
            Err(mistake) => {
                self.problems.mistake(mistake);
                None
            }
        }
    }

    pub(super) fn text(&self, reader: &Reader<'_, '_>, key: &'static str, around: &Around) -> Option<Text> {
        let (text, span) = reader.text(key)?;
        self.compile_text(&text, span, around)
    }

    /// A text, or the words of the id.
    pub(super) fn label(&self, reader: &Reader<'_, '_>, id: &str, around: &Around) -> Text {
        self.text(reader, "label", around).unwrap_or_else(|| Text::literal(&super::words(id), reader.span()))
    }

    /// What a `for_each` goes over, with what `it` then is.
    pub(super) fn for_each(&self, reader: &Reader<'_, '_>) -> (Option<Selector>, Around) {
        let selector = reader.text("for_each").and_then(|(text, span)| self.selector(&text, span));
        let it = selector.as_ref().map_or(Meaning::Nothing, super::meaning);
        (selector, Around { it, ..Around::default() })
    }

    pub(super) fn selector(&self, text: &str, span: Span) -> Option<Selector> {
        if text.contains(',') {
            let meant = text.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            let message = format!("expected ids and tags separated by spaces, found a comma: `{}`", brief(text));
            self.problems.error("unknown-name", span, message, format!("use \"{}\"", brief(&meant)));
            // What it means is plain, so that nothing else is wrong because of it.
            return self.selector(&meant, span);
        }
        let spaced = text.replace(':', " ");
        let mut parts = spaced.split_whitespace();
        let first = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let unknown = |what: &str, word: &str, help: String| {
            self.problems.error("unknown-name", span, format!("unknown {what} `{}`", brief(word)), help);
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
            "fit" => return gather(&|word| self.lexicon.systems_of(word), "system").map(Selector::Fit),
            "system" => return gather(&|word| self.lexicon.systems_of(word), "system").map(Selector::System),
            "mount" => return gather(&|word| self.lexicon.mounts_of(word), "mount").map(Selector::Mount),
            _ => {}
        }
        if let Some(field) = self
            .lexicon
            .fields
            .iter()
            .position(|(id, _, _)| **id == *first)
            .filter(|&n| !self.lexicon.columns[n].is_empty())
        {
            return Some(Selector::Field(field));
        }
        if let Some(table) =
            self.lexicon.tables.iter().position(|table| *table.id == *first && !table.columns.is_empty())
        {
            return Some(Selector::Table(table));
        }
        let rows = self
            .lexicon
            .fields
            .iter()
            .enumerate()
            .filter(|(n, _)| !self.lexicon.columns[*n].is_empty())
            .map(|(_, (id, _, _))| &**id);
        let known: Vec<&str> = ["fit", "system", "mount"]
            .into_iter()
            .chain(rows)
            .chain(self.lexicon.tables.iter().map(|t| &*t.id))
            .collect();
        let help = suggest(first, known.iter().copied());
        self.problems.error(
            "unknown-name",
            span,
            format!("cannot repeat for each `{}`: expected fit, system, mount, a rows field or a table", brief(first)),
            help,
        );
        None
    }

    /// Where a check points.
    pub(super) fn at(&self, reader: &Reader<'_, '_>) -> Option<At> {
        let (text, span) = reader.text("at")?;
        let spaced = text.replace(':', " ");
        if let Some(id) = spaced.strip_prefix("field ").map(str::trim) {
            let found = self.lexicon.fields.iter().position(|(known, _, _)| **known == *id);
            if found.is_none() {
                let help = suggest(id, self.lexicon.fields.iter().map(|(id, _, _)| &**id));
                self.problems.error("unknown-name", span, format!("unknown field `{}`", brief(id)), help);
            }
            return found.map(At::Field);
        }
        if let Some((id, _, _)) = self.lexicon.fields.iter().find(|(id, _, _)| **id == *spaced) {
            let message = format!("expected a fit or mount for `at`, found field `{id}`");
            self.problems.error("unknown-name", span, message, format!("use \"field {id}\""));
            return None;
        }
        match self.selector(&spaced, span)? {
            Selector::Field(field) => Some(At::Field(field)),
            selector => Some(At::First(selector)),
        }
    }
}

/// Whether a plain value is of a type.
pub(super) fn fits(value: &Value, want: &Type) -> bool {
    match (value, want) {
        (_, Type::Any)
        | (Value::Int(_), Type::Int)
        | (Value::Flag(_) | Value::Int(_), Type::Flag)
        | (Value::Text(_), Type::Text(None)) => true,
        (Value::Text(word), Type::Text(Some(words))) => words.contains(word),
        (Value::List(list), Type::List(of)) => list.iter().all(|value| fits(value, of)),
        _ => false,
    }
}

/// The type of plain values, `Any` when they differ.
pub(super) fn common<'v>(values: impl Iterator<Item = &'v Value>) -> Type {
    let mut common: Option<Type> = None;
    for value in values {
        let ty = match value {
            Value::Int(_) => Type::Int,
            Value::Flag(_) => Type::Flag,
            Value::Text(_) => Type::Text(None),
            Value::List(list) => Type::List(Box::new(self::common(list.iter()))),
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
