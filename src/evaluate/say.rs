//! Texts and formulas of templates, answered from an evaluation.
use std::sync::Arc;

use crate::formula::{Formula, Text, Value};
use crate::ruleset::{Ruleset, Sheet};

use super::Evaluation;

/// What stands around a text of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// What `it` is.
    pub it: It,
    /// `page` and `pages`.
    pub page: Option<(i64, i64)>,
    /// `row` and `column` of a log.
    pub cell: Option<(i64, i64)>,
    /// A counter's number.
    pub number: Option<u32>,
}

/// What `it` is: a place in one of the Evaluation's lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum It {
    /// Nothing.
    #[default]
    Nothing,
    /// In [`Evaluation::mounts`].
    Mount(usize),
    /// In [`Evaluation::fits`].
    Fit(usize),
    /// A shown row of a table in [`Evaluation::tables`].
    Row {
        /// The table.
        table: usize,
        /// The row as shown.
        row: usize,
    },
    /// In [`Evaluation::counters`].
    Counter(usize),
    /// In [`Evaluation::tracks`].
    Track(usize),
}

impl Evaluation {
    /// A text with its values put in; `None` when something in it is not computable: a field to write in.
    pub fn say(&self, text: &Text, focus: &Focus) -> Option<String> {
        let _ = (text, focus);
        todo!()
    }

    /// A formula's value; [`Value::Null`] when not computable.
    pub fn answer(&self, formula: &Formula, focus: &Focus) -> Value {
        let _ = (formula, focus);
        todo!()
    }

    /// The sheet that this design prints on.
    pub fn sheet(&self) -> Option<&Sheet> {
        todo!()
    }

    /// No ship at all: every value null, nothing fitted, for an empty sheet of this id and for reference sheets (whose tables
    /// then hold all their rows). `None` when the ruleset has no such sheet.
    pub fn blank(ruleset: &Arc<Ruleset>, sheet: &str) -> Option<Evaluation> {
        let _ = (ruleset, sheet);
        todo!()
    }
}

/// Numbers the counters of a job's ships: one series runs over all of them in order; copies repeat a ship's numbers.
pub fn number(ships: &mut [Evaluation]) {
    let _ = ships;
    todo!()
}
