//! House rules by form: which kind, and the form of a new row. The name comes first and makes the id; what is known is ticked
//! or chosen; the lines that will be written are shown below.

use std::sync::Arc;

use egui::{Checkbox, ComboBox, Grid, Id, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::language::say;
use crate::layer_edits::edit_for;
use crate::panels::dialog_parts::{cancel_button, dialog_foot, focus_first, select_when_focused};
use crate::rules_page::model::RuleChange;
use crate::rules_page::panel::dialogs::{FIELD_WIDTH, reason_row};
use crate::rules_page::panel::sentence_row::{self, Names};
use crate::rules_page::panel::words::{part_name, singular};
use crate::rules_page::panel::{completion, list_cells};
use crate::rules_page::sentence::Limit;
use crate::rules_page::{AddRowDialog, RulesPageCommand};
use crate::theme::bold;
use crate::widgets::{
    capitalize, card_frame, choice_list, error_text, heading, is_left_by_enter, muted_text, named_button,
    with_accessible_name, with_curly_quotes,
};
use crate::{Command, Dialog, EditorState, OpenRuleset};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::file_stem;
use moldloft_rules::design::Document;
use moldloft_rules::ruleset::{CellKind, FormColumn, GridId, GridRow, RuleGrid, declaration_key, form_columns};

const COMPLETION_HEIGHT: f32 = 58.0;
const PREVIEW_HEIGHT: f32 = 92.0;
/// Of the form's other parts, in points.
const AROUND_HEIGHT: f32 = 360.0;

/// Asks which kind of rule it is.
pub fn show_kinds(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(open) = doc.as_ruleset() else { return };
    ui.heading(say("New house rule"));
    let place = match open.is_layer() && !doc.is_built_in() {
        true => format!("It is written into {}.", doc.name()),
        false => format!("It goes into a layer over {}, whose own rules stay as they are.", doc.name()),
    };
    muted_text(ui, place);
    let mut kind = |ui: &mut Ui, name: &str, about: &str, grid: GridId| {
        ui.horizontal(|ui| {
            let button = ui.add(egui::Button::new(say(name)).min_size(vec2(150.0, 28.0)));
            focus_first(ui, &button);
            if button.clicked() {
                let add = RulesPageCommand::OpenAddDialog { grid: grid.clone(), like: None };
                out.extend([RulesPageCommand::ShowGrid(grid), add].map(Command::RulesPage));
            }
            muted_text(ui, about);
        });
    };
    let section = |name: &str| GridId { section: name.into(), part: None };
    kind(ui, "New system…", "a weapon, a defence, anything that is fitted to a ship", section("system"));
    kind(ui, "New check…", "what a ship or a fleet must have, or may not have", section("check"));
    let is_choice = |grid: &&RuleGrid| {
        &*grid.id.section == "field" && grid.id.part.as_ref().is_some_and(|(_, key)| &**key == "options")
    };
    let choices: Vec<&RuleGrid> = open.book.grids.iter().filter(is_choice).collect();
    if !choices.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.label(say("New option of"));
            for grid in choices {
                let name = capitalize(&grid.title);
                if named_button(ui, &format!("{name}…"), &format!("new option of {name}")) {
                    let add = RulesPageCommand::OpenAddDialog { grid: grid.id.clone(), like: None };
                    out.extend([RulesPageCommand::ShowGrid(grid.id.clone()), add].map(Command::RulesPage));
                }
            }
        });
    }
    ui.horizontal(|ui| {
        out.extend(ui.button(say("Change a number…")).clicked().then_some(Command::CloseDialog));
        muted_text(ui, "points, mass, ranges: select its cell in the tables");
    });
    cancel_button(ui, out);
}

struct Form<'a> {
    open: &'a OpenRuleset,
    grid: &'a RuleGrid,
    columns: Vec<FormColumn>,
    systems: Names,
    now: AddRowDialog,
    /// Enter has left a field.
    enter: bool,
}

pub fn show(ui: &mut Ui, state: &EditorState, dialog: &AddRowDialog, out: &mut Vec<Command>) {
    let Some(open) = state.current_doc().and_then(|doc| doc.as_ruleset()) else { return };
    let Some(grid) = open.book.grid(&dialog.grid) else { return };
    let title = match &dialog.grid.part {
        Some((_, key)) => format!("New {} of {}", part_name(key).1, grid.title),
        None => format!("New {}", singular(&dialog.grid.section)),
    };
    ui.heading(say(title));
    let (columns, systems) = (form_columns(grid), names_of(open, "system"));
    let mut form = Form { open, grid, columns, systems, now: dialog.clone(), enter: false };
    let room = (ui.ctx().content_rect().height() - AROUND_HEIGHT).clamp(120.0, 520.0);
    ScrollArea::vertical().id_salt("new row").max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        form.show_fields(ui);
    });
    let is_formula = |known: &FormColumn| matches!(known.column.kind, CellKind::Formula(_) | CellKind::Template);
    if form.columns.iter().any(is_formula) && form.shows_formulas() {
        complete_formula(ui, open, &mut form.now.cells);
    }
    let gap = match () {
        () if form.is_section("check") && !form.now.sentence.is_complete() => Some("Fill in the sentence."),
        () if form.has_id() && form.now.text("").is_empty() => Some("Give it a name."),
        () => None,
    };
    preview(ui, open, gap, &form.now.change());
    if let Some(error) = &dialog.error {
        ui.label(RichText::new(say("Not added:")).family(bold()));
        error_text(ui, with_curly_quotes(error));
    }
    let Form { mut now, enter, .. } = form;
    if now != *dialog {
        now.error = None;
        out.push(Command::OpenDialog(Dialog::AddRule(now)));
    }
    dialog_foot(ui, "Add", (true, enter), out, || Command::RulesPage(RulesPageCommand::AddRow));
}

/// The lines as they will be in the file; `gap`: what has to be filled in first.
fn preview(ui: &mut Ui, open: &OpenRuleset, gap: Option<&str>, change: &RuleChange) {
    heading(ui, "WHAT IS WRITTEN");
    let lines = edit_for(open, change).and_then(|edit| {
        let mut document = Document::parse("").map_err(|message| Finding::error("cannot-edit", message))?;
        edit.apply(&mut document).map(|_| document.text().trim().to_owned())
    });
    card_frame(ui).show(ui, |ui| {
        ui.set_min_size(vec2(ui.available_width(), PREVIEW_HEIGHT));
        ScrollArea::both().id_salt("lines").max_height(PREVIEW_HEIGHT).auto_shrink(false).show(ui, |ui| match lines {
            _ if gap.is_some() => _ = muted_text(ui, gap.unwrap_or_default()),
            Ok(lines) => _ = ui.add(Label::new(lines).extend()),
            Err(finding) => _ = muted_text(ui, with_curly_quotes(&finding.message)),
        });
    });
}

/// Ids and names of a section's rows.
fn names_of(open: &OpenRuleset, section: &str) -> Names {
    let grid = open.book.grid(&GridId { section: section.into(), part: None });
    let rows = grid.map(|grid| &*grid.rows).unwrap_or_default();
    rows.iter().map(|row| (row.key.clone(), row.label.clone())).collect()
}

/// What players are asked for a key.
fn question<'a>(section: &str, column: &'a FormColumn) -> &'a str {
    match (section, &*column.column.key) {
        ("system", "abbr") => "letters in its box",
        ("system", "mounts") => "fits in",
        ("system", "tags") => "counts as",
        ("system", "shape") => "shape of its box",
        ("system", "distinct") => "does not count as that",
        _ => &column.column.label,
    }
}

impl Form<'_> {
    fn is_section(&self, name: &str) -> bool {
        self.grid.id.part.is_none() && *self.grid.id.section == *name
    }

    fn has_id(&self) -> bool {
        self.now.cells.iter().any(|(key, _)| key.is_empty())
    }

    fn shows_formulas(&self) -> bool {
        !self.is_section("check") || self.now.sentence.limit == Limit::Formula
    }

    fn show_fields(&mut self, ui: &mut Ui) {
        let name_key = ["name", "label"].into_iter().find(|key| self.column(key).is_some());
        let is_check = self.is_section("check");
        let asked = |key: &str| !matches!(key, "" | "rule") && Some(key) != name_key;
        let keys: Vec<Arc<str>> = self.now.cells.iter().map(|(key, _)| key.clone()).filter(|key| asked(key)).collect();
        let is_rare = |form: &Self, key: &str| is_check || form.column(key).is_some_and(|known| known.is_rare);
        let (rare, usual): (Vec<_>, Vec<_>) = keys.iter().partition(|key| is_rare(self, key));
        let has_id = self.has_id();
        form_grid(ui, "new row", |ui| {
            if is_check {
                sentence_row::show(ui, self.open, &self.systems, &mut self.now);
            }
            if let Some(key) = name_key.filter(|_| has_id) {
                self.name_row(ui, key);
            }
            if has_id && !is_check {
                self.id_row(ui);
            }
            usual.iter().for_each(|key| self.field(ui, key));
            self.enter |= reason_row(ui, &mut self.now.reason);
        });
        if rare.is_empty() {
            return;
        }
        let fold = egui::CollapsingHeader::new(say(if is_check { "Formula" } else { "More" }));
        let is_open = (is_check && self.now.sentence.limit == Limit::Formula).then_some(true);
        fold.open(is_open).show(ui, |ui| {
            form_grid(ui, "more of new row", |ui| {
                if is_check {
                    self.id_row(ui);
                }
                rare.iter().filter(|key| !(is_check && &****key == "severity")).for_each(|key| self.field(ui, key));
            });
        });
        if is_check {
            sentence_row::keep_typed(&self.systems, self.open, &mut self.now);
        }
    }

    fn column(&self, key: &str) -> Option<&FormColumn> {
        self.columns.iter().find(|known| *known.column.key == *key)
    }

    /// The name, which makes the id unless that was typed.
    fn name_row(&mut self, ui: &mut Ui, key: &str) {
        let mut name = self.now.text(key).to_owned();
        let label = ui.label(say("Name"));
        let field =
            ui.add(TextEdit::singleline(&mut name).hint_text(say("as players call it")).desired_width(FIELD_WIDTH));
        let field = field.labelled_by(label.id);
        focus_first(ui, &field);
        self.enter |= is_left_by_enter(ui, &field);
        ui.end_row();
        if !field.changed() {
            return;
        }
        if !self.now.has_own_id {
            self.now.set("", self.id_for(&name));
        }
        self.now.set(key, name);
    }

    /// In the manner of the other ids of the table.
    fn id_for(&self, name: &str) -> String {
        let id = file_stem(name.trim(), "").chars().filter(char::is_ascii).collect::<String>();
        let has_lines = self.grid.rows.iter().any(|row| row.key.contains('_'));
        if has_lines { id.replace('-', "_") } else { id }
    }

    fn id_row(&mut self, ui: &mut Ui) {
        let name = if self.grid.id.part.is_some() { "id" } else { declaration_key(&self.grid.id.section) };
        let mut id = self.now.text("").to_owned();
        let label = ui.label(capitalize(&say(name)));
        let field = TextEdit::singleline(&mut id).id(field_id("")).desired_width(FIELD_WIDTH);
        let hint = "in files: small letters, digits and hyphens; made from the name";
        let field = with_accessible_name(ui.add(field.hint_text(say(hint))).labelled_by(label.id), name);
        focus_first(ui, &field);
        select_when_focused(ui, &field, &id);
        self.enter |= is_left_by_enter(ui, &field);
        ui.end_row();
        if field.changed() {
            self.now.has_own_id = !id.is_empty();
            self.now.set("", id);
        }
    }

    /// The row whose keys it has that are not filled in.
    fn model(&self) -> Option<&GridRow> {
        self.grid.row(self.now.text("like")).filter(|_| self.is_section("system"))
    }

    /// What the model has for a key.
    fn inherited(&self, key: &str) -> Option<&str> {
        self.model()?.cells.get(self.grid.column(key)?)?.text.as_deref()
    }

    fn field(&mut self, ui: &mut Ui, key: &str) {
        let mut text = self.now.text(key).to_owned();
        let section = self.grid.id.section.clone();
        let known = self.column(key);
        let name = known.map_or(key, |known| question(&section, known)).to_owned();
        let label = ui.label(capitalize(&say(&name)));
        let ticks = self.ticks(key);
        if key == "like" && self.is_section("system") {
            self.like_input(ui, &mut text);
        } else if !ticks.is_empty() {
            tick_list(ui, &name, &ticks, &mut text, self.inherited(key));
        } else {
            let hint = self.hint(key);
            let known = self.column(key).cloned();
            self.enter |= text_or_choice(ui, (key, &name), known.as_ref(), hint, &mut text, label.id);
        }
        ui.end_row();
        self.now.set(key, text);
    }

    fn like_input(&self, ui: &mut Ui, like: &mut String) {
        let nothing = (Arc::from(""), "nothing else".to_owned());
        let names: Names = std::iter::once(nothing).chain(self.systems.iter().cloned()).collect();
        let shown = names.iter().find(|(id, _)| **id == **like).map_or("", |(_, name)| name);
        let list = ComboBox::from_id_salt("like")
            .selected_text(capitalize(&say(shown)))
            .width(FIELD_WIDTH - 8.0)
            .height(320.0);
        let choices = names.iter().map(|(id, name)| (&**id, capitalize(name)));
        if let Some(chosen) = choice_list(ui, list, "like", &**like, choices).map(str::to_owned) {
            *like = chosen;
        }
    }

    /// What can be ticked for a key: mounts and their groups, tags of other systems.
    fn ticks(&self, key: &str) -> Names {
        match key {
            "mounts" if self.is_section("system") => {
                let mut ticks = words_used(self.open, "mount", "tags", "each ");
                ticks.extend(names_of(self.open, "mount"));
                ticks
            }
            "tags" if self.is_section("system") => {
                let tags = words_used(self.open, "system", "tags", "");
                tags.into_iter().map(|(id, name)| (id.trim_start_matches('#').into(), name)).collect()
            }
            _ => Names::new(),
        }
    }

    fn hint(&self, key: &str) -> String {
        if let Some((model, text)) = self.model().zip(self.inherited(key)) {
            return format!("as {}: {text}", model.label);
        }
        let known = self.column(key);
        let hint = match known.map(|known| known.column.kind) {
            Some(CellKind::Formula(holds)) => format!("{holds}, or a formula"),
            Some(CellKind::Choice(words)) => words.join(", "),
            Some(CellKind::Words) => "words, separated by commas".to_owned(),
            Some(CellKind::Flag) => "true or false".to_owned(),
            Some(CellKind::Template) => "text with {{ formula }}".to_owned(),
            Some(CellKind::Toml) => known.map(|known| known.example.clone()).unwrap_or_default(),
            _ => String::new(),
        };
        match known.is_some_and(|known| known.required) {
            true => format!("required{}{hint}", if hint.is_empty() { "" } else { ": " }),
            false => hint,
        }
    }
}

fn form_grid(ui: &mut Ui, salt: &str, rows: impl FnOnce(&mut Ui)) {
    Grid::new(salt).num_columns(2).spacing([12.0, 6.0]).show(ui, rows);
}

/// The words in a column of a section, as `#word`.
fn words_used(open: &OpenRuleset, section: &str, column: &str, before: &str) -> Names {
    let Some(grid) = open.book.grid(&GridId { section: section.into(), part: None }) else { return Names::new() };
    let Some(at) = grid.column(column) else { return Names::new() };
    let mut words = Names::new();
    for text in grid.rows.iter().filter_map(|row| row.cells.get(at)?.text.as_deref()) {
        for word in text.split(',').map(str::trim) {
            let id: Arc<str> = format!("#{word}").into();
            if !words.iter().any(|(known, _)| *known == id) {
                words.push((id, format!("{before}{}", word.replace('-', " "))));
            }
        }
    }
    words
}

/// Boxes for a list of words; `inherited`: the words that it has as long as none are ticked here.
fn tick_list(ui: &mut Ui, name: &str, ticks: &Names, text: &mut String, inherited: Option<&str>) {
    let words = |text: &str| -> Vec<String> {
        text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let before = inherited.map(words).unwrap_or_default();
    let mut now = if text.is_empty() { before.clone() } else { words(text) };
    ui.vertical(|ui| {
        ui.horizontal_wrapped(|ui| {
            for (id, label) in ticks {
                let at = now.iter().position(|word| **word == **id);
                let mut on = at.is_some();
                let tick = ui.add(Checkbox::new(&mut on, say(label)));
                if with_accessible_name(tick, &format!("{name} {label}")).changed() {
                    match at {
                        Some(at) => _ = now.remove(at),
                        None => now.push(id.to_string()),
                    }
                    *text = if now == before { String::new() } else { now.join(", ") };
                }
            }
        });
    });
}

/// A field by the key's kind; several lines for what is written as in the file. True if Enter has left it.
fn text_or_choice(
    ui: &mut Ui,
    (key, name): (&str, &str),
    known: Option<&FormColumn>,
    hint: String,
    text: &mut String,
    label: Id,
) -> bool {
    let kind = known.map(|known| known.column.kind);
    let id = field_id(key);
    if kind == Some(CellKind::Toml)
        && !ui.memory(|memory| memory.has_focus(id))
        && let Some(list) = list_cells::list_in(text)
    {
        ui.vertical(|ui| {
            if let Some(changed) = list_cells::show(ui, &list, name) {
                *text = changed;
            }
        });
        return false;
    }
    let options: &[&str] = match kind {
        Some(CellKind::Choice(words)) => words,
        Some(CellKind::Flag) => &["true", "false"],
        _ => &[],
    };
    if !options.is_empty() {
        let list = ComboBox::from_id_salt(name).selected_text(say(text.as_str())).width(FIELD_WIDTH - 8.0);
        let choices = std::iter::once(("", "not set")).chain(options.iter().map(|word| (*word, *word)));
        if let Some(word) = choice_list(ui, list, name, &**text, choices).map(str::to_owned) {
            *text = word;
        }
        return false;
    }
    let is_long = kind == Some(CellKind::Toml);
    let field = match is_long {
        true => TextEdit::multiline(text).code_editor().desired_rows(2),
        false => TextEdit::singleline(text),
    };
    let field = ui.add(field.id(id).hint_text(say(hint)).desired_width(FIELD_WIDTH));
    if matches!(kind, Some(CellKind::Formula(_) | CellKind::Template)) && field.has_focus() {
        ui.data_mut(|data| data.insert_temp(formula_field_id(), key.to_owned()));
    }
    let field = with_accessible_name(field.labelled_by(label), name);
    if !is_long {
        select_when_focused(ui, &field, text);
    }
    let enter = !is_long && is_left_by_enter(ui, &field);
    if let Some(about) = known.map(|known| known.column.about).filter(|about| !about.is_empty()) {
        field.on_hover_text(say(about));
    }
    let example = known.map(|known| &*known.example).filter(|example| list_cells::list_in(example).is_some());
    if let Some(example) = example.filter(|_| text.is_empty())
        && named_button(ui, "As cells", &format!("fill in {name} as cells"))
    {
        *text = example.to_owned();
    }
    enter
}

fn field_id(key: &str) -> Id {
    Id::unique(("new rule", key))
}

/// The key of the last field with a formula that had the focus.
fn formula_field_id() -> Id {
    Id::unique("formula of a new rule")
}

/// Names for the formula that is typed, in a place of their own so that the fields do not move.
fn complete_formula(ui: &mut Ui, open: &OpenRuleset, cells: &mut [(Arc<str>, String)]) {
    let key: Option<String> = ui.data(|data| data.get_temp(formula_field_id()));
    ui.allocate_ui(vec2(ui.available_width(), COMPLETION_HEIGHT), |ui| {
        ui.set_min_height(COMPLETION_HEIGHT);
        let Some((key, text)) = cells.iter_mut().find(|(known, _)| key.as_deref() == Some(known)) else { return };
        // A press on an offer takes the focus away first.
        let field = field_id(key);
        let is_here = ui.memory(|memory| memory.focused().is_none_or(|focused| focused == field));
        if is_here && let Some(completed) = completion::show(ui, field, text, &open.names) {
            *text = completed;
        }
    });
}
