//! Limits of a fleet as rules: what checks over a fleet can say, where their findings point, how layers change them, and what
//! is reported of wrong ones.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use moldloft::design::fleet::Fleet;
use moldloft::finding::{Finding, Severity};
use moldloft::library::{EvaluatedFleet, Rulesets, evaluate_fleet};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};

const GAME: &str = r#"
[ruleset]
id = "raft"
title = "Rafts"
version = "1"
schema = 1
[attributes]
points = 0
[[setting]]
id = "year"
label = "year of the battle"
default = 1905
[[field]]
id = "role"
kind = "choice"
[field.options]
capital = { label = "capital", slots = 3 }
cruiser = { label = "cruiser", slots = 2 }
escort = { label = "escort", slots = 1 }
[[field]]
id = "nation"
kind = "text"
[[field]]
id = "commissioned"
kind = "integer"
default = 1900
[[mount]]
id = "deck"
[[system]]
id = "gun"
points = 5
[[system]]
id = "torpedo"
tags = ["missile"]
points = 4
[[relation]]
id = "tow"
[[relation]]
id = "squadron"
kind = "group"
[[value]]
id = "points"
formula = "10 * choice.role.slots + total('points')"
headline = true
[[table]]
id = "allowed"
key = ["class"]
columns = ["class", "most"]
rows = [["capital", 1], ["cruiser", 2], ["escort", 9]]
"#;

const DESIGNS: &str = r#"
[[design]]
name = "Dread"
fields = { role = "capital", nation = "England", commissioned = 1906 }
[[design.fit]]
system = "gun"
mount = "deck"
count = 4
[[design]]
name = "Scout"
fields = { role = "cruiser", nation = "England" }
[[design.fit]]
system = "torpedo"
mount = "deck"
count = 3
[[design]]
name = "Nipper"
fields = { role = "escort", nation = "France" }
"#;

fn fleet_text(ships: &str) -> String {
    format!("ruleset = \"raft\"\nname = \"First\"\nbudget = 250\n{ships}{DESIGNS}")
}

fn rulesets(checks: &str, layer: &str) -> (tempfile::TempDir, Rulesets) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("rulesets")).unwrap();
    fs::write(folder.path().join("rulesets/raft.toml"), format!("{GAME}{checks}")).unwrap();
    if !layer.is_empty() {
        let header = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"raft\"\n";
        fs::write(folder.path().join("rulesets/club.toml"), format!("{header}{layer}")).unwrap();
    }
    let games = Rulesets::without_settings(&Store::open(Some(folder.path())).unwrap());
    (folder, games)
}

fn evaluated(checks: &str, layer: &str, ships: &str) -> EvaluatedFleet {
    let (_folder, games) = rulesets(checks, layer);
    let fleet = Fleet::read(&Source::new("first.toml", &fleet_text(ships))).unwrap();
    let rules = if layer.is_empty() { "raft" } else { "club" };
    let mut evaluated = evaluate_fleet(&games, fleet, &FileRef::on_disk("first.toml"), Some(rules));
    evaluated.findings.retain(|finding| finding.code != "unused-design");
    evaluated
}

const SHIPS: &str = "[[ship]]\ndesign = \"Dread\"\nname = \"Alpha\"\n[[ship]]\ndesign = \"Scout\"\nname = \"Beta\"\n\
                     count = 2\n[[ship]]\ndesign = \"Nipper\"\nname = \"Gamma\"\n[[ship]]\ndesign = \"Dread\"\nname = \"Omega\"\n";

fn check(code: &str, keys: &str) -> String {
    format!("[[check]]\ncode = \"{code}\"\nover = \"fleet\"\nseverity = \"error\"\nrule = \"club\"\n{keys}\n")
}

fn findings(checks: &str, ships: &str) -> Vec<Finding> {
    evaluated(checks, "", ships).findings
}

fn one(checks: &str, ships: &str) -> Finding {
    let mut found = findings(checks, ships);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

#[test]
fn a_share_of_the_points_is_limited() {
    let share = check(
        "too-many-capitals",
        "fails_when = \"sum(each(points, role == 'capital')) * 100 > fleet.points * 40\"\n\
         message = \"capital ships cost {{ sum(each(points, role == 'capital')) }} of {{ fleet.points }} points\"\n\
         help = \"at most 40 %\"\nat = \"role == 'capital'\"",
    );
    // 2 × 50, 2 × 32, 10.
    let found = one(&share, SHIPS);
    assert_eq!(found.message, "capital ships cost 100 of 174 points");
    assert_eq!(found.numbers.as_deref(), Some("fleet.points = 174"));
    assert_eq!((found.at.item.as_deref(), &*found.code), (Some("Omega"), "too-many-capitals"));
    let line = fleet_text(SHIPS).lines().position(|line| line.contains("Omega")).unwrap() + 1;
    assert_eq!(found.at.line as usize, line, "the last ship that it is about");
    assert!(found.rule.as_deref().is_some_and(|rule| rule.contains("raft.toml:")));
    assert_eq!(findings(&share, "[[ship]]\ndesign = \"Nipper\"\n"), []);
    assert!(!evaluated(&share, "", SHIPS).legal);
}

#[test]
fn a_number_of_each_class_is_limited() {
    let class = check(
        "too-many-of-a-class",
        "for_each = \"class\"\nwhen = \"it.role != 'escort'\"\n\
         fails_when = \"it.count > row('allowed', it.role).most\"\n\
         message = \"{{ it.count }} ships of class {{ it.name }}, at most {{ row('allowed', it.role).most }} allowed\"",
    );
    let found = one(&class, SHIPS);
    assert_eq!(found.message, "2 ships of class Dread, at most 1 allowed");
    assert_eq!(found.at.item.as_deref(), Some("Alpha"), "the first ship of the class");
    assert_eq!(found.numbers.as_deref(), Some("it.count = 2, it.role = capital"));
}

#[test]
fn one_nation_years_of_service_and_settings() {
    let nation = check(
        "mixed-nations",
        "fails_when = \"units(nation != it.nation) > 0\"\nfor_each = \"group\"\nmessage = \"{{ it.ship.group }}: {{ units(nation != it.nation) }} of other nations\"",
    );
    let groups = "[[group]]\nid = \"a\"\nname = \"Van\"\nkind = \"squadron\"\n";
    let grouped = SHIPS.replace("name = \"Gamma\"", "name = \"Gamma\"\ngroup = \"a\"");
    assert_eq!(one(&nation, &format!("{groups}{grouped}")).message, "Van: 4 of other nations");
    let own = check(
        "mixed-group",
        "fails_when = \"units(ship.group == it.ship.group and nation != it.nation) > 0\"\nfor_each = \"group\"\nmessage = \"m\"",
    );
    assert_eq!(findings(&own, &format!("{groups}{grouped}")), []);
    let both = format!("{groups}{}", grouped.replace("name = \"Alpha\"", "name = \"Alpha\"\ngroup = \"a\""));
    assert_eq!(one(&own, &both).message, "m");

    let service = check(
        "not-yet-in-service",
        "for_each = \"unit\"\nfails_when = \"it.commissioned > year\"\nmessage = \"{{ it.ship.name }} is of {{ it.commissioned }}, the battle of {{ year }}\"",
    );
    let found = findings(&service, SHIPS);
    let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
    assert_eq!(messages, ["Alpha is of 1906, the battle of 1905", "Omega is of 1906, the battle of 1905"]);
    let spread = check(
        "too-far-apart",
        "fails_when = \"max(each(commissioned)) - min(each(commissioned)) > 5\"\nmessage = \"m\"",
    );
    assert_eq!(one(&spread, SHIPS).at.line, 2, "at the fleet's name");
}

#[test]
fn what_a_ship_carries_and_tows_counts() {
    let towed = "[[ship]]\ndesign = \"Dread\"\nname = \"Alpha\"\ntow = [{ design = \"Nipper\", count = 2 }]\n";
    let missiles = check(
        "too-few-missiles",
        "fails_when = \"sum(each(count(tag='missile'))) < 3 or units(count('torpedo') > 0) * 2 < fleet.ships\"\n\
         message = \"{{ sum(each(count(tag='missile'))) }} torpedoes\"",
    );
    assert_eq!(one(&missiles, towed).message, "0 torpedoes");
    assert_eq!(findings(&missiles, "[[ship]]\ndesign = \"Scout\"\n"), []);
    let towing = check(
        "towed",
        "fails_when = \"units(ship.carried) > 1 and units() == 3 and units(tow > 0) == 1\"\nmessage = \"m\"\nat = \"ship.carried\"",
    );
    let found = one(&towing, towed);
    assert!(found.at.snippet.is_some_and(|snippet| snippet.text.contains("tow = ")));
}

#[test]
fn what_cannot_be_computed_is_reported_once_at_its_cause() {
    let share = check("share", "fails_when = \"sum(each(points, nation == 'x')) >= 0\"\nmessage = \"m\"");
    let text = fleet_text("[[ship]]\ndesign = \"Dread\"\n").replace("nation = \"England\", commissioned = 1906", "");
    let (_folder, games) = rulesets(&share, "");
    let fleet = Fleet::read(&Source::new("first.toml", &text)).unwrap();
    let evaluated = evaluate_fleet(&games, fleet, &FileRef::on_disk("first.toml"), None);
    assert!(evaluated.findings.iter().all(|finding| finding.code == "unused-design"), "{:?}", evaluated.findings);
    let divides = check("divides", "fails_when = \"100 // units(role == 'none') > 1\"\nmessage = \"m\"");
    // A misspelt option is an error of the ruleset.
    let (ruleset, found) = Ruleset::load(&Source::new("raft.toml", &format!("{GAME}{divides}")));
    assert!(ruleset.is_none() && found[0].message.contains("none"), "{found:?}");
    let divides = check("divides", "fails_when = \"100 // units(nation == 'none') > 1\"\nmessage = \"m\"");
    let found = one(&divides, SHIPS);
    assert_eq!((&*found.code, found.severity), ("division-by-zero", Severity::Error));
    assert!(found.message.starts_with("cannot compute the check divides: "), "{}", found.message);
}

#[test]
fn wrong_checks_are_refused_with_help() {
    let cases = [
        ("fails_when = \"points > 3\"", "`points` is one ship's: use it in units(…) or each(…)"),
        ("fails_when = \"it.points > 3\"", "`it` is available only under for_each = \"unit\", \"class\" or \"group\""),
        (
            "for_each = \"unit\"\nfails_when = \"points > 3\"",
            "`points` is one ship's: use it in units(…) or each(…), or it.points",
        ),
        ("fails_when = \"count('gun') > 3\"", "use it in units(…) or each(…), such as each(count(…))"),
        ("fails_when = \"units(rôle == 'x')\"", ""),
        ("fails_when = \"units(nation = 'x')\"", "use `==` to compare: units(nation == …)"),
        (
            "fails_when = \"units(units() > 1)\"",
            "use for_each = \"unit\", \"class\" or \"group\" and compare with it.NAME",
        ),
        ("fails_when = \"units(natoin == 'x') > 1\"", "did you mean `nation`?"),
        ("fails_when = \"fleet.pionts > 1\"", "did you mean `points`?"),
        ("fails_when = \"sum(each()) > 1\"", "use each(points), or each(points, condition)"),
        ("fails_when = \"units(tow, tow) > 1\"", "join conditions with `and`, `or`"),
        ("for_each = \"fit\"\nfails_when = \"true\"", "use `when` to choose among them"),
        ("fails_when = \"true\"\nfix = { count = 1 }", "remove it, and say in `help` what to do"),
        ("fails_when = \"true\"\nat = \"fit\"", ""),
        ("fails_when = \"unit(role == 'capital') > 1\"", "did you mean `units`?"),
    ];
    let mut out = String::new();
    for (keys, help) in cases {
        let text = format!("{GAME}{}", check("c", &format!("{keys}\nmessage = \"m\"")));
        let (ruleset, found) = Ruleset::load(&Source::new("raft.toml", &text));
        let helps: Vec<&str> = found.iter().filter_map(|finding| finding.help.as_deref()).collect();
        if ruleset.is_some() || !helps.iter().any(|known| known.contains(help)) {
            let _ = writeln!(out, "{keys}\n  expected {help}\n  found {found:?}");
        }
    }
    assert!(out.is_empty(), "{out}");
    // In rules for one ship, the fleet is unknown.
    let text =
        format!("{GAME}[[check]]\ncode = \"c\"\nseverity = \"error\"\nfails_when = \"units() > 1\"\nmessage = \"m\"\n");
    let (ruleset, found) = Ruleset::load(&Source::new("raft.toml", &text));
    assert!(
        ruleset.is_none() && found[0].help.as_deref().is_some_and(|help| help.contains("over = \"fleet\"")),
        "{found:?}"
    );
}

#[test]
fn layers_add_soften_and_switch_off() {
    let limit = check("too-many-units", "fails_when = \"units() > 3\"\nmessage = \"{{ units() }} units\"");
    let soft = "[change.check.too-many-units]\nseverity = \"warning\"\nreason = \"a big table\"\n";
    let found = evaluated(&limit, soft, SHIPS);
    assert_eq!((found.findings[0].severity, found.legal), (Severity::Warning, true));
    assert!(
        found.findings[0]
            .rule
            .as_deref()
            .is_some_and(|rule| rule.contains("house: warning, the base has error, a big table"))
    );
    let off = "[change.check.too-many-units]\nseverity = \"off\"\nreason = \"a big table\"\n";
    assert_eq!(evaluated(&limit, off, SHIPS).findings, []);
    let changed = "[change.check.too-many-units]\nfails_when = \"units() > 9\"\nreason = \"a big table\"\n";
    assert_eq!(evaluated(&limit, changed, SHIPS).findings, []);
    assert_eq!(evaluated("", &limit, SHIPS).findings.len(), 1);
    let (_folder, games) = rulesets(&limit, "[change.check.too-many-units]\nseverity = \"off\"\n");
    assert!(games.find("club").findings().iter().any(|finding| finding.code == "missing-reason"));
}

#[test]
fn the_work_of_all_checks_is_bounded() {
    let mut checks = String::new();
    for n in 0..40 {
        checks += &check(
            &format!("c{n}"),
            "for_each = \"unit\"\nfails_when = \"units(nation == it.nation and commissioned > it.commissioned) > 5000\"\nmessage = \"m\"",
        );
    }
    let many = "[[ship]]\ndesign = \"Nipper\"\ncount = 2000\n";
    let began = std::time::Instant::now();
    let found = findings(&checks, many);
    assert!(found.iter().any(|finding| finding.code == "too-much-work"), "{found:?}");
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn commands_report_and_explain_them() {
    let class = check(
        "two-of-a-class",
        "for_each = \"class\"\nfails_when = \"it.count > 2\"\nmessage = \"{{ it.count }} of class {{ it.name }}\"\nhelp = \"at most 2\"",
    );
    let (folder, _) = rulesets("", &class);
    fs::write(folder.path().join("first.toml"), fleet_text(&SHIPS.replace("count = 2", "count = 3"))).unwrap();
    let run = |line: &str| {
        let done =
            Command::new(env!("CARGO_BIN_EXE_moldloft")).args(line.split(' ')).current_dir(folder.path()).output();
        let done = done.unwrap();
        format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
    };
    let said = run("check --rules club first.toml");
    assert!(said.contains("error[two-of-a-class]: 3 of class Scout"), "{said}");
    let said = run("rules impact raft club first.toml");
    assert!(said.contains("BECAME ILLEGAL") && said.contains("+ error[two-of-a-class]: 3 of class Scout"), "{said}");
    let said = run("rules diff raft club");
    assert!(said.contains("new check two-of-a-class"), "{said}");
    fs::write(
        folder.path().join("nipper.toml"),
        "ruleset = \"club\"\nname = \"N\"\nfields = { role = \"escort\", nation = \"x\" }\n",
    )
    .unwrap();
    let said = run("explain nipper.toml two-of-a-class");
    assert!(said.contains("it.count > 2") && said.contains("over the fleet: for each class"), "{said}");
    let said = run("rules check club");
    assert!(!said.contains("two-of-a-class"), "{said}");
    // Of a fleet: where it has it, without a ship to name.
    let said = run("explain --rules club first.toml two-of-a-class");
    assert!(said.contains("found 1 ×") && said.contains("3 of class Scout"), "{said}");
    let said = run("explain --rules club first.toml duplicate-hull-number");
    assert!(said.contains("not found in this fleet"), "{said}");
}
