//! The designs that a fleet can take: takes the fleet, the catalogue and the open designs, gives each with the
//! reference to write into the fleet's file, or with the text to embed there. Changes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::paths::{absolute_path, relative_path_from};
use crate::{DesignCandidate, DesignChooserPurpose, Doc, EditorState, OpenFleet};
use moldloft_library::library::{
    CatalogueEntry, ClassSource, DesignCard, EntrySummary, FleetUnit, design_card, renamed_design_text,
};
use moldloft_library::store::FileRef;
use moldloft_rules::design::{CarriedBy, Design, Ship};
use moldloft_rules::evaluate::evaluate;
use moldloft_rules::ruleset::Ruleset;

/// Sorted by name; designs that are not allowed come last.
pub fn candidates(state: &EditorState, doc: &Doc, purpose: &DesignChooserPurpose) -> Vec<DesignCandidate> {
    let Some(fleet) = doc.as_fleet() else { return Vec::new() };
    let Some(rules) = fleet.rules() else { return Vec::new() };
    let follows = |id: &str| *rules.id == *id || rules.templates.iter().any(|template| **template == *id);
    let entries: Vec<(&Arc<CatalogueEntry>, &DesignCard)> = state
        .library
        .catalogue
        .entries()
        .filter(|entry| follows(&entry.ruleset))
        .filter_map(|entry| if let EntrySummary::Design(card) = &entry.summary { Some((entry, card)) } else { None })
        .collect();
    let scope = ReferenceScope::new(state, doc, rules);
    let near: Vec<&CatalogueEntry> =
        entries.iter().map(|(entry, _)| &***entry).filter(|entry| scope.can_name(entry)).collect();
    let embedded: Vec<(String, &Design)> =
        fleet.fleet().designs.iter().filter_map(|design| Some((design_name(design)?, design))).collect();
    let mut names = TakenNames::new(fleet, &near);
    let evaluated = |design: &Design, reference: String, source, embedded_text| {
        let evaluation = evaluate(rules, design, &Ship::default());
        DesignCandidate {
            name: reference.clone(),
            reference,
            kind: design_card(&evaluation).kind,
            file: None,
            points: evaluation.points,
            legal: evaluation.legal,
            source,
            disabled_reason: carry_refusal(rules, purpose, design),
            embedded_text,
        }
    };
    let mut all: Vec<DesignCandidate> =
        embedded.iter().map(|(name, design)| evaluated(design, name.clone(), "in this fleet", None)).collect();
    for (entry, card) in &entries {
        let twins = near.iter().filter(|other| same_name(&other.name, &entry.name)).count();
        let is_taken = embedded.iter().any(|(name, _)| same_name(name, &entry.name));
        // The user's own designs have precedence over built-in ones.
        let is_first = !entry.built_in()
            && twins == 2
            && near.iter().any(|other| same_name(&other.name, &entry.name) && other.built_in());
        let found_by_name = || {
            let is_found = scope.can_name(entry) && (twins == 1 || is_first) && !is_taken;
            is_found.then(|| entry.name.to_string())
        };
        let reference =
            existing_reference(fleet, entry).or_else(found_by_name).or_else(|| scope.relative_path(state, entry));
        let design = || Design::read(&entry.read().ok()?).ok();
        let is_carried = matches!(purpose, DesignChooserPurpose::SetCarried { .. });
        let disabled_reason = is_carried.then(|| carry_refusal(rules, purpose, &design()?)).flatten();
        let (name, source, reference, embedded_text) = if let Some(reference) = reference {
            (entry.name.to_string(), if entry.built_in() { "built-in" } else { "" }, reference, None)
        } else if let Some((name, text)) = design().and_then(|design| names.prepare_embedding(fleet, rules, &design)) {
            (name.clone(), "elsewhere", name, Some(text))
        } else {
            continue;
        };
        let (kind, file) = (card.kind.clone(), Some(entry.file.clone()));
        let (points, legal) = (card.points, card.legal);
        all.push(DesignCandidate {
            reference,
            name,
            kind,
            file,
            points,
            legal,
            source,
            disabled_reason,
            embedded_text,
        });
    }
    let unsaved =
        state.docs.iter().filter(|other| other.id != doc.id && other.path().is_none() && other.has_unsaved_work());
    for design in unsaved.filter_map(Doc::as_design).map(|open| &*open.design) {
        if design.ruleset.as_ref().is_some_and(|word| follows(&word.text))
            && let Some((name, text)) = names.prepare_embedding(fleet, rules, design)
        {
            all.push(evaluated(design, name, "not saved", Some(text)));
        }
    }
    all.sort_by_key(|one| (one.disabled_reason.is_some(), one.name.to_lowercase()));
    all
}

/// A carrier changes nothing in the evaluation of a ship but adds a finding if it may not carry it.
fn carry_refusal(rules: &Arc<Ruleset>, purpose: &DesignChooserPurpose, design: &Design) -> Option<String> {
    let DesignChooserPurpose::SetCarried { relation, .. } = purpose else { return None };
    let by = CarriedBy { relation: relation.clone(), carrier: "".into(), unit: "".into(), place: Default::default() };
    let findings = |carried_by| evaluate(rules, design, &Ship { carried_by, ..Ship::default() }).findings.len();
    (findings(Some(by)) > findings(None)).then(|| "not allowed by the rules".to_owned())
}

struct ReferenceScope {
    location: FileRef,
    folder: Option<PathBuf>,
    /// Where a class is looked up by its name.
    found_by_name: BTreeSet<PathBuf>,
}

impl ReferenceScope {
    fn new(state: &EditorState, doc: &Doc, rules: &Ruleset) -> Self {
        // A built-in fleet becomes a copy with the first change, and a copy has no folder yet.
        let location = doc.file.clone().filter(|file| !file.built_in).unwrap_or_default();
        let ids: Vec<&str> = rules.templates.iter().map(|id| &**id).collect();
        let files = state.store.class_files(&location.path, false, &ids).into_iter();
        let found_by_name =
            files.map(|file| if file.built_in { file.path } else { absolute_path(&file.path) }).collect();
        let folder = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
        Self { location, folder, found_by_name }
    }

    fn can_name(&self, entry: &CatalogueEntry) -> bool {
        self.found_by_name.contains(&entry.absolute_path)
    }

    /// `None` if the fleet may not read it.
    fn relative_path(&self, state: &EditorState, entry: &CatalogueEntry) -> Option<String> {
        let word = relative_path_from(self.folder.as_ref()?, &entry.absolute_path).filter(|_| !entry.built_in())?;
        state.store.design_beside_fleet(&self.location.path, false, &word).is_ok().then_some(word)
    }
}

/// Names of designs in use, so that no reference changes its meaning.
struct TakenNames {
    taken: BTreeSet<String>,
}

impl TakenNames {
    fn new(fleet: &OpenFleet, near: &[&CatalogueEntry]) -> Self {
        let ships = &fleet.fleet().ships;
        let all = ships.iter().chain(ships.iter().flat_map(|ship| ship.carried.iter().flat_map(|one| &one.ships)));
        let words = all.filter_map(|ship| Some(fold_case(&ship.design.as_ref()?.text)));
        let embedded = fleet.fleet().designs.iter().filter_map(|design| Some(fold_case(&design_name(design)?)));
        Self { taken: words.chain(embedded).chain(near.iter().map(|entry| fold_case(&entry.name))).collect() }
    }

    /// A free name and a text to embed; `None` if the fleet's file already holds this design.
    fn prepare_embedding(&mut self, fleet: &OpenFleet, rules: &Ruleset, design: &Design) -> Option<(String, Arc<str>)> {
        let name = design_name(design).unwrap_or_else(|| "Unnamed".to_owned());
        let text = &design.source.text;
        let held = fleet.fleet().designs.iter().enumerate().any(|(n, held)| {
            let is_called = design_name(held).is_some_and(|held| fold_case(&held).starts_with(&fold_case(&name)));
            is_called
                && fleet
                    .document
                    .design_text(n, &rules.id)
                    .is_ok_and(|held| comparable_lines(&held) == comparable_lines(text))
        });
        if held {
            return None;
        }
        let is_free = |name: &String| !self.taken.contains(&fold_case(name)) && !fold_case(name).ends_with(".toml");
        let numbered = (2..10_000).map(|n| format!("{name} {n}"));
        let word = std::iter::once(name.clone()).chain(numbered).find(is_free)?;
        self.taken.insert(fold_case(&word));
        let is_own = design_name(design).as_ref() == Some(&word);
        let text = if is_own { text.to_string() } else { renamed_design_text(&design.source, &word) };
        Some((word, text.into()))
    }
}

/// The design without its name and ruleset, to compare two.
fn comparable_lines(text: &str) -> Vec<&str> {
    let is_head = |line: &&str| {
        line.is_empty() || line.starts_with("#:") || line.starts_with("ruleset") || line.starts_with("name")
    };
    text.lines().map(str::trim).filter(|line| !is_head(line)).collect()
}

fn design_name(design: &Design) -> Option<String> {
    design.name.as_ref().map(|word| word.text.trim().to_owned()).filter(|name| !name.is_empty())
}

fn fold_case(name: &str) -> String {
    moldloft_base::sanitize::fold_for_search(name.trim())
}

fn same_name(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn existing_reference(fleet: &OpenFleet, entry: &CatalogueEntry) -> Option<String> {
    let is_it = |unit: &&FleetUnit| match &unit.class.source {
        ClassSource::File(file) if file.built_in => *file == entry.file,
        ClassSource::File(file) => !entry.built_in() && absolute_path(&file.path) == entry.absolute_path,
        ClassSource::Embedded(_) => false,
    };
    let unit = fleet.evaluated.units.iter().find(is_it)?;
    let ship = fleet.fleet().ships.get(unit.entry)?;
    let ship = unit.carried.map_or(Some(ship), |(n, k)| ship.carried.get(n)?.ships.get(k))?;
    Some(ship.design.as_ref()?.text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_the_fleet() {
        let beside = |folder: &str, file: &str| relative_path_from(Path::new(folder), Path::new(file));
        assert_eq!(beside("/a/fleets", "/a/x.toml").as_deref(), Some("../x.toml"));
        assert_eq!(beside("/a", "/a/b/x.toml").as_deref(), Some("b/x.toml"));
        assert_eq!(beside("a", "b/x.toml"), None);
    }
}
