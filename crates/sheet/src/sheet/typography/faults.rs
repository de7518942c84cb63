//! Data only: the kinds of typographic fault with their limits, and a fault with its place.

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
    TextNearCut,
    CounterNames,
}

impl TypographyCheck {
    pub const ALL: [Self; 10] = [
        Self::TextNearLine,
        Self::SparsePage,
        Self::TextCut,
        Self::SplitHeading,
        Self::TextSizes,
        Self::TextWeights,
        Self::SmallText,
        Self::ManyLabels,
        Self::TextNearCut,
        Self::CounterNames,
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
            Self::TextNearCut => "text-near-cut",
            Self::CounterNames => "counter-names",
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
            Self::TextNearCut => "move the text inwards, or make its `width` less",
            Self::CounterNames => {
                "give the name a place with more width, one line and a size that longer names fit, too"
            }
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
/// Least distance of a counter's texts from its cut, mm.
pub const CUT_CLEARANCE: f32 = 1.5;
/// The most sizes of the names on counters of one kind.
pub const MAX_NAME_SIZES: usize = 2;
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
