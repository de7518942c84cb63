//! The answer that is shown: its text, and whether there is one.

use std::sync::Arc;

use crate::odds_page::model::{OddsAnswer, OddsContent};
use crate::{EditorState, Notice, RightPage};
use moldloft_odds::odds::{comparison_text, matrix_text, odds_text};

/// The text that the command line prints.
pub fn answer_text(answer: &OddsAnswer) -> String {
    match &answer.content {
        OddsContent::Pair(odds) if answer.other().is_some() => {
            answer.other().map_or_else(String::new, |other| comparison_text(odds, other))
        }
        OddsContent::Pair(odds) => odds_text(odds, answer.key.request.over.is_some()),
        OddsContent::Matrix(matrix) => matrix_text(matrix),
        OddsContent::Refused(finding) => finding.message.clone(),
    }
}

pub fn copy(state: &mut EditorState) {
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
