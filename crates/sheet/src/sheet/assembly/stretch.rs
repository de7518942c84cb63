//! Shapes of a template's art, moved and stretched: takes pieces of art, gives them at another size.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use moldloft_drawing::art::ArtPiece;
use moldloft_drawing::scene::{Drawing, Path, Rect, Segment, Shape};

/// Pieces of art and what they are at other sizes: one `Arc` for each size, so that ships share their drawings.
#[derive(Debug)]
pub struct ResizableArt {
    pieces: Vec<ArtPiece>,
    /// As drawn in the template, mm.
    size: (f32, f32),
    /// By the bits of a size and of what is below it, and by its form.
    resized: Mutex<BTreeMap<[u32; 4], Arc<Vec<ArtPiece>>>>,
}

impl ResizableArt {
    pub fn new(pieces: Vec<ArtPiece>, size: (f32, f32)) -> Self {
        Self { pieces, size, resized: Mutex::default() }
    }

    pub fn pieces(&self) -> &[ArtPiece] {
        &self.pieces
    }

    /// The pieces at a size with some room below it, mm, in a form that is 0 for the template's; `to` gives each shape there, and
    /// is the same function of these each time.
    pub fn at_size(
        &self,
        (width, height): (f32, f32),
        below: f32,
        form: u32,
        to: impl Fn(&Shape) -> Shape,
    ) -> Arc<Vec<ArtPiece>> {
        let (w, h) = self.size;
        let is_same = (width - w).abs() < 0.01 && (height - h).abs() < 0.01 && below < 0.01 && form == 0;
        let resize = |piece: &ArtPiece| {
            let drawing = &piece.drawing;
            let drawing = Drawing {
                name: drawing.name.clone(),
                width: drawing.width + (width - w).max(0.0),
                height: drawing.height + (height + below - h).max(0.0),
                picture: None,
                shapes: drawing.shapes.iter().map(&to).collect(),
            };
            ArtPiece { drawing: Arc::new(drawing), when: piece.when }
        };
        let pieces = || Arc::new(if is_same { self.pieces.clone() } else { self.pieces.iter().map(resize).collect() });
        let mut known = self.resized.lock().unwrap_or_else(PoisonError::into_inner);
        let [width, height, below] = [width, height, below].map(f32::to_bits);
        Arc::clone(known.entry([width, height, below, form]).or_insert_with(pieces))
    }
}

/// The rectangle around a shape's points.
pub fn bounds(shape: &Shape) -> Rect {
    let Shape::Path(path, _) = shape else { return Rect::default() };
    path.bounds().unwrap_or_default()
}

/// The shape with its points moved; lines keep their width.
pub fn map_shape(shape: &Shape, to: impl Fn(f32, f32) -> (f32, f32)) -> Shape {
    let Shape::Path(path, style) = shape else { return shape.clone() };
    let segments = path.segments.iter().map(|segment| match *segment {
        Segment::Move(x, y) => {
            let (x, y) = to(x, y);
            Segment::Move(x, y)
        }
        Segment::Line(x, y) => {
            let (x, y) = to(x, y);
            Segment::Line(x, y)
        }
        Segment::Curve(ax, ay, bx, by, x, y) => {
            let ((ax, ay), (bx, by), (x, y)) = (to(ax, ay), to(bx, by), to(x, y));
            Segment::Curve(ax, ay, bx, by, x, y)
        }
        Segment::Close => Segment::Close,
    });
    Shape::Path(Path { segments: segments.collect(), even_odd: path.even_odd }, style.clone())
}
