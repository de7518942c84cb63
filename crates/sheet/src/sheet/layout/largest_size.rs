//! The one search for sizes of boxes: takes a range of sizes and what is made of each, gives what is made of the largest
//! that fits. Pure arithmetic.

/// What `made` gives for the largest of the sizes in whole steps from the least on that fits; `None` where not even the least
/// does. What is larger than a size that does not fit is taken not to fit either.
pub fn largest_size<T>(least: f32, most: f32, step: f32, mut made: impl FnMut(f32) -> Option<T>) -> Option<T> {
    let steps = ((most - least) / step + 0.01).floor().max(0.0) as u32;
    let mut at = |n: u32| made(least + n as f32 * step);
    let largest = at(steps);
    if largest.is_some() || steps == 0 {
        return largest;
    }
    let mut found = at(0)?;
    let (mut good, mut bad) = (0, steps);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match at(middle) {
            Some(fits) => (good, found) = (middle, fits),
            None => bad = middle,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_that_fits_is_found_at_either_end_and_between() {
        let largest = |limit: f32| largest_size(3.0, 5.0, 0.1, |size| (size <= limit).then_some(size));
        assert_eq!(largest(2.9), None);
        for (limit, size) in [(3.05, 3.0), (4.44, 4.4), (4.9, 4.9), (9.0, 5.0)] {
            assert!((largest(limit + 0.01).unwrap() - size).abs() < 0.001, "{limit}: {:?}", largest(limit));
        }
        assert_eq!(largest_size(3.0, 3.0, 0.0, Some), Some(3.0), "a range of one size");
    }
}
