//! `moldloft odds`: works out exactly what ships' weapons do to another ship.

mod args;
mod files;
pub(super) mod inputs;

use serde_json::json;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::list_names;
use moldloft_base::words::Words;
use moldloft_library::library::Rulesets;
use moldloft_library::print::{check_chart_path, is_table};
use moldloft_library::store::{AssetKind, Store};
use moldloft_odds::odds::{
    MAX_MATRIX, Odds, OddsRequest, comparison_text, matrix, matrix_json, matrix_text, odds_json, odds_text, work_out,
};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::Ruleset;

use super::outcome::RunOutcome;
use super::terminal::{json_report, print_findings, print_stdout, with_progress};
use super::wording::put_flags;

pub use args::OddsArgs;
use inputs::{LoadedShips, load_ships};

/// Most pairs of ships of one run without `--matrix`.
const MAX_PAIRS: usize = 100;

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &OddsArgs) -> Result<RunOutcome, Finding> {
    if arguments.rules.len() > 2 {
        let message = format!("found {} rulesets, expected one or two", arguments.rules.len());
        return Err(Finding::error("wrong-argument", message).help("give --rules once, or twice to compare"));
    }
    if let Some(path) = &arguments.output {
        check_chart_path(path)?;
    }
    let is_chart = arguments.output.as_ref().is_some_and(|path| !is_table(path));
    if arguments.language.language().is_some() && !is_chart {
        let help = "add `-o` with a file name that ends in .svg, .pdf or .png";
        return Err(Finding::error("wrong-argument", "a chart alone has a language").help(help));
    }
    arguments.font.load()?;
    let asked: Vec<Option<&str>> = match arguments.rules.as_slice() {
        [] => vec![None],
        rules => rules.iter().map(|id| Some(id.as_str())).collect(),
    };
    let mut sides = Vec::new();
    for (number, rules) in asked.iter().enumerate() {
        let ships = load_ships(store, arguments, *rules)?;
        if number == 0 {
            print_findings(&ships.findings);
        }
        if ships.attackers.is_empty() || (arguments.against.is_some() && ships.targets.is_empty()) {
            if arguments.json {
                let findings: Vec<_> = ships.findings.iter().map(Finding::to_json).collect();
                let object = json!({ "ruleset": null, "attacker": null, "target": null, "findings": findings });
                print_stdout(&json_report(&[object])?)?;
            }
            return Ok(if ships.none_opened { RunOutcome::CannotRun } else { RunOutcome::Errors });
        }
        sides.push(ships);
    }
    let games: Vec<&Ruleset> = sides.iter().filter_map(|ships| Some(&*ships.attackers.first()?.ruleset)).collect();
    if let [before, after] = games.as_slice()
        && before.base.id != after.base.id
    {
        let message = format!("{} and {} are rules of different games", before.id, after.id);
        return Err(
            Finding::error("other-game", message).help("compare two layers of one game, or a layer with its game")
        );
    }
    let mut fleets = sides.iter().flat_map(|ships| &ships.attackers);
    if let Some(ship) = fleets.find(|ship| ship.ruleset.attack_rules.attacks.is_empty()) {
        return Err(no_odds(store, &ship.ruleset));
    }
    let words = arguments.language.chart_words(store, games.first().copied())?;
    if arguments.matrix {
        return run_matrix(arguments, words.as_ref(), &sides);
    }
    let mut results: Vec<Vec<Odds>> = Vec::new();
    for ships in &sides {
        let mut pairs = pairs_of(arguments, ships)?;
        pairs.iter_mut().for_each(|odds| put_flags(&mut odds.findings));
        results.push(pairs);
    }
    let findings: Vec<&Finding> = results.iter().flatten().flat_map(|odds| &odds.findings).collect();
    report_odds(arguments, words.as_ref(), &results)?;
    if !arguments.json {
        let mut distinct: Vec<&Finding> = Vec::new();
        for finding in &findings {
            if !distinct.contains(finding) {
                distinct.push(finding);
            }
        }
        print_findings(distinct);
    }
    Ok(outcome(&sides, findings.into_iter()))
}

/// Names the games that have odds.
fn no_odds(store: &Store, ruleset: &Ruleset) -> Finding {
    let games = Rulesets::without_settings(store);
    let ids = store.list_assets(AssetKind::Ruleset).into_iter().map(|asset| asset.id);
    let others: Vec<String> = ids
        .filter(|id| games.find(id).ruleset().is_some_and(|ruleset| !ruleset.attack_rules.attacks.is_empty()))
        .collect();
    let help = "write [[attack]] into them as docs/rulesets/attacks.md says";
    let help = match others.is_empty() {
        true => help.to_owned(),
        false => format!("{help}; rules with attacks: {}", list_names(&others, 12)),
    };
    Finding::error("no-odds", format!("the rules of {} declare no attacks", ruleset.id)).help(help)
}

fn outcome<'f>(sides: &[LoadedShips], mut findings: impl Iterator<Item = &'f Finding>) -> RunOutcome {
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    RunOutcome::from_errors(sides.iter().any(|ships| ships.has_errors) || findings.any(is_error))
}

fn report_odds(arguments: &OddsArgs, words: Option<&Words>, results: &[Vec<Odds>]) -> Result<(), Finding> {
    if let Some(path) = &arguments.output {
        let all: Vec<&Odds> = results.iter().flatten().collect();
        return files::write_odds(path, &all, words, arguments);
    }
    if arguments.json {
        let objects: Vec<_> = results.iter().flatten().map(odds_json).collect();
        return print_stdout(&json_report(&objects)?);
    }
    let texts: Vec<String> = match results {
        [before, after] => before.iter().zip(after).map(|(before, after)| comparison_text(before, after)).collect(),
        _ => results.iter().flatten().map(|odds| odds_text(odds, arguments.over.is_some())).collect(),
    };
    print_stdout(&texts.join("\n"))
}

/// The odds of each attacker on each target, or on a sister ship.
fn pairs_of(arguments: &OddsArgs, ships: &LoadedShips) -> Result<Vec<Odds>, Finding> {
    let count = ships.attackers.len() * ships.targets.len().max(1);
    if count > MAX_PAIRS {
        let message = format!("{count} pairs of ships, at most {MAX_PAIRS} are worked out");
        return Err(Finding::error("too-many-pairs", message).help("name fewer designs, or use --matrix"));
    }
    let mut all = Vec::with_capacity(count);
    for own in &ships.attackers {
        let question = request(arguments).question(&own.ruleset.attack_rules)?;
        let sister = std::slice::from_ref(own);
        let targets = if arguments.against.is_some() { &ships.targets[..] } else { sister };
        all.extend(targets.iter().map(|target| work_out(own, target, &question)));
    }
    Ok(all)
}

fn request(arguments: &OddsArgs) -> OddsRequest {
    let range = arguments.range.iter().map(|range| format!("range={range}"));
    OddsRequest::default()
        .situation(arguments.with.iter().cloned().chain(range).collect())
        .over(arguments.over.clone())
        .attacks(arguments.attack.clone())
        .parts(arguments.output.is_some())
        .turns(arguments.turns)
        .has_duel(arguments.duel)
        .best(arguments.best.clone())
}

fn run_matrix(arguments: &OddsArgs, words: Option<&Words>, sides: &[LoadedShips]) -> Result<RunOutcome, Finding> {
    let mut matrices = Vec::new();
    for ships in sides {
        let found: Vec<&Evaluation> = ships.attackers.iter().collect();
        if let Some(other) = found.iter().find(|ship| ship.ruleset.base.id != found[0].ruleset.base.id) {
            let message = format!("a ship of {} cannot fire at one of {}", found[0].ruleset.id, other.ruleset.id);
            return Err(Finding::error("other-game", message).help("name designs of one game"));
        }
        if found.len() > MAX_MATRIX {
            let message = format!("{} designs in a matrix, at most {MAX_MATRIX} are allowed", found.len());
            return Err(Finding::error("too-many-ships", message).help("name fewer designs"));
        }
        let ruleset = &found[0].ruleset;
        let question = request(arguments).question(&ruleset.attack_rules)?;
        matrices.extend(with_progress(&question.progress, || matrix(&found, &question)));
    }
    matrices.iter_mut().for_each(|matrix| put_flags(&mut matrix.findings));
    if let Some(path) = &arguments.output {
        files::write_matrices(path, &matrices, words, arguments)?;
    } else if arguments.json {
        let objects: Vec<_> = matrices.iter().map(matrix_json).collect();
        print_stdout(&json_report(&objects)?)?;
    } else {
        let texts: Vec<String> = matrices.iter().map(matrix_text).collect();
        print_stdout(&texts.join("\n"))?;
    }
    let findings = matrices.iter().flat_map(|matrix| &matrix.findings);
    if !arguments.json {
        print_findings(findings.clone());
    }
    Ok(outcome(sides, findings))
}
