//! What an editor asks of every game: mends that mend, margins that are true, numbers explained down to the leaves, places refused as they
//! are found.

use moldloft::design::{DesignEdit, Document, Scalar};
use moldloft::evaluate::{Evaluation, ExplainTarget, MarginKind, explain, explain_target, margins, quick_fix};
use moldloft::finding::Finding;
use moldloft::formula::Value;
use moldloft::ruleset::Ruleset;

use super::{samples, ship};
use crate::support::rules::{folder, load, said, source};

/// What is offered for a finding makes it go, and every check that can be mended is mended in some failing design.
pub fn every_fix_mends(id: &str) {
    let rules = load(id);
    let (mut faults, mut mended) = (Vec::new(), Vec::new());
    for path in folder(&format!("tests/cases/{id}/bad")) {
        let text = source(&path).text;
        let before = ship(&rules, &text);
        for (n, finding) in before.findings.iter().enumerate() {
            let Some(mend) = quick_fix(&before, n) else { continue };
            let mut document = Document::parse(&text).unwrap();
            if let Err(refused) = document.apply_edits(&mend.edits) {
                faults.push(format!("{path}: {}: {}: {}", finding.code, mend.sentence, refused.message));
                continue;
            }
            let after = ship(&rules, document.text());
            let same = |other: &&Finding| other.code == finding.code && other.message == finding.message;
            let (had, left) = (before.findings.iter().filter(same).count(), after.findings.iter().filter(same).count());
            if left >= had {
                faults.push(format!(
                    "{path}: {}: {} leaves it:\n{}",
                    finding.code,
                    mend.sentence,
                    said(&after.findings)
                ));
            }
            mended.push(finding.code.to_string());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for check in rules.checks.iter().filter(|check| check.scope.fix.is_some()) {
        assert!(mended.iter().any(|code| **code == *check.code), "no failing design is mended of {}", check.code);
    }
}

/// A field of a design set to a number, and what a value then comes to.
fn with(rules: &std::sync::Arc<Ruleset>, text: &str, field: &str, number: i64, value: &str) -> Value {
    let mut document = Document::parse(text).unwrap();
    document.apply_edits(&[DesignEdit::SetField { field: field.into(), value: Scalar::Number(number) }]).unwrap();
    let ship = ship(rules, document.text());
    ship.values.iter().find(|known| *known.id == *value).unwrap().value.clone()
}

/// Steps by a field are found again by designs with other numbers; budgets by their numbers.
pub fn margins_are_true(id: &str) {
    let rules = load(id);
    for path in folder(&format!("designs/{id}")) {
        let text = source(&path).text;
        let ship = ship(&rules, &text);
        let margins = margins(&ship);
        let wanted = rules
            .values
            .iter()
            .map(|value| value.spare_of.len() + value.room_for.len() + usize::from(value.limit.is_some()));
        assert!(margins.len() <= wanted.sum(), "{path}");
        for margin in &margins {
            let said = margin.sentence();
            let (MarginKind::Slack(steps) | MarginKind::Headroom(steps)) = &margin.kind else {
                let value = ship.values.iter().find(|value| value.id == margin.value).unwrap();
                assert_eq!(value.value, Value::Int(value.limit.unwrap() - margin.remaining()), "{path}: {said}");
                continue;
            };
            assert!((steps.min..=steps.max).contains(&steps.amount) && margin.remaining() >= 0, "{path}: {said}");
            let Some(field) = rules.fields.iter().find(|field| field.id == steps.value) else { continue };
            let at = |number| with(&rules, &text, &field.id, number, &margin.value);
            assert_eq!(
                (at(steps.min), at(steps.max)),
                (margin.result.clone(), margin.result.clone()),
                "{path}: {said}"
            );
            if let Some((next, then)) = &steps.next {
                assert_eq!((*next, at(*next)), (steps.max + 1, then.clone()), "{path}: {said}");
            }
            let least =
                if let moldloft::ruleset::FieldKind::Integer { min, .. } = &field.kind { min.unwrap_or(0) } else { 0 };
            assert!(steps.min == least || at(steps.min - 1) != margin.result, "{path}: {said}");
        }
    }
}

/// Everything that can be asked of a ship.
fn all_asked(ship: &Evaluation) -> Vec<ExplainTarget> {
    let rules = &ship.ruleset;
    let mut asked: Vec<ExplainTarget> =
        ship.values.iter().map(|value| ExplainTarget::Value(value.id.clone())).collect();
    asked.extend(
        ship.values.iter().filter(|value| value.limit.is_some()).map(|value| ExplainTarget::Limit(value.id.clone())),
    );
    asked.extend(ship.fields.iter().map(|field| ExplainTarget::Field(field.id.clone())));
    asked.extend(rules.settings.iter().map(|setting| ExplainTarget::Setting(setting.id.clone())));
    asked.extend(rules.checks.iter().map(|check| ExplainTarget::Code(check.code.clone())));
    asked.extend((0..ship.costs.len()).map(ExplainTarget::Cost));
    for fit in &ship.fits {
        asked.extend(fit.answers.iter().map(|(id, _)| ExplainTarget::Attribute { fit: fit.index, id: id.clone() }));
    }
    asked.push(ExplainTarget::Costs);
    asked
}

pub fn every_number_is_explained(id: &str) {
    for ship in samples(id) {
        let mut led: Vec<(ExplainTarget, String)> = Vec::new();
        for asked in all_asked(&ship) {
            let lines = explain_target(&ship, &asked);
            assert!(lines.iter().any(|line| line.depth == 0), "{}: nothing explains {asked:?}", ship.name);
            if asked != ExplainTarget::Costs {
                assert_eq!(lines[0].target.as_ref(), Some(&asked), "{}", ship.name);
            }
            for line in &lines {
                // A click on a line goes on to the same number.
                let Some(next) = &line.target else { continue };
                if led.iter().any(|(known, result)| known == next && *result == line.result) {
                    continue;
                }
                led.push((next.clone(), line.result.clone()));
                let again = explain_target(&ship, next);
                // A part of a total is count × each and leads to what each has.
                let each = line.formula.rsplit_once(" × ").map_or(&*line.result, |(_, each)| each);
                let same = again.iter().any(|known| {
                    known.depth == 0
                        && (*known.result == *line.result
                            || *known.result == *each
                            || matches!(next, ExplainTarget::Field(_)))
                });
                assert!(same, "{}: {asked:?} leads to {next:?}\n{line:?}\n{again:?}", ship.name);
            }
            match &asked {
                ExplainTarget::Value(id) | ExplainTarget::Field(id) => {
                    assert_eq!(explain(&ship, Some(id)), lines, "{}", ship.name)
                }
                ExplainTarget::Limit(id) => {
                    assert_eq!(explain(&ship, Some(&format!("{id}.limit"))), lines, "{}", ship.name)
                }
                ExplainTarget::Cost(n) => {
                    let each = &ship.costs[*n];
                    assert!(
                        lines[0].result == each.total.to_string() && *lines[0].name == format!("cost: {}", each.label)
                    );
                    let house = |line: &moldloft::evaluate::Explanation| line.depth > 0;
                    assert!(each.each == 0 || lines.iter().any(house), "{}: {lines:?}", ship.name);
                }
                _ => {}
            }
        }
        for unknown in [
            ExplainTarget::Value("x".into()),
            ExplainTarget::Cost(9_999),
            ExplainTarget::Attribute { fit: 9_999, id: "points".into() },
        ] {
            assert!(explain_target(&ship, &unknown).is_empty());
        }
    }
}

/// Each system in each mount: refused if and only if a design with it there has the finding, in the same words.
pub fn refusals_are_findings(id: &str) {
    let rules = load(id);
    for system in rules.systems.iter().filter(|system| !system.is_abstract) {
        for mount in &rules.mounts {
            let fit = format!("[[fit]]\nsystem = '{}'\nmount = '{}'\n", system.id, mount.id);
            let ship = ship(&rules, &format!("ruleset = '{id}'\nname = 'x'\n{fit}"));
            let found = ship.findings.iter().find(|finding| finding.code == "mount-not-allowed");
            let refused = rules.mount_refusal(&system.id, &mount.id);
            assert_eq!(refused.is_some(), found.is_some(), "{fit}");
            if let (Some(refused), Some(found)) = (refused, found) {
                assert!(refused.starts_with(&found.message), "{refused}: {}", found.message);
                assert!(system.rule.as_ref().is_none_or(|rule| refused.contains(&**rule)), "{refused}");
                assert_eq!(ship.mount_refusal(&system.id, &mount.id), Some(refused));
            }
        }
    }
    let nowhere = rules.mount_refusal("no-such-thing", "x").unwrap();
    assert!(nowhere.contains("no system"), "{nowhere}");
}
