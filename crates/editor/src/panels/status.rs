//! The status line: legality and number of findings, the last good news, and the rules in use.

use egui::accesskit::Live;
use egui::{Align, Button, Label, Layout, RichText, Ui, vec2};

use crate::icons::Icon;
use crate::language::say;
use crate::panels::findings::count_summary;
use crate::rules_page::model::{RulesPageCommand, RulesSide};
use crate::theme::palette;
use crate::widgets::{muted_label, text_button, with_accessible_name, with_curly_quotes};
use crate::{Command, Doc, DocContent, EditorState, InspectorTab, RulesCommand};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let Some(doc) = state.current_doc() else { return last_info_notice(ui, state, out) };
        let palette = palette(ui);
        let previewed = state.previewed().map(|previewed| &previewed.proposal.after);
        let is_legal = previewed.map_or_else(|| doc.is_legal(), |after| Some(after.legal));
        let (verdict, colour) = match (is_legal, &doc.content) {
            (Some(true), DocContent::Ruleset(_)) => ("No errors in the rules", palette.good),
            (Some(false), DocContent::Ruleset(_)) => ("Errors in the rules", palette.error),
            (Some(true), _) => ("Follows the rules", palette.good),
            (Some(false), _) if doc.is_blank() => ("Not complete yet", palette.muted),
            (Some(false), _) => ("Breaks the rules", palette.error),
            (None, DocContent::Text(_)) => ("Cannot be read", palette.error),
            (None, _) => ("Not checked", palette.error),
        };
        let has_own = doc.shown_ship().is_some_and(|ship| ship.custom_system_summary().is_some());
        let verdict = if has_own { format!("{verdict}, with own systems") } else { verdict.to_owned() };
        let verdict = if previewed.is_some() { format!("Preview: {}", verdict.to_lowercase()) } else { verdict };
        let counts = count_summary(previewed.map_or_else(|| doc.findings(), |after| &after.findings));
        let text = if counts.is_empty() { verdict } else { format!("{verdict}: {counts}") };
        let button = text_button(ui, Button::new(RichText::new(say(&text)).color(colour)).min_size(vec2(0.0, 24.0)));
        if with_accessible_name(button, &text).on_hover_text(say("Show the findings")).clicked() {
            out.push(match doc.as_ruleset() {
                Some(_) => Command::RulesPage(RulesPageCommand::ShowSide(RulesSide::Findings)),
                None => Command::ShowInspectorTab(InspectorTab::Findings),
            });
        }
        if doc.as_ruleset().is_some() {
            return last_info_notice(ui, state, out);
        }
        if let Some(override_id) = &doc.rules_override {
            return override_notice(ui, doc, override_id, out);
        }
        last_info_notice(ui, state, out);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| match &state.ruleset_status.active {
            Some(shown) => {
                let title = shown.rules.rules_title();
                let button = Button::new(RichText::new(&title).color(palette.muted)).frame(false).truncate();
                let button = ui.add(button.min_size(vec2(0.0, 24.0)));
                if with_accessible_name(button, &format!("Rules: {title}"))
                    .on_hover_text(say("Show the rules in use"))
                    .clicked()
                {
                    out.push(Command::ShowInspectorTab(InspectorTab::Rules));
                }
            }
            None => {
                muted_label(ui, "no usable ruleset");
            }
        });
    });
}

fn override_notice(ui: &mut Ui, doc: &Doc, override_id: &str, out: &mut Vec<Command>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        out.extend(
            ui.button(say("Use the file's ruleset")).clicked().then(|| Command::Rules(RulesCommand::Override(None))),
        );
        let adopt = ui.button(say(format!("Use {override_id} in the file")));
        out.extend(adopt.clicked().then(|| Command::Rules(RulesCommand::Adopt(override_id.to_owned()))));
        let file = doc.ruleset_id().map_or("none", |id| id);
        let text =
            format!("Trial: {} is checked by {override_id}. Its file names {file} and is not changed.", doc.name());
        let accent = palette(ui).accent;
        ui.add(Label::new(RichText::new(say(&text)).color(accent)).truncate()).on_hover_text(say(&text));
    });
}

/// With the folder of a file that was written.
fn last_info_notice(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(notice) = state.notices.iter().rev().find(|notice| !notice.is_error) else { return };
    let room = (ui.available_width() - 220.0).max(120.0);
    ui.allocate_ui(vec2(room, 24.0), |ui| {
        if let Some(folder) = notice.folder.as_ref().filter(|_| state.platform.opens_files) {
            let open = with_accessible_name(ui.button((Icon::Folder.text(), say("Open folder"))), "Open folder");
            let open = open.on_hover_text(folder.display().to_string());
            out.extend(open.clicked().then(|| Command::OpenExternally(folder.clone())));
        }
        let text = ui
            .add(Label::new(RichText::new(with_curly_quotes(&say(&notice.text))).color(palette(ui).muted)).truncate());
        ui.ctx().accesskit_node_builder(text.id, |node| node.set_live(Live::Polite));
    });
}
