//! Designs and fleets for a job: the files that paths name, read and evaluated side by side, in the order given.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use moldloft_base::allowance::Allowance;
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::plural;
use moldloft_library::library::{
    CheckedDesign, EvaluatedFleet, FleetInput, InputContent, Language, LoadedRuleset, ReadDesign, Rulesets,
    check_design, evaluate_fleets, par_map, read_input,
};
use moldloft_library::store::{InputFile, Store};
use moldloft_rules::evaluate::Evaluation;

use super::outcome::RunOutcome;
use super::rulesets::require_ruleset;
use super::terminal::{print_findings, with_progress};

// How a player chooses rules, the same words in every subcommand. (A comment for documentation would be the help of the subcommand.)
#[derive(Clone, clap::Args)]
pub struct RulesetArgs {
    /// Use this ruleset instead of those the designs name
    #[arg(long, value_name = "ID")]
    pub rules: Option<String>,
    /// Change a setting of the ruleset, such as mu=cm
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// What a command that prints shows its results in ([`LanguageArg`](super::language_arg::LanguageArg)).
    #[arg(skip)]
    pub language: Option<Language>,
}

pub enum JobItem {
    Design(Box<CheckedDesign>),
    Fleet(Box<EvaluatedFleet>),
    /// A fleet that cannot be read: the file as the player named it, and the findings.
    Unread(Arc<str>, Vec<Finding>),
}

impl JobItem {
    /// Every ship of it that could be evaluated, in order.
    pub fn ships(&self) -> Vec<&Evaluation> {
        match self {
            Self::Design(checked) => checked.evaluation.iter().collect(),
            Self::Fleet(fleet) => fleet.units.iter().map(|unit| &unit.evaluation).collect(),
            Self::Unread(..) => Vec::new(),
        }
    }

    /// As [`JobItem::ships`], by value.
    pub fn into_ships(self) -> Vec<Evaluation> {
        match self {
            Self::Design(checked) => checked.evaluation.into_iter().collect(),
            Self::Fleet(fleet) => fleet.units.into_iter().map(|unit| unit.evaluation).collect(),
            Self::Unread(..) => Vec::new(),
        }
    }

    /// Its findings, of a fleet with those of all its units.
    pub fn findings(&self) -> Vec<&Finding> {
        match self {
            Self::Design(checked) => checked.findings().iter().collect(),
            Self::Fleet(fleet) => {
                // A fault that several alike have is reported once.
                let mut distinct: Vec<&Finding> = Vec::new();
                let mut seen = BTreeSet::new();
                for finding in fleet.all_findings() {
                    let at = &finding.at;
                    if seen.insert((&*finding.code, &finding.message, &at.file, at.line, at.column, &at.item)) {
                        distinct.push(finding);
                    }
                }
                distinct
            }
            Self::Unread(_, findings) => findings.iter().collect(),
        }
    }

    /// Prints its findings, without notes.
    pub fn print_findings(&self) {
        print_findings(self.findings().into_iter().filter(|finding| finding.severity < Severity::Info));
    }

    pub fn print_errors(&self) {
        print_findings(self.findings().into_iter().filter(|finding| finding.severity == Severity::Error));
    }

    pub fn is_legal(&self) -> bool {
        match self {
            Self::Design(checked) => checked.legal(),
            Self::Fleet(fleet) => fleet.legal,
            Self::Unread(..) => false,
        }
    }
}

/// How the files of a job were, for the exit status.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobStatus {
    pub has_errors: bool,
    /// Whether no file could be opened.
    pub none_opened: bool,
}

impl JobStatus {
    /// When nothing was printed.
    pub fn without_pages(self) -> RunOutcome {
        if self.none_opened { RunOutcome::CannotRun } else { RunOutcome::Errors }
    }
}

pub struct LoadedJob<T = JobItem> {
    /// One per file, in the order of the command line.
    pub items: Vec<T>,
    /// Findings about no single file: empty folders, the rulesets themselves.
    pub general_findings: Vec<Finding>,
    /// Fleets that were left aside.
    skipped_fleets: usize,
    /// Files found in folders that hold neither a design nor a fleet: rulesets and the like.
    pub skipped_files: usize,
}

impl LoadedJob {
    /// Whether no file could be opened.
    pub fn is_empty(&self) -> bool {
        !self.items.iter().any(|item| !matches!(item, JobItem::Design(checked) if !checked.opened))
    }

    /// How its files were.
    pub fn status(&self) -> JobStatus {
        JobStatus { has_errors: self.has_errors(), none_opened: self.is_empty() }
    }

    /// Reports the fleets that were left aside.
    pub fn skipped_fleets(&self) -> Option<Finding> {
        let them = if self.skipped_fleets == 1 { "it" } else { "them" };
        let message = format!("skipped {} in the same folder", plural(self.skipped_fleets, "fleet"));
        let found = Finding::info("fleets-left-aside", message);
        (self.skipped_fleets > 0).then(|| found.help(format!("name {them}, or a folder that has only fleets")))
    }

    /// The ships in order; findings are printed, without notes.
    fn into_ships(self) -> (Vec<Evaluation>, JobStatus) {
        print_findings(&self.skipped_fleets());
        let status = self.status();
        print_findings(&self.general_findings);
        let mut ships = Vec::with_capacity(self.items.len());
        for item in self.items {
            item.print_findings();
            ships.extend(item.into_ships());
        }
        (ships, status)
    }

    pub fn has_errors(&self) -> bool {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        self.general_findings.iter().any(is_error)
            || self.items.iter().any(|item| item.findings().into_iter().any(is_error))
    }
}

/// What becomes of fleets that are found in folders, not named by the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundFleets {
    Kept,
    /// Left aside where there are designs too: their ships would be printed twice.
    LeftAside,
}

/// Reads and evaluates the designs and fleets that paths name, for who asks no odds.
///
/// # Errors
/// A finding when the rules that `--rules` or `--set` ask for cannot be used; faults of single files are in the job.
pub fn load(store: &Store, paths: &[PathBuf], rules: &RulesetArgs) -> Result<LoadedJob, Finding> {
    load_each(rulesets_for_sheets(store, rules)?, paths, rules, FoundFleets::Kept, checked_item, |item| item)
}

/// The ships that paths name, in order; findings are printed, without notes.
///
/// # Errors
/// As [`load`].
pub fn load_ships(
    store: &Store,
    paths: &[PathBuf],
    rules: &RulesetArgs,
) -> Result<(Vec<Evaluation>, JobStatus), Finding> {
    let games = rulesets_for_sheets(store, rules)?;
    Ok(load_each(games, paths, rules, FoundFleets::LeftAside, checked_item, |item| item)?.into_ships())
}

fn rulesets_for_sheets(store: &Store, rules: &RulesetArgs) -> Result<Rulesets, Finding> {
    Ok(Rulesets::new(store, &rules.set)?.for_sheets().in_language(rules.language.clone()))
}

/// As [`load`], with the attacks of the rules.
///
/// # Errors
/// As [`load`].
pub fn load_with_attacks(store: &Store, paths: &[PathBuf], rules: &RulesetArgs) -> Result<LoadedJob, Finding> {
    load_each(
        Rulesets::new(store, &rules.set)?.in_language(rules.language.clone()),
        paths,
        rules,
        FoundFleets::Kept,
        checked_item,
        |item| item,
    )
}

fn checked_item(read: ReadDesign, rules: Option<&LoadedRuleset>) -> JobItem {
    JobItem::Design(Box::new(check_design(read, rules)))
}

/// As [`load`], but of each file only what `design` makes of a design with the rules that it names, and `other` of anything else, is kept, so that
/// many evaluations are not in memory together.
///
/// # Errors
/// As [`load`].
pub fn load_each<T: Send>(
    games: Rulesets,
    paths: &[PathBuf],
    rules: &RulesetArgs,
    found_fleets: FoundFleets,
    design: impl Fn(ReadDesign, Option<&LoadedRuleset>) -> T + Send + Sync,
    other: impl Fn(JobItem) -> T + Send + Sync,
) -> Result<LoadedJob<T>, Finding> {
    let inputs = games.store().inputs(paths);
    let mut job = load_by_each(&games, inputs, rules.rules.as_deref(), found_fleets, design, other)?;
    games.check_settings_used()?;
    job.general_findings.extend(games.findings());
    Ok(job)
}

/// Reads and evaluates files that were found, by these rules or those that they name; findings of the rules are not in the job.
///
/// # Errors
/// A finding when `rules` cannot be used.
pub fn load_by(
    games: &Rulesets,
    inputs: (Vec<InputFile>, Vec<Finding>),
    rules: Option<&str>,
    found_fleets: FoundFleets,
) -> Result<LoadedJob, Finding> {
    load_by_each(games, inputs, rules, found_fleets, checked_item, |item| item)
}

/// So many files are read before they are evaluated, so that the texts of a large folder are not in memory together.
const GROUP: usize = 512;

fn load_by_each<T: Send>(
    games: &Rulesets,
    (found, general_findings): (Vec<InputFile>, Vec<Finding>),
    rules: Option<&str>,
    found_fleets: FoundFleets,
    design: impl Fn(ReadDesign, Option<&LoadedRuleset>) -> T + Send + Sync,
    other: impl Fn(JobItem) -> T + Send + Sync,
) -> Result<LoadedJob<T>, Finding> {
    if let Some(id) = rules {
        require_ruleset(games, id)?;
    }
    let progress = Progress::default();
    progress.begin_phase("file", found.len());
    with_progress(&progress, || {
        let asked = rules;
        // `None` for a fleet, which comes later: fleets multiply what they name, so they share an allowance; a design is no larger than its file.
        let mut items: Vec<Option<T>> = Vec::with_capacity(found.len());
        let mut fleets: Vec<(usize, FleetInput)> = Vec::new();
        // Places of fleets that are found in folders.
        let mut aside = BTreeSet::new();
        let mut has_designs = false;
        let mut skipped_files = 0;
        let mut found = found.into_iter().peekable();
        while found.peek().is_some() {
            let group: Vec<InputFile> = found.by_ref().take(GROUP).collect();
            let named: Vec<bool> = group.iter().map(|found| found.is_explicit).collect();
            let mut ready: Vec<Option<(InputContent, Option<LoadedRuleset>)>> = Vec::with_capacity(group.len());
            for (content, named) in par_map(group, read_input).into_iter().zip(named) {
                let Some(content) = content else {
                    skipped_files += 1;
                    continue;
                };
                let place = items.len() + ready.len();
                has_designs |= matches!(content, InputContent::Design(_));
                if !named && matches!(content, InputContent::Fleet(..)) {
                    aside.insert(place);
                }
                let rules = match asked.or_else(|| named_ruleset(&content)).filter(|_| !is_unread(&content)) {
                    Some(id) => Some(games.get(id)?),
                    None => None,
                };
                ready.push(match content {
                    InputContent::Fleet(location, _, Ok(fleet)) => {
                        fleets.push((place, FleetInput { fleet: *fleet, location }));
                        None
                    }
                    content => Some((content, rules)),
                });
            }
            items.extend(par_map(ready, |one| {
                progress.step();
                one.map(|(content, rules)| match content {
                    InputContent::Design(read) => design(*read, rules.as_ref()),
                    InputContent::Fleet(_, file, Err(findings)) => other(JobItem::Unread(file, findings)),
                    InputContent::Fleet(..) => unreachable!("those were taken out before"),
                })
            }));
        }
        if found_fleets == FoundFleets::Kept || !has_designs {
            aside.clear();
        }
        let fleets = fleets.into_iter().filter(|(place, _)| !aside.contains(place)).map(|(_, fleet)| fleet).collect();
        let mut fleets = evaluate_fleets(games, fleets, asked, &Allowance::for_job()).into_iter();
        let items = items.into_iter().enumerate().filter(|(place, _)| !aside.contains(place)).map(|(_, item)| item);
        let items = items.filter_map(|item| item.or_else(|| Some(other(JobItem::Fleet(Box::new(fleets.next()?))))));
        let items = items.collect();
        Ok(LoadedJob { items, general_findings, skipped_fleets: aside.len(), skipped_files })
    })
}

/// The ruleset that a file names.
fn named_ruleset(content: &InputContent) -> Option<&str> {
    match content {
        InputContent::Design(read) => read.ruleset(),
        InputContent::Fleet(_, _, fleet) => Some(&fleet.as_ref().ok()?.ruleset.as_ref()?.text),
    }
}

/// Whether a file is no design that can be read.
fn is_unread(content: &InputContent) -> bool {
    matches!(content, InputContent::Design(read) if read.design.is_err())
}
