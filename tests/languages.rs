//! Sheets in other languages: German has every text of the games that say so; boxes, marks, names of fields and codes are the same in
//! every language; what a player wrote stays; files that are broken, foreign or too wide are told.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::support::program::Folder;
use crate::support::{GAMES, outside};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::library::{Language, Rulesets, SHARED_WORDS, WINDOW_WORDS, designs_of_ruleset};
use moldloft::print::{PrintKind, PrintOptions, PrintedPages, print_ruleset, print_ships, survey_words, wider_texts};
use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{MarkKind, SceneItem, Shape};
use moldloft::source::Source;
use moldloft::store::Store;
use moldloft::words::{WordsEntry, has_words, read_words};

/// Languages with the games that are complete in them.
const COMPLETE: [(&str, &[&str]); 2] = [("de", &GAMES), ("fr", &["battleships-1890s"])];

fn rules(store: &Store, id: &str, language: Option<&str>) -> Arc<Ruleset> {
    let rulesets = Rulesets::without_settings(store).in_language(language.map(Language::new));
    rulesets.get(id).expect("words").ruleset().expect("a ruleset").clone()
}

fn ship(store: &Store, path: &str, language: Option<&str>, change: impl Fn(&str) -> String) -> Evaluation {
    let text = moldloft::store::built_in_source(path).expect("a sample").text;
    let design = Design::read(&Source::new("ship.toml", &change(&text))).expect("a design");
    let id = design.ruleset.as_ref().expect("a ruleset").text.clone();
    evaluate(&rules(store, &id, language), &design, &Ship::default())
}

fn printed(store: &Store, ship: Evaluation) -> PrintedPages {
    let options = PrintOptions::default().kind(PrintKind::SheetsAndCounters);
    print_ships(store, vec![ship], &options, &Progress::default())
}

fn each_item(items: &[SceneItem], told: &mut impl FnMut(&SceneItem)) {
    for item in items {
        told(item);
        if let Shape::Group { items, .. } = &item.shape {
            each_item(items, told);
        }
    }
}

/// The texts of pages, in order, and the marks with how often each is there.
fn content(pages: &PrintedPages) -> (Vec<String>, BTreeMap<String, usize>) {
    let (mut texts, mut marks) = (Vec::new(), BTreeMap::new());
    for page in &pages.scene.pages {
        each_item(&page.items(), &mut |item| {
            if let Shape::Text(line) = &item.shape {
                texts.push(line.shaped.text.to_string());
            }
            match &item.mark {
                // A log has as many rows as there is room for.
                Some(mark) if mark.kind == MarkKind::Write => {
                    marks.insert(mark.name.replace(|c: char| c.is_ascii_digit(), ""), 1);
                }
                Some(mark) => {
                    *marks.entry(format!("{} {:?} {}", mark.name, mark.kind, mark.ticked)).or_default() += 1;
                }
                None => {}
            }
        });
    }
    (texts, marks)
}

#[test]
fn each_complete_language_has_every_text_and_none_too_many() {
    let store = Store::built_in();
    for (language, games) in COMPLETE {
        for id in games {
            let survey = survey_words(&store, id, language).expect("a survey");
            assert!(survey.asked.len() > 150, "{id}: {} texts", survey.asked.len());
            assert_eq!(survey.missing(), Vec::<&str>::new(), "{id} in {language}: without an entry");
            let own = store.words(id, language).expect("a file").expect("its text");
            let (entries, findings) = read_words(&own);
            assert!(findings.is_empty(), "{findings:?}");
            let stale: Vec<&WordsEntry> = entries.iter().filter(|entry| survey.is_stale(entry)).collect();
            assert!(stale.is_empty(), "{id} in {language}: nothing says {stale:#?}");
            let empty: Vec<&WordsEntry> = entries.iter().filter(|entry| entry.text.is_empty()).collect();
            assert!(empty.is_empty(), "{empty:?}");
        }
        let shared = store.words(SHARED_WORDS, language).expect("a file").expect("its text");
        assert!(read_words(&shared).1.is_empty());
    }
}

#[test]
fn a_sheet_has_the_same_boxes_marks_and_fields_in_every_language() {
    let store = Store::built_in();
    for path in
        ["designs/wars-of-honor/vigilant.toml", "designs/star-navy/chicago.toml", "designs/b5-house-rules/sirenna.toml"]
    {
        let [(english, marks), (german, own)] =
            [None, Some("de")].map(|language| content(&printed(&store, ship(&store, path, language, str::to_owned))));
        assert_eq!(marks, own, "{path}");
        assert!(marks.len() > 20 && english != german, "{path}");
    }
    let rules = rules(&store, "wars-of-honor", Some("de"));
    let options = PrintOptions::default().kind(PrintKind::Blank);
    let [(_, marks), (_, own)] = [&self::rules(&store, "wars-of-honor", None), &rules]
        .map(|rules| content(&print_ruleset(&store, rules, &options, &Progress::default()).expect("empty sheets")));
    assert_eq!(marks, own);
}

/// The names of the marks of each page, without their numbers; not those to write in, since a log may be left out.
fn marks_of_pages(pages: &PrintedPages) -> Vec<BTreeSet<String>> {
    let of_page = |items: &[SceneItem]| {
        let mut marks = BTreeSet::new();
        each_item(items, &mut |item| {
            let marks_here = item.mark.iter().filter(|mark| mark.kind != MarkKind::Write);
            marks.extend(marks_here.map(|mark| mark.name.replace(|c: char| c.is_ascii_digit(), "")));
        });
        marks
    };
    pages.scene.pages.iter().map(|page| of_page(&page.items())).collect()
}

/// Longer words move no panel to another page.
#[test]
fn samples_and_empty_sheets_have_the_same_panels_on_the_same_pages_in_every_language() {
    let store = Store::built_in();
    for (language, games) in COMPLETE {
        for id in games {
            let [own, other] = [None, Some(language)].map(|language| rules(&store, id, language));
            for design in designs_of_ruleset(&store, &own) {
                let [english, translated] = [&own, &other].map(|rules| {
                    let ship = evaluate(rules, &design, &Ship::default());
                    marks_of_pages(&print_ships(&store, vec![ship], &PrintOptions::default(), &Progress::default()))
                });
                assert_eq!(english, translated, "{:?} of {id} in {language}", design.name);
            }
            let options = PrintOptions::default().kind(PrintKind::Blank);
            let [english, translated] = [&own, &other].map(|rules| {
                marks_of_pages(&print_ruleset(&store, rules, &options, &Progress::default()).expect("empty sheets"))
            });
            assert_eq!(english, translated, "empty sheets of {id} in {language}");
        }
    }
}

#[test]
fn what_a_player_wrote_stays_whatever_it_is() {
    let store = Store::built_in();
    let path = "designs/wars-of-honor/vigilant.toml";
    let named = ship(&store, path, Some("de"), |text| text.replacen("name = \"Vigilant\"", "name = \"Structure\"", 1));
    assert_eq!(&*named.name, "Structure");
    let (texts, _) = content(&printed(&store, named));
    let has = |word: &str| texts.iter().any(|text| text.to_uppercase().contains(word));
    assert!(texts.iter().any(|text| text == "Structure" || text.starts_with("Structure-Klasse")), "{texts:?}");
    assert!(has("STRUKTUR") && has("SEITENSCHILD"), "{texts:?}");
}

#[test]
fn a_text_that_is_too_wide_is_told() {
    let folder = Folder::with(&[("words/wars-of-honor.de.toml", "[words]\n\"{1} class {2}\" = \"".as_bytes())]);
    let wide =
        format!("[words]\n\"{{1}} class {{2}}\" = \"{{1}}{} {{2}}\"\n", "-Sternenkriegsschiffsklasse".repeat(12));
    folder.write("words/wars-of-honor.de.toml", wide.as_bytes());
    let store = Store::open(Some(folder.0.path())).expect("a workspace");
    let found = wider_texts(&store, "wars-of-honor", "de").expect("findings");
    assert!(!found.is_empty());
    assert_eq!(wider_texts(&Store::built_in(), "wars-of-honor", "de").expect("findings"), Vec::new());
}

#[test]
fn a_workspace_replaces_words_and_adds_those_of_its_own_games() {
    let folder = Folder::with(&[("words/wars-of-honor.de.toml", b"[words]\n\"Structure\" = \"Gerippe\"\n")]);
    let store = Store::open(Some(folder.0.path())).expect("a workspace");
    let path = "designs/wars-of-honor/vigilant.toml";
    let (texts, _) = content(&printed(&store, ship(&store, path, Some("de"), str::to_owned)));
    assert!(texts.iter().any(|text| text == "GERIPPE") && !texts.iter().any(|text| text == "STRUKTUR"), "{texts:?}");
    // What its own file does not say is in the source language; what the program says is translated still.
    assert!(texts.iter().any(|text| text.starts_with("Marker, Bogen")), "{texts:?}");
    folder.run(&["reference", "star-navy", "--language", "xx", "-o", "x.pdf"]).expect(2).says("has no words in `xx`");
    folder.write("words/star-navy.xx.toml", b"[words]\n\"Turn\" = \"Tour\"\n");
    folder.run(&["reference", "star-navy", "--language", "xx", "-o", "x.pdf"]).expect(0);
}

/// Odds and lengths that are worked out have the comma of the language, which its files say.
#[test]
fn decimal_numbers_are_written_as_the_language_writes_them() {
    let store = Store::built_in();
    for (language, game) in [("de", "wars-of-honor"), ("fr", "battleships-1890s")] {
        let rules = rules(&store, game, Some(language));
        let words = rules.words.as_ref().expect("words of the language");
        assert_eq!(words.say_around("{1}.{2}", &["25", "67"]).as_deref(), Some("25,67"), "{language}");
    }
}

/// Longer words cost no page of a ship or a pod, and what is said of the pages hangs on no wording.
#[test]
fn a_pack_says_and_leaves_out_the_same_in_every_language() {
    let folder = Folder::new();
    let fleets = ["convoy-escort", "commerce-raid"]
        .map(|name| format!("{}/designs/wars-of-honor/fleets/{name}.toml", env!("CARGO_MANIFEST_DIR")));
    let pack = |language: &[&str]| {
        let options =
            [&["pack", &fleets[0], &fleets[1], "--without", "reference", "-o", "pack.pdf"], language].concat();
        let output = folder.run(&options);
        output.expect(0);
        assert!(!output.err.contains("odds-left-out"), "{}", output.err);
        output.out.clone()
    };
    assert_eq!(pack(&[]), pack(&["--language", "de"]));
}

#[test]
fn files_that_cannot_be_used_are_told_with_their_place() {
    let folder = Folder::new();
    for (text, code, place) in [
        ("[words]\n\"Turn\" = Zug\n", "not-toml", ":2:"),
        ("[words]\n\"a\" = \"b\"\n\"page {1}\" = \"Seite\"\n", "wrong-words", ":3:"),
        ("[word]\n", "unknown-word", ":1:"),
    ] {
        folder.write("words/star-navy.xx.toml", text.as_bytes());
        let output = folder.run(&["reference", "star-navy", "--language", "xx", "-o", "x.pdf"]);
        output.expect(2).says(code).says(&format!("star-navy.xx.toml{place}"));
    }
    folder
        .run(&["reference", "wars-of-honor", "--language", "dee", "-o", "x.pdf"])
        .expect(2)
        .says("did you mean `de`?");
}

#[test]
fn a_file_of_words_is_begun_kept_and_brought_up_to_date() {
    let folder = Folder::new();
    let extract =
        ["words", "extract", "battleships-1890s", "--language", "xx", "-o", "words/battleships-1890s.xx.toml"];
    folder.run(&extract).expect(0).says("0 stale");
    let text = std::fs::read_to_string(folder.path("words/battleships-1890s.xx.toml")).expect("a file");
    assert!(text.contains("\"Torpedoes\" = \"\" # new"), "{text}");
    let own = text.replacen(
        "\"Torpedoes\" = \"\" # new",
        "\"Torpedoes\" = \"Torpilles\" # mine\n\"No such text\" = \"Rien\"",
        1,
    );
    folder.write("words/battleships-1890s.xx.toml", own.as_bytes());
    folder.run(&extract).expect(0).says("1 stale");
    let text = std::fs::read_to_string(folder.path("words/battleships-1890s.xx.toml")).expect("a file");
    assert!(text.contains("\"Torpedoes\" = \"Torpilles\" # mine\n# stale: \"No such text\" = \"Rien\"\n"), "{text}");
    folder.run(&["words", "check", "battleships-1890s", "--language", "xx"]).expect(1).says("missing: ");
}

/// What is measured on the table is said in the language, too; a ship's own name stays.
#[test]
fn rulers_are_in_the_language() {
    let store = Store::built_in();
    for (path, said, plain) in [
        ("designs/wars-of-honor/vigilant.toml", ["Flug einer Rakete", "Laser, Graser"], "missile’s move"),
        (
            "designs/battleships-1890s/hammerfest.toml",
            ["Mittelartillerie, Backbord", "Fahrt einer Runde"],
            "a turn's move",
        ),
    ] {
        let texts = |language| {
            let ship = ship(&store, path, language, str::to_owned);
            let options = PrintOptions::default().rulers(true);
            content(&print_ships(&store, vec![ship], &options, &Progress::default())).0.join("\n")
        };
        let (english, german) = (texts(None), texts(Some("de")));
        assert!(english.contains(plain) && !german.contains(plain), "{german}");
        assert!(said.iter().all(|words| german.contains(words) && !english.contains(words)), "{german}");
    }
}

/// The program's own sources, without tests, with the signs of their texts as they are read.
fn program_sources() -> Vec<String> {
    let mut sources = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                sources.push(text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned());
            }
        }
    }
    sources
}

/// A literal of a source as it is read, from behind its first quotation mark.
fn literal(rest: &str) -> String {
    let mut text = String::new();
    let mut signs = rest.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => break,
            '\\' => match signs.next() {
                Some('n') => text.push('\n'),
                Some('\n') => signs = signs.as_str().trim_start().chars(),
                other => text.extend(other),
            },
            other => text.push(other),
        }
    }
    text
}

/// The texts that a source says as they are: `say("…")` and `tell("…", …)`.
fn said_texts(source: &str) -> Vec<String> {
    let doors = ["say(\"", "tell(\""].into_iter().flat_map(|door| source.match_indices(door));
    doors.map(|(at, door)| literal(&source[at + door.len()..])).collect()
}

/// The messages and helps of the findings that a source writes where it reports them, each hole as `{}`.
fn finding_texts(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for door in ["Finding::error(", "Finding::warning(", "Finding::note(", ".help(", "let message = ", "let help = "] {
        for (at, _) in source.match_indices(door) {
            let mut rest = &source[at + door.len()..];
            if door.starts_with("Finding") {
                let Some((_, message)) = rest.split_once(',') else { continue };
                rest = message;
            }
            let rest = rest.trim_start();
            let Some(text) = rest.strip_prefix("format!(").unwrap_or(rest).trim_start().strip_prefix('"') else {
                continue;
            };
            texts.push(with_bare_holes(&literal(text)));
        }
    }
    texts
}

/// `{name:.1}`, `{1}` and numbers as `{}`; braces that are written twice in a source as one.
fn with_bare_holes(text: &str) -> String {
    let mut out = String::new();
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '{' | '}' if signs.peek() == Some(&sign) => out.extend(signs.next()),
            '{' => {
                let inside: String = signs.by_ref().take_while(|sign| *sign != '}').collect();
                let is_hole = inside.chars().all(|sign| sign.is_alphanumeric() || "_.:#?".contains(sign));
                out += &if is_hole { "{}".to_owned() } else { format!("{{{inside}}}") };
            }
            digit if digit.is_ascii_digit() => {
                while signs.next_if(char::is_ascii_digit).is_some() {}
                out += "{}";
            }
            other => out.push(other),
        }
    }
    out
}

#[test]
fn each_text_that_the_window_says_as_it_is_has_words_and_no_entry_is_of_the_past() {
    let store = Store::built_in();
    let sources = program_sources();
    let rules = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets")).expect("a folder");
    let rules = rules.flatten().map(|entry| fs::read_to_string(entry.path()).expect("rules"));
    let rules: Vec<String> = rules.chain(sources.iter().cloned()).collect();
    let known: HashSet<String> =
        rules.iter().flat_map(|text| text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase)).collect();
    for (language, _) in COMPLETE {
        let Some(own) = store.words(WINDOW_WORDS, language) else { continue };
        let (entries, findings) = read_words(&own.expect("its text"));
        assert!(findings.is_empty(), "{findings:?}");
        let words = Language::new(language).window_words(&store, None).expect("words");
        let texts: BTreeSet<String> = sources.iter().flat_map(|source| said_texts(source)).collect();
        assert!(texts.len() > 250, "{} texts", texts.len());
        let lacks = |text: &&String| {
            has_words(text) && words.say(text).or_else(|| words.say_around::<&str>(text, &[])).is_none()
        };
        let lacking: Vec<&String> = texts.iter().filter(lacks).collect();
        assert!(lacking.is_empty(), "{language}: without an entry: {lacking:#?}");
        let files = GAMES.into_iter().chain([SHARED_WORDS]).filter_map(|id| store.words(id, language)?.ok());
        let all = files.flat_map(|file| read_words(&file).0).chain(entries.iter().cloned());
        let all: String = all.map(|entry| with_bare_holes(&entry.source) + "\n").collect();
        // What is between holes, in each of its sentences: what is in a hole may be a sentence of its own, too.
        let has_entry = |text: &str| {
            let sentences =
                text.split("{}").flat_map(|part| part.split(['\n', ';', '·'])).flat_map(|part| part.split(". "));
            let parts = sentences.map(|part| part.trim_matches(|sign: char| !sign.is_alphanumeric()));
            parts.filter(|part| has_words(part)).all(|part| all.contains(part))
        };
        let found: BTreeSet<String> = sources.iter().flat_map(|source| finding_texts(source)).collect();
        assert!(found.len() > 400, "{} findings", found.len());
        let lacking: Vec<&String> = found.iter().filter(|text| !has_entry(text)).collect();
        assert!(lacking.is_empty(), "{language}: findings without an entry: {lacking:#?}");
        // A word that no source has is of a text that is no longer said; several and one differ by an s.
        let is_known = |word: &str| {
            let one = word.strip_suffix('s').map(str::to_owned);
            let one = word.strip_suffix("ies").map(|stem| format!("{stem}y")).or(one);
            known.contains(word) || one.is_some_and(|one| known.contains(&one))
        };
        let is_stale = |entry: &&WordsEntry| {
            let fixed = entry.source.split(['{', '}']).step_by(2);
            let mut words = fixed.flat_map(|text| text.split(|c: char| !c.is_alphabetic()));
            !words.all(|word| word.chars().count() < 3 || is_known(&word.to_lowercase()))
        };
        let stale: Vec<&str> = entries.iter().filter(is_stale).map(|entry| &*entry.source).collect();
        assert!(stale.is_empty(), "{language}: nothing says {stale:#?}");
        let empty: Vec<&str> =
            entries.iter().filter(|entry| entry.text.is_empty()).map(|entry| &*entry.source).collect();
        assert!(empty.is_empty(), "{language}: {empty:?}");
    }
}

#[test]
fn the_words_of_the_program_and_the_window_are_begun_and_checked_as_a_games() {
    let folder = Folder::with(&[]);
    folder.run(&["words", "extract", "window", "--language", "nl"]).expect(0).says("0 stale");
    let text = fs::read_to_string(folder.path("words/window.nl.toml")).expect("a file");
    assert!(text.contains("\"Open…\" = \"\" # new"), "{}", &text[..400]);
    folder.run(&["words", "check", "window", "--language", "nl"]).expect(1).says("window: missing: Open…");
    folder.run(&["words", "check", "window", "--language", "de"]).expect(0).says("0 missing, 0 stale");
    folder.run(&["words", "check", "moldloft", "--language", "de"]).expect(0);
}

#[test]
fn maps_and_the_calibration_page_are_printed_in_a_language() {
    let folder = Folder::with(&[]);
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let text = |file: &str| fs::read_to_string(folder.path(file)).expect(file);
    let plain = ["--svg-text", "embedded", "--language", "de"];
    folder.run(&[&["map", "hex:30", "--pages", "2x1", "-o", "map.svg"], &plain[..]].concat()).expect(0);
    assert!(text("map-1.svg").contains("Sechsecke von 30 mm") && text("map-1.svg").contains("am Rahmen schneiden"));
    folder.run(&["calibrate", "--language", "de", "-o", "page.pdf"]).expect(0);
    let page = outside::tool("pdftotext", &[&*folder.path("page.pdf").to_string_lossy(), "-"]);
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["Kalibrierseite, A4", "beide Lineale", "hier einstechen"] {
        assert!(page.contains(words), "{page}");
    }
    for english in ["Print this", "measure both", "Margin:", "Where is"] {
        assert!(!page.contains(english), "{page}");
    }
    folder.run(&["map", "hex:30", "--language", "xx", "-o", "x.svg"]).expect(2).says("available languages: de, fr");
}

/// Ships keep their names, also where one is a word of the rules.
#[test]
fn charts_of_odds_are_printed_in_a_language() {
    let folder = Folder::with(&[]);
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let named = moldloft::store::built_in_source("designs/wars-of-honor/vigilant.toml").expect("a sample").text;
    folder.write("laser.toml", named.replacen("name = \"Vigilant\"", "name = \"Laser\"", 1).as_bytes());
    let read = |file: &str| {
        let text = outside::tool("pdftotext", &["-layout", &folder.path(file).to_string_lossy(), "-"]);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let german = ["--language", "de", "-o", "chart.pdf"];
    folder.run(&[&["odds", "laser.toml", "--against", "ardennes"], &german[..]].concat()).expect(0);
    let chart = read("chart.pdf");
    for words in
        ["Laser auf Ardennes", "Punkte gegen", "Wie viel davon bei", "so viel oder mehr", "Exakt", "Regeln 1.0"]
    {
        assert!(chart.contains(words), "{words}: {chart}");
    }
    for english in [" against ", "bears", " lost", "Exact:", "Assumed", "Rules"] {
        assert!(!chart.contains(english), "{english}: {chart}");
    }
    let ships = ["vigilant", "ardennes"];
    folder.run(&[&["odds", "--matrix"], &ships[..], &german[..]].concat()).expect(0);
    let chart = read("chart.pdf");
    assert!(chart.contains("wer gut abtauscht") && chart.contains("Ziel") && !chart.contains("Large:"), "{chart}");
    for plain in [&["odds", "vigilant"][..], &["odds", "vigilant", "-o", "odds.csv"]] {
        folder.run(&[plain, &["--language", "de"]].concat()).expect(2).says("a chart alone has a language");
    }
    folder.run(&["odds", "vigilant", "--language", "xx", "-o", "chart.pdf"]).expect(2).says("available languages: de");
}
