//! What the weapons of one ship do to another, exactly ([`odds`]), and the best change of a design for a goal ([`suggest`]).
//!
//! ```text
//! Ruleset, two ships, a question ── odds ── distributions ─┐
//! Ruleset, a design, a goal ───────────────────────────────┴─ suggest ── changes, with what is proved of them
//! ```

pub mod odds;
pub mod suggest;
