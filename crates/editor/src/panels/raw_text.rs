//! The text of a file that cannot be read as a design, with the errors, so that it can be repaired here.

use egui::{Id, RichText, ScrollArea, TextEdit, Ui};

use crate::language::say;
use crate::theme::{bold, palette};
use crate::widgets::{
    card_frame, char_index, muted_label, select_text, with_accessible_name, with_curly_quotes as quoted,
};
use crate::{Command, Doc, EditorState, PersistenceCommand};
use moldloft_base::finding::Finding;

const MAX_FAULTS: usize = 10;

fn text_edit_id(doc: &Doc) -> Id {
    Id::unique(("text of", doc.id.0))
}

/// If it cannot be read, or its text still has the focus after a repair.
pub fn is_wanted(ui: &Ui, state: &EditorState) -> bool {
    state.current_doc().is_some_and(|doc| !doc.is_parsed() || ui.memory(|memory| memory.has_focus(text_edit_id(doc))))
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let edit = text_edit_id(doc);
    // Edited with `\n` only; the file's own line ends are restored.
    let mut text = doc.text().trim_start_matches('\u{feff}').replace("\r\n", "\n");
    card_frame(ui).show(ui, |ui| {
        if doc.is_parsed() {
            ui.label(RichText::new(say("This is a valid design again.")).family(bold()));
            if ui.button(say("Show the form")).clicked() {
                ui.memory_mut(|memory| memory.surrender_focus(edit));
            }
            return;
        }
        let words = "This file cannot be read as a design. It is kept unchanged; fix it here to get the form back.";
        ui.label(RichText::new(words).family(bold()));
        for (place, finding) in doc.findings().iter().take(MAX_FAULTS).enumerate() {
            ui.push_id(place, |ui| fault_row(ui, finding, &text, edit));
        }
    });
    ui.add_space(6.0);
    let label = muted_label(ui, text_label(doc));
    ScrollArea::vertical().id_salt("plain").auto_shrink(false).show(ui, |ui| {
        let field = TextEdit::multiline(&mut text).id(edit).desired_width(f32::INFINITY).desired_rows(24).code_editor();
        let field = ui.add(field).labelled_by(label.id);
        out.extend(field.changed().then(|| Command::Persistence(PersistenceCommand::SetText(text))));
        out.extend(field.lost_focus().then_some(Command::EndMerge));
    });
}

fn text_label(doc: &Doc) -> String {
    match doc.path() {
        Some(path) => format!("Text of {}", path.display()),
        None => "Text of the design".to_owned(),
    }
}

fn fault_row(ui: &mut Ui, finding: &Finding, text: &str, edit: Id) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(palette(ui).error, "!");
        let (line, column) = (finding.at.line, finding.at.column);
        if line > 0 {
            let go = ui.button(say(format!("Line {line}, column {column}")));
            if with_accessible_name(go, &format!("Go to line {line}, column {column}")).clicked() {
                let at = char_index(text, line, column);
                select_text(ui.ctx(), edit, at..at);
                ui.memory_mut(|memory| memory.request_focus(edit));
            }
        }
        ui.label(quoted(&say(&finding.message)));
    });
    if let Some(snippet) = &finding.at.snippet {
        let marked: String = snippet.text.chars().skip(snippet.start).take(snippet.length).collect();
        muted_label(ui, format!("line: {}", snippet.text.trim()));
        if !marked.trim().is_empty() && marked.trim() != snippet.text.trim() {
            muted_label(ui, format!("at: {}", marked.trim()));
        }
    }
    if let Some(help) = &finding.help {
        muted_label(ui, quoted(help));
    }
}
