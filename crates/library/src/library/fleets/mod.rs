//! Fleets: takes a fleet's file, gives every unit as an [`Evaluation`] in roster order, skipped ships with reasons, and
//! findings about the fleet; also its fingerprint, and its text with the boxes of a filled form. Reads the fleet's
//! designs through `store`; never changes a file.

mod apply_form;
mod classes;
mod damage_check;
mod evaluate_fleet;
mod fingerprint;
mod fleet_rules;
mod form_matching;
mod groups;
mod plan;
mod same_names;
mod unit_keys;
mod unknown_key;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::store::{FileRef, Store};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::Source;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{Damage, Design, UnitPath};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::Ruleset;

pub(crate) use apply_form::filled_form_warning;
pub use apply_form::{AppliedForm, ShipChange, apply_form};
pub use evaluate_fleet::{FleetInput, check_fleet, evaluate_fleet, evaluate_fleets, reevaluate_fleet};
pub(crate) use fingerprint::{CHIT_SIZE, ruleset_code};
pub use fingerprint::{Fingerprint, FingerprintMatch};
pub use fleet_rules::fleet_facts;
pub(crate) use unit_keys::key_word;

#[derive(Clone, Debug)]
pub struct EvaluatedFleet {
    /// As stated in the file.
    pub fleet: Fleet,
    /// `None` if the rules cannot be used.
    pub ruleset: Option<Arc<Ruleset>>,
    /// Every evaluated ship, each followed by what it carries, in file order.
    pub units: Vec<FleetUnit>,
    /// Ships that could not be evaluated, in file order.
    pub skipped: Vec<SkippedShip>,
    /// About the fleet as a whole; each unit's evaluation has its own.
    pub findings: Vec<Finding>,
    /// Of all units; `None` when no unit has points.
    pub points: Option<i64>,
    /// Whether the fleet and every unit follow the rules.
    pub legal: bool,
    /// Whether ships were skipped because the allowance was used up.
    pub exceeds_allowance: bool,
    /// Every class that was read, for the next evaluation.
    pub(super) classes: Vec<Arc<FleetClass>>,
    /// Where its rules and templates are.
    pub(super) store: Store,
}

/// One ship of a fleet, or one item that a ship carries.
#[derive(Clone, Debug)]
pub struct FleetUnit {
    /// Index in [`Fleet::ships`]; for what is carried its carrier's.
    pub entry: usize,
    /// For what is carried: its index in the carrier's [`carried`](moldloft_rules::design::fleet::FleetShip::carried), and the
    /// index of the ship there.
    pub carried: Option<(usize, usize)>,
    /// The number among equal ones, from 1.
    pub copy: u32,
    /// The index of its carrier among the units.
    pub carrier: Option<usize>,
    pub class: Arc<FleetClass>,
    /// Its `ship` holds name, key and damage.
    pub evaluation: Evaluation,
}

impl FleetUnit {
    /// Whether it sails in the group with this id; what is carried sails in none.
    pub fn is_in_group(&self, fleet: &Fleet, group: &str) -> bool {
        let entry = fleet.ships.get(self.entry).and_then(|ship| ship.group.as_ref());
        self.carried.is_none() && entry.is_some_and(|word| *word.text == *group)
    }
}

/// A class of ship as a fleet found it.
#[derive(Clone, Debug)]
pub struct FleetClass {
    pub design: Arc<Design>,
    pub source: ClassSource,
}

/// Where a class comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClassSource {
    /// A file of its own.
    File(FileRef),
    /// The fleet's own file: index in [`Fleet::designs`].
    Embedded(usize),
}

/// An entry that could not be evaluated, with all equal ships and what they carry.
#[derive(Clone, Debug)]
pub struct SkippedShip {
    /// Index in [`Fleet::ships`].
    pub entry: usize,
    /// For what is carried: its index in the carrier's [`carried`](moldloft_rules::design::fleet::FleetShip::carried), and the
    /// index of the ship there.
    pub carried: Option<(usize, usize)>,
    /// The title of the ship.
    pub name: String,
    pub findings: Vec<Finding>,
}

impl EvaluatedFleet {
    /// The path of a unit in the fleet's file, for [`Document::set_damage`](moldloft_rules::design::Document::set_damage).
    pub fn unit_path(&self, unit: usize) -> Option<UnitPath> {
        let unit = self.units.get(unit)?;
        let Some((list, at)) = unit.carried else {
            return Some(UnitPath { ship: unit.entry, copy: unit.copy, carried: None });
        };
        let carrier = self.units.get(unit.carrier?)?;
        let relation = self.fleet.ships.get(unit.entry)?.carried.get(list)?.relation.text.to_string();
        Some(UnitPath { ship: unit.entry, copy: carrier.copy, carried: Some((relation, at, unit.copy)) })
    }

    /// A unit's ticked boxes in the file, including unknown ones; its `ship` has only known ones.
    pub fn damage_in_file(&self, unit: usize) -> Damage {
        let Some(unit) = self.units.get(unit) else { return Damage::default() };
        let Some(entry) = self.fleet.ships.get(unit.entry) else { return Damage::default() };
        let own = match unit.carried {
            Some((list, at)) => entry.carried.get(list).and_then(|list| list.ships.get(at)),
            None => Some(entry),
        };
        // Damage belongs to the first of several equal ships.
        let carrier = unit.carrier.and_then(|at| self.units.get(at)).map_or(1, |carrier| carrier.copy);
        let own = own.filter(|_| unit.copy == 1 && carrier == 1);
        own.map(|own| own.damage(&self.fleet.source)).unwrap_or_default()
    }

    /// All findings: of the fleet, of skipped ships, of each unit.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let skipped = self.skipped.iter().flat_map(|one| &one.findings);
        // Findings that equal ships share come once.
        let mut seen = BTreeSet::new();
        let is_new = move |unit: &&FleetUnit| seen.insert(std::ptr::from_ref(&*unit.evaluation));
        let units = self.units.iter().filter(is_new).flat_map(|unit| &unit.evaluation.findings);
        self.findings.iter().chain(skipped).chain(units)
    }

    pub fn has_errors(&self) -> bool {
        self.all_findings().any(|finding| finding.severity == Severity::Error)
    }

    /// The fleet's name; the file's name if it has none.
    pub fn name(&self) -> String {
        let name = self.fleet.name.as_ref().map(|word| word.text.trim()).filter(|name| !name.is_empty());
        name.map_or_else(|| file_stem(&self.fleet.source), str::to_owned)
    }
}

fn file_stem(source: &Source) -> String {
    let file = source.file.replace('\\', "/");
    let name = file.rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".toml").unwrap_or(name);
    stem.strip_suffix(".fleet").unwrap_or(stem).to_owned()
}
