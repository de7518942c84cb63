//! The guide of docs/guide is true: the boxes of a page, put into files and run as it says from an empty folder, print what it shows; and the reference names every
//! key of a fleet that the program reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::shell;
use moldloft::design::fleet::{FLEET_KEYS, SHIP_KEYS};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guide/src");

/// The guide's pages in the order of its contents.
fn pages() -> Vec<PathBuf> {
    let contents = fs::read_to_string(Path::new(FOLDER).join("SUMMARY.md")).unwrap();
    let links = contents.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pages: Vec<PathBuf> = links.map(|link| Path::new(FOLDER).join(link)).collect();
    assert_eq!(fs::read_dir(FOLDER).unwrap().count(), pages.len() + 1, "pages of the guide, and its contents");
    pages
}

/// A line of what is printed, without the ruleset's line, which moves with every line added above it.
fn unnumbered(line: &str) -> &str {
    match line.split_once(".toml:") {
        Some((before, _)) if line.contains("rule: ") => before,
        _ => line.trim_end(),
    }
}

/// Follows a page from an empty folder, where only what is built in is there; gives how many commands it ran.
fn follow(page: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let name = page.file_name().unwrap().to_string_lossy();
    let page = fs::read_to_string(page).unwrap();
    let (mut last, mut ran) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match info.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["toml" | "text" | "svg", file] => {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text.join("\n") + "\n").unwrap();
            }
            ["sh", rest @ ..] => {
                last.clear();
                for line in text {
                    let words = shell::words(line);
                    let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
                    // A printer that a page calibrates is kept in the folder.
                    command.env("XDG_CONFIG_HOME", folder.path().join("config"));
                    let run = command.args(&words[1..]).current_dir(folder.path()).output().unwrap();
                    let said =
                        format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
                    assert_eq!(run.status.code(), Some(i32::from(rest == ["fails"])), "{name}: {line}\n{said}");
                    assert!(!said.contains("not-in-force"), "{name}: {line}\n{said}");
                    last += &said;
                    ran += 1;
                }
            }
            // With its command in the first line, a box is tests/docs_suggest.rs's.
            ["text"] if text.first().is_some_and(|line| line.starts_with("$ ")) => {}
            ["text"] => {
                let mut said = last.lines().map(unnumbered);
                for shown in text {
                    assert!(
                        said.any(|line| line == unnumbered(shown)),
                        "{name} shows\n{shown}\nthe program says\n{last}"
                    );
                }
            }
            other => panic!("{name}: a box of another kind: {other:?}"),
        }
    }
    ran
}

#[test]
fn every_page_of_the_guide_prints_what_it_shows() {
    let ran: usize = pages().iter().map(|page| follow(page)).sum();
    assert!(ran >= 45, "{ran} commands");
}

/// The page that this one translates, `fleets.md` of `fleets.de.md`.
fn translated_page(page: &Path) -> Option<PathBuf> {
    let (name, language) = page.file_stem()?.to_str()?.rsplit_once('.')?;
    (language.len() == 2).then(|| page.with_file_name(format!("{name}.md")))
}

/// What a translation shares with its source: boxes without their comments, where links and pictures lead, and headings.
fn shared_parts(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap().replace(".de.md)", ".md)");
    let mut parts = Vec::new();
    for (n, part) in text.split("```").enumerate() {
        if n % 2 == 1 {
            parts.extend(part.lines().map(|line| line.split(" # ").next().unwrap_or(line).trim_end().to_owned()));
            continue;
        }
        parts.extend(part.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned));
        parts.extend(part.lines().filter_map(|line| line.split_once("# ")).map(|(level, _)| format!("{level}#")));
    }
    parts
}

#[test]
fn translated_pages_have_the_boxes_links_and_headings_of_their_source() {
    let pages = pages();
    let translated: Vec<_> = pages.iter().filter_map(|page| Some((page, translated_page(page)?))).collect();
    assert!(translated.len() >= 2, "{translated:?}");
    for (page, source) in translated {
        assert_eq!(shared_parts(page), shared_parts(&source), "{}", page.display());
    }
}

/// Readers do not see a box's first line: sentences name its file. Pages are followed in one folder: none writes another's.
#[test]
fn pages_name_their_files() {
    let mut written = BTreeSet::new();
    for path in pages().into_iter().filter(|page| translated_page(page).is_none()) {
        let page = fs::read_to_string(&path).unwrap();
        let prose: String = page.split("\n```").step_by(2).collect();
        for info in page.lines().filter_map(|line| line.strip_prefix("```")) {
            let Some((_, file)) = info.split_once(' ').filter(|(_, file)| file.contains('.')) else { continue };
            assert!(prose.contains(&format!("`{file}`")), "{}: no sentence names {file}", path.display());
            assert!(written.insert(file.to_owned()), "{}: another page writes {file}", path.display());
        }
    }
    assert!(written.len() >= 10, "{written:?}");
}

#[test]
fn the_reference_names_every_key_of_a_fleet() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rulesets/keys.md")).unwrap();
    let page = page.split("## Keys of a fleet").nth(1).unwrap().split("## Keys of a ruleset").next().unwrap();
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
