//! Findings and explanations of each open document. Takes commands and the state; [`update`] recomputes
//! what the inspector shows when the document has changed.

pub mod model;

use crate::{Command, Doc, DocId, Edit, EditorState, FormTarget, InspectorTab, Tab};
use moldloft_base::finding::Severity;
use moldloft_library::library::Rulesets;
use moldloft_odds::suggest::fix_all;
use moldloft_rules::design::{Document, DocumentEdit};
use moldloft_rules::evaluate::{
    DesignPart, Evaluation, ExplainTarget, Explanation, QuickFix, explain_code_in_fleet, explain_target,
    key_value_changes, quick_fix,
};
use moldloft_sheet::sheet::format_signed;

pub(crate) use crate::inspector::model::FixOffer;
pub use crate::inspector::model::InspectorCommand;

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
    let changes = key_value_changes(before, after).into_iter().rev();
    changes
        .map(|(label, by)| crate::widgets::amount_with_unit(&format_signed(by), &label))
        .collect::<Vec<_>>()
        .join(", ")
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
