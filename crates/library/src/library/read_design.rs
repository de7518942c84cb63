//! Reads and evaluates designs: takes files or texts, gives each design with its evaluation, or why there is none.
//! Never prints.

use std::sync::Arc;

use rayon::prelude::*;

use crate::store::{FileRef, InputFile};
use moldloft_base::finding::{Cause, Finding};
use moldloft_base::source::Source;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{Evaluation, evaluate, evaluate_for_findings};
use moldloft_rules::ruleset::Ruleset;

use super::rulesets::{LoadedRuleset, Rulesets, unusable_ruleset};

#[derive(Clone, Debug)]
pub struct CheckedDesign {
    /// As the player named it.
    pub file: Arc<str>,
    /// Whether the file could be opened.
    pub opened: bool,
    /// `None` if the text could not be read as a design.
    pub design: Option<Design>,
    /// `None` if there are no rules for it.
    pub evaluation: Option<Evaluation>,
    /// Why there is no evaluation; empty when there is one, which has its own findings.
    pub failed: Vec<Finding>,
}

impl CheckedDesign {
    pub fn findings(&self) -> &[Finding] {
        self.evaluation.as_ref().map_or(&self.failed, |evaluation| &evaluation.findings)
    }

    /// Whether it follows the rules.
    pub fn legal(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| evaluation.legal)
    }
}

#[derive(Clone, Debug)]
pub struct ReadDesign {
    /// As the player named it.
    pub file: Arc<str>,
    /// Whether the file could be opened.
    pub opened: bool,
    /// The design, or why there is none.
    pub design: Result<Design, Vec<Finding>>,
}

#[derive(Clone, Debug)]
pub enum InputContent {
    /// A design, or a file that is unreadable.
    Design(Box<ReadDesign>),
    /// A fleet with its location and the file's name, or why it cannot be read.
    Fleet(FileRef, Arc<str>, Result<Box<Fleet>, Vec<Finding>>),
}

/// Reads one file; `None` when it has neither a design nor a fleet and was not given as one.
pub fn read_input(found: InputFile) -> Option<InputContent> {
    match found.read() {
        Ok(source) => {
            let design = Design::read(&source);
            if let Err(findings) = &design
                && findings.iter().any(|finding| finding.cause == Some(Cause::NotADesign))
            {
                if Fleet::looks_like_fleet(&source) {
                    let fleet = Fleet::read(&source).map(Box::new);
                    return Some(InputContent::Fleet(found.file, source.file.clone(), fleet));
                }
                if !found.is_explicit {
                    return None;
                }
            }
            Some(InputContent::Design(Box::new(ReadDesign { file: source.file.clone(), opened: true, design })))
        }
        Err(finding) => {
            let file = found.file.path.to_string_lossy().as_ref().into();
            let opened = !matches!(finding.cause, Some(Cause::NoSuchFile | Cause::UnreadableFile | Cause::NotAFile));
            Some(InputContent::Design(Box::new(ReadDesign { file, opened, design: Err(vec![finding]) })))
        }
    }
}

/// Evaluates a design; `rules` are those that it names, if any.
pub fn check_design(read: ReadDesign, rules: Option<&LoadedRuleset>) -> CheckedDesign {
    check_with(read, rules, evaluate_design)
}

/// As [`check_design`], without cost lines, tracks and tables.
pub fn check_findings(read: ReadDesign, rules: Option<&LoadedRuleset>) -> CheckedDesign {
    check_with(read, rules, evaluate_for_findings)
}

fn check_with(
    read: ReadDesign,
    rules: Option<&LoadedRuleset>,
    evaluate: impl FnOnce(&Arc<Ruleset>, &Design) -> Evaluation,
) -> CheckedDesign {
    let ReadDesign { file, opened, design } = read;
    let mut checked = CheckedDesign { file, opened, design: None, evaluation: None, failed: Vec::new() };
    let design = match design {
        Ok(design) => design,
        Err(findings) => {
            checked.failed = findings;
            return checked;
        }
    };
    let at = |mut finding: Finding| {
        if let Some(word) = &design.ruleset {
            finding.at = design.source.place_with_snippet(word.span);
        }
        finding
    };
    match rules {
        Some(LoadedRuleset::Ready(ruleset, _)) => checked.evaluation = Some(evaluate(ruleset, &design)),
        // A finding of an unreadable file has a place already; one of a missing file gets the design's.
        Some(LoadedRuleset::Missing(finding)) if finding.at.file.is_some() => checked.failed.push(finding.clone()),
        Some(LoadedRuleset::Missing(finding)) => checked.failed.push(at(finding.clone())),
        Some(LoadedRuleset::Broken(findings)) => {
            let id = design.ruleset.as_ref().map_or("", |word| &word.text);
            checked.failed.push(at(unusable_ruleset(id, findings)));
        }
        None => {}
    }
    if checked.evaluation.is_none() {
        checked.failed.extend(design.findings.iter().cloned());
        checked.failed.sort_by_key(|finding| finding.severity);
    }
    checked.design = Some(design);
    checked
}

/// As a single ship of its class.
pub fn evaluate_design(ruleset: &Arc<Ruleset>, design: &Design) -> Evaluation {
    evaluate(ruleset, design, &Ship::default())
}

/// Applies `to` to each item, in parallel if there are enough to be worth it; keeps the order.
pub fn par_map<T: Send, U: Send>(list: Vec<T>, to: impl Fn(T) -> U + Send + Sync) -> Vec<U> {
    if list.len() < 16 { list.into_iter().map(to).collect() } else { list.into_par_iter().map(to).collect() }
}

/// Reads a text that is not in a file, or is open in an editor, and evaluates it by the rules that it names.
pub fn check_source(rulesets: &Rulesets, source: &Source) -> CheckedDesign {
    let read = ReadDesign { file: source.file.clone(), opened: true, design: Design::read(source) };
    let rules = read.ruleset().map(|id| rulesets.find(id));
    check_design(read, rules.as_ref())
}

impl ReadDesign {
    pub fn ruleset(&self) -> Option<&str> {
        self.design.as_ref().ok()?.ruleset.as_ref().map(|word| &*word.text)
    }
}
