//! Lines to write on below cards that leave most of a page free: takes their places and the page, gives the items.

use crate::art::Anchor;
use crate::scene::{Rect, SceneItem};
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::page_setup::sheet_options::SheetOptions;

/// The lines are drawn if cards use less than this share of the height.
const MAX_USED: f32 = 0.55;
/// Between cards and the heading, and between lines, mm at normal size.
const GAP: f32 = 8.0;
const LINE: f32 = 8.0;

/// Nothing where the cards use most of the page.
pub fn lines_below_cards(cards: &[Rect], page: (f32, f32), options: &SheetOptions) -> Vec<SceneItem> {
    let mut printable = options.page_setup.printable_areas().into_iter();
    let Some(area) = printable.find(|printable| printable.page == page).map(|printable| printable.area) else {
        return Vec::new();
    };
    let used = cards.iter().map(Rect::bottom).fold(area.y, f32::max);
    if used - area.y > area.h * MAX_USED {
        return Vec::new();
    }
    let mut pen = SheetPen::from_options(options);
    let (title, scale) = (pen.styles.title, pen.styles.minimums.scale);
    let mut y = used + GAP + title.cap_height();
    pen.text("NOTES", title, area.x, y, Anchor::Start);
    y += 1.5;
    pen.rule(area.x, y, area.w, LINE_WIDTH * 1.4, INK);
    y += LINE * scale;
    let count = ((area.bottom() - y) / (LINE * scale)).floor().max(0.0) as u16;
    let line = |n: u16| {
        let y = y + f32::from(n) * LINE * scale;
        [area.x, y, area.right(), y]
    };
    pen.lines((0..=count).map(line), THIN_LINE, RULE_INK);
    pen.items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_below_the_cards_and_within_the_margins() {
        let options = SheetOptions::default();
        let page = (210.0, 297.0);
        let lines = lines_below_cards(&[Rect::new(8.0, 8.0, 94.0, 62.0)], page, &options);
        assert!(!lines.is_empty());
        assert!(lines_below_cards(&[Rect::new(8.0, 8.0, 94.0, 200.0)], page, &options).is_empty());
    }
}
