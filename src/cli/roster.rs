//! A fleet's check as text and as objects: takes an evaluated fleet, gives its roster with points, the total against the budget, and the
//! machine-readable report of the fleet and of each class in it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{plural, shorten};
use moldloft_library::library::{EvaluatedFleet, FleetUnit};
use moldloft_rules::evaluate::{Evaluation, EvaluationReport};

use super::render::{MAX_NAME_CHARS, clean};

/// The roster: a line an entry, what it carries below it, then the total.
pub fn roster_text(fleet: &EvaluatedFleet) -> String {
    let mut out = String::new();
    for line in roster_lines(fleet) {
        let indent = if line.is_carried { "    " } else { "  " };
        let _ = write!(out, "{indent}{}", clean(&line.text));
        if let Some(points) = line.points {
            let _ = write!(out, ", {}", plural(points, "point"));
            if line.count > 1 {
                let _ = write!(out, " in total");
            }
        }
        let own = line.custom_systems.as_ref().map(|own| format!(", {}", clean(own))).unwrap_or_default();
        let _ = writeln!(out, "{}{own}", if line.legal { "" } else { ", not legal" });
    }
    for one in &fleet.skipped {
        let _ = writeln!(out, "  {}: skipped", clean(&one.name));
    }
    let mut verdict = if fleet.legal { "legal" } else { "not legal" }.to_owned();
    if fleet.units.iter().any(|unit| unit.evaluation.custom_system_summary().is_some()) {
        verdict.push_str(" with own systems");
    }
    let carried = fleet.units.iter().filter(|unit| unit.carried.is_some()).count();
    let ships = fleet.units.len() - carried;
    let _ = write!(
        out,
        "{}: {}, {verdict}, {}",
        clean(&fleet.fleet.source.file),
        clean(&shorten(&fleet.name(), MAX_NAME_CHARS)),
        plural(ships, "ship")
    );
    if carried > 0 {
        let _ = write!(out, " and {carried} carried");
    }
    if let Some(points) = fleet.points {
        let _ = match fleet.fleet.budget {
            Some(budget) => write!(out, ", {points} of {}", plural(budget.points, "point")),
            None => write!(out, ", {}", plural(points, "point")),
        };
    }
    out.push('\n');
    out
}

struct CheckRosterLine {
    text: String,
    is_carried: bool,
    count: u32,
    /// Of one unit.
    unit_points: Option<i64>,
    points: Option<i64>,
    legal: bool,
    custom_systems: Option<Arc<str>>,
}

fn roster_lines(fleet: &EvaluatedFleet) -> Vec<CheckRosterLine> {
    let mut lines = Vec::new();
    let mut done: BTreeSet<(usize, Option<(usize, usize)>)> = BTreeSet::new();
    for unit in &fleet.units {
        let key = (unit.entry, unit.carried);
        if !done.insert(key) {
            continue;
        }
        let alike: Vec<&FleetUnit> = fleet.units.iter().filter(|other| (other.entry, other.carried) == key).collect();
        lines.push(CheckRosterLine {
            text: units_text(&alike),
            is_carried: unit.carried.is_some(),
            count: u32::try_from(alike.len()).unwrap_or(u32::MAX),
            unit_points: unit.evaluation.points,
            points: alike.iter().try_fold(0_i64, |sum, unit| Some(sum.saturating_add(unit.evaluation.points?))),
            legal: alike.iter().all(|unit| unit.evaluation.legal),
            custom_systems: unit.evaluation.custom_system_summary().cloned(),
        });
    }
    lines
}

/// `CA-301 HMS Vigilant, Vigilant`; for several `3 × Tern, CL-61 to CL-63`.
fn units_text(alike: &[&FleetUnit]) -> String {
    let (Some(first), Some(last)) = (alike.first(), alike.last()) else { return String::new() };
    let class = if first.evaluation.name.is_empty() { "(no name)" } else { &first.evaluation.name };
    let class = shorten(class, MAX_NAME_CHARS);
    let named = |unit: &FleetUnit| {
        let ship = &unit.evaluation.ship;
        ship.hull_number.clone().or_else(|| ship.name.clone()).map(|name| shorten(&name, MAX_NAME_CHARS))
    };
    if alike.len() > 1 {
        let range = named(first).zip(named(last)).map(|(first, last)| format!(", {first} to {last}"));
        return format!("{} × {class}{}", alike.len(), range.unwrap_or_default());
    }
    let ship = &first.evaluation.ship;
    let own: Vec<&str> = [&ship.hull_number, &ship.name].into_iter().flatten().map(String::as_str).collect();
    if own.is_empty() { class } else { format!("{}, {class}", shorten(&own.join(" "), MAX_NAME_CHARS)) }
}

/// An object for the fleet, in the form of designs', then one for each class, evaluated as its first ship.
pub fn fleet_objects(fleet: &EvaluatedFleet) -> serde_json::Result<Vec<String>> {
    let cost = |line: &CheckRosterLine| {
        let (each, total) = (line.unit_points.unwrap_or(0), line.points.unwrap_or(0));
        json!({ "label": line.text, "count": line.count, "each": each, "total": total })
    };
    let costs: Vec<Value> = roster_lines(fleet).iter().map(cost).collect();
    let skipped = fleet.skipped.iter().flat_map(|one| &one.findings);
    let own = fleet.units.iter().flat_map(|unit| findings_of_unit(fleet, &unit.evaluation));
    let findings: Vec<Value> = fleet.findings.iter().chain(skipped).chain(own).map(Finding::to_json).collect();
    let values = json!({
        "ships": fleet.units.len(),
        "left_out": fleet.skipped.len(),
        "budget": fleet.fleet.budget.map(|budget| budget.points),
        "side": fleet.fleet.side.as_ref().map(|word| &*word.text),
    });
    let object = json!({
        "file": &*fleet.fleet.source.file,
        "ruleset": fleet.ruleset.as_ref().map(|rules| &*rules.id),
        "name": fleet.fleet.name.as_ref().map(|word| &*word.text),
        "legal": fleet.legal,
        "values": values,
        "points": fleet.points,
        "costs": costs,
        "tracks": {},
        "tables": {},
        "findings": findings,
        "own_systems": [],
    });
    let mut objects = vec![serde_json::to_string_pretty(&object)?];
    let mut seen: Vec<*const moldloft_library::library::FleetClass> = Vec::new();
    for unit in &fleet.units {
        let class = Arc::as_ptr(&unit.class);
        if !seen.contains(&class) {
            seen.push(class);
            objects.push(serde_json::to_string_pretty(&EvaluationReport(&unit.evaluation))?);
        }
    }
    Ok(objects)
}

/// A unit's findings are in the fleet's file; an embedded design's own belong to its class.
fn findings_of_unit<'e>(fleet: &'e EvaluatedFleet, evaluation: &'e Evaluation) -> impl Iterator<Item = &'e Finding> {
    let file = &fleet.fleet.source.file;
    let embedded = evaluation.file == *file;
    evaluation.findings.iter().filter(move |finding| !embedded && finding.at.file.as_ref() == Some(file))
}
