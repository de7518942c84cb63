//! Cut marks: takes lines along which paper is cut or folded, gives one item that draws short marks there.

use crate::sheet::layout::minimum_sizes::{RULE_INK, THIN_LINE};
use moldloft_drawing::scene::{Paint, PaintStyle, Path, Rect, SceneItem, Segment, Shape, Stroke};

/// Gap between a card and its cut marks, and the length of those, mm.
const CARD_CLEARANCE: f32 = 0.4;
const CARD_MARK_LENGTH: f32 = 2.2;

/// Marks of one line width, drawn as one path.
pub struct CutMarks {
    segments: Vec<Segment>,
    stroke: Stroke,
}

impl CutMarks {
    /// Marks between sheets and counters: dark enough to be seen on any paper.
    pub fn new() -> Self {
        Self { segments: Vec::new(), stroke: Stroke::new(Paint::grey(90), 0.15) }
    }

    /// Dashed marks to fold along.
    pub fn folds() -> Self {
        let stroke = Stroke { dash: vec![0.5, 0.35], ..Stroke::new(Paint::grey(90), 0.15) };
        Self { segments: Vec::new(), stroke }
    }

    pub fn line(&mut self, from: (f32, f32), to: (f32, f32)) {
        self.segments.extend([Segment::Move(from.0, from.1), Segment::Line(to.0, to.1)]);
    }

    /// A mark that begins `clearance` mm from a corner, in a direction.
    pub fn outward(&mut self, corner: (f32, f32), direction: (f32, f32), clearance: f32, length: f32) {
        let point = |way: f32| (corner.0 + direction.0 * way, corner.1 + direction.1 * way);
        self.line(point(clearance), point(clearance + length));
    }

    /// `None` without marks.
    pub fn into_item(self) -> Option<SceneItem> {
        let style = PaintStyle { fill: None, stroke: Some(self.stroke) };
        let path = Path { segments: self.segments, even_odd: false };
        (!path.segments.is_empty()).then_some(SceneItem { shape: Shape::Path(path, style), mark: None })
    }
}

/// Thin marks at the corners of cards, outside every card.
pub fn card_cut_marks(cards: &[Rect]) -> Option<SceneItem> {
    let mut marks = CutMarks { segments: Vec::new(), stroke: Stroke::new(RULE_INK, THIN_LINE) };
    for card in cards {
        for (x, out) in [(card.x, -1.0), (card.right(), 1.0)] {
            for (y, up) in [(card.y, -1.0), (card.bottom(), 1.0)] {
                marks.outward((x, y), (out, 0.0), CARD_CLEARANCE, CARD_MARK_LENGTH);
                marks.outward((x, y), (0.0, up), CARD_CLEARANCE, CARD_MARK_LENGTH);
            }
        }
    }
    marks.into_item()
}
