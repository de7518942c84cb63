//! What is in a player's folder before a bundle comes: takes the folder, gives what its files and the built-in ones are called,
//! what they name, and so whether a new file would change what any of them prints or costs. Nothing is evaluated: a file that
//! nothing there can find changes nothing there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::library::key_word;
use crate::store::{self, FileRef, Store};
use moldloft_base::sanitize::{file_name_key, fold_for_search};
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::design::fleet::{Fleet, FleetShip};
use moldloft_rules::ruleset::extends;

use super::model::BundleFileKind;

/// The most files that are looked through; in a larger folder, every design of a bundle goes where only a path finds it.
const MAX_OWN_FILES: usize = 4_000;
/// The most layers from a ruleset to its base that are followed.
const MAX_LAYERS: usize = 8;
/// Where the files of a bundle go.
const FOLDERS: [&str; 3] = ["rulesets", "templates", "designs"];

#[derive(Debug)]
pub(super) struct OwnFiles {
    store: Store,
    /// Of every own and built-in file, by [`file_name_key`].
    names: BTreeSet<String>,
    /// What classes, the files of designs and fleets' entries are called, with the rulesets of those so called; `None` for one
    /// that is not stated.
    classes: BTreeMap<String, BTreeSet<Option<String>>>,
    /// Files that designs and fleets name by path, there or not, by key.
    wanted: BTreeSet<String>,
    fleet_folders: BTreeSet<String>,
    /// Ids of own and built-in rulesets, by key.
    rulesets: BTreeSet<String>,
    /// Names of folders within the folders of templates, by key.
    template_folders: BTreeSet<String>,
    /// Of own rulesets and templates.
    texts: Vec<String>,
    is_complete: bool,
}

impl OwnFiles {
    pub fn of(folder: &Path) -> Self {
        let store = Store::open(Some(folder)).unwrap_or_else(|_| Store::built_in());
        let (names, is_truncated) = store.names_in(&FOLDERS, MAX_OWN_FILES);
        let listing = store.list_files(MAX_OWN_FILES);
        // The files of the folder that are called like those of a bundle, and all that may name them.
        let mut own = Self {
            store,
            names: BTreeSet::new(),
            classes: BTreeMap::new(),
            wanted: BTreeSet::new(),
            fleet_folders: BTreeSet::new(),
            rulesets: BTreeSet::new(),
            template_folders: BTreeSet::new(),
            texts: Vec::new(),
            is_complete: !is_truncated && !listing.is_truncated,
        };
        let built_in: Vec<String> = FOLDERS.into_iter().flat_map(store::built_in_names).collect();
        for name in names.iter().chain(&built_in) {
            own.names.insert(file_name_key(name));
            let id = name.strip_prefix("rulesets/").and_then(|name| name.strip_suffix(".toml"));
            own.rulesets.extend(id.map(file_name_key));
        }
        for (name, is_own) in names.iter().map(|name| (name, true)).chain(built_in.iter().map(|name| (name, false))) {
            let Some(inner) = name.strip_prefix("templates/") else { continue };
            let folders: Vec<&str> = inner.split('/').collect();
            // An own folder beside those of the games is that of a ruleset that may come.
            let is_game = is_own || own.rulesets.contains(&file_name_key(folders[0]));
            let folders = folders[..folders.len() - 1].iter().skip(usize::from(is_game));
            own.template_folders.extend(folders.map(|folder| file_name_key(folder)));
        }
        let texts = names.iter().filter(|name| !name.starts_with("designs/"));
        own.texts = texts.filter_map(|name| Some(own.read(name)?.text.to_string())).collect();
        for listed in &listing.files {
            if let Ok(source) = listed.file.read() {
                own.add(&listed.name, &listed.file, &source);
            }
        }
        own
    }

    fn read(&self, name: &str) -> Option<Source> {
        store::read(&self.store.workspace()?.join(name)).ok()
    }

    fn add(&mut self, name: &str, file: &FileRef, source: &Source) {
        if Fleet::looks_like_fleet(source) {
            // A built-in fleet finds built-in classes alone.
            if !file.built_in
                && let Ok(fleet) = Fleet::read(source)
            {
                let ruleset = fleet.ruleset.as_ref().map(|word| word.text.to_string());
                self.fleet_folders.insert(file_name_key(folder_of(name)));
                fleet.ships.iter().for_each(|ship| self.add_entry(name, ship, ruleset.as_ref()));
            }
        } else if let Ok(design) = Design::read(source) {
            let ruleset = design.ruleset.as_ref().map(|word| word.text.to_string());
            for word in words_of_design(name, &design) {
                self.classes.entry(word).or_default().insert(ruleset.clone());
            }
            if !file.built_in
                && let Some(outline) = &design.silhouette
            {
                self.wanted.extend(path_beside(name, &outline.text).map(|path| file_name_key(&path)));
            }
        }
    }

    fn add_entry(&mut self, fleet: &str, ship: &FleetShip, ruleset: Option<&String>) {
        if let Some(word) = &ship.design {
            let word = word.text.trim();
            if word.to_lowercase().ends_with(".toml") {
                self.wanted.extend(path_beside(fleet, &word.replace('\\', "/")).map(|path| file_name_key(&path)));
            } else {
                for word in [fold_for_search(word), key_word(word)] {
                    self.classes.entry(word).or_default().insert(ruleset.cloned());
                }
            }
        }
        for inner in ship.carried.iter().flat_map(|list| &list.ships) {
            self.add_entry(fleet, inner, ruleset);
        }
    }

    /// Whether a file of this name, or one that some system takes for the same, is there, built in, or named by an own file.
    pub fn has_name(&self, path: &str) -> bool {
        let key = file_name_key(path);
        self.names.contains(&key) || self.wanted.contains(&key)
    }

    /// Whether an own fleet could find this design by a name. `chain`: the ids of its rulesets, the base first; empty if they
    /// are not known.
    pub fn has_class(&self, path: &str, design: &Design, chain: &[String]) -> bool {
        let is_found = |word: &String| {
            let others = self.classes.get(word).into_iter().flatten();
            others.into_iter().any(|other| !self.is_of_another_game(other.as_deref(), chain))
        };
        !self.is_complete || words_of_design(path, design).iter().any(is_found)
    }

    /// Whether a ruleset's designs cannot be in one fleet with those of another.
    fn is_of_another_game(&self, ruleset: Option<&str>, chain: &[String]) -> bool {
        let Some(mut id) = ruleset.map(str::to_owned) else { return false };
        for _ in 0..MAX_LAYERS {
            let name = format!("rulesets/{id}.toml");
            let Some(source) = self.read(&name).or_else(|| store::built_in_source(&name)) else { return false };
            match extends(&source).into_iter().next() {
                Some(base) => id = base,
                None => return !chain.is_empty() && !chain.contains(&id),
            }
        }
        false
    }

    pub fn has_fleets_in(&self, folder: &str) -> bool {
        self.fleet_folders.contains(&file_name_key(folder))
    }

    /// Whether a ruleset of this id, or the folder of its templates, is there already or could be meant by an own file.
    pub fn knows_ruleset(&self, id: &str) -> bool {
        let key = file_name_key(id);
        let folder = format!("{id}/");
        self.rulesets.contains(&key)
            || self.template_folders.contains(&key)
            || self.texts.iter().any(|text| text.contains(&folder))
    }
}

/// A design by the content of a file in a folder where fleets look for some.
pub(super) fn design_in(path: &str, bytes: &[u8]) -> Option<Design> {
    let kind = BundleFileKind::of(path)?;
    let source = Source::new(path, std::str::from_utf8(bytes).ok()?);
    let is_design = matches!(kind, BundleFileKind::Design | BundleFileKind::Fleet) && !Fleet::looks_like_fleet(&source);
    Design::read(&source).ok().filter(|_| is_design)
}

/// What a fleet can call a design: its name and its file's.
fn words_of_design(path: &str, design: &Design) -> Vec<String> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name = design.name.as_ref().map(|name| fold_for_search(name.text.trim()));
    name.into_iter().chain([fold_for_search(stem)]).collect()
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path as written in a file, from the folder of both; `None` if it leaves it.
pub(super) fn path_beside(file: &str, written: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder_of(file).split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
