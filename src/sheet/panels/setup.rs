//! Reading a panel's argument and options: takes the label's words and the TOML of its description, gives compiled texts, formulas and
//! plain values. What is wrong is a finding that names the label and the place in the template.

use std::sync::Arc;

use crate::art::{Findings, Mapped, Template};
use crate::finding::{Finding, nearest};
use crate::formula::{Formula, Mistake, Text, Type};
use crate::ruleset::{Ruleset, Within};
use crate::source::Span;
use crate::source::toml::{Data, Node, Table, parse};

/// What a panel is compiled from.
pub struct Setup<'a> {
    /// The rules.
    pub ruleset: &'a Ruleset,
    /// The template it stands in.
    pub template: &'a Template,
    /// The label, for messages: `panel: track structure`.
    pub label: Arc<str>,
    /// The words after the kind.
    pub argument: Vec<Arc<str>>,
    /// Where the argument stands.
    pub argument_at: Span,
    /// The options.
    pub options: &'a Table<'a>,
    /// Where option spans point: into this text of the file.
    pub mapped: &'a Mapped,
    /// What was wrong.
    pub findings: &'a mut Findings,
}

/// The options' TOML, parsed; faults become findings.
pub fn options<'a>(mapped: &'a Mapped, template: &Template, name: &str, findings: &mut Findings) -> Table<'a> {
    let (table, faults) = parse(&mapped.text, 0);
    for fault in faults {
        findings.add(|| {
            let at = mapped.at(fault.span.start as usize..fault.span.end as usize);
            let message = format!("invalid TOML in the description of `{name}`: {}", fault.message);
            Finding::error("panel-options-not-toml", message).at(template.source.shown(at))
        });
    }
    table
}

impl<'a> Setup<'a> {
    /// A finding at a place of the options.
    pub fn wrong(&mut self, code: &'static str, message: String, help: Option<String>, span: Span) {
        self.wrong_with(code, span, || (message, help));
    }

    /// The same with words that are looked for only if the finding is kept.
    pub fn wrong_with(&mut self, code: &'static str, span: Span, words: impl FnOnce() -> (String, Option<String>)) {
        let (mapped, template) = (self.mapped, self.template);
        self.findings.add(|| {
            let (message, help) = words();
            let at = mapped.at(span.start as usize..span.end as usize);
            Finding { help, ..Finding::error(code, message).at(template.source.shown(at)) }
        });
    }

    /// A finding at the label.
    pub fn wrong_argument(&mut self, code: &'static str, message: String, help: Option<String>) {
        self.wrong_argument_with(code, || (message, help));
    }

    /// The same with words that are looked for only if the finding is kept.
    pub fn wrong_argument_with(&mut self, code: &'static str, words: impl FnOnce() -> (String, Option<String>)) {
        let (at, template) = (self.argument_at, self.template);
        self.findings.add(|| {
            let (message, help) = words();
            Finding { help, ..Finding::error(code, message).at(template.source.shown(at)) }
        });
    }

    /// An argument's word that is none of the known ones.
    pub fn unknown(&mut self, what: &str, word: &str, known: &[&str]) {
        let label = Arc::clone(&self.label);
        self.wrong_argument_with("unknown-panel-argument", || {
            let help = nearest(word, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            let help = help.or_else(|| (!known.is_empty()).then(|| format!("available: {}", known.join(", "))));
            (format!("`{label}`: unknown {what} `{word}`"), help)
        });
    }

    fn node(&self, key: &str) -> Option<&'a Node<'a>> {
        self.options.get(key)
    }

    /// Whether an option is given.
    pub fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    fn expected(&mut self, key: &str, what: &str, node: &Node<'_>) {
        let message = format!("`{}`: expected {what} for `{key}`, found {}", self.label, node.data.kind());
        self.wrong("wrong-panel-option", message, None, node.span);
    }

    /// A whole number from 0 to 100,000.
    pub fn whole(&mut self, key: &str) -> Option<u32> {
        let node = self.node(key)?;
        match node.data {
            Data::Int(n) if (0..=100_000).contains(&n) => u32::try_from(n).ok(),
            _ => {
                self.expected(key, "a whole number from 0 to 100000", node);
                None
            }
        }
    }

    /// A length or part: any number from 0 to 1000.
    pub fn number(&mut self, key: &str) -> Option<f32> {
        let node = self.node(key)?;
        match number(node) {
            Some(n) => Some(n),
            None => {
                self.expected(key, "a number from 0 to 1000", node);
                None
            }
        }
    }

    /// A list of numbers.
    pub fn numbers(&mut self, key: &str) -> Option<Vec<f32>> {
        let node = self.node(key)?;
        let numbers = match &node.data {
            Data::List(list) => list.iter().map(number).collect(),
            _ => None,
        };
        if numbers.is_none() {
            self.expected(key, "a list of numbers", node);
        }
        numbers
    }

    /// true or false.
    pub fn flag(&mut self, key: &str) -> Option<bool> {
        let node = self.node(key)?;
        match node.data {
            Data::Flag(flag) => Some(flag),
            _ => {
                self.expected(key, "true or false", node);
                None
            }
        }
    }

    /// Plain words, not compiled.
    pub fn word(&mut self, key: &str) -> Option<Arc<str>> {
        let node = self.node(key)?;
        match &node.data {
            Data::Text(text) => Some(Arc::from(&**text)),
            _ => {
                self.expected(key, "text", node);
                None
            }
        }
    }

    /// One of a few words.
    pub fn choice(&mut self, key: &str, known: &[&'static str]) -> Option<&'static str> {
        let word = self.word(key)?;
        let found = known.iter().copied().find(|known| **known == *word);
        if found.is_none() {
            let span = self.node(key).map(|node| node.span).unwrap_or_default();
            let message = format!("`{}`: invalid value `{word}` for `{key}`", self.label);
            self.wrong("wrong-panel-option", message, Some(format!("available values: {}", known.join(", "))), span);
        }
        found
    }

    /// A list of plain words; a single text counts as a list of one.
    pub fn words(&mut self, key: &str) -> Option<Vec<Arc<str>>> {
        let node = self.node(key)?;
        let words = match &node.data {
            Data::Text(text) => Some(vec![Arc::from(&**text)]),
            Data::List(list) => list
                .iter()
                .map(|node| match &node.data {
                    Data::Text(text) => Some(Arc::from(&**text)),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if words.is_none() {
            self.expected(key, "a list of texts", node);
        }
        words
    }

    /// Words by name: `{ laser-head = "icons/laser-head.svg" }`.
    pub fn pairs(&mut self, key: &str) -> Option<Vec<(Arc<str>, Arc<str>)>> {
        let node = self.node(key)?;
        let pairs = match &node.data {
            Data::Table(table) => table
                .entries
                .iter()
                .map(|entry| match &entry.node.data {
                    Data::Text(text) => Some((Arc::from(&*entry.key), Arc::from(&**text))),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if pairs.is_none() {
            self.expected(key, "a table of texts", node);
        }
        pairs
    }

    /// A list of tables, each with its place.
    pub fn tables(&mut self, key: &str) -> Option<Vec<&'a Table<'a>>> {
        let node = self.node(key)?;
        let tables = match &node.data {
            Data::List(list) => list
                .iter()
                .map(|node| match &node.data {
                    Data::Table(table) => Some(table),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if tables.is_none() {
            self.expected(key, "a list of tables", node);
        }
        tables
    }

    /// Text with `{{ }}`, compiled.
    pub fn text(&mut self, key: &str, within: &Within) -> Option<Text> {
        let node = self.node(key)?;
        let Data::Text(words) = &node.data else {
            self.expected(key, "text", node);
            return None;
        };
        match self.ruleset.text(words, inside(node.span), within) {
            Ok(text) => Some(text),
            Err(mistake) => {
                self.mistake(mistake);
                None
            }
        }
    }

    /// A formula that gives a flag.
    pub fn condition(&mut self, key: &str, within: &Within) -> Option<Formula> {
        let node = self.node(key)?;
        let Data::Text(words) = &node.data else {
            self.expected(key, "a formula in quotes", node);
            return None;
        };
        match self.ruleset.formula(words, inside(node.span), within, &Type::Flag) {
            Ok(formula) => Some(formula),
            Err(mistake) => {
                self.mistake(mistake);
                None
            }
        }
    }

    fn mistake(&mut self, mistake: Mistake) {
        let message = format!("`{}`: {}", self.label, mistake.message);
        self.wrong(mistake.code, message, mistake.help, mistake.span);
    }
}

/// The place within a string's quotes.
fn inside(span: Span) -> Span {
    Span { start: span.start + 1, end: span.end.saturating_sub(1).max(span.start + 1), ..span }
}

fn number(node: &Node<'_>) -> Option<f32> {
    let n = match &node.data {
        Data::Int(n) => *n as f32,
        Data::Float(text) => text.parse::<f32>().ok()?,
        _ => return None,
    };
    (n.is_finite() && (0.0..=1000.0).contains(&n)).then_some(n)
}
