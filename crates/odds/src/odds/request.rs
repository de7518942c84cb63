//! What a player asks of ships, in words: takes `range=20` and the like, from a command line or a window, gives the question to ships of certain rules.

use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize;
use moldloft_rules::ruleset::AttackRules;

use super::answer::OddsQuestion;
use super::situation::{axis, axis_values, near_or_known, read_best, read_over, read_situation};

/// Turns of a duel for which no number is given.
pub const DUEL_TURNS: u32 = 40;
/// Most characters of a word in a message.
const MAX_WORD: usize = 40;

/// What is asked of two ships, in a player's words. By default: one exchange of fire in the default situation, all attacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OddsRequest {
    /// What the table decides, each `NAME=VALUE`, such as `range=20`; the others have their defaults.
    pub situation: Vec<String>,
    /// `NAME` or `NAME=A..B`, or the axis if empty; `None`: the axis, if the rules have one.
    pub over: Option<String>,
    /// Ids of the only attacks that count; all if empty.
    pub attacks: Vec<String>,
    /// Curves of single attacks too, for a chart.
    pub parts: bool,
    /// Turns of fire, from 1 to 200; `None`: one exchange, and [`DUEL_TURNS`] for a duel.
    pub turns: Option<u32>,
    /// Whether both ships fire until one is destroyed.
    pub has_duel: bool,
    /// A situation that each firing ship of a matrix chooses; the first with options if empty.
    pub best: Option<String>,
}

moldloft_base::setters! {
    OddsRequest {
        situation: Vec<String>,
        over: Option<String>,
        attacks: Vec<String>,
        parts: bool,
        turns: Option<u32>,
        has_duel: bool,
        best: Option<String>,
    }
}

impl OddsRequest {
    /// What this asks of ships of these rules.
    ///
    /// # Errors
    /// Those of [`read_situation`], [`read_over`] and [`read_best`]; `unknown-attack`.
    pub fn question(&self, rules: &AttackRules) -> Result<OddsQuestion, Finding> {
        let over = match &self.over {
            Some(word) => Some(read_over(rules, word)?),
            None => axis(rules).and_then(|axis| Some((axis, axis_values(rules.situations.get(axis)?)))),
        };
        Ok(OddsQuestion {
            best: self.best.as_ref().map(|word| read_best(rules, word)).transpose()?,
            situation: read_situation(rules, &self.situation)?,
            only: find_attacks(rules, &self.attacks)?,
            over,
            parts: self.parts,
            turns: self.turns.unwrap_or(0),
            duel: if self.has_duel { self.turns.unwrap_or(DUEL_TURNS) } else { 0 },
            ..OddsQuestion::default()
        })
    }
}

fn find_attacks(rules: &AttackRules, ids: &[String]) -> Result<Vec<Arc<str>>, Finding> {
    let find = |id: &String| {
        let attack = rules.attacks.iter().find(|attack| *attack.id == **id);
        attack.map(|attack| attack.id.clone()).ok_or_else(|| {
            let help = near_or_known(id, rules.attacks.iter().map(|attack| &*attack.id));
            Finding::error("unknown-attack", format!("unknown attack `{}`", sanitize::shorten(id, MAX_WORD))).help(help)
        })
    };
    ids.iter().map(find).collect()
}
