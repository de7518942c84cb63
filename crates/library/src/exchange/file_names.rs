//! Unique file names for all systems: lower-case ASCII letters, digits and hyphens, never a reserved name. The same
//! input gives the same names.

use std::collections::BTreeSet;

use moldloft_base::hash::fnv32;
use moldloft_base::sanitize::{MAX_FILE_STEM, is_device, slug};

const MAX_NAME: usize = 100;

/// A part of a name. A name without Latin letters or digits becomes a number derived from it.
pub fn name_part(name: &str) -> String {
    let slug = slug(name, MAX_FILE_STEM);
    if slug.is_empty() && !name.trim().is_empty() {
        return format!("x{:08x}", fnv32(name.as_bytes()));
    }
    slug
}

#[derive(Clone, Debug, Default)]
pub struct FileNames {
    taken: BTreeSet<String>,
}

impl FileNames {
    /// A unique name from the slugs of these parts; a repeated one gets a number.
    pub fn unique_name(&mut self, parts: &[&str]) -> String {
        let slugs: Vec<String> = parts.iter().map(|name| name_part(name)).filter(|part| !part.is_empty()).collect();
        let mut stem = slugs.join("-");
        stem.truncate(MAX_NAME);
        stem.truncate(stem.trim_end_matches('-').len());
        if stem.is_empty() {
            stem = "token".into();
        }
        if is_device(&stem) {
            stem += "-token";
        }
        let mut name = stem.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        name
    }
}
