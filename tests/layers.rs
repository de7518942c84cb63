//! House rules in layers: what can be changed, what is told of a layer that is wrong, what an update of the ruleset below does to
//! it, what differs between two rulesets and what that does to designs.

use std::sync::Arc;

use moldloft::design::{Design, RelationUse, Ship};
use moldloft::evaluate::{Evaluation, evaluate, explain, report_json};
use moldloft::finding::{Finding, Place, Severity};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;

use crate::support::rules;
use rules::{chain, check, expected, folder, said, source, value};

/// Layers given as text over a built-in ruleset.
fn lay(base: &str, layers: &[(&str, &str)]) -> (Option<Arc<Ruleset>>, Vec<Finding>) {
    let (ruleset, findings) = Ruleset::load_layers(&sources(base, layers));
    (ruleset.map(Arc::new), findings)
}

fn sources(base: &str, layers: &[(&str, &str)]) -> Vec<Source> {
    let mut sources = chain(base);
    let mut below = vec![base.to_owned()];
    for (id, text) in layers {
        let extends = format!("[\"{}\"]", below.join("\", \""));
        let header = format!(
            "[ruleset]\nid = \"{id}\"\ntitle = \"Rules of {id}\"\nversion = \"1\"\nschema = 1\nextends = {extends}\n"
        );
        sources.push(Source::new(format!("rulesets/{id}.toml"), &(header + text)));
        below.push((*id).to_owned());
    }
    sources
}

/// A layer over Wars of Honor that must load without a finding.
fn house(text: &str) -> Arc<Ruleset> {
    let (ruleset, findings) = lay("wars-of-honor", &[("house", text)]);
    assert!(findings.is_empty(), "{text}\n{}", said(&findings));
    ruleset.unwrap()
}

/// The lines of the ruleset below move whenever it is edited.
fn placeless(text: &str) -> String {
    let mut parts = text.split("rulesets/wars-of-honor.toml:");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        out.push_str("rulesets/wars-of-honor.toml:…");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

fn cruiser(rules: &Arc<Ruleset>) -> Evaluation {
    check(rules, "tests/cases/wars-of-honor/good/ca.toml")
}

#[test]
fn what_is_wrong_with_a_layer_is_told_with_its_place_and_what_to_do() {
    let mut faults = Vec::new();
    let cases = folder("tests/cases/layers");
    assert!(cases.len() >= 40);
    for path in cases {
        let own = source(&path);
        let mut sources = chain("wars-of-honor");
        sources.push(own.clone());
        let (ruleset, findings) = Ruleset::load_layers(&sources);
        let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        assert!(!errors.is_empty(), "{path} is accepted");
        for finding in &findings {
            let at = &finding.at;
            assert_eq!(at.file.as_ref(), Some(&own.file), "{path}: {}", said(&findings));
            assert!(at.line > 0 && at.column > 0 && at.snippet.is_some(), "{path}: {}", said(&findings));
        }
        for error in errors {
            assert!(error.help.is_some(), "{path}: no help: {}", said(&findings));
        }
        let unusable = ["no-header", "no-base", "not-toml", "newer", "same-id"];
        let refused = unusable.iter().any(|name| path.ends_with(&format!("/{name}.toml")));
        assert_eq!(ruleset.is_none(), refused, "{path}: {}", said(&findings));
        if let Some(ruleset) = ruleset {
            assert!(ruleset.skipped > 0, "{path}");
            let ship = cruiser(&Arc::new(ruleset));
            assert!(ship.points.is_some() && ship.legal, "{path}: {}", said(&ship.findings));
        }
        faults.extend(expected(&path, &placeless(&said(&findings))).err());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn single_things_change_and_nothing_else_does() {
    let plain = rules::load("wars-of-honor");
    let before = cruiser(&plain);
    let lasers = before.costs.iter().find(|line| &*line.label == "laser").unwrap().count;
    // A number.
    let ship = cruiser(&house("[change.system.laser]\npoints = 12\n"));
    assert_eq!(value(&ship, "points_full"), value(&before, "points_full") + 2 * lasers);
    assert_eq!(value(&ship, "mass"), value(&before, "mass"));
    // A formula, and what reads it.
    let ship = cruiser(&house("[change.value.repair]\nformula = \"structure // 10\"\n"));
    assert_eq!(value(&ship, "repair"), value(&before, "structure") / 10);
    assert_eq!(value(&ship, "repair_half"), value(&before, "structure") / 20);
    // A cell, a row, a column.
    let text = "[change.table.missiles.rows.\"manticore laser-head\"]\ndefence = 9\n\
                [change.table.missiles.rows.\"manticore nuclear\"]\nremove = true\n\
                [change.table.missiles.columns.dice]\nlabel = \"harm\"\n\
                [change.table.missiles]\nadd.columns = [{ id = \"salvo\", default = 2 }]\n\
                add.rows = [[\"manticore\", \"beehive\", 9, 2, 2, \"2D6\", 3]]\n";
    let (ship, mut found) = (cruiser(&house(text)), Vec::new());
    let table = ship.tables.iter().find(|table| &*table.id == "missiles").unwrap();
    let columns: Vec<&str> = table.columns.iter().map(|column| &*column.label).collect();
    assert_eq!(columns, ["missile", "accel", "defence", "turns", "harm", "salvo"]);
    for row in serde_json::to_value(report_json(&ship)).unwrap()["tables"]["missiles"].as_array().unwrap() {
        found.push(format!("{} {} {}", row["warhead"].as_str().unwrap(), row["defence"], row["salvo"]));
    }
    assert_eq!(found, ["laser-head 9 2", "beehive 2 3"]);
    // A column taken out takes its cells.
    let ship = cruiser(&house("[change.table.missiles.columns]\ndice = { remove = true }\n"));
    let table = ship.tables.iter().find(|table| &*table.id == "missiles").unwrap();
    assert_eq!((table.columns.len(), table.rows[0].len()), (4, 4));
    // A setting's default, an option's answer, a new option, a mount more, a mount removed with what stood in it changed.
    let text = "[change.setting.mu]\ndefault = \"cm\"\n[change.field.nation.options.haven]\ndiscount = 50\n\
                [change.field.nation.add.options]\ngrayson = { label = \"Grayson\", short = \"GSN\", discount = 1, \
                structure_pct = 30, row = \"manticore\" }\n[change.system.cnc]\nadd.mounts = [\"port\"]\n";
    let rules = house(text);
    assert_eq!(rules.settings[0].value, moldloft::formula::Value::Text("cm".into()));
    assert!(cruiser(&rules).legal);
    let haven = check(&rules, "tests/cases/wars-of-honor/good/ca-haven.toml");
    assert_eq!(value(&haven, "points"), value(&haven, "points_full") / 2);
    // A new mount, relation, attribute, counter, sheet, track, table, check: all are there.
    let text = "[attributes]\ncrew = 3\n[[mount]]\nid = \"keel\"\nafter = \"core\"\n[[relation]]\nid = \"dock\"\nfrom = \"true\"\n\
                [[track]]\nid = \"marines\"\nboxes = \"total('crew')\"\n[[table]]\nid = \"keel_hits\"\ncolumns = [\"roll\"]\nrows = [[\"6\"]]\n\
                [[check]]\ncode = \"no-marines\"\nseverity = \"info\"\nfails_when = \"total('crew') == 0\"\nmessage = \"none\"\n\
                [[counter]]\nid = \"shuttle\"\ncount = 2\nface = \"chits/token.svg\"\n[[sheet]]\nid = \"crew\"\nkind = \"design\"\nwhen = \"false\"\ntemplate = \"ship.svg\"\n";
    let ship = cruiser(&house(text));
    assert!(ship.tracks.iter().any(|track| &*track.id == "marines" && track.house));
    assert!(ship.counters.iter().any(|counter| &*counter.id == "shuttle"));
    let mounts: Vec<&str> = ship.mounts.iter().map(|mount| &*mount.id).collect();
    assert_eq!(mounts.iter().position(|id| *id == "keel"), mounts.iter().position(|id| *id == "core").map(|at| at + 1));
}

#[test]
fn a_cell_of_a_grid_changes_alone() {
    let grid = "[[table]]\nid = \"hits\"\ngrid = { across = [1, 2, 3], down = [1, 2], cell = \"across * down\" }\n";
    let change = "[change.table.hits.grid.cells]\n\"3 2\" = 99\n\"1,1\" = \"miss\"\n";
    let (rules, findings) = lay("wars-of-honor", &[("grid", grid), ("cells", change)]);
    assert!(findings.is_empty(), "{}", said(&findings));
    let report = serde_json::to_value(report_json(&cruiser(&rules.unwrap()))).unwrap();
    assert_eq!(report["tables"]["hits"], serde_json::json!([["miss", 2, 3], [2, 4, 99]]));
}

/// The damage by the face of a die is made from the table of damage: it follows what a layer changes there, and goes where no number is said.
#[test]
fn damage_by_die_follows_the_table_of_damage() {
    let rows = |layer: &str, table: &str| {
        let ship = cruiser(&house(layer));
        assert!(ship.legal, "{}", said(&ship.findings));
        let table = ship.tables.iter().find(|known| &*known.id == table);
        table.map_or_else(Vec::new, |table| table.rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>())
    };
    let of = |rows: &[String], weapon: &str| {
        let found = rows.iter().find(|row| row.contains(&format!("\"{weapon}\"")));
        found.map(|row| row.matches("Int(").count().to_string() + &row.replace(|c: char| !c.is_ascii_digit(), ""))
    };
    let change = |line: &str| rows(&format!("[change.table.{line}\n"), "damage_by_die");
    assert_eq!(of(&rows("", "damage_by_die"), "laser").as_deref(), Some("71216001122"));
    assert_eq!(of(&change("damage.rows.laser]\nroll = \"1–5: 1 · 6: 3\""), "laser").as_deref(), Some("71216111113"));
    assert_eq!(of(&change("damage.rows.laser]\nrange = \"15 MU\""), "laser").as_deref(), Some("71516001122"));
    assert_eq!(of(&change("damage.rows.laser]\nroll = \"see the ion table\""), "laser"), None);
    assert_eq!(of(&change("damage_by_die.rows.laser]\nf6 = 3"), "laser").as_deref(), Some("71216001123"));
    assert_eq!(of(&change("damage_by_die.rows.laser]\nremove = true"), "laser"), None);
    let added = change("damage_by_die]\nadd.rows = [[\"maser\", [\"laser\"], \"\", 9, \"1D6\", 0, 0, 0, 0, 0, 8]]");
    assert!(added.iter().any(|row| row.contains("maser") && row.contains("Int(8)")), "{added:?}");
    let removed = "[change.table.damage.rows.\"laser cluster\"]\nremove = true\n";
    let has = |rows: &[String]| rows.iter().any(|row| row.contains("\"laser cluster\""));
    assert!(has(&rows("", "rolled_once")) && !has(&rows(removed, "rolled_once")));
    // What is not there is told with its place.
    let (_, findings) = lay("wars-of-honor", &[("house", "[change.table.damage_by_die.rows.lazer]\nf6 = 3\n")]);
    let found =
        findings.iter().find(|finding| finding.code == "unknown-row").unwrap_or_else(|| panic!("{}", said(&findings)));
    assert!(found.help.as_deref().is_some_and(|help| help.contains("laser")), "{found:?}");
}

#[test]
fn cells_are_the_values_of_a_column() {
    let table = "[[table]]\nid = \"guns\"\nkey = [\"gun\"]\ncolumns = [\"gun\", \"dice\"]\nrows = [[\"light\", 1], [\"heavy\", 4]]\n";
    let value = |id: &str, formula: &str| format!("[[value]]\nid = \"{id}\"\nformula = \"{formula}\"\n");
    let text = format!(
        "{table}{}{}",
        value("dice", "sum(cells('guns', 'dice'))"),
        value("listed", "1 if 'heavy' in cells('guns', 'gun') and not ('huge' in cells('guns', 'gun')) else 0")
    );
    let (rules, findings) = game(&[&text]);
    let ship = ship(&rules.expect("a ruleset"), "");
    assert_eq!((number(&ship, "dice"), number(&ship, "listed")), (5, 1), "{}", said(&findings));
    let (_, findings) = game(&[&format!("{table}{}", value("dice", "sum(cells('guns', 'dise'))"))]);
    assert!(said(&findings).contains("table `guns` has no column `dise`"), "{}", said(&findings));
}

#[test]
fn checks_and_findings_of_the_language_soften_with_a_reason_and_say_whose_they_are() {
    let rules = house(
        "[change.check.launcher-without-magazine]\nseverity = \"warning\"\nreason = \"tenders feed them\"\n\
         [change.check.mount-not-allowed]\nseverity = \"info\"\nreason = \"refits\"\n\
         [change.check.unknown-system]\nseverity = \"off\"\nreason = \"old files\"\n\
         [change.check.tow-over-limit]\nseverity = \"warning\"\nreason = \"tugs\"\n",
    );
    let ship = check(&rules, "tests/cases/wars-of-honor/bad/launcher-without-magazine.toml");
    assert!(ship.legal, "{}", said(&ship.findings));
    let softened = ship.findings.iter().find(|finding| finding.code == "launcher-without-magazine").unwrap();
    let rule = softened.rule.as_deref().unwrap();
    assert_eq!(softened.severity, Severity::Warning);
    assert!(rule.ends_with("house: warning, the base has error, tenders feed them"), "{rule}");
    let told = explain(&ship, Some("launcher-without-magazine"));
    let note = told[0].note.as_deref().unwrap();
    assert!(note.contains("rulesets/house.toml:8") && note.contains("base: error"), "{note}");
    assert_eq!(told[0].provenance, moldloft::ruleset::Provenance::House);

    let ship = check(&rules, "tests/cases/wars-of-honor/bad/mount-not-allowed.toml");
    let found: Vec<_> = ship.findings.iter().filter(|finding| finding.code == "mount-not-allowed").collect();
    assert!(!found.is_empty() && found.iter().all(|finding| finding.severity == Severity::Info));
    assert!(found[0].rule.as_deref().unwrap().ends_with("house: refits"));
    let ship = check(&rules, "tests/cases/wars-of-honor/bad/unknown-system.toml");
    assert!(!ship.findings.iter().any(|finding| finding.code == "unknown-system"));
    let design = Design::read(&source("tests/cases/wars-of-honor/good/ca.toml")).unwrap();
    let towing = evaluate(&rules, &design, &towing(2));
    assert!(towing.legal && towing.findings.iter().any(|finding| finding.code == "tow-over-limit"));
    assert!(rules.overrides_severity("unknown-system") && !rules.overrides_severity("no-nodes"));
}

#[test]
fn every_number_knows_its_layer_and_what_was_there_before() {
    let first = "[change.system.laser]\npoints = 12\nreason = \"they win\"\n";
    let second = "[change.system.laser]\npoints = 14\n[[value]]\nid = \"guns\"\nformula = \"count(tag='weapon')\"\n";
    let (rules, findings) = lay("wars-of-honor", &[("club", first), ("cup", second)]);
    assert!(findings.is_empty(), "{}", said(&findings));
    let ship = cruiser(&rules.unwrap());
    let line = &explain(&ship, Some("laser.points"))[0];
    assert_eq!(line.result, "14");
    assert!(line.rule.contains("rulesets/cup.toml:8"), "{}", line.rule);
    assert_eq!(line.note.as_deref(), Some("Rules of cup 1 (cup, rulesets/cup.toml:8); club: 12; base: 10"));
    let guns = &explain(&ship, Some("guns"))[0];
    assert!(guns.note.as_deref().unwrap().ends_with("base: not set"), "{guns:?}");
    let mass = &explain(&ship, Some("mass"))[0];
    assert_eq!((mass.note.as_deref(), mass.provenance), (None, moldloft::ruleset::Provenance::Published));
    // The cost rests on it, and says so; a line that does not is not marked.
    let starred: Vec<&str> = ship.costs.iter().filter(|line| line.house).map(|line| &*line.label).collect();
    assert_eq!(starred, ["laser"]);
    let keys: Vec<String> =
        serde_json::to_value(report_json(&ship)).unwrap()["ruleset"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["id", "version"]);
}

#[test]
fn the_foot_names_all_layers_it_has_room_for() {
    let many: Vec<(String, String)> =
        (0..12).map(|n| (format!("layer-{n}"), format!("[change.system.laser]\npoints = {}\n", 20 + n))).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let (rules, findings) = lay("wars-of-honor", &many);
    assert!(findings.is_empty(), "{}", said(&findings));
    let title = rules.unwrap().rules_title();
    assert_eq!(
        title,
        "Wars of Honor 1.0 + Rules of layer-0 1 + Rules of layer-1 1 + Rules of layer-2 1 + 9 more (* house)"
    );
    assert!(title.chars().count() < 110);
}

#[test]
fn an_update_of_the_ruleset_below_loses_nothing() {
    let layer = "[change.system.laser]\npoints = 12\n[change.system.graser]\npoints = 17\n\
                 [change.check.rare-weapon]\nseverity = \"off\"\nreason = \"we like them\"\n\
                 [change.value.repair]\nformula = \"structure // 10\"\n[[value]]\nid = \"clusters\"\nformula = \"count('laser-cluster')\"\n";
    let mut below = sources("wars-of-honor", &[("club", layer)]);
    let old = below[0].text.to_string();
    let club =
        Source::new(&*below[1].file, &below[1].text.replace("extends = ", "extends_version = [\"1.0.0\"]\nextends = "));
    below[1] = club;
    assert!(Ruleset::load_layers(&below).1.is_empty());
    // 1.1: the same number is changed, a system renamed, a check dropped, a value renamed.
    let new = old
        .replace("version = \"1.0.0\"", "version = \"1.1.0\"")
        .replace("id = \"graser\"", "id = \"heavy-graser\"")
        .replace("'graser'", "'heavy-graser'")
        .replace("system:graser", "system:heavy-graser")
        .replace("\"graser\"", "\"heavy-graser\"")
        .replace("fit laser graser", "fit laser heavy-graser")
        .replace("mass = 1\npoints = 10\ndamage_row", "mass = 1\npoints = 11\ndamage_row")
        .replace("code = \"rare-weapon\"", "code = \"agreed-weapon\"")
        .replace("laser-cluster", "point-defence");
    assert!(new.contains("points = 11") && new.contains("heavy-graser"));
    below[0] = Source::new(&*below[0].file, &new);
    let (rules, findings) = Ruleset::load_layers(&below);
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("one stale line refuses all:\n{}", said(&findings))));
    let mut named: Vec<(&str, &str)> = findings.iter().map(|one| (&*one.code, one.message.as_str())).collect();
    named.sort_unstable();
    let about = |code: &str, word: &str| named.iter().any(|(known, message)| *known == code && message.contains(word));
    assert!(about("other-version", "1.0.0 of wars-of-honor, this is version 1.1.0"), "{named:?}");
    assert!(about("unknown-id", "`graser`") && about("unknown-id", "`rare-weapon`"), "{named:?}");
    assert!(about("unknown-system", "laser-cluster") && about("not-in-force", "3 of 5"), "{named:?}");
    assert!(
        findings
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .all(|one| one.at.file.as_deref() == Some("rulesets/club.toml"))
    );
    // What the layer chose and still makes sense is in force.
    let ship = cruiser(&rules);
    let lasers = ship.costs.iter().find(|line| &*line.label == "laser").unwrap();
    assert_eq!((lasers.each, value(&ship, "repair")), (12, value(&ship, "structure") / 10));
    assert!(rules.rules_title().ends_with("(* house, 3 skipped)"), "{}", rules.rules_title());
}

#[test]
fn two_layers_that_change_the_same_are_told_unless_one_knows_the_other() {
    let club = "[change.system.laser]\npoints = 12\n";
    let cup = "[change.system.laser]\npoints = 14\n";
    let mut stacked = sources("wars-of-honor", &[("club", club), ("cup", cup)]);
    assert!(Ruleset::load_layers(&stacked).1.is_empty(), "cup extends club");
    // Both over the base, and a third that lays them together.
    stacked[2] = Source::new(
        "rulesets/cup.toml",
        &stacked[2].text.replace("[\"wars-of-honor\", \"club\"]", "\"wars-of-honor\""),
    );
    let both =
        "[ruleset]\nid = \"both\"\ntitle = \"Both\"\nversion = \"1\"\nschema = 1\nextends = [\"club\", \"cup\"]\n";
    stacked.push(Source::new("rulesets/both.toml", both));
    let (rules, findings) = Ruleset::load_layers(&stacked);
    let [one] = findings.as_slice() else { panic!("{}", said(&findings)) };
    assert_eq!((&*one.code, one.severity), ("changed-twice", Severity::Warning));
    assert!(one.message.contains("12 at rulesets/club.toml:8") && one.message.contains("14 here"), "{}", one.message);
    let ship = cruiser(&Arc::new(rules.unwrap()));
    assert_eq!(ship.costs.iter().find(|line| &*line.label == "laser").unwrap().each, 14);
}

#[test]
fn huge_and_hostile_layers_end_in_findings() {
    let rows: String = (0..3_000).map(|n| format!("[change.system.s{n}]\npoints = {n}\n")).collect();
    let values: String =
        (0..400).map(|n| format!("[[value]]\nid = \"v{n}\"\nformula = \"v{} + 1\"\n", n + 1)).collect();
    let deep = format!("[change.system.laser]\npoints = \"{}1{}\"\n", "(".repeat(3_000), ")".repeat(3_000));
    let keys: String = (0..3_000).map(|n| format!("k{n} = {n}\n")).collect();
    for text in [
        rows,
        values,
        deep,
        format!("[change.system.laser]\n{keys}"),
        format!("[change.system.laser{}]\nx = 1\n", ".add".repeat(60)),
        "[change]\n[change.check]\n[change.system.\"\"]\npoints = 1\n".to_owned(),
    ] {
        let (rules, findings) = lay("wars-of-honor", &[("hostile", &text)]);
        assert!(findings.iter().any(|finding| finding.severity == Severity::Error), "{}", &text[..60]);
        assert!(cruiser(&rules.expect("the ruleset below is whole")).legal);
    }
}

#[test]
fn the_last_layer_is_blamed_and_what_it_builds_on_is_left_alone() {
    let below =
        "[change.field.nation.options.manticore-q-ship]\ndiscount = 20\n[change.cost.discount]\nlabel = \"discount\"\n";
    let above = "[change.field.nation.options.haven]\ndiscount = \"ten\"\n";
    let (ruleset, findings) = lay("wars-of-honor", &[("club", below), ("evening", above)]);
    let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert_eq!(errors.len(), 1, "{}", said(&findings));
    assert_eq!(errors[0].at.file.as_deref(), Some("rulesets/evening.toml"));
    assert_eq!(ruleset.unwrap().skipped, 1);
}

/// A ship with so many pods in tow.
fn towing(count: i64) -> Ship {
    let asks = RelationUse { relation: "tow".into(), count, place: Place::default() };
    Ship { relations: vec![asks], ..Ship::default() }
}

/// A small game to lay layers over: a nation, guns, a howitzer that is like a gun.
const GAME: &str = r#"
[ruleset]
id = "game"
title = "Game"
version = "1"
schema = 1
[attributes]
points = { default = 1 }
[[field]]
id = "nation"
kind = "choice"
default = "north"
options.north = { label = "North", pct = 30, row = "a" }
options.south = { label = "South", pct = 20, row = "b", assumed = { row = "they are taken to use b" } }
[[field]]
id = "hull"
kind = "integer"
default = 8
min = 1
max = 40
[[mount]]
id = "bow"
[[mount]]
id = "stern"
[[system]]
id = "gun"
points = 5
mounts = ["bow", "stern"]
[[system]]
id = "howitzer"
like = "gun"
[[system]]
id = "lamp"
[[system]]
id = "rack"
points = "2 + length(choice.nation.row)"
[[value]]
id = "share"
formula = "hull * choice.nation.pct"
[[value]]
id = "letter"
formula = "choice.nation.row"
[[value]]
id = "racks"
formula = "total('points', 'rack')"
[[value]]
id = "points"
formula = "2 * hull + total('points')"
[[cost]]
label = "hull"
count = "hull"
each = 2
[[cost]]
for_each = "fit"
label = "{{ it.name }}"
each = "it.points"
[[track]]
id = "hull"
label = "hull"
boxes = "hull"
assumed = { boxes = "a box each" }
[[check]]
code = "too-heavy"
severity = "error"
fails_when = "hull > 30"
message = "{{ hull }} is too heavy"
"#;

/// Layers over the game, each of which knows of the game only.
fn game(layers: &[&str]) -> (Option<Arc<Ruleset>>, Vec<Finding>) {
    let mut sources = vec![Source::new("rulesets/game.toml", GAME)];
    for (n, text) in layers.iter().enumerate() {
        let id = format!("layer-{}", n + 1);
        let kind = if text.starts_with("kind") { "" } else { "\n" };
        let header = format!(
            "[ruleset]\nid = \"{id}\"\ntitle = \"Layer {}\"\nversion = \"1\"\nschema = 1\nextends = \"game\"\n{kind}",
            n + 1
        );
        sources.push(Source::new(format!("rulesets/{id}.toml"), &(header + text)));
    }
    let (ruleset, findings) = Ruleset::load_layers(&sources);
    (ruleset.map(Arc::new), findings)
}

fn ship(rules: &Arc<Ruleset>, text: &str) -> Evaluation {
    let text = format!("ruleset = \"game\"\nname = \"Ship\"\n{text}");
    evaluate(rules, &Design::read(&Source::new("ship.toml", &text)).unwrap(), &Ship::default())
}

fn number(of: &Evaluation, id: &str) -> i64 {
    match of.values.iter().find(|value| *value.id == *id).map(|value| value.value.clone()) {
        Some(moldloft::formula::Value::Int(number)) => number,
        other => panic!("{id} is {other:?}"),
    }
}

#[test]
fn surcharges_of_two_layers_both_count_in_either_order() {
    let lamps = "[change.value.points]\nformula = \"base + 3 * count('lamp')\"\n[[cost]]\nlabel = \"lamps\"\ncount = \"count('lamp')\"\neach = 3\n\
                 [change.system.gun]\npoints = \"base + 1\"\n[change.track.hull]\nboxes = \"base + 2\"\n";
    let paint = "[change.value.points]\nformula = \"base + 7\"\n[[cost]]\nlabel = \"paint\"\neach = 7\n\
                 [change.system.gun]\npoints = \"2 * (base) + 0\"\n[change.system.howitzer]\npoints = \"base + 10\"\n\
                 [change.system.lamp]\npoints = \"base + 4\"\n[change.check.too-heavy]\nfails_when = \"base or hull == 9\"\n";
    let fitted = "[[fit]]\nsystem = \"gun\"\nmount = \"bow\"\ncount = 2\n[[fit]]\nsystem = \"howitzer\"\nmount = \"bow\"\n\
                  [[fit]]\nsystem = \"lamp\"\nmount = \"bow\"\ncount = 3\n[fields]\nhull = 9\n";
    // A gun is 2 * (5 + 1) or 2 * 5 + 1, a howitzer 10 more than a gun, a lamp 1 + 4; hull 18, lamps 9, paint 7.
    for (layers, gun) in [([lamps, paint], 12), ([paint, lamps], 11)] {
        let (rules, findings) = game(&layers);
        assert!(findings.is_empty(), "{}", said(&findings));
        let of = ship(&rules.unwrap(), fitted);
        let points = 18 + 2 * gun + (gun + 10) + 3 * 5 + 9 + 7;
        assert_eq!((of.points, of.costs.iter().map(|line| line.total).sum::<i64>()), (Some(points), points));
        assert_eq!(of.tracks[0].boxes(), 11);
        assert!(of.findings.iter().any(|finding| finding.code == "too-heavy"), "{}", said(&of.findings));
    }
    // Who writes it anew takes the place of what others wrote, and that is told.
    let (_, findings) = game(&[lamps, "[change.value.points]\nformula = \"7\"\n"]);
    assert!(findings.iter().any(|finding| finding.code == "changed-twice"), "{}", said(&findings));
    // A name of the ruleset's own keeps its meaning; where nothing stands below there is no `base`.
    let named = "[[setting]]\nid = \"base\"\ndefault = 100\n[change.value.points]\nformula = \"base + 7\"\n";
    assert_eq!(ship(&game(&[named]).0.unwrap(), "").points, Some(107));
    let (rules, findings) = game(&["[[value]]\nid = \"more\"\nformula = \"base + 7\"\n"]);
    assert!(said(&findings).contains("`base` is the value of this key in the extended ruleset"), "{}", said(&findings));
    assert_eq!(ship(&rules.unwrap(), "").points, Some(16), "the rest is in force");
    // A guess about the base stays a guess about what is made of it.
    let guess = |formula: &str| {
        let boxes = format!("[change.track.hull]\nboxes = \"{formula}\"\n");
        let of = ship(&game(&[&boxes]).0.unwrap(), "");
        of.assumptions.iter().any(|why| &**why == "a box each")
    };
    assert!(guess("base + 2") && !guess("hull + 2"));
    // A fault in what was added points at the layer, not beside it.
    let (_, findings) = game(&["[change.value.points]\nformula = \"base + bse\"\n"]);
    assert!(findings.iter().any(|f| f.code == "unknown-name" && f.at.line == 9), "{}", said(&findings));
}

#[test]
fn keys_of_the_base_are_unset() {
    let (rules, findings) = game(&["[change.track.hull]\nunset = [\"boxes\"]\nrows = \"[3, 4]\"\n"]);
    assert!(findings.is_empty(), "{}", said(&findings));
    assert_eq!(ship(&rules.unwrap(), "").tracks[0].rows, [3, 4]);
    let wrong = [
        ("[change.track.hull]\nunset = [\"boxs\"]\n", "unknown-key", "did you mean `boxes`?"),
        ("[change.value.points]\nunset = [\"formula\"]\n", "missing-key", "change it with formula = …"),
        (
            "[change.system.howitzer]\nunset = [\"points\"]\n",
            "unknown-key",
            "change what it inherits from `gun`, it cannot be unset",
        ),
        ("[change.track.hull]\nunset = [\"boxes\"]\nboxes = 3\n", "removed-and-changed", "not both"),
        ("[change.track.hull]\nunset = 3\n", "wrong-type", "use unset = [\"boxes\"]"),
        ("[change.track.hull]\nunset = [3]\n", "wrong-type", "use unset = [\"boxes\"]"),
        // Something must say how many boxes there are.
        ("[change.track.hull]\nunset = [\"boxes\"]\n", "still-needed", "cannot remove key `boxes`"),
    ];
    for (text, code, help) in wrong {
        let (rules, findings) = game(&[text]);
        assert!(findings.iter().any(|finding| finding.code == code), "{text}{}", said(&findings));
        assert!(said(&findings).contains(help), "{text}{}", said(&findings));
        let boxes = if text.contains("boxes = 3") { 3 } else { 8 };
        assert_eq!(ship(&rules.unwrap(), "").tracks[0].boxes(), boxes, "it is set aside");
    }
}

#[test]
fn a_supplement_is_published_and_bears_no_star() {
    let changes =
        "[change.system.gun]\npoints = 7\n[change.check.too-heavy]\nseverity = \"warning\"\nreason = \"page 3\"\n";
    let gun = "[[fit]]\nsystem = \"gun\"\nmount = \"bow\"\n[fields]\nhull = 31\n";
    let of = |kind: &str| {
        let (rules, findings) = game(&[&format!("kind = \"{kind}\"\n{changes}")]);
        assert!(findings.is_empty(), "{}", said(&findings));
        ship(&rules.unwrap(), gun)
    };
    let (house, supplement) = (of("house"), of("supplement"));
    assert_eq!(house.ruleset.rules_title(), "Game + Layer 1 1 (* house)");
    assert_eq!(supplement.ruleset.rules_title(), "Game + Layer 1 1 (supplement)");
    let starred = |of: &Evaluation| of.costs.iter().filter(|line| line.house).count();
    assert_eq!((starred(&house), starred(&supplement)), (1, 0));
    assert!(house.ruleset.overrides_severity("too-heavy") && !supplement.ruleset.overrides_severity("too-heavy"));
    let rule = |of: &Evaluation| of.findings[0].rule.clone().unwrap().to_string();
    assert!(rule(&house).contains("; house: warning") && rule(&supplement).contains("; supplement: warning"));
    let why = explain(&supplement, Some("gun.points"));
    assert_eq!(why[0].provenance, moldloft::evaluate::Provenance::Published);
    assert!(why[0].note.as_ref().unwrap().starts_with("Layer 1 1 (layer-1, rulesets/layer-1.toml:"), "{why:?}");
    let base = Source::new("x.toml", &GAME.replace("schema = 1", "schema = 1\nkind = \"supplement\""));
    assert!(said(&Ruleset::load(&base).1).contains("this ruleset extends none"));
    let (both, _) = game(&["kind = \"supplement\"\n", "[change.system.gun]\npoints = 7\n"]);
    assert_eq!(both.unwrap().layers_title(), "Layer 1 1 (supplement) + Layer 2 1 (* house)");
}

/// A reason is about the key it is given for: who does not read that key, or not through a system aboard, does not rest on it.
#[test]
fn an_options_reason_belongs_to_its_key() {
    let (rules, _) = game(&[]);
    let rules = rules.unwrap();
    let provenance = |of: &Evaluation, id: &str| of.values.iter().find(|value| *value.id == *id).unwrap().provenance;
    use moldloft::evaluate::Provenance::{Assumed, Published};
    let south = "[fields]\nnation = \"south\"\n";
    let of = ship(&rules, south);
    assert_eq!((provenance(&of, "share"), provenance(&of, "letter")), (Published, Assumed));
    assert_eq!(provenance(&of, "racks"), Published, "no rack is aboard");
    assert_eq!(of.assumptions.len(), 1, "the boxes: {:?}", of.assumptions);
    let of = ship(&rules, &format!("{south}[[fit]]\nsystem = \"rack\"\nmount = \"bow\"\n"));
    assert_eq!(provenance(&of, "racks"), Assumed);
    assert_eq!(of.assumptions.len(), 2, "its points rest on it");
    assert_eq!(provenance(&ship(&rules, "[fields]\nnation = \"north\"\n"), "letter"), Published);
}

#[test]
fn what_a_layer_took_away_says_why() {
    let layer = "[change.system.lamp]\nremove = true\nreason = \"nobody plays them\"\n\
                 [change.field.nation.options.south]\nremove = true\nreason = \"not in this war\"\n\
                 [change.system.gun]\nmounts = [\"bow\"]\nreason = \"too heavy aft\"\n\
                 [change.field.hull]\nmax = 20\nreason = \"small yards\"\n\
                 [[check]]\ncode = \"no-racks\"\nseverity = \"error\"\nfails_when = \"count('rack')\"\nmessage = \"a rack\"\nreason = \"our table\"\n";
    let (rules, findings) = game(&[layer]);
    assert!(findings.is_empty(), "{}", said(&findings));
    let rules = rules.unwrap();
    let of = ship(
        &rules,
        "[fields]\nnation = \"south\"\nhull = 25\n[[fit]]\nsystem = \"lamp\"\nmount = \"bow\"\n[[fit]]\nsystem = \"howitzer\"\n\
         mount = \"stern\"\n[[fit]]\nsystem = \"rack\"\nmount = \"bow\"\n",
    );
    let found = said(&of.findings);
    for words in [
        "unknown system `lamp` in Game: removed by layer-1 (\"nobody plays them\")",
        "unknown option `south` for nation: removed by layer-1 (\"not in this war\")",
        "howitzer is not allowed in stern (layer-1: \"too heavy aft\")",
        "hull = 25, expected a number from 1 to 20 (layer-1: \"small yards\")",
    ] {
        assert!(found.contains(words), "no {words:?} in\n{found}");
    }
    let check = of.findings.iter().find(|finding| finding.code == "no-racks").unwrap();
    assert!(check.rule.as_ref().unwrap().ends_with("; our table"), "{check:?}");
    // What was never there is told as ever.
    let of = ship(&rules, "[fields]\nnation = \"soth\"\n");
    assert!(said(&of.findings).contains("unknown option `soth` for nation\n"), "{}", said(&of.findings));
}

#[test]
fn options_are_added() {
    let layer = "[change.field.nation.add.options]\nwest = { label = \"West\", pct = 50, row = \"a\" }\n\
                 [change.field.nation]\nadd.options.east = { label = \"East\", pct = 60, row = \"b\" }\n";
    // One table is written once.
    let (first, second) = layer.split_once("[change.field.nation]").unwrap();
    for (text, nation, share) in [(first, "west", 400), (&format!("[change.field.nation]{second}"), "east", 480)] {
        let (rules, findings) = game(&[text]);
        assert!(findings.is_empty(), "{}", said(&findings));
        assert_eq!(number(&ship(&rules.unwrap(), &format!("[fields]\nnation = \"{nation}\"\n")), "share"), share);
    }
    let (_, findings) = game(&["[change.field.nation.add.options]\nnorth = { label = \"N\", pct = 1, row = \"a\" }\n"]);
    assert!(said(&findings).contains("[change.field.nation.options.north]"), "{}", said(&findings));
}

#[test]
fn too_many_things_below_are_no_layers_fault() {
    let many: String = (0..2_001).map(|n| format!("[[system]]\nid = \"s{n}\"\n")).collect();
    let header =
        |id: &str, more: &str| format!("[ruleset]\nid = \"{id}\"\ntitle = \"T\"\nversion = \"1\"\nschema = 1\n{more}");
    let below = Source::new("rulesets/raft.toml", &(header("raft", "") + &many));
    let club =
        Source::new("rulesets/club.toml", &header("club", "extends = \"raft\"\n[change.system.s1]\nname = \"x\"\n"));
    let (rules, findings) = Ruleset::load_layers(&[below, club]);
    assert!(rules.is_none());
    let codes: Vec<&str> = findings.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["too-large"], "{}", said(&findings));
}
