//! Measures the typography of a drawn page: takes its items, gives faults with their place in millimetres: text near a
//! line, too many sizes, small text, an empty page, a heading without its first row, a cut text. Knows no template and
//! no ruleset. Work is bounded, whatever is drawn.

mod allowed;
mod ink;
mod near_lines;
mod page_checks;
mod words;

use crate::scene::Page;
use ink::{InkText, PageInk};

pub use allowed::{AllowedFault, read_allowed};
pub use words::{SheetWords, WordClash, clashing_words};

/// A kind of typographic fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypographyCheck {
    TextNearLine,
    SparsePage,
    TextCut,
    SplitHeading,
    TextSizes,
    TextWeights,
    SmallText,
    ManyLabels,
}

impl TypographyCheck {
    pub const ALL: [Self; 8] = [
        Self::TextNearLine,
        Self::SparsePage,
        Self::TextCut,
        Self::SplitHeading,
        Self::TextSizes,
        Self::TextWeights,
        Self::SmallText,
        Self::ManyLabels,
    ];

    /// The code of its findings, and its name in a template's `allow`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TextNearLine => "text-near-line",
            Self::SparsePage => "sparse-page",
            Self::TextCut => "drawn-text-cut",
            Self::SplitHeading => "split-heading",
            Self::TextSizes => "too-many-text-sizes",
            Self::TextWeights => "too-many-weights",
            Self::SmallText => "small-text",
            Self::ManyLabels => "too-many-labels",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.code() == code)
    }

    pub const fn help(self) -> &'static str {
        match self {
            Self::TextNearLine => "move the text or the line, or make the text's box larger",
            Self::SparsePage => "let the page's panels grow, give the sheet a flow, or make panels before it smaller",
            Self::TextCut => "use fewer words, or give the text more width or more lines",
            Self::SplitHeading => "give the panel more height, or the option `whole` or `move`",
            Self::TextSizes => "use the sizes of the other texts: 20, 14, 8 and 6.5 pt, for example",
            Self::TextWeights => "use two weights: 400 and 600",
            Self::SmallText => "use 7.5 pt or more for sentences, or fewer words",
            Self::ManyLabels => "use 7.5 pt or more for what is not a mere label",
        }
    }
}

/// A fault and its place.
#[derive(Clone, Debug)]
pub struct TypographyFault {
    pub check: TypographyCheck,
    /// Position on the page, mm.
    pub at: (f32, f32),
    /// The text that it concerns; may be empty.
    pub text: String,
    pub message: String,
}

/// Least distance of a text from a line that is not its own, mm.
pub const LINE_CLEARANCE: f32 = 0.7;
/// Least distance of a text from the outline of its own box, mm: it does not touch it.
pub const OWN_BOX_CLEARANCE: f32 = 0.05;
/// Smallest size of running text, pt.
pub const MIN_BODY_POINTS: f32 = 7.5;
/// The most text sizes on one sheet.
pub const MAX_SIZES: usize = 4;
/// The most weights on one sheet.
pub const MAX_WEIGHTS: usize = 2;
/// Labels are at most one in so many characters.
pub const LABELS_ONE_IN: usize = 10;
/// Smallest share of a page's height that is used.
pub const MIN_USED: f32 = 0.35;
/// The most faults of one kind that are reported for a page.
const MAX_FAULTS: usize = 40;

/// What a page is used for: some checks do not apply to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageUse {
    /// A control sheet or another page with a fixed use.
    Sheet,
    /// Cards or counters, as many as there are.
    Cards,
}

/// Everything that can be measured on one page and is not allowed by its template.
pub fn check_page(page: &Page, usage: PageUse, allowed: &[AllowedFault]) -> Vec<TypographyFault> {
    let items = page.items();
    let ink = PageInk::new(&items, (page.width, page.height));
    // Sizes, weights and labels are counted over the texts for which that is not allowed.
    let counted = |check: TypographyCheck| -> Vec<&InkText> {
        let allowed: Vec<&AllowedFault> = allowed.iter().filter(|allowed| allowed.check == check).collect();
        ink.texts.iter().filter(|text| !allowed.iter().any(|allowed| allowed.covers_text(&text.words))).collect()
    };
    let mut faults = near_lines::check(&ink);
    faults.extend(page_checks::check_headings(&ink));
    faults.extend(page_checks::check_cut_texts(&ink));
    faults.extend(page_checks::check_sizes(&counted(TypographyCheck::TextSizes)));
    faults.extend(page_checks::check_weights(&counted(TypographyCheck::TextWeights)));
    faults.extend(page_checks::check_sentences(&ink));
    faults.extend(page_checks::check_labels(&ink, &counted(TypographyCheck::ManyLabels)));
    if usage == PageUse::Sheet {
        faults.extend(page_checks::check_use(&ink));
    }
    faults.retain(|fault| {
        !allowed.iter().any(|allowed| allowed.check == fault.check && allowed.covers_text(&fault.text))
    });
    let mut counts = [0; TypographyCheck::ALL.len()];
    faults.retain(|fault| {
        let count = &mut counts[fault.check as usize];
        *count += 1;
        *count <= MAX_FAULTS
    });
    faults
}
