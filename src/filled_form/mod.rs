//! Reads filled forms: takes the bytes of a PDF, FDF or XFDF file by any program, gives the ticked boxes and texts of
//! each unit. Knows nothing of ships; never panics, and its work is bounded by the file's size.
//!
//! Field names are `structure_12`, `unit.structure_12` or `fleet.unit.structure_12`.

mod fields;
mod form_identity;
mod object;
mod pdf_file;
mod scan;
mod stream;
mod xfdf;

use crate::finding::{Cause, Finding};

pub use form_identity::FormIdentity;

pub const MAX_BYTES: usize = 64 * 1024 * 1024;
pub const MAX_FIELDS: usize = 600_000;
/// Bytes that some programs append after the end.
const MAX_TRAILING_BYTES: usize = 1_024;
const MAX_UNITS: usize = 50_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilledForm {
    /// In the form's order.
    pub units: Vec<FormUnit>,
    /// In the form's order.
    pub fleets: Vec<FormFleet>,
    /// Number of fields with a value that differs from the print.
    pub changed: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormFleet {
    /// The fleet's part of field names.
    pub word: String,
    /// What the form calls it, if it says.
    pub title: String,
    /// `None` for forms of older versions.
    pub identity: Option<FormIdentity>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormUnit {
    /// The fleet's part of field names; may be empty.
    pub fleet: String,
    /// Empty for the only unit.
    pub key: String,
    /// What the form calls it, if it says.
    pub title: String,
    /// In the form's order.
    pub boxes: Vec<TickBox>,
    /// In the form's order, including empty ones.
    pub texts: Vec<FilledText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TickBox {
    /// `structure_12`.
    pub name: String,
    pub ticked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledText {
    /// `orders_4_course`.
    pub name: String,
    /// `turn 4, course`; may be empty.
    pub label: String,
    pub text: String,
}

impl FormUnit {
    pub fn ticked(&self) -> usize {
        self.boxes.iter().filter(|tick| tick.ticked).count()
    }
}

/// Reads a filled form.
///
/// # Errors
/// A finding when it is too large, encrypted, damaged, or not a form.
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

pub fn is_pdf(bytes: &[u8]) -> bool {
    has_header(bytes, b"%PDF-")
}

fn has_header(bytes: &[u8], with: &[u8]) -> bool {
    bytes[..bytes.len().min(1024)].windows(with.len()).any(|window| window == with)
}

/// Whether the end marker is present, also after appended changes; otherwise the file was truncated and ticks may be
/// missing.
fn has_end_marker(bytes: &[u8]) -> bool {
    let last = bytes.windows(5).rposition(|window| window == b"%%EOF");
    let Some(behind) = last.map(|at| &bytes[at + 5..]) else { return false };
    behind.len() <= MAX_TRAILING_BYTES && !behind.contains(&0) && !behind.windows(3).any(|window| window == b"obj")
}

/// A form that cannot be read with certainty.
fn damaged(what: impl std::fmt::Display) -> Finding {
    Finding::error("form-damaged", format!("damaged form: {what}; nothing was read"))
        .help("save it again in the program it was filled in with, or copy it again")
}

fn too_large() -> Finding {
    Finding::error("form-too-large", "the form is too large; nothing was read")
        .help("save it again in the program it was filled in with")
}

#[derive(Debug, Default)]
struct FormBuilder {
    form: FilledForm,
    places: std::collections::HashMap<(String, String), usize>,
    fleets: std::collections::HashMap<String, usize>,
    count: usize,
}

enum FilledValue {
    Ticked { ticked: bool, printed: bool },
    Text(String),
}

impl FormBuilder {
    /// Adds a field to the unit in its name; `titles` are those of the unit and the fleet.
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
            // The identity field is directly below the fleet.
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

    /// Index of a fleet, which is added if new.
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
