//! Opens a bundle without writing it: evaluates its designs and fleets in memory by its own rulesets and the built-in ones,
//! and says what differs from what the sender's program saw.

use std::collections::BTreeMap;
use std::path::Path;

use crate::library::{ClassSource, EvaluatedFleet, FleetInput, LoadedRuleset, Rulesets, check_source, evaluate_fleets};
use crate::store::{self, AssetKind, FileRef, MemoryFolder, Store};
use moldloft_base::allowance::Allowance;
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::ruleset::Ruleset;

use super::differences::{differences, ruleset_differences};
use super::gather::DesignPaths;
use super::model::{BundleFile, BundleFileKind, MAX_UNPACKED_BYTES, SeenResult, SharedBundle};
use super::seen::{seen_design, seen_fleet, seen_ruleset};

/// The most findings of one file that are kept.
const MAX_FINDINGS: usize = 20;

/// What is in a bundle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BundleReview {
    pub name: String,
    pub program: String,
    /// In the order of the files; then built-in designs and fleets that were named.
    pub entries: Vec<ReviewEntry>,
    /// What differs in the rulesets, one sentence each.
    pub ruleset_differences: Vec<String>,
    /// About the bundle as a whole.
    pub findings: Vec<Finding>,
    /// Whether the sender's program says what it saw.
    pub is_compared: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReviewEntry {
    pub path: String,
    pub kind: BundleFileKind,
    /// Whether the bundle has it; otherwise it is built in.
    pub is_in_bundle: bool,
    /// What this program sees of it; `None` for what is not evaluated.
    pub result: Option<SeenResult>,
    /// What differs from what the sender's program saw.
    pub differences: Vec<String>,
    /// Why it cannot be used, or what is wrong with it.
    pub findings: Vec<Finding>,
    /// For a fleet: the design's file in the bundle of each entry, as [`EvaluatedFleet::units`] has it.
    pub(super) classes: DesignPaths,
    /// For a ruleset or design: the ids of its ruleset's layers, the base first.
    pub(super) chain: Vec<String>,
}

fn chain_of(ruleset: &Ruleset) -> Vec<String> {
    std::iter::once(&ruleset.base).chain(&ruleset.layers).map(|layer| layer.id.to_string()).collect()
}

impl BundleReview {
    /// In one sentence.
    pub fn verdict(&self) -> &'static str {
        match (self.is_compared, self.differs()) {
            (false, _) => "the sender's program does not say what it saw",
            (true, true) => "some of it differs from what the sender's program saw",
            (true, false) => "all of it is as the sender's program saw it",
        }
    }

    /// Whether anything differs from what the sender saw.
    pub fn differs(&self) -> bool {
        !self.ruleset_differences.is_empty() || self.entries.iter().any(|entry| !entry.differences.is_empty())
    }
}

/// Evaluates a bundle by its own rulesets and the built-in ones. Nothing is written to the disk.
pub fn review_bundle(bundle: &SharedBundle) -> BundleReview {
    review_bundle_for(bundle, None)
}

/// The same for a player's folder: rulesets that the bundle lacks are those of the folder.
pub fn review_bundle_for(bundle: &SharedBundle, folder: Option<&Path>) -> BundleReview {
    let mut review = BundleReview {
        name: named(&bundle.manifest.name, "a bundle without a name"),
        program: named(&bundle.manifest.program, "an unknown program"),
        is_compared: !bundle.manifest.results.is_empty() || !bundle.manifest.rulesets.is_empty(),
        ..BundleReview::default()
    };
    let memory = MemoryFolder::new();
    let mut files: store::Bundle = bundle.files.iter().map(|file| (file.path.clone(), file.bytes.clone())).collect();
    files.extend(folder.map(|folder| own_rulesets(folder, bundle)).unwrap_or_default());
    if let Err(finding) = store::save_bundle(memory.path(), &files, &BTreeMap::new()) {
        review.findings.push(finding);
        return review;
    }
    let store = match Store::open(Some(memory.path())) {
        Ok(store) => store,
        Err(finding) => {
            review.findings.push(finding);
            return review;
        }
    };
    let reviewer = Reviewer { bundle, memory: &memory, rulesets: Rulesets::without_settings(&store) };
    let allowance = Allowance::for_job();
    review.entries = bundle.files.iter().map(|file| reviewer.entry(file, &allowance)).collect();
    reviewer.evaluate_fleets(&mut review.entries, &allowance);
    review.entries.extend(reviewer.built_in_entries(&allowance));
    for entry in &mut review.entries {
        let there = bundle.manifest.results.iter().find(|seen| seen.file == entry.path);
        entry.differences = match (there, &entry.result) {
            (Some(there), Some(here)) => differences(there, here),
            (Some(_), None) => vec!["evaluated there, not here".to_owned()],
            (None, _) => Vec::new(),
        };
        entry.findings.truncate(MAX_FINDINGS);
    }
    for there in &bundle.manifest.rulesets {
        if let LoadedRuleset::Ready(here, _) = reviewer.rulesets.find(&there.id)
            && let Some(difference) = ruleset_differences(there, &seen_ruleset(&here))
        {
            review.ruleset_differences.push(format!("{}: {difference}", here.id));
        }
    }
    review
}

/// The rulesets of a folder that a bundle lacks.
fn own_rulesets(folder: &Path, bundle: &SharedBundle) -> store::Bundle {
    let Ok(store) = Store::open(Some(folder)) else { return Vec::new() };
    let listed = store.list_assets(AssetKind::Ruleset).into_iter().filter(|listed| !listed.file.built_in);
    let named = listed.map(|listed| (format!("rulesets/{}.toml", listed.id), listed.file));
    let lacking = named.filter(|(path, _)| !bundle.files.iter().any(|file| file.path == *path));
    let mut left = MAX_UNPACKED_BYTES;
    lacking
        .filter_map(|(path, file)| Some((path, file.read().ok()?.text.as_bytes().to_vec())))
        .take_while(|(_, bytes)| {
            let is_room = bytes.len() <= left;
            left = left.saturating_sub(bytes.len());
            is_room
        })
        .collect()
}

fn named(text: &str, other: &str) -> String {
    let text = text.trim();
    if text.is_empty() { other.to_owned() } else { text.to_owned() }
}

struct Reviewer<'b> {
    bundle: &'b SharedBundle,
    memory: &'b MemoryFolder,
    rulesets: Rulesets,
}

impl Reviewer<'_> {
    fn entry(&self, file: &BundleFile, allowance: &Allowance) -> ReviewEntry {
        let kind = BundleFileKind::of(&file.path).unwrap_or(BundleFileKind::Design);
        let mut entry = new_entry(&file.path, kind);
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            entry.findings.push(Finding::error("not-utf8", format!("{} is not UTF-8", file.path)));
            return entry;
        };
        match kind {
            BundleFileKind::Ruleset => {
                let id = file.path.trim_start_matches("rulesets/").trim_end_matches(".toml");
                entry.findings = self.rulesets.find(id).findings().to_vec();
                if let LoadedRuleset::Ready(ruleset, _) = self.rulesets.find(id) {
                    entry.chain = chain_of(&ruleset);
                    let name = format!("{} {}", ruleset.title, ruleset.version);
                    entry.result =
                        Some(SeenResult { file: file.path.clone(), name, legal: true, ..Default::default() });
                }
            }
            BundleFileKind::Design => self.evaluate_design(&mut entry, text, allowance),
            BundleFileKind::Fleet | BundleFileKind::Template | BundleFileKind::Silhouette => {}
        }
        entry
    }

    fn evaluate_design(&self, entry: &mut ReviewEntry, text: &str, allowance: &Allowance) {
        if allowance.work_left() == 0 {
            entry.findings.push(not_evaluated());
            return;
        }
        let checked = check_source(&self.rulesets, &Source::new(entry.path.as_str(), text));
        match &checked.evaluation {
            Some(evaluation) => {
                // What is left decides at the next design.
                let _ = allowance.spend_work(evaluation.work());
                entry.chain = chain_of(&evaluation.ruleset);
                entry.result = Some(seen_design(&entry.path, evaluation));
            }
            None => entry.findings = checked.failed,
        }
    }

    /// All fleets share one allowance.
    fn evaluate_fleets(&self, entries: &mut [ReviewEntry], allowance: &Allowance) {
        let (mut places, mut inputs) = (Vec::new(), Vec::new());
        for (place, (entry, file)) in entries.iter_mut().zip(&self.bundle.files).enumerate() {
            if entry.kind != BundleFileKind::Fleet || !entry.findings.is_empty() {
                continue;
            }
            let location = FileRef::on_disk(self.memory.path().join(&file.path));
            match Fleet::read(&Source::new(file.path.as_str(), &String::from_utf8_lossy(&file.bytes))) {
                Ok(fleet) => {
                    places.push(place);
                    inputs.push(FleetInput { fleet, location });
                }
                Err(findings) => entry.findings = findings,
            }
        }
        for (place, fleet) in places.into_iter().zip(evaluate_fleets(&self.rulesets, inputs, None, allowance)) {
            let entry = &mut entries[place];
            entry.result = Some(seen_fleet(&entry.path, &fleet));
            entry.classes = self.classes(&fleet);
            entry.findings = fleet.skipped.iter().flat_map(|skipped| skipped.findings.clone()).collect();
            if fleet.ruleset.is_none() {
                entry.findings.extend(fleet.findings);
            }
        }
    }

    fn classes(&self, fleet: &EvaluatedFleet) -> DesignPaths {
        let class = |source: &ClassSource| match source {
            ClassSource::File(file) => self.rulesets.store().name_in_workspace(file.disk_path()?),
            ClassSource::Embedded(_) => None,
        };
        let units = fleet.units.iter();
        units.filter_map(|unit| Some(((unit.entry, unit.carried), class(&unit.class.source)?))).collect()
    }

    /// Built-in designs that the sender named, so that their results can be compared.
    fn built_in_entries(&self, allowance: &Allowance) -> Vec<ReviewEntry> {
        let is_new = |file: &str| !self.bundle.files.iter().any(|known| known.path == file);
        let named = self.bundle.manifest.results.iter().map(|seen| seen.file.as_str()).filter(|file| is_new(file));
        let mut entries = Vec::new();
        for file in named {
            let Some(source) = store::built_in_source(file) else { continue };
            let Some(kind @ (BundleFileKind::Design | BundleFileKind::Fleet)) = BundleFileKind::of(file) else {
                continue;
            };
            let mut entry = ReviewEntry { is_in_bundle: false, ..new_entry(file, kind) };
            match kind {
                BundleFileKind::Design => self.evaluate_design(&mut entry, &source.text, allowance),
                _ => {
                    if let Ok(fleet) = Fleet::read(&source) {
                        let input = FleetInput { fleet, location: FileRef::built_in(file) };
                        let fleet = evaluate_fleets(&self.rulesets, vec![input], None, allowance);
                        entry.result = fleet.first().map(|fleet| seen_fleet(file, fleet));
                    }
                }
            }
            entries.push(entry);
        }
        entries
    }
}

fn new_entry(path: &str, kind: BundleFileKind) -> ReviewEntry {
    ReviewEntry {
        path: path.to_owned(),
        kind,
        is_in_bundle: true,
        result: None,
        differences: Vec::new(),
        findings: Vec::new(),
        classes: DesignPaths::new(),
        chain: Vec::new(),
    }
}

fn not_evaluated() -> Finding {
    Finding::error("too-large", "the bundle takes too much work; not evaluated")
        .help("open it again after splitting it into smaller bundles")
}
