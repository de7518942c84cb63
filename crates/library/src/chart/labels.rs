//! Places for the names of lines: takes rectangles that are taken, tries places in order, gives the first free one.

use moldloft_drawing::scene::Rect;

/// Rectangles that words should not cover.
#[derive(Debug, Default)]
pub(super) struct Taken {
    rects: Vec<Rect>,
}

impl Taken {
    pub fn add(&mut self, rect: Rect) {
        self.rects.push(rect);
    }

    /// A thin rectangle around a line.
    pub fn add_line(&mut self, (ax, ay): (f32, f32), (bx, by): (f32, f32)) {
        const AROUND: f32 = 0.5;
        let (x, y) = (ax.min(bx), ay.min(by));
        self.add(Rect::new(x, y, (ax - bx).abs(), (ay - by).abs()).inset(-AROUND));
    }

    /// The place that covers least, within `bounds`; the first of several.
    pub fn best(&self, places: &[Rect], bounds: &Rect) -> Option<Rect> {
        let within = |rect: &&Rect| {
            rect.x >= bounds.x
                && rect.right() <= bounds.right()
                && rect.y >= bounds.y
                && rect.bottom() <= bounds.bottom()
        };
        let covered = |rect: &Rect| self.rects.iter().map(|other| shared(rect, other)).sum::<f32>();
        let mut best: Option<(f32, Rect)> = None;
        for rect in places.iter().filter(within) {
            let covered = covered(rect);
            if best.is_none_or(|(least, _)| covered < least - 1e-3) {
                best = Some((covered, *rect));
            }
        }
        best.map(|(_, rect)| rect)
    }
}

/// Square millimetres that two rectangles share.
fn shared(a: &Rect, b: &Rect) -> f32 {
    let across = a.right().min(b.right()) - a.x.max(b.x);
    let down = a.bottom().min(b.bottom()) - a.y.max(b.y);
    across.max(0.0) * down.max(0.0)
}
