//! Packs the trees of the built-in rulesets, so that no TOML of theirs is parsed when the program runs. The folders built into it are watched, so that a new
//! file in them is seen.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use moldloft_base::source::{pack, toml};

fn main() {
    for watched in ["rulesets", "templates", "designs", "words"] {
        println!("cargo:rerun-if-changed=../../{watched}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(root.join("../../rulesets")).expect("the folder rulesets");
    let files = files.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    let mut list = "&[\n".to_owned();
    for file in files {
        let text = fs::read_to_string(&file).expect("the text of a ruleset");
        let (tree, faults) = toml::parse_anew(&text, 0);
        // The program reports the faults.
        if !faults.is_empty() {
            continue;
        }
        let packed = folder.join(file.with_extension("packed").file_name().map_or(Path::new(""), Path::new));
        fs::write(&packed, pack(&text, &tree)).expect("a file in OUT_DIR");
        let _ = writeln!(list, "(include_str!({file:?}), include_bytes!({packed:?})),");
    }
    fs::write(folder.join("packed_rulesets.rs"), list + "]\n").expect("a file in OUT_DIR");
}
