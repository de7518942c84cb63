//! Findings, explanations and comparisons of each open document. Takes commands and the state; [`update`] recomputes
//! what the inspector shows when the document has changed.

pub mod model;

use std::path::PathBuf;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::Source;
use moldloft_library::library::{self, Rulesets};
use moldloft_library::store::FileRef;
use moldloft_odds::suggest::fix_all;
use moldloft_rules::design::{Document, DocumentEdit};
use moldloft_rules::evaluate::{
    DesignPart, Evaluation, ExplainTarget, Explanation, QuickFix, compare, explain_code_in_fleet, explain_target,
    quick_fix,
};

use crate::file_chooser::model::{FilePick, PickPurpose};
use crate::inspector::model::{ComparisonKey, DocComparison};
use crate::model::command::Command;
use crate::model::doc::Doc;
use crate::model::edit::Edit;
use crate::model::state::EditorState;
use crate::model::view::{DocId, FormTarget, InspectorTab, Notice, Tab};

pub(crate) use crate::inspector::model::FixOffer;
pub use crate::inspector::model::{CompareTarget, InspectorCommand};

/// Each trial takes an evaluation.
const MAX_FIX_TRIALS: usize = 24;

pub fn apply(state: &mut EditorState, command: InspectorCommand) -> Vec<Command> {
    let Some(doc) = state.current_doc() else { return Vec::new() };
    let id = doc.id;
    match command {
        InspectorCommand::GoToFinding(n) => return go_to_finding(state, id, n),
        InspectorCommand::NextFinding { back } => {
            let count = doc.findings().len();
            let now = state.inspector_views.view(id).and_then(|view| view.selected_finding).filter(|now| *now < count);
            let next = match (count, now, back) {
                (0, ..) => return vec![Command::ShowInspectorTab(InspectorTab::Findings)],
                (_, None, false) => 0,
                (_, None, true) => count - 1,
                (_, Some(now), false) => (now + 1) % count,
                (_, Some(now), true) => (now + count - 1) % count,
            };
            let mut commands = go_to_finding(state, id, next);
            commands.push(Command::ShowInspectorTab(InspectorTab::Findings));
            return commands;
        }
        InspectorCommand::Back => state.inspector_views.view_mut(id).navigate(true),
        InspectorCommand::Forward => state.inspector_views.view_mut(id).navigate(false),
        InspectorCommand::ListAll => state.inspector_views.view_mut(id).set_query(None),
        InspectorCommand::ToggleBranch(branch) => {
            let collapsed = &mut state.inspector_views.view_mut(id).collapsed;
            if !collapsed.remove(&branch) {
                collapsed.insert(branch);
            }
        }
        InspectorCommand::CompareWith(compare_target) => {
            state.inspector_views.view_mut(id).compare_target = compare_target
        }
        InspectorCommand::PickCompareFile => {
            let folder = doc.path().and_then(|path| path.parent()).or(state.store.workspace());
            return vec![Command::PickFile(FilePick::designs("Compare with a design", folder, PickPurpose::Compare))];
        }
        InspectorCommand::OnlyDifferences(only) => state.inspector_views.view_mut(id).only_differences = only,
    }
    Vec::new()
}

pub fn explain(state: &mut EditorState, target: ExplainTarget) {
    if let Tab::Doc(id) = state.tab {
        state.inspector_tab = InspectorTab::Explain;
        state.inspector_views.view_mut(id).set_query(Some(target));
    }
}

/// The names of a line and of those above it, so that folding survives edits.
fn branch_key(lines: &[Explanation], n: usize) -> String {
    let mut names = vec![&*lines[n].name];
    let mut depth = lines[n].depth;
    for line in lines[..n].iter().rev() {
        if line.depth < depth {
            depth = line.depth;
            names.push(&line.name);
        }
    }
    names.join(" ‹ ")
}

fn go_to_finding(state: &mut EditorState, id: DocId, n: usize) -> Vec<Command> {
    let Some(doc) = state.find_doc(id).filter(|doc| n < doc.findings().len()) else { return Vec::new() };
    let form_target = finding_target(doc, n);
    state.inspector_views.view_mut(id).selected_finding = Some(n);
    let Some(form_target) = form_target else { return Vec::new() };
    let mut commands = Vec::new();
    if let FormTarget::Fit(at) | FormTarget::Ship { ship: at, .. } = form_target {
        commands.push(Command::Select(vec![at]));
    }
    commands.push(Command::GoTo(form_target));
    commands
}

pub fn finding_target(doc: &Doc, finding: usize) -> Option<FormTarget> {
    if let Some(fleet) = doc.as_fleet() {
        return match fleet.findings.get(finding)?.subject() {
            DesignPart::Ship { ship, key } => Some(FormTarget::Ship { ship: *ship, key }),
            DesignPart::Group(group) => Some(FormTarget::Group(*group)),
            DesignPart::TopKey(key) => {
                let keys = ["name", "side", "player", "notes", "budget"];
                keys.into_iter().find(|known| **known == **key).map(FormTarget::TopKey)
            }
            _ => None,
        };
    }
    let evaluation = doc.evaluation()?;
    Some(match evaluation.findings.get(finding)?.subject() {
        DesignPart::Design => return None,
        DesignPart::TopKey(key) if **key == *"notes" => FormTarget::TopKey("notes"),
        DesignPart::TopKey(_) => FormTarget::TopKey("name"),
        DesignPart::Field(field) | DesignPart::Row { field, .. } => FormTarget::Field(field.to_string()),
        DesignPart::Fit(fit) => FormTarget::Fit(*fit),
        DesignPart::System(id) => FormTarget::Fit(evaluation.fits.iter().find(|fit| fit.system == *id)?.index),
        DesignPart::Mount(mount) => FormTarget::Mount(mount.to_string()),
        DesignPart::CustomSystem(id) => FormTarget::Fit(evaluation.fits.iter().find(|fit| fit.system == *id)?.index),
        DesignPart::Ship { ship, key } => FormTarget::Ship { ship: *ship, key },
        DesignPart::Group(group) => FormTarget::Group(*group),
    })
}

pub fn update(state: &mut EditorState) {
    let open: Vec<DocId> = state.docs.iter().map(|doc| doc.id).collect();
    state.inspector_views.views.retain(|id, _| open.contains(id));
    let Tab::Doc(id) = state.tab else { return };
    match state.visible_inspector_tab() {
        InspectorTab::Findings => update_offers(state, id),
        InspectorTab::Compare => update_comparison(state, id),
        InspectorTab::Explain => update_explanation(state, id),
        _ => {}
    }
}

// --- findings ---

fn update_offers(state: &mut EditorState, id: DocId) {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    let view = state.inspector_views.view_mut(id);
    if view.offers_revision == doc.revision {
        return;
    }
    view.offers_revision = doc.revision;
    view.selected_finding = view.selected_finding.filter(|finding| *finding < doc.findings().len());
    view.fixable_count = None;
    view.offers.clear();
    let Some(evaluation) = doc.evaluation() else { return };
    let mut tried = 0;
    view.offers = (0..evaluation.findings.len())
        .map(|n| {
            let fix = quick_fix(evaluation, n)?;
            let edit = Edit::single(fix.sentence.clone(), DocumentEdit::Fix(fix.edits));
            tried += 1;
            let change = if tried > MAX_FIX_TRIALS {
                String::new()
            } else {
                let after = evaluate_edit(doc, &edit, &state.rulesets)?;
                describe_change(evaluation, &after)
            };
            Some(FixOffer { description: fix.sentence, change, edit })
        })
        .collect();
    if view.offers.iter().flatten().count() > 1 && tried <= MAX_FIX_TRIALS {
        view.fixable_count = count_fixable(doc, &state.rulesets);
    }
}

/// `None` if the edit is not possible.
pub fn evaluate_edit(doc: &Doc, edit: &Edit, rulesets: &Rulesets) -> Option<Evaluation> {
    let mut document = doc.as_design()?.document.clone();
    edit.clone().apply(&mut document).ok()?;
    doc.check_text(&document.to_text(), rulesets).evaluation
}

/// `+6 mass, +6 points`.
pub fn describe_change(before: &Evaluation, after: &Evaluation) -> String {
    let comparison = compare(after, before);
    let changes = comparison.budgets.iter().rev().filter_map(|line| match line.difference {
        Some(0) | None => None,
        Some(by) => Some(crate::widgets::amount_with_unit(&signed(by), &line.label)),
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// `+6`, `−2`.
pub fn signed(number: i64) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { format!("+{number}") }
}

/// `None` if there are not several.
fn count_fixable(doc: &Doc, rulesets: &Rulesets) -> Option<usize> {
    plan_fixes(doc, rulesets, &[]).map(|plan| plan.fixes.len()).filter(|count| *count > 1)
}

pub(crate) struct FixPlan {
    /// Each description with its effect on points and budgets.
    pub fixes: Vec<(String, String)>,
    pub change: String,
    /// Errors and warnings.
    pub remaining: usize,
    steps: Vec<DocumentEdit>,
}

impl FixPlan {
    pub fn to_edit(&self) -> Edit {
        let many = match self.steps.len() {
            1 => "1 finding".to_owned(),
            count => format!("{count} findings"),
        };
        Edit::from_steps(format!("fix {many}"), self.steps.clone())
    }
}

/// Applies fixes one by one while each leaves fewer errors and warnings and no new error. Skips the descriptions in
/// `excluded`.
pub(crate) fn plan_fixes(doc: &Doc, rulesets: &Rulesets, excluded: &[String]) -> Option<FixPlan> {
    let open_design = doc.as_design()?;
    let before = open_design.evaluation.as_deref()?;
    let is_wanted = |_: &Evaluation, fix: &QuickFix| !excluded.contains(&fix.sentence);
    let check = |document: &Document| doc.check_text(&document.to_text(), rulesets).evaluation;
    let done = fix_all(&open_design.document, before, &is_wanted, &check);
    let each = std::iter::once(before).chain(done.iter().map(|step| &step.after)).zip(&done);
    let fixes = each.map(|(before, step)| (step.fix.sentence.clone(), describe_change(before, &step.after))).collect();
    let now = done.last().map_or(before, |step| &step.after);
    let remaining = now.findings.iter().filter(|finding| finding.severity != Severity::Info).count();
    let change = describe_change(before, now);
    let steps = done.into_iter().map(|step| DocumentEdit::Fix(step.fix.edits)).collect();
    Some(FixPlan { fixes, change, remaining, steps })
}

// --- explanation ---

fn update_explanation(state: &mut EditorState, id: DocId) {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    let view = state.inspector_views.view_mut(id);
    let explained_for = Some((doc.revision, view.query.clone()));
    if view.explained_for == explained_for {
        return;
    }
    view.explanation = match (doc.shown_ship(), &view.query) {
        (Some(evaluation), Some(ExplainTarget::Code(code))) if doc.as_fleet().is_some() => {
            explain_code_in_fleet(evaluation, code, &doc.findings().iter().collect::<Vec<_>>())
        }
        (Some(evaluation), Some(target)) => explain_target(evaluation, target),
        _ => Vec::new(),
    };
    let lines = &view.explanation;
    let is_branch = |n: usize| lines.get(n + 1).is_some_and(|next| next.depth > lines[n].depth);
    view.branches = (0..lines.len()).map(|n| is_branch(n).then(|| branch_key(lines, n))).collect();
    view.explained_for = explained_for;
}

// --- comparison ---

fn update_comparison(state: &mut EditorState, id: DocId) {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    let generation = state.ruleset_status.generation;
    let view = state.inspector_views.view_mut(id);
    if let CompareTarget::Doc(other) = &view.compare_target
        && !state.docs.iter().any(|doc| doc.id == *other)
    {
        view.compare_target = CompareTarget::Saved;
    }
    let other = match &view.compare_target {
        CompareTarget::Doc(other) => state.docs.iter().find(|doc| doc.id == *other),
        _ => None,
    };
    let seen = ComparisonKey {
        target: view.compare_target.clone(),
        revision: doc.revision,
        other_revision: other.map(|doc| doc.revision),
        saved: doc.saved.clone(),
        rules_generation: generation,
    };
    if view.compared_key.as_ref() != Some(&seen) {
        view.comparison = Some(compare_docs(doc, &view.compare_target, other, &state.rulesets));
        view.compared_key = Some(seen);
    }
}

fn compare_docs(
    doc: &Doc,
    compare_target: &CompareTarget,
    other: Option<&Doc>,
    rulesets: &Rulesets,
) -> Result<DocComparison, String> {
    let Some(here) = doc.evaluation() else {
        return Err("This design cannot be checked yet: see its findings.".to_owned());
    };
    let read = |source: Result<Source, Finding>, name: String| {
        let source = source.map_err(|finding| format!("{name}: {}", finding.message))?;
        let text = source.text.to_string();
        library::check_source(rulesets, &source)
            .evaluation
            .map(|there| (there, text, name.clone()))
            .ok_or_else(|| format!("{name} cannot be checked: open it to see why."))
    };
    let (there, text, name) = match compare_target {
        CompareTarget::Saved => {
            let Some(saved) = &doc.saved else {
                return Err("This design was never saved: no saved version to compare with.".to_owned());
            };
            let there = doc.check_text(saved, rulesets).evaluation;
            let there = there.ok_or("The saved version cannot be checked by the current rules.")?;
            (there, saved.to_string(), "the saved version".to_owned())
        }
        CompareTarget::Doc(_) => {
            let other = other.ok_or("That design is no longer open.")?;
            let there = other.evaluation().ok_or_else(|| format!("{} cannot be checked yet.", other.name()))?;
            ((**there).clone(), other.text().to_string(), other.name())
        }
        CompareTarget::File(file) => read(file.read(), file.to_string())?,
    };
    let name =
        if there.name.is_empty() || *compare_target == CompareTarget::Saved { name } else { there.name.to_string() };
    Ok(DocComparison { name, comparison: compare(here, &there), same_text: *text == **doc.text() })
}

pub fn compare_with_file(state: &mut EditorState, path: PathBuf) {
    if let Tab::Doc(id) = state.tab {
        state.inspector_views.view_mut(id).compare_target = CompareTarget::File(FileRef::on_disk(path));
        state.inspector_tab = InspectorTab::Compare;
    } else {
        state.notices.push(Notice::info("open a design first to compare it with the file"));
    }
}
