//! How an attack is worked out: takes two ships and an attack, gives its condition, its steps with their formulas, and the means of labelled steps.

use crate::evaluate::{Evaluation, Explanation, Provenance};
use crate::formula::Formula;
use crate::ruleset::{Attack, AttackRules, Ruleset, Step, Variable};
use crate::source::Span;

use super::answer::{AttackOdds, Bearing, Odds, OddsQuestion, work_out};
use super::encounter::default_situation;
use super::volley::{GaugeOdds, StepMeans};
use super::words::{figure, gauge_label, short_figure};

/// The explanation of `odds.ID`, in the default situation; empty for an unknown attack.
pub fn explain_attack(own: &Evaluation, target: &Evaluation, id: &str) -> Vec<Explanation> {
    let ruleset = &own.ruleset;
    let rules = &ruleset.attack_rules;
    let Some(attack) = rules.attacks.iter().find(|attack| *attack.id == *id) else { return Vec::new() };
    let question =
        OddsQuestion { situation: default_situation(rules), only: vec![attack.id.clone()], ..OddsQuestion::default() };
    let odds = work_out(own, target, &question);
    let fired = odds.attacks.iter().find(|one| one.bearing == Bearing::Fires);
    let mut lines =
        Lines { ruleset, rules, attack, lines: Vec::new(), labelled: 0, means: fired.map_or(&[], |one| &one.steps) };
    lines.head(&odds, fired);
    for (rule, value) in rules.situations.iter().zip(&odds.situation) {
        let unit = if rule.unit.is_empty() { String::new() } else { format!(" {}", rule.unit) };
        lines.add(1, &rule.id, "", format!("{}{unit}", value.shown().unwrap_or_default()), rule.at);
    }
    if let Some(when) = &attack.when {
        let result = match (fired, odds.attacks.first().map(|one| one.bearing)) {
            (Some(_), _) => "it fires",
            (None, Some(Bearing::OutOfReach)) => "out of reach",
            (None, _) => "it does not fire",
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
        self.lines.push(Explanation {
            target: None,
            name: name.into(),
            depth,
            formula: formula.to_owned(),
            numbers: String::new(),
            result,
            rule: self.ruleset.location(at),
            provenance: Provenance::Published,
            note: None,
        });
    }

    /// The attack with its mean, and what that rests on.
    fn head(&mut self, odds: &Odds, fired: Option<&AttackOdds>) {
        let mean = odds.headline_of(&odds.all).map_or(0.0, GaugeOdds::mean);
        let result = match fired {
            Some(_) if odds.failed => "not worked out".to_owned(),
            Some(_) => format!("{} {} a turn", figure(mean), gauge_label(odds)),
            None => "nothing".to_owned(),
        };
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
