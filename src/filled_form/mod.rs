//! Forms that were filled in: takes the bytes of a PDF, FDF or XFDF file that any program may have written, gives which boxes of which unit are
//! ticked and what was written. Knows nothing of ships; never panics, never takes longer than a few looks at the file.
//!
//! A field's name is `structure_12`, `unit.structure_12` or `fleet.unit.structure_12`.

mod fields;
mod form_identity;
mod object;
mod pdf_file;
mod scan;
mod stream;
mod xfdf;

use crate::finding::{Cause, Finding};

pub use form_identity::FormIdentity;

/// The largest file that is read.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;
/// The most fields that are read.
pub const MAX_FIELDS: usize = 600_000;
/// Bytes behind the end that some programs add.
const MAX_TRAILING_BYTES: usize = 1_024;
/// The most units.
const MAX_UNITS: usize = 50_000;

/// What a form holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilledForm {
    /// Its units in the form's order.
    pub units: Vec<FormUnit>,
    /// The fleets that units are of, in the form's order.
    pub fleets: Vec<FormFleet>,
    /// How many fields hold something else than what was printed: ticks set or taken off, texts written.
    pub changed: usize,
}

/// A fleet on a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormFleet {
    /// The word that its units have.
    pub word: String,
    /// What the form calls it, if it says.
    pub title: String,
    /// What it was printed from; forms of older programs do not say.
    pub identity: Option<FormIdentity>,
}

/// A unit's fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormUnit {
    /// The fleet's word; empty for none.
    pub fleet: String,
    /// The unit's key; empty for the only one.
    pub key: String,
    /// What the form calls it, if it says.
    pub title: String,
    /// Its boxes in the form's order.
    pub boxes: Vec<TickBox>,
    /// Its texts in the form's order, also the empty ones.
    pub texts: Vec<FilledText>,
}

/// A box to tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TickBox {
    /// `structure_12`.
    pub name: String,
    /// Whether it is ticked.
    pub ticked: bool,
}

/// A field to write in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledText {
    /// `orders_4_course`.
    pub name: String,
    /// What it is, if the form says: `turn 4, course`.
    pub label: String,
    /// What was written.
    pub text: String,
}

impl FormUnit {
    /// How many boxes are ticked.
    pub fn ticked(&self) -> usize {
        self.boxes.iter().filter(|tick| tick.ticked).count()
    }
}

/// Reads a filled form.
///
/// # Errors
/// A finding when it is too large, locked, or no form.
pub fn read(bytes: &[u8]) -> Result<FilledForm, Finding> {
    if bytes.len() > MAX_BYTES {
        let message = format!(
            "the form has {} MB, the limit is {} MB",
            bytes.len().div_ceil(1024 * 1024),
            MAX_BYTES / 1024 / 1024
        );
        return Err(Finding::error("form-too-large", message).help("print fewer ships in one form"));
    }
    if is_pdf(bytes) || has_header(bytes, b"%FDF-") {
        let form = fields::read_form(&mut pdf_file::PdfFile::parse(bytes)?)?;
        if !has_end_marker(bytes) {
            return Err(damaged("missing end, the file is truncated"));
        }
        return Ok(form);
    }
    if has_header(bytes, b"<xfdf") {
        return xfdf::read_xfdf(bytes);
    }
    Err(Finding::caused(Cause::NotAForm, "expected a PDF, FDF or XFDF file")
        .help("save the filled form as a PDF in the program it was filled in with"))
}

/// Whether these are the bytes of a PDF.
pub fn is_pdf(bytes: &[u8]) -> bool {
    has_header(bytes, b"%PDF-")
}

/// Whether this is among the first bytes.
fn has_header(bytes: &[u8], with: &[u8]) -> bool {
    bytes[..bytes.len().min(1024)].windows(with.len()).any(|window| window == with)
}

/// Whether a file ends as every program ends it, also what is appended to one; without that it was cut short, and ticks with it.
fn has_end_marker(bytes: &[u8]) -> bool {
    let last = bytes.windows(5).rposition(|window| window == b"%%EOF");
    let Some(behind) = last.map(|at| &bytes[at + 5..]) else { return false };
    behind.len() <= MAX_TRAILING_BYTES && !behind.contains(&0) && !behind.windows(3).any(|window| window == b"obj")
}

/// A form that cannot be read for certain: what is wrong with it.
fn damaged(what: impl std::fmt::Display) -> Finding {
    Finding::error("form-damaged", format!("damaged form: {what}; nothing was read"))
        .help("save it again in the program it was filled in with, or copy it again")
}

/// The form is more than is read.
fn too_large() -> Finding {
    Finding::error("form-too-large", "the form is too large; nothing was read")
        .help("save it again in the program it was filled in with")
}

/// Gathers fields by their unit.
#[derive(Debug, Default)]
struct FormBuilder {
    form: FilledForm,
    places: std::collections::HashMap<(String, String), usize>,
    fleets: std::collections::HashMap<String, usize>,
    count: usize,
}

/// What a field holds.
enum FilledValue {
    Ticked { ticked: bool, printed: bool },
    Text(String),
}

impl FormBuilder {
    /// Puts a field in its place, by the parts of its name; the titles of the unit and of the fleet come with it.
    fn add_field(&mut self, name: &str, label: String, titles: [&str; 2], held: FilledValue) -> Result<(), Finding> {
        let [fleet_title, title] = titles;
        self.count += 1;
        if self.count > MAX_FIELDS {
            return Err(too_large());
        }
        let mut parts = name.rsplitn(3, '.');
        let own = parts.next().unwrap_or_default();
        let key = parts.next().unwrap_or_default();
        let fleet = parts.next().unwrap_or_default();
        let fleet = fleet.rsplit('.').next().unwrap_or_default();
        if own == form_identity::NAME {
            // Its own name stands directly below the fleet's.
            if let (FilledValue::Text(text), false) = (held, key.is_empty()) {
                let place = self.fleet_index(key, title);
                self.form.fleets[place].identity = form_identity::parse_identity(&text);
            }
            return Ok(());
        }
        if !fleet.is_empty() {
            self.fleet_index(fleet, fleet_title);
        }
        if self.form.units.len() > MAX_UNITS {
            return Err(too_large());
        }
        let units = &mut self.form.units;
        let place = *self.places.entry((fleet.to_owned(), key.to_owned())).or_insert_with(|| {
            units.push(FormUnit { fleet: fleet.into(), key: key.into(), title: title.into(), ..FormUnit::default() });
            units.len() - 1
        });
        let name = own.to_owned();
        match held {
            FilledValue::Ticked { ticked, printed } => {
                self.form.changed += usize::from(ticked != printed);
                units[place].boxes.push(TickBox { name, ticked });
            }
            FilledValue::Text(text) => {
                self.form.changed += usize::from(!text.trim().is_empty());
                units[place].texts.push(FilledText { name, label, text });
            }
        }
        Ok(())
    }

    /// The place of a fleet, by its word.
    fn fleet_index(&mut self, word: &str, title: &str) -> usize {
        if let Some(&place) = self.fleets.get(word) {
            let known = &mut self.form.fleets[place];
            if known.title.is_empty() {
                known.title = title.to_owned();
            }
            return place;
        }
        self.form.fleets.push(FormFleet { word: word.to_owned(), title: title.to_owned(), identity: None });
        self.fleets.insert(word.to_owned(), self.form.fleets.len() - 1);
        self.form.fleets.len() - 1
    }
}
