//! Choosing designs for a fleet: ships to add, another class for some, what one carries. Takes the library's catalogue and the fleet, gives what can
//! be chosen, what it would come to, and the edit that does it. Reads designs through the catalogue; changes nothing but its own state.

use std::sync::Arc;

use crate::editor::command::{Command, Dialog};
use crate::editor::doc::{Doc, DocId};
use crate::editor::edit::{Edit, Step};
use crate::editor::inspect::signed;
use crate::editor::state::State;
use crate::library::Games;
use crate::library::fleet::Mustered;
use crate::press::many;
use crate::source::Source;

use super::candidates::{Candidate, candidates};
use super::{Gathered, Mustering, edits};

/// What designs are chosen for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum For {
    /// Ships to add.
    Add,
    /// Another class for these ships.
    Class(Vec<u32>),
    /// Another class for every ship of a class, as the file calls it.
    Refit(String),
    /// What a ship carries by a relation of the ruleset.
    Carried {
        /// Her place in the file.
        ship: u32,
        /// The relation's id.
        relation: Arc<str>,
        /// What players call it.
        label: Arc<str>,
    },
}

/// The dialog in which designs are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choosing {
    /// For which fleet.
    pub doc: DocId,
    /// For what.
    pub what: For,
    /// What was typed.
    pub search: String,
    /// What can be chosen, by name; `None` while the library is being looked through.
    pub candidates: Option<Arc<Vec<Candidate>>>,
    /// What is chosen, as the file calls it, and how many.
    pub chosen: Vec<(String, u32)>,
    /// What it comes to: `+320 points, 1204 in all`.
    pub effect: String,
    /// From which catalogue the candidates are.
    seen: usize,
}

impl Choosing {
    /// Whether several can be chosen, each with a number.
    pub fn is_counted(&self) -> bool {
        matches!(self.what, For::Add | For::Carried { .. })
    }

    /// How many of a design are chosen.
    pub fn count(&self, word: &str) -> u32 {
        self.chosen.iter().find(|(chosen, _)| chosen == word).map_or(0, |(_, count)| *count)
    }

    /// Chooses so many of a design; where one is chosen only, that one.
    pub fn set(&mut self, word: &str, count: u32) {
        if !self.is_counted() {
            self.chosen = vec![(word.to_owned(), 1)];
            return;
        }
        match self.chosen.iter_mut().find(|(chosen, _)| chosen == word) {
            Some((_, known)) => *known = count,
            None => self.chosen.push((word.to_owned(), count)),
        }
        if self.what == For::Add {
            self.chosen.retain(|(_, count)| *count > 0);
        }
    }

    /// The edit that does it; designs that no file of the fleet's reach holds go into the fleet's own.
    pub fn edit(&self, doc: &Doc) -> Option<Edit> {
        let fleet = doc.fleet()?.fleet();
        let one = || self.chosen.first().map(|(word, _)| word.as_str());
        let mut edit = match &self.what {
            For::Add => edits::add(fleet, &doc.selected, &self.chosen),
            For::Class(ships) => edits::class(fleet, ships, one()?),
            For::Refit(class) => edits::refit(fleet, class, one()?),
            For::Carried { ship, relation, label } => edits::carried(fleet, *ship, relation, label, &self.chosen),
        }?;
        edit.steps.extend(self.embedded().filter_map(|one| Some(Step::Embed { text: one.embeds.clone()? })));
        Some(edit)
    }

    /// What is chosen that goes into the fleet's file with its whole design.
    pub fn embedded(&self) -> impl Iterator<Item = &Candidate> {
        let all = self.candidates.iter().flat_map(|all| all.iter());
        all.filter(|one| one.embeds.is_some() && self.count(&one.word) > 0)
    }
}

/// Opens the dialog for another class.
pub fn class(state: &State, ships: Vec<u32>) -> Option<Command> {
    state.doc()?.fleet().map(|_| Command::Fleet(Mustering::Choose(For::Class(ships))))
}

/// Opens the dialog for what a ship carries.
pub fn carried(state: &State, ship: u32) -> Option<Command> {
    let fleet = state.doc()?.fleet()?;
    let known = fleet.ship(ship)?;
    // What she says already, else the first that the rules know.
    let said = known.carried.iter().find_map(|one| fleet.carrying().find(|relation| relation.id == one.relation.text));
    let relation = said.or_else(|| fleet.carrying().next())?;
    let (relation, label) = (relation.id.clone(), relation.label.clone());
    Some(Command::Fleet(Mustering::Choose(For::Carried { ship, relation, label })))
}

/// Opens the dialog.
pub fn open(state: &mut State, what: For) {
    let Some(doc) = state.doc() else { return };
    let Some(fleet) = doc.fleet() else { return };
    let chosen = match &what {
        For::Carried { ship, relation, .. } => {
            let carried = fleet.ship(*ship).into_iter().flat_map(|ship| &ship.carried);
            let ships = carried.filter(|one| one.relation.text == *relation).flat_map(|one| &one.ships);
            ships.filter_map(|ship| Some((ship.design.as_ref()?.text.to_string(), ship.count))).collect()
        }
        For::Add | For::Class(_) | For::Refit(_) => Vec::new(),
    };
    let (id, search) = (doc.id, String::new());
    let new = Choosing { doc: id, what, search, candidates: None, chosen, effect: String::new(), seen: 0 };
    state.dialog = Some(Dialog::Choose(Box::new(new)));
    follow(state);
}

/// Another state of the dialog: says what it would come to.
pub fn change(state: &mut State, mut new: Choosing) {
    let Some(Dialog::Choose(old)) = &state.dialog else { return };
    if old.doc != new.doc {
        return;
    }
    let Some(doc) = state.doc_of(new.doc) else { return };
    new.effect = effect(doc, &new, &state.games).unwrap_or_default();
    state.dialog = Some(Dialog::Choose(Box::new(new)));
}

/// Does what is chosen, and closes the dialog.
pub fn take(state: &mut State) -> Option<Edit> {
    let Some(Dialog::Choose(choosing)) = &state.dialog else { return None };
    let edit = choosing.edit(state.doc().filter(|doc| doc.id == choosing.doc)?);
    if edit.is_some() {
        state.dialog = None;
    }
    edit
}

/// `+320 points: 1204 of 1500, 296 left`.
fn effect(doc: &Doc, choosing: &Choosing, games: &Games) -> Option<String> {
    let fleet = doc.fleet()?;
    let after = doc.tried_on(&choosing.edit(doc)?, games)?;
    let (before, now) = (fleet.mustered.points, after.mustered.points?);
    let budget = match after.left() {
        Some(left) if left < 0 => format!("! {} over budget", left.unsigned_abs()),
        Some(left) => format!("{left} left in the budget"),
        None => "no budget".to_owned(),
    };
    let errors = |fleet: &Gathered| {
        let is_error = |finding: &&crate::finding::Finding| finding.severity == crate::finding::Severity::Error;
        fleet.found.findings.iter().filter(is_error).count()
    };
    let (old, new) = (errors(fleet), errors(&after));
    let worse = if new > old { format!("; {}", many(new - old, "more error")) } else { String::new() };
    let names: Vec<&str> = choosing.embedded().map(|one| one.name.as_str()).collect();
    let goes = match names.as_slice() {
        [] => String::new(),
        [one] => format!("; the design of {one} is copied into the fleet's file"),
        many => format!("; {} designs are copied into the fleet's file: {}", many.len(), many.join(", ")),
    };
    let more = now - before.unwrap_or(0);
    let points = if more.abs() == 1 { "point" } else { "points" };
    Some(format!("{} {points}: {now} total, {budget}{worse}{goes}", signed(more)))
}

/// Fills in what can be chosen, when the library is known and has changed.
pub fn follow(state: &mut State) {
    let Some(Dialog::Choose(choosing)) = &state.dialog else { return };
    let catalogue = state.browse.catalogue.clone();
    let seen = Arc::as_ptr(&catalogue) as usize;
    if !state.browse.is_known || choosing.seen == seen {
        return;
    }
    let Some(doc) = state.doc_of(choosing.doc) else { return };
    let all = candidates(state, doc, &choosing.what);
    if let Some(Dialog::Choose(choosing)) = &mut state.dialog {
        choosing.candidates = Some(Arc::new(all));
        choosing.seen = seen;
    }
}

impl Doc {
    /// The fleet as it would be after an edit.
    pub fn tried_on(&self, edit: &Edit, games: &Games) -> Option<Gathered> {
        let mut document = self.document()?.clone();
        edit.clone().apply(&mut document).ok()?;
        let source = Source::new(self.fleet()?.fleet().source.file.clone(), document.text());
        Gathered::new(
            games,
            &source,
            &self.lies(),
            self.tried.as_deref(),
            Some(Mustered::clone(&self.fleet()?.mustered)),
        )
        .ok()
    }
}
