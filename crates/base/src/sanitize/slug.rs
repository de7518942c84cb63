//! Slugs of lower-case ASCII letters, digits and single hyphens, for keys of units, form fields and files. The same
//! name always gives the same slug.

use unicode_normalization::UnicodeNormalization;

use super::fold_for_search;

pub const MAX_FILE_STEM: usize = 60;

/// `HMS Café "One"` → `hms-cafe-one`, of at most `most` letters; empty when no Latin letter or digit is left.
pub fn slug(name: &str, most: usize) -> String {
    to_kebab(name, most, |c| c.is_ascii_alphanumeric())
}

/// A file name without extension: a slug that keeps letters of other alphabets; `other` when nothing is left. Never a
/// device name of Windows.
pub fn file_stem(name: &str, other: &str) -> String {
    let stem = to_kebab(name, MAX_FILE_STEM, char::is_alphanumeric);
    match stem.as_str() {
        "" => other.to_owned(),
        device if is_device(device) => format!("{stem}-{other}"),
        _ => stem,
    }
}

/// `Patient Margaret` → `patient-margaret.toml`.
pub fn design_file_name(name: &str) -> String {
    format!("{}.toml", file_stem(name, "design"))
}

fn to_kebab(name: &str, most: usize, keep: impl Fn(char) -> bool) -> String {
    // Folding drops accents, so read more letters than are kept, but never all of a long text.
    let start = name.char_indices().nth(most.saturating_mul(16)).map_or(name, |(end, _)| &name[..end]);
    let mut out = String::with_capacity(start.len().min(most));
    let mut letters = 0;
    for c in fold_for_search(start).chars() {
        if letters >= most {
            break;
        }
        if keep(c) {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        } else {
            continue;
        }
        letters += 1;
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// Whether a lower-case name without its extension is a device of Windows, which takes `¹`, `²` and `³` for figures.
pub fn is_device(name: &str) -> bool {
    let is_figure = |letter: char| letter.is_ascii_digit() || matches!(letter, '¹' | '²' | '³');
    let numbered = |device: &str| {
        let mut rest = name.strip_prefix(device).unwrap_or_default().chars();
        rest.next().is_some_and(is_figure) && rest.next().is_none()
    };
    let name = name.trim_end_matches('$');
    matches!(name, "con" | "prn" | "aux" | "nul" | "conin" | "conout") || numbered("com") || numbered("lpt")
}

/// Equal for names of files that some system takes for one: by case, by composed or separate accents, by compatible
/// letters such as `ﬁ` and `fi`.
pub fn file_name_key(name: &str) -> String {
    name.nfkd().flat_map(char::to_lowercase).nfkd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain_and_short() {
        for (name, expected) in [
            ("HMS Vigilant", "hms-vigilant"),
            ("CA-301", "ca-301"),
            ("Jaskółka", "jaskolka"),
            ("  Œ & Søn. 3 ", "oe-son-3"),
            ("King's Own", "king-s-own"),
            ("../..//x", "x"),
            ("  ", ""),
            ("🚀", ""),
            ("a\u{0}b", "a-b"),
            ("con", "con"),
        ] {
            assert_eq!(slug(name, 60), expected, "{name}");
        }
        assert_eq!(slug(&"long ".repeat(100), 60).len(), 59);
        assert_eq!(slug(&"e\u{301}".repeat(100), 60), "e".repeat(60));
        assert_eq!(slug(&"x".repeat(500), 40).len(), 40);
    }

    #[test]
    fn files_are_called_as_what_they_hold() {
        for (name, expected) in [
            ("Patient  Margaret!", "patient-margaret"),
            ("../../etc/passwd", "etc-passwd"),
            ("Jaskółka", "jaskolka"),
            ("Θύελλα 4°", "θύελλα-4"),
            ("///", "design"),
            ("CON", "con-design"),
            ("com1", "com1-design"),
            ("com12", "com12"),
        ] {
            assert_eq!(file_stem(name, "design"), expected, "{name}");
        }
    }
}
