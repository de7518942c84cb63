//! Goes through a form's fields: takes a file's values, gives each field with its full name and what it holds. Nesting and number are bounded,
//! and no field is visited twice.

use std::collections::HashSet;

use super::file::File;
use super::object::{Dict, Object};
use super::{Form, Gathered, Held, too_much};
use crate::finding::Finding;

/// Fields within fields that are followed.
const DEEPEST: usize = 16;
/// The longest full name.
const LONGEST_NAME: usize = 400;
/// The longest text that is taken from a field, in bytes.
const LONGEST_TEXT: usize = 20_000;

/// Reads the form of a file.
pub fn read(file: &File) -> Result<Form, Finding> {
    if file.encrypted {
        return Err(Finding::error(
            "form-encrypted",
            "the form is locked with a password, or saved as an encrypted file",
        )
        .help("open it and save it without a password or restrictions, then try again"));
    }
    if file.too_much {
        return Err(too_much());
    }
    let no_form = || {
        Finding::error("not-a-form", "this PDF has no fields to fill in")
            .help("print the sheets with --form; a form that was “printed to PDF” or flattened has lost its fields")
    };
    let fields = fields_of(file).ok_or_else(no_form)?;
    let mut walk = Walk { file, seen: HashSet::new(), gathered: Gathered::default() };
    for field in fields {
        walk.field(field, &Above::default(), DEEPEST)?;
    }
    if walk.gathered.form.units.is_empty() { Err(no_form()) } else { Ok(walk.gathered.form) }
}

/// The list of a form's outermost fields.
fn fields_of(file: &File) -> Option<&[Object]> {
    let root = file.root.as_ref().map(|root| file.resolve(root));
    // A file without a usable trailer: the newest catalogue that has a form.
    root.and_then(|root| fields_in(file, root)).or_else(|| {
        let mut ids: Vec<_> = file.objects.keys().collect();
        ids.sort_unstable();
        ids.into_iter().rev().find_map(|id| fields_in(file, &file.objects[id]))
    })
}

/// The same of a catalogue.
fn fields_in<'a>(file: &'a File, root: &'a Object) -> Option<&'a [Object]> {
    let Object::Dict(root) = root else { return None };
    let Object::Dict(form) = file.get(root, "AcroForm").or_else(|| file.get(root, "FDF"))? else { return None };
    match file.get(form, "Fields")? {
        Object::List(fields) => Some(fields),
        _ => None,
    }
}

/// What fields take over from those above them.
#[derive(Clone, Debug, Default)]
struct Above<'a> {
    name: String,
    title: String,
    kind: Option<&'a Object>,
    value: Option<&'a Object>,
}

struct Walk<'a> {
    file: &'a File,
    seen: HashSet<u32>,
    gathered: Gathered,
}

impl<'a> Walk<'a> {
    fn field(&mut self, object: &'a Object, above: &Above<'a>, depth: usize) -> Result<(), Finding> {
        if let Object::Ref(id) = object
            && !self.seen.insert(*id)
        {
            return Ok(());
        }
        let Object::Dict(dict) = self.file.resolve(object) else {
            return match object {
                Object::Ref(id) if !self.file.objects.contains_key(id) => {
                    let message =
                        "a field of the form is missing from its file, which is damaged: nothing of it is read";
                    Err(Finding::error("form-damaged", message)
                        .help("save it anew with the program it was filled in with, or copy it again"))
                }
                _ => Ok(()),
            };
        };
        let get = |key| self.file.get(dict, key);
        let own = text(get("T")).unwrap_or_default();
        let label = text(get("TU")).unwrap_or_default();
        let mut name = above.name.clone();
        if !own.is_empty() {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&own);
        }
        if name.len() > LONGEST_NAME {
            return Ok(());
        }
        let kind = get("FT").or(above.kind);
        let value = get("V").or(above.value);
        let kids = match get("Kids") {
            Some(Object::List(kids)) => &kids[..],
            _ => &[],
        };
        // Kids without a name are the field's own places on pages.
        let is_field = |kid: &Object| match self.file.resolve(kid) {
            Object::Dict(dict) => dict.contains_key("T") || dict.contains_key("Kids"),
            _ => false,
        };
        if kids.iter().any(is_field) {
            let Some(depth) = depth.checked_sub(1) else { return Err(too_much()) };
            let here = Above { name, title: label, kind, value };
            for kid in kids {
                self.field(kid, &here, depth)?;
            }
            return Ok(());
        }
        let held = match kind {
            Some(Object::Name(kind)) if **kind == *b"Btn" => Held::Ticked(self.is_ticked(dict, kids, value)),
            Some(Object::Name(kind)) if **kind == *b"Tx" => Held::Text(text(value).unwrap_or_default()),
            // An FDF file does not say: a name is a box's state.
            None => match value {
                Some(Object::Name(state)) => Held::Ticked(is_on(state)),
                Some(Object::Text(_)) => Held::Text(text(value).unwrap_or_default()),
                _ => return Ok(()),
            },
            Some(_) => return Ok(()),
        };
        if name.is_empty() { Ok(()) } else { self.gathered.add(&name, label, &above.title, held) }
    }

    /// Whether a box is ticked. Its value and what its place shows should agree; where a program changed only one of them, that one counts
    /// which differs from what was printed.
    fn is_ticked(&self, dict: &'a Dict, kids: &'a [Object], value: Option<&Object>) -> bool {
        let state = |object: Option<&Object>| match object {
            Some(Object::Name(state) | Object::Text(state)) => Some(is_on(state)),
            _ => None,
        };
        let places = std::iter::once(dict).chain(kids.iter().filter_map(|kid| match self.file.resolve(kid) {
            Object::Dict(kid) => Some(kid),
            _ => None,
        }));
        let shown = places.filter_map(|place| state(self.file.get(place, "AS"))).reduce(|one, other| one || other);
        let printed = state(self.file.get(dict, "DV")).unwrap_or(false);
        match (state(value), shown) {
            (Some(value), Some(shown)) if value != shown => !printed,
            (Some(value), _) => value,
            (None, shown) => shown.unwrap_or(false),
        }
    }
}

/// A box's state: everything but `Off` is ticked.
fn is_on(state: &[u8]) -> bool {
    !state.is_empty() && !state.eq_ignore_ascii_case(b"Off")
}

/// A text for people: UTF-16 or UTF-8 by their marks, else PDF's own letters.
fn text(object: Option<&Object>) -> Option<String> {
    let Some(Object::Text(bytes) | Object::Name(bytes)) = object else { return None };
    let bytes = &bytes[..bytes.len().min(LONGEST_TEXT)];
    let plain = match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&byte| letter(byte)).collect(),
    };
    Some(plain.replace("\r\n", "\n").replace('\r', "\n"))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// PDFDocEncoding: Latin-1 but for a few.
fn letter(byte: u8) -> char {
    const LOW: [char; 8] = ['\u{2d8}', '\u{2c7}', '\u{2c6}', '\u{2d9}', '\u{2dd}', '\u{2db}', '\u{2da}', '\u{2dc}'];
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    match byte {
        0x18..=0x1f => LOW[usize::from(byte - 0x18)],
        0x80..=0xa0 => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
