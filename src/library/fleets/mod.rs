//! A fleet's file → every unit of it as an [`Evaluation`] in roster order, what was skipped and why, and what is wrong with the whole; its short
//! code; the ticked boxes of a filled form in it. Reads the designs that the fleet names through `store`; never changes a file.

mod apply_form;
mod classes;
mod damage_check;
mod evaluate_fleet;
mod fingerprint;
mod form_matching;
mod groups;
mod plan;
mod unit_keys;
mod unknown_key;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::design::fleet::Fleet;
use crate::design::{Damage, Design, UnitPath};
use crate::evaluate::Evaluation;
use crate::finding::{Finding, Severity};
use crate::ruleset::Ruleset;
use crate::source::Source;
use crate::store::FileRef;

pub use apply_form::{AppliedForm, ShipChange, apply_form, filled_form_warning};
pub use evaluate_fleet::{FleetInput, check_fleet, evaluate_fleet, evaluate_fleets, reevaluate_fleet};
pub use fingerprint::{Fingerprint, FingerprintMatch};
pub use unit_keys::key_word;

/// A fleet with its units.
#[derive(Clone, Debug)]
pub struct EvaluatedFleet {
    /// As its file states it.
    pub fleet: Fleet,
    /// The rules it is judged by, if they can be used.
    pub ruleset: Option<Arc<Ruleset>>,
    /// Every ship that could be judged, what she carries behind her, in the order of the file.
    pub units: Vec<FleetUnit>,
    /// What could not be judged, in the order of the file.
    pub skipped: Vec<SkippedShip>,
    /// What is wrong with the fleet as a whole; each unit's evaluation holds its own.
    pub findings: Vec<Finding>,
    /// What the units cost together; `None` when none of them states points.
    pub points: Option<i64>,
    /// Whether the fleet and every unit of it keeps the rules.
    pub legal: bool,
    /// Whether ships were skipped because the allowance was spent.
    pub exceeds_allowance: bool,
    /// Every class that was read to muster it, for the next time.
    pub(super) classes: Vec<Arc<FleetClass>>,
}

/// One ship of a fleet, or one thing that a ship carries.
#[derive(Clone, Debug)]
pub struct FleetUnit {
    /// Index in [`Fleet::ships`], or her carrier's.
    pub entry: usize,
    /// Of what is carried: its index in the carrier's [`carried`](crate::design::fleet::FleetShip::carried) and there among the ships.
    pub carried: Option<(usize, usize)>,
    /// Which one of several alike, from 1.
    pub copy: u32,
    /// What carries her: a place among the units.
    pub carrier: Option<usize>,
    /// Her class.
    pub class: Arc<FleetClass>,
    /// What the rules say of her; her name, key and damage stand in its `ship`.
    pub evaluation: Evaluation,
}

impl FleetUnit {
    /// Whether she sails in the group of this id; what is carried sails in none.
    pub fn is_in_group(&self, fleet: &Fleet, group: &str) -> bool {
        let entry = fleet.ships.get(self.entry).and_then(|ship| ship.group.as_ref());
        self.carried.is_none() && entry.is_some_and(|word| *word.text == *group)
    }
}

/// A class of ship as a fleet found it.
#[derive(Clone, Debug)]
pub struct FleetClass {
    /// Its design.
    pub design: Design,
    /// Where that comes from.
    pub source: ClassSource,
}

/// Where a class comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClassSource {
    /// A file of its own.
    File(FileRef),
    /// The fleet's own file: its place in [`Fleet::designs`].
    Embedded(usize),
}

/// A ship that could not be judged, with all that are alike and what they carry.
#[derive(Clone, Debug)]
pub struct SkippedShip {
    /// Index in [`Fleet::ships`].
    pub entry: usize,
    /// Of what is carried: its index in the carrier's [`carried`](crate::design::fleet::FleetShip::carried) and there among the ships.
    pub carried: Option<(usize, usize)>,
    /// What a player calls her.
    pub name: String,
    /// Why.
    pub findings: Vec<Finding>,
}

impl EvaluatedFleet {
    /// Where a unit stands in the fleet's file, for [`Document::set_damage`](crate::design::Document::set_damage).
    pub fn unit_path(&self, unit: usize) -> Option<UnitPath> {
        let unit = self.units.get(unit)?;
        let Some((list, at)) = unit.carried else {
            return Some(UnitPath { ship: unit.entry, copy: unit.copy, carried: None });
        };
        let carrier = self.units.get(unit.carrier?)?;
        let relation = self.fleet.ships.get(unit.entry)?.carried.get(list)?.relation.text.to_string();
        Some(UnitPath { ship: unit.entry, copy: carrier.copy, carried: Some((relation, at, unit.copy)) })
    }

    /// The ticked boxes of a unit as the file has them, also those that she does not have; her `ship` holds only boxes of hers.
    pub fn damage_in_file(&self, unit: usize) -> Damage {
        let Some(unit) = self.units.get(unit) else { return Damage::default() };
        let Some(entry) = self.fleet.ships.get(unit.entry) else { return Damage::default() };
        let own = match unit.carried {
            Some((list, at)) => entry.carried.get(list).and_then(|list| list.ships.get(at)),
            None => Some(entry),
        };
        // It belongs to the first of several alike.
        let carrier = unit.carrier.and_then(|at| self.units.get(at)).map_or(1, |carrier| carrier.copy);
        let own = own.filter(|_| unit.copy == 1 && carrier == 1);
        own.map(|own| own.damage(&self.fleet.source)).unwrap_or_default()
    }

    /// Everything that was found: of the fleet, of what was left out, of each unit.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let left_out = self.skipped.iter().flat_map(|one| &one.findings);
        // What ships that are alike share is gone through once.
        let mut seen = BTreeSet::new();
        let is_new = move |unit: &&FleetUnit| seen.insert(std::ptr::from_ref(&*unit.evaluation));
        let units = self.units.iter().filter(is_new).flat_map(|unit| &unit.evaluation.findings);
        self.findings.iter().chain(left_out).chain(units)
    }

    /// Whether anything of severity error was found.
    pub fn has_errors(&self) -> bool {
        self.all_findings().any(|finding| finding.severity == Severity::Error)
    }

    /// The fleet's name; the file's where it says none.
    pub fn name(&self) -> String {
        let said = self.fleet.name.as_ref().map(|word| word.text.trim()).filter(|name| !name.is_empty());
        said.map_or_else(|| file_stem(&self.fleet.source), str::to_owned)
    }
}

fn file_stem(source: &Source) -> String {
    let file = source.file.replace('\\', "/");
    let name = file.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".toml").unwrap_or(name).to_owned()
}
