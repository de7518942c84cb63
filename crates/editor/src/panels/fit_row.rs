//! The row of a fit in its mount's card: name, count, costs and parameters. Can be selected by click and keyboard, and
//! dragged.

use egui::text::LayoutJob;
use egui::{
    Button, Color32, EventFilter, Id, Key, Modifiers, Popup, Rect, RichText, Role, Sense, TextStyle, Ui, WidgetInfo,
    vec2,
};

use crate::icons::{Icon, icon_button};
use crate::inputs::{STEPPED_WIDTH, findings_badge, stepper};
use crate::language::{say, tell};
use crate::panels::design_view::DesignView;
use crate::panels::dragged::Dragged;
use crate::panels::system_sign::{SIGN_SIDE, SystemSign, paint_sign, sign_colour};
use crate::panels::{about, selection, value_input};
use crate::suggest::model::SuggestCommand;
use crate::theme::{SMALL, palette};
use crate::widgets::{MIN_TARGET_SIZE, amount_with_unit, capitalize, context_menu, sized_cell, with_accessible_name};
use crate::{Command, CostMeasure, Edit, FormTarget, fit_edits, focus};
use moldloft_odds::suggest::is_named_by;
use moldloft_rules::design::{DesignPart, MAX_COUNT, TablePath};
use moldloft_rules::evaluate::{ExplainTarget, FitResult, table_extracts};
use moldloft_rules::formula::Value;

/// In points.
const COUNT_WIDTH: f32 = STEPPED_WIDTH + 2.0 * MIN_TARGET_SIZE + 5.0;
const COST_WIDTH: f32 = 32.0;
const NAME_PADDING: f32 = 4.0;

pub fn has_room_for_all_costs(card: f32) -> bool {
    card >= 300.0
}

pub fn cost_width(ship: &DesignView<'_>, card: f32) -> f32 {
    if has_room_for_all_costs(card) { COST_WIDTH * ship.measures.len().clamp(1, 3) as f32 } else { COST_WIDTH }
}

pub fn show(ui: &mut Ui, ship: &DesignView<'_>, fit: &FitResult, out: &mut Vec<Command>) -> Rect {
    let fit_name = fit_edits::fit_label(ship.evaluation, fit);
    let is_chosen = ship.doc.selected.contains(&fit.index);
    let findings = ship.findings_about(|subject| match subject {
        DesignPart::Fit(n) => *n == fit.index,
        DesignPart::System(id) => *id == fit.system,
        _ => false,
    });
    let ground = ui.painter().add(egui::Shape::Noop);
    let shown = ui.push_id(("fit", fit.index), |ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 2.0);
        let costs = cost_width(ship, ui.available_width());
        let room = (ui.available_width() - COUNT_WIDTH - costs - 9.0 - SIGN_SIDE).max(40.0);
        let lines = name_lines(ui, fit, room);
        let least = ui.spacing().interact_size.y;
        if lines > 1 {
            let line = ui.text_style_height(&TextStyle::Button);
            ui.spacing_mut().interact_size.y = lines as f32 * line + 2.0 * ui.spacing().button_padding.y;
        }
        ui.horizontal(|ui| {
            ui.spacing_mut().interact_size.y = least;
            // A sign of findings makes no row higher: nothing moves.
            let wide = if findings.is_empty() { room } else { (room - 23.0).max(40.0) };
            let (sign, _) = ui.allocate_exact_size(vec2(SIGN_SIDE, MIN_TARGET_SIZE), Sense::hover());
            let sign = Rect::from_center_size(sign.center(), vec2(SIGN_SIDE, SIGN_SIDE));
            let colour = if fit.count == 0 { palette(ui).muted } else { sign_colour(ui, ship.evaluation, &fit.system) };
            let box_sign = SystemSign { letters: fit.abbr.clone(), shape: fit.shape };
            paint_sign(ui.painter(), palette(ui), &box_sign, sign, colour);
            name_label(ui, ship, fit, &fit_name, is_chosen, (wide, lines), out);
            findings_badge(ui, &findings, out);
            let number = format!("number of {fit_name}");
            // One that cannot be is shown as it is written.
            let written = ship.design.design.fits.iter().find(|written| written.index == fit.index);
            let count = written.map_or(i64::from(fit.count), |written| written.written_count);
            stepper(ui, (&fit_name, &number), (count, 0, i64::from(MAX_COUNT)), out, |count| {
                fit_edits::set_count(ship.doc, fit, count)
            });
            let previewed = ship.state.previewed().map(|previewed| &previewed.proposal.after.fits);
            let then = previewed.and_then(|fits| fits.iter().find(|then| then.index == fit.index));
            if let Some(then) = then.filter(|then| then.count != fit.count && then.system == fit.system) {
                let text = RichText::new(say(format!("→ {}", then.count))).color(palette(ui).accent);
                let name = format!("{fit_name}: {} in the preview", then.count);
                let label = sized_cell(ui, costs, MIN_TARGET_SIZE, |ui| ui.label(text));
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, say(&name)));
            } else if fit.count == 0 {
                // Far from the button that was pressed last.
                remove_button(ui, ship, fit, &fit_name, costs, out);
            } else {
                cost_label(ui, ship, fit, &fit_name, costs, out);
            }
        });
        ui.spacing_mut().interact_size.y = least;
        parameter_rows(ui, ship, fit, &fit_name, out);
    });
    let rect = shown.response.rect;
    focus::mark_place(ui, ship.doc, rect, FormTarget::Fit(fit.index));
    let palette = palette(ui);
    let is_wrong = findings.iter().any(|finding| finding.severity == moldloft_base::finding::Severity::Error);
    let fill = match (is_chosen, is_wrong) {
        (true, _) => Some(palette.selection),
        (false, true) => Some(palette.error_background),
        _ => None,
    };
    if let Some(fill) = fill {
        let wide = rect.expand2(vec2(2.0, 1.0));
        ui.painter().set(ground, egui::Shape::rect_filled(wide, 4, fill));
    }
    rect
}

fn remove_button(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    fit: &FitResult,
    fit_name: &str,
    width: f32,
    out: &mut Vec<Command>,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, MIN_TARGET_SIZE), Sense::hover());
    let place = Rect::from_min_max(egui::pos2(rect.right() - MIN_TARGET_SIZE, rect.top()), rect.max);
    // The row has allocated this space already.
    let mut beside = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt("none"));
    beside.spacing_mut().button_padding = vec2(2.0, 0.0);
    let button = icon_button(&mut beside, Icon::Close, &format!("remove {fit_name}"));
    if button.on_hover_text(say("Remove the row (Delete)")).clicked() {
        out.extend(fit_edits::remove_fits(ship.doc, &[fit.index]).map(Command::Edit));
    }
}

/// Of the name, so that it is not cut.
fn name_lines(ui: &Ui, fit: &FitResult, room: f32) -> usize {
    let font = TextStyle::Button.resolve(ui.style());
    let needs = ui.painter().layout_no_wrap(capitalize(&say(&fit.name)), font, Color32::BLACK).size().x;
    if needs + 2.0 * NAME_PADDING > room { 2 } else { 1 }
}

fn name_label(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    fit: &FitResult,
    fit_name: &str,
    is_chosen: bool,
    (wide, lines): (f32, usize),
    out: &mut Vec<Command>,
) {
    ui.spacing_mut().button_padding.x = NAME_PADDING;
    let ink = if fit.count == 0 { palette(ui).muted } else { ui.visuals().text_color() };
    let font = TextStyle::Button.resolve(ui.style());
    let mut text = LayoutJob::simple(capitalize(&say(&fit.name)), font, ink, wide - 2.0 * NAME_PADDING);
    text.wrap.max_rows = lines;
    let text = ui.painter().layout_job(text);
    let figures = about::figures_aboard(ui, ship.doc, ship.evaluation).get(&fit.system).cloned().unwrap_or_default();
    let font = egui::FontId::proportional(SMALL);
    let needs = text.size().x + ui.painter().layout_no_wrap(say(&figures), font.clone(), ink).size().x;
    let shown = if lines == 1 && needs + 24.0 <= wide { &*figures } else { "" };
    let button = Button::selectable(false, text)
        .right_text(RichText::new(say(shown)).font(font).color(palette(ui).muted))
        .gap(0.0)
        .sense(Sense::click_and_drag())
        .min_size(vec2(wide, MIN_TARGET_SIZE));
    let response = ui.scope(|ui| {
        ui.set_width(wide);
        ui.add(button)
    });
    let response = with_accessible_name(response.inner, fit_name);
    let count = format!("{} fitted; type a number to change it", fit.count);
    let count = if figures.is_empty() { count } else { format!("{count}; {figures}") };
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_selected(is_chosen);
        node.set_description(say(count));
    });
    if ship.is_wanted(&FormTarget::Fit(fit.index)) {
        response.request_focus();
        response.scroll_to_me(None);
        out.push(Command::ClearGoTo);
    }
    if ship.is_wanted(&FormTarget::FitInView(fit.index)) {
        response.scroll_to_me(None);
        out.push(Command::ClearGoTo);
    }
    if response.drag_started() {
        let all = if is_chosen { fit_edits::selected_fits(ship.doc) } else { vec![fit.index] };
        response.dnd_set_drag_payload(Dragged::Fits(all));
    }
    if response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    if response.clicked() {
        let by_key = ui.input(|input| input.key_pressed(Key::Space));
        let modifiers = ui.input(|input| input.modifiers);
        out.push(Command::Select(selection_after_click(ship, fit.index, modifiers, by_key)));
        response.request_focus();
    }
    if response.has_focus() {
        handle_keys(ui, ship, fit, &response, out);
    }
    let response = response.on_hover_ui(|ui| {
        about::show_system(ui, ship.evaluation, &fit.system, &table_extracts(ship.evaluation, &fit.system));
    });
    context_menu(&response, |ui| fit_menu(ui, ship, fit, out));
}

fn selection_after_click(ship: &DesignView<'_>, fit: u32, modifiers: Modifiers, by_key: bool) -> Vec<u32> {
    let old = &ship.doc.selected;
    let place = |fit: u32| ship.order.iter().position(|known| *known == fit);
    let toggles = modifiers.command || (by_key && old.as_slice() == [fit]);
    selection::after_click(old, fit, modifiers, toggles, |first| {
        let (from, to) = (place(first)?, place(fit)?);
        Some(ship.order[from.min(to)..=from.max(to)].to_vec())
    })
}

fn handle_keys(ui: &mut Ui, ship: &DesignView<'_>, fit: &FitResult, response: &egui::Response, out: &mut Vec<Command>) {
    // Esc would take the focus from the row.
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: true, tab: false };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |modifiers: Modifiers, key: Key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (key, step) in ROW_KEYS {
        if pressed(Modifiers::SHIFT, key)
            && let Some(next) = row_beside(ship, fit.index, step)
        {
            out.push(Command::Select(selection_after_click(ship, next, Modifiers::SHIFT, false)));
            out.push(Command::GoTo(FormTarget::Fit(next)));
        }
        if pressed(Modifiers::NONE, key) {
            go_on(ui, ship, fit.index, None, step, out);
        }
    }
    let count = i64::from(fit.count);
    let by = i64::from(pressed(Modifiers::NONE, Key::ArrowRight) || pressed(Modifiers::NONE, Key::Plus))
        - i64::from(pressed(Modifiers::NONE, Key::ArrowLeft) || pressed(Modifiers::NONE, Key::Minus));
    if by != 0 && count + by >= 0 {
        out.extend(fit_edits::set_count(ship.doc, fit, count + by).map(Command::Edit));
    }
    handle_typed_count(ui, ship, fit, response.id, out);
}

const ROW_KEYS: [(Key, isize); 2] = [(Key::ArrowDown, 1), (Key::ArrowUp, -1)];

fn row_beside(ship: &DesignView<'_>, fit: u32, step: isize) -> Option<u32> {
    let at = ship.order.iter().position(|known| *known == fit)?;
    ship.order.get(at.checked_add_signed(step)?).copied()
}

/// Inputs of a row's own values, as they were shown last.
fn own_inputs_id(ship: &DesignView<'_>, fit: u32) -> Id {
    Id::unique(("own values of a row", ship.doc.id.0, fit))
}

/// From a row, or one of its own values, to what is next: its own values come behind its name.
fn go_on(ui: &Ui, ship: &DesignView<'_>, fit: u32, from: Option<usize>, step: isize, out: &mut Vec<Command>) {
    let inputs = |fit: u32| -> Vec<Id> { ui.data(|data| data.get_temp(own_inputs_id(ship, fit))).unwrap_or_default() };
    let own = inputs(fit);
    let (row, input) = match (from, step > 0) {
        (None, true) if !own.is_empty() => (fit, own.first().copied()),
        (Some(at), true) if at + 1 < own.len() => (fit, own.get(at + 1).copied()),
        (Some(at), false) => (fit, at.checked_sub(1).and_then(|at| own.get(at).copied())),
        (_, is_down) => {
            let Some(next) = row_beside(ship, fit, step) else { return };
            (next, inputs(next).last().copied().filter(|_| !is_down))
        }
    };
    out.push(Command::Select(vec![row]));
    match input {
        Some(input) => ui.memory_mut(|memory| memory.request_focus(input)),
        None => out.push(Command::GoTo(FormTarget::Fit(row))),
    }
}

/// Arrows go on from a row's own values. Asked before they are shown: a number would count.
fn handle_keys_of_values(ui: &Ui, ship: &DesignView<'_>, fit: u32, out: &mut Vec<Command>) {
    let own: Vec<Id> = ui.data(|data| data.get_temp(own_inputs_id(ship, fit))).unwrap_or_default();
    let focused = ui.memory(|memory| memory.focused());
    let Some(at) = own.iter().position(|id| Some(*id) == focused).filter(|_| !Popup::is_any_open(ui.ctx())) else {
        return;
    };
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(own[at], filter));
    for (key, step) in ROW_KEYS {
        if ui.input_mut(|input| !input.modifiers.any() && input.consume_key(Modifiers::NONE, key)) {
            go_on(ui, ship, fit, Some(at), step, out);
        }
    }
}

#[derive(Clone, Debug)]
struct TypedCount {
    fit: (u64, u32),
    digits: String,
    count_before: u32,
    /// Seconds on the window's clock.
    last_typed_at: f64,
}

/// Seconds after which a digit begins a new number.
const TYPING_TIMEOUT: f64 = 1.5;

/// `1` and `2` make 12. Backspace removes the last digit, Esc cancels, Enter ends the number.
fn handle_typed_count(ui: &Ui, ship: &DesignView<'_>, fit: &FitResult, row: egui::Id, out: &mut Vec<Command>) {
    let key = egui::Id::unique("count typed on a row");
    let here = (ship.doc.id.0, fit.index);
    let (mut figures, mut back) = (String::new(), 0);
    let now = ui.input_mut(|input| {
        input.events.retain(|event| match event {
            egui::Event::Text(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                figures.push_str(text);
                false
            }
            _ => true,
        });
        back = input.count_and_consume_key(Modifiers::NONE, Key::Backspace);
        input.time
    });
    let known: Option<TypedCount> = ui.data(|data| data.get_temp::<TypedCount>(key));
    let known = known.filter(|typing| typing.fit == here && now - typing.last_typed_at <= TYPING_TIMEOUT);
    if let Some(typing) = &known
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    {
        ui.data_mut(|data| data.remove::<TypedCount>(key));
        let count = i64::from(typing.count_before);
        out.extend(
            fit_edits::set_count(ship.doc, fit, count)
                .map(|edit| Command::Edit(edit.with_merge_key(format!("{row:?}")))),
        );
        out.push(Command::EndMerge);
        return;
    }
    if known.is_some() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
        ui.data_mut(|data| data.remove::<TypedCount>(key));
        out.push(Command::EndMerge);
        return;
    }
    if figures.is_empty() && back == 0 {
        return;
    }
    let is_new = known.is_none();
    let start = || if figures.is_empty() { fit.count.to_string() } else { String::new() };
    let mut typing =
        known.unwrap_or_else(|| TypedCount { fit: here, digits: start(), count_before: fit.count, last_typed_at: now });
    for _ in 0..back {
        typing.digits.pop();
    }
    typing.digits.push_str(&figures);
    typing.digits.truncate(9);
    typing.last_typed_at = now;
    let count = typing.digits.parse().unwrap_or(0);
    ui.data_mut(|data| data.insert_temp(key, typing));
    if is_new {
        out.push(Command::EndMerge);
    }
    out.extend(
        fit_edits::set_count(ship.doc, fit, count).map(|edit| Command::Edit(edit.with_merge_key(format!("{row:?}")))),
    );
}

fn fit_menu(ui: &mut Ui, ship: &DesignView<'_>, fit: &FitResult, out: &mut Vec<Command>) {
    let all = if ship.doc.selected.contains(&fit.index) { fit_edits::selected_fits(ship.doc) } else { vec![fit.index] };
    if ship.doc.selected != all {
        out.push(Command::Select(all.clone()));
    }
    ui.set_min_width(180.0);
    out.extend(ui.button(say("Cut")).clicked().then_some(Command::Cut));
    out.extend(ui.button(say("Copy")).clicked().then_some(Command::Copy));
    if ui.button(say("Duplicate")).clicked() {
        out.extend(fit_edits::duplicate_selected(ship.doc).map(Command::Edit));
    }
    if ui.button(say("Delete")).clicked() {
        out.extend(fit_edits::remove_fits(ship.doc, &all).map(Command::Edit));
    }
    ui.separator();
    pin_entry(ui, ship, fit, out);
    if !ship.evaluation.ruleset.mounts.is_empty() {
        ui.separator();
        out.extend(ui.button(say("Move to mount…")).clicked().then(|| Command::OpenDialog(crate::Dialog::MoveTo)));
        let mirror = fit_edits::mirror_selected(ship.doc);
        if ui.add_enabled(mirror.is_some(), Button::new(say("Mirror"))).clicked() {
            out.extend(mirror.map(Command::Edit));
        }
    }
}

/// What is pinned is changed by no suggestion.
fn pin_entry(ui: &mut Ui, ship: &DesignView<'_>, fit: &FitResult, out: &mut Vec<Command>) {
    let place = if fit.mount.is_empty() { String::new() } else { format!("@{}", fit.mount) };
    let lever = format!("{}{place}", fit.system);
    let pins = ship.state.suggestions.view(ship.doc.id).map(|view| &view.goals.pins);
    let is_pinned = pins.is_some_and(|pins| pins.iter().any(|pin| is_named_by(&lever, pin)));
    if ui.button(say(if is_pinned { "Unpin" } else { "Pin against suggestions" })).clicked() {
        out.push(Command::Suggest(SuggestCommand::Pin { lever, on: !is_pinned }));
    }
}

fn cost_label(ui: &mut Ui, ship: &DesignView<'_>, fit: &FitResult, fit_name: &str, width: f32, out: &mut Vec<Command>) {
    let costs = ship.fit_costs(fit);
    let words: Vec<String> = costs
        .iter()
        .map(|(measure, one, all)| {
            let each = if fit.count == 1 { String::new() } else { format!(", {one} each") };
            format!("{}{each}", amount_with_unit(&all.to_string(), &measure.label))
        })
        .collect();
    let shown: Vec<String> = ship
        .visible_measures(width > COST_WIDTH)
        .map(|shown| {
            let cost = costs.iter().find(|(measure, ..)| measure.value == shown.value);
            cost.filter(|(_, _, all)| *all != 0).map_or_else(String::new, |(_, _, all)| all.to_string())
        })
        .collect();
    let many = shown.len();
    let colour = palette(ui).muted;
    let (rect, response) = ui.allocate_exact_size(vec2(width, MIN_TARGET_SIZE), Sense::click());
    for (n, text) in shown.into_iter().enumerate() {
        let right = rect.right() - COST_WIDTH * (many - 1 - n) as f32;
        let (at, font) = (egui::pos2(right, rect.center().y), egui::FontId::proportional(SMALL));
        ui.painter().text(at, egui::Align2::RIGHT_CENTER, text, font, colour);
    }
    if !words.is_empty() {
        let fit_name = format!("{fit_name}: {}", words.join("; "));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, say(&fit_name)));
        if response.has_focus() {
            ui.painter().rect_stroke(rect, 4, ui.visuals().selection.stroke, egui::StrokeKind::Inside);
        }
        // The one under the pointer; by keyboard, the last.
        let at = response.interact_pointer_pos().map_or(many, |at| ((at.x - rect.left()) / COST_WIDTH) as usize);
        let measures: Vec<&CostMeasure> = ship.visible_measures(width > COST_WIDTH).collect();
        let measure = measures.get(at.min(many.saturating_sub(1)));
        let hint = format!("{}\nClick to see where this comes from", words.join("\n"));
        if response.on_hover_text(say(hint)).clicked()
            && let Some(measure) = measure
        {
            out.push(Command::Explain(ExplainTarget::Attribute { fit: fit.index, id: measure.attribute.clone() }));
        }
    }
}

fn parameter_rows(ui: &mut Ui, ship: &DesignView<'_>, fit: &FitResult, fit_name: &str, out: &mut Vec<Command>) {
    let (Some(kind), Some(written)) = (ship.ruleset_system(&fit.system), ship.fit(fit.index)) else { return };
    let letters: usize = kind.parameters.iter().map(|parameter| parameter.label.chars().count()).sum();
    let is_brief = kind.parameters.len() > 1 && letters <= 22;
    let whole = ui.available_width();
    handle_keys_of_values(ui, ship, fit.index, out);
    let mut inputs = Vec::new();
    let mut each = |ui: &mut Ui| {
        for parameter in &kind.parameters {
            let name = tell("{1} of {2}", &[&say(&parameter.label), &say(fit_name)]);
            let stated = written.parameters.iter().find(|entry| *entry.key == *parameter.id);
            let default = fit.answers.iter().find(|(id, _)| *id == parameter.id).map_or(&Value::Null, |(_, v)| v);
            let kind = value_input::ValueSpec {
                ty: &parameter.ty,
                min: parameter.min,
                max: parameter.max,
                label: &parameter.label,
                accessible_name: &name,
                is_brief,
                wants_focus: false,
                width: COUNT_WIDTH + cost_width(ship, whole) + 3.0,
            };
            let stated = stated.map(|entry| &entry.node.data);
            inputs.extend(value_input::show(ui, &kind, stated, default, out, |value| {
                Edit::change(&name, TablePath::Fit(fit.index as usize), &parameter.id, value)
            }));
        }
    };
    if is_brief {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            ui.add_space(10.0);
            each(ui);
        });
    } else {
        each(ui);
    }
    ui.data_mut(|data| data.insert_temp(own_inputs_id(ship, fit.index), inputs));
    for entry in &written.parameters {
        if kind.parameters.iter().all(|parameter| *parameter.id != *entry.key) {
            value_input::unknown_key_row(ui, entry, fit_name, TablePath::Fit(fit.index as usize), out);
        }
    }
}
