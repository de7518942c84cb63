//! What each system would come to on the design before the player, as last worked out.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::doc::Doc;
use super::view::DocId;

/// What each system would come to, for one state of one design.
#[derive(Clone, Debug, Default)]
pub struct SystemCosts {
    /// Which design.
    pub doc: Option<DocId>,
    /// In which revision.
    pub revision: u64,
    /// In which mount.
    pub mount: Option<String>,
    /// By the system's id: how much each measure grows; `None` where that cannot be computed.
    pub by_system: BTreeMap<Arc<str>, Vec<Option<i64>>>,
}

impl SystemCosts {
    /// Whether they are those of this design as it stands.
    pub fn is_for(&self, doc: &Doc, mount: Option<&str>) -> bool {
        self.doc == Some(doc.id) && self.revision == doc.revision && self.mount.as_deref() == mount
    }
}
