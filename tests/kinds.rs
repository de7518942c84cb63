//! `like` means like: a copy of a system, put in its place, counts as it in every check, count, track, table, attack and panel of every game.

use std::fmt::Write as _;
use std::sync::Arc;

use moldloft::Value;
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, report_json};
use moldloft::finding::{Finding, QuestionPart, Severity};
use moldloft::formula::Type;
use moldloft::odds::{Bearing, OddsRequest, odds_json, work_out};
use moldloft::ruleset::{CustomSystemBase, Ruleset};
use moldloft::source::Source;
use moldloft::suggest::compile;

use crate::support::{GAMES, rules};
use rules::{chain, folder, load, said, source, value};

fn lay(base: &str, text: &str) -> (Option<Arc<Ruleset>>, Vec<Finding>) {
    let header =
        format!("[ruleset]\nid = \"copies\"\ntitle = \"Copies\"\nversion = \"1\"\nschema = 1\nextends = \"{base}\"\n");
    let mut sources = chain(base);
    sources.push(Source::new("rulesets/copies.toml", &(header + text)));
    let (ruleset, findings) = Ruleset::load_layers(&sources);
    (ruleset.map(Arc::new), findings)
}

fn layered(base: &str, text: &str) -> Arc<Ruleset> {
    let (ruleset, findings) = lay(base, text);
    assert!(findings.is_empty(), "{text}\n{}", said(&findings));
    ruleset.unwrap()
}

fn judge(rules: &Arc<Ruleset>, text: &str) -> Evaluation {
    evaluate(rules, &Design::read(&Source::new("ship.toml", text)).unwrap(), &Ship::default())
}

/// The game with a copy of each of its systems.
fn with_copies(game: &str, plain: &Ruleset) -> Arc<Ruleset> {
    let mut layer = String::new();
    for system in &plain.systems {
        let only = if system.is_abstract { "abstract = true\n" } else { "" };
        let _ = writeln!(
            layer,
            "[[system]]\nid = \"copy-of-{0}\"\nlike = \"{0}\"\nafter = \"{0}\"\nname = \"{1}\"\n{only}",
            system.id, system.name
        );
    }
    layered(game, &layer)
}

/// The design with its own copy of a system.
fn with_own_copy(text: &str, id: &str, name: &str) -> String {
    let (fields, rest) = text.split_once("[[").unwrap();
    format!("{fields}[[system]]\nid = \"copy-of-{id}\"\nlike = \"{id}\"\nname = \"{name}\"\n[[{rest}")
}

fn fits_of(text: &str, id: &str) -> bool {
    text.contains(&format!("system = \"{id}\"")) || text.contains(&format!("like = \"{id}\""))
}

/// The copy in the place of a system: in fits and as what own systems are like, and in the rows of fields too.
fn in_its_place(text: &str, id: &str, in_rows: bool) -> String {
    let keys: &[&str] = if in_rows { &["system", "like", "hits"] } else { &["system", "like"] };
    keys.iter().fold(text.to_owned(), |text, key| {
        text.replace(&format!("{key} = \"{id}\""), &format!("{key} = \"copy-of-{id}\""))
    })
}

/// All that is reported of a ship, without the prefix of copies, and without what names the ruleset and the design's own systems.
fn report(ship: &Evaluation) -> String {
    let mut json = serde_json::to_value(report_json(ship)).unwrap();
    let object = json.as_object_mut().unwrap();
    for key in ["ruleset", "own_systems", "layers", "house_rules", "house"] {
        object.remove(key);
    }
    let text = serde_json::to_string_pretty(&json).unwrap().replace("copy-of-", "");
    format!("{text}\n{}", said(&ship.findings).replace("copy-of-", ""))
}

fn first_difference(a: &str, b: &str) -> Option<String> {
    let (mut a, mut b) = (a.lines(), b.lines());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some(format!("  - {}\n  + {}", a.unwrap_or("(end)"), b.unwrap_or("(end)"))),
        }
    }
}

#[test]
fn a_copy_of_any_system_in_the_place_of_the_original_changes_nothing() {
    let (mut wrong, mut tried) = (String::new(), 0);
    for game in GAMES {
        let plain = load(game);
        let copies = with_copies(game, &plain);
        for path in folder(&format!("designs/{game}")) {
            let text = source(&path).text.to_string();
            let before = report(&judge(&plain, &text));
            for system in plain.systems.iter().filter(|system| fits_of(&text, &system.id)) {
                for in_rows in [false, true] {
                    let ship = judge(&copies, &in_its_place(&text, &system.id, in_rows));
                    tried += 1;
                    if let Some(difference) = first_difference(&before, &report(&ship)) {
                        let _ = writeln!(wrong, "{path}: copy of {} (rows {in_rows})\n{difference}", system.id);
                    }
                }
            }
        }
    }
    assert!(tried > 400, "{tried}");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_designs_own_copy_counts_as_what_it_is_like() {
    let (mut wrong, mut tried) = (String::new(), 0);
    for game in GAMES {
        let plain = load(game);
        if plain.custom_systems.like != CustomSystemBase::Any {
            continue;
        }
        for path in folder(&format!("designs/{game}")) {
            let text = source(&path).text.to_string();
            let before = judge(&plain, &text);
            let values = |ship: &Evaluation| ship.values.iter().map(|value| value.value.clone()).collect::<Vec<_>>();
            let faults = |ship: &Evaluation| {
                let own = ["own-system-not-allowed", "own-system-out-of-range"];
                let found = ship.findings.iter().filter(|found| !own.contains(&&*found.code));
                found.map(|found| format!("{} {}", found.code, found.message)).collect::<Vec<_>>()
            };
            for system in plain.systems.iter().filter(|system| fits_of(&text, &system.id)) {
                let own = with_own_copy(&in_its_place(&text, &system.id, true), &system.id, &system.name);
                let ship = judge(&plain, &own);
                tried += 1;
                if faults(&before) != faults(&ship) || before.points != ship.points || values(&before) != values(&ship)
                {
                    let _ = writeln!(wrong, "{path}: {}\n  {:?}\n  {:?}", system.id, faults(&before), faults(&ship));
                }
                let tracks = |ship: &Evaluation| {
                    format!("{:?}", ship.tracks.iter().map(|t| (&t.id, &t.rows)).collect::<Vec<_>>())
                };
                let tables = |ship: &Evaluation| {
                    format!("{:?}", ship.tables.iter().map(|t| (&t.id, &t.rows)).collect::<Vec<_>>())
                };
                if tracks(&before) != tracks(&ship) || tables(&before) != tables(&ship) {
                    let _ = writeln!(wrong, "{path}: {}: other boxes or rows", system.id);
                }
            }
        }
    }
    assert!(tried > 150, "{tried}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// What a ship does to itself, as JSON without what names the ruleset.
fn odds(ship: &Evaluation) -> String {
    let question = OddsRequest::default().question(&ship.ruleset.attack_rules).unwrap();
    let mut json = odds_json(&work_out(ship, ship, &question));
    json.as_object_mut().unwrap().remove("ruleset");
    serde_json::to_string_pretty(&json).unwrap().replace("copy-of-", "")
}

#[test]
fn a_copy_fires_and_is_hit_like_the_original() {
    let (mut wrong, mut tried) = (String::new(), 0);
    for game in GAMES {
        let plain = load(game);
        let copies = with_copies(game, &plain);
        let texts: Vec<String> =
            folder(&format!("designs/{game}")).iter().map(|path| source(path).text.to_string()).collect();
        let mut known: Vec<Option<String>> = vec![None; texts.len()];
        for system in &plain.systems {
            let Some(n) = texts.iter().position(|text| fits_of(text, &system.id)) else { continue };
            let before = known[n].get_or_insert_with(|| odds(&judge(&plain, &texts[n])));
            let after = odds(&judge(&copies, &in_its_place(&texts[n], &system.id, false)));
            tried += 1;
            if let Some(difference) = first_difference(before, &after) {
                let _ = writeln!(wrong, "{game}: copy of {}\n{difference}", system.id);
            }
        }
    }
    assert!(tried > 30, "{tried}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Copies stand behind all others once what they come after is gone.
fn sorted(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// "Ours instead of theirs": the copy stays all that the original was, also where another copy is between them.
#[test]
fn a_copy_of_a_removed_system_counts_as_it_still() {
    let (mut wrong, mut tried) = (String::new(), 0);
    for game in GAMES {
        let plain = load(game);
        let texts: Vec<String> =
            folder(&format!("designs/{game}")).iter().map(|path| source(path).text.to_string()).collect();
        for system in &plain.systems {
            let Some(text) = texts.iter().find(|text| fits_of(text, &system.id) && !system.is_abstract) else {
                continue;
            };
            let copy = |id: &str, like: &str| {
                format!(
                    "[[system]]\nid = \"{id}\"\nlike = \"{like}\"\nafter = \"{}\"\nname = \"{}\"\n",
                    system.id, system.name
                )
            };
            let of_one = format!("copy-of-{}", system.id);
            let ban = |id: &str| format!("[change.system.{id}]\nremove = true\nreason = \"ours is better\"\n");
            let both = copy(&of_one, "between") + &copy("between", &system.id);
            let mut sources = chain(game);
            for (place, text) in [both, ban(&system.id) + &ban("between")].into_iter().enumerate() {
                let below = if place == 0 { game } else { "copies0" };
                let header = format!(
                    "[ruleset]\nid = \"copies{place}\"\ntitle = \"Copies\"\nversion = \"1\"\nschema = 1\nextends = \"{below}\"\n"
                );
                sources.push(Source::new(format!("rulesets/copies{place}.toml"), &(header + &text)));
            }
            let (rules, findings) = Ruleset::load_layers(&sources);
            assert!(findings.is_empty(), "{game} {}\n{}", system.id, said(&findings));
            let before = judge(&plain, text);
            let after = judge(&Arc::new(rules.unwrap()), &in_its_place(text, &system.id, true));
            tried += 1;
            for (before, after) in [(report(&before), report(&after)), (odds(&before), odds(&after))] {
                if let Some(difference) = first_difference(&sorted(&before), &sorted(&after)) {
                    let _ = writeln!(wrong, "{game}: copy of {}\n{difference}", system.id);
                }
            }
            let banned = judge(&after.ruleset, text);
            let is_told =
                |finding: &Finding| finding.code == "unknown-system" && finding.message.contains("ours is better");
            assert!(banned.findings.iter().any(is_told), "{game} {}\n{}", system.id, said(&banned.findings));
        }
    }
    assert!(tried > 30, "{tried}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// A design's own system stays what it is like, whatever tags it is given.
#[test]
fn tags_of_a_designs_own_do_not_take_it_out_of_the_rules() {
    let path = format!("{}/designs/star-navy/milwaukee.toml", env!("CARGO_MANIFEST_DIR"));
    let sample = std::fs::read_to_string(path).unwrap();
    let fit = "[[fit]]\nsystem = \"z\"\nmount = \"left-front\"\ncount = 2\n";
    for tags in ["", "tags = []\n", "tags = [\"toy\"]\n"] {
        let own = format!("{sample}\n[[system]]\nid = \"z\"\nlike = \"laser\"\n{tags}{fit}");
        let design = Design::read(&Source::new("own.toml", &own)).unwrap();
        let checked = evaluate(&load("star-navy"), &design, &Ship::default());
        assert!(checked.findings.iter().any(|one| one.code == "two-weapon-types"), "{tags}{}", said(&checked.findings));
    }
}

const SMALL: &str = r#"
[ruleset]
id = "small"
title = "Small"
version = "1"
schema = 1
[[mount]]
id = "bow"
[[mount]]
id = "stern"
[[system]]
id = "gun"
tags = ["weapon"]
abbr = "G"
[[system]]
id = "long-gun"
like = "gun"
abbr = "L"
[[system]]
id = "longest-gun"
like = "long-gun"
abbr = "X"
[[system]]
id = "rocket"
like = "gun"
distinct = true
abbr = "R"
[[system]]
id = "big-rocket"
like = "rocket"
abbr = "B"
[[field]]
id = "chart"
kind = "rows"
default = []
columns = [{ id = "roll", kind = "integer" }, { id = "hits", kind = "system" }]
[[table]]
id = "fire"
key = ["what"]
columns = ["what", "dice"]
concerns = "count(it.what)"
rows = [["gun", 1], ["longest-gun", 3], ["rocket", 5]]
[[value]]
id = "guns"
formula = "count('gun')"
[[value]]
id = "only_guns"
formula = "count('=gun')"
[[value]]
id = "long"
formula = "count(['long-gun', 'rocket'])"
[[value]]
id = "each_once"
formula = "count('gun') + 10 * count('long-gun') + count('rocket')"
[[value]]
id = "others"
formula = "count('gun') - count('long-gun')"
[[value]]
id = "in_bow"
formula = "total('n', 'gun', 'bow')"
[[value]]
id = "named"
formula = "length(where(chart, hits='gun'))"
[[value]]
id = "bow_has_gun"
formula = "1 if 'gun' in systems('bow') else 0"
[[check]]
code = "is-gun"
severity = "info"
for_each = "fit"
fails_when = "it.system == 'gun'"
message = "{{ it.name }} is a gun, {{ row('fire', it.system).dice }} dice"
[[check]]
code = "is-none"
severity = "info"
for_each = "fit"
fails_when = "it.system not in ['gun', 'rocket']"
message = "{{ it.name }}"
[[check]]
code = "is-itself"
severity = "info"
for_each = "fit gun"
fails_when = "it.id == 'gun'"
message = "{{ it.name }}"
[[check]]
code = "not-hit"
severity = "info"
for_each = "fit"
fails_when = "not where(chart, hits=it.system)"
message = "{{ it.name }}"
[[check]]
code = "row-of-long-gun"
severity = "info"
for_each = "chart"
fails_when = "it.hits == 'long-gun'"
message = "roll {{ it.roll }}"
"#;

fn small() -> Arc<Ruleset> {
    let text = SMALL.replace("[[mount]]\nid = \"bow\"", "[attributes]\nn = 2\n[[mount]]\nid = \"bow\"");
    let (ruleset, findings) = Ruleset::load_layers(&[Source::new("rulesets/small.toml", &text)]);
    assert!(findings.iter().all(|found| found.severity != Severity::Error), "{}", said(&findings));
    Arc::new(ruleset.unwrap())
}

const SHIP: &str = r#"
ruleset = "small"
name = "A"
[fields]
chart = [{ roll = 1, hits = "gun" }, { roll = 2, hits = "longest-gun" }, { roll = 3, hits = "big-rocket" }]
[[system]]
id = "own-gun"
like = "long-gun"
[[fit]]
system = "gun"
mount = "bow"
[[fit]]
system = "long-gun"
mount = "bow"
count = 2
[[fit]]
system = "longest-gun"
mount = "bow"
count = 4
[[fit]]
system = "own-gun"
mount = "stern"
count = 8
[[fit]]
system = "rocket"
mount = "stern"
count = 16
[[fit]]
system = "big-rocket"
mount = "stern"
count = 32
"#;

fn messages(ship: &Evaluation, code: &str) -> Vec<String> {
    ship.findings.iter().filter(|found| found.code == code).map(|found| found.message.clone()).collect()
}

#[test]
fn a_word_means_what_is_like_it_and_an_equals_sign_or_the_id_means_it_alone() {
    let ship = judge(&small(), SHIP);
    let errors: Vec<_> = ship.findings.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{}", said(&ship.findings));
    assert_eq!(value(&ship, "guns"), 1 + 2 + 4 + 8);
    assert_eq!(value(&ship, "only_guns"), 1);
    assert_eq!(value(&ship, "long"), 2 + 4 + 8 + 16 + 32);
    // In a sum nothing is counted twice; a difference takes away.
    assert_eq!(value(&ship, "each_once"), 1 + 10 * (2 + 4 + 8) + (16 + 32));
    assert_eq!(value(&ship, "others"), 1);
    assert_eq!(value(&ship, "in_bow"), 2 * (1 + 2 + 4));
    assert_eq!(value(&ship, "named"), 2);
    assert_eq!(value(&ship, "bow_has_gun"), 1);
    let guns = [
        "gun is a gun, 1 dice",
        "long gun is a gun, 1 dice",
        "longest gun is a gun, 3 dice",
        "own gun is a gun, 1 dice",
    ];
    assert_eq!(messages(&ship, "is-gun"), guns);
    assert!(messages(&ship, "is-none").is_empty());
    assert_eq!(messages(&ship, "is-itself"), ["gun"]);
    // A row of the chart that names a gun is hit by all guns; one that names the big rocket is not the rocket's.
    assert_eq!(messages(&ship, "not-hit"), ["rocket"]);
    assert_eq!(messages(&ship, "row-of-long-gun"), ["roll 2"]);
}

/// The dice of a weapon that goes by the row of another are found under its own name, on the sheet and on the reference.
#[test]
fn a_weapon_like_another_is_named_in_the_row_it_goes_by() {
    let rules = layered(
        "wars-of-honor",
        "[[system]]\nid = \"ion\"\nlike = \"laser\"\nafter = \"laser\"\nname = \"ion cannon\"\nabbr = \"I\"\n",
    );
    let text = source("designs/wars-of-honor/vigilant.toml").text.to_string();
    let rows = |ship: &Evaluation, id: &str| -> Vec<String> {
        let table = ship.tables.iter().find(|table| *table.id == *id).unwrap();
        table
            .rows
            .iter()
            .map(|row| if let Value::Text(name) = &row[0] { name.to_string() } else { String::new() })
            .filter(|name| name.contains("laser") && !name.contains(' ') || name.contains("ion"))
            .collect()
    };
    let plain = judge(&rules, &text);
    let all = judge(&rules, &text.replace("system = \"laser\"", "system = \"ion\""));
    let some = judge(&rules, &text.replacen("system = \"laser\"", "system = \"ion\"", 1));
    for table in ["damage", "damage_by_die"] {
        assert_eq!(rows(&plain, table), ["laser"], "{table}");
        assert_eq!(rows(&all, table), ["laser, ion cannon"], "{table}");
        assert_eq!(rows(&some, table), ["laser, ion cannon"], "{table}");
    }
    // With a row of its own, it is there.
    let own =
        "[change.table.damage]\nadd.rows = [[\"ion cannon\", [\"ion\"], \"12 MU\", \"1D6\", \"1–3: 0 · 4–6: 1\"]]\n";
    let rules = layered(
        "wars-of-honor",
        &format!(
            "[[system]]\nid = \"ion\"\nlike = \"laser\"\nafter = \"laser\"\nname = \"ion cannon\"\nabbr = \"I\"\n{own}"
        ),
    );
    let ship = judge(&rules, &text.replacen("system = \"laser\"", "system = \"ion\"", 1));
    assert_eq!(rows(&ship, "damage"), ["laser", "ion cannon"]);
    // Nor is it named beside the laser in the table by die, which has no row for what is in no numbers.
    let own = own.replace("1–3: 0 · 4–6: 1", "see our table");
    let rules = layered(
        "wars-of-honor",
        &format!(
            "[[system]]\nid = \"ion\"\nlike = \"laser\"\nafter = \"laser\"\nname = \"ion cannon\"\nabbr = \"I\"\n{own}"
        ),
    );
    let ship = judge(&rules, &text.replacen("system = \"laser\"", "system = \"ion\"", 1));
    assert_eq!(
        (rows(&ship, "damage"), rows(&ship, "damage_by_die")),
        (vec!["laser".into(), "ion cannon".into()], vec!["laser".to_owned()])
    );
}

#[test]
fn a_row_that_names_a_system_itself_takes_it_from_the_row_of_what_it_is_like() {
    let rows = |text: &str| -> Vec<String> {
        let ship = judge(&small(), text);
        let rows = ship.tables.iter().filter(|table| &*table.id == "fire").flat_map(|table| &table.rows);
        rows.map(|row| row[0].shown().unwrap_or_default()).collect()
    };
    assert_eq!(rows(SHIP), ["gun", "longest-gun", "rocket"]);
    let only =
        |system: &str| format!("ruleset = \"small\"\nname = \"A\"\n[[fit]]\nsystem = \"{system}\"\nmount = \"bow\"\n");
    assert_eq!(rows(&only("long-gun")), ["gun"]);
    assert_eq!(rows(&only("longest-gun")), ["longest-gun"]);
    assert_eq!(rows(&only("big-rocket")), ["rocket"]);
}

#[test]
fn an_attack_of_its_own_takes_a_weapon_from_the_attack_of_what_it_is_like() {
    let ion = "[[system]]\nid = \"ion-cannon\"\nlike = \"laser\"\nafter = \"laser\"\nabbr = \"I\"\n";
    let attack = "[[attack]]\nid = \"ions\"\nfor_each = \"fit ion-cannon\"\nwhen = \"range <= 12 and it.mount == bearing\"\n\
                  [[attack.step]]\nrepeat = \"it.count\"\n[[attack.step.each]]\npoints = \"d6\"\n[[attack.step.each]]\nuse = \"sidewall\"\n";
    let text =
        source("designs/wars-of-honor/petrel.toml").text.replace("system = \"laser\"", "system = \"ion-cannon\"");
    let fired = |layer: &str| {
        let ship = judge(&layered("wars-of-honor", layer), &text);
        let question = OddsRequest::default().situation(vec!["range=10".into()]);
        let question = question.question(&ship.ruleset.attack_rules).unwrap();
        let odds = work_out(&ship, &ship, &question);
        let fires = odds.attacks.iter().filter(|attack| attack.bearing == Bearing::Fires);
        fires.map(|attack| ship.ruleset.attack_rules.attacks[attack.attack].id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(fired(ion).iter().filter(|id| **id == "beams").count(), 1);
    let with_own = fired(&format!("{ion}{attack}"));
    assert!(with_own.contains(&"ions".to_owned()) && !with_own.contains(&"beams".to_owned()), "{with_own:?}");
}

#[test]
fn every_system_comes_after_the_one_that_it_names() {
    let layer = "[[system]]\nid = \"a\"\nlike = \"laser\"\nafter = \"cnc\"\nabbr = \"a\"\n\
                 [[system]]\nid = \"b\"\nlike = \"laser\"\nafter = \"graser\"\nabbr = \"b\"\n\
                 [[system]]\nid = \"c\"\nlike = \"laser\"\nafter = \"laser\"\nabbr = \"c\"\n";
    let rules = layered("wars-of-honor", layer);
    let before = |id: &str| {
        let place = rules.systems.iter().position(|system| &*system.id == id).unwrap();
        rules.systems[place - 1].id.to_string()
    };
    assert_eq!(["a", "b", "c"].map(before), ["cnc", "graser", "laser"]);
}

#[test]
fn an_exact_word_among_others_is_refused_with_what_to_write() {
    let text = "[[value]]\nid = \"two\"\nformula = \"count(['=laser', 'graser'])\"\n";
    let (_, findings) = lay("wars-of-honor", text);
    let found = said(&findings);
    assert!(found.contains("expected `=` before all systems or before none"), "{found}");
    assert!(found.contains("count('=laser') + count('graser')"), "{found}");
    let (_, findings) = lay("wars-of-honor", "[[value]]\nid = \"two\"\nformula = \"count('=lazer')\"\n");
    assert!(said(&findings).contains("did you mean `laser`?"), "{}", said(&findings));
}

#[test]
fn a_bare_system_in_a_question_is_told_how_to_count_it() {
    let rules = load("wars-of-honor");
    for text in ["missile-launcher", "laser + missile-launcher", "missile-launcher >= 6"] {
        let found = compile(&rules, QuestionPart::Maximise, text, &Type::Any).unwrap_err();
        let id = if text.starts_with("laser") { "laser" } else { "missile-launcher" };
        let help = format!("`{id}` is a system: write count('{id}') for how many there are");
        assert_eq!(found.help.as_deref(), Some(&*help), "{text}");
    }
}

#[test]
fn systems_whose_boxes_look_alike_are_reported() {
    let mortar = "[[system]]\nid = \"mortar\"\nlike = \"laser\"\nabbr = \"M\"\n";
    let rules = layered("wars-of-honor", mortar);
    let petrel = source("designs/wars-of-honor/petrel.toml").text.to_string();
    let one = petrel.replacen("system = \"laser\"", "system = \"mortar\"", 1);
    let found = messages(&judge(&rules, &one), "same-letter");
    assert_eq!(found, ["missile launcher and mortar have the same letter `M`: their boxes look alike on a sheet"]);
    assert!(messages(&judge(&rules, &petrel), "same-letter").is_empty());
    // Another shape tells them apart.
    let round = layered("wars-of-honor", &format!("{mortar}shape = \"circle\"\n"));
    assert!(messages(&judge(&round, &one), "same-letter").is_empty());
}
