//! Scans a whole file for objects, when no cross-reference table locates them: for FDF files and files with a broken
//! table. Duplicate objects with different values, unreadable objects and holes between objects are errors.

use std::collections::HashMap;

use super::errors::{damaged, too_large};
use super::object::{ObjectReader, PdfObject, is_space};
use super::pdf_file::{PdfFile, XrefEntry, object_offsets};
use super::stream;
use moldloft_base::finding::Finding;

const SUM_MEMORY: usize = 24;

pub fn scan_objects(file: &mut PdfFile<'_>) -> Result<(), Finding> {
    let mut scan = ObjectScan { file, checksums: HashMap::new() };
    let bytes = scan.file.bytes();
    let mut at = 0;
    while at < bytes.len() {
        if scan.file.budget.is_spent() {
            return Err(too_large());
        }
        at = match bytes[at] {
            b'o' if bytes[at..].starts_with(b"obj") => scan.scan_object(at)?,
            b't' if bytes[at..].starts_with(b"trailer") => scan.scan_trailer(at + 7)?,
            0 => return Err(damaged(format!("missing data at byte {at}"))),
            _ => at + 1,
        };
    }
    Ok(())
}

struct ObjectScan<'f, 'a> {
    file: &'f mut PdfFile<'a>,
    checksums: HashMap<u32, u64>,
}

impl ObjectScan<'_, '_> {
    /// Reads the object with its `obj` at this position, if it is one; returns where to continue.
    fn scan_object(&mut self, at: usize) -> Result<usize, Finding> {
        let bytes = self.file.bytes();
        let Some((id, start)) = object_header_before(bytes, at) else { return Ok(at + 3) };
        let unreadable = || damaged(format!("cannot read object {id}"));
        let memory = self.file.budget.memory;
        let mut reader = ObjectReader::new(bytes, at + 3, &mut self.file.budget);
        let value = reader.read_object();
        reader.skip_space();
        let (is_stream, mut next) = (reader.take_word(b"stream"), reader.at);
        self.file.budget.memory = if self.file.budget.memory == 0 { 0 } else { memory };
        let value = match value {
            Some(value) => value,
            None if self.file.budget.is_spent() => return Err(too_large()),
            None => return Err(unreadable()),
        };
        if let (true, PdfObject::Dict(dict)) = (is_stream, &value) {
            let end = stream::stream_end(bytes, next, dict).ok_or_else(unreadable)?;
            self.file.budget.bytes = self.file.budget.bytes.saturating_sub(end.saturating_sub(next));
            match dict.get("Type") {
                Some(PdfObject::Name(kind)) if **kind == *b"XRef" => {
                    self.file.forget_root();
                    self.file.note_root(dict);
                }
                Some(PdfObject::Name(kind)) if **kind == *b"ObjStm" => {
                    let plain = stream::unpack(bytes, next, dict, &mut self.file.unpack_budget)?;
                    let places = object_offsets(&plain, dict).ok_or_else(unreadable)?;
                    self.file.budget.bytes = self.file.budget.bytes.saturating_add(plain.len() * 2);
                    for (inner, place) in places {
                        let memory = self.file.budget.memory;
                        let mut reader = ObjectReader::new(&plain, place as usize, &mut self.file.budget);
                        let value = reader.read_object();
                        let end = reader.at;
                        if value.is_none() {
                            let spent = self.file.budget.is_spent();
                            return Err(if spent {
                                too_large()
                            } else {
                                damaged(format!("cannot read object {inner}"))
                            });
                        }
                        self.file.budget.memory = memory;
                        self.enter_object(
                            inner,
                            XrefEntry::InStream(id),
                            plain.get(place as usize..end).unwrap_or_default(),
                        )?;
                    }
                }
                _ => {}
            }
            next = end;
        }
        let whole = bytes.get(at..next).unwrap_or_default();
        let start = u32::try_from(start).map_err(|_| too_large())?;
        self.enter_object(id, XrefEntry::At(start), whole)?;
        Ok(next.max(at + 3))
    }

    fn enter_object(&mut self, id: u32, entry: XrefEntry, bytes: &[u8]) -> Result<(), Finding> {
        let sum = bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
        });
        if self.file.enter_new(id, entry)? {
            self.file.budget.take_memory(SUM_MEMORY).ok_or_else(too_large)?;
            self.checksums.insert(id, sum);
            return Ok(());
        }
        if self.checksums.get(&id) == Some(&sum) {
            return Ok(());
        }
        Err(damaged(format!("duplicate object {id} with different values")))
    }

    fn scan_trailer(&mut self, at: usize) -> Result<usize, Finding> {
        let mut reader = ObjectReader::new(self.file.bytes(), at, &mut self.file.budget);
        let value = reader.read_object();
        let next = reader.at;
        match value {
            Some(PdfObject::Dict(dict)) => {
                self.file.forget_root();
                self.file.note_root(&dict);
                Ok(next.max(at))
            }
            _ => Err(damaged("cannot read the trailer")),
        }
    }
}

/// Number and start of the object with its `obj` at this position: `12 0 obj`.
fn object_header_before(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let begin = at.saturating_sub(40);
    let mut left = bytes.get(begin..at)?;
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
    Some((std::str::from_utf8(parts[3]).ok()?.parse().ok()?, begin + left.len()))
}
