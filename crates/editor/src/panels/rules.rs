//! The rules in use: title, layers, credit, files, reload status, lint results and the choice of other rules.

use egui::{Button, ComboBox, Label, RichText, Ui, vec2};

use crate::language::say;
use crate::model::rules::{LintStatus, RulesetStatus};
use crate::panels::findings::{count_summary, finding_card};
use crate::rules_page::model::RulesPageCommand;
use crate::ruleset_status::ruleset_id;
use crate::theme::{bold, palette};
use crate::widgets::{heading, muted_label, muted_quote, with_accessible_name, with_curly_quotes};
use crate::{ActiveRuleset, Command, EditorState, RulesCommand};
use moldloft_base::finding::Finding;
use moldloft_library::library::DesignsTried;

/// Of files that were rejected and of the check of the rules.
pub fn finding_count(status: &RulesetStatus) -> usize {
    let rejected = status.rejected_files().iter().map(|(_, status)| status.findings.len()).sum::<usize>();
    let shown = status.active.as_ref().and_then(|shown| status.lint_status.get(&shown.id));
    let linted = if let Some(LintStatus::Done(review)) = shown { review.findings.len() } else { 0 };
    rejected + linted
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    for (id, status) in state.ruleset_status.rejected_files() {
        let text = format!("{id}: using the last good version: {}", status.reason());
        ui.add(
            Label::new(RichText::new(with_curly_quotes(&say(&text))).family(bold()).color(palette(ui).warning)).wrap(),
        );
        status.findings.iter().for_each(|finding| finding_row(ui, finding));
        ui.separator();
    }
    let Some(shown) = &state.ruleset_status.active else {
        muted_label(ui, "No usable ruleset for this design: see its findings.");
        if let Some(id) = state.current_doc().and_then(ruleset_id) {
            muted_label(ui, format!("It names {id}."));
        }
        override_picker(ui, state, out);
        return;
    };
    override_picker(ui, state, out);
    ruleset_details(ui, &state.ruleset_status, shown);
    ui.horizontal_wrapped(|ui| {
        if ui.button(say("Open the rules page")).clicked() {
            out.push(Command::RulesPage(RulesPageCommand::Open(shown.id.clone())));
        }
        match shown.own_file() {
            Some(file) => {
                if state.platform.opens_files && ui.button(say("Open in a text editor")).clicked() {
                    out.push(Command::OpenExternally(file.clone()));
                }
            }
            None => {
                let copy = ui.button(say("Copy into the workspace"));
                if copy.on_hover_text(say("Built-in: edit a copy")).clicked() {
                    out.push(Command::Rules(RulesCommand::CopyRules(shown.id.clone())));
                }
            }
        }
        if ui.button(say("Copy the templates")).clicked() {
            out.push(Command::Rules(RulesCommand::CopyTemplates(shown.id.clone())));
        }
        if ui.button(say("Check these rules")).clicked() {
            out.push(Command::Rules(RulesCommand::Lint(shown.id.clone())));
        }
    });
    lint_results(ui, &state.ruleset_status, shown);
}

fn ruleset_details(ui: &mut Ui, status: &RulesetStatus, shown: &ActiveRuleset) {
    let rules = &shown.rules;
    ui.add(Label::new(RichText::new(rules.rules_title()).family(bold())).wrap());
    if let Some(status) = status.reloads.get(&shown.id).filter(|status| status.is_active) {
        let errors = count_summary(&status.findings);
        let found = if errors.is_empty() { String::new() } else { format!(": {errors}") };
        ui.colored_label(palette(ui).good, say(format!("Reloaded{found}")));
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
        ui.add(Label::new(say(text)).wrap());
    }
    for (what, text) in [("credit", &rules.credit), ("source", &rules.source), ("terms", &rules.terms)] {
        if !text.is_empty() {
            muted_quote(ui, format!("{}: {text}", say(what)));
        }
    }
}

fn override_picker(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let named_rules = doc.ruleset_id();
    ui.horizontal_wrapped(|ui| {
        ui.label(say("Try other rules:"));
        let now = doc.rules_override.clone().unwrap_or_else(|| "from the file".to_owned());
        let mut option = |ui: &mut Ui, id: Option<String>, name: &str| {
            if ui.add(Button::selectable(doc.rules_override == id, say(name)).min_size(vec2(0.0, 24.0))).clicked() {
                out.push(Command::Rules(RulesCommand::Override(id)));
                ui.close();
            }
        };
        let combo = ComboBox::from_id_salt("try rules").selected_text(say(&now)).width(170.0);
        let combo = combo.show_ui(ui, |ui| {
            option(ui, None, "from the file");
            let own = state.ruleset_status.active.as_ref().map(|shown| &*shown.rules);
            for (id, rules) in state.rulesets_of_game(own) {
                if named_rules.is_none_or(|named| **named != *id) {
                    option(ui, Some(id), &rules.rules_title());
                }
            }
        });
        with_accessible_name(combo.response, &format!("Try other rules: {now}"));
    });
}

fn lint_results(ui: &mut Ui, status: &RulesetStatus, shown: &ActiveRuleset) {
    match status.lint_status.get(&shown.id) {
        None => {}
        Some(LintStatus::Running(_)) => {
            muted_label(ui, "Checking the rules…");
        }
        Some(LintStatus::Failed(words)) => {
            ui.colored_label(palette(ui).error, say(words));
        }
        Some(LintStatus::Done(review)) => {
            ui.add_space(4.0);
            heading(ui, "CHECK OF THE RULES");
            let found = count_summary(&review.findings);
            let found = if found.is_empty() { "no findings".to_owned() } else { found };
            let tested = review.designs_tried.map_or_else(String::new, |tried| match tried {
                DesignsTried { own, illegal: 0, made } => {
                    format!("; tested on designs: {own} of the game, {made} generated")
                }
                DesignsTried { own, illegal, made } => {
                    format!("; tested on designs: {own} of the game, {illegal} of them not legal, {made} generated")
                }
            });
            ui.add(Label::new(say(format!("{found}{tested}"))).wrap());
            review.findings.iter().for_each(|finding| finding_row(ui, finding));
        }
    }
}

fn finding_row(ui: &mut Ui, finding: &Finding) {
    finding_card(ui, finding, |ui| match (&finding.at.file, finding.at.line) {
        (Some(file), 0) => _ = muted_label(ui, file.to_string()),
        (Some(file), line) => _ = muted_label(ui, format!("{file}:{line}")),
        (None, _) => {}
    });
}
