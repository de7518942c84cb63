//! Holds `src/` to the table of ARCHITECTURE.md: which room may import which, who may touch the disk, and that every file says
//! what it is.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "support/circles.rs"]
mod circles;
#[path = "support/expected.rs"]
mod expected;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Room → rooms it may import; `None` for all.
fn table() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let room = cells[0].trim_matches('`').to_owned();
        let may = cells[2];
        let rooms = may.split_whitespace().filter(|word| *word != "–").map(|word| word.trim_matches('`').to_owned());
        (room, (may != "all").then(|| rooms.collect()))
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

/// Every file of `src/` that belongs to a room: its room, its path, its text.
fn sources() -> Vec<(String, PathBuf, String)> {
    let mut paths = Vec::new();
    files(&root().join("src"), &mut paths);
    paths.sort();
    let sources = paths.into_iter().filter_map(|path| {
        let inner = path.strip_prefix(root().join("src")).unwrap();
        let room = inner.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&path).unwrap();
        (room != "lib" && room != "main").then_some((room, inner.to_path_buf(), text))
    });
    sources.collect()
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

/// The rooms that a file names: `crate::room`, `use crate::{room, …}`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, word) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + word.len()..];
        let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (at, c) in group.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && depth == 0 && !c.is_whitespace() => {
                        rooms.insert(name(&group[at..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            rooms.insert(name(rest));
        }
    }
    rooms.remove("");
    rooms
}

#[test]
fn the_table_names_every_room() {
    let listed: BTreeSet<String> = table().into_keys().collect();
    let present: BTreeSet<String> = sources().into_iter().map(|(room, ..)| room).collect();
    assert_eq!(listed, present, "rooms of ARCHITECTURE.md and of src/");
    for rooms in table().into_values().flatten() {
        assert!(rooms.is_subset(&listed), "{rooms:?}");
    }
}

#[test]
fn rooms_import_what_the_table_allows() {
    let table = table();
    let mut wrong = Vec::new();
    for (room, path, text) in sources() {
        let Some(Some(allowed)) = table.get(&room) else { continue };
        // Unit tests set their stage with whatever they need.
        if path.file_name().is_some_and(|name| name == "tests.rs") {
            continue;
        }
        for import in imports(&code(&text)) {
            if import != room && table.contains_key(&import) && !allowed.contains(&import) {
                wrong.push(format!("{}: `{room}` may not import `{import}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_one_module_of_the_store_touches_the_disk_and_nobody_reads_a_clock() {
    let mut wrong = Vec::new();
    for (_, path, text) in sources() {
        let code = code(&text);
        let disk = ["std::fs", "fs::read", "fs::write", "File::open", "File::create", "tempfile::"];
        let questions = [".exists()", ".is_file()", ".is_dir()"];
        if !path.starts_with("store/file_system") && !path.ends_with("tests.rs") {
            let words = disk.iter().chain(&questions).filter(|word| code.contains(**word));
            wrong.extend(words.map(|word| (path.clone(), *word)));
        }
        // When frames are drawn depends on the time, what they show does not.
        if path.ends_with("editor/event_loop.rs") {
            continue;
        }
        let clock = ["SystemTime", "Instant::now", "RandomState", "thread_rng"];
        wrong.extend(clock.iter().filter(|word| code.contains(**word)).map(|word| (path.clone(), *word)));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Files of a room that need one another can only be read together. Those that do are kept in `tests/cases/circles.txt`, a circle a line: the list
/// gets shorter, never longer.
#[test]
fn no_further_files_import_one_another_in_a_circle() {
    let mut files = BTreeMap::new();
    for (_, path, text) in sources() {
        let mut module: Vec<String> =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        match module.last().map(String::as_str) {
            Some("tests") => continue,
            Some("mod") => drop(module.pop()),
            _ => {}
        }
        files.insert(module, code(&text));
    }
    let line = |circle: &Vec<Vec<String>>| circle.iter().map(|module| module.join("/")).collect::<Vec<_>>().join(" ");
    let found: String = circles::circles(&files).iter().map(|circle| line(circle) + "\n").collect();
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

#[test]
fn imports_are_read_from_all_their_forms() {
    let code = "use crate::{\n art::{a, b},\n fonts,\n};\nuse crate::scene::Page;\nlet x = crate::finding::nearest(); $crate::no::x";
    let rooms: Vec<String> = imports(code).into_iter().collect();
    assert_eq!(rooms, ["art", "finding", "fonts", "scene"]);
}
