//! States and their probabilities. A state is a row of numbers; each is kept once, and has its place in the order of first meeting, so that nothing
//! depends on a hash's order.

use moldloft_rules::formula::Weight;

/// A set of rows of equal length.
#[derive(Clone, Debug)]
pub(super) struct StateTable {
    stride: usize,
    cells: Vec<i64>,
    length: usize,
    /// Open addressing: place + 1 of a row, 0 where free, and a part of its hash. Made when a row is looked for.
    index: Vec<(u32, u32)>,
    /// Rows that are in the index.
    indexed: usize,
}

impl StateTable {
    pub fn new(stride: usize) -> Self {
        Self { stride, cells: Vec::new(), length: 0, index: Vec::new(), indexed: 0 }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn stride(&self) -> usize {
        self.stride
    }

    pub fn row(&self, place: usize) -> &[i64] {
        &self.cells[place * self.stride..(place + 1) * self.stride]
    }

    /// Adds a row that is certainly not there.
    pub fn push(&mut self, row: &[i64]) {
        self.cells.extend_from_slice(row);
        self.length += 1;
    }

    /// The place of a row, which is added if it is new.
    pub fn insert(&mut self, row: &[i64]) -> usize {
        if self.length * 2 >= self.index.len() || self.indexed < self.length {
            self.index_all();
        }
        let mask = self.index.len() - 1;
        let (start, part) = hash(row);
        let mut slot = start & mask;
        loop {
            match self.index[slot] {
                (0, _) => {
                    let place = self.length;
                    self.index[slot] = (u32::try_from(place + 1).unwrap_or(u32::MAX), part);
                    self.push(row);
                    self.indexed = self.length;
                    return place;
                }
                // Rows are short: faster than a call.
                (known, other) if other == part && self.row(known as usize - 1).iter().eq(row) => {
                    return known as usize - 1;
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Makes the index anew, four times as long as there are rows.
    fn index_all(&mut self) {
        let mut index = vec![(0, 0); (self.length * 4).next_power_of_two().max(16)];
        let mask = index.len() - 1;
        for place in 0..self.length {
            let (start, part) = hash(self.row(place));
            let mut slot = start & mask;
            while index[slot].0 != 0 {
                slot = (slot + 1) & mask;
            }
            index[slot] = (u32::try_from(place + 1).unwrap_or(u32::MAX), part);
        }
        self.index = index;
        self.indexed = self.length;
    }
}

/// Where a row's search begins, and a part of its hash to compare.
fn hash(row: &[i64]) -> (usize, u32) {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = row.iter().fold(0_u64, |hash, cell| {
        let product = u128::from(hash ^ cell.cast_unsigned() ^ FACTOR) * u128::from(FACTOR);
        (product >> 64) as u64 ^ product as u64
    });
    ((mixed >> 32) as usize, mixed as u32)
}

/// A distribution over states. Tagged states have one more cell, after all others: where they began.
#[derive(Clone, Debug)]
pub(super) struct Distribution<W> {
    pub table: StateTable,
    pub weights: Vec<W>,
    pub tagged: bool,
    /// What was left out, by tag; one number if not tagged.
    pub lost: Vec<W>,
}

impl<W: Weight> Distribution<W> {
    pub fn new(width: usize) -> Self {
        Self { table: StateTable::new(width), weights: Vec::new(), tagged: false, lost: vec![W::zero()] }
    }

    pub fn certain(state: &[i64]) -> Self {
        let mut one = Self::new(state.len());
        one.add(state, &W::one());
        one
    }

    /// States with `tags` different tags.
    pub fn tagged(width: usize, tags: usize) -> Self {
        Self { table: StateTable::new(width + 1), weights: Vec::new(), tagged: true, lost: vec![W::zero(); tags] }
    }

    /// Without states, for what comes of this one.
    pub fn emptied(&self) -> Self {
        Self {
            table: StateTable::new(self.table.stride),
            weights: Vec::new(),
            tagged: self.tagged,
            lost: vec![W::zero(); self.lost.len()],
        }
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Cells of a state without its tag.
    pub fn width(&self) -> usize {
        self.table.stride - usize::from(self.tagged)
    }

    pub fn add(&mut self, state: &[i64], weight: &W) {
        let place = self.table.insert(state);
        match self.weights.get_mut(place) {
            Some(sum) => sum.add(weight),
            None => self.weights.push(weight.clone()),
        }
    }

    /// Adds a state that is certainly not there.
    pub fn push(&mut self, state: &[i64], weight: W) {
        self.table.push(state);
        self.weights.push(weight);
    }

    /// The tag of a state, 0 if not tagged.
    pub fn tag(&self, state: &[i64]) -> usize {
        if self.tagged { state.last().map_or(0, |tag| usize::try_from(*tag).unwrap_or(0)) } else { 0 }
    }

    /// Counts a part of this state's probability as lost.
    pub fn lose(&mut self, state: &[i64], weight: &W) {
        let tag = self.tag(state);
        if let Some(lost) = self.lost.get_mut(tag) {
            lost.add(weight);
        }
    }

    pub fn lose_as(&mut self, other: &Self) {
        for (lost, more) in self.lost.iter_mut().zip(&other.lost) {
            lost.add(more);
        }
    }

    pub fn states(&self) -> impl Iterator<Item = (&[i64], &W)> {
        self.weights.iter().enumerate().map(|(place, weight)| (self.table.row(place), weight))
    }
}
