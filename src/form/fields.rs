//! Goes through a form's fields: takes a file, gives each field with its full name and what it holds. Nesting, number and text are bounded, no field
//! is visited twice, and of a field no more is kept than what it holds.

use std::collections::HashSet;
use std::rc::Rc;

use super::file::File;
use super::object::{Dict, Object};
use super::{Form, Gathered, Held, damaged, identity, too_much};
use crate::finding::Finding;

/// Fields within fields that are followed.
const DEEPEST: usize = 16;
/// Fields and places of fields that are looked at.
const MOST_NODES: usize = 1_500_000;
/// The longest full name.
const LONGEST_NAME: usize = 400;
/// The longest text that is taken from a field, in bytes.
const LONGEST_TEXT: usize = 20_000;
/// The longest that says what a form is of.
const LONGEST_IDENTITY: usize = 1_000_000;
/// All texts together, in bytes: fields may share one.
const MOST_TEXT: usize = 24 * 1024 * 1024;
/// What keeping a field takes beside its words.
const FIELD: usize = 96;

/// Reads the form of a file.
pub fn read(file: &mut File<'_>) -> Result<Form, Finding> {
    if file.encrypted {
        return Err(Finding::error("form-encrypted", "the form is password-protected or encrypted")
            .help("save it without a password or restrictions, then try again"));
    }
    let no_form = || {
        Finding::error("not-a-form", "this PDF has no form fields")
            .help("print the sheets with --form; a form that was “printed to PDF” or flattened has lost its fields")
    };
    let fields = fields_of(file)?.ok_or_else(no_form)?;
    let mut walk = Walk { file, seen: HashSet::new(), nodes: 0, text: MOST_TEXT, gathered: Gathered::default() };
    for field in &fields {
        walk.field(field, &Above::default(), DEEPEST)?;
    }
    if walk.gathered.form.units.is_empty() { Err(no_form()) } else { Ok(walk.gathered.form) }
}

/// The list of a form's outermost fields.
fn fields_of(file: &mut File<'_>) -> Result<Option<Box<[Object]>>, Finding> {
    let Some(root) = file.catalogue()? else { return Ok(None) };
    let form = match file.get(&root, "AcroForm")? {
        Some(form) => Some(form),
        None => file.get(&root, "FDF")?,
    };
    let Some(Object::Dict(form)) = form else { return Ok(None) };
    Ok(match file.get(&form, "Fields")? {
        Some(Object::List(fields)) => Some(fields),
        _ => None,
    })
}

/// What kind of field it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Box,
    Text,
    Other,
}

/// What fields take over from those above them.
#[derive(Clone, Debug, Default)]
struct Above {
    name: String,
    title: String,
    /// What stands above that, the fleet's.
    fleet: String,
    kind: Option<Kind>,
    value: Option<Rc<Object>>,
}

struct Walk<'f, 'a> {
    file: &'f mut File<'a>,
    seen: HashSet<u32>,
    nodes: usize,
    /// Bytes of text that may still be taken.
    text: usize,
    gathered: Gathered,
}

impl Walk<'_, '_> {
    fn field(&mut self, object: &Object, above: &Above, depth: usize) -> Result<(), Finding> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(too_much());
        }
        if let Object::Ref(id) = object
            && !self.seen.insert(*id)
        {
            return Ok(());
        }
        let memory = self.file.work.memory;
        let Object::Dict(dict) = self.file.resolve(object)? else { return Ok(()) };
        let done = self.dict(&dict, above, depth)?;
        drop(dict);
        // A field's own values are gone again; what is kept of it is not.
        self.file.work.memory = memory;
        match done {
            0 => Ok(()),
            kept => self.file.work.take(kept).ok_or_else(too_much),
        }
    }

    /// A field or a part of the tree of fields; gives the memory that is kept of it.
    fn dict(&mut self, dict: &Dict, above: &Above, depth: usize) -> Result<usize, Finding> {
        let own = self.text(dict, "T", LONGEST_TEXT)?.unwrap_or_default();
        let mut name = above.name.clone();
        if !own.is_empty() {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&own);
        }
        if name.len() > LONGEST_NAME {
            return Ok(0);
        }
        let kind = match self.file.get(dict, "FT")? {
            Some(Object::Name(kind)) if *kind == *b"Btn" => Some(Kind::Box),
            Some(Object::Name(kind)) if *kind == *b"Tx" => Some(Kind::Text),
            Some(_) => Some(Kind::Other),
            None => above.kind,
        };
        let kids = match self.file.get(dict, "Kids")? {
            Some(Object::List(kids)) => kids,
            _ => Box::default(),
        };
        if self.has_fields(&kids)? {
            let Some(depth) = depth.checked_sub(1) else { return Err(too_much()) };
            let value = match dict.has("V") {
                true => self.file.get(dict, "V")?.map(Rc::new),
                false => above.value.clone(),
            };
            let title = self.text(dict, "TU", LONGEST_TEXT)?.unwrap_or_default();
            let here = Above { name, title, fleet: above.title.clone(), kind, value };
            let before = self.file.work.memory;
            for kid in &kids {
                self.field(kid, &here, depth)?;
            }
            return Ok(before - self.file.work.memory);
        }
        if name.is_empty() {
            return Ok(0);
        }
        let value = match dict.has("V") {
            true => self.file.get(dict, "V")?.map(Rc::new),
            false => above.value.clone(),
        };
        // An FDF file does not say what kind a field is: a name is a box's state.
        let kind = kind.or(match value.as_deref() {
            Some(Object::Name(_)) => Some(Kind::Box),
            Some(Object::Text(_)) => Some(Kind::Text),
            _ => None,
        });
        let (held, label) = match kind {
            Some(Kind::Box) => (self.box_of(dict, &kids, value.as_deref())?, String::new()),
            Some(Kind::Text) => {
                let most = if own == identity::NAME { LONGEST_IDENTITY } else { LONGEST_TEXT };
                let text = value.map_or(Ok(None), |value| self.words(Some(&value), most))?.unwrap_or_default();
                (Held::Text(text), self.text(dict, "TU", LONGEST_TEXT)?.unwrap_or_default())
            }
            Some(Kind::Other) | None => return Ok(0),
        };
        let words = if let Held::Text(text) = &held { text.len() } else { 0 };
        let kept = FIELD + name.len() + label.len() + words;
        self.gathered.add(&name, label, [&above.fleet, &above.title], held)?;
        Ok(kept)
    }

    /// Whether there is a field among the kids; those without a name are the field's own places on pages.
    fn has_fields(&mut self, kids: &[Object]) -> Result<bool, Finding> {
        for kid in kids {
            self.nodes += 1;
            if self.nodes > MOST_NODES {
                return Err(too_much());
            }
            let memory = self.file.work.memory;
            let found = matches!(self.file.resolve(kid)?, Object::Dict(dict) if dict.has("T") || dict.has("Kids"));
            self.file.work.memory = memory;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a box is ticked, and whether it was when it was printed. Its value and what its place shows should agree; where a program changed
    /// only one of them, that one counts which differs from what was printed.
    fn box_of(&mut self, dict: &Dict, kids: &[Object], value: Option<&Object>) -> Result<Held, Finding> {
        let state = |object: Option<&Object>| match object {
            Some(Object::Name(state) | Object::Text(state)) => Some(is_on(state)),
            _ => None,
        };
        let mut shown = state(self.file.get(dict, "AS")?.as_ref());
        for kid in kids {
            if let Object::Dict(place) = self.file.resolve(kid)?
                && let Some(on) = state(self.file.get(&place, "AS")?.as_ref())
            {
                shown = Some(shown.unwrap_or(false) || on);
            }
        }
        let printed = state(self.file.get(dict, "DV")?.as_ref()).unwrap_or(false);
        let ticked = match (state(value), shown) {
            (Some(value), Some(shown)) if value != shown => !printed,
            (Some(value), _) => value,
            (None, shown) => shown.unwrap_or(false),
        };
        Ok(Held::Ticked { ticked, printed })
    }

    /// A dictionary's text.
    fn text(&mut self, dict: &Dict, key: &str, most: usize) -> Result<Option<String>, Finding> {
        let value = self.file.get(dict, key)?;
        self.words(value.as_ref(), most)
    }

    /// A text for people: UTF-16 or UTF-8 by their marks, else PDF's own letters.
    fn words(&mut self, object: Option<&Object>, most: usize) -> Result<Option<String>, Finding> {
        let Some(Object::Text(bytes) | Object::Name(bytes)) = object else { return Ok(None) };
        let bytes = &bytes[..bytes.len().min(most)];
        self.text = self.text.checked_sub(bytes.len()).ok_or_else(too_much)?;
        let plain = match bytes {
            [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
            [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
            [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
            _ => bytes.iter().map(|&byte| letter(byte)).collect(),
        };
        if plain.contains('\0') {
            return Err(damaged("missing bytes in a text"));
        }
        Ok(Some(plain.replace("\r\n", "\n").replace('\r', "\n")))
    }
}

/// A box's state: everything but `Off` is ticked.
fn is_on(state: &[u8]) -> bool {
    !state.is_empty() && !state.eq_ignore_ascii_case(b"Off")
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
