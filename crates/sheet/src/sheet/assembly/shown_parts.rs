//! Which parts of a ship the panels of its pages show so far, in the order in which the templates have them: nothing is
//! shown twice, and what no panel shows is found.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_rules::evaluate::{Evaluation, TrackResult};

/// Indices in the evaluation, and the logs of the pages before.
#[derive(Default)]
pub struct ShownParts {
    fits: BTreeSet<usize>,
    tracks: BTreeSet<usize>,
    tables: BTreeSet<usize>,
    /// Tables whose boxes are all shown.
    box_tables: BTreeSet<usize>,
    /// By their names, with the number of the last row of each.
    pub log_rows: Vec<(Arc<str>, u32)>,
}

impl ShownParts {
    /// Nothing, after pages with these logs.
    pub fn after(log_rows: Vec<(Arc<str>, u32)>) -> Self {
        Self { log_rows, ..Self::default() }
    }

    /// The number of the last row of logs with these names on the pages before; 0 without any.
    pub fn last_log_row(&self, names: &[Arc<str>]) -> u32 {
        self.log_rows.iter().filter(|(name, _)| names.contains(name)).map(|(_, last)| *last).max().unwrap_or(0)
    }

    /// Marks a fit as shown; `false` if it already was.
    pub fn add_fit(&mut self, fit: usize) -> bool {
        self.fits.insert(fit)
    }

    /// Marks a track as shown; `false` if it already was.
    pub fn add_track(&mut self, track: usize) -> bool {
        self.tracks.insert(track)
    }

    /// Marks tables as shown, and the boxes of fits in them if these columns (all if empty) have them and the rows are
    /// whole.
    pub fn add_tables(&mut self, ids: &[Arc<str>], columns: &[Arc<str>], is_whole: bool, evaluation: &Evaluation) {
        let has_boxes = |(.., column): &(usize, usize, &Arc<str>)| columns.is_empty() || columns.contains(*column);
        for table in ids.iter().filter_map(|id| evaluation.tables.iter().position(|table| table.id == *id)) {
            self.tables.insert(table);
            if is_whole && evaluation.fits_in_table(table).first().is_some_and(has_boxes) {
                self.box_tables.insert(table);
            }
        }
    }

    /// Tables that a layer added and no panel shows: all of them on a reference sheet, elsewhere those with a condition
    /// for ships.
    pub fn missing_layer_tables(&self, evaluation: &Evaluation, is_reference: bool) -> Vec<usize> {
        let wanted = |n: &usize| {
            let declared = evaluation.ruleset.tables.iter().find(|table| table.id == evaluation.tables[*n].id);
            !self.tables.contains(n)
                && declared.is_some_and(|table| table.is_new() && (is_reference || table.is_conditional()))
        };
        (0..evaluation.tables.len()).filter(wanted).collect()
    }

    /// Fits and tracks that no panel shows. A fit counts as shown where a track, or a table with boxes, of its hits or of its
    /// ammunition is.
    pub fn missing_boxes(&self, evaluation: &Evaluation) -> (Vec<usize>, Vec<usize>) {
        let shown = |n: &usize| evaluation.tracks.get(*n).and_then(TrackResult::represented_fit);
        let mut elsewhere: BTreeSet<usize> = self.tracks.iter().filter_map(shown).collect();
        for table in &self.box_tables {
            elsewhere.extend(evaluation.fits_in_table(*table).into_iter().map(|(fit, ..)| fit));
        }
        let is_shown = |n: &usize| self.fits.contains(n) || elsewhere.contains(n) && !has_ticked_boxes(evaluation, *n);
        let fits = (0..evaluation.fits.len()).filter(|n| !is_shown(n)).collect();
        let tracks = (0..evaluation.tracks.len()).filter(|n| !self.tracks.contains(n)).collect();
        (fits, tracks)
    }
}

/// Whether a fit has boxes of its own that are already ticked.
fn has_ticked_boxes(evaluation: &Evaluation, fit: usize) -> bool {
    let fit = &evaluation.fits[fit];
    let stem = format!("{}_{}", fit.system, fit.mount);
    let last = fit.first_mark.saturating_add(fit.count);
    evaluation.ship.damage.boxes(&stem).any(|n| (fit.first_mark..last).contains(&n))
}
