//! The plan of a muster: takes a fleet, gives every unit that is to be evaluated, with her name, hull number and key. What the units of one entry
//! have alike they share; what each has for herself counts against the job's allowance. Never evaluates.

use std::sync::Arc;

use crate::allowance::Allowance;
use crate::design::fleet::{Fleet, FleetShip, UNITS_MOST};
use crate::design::{Asks, CarriedBy, Damage, Load, OfFleet, Plain, Ship, Word};
use crate::finding::{Finding, Findings};
use crate::library::games::Games;
use crate::ruleset::{RelationKind, Ruleset};
use crate::source::toml::Data;

use super::classes::Classes;
use super::muster::unknown_key;
use super::{Class, LeftOut, Lies, Mustered, roll};

/// A unit before it is evaluated.
pub(super) struct Plan {
    pub entry: usize,
    pub carried: Option<(usize, usize)>,
    pub copy: u32,
    pub towed_by: Option<usize>,
    pub class: Arc<Class>,
    pub ship: Ship,
}

/// Something carried: where the entry says so, its own words, its class, what the carrier then has of it, a ship with all that is alike.
struct Pod<'f> {
    place: (usize, usize),
    words: &'f FleetShip,
    class: Arc<Class>,
    relation: Arc<str>,
    ship: Ship,
}

/// What a player calls an entry.
fn called(ship: &FleetShip) -> String {
    let word = [&ship.name, &ship.hull_number, &ship.design].into_iter().flatten().next();
    let words =
        word.map_or_else(|| format!("ship {}", ship.index + 1), |word| word.text.trim().chars().take(60).collect());
    if ship.count > 1 { format!("{words} (×{})", ship.count) } else { words }
}

/// What one more unit of an entry takes, before it is made: her own texts and her place.
fn is_within(allowance: &Allowance, ship: &FleetShip) -> bool {
    let texts: usize = [&ship.name, &ship.hull_number].into_iter().flatten().map(|word| word.text.len() + 16).sum();
    let bytes = texts + size_of::<Plan>();
    allowance.work(bytes as u64) && allowance.keep(bytes)
}

pub(super) fn plan(
    games: &Games,
    mustered: &mut Mustered,
    lies: &Lies,
    ruleset: &Arc<Ruleset>,
    (before, allowance): (&[Arc<Class>], &Allowance),
    found: &mut Findings,
) -> Vec<Plan> {
    let fleet = mustered.fleet.clone();
    let mut classes = Classes::new(games.store(), &fleet, lies, ruleset, before);
    let of_fleet = OfFleet {
        name: text(&fleet.name).unwrap_or_default(),
        side: text(&fleet.side).unwrap_or_default(),
        file: fleet.source.file.clone(),
    };
    let player = text(&fleet.player);
    let mut plans: Vec<Plan> = Vec::new();
    'fleet: for (entry, ship) in fleet.ships.iter().enumerate() {
        let mut leave_out = |carried, one: &FleetShip, findings| {
            mustered.left_out.push(LeftOut { entry, carried, name: called(one), findings });
        };
        let Some(word) = &ship.design else {
            // The fleet's own findings say so.
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
            // So do they of a count without sense.
            leave_out(None, ship, Vec::new());
            continue;
        }
        // What she carries: each list once, whatever her count.
        let mut pods: Vec<Pod<'_>> = Vec::new();
        let mut relations: Vec<Asks> = Vec::new();
        for (n, one) in ship.carried.iter().enumerate() {
            let at = fleet.source.shown(one.span);
            if !ruleset.relations.iter().any(|known| known.id == one.relation.text && known.kind == RelationKind::Carry)
            {
                found.add(|| unknown_key(&fleet, Some(ruleset), &one.relation.text, one.relation.span));
                continue;
            }
            let mut asks = Asks { relation: one.relation.text.clone(), count: one.plain.unwrap_or(0), at };
            for (k, pod) in one.ships.iter().enumerate() {
                asks.count = asks.count.saturating_add(i64::from(pod.count));
                let Some(word) = &pod.design else { continue };
                match classes.get(word) {
                    Ok(class) => pods.push(Pod {
                        place: (n, k),
                        words: pod,
                        class,
                        relation: asks.relation.clone(),
                        ship: alike(&fleet, pod, &of_fleet, None),
                    }),
                    Err(findings) => leave_out(Some((n, k)), pod, findings),
                }
            }
            relations.push(asks);
        }
        relations.extend(sails(&fleet, ship));
        let alike = Ship { relations, ..alike(&fleet, ship, &of_fleet, player.as_ref()) };
        for copy in 1..=ship.count {
            if !is_within(allowance, ship) {
                leave_out(None, ship, vec![too_large(&fleet, ship, copy)]);
                mustered.exceeds_allowance = true;
                continue 'fleet;
            }
            let place = plans.len();
            let mut made = one_of(&fleet, ship, &alike, copy == 1);
            made.name = ship.name_of(copy);
            made.hull_number = ship.hull_number_of(copy);
            plans.push(Plan { entry, carried: None, copy, towed_by: None, class: class.clone(), ship: made });
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
                    at: fleet.source.shown(pod.words.span),
                };
                for pod_copy in 1..=pod.words.count {
                    if !is_within(allowance, pod.words) {
                        leave_out(Some(pod.place), pod.words, vec![too_large(&fleet, pod.words, pod_copy)]);
                        mustered.exceeds_allowance = true;
                        continue 'fleet;
                    }
                    let mut made = one_of(&fleet, pod.words, &pod.ship, pod_copy == 1 && copy == 1);
                    made.name = pod.words.name_of(pod_copy);
                    // Hull numbers run on through what several alike carry.
                    let nth = (copy - 1).saturating_mul(pod.words.count).saturating_add(pod_copy);
                    made.hull_number = pod.words.hull_number_of(nth);
                    made.owner.clone_from(&called);
                    made.carried_by = Some(by.clone());
                    plans.push(Plan {
                        entry,
                        carried: Some(pod.place),
                        copy: pod_copy,
                        towed_by: Some(place),
                        class: pod.class.clone(),
                        ship: made,
                    });
                    if plans.len() > UNITS_MOST as usize {
                        break;
                    }
                }
            }
            if plans.len() > UNITS_MOST as usize {
                let message = format!("more than {UNITS_MOST} ships; skipped the rest");
                let finding = Finding::error("too-many-ships", message).help("split the fleet into several files");
                mustered.findings.push(finding.at(fleet.source.shown(ship.count_at.unwrap_or(ship.span))));
                plans.truncate(UNITS_MOST as usize);
                break 'fleet;
            }
        }
    }
    keys(&mut plans);
    mustered.read = classes.read();
    plans
}

/// What is said of the units of an entry that the job has no room for.
fn too_large(fleet: &Fleet, ship: &FleetShip, from: u32) -> Finding {
    let which = match ship.count - from {
        0 => "skipped 1".to_owned(),
        more => format!("skipped {} of {}", more + 1, ship.count),
    };
    let message = format!("these ships need too much memory; {which}");
    let span = [&ship.name, &ship.hull_number].into_iter().flatten().map(|word| word.span).next().unwrap_or(ship.span);
    Finding::error("too-large", message)
        .help("shorten very long names and hull numbers, or give fewer ships at once")
        .at(fleet.source.shown(span))
}

/// The keys of all units; what is carried knows its carrier's.
fn keys(plans: &mut [Plan]) {
    let keys = {
        let asks = plans.iter().map(|plan| roll::Asks {
            hull_number: plan.ship.hull_number.as_deref(),
            name: plan.ship.name.as_deref(),
            class: class_name(&plan.class).unwrap_or_default(),
            carrier: plan.towed_by,
        });
        roll::keys(&asks.collect::<Vec<_>>())
    };
    for (n, plan) in plans.iter_mut().enumerate() {
        plan.ship.unit = keys[n].clone();
        if let (Some(by), Some(carrier)) = (&mut plan.ship.carried_by, plan.towed_by) {
            by.unit = keys[carrier].clone();
        }
    }
}

fn class_name(class: &Class) -> Option<&str> {
    class.design.name.as_ref().map(|word| word.text.trim()).filter(|name| !name.is_empty())
}

/// A text that says something, as it is written but for the space around it; not copied where there is none.
fn text(word: &Option<Word>) -> Option<Arc<str>> {
    let text = &word.as_ref()?.text;
    match text.trim() {
        "" => None,
        inner if inner.len() == text.len() => Some(text.clone()),
        inner => Some(inner.into()),
    }
}

/// What the ships of an entry have alike.
fn alike(fleet: &Fleet, entry: &FleetShip, of_fleet: &OfFleet, player: Option<&Arc<str>>) -> Ship {
    let group = entry.group.as_ref().and_then(|word| fleet.groups.iter().find(|group| group.id.text == word.text));
    Ship {
        captain: text(&entry.captain),
        owner: text(&entry.owner).or_else(|| player.cloned()),
        notes: text(&entry.notes),
        group: group.and_then(|group| text(&group.name).or_else(|| Some(group.id.text.clone()))),
        load: loads(fleet, entry),
        fleet: Some(of_fleet.clone()),
        ..Ship::default()
    }
}

/// One of them, without her name and number; the first bears the entry's damage.
fn one_of(fleet: &Fleet, entry: &FleetShip, alike: &Ship, is_first: bool) -> Ship {
    let damage = if is_first { entry.damage(&fleet.source) } else { Damage::default() };
    Ship { damage, ..alike.clone() }
}

fn loads(fleet: &Fleet, entry: &FleetShip) -> Arc<[Load]> {
    let plain = |data: &Data<'_>| match data {
        Data::Int(number) => Some(Plain::Number(*number)),
        Data::Flag(flag) => Some(Plain::Flag(*flag)),
        Data::Text(text) => Some(Plain::Text(text.as_ref().into())),
        _ => None,
    };
    let one = |load: &crate::design::fleet::FleetLoad| Load {
        system: load.system.text.clone(),
        mount: load.mount.as_ref().map(|word| word.text.clone()),
        values: load
            .values
            .iter()
            .filter_map(|entry| {
                Some((entry.key.as_ref().into(), plain(&entry.node.data)?, fleet.source.shown(entry.node.span)))
            })
            .collect(),
        at: fleet.source.shown(load.system.span),
    };
    entry.load.iter().map(one).collect()
}

/// The group that a ship sails in as a relation of the ruleset, with how many sail there.
fn sails(fleet: &Fleet, ship: &FleetShip) -> Option<Asks> {
    let word = ship.group.as_ref()?;
    let kind = fleet.groups.iter().find(|group| group.id.text == word.text)?.kind.as_ref()?;
    let members = fleet.ships.iter().filter(|ship| ship.group.as_ref().is_some_and(|other| other.text == word.text));
    let count = members.map(|ship| i64::from(ship.count)).sum();
    Some(Asks { relation: kind.text.clone(), count, at: fleet.source.shown(word.span) })
}
