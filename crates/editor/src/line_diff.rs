//! The lines that only one of two texts has, in order. Takes both texts and knows no format.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Otherwise only the second text has it.
    pub in_first: bool,
    pub line: String,
}

/// Pairs of lines to compare; larger differences are shown as wholly different.
const MAX_PAIRS: usize = 1_000_000;

/// Ignores line ends.
pub fn diff_lines(first: &str, second: &str) -> Vec<DiffLine> {
    let (first, second): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    let same = first.iter().zip(&second).take_while(|(one, other)| one == other).count();
    let (first, second) = (&first[same..], &second[same..]);
    let same = first.iter().rev().zip(second.iter().rev()).take_while(|(one, other)| one == other).count();
    let (first, second) = (&first[..first.len() - same], &second[..second.len() - same]);
    let only = |first: bool, line: &&str| DiffLine { in_first: first, line: (*line).to_owned() };
    if first.len().saturating_mul(second.len()) > MAX_PAIRS {
        return first.iter().map(|line| only(true, line)).chain(second.iter().map(|line| only(false, line))).collect();
    }
    // Length of the longest common subsequence of the rests.
    let width = second.len() + 1;
    let mut common = vec![0_u32; (first.len() + 1) * width];
    for one in (0..first.len()).rev() {
        for other in (0..second.len()).rev() {
            common[one * width + other] = if first[one] == second[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other, mut out) = (0, 0, Vec::new());
    while one < first.len() || other < second.len() {
        if one < first.len() && other < second.len() && first[one] == second[other] {
            one += 1;
            other += 1;
        } else if other == second.len()
            || one < first.len() && common[(one + 1) * width + other] >= common[one * width + other + 1]
        {
            out.push(only(true, &first[one]));
            one += 1;
        } else {
            out.push(only(false, &second[other]));
            other += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let diff = |one: &str, other: &str| {
            let lines = diff_lines(one, other).into_iter();
            lines.map(|line| format!("{}{}", if line.in_first { '+' } else { '-' }, line.line)).collect::<Vec<_>>()
        };
        assert!(diff("a\r\nb\r\n", "a\nb").is_empty());
        assert_eq!(diff("a\nx\nb\nc\n", "a\nb\ny\nc\nd\n"), ["+x", "-y", "-d"]);
        assert_eq!(diff("", "a"), ["-a"]);
        let long = "x\n".repeat(1_200);
        assert_eq!(diff_lines(&long, &"y\n".repeat(1_200)).len(), 2_400);
    }
}
