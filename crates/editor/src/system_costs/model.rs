//! What each system would cost on the current design.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Doc, DocId};
use moldloft_rules::evaluate::TableExtract;

#[derive(Clone, Debug, Default)]
pub struct SystemCosts {
    pub doc: Option<DocId>,
    pub revision: u64,
    pub mount: Option<String>,
    /// How many of each are added.
    pub count: u32,
    /// By system id: the change of each measure; `None` if it cannot be computed.
    pub by_system: BTreeMap<Arc<str>, Vec<Option<i64>>>,
    /// By system id: what the ruleset's tables say of it, as if one were aboard.
    pub extracts: BTreeMap<Arc<str>, Vec<TableExtract>>,
}

impl SystemCosts {
    pub fn is_for(&self, doc: &Doc, mount: Option<&str>, count: u32) -> bool {
        let is_same_place = self.doc == Some(doc.id) && self.mount.as_deref() == mount;
        is_same_place && self.revision == doc.revision && self.count == count
    }
}
