//! Tests of file names and manifests.

use super::manifest::{self, ManifestEntry};
use super::*;
use crate::exchange::file_names::name_part;

#[test]
fn names_without_latin_letters_become_numbers() {
    assert_eq!(name_part("Jaskółka"), "jaskolka");
    assert!(name_part("🚀").starts_with('x') && name_part("🚀") != name_part("🛸") && name_part("  ").is_empty());
}

#[test]
fn names_are_given_once() {
    let mut names = FileNames::default();
    assert_eq!(names.unique_name(&["CA-301", "missile", "101"]), "ca-301-missile-101");
    assert_eq!(names.unique_name(&["CA 301", "Missile", "101"]), "ca-301-missile-101-2");
    assert_eq!(names.unique_name(&["con"]), "con-token");
    assert_eq!(names.unique_name(&["COM1", ""]), "com1-token");
    assert_eq!(names.unique_name(&["", ""]), "token");
    assert_eq!(names.unique_name(&["com12"]), "com12");
    let long = names.unique_name(&[&"a".repeat(90), &"b".repeat(90), &"c".repeat(90)]);
    assert!(
        long.len() <= 100
            && names.unique_name(&[&"a".repeat(90), &"b".repeat(90), &"c".repeat(90)]) == format!("{long}-2")
    );
}

#[test]
fn only_a_list_of_ours_says_what_is_ours() {
    let entry =
        ManifestEntry { file: "images/a.png".into(), ship: "“Ä”, \"x\"\n".into(), ..ManifestEntry::default() };
    let files = vec![
        ("images/a.png".to_owned(), vec![1, 2]),
        ("manifest.csv".to_owned(), manifest::manifest_csv(std::slice::from_ref(&entry))),
    ];
    let text = manifest::manifest_json(&[entry], &files, "plain", 300.0);
    let known = manifest::known_files(&text).expect("our own");
    assert_eq!(known.keys().map(String::as_str).collect::<Vec<_>>(), ["images/a.png", "manifest.csv", "manifest.json"]);
    for other in [
        "",
        "[]",
        "{}",
        "{\"format\":\"moldloft-tokens\"}",
        &text.replace("\"version\": 1", "\"version\": 2"),
        &text[1..],
    ] {
        assert!(manifest::known_files(other).is_none(), "{other}");
    }
    assert!(manifest::known_files(&manifest::manifest_json(&[], &Vec::new(), "plain", 300.0)).is_some());
}

#[test]
fn the_table_of_tokens_holds_no_formulas() {
    let evil = ["=HYPERLINK(\"http://x\")", "+1", "-1", "@x", "\t=1"].map(str::to_owned);
    let entries = evil.clone().map(|ship| ManifestEntry {
        label: ship.clone(),
        fleet: ship.clone(),
        ship,
        ..ManifestEntry::default()
    });
    let table = manifest::manifest_csv(&entries);
    let mut rows = csv::Reader::from_reader(table.as_slice());
    for (row, evil) in rows.records().map(Result::unwrap).zip(&evil) {
        assert_eq!(row.iter().filter(|cell| **cell == format!("'{evil}")).count(), 3, "{row:?}");
        assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t'])), "{row:?}");
    }
}
