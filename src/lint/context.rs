//! What all lints look at, gathered once: the ruleset's tree and formulas, the words its templates say, its designs evaluated.
//! Takes a subject, gives the ground the lints stand on, and gathers what they find.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::art::Template;
use crate::design::Design;
use crate::finding::Finding;
use crate::ruleset::{FormulaEntry, Ruleset, SheetKind, merged_tree};
use crate::sheet::TemplateCache;
use crate::source::Span;
use crate::source::toml::{TomlNode, TomlTable, TomlValue};

use super::catalogue::{FindingExample, LINTS, Lint, LintInput, LintReport};
use super::trial_runs::{self, TrialRun, TrialRuns};

/// The most findings of one ruleset: an author mends the first ones and looks again.
const MAX_FINDINGS: usize = 300;

/// The ground.
pub(super) struct LintContext<'a> {
    pub rules: &'a Arc<Ruleset>,
    pub designs: &'a [Design],
    pub shelf: &'a TemplateCache<'a>,
    /// The ruleset with its layers laid, as its authors wrote it.
    pub tree: TomlTable<'a>,
    /// Where a thing stands in the list of its word: its key is `word id`.
    places: HashMap<String, usize>,
    pub formulas: Vec<FormulaEntry<'a>>,
    /// Every slot that some formula reads.
    pub reads: BTreeSet<u32>,
    /// Every bound call that some formula makes.
    pub calls: BTreeSet<u32>,
    /// Words of formulas, as names (`it`, `mass`) and as ids (`alpha-node`).
    pub said: BTreeSet<String>,
    /// The templates that are there, by name.
    pub templates: Vec<(Arc<str>, Arc<Template>)>,
    /// Words of the templates' slots, panels and options.
    pub shown: BTreeSet<String>,
    /// Whether every template, face and icon that the ruleset names is there: only then can something be called not shown.
    pub whole: bool,
    /// The designs tried, the game's own first.
    pub trials: Vec<TrialRun>,
    /// How many are the game's own.
    pub samples: usize,
    /// How many designs were not tried to their end, for want of work.
    pub left_out: usize,
    /// The file that is spoken of.
    own: u16,
    found: Vec<LintFinding>,
    /// Of a layer: what was found in the files below it, which may be its doing.
    below: Vec<LintFinding>,
}

/// Something that is found.
pub(super) struct LintFinding {
    pub lint: &'static Lint,
    pub span: Span,
    pub finding: Finding,
    /// The design that shows it, by its place among those tried.
    pub trial: Option<usize>,
}

impl<'a> LintContext<'a> {
    pub(super) fn new(subject: &LintInput<'a>, go_on: &dyn Fn() -> bool) -> Self {
        let rules = subject.ruleset;
        let pieces = rules.all_formulas();
        let reads = pieces.iter().flat_map(|piece| piece.part.reads()).collect();
        let calls = pieces.iter().flat_map(|piece| piece.part.calls()).collect();
        let mut said = BTreeSet::new();
        for formula in pieces.iter().flat_map(|piece| piece.part.formula_sources()) {
            words(formula, &mut said);
        }
        let (templates, whole) = load_templates(rules, subject.shelf);
        let mut shown = BTreeSet::new();
        for (_, template) in &templates {
            collect_template_words(template, &mut shown);
        }
        let TrialRuns { trials: tried, samples, left_out } = trial_runs::all(rules, subject.designs, go_on);
        let own = u16::try_from(rules.sources.len().saturating_sub(1)).unwrap_or(0);
        let (tree, shelf) = (merged_tree(&rules.sources), subject.shelf);
        Self {
            rules,
            designs: subject.designs,
            shelf,
            places: places(&tree),
            tree,
            formulas: pieces,
            reads,
            calls,
            said,
            templates,
            shown,
            whole,
            trials: tried,
            samples,
            left_out,
            own,
            found: Vec::new(),
            below: Vec::new(),
        }
    }

    pub(super) fn is_layer(&self) -> bool {
        self.own > 0
    }

    /// Whether formulas or templates say a word.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.said.contains(word) || self.shown.contains(word)
    }

    /// The things of a word, as their authors wrote them.
    pub(super) fn definitions(&self, word: &str) -> impl Iterator<Item = &TomlTable<'a>> {
        let list = match self.tree.get(word).map(|node| &node.data) {
            Some(TomlValue::List(list)) => list.as_slice(),
            _ => &[],
        };
        list.iter().filter_map(table)
    }

    pub(super) fn definition(&self, word: &str, id: &str) -> Option<&TomlTable<'a>> {
        let place = *self.places.get(&format!("{word} {id}"))?;
        match self.tree.get(word).map(|node| &node.data) {
            Some(TomlValue::List(list)) => list.get(place).and_then(table),
            _ => None,
        }
    }

    /// Where a key of a thing stands; without such a key where its id stands.
    pub(super) fn span(&self, word: &str, id: &str, key: &str) -> Span {
        let Some(table) = self.definition(word, id) else { return Span { file: self.own, ..Span::default() } };
        let name = if word == "check" { "code" } else { "id" };
        table.get(key).or_else(|| table.get(name)).map_or(table.span, |node| node.span)
    }

    /// Where the header stands.
    pub(super) fn header_span(&self) -> Span {
        match self.tree.get("ruleset").map(|node| &node.data) {
            // A layer's own header is not laid over that of the rules below.
            Some(TomlValue::Table(header)) if !self.is_layer() => {
                header.get("id").map_or(header.span, |node| node.span)
            }
            _ => Span::default(),
        }
    }

    /// Whether this was found at one of these places.
    pub(super) fn has_found(&self, code: &str, at: &[Span]) -> bool {
        let is = |found: &LintFinding| found.lint.code == code && at.contains(&found.span);
        self.found.iter().chain(&self.below).any(is)
    }

    /// The file that is spoken of.
    pub(super) fn own(&self) -> u16 {
        self.own
    }

    /// What was found in the files below a layer.
    pub(super) fn take_below(&mut self) -> Vec<LintFinding> {
        std::mem::take(&mut self.below)
    }

    /// Everything that was found, wherever it is.
    pub(super) fn places(&self) -> BTreeSet<(&'static str, Span)> {
        self.found.iter().chain(&self.below).map(|found| (found.lint.code, found.span)).collect()
    }

    /// A design that was tried.
    pub(super) fn design(&self, trial: usize) -> Option<&Design> {
        let made = self.trials.get(trial)?.made.as_ref();
        made.or_else(|| self.designs.get(trial).filter(|_| trial < self.samples))
    }

    /// Something is found; it is spoken of if it stands in the file that is looked at.
    pub(super) fn find(&mut self, code: &'static str, span: Span, message: String, help: impl Into<String>) {
        self.add_for_trial(code, span, message, help, None);
    }

    /// The same, with the design that shows it, by its place among those tried.
    pub(super) fn add_for_trial(
        &mut self,
        code: &'static str,
        span: Span,
        message: String,
        help: impl Into<String>,
        trial: Option<usize>,
    ) {
        let lint = LINTS.iter().find(|lint| lint.code == code);
        debug_assert!(lint.is_some(), "{code}");
        let Some(lint) = lint else { return };
        let found = if span.file == self.own { &mut self.found } else { &mut self.below };
        if found.len() >= MAX_FINDINGS {
            return;
        }
        let place = self.rules.file(span).map(|source| source.shown(span)).unwrap_or_default();
        let finding = Finding::new(code, lint.severity, message).at(place).help(help);
        if !found.iter().any(|known| known.finding == finding) {
            found.push(LintFinding { lint, span, finding, trial });
        }
    }

    pub(super) fn into_report(mut self) -> LintReport {
        self.found.sort_by_key(|found| found.span);
        let found = std::mem::take(&mut self.found);
        let trials = found.iter().enumerate().filter_map(|(finding, found)| {
            let design = self.design(found.trial?)?.clone();
            Some(FindingExample { finding, design })
        });
        let trials = trials.collect();
        let findings = found.into_iter().map(|found| found.finding).collect();
        LintReport { findings, examples: trials, samples_tried: self.samples, made: self.trials.len() - self.samples }
    }
}

fn table<'n, 'a>(node: &'n TomlNode<'a>) -> Option<&'n TomlTable<'a>> {
    if let TomlValue::Table(table) = &node.data { Some(table) } else { None }
}

/// Where each thing stands; of several with one id the first.
fn places(tree: &TomlTable<'_>) -> HashMap<String, usize> {
    let mut places = HashMap::new();
    for entry in &tree.entries {
        let TomlValue::List(list) = &entry.node.data else { continue };
        let key = if entry.key == "check" { "code" } else { "id" };
        for (n, node) in list.iter().enumerate() {
            if let Some(id) = table(node).and_then(|table| text(table.get(key))) {
                places.entry(format!("{} {id}", entry.key)).or_insert(n);
            }
        }
    }
    places
}

/// A node's text.
pub(super) fn text<'n>(node: Option<&'n TomlNode<'_>>) -> Option<&'n str> {
    match node.map(|node| &node.data) {
        Some(TomlValue::Text(text)) => Some(text),
        _ => None,
    }
}

/// The templates that a ruleset names and that are there, and whether these are all, and a sheet among them.
fn load_templates(rules: &Ruleset, shelf: &TemplateCache<'_>) -> (Vec<(Arc<str>, Arc<Template>)>, bool) {
    let mut names: Vec<&Arc<str>> = rules.sheets.iter().map(|sheet| &sheet.template).collect();
    names.extend(rules.counters.iter().flat_map(|counter| std::iter::once(&counter.face).chain(&counter.back)));
    names.extend(rules.tracks.iter().filter_map(|track| track.face.as_ref()));
    let mut templates: Vec<(Arc<str>, Arc<Template>)> = Vec::new();
    let mut whole = rules.sheets.iter().any(|sheet| sheet.kind == SheetKind::Design);
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        if templates.iter().any(|(known, _)| known == name) {
            continue;
        }
        match shelf.template(rules, name) {
            Some(template) => templates.push((Arc::clone(name), template)),
            None => whole = false,
        }
    }
    (templates, whole)
}

/// The words of a template that speak to the ruleset: what stands within `{{ }}`, conditions, panels and options.
pub(super) fn collect_template_words(template: &Template, into: &mut BTreeSet<String>) {
    for slot in &template.slots {
        collect_slot_words(&slot.text.text, into);
        collect_slot_words(&slot.options.text, into);
    }
    for condition in &template.conditions {
        words(&condition.text.text, into);
    }
    for panel in &template.panels {
        words(&panel.argument.text, into);
        words(&panel.options.text, into);
    }
}

/// The words within `{{ }}`.
fn collect_slot_words(text: &str, into: &mut BTreeSet<String>) {
    for part in text.split("{{").skip(1) {
        words(part.split("}}").next().unwrap_or_default(), into);
    }
}

/// The words of a formula, as names and as ids.
pub(super) fn words(text: &str, into: &mut BTreeSet<String>) {
    for hyphens in [false, true] {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || (hyphens && c == '-');
        into.extend(text.split(|c| !part(c)).filter(|word| !word.is_empty()).map(str::to_owned));
    }
}

/// The names of the sheets of a kind.
pub(super) fn sheet_templates(rules: &Ruleset, kind: SheetKind) -> impl Iterator<Item = &Arc<str>> {
    rules.sheets.iter().filter(move |sheet| sheet.kind == kind).map(|sheet| &sheet.template)
}
