//! The upper part of the form: name, notes and the ruleset's fields.

use std::sync::Arc;

use egui::{Button, Id, Label, RichText, Ui, vec2};

use crate::icons::{Icon, icon_button};
use crate::inputs::{InputOption, findings_badge, focus_if_wanted, text_input};
use crate::language::say;
use crate::library_browser::NEW_DESIGN_NAME;
use crate::panels::about;
use crate::panels::design_view::DesignView;
use crate::panels::row_table;
use crate::panels::value_input::{InputKind, TypedInput, remove_button, unknown_key_row};
use crate::suggest::panel::ask;
use crate::theme::{SMALL, palette};
use crate::value_text::{as_read, text_or_empty};
use crate::widgets::{
    capitalize, muted_label, select_all, sized_cell, small_button, small_label, with_accessible_name,
};
use crate::{Command, Doc, Edit, EditorState, FormTarget, InspectorTab};
use moldloft_base::finding::Finding;
use moldloft_base::source::toml::TomlEntry;
use moldloft_odds::suggest::Request;
use moldloft_rules::design::{DesignPart, DocumentEdit, TablePath};
use moldloft_rules::evaluate::{Evaluation, FieldResult, Margin, MarginKind};
use moldloft_rules::ruleset::{ChoiceDef, FieldDef, FieldKind};

const MIN_CELL_WIDTH: f32 = 300.0;
const LABEL_WIDTH: f32 = 128.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(open_design) = doc.as_design() else {
        muted_label(ui, "This file cannot be read as a design. See the findings; fix it in a text editor.");
        return;
    };
    ui.style_mut().interaction.selectable_labels = false;
    ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
    ui.add_space(4.0);
    let ship = DesignView::new(state);
    let top = |key: &'static str, typed: &str| {
        Some(Edit::single(format!("change the {key}"), DocumentEdit::set(TablePath::Top, key, typed)))
    };
    let wanted = |place: FormTarget| state.go_to.as_ref() == Some(&place);
    let findings = |key: &str| {
        let is = |subject: &DesignPart| matches!(subject, DesignPart::TopKey(head) if **head == *key);
        ship.as_ref().map(|ship| ship.findings_about(is)).unwrap_or_default()
    };
    let name_input = |ui: &mut Ui, out: &mut Vec<Command>| {
        let name = text_or_empty(&open_design.design.name);
        let response = text_input(ui, "name", &name, 1, out, |typed| top("name", typed));
        let is_wanted = wanted(FormTarget::TopKey("name"));
        if is_wanted && name == say(NEW_DESIGN_NAME) {
            select_all(ui.ctx(), response.id, &name);
        }
        focus_if_wanted(&response, is_wanted, out);
    };
    if let Some(ship) = &ship
        && is_folded(ui, ship, state, out)
    {
        folded_identity(ui, ship, &findings("name"), out, name_input);
        design_fields(ui, ship, &mut FormGrid::new(ui, Some(ship.evaluation.clone())), leading_choices(ship), out);
        return other_parts(ui, ship, out);
    }
    let mut cells = FormGrid::new(ui, ship.as_ref().map(|ship| ship.evaluation.clone()));
    cells.grid_cell(ui, "name", &findings("name"), out, name_input);
    cells.grid_cell(ui, "rules", &findings("ruleset"), out, |ui, out| {
        let shown = match &ship {
            Some(ship) => ship.evaluation.ruleset.rules_title(),
            None => format!("{} (not usable)", text_or_empty(&open_design.design.ruleset)),
        };
        ui.horizontal(|ui| {
            if ship.is_some() {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let fold = ui.add(small_button(say("Fold")).frame_when_inactive(false));
                    if with_accessible_name(fold, "Fold name, choices and notes to one line").clicked() {
                        ui.data_mut(|data| data.insert_temp(new_identity(doc), false));
                        out.push(Command::ShowIdentity(false));
                    }
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        let rules = Button::new(&shown).truncate().frame_when_inactive(false);
                        let rules = with_accessible_name(ui.add(rules), &format!("Rules of the design: {shown}"));
                        let rules = rules.on_hover_text(say("Show the rules in use, and try others"));
                        out.extend(rules.clicked().then_some(Command::ShowInspectorTab(InspectorTab::Rules)));
                    });
                });
            } else {
                ui.add(Label::new(shown).truncate());
            }
        });
    });
    if let Some(ship) = &ship {
        design_fields(ui, ship, &mut cells, 0, out);
    }
    cells.end_row(ui);
    cells.full_width_cell(ui, "notes", &findings("notes"), out, |ui, out| {
        let response =
            text_input(ui, "notes", &text_or_empty(&open_design.design.notes), 2, out, |typed| top("notes", typed));
        focus_if_wanted(&response, wanted(FormTarget::TopKey("notes")), out);
    });
    if let Some(ship) = ship {
        other_parts(ui, &ship, out);
    }
}

/// Keys that the rules do not know, and tables.
fn other_parts(ui: &mut Ui, ship: &DesignView<'_>, out: &mut Vec<Command>) {
    let open_design = ship.design;
    for entry in &open_design.design.fields {
        if ship.evaluation.ruleset.fields.iter().all(|field| *field.id != *entry.key) {
            let findings =
                ship.findings_about(|subject| matches!(subject, DesignPart::Field(id) if **id == *entry.key));
            findings_badge(ui, &findings, out);
            unknown_key_row(ui, entry, "the fields", TablePath::Fields, out);
        }
    }
    for entry in &open_design.design.unknown {
        unknown_key_row(ui, entry, "the design", TablePath::Top, out);
    }
    let fields = ship.evaluation.fields.iter().zip(&ship.evaluation.ruleset.fields);
    for (result, field) in fields {
        if let FieldKind::Rows(columns) = &field.kind {
            let stated = open_design.design.fields.iter().find(|entry| *entry.key == *field.id);
            if result.applies || stated.is_some() {
                row_table::show(ui, ship, field, columns, result.applies, stated, out);
            }
        }
    }
}

/// The choices and texts before the first number or flag: what the design is, rather than what it has.
fn leading_choices(ship: &DesignView<'_>) -> usize {
    let fields = ship.evaluation.ruleset.fields.iter();
    fields.take_while(|field| matches!(field.kind, FieldKind::Choice(_) | FieldKind::Text)).count()
}

/// Whether the identity of a design that was blank is still unfolded.
fn new_identity(doc: &Doc) -> Id {
    Id::unique(("identity of a new design", doc.id.0))
}

/// A blank design shows all, and goes on to when it is filled, so that nothing moves under the pointer; so does one in which
/// a folded part is wanted.
fn is_folded(ui: &Ui, ship: &DesignView<'_>, state: &EditorState, out: &mut Vec<Command>) -> bool {
    let key = new_identity(ship.doc);
    let stays_open = match ui.data(|data| data.get_temp::<bool>(key)) {
        None if ship.doc.is_blank() => {
            ui.data_mut(|data| data.insert_temp(key, true));
            true
        }
        kept => kept.unwrap_or(false),
    };
    if state.settings.identity || stays_open {
        return false;
    }
    let leading = &ship.evaluation.ruleset.fields[..leading_choices(ship)];
    let is_hidden = match &state.go_to {
        Some(FormTarget::TopKey(key)) => *key != "name",
        Some(FormTarget::Field(id)) => leading.iter().any(|field| *field.id == **id),
        _ => false,
    };
    if is_hidden {
        out.push(Command::ShowIdentity(true));
    }
    !is_hidden
}

/// Name, and what was chosen, in one line.
fn folded_identity(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    of_name: &[&Finding],
    out: &mut Vec<Command>,
    name: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    let leading = leading_choices(ship);
    let ids: Vec<&str> = ship.evaluation.ruleset.fields[..leading].iter().map(|field| &*field.id).collect();
    let hidden = ship.findings_about(|subject| match subject {
        DesignPart::Field(id) => ids.contains(&&**id),
        DesignPart::TopKey(key) => **key != *"name",
        _ => false,
    });
    let fields = ship.evaluation.fields[..leading].iter().zip(&ship.evaluation.ruleset.fields);
    let chosen = fields.filter(|(field, _)| field.applies && !field.text.is_empty());
    // What a player typed stays.
    let word = |(field, def): (&FieldResult, &FieldDef)| match def.kind {
        FieldKind::Text => field.text.to_string(),
        _ => say(&*field.text),
    };
    let mut parts: Vec<String> = chosen.map(word).collect();
    parts.push(ship.evaluation.ruleset.rules_title());
    let notes = text_or_empty(&ship.design.design.notes);
    parts.extend(notes.lines().next().map(str::to_owned).filter(|line| !line.is_empty()));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        findings_badge(ui, of_name, out);
        let wide = (ui.available_width() * 0.34).clamp(120.0, 260.0);
        ui.allocate_ui_with_layout(vec2(wide, 26.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
            name(ui, out);
        });
        findings_badge(ui, &hidden, out);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let unfold = icon_button(ui, Icon::Collapse, "Show choices and notes");
            let text = RichText::new(parts.join("  ·  ")).color(palette(ui).muted);
            // One tooltip, with what is cut off.
            let line = Label::new(text).truncate().show_tooltip_when_elided(false).sense(egui::Sense::click());
            let line = ui
                .with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(line))
                .inner
                .on_hover_text(format!("{}\n{}", parts.join("  ·  "), say("Click to change them")));
            if unfold.clicked() || line.clicked() {
                out.push(Command::ShowIdentity(true));
            }
        });
    });
}

/// From the field of this index on.
fn design_fields(ui: &mut Ui, ship: &DesignView<'_>, cells: &mut FormGrid, from: usize, out: &mut Vec<Command>) {
    let fields = ship.evaluation.fields.iter().zip(&ship.evaluation.ruleset.fields);
    for (result, field) in fields.skip(from).filter(|(_, field)| !matches!(field.kind, FieldKind::Rows(_))) {
        let stated = ship.design.design.fields.iter().find(|entry| *entry.key == *field.id);
        if result.applies {
            field_input(ui, ship, cells, field, result, stated, out);
        } else if let Some(entry) = stated {
            inapplicable_field(ui, cells, field, entry, out);
        }
    }
    cells.end_row(ui);
}

struct FormGrid {
    /// Labels are explained for this ship.
    evaluation: Option<Arc<Evaluation>>,
    columns: usize,
    width: f32,
    next_column: usize,
    top: f32,
    bottom: f32,
}

impl FormGrid {
    fn new(ui: &Ui, evaluation: Option<Arc<Evaluation>>) -> Self {
        let all = ui.available_width();
        let columns = if all >= MIN_CELL_WIDTH * 2.0 { 2 } else { 1 };
        let width = (all - 18.0 * (columns as f32 - 1.0)) / columns as f32;
        Self { evaluation, columns, width, next_column: 0, top: 0.0, bottom: 0.0 }
    }

    fn grid_cell(
        &mut self,
        ui: &mut Ui,
        label: &str,
        findings: &[&Finding],
        out: &mut Vec<Command>,
        add: impl FnOnce(&mut Ui, &mut Vec<Command>),
    ) {
        let area = ui.available_rect_before_wrap();
        if self.next_column == 0 {
            self.top = area.top();
            self.bottom = self.top;
        }
        let left = area.left() + (self.width + 18.0) * self.next_column as f32;
        let rect = egui::Rect::from_min_size(egui::pos2(left, self.top), vec2(self.width, 26.0));
        let shown = ui.scope_builder(egui::UiBuilder::new().max_rect(rect).id_salt(label), |ui| {
            labelled_input(ui, self.evaluation.as_deref(), label, findings, out, add);
        });
        self.bottom = self.bottom.max(shown.response.rect.bottom());
        self.next_column += 1;
        if self.next_column == self.columns {
            self.end_row(ui);
        }
    }

    fn end_row(&mut self, ui: &mut Ui) {
        if self.next_column > 0 {
            let area = ui.available_rect_before_wrap();
            let used =
                egui::Rect::from_min_max(egui::pos2(area.left(), self.top), egui::pos2(area.right(), self.bottom));
            ui.expand_to_include_rect(used);
            ui.advance_cursor_after_rect(used);
            self.next_column = 0;
        }
    }

    fn full_width_cell(
        &mut self,
        ui: &mut Ui,
        label: &str,
        findings: &[&Finding],
        out: &mut Vec<Command>,
        add: impl FnOnce(&mut Ui, &mut Vec<Command>),
    ) {
        self.end_row(ui);
        labelled_input(ui, self.evaluation.as_deref(), label, findings, out, add);
    }
}

fn labelled_input(
    ui: &mut Ui,
    evaluation: Option<&Evaluation>,
    label: &str,
    findings: &[&Finding],
    out: &mut Vec<Command>,
    add: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    ui.horizontal_top(|ui| {
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        // The badge's place is kept free: a label that wraps anew would move the rows below.
        let signs = 24.0;
        sized_cell(ui, LABEL_WIDTH, 26.0, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let text = RichText::new(capitalize(&say(label))).color(palette(ui).muted);
            sized_cell(ui, LABEL_WIDTH - signs, 26.0, |ui| {
                let shown = ui.add(Label::new(text).wrap());
                if let Some(evaluation) = evaluation {
                    about::with_meaning(shown, evaluation, label);
                }
            });
            findings_badge(ui, findings, out);
        });
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 26.0), layout, |ui| add(ui, out));
    });
}

fn field_input(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    cells: &mut FormGrid,
    field: &FieldDef,
    result: &FieldResult,
    stated: Option<&TomlEntry<'static>>,
    out: &mut Vec<Command>,
) {
    let findings = ship.findings_about(|subject| matches!(subject, DesignPart::Field(id) if **id == *field.id));
    let is_wanted = ship.is_wanted(&FormTarget::Field(field.id.to_string()));
    let name = &*result.label;
    let edit = |value| Some(Edit::change(name, TablePath::Fields, &field.id, value));
    let data = stated.map(|entry| &entry.node.data);
    cells.grid_cell(ui, name, &findings, out, |ui, out| {
        let kind = match &field.kind {
            FieldKind::Choice(options) => InputKind::Choice(input_options(options).collect()),
            FieldKind::Integer { min, max } => InputKind::Integer { min: *min, max: *max, has_buttons: true },
            FieldKind::Flag => InputKind::Flag,
            FieldKind::Text => InputKind::Text,
            FieldKind::Rows(_) => InputKind::ReadOnly,
        };
        let salt = Id::unique(("field", &*field.id));
        let input = TypedInput { name, kind, width: ui.available_width() - 2.0, salt };
        let accepts = input.accepts(data);
        let response = input.show(ui, data, &field.default, out, edit);
        if let FieldKind::Integer { min, max } = &field.kind
            && accepts
        {
            number_hint(ui, ship, field, (*min, *max), out);
        }
        focus_if_wanted(&response, is_wanted, out);
        if let Some(help) = &field.help {
            response.on_hover_text(say(&**help));
        }
    });
}

/// Margin of a number, which asks for the break-points of what it is spent on, or its range.
fn number_hint(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    field: &FieldDef,
    (min, max): (Option<i64>, Option<i64>),
    out: &mut Vec<Command>,
) {
    let hint = match (min, max) {
        (Some(min), Some(max)) if max < 9_999 => format!("{min} to {max}").replace('-', "−"),
        _ => String::new(),
    };
    match margin_hint(ship, &field.id) {
        Some((words, sentences, margin)) => {
            let text = RichText::new(say(&words)).size(SMALL).color(palette(ui).muted);
            let question = format!("Break-points of {}: one more or fewer of each number", margin.label);
            // Several fields may be spent on one value.
            let name = format!("{words}, {}: {question}", field.label);
            let hint = format!("{sentences}\nClick: {question}");
            let request = Request::Breaks(Some(margin.value.to_string()));
            ask::ask_link(ui, text, &name, &hint, request, out);
        }
        None => {
            small_label(ui, hint);
        }
    }
}

fn margin_hint<'a>(ship: &DesignView<'a>, field: &str) -> Option<(String, String, &'a Margin)> {
    let margins = ship.doc.margins().iter();
    let of_field = margins.filter(|margin| match &margin.kind {
        MarginKind::Slack(steps) | MarginKind::Headroom(steps) => *steps.value == *field,
        MarginKind::Budget { .. } => false,
    });
    let all: Vec<&Margin> = of_field.collect();
    let is_headroom = |margin: &&&Margin| matches!(margin.kind, MarginKind::Headroom(_));
    let headroom = all.iter().filter(is_headroom).map(|margin| margin.remaining()).min().filter(|left| *left > 0);
    let slack = all
        .iter()
        .filter(|margin| !is_headroom(margin))
        .map(|margin| margin.remaining())
        .min()
        .filter(|left| *left > 0);
    let words = match (headroom, slack) {
        (Some(headroom), _) => format!("room for {headroom} more"),
        (None, Some(slack)) => format!("{slack} spare"),
        _ => return None,
    };
    let sentences = all.iter().map(|margin| margin.sentence()).collect::<Vec<_>>().join("\n");
    Some((words, sentences, all.first()?))
}

fn inapplicable_field(
    ui: &mut Ui,
    cells: &mut FormGrid,
    field: &FieldDef,
    entry: &TomlEntry<'static>,
    out: &mut Vec<Command>,
) {
    cells.grid_cell(ui, &field.label, &[], out, |ui, out| {
        let shown = as_read(&entry.node.data);
        muted_label(ui, format!("{} · does not apply", moldloft_rules::ruleset::shorten(&shown)));
        if remove_button(ui, &field.label) {
            out.push(Command::Edit(Edit::change(&field.label, TablePath::Fields, &field.id, None)));
        }
    });
}

fn input_options(choice: &ChoiceDef) -> impl Iterator<Item = InputOption<'_>> {
    choice.options.iter().map(|option| {
        let answers = choice.attributes.iter().zip(&option.values);
        let answers =
            answers.filter_map(|((id, _), value)| Some(format!("{}: {}", id.replace('_', " "), value.shown()?)));
        InputOption {
            id: &option.id,
            label: &option.label,
            hint: answers.collect::<Vec<_>>().join("\n"),
            disabled_reason: None,
        }
    })
}
