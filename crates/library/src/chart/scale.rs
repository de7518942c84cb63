//! Round numbers for axes: takes the greatest value and how many lines there may be, gives the step between them.

/// A step of 1, 2 or 5 times a power of ten, so that at most `lines` steps reach `most`.
pub(super) fn round_step(most: f64, lines: u32) -> f64 {
    let least = (most / f64::from(lines.max(1))).max(1e-9);
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= least * (1.0 - 1e-9));
    step.unwrap_or(10.0) * power
}

/// The same for whole numbers.
pub(super) fn whole_step(most: usize, lines: u32) -> usize {
    (round_step(most as f64, lines).ceil() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_reach_the_greatest_value() {
        assert_eq!(
            [(36.0, 4), (7.0, 4), (0.0837, 4), (100.0, 5)].map(|(most, lines)| round_step(most, lines)),
            [10.0, 2.0, 0.05, 20.0]
        );
        assert_eq!([(90, 10), (5, 10), (0, 3)].map(|(most, lines)| whole_step(most, lines)), [10, 1, 1]);
    }
}
