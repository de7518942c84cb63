//! docs/guide/src/house-rules.md is true: the lines of every idea load as a layer over its game without a finding, change it, and print.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

use moldloft::evaluate::{Evaluation, number_counters};
use moldloft::ruleset::{Ruleset, differences};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;

use crate::house_odds::house;
use crate::support::{outside, rules};
use rules::{chain, check, folder, said};

const PAGE: &str = include_str!("../docs/guide/src/house-rules.md");

/// Idea, game and lines of each row of the table.
fn ideas() -> Vec<(String, String, String)> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').splitn(3, '|').map(str::trim).collect();
        let lines: Vec<String> =
            cells[2].split("<br>").map(|line| line.trim_matches('`').replace("\\|", "|")).collect();
        (cells[0].to_owned(), cells[1].to_owned(), lines.join("\n"))
    })
    .collect()
}

#[test]
fn every_idea_of_the_page_is_a_layer_that_changes_its_game() {
    let ideas = ideas();
    assert!(ideas.len() >= 30, "{}", ideas.len());
    let mut wrong = String::new();
    for (idea, game, lines) in &ideas {
        let header = format!(
            "[ruleset]\nid = \"our-club\"\ntitle = \"Our club\"\nversion = \"1.0\"\nschema = 1\nextends = \"{game}\"\n"
        );
        let mut sources = chain(game);
        let before = sources.clone();
        sources.push(Source::new("our-club.toml", &format!("{header}{lines}\n")));
        let (ruleset, findings) = Ruleset::load_layers(&sources);
        if ruleset.is_none() || !findings.is_empty() {
            wrong += &format!("{idea}\n{lines}\n{}\n", said(&findings));
        } else if let Some(fault) = ruleset.and_then(|rules| first_sheet_fault(game, rules)) {
            wrong += &format!("{idea}\n{lines}\n{fault}\n");
        } else if differences(&before, &sources)
            .is_ok_and(|found| found.list.iter().all(|one| one.section == "ruleset"))
        {
            wrong += &format!("{idea}\n  changes nothing\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let named: BTreeSet<&String> = ideas.iter().map(|(idea, ..)| idea).collect();
    assert_eq!(named.len(), ideas.len(), "an idea comes twice");
    let games: BTreeSet<&String> = ideas.iter().map(|(_, game, _)| game).collect();
    assert_eq!(games.len(), 5, "{games:?}");
    assert!(ideas.iter().filter(|(.., lines)| lines.contains("over = \"fleet\"")).count() >= 8);
}

/// What is wrong with the sheet of a game's first sample under these rules, and with the reference.
fn first_sheet_fault(game: &str, rules: Ruleset) -> Option<String> {
    let rules = Arc::new(rules);
    let mut ships = vec![check(&rules, &folder(&format!("designs/{game}"))[0])];
    number_counters(&mut ships);
    let reference = rules.reference_sheets().next().and_then(|sheet| Evaluation::blank(&rules, &sheet.id));
    let store = Store::built_in();
    let cache = TemplateCache::new(|ids, name| store.template(ids, name));
    let mut wrong = Vec::new();
    for ships in [ships, reference.into_iter().collect()] {
        let job = SheetJob { ships: &ships, templates: &cache, options: SheetOptions::default(), subject: "sheets" };
        wrong.extend(print(&job).1);
    }
    wrong.extend(cache.findings());
    (!wrong.is_empty()).then(|| said(&wrong))
}

/// What a layer does to ships, as a chart, a page and a table.
#[test]
fn the_impact_of_a_layer_is_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str| {
        let words = ["rules", "impact", "wars-of-honor", "woh-lasers", "designs/wars-of-honor", "-o", name];
        let done =
            Command::new(env!("CARGO_BIN_EXE_moldloft")).args(words).current_dir(folder.path()).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        (done.status.code(), said)
    };
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (status, said) = run("impact.html");
    assert!(status.is_some_and(|status| status < 2), "{said}");
    let html = text("impact.html");
    for words in ["<!DOCTYPE html>", "Vigilant", "class=\"bar after\"", "What else changed", "laser: points", "</html>"]
    {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("<script") && !html.contains("http"), "nothing from elsewhere");
    assert!(run("impact.csv").1.contains(" designs and fleets\n"));
    assert!(text("impact.csv").starts_with("\u{feff}design,name,before,after"));
    let (_, said) = run("impact.svg");
    let pages: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let svg = pages.iter().find(|path| path.extension().is_some_and(|end| end == "svg")).expect(&said);
    assert!(std::fs::read_to_string(svg).unwrap().contains("Impact of other rules"));
    let (status, said) = run("impact.doc");
    assert!(status == Some(2) && said.contains(".html or .csv"), "{said}");
}

/// A card has the critical hits and the roll of a mass driver as a layer says them; what is as in the game has the card's few words.
#[test]
fn a_card_follows_the_tables_that_it_has_in_few_words() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("rulesets")).unwrap();
    let layer = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"sky-full-of-ships\"\n\
        [change.table.critical_hits]\nrows.1 = { location = \"keel\", effect = \"lose 2 hull boxes\" }\n\
        [change.table.weapons_facts]\nrows.4.how = \"forward; one die each, hits on 3 or more after modifiers; 12 per hit, added up, then the chart unmodified\"\n";
    std::fs::write(folder.path().join("rulesets/club.toml"), layer).unwrap();
    let ship = concat!(env!("CARGO_MANIFEST_DIR"), "/designs/sky-full-of-ships/swordfish.toml");
    let words = ["print", ship, "--rules", "club", "-o", "card.pdf"];
    let done = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(words).current_dir(folder.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let text = outside::tool("pdftotext", &["-layout", &folder.path().join("card.pdf").to_string_lossy(), "-"]);
    for words in ["keel", "lose 2 hull boxes", "fire control", "fires at range 0 only", "hits on 3+"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("bridge") && !text.contains("repeats plot"), "{text}");
}

/// Of a system and the one that a layer puts in its place, the reference has the row that is in force.
#[test]
fn a_reference_has_the_rows_that_are_in_force() {
    let weapons = |layer: &str| {
        let rules = house("wars-of-honor", &format!("{layer}[[system]]\nid = \"plasma-gun\"\nlike = \"graser\"\n"));
        let reference = rules.reference_sheets().next().unwrap().id.clone();
        let blank = Evaluation::blank(&rules, &reference).unwrap();
        let table = blank.tables.iter().find(|table| *table.id == *"damage_by_die").unwrap();
        table.rows.iter().map(|row| row[0].shown().unwrap_or_default()).collect::<Vec<String>>().join(", ")
    };
    let ban = "[change.system.graser]\nremove = true\n";
    let own_row = "[change.table.damage]\nadd.rows = [[\"plasma gun\", [\"plasma-gun\"], \"10 MU\", \"2D6\", \"1–3: 0 · 4–6: 2\"]]\n";
    let [both, own, old] = [own_row.to_owned(), format!("{ban}{own_row}"), ban.to_owned()].map(|layer| weapons(&layer));
    assert_eq!(both, "laser head, nuclear, laser, graser, energy torpedo, plasma gun");
    assert_eq!(own, "laser head, nuclear, laser, energy torpedo, plasma gun");
    assert_eq!(old, "laser head, nuclear, laser, plasma gun, energy torpedo", "the plasma gun fires by it");
}
