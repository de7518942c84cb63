//! Names of files that every system takes: small ASCII letters, digits and hyphens, no two the same, none that a system keeps for itself. The
//! same things in the same order get the same names.

use std::collections::BTreeSet;

use crate::hash::fnv32;
use crate::sanitize::{MAX_FILE_STEM, is_device, slug};

/// The most letters of a name.
const MAX_NAME: usize = 100;

/// A part of a name. A name without a single Latin letter or digit becomes a number made from it.
pub fn name_part(name: &str) -> String {
    let slug = slug(name, MAX_FILE_STEM);
    if slug.is_empty() && !name.trim().is_empty() {
        return format!("x{:08x}", fnv32(name.as_bytes()));
    }
    slug
}

/// Names given so far.
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    taken: BTreeSet<String>,
}

impl FileNames {
    /// A name made of these parts, as slugs, that was not given before: the later of two gets a number behind it.
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
