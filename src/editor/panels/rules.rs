//! The rules that the design is judged by: title, layers, version, credit, where their files stand; whether what stands there is in force; what
//! the lints say; other rules on trial.

use egui::{Button, ComboBox, Label, RichText, Ui, vec2};

use super::findings::{colour, counted, sign, word};
use crate::editor::rules::{Lint, Ruling, Shown, of};
use crate::editor::theme::{bold, palette};
use crate::editor::widgets::{heading, named, plain, quiet};
use crate::editor::{Command, State};
use crate::finding::Finding;

/// What stands on its tab: `Rules (1)` when something is wrong with a file of theirs.
pub fn title(state: &State) -> String {
    let waiting = state.rules.waiting().iter().map(|(_, news)| news.findings.len()).sum::<usize>();
    let shown = state.rules.shown.as_ref().and_then(|shown| state.rules.lints.get(&shown.id));
    let linted = if let Some(Lint::Done(judged)) = shown { judged.findings.len() } else { 0 };
    match waiting + linted {
        0 => "Rules".to_owned(),
        count => format!("Rules ({count})"),
    }
}

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    for (id, news) in state.rules.waiting() {
        let text = format!("{id}: using the last good version: {}", news.why());
        ui.add(Label::new(RichText::new(plain(&text)).family(bold()).color(palette(ui).warning)).wrap());
        news.findings.iter().for_each(|finding| one(ui, finding));
        ui.separator();
    }
    let Some(shown) = &state.rules.shown else {
        quiet(ui, "No usable ruleset for this design: see its findings.");
        if let Some(id) = state.doc().and_then(of) {
            quiet(ui, format!("It names {id}."));
        }
        on_trial(ui, state, out);
        return;
    };
    about(ui, state, shown);
    on_trial(ui, state, out);
    ui.horizontal_wrapped(|ui| {
        match shown.file() {
            Some(file) => {
                if ui.button("Open in a text editor").clicked() {
                    out.push(Command::View(file.clone()));
                }
            }
            None => {
                let copy = ui.button("Copy into the workspace");
                if copy.on_hover_text("Built-in: edit a copy").clicked() {
                    out.push(Command::Rules(Ruling::CopyRules(shown.id.clone())));
                }
            }
        }
        if ui.button("Copy the templates").clicked() {
            out.push(Command::Rules(Ruling::CopyTemplates(shown.id.clone())));
        }
        if ui.button("Check these rules").clicked() {
            out.push(Command::Rules(Ruling::Check(shown.id.clone())));
        }
    });
    lint(ui, state, shown);
}

fn about(ui: &mut Ui, state: &State, shown: &Shown) {
    let rules = &shown.rules;
    ui.add(Label::new(RichText::new(rules.rules_title()).family(bold())).wrap());
    if let Some(news) = state.rules.news.get(&shown.id).filter(|news| news.in_force) {
        let errors = counted(&news.findings);
        let found = if errors.is_empty() { String::new() } else { format!(": {errors}") };
        ui.colored_label(palette(ui).good, format!("Reloaded{found}"));
    }
    let layers = std::iter::once(&rules.base).chain(&rules.layers);
    for (n, (layer, (file, path))) in layers.zip(&shown.files).enumerate() {
        let what = match (n, layer.supplement) {
            (0, _) => "rules",
            (_, true) => "supplement",
            (_, false) => "layer",
        };
        let place = path.as_ref().map_or_else(|| format!("{file}, built-in"), |path| path.display().to_string());
        let text = format!("{what}: {}, version {} ({}) · {place}", layer.title, layer.version, layer.id);
        ui.add(Label::new(text).wrap());
    }
    for (what, text) in [("credit", &rules.credit), ("source", &rules.source), ("terms", &rules.terms)] {
        if !text.is_empty() {
            let text = format!("{what}: {text}");
            ui.add(Label::new(RichText::new(text).color(palette(ui).quiet)).wrap());
        }
    }
}

fn on_trial(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    let named_rules = doc.rules_named();
    ui.horizontal_wrapped(|ui| {
        let label = ui.label("Try other rules:");
        let now = doc.tried.clone().unwrap_or_else(|| "from the file".to_owned());
        let mut take = |ui: &mut Ui, id: Option<String>, name: &str| {
            if ui.add(Button::selectable(doc.tried == id, name).min_size(vec2(0.0, 24.0))).clicked() {
                out.push(Command::Rules(Ruling::Try(id)));
                ui.close();
            }
        };
        let combo = ComboBox::from_id_salt("try rules").selected_text(&now).width(170.0);
        let combo = combo.show_ui(ui, |ui| {
            take(ui, None, "from the file");
            for known in &state.rules.known {
                if named_rules.is_none_or(|id| **id != *known.id) {
                    take(ui, Some(known.id.clone()), &known.id);
                }
            }
        });
        named(combo.response, &format!("Try other rules: {now}")).labelled_by(label.id);
    });
}

fn lint(ui: &mut Ui, state: &State, shown: &Shown) {
    match state.rules.lints.get(&shown.id) {
        None => {}
        Some(Lint::Running(_)) => {
            quiet(ui, "Checking the rules…");
        }
        Some(Lint::Failed(words)) => {
            ui.colored_label(palette(ui).error, words);
        }
        Some(Lint::Done(judged)) => {
            ui.add_space(4.0);
            heading(ui, "CHECK OF THE RULES");
            let found = counted(&judged.findings);
            let found = if found.is_empty() { "no findings".to_owned() } else { found };
            let tried = judged.tried.map_or_else(String::new, |(own, made)| {
                format!("; tested on designs: {own} of the game, {made} generated")
            });
            ui.add(Label::new(format!("{found}{tried}")).wrap());
            judged.findings.iter().for_each(|finding| one(ui, finding));
        }
    }
}

fn one(ui: &mut Ui, finding: &Finding) {
    ui.horizontal_top(|ui| {
        sign(ui, finding.severity);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            let said = format!("{}: {}", word(finding.severity), finding.message);
            ui.add(Label::new(RichText::new(plain(&said)).color(colour(ui, finding.severity))).wrap());
            let place = match (&finding.at.file, finding.at.line) {
                (Some(file), 0) => file.to_string(),
                (Some(file), line) => format!("{file}:{line}"),
                (None, _) => String::new(),
            };
            let place = [place, finding.code.to_string()];
            let place: Vec<&str> = place.iter().map(|part| &**part).filter(|part| !part.is_empty()).collect();
            quiet(ui, place.join(" · "));
            if let Some(shown) = &finding.at.shown {
                ui.add(Label::new(RichText::new(shown.text.trim()).monospace()).wrap());
            }
            if let Some(help) = &finding.help {
                ui.add(Label::new(plain(&format!("help: {help}"))).wrap());
            }
        });
    });
}
