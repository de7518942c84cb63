//! Data only: pages of typed items, which `sheet` makes and the writers in `export` take. It draws and measures nothing
//! and knows no ship.
//!
//! The origin is the top left corner of the page, y points down, lengths are millimetres.

mod compact;
mod transform;

use std::sync::Arc;

use crate::fonts::ShapedLine;

pub use compact::CompactItems;

#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub meta: Meta,
    pub pages: Vec<Page>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// `HMS Vigilant, control sheet`.
    pub title: String,
    /// Credit line of the rules.
    pub author: String,
    /// The game and the contents.
    pub subject: String,
    /// Of the texts, `de`; empty for English.
    pub language: String,
}

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub width: f32,
    pub height: f32,
    /// Bookmarks to this page, usually one for each ship.
    pub bookmarks: Vec<Bookmark>,
    /// In painting order, over `compact`.
    pub items: Vec<SceneItem>,
    /// Compressed items, drawn first; [`items`](Page::items()) gives all of them.
    pub compact: CompactItems,
    pub role: PageRole,
    /// Where each mount of a design has its place, empty ones too; never drawn. Empty unless the job asks for it.
    pub mount_areas: Vec<MountArea>,
}

/// A mount may have several.
#[derive(Clone, Debug, PartialEq)]
pub struct MountArea {
    pub mount: Arc<str>,
    pub rect: Rect,
}

/// How imposition treats a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PageRole {
    #[default]
    Single,
    /// May be combined with others of its size on larger paper.
    NUp {
        /// How many fit on one sheet.
        up: u8,
        /// The part of the page that is used.
        body: Rect,
    },
    /// The reverse of the page before it, as seen when turned like a page of a book.
    Back,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmark {
    /// 0 at the top; at most one deeper than the entry before it.
    pub depth: u8,
    pub title: String,
}

impl From<String> for Bookmark {
    fn from(title: String) -> Self {
        Self { depth: 0, title }
    }
}

impl From<&str> for Bookmark {
    fn from(title: &str) -> Self {
        title.to_owned().into()
    }
}

#[derive(Clone, Debug)]
pub struct SceneItem {
    pub shape: Shape,
    /// Boxed, since most items have none.
    pub mark: Option<Box<Mark>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// `structure_12`, `laser_port_3`: unique over a unit's pages.
    pub name: Arc<str>,
    pub kind: MarkKind,
    /// Index of the fit in the design, from 0 in file order.
    pub fit: Option<u32>,
    /// For people: `structure, box 12`; `missile launcher, port, 3`; `turn 4, course`.
    pub label: Arc<str>,
    /// Ticked already.
    pub ticked: bool,
    /// `None` on sheets without a ship.
    pub unit: Option<Arc<PrintedUnit>>,
}

impl Mark {
    pub fn new(name: impl Into<Arc<str>>, kind: MarkKind, fit: Option<u32>) -> Self {
        Self { name: name.into(), kind, fit, label: Arc::default(), ticked: false, unit: None }
    }
}

/// A unit of a job: the same class printed twice is two units. `key`, `fleet` and `game` consist of lower-case letters,
/// digits and hyphens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedUnit {
    /// Unique in its fleet, or in the job; empty for the only unit.
    pub key: Arc<str>,
    /// `HMS Vigilant`.
    pub title: Arc<str>,
    /// The fleet's name as a slug, unique in the job; empty outside a fleet.
    pub fleet: Arc<str>,
    pub fleet_title: Arc<str>,
    /// The fleet's nation or alliance.
    pub fleet_side: Arc<str>,
    pub game: Arc<str>,
    /// The ship's class; empty for other units.
    pub class: Arc<str>,
}

impl PrintedUnit {
    /// The first 80 characters, which a form keeps to recognise a fleet or ship.
    pub fn truncate_name(name: &str) -> String {
        name.trim().chars().take(80).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    Tick,
    Write,
    /// A number or icon that shows the part.
    Shown,
    /// The cross over a ticked box; the box has a mark of the same name.
    Cross,
    /// A text with the number of a value or field of this name, for programs that show pages; never exported.
    Value,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Path(Path, PaintStyle),
    Rect {
        rect: Rect,
        /// Corner radius; 0 for square corners.
        radius: f32,
        style: PaintStyle,
    },
    Circle {
        x: f32,
        y: f32,
        radius: f32,
        style: PaintStyle,
    },
    Text(TextLine),
    Use {
        /// Writers output one copy for each `Arc`.
        drawing: Arc<Drawing>,
        transform: Transform,
    },
    Group {
        transform: Transform,
        items: Vec<SceneItem>,
    },
}

#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// For people who read the output: `templates/wars-of-honor/ship.svg`.
    pub name: String,
    /// Clipped to (0, 0)–(width, height).
    pub width: f32,
    pub height: f32,
    /// Fills it, under the shapes.
    pub picture: Option<Arc<Picture>>,
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// What it is clipped to.
    pub fn frame(&self) -> Rect {
        Rect::new(0.0, 0.0, self.width, self.height)
    }
}

/// A picture of pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row from the top.
    pub pixels: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

impl Rect {
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }
    /// The smallest rectangle with all these points; `None` without a point.
    pub fn around(points: impl IntoIterator<Item = (f32, f32)>) -> Option<Self> {
        let mut points = points.into_iter();
        let (x, y) = points.next()?;
        let [left, top, right, bottom] = points.fold([x, y, x, y], |[left, top, right, bottom], (x, y)| {
            [left.min(x), top.min(y), right.max(x), bottom.max(y)]
        });
        Some(Self::new(left, top, right - left, bottom - top))
    }
    pub fn right(&self) -> f32 {
        self.x + self.w
    }
    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }
    /// Shrinks it by `by` on every side.
    #[must_use]
    pub fn inset(&self, by: f32) -> Self {
        Self::new(self.x + by, self.y + by, self.w - 2.0 * by, self.h - 2.0 * by)
    }
    /// Whether they overlap by more than `slack` millimetres.
    pub fn overlaps(&self, other: &Self, slack: f32) -> bool {
        self.x + slack < other.right()
            && other.x + slack < self.right()
            && self.y + slack < other.bottom()
            && other.y + slack < self.bottom()
    }
}

/// Colour of crosses: dark enough to be seen in grey, lighter than ink.
pub const PENCIL: Paint = Paint::grey(64);

/// The two strokes over a ticked box, the same on paper and in a filled form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cross {
    pub lines: [[f32; 4]; 2],
    /// Stroke width, as a fraction of the box's shorter side.
    pub width: f32,
}

impl Cross {
    /// Margin as a fraction of the shorter side; larger for a circle and for a shield with its empty corners.
    pub const FREE: f32 = 0.2;
    /// See [`Cross::FREE`].
    pub const FREE_ROUND: f32 = 0.26;
    /// See [`Cross::FREE`].
    pub const FREE_POINTED: f32 = 0.24;

    /// The cross of a box, inside its outline, with `width` converted to millimetres. `None` if the shape is not a box.
    pub fn for_shape(shape: &Shape) -> Option<Self> {
        let (rect, free) = match shape {
            Shape::Rect { rect, .. } => (*rect, Self::FREE),
            Shape::Circle { x, y, radius, .. } => {
                (Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0), Self::FREE_ROUND)
            }
            Shape::Path(path, _) => (path.bounds()?, Self::FREE_POINTED),
            Shape::Text(text) => {
                let rise = text.size * 0.72;
                (Rect::new(text.x, text.y - rise, text.width(), rise).inset(-rise * 0.1), 0.0)
            }
            Shape::Use { .. } | Shape::Group { .. } => return None,
        };
        let cross = Self::in_rect(&rect, free);
        Some(Self { width: (cross.width * rect.w.min(rect.h)).clamp(0.25, 0.7), ..cross })
    }

    /// The cross of a rectangle, with a margin of `free` times its shorter side.
    pub fn in_rect(rect: &Rect, free: f32) -> Self {
        let side = rect.w.min(rect.h);
        let Rect { x, y, w, h } = rect.inset(side * free);
        let lines = [[x, y, x + w, y + h], [x + w, y, x, y + h]];
        Self { lines, width: 0.09 }
    }
}

/// `x' = a·x + c·y + e`, `y' = b·x + d·y + f`: the order of SVG and PDF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub m: [f32; 6],
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    pub const IDENTITY: Self = Self { m: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0] };
    pub const fn translate(x: f32, y: f32) -> Self {
        Self { m: [1.0, 0.0, 0.0, 1.0, x, y] }
    }
    pub const fn scale(x: f32, y: f32) -> Self {
        Self { m: [x, 0.0, 0.0, y, 0.0, 0.0] }
    }
    /// Clockwise, in degrees, about the origin.
    pub fn rotate(degrees: f32) -> Self {
        let (sin, cos) = match degrees.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            other => other.to_radians().sin_cos(),
        };
        Self { m: [cos, sin, -sin, cos, 0.0, 0.0] }
    }
    #[must_use]
    pub fn then_inner(&self, inner: &Self) -> Self {
        let [a, b, c, d, e, f] = self.m;
        let [ia, ib, ic, id, ie, if_] = inner.m;
        Self {
            m: [
                a * ia + c * ib,
                b * ia + d * ib,
                a * ic + c * id,
                b * ic + d * id,
                a * ie + c * if_ + e,
                b * ie + d * if_ + f,
            ],
        }
    }
    pub fn apply(&self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.m;
        (a * x + c * y + e, b * x + d * y + f)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The first of each subpath is a `Move`.
    pub segments: Vec<Segment>,
    /// Even-odd rather than non-zero fill.
    pub even_odd: bool,
}

impl Path {
    /// Bounding box of all points, control points included.
    pub fn bounds(&self) -> Option<Rect> {
        Rect::around(self.segments.iter().flat_map(|segment| {
            let (points, count) = match *segment {
                Segment::Move(x, y) | Segment::Line(x, y) => ([(x, y); 3], 1),
                Segment::Curve(ax, ay, bx, by, x, y) => ([(ax, ay), (bx, by), (x, y)], 3),
                Segment::Close => ([(0.0, 0.0); 3], 0),
            };
            points.into_iter().take(count)
        }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(f32, f32),
    Line(f32, f32),
    /// Two control points, end.
    Curve(f32, f32, f32, f32, f32, f32),
    Close,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaintStyle {
    pub fill: Option<Paint>,
    pub stroke: Option<Stroke>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    pub rgb: [u8; 3],
    /// 1 is opaque, 0 invisible.
    pub alpha: f32,
}

impl Paint {
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { rgb: [r, g, b], alpha: 1.0 }
    }
    pub const fn grey(level: u8) -> Self {
        Self::rgb(level, level, level)
    }
}

/// A line centred on the outline.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    pub paint: Paint,
    pub width: f32,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dash: Vec<f32>,
    pub cap: Cap,
    pub join: Join,
}

impl Stroke {
    /// Solid, with butt caps and mitred corners.
    pub const fn new(paint: Paint, width: f32) -> Self {
        Self { paint, width, dash: Vec::new(), cap: Cap::Butt, join: Join::Miter }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Ends at the end point.
    Butt,
    /// Extends by a half circle.
    Round,
    /// Extends by half the width.
    Square,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Miter,
    Round,
    Bevel,
}

#[derive(Clone, Debug)]
pub struct TextLine {
    /// Glyphs and advances in ems, shared by lines with the same text.
    pub shaped: Arc<ShapedLine>,
    /// Left end of the baseline.
    pub x: f32,
    pub y: f32,
    pub size: f32,
    /// Extra space after every glyph.
    pub spacing: f32,
    pub paint: Paint,
}

impl TextLine {
    /// Includes letter spacing, but not after the last glyph.
    pub fn width(&self) -> f32 {
        self.shaped.width * self.size + self.spacing * (self.shaped.glyphs.len().saturating_sub(1)) as f32
    }
}
