//! A design under a ruleset: takes both, gives an [`Evaluation`]: values, costs, tracks, tables, counters, findings.
//! Never draws, never touches the disk, never keeps anything between two evaluations.

mod evaluation;

pub use evaluation::*;
