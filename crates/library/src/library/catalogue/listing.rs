//! Lists designs and fleets: takes a store and its rulesets, gives one entry for each file, grouped by game. A refresh
//! reads only what has changed. Never writes, never prints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::store::{AssetKind, FileRef, FileStamp, ListedAsset, ListedFile, Store};
use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::ruleset::Ruleset;

use crate::library::rulesets::{LoadedRuleset, Rulesets};

use super::entry::{self, CatalogueEntry, EntrySummary, absolute_path, entry_of_file};

/// The most files of a workspace that are listed.
pub const MAX_CATALOGUE_FILES: usize = 10_000;

#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Games by title, then designs without a usable game, then fleets.
    pub groups: Vec<CatalogueGroup>,
    /// The games to choose from, by title; rulesets with errors last.
    pub games: Vec<Game>,
    /// About the catalogue as a whole: files that were left out.
    pub findings: Vec<Finding>,
    /// Files that are neither designs nor fleets, so that they are not read again.
    ignored: BTreeMap<PathBuf, FileStamp>,
    /// The number of files that were read.
    pub read: usize,
}

/// A game that designs can be made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub id: Arc<str>,
    /// As shown to players.
    pub title: String,
    /// One line about designs of the game, or why it cannot be used.
    pub about: String,
    /// The ids of the rulesets that it extends: their designs can be played with it.
    pub bases: Vec<Arc<str>>,
    /// Whether its rules can be used.
    pub ready: bool,
    /// Whether its rules are part of the program.
    pub built_in: bool,
}

/// The entries of one game.
#[derive(Clone, Debug)]
pub struct CatalogueGroup {
    /// The ruleset's id in the designs; empty if they name none, and for fleets.
    pub ruleset: Arc<str>,
    /// As shown to players.
    pub title: String,
    /// What the group holds, and why its designs cannot be checked if they cannot.
    pub state: CatalogueGroupState,
    /// The player's own by name, then the built-in ones.
    pub entries: Vec<Arc<CatalogueEntry>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CatalogueGroupState {
    /// Designs of a usable game.
    Ready,
    /// Designs of a ruleset with errors.
    Broken,
    /// Designs of an unknown ruleset.
    Missing,
    /// Designs that name no ruleset, and unreadable files.
    Nameless,
    /// Fleets of all games.
    Fleets,
}

/// Lists all files of a store, and these files from elsewhere.
pub fn catalogue(store: &Store, rulesets: &Rulesets, also: &[PathBuf]) -> Catalogue {
    Catalogue::default().refresh(store, rulesets, also, MAX_CATALOGUE_FILES)
}

impl Catalogue {
    /// Lists again, reusing entries of unchanged files. Reads at most `most` files of the workspace.
    #[must_use]
    pub fn refresh(&self, store: &Store, rulesets: &Rulesets, also: &[PathBuf], most: usize) -> Catalogue {
        let stock = store.list_files(most);
        let mut files = stock.files;
        let known: BTreeSet<PathBuf> = files.iter().map(|file| absolute_path(&file.file.path)).collect();
        let own = files.len();
        let mut given: Vec<ListedFile> = also.iter().map(|path| ListedFile::from_path(path)).collect();
        given.sort_by(|one, two| one.file.path.cmp(&two.file.path));
        given.dedup_by(|one, two| one.file.path == two.file.path);
        files.extend(given.into_iter().filter(|file| !known.contains(&absolute_path(&file.file.path))));

        let old: BTreeMap<&FileRef, &Arc<CatalogueEntry>> = self.entries().map(|entry| (&entry.file, entry)).collect();
        let files: Vec<(ListedFile, bool)> = files.into_iter().enumerate().map(|(n, file)| (file, n >= own)).collect();
        // Each ruleset is loaded once before many threads need it.
        let listed = store.list_assets(AssetKind::Ruleset);
        let mut all: Vec<Game> = listed.par_iter().map(|listed| game_info(listed, rulesets)).collect();
        all.sort_by_cached_key(|game| {
            (!game.ready, moldloft_base::sanitize::fold_for_search(&game.title), game.id.clone())
        });
        let ids: Vec<String> = listed.into_iter().map(|listed| listed.id).collect();
        let made: Vec<EntryOutcome> = files
            .into_par_iter()
            .map(|(file, elsewhere)| {
                if !elsewhere && self.ignored.get(&file.file.path) == Some(&file.stamp) {
                    return EntryOutcome::Ignored(file.file.path, file.stamp, false);
                }
                if let Some(&old) = old.get(&file.file)
                    && old.stamp == file.stamp
                    && old.elsewhere == elsewhere
                    && old.is_current(rulesets)
                {
                    return EntryOutcome::Unchanged(Arc::clone(old));
                }
                match entry_of_file(&file, elsewhere, rulesets, &ids) {
                    Some(entry) => EntryOutcome::Read(Arc::new(entry)),
                    None => EntryOutcome::Ignored(file.file.path, file.stamp, true),
                }
            })
            .collect();

        let mut new = Catalogue { games: all, ..Catalogue::default() };
        let mut entries = Vec::with_capacity(made.len());
        for one in made {
            match one {
                EntryOutcome::Unchanged(entry) => entries.push(entry),
                EntryOutcome::Read(entry) => {
                    new.read += 1;
                    entries.push(entry);
                }
                EntryOutcome::Ignored(path, stamp, read) => {
                    new.read += usize::from(read);
                    new.ignored.insert(path, stamp);
                }
            }
        }
        new.groups = group_entries(entries);
        if stock.is_truncated {
            let message = format!("the workspace has more than {most} files; listed only the first {most}");
            let help = "move designs you do not play to a folder outside the workspace";
            new.findings.push(Finding::warning("too-many-files", message).help(help));
        }
        new
    }

    pub fn entries(&self) -> impl Iterator<Item = &Arc<CatalogueEntry>> {
        self.groups.iter().flat_map(|group| &group.entries)
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.entries.len()).sum()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The entry of a file that is not built in.
    pub fn entry(&self, path: &Path) -> Option<&Arc<CatalogueEntry>> {
        let path = absolute_path(path);
        self.entries().find(|entry| entry.absolute_path == path && !entry.built_in())
    }
}

fn game_info(listed: &ListedAsset, rulesets: &Rulesets) -> Game {
    let loaded = rulesets.find(&listed.id);
    let (title, about) = match &loaded {
        LoadedRuleset::Ready(rules, _) => (ruleset_title(rules), entry::one_line(&rules.about, 200)),
        LoadedRuleset::Broken(findings) => {
            let first = findings.iter().find(|finding| finding.severity == Severity::Error);
            let why = first.map_or("", |finding| &finding.message);
            (listed.id.clone(), format!("the ruleset has errors: {}", entry::one_line(why, 160)))
        }
        LoadedRuleset::Missing(finding) => (listed.id.clone(), entry::one_line(&finding.message, 200)),
    };
    let id = listed.id.as_str().into();
    let bases = loaded.ruleset().map(|rules| rules.templates.iter().skip(1).cloned().collect());
    Game {
        id,
        title,
        about,
        bases: bases.unwrap_or_default(),
        ready: loaded.ruleset().is_some(),
        built_in: listed.file.built_in,
    }
}

/// The result for one file.
enum EntryOutcome {
    Unchanged(Arc<CatalogueEntry>),
    Read(Arc<CatalogueEntry>),
    /// A file without a design or fleet; whether it was read to find out.
    Ignored(PathBuf, FileStamp, bool),
}

fn group_entries(entries: Vec<Arc<CatalogueEntry>>) -> Vec<CatalogueGroup> {
    let mut by: BTreeMap<(CatalogueGroupState, Arc<str>), Vec<Arc<CatalogueEntry>>> = BTreeMap::new();
    for entry in entries {
        let (state, ruleset): (CatalogueGroupState, Arc<str>) = match (&entry.summary, &entry.rules) {
            (EntrySummary::Fleet(_), _) => (CatalogueGroupState::Fleets, "".into()),
            (_, Some(LoadedRuleset::Ready(..))) => (CatalogueGroupState::Ready, entry.ruleset.clone()),
            (_, Some(LoadedRuleset::Broken(_))) => (CatalogueGroupState::Broken, entry.ruleset.clone()),
            (_, Some(LoadedRuleset::Missing(_))) => (CatalogueGroupState::Missing, entry.ruleset.clone()),
            (_, None) => (CatalogueGroupState::Nameless, "".into()),
        };
        by.entry((state, ruleset)).or_default().push(entry);
    }
    let mut groups: Vec<CatalogueGroup> = by
        .into_iter()
        .map(|((state, ruleset), mut entries)| {
            entries.sort_by(|one, two| one.sort_key().cmp(&two.sort_key()));
            let rules = entries.first().and_then(|entry| entry.rules.as_ref());
            let title = match (state, rules.and_then(LoadedRuleset::ruleset)) {
                (_, Some(rules)) if state == CatalogueGroupState::Ready => ruleset_title(rules),
                (CatalogueGroupState::Broken, _) => format!("{ruleset} (ruleset with errors)"),
                (CatalogueGroupState::Missing, _) => format!("{ruleset} (unknown ruleset)"),
                (CatalogueGroupState::Fleets, _) => "Fleets".to_owned(),
                _ => "No ruleset".to_owned(),
            };
            CatalogueGroup { ruleset, title, state, entries }
        })
        .collect();
    groups.sort_by(|one, two| {
        let key = |group: &CatalogueGroup| {
            (group.state, moldloft_base::sanitize::fold_for_search(&group.title), group.ruleset.clone())
        };
        key(one).cmp(&key(two))
    });
    // Groups with equal titles also have their ids.
    let titles: Vec<String> = groups.iter().map(|group| group.title.clone()).collect();
    for group in groups.iter_mut().filter(|group| group.state == CatalogueGroupState::Ready) {
        if titles.iter().filter(|title| **title == group.title).count() > 1 {
            group.title = format!("{} ({})", group.title, group.ruleset);
        }
    }
    groups
}

/// As in lists of games: `Wars of Honor`, `Wars of Honor + Our lasers 1.0 (* house)`.
pub fn ruleset_title(rules: &Ruleset) -> String {
    let title = rules.rules_title();
    entry::one_line(&title, 120)
}
