//! What a changed design does in a fight: takes the design as it is for the opponent, gives what each deals and takes, the mean over the bearings of
//! its weapons.

use crate::evaluate::Evaluation;
use crate::formula::{MAX_MULTIPLICATIONS, Value};
use crate::odds::words::{figure, situation_line};
use crate::odds::{Exchange, default_situation};
use crate::ruleset::{AttackRules, SituationKind};

use super::odds_goal::steps;

/// Most bearings that are tried.
const MAX_BEARINGS: usize = 6;
/// Work of one exchange, in multiplications.
const WORK: u64 = MAX_MULTIPLICATIONS / 40;

/// Two equal ships that fire at one another.
#[derive(Clone, Debug)]
pub struct Duelling {
    /// The design as it is.
    opponent: Evaluation,
    situations: Vec<Vec<Value>>,
    before: Worth,
}

/// The mean over the bearings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    pub dealt: f64,
    pub taken: f64,
    /// Points destroyed for each point lost, at equal points.
    pub trade: Option<f64>,
}

impl Duelling {
    /// `None` where the rules have no odds that can be worked out.
    pub fn new(design: &Evaluation) -> Option<Self> {
        let rules = &design.ruleset.attack_rules;
        Exchange::gauge(rules)?;
        let zero = Worth { dealt: 0.0, taken: 0.0, trade: None };
        let mut duelling = Self { opponent: design.clone(), situations: bearings(rules), before: zero };
        duelling.before = duelling.worth(design)?;
        Some(duelling)
    }

    /// What a changed design does. `None` where a bearing cannot be worked out.
    pub fn worth(&self, design: &Evaluation) -> Option<Worth> {
        let each = self
            .situations
            .iter()
            .map(|situation| Exchange::work_out(design, &self.opponent, situation, WORK, self.situations.len()));
        let each = each.collect::<Option<Vec<Exchange>>>()?;
        let mean = |of: &dyn Fn(&Exchange) -> f64| each.iter().map(of).sum::<f64>() / each.len().max(1) as f64;
        let trades: Vec<f64> = each.iter().filter_map(|one| one.trade).collect();
        let trade = (!trades.is_empty()).then(|| trades.iter().sum::<f64>() / trades.len() as f64);
        Some(Worth { dealt: mean(&|one| one.dealt), taken: mean(&|one| one.taken), trade })
    }

    /// Whether a design deals no less than the one as it is and takes no more, in every bearing.
    pub fn loses_nothing(&self, design: &Evaluation) -> bool {
        self.situations.iter().all(|situation| {
            let exchange = |own| Exchange::work_out(own, &self.opponent, situation, WORK, self.situations.len());
            match (exchange(&self.opponent), exchange(design)) {
                (Some(before), Some(after)) => {
                    steps(after.dealt) >= steps(before.dealt) && steps(after.taken) <= steps(before.taken)
                }
                (before, _) => before.is_none(),
            }
        })
    }

    /// `structure blocks taken 15.64 → 16.20, lost 15.64 → 15.60; points destroyed for each lost 1.00 → 1.04`
    pub fn words(&self, worth: &Worth) -> String {
        let rules = &self.opponent.ruleset.attack_rules;
        let gauge = Exchange::gauge(rules).and_then(|gauge| rules.gauges.get(gauge));
        let label = gauge.map_or("", |gauge| if gauge.label.is_empty() { &gauge.id } else { &gauge.label });
        let turn = |before: f64, after: f64| match figure(before) == figure(after) {
            true => figure(after),
            false => format!("{} → {}", figure(before), figure(after)),
        };
        let trade = match (self.before.trade, worth.trade) {
            (Some(before), Some(after)) => format!("; points destroyed for each lost {}", turn(before, after)),
            _ => String::new(),
        };
        let (dealt, taken) = (turn(self.before.dealt, worth.dealt), turn(self.before.taken, worth.taken));
        format!("{label}: takes {dealt}, loses {taken}{trade}")
    }

    /// `in order of what they do …`, for a list.
    pub fn basis(&self) -> String {
        let rules = &self.opponent.ruleset.attack_rules;
        let bearing = rules.situations.iter().find(|rule| matches!(rule.kind, SituationKind::Choice(_)));
        let over = match bearing.filter(|_| self.situations.len() > 1) {
            Some(bearing) => format!(" · mean over {}", bearing.label),
            None => String::new(),
        };
        let situation = situation_line(rules, &default_situation(rules));
        let by = match self.before.trade {
            Some(_) => "points destroyed for each lost",
            None => "what it takes less what it loses",
        };
        format!("best first, by {by} against the same ship as it is now, at equal points: {situation}{over}")
    }
}

impl Worth {
    /// The more, the better: the trade, else what is dealt less what is taken; in steps.
    pub fn rank(&self) -> i64 {
        steps(self.trade.unwrap_or(self.dealt - self.taken))
    }
}

/// The default situation with each option of the first choice, which is where the weapons bear.
fn bearings(rules: &AttackRules) -> Vec<Vec<Value>> {
    let plain = default_situation(rules);
    let choice = rules.situations.iter().enumerate().find_map(|(n, rule)| match &rule.kind {
        SituationKind::Choice(options) => Some((n, options)),
        _ => None,
    });
    let Some((number, options)) = choice else { return vec![plain] };
    let with = |option: &std::sync::Arc<str>| {
        let mut situation = plain.clone();
        situation[number] = Value::Text(option.clone());
        situation
    };
    options.iter().take(MAX_BEARINGS).map(|(id, _)| with(id)).collect()
}
