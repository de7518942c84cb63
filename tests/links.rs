//! The links of the pages are true: what each names is there, a file or a heading; so are the paths of the pages for who works on the program.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::fs;
use std::path::{Path, PathBuf};

/// The pages of a folder and, but for the root, of those below it.
fn pages(folder: &Path, deep: bool, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            pages(&path, deep, into);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            into.push(path);
        }
    }
}

/// A page without its boxes of code.
fn prose(page: &str) -> String {
    page.split("\n```").step_by(2).collect()
}

/// What a link can name on a page: its headings as a browser writes them, and ids set by hand.
fn anchors(page: &str) -> Vec<String> {
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#')).map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
    });
    let ids = prose.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    headings.chain(ids).collect()
}

/// The links of a page: what is between `](` and `)` outside code, and pictures that have a width.
fn links(page: &str) -> Vec<String> {
    let plain: String = prose(page).split('`').step_by(2).collect();
    let ends = plain.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures = plain.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    ends.chain(pictures).filter(|link| !link.contains("://")).map(str::to_owned).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    pages(root, false, &mut all);
    for folder in ["docs", "rulesets", "templates"] {
        pages(&root.join(folder), true, &mut all);
    }
    let (mut dead, mut seen) = (Vec::new(), 0);
    for page in all {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            seen += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let to = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let there = match anchor {
                "" => to.exists(),
                anchor => fs::read_to_string(&to).is_ok_and(|text| anchors(&text).iter().any(|one| one == anchor)),
            };
            if !there {
                dead.push(format!("{}: {link}", page.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(seen > 100, "{seen} links");
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// Paths from the root in a page's code, but for those with a word that stands for another: `rulesets/ID.toml`.
fn paths(page: &str) -> Vec<String> {
    let roots = ["crates/", "docs/", "fuzz/", "rulesets/", "src/", "templates/", "tests/", "tools/"];
    let is_path = |code: &&str| roots.iter().any(|root| code.starts_with(root)) && !code.contains([' ', '*', '…']);
    let is_real = |code: &&str| code.split(['/', '.', '-']).all(|word| word != word.to_uppercase() || word.is_empty());
    prose(page).split('`').skip(1).step_by(2).filter(is_path).filter(is_real).map(str::to_owned).collect()
}

#[test]
fn a_newcomer_finds_every_path() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let all = paths(&fs::read_to_string(root.join(page)).unwrap());
        let missing: Vec<&String> = all.iter().filter(|path| !root.join(path).exists()).collect();
        assert!(all.len() > 20, "{page}: {} paths", all.len());
        assert!(missing.is_empty(), "{page}: {missing:?}");
    }
}

#[test]
fn headings_have_the_anchors_of_a_browser() {
    let page = "# A design's own `[[system]]`\n```sh\n# no heading\n[no](link)\n```\n<a id=\"old\"></a>[one](b.md#c), `[no](code)` <img src=\"d.png\">\n";
    assert_eq!(anchors(page), ["a-designs-own-system", "old"]);
    assert_eq!(links(page), ["b.md#c", "d.png"]);
    assert_eq!(paths("`src/a.rs`, `rulesets/ID.toml`, `panels/`, `tests/*.txt`"), ["src/a.rs"]);
}
