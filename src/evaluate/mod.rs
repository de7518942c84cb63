//! A design under a ruleset: takes both, gives an [`Evaluation`]: values, costs, tracks, tables, counters, findings.
//! Never draws, never touches the disk, never keeps anything between two evaluations.

mod evaluation;
mod explain;
mod report;
mod run;
mod say;

pub use evaluation::*;
pub use explain::{Explained, codes, explain};
pub use report::report;
pub use run::evaluate;
pub use say::{Focus, It, number};
