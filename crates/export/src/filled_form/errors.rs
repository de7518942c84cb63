//! Findings about forms that are not read.

use std::fmt;

use moldloft_base::finding::Finding;

/// A form that cannot be read with certainty.
pub fn damaged(what: impl fmt::Display) -> Finding {
    Finding::error("form-damaged", format!("damaged form: {what}; nothing was read"))
        .help("save it again in the program it was filled in with, or copy it again")
}

pub fn too_large() -> Finding {
    Finding::error("form-too-large", "the form is too large; nothing was read")
        .help("save it again in the program it was filled in with")
}
