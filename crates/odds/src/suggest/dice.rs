//! Questions about odds: every design of the window is tried, for no bound over boxes holds for dice. So windows are small.

use rayon::prelude::*;

use crate::odds::{Measure, names_odds};
use moldloft_base::finding::{Advice, Cause, Finding};
use moldloft_base::progress::Progress;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::{MAX_MULTIPLICATIONS, Value};

use super::answer::Suggestion;
use super::claims::grouped;
use super::limits::TRY_ALL;
use super::odds_goal::{FIGURE_STEPS, OddsGoal, steps};
use super::question::{Objective, Question, SearchSpace, Sense, Subject};
use super::scorer::{Found, Scorer};
use super::search::{Proof, SearchResult, each_point};

/// Work of all designs of a question together, in multiplications, for an effort of 1.
const WORK: u64 = 100_000_000;
/// Designs that are tried before the question may be cancelled.
const GROUP: usize = 32;
/// Designs that together may take as much work of the ships' own formulas as one question.
const DESIGNS_AT_ONCE: usize = 8;
/// Most findings that are kept.
const MAX_FINDINGS: usize = 8;

/// The ship that odds are about, and what the table decides.
#[derive(Clone, Debug)]
pub struct OddsTarget {
    pub target: Evaluation,
    /// By situation.
    pub situation: Vec<Value>,
}

/// What came of a question about odds.
#[derive(Clone, Debug)]
pub struct OddsSearch {
    /// Its best score has the figure in steps of 10⁻⁹, if that is the objective.
    pub result: SearchResult,
    /// The objective of the design as it is, if that is of odds.
    pub before: Option<f64>,
    /// The objective of the best design, if that is of odds.
    pub best: Option<f64>,
    /// Why some designs could not be worked out.
    pub findings: Vec<Finding>,
}

impl Question {
    /// Whether the objective or a goal is about odds.
    pub fn is_about_odds(&self) -> bool {
        let objective = self.objective.iter().map(|(_, text)| text);
        objective.chain(&self.goals).any(|text| names_odds(text))
    }
}

/// What came of one design.
enum TriedDesign {
    Misses,
    Answers(Found),
    Unknown(Box<Finding>),
}

/// Searches a space for a question about odds.
///
/// # Errors
/// As [`SearchSpace::new`]; `nothing-to-vary` where nothing is named; `too-many-designs` for a window of more than can be tried.
pub fn search_odds<'a>(
    subject: &'a Subject,
    question: &Question,
    opponent: &OddsTarget,
    progress: &Progress,
) -> Result<(SearchSpace<'a>, OddsSearch), Finding> {
    let attacks = &subject.rules.attack_rules;
    let asked = question.objective.as_ref().filter(|(_, text)| names_odds(text));
    let measure = match asked {
        Some((sense, text)) => Some((*sense, Measure::parse(attacks, text)?)),
        None => None,
    };
    let (dice, plain): (Vec<&String>, Vec<&String>) = question.goals.iter().partition(|text| names_odds(text));
    let goals = dice.into_iter().map(|text| OddsGoal::parse(attacks, text)).collect::<Result<Vec<_>, _>>()?;
    if !opponent.target.ruleset.has_same_sources(&subject.rules) {
        let message = format!("a ship of {} cannot fire at one of {}", subject.rules.id, opponent.target.ruleset.id);
        return Err(Finding::error("other-game", message).help("name a target of the same game"));
    }
    if question.vary.is_empty() {
        let finding = Finding::error("nothing-to-vary", "a question about odds needs to know what may vary");
        return Err(finding.advise(Advice::NameLever("laser:0..6")));
    }
    let objective = if measure.is_some() { None } else { question.objective.clone() };
    let plain = Question { objective, goals: plain.into_iter().cloned().collect(), ..question.clone() };
    let mut space = SearchSpace::new(subject, &plain)?;
    if let Some((sense, _)) = measure {
        space.objective = Some(Objective::Odds(sense));
    }
    space.odds_goals = goals;
    if space.designs() > TRY_ALL {
        let most = usize::try_from(TRY_ALL).unwrap_or(usize::MAX);
        let found = usize::try_from(space.designs()).unwrap_or(usize::MAX);
        let message = format!(
            "found {} designs within these limits, at most {} can be tried with odds",
            grouped(found),
            grouped(most)
        );
        return Err(Finding::error("too-many-designs", message).advise(Advice::NarrowWindows));
    }
    let mut scorer = Scorer::new(&space);
    let mut legal: Vec<Found> = Vec::new();
    each_point(&space, |point| legal.extend(scorer.better(point, None)));
    // The best by the plain objective first; then the first that meets all goals is the answer.
    legal.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.point.cmp(&b.point)));
    let each = WORK.saturating_mul(u64::from(space.effort)) / (legal.len() as u64 * questions(&measure, &space)).max(1);
    let work = WorkShare { multiplications: each, fights: legal.len().div_ceil(DESIGNS_AT_ONCE).max(1) };
    let try_one = |found: &Found| try_design(&space, measure.as_ref(), opponent, &work, found);
    let mut best: Option<Found> = None;
    let mut findings: Vec<Finding> = Vec::new();
    let mut is_complete = true;
    for (number, group) in legal.chunks(GROUP).enumerate() {
        if progress.is_cancelled() {
            is_complete = false;
            break;
        }
        progress.set_done(number * GROUP, legal.len());
        let trials: Vec<TriedDesign> = group.par_iter().map(try_one).collect();
        for trial in trials {
            match trial {
                TriedDesign::Misses => {}
                TriedDesign::Answers(found) => {
                    if best.as_ref().is_none_or(|best| found.is_better(best, &space.levers)) {
                        best = Some(found);
                    }
                }
                TriedDesign::Unknown(mut finding) => {
                    is_complete = false;
                    if finding.cause == Some(Cause::TooManyStates) {
                        *finding = finding.advise(Advice::ShareWork);
                    }
                    if findings.len() < MAX_FINDINGS && !findings.contains(&finding) {
                        findings.push(*finding);
                    }
                }
            }
        }
        let worst = group.last().map(|found| found.score);
        if measure.is_none() && best.as_ref().is_some_and(|best| worst.is_some_and(|worst| worst < best.score)) {
            break;
        }
    }
    let proof = if is_complete { Proof::Proved } else { Proof::Nothing };
    let figure = |main: i64| main as f64 / FIGURE_STEPS;
    let number = best.as_ref().filter(|_| measure.is_some()).map(|best| figure(best.score.main));
    let number = measure.as_ref().and_then(|(sense, _)| number.map(|number| signed(*sense, number)));
    let before = measure.as_ref().and_then(|(_, measure)| {
        measure
            .work_out(&subject.evaluation, &opponent.target, &opponent.situation, MAX_MULTIPLICATIONS, 1)
            .ok()
            .flatten()
    });
    let (tried, work) = (scorer.tried, scorer.work);
    let result = SearchResult { best, proof, boxes: 0, tried, work };
    Ok((space, OddsSearch { result, before, best: number, findings }))
}

fn signed(sense: Sense, number: f64) -> f64 {
    if sense == Sense::Minimise { -number } else { number }
}

/// How many figures each design is asked for.
fn questions(measure: &Option<(Sense, Measure)>, space: &SearchSpace<'_>) -> u64 {
    u64::from(measure.is_some()) + space.odds_goals.len() as u64
}

/// The work of one design.
struct WorkShare {
    multiplications: u64,
    /// How many designs share the work of the ships' own formulas.
    fights: usize,
}

/// The design as the program itself makes and evaluates it.
fn try_design(
    space: &SearchSpace<'_>,
    measure: Option<&(Sense, Measure)>,
    opponent: &OddsTarget,
    work: &WorkShare,
    found: &Found,
) -> TriedDesign {
    let Some(suggestion) = Suggestion::new(space, found).filter(|suggestion| suggestion.after.legal) else {
        return TriedDesign::Misses;
    };
    let figure = |of: &Measure| {
        let WorkShare { multiplications, fights } = *work;
        of.work_out(&suggestion.after, &opponent.target, &opponent.situation, multiplications, fights)
    };
    for goal in &space.odds_goals {
        match figure(&goal.measure) {
            Ok(number) if goal.holds(number) => {}
            Ok(_) => return TriedDesign::Misses,
            Err(finding) => return TriedDesign::Unknown(Box::new(finding)),
        }
    }
    let mut found = found.clone();
    if let Some((sense, measure)) = measure {
        match figure(measure) {
            Ok(Some(number)) => found.score.main = steps(signed(*sense, number)),
            Ok(None) => return TriedDesign::Misses,
            Err(finding) => return TriedDesign::Unknown(Box::new(finding)),
        }
    }
    TriedDesign::Answers(found)
}
