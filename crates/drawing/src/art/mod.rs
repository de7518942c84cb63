//! SVG templates: takes a file's text, gives its drawing as scene shapes, its text slots and its labelled rectangles,
//! all in millimetres. Never opens another file, draws text or knows a ruleset; `sheet` reads the contents of slots and
//! panels.
//!
//! | in the SVG | becomes |
//! |---|---|
//! | `<text>` | a [`TextSlot`] for each line, with or without `{{ }}`; fixed text with more than a slot can show, an [`ArtPiece`] |
//! | a rectangle labelled `panel: KIND ARGUMENT` | a [`PanelRect`], with options as TOML in its `<desc>`; not drawn |
//! | a closed `<path>` or `<polygon>` labelled `panel: …` | the same with its outline |
//! | a rectangle labelled `flow: rows`, `flow: columns`, `flow: balance N` or `block: NAME` | a [`PanelRect`] that says how the page flows; not drawn |
//! | a group labelled `when: EXPRESSION` | a [`Condition`] on its contents |
//! | a group labelled `repeat: NUMBER` or `scale: [WIDTH, HEIGHT]` | a [`Condition`] that says how often, how large its contents are drawn |
//! | a closed shape labelled `shape: NAME` | art and a [`CutOutline`], along which a card is cut |
//! | art labelled `ruler`, and the text directly after it | a [`Condition`]: drawn at true size or not at all |
//! | other visible elements | an [`ArtPiece`] |

mod capped_findings;
mod check;
mod draw;
mod entities;
mod geometry;
mod guard;
mod labels;
mod mapped_text;
mod newer_css;
mod picture;
mod shared_options;
mod style;
mod svg;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod text_features;
mod walk;

use simplecss::StyleSheet;
use usvg::roxmltree::Node;

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;

pub use capped_findings::CappedFindings;
pub use mapped_text::MappedText;
pub use picture::read_picture;
pub use shared_options::SHARED_FROM;
pub use template::{Anchor, ArtPiece, Condition, CutOutline, GroupKind, PanelRect, Template, TextSlot};

use svg::{SVG_NAMESPACE, SvgEdit, start_tag_span};

const MAX_FINDINGS: usize = 50;

impl Template {
    /// Reads a template. `None` only if the text is not an SVG that may be read at all (then a finding says why); whatever
    /// cannot be drawn as written is a finding with its line.
    pub fn read(source: &Source) -> (Option<Self>, Vec<Finding>) {
        match read_template(source) {
            Ok((template, findings)) => {
                let mut kept = CappedFindings::default();
                kept.extend(findings);
                (Some(template), kept.into_vec())
            }
            Err(finding) => (None, vec![*finding]),
        }
    }
}

fn read_template(source: &Source) -> Result<(Template, Vec<Finding>), Box<Finding>> {
    let expanded = entities::expanded(source)?;
    let source = expanded.as_ref().unwrap_or(source);
    let text = guard::check_text(source)?;
    let document = guard::parse_document(source, &text)?;
    let styles: Vec<&str> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "style" && node.tag_name().namespace() == Some(SVG_NAMESPACE))
        .flat_map(|node| node.children().filter_map(|child| child.text()))
        .collect();
    guard::check_styles(source, &document, &styles)?;
    let mut sheet = StyleSheet::new();
    for style in styles {
        sheet.parse_more(style);
    }
    guard::check_expansion(source, &document, &sheet)?;
    let root = document.root_element();
    let frame = geometry::read_frame(root).map_err(|what| {
        let found = Finding::error("template-without-size", format!("the template has no usable size: {what}"));
        let help = "set its width, height and unit mm (File, Document Properties)";
        Box::new(found.at(source.place_with_snippet(start_tag_span(source, root))).help(help))
    })?;
    let mut walk = walk::TemplateWalk::new(source, &document, &sheet, &frame);
    let mut findings = std::mem::take(&mut walk.findings);
    if frame.is_size_guessed {
        let found =
            format!("missing width and height; the view box is taken as {:.1} x {:.1} mm", frame.width, frame.height);
        findings.push(
            Finding::warning("template-size-guessed", found)
                .at(source.place_with_snippet(start_tag_span(source, root))),
        );
    }
    let (plain, unread) = newer_css::plain_styles(source, &document);
    walk.edits.extend(plain);
    findings.extend(unread);
    findings.extend(shared_options::share_options(&mut walk.panels, source));
    write_size(&mut walk.edits, source, root, &frame);
    let cleaned = apply_edits(&text, &walk.edits);
    let marks = draw::ElementIndex { conditional: &walk.condition_of, outlines: &walk.outlines, places: &walk.places };
    let (pieces, outlines, drawn) = draw::draw_art(source, &cleaned, &frame, &marks, walk.has_outlined_text);
    findings.extend(drawn);
    let template = Template {
        source: source.clone(),
        width: frame.width as f32,
        height: frame.height as f32,
        description: labels::description(root),
        art: pieces,
        slots: walk.slots,
        panels: walk.panels,
        flows: walk.flows,
        blocks: walk.blocks,
        conditions: walk.conditions,
        outlines,
    };
    Ok((template, findings))
}

/// Writes the size in millimetres into the root start tag, so that usvg uses the same frame.
fn write_size(edits: &mut Vec<SvgEdit>, source: &Source, root: Node, frame: &geometry::Frame) {
    for (name, side) in [("width", frame.width), ("height", frame.height)] {
        match root.attribute_node(name) {
            Some(attribute) => edits.push((attribute.range_value(), format!("{side}mm"))),
            None => {
                let after = start_tag_span(source, root).end as usize;
                edits.push((after..after, format!(" {name}=\"{side}mm\"")));
            }
        }
    }
    edits.sort_by_key(|edit| (edit.0.start, edit.0.end));
}

/// Applies all edits; one inside another is skipped.
fn apply_edits(text: &str, edits: &[SvgEdit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (range, instead) in edits {
        if range.start >= at {
            result.push_str(&text[at..range.start]);
            result.push_str(instead);
            at = range.end;
        }
    }
    result.push_str(&text[at..]);
    result
}
