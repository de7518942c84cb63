//! What each system would cost on the current design.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_rules::evaluate::TableExtract;

use crate::model::doc::Doc;
use crate::model::view::DocId;

#[derive(Clone, Debug, Default)]
pub struct SystemCosts {
    pub doc: Option<DocId>,
    pub revision: u64,
    pub mount: Option<String>,
    /// By system id: the change of each measure; `None` if it cannot be computed.
    pub by_system: BTreeMap<Arc<str>, Vec<Option<i64>>>,
    /// By system id: what the ruleset's tables say of it, as if one were aboard.
    pub extracts: BTreeMap<Arc<str>, Vec<TableExtract>>,
}

impl SystemCosts {
    pub fn is_for(&self, doc: &Doc, mount: Option<&str>) -> bool {
        self.doc == Some(doc.id) && self.revision == doc.revision && self.mount.as_deref() == mount
    }
}
