//! An open fleet: its text, its ships as lines of a table with what the rules find, and the unit whose sheet is shown.

use std::sync::Arc;

use crate::design::Document;
use crate::design::fleet::{Fleet, FleetShip};
use crate::evaluate::Evaluation;
use crate::finding::Finding;
use crate::library::{EvaluatedFleet, FleetUnit, Rulesets, reevaluate_fleet};
use crate::ruleset::{RelationDef, RelationKind, Ruleset};
use crate::source::Source;
use crate::store::FileRef;

use super::fleet_lines::{self, FleetLine};

/// A fleet and its judgement.
#[derive(Clone, Debug)]
pub struct OpenFleet {
    /// The text, ready to be changed.
    pub document: Document,
    /// Its ships and what the rules say of them.
    pub evaluated: Arc<EvaluatedFleet>,
    /// The same as lines of a table.
    pub table_lines: Vec<FleetLine>,
    /// Errors first; each with the ship, group or key that it concerns.
    pub findings: Vec<Finding>,
    /// The unit whose sheet is shown, by its place among the units, and its evaluation.
    pub shown_unit: Option<(usize, Arc<Evaluation>)>,
}

impl OpenFleet {
    /// Reads and musters a fleet; `rules` is the ruleset to judge it by instead of the one it names. What `before` knows and has not changed is
    /// not worked out again.
    ///
    /// # Errors
    /// The findings when the text cannot be read as a fleet at all.
    pub fn new(
        games: &Rulesets,
        source: &Source,
        lies: &FileRef,
        rules: Option<&str>,
        before: Option<EvaluatedFleet>,
    ) -> Result<Self, Vec<Finding>> {
        let fleet = Fleet::read(source)?;
        let document = Document::parse(&source.text)
            .map_err(|words| vec![Finding::error("not-toml", words).at(source.place(Default::default()))])?;
        let mustered = reevaluate_fleet(games, fleet, lies, rules, before);
        let found = fleet_lines::collect_findings(&mustered);
        let lines = fleet_lines::fleet_lines(&mustered, &found);
        Ok(Self { document, evaluated: Arc::new(mustered), table_lines: lines, findings: found, shown_unit: None })
    }

    /// What the file says.
    pub fn fleet(&self) -> &Fleet {
        &self.evaluated.fleet
    }

    /// What the file says of a ship.
    pub fn ship(&self, ship: u32) -> Option<&FleetShip> {
        self.fleet().ships.iter().find(|known| known.index == ship)
    }

    /// The rules, if they can be used.
    pub fn rules(&self) -> Option<&Arc<Ruleset>> {
        self.evaluated.ruleset.as_ref()
    }

    /// The units of a ship, what each carries behind it.
    pub fn units(&self, ship: u32) -> impl Iterator<Item = (usize, &FleetUnit)> {
        let entry = self.fleet().ships.iter().position(|known| known.index == ship);
        self.evaluated.units.iter().enumerate().filter(move |(_, unit)| Some(unit.entry) == entry)
    }

    /// Shows the sheet of a unit of the first ship chosen: `beside` counts them.
    pub fn show(&mut self, chosen: &[u32], beside: u32) {
        let units: Vec<usize> =
            chosen.first().map_or_else(Vec::new, |ship| self.units(*ship).map(|(at, _)| at).collect());
        let at = units.get((beside as usize).min(units.len().saturating_sub(1))).copied();
        if self.shown_unit.as_ref().map(|(at, _)| *at) == at && at.is_some() {
            return;
        }
        let unit = at.and_then(|at| Some((at, self.evaluated.units.get(at)?)));
        self.shown_unit = unit.map(|(at, unit)| (at, Arc::new(unit.evaluation.clone())));
    }

    /// The unit whose sheet is shown.
    pub fn shown_unit(&self) -> Option<&FleetUnit> {
        self.evaluated.units.get(self.shown_unit.as_ref()?.0)
    }

    /// How many ships there are, what they carry left aside; and how many things that are carried.
    pub fn count_ships_and_carried(&self) -> (usize, usize) {
        let carried = self.evaluated.units.iter().filter(|unit| unit.carried.is_some()).count();
        (self.evaluated.units.len() - carried, carried)
    }

    /// The points left of the budget; negative when it is over.
    pub fn points_left(&self) -> Option<i64> {
        let budget = self.fleet().budget?;
        Some(budget.points.saturating_sub(self.evaluated.points.unwrap_or(0)))
    }

    /// The relations of the ruleset by which a ship can carry others.
    pub fn carry_relations(&self) -> impl Iterator<Item = &RelationDef> {
        self.rules()
            .into_iter()
            .flat_map(|rules| &rules.relations)
            .filter(|relation| relation.kind == RelationKind::Carry)
    }

    /// The relations by which ships sail together.
    pub fn group_relations(&self) -> impl Iterator<Item = &RelationDef> {
        self.rules()
            .into_iter()
            .flat_map(|rules| &rules.relations)
            .filter(|relation| relation.kind == RelationKind::Group)
    }
}
