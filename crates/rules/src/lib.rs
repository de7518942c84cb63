//! A game's rules, and what they make of a design:
//!
//! ```text
//! ruleset.toml ── ruleset ─┐   every name resolved, every formula compiled
//!                          ├── evaluate ── Evaluation: values, costs, tracks, tables, findings
//! design.toml ─── design ──┘
//! ```
//!
//! [`formula`] is the language of rules; [`schema`] writes its grammar for text editors.

pub mod arcs;
pub mod design;
pub mod evaluate;
pub mod formula;
pub mod ruleset;
pub mod schema;
