//! Turns a list into a fleet's file: takes the text and the available rulesets, finds the game, and reports unknown
//! classes with suggestions. Reads designs through `store`; writes nothing.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use crate::library::{EvaluatedFleet, LoadedRuleset, Rulesets, check_fleet};
use crate::store::{AssetKind, FileRef, MAX_TOML_BYTES, Store};
use moldloft_base::finding::{Advice, Cause, Finding, Place};
use moldloft_base::sanitize::{fold_for_search, plural, shorten_line};
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::ruleset::Ruleset;

use super::share::{carry_relations, game_title};
use super::{FleetList, KnownNames, read, read_list};

/// Most characters of a game that is not known.
const MAX_TITLE: usize = 60;
/// Points that differ are reported one by one up to this number.
const MAX_REPORTED: usize = 5;

#[derive(Debug)]
pub struct ImportedList {
    pub list: FleetList,
    pub toml: String,
    pub fleet: Option<EvaluatedFleet>,
    /// Places are lines of the list.
    pub findings: Vec<Finding>,
}

impl ImportedList {
    /// Gives findings of the fleet's file, which is not written, the line of the list from which their part of it was made.
    pub fn place_in_list(&mut self, source: &Source) {
        let lines: Vec<&str> = self.toml.lines().collect();
        for finding in self.findings.iter_mut().filter(|one| one.at.file.as_deref() != Some(&*source.file)) {
            let before = &lines[..lines.len().min(finding.at.line as usize)];
            let heads = before.iter().rev().find(|line| line.starts_with("[["));
            let entry = before.iter().filter(|line| **line == "[[ship]]").count().checked_sub(1);
            let ship = entry.filter(|_| heads == Some(&"[[ship]]")).and_then(|entry| self.list.ships.get(entry));
            let place = Place::in_file(source.file.clone());
            finding.at = ship.map_or(place.clone(), |ship| place.at_line(ship.line));
        }
    }
}

/// Makes a fleet's file, to be saved at `path`, from a list. `rules` replaces the ruleset that the list names.
pub fn import_list(
    store: &Store,
    rulesets: &Rulesets,
    source: &Source,
    rules: Option<&str>,
    path: &Path,
) -> ImportedList {
    let (named, title) = read::named_game(&source.text);
    let mut findings = Vec::new();
    let here = || Place::in_file(source.file.clone());
    let by_title = || ruleset_by_title(store, rulesets, title.as_deref()?);
    let mut id = rules.map(str::to_owned).or(named).or_else(by_title);
    let is_guessed = id.is_none();
    if is_guessed {
        id = guess_ruleset(store, rulesets, source, path);
        findings.push(match &id {
            Some(id) => {
                let what = match &title {
                    Some(title) => format!("unknown game “{}” in the list", shorten_line(title, MAX_TITLE)),
                    None => "missing ruleset in the list".to_owned(),
                };
                Finding::warning("ruleset-guessed", format!("{what}; using the best match `{id}`"))
                    .advise(Advice::OtherRules)
                    .at(here())
            }
            None => Finding::error("missing-ruleset", "missing ruleset in the list, and none matches it")
                .advise(Advice::NameRules)
                .at(here()),
        });
    }
    let ruleset = id.as_deref().and_then(|id| match rulesets.find(id) {
        LoadedRuleset::Ready(ruleset, _) => Some(ruleset),
        LoadedRuleset::Missing(finding) => {
            findings.push(finding);
            None
        }
        LoadedRuleset::Broken(_) => None,
    });
    let mut known = ruleset.as_deref().map(|rules| known_names(store, rules, path)).unwrap_or_default();
    let mut list = read_list(source, &known);
    if !list.designs.is_empty() {
        known.add(list.designs.iter().map(|class| class.name.clone()));
        list = read_list(source, &known);
    }
    list.ruleset = id;
    if list.ships.is_empty() {
        // Who asked says that there are none.
        findings.clear();
    }
    findings.append(&mut list.findings);
    if let (Some(rules), Some(stated), false) = (&ruleset, &title, is_guessed) {
        let now = game_title(rules);
        let known = [&now, &*rules.title, without_version(&rules.title), &*rules.id];
        if !known.map(fold_for_search).contains(&fold_for_search(stated)) {
            let message = format!("the list was written for {stated}, this ruleset is {now}");
            findings.push(Finding::warning("other-version", message).help("points may differ").at(here()));
        }
    }
    let toml = list.to_toml();
    let file = Source::new(path.to_string_lossy().as_ref(), &toml);
    let location = FileRef::on_disk(path);
    let checked = if list.ships.is_empty() {
        Err(Vec::new())
    } else if toml.len() as u64 > MAX_TOML_BYTES {
        Err(vec![too_large(&toml, here())])
    } else {
        check_fleet(rulesets, &file, &location)
    };
    let fleet = match checked {
        Ok(fleet) => Some(fleet),
        Err(found) => {
            findings.extend(found);
            None
        }
    };
    if let Some(fleet) = &fleet {
        for out in &fleet.skipped {
            let ship = &list.ships[out.entry.min(list.ships.len().saturating_sub(1))];
            let pod = out.carried.and_then(|(n, k)| ship.carried.get(n)?.ships.get(k));
            let place = here().at_line(pod.unwrap_or(ship).line);
            findings.extend(out.findings.iter().map(|finding| finding.clone().at(place.clone())));
        }
        findings.extend(fleet.fleet.findings.iter().cloned());
        findings.extend(compare_points(&list, fleet, &here()));
    }
    findings.sort_by_key(|finding| finding.at.line);
    ImportedList { list, toml, fleet, findings }
}

fn too_large(toml: &str, at: Place) -> Finding {
    let message = format!("the fleet file would have {} bytes, more than the limit of {MAX_TOML_BYTES}", toml.len());
    Finding::caused(Cause::FileTooLarge, message).help("shorten the notes, or split the list").at(at)
}

fn compare_points(list: &FleetList, fleet: &EvaluatedFleet, here: &Place) -> Vec<Finding> {
    let mut findings = Vec::new();
    let ships = list.ships.iter().enumerate().filter_map(|(entry, ship)| {
        let unit = fleet.units.iter().find(|unit| unit.entry == entry && unit.carried.is_none())?;
        let (listed, now) = (ship.points?, unit.evaluation.points?);
        (listed != now && listed != now.saturating_mul(i64::from(ship.count.unwrap_or(1))))
            .then_some((ship, listed, now))
    });
    for (ship, listed, now) in ships.take(MAX_REPORTED) {
        let message = format!("{} costs {}, the list says {listed}", ship.class, plural(now, "point"));
        let help = "the class was changed, or the ruleset has another version";
        findings.push(Finding::warning("other-points", message).help(help).at(here.clone().at_line(ship.line)));
    }
    if let (Some(listed), Some(now)) = (list.points, fleet.points)
        && listed != now
    {
        let message = format!("the fleet costs {}, the list says {listed}", plural(now, "point"));
        findings.push(Finding::warning("other-points", message).at(here.clone()));
    }
    findings
}

/// Classes of a game in all folders, and its relations.
fn known_names(store: &Store, rules: &Ruleset, path: &Path) -> KnownNames {
    let ids: Vec<&str> = rules.templates.iter().map(|id| &**id).collect();
    let designs =
        store.class_files(path, false, &ids).into_iter().filter_map(|named| Design::read(&named.read().ok()?).ok());
    let suits = |design: &Design| design.ruleset.as_ref().is_some_and(|word| ids.contains(&&*word.text));
    let classes = designs.filter(suits).filter_map(|design| Some(design.name?.text.trim().to_owned()));
    KnownNames::new(classes, carry_relations(rules))
}

fn usable_rulesets(store: &Store, rulesets: &Rulesets) -> Vec<Arc<Ruleset>> {
    let listed = store.list_assets(AssetKind::Ruleset).into_iter();
    listed.filter_map(|listed| rulesets.find(&listed.id).ruleset().cloned()).collect()
}

fn ruleset_by_title(store: &Store, rulesets: &Rulesets, title: &str) -> Option<String> {
    let wanted = fold_for_search(title);
    let suits = |rules: &Arc<Ruleset>| {
        let bare = fold_for_search(without_version(&rules.title));
        wanted.starts_with(&fold_for_search(&rules.title)) || wanted == bare || wanted == *rules.id
    };
    usable_rulesets(store, rulesets)
        .iter()
        .filter(|rules| suits(rules))
        .max_by_key(|rules| (rules.title.len(), Reverse(rules.templates.len())))
        .map(|rules| rules.id.to_string())
}

/// `Star Navy` of `Star Navy v7`.
fn without_version(title: &str) -> &str {
    let rest = title.rsplit_once(' ').filter(|(_, last)| last.contains(|sign: char| sign.is_ascii_digit()));
    rest.map_or(title, |(rest, _)| rest)
}

/// The game with most of the list's classes; of equals the one with the fewest layers, then the first.
fn guess_ruleset(store: &Store, rulesets: &Rulesets, source: &Source, path: &Path) -> Option<String> {
    let all: Vec<(Arc<Ruleset>, KnownNames)> = usable_rulesets(store, rulesets)
        .into_iter()
        .map(|rules| (Arc::clone(&rules), known_names(store, &rules, path)))
        .collect();
    let mut any = KnownNames::default();
    for (_, known) in &all {
        any.add(known.classes.values().cloned());
    }
    let list = read_list(source, &any);
    let found = |known: &KnownNames| list.ships.iter().filter(|ship| known.find_class(&ship.class).is_some()).count();
    let counted = all.iter().rev().map(|(rules, known)| (found(known), rules)).filter(|(found, _)| *found > 0);
    let best = counted.max_by_key(|(found, rules)| (*found, Reverse(rules.templates.len())));
    best.map(|(_, rules)| rules.id.to_string())
}
