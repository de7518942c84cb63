//! Fixing all findings at once: takes the current design and the excluded fixes, gives a preview with the effect of
//! each fix, and the edit. The fixes come from the ruleset.

pub mod model;
pub mod panel;

use crate::inspector::plan_fixes;
use crate::{Command, Dialog, EditorState};

pub use crate::fix_all::model::FixAllCommand;
pub(crate) use crate::fix_all::model::{FixAllDialog, FixAllLine};

pub fn apply(state: &mut EditorState, command: FixAllCommand) -> Option<Command> {
    let mut lines = match (&command, &state.dialog) {
        (FixAllCommand::Open, _) => Vec::new(),
        (_, Some(Dialog::FixAll(open))) if state.current_doc().is_some_and(|doc| doc.id == open.doc) => {
            open.lines.clone()
        }
        _ => return None,
    };
    if let FixAllCommand::Toggle(description) = &command {
        lines.iter_mut().filter(|line| line.description == *description).for_each(|line| line.enabled = !line.enabled);
    }
    let doc = state.current_doc()?;
    let excluded: Vec<String> =
        lines.iter().filter(|line| !line.enabled).map(|line| line.description.clone()).collect();
    let plan = plan_fixes(doc, &state.rulesets, &excluded)?;
    if let FixAllCommand::Apply = command {
        let edit = (!plan.fixes.is_empty()).then(|| Command::Edit(plan.to_edit()));
        state.dialog = None;
        return edit;
    }
    let id = doc.id;
    // Drop fixes that depend on an excluded one.
    let is_done = |line: &FixAllLine| plan.fixes.iter().any(|(description, _)| *description == line.description);
    lines.retain(|line| !line.enabled || is_done(line));
    for (description, change) in &plan.fixes {
        match lines.iter_mut().find(|line| line.description == *description) {
            Some(line) => line.change.clone_from(change),
            None => lines.push(FixAllLine { description: description.clone(), change: change.clone(), enabled: true }),
        }
    }
    state.dialog =
        Some(Dialog::FixAll(FixAllDialog { doc: id, lines, change: plan.change, remaining: plan.remaining }));
    None
}
