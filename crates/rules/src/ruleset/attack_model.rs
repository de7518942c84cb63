//! How a ruleset resolves its attacks: situations, gauges, attacks of steps, and outcomes, with all formulas compiled. Data only.

use std::sync::Arc;

use crate::formula::{Formula, Slot, TextTemplate, Value};
use moldloft_base::source::Span;

use super::selector::Selector;

/// Most situations of a ruleset.
pub const MAX_SITUATIONS: usize = 16;
/// Most gauges of a ruleset.
pub const MAX_GAUGES: usize = 32;
/// Most attacks, and most routines, of a ruleset.
pub const MAX_ATTACKS: usize = 64;
/// Most outcomes of a ruleset.
pub const MAX_OUTCOME_RULES: usize = 32;
/// Most steps of an attack, with routines put in.
pub const MAX_STEPS: usize = 256;
/// Most blocks within each other, and most routines that use one another.
pub const MAX_BLOCKS: usize = 4;
/// Most names and gauges that one step sets.
pub const MAX_ASSIGNMENTS: usize = 64;
/// Most names that the steps of one attack set.
pub const MAX_REGISTERS: usize = 256;
/// Most characters in the formulas of all attacks, with routines put in.
pub const MAX_ATTACK_TEXT: usize = 2_000_000;

/// What a step changes and reads besides the ships' own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// What is left of a gauge of the ship fired at.
    Left(u16),
    /// What is left of a gauge of the ship that fires.
    Own(u16),
    /// A name set by a step.
    Register(u16),
}

/// Slots of variables have this bit; those of situations and of the target's names have others.
const VARIABLE: Slot = 1 << 30;
const SITUATION: Slot = 1 << 29;
/// The bit of a slot or call that is answered by the ship fired at.
pub const TARGET: u32 = 1 << 31;

impl Variable {
    pub fn slot(self) -> Slot {
        let (kind, number) = match self {
            Self::Left(n) => (0, n),
            Self::Own(n) => (1, n),
            Self::Register(n) => (2, n),
        };
        VARIABLE | kind << 16 | Slot::from(number)
    }

    pub fn from_slot(slot: Slot) -> Option<Self> {
        if slot & TARGET != 0 || slot & VARIABLE == 0 {
            return None;
        }
        let number = (slot & 0xffff) as u16;
        match slot >> 16 & 0xff {
            0 => Some(Self::Left(number)),
            1 => Some(Self::Own(number)),
            2 => Some(Self::Register(number)),
            _ => None,
        }
    }
}

/// The slot of a situation, by its number.
pub fn situation_slot(number: u16) -> Slot {
    SITUATION | Slot::from(number)
}

/// The number of the situation that a slot reads.
pub fn situation_of(slot: Slot) -> Option<u16> {
    (slot & (TARGET | VARIABLE | SITUATION) == SITUATION).then_some((slot & 0xffff) as u16)
}

/// All that a ruleset says of attacks.
#[derive(Clone, Debug, Default)]
pub struct AttackRules {
    pub situations: Vec<Situation>,
    pub gauges: Vec<Gauge>,
    /// In file order.
    pub attacks: Vec<Attack>,
    pub outcomes: Vec<Outcome>,
    /// What ships' sheets print and formulas read.
    pub printed: Vec<PrintedRows>,
}

/// Something that the table decides.
#[derive(Clone, Debug)]
pub struct Situation {
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub kind: SituationKind,
    pub default: Value,
    pub unit: Arc<str>,
    pub help: Arc<str>,
    /// The x of a chart.
    pub axis: bool,
    /// Indices of the ruleset's provenance marks.
    pub marks: Vec<u32>,
    pub at: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SituationKind {
    Integer {
        min: i64,
        max: i64,
    },
    Flag,
    /// The options' ids and labels.
    Choice(Vec<(Arc<str>, Arc<str>)>),
}

/// Something that a ship can lose, or a counter that rises.
#[derive(Clone, Debug)]
pub struct Gauge {
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub size: GaugeSize,
    /// At 0, or with all of a list at 0, the ship is out.
    pub ends: bool,
    /// Its value when a turn begins; reads the ship's names and [`Variable::Left`].
    pub at_turn: Option<Formula>,
    /// Indices of the ruleset's provenance marks, with those of all that it reads.
    pub marks: Vec<u32>,
    pub at: Span,
}

#[derive(Clone, Debug)]
pub enum GaugeSize {
    /// Falls from this number, or these numbers of a list, to 0.
    Boxes(Formula),
    /// Rises from 0 to this.
    Most(i64),
}

/// One way to hurt.
#[derive(Clone, Debug)]
pub struct Attack {
    pub id: Arc<str>,
    pub label: TextTemplate,
    /// It fires once for each.
    pub for_each: Option<Selector>,
    /// Whether it bears.
    pub when: Option<Formula>,
    /// Lower ones fire first; equal ones of two ships that fire at each other fire at the same time.
    pub order: i64,
    /// Turns from one use to the next, at least 1; `None` is 1.
    pub every: Option<Formula>,
    /// How often in a battle; `None` is always.
    pub uses: Option<Formula>,
    /// What is not counted; empty where that concerns this ship in nothing.
    pub leaves_out: Option<TextTemplate>,
    /// What is not counted besides, if it fires in several turns.
    pub leaves_out_later: Option<TextTemplate>,
    /// Names that its steps set, by the number of [`Variable::Register`].
    pub registers: Vec<Arc<str>>,
    /// Routines are put in.
    pub steps: Vec<Step>,
    /// Indices of the ruleset's provenance marks: its own, its routines' and those of all that it reads.
    pub marks: Vec<u32>,
    pub at: Span,
}

/// A step: its assignments, which all see what was before it, or steps within.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Its means are reported.
    pub label: Option<Arc<str>>,
    /// It is done only if this holds.
    pub when: Option<Formula>,
    pub assignments: Vec<Assignment>,
    /// How often `each` is done; once if `None`. Computed before the first time.
    pub repeat: Option<Formula>,
    /// Done after the assignments.
    pub each: Vec<Step>,
    pub at: Span,
}

impl Step {
    /// The formulas of it and of all steps within it.
    pub fn formulas(&self) -> Vec<&Formula> {
        let set = self.assignments.iter().map(|assignment| &assignment.formula);
        let mut all: Vec<&Formula> = self.when.iter().chain(&self.repeat).chain(set).collect();
        self.each.iter().for_each(|step| all.append(&mut step.formulas()));
        all
    }
}

#[derive(Clone, Debug)]
pub struct Assignment {
    pub variable: Variable,
    pub formula: Formula,
}

/// Something else to report: a condition gives a probability, a number a distribution.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// Reads the target and [`Variable::Left`]; may roll dice.
    pub formula: Formula,
    /// Indices of the ruleset's provenance marks, with those of all that it reads.
    pub marks: Vec<u32>,
    pub at: Span,
}

/// What a ship's sheet prints and attacks read: the rows of a table, the rows of a track. By its place in the ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PrintedRows {
    Table(u16),
    Track(u16),
}

const PRINTED: Slot = 1 << 28;
const OF_TRACK: Slot = 1 << 16;

impl PrintedRows {
    /// Of the ship that fires; with [`TARGET`] of the ship fired at.
    pub fn slot(self) -> Slot {
        match self {
            Self::Table(number) => PRINTED | Slot::from(number),
            Self::Track(number) => PRINTED | OF_TRACK | Slot::from(number),
        }
    }

    /// Of either ship.
    pub fn from_slot(slot: Slot) -> Option<Self> {
        let is_other = Variable::from_slot(slot).is_some() || situation_of(slot).is_some();
        if is_other || slot & PRINTED == 0 {
            return None;
        }
        let number = (slot & 0xffff) as u16;
        Some(if slot & OF_TRACK == 0 { Self::Table(number) } else { Self::Track(number) })
    }
}
