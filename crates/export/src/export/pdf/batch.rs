//! Groups shapes of one kind into fewer operators without changing the picture: a shape may join an earlier batch of
//! its kind if nothing that it touches has been painted since. Knows only bounds and kinds.

use std::ops::Range;

/// Left, bottom, right, top.
pub type BoxBounds = [f32; 4];

fn overlaps(a: &BoxBounds, b: &BoxBounds) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

pub struct Batch<K> {
    pub kind: K,
    pub bytes: Vec<u8>,
    /// Current position of texts or outlines, as it is written.
    pub pen: (i64, i64),
    cells: [u32; ROWS],
    painted: Vec<BoxBounds>,
    solid: Vec<BoxBounds>,
}

/// The cells of a 32 by 32 grid that a box covers, to rule out overlaps quickly: the same columns of some rows.
struct Cells {
    rows: Range<usize>,
    columns: u32,
}

/// In painting order.
pub struct Batches<K> {
    list: Vec<Batch<K>>,
    width: f32,
    height: f32,
}

const ROWS: usize = 32;
/// Most batches need no more.
const USUAL_BYTES: usize = 128;
/// The most batches searched; more are rarely worth the time.
const MAX_LOOKBACK: usize = 24;

impl<K: PartialEq> Batches<K> {
    /// Page size in the unit of the boxes.
    pub fn new(width: f32, height: f32) -> Self {
        Self { list: Vec::new(), width: width.max(1.0), height: height.max(1.0) }
    }

    /// The batch for a shape. `painted`: everything it may cover; `solid`: the part that must not overlap others in its
    /// own batch, if any.
    pub fn batch_for(&mut self, kind: K, painted: BoxBounds, solid: Option<BoxBounds>) -> &mut Batch<K> {
        let cells = self.occupied_cells(&painted);
        let mut found = None;
        for (index, batch) in self.list.iter().enumerate().rev().take(MAX_LOOKBACK) {
            if batch.kind == kind {
                if solid.is_none_or(|solid| !batch.touches_any(&batch.solid, &solid, &cells)) {
                    found = Some(index);
                }
                break;
            }
            if batch.touches_any(&batch.painted, &painted, &cells) {
                break;
            }
        }
        let index = found.unwrap_or_else(|| {
            self.list.push(Batch {
                kind,
                bytes: Vec::with_capacity(USUAL_BYTES),
                pen: (0, 0),
                cells: [0; ROWS],
                painted: Vec::new(),
                solid: Vec::new(),
            });
            self.list.len() - 1
        });
        let batch = &mut self.list[index];
        batch.cells[cells.rows].iter_mut().for_each(|row| *row |= cells.columns);
        batch.painted.push(painted);
        batch.solid.extend(solid);
        batch
    }

    pub fn finish(self) -> Vec<Batch<K>> {
        self.list
    }

    fn occupied_cells(&self, bounds: &BoxBounds) -> Cells {
        let cell = |at: f32, size: f32| ((at / size * 32.0).clamp(0.0, 31.0)) as usize;
        let (left, right) = (cell(bounds[0], self.width), cell(bounds[2], self.width));
        let (bottom, top) = (cell(bounds[1], self.height), cell(bounds[3], self.height));
        let columns = (u32::MAX >> (31 - right.max(left))) & (u32::MAX << left);
        Cells { rows: bottom..top.max(bottom) + 1, columns }
    }
}

impl<K> Batch<K> {
    fn touches_any(&self, boxes: &[BoxBounds], bounds: &BoxBounds, cells: &Cells) -> bool {
        self.cells[cells.rows.clone()].iter().any(|row| row & cells.columns != 0)
            && boxes.iter().rev().any(|other| overlaps(other, bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_never_moves_before_what_it_covers() {
        let mut batches = Batches::new(100.0, 100.0);
        batches.batch_for('a', [0.0, 0.0, 10.0, 10.0], None);
        batches.batch_for('b', [20.0, 0.0, 30.0, 10.0], None);
        batches.batch_for('a', [40.0, 0.0, 50.0, 10.0], None);
        batches.batch_for('a', [25.0, 5.0, 35.0, 15.0], None);
        let kinds: String = batches.finish().iter().map(|batch| batch.kind).collect();
        assert_eq!(kinds, "aba");
    }

    #[test]
    fn what_may_not_overlap_gets_a_batch_of_its_own() {
        let mut batches = Batches::new(100.0, 100.0);
        for at in [0.0, 10.0, 15.0] {
            let bounds = [at, 0.0, at + 10.0, 10.0];
            batches.batch_for('a', bounds, Some(bounds));
        }
        assert_eq!(batches.finish().len(), 2);
    }
}
