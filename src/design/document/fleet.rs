//! A fleet's file in single edits: ships, what they carry, groups, loads and ticked boxes; whole lines come and go with the comments that are
//! their own. Ships, groups and entries of lists count from 0 in file order, as [`FleetShip::index`](crate::design::fleet::FleetShip::index)
//! does.

use toml_edit::{Array, InlineTable, Value};

use crate::design::fleet::{Fleet, FleetShip};
use crate::finding::Finding;
use crate::source::Source;

use super::tree::{PathStep, child, path};
use super::{Document, cannot_edit};

/// The most ships that an entry is parted into.
const MAX_SPLIT: u32 = 100;

/// That an entry can be parted.
pub(super) fn check_split_count(count: u32) -> Result<(), Finding> {
    if count <= MAX_SPLIT {
        return Ok(());
    }
    Err(cannot_edit(format!("cannot split {count} ships into separate entries, at most {MAX_SPLIT} at a time")))
}

/// What a ship carries, to be written: a class and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCarried<'a> {
    /// The class: a path or a name.
    pub design: &'a str,
    /// How many.
    pub count: u32,
}

/// A unit of a fleet as its file has it: one of several alike in an entry, or one of what she carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitPath {
    /// The place of the `[[ship]]`.
    pub ship: usize,
    /// Which of several alike, from 1.
    pub copy: u32,
    /// Of what is carried: the relation's id, the place in its list, and which of several alike, from 1.
    pub carried: Option<(String, usize, u32)>,
}

impl Document {
    /// How many `[[ship]]` there are.
    pub fn ship_count(&self) -> usize {
        self.table_count(&path(&["ship"]))
    }

    /// Adds a ship before the ship `at`, or behind the last; gives her number.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn add_ship(&mut self, at: usize, pairs: &[(&str, Value)]) -> Result<usize, Finding> {
        self.add_table(&path(&["ship"]), at, pairs)
    }

    /// Puts a ship in again behind herself, with all that is hers; gives the new one's number.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn copy_ship(&mut self, ship: usize) -> Result<usize, Finding> {
        self.duplicate_table(&path(&["ship"]), ship)?;
        Ok(ship + 1)
    }

    /// Takes a ship out with all that is hers and her own comments.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn remove_ship(&mut self, ship: usize) -> Result<(), Finding> {
        self.remove_table(&path(&["ship"]), ship, false)
    }

    /// Moves a ship, with all that is hers, so that she becomes the ship `to`.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn move_ship(&mut self, from: usize, to: usize) -> Result<(), Finding> {
        self.move_table(&path(&["ship"]), from, to)
    }

    /// Sets a key of a ship: `name`, `hull_number`, `count`, `group`, a relation's plain number.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn set_ship(&mut self, ship: usize, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        let table = self.entry_path("ship", ship)?;
        self.set_key(&table, key, &value.into())
    }

    /// Takes a key of a ship out; one that is not there is no fault.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship.
    pub fn remove_ship_key(&mut self, ship: usize, key: &str) -> Result<(), Finding> {
        let table = self.entry_path("ship", ship)?;
        self.remove_key(&table, key)
    }

    /// Adds to what a ship carries by a relation; gives its place in the list.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such ship, or the relation has a plain number there.
    pub fn add_carried(&mut self, ship: usize, relation: &str, carries: &NewCarried<'_>) -> Result<usize, Finding> {
        let table = self.entry_path("ship", ship)?;
        let list = child(&table, PathStep::Key(relation.to_owned()));
        let mut pairs = vec![("design", Value::from(carries.design))];
        pairs.extend((carries.count != 1).then(|| ("count", Value::from(i64::from(carries.count)))));
        if self.tree.value(&list).is_some() || !self.tree.statements_below(&list).is_empty() {
            return self.add_table(&list, usize::MAX, &pairs);
        }
        let mut first = InlineTable::new();
        pairs.into_iter().for_each(|(key, value)| {
            first.insert(key, value);
        });
        self.set_key(&table, relation, &Value::Array(Array::from_iter([Value::InlineTable(first)])))?;
        Ok(0)
    }

    /// Sets a key of something that a ship carries: `count`, `design`, `name`.
    ///
    /// # Errors
    /// `cannot-edit` when she carries no such thing.
    pub fn set_carried(
        &mut self,
        ship: usize,
        relation: &str,
        at: usize,
        key: &str,
        value: impl Into<Value>,
    ) -> Result<(), Finding> {
        let table = self.carried_path(ship, relation, at)?;
        self.set_key(&table, key, &value.into())
    }

    /// Takes a key of something that a ship carries out; one that is not there is no fault.
    ///
    /// # Errors
    /// `cannot-edit` when she carries no such thing.
    pub fn remove_carried_key(&mut self, ship: usize, relation: &str, at: usize, key: &str) -> Result<(), Finding> {
        let table = self.carried_path(ship, relation, at)?;
        self.remove_key(&table, key)
    }

    /// Takes something that a ship carries out; with the last of it the relation's key goes.
    ///
    /// # Errors
    /// `cannot-edit` when she carries no such thing.
    pub fn remove_carried(&mut self, ship: usize, relation: &str, at: usize) -> Result<(), Finding> {
        let list = child(&self.entry_path("ship", ship)?, PathStep::Key(relation.to_owned()));
        if at == 0 && self.table_count(&list) == 1 {
            return self.remove_ship_key(ship, relation);
        }
        self.remove_table(&list, at, false)
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
        let table = self.entry_path("ship", ship)?;
        let list = child(&table, PathStep::Key("load".to_owned()));
        let known = self
            .read_ship(ship)?
            .load
            .iter()
            .position(|load| *load.system.text == *system && load.mount.as_ref().map(|word| &*word.text) == mount);
        // Only what can be read counts there; an entry that cannot be is left for the player to mend.
        let place = known.and_then(|at| self.table_path(&list, at)).or_else(|| known.map(|_| list.clone()));
        match (place, value) {
            (Some(load), Some(value)) => self.set_key(&load, key, &value),
            (Some(load), None) => self.transaction(|document| {
                document.remove_key(&load, key)?;
                let left = document.read_ship(ship)?.load;
                match left.get(known.unwrap_or(0)) {
                    Some(load) if load.values.is_empty() && left.len() == 1 => document.remove_ship_key(ship, "load"),
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
                let first: InlineTable = pairs.into_iter().collect();
                self.set_key(&table, "load", &Value::Array(Array::from_iter([Value::InlineTable(first)])))
            }
        }
    }

    /// How many `[[group]]` there are.
    pub fn group_count(&self) -> usize {
        self.table_count(&path(&["group"]))
    }

    /// Adds a group behind the others; gives its number. The first one stands before the ships.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn add_group(&mut self, pairs: &[(&str, Value)]) -> Result<usize, Finding> {
        self.add_table(&path(&["group"]), usize::MAX, pairs)
    }

    /// Sets a key of a group; where it is the id, the ships that sail in it say the new one.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such group.
    pub fn set_group(&mut self, group: usize, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        let value = value.into();
        let table = self.entry_path("group", group)?;
        let old = self.read_fleet().ok().and_then(|fleet| {
            let known = fleet.groups.iter().find(|known| known.index as usize == group)?;
            Some(known.id.text.clone())
        });
        self.transaction(|document| {
            document.set_key(&table, key, &value)?;
            if let (Some(old), "id") = (old, key) {
                for ship in document.group_members(&old)? {
                    document.set_ship(ship, "group", value.clone())?;
                }
            }
            Ok(())
        })
    }

    /// Takes a group out; the ships that sail in it then sail in none.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such group.
    pub fn remove_group(&mut self, group: usize) -> Result<(), Finding> {
        let fleet = self.read_fleet()?;
        let id = fleet.groups.iter().find(|known| known.index as usize == group).map(|known| known.id.text.clone());
        self.transaction(|document| {
            if let Some(id) = id {
                for ship in document.group_members(&id)? {
                    document.remove_ship_key(ship, "group")?;
                }
            }
            document.remove_table(&path(&["group"]), group, false)
        })
    }

    fn group_members(&self, group: &str) -> Result<Vec<usize>, Finding> {
        let of = |ship: &FleetShip| ship.group.as_ref().is_some_and(|word| *word.text == *group);
        Ok(self.read_fleet()?.ships.iter().filter(|ship| of(ship)).map(|ship| ship.index as usize).collect())
    }

    /// Gives every one of several alike an entry of her own, named and numbered as she was; they follow one another. Ticked boxes stay with the
    /// first.
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

    /// Makes an entry that says what `entry` says the `nth` of its ships by herself; ticked boxes stay with the first.
    pub(super) fn reduce_to_single(&mut self, place: usize, entry: &FleetShip, nth: u32) -> Result<(), Finding> {
        let table = self.entry_path("ship", place)?;
        self.set_single_names(&table, entry, nth)?;
        if nth == 1 {
            return Ok(());
        }
        self.remove_key(&table, "damage")?;
        for carried in &entry.carried {
            for (at, pod) in carried.ships.iter().enumerate() {
                let table = self.carried_path(place, &carried.relation.text, at)?;
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
        let list = child(&self.entry_path("ship", ship)?, PathStep::Key(relation.to_owned()));
        for nth in (1..=own.count.max(1)).rev() {
            if nth > 1 {
                self.duplicate_table(&list, at)?;
            }
            let table = self.carried_path(ship, relation, if nth > 1 { at + 1 } else { at })?;
            self.set_single_names(&table, own, nth)?;
            if nth > 1 {
                self.remove_key(&table, "damage")?;
            }
        }
        Ok(())
    }

    /// One of several alike by herself: no count, her own name and number.
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

    /// A table once more, directly behind itself.
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

    pub(super) fn carried_path(&self, ship: usize, relation: &str, at: usize) -> Result<Vec<PathStep>, Finding> {
        let list = child(&self.entry_path("ship", ship)?, PathStep::Key(relation.to_owned()));
        self.table_path(&list, at).ok_or_else(|| cannot_edit(format!("the ship has no `{relation}` number {}", at + 1)))
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
