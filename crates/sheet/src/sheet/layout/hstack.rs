//! Contents side by side, each with its share of the width.

use super::flowable::{Flowable, SizeHint, VStack, column_positions};
use super::pen::SheetPen;
use super::text_style::TextStyles;
use moldloft_drawing::scene::Rect;

#[derive(Debug)]
pub struct HStack {
    /// From left to right, each with its share of the width.
    pub parts: Vec<(f32, Box<dyn Flowable>)>,
    /// Between parts, mm.
    pub gap: f32,
}

impl HStack {
    /// Left edges and widths, mm.
    fn column_positions(&self, width: f32) -> Vec<(f32, f32)> {
        let shares: Vec<f32> = self.parts.iter().map(|(share, _)| *share).collect();
        // Shares are parts of the whole: what is missing of it stays empty beside several parts.
        let whole = if shares.len() == 1 { 0.0 } else { 1.0 };
        column_positions(&shares, whole, self.gap, width)
    }
}

impl Flowable for HStack {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let wants = self
            .parts
            .iter()
            .zip(self.column_positions(width))
            .map(|((_, part), (_, width))| part.measure(width, styles));
        SizeHint::side_by_side(wants)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let places = self.column_positions(rect.w);
        let gap = self.gap;
        let rest: Vec<_> = self
            .parts
            .into_iter()
            .zip(places)
            .filter_map(|((_, part), (x, w))| part.draw(Rect::new(rect.x + x, rect.y, w, rect.h), pen))
            .collect();
        if rest.is_empty() { None } else { Some(Box::new(VStack::new(rest, gap, true))) }
    }

    fn allow_split(&mut self) -> bool {
        self.parts.iter_mut().fold(false, |changed, (_, part)| part.allow_split() || changed)
    }

    fn take_parts(&mut self) -> Vec<Box<dyn Flowable>> {
        self.parts.drain(..).map(|(_, part)| part).collect()
    }
}
