//! Compiling.
use super::lexicon::Meaning;
use super::reader::Problems;
use super::{Ruleset, Selector};
use crate::source::Source;

pub(crate) fn meaning(selector: &Selector) -> Meaning {
    match selector {
        Selector::Fit(s) => Meaning::Fit(s.clone()),
        Selector::System(s) => Meaning::System(s.clone()),
        Selector::Mount(_) => Meaning::Mount,
        Selector::Field(f) => Meaning::Row(*f),
        Selector::Table(t) => Meaning::TableRow(*t),
    }
}
pub(super) fn compile(_sources: &[Source], _problems: &Problems<'_>) -> Option<Ruleset> {
    todo!()
}
