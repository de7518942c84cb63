//! Writes a file object by object: streams immediately, other objects in object streams that are compressed when full.
//! A file of a million objects needs the memory of its compressed bytes, eight bytes per object, and one object stream.

use lopdf::{Dictionary, Object};

use super::syntax::{compress, put_name, put_object, put_separated};
use crate::export::page_work::ExportError;

pub struct ObjectWriter {
    out: Vec<u8>,
    locations: Vec<ObjectLocation>,
    pending: Vec<u8>,
    index: Vec<(u32, usize)>,
    per_stream: usize,
    /// The largest size of `pending` so far.
    #[cfg(test)]
    pub most_pending: usize,
}

#[derive(Clone, Copy)]
enum ObjectLocation {
    Free,
    At(u32),
    Within { stream: u32, index: u16 },
}

/// Largest object stream, in bytes before compression.
const MAX_STREAM_BYTES: usize = 256 * 1024;
/// Largest file with offsets that fit in four bytes.
const MAX_FILE_BYTES: usize = u32::MAX as usize;

impl ObjectWriter {
    /// `known`: the object numbers already assigned; `per_stream`: the most objects in one object stream; `about`: the
    /// expected size in bytes.
    pub fn new(known: u32, per_stream: u16, about: usize) -> Self {
        // Growing it would at times hold it twice.
        let mut out = Vec::with_capacity(about);
        out.extend_from_slice(b"%PDF-1.7\n%");
        out.extend_from_slice(&[0xBB, 0xAD, 0xC0, 0xDE, b'\n']);
        Self {
            out,
            locations: vec![ObjectLocation::Free; known as usize + 1],
            pending: Vec::new(),
            index: Vec::new(),
            per_stream: usize::from(per_stream.max(1)),
            #[cfg(test)]
            most_pending: 0,
        }
    }

    pub fn reserve(&mut self) -> u32 {
        self.locations.push(ObjectLocation::Free);
        self.locations.len() as u32 - 1
    }

    pub fn put_bytes(&mut self, number: u32, bytes: &[u8]) {
        self.index.push((number, self.pending.len()));
        self.pending.extend_from_slice(bytes);
        self.pending.push(b'\n');
        #[cfg(test)]
        {
            self.most_pending = self.most_pending.max(self.pending.len());
        }
        if self.index.len() >= self.per_stream || self.pending.len() >= MAX_STREAM_BYTES {
            self.flush_object_stream();
        }
    }

    pub fn put_object(&mut self, number: u32, object: &Object) {
        let mut bytes = Vec::new();
        put_object(&mut bytes, object);
        if matches!(object, Object::Stream(_)) {
            self.put_direct(number, &bytes);
        } else {
            self.put_bytes(number, &bytes);
        }
    }

    fn flush_object_stream(&mut self) {
        if self.index.is_empty() {
            return;
        }
        let stream = self.reserve();
        let mut content = Vec::with_capacity(self.pending.len() + 12 * self.index.len());
        for (at, &(number, start)) in self.index.iter().enumerate() {
            content.extend_from_slice(format!("{number} {start} ").as_bytes());
            if let Some(place) = self.locations.get_mut(number as usize) {
                *place = ObjectLocation::Within { stream, index: at as u16 };
            }
        }
        let (first, count) = (content.len(), self.index.len());
        content.extend_from_slice(&self.pending);
        self.pending.clear();
        self.index.clear();
        let packed = compress(&content);
        let mut bytes =
            format!("<</Type/ObjStm/N {count}/First {first}/Filter/FlateDecode/Length {}>>stream\n", packed.len())
                .into_bytes();
        bytes.extend_from_slice(&packed);
        bytes.extend_from_slice(b"\nendstream");
        self.put_direct(stream, &bytes);
    }

    fn put_direct(&mut self, number: u32, bytes: &[u8]) {
        if let Some(place) = self.locations.get_mut(number as usize) {
            *place = ObjectLocation::At(self.out.len() as u32);
        }
        self.out.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(b"\nendobj\n");
    }

    /// Completes the file; `trailer` names the root.
    ///
    /// # Errors
    /// A file larger than four gigabytes.
    pub fn finish(mut self, trailer: &Dictionary) -> Result<Vec<u8>, ExportError> {
        self.flush_object_stream();
        let own = self.reserve();
        let start = self.out.len();
        if start > MAX_FILE_BYTES {
            return Err(ExportError::Failed("it would be larger than 4 GB".into()));
        }
        self.locations[own as usize] = ObjectLocation::At(start as u32);
        let most = self.locations.iter().map(|place| match place {
            ObjectLocation::Free => 0,
            ObjectLocation::At(at) => *at,
            ObjectLocation::Within { stream, .. } => *stream,
        });
        // As few bytes as the largest offset needs.
        let wide = 4 - most.max().unwrap_or(0).leading_zeros() as usize / 8;
        let row = 1 + wide + 2;
        let mut rows = Vec::with_capacity((row + 1) * self.locations.len());
        let mut before = vec![0_u8; row];
        for place in &self.locations {
            let (kind, first, second): (u8, u32, u16) = match *place {
                ObjectLocation::Free => (0, 0, u16::MAX),
                ObjectLocation::At(at) => (1, at, 0),
                ObjectLocation::Within { stream, index } => (2, stream, index),
            };
            let mut now = vec![kind];
            now.extend_from_slice(&first.to_be_bytes()[4 - wide..]);
            now.extend_from_slice(&second.to_be_bytes());
            // Each row as its difference from the one above, since most increase steadily.
            rows.push(2);
            rows.extend(now.iter().zip(&before).map(|(now, before)| now.wrapping_sub(*before)));
            before = now;
        }
        let packed = compress(&rows);
        let mut bytes = b"<<".to_vec();
        for (name, value) in
            trailer.iter().filter(|(name, _)| [&b"Root"[..], b"Info", b"ID"].contains(&name.as_slice()))
        {
            put_name(&mut bytes, name);
            put_separated(&mut bytes, value);
        }
        bytes.extend_from_slice(
            format!(
                "/Type/XRef/Size {}/W[1 {wide} 2]/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns {row}>>/Length {}>>stream\n",
                self.locations.len(),
                packed.len()
            )
            .as_bytes(),
        );
        bytes.extend_from_slice(&packed);
        bytes.extend_from_slice(b"\nendstream");
        self.put_direct(own, &bytes);
        self.out.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use lopdf::{Document, dictionary};

    use super::*;

    #[test]
    fn what_is_written_is_read_and_little_waits() {
        let mut file = ObjectWriter::new(2, 400, 0);
        let first = file.reserve();
        for n in 0..20_000_u32 {
            let number = if n == 0 { first } else { file.reserve() };
            assert_eq!(number, numbered(first, n));
            file.put_object(
                number,
                &Object::from(dictionary! { "N" => i64::from(n), "T" => Object::string_literal("a (b \\ c") }),
            );
        }
        file.put_object(1, &dictionary! { "Type" => "Catalog", "Pages" => (2, 0) }.into());
        file.put_object(2, &dictionary! { "Type" => "Pages", "Kids" => Vec::<Object>::new(), "Count" => 0 }.into());
        assert!(file.most_pending < 400 * 60, "{}", file.most_pending);
        let bytes = file.finish(&dictionary! { "Root" => (1, 0) }).expect("a file");
        let read = Document::load_mem(&bytes).expect("a PDF");
        for n in 0..20_000_u32 {
            let dict = read.get_dictionary((numbered(first, n), 0)).expect("an object");
            assert_eq!(dict.get(b"N").and_then(Object::as_i64).expect("a number"), i64::from(n));
            assert_eq!(dict.get(b"T").and_then(Object::as_str).expect("a text"), b"a (b \\ c");
        }
    }

    /// After every four hundred objects, one number goes to their stream.
    fn numbered(first: u32, n: u32) -> u32 {
        first + n + n / 400
    }
}
