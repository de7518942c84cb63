//! A design under a ruleset: takes both, gives an [`Evaluation`]: values, costs, tracks, tables, counters, findings.
//! Never draws, never touches the disk, never keeps anything between two evaluations.

mod checks;
mod codes;
mod compare;
mod drawn;
mod effects;
mod effort;
mod evaluation;
mod explain;
mod fleet;
mod house;
mod inputs;
mod load;
mod margins;
mod marks;
mod mend;
mod notes;
mod own;
mod own_rules;
mod report;
mod run;
mod say;
mod state;
mod written;

pub use compare::{Change, Comparison, Line, Part, compare};
pub use effects::{Effect, effects};
pub use evaluation::*;
pub use explain::{Asked, Explained, codes, explain, explain_this};
pub use fleet::FleetFacts;
pub use margins::{Margin, MarginKind, Steps, margins};
pub use marks::{Boxes, Marks, marks};
pub use mend::{Mend, mend};
pub use notes::soften;
pub use report::{Report, report};
pub use run::{evaluate, evaluate_within};
pub use say::{Focus, It, number};
pub use written::written;
