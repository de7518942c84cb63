//! An open fleet: its text, its ships as table lines with findings, and the unit whose sheet is shown.

use std::sync::Arc;

use crate::fleet::lines::{self, FleetLine};
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_library::library::{EvaluatedFleet, FleetUnit, Rulesets, reevaluate_fleet};
use moldloft_library::store::FileRef;
use moldloft_rules::design::Document;
use moldloft_rules::design::fleet::{Fleet, FleetShip};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::{RelationDef, RelationKind, Ruleset};

#[derive(Clone, Debug)]
pub struct OpenFleet {
    pub document: Document,
    pub evaluated: Arc<EvaluatedFleet>,
    pub table_lines: Vec<FleetLine>,
    /// Errors first.
    pub findings: Vec<Finding>,
    /// Index among the units, with its evaluation.
    pub shown_unit: Option<(usize, Arc<Evaluation>)>,
}

impl OpenFleet {
    /// `rules` replaces the ruleset named in the text. Units of `before` that have not changed are reused.
    ///
    /// # Errors
    /// The findings if the text cannot be read as a fleet at all.
    pub fn new(
        rulesets: &Rulesets,
        source: &Source,
        location: &FileRef,
        rules: Option<&str>,
        before: Option<EvaluatedFleet>,
    ) -> Result<Self, Vec<Finding>> {
        let fleet = Fleet::read(source)?;
        let document = Document::parse(&source.text)
            .map_err(|message| vec![Finding::error("not-toml", message).at(source.place(Default::default()))])?;
        let evaluated = reevaluate_fleet(rulesets, fleet, location, rules, before);
        let findings = lines::collect_findings(&evaluated);
        let lines = lines::fleet_lines(&evaluated, &findings);
        Ok(Self { document, evaluated: Arc::new(evaluated), table_lines: lines, findings, shown_unit: None })
    }

    pub fn fleet(&self) -> &Fleet {
        &self.evaluated.fleet
    }

    pub fn ship(&self, ship: u32) -> Option<&FleetShip> {
        // In the order of the file, and so of their indices.
        let ships = &self.fleet().ships;
        ships.binary_search_by_key(&ship, |known| known.index).ok().and_then(|at| ships.get(at))
    }

    pub fn rules(&self) -> Option<&Arc<Ruleset>> {
        self.evaluated.ruleset.as_ref()
    }

    /// Its copies, each followed by what it carries.
    pub fn units(&self, ship: u32) -> impl Iterator<Item = (usize, &FleetUnit)> {
        let entry = self.fleet().ships.iter().position(|known| known.index == ship);
        self.evaluated.units.iter().enumerate().filter(move |(_, unit)| Some(unit.entry) == entry)
    }

    /// `index` counts the units of the first selected ship.
    pub fn show(&mut self, selected: &[u32], index: u32) {
        let units: Vec<usize> =
            selected.first().map_or_else(Vec::new, |ship| self.units(*ship).map(|(at, _)| at).collect());
        let at = units.get((index as usize).min(units.len().saturating_sub(1))).copied();
        if self.shown_unit.as_ref().map(|(at, _)| *at) == at && at.is_some() {
            return;
        }
        let unit = at.and_then(|at| Some((at, self.evaluated.units.get(at)?)));
        self.shown_unit = unit.map(|(at, unit)| (at, Arc::new(unit.evaluation.clone())));
    }

    pub fn shown_unit(&self) -> Option<&FleetUnit> {
        self.evaluated.units.get(self.shown_unit.as_ref()?.0)
    }

    /// Carried units are counted separately.
    pub fn count_ships_and_carried(&self) -> (usize, usize) {
        let carried = self.evaluated.units.iter().filter(|unit| unit.carried.is_some()).count();
        (self.evaluated.units.len() - carried, carried)
    }

    /// Negative if over budget.
    pub fn points_left(&self) -> Option<i64> {
        let budget = self.fleet().budget?;
        Some(budget.points.saturating_sub(self.evaluated.points.unwrap_or(0)))
    }

    pub fn carry_relations(&self) -> impl Iterator<Item = &RelationDef> {
        self.rules()
            .into_iter()
            .flat_map(|rules| &rules.relations)
            .filter(|relation| relation.kind == RelationKind::Carry)
    }

    pub fn group_relations(&self) -> impl Iterator<Item = &RelationDef> {
        self.rules()
            .into_iter()
            .flat_map(|rules| &rules.relations)
            .filter(|relation| relation.kind == RelationKind::Group)
    }
}
