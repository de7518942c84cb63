//! Writes attributes and escaped text of XML.

use crate::export::number::put;
use moldloft_base::sanitize;

/// Appends a numeric attribute of any unit; callers clamp lengths.
pub fn put_number(out: &mut Vec<u8>, name: &str, value: f32, places: u8) {
    out.push(b' ');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"=\"");
    put(out, value, places);
    out.push(b'"');
}

/// Escapes text for elements and attributes; characters that XML forbids become spaces.
pub fn put_escaped(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(sanitize::for_xml(text).as_bytes());
}
