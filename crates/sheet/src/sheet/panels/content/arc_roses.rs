//! Several arc roses in rows: takes a drawing and a name for each, returns those that do not fit.

use std::sync::Arc;

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_base::finding::Finding;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Drawing, Rect};

#[derive(Clone, Debug)]
pub struct NamedRose {
    pub rose: Arc<Drawing>,
    /// Under the rose; empty for none.
    pub name: Arc<str>,
}

/// Arcs that nothing can be drawn of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadArcs {
    pub name: Arc<str>,
    pub text: Arc<str>,
}

impl UnreadArcs {
    fn line(&self) -> String {
        format!("{}: {}", self.name, self.text)
    }
}

#[derive(Clone, Debug)]
pub struct ArcRoses {
    pub roses: Vec<NamedRose>,
    /// Written in lines over the roses, and reported.
    pub unread: Vec<UnreadArcs>,
    /// Preferred diameter, mm before large print.
    pub size: f32,
}

/// The smallest rose in which a sector can be recognised, mm.
pub const MIN_ROSE: f32 = 4.0;
/// Between a rose and its name, and between roses, mm.
const NAME_GAP: f32 = 0.9;
const GAP: f32 = 3.0;
/// Names are broken to this width, mm before large print.
const MAX_NAME: f32 = 18.0;

impl ArcRoses {
    /// Lines of the longest name, when broken to a width.
    fn names_height(&self, width: f32, styles: &TextStyles) -> f32 {
        let named = self.roses.iter().filter(|one| !one.name.is_empty());
        let lines = named.map(|one| styles.small.wrap(&one.name, width).len()).max().unwrap_or(0);
        if lines > 0 { NAME_GAP + lines as f32 * styles.small.line_height() } else { 0.0 }
    }

    /// Width of one rose with its name, and the number in a row.
    fn cells(&self, width: f32, side: f32, styles: &TextStyles) -> (f32, usize) {
        let names = self.roses.iter().map(|one| styles.small.width(&one.name)).fold(0.0, f32::max);
        let most = (MAX_NAME * styles.minimums.scale).max(side * 1.6);
        let cell = side.max(names.min(most) + 0.1).min(width.max(1.0)) + GAP;
        (cell, (((width + GAP + 0.01) / cell).floor() as usize).clamp(1, self.roses.len().max(1)))
    }

    /// The lines of what cannot be drawn, with the gap below them.
    fn unread_lines(&self, width: f32, styles: &TextStyles) -> (Vec<String>, f32) {
        let lines: Vec<String> = self.unread.iter().flat_map(|one| styles.small.wrap(&one.line(), width)).collect();
        let height = lines.len() as f32 * styles.small.line_height();
        let gap = if lines.is_empty() || self.roses.is_empty() { 0.0 } else { NAME_GAP };
        (lines, height + gap)
    }

    fn height(&self, width: f32, side: f32, styles: &TextStyles) -> f32 {
        let unread = self.unread_lines(width, styles).1;
        if self.roses.is_empty() {
            return unread;
        }
        let (cell, columns) = self.cells(width, side, styles);
        let rows = self.roses.len().div_ceil(columns) as f32;
        unread + rows * (side + self.names_height(cell - GAP, styles)) + (rows - 1.0).max(0.0) * GAP * 0.6
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
        let (cell, _) = self.cells(width, least, styles);
        let unread = self.unread_lines(width, styles).1;
        SizeHint {
            min_start: unread + if self.roses.is_empty() { 0.0 } else { least + self.names_height(cell - GAP, styles) },
            min,
            natural,
            max: natural,
        }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let least = MIN_ROSE * styles.minimums.scale;
        let mut side = self.preferred(&styles).min(rect.w.max(least));
        while side > least && self.height(rect.w, side, &styles) > rect.h + 0.01 {
            side = (side - 0.25).max(least);
        }
        let (lines, unread) = self.unread_lines(rect.w, &styles);
        for (n, line) in lines.iter().enumerate() {
            let baseline = rect.y + n as f32 * styles.small.line_height() + styles.small.size.mm() * 0.8;
            pen.text(line, styles.small, rect.x, baseline, Anchor::Start);
        }
        pen.findings.extend(self.unread.iter().map(|one| {
            let message = format!("cannot draw the arcs of {}: {}", one.name, one.text);
            let help =
                "write arcs such as `forward 120°`, `port` or `300-60`, or declare the word in `sectors` of the panel";
            Finding::warning("arcs-not-drawn", message).help(help)
        }));
        let rect = Rect { y: rect.y + unread, h: rect.h - unread, ..rect };
        let (cell, columns) = self.cells(rect.w, side, &styles);
        let step = side + self.names_height(cell - GAP, &styles) + GAP * 0.6;
        let rows = ((rect.h + GAP * 0.6 + 0.01) / step).floor().max(0.0) as usize;
        let fits = (rows * columns).min(self.roses.len());
        for (n, one) in self.roses.iter().take(fits).enumerate() {
            let x = rect.x + (n % columns) as f32 * cell;
            let y = rect.y + (n / columns) as f32 * step;
            let middle = x + (cell - GAP) / 2.0;
            pen.drawing(&one.rose, Rect::new(middle - side / 2.0, y, side, side), None);
            let baseline = y + side + NAME_GAP + styles.small.size.mm() * 0.8;
            for (line, words) in styles.small.wrap(&one.name, cell - GAP).iter().enumerate() {
                let y = baseline + line as f32 * styles.small.line_height();
                pen.text(words, styles.small, middle, y, Anchor::Middle);
            }
        }
        if fits >= self.roses.len() {
            None
        } else {
            Some(Box::new(Self { roses: self.roses[fits..].to_vec(), unread: Vec::new(), ..*self }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_drawing::scene::Shape;

    #[test]
    fn roses_stay_in_their_width_and_the_rest_is_kept() {
        let styles = TextStyles::new(MinimumSizes::default());
        let rose = Arc::new(Drawing { width: 10.0, height: 10.0, ..Drawing::default() });
        let name = |n: usize| format!("counter-missile launcher number {n}").into();
        let roses: Vec<NamedRose> = (0..7).map(|n| NamedRose { rose: Arc::clone(&rose), name: name(n) }).collect();
        for (width, height) in [(12.0, 60.0), (60.0, 40.0), (190.0, 20.0)] {
            let content = ArcRoses { roses: roses.clone(), unread: Vec::new(), size: 9.0 };
            let hint = content.measure(width, &styles);
            assert!(hint.min <= hint.natural && hint.min_start <= hint.min + 0.01, "{hint:?}");
            let mut pen = SheetPen::new(styles, (0.0, 0.0));
            let rest = Box::new(content).draw(Rect::new(0.0, 0.0, width, height), &mut pen);
            let drawn = pen.items.iter().filter(|item| matches!(item.shape, Shape::Use { .. })).count();
            assert_eq!(drawn == 7, rest.is_none(), "{width}");
            for item in &pen.items {
                let (left, right) = match &item.shape {
                    Shape::Use { transform, .. } => (transform.m[4], transform.m[4] + 10.0 * transform.m[0]),
                    Shape::Text(text) => (text.x, text.x + text.width()),
                    other => panic!("{other:?}"),
                };
                assert!(left > -0.1 && right < width + 0.1, "{left} {right} of {width}");
            }
        }
    }
}
