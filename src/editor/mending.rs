//! Mending all findings at once, after the player has seen what that does: takes the design before the player and what is to be left alone, gives a list
//! with what each mend and all together do to points and budgets, and the edit. What mends a finding is the ruleset's.

use super::command::{Command, Dialog};
use super::doc::DocId;
use super::inspect::plan;
use super::state::State;

/// The dialog that shows what would be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mending {
    /// To which design.
    pub doc: DocId,
    /// What could be done, in order.
    pub lines: Vec<Line>,
    /// What all that is ticked does to points and budgets; empty when nothing.
    pub change: String,
    /// Errors and warnings that are left then.
    pub left: usize,
}

/// One mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `set feeds of the missile magazine in core to 14`.
    pub sentence: String,
    /// What it does to points and budgets.
    pub change: String,
    /// Whether it is to be done.
    pub on: bool,
}

/// What can be done there.
#[derive(Clone, Debug)]
pub enum Mend {
    /// Opens the dialog.
    Begin,
    /// Ticks a line by its sentence, or takes the tick off.
    Tick(String),
    /// Does what is ticked.
    Take,
}

/// Carries it out; gives what follows from it.
pub fn apply(state: &mut State, mend: Mend) -> Option<Command> {
    let mut lines = match (&mend, &state.dialog) {
        (Mend::Begin, _) => Vec::new(),
        (_, Some(Dialog::Mend(open))) if state.doc().is_some_and(|doc| doc.id == open.doc) => open.lines.clone(),
        _ => return None,
    };
    if let Mend::Tick(sentence) = &mend {
        lines.iter_mut().filter(|line| line.sentence == *sentence).for_each(|line| line.on = !line.on);
    }
    let doc = state.doc()?;
    let but: Vec<String> = lines.iter().filter(|line| !line.on).map(|line| line.sentence.clone()).collect();
    let plan = plan(doc, &state.games, &but)?;
    if let Mend::Take = mend {
        let edit = (!plan.done.is_empty()).then(|| Command::Edit(plan.edit()));
        state.dialog = None;
        return edit;
    }
    let id = doc.id;
    // What needs another mend first is not to be done with that one left out.
    let is_done = |line: &Line| plan.done.iter().any(|(sentence, _)| *sentence == line.sentence);
    lines.retain(|line| !line.on || is_done(line));
    for (sentence, change) in &plan.done {
        match lines.iter_mut().find(|line| line.sentence == *sentence) {
            Some(line) => line.change.clone_from(change),
            None => lines.push(Line { sentence: sentence.clone(), change: change.clone(), on: true }),
        }
    }
    state.dialog = Some(Dialog::Mend(Mending { doc: id, lines, change: plan.change, left: plan.left }));
    None
}
