//! Data only: a template, in millimetres from its top left corner.

use std::sync::Arc;

use crate::fonts::FontFace;
use crate::scene::{Drawing, Paint, Path, Rect};
use moldloft_base::source::{Source, Span};

use super::mapped_text::MappedText;

#[derive(Clone, Debug)]
pub struct Template {
    pub source: Source,
    /// In mm.
    pub width: f32,
    /// In mm.
    pub height: f32,
    /// Of the root element; may be empty, may be prose.
    pub description: MappedText,
    /// In painting order; slots and panels are drawn over it.
    pub art: Vec<ArtPiece>,
    /// In file order.
    pub slots: Vec<TextSlot>,
    /// In file order.
    pub panels: Vec<PanelRect>,
    /// Rectangles labelled `flow: rows`, `flow: columns` or `flow: balance N`, in file order; `kind` is the first word.
    pub flows: Vec<PanelRect>,
    /// Rectangles labelled `block: NAME`, in file order; `kind` is the first word of the name.
    pub blocks: Vec<PanelRect>,
    /// Conditions of `when:` groups, referred to by index.
    pub conditions: Vec<Condition>,
    /// Outlines to cut along, in painting order; empty for a plain rectangle.
    pub outlines: Vec<CutOutline>,
}

#[derive(Clone, Debug)]
pub struct CutOutline {
    /// In mm.
    pub path: Path,
    /// Index in [`Template::conditions`].
    pub when: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct ArtPiece {
    /// One `Arc` for all pages, so that writers output it once.
    pub drawing: Arc<Drawing>,
    /// Index in [`Template::conditions`].
    pub when: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Condition {
    /// The expression without its word; a ruler's is always true.
    pub text: MappedText,
    /// Index of the enclosing condition, which is always smaller; both must hold.
    pub parent: Option<usize>,
    pub span: Span,
    pub kind: GroupKind,
}

/// What the expression of a group says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroupKind {
    /// `when:`: drawn if it is true.
    When,
    /// Drawn at true size or not at all.
    Ruler,
    /// `repeat:`: how often it is drawn, spread along a line of this extent, in mm; (0, 0) without one.
    Repeat { along: (f32, f32) },
    /// `scale:`: how wide and high it is, in percent, about the middle of the drawing.
    Scale,
}

impl GroupKind {
    /// Whether only drawings of `panel: silhouette` follow it.
    pub fn grows(self) -> bool {
        matches!(self, Self::Repeat { .. } | Self::Scale)
    }
}

#[derive(Clone, Debug)]
pub struct TextSlot {
    /// Its label without `slot:`; `None` if it has none.
    pub label: Option<Arc<str>>,
    /// As written, with `{{ }}`, joined over tspans.
    pub text: MappedText,
    /// TOML; may be empty.
    pub options: MappedText,
    /// Index in [`Template::conditions`].
    pub when: Option<usize>,
    /// Anchor on the baseline, in mm.
    pub x: f32,
    /// Baseline, in mm.
    pub y: f32,
    /// Font size, in mm.
    pub size: f32,
    /// Clockwise, in degrees, about (x, y).
    pub rotation: f32,
    pub anchor: Anchor,
    /// The face nearest to the requested weight.
    pub face: FontFace,
    /// Letter spacing, in mm.
    pub spacing: f32,
    pub paint: Paint,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub struct PanelRect {
    /// The whole label: `panel: track structure`.
    pub label: Arc<str>,
    /// `track`.
    pub kind: Arc<str>,
    /// `structure`; may be empty.
    pub argument: MappedText,
    /// TOML; may be empty.
    pub options: MappedText,
    /// Index in [`Template::conditions`].
    pub when: Option<usize>,
    pub rect: Rect,
    /// The points of a closed outline, as fractions of `rect`'s width and height; `None` for a rectangle.
    pub outline: Option<Arc<[(f32, f32)]>>,
    pub span: Span,
}

impl TextSlot {
    /// For messages: the label, else the beginning of the text.
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
