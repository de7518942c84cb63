//! README.md is true: its commands run, and `.ci/run` runs the one that it gives for the tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::shell;
use shell::words;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The lines of a page's ```sh blocks.
fn commands(page: &str) -> Vec<String> {
    let text = read(page);
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

/// Runs the program in a folder far from the repository, where only what is built in is there.
fn moldloft(arguments: &[String], folder: &Path) {
    let run = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(folder).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert_eq!(run.status.code(), Some(0), "moldloft {}\n{said}", arguments.join(" "));
}

#[test]
fn the_sample_squadron_prints() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands("README.md");
    let line = commands[0].split_once(" -- ").expect("the first command is cargo run … -- …").1;
    // There is more than one program.
    assert!(read("Cargo.toml").contains("\ndefault-run = \"moldloft\"\n"), "`cargo run` needs it");
    moldloft(&words(line), folder.path());
    let pdf = fs::read(folder.path().join("squadron.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
}

#[test]
fn ci_runs_the_tests_as_the_readme_says() {
    let commands = commands("README.md");
    assert!(commands[1].ends_with("cargo test --no-fail-fast"));
    assert_eq!(read(".ci/run").lines().last(), Some(commands[1].as_str()));
    for command in &commands[..2] {
        assert!(command.starts_with("sh tools/setup.sh"));
    }
}
