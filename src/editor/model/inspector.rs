//! What is looked at below the sheet, design by design: findings, explanations, comparisons.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::evaluate::{DesignComparison, ExplainTarget, Explanation};
use crate::store::FileRef;

use super::edit::Edit;
use super::view::DocId;

/// What is looked at in each open design.
#[derive(Debug, Default)]
pub struct InspectorViews {
    pub(in crate::editor) views: BTreeMap<DocId, InspectorView>,
}

/// What is looked at in one design.
#[derive(Clone, Debug, Default)]
pub struct InspectorView {
    /// The finding before the player, by its place in the list.
    pub selected_finding: Option<usize>,
    /// What would mend each finding, in step with them.
    pub offers: Vec<Option<FixOffer>>,
    /// How many findings can be mended at once without a new fault.
    pub fixable_count: Option<usize>,
    /// What is explained; `None`: everything there is to ask for is listed.
    pub query: Option<ExplainTarget>,
    /// Its explanation; empty when this design has no such thing.
    pub explanation: Vec<Explanation>,
    /// Parts of explanations that are folded, by [`branch_key`].
    pub collapsed: BTreeSet<String>,
    back_stack: Vec<Option<ExplainTarget>>,
    forward_stack: Vec<Option<ExplainTarget>>,
    pub(in crate::editor) explained_for: Option<(u64, Option<ExplainTarget>)>,
    /// What it is compared with.
    pub compare_target: CompareTarget,
    /// Only what differs is shown.
    pub only_differences: bool,
    /// The comparison, or why there is none.
    pub comparison: Option<Result<DocComparison, String>>,
    pub(in crate::editor) offers_revision: u64,
    pub(in crate::editor) compared_key: Option<ComparisonKey>,
}

/// What would mend a finding.
#[derive(Clone, Debug)]
pub struct FixOffer {
    /// `set feeds of the missile magazine in core to 14`.
    pub description: String,
    /// What it does to points and budgets: `+6 mass, +6 points`; empty when nothing, or when that was not worked out.
    pub change: String,
    /// The edit that does it.
    pub edit: Edit,
}

/// What a design is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompareTarget {
    /// Itself as it was saved or opened.
    #[default]
    Saved,
    /// Another open design.
    Doc(DocId),
    /// A file.
    File(FileRef),
}

/// A finished comparison.
#[derive(Clone, Debug)]
pub struct DocComparison {
    /// What the other is called.
    pub name: String,
    /// Line by line.
    pub comparison: DesignComparison,
    /// The texts are the same, letter by letter.
    pub same_text: bool,
}

/// What can be done below the sheet.
#[derive(Clone, Debug)]
pub enum InspectorCommand {
    /// Goes to a finding and the thing it concerns.
    GoToFinding(usize),
    /// To the next finding, or the one before.
    NextFinding {
        /// The one before.
        back: bool,
    },
    /// Explains what was explained before.
    Back,
    /// And what came after that.
    Forward,
    /// Lists everything that can be explained.
    ListAll,
    /// Folds or unfolds a part of an explanation.
    ToggleBranch(String),
    /// Compares with this.
    CompareWith(CompareTarget),
    /// Lets the player choose a file to compare with.
    PickCompareFile,
    /// Shows only what differs, or all.
    OnlyDifferences(bool),
}

/// What a comparison was made of.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::editor) struct ComparisonKey {
    pub(in crate::editor) target: CompareTarget,
    pub(in crate::editor) revision: u64,
    pub(in crate::editor) other_revision: Option<u64>,
    pub(in crate::editor) saved: Option<Arc<str>>,
    pub(in crate::editor) rules_generation: u64,
}

impl InspectorViews {
    /// What is looked at in a design.
    pub fn view(&self, id: DocId) -> Option<&InspectorView> {
        self.views.get(&id)
    }

    pub(in crate::editor) fn view_mut(&mut self, id: DocId) -> &mut InspectorView {
        self.views.entry(id).or_insert_with(|| InspectorView { only_differences: true, ..InspectorView::default() })
    }

    /// Files of other designs may have changed: comparisons are made anew.
    pub fn invalidate_comparisons(&mut self) {
        for look in self.views.values_mut() {
            look.compared_key = None;
        }
    }
}

impl InspectorView {
    /// Whether something was explained before this.
    pub fn has_back(&self) -> bool {
        !self.back_stack.is_empty()
    }

    /// Whether something came after this.
    pub fn has_forward(&self) -> bool {
        !self.forward_stack.is_empty()
    }

    pub(in crate::editor) fn set_query(&mut self, asked: Option<ExplainTarget>) {
        if asked != self.query {
            self.back_stack.push(std::mem::replace(&mut self.query, asked));
            self.forward_stack.clear();
        }
    }

    pub(in crate::editor) fn navigate(&mut self, back: bool) {
        let (from, to) = if back {
            (&mut self.back_stack, &mut self.forward_stack)
        } else {
            (&mut self.forward_stack, &mut self.back_stack)
        };
        if let Some(asked) = from.pop() {
            to.push(std::mem::replace(&mut self.query, asked));
        }
    }
}
