//! The page of odds: takes commands and the state, has one job work out what is asked and draw its chart, and keeps the answer of each document.

mod files;
mod job;
mod opponents;

use std::sync::Arc;

use crate::odds::{OddsRequest, axis, explain_firing, find_situation, odds_text, matrix_text, read_situation, value_word};
use crate::ruleset::{AttackRules, Situation, SituationKind};

use super::effects::Effects;
use super::model::odds::{OddsContent, OddsQuestionKey, OddsView, RightPage};
use super::model::state::EditorState;
use super::model::view::{Notice, Tab};

pub use super::model::odds::{
    OddsAnswer, OddsCommand, OddsFileDialog, OddsPages, OddsSelection, OddsViewport, Opponent,
};
pub use job::start_job_if_needed;
pub use opponents::{OpponentChoice, opponent_choices, opponent_name};

/// Most turns that the window offers.
pub const MAX_TURNS: u32 = 60;

pub fn apply(state: &mut EditorState, command: OddsCommand, effects: &mut Effects<'_>) {
    match command {
        OddsCommand::SetViewport(viewport) => state.odds.viewport = Some(viewport),
        OddsCommand::HideInspector => state.odds.shows_inspector = false,
        OddsCommand::Deliver(result) => job::accept_result(state, *result),
        OddsCommand::Copy => copy(state),
        OddsCommand::OpenFileDialog => files::open_dialog(state),
        OddsCommand::WriteFile { replace } => files::write(state, replace, effects.jobs),
        OddsCommand::FileExists(name) => files::ask_to_replace(state, name),
        OddsCommand::FileWritten { path, summary, view } => files::finish(state, &path, summary, view, effects),
        OddsCommand::FileFailed(finding) => state.notify(Notice::from_finding(&finding)),
        OddsCommand::Cancel => {
            let Some(job) = &state.odds.job else { return };
            job.progress.cancel();
            let question = job.key.question.clone();
            let view = state.odds.view_mut(question.doc);
            view.cancelled = Some(question);
        }
        other => change_view(state, other),
    }
}

fn change_view(state: &mut EditorState, command: OddsCommand) {
    let Some(doc) = state.current_doc() else { return };
    let id = doc.id;
    let ruleset = doc.shown_ship().map(|ship| ship.ruleset.clone());
    let rules = ruleset.as_ref().map(|ruleset| &ruleset.attack_rules);
    let view = state.odds.view_mut(id);
    match command {
        OddsCommand::SetOpponent(opponent) => {
            view.opponent = opponent;
            view.is_matrix = false;
        }
        OddsCommand::Search(text) => view.search = text,
        OddsCommand::SetSituation { id, word } => set_situation(view, rules, id, word),
        OddsCommand::ResetSituation => view.situation.clear(),
        OddsCommand::StepAxis(by) => step_axis(view, rules, by),
        OddsCommand::SetOver(over) => view.over = over,
        OddsCommand::SetTurns(turns) => view.turns = turns.min(MAX_TURNS),
        OddsCommand::SetDuel(has_duel) => view.has_duel = has_duel,
        OddsCommand::SetMatrix(is_matrix) => view.is_matrix = is_matrix,
        OddsCommand::Select(selection) => view.selection = selection,
        OddsCommand::Resume => view.cancelled = None,
        _ => {}
    }
}

/// What is the default, or not possible, is not kept.
fn set_situation(view: &mut OddsView, rules: Option<&AttackRules>, id: String, word: Option<String>) {
    let Some(rules) = rules else { return };
    let rule = find_situation(rules, &id).ok().and_then(|number| rules.situations.get(number));
    let changed = word.filter(|word| rule.is_some_and(|rule| *word != value_word(&rule.default)));
    match changed.filter(|word| is_possible(rules, &id, word)) {
        Some(word) => view.situation.insert(id, word),
        None => view.situation.remove(&id),
    };
}

fn is_possible(rules: &AttackRules, id: &str, word: &str) -> bool {
    read_situation(rules, &[format!("{id}={word}")]).is_ok()
}

/// The situation that the chart is drawn over.
pub fn axis_rule<'r>(view: &OddsView, rules: &'r AttackRules) -> Option<&'r Situation> {
    let chosen = view.over.as_ref().and_then(|over| find_situation(rules, over).ok());
    chosen.or_else(|| axis(rules)).and_then(|number| rules.situations.get(number))
}

/// Its value, in the words of the command line.
pub fn situation_word(view: &OddsView, rule: &Situation) -> String {
    view.situation.get(&*rule.id).cloned().unwrap_or_else(|| value_word(&rule.default))
}

fn step_axis(view: &mut OddsView, rules: Option<&AttackRules>, by: i64) {
    let Some(rule) = rules.and_then(|rules| axis_rule(view, rules)) else { return };
    let now = situation_word(view, rule);
    let to = match &rule.kind {
        SituationKind::Integer { min, max } => {
            now.parse::<i64>().unwrap_or(*min).saturating_add(by).clamp(*min, *max).to_string()
        }
        SituationKind::Flag => (by > 0).to_string(),
        SituationKind::Choice(options) => {
            let at = options.iter().position(|(id, _)| **id == *now).unwrap_or(0) as i64;
            let to = at.saturating_add(by.signum()).clamp(0, options.len().saturating_sub(1) as i64);
            options.get(to as usize).map_or(now, |(id, _)| id.to_string())
        }
    };
    set_situation(view, rules, rule.id.to_string(), Some(to));
}

/// The request of a view to ships of these rules; what other rules had is left out.
fn request(view: &OddsView, rules: &AttackRules) -> OddsRequest {
    let situation = view.situation.iter().filter(|(id, word)| is_possible(rules, id, word));
    OddsRequest {
        situation: situation.map(|(id, word)| format!("{id}={word}")).collect(),
        over: view.over.clone().filter(|over| find_situation(rules, over).is_ok()),
        attacks: Vec::new(),
        parts: true,
        turns: Some(view.turns).filter(|turns| *turns > 0),
        has_duel: view.has_duel,
    }
}

/// Marks whether the answer is to what is asked now, and explains what is selected.
pub fn update(state: &mut EditorState) {
    let Tab::Doc(id) = state.tab else { return };
    state.odds.view_mut(id);
    let key = opponents::question_key(state);
    let view = state.odds.view_mut(id);
    view.is_current = key.is_some() && view.answer.as_ref().map(|answer| &answer.key) == key.as_ref();
    if view.cancelled.is_some() && view.cancelled != key {
        view.cancelled = None;
    }
    update_details(view);
}

fn update_details(view: &mut OddsView) {
    let Some((selection, answer)) = view.selection.zip(view.answer.as_ref()) else {
        view.details.clear();
        view.details_for = None;
        return;
    };
    let is_same =
        |(known, other): &(Arc<OddsAnswer>, OddsSelection)| Arc::ptr_eq(known, answer) && *other == selection;
    if view.details_for.as_ref().is_some_and(is_same) {
        return;
    }
    view.details = match (selection, answer.pair()) {
        (OddsSelection::Attack(place), Some(odds)) => explain_firing(odds, place),
        _ => Vec::new(),
    };
    view.details_for = Some((answer.clone(), selection));
}

/// The text that the command line prints.
pub fn answer_text(answer: &OddsAnswer) -> String {
    match &answer.content {
        OddsContent::Pair(odds) => odds_text(odds, answer.key.request.over.is_some()),
        OddsContent::Matrix(matrix) => matrix_text(matrix),
        OddsContent::Refused(finding) => finding.message.clone(),
    }
}

fn copy(state: &mut EditorState) {
    let Some(answer) = current_answer(state) else { return };
    let text = answer_text(answer);
    state.to_clipboard = Some(text);
    state.notify(Notice::info("Copied the odds as text"));
}

/// The answer that is shown, if it has figures and is to what is asked now.
pub fn current_answer(state: &EditorState) -> Option<&Arc<OddsAnswer>> {
    let view = state.odds.view(state.current_doc()?.id).filter(|view| view.is_current)?;
    let answer = view.answer.as_ref().filter(|_| state.settings.page == RightPage::Odds)?;
    Some(answer).filter(|answer| !matches!(answer.content, OddsContent::Refused(_)))
}

/// Whether the page is shown and this is what it asks.
fn is_asked(state: &EditorState, key: &OddsQuestionKey) -> bool {
    opponents::question_key(state).as_ref() == Some(key)
}
