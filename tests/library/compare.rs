//! Two designs side by side: whatever differs is told, and nothing else. Designs of every game are changed at random; what they hold is
//! gathered here a second time, in another way, and must differ exactly when the comparison says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use moldloft::design::{Document, TableList, TablePath};
use moldloft::evaluate::{ComparedCell, DesignTable, Evaluation, TableRow, compare, key_value_changes};
use moldloft::library::{Rulesets, check_source};
use moldloft::source::Source;
use moldloft::store::Store;
use proptest::prelude::*;

fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .flat_map(|game| std::fs::read_dir(game.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
}

fn judged(games: &Rulesets, text: &str) -> Evaluation {
    check_source(games, &Source::new("ship.toml", text)).evaluation.expect("it has rules")
}

/// All that a design is, whatever the order of its file.
fn facts(one: &Evaluation) -> Vec<String> {
    let mut facts = vec![one.ruleset.rules_title(), one.name.to_string()];
    let mut told: Vec<String> =
        one.findings.iter().map(|f| format!("{:?} {} {} {:?}", f.severity, f.code, f.message, f.at.item)).collect();
    told.extend(
        one.costs.iter().map(|line| format!("{line:?}").replace("house: true", "").replace("house: false", "")),
    );
    told.sort();
    facts.extend(told);
    facts.extend(one.fields.iter().map(|field| format!("{} {:?} {}", field.id, field.value, field.applies)));
    facts.extend(one.values.iter().map(|value| format!("{} {:?} {:?}", value.id, value.value, value.limit)));
    let mut aboard: BTreeMap<String, i64> = BTreeMap::new();
    for (n, fit) in one.fits.iter().enumerate() {
        let system = one.ruleset.systems.iter().find(|system| system.id == fit.system);
        let parameters = system.map(|system| &*system.parameters).unwrap_or_default();
        let said: Vec<String> = parameters
            .iter()
            .map(|parameter| format!("{:?}", fit.answers.iter().find(|(id, _)| *id == parameter.id)))
            .collect();
        // What is said for a whole fit keeps fits apart.
        let apart = parameters.iter().any(|parameter| parameter.per_fit);
        let key = format!(
            "{} {} {said:?} {}",
            fit.mount,
            fit.system,
            if apart { fit.count.to_string() } else { String::new() }
        );
        *aboard.entry(key).or_default() += if apart { 1 } else { i64::from(fit.count) };
        let _ = n;
    }
    facts.extend(aboard.into_iter().map(|(key, count)| format!("{count} {key}")));
    facts
}

fn changed(text: &str, seeds: &[(u8, u8, u8)]) -> String {
    let mut document = Document::parse(text).unwrap();
    for &(what, which, how) in seeds {
        let fits = document.count(&TableList::Fits).max(1);
        let fit = usize::from(which) % fits;
        // What cannot be done changes nothing.
        let _ = match what % 7 {
            0 | 1 => document.set(&TablePath::Fit(fit), "count", i64::from(how % 9)),
            2 => document.remove(&TableList::Fits, fit),
            3 => document.reorder(&TableList::Fits, fit, usize::from(how) % fits),
            4 => document.set(&TablePath::Top, "name", format!("Class {}", how % 3)),
            5 => {
                let copied = document.fits_text(&[fit]);
                document.insert_fits(&copied, usize::from(how)).map(|_| ())
            }
            _ => {
                let keys: Vec<String> = text
                    .lines()
                    .skip_while(|line| line.trim() != "[fields]")
                    .skip(1)
                    .take_while(|line| !line.starts_with('['))
                    .filter_map(|line| line.split_once('=').map(|(key, _)| key.trim().to_owned()))
                    .collect();
                match keys.get(usize::from(which) % keys.len().max(1)) {
                    Some(key) if how % 2 == 0 => document.set(&TablePath::Fields, key, i64::from(how % 20)),
                    Some(key) => document.unset(&TablePath::Fields, key),
                    None => Ok(()),
                }
            }
        };
    }
    document.to_text()
}

/// Rows of a table of two designs, in an order that does not depend on which design stands first.
fn lines(table: &DesignTable, swap: bool) -> Vec<String> {
    let text = |cell: &Option<ComparedCell>| cell.as_ref().map(|cell| cell.text.clone());
    let line = |title: &str, row: &TableRow| {
        let by = row.cells[1].as_ref().and_then(|cell| cell.difference).map(|by| if swap { -by } else { by });
        let (here, there) = if swap { (1, 0) } else { (0, 1) };
        let (here, there) = (text(&row.cells[here]), text(&row.cells[there]));
        format!("{title} {} {here:?} {there:?} {} {by:?}", row.label, row.differs)
    };
    let parts = table.sections.iter().flat_map(|part| part.rows.iter().map(|row| line(&part.title, row)));
    let mut lines: Vec<String> = parts.collect();
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_differs_is_passed_over(
        which in any::<prop::sample::Index>(),
        one in prop::collection::vec(any::<(u8, u8, u8)>(), 0..3),
        two in prop::collection::vec(any::<(u8, u8, u8)>(), 0..3),
    ) {
        let games = Rulesets::without_settings(&Store::built_in());
        let text = std::fs::read_to_string(which.get(&samples())).unwrap();
        let (one, two) = (judged(&games, &changed(&text, &one)), judged(&games, &changed(&text, &two)));
        let (there, back) = (compare(&[&one, &two]), compare(&[&two, &one]));
        prop_assert_eq!(there.differences() == 0, facts(&one) == facts(&two), "{:#?}", lines(&there, false));
        prop_assert_eq!(there.differences(), back.differences());
        prop_assert_eq!(compare(&[&one, &one]).differences(), 0);
    }
}

#[test]
fn equal_designs_differ_in_nothing_and_every_part_is_there() {
    let games = Rulesets::without_settings(&Store::built_in());
    for path in samples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let one = judged(&games, &text);
        let same = compare(&[&one, &judged(&games, &format!("# another comment\n{text}"))]);
        assert_eq!(same.differences(), 0, "{}: {:?}", path.display(), lines(&same, false));
        let shown =
            |title: &str| same.sections.iter().find(|part| part.title == title).map_or(0, |part| part.rows.len());
        let points = usize::from(one.points.is_some() && one.values.iter().all(|value| &*value.id != "points"));
        assert_eq!(shown("Key values") + shown("Values"), one.values.len() + points);
        assert_eq!(shown("Cost"), one.costs.len());
        assert_eq!(shown("Findings"), one.findings.len());
    }
}

#[test]
fn a_difference_is_told_in_a_players_words() {
    let games = Rulesets::without_settings(&Store::built_in());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/wars-of-honor/vigilant.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let mut document = Document::parse(&text).unwrap();
    let fit = judged(&games, &text).fits.iter().find(|fit| &*fit.system == "missile-magazine").unwrap().index;
    document.set(&TablePath::Fit(fit as usize), "feeds", 12).unwrap();
    let (here, there) = (judged(&games, &text), judged(&games, &document.to_text()));
    let table = compare(&[&here, &there]);
    assert_eq!(lines(&table, false), lines(&compare(&[&there, &here]), true));
    let row = |part: &str, label: &str| {
        let part = table.sections.iter().find(|one| one.title == part).unwrap();
        part.rows.iter().find(|row| row.label.starts_with(label)).unwrap()
    };
    let magazine = row("Aboard: core", "missile magazine");
    let texts: Vec<&str> = magazine.cells.iter().flatten().map(|cell| &*cell.text).collect();
    assert!(magazine.differs && texts[0].contains("feeds 14") && texts[1].contains("feeds 12"));
    let finding = row("Findings", "launcher-without-magazine");
    assert!(finding.differs && finding.cells[0].is_none() && finding.cells[1].is_some());
    let changes = key_value_changes(&here, &there);
    let points = changes.iter().find(|(label, _)| label == "points").map(|(_, by)| *by);
    assert_eq!(points, here.points.zip(there.points).map(|(here, there)| there - here));
    assert!(points.unwrap() < 0);
}
