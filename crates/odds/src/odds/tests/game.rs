//! Two sample ships of a game under its attack rules.

use std::sync::Arc;

use moldloft_base::source::Source;
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{Evaluation, evaluate};
use moldloft_rules::formula::{Host, Value, Weight};
use moldloft_rules::ruleset::{Attack, AttackRules, Ruleset};

use super::super::*;

pub struct TriedGame {
    pub ruleset: Arc<Ruleset>,
}

macro_rules! file {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path))
    };
}

impl TriedGame {
    /// One of the program's own.
    pub fn new(id: &str) -> Self {
        let rules = match id {
            "wars-of-honor" => file!("rulesets/wars-of-honor.toml"),
            "sky-full-of-ships" => file!("rulesets/sky-full-of-ships.toml"),
            "star-navy" => file!("rulesets/star-navy.toml"),
            "battleships-1890s" => file!("rulesets/battleships-1890s.toml"),
            _ => file!("rulesets/b5-house-rules.toml"),
        };
        Self::of(rules, "")
    }

    /// A ruleset and more attacks.
    pub fn of(rules: &str, attacks: &str) -> Self {
        let (ruleset, findings) = Ruleset::load(&Source::new("rules.toml", &format!("{rules}\n{attacks}")));
        assert!(findings.is_empty(), "{findings:?}");
        Self { ruleset: Arc::new(ruleset.unwrap()) }
    }

    pub fn ship(&self, design: &str) -> Evaluation {
        let design = Design::read(&Source::new("design.toml", design)).unwrap();
        evaluate(&self.ruleset, &design, &Ship::default())
    }

    /// Calls `with` with the fight of `own` against `target`. `chosen` are situations other than their defaults; `only` names attacks.
    pub fn with_fight<T>(
        &self,
        own: &Evaluation,
        target: &Evaluation,
        chosen: &[(String, Value)],
        only: Option<&[String]>,
        with: impl FnOnce(&Fight<'_>, &dyn Host, &dyn Host) -> T,
    ) -> T {
        let rules = &self.ruleset.attack_rules;
        let mut situation = default_situation(rules);
        for (rule, value) in rules.situations.iter().zip(&mut situation) {
            if let Some((_, chosen)) = chosen.iter().find(|(id, _)| **id == *rule.id) {
                value.clone_from(chosen);
            }
        }
        let is_wanted = |attack: &Attack| only.is_none_or(|only| only.iter().any(|id| **id == *attack.id));
        let encounter = Encounter { own, target, situation: &situation, fights: 1, progress: None };
        encounter.with_fight(&is_wanted, with).unwrap_or_else(|error| panic!("{error:?}"))
    }

    pub fn volley<W: Weight>(
        &self,
        own: &Evaluation,
        target: &Evaluation,
        chosen: &[(String, Value)],
        only: Option<&[String]>,
    ) -> (Volley<W>, AttackRules) {
        self.with_fight(own, target, chosen, only, |fight, _, _| (volley(fight, &Ask::ALL), fight.rules.clone()))
    }
}
