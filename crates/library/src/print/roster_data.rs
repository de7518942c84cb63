//! An evaluated fleet for its own pages: takes a fleet and its numbered ships, gives the roster with groups, skipped
//! ships with reasons, broken rules by ship, and damage as a short text. Draws nothing.

use std::sync::Arc;

use crate::library::{EvaluatedFleet, Fingerprint, fleet_facts};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::list_names;
use moldloft_base::words::around_in_words;
use moldloft_rules::evaluate::{BoxKind, Evaluation, FitResult, FleetFacts, MarkBoxes};
use moldloft_rules::ruleset::Ruleset;
use moldloft_sheet::sheet::fleet_roster::{Roster, RosterGroup, RosterPlace, RosterRemark};

use super::plural;

pub fn roster_data<'a>(fleet: &EvaluatedFleet, ruleset: &Arc<Ruleset>, ships: &'a [Evaluation]) -> Roster<'a> {
    let groups = fleet.fleet.groups.iter().map(|group| {
        let kind = group.kind.as_ref().map(|kind| &*kind.text);
        let label = kind.and_then(|kind| ruleset.relations.iter().find(|relation| *relation.id == *kind));
        RosterGroup {
            name: group.name.as_ref().map_or_else(|| (&*group.id.text).into(), |name| (&*name.text).into()),
            kind: label.map_or_else(|| kind.unwrap_or_default().into(), |relation| ruleset.say_shared(&relation.label)),
            relation: kind.unwrap_or_default().into(),
        }
    });
    let groups: Vec<RosterGroup> = groups.collect();
    let places = fleet.units.iter().map(|unit| RosterPlace {
        group: group_of(fleet, unit.entry),
        towed_by: unit.carrier,
        damage: damage_summary(&unit.evaluation).into(),
    });
    let places: Vec<RosterPlace> = places.collect();
    let left_out = fleet
        .skipped
        .iter()
        .map(|one| RosterRemark { subject: one.name.as_str().into(), text: skip_reason(&one.findings).into() });
    let broken = broken_rules(fleet);
    // Skipped ships are listed by themselves: legality is about the rest.
    let findings = fleet.units.iter().flat_map(|unit| &unit.evaluation.findings).chain(&fleet.findings);
    let errors = findings.filter(|finding| finding.severity == Severity::Error).count();
    let mut assumed: Vec<&str> = Vec::new();
    for words in ships.iter().flat_map(|ship| &ship.assumptions) {
        if !assumed.contains(&&**words) {
            assumed.push(words);
        }
    }
    let facts = FleetFacts {
        code: Fingerprint::of_fleet(fleet).map_or_else(|| "".into(), |code| code.to_string().into()),
        verdict: match (errors, fleet.units.iter().any(|unit| unit.evaluation.custom_system_summary().is_some())) {
            (0, false) => "legal".into(),
            (0, true) => "legal with own systems".into(),
            (errors, false) => format!("NOT LEGAL, {}", plural(errors, "error")).into(),
            (errors, true) => format!("NOT LEGAL, {}, with own systems", plural(errors, "error")).into(),
        },
        legal: errors == 0,
        assumed: assumed.join("; ").into(),
        ..fleet_facts(fleet)
    };
    let left_out = left_out.collect();
    Roster { facts, ruleset: Arc::clone(ruleset), ships, places, groups, left_out, broken, fights: None, card: None }
}

/// The index in the fleet's groups.
pub fn group_of(fleet: &EvaluatedFleet, entry: usize) -> Option<usize> {
    let id = fleet.fleet.ships.get(entry)?.group.as_ref()?;
    fleet.fleet.groups.iter().position(|group| *group.id.text == *id.text)
}

/// Why a ship was skipped, in one sentence.
pub fn skip_reason(findings: &[Finding]) -> String {
    let worst = findings.iter().min_by_key(|finding| finding.severity);
    worst.map_or_else(|| "cannot be used".to_owned(), |finding| finding.message.clone())
}

/// With quotes for the backticks of messages on the screen.
fn printed_message(message: &str) -> String {
    let mut open = false;
    let quoted = message.chars().map(|sign| match sign {
        '`' => {
            open = !open;
            if open { '“' } else { '”' }
        }
        sign => sign,
    });
    quoted.collect()
}

pub fn unit_title(unit: &Evaluation) -> &str {
    unit.ship.hull_number.as_deref().or(unit.ship.name.as_deref()).unwrap_or(&unit.name)
}

/// Every rule that is broken or softened by house rules, with all ships concerned.
fn broken_rules(fleet: &EvaluatedFleet) -> Vec<RosterRemark> {
    const NAMED: usize = 6;
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    let mut tell = |finding: &Finding, house: bool| -> Option<usize> {
        if finding.severity != Severity::Error && !house {
            return None;
        }
        let what =
            if house { format!("{} (allowed by house rules)", finding.message) } else { finding.message.clone() };
        let place = told.iter().position(|(known, _)| *known == what).unwrap_or_else(|| {
            told.push((what, Vec::new()));
            told.len() - 1
        });
        Some(place)
    };
    let mut places: Vec<(usize, &str)> = Vec::new();
    for finding in &fleet.findings {
        places.extend(tell(finding, false).map(|place| (place, "the fleet")));
    }
    for unit in &fleet.units {
        let evaluation = &unit.evaluation;
        for finding in &evaluation.findings {
            let house = finding.severity != Severity::Error && evaluation.ruleset.overrides_severity(&finding.code);
            places.extend(tell(finding, house).map(|place| (place, unit_title(evaluation))));
        }
    }
    for unit in &fleet.units {
        if let Some(own) = unit.evaluation.custom_system_summary() {
            let place = told.iter().position(|(known, _)| **known == **own).unwrap_or_else(|| {
                told.push((own.to_string(), Vec::new()));
                told.len() - 1
            });
            places.push((place, unit_title(&unit.evaluation)));
        }
    }
    for (place, who) in places {
        let names = &mut told[place].1;
        if !names.contains(&who) {
            names.push(who);
        }
    }
    let lead = |names: &[&str]| list_names(names, NAMED);
    told.into_iter()
        .map(|(what, names)| RosterRemark { subject: lead(&names).into(), text: printed_message(&what).into() })
        .collect()
}

/// Damage and remaining ammunition as a short text: `structure 12 of 37, laser 1 of 4, missile 58 of 70 left`.
pub fn damage_summary(unit: &Evaluation) -> String {
    let damage = &unit.ship.damage;
    let marks = if damage.is_empty() { Default::default() } else { moldloft_rules::evaluate::tick_marks(unit) };
    let called = |stem: &str| {
        let track = unit.tracks.iter().find(|track| *track.id == *stem && !track.label.is_empty());
        let fit = unit.fits.iter().find(|fit| is_fit_stem(stem, fit));
        let counter = unit.counters.iter().find(|counter| *counter.id == *stem && !counter.label.is_empty());
        match (track, fit, counter) {
            (Some(track), ..) => track.label.to_string(),
            (_, Some(fit), _) => {
                let mount = unit.mounts.iter().find(|mount| mount.id == fit.mount);
                format!("{} {}", fit.name, mount.map_or(&fit.mount, |mount| &mount.label))
            }
            (.., Some(counter)) => counter.label.to_string(),
            _ => stem.replace(['_', '-'], " "),
        }
    };
    // In the order of the sheet: tracks, systems, the rest; ammunition last.
    let place = |stem: &str| {
        let track = unit.tracks.iter().position(|track| *track.id == *stem);
        let fit = unit.fits.iter().position(|fit| is_fit_stem(stem, fit));
        let is_ammo = marks.get(stem).is_some_and(|boxes| boxes.kind == BoxKind::Ammo);
        (is_ammo, track.unwrap_or(usize::MAX), fit.unwrap_or(usize::MAX))
    };
    let mut stems: Vec<&Arc<str>> = damage.stems().collect();
    stems.sort_by_key(|stem| place(stem));
    let tell = |phrase: &str, values: [String; 3]| {
        around_in_words(unit.ruleset.words.as_deref(), phrase, &values.each_ref().map(String::as_str))
    };
    let words = stems.into_iter().filter_map(|stem| {
        let hit = damage.count(stem);
        Some(match marks.get(stem) {
            Some(boxes) if !boxes.kind.is_lasting() => return None,
            Some(MarkBoxes { count, kind: BoxKind::Ammo }) => {
                tell("{1} {2} of {3} left", [called(stem), count.saturating_sub(hit).to_string(), count.to_string()])
            }
            Some(MarkBoxes { count: 1, .. }) => called(stem),
            Some(MarkBoxes { count, .. }) => tell("{1} {2} of {3}", [called(stem), hit.to_string(), count.to_string()]),
            None => format!("{} {hit}", called(stem)),
        })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Whether marks with this stem are boxes of a fit: `laser_port`.
fn is_fit_stem(stem: &str, fit: &FitResult) -> bool {
    let mount = stem.strip_prefix(&*fit.system).and_then(|rest| rest.strip_prefix('_'));
    mount.is_some_and(|mount| *mount == *fit.mount)
}
