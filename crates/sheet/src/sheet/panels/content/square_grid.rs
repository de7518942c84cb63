//! A grid of squares: takes the content of each, gives them drawn edge to edge as large as they fit, some grey, some
//! with a dot. Returns the rows that do not fit. Its content is read during play, so figures are never smaller than the
//! minimum for that.

use std::sync::Arc;

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{SheetPen, box_style};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::scene::{Drawing, Paint, PaintStyle, Rect};

#[derive(Clone, Debug)]
pub enum SquareFace {
    /// A figure or a short word.
    Words(Arc<str>),
    /// A drawing.
    Icon(Arc<Drawing>),
}

#[derive(Clone, Debug)]
pub struct Square {
    pub face: SquareFace,
    /// Whether its background is grey.
    pub shaded: bool,
    /// Whether it has a dot in its upper right corner.
    pub dot: bool,
    /// The name of what its figure shows, for a sheet whose numbers explain themselves.
    pub shown_value: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
pub struct SquareGrid {
    /// From top to bottom.
    pub rows: Vec<Vec<Square>>,
    /// Preferred side, mm before large print; 0 for as large as they fit.
    pub preferred_side: f32,
}

/// A grid no taller than this is not begun where it does not fit, mm.
const MAX_KEPT_TOGETHER: f32 = 70.0;

impl SquareGrid {
    fn column_count(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }

    fn square_texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flatten().filter_map(|square| match &square.face {
            SquareFace::Words(words) => Some(&**words),
            SquareFace::Icon(_) => None,
        })
    }

    /// The side at which the widest word fits its square at the smallest size, mm.
    fn min_side(&self, styles: &TextStyles) -> f32 {
        let style = TextStyle { size: styles.minimums.text_size(0.0, TextRole::Play), ..styles.value };
        let widest = self.square_texts().map(|words| style.width(words)).fold(0.0, f32::max);
        (widest + 0.7).max(style.cap_height() + 1.2)
    }

    fn side(&self, width: f32, styles: &TextStyles) -> f32 {
        let widest = width / self.column_count() as f32;
        if self.preferred_side > 0.0 {
            widest.min((self.preferred_side * styles.minimums.scale).max(self.min_side(styles)))
        } else {
            widest
        }
    }

    /// The style in which every word fits a square of this side.
    fn text_style(&self, side: f32, styles: &TextStyles) -> TextStyle {
        let widest = self.square_texts().map(|words| styles.value.width(words)).fold(0.0, f32::max);
        let em = widest / styles.value.size.mm();
        let played = TextStyle {
            size: styles.minimums.shrink_to_width(styles.value.size, em, side - 1.0, TextRole::Play),
            ..styles.value
        };
        if em * played.size.mm() <= side - 0.4 {
            return played;
        }
        TextStyle { size: styles.minimums.shrink_to_width(played.size, em, side - 0.9, TextRole::Label), ..played }
    }
}

impl Flowable for SquareGrid {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let natural = self.side(width, styles);
        let least = self.min_side(styles).min(natural);
        let rows = self.rows.len() as f32;
        // A grid is read as a whole: unless very tall, it moves to another page rather than be split.
        let start = (least * rows).min((MAX_KEPT_TOGETHER * styles.minimums.scale).max(least));
        SizeHint { min_start: start, min: least * rows, natural: natural * rows, max: natural * rows }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let widest = self.side(rect.w, &styles);
        let least = self.min_side(&styles).min(widest);
        let side = (rect.h / self.rows.len().max(1) as f32).clamp(least, widest);
        let fits = (((rect.h + 0.01) / side).floor().max(1.0) as usize).min(self.rows.len());
        let rest = self.rows.split_off(fits);
        let style = self.text_style(side, &styles);
        let columns = self.column_count();
        let left = rect.x + (rect.w - columns as f32 * side) / 2.0;
        let at =
            |row: usize, column: usize| Rect::new(left + column as f32 * side, rect.y + row as f32 * side, side, side);
        let grey = PaintStyle { fill: Some(Paint::grey(222)), stroke: None };
        for (r, row) in self.rows.iter().enumerate() {
            for (c, _) in row.iter().enumerate().filter(|(_, square)| square.shaded) {
                pen.rect(at(r, c), 0.0, grey.clone(), None);
            }
        }
        let (wide, high) = (columns as f32 * side, self.rows.len() as f32 * side);
        let down = (1..columns).map(|c| left + c as f32 * side).map(|x| [x, rect.y, x, rect.y + high]);
        let across = (1..self.rows.len()).map(|r| rect.y + r as f32 * side).map(|y| [left, y, left + wide, y]);
        pen.lines(down.chain(across), THIN_LINE, RULE_INK);
        pen.rect(Rect::new(left, rect.y, wide, high), 0.0, box_style(), None);
        for (r, row) in self.rows.iter().enumerate() {
            for (c, square) in row.iter().enumerate() {
                let place = at(r, c);
                match &square.face {
                    SquareFace::Icon(drawing) => {
                        pen.rect(place, 0.0, box_style(), None);
                        pen.drawing(drawing, place.inset(LINE_WIDTH), None);
                    }
                    SquareFace::Words(words) if words.is_empty() => {}
                    SquareFace::Words(words) => {
                        let words = style.truncate(words, side - 0.2);
                        let mark = pen.value_mark(square.shown_value.as_ref());
                        pen.text_centred(&words, style, place.x + side / 2.0, place.y + side / 2.0, mark);
                    }
                }
                if square.dot {
                    let style = PaintStyle { fill: Some(INK), stroke: None };
                    pen.circle(place.right() - 0.6, place.y + 0.6, 0.32, style, None);
                }
            }
        }
        if rest.is_empty() { None } else { Some(Box::new(Self { rows: rest, preferred_side: self.preferred_side })) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_drawing::scene::Shape;

    fn squares(rows: usize, columns: usize, words: &str) -> SquareGrid {
        let square = || Square { face: SquareFace::Words(words.into()), shaded: true, dot: true, shown_value: None };
        SquareGrid { rows: (0..rows).map(|_| (0..columns).map(|_| square()).collect()).collect(), preferred_side: 0.0 }
    }

    /// Draws page after page; returns the size and rectangle of every word.
    fn drawn(squares: SquareGrid, rect: Rect) -> Vec<(f32, Rect)> {
        let styles = TextStyles::new(MinimumSizes::default());
        let mut left: Option<Box<dyn Flowable>> = Some(Box::new(squares));
        let mut words = Vec::new();
        for _ in 0..200 {
            let Some(content) = left.take() else { return words };
            let mut pen = SheetPen::new(styles, (0.0, 0.0));
            left = content.draw(rect, &mut pen);
            for item in &pen.items {
                if let Shape::Text(text) = &item.shape {
                    words.push((text.size, Rect::new(text.x, text.y, text.width(), 0.0)));
                }
            }
        }
        panic!("no end of pages");
    }

    #[test]
    fn every_square_is_drawn_on_some_page_and_its_figure_keeps_within_it() {
        for (rows, columns, rect) in [
            (19, 19, Rect::new(0.0, 0.0, 95.0, 95.0)),
            (11, 11, Rect::new(0.0, 0.0, 62.0, 40.0)),
            (40, 3, Rect::new(0.0, 0.0, 20.0, 30.0)),
        ] {
            let words = drawn(squares(rows, columns, "3/2"), rect);
            assert_eq!(words.len(), rows * columns);
            let side = rect.w / columns as f32;
            for (size, place) in words {
                assert!(size >= MinimumSizes::default().play_text - 0.001, "{size} mm in squares of {side}");
                assert!(place.w <= side - 0.3, "{place:?} in {side}");
            }
        }
    }

    #[test]
    fn a_grid_is_not_begun_where_it_does_not_fit() {
        let styles = TextStyles::new(MinimumSizes::default());
        let wants = squares(11, 11, "3/2").measure(62.0, &styles);
        assert!((wants.min_start - wants.min).abs() < 0.01 && wants.min_start > 50.0);
        let tall = squares(60, 11, "3/2").measure(62.0, &styles);
        assert!(tall.min_start < tall.min && tall.min_start <= MAX_KEPT_TOGETHER);
    }
}
