//! Forms that were filled in: takes the bytes of a PDF, FDF or XFDF file that any program may have written, gives which boxes of which unit are
//! ticked and what was written. Knows nothing of ships; never panics, never takes longer than a few looks at the file.
//!
//! A field's name is `structure_12`, `unit.structure_12` or `fleet.unit.structure_12`.

mod fields;
mod file;
mod object;
mod xfdf;

use crate::finding::Finding;

/// The largest file that is read.
pub const MOST_BYTES: usize = 64 * 1024 * 1024;
/// The most fields that are read.
pub const MOST_FIELDS: usize = 600_000;

/// What a form holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Its units in the form's order.
    pub units: Vec<Unit>,
}

/// A unit's fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The fleet's word; empty for none.
    pub fleet: String,
    /// The unit's key; empty for the only one.
    pub key: String,
    /// What the form calls it, if it says.
    pub title: String,
    /// Its boxes in the form's order.
    pub boxes: Vec<Tick>,
    /// Its texts in the form's order, also the empty ones.
    pub texts: Vec<Written>,
}

/// A box to tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// `structure_12`.
    pub name: String,
    /// Whether it is ticked.
    pub ticked: bool,
}

/// A field to write in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// `orders_4_course`.
    pub name: String,
    /// What it is, if the form says: `turn 4, course`.
    pub label: String,
    /// What was written.
    pub text: String,
}

impl Unit {
    /// How many boxes are ticked.
    pub fn ticked(&self) -> usize {
        self.boxes.iter().filter(|tick| tick.ticked).count()
    }
}

/// Reads a filled form.
///
/// # Errors
/// A finding when it is too large, locked, or no form.
pub fn read(bytes: &[u8]) -> Result<Form, Finding> {
    if bytes.len() > MOST_BYTES {
        let message = format!(
            "the form has {} MB; forms of up to {} MB are read",
            bytes.len().div_ceil(1024 * 1024),
            MOST_BYTES / 1024 / 1024
        );
        return Err(Finding::error("form-too-large", message).help("print fewer ships in one form"));
    }
    let head = &bytes[..bytes.len().min(1024)];
    let begins = |with: &[u8]| head.windows(with.len()).any(|window| window == with);
    if begins(b"%PDF-") || begins(b"%FDF-") {
        let form = fields::read(&file::read(bytes))?;
        // Every program ends such a file so, also what it appends to one: without it the file was cut short, and ticks with it.
        let end = &bytes[bytes.len().saturating_sub(2048)..];
        if !end.windows(5).any(|window| window == b"%%EOF") {
            let message = "the form's end is missing: the file was cut short, nothing of it is read";
            return Err(Finding::error("form-damaged", message)
                .help("save it anew with the program it was filled in with, or copy it again"));
        }
        return Ok(form);
    }
    if begins(b"<xfdf") {
        return xfdf::read(bytes);
    }
    Err(Finding::error("not-a-form", "this is neither a PDF nor an FDF or XFDF file")
        .help("save the filled form as a PDF, with the program it was filled in with"))
}

/// The form is more than is read.
fn too_much() -> Finding {
    Finding::error("form-too-large", "the form holds more than a form can sensibly hold, and was not read")
        .help("save it anew with the program it was filled in with")
}

/// Gathers fields by their unit.
#[derive(Debug, Default)]
struct Gathered {
    form: Form,
    places: std::collections::HashMap<(String, String), usize>,
    count: usize,
}

/// What a field holds.
enum Held {
    Ticked(bool),
    Text(String),
}

impl Gathered {
    /// Puts a field in its place, by the parts of its name; the unit's own title comes with it.
    fn add(&mut self, name: &str, label: String, title: &str, held: Held) -> Result<(), Finding> {
        self.count += 1;
        if self.count > MOST_FIELDS {
            return Err(too_much());
        }
        let mut parts = name.rsplitn(3, '.');
        let own = parts.next().unwrap_or_default();
        let key = parts.next().unwrap_or_default();
        let fleet = parts.next().unwrap_or_default();
        let fleet = fleet.rsplit('.').next().unwrap_or_default();
        let units = &mut self.form.units;
        let place = *self.places.entry((fleet.to_owned(), key.to_owned())).or_insert_with(|| {
            units.push(Unit { fleet: fleet.into(), key: key.into(), title: title.into(), ..Unit::default() });
            units.len() - 1
        });
        let name = own.to_owned();
        match held {
            Held::Ticked(ticked) => units[place].boxes.push(Tick { name, ticked }),
            Held::Text(text) => units[place].texts.push(Written { name, label, text }),
        }
        Ok(())
    }
}
