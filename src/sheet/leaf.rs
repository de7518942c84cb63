//! A page that holds one full sheet: takes the bed and the sheet's size, gives where it stands and what it is made smaller by. What is made
//! smaller is laid out with everything larger, so that boxes and letters come out at their smallest sizes and not below.

use super::bed::{Bed, Fit, MOST_GROWN, REDUCED_FOOT};
use super::options::{Floor, Options};
use super::page::Stand;
use super::paper::tidy;
use super::pen::{Hands, pen};
use super::ruler;
use crate::finding::Finding;
use crate::scene::{Item, Lies, Page, Rect, Transform};

/// A page for one full sheet.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// How it lies.
    pub fit: Fit,
    /// How large the sheet is drawn.
    pub size: (f32, f32),
}

impl Leaf {
    /// That of a sheet of a size.
    pub fn new(bed: &Bed, size: (f32, f32)) -> Self {
        Self { fit: bed.fit(size), size }
    }

    /// Where the sheet's corner lies on the page.
    pub fn origin(&self) -> (f32, f32) {
        self.fit.origin(self.size)
    }

    /// The same place before the sheet is made smaller.
    pub fn before(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (x / self.fit.scale, y / self.fit.scale)
    }

    /// How a template stands on it.
    pub fn stand(&self, floor: Floor) -> Stand {
        let hands = Hands::new(floor.reduced(self.fit.scale));
        Stand { hands, origin: self.before(self.origin()), size: self.size }
    }

    /// The empty page.
    pub fn page(&self) -> Page {
        let (width, height) = self.fit.cells.size();
        let (x, y) = self.origin();
        let foot = if self.fit.scale < 1.0 { REDUCED_FOOT } else { 0.0 };
        let body = Rect::new(x, y, self.size.0 * self.fit.scale, self.size.1 * self.fit.scale + foot);
        Page { width, height, lies: Lies::Leaf { up: self.fit.cells.count(), body }, ..Page::default() }
    }

    /// Makes a sheet that was laid out for it smaller, its corner at a place, and says so below it, beside a ruler that is true.
    pub fn reduce(&self, items: &mut Vec<Item>, (x, y): (f32, f32), options: &Options) {
        let scale = self.fit.scale;
        if scale >= 1.0 {
            return;
        }
        let by = Transform::scale(scale, scale);
        items.iter_mut().for_each(|item| item.place(&by));
        let mut pen = pen(options);
        let mm = ruler::length(self.size.0 * scale - 60.0);
        let words = format!("{mm} mm · sheet reduced to {} to fit {} paper", percent(scale), options.bed.paper);
        ruler::ruler(mm, x, y + self.size.1 * scale + REDUCED_FOOT - 1.0, &words, &mut pen);
        items.append(&mut pen.items);
    }

    /// The finding for a sheet that would have to be made too small.
    pub fn no_room(&self, options: &Options, who: &str) -> Option<Finding> {
        let floor = Floor::of(options);
        if floor.reduced(self.fit.scale).scale <= MOST_GROWN.max(floor.scale) {
            return None;
        }
        let (width, height) = self.fit.cells.size();
        let large = options.large_print;
        let message = format!(
            "skipped {who}: the sheet is {} × {} mm and would be reduced to {} on {} × {} mm of {} paper; the minimum is {}{} for readable letters",
            tidy(self.size.0),
            tidy(self.size.1),
            percent(self.fit.scale),
            tidy(width),
            tidy(height),
            options.bed.paper,
            percent(floor.scale / MOST_GROWN + 0.01),
            if large { " in large print" } else { "" }
        );
        let large = if large { ", or print without large print" } else { "" };
        let help = format!("use larger paper, smaller margins, or fewer sheets per page{large}");
        Some(Finding::error("paper-too-small", message).help(help))
    }
}

/// `71 %`, never rounded up.
fn percent(share: f32) -> String {
    format!("{} %", (share * 100.0).floor())
}
