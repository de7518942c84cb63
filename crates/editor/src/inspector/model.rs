//! What the inspector shows of each open document: findings, explanations, comparisons.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_library::store::FileRef;
use moldloft_rules::evaluate::{DesignComparison, ExplainTarget, Explanation};

use crate::model::edit::Edit;
use crate::model::kinds::with_kinds;
use crate::model::view::DocId;

#[derive(Debug, Default)]
pub struct InspectorViews {
    pub(crate) views: BTreeMap<DocId, InspectorView>,
}

#[derive(Clone, Debug, Default)]
pub struct InspectorView {
    pub selected_finding: Option<usize>,
    /// In the order of the findings.
    pub offers: Vec<Option<FixOffer>>,
    /// How many findings can be fixed together without a new error.
    pub fixable_count: Option<usize>,
    /// `None`: the list of everything that can be explained.
    pub query: Option<ExplainTarget>,
    /// Empty if the design has no such thing.
    pub explanation: Vec<Explanation>,
    /// By the key of each branch: its names from the root down.
    pub collapsed: BTreeSet<String>,
    /// The branch key of each line of the explanation that has lines below it.
    pub(crate) branches: Vec<Option<String>>,
    back_stack: Vec<Option<ExplainTarget>>,
    forward_stack: Vec<Option<ExplainTarget>>,
    pub(crate) explained_for: Option<(u64, Option<ExplainTarget>)>,
    pub compare_target: CompareTarget,
    pub only_differences: bool,
    pub comparison: Option<Result<DocComparison, String>>,
    pub(crate) offers_revision: u64,
    pub(crate) compared_key: Option<ComparisonKey>,
}

#[derive(Clone, Debug)]
pub struct FixOffer {
    /// `set feeds of the missile magazine in core to 14`.
    pub description: String,
    /// `+6 mass, +6 points`; empty if nothing changes or it was not computed.
    pub change: String,
    pub edit: Edit,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareTarget {
    #[default]
    Saved,
    Doc(DocId),
    File(FileRef),
}

#[derive(Clone, Debug)]
pub struct DocComparison {
    pub name: String,
    pub comparison: DesignComparison,
    /// Byte for byte.
    pub same_text: bool,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum InspectorCommand as InspectorCommandKind {
        GoToFinding(usize),
        NextFinding { back: bool },
        Back,
        Forward,
        ListAll,
        ToggleBranch(String),
        CompareWith(CompareTarget),
        PickCompareFile,
        OnlyDifferences(bool),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComparisonKey {
    pub(crate) target: CompareTarget,
    pub(crate) revision: u64,
    pub(crate) other_revision: Option<u64>,
    pub(crate) saved: Option<Arc<str>>,
    pub(crate) rules_generation: u64,
}

impl InspectorViews {
    pub fn view(&self, id: DocId) -> Option<&InspectorView> {
        self.views.get(&id)
    }

    pub(crate) fn view_mut(&mut self, id: DocId) -> &mut InspectorView {
        self.views.entry(id).or_insert_with(|| InspectorView { only_differences: true, ..InspectorView::default() })
    }

    pub fn invalidate_comparisons(&mut self) {
        for view in self.views.values_mut() {
            view.compared_key = None;
        }
    }
}

impl InspectorView {
    pub fn has_back(&self) -> bool {
        !self.back_stack.is_empty()
    }

    pub fn has_forward(&self) -> bool {
        !self.forward_stack.is_empty()
    }

    pub(crate) fn set_query(&mut self, target: Option<ExplainTarget>) {
        if target != self.query {
            self.back_stack.push(std::mem::replace(&mut self.query, target));
            self.forward_stack.clear();
        }
    }

    pub(crate) fn navigate(&mut self, back: bool) {
        let (from, to) = if back {
            (&mut self.back_stack, &mut self.forward_stack)
        } else {
            (&mut self.forward_stack, &mut self.back_stack)
        };
        if let Some(target) = from.pop() {
            to.push(std::mem::replace(&mut self.query, target));
        }
    }
}
