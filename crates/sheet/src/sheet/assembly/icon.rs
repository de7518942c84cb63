//! An icon, or the drawing of a `panel: art`: takes a small template, gives its art and texts as one drawing. One
//! drawing serves every ship, so its texts are never filled in: one that uses a value is a finding.

use std::sync::Arc;

use crate::sheet::layout::text_style::shape_text;
use moldloft_base::finding::Finding;
use moldloft_drawing::art::{Anchor, Template, TextSlot};
use moldloft_drawing::scene::{Drawing, SceneItem, Shape, TextLine, Transform};

/// The drawing, and findings for texts that cannot be drawn as written.
pub fn icon_drawing(template: &Template, say: &dyn Fn(&str) -> String) -> (Arc<Drawing>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut letters = Vec::new();
    for slot in &template.slots {
        if let Some(finding) = unfilled_text(template, slot) {
            findings.push(finding);
            continue;
        }
        findings.extend(missing_in_text(template, slot));
        letters.push(slot_text_shape(slot, &say(&slot.text.text)));
    }
    let drawing = match template.art.as_slice() {
        // Art without texts is shared with the template, so that export writes it once.
        [piece] if letters.is_empty() => Arc::clone(&piece.drawing),
        pieces => {
            let art = pieces.iter().flat_map(|piece| piece.drawing.shapes.iter().cloned());
            Arc::new(Drawing {
                name: template.source.file.to_string(),
                width: template.width,
                height: template.height,
                picture: None,
                shapes: art.chain(letters).collect(),
            })
        }
    };
    (drawing, findings)
}

/// Reports the characters of a text, outside `{{ }}`, that no font has.
pub fn missing_in_text(template: &Template, slot: &TextSlot) -> Option<Finding> {
    let mut fixed = String::new();
    for (n, part) in slot.text.text.split("{{").enumerate() {
        fixed.push_str(if n == 0 { part } else { part.split_once("}}").map_or("", |(_, after)| after) });
    }
    let list: Vec<String> = shape_text(slot.face, &fixed).1?.iter().map(|character| format!("`{character}`")).collect();
    let list = list.join(", ");
    let message = format!("{}: no bundled font has {list}", slot.name());
    let help = "each is printed as `?`: use other characters, or draw them as paths";
    let at = template.source.place_with_snippet(slot.span);
    Some(Finding::warning("missing-character", message).help(help).at(at).topic(list))
}

/// The first text that uses a value, which drawings cannot show.
pub fn first_unfilled_text(template: &Template) -> Option<Finding> {
    template.slots.iter().find_map(|slot| unfilled_text(template, slot))
}

fn unfilled_text(template: &Template, slot: &TextSlot) -> Option<Finding> {
    slot.text.text.contains("{{").then(|| {
        let message = format!("skipped {}: an icon or `panel: art` cannot use `{{{{ }}}}`", slot.name());
        let help = "use plain text; draw what changes as the `face` of a track, or as a text of the sheet";
        Finding::warning("text-not-filled", message).help(help).at(template.source.place_with_snippet(slot.span))
    })
}

fn slot_text_shape(slot: &TextSlot, words: &str) -> Shape {
    let (shaped, _) = shape_text(slot.face, words);
    let mut text = TextLine { shaped, x: 0.0, y: 0.0, size: slot.size, spacing: slot.spacing, paint: slot.paint };
    let before = match slot.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => text.width() / 2.0,
        Anchor::End => text.width(),
    };
    if slot.rotation == 0.0 {
        (text.x, text.y) = (slot.x - before, slot.y);
        Shape::Text(text)
    } else {
        text.x = -before;
        let transform = Transform::translate(slot.x, slot.y).then_inner(&Transform::rotate(slot.rotation));
        Shape::Group { transform, items: vec![SceneItem { shape: Shape::Text(text), mark: None }] }
    }
}
