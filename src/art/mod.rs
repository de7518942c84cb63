//! SVG templates: takes a file's text, gives its drawing as scene shapes, its text slots and its labelled rectangles, all in
//! millimetres. Never opens another file, never draws text, never knows a ruleset: what slots and panels *say* is read by
//! `sheet`.
//!
//! What stands for what in a template:
//!
//! | in the SVG | becomes |
//! |---|---|
//! | `<text>` | a [`Slot`] a line, whether or not it holds `{{ }}` |
//! | a rectangle labelled `panel: KIND ARGUMENT` | a [`Panel`]; its `<desc>` holds options as TOML; never drawn |
//! | a group labelled `when: EXPRESSION` | a [`Condition`] on everything in it |
//! | a closed shape labelled `shape: NAME` | art like any other, and an [`Outline`]: a piece of card is cut along it |
//! | art labelled `ruler`, and the text straight after it | a [`Condition`] too: drawn at true size or not at all |
//! | anything else that shows | a [`Piece`] of art |

mod check;
mod draw;
mod findings;
mod geometry;
mod guard;
mod mapped;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod walk;

use std::ops::Range;
use std::sync::Arc;

use simplecss::StyleSheet;
use usvg::roxmltree::Node;

use crate::finding::Finding;
use crate::fonts::Face;
use crate::scene::{Drawing, Paint, Path, Rect};
use crate::source::{Source, Span};

pub use findings::Findings;
pub use mapped::Mapped;

/// Bytes of a template's text, and what usvg sees in their place.
type Edit = (Range<usize>, String);

const SVG: &str = "http://www.w3.org/2000/svg";
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";
const SODIPODI: &str = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd";
const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// More findings of one template than anybody reads.
const MOST_FINDINGS: usize = 50;

/// A template, read: everything in millimetres from its left top corner.
#[derive(Clone, Debug)]
pub struct Template {
    /// The file, for messages and for people reading the output.
    pub source: Source,
    /// Width of the page area, in mm.
    pub width: f32,
    /// Height, in mm.
    pub height: f32,
    /// The art, in painting order; slots and panels stand over it.
    pub pieces: Vec<Piece>,
    /// The lines of text, in file order.
    pub slots: Vec<Slot>,
    /// The labelled rectangles, in file order.
    pub panels: Vec<Panel>,
    /// What `when:` groups ask; pieces, slots, panels and outlines name them by place.
    pub conditions: Vec<Condition>,
    /// Shapes that a piece of card is cut along, in painting order; none for a plain rectangle.
    pub outlines: Vec<Outline>,
}

/// A shape that a piece of card is cut along.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its line, in mm.
    pub path: Path,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
}

/// Art that is drawn together.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What is drawn; one `Arc` for all pages, so that writers put it out once.
    pub drawing: Arc<Drawing>,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
}

/// The label of a `when:` group, or of a ruler.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The expression, without `when:`; a ruler's always holds.
    pub text: Mapped,
    /// The condition around this one, always at an earlier place; both must hold.
    pub parent: Option<usize>,
    /// The group's start tag.
    pub span: Span,
    /// Whether it is a ruler, drawn at its true size or not at all.
    pub ruler: bool,
}

/// One line of text.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its label without `slot:`; `None` if it has none.
    pub label: Option<Arc<str>>,
    /// The text as written, `{{ }}` included, joined over tspans.
    pub text: Mapped,
    /// Options as TOML; empty text if there are none.
    pub options: Mapped,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
    /// The anchor's place on the baseline, in mm.
    pub x: f32,
    /// The baseline, in mm.
    pub y: f32,
    /// Font size, in mm.
    pub size: f32,
    /// Clockwise, in degrees, about (x, y).
    pub rotation: f32,
    /// Which part of the line stands at `x`.
    pub anchor: Anchor,
    /// The face nearest to the weight asked for.
    pub face: Face,
    /// Letter spacing, in mm.
    pub spacing: f32,
    /// Its fill.
    pub paint: Paint,
    /// The `<text>` element's start tag.
    pub span: Span,
}

/// Which part of a line stands at its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    #[default]
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// A labelled rectangle that `sheet` fills.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The whole label: `panel: track structure`.
    pub label: Arc<str>,
    /// `track`.
    pub kind: Arc<str>,
    /// `structure`; may be empty.
    pub argument: Mapped,
    /// Options as TOML; empty text if there are none.
    pub options: Mapped,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
    /// Where it stands.
    pub rect: Rect,
    /// The rectangle's start tag.
    pub span: Span,
}

impl Template {
    /// Reads a template. `None` only if the text is not an SVG that may be read at all (then a finding says why); whatever
    /// cannot be drawn as written is a finding with its line.
    pub fn read(source: &Source) -> (Option<Self>, Vec<Finding>) {
        match read(source) {
            Ok((template, findings)) => {
                let mut kept = Findings::default();
                kept.extend(findings);
                (Some(template), kept.into_vec())
            }
            Err(finding) => (None, vec![*finding]),
        }
    }
}

fn read(source: &Source) -> Result<(Template, Vec<Finding>), Box<Finding>> {
    let text = guard::text(source)?;
    let document = guard::parse(source, &text)?;
    let styles: Vec<&str> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "style" && node.tag_name().namespace() == Some(SVG))
        .flat_map(|node| node.children().filter_map(|child| child.text()))
        .collect();
    guard::styles(source, &document, &styles)?;
    let mut sheet = StyleSheet::new();
    for style in styles {
        sheet.parse_more(style);
    }
    guard::expansion(source, &document, &sheet)?;
    let root = document.root_element();
    let frame = geometry::frame(root).map_err(|what| {
        let found = Finding::error("template-without-size", format!("the template has no usable size: {what}"));
        let help = "set its width, height and unit mm (File, Document Properties)";
        Box::new(found.at(source.shown(start_tag(source, root))).help(help))
    })?;
    let mut walk = walk::Walk::new(source, &document, &sheet, &frame);
    let mut findings = std::mem::take(&mut walk.findings);
    if frame.guessed {
        let found = format!(
            "the template gives no width and height; its view box is taken as {:.1} x {:.1} mm",
            frame.width, frame.height
        );
        findings.push(Finding::warning("template-size-guessed", found).at(source.shown(start_tag(source, root))));
    }
    size(&mut walk.edits, source, root, &frame);
    let cleaned = edited(&text, &walk.edits);
    let marks = draw::Marks { conditional: &walk.conditional, outlines: &walk.outlines, places: &walk.places };
    let (pieces, outlines, drawn) = draw::pieces(source, &cleaned, &frame, &marks);
    findings.extend(drawn);
    let template = Template {
        source: source.clone(),
        width: frame.width as f32,
        height: frame.height as f32,
        pieces,
        slots: walk.slots,
        panels: walk.panels,
        conditions: walk.conditions,
        outlines,
    };
    Ok((template, findings))
}

/// Writes the size in millimetres into the outermost start tag, so that usvg sees the same frame.
fn size(edits: &mut Vec<Edit>, source: &Source, root: Node, frame: &geometry::Frame) {
    for (name, side) in [("width", frame.width), ("height", frame.height)] {
        match root.attribute_node(name) {
            Some(attribute) => edits.push((attribute.range_value(), format!("{side}mm"))),
            None => {
                let after = start_tag(source, root).end as usize;
                edits.push((after..after, format!(" {name}=\"{side}mm\"")));
            }
        }
    }
    edits.sort_by_key(|edit| (edit.0.start, edit.0.end));
}

/// The text with every change made; a change within one already made is passed over.
fn edited(text: &str, edits: &[Edit]) -> String {
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

/// An element's start tag up to its name: what a finding's caret points at.
fn start_tag(source: &Source, node: Node) -> Span {
    let start = node.range().start;
    let name = source.text.get(start + 1..).unwrap_or_default();
    let length = name.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(name.len());
    (start..start + 1 + length).into()
}

impl Slot {
    /// What messages call it: its label, else its text cut short.
    pub fn name(&self) -> String {
        match &self.label {
            Some(label) => format!("slot: {label}"),
            None if self.text.text.chars().count() > 40 => {
                format!("text “{}…”", self.text.text.chars().take(40).collect::<String>())
            }
            None => format!("text “{}”", self.text.text),
        }
    }
}
