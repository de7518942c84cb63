//! A game's rules: takes a ruleset's TOML and its layers, gives a [`Ruleset`] with every name resolved, every formula
//! compiled and typed, dependencies in order, and findings with file, line, column and the nearest known name. Never
//! reads a file and never knows any game.

mod attack_model;
mod attack_reads;
mod attack_scope;
mod book;
mod call_table;
mod compile;
mod diff;
mod fleet_model;
mod fleet_scope;
mod formula_index;
mod formula_names;
mod grammar;
mod guide_model;
mod inherit;
mod known_grids;
mod layer_reasons;
mod layers;
mod limits;
mod model;
mod mount_rules;
mod outputs;
mod problems;
mod query_binding;
mod removed_names;
mod selector;
mod slot_context;
mod symbol_table;
mod symbols;
mod table_reader;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::Value;
use moldloft_base::finding::{Cause, Finding};
use moldloft_base::source::toml::{TomlNode, parse};
use moldloft_base::source::{Source, Span, is_built_in};
use moldloft_base::words::in_words;

pub use attack_model::*;
pub use attack_reads::ShipReads;
pub use attack_scope::{AttackScope, ScopedName, is_removed, ship_slot};
pub use book::{
    CellKind, FormColumn, GridColumn, GridId, GridRow, RowState, RuleBook, RuleCell, RuleGrid, declaration_key,
    form_columns,
};
pub use call_table::{Call, CallKind, FitFilter};
pub use diff::{Difference, Differences, differences};
pub use fleet_model::{FleetCall, FleetCallKind, FleetSelector, OverFleet};
pub(crate) use fleet_scope::{fleet_call_of, unit_slot};
pub use formula_index::{FormulaEntry, FormulaRef, merged_tree};
pub use formula_names::{FormulaName, formula_names};
pub(crate) use grammar::{CHANGE_KEYS, GRID_CELLS, ID_PATTERN, NAME_PATTERN, PROVENANCE, SCHEMA, declared_section};
pub use grammar::{KeySpec, KeyType, NESTED_TABLES, ROLE_TAGS, SECTIONS, SectionSpec, id_key, section};

pub use guide_model::{GuideFit, GuideStep, GuideSystem};
pub use known_grids::{GridInputs, KnownGrid};
#[cfg(test)]
pub(crate) use layers::is_classified;
pub use layers::{ChangeKind, LayerStatement, RulesetLayer};
pub use limits::MAX_NUMBER;
pub(crate) use limits::MAX_PLAN_OFFSET;
pub use model::*;
pub use model::{AttributeRule, ComputedId, ConditionRead};
pub(crate) use mount_rules::not_allowed_message;
pub use outputs::*;
pub(crate) use problems::{append_hint, suggest_near};
pub use problems::{range_text, shorten, suggest};
pub use selector::{Selector, SystemSet};
pub use slot_context::{RulesetScope, SlotContext};
pub use symbol_table::EXACT;
pub use symbols::{
    Builtin, FLEET_FUNCTIONS, ItProperty as ItWord, LocalVar, QUERY_FUNCTIONS, QueryFn, Symbol, builtin_words,
};

use layers::{Quarantine, quarantine_failing};
use problems::Problems;

/// The help of a finding about a skipped statement that has no other.
const DEFAULT_HELP: &str = "until this is fixed, the ruleset it extends applies here";
/// Rounds of skipping failing statements before all layers are skipped.
const MAX_ROUNDS: usize = 10;
/// The most characters for layers at the bottom of a sheet.
const MAX_TITLE_CHARS: usize = 64;

impl Ruleset {
    /// Loads a ruleset that extends none. `None` only when it is unusable; then some finding is an error.
    pub fn load(source: &Source) -> (Option<Ruleset>, Vec<Finding>) {
        Self::load_layers(std::slice::from_ref(source))
    }

    /// Loads a ruleset with its layers: first the one that extends none, then each after all that it extends (see
    /// [`extends`]). [`Span::file`] is an index in `sources`. A layer's statement that cannot be applied is skipped
    /// with an error; the rest is usable.
    pub fn load_layers(sources: &[Source]) -> (Option<Ruleset>, Vec<Finding>) {
        Self::load_parts(sources, true)
    }

    /// As [`Ruleset::load_layers`], for who asks no odds: the attacks of what is built in, and so has no errors, are left out.
    pub fn load_for_sheets(sources: &[Source]) -> (Option<Ruleset>, Vec<Finding>) {
        Self::load_parts(sources, !sources.iter().all(|source| is_built_in(&source.text)))
    }

    fn load_parts(sources: &[Source], with_attacks: bool) -> (Option<Ruleset>, Vec<Finding>) {
        let mut quarantine = Quarantine::default();
        let mut reported: Vec<(Finding, Span)> = Vec::new();
        let mut rounds = 0;
        loop {
            let problems = Problems::new(sources);
            let compiled = compile::compile(sources, &problems, &quarantine, with_attacks);
            if problems.is_usable() || sources.len() == 1 {
                let usable = problems.is_usable();
                let ruleset = compiled.filter(|_| usable).map(|compiled| {
                    let mut ruleset = compiled.ruleset;
                    if sources.len() > 1 {
                        ruleset.report_skipped(&quarantine, &compiled.rejected, &problems);
                    }
                    ruleset
                });
                for (mut finding, span) in reported {
                    finding.help.get_or_insert_with(|| DEFAULT_HELP.to_owned());
                    problems.add(finding, span);
                }
                return (ruleset, problems.into_findings());
            }
            // Skip the layers' statements that do not compile with the rest, and try again.
            let Some(compiled) = compiled else { return (None, problems.into_findings()) };
            let more =
                quarantine_failing(problems.blocking_errors(), &compiled.ruleset.statements, sources, &mut quarantine);
            rounds += 1;
            if more.is_empty() && !quarantine.took_dependents() {
                reported.into_iter().for_each(|(finding, span)| problems.add(finding, span));
                return (None, problems.into_findings());
            }
            if rounds > MAX_ROUNDS {
                (1..sources.len()).for_each(|file| quarantine.add_layer(u16::try_from(file).unwrap_or(u16::MAX)));
            }
            reported.extend(more);
        }
    }

    /// The same ruleset without some statements, by index, and with these changes as one more layer; `None` if that
    /// does not load.
    pub fn with_trial_changes(&self, without: &[usize], changes: &str) -> Option<Ruleset> {
        let mut quarantine = Quarantine::default();
        for statement in without {
            quarantine.add_statement(self.statements.get(*statement)?.span);
        }
        let mut sources = self.sources.to_vec();
        if !changes.is_empty() {
            let header = format!(
                "[ruleset]\nid = \"{}-on-trial\"\ntitle = \"on trial\"\nversion = \"1\"\nschema = 1\nextends = \"{}\"\n",
                self.id, self.id
            );
            sources.push(Source::new("changes on trial", &(header + changes)));
        }
        let problems = Problems::new(&sources);
        compile::compile(&sources, &problems, &quarantine, true)
            .filter(|_| problems.is_usable())
            .map(|compiled| compiled.ruleset)
    }

    /// The rules below the last layer; `None` for a ruleset that extends none.
    pub fn without_last_layer(&self) -> Option<Ruleset> {
        let (_, below) = self.sources.split_last()?;
        if below.is_empty() { None } else { Self::load_layers(below).0 }
    }

    /// Changes a setting, as `--set mu=cm` does.
    ///
    /// # Errors
    /// A finding when the setting is unknown or cannot have this value.
    pub fn set_setting(&mut self, setting: &str, value: &str) -> Result<(), Finding> {
        let known: Vec<&str> = self.settings.iter().map(|s| &*s.id).collect();
        let help = suggest(setting, known.iter().copied());
        let Some(setting) = self.settings.iter_mut().find(|s| *s.id == *setting) else {
            return Err(Finding::caused(
                Cause::UnknownSetting,
                format!("{} has no setting `{}`", self.id, shorten(setting)),
            )
            .help(help));
        };
        match &setting.choice {
            Some(choice) => match choice.options.iter().find(|option| *option.id == *value) {
                Some(option) => setting.value = Value::Text(option.id.clone()),
                None => {
                    let help = suggest(value, choice.options.iter().map(|o| &*o.id));
                    return Err(Finding::error(
                        "unknown-option",
                        format!("{} cannot be `{}`", setting.id, shorten(value)),
                    )
                    .help(help));
                }
            },
            None => {
                let number = value.parse::<i64>().ok().filter(|n| n.unsigned_abs() <= MAX_NUMBER);
                match number
                    .filter(|&n| setting.min.is_none_or(|min| n >= min) && setting.max.is_none_or(|max| n <= max))
                {
                    Some(number) => setting.value = Value::Int(number),
                    None => {
                        let range = range_text(setting.min, setting.max);
                        let message =
                            format!("expected a whole number{range} for {}, found `{}`", setting.id, shorten(value));
                        return Err(Finding::error("value-out-of-range", message));
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts the layers' skipped statements and reports them once for each layer.
    fn report_skipped(&mut self, quarantine: &Quarantine, rejected: &BTreeMap<u16, usize>, problems: &Problems<'_>) {
        for (file, layer) in (1_u16..).zip(&self.layers) {
            let skipped = quarantine.count_in(file) + rejected.get(&file).copied().unwrap_or(0);
            let applied = self.statements.iter().filter(|one| one.span.file == file).count();
            let message = match (quarantine.has_layer(file), skipped) {
                (true, _) => format!("all statements of `{}` are skipped", layer.id),
                (false, 0) => continue,
                (false, 1) if applied == 0 => format!("the one statement of `{}` is skipped", layer.id),
                (false, 1) => format!("1 of {} statements of `{}` is skipped", 1 + applied, layer.id),
                (false, skipped) => {
                    format!("{skipped} of {} statements of `{}` are skipped", skipped + applied, layer.id)
                }
            };
            self.skipped += skipped.max(1);
            let help = "fix the error reported for each; until then, designs are checked against the rest";
            problems.add(Finding::warning("not-in-force", message).help(help), layer.span);
        }
    }

    /// Whether both are the same rules, apart from the values of settings, however often they were loaded: their indices mean the same.
    pub fn has_same_sources(&self, other: &Self) -> bool {
        let texts = || self.sources.iter().map(|source| &source.text);
        Arc::ptr_eq(&self.sources, &other.sources)
            || self.id == other.id && texts().eq(other.sources.iter().map(|source| &source.text))
    }

    /// A text of the program or the rules in the language that results are shown in.
    pub fn say(&self, text: &str) -> String {
        in_words(self.words.as_deref(), text)
    }

    /// As [`Ruleset::say`], for a shared text.
    pub fn say_shared(&self, text: &Arc<str>) -> Arc<str> {
        self.words.as_ref().map_or_else(|| Arc::clone(text), |words| words.say_shared(text))
    }

    /// The rules in a sheet's footer: `Wars of Honor 1.0 + Our lasers 1.0 (* house)`. A long list of layers is cut.
    pub fn rules_title(&self) -> String {
        let layers = self.layers_title();
        if layers.is_empty() { self.title.to_string() } else { format!("{} + {layers}", self.base.title) }
    }

    /// The layers in a sheet's footer: `Our lasers 1.0 (* house)`, `New Hulls 2.0 (supplement)`; empty without any.
    pub fn layers_title(&self) -> String {
        if self.layers.is_empty() {
            return String::new();
        }
        let mut named: Vec<String> = Vec::new();
        let mut length = 0;
        let only_house = self.layers.iter().all(|layer| !layer.supplement);
        for layer in &self.layers {
            let mut name = format!("{} {}", shorten(&layer.title), shorten(&layer.version));
            if !only_house {
                name.push_str(if layer.supplement { " (supplement)" } else { " (* house)" });
            }
            length += name.chars().count() + 3;
            if !named.is_empty() && length > MAX_TITLE_CHARS {
                break;
            }
            named.push(name);
        }
        let more = self.layers.len() - named.len();
        let more = if more > 0 { format!(" + {more} more") } else { String::new() };
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} skipped"),
        };
        match (only_house, self.skipped) {
            (true, _) => format!("{}{more} (* house{skipped})", named.join(" + ")),
            (false, 0) => format!("{}{more}", named.join(" + ")),
            (false, skipped) => format!("{}{more} ({skipped} skipped)", named.join(" + ")),
        }
    }

    /// Whether a supplement wrote this place: its changes are published rules, not house rules.
    pub fn is_supplement(&self, span: Span) -> bool {
        let layer = usize::from(span.file).checked_sub(1).and_then(|layer| self.layers.get(layer));
        layer.is_some_and(|layer| layer.supplement)
    }

    /// Whether house rules changed the severity of this code. Overrides by supplements do not count.
    pub fn overrides_severity(&self, code: &str) -> bool {
        self.severity_overrides
            .iter()
            .any(|severity_override| *severity_override.code == *code && !self.is_supplement(severity_override.span))
            || self.checks.iter().any(|check| *check.code == *code && check.by_house)
            || self.fleet_checks.iter().any(|check| *check.code == *code && check.by_house)
    }

    /// The place of a check, with how and why a layer changed it.
    pub fn check_rule<S>(&self, check: &CheckDef<S>) -> Arc<str> {
        let location = self.location(check.span);
        let reason = check.reason.as_ref().filter(|_| !self.layers.is_empty());
        match check.house_note.as_ref().or(reason) {
            Some(why) => format!("{location}; {why}").into(),
            None => location,
        }
    }

    /// The codes of all its checks, those over a fleet last.
    pub fn check_codes(&self) -> impl Iterator<Item = &Arc<str>> + Clone {
        self.checks.iter().map(|check| &check.code).chain(self.fleet_checks.iter().map(|check| &check.code))
    }

    /// The texts that it was made from: its own last.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|source| &*source.text)
    }

    pub fn text_at(&self, span: Span) -> &str {
        self.file(span).map_or("", |source| source.slice(span))
    }

    /// A value as written, without quotes, cut to a length for messages.
    pub fn source_text(&self, span: Span) -> String {
        layers::source_text(&self.sources, span)
    }

    pub fn file(&self, span: Span) -> Option<&Source> {
        self.sources.get(usize::from(span.file))
    }

    /// `rulesets/wars-of-honor.toml:88`, for the `rule` of findings and `explain`.
    pub fn location(&self, span: Span) -> Arc<str> {
        match self.file(span) {
            Some(source) => format!("{}:{}", source.file, source.line_column(span.start).0).into(),
            None => self.id.clone(),
        }
    }

    pub fn reference_sheets(&self) -> impl Iterator<Item = &SheetDef> {
        self.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Reference)
    }

    /// The sheet for what did not fit on the others.
    pub fn continuation(&self) -> Option<&SheetDef> {
        self.sheets.iter().find(|sheet| sheet.kind == SheetKind::Continuation)
    }
}

/// The ids that a ruleset extends, left to right; empty when it extends none or is unreadable (loading reports why).
pub fn extends(source: &Source) -> Vec<String> {
    // Most texts extend nothing, and are parsed when they are compiled: here only if the key can be in them, in letters or in escapes of some.
    let escapes = ["u006", "u007", "U0000006", "U0000007", "x6", "x7"];
    let is_letter = |rest: &str| escapes.iter().any(|escape| rest.starts_with(escape));
    if !source.text.contains("extends") && !source.text.split('\\').skip(1).any(is_letter) {
        return Vec::new();
    }
    let (root, _) = parse(&source.text, 0);
    let Some(extends) = root.table("ruleset").and_then(|header| header.get("extends")) else { return Vec::new() };
    let list = extends.as_list().unwrap_or(std::slice::from_ref(extends));
    list.iter().filter_map(TomlNode::as_text).map(str::to_owned).collect()
}
