//! The guide to a first ship, and the reference sheet in Help: takes commands, performs steps as edits, draws the sheets in
//! a job.

pub mod model;
pub mod panel;

use std::sync::Arc;

use moldloft_library::print::{PrintKind, PrintOptions, print_ruleset};
use moldloft_rules::evaluate::guide_edits;

pub use crate::guide::model::GuideCommand;
use crate::guide::model::ReferenceSheets;
use crate::library_browser::model::LibraryCommand;
use crate::panic_guard::catch_panic;
use crate::preview::{Tile, page_picture};
use crate::{Command, Dialog, DocId, Edit, EditorState, Jobs, Notice};

/// In pixels.
const REFERENCE_WIDTH: u32 = 1_500;
const MAX_REFERENCE_PAGES: usize = 8;

pub fn apply(state: &mut EditorState, command: GuideCommand, jobs: &Jobs) -> Vec<Command> {
    let current = state.current_doc().filter(|doc| doc.as_design().is_some()).map(|doc| doc.id);
    match command {
        GuideCommand::Start(game) => {
            // The ticks of the first start count, whichever button comes next.
            let chosen = &state.library.chosen_games;
            if state.settings.must_ask_for_games() && !chosen.is_empty() {
                state.settings.games = Some(chosen.iter().cloned().chain([game.to_string()]).collect());
            }
            let create = LibraryCommand::CreateDesign { game, copy_of: None };
            return vec![Command::Library(create), Command::Guide(GuideCommand::Open)];
        }
        GuideCommand::Open => {
            if let Some(id) = current {
                state.guides.steps.insert(id, None);
            }
        }
        GuideCommand::Close => {
            if let Some(id) = current {
                state.guides.steps.remove(&id);
            }
        }
        GuideCommand::ShowStep(step) => {
            if let Some(shown) = current.and_then(|id| state.guides.steps.get_mut(&id)) {
                *shown = step;
            }
        }
        GuideCommand::Perform(step) => return perform(state, step).map(Command::Edit).into_iter().collect(),
        GuideCommand::ShowReference(game) => show_reference(state, game, jobs),
        GuideCommand::ReferenceDrawn { progress, pages } => {
            if let Some(shown) = state.guides.reference.as_mut().filter(|shown| shown.drawing.is_same_work(&progress)) {
                shown.pages = Some(pages.into_iter().map(|page| Tile::new(0, Some(page))).collect());
            }
        }
    }
    Vec::new()
}

fn perform(state: &mut EditorState, step: usize) -> Option<Edit> {
    let doc = state.current_doc()?;
    let step = doc.evaluation()?.ruleset.guide.get(step)?;
    let steps = guide_edits(step, &doc.as_design()?.design);
    let label = format!("do the step “{}”", step.label);
    let shown = doc.id;
    if let Some(opened) = state.guides.steps.get_mut(&shown) {
        *opened = None;
    }
    (!steps.is_empty()).then(|| Edit::from_steps(label, steps))
}

fn show_reference(state: &mut EditorState, game: Option<Arc<str>>, jobs: &Jobs) {
    let own = state.current_doc().and_then(|doc| doc.shown_ship()).map(|ship| Arc::clone(&ship.ruleset));
    let ruleset = match &game {
        Some(game) => state.rulesets.find(game).ruleset().cloned(),
        None => own.or_else(|| {
            let mut games =
                state.library.catalogue.games.iter().filter(|game| game.ready && state.settings.plays(&game.id));
            games.find_map(|game| state.rulesets.find(&game.id).ruleset().cloned())
        }),
    };
    let Some(ruleset) = ruleset else {
        return state.notify(Notice::info("open a design first to see the reference sheet of its game"));
    };
    if let Some(old) = &state.guides.reference {
        old.drawing.cancel();
    }
    let (store, rules) = (state.store.clone(), Arc::clone(&ruleset));
    let drawing = jobs.start(move |progress| {
        let draw = || {
            let options = PrintOptions::default().kind(PrintKind::Reference);
            let printed = print_ruleset(&store, &rules, &options, progress).ok()?;
            let pages = printed.scene.pages.iter().take(MAX_REFERENCE_PAGES);
            Some(pages.filter_map(|page| page_picture(page, REFERENCE_WIDTH, false)).collect())
        };
        let pages: Vec<egui::ColorImage> = catch_panic(draw).flatten().unwrap_or_default();
        (!progress.is_cancelled())
            .then(|| Command::Guide(GuideCommand::ReferenceDrawn { progress: progress.clone(), pages }))
    });
    state.guides.reference = Some(ReferenceSheets { game: Arc::clone(&ruleset.id), drawing, pages: None });
    state.dialog = Some(Dialog::Reference);
}

/// Drops what belongs to closed designs, and the sheets once their dialog is closed.
pub fn update(state: &mut EditorState) {
    let open: Vec<DocId> = state.docs.iter().map(|doc| doc.id).collect();
    state.guides.steps.retain(|id, _| open.contains(id));
    if !matches!(state.dialog, Some(Dialog::Reference))
        && let Some(old) = state.guides.reference.take()
    {
        old.drawing.cancel();
    }
}
