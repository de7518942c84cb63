//! `moldloft rules impact A B PATH…`: shows what another ruleset changes in designs and fleets: points, legality with
//! reasons, and all differing values, tracks, tables and counters. Each file is read once and evaluated under both.

mod export;
mod files;
mod html;
mod odds;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::csv_args::CsvArgs;
use crate::cli::outcome::RunOutcome;
use crate::cli::render::clean;
use crate::cli::terminal::{print_findings, print_stdout};
use moldloft_base::finding::{Finding, Severity};
use moldloft_library::library::{
    ImpactKind, ImpactRow, InputContent, LoadedRuleset, Rulesets, design_impact, evaluate_fleet, fleet_impact,
    layer_sources, par_map, read_input, unusable_ruleset,
};
use moldloft_library::store::Store;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::ruleset::{Ruleset, differences};

/// Report what another ruleset changes on designs and fleets: points, legality and everything else
#[derive(clap::Args)]
pub struct RulesImpactArgs {
    /// The ruleset before: an id or a file
    #[arg(value_name = "A")]
    before: String,
    /// The ruleset after: an id or a file
    #[arg(value_name = "B")]
    after: String,
    /// Design or fleet files, or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print a JSON report: an array of one object per design
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a CSV table for spreadsheets
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    table: CsvArgs,
    /// Write it to this file: a chart (.svg, .pdf, .png), a page for a browser (.html) or a table (.csv)
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["json", "csv"])]
    output: Option<PathBuf>,
    /// Also work out what each design does to a sister ship, and how it trades with the other designs
    #[arg(long)]
    odds: bool,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &RulesImpactArgs) -> Result<RunOutcome, Finding> {
    if let Some(path) = &arguments.output {
        files::check_format(path)?;
    }
    let (before, mut ruleset_findings) = load_rules(store, &arguments.before)?;
    let (after, more) = load_rules(store, &arguments.after)?;
    ruleset_findings.extend(more);
    ruleset_findings.dedup();
    if before.base.id != after.base.id {
        // Two ids of one game can be compared, but not two games.
        differences(&layer_sources(store, &arguments.before)?, &layer_sources(store, &arguments.after)?).map_err(
            |mut findings| {
                findings
                    .pop()
                    .unwrap_or_else(|| Finding::error("different-games", "cannot compare rulesets of different games"))
            },
        )?;
    }
    let (found, input_findings) = store.inputs(&arguments.paths);
    let games = Rulesets::new(store, &[])?;
    let mut foreign = 0;
    let mut ready = Vec::new();
    let mut fleets = Vec::new();
    for file in par_map(found, read_input).into_iter().flatten() {
        let one = match file {
            InputContent::Design(read) => *read,
            InputContent::Fleet(location, file, fleet) => {
                fleets.push((location, file, fleet));
                continue;
            }
        };
        let id = one.design.as_ref().ok().and_then(|design| design.ruleset.as_ref()).map(|word| word.text.to_string());
        match id {
            Some(id) if !is_about(&before, &id) && !is_about(&after, &id) => match games.get(&id)? {
                LoadedRuleset::Ready(other, _) if other.base.id != before.base.id && other.base.id != after.base.id => {
                    foreign += 1
                }
                LoadedRuleset::Missing(finding) => ready.push((one, Some(finding))),
                LoadedRuleset::Ready(..) | LoadedRuleset::Broken(_) => ready.push((one, None)),
            },
            _ => ready.push((one, None)),
        }
    }
    let mut rows = par_map(ready, |(one, failed)| design_impact(one, failed, [&before, &after], arguments.odds));
    for (location, file, fleet) in fleets {
        let id = fleet.as_ref().ok().and_then(|fleet| fleet.ruleset.as_ref()).map(|word| word.text.to_string());
        if let Some(id) = id.filter(|id| !is_about(&before, id) && !is_about(&after, id))
            && let LoadedRuleset::Ready(other, _) = games.get(&id)?
            && other.base.id != before.base.id
            && other.base.id != after.base.id
        {
            foreign += 1;
            continue;
        }
        let by = |rules: &str, fleet: Fleet| evaluate_fleet(&games, fleet, &location, Some(rules));
        rows.push(match fleet {
            Ok(fleet) => {
                let (first, second) = (by(&arguments.before, (*fleet).clone()), by(&arguments.after, *fleet));
                fleet_impact(file, &first, &second)
            }
            Err(failed) => ImpactRow { kind: ImpactKind::Fleet, failed, ..ImpactRow::new(file) },
        });
    }
    let odds_findings = if arguments.odds { odds::add_odds(&mut rows) } else { Vec::new() };
    print_findings(&ruleset_findings);
    print_findings(&odds_findings);
    print_findings(&input_findings);
    for row in &rows {
        print_findings(&row.failed);
    }
    if let Some(path) = &arguments.output {
        let titles = [&*ruleset_title(&before), &*ruleset_title(&after)];
        files::write_impact(path, titles, &rows, foreign, arguments.table.style())?;
    } else if arguments.json {
        print_stdout(&export::rows_to_json(&rows)?)?;
    } else if arguments.csv {
        print_stdout(&arguments.table.style().text(&export::rows_to_csv(&rows)))?;
    } else {
        let mut out = format!("{} → {}\n", clean(&ruleset_title(&before)), clean(&ruleset_title(&after)));
        out.push_str(&text::impact_text(&rows, foreign));
        if arguments.odds {
            out.push_str(&odds::odds_text(&rows, &after));
        }
        print_stdout(&out)?;
    }
    if !rows.iter().any(|row| row.is_readable) && foreign == 0 {
        return Ok(RunOutcome::CannotRun);
    }
    let error = |finding: &Finding| finding.severity == Severity::Error;
    let errors = ruleset_findings.iter().chain(&odds_findings).chain(&input_findings).any(error)
        || rows.iter().any(|row| !row.failed.is_empty() || !row.after.legal);
    Ok(RunOutcome::from_errors(errors))
}

fn load_rules(store: &Store, what: &str) -> Result<(Arc<Ruleset>, Vec<Finding>), Finding> {
    match Ruleset::load_layers(&layer_sources(store, what)?) {
        (Some(ruleset), findings) => Ok((Arc::new(ruleset), findings)),
        (None, findings) => {
            print_findings(&findings);
            Err(unusable_ruleset(what, &findings))
        }
    }
}

fn is_about(ruleset: &Ruleset, id: &str) -> bool {
    *ruleset.base.id == *id || ruleset.layers.iter().any(|layer| *layer.id == *id)
}

fn ruleset_title(ruleset: &Ruleset) -> String {
    format!("{} ({} {})", ruleset.rules_title(), ruleset.id, ruleset.version)
}
