//! Small widgets that several panels share: takes egui's `Ui` and plain values, gives responses.

use std::any::Any;
use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::text::{CCursor, CCursorRange, LayoutJob};
use egui::text_edit::TextEditState;
use egui::{
    Align, Align2, Button, Color32, ComboBox, Context, FocusDirection, FontId, Galley, Id, IntoAtoms, Key, Label,
    Layout, Modifiers, Popup, Pos2, Rect, Response, RichText, SetOpenCommand, Shape, Stroke, Ui, WidgetText, vec2,
};

use crate::icons::Icon;
use crate::language::say;
use crate::theme::{SMALL, bold, palette};
use moldloft_base::finding::{Advice, Finding, Severity};
pub use moldloft_base::sanitize::{amount_with_unit, capitalize};

/// In points, for everything that is clicked.
pub const MIN_TARGET_SIZE: f32 = 24.0;

/// The value for a key, computed again only when the key of this slot changes: for what a frame shows but should not
/// recompute.
pub fn memoized<K, T>(ctx: &Context, slot: &'static str, key: K, compute: impl FnOnce() -> T) -> T
where
    K: PartialEq + Clone + Any + Send + Sync,
    T: Clone + Any + Send + Sync,
{
    let slot = Id::unique(("memoized", slot));
    let known: Option<(K, T)> = ctx.data(|data| data.get_temp(slot));
    if let Some((_, value)) = known.filter(|(known, _)| *known == key) {
        return value;
    }
    let value = compute();
    ctx.data_mut(|data| data.insert_temp(slot, (key, value.clone())));
    value
}

pub fn severity_colour(ui: &Ui, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => palette(ui).error,
        Severity::Warning => palette(ui).warning,
        Severity::Info => palette(ui).muted,
    }
}

/// The sign of a severity: shapes differ as well as colours.
pub fn paint_severity(ui: &Ui, centre: Pos2, severity: Severity) {
    let (colour, painter) = (severity_colour(ui, severity), ui.painter());
    match severity {
        Severity::Error => _ = painter.circle_filled(centre, 7.5, colour),
        Severity::Warning => {
            let points = [vec2(0.0, -8.0), vec2(8.5, 7.0), vec2(-8.5, 7.0)].map(|by| centre + by);
            painter.add(Shape::convex_polygon(points.to_vec(), colour, Stroke::NONE));
        }
        Severity::Info => _ = painter.rect_filled(Rect::from_center_size(centre, vec2(13.0, 13.0)), 2.0, colour),
    }
    let letter = if severity == Severity::Info { "i" } else { "!" };
    let at = centre + vec2(0.0, if severity == Severity::Warning { 1.5 } else { 0.0 });
    painter.text(at, Align2::CENTER_CENTER, letter, FontId::new(SMALL, bold()), palette(ui).card);
}

/// A finding in a line of its own, coloured, with its help below; `place`: said before its message.
pub fn finding_lines(ui: &mut Ui, finding: &Finding, place: &str) {
    let (severity, message) = (say(finding.severity.as_str()), say(&finding.message));
    let text = with_curly_quotes(&format!("{severity}: {place}{message}"));
    let colour = severity_colour(ui, finding.severity);
    ui.add(Label::new(RichText::new(text).color(colour)).wrap());
    if let Some(help) = help_here(finding) {
        muted_quote(ui, with_curly_quotes(&format!("→ {}", say(help))));
    }
}

/// What to do, with the names of the window's controls.
fn help_here(finding: &Finding) -> Option<&str> {
    match finding.advice.as_deref() {
        Some(Advice::AskLess) => Some(
            "choose one of the “attacks that count”, lower “turns of fire”, switch “duel” off, or give the attack fewer dice, names and gauges",
        ),
        _ => finding.help.as_deref(),
    }
}

/// A text of at most so many rows, cut with an ellipsis where the width ends.
pub fn cut_text(ui: &Ui, text: &str, font: FontId, colour: Color32, rows: usize) -> Arc<Galley> {
    let mut job = LayoutJob::simple(say(text), font, colour, ui.available_width());
    job.wrap.max_rows = rows;
    ui.painter().layout_job(job)
}

fn led_to_id() -> Id {
    Id::unique("keys have led to")
}

/// Keys have led to this widget: it is scrolled to where it is shown next.
pub fn bring_into_sight(ctx: &Context, widget: Id) {
    ctx.data_mut(|data| data.insert_temp(led_to_id(), widget));
}

/// What the keyboard reaches comes into sight.
fn come_into_sight(response: &Response) {
    if response.has_focus() && response.ctx.data(|data| data.get_temp(led_to_id())) == Some(response.id) {
        response.ctx.data_mut(|data| data.remove::<Id>(led_to_id()));
        response.scroll_to_me_animation(None, ScrollAnimation::none());
    }
}

/// Of a scrolled part of the window: what keys lead to in it comes into sight.
pub fn keep_in_sight(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let wanted: Option<Id> = ui.data(|data| data.get_temp(led_to_id()));
    let place =
        |ui: &Ui, id: Id| ui.ctx().viewport(|viewport| viewport.this_pass.widgets.get(id).map(|shown| shown.rect));
    let wanted = wanted.filter(|id| place(ui, *id).is_none());
    add(ui);
    if let Some(rect) = wanted.and_then(|id| place(ui, id)) {
        ui.data_mut(|data| data.remove::<Id>(led_to_id()));
        ui.scroll_to_rect_animation(rect, None, ScrollAnimation::none());
    }
}

/// After Enter, a number field keeps the keyboard, and what is typed next replaces the number. The last that is asked of
/// the field in a frame.
pub fn stay_after_enter(ui: &Ui, field: &Response, number: i64) {
    if is_left_by_enter(ui, field) {
        field.request_focus();
        select_all(ui.ctx(), field.id, &number.to_string());
    }
}

/// Screen readers say this name, and tests find widgets by it.
pub fn with_accessible_name(response: Response, name: &str) -> Response {
    come_into_sight(&response);
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(say(name)));
    response
}

pub fn heading(ui: &mut Ui, text: &str) -> Response {
    let colour = palette(ui).muted;
    ui.label(RichText::new(say(text)).size(SMALL).family(bold()).color(colour))
}

/// A button whose label alone does not say what it is for. True if it was clicked.
pub fn named_button(ui: &mut Ui, label: &str, name: &str) -> bool {
    with_accessible_name(ui.button(say(label)), name).clicked()
}

/// Opened by a right click, or by Shift+F10 on what has the focus: then its first entry has it.
pub fn context_menu(response: &Response, add: impl FnOnce(&mut Ui)) {
    let (ctx, anchor) = (&response.ctx, response.id.with("menu"));
    let by_key = response.has_focus() && ctx.input_mut(|input| input.consume_key(Modifiers::SHIFT, Key::F10));
    if by_key {
        ctx.data_mut(|data| data.insert_temp(anchor, true));
    }
    let opens = (response.secondary_clicked() || by_key).then_some(SetOpenCommand::Bool(true));
    Popup::menu(response).open_memory(opens).show(|ui| {
        // Not in the frame that only measures it.
        if !ui.is_sizing_pass() && ui.data_mut(|data| data.remove_temp::<bool>(anchor)).is_some() {
            let layer = ui.layer_id();
            ui.memory_mut(|memory| {
                memory.request_focus(anchor);
                memory.move_focus(FocusDirection::Next);
                memory.interested_in_focus(anchor, layer);
            });
        }
        add(ui);
    });
}

/// Selects these characters of a text field, or puts the cursor there.
pub fn select_text(ctx: &Context, field: Id, chars: std::ops::Range<usize>) {
    let mut edit = TextEditState::load(ctx, field).unwrap_or_default();
    let range = CCursorRange::two(CCursor::new(chars.start), CCursor::new(chars.end));
    edit.cursor.set_char_range(Some(range));
    edit.store(ctx, field);
}

pub fn select_all(ctx: &Context, field: Id, text: &str) {
    select_text(ctx, field, 0..text.chars().count());
}

/// Where a place of a text is, for [`select_text`]; line and column count from 1.
pub fn char_index(text: &str, line: u32, column: u32) -> usize {
    let before: usize = text.split_inclusive('\n').take(line as usize - 1).map(|line| line.chars().count()).sum();
    before + (column.max(1) as usize - 1)
}

/// Whether Enter was pressed in a text field. Asked before the field gets the focus back, which Enter takes from it.
pub fn is_left_by_enter(ui: &Ui, field: &Response) -> bool {
    field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

/// A list of choices with their labels; gives the one that was clicked.
pub fn choice_list<T: PartialEq, L: AsRef<str>>(
    ui: &mut Ui,
    list: ComboBox,
    name: &str,
    now: T,
    choices: impl IntoIterator<Item = (T, L)>,
) -> Option<T> {
    let mut chosen = None;
    let shown = list.show_ui(ui, |ui| {
        for (choice, label) in choices {
            if ui.selectable_label(now == choice, say(label)).clicked() {
                chosen = Some(choice);
            }
        }
    });
    with_accessible_name(shown.response, name);
    chosen
}

/// A button of the least size.
pub fn small_button<'a>(label: impl Into<WidgetText>) -> Button<'a> {
    Button::new(label.into()).min_size(vec2(MIN_TARGET_SIZE, MIN_TARGET_SIZE))
}

/// A cell of this width, with its content centred vertically.
pub fn sized_cell<R>(ui: &mut Ui, width: f32, height: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::left_to_right(Align::Center);
    let cell = ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| {
        ui.set_min_width(width);
        add(ui)
    });
    cell.inner
}

/// Wrapped and muted.
pub fn muted_text(ui: &mut Ui, text: impl Into<String>) -> Response {
    muted_quote(ui, say(text.into()))
}

/// The same, as it is written: what somebody else wrote.
pub fn muted_quote(ui: &mut Ui, text: impl Into<String>) -> Response {
    let colour = palette(ui).muted;
    ui.add(Label::new(RichText::new(text).color(colour)).wrap())
}

/// Wrapped, in the colour of errors.
pub fn error_text(ui: &mut Ui, text: impl Into<String>) -> Response {
    let colour = palette(ui).error;
    ui.add(Label::new(RichText::new(say(text.into())).color(colour)).wrap())
}

pub fn muted_label(ui: &mut Ui, text: impl Into<String>) -> Response {
    let colour = palette(ui).muted;
    ui.label(RichText::new(say(text.into())).color(colour))
}

pub fn small_label(ui: &mut Ui, text: impl Into<String>) -> Response {
    let colour = palette(ui).muted;
    ui.label(RichText::new(say(text.into())).size(SMALL).color(colour))
}

pub fn primary_button(ui: &mut Ui, text: &str) -> Response {
    let ink = palette(ui).on_accent;
    primary(ui, RichText::new(say(text)).family(bold()).color(ink))
}

/// With an icon before its text.
pub fn primary_icon_button(ui: &mut Ui, icon: Icon, text: &str) -> Response {
    let ink = palette(ui).on_accent;
    let words = RichText::new(say(text)).family(bold()).color(ink);
    with_accessible_name(primary(ui, (icon.text().color(ink), words)), text)
}

fn primary<'a>(ui: &mut Ui, content: impl IntoAtoms<'a>) -> Response {
    let palette = palette(ui);
    let button = ui.add(Button::new(content).fill(palette.accent));
    if button.has_focus() {
        // Inside, where no edge of a dialog or list cuts it off.
        let stroke = egui::Stroke::new(2.0, palette.on_accent);
        ui.painter().rect_stroke(button.rect.shrink(2.5), 3.0, stroke, egui::StrokeKind::Inside);
    }
    button
}

/// A button that looks like text, with a ring while it has the focus: egui draws none on a button without a frame.
pub fn text_button(ui: &mut Ui, button: egui::Button<'_>) -> Response {
    let response = ui.add(button.frame(false));
    if response.has_focus() {
        let rect = response.rect.expand2(egui::vec2(3.0, 0.0));
        ui.painter().rect_stroke(rect, 4.0, ui.visuals().selection.stroke, egui::StrokeKind::Inside);
    }
    response
}

pub fn card_frame(ui: &Ui) -> egui::Frame {
    let palette = palette(ui);
    egui::Frame::new()
        .fill(palette.card)
        .stroke(egui::Stroke::new(1.0, palette.line))
        .corner_radius(4)
        .inner_margin(egui::Margin::symmetric(10, 8))
}

pub fn number_or_unknown(number: Option<i64>) -> String {
    number.map_or_else(|| "?".to_owned(), |number| number.to_string())
}

/// A back-tick next to a letter would look like an accent.
pub fn with_curly_quotes(message: &str) -> String {
    let mut parts = message.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (n, part) in parts.enumerate() {
        text.push(if n % 2 == 0 { '“' } else { '”' });
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        assert_eq!(amount_with_unit("+1", "points"), "+1 point");
        assert_eq!(amount_with_unit("−1", "structure blocks"), "−1 structure block");
        assert_eq!(amount_with_unit("1", "boxes"), "1 box");
        assert_eq!(amount_with_unit("1", "mass"), "1 mass");
        assert_eq!(amount_with_unit("11", "points"), "11 points");
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(char_index("äb\ncd\n", 1, 1), 0);
        assert_eq!(char_index("äb\ncd\n", 2, 2), 4);
        assert_eq!(char_index("", 3, 1), 0);
    }

    #[test]
    fn a_memoized_value_is_computed_once_for_each_key() {
        let (ctx, mut computed) = (Context::default(), 0);
        let mut value = |key: (u64, &'static str)| {
            memoized(&ctx, "test", key, || {
                computed += 1;
                format!("{} {}", key.0, key.1)
            })
        };
        assert_eq!([value((1, "a")), value((1, "a")), value((2, "a"))], ["1 a", "1 a", "2 a"]);
        assert_eq!(computed, 2);
    }

    #[test]
    fn words_in_back_ticks_are_quoted() {
        assert_eq!(with_curly_quotes("write `key = value` here"), "write “key = value” here");
    }
}
