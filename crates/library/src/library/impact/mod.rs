//! What other rules do to designs and fleets: takes files, the rules before and after, gives points, legality with
//! reasons, and everything else that differs. Each file is read once and evaluated under both.

mod row;
mod summary;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::store::{AssetKind, FileRef, Store};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::evaluate::{Evaluation, diff_results};
use moldloft_rules::ruleset::Ruleset;

use super::fleets::{EvaluatedFleet, evaluate_fleet};
use super::read_design::{ReadDesign, evaluate_design, par_map};
use super::rulesets::Rulesets;

pub use row::{ImpactKind, ImpactOdds, ImpactRow, ImpactSide};
pub use summary::{ImpactChange, impact_changes};

/// Names of the two rulesets in the cache of a job; no file can have them.
const BEFORE: &str = "rules:before";
const AFTER: &str = "rules:after";

/// Texts of files as an editor has them, by path.
pub type OpenTexts = BTreeMap<PathBuf, Source>;

/// All designs and fleets of a game in a store under two rulesets of it, with their files. `None` if the job was
/// cancelled, or one of the rulesets cannot be used. `open`: texts that are not saved yet, in place of those of their files.
pub fn store_impact(
    store: &Store,
    open: &OpenTexts,
    [before, after]: [&[Source]; 2],
    progress: &Progress,
) -> Option<Vec<(FileRef, ImpactRow)>> {
    let rulesets = Rulesets::without_settings(store).with_open_texts(open.clone());
    let before = rulesets.add_sources(BEFORE, before)?;
    let after = rulesets.add_sources(AFTER, after)?;
    let mut ids: Vec<&str> = before.templates.iter().chain(&after.templates).map(|id| &**id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut related: BTreeMap<String, bool> = BTreeMap::new();
    let mut is_of_game = |id: &str| {
        ids.contains(&id)
            || *related
                .entry(id.to_owned())
                .or_insert_with(|| rulesets.find(id).ruleset().is_some_and(|rules| rules.base.id == before.base.id))
    };
    let mut designs = Vec::new();
    for listed in store.list_assets(AssetKind::Design) {
        let Ok(source) = read(&listed.file, open) else { continue };
        let design = Design::read(&source);
        let id = design.as_ref().ok().and_then(|design| design.ruleset.as_ref()).map(|word| word.text.clone());
        if id.is_some_and(|id| is_of_game(&id)) {
            designs.push((listed.file, ReadDesign { file: source.file.clone(), opened: true, design }));
        }
    }
    // Those that no file has yet.
    for (path, source) in open.iter().filter(|(path, _)| path.is_relative()) {
        let design = Design::read(source);
        let id = design.as_ref().ok().and_then(|design| design.ruleset.as_ref()).map(|word| word.text.clone());
        if id.is_some_and(|id| is_of_game(&id)) {
            let read = ReadDesign { file: source.file.clone(), opened: true, design };
            designs.push((FileRef::on_disk(path.clone()), read));
        }
    }
    let mut fleets = Vec::new();
    for listed in store.list_assets(AssetKind::Fleet) {
        let Ok(source) = read(&listed.file, open) else { continue };
        let Ok(fleet) = Fleet::read(&source) else { continue };
        if fleet.ruleset.as_ref().is_some_and(|word| is_of_game(&word.text)) {
            fleets.push((listed.file, source.file.clone(), fleet));
        }
    }
    let mut rows = par_map(designs, |(file, read)| {
        (!progress.is_cancelled()).then(|| (file, design_impact(read, None, [&before, &after], false)))
    });
    for (location, file, fleet) in fleets {
        if progress.is_cancelled() {
            return None;
        }
        let first = evaluate_fleet(&rulesets, fleet.clone(), &location, Some(BEFORE));
        let second = evaluate_fleet(&rulesets, fleet, &location, Some(AFTER));
        rows.push(Some((location, fleet_impact(file, &first, &second))));
    }
    rows.into_iter().collect()
}

fn read(file: &FileRef, open: &OpenTexts) -> Result<Source, Finding> {
    open.get(&file.path).filter(|_| !file.built_in).cloned().map_or_else(|| file.read(), Ok)
}

/// One design under two rulesets, for its sheets.
pub fn design_before_and_after(file: &FileRef, open: &OpenTexts, sources: [&[Source]; 2]) -> Option<[Evaluation; 2]> {
    let design = Design::read(&read(file, open).ok()?).ok()?;
    let [before, after] = sources.map(|sources| Ruleset::load_layers(sources).0.map(Arc::new));
    Some([evaluate_design(&before?, &design), evaluate_design(&after?, &design)])
}

/// A design under two rulesets. `for_odds`: the evaluations are kept.
pub fn design_impact(
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
pub fn fleet_impact(file: Arc<str>, first: &EvaluatedFleet, second: &EvaluatedFleet) -> ImpactRow {
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
