//! Inputs: takes egui's `Ui`, a value and its accessible name, gives edits. No input keeps a value of its own: it shows
//! what the design says.

use egui::{Button, ComboBox, Id, Response, Role, Sense, TextEdit, Ui, WidgetInfo, vec2};

use crate::language::{say, tell};
use crate::theme::palette;
use crate::typed_number::TypedNumber;
use crate::widgets::{MIN_TARGET_SIZE, paint_severity, stay_after_enter, with_accessible_name, with_curly_quotes};
use crate::{Command, Edit, InspectorTab};
use moldloft_base::finding::Finding;

/// For numbers without a limit of their own.
pub const MAX_NUMBER: i64 = 999_999_999;

/// In points: of a number of four digits between its buttons.
pub const STEPPED_WIDTH: f32 = 35.0;

/// `edit` makes the edit for a number.
pub fn stepper(
    ui: &mut Ui,
    (name, number_name): (&str, &str),
    (value, least, most): (i64, i64, i64),
    out: &mut Vec<Command>,
    edit: impl Fn(i64) -> Option<Edit>,
) -> Response {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 4.0;
        let step = |ui: &mut Ui, sign: &str, change: &str, to: i64, can: bool| {
            // Tab goes to the number, whose arrow keys do the same.
            let button = Button::new(sign).min_size(vec2(MIN_TARGET_SIZE, MIN_TARGET_SIZE)).sense(Sense::CLICK);
            let button = ui.add_enabled(can, button);
            with_accessible_name(button, &tell(change, &[&say(name)])).clicked().then_some(to)
        };
        let fewer = step(ui, "−", "fewer {1}", value.saturating_sub(1).min(most), value > least);
        let response = number_input(ui, number_name, (value, least, most), STEPPED_WIDTH, out, &edit);
        let more = step(ui, "+", "more {1}", value.saturating_add(1).max(least), value < most);
        if let Some(made) = fewer.or(more).and_then(edit) {
            out.push(Command::Edit(made));
        }
        response
    })
    .inner
}

/// A number outside its range stays until the user changes it.
pub fn number_input(
    ui: &mut Ui,
    name: &str,
    (value, least, most): (i64, i64, i64),
    width: f32,
    out: &mut Vec<Command>,
    edit: impl Fn(i64) -> Option<Edit>,
) -> Response {
    let mut typed = value;
    let found = TypedNumber::default();
    let field = found.whole(&mut typed, least..=most).min_size(vec2(width, MIN_TARGET_SIZE));
    ui.spacing_mut().interact_size.x = width;
    // Digits take this space before the field grows.
    ui.spacing_mut().button_padding.x = 1.0;
    let response = with_accessible_name(ui.add(field), name);
    if let Some(before) = found.tell(&response, value) {
        typed = before;
    }
    if typed != value
        && let Some(made) = edit(typed)
    {
        out.push(Command::Edit(made.with_merge_key(format!("{:?}", response.id))));
    }
    if response.lost_focus() || response.drag_stopped() {
        out.push(Command::EndMerge);
    }
    stay_after_enter(ui, &response, typed);
    response
}

pub fn text_input(
    ui: &mut Ui,
    name: &str,
    value: &str,
    lines: usize,
    out: &mut Vec<Command>,
    edit: impl Fn(&str) -> Option<Edit>,
) -> Response {
    let mut typed = value.to_owned();
    let field = if lines > 1 {
        TextEdit::multiline(&mut typed).desired_rows(lines)
    } else {
        TextEdit::singleline(&mut typed).align(egui::Align2::LEFT_CENTER)
    };
    let response = ui.add(field.desired_width(ui.available_width()).min_size(vec2(24.0, 26.0)));
    let response = with_accessible_name(response, name);
    if typed != value {
        let made = edit(&typed);
        out.extend(made.map(|made| Command::Edit(made.with_merge_key(format!("{:?}", response.id)))));
    }
    out.extend(response.lost_focus().then_some(Command::EndMerge));
    response
}

pub struct InputOption<'a> {
    pub id: &'a str,
    pub label: &'a str,
    pub hint: String,
    pub disabled_reason: Option<String>,
}

impl<'a> InputOption<'a> {
    pub fn new(id: &'a str, label: &'a str) -> Self {
        Self { id, label, hint: String::new(), disabled_reason: None }
    }
}

/// `chosen` may be none of the options; it is then shown as written. Gives the id of a new choice.
pub fn choice_input<'a>(
    ui: &mut Ui,
    salt: Id,
    name: &str,
    chosen: &str,
    options: impl IntoIterator<Item = InputOption<'a>>,
    width: f32,
) -> (Response, Option<String>) {
    let options: Vec<InputOption<'a>> = options.into_iter().collect();
    let known = options.iter().find(|option| option.id == chosen);
    let shown = match known {
        Some(option) => egui::RichText::new(say(option.label)),
        None => egui::RichText::new(moldloft_rules::ruleset::shorten(chosen)).color(palette(ui).error),
    };
    let mut made = None;
    let combo = ComboBox::from_id_salt(salt).selected_text(shown).width(width).truncate().show_ui(ui, |ui| {
        for option in &options {
            let button = Button::selectable(option.id == chosen, say(option.label));
            let mut response = ui.add_enabled(option.disabled_reason.is_none(), button);
            if let Some(why) = &option.disabled_reason {
                response = response.on_disabled_hover_text(say(why));
            } else if !option.hint.is_empty() {
                response = response.on_hover_text(say(&option.hint));
            }
            if response.clicked() && option.id != chosen {
                made = Some(option.id.to_owned());
            }
        }
    });
    (with_accessible_name(combo.response, name), made)
}

/// Shape, letter and colour show the worst severity. A click shows the list.
pub fn findings_badge(ui: &mut Ui, findings: &[&Finding], out: &mut Vec<Command>) {
    let Some(worst) = findings.iter().map(|finding| finding.severity).min() else { return };
    let (rect, response) = ui.allocate_exact_size(vec2(20.0, MIN_TARGET_SIZE), Sense::click());
    paint_severity(ui, rect.center(), worst);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4, ui.visuals().selection.stroke, egui::StrokeKind::Inside);
    }
    let words: Vec<String> = findings
        .iter()
        .map(|finding| {
            let help = finding.help.as_ref().map(|help| format!("\n{}", say(help))).unwrap_or_default();
            format!("{}: {}{help}", say(finding.severity.as_str()), say(&finding.message))
        })
        .collect();
    let words = with_curly_quotes(&words.join("\n"));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
    out.extend(response.on_hover_text(&words).clicked().then(|| Command::ShowInspectorTab(InspectorTab::Findings)));
}

pub fn focus_if_wanted(response: &egui::Response, is_wanted: bool, out: &mut Vec<Command>) {
    if is_wanted {
        response.request_focus();
        response.scroll_to_me(None);
        out.push(Command::ClearGoTo);
    }
}
