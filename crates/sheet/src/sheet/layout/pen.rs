//! The only way to draw on a page: takes words, boxes and drawings with their positions, gives items. Texts and tick
//! boxes below the minimum sizes fail in tests. Characters that no font has are written as `?` and reported.

use std::rc::Rc;
use std::sync::Arc;

use super::mark_labels::MarkLabels;
use super::minimum_sizes::{INK, LINE_WIDTH, QUIET_INK, RULE_INK, THIN_LINE};
use super::missing_characters::MissingCharacters;
use super::text_style::{TextStyle, TextStyles, shape_text};
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::finding::Finding;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{
    Cap, Cross, Drawing, Join, Mark, MarkKind, MountArea, PENCIL, Paint, PaintStyle, Path, Rect, SceneItem, Segment,
    Shape, Stroke, TextLine, Transform,
};
use moldloft_rules::evaluate::BoxShape;

/// What leaves a page so that plans have the boxes that they prefer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoomForPlans {
    /// Only what there is no room for.
    AsNeeded,
    /// Where there is a further page, what moves and has no boxes.
    #[default]
    Overleaf,
    /// All but the plans.
    Page,
}

/// Puts items on a page.
#[derive(Debug)]
pub struct SheetPen {
    pub styles: TextStyles,
    /// Position of (0, 0) on the page, mm.
    pub origin: (f32, f32),
    pub items: Vec<SceneItem>,
    /// Crosses over boxes already ticked, drawn on top of everything.
    crosses: Vec<SceneItem>,
    labels: Option<Rc<MarkLabels>>,
    /// Characters that no font has.
    pub missing_characters: MissingCharacters,
    /// What could not be drawn.
    pub findings: Vec<Finding>,
    /// Texts whose width is known only when they are drawn.
    pub measured_texts: Vec<MeasuredText>,
    /// Texts with the number of a value have a mark of its name.
    pub marks_values: bool,
    /// What makes room for plans; whether some of it did.
    pub makes_room: RoomForPlans,
    pub made_room: bool,
    /// On the page.
    pub mount_areas: Vec<MountArea>,
    /// The logs on the page, by their names, and the number of the last row of each.
    pub log_rows: Vec<(Arc<str>, u32)>,
    /// Whether it says what a ship does to its enemies.
    pub shows_odds: bool,
}

/// A text of a template as it was laid out on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredText {
    /// Index in the template's slots.
    pub slot_index: usize,
    pub words: String,
    /// Whether some of its words do not fit.
    pub is_cut: bool,
    /// Available width, mm.
    pub width: f32,
    /// Width on one line at the smallest size, mm.
    pub natural_width: f32,
}

impl SheetPen {
    /// For pages without a template, with the sizes of these options.
    pub fn from_options(options: &SheetOptions) -> Self {
        Self::new(TextStyles::new(options.minimum_sizes()), (0.0, 0.0))
    }

    pub fn new(styles: TextStyles, origin: (f32, f32)) -> Self {
        let (items, crosses) = (Vec::new(), Vec::new());
        Self {
            styles,
            origin,
            items,
            crosses,
            labels: None,
            missing_characters: MissingCharacters::default(),
            findings: Vec::new(),
            measured_texts: Vec::new(),
            marks_values: false,
            makes_room: RoomForPlans::default(),
            made_room: false,
            mount_areas: Vec::new(),
            log_rows: Vec::new(),
            shows_odds: false,
        }
    }

    /// For a ship's page: marks get their labels.
    pub fn for_ship(styles: TextStyles, origin: (f32, f32), subject: Rc<MarkLabels>) -> Self {
        Self { labels: Some(subject), ..Self::new(styles, origin) }
    }

    /// Everything drawn, the crosses last.
    pub fn finish(mut self) -> Vec<SceneItem> {
        self.items.append(&mut self.crosses);
        // A pack has thousands of pages and counters: none keeps unused memory.
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

    pub fn note_mount_area(&mut self, mount: Arc<str>, rect: Rect) {
        let rect = self.to_page(rect);
        self.mount_areas.push(MountArea { mount, rect });
    }

    /// Words on a baseline; returns their width, mm.
    pub fn text(&mut self, words: &str, style: TextStyle, x: f32, y: f32, anchor: Anchor) -> f32 {
        self.text_with_mark(words, style, x, y, anchor, None)
    }

    /// The mark of a text that shows a number, where such marks are asked for.
    pub fn value_mark(&self, name: Option<&Arc<str>>) -> Option<Mark> {
        let name = name.filter(|_| self.marks_values)?;
        Some(Mark::new(Arc::clone(name), MarkKind::Value, None))
    }

    /// Words that show a design item.
    pub fn text_with_mark(
        &mut self,
        words: &str,
        style: TextStyle,
        x: f32,
        y: f32,
        anchor: Anchor,
        mark: Option<Mark>,
    ) -> f32 {
        if words.is_empty() {
            return 0.0;
        }
        debug_assert!(style.size.mm() >= self.styles.minimums.text - 1e-4, "text of {} mm", style.size.mm());
        let (shaped, missing) = shape_text(style.face, words);
        if let Some(missing) = missing {
            self.missing_characters.add(&missing, words);
        }
        let spacing = style.spacing * style.size.mm();
        let mut text =
            TextLine { shaped, x: 0.0, y: y + self.origin.1, size: style.size.mm(), spacing, paint: style.paint };
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

    /// Words centred on a point, vertically by the height of capitals and figures.
    pub fn text_centred(&mut self, words: &str, style: TextStyle, x: f32, y: f32, mark: Option<Mark>) {
        self.text_with_mark(words, style, x, y + style.cap_height() / 2.0, Anchor::Middle, mark);
    }

    /// Words turned clockwise by degrees about the anchor.
    pub fn text_rotated(
        &mut self,
        words: &str,
        style: TextStyle,
        (x, y): (f32, f32),
        anchor: Anchor,
        degrees: f32,
        mark: Option<Mark>,
    ) {
        let origin = std::mem::replace(&mut self.origin, (0.0, 0.0));
        let before = self.items.len();
        self.text_with_mark(words, style, 0.0, 0.0, anchor, mark);
        let items = self.items.split_off(before);
        self.origin = origin;
        let place = Transform::translate(x + origin.0, y + origin.1).then_inner(&Transform::rotate(degrees));
        self.push(Shape::Group { transform: place, items }, None);
    }

    /// A rule from left to right.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, weight: f32, paint: Paint) {
        self.line((x, y), (x + width, y), weight, paint);
    }

    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), weight: f32, paint: Paint) {
        let (ox, oy) = self.origin;
        let segments = vec![Segment::Move(from.0 + ox, from.1 + oy), Segment::Line(to.0 + ox, to.1 + oy)];
        self.path(
            Path { segments, even_odd: false },
            PaintStyle { fill: None, stroke: Some(Stroke::new(paint, weight)) },
        );
    }

    /// Straight lines of one weight, as one path.
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

    /// Closed outlines filled as one path, holes left free.
    pub fn fill(&mut self, outlines: impl Iterator<Item = Vec<(f32, f32)>>, paint: Paint) {
        let (ox, oy) = self.origin;
        let mut segments = Vec::new();
        for outline in outlines {
            let Some((&(x, y), rest)) = outline.split_first() else { continue };
            segments.push(Segment::Move(x + ox, y + oy));
            segments.extend(rest.iter().map(|&(x, y)| Segment::Line(x + ox, y + oy)));
            segments.push(Segment::Close);
        }
        if !segments.is_empty() {
            self.path(Path { segments, even_odd: true }, PaintStyle { fill: Some(paint), stroke: None });
        }
    }

    pub fn rect(&mut self, rect: Rect, radius: f32, style: PaintStyle, mark: Option<Mark>) {
        let rect = self.to_page(rect);
        self.push(Shape::Rect { rect, radius, style }, mark);
    }

    pub fn circle(&mut self, x: f32, y: f32, radius: f32, style: PaintStyle, mark: Option<Mark>) {
        let (x, y) = (x + self.origin.0, y + self.origin.1);
        self.push(Shape::Circle { x, y, radius, style }, mark);
    }

    /// A box to tick. `Plain` draws nothing but keeps the mark.
    pub fn tick_box(&mut self, rect: Rect, shape: BoxShape, mark: Mark) {
        debug_assert!(
            shape == BoxShape::Plain || rect.w.min(rect.h) >= self.styles.minimums.tick_box - 1e-3,
            "tick box {} by {} mm",
            rect.w,
            rect.h
        );
        self.outline(rect, shape, Some(mark));
    }

    /// Square boxes to tick that touch: an edge that two of them share is drawn once, so that it is no bolder than others.
    pub fn touching_boxes(&mut self, boxes: Vec<(Rect, Mark)>) {
        let rects: Vec<Rect> = boxes.iter().map(|(rect, _)| *rect).collect();
        for (rect, mark) in boxes {
            self.tick_box(rect, BoxShape::Plain, mark);
        }
        self.lines(shared_edges(&rects).into_iter(), LINE_WIDTH, INK);
    }

    /// A small box beside the box that it belongs to.
    pub fn companion_box(&mut self, rect: Rect, shape: BoxShape, mark: Mark) {
        debug_assert!(
            rect.w.min(rect.h) >= self.styles.minimums.companion - 1e-3,
            "companion box {} by {} mm",
            rect.w,
            rect.h
        );
        self.outline(rect, shape, Some(mark));
    }

    /// A box that is not to be ticked: a sample for a legend.
    pub fn sample_box(&mut self, rect: Rect, shape: BoxShape) {
        self.outline(rect, shape, None);
    }

    fn outline(&mut self, rect: Rect, shape: BoxShape, mark: Option<Mark>) {
        let style = box_style();
        match shape {
            BoxShape::Square => self.rect(rect, 0.0, style, mark),
            BoxShape::Circle => {
                self.circle(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0, rect.w.min(rect.h) / 2.0, style, mark);
            }
            BoxShape::Shield => {
                let path = shield_path(self.to_page(rect));
                self.push(Shape::Path(path, style), mark);
            }
            BoxShape::Plain => self.rect(rect, 0.0, PaintStyle::default(), mark),
            BoxShape::Round => self.rect(rect, rect.w.min(rect.h) / 2.0, style, mark),
            BoxShape::Rounded => self.rect(rect, rect.w.min(rect.h) * 0.3, light_box_style(), mark),
            BoxShape::Ruled => self.rect(rect, 0.0, light_box_style(), mark),
            BoxShape::Arrow => {
                let path = arrow_path(self.to_page(rect));
                // A mitred tip would touch the next box.
                let stroke = style.stroke.map(|stroke| Stroke { join: Join::Round, ..stroke });
                self.push(Shape::Path(path, PaintStyle { stroke, ..style }), mark);
            }
        }
    }

    /// A field to write in: an invisible area with its name, and a label for people.
    pub fn field(&mut self, rect: Rect, name: impl Into<Arc<str>>, label: impl Into<Arc<str>>) {
        let mark = Mark { label: label.into(), ..Mark::new(name, MarkKind::Write, None) };
        self.rect(rect, 0.0, PaintStyle::default(), Some(mark));
    }

    /// A drawing fitted into a rectangle, centred, proportions kept.
    pub fn drawing(&mut self, drawing: &Arc<Drawing>, rect: Rect, mark: Option<Mark>) {
        self.turned_drawing(drawing, rect, 0.0, mark);
    }

    /// As [`SheetPen::drawing`], turned clockwise, in degrees.
    pub fn turned_drawing(&mut self, drawing: &Arc<Drawing>, rect: Rect, degrees: f32, mark: Option<Mark>) {
        let turn = Transform::rotate(degrees);
        let reach = turn.bounding_rect(&drawing.frame());
        let scale = (rect.w / reach.w.max(0.01)).min(rect.h / reach.h.max(0.01));
        let x = self.origin.0 + rect.x + (rect.w - reach.w * scale) / 2.0 - reach.x * scale;
        let y = self.origin.1 + rect.y + (rect.h - reach.h * scale) / 2.0 - reach.y * scale;
        let place = Transform { m: [scale, 0.0, 0.0, scale, x, y] };
        self.push(Shape::Use { drawing: Arc::clone(drawing), transform: place.then_inner(&turn) }, mark);
    }

    /// A drawing that fills a rectangle.
    pub fn stretched_drawing(&mut self, drawing: &Arc<Drawing>, rect: Rect) {
        let (across, down) = (rect.w / drawing.width.max(0.01), rect.h / drawing.height.max(0.01));
        let transform = Transform { m: [across, 0.0, 0.0, down, self.origin.0 + rect.x, self.origin.1 + rect.y] };
        self.push(Shape::Use { drawing: Arc::clone(drawing), transform }, None);
    }

    /// A drawing at its own size, its corner at the origin.
    pub fn drawing_at_origin(&mut self, drawing: &Arc<Drawing>) {
        let transform = Transform::translate(self.origin.0, self.origin.1);
        self.push(Shape::Use { drawing: Arc::clone(drawing), transform }, None);
    }

    pub fn triangle(&mut self, corners: [(f32, f32); 3], paint: Paint) {
        let (ox, oy) = self.origin;
        let [(ax, ay), (bx, by), (cx, cy)] = corners.map(|(x, y)| (x + ox, y + oy));
        let segments = vec![Segment::Move(ax, ay), Segment::Line(bx, by), Segment::Line(cx, cy), Segment::Close];
        self.path(Path { segments, even_odd: false }, PaintStyle { fill: Some(paint), stroke: None });
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

/// The cross over a ticked box, like soft pencil: the outline stays visible, and the box's content legible.
fn tick_cross(shape: &Shape, mark: &Mark) -> Option<SceneItem> {
    let cross = Cross::for_shape(shape)?;
    let segments = cross.lines.iter().flat_map(|&[ax, ay, bx, by]| [Segment::Move(ax, ay), Segment::Line(bx, by)]);
    let path = Path { segments: segments.collect(), even_odd: false };
    let stroke = Stroke { cap: Cap::Round, ..Stroke::new(PENCIL, cross.width) };
    let mark = Mark { kind: MarkKind::Cross, ..mark.clone() };
    Some(SceneItem {
        shape: Shape::Path(path, PaintStyle { fill: None, stroke: Some(stroke) }),
        mark: Some(Box::new(mark)),
    })
}

pub fn box_style() -> PaintStyle {
    PaintStyle { fill: None, stroke: Some(Stroke::new(INK, LINE_WIDTH)) }
}

/// For boxes that are marked and rubbed out again.
fn light_box_style() -> PaintStyle {
    PaintStyle { fill: None, stroke: Some(Stroke::new(QUIET_INK, THIN_LINE)) }
}

pub fn thin_line_style() -> PaintStyle {
    PaintStyle { fill: None, stroke: Some(Stroke::new(RULE_INK, THIN_LINE)) }
}

/// The edges of rectangles as lines, mm: those in one line that meet or coincide are one. They reach over their ends by half
/// their width, so that corners are whole.
fn shared_edges(rects: &[Rect]) -> Vec<[f32; 4]> {
    // Rounding errors are smaller than a hundredth of a millimetre.
    let hundredths = |mm: f32| (mm * 100.0).round() as i32;
    let joined = |mut edges: Vec<(f32, f32, f32)>| -> Vec<(f32, f32, f32)> {
        edges.sort_by_key(|&(at, from, _)| (hundredths(at), hundredths(from)));
        let mut lines: Vec<(f32, f32, f32)> = Vec::new();
        for (at, from, to) in edges {
            match lines.last_mut() {
                Some(line) if hundredths(line.0) == hundredths(at) && hundredths(from) <= hundredths(line.2) => {
                    line.2 = line.2.max(to);
                }
                _ => lines.push((at, from, to)),
            }
        }
        lines
    };
    let across = rects.iter().flat_map(|rect| [rect.y, rect.bottom()].map(|y| (y, rect.x, rect.right())));
    let down = rects.iter().flat_map(|rect| [rect.x, rect.right()].map(|x| (x, rect.y, rect.bottom())));
    let half = LINE_WIDTH / 2.0;
    let across = joined(across.collect()).into_iter().map(|(y, from, to)| [from - half, y, to + half, y]);
    let down = joined(down.collect()).into_iter().map(|(x, from, to)| [x, from - half, x, to + half]);
    across.chain(down).collect()
}

/// A rectangle with a point at its right.
fn arrow_path(rect: Rect) -> Path {
    let Rect { x, y, w, h } = rect;
    let shoulder = x + w - h * 0.22;
    let segments = vec![
        Segment::Move(x, y),
        Segment::Line(shoulder, y),
        Segment::Line(x + w, y + h / 2.0),
        Segment::Line(shoulder, y + h),
        Segment::Line(x, y + h),
        Segment::Close,
    ];
    Path { segments, even_odd: false }
}

/// A square with a lower half rounded to a point.
fn shield_path(rect: Rect) -> Path {
    let Rect { x, y, w, h } = rect;
    let (right, bottom, middle) = (x + w, y + h, x + w / 2.0);
    let shoulder = y + h * 0.6;
    let segments = vec![
        Segment::Move(x, y),
        Segment::Line(right, y),
        Segment::Line(right, shoulder),
        Segment::Curve(right, y + h * 0.86, middle + w * 0.22, bottom - h * 0.04, middle, bottom),
        Segment::Curve(middle - w * 0.22, bottom - h * 0.04, x, y + h * 0.86, x, shoulder),
        Segment::Close,
    ];
    Path { segments, even_odd: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_drawing::scene::MarkKind;

    #[test]
    fn an_edge_of_two_boxes_is_drawn_once() {
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        let boxes = (0..5).map(|n| {
            let rect = Rect::new(10.0 + (n % 3) as f32 * 3.4, 20.0 + (n / 3) as f32 * 3.4, 3.4, 3.4);
            (rect, Mark::new(format!("structure_{}", n + 1), MarkKind::Tick, None))
        });
        pen.touching_boxes(boxes.collect());
        assert_eq!(pen.items.iter().filter(|item| item.mark.is_some()).count(), 5);
        let lines = pen.items.iter().find_map(|item| match &item.shape {
            Shape::Path(path, _) => Some(path.segments.len() / 2),
            _ => None,
        });
        // Three across, of which the middle one is as long as three boxes, and four down.
        assert_eq!(lines, Some(3 + 4));
        // Boxes apart share nothing.
        let apart = [Rect::new(0.0, 0.0, 3.0, 3.0), Rect::new(4.0, 0.0, 3.0, 3.0)];
        assert_eq!(shared_edges(&apart).len(), 8);
    }
}
