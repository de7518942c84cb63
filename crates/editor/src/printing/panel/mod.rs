//! The print room: presets above, the pages as they will come, large, settings beside them, the file and the buttons below,
//! always in sight.

mod calibration;
mod form;
mod pages;
mod presets;
mod stages;

use egui::{Align, Button, Layout, Rect, ScrollArea, Ui, UiBuilder, Vec2, vec2};

use crate::language::say;
use crate::panels::dialog_parts::{cancel_button, focus_first, path_field};
use crate::printing::{PrintCommand, PrintDialog, PrintStage};
use crate::theme::palette;
use crate::widgets::{error_text, muted_label, primary_button};
use crate::{Command, EditorState, FilePick};
use moldloft_library::print::PrintKind;

/// In points.
const LARGEST: Vec2 = vec2(1240.0, 860.0);
const FORM_WIDTH: f32 = 380.0;
/// With less, either the settings or the pages are shown.
const MIN_WIDE_WIDTH: f32 = 780.0;
const SMALL_WIDTH: f32 = 560.0;

/// Width and, for the room itself, height of the dialog within the room that the window has.
pub fn dialog_size(dialog: &PrintDialog, room: Vec2) -> Vec2 {
    match dialog.stage {
        PrintStage::Settings => LARGEST.min(room),
        _ => vec2(SMALL_WIDTH, room.y).min(room),
    }
}

pub fn show(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, out: &mut Vec<Command>) {
    match &dialog.stage {
        PrintStage::Settings => room_view(ui, state, dialog, out),
        PrintStage::Working(progress) => {
            ui.heading(say(title(state, dialog)));
            stages::progress_view(ui, progress, out);
        }
        PrintStage::ConfirmReplace(files) => {
            ui.heading(say(title(state, dialog)));
            stages::confirm_replace_view(ui, files, out);
        }
        PrintStage::Report(report) => {
            ui.heading(say(title(state, dialog)));
            stages::report_view(ui, state, report, out);
        }
        PrintStage::Calibrate(form) => calibration::show(ui, form, out),
    }
}

fn title(state: &EditorState, dialog: &PrintDialog) -> &'static str {
    match dialog.options.what {
        _ if state.shows_fleet() => "Print the pack",
        PrintKind::Counters => "Print chits",
        _ => "Print",
    }
}

/// Lays the parts out in fixed rectangles, so that the buttons never leave the window.
fn room_view(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, out: &mut Vec<Command>) {
    let mut new = dialog.clone();
    let size = dialog_size(dialog, ui.available_size());
    let (whole, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let is_wide = whole.width() >= MIN_WIDE_WIDTH;
    let foot_height = foot_height(state, dialog, whole.width());
    let mut top_ui = part(ui, whole, "print head");
    head(&mut top_ui, state, dialog, &mut new, is_wide, out);
    let top = top_ui.min_rect().bottom() + 8.0;
    let foot = Rect::from_min_max(egui::pos2(whole.left(), whole.bottom() - foot_height), whole.max);
    let body = Rect::from_min_max(egui::pos2(whole.left(), top), egui::pos2(whole.right(), foot.top() - 6.0));
    let (form, pages) = if is_wide {
        let (pages, form) = body.split_left_right_at_x(body.right() - FORM_WIDTH.min(body.width() * 0.46));
        (Some(form.with_min_x(form.left() + 14.0)), Some(pages))
    } else if dialog.shows_pages {
        (None, Some(body))
    } else {
        (Some(body), None)
    };
    if let Some(rect) = form {
        let mut ui = part(ui, rect, "print settings");
        let scroll = ScrollArea::vertical().id_salt("print settings").auto_shrink(false);
        scroll.show(&mut ui, |ui| {
            ui.set_max_width(ui.available_width() - 12.0);
            form::show(ui, state, dialog, &mut new, out);
        });
    }
    if let Some(rect) = pages {
        let mut ui = part(ui, rect, "print pages");
        if is_wide {
            let line = egui::Stroke::new(1.0, palette(&ui).line);
            ui.painter().vline(rect.right() + 3.0, rect.y_range(), line);
        }
        pages::show(&mut ui, state, dialog, &mut new, out);
    }
    let mut foot_ui = part(ui, foot, "print foot");
    foot_view(&mut foot_ui, state, dialog, &mut new, out);
    if new != *dialog {
        out.push(Command::Print(PrintCommand::UpdateDialog(Box::new(new))));
    }
}

fn part(ui: &mut Ui, rect: Rect, id: &str) -> Ui {
    let mut part = ui.new_child(UiBuilder::new().id_salt(id).max_rect(rect).layout(Layout::top_down(Align::Min)));
    part.set_clip_rect(rect.expand(4.0).intersect(ui.clip_rect()));
    part
}

fn head(
    ui: &mut Ui,
    state: &EditorState,
    dialog: &PrintDialog,
    new: &mut PrintDialog,
    is_wide: bool,
    out: &mut Vec<Command>,
) {
    ui.horizontal_wrapped(|ui| {
        ui.heading(say(title(state, dialog)));
        if !is_wide {
            for (pages, name) in [(false, "Settings"), (true, "Pages")] {
                if ui.add(Button::selectable(dialog.shows_pages == pages, say(name))).clicked() {
                    new.shows_pages = pages;
                }
            }
        }
        ui.add_space(8.0);
        presets::show(ui, state, dialog, new, out);
    });
}

fn warning(state: &EditorState) -> Option<String> {
    let doc = state.current_doc().filter(|doc| doc.is_legal() == Some(false))?;
    Some(format!("This {} breaks the rules; the printout says so.", doc.kind_name()))
}

fn foot_height(state: &EditorState, dialog: &PrintDialog, width: f32) -> f32 {
    let lines = usize::from(dialog.path_problem.is_some()) + usize::from(warning(state).is_some());
    let rows = if width < 520.0 { 3.0 } else { 2.0 };
    8.0 + rows * 34.0 + lines as f32 * 24.0
}

fn foot_view(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, new: &mut PrintDialog, out: &mut Vec<Command>) {
    ui.separator();
    ui.horizontal(|ui| {
        let format = dialog.options.format();
        let pick = |path: &str| FilePick::save("Print to a file", path, (format.name, format.extension));
        let field = path_field(ui, "File", &mut new.path, pick, out);
        if ui.data_mut(|data| data.remove_temp::<bool>(stages::other_name_id())).is_some() {
            field.request_focus();
        }
    });
    if let Some(why) = &dialog.path_problem {
        error_text(ui, format!("! Cannot write there: {why}"));
    }
    if let Some(text) = warning(state) {
        muted_label(ui, text);
    }
    ui.horizontal_wrapped(|ui| {
        // Ticks are those of the pages that are laid out.
        let waits = state.print_room.is_planning() && !dialog.pages.trim().is_empty();
        let print =
            ui.add_enabled_ui(!waits, |ui| primary_button(ui, &format!("Save {}", dialog.options.format().name))).inner;
        focus_first(ui, &print);
        out.extend(print.clicked().then(|| Command::Print(PrintCommand::Start)));
        cancel_button(ui, out);
        if state.platform.opens_files {
            let open = ui.checkbox(&mut new.options.view, say("Then open it in the viewer, to print from there"));
            open.on_hover_text(say(
                "The file is made first; the system's viewer for it has the dialog with your printers",
            ));
        }
        ui.add_space(6.0);
        pages::paper_summary(ui, &state.print_room, dialog);
    });
}
