//! The classes of a fleet: takes the class names in the file, gives designs, each read once, or findings. Reads only
//! what `store` allows, and never shows lines of a file that is not a design.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::library::rulesets::Rulesets;
use crate::store::{FileRef, Store};
use moldloft_base::finding::{Cause, Finding, FindingList, nearest};
use moldloft_base::sanitize::fold_for_search;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{Design, SpannedText};
use moldloft_rules::ruleset::Ruleset;

use super::{ClassSource, FleetClass};

type ClassResult = std::result::Result<Arc<FleetClass>, Vec<Finding>>;

pub(super) struct ClassLoader<'a> {
    rulesets: &'a Rulesets,
    store: &'a Store,
    fleet: &'a Fleet,
    location: &'a FileRef,
    rules: &'a Ruleset,
    resolved: BTreeMap<String, ClassResult>,
    /// From the last evaluation, for reuse.
    previous: BTreeMap<&'a ClassSource, &'a Arc<FleetClass>>,
    classes_read: Vec<Arc<FleetClass>>,
    /// Indices of the fleet's own designs by normalized name, the first of each name.
    embedded_by_name: BTreeMap<String, usize>,
    /// Classes that were requested, by index of the design.
    embedded: BTreeMap<usize, Arc<FleetClass>>,
    /// The files that may hold a class by name; `None` until needed.
    files: Option<ClassIndex>,
    /// The number of missing classes so far.
    missing: usize,
}

/// The classes in files of the fleet's game.
#[derive(Default)]
struct ClassIndex {
    classes: Vec<Arc<FleetClass>>,
    by_name: BTreeMap<String, Arc<FleetClass>>,
    by_stem: BTreeMap<String, Arc<FleetClass>>,
    /// Their names, the fleet's own first, for suggestions.
    names: Vec<String>,
}

impl<'a> ClassLoader<'a> {
    pub fn new(
        rulesets: &'a Rulesets,
        fleet: &'a Fleet,
        location: &'a FileRef,
        rules: &'a Ruleset,
        before: &'a [Arc<FleetClass>],
    ) -> Self {
        let before = before.iter().map(|class| (&class.source, class)).collect();
        let mut own = BTreeMap::new();
        for (n, name) in fleet.designs.iter().enumerate().filter_map(|(n, design)| Some((n, design.name.as_ref()?))) {
            own.entry(fold_for_search(name.text.trim())).or_insert(n);
        }
        Self {
            rulesets,
            store: rulesets.store(),
            fleet,
            location,
            rules,
            resolved: BTreeMap::new(),
            previous: before,
            classes_read: Vec::new(),
            embedded_by_name: own,
            embedded: BTreeMap::new(),
            files: None,
            missing: 0,
        }
    }

    /// Every class that was read from a file.
    pub fn into_classes(self) -> Vec<Arc<FleetClass>> {
        let files = self.files.into_iter().flat_map(|files| files.classes);
        self.classes_read.into_iter().chain(files).collect()
    }

    /// The class of a name; findings are placed at the name.
    pub fn get(&mut self, word: &SpannedText) -> ClassResult {
        let key = word.text.trim().to_owned();
        if let Some(known) = self.resolved.get(&key) {
            return known.clone().map_err(|findings| self.at_word(findings, word));
        }
        let found = self.find(&key).and_then(|class| self.check_ruleset(class));
        self.resolved.insert(key, found.clone());
        found.map_err(|findings| self.at_word(findings, word))
    }

    /// Gives findings without a place that of the class name in the fleet.
    fn at_word(&self, findings: Vec<Finding>, word: &SpannedText) -> Vec<Finding> {
        let place = |finding: Finding| match finding.at.file {
            Some(_) => finding,
            None => finding.at(self.fleet.source.place_with_snippet(word.span)),
        };
        findings.into_iter().map(place).collect()
    }

    fn find(&mut self, word: &str) -> ClassResult {
        if let Some(&n) = self.embedded_by_name.get(&fold_for_search(word)) {
            let fleet = self.fleet;
            let made = || {
                Arc::new(FleetClass { design: Arc::new(fleet.designs[n].clone()), source: ClassSource::Embedded(n) })
            };
            return Ok(self.embedded.entry(n).or_insert_with(made).clone());
        }
        if word.to_lowercase().ends_with(".toml") {
            let named = match self.store.design_beside_fleet(&self.location.path, self.location.built_in, word) {
                Ok(named) => named,
                Err(finding) => return Err(vec![self.near_path(finding, word)]),
            };
            let found = read_class(self.rulesets, &named, &self.previous);
            self.classes_read.extend(found.iter().cloned());
            return match found {
                Err(finding) if finding.at.file.is_none() => Err(vec![not_a_design(word)]),
                read => read.map_err(|finding| vec![finding]),
            };
        }
        self.find_by_name(word)
    }

    /// Adds the nearest path to the finding for a missing one.
    fn near_path(&mut self, mut finding: Finding, word: &str) -> Finding {
        self.missing += 1;
        if finding.cause == Some(Cause::MissingDesign) && self.missing <= FindingList::MAX {
            let near = self.store.nearest_design_path(&self.location.path, self.location.built_in, word);
            finding.help = near.map(|near| format!("did you mean `{near}`?")).or(finding.help);
        }
        finding
    }

    fn find_by_name(&mut self, name: &str) -> ClassResult {
        if self.files.is_none() {
            self.files = Some(self.build_index());
        }
        let files = self.files.get_or_insert_default();
        let wanted = fold_for_search(name.trim());
        let by_stem = || files.by_stem.get(&wanted).or_else(|| files.by_stem.get(&super::unit_keys::key_word(name)));
        if let Some(class) = files.by_name.get(&wanted).or_else(by_stem) {
            return Ok(Arc::clone(class));
        }
        self.missing += 1;
        // Nobody reads that many suggestions.
        let near =
            if self.missing > FindingList::MAX { None } else { nearest(name, files.names.iter().map(String::as_str)) };
        let shown: String = name.chars().take(60).collect();
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use the name of a class, or a path that ends in .toml, such as ../vigilant.toml".to_owned(),
        };
        Err(vec![Finding::caused(Cause::MissingDesign, format!("unknown class `{shown}` for this game")).help(help)])
    }

    /// Reads the files that may hold a class by name; ignores those that are not designs, since nobody named them.
    fn build_index(&self) -> ClassIndex {
        let ids: Vec<&str> = self.rules.templates.iter().map(|id| &**id).collect();
        let mut files = ClassIndex::default();
        let own = self.fleet.designs.iter().filter_map(|design| Some(design.name.as_ref()?.text.trim().to_owned()));
        files.names.extend(own);
        for named in self.store.class_files(&self.location.path, self.location.built_in, &ids) {
            let Ok(class) = read_class(self.rulesets, &named, &self.previous) else { continue };
            files.classes.push(class.clone());
            if class.design.ruleset.as_ref().is_none_or(|word| !ids.contains(&&*word.text)) {
                continue;
            }
            if let Some(name) = class.design.name.as_ref().map(|word| word.text.trim()) {
                files.by_name.entry(fold_for_search(name)).or_insert_with(|| class.clone());
                files.names.push(name.to_owned());
            }
            if let Some(stem) = named.path.file_stem() {
                let stem = stem.to_string_lossy();
                files.by_stem.entry(fold_for_search(stem.strip_suffix(".ship").unwrap_or(&stem))).or_insert(class);
            }
        }
        files
    }

    /// Checks that the class has the fleet's ruleset.
    fn check_ruleset(&self, class: Arc<FleetClass>) -> ClassResult {
        let Some(word) = &class.design.ruleset else { return Ok(class) };
        let fleet = self.fleet.ruleset.as_ref().map_or("", |word| &word.text);
        if *word.text == *fleet || self.rules.templates.contains(&word.text) {
            return Ok(class);
        }
        let name = class.design.name.as_ref().map_or("this design", |name| &name.text);
        let short = |text: &str| text.chars().take(60).collect::<String>();
        let message = format!("{} uses the ruleset {}, the fleet {}", short(name), short(&word.text), short(fleet));
        Err(vec![Finding::error("mixed-rulesets", message).help("move ships of another game to a separate fleet")])
    }
}

/// Reads a design's file; keeps nothing of other files. An unchanged file is not parsed again.
fn read_class(
    rulesets: &Rulesets,
    named: &FileRef,
    before: &BTreeMap<&ClassSource, &Arc<FleetClass>>,
) -> std::result::Result<Arc<FleetClass>, Finding> {
    let source = rulesets.read(named)?;
    let from = ClassSource::File(named.clone());
    let same =
        |class: &&&Arc<FleetClass>| class.design.source.text == source.text && class.design.source.file == source.file;
    if let Some(known) = before.get(&from).filter(same) {
        return Ok(Arc::clone(known));
    }
    let design = Design::read(&source).map_err(|_| not_a_design("it"))?;
    Ok(Arc::new(FleetClass { design: Arc::new(design), source: from }))
}

fn not_a_design(what: &str) -> Finding {
    let what: String = what.chars().take(120).collect();
    Finding::caused(Cause::MissingDesign, format!("cannot read {what} as a design"))
        .help("run `moldloft check` on that file")
}
