//! The outputs of a ruleset: tracks, tables, counters, sheets. Plain data, no behaviour.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::formula::{Formula, Record, TextTemplate, Type};
use moldloft_base::source::Span;
use moldloft_base::worded;

use super::known_grids::GridInputs;
use super::selector::Selector;
use super::symbol_table::TypedName;

#[derive(Clone, Debug)]
pub struct TrackDef {
    /// snake_case.
    pub id: Arc<str>,
    /// One for each of these.
    pub for_each: Option<Selector>,
    pub when: Option<Formula>,
    pub label: TextTemplate,
    pub badge: Option<TextTemplate>,
    /// Whether `boxes` is a list with the boxes of each row, or one number.
    pub in_rows: bool,
    /// A number or a list, see `in_rows`.
    pub boxes: Formula,
    /// The lengths of the lines that a row is broken into; `None`: as the paper allows.
    pub lines: Option<Formula>,
    /// Names and texts at the ends of its rows.
    pub row_labels: Vec<(Arc<str>, Formula)>,
    /// What happens when a row is gone.
    pub row_note: Option<TextTemplate>,
    /// Names and values in each box.
    pub cell: Vec<(Arc<str>, Formula)>,
    /// The use of its boxes in play.
    pub kind: BoxKind,
    pub signs: Vec<TrackSign>,
    pub shape: BoxShape,
    /// The template of each box.
    pub face: Option<Arc<str>>,
    /// Whether a sheet without it is an error.
    pub required: bool,
    pub rule: Option<Arc<str>>,
    /// Its own, then those of all it reads.
    pub marks: Vec<u32>,
    pub direct_marks: usize,
    pub span: Span,
}

impl TrackDef {
    /// Whether a layer gave it another label: a template's own heading gives way.
    pub fn is_relabelled(&self) -> bool {
        self.label.at.file > self.span.file
    }
}

#[derive(Clone, Debug)]
pub struct TrackSign {
    /// The box, from 1; no sign at 0 or less.
    pub at: Formula,
    /// `dot`, `bar-after` or a file.
    pub icon: Arc<str>,
    pub label: TextTemplate,
}

#[derive(Clone, Debug)]
pub struct TableDef {
    /// snake_case.
    pub id: Arc<str>,
    pub label: TextTemplate,
    /// Printed small.
    pub note: Option<TextTemplate>,
    pub kind: TableKind,
    /// The table whose rows its own are made from, by index.
    pub made_from: Option<usize>,
    /// Left out when false.
    pub when: Option<Formula>,
    pub describes: Option<TableSubject>,
    /// What it says may bear on fire.
    pub may_change_odds: bool,
    /// Rows about systems that layers removed, by index: formulas may still read them.
    pub hidden_rows: BTreeSet<usize>,
    /// Cells of which attacks do not read all, with their places.
    pub unread_cells: Vec<(Arc<str>, Span)>,
    pub rule: Option<Arc<str>>,
    /// Its own, then those of all it reads.
    pub marks: Vec<u32>,
    pub direct_marks: usize,
    pub span: Span,
}

/// What the rows of a table are about.
#[derive(Clone, Debug)]
pub enum TableSubject {
    /// All rows: systems by id or `#tag`, fields, values.
    Names(Vec<Arc<str>>),
    /// The column whose cells name them, by id, tag or a system's name.
    Column(usize),
    /// Names by the text in a row's first column.
    Rows(Vec<(Arc<str>, Vec<Arc<str>>)>),
}

/// A word of the game, explained.
#[derive(Clone, Debug)]
pub struct TermDef {
    /// Kebab-case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// Other words for it.
    pub words: Vec<Arc<str>>,
    pub text: TextTemplate,
    /// Systems by id or `#tag`, fields, values.
    pub describes: Vec<Arc<str>>,
    pub rule: Option<Arc<str>>,
}

impl TermDef {
    /// Its label, then its other words.
    pub fn all_words(&self) -> impl Iterator<Item = &Arc<str>> {
        std::iter::once(&self.label).chain(&self.words)
    }
}

impl TableDef {
    /// Written or made rows; none of a table that is worked out for each ship.
    pub fn rows(&self) -> &[Arc<Record>] {
        match &self.kind {
            TableKind::Rows { rows, .. } => rows,
            _ => &[],
        }
    }

    /// None of a grid.
    pub fn columns(&self) -> &[TableColumn] {
        match &self.kind {
            TableKind::Rows { columns, .. } | TableKind::ForEach { columns, .. } => columns,
            TableKind::Grid { .. } => &[],
        }
    }

    /// The columns that `row()` searches.
    pub fn key(&self) -> &[usize] {
        match &self.kind {
            TableKind::Rows { key, .. } => key,
            _ => &[],
        }
    }

    /// Whether a layer added it.
    pub fn is_new(&self) -> bool {
        self.span.file > 0
    }

    /// Whether a layer gave it another label: a template's own heading gives way.
    pub fn is_relabelled(&self) -> bool {
        self.label.at.file > self.span.file
    }

    /// Whether a layer added a column of this id.
    pub fn has_new_column(&self, id: &str) -> bool {
        let (TableKind::Rows { columns, .. } | TableKind::ForEach { columns, .. }) = &self.kind else { return false };
        columns.iter().any(|column| column.is_new && *column.id == *id)
    }

    /// Whether it has a condition for the ships or rows that it is for.
    pub fn is_conditional(&self) -> bool {
        self.when.is_some() || !matches!(self.kind, TableKind::Rows { concerns: None, .. })
    }
}

#[derive(Clone, Debug)]
pub enum TableKind {
    /// Literal cells.
    Rows {
        columns: Vec<TableColumn>,
        /// The columns that `row()` searches.
        key: Vec<usize>,
        /// Each a record of all columns.
        rows: Vec<Arc<Record>>,
        /// The rows to show; `None`: all.
        concerns: Option<Formula>,
    },
    /// One row for each item.
    ForEach {
        /// The items.
        of: Selector,
        columns: Vec<TableColumn>,
    },
    /// One cell for each pair of numbers.
    Grid {
        /// The numbers of the columns.
        across: Formula,
        /// The numbers of the rows.
        down: Formula,
        /// A column's heading.
        across_label: Option<Formula>,
        /// A row's heading.
        down_label: Option<Formula>,
        cell: Formula,
        /// `None`: ships cannot share it.
        inputs: Option<Arc<GridInputs>>,
    },
}

#[derive(Clone, Debug)]
pub struct TableColumn {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub ty: Type,
    /// For formulas only.
    pub hidden: bool,
    /// Numbers are shown as boxes for this use.
    pub boxes: Option<BoxKind>,
    /// Numbers have a sign.
    pub signed: bool,
    /// A list takes as many columns as the longest has entries.
    pub spread: bool,
    /// Only in a table with one row for each item.
    pub cell: Option<Formula>,
    /// It goes where a layer removes what its cell reads.
    pub is_optional: bool,
    /// A layer added it: no template knows it.
    pub is_new: bool,
}

#[derive(Clone, Debug)]
pub struct CounterDef {
    /// Kebab-case or snake_case.
    pub id: Arc<str>,
    pub label: TextTemplate,
    /// For each of these.
    pub for_each: Option<Selector>,
    /// None when false.
    pub when: Option<Formula>,
    /// Kinds of this counter.
    pub groups: Vec<CounterGroup>,
    /// The names of the groups' values, as in `group.NAME`.
    pub words: Vec<TypedName>,
    /// The first number; `None`: not numbered.
    pub first: Option<i64>,
    /// Counters of one series share their numbers.
    pub series: Option<Arc<str>>,
    /// Whether each has a box on the sheet to tick when it is used.
    pub ticked: bool,
    /// Whether there are spares of them in the rest of a sheet of counters.
    pub spares: bool,
    /// Width and height, each with its unit in tenths of a millimetre.
    pub size: [(Formula, i64); 2],
    /// The template of the front.
    pub face: Arc<str>,
    /// The template of the back.
    pub back: Option<Arc<str>>,
    /// More names for its templates.
    pub data: Vec<(Arc<str>, Formula)>,
    /// What its line on a battle page says: it acts by itself.
    pub acts_as: Option<TextTemplate>,
    /// Whether it is the ship itself.
    pub is_ship: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CounterGroup {
    pub count: Formula,
    /// In the order of the counter's names.
    pub words: Vec<Formula>,
}

/// What is measured from a ship on the table.
#[derive(Clone, Debug)]
pub struct RulerDef {
    /// snake_case.
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// The word for its unit.
    pub unit: Arc<str>,
    /// Of one unit, tenths of a millimetre.
    pub tenths: Formula,
    /// Directions numbered round the collar.
    pub points: i64,
    pub reaches: Vec<RulerMark>,
    pub marks: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct RulerMark {
    /// One for each of these.
    pub for_each: Option<Selector>,
    pub when: Option<Formula>,
    pub label: TextTemplate,
    /// A number of units, or a list of them.
    pub at: Option<Formula>,
    pub arcs: Option<TextTemplate>,
}

/// A die for each of many systems, when a row of a track is gone.
#[derive(Clone, Debug)]
pub struct SharedRollDef {
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// The track, and which of its row labels says from which face on a system is lost.
    pub track: Arc<str>,
    pub row_label: Arc<str>,
    pub faces: u32,
    pub note: Arc<str>,
}

#[derive(Clone, Debug)]
pub struct SheetDef {
    /// `ship`
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// The purpose of the sheet.
    pub kind: SheetKind,
    /// The designs that it is for.
    pub when: Option<Formula>,
    /// A file name.
    pub template: Arc<str>,
}

worded! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SheetKind {
        /// A control sheet or card of a design.
        Design = "design",
        /// The game's tables, for all players.
        Reference = "reference",
        /// What did not fit on another sheet.
        Continuation = "continuation",
        /// The ships of a fleet with their points.
        Roster = "roster",
        /// For the opponent: points, rules, legality, fingerprint.
        Summary = "summary",
        /// For a fleet's orders, turn by turn.
        Log = "log",
        /// The back of a card.
        Back = "back",
        /// Places for the chits of what a ship has loaded; printed where that is asked for.
        Load = "load",
    }
}

worded! {
    /// The use of boxes in play.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum BoxKind {
        /// Hit, and repaired where the rules allow repairs.
        #[default]
        Damage = "damage",
        /// One of several: the speed, the energy left, the number of active shields.
        State = "state",
        /// Used up.
        Ammo = "ammo",
        /// Fired, charged, launched: cleared at the end of a turn.
        EachTurn = "each-turn",
        /// Turns that an effect still lasts.
        Countdown = "countdown",
    }
}

impl BoxKind {
    /// For a sentence: `not damage but a state`.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Damage => "damage",
            Self::State => "a state",
            Self::Ammo => "ammunition",
            Self::EachTurn => "cleared each turn",
            Self::Countdown => "a countdown",
        }
    }

    /// Whether a fleet keeps it between games: damage and ammunition, not the rest.
    pub fn is_lasting(self) -> bool {
        matches!(self, Self::Damage | Self::Ammo)
    }

    /// What a player does with the boxes, for a legend.
    pub fn legend(self) -> &'static str {
        match self {
            Self::Damage => "damage",
            Self::State => "mark one",
            Self::Ammo => "ammunition",
            Self::EachTurn => "cleared each turn",
            Self::Countdown => "turns left",
        }
    }

    /// The shape when the ruleset names none, so that boxes for different uses look different in every game.
    pub fn default_shape(self) -> BoxShape {
        match self {
            Self::Damage => BoxShape::Square,
            Self::State => BoxShape::Ruled,
            Self::Ammo => BoxShape::Circle,
            Self::EachTurn => BoxShape::Rounded,
            Self::Countdown => BoxShape::Arrow,
        }
    }
}

worded! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BoxShape {
        /// A square to tick.
        #[default]
        Square = "square",
        /// A circle to tick.
        Circle = "circle",
        /// A shield to tick.
        Shield = "shield",
        /// Only the content, without a box.
        Plain = "plain",
        /// Round ends, a circle if as wide as high: for a marker or a tick.
        Round = "round",
        /// A square with round corners and a light outline.
        Rounded = "rounded",
        /// A cell of a thin-ruled row.
        Ruled = "ruled",
        /// A square with a point at the right, to the next one.
        Arrow = "arrow",
    }
}
