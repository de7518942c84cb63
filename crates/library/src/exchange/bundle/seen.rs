//! What this program sees of a design, a fleet or a ruleset, in the words of a manifest.

use std::collections::BTreeSet;

use crate::library::{EvaluatedFleet, Fingerprint, ruleset_code};
use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::evaluate::{Evaluation, ValueResult};
use moldloft_rules::ruleset::Ruleset;

use super::model::{SeenResult, SeenRuleset, SeenValue};

pub(super) fn seen_ruleset(ruleset: &Ruleset) -> SeenRuleset {
    SeenRuleset {
        id: ruleset.id.to_string(),
        title: ruleset.title.to_string(),
        version: ruleset.version.to_string(),
        code: ruleset_code(ruleset),
    }
}

pub(super) fn seen_design(file: &str, evaluation: &Evaluation) -> SeenResult {
    let headline = |value: &&ValueResult| value.headline && &*value.id != "points";
    let value = |value: &ValueResult| SeenValue {
        id: value.id.to_string(),
        label: value.label.to_string(),
        value: value.value.shown().unwrap_or_else(|| "–".to_owned()),
    };
    SeenResult {
        file: file.to_owned(),
        name: evaluation.name.to_string(),
        ruleset: evaluation.ruleset.id.to_string(),
        points: evaluation.points,
        legal: evaluation.legal,
        errors: error_codes(&evaluation.findings),
        values: evaluation.values.iter().filter(headline).map(value).collect(),
    }
}

pub(super) fn seen_fleet(file: &str, fleet: &EvaluatedFleet) -> SeenResult {
    let ruleset = fleet.fleet.ruleset.as_ref().map(|word| word.text.to_string()).unwrap_or_default();
    let value = |id: &str, value: String| SeenValue { id: id.to_owned(), label: id.to_owned(), value };
    let code = Fingerprint::of_fleet(fleet).map(|code| code.to_string());
    let mut values = vec![value("ships", fleet.units.len().to_string())];
    values.extend(code.map(|code| value("code", code)));
    SeenResult {
        file: file.to_owned(),
        name: fleet.name(),
        ruleset,
        points: fleet.points,
        legal: fleet.legal,
        errors: error_codes(fleet.all_findings()),
        values,
    }
}

fn error_codes<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<String> {
    let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.code.to_string()).collect::<BTreeSet<_>>().into_iter().collect()
}
