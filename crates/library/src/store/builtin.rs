//! The files compiled into the program: `rulesets/`, `templates/`, `designs/` and `words/` of the repository.

use include_dir::{Dir, DirEntry, include_dir};
use moldloft_base::source::{PackedTexts, use_packed};

static RULESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../rulesets");
static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../templates");
static DESIGNS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../designs");
static WORDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../words");

/// The rulesets with their trees, which the build script packs.
static PACKED_RULESETS: PackedTexts = include!(concat!(env!("OUT_DIR"), "/packed_rulesets.rs"));

/// From now on these rulesets are not parsed, wherever their texts are found.
pub fn know_rulesets() {
    use_packed(PACKED_RULESETS);
}

fn builtin_folder(path: &str) -> Option<(&'static Dir<'static>, &str)> {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let dir = match first {
        "rulesets" => &RULESETS,
        "templates" => &TEMPLATES,
        "designs" => &DESIGNS,
        "words" => &WORDS,
        _ => return None,
    };
    Some((dir, rest))
}

/// `path` is like `rulesets/wars-of-honor.toml`.
pub fn text(path: &str) -> Option<&'static str> {
    let (dir, rest) = builtin_folder(path)?;
    dir.get_file(rest)?.contents_utf8()
}

/// All built-in files in and below a folder, sorted; empty if there is no such folder.
pub fn files(path: &str) -> Vec<String> {
    let Some((dir, rest)) = builtin_folder(path) else { return Vec::new() };
    let dir = if rest.is_empty() { Some(dir) } else { dir.get_dir(rest) };
    let base = path.split('/').next().unwrap_or_default();
    let mut files = Vec::new();
    if let Some(dir) = dir {
        collect(dir, base, &mut files);
    }
    files.sort();
    files
}

fn collect(dir: &Dir<'_>, base: &str, files: &mut Vec<String>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(inner) => collect(inner, base, files),
            DirEntry::File(file) => {
                let inner: Vec<_> = file.path().iter().map(|part| part.to_string_lossy()).collect();
                files.push(format!("{base}/{}", inner.join("/")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use moldloft_base::source::{Source, is_built_in, toml};

    #[test]
    fn each_ruleset_is_unpacked_as_it_would_be_parsed() {
        super::know_rulesets();
        let files = super::files("rulesets");
        let files: Vec<_> = files.iter().filter(|name| name.ends_with(".toml")).collect();
        assert!(files.len() >= 8, "{files:?}");
        for name in files {
            let text = Source::new("", super::text(name).unwrap()).text;
            assert!(is_built_in(&text), "{name} is parsed anew");
            assert_eq!(format!("{:?}", toml::parse(&text, 3)), format!("{:?}", toml::parse_anew(&text, 3)), "{name}");
        }
    }
}
