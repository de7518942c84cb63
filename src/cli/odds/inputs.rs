//! The ships of a fight: takes the files of the command line and the name of an opponent, gives evaluated ships.

use std::path::Path;
use std::sync::Arc;

use crate::cli::load::{FoundFleets, JobItem, LoadedJob, load_by};
use crate::cli::render::clean;
use moldloft_base::finding::{Finding, Severity};
use moldloft_library::library::Rulesets;
use moldloft_library::store::{self, InputFile, Store};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::Ruleset;

use super::args::OddsArgs;

pub struct LoadedShips {
    pub attackers: Vec<Evaluation>,
    /// Empty without `--against`.
    pub targets: Vec<Evaluation>,
    pub findings: Vec<Finding>,
    pub has_errors: bool,
    /// Whether no file could be opened.
    pub none_opened: bool,
}

/// # Errors
/// A finding when the rules cannot be used, or there is no such opponent.
pub fn load_ships(store: &Store, arguments: &OddsArgs, rules: Option<&str>) -> Result<LoadedShips, Finding> {
    let games = Rulesets::new(store, &arguments.set)?.in_language(arguments.language.language());
    let job = load_by(&games, store.inputs(&arguments.paths), rules, FoundFleets::LeftAside)?;
    let mut findings: Vec<Finding> = job.skipped_fleets().into_iter().collect();
    let (mut has_errors, mut none_opened) = (job.has_errors(), job.is_empty());
    let attackers = take_ships(job, &mut findings);
    let mut targets = Vec::new();
    if let Some(against) = &arguments.against
        && let Some(first) = attackers.first()
    {
        let files = find_opponent(store, against, &first.ruleset.templates)?;
        let job = load_by(&games, (files, Vec::new()), rules, FoundFleets::Kept)?;
        has_errors |= job.has_errors();
        none_opened |= job.is_empty();
        targets = take_ships(job, &mut findings);
    }
    games.check_settings_used()?;
    findings.extend(games.findings());
    Ok(LoadedShips { attackers, targets, findings, has_errors, none_opened })
}

/// The first ship of an opponent's file or name.
///
/// # Errors
/// A finding when there is no such opponent, or it cannot be evaluated.
pub fn load_opponent(
    store: &Store,
    games: &Rulesets,
    name: &Path,
    rules: Option<&str>,
    own: &Ruleset,
) -> Result<Evaluation, Finding> {
    let files = find_opponent(store, name, &own.templates)?;
    let job = load_by(games, (files, Vec::new()), rules, FoundFleets::Kept)?;
    let mut findings = Vec::new();
    let ships = take_ships(job, &mut findings);
    ships.into_iter().next().ok_or_else(|| {
        let message = format!("cannot evaluate {}", clean(&name.to_string_lossy()));
        findings.into_iter().next().unwrap_or_else(|| Finding::error("wrong-argument", message))
    })
}

/// Each class once; findings that are errors.
fn take_ships(job: LoadedJob, findings: &mut Vec<Finding>) -> Vec<Evaluation> {
    let mut ships: Vec<Evaluation> = Vec::new();
    findings.extend(job.general_findings);
    for item in job.items {
        let errors = item.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
        findings.extend(errors.cloned());
        let is_fleet = matches!(item, JobItem::Fleet(_));
        let from = ships.len();
        for ship in item.into_ships() {
            let known = |other: &Evaluation| other.file == ship.file && other.name == ship.name;
            if !is_fleet || !ships[from..].iter().any(known) {
                ships.push(ship);
            }
        }
    }
    ships
}

/// A file or folder, or the design or fleet of this name, of the same game if several have it.
fn find_opponent(store: &Store, name: &Path, games: &[Arc<str>]) -> Result<Vec<InputFile>, Finding> {
    let (found, findings) = store::find_inputs(&[name.to_path_buf()], store.workspace());
    match (found.as_slice(), findings.into_iter().next()) {
        ([one], _) if one.is_word() => Ok(vec![InputFile::named(store.named_file(&name.to_string_lossy(), games)?)]),
        ([], Some(finding)) => Err(finding),
        _ => Ok(found),
    }
}
