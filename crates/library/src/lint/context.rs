//! The shared input of all lints: takes a ruleset with designs and templates, gives its tree, its formulas, the names
//! that its templates use and its evaluated designs; collects the findings.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use moldloft_base::finding::{Advice, Finding};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};
use moldloft_drawing::art::Template;
use moldloft_rules::design::Design;
use moldloft_rules::ruleset::{FormulaEntry, Ruleset, SheetKind, id_key, merged_tree};
use moldloft_sheet::sheet::{BAND_TABLE, TemplateCache};

use super::catalogue::{FindingExample, LINTS, Lint, LintInput, LintReport};
use super::trial_runs::{self, TrialRun, TrialRuns};

/// The most findings of one ruleset: authors fix the first ones and check again.
const MAX_FINDINGS: usize = 300;

pub(super) struct LintContext<'a> {
    pub rules: &'a Arc<Ruleset>,
    pub designs: &'a [Design],
    pub templates: &'a TemplateCache<'a>,
    /// Of the ruleset and its layers, merged but not resolved.
    pub tree: TomlTable<'a>,
    /// The index of each declaration in its section's list; keys are `section id`.
    positions: HashMap<String, usize>,
    pub formulas: Vec<FormulaEntry<'a>>,
    /// Every slot that a formula reads.
    pub reads: BTreeSet<u32>,
    /// Every bound call of a formula.
    pub calls: BTreeSet<u32>,
    /// Words in formulas, as names (`it`, `mass`) and as ids (`alpha-node`).
    pub formula_words: BTreeSet<String>,
    /// The templates that exist, by name.
    pub existing_templates: Vec<(Arc<str>, Arc<Template>)>,
    /// Words in the templates' slots, panels and options.
    pub template_words: BTreeSet<String>,
    /// Whether every template, face and icon of the ruleset exists; only then can something be reported as not shown.
    pub has_all_files: bool,
    /// The game's own designs first.
    pub trials: Vec<TrialRun>,
    /// The number of the game's own designs.
    pub samples: usize,
    /// Designs that were not tried to the end, for lack of allowance.
    pub left_out: usize,
    /// The number of the file that is checked.
    own_file: u16,
    found: Vec<LintFinding>,
    /// For a layer: findings in the files below it, which it may have caused.
    found_below: Vec<LintFinding>,
}

pub(super) struct LintFinding {
    pub lint: &'static Lint,
    pub span: Span,
    pub finding: Finding,
    /// What it is about, besides the declaration at its place.
    pub names: BTreeSet<String>,
    /// Index in [`LintContext::trials`] of the design that shows it.
    pub trial: Option<usize>,
}

impl<'a> LintContext<'a> {
    pub(super) fn new(subject: &LintInput<'a>, go_on: &dyn Fn() -> bool) -> Self {
        let rules = subject.ruleset;
        let formulas = rules.all_formulas();
        let reads = formulas.iter().flat_map(|entry| entry.part.reads()).collect();
        let calls = formulas.iter().flat_map(|entry| entry.part.calls()).collect();
        let mut formula_words = BTreeSet::new();
        for formula in formulas.iter().flat_map(|entry| entry.part.formula_sources()) {
            collect_words(formula, &mut formula_words);
        }
        let (existing_templates, has_all_files) = load_templates(rules, subject.templates);
        // `panel: band` reads its table by name.
        let mut template_words: BTreeSet<String> = BTreeSet::from([BAND_TABLE.to_owned()]);
        for (_, template) in &existing_templates {
            collect_template_words(template, &mut template_words);
        }
        let TrialRuns { trials, samples, left_out } = trial_runs::run_trials(rules, subject.designs, go_on);
        let own_file = u16::try_from(rules.sources.len().saturating_sub(1)).unwrap_or(0);
        let tree = merged_tree(&rules.sources);
        Self {
            rules,
            designs: subject.designs,
            templates: subject.templates,
            positions: definition_positions(&tree),
            tree,
            formulas,
            reads,
            calls,
            formula_words,
            existing_templates,
            template_words,
            has_all_files,
            trials,
            samples,
            left_out,
            own_file,
            found: Vec::new(),
            found_below: Vec::new(),
        }
    }

    pub(super) fn is_layer(&self) -> bool {
        self.own_file > 0
    }

    /// Whether a formula or template contains a word.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.formula_words.contains(word) || self.template_words.contains(word)
    }

    /// The declarations of a section as written.
    pub(super) fn definitions(&self, word: &str) -> impl Iterator<Item = &TomlTable<'a>> {
        self.tree.list(word).iter().filter_map(TomlNode::as_table)
    }

    pub(super) fn definition(&self, word: &str, id: &str) -> Option<&TomlTable<'a>> {
        let place = *self.positions.get(&format!("{word} {id}"))?;
        self.tree.list(word).get(place)?.as_table()
    }

    /// The place of a declaration's key; without such a key that of its id.
    pub(super) fn span(&self, word: &str, id: &str, key: &str) -> Span {
        let Some(table) = self.definition(word, id) else { return Span { file: self.own_file, ..Span::default() } };
        let name = id_key(word);
        table.get(key).or_else(|| table.get(name)).map_or(table.span, |node| node.span)
    }

    /// The place of the `[ruleset]` header.
    pub(super) fn header_span(&self) -> Span {
        match self.tree.table("ruleset") {
            // A layer's own header is not merged into that of the rules below.
            Some(header) if !self.is_layer() => header.get("id").map_or(header.span, |node| node.span),
            _ => Span::default(),
        }
    }

    /// Whether this finding exists at one of these places.
    pub(super) fn has_found(&self, code: &str, at: &[Span]) -> bool {
        let is = |found: &LintFinding| found.lint.code == code && at.contains(&found.span);
        self.found.iter().chain(&self.found_below).any(is)
    }

    /// The number of the file that is checked.
    pub(super) fn own_file(&self) -> u16 {
        self.own_file
    }

    /// The findings in the files below a layer.
    pub(super) fn take_below(&mut self) -> Vec<LintFinding> {
        std::mem::take(&mut self.found_below)
    }

    /// Code and place of every finding, in any file.
    pub(super) fn found_places(&self) -> BTreeSet<(&'static str, Span)> {
        self.found.iter().chain(&self.found_below).map(|found| (found.lint.code, found.span)).collect()
    }

    pub(super) fn design(&self, trial: usize) -> Option<&Design> {
        let made = self.trials.get(trial)?.generated_design.as_ref();
        made.or_else(|| self.designs.get(trial).filter(|_| trial < self.samples))
    }

    /// Adds a finding; it is reported if it is in the file that is checked.
    pub(super) fn find(&mut self, code: &'static str, span: Span, message: String, help: impl Into<Advice>) {
        self.add(code, span, BTreeSet::new(), message, help, None);
    }

    /// The same with names that the finding is about, besides the declaration at its place.
    pub(super) fn find_about<N: Into<String>>(
        &mut self,
        code: &'static str,
        span: Span,
        names: impl IntoIterator<Item = N>,
        message: String,
        help: impl Into<Advice>,
    ) {
        self.add(code, span, names.into_iter().map(Into::into).collect(), message, help, None);
    }

    /// The same with the design that shows it, by its index in [`LintContext::trials`].
    pub(super) fn add(
        &mut self,
        code: &'static str,
        span: Span,
        names: BTreeSet<String>,
        message: String,
        help: impl Into<Advice>,
        trial: Option<usize>,
    ) {
        let lint = LINTS.iter().find(|lint| lint.code == code);
        debug_assert!(lint.is_some(), "{code}");
        let Some(lint) = lint else { return };
        let found = if span.file == self.own_file { &mut self.found } else { &mut self.found_below };
        if found.len() >= MAX_FINDINGS {
            return;
        }
        let place = self.rules.file(span).map(|source| source.place_with_snippet(span)).unwrap_or_default();
        let finding = Finding::new(code, lint.severity, message).at(place).advise(help.into());
        if !found.iter().any(|known| known.finding == finding) {
            found.push(LintFinding { lint, span, finding, names, trial });
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
        let samples_illegal = self.trials[..self.samples].iter().filter(|trial| !trial.is_legal).count();
        let (samples_tried, made) = (self.samples, self.trials.len() - self.samples);
        LintReport { findings, examples: trials, samples_tried, samples_illegal, made }
    }
}

/// The first index of each id.
fn definition_positions(tree: &TomlTable<'_>) -> HashMap<String, usize> {
    let mut positions = HashMap::new();
    for entry in &tree.entries {
        let TomlValue::List(list) = &entry.node.data else { continue };
        let key = id_key(&entry.key);
        for (n, node) in list.iter().enumerate() {
            if let Some(id) = node.text_at(key) {
                positions.entry(format!("{} {id}", entry.key)).or_insert(n);
            }
        }
    }
    positions
}

/// The templates of a ruleset that exist, whether all exist, and whether there is a sheet among them.
fn load_templates(rules: &Ruleset, templates: &TemplateCache<'_>) -> (Vec<(Arc<str>, Arc<Template>)>, bool) {
    let sheets = templates.sheet_templates(rules);
    let mut names: Vec<&Arc<str>> = sheets.iter().map(|sheet| &sheet.name).collect();
    names.extend(rules.counters.iter().flat_map(|counter| std::iter::once(&counter.face).chain(&counter.back)));
    names.extend(rules.tracks.iter().filter_map(|track| track.face.as_ref()));
    let mut existing: Vec<(Arc<str>, Arc<Template>)> = Vec::new();
    let mut has_all = rules.sheets.iter().any(|sheet| sheet.kind == SheetKind::Design);
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        if existing.iter().any(|(known, _)| known == name) {
            continue;
        }
        match templates.template(rules, name) {
            Some(template) => existing.push((Arc::clone(name), template)),
            None => has_all = false,
        }
    }
    (existing, has_all)
}

/// The texts of a template that may refer to the ruleset: in `{{ }}`, conditions, panels and options.
pub(super) fn template_texts(template: &Template) -> impl Iterator<Item = &str> {
    let slots = template.slots.iter().flat_map(|slot| [&slot.text, &slot.options]).flat_map(|of| formulas_in(&of.text));
    let conditions = template.conditions.iter().map(|condition| &*condition.text.text);
    let panels = template.panels.iter().flat_map(|panel| [&*panel.argument.text, &*panel.options.text]);
    slots.chain(conditions).chain(panels)
}

pub(super) fn collect_template_words(template: &Template, into: &mut BTreeSet<String>) {
    template_texts(template).for_each(|text| collect_words(text, into));
}

/// What stands within `{{ }}`.
fn formulas_in(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).map(|part| part.split("}}").next().unwrap_or_default())
}

/// The words within `{{ }}`.
pub(super) fn collect_slot_words(text: &str, into: &mut BTreeSet<String>) {
    formulas_in(text).for_each(|text| collect_words(text, into));
}

/// The words of a text, as names and as ids.
pub(super) fn words_of(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    collect_words(text, &mut all);
    all
}

/// The words of a formula, as names and as ids.
pub(super) fn collect_words(text: &str, into: &mut BTreeSet<String>) {
    for hyphens in [false, true] {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || (hyphens && c == '-');
        into.extend(text.split(|c| !part(c)).filter(|word| !word.is_empty()).map(str::to_owned));
    }
}

pub(super) fn sheet_templates(rules: &Ruleset, kind: SheetKind) -> impl Iterator<Item = &Arc<str>> {
    rules.sheets.iter().filter(move |sheet| sheet.kind == kind).map(|sheet| &sheet.template)
}
