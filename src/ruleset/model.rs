//! What a ruleset is once it is loaded: every name a number, every formula compiled. Plain data, no behaviour.

use std::sync::Arc;

use crate::finding::Severity;
use crate::formula::{Formula, TextTemplate, Type, Value};
use crate::source::{Source, Span};

use super::layers::{LayerStatement, SeverityOverride};
use super::outputs::{BoxShape, CounterDef, SheetDef, TableDef, TrackDef};
use super::symbol_table::SymbolTable;

/// A game's rules, ready to evaluate designs with.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// Kebab-case: `wars-of-honor`.
    pub id: Arc<str>,
    /// As a player calls it.
    pub title: Arc<str>,
    /// As its author numbers it.
    pub version: Arc<str>,
    /// One line for lists of games: what a design is.
    pub about: Arc<str>,
    /// Whom the rules are owed to.
    pub credit: Arc<str>,
    /// Where the rules were published.
    pub source: Arc<str>,
    /// Under which terms.
    pub terms: Arc<str>,
    /// The ids whose templates serve it: its own first, then those of the rulesets it extends.
    pub templates: Vec<Arc<str>>,
    /// The first ruleset, which extends none.
    pub base: RulesetLayer,
    /// What was laid over it, in order; empty for a ruleset that extends none.
    pub layers: Vec<RulesetLayer>,
    /// How many statements of the layers are not in force: findings say why.
    pub skipped: usize,
    /// What a design's own systems may be.
    pub custom_systems: CustomSystemRules,
    /// Constants that a player may change.
    pub settings: Vec<SettingDef>,
    /// What a design states.
    pub fields: Vec<FieldDef>,
    /// Places systems stand in.
    pub mounts: Vec<MountDef>,
    /// What can be fitted, abstract kinds too.
    pub systems: Vec<SystemDef>,
    /// What a fleet may do.
    pub relations: Vec<RelationDef>,
    /// Computed values.
    pub values: Vec<ValueDef>,
    /// Lines of the cost.
    pub costs: Vec<CostDef>,
    /// Rows of boxes.
    pub tracks: Vec<TrackDef>,
    /// Tables.
    pub tables: Vec<TableDef>,
    /// Checks.
    pub checks: Vec<CheckDef>,
    /// Counters.
    pub counters: Vec<CounterDef>,
    /// Sheets.
    pub sheets: Vec<SheetDef>,
    /// Every name with its type.
    pub(crate) symbols: Arc<SymbolTable>,
    /// Values and attributes in an order in which each stands after all it reads.
    pub(crate) order: Vec<ComputedId>,
    /// Marks of provenance.
    pub(crate) marks: Vec<ProvenanceMark>,
    /// What the layers said, in order.
    pub(crate) statements: Vec<LayerStatement>,
    /// Findings of the language that layers made milder.
    pub(crate) severity_overrides: Vec<SeverityOverride>,
    /// The files it was read from: spans point into them by their number.
    pub(crate) sources: Arc<[Source]>,
}

/// What the systems that a design defines itself may be.
#[derive(Clone, Debug, Default)]
pub struct CustomSystemRules {
    /// Which of the ruleset's systems they may be like.
    pub like: CustomSystemBase,
    /// The least that one of them may answer.
    pub min: Vec<AttributeBound>,
    /// The most.
    pub max: Vec<AttributeBound>,
    /// Why they are the players' own rule, where the ruleset says so.
    pub house: Option<Arc<str>>,
    /// Where it is said; `None` where no ruleset says anything.
    pub(crate) span: Option<Span>,
}

impl CustomSystemRules {
    /// Whether sheets and reports mark a design that has some. Filling in kinds that the ruleset leaves open is part of the game, unless it
    /// says that it is a house rule.
    pub fn is_marked(&self) -> bool {
        self.house.is_some() || self.like != CustomSystemBase::Abstract
    }
}

/// Which of the ruleset's systems a design's own may be like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CustomSystemBase {
    /// None: a design has no systems of its own.
    None,
    /// The abstract ones, which the ruleset leaves open.
    Abstract,
    /// Any.
    #[default]
    Any,
}

impl CustomSystemBase {
    /// Each with the word that rulesets have for it.
    pub const ALL: [(&'static str, Self); 3] = [("none", Self::None), ("abstract", Self::Abstract), ("any", Self::Any)];
}

/// The least or the most of an attribute.
#[derive(Clone, Debug)]
pub struct AttributeBound {
    /// The attribute's id.
    pub attribute: Arc<str>,
    /// Of each of the fit's count.
    pub amount: i64,
    pub(crate) span: Span,
}

/// One ruleset laid over another.
#[derive(Clone, Debug)]
pub struct RulesetLayer {
    /// Its id.
    pub id: Arc<str>,
    /// As a player calls it.
    pub title: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
    /// Published by the game's author: what it says is no house rule.
    pub supplement: bool,
    pub(crate) span: Span,
}

/// A constant that a player or a layer may change.
#[derive(Clone, Debug)]
pub struct SettingDef {
    /// snake_case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// Its options, if it is a choice; else it is a whole number.
    pub choice: Option<ChoiceDef>,
    /// The value in force.
    pub value: Value,
    /// Least number.
    pub min: Option<i64>,
    /// Greatest number.
    pub max: Option<i64>,
    pub(crate) marks: Vec<u32>,
    pub(crate) span: Span,
}

/// Options to choose from.
#[derive(Clone, Debug, Default)]
pub struct ChoiceDef {
    /// In file order.
    pub options: Vec<ChoiceOption>,
    /// What every option answers, after `label`.
    pub attributes: Vec<(Arc<str>, Type)>,
}

/// An option.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// What formulas compare with.
    pub id: Arc<str>,
    /// What a player reads.
    pub label: Arc<str>,
    /// Its answers, in the order of [`ChoiceDef::attributes`].
    pub values: Vec<Value>,
    /// Marks of provenance, each with the key it is about; without one it is about all of them.
    pub(crate) marks: Vec<(Option<Arc<str>>, u32)>,
}

impl ChoiceDef {
    /// The marks of an option that bear on one of its answers, by the answer's place in [`ChoiceDef::attributes`].
    pub(crate) fn marks(&self, option: usize, attribute: usize) -> impl Iterator<Item = u32> {
        let key = self.attributes.get(attribute).map(|(key, _)| key);
        let marks = self.options.get(option).map_or(&[][..], |option| &option.marks);
        marks.iter().filter(move |(about, _)| about.is_none() || about.as_ref() == key).map(|(_, mark)| *mark)
    }
}

/// What a design states under `[fields]`.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// snake_case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// What it holds.
    pub kind: FieldKind,
    /// What it is when the design does not say; [`Value::Null`] when a design must say.
    pub default: Value,
    /// Whether it applies.
    pub shown_when: Option<Formula>,
    /// A hint for the player.
    pub help: Option<Arc<str>>,
    /// The layer that set its bounds, and why.
    pub(crate) bounds_reason: Option<Arc<str>>,
    pub(crate) marks: Vec<u32>,
    pub(crate) span: Span,
}

/// What a field holds.
#[derive(Clone, Debug)]
pub enum FieldKind {
    /// One of some options.
    Choice(ChoiceDef),
    /// A whole number.
    Integer {
        /// Least.
        min: Option<i64>,
        /// Greatest.
        max: Option<i64>,
    },
    /// true or false.
    Flag,
    /// Free text.
    Text,
    /// Rows of these columns.
    Rows(Vec<FieldColumn>),
}

/// A column of a rows field.
#[derive(Clone, Debug)]
pub struct FieldColumn {
    /// snake_case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// What it holds.
    pub kind: ColumnKind,
    /// What it is when a row does not say.
    pub default: Option<Value>,
}

/// What a column of a rows field holds.
#[derive(Clone, Debug)]
pub enum ColumnKind {
    /// A whole number.
    Integer {
        /// Least.
        min: Option<i64>,
        /// Greatest.
        max: Option<i64>,
    },
    /// true or false.
    Flag,
    /// Free text.
    Text,
    /// A mount's id.
    Mount,
    /// A system's id, of the ruleset or of the design.
    System,
    /// One of these words.
    Choice(Arc<[Arc<str>]>),
}

/// A place systems stand in.
#[derive(Clone, Debug)]
pub struct MountDef {
    /// Kebab-case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// Tags.
    pub tags: Arc<[Arc<str>]>,
    /// Its counterpart, declared on one of the two.
    pub mirror: Option<usize>,
    /// Where it stands on the ship seen from above, bow up: across (0 the centre line, less is to port) and down (less is further
    /// forward), each within ± [`MAX_PLAN_OFFSET`](super::MAX_PLAN_OFFSET).
    pub plan: Option<(i8, i8)>,
    /// Whether it applies.
    pub shown_when: Option<Formula>,
}

/// Something that can be fitted.
#[derive(Clone, Debug)]
pub struct SystemDef {
    /// Kebab-case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub name: Arc<str>,
    /// Letters in its box.
    pub abbr: Arc<str>,
    /// An icon's file instead.
    pub icon: Option<Arc<str>>,
    /// How its box is drawn.
    pub shape: BoxShape,
    /// Tags.
    pub tags: Arc<[Arc<str>]>,
    /// The mounts it may take; `None`: any.
    pub mounts: Option<Vec<usize>>,
    /// The layer that says so, and why.
    pub(crate) mounts_reason: Option<Arc<str>>,
    /// Only a kind for others to be like; cannot be fitted.
    pub is_abstract: bool,
    /// What a fit of it states.
    pub parameters: Vec<ParameterDef>,
    /// What it answers, by answer number.
    pub(crate) attributes: Vec<AttributeRule>,
    /// The rule it comes from.
    pub rule: Option<Arc<str>>,
    pub(crate) tag_ids: Vec<u32>,
    pub(crate) marks: Vec<u32>,
    pub(crate) span: Span,
}

/// What a fit of a system states.
#[derive(Clone, Debug)]
pub struct ParameterDef {
    /// snake_case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// For the whole fit rather than for each of its count.
    pub per_fit: bool,
    /// What the system is loaded with: it may differ from ship to ship of a class.
    pub load: bool,
    /// What it holds.
    pub ty: Type,
    /// What it is when a fit does not say.
    pub default: Value,
    /// Least number.
    pub min: Option<i64>,
    /// Greatest number.
    pub max: Option<i64>,
    pub(crate) attribute: usize,
    /// The layer that set its bounds, and why.
    pub(crate) bounds_reason: Option<Arc<str>>,
}

/// How a system answers an attribute.
#[derive(Clone, Debug)]
pub(crate) enum AttributeRule {
    /// No attribute: a parameter, or one of another system.
    None,
    /// Plain.
    Constant(Value, Span, Vec<u32>),
    /// Computed.
    Formula(Formula, Span, Vec<u32>),
    /// Text with slots.
    Text(TextTemplate, Span, Vec<u32>),
}

/// A word after `it.`: an attribute or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct AttributeDef {
    pub id: Arc<str>,
    pub ty: Type,
    /// The attribute's default; `None` for a parameter.
    pub default: Option<Value>,
}

/// What a relation is between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RelationKind {
    /// One ship carries others: tows them, bears them.
    #[default]
    Carry,
    /// Ships sail together: a squadron, a formation.
    Group,
}

/// What ships of a fleet may do with each other.
#[derive(Clone, Debug)]
pub struct RelationDef {
    /// What it is between.
    pub kind: RelationKind,
    /// snake_case; formulas read how many.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// Who may.
    pub from: Option<Formula>,
    /// With whom; of what carries only.
    pub to: Option<Formula>,
    /// How many at most.
    pub limit: Option<Formula>,
    /// How many at least; of groups only.
    pub least: Option<Formula>,
    /// What all ships of a group have alike: what a player calls it, and how it is computed for each.
    pub alike: Vec<(Arc<str>, Formula)>,
    pub(crate) span: Span,
}

impl RelationDef {
    /// Where it stands in the ruleset.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// A computed value.
#[derive(Clone, Debug)]
pub struct ValueDef {
    /// snake_case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// How.
    pub formula: Formula,
    /// Shown large, and in lists of designs.
    pub headline: bool,
    /// The budget it must stay within.
    pub limit: Option<Formula>,
    /// What is spent in steps to raise this one: what is over is wasted.
    pub spare_of: Vec<Amount>,
    /// What this one is paid for in steps: more of it may come free.
    pub room_for: Vec<Amount>,
    /// The rule it comes from.
    pub rule: Option<Arc<str>>,
    /// Its own marks, then those of all it reads.
    pub(crate) marks: Vec<u32>,
    pub(crate) direct_marks: usize,
    pub(crate) span: Span,
}

/// A number that others are rounded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A value.
    Value(usize),
    /// A field that is a whole number.
    Field(usize),
}

/// Lines of the cost.
#[derive(Clone, Debug)]
pub struct CostDef {
    /// One line for each of these.
    pub for_each: Option<Selector>,
    /// Whether the line stands.
    pub when: Option<Formula>,
    /// What it says.
    pub label: TextTemplate,
    /// How many; the fit's count where not said, else 1.
    pub count: Option<Formula>,
    /// Points each.
    pub each: Formula,
    /// The rule it comes from.
    pub rule: Option<Arc<str>>,
    /// Its own marks, then those of all it reads.
    pub(crate) marks: Vec<u32>,
    pub(crate) direct_marks: usize,
}

/// A check.
#[derive(Clone, Debug)]
pub struct CheckDef {
    /// Kebab-case, names the fault.
    pub code: Arc<str>,
    /// `None`: off.
    pub severity: Option<Severity>,
    /// Once for each of these.
    pub for_each: Option<Selector>,
    /// Tested first.
    pub when: Option<Formula>,
    /// The condition of the fault.
    pub fails_when: Formula,
    /// What is wrong.
    pub message: TextTemplate,
    /// What to do.
    pub help: Option<TextTemplate>,
    /// Where it points, if not at what it is for each of.
    pub at: Option<CheckTarget>,
    /// The rule it comes from.
    pub rule: Option<Arc<str>>,
    /// How a program may mend it.
    pub fix: Option<FixDef>,
    /// Why a layer changed it.
    pub reason: Option<Arc<str>>,
    /// That a layer made it milder or sharper, and why: `house: a note rather than an error, ours are flown from the bridge`.
    pub house_note: Option<Arc<str>>,
    /// It was house rules, not a supplement, that made it so.
    pub by_house: bool,
    /// What `fails_when` reads, to be shown with the finding.
    pub(crate) condition_reads: Vec<(Arc<str>, ConditionRead)>,
    pub(crate) marks: Vec<u32>,
    pub(crate) span: Span,
}

/// Something a condition reads.
#[derive(Clone, Debug)]
pub(crate) enum ConditionRead {
    Slot(u32),
    Call(u32),
}

/// Where a check points.
#[derive(Clone, Debug)]
pub enum CheckTarget {
    /// What the check is about, if it is one of these fits or mounts; else the first of them.
    First(Selector),
    /// A field.
    Field(usize),
}

/// How to mend a fault.
#[derive(Clone, Debug)]
pub struct FixDef {
    /// The system whose fit is changed, or added if there is none. Without it what the check is for each of is changed: a fit or a row.
    pub system: Option<usize>,
    /// With a system: the mounts where a fit of it is changed or added, one in each. Without: where the check's own fit moves.
    pub mounts: Vec<usize>,
    /// The fit's count; with 0 it is taken out.
    pub count: Option<Formula>,
    /// Parameters, columns of the row, or fields to set.
    pub set: Vec<(Arc<str>, Formula)>,
}

/// What a `for_each` goes over.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// Fits of these systems.
    Fit(SystemSet),
    /// Systems aboard, each once.
    System(SystemSet),
    /// Mounts; `None`: all.
    Mount(Option<Vec<usize>>),
    /// Rows of a rows field.
    Field(usize),
    /// Rows of a table.
    Table(usize),
}

/// Systems by number; `None`: all.
pub type SystemSet = Option<Vec<usize>>;

/// A thing that is computed in dependency order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComputedId {
    Value(usize),
    /// System, answer.
    Attribute(usize, usize),
}

/// A mark of provenance on one key.
#[derive(Clone, Debug)]
pub(crate) struct ProvenanceMark {
    pub provenance: Provenance,
    /// Why, in a few words.
    pub why: Arc<str>,
    /// Whose key it is: `sidewall: formula`.
    pub subject: Arc<str>,
    /// The key alone; `None` for a mark on the whole thing.
    pub key: Option<Arc<str>>,
    /// Only for ships for which this holds.
    pub when: Option<Formula>,
    /// Only for ships with this system aboard.
    pub system: Option<usize>,
    /// Only for ships that chose this option of this field.
    pub option: Option<(usize, usize)>,
}

/// Where a number comes from; later ones outweigh earlier ones when inherited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// Stated in the source.
    #[default]
    Published,
    /// Follows from it by arithmetic.
    Derived,
    /// The source leaves it open and this project chose.
    Assumed,
    /// A player's own rule.
    House,
}
