//! Checks ticked boxes against the ship: takes a unit, gives findings, and removes boxes that its sheet does not have.

use moldloft_base::finding::{Finding, FindingList, did_you_mean};
use moldloft_rules::design::Damage;
use moldloft_rules::evaluate::{MarkBoxes, tick_marks};

use super::FleetUnit;

/// The most stems in a help text.
const MAX_LISTED: usize = 12;

pub(super) fn check_damage(unit: &mut FleetUnit, found: &mut FindingList) {
    let damage = unit.evaluation.ship.damage.clone();
    if damage.is_empty() {
        return;
    }
    let marks = tick_marks(&unit.evaluation);
    let mut left = Damage::default();
    let ship = &unit.evaluation.ship;
    let who = ship.name.as_deref().or(ship.hull_number.as_deref()).unwrap_or(&unit.evaluation.name);
    let short = |text: &str| text.chars().take(60).collect::<String>();
    let who = short(who);
    for stem in damage.stems() {
        let place = damage.place(stem).cloned().unwrap_or_default();
        let known = marks.get(stem).copied();
        // Unknown boxes are removed even if no more findings are kept.
        if known.is_none() && found.is_full() {
            continue;
        }
        let mut add = |finding: Finding| {
            let mut finding = finding.at(place.clone());
            finding.at.item = Some(who.clone().into());
            found.add(|| finding);
        };
        let Some(MarkBoxes { count: boxes, kind }) = known else {
            let lasting = || marks.iter().filter(|(_, boxes)| boxes.kind.is_lasting()).map(|(known, _)| &**known);
            let help = did_you_mean(stem, lasting()).unwrap_or_else(|| {
                let known: Vec<&str> = lasting().take(MAX_LISTED).collect();
                let more = if lasting().count() > MAX_LISTED { " …" } else { "" };
                format!("available boxes: {}{more}", known.join(", "))
            });
            let message = format!("unknown boxes `{}` of {who}", short(stem));
            add(Finding::error("unknown-damage", message).help(help));
            continue;
        };
        if !kind.is_lasting() {
            let message = format!("`{}` is {}, not damage; skipped", short(stem), kind.phrase());
            let help = "remove the line: a fleet only keeps what is hit or used up";
            add(Finding::warning("not-damage", message).help(help));
            continue;
        }
        let last = damage.runs(stem).last().map_or(0, |(_, last)| *last);
        if last > boxes {
            let message = format!("{stem}: box {last} is ticked, {who} has {boxes}");
            let help = format!("tick boxes 1 to {boxes}");
            let numbers = format!("box = {last}, boxes = {boxes}");
            add(Finding::error("damage-beyond", message).help(help).numbers(numbers));
        }
        let runs = damage.runs(stem).iter().filter(|(first, _)| *first <= boxes);
        left.tick_runs(stem, &runs.map(|&(first, last)| (first, last.min(boxes))).collect::<Vec<_>>());
        left.set_place(stem, place);
    }
    unit.evaluation.ship.damage = left;
}
