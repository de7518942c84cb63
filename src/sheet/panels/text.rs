//! `panel: text`: a paragraph, broken into lines; the rest of a long one is continued.

use super::content::text_blocks::Paragraphs;
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use crate::art::Anchor;
use crate::evaluate::SlotScope;
use crate::formula::TextTemplate;
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;
use crate::sheet::layout::minimum_sizes::QUIET_INK;
use crate::sheet::layout::text_style::{TextRole, TextStyle};

/// The kind.
pub static KIND: PanelKind = PanelKind {
    name: "text",
    argument: "a name, not printed",
    about: "a paragraph of text",
    options: &[
        ("text", "the text, with {{ }}"),
        ("size", "font size in points; default 7"),
        ("align", "`left`, `centre` or `right`"),
        ("quiet", "true: grey"),
    ],
    compile,
};

struct TextPanel {
    text: TextTemplate,
    size: f32,
    anchor: Anchor,
    quiet: bool,
}

fn compile(setup: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    if !setup.has("text") {
        let message = format!("`{}`: missing `text`", setup.label);
        setup.report_argument("missing-panel-option", message, Some("add text = \"…\" to its description".into()));
        return None;
    }
    let anchor = match setup.choice("align", &["left", "centre", "right"]) {
        Some("centre") => Anchor::Middle,
        Some("right") => Anchor::End,
        _ => Anchor::Start,
    };
    let text = setup.text("text", &SlotContext::Ship)?;
    let size = setup.number("size").unwrap_or(7.0);
    Some(Box::new(TextPanel { text, size, anchor, quiet: setup.boolean("quiet").unwrap_or(false) }))
}

impl Panel for TextPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        let words = view.render_text(&self.text, &SlotScope::default())?;
        if words.trim().is_empty() {
            return None;
        }
        let mut hand = TextStyle { size: view.hands.minimums.size(self.size, TextRole::Label), ..view.hands.body };
        if self.quiet {
            hand = hand.with_paint(QUIET_INK);
        }
        let paragraphs = words.lines().map(|line| ("".into(), line.into())).collect();
        Some(Box::new(Paragraphs::new(paragraphs, hand, self.anchor)))
    }
}
