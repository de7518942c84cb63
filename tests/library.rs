//! The room both faces share: rulesets kept up to date.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::fs;
use std::path::Path;

use moldloft::library::{Games, Loaded};
use moldloft::store::Store;

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
    let games = Games::plain(&Store::built_in());
    shared(&games);
    let all: Vec<Loaded> = std::thread::scope(|scope| {
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
    let games = Games::plain(&store);
    let first = games.find("rafts");
    assert!(first.ruleset().is_some(), "{:?}", first.findings());
    assert!(games.reload().is_empty());

    write(folder.path(), "rulesets/rafts.toml", &rules("hul * 3"));
    let told = games.reload();
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].id.as_str(), told[0].in_force), ("rafts", false));
    assert_eq!(told[0].findings[0].code, "unknown-name");
    assert!(games.find("rafts").is_same(&first), "what worked is still in force");
    assert_eq!(games.waiting("rafts").unwrap()[0].code, "unknown-name");
    assert!(games.reload().is_empty(), "told once");

    write(folder.path(), "rulesets/rafts.toml", &rules("hull * 3"));
    let told = games.reload();
    assert!(told[0].in_force && told[0].findings.is_empty(), "{told:?}");
    let third = games.find("rafts");
    assert!(third.ruleset().is_some() && !third.is_same(&first));
    assert!(games.waiting("rafts").is_none());

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
    let games = Games::plain(&store);
    assert!(games.find("ours").ruleset().is_none());
    write(folder.path(), "rulesets/rafts.toml", &rules("hull"));
    let ids = |games: &Games| games.reload().into_iter().map(|one| (one.id, one.in_force)).collect::<Vec<_>>();
    assert_eq!(ids(&games), [("ours".to_owned(), true)]);
    assert!(games.find("ours").ruleset().is_some());
    games.find("rafts");
    write(folder.path(), "rulesets/rafts.toml", &rules("hull + 1"));
    assert_eq!(ids(&games), [("ours".to_owned(), true), ("rafts".to_owned(), true)]);
}
