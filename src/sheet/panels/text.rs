//! `panel: text`: a paragraph, broken into lines; the rest of a long one is continued.

use super::words::Paragraphs;
use super::{Kind, Panel, Setup};
use crate::art::Anchor;
use crate::evaluate::Focus;
use crate::formula::Text;
use crate::ruleset::Within;
use crate::sheet::content::Content;
use crate::sheet::options::QUIET;
use crate::sheet::pen::{Hand, Role};
use crate::sheet::view::View;

/// The kind.
pub static KIND: Kind = Kind {
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

struct Paragraph {
    text: Text,
    size: f32,
    anchor: Anchor,
    quiet: bool,
}

fn compile(setup: &mut Setup<'_>) -> Option<Box<dyn Panel>> {
    if !setup.has("text") {
        let message = format!("`{}`: missing `text`", setup.label);
        setup.wrong_argument("missing-panel-option", message, Some("add text = \"…\" to its description".into()));
        return None;
    }
    let anchor = match setup.choice("align", &["left", "centre", "right"]) {
        Some("centre") => Anchor::Middle,
        Some("right") => Anchor::End,
        _ => Anchor::Start,
    };
    let text = setup.text("text", &Within::Ship)?;
    let size = setup.number("size").unwrap_or(7.0);
    Some(Box::new(Paragraph { text, size, anchor, quiet: setup.flag("quiet").unwrap_or(false) }))
}

impl Panel for Paragraph {
    fn content(&self, view: &View<'_>) -> Option<Box<dyn Content>> {
        let words = view.say(&self.text, &Focus::default())?;
        if words.trim().is_empty() {
            return None;
        }
        let mut hand = Hand { size: view.hands.floor.size(self.size, Role::Label), ..view.hands.body };
        if self.quiet {
            hand = hand.paint(QUIET);
        }
        let paragraphs = words.lines().map(|line| ("".into(), line.into())).collect();
        Some(Box::new(Paragraphs::new(paragraphs, hand, self.anchor)))
    }
}
