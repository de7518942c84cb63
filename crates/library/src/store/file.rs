//! Reads single files: plain files only, of limited size, as UTF-8.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::string::FromUtf8Error;
use std::sync::Arc;

use moldloft_base::finding::{Cause, Finding, Place, nearest};
use moldloft_base::source::Source;

use super::ContentHash;
use super::file_system::{self, FileKind};
use super::limits::{MAX_SVG_BYTES, MAX_TOML_BYTES};

/// Reads a file's text; the source has the path as given.
///
/// # Errors
/// A finding with the file, and the line if one is at fault: no such file, a folder or device, too large, not UTF-8,
/// not readable.
pub fn read(path: &Path) -> Result<Source, Finding> {
    let text = text_of(path, read_file(path)?)?;
    Ok(Source::new(display_name(path), &text))
}

/// Reads a file's text with any byte-order mark, and its hash for detecting changes.
///
/// # Errors
/// As [`read`].
pub fn read_hashed(path: &Path) -> Result<(String, ContentHash), Finding> {
    let bytes = read_file(path)?;
    let hash = ContentHash::of_bytes(&bytes);
    Ok((text_of(path, bytes)?, hash))
}

/// The bytes of a plain file within the limit of its kind.
fn read_file(path: &Path) -> Result<Vec<u8>, Finding> {
    let name = display_name(path);
    let meta = file_system::metadata(path).map_err(|error| unreadable(path, &error))?;
    let not_a_file = |message| Err(Finding::caused(Cause::NotAFile, message).at(Place::in_file(name.clone())));
    match meta.kind {
        FileKind::File => {}
        FileKind::Folder => return not_a_file("expected a file, found a folder"),
        FileKind::Link | FileKind::Other => return not_a_file("expected a regular file, found a device or a pipe"),
    }
    let limit = if is_toml(path) { MAX_TOML_BYTES } else { MAX_SVG_BYTES };
    if meta.length > limit {
        return Err(too_large(path, meta.length, limit));
    }
    within(limit, path, file_system::read(path, limit + 1))
}

/// Reads a design or fleet that another program sends.
///
/// # Errors
/// As [`read`], with `standard input` as the file.
pub fn read_standard_input() -> Result<Source, Finding> {
    let name = Path::new("standard input");
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_TOML_BYTES + 1).read_to_end(&mut bytes);
    let bytes = within(MAX_TOML_BYTES, name, read.map(|_| bytes))?;
    let text = text_of(name, bytes)?;
    Ok(Source::new(display_name(name), &text))
}

/// What was read, unless it is more than the limit.
fn within(limit: u64, path: &Path, read: std::io::Result<Vec<u8>>) -> Result<Vec<u8>, Finding> {
    let bytes = read.map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limit { Err(too_large(path, bytes.len() as u64, limit)) } else { Ok(bytes) }
}

fn too_large(path: &Path, bytes: u64, limit: u64) -> Finding {
    Finding::caused(Cause::FileTooLarge, format!("file too large: {bytes} bytes, the limit is {limit}"))
        .help("check the file name: a design has a few thousand bytes")
        .at(Place::in_file(display_name(path)))
}

/// Reads a file of at most `max` bytes.
///
/// # Errors
/// A finding with the file: no such file, a folder or device, too large, not readable.
pub fn read_bytes(path: &Path, max: usize) -> Result<Vec<u8>, Finding> {
    let name = display_name(path);
    let meta = file_system::metadata(path).map_err(|error| unreadable(path, &error))?;
    if meta.kind != FileKind::File {
        return Err(Finding::caused(Cause::NotAFile, "expected a regular file").at(Place::in_file(name.clone())));
    }
    let bytes = file_system::read(path, max as u64 + 1).map_err(|error| unreadable(path, &error))?;
    if bytes.len() > max {
        let message = format!("file too large: the limit is {} MB", max / 1024 / 1024);
        return Err(Finding::caused(Cause::FileTooLarge, message).at(Place::in_file(name.clone())));
    }
    Ok(bytes)
}

pub(super) fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

pub fn display_name(path: &Path) -> Arc<str> {
    path.to_string_lossy().as_ref().into()
}

/// The bytes as text. UTF-16 without a byte-order mark is UTF-8 full of zeros, too, and is told first.
fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, Finding> {
    if is_utf16(&bytes) {
        return Err(Finding::error("not-utf8", "expected UTF-8, found UTF-16")
            .help("save it again as UTF-8 (in Notepad: Save as, Encoding: UTF-8)")
            .at(Place::in_file(display_name(path))));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(path, &error))
}

fn not_utf8(path: &Path, error: &FromUtf8Error) -> Finding {
    let (name, bytes, offset) = (&display_name(path), error.as_bytes(), error.utf8_error().valid_up_to());
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Finding::error("not-utf8", "expected text, found a compressed file")
            .help("save it uncompressed; a compressed drawing (.svgz) as Inkscape SVG")
            .at(Place::in_file(name.clone()));
    }
    let before = &bytes[..offset];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    let mut place = Place::in_file(name.clone()).at_line(u32::try_from(line).unwrap_or(u32::MAX));
    place.column = u32::try_from(column).unwrap_or(u32::MAX);
    Finding::error(
        "not-utf8",
        format!("byte {offset} of the file (hexadecimal {:02x}) is not valid UTF-8", bytes[offset]),
    )
    .help("save it again as UTF-8; it may be Latin-1 or Windows-1252")
    .at(place)
}

/// With a byte-order mark, or every second byte of its beginning is zero.
fn is_utf16(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(64) & !1];
    let zeros_from = |first: usize| head.iter().skip(first).step_by(2).all(|&byte| byte == 0);
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) || (!head.is_empty() && (zeros_from(0) || zeros_from(1)))
}

pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Finding {
    let finding = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            let mut finding = Finding::caused(Cause::NoSuchFile, "no such file or folder");
            finding.help = nearest_file(path).map(|near| format!("did you mean {near}?"));
            finding
        }
        ErrorKind::PermissionDenied => Finding::caused(Cause::UnreadableFile, "cannot read: permission denied"),
        _ => Finding::caused(Cause::UnreadableFile, format!("cannot read: {error}")),
    };
    finding.at(Place::in_file(display_name(path)))
}

/// A file in the same folder with a similar name.
fn nearest_file(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let parent = path.parent()?;
    let folder = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let mut names: Vec<String> =
        file_system::entries(folder).ok()?.take(2_000).filter_map(|entry| entry.name.into_string().ok()).collect();
    names.sort();
    let near = nearest(&wanted, names.iter().map(String::as_str))?;
    Some(parent.join(near).to_string_lossy().into_owned())
}
