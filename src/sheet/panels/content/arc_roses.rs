//! Several arc roses in rows: takes a drawing and a name for each, returns those that do not fit.

use std::sync::Arc;

use crate::art::Anchor;
use crate::scene::{Drawing, Rect};
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;

#[derive(Clone, Debug)]
pub struct NamedRose {
    pub rose: Arc<Drawing>,
    /// Under the rose; empty for none.
    pub name: Arc<str>,
}

#[derive(Clone, Debug)]
pub struct ArcRoses {
    pub roses: Vec<NamedRose>,
    /// Preferred diameter, mm before large print.
    pub size: f32,
}

/// The smallest rose in which a sector can be told, mm.
pub const MIN_ROSE: f32 = 4.0;
/// Between a rose and its name, and between roses, mm.
const NAME_GAP: f32 = 0.9;
const GAP: f32 = 3.0;

impl ArcRoses {
    fn names_height(&self, styles: &TextStyles) -> f32 {
        let named = self.roses.iter().any(|one| !one.name.is_empty());
        if named { NAME_GAP + styles.label.line_height() } else { 0.0 }
    }

    /// Width of one rose with its name, and the number in a row.
    fn cells(&self, width: f32, side: f32, styles: &TextStyles) -> (f32, usize) {
        let names = self.roses.iter().map(|one| styles.label.width(&one.name)).fold(0.0, f32::max);
        let cell = side.max(names) + GAP;
        (cell, (((width + GAP) / cell).floor() as usize).clamp(1, self.roses.len().max(1)))
    }

    fn height(&self, width: f32, side: f32, styles: &TextStyles) -> f32 {
        let (_, columns) = self.cells(width, side, styles);
        let rows = self.roses.len().div_ceil(columns) as f32;
        rows * (side + self.names_height(styles)) + (rows - 1.0).max(0.0) * GAP * 0.6
    }

    fn preferred(&self, styles: &TextStyles) -> f32 {
        (self.size * styles.minimums.scale).max(MIN_ROSE * styles.minimums.scale)
    }
}

impl Flowable for ArcRoses {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let least = MIN_ROSE * styles.minimums.scale;
        let min = self.height(width, least, styles);
        let natural = self.height(width, self.preferred(styles).min(width.max(least)), styles).max(min);
        SizeHint { min_start: least + self.names_height(styles), min, natural, max: natural }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let least = MIN_ROSE * styles.minimums.scale;
        let mut side = self.preferred(&styles).min(rect.w.max(least));
        while side > least && self.height(rect.w, side, &styles) > rect.h + 0.01 {
            side = (side - 0.25).max(least);
        }
        let (cell, columns) = self.cells(rect.w, side, &styles);
        let step = side + self.names_height(&styles) + GAP * 0.6;
        let rows = ((rect.h + GAP * 0.6 + 0.01) / step).floor().max(0.0) as usize;
        let fits = (rows * columns).min(self.roses.len());
        for (n, one) in self.roses.iter().take(fits).enumerate() {
            let x = rect.x + (n % columns) as f32 * cell;
            let y = rect.y + (n / columns) as f32 * step;
            let middle = x + (cell - GAP) / 2.0;
            pen.drawing(&one.rose, Rect::new(middle - side / 2.0, y, side, side), None);
            let baseline = y + side + NAME_GAP + styles.label.size.mm() * 0.8;
            pen.text(&one.name, styles.label, middle, baseline, Anchor::Middle);
        }
        if fits >= self.roses.len() {
            None
        } else {
            Some(Box::new(Self { roses: self.roses[fits..].to_vec(), ..*self }))
        }
    }
}
