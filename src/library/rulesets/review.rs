//! What a ruleset's author wants to know of it: takes a store and an id or a file, gives what keeps it from loading and what the lints say of
//! it; the templates that are its own to change. Never writes, never prints.

use std::path::Path;
use std::sync::Arc;

use crate::design::Design;
use crate::finding::Finding;
use crate::lint::{FindingExample, LintInput, lint_while};
use crate::ruleset::Ruleset;
use crate::sheet::TemplateCache;
use crate::source::Source;
use crate::store::{AssetKind, Store};

use super::layer_sources::layer_sources;

/// A ruleset, judged.
#[derive(Clone, Debug)]
pub struct RulesetReview {
    /// Its own file.
    pub file: Arc<str>,
    /// Id and version; `None` when it does not load.
    pub ruleset: Option<(Arc<str>, Arc<str>)>,
    /// What keeps it from loading, then what its author is likely to have got wrong.
    pub findings: Vec<Finding>,
    /// Designs that show some of the findings, by the finding's place.
    pub trials: Vec<FindingExample>,
    /// How many of the game's designs and of those made were tried; `None` when it does not load.
    pub designs_tried: Option<(usize, usize)>,
}

/// Looks a ruleset over, by its id or its file, for as long as `go_on` says; `None` when it said no on the way.
///
/// # Errors
/// A finding when it, or one that it extends, is nowhere or cannot be read.
pub fn review_ruleset(store: &Store, what: &str, go_on: &dyn Fn() -> bool) -> Result<Option<RulesetReview>, Finding> {
    let is_file = what.to_lowercase().ends_with(".toml");
    let store = if is_file { &store.for_file(Path::new(what)) } else { store };
    let sources = layer_sources(store, what).map_err(|mut finding| {
        // A ruleset below it is missing: the file that asks for it is named.
        if is_file && finding.at.file.is_none() {
            finding.at.file = Some(what.into());
        }
        finding
    })?;
    let file = sources.last().map(|source| source.file.clone()).unwrap_or_default();
    let (ruleset, mut findings) = Ruleset::load_layers(&sources);
    let Some(ruleset) = ruleset.map(Arc::new) else {
        return Ok(Some(RulesetReview { file, ruleset: None, findings, trials: Vec::new(), designs_tried: None }));
    };
    let designs = designs_of_ruleset(store, &ruleset);
    let shelf = TemplateCache::new(|ids, name| {
        store.template(ids, name).or_else(|| if is_file { Store::template_beside(Path::new(what), name) } else { None })
    });
    let Some(report) = lint_while(&LintInput { ruleset: &ruleset, designs: &designs, shelf: &shelf }, go_on) else {
        return Ok(None);
    };
    let before = findings.len();
    findings.extend(report.findings);
    let trials =
        report.examples.into_iter().map(|trial| FindingExample { finding: before + trial.finding, ..trial }).collect();
    Ok(Some(RulesetReview {
        file,
        ruleset: Some((ruleset.id.clone(), ruleset.version.clone())),
        findings,
        trials,
        designs_tried: Some((report.samples_tried, report.made)),
    }))
}

/// The designs of a ruleset, and of those it is laid over.
pub fn designs_of_ruleset(store: &Store, ruleset: &Ruleset) -> Vec<Design> {
    let known = |id: &str| ruleset.templates.iter().any(|known| **known == *id);
    let listed = store.list_assets(AssetKind::Design);
    let listed = listed.into_iter().filter(|one| one.id.split('/').next().is_some_and(known));
    let read = listed.filter_map(|one| one.file.read().ok());
    let designs = read.filter_map(|source| Design::read(&source).ok());
    designs.filter(|design| design.ruleset.as_ref().is_some_and(|word| known(&word.text))).collect()
}

/// What a ruleset's sheets and counters are drawn from, by name, as it is in force; icons are shared by all games and left out.
///
/// # Errors
/// What reading one of them found.
pub fn templates_of_ruleset(store: &Store, ruleset: &Ruleset) -> Result<Vec<(String, Source)>, Finding> {
    let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
    let mut names: Vec<String> = Vec::new();
    for one in store.list_assets(AssetKind::Template) {
        if let Some((game, name)) = one.id.split_once('/')
            && ids.contains(&game)
            && !names.iter().any(|other| other == name)
        {
            names.push(name.to_owned());
        }
    }
    let read = names.into_iter().filter_map(|name| store.template(&ids, &name).map(|source| source.map(|s| (name, s))));
    read.collect()
}
