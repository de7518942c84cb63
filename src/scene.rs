//! Pages of typed items in millimetres: what `sheet` gives and every writer in `export` takes. Data only: it draws nothing,
//! measures nothing, and knows no ship.
//!
//! The origin is a page's top left corner, y grows downwards, lengths are millimetres.

mod compact;
mod transform;

use std::sync::Arc;

use crate::fonts::ShapedLine;

pub use compact::CompactItems;

/// A whole job: the pages in printing order.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Title, author and subject for the file's properties.
    pub meta: Meta,
    /// The pages.
    pub pages: Vec<Page>,
}

/// The file's properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// `HMS Vigilant, control sheet`.
    pub title: String,
    /// The rules' credit line.
    pub author: String,
    /// The game and what is printed.
    pub subject: String,
}

/// One page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Width of the paper.
    pub width: f32,
    /// Height of the paper.
    pub height: f32,
    /// Bookmarks to this page, usually one a ship.
    pub bookmarks: Vec<Bookmark>,
    /// What stands on it, in painting order.
    pub items: Vec<SceneItem>,
    /// What is drawn before those, laid away in little room; [`items`](Page::items()) gives all of it.
    pub compact: CompactItems,
    /// What it is to the sheets of paper that go through the printer.
    pub role: PageRole,
}

/// What a page is to the sheets of paper that go through the printer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PageRole {
    /// It has the paper to itself.
    #[default]
    Single,
    /// A leaf that may lie beside others of its size on paper that is larger.
    NUp {
        /// How many of them such a paper holds.
        up: u8,
        /// Where on it something stands.
        body: Rect,
    },
    /// The second side of the page before it, as it is seen when that is turned over like a page of a book.
    Back,
}

/// A place in the outline that readers show beside the pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmark {
    /// How deep it stands: 0 at the top, 1 below the last before it of 0. Never more than one deeper than the one before.
    pub depth: u8,
    /// What it says.
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

/// One thing drawn, and what it stands for.
#[derive(Clone, Debug)]
pub struct SceneItem {
    /// What is drawn.
    pub shape: Shape,
    /// Which design item it shows; boxed because most items show none.
    pub mark: Option<Box<Mark>>,
}

/// Which design item a shape shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// `structure_12`, `laser_port_3`: unique over a unit's pages.
    pub name: Arc<str>,
    /// What a player does with it.
    pub kind: MarkKind,
    /// The fit of the design it shows, counting from 0 in file order.
    pub fit: Option<u32>,
    /// What it is, for people: `structure, box 12`; `missile launcher, port, 3`; `turn 4, course`.
    pub label: Arc<str>,
    /// Whether the box is ticked already.
    pub ticked: bool,
    /// Whose it is; none on sheets of no ship.
    pub unit: Option<Arc<PrintedUnit>>,
}

impl Mark {
    /// A mark of no unit in particular, without words for people, not ticked.
    pub fn new(name: impl Into<Arc<str>>, kind: MarkKind, fit: Option<u32>) -> Self {
        Self { name: name.into(), kind, fit, label: Arc::default(), ticked: false, unit: None }
    }
}

/// A ship of a job: the same class printed twice is two of them. All in small letters, figures and hyphens but the titles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedUnit {
    /// Tells it from the other units of its fleet, or of the job; empty for the only one.
    pub key: Arc<str>,
    /// What players call it: `HMS Vigilant`.
    pub title: Arc<str>,
    /// Its fleet's name as a word, unique in the job; empty outside a fleet.
    pub fleet: Arc<str>,
    /// The fleet's name.
    pub fleet_title: Arc<str>,
    /// Whose the fleet is.
    pub fleet_side: Arc<str>,
    /// The id of the fleet's game.
    pub game: Arc<str>,
    /// The ship's class; empty for what is no ship.
    pub class: Arc<str>,
}

impl PrintedUnit {
    /// A name as a form keeps it to know a fleet or a ship again: its first 80 characters.
    pub fn truncate_name(name: &str) -> String {
        name.trim().chars().take(80).collect()
    }
}

/// What a player does with a marked shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A box to tick off.
    Tick,
    /// A field to write in.
    Write,
    /// A number or icon that shows the thing.
    Shown,
    /// The cross over a box that is ticked already; the box itself has a mark of the same name.
    Cross,
}

/// The settled kinds of shape.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An outline of any number of subpaths.
    Path(Path, PaintStyle),
    /// An upright rectangle, corners rounded by `radius`.
    Rect {
        /// Where.
        rect: Rect,
        /// Corner radius; 0 for square corners.
        radius: f32,
        /// How.
        style: PaintStyle,
    },
    /// A circle.
    Circle {
        /// Centre, from the left.
        x: f32,
        /// Centre, from the top.
        y: f32,
        /// Radius.
        radius: f32,
        /// How.
        style: PaintStyle,
    },
    /// A line of shaped text.
    Text(TextLine),
    /// A drawing used many times: an icon, a template's art.
    Use {
        /// The drawing, shared by all its uses: writers put out one copy for each `Arc`.
        drawing: Arc<Drawing>,
        /// Where its origin and axes lie on the page.
        transform: Transform,
    },
    /// Items moved, turned, mirrored or scaled together.
    Group {
        /// Where the group's origin and axes lie.
        transform: Transform,
        /// Its items.
        items: Vec<SceneItem>,
    },
}

/// Something drawn once and used many times.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// A name for people reading the output: `templates/wars-of-honor/ship.svg`.
    pub name: String,
    /// Its size; nothing is drawn outside (0, 0) to (width, height).
    pub width: f32,
    /// Its size.
    pub height: f32,
    /// What it holds.
    pub shapes: Vec<Shape>,
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Rect {
    /// A rectangle from its left top corner and size.
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }
    /// Right edge.
    pub fn right(&self) -> f32 {
        self.x + self.w
    }
    /// Bottom edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }
    /// The same rectangle, `by` smaller on every side.
    #[must_use]
    pub fn inset(&self, by: f32) -> Self {
        Self::new(self.x + by, self.y + by, self.w - 2.0 * by, self.h - 2.0 * by)
    }
    /// Whether two rectangles share more than an edge, beyond `slack` millimetres.
    pub fn overlaps(&self, other: &Self, slack: f32) -> bool {
        self.x + slack < other.right()
            && other.x + slack < self.right()
            && self.y + slack < other.bottom()
            && other.y + slack < self.bottom()
    }
}

/// The pencil that crosses ticked boxes: dark enough to be seen in grey, lighter than ink.
pub const PENCIL: Paint = Paint::grey(64);

/// The two strokes over a ticked box, the same on paper and in a form that is filled in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cross {
    /// From and to.
    pub lines: [[f32; 4]; 2],
    /// Width of the stroke, in parts of the box's shorter side.
    pub width: f32,
}

impl Cross {
    /// The part of a box's shorter side that stays free: of a square, of a circle, of a shield, whose corners are empty.
    pub const FREE: f32 = 0.2;
    /// See [`Cross::FREE`].
    pub const FREE_ROUND: f32 = 0.26;
    /// See [`Cross::FREE`].
    pub const FREE_POINTED: f32 = 0.24;

    /// That of a box, its width in millimetres: within the outline, with room to circle it. None over what is no box.
    pub fn over(shape: &Shape) -> Option<Self> {
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
        let cross = Self::within(&rect, free);
        Some(Self { width: (cross.width * rect.w.min(rect.h)).clamp(0.25, 0.7), ..cross })
    }

    /// That of a rectangle, so much of its shorter side left free.
    pub fn within(rect: &Rect, free: f32) -> Self {
        let side = rect.w.min(rect.h);
        let Rect { x, y, w, h } = rect.inset(side * free);
        let lines = [[x, y, x + w, y + h], [x + w, y, x, y + h]];
        Self { lines, width: 0.09 }
    }
}

/// `x' = a·x + c·y + e`, `y' = b·x + d·y + f`: SVG's and PDF's order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Six numbers.
    pub m: [f32; 6],
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// Nothing moves.
    pub const IDENTITY: Self = Self { m: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0] };
    /// Moved by (x, y).
    pub const fn translate(x: f32, y: f32) -> Self {
        Self { m: [1.0, 0.0, 0.0, 1.0, x, y] }
    }
    /// Scaled by (x, y).
    pub const fn scale(x: f32, y: f32) -> Self {
        Self { m: [x, 0.0, 0.0, y, 0.0, 0.0] }
    }
    /// Turned clockwise by degrees about the origin.
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
    /// First `inner`, then `self`.
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
    /// A point moved.
    pub fn apply(&self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.m;
        (a * x + c * y + e, b * x + d * y + f)
    }
}

/// An outline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Its segments, the first of each subpath a `Move`.
    pub segments: Vec<Segment>,
    /// Whether inside is counted even-odd rather than non-zero.
    pub even_odd: bool,
}

impl Path {
    /// The rectangle around its points.
    pub fn bounds(&self) -> Option<Rect> {
        let points = self.segments.iter().flat_map(|segment| match *segment {
            Segment::Move(x, y) | Segment::Line(x, y) => vec![(x, y)],
            Segment::Curve(ax, ay, bx, by, x, y) => vec![(ax, ay), (bx, by), (x, y)],
            Segment::Close => Vec::new(),
        });
        let bounds = points.fold(None, |bounds: Option<[f32; 4]>, (x, y)| {
            let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
        });
        bounds.map(|[left, top, right, bottom]| Rect::new(left, top, right - left, bottom - top))
    }
}

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Starts a subpath.
    Move(f32, f32),
    /// A straight line.
    Line(f32, f32),
    /// A cubic curve: two control points, then the end.
    Curve(f32, f32, f32, f32, f32, f32),
    /// Back to the subpath's start.
    Close,
}

/// How a shape is painted: fill first, stroke over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaintStyle {
    /// Fill, if any.
    pub fill: Option<Paint>,
    /// Stroke, if any.
    pub stroke: Option<Stroke>,
}

/// A flat colour with an opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// 1 is solid, 0 invisible.
    pub alpha: f32,
}

impl Paint {
    /// A solid colour.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { rgb: [r, g, b], alpha: 1.0 }
    }
    /// A solid grey.
    pub const fn grey(level: u8) -> Self {
        Self::rgb(level, level, level)
    }
}

/// A line drawn along an outline, half its width on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Colour.
    pub paint: Paint,
    /// Width.
    pub width: f32,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dash: Vec<f32>,
    /// How ends look.
    pub cap: Cap,
    /// How corners look.
    pub join: Join,
}

impl Stroke {
    /// A solid line with square corners.
    pub const fn new(paint: Paint, width: f32) -> Self {
        Self { paint, width, dash: Vec::new(), cap: Cap::Butt, join: Join::Miter }
    }
}

/// Line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Cut off at the end.
    Butt,
    /// A half circle beyond it.
    Round,
    /// Half a width beyond it.
    Square,
}

/// Line corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Sharp.
    Miter,
    /// Round.
    Round,
    /// Cut.
    Bevel,
}

/// A line of text, shaped once.
#[derive(Clone, Debug)]
pub struct TextLine {
    /// Glyphs and advances in ems, shared by every use of the same words.
    pub run: Arc<ShapedLine>,
    /// Left end of the baseline.
    pub x: f32,
    /// Height of the baseline.
    pub y: f32,
    /// Font size.
    pub size: f32,
    /// Extra space after every glyph, in millimetres.
    pub spacing: f32,
    /// Colour.
    pub paint: Paint,
}

impl TextLine {
    /// Width in millimetres, letter spacing included but for the last glyph's.
    pub fn width(&self) -> f32 {
        self.run.width * self.size + self.spacing * (self.run.glyphs.len().saturating_sub(1)) as f32
    }
}
