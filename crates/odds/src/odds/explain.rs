//! How an attack is worked out: takes two ships and an attack, gives its condition, its steps with their formulas, and the means of labelled steps.

use moldloft_base::source::Span;
use moldloft_rules::evaluate::{Evaluation, Explanation, Provenance};
use moldloft_rules::formula::Formula;
use moldloft_rules::ruleset::{Attack, AttackRules, Ruleset, Step, Variable};

use super::answer::{AttackOdds, Bearing, Odds, OddsQuestion, work_out};
use super::encounter::default_situation;
use super::volley::{GaugeOdds, StepMeans};
use super::words::{figure, gauge_label, short_figure};

/// The explanation of `odds.ID`, in the default situation; empty for an unknown attack.
pub fn explain_attack(own: &Evaluation, target: &Evaluation, id: &str) -> Vec<Explanation> {
    let rules = &own.ruleset.attack_rules;
    let Some(attack) = rules.attacks.iter().find(|attack| *attack.id == *id) else { return Vec::new() };
    let question =
        OddsQuestion { situation: default_situation(rules), only: vec![attack.id.clone()], ..OddsQuestion::default() };
    let odds = work_out(own, target, &question);
    let fired = odds.attacks.iter().find(|one| one.bearing == Bearing::Fires);
    let is_out_of_reach = odds.attacks.first().is_some_and(|one| one.bearing == Bearing::OutOfReach);
    let mean = mean_words(&odds, &odds.all, odds.failed);
    explanation(&odds, attack, fired, is_out_of_reach, mean)
}

/// As [`explain_attack`], of one of the attacks that are worked out; empty if there is no such one.
pub fn explain_firing(odds: &Odds, place: usize) -> Vec<Explanation> {
    let Some(one) = odds.attacks.get(place) else { return Vec::new() };
    let Some(attack) = odds.rules().attacks.get(one.attack) else { return Vec::new() };
    let fired = Some(one).filter(|one| one.bearing == Bearing::Fires);
    explanation(odds, attack, fired, one.bearing == Bearing::OutOfReach, mean_words(odds, &one.gauges, one.failed))
}

/// `7.07 structure a turn`
fn mean_words(odds: &Odds, gauges: &[GaugeOdds<f64>], failed: bool) -> String {
    if failed {
        return "not worked out".to_owned();
    }
    format!("{} {} a turn", figure(odds.headline_of(gauges).map_or(0.0, GaugeOdds::mean)), gauge_label(odds))
}

fn explanation(
    odds: &Odds,
    attack: &Attack,
    fired: Option<&AttackOdds>,
    is_out_of_reach: bool,
    mean: String,
) -> Vec<Explanation> {
    let (ruleset, rules) = (&*odds.ruleset, odds.rules());
    let mut lines =
        Lines { ruleset, rules, attack, lines: Vec::new(), labelled: 0, means: fired.map_or(&[], |one| &one.steps) };
    lines.head(odds, if fired.is_some() { mean } else { "nothing".to_owned() });
    for (rule, value) in rules.situations.iter().zip(&odds.situation) {
        let unit = if rule.unit.is_empty() { String::new() } else { format!(" {}", rule.unit) };
        lines.add(1, &rule.id, "", format!("{}{unit}", value.shown().unwrap_or_default()), rule.at);
    }
    if let Some(when) = &attack.when {
        let result = match (fired, is_out_of_reach) {
            (Some(_), _) => "it fires",
            (None, true) => "out of reach",
            (None, false) => "it does not fire",
        };
        lines.add(1, "when", &when.source, result.to_owned(), when.at);
    }
    lines.steps(1, &attack.steps);
    lines.lines
}

struct Lines<'l> {
    ruleset: &'l Ruleset,
    rules: &'l AttackRules,
    attack: &'l Attack,
    lines: Vec<Explanation>,
    /// Labelled steps that were passed.
    labelled: usize,
    means: &'l [StepMeans],
}

impl Lines<'_> {
    fn add(&mut self, depth: u32, name: &str, formula: &str, result: String, at: Span) {
        self.lines.push(Explanation::plain(depth, name, formula, result, self.ruleset.location(at)));
    }

    /// The attack with its mean, and what that rests on.
    fn head(&mut self, odds: &Odds, result: String) {
        let name = format!("odds.{}", self.attack.id);
        self.add(0, &name, "", result, self.attack.at);
        let mut note: Vec<String> = odds.assumed.iter().map(ToString::to_string).collect();
        note.extend(odds.not_counted.iter().map(|words| format!("not counted: {words}")));
        if let Some(line) = self.lines.last_mut().filter(|_| !note.is_empty()) {
            line.provenance = if odds.assumed.is_empty() { Provenance::Published } else { Provenance::Assumed };
            line.note = Some(note.join("; ").into());
        }
    }

    fn steps(&mut self, depth: u32, steps: &[Step]) {
        for step in steps {
            let means = match &step.label {
                Some(label) => {
                    let means = self.means.get(self.labelled).filter(|means| means.label == *label);
                    self.labelled += usize::from(means.is_some());
                    means
                }
                None => None,
            };
            let mut inner = depth;
            if let Some(label) = &step.label {
                self.add(depth, label, "", String::new(), step.at);
                inner += 1;
            }
            for (word, formula) in [("when", &step.when), ("repeat", &step.repeat)] {
                if let Some(formula) = formula {
                    self.formula(inner, word, formula, String::new());
                }
            }
            for set in &step.assignments {
                let mean = means.and_then(|means| means.means.iter().find(|(variable, _)| *variable == set.variable));
                let result = mean.map_or_else(String::new, |(_, mean)| format!("{} on average", short_figure(*mean)));
                let name = self.name(set.variable);
                self.formula(inner, &name, &set.formula, result);
            }
            self.steps(inner + 1, &step.each);
        }
    }

    fn formula(&mut self, depth: u32, name: &str, formula: &Formula, result: String) {
        self.add(depth, name, &formula.source, result, formula.at);
    }

    fn name(&self, variable: Variable) -> String {
        let gauge = |number: u16| self.rules.gauges.get(usize::from(number)).map_or("", |gauge| &*gauge.id);
        match variable {
            Variable::Left(number) => format!("left.{}", gauge(number)),
            Variable::Own(number) => format!("own.{}", gauge(number)),
            Variable::Register(number) => {
                self.attack.registers.get(usize::from(number)).map_or_else(String::new, ToString::to_string)
            }
        }
    }
}
