//! Maps of hexes or squares: takes a grid (`hex:25`, `square:20`) and the page setup, gives pages that continue one
//! another when they are cut along their frames.

use std::str::FromStr;

use crate::sheet::layout::minimum_sizes::{MinimumSizes, QUIET_INK, RULE_INK};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::PageSetup;
use crate::sheet::page_setup::paper::format_mm;
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Bookmark, Page, Paint, PaintStyle, Rect, Stroke};

/// The smallest and the largest cell, mm.
const CELL_SIZES: (f32, f32) = (5.0, 150.0);
/// The most pages on a side of a map.
const MAX_PAGES_ON_SIDE: u16 = 20;
/// Cells of fewer millimetres are not numbered: the number would fill them.
const MIN_NUMBERED_CELL: f32 = 10.0;
/// Lines of a grid: visible under counters, quiet beside them.
const GRID_INK: Paint = RULE_INK;
const GRID_LINE: f32 = 0.2;
const FRAME_LINE: f32 = 0.12;
/// Height of the line of text under a map, mm.
const FOOTER: f32 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// With two sides across the page; the size is from side to side, which is from middle to middle.
    Hex,
    Square,
}

/// A map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapGrid {
    /// Hexes or squares.
    pub cells: CellShape,
    /// From side to side, mm.
    pub size: f32,
    /// Pages across and down.
    pub pages: (u16, u16),
    /// Each cell has its column and row, counted from 1 over all pages.
    pub numbered: bool,
}

impl FromStr for MapGrid {
    type Err = String;

    /// `hex:25` or `square:20`: one page without numbers.
    fn from_str(text: &str) -> Result<Self, String> {
        let explain =
            || format!("expected hex:MM or square:MM with {} to {} mm, such as hex:25", CELL_SIZES.0, CELL_SIZES.1);
        let (shape, size) = text.trim().split_once(':').ok_or_else(explain)?;
        let cells = match shape.trim().to_ascii_lowercase().as_str() {
            "hex" | "hexes" => CellShape::Hex,
            "square" | "squares" => CellShape::Square,
            _ => return Err(explain()),
        };
        let size = size.trim().trim_end_matches("mm").trim_end().parse::<f32>().ok();
        let size = size.filter(|size| (CELL_SIZES.0..=CELL_SIZES.1).contains(size)).ok_or_else(explain)?;
        Ok(Self { cells, size, pages: (1, 1), numbered: false })
    }
}

/// `2x3`: pages across and down.
///
/// # Errors
/// Says what was expected.
pub fn parse_pages(text: &str) -> Result<(u16, u16), String> {
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|n| (1..=MAX_PAGES_ON_SIDE).contains(n));
    let pair = match text.split_once(['x', '×']) {
        Some((across, down)) => number(across).zip(number(down)),
        None => number(text).map(|down| (1, down)),
    };
    pair.ok_or_else(|| format!("expected pages across and down, each 1 to {MAX_PAGES_ON_SIDE}, such as 2x3"))
}

impl MapGrid {
    /// The distances of the middles of columns and rows, mm.
    fn steps(&self) -> (f32, f32) {
        match self.cells {
            CellShape::Hex => (self.size * 0.75_f32.sqrt(), self.size),
            CellShape::Square => (self.size, self.size),
        }
    }

    /// Whole columns and rows on a page. Hexes have an even number of columns, so that each page begins alike.
    fn cells_on_page(&self, area: &Rect) -> (u16, u16) {
        let (dx, dy) = self.steps();
        let count = |room: f32, step: f32| ((room + 0.01) / step).floor().clamp(0.0, 2_000.0) as u16;
        let (columns, rows) = (count(area.w, dx), count(area.h - FOOTER, dy));
        match self.cells {
            CellShape::Hex => (columns / 2 * 2, rows),
            CellShape::Square => (columns, rows),
        }
    }

    /// The pages of a map, row by row; none if the paper does not hold two cells by two.
    pub fn pages(&self, page_setup: &PageSetup, words: Option<&Words>) -> Vec<Page> {
        let [upright, turned] = page_setup.printable_areas();
        let held = |area: &Rect| {
            let (columns, rows) = self.cells_on_page(area);
            u32::from(columns) * u32::from(rows)
        };
        let paper = if held(&turned.area) > held(&upright.area) { turned } else { upright };
        let cells = self.cells_on_page(&paper.area);
        if cells.0 < 2 || cells.1 < 2 {
            return Vec::new();
        }
        let (dx, dy) = self.steps();
        let (width, height) = (f32::from(cells.0) * dx, f32::from(cells.1) * dy);
        let frame = Rect::new(paper.area.x + (paper.area.w - width) / 2.0, paper.area.y, width, height);
        let (across, down) = self.pages;
        let places = (0..down).flat_map(|row| (0..across).map(move |column| (column, row)));
        places
            .map(|place| {
                let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
                self.draw(frame, cells, place, words, &mut pen);
                let title = match self.pages {
                    (1, 1) => in_words(words, "map"),
                    _ => in_words(words, &format!("map, column {}, row {}", place.0 + 1, place.1 + 1)),
                };
                let bookmarks = vec![Bookmark { depth: 0, title }];
                Page { width: paper.page.0, height: paper.page.1, bookmarks, items: pen.finish(), ..Page::default() }
            })
            .collect()
    }

    fn draw(&self, frame: Rect, cells: (u16, u16), place: (u16, u16), words: Option<&Words>, pen: &mut SheetPen) {
        let lines = match self.cells {
            CellShape::Hex => self.hex_lines(frame, cells),
            CellShape::Square => self.square_lines(frame, cells),
        };
        pen.lines(lines.into_iter().filter_map(|line| clip(line, &frame)), GRID_LINE, GRID_INK);
        let style = PaintStyle { fill: None, stroke: Some(Stroke::new(QUIET_INK, FRAME_LINE)) };
        pen.rect(frame, 0.0, style, None);
        let label = pen.styles.small;
        if self.numbered && self.size >= MIN_NUMBERED_CELL {
            let digits = if self.columns(cells).max(self.rows(cells)) > 99 { 3 } else { 2 };
            for row in 0..cells.1 {
                for column in 0..cells.0 {
                    let (x, y) = self.middle(frame, column, row);
                    let at = y - self.size * 0.5 + label.cap_height() + 0.9;
                    // A hex that the frame cuts in half has its number on the page with its upper half.
                    if at < frame.bottom() - 0.7 {
                        let (across, along) = (place.0 * cells.0 + column + 1, place.1 * cells.1 + row + 1);
                        pen.text(&format!("{across:0digits$}{along:0digits$}"), label, x, at, Anchor::Middle);
                    }
                }
            }
        }
        let shape = if self.cells == CellShape::Hex { "hexes" } else { "squares" };
        let mut note = format!("{shape} of {} mm when printed at full size", format_mm(self.size));
        if self.pages != (1, 1) {
            note += &format!(" · column {}, row {}: cut along the frame", place.0 + 1, place.1 + 1);
        }
        pen.text(&in_words(words, &note), label, frame.x, frame.bottom() + 0.9 + label.cap_height(), Anchor::Start);
    }

    fn columns(&self, cells: (u16, u16)) -> u16 {
        cells.0 * self.pages.0
    }

    fn rows(&self, cells: (u16, u16)) -> u16 {
        cells.1 * self.pages.1
    }

    /// The middle of a cell; every second column of hexes is half a hex lower.
    fn middle(&self, frame: Rect, column: u16, row: u16) -> (f32, f32) {
        let (dx, dy) = self.steps();
        let lower = if self.cells == CellShape::Hex && column % 2 == 1 { 0.5 } else { 0.0 };
        (frame.x + (f32::from(column) + 0.5) * dx, frame.y + (f32::from(row) + 0.5 + lower) * dy)
    }

    /// Each side once: of every hex on the page and around it, the three sides at its upper left.
    fn hex_lines(&self, frame: Rect, cells: (u16, u16)) -> Vec<[f32; 4]> {
        let (dx, dy) = self.steps();
        // From the middle to a corner.
        let arm = self.size / 3.0_f32.sqrt();
        let mut lines = Vec::new();
        for column in -1..=i32::from(cells.0) {
            for row in -1..=i32::from(cells.1) {
                let lower = if column.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
                let x = frame.x + (column as f32 + 0.5) * dx;
                let y = frame.y + (row as f32 + 0.5 + lower) * dy;
                let (left, upper_left, upper_right) =
                    ((x - arm, y), (x - arm / 2.0, y - dy / 2.0), (x + arm / 2.0, y - dy / 2.0));
                let lower_left = (x - arm / 2.0, y + dy / 2.0);
                for (a, b) in [(lower_left, left), (left, upper_left), (upper_left, upper_right)] {
                    lines.push([a.0, a.1, b.0, b.1]);
                }
            }
        }
        lines
    }

    fn square_lines(&self, frame: Rect, cells: (u16, u16)) -> Vec<[f32; 4]> {
        let down = (1..cells.0).map(|n| frame.x + f32::from(n) * self.size);
        let across = (1..cells.1).map(|n| frame.y + f32::from(n) * self.size);
        down.map(|x| [x, frame.y, x, frame.bottom()]).chain(across.map(|y| [frame.x, y, frame.right(), y])).collect()
    }
}

/// The part of a line within a rectangle (Liang and Barsky); `None` if that is no longer than a tenth of a millimetre.
fn clip([ax, ay, bx, by]: [f32; 4], area: &Rect) -> Option<[f32; 4]> {
    let (dx, dy) = (bx - ax, by - ay);
    let (mut from, mut to) = (0.0_f32, 1.0_f32);
    for (step, room) in [(-dx, ax - area.x), (dx, area.right() - ax), (-dy, ay - area.y), (dy, area.bottom() - ay)] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            from = from.max(room / step);
        } else {
            to = to.min(room / step);
        }
    }
    let length = (to - from) * dx.hypot(dy);
    (to > from && length > 0.1).then_some([ax + from * dx, ay + from * dy, ax + to * dx, ay + to * dy])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::page_setup::paper::Paper;
    use moldloft_drawing::scene::{Segment, Shape};

    fn lines(page: &Page) -> Vec<[f32; 4]> {
        let paths = page.items.iter().filter_map(|item| match &item.shape {
            Shape::Path(path, _) => Some(path),
            _ => None,
        });
        let pairs = paths.flat_map(|path| path.segments.chunks(2));
        pairs
            .map(|pair| match pair {
                [Segment::Move(ax, ay), Segment::Line(bx, by)] => [*ax, *ay, *bx, *by],
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn words_say_the_grid() {
        assert_eq!("hex:25".parse(), Ok(MapGrid { cells: CellShape::Hex, size: 25.0, pages: (1, 1), numbered: false }));
        assert_eq!("Square: 20mm".parse::<MapGrid>().map(|map| (map.cells, map.size)), Ok((CellShape::Square, 20.0)));
        for wrong in ["hex", "hex:", "hex:0", "hex:nan", "hex:151", "round:25", ""] {
            assert!(wrong.parse::<MapGrid>().is_err(), "{wrong}");
        }
        assert_eq!((parse_pages("2x3"), parse_pages("4")), (Ok((2, 3)), Ok((1, 4))));
        for wrong in ["", "0x1", "1x21", "x", "2x3x4"] {
            assert!(parse_pages(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn cells_have_their_size_on_every_paper() {
        for paper in Paper::ALL {
            for (text, side) in [("hex:25", 25.0 / 3.0_f32.sqrt()), ("hex:40", 40.0 / 3.0_f32.sqrt())] {
                let map: MapGrid = text.parse().expect("a grid");
                let pages = map.pages(&paper.into(), None);
                let [page] = pages.as_slice() else { panic!("{} pages", pages.len()) };
                let lengths: Vec<f32> = lines(page).iter().map(|[ax, ay, bx, by]| (bx - ax).hypot(by - ay)).collect();
                assert!(lengths.iter().all(|length| *length < side + 0.01), "{paper}");
                let whole = lengths.iter().filter(|length| (**length - side).abs() < 0.01).count();
                assert!(whole > lengths.len() / 2, "{paper}: {whole} of {}", lengths.len());
            }
            let map: MapGrid = "square:20".parse().expect("a grid");
            let page = map.pages(&paper.into(), None).remove(0);
            let mut down: Vec<f32> =
                lines(&page).iter().filter(|line| line[0] == line[2]).map(|line| line[0]).collect();
            down.sort_by(f32::total_cmp);
            assert!(down.windows(2).all(|pair| (pair[1] - pair[0] - 20.0).abs() < 0.001), "{paper}");
        }
    }

    #[test]
    fn pages_continue_one_another() {
        let map = MapGrid { pages: (2, 2), numbered: true, ..MapGrid::from_str("hex:30").expect("a grid") };
        let pages = map.pages(&PageSetup::default(), None);
        assert_eq!(pages.len(), 4);
        let mut numbers = std::collections::BTreeSet::new();
        for page in &pages {
            for item in &page.items {
                if let Shape::Text(text) = &item.shape
                    && text.shaped.text.chars().all(|letter| letter.is_ascii_digit())
                {
                    assert!(numbers.insert(text.shaped.text.to_string()), "{} twice", text.shaped.text);
                }
            }
        }
        // What ends at the right frame of one page goes on at the left frame of the next.
        let frame_of = |page: &Page| {
            let rects = page.items.iter().find_map(|item| match &item.shape {
                Shape::Rect { rect, .. } => Some(*rect),
                _ => None,
            });
            rects.expect("a frame")
        };
        let (dx, dy) = map.steps();
        let frame = frame_of(&pages[0]);
        let (columns, rows) = ((frame.w / dx).round() as usize, (frame.h / dy).round() as usize);
        assert!(columns.is_multiple_of(2) && numbers.len() <= columns * rows * 4);
        assert!(numbers.contains("0101") && numbers.contains(&format!("{:02}{:02}", columns * 2 - 1, rows * 2)));
        let ends = |page: &Page, x: f32| {
            let points = lines(page).into_iter().flat_map(|[ax, ay, bx, by]| [(ax, ay), (bx, by)]);
            let mut at: Vec<i32> =
                points.filter(|(px, _)| (px - x).abs() < 0.01).map(|(_, y)| (y * 10.0).round() as i32).collect();
            at.sort_unstable();
            at.dedup();
            at
        };
        let (left, right) = (frame_of(&pages[1]).x, frame_of(&pages[0]).right());
        assert_eq!(ends(&pages[0], right), ends(&pages[1], left));
    }

    #[test]
    fn too_large_cells_give_no_page() {
        let map: MapGrid = "hex:150".parse().expect("a grid");
        assert!(map.pages(&Paper::A5.into(), None).is_empty());
    }
}
