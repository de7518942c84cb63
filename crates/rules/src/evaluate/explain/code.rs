//! Explains a finding code: takes an evaluation and a code, gives the condition, its meaning and help, and where this
//! design has it.

use std::sync::Arc;

use crate::evaluate::Provenance;
use crate::evaluate::codes::CODES;
use crate::evaluate::state::ItTarget;
use crate::ruleset::CheckDef;
use moldloft_base::finding::{Finding, Severity};

use super::{ExplainTarget, Explainer, Explanation};

impl Explainer<'_> {
    /// A check's condition, rule, meaning and marks. `of`: what is between its severity and its message.
    fn check_words<'c, S>(&self, check: &'c CheckDef<S>, of: &str) -> (String, Arc<str>, String, &'c [u32]) {
        let when = check.when.as_ref().map(|when| format!("{} and ", when.source)).unwrap_or_default();
        let severity = check.severity.map_or("off", severity_word);
        let mut note = format!("{severity}{of}{}", text_with_gaps(&check.message.source));
        if let Some(help) = &check.help {
            note.push_str(&format!("; help: {}", text_with_gaps(&help.source)));
        }
        if let Some(reason) = check.reason.as_ref().filter(|_| self.rules.layers.is_empty()) {
            note.push_str(&format!("; {reason}"));
        }
        let rule = self.rule_name(check.span, check.rule.as_ref());
        (format!("{when}{}", check.fails_when.source), rule, note, &check.marks)
    }

    pub(super) fn explain_code(&mut self, code: &str) {
        let check = self.rules.checks.iter().find(|check| *check.code == *code);
        let over_fleet = self.rules.fleet_checks.iter().find(|check| *check.code == *code);
        let known = CODES.iter().find(|(known, _)| *known == code);
        let relation = self.rules.relations.iter().find(|r| {
            code.strip_prefix(&*r.id)
                .is_some_and(|rest| ["-over-limit", "-not-allowed", "-under-limit", "-not-alike"].contains(&rest))
        });
        let (formula, rule, note, marks): (String, Arc<str>, String, &[u32]) = match (check, known, relation) {
            (Some(check), ..) => self.check_words(check, ": "),
            _ if over_fleet.is_some() => {
                let Some(check) = over_fleet else { return };
                let for_each = check.scope.for_each.map(|one| format!("for each {}, ", one.word()));
                self.check_words(check, &format!(", over the fleet: {}", for_each.unwrap_or_default()))
            }
            (None, Some((_, meaning)), _) => {
                (String::new(), "built-in check of all rulesets".into(), (*meaning).to_owned(), &[])
            }
            (None, None, Some(relation)) => {
                let formula = match code.strip_prefix(&*relation.id) {
                    Some("-over-limit") => {
                        relation.limit.as_ref().map(|limit| format!("{} > {}", relation.id, limit.source))
                    }
                    Some("-under-limit") => {
                        relation.least.as_ref().map(|least| format!("{} < {}", relation.id, least.source))
                    }
                    Some("-not-alike") => {
                        let alike = relation.alike.iter().map(|(name, formula)| format!("{name}: {}", formula.source));
                        Some(alike.collect::<Vec<_>>().join(", "))
                    }
                    _ => {
                        let sides = [("from", &relation.from), ("to", &relation.to)].into_iter();
                        let sides =
                            sides.filter_map(|(side, formula)| Some(format!("{side}: {}", formula.as_ref()?.source)));
                        Some(sides.collect::<Vec<_>>().join(", "))
                    }
                };
                let note =
                    format!("error: a fleet demands more of this ship than the rules allow ({})", relation.label);
                (formula.unwrap_or_default(), self.rule_name(relation.span, None), note, &[])
            }
            _ => return,
        };
        let (provenance, house) = self.provenance(marks, marks.len());
        let softened = self.rules.severity_overrides.iter().find(|softened| *softened.code == *code);
        let note = match (house.filter(|_| provenance == Provenance::House || softened.is_none()), softened) {
            (Some(house), _) => format!("{note}; {house}"),
            (None, Some(softened)) => {
                let now = softened.severity.map_or("off", Severity::as_str);
                let origin = if self.rules.is_supplement(softened.span) { "supplement" } else { "house" };
                format!("{note}; {origin}: {now}, {} ({})", softened.reason, self.rules.location(softened.span))
            }
            (None, None) => note,
        };
        let by_house = softened.is_some_and(|softened| !self.rules.is_supplement(softened.span));
        let provenance = if by_house { Provenance::House } else { provenance };
        let has_code = |finding: &&Finding| finding.code == code;
        let found: Vec<&Finding> = match self.of_fleet {
            Some(all) => all.iter().copied().filter(has_code).collect(),
            None => self.evaluation.findings.iter().filter(has_code).collect(),
        };
        let result = match found.len() {
            0 if self.of_fleet.is_some() => "not found in this fleet".to_owned(),
            0 if over_fleet.is_some() => "checked on fleets".to_owned(),
            0 => "not found in this design".to_owned(),
            found => format!("found {found} ×"),
        };
        let lines: Vec<Explanation> = found
            .iter()
            .take(50)
            .map(|finding| {
                let name = finding.at.item.clone().unwrap_or_else(|| code.into());
                let rule = format!("{}:{}", finding.at.file.as_deref().unwrap_or_default(), finding.at.line).into();
                let note = match (&finding.numbers, &finding.help) {
                    (Some(numbers), Some(help)) => Some(format!("{numbers}; help: {help}").into()),
                    (numbers, help) => numbers.as_deref().or(help.as_deref()).map(Arc::from),
                };
                Explanation { note, ..Explanation::plain(1, name, "", finding.message.clone(), rule) }
            })
            .collect();
        self.out.push(Explanation {
            sentence: String::new(),
            target: Some(ExplainTarget::Code(code.into())),
            name: code.into(),
            depth: 0,
            formula,
            numbers: String::new(),
            result,
            rule,
            provenance,
            note: Some(note.into()),
        });
        self.out.extend(lines);
        if let Some(check) = check {
            self.explain_reads(&check.fails_when, ItTarget::Nothing, 1);
        }
    }
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A text with `…` for the values.
fn text_with_gaps(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, slot)) = rest.split_once("{{") {
        out.push_str(before);
        out.push('…');
        rest = slot.split_once("}}").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}
