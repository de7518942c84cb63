//! Reads a panel's argument and options: takes the label's words and the TOML of its description, gives compiled texts,
//! formulas and plain values. Faults are findings that name the label and the position in the template.

use std::sync::Arc;

use super::panel::CompiledPanel;
use moldloft_base::finding::{Finding, nearest};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlTable, TomlValue};
use moldloft_drawing::art::{CappedFindings, MappedText, Template};
use moldloft_rules::formula::{Formula, FormulaError, TextTemplate, Type};
use moldloft_rules::ruleset::{Ruleset, SlotContext};

/// The input for compiling a panel.
pub struct PanelArgs<'a> {
    pub ruleset: &'a Ruleset,
    /// The template that contains it.
    pub template: &'a Template,
    /// The label, for messages: `panel: track structure`.
    pub label: Arc<str>,
    /// The words after the kind.
    pub argument: Vec<Arc<str>>,
    /// Position of the argument.
    pub argument_span: Span,
    pub options: &'a TomlTable<'a>,
    /// The text of the file that option spans refer to.
    pub mapped: &'a MappedText,
    /// What `it` is in the panel's heading.
    pub heading_context: SlotContext,
    /// Collects the faults.
    pub findings: &'a mut CappedFindings,
    /// Compiles a panel within this one from its kind and arguments.
    pub compile_nested: fn(&str, PanelArgs<'_>) -> Option<CompiledPanel>,
}

impl<'a> PanelArgs<'a> {
    /// Adds a finding at a position in the options.
    pub fn report(&mut self, code: &'static str, message: String, help: Option<String>, span: Span) {
        self.report_with(code, span, || (message, help));
    }

    /// Like `wrong`, but the message and help are only computed if the finding is kept.
    pub fn report_with(&mut self, code: &'static str, span: Span, words: impl FnOnce() -> (String, Option<String>)) {
        let (mapped, template) = (self.mapped, self.template);
        self.findings.add(|| {
            let (message, help) = words();
            let at = mapped.span_of(span.start as usize..span.end as usize);
            Finding::error(code, message).maybe_help(help).at(template.source.place_with_snippet(at))
        });
    }

    /// Adds a finding at an option.
    pub fn report_option(&mut self, key: &str, message: String, help: &str) {
        let span = self.options.get(key).map(|node| node.span).unwrap_or_default();
        self.report("wrong-panel-option", message, Some(help.to_owned()), span);
    }

    /// Adds a warning at an option.
    pub fn warn_option(&mut self, key: &str, code: &'static str, message: String, help: &str) {
        let span = self.options.get(key).map(|node| node.span).unwrap_or_default();
        let (mapped, template) = (self.mapped, self.template);
        self.findings.add(|| {
            let at = mapped.span_of(span.start as usize..span.end as usize);
            Finding::warning(code, message).help(help).at(template.source.place_with_snippet(at))
        });
    }

    /// Adds a finding at the label.
    pub fn report_argument(&mut self, code: &'static str, message: String, help: Option<String>) {
        self.report_argument_with(code, || (message, help));
    }

    /// Like `report_argument`, but the message and help are only computed if the finding is kept.
    pub fn report_argument_with(&mut self, code: &'static str, words: impl FnOnce() -> (String, Option<String>)) {
        let (at, template) = (self.argument_span, self.template);
        self.findings.add(|| {
            let (message, help) = words();
            Finding::error(code, message).maybe_help(help).at(template.source.place_with_snippet(at))
        });
    }

    /// Reports a word of the argument that is not one of the known ones. Of what a layer removed, there is nothing to
    /// show: a template made for the game without the layer stays right.
    pub fn report_unknown(&mut self, what: &str, word: &str, known: &[&str]) {
        let sections = if what == "table" { &["table", "field"][..] } else { &[what][..] };
        let declared = word.split_once('_').map_or(word, |(declared, _)| declared);
        if sections.iter().any(|section| [word, declared].iter().any(|id| self.ruleset.is_removed(section, id))) {
            return;
        }
        let label = Arc::clone(&self.label);
        self.report_argument_with("unknown-panel-argument", || {
            let help = nearest(word, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            let help = help.or_else(|| (!known.is_empty()).then(|| format!("available: {}", known.join(", "))));
            match word {
                "" => (format!("`{label}`: missing the {what} that it shows"), help),
                _ => (format!("`{label}`: unknown {what} `{word}`"), help),
            }
        });
    }

    /// Whether a word is one of the known ones; if not, it is reported.
    pub fn check_known(&mut self, what: &str, word: &str, known: &[&str]) -> bool {
        let is_known = known.contains(&word);
        if !is_known {
            self.report_unknown(what, word, known);
        }
        is_known
    }

    /// For options within these options.
    pub fn nested<'b>(&'b mut self, label: Arc<str>, options: &'b TomlTable<'b>) -> PanelArgs<'b> {
        PanelArgs {
            ruleset: self.ruleset,
            template: self.template,
            label,
            argument: Vec::new(),
            argument_span: self.argument_span,
            options,
            mapped: self.mapped,
            heading_context: SlotContext::Ship,
            findings: self.findings,
            compile_nested: self.compile_nested,
        }
    }

    /// Reports each option that is not one of the known ones, or that changes nothing any more.
    pub fn report_unknown_options<K: Iterator<Item = &'static str>>(
        &mut self,
        needless: &[&str],
        known: impl Fn() -> K,
    ) {
        for entry in &self.options.entries {
            let label = Arc::clone(&self.label);
            if needless.contains(&&*entry.key) {
                let message = format!("`{label}`: option `{}` changes nothing any more", entry.key);
                let at = self.mapped.span_of(entry.span.start as usize..entry.span.end as usize);
                let found = Finding::info("needless-panel-option", message).help("remove it");
                let template = self.template;
                self.findings.add(|| found.at(template.source.place_with_snippet(at)));
            } else if !known().any(|key| key == entry.key) {
                self.report_with("unknown-panel-option", entry.span, || {
                    let help = match nearest(&entry.key, known()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("available options: {}", known().collect::<Vec<_>>().join(", ")),
                    };
                    (format!("`{label}`: unknown option `{}`", entry.key), Some(help))
                });
            }
        }
    }

    /// Whether an option is given.
    pub fn has(&self, key: &str) -> bool {
        self.options.get(key).is_some()
    }

    /// An option's value as `convert` gives it; its `None` is reported as a wrong type.
    fn read<T>(
        &mut self,
        key: &str,
        expected: &str,
        convert: impl FnOnce(&'a TomlValue<'a>) -> Option<T>,
    ) -> Option<T> {
        let node = self.options.get(key)?;
        let value = convert(&node.data);
        if value.is_none() {
            let message = format!("`{}`: expected {expected} for `{key}`, found {}", self.label, node.data.type_name());
            self.report("wrong-panel-option", message, None, node.span);
        }
        value
    }

    /// Whether an option is a list.
    pub fn is_list(&self, key: &str) -> bool {
        self.options.get(key).is_some_and(|node| matches!(node.data, TomlValue::List(_)))
    }

    /// Whether an option is a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.options.get(key).is_some_and(|node| matches!(node.data, TomlValue::Table(_)))
    }

    /// A whole number from 0 to 100,000.
    pub fn integer(&mut self, key: &str) -> Option<u32> {
        self.read(key, "a whole number from 0 to 100000", |value| match value {
            TomlValue::Int(n) => u32::try_from(*n).ok().filter(|n| *n <= 100_000),
            _ => None,
        })
    }

    /// A length or share: any number from 0 to 1000.
    pub fn number(&mut self, key: &str) -> Option<f32> {
        self.read(key, "a number from 0 to 1000", as_number)
    }

    pub fn numbers(&mut self, key: &str) -> Option<Vec<f32>> {
        self.read(key, "a list of numbers", |value| match value {
            TomlValue::List(list) => list.iter().map(|node| as_number(&node.data)).collect(),
            _ => None,
        })
    }

    pub fn boolean(&mut self, key: &str) -> Option<bool> {
        self.read(key, "true or false", |value| match value {
            TomlValue::Flag(flag) => Some(*flag),
            _ => None,
        })
    }

    /// Plain text, not compiled.
    pub fn string(&mut self, key: &str) -> Option<Arc<str>> {
        self.read(key, "text", as_text)
    }

    /// One of a few words, as the value that belongs to it.
    pub fn one_of<T: Copy>(&mut self, key: &str, known: &[(&'static str, T)]) -> Option<T> {
        let word = self.string(key)?;
        let found = known.iter().find(|(known, _)| **known == *word).map(|(_, value)| *value);
        if found.is_none() {
            let span = self.options.get(key).map(|node| node.span).unwrap_or_default();
            let message = format!("`{}`: invalid value `{word}` for `{key}`", self.label);
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            self.report("wrong-panel-option", message, Some(format!("available values: {}", words.join(", "))), span);
        }
        found
    }

    /// A list of plain texts; a single text counts as a list of one.
    pub fn string_list(&mut self, key: &str) -> Option<Vec<Arc<str>>> {
        self.read(key, "a list of texts", |value| match value {
            TomlValue::List(list) => list.iter().map(|node| as_text(&node.data)).collect(),
            _ => Some(vec![as_text(value)?]),
        })
    }

    /// Texts by name: `{ laser-head = "icons/laser-head.svg" }`.
    pub fn string_map(&mut self, key: &str) -> Option<Vec<(Arc<str>, Arc<str>)>> {
        self.read(key, "a table of texts", |value| match value {
            TomlValue::Table(table) => {
                table.entries.iter().map(|entry| Some((Arc::from(&*entry.key), as_text(&entry.node.data)?))).collect()
            }
            _ => None,
        })
    }

    pub fn tables(&mut self, key: &str) -> Option<Vec<&'a TomlTable<'a>>> {
        self.read(key, "a list of tables", |value| match value {
            TomlValue::List(list) => list
                .iter()
                .map(|node| match &node.data {
                    TomlValue::Table(table) => Some(table),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
    }

    /// Text with `{{ }}`, compiled.
    pub fn template_text(&mut self, key: &str, within: &SlotContext) -> Option<TextTemplate> {
        let (text, span) = self.quoted(key, "text")?;
        self.compiled_text(&text, span, within)
    }

    /// Texts with `{{ }}`, compiled; a single text counts as a list of one.
    pub fn template_texts(&mut self, key: &str, within: &SlotContext) -> Option<Vec<TextTemplate>> {
        let whole = self.options.get(key)?.span;
        let texts: Vec<(Arc<str>, Span)> = self.read(key, "a list of texts", |value| match value {
            TomlValue::List(list) => list.iter().map(|node| Some((as_text(&node.data)?, node.span))).collect(),
            _ => Some(vec![(as_text(value)?, whole)]),
        })?;
        texts.iter().map(|(text, span)| self.compiled_text(text, without_quotes(*span), within)).collect()
    }

    fn compiled_text(&mut self, text: &str, span: Span, within: &SlotContext) -> Option<TextTemplate> {
        let compiled = self.ruleset.text(text, span, within);
        compiled.map_err(|mistake| self.report_mistake(mistake)).ok()
    }

    /// A formula that gives true or false.
    pub fn condition(&mut self, key: &str, within: &SlotContext) -> Option<Formula> {
        let (text, span) = self.quoted(key, "a formula in quotes")?;
        let compiled = self.ruleset.formula(&text, span, within, &Type::Flag);
        compiled.map_err(|mistake| self.report_mistake(mistake)).ok()
    }

    /// Formulas that give true or false, by name: `{ drones = "count('ew-drone')" }`.
    pub fn conditions(&mut self, key: &str, within: &SlotContext) -> Option<Vec<(Arc<str>, Formula)>> {
        let texts: Option<Vec<(Arc<str>, Arc<str>, Span)>> =
            self.read(key, "a table of formulas in quotes", |value| match value {
                TomlValue::Table(table) => {
                    let texts = table.entries.iter();
                    texts
                        .map(|entry| Some((Arc::from(&*entry.key), as_text(&entry.node.data)?, entry.node.span)))
                        .collect()
                }
                _ => None,
            });
        let mut conditions = Vec::new();
        for (name, text, span) in texts.unwrap_or_default() {
            match self.ruleset.formula(&text, without_quotes(span), within, &Type::Flag) {
                Ok(formula) => conditions.push((name, formula)),
                Err(mistake) => self.report_mistake(mistake),
            }
        }
        (!conditions.is_empty()).then_some(conditions)
    }

    /// A text and its span, without its quotes.
    fn quoted(&mut self, key: &str, expected: &str) -> Option<(Arc<str>, Span)> {
        let text = self.read(key, expected, as_text)?;
        let span = self.options.get(key)?.span;
        Some((text, without_quotes(span)))
    }

    fn report_mistake(&mut self, mistake: FormulaError) {
        let message = format!("`{}`: {}", self.label, mistake.message);
        self.report(mistake.code, message, mistake.help, mistake.span);
    }
}

fn without_quotes(span: Span) -> Span {
    Span { start: span.start + 1, end: span.end.saturating_sub(1).max(span.start + 1), ..span }
}

fn as_text(value: &TomlValue<'_>) -> Option<Arc<str>> {
    match value {
        TomlValue::Text(text) => Some(Arc::from(&**text)),
        _ => None,
    }
}

fn as_number(value: &TomlValue<'_>) -> Option<f32> {
    let n = match value {
        TomlValue::Int(n) => *n as f32,
        TomlValue::Float(text) => text.parse::<f32>().ok()?,
        _ => return None,
    };
    (n.is_finite() && (0.0..=1000.0).contains(&n)).then_some(n)
}
