//! The designs that a fleet can take: takes the fleet, the library's catalogue and the designs that are open, gives each with the word that the
//! fleet's file would name it by, or with the text that would go into that file. Reads designs through the catalogue; changes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::design::{CarriedBy, Design, Ship};
use crate::editor::doc::{Doc, Origin};
use crate::editor::keep::whole;
use crate::editor::state::State;
use crate::evaluate::evaluate;
use crate::library::basis::renamed;
use crate::library::fleet::{ClassFrom, Lies, Unit};
use crate::library::{Card, Entry, Shown};
use crate::ruleset::Ruleset;

use super::Gathered;
use super::choosing::For;

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
    /// Where it is from: `in this fleet`, `built in`, `not saved`.
    pub from: &'static str,
    /// Why it may not be chosen for this.
    pub refused: Option<String>,
    /// The design's text, where the fleet's file cannot name it and so takes it in.
    pub embeds: Option<Arc<str>>,
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

/// The designs that a fleet can take, by name; what may not be chosen for this comes last.
pub fn candidates(state: &State, doc: &Doc, what: &For) -> Vec<Candidate> {
    let Some(fleet) = doc.fleet() else { return Vec::new() };
    let Some(rules) = fleet.rules() else { return Vec::new() };
    let follows = |id: &str| *rules.id == *id || rules.templates.iter().any(|template| **template == *id);
    let catalogue = &state.browse.catalogue;
    let known: Vec<(&Arc<Entry>, &Card)> = catalogue
        .entries()
        .filter(|entry| follows(&entry.ruleset))
        .filter_map(|entry| if let Shown::Design(card) = &entry.shown { Some((entry, card)) } else { None })
        .collect();
    let reach = Reach::of(state, doc, rules);
    let near: Vec<&Entry> = known.iter().map(|(entry, _)| &***entry).filter(|entry| reach.names(entry)).collect();
    let embedded: Vec<(String, &Design)> =
        fleet.fleet().designs.iter().filter_map(|design| Some((name_of(design)?, design))).collect();
    let mut names = Names::of(fleet, &near);
    let refused = |design: &Design| refused(rules, what, design);
    let mut all: Vec<Candidate> = embedded
        .iter()
        .map(|(name, design)| {
            let found = evaluate(rules, design, &Ship::default());
            let (word, name, refused) = (name.clone(), name.clone(), refused(design));
            let (points, legal) = (found.points, found.legal);
            Candidate { word, name, points, legal, from: "in this fleet", refused, embeds: None }
        })
        .collect();
    for (entry, card) in &known {
        let twins = near.iter().filter(|other| same(&other.name, &entry.name)).count();
        let is_taken = embedded.iter().any(|(name, _)| same(name, &entry.name));
        // What is one's own stands before what is built in.
        let is_first = !entry.built_in()
            && twins == 2
            && near.iter().any(|other| same(&other.name, &entry.name) && other.built_in());
        let by_name = || {
            let is_found = reach.names(entry) && (twins == 1 || is_first) && !is_taken;
            is_found.then(|| entry.name.to_string())
        };
        let named = said(fleet, entry).or_else(by_name).or_else(|| reach.path(state, entry));
        let design = || Design::read(&entry.read().ok()?).ok();
        let refused = matches!(what, For::Carried { .. }).then(|| refused(&design()?)).flatten();
        let (points, legal) = (card.points, card.legal);
        if let Some(word) = named {
            let from = if entry.built_in() { "built-in" } else { "" };
            let name = entry.name.to_string();
            all.push(Candidate { word, name, points, legal, from, refused, embeds: None });
        } else if let Some(design) = design()
            && let Some((word, embeds)) = names.taken_in(fleet, rules, &design)
        {
            let (name, from) = (word.clone(), "elsewhere");
            all.push(Candidate { word, name, points, legal, from, refused, embeds: Some(embeds) });
        }
    }
    let unsaved =
        state.docs.iter().filter(|other| other.id != doc.id && other.path().is_none() && other.would_be_lost());
    for design in unsaved.filter_map(Doc::judged).map(|judged| &*judged.design) {
        if !design.ruleset.as_ref().is_some_and(|word| follows(&word.text)) {
            continue;
        }
        let Some((word, embeds)) = names.taken_in(fleet, rules, design) else { continue };
        let found = evaluate(rules, design, &Ship::default());
        let (name, refused) = (word.clone(), refused(design));
        let (points, legal) = (found.points, found.legal);
        all.push(Candidate { word, name, points, legal, from: "not saved", refused, embeds: Some(embeds) });
    }
    all.sort_by_key(|one| (one.refused.is_some(), one.name.to_lowercase()));
    all
}

/// Why a ship may not carry this.
fn refused(rules: &Arc<Ruleset>, what: &For, design: &Design) -> Option<String> {
    let For::Carried { relation, .. } = what else { return None };
    let by = CarriedBy { relation: relation.clone(), carrier: "".into(), unit: "".into(), at: Default::default() };
    let found = evaluate(rules, design, &Ship { carried_by: Some(by), ..Ship::default() });
    let code = format!("{relation}-not-allowed");
    found.findings.iter().any(|finding| finding.code == code).then(|| "not allowed by the rules".to_owned())
}

/// The files that a fleet can name from where it is.
struct Reach {
    lies: Lies,
    folder: Option<PathBuf>,
    /// Those in which a class called by its name is looked for.
    by_name: BTreeSet<PathBuf>,
}

impl Reach {
    fn of(state: &State, doc: &Doc, rules: &Ruleset) -> Self {
        // A built-in fleet becomes a copy with the first change, and a copy lies nowhere yet.
        let lies = if matches!(doc.origin, Origin::File(_)) { doc.lies() } else { Lies::default() };
        let ids: Vec<&str> = rules.templates.iter().map(|id| &**id).collect();
        let files = state.store.classes(&lies.path, false, &ids).into_iter();
        let by_name = files.map(|file| if file.built_in { file.path } else { whole(&file.path) }).collect();
        let folder = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
        Self { lies, folder, by_name }
    }

    fn names(&self, entry: &Entry) -> bool {
        self.by_name.contains(&entry.full)
    }

    /// The path from the fleet's folder, if the fleet may read it.
    fn path(&self, state: &State, entry: &Entry) -> Option<String> {
        let word = beside(self.folder.as_ref()?, &entry.full).filter(|_| !entry.built_in())?;
        state.store.beside_fleet(&self.lies.path, false, &word).is_ok().then_some(word)
    }
}

/// The names that designs of the fleet have, so that none comes to mean another.
struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    fn of(fleet: &Gathered, near: &[&Entry]) -> Self {
        let ships = &fleet.fleet().ships;
        let all = ships.iter().chain(ships.iter().flat_map(|ship| ship.carried.iter().flat_map(|one| &one.ships)));
        let words = all.filter_map(|ship| Some(folded(&ship.design.as_ref()?.text)));
        let embedded = fleet.fleet().designs.iter().filter_map(|design| Some(folded(&name_of(design)?)));
        Self { taken: words.chain(embedded).chain(near.iter().map(|entry| folded(&entry.name))).collect() }
    }

    /// A name and a text by which the fleet's file can hold a design; `None` when it does already.
    fn taken_in(&mut self, fleet: &Gathered, rules: &Ruleset, design: &Design) -> Option<(String, Arc<str>)> {
        let name = name_of(design).unwrap_or_else(|| "Unnamed".to_owned());
        let text = &design.source.text;
        let held = fleet.fleet().designs.iter().enumerate().any(|(n, held)| {
            let is_called = name_of(held).is_some_and(|held| folded(&held).starts_with(&folded(&name)));
            is_called && fleet.document.design_text(n, &rules.id).is_ok_and(|held| body(&held) == body(text))
        });
        if held {
            return None;
        }
        let is_free = |name: &String| !self.taken.contains(&folded(name)) && !folded(name).ends_with(".toml");
        let numbered = (2..10_000).map(|n| format!("{name} {n}"));
        let word = std::iter::once(name.clone()).chain(numbered).find(is_free)?;
        self.taken.insert(folded(&word));
        let is_own = name_of(design).as_ref() == Some(&word);
        let text = if is_own { text.to_string() } else { renamed(&design.source, &word) };
        Some((word, text.into()))
    }
}

/// What a design says beside its name and its rules: for telling whether two are alike.
fn body(text: &str) -> Vec<&str> {
    let is_head = |line: &&str| {
        line.is_empty() || line.starts_with("#:") || line.starts_with("ruleset") || line.starts_with("name")
    };
    text.lines().map(str::trim).filter(|line| !is_head(line)).collect()
}

fn name_of(design: &Design) -> Option<String> {
    design.name.as_ref().map(|word| word.text.trim().to_owned()).filter(|name| !name.is_empty())
}

fn folded(name: &str) -> String {
    crate::cleaning::fold(name.trim())
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// What the fleet calls a design already.
fn said(fleet: &Gathered, entry: &Entry) -> Option<String> {
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
pub fn beside(folder: &Path, file: &Path) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), file.components().collect());
    let alike = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if alike == 0 {
        return None;
    }
    let up = std::iter::repeat_n("..".to_owned(), from.len() - alike);
    let down = to[alike..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_the_fleet() {
        let beside = |folder: &str, file: &str| beside(Path::new(folder), Path::new(file));
        assert_eq!(beside("/a/fleets", "/a/x.toml").as_deref(), Some("../x.toml"));
        assert_eq!(beside("/a", "/a/b/x.toml").as_deref(), Some("b/x.toml"));
        assert_eq!(beside("a", "b/x.toml"), None);
    }
}
