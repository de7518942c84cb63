//! Rulesets named on the command line, which must exist and be usable.

use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_library::library::{LoadedRuleset, Rulesets, unusable_ruleset};
use moldloft_rules::ruleset::Ruleset;

use super::terminal::print_findings;

/// A ruleset by id.
///
/// # Errors
/// The finding that makes it unusable; others of its file go to standard error.
pub fn require_ruleset(games: &Rulesets, id: &str) -> Result<Arc<Ruleset>, Finding> {
    match games.get(id)? {
        LoadedRuleset::Ready(ruleset, _) => Ok(ruleset),
        LoadedRuleset::Missing(finding) => Err(finding),
        LoadedRuleset::Broken(findings) => {
            print_findings(&*findings);
            Err(unusable_ruleset(id, &findings))
        }
    }
}
