//! A loaded ruleset: every name is an index, every formula is compiled. Plain data, no behaviour.

use std::sync::Arc;

use crate::formula::{Formula, TextTemplate, Type, Value};
use moldloft_base::finding::Severity;
use moldloft_base::source::{Source, Span};
use moldloft_base::worded;
use moldloft_base::words::Words;

use super::attack_model::AttackRules;
use super::fleet_model::OverFleet;
use super::guide_model::GuideStep;
use super::known_grids::KnownGrids;
use super::layers::{LayerStatement, RulesetLayer, SeverityOverride};
use super::outputs::{BoxShape, CounterDef, RulerDef, SharedRollDef, SheetDef, TableDef, TermDef, TrackDef};
use super::selector::Selector;
use super::symbol_table::{AttributeDef, SymbolTable};

#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// Kebab-case: `wars-of-honor`.
    pub id: Arc<str>,
    pub title: Arc<str>,
    /// The author's own numbering.
    pub version: Arc<str>,
    /// One line for lists of games: what a design is.
    pub about: Arc<str>,
    /// Author and publisher of the rules.
    pub credit: Arc<str>,
    /// Where the rules were published.
    pub source: Arc<str>,
    /// The terms of use.
    pub terms: Arc<str>,
    /// The id of the table whose rows are the phases of a turn.
    pub phases: Option<Arc<str>>,
    /// What decides the order in which ships act; empty: nothing.
    pub battle_order: Arc<str>,
    /// What a ship does each turn, for the battle page.
    pub battle_acts: Vec<Arc<str>>,
    /// What is noted once a turn for all sides, on the battle page.
    pub battle_each_turn: Vec<Arc<str>>,
    /// Turns are counted from 1 again after this many; 0: never.
    pub turns_in_cycle: u16,
    /// Of the game in a window.
    pub colour: Option<[u8; 3]>,
    /// A file of the templates folder: every ship's silhouette.
    pub silhouette: Option<Arc<str>>,
    /// The ids in whose folders templates are looked up: its own first, then those of the rulesets it extends.
    pub templates: Vec<Arc<str>>,
    /// The ruleset that extends none.
    pub base: RulesetLayer,
    /// In order of application; empty for a ruleset that extends none.
    pub layers: Vec<RulesetLayer>,
    /// The number of skipped statements of layers; each has a finding.
    pub skipped: usize,
    /// What odds must count: systems by id or `#tag`, and fields.
    pub weapons: Vec<Arc<str>>,
    pub custom_systems: CustomSystemRules,
    /// Constants that a player may change.
    pub settings: Vec<SettingDef>,
    pub fields: Vec<FieldDef>,
    pub mounts: Vec<MountDef>,
    /// Including abstract ones.
    pub systems: Vec<SystemDef>,
    pub relations: Vec<RelationDef>,
    pub values: Vec<ValueDef>,
    pub costs: Vec<CostDef>,
    pub tracks: Vec<TrackDef>,
    pub tables: Vec<TableDef>,
    /// The glossary.
    pub glossary: Vec<TermDef>,
    pub checks: Vec<CheckDef>,
    /// Checks over a fleet.
    pub fleet_checks: Vec<CheckDef<OverFleet>>,
    pub counters: Vec<CounterDef>,
    pub rulers: Vec<RulerDef>,
    pub shared_rolls: Vec<SharedRollDef>,
    pub sheets: Vec<SheetDef>,
    /// The steps of making a first ship.
    pub guide: Vec<GuideStep>,
    pub attack_rules: AttackRules,
    pub symbols: Arc<SymbolTable>,
    /// Values and attributes, each after all that it reads.
    pub order: Vec<ComputedId>,
    pub marks: Vec<ProvenanceMark>,
    /// Of all layers, in order of application.
    pub statements: Vec<LayerStatement>,
    pub severity_overrides: Vec<SeverityOverride>,
    /// The language that results are shown in; `None`: as written.
    pub words: Option<Arc<Words>>,
    /// By the file number of spans.
    pub sources: Arc<[Source]>,
    pub known_grids: KnownGrids,
}

/// The rules for custom systems of designs.
#[derive(Clone, Debug, Default)]
pub struct CustomSystemRules {
    /// The systems that a custom one may be like.
    pub like: CustomSystemBase,
    pub min: Vec<AttributeBound>,
    pub max: Vec<AttributeBound>,
    /// Attributes that a custom system may state although its kind computes them.
    pub open: Vec<(Arc<str>, Span)>,
    /// Why custom systems are a house rule, if the ruleset makes them one.
    pub house: Option<Arc<str>>,
    /// `None` without an `own_systems` key.
    pub span: Option<Span>,
}

impl CustomSystemRules {
    /// Whether an attribute of a custom system stays as its kind computes it.
    pub fn is_locked(&self, kind: &SystemDef, attributes: &[AttributeDef], attribute: usize) -> bool {
        matches!(kind.attributes.get(attribute), Some(AttributeRule::Formula(..) | AttributeRule::Text(..)))
            && self.open.iter().all(|(open, _)| *open != attributes[attribute].id)
    }

    /// Whether sheets and reports mark designs with custom systems. Filling in abstract systems is part of the game,
    /// unless the ruleset makes it a house rule.
    pub fn is_marked(&self) -> bool {
        self.house.is_some() || self.like != CustomSystemBase::Abstract
    }
}

worded! {
    /// The systems that a custom system of a design may be like.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum CustomSystemBase {
        /// Custom systems are not allowed.
        None = "none",
        Abstract = "abstract",
        #[default]
        Any = "any",
    }
}

/// A minimum or maximum of an attribute of custom systems.
#[derive(Clone, Debug)]
pub struct AttributeBound {
    pub attribute: Arc<str>,
    /// For each of the fit's count.
    pub amount: i64,
    pub span: Span,
}

/// A constant that a player or a layer may change.
#[derive(Clone, Debug)]
pub struct SettingDef {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// `None`: a whole number.
    pub choice: Option<ChoiceDef>,
    /// The current value.
    pub value: Value,
    pub min: Option<i64>,
    pub max: Option<i64>,
    /// Left out of a fleet's summary: it changes no rule, such as the size of counters.
    pub is_hidden: bool,
    pub marks: Vec<u32>,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct ChoiceDef {
    /// In file order.
    pub options: Vec<ChoiceOption>,
    /// Of every option, without `label`.
    pub attributes: Vec<(Arc<str>, Type)>,
}

#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// As in formulas.
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// In the order of [`ChoiceDef::attributes`].
    pub values: Vec<Value>,
    /// With the key that each is for; `None`: all keys.
    pub marks: Vec<(Option<Arc<str>>, u32)>,
}

impl ChoiceDef {
    /// The marks of an option for one attribute, by index in [`ChoiceDef::attributes`].
    pub fn marks(&self, option: usize, attribute: usize) -> impl Iterator<Item = u32> {
        let key = self.attributes.get(attribute).map(|(key, _)| key);
        let marks = self.options.get(option).map_or(&[][..], |option| &option.marks);
        marks.iter().filter(move |(about, _)| about.is_none() || about.as_ref() == key).map(|(_, mark)| *mark)
    }
}

#[derive(Clone, Debug)]
pub struct FieldDef {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub kind: FieldKind,
    /// [`Value::Null`] when a design must state it.
    pub default: Value,
    /// Of the die that rows share out.
    pub faces: Option<i64>,
    pub shown_when: Option<Formula>,
    pub help: Option<Arc<str>>,
    /// The layer that set the bounds, and its reason.
    pub bounds_reason: Option<Arc<str>>,
    pub marks: Vec<u32>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FieldKind {
    Choice(ChoiceDef),
    Integer { min: Option<i64>, max: Option<i64> },
    Flag,
    Text,
    Rows(Vec<FieldColumn>),
}

#[derive(Clone, Debug)]
pub struct FieldColumn {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub kind: ColumnKind,
    /// `None` when a row must state it.
    pub default: Option<Value>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Flag,
    Text,
    Mount,
    /// Of the ruleset, or a custom one of the design.
    System,
    Choice(Arc<[Arc<str>]>),
}

#[derive(Clone, Debug)]
pub struct MountDef {
    /// Kebab-case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub tags: Arc<[Arc<str>]>,
    /// The opposite mount; declared on one of the two.
    pub mirror: Option<usize>,
    /// The position on the ship seen from above, bow up: across (0 is the centre line, port is negative) and down
    /// (forward is negative), each within ± [`MAX_PLAN_OFFSET`](super::MAX_PLAN_OFFSET).
    pub plan: Option<(i8, i8)>,
    pub shown_when: Option<Formula>,
}

#[derive(Clone, Debug)]
pub struct SystemDef {
    /// Kebab-case.
    pub id: Arc<str>,
    pub name: Arc<str>,
    /// Letters in its box.
    pub abbr: Arc<str>,
    /// The file of an icon to use instead of the letters.
    pub icon: Option<Arc<str>>,
    /// The shape of its box.
    pub shape: BoxShape,
    pub tags: Arc<[Arc<str>]>,
    /// `None`: all mounts.
    pub mounts: Option<Vec<usize>>,
    /// The layer that set the mounts, and its reason.
    pub mounts_reason: Option<Arc<str>>,
    /// Only for other systems to be like; cannot be fitted.
    pub is_abstract: bool,
    /// A layer removed it: it is abstract, and only the ruleset's own systems are like it.
    pub is_removed: bool,
    pub parameters: Vec<ParameterDef>,
    /// What it counts as, by index: itself, what it is like, what that is like.
    pub kinds: Vec<usize>,
    /// By attribute index.
    pub attributes: Vec<AttributeRule>,
    pub rule: Option<Arc<str>>,
    pub tag_ids: Vec<u32>,
    pub marks: Vec<u32>,
    pub span: Span,
}

impl SystemDef {
    /// Whether it is there for the own systems of designs to be like.
    pub fn is_open(&self) -> bool {
        self.is_abstract && !self.is_removed
    }

    /// Its name, in any case.
    pub fn is_called(&self, word: &str) -> bool {
        !word.is_empty() && self.name.to_lowercase() == word.to_lowercase()
    }

    /// Whether a word of a table means it: its id, its name in any case, or one of its tags with or without `#`.
    pub fn is_named(&self, word: &str) -> bool {
        let tag = word.strip_prefix('#').unwrap_or(word);
        *self.id == *word || self.is_called(word) || self.tags.iter().any(|known| **known == *tag)
    }
}

#[derive(Clone, Debug)]
pub struct ParameterDef {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// For the whole fit, not for each of its count.
    pub per_fit: bool,
    /// Ammunition and the like, which may differ between ships of a class.
    pub load: bool,
    pub ty: Type,
    /// For fits that leave it out.
    pub default: Value,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub attribute: usize,
    /// The layer that set the bounds, and its reason.
    pub bounds_reason: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
pub enum AttributeRule {
    /// A parameter, or an attribute of other systems only.
    None,
    /// The value, its place, its marks.
    Constant(Value, Span, Vec<u32>),
    /// The formula, its place, its marks.
    Formula(Formula, Span, Vec<u32>),
    /// The text, its place, its marks.
    Text(TextTemplate, Span, Vec<u32>),
}

worded! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum RelationKind {
        /// One ship carries or tows others.
        #[default]
        Carry = "carry",
        /// Ships sail together in a squadron or formation.
        Group = "group",
    }
}

#[derive(Clone, Debug)]
pub struct RelationDef {
    pub kind: RelationKind,
    /// snake_case; in formulas the number of ships.
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// The condition for the carrier, or for each ship of a group.
    pub from: Option<Formula>,
    /// The condition for what is carried; always `None` for groups.
    pub to: Option<Formula>,
    /// The largest number of ships.
    pub limit: Option<Formula>,
    /// The smallest number of ships; always `None` for carriers.
    pub least: Option<Formula>,
    /// What must be equal for all ships of a group: label and formula.
    pub alike: Vec<(Arc<str>, Formula)>,
    pub span: Span,
}

impl RelationDef {
    pub fn span(&self) -> Span {
        self.span
    }
}

#[derive(Clone, Debug)]
pub struct ValueDef {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub formula: Formula,
    /// Shown large, and in lists of designs.
    pub headline: bool,
    /// The budget for the value; exceeding it is an error only where a check tests it.
    pub limit: Option<Formula>,
    /// Amounts that raise this value in steps: what exceeds a step is wasted.
    pub spare_of: Vec<Amount>,
    /// Amounts that this value pays for in steps: they may rise for free within a step.
    pub room_for: Vec<Amount>,
    pub rule: Option<Arc<str>>,
    /// Its own, then those of all it reads.
    pub marks: Vec<u32>,
    pub direct_marks: usize,
    pub span: Span,
}

/// A number that others are rounded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Value(usize),
    /// An integer field.
    Field(usize),
}

#[derive(Clone, Debug)]
pub struct CostDef {
    /// One line for each of these.
    pub for_each: Option<Selector>,
    /// The line is left out when this is false.
    pub when: Option<Formula>,
    pub label: TextTemplate,
    /// `None`: the fit's count, or 1 without a fit.
    pub count: Option<Formula>,
    /// Points for each.
    pub each: Formula,
    pub rule: Option<Arc<str>>,
    /// Its own, then those of all it reads.
    pub marks: Vec<u32>,
    pub direct_marks: usize,
}

/// A rule that a design, or a fleet, can break.
#[derive(Clone, Debug)]
pub struct CheckDef<S = OverShip> {
    /// Kebab-case, names the fault.
    pub code: Arc<str>,
    /// `None`: off.
    pub severity: Option<Severity>,
    /// The check is skipped when this is false.
    pub when: Option<Formula>,
    /// The condition of the fault.
    pub fails_when: Formula,
    pub message: TextTemplate,
    pub help: Option<TextTemplate>,
    pub rule: Option<Arc<str>>,
    /// The reason of the layer that changed it.
    pub reason: Option<Arc<str>>,
    /// How a layer changed its severity, and why: `house: a note rather than an error, ours are flown from the bridge`.
    pub house_note: Option<Arc<str>>,
    /// Whether house rules, not a supplement, changed the severity.
    pub by_house: bool,
    /// What `fails_when` reads, with labels, for the finding.
    pub condition_reads: Vec<(Arc<str>, ConditionRead)>,
    pub marks: Vec<u32>,
    pub span: Span,
    /// What differs between a check of one ship and one of a fleet.
    pub scope: S,
}

/// The scope of a check of each ship by itself.
#[derive(Clone, Debug)]
pub struct OverShip {
    /// Once for each of these.
    pub for_each: Option<Selector>,
    /// `None`: the item of `for_each`.
    pub at: Option<CheckTarget>,
    pub fix: Option<FixDef>,
}

#[derive(Clone, Copy, Debug)]
pub enum ConditionRead {
    Slot(u32),
    Call(u32),
}

/// The place of a check's finding.
#[derive(Clone, Debug)]
pub enum CheckTarget {
    /// The check's own item if it is one of these fits or mounts; else the first of them.
    First(Selector),
    Field(usize),
}

#[derive(Clone, Debug)]
pub struct FixDef {
    /// The system whose fit is changed, or added if there is none. `None`: the check's own fit or row is changed.
    pub system: Option<usize>,
    /// With a system: the mounts where a fit is changed or added, one in each. Without: where the check's own fit
    /// moves.
    pub mounts: Vec<usize>,
    /// The fit's new count; 0 removes it.
    pub count: Option<Formula>,
    /// Parameters, columns or fields with their new values.
    pub set: Vec<(Arc<str>, Formula)>,
}

/// Computed in dependency order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputedId {
    Value(usize),
    /// System index, attribute index.
    Attribute(usize, usize),
}

/// A mark of provenance on one key or declaration.
#[derive(Clone, Debug)]
pub struct ProvenanceMark {
    pub provenance: Provenance,
    pub why: Arc<str>,
    /// `sidewall: formula`
    pub subject: Arc<str>,
    /// `None` for the whole declaration.
    pub key: Option<Arc<str>>,
    /// Only for ships that meet this condition.
    pub when: Option<Formula>,
    /// Only for ships with this system aboard.
    pub system: Option<usize>,
    /// Only for ships with this option of this field.
    pub option: Option<(usize, usize)>,
}

/// Where a number comes from. Later ones outweigh earlier ones when inherited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// Stated in the source.
    #[default]
    Published,
    /// Follows from the source by arithmetic.
    Derived,
    /// Left open by the source, chosen by this project.
    Assumed,
    /// A player's own rule.
    House,
}
