//! docs/guide/src/suggest.md is true: each command of the page prints what the page shows below it.

use crate::support::shell;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A workspace with the sample designs.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for game in ["wars-of-honor", "sky-full-of-ships"] {
        let designs = Path::new(ROOT).join("designs").join(game);
        let copies = folder.path().join("designs").join(game);
        fs::create_dir_all(&copies).unwrap();
        for file in fs::read_dir(designs).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            fs::copy(&file, copies.join(file.file_name().unwrap())).unwrap();
        }
    }
    folder
}

#[test]
fn the_page_shows_what_the_program_prints() {
    let folder = folder();
    let path = Path::new(ROOT).join("docs/guide/src/suggest.md");
    let page = fs::read_to_string(&path).unwrap();
    let (mut written, mut ran) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        written += line;
        written.push('\n');
        if let Some(file) = line.strip_prefix("```toml ") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let text = text.join("\n") + "\n";
            fs::write(folder.path().join(file), &text).unwrap();
            written += &format!("{text}```\n");
        }
        if line != "```text" {
            continue;
        }
        let command = lines.next().unwrap();
        lines.by_ref().find(|line| *line == "```").unwrap();
        let words = shell::words(command.strip_prefix("$ ").unwrap());
        let mut program = Command::new(env!("CARGO_BIN_EXE_moldloft"));
        let run = program.args(&words[1..]).current_dir(folder.path()).output().unwrap();
        let out = String::from_utf8(run.stdout).unwrap();
        assert!(run.stderr.is_empty(), "{command}\n{}", String::from_utf8_lossy(&run.stderr));
        written += &format!("{command}\n{out}```\n");
        ran += 1;
    }
    assert!(ran >= 6, "{ran} commands");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &written).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
}
