//! Looking for designs: what there is, what is searched, the small pictures drawn so far, recent files, what a new design begins from. Carries
//! out its own commands for `apply`; reading, judging and drawing are jobs in threads.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use crate::library::basis::begun;
use crate::library::{self, Catalogue, Entry, Filter, Games};
use crate::sheet::Shelf;
use crate::store::Store;

use super::apply::add;
use super::command::Command;
use super::doc::Origin;
use super::jobs::Jobs;
use super::state::{Notice, State, Tab};

/// What a search shows and has shown.
pub struct Browse {
    /// Every design and fleet, as last looked through.
    pub catalogue: Arc<Catalogue>,
    /// Whether it has been looked through at all.
    pub is_known: bool,
    /// What the start page looks for.
    pub filter: Filter,
    /// What the panel beside a design looks for.
    pub narrow: Filter,
    /// The game whose starters are shown.
    pub game: Option<Arc<str>>,
    /// The name that a new design will have.
    pub name: String,
    /// The name of the new design is to get the keyboard in the next frame.
    pub wants_name: bool,
    /// Groups of the panel that are folded, by title.
    pub folded: BTreeSet<String>,
    /// The search is to get the keyboard in the next frame.
    pub find: bool,
    /// Small pictures, the last one drawn last.
    pictures: Vec<Picture>,
    /// Entries whose pictures are being drawn.
    drawing: Vec<Arc<Entry>>,
    /// Whether the store is being looked through, and whether it must be again.
    looking: bool,
    again: bool,
    /// Grows with every other workspace: what was looked through before is not shown.
    round: u64,
    /// Grows with every change of templates: pictures drawn from older ones are not kept.
    edition: u64,
    templates: Arc<Shelf<'static>>,
}

/// A small picture of a sheet.
struct Picture {
    entry: Arc<Entry>,
    width: u32,
    /// `None` when there is nothing to draw.
    image: Option<Arc<ColorImage>>,
}

/// What is known of a small picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// This is it.
    Picture(Arc<ColorImage>),
    /// There is none.
    Nothing,
    /// It is to be drawn.
    Later,
}

/// What can be done while looking for designs.
#[derive(Clone, Debug)]
pub enum Browsing {
    /// Looks through the workspace: what has changed is read again.
    Look,
    /// That is done.
    Looked {
        /// Of which workspace.
        round: u64,
        /// What there is.
        catalogue: Arc<Catalogue>,
    },
    /// Looks for something on the start page.
    Filter(Filter),
    /// Looks for something beside a design.
    Narrow(String),
    /// Draws small pictures, so many pixels wide.
    Draw {
        /// Of these.
        entries: Vec<Arc<Entry>>,
        /// Pixels.
        width: u32,
    },
    /// They are drawn.
    Drawn {
        /// From which templates.
        edition: u64,
        /// Each with its picture, if there is one.
        pictures: Vec<(Arc<Entry>, Option<Arc<ColorImage>>)>,
        /// Pixels.
        width: u32,
    },
    /// Shows the start page, ready for a new design.
    New,
    /// The keyboard is at its name.
    Named,
    /// Shows what a new design of a game can begin from.
    Game(Option<Arc<str>>),
    /// Names the new design.
    Name(String),
    /// Shows small pictures, or a list.
    Pictures(bool),
    /// Begins a new design.
    Begin {
        /// Of this game.
        game: Arc<str>,
        /// As a copy of this one; else empty.
        basis: Option<Arc<Entry>>,
    },
    /// Folds or unfolds a group of the panel.
    Fold(String),
    /// Brings the keyboard to the search.
    Find,
    /// It is there.
    Found,
    /// Forgets a recent file.
    Forget(PathBuf),
    /// Rules or templates have changed: pictures are drawn anew, designs judged anew.
    Renew,
    /// Uses another folder as workspace.
    Workspace(PathBuf),
}

/// Bytes of pictures that are kept.
const MOST_BYTES: usize = 48_000_000;
/// The name a new design has when the player gives none.
pub const NEW: &str = "New design";

impl Browse {
    /// Nothing looked through yet.
    pub fn new(store: &Store) -> Self {
        Self {
            catalogue: Arc::default(),
            is_known: false,
            filter: Filter::default(),
            narrow: Filter::default(),
            game: None,
            name: String::new(),
            wants_name: false,
            folded: BTreeSet::new(),
            find: false,
            pictures: Vec::new(),
            drawing: Vec::new(),
            looking: false,
            again: false,
            round: 0,
            edition: 0,
            templates: templates(store),
        }
    }

    /// Whether the store has to be looked through for the first time.
    pub fn is_to_be_looked(&self) -> bool {
        !self.is_known && !self.looking
    }

    /// Whether pictures are being drawn.
    pub fn is_drawing(&self) -> bool {
        !self.drawing.is_empty()
    }

    /// What is known of a picture of this width.
    pub fn picture(&self, entry: &Arc<Entry>, width: u32) -> Drawn {
        let known = self.pictures.iter().rev().find(|one| Arc::ptr_eq(&one.entry, entry) && one.width == width);
        match known.map(|one| &one.image) {
            Some(Some(image)) => Drawn::Picture(image.clone()),
            Some(None) => Drawn::Nothing,
            None => Drawn::Later,
        }
    }
}

fn templates(store: &Store) -> Arc<Shelf<'static>> {
    let store = store.clone();
    Arc::new(Shelf::new(move |ids, name| store.template(ids, name)))
}

/// Carries a command out.
pub fn apply(state: &mut State, command: Browsing, jobs: &Jobs) {
    let browse = &mut state.browse;
    match command {
        Browsing::Look => look(state, jobs),
        Browsing::Looked { round, catalogue } => {
            if round == browse.round {
                looked(state, catalogue, jobs);
            }
        }
        Browsing::Filter(filter) => browse.filter = filter,
        Browsing::Narrow(text) => browse.narrow.text = text,
        Browsing::Draw { entries, width } => draw(state, entries, width, jobs),
        Browsing::Drawn { edition, pictures, width } => {
            if edition == browse.edition {
                browse.keep(pictures, width);
            }
        }
        Browsing::New => super::apply::begin(state),
        Browsing::Named => browse.wants_name = false,
        Browsing::Game(game) => {
            browse.wants_name = game.is_some();
            browse.game = game;
        }
        Browsing::Name(name) => browse.name = name,
        Browsing::Pictures(pictures) => state.settings.pictures = pictures,
        Browsing::Begin { game, basis } => begin(state, &game, basis.as_deref()),
        Browsing::Fold(title) => {
            if !browse.folded.remove(&title) {
                browse.folded.insert(title);
            }
        }
        Browsing::Find => {
            browse.find = true;
            // Beside a design the search may be hidden.
            state.settings.library |= state.tab != Tab::Start;
        }
        Browsing::Found => browse.find = false,
        Browsing::Forget(path) => state.settings.recent.retain(|recent| *recent != path),
        Browsing::Renew => {
            browse.renew(&state.store);
            state.preview.refresh();
            look(state, jobs);
        }
        Browsing::Workspace(path) => workspace(state, &path, jobs),
    }
}

/// Looks the store through in a thread; when one is at it, it is done again afterwards.
fn look(state: &mut State, jobs: &Jobs) {
    let browse = &mut state.browse;
    if browse.looking {
        browse.again = true;
        return;
    }
    browse.looking = true;
    let (old, round) = (browse.catalogue.clone(), browse.round);
    let (store, games, also) = (state.store.clone(), state.games.clone(), state.settings.recent.clone());
    jobs.start(move |_| {
        let new = catch_unwind(AssertUnwindSafe(|| old.again(&store, &games, &also, library::catalogue::MOST_FILES)));
        // What fails so is a fault of this program; what was known is still known.
        let catalogue = new.map_or(old, Arc::new);
        Some(Command::Browse(Browsing::Looked { round, catalogue }))
    });
}

fn looked(state: &mut State, catalogue: Arc<Catalogue>, jobs: &Jobs) {
    let browse = &mut state.browse;
    browse.catalogue = catalogue;
    browse.is_known = true;
    browse.looking = false;
    if std::mem::take(&mut browse.again) {
        look(state, jobs);
    }
}

fn draw(state: &mut State, entries: Vec<Arc<Entry>>, width: u32, jobs: &Jobs) {
    let browse = &mut state.browse;
    if browse.is_drawing() || entries.is_empty() {
        return;
    }
    browse.drawing.clone_from(&entries);
    let (games, templates, edition) = (state.games.clone(), browse.templates.clone(), browse.edition);
    jobs.start(move |_| {
        let one = |entry: &Arc<Entry>| catch_unwind(AssertUnwindSafe(|| small(entry, &games, &templates, width)));
        let pictures = entries.par_iter().map(|entry| (entry.clone(), one(entry).unwrap_or_default())).collect();
        Some(Command::Browse(Browsing::Drawn { edition, pictures, width }))
    });
}

fn small(entry: &Entry, games: &Games, templates: &Shelf<'_>, width: u32) -> Option<Arc<ColorImage>> {
    let evaluation = library::check(games, &entry.read().ok()?).evaluation?;
    let small = library::thumbnail(&evaluation, templates, width)?;
    let size = [small.width as usize, small.height as usize];
    Some(Arc::new(ColorImage::from_rgba_premultiplied(size, &small.rgba)))
}

impl Browse {
    fn renew(&mut self, store: &Store) {
        self.templates = templates(store);
        self.edition += 1;
        self.pictures.clear();
        self.drawing.clear();
    }

    fn keep(&mut self, pictures: Vec<(Arc<Entry>, Option<Arc<ColorImage>>)>, width: u32) {
        self.drawing.clear();
        for (entry, image) in pictures {
            self.pictures.retain(|one| one.entry.path != entry.path || one.width != width);
            self.pictures.push(Picture { entry, width, image });
        }
        let bytes = |one: &Picture| one.image.as_ref().map_or(0, |image| image.pixels.len() * 4);
        let mut all: usize = self.pictures.iter().map(bytes).sum();
        let mut gone = 0;
        while all > MOST_BYTES && gone + 1 < self.pictures.len() {
            all -= bytes(&self.pictures[gone]);
            gone += 1;
        }
        self.pictures.drain(..gone);
    }
}

/// Begins a design: empty, or as another under a new name.
fn begin(state: &mut State, game: &Arc<str>, basis: Option<&Entry>) {
    let name = state.browse.name.trim();
    let name = if name.is_empty() { NEW } else { name };
    let text = match state.games.find(game) {
        library::Loaded::Ready(ruleset, _) => begun(&ruleset, basis, name),
        other => match other.findings().first() {
            Some(finding) => Err(finding.clone()),
            None => return,
        },
    };
    match text {
        Ok(text) => {
            state.browse.name.clear();
            state.browse.game = None;
            add(state, Origin::New, text.into(), false);
        }
        Err(finding) => {
            let what = basis.map_or_else(|| game.to_string(), |entry| entry.path.display().to_string());
            state.notices.push(Notice::error(format!("{what}: {}", finding.message)));
        }
    }
}

/// Another folder: its games, its designs; what is open is judged anew.
fn workspace(state: &mut State, path: &Path, jobs: &Jobs) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match Store::open_meant(&path) {
        Ok(store) => {
            state.settings.workspace = store.workspace().map(Path::to_path_buf);
            state.games = Arc::new(Games::plain(&store));
            let (round, edition) = (state.browse.round + 1, state.browse.edition + 1);
            state.browse = Browse { round, edition, ..Browse::new(&store) };
            state.store = store;
            for doc in &mut state.docs {
                doc.judge(&state.games);
            }
            look(state, jobs);
        }
        Err(finding) => state.notices.push(Notice::error(format!("{}: {}", path.display(), finding.message))),
    }
}
