//! The job of the odds: takes what is asked and the width of the chart, gives the answer with its picture. The newest question wins; the job before it is
//! cancelled first.

use std::sync::Arc;

use crate::odds_page::fight;
use crate::odds_page::model::{
    DrawnOdds, OddsAnswer, OddsCommand, OddsContent, OddsJob, OddsJobResult, OddsKey, OddsPicture, OddsQuestionKey,
    OddsViewport, OtherRules,
};
use crate::odds_page::opponents::{ShipSource, question_key, ship_sources};
use crate::panic_guard::catch_panic;
use crate::preview::{PageIndex, Tile, draw_tile, page_pixels};
use crate::{Command, EditorState, Jobs};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::words::Words;
use moldloft_export::export::PictureRegion;
use moldloft_library::chart::{WIDTH, matrix_page, narrow_odds_page, odds_page};
use moldloft_odds::odds::{Odds, OddsQuestion, matrix, work_out};
use moldloft_rules::evaluate::{Evaluation, evaluate};

/// Longest side of a picture, in pixels.
const MAX_SIDE: f32 = 4096.0;

/// Does nothing while a job runs: its result calls this again. Drops the answers of closed documents.
pub fn start_job_if_needed(state: &mut EditorState, jobs: &Jobs) {
    let EditorState { odds, docs, .. } = state;
    odds.views.retain(|id, _| docs.iter().any(|doc| doc.id == *id));
    fight::start_if_needed(state, jobs);
    let key = question_key(state);
    if let Some(job) = &state.odds.job {
        if key.as_ref() != Some(&job.key.question) {
            job.progress.cancel();
        }
        return;
    }
    let Some(key) = key else { return };
    let Some(viewport) = state.odds.viewport.filter(|viewport| viewport.doc == key.doc) else { return };
    let Some(view) = state.odds.view(key.doc) else { return };
    let known = view.answer.clone().filter(|answer| answer.key == key);
    let is_drawn = view.drawn_for == Some(viewport);
    if known.is_some() && is_drawn || view.cancelled.as_ref() == Some(&key) {
        return;
    }
    let Some((doc, own)) = state.current_doc().and_then(|doc| Some((doc, doc.shown_ship()?.clone()))) else { return };
    let sources = if known.is_some() { Vec::new() } else { ship_sources(state, doc, &key) };
    let key = OddsKey { question: key, viewport };
    let asked = key.clone();
    let words = state.language.words().cloned();
    let progress = jobs.start(move |progress| {
        let answer = known.or_else(|| {
            let answer = catch_panic(|| answer(&asked.question, &own, sources, progress));
            let answer = answer.unwrap_or_else(|| refused(&asked.question, failed()));
            (!progress.is_cancelled()).then(|| Arc::new(answer))
        });
        let drawn =
            answer.as_ref().and_then(|answer| catch_panic(|| draw(answer, asked.viewport, words.as_deref())).flatten());
        let result = OddsJobResult { key: asked, answer, drawn };
        Some(Command::Odds(OddsCommand::Deliver(Box::new(result))))
    });
    state.odds.job = Some(OddsJob { key, progress });
}

fn failed() -> Finding {
    Finding::error("odds-failed", "cannot work out these odds")
        .help("this is a bug in moldloft: please report it with the designs")
}

fn refused(key: &OddsQuestionKey, finding: Finding) -> OddsAnswer {
    OddsAnswer { key: key.clone(), content: OddsContent::Refused(finding), compared: None }
}

fn answer(key: &OddsQuestionKey, own: &Arc<Evaluation>, sources: Vec<ShipSource>, progress: &Progress) -> OddsAnswer {
    let question = match key.request.question(&own.ruleset.attack_rules) {
        Ok(question) => OddsQuestion { progress: progress.clone(), ..question },
        Err(finding) => return refused(key, finding),
    };
    let ships: Result<Vec<Arc<Evaluation>>, Finding> = sources.into_iter().map(|source| source.evaluate(own)).collect();
    let mut compared = None;
    let content = match (ships, key.is_matrix) {
        (Err(finding), _) => return refused(key, finding),
        (Ok(ships), true) => {
            let ships: Vec<&Evaluation> = ships.iter().map(|ship| &**ship).collect();
            let Some(matrix) = matrix(&ships, &question) else { return refused(key, failed()) };
            OddsContent::Matrix(Box::new(matrix))
        }
        (Ok(ships), false) => {
            let target = ships.first().unwrap_or(own);
            let odds = work_out(own, target, &question);
            let other = key.other_rules.as_ref();
            compared = other.map(|other| by_other_rules(key, other, own, target, progress).map(Box::new));
            OddsContent::Pair(Box::new(odds))
        }
    };
    OddsAnswer { key: key.clone(), content, compared }
}

/// The same fight by other rules.
fn by_other_rules(
    key: &OddsQuestionKey,
    other: &OtherRules,
    own: &Arc<Evaluation>,
    target: &Arc<Evaluation>,
    progress: &Progress,
) -> Result<Odds, Finding> {
    let Some(rules) = other.rules.ruleset() else {
        let message = format!("cannot compare: the rules {} cannot be used", other.id);
        return Err(Finding::error("unusable-ruleset", message).help("see what is wrong with them on the page Rules"));
    };
    let by_them = |ship: &Arc<Evaluation>| {
        let design =
            ship.design().ok_or_else(|| Finding::error("odds-failed", "cannot compare: no design is shown"))?;
        Ok::<_, Finding>(evaluate(rules, design, &ship.ship))
    };
    let there = by_them(own)?;
    let question = OddsQuestion { progress: progress.clone(), ..key.request.question(&rules.attack_rules)? };
    // A sister ship stays one.
    match Arc::ptr_eq(own, target) {
        true => Ok(work_out(&there, &there, &question)),
        false => Ok(work_out(&there, &by_them(target)?, &question)),
    }
}

/// `None` if there is no chart.
fn draw(answer: &OddsAnswer, viewport: OddsViewport, words: Option<&Words>) -> Option<DrawnOdds> {
    let page = match &answer.content {
        OddsContent::Pair(odds) if (viewport.page as f32) < WIDTH => {
            narrow_odds_page(odds, viewport.page as f32, words)
        }
        OddsContent::Pair(odds) => odds_page(odds, words),
        OddsContent::Matrix(matrix) => matrix_page(matrix, words),
        OddsContent::Refused(_) => return None,
    };
    let index = PageIndex::new(&page);
    let scale = (viewport.width as f32 / page.width).min(MAX_SIDE / page.width.max(page.height));
    let size = page_pixels((page.width, page.height), scale);
    let whole = PictureRegion { scale, corner: (0, 0), size };
    let image = draw_tile(&page, &index, &whole, false)?;
    Some(DrawnOdds { size: (page.width, page.height), index: Arc::new(index), image })
}

/// The pictures of other documents are dropped: they are drawn again when they are shown.
pub fn accept_result(state: &mut EditorState, result: OddsJobResult) {
    state.odds.job = None;
    let id = result.key.question.doc;
    let Some(answer) = result.answer.filter(|_| state.find_doc(id).is_some()) else { return };
    for (_, view) in state.odds.views.iter_mut().filter(|(other, _)| **other != id) {
        (view.picture, view.drawn_for) = (None, None);
    }
    let is_current = question_key(state).as_ref() == Some(&answer.key);
    let view = state.odds.view_mut(id);
    view.is_current = is_current;
    view.answer = Some(answer);
    view.picture = result.drawn.map(|drawn| {
        let DrawnOdds { size, index, image } = drawn;
        OddsPicture { size, index, tile: Tile::new(0, Some(image)) }
    });
    view.drawn_for = Some(result.key.viewport);
}
