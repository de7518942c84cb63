//! The dialog that fixes all findings at once: its lines and what can be done there.

use super::view::DocId;

/// The dialog that shows what would be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixAllDialog {
    /// To which design.
    pub doc: DocId,
    /// What could be done, in order.
    pub lines: Vec<FixAllLine>,
    /// What all that is ticked does to points and budgets; empty when nothing.
    pub change: String,
    /// Errors and warnings that are left then.
    pub remaining: usize,
}

/// One mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixAllLine {
    /// `set feeds of the missile magazine in core to 14`.
    pub description: String,
    /// What it does to points and budgets.
    pub change: String,
    /// Whether it is to be done.
    pub enabled: bool,
}

/// What can be done there.
#[derive(Clone, Debug)]
pub enum FixAllCommand {
    /// Opens the dialog.
    Open,
    /// Ticks a line by its sentence, or takes the tick off.
    Toggle(String),
    /// Does what is ticked.
    Apply,
}
