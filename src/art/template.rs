//! A template as it is read: data only, in millimetres from its left top corner.

use std::sync::Arc;

use crate::fonts::FontFace;
use crate::scene::{Drawing, Paint, Path, Rect};
use crate::source::{Source, Span};

use super::mapped_text::MappedText;

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
    pub art: Vec<ArtPiece>,
    /// The lines of text, in file order.
    pub slots: Vec<TextSlot>,
    /// The labelled rectangles, in file order.
    pub panels: Vec<PanelRect>,
    /// What `when:` groups ask; pieces, slots, panels and outlines name them by place.
    pub conditions: Vec<Condition>,
    /// Shapes that a piece of card is cut along, in painting order; none for a plain rectangle.
    pub outlines: Vec<CutOutline>,
}

/// A shape that a piece of card is cut along.
#[derive(Clone, Debug)]
pub struct CutOutline {
    /// Its line, in mm.
    pub path: Path,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
}

/// Art that is drawn together.
#[derive(Clone, Debug)]
pub struct ArtPiece {
    /// What is drawn; one `Arc` for all pages, so that writers put it out once.
    pub drawing: Arc<Drawing>,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
}

/// The label of a `when:` group, or of a ruler.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The expression, without `when:`; a ruler's always holds.
    pub text: MappedText,
    /// The condition around this one, always at an earlier place; both must hold.
    pub parent: Option<usize>,
    /// The group's start tag.
    pub span: Span,
    /// Whether it is a ruler, drawn at its true size or not at all.
    pub is_ruler: bool,
}

/// One line of text.
#[derive(Clone, Debug)]
pub struct TextSlot {
    /// Its label without `slot:`; `None` if it has none.
    pub label: Option<Arc<str>>,
    /// The text as written, `{{ }}` included, joined over tspans.
    pub text: MappedText,
    /// Options as TOML; empty text if there are none.
    pub options: MappedText,
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
    /// Which part of the line is at `x`.
    pub anchor: Anchor,
    /// The face nearest to the weight asked for.
    pub face: FontFace,
    /// Letter spacing, in mm.
    pub spacing: f32,
    /// Its fill.
    pub paint: Paint,
    /// The `<text>` element's start tag.
    pub span: Span,
}

/// Which part of a line is at its place.
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
pub struct PanelRect {
    /// The whole label: `panel: track structure`.
    pub label: Arc<str>,
    /// `track`.
    pub kind: Arc<str>,
    /// `structure`; may be empty.
    pub argument: MappedText,
    /// Options as TOML; empty text if there are none.
    pub options: MappedText,
    /// Place in [`Template::conditions`].
    pub when: Option<usize>,
    /// Where it stands.
    pub rect: Rect,
    /// The rectangle's start tag.
    pub span: Span,
}

impl TextSlot {
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
