//! Columns of one width: how many contents each gets, so that they are as even as possible.

use super::flowable::{Flowable, SizeHint, VStack};
use super::hstack::HStack;
use super::text_style::TextStyles;

/// Tolerance of heights, mm.
pub const TOLERANCE: f32 = 0.02;
/// From a kilometre to a hundredth of a millimetre takes 27.
const MAX_BISECTIONS: usize = 32;
/// What has at most this share of the width is narrow.
const NARROW: f32 = 0.3;
/// Between narrow contents that leave a page, mm.
const GAP: f32 = 5.0;

/// Of so many columns in a width, mm.
pub fn even_width(width: f32, gap: f32, columns: usize) -> f32 {
    ((width - gap * columns.saturating_sub(1) as f32) / columns.max(1) as f32).max(0.0)
}

/// How many contents each column gets, in reading order, so that the highest column is as low as possible.
pub fn balance(hints: &[SizeHint], gap: f32, columns: usize) -> Vec<usize> {
    let heights: Vec<f32> = hints.iter().map(|hint| hint.natural).collect();
    let columns = columns.max(1);
    let fill = |limit: f32| {
        let mut counts = vec![0_usize];
        let mut height = 0.0;
        for one in &heights {
            let next = if counts[counts.len() - 1] == 0 { *one } else { height + gap + one };
            if next > limit + TOLERANCE && counts[counts.len() - 1] > 0 {
                counts.push(1);
                height = *one;
            } else {
                let last = counts.len() - 1;
                counts[last] += 1;
                height = next;
            }
        }
        counts
    };
    // The lowest limit, to a hundredth of a millimetre, at which the columns suffice. Very large heights have no
    // hundredths: the number of steps is bounded.
    let mut high = heights.iter().sum::<f32>() + gap * heights.len() as f32;
    let mut low = 0.0;
    for _ in 0..MAX_BISECTIONS {
        if high - low <= 0.01 {
            break;
        }
        let middle = (low + high) / 2.0;
        if fill(middle).len() > columns {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut counts = fill(high);
    counts.resize(columns, 0);
    counts
}

/// Contents for a page of a width, mm, each with its own: those of narrow columns stay narrow, side by side.
pub fn abreast(
    contents: impl Iterator<Item = (f32, Box<dyn Flowable>)>,
    width: f32,
    styles: &TextStyles,
) -> Vec<Box<dyn Flowable>> {
    let is_narrow = |own: f32| own <= width * NARROW;
    let mut runs: Vec<Vec<(f32, Box<dyn Flowable>)>> = Vec::new();
    for (own, content) in contents {
        match runs.last_mut().filter(|run| is_narrow(own) && is_narrow(run[0].0)) {
            Some(run) => run.push((own, content)),
            None => runs.push(vec![(own, content)]),
        }
    }
    let placed = runs.into_iter().map(|mut run| -> Box<dyn Flowable> {
        if run.len() < 2 {
            return run.remove(0).1;
        }
        let widest = run.iter().map(|(own, _)| *own).fold(1.0, f32::max);
        let columns = (((width + GAP) / (widest + GAP)) as usize).min(run.len());
        let column_width = even_width(width, GAP, columns);
        let hints: Vec<_> = run.iter().map(|(_, content)| content.measure(column_width, styles)).collect();
        let mut contents = run.into_iter().map(|(_, content)| content);
        let column = |count: usize| -> (f32, Box<dyn Flowable>) {
            (1.0 / columns as f32, Box::new(VStack::new(contents.by_ref().take(count).collect(), GAP, true)))
        };
        let parts = balance(&hints, GAP, columns).into_iter().map(column).collect();
        Box::new(HStack { parts, gap: GAP })
    });
    placed.collect()
}
