//! Texts and formulas of templates, answered from an evaluation; empty evaluations for pencil sheets; the numbering of counters
//! over a job. Takes what a template's place shows, gives text or a value; changes no result but counters' first numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::formula::{Formula, Host, Text, Value};
use crate::ruleset::{Local, Ruleset, Sheet, SheetKind};
use crate::source::Source;

use super::Evaluation;
use super::effort::Effort;
use super::state::{Of, View};

/// What stands around a text of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// What `it` is.
    pub it: It,
    /// `page` and `pages`.
    pub page: Option<(i64, i64)>,
    /// `row` and `column` of a log.
    pub cell: Option<(i64, i64)>,
    /// `across` and `down` of a grid.
    pub square: Option<(i64, i64)>,
    /// A counter's number.
    pub number: Option<u32>,
}

/// What `it` is: a place in one of the Evaluation's lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum It {
    /// Nothing.
    #[default]
    Nothing,
    /// In `Evaluation::mounts`.
    Mount(usize),
    /// In `Evaluation::fits`.
    Fit(usize),
    /// A shown row of a table in `Evaluation::tables`.
    Row {
        /// The table.
        table: usize,
        /// The row as shown.
        row: usize,
    },
    /// In [`Evaluation::counters`].
    Counter(usize),
    /// In `Evaluation::tracks`.
    Track(usize),
    /// A box of one of them, on its face.
    Box {
        /// The track.
        track: usize,
        /// The box, from 0.
        n: usize,
    },
}

impl Evaluation {
    /// A text with its values put in; `None` when something in it is not computable: a field to write in.
    pub fn say(&self, text: &Text, focus: &Focus) -> Option<String> {
        if let Some(literal) = text.is_literal() {
            return Some(literal.to_owned());
        }
        self.with(focus, |view| text.eval(view).ok().flatten())
    }

    /// A formula's value; [`Value::Null`] when not computable.
    pub fn answer(&self, formula: &Formula, focus: &Focus) -> Value {
        self.with(focus, |view| formula.eval(view).unwrap_or(Value::Null))
    }

    fn with<T>(&self, focus: &Focus, ask: impl FnOnce(&dyn Host) -> T) -> T {
        let effort = Effort::text();
        let state = &self.state;
        let mut view = View::new(&self.ruleset, state, &self.ship, Of::Nothing, &effort);
        let group: Vec<Value>;
        match focus.it {
            It::Nothing => {}
            It::Mount(n) if n < self.ruleset.mounts.len() => view.of = Of::Mount(n),
            It::Fit(n) if n < state.fits.len() => view.of = Of::Fit(n),
            It::Row { table, row } => {
                view.of = state.tables.get(table).and_then(|rows| rows.get(row)).copied().unwrap_or_default()
            }
            It::Counter(n) => {
                view.of = state.counters.get(n).copied().unwrap_or_default();
                if let Some(counter) = self.counters.get(n) {
                    let words = self
                        .ruleset
                        .counters
                        .iter()
                        .find(|rule| rule.id == counter.id)
                        .map_or(0, |rule| rule.words.len());
                    let words = words.min(counter.data.len());
                    group = counter.data[..words].iter().map(|(_, value)| value.clone()).collect();
                    view.group = &group;
                    view.data = &counter.data[words..];
                }
            }
            It::Track(n) => view.track = self.tracks.get(n),
            It::Box { track, n } => {
                view.track = self.tracks.get(track);
                if let Some(Value::Record(cell)) = view.track.and_then(|track| track.cells.get(n)) {
                    view.data = &cell.entries;
                }
                if let Some(track) = view.track {
                    view.set(Local::Box, n as i64 + 1);
                    view.set(Local::Boxes, i64::from(track.boxes()));
                }
            }
            It::Mount(_) | It::Fit(_) => {}
        }
        if let Some((page, pages)) = focus.page {
            view.set(Local::Page, page);
            view.set(Local::Pages, pages);
        }
        if let Some((row, column)) = focus.cell {
            view.set(Local::Row, row);
            view.set(Local::Column, column);
        }
        if let Some((across, down)) = focus.square {
            view.set(Local::Across, across);
            view.set(Local::Down, down);
        }
        if let Some(number) = focus.number {
            view.set(Local::Number, i64::from(number));
        }
        ask(&view)
    }

    /// The sheet that this design prints on: the one chosen, else the first whose `when` holds.
    pub fn sheet(&self) -> Option<&Sheet> {
        if let Some(sheet) = self.state.sheet {
            return self.ruleset.sheets.get(sheet);
        }
        let chosen = self.wanted_sheet.as_ref();
        chosen.and_then(|id| self.sheets().find(|sheet| sheet.id == *id)).or_else(|| self.sheets().next())
    }

    /// How much work it took to make it: as many plain formulas, and cells of lists.
    pub fn work(&self) -> u64 {
        self.state.work
    }

    /// Whether formulas were left out because all of them together take too much work: a finding `too-much-work` names the first.
    pub fn is_cut_short(&self) -> bool {
        self.state.cut_short
    }

    /// Every sheet that this design can be printed on: those whose `when` holds, the ruleset's choice first.
    pub fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        let holds = |sheet: &&Sheet| {
            sheet
                .when
                .as_ref()
                .is_none_or(|when| self.with(&Focus::default(), |view| when.flag(view) == Ok(Some(true))))
        };
        self.ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Design).filter(holds)
    }

    /// No ship at all: every value null, nothing fitted, for an empty sheet of this id and for reference sheets (whose tables
    /// then hold all their rows and columns). `None` when the ruleset has no such sheet.
    pub fn blank(ruleset: &Arc<Ruleset>, sheet: &str) -> Option<Evaluation> {
        let sheet = ruleset.sheets.iter().position(|known| *known.id == *sheet)?;
        let design = Design::empty(Source::new("", ""));
        Some(super::run::blank(ruleset, &design, &Ship::default(), Some(sheet)))
    }
}

/// Numbers the counters of a job's ships: one series runs over all of them in order; copies repeat a ship's numbers.
pub fn number<'a>(ships: impl IntoIterator<Item = &'a mut Evaluation>) {
    let mut next: BTreeMap<(Arc<str>, Arc<str>), u32> = BTreeMap::new();
    for ship in ships {
        let ruleset = ship.ruleset.clone();
        for counter in &mut ship.counters {
            let Some(series) = &counter.series else { continue };
            let first =
                ruleset.counters.iter().find(|rule| rule.id == counter.id).and_then(|rule| rule.first).unwrap_or(1);
            let number =
                next.entry((ruleset.id.clone(), series.clone())).or_insert_with(|| u32::try_from(first).unwrap_or(1));
            counter.first = Some(*number);
            *number = number.saturating_add(counter.count);
        }
    }
}
