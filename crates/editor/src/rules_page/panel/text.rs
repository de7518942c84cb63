//! The text of a layer beside its tables, with one undo for both, and the findings in it.

use egui::{Id, ScrollArea, TextEdit, Ui};

use crate::language::say;
use crate::panels::findings::finding_card;
use crate::rules_page::panel::view::PageView;
use crate::rules_page::{RulesPageCommand, RulesSide};
use crate::widgets::{char_index, muted_label, muted_text, select_text, with_accessible_name};
use crate::{Command, PersistenceCommand};
use moldloft_base::finding::Finding;
use moldloft_library::print::plural;

const MAX_FINDINGS: usize = 100;

fn text_id(view: &PageView<'_>) -> Id {
    Id::unique(("text of rules", view.doc.id.0))
}

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let own = own_findings(view).count();
    match own {
        0 => muted_label(ui, "Changes here and in the tables share one undo."),
        count => muted_label(ui, format!("{} in this file, listed under Findings.", plural(count, "finding"))),
    };
    let label = match view.doc.path() {
        Some(path) => format!("Text of {}", path.display()),
        None => "Text of the layer".to_owned(),
    };
    // Edited with `\n` only; the file's own line ends are restored.
    let mut text = view.doc.text().trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let is_fixed = view.doc.is_built_in();
    ScrollArea::both().id_salt("rules text").auto_shrink(false).show(ui, |ui| {
        let field = TextEdit::multiline(&mut text).id(text_id(view)).code_editor().desired_rows(30);
        let field = ui.add(field.desired_width(f32::INFINITY).interactive(!is_fixed));
        let field = with_accessible_name(field, &label);
        out.extend(field.changed().then(|| Command::Persistence(PersistenceCommand::SetText(text.clone()))));
        out.extend(field.lost_focus().then_some(Command::EndMerge));
        bring_to_cell(ui, view, &text, &field);
    });
}

/// The line of a newly selected cell is scrolled to.
fn bring_to_cell(ui: &Ui, view: &PageView<'_>, text: &str, field: &egui::Response) {
    let key = text_id(view).with("shown");
    let last = ui.data(|data| data.get_temp(key));
    if last.as_ref() == view.page.cell.as_ref() || field.has_focus() {
        return;
    }
    let Some(id) = &view.page.cell else { return };
    ui.data_mut(|data| data.insert_temp(key, id.clone()));
    let grid = view.open.book.grid(&id.grid);
    let cell = grid.and_then(|grid| grid.row(&id.row)?.cells.get(grid.column(&id.column)?));
    let own = view.open.sources.len() - 1;
    let Some(span) = cell.and_then(|cell| cell.span).filter(|span| usize::from(span.file) == own) else { return };
    let (line, _) = view.open.own_source().line_column(span.start);
    let lines = text.lines().count().max(1) as f32;
    let rect = field.rect;
    let y = rect.top() + rect.height() * (line as f32 - 0.5) / lines.max(30.0);
    let target = egui::Rect::from_min_size(egui::pos2(rect.left(), y), egui::vec2(10.0, 20.0));
    ui.scroll_to_rect(target, Some(egui::Align::Center));
}

fn own_findings<'v>(view: &'v PageView<'_>) -> impl Iterator<Item = &'v Finding> {
    let file = view.open.own_source().file.clone();
    view.open.findings.iter().filter(move |finding| finding.at.file.as_deref() == Some(&*file))
}

pub fn show_findings(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    if view.open.findings.is_empty() {
        muted_label(ui, "No findings in these rules.");
        return;
    }
    if view.open.is_layer() {
        muted_text(ui, "A change with an error is not in force; everything else is.");
    }
    ScrollArea::vertical().id_salt("rules findings").auto_shrink(false).show(ui, |ui| {
        for (n, finding) in view.open.findings.iter().take(MAX_FINDINGS).enumerate() {
            ui.push_id(n, |ui| finding_row(ui, view, finding, out));
            ui.separator();
        }
        let more = view.open.findings.len().saturating_sub(MAX_FINDINGS);
        if more > 0 {
            muted_label(ui, format!("and {more} more"));
        }
    });
}

fn finding_row(ui: &mut Ui, view: &PageView<'_>, finding: &Finding, out: &mut Vec<Command>) {
    finding_card(ui, finding, |ui| {
        let is_own = finding.at.file.as_deref() == Some(&*view.open.own_source().file);
        let (line, column) = (finding.at.line, finding.at.column);
        if is_own && line > 0 {
            let go = ui.small_button(say(format!("Line {line}")));
            if with_accessible_name(go, &format!("Go to line {line}, column {column}")).clicked() {
                show_in_text(ui, view, line, column);
                out.push(Command::RulesPage(RulesPageCommand::ShowLine(line)));
                out.push(Command::RulesPage(RulesPageCommand::ShowSide(RulesSide::Text)));
            }
        } else if let Some(file) = &finding.at.file {
            muted_label(ui, format!("{file}:{line}"));
        }
    });
}

fn show_in_text(ui: &Ui, view: &PageView<'_>, line: u32, column: u32) {
    let text = view.doc.text().trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (id, at) = (text_id(view), char_index(&text, line, column));
    select_text(ui.ctx(), id, at..at);
    ui.memory_mut(|memory| memory.request_focus(id));
}
