//! Reviews a ruleset for its author: takes a store and an id or a file, gives the errors or the lints' findings; also
//! gives the templates that the author may change. Never writes, never prints.

use std::path::Path;
use std::sync::Arc;

use crate::lint::{FindingExample, LintInput, Reach, lint_while, reach};
use crate::store::{AssetKind, Store};
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::ruleset::{Difference, Ruleset};
use moldloft_sheet::sheet::TemplateCache;

use super::layer_sources::layer_sources;

/// How many designs were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DesignsTried {
    /// Of the game.
    pub own: usize,
    /// Those of the game that break the rules, as a ban makes them.
    pub illegal: usize,
    /// Generated from the rules.
    pub made: usize,
}

#[derive(Clone, Debug)]
pub struct RulesetReview {
    /// The ruleset's own file.
    pub file: Arc<str>,
    /// Id and version; `None` when it does not load.
    pub ruleset: Option<(Arc<str>, Arc<str>)>,
    /// Findings of loading, then of the lints.
    pub findings: Vec<Finding>,
    /// Designs that show some of the findings.
    pub trials: Vec<FindingExample>,
    /// The designs that were tried; `None` when it does not load.
    pub designs_tried: Option<DesignsTried>,
}

/// Reviews a ruleset by id or file until `go_on` gives false; then `None`.
///
/// # Errors
/// A finding when the ruleset, or one that it extends, does not exist or cannot be read.
pub fn review_ruleset(store: &Store, what: &str, go_on: &dyn Fn() -> bool) -> Result<Option<RulesetReview>, Finding> {
    let is_file = what.to_lowercase().ends_with(".toml");
    let store = if is_file { &store.for_file(Path::new(what)) } else { store };
    let sources = layer_sources(store, what).map_err(|mut finding| {
        // If a ruleset below it is missing, the file that extends it is named.
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
    let templates = TemplateCache::new(|ids, name| {
        store.template(ids, name).or_else(|| if is_file { Store::template_beside(Path::new(what), name) } else { None })
    });
    let Some(report) = lint_while(&LintInput { ruleset: &ruleset, designs: &designs, templates: &templates }, go_on)
    else {
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
        designs_tried: Some(DesignsTried {
            own: report.samples_tried,
            illegal: report.samples_illegal,
            made: report.made,
        }),
    }))
}

/// What each difference of two rulesets of a game reaches, in their order; `None` where one of them does not load. The templates are
/// those of the store, or beside the file `what`.
pub fn change_reach(
    store: &Store,
    (before, after): (&[Source], &[Source]),
    what: &str,
    differences: &[Difference],
) -> Option<Vec<Reach>> {
    let load = |sources: &[Source]| Ruleset::load_layers(sources).0.map(Arc::new);
    let templates = TemplateCache::new(|ids, name| {
        let is_file = what.to_lowercase().ends_with(".toml");
        store.template(ids, name).or_else(|| if is_file { Store::template_beside(Path::new(what), name) } else { None })
    });
    Some(reach(&load(before)?, &load(after)?, &templates, differences))
}

/// The designs of a ruleset, and of those that it extends.
pub fn designs_of_ruleset(store: &Store, ruleset: &Ruleset) -> Vec<Design> {
    let known = |id: &str| ruleset.templates.iter().any(|known| **known == *id);
    let listed = store.list_assets(AssetKind::Design);
    let listed = listed.into_iter().filter(|one| one.id.split('/').next().is_some_and(known));
    let read = listed.filter_map(|one| one.file.read().ok());
    let designs = read.filter_map(|source| Design::read(&source).ok());
    designs.filter(|design| design.ruleset.as_ref().is_some_and(|word| known(&word.text))).collect()
}

/// The templates of a ruleset's sheets and counters by name, without icons, which all games share.
///
/// # Errors
/// The finding of a template that cannot be read.
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
