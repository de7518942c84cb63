//! Random questions about the samples of all games, small enough to try every design: boxes find the same, or claim less and what they
//! claim is true. Those with windows of up to 50,000 designs are asked on request: `QUESTIONS=100 cargo test large_windows -- --ignored`.

use crate::suggest::search::branch_and_bound;
use crate::suggest::search::try_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::soundness::DESIGNS;
use super::*;
use crate::suggest::lever::all_levers;
use moldloft_rules::formula::Value;

/// A lever: which, where its window begins, how much wider than one it is.
type LeverChoice = (u32, u32, u32);
/// A goal: the value, whether it is a least or a most, how far from what the value is now.
type GoalChoice = (u32, bool, i64);

#[derive(Clone, Debug)]
struct RandomQuestion {
    levers: Vec<LeverChoice>,
    objective: (u32, bool),
    second: Option<u32>,
    goals: Vec<GoalChoice>,
    warnings: WarningPolicy,
}

fn random_question() -> impl Strategy<Value = RandomQuestion> {
    let levers = prop::collection::vec((any::<u32>(), any::<u32>(), 0_u32..40), 1..6);
    let goals = prop::collection::vec((any::<u32>(), any::<bool>(), -3_i64..40), 0..3);
    let warnings = prop_oneof![Just(WarningPolicy::Any), Just(WarningPolicy::Known), Just(WarningPolicy::None)];
    (levers, any::<(u32, bool)>(), any::<Option<u32>>(), goals, warnings).prop_map(
        |(levers, objective, second, goals, warnings)| RandomQuestion { levers, objective, second, goals, warnings },
    )
}

/// The values that are numbers in this design, with what they are.
fn numbers(subject: &Subject) -> Vec<(String, i64)> {
    let values = subject.evaluation.values.iter();
    values
        .filter_map(|value| match value.value {
            Value::Int(number) => Some((value.id.to_string(), number)),
            _ => None,
        })
        .collect()
}

/// How the questions of one design were answered.
#[derive(Debug, Default)]
struct Tally {
    /// Windows of more than one design.
    asked: u32,
    proved: u32,
    bounded: u32,
    unproved: u32,
    /// By counting.
    tried: usize,
}

/// Asks by boxes and by counting; `most` designs are in a window.
fn ask_both(
    subject: &Subject,
    numbers: &[(String, i64)],
    random: &RandomQuestion,
    most: u64,
    tally: &mut Tally,
) -> Result<(), TestCaseError> {
    let pick = |which: u32| &numbers[which as usize % numbers.len()];
    let mut objective = pick(random.objective.0).0.clone();
    if let Some(second) = random.second {
        objective = format!("2 * {objective} - {}", pick(second).0);
    }
    let goals = random.goals.iter().map(|(which, at_least, slack)| {
        let (id, now) = pick(*which);
        if *at_least { format!("{id} >= {}", now - slack) } else { format!("{id} <= {}", now + slack) }
    });
    let sense = if random.objective.1 { Sense::Maximise } else { Sense::Minimise };
    let question = Question {
        objective: Some((sense, objective)),
        goals: goals.collect(),
        vary: Vec::new(),
        pins: Vec::new(),
        warnings: random.warnings,
        effort: 1,
    };
    // A value that hangs on nothing is no question.
    let Ok(space) = SearchSpace::new(subject, &question) else { return Ok(()) };
    let all = all_levers(&space.trial());
    let mut levers: Vec<Lever> = Vec::new();
    let mut left = most;
    for (which, low, wider) in &random.levers {
        let lever = &all[*which as usize % all.len()];
        if levers.iter().any(|known| known.id == lever.id) {
            continue;
        }
        let width = i64::from(*wider).min(i64::try_from(left).unwrap_or(i64::MAX) - 1);
        let mut lever = lever.clone();
        lever.low += i64::from(*low) % (lever.high - lever.low + 1);
        lever.high = lever.high.min(lever.low + width);
        left /= lever.width();
        levers.push(lever);
    }
    let space = space.with_levers(levers);
    let place = || {
        let windows: Vec<String> =
            space.levers.iter().map(|lever| format!("{} {}..{}", lever.id, lever.low, lever.high)).collect();
        format!("{question:?} over {windows:?}")
    };
    let counted = try_all(&space);
    let found = branch_and_bound(&space, &Progress::default());
    tally.asked += u32::from(space.designs() > 1);
    tally.tried += counted.tried;
    match found.proof {
        Proof::Proved => tally.proved += 1,
        Proof::AtMost(_) => tally.bounded += 1,
        Proof::Nothing => tally.unproved += 1,
    }
    let score = |result: &SearchResult| result.best.as_ref().map(|best| (best.score.main, best.score.points));
    match found.proof {
        Proof::Proved => prop_assert_eq!(score(&found), score(&counted), "{}", place()),
        Proof::AtMost(most) => {
            prop_assert!(score(&counted).is_none_or(|(main, _)| main <= most), "at most {}: {}", most, place());
        }
        Proof::Nothing => {}
    }
    // What is not proved is still an answer, so counting finds one that is as good.
    prop_assert!(score(&found) <= score(&counted) || score(&found).is_none(), "{}", place());
    Ok(())
}

/// Asks so many questions about each design, with the same seed each time.
fn ask_all(questions: u32, most: u64) {
    for (game, design) in DESIGNS {
        let subject = subject(game, design);
        let numbers = numbers(&subject);
        let tally = std::cell::RefCell::new(Tally::default());
        let config = Config { cases: questions, failure_persistence: None, ..Config::default() };
        let ask = |random| ask_both(&subject, &numbers, &random, most, &mut tally.borrow_mut());
        if let Err(error) = TestRunner::new(config).run(&random_question(), ask) {
            panic!("{game} {design}: {error}");
        }
        println!("{game} {design}: {:?}", tally.borrow());
    }
}

#[test]
fn random_questions_are_answered_as_by_counting() {
    let cases = std::env::var_os("PROPTEST_CASES").map_or(20, |_| Config::default().cases);
    ask_all(cases, 300);
}

#[test]
#[ignore = "tries a million designs and more"]
fn random_questions_with_large_windows_are_answered_as_by_counting() {
    let questions = std::env::var("QUESTIONS").ok().and_then(|text| text.parse().ok());
    ask_all(questions.unwrap_or(100), 50_000);
}
