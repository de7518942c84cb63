//! Suggestions: takes a ruleset, a design and a question, gives the best change of the design's numbers within limits, and what is proved of
//! it. Answers are judged by the program itself; bounds come from the rules' own formulas over boxes of designs.

mod boxes;
mod climb;
mod judge;
mod lever;
mod limits;
mod question;
mod relax;
mod search;
#[cfg(test)]
mod tests;

pub use judge::{Found, Score};
pub use lever::{Lever, VaryWord};
pub use limits::{BOXES, MAX_EFFORT, MAX_LEVERS};
pub use question::{Goal, Question, SearchSpace, Sense, Subject, WarningPolicy, compile};
pub use search::{Proof, SearchResult, search, try_all};
