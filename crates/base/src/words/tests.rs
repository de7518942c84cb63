//! Files of words: what is found and in which order, what is refused, what is bounded.

use super::*;
use crate::allowance::work_counted;

fn words(text: &str) -> Words {
    let (entries, findings) = read_words(&Source::new("words/x.de.toml", text));
    assert!(findings.is_empty(), "{findings:?}");
    let mut words = Words::default();
    words.add(&entries);
    words
}

#[test]
fn a_text_is_found_whole_then_by_its_numbers_then_by_a_pattern_then_by_its_parts() {
    let words = words(
        r#"[words]
        "Structure" = "Struktur"
        "page {1} of {2}" = "Seite {1} von {2}"
        "Structure." = "Struktur."
        "{1} boxes" = "{1} Kästchen"
        "1 boxes" = "ein Kästchen"
        "towed by {who}" = "im Schlepp von {who}"
        "towed by {who} at {where}" = "im Schlepp von {who} bei {where}"
        "bow" = "Bug"
        "not yet" = ""
        "#,
    );
    for (text, said) in [
        ("Structure", Some("Struktur")),
        (" Structure ", Some(" Struktur ")),
        ("structure", None),
        ("page 3 of 12", Some("Seite 3 von 12")),
        ("1 boxes", Some("ein Kästchen")),
        ("21 boxes", Some("21 Kästchen")),
        ("towed by Structure", Some("im Schlepp von Struktur")),
        ("towed by Ada at bow", Some("im Schlepp von Ada bei Bug")),
        // A hole's content is an entry or stays: it is no pattern again.
        ("towed by towed by Ada", Some("im Schlepp von towed by Ada")),
        ("towed by ", None),
        // A pattern ends with its sentence.
        ("towed by Ada; bow", Some("im Schlepp von Ada; Bug")),
        ("Ada boxes", None),
        ("bow · 21 boxes", Some("Bug · 21 Kästchen")),
        ("bow · stern", Some("Bug · stern")),
        ("bow, stern", None),
        ("Structure. Towed by Ada; towed by Ada", Some("Struktur. Towed by Ada; im Schlepp von Ada")),
        ("not yet", None),
        ("12", None),
    ] {
        assert_eq!(words.say(text).as_deref(), said, "{text}");
    }
    let is_own = |text: &str| text == "Structure";
    for text in ["Structure", "bow · Structure", "towed by Structure"] {
        assert!(words.say_but(text, &is_own).is_none_or(|said| said.contains("Structure")), "{text}");
    }
    for (key, said) in [
        ("page {1} of {2}", Some("Seite a von b")),
        ("{1} · page {2} of {3} · bow", Some("a · Seite b von c · Bug")),
        ("{1} · nothing", None),
        ("{1}/{2}", None),
    ] {
        assert_eq!(words.say_around(key, &["a", "b", "c"].map(str::to_owned)).as_deref(), said, "{key}");
    }
}

#[test]
fn what_is_wrong_with_a_file_has_its_place() {
    let cases = [
        ("[words]\n\"a {1}\" = \"b\"\n", "wrong-words", 2, "missing hole {1}"),
        ("[words]\n\"a\" = \"b {2}\"\n", "wrong-words", 2, "unknown hole {2}"),
        ("[words]\n\"a\" = 3\n", "wrong-words", 2, "expected text, found a whole number"),
        ("words = 3\n", "wrong-words", 1, "expected a table"),
        ("[wrods]\n\"a\" = \"b\"\n", "unknown-word", 1, "unknown word `wrods`"),
        ("[words]\n\"a\" = b\n", "not-toml", 2, ""),
    ];
    for (text, code, line, message) in cases {
        let (_, findings) = read_words(&Source::new("words/x.de.toml", text));
        let found = findings.first().unwrap_or_else(|| panic!("nothing found in {text}"));
        assert_eq!((&*found.code, found.at.line), (code, line), "{text}: {found:?}");
        assert!(found.message.contains(message), "{found:?}");
    }
}

#[test]
fn hostile_files_are_bounded() {
    let many: String = (0..30_000).map(|n| format!("\"text {n} of {{a}}\" = \"x {{a}}\"\n")).collect();
    let (entries, findings) = read_words(&Source::new("words/x.de.toml", &format!("[words]\n{many}")));
    assert_eq!((entries.len(), &*findings[0].code), (MAX_ENTRIES, "too-many-words"));
    let mut words = Words::default();
    words.add(&entries[..5_000]);
    assert_eq!(words.patterns.len(), MAX_PATTERNS);
    let before = work_counted();
    assert_eq!(words.say(&"a ".repeat(MAX_BYTES)), None);
    assert!(work_counted() - before < 3_000_000);
    let holes: String = (0..200).map(|n| format!("{{h{n}}} a")).collect();
    let (entries, findings) =
        read_words(&Source::new("words/x.de.toml", &format!("[words]\n\"{holes}\" = \"{holes}\"\n")));
    assert!(entries.is_empty() && findings[0].message.contains("holes"), "{findings:?}");
    let wrong = "\"a\" = 1\n";
    let all: String = (0..500).map(|n| wrong.replace('a', &format!("a{n}"))).collect();
    assert_eq!(read_words(&Source::new("x", &format!("[words]\n{all}"))).1.len(), MAX_FAULTS);
}

#[test]
fn it_is_known_what_was_asked_for() {
    let mut words = words("[words]\n\"bow\" = \"Bug\"\n");
    words.watch();
    for text in ["bow", "3 hits of 4", "12"] {
        words.say(text);
    }
    let asked: Vec<_> = words.asked().into_iter().collect();
    assert_eq!(asked, [("bow".to_owned(), true), ("{1} hits of {2}".to_owned(), false)]);
}

#[test]
fn a_window_puts_texts_together_from_pieces() {
    let mut words = words(
        r#"[words]
        "structure" = "Struktur"
        "laser" = "Laser"
        "to {name}" = "nach {name}"
        "add {what}" = "{what} hinzufügen"
        "add one more to {name}" = "noch eins nach {name}"
        "remove `{id}`" = "`{id}` entfernen"
        "range" = "Reichweite"
        "error" = "Fehler"
        "it is lost." = "es ist verloren."
        "#,
    );
    for text in ["structure: 12 → 14", "Structure", "range 4 8 12"] {
        assert_eq!(words.say(text), None, "the texts of sheets are entries as they are");
    }
    words.in_pieces();
    for (text, said) in [
        ("structure: 12 → 14", Some("Struktur: 12 → 14")),
        ("Structure", Some("Struktur")),
        ("range 4 8 12", Some("Reichweite 4 8 12")),
        ("+2 laser", Some("+2 Laser")),
        ("laser:", Some("Laser:")),
        ("3 × laser, bow", Some("3 × Laser, bow")),
        // A pattern in the hole of a pattern.
        ("error: add structure", Some("Fehler: Struktur hinzufügen")),
        ("add one more to laser", Some("noch eins nach Laser")),
        // What is in a hole called `id` is a name of the files.
        ("remove `laser`", Some("`laser` entfernen")),
        // Sentences come before pieces.
        ("structure: it is lost. laser", Some("Struktur: es ist verloren. Laser")),
        ("Ada: 12", None),
        ("12 → 14", None),
    ] {
        assert_eq!(words.say(text).as_deref(), said, "{text}");
    }
    assert_eq!(words.say_but("laser: 3", &|part| part == "laser"), None);
    // However deep and long.
    let before = work_counted();
    let long = "add ".repeat(900) + &", x".repeat(100);
    words.say(&long);
    assert!(work_counted() - before < 3_000_000);
}
