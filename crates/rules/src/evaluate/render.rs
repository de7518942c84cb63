//! Evaluates texts and formulas of templates from an evaluation, makes blank evaluations, and numbers counters over a
//! job. Changes no result but the counters' first numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::formula::{Formula, Host, TextTemplate, Value};
use crate::ruleset::{LocalVar, Ruleset, SheetDef, SheetKind};
use moldloft_base::source::Source;

use super::Evaluation;
use super::state::{ItTarget, StateView};
use super::work_budget::WorkBudget;

/// Context of a template's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotScope {
    pub it: ResultRef,
    /// `page` and `pages`.
    pub page: Option<(i64, i64)>,
    /// `row` and `column` of a log.
    pub cell: Option<(i64, i64)>,
    /// `across` and `down` of a grid.
    pub square: Option<(i64, i64)>,
    pub number: Option<u32>,
}

/// The value of `it`: an index in one of the evaluation's lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultRef {
    #[default]
    Nothing,
    /// In `Evaluation::mounts`.
    Mount(usize),
    /// In `Evaluation::fits`.
    Fit(usize),
    /// A row of a table in `Evaluation::tables`, as shown.
    Row { table: usize, row: usize },
    /// In [`Evaluation::counters`].
    Counter(usize),
    /// In `Evaluation::tracks`.
    Track(usize),
    Box {
        track: usize,
        /// From 0.
        n: usize,
    },
}

impl Evaluation {
    /// A text with its values put in; `None` when something in it is not computable: a field to write in.
    pub fn render(&self, text: &TextTemplate, focus: &SlotScope) -> Option<String> {
        match &self.ruleset.words {
            Some(_) => self.with_view(focus, |view| self.text_for(text, view)),
            None => self.render_code(text, focus),
        }
    }

    /// As [`Evaluation::render`] for a host of its own.
    pub(super) fn text_for(&self, text: &TextTemplate, host: &dyn Host) -> Option<String> {
        let text = match &self.ruleset.words {
            Some(words) => text.eval_in(words, &|text| self.is_own(text), host),
            None => text.eval(host),
        };
        text.ok().flatten()
    }

    /// As [`Evaluation::render`] in no language: what a program reads, such as a file, an arc, a number.
    pub fn render_code(&self, text: &TextTemplate, focus: &SlotScope) -> Option<String> {
        if let Some(literal) = text.is_literal() {
            return Some(literal.to_owned());
        }
        self.with_view(focus, |view| text.eval(view).ok().flatten())
    }

    /// A text of the program or the rules in the language that results are shown in.
    pub fn say(&self, text: &str) -> String {
        self.ruleset.say(text)
    }

    /// [`Value::Null`] when not computable.
    pub fn eval(&self, formula: &Formula, focus: &SlotScope) -> Value {
        self.with_view(focus, |view| formula.eval(view).unwrap_or(Value::Null))
    }

    /// Calls `ask` with a host that answers the names of this ship.
    pub fn with_view<T>(&self, focus: &SlotScope, ask: impl FnOnce(&dyn Host) -> T) -> T {
        let effort = WorkBudget::for_text();
        let state = &self.state;
        let mut view = StateView::new(&self.ruleset, state, &self.ship, ItTarget::Nothing, &effort);
        let group: Vec<Value>;
        match focus.it {
            ResultRef::Nothing => {}
            ResultRef::Mount(n) if n < self.ruleset.mounts.len() => view.target = ItTarget::Mount(n),
            ResultRef::Fit(n) if n < state.fits.len() => view.target = ItTarget::Fit(n),
            ResultRef::Row { table, row } => {
                view.target = state.table_targets.get(table).and_then(|rows| rows.get(row)).copied().unwrap_or_default()
            }
            ResultRef::Counter(n) => {
                view.target = state.counter_targets.get(n).copied().unwrap_or_default();
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
            ResultRef::Track(n) => view.track = self.tracks.get(n),
            ResultRef::Box { track, n } => {
                view.track = self.tracks.get(track);
                if let Some(Value::Record(cell)) = view.track.and_then(|track| track.cells.get(n)) {
                    view.data = &cell.entries;
                }
                if let Some(track) = view.track {
                    view.set_local(LocalVar::Box, n as i64 + 1);
                    view.set_local(LocalVar::Boxes, i64::from(track.boxes()));
                }
            }
            ResultRef::Mount(_) | ResultRef::Fit(_) => {}
        }
        if let Some((page, pages)) = focus.page {
            view.set_local(LocalVar::Page, page);
            view.set_local(LocalVar::Pages, pages);
        }
        if let Some((row, column)) = focus.cell {
            view.set_local(LocalVar::Row, row);
            view.set_local(LocalVar::Column, column);
        }
        if let Some((across, down)) = focus.square {
            view.set_local(LocalVar::Across, across);
            view.set_local(LocalVar::Down, down);
        }
        if let Some(number) = focus.number {
            view.set_local(LocalVar::Number, i64::from(number));
        }
        ask(&view)
    }

    /// The design's sheet: the chosen one, else the first with a `when` that holds.
    pub fn sheet(&self) -> Option<&SheetDef> {
        if let Some(sheet) = self.state.sheet {
            return self.ruleset.sheets.get(sheet);
        }
        let chosen = self.wanted_sheet.as_ref();
        chosen.and_then(|id| self.sheets().find(|sheet| sheet.id == *id)).or_else(|| self.sheets().next())
    }

    /// Work of the evaluation, in plain formulas and cells of lists.
    pub fn work(&self) -> u64 {
        self.state.work
    }

    /// Whether formulas were skipped because the total work was too much; a finding `too-much-work` names the first.
    pub fn is_cut_short(&self) -> bool {
        self.state.cut_short
    }

    /// All sheets with a `when` that holds, the ruleset's choice first.
    pub fn sheets(&self) -> impl Iterator<Item = &SheetDef> {
        self.sheets_of_kind(SheetKind::Design)
    }

    /// The backs of its card with a `when` that holds; on an empty sheet all, since nothing is known.
    pub fn backs(&self) -> impl Iterator<Item = &SheetDef> {
        self.sheets_of_kind(SheetKind::Back)
    }

    /// The sheets for what it has loaded with a `when` that holds.
    pub fn load_sheets(&self) -> impl Iterator<Item = &SheetDef> {
        self.sheets_of_kind(SheetKind::Load)
    }

    /// Whether its orders are written in the fleet's order log, if its ruleset says for which designs that is.
    pub fn has_orders_in_log(&self) -> Option<bool> {
        let is_told = |sheet: &SheetDef| sheet.kind == SheetKind::Log && sheet.when.is_some();
        self.ruleset.sheets.iter().any(is_told).then(|| self.sheets_of_kind(SheetKind::Log).next().is_some())
    }

    fn sheets_of_kind(&self, kind: SheetKind) -> impl Iterator<Item = &SheetDef> {
        let is_empty = self.state.sheet.is_some();
        let holds = move |sheet: &&SheetDef| {
            sheet.when.as_ref().is_none_or(|when| match self.with_view(&SlotScope::default(), |view| when.flag(view)) {
                Ok(Some(holds)) => holds,
                _ => is_empty && kind == SheetKind::Back,
            })
        };
        self.ruleset.sheets.iter().filter(move |sheet| sheet.kind == kind).filter(holds)
    }

    /// No ship at all: every value null, nothing fitted, for an empty sheet of this id and for reference sheets (whose tables
    /// then hold all their rows and columns). `None` when the ruleset has no such sheet.
    pub fn blank(ruleset: &Arc<Ruleset>, sheet: &str) -> Option<Evaluation> {
        let sheet = ruleset.sheets.iter().position(|known| *known.id == *sheet)?;
        let design = Design::empty(Source::new("", ""));
        Some(super::run::evaluate_blank(ruleset, &design, &Ship::default(), Some(sheet)))
    }
}

/// Numbers the counters of a job's ships together. A ship of a fleet that is printed alone keeps its numbers.
pub fn number_job(ships: &mut [Evaluation]) {
    if !matches!(ships, [alone] if !alone.ship.unit.is_empty()) {
        number_counters(ships);
    }
}

/// Numbers counters in order over all ships of a job; copies repeat a ship's numbers.
pub fn number_counters<'a>(ships: impl IntoIterator<Item = &'a mut Evaluation>) {
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
