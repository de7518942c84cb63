//! The schemas for text editors: what is kept in `schemas/` is what the program prints, every sample conforms to its own, and what is
//! wrong in the usual ways does not.

use std::path::Path;
use std::process::Command;

use moldloft::design::TablePath;
use moldloft::schema as made;
use moldloft::source::toml::{TomlTable, TomlValue, parse};
use moldloft::store::{AssetKind, Store};
use serde_json::Value;

use crate::support::{rules, schema};
use rules::{load, root, same};
use schema::faults;

/// A TOML text as JSON.
fn json(text: &str) -> Value {
    fn table(table: &TomlTable<'_>) -> Value {
        table.entries.iter().map(|entry| (entry.key.to_string(), data(&entry.node.data))).collect()
    }
    fn data(of: &TomlValue<'_>) -> Value {
        match of {
            TomlValue::Int(number) => (*number).into(),
            TomlValue::Float(text) => text.parse::<f64>().unwrap().into(),
            TomlValue::Flag(flag) => (*flag).into(),
            TomlValue::Text(text) => text.as_ref().into(),
            TomlValue::Date(text) => text.as_str().into(),
            TomlValue::List(list) => list.iter().map(|node| data(&node.data)).collect(),
            TomlValue::Table(inner) => table(inner),
        }
    }
    let (root, faults) = parse(text, 0);
    assert!(faults.is_empty(), "{faults:?}");
    table(&root)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn rulesets() -> Vec<String> {
    Store::built_in().list_assets(AssetKind::Ruleset).into_iter().map(|one| one.id).collect()
}

/// Every TOML file below a folder.
fn below(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files.extend(below(&path));
        } else if path.ends_with(".toml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn is_fleet(design: &Value) -> bool {
    design.get("ship").is_some() && design.get("fit").is_none()
}

#[test]
fn what_is_kept_is_what_the_program_prints() {
    let mut all = vec![
        (made::file_name("design", None), made::any_design_schema()),
        (made::file_name("ruleset", None), made::ruleset()),
        (made::file_name("fleet", None), made::fleet()),
    ];
    all.extend(rulesets().iter().map(|id| (made::file_name("design", Some(id)), made::design(&load(id)))));
    let file = |name: &str| root().join("schemas").join(name);
    let stale: Vec<String> =
        all.iter().filter_map(|(name, schema)| same(&file(name), &made::text(schema)).err()).collect();
    assert!(stale.is_empty(), "{}", stale.join("\n"));
    let there = std::fs::read_dir(root().join("schemas")).unwrap().count();
    assert_eq!(there, all.len(), "a schema in schemas/ without a ruleset");
}

#[test]
fn every_sample_conforms_to_its_schema() {
    let mut designs: Vec<String> = below("designs");
    for game in std::fs::read_dir(root().join("tests/cases")).unwrap() {
        let good = format!("tests/cases/{}/good", game.unwrap().file_name().to_string_lossy());
        if root().join(&good).is_dir() {
            designs.extend(below(&good));
        }
    }
    let mut wrong = Vec::new();
    for path in &designs {
        let design = json(&read(path));
        if is_fleet(&design) {
            wrong.extend(faults(&made::fleet(), &design).iter().map(|fault| format!("{path}: {fault}")));
            continue;
        }
        let own = made::design(&load(design["ruleset"].as_str().unwrap()));
        for schema in [&made::any_design_schema(), &own] {
            wrong.extend(faults(schema, &design).iter().map(|fault| format!("{path}: {fault}")));
        }
    }
    for path in below("rulesets") {
        wrong.extend(faults(&made::ruleset(), &json(&read(&path))).iter().map(|fault| format!("{path}: {fault}")));
    }
    assert!(designs.len() > 20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_sample_names_its_schema_in_its_first_line() {
    let mut wrong = Vec::new();
    for path in below("designs").into_iter().chain(below("rulesets")) {
        let text = read(&path);
        let up = "../".repeat(path.matches('/').count());
        let schema = match json(&text) {
            _ if path.starts_with("rulesets/") => made::file_name("ruleset", None),
            fleet if is_fleet(&fleet) => made::file_name("fleet", None),
            design => made::file_name("design", design["ruleset"].as_str()),
        };
        let line = format!("#:schema {up}schemas/{schema}");
        if text.lines().next() != Some(line.as_str()) {
            wrong.push(format!("{path} begins with another line than {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A design with one line put in the place of another.
const GOOD: &str = "ruleset = 'wars-of-honor'\nname = 'Trial'\n[fields]\nnation = 'haven'\nunit = 'starship'\n\
                    [[fit]]\nsystem = 'missile-magazine'\nmount = 'core'\ncount = 2\nfeeds = 3\n\
                    [[fit]]\nsystem = 'laser'\nmount = 'port'\n";

#[test]
fn what_is_wrong_with_a_design_does_not_conform() {
    let schema = made::design(&load("wars-of-honor"));
    assert_eq!(faults(&schema, &json(GOOD)), Vec::<String>::new());
    for (old, new, at) in [
        ("'wars-of-honor'", "'wars-of-honour'", "/ruleset"),
        ("name = 'Trial'", "name = 12", "/name"),
        ("name = 'Trial'", "naem = 'Trial'", "/naem"),
        ("nation = 'haven'", "nation = 'heaven'", "/fields/nation"),
        ("unit = 'starship'", "unti = 'starship'", "/fields/unti"),
        ("system = 'laser'", "system = 'lasre'", "/fit/1/system"),
        ("system = 'laser'", "", "/fit/1"),
        ("mount = 'port'", "mount = 'prot'", "/fit/1/mount"),
        ("mount = 'port'", "mount = 'core'", "/fit/1/mount"),
        ("mount = 'port'", "", "/fit/1"),
        ("mount = 'port'", "mount = 'port'\nfeeds = 2", "/fit/1/feeds"),
        ("count = 2", "count = -2", "/fit/0/count"),
        ("count = 2", "count = 10000", "/fit/0/count"),
        ("count = 2", "count = '2'", "/fit/0/count"),
        ("count = 2", "cuont = 2", "/fit/0/cuont"),
        ("feeds = 3", "feeds = 0", "/fit/0/feeds"),
        ("[fields]", "[[system]]\nid = 'gun'\nlike = 'lasre'\n[fields]", "/system/0/like"),
        ("[fields]", "[[system]]\nid = 'gun'\nlike = 'laser'\nmas = 2\n[fields]", "/system/0/mas"),
    ] {
        let broken = GOOD.replacen(old, new, 1);
        assert_ne!(broken, GOOD);
        let found = faults(&schema, &json(&broken));
        assert!(found.iter().any(|fault| fault.starts_with(&format!("{at}:"))), "{broken}\n{found:?}");
    }
    // A system of the design's own can be fitted, though the schema cannot know its name.
    let own = GOOD.replace("system = 'laser'", "system = 'gun'");
    let own = own.replace("[fields]", "[[system]]\nid = 'gun'\nlike = 'laser'\nmass = 2\n[fields]");
    assert_eq!(faults(&schema, &json(&own)), Vec::<String>::new());
}

#[test]
fn what_is_wrong_with_a_ruleset_does_not_conform() {
    let schema = made::ruleset();
    let good = read("rulesets/wars-of-honor.toml");
    for (old, new, at) in [
        ("[ruleset]\nid = \"wars-of-honor\"", "[ruleset]\nid = \"wars of honor\"", "/ruleset/id"),
        ("schema = 1", "schema = \"1\"", "/ruleset/schema"),
        ("schema = 1", "schema = 2", "/ruleset/schema"),
        ("title = \"Wars of Honor 1.0\"", "titel = \"Wars of Honor 1.0\"", "/ruleset"),
        ("[[setting]]\nid = \"mu\"", "[[settings]]\nid = \"mu\"", "/settings"),
        ("kind = \"choice\"", "kind = \"choise\"", "/field/0/kind"),
        ("id = \"half_mark\"", "id = \"half-mark\"", "/value/3/id"),
        ("headline = true", "headline = \"yes\"", "/value/0/headline"),
        ("severity = \"error\"", "severity = \"fatal\"", "/check/0/severity"),
        ("fails_when = \"structure < 1\"", "fail_when = \"structure < 1\"", "/check/0"),
        ("required = true", "required = 1", "/track/0/required"),
        ("first = 101", "first = \"101\"", "/counter/0/first"),
        ("kind = \"design\"", "kind = \"ship\"", "/sheet/0/kind"),
        ("mirror = \"after-ring\"", "mirrors = \"after-ring\"", "/mount/0/mirrors"),
        ("spare_of = \"mass\"", "spare_of = 3", "/value/1/spare_of"),
    ] {
        let broken = good.replacen(old, new, 1);
        assert_ne!(broken, good, "{old}");
        let found = faults(&schema, &json(&broken));
        assert!(found.iter().any(|fault| fault.starts_with(at)), "{new}\n{found:?}");
    }
    let layer = "[ruleset]\nid = 'l'\ntitle = 'L'\nversion = '1'\nschema = 1\nextends = 'x'\n[change.system.laser]\n";
    assert_eq!(faults(&schema, &json(&format!("{layer}points = 12\nremove = true"))), Vec::<String>::new());
    for (line, at) in [("remove = 1", "/change/system/laser/remove"), ("mounts = 3", "/change/system/laser/mounts")] {
        let found = faults(&schema, &json(&format!("{layer}{line}")));
        assert!(found.iter().any(|fault| fault.starts_with(at)), "{line}\n{found:?}");
    }
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said)
}

#[test]
fn a_players_folder_gets_schemas_and_new_designs_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (status, said) = run(here, &["new", "wars-of-honor", "Plain"]);
    assert_eq!(status, Some(0));
    assert!(said.contains("moldloft schema write"), "{said}");
    assert!(!std::fs::read_to_string(here.join("plain.toml")).unwrap().contains("#:schema"));

    std::fs::create_dir_all(here.join("designs/mine")).unwrap();
    let (status, said) = run(here, &["schema", "write", "."]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(read("schemas/ruleset.json"), std::fs::read_to_string(here.join("schemas/ruleset.json")).unwrap());
    for (path, line) in [
        ("vigil.toml", "#:schema schemas/design.wars-of-honor.json"),
        ("designs/mine/vigil.toml", "#:schema ../../schemas/design.wars-of-honor.json"),
    ] {
        let (status, said) = run(here, &["new", "wars-of-honor", "Vigil", "-o", path]);
        assert_eq!(status, Some(0), "{said}");
        let text = std::fs::read_to_string(here.join(path)).unwrap();
        assert_eq!(text.lines().next(), Some(line));
        // Everything but an editor takes the line for a comment.
        let source = moldloft::source::Source::new("x.toml", &text);
        let design = moldloft::design::Design::read(&source).unwrap();
        assert!(design.findings.is_empty());
        let mut document = moldloft::design::Document::parse(&text).unwrap();
        document.set(&TablePath::Fields, "nation", "haven").unwrap();
        assert!(document.to_text().starts_with(&format!("{line}\n")), "a save keeps the line");
    }
    let (status, said) = run(here, &["schema", "design", "wars-of-honor"]);
    assert_eq!((status, said), (Some(0), made::text(&made::design(&load("wars-of-honor")))));
    assert_eq!(run(here, &["schema", "design", "wars-of-honour"]).0, Some(2));
    for what in ["ruleset", "fleet", "design"] {
        assert_eq!(run(here, &["schema", what]), (Some(0), read(&format!("schemas/{what}.json"))));
    }
}

/// What the reader of fleets refuses does not conform; what it reads in full does.
#[test]
fn what_is_wrong_with_a_fleet_does_not_conform() {
    let schema = made::fleet();
    for wrong in ["words", "counts", "newer", "outside"] {
        let path = format!("tests/cases/fleets/{wrong}.toml");
        assert!(!faults(&schema, &json(&read(&path))).is_empty(), "{path}");
    }
    // What is wrong there only the rules or the files know.
    for right in ["over-budget", "mixed-rulesets", "hull-numbers", "too-many-pods", "groups", "load", "embedded"] {
        let path = format!("tests/cases/fleets/{right}.toml");
        assert_eq!(faults(&schema, &json(&read(&path))), Vec::<String>::new(), "{path}");
    }
}
