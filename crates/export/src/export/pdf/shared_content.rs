//! Cuts the contents of pages into streams, so that what several pages have in common is stored once. A page's streams
//! in their order are its bytes as they were, so that nothing depends on where the cuts are.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use rayon::prelude::*;

use super::content::EncodedContent;
use super::syntax::compress;
use moldloft_base::hash::Fnv64;

/// Pages that are searched together: what is repeated is found among them, and in those before if it was shared there.
pub const PAGES_AT_ONCE: usize = 256;
/// Bytes of shared content that are kept to be found in later pages.
const MAX_KNOWN_BYTES: usize = 8 * 1024 * 1024;
/// What a stream of its own costs, in bytes before compression: its dictionary, and that it is compressed apart.
const STREAM_COST: usize = 1500;
/// Content shorter than this is joined to its rarer neighbour rather than shared with more pages.
const SHORT: usize = 2500;
/// How often contents are joined to longer ones.
const ROUNDS: usize = 6;

/// A page's content before compression.
pub struct RawPage {
    pub bytes: Vec<u8>,
    /// Where it may be cut, in ascending order, with its end: between operators, outside text objects and `q`…`Q`.
    pub cuts: Vec<usize>,
}

/// The pages so far: their streams, and all else of each.
#[derive(Default)]
pub struct EncodedPages {
    pub streams: PageStreams,
    /// Without bytes.
    pub pages: Vec<EncodedContent>,
}

impl EncodedPages {
    /// At most [`PAGES_AT_ONCE`], as for [`PageStreams::add`].
    pub fn add(&mut self, mut pages: Vec<EncodedContent>) {
        let raw = pages
            .iter_mut()
            .map(|page| RawPage { bytes: std::mem::take(&mut page.bytes), cuts: std::mem::take(&mut page.cuts) });
        self.streams.add(&raw.collect::<Vec<_>>());
        self.pages.extend(pages);
    }
}

/// The streams of the pages so far.
#[derive(Default)]
pub struct PageStreams {
    /// Compressed with zlib.
    pub streams: Vec<Vec<u8>>,
    /// For each page its streams, at least one.
    pub pages: Vec<Vec<usize>>,
    /// By the first part.
    known: HashMap<Box<[u8]>, Vec<KnownContent>>,
    known_bytes: usize,
}

struct KnownContent {
    bytes: Box<[u8]>,
    stream: usize,
}

/// Successive parts of a page that are stored together.
#[derive(Clone)]
struct Piece {
    /// The same for the same bytes cut at the same places.
    id: usize,
    range: Range<usize>,
    /// The stream that holds it already.
    known: Option<usize>,
}

impl PageStreams {
    /// Adds pages that follow those so far; at most [`PAGES_AT_ONCE`], the same number each time for the same result.
    pub fn add(&mut self, pages: &[RawPage]) {
        let mut pieces = self.find_known(pages);
        for _ in 0..ROUNDS {
            if !join_pieces(&mut pieces) {
                break;
            }
        }
        let count = counts(pieces.iter().flatten().map(|piece| piece.id));
        let mut shared: HashMap<usize, usize> = HashMap::new();
        // Page and part of the streams that are new.
        let mut new: Vec<(usize, Range<usize>)> = Vec::new();
        let first = self.streams.len();
        for (number, (page, pieces)) in pages.iter().zip(&pieces).enumerate() {
            let mut own: Vec<usize> = Vec::new();
            let mut private: Option<usize> = None;
            for piece in pieces {
                let times = count[piece.id];
                let stream = if let Some(stream) = piece.known {
                    private = None;
                    stream
                } else if times > 1 && (times - 1) * piece.range.len() > times * STREAM_COST {
                    private = None;
                    *shared.entry(piece.id).or_insert_with(|| {
                        new.push((number, piece.range.clone()));
                        first + new.len() - 1
                    })
                } else if let Some(open) = private {
                    new[open].1.end = piece.range.end;
                    continue;
                } else {
                    private = Some(new.len());
                    new.push((number, piece.range.clone()));
                    first + new.len() - 1
                };
                own.push(stream);
            }
            if page.bytes.is_empty() {
                own.push(first + new.len());
                new.push((number, 0..0));
            }
            self.pages.push(own);
        }
        let compressed = new.par_iter().map(|(page, range)| compress(&pages[*page].bytes[range.clone()]));
        self.streams.par_extend(compressed.map(|mut bytes| {
            bytes.shrink_to_fit();
            bytes
        }));
        let mut shared: Vec<usize> = shared.into_values().collect();
        shared.sort_unstable();
        for stream in shared {
            let (page, range) = &new[stream - first];
            self.remember(&pages[*page], range, stream);
        }
    }

    fn remember(&mut self, page: &RawPage, range: &Range<usize>, stream: usize) {
        if self.known_bytes + range.len() > MAX_KNOWN_BYTES {
            return;
        }
        self.known_bytes += range.len();
        let head = page.cuts.iter().find(|&&cut| cut > range.start).map_or(range.end, |&cut| cut);
        let known = self.known.entry(page.bytes[range.start..head].into()).or_default();
        known.push(KnownContent { bytes: page.bytes[range.clone()].into(), stream });
        // The longest first.
        known.sort_by_key(|known| std::cmp::Reverse(known.bytes.len()));
    }

    /// The parts of each page, those of earlier pages' shared content together.
    fn find_known(&self, pages: &[RawPage]) -> Vec<Vec<Piece>> {
        // To grow it would be to hash all contents again.
        let mut ids: HashMap<&[u8], usize> = HashMap::with_capacity(pages.iter().map(|page| page.cuts.len()).sum());
        let mut all = Vec::with_capacity(pages.len());
        for page in pages {
            let (mut start, mut at) = (0, 0);
            let mut pieces = Vec::with_capacity(page.cuts.len());
            while let Some(&end) = page.cuts.get(at) {
                let candidates = self.known.get(&page.bytes[start..end]).map_or(&[][..], Vec::as_slice);
                let rest = &page.bytes[start..];
                let found = candidates.iter().filter(|known| rest.starts_with(&known.bytes)).find_map(|known| {
                    let next = page.cuts.binary_search(&(start + known.bytes.len())).ok()?;
                    Some((next, known))
                });
                let next = ids.len();
                if let Some((last, known)) = found {
                    let range = start..page.cuts[last];
                    pieces.push(Piece {
                        id: *ids.entry(&page.bytes[range.clone()]).or_insert(next),
                        range,
                        known: Some(known.stream),
                    });
                    at = last;
                } else {
                    let id = *ids.entry(&page.bytes[start..end]).or_insert(next);
                    pieces.push(Piece { id, range: start..end, known: None });
                }
                start = page.cuts[at];
                at += 1;
            }
            all.push(pieces);
        }
        all
    }
}

fn counts(ids: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut count = Vec::new();
    for id in ids {
        if count.len() <= id {
            count.resize(id + 1, 0);
        }
        count[id] += 1;
    }
    count
}

/// Joins neighbours that always occur together, and short pieces to a rarer neighbour that they always follow or
/// precede. Tells whether any were joined.
fn join_pieces(pages: &mut [Vec<Piece>]) -> bool {
    let count = counts(pages.iter().flatten().map(|piece| piece.id));
    let mut pairs: HashMap<(usize, usize), usize, BuildHasherDefault<Fnv64>> = HashMap::default();
    for pieces in pages.iter() {
        for pair in pieces.windows(2) {
            *pairs.entry((pair[0].id, pair[1].id)).or_default() += 1;
        }
    }
    let belong = |left: &Piece, right: &Piece| {
        if left.known.is_some() || right.known.is_some() {
            return false;
        }
        let together = pairs.get(&(left.id, right.id)).copied().unwrap_or(0);
        let (of_left, of_right) = (count[left.id], count[right.id]);
        let (rare, often) = if of_left <= of_right { (of_left, right) } else { (of_right, left) };
        together == rare && (of_left == of_right || (rare > 1 && often.range.len() < SHORT))
    };
    let mut joined = false;
    let mut ids: HashMap<Vec<usize>, usize> = HashMap::new();
    for pieces in pages.iter_mut() {
        let mut longer = Vec::with_capacity(pieces.len());
        for run in pieces.chunk_by(belong) {
            joined |= run.len() > 1;
            let next = ids.len();
            let id = *ids.entry(run.iter().map(|piece| piece.id).collect()).or_insert(next);
            longer.push(Piece { id, range: run[0].range.start..run[run.len() - 1].range.end, known: run[0].known });
        }
        *pieces = longer;
    }
    joined
}
