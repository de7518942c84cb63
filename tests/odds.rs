//! `moldloft odds`: the answers of the built program, worked numbers, and what is said of hostile questions.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn odds_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_moldloft")).arg("odds").args(arguments).current_dir(folder).output().unwrap()
}

fn odds(arguments: &str) -> (Option<i32>, String, String) {
    let run = odds_in(Path::new(ROOT), &arguments.split_whitespace().collect::<Vec<_>>());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code(), text(&run.stdout), text(&run.stderr))
}

fn json(arguments: &str) -> Value {
    let (status, out, errors) = odds(&format!("{arguments} --json"));
    assert_eq!(status, Some(0), "{arguments}: {errors}");
    serde_json::from_str(&out).unwrap()
}

/// The means of all that bears: game, attacker, target, situation, gauge, mean. Fractions are exact.
const WORKED: [&str; 15] = [
    "wars-of-honor | vigilant | ardennes | range=20 | structure | 7.071867",
    "wars-of-honor | vigilant | ardennes | range=20 | sidewall | 6.053133",
    "wars-of-honor | vigilant | ardennes | range=8 | structure | 10.794379",
    "wars-of-honor | vigilant | ardennes | range=40 | structure | 2.698073",
    "wars-of-honor | vigilant | ardennes | range=20 aspect=forward | structure | 18.749980",
    "sky-full-of-ships | swordfish | burlington | range=4 | hull | 7/4",
    "sky-full-of-ships | swordfish | burlington | range=10 | hull | 17/12",
    "sky-full-of-ships | swordfish | burlington | range=20 | hull | 8/9",
    "sky-full-of-ships | swordfish | burlington | range=30 | hull | 19/36",
    "sky-full-of-ships | burlington | swordfish | range=10 | hull | 10/3",
    "star-navy | milwaukee | detroit | range=3 shields_up=false | integrity | 2/3",
    "battleships-1890s | saltholm | hammerfest | range=9 | flotation | 19/18",
    "battleships-1890s | duca-silvano | unterwalden | range=7 | flotation | 19/9",
    "b5-house-rules | varnic | varnic | range=3 interceptors=1 | hits | 87/20",
    "b5-house-rules | varnic | varnic | range=13 interceptors=2 | hits | 98/125",
];

fn number(text: &str) -> f64 {
    let part = |text: &str| text.trim().parse::<f64>().unwrap();
    text.split_once('/').map_or_else(|| part(text), |(above, below)| part(above) / part(below))
}

#[test]
fn the_worked_numbers_are_recomputed() {
    for row in WORKED {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [game, attacker, target, situation, gauge, mean] = cells.as_slice() else { panic!("{row}") };
        let with: String = situation.split_whitespace().map(|word| format!(" --with {word}")).collect();
        let range = situation.split_whitespace().find_map(|word| word.strip_prefix("range=")).unwrap();
        let only = if *game == "battleships-1890s" { " --attack main-guns --attack secondary-guns" } else { "" };
        let found = json(&format!(
            "designs/{game}/{attacker}.toml --against {target}{with} --over range={range}..{range}{only}"
        ));
        let found = found[0]["all"][gauge]["mean"].as_f64().unwrap();
        let off = (found - number(mean)).abs();
        let allowed = if mean.contains('/') { 1e-9 } else { 5e-7 };
        assert!(off <= allowed, "{row}: {found}");
    }
}

#[test]
fn json_has_the_documented_keys() {
    let found = json("designs/sky-full-of-ships/swordfish.toml --against tern --turns 3 --duel --over range=4..8");
    let one = &found[0];
    assert_eq!((one["attacker"]["name"].as_str(), one["target"]["points"].as_i64()), (Some("Swordfish"), Some(6)));
    assert_eq!(one["ruleset"]["id"], "sky-full-of-ships");
    assert_eq!(one["situation"]["range"], 10);
    let attack = &one["attacks"][0];
    assert_eq!((attack["id"].as_str(), attack["fires"].as_bool()), (Some("primaries"), Some(true)));
    assert_eq!(attack["steps"][0]["means"]["strength"], 8.0);
    let sum: f64 = one["all"]["hull"]["lost"].as_array().unwrap().iter().map(|pair| pair[1].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    assert_eq!(one["over"]["name"], "range");
    assert_eq!(one["over"]["points"].as_array().unwrap().len(), 5);
    assert_eq!(one["turns"].as_array().unwrap().len(), 3);
    let duel = &one["duel"];
    let parts = ["a", "b", "both", "open"].map(|key| duel[key].as_f64().unwrap());
    assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{parts:?}");
    for key in ["assumed", "not_counted", "findings", "outcomes"] {
        assert!(!one[key].is_null(), "{key}");
    }
}

#[test]
fn a_ship_alone_fires_at_its_sister_and_a_fleet_is_its_classes() {
    let (_, sister, _) = odds("designs/battleships-1890s/saltholm.toml --range 9");
    assert!(sister.starts_with("Saltholm on Saltholm · range 9 squares"), "{sister}");
    let fleet =
        fs::read_dir(Path::new(ROOT).join("designs/sky-full-of-ships/fleets")).unwrap().next().unwrap().unwrap();
    let found =
        json(&format!("designs/sky-full-of-ships/tern.toml --over range=1..1 --against {}", fleet.path().display()));
    let names: Vec<&str> =
        found.as_array().unwrap().iter().map(|one| one["target"]["name"].as_str().unwrap()).collect();
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(!names.is_empty() && distinct.len() == names.len(), "{names:?}");
}

#[test]
fn tables_are_written_for_spreadsheets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odds.csv");
    let (status, ..) = odds(&format!("designs/sky-full-of-ships/swordfish.toml --against tern -o {}", file.display()));
    assert_eq!(status, Some(0));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.lines().nth(1).unwrap().starts_with("sky-full-of-ships,Swordfish,Tern,primaries,"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(",range,")).count(), 37);
    // For a spreadsheet that separates with semicolons, whose decimals have a comma.
    let other = folder.path().join("other.csv");
    let tern = "designs/sky-full-of-ships/swordfish.toml --against tern";
    assert_eq!(odds(&format!("{tern} --semicolons -o {}", other.display())).0, Some(0));
    let other = fs::read_to_string(&other).unwrap();
    assert!(text.starts_with("\u{feff}ruleset,attacker,") && other.starts_with("\u{feff}ruleset;attacker;"), "{other}");
    assert_eq!(other.replace(',', ".").replace(';', ","), text);
    let (status, ..) = odds(&format!("designs/sky-full-of-ships --matrix -o {}", file.display()));
    assert_eq!(status, Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1 + 8 * 8);
}

#[test]
fn the_best_choice_of_a_matrix_is_the_best_of_all_of_them() {
    let cases = [
        ("sky-full-of-ships/tern sky-full-of-ships/swordfish sky-full-of-ships/burlington", "arc"),
        ("wars-of-honor/vigilant wars-of-honor/ardennes", "bearing"),
        ("star-navy/detroit star-navy/chicago", "section"),
        ("battleships-1890s/saltholm battleships-1890s/unterwalden", "side"),
        ("b5-house-rules/torvald-deep b5-house-rules/sirenna", "bearing"),
    ];
    for (ships, name) in cases {
        let ships: String = ships.split(' ').map(|ship| format!("designs/{ship}.toml ")).collect();
        let ask = |more: &str| -> serde_json::Value {
            let (_, out, errors) = odds(&format!("{ships} --matrix --json {more}"));
            let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{errors}"));
            report[0].clone()
        };
        let best = ask("--best");
        assert_eq!(best["best"], name, "{ships}");
        assert_eq!(best["rows"], ask(&format!("--best {name}"))["rows"]);
        // An unknown option is answered with all known ones.
        let (_, _, errors) = odds(&format!("{ships} --matrix --with {name}=qqqqqq"));
        let known = errors.split("known: ").nth(1).unwrap().lines().next().unwrap().to_owned();
        let all: Vec<(String, serde_json::Value)> =
            known.split(", ").map(|option| (option.to_owned(), ask(&format!("--with {name}={option}")))).collect();
        assert!(all.len() > 2, "{known}");
        let count = best["ships"].as_array().unwrap().len();
        for (row, column) in (0..count * count).map(|cell| (cell / count, cell % count)) {
            let mean = |report: &serde_json::Value| report["rows"][row][column]["mean"].as_f64().unwrap();
            let most = all.iter().map(|(_, report)| mean(report)).fold(0.0, f64::max);
            let cell = &best["rows"][row][column];
            assert_eq!(mean(&best), most, "{ships}: {row} on {column}");
            let with_most: Vec<&str> =
                all.iter().filter(|(_, report)| mean(report) == most).map(|(option, _)| option.as_str()).collect();
            match with_most.as_slice() {
                [one] => assert_eq!(cell["choice"], *one, "{ships}: {row} on {column}"),
                _ => assert!(cell["choice"].is_null(), "{ships}: {row} on {column}: {cell}"),
            }
        }
        let (status, out, _) = odds(&format!("{ships} --matrix --best"));
        assert!(status == Some(0) && out.contains("the best for each firing ship"), "{out}");
    }
    let sky = "designs/sky-full-of-ships/swordfish.toml";
    let (status, _, errors) = odds(&format!("{sky} --matrix --best ark"));
    assert!(status == Some(2) && errors.contains("did you mean `arc`?"), "{errors}");
}

#[test]
fn one_thread_and_four_print_the_same() {
    let run = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
        command.args(["odds", "designs/sky-full-of-ships", "--matrix", "--json"]).env("RAYON_NUM_THREADS", threads);
        command.current_dir(ROOT).output().unwrap().stdout
    };
    let one = run("1");
    assert!(one.len() > 1_000 && one == run("4") && one == run("4"));
}

#[test]
fn what_cannot_be_asked_is_said_with_what_to_do() {
    let sky = "designs/sky-full-of-ships/swordfish.toml";
    let cases = [
        (format!("{sky} --with rnge=3"), "unknown-situation", "did you mean `range`?"),
        (format!("{sky} --with range"), "wrong-situation", "--with range=20"),
        (format!("{sky} --range 900"), "value-out-of-range", "from 0 to 36"),
        (format!("{sky} --range -1"), "value-out-of-range", "found `-1`"),
        (format!("{sky} --range 99999999999999999999"), "value-out-of-range", "found"),
        (format!("{sky} --with slow=maybe"), "value-out-of-range", "true or false"),
        (format!("{sky} --with arc=foward"), "unknown-option", "did you mean `forward`?"),
        (format!("{sky} --over range=9..3"), "value-out-of-range", "0 to 36"),
        (format!("{sky} --over range=0..999999999999"), "value-out-of-range", "0 to 36"),
        (format!("{sky} --over arc=1..2"), "value-out-of-range", "has no numbers"),
        (format!("{sky} --attack primarys"), "unknown-attack", "did you mean `primaries`?"),
        (format!("{sky} --against nowhere-at-all"), "missing-design", "moldloft list designs"),
        (format!("{sky} --against swordfsh"), "missing-design", "did you mean `swordfish`?"),
        (format!("{sky} designs/star-navy/detroit.toml --matrix"), "other-game", "designs of one game"),
        (
            "designs/wars-of-honor designs/wars-of-honor designs/wars-of-honor --matrix".into(),
            "too-many-ships",
            "at most 20",
        ),
        (format!("{sky} --rules a --rules b --rules c"), "wrong-argument", "twice to compare"),
        (format!("{sky} --rules sky-plasma --rules star-navy"), "other-game", "compare two layers of one game"),
        (format!("{sky} -o odds.docx"), "unknown-format", ".csv"),
    ];
    for (question, code, words) in cases {
        let (status, out, errors) = odds(&question);
        assert_eq!(status, Some(2), "{question}: {out}{errors}");
        assert!(errors.contains(&format!("error[{code}]")) && errors.contains(words), "{question}: {errors}");
    }
}

#[test]
fn what_cannot_be_worked_out_is_a_finding_beside_the_rest() {
    let (status, out, errors) =
        odds("designs/sky-full-of-ships/swordfish.toml --against designs/star-navy/detroit.toml");
    assert_eq!(status, Some(1));
    assert!(errors.contains("error[other-game]") && errors.contains("name a target of the same game"), "{errors}");
    assert!(out.contains("Not worked out") && !out.contains("0.00"), "{out}");
    let base = fs::read_to_string(Path::new(ROOT).join("designs/b5-house-rules/torvald-deep.toml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep.toml");
    fs::write(&path, base.replace("4D10+4, −1 a hex", "as agreed")).unwrap();
    let (status, out, errors) = odds(&format!("{} --turns 2 --over range=3..3", path.display()));
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("warning[no-end]") && errors.contains("warning[not-dice]"), "{errors}");
    assert!(out.contains("structure a turn") && out.contains("Not all is counted; of what is, every roll is"), "{out}");
    assert!(!out.contains("Exact") && out.contains("plasma gun, forward: `as agreed` is not a sum of dice"), "{out}");
}

/// A game whose rules are the given text, in a folder of its own, with a ship.
fn workspace(attacks: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rules = format!(
        "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n\
         [[field]]\nid = \"hull\"\nkind = \"integer\"\ndefault = 30\n\
         [[value]]\nid = \"points\"\nformula = \"hull\"\n{attacks}"
    );
    fs::create_dir_all(folder.path().join("rulesets")).unwrap();
    fs::create_dir_all(folder.path().join("designs/raft")).unwrap();
    fs::write(folder.path().join("rulesets/raft.toml"), rules).unwrap();
    fs::write(folder.path().join("designs/raft/log.toml"), "ruleset = \"raft\"\nname = \"Log\"\n").unwrap();
    folder
}

const GAUGE: &str = "[[gauge]]\nid = \"hull\"\nboxes = \"hull\"\nends = true\n";

fn ask(attacks: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = workspace(attacks);
    let arguments: Vec<&str> = ["designs/raft/log.toml"].into_iter().chain(more.iter().copied()).collect();
    let run = odds_in(folder.path(), &arguments);
    (run.status.code(), format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr)))
}

#[test]
fn rules_without_attacks_name_those_that_have_some() {
    let (status, text) = ask("", &[]);
    assert_eq!(status, Some(2));
    assert!(text.contains("error[no-odds]") && text.contains("sky-full-of-ships"), "{text}");
}

#[test]
fn hostile_rules_end_in_findings_that_name_the_place() {
    let attack = |steps: &str| format!("{GAUGE}[[attack]]\nid = \"a\"\n[[attack.step]]\n{steps}\n");
    let cases = [
        (attack("left.hull = \"times(1000000000, d6)\""), "too-many-dice"),
        (
            attack(
                "n = \"20000\"\n[[attack.step]]\nrepeat = \"n\"\n[[attack.step.each]]\nleft.hull = \"left.hull - d6\"",
            ),
            "too-many-dice",
        ),
        (attack("left.hull = \"left.hull - faces([1, 1, 1], again=[1, 2, 3])\""), "never-ends"),
        (attack("l = \"[d100, d100, d100, d100]\"\n[[attack.step]]\nleft.hull = \"sum(l)\""), "too-many-outcomes"),
        (attack("left.hull = \"roll('9999999D6')\""), "too-many-dice"),
        (
            attack(
                "n = \"d1000 + d1000\"\n[[attack.step]]\nm = \"sum(range(3000 + n)) % 7\"\n[[attack.step]]\nleft.hull = \"left.hull - m\"",
            ),
            "too-many-states",
        ),
        (attack("left.hull = \"1 // (left.hull - hull)\""), "division-by-zero"),
        (
            attack(
                "x = \"0\"\n[[attack.step]]\nrepeat = \"9000\"\n[[attack.step.each]]\nx = \"x * 7 + d20\"\n[[attack.step]]\nleft.hull = \"left.hull - x % 2\"",
            ),
            "",
        ),
    ];
    for (rules, code) in cases {
        let (status, text) = ask(&rules, &[]);
        assert_eq!(status, Some(1), "{rules}\n{text}");
        assert!(text.contains(&format!("error[{code}")), "{rules}\n{text}");
        assert!(
            text.contains("rulesets/raft.toml:") && text.contains("not worked out") && !text.contains("Exact"),
            "{text}"
        );
    }
}

#[test]
fn ships_of_two_games_and_attacks_that_do_not_bear_are_said_in_words() {
    let (status, out, errors) = odds("designs/wars-of-honor/vigilant.toml --against swordfish");
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("error[other-game]") && !out.contains("all that bears"), "{out}{errors}");
    let (status, out, _) = odds("designs/wars-of-honor/vigilant.toml --attack grav-lance");
    assert!(status == Some(0) && out.contains("\nnothing of this ship bears\n"), "{out}");
    let (_, out, _) = odds("designs/wars-of-honor/vigilant.toml --attack beams");
    assert!(out.contains("\nnothing bears here\n"), "{out}");
}

/// Each of many values of an axis has a part of the work, so that one alone is answered and all are not.
#[test]
fn a_curve_that_is_not_worked_out_says_why() {
    let rules = format!(
        "[[situation]]\nid = \"range\"\nlabel = \"range\"\nkind = \"integer\"\nmin = 1\nmax = 200\ndefault = 1\naxis = true\n\
         {GAUGE}[[attack]]\nid = \"a\"\n[[attack.step]]\nn = \"d250\"\nm = \"d250\"\n[[attack.step]]\n\
         left.hull = \"left.hull - (n + m + range + faces([1, 300000])) % 3\"\n"
    );
    let (status, text) = ask(&rules, &["--over=range=1..2"]);
    assert!(status == Some(0) && text.contains("Exact"), "{text}");
    let (status, text) = ask(&rules, &["--over"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("error[too-many-states]") && text.contains("rulesets/raft.toml:"), "{text}");
}

#[test]
fn an_attack_is_explained_with_its_steps_and_means() {
    let explain = |what: &str| {
        let arguments = ["explain", "designs/sky-full-of-ships/swordfish.toml", what];
        let run = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(ROOT).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        (run.status.code(), text)
    };
    let (status, text) = explain("odds.mass-driver");
    assert_eq!(status, Some(0), "{text}");
    for line in [
        "odds.mass-driver = ",
        "  range = 10 inches",
        "  when = special == 'mass-driver' and arc == 'forward' and range <= row('facts', 'mass driver').reach = it fires",
        "    strength = choice.special.factor * times(track.weapons[0].cells[track.weapons[0].boxes - own.weapons].special, d6 + modifier >= row('facts', 'mass driver').hits_on) if own.weapons else 0 = 4 on average",
        "  left.hull = left.hull - boxes",
        "    rulesets/sky-full-of-ships.toml:",
        "not counted",
    ] {
        assert!(line == "not counted" || text.contains(line), "no {line} in\n{text}");
    }
    let (status, text) = explain("odds.mass-drive");
    assert!(status == Some(2) && text.contains("did you mean `odds.mass-driver`?"), "{text}");
}

#[test]
fn charts_are_pictures_of_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let sky = "designs/sky-full-of-ships/swordfish.toml --against tern";
    for (name, start) in [("a.svg", &b"<"[..]), ("a.pdf", b"%PDF-"), ("a.png", b"\x89PNG")] {
        let (status, _, errors) = odds(&format!("{sky} -o {}", path(name).display()));
        assert_eq!(status, Some(0), "{errors}");
        assert!(fs::read(path(name)).unwrap().starts_with(start), "{name}");
    }
    let svg = fs::read_to_string(path("a.svg")).unwrap();
    assert!(svg.contains("data-mark=\"bar_1\""), "bars have names");
    let before = fs::read(path("a.png")).unwrap();
    odds(&format!("{sky} -o {}", path("a.png").display()));
    assert_eq!(before, fs::read(path("a.png")).unwrap());
    let (status, _, errors) = odds(&format!("designs/sky-full-of-ships --matrix -o {}", path("m.svg").display()));
    assert_eq!(status, Some(0), "{errors}");
    assert!(fs::read_to_string(path("m.svg")).unwrap().contains("data-mark=\"cell_0_1\""));
    let (status, _, errors) = odds(&format!("{sky} -o {} --paper 100x100mm", path("b.pdf").display()));
    assert!(status == Some(2) && errors.contains("paper-too-small"), "{errors}");
}

#[test]
fn impact_tells_what_rules_do_to_the_odds() {
    let layer = "[ruleset]\nid = \"bloody\"\ntitle = \"Bloody\"\nversion = \"1\"\nschema = 1\nextends = \"sky-full-of-ships\"\n\
                 [change.attack.primaries]\nwhen = \"range <= 9\"\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bloody.toml");
    fs::write(&file, layer).unwrap();
    let file = file.to_string_lossy().into_owned();
    let ships = ["designs/sky-full-of-ships/swordfish.toml", "designs/sky-full-of-ships/tern.toml"];
    let impact = |more: &[&str]| {
        let arguments =
            ["rules", "impact", "sky-full-of-ships", &file].into_iter().chain(ships).chain(more.iter().copied());
        let run = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(ROOT).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    // Out of their new reach, the primaries take nothing off: what is left is the mass driver's.
    let text = impact(&["--odds"]);
    let line = text.lines().find(|line| line.starts_with("Swordfish ")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(&cells[..2], ["Swordfish", "1.39"], "{text}");
    assert!(cells[2].parse::<f64>().unwrap() < 1.0, "{text}");
    assert_eq!(cells[3], "1.69", "{text}");
    assert!(
        impact(&["--odds", "--csv"])
            .lines()
            .next()
            .unwrap()
            .ends_with(",mean before,mean after,trade before,trade after,changes most at,from,to")
    );
    let json: Value = serde_json::from_str(&impact(&["--odds", "--json"])).unwrap();
    assert!(json[0]["odds"]["before"]["mean"].as_f64().unwrap() > 1.3, "{json}");
    assert!(!impact(&[]).contains("odds:"));
}

/// A number that counts only at close range changes nothing at the range that is asked for first.
#[test]
fn impact_says_at_which_range_the_odds_change() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("close.toml");
    let layer = "[ruleset]\nid = \"close\"\ntitle = \"Close\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
                 [change.table.damage.rows.graser]\nroll = \"1–4: 2 · 5–6: 3\"\n";
    fs::write(&file, layer).unwrap();
    let file = file.to_string_lossy().into_owned();
    let run = |more: &[&str]| {
        let arguments = ["rules", "impact", "wars-of-honor", &file, "designs/wars-of-honor/vigilant.toml", "--odds"];
        let run = Command::new(env!("CARGO_BIN_EXE_moldloft"))
            .args(arguments.iter().chain(more))
            .current_dir(ROOT)
            .output()
            .unwrap();
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    let json: Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let odds = &json[0]["odds"];
    assert_eq!(odds["before"]["mean"], odds["after"]["mean"], "{odds}");
    let most = &odds["most"];
    assert!(most["at"].as_str().unwrap().starts_with("range "), "{odds}");
    assert!(most["after"].as_f64().unwrap() > most["before"].as_f64().unwrap(), "{odds}");
    let text = run(&[]);
    assert!(text.contains("· range 20 MU") && text.contains("the mean changes most at"), "{text}");
}

fn samples() -> Vec<(String, String)> {
    let folders = fs::read_dir(Path::new(ROOT).join("designs")).unwrap();
    let mut found: Vec<(String, String)> = Vec::new();
    for folder in folders.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let game = folder.file_name().unwrap().to_string_lossy().into_owned();
        let files =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        found.extend(
            files.filter(|file| file.ends_with(".toml")).map(|file| (game.clone(), format!("designs/{game}/{file}"))),
        );
    }
    found.sort();
    found
}

/// Asked of every sample with no other words, over the axis, and as a duel.
#[test]
fn every_sample_is_answered_whole() {
    // Ships of these rules shoot worse when they are hurt: of these, what both have left is more than a duel follows (docs/guide/src/odds.md).
    let too_large = ["sky-full-of-ships/atlas"];
    let samples = samples();
    assert!(samples.len() > 35, "{}", samples.len());
    for (game, file) in &samples {
        for question in ["", "--over", "--turns 2 --duel"] {
            let arguments = format!("{file} {question}");
            let (status, out, errors) = odds(&arguments);
            if question.ends_with("--duel") && too_large.iter().any(|name| file.contains(name)) {
                assert!(errors.contains("help: ask for one attack"), "{arguments}: {errors}");
                continue;
            }
            assert_eq!(status, Some(0), "{arguments}: {errors}");
            assert!(!errors.contains("error["), "{arguments}: {errors}");
            assert!(!out.contains("not worked out"), "{arguments}: {out}");
            if question == "--over" {
                let rows = out.lines().skip_while(|line| !line.contains("answer") || !line.contains("trade")).skip(1);
                let rows: Vec<&str> = rows.take_while(|line| !line.starts_with("Exact")).collect();
                assert!(!rows.is_empty(), "{game}: {out}");
                let mean = |row: &&str| row.split_whitespace().nth(1) != Some("–");
                assert!(rows.iter().all(mean), "{arguments}: {out}");
            }
        }
    }
}

/// Six sections of a ship, of which an attack strikes each: what a formula reads of one does not hang on the others.
#[test]
fn pulsers_on_lowered_shields_are_worked_out_for_all_sections() {
    let report = json("designs/star-navy/chicago.toml --with section=left-rear --with shields_up=false");
    assert!(report[0]["exact"] == true && report[0]["findings"] == serde_json::json!([]), "{report}");
    // Two points on each of six sections: hull comes first in every column, and second in one of six.
    let hulls = report[0]["all"]["hulls"]["mean"].as_f64().unwrap();
    assert!((hulls - 6.0 * (1.0 + 1.0 / 6.0)).abs() < 1e-9, "{hulls}");
}

#[test]
fn where_hardly_any_duel_is_won_nobody_is_the_stronger() {
    let ships = "designs/wars-of-honor/ardennes.toml --against designs/wars-of-honor/falkenhorst.toml --duel";
    let (_, out, _) = odds(&format!("{ships} --turns 1"));
    assert!(
        out.contains("In 96.3 % of duels of 1 turn neither wins; Ardennes wins 3.7 %, Falkenhorst 0.0 %."),
        "{out}"
    );
    assert!(!out.contains("is the stronger"), "{out}");
}

/// What a duel comes to is certain as far as it is followed: who is out stays out.
#[test]
fn a_duel_that_is_too_long_says_between_what_its_chances_are() {
    let (status, out, errors) = odds("designs/star-navy/pittsburgh.toml --duel");
    assert!(status == Some(1) && errors.contains("too-many-states"), "{errors}");
    let line = out.lines().find(|line| line.starts_with("duel of 40 turns, followed for 24: ")).unwrap();
    assert!(
        line.contains("Pittsburgh wins 5.3 % to 94.4 %") && line.ends_with("undecided after turn 24 89.0 %"),
        "{line}"
    );
}
