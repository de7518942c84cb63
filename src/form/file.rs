//! Finds the objects of a PDF or FDF file: takes its bytes, gives its values by number, each read when it is asked for. Programs that save a filled
//! form append to it, so the newest table of contents says which object counts; an object that it names and that cannot be read is an error, never
//! passed over for an older one. Where the table itself is unreadable the whole file is looked through, and then nothing may be doubtful in it.
//! Bounded in work and memory, whatever the file says.

use std::collections::{HashMap, HashSet};

use super::object::{Dict, Object, Reader, Work, is_space};
use super::{MORE, damaged, scan, stream, too_much};
use crate::finding::Finding;

/// How often the file's bytes, and those unpacked, may be looked at on average.
const LOOKS: usize = 2;
/// Memory that all values together may take at a time, in bytes: some 500,000 fields.
const MOST_MEMORY: usize = 96 * 1024 * 1024;
/// What an entry of the table of contents takes.
const ENTRY: usize = 32;
/// What a line of a packed table counts as, in bytes looked at.
const ROW: usize = 16;
/// Tables of contents that follow one another: a form that was saved so often.
const MOST_TABLES: usize = 4_096;
/// Unpacked streams that are kept at a time, in bytes.
const MOST_KEPT: usize = 48 * 1024 * 1024;

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// At this byte.
    At(u32),
    /// In a stream of objects, by the stream's number.
    In(u32),
    /// Given up.
    Free,
}

/// A file whose objects are read as they are asked for.
#[derive(Debug)]
pub struct File<'a> {
    bytes: &'a [u8],
    entries: HashMap<u32, Entry>,
    root: Option<Object>,
    /// Whether it is locked.
    pub encrypted: bool,
    /// What may still be done.
    pub work: Work,
    pub(super) unpack: stream::Budget,
    /// Unpacked streams of objects, the last used behind.
    kept: Vec<(u32, Packed)>,
}

/// An unpacked stream of objects.
#[derive(Debug)]
struct Packed {
    plain: Vec<u8>,
    /// Numbers and places, in the stream's order.
    places: Vec<(u32, u32)>,
}

impl<'a> File<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// `form-damaged` when its objects cannot be found for certain, `form-too-large`.
    pub fn of(bytes: &'a [u8]) -> Result<Self, Finding> {
        let begins = |with: &[u8]| bytes.windows(with.len()).take(1024).position(|window| window == with);
        let bytes = &bytes[begins(b"%PDF-").or_else(|| begins(b"%FDF-")).unwrap_or(0)..];
        let mut file = Self::empty(bytes);
        if file.read_tables().is_some() && (file.encrypted || file.has_root()) {
            return Ok(file);
        }
        if file.work.is_spent() || file.unpack.is_spent() {
            return Err(too_much());
        }
        // The table of contents is missing or broken.
        let unpack = file.unpack;
        let mut file = Self { unpack, ..Self::empty(bytes) };
        scan::all(&mut file)?;
        Ok(file)
    }

    fn empty(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            entries: HashMap::new(),
            root: None,
            encrypted: false,
            work: Work { bytes: bytes.len().saturating_mul(LOOKS) + 1_000_000, memory: MOST_MEMORY },
            unpack: stream::Budget::default(),
            kept: Vec::new(),
        }
    }

    /// The file's bytes, from its first line on.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether the catalogue is where the table says.
    fn has_root(&mut self) -> bool {
        let root = self.root.clone();
        root.is_some_and(|root| matches!(self.resolve(&root), Ok(Object::Dict(_))))
    }

    /// Reads the tables of contents, the newest first; `None` when one of them is not as it should be.
    fn read_tables(&mut self) -> Option<()> {
        let mut next = Some(last_table(self.bytes)?);
        let mut seen = HashSet::new();
        while let Some(at) = next {
            if !seen.insert(at) {
                break;
            }
            if seen.len() > MOST_TABLES {
                return None;
            }
            let trailer = self.table(at)?;
            self.note_root(&trailer);
            next = match trailer.get("Prev") {
                None => None,
                Some(Object::Number(prev)) => Some(usize::try_from(*prev).ok()?),
                Some(_) => return None,
            };
        }
        Some(())
    }

    /// Reads one table of contents, in either form; gives its trailer.
    fn table(&mut self, at: usize) -> Option<Dict> {
        let mut reader = Reader::new(self.bytes, at, &mut self.work);
        reader.skip_space();
        if !reader.takes(b"xref") {
            return self.table_stream(at);
        }
        let mut found: Vec<(u32, Entry)> = Vec::new();
        let trailer = loop {
            reader.skip_space();
            if reader.takes(b"trailer") {
                match reader.object()? {
                    Object::Dict(dict) => break dict,
                    _ => return None,
                }
            }
            let (first, count) = (reader.count()?, reader.count()?);
            for id in (first..).take(count) {
                let (place, _) = (reader.count()?, reader.count()?);
                reader.skip_space();
                let entry = match (reader.takes(b"n"), u32::try_from(place)) {
                    // Some programs write what is free so.
                    (true, Ok(0)) => Entry::Free,
                    (true, Ok(place)) => Entry::At(place),
                    _ if reader.takes(b"f") => Entry::Free,
                    _ => return None,
                };
                reader.charge(ENTRY)?;
                found.push((u32::try_from(id).ok()?, entry));
            }
        };
        // What is in both for programs of different age: what the older ones take for free is in a stream.
        if let Some(at) = trailer.get("XRefStm") {
            let Object::Number(at) = at else { return None };
            self.table_stream(usize::try_from(*at).ok()?)?;
        }
        self.work.memory += found.len() * ENTRY;
        for (id, entry) in found {
            self.enter(id, entry)?;
        }
        Some(trailer)
    }

    /// Keeps an entry unless a newer table has one.
    fn enter(&mut self, id: u32, entry: Entry) -> Option<()> {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.entries.entry(id) {
            self.work.take(ENTRY)?;
            vacant.insert(entry);
        }
        Some(())
    }

    /// A table of contents that is a stream.
    fn table_stream(&mut self, at: usize) -> Option<Dict> {
        let (_, value, data) = self.object_at(at)?;
        let Object::Dict(dict) = value else { return None };
        let plain = stream::plain(self.bytes, data?, &dict, &mut self.unpack).ok()?;
        let numbers = |key: &str| -> Option<Vec<usize>> {
            let Object::List(list) = dict.get(key)? else { return None };
            let number = |object: &Object| match object {
                Object::Number(number) => usize::try_from(*number).ok(),
                _ => None,
            };
            list.iter().map(number).collect()
        };
        let widths = numbers("W").filter(|widths| widths.len() == 3 && widths.iter().all(|width| *width <= 8))?;
        let width: usize = widths.iter().sum();
        let size = match dict.get("Size")? {
            Object::Number(size) => usize::try_from(*size).ok()?,
            _ => return None,
        };
        let index = if dict.has("Index") { numbers("Index")? } else { vec![0, size] };
        let mut rows = plain.chunks_exact(width.max(1));
        for run in index.chunks(2) {
            let [first, count] = run else { return None };
            for id in (*first..).take(*count) {
                let row = rows.next()?;
                self.work.bytes = self.work.bytes.checked_sub(ROW)?;
                let field = |from: usize, width: usize, without: u64| match width {
                    0 => without,
                    _ => row[from..from + width].iter().fold(0, |all, &byte| (all << 8) | u64::from(byte)),
                };
                let kind = field(0, widths[0], 1);
                let place = u32::try_from(field(widths[0], widths[1], 0)).ok()?;
                let entry = match kind {
                    0 => Entry::Free,
                    1 => Entry::At(place),
                    2 => Entry::In(place),
                    _ => continue,
                };
                self.enter(u32::try_from(id).ok()?, entry)?;
            }
        }
        Some(dict)
    }

    /// Takes note of what a trailer says of the whole; what a newer one said stands.
    pub(super) fn note_root(&mut self, trailer: &Dict) {
        if self.root.is_none() {
            self.root = trailer.get("Root").cloned();
        }
        self.encrypted |= trailer.has("Encrypt");
    }

    /// Forgets the root, for the next trailer's.
    pub(super) fn forget_root(&mut self) {
        self.root = None;
    }

    /// The object that begins at a byte: its number, its value, and where its stream's data begin.
    pub(super) fn object_at(&mut self, at: usize) -> Option<(u32, Object, Option<usize>)> {
        let mut reader = Reader::new(self.bytes, at, &mut self.work);
        let id = reader.count()?;
        reader.count()?;
        reader.skip_space();
        if !reader.takes(b"obj") {
            return None;
        }
        let value = reader.object()?;
        reader.skip_space();
        let (is_stream, at) = (reader.takes(b"stream"), reader.at);
        // A hole behind a value may have taken part of it.
        if self.bytes.get(at) == Some(&0) {
            return None;
        }
        Some((u32::try_from(id).ok()?, value, is_stream.then_some(at)))
    }

    /// The object of a number; `None` when the file has none of it.
    ///
    /// # Errors
    /// `form-damaged` when it cannot be read, `form-too-large`.
    fn object(&mut self, id: u32) -> Result<Option<Object>, Finding> {
        let value = match self.entries.get(&id).copied() {
            None | Some(Entry::Free) => return Ok(None),
            Some(Entry::At(at)) => match self.object_at(at as usize) {
                Some((known, value, None)) if known == id => Some(value),
                // What else stands in streams is no part of a form.
                Some((known, _, Some(_))) if known == id => Some(Object::Other),
                _ => None,
            },
            Some(Entry::In(within)) => self.packed(within, id)?,
        };
        match value {
            Some(value) => Ok(Some(value)),
            None if self.work.is_spent() || self.unpack.is_spent() => Err(too_much()),
            None => Err(damaged(format!("cannot read object {id}"))),
        }
    }

    /// An object within a stream of objects.
    fn packed(&mut self, within: u32, id: u32) -> Result<Option<Object>, Finding> {
        if let Some(place) = self.kept.iter().rposition(|(known, _)| *known == within) {
            let packed = self.kept.remove(place);
            self.kept.push(packed);
        } else {
            let Some(packed) = self.open_packed(within)? else { return Ok(None) };
            self.kept.push((within, packed));
            let mut size: usize = self.kept.iter().map(|(_, packed)| packed.plain.len()).sum();
            while size > MOST_KEPT && self.kept.len() > 1 {
                size -= self.kept.remove(0).1.plain.len();
            }
        }
        let Some((_, packed)) = self.kept.last() else { return Ok(None) };
        let place = packed.places.binary_search_by_key(&id, |(known, _)| *known).ok();
        let Some(place) = place.map(|place| packed.places[place].1 as usize) else { return Ok(None) };
        Ok(Reader::new(&packed.plain, place, &mut self.work).object())
    }

    fn open_packed(&mut self, within: u32) -> Result<Option<Packed>, Finding> {
        let Some(Entry::At(at)) = self.entries.get(&within).copied() else { return Ok(None) };
        let Some((_, Object::Dict(dict), Some(data))) = self.object_at(at as usize).filter(|found| found.0 == within)
        else {
            return Ok(None);
        };
        let plain = stream::plain(self.bytes, data, &dict, &mut self.unpack)?;
        self.work.bytes = self.work.bytes.saturating_add(plain.len().saturating_mul(LOOKS));
        let Some(mut places) = places(&plain, &dict) else { return Ok(None) };
        places.sort_by_key(|(id, _)| *id);
        Ok(Some(Packed { plain, places }))
    }

    /// A value, references followed.
    ///
    /// # Errors
    /// `form-damaged` when what it refers to is missing or cannot be read, `form-too-large`.
    pub fn resolve(&mut self, object: &Object) -> Result<Object, Finding> {
        let Object::Ref(first) = object else { return Ok(object.clone()) };
        let mut id = *first;
        for _ in 0..16 {
            match self.object(id)? {
                Some(Object::Ref(next)) => id = next,
                Some(value) => return Ok(value),
                None => return Err(damaged(format!("missing object {id}"))),
            }
        }
        Ok(Object::Other)
    }

    /// A dictionary's value, references followed.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn get(&mut self, dict: &Dict, key: &str) -> Result<Option<Object>, Finding> {
        match dict.get(key) {
            None | Some(Object::Other) => Ok(None),
            Some(object) => {
                self.resolve(object).map(Some).map(|object| object.filter(|object| *object != Object::Other))
            }
        }
    }

    /// The catalogue, or the newest object that holds a form where no trailer names it.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn catalogue(&mut self) -> Result<Option<Dict>, Finding> {
        if let Some(root) = self.root.clone() {
            return Ok(match self.resolve(&root)? {
                Object::Dict(dict) => Some(dict),
                _ => None,
            });
        }
        let mut ids: Vec<u32> = self.entries.keys().copied().collect();
        ids.sort_unstable();
        for id in ids.into_iter().rev() {
            let before = self.work.memory;
            if let Some(Object::Dict(dict)) = self.object(id)?
                && (dict.has("AcroForm") || dict.has("FDF"))
            {
                return Ok(Some(dict));
            }
            self.work.memory = before;
        }
        Ok(None)
    }

    /// Enters an object that was come upon; gives false when there is another of its number.
    pub(super) fn enter_new(&mut self, id: u32, entry: Entry) -> Result<bool, Finding> {
        let is_new = !self.entries.contains_key(&id);
        self.enter(id, entry).ok_or_else(too_much)?;
        Ok(is_new)
    }
}

/// Numbers and places of the objects in a stream; a comment may follow them.
pub(super) fn places(plain: &[u8], dict: &Dict) -> Option<Vec<(u32, u32)>> {
    let number = |key: &str| match dict.get(key) {
        Some(Object::Number(number)) => usize::try_from(*number).ok(),
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

/// Where the newest table of contents is: what the file's end says, and nothing else: an older end within the file is none.
fn last_table(bytes: &[u8]) -> Option<usize> {
    const WORD: &[u8] = b"startxref";
    const END: &[u8] = b"%%EOF";
    let end = bytes.windows(END.len()).rposition(|window| window == END)?;
    if bytes.len() - end > END.len() + MORE {
        return None;
    }
    let before = &bytes[end.saturating_sub(64)..end];
    let word = before.windows(WORD.len()).rposition(|window| window == WORD)?;
    let number: Vec<u8> = before[word + WORD.len()..].iter().copied().filter(|byte| !is_space(*byte)).collect();
    std::str::from_utf8(&number).ok()?.parse().ok()
}
