//! A file that another program changed while it is open: a banner, the differences and what can be done.

use std::sync::Arc;

use egui::{ScrollArea, Ui};

use crate::language::say;
use crate::line_diff::{DiffLine, diff_lines};
use crate::panels::dialog_parts::cancel_button;
use crate::theme::palette;
use crate::widgets::{heading, memoized, muted_label, named_button, primary_button, with_accessible_name};
use crate::{Command, Dialog, Doc, DocId, EditorState, PersistenceCommand};

const MAX_LINES: usize = 400;

pub fn show_banner(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc().filter(|doc| doc.disk_change.is_some()) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(palette(ui).warning, "!");
        ui.label(say(change_description(doc)));
        action_buttons(ui, doc, out);
        if doc.disk_change.as_ref().is_some_and(|change| change.text.is_some())
            && named_button(ui, "Compare…", &format!("Compare {} with its file", doc.name()))
        {
            out.push(Command::OpenDialog(Dialog::ChangedOnDisk(doc.id)));
        }
    });
}

pub fn show_dialog(ui: &mut Ui, state: &EditorState, id: DocId, out: &mut Vec<Command>) {
    let Some(doc) = state.find_doc(id) else { return };
    ui.heading(say(format!("The file of {} has changed", doc.name())));
    let Some(change) = &doc.disk_change else {
        ui.label(say("The file matches again: save as usual."));
        out.extend(primary_button(ui, "Close").clicked().then_some(Command::CloseDialog));
        return;
    };
    ui.label(say(change_description(doc)));
    if let Some(text) = &change.text {
        let key = (doc.id, doc.revision, change.hash);
        let lines = memoized(ui.ctx(), "lines that differ", key, || Arc::new(diff_lines(doc.text(), text)));
        muted_label(ui, format!("{}. Lines marked + are yours, lines marked − are in the file.", diff_summary(&lines)));
        diff_lines_view(ui, &lines, MAX_LINES, 300.0);
    }
    ui.horizontal_wrapped(|ui| {
        action_buttons(ui, doc, out);
        out.extend(ui.button(say("Later")).clicked().then_some(Command::CloseDialog));
    });
}

fn change_description(doc: &Doc) -> String {
    let file = doc.path().map(|path| path.display().to_string()).unwrap_or_default();
    match doc.disk_change.as_ref().map(|change| (&change.text, change.hash)) {
        Some((Some(_), _)) if doc.is_changed() => {
            format!("Another program changed {file}, and you have unsaved changes. Neither is lost.")
        }
        Some((Some(_), _)) => format!("Another program changed {file}."),
        Some((None, moldloft_library::store::ContentHash::Absent)) => {
            format!("{file} was removed or renamed. Your version is not lost.")
        }
        _ => format!("{file} can no longer be read. Your version is not lost."),
    }
}

fn action_buttons(ui: &mut Ui, doc: &Doc, out: &mut Vec<Command>) {
    let name = doc.name();
    if let Some(change) = doc.disk_change.as_ref().filter(|change| change.text.is_none()) {
        let (label, accessible) = if change.hash == moldloft_library::store::ContentHash::Absent {
            ("Save it again", format!("Save {name} again"))
        } else {
            ("Replace the file", format!("Replace the file of {name}"))
        };
        if named_button(ui, label, &accessible) {
            out.extend([
                Command::CloseDialog,
                Command::Persistence(PersistenceCommand::KeepOwnVersion(doc.id)),
                Command::Save,
            ]);
        }
    } else {
        let take = ui.button(say("Load from disk")).on_hover_text(say("Undo restores yours"));
        if with_accessible_name(take, &format!("Load {name} from disk")).clicked() {
            out.push(Command::Persistence(PersistenceCommand::TakeDiskVersion(doc.id)));
        }
        let keep = ui.button(say("Keep mine")).on_hover_text(say("The next save replaces the file"));
        if with_accessible_name(keep, &format!("Keep my {name}")).clicked() {
            out.push(Command::Persistence(PersistenceCommand::KeepOwnVersion(doc.id)));
        }
    }
    if named_button(ui, "Save mine as a copy…", &format!("Save my {name} as a copy")) {
        out.push(Command::Persistence(PersistenceCommand::SaveCopy(doc.id)));
    }
}

pub fn diff_summary(lines: &[DiffLine]) -> String {
    let mine = lines.iter().filter(|line| line.in_first).count();
    let word = |n: usize| if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
    format!("{} only in yours, {} only in the file", word(mine), word(lines.len() - mine))
}

pub fn diff_lines_view(ui: &mut Ui, lines: &[DiffLine], most: usize, height: f32) {
    ScrollArea::vertical().id_salt("differing").max_height(height).show(ui, |ui| {
        let palette = palette(ui);
        for line in lines.iter().take(most) {
            let (sign, colour) = if line.in_first { ('+', palette.good) } else { ('−', palette.error) };
            let text: String = line.line.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect();
            ui.colored_label(colour, format!("{sign} {text}"));
        }
        if lines.len() > most {
            muted_label(ui, format!("and {} more", lines.len() - most));
        }
    });
}

pub fn show_confirm_replace(
    ui: &mut Ui,
    path: &std::path::Path,
    hash: moldloft_library::store::ContentHash,
    out: &mut Vec<Command>,
) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.heading(say(format!("{name} already exists")));
    heading(ui, "LOCATION");
    ui.label(path.display().to_string());
    ui.label(say("Replacing it discards its contents."));
    ui.horizontal(|ui| {
        if primary_button(ui, "Choose another name").clicked() {
            out.push(Command::OpenDialog(Dialog::SaveAs { path: path.to_string_lossy().into_owned() }));
        }
        if named_button(ui, "Replace it", &format!("Replace {name}")) {
            out.push(Command::Persistence(PersistenceCommand::ReplaceFile {
                path: path.to_path_buf(),
                expected_hash: hash,
            }));
        }
        cancel_button(ui, out);
    });
}
