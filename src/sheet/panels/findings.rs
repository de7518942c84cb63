//! `panel: findings`: what the checks found, so that an opponent can see it.

use super::words::Paragraphs;
use super::{Kind, Panel, Setup};
use crate::art::Anchor;
use crate::finding::Severity;
use crate::sheet::content::{Content, HeadingStyle};
use crate::sheet::pen::{Hand, Role};
use crate::sheet::view::{View, starred};

/// The kind.
pub static KIND: Kind = Kind {
    name: "findings",
    argument: "none",
    about: "errors and warnings, one short line each",
    options: &[("notes", "true: notes too, not only errors and warnings")],
    compile,
};

struct Findings {
    notes: bool,
}

fn compile(setup: &mut Setup<'_>) -> Option<Box<dyn Panel>> {
    Some(Box::new(Findings { notes: setup.flag("notes").unwrap_or(false) }))
}

impl Panel for Findings {
    fn content(&self, view: &View<'_>) -> Option<Box<dyn Content>> {
        let shown = |severity| severity != Severity::Info || self.notes;
        let paragraphs: Vec<_> = view
            .evaluation
            .findings
            .iter()
            .filter(|finding| shown(finding.severity))
            .map(|finding| {
                let lead = match finding.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Info => "note",
                };
                (lead.into(), starred(&finding.message, view.evaluation.ruleset.softens(&finding.code)).into())
            })
            .collect();
        if paragraphs.is_empty() {
            return None;
        }
        let hand = Hand { size: view.hands.floor.size(7.5, Role::Label), ..view.hands.body };
        Some(Box::new(Paragraphs::new(paragraphs, hand, Anchor::Start)))
    }

    fn heading(&self, _view: &View<'_>) -> Option<(String, HeadingStyle)> {
        Some(("Findings".into(), HeadingStyle::Ruled))
    }
}
