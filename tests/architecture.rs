//! Holds the crates to the table of ARCHITECTURE.md, and every file to saying what it is.

use crate::support::{circles, expected};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Crate → the crates it stands on, as the table of ARCHITECTURE.md has them.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = text.lines().filter(|line| line.starts_with("| `crates/") || line.starts_with("| `src`"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        (cells[0].trim_matches('`').to_owned(), names(cells[1]).into_iter().collect())
    })
    .collect()
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Every file of the crates and of the program: its crate's folder, its path in the folder's `src/`, its text.
fn sources() -> Vec<(String, PathBuf, String)> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    for folder in crates.chain([root().to_path_buf()]) {
        let mut paths = Vec::new();
        files(&folder.join("src"), &mut paths);
        let name = match folder.strip_prefix(root()).unwrap() {
            inner if inner.as_os_str().is_empty() => "src".to_owned(),
            inner => inner.to_string_lossy().replace('\\', "/"),
        };
        found.extend(paths.into_iter().map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (name.clone(), path.strip_prefix(folder.join("src")).unwrap().to_path_buf(), text)
        }));
    }
    found.sort();
    found
}

/// The code of a file: without comments, and without its unit tests.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = before_tests.lines().map(|line| match line.find("//") {
        // Not within a string such as "https://".
        Some(at) if line[..at].matches('"').count() % 2 == 0 => &line[..at],
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn crates_stand_on_those_that_the_page_names() {
    let found: BTreeMap<String, BTreeSet<String>> = sources()
        .into_iter()
        .map(|(name, ..)| {
            let manifest = root().join(if name == "src" { "" } else { &name }).join("Cargo.toml");
            let text = fs::read_to_string(manifest).unwrap();
            let manifest: toml::Table = text.parse().unwrap();
            let needs = manifest["dependencies"].as_table().unwrap().keys();
            (name, needs.filter_map(|need| need.strip_prefix("moldloft-")).map(str::to_owned).collect())
        })
        .collect();
    assert_eq!(table(), found, "crates of ARCHITECTURE.md and of the workspace");
}

/// Files of a crate that need one another can only be read together. Those that do are kept in `tests/cases/circles.txt`, a circle a line: the list
/// gets shorter, never longer.
#[test]
fn no_further_files_import_one_another_in_a_circle() {
    let mut crates: BTreeMap<String, BTreeMap<Vec<String>, String>> = BTreeMap::new();
    for (name, path, text) in sources() {
        let mut module: Vec<String> =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        match module.last().map(String::as_str) {
            Some("tests") => continue,
            Some("mod") => drop(module.pop()),
            _ => {}
        }
        crates.entry(name).or_default().insert(module, code(&text));
    }
    let line = |circle: &Vec<Vec<String>>| circle.iter().map(|module| module.join("/")).collect::<Vec<_>>().join(" ");
    let circles = crates.values().flat_map(circles::circles);
    let found: String = circles.map(|circle| line(&circle) + "\n").collect();
    let kept = root().join("tests/cases/circles.txt");
    expected::same(&kept, &found).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn circles_are_found_through_names_that_are_passed_on() {
    let file = |path: &str, code: &str| (path.split('/').map(str::to_owned).collect::<Vec<_>>(), code.to_owned());
    let files = BTreeMap::from([
        file("a", "mod b;\nmod c;\npub use b::{B, Other as Known};\n"),
        file("a/b", "use super::c::{\n    C,\n};\n"),
        file("a/c", "fn c(b: super::Known) {}\n"),
        file("a/d", "use super::B;\n"),
    ]);
    let circle = circles::circles(&files);
    assert_eq!(circle, [vec![vec!["a".to_owned(), "b".to_owned()], vec!["a".to_owned(), "c".to_owned()]]]);
}

#[test]
fn no_code_asks_which_game_it_is() {
    let ids = fs::read_dir(root().join("rulesets")).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".toml").map(str::to_owned)
    });
    let ids: Vec<String> = ids.collect();
    for (_, path, text) in sources() {
        if path.iter().any(|part| part == "tests.rs" || part == "tests") {
            continue;
        }
        for id in &ids {
            assert!(!code(&text).contains(&format!("\"{id}\"")), "{} names the game {id}", path.display());
        }
    }
}

/// A name that two types have would have to be explained wherever it stands.
#[test]
fn no_two_types_have_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, path, text) in sources() {
        for line in code(&text).lines() {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            if !matches!(words.next(), Some("struct" | "enum" | "trait")) {
                continue;
            }
            let name: String = words.next().unwrap_or_default().chars().take_while(|c| c.is_alphanumeric()).collect();
            // `$name` in a macro.
            if !name.is_empty() {
                places.entry(name).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(places.len() > 800, "{} types found", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn every_file_says_what_it_is_and_is_no_novel() {
    for (_, path, text) in sources() {
        assert!(text.starts_with("//!"), "{} has no //! on top", path.display());
        let lines = text.lines().count();
        assert!(lines <= 600, "{} has {lines} lines, 600 are the most", path.display());
        for word in ["TODO", "FIXME", "XXX", "todo!(", "unimplemented!("] {
            assert!(!text.contains(word), "{} holds {word}", path.display());
        }
    }
}
