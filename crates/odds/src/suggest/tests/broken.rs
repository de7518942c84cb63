//! Designs with two, three and four faults at once, made from legal samples of every game: a repair of as many changes is known, so that at most as
//! many are found, each way is legal, and nothing that is said to be ruled out is possible.

use crate::suggest::claims::legal_claim;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::suggest::legal::LEAST_WINDOW;
use crate::suggest::lever::all_levers;
use crate::suggest::scorer::Scorer;
use crate::suggest::search::each_point;
use moldloft_base::finding::{DesignEdit, Scalar};

const DESIGNS: [(&str, &str); 10] = [
    ("wars-of-honor", "petrel"),
    ("wars-of-honor", "vigilant"),
    ("wars-of-honor", "hornisse"),
    ("sky-full-of-ships", "swordfish"),
    ("sky-full-of-ships", "atlas"),
    ("sky-full-of-ships", "burlington"),
    ("star-navy", "pittsburgh"),
    ("battleships-1890s", "saltholm"),
    ("b5-house-rules", "varnic"),
    ("b5-house-rules", "torvald-deep"),
];

/// One fault: another number for a lever, a fit in a mount that does not take it, a misspelt system. `None` where none is made.
fn fault(subject: &Subject, kind: u32, which: u32, number: u32) -> Option<Vec<DesignEdit>> {
    let fits = &subject.evaluation.fits;
    let fit = (!fits.is_empty()).then(|| &fits[which as usize % fits.len()]);
    match kind % 4 {
        0 | 1 => {
            let space = SearchSpace::bare(subject, &Question::default());
            let levers = all_levers(&space.trial());
            let lever = levers.get(which as usize % levers.len().max(1))?;
            let at = lever.low + i64::from(number) % (lever.high - lever.low + 1);
            // Within what is tried from there.
            let reach = (2 * at + 6).max(LEAST_WINDOW);
            (at != lever.now && at > 0 && lever.now <= reach)
                .then(|| space.with_levers(vec![lever.clone()]).edits(&[at], false))
        }
        2 => {
            let fit = fit?;
            let system = subject.rules.systems.iter().find(|system| system.id == fit.system)?;
            let taken = system.mounts.as_ref()?;
            let others: Vec<usize> = (0..subject.rules.mounts.len()).filter(|mount| !taken.contains(mount)).collect();
            let mount = subject.rules.mounts[*others.get(number as usize % others.len().max(1))?].id.clone();
            Some(vec![DesignEdit::SetFit { fit: fit.index, key: "mount".into(), value: Scalar::Text(mount) }])
        }
        _ => {
            let word = format!("{}x", fit?.system);
            Some(vec![DesignEdit::SetFit { fit: fit?.index, key: "system".into(), value: Scalar::Text(word.into()) }])
        }
    }
}

fn broken(sample: &Subject, faults: &[(u32, u32, u32)]) -> Option<(Subject, usize)> {
    let mut subject = sample.clone();
    let mut made = 0;
    for (kind, which, number) in faults {
        let Some(edits) = fault(&subject, *kind, *which, *number) else { continue };
        let (document, _) = subject.edited(&edits).ok()?;
        subject = Subject::new(&subject.rules, &Source::new("x.toml", &document.to_text())).ok()?;
        made += 1;
    }
    (!subject.evaluation.legal).then_some((subject, made))
}

fn mended(sample: &Subject, faults: &[(u32, u32, u32)]) -> Result<(), TestCaseError> {
    let Some((subject, made)) = broken(sample, faults) else { return Ok(()) };
    let question = Question { warnings: WarningPolicy::Any, ..Question::default() };
    let found = make_legal(&subject, &question, &Progress::default());
    let about = || {
        let findings: Vec<&str> = subject.evaluation.findings.iter().map(|finding| &*finding.message).collect();
        format!("{made} faults, {}: {findings:#?}", legal_claim(&found))
    };
    prop_assert!(found.ruled_out < made, "{}", about());
    prop_assert!(found.fewest.is_none_or(|fewest| fewest <= made || found.ruled_out < made), "{}", about());
    prop_assert!(found.fewest.is_some_and(|fewest| fewest <= made) || !found.is_complete, "{}", about());
    for way in &found.ways {
        let (_, design) = subject.edited(&way.edits).map_err(|finding| TestCaseError::fail(finding.message))?;
        let after = moldloft_rules::evaluate::evaluate(&subject.rules, &design, &subject.ship);
        prop_assert!(after.legal && way.after.legal, "{}", about());
    }
    // Each number by itself, all that it can be.
    if found.ruled_out > 0 {
        let space = SearchSpace::bare(&subject, &question);
        for lever in all_levers(&space.trial()) {
            let one = space.with_levers(vec![lever]);
            let mut scorer = Scorer::new(&one);
            let mut is_legal = false;
            each_point(&one, |point| is_legal |= scorer.score(point).is_some_and(|found| scorer.confirms(&found)));
            prop_assert!(!is_legal, "{} alone: {}", one.levers[0].id, about());
        }
    }
    Ok(())
}

#[test]
fn broken_designs_are_mended_with_no_more_changes_than_broke_them() {
    for (game, design) in DESIGNS {
        let sample = subject(game, design);
        let faults = proptest::collection::vec((any::<u32>(), any::<u32>(), any::<u32>()), 1..=4);
        let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
        if let Err(error) = runner.run(&faults, |faults| mended(&sample, &faults)) {
            panic!("{game} {design}: {error}");
        }
    }
}
