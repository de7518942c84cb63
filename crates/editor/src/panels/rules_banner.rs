//! Ruleset files that are not used because of errors.

use crate::language::say;
use crate::model::rules::RulesetStatus;
use egui::{Label, RichText, Ui};

use crate::panels::findings::severity_icon;
use crate::theme::palette;
use crate::widgets::{with_accessible_name, with_curly_quotes};
use crate::{Command, EditorState, InspectorTab, Tab};
use moldloft_base::finding::Severity;

pub fn is_needed(status: &RulesetStatus) -> bool {
    !status.rejected_files().is_empty()
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let palette = palette(ui);
    for (id, status) in state.ruleset_status.rejected_files() {
        ui.horizontal(|ui| {
            severity_icon(ui, Severity::Warning);
            if matches!(state.tab, Tab::Doc(_)) {
                let show = with_accessible_name(ui.button(say("Show")), &format!("Show what is wrong with {id}"));
                out.extend(show.clicked().then(|| Command::ShowInspectorTab(InspectorTab::Rules)));
            }
            let text = format!("{id}: using the last good version: {}", status.reason());
            ui.add(Label::new(RichText::new(with_curly_quotes(&say(&text))).color(palette.warning)).wrap());
        });
    }
}
