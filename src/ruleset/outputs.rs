//! What of a ruleset is drawn: tracks, tables, counters, sheets. Plain data, no behaviour.

use std::sync::Arc;

use crate::formula::{Formula, Record, TextTemplate, Type};
use crate::source::Span;

use super::model::Selector;
use super::symbol_table::TypedName;

/// Rows of boxes.
#[derive(Clone, Debug)]
pub struct TrackDef {
    /// snake_case.
    pub id: Arc<str>,
    /// One for each of these.
    pub for_each: Option<Selector>,
    /// Whether the ship has it.
    pub when: Option<Formula>,
    /// A heading.
    pub label: TextTemplate,
    /// A sign beside it.
    pub badge: Option<TextTemplate>,
    /// A list of boxes a row (true), or one number of boxes (false).
    pub in_rows: bool,
    /// Boxes.
    pub boxes: Formula,
    /// In lines of which lengths each row is set; `None`: as the paper has room.
    pub lines: Option<Formula>,
    /// Labels at the ends of its rows.
    pub row_labels: Vec<(Arc<str>, Formula)>,
    /// What stands in each box.
    pub cell: Vec<(Arc<str>, Formula)>,
    /// What its boxes are for.
    pub kind: BoxKind,
    /// Signs.
    pub signs: Vec<TrackSign>,
    /// How boxes look.
    pub shape: BoxShape,
    /// A small template that draws each box.
    pub face: Option<Arc<str>>,
    /// Must be on the sheet.
    pub required: bool,
    /// The rule it comes from.
    pub rule: Option<Arc<str>>,
    /// Its own marks, then those of all it reads.
    pub(crate) marks: Vec<u32>,
    pub(crate) direct_marks: usize,
    pub(crate) span: Span,
}

/// A sign in or after a box of a track.
#[derive(Clone, Debug)]
pub struct TrackSign {
    /// The box, from 1; 0 or less: no sign.
    pub at: Formula,
    /// `dot`, `bar-after` or a file.
    pub icon: Arc<str>,
    /// What it means.
    pub label: TextTemplate,
}

/// A table.
#[derive(Clone, Debug)]
pub struct TableDef {
    /// snake_case.
    pub id: Arc<str>,
    /// A heading.
    pub label: TextTemplate,
    /// A small note.
    pub note: Option<TextTemplate>,
    /// What fills it.
    pub kind: TableKind,
    /// Whether the ship has it.
    pub when: Option<Formula>,
    /// The rule it comes from.
    pub rule: Option<Arc<str>>,
    /// Its own marks, then those of all it reads.
    pub(crate) marks: Vec<u32>,
    pub(crate) direct_marks: usize,
    pub(crate) span: Span,
}

impl TableDef {
    /// Whether a layer added it.
    pub fn is_new(&self) -> bool {
        self.span.file > 0
    }

    /// Whether it says whom it concerns.
    pub fn is_conditional(&self) -> bool {
        self.when.is_some() || !matches!(self.kind, TableKind::Rows { concerns: None, .. })
    }
}

/// What fills a table.
#[derive(Clone, Debug)]
pub enum TableKind {
    /// Written out.
    Rows {
        /// Its columns.
        columns: Vec<TableColumn>,
        /// The columns that `row()` looks in.
        key: Vec<usize>,
        /// Its rows, each a record of all columns.
        rows: Vec<Arc<Record>>,
        /// Which rows concern a ship; `None`: all.
        concerns: Option<Formula>,
    },
    /// A row for each of these.
    ForEach {
        /// Of which.
        of: Selector,
        /// Its columns, each with a cell formula.
        columns: Vec<TableColumn>,
    },
    /// Cells by two numbers.
    Grid {
        /// Numbers across.
        across: Formula,
        /// Numbers down.
        down: Formula,
        /// Heading of a column.
        across_label: Option<Formula>,
        /// Heading of a row.
        down_label: Option<Formula>,
        /// The cell.
        cell: Formula,
    },
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct TableColumn {
    /// snake_case.
    pub id: Arc<str>,
    /// What a player reads.
    pub label: Arc<str>,
    /// What it holds.
    pub ty: Type,
    /// Not shown.
    pub hidden: bool,
    /// Numbers are boxes to tick, for this.
    pub boxes: Option<BoxKind>,
    /// Numbers show their sign.
    pub signed: bool,
    /// A list is spread over as many columns as the longest has entries.
    pub spread: bool,
    /// How it is computed, in a table for each something.
    pub cell: Option<Formula>,
}

/// Counters.
#[derive(Clone, Debug)]
pub struct CounterDef {
    /// Kebab-case or snake_case.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: TextTemplate,
    /// Some for each of these.
    pub for_each: Option<Selector>,
    /// Whether there are any.
    pub when: Option<Formula>,
    /// Sorts, each with how many and its words.
    pub groups: Vec<CounterGroup>,
    /// The names of the groups' words.
    pub(crate) words: Vec<TypedName>,
    /// Numbered from here, if numbered.
    pub first: Option<i64>,
    /// The series it is numbered in.
    pub series: Option<Arc<str>>,
    /// Each has a box on the sheet, ticked when it is used up.
    pub ticked: bool,
    /// Width and height, each with how many tenths of a millimetre one of it is.
    pub size: [(Formula, i64); 2],
    /// The template of its front.
    pub face: Arc<str>,
    /// The template of its back.
    pub back: Option<Arc<str>>,
    /// What its face may read besides.
    pub data: Vec<(Arc<str>, Formula)>,
    /// It stands for the ship itself.
    pub is_ship: bool,
    pub(crate) span: Span,
}

/// A sort of counter.
#[derive(Clone, Debug)]
pub struct CounterGroup {
    /// How many.
    pub count: Formula,
    /// Its words, in the order of the counter's.
    pub words: Vec<Formula>,
}

/// A sheet.
#[derive(Clone, Debug)]
pub struct SheetDef {
    /// Its id: `ship`.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// What it is for.
    pub kind: SheetKind,
    /// For which designs.
    pub when: Option<Formula>,
    /// Its template's file.
    pub template: Arc<str>,
}

/// What a sheet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// A design's control sheet or card.
    Design,
    /// The game's tables for all players.
    Reference,
    /// Takes what did not fit on a sheet.
    Continuation,
    /// A fleet's ships with what they cost.
    Roster,
    /// What an opponent is handed: points, rules, legality, code.
    Summary,
    /// Where a fleet's orders are written turn by turn.
    Log,
}

/// What boxes are for in play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoxKind {
    /// Hit, and repaired where the rules repair.
    #[default]
    Damage,
    /// One of several: the speed, the energy left, how many shields are active.
    State,
    /// Used up.
    Ammo,
    /// Fired, charged, launched: cleared at the end of a turn.
    EachTurn,
    /// Turns that something still lasts.
    Countdown,
}

impl BoxKind {
    /// Every kind with the word that rulesets and reports have for it.
    pub const ALL: [(&'static str, Self); 5] = [
        ("damage", Self::Damage),
        ("state", Self::State),
        ("ammo", Self::Ammo),
        ("each-turn", Self::EachTurn),
        ("countdown", Self::Countdown),
    ];

    /// The word for it in rulesets and reports.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("damage", |(word, _)| word)
    }

    /// The words for it in a sentence: `not damage but a state`.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Damage => "damage",
            Self::State => "a state",
            Self::Ammo => "ammunition",
            Self::EachTurn => "cleared each turn",
            Self::Countdown => "a countdown",
        }
    }

    /// Whether a fleet keeps it from game to game: damage and what is used up; the others are of the moment.
    pub fn is_lasting(self) -> bool {
        matches!(self, Self::Damage | Self::Ammo)
    }

    /// How its boxes are drawn where the ruleset does not say: a marker goes from ring to ring of a state, other boxes are ticked.
    pub fn default_shape(self) -> BoxShape {
        match self {
            Self::State => BoxShape::Round,
            _ => BoxShape::Square,
        }
    }
}

/// How a box is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoxShape {
    /// A square to tick.
    #[default]
    Square,
    /// A circle to tick.
    Circle,
    /// A shield to tick.
    Shield,
    /// No box, only what stands in it.
    Plain,
    /// A box with round ends, a circle where it is as wide as high: for a marker, or to tick.
    Round,
}

impl BoxShape {
    /// Every shape with the word that rulesets and designs have for it.
    pub const ALL: [(&'static str, Self); 5] = [
        ("square", Self::Square),
        ("circle", Self::Circle),
        ("shield", Self::Shield),
        ("plain", Self::Plain),
        ("round", Self::Round),
    ];
}
