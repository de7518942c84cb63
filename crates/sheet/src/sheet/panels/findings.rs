//! `panel: findings`: the findings of the checks, for an opponent to see.

use super::content::text_blocks::Paragraphs;
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Flag, Or, panel_options};
use crate::sheet::assembly::ship_view::{ShipView, mark_house_rule};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};
use crate::sheet::layout::text_style::{TextRole, TextStyle};
use moldloft_base::finding::Severity;
use moldloft_drawing::art::Anchor;

pub static KIND: PanelKind = PanelKind {
    name: "findings",
    argument: "none",
    about: "errors and warnings, one short line each",
    options: FindingsOptions::LIST,
    compile,
};

panel_options! {
    struct FindingsOptions {
        notes: bool = "notes", Or(Flag, false), "true: notes too, not only errors and warnings";
    }
}

struct FindingsPanel {
    options: FindingsOptions,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    Some(Box::new(FindingsPanel { options: FindingsOptions::read(args) }))
}

impl Panel for FindingsPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let shown = |severity| severity != Severity::Info || self.options.notes;
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
                (
                    view.say(lead).into(),
                    mark_house_rule(&finding.message, view.evaluation.ruleset.overrides_severity(&finding.code)).into(),
                )
            })
            .collect();
        if paragraphs.is_empty() {
            return None;
        }
        let style = TextStyle { size: view.styles.minimums.text_size(8.0, TextRole::Label), ..view.styles.body };
        Some(Box::new(Paragraphs::new(paragraphs, style, Anchor::Start)))
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        Some((view.say("Findings"), HeadingStyle::Ruled))
    }
}
