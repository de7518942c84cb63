//! The page of a design or fleet: library on the left, headline and form in the middle, sheet or odds and inspector on
//! the right.

use egui::{
    Align, Button, CentralPanel, Color32, Context, Frame, Id, Layout, Panel, Response, ScrollArea, Sense, TextStyle,
    Ui, UiBuilder, vec2,
};

use crate::compare_page::model::CompareCommand;
use crate::fleet::panel as fleet_panel;
use crate::icons::Icon;
use crate::language::say;
use crate::library_browser::panel as library_panel;
use crate::model::settings::PanelSizes;
use crate::odds_page::panel as odds_panel;
use crate::panels::design_view::DesignView;
use crate::panels::{
    custom_systems, dragged, explain, fields, findings, headline, mounts, preview, raw_text, rules, sheet_bar,
};
use crate::printing::PrintCommand;
use crate::regions::{self, Region};
use crate::suggest::panel as suggest_panel;
use crate::widgets::{keep_in_sight, primary_icon_button, with_accessible_name};
use crate::{Command, EditorState, FormTarget, InspectorTab, Pane, RightPage};
use moldloft_library::print::PrintKind;

/// In points.
const MIN_INSPECTOR_HEIGHT: f32 = 120.0;
/// The tabs and buttons below it, in points.
const FOOT_ROWS: f32 = 60.0;
/// From this width on, they have one row.
const ONE_FOOT_ROW: f32 = 560.0;
/// In points; a smaller area is scrolled.
const MIN_SIZE: egui::Vec2 = vec2(340.0, 240.0);

/// In points.
const MIN_FORM_WIDTH: f32 = 400.0;
const MIN_TABLE_WIDTH: f32 = 640.0;
/// In points: of a fleet's table with all its columns.
const GOOD_TABLE_WIDTH: f32 = 1120.0;
/// In points.
const MIN_SHEET_WIDTH: f32 = 280.0;
const MIN_LIBRARY_WIDTH: f32 = 180.0;
/// In points; the sheet takes no more of a wide window.
const MAX_SHEET_WIDTH: f32 = 900.0;
/// In points: of a form with two columns of mounts. What is left is the sheet's until its border is dragged.
const GOOD_FORM_WIDTH: f32 = 610.0;
const GOOD_SHEET_WIDTH: f32 = 460.0;
/// In points; from this width on, the sheet has its own half of the window and the inspector is below the form.
const WIDE_WINDOW: f32 = 1600.0;
/// In points; the overlay at the foot of the page must not hide the last rows for good.
const FOOT_MARGIN: f32 = 72.0;
/// In points; in a page that is lower, as with large letters on a small screen, the headline and the controls of the sheet
/// have one row each, and sheet and inspector take turns.
const LOW_PAGE: f32 = 480.0;
/// In points: the width that a low page has besides before it shows the library.
const LOW_PAGE_MARGIN: f32 = 160.0;

const FINDINGS_AND_RULES: &str = "Show findings and rules";

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    if let Some(ship) = DesignView::new(state) {
        dragged::show_ghost(ui, &ship);
    }
    let room = ui.available_size();
    if room.x >= MIN_SIZE.x && room.y >= MIN_SIZE.y {
        return wide_layout(ui, state, out);
    }
    ScrollArea::both().id_salt("design").auto_shrink(false).show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(room.max(MIN_SIZE), Sense::hover());
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| wide_layout(ui, state, out));
    });
}

fn wide_layout(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let sizes = state.settings.panels;
    // In a narrow window the library goes first, then one part at a time is shown.
    let (room, high) = (ui.available_width(), ui.available_height());
    let is_fleet = state.shows_fleet();
    let least = if is_fleet { MIN_TABLE_WIDTH } else { MIN_FORM_WIDTH };
    if room < least + MIN_SHEET_WIDTH + 20.0 {
        return narrow_layout(ui, state, is_fleet, out);
    }
    // Beside a guide there is room for the design alone.
    let has_guide = state.current_doc().is_some_and(|doc| state.guides.is_open(doc.id));
    let is_low = high < LOW_PAGE;
    let margin = if is_low { LOW_PAGE_MARGIN } else { 0.0 };
    let sheet = if is_fleet { MIN_SHEET_WIDTH } else { GOOD_SHEET_WIDTH };
    let most = room - least - sheet - margin;
    if state.settings.library && !has_guide && most >= MIN_LIBRARY_WIDTH {
        let panel = Panel::left("library").default_size(sizes.library as f32);
        let shown = panel.size_range(160.0..=(most + margin).clamp(160.0, 320.0)).show(ui, |ui| {
            regions::begin_region(ui, Region::Library);
            library_panel::show(ui, state, out);
        });
        record_size(ui, "library", shown.response.rect.width());
    }
    if room >= WIDE_WINDOW {
        return roomy_layout(ui, state, is_fleet, (room, least), out);
    }
    let left = ui.available_width();
    let most = (left - least).clamp(MIN_SHEET_WIDTH, MAX_SHEET_WIDTH);
    let own = (left - GOOD_FORM_WIDTH).max(GOOD_SHEET_WIDTH).min(most);
    right_panel(ui, "sheet", sizes.sheet, own, most, |ui| {
        if is_low {
            return page_or_inspector(ui, state, out);
        }
        inspector_panel(ui, state, high, out);
        CentralPanel::default().show(ui, |ui| {
            regions::begin_region(ui, Region::Sheet);
            right_page(ui, state, true, out);
        });
    });
    form_column(ui, state, is_fleet, out);
}

/// As wide as it was dragged to, or else `own`.
fn right_panel(ui: &mut Ui, part: &str, dragged: u32, own: f32, most: f32, add: impl FnOnce(&mut Ui)) {
    let size = if dragged == 0 { own } else { dragged as f32 };
    let panel = Panel::right(part.to_owned()).default_size(size.min(most)).size_range(MIN_SHEET_WIDTH..=most);
    let shown = panel.show(ui, |ui| {
        // What needs more is cut: no page makes the panel wider.
        let rect = ui.available_rect_before_wrap();
        add(&mut ui.new_child(UiBuilder::new().max_rect(rect)));
        ui.advance_cursor_after_rect(rect);
    });
    let width = shown.response.rect.width();
    record_dragged(ui, part, width, own);
}

/// The sheet has its own column of the whole height, half of the window, or what a fleet's table leaves, until the border is dragged.
fn roomy_layout(ui: &mut Ui, state: &EditorState, is_fleet: bool, (room, least): (f32, f32), out: &mut Vec<Command>) {
    let left = ui.available_width();
    let most = (left - least).max(MIN_SHEET_WIDTH);
    let table = if is_fleet { GOOD_TABLE_WIDTH } else { 0.0 };
    let own = (room / 2.0).round().min((left - table).max(GOOD_SHEET_WIDTH));
    right_panel(ui, "wide sheet", state.settings.panels.wide_sheet, own, most, |ui| {
        regions::begin_region(ui, Region::Sheet);
        right_page(ui, state, true, out);
    });
    let high = ui.available_height();
    inspector_panel(ui, state, high, out);
    form_column(ui, state, is_fleet, out);
}

/// The tabs stay at the foot; what they show is above them, a line as long as there are no findings.
fn inspector_panel(ui: &mut Ui, state: &EditorState, high: f32, out: &mut Vec<Command>) {
    Panel::bottom("inspector tabs").show(ui, |ui| {
        // Without findings there is nothing above them that could have the focus.
        regions::begin_region(ui, if has_content(state) { Region::InspectorTabs } else { Region::Inspector });
        let is_wide = ui.available_width() >= ONE_FOOT_ROW;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            inspector_tabs(ui, state, out);
            if is_wide {
                print_buttons(ui, out);
            }
        });
        if !is_wide {
            print_buttons(ui, out);
        }
    });
    let most = (high * 0.6).clamp(MIN_INSPECTOR_HEIGHT, 600.0);
    // In a low window the sheet above keeps its share.
    let own = (high * 0.34 - FOOT_ROWS).max(MIN_INSPECTOR_HEIGHT - FOOT_ROWS).round();
    let size = match state.settings.panels.inspector {
        0 => own,
        dragged => (dragged as f32).min((high * 0.4).max(MIN_INSPECTOR_HEIGHT)),
    };
    if is_folded(ui, state, size) {
        Panel::bottom("no findings").show(ui, |ui| findings::show(ui, state, out));
        return;
    }
    let panel = Panel::bottom("inspector").default_size(size).size_range(MIN_INSPECTOR_HEIGHT - FOOT_ROWS..=most);
    let shown = panel.resizable(true).show(ui, |ui| inspector_content(ui, state, out));
    record_dragged(ui, "inspector", shown.response.rect.height(), own);
}

fn has_content(state: &EditorState) -> bool {
    let has_findings = state.current_doc().is_some_and(|doc| !doc.findings().is_empty());
    has_findings || state.visible_inspector_tab() != InspectorTab::Findings
}

/// Where the pointer is over its place, it opens or folds only when the pointer has left: nothing moves below it.
fn is_folded(ui: &Ui, state: &EditorState, size: f32) -> bool {
    let wanted = state.current_doc().is_some() && !has_content(state);
    let id = Id::unique("findings are folded");
    let (tab, known): (InspectorTab, bool) =
        ui.data(|data| data.get_temp(id)).unwrap_or((state.visible_inspector_tab(), wanted));
    let mut room = ui.available_rect_before_wrap();
    room.min.y = room.max.y - size;
    let is_over = ui.input(|input| input.pointer.latest_pos()).is_some_and(|at| room.contains(at));
    let is_asked = tab != state.visible_inspector_tab();
    let folded = if is_over && !is_asked { known } else { wanted };
    ui.data_mut(|data| data.insert_temp(id, (state.visible_inspector_tab(), folded)));
    folded
}

/// Of a low page: a row of buttons, below it one of them.
fn page_or_inspector(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    pane_row(ui, state, None, true, out);
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        if state.pane == Pane::Inspector {
            inspector_column(ui, state, out);
        } else {
            regions::begin_region(ui, Region::Sheet);
            low_page(ui, state, out);
        }
    });
}

/// A button for each part of which one is shown at a time; in a low window the menu of the page, too. `form`: the form is one of them.
fn pane_row(ui: &mut Ui, state: &EditorState, form: Option<&str>, is_low: bool, out: &mut Vec<Command>) {
    let has_page = if form.is_some() { state.pane == Pane::Sheet } else { state.pane != Pane::Inspector };
    let shows = |page| has_page && state.settings.page == page;
    let form = form.map(|name| (state.pane == Pane::Form, name, "Show the form", Command::ShowPane(Pane::Form)));
    let pages = [
        (shows(RightPage::Sheet), "Sheet", "Show the sheet", Command::ShowPage(RightPage::Sheet)),
        (shows(RightPage::Odds), "Odds", "Show the odds", Command::ShowPage(RightPage::Odds)),
    ];
    let findings = (state.pane == Pane::Inspector, "Findings", FINDINGS_AND_RULES, Command::ShowPane(Pane::Inspector));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (is_shown, name, label, command) in form.into_iter().chain(pages).chain([findings]) {
            let count = (name == "Findings").then(|| findings::count(state));
            let tab = with_accessible_name(counted_tab(ui, is_shown, name, count), label);
            out.extend(tab.clicked().then_some(command));
        }
        if has_page && is_low {
            page_menu(ui, state, out);
        }
        print_button(ui, out);
    });
}

fn page_menu(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    match state.settings.page {
        RightPage::Sheet => sheet_bar::show_menu(ui, state, out),
        RightPage::Odds => odds_panel::show_menu(ui, state, out),
    }
}

/// Without its controls, which are in the menu.
fn low_page(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    match state.settings.page {
        RightPage::Sheet => preview::show_sheet(ui, state, out),
        RightPage::Odds => odds_panel::show(ui, state, true, out),
    }
}

fn narrow_layout(ui: &mut Ui, state: &EditorState, is_fleet: bool, out: &mut Vec<Command>) {
    let is_low = ui.available_height() < LOW_PAGE;
    let form = if is_fleet { "Fleet" } else { "Ship" };
    Panel::top("panes").show(ui, |ui| pane_row(ui, state, Some(form), is_low, out));
    if state.pane != Pane::Form && matches!(state.go_to, Some(FormTarget::FitInView(_))) {
        out.push(Command::ClearGoTo);
    }
    match state.pane {
        Pane::Form => form_column(ui, state, is_fleet, out),
        Pane::Sheet => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin_region(ui, Region::Sheet);
                match is_low {
                    true => low_page(ui, state, out),
                    false => right_page(ui, state, false, out),
                }
            });
        }
        Pane::Inspector => {
            CentralPanel::default().show(ui, |ui| inspector_column(ui, state, out));
        }
    }
}

fn form_column(ui: &mut Ui, state: &EditorState, is_fleet: bool, out: &mut Vec<Command>) {
    let id = state.current_doc().map(|doc| doc.id.0);
    let most = (ui.available_height() * 0.4).max(60.0);
    let is_low = ui.available_height() < LOW_PAGE;
    Panel::top("headline").show(ui, |ui| {
        regions::begin_region(ui, Region::Form);
        let area = ScrollArea::vertical().id_salt(("headline", id)).max_height(most);
        area.min_scrolled_height(most).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            keep_in_sight(ui, |ui| match is_fleet {
                true => fleet_panel::headline::show(ui, state, is_low),
                false => headline::show(ui, state, is_low, out),
            });
        });
    });
    CentralPanel::default().show(ui, |ui| {
        regions::begin_region(ui, Region::Form);
        ui.push_id(("form", id), |ui| {
            if raw_text::is_wanted(ui, state) {
                return raw_text::show(ui, state, out);
            }
            if is_fleet {
                return fleet_panel::show(ui, state, out);
            }
            ScrollArea::vertical().id_salt(("form", id)).auto_shrink(false).show(ui, |ui| {
                // Room for the scroll bar.
                ui.set_max_width((ui.available_width() - 8.0).max(0.0));
                keep_in_sight(ui, |ui| {
                    fields::show(ui, state, out);
                    mounts::show(ui, state, out);
                    custom_systems::show(ui, state, out);
                });
                ui.add_space(FOOT_MARGIN);
                // The target does not exist.
                if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::ClearGoTo)) {
                    out.push(Command::ClearGoTo);
                }
            });
        });
    });
}

fn right_page(ui: &mut Ui, state: &EditorState, has_switch: bool, out: &mut Vec<Command>) {
    // With little to show, the part keeps its width.
    ui.set_min_width(ui.available_width());
    match state.settings.page {
        RightPage::Sheet => preview::show(ui, state, has_switch, out),
        RightPage::Odds => {
            odds_panel::show_bar(ui, state, has_switch, out);
            odds_panel::show(ui, state, false, out);
        }
    }
}

fn inspector_tabs(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let is_fleet = state.shows_fleet();
    let shown = state.visible_inspector_tab();
    for (inspector, name, count) in [
        (InspectorTab::Findings, "Findings", Some(findings::count(state))),
        (InspectorTab::Explain, "Explain", None),
        (InspectorTab::Ship, "Damage and load", None),
        (InspectorTab::Suggest, "Suggest", None),
        (InspectorTab::Rules, "Rules", Some(rules::finding_count(&state.ruleset_status))),
    ] {
        // Fleets have no suggestions, designs have no ships.
        if inspector == if is_fleet { InspectorTab::Suggest } else { InspectorTab::Ship } {
            continue;
        }
        if counted_tab(ui, shown == inspector, name, count).clicked() {
            out.push(Command::ShowInspectorTab(inspector));
        }
    }
    out.extend(
        ui.add(Button::selectable(false, say("Compare"))).clicked().then(|| Command::Compare(CompareCommand::Open)),
    );
}

/// `Findings (2)`, with room for the number while there is none.
fn counted_tab(ui: &mut Ui, is_shown: bool, name: &str, count: Option<usize>) -> Response {
    let name = say(name);
    let text = match count {
        Some(count) if count > 0 => format!("{name} ({count})"),
        _ => name.clone(),
    };
    let width = count.map_or(0.0, |_| {
        let font = TextStyle::Button.resolve(ui.style());
        let widest = ui.painter().layout_no_wrap(format!("{name} (99)"), font, Color32::BLACK).size().x;
        widest + 2.0 * ui.spacing().button_padding.x
    });
    ui.add(Button::selectable(is_shown, text).min_size(vec2(width, 0.0)))
}

fn inspector_column(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    regions::begin_region(ui, if has_content(state) { Region::InspectorTabs } else { Region::Inspector });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        inspector_tabs(ui, state, out);
    });
    inspector_content(ui, state, out);
}

fn inspector_content(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let shown = state.visible_inspector_tab();
    regions::begin_region(ui, Region::Inspector);
    let salt = ("inspector", state.current_doc().map(|doc| doc.id.0), shown as u8);
    ui.push_id(salt, |ui| {
        let area = ScrollArea::vertical().id_salt(salt).auto_shrink(false);
        let content = |ui: &mut Ui| match shown {
            InspectorTab::Ship => fleet_panel::shown_ship::show(ui, state, out),
            InspectorTab::Findings => findings::show(ui, state, out),
            InspectorTab::Explain => explain::show(ui, state, out),
            InspectorTab::Suggest => suggest_panel::show(ui, state, out),
            InspectorTab::Rules => rules::show(ui, state, out),
        };
        area.show(ui, |ui| keep_in_sight(ui, content));
    });
}

fn record_size(ui: &Ui, part: &str, size: f32) {
    ui.data_mut(|data| data.insert_temp(Id::unique(("size of a part", part)), size));
}

/// What was not dragged stays so in another window.
fn record_dragged(ui: &Ui, part: &str, size: f32, own: f32) {
    record_size(ui, part, if (size - own).abs() < 2.0 { 0.0 } else { size });
}

pub fn record_panel_sizes(ctx: &Context, panels: &mut PanelSizes) {
    let sizes = [
        ("library", &mut panels.library),
        ("sheet", &mut panels.sheet),
        ("wide sheet", &mut panels.wide_sheet),
        ("inspector", &mut panels.inspector),
    ];
    for (part, size) in sizes {
        let shown: Option<f32> = ctx.data(|data| data.get_temp(Id::unique(("size of a part", part))));
        if let Some(shown) = shown.filter(|shown| shown.is_finite() && (*shown >= 1.0 || part != "library")) {
            *size = shown.round() as u32;
        }
    }
}

fn print_button(ui: &mut Ui, out: &mut Vec<Command>) {
    let print = primary_icon_button(ui, Icon::Print, "Print…");
    out.extend(print.clicked().then(|| Command::Print(PrintCommand::Open(None))));
}

fn print_buttons(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        print_button(ui, out);
        let chits = ui.add(Button::new((Icon::Chits.text(), say("Chits…"))));
        if with_accessible_name(chits, "Chits…").clicked() {
            out.push(Command::Print(PrintCommand::Open(Some(PrintKind::Counters))));
        }
    });
}
