//! Writes ticked boxes into a fleet's file: takes units with their damage and rewrites only the lines that change. Each
//! entry is edited by itself, so that the work grows linearly with the fleet.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml_edit::Value;

use crate::design::fleet::FleetShip;
use crate::design::ship::Damage;
use moldloft_base::finding::Finding;

use super::edit::{TableList, UnitPath};
use super::fleet::check_split_count;
use super::tree::{DocumentStatementKind, NodeBody, PathStep, child, path};
use super::{Document, TextEdit, cannot_edit};

impl Document {
    /// Sets the ticked boxes of units. A unit that shares an entry with others gets an entry of its own, with its name
    /// and number. Returns the unreadable lines that were replaced, such as `structure = "1-x"`.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such unit, or the file's form does not allow it; nothing has changed then.
    pub fn set_damage(&mut self, units: &[(UnitPath, Damage)]) -> Result<Vec<String>, Finding> {
        let mut entries: BTreeMap<usize, Vec<(UnitPath, &Damage)>> = BTreeMap::new();
        for (unit, damage) in units {
            entries.entry(unit.ship).or_default().push((unit.clone(), damage));
        }
        let count = self.count(&TableList::Ships);
        if let Some(ship) = entries.keys().find(|ship| **ship >= count) {
            return Err(cannot_edit(format!("the fleet has no ship number {}", ship + 1)));
        }
        let mut replaced = Vec::new();
        let Some(blocks) = self.entry_blocks() else {
            return self.transaction(|document| {
                // From last to first, so that a split does not move entries still to be edited.
                for (_, units) in entries.into_iter().rev() {
                    document.set_entry_damage(units, &mut replaced)?;
                }
                Ok(replaced)
            });
        };
        let usual = (self.newline(), self.has_blank_lines(&path(&["ship"]), count));
        let mut edits: Vec<TextEdit> = Vec::new();
        for (ship, units) in entries {
            let block = blocks.get(ship).cloned().ok_or_else(|| cannot_edit("the fleet has no such ship"))?;
            let old = &self.text[block.clone()];
            let units = units.into_iter().map(|(unit, damage)| (UnitPath { ship: 0, ..unit }, damage)).collect();
            let new = entry_text(old, usual, units, &mut replaced)?;
            if new != *old {
                edits.push((block, new));
            }
        }
        if !edits.is_empty() {
            self.splice(edits)?;
        }
        Ok(replaced)
    }

    /// The lines of every `[[ship]]` with its tables and comments; `None` when they are not whole lines one after another.
    fn entry_blocks(&self) -> Option<Vec<Range<usize>>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        for (at, line) in self.tree.statements.iter().enumerate() {
            let [PathStep::Key(key), rest @ ..] = &line.address[..] else { continue };
            if key != "ship" {
                continue;
            }
            let Some(PathStep::Nth(nth)) = rest.first() else { return None };
            let begins = line.address.len() == 2 && matches!(line.kind, DocumentStatementKind::Header { many: true });
            if begins && *nth == runs.len() {
                runs.push(at..at + 1);
            } else {
                let run = runs.last_mut().filter(|run| !begins && Some(*nth) == last && run.end == at)?;
                run.end = at + 1;
            }
            last = Some(*nth);
        }
        Some(
            runs.into_iter()
                .map(|run| self.start_with_comments(run.start)..self.end_with_comments(run.end - 1))
                .collect(),
        )
    }

    fn set_entry_damage(
        &mut self,
        mut left: Vec<(UnitPath, &Damage)>,
        replaced: &mut Vec<String>,
    ) -> Result<(), Finding> {
        left.sort_by(|one, two| one.0.cmp(&two.0));
        while let Some((unit, damage)) = left.pop() {
            self.set_unit_damage(unit, damage, &mut left, replaced)?;
        }
        Ok(())
    }

    /// `left`: the units still to be edited; their paths are adjusted when an entry is split.
    fn set_unit_damage(
        &mut self,
        mut unit: UnitPath,
        damage: &Damage,
        left: &mut [(UnitPath, &Damage)],
        replaced: &mut Vec<String>,
    ) -> Result<(), Finding> {
        let nowhere = || cannot_edit("the fleet has no such ship");
        let source = self.to_source();
        let entry = self.read_ship(unit.ship)?;
        let own = unit_entry(&entry, &unit).ok_or_else(nowhere)?;
        let copy = unit.carried.as_ref().map_or(unit.copy, |(_, _, copy)| *copy);
        if unit.copy == 0 || copy == 0 || unit.copy > entry.count || copy > own.count {
            return Err(nowhere());
        }
        // The damage in the file already belongs to the first of several copies.
        let is_first = unit.copy == 1 && copy == 1;
        let now = if is_first { own.damage(&source) } else { Damage::default() };
        if now.has_same_ticks(damage) {
            return Ok(());
        }
        if entry.count > 1 {
            let ship = unit.ship;
            self.split_ship(ship)?;
            for unit in left.iter_mut().map(|(unit, _)| unit).chain([&mut unit]).filter(|unit| unit.ship == ship) {
                unit.ship += unit.copy as usize - 1;
                unit.copy = 1;
            }
        }
        let (ship, many) = (unit.ship, own.count > 1);
        let table = match &mut unit.carried {
            None => self.entry_steps("ship", ship)?,
            Some((relation, at, copy)) => {
                if many {
                    let (list, place) = (relation.clone(), *at);
                    self.split_carried(ship, &list, place)?;
                    let others = left.iter_mut().filter(|(unit, _)| unit.ship == ship);
                    for (relation, at, copy) in others.filter_map(|(unit, _)| unit.carried.as_mut()) {
                        if *relation == list && *at == place {
                            *at += *copy as usize - 1;
                            *copy = 1;
                        }
                    }
                    *at += *copy as usize - 1;
                }
                self.carried_steps(ship, relation, *at)?
            }
        };
        let readable: BTreeSet<&str> = own.ticked_boxes.iter().map(|hits| &*hits.stem.text).collect();
        self.set_table_damage(&table, &now, damage, &readable, replaced)
    }

    /// `now` is the damage in the file, `readable` the keys it comes from. Unchanged and unreadable lines are kept.
    fn set_table_damage(
        &mut self,
        table: &[PathStep],
        now: &Damage,
        damage: &Damage,
        readable: &BTreeSet<&str>,
        replaced: &mut Vec<String>,
    ) -> Result<(), Finding> {
        let hits = child(table, PathStep::Key("damage".to_owned()));
        let unreadable: BTreeSet<String> =
            self.table_keys(&hits).into_iter().filter(|key| !readable.contains(&**key)).collect();
        if damage.is_empty() && unreadable.is_empty() {
            let blocks = self.table_blocks(&hits);
            let has_comments = blocks.iter().any(|block| !self.tree.comments_in(&self.text, block).is_empty());
            if self.tree.header(&hits).is_none() || has_comments {
                return self.remove_key(table, "damage");
            }
            return self
                .splice(blocks.into_iter().map(|block| (self.including_blank_lines(block), String::new())).collect());
        }
        for gone in now.stems().filter(|stem| damage.runs(stem).is_empty()) {
            self.remove_key(&hits, gone)?;
        }
        for stem in damage.stems().filter(|stem| now.runs(stem) != damage.runs(stem)) {
            let value = match damage.runs(stem) {
                [(1, last)] => Value::from(i64::from(*last)),
                _ => Value::from(damage.runs_text(stem)),
            };
            if unreadable.contains(&**stem) {
                let old = self.tree.value(&child(&hits, PathStep::Key(stem.to_string())));
                let old = old.map_or("…", |found| &self.text[found.node.span.clone()]);
                replaced.push(format!("{stem} = {}", old.chars().take(80).collect::<String>()));
            }
            self.set_key(&hits, stem, &value)?;
        }
        Ok(())
    }

    fn table_keys(&self, table: &[PathStep]) -> BTreeSet<String> {
        let mut keys = BTreeSet::new();
        if let Some(found) = self.tree.value(table)
            && let NodeBody::Table(parts) = &found.node.body
        {
            keys.extend(parts.iter().filter_map(|part| part.path.first().cloned()));
        }
        for line in &self.tree.statements {
            if line.address.starts_with(table)
                && let Some(PathStep::Key(key)) = line.address.get(table.len())
            {
                keys.insert(key.clone());
            }
        }
        keys
    }
}

/// `usual`: the file's line ending, and whether ships are separated by blank lines.
fn entry_text(
    text: &str,
    usual: (&'static str, bool),
    units: Vec<(UnitPath, &Damage)>,
    replaced: &mut Vec<String>,
) -> Result<String, Finding> {
    let open = |text: &str| {
        let mut document = Document::parse(text).map_err(cannot_edit)?;
        document.default_style = Some(usual);
        Ok::<_, Finding>(document)
    };
    let mut document = open(text)?;
    let (source, ship) = (document.to_source(), document.read_ship(0)?);
    let nowhere = || cannot_edit("the fleet has no such ship");
    for (unit, _) in &units {
        let copies = unit.carried.as_ref().map_or(1, |(_, _, copy)| *copy);
        let own = unit_entry(&ship, unit).ok_or_else(nowhere)?;
        if unit.copy == 0 || unit.copy > ship.count || copies == 0 || copies > own.count.max(1) {
            return Err(nowhere());
        }
    }
    let is_unchanged = |(unit, damage): &(UnitPath, &Damage)| {
        let is_first = unit.copy == 1 && unit.carried.as_ref().is_none_or(|(_, _, copy)| *copy == 1);
        let now = unit_entry(&ship, unit).filter(|_| is_first).map(|own| own.damage(&source)).unwrap_or_default();
        now.has_same_ticks(damage)
    };
    if units.iter().all(is_unchanged) {
        return Ok(text.to_owned());
    }
    if ship.count < 2 {
        document.set_entry_damage(units, replaced)?;
        return Ok(document.text);
    }
    check_split_count(ship.count)?;
    let whole = document.table_text(&document.entry_steps("ship", 0)?);
    let mut texts = Vec::with_capacity(ship.count as usize);
    for nth in 1..=ship.count {
        let mut one = open(&whole)?;
        one.reduce_to_single(0, &ship, nth)?;
        let own = units.iter().filter(|(unit, _)| unit.copy == nth);
        one.set_entry_damage(
            own.map(|(unit, damage)| (UnitPath { copy: 1, ..unit.clone() }, *damage)).collect(),
            replaced,
        )?;
        texts.push(one.text);
    }
    let joined = texts.join(if usual.1 { usual.0 } else { "" });
    let ends = text.ends_with('\n');
    Ok(if ends { joined } else { joined.trim_end_matches(['\r', '\n']).to_owned() })
}

fn unit_entry<'e>(entry: &'e FleetShip, unit: &UnitPath) -> Option<&'e FleetShip> {
    let Some((relation, at, _)) = &unit.carried else { return Some(entry) };
    let list = entry.carried.iter().find(|carried| *carried.relation.text == **relation)?;
    list.ships.iter().find(|ship| ship.index as usize == *at)
}
