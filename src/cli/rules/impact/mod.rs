//! `moldloft rules impact A B PATH…`: what another ruleset does to designs and fleets: points before and after, what became illegal or
//! legal, and why, and every value, track, table and counter that is not the same. Each file is read once and judged by both.

mod export;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::render::clean;
use crate::cli::{Outcome, complain, say};
use crate::design::fleet::Fleet;
use crate::evaluate::{Effect, Evaluation, effects};
use crate::finding::{Finding, Severity};
use crate::library::fleet::{Mustered, muster};
use crate::library::games::unusable;
use crate::library::read::read;
use crate::library::{File, Games, Loaded, Read, alone, chain, each};
use crate::ruleset::{Ruleset, differences};
use crate::store::{self, Store};

/// Report what another ruleset changes on designs and fleets: points, legality and everything else
#[derive(clap::Args)]
pub struct Args {
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
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Design,
    Fleet,
    /// A ship of the fleet above it.
    Ship,
}

/// What comes of one design, fleet or ship.
struct Row {
    kind: Kind,
    file: Arc<str>,
    opened: bool,
    name: String,
    before: Side,
    after: Side,
    /// Findings only the second has, and only the first had.
    new: Vec<Finding>,
    gone: Vec<Finding>,
    /// What else is not the same; of a fleet its ships say it.
    effects: Vec<Effect>,
    /// Of a fleet: what it may cost.
    budget: Option<i64>,
    /// Of a fleet: its ships.
    ships: Vec<Row>,
    /// Why it could not be judged.
    failed: Vec<Finding>,
}

/// One design under one ruleset.
#[derive(Clone, Copy, Default)]
struct Side {
    points: Option<i64>,
    legal: bool,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let (before, mut told) = rules(store, &arguments.before)?;
    let (after, more) = rules(store, &arguments.after)?;
    told.extend(more);
    told.dedup();
    if before.base.id != after.base.id {
        // Two ids of one game can be compared; two games cannot.
        differences(&chain(store, &arguments.before)?, &chain(store, &arguments.after)?).map_err(|mut findings| {
            findings
                .pop()
                .unwrap_or_else(|| Finding::error("different-games", "cannot compare rulesets of different games"))
        })?;
    }
    let (found, beside) = store::find(&arguments.paths, store.workspace());
    let games = Games::new(store, &[])?;
    let mut foreign = 0;
    let mut ready = Vec::new();
    let mut fleets = Vec::new();
    for file in each(found, read).into_iter().flatten() {
        let one = match file {
            File::Design(read) => *read,
            File::Fleet(lies, file, fleet) => {
                fleets.push((lies, file, fleet));
                continue;
            }
        };
        let id = one.design.as_ref().ok().and_then(|design| design.ruleset.as_ref()).map(|word| word.text.to_string());
        match id {
            Some(id) if !speaks_of(&before, &id) && !speaks_of(&after, &id) => match games.get(&id)? {
                Loaded::Ready(other, _) if other.base.id != before.base.id && other.base.id != after.base.id => {
                    foreign += 1
                }
                Loaded::Missing(finding) => ready.push((one, Some(finding))),
                Loaded::Ready(..) | Loaded::Broken(_) => ready.push((one, None)),
            },
            _ => ready.push((one, None)),
        }
    }
    let mut rows = each(ready, |(one, failed)| row(one, failed, &before, &after));
    for (lies, file, fleet) in fleets {
        let id = fleet.as_ref().ok().and_then(|fleet| fleet.ruleset.as_ref()).map(|word| word.text.to_string());
        if let Some(id) = id.filter(|id| !speaks_of(&before, id) && !speaks_of(&after, id))
            && let Loaded::Ready(other, _) = games.get(&id)?
            && other.base.id != before.base.id
            && other.base.id != after.base.id
        {
            foreign += 1;
            continue;
        }
        let by = |rules: &str, fleet: Fleet| muster(&games, fleet, &lies, Some(rules));
        rows.push(match fleet {
            Ok(fleet) => {
                let (first, second) = (by(&arguments.before, (*fleet).clone()), by(&arguments.after, *fleet));
                fleet_row(file, &first, &second)
            }
            Err(failed) => Row { kind: Kind::Fleet, failed, ..Row::new(file) },
        });
    }
    complain(&told);
    complain(&beside);
    for row in &rows {
        complain(&row.failed);
    }
    if arguments.json {
        say(&export::json(&rows)?)?;
    } else if arguments.csv {
        say(&export::csv(&rows))?;
    } else {
        let mut out = format!("{} → {}\n", clean(&title(&before)), clean(&title(&after)));
        out.push_str(&text::text(&rows, foreign));
        say(&out)?;
    }
    if !rows.iter().any(|row| row.opened) && foreign == 0 {
        return Ok(Outcome::Nothing);
    }
    let error = |finding: &Finding| finding.severity == Severity::Error;
    let errors =
        told.iter().chain(&beside).any(error) || rows.iter().any(|row| !row.failed.is_empty() || !row.after.legal);
    Ok(Outcome::of(errors))
}

/// A ruleset of an id or a file, with what was found in it.
fn rules(store: &Store, what: &str) -> Result<(Arc<Ruleset>, Vec<Finding>), Finding> {
    match Ruleset::load_layers(&chain(store, what)?) {
        (Some(ruleset), findings) => Ok((Arc::new(ruleset), findings)),
        (None, findings) => {
            complain(&findings);
            Err(unusable(what, &findings))
        }
    }
}

fn speaks_of(ruleset: &Ruleset, id: &str) -> bool {
    *ruleset.base.id == *id || ruleset.layers.iter().any(|layer| *layer.id == *id)
}

fn title(ruleset: &Ruleset) -> String {
    format!("{} ({} {})", ruleset.rules_title(), ruleset.id, ruleset.version)
}

fn row(one: Read, failed: Option<Finding>, before: &Arc<Ruleset>, after: &Arc<Ruleset>) -> Row {
    let mut row = Row { opened: one.opened, ..Row::new(one.file) };
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
            finding.at = design.source.shown(word.span);
        }
        row.failed.push(finding);
        return row;
    }
    let (first, second) = (alone(before, &design), alone(after, &design));
    let side = |evaluation: &Evaluation| Side { points: evaluation.points, legal: evaluation.legal };
    (row.before, row.after) = (side(&first), side(&second));
    row.new = beyond(&second.findings, &first.findings);
    row.gone = beyond(&first.findings, &second.findings);
    row.effects = effects(&first, &second);
    row
}

/// A fleet by both rulesets: its ships, matched by their keys, and what is said of the whole.
fn fleet_row(file: Arc<str>, first: &Mustered, second: &Mustered) -> Row {
    let side = |mustered: &Mustered| Side { points: mustered.points, legal: mustered.legal };
    let own = |mustered: &Mustered| {
        let left_out = mustered.left_out.iter().flat_map(|one| &one.findings);
        mustered.findings.iter().chain(left_out).cloned().collect::<Vec<_>>()
    };
    let mut row = Row { kind: Kind::Fleet, name: second.name(), ..Row::new(file) };
    (row.before, row.after) = (side(first), side(second));
    row.new = beyond(&own(second), &own(first));
    row.gone = beyond(&own(first), &own(second));
    row.budget = second.fleet.budget.as_ref().map(|budget| budget.points);
    let evaluations = |mustered: &'_ Mustered| -> BTreeMap<Arc<str>, usize> {
        let keys = mustered.units.iter().enumerate();
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

/// A ship of a fleet; one of the two has left it out where there is none.
fn ship_row(before: Option<&Evaluation>, after: Option<&Evaluation>) -> Row {
    let Some(one) = after.or(before) else { return Row::new("".into()) };
    let side = |of: Option<&Evaluation>| of.map_or(Side::default(), |of| Side { points: of.points, legal: of.legal });
    let found = |of: Option<&Evaluation>| of.map_or_else(Vec::new, |of| of.findings.clone());
    let (old, new) = (found(before), found(after));
    let named = [one.ship.hull_number.as_deref(), one.ship.name.as_deref()];
    let named: Vec<&str> = named.into_iter().flatten().filter(|name| !name.is_empty()).collect();
    let name = if named.is_empty() { one.name.to_string() } else { format!("{} ({})", named.join(" "), one.name) };
    Row {
        kind: Kind::Ship,
        name,
        before: side(before),
        after: side(after),
        new: beyond(&new, &old),
        gone: beyond(&old, &new),
        effects: before.zip(after).map(|(before, after)| effects(before, after)).unwrap_or_default(),
        ..Row::new(one.file.clone())
    }
}

/// What one list of findings has beyond the other.
fn beyond(list: &[Finding], other: &[Finding]) -> Vec<Finding> {
    let same = |a: &Finding, b: &Finding| {
        a.code == b.code && a.severity == b.severity && a.message == b.message && a.at.line == b.at.line
    };
    list.iter().filter(|one| !other.iter().any(|known| same(one, known))).cloned().collect()
}

impl Row {
    fn new(file: Arc<str>) -> Self {
        Self {
            kind: Kind::Design,
            file,
            opened: true,
            name: String::new(),
            before: Side::default(),
            after: Side::default(),
            new: Vec::new(),
            gone: Vec::new(),
            effects: Vec::new(),
            budget: None,
            ships: Vec::new(),
            failed: Vec::new(),
        }
    }

    fn difference(&self) -> Option<i64> {
        self.after.points?.checked_sub(self.before.points?)
    }

    fn verdict(&self) -> &'static str {
        match (self.failed.is_empty(), self.before.legal, self.after.legal) {
            (false, ..) => "not checked",
            (_, true, true) => "legal",
            (_, true, false) => "BECAME ILLEGAL",
            (_, false, true) => "became legal",
            (_, false, false) => "not legal",
        }
    }
}
