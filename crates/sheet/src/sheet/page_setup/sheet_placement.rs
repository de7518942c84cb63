//! A page that holds one full sheet: takes the page setup and the sheet's size, gives position and scale. A sheet to be
//! scaled down is laid out with everything larger, so that boxes and letters never come out below their minimum sizes.

use super::paper::format_mm;
use super::ruler;
use crate::sheet::assembly::page_flow::PageFlow;
use crate::sheet::assembly::ship_pages::PageFrame;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextRole;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use crate::sheet::page_setup::{MAX_ENLARGEMENT, PageSetup, Placement, REDUCED_FOOTER_HEIGHT};
use moldloft_base::finding::Finding;
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::scene::{Page, PageRole, Rect, SceneItem, Transform};

#[derive(Clone, Copy, Debug)]
pub struct SheetPlacement {
    pub placement: Placement,
    /// Size of the sheet before scaling, mm.
    pub size: (f32, f32),
}

impl SheetPlacement {
    pub fn new(page_setup: &PageSetup, size: (f32, f32)) -> Self {
        Self { placement: page_setup.placement(size), size }
    }

    /// Makes a page that flows as high as its cell.
    pub fn fill_height(&mut self, flow: Option<&PageFlow>) {
        let Some(flow) = flow else { return };
        let room = (self.placement.grid.smallest_cell_area().1 - self.placement.footer_height()) / self.placement.scale;
        self.size.1 = flow.page_height(room);
    }

    /// Where the sheet's corner is on the page.
    pub fn origin(&self) -> (f32, f32) {
        self.placement.origin(self.size)
    }

    /// The same position before scaling.
    pub fn before_scaling(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (x / self.placement.scale, y / self.placement.scale)
    }

    pub fn page_frame(&self, minimums: MinimumSizes) -> PageFrame {
        let styles = TextStyles::new(minimums.for_page_scale(self.placement.scale));
        PageFrame { styles, origin: self.before_scaling(self.origin()), size: self.size, foot: 0.0 }
    }

    pub fn blank_page(&self) -> Page {
        let (width, height) = self.placement.grid.cell_size();
        let (x, y) = self.origin();
        let foot = self.placement.footer_height();
        let body = Rect::new(x, y, self.size.0 * self.placement.scale, self.size.1 * self.placement.scale + foot);
        Page { width, height, role: PageRole::NUp { up: self.placement.grid.count(), body }, ..Page::default() }
    }

    /// Width and height after scaling, mm.
    pub fn size_on_page(&self) -> (f32, f32) {
        (self.size.0 * self.placement.scale, self.size.1 * self.placement.scale)
    }

    /// Scales a sheet that was laid out for this placement, its corner at a position; below it, with the options and the words of its
    /// page, a note and a true ruler.
    pub fn scale_items(
        &self,
        items: &mut Vec<SceneItem>,
        (x, y): (f32, f32),
        footer: Option<(&SheetOptions, Option<&Words>)>,
    ) {
        let scale = self.placement.scale;
        if scale == 1.0 {
            return;
        }
        let by = Transform::scale(scale, scale);
        items.iter_mut().for_each(|item| item.transform(&by));
        let Some((options, words)) = footer else { return };
        let mut pen = SheetPen::from_options(options);
        // As large as the sheet's own small text.
        let minimums = options.minimum_sizes();
        let small = minimums.for_page_scale(scale).scale * scale / minimums.scale;
        pen.styles.small.size = minimums.text_size_mm(pen.styles.small.size.mm() * small, TextRole::Label);
        let mm = ruler::longest_ruler(self.size.0 * scale - 60.0);
        let changed = if scale < 1.0 { "reduced" } else { "enlarged" };
        let note = format!("{mm} mm · {changed} to {} for {}", format_percent(scale), options.page_setup.paper);
        ruler::draw_ruler(
            mm,
            x,
            y + self.size.1 * scale + REDUCED_FOOTER_HEIGHT - 1.0,
            &in_words(words, &note),
            &mut pen,
        );
        items.append(&mut pen.items);
    }

    /// The finding for a sheet that would have to be scaled down too much; `drawn` is the size of its template, mm, which
    /// may be less high than a page that flows.
    pub fn too_small_finding(&self, drawn: (f32, f32), options: &SheetOptions, who: &str) -> Option<Finding> {
        let minimums = options.minimum_sizes();
        if minimums.for_page_scale(self.placement.scale).scale <= MAX_ENLARGEMENT.max(minimums.scale) {
            return None;
        }
        let (width, height) = self.placement.grid.cell_size();
        let large = options.large_print;
        let paper = options.page_setup.paper.to_string();
        // Paper that is named by its size is.
        let of = if paper.ends_with("mm") { "the".to_owned() } else { paper };
        let message = format!(
            "skipped {who}: the sheet is {} × {} mm and would be reduced to {} on {} × {} mm of {} paper; the minimum is {}{} for readable letters",
            format_mm(drawn.0),
            format_mm(drawn.1),
            format_percent(self.placement.scale),
            format_mm(width),
            format_mm(height),
            of,
            format_percent(minimums.scale / MAX_ENLARGEMENT + 0.01),
            if large { " in large print" } else { "" }
        );
        let large = if large { ", or print without large print" } else { "" };
        let help = format!("use larger paper, smaller margins, or fewer sheets per page{large}");
        Some(Finding::error("paper-too-small", message).help(help))
    }
}

/// `71 %`, never rounded up.
fn format_percent(share: f32) -> String {
    format!("{} %", (share * 100.0).floor())
}
