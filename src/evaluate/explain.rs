//! Where a number comes from.
use std::sync::Arc;

use super::{Evaluation, Provenance};

/// One thing explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// `structure`, `alpha node, forward ring: points`, `cost: alpha node`, or a code.
    pub name: Arc<str>,
    /// How deep below what was asked for: 0 for the thing itself, 1 for what it reads, and on.
    pub depth: u32,
    /// The formula as written; for a code its condition.
    pub formula: String,
    /// The formula with numbers put in; empty when nothing is put in.
    pub numbers: String,
    /// `37`; `?` when not computable.
    pub result: String,
    /// `rulesets/wars-of-honor.toml:88`, with the rule's own name before it where it has one.
    pub rule: Arc<str>,
    /// Where the number comes from.
    pub provenance: Provenance,
    /// Why, for what is not published; for a code what it means and what to do.
    pub note: Option<Arc<str>>,
}

/// Explains a value, an attribute (`missile-launcher.points`), `costs` or a code; without `what` every value and cost line. What
/// it reads follows, down to the leaves, each once. Empty when there is no such thing ([`codes`] and the values' ids are known).
pub fn explain(evaluation: &Evaluation, what: Option<&str>) -> Vec<Explained> {
    let _ = (evaluation, what);
    Vec::new()
}

/// Codes of findings of the language itself and what they mean; a ruleset adds its checks.
pub fn codes() -> &'static [(&'static str, &'static str)] {
    &[]
}
