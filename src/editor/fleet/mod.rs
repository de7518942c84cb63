//! An open fleet: takes its text, gives its ships as lines of a table, each with what the rules say of her, and the edits that a player makes. What
//! a fleet may do is the ruleset's; mustering is the library's. Never draws, never writes a file.

mod acts;
pub mod candidates;
pub mod choosing;
mod damage;
pub mod edits;
pub mod hulls;
mod lines;
pub mod moved;

use std::sync::Arc;

use crate::design::Document;
use crate::design::fleet::{Fleet, FleetShip};
use crate::editor::state::State;
use crate::evaluate::Evaluation;
use crate::finding::Finding;
use crate::library::Games;
use crate::library::fleet::{Lies, Mustered, Unit, muster_again};
use crate::ruleset::{Relation, RelationKind, Ruleset};
use crate::source::Source;

pub(super) use acts::apply;
pub use acts::{Mustering, NEW_FLEET};
pub use lines::{Found, Line, called};

/// A fleet and its judgement.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The text, ready to be changed.
    pub document: Document,
    /// Its ships and what the rules say of them.
    pub mustered: Arc<Mustered>,
    /// The same as lines of a table.
    pub lines: Vec<Line>,
    /// What was found, errors first, and where.
    pub found: Found,
    /// The unit whose sheet is shown, by its place among the units, and its evaluation.
    pub shown: Option<(usize, Arc<Evaluation>)>,
}

impl Gathered {
    /// Reads and musters a fleet; `rules` is the ruleset to judge it by instead of the one it names. What `before` knows and has not changed is
    /// not worked out again.
    ///
    /// # Errors
    /// The findings when the text cannot be read as a fleet at all.
    pub fn new(
        games: &Games,
        source: &Source,
        lies: &Lies,
        rules: Option<&str>,
        before: Option<Mustered>,
    ) -> Result<Self, Vec<Finding>> {
        let fleet = Fleet::read(source)?;
        let document = Document::parse(&source.text)
            .map_err(|words| vec![Finding::error("not-toml", words).at(source.place(Default::default()))])?;
        let mustered = muster_again(games, fleet, lies, rules, before);
        let found = lines::found(&mustered);
        let lines = lines::lines(&mustered, &found);
        Ok(Self { document, mustered: Arc::new(mustered), lines, found, shown: None })
    }

    /// What the file says.
    pub fn fleet(&self) -> &Fleet {
        &self.mustered.fleet
    }

    /// What the file says of a ship.
    pub fn ship(&self, ship: u32) -> Option<&FleetShip> {
        self.fleet().ships.iter().find(|known| known.index == ship)
    }

    /// The rules, if they can be used.
    pub fn rules(&self) -> Option<&Arc<Ruleset>> {
        self.mustered.ruleset.as_ref()
    }

    /// The units of a ship, what each carries behind it.
    pub fn units(&self, ship: u32) -> impl Iterator<Item = (usize, &Unit)> {
        let entry = self.fleet().ships.iter().position(|known| known.index == ship);
        self.mustered.units.iter().enumerate().filter(move |(_, unit)| Some(unit.entry) == entry)
    }

    /// Shows the sheet of a unit of the first ship chosen: `beside` counts them.
    pub fn show(&mut self, chosen: &[u32], beside: u32) {
        let units: Vec<usize> =
            chosen.first().map_or_else(Vec::new, |ship| self.units(*ship).map(|(at, _)| at).collect());
        let at = units.get((beside as usize).min(units.len().saturating_sub(1))).copied();
        if self.shown.as_ref().map(|(at, _)| *at) == at && at.is_some() {
            return;
        }
        let unit = at.and_then(|at| Some((at, self.mustered.units.get(at)?)));
        self.shown = unit.map(|(at, unit)| (at, Arc::new(unit.evaluation.clone())));
    }

    /// The unit whose sheet is shown.
    pub fn shown_unit(&self) -> Option<&Unit> {
        self.mustered.units.get(self.shown.as_ref()?.0)
    }

    /// How many ships there are, what they carry left aside; and how many things that are carried.
    pub fn count(&self) -> (usize, usize) {
        let carried = self.mustered.units.iter().filter(|unit| unit.carried.is_some()).count();
        (self.mustered.units.len() - carried, carried)
    }

    /// The points left of the budget; negative when it is over.
    pub fn left(&self) -> Option<i64> {
        let budget = self.fleet().budget?;
        Some(budget.points.saturating_sub(self.mustered.points.unwrap_or(0)))
    }

    /// The relations of the ruleset by which a ship can carry others.
    pub fn carrying(&self) -> impl Iterator<Item = &Relation> {
        self.rules()
            .into_iter()
            .flat_map(|rules| &rules.relations)
            .filter(|relation| relation.kind == RelationKind::Carry)
    }

    /// The relations by which ships sail together.
    pub fn grouping(&self) -> impl Iterator<Item = &Relation> {
        self.rules()
            .into_iter()
            .flat_map(|rules| &rules.relations)
            .filter(|relation| relation.kind == RelationKind::Group)
    }
}

/// Files of designs are others by now: the fleets that are open are mustered anew.
pub fn designs_changed(state: &mut State) {
    for doc in state.docs.iter_mut().filter(|doc| doc.fleet().is_some()) {
        doc.judge(&state.games);
    }
}
