//! Suggestions: takes a ruleset, a design and a question, gives the best change of the design's numbers within limits, and what is proved of
//! it. Answers are evaluated by the program itself; bounds come from the rules' own formulas over boxes of designs.

mod answer;
mod ask;
mod boxes;
mod breaks;
mod claims;
mod climb;
mod dice;
mod fix_all;
mod fixed;
mod legal;
mod lever;
mod limits;
mod odds_basis;
mod odds_goal;
mod question;
mod relax;
mod scorer;
mod search;
mod search_note;
mod spend;
mod terms;
#[cfg(test)]
mod tests;
mod wording;
mod worth;

pub use answer::{LeverChange, Suggestion};
pub use ask::{Answer, Proposal, Reply, ReplyNote, Request, SearchAnswer, ask, ask_odds, check_pins};
pub use breaks::{BreakPoint, break_points};
pub use claims::{bound_number, claim, grouped, impossible_goal, limits};

pub use dice::{OddsSearch, OddsTarget};

pub use fix_all::{FixStep, fix_all};
pub use legal::{LegalWay, LegalWays, make_legal};
pub use lever::{Lever, VaryWord, is_named_by, lever_menu};

pub use limits::{MAX_CHANGES, MAX_EFFORT};
pub use odds_basis::OddsBasis;
pub use odds_goal::OddsGoal;
pub use question::{Goal, Objective, Question, SearchSpace, Sense, Subject, WarningPolicy, compile};
pub use scorer::{Found, Score};
pub use search::{Proof, SearchResult, search};

pub use spend::{Purchase, Purchases, SpendLimit, cheaper, spend};
pub use terms::{Term, TermKind, number_of, term_label, terms};
pub use wording::{ObjectiveNumber, over_budget, points_change};
