//! What the answer to a question about odds rests on: the target, what the table decides, what is assumed and what is not counted.

use std::sync::Arc;

use crate::odds::{OddsQuestion, words, work_out};

use super::ask::SearchAnswer;
use super::dice::OddsTarget;
use super::question::Subject;

#[derive(Clone, Debug)]
pub struct OddsBasis {
    /// File and name.
    pub target: (Arc<str>, Arc<str>),
    /// `range 10 MU`; empty where the rules ask for nothing.
    pub situation: String,
    pub assumed: Vec<Arc<str>>,
    pub not_counted: Vec<Arc<str>>,
}

impl OddsBasis {
    /// Of the best design, or of the design as it is where there is no answer.
    pub fn new(subject: &Subject, answer: &SearchAnswer<'_>, opponent: &OddsTarget) -> Self {
        let own = answer.suggestion.as_ref().map_or(&subject.evaluation, |best| &best.after);
        let asked = OddsQuestion { situation: opponent.situation.clone(), ..OddsQuestion::default() };
        let odds = work_out(own, &opponent.target, &asked);
        Self {
            target: (opponent.target.file.clone(), opponent.target.name.clone()),
            situation: words::situation_line(&subject.rules.attack_rules, &opponent.situation),
            assumed: odds.assumed,
            not_counted: odds.not_counted,
        }
    }

    /// `odds: against Vigilant, range 10 MU`, `assumed: …`, `not counted: …`
    pub fn lines(&self) -> Vec<String> {
        let against = words::ship_title(&self.target.1);
        let comma = if self.situation.is_empty() { "" } else { ", " };
        let mut lines = vec![format!("odds: against {against}{comma}{}", self.situation)];
        for (what, notes) in [("assumed", &self.assumed), ("not counted", &self.not_counted)] {
            if !notes.is_empty() {
                lines.push(format!("{what}: {}", notes.join("; ")));
            }
        }
        lines
    }
}
