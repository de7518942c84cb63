//! Reads the fields of a form: takes a file, gives each field's full name and value. Depth, count and text are bounded,
//! and no field is visited twice.

use std::collections::HashSet;
use std::rc::Rc;

use super::errors::{damaged, too_large};
use super::form_identity::IDENTITY_FIELD;
use super::model::{FilledForm, FilledValue, FormBuilder, MAX_DEPTH, MAX_NAME, untyped_value};
use super::object::{PdfDict, PdfObject};
use super::pdf_file::PdfFile;
use moldloft_base::finding::{Advice, Cause, Finding};

/// The most fields and widgets visited.
const MAX_NODES: usize = 1_500_000;
/// Longest text of a field, in bytes.
const MAX_TEXT: usize = 20_000;
/// Longest form identity, in bytes.
const MAX_IDENTITY: usize = 1_000_000;
/// Total bytes of text, since fields may share one.
const MAX_TOTAL_TEXT: usize = 24 * 1024 * 1024;
/// Memory of a field without its text.
const FIELD_MEMORY: usize = 96;

pub fn read_form(file: &mut PdfFile<'_>) -> Result<FilledForm, Finding> {
    if file.encrypted {
        return Err(Finding::error("form-encrypted", "the form is password-protected or encrypted")
            .help("save it without a password or restrictions, then try again"));
    }
    let no_form = || Finding::caused(Cause::NotAForm, "this PDF has no form fields").advise(Advice::PrintSheetsForm);
    let fields = fields_of(file)?.ok_or_else(no_form)?;
    let mut walk =
        FieldWalk { file, seen: HashSet::new(), nodes: 0, text: MAX_TOTAL_TEXT, builder: FormBuilder::default() };
    for field in &fields {
        walk.visit_field(field, &InheritedField::default(), MAX_DEPTH)?;
    }
    if walk.builder.form.units.is_empty() { Err(no_form()) } else { Ok(walk.builder.form) }
}

fn fields_of(file: &mut PdfFile<'_>) -> Result<Option<Box<[PdfObject]>>, Finding> {
    let Some(root) = file.catalogue()? else { return Ok(None) };
    let form = match file.get(&root, "AcroForm")? {
        Some(form) => Some(form),
        None => file.get(&root, "FDF")?,
    };
    let Some(PdfObject::Dict(form)) = form else { return Ok(None) };
    Ok(match file.get(&form, "Fields")? {
        Some(PdfObject::List(fields)) => Some(fields),
        _ => None,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormFieldKind {
    Box,
    Text,
    Other,
}

#[derive(Clone, Debug, Default)]
struct InheritedField {
    name: String,
    title: String,
    fleet: String,
    kind: Option<FormFieldKind>,
    value: Option<Rc<PdfObject>>,
}

struct FieldWalk<'f, 'a> {
    file: &'f mut PdfFile<'a>,
    seen: HashSet<u32>,
    nodes: usize,
    /// Bytes of text still allowed.
    text: usize,
    builder: FormBuilder,
}

impl FieldWalk<'_, '_> {
    fn visit_field(&mut self, object: &PdfObject, above: &InheritedField, depth: usize) -> Result<(), Finding> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(too_large());
        }
        if let PdfObject::Ref(id) = object
            && !self.seen.insert(*id)
        {
            return Ok(());
        }
        let memory = self.file.budget.memory;
        let PdfObject::Dict(dict) = self.file.resolve(object)? else { return Ok(()) };
        let done = self.visit_dict(&dict, above, depth)?;
        drop(dict);
        // The values read are dropped; only what is kept of the field counts.
        self.file.budget.memory = memory;
        match done {
            0 => Ok(()),
            kept => self.file.budget.take_memory(kept).ok_or_else(too_large),
        }
    }

    /// Visits a field or subtree; returns the memory that is kept.
    fn visit_dict(&mut self, dict: &PdfDict, above: &InheritedField, depth: usize) -> Result<usize, Finding> {
        let own = self.read_text(dict, "T", MAX_TEXT)?.unwrap_or_default();
        let mut name = above.name.clone();
        if !own.is_empty() {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&own);
        }
        if name.len() > MAX_NAME {
            return Ok(0);
        }
        let kind = match self.file.get(dict, "FT")? {
            Some(PdfObject::Name(kind)) if *kind == *b"Btn" => Some(FormFieldKind::Box),
            Some(PdfObject::Name(kind)) if *kind == *b"Tx" => Some(FormFieldKind::Text),
            Some(_) => Some(FormFieldKind::Other),
            None => above.kind,
        };
        let kids = match self.file.get(dict, "Kids")? {
            Some(PdfObject::List(kids)) => kids,
            _ => Box::default(),
        };
        if self.has_fields(&kids)? {
            let Some(depth) = depth.checked_sub(1) else { return Err(too_large()) };
            let value = match dict.has("V") {
                true => self.file.get(dict, "V")?.map(Rc::new),
                false => above.value.clone(),
            };
            let title = self.read_text(dict, "TU", MAX_TEXT)?.unwrap_or_default();
            let here = InheritedField { name, title, fleet: above.title.clone(), kind, value };
            let before = self.file.budget.memory;
            for kid in &kids {
                self.visit_field(kid, &here, depth)?;
            }
            return Ok(before - self.file.budget.memory);
        }
        if name.is_empty() {
            return Ok(0);
        }
        let value = match dict.has("V") {
            true => self.file.get(dict, "V")?.map(Rc::new),
            false => above.value.clone(),
        };
        // FDF gives no field type: a name is the state of a box, as is the text `Yes`.
        let is_untyped = kind.is_none();
        let kind = kind.or(match value.as_deref() {
            Some(PdfObject::Name(_)) => Some(FormFieldKind::Box),
            Some(PdfObject::Text(_)) => Some(FormFieldKind::Text),
            _ => None,
        });
        let (filled, label) = match kind {
            Some(FormFieldKind::Box) => (self.read_box(dict, &kids, value.as_deref())?, String::new()),
            Some(FormFieldKind::Text) => {
                let most = if own == IDENTITY_FIELD { MAX_IDENTITY } else { MAX_TEXT };
                let text = value.map_or(Ok(None), |value| self.decode_text(Some(&value), most))?.unwrap_or_default();
                let filled = if is_untyped { untyped_value(&name, &text) } else { FilledValue::Text(text) };
                (filled, self.read_text(dict, "TU", MAX_TEXT)?.unwrap_or_default())
            }
            Some(FormFieldKind::Other) | None => return Ok(0),
        };
        let words = if let FilledValue::Text(text) = &filled { text.len() } else { 0 };
        let kept = FIELD_MEMORY + name.len() + label.len() + words;
        self.builder.add_field(&name, label, [&above.fleet, &above.title], filled)?;
        Ok(kept)
    }

    /// Kids without a name are widgets of the field itself.
    fn has_fields(&mut self, kids: &[PdfObject]) -> Result<bool, Finding> {
        for kid in kids {
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return Err(too_large());
            }
            let memory = self.file.budget.memory;
            let found = matches!(self.file.resolve(kid)?, PdfObject::Dict(dict) if dict.has("T") || dict.has("Kids"));
            self.file.budget.memory = memory;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a box is ticked, and whether it was printed ticked. Its value and its appearance should agree; if a
    /// program changed only one of them, the one that differs from the print counts.
    fn read_box(
        &mut self,
        dict: &PdfDict,
        kids: &[PdfObject],
        value: Option<&PdfObject>,
    ) -> Result<FilledValue, Finding> {
        let state = |object: Option<&PdfObject>| match object {
            Some(PdfObject::Name(state) | PdfObject::Text(state)) => Some(is_on(state)),
            _ => None,
        };
        let mut shown = state(self.file.get(dict, "AS")?.as_ref());
        for kid in kids {
            if let PdfObject::Dict(place) = self.file.resolve(kid)?
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
        Ok(FilledValue::Ticked { ticked, printed })
    }

    fn read_text(&mut self, dict: &PdfDict, key: &str, most: usize) -> Result<Option<String>, Finding> {
        let value = self.file.get(dict, key)?;
        self.decode_text(value.as_ref(), most)
    }

    /// A text string: UTF-16 or UTF-8 by its mark, else PDFDocEncoding.
    fn decode_text(&mut self, object: Option<&PdfObject>, most: usize) -> Result<Option<String>, Finding> {
        let Some(PdfObject::Text(bytes) | PdfObject::Name(bytes)) = object else { return Ok(None) };
        let bytes = &bytes[..bytes.len().min(most)];
        self.text = self.text.checked_sub(bytes.len()).ok_or_else(too_large)?;
        let plain = match bytes {
            [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
            [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
            [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
            _ => bytes.iter().map(|&byte| pdf_doc_char(byte)).collect(),
        };
        if plain.contains('\0') {
            return Err(damaged("missing data in a text"));
        }
        Ok(Some(plain.replace("\r\n", "\n").replace('\r', "\n")))
    }
}

/// All states but `Off` are ticked.
fn is_on(state: &[u8]) -> bool {
    !state.is_empty() && !state.eq_ignore_ascii_case(b"Off")
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// PDFDocEncoding: Latin-1 with a few differences.
fn pdf_doc_char(byte: u8) -> char {
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
