//! What authors of rulesets get wrong: one small ruleset a fault with what is said of it, every fault found at least once, and nothing
//! found in the games of this house.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

use moldloft::design::Design;
use moldloft::finding::Finding;
use moldloft::lint::{LINTS, LintInput, lint};
use moldloft::ruleset::{Ruleset, extends};
use moldloft::sheet::TemplateCache;
use moldloft::source::Source;

use crate::support::rules;
use rules::{expected, folder, root, said, source};

const CASES: &str = "tests/cases/lint";

/// A case with what it extends before it; faults of loading, then those of the lint.
fn look(path: &str) -> Vec<Finding> {
    let mut sources = vec![source(path)];
    for base in extends(&sources[0]) {
        sources.insert(0, source(&format!("{CASES}/{base}.toml")));
    }
    // A layer names the ruleset by its id; the file beside it bears another name.
    let (ruleset, mut findings) = Ruleset::load_layers(&renamed(&sources));
    let Some(ruleset) = ruleset.map(Arc::new) else { return findings };
    let designs: Vec<Design> =
        folder(&format!("{CASES}/designs")).iter().map(|path| Design::read(&source(path)).unwrap()).collect();
    let templates = TemplateCache::new(|_, name| {
        let path = root().join(CASES).join(name);
        path.is_file().then(|| Ok(source(&format!("{CASES}/{name}"))))
    });
    findings.extend(lint(&LintInput { ruleset: &ruleset, designs: &designs, templates: &templates }).findings);
    findings
}

fn renamed(sources: &[Source]) -> Vec<Source> {
    let many = sources.len() > 1;
    let text = |source: &Source| source.text.replace("extends = \"nothing\"", "extends = \"raft\"");
    sources
        .iter()
        .map(|source| if many { Source::new(source.file.clone(), &text(source)) } else { source.clone() })
        .collect()
}

#[test]
fn every_fault_is_told_where_it_stands() {
    let mut faults = Vec::new();
    let mut codes = BTreeSet::new();
    for path in folder(CASES) {
        let findings = look(&path);
        assert!(
            findings.iter().all(|finding| finding.at.line > 0 && finding.help.is_some()),
            "{path}: {}",
            said(&findings)
        );
        codes.extend(findings.iter().map(|finding| finding.code.to_string()));
        // Each case shows its own fault and, but for the header, no other.
        let name = path.trim_start_matches(&format!("{CASES}/")).trim_end_matches(".toml");
        if LINTS.iter().any(|lint| lint.code == name) {
            assert!(findings.iter().all(|finding| finding.code == name), "{path}: {}", said(&findings));
            assert!(!findings.is_empty(), "{path}");
        }
        faults.extend(expected(&path, &said(&findings)).err());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    let silent: Vec<&str> = LINTS.iter().map(|lint| lint.code).filter(|code| !codes.contains(*code)).collect();
    assert!(silent.is_empty(), "no case shows {silent:?}");
}

/// Not one, and there is no list of exceptions: a lint that is wrong about a finished game is mended, and so is the game.
#[test]
fn nothing_is_found_in_the_games_and_layers_of_this_house() {
    let games = folder("rulesets");
    assert!(games.len() >= 7, "five games and two layers over them");
    let found: Vec<String> = std::thread::scope(|scope| {
        let looks: Vec<_> =
            games.iter().map(|path| (path, scope.spawn(|| run(root(), &["rules", "check", path])))).collect();
        let said = looks.into_iter().map(|(path, look)| (path, look.join().unwrap()));
        let found = said.filter(|(path, (status, out))| {
            *status != Some(0) || !out.starts_with(&format!("{path}: nothing found; tried on "))
        });
        found.map(|(_, (_, out))| out).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn faults_stand_by_the_alphabet_and_once() {
    let codes: Vec<&str> = LINTS.iter().map(|lint| lint.code).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted);
    assert!(codes.iter().all(|code| code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
}

/// Runs the program; gives its exit status and standard output.
fn run(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A ban breaks no rule of the language; what it does to the game's designs is said.
#[test]
fn designs_that_a_layer_makes_illegal_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let head = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\nextends_version = \"1.0.0\"\n";
    let ban = "[change.system.graser]\nremove = true\nhouse = \"no\"\n";
    std::fs::write(folder.path().join("club.toml"), format!("{head}{ban}")).unwrap();
    let (_, out) = run(folder.path(), &["rules", "check", "club.toml"]);
    let counted = std::fs::read_dir(root().join("designs/wars-of-honor")).unwrap().flatten();
    let banned =
        counted.filter(|file| std::fs::read_to_string(file.path()).is_ok_and(|text| text.contains("\"graser\"")));
    let expected = format!(" designs of the game ({} not legal by these rules) and ", banned.count());
    assert!(out.contains(&expected), "{expected}: {out}");
    let (_, out) = run(folder.path(), &["rules", "check", "wars-of-honor"]);
    assert!(!out.contains("not legal"), "{out}");
}

/// A condition that keeps a check from what is out of range is needed, also where a layer makes the range short.
#[test]
fn a_guard_against_numbers_out_of_range_always_holds_for_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let head = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"sky-full-of-ships\"\nextends_version = \"1.0.0\"\n";
    std::fs::write(folder.path().join("club.toml"), format!("{head}[change.field.mass]\nmax = 12\n")).unwrap();
    let (_, out) = run(folder.path(), &["rules", "check", "club.toml"]);
    assert!(out.contains("club.toml: nothing found"), "{out}");
}

#[test]
fn a_file_is_looked_over_beside_its_templates() {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "nothing.toml",
        "check-without-rule.toml",
        "missing-template-file.toml",
        "ship.svg",
        "hull.svg",
        "more.svg",
        "reference.svg",
        "chit.svg",
    ] {
        std::fs::copy(root().join(CASES).join(file), folder.path().join(file)).unwrap();
    }
    let (status, out) = run(folder.path(), &["rules", "check", "nothing.toml"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.starts_with("nothing.toml: nothing found; tried on 0 designs of the game and 12"), "{out}");
    let (status, out) = run(folder.path(), &["rules", "check", "check-without-rule.toml"]);
    assert_eq!(status, Some(0), "a note is no error: {out}");
    assert!(out.contains("note[check-without-rule]") && out.contains("check-without-rule.toml: 1 note;"), "{out}");
    let (status, out) = run(folder.path(), &["rules", "check", "missing-template-file.toml", "nothing.toml", "--json"]);
    assert_eq!(status, Some(1), "{out}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json[0]["findings"][0]["code"], "missing-template-file");
    assert_eq!(json[0]["findings"][0]["at"]["column"], 8);
    assert_eq!((&json[1]["ruleset"]["id"], json[1]["findings"].as_array().map(Vec::len)), (&"raft".into(), Some(0)));
    let (status, out) = run(folder.path(), &["rules", "check", "--codes"]);
    assert_eq!((status, out.lines().count()), (Some(0), LINTS.len()));
    for wrong in [&["rules", "check", "nowhere.toml"][..], &["rules", "check", "nowhere"]] {
        assert_eq!(run(folder.path(), wrong).0, Some(2), "{wrong:?}");
    }
    assert_eq!(run(folder.path(), &["rules", "check", "nowhere", "nothing.toml"]).0, Some(1), "the good one is done");
}

#[test]
fn the_same_is_found_twice() {
    let report = |path: &str| said(&look(path));
    let path = format!("{CASES}/unused.toml");
    assert_eq!(report(&path), report(&path));
}
