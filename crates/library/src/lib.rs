//! Files of a player, and all that is made of them:
//!
//! ```text
//! folder ── store ── library ─┬─ lint ──── likely mistakes of a ruleset's author
//!           files    rulesets ├─ print ─── pages of ships, fleets, rules; chart: of odds and impact
//!                    designs  └─ exchange  tokens, lists for a forum, bundles for another player
//!                    fleets
//! ```

pub mod chart;
pub mod exchange;
pub mod library;
pub mod lint;
pub mod print;
pub mod store;
