//! Every design and fleet there is: takes a store and its games, gives one entry a file, grouped by game, each with what a list shows of it.
//! Made anew from an older one, only what has changed since is read. Never writes, never prints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::finding::{Finding, Severity};
use crate::ruleset::Ruleset;
use crate::store::{Kind, Listed, Stamp, Stocked, Store};

use super::entry::{self, full, made};
use super::games::{Games, Loaded};

pub use super::entry::{Card, Entry, FleetCard, Origin, Shown};

/// The most files of a workspace that are listed.
pub const MOST_FILES: usize = 10_000;

/// Every design and fleet there is.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Games by title, then what follows no game that can be used, then fleets.
    pub groups: Vec<Group>,
    /// The games that can be chosen, by title; rules with errors last.
    pub games: Vec<Game>,
    /// What a player should know of the whole: that files were left out.
    pub told: Vec<Finding>,
    /// Files that hold neither a design nor a fleet, so that they are not read again.
    passed_over: BTreeMap<PathBuf, Stamp>,
    /// How many files were read to make it.
    pub read: usize,
}

/// A game that designs can be made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The ruleset's id.
    pub id: Arc<str>,
    /// What a player calls it.
    pub title: String,
    /// One line on what a design is; why it cannot be used, when it cannot.
    pub about: String,
    /// The ids of the rulesets that it is laid over: their designs can be played by it.
    pub bases: Vec<Arc<str>>,
    /// Whether its rules can be used.
    pub ready: bool,
    /// Whether its rules are built in.
    pub built_in: bool,
}

/// The entries of one game.
#[derive(Clone, Debug)]
pub struct Group {
    /// The ruleset's id as designs name it; empty where they name none, and for fleets.
    pub ruleset: Arc<str>,
    /// What a player calls it.
    pub title: String,
    /// Why its designs cannot be judged, when they cannot; and what it is that is listed.
    pub state: State,
    /// The player's own by name, then the built-in ones.
    pub entries: Vec<Arc<Entry>>,
}

/// What a group holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Designs of a game that can be played.
    Ready,
    /// Designs of a ruleset with errors.
    Broken,
    /// Designs of a ruleset that is nowhere.
    Missing,
    /// Designs that name no ruleset, and files that cannot be read.
    Nameless,
    /// Fleets of all games.
    Fleets,
}

/// Everything that a store has, and these files from elsewhere.
pub fn catalogue(store: &Store, games: &Games, also: &[PathBuf]) -> Catalogue {
    Catalogue::default().again(store, games, also, MOST_FILES)
}

impl Catalogue {
    /// Made anew: what is as it was is taken from this one. At most `most` files of the workspace are looked at.
    #[must_use]
    pub fn again(&self, store: &Store, games: &Games, also: &[PathBuf], most: usize) -> Catalogue {
        let stock = store.stock(most);
        let mut files = stock.files;
        let known: BTreeSet<PathBuf> = files.iter().map(|file| full(&file.path)).collect();
        let own = files.len();
        let mut given: Vec<Stocked> = also.iter().map(|path| Stocked::named(path)).collect();
        given.sort_by(|one, two| one.path.cmp(&two.path));
        given.dedup_by(|one, two| one.path == two.path);
        files.extend(given.into_iter().filter(|file| !known.contains(&full(&file.path))));

        let old: BTreeMap<&Path, &Arc<Entry>> = self.entries().map(|entry| (entry.path.as_path(), entry)).collect();
        let files: Vec<(Stocked, Origin)> = files
            .into_iter()
            .enumerate()
            .map(|(n, file)| {
                let origin = if file.built_in { Origin::BuiltIn } else { Origin::Workspace };
                (file, if n < own { origin } else { Origin::Elsewhere })
            })
            .collect();
        // Each once, before many ask for them at the same time.
        let listed = store.list(Kind::Ruleset);
        let mut all: Vec<Game> = listed.par_iter().map(|listed| game(listed, games)).collect();
        all.sort_by_cached_key(|game| (!game.ready, crate::cleaning::fold(&game.title), game.id.clone()));
        let rulesets: Vec<String> = listed.into_iter().map(|listed| listed.id).collect();
        let made: Vec<Made> = files
            .into_par_iter()
            .map(|(file, origin)| {
                if origin != Origin::Elsewhere && self.passed_over.get(&file.path) == Some(&file.stamp) {
                    return Made::PassedOver(file.path, file.stamp, false);
                }
                if let Some(&old) = old.get(file.path.as_path())
                    && old.stamp == file.stamp
                    && old.origin == origin
                    && old.is_current(games)
                {
                    return Made::Kept(Arc::clone(old));
                }
                match made(&file, origin, games, &rulesets) {
                    Some(entry) => Made::Read(Arc::new(entry)),
                    None => Made::PassedOver(file.path, file.stamp, true),
                }
            })
            .collect();

        let mut new = Catalogue { games: all, ..Catalogue::default() };
        let mut entries = Vec::with_capacity(made.len());
        for one in made {
            match one {
                Made::Kept(entry) => entries.push(entry),
                Made::Read(entry) => {
                    new.read += 1;
                    entries.push(entry);
                }
                Made::PassedOver(path, stamp, read) => {
                    new.read += usize::from(read);
                    new.passed_over.insert(path, stamp);
                }
            }
        }
        new.groups = groups(entries);
        if stock.more {
            let message = format!("the workspace has more than {most} files; listed only the first {most}");
            let help = "move designs you do not play to a folder outside the workspace";
            new.told.push(Finding::warning("too-many-files", message).help(help));
        }
        new
    }

    /// All entries, group by group.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.groups.iter().flat_map(|group| &group.entries)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.entries.len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The entry of a file, built-in ones left aside.
    pub fn entry(&self, path: &Path) -> Option<&Arc<Entry>> {
        let path = full(path);
        self.entries().find(|entry| entry.full == path && !entry.built_in())
    }
}

fn game(listed: &Listed, games: &Games) -> Game {
    let loaded = games.find(&listed.id);
    let (title, about) = match &loaded {
        Loaded::Ready(rules, _) => (title(rules), entry::line(&rules.about, 200)),
        Loaded::Broken(findings) => {
            let first = findings.iter().find(|finding| finding.severity == Severity::Error);
            let why = first.map_or("", |finding| &finding.message);
            (listed.id.clone(), format!("the ruleset has errors: {}", entry::line(why, 160)))
        }
        Loaded::Missing(finding) => (listed.id.clone(), entry::line(&finding.message, 200)),
    };
    let id = listed.id.as_str().into();
    let bases = loaded.ruleset().map(|rules| rules.templates.iter().skip(1).cloned().collect());
    Game {
        id,
        title,
        about,
        bases: bases.unwrap_or_default(),
        ready: loaded.ruleset().is_some(),
        built_in: listed.built_in,
    }
}

/// What came of a file.
enum Made {
    Kept(Arc<Entry>),
    Read(Arc<Entry>),
    /// It holds no design; whether it was read to know that.
    PassedOver(PathBuf, Stamp, bool),
}

/// Entries by game.
fn groups(entries: Vec<Arc<Entry>>) -> Vec<Group> {
    let mut by: BTreeMap<(State, Arc<str>), Vec<Arc<Entry>>> = BTreeMap::new();
    for entry in entries {
        let (state, ruleset): (State, Arc<str>) = match (&entry.shown, &entry.rules) {
            (Shown::Fleet(_), _) => (State::Fleets, "".into()),
            (_, Some(Loaded::Ready(..))) => (State::Ready, entry.ruleset.clone()),
            (_, Some(Loaded::Broken(_))) => (State::Broken, entry.ruleset.clone()),
            (_, Some(Loaded::Missing(_))) => (State::Missing, entry.ruleset.clone()),
            (_, None) => (State::Nameless, "".into()),
        };
        by.entry((state, ruleset)).or_default().push(entry);
    }
    let mut groups: Vec<Group> = by
        .into_iter()
        .map(|((state, ruleset), mut entries)| {
            entries.sort_by(|one, two| one.order().cmp(&two.order()));
            let rules = entries.first().and_then(|entry| entry.rules.as_ref());
            let title = match (state, rules.and_then(Loaded::ruleset)) {
                (_, Some(rules)) if state == State::Ready => title(rules),
                (State::Broken, _) => format!("{ruleset} (ruleset with errors)"),
                (State::Missing, _) => format!("{ruleset} (unknown ruleset)"),
                (State::Fleets, _) => "Fleets".to_owned(),
                _ => "No ruleset".to_owned(),
            };
            Group { ruleset, title, state, entries }
        })
        .collect();
    groups.sort_by(|one, two| {
        let key = |group: &Group| (group.state, crate::cleaning::fold(&group.title), group.ruleset.clone());
        key(one).cmp(&key(two))
    });
    // Two of one title are told apart by their ids.
    let titles: Vec<String> = groups.iter().map(|group| group.title.clone()).collect();
    for group in groups.iter_mut().filter(|group| group.state == State::Ready) {
        if titles.iter().filter(|title| **title == group.title).count() > 1 {
            group.title = format!("{} ({})", group.title, group.ruleset);
        }
    }
    groups
}

/// A game as lists of games name it: `Wars of Honor`, `Wars of Honor + Our lasers 1.0 (* house)`.
pub fn title(rules: &Ruleset) -> String {
    let title = rules.rules_title();
    entry::line(&title, 120)
}
