//! PDF objects as bytes, with as little space as possible, and compressed streams.

use std::cell::RefCell;

use flate2::{Compress, Compression, FlushCompress, Status};
use lopdf::{Dictionary, Object, StringFormat};

pub fn put_object(out: &mut Vec<u8>, object: &Object) {
    match object {
        Object::Null => out.extend_from_slice(b"null"),
        Object::Boolean(yes) => out.extend_from_slice(if *yes { b"true" } else { b"false" }),
        Object::Integer(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Object::Real(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Object::Name(name) => put_name(out, name),
        Object::String(text, StringFormat::Hexadecimal) => {
            out.push(b'<');
            text.iter().for_each(|byte| out.extend_from_slice(format!("{byte:02X}").as_bytes()));
            out.push(b'>');
        }
        Object::String(text, StringFormat::Literal) => {
            out.push(b'(');
            put_string_bytes(out, text);
            out.push(b')');
        }
        Object::Array(list) => {
            out.push(b'[');
            for (at, object) in list.iter().enumerate() {
                if at > 0 {
                    put_separated(out, object);
                } else {
                    put_object(out, object);
                }
            }
            out.push(b']');
        }
        Object::Dictionary(dictionary) => put_dictionary(out, dictionary),
        Object::Stream(stream) => {
            put_dictionary(out, &stream.dict);
            out.extend_from_slice(b"stream\n");
            out.extend_from_slice(&stream.content);
            out.extend_from_slice(b"\nendstream");
        }
        Object::Reference((number, generation)) => out.extend_from_slice(format!("{number} {generation} R").as_bytes()),
    }
}

/// What is between the brackets of a string.
pub fn put_string_bytes(out: &mut Vec<u8>, text: &[u8]) {
    for &byte in text {
        match byte {
            b'(' | b')' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => out.push(byte),
        }
    }
}

fn put_dictionary(out: &mut Vec<u8>, dictionary: &Dictionary) {
    out.extend_from_slice(b"<<");
    for (name, value) in dictionary {
        put_name(out, name);
        put_separated(out, value);
    }
    out.extend_from_slice(b">>");
}

/// Appends an object, after a space only where necessary.
pub fn put_separated(out: &mut Vec<u8>, object: &Object) {
    if matches!(object, Object::Null | Object::Boolean(_) | Object::Integer(_) | Object::Real(_) | Object::Reference(_))
    {
        out.push(b' ');
    }
    put_object(out, object);
}

pub fn put_name(out: &mut Vec<u8>, name: &[u8]) {
    out.push(b'/');
    for &byte in name {
        if b"()<>[]{}/%#".contains(&byte) || !(33..=126).contains(&byte) {
            out.extend_from_slice(format!("#{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
}

/// A list of references under a name; 0 is omitted.
pub fn put_list(out: &mut Vec<u8>, name: &[u8], numbers: &[u32]) {
    out.extend_from_slice(name);
    out.push(b'[');
    for (at, number) in numbers.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        match number {
            0 => out.extend_from_slice(b"null"),
            number => out.extend_from_slice(format!("{number} 0 R").as_bytes()),
        }
    }
    out.push(b']');
}

/// A text string: ASCII, else UTF-16 with a byte-order mark.
pub fn text_string(text: &str) -> Object {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Object::string_literal(text);
    }
    let bytes = [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    Object::String(bytes, StringFormat::Hexadecimal)
}

/// zlib at level 6; level 9 saves 0.4 %.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    // Made once for each thread: to clear its tables costs more than to compress a short stream.
    thread_local! {
        static DEFLATE: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(6), true));
    }
    DEFLATE.with_borrow_mut(|deflate| {
        deflate.reset();
        let mut out = Vec::with_capacity(bytes.len() / 3 + 64);
        loop {
            let read = usize::try_from(deflate.total_in()).unwrap_or(bytes.len());
            match deflate.compress_vec(&bytes[read..], &mut out, FlushCompress::Finish) {
                Ok(Status::Ok | Status::BufError) => out.reserve(out.capacity().max(64)),
                Ok(Status::StreamEnd) => return out,
                Err(_) => return Vec::new(),
            }
        }
    })
}
