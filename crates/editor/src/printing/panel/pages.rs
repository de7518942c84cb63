//! The pages of a print job as they will come: small pictures, drawn when they come into sight, each with a box to tick
//! off.

use egui::{
    Align, Align2, Button, Checkbox, FontId, Id, Layout, Rect, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui,
    UiBuilder, pos2, vec2,
};

use crate::language::say;
use crate::print_room::model::{PICTURE_WIDTHS, PagesInSight, PrintPlan, PrintRoom};
use crate::printing::{PrintCommand, PrintDialog};
use crate::theme::{SMALL, bold, palette, paper};
use crate::tile::paint_text;
use crate::widgets::{error_text, muted_label, named_button, with_accessible_name, with_curly_quotes};
use crate::{Command, EditorState};
use moldloft_base::finding::Severity;
use moldloft_library::print::{PageSelection, plural};
use moldloft_sheet::sheet::Paper;

/// Below a picture, in points.
const CAPTION_HEIGHT: f32 = 50.0;
const GAP: f32 = 12.0;
const MAX_FINDINGS: usize = 3;
/// Of a picture that has room, in points.
const MAX_WIDTH: f32 = 560.0;

/// `5 pages on 3 sheets of A4`.
pub fn paper_summary(ui: &mut Ui, room: &PrintRoom, dialog: &PrintDialog) {
    let text = match (room.plan(), room.is_planning()) {
        (None, _) => "Counting the pages…".to_owned(),
        (Some(plan), is_old) => {
            let text = paper_text(plan, dialog);
            if is_old { format!("{text} …") } else { text }
        }
    };
    ui.label(egui::RichText::new(say(text)).family(bold()));
}

fn paper_text(plan: &PrintPlan, dialog: &PrintDialog) -> String {
    let selection = dialog.selection().unwrap_or_default();
    let count = plan.count_paper(&selection);
    if plan.outline.is_empty() {
        return "Nothing to print".to_owned();
    }
    let about = if plan.copies > 1 { "about " } else { "" };
    let paper = dialog.options.page_setup.paper;
    let both = match count.if_double_sided {
        Some(sheets) if sheets < count.sheets => format!(", {sheets} if printed on both sides"),
        _ => String::new(),
    };
    format!(
        "{about}{} on {} of {}{both}",
        plural(count.pages, "page"),
        plural(count.sheets, "sheet"),
        paper_name(paper)
    )
}

fn paper_name(paper: Paper) -> String {
    let (width, height) = paper.size();
    if let Paper::Custom(_) = paper { format!("{width} × {height} mm") } else { paper.name().into_owned() }
}

pub fn show(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, new: &mut PrintDialog, out: &mut Vec<Command>) {
    let room = &state.print_room;
    let selection = dialog.selection();
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(say("Pages"));
        let field = TextEdit::singleline(&mut new.pages).hint_text(say("all")).desired_width(110.0);
        ui.add(field).labelled_by(label.id).on_hover_text(say("All, or for example 1-3,5"));
        if !dialog.pages.is_empty() && named_button(ui, "All", "Print all pages") {
            new.pages.clear();
        }
        ui.add_space(8.0);
        let sizes = [(false, "−", "Smaller pictures"), (true, "+", "Larger pictures")];
        for (larger, sign, name) in sizes {
            let edge = if larger { PICTURE_WIDTHS.len() - 1 } else { 0 };
            let button = ui.add_enabled(room.picture_size != edge, Button::new(sign).min_size(vec2(26.0, 26.0)));
            if with_accessible_name(button, name).clicked() {
                out.push(Command::Print(PrintCommand::StepPictureSize { larger }));
            }
        }
        if room.is_planning() {
            muted_label(ui, "Laying out…");
        }
    });
    if let Err(message) = &selection {
        error_text(ui, format!("! {message}"));
    }
    let Some(plan) = room.plan() else { return };
    let beyond = selection.as_ref().ok().and_then(|selection| selection.check(plan.outline.len()).err());
    if let Some(finding) = beyond.filter(|_| !plan.outline.is_empty()) {
        error_text(ui, format!("! {}", finding.message));
    }
    findings(ui, plan);
    if plan.copies > 1 {
        muted_label(ui, format!("The pages of one of {} copies.", plan.copies));
    }
    grid(ui, state, plan, new, &selection.unwrap_or_default(), out);
}

fn findings(ui: &mut Ui, plan: &PrintPlan) {
    let serious = || plan.findings.iter().filter(|finding| finding.severity != Severity::Info);
    for finding in serious().take(MAX_FINDINGS) {
        let colour = if finding.severity == Severity::Error { palette(ui).error } else { palette(ui).warning };
        let text = egui::RichText::new(format!("! {}", with_curly_quotes(&finding.message))).color(colour);
        ui.add(egui::Label::new(text).wrap());
    }
    let more = serious().count().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        muted_label(ui, format!("and {more} more, listed after printing"));
    }
}

fn grid(
    ui: &mut Ui,
    state: &EditorState,
    plan: &PrintPlan,
    new: &mut PrintDialog,
    selection: &PageSelection,
    out: &mut Vec<Command>,
) {
    let room = &state.print_room;
    let chosen = PICTURE_WIDTHS[room.picture_size.min(PICTURE_WIDTHS.len() - 1)] as f32;
    let tallest = plan.outline.iter().map(|page| page.size.1 / page.size.0.max(1.0)).fold(0.5, f32::max).min(2.0);
    // A few pages are as large as there is room for.
    let few = plan.outline.len().max(1) as f32;
    let fitting = (ui.available_width() / few - GAP).min((ui.available_height() - CAPTION_HEIGHT - GAP) / tallest);
    let wide = chosen.max(fitting.min(MAX_WIDTH));
    let mut visible_pages = PagesInSight::default();
    ScrollArea::vertical().id_salt("pages to print").auto_shrink(false).show_viewport(ui, |ui, visible| {
        let wide = wide.min(ui.available_width() - GAP);
        let cell = vec2(wide + GAP, wide * tallest + CAPTION_HEIGHT + GAP);
        let per_row = ((ui.available_width() / cell.x) as usize).max(1);
        let rows = plan.outline.len().div_ceil(per_row);
        let origin = ui.max_rect().min;
        visible_pages.width = (wide * ui.ctx().pixels_per_point()).round().max(1.0) as u32;
        for row in 0..rows {
            let top = row as f32 * cell.y;
            // A row more at either end, for the keyboard.
            if top + 2.0 * cell.y < visible.min.y || top - cell.y > visible.max.y {
                continue;
            }
            let is_in_sight = top + cell.y >= visible.min.y && top <= visible.max.y;
            for column in 0..per_row {
                let page = row * per_row + column;
                if page >= plan.outline.len() {
                    break;
                }
                if is_in_sight {
                    visible_pages.pages.push(page as u32);
                }
                let rect = Rect::from_min_size(origin + vec2(column as f32 * cell.x, top), cell - vec2(GAP, GAP));
                if page_cell(ui, &state.print_room, plan, page, rect, wide * tallest, selection) {
                    toggle(new, plan, page, selection);
                }
            }
        }
        let size = vec2(ui.available_width(), rows as f32 * cell.y);
        ui.allocate_rect(Rect::from_min_size(origin, size), Sense::hover());
    });
    if visible_pages != room.visible && !plan.outline.is_empty() {
        out.push(Command::Print(PrintCommand::ShowPages(visible_pages)));
    }
}

/// The typed pages follow the ticks.
fn toggle(new: &mut PrintDialog, plan: &PrintPlan, page: usize, selection: &PageSelection) {
    let count = plan.outline.len() as u32;
    let changed = page as u32 + 1;
    let pages: Vec<u32> = (1..=count).filter(|page| selection.contains(*page) != (*page == changed)).collect();
    // A job needs a page.
    if !pages.is_empty() {
        new.pages =
            if pages.len() as u32 == count { String::new() } else { PageSelection::from_pages(pages).to_string() };
    }
}

/// True if it was ticked on or off.
fn page_cell(
    ui: &mut Ui,
    room: &PrintRoom,
    plan: &PrintPlan,
    page: usize,
    rect: Rect,
    height: f32,
    selection: &PageSelection,
) -> bool {
    let outline = &plan.outline[page];
    let colours = palette(ui);
    let mut is_on = selection.contains(page as u32 + 1);
    let width = rect.width();
    let size = vec2(width, (width * outline.size.1 / outline.size.0.max(1.0)).min(height));
    let place = Rect::from_min_size(rect.min + vec2(0.0, height - size.y), size);
    let picture = room.picture(page as u32).and_then(|tile| tile.texture(ui.ctx()));
    ui.painter().rect_filled(place, 0, paper(ui));
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    if let Some(texture) = picture {
        ui.painter().image(texture, place, whole, paper(ui));
    } else if outline.is_blank || page >= plan.pages.len() {
        let text = if outline.is_blank { "blank back" } else { "" };
        let ink = egui::Color32::from_gray(0x60);
        ui.painter().text(place.center(), Align2::CENTER_CENTER, say(text), FontId::proportional(SMALL), ink);
    }
    if !is_on {
        let veil = ui.visuals().panel_fill.gamma_multiply(0.78);
        ui.painter().rect_filled(place, 0, veil);
    }
    let click = ui.interact(place, Id::unique(("page to print", page)), Sense::CLICK);
    let stroke = if click.hovered() { Stroke::new(2.0, colours.accent) } else { Stroke::new(1.0, colours.line) };
    ui.painter().rect_stroke(place, 0, stroke, StrokeKind::Outside);
    let title = title(plan, page);
    let below = Rect::from_min_size(pos2(rect.left(), rect.top() + height + 4.0), vec2(width, 26.0));
    let label = if outline.is_back { format!("{} back", page + 1) } else { (page + 1).to_string() };
    let left = Layout::left_to_right(Align::Center);
    let mut line = ui.new_child(UiBuilder::new().id_salt(("tick of a page", page)).max_rect(below).layout(left));
    let tick = line.add(Checkbox::new(&mut is_on, say(label)));
    let name = format!("Page {}{}", page + 1, if title.is_empty() { String::new() } else { format!(", {title}") });
    let tick = with_accessible_name(tick, &name);
    if tick.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    let at = pos2(rect.left() + 2.0, below.bottom() + 9.0);
    paint_text(ui, at, &title, FontId::proportional(SMALL), colours.muted, width);
    let is_clicked = click.clicked();
    click.on_hover_text(say(name));
    tick.changed() || is_clicked
}

/// What begins on the page, or goes on there.
fn title(plan: &PrintPlan, page: usize) -> String {
    let own = plan.outline[page].title.clone();
    let before = || plan.outline[..page].iter().rev().take(40).find_map(|earlier| earlier.title.clone());
    match own {
        Some(title) => title,
        None if plan.outline[page].is_blank => "blank".to_owned(),
        None => before().map(|title| format!("{title}, more")).unwrap_or_default(),
    }
}
