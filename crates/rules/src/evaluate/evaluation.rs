//! The result of evaluating a design: everything that sheets, reports and the editor show, in the ruleset's order.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

pub use crate::design::DesignPart;
use crate::design::{Design, Ship};
use crate::formula::Value;
use crate::ruleset::Ruleset;
pub use crate::ruleset::{BoxKind, BoxShape, Provenance};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::amount_with_unit;

use super::state::{ItTarget, ShipState};

/// A design evaluated as one ship of its class. Parts common to equal ships are shared and accessed by deref; what only
/// template formulas read is in `state`.
#[derive(Clone, Debug)]
pub struct Evaluation {
    pub ruleset: Arc<Ruleset>,
    pub ship: Ship,
    pub counters: Vec<CounterResult>,
    /// What a print job tells of its fights; `None` where it tells nothing.
    pub fights: Option<Arc<FightCard>>,
    /// Id of the sheet that the player chose; ignored if the design cannot be printed on it.
    pub wanted_sheet: Option<Arc<str>>,
    pub shared: Arc<SharedEvaluation>,
    pub state: Arc<ShipState>,
}

/// What the odds of fights say, in words for a page. Texts only: who works them out stands above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FightCard {
    /// Headings; the first is of a name, the others of figures.
    pub columns: Vec<Arc<str>>,
    /// The firing class above its rows, where the card is of several; empty otherwise.
    pub groups: Vec<(Arc<str>, Vec<Vec<String>>)>,
    /// What the figures mean and rest on, a paragraph each.
    pub notes: Vec<String>,
}

/// The part of an evaluation that equal ships share: same class, load and relations.
#[derive(Clone, Debug, Default)]
pub struct SharedEvaluation {
    /// As the player named it.
    pub file: Arc<str>,
    pub name: Arc<str>,
    /// The design's own outline: an SVG file beside its file.
    pub silhouette: Option<Arc<str>>,
    /// No finding is an error.
    pub legal: bool,
    /// The value or field named `points`.
    pub points: Option<i64>,
    pub fields: Vec<FieldResult>,
    pub values: Vec<ValueResult>,
    pub costs: Vec<CostLine>,
    pub mounts: Vec<MountResult>,
    /// Fits of known systems, in file order.
    pub fits: Vec<FitResult>,
    /// Systems that the design defines, fitted or not.
    pub custom_systems: Vec<CustomSystemResult>,
    pub tracks: Vec<TrackResult>,
    pub tables: Vec<TableResult>,
    /// Errors first, then in file order.
    pub findings: Vec<Finding>,
    /// One short line for each assumed formula that this ship's cost or sheet uses, for the footer.
    pub assumptions: Vec<Arc<str>>,
    /// For odds: the ship without what is in mounts that the rules do not have, where it has such.
    pub(super) fighting: OnceLock<Option<Arc<Evaluation>>>,
}

impl Deref for Evaluation {
    type Target = SharedEvaluation;

    fn deref(&self) -> &SharedEvaluation {
        &self.shared
    }
}

impl DerefMut for Evaluation {
    fn deref_mut(&mut self) -> &mut SharedEvaluation {
        Arc::make_mut(&mut self.shared)
    }
}

impl Evaluation {
    /// The design's own systems aboard in a sentence, `own systems: doom ×3 (like laser, 0 mass, 0 points)`; `None` where there are none, or
    /// where the rules have them as part of the game.
    pub fn custom_system_summary(&self) -> Option<&Arc<str>> {
        self.state.custom_system_summary.as_ref()
    }

    /// The design that was evaluated; `None` without a ship.
    pub fn design(&self) -> Option<&Design> {
        self.state.design.as_deref()
    }

    /// The evaluation of another ship that is equal in everything that the rules read.
    #[must_use]
    pub fn for_ship(&self, ship: Ship) -> Self {
        Self { ship, ..self.clone() }
    }

    pub fn shares_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Approximate bytes, without what is shared with the ruleset.
    pub fn memory_size(&self) -> usize {
        let value = size_of::<Value>();
        let fits: usize = self.fits.iter().map(|fit| size_of::<FitResult>() + fit.answers.len() * (value + 16)).sum();
        let tracks = self.tracks.iter().map(|track| {
            let labels: usize = track.row_labels.iter().map(|(_, labels)| labels.len() * 32).sum();
            let labels = labels + track.row_notes.len() * 32;
            size_of::<TrackResult>()
                + track.rows.len() * 4
                + labels
                + track.cells.len() * 4 * value
                + track.marks.len() * 40
        });
        let tables = self.tables.iter().map(|table| {
            let cells: usize = table.rows.iter().map(Vec::len).sum();
            size_of::<TableResult>() + cells * 2 * value + table.columns.len() * size_of::<ColumnResult>()
        });
        let text = |finding: &Finding| finding.message.len() + finding.help.as_ref().map_or(0, String::len);
        let findings = self.findings.iter().map(|finding| size_of::<Finding>() + 300 + text(finding));
        let state = self.state.answers.len() * value + self.state.fits.len() * 150;
        fits + tracks.sum::<usize>()
            + tables.sum::<usize>()
            + findings.sum::<usize>()
            + state
            + self.unshared_memory_size()
            + 4_000
    }

    /// The part of [`Evaluation::memory_size`] that is not shared with another evaluation.
    pub fn unshared_memory_size(&self) -> usize {
        let counter = |counter: &CounterResult| size_of::<CounterResult>() + counter.data.len() * 60;
        let texts = [&self.ship.name, &self.ship.hull_number].into_iter().flatten().map(String::len);
        size_of::<Self>() + self.counters.iter().map(counter).sum::<usize>() + texts.sum::<usize>()
    }

    /// Why a mount may not take a system, of the ruleset's or of the design's own; `None` when it may.
    pub fn mount_refusal(&self, system: &str, mount: &str) -> Option<String> {
        let rules = &self.ruleset;
        match self.state.custom_systems.iter().find(|own| *own.id == *system) {
            Some(own) => rules.mount_refusal_for(
                &own.name,
                own.mounts.as_deref(),
                rules.systems[own.base].rule.as_deref(),
                mount,
            ),
            None => rules.mount_refusal(system, mount),
        }
    }
}

/// A field of the ruleset with its value in a design.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FieldResult {
    /// As designs write it: `nation`.
    pub id: Arc<str>,
    /// `nation`, or the ruleset's label.
    pub label: Arc<str>,
    /// As formulas read it.
    pub value: Value,
    /// For players: `Manticore Alliance`.
    pub text: Arc<str>,
    /// Whether the rules show it for this design.
    pub applies: bool,
}

/// A value of the ruleset, computed for a ship.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ValueResult {
    /// As formulas read it: `structure`.
    pub id: Arc<str>,
    /// For players.
    pub label: Arc<str>,
    /// Numbers are whole, within ±10^15, in the ruleset's unit; null where it cannot be computed.
    pub value: Value,
    /// Shown large, and in lists of designs.
    pub headline: bool,
    /// The limit of a budget, in the same unit.
    pub limit: Option<i64>,
    /// `published`, `derived`, `assumed` or `house`: its own or inherited from what it reads.
    pub provenance: Provenance,
}

/// A line of a ship's cost, in the game's points. The rule behind it is in the explanation of `costs`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CostLine {
    /// What is paid for: `laser`.
    pub label: Arc<str>,
    /// How many.
    pub count: i64,
    /// Points of one; negative for a discount.
    pub each: i64,
    /// `count * each`.
    pub total: i64,
    /// Rests on a layer of house rules.
    pub house: bool,
}

#[derive(Clone, Debug)]
pub struct MountResult {
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub tags: Arc<[Arc<str>]>,
    pub applies: bool,
    pub fits: Vec<usize>,
}

/// A number of one system in one mount.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FitResult {
    /// Index in the design's file, from 0, as in `Mark::fit` of a drawn sheet.
    pub index: u32,
    /// Its id.
    pub system: Arc<str>,
    /// For players.
    pub name: Arc<str>,
    /// The letters in its box: `M`. May be empty.
    pub abbr: Arc<str>,
    /// A file in the templates folder, instead of letters.
    pub icon: Option<Arc<str>>,
    /// The shape of its boxes.
    pub shape: BoxShape,
    /// Id as written; may be unknown.
    pub mount: Arc<str>,
    /// How many, 0 to 9,999.
    pub count: u32,
    /// Whether the ruleset has this mount.
    pub placed: bool,
    /// Parameters and attributes by name, each of ONE of the count unless declared `per = "fit"`.
    pub answers: Vec<(Arc<str>, Value)>,
    /// Number of the first mark, `<system>_<mount>_<first>`; earlier fits of the same system and mount precede it.
    pub first_mark: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomSystemResult {
    pub id: Arc<str>,
    pub name: Arc<str>,
    /// The ruleset's system that it is based on: `laser`.
    pub like: Arc<str>,
    /// Number aboard.
    pub count: i64,
    /// Numbers of one: those that it states, those that the rules limit, and its points, by attribute.
    pub numbers: Vec<(Arc<str>, i64)>,
}

impl CustomSystemResult {
    /// `doom ×3 (like laser, 0 mass, 0 points)`.
    pub fn summary(&self) -> String {
        let words = |(id, number): &(Arc<str>, i64)| amount_with_unit(&number.to_string(), &id.replace('_', " "));
        let numbers: String = self.numbers.iter().map(|one| format!(", {}", words(one))).collect();
        format!("{} ×{} (like {}{numbers})", self.name, self.count, self.like)
    }
}

/// Rows of boxes on a ship's sheet.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrackResult {
    /// `structure`; for a track made for each item `status_left-front`, `rounds_3` (fits count from 1).
    pub id: Arc<str>,
    /// Id in the ruleset.
    pub track: Arc<str>,
    /// For players.
    pub label: Arc<str>,
    /// A small sign next to it (armour); may be empty.
    pub badge: Arc<str>,
    /// The number of boxes of each row.
    pub rows: Vec<u32>,
    /// Lengths of a row's lines, none of them 0; the last is repeated. Empty: as the layout allows.
    pub lines: Vec<u32>,
    /// Labels at the end of rows, by name in the ruleset's order: `check` → one text per row.
    pub row_labels: Vec<(Arc<str>, Vec<Arc<str>>)>,
    /// What happens when a row is gone: empty, or one text per row.
    pub row_notes: Vec<Arc<str>>,
    /// Contents of the boxes: empty, or one record per box.
    pub cells: Vec<Value>,
    /// What ticking a box means.
    pub kind: BoxKind,
    /// Signs at single boxes.
    pub marks: Vec<TrackMark>,
    /// The shape of its boxes.
    pub shape: BoxShape,
    /// The template that is drawn in each box.
    pub box_template: Option<Arc<str>>,
    /// Must be on the sheet.
    pub required: bool,
    /// Rests on a layer of house rules.
    pub house: bool,
    /// For a track made for each mount: its id.
    pub mount: Option<Arc<str>>,
    /// For a track made for each fit: the index in `fits`.
    pub fit: Option<usize>,
    /// For a track made for each row of a field or table: the index, from 0.
    pub row: Option<usize>,
}

impl Evaluation {
    /// The fits (indices in `fits`) whose boxes a table (an index in `tables`) has in a column: hits on them, or their
    /// ammunition; with their row, from 0, and the column's id.
    pub fn fits_in_table(&self, table: usize) -> Vec<(usize, usize, &Arc<str>)> {
        let (Some(result), Some(targets)) = (self.tables.get(table), self.state.table_targets.get(table)) else {
            return Vec::new();
        };
        let is_kept = |kind: &BoxKind| matches!(kind, BoxKind::Damage | BoxKind::Ammo);
        let Some(column) = result.columns.iter().position(|column| column.boxes.as_ref().is_some_and(is_kept)) else {
            return Vec::new();
        };
        let has_boxes = |row: usize| match result.rows.get(row).and_then(|cells| cells.get(column)) {
            Some(Value::Int(boxes)) => *boxes > 0,
            Some(Value::List(boxes)) => boxes.iter().any(|one| matches!(one, Value::Int(1..))),
            _ => false,
        };
        let fit = |(row, of): (usize, &ItTarget)| match of {
            ItTarget::Fit(fit) if has_boxes(row) => Some((*fit, row, &result.columns[column].id)),
            _ => None,
        };
        targets.iter().enumerate().filter_map(fit).collect()
    }
}

impl TrackResult {
    /// The number of boxes of all rows.
    pub fn boxes(&self) -> u32 {
        self.rows.iter().sum()
    }

    /// The fit (an index in `fits`) that the track represents: its boxes are hits on the fit, or its ammunition. Boxes
    /// for its state, or that are cleared each turn, do not show whether it is destroyed.
    pub fn represented_fit(&self) -> Option<usize> {
        self.fit.filter(|_| self.boxes() > 0 && matches!(self.kind, BoxKind::Damage | BoxKind::Ammo))
    }

    /// Rows split into their lines; a row without line lengths is one line.
    pub fn lines_of_boxes(&self) -> Vec<TrackLine> {
        let mut lines = Vec::with_capacity(self.rows.len());
        for (row, &boxes) in self.rows.iter().enumerate() {
            let Some(&last) = self.lines.last() else {
                lines.push(TrackLine { row, boxes, starts_row: true, ends_row: true });
                continue;
            };
            let mut left = boxes;
            for length in self.lines.iter().copied().chain(std::iter::repeat(last.max(1))) {
                let here = length.min(left);
                lines.push(TrackLine { row, boxes: here, starts_row: left == boxes, ends_row: here == left });
                left -= here;
                if left == 0 {
                    break;
                }
            }
        }
        lines
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackLine {
    /// Index of the row, from 0.
    pub row: usize,
    pub boxes: u32,
    pub starts_row: bool,
    pub ends_row: bool,
}

/// A sign at a box of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrackMark {
    /// Number of the box, from 1.
    pub at: u32,
    /// `dot`, `bar-after`, or an icon's file.
    pub icon: Arc<str>,
    /// What it means, for players; may be empty.
    pub label: Arc<str>,
}

/// A table on a ship's sheet.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableResult {
    /// Its id in the ruleset.
    pub id: Arc<str>,
    /// For players.
    pub label: Arc<str>,
    /// Without hidden ones.
    pub columns: Vec<ColumnResult>,
    /// Rows that concern this ship: one value per column.
    pub rows: Vec<Vec<Value>>,
    /// For a grid: the labels at the left, one per row.
    pub row_labels: Vec<Arc<str>>,
    /// The numbers of these rows.
    pub row_numbers: Vec<i64>,
    /// Whether it has labels at the left.
    pub grid: bool,
    /// Where its numbers come from.
    pub provenance: Provenance,
    /// Rests on a layer of house rules.
    pub house: bool,
    /// What is printed below it; may be empty.
    pub note: Arc<str>,
}

/// A column of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ColumnResult {
    /// Its id in the table.
    pub id: Arc<str>,
    /// For players.
    pub label: Arc<str>,
    /// Its numbers are boxes to tick, of this kind.
    pub boxes: Option<BoxKind>,
    /// Numbers have a sign: `+4`.
    pub signed: bool,
}

#[derive(Clone, Debug)]
pub struct CounterResult {
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// Index in `fits`, for counters of a fit.
    pub fit: Option<usize>,
    /// Index from 0, for counters made for each row of a field or table.
    pub row: Option<usize>,
    pub count: u32,
    /// Number of the first counter. A series runs over all ships of a job, so each job sets it.
    pub first: Option<u32>,
    /// The series that numbers them, through the whole job; `None` without numbers.
    pub series: Option<Arc<str>>,
    /// Width and height in millimetres.
    pub size: (f32, f32),
    pub face: Arc<str>,
    pub back: Option<Arc<str>>,
    /// What its line on a battle page says, if it acts by itself.
    pub acts_as: Option<Arc<str>>,
    /// Names that its face can read besides the ship's: the group's words (`warhead`) and the counter's data (`row`).
    pub data: Vec<(Arc<str>, Value)>,
}
