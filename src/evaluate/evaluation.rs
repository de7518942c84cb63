//! The settled result of evaluating a design: everything a sheet, a report or an editor shows, in the ruleset's order.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

pub use crate::design::DesignPart;
use crate::design::Ship;
use crate::finding::Finding;
use crate::formula::Value;
use crate::ruleset::Ruleset;
pub use crate::ruleset::{BoxKind, BoxShape, Provenance};

use super::state::ShipState;

/// A design, evaluated as one ship of its class. What ships that are alike have in common is held once for all of them and read as if it
/// stood here. The parts that formulas of a template's slots read stand in `evaluate`'s own state beside this.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The rules it was evaluated by.
    pub ruleset: Arc<Ruleset>,
    /// Which ship of its class it is.
    pub ship: Ship,
    /// Every counter series the ship puts on the table.
    pub counters: Vec<CounterResult>,
    /// The sheet that a player chose for it, by its id; one that this design cannot be printed on is passed over.
    pub wanted_sheet: Option<Arc<str>>,
    /// What ships that are alike share.
    pub(crate) shared: Arc<SharedEvaluation>,
    /// What texts and formulas of a template read.
    pub(crate) state: Arc<ShipState>,
}

/// What an evaluation says of every ship that is alike: of the same class with the same load and the same relations.
#[derive(Clone, Debug, Default)]
pub struct SharedEvaluation {
    /// The file as the player named it.
    pub file: Arc<str>,
    /// Class of ship.
    pub name: Arc<str>,
    /// No finding is an error.
    pub legal: bool,
    /// What it costs: the value or field named `points`.
    pub points: Option<i64>,
    /// Every field, in order.
    pub fields: Vec<FieldResult>,
    /// Every value, in order.
    pub values: Vec<ValueResult>,
    /// The cost lines; they add up to `points`.
    pub costs: Vec<CostLine>,
    /// Every mount, in order.
    pub mounts: Vec<MountResult>,
    /// Every fit of a known system, in file order.
    pub fits: Vec<FitResult>,
    /// The systems that the design defines itself, fitted or not.
    pub custom_systems: Vec<CustomSystemResult>,
    /// Every track the ship has.
    pub tracks: Vec<TrackResult>,
    /// Every table with the rows that concern this ship.
    pub tables: Vec<TableResult>,
    /// What was found, errors first, then in file order.
    pub findings: Vec<Finding>,
    /// Formulas resting on a guess that this ship's cost or sheet uses, one short line each, for the footer.
    pub assumptions: Vec<Arc<str>>,
}

impl Deref for Evaluation {
    type Target = SharedEvaluation;

    fn deref(&self) -> &SharedEvaluation {
        &self.shared
    }
}

impl DerefMut for Evaluation {
    /// Parts it from those it shares with.
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

    /// The same of another ship that is alike in all that the rules read.
    #[must_use]
    pub fn for_ship(&self, ship: Ship) -> Self {
        Self { ship, ..self.clone() }
    }

    /// Whether two hold the same results in the same place.
    pub fn shares_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// About how many bytes of memory it takes, without what it shares with the ruleset.
    pub fn memory_size(&self) -> usize {
        let value = size_of::<Value>();
        let fits: usize = self.fits.iter().map(|fit| size_of::<FitResult>() + fit.answers.len() * (value + 16)).sum();
        let tracks = self.tracks.iter().map(|track| {
            let labels: usize = track.row_labels.iter().map(|(_, labels)| labels.len() * 32).sum();
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

    /// The part of that which it shares with no other.
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

/// A field's answer.
#[derive(Clone, Debug)]
pub struct FieldResult {
    /// `nation`.
    pub id: Arc<str>,
    /// `nation`, or the ruleset's label.
    pub label: Arc<str>,
    /// The value formulas read.
    pub value: Value,
    /// As a player reads it: `Manticore Alliance`.
    pub text: Arc<str>,
    /// Whether it applies to this design.
    pub applies: bool,
}

/// A computed value.
#[derive(Clone, Debug)]
pub struct ValueResult {
    /// `structure`.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// The result.
    pub value: Value,
    /// Shown large, and in lists of designs.
    pub headline: bool,
    /// The budget it must stay within.
    pub limit: Option<i64>,
    /// `published`, `derived`, `assumed` or `house`, its own or inherited from what it reads.
    pub provenance: Provenance,
}

/// A line of the cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostLine {
    /// `missile launcher`.
    pub label: Arc<str>,
    /// How many.
    pub count: i64,
    /// Points each.
    pub each: i64,
    /// `count * each`.
    pub total: i64,
    /// Rests on a layer of house rules.
    pub house: bool,
}

/// A place systems stand in.
#[derive(Clone, Debug)]
pub struct MountResult {
    /// `forward-ring`.
    pub id: Arc<str>,
    /// `forward ring`.
    pub label: Arc<str>,
    /// Tags.
    pub tags: Arc<[Arc<str>]>,
    /// Whether it applies to this design.
    pub applies: bool,
    /// Its fits, as places in `Evaluation::fits`.
    pub fits: Vec<usize>,
}

/// Systems of one kind in one place.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// Its place in the design's file, from 0: what [`crate::scene::Mark::fit`] holds.
    pub index: u32,
    /// `missile-launcher`.
    pub system: Arc<str>,
    /// `missile launcher`.
    pub name: Arc<str>,
    /// The letters its box shows: `M`. May be empty.
    pub abbr: Arc<str>,
    /// An icon's file in the templates folder, instead of letters.
    pub icon: Option<Arc<str>>,
    /// Box shape.
    pub shape: BoxShape,
    /// Mount id, as written (it may be unknown).
    pub mount: Arc<str>,
    /// How many.
    pub count: u32,
    /// Whether `mount` is a mount of the ruleset.
    pub placed: bool,
    /// Parameters and attributes by name, each of ONE of the count unless declared `per = "fit"`.
    pub answers: Vec<(Arc<str>, Value)>,
    /// The first number of its marks: `<system>_<mount>_<first>` and on; other fits of the same system in the same mount come before.
    pub first_mark: u32,
}

/// A system of the design's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomSystemResult {
    /// `doom`.
    pub id: Arc<str>,
    /// What a player calls it.
    pub name: Arc<str>,
    /// The ruleset's system that it is like: `laser`.
    pub like: Arc<str>,
    /// How many are aboard.
    pub count: i64,
    /// The numbers that it states itself, those that the rules bound and its points, by attribute: of one.
    pub numbers: Vec<(Arc<str>, i64)>,
}

impl CustomSystemResult {
    /// `doom ×3 (like laser, 0 mass, 0 points)`.
    pub fn summary(&self) -> String {
        let numbers: String =
            self.numbers.iter().map(|(id, number)| format!(", {number} {}", id.replace('_', " "))).collect();
        format!("{} ×{} (like {}{numbers})", self.name, self.count, self.like)
    }
}

/// Boxes in rows.
#[derive(Clone, Debug)]
pub struct TrackResult {
    /// `structure`; of a track for each something: `status_left-front`, `rounds_3` (fits count from 1).
    pub id: Arc<str>,
    /// The track's id in the ruleset.
    pub track: Arc<str>,
    /// A heading or line label; may be empty.
    pub label: Arc<str>,
    /// A small sign beside it (armour); may be empty.
    pub badge: Arc<str>,
    /// Boxes in each row, none of them 0.
    pub rows: Vec<u32>,
    /// Lengths of the lines that each row is set in, none of them 0, the last again for what is left; empty: as there is room.
    pub lines: Vec<u32>,
    /// Named labels at the end of each row, by name in the ruleset's order: `check` → one text a row.
    pub row_labels: Vec<(Arc<str>, Vec<Arc<str>>)>,
    /// What stands in the boxes: empty, or one record a box.
    pub cells: Vec<Value>,
    /// What its boxes are for.
    pub kind: BoxKind,
    /// Boxes that carry a sign, numbered from 1.
    pub marks: Vec<TrackMark>,
    /// How the boxes look.
    pub shape: BoxShape,
    /// A small template that draws each box.
    pub box_template: Option<Arc<str>>,
    /// Must be on the sheet.
    pub required: bool,
    /// Rests on a layer of house rules.
    pub house: bool,
    /// The mount it belongs to, for tracks for each mount.
    pub mount: Option<Arc<str>>,
    /// The fit it belongs to (place in `Evaluation::fits`), for tracks for each fit.
    pub fit: Option<usize>,
    /// The row it belongs to, from 0, for tracks for each row of a field or table.
    pub row: Option<usize>,
}

impl TrackResult {
    /// All its boxes.
    pub fn boxes(&self) -> u32 {
        self.rows.iter().sum()
    }

    /// The fit (a place in `Evaluation::fits`) that is shown where this track is: its boxes are hits on the fit or what it fires. What is
    /// only its state, or is cleared each turn, does not say whether the fit is destroyed.
    pub fn represented_fit(&self) -> Option<usize> {
        self.fit.filter(|_| self.boxes() > 0 && matches!(self.kind, BoxKind::Damage | BoxKind::Ammo))
    }

    /// Its rows in the lines it says: a row without a word on that is one line.
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

/// A line of a track's boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackLine {
    /// Of which of the track's rows, from 0.
    pub row: usize,
    /// How many boxes.
    pub boxes: u32,
    /// Whether the row begins here.
    pub starts_row: bool,
    /// Whether it ends here.
    pub ends_row: bool,
}

/// A sign in or after a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackMark {
    /// The box, from 1.
    pub at: u32,
    /// `dot`, `bar-after`, or an icon's file.
    pub icon: Arc<str>,
    /// What it means.
    pub label: Arc<str>,
}

/// A table as this ship sees it.
#[derive(Clone, Debug)]
pub struct TableResult {
    /// `missiles`.
    pub id: Arc<str>,
    /// A heading.
    pub label: Arc<str>,
    /// The columns, hidden ones left out.
    pub columns: Vec<ColumnResult>,
    /// The rows that concern this ship: one value a column.
    pub rows: Vec<Vec<Value>>,
    /// For a grid: the labels down its left side, one a row.
    pub row_labels: Vec<Arc<str>>,
    /// The numbers those rows stand for.
    pub row_numbers: Vec<i64>,
    /// Whether it is drawn as a grid of cells.
    pub grid: bool,
    /// Where its figures come from.
    pub provenance: Provenance,
    /// Rests on a layer of house rules.
    pub house: bool,
    /// A short note on it.
    pub note: Arc<str>,
}

/// A column.
#[derive(Clone, Debug)]
pub struct ColumnResult {
    /// `accel`.
    pub id: Arc<str>,
    /// `accel`, or the ruleset's label.
    pub label: Arc<str>,
    /// Its numbers are boxes to tick, for this.
    pub boxes: Option<BoxKind>,
    /// Numbers show their sign: `+4`.
    pub signed: bool,
}

/// Counters of one sort.
#[derive(Clone, Debug)]
pub struct CounterResult {
    /// `missile`.
    pub id: Arc<str>,
    /// What a player calls it.
    pub label: Arc<str>,
    /// The fit they come from (place in `Evaluation::fits`).
    pub fit: Option<usize>,
    /// The row they come from, from 0, for counters for each row of a field or table.
    pub row: Option<usize>,
    /// How many.
    pub count: u32,
    /// The first one's number; numbered series run over all ships of a job, so this is set anew for each job.
    pub first: Option<u32>,
    /// Which series numbers them: empty for none, else the counters of that id are numbered through the whole job.
    pub series: Option<Arc<str>>,
    /// Width and height in millimetres.
    pub size: (f32, f32),
    /// The template of its front.
    pub face: Arc<str>,
    /// The template of its back.
    pub back: Option<Arc<str>>,
    /// What its face may read beside the ship: the group's words (`warhead`) and the counter's data (`row`).
    pub data: Vec<(Arc<str>, Value)>,
}
