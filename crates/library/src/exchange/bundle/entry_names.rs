//! Names of files in a stranger's bundle: takes them, gives a finding for one that no bundle has or that some system could not
//! keep apart from another. What systems and packers add to a zip is left aside.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{file_name_key, is_device, is_unsafe, shorten_line};

use super::model::MANIFEST_FILE;

/// The most folders and file of a path.
const MAX_DEPTH: usize = 8;
/// The most bytes of a path, and of one part.
const MAX_PATH_BYTES: usize = 240;
const MAX_PART_BYTES: usize = 120;
const MAX_QUOTED_CHARS: usize = 80;

pub(super) fn quoted(name: &str) -> String {
    shorten_line(name, MAX_QUOTED_CHARS)
}

pub(super) fn not_a_bundle(message: impl Into<String>) -> Finding {
    Finding::error("not-a-bundle", message).help("ask the sender for a new bundle; nothing was written")
}

/// Files that file managers keep in folders for themselves, in lower case.
const SYSTEM_FILES: [&str; 6] = [".ds_store", ".localized", ".directory", "desktop.ini", "thumbs.db", "ehthumbs.db"];
/// Where macOS keeps what a zip has no place for.
const MAC_FOLDER: &str = "__MACOSX";

/// A name as a bundle has it: with `/`, accents on their letters.
pub(super) fn normalized(name: &str) -> String {
    name.replace('\\', "/").nfc().collect()
}

/// Whether a system added this file or folder.
pub(super) fn is_of_a_system(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    name.split('/').any(|part| part == MAC_FOLDER)
        || last.starts_with("._")
        || SYSTEM_FILES.contains(&&*last.to_ascii_lowercase())
}

/// The folder, with its last `/`, that somebody put around everything; empty if there is none.
pub(super) fn folder_around<'n>(names: impl Iterator<Item = &'n str> + Clone) -> &'n str {
    let folder_of = |name: &'n str| name.strip_suffix(MANIFEST_FILE).filter(|folder| folder.ends_with('/'));
    let Some(folder) = names.clone().find_map(folder_of) else { return "" };
    if names.clone().all(|name| name.starts_with(folder)) { folder } else { "" }
}

/// Why a name is refused; `None` for a good one.
pub(super) fn fault_of_name(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.len() > MAX_PATH_BYTES {
        return Some("it is empty or too long");
    }
    if name.starts_with('/') || name.contains('\\') || name.contains(':') {
        return Some("it leads out of the folder");
    }
    let parts: Vec<&str> = name.split('/').collect();
    if parts.len() > MAX_DEPTH {
        return Some("it has too many folders");
    }
    parts.into_iter().find_map(fault_of_part)
}

fn fault_of_part(part: &str) -> Option<&'static str> {
    if part == ".." || part == "." || part.is_empty() {
        return Some("it leads out of the folder");
    }
    if part.len() > MAX_PART_BYTES {
        return Some("it is too long");
    }
    if part.chars().any(|c| is_unsafe(c) || "<>\"|?*".contains(c)) {
        return Some("it has a character that no file name has everywhere");
    }
    if part.starts_with('.') || part.starts_with(' ') || part.ends_with('.') || part.ends_with(' ') {
        return Some("it begins or ends with a full stop or a space");
    }
    if part == MAC_FOLDER {
        return Some("it is where macOS keeps what a zip has no place for");
    }
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    is_device(&stem).then_some("it is the name of a device of Windows")
}

/// Checks names against each other.
#[derive(Debug, Default)]
pub(super) struct SeenNames {
    /// By [`file_name_key`].
    files: BTreeMap<String, String>,
    folders: BTreeSet<String>,
}

impl SeenNames {
    /// # Errors
    /// `not-a-bundle` for a bad name, or one that another differs from by its case or accents only, or that is also a folder.
    pub(super) fn add(&mut self, name: &str) -> Result<(), Finding> {
        if let Some(why) = fault_of_name(name) {
            return Err(not_a_bundle(format!("unsafe file name `{}` in the bundle: {why}", quoted(name))));
        }
        let folded = file_name_key(name);
        let two = |other: &str| {
            let message = format!("two files of one name in the bundle: `{}`, `{}`", quoted(other), quoted(name));
            Err(not_a_bundle(message))
        };
        if self.folders.contains(&folded) {
            return two(name);
        }
        for (at, _) in folded.match_indices('/') {
            if let Some(other) = self.files.get(&folded[..at]) {
                return two(other);
            }
            self.folders.insert(folded[..at].to_owned());
        }
        match self.files.insert(folded, name.to_owned()) {
            Some(other) => two(&other),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_do_harm_are_refused() {
        for good in ["rulesets/a.toml", "designs/x/Søn 1.toml", "designs/con-x/fleets/a.b.toml"] {
            assert_eq!(fault_of_name(good), None, "{good}");
        }
        let long = format!("designs/{}.toml", "x".repeat(300));
        let deep = "a/".repeat(20) + "b";
        #[rustfmt::skip]
        let refused = [
            "", "/etc/passwd", "../x", "a/../b", "a/./b", "a//b", "a\\b", "C:/x", "c:x", "a\0b", "a\nb", "con",
            "designs/CON.toml", "designs/com1.x.toml", "a/nul .toml", "a/COM¹.toml", "a/conin$.toml", ".bashrc",
            "a/.git/x", "a/b.", "a/b ", "a/ b", "a/b?", "a/\u{202e}b", &long, &deep,
        ];
        for bad in refused {
            assert!(fault_of_name(bad).is_some(), "{bad:?}");
        }
    }

    #[test]
    fn what_systems_and_packers_add_is_known() {
        for added in
            ["__MACOSX/x", "a/__MACOSX/._b.toml", "designs/.DS_Store", "Thumbs.db", "a/._b.toml", "desktop.ini"]
        {
            assert!(is_of_a_system(added), "{added}");
        }
        for own in ["designs/a/thumbs.toml", "macosx/b", "designs/_a.toml", ".bashrc"] {
            assert!(!is_of_a_system(own), "{own}");
        }
        let around = |names: &[&'static str]| folder_around(names.iter().copied());
        assert_eq!(around(&["My bundle/moldloft.json", "My bundle/designs/a/b.toml"]), "My bundle/");
        assert_eq!(around(&["x/moldloft.json", "designs/a/b.toml"]), "");
        assert_eq!(around(&["moldloft.json", "x/moldloft.json"]), "");
        assert_eq!(around(&["xmoldloft.json"]), "");
        assert_eq!(normalized("designs\\e\u{301}.toml"), "designs/é.toml");
    }

    #[test]
    fn names_that_one_system_takes_for_one_are_refused() {
        for (one, two) in [
            ("a/b.toml", "A/B.toml"),
            ("a/b", "a/b/c"),
            ("a/b/c", "a/B"),
            ("a", "a"),
            ("a/é", "a/E\u{301}"),
            ("a/ﬁ", "a/fi"),
        ] {
            let mut names = SeenNames::default();
            names.add(one).unwrap();
            assert!(names.add(two).is_err(), "{one} {two}");
        }
        let mut names = SeenNames::default();
        names.add("a/b").unwrap();
        names.add("a/c").unwrap();
    }
}
