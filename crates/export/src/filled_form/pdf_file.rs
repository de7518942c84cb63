//! Finds the objects of a PDF or FDF file: takes its bytes, gives values by object number, read on demand. Programs
//! append to a filled form, so the newest cross-reference table decides which object is current; if that object is
//! unreadable, it is an error and no older one is used. If the table itself is unreadable, the whole file is scanned
//! and must be unambiguous. Work and memory are bounded.

use std::collections::{HashMap, HashSet};

use super::errors::{damaged, too_large};
use super::object::{ObjectReader, ParseBudget, PdfDict, PdfObject, is_space};
use super::stream;
use moldloft_base::finding::Finding;

/// How often the bytes, original and decompressed, may be read on average.
const MAX_PASSES: usize = 2;
/// Bytes that some programs append after the end.
const MAX_TRAILING_BYTES: usize = 1_024;
/// Largest memory of all values at a time, in bytes: enough for [`MAX_FIELDS`](super::MAX_FIELDS) fields in an FDF file,
/// where each takes three values, and its name twice.
const MAX_MEMORY: usize = 216 * 1024 * 1024;
const ENTRY_MEMORY: usize = 32;
/// Work of one row of a cross-reference stream, in bytes.
const ROW_COST: usize = 16;
/// The most cross-reference tables, one for each time the form was saved.
const MAX_TABLES: usize = 4_096;
/// Largest memory of decompressed streams, in bytes.
const MAX_CACHED_STREAMS: usize = 48 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XrefEntry {
    At(u32),
    InStream(u32),
    Free,
}

#[derive(Debug)]
pub struct PdfFile<'a> {
    bytes: &'a [u8],
    entries: HashMap<u32, XrefEntry>,
    root: Option<PdfObject>,
    pub encrypted: bool,
    pub budget: ParseBudget,
    pub(super) unpack_budget: stream::UnpackBudget,
    /// Decompressed object streams, most recently used last.
    cached_streams: Vec<(u32, ObjectStream)>,
}

#[derive(Debug)]
struct ObjectStream {
    data: Vec<u8>,
    /// Numbers and offsets, in the stream's order.
    offsets: Vec<(u32, u32)>,
}

impl<'a> PdfFile<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let begins = |with: &[u8]| bytes.windows(with.len()).take(1024).position(|window| window == with);
        Self::empty(&bytes[begins(b"%PDF-").or_else(|| begins(b"%FDF-")).unwrap_or(0)..])
    }

    fn empty(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            entries: HashMap::new(),
            root: None,
            encrypted: false,
            budget: ParseBudget { bytes: bytes.len().saturating_mul(MAX_PASSES) + 1_000_000, memory: MAX_MEMORY },
            unpack_budget: stream::UnpackBudget::default(),
            cached_streams: Vec::new(),
        }
    }

    /// Reads the cross-reference tables; false, and no object is known, unless they lead to a root.
    ///
    /// # Errors
    /// `form-too-large`.
    pub fn read_tables(&mut self) -> Result<bool, Finding> {
        if self.try_read_tables().is_some() && (self.encrypted || self.has_root()) {
            return Ok(true);
        }
        if self.budget.is_spent() || self.unpack_budget.is_spent() {
            return Err(too_large());
        }
        let unpack_budget = std::mem::take(&mut self.unpack_budget);
        *self = Self { unpack_budget, ..Self::empty(self.bytes) };
        Ok(false)
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    fn has_root(&mut self) -> bool {
        let root = self.root.clone();
        root.is_some_and(|root| matches!(self.resolve(&root), Ok(PdfObject::Dict(_))))
    }

    /// The newest table first; `None` if one is malformed.
    fn try_read_tables(&mut self) -> Option<()> {
        let mut next = Some(last_xref_offset(self.bytes)?);
        let mut seen = HashSet::new();
        while let Some(at) = next {
            if !seen.insert(at) {
                break;
            }
            if seen.len() > MAX_TABLES {
                return None;
            }
            let trailer = self.read_table(at)?;
            self.note_root(&trailer);
            next = match trailer.get("Prev") {
                None => None,
                Some(PdfObject::Number(prev)) => Some(usize::try_from(*prev).ok()?),
                Some(_) => return None,
            };
        }
        Some(())
    }

    /// Reads one table or stream; returns its trailer.
    fn read_table(&mut self, at: usize) -> Option<PdfDict> {
        let mut reader = ObjectReader::new(self.bytes, at, &mut self.budget);
        reader.skip_space();
        if !reader.take_word(b"xref") {
            return self.read_table_stream(at);
        }
        let mut found: Vec<(u32, XrefEntry)> = Vec::new();
        let trailer = loop {
            reader.skip_space();
            if reader.take_word(b"trailer") {
                match reader.read_object()? {
                    PdfObject::Dict(dict) => break dict,
                    _ => return None,
                }
            }
            let (first, count) = (reader.read_unsigned()?, reader.read_unsigned()?);
            for id in (first..).take(count) {
                let (place, _) = (reader.read_unsigned()?, reader.read_unsigned()?);
                reader.skip_space();
                let entry = match (reader.take_word(b"n"), u32::try_from(place)) {
                    // Some programs write free entries like this.
                    (true, Ok(0)) => XrefEntry::Free,
                    (true, Ok(place)) => XrefEntry::At(place),
                    _ if reader.take_word(b"f") => XrefEntry::Free,
                    _ => return None,
                };
                reader.charge(ENTRY_MEMORY)?;
                found.push((u32::try_from(id).ok()?, entry));
            }
        };
        // A hybrid file: what older programs take as free is in a stream.
        if let Some(at) = trailer.get("XRefStm") {
            let PdfObject::Number(at) = at else { return None };
            self.read_table_stream(usize::try_from(*at).ok()?)?;
        }
        self.budget.memory += found.len() * ENTRY_MEMORY;
        for (id, entry) in found {
            self.enter_entry(id, entry)?;
        }
        Some(trailer)
    }

    /// Adds an entry unless a newer table has one.
    fn enter_entry(&mut self, id: u32, entry: XrefEntry) -> Option<()> {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.entries.entry(id) {
            self.budget.take_memory(ENTRY_MEMORY)?;
            vacant.insert(entry);
        }
        Some(())
    }

    fn read_table_stream(&mut self, at: usize) -> Option<PdfDict> {
        let (_, value, data) = self.object_at(at)?;
        let PdfObject::Dict(dict) = value else { return None };
        let plain = stream::unpack(self.bytes, data?, &dict, &mut self.unpack_budget).ok()?;
        let numbers = |key: &str| -> Option<Vec<usize>> {
            let PdfObject::List(list) = dict.get(key)? else { return None };
            let number = |object: &PdfObject| match object {
                PdfObject::Number(number) => usize::try_from(*number).ok(),
                _ => None,
            };
            list.iter().map(number).collect()
        };
        let widths = numbers("W").filter(|widths| widths.len() == 3 && widths.iter().all(|width| *width <= 8))?;
        let width: usize = widths.iter().sum();
        let size = match dict.get("Size")? {
            PdfObject::Number(size) => usize::try_from(*size).ok()?,
            _ => return None,
        };
        let index = if dict.has("Index") { numbers("Index")? } else { vec![0, size] };
        let mut rows = plain.chunks_exact(width.max(1));
        for run in index.chunks(2) {
            let [first, count] = run else { return None };
            for id in (*first..).take(*count) {
                let row = rows.next()?;
                self.budget.bytes = self.budget.bytes.checked_sub(ROW_COST)?;
                let field = |from: usize, width: usize, without: u64| match width {
                    0 => without,
                    _ => row[from..from + width].iter().fold(0, |all, &byte| (all << 8) | u64::from(byte)),
                };
                let kind = field(0, widths[0], 1);
                let place = u32::try_from(field(widths[0], widths[1], 0)).ok()?;
                let entry = match kind {
                    0 => XrefEntry::Free,
                    1 => XrefEntry::At(place),
                    2 => XrefEntry::InStream(place),
                    _ => continue,
                };
                self.enter_entry(u32::try_from(id).ok()?, entry)?;
            }
        }
        Some(dict)
    }

    /// Takes the root from a trailer unless a newer one had it.
    pub(super) fn note_root(&mut self, trailer: &PdfDict) {
        if self.root.is_none() {
            self.root = trailer.get("Root").cloned();
        }
        self.encrypted |= trailer.has("Encrypt");
    }

    pub(super) fn forget_root(&mut self) {
        self.root = None;
    }

    /// The object at an offset: number, value, and start of its stream data.
    pub(super) fn object_at(&mut self, at: usize) -> Option<(u32, PdfObject, Option<usize>)> {
        let mut reader = ObjectReader::new(self.bytes, at, &mut self.budget);
        let id = reader.read_unsigned()?;
        reader.read_unsigned()?;
        reader.skip_space();
        if !reader.take_word(b"obj") {
            return None;
        }
        let value = reader.read_object()?;
        reader.skip_space();
        let (is_stream, at) = (reader.take_word(b"stream"), reader.at);
        // A hole after a value may have damaged it.
        if self.bytes.get(at) == Some(&0) {
            return None;
        }
        Some((u32::try_from(id).ok()?, value, is_stream.then_some(at)))
    }

    /// The object of a number; `None` if the file lacks it.
    ///
    /// # Errors
    /// `form-damaged` when it cannot be read, `form-too-large`.
    fn read_object(&mut self, id: u32) -> Result<Option<PdfObject>, Finding> {
        let value = match self.entries.get(&id).copied() {
            None | Some(XrefEntry::Free) => return Ok(None),
            Some(XrefEntry::At(at)) => match self.object_at(at as usize) {
                Some((known, value, None)) if known == id => Some(value),
                // Other streams are not part of a form.
                Some((known, _, Some(_))) if known == id => Some(PdfObject::Other),
                _ => None,
            },
            Some(XrefEntry::InStream(within)) => self.read_packed_object(within, id)?,
        };
        match value {
            Some(value) => Ok(Some(value)),
            None if self.budget.is_spent() || self.unpack_budget.is_spent() => Err(too_large()),
            None => Err(damaged(format!("cannot read object {id}"))),
        }
    }

    fn read_packed_object(&mut self, within: u32, id: u32) -> Result<Option<PdfObject>, Finding> {
        if let Some(place) = self.cached_streams.iter().rposition(|(known, _)| *known == within) {
            let packed = self.cached_streams.remove(place);
            self.cached_streams.push(packed);
        } else {
            let Some(packed) = self.open_object_stream(within)? else { return Ok(None) };
            self.cached_streams.push((within, packed));
            let mut size: usize = self.cached_streams.iter().map(|(_, packed)| packed.data.len()).sum();
            while size > MAX_CACHED_STREAMS && self.cached_streams.len() > 1 {
                size -= self.cached_streams.remove(0).1.data.len();
            }
        }
        let Some((_, packed)) = self.cached_streams.last() else { return Ok(None) };
        let place = packed.offsets.binary_search_by_key(&id, |(known, _)| *known).ok();
        let Some(place) = place.map(|place| packed.offsets[place].1 as usize) else { return Ok(None) };
        Ok(ObjectReader::new(&packed.data, place, &mut self.budget).read_object())
    }

    fn open_object_stream(&mut self, within: u32) -> Result<Option<ObjectStream>, Finding> {
        let Some(XrefEntry::At(at)) = self.entries.get(&within).copied() else { return Ok(None) };
        let Some((_, PdfObject::Dict(dict), Some(data))) =
            self.object_at(at as usize).filter(|found| found.0 == within)
        else {
            return Ok(None);
        };
        let plain = stream::unpack(self.bytes, data, &dict, &mut self.unpack_budget)?;
        self.budget.bytes = self.budget.bytes.saturating_add(plain.len().saturating_mul(MAX_PASSES));
        let Some(mut places) = object_offsets(&plain, &dict) else { return Ok(None) };
        places.sort_by_key(|(id, _)| *id);
        Ok(Some(ObjectStream { data: plain, offsets: places }))
    }

    /// Follows references.
    ///
    /// # Errors
    /// `form-damaged` when the target is missing or cannot be read, `form-too-large`.
    pub fn resolve(&mut self, object: &PdfObject) -> Result<PdfObject, Finding> {
        let PdfObject::Ref(first) = object else { return Ok(object.clone()) };
        let mut id = *first;
        for _ in 0..16 {
            match self.read_object(id)? {
                Some(PdfObject::Ref(next)) => id = next,
                Some(value) => return Ok(value),
                None => return Err(damaged(format!("missing object {id}"))),
            }
        }
        Ok(PdfObject::Other)
    }

    /// A value of a dictionary, with references followed.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn get(&mut self, dict: &PdfDict, key: &str) -> Result<Option<PdfObject>, Finding> {
        match dict.get(key) {
            None | Some(PdfObject::Other) => Ok(None),
            Some(object) => {
                self.resolve(object).map(Some).map(|object| object.filter(|object| *object != PdfObject::Other))
            }
        }
    }

    /// The catalogue; without a trailer that names it, the newest object with a form.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn catalogue(&mut self) -> Result<Option<PdfDict>, Finding> {
        if let Some(root) = self.root.clone() {
            return Ok(match self.resolve(&root)? {
                PdfObject::Dict(dict) => Some(dict),
                _ => None,
            });
        }
        let mut ids: Vec<u32> = self.entries.keys().copied().collect();
        ids.sort_unstable();
        for id in ids.into_iter().rev() {
            let before = self.budget.memory;
            if let Some(PdfObject::Dict(dict)) = self.read_object(id)?
                && (dict.has("AcroForm") || dict.has("FDF"))
            {
                return Ok(Some(dict));
            }
            self.budget.memory = before;
        }
        Ok(None)
    }

    /// Adds an object found by scanning; false when the number is in use.
    pub(super) fn enter_new(&mut self, id: u32, entry: XrefEntry) -> Result<bool, Finding> {
        let is_new = !self.entries.contains_key(&id);
        self.enter_entry(id, entry).ok_or_else(too_large)?;
        Ok(is_new)
    }
}

/// Numbers and offsets of the objects in a stream, which may be followed by a comment.
pub(super) fn object_offsets(plain: &[u8], dict: &PdfDict) -> Option<Vec<(u32, u32)>> {
    let number = |key: &str| match dict.get(key) {
        Some(PdfObject::Number(number)) => usize::try_from(*number).ok(),
        _ => None,
    };
    let (first, count) = (number("First")?, number("N")?);
    let mut words = plain.get(..first)?.split(|&byte| is_space(byte)).filter(|word| !word.is_empty());
    let mut next = || std::str::from_utf8(words.next()?).ok()?.parse::<u32>().ok();
    let first = u32::try_from(first).ok()?;
    let mut places = Vec::new();
    for _ in 0..count {
        places.push((next()?, next()?.checked_add(first)?));
    }
    Some(places)
}

/// Offset of the newest table, only from the end of the file: an older end marker inside it does not count.
fn last_xref_offset(bytes: &[u8]) -> Option<usize> {
    const WORD: &[u8] = b"startxref";
    const END: &[u8] = b"%%EOF";
    let end = bytes.windows(END.len()).rposition(|window| window == END)?;
    if bytes.len() - end > END.len() + MAX_TRAILING_BYTES {
        return None;
    }
    let before = &bytes[end.saturating_sub(64)..end];
    let word = before.windows(WORD.len()).rposition(|window| window == WORD)?;
    let number: Vec<u8> = before[word + WORD.len()..].iter().copied().filter(|byte| !is_space(*byte)).collect();
    std::str::from_utf8(&number).ok()?.parse().ok()
}

/// Whether the end marker is present, also after appended changes; otherwise the file was truncated and ticks may be
/// missing.
pub fn has_end_marker(bytes: &[u8]) -> bool {
    let last = bytes.windows(5).rposition(|window| window == b"%%EOF");
    let Some(behind) = last.map(|at| &bytes[at + 5..]) else { return false };
    behind.len() <= MAX_TRAILING_BYTES && !behind.contains(&0) && !behind.windows(3).any(|window| window == b"obj")
}
