//! The head of the page: what it is, a search field, and the layers in their order, each on or off for a look.

use egui::{Align, Button, Checkbox, Frame, Id, Label, Layout, Margin, RichText, Stroke, TextEdit, Ui};

use crate::Command;
use crate::icons::{Icon, icon_button};
use crate::language::say;
use crate::model::open_ruleset::StackedLayer;
use crate::rules_page::RulesPageCommand;
use crate::rules_page::panel::view::PageView;
use crate::theme::{TITLE, bold, palette};
use crate::widgets::{error_text, memoized, muted_label, with_accessible_name, with_curly_quotes};
use moldloft_library::print::plural;
use moldloft_library::store::AssetKind;

const SEARCH_WIDTH: f32 = 240.0;

/// The index of a layer that is dragged.
#[derive(Clone, Copy)]
struct DraggedLayer(usize);

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    ui.add_space(2.0);
    ui.horizontal(|ui| title_row(ui, view, out));
    if view.open.document.is_none() {
        let words = "The text cannot be read at the moment; the tables show the last one that could. See Text.";
        error_text(ui, words);
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let last = view.open.stack.len() - 1;
        for (at, layer) in view.open.stack.iter().enumerate() {
            if at > 0 {
                muted_label(ui, "+");
            }
            chip(ui, view, layer, at == last, out);
        }
        if view.is_layer() {
            add_layer_menu(ui, view, out);
        } else {
            muted_label(ui, "  The first change makes a house layer; the rules stay as they are.");
        }
    });
    ui.add_space(2.0);
}

fn title_row(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        search(ui, view, out);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = view.doc.name();
            ui.add(Label::new(RichText::new(&title).family(bold()).size(TITLE)).truncate());
            let about = match (view.is_layer(), view.open.change_count()) {
                (true, 0) => "house layer, no changes yet".to_owned(),
                (true, count) => format!("house layer, {}", plural(count, "change")),
                (false, _) if view.doc.is_built_in() => "built-in rules".to_owned(),
                (false, _) => "rules".to_owned(),
            };
            ui.add(Label::new(RichText::new(say(about)).color(palette(ui).muted)).truncate());
        });
    });
}

fn search(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let mut query = view.page.query.clone();
    let hint = "Search the rules";
    let field = TextEdit::singleline(&mut query).hint_text(say(hint)).desired_width(SEARCH_WIDTH);
    let field = with_accessible_name(ui.add(field.min_size(egui::vec2(24.0, 26.0))), hint);
    out.extend(field.changed().then(|| Command::RulesPage(RulesPageCommand::Search(query))));
}

fn chip(ui: &mut Ui, view: &PageView<'_>, layer: &StackedLayer, is_own: bool, out: &mut Vec<Command>) {
    let palette = palette(ui);
    let direct = layer.direct.filter(|_| view.is_layer() && view.open.extends.len() > 1);
    let is_base = view.open.stack.first().is_some_and(|base| base.id == layer.id);
    let name = if layer.title.is_empty() { &layer.id } else { &layer.title };
    let edge = if is_own { palette.accent } else { palette.line };
    let frame = Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(4)
        .inner_margin(Margin::symmetric(6, 1));
    let shown = frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            if !is_base && view.open.is_layer() {
                let mut on = layer.is_on;
                let tick = ui.add(Checkbox::without_text(&mut on));
                let hint = "On or off for a look; the file is not changed";
                if with_accessible_name(tick, &format!("use {name}")).on_hover_text(say(hint)).changed() {
                    out.push(Command::RulesPage(RulesPageCommand::ToggleLayer(layer.id.clone())));
                }
            }
            let text = RichText::new(say(name.as_str()));
            let text = if layer.is_on { text } else { text.color(palette.muted).strikethrough() };
            let label = Label::new(if is_own { text.family(bold()) } else { text });
            match direct {
                Some(at) => {
                    let id = Id::unique(("layer", view.doc.id.0, &layer.id));
                    ui.dnd_drag_source(id, DraggedLayer(at), |ui| ui.add(label.selectable(false)));
                    let mut step = |ui: &mut Ui, icon: Icon, what: &str, to: Option<usize>| {
                        let to = to.filter(|to| *to < view.open.extends.len());
                        let button =
                            ui.add_enabled_ui(to.is_some(), |ui| icon_button(ui, icon, &format!("move {name} {what}")));
                        if let Some(to) = to.filter(|_| button.inner.clicked()) {
                            out.push(Command::RulesPage(RulesPageCommand::MoveLayer { from: at, to }));
                        }
                    };
                    step(ui, Icon::Earlier, "earlier", at.checked_sub(1));
                    step(ui, Icon::Collapse, "later", Some(at + 1));
                    if icon_button(ui, Icon::Close, &format!("remove {name} from the layers")).clicked() {
                        out.push(Command::RulesPage(RulesPageCommand::DropLayer(at)));
                    }
                }
                None => {
                    ui.add(label).on_hover_text(say(format!("{}, version {}", layer.id, layer.version)));
                }
            }
        });
    });
    let Some(to) = direct else { return };
    if shown.response.dnd_hover_payload::<DraggedLayer>().is_some() {
        ui.painter().rect_stroke(shown.response.rect, 4.0, Stroke::new(2.0, palette.accent), egui::StrokeKind::Outside);
    }
    if let Some(from) = shown.response.dnd_release_payload::<DraggedLayer>() {
        out.push(Command::RulesPage(RulesPageCommand::MoveLayer { from: from.0, to }));
    }
}

/// Other layers of the game.
fn add_layer_menu(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let menu = ui.menu_button(say("+ Layer"), |ui| {
        let state = view.state;
        let key = (view.doc.id.0, view.doc.revision, state.ruleset_status.generation);
        let known: Vec<(String, String)> = memoized(ui.ctx(), "other layers", key, || {
            let base = view.open.stack.first().map(|base| base.id.clone()).unwrap_or_default();
            let listed = state.store.list_assets(AssetKind::Ruleset).into_iter().map(|listed| listed.id);
            let others = listed.filter(|id| !view.open.stack.iter().any(|layer| layer.id == *id));
            let rules = others.filter_map(|id| Some((id.clone(), state.rulesets.find(&id).ruleset()?.clone())));
            let layers = rules.filter(|(_, rules)| *rules.base.id == *base && !rules.layers.is_empty());
            layers.map(|(id, rules)| (id, rules.title.to_string())).collect()
        });
        if known.is_empty() {
            muted_label(ui, "no other layers of this game");
        }
        for (id, title) in known {
            if ui.add(Button::new(with_curly_quotes(&title))).clicked() {
                out.push(Command::RulesPage(RulesPageCommand::AddLayer(id)));
                ui.close();
            }
        }
    });
    with_accessible_name(menu.response, "add another layer below this one");
}
