//! What a player does to a fleet's ships, as edits of its text: takes the fleet and what is chosen, gives an [`Edit`], or nothing when there is
//! nothing to do. Decides nothing about a game and changes nothing itself.

use std::collections::BTreeSet;

use toml_edit::Value;

use crate::design::fleet::{Carried, Fleet, FleetShip, Group, UNITS_MOST};
use crate::editor::edit::{Edit, Step};

use super::hulls::{self, class_said};

/// `HMS Vigilant`, `CA-301`, `Vigilant`: what a ship is called in menus.
pub fn said(fleet: &Fleet, ship: u32) -> String {
    let known = fleet.ships.iter().find(|known| known.index == ship);
    let word = known.and_then(|ship| ship.name.as_ref().or(ship.hull_number.as_ref()).or(ship.design.as_ref()));
    word.map_or_else(|| format!("ship {}", ship + 1), |word| class_said(&word.text))
}

/// `HMS Vigilant`, `3 ships`.
pub fn about(fleet: &Fleet, ships: &[u32]) -> String {
    match ships {
        [one] => said(fleet, *one),
        many => format!("{} ships", many.len()),
    }
}

/// A key of the fleet itself; empty text takes it out.
pub fn head(fleet: &Fleet, key: &'static str, typed: &str) -> Edit {
    // A fleet without ships is told from a design by its side.
    let stays = key == "side" && fleet.ships.is_empty();
    let key_ = key.to_owned();
    let step = match typed {
        "" if !stays => Step::RemoveTop { key: key_ },
        typed => Step::SetTop { key: key_, value: typed.into() },
    };
    Edit::one(format!("change the {key}"), step)
}

/// The points the fleet may cost; 0 takes the budget out.
pub fn budget(fleet: &Fleet, points: i64) -> Edit {
    let key = "budget".to_owned();
    let mut steps = Vec::new();
    if points > 0 {
        steps.push(Step::SetTop { key, value: points.into() });
    } else {
        steps.extend((fleet.side.is_none() && fleet.ships.is_empty()).then(side));
        steps.push(Step::RemoveTop { key });
    }
    Edit::all("change the budget", steps)
}

/// What tells a fleet without ships from a design.
fn side() -> Step {
    Step::SetTop { key: "side".to_owned(), value: "".into() }
}

/// The name of a group.
pub fn group_name(group: &Group, typed: &str) -> Edit {
    let (at, key) = (group.index as usize, "name".to_owned());
    Edit::one("name the group", Step::SetGroup { group: at, key, value: typed.into() })
}

/// What a group is: one of the ruleset's relations.
pub fn group_kind(group: &Group, kind: &str) -> Edit {
    let (at, key) = (group.index as usize, "kind".to_owned());
    Edit::one("change the kind of the group", Step::SetGroup { group: at, key, value: kind.into() })
}

/// Takes a group out; its ships stay.
pub fn remove_group(group: &Group) -> Edit {
    Edit::one("remove the group", Step::RemoveGroup { group: group.index as usize })
}

/// An id that no group has.
pub fn free_group(fleet: &Fleet) -> String {
    let is_free = |id: &String| fleet.groups.iter().all(|group| *group.id.text != **id);
    let ids = std::iter::once("first".to_owned()).chain((2..10_000).map(|n| format!("group-{n}")));
    ids.into_iter().find(is_free).unwrap_or_default()
}

/// A text of a ship; an empty one is taken out.
pub fn text(fleet: &Fleet, ship: u32, key: &'static str, typed: &str) -> Edit {
    let at = ship as usize;
    let step = match typed {
        "" => Step::RemoveShipKey { ship: at, key: key.to_owned() },
        typed => Step::SetShip { ship: at, key: key.to_owned(), value: typed.into() },
    };
    let what = key.replace('_', " ");
    Edit::one(format!("change the {what} of {}", said(fleet, ship)), step).choosing(vec![ship])
}

/// How many are alike.
pub fn count(fleet: &Fleet, ship: u32, count: i64) -> Option<Edit> {
    let known = fleet.ships.iter().find(|known| known.index == ship)?;
    let count = count.clamp(1, i64::from(UNITS_MOST));
    let at = ship as usize;
    let key = "count".to_owned();
    let step = if count == 1 && known.count_at.is_none() {
        return None;
    } else if count == 1 {
        Step::RemoveShipKey { ship: at, key }
    } else {
        Step::SetShip { ship: at, key, value: count.into() }
    };
    Some(Edit::one(format!("set the count of {} to {count}", said(fleet, ship)), step).choosing(vec![ship]))
}

/// The class of ships, as the file is to name it.
pub fn class(fleet: &Fleet, ships: &[u32], word: &str) -> Option<Edit> {
    let steps =
        ships.iter().map(|ship| Step::SetShip { ship: *ship as usize, key: "design".to_owned(), value: word.into() });
    let label = format!("change {} to {}", about(fleet, ships), class_said(word));
    (!ships.is_empty()).then(|| Edit::all(label, steps.collect()).choosing(ships.to_vec()))
}

/// Another class for every ship of a class, what is carried left aside: the class as the file calls it now, and as it is to.
pub fn refit(fleet: &Fleet, from: &str, to: &str) -> Option<Edit> {
    let is_it = |ship: &&FleetShip| ship.design.as_ref().is_some_and(|word| word.text.trim() == from.trim());
    let ships: Vec<u32> = fleet.ships.iter().filter(is_it).map(|ship| ship.index).collect();
    let edit = class(fleet, &ships, to).filter(|_| from.trim() != to.trim())?;
    Some(Edit { label: format!("refit {} {} as {}", ships.len(), class_said(from), class_said(to)), ..edit })
}

/// The group that ships sail in.
pub fn group(fleet: &Fleet, ships: &[u32], id: Option<&str>) -> Option<Edit> {
    let steps: Vec<Step> = ships
        .iter()
        .map(|ship| {
            let (ship, key) = (*ship as usize, "group".to_owned());
            match id {
                Some(id) => Step::SetShip { ship, key, value: id.into() },
                None => Step::RemoveShipKey { ship, key },
            }
        })
        .collect();
    let label = match id {
        Some(id) => format!("move {} to {id}", about(fleet, ships)),
        None => format!("remove {} from the group", about(fleet, ships)),
    };
    (!ships.is_empty()).then(|| Edit::all(label, steps).choosing(ships.to_vec()))
}

/// Adds ships behind those chosen, or at the end: the class as the file names it, and how many of it.
pub fn add(fleet: &Fleet, chosen: &[u32], classes: &[(String, u32)]) -> Option<Edit> {
    let behind = chosen.iter().max().map_or(fleet.ships.len(), |last| *last as usize + 1);
    let steps: Vec<Step> = classes
        .iter()
        .filter(|(_, count)| *count > 0)
        .enumerate()
        .map(|(n, (design, count))| {
            let mut keys = vec![("design".to_owned(), Value::from(design.as_str()))];
            if *count > 1 {
                keys.push(("count".to_owned(), i64::from(*count).into()));
            }
            Step::AddShip { at: behind + n, keys }
        })
        .collect();
    let many: u32 = classes.iter().map(|(_, count)| *count).sum();
    let label = match classes {
        [(design, 1)] => format!("add a {}", class_said(design)),
        [(design, count)] => format!("add {count} {}", class_said(design)),
        _ => format!("add {many} ships"),
    };
    let new = (behind..behind + steps.len()).filter_map(|at| u32::try_from(at).ok()).collect();
    (!steps.is_empty()).then(|| Edit::all(label, steps).choosing(new))
}

/// Takes ships out; the one behind them is chosen then.
pub fn remove(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all = sorted(ships);
    let left = fleet.ships.len().saturating_sub(all.len());
    let is_bare = left == 0 && fleet.side.is_none() && fleet.budget.is_none();
    let mut steps: Vec<Step> = is_bare.then(side).into_iter().collect();
    steps.extend(all.iter().rev().map(|ship| Step::RemoveShip { ship: *ship as usize }));
    let next = all.first().map(|first| (*first).min(u32::try_from(left.saturating_sub(1)).unwrap_or(0)));
    let next = next.filter(|_| left > 0).into_iter().collect();
    (!all.is_empty()).then(|| Edit::all(format!("remove {}", about(fleet, &all)), steps).choosing(next))
}

/// Puts the like of each behind it, with the next free hull number and without what she has suffered.
pub fn duplicate(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all = sorted(ships);
    let mut taken = hulls::taken(fleet);
    let (mut steps, mut new) = (Vec::new(), Vec::new());
    for (n, ship) in all.iter().enumerate() {
        let known = fleet.ships.iter().find(|known| known.index == *ship)?;
        let at = *ship as usize + n;
        steps.push(Step::CopyShip { ship: at });
        if let Some(hull) = &known.hull_number {
            let free = hulls::free(&hull.text, known.count, &taken);
            taken.extend(hulls::series(&free, known.count));
            steps.push(Step::SetShip { ship: at + 1, key: "hull_number".to_owned(), value: free.into() });
        }
        if !known.hits.is_empty() {
            steps.push(Step::RemoveShipKey { ship: at + 1, key: "damage".to_owned() });
        }
        new.push(u32::try_from(at + 1).ok()?);
    }
    (!all.is_empty()).then(|| Edit::all(format!("duplicate {}", about(fleet, &all)), steps).choosing(new))
}

/// Makes ships of which several are alike into single ones, with the names and hull numbers that they had together.
pub fn split(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all: Vec<&FleetShip> =
        fleet.ships.iter().filter(|ship| ships.contains(&ship.index) && ship.count > 1).collect();
    // From behind, so that those before stay where they are.
    let steps: Vec<Step> = all.iter().rev().map(|ship| Step::PartShip { ship: ship.index as usize }).collect();
    let (mut new, mut more) = (Vec::new(), 0);
    for ship in &all {
        new.extend(ship.index + more..ship.index + more + ship.count);
        more += ship.count - 1;
    }
    let indices: Vec<u32> = all.iter().map(|ship| ship.index).collect();
    let label = format!("split {} into single ships", about(fleet, &indices));
    (!steps.is_empty()).then(|| Edit::all(label, steps).choosing(new))
}

/// Gives each of the ships chosen the next hull number that no ship has: counted on from her own, else from the last one of her class,
/// else from the last one there is.
pub fn number(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all = sorted(ships);
    let mut taken = hulls::taken(fleet);
    let mut steps = Vec::new();
    for ship in &all {
        let known = fleet.ships.iter().find(|known| known.index == *ship)?;
        let free = hulls::next(fleet, known, &taken);
        taken.extend(hulls::series(&free, known.count));
        steps.push(Step::SetShip { ship: *ship as usize, key: "hull_number".to_owned(), value: free.into() });
    }
    let label = format!("give {} the next hull number", about(fleet, &all));
    (!all.is_empty()).then(|| Edit::all(label, steps).choosing(all))
}

/// Moves ships so that they stand before another, or at the end.
pub fn move_to(fleet: &Fleet, ships: &[u32], before: Option<u32>) -> Option<Edit> {
    let all = sorted(ships);
    let old: Vec<u32> = fleet.ships.iter().map(|ship| ship.index).collect();
    let mut rest: Vec<u32> = old.iter().copied().filter(|ship| !all.contains(ship)).collect();
    // Before one that is itself moved: before the next that is not.
    let before = before.and_then(|before| old.iter().copied().find(|ship| *ship >= before && !all.contains(ship)));
    let at = before.and_then(|before| rest.iter().position(|ship| *ship == before)).unwrap_or(rest.len());
    rest.splice(at..at, all.iter().copied());
    reorder(fleet, &all, &old, &rest)
}

/// Moves ships one place up or down.
pub fn shift(fleet: &Fleet, ships: &[u32], up: bool) -> Option<Edit> {
    let all = sorted(ships);
    let old: Vec<u32> = fleet.ships.iter().map(|ship| ship.index).collect();
    let mut new = old.clone();
    if !up {
        new.reverse();
    }
    for at in 1..new.len() {
        if all.contains(&new[at]) && !all.contains(&new[at - 1]) {
            new.swap(at - 1, at);
        }
    }
    if !up {
        new.reverse();
    }
    reorder(fleet, &all, &old, &new)
}

fn reorder(fleet: &Fleet, moved: &[u32], old: &[u32], new: &[u32]) -> Option<Edit> {
    let mut now = old.to_vec();
    let mut steps = Vec::new();
    for (to, ship) in new.iter().enumerate() {
        let from = now.iter().position(|known| known == ship)?;
        if from != to {
            let ship = now.remove(from);
            now.insert(to, ship);
            steps.push(Step::MoveShip { from, to });
        }
    }
    let chosen = new.iter().zip(0..).filter(|(ship, _)| moved.contains(ship)).map(|(_, at)| at).collect();
    (!steps.is_empty()).then(|| Edit::all(format!("move {}", about(fleet, moved)), steps).choosing(chosen))
}

/// What a ship carries by a relation: each class, as the file names it, with how many. What is said of those that stay is kept.
pub fn carried(fleet: &Fleet, ship: u32, relation: &str, label: &str, classes: &[(String, u32)]) -> Option<Edit> {
    let known = fleet.ships.iter().find(|known| known.index == ship)?;
    let list = known.carried.iter().find(|carried| *carried.relation.text == *relation);
    let old: &[FleetShip] = list.map_or(&[], |carried| &carried.ships);
    let at = ship as usize;
    let relation = || relation.to_owned();
    let mut steps = Vec::new();
    if list.is_some_and(|list| list.plain.is_some()) {
        // A plain number names no class: what is chosen stands instead.
        steps.push(Step::RemoveShipKey { ship: at, key: relation() });
    }
    let word = |one: &FleetShip| one.design.as_ref().map(|word| word.text.to_string()).unwrap_or_default();
    let mut wanted: Vec<(String, u32)> = classes.to_vec();
    let mut gone = Vec::new();
    for one in old {
        let place = one.index as usize;
        let chosen = wanted.iter().position(|(design, _)| *design == word(one)).map(|at| wanted.remove(at));
        match chosen {
            Some((_, count)) if count == one.count => {}
            Some((_, 1)) => {
                let key = "count".to_owned();
                steps.push(Step::RemoveCarriedKey { ship: at, relation: relation(), at: place, key });
            }
            Some((_, count)) if count > 0 => {
                let (key, value) = ("count".to_owned(), i64::from(count).into());
                steps.push(Step::SetCarried { ship: at, relation: relation(), at: place, key, value });
            }
            _ => gone.push(place),
        }
    }
    let added = wanted.into_iter().filter(|(_, count)| *count > 0);
    steps.extend(added.map(|(design, count)| Step::AddCarried { ship: at, relation: relation(), design, count }));
    // Last and from behind, so that the others stay where they are, and the list as it is written.
    let gone = gone.into_iter().rev();
    steps.extend(gone.map(|place| Step::RemoveCarried { ship: at, relation: relation(), at: place }));
    let label = format!("change the {label} of {}", said(fleet, ship));
    (!steps.is_empty()).then(|| Edit::all(label, steps).choosing(vec![ship]))
}

/// Another load for a parameter of the fits of a system at a mount; `None`: as the design has it.
pub fn load(
    fleet: &Fleet,
    ship: u32,
    (system, mount): (&str, &str),
    (key, label): (&str, &str),
    value: Option<Value>,
) -> Option<Edit> {
    let known = fleet.ships.iter().find(|known| known.index == ship)?;
    // A load for every mount holds here too; one of this mount goes before it.
    let says = |at: Option<&str>| {
        known.load.iter().any(|load| {
            *load.system.text == *system
                && load.mount.as_ref().map(|word| &*word.text) == at
                && load.values.iter().any(|entry| *entry.key == *key)
        })
    };
    let at = if says(Some(mount)) || !says(None) { Some(mount.to_owned()) } else { None };
    let step = Step::SetLoad { ship: ship as usize, system: system.to_owned(), mount: at, key: key.to_owned(), value };
    Some(Edit::one(format!("load {}: {label}", said(fleet, ship)), step).choosing(vec![ship]))
}

/// What a ship carries, all relations together.
pub fn all_carried(ship: &FleetShip) -> impl Iterator<Item = (&Carried, &FleetShip)> {
    ship.carried.iter().flat_map(|carried| carried.ships.iter().map(move |ship| (carried, ship)))
}

fn sorted(ships: &[u32]) -> Vec<u32> {
    let set: BTreeSet<u32> = ships.iter().copied().collect();
    set.into_iter().collect()
}
