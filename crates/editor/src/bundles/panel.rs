//! The dialogs for sharing a design or fleet as a bundle, and for opening one.

use egui::{RichText, ScrollArea, Ui};
use std::path::Path;

use crate::bundles::model::{BundleCommand, BundleDialog, ShareDialog};
use crate::language::say;
use crate::panels::dialog_parts::{cancel_button, dialog_foot, focus_first, path_field};
use crate::theme::palette;
use crate::widgets::{is_left_by_enter, muted_label, primary_button, with_accessible_name};
use crate::{Command, Dialog, FilePick, PickPurpose};
use moldloft_base::sanitize::{capitalize, shorten_line};
use moldloft_library::exchange::bundle::{FileAction, ReviewEntry};
use moldloft_library::print::plural;

/// The most characters of a stranger's word.
const MAX_CHARS: usize = 90;
/// In points, of the columns beside a file's name.
const KIND_WIDTH: f32 = 72.0;
const ACTION_WIDTH: f32 = 130.0;
/// The most differences of a file that are listed.
const MAX_DIFFERENCES: usize = 8;

pub fn show_share(ui: &mut Ui, dialog: &ShareDialog, out: &mut Vec<Command>) {
    ui.heading(say(format!("Share {}", dialog.name)));
    muted_label(
        ui,
        "One file with everything another player needs: house rules, templates, designs and outlines that are not built in.",
    );
    let mut typed = dialog.path.clone();
    let pick = |path: &str| FilePick::save("Share as a file", path, ("Bundles", "moldloft"));
    let field = path_field(ui, "File", &mut typed, pick, out);
    let enter = is_left_by_enter(ui, &field);
    focus_first(ui, &field);
    if field.changed() {
        out.push(Command::OpenDialog(Dialog::Share(ShareDialog { path: typed.clone(), ..dialog.clone() })));
    }
    ui.horizontal(|ui| {
        if primary_button(ui, "Write the file").clicked() || enter {
            out.push(Command::Bundle(BundleCommand::WriteShared));
        }
        if ui
            .button(say("Copy as text"))
            .on_hover_text(say("For a chat or an e-mail; Open bundle reads it back"))
            .clicked()
        {
            out.push(Command::Bundle(BundleCommand::CopyShared));
        }
        cancel_button(ui, out);
    });
}

pub fn show_opened(ui: &mut Ui, dialog: &BundleDialog, out: &mut Vec<Command>) {
    let review = &dialog.opened.review;
    ui.heading(say(format!("Open bundle: {}", shorten_line(&review.name, MAX_CHARS))));
    let files = plural(dialog.opened.bundle.files.len(), "file");
    muted_label(
        ui,
        format!(
            "{files}, written by {}. Nothing is written until you say so.",
            shorten_line(&review.program, MAX_CHARS)
        ),
    );
    let verdict = sentence(review.verdict());
    ui.label(match review.differs() {
        true => RichText::new(say(verdict)).color(palette(ui).warning).strong(),
        false => RichText::new(say(verdict)),
    });
    for words in &review.ruleset_differences {
        ui.label(RichText::new(say(words.as_str())).color(palette(ui).warning));
    }
    for finding in &review.findings {
        ui.label(RichText::new(say(finding.message.as_str())).color(palette(ui).error));
    }
    let room = (ui.ctx().content_rect().height() - 330.0).clamp(100.0, 420.0);
    ScrollArea::vertical().id_salt("bundle files").max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        for (n, entry) in review.entries.iter().enumerate() {
            let planned = dialog.plan.as_ref().and_then(|plan| plan.files.get(n));
            show_entry(ui, entry, planned.filter(|_| entry.is_in_bundle).map(|planned| &planned.action));
        }
    });
    let mut folder = dialog.folder.clone();
    let pick = |path: &str| {
        FilePick::folder("Folder for the bundle", Some(Path::new(path.trim())), PickPurpose::FillDialogPath)
    };
    let field = path_field(ui, "Write into this folder", &mut folder, pick, out);
    let enter = is_left_by_enter(ui, &field);
    focus_first(ui, &field);
    if folder != dialog.folder {
        out.push(Command::Bundle(BundleCommand::SetFolder(folder)));
    }
    muted_label(ui, "Your own files stay as they are: what has the name of another gets a new one, or is left out.");
    let count = dialog.plan.as_ref().map_or(0, |plan| plan.count());
    let words = match count {
        0 if dialog.folder.trim().is_empty() => "Choose a folder".to_owned(),
        0 => "Nothing to write".to_owned(),
        _ => format!("Write {}", plural(count, "file")),
    };
    dialog_foot(ui, &words, (count > 0, enter), out, || Command::Bundle(BundleCommand::Unpack));
}

/// With a capital letter and a full stop.
fn sentence(words: &str) -> String {
    if words.is_empty() { String::new() } else { capitalize(words) + "." }
}

fn show_entry(ui: &mut Ui, entry: &ReviewEntry, action: Option<&FileAction>) {
    let room = ui.available_width() - KIND_WIDTH - ACTION_WIDTH - 4.0 * ui.spacing().item_spacing.x;
    ui.horizontal_top(|ui| {
        column(ui, KIND_WIDTH, |ui| {
            muted_label(ui, if entry.is_in_bundle { entry.kind.as_str() } else { "built in" });
        });
        column(ui, room.max(120.0), |ui| show_result(ui, entry));
        column(ui, ACTION_WIDTH, |ui| show_action(ui, action));
    });
    ui.separator();
}

fn column(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.vertical(|ui| {
        ui.set_width(width);
        add(ui);
    });
}

/// What this program sees of a file, and what differs.
fn show_result(ui: &mut Ui, entry: &ReviewEntry) {
    let result = entry.result.as_ref();
    let name = result.map(|result| shorten_line(&result.name, MAX_CHARS)).filter(|name| !name.is_empty());
    let points = result.and_then(|result| result.points);
    let points = points.map(|points| format!(", {}", plural(points, "point"))).unwrap_or_default();
    let verdict = if result.is_some_and(|result| !result.legal) { ", not legal" } else { "" };
    let words = format!("{}{points}{verdict}", name.unwrap_or_else(|| entry.path.clone()));
    let label = with_accessible_name(ui.label(say(&words)), &format!("{}: {words}", entry.path));
    label.on_hover_text(&entry.path);
    for words in entry.differences.iter().take(MAX_DIFFERENCES) {
        ui.label(RichText::new(say(words.as_str())).color(palette(ui).warning));
    }
    for finding in entry.findings.iter().take(MAX_DIFFERENCES) {
        ui.label(RichText::new(say(finding.message.as_str())).color(palette(ui).error));
    }
}

fn show_action(ui: &mut Ui, action: Option<&FileAction>) {
    match action {
        Some(FileAction::New) => {
            ui.label(say("new"));
        }
        Some(FileAction::Present) => {
            muted_label(ui, "there already");
        }
        Some(FileAction::Renamed(to)) => {
            let name = to.rsplit('/').next().unwrap_or(to);
            let hint = format!("its name is in use, or files of yours would use it, so it becomes {to}");
            ui.label(say(format!("as {name}"))).on_hover_text(say(hint));
        }
        Some(FileAction::Refused(why)) => {
            ui.label(RichText::new(say("left out")).color(palette(ui).warning)).on_hover_text(say(why));
        }
        None => {}
    }
}
