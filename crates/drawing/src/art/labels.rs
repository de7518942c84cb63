//! Labels and descriptions of elements: takes an element or a whole document, gives what they say, and findings about labels
//! that are almost those of panels, flows and conditions, and about files that have lost theirs.

use usvg::roxmltree::{Document, Node};

use super::mapped_text::MappedText;
use super::svg::{INKSCAPE_NAMESPACE, SVG_NAMESPACE};
use super::template::GroupKind;
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::plural;

/// The most bytes of a word that can be one of a label with a slip.
const MAX_WORD: usize = 8;

/// The words that labels begin with, and whether an element of this kind can have them.
fn label_words(tag: &str) -> [(&'static str, bool); 7] {
    let closed = matches!(tag, "path" | "rect" | "circle" | "ellipse" | "polygon");
    let (rectangle, group) = (tag == "rect", tag == "g");
    [
        ("panel", rectangle),
        ("flow", rectangle),
        ("block", rectangle),
        ("when", group),
        ("repeat", group),
        ("scale", group),
        ("shape", closed),
    ]
}

/// What is wrong with a label that is almost one of a panel or condition.
pub(super) fn near_labels(tag: &str, label: &str, id: &str) -> Vec<Finding> {
    let begins = |text: &str, word: &str| {
        let text = text.trim();
        let rest = text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word)).map(|_| &text[word.len()..]);
        rest.is_some_and(|rest| rest.trim_start().starts_with(':') || rest.starts_with(char::is_whitespace))
    };
    let rest = |text: &str| {
        text.trim().split_once([' ', ':']).map_or("", |(_, rest)| rest).trim_matches([' ', ':']).to_owned()
    };
    let first = label.split_once(':').map(|(word, _)| word.trim().to_ascii_lowercase()).unwrap_or_default();
    let mut found = Vec::new();
    for (word, _) in label_words(tag).into_iter().filter(|(_, can_have)| *can_have) {
        let is_written = begins_with(label, &format!("{word}:"));
        if begins(label, word) && !is_written {
            let message = format!("“{label}” has no effect: the element is printed unchanged");
            let help = format!("write `{word}: {}`, with a colon", rest(label));
            found.push(Finding::warning("label-without-colon", message).help(help));
        } else if first.len() <= MAX_WORD && strsim::osa_distance(&first, word) == 1 {
            let message = format!("“{label}” has no effect: the element is printed unchanged");
            let help = format!("did you mean `{word}: {}`?", rest(label));
            found.push(Finding::warning("unknown-label", message).help(help));
        } else if label.is_empty() && id.trim().to_ascii_lowercase().starts_with(&format!("{word}:")) {
            let message = format!("“{id}” has no effect in the id");
            let help = "put it in the Label field (in the file: inkscape:label)";
            found.push(Finding::warning("label-in-id", message).help(help));
        }
    }
    found
}

/// A file whose rectangles have options but no labels: a program that knows no labels has saved it.
pub(super) fn lost_labels<'a, 'input>(document: &'a Document<'input>) -> Option<(Node<'a, 'input>, Finding)> {
    let has_label = |node: &Node<'_, '_>| node.attribute((INKSCAPE_NAMESPACE, "label")).is_some();
    let has_options = |node: &Node<'_, '_>| {
        matches!(node.tag_name().name(), "rect" | "path" | "polygon") && description(*node).text.contains('=')
    };
    if document.descendants().any(|node| has_label(&node)) {
        return None;
    }
    let mut bare = document.descendants().filter(has_options);
    let first = bare.next()?;
    let count = plural(1 + bare.count(), "rectangle");
    let message = format!("{count} with options in the description, but nothing has a label");
    let help = "save the file as Inkscape SVG (File, Save As): Plain SVG drops labels such as `panel: track damage`";
    Some((first, Finding::error("labels-lost", message).help(help)))
}

/// A text that was converted to paths, as Inkscape notes it: it is no longer filled in.
pub(super) fn outlined_text(node: Node) -> Option<Finding> {
    let words = node.attribute("aria-label").filter(|words| words.contains("{{"))?;
    let shown: String = words.chars().take(60).collect();
    let message = format!("“{shown}” was converted to paths: it is printed as it is, not filled in");
    Some(Finding::error("text-as-paths", message).help("undo Object to Path for it, or write it again as text"))
}

fn begins_with(label: &str, word: &str) -> bool {
    label.trim().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

pub(super) fn label_after_prefix(label: &MappedText, word: &str) -> Option<MappedText> {
    begins_with(&label.text, word).then(|| {
        let label = label.trimmed();
        label.part(word.len()..label.text.len()).trimmed()
    })
}

/// What a labelled rectangle is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RectangleKind {
    /// `panel: KIND ARGUMENT`.
    Panel,
    /// `flow: rows` and the like.
    Flow,
    /// `block: NAME`.
    Block,
}

/// The kind of a labelled rectangle, and its label without that word.
pub(super) fn rectangle_label(label: &MappedText) -> Option<(RectangleKind, MappedText)> {
    let kinds = [("panel:", RectangleKind::Panel), ("flow:", RectangleKind::Flow), ("block:", RectangleKind::Block)];
    kinds.into_iter().find_map(|(word, kind)| Some((kind, label_after_prefix(label, word)?)))
}

/// What the expression in a group's label says, and the expression.
pub(super) fn group_label(label: &MappedText) -> Option<(MappedText, GroupKind)> {
    let kinds = [
        ("when:", GroupKind::When),
        ("repeat:", GroupKind::Repeat { along: (0.0, 0.0) }),
        ("scale:", GroupKind::Scale),
    ];
    kinds.into_iter().find_map(|(word, kind)| Some((label_after_prefix(label, word)?, kind)))
}

pub(super) fn description(node: Node) -> MappedText {
    let mut all = MappedText::default();
    for desc in node
        .children()
        .filter(|child| child.tag_name().name() == "desc" && child.tag_name().namespace() == Some(SVG_NAMESPACE))
    {
        for text in desc.children().filter(|child| child.is_text()) {
            let range = text.range();
            all.push_raw(
                node.document().input_text().get(range.clone()).unwrap_or_default(),
                text.text().unwrap_or_default(),
                range.start,
            );
        }
    }
    all
}
