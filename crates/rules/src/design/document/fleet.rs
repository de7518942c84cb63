//! Edits that only a fleet's file has: splitting ships, carried units, loads, and groups with their members. Indices
//! count from 0 in file order, as [`FleetShip::index`](crate::design::fleet::FleetShip::index) does.

use std::sync::Arc;

use toml_edit::Value;

use crate::design::fleet::{Fleet, FleetShip};
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;

use super::edit::{TableList, TablePath};
use super::tree::{PathStep, child, path};
use super::{Document, cannot_edit, toml_text};

const MAX_SPLIT: u32 = 100;

pub(super) fn check_split_count(count: u32) -> Result<(), Finding> {
    if count <= MAX_SPLIT {
        return Ok(());
    }
    Err(cannot_edit(format!("cannot split {count} ships into separate entries, at most {MAX_SPLIT} at a time")))
}

impl Document {
    /// Duplicates a ship with everything in it, directly after the original; returns the copy's index.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn duplicate_ship(&mut self, ship: usize) -> Result<usize, Finding> {
        self.duplicate_table(&path(&["ship"]), ship)?;
        Ok(ship + 1)
    }

    /// Adds a carried unit under a relation; returns its index in the list. A count of 1 is not written.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship, or the relation holds a plain number.
    pub fn add_carried(&mut self, ship: usize, relation: &str, design: &str, count: u32) -> Result<usize, Finding> {
        let list = TableList::Carried { ship, relation: relation.to_owned() };
        let mut pairs = vec![("design", Value::from(design))];
        pairs.extend((count != 1).then(|| ("count", Value::from(i64::from(count)))));
        self.insert(&list, usize::MAX, &pairs)
    }

    /// Loads a ship's system differently; `None` takes the value out, and with the last one the load.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship, or the file's form does not allow it.
    pub fn set_load(
        &mut self,
        ship: usize,
        system: &str,
        mount: Option<&str>,
        key: &str,
        value: Option<Value>,
    ) -> Result<(), Finding> {
        let table = self.entry_steps("ship", ship)?;
        let list = child(&table, PathStep::Key("load".to_owned()));
        let known = self
            .read_ship(ship)?
            .load
            .iter()
            .position(|load| *load.system.text == *system && load.mount.as_ref().map(|word| &*word.text) == mount);
        // Unreadable entries are left for the player to fix.
        let place = known.and_then(|at| self.table_path(&list, at)).or_else(|| known.map(|_| list.clone()));
        match (place, value) {
            (Some(load), Some(value)) => self.set_key(&load, key, &value),
            (Some(load), None) => self.transaction(|document| {
                document.remove_key(&load, key)?;
                let left = document.read_ship(ship)?.load;
                match left.get(known.unwrap_or(0)) {
                    Some(load) if load.values.is_empty() && left.len() == 1 => {
                        document.unset(&TablePath::Ship(ship), "load")
                    }
                    Some(load) if load.values.is_empty() => document.remove_table(&list, known.unwrap_or(0), false),
                    _ => Ok(()),
                }
            }),
            (None, None) => Ok(()),
            (None, Some(value)) => {
                let mut pairs = vec![("system", Value::from(system))];
                pairs.extend(mount.map(|mount| ("mount", Value::from(mount))));
                pairs.push((key, value));
                if self.tree.value(&list).is_some() || !self.tree.statements_below(&list).is_empty() {
                    return self.add_table(&list, usize::MAX, &pairs).map(|_| ());
                }
                self.set_key(&table, "load", &toml_text::array_of(&pairs))
            }
        }
    }

    /// Sets a group's id, also in the group's ships.
    pub(super) fn set_group_id(&mut self, group: usize, id: &Value) -> Result<(), Finding> {
        let table = self.entry_steps("group", group)?;
        let old = self.read_fleet().ok().and_then(|fleet| group_id(&fleet, group));
        self.transaction(|document| {
            document.set_key(&table, "id", id)?;
            for ship in old.map_or(Ok(Vec::new()), |old| document.group_members(&old))? {
                document.set(&TablePath::Ship(ship), "group", id.clone())?;
            }
            Ok(())
        })
    }

    /// Removes a group, and the key `group` of its ships.
    pub(super) fn remove_group(&mut self, group: usize) -> Result<(), Finding> {
        let id = group_id(&self.read_fleet()?, group);
        self.transaction(|document| {
            for ship in id.map_or(Ok(Vec::new()), |id| document.group_members(&id))? {
                document.unset(&TablePath::Ship(ship), "group")?;
            }
            document.remove_table(&path(&["group"]), group, false)
        })
    }

    fn group_members(&self, group: &str) -> Result<Vec<usize>, Finding> {
        let of = |ship: &FleetShip| ship.group.as_ref().is_some_and(|word| *word.text == *group);
        Ok(self.read_fleet()?.ships.iter().filter(|ship| of(ship)).map(|ship| ship.index as usize).collect())
    }

    /// Splits an entry into one entry per ship, each with its name and number. Ticked boxes stay with the first.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn split_ship(&mut self, ship: usize) -> Result<(), Finding> {
        let entry = self.read_ship(ship)?;
        check_split_count(entry.count)?;
        self.transaction(|document| {
            for nth in (1..=entry.count.max(1)).rev() {
                if nth > 1 {
                    document.duplicate_table(&path(&["ship"]), ship)?;
                }
                document.reduce_to_single(if nth > 1 { ship + 1 } else { ship }, &entry, nth)?;
            }
            Ok(())
        })
    }

    pub(super) fn reduce_to_single(&mut self, place: usize, entry: &FleetShip, nth: u32) -> Result<(), Finding> {
        let table = self.entry_steps("ship", place)?;
        self.set_single_names(&table, entry, nth)?;
        if nth == 1 {
            return Ok(());
        }
        self.remove_key(&table, "damage")?;
        for carried in &entry.carried {
            for (at, pod) in carried.ships.iter().enumerate() {
                let table = self.carried_steps(place, &carried.relation.text, at)?;
                self.remove_key(&table, "damage")?;
                if let Some(number) = pod.copy_hull_number((nth - 1).saturating_mul(pod.count).saturating_add(1)) {
                    self.set_key(&table, "hull_number", &Value::from(number))?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn split_carried(&mut self, ship: usize, relation: &str, at: usize) -> Result<(), Finding> {
        let entry = self.read_ship(ship)?;
        let list = entry.carried.iter().find(|carried| *carried.relation.text == *relation);
        let own = list.and_then(|list| list.ships.get(at)).ok_or_else(|| cannot_edit("the fleet has no such ship"))?;
        check_split_count(own.count)?;
        let list = child(&self.entry_steps("ship", ship)?, PathStep::Key(relation.to_owned()));
        for nth in (1..=own.count.max(1)).rev() {
            if nth > 1 {
                self.duplicate_table(&list, at)?;
            }
            let table = self.carried_steps(ship, relation, if nth > 1 { at + 1 } else { at })?;
            self.set_single_names(&table, own, nth)?;
            if nth > 1 {
                self.remove_key(&table, "damage")?;
            }
        }
        Ok(())
    }

    pub(super) fn set_single_names(&mut self, table: &[PathStep], of: &FleetShip, nth: u32) -> Result<(), Finding> {
        self.remove_key(table, "count")?;
        if let Some(name) = of.name.as_ref() {
            self.set_key(table, "name", &Value::from(of.copy_name(nth).unwrap_or_else(|| name.text.to_string())))?;
        }
        if let Some(number) = of.copy_hull_number(nth) {
            self.set_key(table, "hull_number", &Value::from(number))?;
        }
        Ok(())
    }

    fn duplicate_table(&mut self, list: &[PathStep], index: usize) -> Result<(), Finding> {
        let table =
            self.table_path(list, index).ok_or_else(|| cannot_edit(format!("unknown entry number {}", index + 1)))?;
        let text = match self.tree.value(&table) {
            Some(found) => self.text[found.node.span.clone()].to_owned(),
            None => self.table_text(&table),
        };
        if text.is_empty() {
            return Err(super::cannot_edit_form());
        }
        self.insert_tables(list, index + 1, &[text])
    }

    pub(super) fn to_source(&self) -> Source {
        Source::new("", &self.text)
    }

    pub(super) fn read_fleet(&self) -> Result<Fleet, Finding> {
        Fleet::read(&self.to_source()).map_err(|_| cannot_edit("cannot read the file as a fleet"))
    }

    pub(super) fn read_ship(&self, ship: usize) -> Result<FleetShip, Finding> {
        let found = self.read_fleet()?.ships.into_iter().find(|one| one.index as usize == ship);
        found.ok_or_else(|| cannot_edit(format!("the fleet has no ship number {}", ship + 1)))
    }
}

fn group_id(fleet: &Fleet, group: usize) -> Option<Arc<str>> {
    fleet.groups.iter().find(|known| known.index as usize == group).map(|known| known.id.text.clone())
}
