//! Rulesets that a player named on the command line: they must be there and usable.

use std::sync::Arc;

use crate::finding::Finding;
use crate::library::{LoadedRuleset, Rulesets, unusable_ruleset};
use crate::ruleset::Ruleset;

/// The ruleset of an id that the player named.
///
/// # Errors
/// The finding that says why it cannot be used; further ones of its file are written to standard error.
pub fn require_ruleset(games: &Rulesets, id: &str) -> Result<Arc<Ruleset>, Finding> {
    match games.get(id)? {
        LoadedRuleset::Ready(ruleset, _) => Ok(ruleset),
        LoadedRuleset::Missing(finding) => Err(finding),
        LoadedRuleset::Broken(findings) => {
            super::print_findings(&*findings);
            Err(unusable_ruleset(id, &findings))
        }
    }
}
