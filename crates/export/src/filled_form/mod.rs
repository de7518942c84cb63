//! Reads filled forms: takes the bytes of a PDF, FDF or XFDF file by any program, gives the ticked boxes and texts of
//! each unit. Knows nothing of ships; never panics, and its work is bounded by the file's size.
//!
//! Field names are `structure_12`, `unit.structure_12` or `fleet.unit.structure_12`.

mod errors;
mod fields;
mod form_identity;
mod model;
mod object;
mod pdf_file;
mod scan;
mod stream;
mod xfdf;

use moldloft_base::finding::{Cause, Finding};

pub use form_identity::FormIdentity;
pub(crate) use form_identity::IDENTITY_FIELD;
pub use model::{FilledForm, FilledText, FormFleet, FormUnit, MAX_FIELDS, TickBox};

/// Largest file.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

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
        let form = fields::read_form(&mut open_file(bytes)?)?;
        if !pdf_file::has_end_marker(bytes) {
            return Err(errors::damaged("the file is truncated"));
        }
        return Ok(form);
    }
    if has_header(bytes, b"<xfdf") {
        return xfdf::read_xfdf(bytes);
    }
    Err(Finding::caused(Cause::NotAForm, "expected a PDF, FDF or XFDF file")
        .help("save the filled form as a PDF in the program it was filled in with"))
}

/// Opens a PDF or FDF file by its cross-reference tables; if they are unreadable, scans the whole file.
fn open_file(bytes: &[u8]) -> Result<pdf_file::PdfFile<'_>, Finding> {
    let mut file = pdf_file::PdfFile::new(bytes);
    if !file.read_tables()? {
        scan::scan_objects(&mut file)?;
    }
    Ok(file)
}

pub fn is_pdf(bytes: &[u8]) -> bool {
    has_header(bytes, b"%PDF-")
}

fn has_header(bytes: &[u8], with: &[u8]) -> bool {
    bytes[..bytes.len().min(1024)].windows(with.len()).any(|window| window == with)
}
