//! Arcs of fire as designs and rulesets write them. Degrees count clockwise from the bow.

use std::sync::Arc;

/// Sectors, each from its first degree clockwise to its last: `[315, 45]` is the bow's quarter. 0 to 360 is all round.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arcs(pub Vec<(u16, u16)>);

/// Words of a template for sectors, in addition to the usual ones.
pub type SectorWords = Vec<(Arc<str>, Arcs)>;

/// The usual words with the direction of their middle.
const DIRECTIONS: [(&str, i32); 12] = [
    ("forward", 0),
    ("fore", 0),
    ("ahead", 0),
    ("bow", 0),
    ("front", 0),
    ("starboard", 90),
    ("right", 90),
    ("aft", 180),
    ("rear", 180),
    ("stern", 180),
    ("port", 270),
    ("left", 270),
];
/// Width of a direction without degrees.
const QUARTER: i32 = 90;

impl Arcs {
    pub fn all_round() -> Self {
        Self(vec![(0, 360)])
    }

    /// Reads `all round`, `port`, `forward 120°`, `120°` (about the bow), `forward starboard`, `300-60` or
    /// `300 to 60`, and lists of these with commas; `None` if a part is not understood or nothing is left.
    pub fn parse(text: &str, words: &SectorWords) -> Option<Self> {
        let mut sectors = Vec::new();
        let parts = text.split([',', ';', '+', '/']).map(str::trim).filter(|part| !part.is_empty());
        for part in parts {
            sectors.extend(Self::parse_part(&part.to_lowercase(), words)?.0);
        }
        (!sectors.is_empty()).then_some(Self(sectors))
    }

    fn parse_part(part: &str, words: &SectorWords) -> Option<Self> {
        if let Some((_, arcs)) = words.iter().find(|(word, _)| **word == *part) {
            return Some(arcs.clone());
        }
        if matches!(part, "all" | "all round" | "all-round" | "360°" | "360") {
            return Some(Self::all_round());
        }
        let numbers = part.trim_matches(['[', ']', '(', ')']).replace('°', "").replace(" to ", "-");
        if let Some((from, to)) = numbers.split_once(['-', '–', '.']) {
            let degrees = |text: &str| text.trim_matches(['.', ' ']).parse::<i32>().ok();
            if let (Some(from), Some(to)) = (degrees(from), degrees(to)) {
                return Some(Self::between(from, to));
            }
        }
        let (mut middle, mut wide): (Vec<i32>, _) = (Vec::new(), None);
        for word in part.split([' ', '-']).filter(|word| !word.is_empty()) {
            if let Some((_, direction)) = DIRECTIONS.iter().find(|(known, _)| *known == word) {
                middle.push(*direction);
            } else {
                let degrees = word.trim_end_matches('°').parse::<i32>().ok()?;
                wide = Some(degrees).filter(|degrees| (1..=360).contains(degrees));
                wide?;
            }
        }
        let middle = match middle.as_slice() {
            [] => {
                wide?;
                0
            }
            [one] => *one,
            // Between forward and port is 315°, not 135°.
            [one, other] if (one - other).abs() == 270 => 315,
            [one, other] if (one - other).abs() == 90 => (one + other) / 2,
            _ => return None,
        };
        let wide = wide.unwrap_or(QUARTER);
        if wide >= 360 {
            return Some(Self::all_round());
        }
        Some(Self::between(middle - wide / 2, middle + wide - wide / 2))
    }

    /// From one direction clockwise to another; equal ones are all round.
    pub fn between(from: i32, to: i32) -> Self {
        let around = |degrees: i32| degrees.rem_euclid(360) as u16;
        if around(from) == around(to) { Self::all_round() } else { Self(vec![(around(from), around(to))]) }
    }

    /// Whether a direction is in one of the sectors, its ends included.
    pub fn contains(&self, degrees: u16) -> bool {
        self.0.iter().any(|&(from, to)| (i32::from(degrees) - i32::from(from)).rem_euclid(360) <= Self::width(from, to))
    }

    /// How wide a sector is, in degrees, 1 to 360.
    pub fn width(from: u16, to: u16) -> i32 {
        match (i32::from(to) - i32::from(from)).rem_euclid(360) {
            0 => 360,
            wide => wide,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<(u16, u16)>> {
        Arcs::parse(text, &Vec::new()).map(|arcs| arcs.0)
    }

    #[test]
    fn words_and_degrees_are_sectors_clockwise_from_the_bow() {
        for (text, sectors) in [
            ("all round", &[(0, 360)][..]),
            ("forward 120°", &[(300, 60)]),
            ("240°", &[(240, 120)]),
            ("port", &[(225, 315)]),
            ("starboard 180", &[(0, 180)]),
            ("aft port", &[(180, 270)]),
            ("Forward Port 60°", &[(285, 345)]),
            ("300-60", &[(300, 60)]),
            ("300 to 60", &[(300, 60)]),
            ("forward and starboard", &[]),
            ("[315, 45]", &[]),
            ("315–45, aft 90°", &[(315, 45), (135, 225)]),
            ("somewhere", &[]),
            ("", &[]),
            ("0°", &[]),
            ("400°", &[]),
        ] {
            assert_eq!(read(text).unwrap_or_default(), sectors, "{text}");
        }
        let words = vec![("mouth".into(), Arcs::between(350, 10))];
        assert_eq!(Arcs::parse("mouth, aft", &words), Some(Arcs(vec![(350, 10), (135, 225)])));
    }

    #[test]
    fn a_sector_may_cross_the_bow() {
        let arcs = Arcs::between(315, 45);
        for (degrees, inside) in [(0, true), (44, true), (315, true), (314, false), (90, false), (180, false)] {
            assert_eq!(arcs.contains(degrees), inside, "{degrees}");
        }
        assert!((0..360).all(|degrees| Arcs::all_round().contains(degrees)));
    }
}
