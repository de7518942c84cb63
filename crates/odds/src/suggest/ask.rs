//! The questions that players ask, and their answers: what the command line prints and the editor shows.

use std::fmt;
use std::sync::Arc;

use moldloft_base::finding::{Advice, DesignEdit, Finding, did_you_mean};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::shorten;
use moldloft_rules::evaluate::{Evaluation, evaluate};

use super::answer::{LeverChange, Suggestion};
use super::breaks::{BreakPoint, break_points};
use super::claims::{claim, impossible_goal, legal_claim, limits, objective_number, spend_claim, spend_limits};
use super::dice::{OddsSearch, OddsTarget, search_odds};
use super::legal::{LegalWays, make_legal};
use super::lever::{all_levers, is_named_by};
use super::question::{Question, SearchSpace, Subject};
use super::search::{SearchResult, search};
use super::spend::{Purchases, SpendLimit, cheaper, spend};
use super::wording::{
    ObjectiveNumber, found_words, nothing_words, over_budget, points_words, purchase_words, spend_words, unbought_words,
};

/// Which question is asked; a [`Question`] has its details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The fewest changes that make it legal.
    Legal,
    /// What the design could have more of, each by itself.
    Spend(SpendLimit),
    /// The same for fewer points.
    Cheaper,
    /// The break-points of one value, by id, or of all.
    Breaks(Option<String>),
    /// The best by the question's objective.
    Best,
}

pub enum Answer<'a> {
    Legal(LegalWays),
    Spend(SpendLimit, Purchases),
    Breaks(Vec<BreakPoint>),
    Best(Box<SearchAnswer<'a>>),
}

/// The answer of one search.
pub struct SearchAnswer<'a> {
    /// What was made better: `points`, `launchers`.
    pub what: String,
    pub space: SearchSpace<'a>,
    pub result: SearchResult,
    pub suggestion: Option<Suggestion>,
    /// A goal that alone cannot be met, by index.
    pub impossible: Option<usize>,
    /// The objective of the design as it is.
    pub before: Option<ObjectiveNumber>,
    /// The objective of the answer.
    pub number: Option<ObjectiveNumber>,
}

/// One thing that a player can do.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// `3 more CnC, core: 1794 points`
    pub title: String,
    pub changes: Vec<LeverChange>,
    /// For findings' own fixes: what they do, as an instruction.
    pub fix: Option<String>,
    /// Of a purchase: what it changes of the values that are shown large, and what it does in a fight.
    pub values: String,
    pub odds: Option<String>,
    /// Which number it moves where, and what turns there.
    pub break_point: Option<BreakPoint>,
    pub edits: Vec<DesignEdit>,
    pub after: Arc<Evaluation>,
}

impl Proposal {
    fn new(title: String, edits: &[DesignEdit], after: Evaluation) -> Self {
        Self {
            title,
            changes: Vec::new(),
            fix: None,
            values: String::new(),
            odds: None,
            break_point: None,
            edits: edits.to_vec(),
            after: Arc::new(after),
        }
    }
}

/// A sentence beside an answer, with what to do where a face words that itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyNote {
    pub words: String,
    pub advice: Option<Advice>,
}

impl From<String> for ReplyNote {
    fn from(words: String) -> Self {
        Self { words, advice: None }
    }
}

/// In no face's own words.
impl fmt::Display for ReplyNote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.advice {
            Some(advice) => write!(out, "{}: {advice}", self.words),
            None => out.write_str(&self.words),
        }
    }
}

/// An answer in words.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub heading: String,
    pub proposals: Vec<Proposal>,
    /// What was found out beside: `the goal `points <= 100` alone cannot be met`.
    pub notes: Vec<ReplyNote>,
    /// What is claimed, where the heading does not say it.
    pub claim: Option<String>,
    pub limits: Option<String>,
    /// What was left out of the list.
    pub rest: Option<String>,
    /// Of a question about odds: what its figures rest on.
    pub basis: Vec<String>,
}

/// # Errors
/// Of the question: unknown names, empty windows, goals that are no conditions, no points.
pub fn ask<'a>(
    subject: &'a Subject,
    request: &Request,
    question: &Question,
    progress: &Progress,
) -> Result<Answer<'a>, Finding> {
    let (what, space, result) = match request {
        Request::Legal => return Ok(Answer::Legal(make_legal(subject, question, progress))),
        Request::Spend(budget) => {
            return Ok(Answer::Spend(budget.clone(), spend(subject, budget, question, progress)?));
        }
        Request::Breaks(value) => return Ok(Answer::Breaks(break_points(subject, value.as_deref())?)),
        Request::Cheaper => {
            let (space, result) = cheaper(subject, question, progress)?;
            ("points".to_owned(), space, result)
        }
        Request::Best => {
            let space = SearchSpace::new(subject, question)?;
            let result = search(&space, progress);
            let what = question.objective.as_ref().map_or_else(String::new, |(_, formula)| formula.clone());
            (what, space, result)
        }
    };
    Ok(Answer::Best(Box::new(SearchAnswer::new(what, space, result))))
}

/// The best by a figure of odds, or among designs whose figures meet a goal; with what kept designs from being worked out.
///
/// # Errors
/// As [`ask`]; `nothing-to-vary`, `too-many-designs`.
pub fn ask_odds<'a>(
    subject: &'a Subject,
    question: &Question,
    opponent: &OddsTarget,
    progress: &Progress,
) -> Result<(SearchAnswer<'a>, Vec<Finding>), Finding> {
    let (space, found) = search_odds(subject, question, opponent, progress)?;
    let what = question.objective.as_ref().map_or_else(String::new, |(_, formula)| formula.clone());
    let answer = SearchAnswer::of_odds(what, space, &found);
    Ok((answer, found.findings))
}

/// # Errors
/// `unknown-lever`, with the nearest word, for a pin that names nothing in the design.
pub fn check_pins(subject: &Subject, pins: &[String]) -> Result<(), Finding> {
    let bare = SearchSpace::bare(subject, &Question::default());
    let levers = all_levers(&bare.trial());
    let ids: Vec<&str> = levers.iter().map(|lever| &*lever.id).collect();
    let fields = &subject.rules.fields;
    let is_known =
        |pin: &str| ids.iter().any(|id| is_named_by(id, pin)) || fields.iter().any(|field| *field.id == *pin);
    match pins.iter().find(|pin| !is_known(pin)) {
        None => Ok(()),
        Some(pin) => {
            let names = ids.iter().map(|id| id.split('@').next().unwrap_or(""));
            let help = did_you_mean(pin, ids.iter().copied().chain(names))
                .unwrap_or_else(|| format!("what may change in this design: {}", shorten(&ids.join(", "), 300)));
            Err(Finding::error("unknown-lever", format!("nothing that may change is called `{}`", shorten(pin, 60)))
                .help(help))
        }
    }
}

impl Answer<'_> {
    /// The answer in words, with what can be done.
    pub fn reply(&self, subject: &Subject, question: &Question) -> Reply {
        match self {
            Answer::Legal(ways) => Reply {
                heading: legal_claim(ways),
                proposals: ways
                    .ways
                    .iter()
                    .map(|way| Proposal {
                        changes: way.changes.clone(),
                        fix: way.fix.clone(),
                        ..Proposal::new(points_words(way.after.points), &way.edits, way.after.clone())
                    })
                    .collect(),
                notes: ways.unmended.iter().map(|message| format!("no fix is known: {message}").into()).collect(),
                ..Reply::default()
            },
            Answer::Spend(budget, found) => Reply {
                heading: spend_words(subject, budget),
                proposals: found
                    .bought
                    .iter()
                    .map(|bought| Proposal {
                        values: bought.values.clone(),
                        odds: bought.odds.clone(),
                        ..proposal(purchase_words(subject, budget, bought), &bought.suggestion)
                    })
                    .collect(),
                notes: match found.bought.is_empty() && over_budget(subject, budget).is_none() {
                    true => vec![nothing_words(subject).into()],
                    false => Vec::new(),
                },
                // What is over its budget already has nothing to be proved, nor has what its errors forbid.
                claim: (over_budget(subject, budget).is_none()
                    && (subject.evaluation.legal || !found.bought.is_empty()))
                .then(|| spend_claim(found)),
                limits: over_budget(subject, budget).is_none().then(|| spend_limits(found, budget, question)),
                rest: over_budget(subject, budget).is_none().then(|| unbought_words(subject, budget, found)).flatten(),
                basis: (found.bought.len() > 1).then(|| found.basis.clone()).into_iter().collect(),
            },
            Answer::Breaks(found) => Reply {
                heading: if found.is_empty() { "no break-points within reach".to_owned() } else { String::new() },
                proposals: found.iter().filter_map(|one| break_proposal(subject, one)).collect(),
                ..Reply::default()
            },
            Answer::Best(answer) => answer.reply(),
        }
    }
}

fn proposal(title: String, suggestion: &Suggestion) -> Proposal {
    let changes = suggestion.changes.clone();
    Proposal { changes, ..Proposal::new(title, &suggestion.edits, suggestion.after.clone()) }
}

/// `None` where the file cannot be edited so.
fn break_proposal(subject: &Subject, one: &BreakPoint) -> Option<Proposal> {
    let (_, design) = subject.edited(&one.edits).ok()?;
    let after = evaluate(&subject.rules, &design, &subject.ship);
    Some(Proposal { break_point: Some(one.clone()), ..Proposal::new(one.words(), &one.edits, after) })
}

impl<'a> SearchAnswer<'a> {
    pub fn new(what: String, space: SearchSpace<'a>, result: SearchResult) -> Self {
        let before = space.objective_now().map(ObjectiveNumber::Whole);
        let number = result.best.as_ref().map(|best| ObjectiveNumber::Whole(objective_number(&space, &best.score)));
        Self::with_numbers(what, space, result, (before, number))
    }

    /// The answer to a question about odds.
    pub fn of_odds(what: String, space: SearchSpace<'a>, found: &OddsSearch) -> Self {
        match found.best {
            Some(best) => {
                let numbers = (found.before.map(ObjectiveNumber::Mean), Some(ObjectiveNumber::Mean(best)));
                Self::with_numbers(what, space, found.result.clone(), numbers)
            }
            // The objective is a plain formula, or there is no answer.
            None => Self::new(what, space, found.result.clone()),
        }
    }

    fn with_numbers(
        what: String,
        space: SearchSpace<'a>,
        result: SearchResult,
        (before, number): (Option<ObjectiveNumber>, Option<ObjectiveNumber>),
    ) -> Self {
        let suggestion = result.best.as_ref().and_then(|best| Suggestion::new(&space, best));
        let impossible = suggestion.is_none().then(|| impossible_goal(&space)).flatten();
        Self { what, space, result, suggestion, impossible, before, number }
    }

    /// What a search for less gave up, since nothing asked for it.
    fn given_up(&self) -> Option<ReplyNote> {
        let found = self.suggestion.as_ref().filter(|_| self.space.is_minimised() && self.space.keeps.is_none())?;
        let fell = |change: &&LeverChange| {
            change.to.parse::<i64>().is_ok_and(|to| change.from.parse::<i64>().is_ok_and(|from| to < from))
        };
        let fell = found.changes.iter().filter(fell).count();
        (fell > 0).then(|| {
            let they = if fell == 1 { "1 number falls".to_owned() } else { format!("{fell} numbers fall") };
            ReplyNote { words: format!("{they}, since no goal asks for more"), advice: Some(Advice::KeepOrCheaper) }
        })
    }

    /// Of the same for less: why the odds were not compared.
    pub fn not_compared(&self) -> Option<String> {
        self.space.keeps.as_ref()?.not_compared()
    }

    /// The answer in words, with what can be done.
    pub fn reply(&self) -> Reply {
        let found = self.suggestion.as_ref().zip(self.number);
        let heading = found.map_or_else(
            || "no design found".to_owned(),
            |(suggestion, number)| {
                let points = (self.space.subject.evaluation.points, suggestion.after.points);
                found_words(&self.what, number, self.before, points)
            },
        );
        let impossible = self.impossible.and_then(|goal| self.space.goals.get(goal));
        let impossible = impossible.map(|goal| format!("the goal `{}` alone cannot be met", goal.text));
        let not_compared = self.not_compared().map(|why| format!("the odds were not compared: {why}"));
        Reply {
            proposals: found.into_iter().map(|(suggestion, _)| proposal(heading.clone(), suggestion)).collect(),
            heading,
            notes: impossible
                .map(ReplyNote::from)
                .into_iter()
                .chain(self.given_up())
                .chain(not_compared.map(ReplyNote::from))
                .collect(),
            claim: Some(claim(&self.space, &self.result)),
            limits: Some(limits(&self.space)),
            rest: None,
            basis: Vec::new(),
        }
    }
}
