//! What each panel of a ruleset's sheets reads: its argument, its options, and the formulas in them. The texts of a sheet count as one panel.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue, parse};
use moldloft_drawing::art::{PanelRect, Template};
use moldloft_rules::formula::{Formula, TextTemplate, Type};
use moldloft_rules::ruleset::{Ruleset, Selector, SlotContext};
use moldloft_sheet::sheet::TemplateCache;

use super::super::context::{collect_slot_words, collect_words};
use super::reads::{Part, RulesetReads};

pub(super) struct PanelReads<'r> {
    /// `console: table laser`
    pub label: Arc<str>,
    kind: Arc<str>,
    /// Ids that its argument and its options name.
    names: BTreeSet<String>,
    /// Names in formulas that read more than the ship, such as `it` in `where`.
    words: BTreeSet<String>,
    formulas: Vec<Formula>,
    texts: Vec<TextTemplate>,
    rules: &'r Ruleset,
}

/// Options that hold words for players, or the columns of a form.
const WORDING: [&str; 7] = ["title", "note", "label", "names", "columns", "text", "blank_cells"];

pub(super) fn all<'r>(rules: &'r Ruleset, templates: &TemplateCache<'_>) -> Vec<PanelReads<'r>> {
    let mut all = Vec::new();
    let sheets = templates.sheet_templates(rules).into_iter().map(|sheet| sheet.name);
    let faces = rules.counters.iter().flat_map(|counter| std::iter::once(&counter.face).chain(&counter.back)).cloned();
    let mut seen = BTreeSet::new();
    for name in sheets.chain(faces).filter(|name| !name.is_empty()) {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(template) = templates.template(rules, &name) else { continue };
        let sheet = name.strip_suffix(".svg").unwrap_or(&name);
        all.extend(template.panels.iter().map(|panel| PanelReads::of_panel(rules, sheet, panel)));
        all.push(PanelReads::of_texts(rules, sheet, &template));
    }
    all
}

impl<'r> PanelReads<'r> {
    fn new(rules: &'r Ruleset, label: String, kind: &str) -> Self {
        Self {
            label: label.into(),
            kind: kind.into(),
            names: BTreeSet::new(),
            words: BTreeSet::new(),
            formulas: Vec::new(),
            texts: Vec::new(),
            rules,
        }
    }

    fn of_panel(rules: &'r Ruleset, sheet: &str, panel: &PanelRect) -> Self {
        let label = panel.label.strip_prefix("panel: ").unwrap_or(&panel.label);
        let mut reads = Self::new(rules, format!("{sheet}: {label}"), &panel.kind);
        // What a stack is called names nothing.
        if *panel.kind != *"stack" {
            reads.names.extend(panel.argument.text.split_whitespace().map(str::to_owned));
        }
        let (options, _) = parse(&panel.options.text, 0);
        reads.add_options(&options);
        reads
    }

    fn of_texts(rules: &'r Ruleset, sheet: &str, template: &Template) -> Self {
        let mut reads = Self::new(rules, format!("{sheet}: texts"), "");
        for slot in &template.slots {
            reads.add_text(&slot.text.text);
            reads.add_text(&slot.options.text);
        }
        template.conditions.iter().for_each(|condition| reads.add_formula(&condition.text.text));
        reads
    }

    fn add_options(&mut self, options: &TomlTable<'_>) {
        for entry in &options.entries {
            if entry.key == "show" {
                self.names
                    .extend(entry.node.as_text().unwrap_or_default().split_whitespace().skip(1).map(str::to_owned));
            } else {
                self.add_option(&entry.key, &entry.node);
            }
        }
    }

    fn add_option(&mut self, key: &str, node: &TomlNode<'_>) {
        match &node.data {
            TomlValue::Table(table) => self.add_options(table),
            TomlValue::List(list) => list.iter().for_each(|item| self.add_option(key, item)),
            TomlValue::Text(text) if text.contains("{{") => self.add_text(text),
            TomlValue::Text(text) if !WORDING.contains(&key) => {
                self.names.insert(text.to_string());
                self.add_formula(text);
            }
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        if !text.contains("{{") {
            return;
        }
        match self.rules.text(text, Span::default(), &SlotContext::Ship) {
            Ok(text) => self.texts.push(text),
            Err(_) => collect_slot_words(text, &mut self.words),
        }
    }

    fn add_formula(&mut self, text: &str) {
        match self.rules.formula(text, Span::default(), &SlotContext::Ship, &Type::Any) {
            Ok(formula) => self.formulas.push(formula),
            // Of a row, a fit, a box: its names are taken as written.
            Err(_) if text.contains("it.") || text.contains('(') => collect_words(text, &mut self.words),
            Err(_) => {}
        }
    }

    pub fn reads(&self, reads: &RulesetReads<'_>, part: &Part) -> bool {
        let rules = self.rules;
        let by_name = |id: &str| self.names.contains(id) || self.words.contains(id);
        let named = match part {
            Part::Named("cost", _) => *self.kind == *"costs",
            Part::Named("check", _) => *self.kind == *"findings",
            Part::Named(section, id) => {
                let of_mounts = *section == "track" && *self.kind == *"mount" && self.shows_track(id);
                by_name(id) && matches!(*section, "field" | "setting" | "value" | "relation" | "table" | "track")
                    || of_mounts
            }
            Part::Cell { table, .. } => rules.tables.get(*table).is_some_and(|table| by_name(&table.id)),
            Part::OptionData(field, _) => rules.fields.get(*field).is_some_and(|field| self.words.contains(&*field.id)),
            Part::System(system) | Part::Attribute(_, Some(system)) => {
                let of = rules.systems.get(*system);
                let attribute = match part {
                    Part::Attribute(n, _) => Some(&*rules.symbols.attributes[*n].id),
                    _ => None,
                };
                of.is_some_and(|of| match (&*self.kind, attribute) {
                    ("legend", None) => true,
                    ("mount", None) => self.names.iter().any(|word| self.takes(word, *system)),
                    (_, Some(attribute)) => self.words.contains(attribute),
                    _ => self.names.contains(&*of.id),
                })
            }
            Part::Attribute(attribute, None) => self.words.contains(&*rules.symbols.attributes[*attribute].id),
        };
        named
            || self.formulas.iter().any(|formula| reads.formula_reads(formula, part, None))
            || self.texts.iter().any(|text| reads.text_reads(text, part, None))
    }

    fn takes(&self, mount: &str, system: usize) -> bool {
        let Some(n) = self.rules.mounts.iter().position(|known| *known.id == *mount) else { return false };
        self.rules.systems[system].mounts.as_ref().is_none_or(|mounts| mounts.contains(&n))
    }

    /// A mount shows the tracks of what is in it.
    fn shows_track(&self, id: &str) -> bool {
        let track = self.rules.tracks.iter().find(|track| *track.id == *id);
        track.is_some_and(|track| matches!(track.for_each, Some(Selector::Fit(_) | Selector::Mount(_))))
    }
}
