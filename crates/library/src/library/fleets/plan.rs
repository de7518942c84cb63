//! Plans the units of a fleet: takes a fleet, gives every unit to evaluate with its name, hull number and key. Units of
//! one entry share what is equal; what each has alone counts against the job's allowance. Never evaluates.

use std::sync::Arc;

use crate::library::rulesets::Rulesets;
use crate::store::FileRef;
use moldloft_base::allowance::Allowance;
use moldloft_base::finding::{Finding, FindingList};
use moldloft_base::source::toml::TomlValue;
use moldloft_rules::design::fleet::{Fleet, FleetShip, MAX_UNITS};
use moldloft_rules::design::{CarriedBy, Damage, FleetInfo, RelationUse, Scalar, Ship, ShipLoad, SpannedText};
use moldloft_rules::ruleset::{RelationKind, Ruleset};

use super::classes::ClassLoader;
use super::unknown_key::unknown_key;
use super::{EvaluatedFleet, FleetClass, SkippedShip, unit_keys};

/// A unit before it is evaluated.
pub(super) struct UnitPlan {
    pub entry: usize,
    pub carried: Option<(usize, usize)>,
    pub copy: u32,
    pub carrier: Option<usize>,
    pub class: Arc<FleetClass>,
    pub ship: Ship,
}

/// A carried item. `place`: its indices in the fleet's file; `ship`: the data that all equal items share.
struct CarriedPlan<'f> {
    place: (usize, usize),
    entry: &'f FleetShip,
    class: Arc<FleetClass>,
    relation: Arc<str>,
    ship: Ship,
}

/// The title of an entry.
fn entry_label(ship: &FleetShip) -> String {
    let word = [&ship.name, &ship.hull_number, &ship.design].into_iter().flatten().next();
    let words =
        word.map_or_else(|| format!("ship {}", ship.index + 1), |word| word.text.trim().chars().take(60).collect());
    if ship.count > 1 { format!("{words} (×{})", ship.count) } else { words }
}

/// Takes the allowance for one more unit of an entry, before it is made: its own texts and its place.
fn take_allowance(allowance: &Allowance, ship: &FleetShip) -> bool {
    let texts: usize = [&ship.name, &ship.hull_number].into_iter().flatten().map(|word| word.text.len() + 16).sum();
    let bytes = texts + size_of::<UnitPlan>();
    allowance.spend_work(bytes as u64) && allowance.reserve_memory(bytes)
}

pub(super) fn plan_units(
    rulesets: &Rulesets,
    evaluated: &mut EvaluatedFleet,
    location: &FileRef,
    ruleset: &Arc<Ruleset>,
    (before, allowance): (&[Arc<FleetClass>], &Allowance),
    found: &mut FindingList,
) -> Vec<UnitPlan> {
    let fleet = evaluated.fleet.clone();
    let mut classes = ClassLoader::new(rulesets, &fleet, location, ruleset, before);
    let of_fleet = FleetInfo {
        name: trimmed_text(&fleet.name).unwrap_or_default(),
        side: trimmed_text(&fleet.side).unwrap_or_default(),
        band: fleet.band,
        file: fleet.source.file.clone(),
    };
    let player = trimmed_text(&fleet.player);
    let mut plans: Vec<UnitPlan> = Vec::new();
    'fleet: for (entry, ship) in fleet.ships.iter().enumerate() {
        let mut leave_out = |carried, one: &FleetShip, findings| {
            evaluated.skipped.push(SkippedShip { entry, carried, name: entry_label(one), findings });
        };
        let Some(word) = &ship.design else {
            // The fleet has a finding for this.
            leave_out(None, ship, Vec::new());
            continue;
        };
        let class = match classes.get(word) {
            Ok(class) => class,
            Err(findings) => {
                leave_out(None, ship, findings);
                continue;
            }
        };
        if ship.count == 0 {
            // The fleet has a finding for an invalid count.
            leave_out(None, ship, Vec::new());
            continue;
        }
        // Each list of carried items once, whatever the count.
        let mut pods: Vec<CarriedPlan<'_>> = Vec::new();
        let mut relations: Vec<RelationUse> = Vec::new();
        for (n, one) in ship.carried.iter().enumerate() {
            let at = fleet.source.place_with_snippet(one.span);
            if !ruleset.relations.iter().any(|known| known.id == one.relation.text && known.kind == RelationKind::Carry)
            {
                found.add(|| unknown_key(&fleet, Some(ruleset), &one.relation.text, one.relation.span));
                continue;
            }
            let mut asks =
                RelationUse { relation: one.relation.text.clone(), count: one.plain.unwrap_or(0), place: at };
            for (k, pod) in one.ships.iter().enumerate() {
                asks.count = asks.count.saturating_add(i64::from(pod.count));
                let Some(word) = &pod.design else { continue };
                match classes.get(word) {
                    Ok(class) => pods.push(CarriedPlan {
                        place: (n, k),
                        entry: pod,
                        class,
                        relation: asks.relation.clone(),
                        ship: shared_ship(&fleet, pod, &of_fleet, None),
                    }),
                    Err(findings) => leave_out(Some((n, k)), pod, findings),
                }
            }
            relations.push(asks);
        }
        relations.extend(group_relation(&fleet, ship));
        let alike = Ship { relations, ..shared_ship(&fleet, ship, &of_fleet, player.as_ref()) };
        for copy in 1..=ship.count {
            if !take_allowance(allowance, ship) {
                leave_out(None, ship, vec![too_large(&fleet, ship, copy)]);
                evaluated.exceeds_allowance = true;
                continue 'fleet;
            }
            let place = plans.len();
            let mut unit = unit_ship(&fleet, ship, &alike, copy == 1);
            unit.name = ship.copy_name(copy);
            unit.hull_number = ship.copy_hull_number(copy);
            plans.push(UnitPlan { entry, carried: None, copy, carrier: None, class: class.clone(), ship: unit });
            let carrier = &plans[place].ship;
            let called: Option<Arc<str>> = match carrier.hull_number.as_ref().or(carrier.name.as_ref()) {
                Some(called) if !pods.is_empty() => Some(called.as_str().into()),
                Some(_) => None,
                None => class_name(&class).map(Into::into),
            };
            for pod in &pods {
                let by = CarriedBy {
                    relation: pod.relation.clone(),
                    carrier: called.clone().unwrap_or_default(),
                    unit: "".into(),
                    place: fleet.source.place_with_snippet(pod.entry.span),
                };
                for pod_copy in 1..=pod.entry.count {
                    if !take_allowance(allowance, pod.entry) {
                        leave_out(Some(pod.place), pod.entry, vec![too_large(&fleet, pod.entry, pod_copy)]);
                        evaluated.exceeds_allowance = true;
                        continue 'fleet;
                    }
                    let mut unit = unit_ship(&fleet, pod.entry, &pod.ship, pod_copy == 1 && copy == 1);
                    unit.name = pod.entry.copy_name(pod_copy);
                    // Hull numbers continue through what several equal ships carry.
                    let nth = (copy - 1).saturating_mul(pod.entry.count).saturating_add(pod_copy);
                    unit.hull_number = pod.entry.copy_hull_number(nth);
                    unit.owner.clone_from(&called);
                    unit.carried_by = Some(by.clone());
                    plans.push(UnitPlan {
                        entry,
                        carried: Some(pod.place),
                        copy: pod_copy,
                        carrier: Some(place),
                        class: pod.class.clone(),
                        ship: unit,
                    });
                    if plans.len() > MAX_UNITS as usize {
                        break;
                    }
                }
            }
            if plans.len() > MAX_UNITS as usize {
                let message = format!("more than {MAX_UNITS} ships; skipped the rest");
                let finding = Finding::error("too-many-ships", message).help("split the fleet into several files");
                evaluated
                    .findings
                    .push(finding.at(fleet.source.place_with_snippet(ship.count_span.unwrap_or(ship.span))));
                plans.truncate(MAX_UNITS as usize);
                break 'fleet;
            }
        }
    }
    assign_keys(&mut plans);
    evaluated.classes = classes.into_classes();
    plans
}

/// The finding for units of an entry that exceed the allowance.
fn too_large(fleet: &Fleet, ship: &FleetShip, from: u32) -> Finding {
    let which = match ship.count - from {
        0 => "skipped 1".to_owned(),
        more => format!("skipped {} of {}", more + 1, ship.count),
    };
    let message = format!("these ships need too much memory; {which}");
    let span = [&ship.name, &ship.hull_number].into_iter().flatten().map(|word| word.span).next().unwrap_or(ship.span);
    Finding::error("too-large", message)
        .help("shorten very long names and hull numbers, or give fewer ships at once")
        .at(fleet.source.place_with_snippet(span))
}

/// The keys of all units; those of carried items include the carrier's.
fn assign_keys(plans: &mut [UnitPlan]) {
    let keys = {
        let asks = plans.iter().map(|plan| unit_keys::UnitKeyParts {
            hull_number: plan.ship.hull_number.as_deref(),
            name: plan.ship.name.as_deref(),
            class: class_name(&plan.class).unwrap_or_default(),
            carrier: plan.carrier,
        });
        unit_keys::unit_keys(&asks.collect::<Vec<_>>())
    };
    for (n, plan) in plans.iter_mut().enumerate() {
        plan.ship.unit = keys[n].clone();
        if let (Some(by), Some(carrier)) = (&mut plan.ship.carried_by, plan.carrier) {
            by.unit = keys[carrier].clone();
        }
    }
}

fn class_name(class: &FleetClass) -> Option<&str> {
    class.design.name.as_ref().map(|word| word.text.trim()).filter(|name| !name.is_empty())
}

/// The trimmed text, `None` if empty; copied only if it was trimmed.
fn trimmed_text(word: &Option<SpannedText>) -> Option<Arc<str>> {
    let text = &word.as_ref()?.text;
    match text.trim() {
        "" => None,
        inner if inner.len() == text.len() => Some(text.clone()),
        inner => Some(inner.into()),
    }
}

/// What all ships of an entry share.
fn shared_ship(fleet: &Fleet, entry: &FleetShip, of_fleet: &FleetInfo, player: Option<&Arc<str>>) -> Ship {
    let group = entry.group.as_ref().and_then(|word| fleet.groups.iter().find(|group| group.id.text == word.text));
    Ship {
        captain: trimmed_text(&entry.captain),
        owner: trimmed_text(&entry.owner).or_else(|| player.cloned()),
        notes: trimmed_text(&entry.notes),
        group: group.and_then(|group| trimmed_text(&group.name).or_else(|| Some(group.id.text.clone()))),
        load: loads(fleet, entry),
        fleet: Some(of_fleet.clone()),
        ..Ship::default()
    }
}

/// One ship without name and number; the first has the entry's damage.
fn unit_ship(fleet: &Fleet, entry: &FleetShip, alike: &Ship, is_first: bool) -> Ship {
    let damage = if is_first { entry.damage(&fleet.source) } else { Damage::default() };
    Ship { damage, ..alike.clone() }
}

fn loads(fleet: &Fleet, entry: &FleetShip) -> Arc<[ShipLoad]> {
    let plain = |data: &TomlValue<'_>| match data {
        TomlValue::Int(number) => Some(Scalar::Number(*number)),
        TomlValue::Flag(flag) => Some(Scalar::Flag(*flag)),
        TomlValue::Text(text) => Some(Scalar::Text(text.as_ref().into())),
        _ => None,
    };
    let one = |load: &moldloft_rules::design::fleet::FleetLoad| ShipLoad {
        system: load.system.text.clone(),
        mount: load.mount.as_ref().map(|word| word.text.clone()),
        values: load
            .values
            .iter()
            .filter_map(|entry| {
                Some((
                    entry.key.as_ref().into(),
                    plain(&entry.node.data)?,
                    fleet.source.place_with_snippet(entry.node.span),
                ))
            })
            .collect(),
        place: fleet.source.place_with_snippet(load.system.span),
    };
    entry.load.iter().map(one).collect()
}

/// A ship's group as a relation of the ruleset, with the number of its ships.
fn group_relation(fleet: &Fleet, ship: &FleetShip) -> Option<RelationUse> {
    let word = ship.group.as_ref()?;
    let kind = fleet.groups.iter().find(|group| group.id.text == word.text)?.kind.as_ref()?;
    let members = fleet.ships.iter().filter(|ship| ship.group.as_ref().is_some_and(|other| other.text == word.text));
    let count = members.map(|ship| i64::from(ship.count)).sum();
    Some(RelationUse { relation: kind.text.clone(), count, place: fleet.source.place_with_snippet(word.span) })
}
