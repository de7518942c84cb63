//! Designs for a job: the files that paths stand for, read and evaluated side by side, in the order given.

use std::path::PathBuf;

use crate::finding::{Finding, Severity};
use crate::library::read::read;
use crate::library::{Checked, Games, Read, each, judge};
use crate::store::{self, Store};

use super::games::need;

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
    let games = Games::new(store, &rules.set)?;
    if let Some(id) = &rules.rules {
        need(&games, id)?;
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
                    Some(id) => Some(games.get(id)?),
                    None => None,
                }
            }
            Err(_) => None,
        };
        ready.push((one, rules));
    }
    games.settings_used()?;
    let designs = each(ready, |(read, rules)| judge(read, rules.as_ref()));
    beside.extend(games.findings());
    Ok(Job { designs, beside, passed_over })
}
