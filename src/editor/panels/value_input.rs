//! One value of a design, edited by what it is to hold: a number, a flag, a word, a text, a list. Takes what the file says and what holds
//! without it; something of the wrong kind is shown as it stands, with the way out.

use egui::{Button, Checkbox, Label, RichText, Ui, vec2};
use toml_edit::Array;

use crate::editor::inputs::{
    InputOption, MAX_NUMBER, MIN_TARGET_SIZE, choice_input, number_input, stepper, text_input,
};
use crate::editor::theme::palette;
use crate::editor::widgets::with_accessible_name;
use crate::editor::{Command, Edit};
use crate::formula::{Type, Value};
use crate::source::toml::TomlValue;

use super::design_view::as_written;

/// What a value is to hold, and what it is called.
pub struct ValueSpec<'a> {
    pub ty: &'a Type,
    pub min: Option<i64>,
    pub max: Option<i64>,
    /// Beside it.
    pub label: &'a str,
    /// To a screen reader.
    pub accessible_name: &'a str,
    /// Short: a label and a number, several in a line.
    pub is_brief: bool,
    /// How wide the input is, the space behind it included.
    pub width: f32,
}

/// Shows it. True when the key is to be taken out of the file.
pub fn show(
    ui: &mut Ui,
    kind: &ValueSpec<'_>,
    stated: Option<&TomlValue<'_>>,
    default: &Value,
    out: &mut Vec<Command>,
    edit: impl Fn(toml_edit::Value) -> Edit,
) -> bool {
    if kind.is_brief {
        ui.label(RichText::new(kind.label).size(13.5).color(palette(ui).muted));
        let gone = typed_input(ui, kind, stated, default, 34.0, out, edit);
        ui.add_space(8.0);
        return gone;
    }
    let mut gone = false;
    labelled_line(ui, kind.label, kind.width, |ui| {
        gone = typed_input(ui, kind, stated, default, kind.width, out, edit)
    });
    gone
}

/// A quiet label, and what belongs to it under the counts of the rows above.
pub fn labelled_line(ui: &mut Ui, label: &str, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.add_space(12.0);
        let wide = (ui.available_width() - width - 3.0).max(40.0);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(vec2(wide, MIN_TARGET_SIZE), layout, |ui| {
            ui.set_min_width(wide);
            let text = RichText::new(label).size(13.5).color(palette(ui).muted);
            ui.add(Label::new(text).truncate());
        });
        add(ui);
    });
}

fn typed_input(
    ui: &mut Ui,
    kind: &ValueSpec<'_>,
    stated: Option<&TomlValue<'_>>,
    default: &Value,
    width: f32,
    out: &mut Vec<Command>,
    edit: impl Fn(toml_edit::Value) -> Edit,
) -> bool {
    match (kind.ty, stated, default) {
        (Type::Int, Some(TomlValue::Int(value)), _) | (Type::Int, None, Value::Int(value)) => {
            let range = (*value, kind.min.unwrap_or(-MAX_NUMBER), kind.max.unwrap_or(MAX_NUMBER));
            if kind.is_brief {
                number_input(ui, kind.accessible_name, range, width, out, |value| Some(edit(value.into())));
            } else {
                stepper(ui, (kind.accessible_name, kind.accessible_name), range, out, |value| Some(edit(value.into())));
            }
        }
        (Type::Flag, Some(TomlValue::Flag(value)), _) | (Type::Flag, None, Value::Flag(value)) => {
            let mut on = *value;
            let flag = ui.add(Checkbox::without_text(&mut on));
            if with_accessible_name(flag, kind.accessible_name).changed() {
                out.push(Command::Edit(edit(on.into())));
            }
        }
        (Type::Text(Some(words)), Some(TomlValue::Text(_)) | None, _) => {
            let chosen = inline_text(stated, default);
            let options = words.iter().map(|word| InputOption {
                id: word,
                label: word,
                hint: String::new(),
                disabled_reason: None,
            });
            let salt = ui.make_persistent_id(kind.accessible_name);
            let (_, made) = choice_input(ui, salt, kind.accessible_name, &chosen, options, width);
            out.extend(made.map(|word| Command::Edit(edit(word.into()))));
        }
        (Type::Text(None), Some(TomlValue::Text(_)) | None, _) => {
            sized_ui(ui, width, |ui| {
                text_input(ui, kind.accessible_name, &inline_text(stated, default), 1, out, |typed| edit(typed.into()))
            });
        }
        (Type::List(item), Some(TomlValue::List(_)) | None, _) => {
            let shown = match stated {
                Some(TomlValue::List(list)) => {
                    list.iter().map(|node| plain_text(&node.data)).collect::<Vec<_>>().join(", ")
                }
                _ => default.shown().unwrap_or_default(),
            };
            let hint = if **item == Type::Int { "numbers, separated by commas" } else { "words, separated by commas" };
            sized_ui(ui, width, |ui| list_input(ui, kind.accessible_name, &shown, hint, out, edit));
        }
        _ => {
            let shown = stated.map(as_written).unwrap_or_default();
            let text = RichText::new(crate::ruleset::shorten(&shown)).color(palette(ui).error);
            ui.add(Label::new(text).truncate()).on_hover_text(format!("expected {}", kind.ty.describe()));
            return remove_button(ui, kind.accessible_name);
        }
    }
    false
}

fn sized_ui<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) {
    ui.allocate_ui_with_layout(vec2(width, 26.0), egui::Layout::left_to_right(egui::Align::Center), add);
}

/// A list as a line of text. What is typed is kept as it is typed until the keyboard leaves the field.
fn list_input(
    ui: &mut Ui,
    name: &str,
    shown: &str,
    hint: &str,
    out: &mut Vec<Command>,
    edit: impl Fn(toml_edit::Value) -> Edit,
) {
    let id = ui.make_persistent_id((name, "list"));
    let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| shown.to_owned());
    let field = egui::TextEdit::singleline(&mut typed).id(id).desired_width(ui.available_width());
    let response = with_accessible_name(ui.add(field.min_size(vec2(24.0, 26.0))), name).on_hover_text(hint);
    if response.changed() {
        let items = typed.split(',').map(str::trim).filter(|item| !item.is_empty());
        let items: Array = items
            .map(|item| item.replace('−', "-").parse::<i64>().map_or_else(|_| item.into(), toml_edit::Value::from))
            .collect();
        out.push(Command::Edit(edit(toml_edit::Value::Array(items)).with_merge_key(format!("{id:?}"))));
        ui.data_mut(|data| data.insert_temp(id, typed));
    }
    if response.lost_focus() || !response.has_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    if response.lost_focus() {
        out.push(Command::EndMerge);
    }
}

fn plain_text(data: &TomlValue<'_>) -> String {
    match data {
        TomlValue::Text(text) => text.to_string(),
        other => as_written(other),
    }
}

fn inline_text(stated: Option<&TomlValue<'_>>, default: &Value) -> String {
    match (stated, default) {
        (Some(TomlValue::Text(text)), _) => text.to_string(),
        (None, Value::Text(text)) => text.to_string(),
        _ => String::new(),
    }
}

/// A button that takes something out.
pub fn remove_button(ui: &mut Ui, name: &str) -> bool {
    let button = ui.add(Button::new("Remove").min_size(vec2(MIN_TARGET_SIZE, MIN_TARGET_SIZE)));
    with_accessible_name(button, &format!("remove {name}")).clicked()
}

/// A key that the rules do not know, as it stands.
pub fn unknown_key_row(ui: &mut Ui, key: &str, shown: &str, of: &str, mut gone: impl FnMut()) {
    ui.horizontal_wrapped(|ui| {
        ui.add_space(10.0);
        let text = format!("{} = {}", crate::ruleset::shorten(key), crate::ruleset::shorten(shown));
        ui.colored_label(palette(ui).error, text).on_hover_text("Unknown to these rules; kept unchanged");
        if remove_button(ui, &format!("{key} of {of}")) {
            gone();
        }
    });
}
