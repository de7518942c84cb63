//! Whatever a design of a box comes to is within what the box was said to allow: values, sums of levers, checks and bounds, in all games.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::suggest::lever::all_levers;
use moldloft_base::finding::Severity;
use moldloft_rules::evaluate::{BoxModel, Trial};
use moldloft_rules::formula::{Formula, Value};

pub(super) const DESIGNS: [(&str, &str); 9] = [
    ("wars-of-honor", "petrel"),
    ("wars-of-honor", "vigilant"),
    ("wars-of-honor", "hornisse"),
    ("sky-full-of-ships", "swordfish"),
    ("sky-full-of-ships", "atlas"),
    ("star-navy", "milwaukee"),
    ("battleships-1890s", "saltholm"),
    ("b5-house-rules", "varnic"),
    ("b5-house-rules", "torvald-deep"),
];

/// For each lever chosen: which, its lower end, its width.
type Choice = Vec<(u32, u32, u32)>;

fn hold(subject: &Subject, choice: &Choice, points: &[Vec<u32>]) -> Result<(), TestCaseError> {
    let rules = &subject.rules;
    let mut trial = Trial::new(rules, &subject.design, &subject.ship);
    trial.compute();
    let all = all_levers(&trial);
    let mut levers: Vec<Lever> = Vec::new();
    let mut within = Vec::new();
    for (which, low, width) in choice {
        let lever = &all[*which as usize % all.len()];
        if levers.iter().any(|known| known.id == lever.id) {
            continue;
        }
        let low = lever.low + i64::from(*low) % (lever.high - lever.low + 1);
        within.push((low, lever.high.min(low + i64::from(*width))));
        levers.push(lever.clone());
    }
    let formulas: Vec<&Formula> = rules.values.iter().map(|value| &value.formula).collect();
    let asked: Vec<&Formula> = formulas.clone();
    let model = BoxModel::new(&trial, levers.iter().map(Lever::box_lever).collect(), &asked, &|_| true, &[]);
    let state = model.compute(&within);
    let ranges: Vec<_> = formulas.iter().map(|formula| model.ranges(&state, formula)).collect();
    let checks: Vec<_> = model
        .checks()
        .iter()
        .map(|check| {
            let mut bounds = Vec::new();
            let fails = model.check_fails(&state, *check, &mut bounds);
            (*check, fails, bounds)
        })
        .collect();
    for at in points {
        let point: Vec<i64> =
            within.iter().zip(at).map(|((low, high), at)| low + i64::from(*at) % (high - low + 1)).collect();
        for (lever, number) in levers.iter().zip(&point) {
            lever.parts.iter().for_each(|part| trial.set(*part, &lever.kind.value(*number)));
        }
        trial.compute();
        for (n, range) in ranges.iter().enumerate() {
            let value = trial.value(n);
            let place = || {
                format!(
                    "{} = {value:?} at {:?} {point:?}, not in {range:?}",
                    rules.values[n].id,
                    levers.iter().map(|lever| &lever.id).collect::<Vec<_>>()
                )
            };
            prop_assert!(range.contains(value), "{}", place());
            if let Value::Int(number) = value {
                prop_assert!(range.sum_allows(*number, &point), "{}", place());
            }
        }
        for (check, fails, bounds) in &checks {
            let failed = trial.faults().iter().any(|fault| fault.check == Some(*check));
            let code = &rules.checks[*check].code;
            prop_assert!(!fails || failed || trial.is_cut_short(), "{code} does not fail at {point:?}");
            if !failed && !trial.faults().iter().any(|fault| fault.check.is_none() && fault.severity == Severity::Error)
            {
                for bound in bounds {
                    prop_assert!(bound.allows(&point), "{code} holds at {point:?} against {bound:?}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn boxes_hold_what_their_designs_come_to() {
    for (game, design) in DESIGNS {
        let subject = subject(game, design);
        let choice = prop::collection::vec((any::<u32>(), any::<u32>(), 0_u32..14), 1..9);
        let points = prop::collection::vec(prop::collection::vec(any::<u32>(), 9), 12);
        let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
        if let Err(error) = runner.run(&(choice, points), |(choice, points)| hold(&subject, &choice, &points)) {
            panic!("{game} {design}: {error}");
        }
    }
}

/// A trial comes to what the program comes to for the same file.
#[test]
fn trials_come_to_what_the_program_comes_to() {
    for (game, design) in DESIGNS {
        let subject = subject(game, design);
        let mut runner = TestRunner::new(Config { cases: 30, failure_persistence: None, ..Config::default() });
        let choice = prop::collection::vec((any::<u32>(), any::<u32>()), 1..7);
        let result = runner.run(&choice, |choice| {
            let bare = SearchSpace::bare(&subject, &Question { warnings: WarningPolicy::Any, ..Question::default() });
            let all = all_levers(&bare.trial());
            let mut levers: Vec<Lever> = Vec::new();
            let mut point = Vec::new();
            for (which, number) in choice {
                let lever = &all[which as usize % all.len()];
                if levers.iter().all(|known| known.id != lever.id) {
                    point.push(lever.low + i64::from(number) % (lever.high - lever.low + 1));
                    levers.push(lever.clone());
                }
            }
            let space = bare.with_levers(levers);
            let mut scorer = crate::suggest::scorer::Scorer::new(&space);
            scorer.set(&point);
            let (_, changed) =
                subject.edited(&space.edits(&point, false)).map_err(|finding| TestCaseError::fail(finding.message))?;
            let evaluation = moldloft_rules::evaluate::evaluate(&subject.rules, &changed, &subject.ship);
            for (n, value) in evaluation.values.iter().enumerate() {
                prop_assert_eq!(&value.value, scorer.trial.value(n), "{} at {:?}", value.id, point);
            }
            let mut codes: Vec<_> =
                scorer.trial.faults().iter().map(|fault| (fault.code.to_string(), fault.severity)).collect();
            let mut wanted: Vec<_> =
                evaluation.findings.iter().map(|finding| (finding.code.to_string(), finding.severity)).collect();
            codes.sort();
            wanted.sort();
            prop_assert_eq!(codes, wanted);
            Ok(())
        });
        if let Err(error) = result {
            panic!("{game} {design}: {error}");
        }
    }
}
