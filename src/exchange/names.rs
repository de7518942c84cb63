//! Names of files that every system takes: small ASCII letters, digits and hyphens, no two the same, none that a system keeps for itself. The
//! same things in the same order get the same names.

use std::collections::BTreeSet;

use crate::library::fold::fold;

/// The most letters of one part of a name.
const PART: usize = 60;
/// The most letters of a name.
const WHOLE: usize = 100;

/// `HMS Café "One"` → `hms-cafe-one`. A name without a single Latin letter or digit becomes a number made from it.
pub fn slug(name: &str) -> String {
    let folded = fold(name);
    let mut slug = String::with_capacity(folded.len().min(PART));
    for c in folded.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if c != '\'' && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= PART {
            break;
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() && !name.trim().is_empty() {
        let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        return format!("x{hash:08x}");
    }
    slug
}

/// Names given so far.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name made of these parts, as slugs, that was not given before: the later of two gets a number behind it.
    pub fn take(&mut self, parts: &[&str]) -> String {
        let slugs: Vec<String> = parts.iter().map(|part| slug(part)).filter(|part| !part.is_empty()).collect();
        let mut stem = slugs.join("-");
        stem.truncate(WHOLE);
        stem.truncate(stem.trim_end_matches('-').len());
        if stem.is_empty() {
            stem = "token".into();
        }
        if is_kept(&stem) {
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

/// Names that Windows keeps for its devices, whatever ending follows.
fn is_kept(name: &str) -> bool {
    let numbered = |device: &str| {
        name.strip_prefix(device).is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    matches!(name, "con" | "prn" | "aux" | "nul" | "conin" | "conout") || numbered("com") || numbered("lpt")
}
