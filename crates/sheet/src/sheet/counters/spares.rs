//! Spare counters: takes the packed pages of a job, adds to the last one as many again of the counters that a game
//! has spares of, without numbers, as far as it has room. They never need a page of their own.

use super::{BLOCK_MARGIN, Chit, ChitBlock, ChitSheet, CounterJob, rows_in};
use crate::sheet::counters::Backs;

/// A kind of spare, and the size of its piece, mm.
struct SpareKind {
    ship: usize,
    counter: usize,
    piece: (f32, f32),
    /// How many the ship has.
    count: usize,
}

/// The spares of one size.
struct SpareBlock<'a> {
    piece: (f32, f32),
    columns: usize,
    /// The kind of each spare where there is room for all: as many as there are counters.
    set: Vec<&'a SpareKind>,
    count: usize,
}

impl SpareBlock<'_> {
    /// Height of this many, mm.
    fn height(&self, count: usize) -> f32 {
        count.div_ceil(self.columns.max(1)) as f32 * self.piece.1
    }
}

impl ChitSheet {
    /// Adds rows of spares to the last page, sizes in turn, largest first.
    pub(super) fn add_spares(&self, job: &CounterJob<'_>, chits: &mut Vec<Chit>, pages: &mut [Vec<ChitBlock>]) {
        let Some(page) = pages.last_mut().filter(|page| !page.is_empty()) else { return };
        let area = self.printable.area;
        let wide = area.w - 2.0 * BLOCK_MARGIN;
        let mut top = page.iter().map(ChitBlock::bottom).fold(area.y, f32::max);
        let bottom = area.bottom() - self.footer_height;
        let kinds = spare_kinds(job, chits);
        let mut sizes: Vec<(f32, f32)> = kinds.iter().map(|kind| kind.piece).collect();
        sizes.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.total_cmp(&a.0)));
        sizes.dedup();
        let mut left = bottom - top;
        let mut blocks: Vec<SpareBlock<'_>> = Vec::new();
        for (n, &piece) in sizes.iter().enumerate() {
            let of_size: Vec<&SpareKind> = kinds.iter().filter(|kind| kind.piece == piece).collect();
            let columns = ((wide + 0.01) / piece.0).floor() as usize;
            // The sizes share what is left.
            let room = left / (sizes.len() - n) as f32 - 2.0 * BLOCK_MARGIN;
            let set = spares_of(job, &of_size);
            let count = (rows_in(room, piece.1) * columns).min(set.len());
            if count > 0 {
                let block = SpareBlock { piece, columns, set, count };
                left -= block.height(count) + 2.0 * BLOCK_MARGIN;
                blocks.push(block);
            }
        }
        for SpareBlock { piece, columns, set, count } in blocks {
            let first = chits.len();
            // Each kind beside its like, so that a strip is cut and kept together.
            chits.extend((0..count).map(|place| {
                let kind = set[place * set.len() / count];
                Chit { ship: kind.ship, counter: kind.counter, number: None, serial: 0 }
            }));
            let (x, y) = (area.x + BLOCK_MARGIN, top + BLOCK_MARGIN);
            page.push(ChitBlock { x, y, columns, piece_size: piece, chits: (first..chits.len()).collect() });
            top = page.last().map_or(top, ChitBlock::bottom);
        }
    }
}

impl ChitBlock {
    /// Its lower edge with the room for its cut marks.
    fn bottom(&self) -> f32 {
        self.y + self.chits.len().div_ceil(self.columns.max(1)) as f32 * self.piece_size.1 + BLOCK_MARGIN
    }
}

/// The kind of each spare of one size: of every counter as many as the ships have together, shared out among the
/// ships.
fn spares_of<'a>(job: &CounterJob<'_>, kinds: &[&'a SpareKind]) -> Vec<&'a SpareKind> {
    let id = |kind: &SpareKind| &job.ships[kind.ship].counters[kind.counter].id;
    let same = |one: &&SpareKind, other: &&SpareKind| id(one) == id(other);
    let mut spares = Vec::new();
    for ships in kinds.chunk_by(same) {
        let count: usize = ships.iter().map(|kind| kind.count).sum();
        spares.extend((0..count).map(|place| ships[place * ships.len() / count]));
    }
    spares
}

/// The counters with spares among those of a job, those of one kind together, each ship's once.
fn spare_kinds(job: &CounterJob<'_>, chits: &[Chit]) -> Vec<SpareKind> {
    let mut kinds: Vec<SpareKind> = Vec::new();
    let mut last = None;
    for chit in chits {
        let key = (chit.ship, chit.counter);
        if last.replace(key) == Some(key) {
            kinds.iter_mut().filter(|kind| (kind.ship, kind.counter) == key).for_each(|kind| kind.count += 1);
            continue;
        }
        let ship = &job.ships[chit.ship];
        let counter = &ship.counters[chit.counter];
        let has_spares = ship.ruleset.counters.iter().any(|known| known.id == counter.id && known.spares);
        if let Some(kind) = kinds.iter_mut().find(|kind| (kind.ship, kind.counter) == key) {
            kind.count += 1;
        } else if has_spares {
            let (w, h) = counter.size;
            let piece = (w, if job.backs == Backs::Fold { 2.0 * h } else { h });
            kinds.push(SpareKind { ship: chit.ship, counter: chit.counter, piece, count: 1 });
        }
    }
    let order = |kind: &SpareKind| {
        let ship = &job.ships[kind.ship];
        ship.ruleset.counters.iter().position(|known| known.id == ship.counters[kind.counter].id)
    };
    kinds.sort_by_key(order);
    kinds
}
