//! The one way ink gets onto a page: takes words, boxes and drawings with their places, gives items. Here the legibility promise
//! is kept: a [`TextSize`] cannot be made smaller than the floor, and a tick box smaller than the floor is refused in tests.
//! Characters that no face holds are written as `?` and told.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use super::mark_labels::MarkLabels;
use super::minimum_sizes::{INK, LINE_WIDTH, MinimumSizes, POINT_MM, QUIET_INK, RULE_INK, SheetOptions, THIN_LINE};
use super::missing_characters::MissingCharacters;
use crate::allowance::count_work;
use crate::art::Anchor;
use crate::evaluate::BoxShape;
use crate::fonts::{self, FontFace, ShapedLine};
use crate::scene::{
    Cap, Cross, Drawing, Join, Mark, MarkKind, PENCIL, Paint, PaintStyle, Path, Rect, SceneItem, Segment, Shape,
    Stroke, TextLine, Transform,
};

/// A font size in millimetres that is not below the floor it was made with.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct TextSize(f32);

impl TextSize {
    /// Millimetres.
    pub fn mm(self) -> f32 {
        self.0
    }
}

/// What is read during play and what is only a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// Labels, notes, headings: at least 6 pt.
    Label,
    /// Values a player reads during play: at least 8 pt.
    Play,
}

impl MinimumSizes {
    /// A size of `points` before large print, raised to the role's floor.
    pub fn size(&self, points: f32, role: TextRole) -> TextSize {
        self.text_size_mm(points * POINT_MM * self.scale, role)
    }

    /// A size in millimetres, raised to the role's floor.
    pub fn text_size_mm(&self, mm: f32, role: TextRole) -> TextSize {
        let floor = match role {
            TextRole::Label => self.text,
            TextRole::Play => self.play_text,
        };
        TextSize(if mm.is_finite() { mm.max(floor) } else { floor })
    }

    /// The size at which `words` fit into `width`, from `size` down to the floor. The words may still be wider.
    pub fn shrink_to_width(&self, size: TextSize, words_em: f32, width: f32, role: TextRole) -> TextSize {
        if words_em * size.0 <= width { size } else { self.text_size_mm(width / words_em.max(0.01), role) }
    }
}

/// Writing of one kind: face, size, colour, letter spacing in ems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// The face.
    pub face: FontFace,
    /// The size.
    pub size: TextSize,
    /// The colour.
    pub paint: Paint,
    /// Letter spacing in ems.
    pub spacing: f32,
}

impl TextStyle {
    /// Width of words in this hand, mm.
    pub fn width(&self, words: &str) -> f32 {
        let (em, glyphs) = measure_text(self.face, words);
        em * self.size.0 + self.spacing * self.size.0 * glyphs.saturating_sub(1) as f32
    }

    /// Height of capitals and figures, mm.
    pub fn cap_height(&self) -> f32 {
        self.face.metrics().cap_height * self.size.0
    }

    /// Height of a line of running text, mm.
    pub fn line(&self) -> f32 {
        self.size.0 * 1.22
    }

    /// The same hand in another colour.
    #[must_use]
    pub fn with_paint(self, paint: Paint) -> Self {
        Self { paint, ..self }
    }

    /// The same hand in another face.
    #[must_use]
    pub fn face(self, face: FontFace) -> Self {
        Self { face, ..self }
    }
}

/// The hands of a sheet, so that all panels write alike.
#[derive(Clone, Copy, Debug)]
pub struct TextStyles {
    /// The floor they were made with.
    pub minimums: MinimumSizes,
    /// A panel's heading: spaced capitals.
    pub title: TextStyle,
    /// What stands at the right of a heading.
    pub note: TextStyle,
    /// Small labels and column headings.
    pub label: TextStyle,
    /// Running text and names.
    pub body: TextStyle,
    /// A value read during play.
    pub value: TextStyle,
    /// The same, quieter.
    pub quiet_value: TextStyle,
}

impl TextStyles {
    /// The hands of a job.
    pub fn new(floor: MinimumSizes) -> Self {
        let hand =
            |face, points, role, paint, spacing| TextStyle { face, size: floor.size(points, role), paint, spacing };
        Self {
            minimums: floor,
            title: hand(FontFace::SemiBold, 8.0, TextRole::Label, INK, 0.09),
            note: hand(FontFace::Regular, 7.0, TextRole::Label, QUIET_INK, 0.0),
            label: hand(FontFace::Regular, 6.5, TextRole::Label, QUIET_INK, 0.0),
            body: hand(FontFace::Regular, 8.0, TextRole::Play, INK, 0.0),
            value: hand(FontFace::SemiBold, 9.0, TextRole::Play, INK, 0.0),
            quiet_value: hand(FontFace::Regular, 9.0, TextRole::Play, INK, 0.0),
        }
    }
}

/// Width in ems and number of glyphs of words. Each thread remembers what it measured last: layout asks for the same words many
/// times, and no answer depends on what is remembered.
fn measure_text(face: FontFace, words: &str) -> (f32, usize) {
    // More than a ship can have of different words, so that a long list is not measured over and over.
    const HELD: usize = 30_000;
    type Widths = HashMap<Box<str>, (f32, usize), BuildHasherDefault<Fnv>>;
    thread_local! {
        static KNOWN: RefCell<[Widths; 3]> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        let known = &mut known[face as usize];
        if let Some(&width) = known.get(words) {
            return width;
        }
        count_work(words.len());
        let run = shape_text(face, words).0;
        if words.len() > super::line_break::MAX_UNBROKEN_BYTES {
            return (run.width, run.glyphs.len());
        }
        if known.len() >= HELD {
            known.clear();
        }
        known.insert(words.into(), (run.width, run.glyphs.len()));
        (run.width, run.glyphs.len())
    })
}

/// A hash for short words.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Words shaped, with what no face holds replaced by `?`; those characters come with it.
pub fn shape_text(face: FontFace, words: &str) -> (Arc<ShapedLine>, Option<Vec<char>>) {
    let run = fonts::shape(face, words);
    if run.missing.is_empty() {
        return (run, None);
    }
    let missing = run.missing.clone();
    let without: BTreeSet<char> = missing.iter().copied().collect();
    let plain: String = words.chars().map(|c| if without.contains(&c) { '?' } else { c }).collect();
    (fonts::shape(face, &plain), Some(missing))
}

/// Puts items on a page.
#[derive(Debug)]
pub struct SheetPen {
    /// The hands to write with.
    pub hands: TextStyles,
    /// Where (0, 0) of what is drawn lies on the page.
    pub origin: (f32, f32),
    /// What has been drawn.
    pub items: Vec<SceneItem>,
    /// Crosses over boxes that are ticked already, to be drawn over all.
    crosses: Vec<SceneItem>,
    /// Whose boxes are drawn.
    labels: Option<Rc<MarkLabels>>,
    /// Characters no face holds.
    pub missing: MissingCharacters,
}

impl SheetPen {
    /// An empty page's pen.
    pub fn new(hands: TextStyles, origin: (f32, f32)) -> Self {
        let (items, crosses) = (Vec::new(), Vec::new());
        Self { hands, origin, items, crosses, labels: None, missing: MissingCharacters::default() }
    }

    /// The same for a ship's page.
    pub fn of(hands: TextStyles, origin: (f32, f32), subject: Rc<MarkLabels>) -> Self {
        Self { labels: Some(subject), ..Self::new(hands, origin) }
    }

    /// All that was drawn, the crosses last.
    pub fn finish(mut self) -> Vec<SceneItem> {
        self.items.append(&mut self.crosses);
        // A pack holds thousands of pages and chits: none keeps room that it does not use.
        self.items.shrink_to_fit();
        self.items
    }

    fn push(&mut self, shape: Shape, mark: Option<Mark>) {
        let mark = mark.map(|mut mark| {
            if let Some(subject) = &self.labels {
                subject.label_mark(&mut mark);
            }
            if mark.ticked {
                self.crosses.extend(tick_cross(&shape, &mark));
            }
            Box::new(mark)
        });
        self.items.push(SceneItem { shape, mark });
    }

    fn to_page(&self, rect: Rect) -> Rect {
        Rect::new(rect.x + self.origin.0, rect.y + self.origin.1, rect.w, rect.h)
    }

    /// Words on a baseline; gives their width.
    pub fn text(&mut self, words: &str, hand: TextStyle, x: f32, y: f32, anchor: Anchor) -> f32 {
        self.text_with_mark(words, hand, x, y, anchor, None)
    }

    /// Words that show a design item.
    pub fn text_with_mark(
        &mut self,
        words: &str,
        hand: TextStyle,
        x: f32,
        y: f32,
        anchor: Anchor,
        mark: Option<Mark>,
    ) -> f32 {
        if words.is_empty() {
            return 0.0;
        }
        debug_assert!(hand.size.0 >= self.hands.minimums.text - 1e-4, "text of {} mm", hand.size.0);
        let (run, missing) = shape_text(hand.face, words);
        if let Some(missing) = missing {
            self.missing.add(&missing, words);
        }
        let spacing = hand.spacing * hand.size.0;
        let mut text = TextLine { run, x: 0.0, y: y + self.origin.1, size: hand.size.0, spacing, paint: hand.paint };
        let width = text.width();
        text.x = self.origin.0 + x
            - match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => width / 2.0,
                Anchor::End => width,
            };
        self.push(Shape::Text(text), mark);
        width
    }

    /// Words centred on a point, capitals and figures in the middle of it.
    pub fn text_centred(&mut self, words: &str, hand: TextStyle, x: f32, y: f32, mark: Option<Mark>) {
        self.text_with_mark(words, hand, x, y + hand.cap_height() / 2.0, Anchor::Middle, mark);
    }

    /// Words turned clockwise by degrees about the anchor.
    pub fn text_rotated(&mut self, words: &str, hand: TextStyle, x: f32, y: f32, anchor: Anchor, degrees: f32) {
        let origin = std::mem::replace(&mut self.origin, (0.0, 0.0));
        let before = self.items.len();
        self.text(words, hand, 0.0, 0.0, anchor);
        let items = self.items.split_off(before);
        self.origin = origin;
        let place = Transform::translate(x + origin.0, y + origin.1).then_inner(&Transform::rotate(degrees));
        self.push(Shape::Group { transform: place, items }, None);
    }

    /// A rule from left to right.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, weight: f32, paint: Paint) {
        self.line((x, y), (x + width, y), weight, paint);
    }

    /// A straight line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), weight: f32, paint: Paint) {
        let (ox, oy) = self.origin;
        let segments = vec![Segment::Move(from.0 + ox, from.1 + oy), Segment::Line(to.0 + ox, to.1 + oy)];
        self.path(
            Path { segments, even_odd: false },
            PaintStyle { fill: None, stroke: Some(Stroke::new(paint, weight)) },
        );
    }

    /// Many straight lines of one weight, as one path.
    pub fn lines(&mut self, lines: impl Iterator<Item = [f32; 4]>, weight: f32, paint: Paint) {
        let (ox, oy) = self.origin;
        let segments: Vec<Segment> = lines
            .flat_map(|[ax, ay, bx, by]| [Segment::Move(ax + ox, ay + oy), Segment::Line(bx + ox, by + oy)])
            .collect();
        if !segments.is_empty() {
            self.path(
                Path { segments, even_odd: false },
                PaintStyle { fill: None, stroke: Some(Stroke::new(paint, weight)) },
            );
        }
    }

    fn path(&mut self, path: Path, style: PaintStyle) {
        self.push(Shape::Path(path, style), None);
    }

    /// A rectangle.
    pub fn rect(&mut self, rect: Rect, radius: f32, style: PaintStyle, mark: Option<Mark>) {
        let rect = self.to_page(rect);
        self.push(Shape::Rect { rect, radius, style }, mark);
    }

    /// A circle.
    pub fn circle(&mut self, x: f32, y: f32, radius: f32, style: PaintStyle, mark: Option<Mark>) {
        let (x, y) = (x + self.origin.0, y + self.origin.1);
        self.push(Shape::Circle { x, y, radius, style }, mark);
    }

    /// A box to tick. `Plain` draws nothing but keeps the mark.
    pub fn tick_box(&mut self, rect: Rect, shape: BoxShape, mark: Mark) {
        debug_assert!(
            shape == BoxShape::Plain || rect.w.min(rect.h) >= self.hands.minimums.tick_box - 1e-3,
            "tick box {} by {} mm",
            rect.w,
            rect.h
        );
        let style = box_style();
        match shape {
            BoxShape::Square => self.rect(rect, 0.0, style, Some(mark)),
            BoxShape::Circle => {
                self.circle(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0, rect.w.min(rect.h) / 2.0, style, Some(mark));
            }
            BoxShape::Shield => {
                let path = shield_path(self.to_page(rect));
                self.push(Shape::Path(path, style), Some(mark));
            }
            BoxShape::Plain => self.rect(rect, 0.0, PaintStyle::default(), Some(mark)),
            BoxShape::Round => self.rect(rect, rect.w.min(rect.h) / 2.0, style, Some(mark)),
        }
    }

    /// A field to write in: an invisible area with its name, and what it is for people.
    pub fn field(&mut self, rect: Rect, name: impl Into<Arc<str>>, label: impl Into<Arc<str>>) {
        let mark = Mark { label: label.into(), ..Mark::new(name, MarkKind::Write, None) };
        self.rect(rect, 0.0, PaintStyle::default(), Some(mark));
    }

    /// A drawing fitted into a rectangle, centred, proportions kept.
    pub fn drawing(&mut self, drawing: &Arc<Drawing>, rect: Rect, mark: Option<Mark>) {
        let scale = (rect.w / drawing.width.max(0.01)).min(rect.h / drawing.height.max(0.01));
        let x = self.origin.0 + rect.x + (rect.w - drawing.width * scale) / 2.0;
        let y = self.origin.1 + rect.y + (rect.h - drawing.height * scale) / 2.0;
        let transform = Transform { m: [scale, 0.0, 0.0, scale, x, y] };
        self.push(Shape::Use { drawing: Arc::clone(drawing), transform }, mark);
    }

    /// A drawing at its own size, its corner at the origin.
    pub fn drawing_at_origin(&mut self, drawing: &Arc<Drawing>) {
        let transform = Transform::translate(self.origin.0, self.origin.1);
        self.push(Shape::Use { drawing: Arc::clone(drawing), transform }, None);
    }

    /// A grey dot in the middle of a box.
    pub fn dot(&mut self, rect: Rect) {
        let radius = rect.w.min(rect.h) * 0.22;
        let style = PaintStyle { fill: Some(Paint::grey(140)), stroke: None };
        self.circle(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0, radius, style, None);
    }

    /// A short heavy bar behind a box.
    pub fn bar_after(&mut self, rect: Rect, gap: f32) {
        let x = rect.right() + gap / 2.0;
        self.line((x, rect.y - 0.4), (x, rect.bottom() + 0.4), LINE_WIDTH * 2.5, INK);
    }
}

/// The cross over a ticked box, as with a soft pencil: it leaves the outline and lets what stands in the box be read.
fn tick_cross(shape: &Shape, mark: &Mark) -> Option<SceneItem> {
    let cross = Cross::over(shape)?;
    let segments = cross.lines.iter().flat_map(|&[ax, ay, bx, by]| [Segment::Move(ax, ay), Segment::Line(bx, by)]);
    let path = Path { segments: segments.collect(), even_odd: false };
    let stroke = Stroke { cap: Cap::Round, ..Stroke::new(PENCIL, cross.width) };
    let mark = Mark { kind: MarkKind::Cross, ..mark.clone() };
    Some(SceneItem {
        shape: Shape::Path(path, PaintStyle { fill: None, stroke: Some(stroke) }),
        mark: Some(Box::new(mark)),
    })
}

/// How a tick box is drawn.
pub fn box_style() -> PaintStyle {
    PaintStyle { fill: None, stroke: Some(Stroke::new(INK, LINE_WIDTH)) }
}

/// How a thin rule is drawn.
pub fn thin_line_style() -> PaintStyle {
    PaintStyle { fill: None, stroke: Some(Stroke::new(RULE_INK, THIN_LINE)) }
}

/// A shield: a square whose lower half is rounded to a point.
fn shield_path(rect: Rect) -> Path {
    let Rect { x, y, w, h } = rect;
    let (right, bottom, middle) = (x + w, y + h, x + w / 2.0);
    let shoulder = y + h * 0.45;
    let segments = vec![
        Segment::Move(x, y),
        Segment::Line(right, y),
        Segment::Line(right, shoulder),
        Segment::Curve(right, y + h * 0.78, middle + w * 0.22, bottom - h * 0.04, middle, bottom),
        Segment::Curve(middle - w * 0.22, bottom - h * 0.04, x, y + h * 0.78, x, shoulder),
        Segment::Close,
    ];
    Path { segments, even_odd: false }
}

/// A dashed thin line, for cuts.
pub fn cut() -> Stroke {
    Stroke { paint: RULE_INK, width: THIN_LINE, dash: vec![2.0, 1.5], cap: Cap::Butt, join: Join::Miter }
}

/// A pen for pages that are not laid out from a template, with this job's sizes.
pub fn pen(options: &SheetOptions) -> SheetPen {
    SheetPen::new(TextStyles::new(MinimumSizes::of(options)), (0.0, 0.0))
}
