//! docs/fleets.md is true: its boxes, put into files as it says, are fleets that check and print, and say what the page shows; and its tables
//! name every key that the program reads.

use std::fs;
use std::process::Command;

use crate::support::shell;
use moldloft::design::fleet::{FLEET_KEYS, SHIP_KEYS};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/fleets.md");

#[test]
fn the_fleets_of_the_page_are_checked_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(PAGE).unwrap();
    let (mut last, mut ran) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match info.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["toml", file] => {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text.join("\n") + "\n").unwrap();
            }
            ["sh", rest @ ..] => {
                last.clear();
                for line in text {
                    let words = shell::words(line);
                    let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
                    let run = command.args(&words[1..]).current_dir(folder.path()).output().unwrap();
                    let said =
                        format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
                    assert_eq!(run.status.code(), Some(i32::from(rest == ["fails"])), "{line}\n{said}");
                    last += &said;
                    ran += 1;
                }
            }
            ["text"] => {
                let mut said = last.lines();
                for shown in text {
                    assert!(
                        said.any(|line| line.trim_end() == shown.trim_end()),
                        "the page shows\n{shown}\nit says\n{last}"
                    );
                }
            }
            other => panic!("a box of another kind: {other:?}"),
        }
    }
    assert!(ran >= 6, "{ran} commands");
    assert!(fs::read(folder.path().join("flagship.pdf")).unwrap().starts_with(b"%PDF-"));
}

#[test]
fn the_page_names_every_key() {
    let page = fs::read_to_string(PAGE).unwrap();
    for key in FLEET_KEYS {
        assert!(page.contains(&format!("`{key}`")) || page.contains(&format!("`[[{key}]]`")), "{key}");
    }
    let ships = page.split("Of a `[[ship]]`").nth(1).unwrap();
    for key in SHIP_KEYS {
        assert!(ships.contains(&format!("`{key}`")), "{key}");
    }
}

/// A fleet's report has the shape of a design's, its costs are the roster, and its classes follow.
#[test]
fn the_report_on_a_fleet_adds_up() {
    let run = Command::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["check", "--json", "designs/wars-of-honor/fleets/convoy-escort.toml"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(run.status.success());
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let all = report.as_array().unwrap();
    let keys = |one: &serde_json::Value| one.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let (mut fleet, mut design) = (keys(&all[0]), keys(&all[1]));
    fleet.sort();
    design.sort();
    assert_eq!(fleet, design);
    let total: i64 = all[0]["costs"].as_array().unwrap().iter().map(|line| line["total"].as_i64().unwrap()).sum();
    assert_eq!((all[0]["points"].as_i64(), all[0]["legal"].as_bool()), (Some(total), Some(true)));
    let names: Vec<&str> = all[1..].iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Vigilant", "Quiver", "Petrel", "Sparrowhawk"]);
}
