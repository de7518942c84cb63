//! Places finished pages on the sheets of paper that go through the printer: takes pages, gives the pages of the file,
//! several per sheet with cut marks, second sides behind first ones, and the printer's faults corrected. Never lays out
//! content.

use rayon::prelude::*;

use crate::sheet::layout::minimum_sizes::{MinimumSizes, QUIET_INK};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::cut_marks::CutMarks;
use crate::sheet::page_setup::{DuplexEdge, NUpGrid, NUpOrder, PageSetup, nearest_position_within};
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Page, PageRole, Rect, SceneItem, Transform};

/// Gap between a cut mark and the print, and the mark's greatest length, mm.
const CUT_MARK_CLEARANCE: f32 = 1.5;
const CUT_MARK_LENGTH: f32 = 8.0;
/// Least gap between marks and the paper's edge, mm.
const PAPER_EDGE_CLEARANCE: f32 = 2.0;

/// The first side and, if there is one, the second.
type DuplexLeaf = (Page, Option<Page>);

/// Places pages on paper. `both_sides` means that the whole file is printed on both sides, so that every page with a
/// second side must begin a sheet of paper.
pub fn impose(pages: Vec<Page>, page_setup: &PageSetup, both_sides: bool, words: Option<&Words>) -> Vec<Page> {
    // Each with the place of its first page: sheets of several pages are where the first of those was.
    let mut leaves: Vec<(usize, u8, Vec<DuplexLeaf>)> = Vec::new();
    let mut sheets: Vec<(usize, Vec<Page>)> = Vec::new();
    let mut last = None;
    for (n, page) in pages.into_iter().enumerate() {
        match page.role {
            PageRole::NUp { up, .. } if up > 1 => {
                let group = leaves.iter().position(|(_, count, _)| *count == up).unwrap_or_else(|| {
                    leaves.push((n, up, Vec::new()));
                    leaves.len() - 1
                });
                match leaves[group].2.last_mut() {
                    Some((_, back)) if page_setup.two_sided && back.is_none() => *back = Some(page),
                    _ => leaves[group].2.push((page, None)),
                }
                last = Some(group);
            }
            PageRole::Back => match last.and_then(|group| leaves[group].2.last_mut()) {
                Some((_, back @ None)) => *back = Some(page),
                _ => sheets.push((n, vec![page])),
            },
            PageRole::Single | PageRole::NUp { .. } => {
                last = None;
                sheets.push((n, vec![page]));
            }
        }
    }
    for (n, up, leaves) in leaves {
        let mut imposed = Vec::new();
        impose_n_up(leaves, up, page_setup, &mut imposed);
        sheets.push((n, imposed));
    }
    sheets.sort_by_key(|(n, _)| *n);
    let out: Vec<Page> = sheets.into_iter().flat_map(|(_, pages)| pages).collect();
    let mut out = if both_sides { align_duplex_sheets(out, words) } else { out };
    out.par_iter_mut().for_each(|page| apply_printer_setup(page, page_setup));
    out
}

/// Places pages beside each other, sheet after sheet.
fn impose_n_up(leaves: Vec<DuplexLeaf>, up: u8, page_setup: &PageSetup, out: &mut Vec<Page>) {
    let up = usize::from(up);
    let sheets = leaves.len().div_ceil(up);
    let mut places: Vec<Vec<(usize, DuplexLeaf)>> = (0..sheets).map(|_| Vec::with_capacity(up)).collect();
    for (n, leaf) in leaves.into_iter().enumerate() {
        let (sheet, place) = match page_setup.sequence {
            NUpOrder::Reading => (n / up, n % up),
            NUpOrder::Stacks => (n % sheets, n / sheets),
        };
        places[sheet].push((place, leaf));
    }
    for leaves in places {
        let Some(grid) =
            leaves.first().map(|(_, (page, _))| page_setup.grid_for_sheet_size(up as u8, (page.width, page.height)))
        else {
            continue;
        };
        let (mut front, mut back) = (blank_sheet(&grid), blank_sheet(&grid));
        let mut bodies = Vec::with_capacity(up);
        let mut two = false;
        for (place, (first, second)) in leaves {
            bodies.push(place_side(first, &grid, place, false, &mut front));
            if let Some(second) = second {
                two = true;
                place_side(second, &grid, place, true, &mut back);
            }
        }
        front.items.extend(cut_marks(&grid, &bodies));
        out.push(front);
        if two {
            out.push(Page { role: PageRole::Back, ..back });
        }
    }
}

fn blank_sheet(grid: &NUpGrid) -> Page {
    Page { width: grid.page.0, height: grid.page.1, ..Page::default() }
}

/// Puts one side of a page on its sheet; a second side goes behind the first, as seen when the sheet is turned like a
/// page of a book. Returns the area that is printed on.
fn place_side(mut page: Page, grid: &NUpGrid, place: usize, behind: bool, onto: &mut Page) -> Rect {
    let across = usize::from(grid.across.max(1));
    let place = if behind { place / across * across + (across - 1 - place % across) } else { place };
    let (x, y) = grid.cell_corner(place);
    let body = match page.role {
        PageRole::NUp { body, .. } => body,
        _ => Rect::new(0.0, 0.0, page.width, page.height),
    };
    // Margins are wider at the paper's edge than along a cut.
    let (near, down) = nearest_position_within(&grid.cell_area(place), (body.x, body.y), (body.w, body.h));
    let by = Transform::translate(x + near - body.x, y + down - body.y);
    onto.bookmarks.append(&mut page.bookmarks);
    let (items, folded) = take_transformed_items(&mut page, &by);
    onto.push_items(items, folded);
    onto.mount_areas.append(&mut page.mount_areas);
    by.bounding_rect(&body)
}

/// Marks where the sheets are cut apart, never across a sheet.
fn cut_marks(grid: &NUpGrid, bodies: &[Rect]) -> Option<SceneItem> {
    let (width, height) = grid.page;
    let mut marks = CutMarks::new();
    let mut line = |along: bool, at: f32, from: f32, to: f32| {
        if to - from > 0.8 {
            let point = |way: f32| if along { (at, way) } else { (way, at) };
            marks.line(point(from), point(to));
        }
    };
    let first = |near: fn(&Rect) -> f32| bodies.iter().map(near).fold(f32::MAX, f32::min) - CUT_MARK_CLEARANCE;
    let last = |far: fn(&Rect) -> f32| bodies.iter().map(far).fold(0.0, f32::max) + CUT_MARK_CLEARANCE;
    let (top, bottom) = (first(|body| body.y), last(Rect::bottom));
    let (left, right) = (first(|body| body.x), last(Rect::right));
    let (cell_w, cell_h) = grid.cell_size();
    for n in 1..grid.across {
        let x = f32::from(n) * cell_w;
        line(true, x, (top - CUT_MARK_LENGTH).max(PAPER_EDGE_CLEARANCE), top);
        line(true, x, bottom, (bottom + CUT_MARK_LENGTH).min(height - PAPER_EDGE_CLEARANCE));
    }
    for n in 1..grid.down {
        let y = f32::from(n) * cell_h;
        line(false, y, (left - CUT_MARK_LENGTH).max(PAPER_EDGE_CLEARANCE), left);
        line(false, y, right, (right + CUT_MARK_LENGTH).min(width - PAPER_EDGE_CLEARANCE));
        for n in 1..grid.across {
            let x = f32::from(n) * cell_w;
            line(false, y, x - 2.0, x + 2.0);
            line(true, x, y - 2.0, y + 2.0);
        }
    }
    marks.into_item()
}

/// Adds empty pages so that every page with a second side begins a sheet of paper.
fn align_duplex_sheets(pages: Vec<Page>, words: Option<&Words>) -> Vec<Page> {
    let mut out: Vec<Page> = Vec::with_capacity(pages.len());
    let mut pages = pages.into_iter().peekable();
    while let Some(page) = pages.next() {
        let opens = page.role != PageRole::Back && pages.peek().is_some_and(|next| next.role == PageRole::Back);
        if opens && out.len() % 2 == 1 {
            out.push(filler_page(&page, words));
        }
        out.push(page);
    }
    out
}

/// An empty page that is not quite blank, since some printers skip blank pages.
fn filler_page(like: &Page, words: Option<&Words>) -> Page {
    let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
    let style = pen.styles.small.with_paint(QUIET_INK);
    let words = in_words(words, "this side is blank, so that the next backs match their fronts");
    pen.text(&words, style, like.width / 2.0, like.height - 15.0, Anchor::Middle);
    Page { width: like.width, height: like.height, items: pen.items, ..Page::default() }
}

/// Turns second sides as the printer turns the paper, and corrects the printer's faults.
fn apply_printer_setup(page: &mut Page, page_setup: &PageSetup) {
    let (mut width, mut height) = (page.width, page.height);
    let mut by = Transform::IDENTITY;
    if page.role == PageRole::Back && !flips_about_vertical_axis(page, page_setup.turn) {
        by = Transform { m: [-1.0, 0.0, 0.0, -1.0, width, height] };
    }
    if let Some(correction) = page_setup.printer_scale {
        if width > height {
            // The printer's right and down are measured on upright paper: the top of a landscape page goes to the left.
            by = Transform { m: [0.0, -1.0, 1.0, 0.0, 0.0, width] }.then_inner(&by);
            (width, height) = (height, width);
        }
        // Scales about the middle, so that second sides stay behind their firsts and the printer's shift of the middle
        // is its offset.
        let (sx, sy) = correction.scale;
        let about = Transform { m: [sx, 0.0, 0.0, sy, width / 2.0 * (1.0 - sx), height / 2.0 * (1.0 - sy)] };
        by = about.then_inner(&by);
    }
    if page.role == PageRole::Back {
        by = Transform::translate(page_setup.offset.0, page_setup.offset.1).then_inner(&by);
    }
    (page.width, page.height) = (width, height);
    if by != Transform::IDENTITY {
        let (items, folded) = take_transformed_items(page, &by);
        page.push_items(items, folded);
    }
}

/// Takes a page's items and applies a transform to them. The flag is true if they were stored packed.
fn take_transformed_items(page: &mut Page, by: &Transform) -> (Vec<SceneItem>, bool) {
    let folded = !page.compact.is_empty();
    page.mount_areas.iter_mut().for_each(|area| area.rect = by.bounding_rect(&area.rect));
    page.expand_items();
    let mut items = std::mem::take(&mut page.items);
    items.iter_mut().for_each(|item| item.transform(by));
    (items, folded)
}

/// Whether the printer turns a page over about its vertical middle line: then the second side is the same way up as the
/// first.
fn flips_about_vertical_axis(page: &Page, turn: DuplexEdge) -> bool {
    (turn == DuplexEdge::Long) == (page.width <= page.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card, a quarter sheet with what did not fit on it, and the next card with its own.
    #[test]
    fn what_goes_on_overleaf_does_not_come_first() {
        let page = |name: &str, role: PageRole, (width, height): (f32, f32)| Page {
            width,
            height,
            role,
            bookmarks: vec![name.to_owned().into()],
            ..Page::default()
        };
        let small = (94.0, 62.0);
        let quarter = || PageRole::NUp { up: 4, body: Rect::new(0.0, 0.0, small.0, small.1) };
        let pages = vec![
            page("first", PageRole::Single, (210.0, 297.0)),
            page("more", quarter(), small),
            page("second", PageRole::Single, (210.0, 297.0)),
            page("more of it", quarter(), small),
        ];
        let imposed = impose(pages, &PageSetup::default(), false, None);
        let order: Vec<Vec<&str>> =
            imposed.iter().map(|page| page.bookmarks.iter().map(|mark| &*mark.title).collect()).collect();
        assert_eq!(order, [vec!["first"], vec!["more", "more of it"], vec!["second"]]);
    }
}
