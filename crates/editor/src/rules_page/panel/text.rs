//! The text of a layer beside its tables, with one undo for both, and the findings in it.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Id, Label, RichText, ScrollArea, TextEdit, Ui};

use crate::panels::findings::{severity_colour, severity_icon, severity_label};
use crate::rules_page::{RulesPageCommand, RulesSide};
use crate::widgets::{muted_label, muted_text, with_accessible_name, with_curly_quotes};
use crate::{Command, PersistenceCommand};
use moldloft_base::finding::Finding;
use moldloft_library::print::plural;

use crate::rules_page::panel::view::PageView;

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
        if field.changed() {
            out.push(Command::Persistence(PersistenceCommand::SetText(text.clone())));
        }
        if field.lost_focus() {
            out.push(Command::EndMerge);
        }
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
    ui.horizontal_top(|ui| {
        severity_icon(ui, finding.severity);
        ui.vertical(|ui| {
            let message = format!("{}: {}", severity_label(finding.severity), finding.message);
            let text = RichText::new(with_curly_quotes(&message)).color(severity_colour(ui, finding.severity));
            ui.add(Label::new(text).wrap());
            if let Some(help) = &finding.help {
                muted_text(ui, with_curly_quotes(help));
            }
            if let Some(snippet) = &finding.at.snippet {
                ui.add(Label::new(RichText::new(snippet.text.trim()).monospace()).wrap());
            }
            let is_own = finding.at.file.as_deref() == Some(&*view.open.own_source().file);
            let (line, column) = (finding.at.line, finding.at.column);
            ui.horizontal_wrapped(|ui| {
                if is_own && line > 0 {
                    let go = ui.small_button(format!("Line {line}"));
                    if with_accessible_name(go, &format!("Go to line {line}, column {column}")).clicked() {
                        show_in_text(ui, view, line, column);
                        out.push(Command::RulesPage(RulesPageCommand::ShowLine(line)));
                        out.push(Command::RulesPage(RulesPageCommand::ShowSide(RulesSide::Text)));
                    }
                } else if let Some(file) = &finding.at.file {
                    muted_label(ui, format!("{file}:{line}"));
                }
                muted_label(ui, &*finding.code);
            });
        });
    });
}

fn show_in_text(ui: &Ui, view: &PageView<'_>, line: u32, column: u32) {
    let text = view.doc.text().trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let before: usize = text.split_inclusive('\n').take(line as usize - 1).map(|line| line.chars().count()).sum();
    let at = CCursor::new(before + column.max(1) as usize - 1);
    let id = text_id(view);
    let mut edit = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    edit.cursor.set_char_range(Some(CCursorRange::one(at)));
    edit.store(ui.ctx(), id);
    ui.memory_mut(|memory| memory.request_focus(id));
}
