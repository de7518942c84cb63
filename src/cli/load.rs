//! Designs for a job: the files that paths stand for, read and evaluated side by side, in the order given.

use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::design::{Design, Ship};
use crate::evaluate::{Evaluation, evaluate};
use crate::finding::{Finding, Severity};
use crate::ruleset::Ruleset;
use crate::store::{self, Found, Store};

use super::games::{Games, Loaded, unusable};

/// How a player chooses rules, the same words in every subcommand.
#[derive(Clone, clap::Args)]
pub struct Rules {
    /// Try these rules on the designs instead of those they name
    #[arg(long, value_name = "ID")]
    pub rules: Option<String>,
    /// Change a setting of the ruleset, such as mu=cm
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// A job's designs.
pub struct Job {
    /// One a file, in the order of the command line.
    pub designs: Vec<Checked>,
    /// What concerns no single design: empty folders, the rulesets themselves.
    pub beside: Vec<Finding>,
    /// Files come upon in folders that hold no design: rulesets, fleets and the like.
    pub passed_over: usize,
}

/// A file, judged.
pub struct Checked {
    /// As the player named it.
    pub file: Arc<str>,
    /// Whether the file could be opened.
    pub opened: bool,
    /// The design, if its text could be read.
    pub design: Option<Design>,
    /// The evaluation, if there are rules for it.
    pub evaluation: Option<Evaluation>,
    /// Why there is no evaluation; empty when there is one, which holds its own findings.
    pub failed: Vec<Finding>,
}

impl Checked {
    /// What was found.
    pub fn findings(&self) -> &[Finding] {
        self.evaluation.as_ref().map_or(&self.failed, |evaluation| &evaluation.findings)
    }

    /// Whether it keeps the rules.
    pub fn legal(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| evaluation.legal)
    }
}

impl Job {
    /// Whether no file could be opened at all: nothing could run.
    pub fn is_nothing(&self) -> bool {
        !self.designs.iter().any(|design| design.opened)
    }

    /// Whether anything of severity error was found.
    pub fn has_errors(&self) -> bool {
        let errors = |findings: &[Finding]| findings.iter().any(|finding| finding.severity == Severity::Error);
        errors(&self.beside) || self.designs.iter().any(|design| errors(design.findings()))
    }
}

/// Reads and evaluates the designs that paths stand for.
///
/// # Errors
/// A finding when the rules asked for by `--rules` or `--set` cannot be had; faults of single files are in the job.
pub fn load(store: &Store, paths: &[PathBuf], rules: &Rules) -> Result<Job, Finding> {
    let mut games = Games::new(store, &rules.set)?;
    if let Some(id) = &rules.rules {
        games.need(id)?;
    }
    let (found, mut beside) = store::find(paths);
    let read = each(found, read);
    let before = read.len();
    let read: Vec<Read> = read.into_iter().flatten().collect();
    let passed_over = before - read.len();
    let mut ready = Vec::with_capacity(read.len());
    for one in read {
        let rules = match &one.design {
            Ok(design) => {
                let named = design.ruleset.as_ref();
                match rules.rules.as_deref().or(named.map(|word| &*word.text)) {
                    Some(id) => Some(games.get(id)?.clone()),
                    None => None,
                }
            }
            Err(_) => None,
        };
        ready.push((one, rules));
    }
    games.settings_used()?;
    let designs = each(ready, |(read, rules)| judge(read, rules));
    beside.extend(games.findings().cloned());
    Ok(Job { designs, beside, passed_over })
}

/// A file, read.
pub(in crate::cli) struct Read {
    pub file: Arc<str>,
    pub opened: bool,
    pub design: Result<Design, Vec<Finding>>,
}

/// Reads one file; `None` when it holds no design and nobody said it would.
pub(in crate::cli) fn read(found: Found) -> Option<Read> {
    match found.read() {
        Ok(source) => {
            let design = Design::read(&source);
            if let Err(findings) = &design
                && !found.named
                && findings.iter().any(|finding| finding.code == "not-a-design")
            {
                return None;
            }
            Some(Read { file: source.file.clone(), opened: true, design })
        }
        Err(finding) => {
            let file = found.path.to_string_lossy().as_ref().into();
            let opened = !matches!(finding.code.as_ref(), "no-such-file" | "unreadable-file" | "not-a-file");
            Some(Read { file, opened, design: Err(vec![finding]) })
        }
    }
}

fn judge(read: Read, rules: Option<Loaded>) -> Checked {
    let Read { file, opened, design } = read;
    let mut checked = Checked { file, opened, design: None, evaluation: None, failed: Vec::new() };
    let design = match design {
        Ok(design) => design,
        Err(findings) => {
            checked.failed = findings;
            return checked;
        }
    };
    let at = |mut finding: Finding| {
        if let Some(word) = &design.ruleset {
            finding.at = design.source.shown(word.span);
        }
        finding
    };
    match rules {
        Some(Loaded::Ready(ruleset, _)) => checked.evaluation = Some(alone(&ruleset, &design)),
        // A file that cannot be read names itself; one that is not there is named by the design.
        Some(Loaded::Missing(finding)) if finding.at.file.is_some() => checked.failed.push(finding),
        Some(Loaded::Missing(finding)) => checked.failed.push(at(finding)),
        Some(Loaded::Broken(findings)) => {
            let id = design.ruleset.as_ref().map_or("", |word| &word.text);
            checked.failed.push(at(unusable(id, &findings)));
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

/// A lone ship of its class.
pub(in crate::cli) fn alone(ruleset: &Arc<Ruleset>, design: &Design) -> Evaluation {
    evaluate(ruleset, design, &Ship::default())
}

/// Applies `to` to each, side by side where there are enough to pay for starting threads; the order stays.
pub(in crate::cli) fn each<T: Send, U: Send>(list: Vec<T>, to: impl Fn(T) -> U + Send + Sync) -> Vec<U> {
    if list.len() < 16 { list.into_iter().map(to).collect() } else { list.into_par_iter().map(to).collect() }
}
