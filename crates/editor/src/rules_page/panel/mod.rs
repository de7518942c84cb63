//! The page of a ruleset or layer: the list of tables on the left, a table with the selected cell in the middle, impact,
//! text and findings on the right.

pub mod add_row;
mod cell_bar;
mod completion;
pub mod dialogs;
mod grid;
mod headline;
mod impact;
mod list_cells;
mod nav;
mod sentence_row;
mod sheets;
mod table_cells;
mod text;
mod view;
mod words;

use egui::{Button, CentralPanel, Panel, ScrollArea, Ui};

use crate::language::say;
use crate::regions::{self, Region};
use crate::rules_page::{RulesPage, RulesPageCommand, RulesSide};
use crate::widgets::with_accessible_name;
use crate::{Command, EditorState, Pane};

use view::PageView;

/// In points; below this, one part at a time is shown.
const MIN_WIDE: f32 = 980.0;
/// In points; below this, the list of tables is narrow, so that the first numbers of a table are in sight.
const MIN_ROOMY: f32 = 1100.0;
const MIN_TABLE_WIDTH: f32 = 520.0;
const SMALL_NAV_WIDTH: f32 = 180.0;
const NAV_WIDTH: f32 = 216.0;
const CELL_HEIGHT: f32 = 190.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let empty = RulesPage::default();
    let Some(view) = PageView::new(state, &empty) else { return };
    let is_narrow = ui.available_width() < MIN_WIDE;
    Panel::top("rules headline").show(ui, |ui| headline::show(ui, &view, out));
    if is_narrow {
        return narrow(ui, &view, out);
    }
    let nav_width = if ui.available_width() < MIN_ROOMY { SMALL_NAV_WIDTH } else { NAV_WIDTH };
    Panel::left("rules tables").exact_size(nav_width).show(ui, |ui| {
        regions::begin_region(ui, Region::Library);
        nav::show(ui, &view, out);
    });
    let most = (ui.available_width() - MIN_TABLE_WIDTH).max(300.0);
    let usual = (ui.available_width() * 0.4).clamp(300.0, 640.0);
    Panel::right("rules side").default_size(usual).size_range(300.0..=most).show(ui, |ui| {
        regions::begin_region(ui, Region::Inspector);
        side(ui, &view, out);
    });
    middle(ui, &view, out);
}

fn narrow(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let pane = view.state.pane;
    Panel::top("rules panes").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for (one, name) in [(Pane::Sheet, "List"), (Pane::Form, "Table"), (Pane::Inspector, "Impact and text")] {
                let button = ui.add(Button::selectable(pane == one, say(name)));
                if with_accessible_name(button, &format!("Show {}", name.to_lowercase())).clicked() {
                    out.push(Command::ShowPane(one));
                }
            }
        });
    });
    match pane {
        Pane::Form => middle(ui, view, out),
        Pane::Sheet => {
            CentralPanel::default().show(ui, |ui| nav::show(ui, view, out));
        }
        Pane::Inspector => {
            CentralPanel::default().show(ui, |ui| side(ui, view, out));
        }
    }
}

fn middle(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    if let Some(sheets) = &view.page.sheets {
        CentralPanel::default().show(ui, |ui| {
            regions::begin_region(ui, Region::Sheet);
            sheets::show(ui, view, sheets, out);
        });
        return;
    }
    // Its height never changes, so that the table above does not move.
    let height = (ui.available_height() * 0.45).min(CELL_HEIGHT);
    Panel::bottom("rules cell").resizable(false).exact_size(height).show(ui, |ui| {
        regions::begin_region(ui, Region::Sheet);
        ScrollArea::vertical().id_salt("rules cell").auto_shrink(false).show(ui, |ui| {
            cell_bar::show(ui, view, out);
        });
    });
    CentralPanel::default().show(ui, |ui| {
        regions::begin_region(ui, Region::Form);
        grid::show(ui, view, out);
    });
}

fn side(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let findings = view.open.findings.len();
    let found = if findings == 0 { "Findings".to_owned() } else { format!("Findings ({findings})") };
    ui.horizontal_wrapped(|ui| {
        for (side, name) in [
            (RulesSide::Impact, "Impact".to_owned()),
            (RulesSide::Text, "Text".to_owned()),
            (RulesSide::Findings, found),
        ] {
            if ui.add(Button::selectable(view.page.side == side, say(name))).clicked() {
                out.push(Command::RulesPage(RulesPageCommand::ShowSide(side)));
            }
        }
    });
    ui.separator();
    let salt = ("rules side", view.doc.id.0, view.page.side as u8);
    ui.push_id(salt, |ui| match view.page.side {
        RulesSide::Impact => impact::show(ui, view, out),
        RulesSide::Text => text::show(ui, view, out),
        RulesSide::Findings => text::show_findings(ui, view, out),
    });
}
