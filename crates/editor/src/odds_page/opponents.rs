//! The ships of a question: takes the open documents and the catalogue, gives who can be fired at, and what the current document asks.

use std::path::PathBuf;
use std::sync::Arc;

use crate::odds_page::model::{OddsQuestionKey, OddsView, Opponent, OpponentKey, OtherRules};
use crate::odds_page::situation::request;
use crate::paths::absolute_path;
use crate::{Doc, EditorState, RightPage};
use moldloft_base::finding::{Cause, Finding};
use moldloft_base::sanitize::fold_for_search;
use moldloft_library::library::{CatalogueEntry, EntrySummary, evaluate_design};
use moldloft_odds::odds::MAX_MATRIX;
use moldloft_rules::design::Design;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::Ruleset;

/// A design that can be chosen as the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpponentChoice {
    pub opponent: Opponent,
    pub name: String,
    pub points: Option<i64>,
    /// `open`, `built-in`; empty for the player's own files.
    pub source: &'static str,
}

/// Whether designs of this ruleset can be fired at by ships of `rules`.
fn is_same_game(rules: &Ruleset, id: &str) -> bool {
    *rules.id == *id || rules.templates.iter().any(|template| **template == *id)
}

fn open_designs<'s>(state: &'s EditorState, doc: &'s Doc, rules: &'s Ruleset) -> impl Iterator<Item = &'s Doc> {
    let others = state.docs.iter().filter(move |other| other.id != doc.id && other.as_design().is_some());
    others.filter(|other| other.ruleset_id().is_some_and(|id| is_same_game(rules, id)))
}

/// Designs of the library that are not open.
fn library_designs<'s>(state: &'s EditorState, rules: &'s Ruleset) -> impl Iterator<Item = &'s Arc<CatalogueEntry>> {
    let files = state.docs.iter().filter_map(|doc| doc.file.as_ref());
    let open: Vec<(bool, PathBuf)> = files
        .map(|file| (file.built_in, if file.built_in { file.path.clone() } else { absolute_path(&file.path) }))
        .collect();
    state
        .library
        .catalogue
        .entries()
        .filter(|entry| matches!(entry.summary, EntrySummary::Design(_)) && is_same_game(rules, &entry.ruleset))
        .filter(move |entry| {
            !open.iter().any(|(built_in, path)| *built_in == entry.built_in() && *path == entry.absolute_path)
        })
}

/// A sister ship, then the other open designs, then those of the library whose name or fields contain every word of `search`.
pub fn opponent_choices(state: &EditorState, doc: &Doc, search: &str) -> Vec<OpponentChoice> {
    let Some(own) = doc.shown_ship() else { return Vec::new() };
    let folded = fold_for_search(search);
    let words: Vec<&str> = folded.split_whitespace().collect();
    let matches = |text: &str| words.iter().all(|word| text.contains(word));
    let mut choices = Vec::new();
    if matches("sister ship") {
        let name = "a sister ship".to_owned();
        choices.push(OpponentChoice { opponent: Opponent::Sister, name, points: own.points, source: "" });
    }
    for other in open_designs(state, doc, &own.ruleset).filter(|other| matches(&fold_for_search(&other.name()))) {
        let points = other.evaluation().and_then(|evaluation| evaluation.points);
        choices.push(OpponentChoice { opponent: Opponent::Doc(other.id), name: other.name(), points, source: "open" });
    }
    for entry in library_designs(state, &own.ruleset).filter(|entry| matches(entry.search_text())) {
        choices.push(OpponentChoice {
            opponent: Opponent::File(entry.file.clone()),
            name: entry.name.to_string(),
            points: entry.points(),
            source: if entry.built_in() { "built-in" } else { "" },
        });
    }
    choices
}

/// The opponent as the page names it.
pub fn opponent_name(state: &EditorState, view: &OddsView) -> String {
    match &view.opponent {
        Opponent::Sister => "a sister ship".to_owned(),
        Opponent::Doc(id) => state.find_doc(*id).map_or_else(|| "a closed design".to_owned(), Doc::name),
        Opponent::File(file) => {
            let known = state.library.catalogue.entries().find(|entry| entry.file == *file);
            let stem = || file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            known.map_or_else(stem, |entry| entry.name.to_string())
        }
    }
}

/// What the current document asks; `None` if the page is not shown, or its ship or rules have no odds.
pub fn question_key(state: &EditorState) -> Option<OddsQuestionKey> {
    let doc = state.current_doc().filter(|_| state.settings.page == RightPage::Odds)?;
    let own = doc.shown_ship()?;
    let rules = &own.ruleset.attack_rules;
    if rules.attacks.is_empty() {
        return None;
    }
    let view = state.odds.view(doc.id)?;
    let opponents = match (view.is_matrix, doc.as_fleet()) {
        (true, Some(_)) => Vec::new(),
        (true, None) => {
            let open = open_designs(state, doc, &own.ruleset).map(|other| OpponentKey::Doc(other.id, other.revision));
            let library = library_designs(state, &own.ruleset).map(|entry| OpponentKey::Entry(entry.clone()));
            open.chain(library).take(MAX_MATRIX - 1).collect()
        }
        (false, _) => vec![opponent_key(state, &view.opponent)],
    };
    Some(OddsQuestionKey {
        doc: doc.id,
        revision: doc.revision,
        unit: own.ship.unit.clone(),
        opponents,
        request: request(view, rules),
        is_matrix: view.is_matrix,
        other_rules: other_rules(state, view, &own.ruleset).filter(|_| !view.is_matrix),
    })
}

/// The rules that a view compares with, unless they are the ship's own.
fn other_rules(state: &EditorState, view: &OddsView, own: &Ruleset) -> Option<OtherRules> {
    let id = view.other_rules.as_ref().filter(|id| **id != *own.id)?;
    Some(OtherRules { id: id.clone(), rules: state.rulesets.find(id) })
}

/// Ids of the rules that a ship's fight can be worked out by as well: those of the same game.
pub fn comparable_rules(state: &EditorState, own: &Ruleset) -> Vec<String> {
    let known = state.rulesets_of_game(Some(own)).into_iter().map(|(id, _)| id);
    known.filter(|id| **id != *own.id).collect()
}

pub fn opponent_key(state: &EditorState, opponent: &Opponent) -> OpponentKey {
    match opponent {
        Opponent::Sister => OpponentKey::Sister,
        Opponent::Doc(id) => {
            let open = state.find_doc(*id).filter(|doc| doc.as_design().is_some());
            open.map_or(OpponentKey::Missing, |doc| OpponentKey::Doc(*id, doc.revision))
        }
        Opponent::File(file) => {
            let entry = state.library.catalogue.entries().find(|entry| entry.file == *file);
            entry.map_or(OpponentKey::Missing, |entry| OpponentKey::Entry(entry.clone()))
        }
    }
}

/// A ship of a question, which a job evaluates by the rules of the ship that fires.
pub enum ShipSource {
    Sister,
    Evaluated(Arc<Evaluation>),
    Open(Arc<Design>),
    Entry(Arc<CatalogueEntry>),
    Missing,
}

/// The ships that the one of `doc` fires at; for all against all, the classes of a fleet or the designs of the game, with its own.
pub fn ship_sources(state: &EditorState, doc: &Doc, key: &OddsQuestionKey) -> Vec<ShipSource> {
    let Some(own) = doc.shown_ship() else { return Vec::new() };
    if let (true, Some(fleet)) = (key.is_matrix, doc.as_fleet()) {
        let mut classes: Vec<&Evaluation> = Vec::new();
        for unit in &fleet.evaluated.units {
            let ship = &unit.evaluation;
            let is_known = classes.iter().any(|other| other.file == ship.file && other.name == ship.name);
            if !is_known && ship.ruleset.has_same_sources(&own.ruleset) && classes.len() < MAX_MATRIX {
                classes.push(ship);
            }
        }
        return classes.into_iter().map(|ship| ShipSource::Evaluated(Arc::new(ship.clone()))).collect();
    }
    let others = key.opponents.iter().map(|opponent| ship_source(state, own, opponent));
    let own = key.is_matrix.then_some(ShipSource::Sister);
    own.into_iter().chain(others).collect()
}

fn ship_source(state: &EditorState, own: &Evaluation, opponent: &OpponentKey) -> ShipSource {
    match opponent {
        OpponentKey::Sister => ShipSource::Sister,
        OpponentKey::Missing => ShipSource::Missing,
        OpponentKey::Entry(entry) => ShipSource::Entry(entry.clone()),
        OpponentKey::Doc(id, _) => match state.find_doc(*id).and_then(Doc::as_design) {
            None => ShipSource::Missing,
            Some(open) => match &open.evaluation {
                Some(ship) if Arc::ptr_eq(&ship.ruleset, &own.ruleset) => ShipSource::Evaluated(ship.clone()),
                _ => ShipSource::Open(open.design.clone()),
            },
        },
    }
}

/// Who a document's ship fires at and what the table decides, as its page of odds has them.
pub struct ChosenTarget {
    pub own: Arc<Evaluation>,
    pub source: ShipSource,
    /// In the words of the command line.
    pub situation: Vec<String>,
}

/// `None` where the rules have no odds.
pub fn chosen_target(state: &EditorState, doc: &Doc) -> Option<ChosenTarget> {
    let own = doc.shown_ship().filter(|own| !own.ruleset.attack_rules.attacks.is_empty())?;
    let plain = OddsView::default();
    let view = state.odds.view(doc.id).unwrap_or(&plain);
    let source = ship_source(state, own, &opponent_key(state, &view.opponent));
    let situation = request(view, &own.ruleset.attack_rules).situation;
    Some(ChosenTarget { own: own.clone(), source, situation })
}

/// `Ardennes, range 20 MU`: who the current document fires at and what differs from the defaults.
pub fn target_words(state: &EditorState) -> String {
    let plain = OddsView::default();
    let Some(doc) = state.current_doc() else { return String::new() };
    let view = state.odds.view(doc.id).unwrap_or(&plain);
    let rules = doc.shown_ship().map(|own| &own.ruleset.attack_rules);
    let words = rules.map_or_else(Vec::new, |rules| request(view, rules).situation);
    std::iter::once(opponent_name(state, view)).chain(words).collect::<Vec<_>>().join(", ")
}

impl ShipSource {
    /// # Errors
    /// Why the ship cannot be fired at.
    pub fn evaluate(&self, own: &Arc<Evaluation>) -> Result<Arc<Evaluation>, Finding> {
        match self {
            Self::Sister => Ok(own.clone()),
            Self::Evaluated(ship) => Ok(ship.clone()),
            Self::Open(design) => Ok(Arc::new(evaluate_design(&own.ruleset, design))),
            Self::Entry(entry) => {
                let source = entry.read()?;
                let unreadable = |findings: Vec<Finding>| {
                    let message = format!("cannot read {} as a design", entry.name);
                    findings.into_iter().next().unwrap_or_else(|| Finding::caused(Cause::MissingDesign, message))
                };
                let design = Design::read(&source).map_err(unreadable)?;
                Ok(Arc::new(evaluate_design(&own.ruleset, &design)))
            }
            Self::Missing => {
                let message = "the opponent is no longer open or in the library";
                Err(Finding::caused(Cause::MissingDesign, message).help("choose another one"))
            }
        }
    }
}
