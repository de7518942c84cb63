//! The colour and pattern of a nation or side: takes their words, gives them as data.

use moldloft_base::source::parse_colour;
use moldloft_base::worded;

worded! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum BandPattern {
        #[default]
        Solid = "solid",
        Diagonal = "diagonal",
        Horizontal = "horizontal",
        Dots = "dots",
        Chevrons = "chevrons",
        Checks = "checks",
    }
}

impl BandPattern {
    pub fn parse(word: &str) -> Option<Self> {
        Self::named(&word.trim().to_lowercase())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Band {
    pub rgb: [u8; 3],
    pub pattern: BandPattern,
}

impl Band {
    /// From `#rrggbb` and a pattern's word; an empty pattern is solid.
    pub fn parse(colour: &str, pattern: &str) -> Option<Self> {
        let pattern = if pattern.trim().is_empty() { BandPattern::Solid } else { BandPattern::parse(pattern)? };
        Some(Self { rgb: parse_colour(colour)?, pattern })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_patterns_are_words() {
        assert_eq!(Band::parse(" #1F4e9e ", ""), Some(Band { rgb: [0x1f, 0x4e, 0x9e], pattern: BandPattern::Solid }));
        assert_eq!(Band::parse("#000000", "Dots").map(|band| band.pattern), Some(BandPattern::Dots));
        for (colour, pattern) in [("", ""), ("#12345", ""), ("#12345g", ""), ("red", ""), ("#123456", "zigzag")] {
            assert_eq!(Band::parse(colour, pattern), None, "{colour} {pattern}");
        }
    }
}
