//! Broken designs and the whole message that each gets: `tests/cases/broken/*.toml` with what `moldloft check` says beside it,
//! `*.txt`.

use crate::support::expected;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_broken_design_is_told_what_is_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/broken");
    let workspace = tempfile::tempdir().unwrap();
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".toml"));
    names.sort();
    assert!(names.len() >= 10);
    let mut wrong = Vec::new();
    for name in names {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
        // A workspace with nothing in it: the built-in rulesets, wherever the repository stands.
        let run =
            command.args(["check", &name, "--workspace"]).arg(workspace.path()).current_dir(&folder).output().unwrap();
        let said = String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(1), "{name}\n{said}");
        let beside = folder.join(&name).with_extension("txt");
        wrong.extend(expected::same(&beside, &said).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
