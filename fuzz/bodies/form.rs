//! What the fuzz target `form` and the corpus test do with an input: read it as a filled form.

use moldloft::filled_form::{MAX_FIELDS, read};

/// Runs one input.
///
/// # Panics
/// When a promise of reading is broken.
pub fn run(data: &[u8]) {
    match read(data) {
        Ok(form) => {
            let fields: usize = form.units.iter().map(|unit| unit.boxes.len() + unit.texts.len()).sum();
            assert!((1..=MAX_FIELDS).contains(&fields), "{fields} fields");
        }
        Err(finding) => assert!(!finding.message.is_empty() && finding.help.is_some()),
    }
}
