//! What the inspector shows of each open document: findings, explanations.

use std::collections::{BTreeMap, BTreeSet};

use crate::{DocId, Edit, with_kinds};
use moldloft_rules::evaluate::{ExplainTarget, Explanation};

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
    pub(crate) offers_revision: u64,
}

#[derive(Clone, Debug)]
pub struct FixOffer {
    /// `set feeds of the missile magazine in core to 14`.
    pub description: String,
    /// `+6 mass, +6 points`; empty if nothing changes or it was not computed.
    pub change: String,
    pub edit: Edit,
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
    }
}

impl InspectorViews {
    pub fn view(&self, id: DocId) -> Option<&InspectorView> {
        self.views.get(&id)
    }

    pub(crate) fn view_mut(&mut self, id: DocId) -> &mut InspectorView {
        self.views.entry(id).or_default()
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
