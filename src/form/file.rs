//! Finds the objects of a PDF or FDF file: takes its bytes, gives its values by number. Goes once from front to end and takes the last of
//! each number, as programs that save a filled form append to it; so a broken table of contents does no harm. Bounded in work and memory.

use std::collections::HashMap;

use flate2::{Decompress, FlushDecompress, Status};

use super::object::{Dict, Object, Reader, Work, is_space};

/// All compressed objects together may be so large when unpacked.
const MOST_UNPACKED: usize = 256 * 1024 * 1024;
/// Values that are kept at most.
const MOST_VALUES: usize = 6_000_000;
/// How often the file's bytes, and those unpacked, may be looked at on average.
const LOOKS: usize = 6;

/// What was found.
#[derive(Debug, Default)]
pub struct File {
    /// Values by their number.
    pub objects: HashMap<u32, Object>,
    /// The last trailer's root.
    pub root: Option<Object>,
    /// Whether it is locked.
    pub encrypted: bool,
    /// Whether it was too much.
    pub too_much: bool,
}

/// Reads a whole file.
pub fn read(bytes: &[u8]) -> File {
    let mut scan = Scan {
        bytes,
        file: File::default(),
        work: Work { bytes: bytes.len().saturating_mul(LOOKS).saturating_add(100_000), values: MOST_VALUES },
        unpacked: MOST_UNPACKED,
        no_end_after: None,
    };
    let mut at = 0;
    while at < bytes.len() && !scan.work.is_spent() {
        at = match bytes[at] {
            b'o' if bytes[at..].starts_with(b"obj") => scan.object(at),
            b't' if bytes[at..].starts_with(b"trailer") => scan.trailer(at + 7),
            _ => at + 1,
        };
    }
    scan.file.too_much |= scan.work.is_spent();
    scan.file
}

impl File {
    /// A value, references followed.
    pub fn resolve<'a>(&'a self, mut object: &'a Object) -> &'a Object {
        for _ in 0..16 {
            let Object::Ref(id) = object else { return object };
            object = self.objects.get(id).unwrap_or(&Object::Other);
        }
        &Object::Other
    }

    /// A dictionary's value, references followed.
    pub fn get<'a>(&'a self, dict: &'a Dict, key: &str) -> Option<&'a Object> {
        dict.get(key).map(|object| self.resolve(object)).filter(|object| **object != Object::Other)
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    file: File,
    work: Work,
    unpacked: usize,
    /// From here on there is no `endstream`.
    no_end_after: Option<usize>,
}

impl Scan<'_> {
    /// An object, if `obj` at this place begins one; gives where to go on.
    fn object(&mut self, at: usize) -> usize {
        let Some(id) = id_before(self.bytes, at) else { return at + 3 };
        let mut reader = Reader::new(self.bytes, at + 3, &mut self.work);
        let Some(object) = reader.object() else { return at + 3 };
        reader.skip_space();
        let is_stream = reader.takes(b"stream");
        let mut next = reader.at;
        if is_stream && let Object::Dict(dict) = &object {
            let start = self.data_start(next);
            let end = self.data_end(start, dict);
            next = end;
            let kind = dict.get("Type");
            if is_name(kind, b"XRef") {
                self.note_root(dict);
            }
            if is_name(kind, b"ObjStm") {
                self.unpack(start, end, dict);
            }
            // What else stands in streams is no part of a form.
            self.file.objects.insert(id, Object::Other);
            return next.max(at + 3);
        }
        self.file.objects.insert(id, object);
        next.max(at + 3)
    }

    fn trailer(&mut self, at: usize) -> usize {
        let mut reader = Reader::new(self.bytes, at, &mut self.work);
        let Some(Object::Dict(dict)) = reader.object() else { return at };
        let next = reader.at;
        self.note_root(&dict);
        next.max(at)
    }

    fn note_root(&mut self, dict: &Dict) {
        if let Some(root) = dict.get("Root") {
            self.file.root = Some(root.clone());
        }
        self.file.encrypted |= dict.contains_key("Encrypt");
    }

    /// Past the line end after `stream`.
    fn data_start(&self, at: usize) -> usize {
        match (self.bytes.get(at), self.bytes.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            (Some(b'\r' | b'\n'), _) => at + 1,
            _ => at,
        }
    }

    /// Where a stream's data ends: by its length if that is right, else at the next `endstream`.
    fn data_end(&mut self, start: usize, dict: &Dict) -> usize {
        if let Some(Object::Number(length)) = dict.get("Length")
            && let Some(end) = usize::try_from(*length).ok().and_then(|length| start.checked_add(length))
            && let Some(rest) = self.bytes.get(end..)
        {
            let spaces = rest.iter().take(4).take_while(|&&byte| is_space(byte)).count();
            if rest[spaces..].starts_with(b"endstream") {
                return end;
            }
        }
        if self.no_end_after.is_some_and(|none| start >= none) {
            return start;
        }
        let rest = self.bytes.get(start..).unwrap_or_default();
        match rest.windows(9).position(|window| window == b"endstream") {
            Some(length) => start + length,
            None => {
                self.no_end_after = Some(start);
                start
            }
        }
    }

    /// The objects packed in a stream.
    fn unpack(&mut self, start: usize, end: usize, dict: &Dict) {
        let Some(data) = self.bytes.get(start..end) else { return };
        let plain = match dict.get("Filter") {
            None => data.to_vec(),
            Some(Object::Name(name)) if **name == *b"FlateDecode" => self.inflate(data),
            Some(Object::List(list)) if matches!(&list[..], [Object::Name(name)] if **name == *b"FlateDecode") => {
                self.inflate(data)
            }
            Some(_) => return,
        };
        self.work.bytes = self.work.bytes.saturating_add(plain.len().saturating_mul(LOOKS));
        let first = match dict.get("First") {
            Some(Object::Number(first)) => usize::try_from(*first).unwrap_or(usize::MAX),
            _ => return,
        };
        let Some(head) = plain.get(..first) else { return };
        let mut numbers = head.split(|&byte| is_space(byte)).filter(|word| !word.is_empty());
        let mut number = || std::str::from_utf8(numbers.next()?).ok()?.parse::<u32>().ok();
        while let (Some(id), Some(offset)) = (number(), number()) {
            let at = first.saturating_add(offset as usize);
            if self.work.is_spent() {
                return;
            }
            if at < plain.len()
                && let Some(object) = Reader::new(&plain, at, &mut self.work).object()
            {
                self.file.objects.insert(id, object);
            }
        }
    }

    /// What packed bytes hold, as far as they can be read and the whole is not too large.
    fn inflate(&mut self, data: &[u8]) -> Vec<u8> {
        let mut unpacker = Decompress::new(true);
        let (mut plain, mut piece) = (Vec::new(), vec![0_u8; 64 * 1024]);
        loop {
            let (read, written) = (unpacker.total_in() as usize, unpacker.total_out());
            let status = unpacker.decompress(data.get(read..).unwrap_or_default(), &mut piece, FlushDecompress::None);
            let more = (unpacker.total_out() - written) as usize;
            let Some(left) = self.unpacked.checked_sub(more) else {
                self.file.too_much = true;
                return Vec::new();
            };
            self.unpacked = left;
            plain.extend_from_slice(&piece[..more]);
            match status {
                Ok(Status::Ok) if more > 0 || unpacker.total_in() as usize > read => {}
                _ => return plain,
            }
        }
    }
}

/// The number of the object that `obj` at this place begins: `12 0 obj`.
fn id_before(bytes: &[u8], at: usize) -> Option<u32> {
    let mut left = bytes.get(at.saturating_sub(40)..at)?;
    let mut cut = |is: fn(&u8) -> bool| {
        let length = left.iter().rev().take_while(|byte| is(byte)).count();
        let (rest, word) = left.split_at(left.len() - length);
        left = rest;
        word
    };
    let space: fn(&u8) -> bool = |byte| is_space(*byte);
    let parts = [cut(space), cut(u8::is_ascii_digit), cut(space), cut(u8::is_ascii_digit)];
    if parts.iter().any(|part| part.is_empty()) {
        return None;
    }
    std::str::from_utf8(parts[3]).ok()?.parse().ok()
}

fn is_name(object: Option<&Object>, name: &[u8]) -> bool {
    matches!(object, Some(Object::Name(known)) if **known == *name)
}
