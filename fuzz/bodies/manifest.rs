//! What the fuzz target `manifest` and the corpus test do with an input: read it as the list of a folder of tokens; and write a list of tokens whose
//! names are the input's lines, and read that. Bytes that are no text are replaced.

use moldloft::exchange::ManifestEntry;
use moldloft::exchange::manifest::{JSON_FILE, known_files, manifest_csv, manifest_json};

/// Runs one input.
///
/// # Panics
/// When a promise about lists of tokens is broken.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Some(known) = known_files(&text) {
        assert!(known.contains_key(JSON_FILE), "the list itself is part of the folder");
        for seal in known.values() {
            assert_eq!(seal.to_string().parse(), Ok(*seal));
        }
    }
    let lines: Vec<String> = text.lines().take(100).map(str::to_owned).collect();
    let entries: Vec<ManifestEntry> = lines.chunks(5).map(entry).collect();
    let files: Vec<_> = lines.iter().map(|line| (format!("images/{line}"), line.clone().into_bytes())).collect();
    let list = known_files(&manifest_json(&entries, &files, "plain", 300.0)).expect("a list that was written is read");
    assert!(files.iter().all(|(name, _)| list.contains_key(name)), "every file is in the list");
    let table = String::from_utf8(manifest_csv(&entries)).expect("a table is text");
    assert_eq!(table.is_empty(), entries.is_empty());
}

fn entry(words: &[String]) -> ManifestEntry {
    let word = |place: usize| words.get(place).cloned().unwrap_or_default();
    ManifestEntry {
        file: format!("images/{}", word(0)),
        back: words.get(1).cloned(),
        label: word(0),
        ship: word(1),
        class: word(2),
        fleet: word(3),
        side: word(4),
        count: 1,
        ..ManifestEntry::default()
    }
}
