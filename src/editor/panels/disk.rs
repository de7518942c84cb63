//! A file that another program changed while it is open: says so over the design, shows what differs, offers what can be done.

use egui::{ScrollArea, Ui};

use crate::editor::lines::{Differing, differing};
use crate::editor::theme::palette;
use crate::editor::widgets::{heading, named, primary, quiet};
use crate::editor::{Command, Dialog, Doc, DocId, Keeping, State};

/// Lines shown of what differs.
const MOST_LINES: usize = 400;

/// Shows it over the design before the player.
pub fn banner(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc().filter(|doc| doc.theirs.is_some()) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(palette(ui).warning, "!");
        ui.label(what(doc));
        choices(ui, doc, out);
        if doc.theirs.as_ref().is_some_and(|theirs| theirs.text.is_some())
            && named(ui.button("Compare…"), &format!("Compare {} with its file", doc.name())).clicked()
        {
            out.push(Command::Ask(Dialog::OnDisk(doc.id)));
        }
    });
}

/// Shows it as a dialog, with what differs.
pub fn dialog(ui: &mut Ui, state: &State, id: DocId, out: &mut Vec<Command>) {
    let Some(doc) = state.doc_of(id) else { return };
    ui.heading(format!("The file of {} has changed", doc.name()));
    let Some(theirs) = &doc.theirs else {
        ui.label("The file matches again: save as usual.");
        if primary(ui, "Close").clicked() {
            out.push(Command::Dismiss);
        }
        return;
    };
    ui.label(what(doc));
    if let Some(text) = &theirs.text {
        let lines = differing(doc.text(), text);
        quiet(ui, format!("{}. Lines marked + are yours, lines marked − are in the file.", counted(&lines)));
        lines_of(ui, &lines, MOST_LINES, 300.0);
    }
    ui.horizontal_wrapped(|ui| {
        choices(ui, doc, out);
        if ui.button("Later").clicked() {
            out.push(Command::Dismiss);
        }
    });
}

fn what(doc: &Doc) -> String {
    let file = doc.path().map(|path| path.display().to_string()).unwrap_or_default();
    match doc.theirs.as_ref().map(|theirs| (&theirs.text, theirs.seal)) {
        Some((Some(_), _)) if doc.is_changed() => {
            format!("Another program changed {file}, and you have unsaved changes. Neither is lost.")
        }
        Some((Some(_), _)) => format!("Another program changed {file}."),
        Some((None, crate::store::Seal::Absent)) => format!("{file} was removed or renamed. Your version is not lost."),
        _ => format!("{file} can no longer be read. Your version is not lost."),
    }
}

fn choices(ui: &mut Ui, doc: &Doc, out: &mut Vec<Command>) {
    let name = doc.name();
    if let Some(theirs) = doc.theirs.as_ref().filter(|theirs| theirs.text.is_none()) {
        let (words, said) = if theirs.seal == crate::store::Seal::Absent {
            ("Save it again", format!("Save {name} again"))
        } else {
            ("Replace the file", format!("Replace the file of {name}"))
        };
        if named(ui.button(words), &said).clicked() {
            out.extend([Command::Dismiss, Command::Keep(Keeping::KeepMine(doc.id)), Command::Save]);
        }
    } else {
        let take = ui.button("Load from disk").on_hover_text("Undo restores yours");
        if named(take, &format!("Load {name} from disk")).clicked() {
            out.push(Command::Keep(Keeping::TakeTheirs(doc.id)));
        }
        let keep = ui.button("Keep mine").on_hover_text("The next save replaces the file");
        if named(keep, &format!("Keep my {name}")).clicked() {
            out.push(Command::Keep(Keeping::KeepMine(doc.id)));
        }
    }
    if named(ui.button("Save mine as a copy…"), &format!("Save my {name} as a copy")).clicked() {
        out.push(Command::Keep(Keeping::SaveCopy(doc.id)));
    }
}

/// How many lines only one side has.
pub fn counted(lines: &[Differing]) -> String {
    let mine = lines.iter().filter(|line| line.first).count();
    let word = |n: usize| if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
    format!("{} only in yours, {} only in the file", word(mine), word(lines.len() - mine))
}

/// The lines that differ, each with its sign.
pub fn lines_of(ui: &mut Ui, lines: &[Differing], most: usize, height: f32) {
    ScrollArea::vertical().id_salt("differing").max_height(height).show(ui, |ui| {
        let palette = palette(ui);
        for line in lines.iter().take(most) {
            let (sign, colour) = if line.first { ('+', palette.good) } else { ('−', palette.error) };
            let text: String = line.line.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect();
            ui.colored_label(colour, format!("{sign} {text}"));
        }
        if lines.len() > most {
            quiet(ui, format!("and {} more", lines.len() - most));
        }
    });
}

/// Asks before a file is replaced that has nothing to do with this design.
pub fn replace(ui: &mut Ui, path: &std::path::Path, seal: crate::store::Seal, out: &mut Vec<Command>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.heading(format!("{name} already exists"));
    heading(ui, "LOCATION");
    ui.label(path.display().to_string());
    ui.label("Replacing it discards its contents.");
    ui.horizontal(|ui| {
        if primary(ui, "Choose another name").clicked() {
            out.push(Command::Ask(Dialog::SaveAs { path: path.to_string_lossy().into_owned() }));
        }
        if named(ui.button("Replace it"), &format!("Replace {name}")).clicked() {
            out.push(Command::Keep(Keeping::Replace { path: path.to_path_buf(), seal }));
        }
        if ui.button("Cancel").clicked() {
            out.push(Command::Dismiss);
        }
    });
}
