//! Strict reading of a ruleset's tables: takes a TOML table, gives keys by name and type, and reports those that are
//! missing, of a wrong type or unknown, with the nearest known name.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use moldloft_base::finding::nearest;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::grammar::{PROVENANCE, is_key, is_provenance_key};
use super::limits::MAX_NUMBER;
use super::problems::{ErrorSubject, Problems, range_text, shorten, suggest};

/// What messages call a table: `[[system]] laser`. Written only in messages.
pub enum ReaderLabel {
    Words(String),
    Section(&'static str),
    Declaration(&'static str, Arc<str>),
}

impl From<&str> for ReaderLabel {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<String> for ReaderLabel {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl fmt::Display for ReaderLabel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => out.write_str(words),
            Self::Section(section) => write!(out, "[[{section}]]"),
            Self::Declaration(section, id) => write!(out, "[[{section}]] {id}"),
        }
    }
}

pub struct TableReader<'t, 'p> {
    pub table: &'t TomlTable<'t>,
    pub label: ReaderLabel,
    subject: ErrorSubject,
    pub problems: &'p Problems<'p>,
    keys_read: RefCell<Vec<&'static str>>,
    finished: Cell<bool>,
    /// Places that were reported already.
    reported: RefCell<Vec<Span>>,
}

impl<'t, 'p> TableReader<'t, 'p> {
    pub fn new(table: &'t TomlTable<'t>, label: impl Into<ReaderLabel>, problems: &'p Problems<'p>) -> Self {
        Self {
            table,
            label: label.into(),
            subject: ErrorSubject::default(),
            problems,
            keys_read: RefCell::new(Vec::new()),
            finished: Cell::new(false),
            reported: RefCell::default(),
        }
    }

    /// A reader of a declaration with this id.
    pub fn of_declaration(self, section: &'static str, id: &Arc<str>) -> Self {
        let subject = ErrorSubject { section, names: vec![id.clone()] };
        Self { label: ReaderLabel::Declaration(section, id.clone()), subject, ..self }
    }

    /// The id of the declaration that it reads.
    pub fn declaration(&self) -> Option<&Arc<str>> {
        self.subject.names.first()
    }

    /// A reader of a table within this one.
    pub fn nested(&self, table: &'t TomlTable<'t>, label: &str) -> Self {
        let label = ReaderLabel::Words(format!("{}: {label}", self.label));
        Self { subject: self.subject.clone(), ..Self::new(table, label, self.problems) }
    }

    /// Reports an error about this table; the message begins with its label.
    pub fn error(&self, code: &'static str, span: Span, message: impl fmt::Display, help: impl Into<String>) {
        self.error_without_label(code, span, format!("{}: {message}", self.label), help);
    }

    /// Reports an error about this table.
    pub fn error_without_label(
        &self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.error_about(self.subject.clone(), code, span, message, help);
    }

    /// Reports that this table lacks a key, one of these.
    pub fn missing(&self, keys: &[&str], span: Span, message: impl fmt::Display, help: impl Into<String>) {
        let mut subject = self.subject.clone();
        subject.names.extend(keys.iter().map(|key| Arc::from(*key)));
        self.problems.error_about(subject, "missing-key", span, format!("{}: {message}", self.label), help);
    }

    pub fn span(&self) -> Span {
        self.table.span
    }

    pub fn node(&self, key: &'static str) -> Option<&'t TomlNode<'t>> {
        self.get(key, "any")
    }

    fn get(&self, key: &'static str, _method: &str) -> Option<&'t TomlNode<'t>> {
        #[cfg(test)]
        key_usage::note(&self.label.to_string(), key, _method);
        self.keys_read.borrow_mut().push(key);
        self.table.get(key)
    }

    fn report_wrong_type(&self, key: &str, node: &TomlNode<'_>, wanted: &str) {
        self.error(
            "wrong-type",
            node.span,
            format!("expected {wanted} for `{key}`, found {}", node.data.type_name()),
            "",
        );
    }

    pub fn text(&self, key: &'static str) -> Option<(Arc<str>, Span)> {
        self.text_as(key, "text")
    }

    fn text_as(&self, key: &'static str, method: &str) -> Option<(Arc<str>, Span)> {
        let node = self.get(key, method)?;
        match &node.data {
            TomlValue::Text(text) => Some((Arc::from(text.as_ref()), node.span)),
            _ => {
                self.report_wrong_type(key, node, "text");
                None
            }
        }
    }

    pub fn string(&self, key: &'static str) -> Option<Arc<str>> {
        self.text(key).map(|(text, _)| text)
    }

    pub fn int(&self, key: &'static str) -> Option<i64> {
        let node = self.get(key, "int")?;
        match &node.data {
            TomlValue::Int(number) if number.unsigned_abs() <= MAX_NUMBER => Some(*number),
            _ => {
                self.report_wrong_type(key, node, "a whole number of at most 15 digits");
                None
            }
        }
    }

    /// `min` and `max`; reports a `min` above `max`.
    pub fn bounds(&self) -> (Option<i64>, Option<i64>) {
        let (min, max) = (self.int("min"), self.int("max"));
        if let (Some(least), Some(most), Some(node)) = (min, max, self.table.get("max"))
            && least > most
        {
            let message = format!("`max` is {most}, less than `min`, {least}");
            self.error("wrong-bounds", node.span, message, "set `max` to at least `min`".to_owned());
        }
        (min, max)
    }

    /// Reports a whole `default` beyond its bounds. `is_kept`: one that a layer's bounds have left outside is not, since a design can say another.
    pub fn check_default(&self, (min, max): (Option<i64>, Option<i64>), is_kept: bool) {
        let Some(TomlNode { data: TomlValue::Int(number), span }) = self.table.get("default") else { return };
        let is_held = |key| !is_kept || self.table.get(key).is_none_or(|bound| bound.span.file <= span.file);
        let is_below = min.is_some_and(|least| *number < least) && is_held("min");
        if is_below || max.is_some_and(|most| *number > most) && is_held("max") {
            let message = format!("`default` is {number}, expected a whole number{}", range_text(min, max));
            self.error("value-out-of-range", *span, message, "");
        }
    }

    pub fn flag(&self, key: &'static str) -> Option<bool> {
        let node = self.get(key, "flag")?;
        match &node.data {
            TomlValue::Flag(flag) => Some(*flag),
            _ => {
                self.report_wrong_type(key, node, "true or false");
                None
            }
        }
    }

    pub fn list(&self, key: &'static str) -> Option<&'t [TomlNode<'t>]> {
        let node = self.get(key, "list")?;
        match &node.data {
            TomlValue::List(list) => Some(list),
            _ => {
                self.report_wrong_type(key, node, "a list");
                None
            }
        }
    }

    pub fn table(&self, key: &'static str) -> Option<&'t TomlTable<'t>> {
        let node = self.get(key, "table")?;
        match &node.data {
            TomlValue::Table(table) => Some(table),
            _ => {
                self.report_wrong_type(key, node, "a table");
                None
            }
        }
    }

    /// A text, or a list of texts.
    pub fn texts(&self, key: &'static str) -> Option<Vec<(Arc<str>, Span)>> {
        let node = self.get(key, "texts")?;
        let one = |node: &TomlNode<'_>| match &node.data {
            TomlValue::Text(text) => Some((Arc::from(text.as_ref()), node.span)),
            _ => {
                self.report_wrong_type(key, node, "a list of texts");
                None
            }
        };
        match &node.data {
            TomlValue::List(list) => Some(list.iter().filter_map(one).collect()),
            _ => one(node).map(|text| vec![text]),
        }
    }

    /// One of these texts.
    pub fn one_of<T: Copy>(&self, key: &'static str, known: &[(&'static str, T)]) -> Option<T> {
        let method = if cfg!(test) {
            format!("one of {}", known.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" "))
        } else {
            String::new()
        };
        let (text, span) = self.text_as(key, &method)?;
        let found = known.iter().find(|(word, _)| *word == &*text).map(|(_, value)| *value);
        if found.is_none() {
            let help = suggest(&text, known.iter().map(|(word, _)| *word));
            self.error("unknown-word", span, format!("`{key}` cannot be `{}`", shorten(&text)), help);
        }
        found
    }

    /// Reports a missing key.
    pub fn required<T>(&self, key: &'static str, got: Option<T>) -> Option<T> {
        if got.is_none() && self.table.get(key).is_none() {
            self.report_misspelling(key);
            self.missing(&[key], self.table.span, format!("missing `{key}`"), format!("add `{key} = …`"));
        }
        got
    }

    /// Reports keys that may be a misspelling of a missing key; keys of the language are never taken for one.
    fn report_misspelling(&self, key: &'static str) {
        for TomlEntry { key: found, span, .. } in &self.table.entries {
            if !is_key(found) && nearest(found, [key]).is_some() && !self.reported.borrow().contains(span) {
                self.reported.borrow_mut().push(*span);
                let message = format!("unknown key `{}`", shorten(found));
                self.error("unknown-key", *span, message, format!("did you mean `{key}`?"));
            }
        }
    }

    /// Reports the keys that were not read; `more` are known too.
    pub fn report_unknown_keys_except(&self, more: &[&str]) {
        self.report_unknown_keys_with(more, &|_| None);
    }

    /// `help`: what else to say of a key than the nearest word.
    pub fn report_unknown_keys_with(&self, more: &[&str], help: &dyn Fn(&TomlEntry<'_>) -> Option<String>) {
        self.finished.set(true);
        let read_keys = self.keys_read.borrow();
        let own_help = help;
        for entry in &self.table.entries {
            let TomlEntry { key, span, .. } = entry;
            if read_keys.iter().any(|known| known == key)
                || more.contains(&key.as_ref())
                || is_provenance_key(key)
                || self.reported.borrow().contains(span)
            {
                continue;
            }
            let mut own: Vec<&str> = read_keys.iter().copied().chain(more.iter().copied()).collect();
            if let Some(help) = panel_option_help(&self.label.to_string(), key) {
                let message = format!("`{key}` is an option of the panel, not a key");
                self.error("unknown-key", *span, message, help);
                continue;
            }
            let mut provenance = PROVENANCE.map(|(word, ..)| word).to_vec();
            provenance.retain(|word| !own.contains(word));
            provenance.sort_unstable();
            let mut help = own_help(entry).unwrap_or_else(|| suggest(key, own.iter().copied().chain(provenance)));
            if help.is_empty() {
                own.sort_unstable();
                own.dedup();
                help = format!("known keys: {}", own.join(", "));
            }
            self.error("unknown-key", *span, format!("unknown key `{}`", shorten(key)), help);
        }
    }

    pub fn report_unknown_keys(&self) {
        self.report_unknown_keys_except(&[]);
    }
}

/// Options of the table and track panels, which authors often write in the ruleset.
const PANEL_OPTIONS: [(&str, &[&str]); 2] = [
    ("table", &["where", "chart", "squares", "shade", "dot", "turn", "span", "abreast", "heads", "fold", "zigzag"]),
    ("track", &["row_name", "last", "medal", "down", "names", "named", "apart", "wrap", "heights", "size", "title"]),
];

fn panel_option_help(label: &str, key: &str) -> Option<String> {
    let (word, id) = label.strip_prefix("[[")?.split_once("]] ")?;
    let (_, keys) = PANEL_OPTIONS.iter().find(|(known, _)| *known == word)?;
    if id.contains(':') || !keys.contains(&key) {
        return None;
    }
    let here = if key == "where" { "; here, use `concerns` to choose the rows a ship shows" } else { "" };
    Some(format!("set it in the Description of `panel: {word} {id}` on the sheet{here}"))
}

/// Records in tests which keys are read, and how.
#[cfg(test)]
pub mod key_usage {
    use std::cell::RefCell;
    use std::collections::{BTreeMap, BTreeSet};

    /// By section and key, the ways in which it was read.
    pub type KeyUsage = BTreeMap<(String, &'static str), BTreeSet<String>>;

    thread_local! {
        static NOTES: RefCell<Option<KeyUsage>> = const { RefCell::new(None) };
    }

    /// The keys that were read during a call.
    pub fn record_during<T>(label: impl FnOnce() -> T) -> (T, KeyUsage) {
        NOTES.set(Some(KeyUsage::new()));
        let done = label();
        (done, NOTES.take().unwrap_or_default())
    }

    pub(super) fn note(label: &str, key: &'static str, method: &str) {
        NOTES.with_borrow_mut(|notes| {
            if let Some(notes) = notes {
                notes.entry((section_of(label), key)).or_default().insert(method.to_owned());
            }
        });
    }

    /// The section of a key, from a message's label: `[[system]] laser: parameter `n`` is a parameter.
    fn section_of(label: &str) -> String {
        let outer = label.trim_start_matches('[').split(']').next().unwrap_or_default();
        let inner = label.rsplit_once(": ").map(|(_, inner)| inner.split_whitespace().next().unwrap_or_default());
        match inner.map(|inner| inner.trim_matches('`')) {
            None if outer == "attributes" => "attribute".to_owned(),
            None if label.starts_with('[') => outer.to_owned(),
            Some("column") => format!("{outer} column"),
            Some("step") => "attack step".to_owned(),
            Some("mark") if outer == "ruler" => "ruler mark".to_owned(),
            Some(inner @ ("fit" | "system")) => format!("{outer} {inner}"),
            Some(inner @ ("parameter" | "mark" | "fix" | "grid" | "own_systems")) => inner.to_owned(),
            _ => "reason".to_owned(),
        }
    }
}
