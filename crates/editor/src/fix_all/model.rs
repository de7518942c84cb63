//! The dialog that fixes all findings: its lines and commands.

use crate::{DocId, with_kinds};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixAllDialog {
    pub doc: DocId,
    pub lines: Vec<FixAllLine>,
    /// Effect of the enabled lines on points and budgets; empty if none.
    pub change: String,
    /// Errors and warnings.
    pub remaining: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixAllLine {
    /// `set feeds of the missile magazine in core to 14`.
    pub description: String,
    /// Effect on points and budgets.
    pub change: String,
    pub enabled: bool,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum FixAllCommand as FixAllCommandKind {
        Open,
        /// By description.
        Toggle(String),
        Apply,
    }
}
