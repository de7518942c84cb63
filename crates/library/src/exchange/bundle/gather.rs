//! Makes a bundle: takes designs, fleets and rulesets, gives them with all that they need and that is not built in, laid out
//! as a workspace, and what this program sees of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::library::{
    CheckedDesign, ClassSource, EvaluatedFleet, LoadedRuleset, Rulesets, check_source, evaluate_fleet, layer_sources,
};
use crate::store::{self, AssetKind, FileRef, MAX_SVG_BYTES, MAX_TOML_BYTES, Store};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{design_file_name, file_stem};
use moldloft_base::source::Source;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{Design, Document, TablePath};
use moldloft_rules::ruleset::Ruleset;

use super::archive::too_large;
use super::entry_names::fault_of_name;
use super::model::{
    BundleFile, BundleFileKind, BundleManifest, FORMAT, MAX_FILES, MAX_UNPACKED_BYTES, SeenResult, SeenRuleset,
    SharedBundle, VERSION, most_bytes,
};
use super::seen::{seen_design, seen_fleet, seen_ruleset};

/// The design's path in the bundle of each entry of a fleet: the ship's index, and for what it carries the indices in its
/// lists.
pub(super) type DesignPaths = BTreeMap<(usize, Option<(usize, usize)>), String>;

/// What a player wants to share.
#[derive(Clone, Debug)]
pub enum BundleInput {
    /// A ruleset or layer, by its id or its file.
    Ruleset(String),
    /// A design's or fleet's file.
    File(FileRef),
}

/// Gathers a bundle. Findings name what could not be packed.
///
/// # Errors
/// `nothing-to-bundle`, `too-large`.
pub fn gather_bundle(rulesets: &Rulesets, inputs: &[BundleInput]) -> Result<(SharedBundle, Vec<Finding>), Finding> {
    let mut gatherer = Gatherer::new(rulesets);
    for input in inputs {
        match input {
            BundleInput::Ruleset(what) => gatherer.add_ruleset(what),
            BundleInput::File(file) => gatherer.add_file(file),
        }
    }
    gatherer.finish()
}

struct Gatherer<'r> {
    rulesets: &'r Rulesets,
    store: &'r Store,
    /// By path in the bundle.
    files: BTreeMap<String, Vec<u8>>,
    /// Where each design's file is in the bundle.
    paths: BTreeMap<PathBuf, String>,
    seen_rulesets: BTreeMap<String, SeenRuleset>,
    done_rulesets: BTreeSet<String>,
    results: BTreeMap<String, SeenResult>,
    name: Option<String>,
    findings: Vec<Finding>,
}

impl<'r> Gatherer<'r> {
    fn new(rulesets: &'r Rulesets) -> Self {
        Self {
            rulesets,
            store: rulesets.store(),
            files: BTreeMap::new(),
            paths: BTreeMap::new(),
            seen_rulesets: BTreeMap::new(),
            done_rulesets: BTreeSet::new(),
            results: BTreeMap::new(),
            name: None,
            findings: Vec::new(),
        }
    }

    fn finish(self) -> Result<(SharedBundle, Vec<Finding>), Finding> {
        if self.files.is_empty() && self.results.is_empty() {
            let mut findings = self.findings;
            let nothing = || {
                Finding::error("nothing-to-bundle", "everything named is built in")
                    .help("send its name: everyone with Moldloft has it")
            };
            return Err(findings.pop().unwrap_or_else(nothing));
        }
        let bytes: usize = self.files.values().map(Vec::len).sum();
        if self.files.len() > MAX_FILES || bytes > MAX_UNPACKED_BYTES {
            let message = format!(
                "a bundle of {} files and {bytes} bytes, the limits are {MAX_FILES} files and {MAX_UNPACKED_BYTES} bytes",
                self.files.len()
            );
            return Err(too_large(message).help("bundle fewer designs and fleets at once"));
        }
        let manifest = BundleManifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: format!("Moldloft {}", env!("CARGO_PKG_VERSION")),
            name: self.name.unwrap_or_default(),
            rulesets: self.seen_rulesets.into_values().collect(),
            results: self.results.into_values().collect(),
        };
        let files = self.files.into_iter().map(|(path, bytes)| BundleFile { path, bytes });
        Ok((SharedBundle { manifest, files: files.collect(), left_aside: Vec::new() }, self.findings))
    }

    fn add_file(&mut self, file: &FileRef) {
        let source = match file.read() {
            Ok(source) => source,
            Err(finding) => return self.findings.push(finding),
        };
        if Fleet::looks_like_fleet(&source) {
            self.add_fleet(file, &source);
        } else {
            let found = self.add_design(file, &source, None);
            self.name = self.name.take().or(found.map(|(_, name)| name));
        }
    }

    /// Its path in the bundle and its name; `None` if it is built in or no design.
    fn add_design(&mut self, file: &FileRef, source: &Source, ruleset: Option<&str>) -> Option<(String, String)> {
        let design = match Design::read(source) {
            Ok(design) => design,
            Err(findings) => {
                self.findings.extend(findings);
                return None;
            }
        };
        let id = design.ruleset.as_ref().map(|word| word.text.to_string()).or_else(|| ruleset.map(str::to_owned));
        let id = id.unwrap_or_else(|| "loose".to_owned());
        let name = design.name.as_ref().map_or_else(String::new, |name| name.text.to_string());
        if let Some(known) = self.paths.get(&file.path) {
            return Some((known.clone(), name));
        }
        self.use_ruleset(&id);
        let path = match file.disk_path() {
            // What is built in is not packed, but its results are compared.
            None => file.path.to_string_lossy().replace('\\', "/"),
            Some(disk) => {
                let wanted = self.own_name(disk, BundleFileKind::Design);
                let wanted = wanted.unwrap_or_else(|| format!("designs/{}/{}", slug_of(&id), file_name(disk)));
                let bytes = self.read(disk, MAX_TOML_BYTES)?;
                let path = self.free_path(wanted, &bytes);
                self.files.insert(path.clone(), bytes);
                if let Some(silhouette) = &design.silhouette {
                    self.add_silhouette(disk, &path, &silhouette.text);
                }
                path
            }
        };
        self.paths.insert(file.path.clone(), path.clone());
        let CheckedDesign { evaluation, failed, .. } = check_source(self.rulesets, source);
        match evaluation {
            Some(evaluation) => {
                self.results.insert(path.clone(), seen_design(&path, &evaluation));
            }
            None => self.findings.extend(failed),
        }
        Some((path, name))
    }

    fn add_silhouette(&mut self, design: &Path, path: &str, name: &str) {
        let Some(found) = Store::file_beside(design, name) else {
            let message = format!("no silhouette `{name}` in the folder of {}", design.display());
            return self.findings.push(Finding::warning("missing-silhouette", message));
        };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let target = format!("{folder}/{name}");
        match found {
            Ok(file)
                if BundleFileKind::of(&target) == Some(BundleFileKind::Silhouette)
                    && fault_of_name(&target).is_none() =>
            {
                if let Some(bytes) = self.read(&file, most_bytes(&target)) {
                    self.files.insert(target, bytes);
                }
            }
            Ok(_) => {
                let message = format!("cannot take the silhouette `{name}` along: its name is not one of a file");
                self.findings.push(Finding::warning("missing-silhouette", message).help("rename the file"));
            }
            Err(finding) => self.findings.push(finding),
        }
    }

    fn add_fleet(&mut self, file: &FileRef, source: &Source) {
        let fleet = match Fleet::read(source) {
            Ok(fleet) => fleet,
            Err(findings) => return self.findings.extend(findings),
        };
        let evaluated = evaluate_fleet(self.rulesets, fleet, file, None);
        let id = evaluated.fleet.ruleset.as_ref().map_or_else(|| "loose".to_owned(), |word| word.text.to_string());
        self.use_ruleset(&id);
        self.name.get_or_insert_with(|| evaluated.name());
        for skipped in &evaluated.skipped {
            self.findings.extend(skipped.findings.iter().cloned());
        }
        let Some(disk) = file.disk_path() else {
            let path = file.path.to_string_lossy().replace('\\', "/");
            self.results.insert(path.clone(), seen_fleet(&path, &evaluated));
            return;
        };
        let wanted = self.own_name(disk, BundleFileKind::Fleet);
        let is_own = wanted.is_some();
        let wanted = wanted.unwrap_or_else(|| format!("designs/{}/fleets/{}", slug_of(&id), file_name(disk)));
        let Some(bytes) = self.read(disk, MAX_TOML_BYTES) else { return };
        let path = self.free_path(wanted.clone(), &bytes);
        let bytes = self.with_designs(&evaluated, &id, &path, bytes, is_own && path == wanted);
        self.results.insert(path.clone(), seen_fleet(&path, &evaluated));
        self.files.insert(path, bytes);
    }

    /// Adds the designs of a fleet, and gives the fleet's text with paths that lead to them in the bundle.
    fn with_designs(
        &mut self,
        fleet: &EvaluatedFleet,
        id: &str,
        path: &str,
        bytes: Vec<u8>,
        is_in_place: bool,
    ) -> Vec<u8> {
        let mut targets = DesignPaths::new();
        let mut is_same = is_in_place;
        for unit in &fleet.units {
            let ClassSource::File(file) = &unit.class.source else { continue };
            let source = &unit.class.design.source;
            let own = file.disk_path().and_then(|disk| self.own_name(disk, BundleFileKind::Design));
            let Some((target, _)) = self.add_design(file, source, Some(id)) else { continue };
            // In the workspace the fleet finds it as before.
            is_same &= file.built_in || own.as_ref() == Some(&target);
            targets.insert((unit.entry, unit.carried), target);
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) if !is_same => text,
            Ok(text) => return text.into_bytes(),
            Err(error) => return error.into_bytes(),
        };
        match with_paths(&fleet.fleet, &text, path, &targets) {
            Ok(text) => text.into_bytes(),
            Err(finding) => {
                self.findings.push(finding);
                text.into_bytes()
            }
        }
    }

    fn add_ruleset(&mut self, what: &str) {
        let is_file = what.to_lowercase().ends_with(".toml");
        if !is_file {
            self.name.get_or_insert_with(|| what.to_owned());
            return self.use_ruleset(what);
        }
        let sources = match layer_sources(self.store, what) {
            Ok(sources) => sources,
            Err(finding) => return self.findings.push(finding),
        };
        let (ruleset, findings) = Ruleset::load_layers(&sources);
        let (Some(ruleset), Some(own)) = (ruleset, sources.last()) else {
            return self.findings.extend(findings);
        };
        self.name.get_or_insert_with(|| ruleset.title.to_string());
        self.files.insert(format!("rulesets/{}.toml", ruleset.id), own.text.as_bytes().to_vec());
        self.done_rulesets.insert(ruleset.id.to_string());
        self.add_chain(&ruleset);
    }

    /// Takes a ruleset along with all that it extends and their templates.
    fn use_ruleset(&mut self, id: &str) {
        if !self.done_rulesets.insert(id.to_owned()) {
            return;
        }
        match self.rulesets.find(id) {
            LoadedRuleset::Ready(ruleset, _) => {
                self.add_ruleset_file(id);
                self.add_chain(&ruleset);
            }
            // Designs of it report it; its text is shared all the same, so that the receiver sees why.
            LoadedRuleset::Broken(_) => self.add_ruleset_file(id),
            LoadedRuleset::Missing(finding) => self.findings.push(finding),
        }
    }

    fn add_chain(&mut self, ruleset: &Ruleset) {
        self.seen_rulesets.insert(ruleset.id.to_string(), seen_ruleset(ruleset));
        let chain: Vec<String> =
            std::iter::once(&ruleset.base).chain(&ruleset.layers).map(|layer| layer.id.to_string()).collect();
        for id in &chain {
            if *id != *ruleset.id && self.done_rulesets.insert(id.clone()) {
                self.add_ruleset_file(id);
            }
        }
        let texts: Vec<&str> = ruleset.texts().collect();
        self.add_templates(&chain, &texts);
    }

    fn add_ruleset_file(&mut self, id: &str) {
        let Ok(file) = self.store.find_asset(AssetKind::Ruleset, id) else { return };
        let Some(disk) = file.disk_path().map(Path::to_path_buf) else { return };
        if let Some(bytes) = self.read(&disk, MAX_TOML_BYTES) {
            self.files.insert(format!("rulesets/{id}.toml"), bytes);
        }
    }

    /// The templates in the folders of these rulesets, and those of all games that a text names.
    fn add_templates(&mut self, chain: &[String], texts: &[&str]) {
        for listed in self.store.list_assets(AssetKind::Template) {
            let Some(disk) = listed.file.disk_path() else { continue };
            let wanted = match listed.id.split_once('/') {
                Some((folder, _)) => chain.iter().any(|id| id == folder),
                None => texts.iter().any(|text| text.contains(listed.id.as_str())),
            };
            let path = format!("templates/{}", listed.id);
            if !wanted || self.files.contains_key(&path) {
                continue;
            }
            if fault_of_name(&path).is_some() {
                let message = format!("cannot take `{path}` along: its name is not one of a file everywhere");
                self.findings.push(Finding::warning("missing-template", message).help("rename it"));
            } else if let Some(bytes) = self.read(disk, MAX_SVG_BYTES) {
                self.files.insert(path, bytes);
            }
        }
    }

    /// The name in the workspace, if a bundle can have it.
    fn own_name(&self, disk: &Path, kind: BundleFileKind) -> Option<String> {
        let name = self.store.name_in_workspace(disk)?;
        (BundleFileKind::of(&name) == Some(kind) && fault_of_name(&name).is_none()).then_some(name)
    }

    /// The path, with a number if another file has it.
    fn free_path(&self, wanted: String, bytes: &[u8]) -> String {
        let is_free = |path: &str| self.files.get(path).is_none_or(|known| known == bytes);
        if is_free(&wanted) {
            return wanted;
        }
        let stem = wanted.strip_suffix(".toml").unwrap_or(&wanted);
        let numbered = (2..).map(|n| format!("{stem}-{n}.toml")).find(|path| is_free(path));
        numbered.unwrap_or(wanted)
    }

    fn read(&mut self, disk: &Path, most: u64) -> Option<Vec<u8>> {
        match store::read_bytes(disk, usize::try_from(most).unwrap_or(usize::MAX)) {
            Ok(bytes) => Some(bytes),
            Err(finding) => {
                self.findings.push(finding);
                None
            }
        }
    }
}

/// A fleet's text in which each of these entries names its design by path. Both paths are in the bundle.
pub(super) fn with_paths(fleet: &Fleet, text: &str, path: &str, targets: &DesignPaths) -> Result<String, Finding> {
    let mut document =
        Document::parse(text).map_err(|message| Finding::error("cannot-edit", format!("invalid TOML: {message}")))?;
    for ((entry, carried), target) in targets {
        let Some(ship) = fleet.ships.get(*entry) else { continue };
        let table = match carried.and_then(|(list, at)| Some((ship.carried.get(list)?, at))) {
            Some((list, at)) => {
                TablePath::Carried { ship: ship.index as usize, relation: list.relation.text.to_string(), at }
            }
            None => TablePath::Ship(ship.index as usize),
        };
        document.set(&table, "design", relative_path(path, target))?;
    }
    Ok(document.to_text())
}

/// The way from one file to another, both from the same folder.
pub(super) fn relative_path(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let shared = from[..from.len() - 1].iter().zip(&to[..to.len() - 1]).take_while(|(one, two)| one == two).count();
    let up = std::iter::repeat_n("..", from.len() - 1 - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

fn slug_of(id: &str) -> String {
    file_stem(id, "loose")
}

fn file_name(disk: &Path) -> String {
    design_file_name(&disk.file_stem().unwrap_or_default().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::relative_path;

    #[test]
    fn paths_lead_from_one_file_to_another() {
        for (from, to, way) in [
            ("designs/x/fleets/a.toml", "designs/x/b.toml", "../b.toml"),
            ("designs/x/fleets/a.toml", "designs/y/b.toml", "../../y/b.toml"),
            ("designs/x/a.toml", "designs/x/b.toml", "b.toml"),
            ("a.toml", "designs/b.toml", "designs/b.toml"),
        ] {
            assert_eq!(relative_path(from, to), way);
        }
    }
}
