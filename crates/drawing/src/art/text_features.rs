//! What the style of a text asks for and a slot cannot show: data only. Fixed text that asks for some is drawn as outlines, as
//! usvg lays it out; text with values is drawn without it, and says so.

use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextFeature {
    Parts,
    Heights,
    Places,
    Turns,
    Length,
    Vertical,
    Lines,
    WordSpaces,
    Stroke,
    Gradient,
    Italics,
    Capitals,
    SmallCapitals,
}

impl TextFeature {
    fn words(self) -> &'static str {
        match self {
            Self::Parts => "parts in another style",
            Self::Heights => "raised or lowered parts",
            Self::Places => "places of single letters",
            Self::Turns => "turned letters",
            Self::Length => "a set length",
            Self::Vertical => "vertical writing",
            Self::Lines => "lines under, over or through it",
            Self::WordSpaces => "wider or narrower spaces",
            Self::Stroke => "an outline of its letters",
            Self::Gradient => "a gradient",
            Self::Italics => "italics",
            Self::Capitals => "changed capitals",
            Self::SmallCapitals => "small capitals",
        }
    }

    /// Whether it can be drawn as outlines; the bundled faces have no italics and small capitals.
    pub fn is_drawable(self) -> bool {
        self < Self::Italics
    }
}

/// `vertical writing, a set length and italics`
pub(super) fn list_features(features: &BTreeSet<TextFeature>) -> String {
    let words: Vec<&str> = features.iter().map(|feature| feature.words()).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
