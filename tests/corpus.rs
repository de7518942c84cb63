//! Runs each fuzz target's saved corpus without a fuzzer: what once did harm, or might, does none.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::path::Path;

#[path = "../fuzz/bodies/attack.rs"]
mod attack;
#[path = "../fuzz/bodies/bundle.rs"]
mod bundle;
#[path = "../fuzz/bodies/code.rs"]
mod code;
#[path = "../fuzz/bodies/design.rs"]
mod design;
#[path = "../fuzz/bodies/document.rs"]
mod document;
#[path = "../fuzz/bodies/fleet.rs"]
mod fleet;
#[path = "../fuzz/bodies/font.rs"]
mod font;
#[path = "../fuzz/bodies/form.rs"]
mod form;
#[path = "../fuzz/bodies/formula.rs"]
mod formula;
#[path = "../fuzz/bodies/goal.rs"]
mod goal;
#[path = "../fuzz/bodies/import.rs"]
mod import;
#[path = "../fuzz/bodies/list.rs"]
mod list;
#[path = "../fuzz/bodies/manifest.rs"]
mod manifest;
#[path = "../fuzz/bodies/printers.rs"]
mod printers;
#[path = "../fuzz/bodies/ruleset.rs"]
mod ruleset;
#[path = "../fuzz/bodies/template.rs"]
mod template;

fn each(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        run(&std::fs::read(&file).unwrap());
    }
}

#[test]
fn formula() {
    each("formula", formula::run);
}

#[test]
fn goal() {
    each("goal", goal::run);
}

#[test]
fn form() {
    each("form", form::run);
}

#[test]
fn attack() {
    each("attack", attack::run);
}

#[test]
fn bundle() {
    each("bundle", bundle::run);
}

#[test]
fn ruleset() {
    each("ruleset", ruleset::run);
}

#[test]
fn design() {
    each("design", design::run);
}

#[test]
fn template() {
    each("template", template::run);
}

#[test]
fn list() {
    each("list", list::run);
}

#[test]
fn fleet() {
    each("fleet", fleet::run);
}

#[test]
fn document() {
    each("document", document::run);
}

#[test]
fn font() {
    each("font", font::run);
}

#[test]
fn code() {
    each("code", code::run);
}

#[test]
fn import() {
    each("import", import::run);
}

#[test]
fn manifest() {
    each("manifest", manifest::run);
}

#[test]
fn printers() {
    each("printers", printers::run);
}
