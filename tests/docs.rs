//! The book of docs/rulesets is true: its boxes, put into files as it says, make a game that checks, prints and says what the pages show; and what it tells of
//! words, functions, names and panels is what the program knows.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use moldloft::evaluate::codes;
use moldloft::formula::FUNCTIONS;
use moldloft::ruleset::{
    FLEET_FUNCTIONS, KeyType, NESTED_TABLES, QUERY_FUNCTIONS, SECTIONS, SectionSpec, builtin_words,
};
use moldloft::sheet::SLOT_OPTIONS;
use moldloft::sheet::panels::KINDS;
use moldloft::sheet::panels::common_options::{FlowPartOptions, FlowRectOptions, common_options};
use moldloft::sheet::panels::panel_options::PanelOption;

use crate::support::{expected, outside, shell};
use shell::words;

/// The book's pages in the order in which its front page names them.
fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rulesets");
    let front = fs::read_to_string(folder.join("README.md")).unwrap();
    let links = front.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pages: Vec<PathBuf> = links.filter(|link| !link.contains('/')).map(|link| folder.join(link)).collect();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), pages.len() + 1, "pages of the book, and its front page");
    pages
}

fn book() -> String {
    pages().iter().map(|page| fs::read_to_string(page).unwrap()).collect()
}

/// A fenced box: what follows the fence, and what is in it.
struct Boxed {
    info: Vec<String>,
    text: String,
}

fn boxes(page: &str) -> Vec<Boxed> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        found.push(Boxed { info: info.split_whitespace().map(str::to_owned).collect(), text: text.join("\n") + "\n" });
    }
    found
}

/// Runs one command of the book; gives its exit status and all it said.
fn run(line: &str, folder: &Path) -> (Option<i32>, String) {
    let words = words(line);
    assert_eq!(words[0], "moldloft", "{line}");
    let run = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(&words[1..]).current_dir(folder).output().unwrap();
    (run.status.code(), format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr)))
}

/// Whether all that an example has written counts: no statement of a layer is out of force, nothing is skipped.
fn counts_whole(said: &str) -> bool {
    !["not-in-force", "not in force", "skipped"].iter().any(|words| said.contains(words))
}

/// Every line shown is said, in this order.
fn says(said: &str, shown: &str) -> bool {
    let mut said = said.lines();
    shown.lines().all(|line| said.any(|known| known.trim_end() == line.trim_end()))
}

fn text_of(pdf: &Path) -> String {
    outside::tool("pdftotext", &["-layout", &pdf.to_string_lossy(), "-"])
}

/// Puts the book's boxes into files, runs its commands between them, and gives the folder.
fn built() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut last = String::new();
    let mut ran = 0;
    for Boxed { info, text } in boxes(&book()) {
        let info: Vec<&str> = info.iter().map(String::as_str).collect();
        match info.as_slice() {
            ["sh", rest @ ..] => {
                last.clear();
                for line in text.lines() {
                    let (status, said) = run(line, folder.path());
                    let wanted = i32::from(rest == ["fails"]);
                    assert_eq!(status, Some(wanted), "{line}\n{said}");
                    assert!(counts_whole(&said), "an example that is not in force: {line}\n{said}");
                    last += &said;
                    ran += 1;
                }
            }
            ["text"] => assert!(says(&last, &text), "the book shows\n{text}\nthe program says\n{last}"),
            ["toml" | "svg"] => {}
            ["toml" | "svg", file, how @ ..] => {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let before = match how {
                    ["add"] => fs::read_to_string(&path).unwrap() + "\n",
                    _ => String::new(),
                };
                fs::write(path, before + &text).unwrap();
            }
            other => panic!("a box of another kind: {other:?}"),
        }
    }
    assert!(ran >= 12, "{ran} commands");
    folder
}

#[test]
fn the_game_of_the_book_is_built_checked_and_printed() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = built();
    let at = |file: &str| folder.path().join(file);
    let cards = text_of(&at("gunboats.pdf"));
    for words in ["Adder", "49 points", "12 boxes", "TORPEDOES", "torpedo rack", "Heron", "33 points", "legal"] {
        assert!(cards.contains(words), "no “{words}” on the cards:\n{cards}");
    }
    // Those that flow: torpedoes beside their racks, a column that only Adder's log has, later turns to the foot of the page.
    let sheets = text_of(&at("sheets.pdf"));
    let pages: Vec<&str> = sheets.split('\u{c}').collect();
    assert!(
        pages[0].contains("TURN LOG") && pages[0].contains("fire at") && pages[0].contains("ammunition"),
        "{sheets}"
    );
    assert!(pages[0].contains("torpedoes") && !pages[1].contains("torpedoes"), "{sheets}");
    assert!(pages[1].contains("Heron") && pages[1].lines().any(|line| line.trim() == "20"), "{sheets}");
    assert!(text_of(&at("reference.pdf")).contains("torpedo rack"));
    assert!(text_of(&at("chits.pdf")).contains('6'), "six torpedoes, numbered");
    for file in ["gunboats.pdf", "blank.pdf", "chits.pdf", "reference.pdf"] {
        assert!(fs::read(at(file)).unwrap().starts_with(b"%PDF-"), "{file}");
    }
    // Nothing is left to find in rules that a book teaches by.
    let (status, said) = run("moldloft rules check gunboats", folder.path());
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("nothing found"), "{said}");
}

/// A monster of the book's game goes on to its continuation cards and loses nothing.
#[test]
fn a_large_ship_of_the_book_is_continued() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = built();
    let ship = "ruleset = \"gunboats\"\nname = \"Leviathan\"\n[fields]\nhull = 60\n[[fit]]\nsystem = \"torpedo-rack\"\nmount = \"stern\"\ncount = 30\ntorpedoes = 6\n";
    fs::write(folder.path().join("leviathan.toml"), ship).unwrap();
    let (status, said) = run("moldloft print leviathan.toml -o leviathan.pdf", folder.path());
    assert_eq!(status, Some(0), "{said}");
    assert!(text_of(&folder.path().join("leviathan.pdf")).contains("Leviathan, page 2 of"));
}

fn holds(holds: KeyType) -> String {
    let words: &str = match holds {
        KeyType::Name => "a name: lower-case letters, digits, `_`",
        KeyType::Id => "a name: lower-case letters, digits, `-`",
        KeyType::Text => "text",
        KeyType::Template => "text with `{{ }}`",
        KeyType::Integer => "whole number",
        KeyType::Bool => "`true` or `false`",
        KeyType::StringOrList => "a name, or a list of names",
        KeyType::Choice(words) => {
            return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        }
        KeyType::Number => "number or formula",
        KeyType::Condition => "condition: a formula",
        KeyType::IntegerList => "list of numbers or formula",
        KeyType::Anything => "formula",
        KeyType::Literal => "a plain value",
        KeyType::Default => "a plain value of its kind",
        KeyType::FormulaTable => "`{ name = \"formula\" }`",
        KeyType::Tables(word) => return format!("list of tables, [{0}](#{1})", word, anchor(word)),
        KeyType::TablesOrIds(word) => return format!("list of ids or tables, [{0}](#{1})", word, anchor(word)),
        KeyType::TablesById(word) => return format!("tables by id, [{0}](#{1})", word, anchor(word)),
        KeyType::TableOf(word) => return format!("table, [{0}](#{1})", word, anchor(word)),
        KeyType::Rows => "list of rows, each a list of cells",
        KeyType::Size => "number, or `[width, height]`",
        KeyType::Position => "`[across, down]`, whole numbers",
        KeyType::ChoiceOrTable(words, word) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            return format!("{}; or a table, [{word}](#{})", words.join(", "), anchor(word));
        }
        KeyType::IntegersByName => "`{ name = number }`",
        KeyType::AnyTable => "a table",
        #[allow(unreachable_patterns, reason = "a kind of key that is new is shown by its name")]
        other => return format!("{other:?}").to_lowercase(),
    };
    words.to_owned()
}

fn anchor(word: &str) -> String {
    format!("nested-table-{}", word.replace(' ', "-"))
}

/// A sentence's first letter large.
fn begun(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn table(word: &SectionSpec, out: &mut String) {
    let _ = writeln!(out, "{}.\n\n| key | holds | |\n|---|---|---|", begun(word.about));
    for key in word.keys {
        let name = if key.required { format!("**`{}`**", key.name) } else { format!("`{}`", key.name) };
        let _ = writeln!(out, "| {name} | {} | {} |", holds(key.holds), key.about);
    }
    out.push('\n');
}

fn panel_options(list: impl Iterator<Item = &'static PanelOption>, out: &mut String) {
    options(list.map(|option| (option.key, option.description())), out);
}

fn options(list: impl Iterator<Item = (&'static str, String)>, out: &mut String) {
    let _ = writeln!(out, "| option | |\n|---|---|");
    for (name, about) in list {
        let _ = writeln!(out, "| `{name}` | {} |", about.replace('|', "\\|"));
    }
    out.push('\n');
}

/// A part of a page as the program's tables have it.
fn made(part: &str) -> String {
    let mut out = String::new();
    match part {
        "words" => {
            for word in NESTED_TABLES.iter().filter(|word| word.name == "ruleset") {
                let _ = write!(out, "### `[ruleset]`\n\n");
                table(word, &mut out);
            }
            for word in SECTIONS {
                let _ = write!(out, "### `[[{}]]`\n\n", word.name);
                table(word, &mut out);
            }
            for word in NESTED_TABLES.iter().filter(|word| word.name != "ruleset") {
                let _ = write!(out, "### Nested table: {}\n\n", word.name);
                table(word, &mut out);
            }
        }
        "functions" => {
            let _ = writeln!(out, "| function | gives |\n|---|---|");
            for asked in &QUERY_FUNCTIONS {
                let _ = writeln!(out, "| `{}({})` | {} |", asked.name, asked.arguments, asked.doc);
            }
            for asked in &FLEET_FUNCTIONS {
                let _ = writeln!(out, "| `{}({})` | over a fleet: {} |", asked.name, asked.arguments, asked.doc);
            }
            for function in &FUNCTIONS {
                let _ = writeln!(out, "| `{}({})` | {} |", function.name, function.arguments, function.doc);
            }
        }
        "names" => {
            for (what, words) in builtin_words() {
                let about = match what {
                    "it" => "of `it`, where there is one",
                    "number" => {
                        "numbers that only some formulas have: in a track's `cell` and `row_label`, in a `grid`, on a counter, in a template"
                    }
                    _ => {
                        "of the ship, the ruleset and the evaluation; `legal`, `verdict` and `assumed` in templates only, `fleet.…` there and in checks over a fleet"
                    }
                };
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                let _ = writeln!(out, "- {about}: {}", words.join(" "));
            }
        }
        "slots" => {
            let _ = writeln!(out, "In a text's Description:\n");
            options(SLOT_OPTIONS.into_iter().map(|(name, about)| (name, about.to_owned())), &mut out);
        }
        "panels" => {
            let _ = writeln!(out, "Every panel has the options\n");
            panel_options(common_options(), &mut out);
            for kind in KINDS {
                let argument =
                    if kind.argument == "none" { String::new() } else { format!(" and then {}", kind.argument) };
                let _ = writeln!(
                    out,
                    "### `panel: {0}`\n\n{1}. Label: `panel: {0}`{argument}.\n",
                    kind.name,
                    begun(kind.about)
                );
                if !kind.options.is_empty() {
                    panel_options(kind.options.iter(), &mut out);
                }
            }
        }
        "flows" => {
            let of_blocks: Vec<String> =
                FlowPartOptions::LIST.iter().map(|option| format!("`{}`", option.key)).collect();
            let (last, first) = of_blocks.split_last().expect("options");
            let words = format!("{} and {last}", first.join(", "));
            let _ = writeln!(out, "A block has the options {words} of panels. A flow has the options\n");
            panel_options(FlowRectOptions::LIST.iter(), &mut out);
        }
        "codes" => {
            let _ = writeln!(out, "| code | |\n|---|---|");
            for (code, meaning) in codes() {
                let _ = writeln!(out, "| `{code}` | {meaning} |");
            }
        }
        other => panic!("a page has a part `{other}` that nothing makes"),
    }
    out.trim_end().to_owned() + "\n"
}

/// What the book tells of the program's words is what the program knows.
#[test]
fn the_book_knows_every_word() {
    let mut parts = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let mut fresh = String::new();
        let mut rest = page.as_str();
        while let Some((before, after)) = rest.split_once("<!-- made: ") {
            let (part, after) = after.split_once(" -->\n").unwrap();
            let (_, after) = after.split_once("<!-- end -->").unwrap();
            let _ = write!(fresh, "{before}<!-- made: {part} -->\n{}<!-- end -->", made(part));
            parts.push(part.to_owned());
            rest = after;
        }
        fresh += rest;
        expected::same(&path, &fresh).unwrap_or_else(|fault| panic!("{fault}"));
    }
    assert_eq!(parts, ["words", "functions", "names", "slots", "panels", "flows", "codes"]);
}

/// Layers' own words, and the words a book could forget because no table holds them.
#[test]
fn the_book_tells_of_layers_and_provenance() {
    let book = book();
    let layers = [
        "extends",
        "[change.",
        "remove = true",
        "after = ",
        "severity = \"off\"",
        "reason = ",
        "add.rows",
        "add.mounts",
        "add.options",
        "unset = [",
        "kind = \"supplement\"",
        "`base`",
    ];
    let provenance = ["assumed", "derived", "house", "published"];
    for word in layers.iter().chain(&provenance) {
        assert!(book.contains(word), "the book does not tell of `{word}`");
    }
}
