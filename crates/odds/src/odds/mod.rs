//! Exact odds: takes attacks, the ships' numbers and a situation, gives the distribution of what the ship fired at loses. Every roll is counted, none is
//! sampled; only chains of dice that are rolled again, and states of less than 10^-16 in long loops, are cut off, and what they had is added up.

mod answer;
mod codes;
mod compare;
mod counted;
mod curve;
mod duel;
mod duel_apart;
mod encounter;
mod explain;
mod fight_cards;
mod figures;
mod host;
mod left_aside;
mod loops;
mod matrix;
mod matrix_text;
mod measure;
mod program;
mod report;
mod request;
mod rows;
mod run;
mod situation;
mod states;
mod table;
mod text;
mod turns;
mod verdict;
mod volley;
pub mod words;

#[cfg(test)]
mod tests;

pub use answer::{AttackOdds, Bearing, Odds, OddsCurve, OddsQuestion, OddsShip, OddsTurns, work_out};

pub use compare::{ComparisonRow, comparison_rows, comparison_text};
pub use curve::{MAX_AXIS, curve};

pub use duel::{Duel, DuelTurn, Duelist};
pub use duel_apart::duel;

pub use encounter::{Encounter, default_situation};
pub use explain::{explain_attack, explain_firing};

pub use fight_cards::{FightCards, MAX_CARD_CLASSES, fight_cards};
pub use figures::{Figures, figures, trade};
pub use host::{AttackHost, PrintedValues, SheetHost};

pub use loops::MAX_TURNS;
pub use matrix::{MAX_MATRIX, MatrixCell, OddsMatrix, matrix};
pub use matrix_text::matrix_text;
pub use measure::{Exchange, KnownFights, Measure, names_odds};
pub use program::Firing;
pub use report::{matrix_json, odds_json};

pub use request::OddsRequest;

pub use rows::{
    CURVE_COLUMNS, CurveRow, FIGURE_COLUMNS, MAX_ROWS, OddsRow, RowFigures, curve_rows, figure_rows, turn_rows,
};

pub use run::GaugeLimit;
pub use situation::{
    axis, axis_values, bearings, find_situation, read_best, read_situation, situation_words, value_word,
};

pub use table::{matrix_table, odds_table};
pub use text::{battle_lines, notes, odds_text, remarks};
pub use turns::{Turns, turns};
pub use verdict::{Verdict, verdict};
pub use volley::{Ask, Fight, GaugeOdds, OutcomeOdds, ShipGauges, StepMeans, Volley, limits, volley};
