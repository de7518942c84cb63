//! Exact odds: takes attacks, the ships' numbers and a situation, gives the distribution of what the ship fired at loses. Every roll is counted, none is
//! sampled; only chains of dice that are rolled again, and states of less than 10^-16 in long loops, are cut off, and what they had is added up.

mod codes;
mod curve;
mod duel;
mod encounter;
mod figures;
mod host;
mod loops;
mod program;
mod run;
mod states;
mod turns;
mod volley;

#[cfg(test)]
mod tests;

pub use curve::{MAX_AXIS, curve};
pub use duel::{Duel, DuelTurn, Duelist, MAX_DUEL_MULTIPLICATIONS, duel};
pub use encounter::{Encounter, MAX_FIRINGS, default_situation};
pub use figures::{Figures, figures, share_lost, trade};
pub use host::AttackHost;
pub use loops::{MAX_SUCCESSORS, MAX_TURNS};
pub use program::Firing;
pub use run::{GaugeLimit, MAX_STATE_LIST, MAX_STATES};
pub use turns::{Turns, turns};
pub use volley::{Ask, Fight, GaugeOdds, OutcomeOdds, ShipGauges, StepMeans, Volley, limits, volley};
