//! A cache of rulesets, each loaded once with its layers and the player's settings: takes ids, gives rulesets or why
//! there are none. Shared by all threads; on reload a text with errors never replaces a working ruleset. Never prints.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::store::{FileRef, Store};
use moldloft_base::finding::{Advice, Cause, Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_base::source::{Source, Span};
use moldloft_rules::ruleset::Ruleset;

use super::layer_sources::layer_sources;
use super::words::Language;

#[derive(Debug)]
pub struct Rulesets {
    store: Store,
    settings: Vec<(String, String)>,
    cache: Mutex<RulesetCache>,
    /// Texts in place of those of files, by path: of open documents.
    open_texts: BTreeMap<PathBuf, Source>,
    /// See [`Ruleset::load_for_sheets`].
    for_sheets: bool,
    /// What the results of its rulesets are shown in.
    language: Option<Language>,
}

#[derive(Debug, Default)]
struct RulesetCache {
    /// By requested id.
    rulesets: BTreeMap<String, CachedRuleset>,
    /// Whether a ruleset knew the setting, by index.
    settings_used: Vec<bool>,
}

/// A ruleset as last read.
#[derive(Clone, Debug)]
struct CachedRuleset {
    loaded: LoadedRuleset,
    /// What was last read, whether it applies or not; `None` when there was no such ruleset.
    texts: Option<Arc<[Source]>>,
    /// The errors of a newer text that does not apply because of them.
    pending_findings: Option<Arc<[Finding]>>,
}

/// A ruleset, or why there is none.
#[derive(Clone, Debug)]
pub enum LoadedRuleset {
    /// A usable ruleset with its warnings.
    Ready(Arc<Ruleset>, Arc<[Finding]>),
    /// A ruleset with errors.
    Broken(Arc<[Finding]>),
    /// No ruleset of this id.
    Missing(Finding),
}

impl LoadedRuleset {
    /// `None` if it cannot be used.
    pub fn ruleset(&self) -> Option<&Arc<Ruleset>> {
        if let Self::Ready(ruleset, _) = self { Some(ruleset) } else { None }
    }

    /// Findings in its own text.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Ready(_, findings) | Self::Broken(findings) => findings,
            Self::Missing(finding) => std::slice::from_ref(finding),
        }
    }

    /// Whether both come from the same reading of the same text.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ready(one, _), Self::Ready(two, _)) => Arc::ptr_eq(one, two),
            (Self::Broken(one), Self::Broken(two)) => Arc::ptr_eq(one, two),
            (Self::Missing(one), Self::Missing(two)) => one == two,
            _ => false,
        }
    }
}

/// The result of reloading a changed ruleset.
#[derive(Clone, Debug)]
pub struct ReloadedRuleset {
    /// The requested id.
    pub id: String,
    /// Whether the new text applies; if not, the last working one still does.
    pub in_force: bool,
    /// Of the new text.
    pub findings: Arc<[Finding]>,
}

impl Rulesets {
    /// An empty cache; `set` holds the player's settings as `NAME=VALUE`.
    ///
    /// # Errors
    /// A finding when an item of `set` has no `=`.
    pub fn new(store: &Store, set: &[String]) -> Result<Self, Finding> {
        let set: Vec<_> = set
            .iter()
            .map(|pair| match pair.split_once('=') {
                Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
                None => Err(Finding::error("wrong-setting", format!("expected NAME=VALUE, found `{pair}`"))
                    .advise(Advice::WriteSetting)),
            })
            .collect::<Result<_, _>>()?;
        let held = RulesetCache { rulesets: BTreeMap::new(), settings_used: vec![false; set.len()] };
        Ok(Self { settings: set, cache: Mutex::new(held), ..Self::without_settings(store) })
    }

    /// Rulesets of a store with their own settings.
    pub fn without_settings(store: &Store) -> Self {
        let (settings, cache) = Default::default();
        Self { store: store.clone(), settings, cache, open_texts: BTreeMap::new(), for_sheets: false, language: None }
    }

    /// For jobs that ask no odds, which load sooner: [`Ruleset::load_for_sheets`].
    #[must_use]
    pub fn for_sheets(self) -> Self {
        Self { for_sheets: true, ..self }
    }

    /// Shows results in a language; `None`: as written.
    #[must_use]
    pub fn in_language(self, language: Option<Language>) -> Self {
        Self { language, ..self }
    }

    /// What results are shown in; `None`: as written.
    pub fn language(&self) -> Option<&Language> {
        self.language.as_ref()
    }

    /// The same rules and open texts, with results in a language; `None`: as written.
    #[must_use]
    pub fn spoken(&self, language: Option<Language>) -> Self {
        let settings_used = vec![false; self.settings.len()];
        let spoken = Self {
            settings: self.settings.clone(),
            cache: Mutex::new(RulesetCache { rulesets: BTreeMap::new(), settings_used }),
            open_texts: self.open_texts.clone(),
            for_sheets: self.for_sheets,
            ..Self::without_settings(&self.store).in_language(language)
        };
        // What is tried on has no file.
        let known: Vec<_> = (self.lock_cache().rulesets.iter())
            .filter_map(|(id, kept)| Some((id.clone(), kept.texts.clone()?)))
            .collect();
        for (id, texts) in known {
            spoken.add_sources(&id, &texts);
        }
        spoken
    }

    /// Reads these texts in place of their files when fleets look for their classes.
    pub fn with_open_texts(mut self, texts: BTreeMap<PathBuf, Source>) -> Self {
        self.open_texts = texts;
        self
    }

    /// A file's text, or that of the open document.
    ///
    /// # Errors
    /// As [`FileRef::read`].
    pub fn read(&self, file: &FileRef) -> Result<Source, Finding> {
        let open = self.open_texts.get(&file.path).filter(|_| !file.built_in);
        open.cloned().map_or_else(|| file.read(), Ok)
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    fn lock_cache(&self) -> MutexGuard<'_, RulesetCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ruleset of an id, read at the first request.
    ///
    /// # Errors
    /// A finding when one of the player's settings cannot have its value.
    pub fn get(&self, id: &str) -> Result<LoadedRuleset, Finding> {
        if let Some(kept) = self.lock_cache().rulesets.get(id) {
            return Ok(kept.loaded.clone());
        }
        let (kept, used) = self.read_ruleset(id, layer_sources(&self.store, id))?;
        let mut held = self.lock_cache();
        held.mark_used(&used);
        // If another thread was faster, both get its ruleset.
        Ok(held.rulesets.entry(id.to_owned()).or_insert(kept).loaded.clone())
    }

    /// Keeps a ruleset of these sources under a name, in place of a file; `None` if it cannot be used.
    pub fn add_sources(&self, name: &str, sources: &[Source]) -> Option<Arc<Ruleset>> {
        let (kept, used) = self.read_ruleset(name, Ok(sources.to_vec())).ok()?;
        let mut held = self.lock_cache();
        held.mark_used(&used);
        let ruleset = kept.loaded.ruleset().cloned();
        held.rulesets.insert(name.to_owned(), kept);
        ruleset
    }

    /// Like [`Rulesets::get`], but an invalid setting is one of the ruleset's errors.
    pub fn find(&self, id: &str) -> LoadedRuleset {
        self.get(id).unwrap_or_else(|finding| LoadedRuleset::Broken([finding].into()))
    }

    fn read_ruleset(
        &self,
        id: &str,
        sources: Result<Vec<Source>, Finding>,
    ) -> Result<(CachedRuleset, Vec<bool>), Finding> {
        let mut used = vec![false; self.settings.len()];
        let sources = match sources {
            Ok(sources) => sources,
            Err(finding) => {
                return Ok((
                    CachedRuleset { loaded: LoadedRuleset::Missing(finding), texts: None, pending_findings: None },
                    used,
                ));
            }
        };
        let load = if self.for_sheets { Ruleset::load_for_sheets } else { Ruleset::load_layers };
        let loaded = match load(&sources) {
            (Some(mut ruleset), mut findings) => {
                findings.extend(misnamed_ruleset(id, &ruleset, sources.last()));
                for ((key, value), used) in self.settings.iter().zip(&mut used) {
                    match ruleset.set_setting(key, value) {
                        Ok(()) => *used = true,
                        // Another game of the same job may have it: `check_settings_used` checks this at the end.
                        Err(finding) if finding.cause == Some(Cause::UnknownSetting) => {}
                        Err(finding) => return Err(finding),
                    }
                }
                if let Some(language) = &self.language {
                    ruleset.words = language.words_of(&self.store, &ruleset)?.map(Arc::new);
                }
                LoadedRuleset::Ready(Arc::new(ruleset), findings.into())
            }
            (None, findings) => LoadedRuleset::Broken(findings.into()),
        };
        Ok((CachedRuleset { loaded, texts: Some(sources.into()), pending_findings: None }, used))
    }

    /// Reads all cached rulesets again and gives the changed ones. A text that cannot be used leaves the last working
    /// one in place.
    pub fn reload(&self) -> Vec<ReloadedRuleset> {
        let before: Vec<(String, CachedRuleset)> =
            self.lock_cache().rulesets.iter().map(|(id, kept)| (id.clone(), kept.clone())).collect();
        let again: Vec<_> = before.into_par_iter().filter_map(|(id, old)| self.reload_ruleset(id, old)).collect();
        let mut held = self.lock_cache();
        let mut told = Vec::new();
        for (id, kept, used, one) in again {
            held.mark_used(&used);
            held.rulesets.insert(id, kept);
            told.extend(one);
        }
        told
    }

    /// `None` if the text is unchanged.
    fn reload_ruleset(
        &self,
        id: String,
        mut old: CachedRuleset,
    ) -> Option<(String, CachedRuleset, Vec<bool>, Option<ReloadedRuleset>)> {
        let sources = layer_sources(&self.store, &id);
        let same = match (&sources, &old.texts, &old.loaded) {
            (Ok(new), Some(old), _) => is_same_text(new, old),
            // There still is no such ruleset.
            (Err(new), None, LoadedRuleset::Missing(old)) => new == old,
            (Err(_), None, _) => true,
            _ => false,
        };
        if same {
            return None;
        }
        let gone = sources.is_err();
        let texts: Option<Arc<[Source]>> = sources.as_ref().ok().map(|sources| sources.clone().into());
        let (new, used) = match self.read_ruleset(&id, sources) {
            Ok(read) => read,
            Err(finding) => {
                let loaded = LoadedRuleset::Broken([finding].into());
                (CachedRuleset { loaded, texts: None, pending_findings: None }, Vec::new())
            }
        };
        let findings: Arc<[Finding]> = match &new.loaded {
            LoadedRuleset::Ready(_, findings) | LoadedRuleset::Broken(findings) => findings.clone(),
            LoadedRuleset::Missing(finding) => [finding.clone()].into(),
        };
        let in_force = new.loaded.ruleset().is_some() || old.loaded.ruleset().is_none();
        let told = ReloadedRuleset { id: id.clone(), in_force, findings: findings.clone() };
        let kept = if in_force {
            CachedRuleset { texts, ..new }
        } else {
            old.texts = if gone { None } else { texts };
            old.pending_findings = Some(findings);
            old
        };
        Some((id, kept, used, Some(told)))
    }

    /// The errors of the newest text of an id, if it does not apply because of them.
    pub fn pending_findings(&self, id: &str) -> Option<Arc<[Finding]>> {
        self.lock_cache().rulesets.get(id)?.pending_findings.clone()
    }

    /// The cached ids, sorted.
    pub fn ids(&self) -> Vec<String> {
        self.lock_cache().rulesets.keys().cloned().collect()
    }

    /// The files of a ruleset as last read, in the order of the layers.
    pub fn sources(&self, id: &str) -> Option<Arc<[Source]>> {
        self.lock_cache().rulesets.get(id)?.texts.clone()
    }

    /// Checks that each `--set` was known to a ruleset of the job.
    ///
    /// # Errors
    /// A finding with the nearest setting for an unknown one. None without a usable ruleset.
    pub fn check_settings_used(&self) -> Result<(), Finding> {
        let held = self.lock_cache();
        let ready = held.rulesets.values().find_map(|kept| kept.loaded.ruleset());
        for ((key, value), used) in self.settings.iter().zip(&held.settings_used) {
            if !used && let Some(ruleset) = ready {
                Ruleset::clone(ruleset).set_setting(key, value)?;
            }
        }
        Ok(())
    }

    /// Findings in the rulesets themselves, once for each ruleset.
    pub fn findings(&self) -> Vec<Finding> {
        let held = self.lock_cache();
        let all = held.rulesets.values().filter(|kept| !matches!(kept.loaded, LoadedRuleset::Missing(_)));
        all.flat_map(|kept| kept.loaded.findings()).cloned().collect()
    }
}

impl RulesetCache {
    fn mark_used(&mut self, used: &[bool]) {
        for (all, one) in self.settings_used.iter_mut().zip(used) {
            *all |= one;
        }
    }
}

fn is_same_text(one: &[Source], two: &[Source]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.file == two.file && one.text == two.text)
}

/// The finding for a design whose ruleset has errors.
pub fn unusable_ruleset(id: &str, findings: &[Finding]) -> Finding {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    Finding::error("unusable-ruleset", format!("cannot use the ruleset `{id}`: {}", plural(errors, "error")))
        .help("fix the ruleset first")
}

/// The finding for a ruleset whose id differs from its file name, by which its templates are found.
fn misnamed_ruleset(id: &str, ruleset: &Ruleset, source: Option<&Source>) -> Option<Finding> {
    if *ruleset.id == *id || id.to_lowercase().ends_with(".toml") {
        return None;
    }
    let message = format!("the file name {id}.toml does not match the id `{}`", ruleset.id);
    let help = "use the same name for both: designs use the file name, the templates folder uses the id";
    let found = Finding::warning("id-is-not-file-name", message).help(help);
    Some(found.maybe_at(source.map(|source| source.place(Span::default()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{AssetKind, MemoryFolder, make_folder, save};

    #[test]
    fn only_what_is_built_in_leaves_its_attacks_out_for_sheets() {
        let store = Store::built_in();
        let [all, sheets] =
            [false, true].map(|for_sheets| Rulesets { for_sheets, ..Rulesets::without_settings(&store) });
        for one in store.list_assets(AssetKind::Ruleset) {
            let [all, sheets] = [&all, &sheets].map(|rulesets| rulesets.find(&one.id));
            assert_eq!(format!("{:?}", all.findings()), format!("{:?}", sheets.findings()), "{}", one.id);
            let [all, sheets] = [&all, &sheets].map(|loaded| loaded.ruleset().expect("a built-in ruleset loads"));
            assert!(!all.attack_rules.attacks.is_empty(), "{}", one.id);
            assert!(sheets.attack_rules.attacks.is_empty() && sheets.attack_rules.gauges.is_empty(), "{}", one.id);
            let formulas = |rules: &Ruleset| {
                let values: Vec<_> = rules.values.iter().map(|value| &value.formula).collect();
                format!("{values:?}{:?}", rules.order)
            };
            assert!(formulas(all) == formulas(sheets), "{}", one.id);
        }
        let folder = MemoryFolder::new();
        let text = format!("{}\n# changed\n", store.ruleset("wars-of-honor").unwrap().text);
        make_folder(&folder.path().join("rulesets")).unwrap();
        save(&folder.path().join("rulesets/wars-of-honor.toml"), text.as_bytes()).unwrap();
        let changed = Rulesets::without_settings(&Store::open(Some(folder.path())).unwrap()).for_sheets();
        let loaded = changed.find("wars-of-honor");
        assert!(!loaded.ruleset().unwrap().attack_rules.attacks.is_empty());
    }
}
