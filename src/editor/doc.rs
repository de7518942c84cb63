//! An open file, be it a design or a fleet: its text, its past, where it belongs, and how the rules judge it. Takes texts and edits; never writes.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::design::fleet::Fleet;
use crate::design::{Design, Document};
use crate::evaluate::{Evaluation, Margin, margins};
use crate::finding::Finding;
use crate::library::fleet::Lies;
use crate::library::{self, Checked, Games, Read};
use crate::source::{Source, Span};
use crate::store::Seal;

use super::edit::Edit;
use super::fleet::Gathered;
use super::history::History;
use super::keep::Theirs;

/// Tells open files apart; never given twice while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u64);

/// Where a file belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere yet: new, or a copy of a built-in one.
    New,
    /// Built into the program: read only, the first edit makes it a copy.
    BuiltIn(PathBuf),
    /// A file.
    File(PathBuf),
}

/// An open file.
#[derive(Clone, Debug)]
pub struct Doc {
    /// Which.
    pub id: DocId,
    /// Where it belongs.
    pub origin: Origin,
    /// The built-in file that it is a copy of.
    pub copied: Option<PathBuf>,
    /// The text as it stands on disk, or as it was opened; `None` for one that was never saved.
    pub saved: Option<Arc<str>>,
    /// What its file held when it was read or saved last.
    pub seal: Seal,
    /// What the file holds now, when another program made it something else.
    pub theirs: Option<Theirs>,
    /// Its texts.
    pub history: History,
    /// How the text in force reads.
    pub content: Content,
    /// The fits chosen, or a fleet's ships, by their place in the file.
    pub selected: Vec<u32>,
    /// The mount chosen instead of fits.
    pub mount: Option<Arc<str>>,
    /// Which of the units of the first ship chosen is shown: the ships that are alike, what each carries behind it.
    pub beside: u32,
    /// Rules it is judged by instead of those it names.
    pub tried: Option<String>,
    /// Grows with every change of the text or of its judgement.
    pub revision: u64,
}

/// How a text reads.
#[derive(Clone, Debug)]
pub enum Content {
    /// A design.
    Design(Box<Judged>),
    /// A fleet.
    Fleet(Box<Gathered>),
    /// No TOML, or of a newer format: what is wrong.
    Text(Vec<Finding>),
}

/// A design and its judgement.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The text, ready to be changed.
    pub document: Document,
    /// What it says.
    pub design: Arc<Design>,
    /// How the rules judge it; `None` when there are no rules for it.
    pub evaluation: Option<Arc<Evaluation>>,
    /// Why there is no evaluation.
    pub failed: Vec<Finding>,
    /// What is wasted and left, once somebody asked.
    pub margins: OnceLock<Vec<Margin>>,
}

impl Doc {
    /// Opens a text. `saved` says whether it stands so on disk.
    pub fn new(id: DocId, origin: Origin, text: Arc<str>, saved: bool, games: &Games) -> Self {
        let saved = saved.then(|| text.clone());
        let history = History::new(text);
        let mut doc = Self {
            id,
            origin,
            copied: None,
            saved,
            seal: Seal::Absent,
            theirs: None,
            history,
            content: Content::Text(Vec::new()),
            selected: Vec::new(),
            mount: None,
            beside: 0,
            tried: None,
            revision: 0,
        };
        doc.judge(games);
        doc
    }

    /// The text in force.
    pub fn text(&self) -> &Arc<str> {
        self.history.text()
    }

    /// Whether the text differs from what is on disk.
    pub fn is_changed(&self) -> bool {
        self.saved.as_ref() != Some(self.text())
    }

    /// Whether closing it would lose something: changes, or a design that stands nowhere.
    pub fn would_be_lost(&self) -> bool {
        let is_gone = self.theirs.as_ref().is_some_and(|theirs| theirs.text.is_none());
        !matches!(self.origin, Origin::BuiltIn(_)) && (self.is_changed() || is_gone)
    }

    /// The file it belongs to.
    pub fn path(&self) -> Option<&PathBuf> {
        match &self.origin {
            Origin::File(path) => Some(path),
            _ => None,
        }
    }

    /// The design, if the text reads as one.
    pub fn judged(&self) -> Option<&Judged> {
        match &self.content {
            Content::Design(judged) => Some(judged),
            Content::Fleet(_) | Content::Text(_) => None,
        }
    }

    /// The fleet, if the text reads as one.
    pub fn fleet(&self) -> Option<&Gathered> {
        match &self.content {
            Content::Fleet(fleet) => Some(fleet),
            Content::Design(_) | Content::Text(_) => None,
        }
    }

    /// The text ready to be changed, if it can be read.
    pub fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::Design(judged) => Some(&judged.document),
            Content::Fleet(fleet) => Some(&fleet.document),
            Content::Text(_) => None,
        }
    }

    /// `design` or `fleet`, for sentences.
    pub fn kind(&self) -> &'static str {
        if self.fleet().is_some() { "fleet" } else { "design" }
    }

    /// The id of the rules that the text names.
    pub fn rules_named(&self) -> Option<&Arc<str>> {
        let word = match &self.content {
            Content::Design(judged) => judged.design.ruleset.as_ref(),
            Content::Fleet(fleet) => fleet.fleet().ruleset.as_ref(),
            Content::Text(_) => None,
        };
        word.map(|word| &word.text)
    }

    /// Whether the text in force can be read, so that there is more to show than the text.
    pub fn is_read(&self) -> bool {
        !matches!(self.content, Content::Text(_))
    }

    /// The ship whose sheet is shown.
    pub fn ship(&self) -> Option<&Arc<Evaluation>> {
        match &self.content {
            Content::Fleet(fleet) => fleet.shown.as_ref().map(|(_, ship)| ship),
            _ => self.evaluation(),
        }
    }

    /// Whether it keeps the rules; `None` where it cannot be judged.
    pub fn is_legal(&self) -> Option<bool> {
        match &self.content {
            Content::Design(judged) => judged.evaluation.as_ref().map(|evaluation| evaluation.legal),
            Content::Fleet(fleet) => fleet.rules().map(|_| fleet.mustered.legal),
            Content::Text(_) => None,
        }
    }

    /// Whether nothing was done to a design that has just been begun: that it is not complete is no news then.
    pub fn is_blank(&self) -> bool {
        let is_empty = self.judged().is_some_and(|judged| judged.design.fits.iter().all(|fit| fit.count == 0));
        let has_systems = |rules: &crate::ruleset::Ruleset| rules.systems.iter().any(|system| !system.is_abstract);
        let fits = self.evaluation().is_some_and(|evaluation| has_systems(&evaluation.ruleset));
        let is_new = self.origin == Origin::New && self.saved.is_none();
        is_new && is_empty && (fits || self.history.undoes().is_none())
    }

    /// The evaluation of a design, if there is one.
    pub fn evaluation(&self) -> Option<&Arc<Evaluation>> {
        self.judged().and_then(|judged| judged.evaluation.as_ref())
    }

    /// What is wasted, where the next step comes, what is left of budgets: worked out once for each state of the text.
    pub fn margins(&self) -> &[Margin] {
        let Some(judged) = self.judged() else { return &[] };
        judged
            .margins
            .get_or_init(|| judged.evaluation.as_ref().map(|evaluation| margins(evaluation)).unwrap_or_default())
    }

    /// What is wrong with it, errors first.
    pub fn findings(&self) -> &[Finding] {
        match &self.content {
            Content::Design(judged) => {
                judged.evaluation.as_ref().map_or(&judged.failed, |evaluation| &evaluation.findings)
            }
            Content::Fleet(fleet) => &fleet.found.findings,
            Content::Text(findings) => findings,
        }
    }

    /// The class's name, or the fleet's; else the file's; else that there is none.
    pub fn name(&self) -> String {
        let word = match &self.content {
            Content::Design(judged) => judged.design.name.as_ref(),
            Content::Fleet(fleet) => fleet.fleet().name.as_ref(),
            Content::Text(_) => None,
        };
        let own = word.map(|word| word.text.trim().to_owned());
        own.filter(|name| !name.is_empty()).or_else(|| self.file_stem()).unwrap_or_else(|| "Unnamed".to_owned())
    }

    fn file_stem(&self) -> Option<String> {
        let (Origin::File(path) | Origin::BuiltIn(path)) = &self.origin else { return None };
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
    }

    /// Does an edit and chooses the fits or ships it added. False when nothing changed.
    ///
    /// # Errors
    /// Why it cannot be done; then nothing has changed.
    pub fn edit(&mut self, edit: Edit, games: &Games) -> Result<bool, Finding> {
        let Some(document) = self.document() else {
            return Err(Finding::error("cannot-edit", "the file cannot be read as a design")
                .help("fix its text first; see the findings"));
        };
        let mut document = document.clone();
        let (label, merge, chooses) = (edit.label.clone(), edit.merge.clone(), edit.chooses.clone());
        let touched = edit.apply(&mut document)?;
        let done = self.replace(document.to_text().into(), label, merge, games);
        if let Some(chosen) = chooses {
            self.choose(chosen);
        } else if !touched.is_empty() {
            self.choose(touched.into_iter().filter_map(|fit| u32::try_from(fit).ok()).collect());
        }
        Ok(done)
    }

    /// Chooses fits, or ships of a fleet; the sheet of the first ship chosen is shown.
    pub fn choose(&mut self, chosen: Vec<u32>) {
        if self.selected.first() != chosen.first() {
            self.beside = 0;
        }
        self.selected = chosen;
        self.mount = None;
        self.show_chosen();
    }

    /// Shows another unit of the ship chosen.
    pub fn show_beside(&mut self, beside: u32) {
        self.beside = beside;
        self.show_chosen();
    }

    fn show_chosen(&mut self) {
        let Content::Fleet(fleet) = &mut self.content else { return };
        let ships = fleet.fleet().ships.iter().map(|ship| ship.index);
        let known: Vec<u32> =
            self.selected.iter().copied().filter(|chosen| ships.clone().any(|ship| ship == *chosen)).collect();
        let first = ships.clone().next();
        self.selected = if known.is_empty() { first.into_iter().collect() } else { known };
        fleet.show(&self.selected, self.beside);
    }

    /// Puts a new text in force. False when it is the one in force.
    pub fn replace(&mut self, text: Arc<str>, label: String, merge: Option<String>, games: &Games) -> bool {
        if text == *self.text() {
            return false;
        }
        self.history.push(text, label, merge);
        self.judge(games);
        true
    }

    /// Undoes. False at the start.
    pub fn undo(&mut self, games: &Games) -> bool {
        let done = self.history.undo();
        if done {
            self.judge(games);
        }
        done
    }

    /// Redoes. False at the end.
    pub fn redo(&mut self, games: &Games) -> bool {
        let done = self.history.redo();
        if done {
            self.judge(games);
        }
        done
    }

    /// Reads the text in force anew and judges it by the rules in force.
    pub fn judge(&mut self, games: &Games) {
        self.revision += 1;
        let text = self.text().clone();
        let source = self.source(&text);
        if Fleet::is_meant(&source) {
            let before = match std::mem::replace(&mut self.content, Content::Text(Vec::new())) {
                // A job may still hold it.
                Content::Fleet(fleet) => Some(Arc::unwrap_or_clone(fleet.mustered)),
                _ => None,
            };
            self.content = match Gathered::new(games, &source, &self.lies(), self.tried.as_deref(), before) {
                Ok(fleet) => Content::Fleet(Box::new(fleet)),
                Err(findings) => Content::Text(findings),
            };
            return self.show_chosen();
        }
        let checked = self.check(&text, games);
        let document = Document::parse(&text);
        self.content = match (checked.design, document) {
            (Some(design), Ok(document)) => {
                self.selected.retain(|chosen| design.fits.iter().any(|fit| fit.index == *chosen));
                let evaluation = checked.evaluation.map(Arc::new);
                Content::Design(Box::new(Judged {
                    document,
                    design: Arc::new(design),
                    evaluation,
                    failed: checked.failed,
                    margins: OnceLock::new(),
                }))
            }
            (None, _) => Content::Text(checked.failed),
            (_, Err(words)) => {
                let place = self.source(&text).place(Span::default());
                Content::Text(vec![Finding::error("not-toml", words).at(place)])
            }
        };
    }

    /// Judges a text as this design would be: by the rules on trial, if there are any, else by those it names.
    pub fn check(&self, text: &str, games: &Games) -> Checked {
        let source = self.source(text);
        let Some(tried) = &self.tried else { return library::check(games, &source) };
        let read = Read { file: source.file.clone(), opened: true, design: Design::read(&source) };
        library::judge(read, Some(&games.find(tried)))
    }

    /// Where it lies, for those who look for what it names.
    pub(super) fn lies(&self) -> Lies {
        match &self.origin {
            Origin::File(path) => Lies { path: path.clone(), built_in: false },
            Origin::BuiltIn(path) => Lies { path: path.clone(), built_in: true },
            // Undone to its start it is what is built in again.
            Origin::New if !self.is_changed() => {
                self.copied.clone().map_or_else(Lies::default, |path| Lies { path, built_in: true })
            }
            Origin::New => Lies::default(),
        }
    }

    fn source(&self, text: &str) -> Source {
        match &self.origin {
            Origin::File(path) | Origin::BuiltIn(path) => Source::new(path.to_string_lossy().into_owned(), text),
            Origin::New => Source::new("(not saved yet)", text),
        }
    }
}
