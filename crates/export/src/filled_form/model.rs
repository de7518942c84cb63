//! A filled form as data, and the builder that sorts fields into units by their names.

use std::collections::HashMap;

use super::errors::too_large;
use super::form_identity::{FormIdentity, IDENTITY_FIELD, parse_identity};
use moldloft_base::finding::Finding;

/// Deepest nesting of fields.
pub const MAX_DEPTH: usize = 16;
/// Longest full name of a field, in bytes.
pub const MAX_NAME: usize = 400;
/// The most fields of a form in any format.
pub const MAX_FIELDS: usize = 600_000;
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
    /// Its name in the form; may be empty.
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
    /// Its name in the form; may be empty.
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

#[derive(Debug, Default)]
pub struct FormBuilder {
    pub form: FilledForm,
    places: HashMap<(String, String), usize>,
    fleets: HashMap<String, usize>,
    count: usize,
}

pub enum FilledValue {
    Ticked { ticked: bool, printed: bool },
    Text(String),
}

/// A value whose field's type is not known, as in exported data: `Yes` in a name that ends in a number, as names of
/// boxes do, is a tick.
pub fn untyped_value(name: &str, text: &str) -> FilledValue {
    let numbered = name.rsplit('_').next().is_some_and(|n| n.parse::<u32>().is_ok());
    let ticked = match text.trim().to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" if numbered => true,
        "off" | "no" | "false" if numbered => false,
        _ => return FilledValue::Text(text.to_owned()),
    };
    FilledValue::Ticked { ticked, printed: false }
}

impl FilledText {
    /// The state of a box, if this turns out to be one: some programs export `1` or `X` for a tick.
    pub fn as_tick(&self) -> TickBox {
        let text = self.text.trim();
        let is_off = text.is_empty() || ["0", "off", "no", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
        TickBox { name: self.name.clone(), ticked: !is_off }
    }
}

impl FormBuilder {
    /// Adds a field to the unit in its name; `titles` are those of the unit and the fleet.
    pub fn add_field(
        &mut self,
        name: &str,
        label: String,
        titles: [&str; 2],
        value: FilledValue,
    ) -> Result<(), Finding> {
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
        if own == IDENTITY_FIELD {
            // The identity field is directly below the fleet.
            if let (FilledValue::Text(text), false) = (value, key.is_empty()) {
                let place = self.fleet_index(key, title);
                self.form.fleets[place].identity = parse_identity(&text);
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
        match value {
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
