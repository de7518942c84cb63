//! Choosing designs for a fleet: ships to add, another class for some, what one carries. Takes the library's catalogue and the fleet, gives what can
//! be chosen, what it would come to, and the edit that does it. Reads designs through the catalogue; changes nothing but its own state.

use std::sync::Arc;

use crate::design::{CarriedBy, Design, Ship};
use crate::editor::command::{Command, Dialog};
use crate::editor::doc::{Doc, DocId};
use crate::editor::edit::Edit;
use crate::editor::inspect::signed;
use crate::editor::state::State;
use crate::evaluate::evaluate;
use crate::library::fleet::{ClassFrom, Mustered, Unit};
use crate::library::{Catalogue, Entry, Games, Origin, Shown};
use crate::source::Source;

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

/// A design that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What the fleet's file would call it.
    pub word: String,
    /// The class.
    pub name: String,
    /// What it costs.
    pub points: Option<i64>,
    /// Whether it keeps the rules.
    pub legal: bool,
    /// Where it is from: `in this fleet`, `built in`.
    pub from: &'static str,
    /// Why it may not be chosen for this.
    pub refused: Option<String>,
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

impl Candidate {
    /// Whether every word of a search is found in its name, its points or where it is from.
    pub fn is_meant(&self, search: &str) -> bool {
        let name = self.name.to_lowercase();
        let points = self.points.map(|points| points.to_string()).unwrap_or_default();
        let is_in = |word: &str| name.contains(word) || points == word || self.from.contains(word);
        search.to_lowercase().split_whitespace().all(is_in)
    }
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

    /// The edit that does it.
    pub fn edit(&self, doc: &Doc) -> Option<Edit> {
        let fleet = doc.fleet()?.fleet();
        let one = || self.chosen.first().map(|(word, _)| word.as_str());
        match &self.what {
            For::Add => edits::add(fleet, &doc.selected, &self.chosen),
            For::Class(ships) => edits::class(fleet, ships, one()?),
            For::Refit(class) => edits::refit(fleet, class, one()?),
            For::Carried { ship, relation, label } => edits::carried(fleet, *ship, relation, label, &self.chosen),
        }
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
        Some(left) if left < 0 => format!("! {} over the budget", left.unsigned_abs()),
        Some(left) => format!("{left} left of the budget"),
        None => "no budget".to_owned(),
    };
    let errors = |fleet: &Gathered| {
        let is_error = |finding: &&crate::finding::Finding| finding.severity == crate::finding::Severity::Error;
        fleet.found.findings.iter().filter(is_error).count()
    };
    let (old, new) = (errors(fleet), errors(&after));
    let worse = if new > old { format!("; {} more against the rules", new - old) } else { String::new() };
    Some(format!("{} points: {now} in all, {budget}{worse}", signed(now - before.unwrap_or(0))))
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
    let all = candidates(doc, &catalogue, &choosing.what);
    if let Some(Dialog::Choose(choosing)) = &mut state.dialog {
        choosing.candidates = Some(Arc::new(all));
        choosing.seen = seen;
    }
}

/// The designs that a fleet can name.
fn candidates(doc: &Doc, catalogue: &Catalogue, what: &For) -> Vec<Candidate> {
    let Some(fleet) = doc.fleet() else { return Vec::new() };
    let Some(rules) = fleet.rules() else { return Vec::new() };
    let folder = doc.path().and_then(|path| path.parent());
    let follows = |entry: &&Arc<Entry>| entry.ruleset == rules.id || rules.templates.contains(&entry.ruleset);
    let is_near = |entry: &&Arc<Entry>| {
        entry.origin != Origin::Elsewhere || folder.is_some_and(|folder| entry.full.parent() == Some(folder))
    };
    let known: Vec<(&Arc<Entry>, &crate::library::Card)> = catalogue
        .entries()
        .filter(follows)
        .filter(is_near)
        .filter_map(|entry| if let Shown::Design(card) = &entry.shown { Some((entry, card)) } else { None })
        .collect();
    let name = |design: &Design| design.name.as_ref().map(|word| word.text.trim().to_owned());
    let embedded: Vec<(String, &Design)> =
        fleet.fleet().designs.iter().filter_map(|design| Some((name(design)?, design))).collect();
    let refused = |design: &Design| -> Option<String> {
        let For::Carried { relation, .. } = what else { return None };
        let by = CarriedBy { relation: relation.clone(), carrier: "".into(), unit: "".into(), at: Default::default() };
        let found = evaluate(rules, design, &Ship { carried_by: Some(by), ..Ship::default() });
        let code = format!("{relation}-not-allowed");
        found.findings.iter().any(|finding| finding.code == code).then(|| "the rules do not allow it".to_owned())
    };
    let mut all: Vec<Candidate> = embedded
        .iter()
        .map(|(name, design)| {
            let found = evaluate(rules, design, &Ship::default());
            let (points, legal) = (found.points, found.legal);
            let (word, name) = (name.clone(), name.clone());
            Candidate { word, name, points, legal, from: "in this fleet", refused: refused(design) }
        })
        .collect();
    let same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    for (entry, card) in &known {
        let twins = known.iter().filter(|(other, _)| same(&other.name, &entry.name)).count();
        let is_taken = embedded.iter().any(|(name, _)| same(name, &entry.name));
        // What is one's own stands before what is built in.
        let is_first = !entry.built_in()
            && twins == 2
            && known.iter().any(|(other, _)| same(&other.name, &entry.name) && other.built_in());
        let by_path = || beside(folder?, &entry.full).filter(|_| !entry.built_in());
        let by_name = || (twins == 1 || is_first).then(|| entry.name.to_string()).filter(|_| !is_taken);
        let word = said(fleet, entry).or_else(by_name).or_else(by_path);
        let Some(word) = word else { continue };
        let design = || Design::read(&entry.read().ok()?).ok();
        let refused = matches!(what, For::Carried { .. }).then(|| refused(&design()?)).flatten();
        let from = if entry.built_in() { "built in" } else { "" };
        let name = entry.name.to_string();
        all.push(Candidate { word, name, points: card.points, legal: card.legal, from, refused });
    }
    all.sort_by_key(|one| (one.refused.is_some(), one.name.to_lowercase()));
    all
}

/// What the fleet calls a design already.
fn said(fleet: &Gathered, entry: &Entry) -> Option<String> {
    let whole = |path: &std::path::Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let is_it = |unit: &&Unit| match &unit.class.from {
        ClassFrom::File(path) => !entry.built_in() && whole(path) == entry.full,
        ClassFrom::BuiltIn(path) => entry.built_in() && *path == entry.path,
        ClassFrom::Embedded(_) => false,
    };
    let unit = fleet.mustered.units.iter().find(is_it)?;
    let ship = fleet.fleet().ships.get(unit.entry)?;
    let ship = unit.carried.map_or(Some(ship), |(n, k)| ship.carried.get(n)?.ships.get(k))?;
    Some(ship.design.as_ref()?.text.trim().to_owned())
}

/// A file as a path from a folder: `../vigilant.toml`.
pub fn beside(folder: &std::path::Path, file: &std::path::Path) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), file.components().collect());
    let alike = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if alike == 0 {
        return None;
    }
    let up = std::iter::repeat_n("..".to_owned(), from.len() - alike);
    let down = to[alike..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn paths_are_told_from_the_fleet() {
        let beside = |folder: &str, file: &str| beside(Path::new(folder), Path::new(file));
        assert_eq!(beside("/a/fleets", "/a/x.toml").as_deref(), Some("../x.toml"));
        assert_eq!(beside("/a", "/a/b/x.toml").as_deref(), Some("b/x.toml"));
        assert_eq!(beside("a", "b/x.toml"), None);
    }
}
