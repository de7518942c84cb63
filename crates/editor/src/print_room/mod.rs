//! The pages in the print room: lays them out in a job whenever the settings or documents change, and draws those in sight
//! in another. The newest request wins; the old pages stay until the new ones are there.

pub mod model;

use std::sync::Arc;

use rayon::prelude::*;

use crate::panic_guard::catch_panic;
use crate::preview::{Tile, page_picture};
use crate::print_room::model::{PICTURE_WIDTHS, PagesInSight, PlanKey, PrintPlan, PrintRoom, carry_selection};
use crate::printing::job::{PrintJob, printed_docs, printed_files};
use crate::printing::model::{PrintCommand, PrintDialog, PrintSettings, PrintStage};
use crate::{Command, Dialog, EditorState, Jobs};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_export::export::{self, Format};
use moldloft_library::print::{PageOutline, PrintKind, PrintedPages};

/// With more copies, one is laid out.
const MAX_PLANNED_COPIES: u32 = 20;
/// Later pages have no picture.
const MAX_PICTURED_PAGES: usize = 2_000;
const PICTURES_PER_JOB: usize = 6;

fn plan_key(state: &EditorState, dialog: &PrintDialog) -> PlanKey {
    // Without what changes the file only.
    let settings = PrintSettings {
        format: if page_by_page(dialog) { "svg" } else { "pdf" }.into(),
        grey: false,
        dpi: 0,
        transparent: false,
        lettering: Default::default(),
        form: false,
        view: false,
        folder: None,
        copies: if dialog.options.what.sheet_kind().is_some() { 1 } else { dialog.options.copies },
        what: if state.shows_fleet() { PrintKind::Sheets } else { dialog.options.what },
        ..dialog.options.clone()
    };
    PlanKey {
        settings,
        docs: printed_docs(state, dialog).into_iter().map(|doc| (doc.id, doc.revision)).collect(),
        files: printed_files(state, dialog),
        sheets: state.settings.sheet.sheets.clone(),
        generations: (state.ruleset_status.generation, state.preview.template_generation()),
    }
}

fn format_of_file(dialog: &PrintDialog) -> &'static Format {
    let extension = std::path::Path::new(dialog.path.trim()).extension().and_then(|extension| extension.to_str());
    extension.and_then(export::format_for).unwrap_or_else(|| dialog.options.format())
}

fn page_by_page(dialog: &PrintDialog) -> bool {
    format_of_file(dialog).page_by_page
}

fn open_dialog(state: &EditorState) -> Option<&PrintDialog> {
    match &state.dialog {
        Some(Dialog::Print(dialog)) => Some(dialog),
        _ => None,
    }
}

/// Starts the jobs for what is not there yet. Without the dialog, nothing is kept.
pub fn start_jobs_if_needed(state: &mut EditorState, jobs: &Jobs) {
    let Some(dialog) = open_dialog(state) else {
        // The file chooser may be open over it for a while.
        if !matches!(state.dialog, Some(Dialog::FileChooser(_))) && !state.print_room.is_empty() {
            state.print_room.clear();
        }
        return;
    };
    if dialog.stage != PrintStage::Settings {
        if let Some((_, job)) = state.print_room.planning.take() {
            job.cancel();
        }
        return;
    }
    let key = plan_key(state, dialog);
    let room = &state.print_room;
    let is_known = room.plan.as_ref().is_some_and(|(known, _)| *known == key);
    let is_coming = room.planning.as_ref().is_some_and(|(coming, _)| *coming == key);
    if !is_known && !is_coming {
        let copies = key.settings.copies.max(1);
        let many = if copies > MAX_PLANNED_COPIES { copies } else { 1 };
        let job = PrintJob::new(state, dialog);
        let job = if many > 1 { job.with_copies(1) } else { job };
        let format = format_of_file(dialog);
        let sent = key.clone();
        let progress = jobs.start(move |progress| {
            let plan = catch_panic(|| plan_pages(job, format, progress)).unwrap_or_else(|| PrintPlan {
                findings: vec![Finding::error("sheet-failed", "cannot lay out these pages")],
                ..PrintPlan::default()
            });
            let plan = Arc::new(PrintPlan { copies: many, ..plan });
            (!progress.is_cancelled()).then(|| {
                let (key, progress) = (Box::new(sent), progress.clone());
                Command::Print(PrintCommand::PlanMade { key, progress, plan })
            })
        });
        if let Some((_, old)) = state.print_room.planning.replace((key, progress)) {
            old.cancel();
        }
    }
    start_drawing_if_needed(state, jobs);
}

fn plan_pages(job: PrintJob, format: &Format, progress: &Progress) -> PrintPlan {
    let PrintedPages { mut scene, findings, contents, two_sided, .. } = match job.lay_out(format, progress) {
        Ok(pages) => pages,
        Err(report) => return PrintPlan { findings: report.findings, ..PrintPlan::default() },
    };
    let outline = PageOutline::of_pages(&scene.pages);
    scene.pages.truncate(MAX_PICTURED_PAGES);
    scene.pages.par_iter_mut().for_each(|page| page.compact_items());
    PrintPlan { pages: scene.pages, outline, two_sided, contents, findings, copies: 1 }
}

fn start_drawing_if_needed(state: &mut EditorState, jobs: &Jobs) {
    let grey = open_dialog(state).is_some_and(|dialog| dialog.options.grey);
    let room = &mut state.print_room;
    let Some((_, plan)) = &room.plan else { return };
    let PagesInSight { pages, width } = room.visible.clone();
    if room.drawing.is_some() || width == 0 {
        return;
    }
    let key = (width, grey);
    let has_picture = |page: &u32| room.drawn == key && room.pictures.contains_key(page);
    let missing = pages.into_iter().filter(|page| (*page as usize) < plan.pages.len() && !has_picture(page));
    let missing: Vec<u32> = missing.take(PICTURES_PER_JOB).collect();
    if missing.is_empty() {
        return;
    }
    let plan = Arc::clone(plan);
    room.drawing = Some(jobs.start(move |progress| {
        let draw = |page: &u32| {
            let picture =
                || if progress.is_cancelled() { None } else { page_picture(&plan.pages[*page as usize], width, grey) };
            (*page, catch_panic(picture).flatten())
        };
        let pictures = missing.par_iter().map(draw).collect();
        Some(Command::Print(PrintCommand::PagesDrawn { progress: progress.clone(), width, grey, pictures }))
    }));
}

pub fn accept_plan(state: &mut EditorState, key: PlanKey, progress: &Progress, plan: Arc<PrintPlan>) {
    let room = &mut state.print_room;
    if !room.planning.as_ref().is_some_and(|(_, awaited)| awaited.is_same_work(progress)) {
        return;
    }
    room.planning = None;
    let before = room.plan.replace((key, Arc::clone(&plan)));
    room.pictures.clear();
    if let Some(drawing) = room.drawing.take() {
        drawing.cancel();
    }
    if let Some((_, before)) = before.filter(|(_, before)| !before.outline.is_empty() && !plan.outline.is_empty())
        && let Some(Dialog::Print(dialog)) = &mut state.dialog
        && let Ok(selection) = dialog.selection()
        && !selection.is_all()
        && selection.check(before.outline.len()).is_ok()
        && before.outline != plan.outline
    {
        let carried = carry_selection(&before.outline, &plan.outline, &selection);
        dialog.pages = if carried.is_all() { String::new() } else { carried.to_string() };
    }
}

pub fn accept_pictures(
    room: &mut PrintRoom,
    progress: &Progress,
    key: (u32, bool),
    pictures: Vec<(u32, Option<egui::ColorImage>)>,
) {
    if !room.drawing.as_ref().is_some_and(|awaited| awaited.is_same_work(progress)) {
        return;
    }
    room.drawing = None;
    if room.drawn != key {
        room.pictures.clear();
        room.drawn = key;
    }
    room.pictures.extend(pictures.into_iter().map(|(page, picture)| (page, Tile::new(0, picture))));
    room.evict();
}

pub fn show_pages(room: &mut PrintRoom, visible: PagesInSight) {
    room.visible = visible;
    room.evict();
}

pub fn step_picture_size(room: &mut PrintRoom, larger: bool) {
    let next = if larger { room.picture_size + 1 } else { room.picture_size.saturating_sub(1) };
    room.picture_size = next.min(PICTURE_WIDTHS.len() - 1);
}
