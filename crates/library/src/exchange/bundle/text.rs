//! A bundle as text for a chat or for QR codes: all files in one piece, deflated, in the letters of a design's code, with a
//! checksum. Takes such a text from anyone, however wrapped or quoted.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use moldloft_base::finding::Finding;
use moldloft_base::hash::fnv32;
use moldloft_rules::design::{CODE_DIGITS, CODE_WORDS, base_41, bytes_of_base_41};

use super::archive::{manifest_text, read_manifest, too_large};
use super::entry_names::{SeenNames, normalized, not_a_bundle, quoted};
use super::model::{BundleFile, BundleFileKind, MANIFEST_FILE, MAX_FILES, SharedBundle};

/// What every text begins with; the figure is the version of the format.
const PREFIX: &str = "MOLDLOFTB1:";
const WORD: &str = "MOLDLOFTB";
/// In characters.
const LINE_LENGTH: usize = 64;
/// The longest text that is written and read.
const MAX_CHARS: usize = 600_000;
/// The most bytes of all files of a text, 2 MB.
const MAX_UNPACKED_BYTES: usize = 2 << 20;

/// The bundle in lines of at most 64 characters.
///
/// # Errors
/// `too-large` for a bundle that is too large for a text.
pub fn text_of_bundle(bundle: &SharedBundle) -> Result<String, Finding> {
    let whole = joined(bundle);
    let refused = || {
        Finding::error("too-large", "the bundle is too large for a text").help("send it as a file: -o NAME.moldloft")
    };
    if whole.len() > MAX_UNPACKED_BYTES {
        return Err(refused());
    }
    let mut packed = Vec::with_capacity(whole.len() / 2 + 1024);
    packed.extend(fnv32(&whole).to_be_bytes());
    let mut deflate = Compress::new(Compression::best(), false);
    let done = deflate.set_dictionary(CODE_WORDS).is_ok();
    // Deflate stops when the room is used up.
    let mut status = Status::Ok;
    while done && status != Status::StreamEnd {
        packed.reserve(whole.len() / 4 + 4096);
        let taken = deflate.total_in() as usize;
        status = deflate.compress_vec(&whole[taken..], &mut packed, FlushCompress::Finish).map_err(|_| refused())?;
    }
    let text = PREFIX.to_owned() + &base_41(&packed);
    if !done || text.len() > MAX_CHARS {
        return Err(refused());
    }
    let lines = text.as_bytes().chunks(LINE_LENGTH).map(|line| String::from_utf8_lossy(line));
    Ok(lines.map(|line| line.into_owned() + "\n").collect())
}

/// Each file: its name, its length, its bytes; the manifest first.
fn joined(bundle: &SharedBundle) -> Vec<u8> {
    let manifest = serde_json::from_str::<serde_json::Value>(&manifest_text(&bundle.manifest));
    let manifest = manifest.map(|manifest| manifest.to_string()).unwrap_or_default();
    let mut out = Vec::new();
    let files = bundle.files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice()));
    for (path, bytes) in std::iter::once((MANIFEST_FILE, manifest.as_bytes())).chain(files) {
        out.extend(format!("{path}\n{}\n", bytes.len()).into_bytes());
        out.extend(bytes);
    }
    out
}

/// Whether a text is meant as a bundle.
pub fn is_bundle_text(text: &str) -> bool {
    let start: String = letters(text).take(WORD.len() + 4).collect();
    start.strip_prefix(WORD).is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(':'))
}

/// The text's own characters: without line ends, spaces, and marks of quotes and code.
fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| c.to_ascii_uppercase()).filter(|c| c.is_ascii() && CODE_DIGITS.contains(&(*c as u8)))
}

/// Reads a text from anyone.
///
/// # Errors
/// `not-a-bundle`, `newer-bundle`, `too-large`.
pub fn bundle_of_text(text: &str) -> Result<SharedBundle, Finding> {
    let damaged = |why: &str| not_a_bundle(format!("cannot read the bundle's text: {why}"));
    if text.len() > MAX_CHARS * 2 {
        return Err(too_large("the text is too long".to_owned()));
    }
    let text: String = letters(text).collect();
    let Some(digits) = text.strip_prefix(PREFIX) else {
        let message = format!("expected a text that begins with {PREFIX}");
        return Err(Finding::error("newer-bundle", message)
            .help("copy the whole text; a higher number was written by a newer version of Moldloft"));
    };
    let packed = bytes_of_base_41(digits).ok_or_else(|| damaged("a part is missing"))?;
    let Some((sum, deflated)) = packed.split_first_chunk::<4>() else { return Err(damaged("it ends too early")) };
    let mut inflate = Decompress::new(false);
    inflate.set_dictionary(CODE_WORDS).map_err(|_| damaged("it cannot be unpacked"))?;
    // No more is unpacked than there is room for.
    let mut whole = Vec::with_capacity((deflated.len().saturating_mul(20)).clamp(4096, MAX_UNPACKED_BYTES) + 1);
    loop {
        let taken = inflate.total_in() as usize;
        let rest = deflated.get(taken..).unwrap_or_default();
        match inflate.decompress_vec(rest, &mut whole, FlushDecompress::Finish) {
            Ok(Status::StreamEnd) => break,
            Ok(_) | Err(_) if whole.len() > MAX_UNPACKED_BYTES => {
                return Err(too_large(format!("the text unpacks to more than {MAX_UNPACKED_BYTES} bytes")));
            }
            Ok(_) if whole.len() == whole.capacity() => whole.reserve(MAX_UNPACKED_BYTES / 8),
            Ok(_) => return Err(damaged("it ends too early")),
            Err(_) => return Err(damaged("a character is wrong")),
        }
    }
    if whole.len() > MAX_UNPACKED_BYTES || fnv32(&whole).to_be_bytes() != *sum {
        return Err(damaged("a character is wrong"));
    }
    split(&whole)
}

fn split(mut rest: &[u8]) -> Result<SharedBundle, Finding> {
    let damaged = || not_a_bundle("cannot read the bundle's text: its files do not add up");
    let mut bundle = SharedBundle::default();
    let mut manifest = None;
    let mut names = SeenNames::default();
    while !rest.is_empty() {
        let (name, after) = line(rest).ok_or_else(damaged)?;
        let (length, after) = line(after).ok_or_else(damaged)?;
        let length: usize = length.parse().map_err(|_| damaged())?;
        let (bytes, after) = after.split_at_checked(length).ok_or_else(damaged)?;
        let name = normalized(name);
        names.add(&name)?;
        if name == MANIFEST_FILE {
            manifest = Some(bytes);
        } else if BundleFileKind::of(&name).is_none() {
            return Err(not_a_bundle(format!("unexpected file `{}` in the bundle", quoted(&name))));
        } else if bundle.files.len() >= MAX_FILES {
            return Err(too_large(format!("more than {MAX_FILES} files in the bundle")));
        } else {
            bundle.files.push(BundleFile { path: name, bytes: bytes.to_vec() });
        }
        rest = after;
    }
    bundle.manifest = read_manifest(manifest)?;
    bundle.files.sort_by(|one, two| one.path.cmp(&two.path));
    Ok(bundle)
}

/// The first line of some bytes, and what follows it.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().take(1_000).position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}
