//! Rulesets that a player named on the command line: they must be there and usable.

use std::sync::Arc;

use crate::finding::Finding;
use crate::library::games::unusable;
use crate::library::{Games, Loaded};
use crate::ruleset::Ruleset;

/// The ruleset of an id that the player named.
///
/// # Errors
/// The finding that says why it cannot be used; further ones of its file are written to standard error.
pub fn need(games: &Games, id: &str) -> Result<Arc<Ruleset>, Finding> {
    match games.get(id)? {
        Loaded::Ready(ruleset, _) => Ok(ruleset),
        Loaded::Missing(finding) => Err(finding),
        Loaded::Broken(findings) => {
            super::complain(&*findings);
            Err(unusable(id, &findings))
        }
    }
}
