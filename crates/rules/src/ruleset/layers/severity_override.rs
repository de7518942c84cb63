//! Severity of built-in findings: takes a layer's `[change.check.CODE]`, gives the override; a lower severity needs a
//! reason. Findings that protect the program (sizes, formats, overflows) cannot be changed.

use moldloft_base::finding::Severity;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

use super::log::{LayerLog, StatementTarget};
use super::statements::{ChangeKind, SeverityOverride};
use crate::ruleset::grammar::SEVERITIES;
use crate::ruleset::problems::{shorten, suggest};

/// Built-in findings whose severity a layer may change.
#[rustfmt::skip]
const SOFTENABLE: [&str; 26] = [
    "carried-carries", "duplicate-hull-number", "duplicate-id", "empty-group", "field-without-value",
    "fit-without-system", "group-without-id", "missing-mount", "missing-name", "mount-not-allowed", "not-a-load",
    "over-budget", "own-system-computed", "own-system-not-allowed", "own-system-out-of-range", "row-without-value",
    "same-letter", "system-without-kind", "unknown-column", "unknown-field", "unknown-key", "unknown-mount",
    "unknown-option", "unknown-parameter", "unknown-system", "value-out-of-range",
];

/// Built-in findings that protect the program, its formats and its sums.
#[rustfmt::skip]
const PROTECTED: [&str; 31] = [
    "damage-beyond", "damage-on-many", "division-by-zero", "duplicate-design", "load-without-system",
    "missing-design", "missing-ruleset", "mixed-rulesets", "newer-schema", "no-answer", "no-such-item", "not-boxes",
    "not-damage", "not-toml", "nothing-to-load", "outside-workspace", "overflow", "ship-without-design",
    "system-without-id", "too-large", "too-long", "too-many-boxes", "too-many-counters", "too-many-findings",
    "too-many-ships", "too-much-work", "unknown-damage", "unknown-group", "unknown-relation", "unused-design",
    "wrong-type",
];

/// Codes of built-in findings whose severity a layer may change.
pub fn softenable_codes() -> [&'static str; 26] {
    SOFTENABLE
}

/// Whether a built-in code is in exactly one of the two lists.
#[cfg(test)]
pub fn is_classified(code: &str) -> bool {
    SOFTENABLE.contains(&code) != PROTECTED.contains(&code)
}

fn parse_severity(table: &TomlTable<'_>) -> Option<Option<Severity>> {
    let text = table.text("severity")?;
    SEVERITIES.iter().find(|(word, _)| *word == text).map(|(_, severity)| *severity)
}

fn severity_rank(severity: Option<Severity>) -> u8 {
    match severity {
        Some(Severity::Error) => 3,
        Some(Severity::Warning) => 2,
        Some(Severity::Info) => 1,
        None => 0,
    }
}

pub(super) fn lowers_severity(old: &TomlTable<'_>, new: &TomlTable<'_>) -> bool {
    match (parse_severity(old), parse_severity(new)) {
        (Some(old), Some(new)) => severity_rank(new) < severity_rank(old),
        _ => false,
    }
}

/// Reports a check that is softened or removed without a reason.
pub(super) fn report_missing_reason(log: &LayerLog<'_>, span: Span, code: &str, done: &str) {
    let message = format!("check `{}` is {done} without a reason", shorten(code));
    log.reject(
        "missing-reason",
        span,
        message,
        "add reason = \"why your group plays it this way\": sheets and opponents see it",
    );
}

/// The second parts of codes that start with a relation's id: `tow-over-limit`.
const RELATION_ENDINGS: [&str; 4] = ["-not-alike", "-not-allowed", "-over-limit", "-under-limit"];

/// Changes the severity of a built-in finding; false when the code is unknown.
pub(super) fn override_builtin(
    log: &LayerLog<'_>,
    checks: &[TomlNode<'_>],
    span: Span,
    code: &str,
    new: &TomlTable<'_>,
) -> bool {
    let relation = |ending: &str| code.strip_suffix(ending).is_some_and(|id| log.base_has("relation", id));
    let known = SOFTENABLE.contains(&code) || RELATION_ENDINGS.into_iter().any(relation);
    if PROTECTED.contains(&code) {
        let message = format!("cannot soften `{}`: it protects the totals and the sheets", shorten(code));
        log.reject("cannot-soften", span, message, format!("these can be softened: {}", SOFTENABLE.join(", ")));
        return true;
    }
    if !known {
        let ids: Vec<&str> = checks.iter().filter_map(|check| check.text_at("code")).chain(SOFTENABLE).collect();
        let near = suggest(code, ids.iter().copied());
        let help = log.removed_by("check", code).unwrap_or(if near.is_empty() {
            "add a new check with [[check]]; `moldloft explain DESIGN CODE` explains a code".to_owned()
        } else {
            near
        });
        log.reject("unknown-id", span, format!("cannot change check `{}`: not found", shorten(code)), help);
        return true;
    }
    for entry in &new.entries {
        if !["severity", "reason", "remove"].contains(&entry.key.as_ref()) {
            let message = format!("cannot change `{}` of `{}`: a built-in finding", shorten(&entry.key), shorten(code));
            log.reject("unknown-key", entry.span, message, "change only its `severity`, with a `reason`");
        }
    }
    let severity = match (log.removal_span(new), new.get("severity")) {
        (Some(_), _) => None,
        (None, None) => {
            log.reject(
                "missing-key",
                span,
                format!("[change.check.{}]: missing `severity`", shorten(code)),
                "add severity = \"warning\", \"info\" or \"off\", and a reason",
            );
            return true;
        }
        (None, Some(node)) => match parse_severity(new) {
            Some(severity) => severity,
            None => {
                let word = if let TomlValue::Text(text) = &node.data {
                    shorten(text)
                } else {
                    node.data.type_name().to_owned()
                };
                let help = suggest(&word, SEVERITIES.iter().map(|(word, _)| *word));
                log.reject(
                    "unknown-word",
                    node.span,
                    format!("check {}: `severity` cannot be `{word}`", shorten(code)),
                    help,
                );
                return true;
            }
        },
    };
    let Some(reason) = log.reason_text(new) else {
        report_missing_reason(log, span, code, "softened");
        return true;
    };
    let target = StatementTarget::new("check", code).with_reason(Some(reason.clone()));
    if log.record(span, span, ChangeKind::Changed, target) {
        log.add_severity_override(SeverityOverride { code: code.into(), severity, reason, span });
    }
    true
}
