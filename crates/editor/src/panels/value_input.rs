//! An input for one value of a file: number, flag, choice, text or list. Takes the stated value and the default; a
//! value of another type is shown as written, with a button to remove it.

use egui::{Checkbox, Id, Label, Response, RichText, Ui, vec2};
use moldloft_rules::design::TablePath;
use toml_edit::Array;

use crate::inputs::{InputOption, MAX_NUMBER, choice_input, number_input, stepper, text_input};
use crate::language::{say, tell};
use crate::panels::dialog_parts::select_when_focused;
use crate::theme::{SMALL, palette};
use crate::value_text::{as_read, as_written, text_or_default};
use crate::widgets::{MIN_TARGET_SIZE, sized_cell, small_button, with_accessible_name};
use crate::{Command, Edit};
use moldloft_base::source::toml::{TomlEntry, TomlValue};
use moldloft_rules::formula::{Type, Value};

pub struct ValueSpec<'a> {
    pub ty: &'a Type,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub label: &'a str,
    pub accessible_name: &'a str,
    /// Several in a line.
    pub is_brief: bool,
    /// Takes the focus in this frame.
    pub wants_focus: bool,
    /// In points, including the space after it.
    pub width: f32,
}

/// `edit` makes the edit for a new value; without one, the key is taken out of the file. Gives the input, if there is one.
pub fn show(
    ui: &mut Ui,
    kind: &ValueSpec<'_>,
    stated: Option<&TomlValue<'_>>,
    default: &Value,
    out: &mut Vec<Command>,
    edit: impl Fn(Option<toml_edit::Value>) -> Edit,
) -> Option<Id> {
    if kind.is_brief {
        ui.label(RichText::new(say(kind.label)).size(SMALL).color(palette(ui).muted));
        let input = parameter_input(ui, kind, stated, default, 34.0, out, edit);
        ui.add_space(8.0);
        input
    } else {
        labelled_line(ui, kind.label, kind.width, |ui| {
            parameter_input(ui, kind, stated, default, kind.width, out, edit)
        })
    }
}

pub fn labelled_line<R>(ui: &mut Ui, label: &str, width: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.add_space(12.0);
        let wide = (ui.available_width() - width - 3.0).max(40.0);
        sized_cell(ui, wide, MIN_TARGET_SIZE, |ui| {
            let text = RichText::new(say(label)).size(SMALL).color(palette(ui).muted);
            ui.add(Label::new(text).truncate());
        });
        add(ui)
    })
    .inner
}

fn parameter_input(
    ui: &mut Ui,
    spec: &ValueSpec<'_>,
    stated: Option<&TomlValue<'_>>,
    default: &Value,
    width: f32,
    out: &mut Vec<Command>,
    edit: impl Fn(Option<toml_edit::Value>) -> Edit,
) -> Option<Id> {
    let kind = InputKind::of_type(spec.ty, spec.min, spec.max, !spec.is_brief);
    let is_known = match (&kind, stated) {
        (_, Some(_)) => true,
        (InputKind::Integer { .. }, None) => matches!(default, Value::Int(_)),
        (InputKind::Flag, None) => matches!(default, Value::Flag(_)),
        (InputKind::Choice(_) | InputKind::Text | InputKind::List { .. }, None) => true,
        (InputKind::ReadOnly, None) => false,
    };
    let kind = if is_known { kind } else { InputKind::ReadOnly };
    let salt = ui.make_persistent_id(spec.accessible_name);
    let input = TypedInput { name: spec.accessible_name, kind, width, salt };
    let accepts = input.accepts(stated);
    let edit = |value| Some(edit(value));
    let response = match input.kind {
        InputKind::Text | InputKind::List { .. } if accepts => {
            sized_ui(ui, width, |ui| input.show(ui, stated, default, out, edit)).inner
        }
        _ => input.show(ui, stated, default, out, edit),
    };
    if !accepts {
        response.on_hover_text(say(format!("expected {}", spec.ty.describe())));
        return None;
    }
    if spec.wants_focus {
        response.request_focus();
        response.scroll_to_me(None);
        select_when_focused(ui, &response, &text_or_default(stated, default));
    }
    Some(response.id)
}

pub enum InputKind<'a> {
    /// [`MAX_NUMBER`] is the limit if there is no other.
    Integer {
        min: Option<i64>,
        max: Option<i64>,
        has_buttons: bool,
    },
    Flag,
    Choice(Vec<InputOption<'a>>),
    Text,
    List {
        is_of_numbers: bool,
    },
    /// Shows the value with a button to remove it.
    ReadOnly,
}

impl<'a> InputKind<'a> {
    pub fn of_type(ty: &'a Type, min: Option<i64>, max: Option<i64>, has_buttons: bool) -> Self {
        match ty {
            Type::Int => Self::Integer { min, max, has_buttons },
            Type::Flag => Self::Flag,
            Type::Text(Some(words)) => {
                let option = |word: &'a std::sync::Arc<str>| InputOption {
                    id: word,
                    label: word,
                    hint: String::new(),
                    disabled_reason: None,
                };
                Self::Choice(words.iter().map(option).collect())
            }
            Type::Text(None) => Self::Text,
            Type::List(item) => Self::List { is_of_numbers: **item == Type::Int },
            _ => Self::ReadOnly,
        }
    }
}

pub struct TypedInput<'a> {
    pub name: &'a str,
    pub kind: InputKind<'a>,
    pub width: f32,
    pub salt: Id,
}

impl TypedInput<'_> {
    pub fn accepts(&self, stated: Option<&TomlValue<'_>>) -> bool {
        match (&self.kind, stated) {
            (InputKind::ReadOnly, _) => false,
            (_, None) => true,
            (InputKind::Integer { .. }, Some(data)) => matches!(data, TomlValue::Int(_)),
            (InputKind::Flag, Some(data)) => matches!(data, TomlValue::Flag(_)),
            (InputKind::Choice(_) | InputKind::Text, Some(data)) => matches!(data, TomlValue::Text(_)),
            (InputKind::List { .. }, Some(data)) => matches!(data, TomlValue::List(_)),
        }
    }

    /// Shows the stated value or the default; 0, off or empty if that has another type. What cannot be shown is as written,
    /// with a button that takes it out.
    pub fn show(
        self,
        ui: &mut Ui,
        stated: Option<&TomlValue<'_>>,
        default: &Value,
        out: &mut Vec<Command>,
        edit: impl Fn(Option<toml_edit::Value>) -> Option<Edit>,
    ) -> Response {
        if !self.accepts(stated) {
            let text = stated.map(as_written).unwrap_or_default();
            let text = RichText::new(say(moldloft_rules::ruleset::shorten(&text))).color(palette(ui).error);
            let response = ui.add(Label::new(text).truncate());
            if remove_button(ui, self.name) {
                out.extend(edit(None).map(Command::Edit));
            }
            return response;
        }
        let name = self.name;
        let edit = |value: toml_edit::Value| edit(Some(value));
        match self.kind {
            InputKind::Integer { min, max, has_buttons } => {
                let value = match (stated, default) {
                    (Some(TomlValue::Int(value)), _) | (None, Value::Int(value)) => *value,
                    _ => 0,
                };
                let range = (value, min.unwrap_or(-MAX_NUMBER), max.unwrap_or(MAX_NUMBER));
                match has_buttons {
                    true => stepper(ui, (name, name), range, out, |value| edit(value.into())),
                    false => number_input(ui, name, range, self.width, out, |value| edit(value.into())),
                }
            }
            InputKind::Flag => {
                let mut on = match (stated, default) {
                    (Some(TomlValue::Flag(on)), _) | (None, Value::Flag(on)) => *on,
                    _ => false,
                };
                let response = with_accessible_name(ui.add(Checkbox::without_text(&mut on)), name);
                if response.changed() {
                    out.extend(edit(on.into()).map(Command::Edit));
                }
                response
            }
            InputKind::Choice(options) => {
                let chosen = text_or_default(stated, default);
                let (response, made) = choice_input(ui, self.salt, name, &chosen, options, self.width);
                out.extend(made.and_then(|word| edit(word.into())).map(Command::Edit));
                response
            }
            InputKind::Text => {
                let shown = text_or_default(stated, default);
                text_input(ui, name, &shown, 1, out, |typed| edit(typed.into()))
            }
            InputKind::List { is_of_numbers } => {
                let shown = match stated {
                    Some(TomlValue::List(list)) => {
                        list.iter().map(|node| as_read(&node.data)).collect::<Vec<_>>().join(", ")
                    }
                    _ => default.shown().unwrap_or_default(),
                };
                let hint = if is_of_numbers { "numbers, separated by commas" } else { "words, separated by commas" };
                list_input(ui, name, &shown, hint, out, edit)
            }
            // Accepts nothing.
            InputKind::ReadOnly => ui.label(""),
        }
    }
}

fn sized_ui<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) -> egui::InnerResponse<R> {
    ui.allocate_ui_with_layout(vec2(width, 26.0), egui::Layout::left_to_right(egui::Align::Center), add)
}

/// Keeps what is typed until the field loses the focus.
fn list_input(
    ui: &mut Ui,
    name: &str,
    shown: &str,
    hint: &str,
    out: &mut Vec<Command>,
    edit: impl Fn(toml_edit::Value) -> Option<Edit>,
) -> Response {
    let id = ui.make_persistent_id((name, "list"));
    let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| shown.to_owned());
    let field = egui::TextEdit::singleline(&mut typed).id(id).desired_width(ui.available_width());
    let response = with_accessible_name(ui.add(field.min_size(vec2(24.0, 26.0))), name).on_hover_text(say(hint));
    if response.changed() {
        let items = typed.split(',').map(str::trim).filter(|item| !item.is_empty());
        let items: Array = items
            .map(|item| item.replace('−', "-").parse::<i64>().map_or_else(|_| item.into(), toml_edit::Value::from))
            .collect();
        let made = edit(toml_edit::Value::Array(items));
        out.extend(made.map(|made| Command::Edit(made.with_merge_key(format!("{id:?}")))));
        ui.data_mut(|data| data.insert_temp(id, typed));
    }
    if response.lost_focus() || !response.has_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    out.extend(response.lost_focus().then_some(Command::EndMerge));
    response
}

pub fn remove_button(ui: &mut Ui, name: &str) -> bool {
    let button = ui.add(small_button(say("Remove")));
    with_accessible_name(button, &format!("remove {name}")).clicked()
}

/// A key that the rules do not know, with a button that takes it out of its table.
pub fn unknown_key_row(ui: &mut Ui, entry: &TomlEntry<'_>, of: &str, path: TablePath, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.add_space(10.0);
        let (key, shown) = (&*entry.key, as_written(&entry.node.data));
        let text = format!("{} = {}", moldloft_rules::ruleset::shorten(key), moldloft_rules::ruleset::shorten(&shown));
        ui.colored_label(palette(ui).error, text).on_hover_text(say("Unknown to these rules; kept unchanged"));
        let what = tell("{1} of {2}", &[key, of]);
        if remove_button(ui, &what) {
            out.push(Command::Edit(Edit::change(&what, path, key, None)));
        }
    });
}
