//! A text typed into a cell of a ruleset that is no layer, tried before there is one: takes the open ruleset and the text, gives
//! what a house layer with it would report. A job; the newest text counts.

use crate::layer_edits::{edit_for, new_layer_text};
use crate::panic_guard::catch_panic;
use crate::rules_page::model::{CellId, CellTrial, RuleChange, RulesPageCommand};
use crate::{Command, EditorState, Jobs, OpenRuleset};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::Source;
use moldloft_rules::design::Document;
use moldloft_rules::ruleset::Ruleset;

const FILE: &str = "house layer";

/// Starts a job if the text in the selected cell of the current document has not been tried.
pub fn request(state: &mut EditorState, jobs: &Jobs) {
    let Some(doc) = state.current_doc() else { return };
    let (id, Some(open)) = (doc.id, doc.as_ruleset()) else { return };
    let Some(page) = state.rules_pages.get(&id) else { return };
    let (Some(cell), Some(typed)) = (&page.cell, &page.typed) else { return };
    let is_tried = page.trial.as_ref().is_some_and(|trial| trial.cell == *cell && trial.typed == *typed);
    if open.is_layer() || open.behind.is_some() || is_tried || page.trial_job.is_some() {
        return;
    }
    let (open, cell, typed) = (open.clone(), cell.clone(), typed.clone());
    let job = jobs.start(move |progress| {
        let findings = catch_panic(|| try_cell(&open, &cell, &typed)).unwrap_or_default();
        let trial = Some(Box::new(CellTrial { cell, typed, findings }));
        Some(Command::RulesPage(RulesPageCommand::Tried { doc: id, progress: progress.clone(), trial }))
    });
    state.rules_pages.entry(id).or_default().trial_job = Some(job);
}

/// What is wrong in the layer alone; nothing for a text that is no value at all, which the cell itself reports.
fn try_cell(open: &OpenRuleset, cell: &CellId, typed: &str) -> Vec<Finding> {
    let change = RuleChange::Cell { cell: cell.clone(), text: typed.to_owned() };
    let Ok(edit) = edit_for(open, &change) else { return Vec::new() };
    let Ok(mut layer) = Document::parse(&new_layer_text("house-layer", "House layer", open, None)) else {
        return Vec::new();
    };
    if let Err(finding) = edit.apply(&mut layer) {
        return vec![finding];
    }
    let layer = Source::new(FILE, layer.text());
    let sources: Vec<Source> = open.sources.iter().cloned().chain([layer]).collect();
    let (_, mut findings) = Ruleset::load_layers(&sources);
    // That the statement is not in force yet is known.
    findings.retain(|finding| {
        finding.at.file.as_deref() == Some(FILE) && finding.severity < Severity::Info && finding.code != "not-in-force"
    });
    findings
}
