//! Index of a page: takes its items, gives a fingerprint and bounds for each, and the marked shapes with their
//! rectangles, so that only changes are redrawn and the pointer finds what it is over.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use moldloft_drawing::scene::{
    Mark, MarkKind, Page, Paint, PaintStyle, Rect, SceneItem, Segment, Shape, Stroke, Transform,
};

const MAX_DEPTH: usize = 64;
/// Share of a page that counts as used, at least.
const LEAST_USED: f32 = 0.3;

#[derive(Debug, Default)]
pub struct PageIndex {
    pub items: Vec<IndexedItem>,
    /// How far to the right and down anything is drawn, in mm, with the same margin again.
    pub used: (f32, f32),
    pub marked_shapes: Vec<MarkedShape>,
}

#[derive(Clone, Copy, Debug)]
pub struct IndexedItem {
    /// Changes with the item. Equal drawings are the same object in memory.
    pub fingerprint: u64,
    pub bounds: ItemBounds,
}

#[derive(Clone, Debug)]
pub struct MarkedShape {
    /// In mm.
    pub rect: Rect,
    pub mark: Mark,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemBounds(pub [f32; 4]);

impl ItemBounds {
    const EMPTY: Self = Self([f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY]);
    const INFINITE: Self = Self([f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY]);

    fn include_point(&mut self, x: f32, y: f32) {
        let [left, top, right, bottom] = &mut self.0;
        if x.is_finite() && y.is_finite() {
            (*left, *right) = (left.min(x), right.max(x));
            (*top, *bottom) = (top.min(y), bottom.max(y));
        } else {
            // Exporters replace such numbers, so the item may be anywhere.
            *self = Self::INFINITE;
        }
    }

    fn union(&mut self, other: Self) {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        self.0 = [a.min(e), b.min(f), c.max(g), d.max(h)];
    }

    fn expanded(self, by: f32) -> Self {
        let [left, top, right, bottom] = self.0;
        Self([left - by, top - by, right + by, bottom + by])
    }

    pub fn intersects(&self, other: &Self) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        a <= g && e <= c && b <= h && f <= d
    }
}

impl PageIndex {
    pub fn new(page: &Page) -> Self {
        let mut index = Self {
            items: Vec::with_capacity(page.items.len()),
            used: (page.width, page.height),
            marked_shapes: Vec::new(),
        };
        let mut drawn = ItemBounds::EMPTY;
        for item in &page.items {
            let mut hasher = DefaultHasher::new();
            hash_shape(&item.shape, MAX_DEPTH, &mut hasher);
            let room = shape_bounds(&item.shape, &Transform::IDENTITY, MAX_DEPTH, true);
            drawn.union(room);
            index.items.push(IndexedItem { fingerprint: hasher.finish(), bounds: room });
            collect_marked_shapes(item, &Transform::IDENTITY, MAX_DEPTH, &mut index.marked_shapes);
        }
        let [left, top, right, bottom] = drawn.0;
        if [left, top, right, bottom].iter().all(|side| side.is_finite()) {
            let used = |near: f32, far: f32, whole: f32| (far + near.max(0.0)).clamp(whole * LEAST_USED, whole);
            index.used = (used(left, right, page.width), used(top, bottom, page.height));
        }
        index
    }

    /// The smallest shape at this point, in mm.
    pub fn marked_shape_at(&self, x: f32, y: f32) -> Option<&MarkedShape> {
        const HIT_TOLERANCE: f32 = 0.25;
        let over = |spot: &&MarkedShape| {
            let rect = spot.rect.inset(-HIT_TOLERANCE);
            x >= rect.x && x <= rect.right() && y >= rect.y && y <= rect.bottom()
        };
        let area = |spot: &&MarkedShape| spot.rect.w * spot.rect.h;
        self.marked_shapes.iter().rev().filter(over).min_by(|a, b| area(a).total_cmp(&area(b)))
    }
}

fn collect_marked_shapes(item: &SceneItem, outer: &Transform, depth: usize, out: &mut Vec<MarkedShape>) {
    if let Some(mark) = item.mark.as_ref().filter(|mark| mark.kind != MarkKind::Cross) {
        let [left, top, right, bottom] = shape_bounds(&item.shape, outer, depth, false).0;
        if [left, top, right, bottom].iter().all(|side| side.is_finite()) {
            out.push(MarkedShape { rect: Rect::new(left, top, right - left, bottom - top), mark: (**mark).clone() });
        }
    }
    if let (Shape::Group { transform, items }, Some(depth)) = (&item.shape, depth.checked_sub(1)) {
        let transform = outer.then_inner(transform);
        items.iter().for_each(|item| collect_marked_shapes(item, &transform, depth, out));
    }
}

/// `inked` includes strokes and overhanging letters.
fn shape_bounds(shape: &Shape, outer: &Transform, depth: usize, inked: bool) -> ItemBounds {
    let [a, b, c, d, ..] = outer.m;
    let grown = a.hypot(b).max(c.hypot(d));
    // A mitred corner reaches four half widths out.
    let pen = |style: &PaintStyle| match &style.stroke {
        Some(stroke) if inked => stroke.width * 2.0 * grown,
        _ => 0.0,
    };
    let corners_in = |transform: &Transform, rect: Rect| {
        let mut bounds = ItemBounds::EMPTY;
        for (x, y) in [(rect.x, rect.y), (rect.right(), rect.y), (rect.x, rect.bottom()), (rect.right(), rect.bottom())]
        {
            let (x, y) = transform.apply(x, y);
            bounds.include_point(x, y);
        }
        bounds
    };
    let corners = |rect| corners_in(outer, rect);
    match shape {
        Shape::Path(path, style) => {
            let mut bounds = ItemBounds::EMPTY;
            let mut add = |x, y| {
                let (x, y) = outer.apply(x, y);
                bounds.include_point(x, y);
            };
            for segment in &path.segments {
                match *segment {
                    Segment::Move(x, y) | Segment::Line(x, y) => add(x, y),
                    Segment::Curve(ax, ay, bx, by, x, y) => {
                        add(ax, ay);
                        add(bx, by);
                        add(x, y);
                    }
                    Segment::Close => {}
                }
            }
            bounds.expanded(pen(style))
        }
        Shape::Rect { rect, style, .. } => corners(*rect).expanded(pen(style)),
        Shape::Circle { x, y, radius, style } => {
            corners(Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0)).expanded(pen(style))
        }
        Shape::Text(text) => {
            let over = if inked { text.size } else { 0.0 };
            let (x, y) = (text.x - over, text.y - text.size * 0.75 - over);
            corners(Rect::new(x, y, text.width() + over * 2.0, text.size + over * 2.0))
        }
        Shape::Use { drawing, transform } => {
            corners_in(&outer.then_inner(transform), Rect::new(0.0, 0.0, drawing.width, drawing.height))
        }
        Shape::Group { transform, items } => {
            let transform = outer.then_inner(transform);
            let Some(depth) = depth.checked_sub(1) else { return ItemBounds::EMPTY };
            let mut bounds = ItemBounds::EMPTY;
            items.iter().for_each(|item| bounds.union(shape_bounds(&item.shape, &transform, depth, inked)));
            bounds
        }
    }
}

fn hash_numbers(numbers: &[f32], to: &mut DefaultHasher) {
    numbers.iter().for_each(|number| number.to_bits().hash(to));
}

fn hash_paint(paint: &Paint, to: &mut DefaultHasher) {
    paint.rgb.hash(to);
    paint.alpha.to_bits().hash(to);
}

fn hash_style(style: &PaintStyle, to: &mut DefaultHasher) {
    style.fill.is_some().hash(to);
    if let Some(fill) = &style.fill {
        hash_paint(fill, to);
    }
    style.stroke.is_some().hash(to);
    if let Some(Stroke { paint: colour, width, dash, cap, join }) = &style.stroke {
        hash_paint(colour, to);
        hash_numbers(&[*width], to);
        dash.len().hash(to);
        hash_numbers(dash, to);
        (discriminant(cap), discriminant(join)).hash(to);
    }
}

fn hash_shape(shape: &Shape, depth: usize, to: &mut DefaultHasher) {
    discriminant(shape).hash(to);
    match shape {
        Shape::Path(path, style) => {
            (path.even_odd, path.segments.len()).hash(to);
            for segment in &path.segments {
                discriminant(segment).hash(to);
                match *segment {
                    Segment::Move(x, y) | Segment::Line(x, y) => hash_numbers(&[x, y], to),
                    Segment::Curve(ax, ay, bx, by, x, y) => hash_numbers(&[ax, ay, bx, by, x, y], to),
                    Segment::Close => {}
                }
            }
            hash_style(style, to);
        }
        Shape::Rect { rect, radius, style } => {
            hash_numbers(&[rect.x, rect.y, rect.w, rect.h, *radius], to);
            hash_style(style, to);
        }
        Shape::Circle { x, y, radius, style } => {
            hash_numbers(&[*x, *y, *radius], to);
            hash_style(style, to);
        }
        Shape::Text(text) => {
            text.shaped.face.hash(to);
            text.shaped.text.hash(to);
            hash_numbers(&[text.x, text.y, text.size, text.spacing], to);
            hash_paint(&text.paint, to);
        }
        Shape::Use { drawing, transform } => {
            Arc::as_ptr(drawing).addr().hash(to);
            hash_numbers(&transform.m, to);
        }
        Shape::Group { transform, items } => {
            hash_numbers(&transform.m, to);
            items.len().hash(to);
            if let Some(depth) = depth.checked_sub(1) {
                items.iter().for_each(|item| hash_shape(&item.shape, depth, to));
            }
        }
    }
}

/// In mm: nearer boxes of a system belong together.
const JOIN_DISTANCE: f32 = 1.6;

/// Joins rectangles with the room between them, where none of the others is.
pub fn join_with_room(rects: Vec<Rect>, others: &[Rect]) -> Vec<Rect> {
    let mut joined: Vec<Rect> = Vec::new();
    let is_free = |room: &Rect| !others.iter().any(|other| other.overlaps(room, 0.0));
    for mut rect in join_near_rects(rects) {
        while let Some(at) = joined.iter().position(|known| is_free(&bounds_of_two(&rect, known))) {
            rect = bounds_of_two(&rect, &joined.swap_remove(at));
        }
        joined.push(rect);
    }
    joined
}

fn bounds_of_two(a: &Rect, b: &Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    Rect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
}

/// Rectangles of a page that nearly touch become one.
pub fn join_near_rects(mut rects: Vec<Rect>) -> Vec<Rect> {
    let near = |a: &Rect, b: &Rect| a.inset(-JOIN_DISTANCE).overlaps(b, 0.0);
    let mut joined: Vec<Rect> = Vec::new();
    while let Some(mut rect) = rects.pop() {
        // The union may reach others.
        while let Some(at) = joined.iter().position(|other| near(&rect, other)) {
            let other = joined.swap_remove(at);
            rect = bounds_of_two(&rect, &other);
        }
        joined.push(rect);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(x: f32, name: &str) -> SceneItem {
        let shape = Shape::Rect {
            rect: Rect::new(x, 10.0, 4.0, 4.0),
            radius: 0.0,
            style: PaintStyle { fill: None, stroke: Some(Stroke::new(Paint::grey(0), 0.3)) },
        };
        SceneItem { shape, mark: Some(Box::new(Mark::new(name, MarkKind::Tick, Some(1)))) }
    }

    #[test]
    fn a_point_finds_the_box_it_is_in_through_turned_groups() {
        let turned = Transform::translate(100.0, 50.0).then_inner(&Transform::rotate(180.0));
        let items = vec![
            boxed(10.0, "a_1"),
            SceneItem { shape: Shape::Group { transform: turned, items: vec![boxed(10.0, "b_1")] }, mark: None },
        ];
        let index = PageIndex::new(&Page { width: 210.0, height: 297.0, items, ..Page::default() });
        let name = |x, y| index.marked_shape_at(x, y).map(|spot| spot.mark.name.to_string());
        assert_eq!(name(12.0, 12.0).as_deref(), Some("a_1"));
        assert_eq!(name(88.0, 38.0).as_deref(), Some("b_1"));
        assert_eq!(name(50.0, 50.0), None);
    }

    #[test]
    fn what_changes_has_another_print() {
        let prints = |items: Vec<SceneItem>| {
            let index = PageIndex::new(&Page { width: 210.0, height: 297.0, items, ..Page::default() });
            index.items.iter().map(|piece| piece.fingerprint).collect::<Vec<_>>()
        };
        assert_eq!(prints(vec![boxed(1.0, "a_1")]), prints(vec![boxed(1.0, "a_1")]));
        assert_ne!(prints(vec![boxed(1.0, "a_1")]), prints(vec![boxed(1.1, "a_1")]));
    }

    #[test]
    fn odd_numbers_lie_everywhere() {
        let index = PageIndex::new(&Page { items: vec![boxed(f32::NAN, "a_1")], ..Page::default() });
        assert_eq!(index.items[0].bounds, ItemBounds::INFINITE);
        assert!(index.marked_shapes.is_empty());
    }

    #[test]
    fn boxes_side_by_side_are_one_place() {
        let at = |x: f32| Rect::new(x, 10.0, 4.0, 4.0);
        let joined = join_near_rects(vec![at(10.0), at(18.4), at(14.2), at(60.0)]);
        assert_eq!(joined.len(), 2);
        assert!(joined.contains(&Rect::new(10.0, 10.0, 12.4, 4.0)), "{joined:?}");
        // Boxes of another mount keep apart what would go round them.
        let whole = join_with_room(vec![at(10.0), at(30.0), at(60.0)], &[]);
        assert_eq!(whole, [Rect::new(10.0, 10.0, 54.0, 4.0)]);
        let mut parts = join_with_room(vec![at(10.0), at(30.0), at(60.0)], &[at(45.0)]);
        parts.sort_by(|a, b| a.x.total_cmp(&b.x));
        assert_eq!(parts, [Rect::new(10.0, 10.0, 24.0, 4.0), at(60.0)]);
    }
}
