//! Figures of a distribution for players: mean, the middle eighty per cent, nothing, all; and what an exchange of fire is worth at equal points.

use moldloft_rules::formula::Weight;

use super::volley::GaugeOdds;

/// What becomes of one gauge, such as a ship's structure. Numbers are boxes lost, or what a counter comes to; probabilities are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Figures {
    /// On average.
    pub mean: f64,
    /// The least numbers that reach 10 and 90 per cent.
    pub middle: (i64, i64),
    /// The least number that reaches a half.
    pub median: i64,
    /// The probability of 0.
    pub nothing: f64,
    /// The probability that all is gone.
    pub gone: f64,
    /// Each figure may be more by this much: a probability by itself, a mean times the boxes.
    pub open: f64,
}

/// The figures of one gauge.
pub fn figures<W: Weight>(odds: &GaugeOdds<W>) -> Figures {
    let reaches = |part: f64| {
        let mut sum = 0.0;
        for (number, weight) in &odds.lost {
            sum += weight.value();
            // Doubles that add up to a tenth may be a little less than it.
            if sum >= part - 1e-12 {
                return *number;
            }
        }
        odds.lost.last().map_or(0, |(number, _)| *number)
    };
    let nothing = odds.lost.iter().find(|(number, _)| *number == 0).map_or(0.0, |(_, weight)| weight.value());
    Figures {
        mean: odds.mean(),
        middle: (reaches(0.1), reaches(0.9)),
        median: reaches(0.5),
        nothing,
        gone: odds.gone.value(),
        open: odds.open.value(),
    }
}

/// The part of its boxes that a ship loses on average; `None` without boxes.
pub fn share_lost<W: Weight>(odds: &GaugeOdds<W>) -> Option<f64> {
    let boxes = odds.boxes.filter(|boxes| *boxes > 0)?;
    Some(odds.mean() / boxes as f64)
}

/// What equal points of two ships do to each other in a turn: the share of the second that the first destroys times the second's points for each point of
/// the first, divided by the same the other way round. 1 is even; `None` where the second does nothing.
pub fn trade(first: (f64, f64), second: (f64, f64)) -> Option<f64> {
    let (share_by_first, points_of_first) = first;
    let (share_by_second, points_of_second) = second;
    let there = share_by_first * points_of_second / points_of_first;
    let back = share_by_second * points_of_first / points_of_second;
    (back > 0.0 && there.is_finite()).then(|| there / back)
}
