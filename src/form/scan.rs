//! Looks a whole file through for its objects, where no table of contents says where they are: data exported as FDF, and files whose table is
//! broken. Nothing may be doubtful then: an object that is there twice with different values, one that cannot be read, a hole between two of
//! them are errors that name it.

use std::collections::HashMap;

use super::file::{Entry, File, places};
use super::object::{Object, Reader, is_space};
use super::{damaged, stream, too_much};
use crate::finding::Finding;

/// What a sum takes in memory.
const SUM: usize = 24;

/// Enters every object of a file.
pub fn all(file: &mut File<'_>) -> Result<(), Finding> {
    let mut scan = Scan { file, sums: HashMap::new() };
    let bytes = scan.file.bytes();
    let mut at = 0;
    while at < bytes.len() {
        if scan.file.work.is_spent() {
            return Err(too_much());
        }
        at = match bytes[at] {
            b'o' if bytes[at..].starts_with(b"obj") => scan.object(at)?,
            b't' if bytes[at..].starts_with(b"trailer") => scan.trailer(at + 7)?,
            0 => return Err(damaged(format!("missing bytes at byte {at}"))),
            _ => at + 1,
        };
    }
    Ok(())
}

struct Scan<'f, 'a> {
    file: &'f mut File<'a>,
    /// Of each object a sum over its bytes.
    sums: HashMap<u32, u64>,
}

impl Scan<'_, '_> {
    /// An object, if `obj` at this place begins one; gives where to go on.
    fn object(&mut self, at: usize) -> Result<usize, Finding> {
        let bytes = self.file.bytes();
        let Some((id, start)) = head_before(bytes, at) else { return Ok(at + 3) };
        let unreadable = || damaged(format!("cannot read object {id}"));
        let memory = self.file.work.memory;
        let mut reader = Reader::new(bytes, at + 3, &mut self.file.work);
        let value = reader.object();
        reader.skip_space();
        let (is_stream, mut next) = (reader.takes(b"stream"), reader.at);
        self.file.work.memory = if self.file.work.memory == 0 { 0 } else { memory };
        let value = match value {
            Some(value) => value,
            None if self.file.work.is_spent() => return Err(too_much()),
            None => return Err(unreadable()),
        };
        if let (true, Object::Dict(dict)) = (is_stream, &value) {
            let end = stream::end(bytes, next, dict).ok_or_else(unreadable)?;
            // Its bytes were looked at.
            self.file.work.bytes = self.file.work.bytes.saturating_sub(end.saturating_sub(next));
            match dict.get("Type") {
                Some(Object::Name(kind)) if **kind == *b"XRef" => {
                    self.file.forget_root();
                    self.file.note_root(dict);
                }
                Some(Object::Name(kind)) if **kind == *b"ObjStm" => {
                    let plain = stream::plain(bytes, next, dict, &mut self.file.unpack)?;
                    let places = places(&plain, dict).ok_or_else(unreadable)?;
                    self.file.work.bytes = self.file.work.bytes.saturating_add(plain.len() * 2);
                    for (inner, place) in places {
                        let memory = self.file.work.memory;
                        let mut reader = Reader::new(&plain, place as usize, &mut self.file.work);
                        let value = reader.object();
                        let end = reader.at;
                        if value.is_none() {
                            let spent = self.file.work.is_spent();
                            return Err(if spent {
                                too_much()
                            } else {
                                damaged(format!("cannot read object {inner}"))
                            });
                        }
                        self.file.work.memory = memory;
                        self.enter(inner, Entry::In(id), plain.get(place as usize..end).unwrap_or_default())?;
                    }
                }
                _ => {}
            }
            next = end;
        }
        let whole = bytes.get(at..next).unwrap_or_default();
        let start = u32::try_from(start).map_err(|_| too_much())?;
        self.enter(id, Entry::At(start), whole)?;
        Ok(next.max(at + 3))
    }

    fn enter(&mut self, id: u32, entry: Entry, bytes: &[u8]) -> Result<(), Finding> {
        let sum = bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
        });
        if self.file.enter_new(id, entry)? {
            self.file.work.take(SUM).ok_or_else(too_much)?;
            self.sums.insert(id, sum);
            return Ok(());
        }
        if self.sums.get(&id) == Some(&sum) {
            return Ok(());
        }
        Err(damaged(format!("duplicate object {id} with different values")))
    }

    fn trailer(&mut self, at: usize) -> Result<usize, Finding> {
        let mut reader = Reader::new(self.file.bytes(), at, &mut self.file.work);
        let value = reader.object();
        let next = reader.at;
        match value {
            Some(Object::Dict(dict)) => {
                self.file.forget_root();
                self.file.note_root(&dict);
                Ok(next.max(at))
            }
            _ => Err(damaged("cannot read the trailer")),
        }
    }
}

/// The number of the object that `obj` at this place begins, and where: `12 0 obj`.
fn head_before(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
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
