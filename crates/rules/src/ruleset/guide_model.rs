//! The steps of making a first ship: what to do, what a step sets and fits, and the condition that says it is done. Data
//! only.

use std::sync::Arc;

use crate::formula::Formula;
use moldloft_base::source::toml::TomlEntry;

/// Most steps of a ruleset.
pub const MAX_GUIDE_STEPS: usize = 40;

#[derive(Clone, Debug)]
pub struct GuideStep {
    pub id: Arc<str>,
    pub label: Arc<str>,
    /// What to do and why.
    pub text: Arc<str>,
    /// Fields with their values, as a design has them.
    pub sets: Vec<TomlEntry<'static>>,
    pub systems: Vec<GuideSystem>,
    pub fits: Vec<GuideFit>,
    pub done: Formula,
}

#[derive(Clone, Debug)]
pub struct GuideFit {
    pub system: Arc<str>,
    pub mount: Option<Arc<str>>,
    pub count: u32,
    /// Parameters, as a design has them.
    pub parameters: Vec<TomlEntry<'static>>,
}

/// One of the design's own systems.
#[derive(Clone, Debug)]
pub struct GuideSystem {
    pub id: Arc<str>,
    /// The system of the ruleset.
    pub like: Arc<str>,
    /// Its other keys, as a design has them.
    pub entries: Vec<TomlEntry<'static>>,
}
