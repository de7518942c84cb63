//! A limit as a sentence with gaps: which one, its numbers and names, how serious it is.

use std::sync::Arc;

use egui::{ComboBox, DragValue, Ui};

use crate::OpenRuleset;
use crate::language::say;
use crate::rules_page::model::AddRowDialog;
use crate::rules_page::panel::words::severity_name;
use crate::rules_page::sentence::{Limit, Sentence, SentencePart};
use crate::widgets::{choice_list, with_accessible_name};
use moldloft_rules::ruleset::{GridId, RuleGrid};

const KIND_WIDTH: f32 = 380.0;
const NAME_WIDTH: f32 = 170.0;
const MAX_COUNT: i64 = 999_999;

/// Ids and names for players.
pub type Names = Vec<(Arc<str>, String)>;

/// The rows of a form's grid. What the sentence says is written into the form's keys.
pub fn show(ui: &mut Ui, open: &OpenRuleset, systems: &Names, form: &mut AddRowDialog) {
    let numbers = numbers_of_ships(open);
    let sentence = &mut form.sentence;
    ui.label(say("Kind"));
    let list = ComboBox::from_id_salt("kind of limit").selected_text(say(sentence.limit.name())).width(KIND_WIDTH);
    let kinds = Limit::ALL.map(|limit| (limit, limit.name()));
    if let Some(limit) = choice_list(ui, list.height(400.0), "kind of limit", sentence.limit, kinds) {
        sentence.limit = limit;
    }
    ui.end_row();
    if sentence.limit != Limit::Formula {
        ui.label(say("It says"));
        ui.vertical(|ui| {
            ui.horizontal_wrapped(|ui| {
                for part in sentence.limit.parts() {
                    part_input(ui, *part, systems, &numbers, sentence);
                }
            })
        });
        ui.end_row();
    }
    ui.label(say("Who breaks it has"));
    ui.horizontal(|ui| {
        for severity in ["error", "warning", "info"] {
            let name = severity_name(severity);
            let choice = ui.selectable_label(form.text("severity") == severity, say(name));
            if with_accessible_name(choice, &format!("severity: {name}")).clicked() {
                form.set("severity", severity.to_owned());
            }
        }
    });
    ui.end_row();
    write_cells(systems, &numbers, form);
}

/// Whether the keys still are those of the sentence; if not, they were typed, and it becomes a formula.
pub fn keep_typed(systems: &Names, open: &OpenRuleset, form: &mut AddRowDialog) {
    let cells = form.sentence.cells(|id| name_of(&[systems, &numbers_of_ships(open)], id));
    let is_kept = |cells: &crate::rules_page::sentence::SentenceCells| {
        cells.iter().filter(|(key, _)| *key != "code").all(|(key, text)| form.text(key) == text)
    };
    if cells.is_some_and(|cells| !is_kept(&cells)) {
        form.sentence.limit = Limit::Formula;
    }
}

fn write_cells(systems: &Names, numbers: &Names, form: &mut AddRowDialog) {
    let Some(cells) = form.sentence.cells(|id| name_of(&[systems, numbers], id)) else { return };
    for (key, text) in cells {
        match key {
            "code" if form.has_own_id => {}
            "code" => form.set("", text),
            key => form.set(key, text),
        }
    }
}

fn part_input(ui: &mut Ui, part: SentencePart, systems: &Names, numbers: &Names, sentence: &mut Sentence) {
    match part {
        SentencePart::Words(words) => _ = ui.label(say(words)),
        SentencePart::Count => {
            let field = ui.add(DragValue::new(&mut sentence.count).range(0..=MAX_COUNT));
            with_accessible_name(field, "how many");
        }
        SentencePart::System => name_input(ui, "system", systems, &mut sentence.system),
        SentencePart::OtherSystem => name_input(ui, "other system", systems, &mut sentence.other),
        SentencePart::Number => name_input(ui, "number of the ship", numbers, &mut sentence.number),
    }
}

fn name_input(ui: &mut Ui, what: &str, names: &Names, id: &mut String) {
    let shown = if id.is_empty() { "choose…".to_owned() } else { name_of(&[names], id) };
    let list = ComboBox::from_id_salt(what).selected_text(say(shown)).width(NAME_WIDTH).height(320.0);
    let choices = names.iter().map(|(id, name)| (&**id, name.as_str()));
    if let Some(chosen) = choice_list(ui, list, what, &**id, choices).map(str::to_owned) {
        *id = chosen;
    }
}

fn name_of(lists: &[&Names], id: &str) -> String {
    let known = lists.iter().find_map(|names| names.iter().find(|(known, _)| **known == *id));
    known.map_or_else(|| id.to_owned(), |(_, name)| name.clone())
}

/// Values that are shown to players, and fields that hold a number.
fn numbers_of_ships(open: &OpenRuleset) -> Names {
    let grid = |section: &str| open.book.grid(&GridId { section: section.into(), part: None });
    let rows = |grid: Option<&RuleGrid>, is_meant: &dyn Fn(&RuleGrid, usize) -> bool| {
        let rows = grid.into_iter().flat_map(|grid| grid.rows.iter().enumerate().map(move |(n, row)| (grid, n, row)));
        rows.filter(|(grid, n, _)| is_meant(grid, *n)).map(|(_, _, row)| (row.key.clone(), row.label.clone())).collect()
    };
    let has = |column: &'static str, is_meant: fn(&str) -> bool| {
        move |grid: &RuleGrid, n: usize| {
            let cell = grid.column(column).and_then(|at| grid.rows[n].cells.get(at)?.text.as_deref());
            cell.is_some_and(is_meant)
        }
    };
    let mut numbers: Names = rows(grid("value"), &has("headline", |text| text == "true"));
    let named: Names = rows(grid("value"), &has("label", |_| true));
    let fields: Names = rows(grid("field"), &has("kind", |text| text == "integer"));
    for more in named.into_iter().chain(fields) {
        if !numbers.iter().any(|(known, _)| *known == more.0) {
            numbers.push(more);
        }
    }
    numbers
}
