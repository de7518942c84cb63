//! Edits of a fleet's ships: takes the fleet and the selection, gives an [`Edit`], or `None` if there is nothing to do.
//! Knows no game and changes nothing itself.

use std::collections::BTreeSet;

use toml_edit::Value;

use crate::Edit;
use crate::fleet::hull_numbers::{self, class_display_name};
use moldloft_rules::design::fleet::{CarriedUnits, Fleet, FleetGroup, FleetShip, MAX_UNITS};
use moldloft_rules::design::{DocumentEdit, TableList, TablePath};

/// `HMS Vigilant`, `CA-301`, or `Vigilant` for an unnamed ship.
pub fn ship_label(fleet: &Fleet, ship: u32) -> String {
    let known = fleet.ships.iter().find(|known| known.index == ship);
    let word = known.and_then(|ship| ship.name.as_ref().or(ship.hull_number.as_ref()).or(ship.design.as_ref()));
    word.map_or_else(|| format!("ship {}", ship + 1), |word| class_display_name(&word.text))
}

/// `HMS Vigilant`, `3 ships`.
pub fn describe_ships(fleet: &Fleet, ships: &[u32]) -> String {
    match ships {
        [one] => ship_label(fleet, *one),
        total => format!("{} ships", total.len()),
    }
}

/// An empty text removes the key.
pub fn set_head_key(fleet: &Fleet, key: &'static str, typed: &str) -> Edit {
    // A fleet without ships is recognized by its side.
    let stays = key == "side" && fleet.ships.is_empty();
    let step = match typed {
        "" if !stays => DocumentEdit::unset(TablePath::Top, key),
        typed => DocumentEdit::set(TablePath::Top, key, typed),
    };
    Edit::single(format!("change the {key}"), step)
}

/// 0 removes the budget.
pub fn set_budget(fleet: &Fleet, points: i64) -> Edit {
    let key = "budget";
    let mut steps = Vec::new();
    if points > 0 {
        steps.push(DocumentEdit::set(TablePath::Top, key, points));
    } else {
        steps.extend((fleet.side.is_none() && fleet.ships.is_empty()).then(empty_side_step));
        steps.push(DocumentEdit::unset(TablePath::Top, key));
    }
    Edit::from_steps("change the budget", steps)
}

/// Distinguishes a fleet without ships from a design.
fn empty_side_step() -> DocumentEdit {
    DocumentEdit::set(TablePath::Top, "side", "")
}

pub fn set_group_name(group: &FleetGroup, typed: &str) -> Edit {
    let (at, key) = (group.index as usize, "name");
    Edit::single("name the group", DocumentEdit::set(TablePath::Group(at), key, typed))
}

pub fn set_group_kind(group: &FleetGroup, kind: &str) -> Edit {
    let (at, key) = (group.index as usize, "kind");
    Edit::single("change the kind of the group", DocumentEdit::set(TablePath::Group(at), key, kind))
}

/// Keeps its ships.
pub fn remove_group(group: &FleetGroup) -> Edit {
    Edit::single("remove the group", DocumentEdit::remove(TableList::Groups, group.index as usize))
}

pub fn free_group_id(fleet: &Fleet) -> String {
    let is_free = |id: &String| fleet.groups.iter().all(|group| *group.id.text != **id);
    let ids = std::iter::once("first".to_owned()).chain((2..10_000).map(|n| format!("group-{n}")));
    ids.into_iter().find(is_free).unwrap_or_default()
}

/// An empty text removes the key.
pub fn set_ship_text(fleet: &Fleet, ship: u32, key: &'static str, typed: &str) -> Edit {
    let at = ship as usize;
    let step = match typed {
        "" => DocumentEdit::unset(TablePath::Ship(at), key),
        typed => DocumentEdit::set(TablePath::Ship(at), key, typed),
    };
    let what = key.replace('_', " ");
    Edit::single(format!("change the {what} of {}", ship_label(fleet, ship)), step).selecting(vec![ship])
}

pub fn set_count(fleet: &Fleet, ship: u32, count: i64) -> Option<Edit> {
    let known = fleet.ships.iter().find(|known| known.index == ship)?;
    let count = count.clamp(1, i64::from(MAX_UNITS));
    let at = ship as usize;
    let key = "count";
    let step = if count == 1 && known.count_span.is_none() {
        return None;
    } else if count == 1 {
        DocumentEdit::unset(TablePath::Ship(at), key)
    } else {
        DocumentEdit::set(TablePath::Ship(at), key, count)
    };
    Some(Edit::single(format!("set the count of {} to {count}", ship_label(fleet, ship)), step).selecting(vec![ship]))
}

pub fn set_class(fleet: &Fleet, ships: &[u32], word: &str) -> Option<Edit> {
    let steps = ships.iter().map(|ship| DocumentEdit::set(TablePath::Ship(*ship as usize), "design", word));
    let label = format!("change {} to {}", describe_ships(fleet, ships), class_display_name(word));
    (!ships.is_empty()).then(|| Edit::from_steps(label, steps.collect()).selecting(ships.to_vec()))
}

/// Changes every ship of a class, but not carried ones.
pub fn refit_class(fleet: &Fleet, from: &str, to: &str) -> Option<Edit> {
    let is_it = |ship: &&FleetShip| ship.design.as_ref().is_some_and(|word| word.text.trim() == from.trim());
    let ships: Vec<u32> = fleet.ships.iter().filter(is_it).map(|ship| ship.index).collect();
    let edit = set_class(fleet, &ships, to).filter(|_| from.trim() != to.trim())?;
    Some(Edit {
        label: format!("refit {} {} as {}", ships.len(), class_display_name(from), class_display_name(to)),
        ..edit
    })
}

pub fn set_group(fleet: &Fleet, ships: &[u32], id: Option<&str>) -> Option<Edit> {
    let steps: Vec<DocumentEdit> = ships
        .iter()
        .map(|ship| {
            let (ship, key) = (*ship as usize, "group");
            match id {
                Some(id) => DocumentEdit::set(TablePath::Ship(ship), key, id),
                None => DocumentEdit::unset(TablePath::Ship(ship), key),
            }
        })
        .collect();
    let label = match id {
        Some(id) => format!("move {} to {id}", describe_ships(fleet, ships)),
        None => format!("remove {} from the group", describe_ships(fleet, ships)),
    };
    (!ships.is_empty()).then(|| Edit::from_steps(label, steps).selecting(ships.to_vec()))
}

/// Adds ships after the selected ones, or at the end.
pub fn add_ships(fleet: &Fleet, chosen: &[u32], classes: &[(String, u32)]) -> Option<Edit> {
    let behind = chosen.iter().max().map_or(fleet.ships.len(), |last| *last as usize + 1);
    let steps: Vec<DocumentEdit> = classes
        .iter()
        .filter(|(_, count)| *count > 0)
        .enumerate()
        .map(|(n, (design, count))| {
            let mut keys = vec![("design".to_owned(), Value::from(design.as_str()))];
            if *count > 1 {
                keys.push(("count".to_owned(), i64::from(*count).into()));
            }
            DocumentEdit::insert(TableList::Ships, behind + n, keys)
        })
        .collect();
    let total: u32 = classes.iter().map(|(_, count)| *count).sum();
    let label = match classes {
        [(design, 1)] => format!("add a {}", class_display_name(design)),
        [(design, count)] => format!("add {count} {}", class_display_name(design)),
        _ => format!("add {total} ships"),
    };
    let new = (behind..behind + steps.len()).filter_map(|at| u32::try_from(at).ok()).collect();
    (!steps.is_empty()).then(|| Edit::from_steps(label, steps).selecting(new))
}

/// Removes ships and selects the next one.
pub fn remove_ships(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all = sorted_unique(ships);
    let left = fleet.ships.len().saturating_sub(all.len());
    let is_bare = left == 0 && fleet.side.is_none() && fleet.budget.is_none();
    let mut steps: Vec<DocumentEdit> = is_bare.then(empty_side_step).into_iter().collect();
    steps.extend(all.iter().rev().map(|ship| DocumentEdit::remove(TableList::Ships, *ship as usize)));
    let next = all.first().map(|first| (*first).min(u32::try_from(left.saturating_sub(1)).unwrap_or(0)));
    let next = next.filter(|_| left > 0).into_iter().collect();
    (!all.is_empty())
        .then(|| Edit::from_steps(format!("remove {}", describe_ships(fleet, &all)), steps).selecting(next))
}

/// Copies have the next free hull number and no damage.
pub fn duplicate_ships(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all = sorted_unique(ships);
    let mut taken = hull_numbers::taken_hull_numbers(fleet);
    let (mut steps, mut new) = (Vec::new(), Vec::new());
    for (n, ship) in all.iter().enumerate() {
        let known = fleet.ships.iter().find(|known| known.index == *ship)?;
        let at = *ship as usize + n;
        steps.push(DocumentEdit::DuplicateShip { ship: at });
        if let Some(hull) = &known.hull_number {
            let free = hull_numbers::first_free_hull_number(&hull.text, known.count, &taken);
            taken.extend(hull_numbers::hull_number_series(&free, known.count));
            steps.push(DocumentEdit::set(TablePath::Ship(at + 1), "hull_number", free));
        }
        if !known.ticked_boxes.is_empty() {
            steps.push(DocumentEdit::unset(TablePath::Ship(at + 1), "damage"));
        }
        new.push(u32::try_from(at + 1).ok()?);
    }
    (!all.is_empty())
        .then(|| Edit::from_steps(format!("duplicate {}", describe_ships(fleet, &all)), steps).selecting(new))
}

/// Makes each entry with a count into single ships; they keep their names and hull numbers.
pub fn split_ships(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all: Vec<&FleetShip> =
        fleet.ships.iter().filter(|ship| ships.contains(&ship.index) && ship.count > 1).collect();
    // From the last to the first, so that the indices stay valid.
    let steps: Vec<DocumentEdit> =
        all.iter().rev().map(|ship| DocumentEdit::SplitShip { ship: ship.index as usize }).collect();
    let (mut new, mut more) = (Vec::new(), 0);
    for ship in &all {
        new.extend(ship.index + more..ship.index + more + ship.count);
        more += ship.count - 1;
    }
    let indices: Vec<u32> = all.iter().map(|ship| ship.index).collect();
    let label = format!("split {} into single ships", describe_ships(fleet, &indices));
    (!steps.is_empty()).then(|| Edit::from_steps(label, steps).selecting(new))
}

/// Continues from the ship's own number, or the last one of its class, or the last of the fleet.
pub fn assign_hull_numbers(fleet: &Fleet, ships: &[u32]) -> Option<Edit> {
    let all = sorted_unique(ships);
    let mut taken = hull_numbers::taken_hull_numbers(fleet);
    let mut steps = Vec::new();
    for ship in &all {
        let known = fleet.ships.iter().find(|known| known.index == *ship)?;
        let free = hull_numbers::next_hull_number(fleet, known, &taken);
        taken.extend(hull_numbers::hull_number_series(&free, known.count));
        steps.push(DocumentEdit::set(TablePath::Ship(*ship as usize), "hull_number", free));
    }
    let label = format!("give {} the next hull number", describe_ships(fleet, &all));
    (!all.is_empty()).then(|| Edit::from_steps(label, steps).selecting(all))
}

/// Moves ships before another, or to the end.
pub fn move_ships_to(fleet: &Fleet, ships: &[u32], before: Option<u32>) -> Option<Edit> {
    let all = sorted_unique(ships);
    let old: Vec<u32> = fleet.ships.iter().map(|ship| ship.index).collect();
    let mut rest: Vec<u32> = old.iter().copied().filter(|ship| !all.contains(ship)).collect();
    // If that ship is moved as well: before the next one that is not.
    let before = before.and_then(|before| old.iter().copied().find(|ship| *ship >= before && !all.contains(ship)));
    let at = before.and_then(|before| rest.iter().position(|ship| *ship == before)).unwrap_or(rest.len());
    rest.splice(at..at, all.iter().copied());
    reorder(fleet, &all, &old, &rest)
}

pub fn move_ships(fleet: &Fleet, ships: &[u32], up: bool) -> Option<Edit> {
    let all = sorted_unique(ships);
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
            steps.push(DocumentEdit::reorder(TableList::Ships, from, to));
        }
    }
    let chosen = new.iter().zip(0..).filter(|(ship, _)| moved.contains(ship)).map(|(_, at)| at).collect();
    (!steps.is_empty())
        .then(|| Edit::from_steps(format!("move {}", describe_ships(fleet, moved)), steps).selecting(chosen))
}

/// Keeps the other keys of designs that stay.
pub fn set_carried(fleet: &Fleet, ship: u32, relation: &str, label: &str, classes: &[(String, u32)]) -> Option<Edit> {
    let known = fleet.ships.iter().find(|known| known.index == ship)?;
    let list = known.carried.iter().find(|carried| *carried.relation.text == *relation);
    let old: &[FleetShip] = list.map_or(&[], |carried| &carried.ships);
    let at = ship as usize;
    let relation = || relation.to_owned();
    let mut steps = Vec::new();
    if list.is_some_and(|list| list.plain.is_some()) {
        // A plain number names no class: it is replaced.
        steps.push(DocumentEdit::unset(TablePath::Ship(at), relation()));
    }
    let word = |one: &FleetShip| one.design.as_ref().map(|word| word.text.to_string()).unwrap_or_default();
    let mut wanted: Vec<(String, u32)> = classes.to_vec();
    let mut removed = Vec::new();
    for one in old {
        let place = one.index as usize;
        let chosen = wanted.iter().position(|(design, _)| *design == word(one)).map(|at| wanted.remove(at));
        match chosen {
            Some((_, count)) if count == one.count => {}
            Some((_, 1)) => {
                let key = "count";
                steps.push(DocumentEdit::unset(TablePath::Carried { ship: at, relation: relation(), at: place }, key));
            }
            Some((_, count)) if count > 0 => {
                let (key, value) = ("count", i64::from(count));
                steps.push(DocumentEdit::set(
                    TablePath::Carried { ship: at, relation: relation(), at: place },
                    key,
                    value,
                ));
            }
            _ => removed.push(place),
        }
    }
    let added = wanted.into_iter().filter(|(_, count)| *count > 0);
    steps.extend(added.map(|(design, count)| DocumentEdit::AddCarried {
        ship: at,
        relation: relation(),
        design,
        count,
    }));
    // Last, and from the last to the first, so that the other indices stay valid and the list keeps its form.
    let removed = removed.into_iter().rev();
    steps.extend(
        removed.map(|place| DocumentEdit::remove(TableList::Carried { ship: at, relation: relation() }, place)),
    );
    let label = format!("change the {label} of {}", ship_label(fleet, ship));
    (!steps.is_empty()).then(|| Edit::from_steps(label, steps).selecting(vec![ship]))
}

/// `None`: as the design has it.
pub fn set_load(
    fleet: &Fleet,
    ship: u32,
    (system, mount): (&str, &str),
    (key, label): (&str, &str),
    value: Option<Value>,
) -> Option<Edit> {
    let known = fleet.ships.iter().find(|known| known.index == ship)?;
    // A load for all mounts applies here too; one for this mount has precedence.
    let says = |at: Option<&str>| {
        known.load.iter().any(|load| {
            *load.system.text == *system
                && load.mount.as_ref().map(|word| &*word.text) == at
                && load.values.iter().any(|entry| *entry.key == *key)
        })
    };
    let at = if says(Some(mount)) || !says(None) { Some(mount.to_owned()) } else { None };
    let step =
        DocumentEdit::SetLoad { ship: ship as usize, system: system.to_owned(), mount: at, key: key.to_owned(), value };
    Some(Edit::single(format!("load {}: {label}", ship_label(fleet, ship)), step).selecting(vec![ship]))
}

pub fn all_carried(ship: &FleetShip) -> impl Iterator<Item = (&CarriedUnits, &FleetShip)> {
    ship.carried.iter().flat_map(|carried| carried.ships.iter().map(move |ship| (carried, ship)))
}

fn sorted_unique(ships: &[u32]) -> Vec<u32> {
    let set: BTreeSet<u32> = ships.iter().copied().collect();
    set.into_iter().collect()
}
