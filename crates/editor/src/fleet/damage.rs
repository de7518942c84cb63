//! Ticked boxes of a fleet's ship: takes the unit whose sheet is shown, gives the edit. Damage of an entry with a count
//! belongs to its first ship; if another copy is hit, it becomes an entry of its own.

use crate::fleet::edits;
use crate::fleet::lines::unit_label;
use crate::{Doc, Edit, OpenFleet};
use moldloft_rules::design::{Damage, DocumentEdit, TablePath};
use moldloft_rules::evaluate::tick_marks;

const MAX_BOX_NUMBER: u32 = 100_000;

pub fn toggle_box(doc: &Doc, stem: &str, number: u32) -> Option<Edit> {
    let fleet = doc.as_fleet()?;
    let unit = fleet.shown_unit()?;
    let boxes = tick_marks(&unit.evaluation).get(stem).copied().filter(|boxes| (1..=boxes.count).contains(&number))?;
    if !boxes.kind.is_lasting() {
        return None;
    }
    let mut damage = recorded_damage(fleet)?;
    let is_hit = damage.is_hit(stem, number);
    damage.set(stem, number, !is_hit);
    let what = stem.replace(['_', '-'], " ");
    let which = if boxes.count == 1 { what } else { format!("{what} {number}") };
    let done = if is_hit { "untick" } else { "tick" };
    write_damage(fleet, damage, format!("{done} {which} of {}", unit_label(unit)))
}

/// Those of consecutive edits are undone together.
pub fn mark_boxes(doc: &Doc, boxes: &[(String, u32)], ticked: bool) -> Option<Edit> {
    let fleet = doc.as_fleet()?;
    let unit = fleet.shown_unit()?;
    let known = tick_marks(&unit.evaluation);
    let can_tick = |stem: &str, number: u32| {
        known.get(stem).is_some_and(|boxes| boxes.kind.is_lasting() && (1..=boxes.count).contains(&number))
    };
    let mut damage = recorded_damage(fleet)?;
    let mut is_changed = false;
    for (stem, number) in boxes.iter().filter(|(stem, number)| can_tick(stem, *number)) {
        is_changed |= damage.is_hit(stem, *number) != ticked;
        damage.set(stem, *number, ticked);
    }
    let done = if ticked { "tick" } else { "untick" };
    let edit = write_damage(fleet, damage, format!("{done} boxes of {}", unit_label(unit)))?;
    is_changed.then(|| edit.with_merge_key("boxes of the sheet"))
}

/// Ticks exactly these boxes of a stem.
pub fn set_boxes(doc: &Doc, stem: &str, boxes: &str) -> Option<Result<Edit, String>> {
    let fleet = doc.as_fleet()?;
    let unit = fleet.shown_unit()?;
    let mut damage = recorded_damage(fleet)?;
    for number in damage.boxes(stem).collect::<Vec<_>>() {
        damage.set(stem, number, false);
    }
    for (first, last) in match parse_runs(boxes) {
        Ok(runs) => runs,
        Err(words) => return Some(Err(words)),
    } {
        damage.tick(stem, first, last);
    }
    let label = format!("tick {} of {}", stem.replace(['_', '-'], " "), unit_label(unit));
    Some(Ok(write_damage(fleet, damage, label)?))
}

/// `1-12, 14` as runs.
pub fn parse_runs(text: &str) -> Result<Vec<(u32, u32)>, String> {
    let mut runs = Vec::new();
    for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let number =
            |text: &str| text.trim().parse::<u32>().ok().filter(|number| (1..=MAX_BOX_NUMBER).contains(number));
        match number(first).zip(number(last)).filter(|(first, last)| first <= last) {
            Some(run) => runs.push(run),
            None => return Err(format!("expected boxes such as 1-12 or 14, found “{part}”")),
        }
    }
    Ok(runs)
}

/// Includes what the ships carry.
pub fn clear_damage(doc: &Doc) -> Option<Edit> {
    let fleet = doc.as_fleet()?;
    let mut steps = Vec::new();
    for ship in doc.selected.iter().filter_map(|ship| fleet.ship(*ship)) {
        let at = ship.index as usize;
        if !ship.ticked_boxes.is_empty() {
            steps.push(DocumentEdit::unset(TablePath::Ship(at), "damage"));
        }
        for (carried, one) in edits::all_carried(ship).filter(|(_, one)| !one.ticked_boxes.is_empty()) {
            let relation = carried.relation.text.to_string();
            steps
                .push(DocumentEdit::unset(TablePath::Carried { ship: at, relation, at: one.index as usize }, "damage"));
        }
    }
    let label = format!("clear the damage of {}", edits::describe_ships(fleet.fleet(), &doc.selected));
    (!steps.is_empty()).then(|| Edit::from_steps(label, steps).selecting(doc.selected.clone()))
}

/// As in the file, including boxes that the unit does not have: they are kept.
fn recorded_damage(fleet: &OpenFleet) -> Option<Damage> {
    Some(fleet.evaluated.damage_in_file(fleet.shown_unit.as_ref()?.0))
}

fn write_damage(fleet: &OpenFleet, damage: Damage, label: String) -> Option<Edit> {
    let path = fleet.evaluated.unit_path(fleet.shown_unit.as_ref()?.0)?;
    // A copy that is hit becomes an entry of its own, after the copies before it.
    let parts = fleet.fleet().ships.get(path.ship).is_some_and(|ship| ship.count > 1);
    let moved = if parts { path.copy.saturating_sub(1) as usize } else { 0 };
    let chosen = u32::try_from(path.ship + moved).ok().into_iter().collect();
    Some(Edit::single(label, DocumentEdit::SetDamage { unit: path, damage }).selecting(chosen))
}

#[cfg(test)]
mod tests {
    use super::parse_runs;

    #[test]
    fn boxes_are_read_as_they_are_written() {
        assert_eq!(parse_runs("1-12, 14"), Ok(vec![(1, 12), (14, 14)]));
        assert_eq!(parse_runs(" ; "), Ok(vec![]));
        for wrong in ["0", "5-2", "x", "1-", "4000000000"] {
            assert!(parse_runs(wrong).is_err(), "{wrong}");
        }
    }
}
