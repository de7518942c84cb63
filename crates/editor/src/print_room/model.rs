//! The pages that the print room shows: what is laid out, the pictures in sight, the running jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::DocId;
use crate::preview::Tile;
use crate::printing::settings::PrintSettings;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::Page;
use moldloft_library::print::{PageOutline, PageSelection, PaperCount};
use moldloft_library::store::FileRef;

/// Pictures of pages that are not in sight.
const MAX_HIDDEN_BYTES: usize = 24 << 20;
/// Widths of the pictures in points.
pub const PICTURE_WIDTHS: [u32; 4] = [110, 150, 230, 360];

/// Equal keys make equal pages.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanKey {
    /// Only what changes the pages.
    pub settings: PrintSettings,
    /// The documents with their revisions.
    pub docs: Vec<(DocId, u64)>,
    pub files: Vec<FileRef>,
    pub sheets: BTreeMap<String, String>,
    /// Grows with every change of rules and of templates.
    pub generations: (u64, u64),
}

/// Pages that are laid out, to be drawn when they come into sight.
#[derive(Debug, Default)]
pub struct PrintPlan {
    /// Compact; the first ones only, if there are very many.
    pub pages: Vec<Page>,
    /// Of every page.
    pub outline: Vec<PageOutline>,
    pub two_sided: bool,
    /// `3 ships`
    pub contents: String,
    pub findings: Vec<Finding>,
    /// If there are very many copies, one is laid out.
    pub copies: u32,
}

impl PrintPlan {
    pub fn count_paper(&self, selection: &PageSelection) -> PaperCount {
        let one = PageOutline::count_paper(&self.outline, self.two_sided, selection);
        let copies = self.copies.max(1) as usize;
        PaperCount {
            pages: one.pages * copies,
            sheets: one.sheets * copies,
            if_double_sided: one.if_double_sided.map(|sheets| sheets * copies),
        }
    }
}

/// What a page belongs to: the title that begins it with its number among equal titles, and its place below that title.
fn places(outline: &[PageOutline]) -> Vec<((Option<&str>, usize), usize)> {
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    let mut here = ((None, 0), 0);
    outline
        .iter()
        .map(|page| {
            match page.title.as_deref() {
                Some(title) => {
                    let count = titles.entry(title).or_default();
                    *count += 1;
                    here = ((Some(title), *count), 0);
                }
                None => here.1 += 1,
            }
            here
        })
        .collect()
}

/// The same selection of pages that were laid out anew: what belongs to the same ship or list stays on or off. Of what is new, all
/// pages are on if only some were ticked off.
pub fn carry_selection(old: &[PageOutline], new: &[PageOutline], selection: &PageSelection) -> PageSelection {
    let is_on: Vec<bool> = (1..=old.len() as u32).map(|page| selection.contains(page)).collect();
    let usual = is_on.iter().filter(|on| **on).count() * 2 > is_on.len();
    let known: BTreeMap<_, bool> = places(old).into_iter().zip(is_on).collect();
    let state = |(title, at): ((Option<&str>, usize), usize)| {
        // Of a part that has more pages now, the last one counts.
        known.range((title, 0)..=(title, at)).next_back().map_or(usual, |(_, on)| *on)
    };
    let pages: Vec<u32> = (1..).zip(places(new)).filter(|(_, place)| state(*place)).map(|(page, _)| page).collect();
    if pages.is_empty() || pages.len() == new.len() {
        PageSelection::default()
    } else {
        PageSelection::from_pages(pages)
    }
}

/// What is drawn of the pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PagesInSight {
    /// Indices from 0.
    pub pages: Vec<u32>,
    /// Width of a picture in pixels.
    pub width: u32,
}

pub struct PrintRoom {
    pub plan: Option<(PlanKey, Arc<PrintPlan>)>,
    /// Lays out the pages of this key.
    pub(crate) planning: Option<(PlanKey, Progress)>,
    pub(crate) drawing: Option<Progress>,
    pub visible: PagesInSight,
    /// By index of the page, all of one width.
    pub(crate) pictures: BTreeMap<u32, Tile>,
    pub(crate) drawn: (u32, bool),
    /// Index in [`PICTURE_WIDTHS`].
    pub picture_size: usize,
}

impl Default for PrintRoom {
    fn default() -> Self {
        Self {
            plan: None,
            planning: None,
            drawing: None,
            visible: PagesInSight::default(),
            pictures: BTreeMap::new(),
            drawn: (0, false),
            picture_size: 1,
        }
    }
}

impl PrintRoom {
    pub fn plan(&self) -> Option<&PrintPlan> {
        self.plan.as_ref().map(|(_, plan)| &**plan)
    }

    pub fn is_planning(&self) -> bool {
        self.planning.is_some()
    }

    pub fn picture(&self, page: u32) -> Option<&Tile> {
        self.pictures.get(&page)
    }

    pub fn bytes(&self) -> usize {
        self.pictures.values().map(Tile::bytes).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.plan.is_none() && self.planning.is_none() && self.drawing.is_none() && self.pictures.is_empty()
    }

    /// Stops the jobs and drops all pages.
    pub(crate) fn clear(&mut self) {
        for job in self.planning.take().map(|(_, job)| job).into_iter().chain(self.drawing.take()) {
            job.cancel();
        }
        *self = Self { picture_size: self.picture_size, ..Self::default() };
    }

    /// Drops pictures out of sight, the farthest first.
    pub(crate) fn evict(&mut self) {
        let visible: BTreeSet<u32> = self.visible.pages.iter().copied().collect();
        let distance = |page: &u32| visible.iter().map(|seen| seen.abs_diff(*page)).min().unwrap_or(0);
        let mut hidden: Vec<(u32, u32)> =
            self.pictures.keys().filter(|page| !visible.contains(page)).map(|page| (distance(page), *page)).collect();
        hidden.sort_unstable();
        let mut bytes: usize = hidden.iter().map(|(_, page)| self.pictures[page].bytes()).sum();
        while bytes > MAX_HIDDEN_BYTES
            && let Some((_, page)) = hidden.pop()
        {
            bytes -= self.pictures.remove(&page).map_or(0, |tile| tile.bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, ColorImage};

    fn outline(titles: &[Option<&str>]) -> Vec<PageOutline> {
        let page = |title: &Option<&str>| PageOutline {
            size: (210.0, 297.0),
            is_back: false,
            is_blank: false,
            title: title.map(str::to_owned),
        };
        titles.iter().map(page).collect()
    }

    #[test]
    fn pages_that_are_ticked_off_stay_off_when_the_layout_changes() {
        let old = outline(&[Some("roster"), Some("summary"), Some("Petrel"), None, Some("Petrel"), None]);
        let new =
            outline(&[Some("roster"), None, Some("summary"), Some("Petrel"), None, None, Some("Petrel"), Some("map")]);
        let carried = |pages: &str| carry_selection(&old, &new, &pages.parse().unwrap()).to_string();
        assert_eq!(carried("1,3-6"), "1-2,4-8", "the summary stays off, no page is lost");
        assert_eq!(carried("1,3,5-6"), "1-2,4,7-8", "the further pages of the first ship");
        assert_eq!(carried("5"), "7", "what is new is off if little was on");
        assert!(carry_selection(&old, &new[2..3], &"1".parse().unwrap()).is_all(), "a job needs a page");
    }

    #[test]
    fn pictures_far_out_of_sight_are_dropped() {
        let mut room = PrintRoom { visible: PagesInSight { pages: vec![4, 5], width: 1000 }, ..PrintRoom::default() };
        for page in 0..12 {
            let image = ColorImage::filled([1000, 1500], Color32::WHITE);
            room.pictures.insert(page, Tile::new(0, Some(image)));
        }
        room.evict();
        assert!([3, 4, 5, 6].iter().all(|page| room.picture(*page).is_some()));
        assert!(room.picture(11).is_none() && room.bytes() <= MAX_HIDDEN_BYTES + 2 * 6_000_000);
    }
}
