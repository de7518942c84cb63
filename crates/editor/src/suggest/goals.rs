//! Goals and pins of a design, kept by the editor: neither is part of the design's file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Doc;
use moldloft_odds::odds::names_odds;
use moldloft_odds::suggest::number_of;
use moldloft_rules::evaluate::Evaluation;

/// Most designs whose goals are remembered.
const MAX_KEPT: usize = 100;
/// Most goals and pins of one design.
pub const MAX_GOALS: usize = 12;
const MAX_PINS: usize = 64;

/// What a design is to reach, what is not to change, and whom it is to fight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DesignGoals {
    pub goals: Vec<GoalLine>,
    /// Words of levers: a field, `system@mount`, `system.parameter@mount`.
    pub pins: BTreeSet<String>,
    /// The file of the opponent in the headline; empty for a sister ship.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalLine {
    /// A formula of a menu: `points`, `thrust`, `count('laser')`.
    pub what: String,
    pub relation: Relation,
    pub number: i64,
    /// Added to the number: a mean of odds is seldom whole. From 0 to 99; always 0 for numbers of the design alone.
    #[serde(skip_serializing_if = "is_zero")]
    #[serde(default)]
    pub hundredths: u8,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(hundredths: &u8) -> bool {
    *hundredths == 0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    AtLeast,
    AtMost,
    Exactly,
}

impl Relation {
    pub const ALL: [Self; 3] = [Self::AtMost, Self::AtLeast, Self::Exactly];

    /// `≤`, `≥`, `=`.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::AtLeast => "≥",
            Self::AtMost => "≤",
            Self::Exactly => "=",
        }
    }

    pub const fn words(self) -> &'static str {
        match self {
            Self::AtLeast => "at least",
            Self::AtMost => "at most",
            Self::Exactly => "exactly",
        }
    }

    const fn in_formula(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Exactly => "==",
        }
    }
}

/// How far a design is from a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalState {
    /// Its number is not known.
    Unknown,
    Met {
        /// How much more, or less, it could be.
        left: i64,
    },
    Missed {
        by: i64,
    },
}

impl GoalLine {
    /// `points <= 1750`, `odds.all >= 7.5`
    pub fn condition(&self) -> String {
        format!("{} {} {}", self.what, self.relation.in_formula(), self.number_text())
    }

    /// `1750`, `7.5`
    pub fn number_text(&self) -> String {
        match self.hundredths.min(99) {
            0 => self.number.to_string(),
            tenths if tenths % 10 == 0 => format!("{}.{}", self.number, tenths / 10),
            hundredths => format!("{}.{hundredths:02}", self.number),
        }
    }

    /// In hundredths, what is less than 0 as 0.
    #[expect(clippy::cast_possible_truncation, reason = "a cast of what is larger saturates")]
    pub fn set_figure(&mut self, figure: f64) {
        let hundredths = (figure.max(0.0) * 100.0).round() as i64;
        self.number = hundredths / 100;
        self.hundredths = u8::try_from(hundredths % 100).unwrap_or(0);
    }

    /// Whether it is about a figure of odds, which is no number of the design alone.
    pub fn is_about_odds(&self) -> bool {
        names_odds(&self.what)
    }

    pub fn state(&self, evaluation: &Evaluation) -> GoalState {
        let Some(now) = number_of(evaluation, &self.what) else { return GoalState::Unknown };
        let left = match self.relation {
            Relation::AtLeast => now.saturating_sub(self.number),
            Relation::AtMost => self.number.saturating_sub(now),
            Relation::Exactly => -now.saturating_sub(self.number).saturating_abs(),
        };
        if left < 0 { GoalState::Missed { by: left.saturating_neg() } } else { GoalState::Met { left } }
    }
}

impl DesignGoals {
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty() && self.pins.is_empty() && self.rival.is_none()
    }

    fn clamp(&mut self) {
        self.goals.truncate(MAX_GOALS);
        while self.pins.len() > MAX_PINS {
            self.pins.pop_last();
        }
    }
}

/// Goals of all designs that have some, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeptGoals(Vec<KeptDesign>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptDesign {
    /// As [`goals_key`] gives it.
    design: String,
    #[serde(flatten)]
    goals: DesignGoals,
}

impl KeptGoals {
    pub fn find(&self, key: &str) -> Option<&DesignGoals> {
        self.0.iter().find(|kept| kept.design == key).map(|kept| &kept.goals)
    }

    /// Goals of a design that has none any more are forgotten.
    pub fn keep(&mut self, key: &str, goals: &DesignGoals) {
        if self.find(key).is_some_and(|kept| kept == goals) {
            return;
        }
        self.forget(key);
        if !goals.is_empty() {
            let mut goals = goals.clone();
            goals.clamp();
            self.0.insert(0, KeptDesign { design: key.to_owned(), goals });
            self.0.truncate(MAX_KEPT);
        }
    }

    pub fn forget(&mut self, key: &str) {
        self.0.retain(|kept| kept.design != key);
    }

    /// Of a settings file that anyone may have written.
    pub fn clamp(&mut self) {
        self.0.truncate(MAX_KEPT);
        self.0.iter_mut().for_each(|kept| kept.goals.clamp());
    }
}

/// How the goals of a design are found again: by its file, or by its name while it has none.
pub fn goals_key(doc: &Doc) -> String {
    match &doc.file {
        Some(file) if file.built_in => format!("built-in {}", file.path.display()),
        Some(file) => file.path.display().to_string(),
        None => format!("{UNSAVED}{} {}", doc.ruleset_id().map_or("", |id| id), doc.name()),
    }
}

const UNSAVED: &str = "not saved: ";

pub fn is_unsaved_key(key: &str) -> bool {
    key.starts_with(UNSAVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(number: i64) -> DesignGoals {
        let goal = GoalLine { what: "points".into(), relation: Relation::AtMost, number, hundredths: 0 };
        DesignGoals { goals: vec![goal], pins: BTreeSet::from(["mass".to_owned()]), rival: None }
    }

    #[test]
    fn goals_are_kept_by_design_and_forgotten_when_there_are_none() {
        let mut kept = KeptGoals::default();
        kept.keep("a", &some(1));
        kept.keep("b", &some(2));
        kept.keep("a", &some(3));
        assert_eq!(kept.find("a"), Some(&some(3)));
        let text = serde_json::to_string(&kept).unwrap();
        assert_eq!(serde_json::from_str::<KeptGoals>(&text).unwrap(), kept, "{text}");
        kept.keep("a", &DesignGoals::default());
        assert_eq!((kept.find("a"), kept.find("b")), (None, Some(&some(2))));
        for n in 0..300 {
            kept.keep(&n.to_string(), &some(n));
        }
        assert_eq!(kept.0.len(), MAX_KEPT);
        assert!(kept.find("299").is_some() && kept.find("b").is_none());
    }

    #[test]
    fn a_condition_is_a_formula() {
        assert_eq!(some(1750).goals[0].condition(), "points <= 1750");
        let goal =
            |what: &str, relation, number, hundredths| GoalLine { what: what.into(), relation, number, hundredths };
        assert_eq!(goal("count('laser')", Relation::Exactly, 2, 0).condition(), "count('laser') == 2");
        assert_eq!(goal("odds.all", Relation::AtLeast, 7, 50).condition(), "odds.all >= 7.5");
        assert_eq!(goal("odds.all", Relation::AtMost, 0, 5).condition(), "odds.all <= 0.05");
        let text = serde_json::to_string(&goal("odds.all", Relation::AtLeast, 7, 25)).unwrap();
        assert_eq!(serde_json::from_str::<GoalLine>(&text).unwrap().number_text(), "7.25");
        let older = r#"{"what":"points","relation":"at-most","number":3}"#;
        assert_eq!(serde_json::from_str::<GoalLine>(older).unwrap().number_text(), "3");
    }
}
