//! `moldloft rules impact A B PATH…`: shows what another ruleset changes in designs and fleets: points, legality with
//! reasons, and all differing values, tracks, tables and counters. Each file is read once and evaluated under both.

mod export;
mod files;
mod html;
mod odds;
mod row;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::outcome::RunOutcome;
use crate::cli::render::clean;
use crate::cli::terminal::{print_findings, print_stdout};
use crate::design::fleet::Fleet;
use crate::evaluate::{Evaluation, diff_results};
use crate::finding::{Finding, Severity};
use crate::library::{
    EvaluatedFleet, InputContent, LoadedRuleset, ReadDesign, Rulesets, evaluate_design, evaluate_fleet, layer_sources,
    par_map, read_input, unusable_ruleset,
};
use crate::ruleset::{Ruleset, differences};
use crate::store::{self, Store};

use row::{ImpactKind, ImpactRow, ImpactSide};

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
    let (found, input_findings) = store::find_inputs(&arguments.paths, store.workspace());
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
    let mut rows = par_map(ready, |(one, failed)| impact_row(one, failed, [&before, &after], arguments.odds));
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
                fleet_row(file, &first, &second)
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
        files::write_impact(path, [&ruleset_title(&before), &ruleset_title(&after)], &rows, foreign)?;
    } else if arguments.json {
        print_stdout(&export::rows_to_json(&rows)?)?;
    } else if arguments.csv {
        print_stdout(&export::rows_to_csv(&rows))?;
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

/// `for_odds`: the evaluations are kept.
fn impact_row(
    one: ReadDesign,
    failed: Option<Finding>,
    [before, after]: [&Arc<Ruleset>; 2],
    for_odds: bool,
) -> ImpactRow {
    let mut row = ImpactRow { is_readable: one.opened, ..ImpactRow::new(one.file) };
    let design = match one.design {
        Ok(design) => design,
        Err(findings) => {
            row.failed = findings;
            return row;
        }
    };
    row.name = design.name.as_ref().map(|word| word.text.to_string()).unwrap_or_default();
    if let Some(mut finding) = failed {
        if let Some(word) = &design.ruleset {
            finding.at = design.source.place_with_snippet(word.span);
        }
        row.failed.push(finding);
        return row;
    }
    let (first, second) = (evaluate_design(before, &design), evaluate_design(after, &design));
    let side = |evaluation: &Evaluation| ImpactSide { points: evaluation.points, legal: evaluation.legal };
    (row.before, row.after) = (side(&first), side(&second));
    row.new_findings = findings_only_in(&second.findings, &first.findings);
    row.gone_findings = findings_only_in(&first.findings, &second.findings);
    row.effects = diff_results(&first, &second);
    row.evaluations = for_odds.then(|| Box::new((first, second)));
    row
}

/// A fleet under both rulesets, with ships matched by key.
fn fleet_row(file: Arc<str>, first: &EvaluatedFleet, second: &EvaluatedFleet) -> ImpactRow {
    let side = |fleet: &EvaluatedFleet| ImpactSide { points: fleet.points, legal: fleet.legal };
    let own = |fleet: &EvaluatedFleet| {
        let skipped = fleet.skipped.iter().flat_map(|one| &one.findings);
        fleet.findings.iter().chain(skipped).cloned().collect::<Vec<_>>()
    };
    let mut row = ImpactRow { kind: ImpactKind::Fleet, name: second.name(), ..ImpactRow::new(file) };
    (row.before, row.after) = (side(first), side(second));
    row.new_findings = findings_only_in(&own(second), &own(first));
    row.gone_findings = findings_only_in(&own(first), &own(second));
    row.budget = second.fleet.budget.as_ref().map(|budget| budget.points);
    let evaluations = |fleet: &'_ EvaluatedFleet| -> BTreeMap<Arc<str>, usize> {
        let keys = fleet.units.iter().enumerate();
        keys.map(|(place, unit)| (unit.evaluation.ship.unit.clone(), place)).collect()
    };
    let (old, new) = (evaluations(first), evaluations(second));
    for unit in &second.units {
        let after = &unit.evaluation;
        let before = old.get(&after.ship.unit).map(|place| &first.units[*place].evaluation);
        row.ships.push(ship_row(before, Some(after)));
    }
    for unit in first.units.iter().filter(|unit| !new.contains_key(&unit.evaluation.ship.unit)) {
        row.ships.push(ship_row(Some(&unit.evaluation), None));
    }
    row
}

fn ship_row(before: Option<&Evaluation>, after: Option<&Evaluation>) -> ImpactRow {
    let Some(one) = after.or(before) else { return ImpactRow::new("".into()) };
    let side = |of: Option<&Evaluation>| {
        of.map_or(ImpactSide::default(), |of| ImpactSide { points: of.points, legal: of.legal })
    };
    let found = |of: Option<&Evaluation>| of.map_or_else(Vec::new, |of| of.findings.clone());
    let (old, new) = (found(before), found(after));
    let named = [one.ship.hull_number.as_deref(), one.ship.name.as_deref()];
    let named: Vec<&str> = named.into_iter().flatten().filter(|name| !name.is_empty()).collect();
    let name = if named.is_empty() { one.name.to_string() } else { format!("{} ({})", named.join(" "), one.name) };
    ImpactRow {
        kind: ImpactKind::Ship,
        name,
        before: side(before),
        after: side(after),
        new_findings: findings_only_in(&new, &old),
        gone_findings: findings_only_in(&old, &new),
        effects: before.zip(after).map(|(before, after)| diff_results(before, after)).unwrap_or_default(),
        ..ImpactRow::new(one.file.clone())
    }
}

fn findings_only_in(list: &[Finding], other: &[Finding]) -> Vec<Finding> {
    let same = |a: &Finding, b: &Finding| {
        a.code == b.code && a.severity == b.severity && a.message == b.message && a.at.line == b.at.line
    };
    list.iter().filter(|one| !other.iter().any(|known| same(one, known))).cloned().collect()
}
