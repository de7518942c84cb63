//! What the program says is plain English: no string of the sources, no text of a ruleset or template and no page of the docs holds a word that was struck from the
//! dictionary (CONTRIBUTING.md).

use std::fs;
use std::path::{Path, PathBuf};

/// Words and phrases that no message, label or help may hold, as whole words.
const STRUCK: [&str; 28] = [
    "told",
    "stand",
    "stands",
    "lies",
    "muster",
    "mustered",
    "judge",
    "judged",
    "judges",
    "mend",
    "mends",
    "mended",
    "nobody",
    "whatever",
    "whoever",
    "shall",
    "anew",
    "thereby",
    "hereby",
    "misspelt",
    "let pass",
    "called off",
    "taken along",
    "spoken of",
    "is due",
    "passed over",
    "take out",
    "of her own",
];

fn files(folder: &Path, kind: &str, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, kind, into);
        } else if path.extension().is_some_and(|ending| ending == kind) && !path.ends_with("tests.rs") {
            into.push(path);
        }
    }
}

/// The string literals of a file's code, with their lines: comments, characters and unit tests are not looked at.
fn strings(text: &str) -> Vec<(usize, String)> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut found, mut at) = (Vec::new(), 0);
    let rest = |at: usize| code.get(at..).unwrap_or_default();
    while let Some(c) = rest(at).chars().next() {
        let here = rest(at);
        let raw = here.strip_prefix('r').map(|after| after.len() - after.trim_start_matches('#').len());
        let hashes = raw.filter(|hashes| here[1 + hashes..].starts_with('"'));
        if here.starts_with("//") {
            at += here.find('\n').unwrap_or(here.len());
        } else if let Some(hashes) = hashes {
            let start = at + hashes + 2;
            let length = rest(start).find(&format!("\"{}", "#".repeat(hashes))).unwrap_or(0);
            found.push((start, rest(start)[..length].to_owned()));
            at = start + length + 1 + hashes;
        } else if here.starts_with("'\\") {
            at += 3 + here[3..].find('\'').map_or(0, |end| end + 1);
        } else if c == '\'' && here.chars().nth(2) == Some('\'') {
            at += here.char_indices().nth(3).map_or(here.len(), |(end, _)| end);
        } else if c == '"' {
            let mut length = 0;
            while let Some(inner) = here[1 + length..].chars().next().filter(|inner| *inner != '"') {
                length += inner.len_utf8();
                if inner == '\\' {
                    length += here[1 + length..].chars().next().map_or(0, char::len_utf8);
                }
            }
            found.push((at + 1, here[1..1 + length].to_owned()));
            at += length + 2;
        } else {
            at += c.len_utf8();
        }
    }
    let line = |at: usize| code[..at].lines().count();
    found.into_iter().map(|(at, text)| (line(at), text)).collect()
}

/// A text without its placeholders, in words divided by single spaces.
fn words(text: &str) -> String {
    let mut out = String::from(" ");
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth <= 0 && c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ if !out.ends_with(' ') => out.push(' '),
            _ => {}
        }
    }
    out + " "
}

#[test]
fn no_text_of_the_program_holds_a_struck_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(&root.join("src"), "rs", &mut all);
    files(&root.join("crates"), "rs", &mut all);
    all.sort();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for path in all {
        // Ids and keys are single words; texts have several.
        for (line, text) in strings(&fs::read_to_string(&path).unwrap()).iter().filter(|(_, text)| text.contains(' ')) {
            seen += 1;
            let plain = words(text);
            let struck = STRUCK.iter().find(|word| plain.contains(&format!(" {word} ")));
            wrong
                .extend(struck.map(|word| {
                    format!("{}:{line}: `{word}` in {text:?}", path.strip_prefix(root).unwrap().display())
                }));
        }
    }
    assert!(seen > 2_000, "{seen} texts read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The core and the window have other names for what the command line's flags do: `src/cli/wording.rs` alone puts them in.
#[test]
fn no_text_of_the_core_or_the_window_names_a_flag() {
    let names_flag = |text: &str| {
        text.match_indices("--").any(|(at, _)| {
            let before = text[..at].chars().next_back().is_none_or(|c| c == '`' || c == '(' || c.is_whitespace());
            before && text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
        })
    };
    assert!(names_flag("use `--font FILE`") && !names_flag("a--b <!--x--> ---"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(&root.join("crates"), "rs", &mut all);
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for path in all {
        for (line, text) in strings(&fs::read_to_string(&path).unwrap()) {
            seen += 1;
            if names_flag(&text) {
                wrong.push(format!("{}:{line}: {text:?}", path.strip_prefix(root).unwrap().display()));
            }
        }
    }
    wrong.sort();
    assert!(seen > 10_000, "{seen} texts read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whole lines count, since a struck word in a formula's text is as wrong as in a label. Comments are read too.
fn struck_in(folders: &[(&str, &str)], struck: &[&str]) -> (Vec<String>, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (folder, kind) in folders {
        let mut all = Vec::new();
        files(&root.join(folder), kind, &mut all);
        all.sort();
        for path in all {
            let text = fs::read_to_string(&path).unwrap();
            // What others have written or named is theirs: credits, and the names of ships.
            let own = text
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.starts_with("credit") && !line.starts_with("name = "));
            for (n, line) in own {
                seen += 1;
                let plain = words(&line.replace(['{', '}'], " "));
                wrong.extend(struck.iter().filter(|word| plain.contains(&format!(" {word} "))).map(|word| {
                    format!("{}:{}: `{word}` in {line:?}", path.strip_prefix(root).unwrap().display(), n + 1)
                }));
            }
        }
    }
    (wrong, seen)
}

#[test]
fn no_text_of_a_ruleset_template_or_page_holds_a_struck_word() {
    // A key of the ruleset language.
    let of_games: Vec<&str> = STRUCK.into_iter().filter(|word| *word != "stands").collect();
    // Examples have texts of their own, and "due to" is plain.
    let of_pages: Vec<&str> = of_games.iter().copied().filter(|word| !["nobody", "is due"].contains(word)).collect();
    let (mut wrong, printed) = struck_in(&[("rulesets", "toml"), ("templates", "svg")], &of_games);
    let (more, read) = struck_in(&[("docs", "md")], &of_pages);
    wrong.extend(more);
    assert!(printed > 6_000 && read > 2_000, "{printed} and {read} lines read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn strings_are_found_where_they_are() {
    let code = "// \"no\"\nlet a = '\"'; let b = \"a \\\"b\\\" c\"; // \"no\"\nlet c: &'static str = r#\"raw \"x\" y\"#; let d = '\\''; f(\"last {stands} one\")";
    let found: Vec<(usize, String)> = strings(code);
    assert_eq!(found, [(2, "a \\\"b\\\" c".into()), (3, "raw \"x\" y".into()), (3, "last {stands} one".into())]);
    assert_eq!(words("It {stands} still, here"), " it still here ");
}
