//! The page of odds: takes commands and the state, has one job work out what is asked and draw its chart, and keeps the answer of each document.

pub mod model;
pub mod panel;

mod answer;
pub(crate) mod fight;
mod files;
mod job;
mod opponents;
mod situation;

use std::sync::Arc;

use crate::effects::Effects;
use crate::odds_page::model::OddsView;
use crate::{EditorState, Notice, Tab};
use moldloft_odds::odds::explain_firing;

pub use crate::odds_page::model::{
    OddsAnswer, OddsCommand, OddsFileDialog, OddsPages, OddsSelection, OddsViewport, Opponent,
};
pub use answer::current_answer;
pub(crate) use job::start_job_if_needed;
pub(crate) use opponents::{
    ChosenTarget, OpponentChoice, chosen_target, comparable_rules, opponent_choices, opponent_name, target_words,
};
pub(crate) use situation::{axis_rule, situation_word};

/// Most turns that the window offers.
pub const MAX_TURNS: u32 = 60;

pub fn apply(state: &mut EditorState, command: OddsCommand, effects: &mut Effects<'_>) {
    match command {
        OddsCommand::SetViewport(viewport) => state.odds.viewport = Some(viewport),
        OddsCommand::Deliver(result) => job::accept_result(state, *result),
        OddsCommand::Pin => fight::pin(state),
        OddsCommand::Unpin => fight::unpin(state),
        OddsCommand::FightDone(done) => fight::accept(state, *done),
        OddsCommand::Copy => answer::copy(state),
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
        OddsCommand::SetOpponent(opponent) => set_opponent(state, opponent),
        other => change_view(state, other),
    }
}

fn set_opponent(state: &mut EditorState, opponent: Opponent) {
    let Some(id) = state.current_doc().map(|doc| doc.id) else { return };
    let view = state.odds.view_mut(id);
    view.opponent = opponent;
    view.search.clear();
    view.is_matrix = false;
    fight::keep_if_pinned(state, id);
}

fn change_view(state: &mut EditorState, command: OddsCommand) {
    let Some(doc) = state.current_doc() else { return };
    let id = doc.id;
    let ruleset = doc.shown_ship().map(|ship| ship.ruleset.clone());
    let rules = ruleset.as_ref().map(|ruleset| &ruleset.attack_rules);
    let view = state.odds.view_mut(id);
    match command {
        OddsCommand::Search(text) => view.search = text,
        OddsCommand::SetSituation { id, word } => situation::set_situation(view, rules, id, word),
        OddsCommand::ResetSituation => view.situation.clear(),
        OddsCommand::StepAxis(by) => situation::step_axis(view, rules, by),
        OddsCommand::SetOver(over) => view.over = over,
        OddsCommand::SetTurns(turns) => view.turns = turns.min(MAX_TURNS),
        OddsCommand::SetDuel(has_duel) => view.has_no_duel = !has_duel,
        OddsCommand::SetMatrix(is_matrix) => view.is_matrix = is_matrix,
        OddsCommand::SetBest(best) => view.best = best,
        OddsCommand::SetAttack(attack) => view.attack = attack,
        OddsCommand::SetOtherRules(id) => view.other_rules = id,
        OddsCommand::Select(selection) => view.selection = selection,
        OddsCommand::Resume => view.cancelled = None,
        _ => {}
    }
}

/// Marks whether the answer is to what is asked now, and explains what is selected.
pub fn update(state: &mut EditorState) {
    let Tab::Doc(id) = state.tab else { return };
    if state.odds.view(id).is_none() {
        let opponent = fight::kept_opponent(state, id);
        state.odds.view_mut(id).opponent = opponent;
    }
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
    let is_same = |(known, other): &(Arc<OddsAnswer>, OddsSelection)| Arc::ptr_eq(known, answer) && *other == selection;
    if view.details_for.as_ref().is_some_and(is_same) {
        return;
    }
    view.details = match (selection, answer.pair()) {
        (OddsSelection::Attack(place), Some(odds)) => explain_firing(odds, place),
        _ => Vec::new(),
    };
    view.details_for = Some((answer.clone(), selection));
}
