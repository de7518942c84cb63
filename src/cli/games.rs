//! Rulesets for a job: each loaded once with all its layers and the player's settings.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::finding::{Finding, Severity};
use crate::ruleset::{Ruleset, extends};
use crate::source::{Source, Span};
use crate::store::{Store, read};

/// The rulesets of a job.
pub struct Games<'a> {
    store: &'a Store,
    set: Vec<(&'a str, &'a str)>,
    used: Vec<bool>,
    loaded: BTreeMap<String, Loaded>,
}

/// A ruleset, or why there is none.
#[derive(Clone)]
pub enum Loaded {
    /// It can be used; its warnings.
    Ready(Arc<Ruleset>, Vec<Finding>),
    /// It is there and has errors.
    Broken(Vec<Finding>),
    /// It is nowhere.
    Missing(Finding),
}

impl<'a> Games<'a> {
    /// No ruleset yet; `set` holds what the player gave as `--set KEY=VALUE`.
    ///
    /// # Errors
    /// A finding when one of `set` has no `=`.
    pub fn new(store: &'a Store, set: &'a [String]) -> Result<Self, Finding> {
        let set: Vec<_> = set
            .iter()
            .map(|pair| match pair.split_once('=') {
                Some((key, value)) => Ok((key.trim(), value.trim())),
                None => Err(Finding::error("wrong-setting", format!("--set {pair} is no setting"))
                    .help("write --set NAME=VALUE, such as --set mu=cm")),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { store, used: vec![false; set.len()], set, loaded: BTreeMap::new() })
    }

    /// The ruleset of an id.
    ///
    /// # Errors
    /// A finding when one of the player's settings cannot have its value.
    pub fn get(&mut self, id: &str) -> Result<&Loaded, Finding> {
        if !self.loaded.contains_key(id) {
            let mut loaded = load(self.store, id);
            if let Loaded::Ready(ruleset, _) = &mut loaded {
                let ruleset = Arc::make_mut(ruleset);
                for (&(key, value), used) in self.set.iter().zip(&mut self.used) {
                    match ruleset.set(key, value) {
                        Ok(()) => *used = true,
                        // Another game of the same job may have it: judged at the end, by `settings_used`.
                        Err(finding) if finding.code == "unknown-setting" => {}
                        Err(finding) => return Err(finding),
                    }
                }
            }
            self.loaded.insert(id.to_owned(), loaded);
        }
        Ok(&self.loaded[id])
    }

    /// The ruleset of an id that the player named: it must be there and usable.
    ///
    /// # Errors
    /// The finding that says why it cannot be used; further ones of its file are written to standard error.
    pub fn need(&mut self, id: &str) -> Result<Arc<Ruleset>, Finding> {
        match self.get(id)? {
            Loaded::Ready(ruleset, _) => Ok(ruleset.clone()),
            Loaded::Missing(finding) => Err(finding.clone()),
            Loaded::Broken(findings) => {
                super::complain(findings);
                Err(unusable(id, findings))
            }
        }
    }

    /// That every `--set` was known to some ruleset of the job.
    ///
    /// # Errors
    /// A finding with the nearest setting for one that was not. Without any usable ruleset nothing can be said.
    pub fn settings_used(&self) -> Result<(), Finding> {
        let ready: Vec<_> = self
            .loaded
            .values()
            .filter_map(|loaded| if let Loaded::Ready(ruleset, _) = loaded { Some(ruleset) } else { None })
            .collect();
        for (&(key, value), used) in self.set.iter().zip(&self.used) {
            if !used && let Some(ruleset) = ready.first() {
                Ruleset::clone(ruleset).set(key, value)?;
            }
        }
        Ok(())
    }

    /// What was found in the rulesets themselves, each ruleset's findings once.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.loaded.values().flat_map(|loaded| match loaded {
            Loaded::Ready(_, findings) | Loaded::Broken(findings) => findings.as_slice(),
            Loaded::Missing(_) => &[],
        })
    }
}

/// The finding for a design whose ruleset has errors.
pub fn unusable(id: &str, findings: &[Finding]) -> Finding {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let plural = if errors == 1 { "error" } else { "errors" };
    Finding::error("unusable-ruleset", format!("the ruleset `{id}` has {errors} {plural} and cannot be used"))
        .help("mend the ruleset first; nothing is judged by rules that are half read")
}

/// The sources of a ruleset that the player named by its id or its file, what it extends before itself: what
/// [`Ruleset::load_layers`] takes.
///
/// # Errors
/// A finding when it, or one that it extends, is nowhere or cannot be read.
pub fn chain(store: &Store, what: &str) -> Result<Vec<Source>, Finding> {
    let mut sources: Vec<(String, Source)> = Vec::new();
    if what.to_lowercase().ends_with(".toml") {
        let source = read(Path::new(what))?;
        for base in extends(&source) {
            gather(store, &base, &mut vec![what.to_owned()], &mut sources)?;
        }
        sources.push((what.to_owned(), source));
    } else {
        gather(store, what, &mut Vec::new(), &mut sources)?;
    }
    Ok(sources.into_iter().map(|(_, source)| source).collect())
}

fn load(store: &Store, id: &str) -> Loaded {
    let sources = match chain(store, id) {
        Ok(sources) => sources,
        Err(finding) => return Loaded::Missing(finding),
    };
    match Ruleset::load_layers(&sources) {
        (Some(ruleset), mut findings) => {
            findings.extend(misnamed(id, &ruleset, sources.last()));
            Loaded::Ready(Arc::new(ruleset), findings)
        }
        (None, findings) => Loaded::Broken(findings),
    }
}

/// A ruleset that was asked for by the name of its file and calls itself something else: its templates are looked for there.
fn misnamed(id: &str, ruleset: &Ruleset, source: Option<&Source>) -> Option<Finding> {
    if *ruleset.id == *id || id.to_lowercase().ends_with(".toml") {
        return None;
    }
    let message = format!("this file is named {id}.toml, and its id is `{}`", ruleset.id);
    let help = "give both the same name: designs ask for the file, templates lie in the folder named by the id";
    let found = Finding::warning("id-is-not-file-name", message).help(help);
    Some(match source {
        Some(source) => found.at(source.place(Span::default())),
        None => found,
    })
}

/// Layers over layers.
const MOST_LAYERS: usize = 16;

/// A ruleset's sources, what it extends before itself, each once.
fn gather(store: &Store, id: &str, path: &mut Vec<String>, into: &mut Vec<(String, Source)>) -> Result<(), Finding> {
    if into.iter().any(|(known, _)| known == id) {
        return Ok(());
    }
    if path.len() > MOST_LAYERS {
        return Err(Finding::error(
            "too-many-layers",
            format!("`{}` extends through more than {MOST_LAYERS} layers, at most {MOST_LAYERS} can be", path[0]),
        )
        .help("lay several of them together into one"));
    }
    if path.iter().any(|above| above == id) {
        path.push(id.to_owned());
        return Err(Finding::error(
            "extends-in-circle",
            format!("rulesets extend each other in a circle: {}", path.join(" → ")),
        )
        .help("let one of them extend none"));
    }
    let source = store.ruleset(id).map_err(|mut finding| {
        if let Some(by) = path.last() {
            finding.message = format!("{}, which `{by}` extends", finding.message);
        }
        finding
    })?;
    path.push(id.to_owned());
    for base in extends(&source) {
        gather(store, &base, path, into)?;
    }
    path.pop();
    if into.len() >= 2 * MOST_LAYERS {
        return Err(Finding::error(
            "too-many-layers",
            format!("`{id}` is one of more than {} rulesets laid over each other", 2 * MOST_LAYERS),
        )
        .help("lay several of them together into one"));
    }
    into.push((id.to_owned(), source));
    Ok(())
}
