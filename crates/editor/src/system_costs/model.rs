//! What each system would cost on the current design.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{DocId, SystemPicker};
use moldloft_rules::evaluate::TableExtract;

#[derive(Clone, Debug, Default)]
pub struct SystemCosts {
    pub doc: Option<DocId>,
    pub revision: u64,
    pub mount: Option<String>,
    /// How many of each are added.
    pub count: u32,
    /// What is added before, and counted.
    pub before: Vec<(Arc<str>, u32)>,
    /// By system id: the change of each measure; `None` if it cannot be computed.
    pub by_system: BTreeMap<Arc<str>, Vec<Option<i64>>>,
    /// By system id: what the ruleset's tables say of it, as if one were aboard.
    pub extracts: BTreeMap<Arc<str>, Vec<TableExtract>>,
}

impl SystemCosts {
    /// Also while the design changes.
    pub fn is_of(&self, doc: DocId, picker: &SystemPicker) -> bool {
        let is_same_place = self.doc == Some(doc) && self.mount == picker.mount;
        is_same_place && self.count == picker.count.max(1) && self.before == picker.before
    }
}
