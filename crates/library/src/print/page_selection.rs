//! Which pages of a job are printed: takes `1-3,5`, keeps those pages and the sides they are printed on, and counts the
//! paper they need.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::plural;
use moldloft_drawing::scene::{Bookmark, Page, PageRole};

use super::PrintedPages;

/// The highest number of a page.
const MAX_PAGE: u32 = 1_000_000;

/// Pages by their numbers from 1; empty means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSelection {
    /// First and last, sorted, apart from each other.
    ranges: Vec<(u32, u32)>,
}

impl PageSelection {
    pub fn from_pages(pages: impl IntoIterator<Item = u32>) -> Self {
        let pages: BTreeSet<u32> = pages.into_iter().collect();
        Self::from_ranges(pages.into_iter().map(|page| (page, page)).collect())
    }

    fn from_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        Self { ranges: joined }
    }

    pub fn is_all(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn contains(&self, page: u32) -> bool {
        self.is_all() || self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&page))
    }

    /// # Errors
    /// `no-such-page` if a range begins after the last page.
    pub fn check(&self, count: usize) -> Result<(), Finding> {
        let beyond = self.ranges.iter().find(|(first, _)| *first as usize > count);
        let Some((first, _)) = beyond else { return Ok(()) };
        let message = format!(
            "cannot print page {first}: there {}",
            match count {
                1 => "is 1 page".to_owned(),
                _ => format!("are {}", plural(count, "page")),
            }
        );
        Err(Finding::error("no-such-page", message).help(format!("use pages from 1 to {count}")))
    }
}

impl FromStr for PageSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |part: &str| format!("expected pages such as 1-3,5, found “{part}”");
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|page| (1..=MAX_PAGE).contains(page));
        let mut ranges = Vec::new();
        for part in text.split([',', ';']).map(str::trim) {
            let range = match part.split_once(['-', '–']) {
                None => number(part).map(|page| (page, page)),
                Some((first, last)) if last.trim().is_empty() => number(first).map(|first| (first, MAX_PAGE)),
                Some((first, last)) if first.trim().is_empty() => number(last).map(|last| (1, last)),
                Some((first, last)) => number(first).zip(number(last)).filter(|(first, last)| first <= last),
            };
            ranges.push(range.ok_or_else(|| wrong(part))?);
        }
        Ok(Self::from_ranges(ranges))
    }
}

impl fmt::Display for PageSelection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            match (first, last) {
                (first, last) if first == last => write!(out, "{comma}{first}")?,
                (first, &MAX_PAGE) => write!(out, "{comma}{first}-")?,
                (first, last) => write!(out, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// A page without what is drawn on it.
#[derive(Clone, Debug, PartialEq)]
pub struct PageOutline {
    /// Width and height in mm.
    pub size: (f32, f32),
    /// The reverse of the page before it.
    pub is_back: bool,
    /// A back that only keeps the next page on a front.
    pub is_blank: bool,
    /// What begins here: `HMS Vigilant`.
    pub title: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperCount {
    pub pages: usize,
    /// Sheets of paper, printed as the pages say.
    pub sheets: usize,
    /// Sheets of paper if pages without backs are printed on both sides; `None` if they have backs.
    pub if_double_sided: Option<usize>,
}

impl PageOutline {
    pub fn of_pages(pages: &[Page]) -> Vec<Self> {
        let outline = |page: &Page| Self {
            size: (page.width, page.height),
            is_back: page.role == PageRole::Back,
            is_blank: page.is_empty(),
            // Not of what is on the page of another part.
            title: page.bookmarks.iter().rfind(|mark| mark.depth < 2).map(|mark| mark.title.clone()),
        };
        pages.iter().map(outline).collect()
    }

    /// The paper that the selected pages need. `two_sided`: every second page is a back.
    pub fn count_paper(pages: &[Self], two_sided: bool, selection: &PageSelection) -> PaperCount {
        let leaves = leaves(pages.len(), two_sided, |page| pages[page].is_back);
        let chosen = |page: &usize| selection.contains(*page as u32 + 1);
        let has_backs = two_sided || pages.iter().any(|page| page.is_back);
        let count = (0..pages.len()).filter(chosen).count();
        let sheets = leaves.into_iter().filter(|leaf| leaf.clone().any(|page| chosen(&page))).count();
        PaperCount { pages: count, sheets, if_double_sided: (!has_backs).then(|| count.div_ceil(2)) }
    }
}

/// The pages of each sheet of paper.
fn leaves(count: usize, two_sided: bool, is_back: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut leaves: Vec<Range<usize>> = Vec::new();
    for page in 0..count {
        match leaves.last_mut() {
            Some(leaf) if leaf.len() == 1 && if two_sided { leaf.start % 2 == 0 } else { is_back(page) } => {
                leaf.end = page + 1;
            }
            _ => leaves.push(page..page + 1),
        }
    }
    leaves
}

impl PrintedPages {
    /// Keeps only these pages. Of a two-sided sheet whose other side is left out, a blank takes its place. A bookmark
    /// moves to the next page that is kept.
    ///
    /// # Errors
    /// `no-such-page`.
    pub fn select(&mut self, selection: &PageSelection) -> Result<(), Finding> {
        let count = self.scene.pages.len();
        if selection.is_all() || count == 0 {
            return Ok(());
        }
        selection.check(count)?;
        let is_back: Vec<bool> = self.scene.pages.iter().map(|page| page.role == PageRole::Back).collect();
        let leaves = leaves(count, self.two_sided, |page| is_back[page]);
        let mut pages = std::mem::take(&mut self.scene.pages).into_iter();
        let mut kept: Vec<Page> = Vec::new();
        let mut bookmarks: Vec<Bookmark> = Vec::new();
        for leaf in leaves {
            let is_kept = leaf.clone().any(|page| selection.contains(page as u32 + 1));
            for (number, mut page) in (leaf.start as u32 + 1..).zip(pages.by_ref().take(leaf.len())) {
                let own = page.bookmarks.first().map_or(u8::MAX, |mark| mark.depth);
                bookmarks.retain(|mark| mark.depth < own);
                bookmarks.append(&mut page.bookmarks);
                if selection.contains(number) {
                    page.bookmarks = std::mem::take(&mut bookmarks);
                    kept.push(page);
                } else if is_kept && self.two_sided {
                    kept.push(Page { width: page.width, height: page.height, role: page.role, ..Page::default() });
                }
            }
        }
        self.scene.pages = kept;
        self.laid_out = Some(count);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_drawing::scene::Scene;

    #[test]
    fn selections_are_read_and_written() {
        for (text, read) in
            [("1-3,5", "1-3,5"), (" 5, 1 – 3 ", "1-3,5"), ("3,4,5,1", "1,3-5"), ("7-", "7-"), ("-3", "1-3")]
        {
            assert_eq!(text.parse::<PageSelection>().map(|pages| pages.to_string()), Ok(read.to_owned()), "{text}");
        }
        for wrong in ["", "0", "a", "3-1", "1,,2", "1-2-3", "-", "99999999999"] {
            let message = wrong.parse::<PageSelection>().expect_err(wrong);
            assert!(message.starts_with("expected pages such as 1-3,5"), "{message}");
        }
        let pages = PageSelection::from_pages([2, 9, 3]);
        assert_eq!(pages.to_string(), "2-3,9");
        assert!(pages.contains(3) && !pages.contains(4));
        assert!(PageSelection::default().contains(4));
    }

    fn pages(count: usize, two_sided: bool) -> PrintedPages {
        let page = |n: usize| Page {
            width: n as f32 + 1.0,
            height: 9.0,
            bookmarks: vec![Bookmark { depth: (n % 2) as u8, title: format!("page {}", n + 1) }],
            ..Page::default()
        };
        let scene = Scene { pages: (0..count).map(page).collect(), ..Scene::default() };
        PrintedPages { scene, two_sided, ..PrintedPages::default() }
    }

    #[test]
    fn a_kept_side_stays_on_its_side() {
        let mut printed = pages(6, true);
        printed.select(&"2,3,4".parse().unwrap()).unwrap();
        let widths: Vec<f32> = printed.scene.pages.iter().map(|page| page.width).collect();
        assert_eq!(widths, [1.0, 2.0, 3.0, 4.0], "the first side is blank");
        assert!(printed.scene.pages[0].bookmarks.is_empty());
        let titles: Vec<&str> = printed.scene.pages[1].bookmarks.iter().map(|mark| &*mark.title).collect();
        assert_eq!(titles, ["page 1", "page 2"], "the bookmark of the left-out page is kept");

        let mut printed = pages(6, false);
        printed.select(&"2,5-".parse().unwrap()).unwrap();
        assert_eq!(printed.scene.pages.iter().map(|page| page.width).collect::<Vec<_>>(), [2.0, 5.0, 6.0]);
        assert_eq!(printed.laid_out, Some(6));
        let mut printed = pages(2, false);
        let finding = printed.select(&"1,3".parse().unwrap()).unwrap_err();
        assert_eq!(finding.message, "cannot print page 3: there are 2 pages");
        assert_eq!(printed.scene.pages.len(), 2, "nothing changes");
    }

    #[test]
    fn paper_is_counted() {
        let count = |printed: &PrintedPages, selection: &str| {
            let selection = if selection.is_empty() { PageSelection::default() } else { selection.parse().unwrap() };
            PageOutline::count_paper(&PageOutline::of_pages(&printed.scene.pages), printed.two_sided, &selection)
        };
        let single = pages(5, false);
        assert_eq!(count(&single, ""), PaperCount { pages: 5, sheets: 5, if_double_sided: Some(3) });
        let mut backed = pages(5, false);
        backed.scene.pages[1].role = PageRole::Back;
        assert_eq!(count(&backed, ""), PaperCount { pages: 5, sheets: 4, if_double_sided: None });
        assert_eq!(count(&backed, "2"), PaperCount { pages: 1, sheets: 1, if_double_sided: None });
        let pack = pages(5, true);
        assert_eq!(count(&pack, ""), PaperCount { pages: 5, sheets: 3, if_double_sided: None });
        assert_eq!(count(&pack, "1,2,5"), PaperCount { pages: 3, sheets: 2, if_double_sided: None });
    }
}
