//! Packs the trees of the built-in rulesets, so that no TOML of theirs is parsed when the program runs. The folders built into it are watched, so that a new
//! file in them is seen.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The program's own parser.
#[path = "src/source"]
#[allow(dead_code, unused_imports, reason = "the program uses the rest")]
mod source {
    mod packed_toml;
    mod span;
    mod toml;
    mod toml_tree;

    pub use packed_toml::pack;
    pub use span::Span;
    pub use toml::parse_anew;

    mod built_in_toml {
        pub fn tree(_: &str, _: u16) -> Option<super::toml_tree::TomlTable<'_>> {
            None
        }
    }
}

mod allowance {
    pub fn count_work(_: usize) {}
}

fn main() {
    for watched in ["rulesets", "templates", "designs", "src/source", "build.rs"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let files =
        fs::read_dir(root.join("rulesets")).expect("the folder rulesets").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    let mut list = "&[\n".to_owned();
    for file in files {
        let text = fs::read_to_string(&file).expect("the text of a ruleset");
        let (tree, faults) = source::parse_anew(&text, 0);
        // The program reports the faults.
        if !faults.is_empty() {
            continue;
        }
        let packed = folder.join(file.with_extension("packed").file_name().map_or(Path::new(""), Path::new));
        fs::write(&packed, source::pack(&text, &tree)).expect("a file in OUT_DIR");
        let _ = writeln!(list, "(include_str!({file:?}), include_bytes!({packed:?})),");
    }
    fs::write(folder.join("packed_rulesets.rs"), list + "]\n").expect("a file in OUT_DIR");
}
