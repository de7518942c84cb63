//! How pages are placed on paper: takes sizes and the settings for paper, margins, sheets per page, second sides and
//! the printer's correction, gives positions. The command line, printing and the editor all use it. Never draws.

pub mod calibration;
pub mod card_packing;
pub mod cut_marks;
pub mod impose;
pub mod paper;
pub mod ruler;
pub mod sheet_options;
pub mod sheet_placement;

use serde::{Deserialize, Serialize};

use self::paper::{FULL_SHEET_AREA, Margins, Paper};
use moldloft_drawing::scene::Rect;

/// How pages are placed on paper; by default on A4, as many full sheets per page as fit at full size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct PageSetup {
    /// The size of the paper.
    pub paper: Paper,
    /// Margins, mm. `None`: the default ones, except for sheets drawn with margins of their own, which keep those.
    pub margins: Option<Margins>,
    /// Full sheets per page.
    pub up: NUp,
    /// Their order, if there are several per page.
    pub sequence: NUpOrder,
    /// Whether several full sheets per page are printed on both sides.
    pub two_sided: bool,
    /// The edge along which the printer turns the paper for the second side.
    pub turn: DuplexEdge,
    /// Shift of second sides, mm to the right and down, at most 20 either way.
    pub offset: (f32, f32),
    /// The correction for a measured printer.
    #[serde(skip)]
    pub printer_scale: Option<PrinterScale>,
}

moldloft_base::setters! {
    PageSetup {
        paper: Paper,
        margins: Option<Margins>,
        up: NUp,
        sequence: NUpOrder,
        two_sided: bool,
        turn: DuplexEdge,
        offset: (f32, f32),
        printer_scale: Option<PrinterScale>,
    }
}

impl From<Paper> for PageSetup {
    fn from(paper: Paper) -> Self {
        Self { paper, ..Self::default() }
    }
}

/// How many full sheets are on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NUp {
    /// As many as the paper holds at their true size.
    #[default]
    Auto,
    /// One sheet.
    One,
    /// Two, scaled down if necessary.
    Two,
    /// Four, scaled down if necessary.
    Four,
}

/// The order of several sheets on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NUpOrder {
    /// In reading order: the second beside the first.
    #[default]
    Reading,
    /// So that the stack, once cut, gives piles to be put on top of each other.
    Stacks,
}

/// How the printer turns the paper for the second side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DuplexEdge {
    /// Over the long edge.
    #[default]
    Long,
    /// Over the short edge.
    Short,
}

impl DuplexEdge {
    /// `long edge`.
    pub const fn edge_name(self) -> &'static str {
        match self {
            Self::Long => "long edge",
            Self::Short => "short edge",
        }
    }
}

/// The correction of a printer's faults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrinterScale {
    /// The factors for width and height that make pages come out at their size.
    pub scale: (f32, f32),
}

/// A paper in one orientation, and the part of it that may be printed on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintableArea {
    /// Width and height, mm.
    pub page: (f32, f32),
    /// The area between the margins.
    pub area: Rect,
}

/// The full sheets on one side of a paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NUpGrid {
    /// Width and height of the paper, mm.
    pub page: (f32, f32),
    pub across: u8,
    pub down: u8,
    margins: Margins,
}

/// Kept free along a cut between two sheets for its mark, mm.
const CUT_MARGIN: f32 = 5.0;
/// Kept free below a scaled sheet for the ruler and its caption, mm.
pub const REDUCED_FOOTER_HEIGHT: f32 = 6.5;
/// Greatest factor for letters and boxes, from large print and scaling together: beyond it, texts have no room beside
/// each other.
pub const MAX_ENLARGEMENT: f32 = 1.46;

impl NUpGrid {
    pub fn count(&self) -> u8 {
        self.across * self.down
    }

    pub fn cell_size(&self) -> (f32, f32) {
        (self.page.0 / f32::from(self.across), self.page.1 / f32::from(self.down))
    }

    /// The upper left corner of a cell, counted in rows from the top left.
    pub fn cell_corner(&self, place: usize) -> (f32, f32) {
        let (w, h) = self.cell_size();
        let across = usize::from(self.across.max(1));
        ((place % across) as f32 * w, (place / across) as f32 * h)
    }

    /// The printable area of a cell, relative to the cell's corner.
    pub fn cell_area(&self, place: usize) -> Rect {
        let (w, h) = self.cell_size();
        let across = usize::from(self.across.max(1));
        let (column, row) = (place % across, place / across);
        let side = |edge: bool, margin: f32| if edge { margin } else { CUT_MARGIN };
        let left = side(column == 0, self.margins.left);
        let right = side(column + 1 == across, self.margins.right);
        let top = side(row == 0, self.margins.top);
        let bottom = side(row + 1 == usize::from(self.down), self.margins.bottom);
        Rect::new(left, top, (w - left - right).max(0.0), (h - top - bottom).max(0.0))
    }

    /// Width and height that every cell offers.
    pub fn smallest_cell_area(&self) -> (f32, f32) {
        let areas = (0..usize::from(self.count())).map(|place| self.cell_area(place));
        areas.fold((f32::MAX, f32::MAX), |least, area| (least.0.min(area.w), least.1.min(area.h)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub grid: NUpGrid,
    /// The scale of the sheet; 1 at true size.
    pub scale: f32,
}

impl Placement {
    /// Height of the ruler and its caption below a scaled sheet, mm.
    pub fn footer_height(&self) -> f32 {
        if self.scale == 1.0 { 0.0 } else { REDUCED_FOOTER_HEIGHT }
    }

    /// The corner of a scaled sheet in its cell; `size` is that before scaling, mm.
    pub fn origin(&self, size: (f32, f32)) -> (f32, f32) {
        let (w, h) = self.grid.cell_size();
        let (width, height) = (size.0 * self.scale, size.1 * self.scale);
        let foot = self.footer_height();
        nearest_position_within(
            &self.grid.cell_area(0),
            ((w - width) / 2.0, (h - height - foot) / 2.0),
            (width, height + foot),
        )
    }
}

/// The position nearest to the requested one at which something of a size is within an area; unchanged if there is no
/// room.
pub fn nearest_position_within(area: &Rect, (x, y): (f32, f32), (w, h): (f32, f32)) -> (f32, f32) {
    let side = |at: f32, size: f32, from: f32, room: f32| {
        if size > room + 0.05 { at } else { at.clamp(from, (from + room - size).max(from)) }
    };
    (side(x, w, area.x, area.w), side(y, h, area.y, area.h))
}

impl PageSetup {
    /// Default margins, mm: what printers leave white on large and on small paper.
    pub fn default_margins(paper: Paper) -> Margins {
        let (w, h) = paper.size();
        Margins::all(if w.min(h) < 200.0 { 5.0 } else { 8.0 })
    }

    /// The margins on upright paper.
    pub fn effective_margins(&self) -> Margins {
        self.margins.map_or_else(|| Self::default_margins(self.paper), Margins::clamped)
    }

    /// The paper upright, and turned by a quarter.
    pub fn printable_areas(&self) -> [PrintableArea; 2] {
        let (w, h) = self.paper.size();
        [((w, h), self.effective_margins()), ((h, w), self.effective_margins().rotated())].map(|(page, margins)| {
            let Margins { top, right, bottom, left } = margins;
            let area = Rect::new(left, top, (page.0 - left - right).max(0.0), (page.1 - top - bottom).max(0.0));
            PrintableArea { page, area }
        })
    }

    /// The part of an area that a card of a size may use, if any: between the margins, or the whole page if the card
    /// has margins of its own.
    pub fn card_area(&self, printable: &PrintableArea, size: (f32, f32)) -> Option<Rect> {
        let fits = |w: f32, h: f32| size.0 <= w + 0.05 && size.1 <= h + 0.05;
        if fits(printable.area.w, printable.area.h) {
            return Some(printable.area);
        }
        let whole = self.has_own_margins(size) && fits(printable.page.0, printable.page.1);
        whole.then(|| Rect::new(0.0, 0.0, printable.page.0, printable.page.1))
    }

    /// `up` cells on a paper, for sheets of a size.
    pub fn grid_for_sheet_size(&self, up: u8, size: (f32, f32)) -> NUpGrid {
        let alike =
            |grid: &NUpGrid| (grid.cell_size().0 - size.0).abs() < 0.01 && (grid.cell_size().1 - size.1).abs() < 0.01;
        let turned = self.grid(up, true);
        if alike(&turned) { turned } else { self.grid(up, false) }
    }

    fn grid(&self, up: u8, turned: bool) -> NUpGrid {
        let (w, h) = self.paper.size();
        let margins = self.effective_margins();
        let (page, margins) = if turned { ((h, w), margins.rotated()) } else { ((w, h), margins) };
        let (across, down) = match up {
            2 if page.0 >= page.1 => (2, 1),
            2 => (1, 2),
            4 => (2, 2),
            _ => (1, 1),
        };
        NUpGrid { page, across, down, margins }
    }

    /// Whether something is drawn for the whole paper with margins of its own, and no others were requested.
    fn has_own_margins(&self, (w, h): (f32, f32)) -> bool {
        let (short, long) = (w.min(h), w.max(h));
        self.margins.is_none() && (short > FULL_SHEET_AREA.0 + 0.5 || long > FULL_SHEET_AREA.1 + 0.5)
    }

    /// The scale of a sheet of a size in such cells.
    fn scale_in_grid(&self, grid: &NUpGrid, size: (f32, f32)) -> f32 {
        let (w, h) = grid.smallest_cell_area();
        let (cw, ch) = grid.cell_size();
        let own = self.has_own_margins(size) && size.0 <= cw + 0.05 && size.1 <= ch + 0.05;
        if own || (size.0 <= w + 0.05 && size.1 <= h + 0.05) {
            return 1.0;
        }
        (w / size.0.max(1.0)).min((h - REDUCED_FOOTER_HEIGHT) / size.1.max(1.0)).clamp(0.01, 1.0)
    }

    /// How many times as large a sheet of a size could be in such cells, with a ruler below it.
    pub fn enlargement(grid: &NUpGrid, size: (f32, f32)) -> f32 {
        let (w, h) = grid.smallest_cell_area();
        (w / size.0.max(1.0)).min((h - REDUCED_FOOTER_HEIGHT) / size.1.max(1.0))
    }

    /// How a full sheet of a size is placed: as many per page as requested, the paper in the orientation that makes
    /// them largest.
    pub fn placement(&self, size: (f32, f32)) -> Placement {
        let best = |up: u8| {
            let [upright, turned] = [false, true].map(|turned| {
                let grid = self.grid(up, turned);
                Placement { grid, scale: self.scale_in_grid(&grid, size) }
            });
            if turned.scale > upright.scale { turned } else { upright }
        };
        match self.up {
            NUp::One => best(1),
            NUp::Two => best(2),
            NUp::Four => best(4),
            // Paper that is only a little larger than a sheet is not cut for it.
            NUp::Auto => [4, 2].map(best).into_iter().find(|fit| fit.scale >= 1.0).unwrap_or_else(|| best(1)),
        }
    }

    /// Whether there are several full sheets of the usual size on a page.
    pub fn is_n_up(&self) -> bool {
        self.placement(FULL_SHEET_AREA).grid.count() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(paper: Paper, margins: Option<f32>, up: NUp) -> Placement {
        PageSetup { margins: margins.map(Margins::all), up, ..paper.into() }.placement(FULL_SHEET_AREA)
    }

    #[test]
    fn full_sheets_keep_their_size_where_there_is_room() {
        for (paper, count, page) in [
            (Paper::A4, 1, (210.0, 297.0)),
            (Paper::Letter, 1, (215.9, 279.4)),
            (Paper::Legal, 1, (215.9, 355.6)),
            (Paper::A3, 2, (420.0, 297.0)),
            (Paper::Tabloid, 2, (431.8, 279.4)),
            ("420x594mm".parse().unwrap(), 4, (420.0, 594.0)),
            // Landscape sizes are turned upright.
            ("297x210mm".parse().unwrap(), 1, (210.0, 297.0)),
        ] {
            let fit = fit(paper, None, NUp::Auto);
            assert_eq!((fit.scale, fit.grid.count(), fit.grid.page), (1.0, count, page), "{paper}");
        }
        assert_eq!(fit(Paper::A3, None, NUp::One).grid.count(), 1);
        let a5 = fit(Paper::A5, None, NUp::Auto);
        assert!(a5.scale > 0.71 && a5.scale < 0.712, "{}", a5.scale);
        let two = fit(Paper::A4, None, NUp::Two);
        assert_eq!((two.grid.page, two.grid.cell_size()), ((297.0, 210.0), (148.5, 210.0)));
        assert!(two.scale > 0.69 && two.scale < 0.72, "{}", two.scale);
    }

    #[test]
    fn margins_move_a_sheet_before_they_make_it_smaller() {
        let page_setup = PageSetup {
            margins: Some(Margins { top: 5.0, right: 5.0, bottom: 20.0, left: 10.0 }),
            ..PageSetup::default()
        };
        let fit = page_setup.placement(FULL_SHEET_AREA);
        assert_eq!(fit.scale, 1.0);
        assert_eq!(fit.origin(FULL_SHEET_AREA), (10.0, 297.0 - 20.0 - 263.0));
        let fit = PageSetup { margins: Some(Margins::all(12.0)), ..PageSetup::default() }.placement(FULL_SHEET_AREA);
        assert!((fit.scale - 186.0 / 194.0).abs() < 1e-4);
        let (x, y) = fit.origin(FULL_SHEET_AREA);
        assert!((x - 12.0).abs() < 1e-3 && y >= 12.0);
        // A template with margins of its own keeps them, unless others are requested.
        assert_eq!(PageSetup::default().placement((210.0, 279.4)).scale, 1.0);
        assert!(
            PageSetup { margins: Some(Margins::all(8.0)), ..PageSetup::default() }.placement((210.0, 279.4)).scale
                < 0.93
        );
    }

    #[test]
    fn cells_keep_clear_of_the_papers_edges_and_of_cuts() {
        let fit = PageSetup { margins: Some(Margins::all(10.0)), up: NUp::Two, ..Paper::A3.into() }
            .placement(FULL_SHEET_AREA);
        assert_eq!(fit.grid.cell_area(0), Rect::new(10.0, 10.0, 195.0, 277.0));
        assert_eq!(fit.grid.cell_area(1), Rect::new(5.0, 10.0, 195.0, 277.0));
        assert_eq!((fit.scale, fit.grid.cell_corner(1)), (1.0, (210.0, 0.0)));
    }
}
