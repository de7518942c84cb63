//! Compares the design with its saved version, another open design, or one of the library or a file. Differences have a
//! sign, a word and a colour.

use egui::{Button, Checkbox, ComboBox, Grid, Label, RichText, ScrollArea, Ui, vec2};

use crate::compare_page::model::CompareCommand;
use crate::inspector::model::{CompareTarget, DocComparison, InspectorCommand, InspectorView};
use crate::inspector::signed;
use crate::theme::{bold, palette};
use crate::widgets::{heading, muted_label, with_accessible_name};
use crate::{Command, Doc, EditorState};
use moldloft_library::print::plural;
use moldloft_rules::evaluate::{ComparisonChange, ComparisonLine, ComparisonSection};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(view) = state.inspector_views.view(doc.id) else { return };
    ui.horizontal_wrapped(|ui| {
        target_picker(ui, state, doc, view, out);
        if ui.button("Choose file…").clicked() {
            out.push(Command::Inspector(InspectorCommand::PickCompareFile));
        }
        if ui.button("Side by side").clicked() {
            out.push(Command::Compare(CompareCommand::Open));
        }
        let mut only = view.only_differences;
        if ui.add(Checkbox::new(&mut only, "only differences")).changed() {
            out.push(Command::Inspector(InspectorCommand::OnlyDifferences(only)));
        }
    });
    match &view.comparison {
        None => {}
        Some(Err(words)) => {
            ui.add(Label::new(words).wrap());
        }
        Some(Ok(compared)) => comparison_view(ui, doc, view, compared),
    }
}

fn target_picker(ui: &mut Ui, state: &EditorState, doc: &Doc, view: &InspectorView, out: &mut Vec<Command>) {
    let now = match &view.compare_target {
        CompareTarget::Saved => "the saved version".to_owned(),
        CompareTarget::Doc(id) => state.find_doc(*id).map_or_else(|| "a closed design".to_owned(), Doc::name),
        CompareTarget::File(file) => {
            file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
        }
    };
    let mut option = |ui: &mut Ui, target: CompareTarget, name: &str| {
        let button = Button::selectable(view.compare_target == target, name).min_size(vec2(0.0, 24.0));
        if ui.add(button).clicked() {
            out.push(Command::Inspector(InspectorCommand::CompareWith(target)));
            ui.close();
        }
    };
    let combo = ComboBox::from_id_salt("compare with").selected_text(&now).width(150.0).height(360.0);
    let shown = combo.show_ui(ui, |ui| {
        option(ui, CompareTarget::Saved, "the saved version");
        let others = || state.docs.iter().filter(|other| crate::compare_page::panel::is_comparable(doc, other));
        if others().next().is_some() {
            heading(ui, "OPEN");
        }
        for other in others() {
            option(ui, CompareTarget::Doc(other.id), &other.name());
        }
        for (n, entry) in crate::compare_page::panel::library(state, doc).enumerate() {
            if n == 0 {
                heading(ui, "LIBRARY");
            }
            let name = if entry.built_in() { format!("{} (built-in)", entry.name) } else { entry.name.to_string() };
            option(ui, CompareTarget::File(entry.file.clone()), &name);
        }
    });
    with_accessible_name(shown.response, &format!("Compare with {now}"));
}

fn comparison_view(ui: &mut Ui, doc: &Doc, view: &InspectorView, compared: &DocComparison) {
    let comparison = &compared.comparison;
    let count = comparison.differences();
    let summary = match (count, compared.same_text) {
        (0, true) => "The files are identical.".to_owned(),
        (0, false) => "No difference to the rules; the texts differ in comments, order or unused keys.".to_owned(),
        (count, _) => format!("{}.", plural(count, "difference")),
    };
    ui.add(Label::new(RichText::new(summary).family(bold())).wrap());
    let changed =
        comparison.budgets.iter().filter_map(|line| Some((line.difference.filter(|by| *by != 0)?, &line.label)));
    let changes: Vec<String> = changed.map(|(by, label)| format!("{} {label}", signed(by))).collect();
    if !changes.is_empty() {
        ui.add(Label::new(format!("{} compared with {}: {}", doc.name(), compared.name, changes.join(", "))).wrap());
    }
    if count == 0 && view.only_differences {
        return;
    }
    let room = (ui.available_width() - 90.0).max(220.0);
    ScrollArea::horizontal().id_salt("compared").show(ui, |ui| {
        for part in &comparison.sections {
            comparison_section(ui, part, view.only_differences, &compared.name, room);
        }
    });
}

fn comparison_section(ui: &mut Ui, part: &ComparisonSection, only: bool, other: &str, room: f32) {
    let lines = || part.lines.iter().filter(|line| !only || line.change != ComparisonChange::Same);
    if lines().next().is_none() {
        return;
    }
    ui.add_space(6.0);
    heading(ui, &part.title.to_uppercase());
    Grid::new(("compared", &part.title)).num_columns(4).striped(true).min_row_height(22.0).show(ui, |ui| {
        muted_label(ui, "");
        muted_label(ui, "this design");
        muted_label(ui, other);
        muted_label(ui, "difference");
        ui.end_row();
        for line in lines() {
            comparison_line(ui, line, room);
        }
    });
}

fn comparison_line(ui: &mut Ui, line: &ComparisonLine, room: f32) {
    let palette = palette(ui);
    let (sign, word, colour) = match line.change {
        ComparisonChange::Same => ("=", "the same".to_owned(), palette.muted),
        ComparisonChange::OnlyHere => ("+", "only here".to_owned(), palette.good),
        ComparisonChange::OnlyThere => ("−", "only there".to_owned(), palette.error),
        ComparisonChange::Changed => {
            ("≠", line.difference.filter(|by| *by != 0).map_or("changed".to_owned(), signed), palette.warning)
        }
    };
    let cell = |ui: &mut Ui, text: &str, colour, share: f32| {
        let is_wide = text.chars().count() as f32 * 7.0 > room * share;
        ui.scope(|ui| {
            if is_wide {
                ui.set_max_width(room * share);
            }
            let label = Label::new(RichText::new(text).color(colour));
            ui.add(if is_wide { label.wrap() } else { label.extend() });
        });
    };
    let ink = ui.visuals().text_color();
    cell(ui, &line.label, if line.change == ComparisonChange::Same { palette.muted } else { ink }, 0.3);
    for text in [&line.here, &line.there] {
        cell(ui, text.as_deref().unwrap_or("–"), ink, 0.34);
    }
    ui.label(RichText::new(format!("{sign} {word}")).color(colour));
    ui.end_row();
}
