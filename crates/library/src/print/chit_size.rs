//! The size of chits that a player asks for: takes millimetres, gives a ruleset's setting.

use std::sync::Arc;

use crate::library::CHIT_SIZE;
use moldloft_base::finding::Finding;
use moldloft_rules::ruleset::Ruleset;

/// The least and largest size of chits, in mm.
pub const CHIT_SIZES: (u32, u32) = (5, 100);

/// The setting for rulesets that are yet to be loaded: `chit_mm=15`.
pub fn chit_size_setting(side: u32) -> String {
    format!("{CHIT_SIZE}={side}")
}

/// The ruleset with chits of this size; itself, and a finding, when it does not leave the size to the player.
pub fn with_chit_size(ruleset: &Arc<Ruleset>, side: u32) -> (Arc<Ruleset>, Option<Finding>) {
    let mut sized = Ruleset::clone(ruleset);
    match sized.set_setting(CHIT_SIZE, &side.to_string()) {
        Ok(()) => (Arc::new(sized), None),
        Err(finding) => {
            let message = format!("{}: using the chit size of the ruleset: {}", ruleset.title, finding.message);
            (Arc::clone(ruleset), Some(Finding::warning("chit-size", message)))
        }
    }
}
