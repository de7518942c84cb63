//! All against all: takes ships of one game and a situation, gives for each pair what the first does to the second and what that is worth.

use std::sync::Arc;

use rayon::prelude::*;

use moldloft_base::finding::{Cause, Finding};
use moldloft_base::progress::Progress;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::{MAX_MULTIPLICATIONS, Value};
use moldloft_rules::ruleset::{AttackRules, Ruleset};

use super::answer::{OddsQuestion, OddsShip, Pair, finding_of, lacks};
use super::counted::{add_new, left_aside, left_out_by};
use super::program;
use super::situation::axis_values;
use super::volley::{Ask, GaugeOdds, volley};

/// Most ships of a matrix.
pub const MAX_MATRIX: usize = 20;
/// Work of all pairs together, in multiplications.
const MATRIX_WORK: u64 = 400_000_000;
/// Pairs that each may take as much work of the ships' own formulas as if there were but one in so many.
const FIGHTS_AT_ONCE: usize = 4;

#[derive(Clone, Debug)]
pub struct OddsMatrix {
    pub ruleset: Arc<Ruleset>,
    pub situation: Vec<Value>,
    /// The situation that each firing ship chooses; its value in `situation` does not count.
    pub best: Option<usize>,
    /// The gauge that the means are of.
    pub headline: Option<usize>,
    pub ships: Vec<OddsShip>,
    /// By attacker, then by target.
    pub cells: Vec<Vec<MatrixCell>>,
    pub assumed: Vec<Arc<str>>,
    pub not_counted: Vec<Arc<str>>,
    /// Whether every weapon of the ships is counted, and all that layers change of them.
    pub is_whole: bool,
    /// The most that any probability may be off.
    pub lost: f64,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatrixCell {
    /// Of the headline's gauge; `None` if it could not be worked out.
    pub mean: Option<f64>,
    /// Points destroyed for each point lost, at equal points.
    pub trade: Option<f64>,
    /// What the attacker chooses, where nothing else does as much.
    pub choice: Option<Value>,
}

/// One pair: the gauges, what went wrong, the attacks that fire.
struct PairResult {
    gauges: Vec<GaugeOdds<f64>>,
    failed: bool,
    findings: Vec<Finding>,
    fired: Vec<usize>,
    not_counted: Vec<Arc<str>>,
    choice: Option<Value>,
    /// In multiplications.
    work: u64,
}

impl PairResult {
    /// Of the headline's gauge.
    fn mean(&self, headline: Option<usize>) -> Option<f64> {
        let gauge = self.gauges.iter().find(|odds| Some(odds.gauge) == headline);
        (!self.failed).then(|| gauge.map_or(0.0, GaugeOdds::mean))
    }
}

/// All pairs have an equal share of the work; those that need more then share what the others left, as long as that is more.
fn all_results(
    pairs: &[Pair<'_>],
    choices: &[(Value, OddsQuestion)],
    headline: Option<usize>,
    progress: &Progress,
) -> Vec<PairResult> {
    let mut results: Vec<Option<PairResult>> = pairs.iter().map(|_| None).collect();
    let mut waiting: Vec<usize> = (0..pairs.len()).collect();
    let (mut left, mut before) = (MATRIX_WORK, 0);
    loop {
        let questions = waiting.len().saturating_mul(choices.len().max(1)).max(1) as u64;
        let share = (left / questions).min(MAX_MULTIPLICATIONS);
        if share <= before {
            break;
        }
        progress.begin_phase("pair of ships", waiting.len());
        let of = |place: &usize| {
            let result = best_result(&pairs[*place], choices, headline, share);
            progress.step();
            result
        };
        let done: Vec<PairResult> = waiting.par_iter().map(of).collect();
        left = left.saturating_sub(done.iter().map(|result| result.work).sum());
        let mut again = Vec::new();
        for (place, result) in waiting.into_iter().zip(done) {
            if result.failed && result.findings.iter().any(|finding| finding.cause == Some(Cause::TooManyStates)) {
                again.push(place);
            }
            results[place] = Some(result);
        }
        (waiting, before) = (again, share);
        if waiting.is_empty() {
            break;
        }
    }
    results.into_iter().flatten().collect()
}

/// The first [`MAX_MATRIX`] ships; `None` without one. The question's situation and attacks count.
pub fn matrix(ships: &[&Evaluation], question: &OddsQuestion) -> Option<OddsMatrix> {
    let ships = ships.get(..ships.len().min(MAX_MATRIX))?;
    let ruleset = ships.first()?.ruleset.clone();
    let rules = &ruleset.attack_rules;
    let headline = rules.gauges.iter().position(|gauge| gauge.ends).or((!rules.gauges.is_empty()).then_some(0));
    let fights = (ships.len() * ships.len() / FIGHTS_AT_ONCE).max(1);
    let pairs: Vec<Pair<'_>> =
        ships.iter().flat_map(|own| ships.iter().map(|target| Pair { own, target, question, rules, fights })).collect();
    let choices = choices(question, rules);
    let results = all_results(&pairs, &choices, headline, &question.progress);
    let mut matrix = OddsMatrix {
        ruleset: ruleset.clone(),
        situation: question.situation.clone(),
        best: question.best,
        headline,
        ships: ships.iter().map(|ship| OddsShip::new(ship)).collect(),
        cells: Vec::new(),
        assumed: Vec::new(),
        not_counted: Vec::new(),
        is_whole: true,
        lost: 0.0,
        findings: Vec::new(),
    };
    let count = ships.len();
    for (number, (pair, result)) in pairs.iter().zip(&results).enumerate() {
        let (row, column) = (number / count, number % count);
        let back = results.get(column * count + row);
        let mean = result.mean(headline);
        let back = back.filter(|back| !back.failed && !result.failed);
        let trade = back.and_then(|back| pair.trade(headline, &result.gauges, &back.gauges));
        if column == 0 {
            matrix.cells.push(Vec::with_capacity(count));
        }
        if let Some(cells) = matrix.cells.last_mut() {
            cells.push(MatrixCell { mean, trade, choice: result.choice.clone() });
        }
        matrix.lost = result.gauges.iter().map(|odds| odds.open).fold(matrix.lost, f64::max);
        for finding in &result.findings {
            if !matrix.findings.contains(finding) {
                matrix.findings.push(finding.clone());
            }
        }
        let marks =
            result.fired.iter().filter_map(|attack| rules.attacks.get(*attack)).flat_map(|attack| &attack.marks);
        let marks: Vec<u32> = marks.copied().collect();
        let notes = [pair.own, pair.target].map(|ship| ship.provenance_notes(&marks, false));
        for note in notes.into_iter().flatten() {
            if !matrix.assumed.contains(&note) {
                matrix.assumed.push(note);
            }
        }
        add_new(&mut matrix.not_counted, result.not_counted.iter().cloned());
    }
    if question.only.is_empty() {
        for (number, ship) in ships.iter().enumerate() {
            // Against the next one: what never bears on that one bears on none.
            let target = ships[(number + 1) % count];
            let pair = Pair { own: ship, target, question, rules, fights: 1 };
            for note in pair.there().uncounted() {
                matrix.is_whole = false;
                add_new(&mut matrix.not_counted, [format!("{}: {note}", OddsShip::new(ship).name).into()]);
            }
            let left_out = left_aside(&pair.there(), &|_| true);
            matrix.is_whole &= left_out.is_empty();
            add_new(&mut matrix.not_counted, left_out);
        }
    }
    Some(matrix)
}

/// A question for each value of the situation that the firing ship chooses, that of the question first.
fn choices(question: &OddsQuestion, rules: &AttackRules) -> Vec<(Value, OddsQuestion)> {
    let Some((number, rule)) = question.best.and_then(|number| Some((number, rules.situations.get(number)?))) else {
        return Vec::new();
    };
    let mut values = axis_values(rule);
    if let Some(first) = question.situation.get(number) {
        values.sort_by_key(|value| value != first);
    }
    let with = |value: Value| {
        let mut question = question.clone();
        if let Some(place) = question.situation.get_mut(number) {
            place.clone_from(&value);
        }
        (value, question)
    };
    values.into_iter().map(with).collect()
}

/// The choice with the largest mean, the first of equal ones; one that cannot be worked out makes the pair fail, for it may be the best.
fn best_result(
    pair: &Pair<'_>,
    choices: &[(Value, OddsQuestion)],
    headline: Option<usize>,
    multiplications: u64,
) -> PairResult {
    let mut work = 0;
    let result = best_of(pair, choices, headline, multiplications, &mut work);
    PairResult { work, ..result }
}

fn best_of(
    pair: &Pair<'_>,
    choices: &[(Value, OddsQuestion)],
    headline: Option<usize>,
    multiplications: u64,
    work: &mut u64,
) -> PairResult {
    let mut best: Option<PairResult> = None;
    let mut is_only = true;
    for (value, question) in choices {
        let result = pair_result(&Pair { question, ..*pair }, headline, multiplications);
        *work += result.work;
        if result.failed {
            return result;
        }
        let result = PairResult { choice: Some(value.clone()), ..result };
        let (new, old) = (result.mean(headline), best.as_ref().and_then(|best| best.mean(headline)));
        match best {
            Some(_) if new == old => is_only = false,
            Some(_) if new < old => {}
            _ => (best, is_only) = (Some(result), true),
        }
    }
    match best {
        Some(best) if is_only => best,
        Some(best) => PairResult { choice: None, ..best },
        None => {
            let result = pair_result(pair, headline, multiplications);
            *work += result.work;
            result
        }
    }
}

fn pair_result(pair: &Pair<'_>, headline: Option<usize>, multiplications: u64) -> PairResult {
    let ruleset = &pair.own.ruleset;
    let ask = Ask { multiplications, ..pair.short_ask(headline) };
    let done = pair.there().with_fight(&|attack| pair.is_wanted(attack), |fight, _, _| {
        let place = |id: &str| pair.rules.attacks.iter().position(|attack| *attack.id == *id);
        let firing = || fight.firings.iter().filter(|firing| program::bears(firing));
        let mut fired: Vec<usize> = firing().filter_map(|firing| place(&firing.attack.id)).collect();
        fired.dedup();
        let mut not_counted = Vec::new();
        for firing in firing() {
            let label = firing.attack.label.eval(firing.host).ok().flatten().filter(|label| !label.is_empty());
            let title = label.unwrap_or_else(|| firing.attack.id.to_string());
            add_new(&mut not_counted, left_out_by(firing, &title, false));
        }
        (volley::<f64>(fight, &ask), fired, not_counted)
    });
    match done {
        Ok((volley, fired, not_counted)) => {
            let findings = volley.errors.iter().map(|error| finding_of(ruleset, error)).collect();
            let (failed, work) = (lacks(&volley, headline), volley.work);
            PairResult { failed, gauges: volley.gauges, findings, fired, not_counted, choice: None, work }
        }
        Err(error) => PairResult {
            failed: true,
            gauges: Vec::new(),
            findings: vec![finding_of(ruleset, &error)],
            fired: Vec::new(),
            not_counted: Vec::new(),
            choice: None,
            work: 0,
        },
    }
}
