//! `template check` sees each fault of a sheet: a small game without any, broken in one way after another.

use std::fs;
use std::path::Path;
use std::process::Command;

const RULES: &str = r#"[ruleset]
id = "skiffs"
title = "Skiffs"
version = "1"
schema = 1
[attributes]
points = 0
[[field]]
id = "hull"
kind = "integer"
default = 6
[[mount]]
id = "deck"
[[system]]
id = "rack"
abbr = "R"
mounts = ["deck"]
points = 2
[[value]]
id = "points"
formula = "total('points')"
[[track]]
id = "damage"
boxes = "hull"
[[track]]
id = "spars"
boxes = "hull"
[[counter]]
id = "dart"
for_each = "fit rack"
count = "3"
first = 1
size_mm = 15
face = "dart.svg"
[[sheet]]
id = "card"
kind = "design"
template = "card.svg"
[[sheet]]
id = "more"
kind = "continuation"
template = "more.svg"
"#;

const HEAD: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape""#;

const CARD: &str = r##" width="94mm" height="62mm" viewBox="0 0 94 62">
<text x="3" y="8" font-size="4.94">{{ name }}</text>
<rect x="3" y="12" width="40" height="12" inkscape:label="panel: track damage"><desc>title = "Hull"</desc></rect>
<rect x="3" y="27" width="40" height="12" inkscape:label="panel: track spars"><desc>title = "Spars"</desc></rect>
<rect x="50" y="12" width="20" height="14" inkscape:label="panel: mount deck"/>
<text x="3" y="58" font-size="2.82"><desc>width = 80</desc>{{ name }}, a skiff of {{ points }} points</text>
</svg>"##;

const MORE: &str = r#" width="94mm" height="62mm" viewBox="0 0 94 62"><rect x="3" y="12" width="88" height="46" inkscape:label="panel: rest"/></svg>"#;

const DART: &str = r#" width="15mm" height="15mm" viewBox="0 0 15 15">
<text x="7.5" y="9" font-size="4.94" text-anchor="middle">{{ number }}</text>
<text x="7.5" y="13" font-size="2.82" text-anchor="middle"><desc>width = 11</desc>{{ name }}</text></svg>"#;

/// The folder of the game with a card and a face, and what `template check` says of it.
fn checked(card: &str, dart: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ship =
        |name: &str| format!("ruleset = \"skiffs\"\nname = \"{name}\"\n[[fit]]\nsystem = \"rack\"\nmount = \"deck\"\n");
    for (path, text) in [
        ("rulesets/skiffs.toml", RULES.to_owned()),
        ("templates/skiffs/card.svg", format!("{HEAD}{card}")),
        ("templates/skiffs/more.svg", format!("{HEAD}{MORE}")),
        ("templates/skiffs/dart.svg", format!("{HEAD}{dart}")),
        ("designs/skiffs/gull.toml", ship("Gull")),
        ("designs/skiffs/tern.toml", ship("Tern")),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    said(folder.path())
}

fn said(folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
    let out = command.args(["template", "check", "skiffs"]).current_dir(folder).output().unwrap();
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

/// The codes of all that was found.
fn codes(said: &str) -> Vec<&str> {
    let mut codes: Vec<&str> =
        said.lines().filter_map(|line| line.strip_prefix("warning[")?.split(']').next()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// What is put before the end of the card.
fn with(more: &str) -> String {
    CARD.replace("</svg>", &format!("{more}</svg>"))
}

#[test]
fn a_game_without_faults_has_none() {
    let said = checked(CARD, DART);
    assert!(codes(&said).is_empty() && !said.contains("error"), "{said}");
}

#[test]
fn each_fault_of_a_sheet_is_reported_with_its_place() {
    let text =
        |x: u32, y: u32, size: &str, words: &str| format!(r#"<text x="{x}" y="{y}" font-size="{size}">{words}</text>"#);
    let labels: String = [
        text(3, 44, "2.82", "the deck of a skiff is wet and slippery at dawn"),
        text(3, 48, "2.82", "oars are of ash, long, and worn by many hands"),
        text(3, 52, "2.82", "sails are of hemp, patched in seven places or more"),
        text(3, 55, "2.82", "the anchor is a stone with a hole and a rope"),
        text(72, 40, "2.3", "starboardside"),
        text(72, 44, "2.3", "quarterdeck"),
        text(72, 48, "2.3", "forecastles"),
    ]
    .concat();
    let weights = r#"<text x="3" y="44" font-size="2.82" font-weight="600">ash</text><text x="3" y="48" font-size="2.82" font-weight="700">oak</text>"#;
    let sizes = text(3, 44, "3.6", "ash") + &text(3, 50, "6", "oak");
    let page = |card: &str| {
        card.replace(
            r#"width="94mm" height="62mm" viewBox="0 0 94 62""#,
            r#"width="194mm" height="263mm" viewBox="0 0 194 263""#,
        )
    };
    let cases = [
        (
            "text-near-line",
            with(r##"<path d="M3 59.2 H60" stroke="#1a1a1a" stroke-width=".3"/>"##),
            "is 0.",
            "a skiff of 2 points",
        ),
        ("too-many-weights", with(weights), "3 weights, the limit is 2", "700 “oak”"),
        ("too-many-text-sizes", with(&sizes), "5 text sizes, the limit is 4", "“oak”"),
        (
            "small-text",
            with(&text(3, 46, "2.1", "all hands to the pumps before the fire spreads")),
            "6.0 pt, the least is 7.5 pt",
            "“all hands",
        ),
        ("too-many-labels", with(&labels), "characters are smaller than 7.5 pt", "“starboardside”"),
        (
            "two-words-for-one-thing",
            CARD.replace("\"Hull\"", "\"Turn log\"").replace("\"Spars\"", "\"Round log\""),
            "“round log”",
            "“turn log”",
        ),
        ("drawn-text-cut", CARD.replace("width = 80", "width = 12"), "…” is cut at", "mm"),
        ("sparse-page", page(CARD), "of the page's height is used, the least is 35 %", "page 1 of 1"),
    ];
    for (code, card, words, more) in cases {
        assert_ne!(card, CARD, "{code}");
        let said = checked(&card, DART);
        let mut lines = said.lines();
        let line = lines
            .find(|line| line.starts_with(&format!("warning[{code}]")))
            .unwrap_or_else(|| panic!("{code}: {said}"));
        assert!(line.contains(words) && line.contains(more), "{line}");
        assert!(lines.next().is_some_and(|place| place.contains("templates/skiffs/card.svg:")), "{said}");
    }
}

#[test]
fn faults_of_counters_are_reported_with_their_place() {
    let near = checked(CARD, &DART.replace("y=\"13\"", "y=\"14.6\""));
    assert_eq!(codes(&near), ["text-near-cut"], "{near}");
    assert!(
        near.contains("“Gull” on the counter at") && near.contains("mm from the cut; the least is 1.5 mm"),
        "{near}"
    );
    assert!(near.contains("templates/skiffs/dart.svg:1"), "its file is named: {near}");
    let name = "<text x=\"7.5\" y=\"13\"";
    let (start, end) = (DART.find(name).unwrap(), DART.find("</svg>").unwrap());
    let of = |when: &str, y: &str| {
        format!("<g inkscape:label=\"when: name {when} 'Gull'\">{}</g>", DART[start..end].replace("y=\"13\"", y))
    };
    let names = DART[..start].to_owned() + &of("==", "y=\"13\"") + &of("!=", "y=\"4.4\"") + "</svg>";
    let names = checked(CARD, &names);
    assert_eq!(codes(&names), ["counter-names"], "{names}");
    assert!(names.contains("“dart” have 1 size and 2 baselines; the limits are 2 and 1"), "{names}");
}
