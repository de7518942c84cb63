//! Measures the typography of a drawn page: takes its items, gives faults with their place in millimetres: text near a
//! line, too many sizes, small text, an empty page, a heading without its first row, a cut text. Knows no template and
//! no ruleset. Work is bounded, whatever is drawn.

mod allowed;
mod counter_checks;
mod faults;
mod ink;
mod near_lines;
mod page_checks;
mod words;

use ink::{InkText, PageInk};
use moldloft_drawing::scene::Page;

pub use allowed::{AllowedFault, read_allowed};
pub use counter_checks::{CounterFault, check_counters};
pub use faults::{TypographyCheck, TypographyFault};
pub use words::{SheetWords, WordClash, clashing_words};

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
