//! The fight in the headline: a design against the opponent that is pinned for it, until one is out. A job of its own, whose
//! newest question wins; it is asked again after every change.

use std::path::PathBuf;

use crate::odds_page::model::{Chances, FightKey, FightResult, OddsCommand, OddsView, Opponent};
use crate::odds_page::opponents::{ShipSource, chosen_target, opponent_choices, opponent_key};
use crate::panic_guard::catch_panic;
use crate::{Command, Doc, DocId, EditorState, Jobs};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::store::FileRef;
use moldloft_odds::odds::words::{exactness, situation_line};
use moldloft_odds::odds::{OddsQuestion, OddsRequest, notes, work_out};
use moldloft_rules::evaluate::Evaluation;
use std::sync::Arc;

const BUILT_IN: &str = "built-in ";

/// The design of the game whose points are nearest, else a sister ship.
fn equal_rival(state: &EditorState, doc: &Doc) -> Opponent {
    let own = doc.shown_ship().and_then(|ship| ship.points).unwrap_or_default();
    let choices = opponent_choices(state, doc, "").into_iter();
    let others = choices.filter(|choice| choice.opponent != Opponent::Sister && choice.name != doc.name());
    let nearest = others.filter_map(|choice| Some((choice.points?.abs_diff(own), choice.opponent)));
    nearest.min_by_key(|(by, _)| *by).map_or(Opponent::Sister, |(_, opponent)| opponent)
}

/// Whether the rules of its game have attacks, and say when a ship is out.
pub fn has_fights(doc: &Doc) -> bool {
    let rules = doc.shown_ship().map(|ship| &ship.ruleset.attack_rules);
    rules.is_some_and(|rules| !rules.attacks.is_empty() && rules.gauges.iter().any(|gauge| gauge.ends))
}

/// Pins the opponent of the page, one of equal points in place of a sister ship.
pub fn pin(state: &mut EditorState) {
    let Some(doc) = state.current_doc().filter(|doc| doc.as_design().is_some()) else { return };
    let id = doc.id;
    let known = state.odds.view(id).map(|view| view.opponent.clone()).unwrap_or_default();
    let opponent = if known == Opponent::Sister { equal_rival(state, doc) } else { known };
    state.odds.view_mut(id).opponent = opponent;
    keep(state, id, true);
}

pub fn unpin(state: &mut EditorState) {
    let Some(id) = state.current_doc().map(|doc| doc.id) else { return };
    keep(state, id, false);
}

/// The opponent of the page is the one that is pinned.
pub fn keep_if_pinned(state: &mut EditorState, id: DocId) {
    if is_pinned(state, id) {
        keep(state, id, true);
    }
}

pub fn is_pinned(state: &EditorState, id: DocId) -> bool {
    state.suggestions.view(id).is_some_and(|view| view.goals.rival.is_some())
}

/// Remembered with the goals of the design.
fn keep(state: &mut EditorState, id: DocId, is_pinned: bool) {
    let opponent = state.odds.view_mut(id).opponent.clone();
    let words = match &opponent {
        Opponent::Sister => String::new(),
        Opponent::File(file) => file_words(file),
        Opponent::Doc(other) => {
            state.find_doc(*other).and_then(|doc| doc.file.as_ref()).map(file_words).unwrap_or_default()
        }
    };
    let EditorState { suggestions, settings, .. } = state;
    if let Some(view) = suggestions.views.get_mut(&id) {
        view.goals.rival = is_pinned.then_some(words);
        settings.goals.keep(&view.goals_key, &view.goals);
    }
}

fn file_words(file: &FileRef) -> String {
    format!("{}{}", if file.built_in { BUILT_IN } else { "" }, file.path.display())
}

/// Of a design whose odds are asked for the first time.
pub fn kept_opponent(state: &EditorState, id: DocId) -> Opponent {
    let rival = state.suggestions.view(id).and_then(|view| view.goals.rival.as_deref());
    match rival.map(|words| words.strip_prefix(BUILT_IN).ok_or(words)) {
        None | Some(Err("")) => Opponent::Sister,
        Some(Ok(name)) => Opponent::File(FileRef::built_in(name)),
        Some(Err(path)) => Opponent::File(FileRef { path: PathBuf::from(path), built_in: false }),
    }
}

fn key(state: &EditorState) -> Option<(FightKey, Arc<Evaluation>, ShipSource)> {
    let doc = state.current_doc().filter(|doc| doc.as_design().is_some() && is_pinned(state, doc.id))?;
    let target = chosen_target(state, doc)?;
    let opponent = opponent_key(state, &state.odds.view(doc.id)?.opponent);
    let key = FightKey { doc: doc.id, revision: doc.revision, opponent, situation: target.situation };
    Some((key, target.own, target.source))
}

/// Whether the chances are those of the ships as they are now.
pub fn is_current(state: &EditorState, view: &OddsView) -> bool {
    let known = view.fight.as_ref().map(|fight| &fight.key);
    known.is_some() && known == key(state).map(|(key, ..)| key).as_ref()
}

/// Does nothing while a job runs: its result calls this again.
pub fn start_if_needed(state: &mut EditorState, jobs: &Jobs) {
    let wanted = key(state);
    if let Some((running, progress)) = &state.odds.fight_job {
        if wanted.as_ref().map(|(key, ..)| key) != Some(running) {
            progress.cancel();
        }
        return;
    }
    let Some((key, own, source)) = wanted else { return };
    let known = state.odds.view(key.doc).and_then(|view| view.fight.as_ref());
    if known.is_some_and(|fight| fight.key == key) {
        return;
    }
    let asked = key.clone();
    let progress = jobs.start(move |progress| {
        let chances = catch_panic(|| chances(&own, &source, &asked.situation, progress));
        let failed = || Err(Finding::error("odds-failed", "cannot work out this fight"));
        let (chances, rests_on) = match chances.unwrap_or_else(failed) {
            Ok((chances, rests_on)) => (Ok(chances), rests_on),
            Err(finding) => (Err(finding.message), String::new()),
        };
        let fight = FightResult { key: asked, chances, rests_on };
        let fight = (!progress.is_cancelled()).then_some(fight);
        Some(Command::Odds(OddsCommand::FightDone(Box::new(fight))))
    });
    state.odds.fight_job = Some((key, progress));
}

/// `None` if it was cancelled.
pub fn accept(state: &mut EditorState, fight: Option<FightResult>) {
    state.odds.fight_job = None;
    if let Some(fight) = fight.filter(|fight| state.find_doc(fight.key.doc).is_some()) {
        let doc = fight.key.doc;
        state.odds.view_mut(doc).fight = Some(fight);
    }
}

/// With what they rest on.
fn chances(
    own: &Arc<Evaluation>,
    source: &ShipSource,
    situation: &[String],
    progress: &Progress,
) -> Result<(Chances, String), Finding> {
    let target = source.evaluate(own)?;
    let request = OddsRequest::default().situation(situation.to_vec()).has_duel(true);
    let question = request.question(&own.ruleset.attack_rules)?;
    let odds = work_out(own, &target, &OddsQuestion { over: None, progress: progress.clone(), ..question });
    let none = || Finding::error("odds-failed", "these rules put no ship out of a fight");
    let chances = odds.duel.as_ref().and_then(Chances::of);
    let chances = chances.ok_or_else(|| odds.findings.first().cloned().unwrap_or_else(none))?;
    let notes = notes(&exactness(&odds), &odds.assumed, &odds.not_counted);
    Ok((chances, format!("{}\n{}", situation_line(odds.rules(), &odds.situation), notes.trim_end())))
}
