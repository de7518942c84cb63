//! The room both faces share: rulesets kept up to date, the catalogue of designs and its search, thumbnails, starters.

mod compare;

use std::fs;
use std::path::{Path, PathBuf};

use moldloft::library::{
    Catalogue, CatalogueEntry, CatalogueFilter, CatalogueGroupState, EntrySummary, LegalFilter, LoadedRuleset,
    OriginFilter, Rulesets, catalogue, check_source, empty_design_text, new_design_path, renamed_design_text, starters,
    thumbnail,
};
use moldloft::sheet::TemplateCache;
use moldloft::source::Source;
use moldloft::store::{AssetKind, MemoryFolder, Store, make_folder, read_bytes, save};
use proptest::prelude::*;

/// The least of a ruleset; a hull costs what is said.
fn rules(points: &str) -> String {
    format!(
        "[ruleset]\nid = \"rafts\"\ntitle = \"Rafts\"\nversion = \"1.0\"\nschema = 1\n\n[[field]]\nid = \"hull\"\nkind = \"integer\"\ndefault = 1\n\n\
         [[value]]\nid = \"points\"\nformula = \"{points}\"\n"
    )
}

fn workspace() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("rulesets")).unwrap();
    let store = Store::open(Some(folder.path())).unwrap();
    (folder, store)
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn games_are_shared_between_threads_and_each_is_read_once() {
    fn shared<T: Send + Sync>(_: &T) {}
    let games = Rulesets::without_settings(&Store::built_in());
    shared(&games);
    let all: Vec<LoadedRuleset> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| games.find("sky-full-of-ships"))).collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(all.iter().all(|one| one.ruleset().is_some() && one.is_same(&all[0])));
    assert!(games.reload().is_empty(), "nothing has changed");
}

#[test]
fn a_changed_ruleset_is_read_again_and_a_broken_one_leaves_the_last_good_one_in_force() {
    let (folder, store) = workspace();
    write(folder.path(), "rulesets/rafts.toml", &rules("hull * 2"));
    let games = Rulesets::without_settings(&store);
    let first = games.find("rafts");
    assert!(first.ruleset().is_some(), "{:?}", first.findings());
    assert!(games.reload().is_empty());

    write(folder.path(), "rulesets/rafts.toml", &rules("hul * 3"));
    let told = games.reload();
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].id.as_str(), told[0].in_force), ("rafts", false));
    assert_eq!(told[0].findings[0].code, "unknown-name");
    assert!(games.find("rafts").is_same(&first), "what worked is still in force");
    assert_eq!(games.pending_findings("rafts").unwrap()[0].code, "unknown-name");
    assert!(games.reload().is_empty(), "told once");

    write(folder.path(), "rulesets/rafts.toml", &rules("hull * 3"));
    let told = games.reload();
    assert!(told[0].in_force && told[0].findings.is_empty(), "{told:?}");
    let third = games.find("rafts");
    assert!(third.ruleset().is_some() && !third.is_same(&first));
    assert!(games.pending_findings("rafts").is_none());

    fs::remove_file(folder.path().join("rulesets/rafts.toml")).unwrap();
    let told = games.reload();
    assert!(!told[0].in_force);
    assert_eq!(told[0].findings[0].code, "unknown-ruleset");
    assert!(games.find("rafts").is_same(&third));
    assert!(games.reload().is_empty());
}

#[test]
fn a_ruleset_that_comes_later_and_a_changed_layer_below_are_noticed() {
    let (folder, store) = workspace();
    let layer = "[ruleset]\nid = \"ours\"\ntitle = \"Ours\"\nversion = \"1\"\nschema = 1\nextends = \"rafts\"\n";
    write(folder.path(), "rulesets/ours.toml", layer);
    let games = Rulesets::without_settings(&store);
    assert!(games.find("ours").ruleset().is_none());
    write(folder.path(), "rulesets/rafts.toml", &rules("hull"));
    let ids = |games: &Rulesets| games.reload().into_iter().map(|one| (one.id, one.in_force)).collect::<Vec<_>>();
    assert_eq!(ids(&games), [("ours".to_owned(), true)]);
    assert!(games.find("ours").ruleset().is_some());
    games.find("rafts");
    write(folder.path(), "rulesets/rafts.toml", &rules("hull + 1"));
    assert_eq!(ids(&games), [("ours".to_owned(), true), ("rafts".to_owned(), true)]);
}

fn named<'c>(catalogue: &'c Catalogue, name: &str) -> &'c CatalogueEntry {
    catalogue.entries().find(|entry| *entry.name == *name).unwrap_or_else(|| panic!("{name}"))
}

/// The names in a group.
fn names(catalogue: &Catalogue, title: &str) -> Vec<String> {
    let group = catalogue.groups.iter().find(|group| group.title == title);
    group.unwrap_or_else(|| panic!("{title}")).entries.iter().map(|entry| entry.name.to_string()).collect()
}

#[test]
fn the_built_in_designs_are_listed_by_game_and_read_once() {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let first = catalogue(&store, &games, &[]);
    let (fleets, playable) = first.groups.split_last().unwrap();
    assert!(
        fleets.state == CatalogueGroupState::Fleets
            && fleets.entries.len() == store.list_assets(AssetKind::Fleet).len()
    );
    assert!(playable.len() >= 5 && playable.iter().all(|group| group.state == CatalogueGroupState::Ready));
    assert!(playable.is_sorted_by_key(|group| group.title.to_lowercase()));
    assert_eq!(first.len(), store.list_assets(AssetKind::Design).len() + store.list_assets(AssetKind::Fleet).len());
    assert_eq!(first.read, first.len());
    for entry in playable.iter().flat_map(|group| &group.entries) {
        assert!(entry.built_in());
        let EntrySummary::Design(card) = &entry.summary else { panic!("{}", entry.file) };
        assert!(card.legal && card.points.is_some() && card.findings.0 == 0, "{}", entry.name);
    }
    assert_eq!(first.games.len(), store.list_assets(AssetKind::Ruleset).len());
    assert!(first.games.iter().all(|game| game.ready && game.built_in && game.about.ends_with('.')));
    let vigilant = named(&first, "Vigilant");
    assert!(vigilant.summary_line().contains("Manticore"), "{}", vigilant.summary_line());
    assert!(named(&first, "Burlington").summary_line().starts_with("battleship"), "a class that is computed");
    let again = first.refresh(&store, &games, &[], 100);
    assert_eq!((again.read, again.len()), (0, first.len()));
    let paths =
        |catalogue: &Catalogue| catalogue.entries().map(|entry| entry.file.path.clone()).collect::<Vec<PathBuf>>();
    assert_eq!(paths(&again), paths(&first));
}

#[test]
fn a_workspace_shadows_is_told_of_and_only_what_changed_is_read_again() {
    let (folder, store) = workspace();
    let (here, built_in) = (folder.path(), Store::built_in());
    let vigilant = moldloft::store::built_in_source("designs/wars-of-honor/vigilant.toml").unwrap();
    write(here, "rulesets/rafts.toml", &rules("hull * 2"));
    write(here, "rulesets/wrecks.toml", "[ruleset]\nid = 7\n");
    write(here, "designs/wars-of-honor/vigilant.toml", &renamed_design_text(&vigilant, "Jaskółka"));
    write(here, "designs/rafts/one.toml", "ruleset = \"rafts\"\nname = \"One\"\n[fields]\nhull = 3\n");
    write(here, "designs/rafts/torn.toml", "ruleset = \"rafts\nname");
    write(here, "designs/odd.toml", "ruleset = \"nowhere\"\nname = \"Odd\"\n");
    write(here, "designs/wreck.toml", "ruleset = \"wrecks\"\nname = \"Wreck\"\n");
    write(here, "designs/none.toml", "[[fit]]\nsystem = \"x\"\n");
    write(
        here,
        "designs/rafts/fleets/a.toml",
        "ruleset = \"rafts\"\nname = \"Picket\"\nside = \"ours\"\n[[ship]]\ncount = 3\n[[ship]]\n",
    );
    write(here, "fleets/b.toml", "ruleset = \"rafts\"\n[[ship]]\ndesign = \"one\"\n");
    write(here, "designs/other.toml", "[package]\nname = \"x\"\n");
    write(here, "loose.toml", "ruleset = \"rafts\"\nname = \"Loose\"\n");
    write(here, "drawer/deep.toml", "ruleset = \"rafts\"\nname = \"Deep\"\n");
    write(here, "designs/.hidden.toml", "ruleset = \"rafts\"\n");
    let elsewhere = tempfile::tempdir().unwrap();
    write(elsewhere.path(), "far.toml", "ruleset = \"rafts\"\nname = \"Far\"\n");
    let also = [elsewhere.path().join("far.toml"), elsewhere.path().join("gone.toml"), here.join("designs/odd.toml")];

    let games = Rulesets::without_settings(&store);
    let first = catalogue(&store, &games, &also);
    assert_eq!(first.len(), catalogue(&built_in, &Rulesets::without_settings(&built_in), &[]).len() - 1 + 11);
    let games_told: Vec<_> =
        first.games.iter().filter(|game| !game.built_in).map(|game| (&*game.id, game.ready)).collect();
    assert_eq!(games_told, [("rafts", true), ("wrecks", false)]);
    assert_eq!(names(&first, "Rafts"), ["Far", "Loose", "One", "torn"]);
    assert_eq!(names(&first, "wrecks (ruleset with errors)"), ["Wreck"]);
    assert_eq!(names(&first, "nowhere (unknown ruleset)"), ["Odd"]);
    assert_eq!(names(&first, "No ruleset"), ["gone", "none"]);
    assert_eq!(names(&first, "Fleets")[..2], ["b", "Picket"]);
    assert_eq!(named(&first, "Picket").summary_line(), "4 ships");
    assert_eq!(named(&first, "b").summary_line(), "1 ship, 6 points");
    assert_eq!(named(&first, "One").points(), Some(6));
    assert!(named(&first, "Far").elsewhere);
    assert!(
        matches!(&named(&first, "torn").summary, EntrySummary::Unreadable(findings) if findings[0].code == "not-toml")
    );
    assert!(first.entries().all(|entry| &*entry.name != "Vigilant"), "shadowed");
    let search = |text: &str| CatalogueFilter { text: text.into(), ..CatalogueFilter::default() };
    let found = |filter: &CatalogueFilter| first.entries().filter(|entry| filter.matches(entry)).count();
    assert_eq!(found(&search("jaskolka HEAVY")), 1);
    assert_eq!(found(&search("jaskolka vigilant")), 1, "the file's name");
    assert_eq!(
        found(&CatalogueFilter {
            ruleset: Some("rafts".into()),
            points: (Some(2), Some(6)),
            ..CatalogueFilter::default()
        }),
        4,
        "a fleet among them"
    );
    assert_eq!(found(&CatalogueFilter { legal: LegalFilter::NotLegal, ..CatalogueFilter::default() }), 6);
    assert_eq!(found(&CatalogueFilter { origin: OriginFilter::Elsewhere, ..CatalogueFilter::default() }), 2);

    assert_eq!(first.refresh(&store, &games, &also, 100).read, 0);
    write(here, "designs/rafts/one.toml", "ruleset = \"rafts\"\nname = \"One\"\n[fields]\nhull = 41\n");
    let second = first.refresh(&store, &games, &also[..1], 100);
    assert_eq!((second.read, named(&second, "One").points()), (2, Some(82)), "the fleet that names her too");
    assert_eq!(named(&second, "b").points(), Some(82));
    write(here, "rulesets/rafts.toml", &rules("hull * 3"));
    assert_eq!(
        second.refresh(&store, &games, &also[..1], 100).read,
        0,
        "the old rules are in force until they are read again"
    );
    games.reload();
    let third = second.refresh(&store, &games, &also[..1], 100);
    assert_eq!((third.read, named(&third, "One").points()), (6, Some(123)), "fleets too");
    let few = third.refresh(&store, &games, &[], 4);
    assert_eq!(few.findings[0].message, "the workspace has more than 4 files; listed only the first 4");
}

#[test]
fn every_game_begins_empty_or_from_a_design_under_another_name() {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let all = catalogue(&store, &games, &[]);
    for game in &all.games {
        let loaded = games.find(&game.id);
        let rules = loaded.ruleset().unwrap();
        let name = "Patient \"Margaret\"";
        let text = empty_design_text(rules, name);
        let checked = check_source(&games, &Source::new("new.toml", &text));
        assert_eq!(&*checked.evaluation.as_ref().unwrap().name, name, "{text}");
        assert!(text.lines().all(|line| !line.starts_with('#')));
        assert!(checked.findings().iter().all(|finding| !finding.message.is_empty()));
        let starters = starters(game, &all);
        assert!(starters[0].source.is_none() && starters.len() > 3, "{}", game.id);
        for starter in &starters[1..] {
            let text = starter.text(rules, name).unwrap();
            let evaluation = check_source(&games, &Source::new("new.toml", &text)).evaluation.unwrap();
            assert_eq!(&*evaluation.name, name);
            assert_eq!(evaluation.ruleset.id, rules.id);
            let basis = starter.source.as_ref().unwrap();
            assert!(basis.ruleset != game.id || evaluation.points == basis.points());
        }
    }
    for (text, new) in [
        ("ruleset = 'x'\n", "name = \"N\"\nruleset = 'x'\n"),
        ("#:schema a.json\nfields = {}", "#:schema a.json\nname = \"N\"\nfields = {}"),
        ("name = 3 # three\r\n", "name = \"N\" # three\r\n"),
        ("[name]\n", "[name]\n"),
        ("= torn", "name = \"N\"\n= torn"),
    ] {
        assert_eq!(renamed_design_text(&Source::new("x", text), "N"), new);
    }
}

#[test]
fn a_new_design_gets_a_file_of_its_own() {
    let (folder, store) = workspace();
    let path =
        |name: &str| new_design_path(&store, "rafts", name).unwrap().strip_prefix(folder.path()).unwrap().to_path_buf();
    assert_eq!(path("Old Oak"), Path::new("designs/rafts/old-oak.toml"));
    write(folder.path(), "designs/rafts/old-oak.toml", "");
    write(folder.path(), "designs/rafts/old-oak-2.toml", "");
    assert_eq!(path("Old Oak"), Path::new("designs/rafts/old-oak-3.toml"));
    assert!(new_design_path(&store, "../rafts", "Old Oak").is_none());
    assert!(new_design_path(&Store::built_in(), "rafts", "Old Oak").is_none());
}

#[test]
fn thumbnails_show_what_is_drawn_and_no_more() {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let all = catalogue(&store, &games, &[]);
    for group in all.groups.iter().filter(|group| group.state == CatalogueGroupState::Ready) {
        let entry = &group.entries[0];
        let source = moldloft::store::built_in_source(&entry.file.path.to_string_lossy()).unwrap();
        let evaluation = check_source(&games, &source).evaluation.unwrap();
        let small = thumbnail(&evaluation, &shelf, 160).unwrap();
        assert_eq!(small.rgba.len(), small.width as usize * small.height as usize * 4);
        assert!((159..=161).contains(&small.width) && small.height <= 400, "{} × {}", small.width, small.height);
        let row = |y: u32| {
            let start = (y * small.width * 4) as usize;
            small.rgba[start..start + small.width as usize * 4].chunks(4).any(|pixel| pixel[0] < 200)
        };
        let inked: Vec<u32> = (0..small.height).filter(|&y| row(y)).collect();
        assert!(inked[0] < 16 && *inked.last().unwrap() + 16 > small.height, "{}: ink to the edges", entry.name);
        assert!(small.rgba.chunks(4).all(|pixel| pixel[3] == 255));
        assert!(thumbnail(&evaluation, &shelf, 0).is_some() && thumbnail(&evaluation, &shelf, u32::MAX).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_word_of_a_search_must_be_found(words in proptest::collection::vec("(\\PC{0,6}|[<>=]{0,2}[0-9]{0,4}-?[0-9]{0,20}|e|[a-z]{2})", 0..5)) {
        static ALL: std::sync::LazyLock<Catalogue> = std::sync::LazyLock::new(|| {
            let store = Store::built_in();
            catalogue(&store, &Rulesets::without_settings(&store), &[])
        });
        let filter = |text: String| CatalogueFilter { text, ..CatalogueFilter::default() };
        let all = filter(words.join(" "));
        let each: Vec<CatalogueFilter> = words.iter().map(|word| filter(word.clone())).collect();
        for entry in ALL.entries() {
            prop_assert_eq!(all.matches(entry), each.iter().all(|one| one.matches(entry)));
        }
    }
}

#[test]
fn a_workspace_in_memory_is_checked_and_printed_without_a_disk() {
    let memory = MemoryFolder::new();
    let path = memory.path().join("designs/wars-of-honor/mine.toml");
    make_folder(path.parent().unwrap()).unwrap();
    let built_in = moldloft::Workspace::built_in().design("wars-of-honor/vigilant").unwrap();
    let text = moldloft::store::built_in_source("designs/wars-of-honor/vigilant.toml").unwrap().text;
    save(&path, text.as_bytes()).unwrap();
    let workspace = moldloft::Workspace::open(memory.path()).unwrap();
    let ship = workspace.check(&workspace.design("wars-of-honor/mine").unwrap()).unwrap();
    assert_eq!(ship.points(), workspace.check(&built_in).unwrap().points());
    let pages = workspace.print(&[ship], &moldloft::PrintOptions::default()).unwrap();
    let sheet = memory.path().join("mine.pdf");
    pages.save(&sheet, &moldloft::ExportOptions::default()).unwrap();
    assert_eq!(read_bytes(&sheet, 10_000_000).unwrap(), pages.to_pdf(&moldloft::ExportOptions::default()).unwrap());
    assert!(!sheet.exists(), "nothing is on the disk");
}
