//! Hostile files against the built program: each of the fuzzers' saved inputs ends in an answer, within little time and memory, and
//! says which file it is about. The bounds are the system's (`ulimit`), so a machine's speed decides nothing but how far below them we stay.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Address space in KiB: the promise is 200 MB of memory; a program's address space is larger than what it uses.
const MEMORY: u32 = 300 * 1024;
/// Seconds of computing, for a build without optimisation: the promise is 1 s for one with.
const SECONDS: u32 = 15;

fn corpus(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "{} is nearly empty", folder.display());
    files
}

/// Runs the program under bounds; gives its exit status and all it said.
fn run(workspace: &Path, arguments: &[&str]) -> (i32, String) {
    let bounds = format!("ulimit -v {MEMORY} && ulimit -t {SECONDS} && exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &bounds, env!("CARGO_BIN_EXE_moldloft")])
        .args(arguments)
        .arg("--workspace")
        .arg(workspace)
        .current_dir(workspace)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let status = output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed\n{said}"));
    assert!(status <= 2, "{arguments:?} ended with {status}\n{said}");
    assert!(!said.contains("panicked"), "{arguments:?}\n{said}");
    (status, said)
}

#[test]
fn designs() {
    let workspace = tempfile::tempdir().unwrap();
    for file in corpus("design") {
        let path = file.to_str().unwrap();
        let (status, said) = run(workspace.path(), &["check", path]);
        assert!(status == 0 || said.contains(file.file_name().unwrap().to_str().unwrap()), "{path}\n{said}");
        let (again, json) = run(workspace.path(), &["check", "--json", path]);
        assert_eq!(status, again, "{path}");
        let json = json.lines().collect::<String>();
        assert!(json.starts_with('[') || status == 2, "{path}: {json:.300}");
        run(workspace.path(), &["print", path, "-o", "out.pdf"]);
    }
}

#[test]
fn rulesets() {
    let workspace = tempfile::tempdir().unwrap();
    fs::create_dir(workspace.path().join("rulesets")).unwrap();
    fs::write(workspace.path().join("design.toml"), "ruleset = \"x\"\nname = \"Victim\"\n").unwrap();
    fs::write(workspace.path().join("layered.toml"), "ruleset = \"y\"\nname = \"Victim\"\n").unwrap();
    for file in corpus("ruleset") {
        let text = fs::read(&file).unwrap();
        fs::write(workspace.path().join("rulesets/x.toml"), &text).unwrap();
        fs::write(workspace.path().join("rulesets/y.toml"), &text).unwrap();
        for design in ["design.toml", "layered.toml"] {
            let (status, said) = run(workspace.path(), &["check", design]);
            assert!(status == 0 || said.contains(".toml"), "{}\n{said}", file.display());
        }
    }
}

#[test]
fn rulesets_looked_over() {
    let workspace = tempfile::tempdir().unwrap();
    for (n, file) in corpus("ruleset").into_iter().chain(corpus("design")).enumerate() {
        fs::copy(&file, workspace.path().join("x.toml")).unwrap();
        let arguments: &[&str] =
            if n % 2 == 0 { &["rules", "check", "x.toml"] } else { &["rules", "check", "--json", "x.toml"] };
        let (_, said) = run(workspace.path(), arguments);
        assert!(said.contains("x.toml"), "{} says nothing of itself\n{said}", file.display());
    }
}

#[test]
fn templates() {
    let workspace = tempfile::tempdir().unwrap();
    let folder = workspace.path().join("templates/wars-of-honor");
    fs::create_dir_all(&folder).unwrap();
    let ship = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/wars-of-honor/petrel.toml");
    for file in corpus("template") {
        fs::copy(&file, folder.join("ship.svg")).unwrap();
        let template = "templates/wars-of-honor/ship.svg";
        let (status, said) = run(workspace.path(), &["template", "check", template]);
        assert!(status == 0 || said.contains("ship.svg"), "{}\n{said}", file.display());
        let _ = fs::remove_file(workspace.path().join("out.pdf"));
        let (status, said) = run(workspace.path(), &["print", ship.to_str().unwrap(), "-o", "out.pdf"]);
        // A page is printed whole, or what keeps it from being printed is said.
        assert!(status == 0 || said.contains("ship.svg") || said.contains("Petrel"), "{}\n{said}", file.display());
    }
}

#[test]
fn external_references_and_entities_are_refused_by_name() {
    let workspace = tempfile::tempdir().unwrap();
    for name in ["entity.svg", "external.svg", "use-bomb.svg", "deep.svg"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/template").join(name);
        let path = path.to_str().unwrap();
        let (status, said) = run(workspace.path(), &["template", "check", path, "--rules", "wars-of-honor"]);
        assert_eq!(status, 1, "{name}\n{said}");
        assert!(said.contains("error[") && said.contains(&format!("{name}:")), "{name}\n{said}");
    }
}

#[test]
fn a_system_without_threads_stops_nothing() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/star-navy");
    // No thread can have a stack of this size: starting one fails, as it does where a system gives no more.
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["check".as_ref(), folder.as_os_str()])
        .env("RUST_MIN_STACK", (1_u64 << 60).to_string())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("legal"), "{said}");
}
