//! `rules diff` and `rules impact`: every difference is said, each in words a player reads; what another ruleset does to designs is
//! what checking them by both says. And layers as the whole program meets them: workspaces, templates, circles, long chains.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use moldloft::ruleset::{Ruleset, differences};
use moldloft::source::Source;
use proptest::prelude::*;
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, Value as Toml};

use crate::support::rules;
use rules::{chain, folder, source};

/// The places of all plain values of a document: keys and numbers from the root.
fn leaves(document: &DocumentMut) -> Vec<Vec<String>> {
    fn table(of: &Table, path: &mut Vec<String>, into: &mut Vec<Vec<String>>) {
        for (key, item) in of {
            path.push(key.to_owned());
            match item {
                Item::Table(inner) => table(inner, path, into),
                Item::ArrayOfTables(list) => {
                    for (n, inner) in list.iter().enumerate() {
                        path.push(n.to_string());
                        table(inner, path, into);
                        path.pop();
                    }
                }
                Item::Value(inner) => value(inner, path, into),
                Item::None => {}
            }
            path.pop();
        }
    }
    fn value(of: &Toml, path: &mut Vec<String>, into: &mut Vec<Vec<String>>) {
        match of {
            Toml::Array(list) => {
                for (n, inner) in list.iter().enumerate() {
                    path.push(n.to_string());
                    value(inner, path, into);
                    path.pop();
                }
            }
            Toml::InlineTable(inner) => {
                for (key, inner) in inner {
                    path.push(key.to_owned());
                    value(inner, path, into);
                    path.pop();
                }
            }
            _ => into.push(path.clone()),
        }
    }
    let mut into = Vec::new();
    table(document.as_table(), &mut Vec::new(), &mut into);
    into
}

/// Changes the value at a place; gives the key's name.
fn change(item: &mut Item, path: &[String]) {
    fn inside(value: &mut Toml, path: &[String]) {
        let Some((first, rest)) = path.split_first() else {
            *value = match &*value {
                Toml::Integer(number) => Toml::from(number.value() + 1),
                Toml::Boolean(flag) => Toml::from(!flag.value()),
                Toml::String(text) => Toml::from(format!("{}x", text.value())),
                other => panic!("{other:?}"),
            };
            return;
        };
        match value {
            Toml::Array(list) => inside(list.get_mut(first.parse().unwrap()).unwrap(), rest),
            Toml::InlineTable(table) => inside(table.get_mut(first).unwrap(), rest),
            other => panic!("{other:?}"),
        }
    }
    match item {
        Item::Value(value) => inside(value, path),
        Item::Table(table) => change(table.get_mut(&path[0]).unwrap(), &path[1..]),
        Item::ArrayOfTables(list) => {
            let table = list.get_mut(path[0].parse().unwrap()).unwrap();
            change(table.get_mut(&path[1]).unwrap(), &path[2..]);
        }
        Item::None => panic!("nothing at {path:?}"),
    }
}

#[test]
fn whatever_key_of_a_ruleset_changes_the_difference_names_it() {
    let games: Vec<(String, DocumentMut, Vec<Vec<String>>)> = folder("rulesets")
        .iter()
        .filter(|path| !source(path).text.contains("\nextends ="))
        .map(|path| {
            let document: DocumentMut = source(path).text.parse().unwrap();
            let leaves = leaves(&document);
            (path.clone(), document, leaves)
        })
        .collect();
    assert!(games.len() >= 5);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let strategy = (0..games.len(), any::<prop::sample::Index>());
    let tried = runner.run(&strategy, |(game, leaf)| {
        let (path, document, leaves) = &games[game];
        let leaf = leaf.get(leaves);
        let mut changed = document.clone();
        change(changed.as_table_mut().get_mut(&leaf[0]).unwrap(), &leaf[1..]);
        let (before, after) = (source(path), Source::new(path.as_str(), &changed.to_string()));
        let found = differences(std::slice::from_ref(&before), std::slice::from_ref(&after)).unwrap();
        prop_assert!(!found.list.is_empty(), "{path}: {leaf:?}");
        // One of the words that lead to it; an id that changes makes another thing.
        let words: Vec<&String> = leaf[1..].iter().filter(|word| word.parse::<usize>().is_err()).collect();
        let says = |one: &moldloft::ruleset::Difference| {
            words.iter().any(|word| one.key.contains(*word) || one.text.contains(*word) || one.section == **word)
        };
        let renamed = words.last().is_some_and(|word| *word == "id" || *word == "code") && found.list.len() >= 2;
        prop_assert!(renamed || found.list.iter().any(says), "{path}: {leaf:?}: {:?}", found.list);
        for one in &found.list {
            prop_assert!(!one.text.is_empty() && one.at.line > 0 && one.before != one.after, "{one:?}");
        }
        let back = differences(&[after], std::slice::from_ref(&before)).unwrap();
        prop_assert_eq!(back.list.len(), found.list.len());
        Ok(())
    });
    if let Err(error) = tried {
        panic!("{error}");
    }
}

#[test]
fn a_ruleset_does_not_differ_from_itself_and_never_from_another_game() {
    let ids: Vec<String> = folder("rulesets")
        .iter()
        .map(|path| path.trim_start_matches("rulesets/").trim_end_matches(".toml").to_owned())
        .collect();
    let sources: Vec<Vec<Source>> = ids.iter().map(|id| chain(id)).collect();
    for (n, a) in sources.iter().enumerate() {
        assert_eq!(differences(a, a).unwrap().list, [], "{}", ids[n]);
        for b in &sources[n + 1..] {
            let found = differences(a, b);
            if a[0].file == b[0].file {
                assert!(!found.unwrap().list.is_empty());
            } else {
                assert_eq!(found.unwrap_err()[0].code, "different-games");
            }
        }
    }
}

/// A player's folder.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let out =
            Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(self.0.path()).output().unwrap();
        Said(out)
    }
}

struct Said(Output);

impl Said {
    fn status(&self, status: i32) -> &Self {
        assert_eq!(self.0.status.code(), Some(status), "{}", self.all());
        self
    }

    fn says(&self, word: &str) -> &Self {
        assert!(self.all().contains(word), "no {word:?} in\n{}", self.all());
        self
    }

    fn all(&self) -> String {
        self.out() + &String::from_utf8_lossy(&self.0.stderr)
    }

    fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    fn json(&self) -> Vec<Value> {
        serde_json::from_str(&self.out()).unwrap()
    }
}

fn layer(id: &str, extends: &str, body: &str) -> String {
    format!(
        "[ruleset]\nid = \"{id}\"\ntitle = \"Rules of {id}\"\nversion = \"1\"\nschema = 1\nextends = {extends}\n{body}"
    )
}

const FAULTY: &str = "ruleset = \"wars-of-honor\"\nname = \"Fault\"\n[[fit]]\nsystem = \"laser\"\nmount = \"core\"\ncount = 4\n\
                      [[fit]]\nsystem = \"beta-node\"\nmount = \"after-ring\"\n";

#[test]
fn differences_read_as_players_speak() {
    let here = Workspace::new(&[]);
    let said = here.run(&["rules", "diff", "wars-of-honor", "woh-lasers"]);
    said.status(0)
        .says("  laser: points 10 → 12 (they won every battle last winter)\n")
        .says("  table missiles, row haven laser-head: defence 3 → 4\n")
        .says("  check starship-without-cnc: warning → info (our freighters are flown from the bridge)\n")
        .says("  check rare-weapon removed (we like them)\n")
        .says("  check mount-not-allowed: default → warning (captured ships are refitted")
        .says("  field nation, new option grayson: label Grayson Space Navy")
        .says("  new system ion-cannon: abbr I, mass 3, points 8 + structure // 10")
        .says("  table damage, new row ion cannon: [ion cannon")
        .says("  setting mu: default inch → cm\n");
    let list = here.run(&["rules", "diff", "wars-of-honor", "woh-lasers", "--json"]).status(0).json();
    let points = list.iter().find(|one| one["id"] == "laser" && one["key"] == "points").unwrap();
    assert_eq!((points["before"].as_str(), points["after"].as_str()), (Some("10"), Some("12")));
    assert_eq!(
        (points["word"].as_str(), points["at"]["file"].as_str()),
        (Some("system"), Some("rulesets/woh-lasers.toml"))
    );
    here.run(&["rules", "diff", "wars-of-honor", "wars-of-honor"]).status(0).says("no difference");
    here.run(&["rules", "diff", "wars-of-honor", "star-navy"]).status(2).says("rules of different games");
    here.run(&["rules", "diff", "wars-of-honor", "wars-of-honour"]).status(2).says("did you mean `wars-of-honor`?");
    here.run(&["rules", "diff", "wars-of-honor", "none.toml"]).status(2).says("no-such-file");
}

#[test]
fn impact_is_what_checking_by_both_says() {
    let soft = layer(
        "soft",
        "\"wars-of-honor\"",
        "[change.check.mount-not-allowed]\nseverity = \"info\"\nreason = \"refits\"\n[change.system.laser]\npoints = 20\n\
         [[check]]\ncode = \"too-light\"\nseverity = \"error\"\nfails_when = \"mass > 100\"\nmessage = \"{{ mass }} is too much\"\n",
    );
    let here = Workspace::new(&[
        ("rulesets/soft.toml", &soft),
        ("designs/a.toml", FAULTY),
        ("designs/broken.toml", "ruleset = \"wars-of-honor\nname = 3"),
        ("designs/other.toml", "ruleset = \"star-navy\"\nname = \"Not of this game\"\n"),
    ]);
    let run = |paths: &[&str]| {
        let mut arguments = vec!["rules", "impact", "wars-of-honor", "soft", "--json"];
        arguments.extend(paths);
        here.run(&arguments)
    };
    let rows = run(&["designs", "designs/wars-of-honor"]).status(1).says("not-toml").json();
    let rows: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "design").collect();
    for row in &rows {
        let file = row["file"].as_str().unwrap();
        if row["before"].is_null() {
            assert!(file.ends_with("broken.toml") && row["findings"][0]["code"] == "not-toml");
            continue;
        }
        for (side, rules) in [("before", "wars-of-honor"), ("after", "soft")] {
            let checked = &here.run(&["check", "--json", "--rules", rules, file]).json()[0];
            assert_eq!(row[side]["points"], checked["points"], "{file}");
            assert_eq!(row[side]["legal"], checked["legal"], "{file}");
        }
    }
    assert_eq!(rows.len(), 2 + moldloft_designs(), "the other game's is passed over");
    let text = here.run(&["rules", "impact", "wars-of-honor", "soft", "designs", "designs/wars-of-honor"]);
    text.status(1)
        .says("became legal")
        .says("− error[mount-not-allowed]: laser is not allowed in core, now a note")
        .says("BECAME ILLEGAL")
        .says("+ error[too-light]: 125 is too much")
        .says("1 not checked")
        .says("skipped 1 of other games");
    let csv = here.run(&["rules", "impact", "wars-of-honor", "soft", "designs/a.toml", "--csv"]);
    csv.status(0).says("designs/a.toml,Fault,").says(",no,yes,,mount-not-allowed,laser is not allowed in core,design,");
    here.run(&["rules", "impact", "wars-of-honor", "soft", "nowhere.toml"]).status(2);
    here.run(&["rules", "impact", "wars-of-honor", "star-navy", "designs"]).status(2).says("different games");
}

/// What changes beside points is named: a value, the boxes and row labels of tracks, cells of tables, counters. A folder of fleets is
/// taken with its ships.
#[test]
fn a_row_gives_its_reason_and_a_ban_is_told_once_a_ship() {
    let soft = layer(
        "soft",
        "\"wars-of-honor\"",
        "[change.table.damage.rows.laser]\nroll = \"1–4: 0 · 5–6: 1\"\nreason = \"old cards\"\n\
         [change.system.graser]\nremove = true\nreason = \"missile age\"\n",
    );
    let here = Workspace::new(&[("rulesets/soft.toml", &soft)]);
    let diff = here.run(&["rules", "diff", "wars-of-honor", "soft"]);
    diff.status(0).says("(old cards)");
    let impact = here.run(&["rules", "impact", "wars-of-honor", "soft", "vigilant"]);
    impact
        .says("removed by soft (\"missile age\") (at 4 places)")
        .says("missing from the ships' mass, points and odds");
    assert_eq!(impact.out().matches("unknown-system").count(), 1, "{}", impact.out());
}

#[test]
fn impact_names_everything_that_changes_and_takes_fleets() {
    let other = layer(
        "other",
        "\"wars-of-honor\"",
        "[change.track.structure]\nrow_label.repair = \"'' if row == rows else ['1', '2', '3', '4'][row - 1]\"\n\
         [change.table.damage.rows.laser]\nrange = \"9 MU\"\n[change.value.structure]\nformula = \"base + 5\"\n\
         [change.counter.missile]\nsize_mm = 25\n",
    );
    let here = Workspace::new(&[("rulesets/other.toml", &other)]);
    let arguments = ["rules", "impact", "wars-of-honor", "other", "designs/wars-of-honor"];
    let text = here.run(&arguments);
    text.status(1)
        .says("other changes on ")
        .says("  value structure blocks: +5 on ")
        .says("boxes: +5 on ")
        .says("repair: ");
    let rows = here.run(&[&arguments[..], &["--json"]].concat()).json();
    let vigilant = rows.iter().find(|row| row["name"] == "Vigilant").unwrap();
    let changes = vigilant["changes"].as_array().unwrap();
    let kinds: BTreeSet<&str> = changes.iter().map(|change| change["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, BTreeSet::from(["cost", "counter", "system", "table", "track", "value"]), "{changes:?}");
    let structure = changes.iter().find(|change| change["id"] == "structure").unwrap();
    assert_eq!(structure["by"], 5, "{structure}");
    let csv = here.run(&[&arguments[..], &["--csv"]].concat());
    csv.says(",kind,changes,what changes\n").says("value structure ");

    let dear = layer("dear", "\"wars-of-honor\"", "[change.value.points]\nformula = \"base + 100\"\n");
    let here = Workspace::new(&[("rulesets/dear.toml", &dear)]);
    let fleets = here.run(&["rules", "impact", "wars-of-honor", "dear", "designs/wars-of-honor/fleets"]);
    fleets.says(" fleets with ").says("budget ").says("BECAME ILLEGAL").says("+ error[over-budget]: ");
    let rows = here.run(&["rules", "impact", "wars-of-honor", "dear", "designs/wars-of-honor/fleets", "--json"]).json();
    assert!(!rows.is_empty());
    for row in &rows {
        let ships = row["ships"].as_array().unwrap();
        assert_eq!(row["kind"], "fleet");
        assert_eq!(row["difference"], 100 * ships.len(), "{}", row["file"]);
        assert!(ships.iter().all(|ship| ship["difference"] == 100), "{}", row["file"]);
    }
    let same = here.run(&["rules", "impact", "wars-of-honor", "wars-of-honor", "designs/wars-of-honor"]);
    same.status(0).says("no other changes\n");
}

#[test]
fn a_difference_that_comes_by_like_says_so() {
    let cannon = layer("cannon", "\"star-navy\"", "[change.system.cannon]\npoints = 6\n");
    let here = Workspace::new(&[("rulesets/cannon.toml", &cannon)]);
    let diff = here.run(&["rules", "diff", "star-navy", "cannon"]);
    diff.status(0).says("(like cannon)");
    let check = here.run(&["rules", "check", "cannon"]);
    check.says("warning[changes-others-too]: changing `points` of cannon also changes ").says("[change.system.");
}

/// The design that shows a finding is written, replaces nothing, and shows the same when it is opened.
#[test]
fn the_trial_of_a_finding_is_written_and_can_be_explained() {
    let paint = layer("paint", "\"wars-of-honor\"", "[[cost]]\nid = \"paint\"\nlabel = \"paint\"\neach = 7\n");
    let here = Workspace::new(&[("rulesets/paint.toml", &paint)]);
    let check = here.run(&["rules", "check", "paint", "--trial", "trial.toml"]);
    check.status(0).says("warning[costs-do-not-add-up]").says("rulesets/paint.toml:").says("formula = \"base + 7\"");
    check.says("trial.toml: design for costs-do-not-add-up");
    let found = check.all();
    let (_, numbers) = found.split_once("they total ").unwrap();
    let (sum, rest) = numbers.split_once(" for ").unwrap();
    let (_, rest) = rest.split_once(", and `points` is ").unwrap();
    let points: i64 = rest.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(sum.parse::<i64>().unwrap(), points + 7);
    let row = &here.run(&["check", "--json", "--rules", "paint", "trial.toml"]).json()[0];
    assert_eq!(row["points"], points, "the trial is what the finding speaks of");
    here.run(&["rules", "check", "paint", "--trial", "trial.toml"]).status(2).says("file-exists").says("--force");
    here.run(&["rules", "check", "paint", "--trial", "trial.toml", "--force"]).status(0);
    let none = here.run(&["rules", "check", "wars-of-honor", "--trial", "none.toml"]);
    none.status(2).says("no finding has one");
    let other = here.run(&["rules", "check", "paint", "--trial", "none.toml", "--of", "unused-tag"]);
    other.status(2).says("no finding `unused-tag` has one").says("costs-do-not-add-up");
}

fn moldloft_designs() -> usize {
    folder("designs/wars-of-honor").len()
}

#[test]
fn a_stale_layer_still_judges_and_prints_and_says_so() {
    let stale =
        layer("stale", "\"wars-of-honor\"", "[change.system.lazer]\npoints = 12\n[change.system.laser]\npoints = 12\n");
    let here = Workspace::new(&[("rulesets/stale.toml", &stale)]);
    let design = "designs/wars-of-honor/vigilant.toml";
    let out = here.run(&["check", "--rules", "stale", design]);
    out.status(1).says("did you mean `laser`?").says("1 of 2 statements of `stale` is skipped").says("Vigilant, legal");
    here.run(&["print", "--rules", "stale", "-o", "sheet.svg", "--svg-text", "embedded", design]);
    let listed = here.run(&["list", "rulesets"]);
    listed.status(0).says("Rules of stale, version 1");
}

#[test]
fn circles_chains_and_strange_ids_are_told() {
    let own = layer("own", "\"own\"", "");
    let (one, two) = (layer("one", "\"two\"", ""), layer("two", "\"one\"", ""));
    let path = layer("path", "\"../../etc/passwd\"", "");
    let game = layer("game", "[\"wars-of-honor\", \"star-navy\"]", "");
    let diamond = layer("diamond", "[\"left\", \"right\"]", "");
    let (left, right) = (
        layer("left", "\"wars-of-honor\"", "[change.system.laser]\npoints = 11\n"),
        layer("right", "\"wars-of-honor\"", "[change.system.graser]\npoints = 16\n"),
    );
    let mut files: Vec<(String, String)> = [
        ("own", own),
        ("one", one),
        ("two", two),
        ("path", path),
        ("game", game),
        ("diamond", diamond),
        ("left", left),
        ("right", right),
    ]
    .into_iter()
    .map(|(id, text)| (format!("rulesets/{id}.toml"), text))
    .collect();
    for n in 0..200 {
        let below = if n == 0 { "\"wars-of-honor\"".to_owned() } else { format!("\"deep-{}\"", n - 1) };
        files.push((format!("rulesets/deep-{n}.toml"), layer(&format!("deep-{n}"), &below, "")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let here = Workspace::new(&files);
    let check = |id: &str| here.run(&["check", "--rules", id, "designs/wars-of-honor/vigilant.toml"]);
    check("own").status(2).says("own → own");
    check("one").status(2).says("one → two → one");
    check("path").status(2).says("unknown ruleset `../../etc/passwd`, which `path` extends");
    check("game").status(2).says("missing `extends`: it is loaded as a layer over another ruleset").says("star-navy");
    check("diamond").status(0);
    check("deep-9").status(0);
    check("deep-199").status(2).says("the limit is 16");
}

#[test]
fn a_layers_template_takes_the_place_of_the_one_below() {
    let rules = layer("ours", "\"wars-of-honor\"", "[change.system.laser]\npoints = 12\n");
    let svg = source("templates/wars-of-honor/ship.svg").text.replace("SHIP SYSTEMS", "OUR SYSTEMS");
    assert!(svg.contains("OUR SYSTEMS"));
    let here = Workspace::new(&[("rulesets/ours.toml", &rules), ("templates/ours/ship.svg", &svg)]);
    let words = |rules: &str| {
        let file = format!("{rules}.svg");
        here.run(&[
            "print",
            "--rules",
            rules,
            "-o",
            &file,
            "--svg-text",
            "embedded",
            "designs/wars-of-honor/vigilant.toml",
        ])
        .status(0);
        let names: Vec<_> = std::fs::read_dir(here.0.path()).unwrap().map(|one| one.unwrap().path()).collect();
        let own = names.iter().filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(rules));
        own.map(|path| read(path)).collect::<String>()
    };
    let ours = words("ours").to_lowercase();
    assert!(ours.contains("our systems") && !ours.contains("ship systems"), "its own template");
    assert!(ours.contains("wars of honor 1.0 + rules of ours 1 (* house)"), "its name at the foot");
    let plain = words("wars-of-honor").to_lowercase();
    assert!(plain.contains("ship systems") && !plain.contains("* house"));
}

#[test]
fn what_a_layer_adds_is_on_paper_though_no_template_knows_of_it() {
    let body = "[[track]]\nid = \"marines\"\nboxes = 3\n[[table]]\nid = \"boarding\"\ncolumns = [\"roll\", \"effect\"]\n\
                concerns = \"count('laser')\"\nrows = [[\"6\", \"she is theirs\"]]\n[[table]]\nid = \"weather\"\ncolumns = [\"roll\"]\n\
                rows = [[\"ion storm\"]]\n[[track]]\nid = \"quiet\"\nboxes = 2\nrequired = false\n";
    let here = Workspace::new(&[("rulesets/ours.toml", &layer("ours", "\"wars-of-honor\"", body))]);
    let words = |arguments: &[&str], file: &str| {
        let mut all = arguments.to_vec();
        all.extend(["-o", file, "--svg-text", "embedded"]);
        here.run(&all).status(0);
        let stem = file.trim_end_matches(".svg");
        let names = std::fs::read_dir(here.0.path()).unwrap().map(|one| one.unwrap().path());
        let own = names.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(stem));
        own.map(|path| read(&path)).collect::<String>().to_lowercase()
    };
    let sheet = words(&["print", "--rules", "ours", "designs/wars-of-honor/vigilant.toml"], "sheet.svg");
    for word in ["marines*", "marines_3", "boarding*", "she is theirs"] {
        assert!(sheet.contains(word), "{word}");
    }
    assert!(!sheet.contains("quiet_1") && !sheet.contains("ion storm"), "what need not be there is not");
    let reference = words(&["reference", "ours"], "tables.svg");
    assert!(reference.contains("weather*") && reference.contains("ion storm") && reference.contains("boarding*"));
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_sample_layers_load_without_a_finding() {
    for path in folder("rulesets").iter().filter(|path| source(path).text.contains("\nextends =")) {
        let id = path.trim_start_matches("rulesets/").trim_end_matches(".toml");
        let (ruleset, findings) = Ruleset::load_layers(&chain(id));
        assert!(findings.is_empty(), "{id}: {}", rules::said(&findings));
        assert_eq!(ruleset.unwrap().skipped, 0);
    }
}
