//! Starts a drawing job if something visible is not drawn yet.

use std::sync::Arc;

use crate::preview::TileKey;
use crate::preview::{PreviewKey, RenderRequest, SheetPreview, page_pixels, render};
use crate::{Command, Doc, EditorState, Jobs, RightPage, Tab};

fn preview_key(state: &EditorState, doc: &Doc) -> Option<PreviewKey> {
    let settings = &state.settings.sheet;
    let ruleset = &doc.shown_ship()?.ruleset;
    Some(PreviewKey {
        revision: doc.revision,
        proposal: state.previewed().map(|previewed| previewed.key),
        unit: doc.shown_ship()?.ship.unit.clone(),
        template_generation: state.preview.template_generation,
        view: settings.view,
        // Printer corrections are not shown.
        page_setup: state.settings.print.page_setup.paper(settings.paper).offset((0.0, 0.0)),
        large_print: settings.large_print,
        sheet: settings.sheets.get(&*ruleset.id).cloned(),
    })
}

/// Does nothing while a job runs: its result calls this again. Drops the pictures of closed documents.
pub fn start_render_if_needed(state: &mut EditorState, jobs: &Jobs) {
    let EditorState { preview, docs, .. } = state;
    preview.sheets.retain(|id, _| docs.iter().any(|doc| doc.id == *id));
    if preview.cached_rulesets.as_ref().is_none_or(|rulesets| !Arc::ptr_eq(rulesets, &state.rulesets)) {
        if preview.cached_rulesets.is_some() {
            preview.reload_templates();
        }
        preview.cached_rulesets = Some(state.rulesets.clone());
    }
    if preview.render_job.is_some() {
        return;
    }
    if let Some(request) = render_request(state) {
        let templates = state.preview.template_cache(&request.ship.ruleset.id, &state.store);
        state.preview.render_job =
            Some(jobs.start(move |_| Some(Command::PreviewRendered(Box::new(render(request, &templates))))));
    }
}

fn render_request(state: &EditorState) -> Option<RenderRequest> {
    if state.settings.page != RightPage::Sheet {
        return None;
    }
    let preview = &state.preview;
    let viewport = preview.viewport.as_ref().filter(|viewport| state.tab == Tab::Doc(viewport.doc))?;
    let doc = state.current_doc()?;
    let ship = match state.previewed() {
        Some(previewed) => Arc::clone(&previewed.proposal.after),
        None => Arc::clone(doc.shown_ship()?),
    };
    let key = preview_key(state, doc)?;
    let grey = state.settings.sheet.grey;
    let shown = preview.sheets.get(&viewport.doc);
    let alike = shown.filter(|shown| shown.scale == viewport.scale && shown.grey == grey);
    let is_complete = |shown: &SheetPreview| {
        let missing = |at: &&TileKey| {
            let page = shown.pages.scene.pages.get(at.page as usize);
            let part =
                page.and_then(|page| at.pixel_rect(page_pixels((page.width, page.height), shown.scale), shown.scale));
            part.is_some() && !shown.tiles.contains_key(at)
        };
        shown.key == key && !viewport.visible_tiles.iter().any(|at| missing(&at))
    };
    if alike.is_some_and(is_complete) {
        return None;
    }
    Some(RenderRequest {
        doc: viewport.doc,
        key,
        ship,
        previous: shown.map(|shown| (shown.key.clone(), Arc::clone(&shown.pages))),
        held_tiles: alike.iter().flat_map(|shown| &shown.tiles).map(|(at, tile)| (*at, tile.fingerprint)).collect(),
        wanted_tiles: viewport.visible_tiles.clone(),
        scale: viewport.scale,
        grey,
    })
}
