//! Another design beside this one: the saved version, another open design, one of the library or a file. What differs is marked by a sign, a
//! word and a colour.

use egui::{Button, Checkbox, ComboBox, Grid, Label, RichText, ScrollArea, Ui, vec2};

use crate::editor::inspect::{Against, Compared, Inspecting, Look, signed};
use crate::editor::theme::{bold, palette};
use crate::editor::widgets::{heading, named, quiet};
use crate::editor::{Command, Doc, State};
use crate::evaluate::{Change, Line, Part};
use crate::library::Shown;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    let Some(look) = state.inspect.look(doc.id) else { return };
    ui.horizontal_wrapped(|ui| {
        choose(ui, state, doc, look, out);
        if ui.button("Choose file…").clicked() {
            out.push(Command::Inspecting(Inspecting::ChooseFile));
        }
        let mut only = look.only_differences;
        if ui.add(Checkbox::new(&mut only, "only differences")).changed() {
            out.push(Command::Inspecting(Inspecting::OnlyDifferences(only)));
        }
    });
    match &look.compared {
        None => {}
        Some(Err(words)) => {
            ui.add(Label::new(words).wrap());
        }
        Some(Ok(compared)) => compared_with(ui, doc, look, compared, out),
    }
}

fn choose(ui: &mut Ui, state: &State, doc: &Doc, look: &Look, out: &mut Vec<Command>) {
    let now = match &look.against {
        Against::Saved => "the saved version".to_owned(),
        Against::Doc(id) => state.doc_of(*id).map_or_else(|| "a closed design".to_owned(), Doc::name),
        Against::BuiltIn(path) | Against::File(path) => {
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
        }
    };
    let mut take = |ui: &mut Ui, against: Against, name: &str| {
        let button = Button::selectable(look.against == against, name).min_size(vec2(0.0, 24.0));
        if ui.add(button).clicked() {
            out.push(Command::Inspecting(Inspecting::Against(against)));
            ui.close();
        }
    };
    let combo = ComboBox::from_id_salt("compare with").selected_text(&now).width(150.0).height(360.0);
    let shown = combo.show_ui(ui, |ui| {
        take(ui, Against::Saved, "the saved version");
        let others = || state.docs.iter().filter(|other| other.id != doc.id);
        if others().next().is_some() {
            heading(ui, "OPEN");
        }
        for other in others() {
            take(ui, Against::Doc(other.id), &other.name());
        }
        let rules = doc.rules_named();
        let library = state
            .browse
            .catalogue
            .entries()
            .filter(|entry| matches!(entry.shown, Shown::Design(_)) && Some(&entry.ruleset) == rules);
        for (n, entry) in library.enumerate() {
            if n == 0 {
                heading(ui, "LIBRARY");
            }
            let path = entry.path.clone();
            let (against, name) = if entry.built_in() {
                (Against::BuiltIn(path), format!("{} (built-in)", entry.name))
            } else {
                (Against::File(path), entry.name.to_string())
            };
            take(ui, against, &name);
        }
    });
    named(shown.response, &format!("Compare with {now}"));
}

fn compared_with(ui: &mut Ui, doc: &Doc, look: &Look, compared: &Compared, out: &mut Vec<Command>) {
    let comparison = &compared.comparison;
    let count = comparison.differences();
    let told = match (count, compared.same_text) {
        (0, true) => "The files are identical.".to_owned(),
        (0, false) => "No difference to the rules; the texts differ in comments, order or unused keys.".to_owned(),
        (1, _) => "1 difference.".to_owned(),
        (count, _) => format!("{count} differences."),
    };
    ui.add(Label::new(RichText::new(told).family(bold())).wrap());
    let budgets: Vec<&Line> = comparison.budgets.iter().filter(|line| line.by.is_some_and(|by| by != 0)).collect();
    if !budgets.is_empty() {
        let said: Vec<String> =
            budgets.iter().map(|line| format!("{} {}", signed(line.by.unwrap_or(0)), line.label)).collect();
        ui.add(Label::new(format!("{} compared with {}: {}", doc.name(), compared.name, said.join(", "))).wrap());
    }
    if count == 0 && look.only_differences {
        return;
    }
    let room = (ui.available_width() - 90.0).max(220.0);
    ScrollArea::horizontal().id_salt("compared").show(ui, |ui| {
        for part in &comparison.parts {
            self::part(ui, part, look.only_differences, &compared.name, room);
        }
    });
    let _ = out;
}

fn part(ui: &mut Ui, part: &Part, only: bool, other: &str, room: f32) {
    let lines = || part.lines.iter().filter(|line| !only || line.change != Change::Same);
    if lines().next().is_none() {
        return;
    }
    ui.add_space(6.0);
    heading(ui, &part.title.to_uppercase());
    Grid::new(("compared", &part.title)).num_columns(4).striped(true).min_row_height(22.0).show(ui, |ui| {
        quiet(ui, "");
        quiet(ui, "this design");
        quiet(ui, other);
        quiet(ui, "difference");
        ui.end_row();
        for line in lines() {
            self::line(ui, line, room);
        }
    });
}

/// A line whose first three columns have so much room; what needs more is broken.
fn line(ui: &mut Ui, line: &Line, room: f32) {
    let palette = palette(ui);
    let (sign, word, colour) = match line.change {
        Change::Same => ("=", "the same".to_owned(), palette.quiet),
        Change::OnlyHere => ("+", "only here".to_owned(), palette.good),
        Change::OnlyThere => ("−", "only there".to_owned(), palette.error),
        Change::Changed => ("≠", line.by.filter(|by| *by != 0).map_or("changed".to_owned(), signed), palette.warning),
    };
    let cell = |ui: &mut Ui, text: Option<&str>| {
        let text = text.unwrap_or("–");
        let wide = text.chars().count() as f32 * 7.0 > room * 0.34;
        ui.scope(|ui| {
            if wide {
                ui.set_max_width(room * 0.34);
            }
            ui.add(if wide { Label::new(text).wrap() } else { Label::new(text).extend() });
        });
    };
    let wide = line.label.chars().count() as f32 * 7.0 > room * 0.3;
    ui.scope(|ui| {
        if wide {
            ui.set_max_width(room * 0.3);
        }
        let label = Label::new(RichText::new(&line.label).color(if line.change == Change::Same {
            palette.quiet
        } else {
            ui.visuals().text_color()
        }));
        ui.add(if wide { label.wrap() } else { label });
    });
    cell(ui, line.here.as_deref());
    cell(ui, line.there.as_deref());
    ui.label(RichText::new(format!("{sign} {word}")).color(colour));
    ui.end_row();
}
