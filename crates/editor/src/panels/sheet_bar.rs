//! The controls above the sheet: sheet or odds, pages, paper, zoom; in a low window, and where the row is narrow, one menu of them.

use egui::{ComboBox, PopupCloseBehavior, Ui};

use crate::language::{say, tell};
use crate::preview::{PreviewChange, PreviewMode, Zoom};
use crate::widgets::{choice_list, named_button, with_accessible_name};
use crate::{Command, Dialog, EditorState};
use moldloft_sheet::sheet::Paper;

const TRUE_SIZE: Zoom = Zoom::Percent(100.0);
/// Of the lists of pages, papers and sizes, and the buttons of the zoom.
const LISTS_WIDTH: f32 = 320.0;

/// `has_switch`: with the buttons that choose between sheet and odds.
pub fn show(ui: &mut Ui, state: &EditorState, has_switch: bool, out: &mut Vec<Command>) {
    let choice = &state.settings.sheet;
    let mut changes = Vec::new();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if has_switch {
            crate::odds_page::panel::page_switch(ui, state, out);
            ui.add_space(4.0);
        }
        if ui.available_width() < LISTS_WIDTH {
            let words = format!("{}, {}", say(choice.view.name()), choice.paper.name());
            menu(ui, state, Some(words), &mut changes, out);
            zoom_buttons(ui, |_| {}, &mut changes);
            return;
        }
        let view = ComboBox::from_id_salt("sheet view").width(86.0).truncate().selected_text(say(choice.view.name()));
        let views = PreviewMode::ALL.map(|view| (view, view.name()));
        let name = format!("Pages shown: {}", choice.view.name());
        changes.extend(choice_list(ui, view, &name, choice.view, views).map(PreviewChange::View));
        let name = choice.paper.name();
        let more = [choice.grey.then(|| say("grey")), choice.large_print.then(|| say("large"))];
        let words = std::iter::once(name.to_string()).chain(more.into_iter().flatten());
        let words = words.collect::<Vec<_>>().join(", ");
        let list = ComboBox::from_id_salt("sheet paper").width(56.0).truncate().height(400.0).selected_text(&words);
        let list = list.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let paper = list.show_ui(ui, |ui| paper_inputs(ui, state, &mut changes));
        with_accessible_name(paper.response, &tell("{1}: {2}", &[&say("Paper"), &words]));
        ui.add_space(4.0);
        let mut zoom = Vec::new();
        zoom_buttons(ui, |ui| zoom_inputs(ui, state, &mut zoom, out), &mut changes);
        changes.extend(zoom);
    });
    out.extend(changes.into_iter().map(Command::Preview));
}

/// Smaller and larger, and what is between them.
fn zoom_buttons(ui: &mut Ui, between: impl FnOnce(&mut Ui), changes: &mut Vec<PreviewChange>) {
    if named_button(ui, "−", "Zoom sheet out") {
        changes.push(PreviewChange::Step { larger: false });
    }
    between(ui);
    if named_button(ui, "+", "Zoom sheet in") {
        changes.push(PreviewChange::Step { larger: true });
    }
}

/// All of it in one menu, for a row that has other things too.
pub fn show_menu(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let mut changes = Vec::new();
    menu(ui, state, None, &mut changes, out);
    out.extend(changes.into_iter().map(Command::Preview));
}

/// `beside`: what it says where the buttons of the zoom are beside it.
fn menu(
    ui: &mut Ui,
    state: &EditorState,
    beside: Option<String>,
    changes: &mut Vec<PreviewChange>,
    out: &mut Vec<Command>,
) {
    let choice = &state.settings.sheet;
    let has_buttons = beside.is_none();
    let list = ComboBox::from_id_salt("sheet menu").width(56.0).height(420.0);
    let list = list.selected_text(beside.unwrap_or_else(|| say("View")));
    let list = list.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let menu = list.show_ui(ui, |ui| {
        for view in PreviewMode::ALL {
            if ui.radio(choice.view == view, say(view.name())).clicked() {
                changes.push(PreviewChange::View(view));
            }
        }
        ui.separator();
        ui.horizontal(|ui| {
            if has_buttons {
                zoom_buttons(ui, |_| {}, changes);
            }
            ui.label(say(zoom_name(state)));
        });
        for (name, to) in [("Fit width", Zoom::FitWidth), ("Fit page", Zoom::FitPage), ("True size", TRUE_SIZE)] {
            if ui.radio(choice.zoom == to, say(name)).clicked() {
                changes.push(PreviewChange::Zoom(to));
            }
        }
        out.extend(ui.button(say("Calibrate screen…")).clicked().then(|| Command::OpenDialog(Dialog::Calibrate)));
        ui.separator();
        paper_inputs(ui, state, changes);
    });
    let words = format!("View of the sheet: {}, {}, {}", choice.view.name(), choice.paper.name(), zoom_name(state));
    with_accessible_name(menu.response, &words).on_hover_text(say(words));
}

fn zoom_name(state: &EditorState) -> String {
    match state.settings.sheet.zoom {
        Zoom::FitWidth => "Fit width".to_owned(),
        Zoom::FitPage => "Fit page".to_owned(),
        Zoom::Percent(_) => format!("{:.0} %", state.preview.percent()),
    }
}

fn paper_inputs(ui: &mut Ui, state: &EditorState, changes: &mut Vec<PreviewChange>) {
    let choice = &state.settings.sheet;
    ui.set_min_width(180.0);
    // A custom size comes from the print dialog.
    let own = Some(choice.paper).filter(|paper| !Paper::ALL.contains(paper));
    for paper in Paper::ALL.into_iter().chain(own) {
        if ui.radio(choice.paper == paper, paper.name()).clicked() {
            changes.push(PreviewChange::Paper(paper));
        }
    }
    ui.separator();
    let (mut grey, mut large) = (choice.grey, choice.large_print);
    if ui.checkbox(&mut grey, say("Greyscale")).clicked() {
        changes.push(PreviewChange::Grey(grey));
    }
    if ui.checkbox(&mut large, say("Large print")).clicked() {
        changes.push(PreviewChange::LargePrint(large));
    }
    let Some(ship) = state.current_doc().and_then(|doc| doc.shown_ship()) else { return };
    if !matches!(choice.view, PreviewMode::Sheet | PreviewMode::Empty) || ship.sheets().nth(1).is_none() {
        return;
    }
    let wanted = choice.sheets.get(&*ship.ruleset.id);
    let now = wanted.and_then(|id| ship.sheets().find(|sheet| *sheet.id == **id));
    let name = |sheet: &moldloft_rules::ruleset::SheetDef| {
        if sheet.label.is_empty() { sheet.id.replace('-', " ") } else { sheet.label.to_string() }
    };
    let ruleset = || ship.ruleset.id.to_string();
    let own = ship.sheets().next().map_or_else(String::new, name);
    ui.separator();
    if ui.radio(now.is_none(), say(format!("automatic: {own}"))).clicked() {
        changes.push(PreviewChange::Sheet { ruleset: ruleset(), sheet: None });
    }
    for sheet in ship.sheets() {
        if ui.radio(now.is_some_and(|now| now.id == sheet.id), say(name(sheet))).clicked() {
            changes.push(PreviewChange::Sheet { ruleset: ruleset(), sheet: Some(sheet.id.to_string()) });
        }
    }
}

fn zoom_inputs(ui: &mut Ui, state: &EditorState, changes: &mut Vec<PreviewChange>, out: &mut Vec<Command>) {
    let zoom = state.settings.sheet.zoom;
    let shown = zoom_name(state);
    let list = ComboBox::from_id_salt("sheet zoom").width(86.0).truncate().height(520.0).selected_text(say(&shown));
    let list = list.show_ui(ui, |ui| {
        for (name, to) in [("Fit width", Zoom::FitWidth), ("Fit page", Zoom::FitPage)] {
            if ui.selectable_label(zoom == to, say(name)).clicked() {
                changes.push(PreviewChange::Zoom(to));
            }
        }
        if ui.selectable_label(zoom == TRUE_SIZE, say("True size")).clicked() {
            changes.push(PreviewChange::Zoom(TRUE_SIZE));
        }
        ui.separator();
        for to in [25.0, 50.0, 75.0, 125.0, 150.0, 200.0, 300.0, 400.0] {
            if ui.selectable_label(zoom == Zoom::Percent(to), format!("{to:.0} %")).clicked() {
                changes.push(PreviewChange::Zoom(Zoom::Percent(to)));
            }
        }
        ui.separator();
        if ui.selectable_label(false, say("Calibrate screen…")).clicked() {
            out.push(Command::OpenDialog(Dialog::Calibrate));
        }
    });
    with_accessible_name(list.response, &format!("Sheet zoom: {shown}"));
}
