//! The controls above the sheet: which pages, on which paper, how large.

use egui::{Button, ComboBox, Ui};

use crate::editor::preview::{Change, Paper, View, Zoom};
use crate::editor::widgets::named;
use crate::editor::{Command, Dialog, State};

/// Shows them.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let choice = &state.settings.sheet;
    let mut changes = Vec::new();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let view = ComboBox::from_id_salt("sheet view").width(96.0).selected_text(choice.view.name());
        let view = view.show_ui(ui, |ui| {
            for view in View::ALL {
                if ui.selectable_label(choice.view == view, view.name()).clicked() {
                    changes.push(Change::View(view));
                }
            }
        });
        named(view.response, &format!("Pages shown: {}", choice.view.name()));
        let paper = ComboBox::from_id_salt("sheet paper").width(64.0).selected_text(choice.paper.name());
        let paper = paper.show_ui(ui, |ui| {
            for paper in Paper::ALL {
                if ui.selectable_label(choice.paper == paper, paper.name()).clicked() {
                    changes.push(Change::Paper(paper));
                }
            }
        });
        named(paper.response, &format!("Paper: {}", choice.paper.name()));
        sheets(ui, state, &mut changes);
        if ui.add(Button::selectable(choice.grey, "Grey")).on_hover_text("Colours as greys").clicked() {
            changes.push(Change::Grey(!choice.grey));
        }
        let large = ui.add(Button::selectable(choice.large_print, "Large print"));
        if large.on_hover_text("Every box and letter 1.3 times as large").clicked() {
            changes.push(Change::LargePrint(!choice.large_print));
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if named(ui.button("−"), "Sheet smaller").clicked() {
            changes.push(Change::Step { larger: false });
        }
        zoom(ui, state, &mut changes, out);
        if named(ui.button("+"), "Sheet larger").clicked() {
            changes.push(Change::Step { larger: true });
        }
    });
    out.extend(changes.into_iter().map(Command::Sheet));
}

/// Which of the ruleset's sheets, where the design can be printed on several.
fn sheets(ui: &mut Ui, state: &State, changes: &mut Vec<Change>) {
    let choice = &state.settings.sheet;
    let Some(ship) = state.doc().and_then(|doc| doc.evaluation()) else { return };
    if !matches!(choice.view, View::Sheet | View::Empty) || ship.sheets().nth(1).is_none() {
        return;
    }
    let wanted = choice.sheets.get(&*ship.ruleset.id);
    let now = wanted.and_then(|id| ship.sheets().find(|sheet| *sheet.id == **id));
    let name = |sheet: &crate::ruleset::Sheet| {
        if sheet.label.is_empty() { sheet.id.replace('-', " ") } else { sheet.label.to_string() }
    };
    let own = ship.sheets().next().map_or_else(String::new, name);
    let shown = now.map_or_else(|| own.clone(), name);
    let list = ComboBox::from_id_salt("sheet template").width(120.0).selected_text(&shown).truncate();
    let list = list.show_ui(ui, |ui| {
        let ruleset = || ship.ruleset.id.to_string();
        if ui.selectable_label(now.is_none(), format!("As the rules choose: {own}")).clicked() {
            changes.push(Change::Sheet { ruleset: ruleset(), sheet: None });
        }
        for sheet in ship.sheets() {
            let is_now = now.is_some_and(|now| now.id == sheet.id);
            if ui.selectable_label(is_now, name(sheet)).clicked() {
                changes.push(Change::Sheet { ruleset: ruleset(), sheet: Some(sheet.id.to_string()) });
            }
        }
    });
    named(list.response, &format!("Template: {shown}"));
}

fn zoom(ui: &mut Ui, state: &State, changes: &mut Vec<Change>, out: &mut Vec<Command>) {
    let zoom = state.settings.sheet.zoom;
    let percent = state.preview.percent();
    let shown = match zoom {
        Zoom::FitWidth => "Fit width".to_owned(),
        Zoom::FitPage => "Fit page".to_owned(),
        Zoom::Percent(_) => format!("{percent:.0} %"),
    };
    let list = ComboBox::from_id_salt("sheet zoom").width(96.0).height(400.0).selected_text(&shown);
    let list = list.show_ui(ui, |ui| {
        for (name, to) in [("Fit width", Zoom::FitWidth), ("Fit page", Zoom::FitPage)] {
            if ui.selectable_label(zoom == to, name).clicked() {
                changes.push(Change::Zoom(to));
            }
        }
        if ui.selectable_label(zoom == Zoom::Percent(100.0), "True size").clicked() {
            changes.push(Change::Zoom(Zoom::Percent(100.0)));
        }
        ui.separator();
        for to in [25.0, 50.0, 75.0, 125.0, 150.0, 200.0, 300.0, 400.0] {
            if ui.selectable_label(zoom == Zoom::Percent(to), format!("{to:.0} %")).clicked() {
                changes.push(Change::Zoom(Zoom::Percent(to)));
            }
        }
        ui.separator();
        if ui.selectable_label(false, "Measure this screen…").clicked() {
            out.push(Command::Ask(Dialog::Calibrate));
        }
    });
    named(list.response, &format!("Size of the sheet: {shown}"));
}
