//! Fleets as text: every sample fleet comes back as it was, whatever a forum made of the text, and lists written by hand become fleets.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use moldloft::exchange::list::{ShareOptions, import_list, write_list};
use moldloft::finding::Severity;
use moldloft::library::{EvaluatedFleet, Rulesets, check_fleet};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};

fn games() -> Rulesets {
    Rulesets::new(&Store::built_in(), &[]).unwrap()
}

/// Every sample fleet.
fn samples(games: &Rulesets) -> Vec<(String, EvaluatedFleet)> {
    let mut files = Vec::new();
    for game in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("designs")).unwrap() {
        let Ok(fleets) = fs::read_dir(game.unwrap().path().join("fleets")) else { continue };
        files.extend(
            fleets.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "toml")),
        );
    }
    files.sort();
    assert!(!files.is_empty());
    let read = |path: PathBuf| {
        let name = path.display().to_string();
        let source = Source::new(name.as_str(), &fs::read_to_string(&path).unwrap());
        (name, check_fleet(games, &source, &FileRef::on_disk(path)).unwrap())
    };
    files.into_iter().map(read).collect()
}

/// What of a fleet must come back: everything but the layout of its file.
fn what(fleet: &EvaluatedFleet) -> Vec<String> {
    let head = [&fleet.fleet.ruleset, &fleet.fleet.name, &fleet.fleet.side, &fleet.fleet.player, &fleet.fleet.notes];
    let text = |word: &Option<moldloft::design::SpannedText>| word.as_ref().map(|word| word.text.trim().to_owned());
    let mut what: Vec<String> = head.into_iter().map(|word| format!("{:?}", text(word))).collect();
    what.push(format!("{:?} {:?} {}", fleet.fleet.budget.map(|budget| budget.points), fleet.points, fleet.legal));
    for group in &fleet.fleet.groups {
        what.push(format!(
            "{} {:?} {:?} {:?}",
            group.id.text,
            text(&group.kind),
            text(&group.name),
            text(&group.notes)
        ));
    }
    for unit in &fleet.units {
        let ship = &unit.evaluation.ship;
        let damage: Vec<String> =
            ship.damage.stems().map(|stem| format!("{stem} {}", ship.damage.runs_text(stem))).collect();
        let loads: Vec<String> = ship
            .load
            .iter()
            .map(|load| {
                let values: Vec<_> = load.values.iter().map(|(key, value, _)| (key, value)).collect();
                format!("{} {:?} {values:?}", load.system, load.mount)
            })
            .collect();
        let relations: Vec<_> = ship.relations.iter().map(|asks| (&asks.relation, asks.count)).collect();
        what.push(format!(
            "{} {} {:?} {:?} {:?} {:?} {:?} {:?} {relations:?} {damage:?} {loads:?} {:?} {:?} {:?}",
            unit.evaluation.name,
            ship.unit,
            ship.name,
            ship.hull_number,
            ship.captain,
            ship.owner,
            ship.notes,
            ship.group,
            unit.evaluation.points,
            unit.carrier,
            unit.copy,
        ));
    }
    what
}

/// What becomes of a text on its way.
fn treatments(text: &str) -> Vec<String> {
    let wrapped = |wide: usize, before: &str, end: &str| {
        let mut out = String::new();
        for line in text.lines() {
            let mut broken = String::new();
            for word in line.split_whitespace() {
                if !broken.is_empty() && broken.chars().count() + word.chars().count() >= wide {
                    out += &format!("{before}{broken}{end}");
                    broken.clear();
                }
                broken += if broken.is_empty() { "" } else { " " };
                broken += word;
            }
            out += &format!("{before}{broken}{end}");
        }
        out
    };
    let mut open = false;
    let curled: String = text
        .chars()
        .map(|c| match c {
            '"' => {
                open = !open;
                if open { '“' } else { '”' }
            }
            other => other,
        })
        .collect();
    vec![
        text.to_owned(),
        text.replace('\n', "\r\n"),
        wrapped(72, "> ", "\n"),
        wrapped(100, "> > ", "  \r\n"),
        wrapped(1000, "\t", "\u{a0}\n"),
        format!("[quote=Anna][b]{}[/b][/quote]", wrapped(1000, "", "\n")),
        format!("```\n{text}```\n"),
        format!("\u{feff}{}", curled),
        text.replace("\n- ", "\n[*] ").replace("  ", "\u{a0}\u{a0}"),
        text.replace("\n- ", "\n\n* ").replace("1-2", "1–2"),
    ]
}

#[test]
fn every_sample_fleet_comes_back_as_it_was() {
    let games = games();
    let folder = tempfile::tempdir().unwrap();
    for (name, fleet) in samples(&games) {
        for designs in [false, true] {
            let (text, findings) = write_list(&fleet, ShareOptions { designs });
            assert!(findings.is_empty(), "{name}: {findings:?}");
            assert_eq!(write_list(&fleet, ShareOptions { designs }).0, text);
            assert!(text.lines().all(|line| line.chars().count() <= 72 || !line.contains(' ')), "{name}:\n{text}");
            for text in treatments(&text) {
                let source = Source::new("list.txt", &text);
                let made = import_list(&Store::built_in(), &games, &source, None, &folder.path().join("f.toml"));
                assert!(made.findings.is_empty(), "{name}: {:?}\n{text}", made.findings);
                let back = made.fleet.unwrap();
                assert_eq!(what(&back), what(&fleet), "{name}\n{text}");
                let again = write_list(&back, ShareOptions { designs }).0;
                assert_eq!(again.trim(), write_list(&fleet, ShareOptions { designs }).0.trim(), "{name}");
            }
        }
    }
}

#[test]
fn classes_in_the_text_need_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tern = include_str!("../designs/wars-of-honor/petrel.toml")
        .replace("Petrel", "Home Made")
        .replace("count = 6", "count = 2");
    fs::write(here.join("own.toml"), tern).unwrap();
    let fleet = "ruleset = \"wars-of-honor\"\nname = \"F\"\n[[ship]]\ndesign = \"own.toml\"\ncount = 2\nhull_number = \"X-1\"\n";
    let games = games();
    let check = |at: &Path| {
        let source = Source::new("f.toml", fleet);
        check_fleet(&games, &source, &FileRef::on_disk(at.join("f.toml"))).unwrap()
    };
    let fleet = check(here);
    assert_eq!(fleet.units.len(), 2, "{:?}", fleet.skipped);
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("f.toml");
    let import = |text: &str| import_list(&Store::built_in(), &games, &Source::new("l.txt", text), None, &path);
    let whole = import(&write_list(&fleet, ShareOptions { designs: true }).0);
    assert!(whole.findings.is_empty(), "{:?}", whole.findings);
    assert_eq!(what(&whole.fleet.unwrap()), what(&fleet));
    let poor = import(&write_list(&fleet, ShareOptions { designs: false }).0);
    let missing = poor.findings.iter().find(|finding| finding.code == "missing-design").unwrap();
    assert_eq!((missing.at.file.as_deref(), missing.at.line), (Some("l.txt"), 5), "{:?}\n{}", missing, poor.toml);
}

fn run(here: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(here).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_commands_say_what_they_could_not_read_and_overwrite_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("list.txt"),
        "My squadron, by Anna\n\n2x Petrel\n1 x Vigilent \"HMS Argus\" CA-301\n\nsee you on Friday\n",
    )
    .unwrap();
    let (status, out, err) = run(here, &["import", "list.txt", "-o", "f.toml"]);
    assert_eq!(status, 1, "{out}{err}");
    assert!(err.contains("list.txt:4") && err.contains("did you mean `Vigilant`?"), "{err}");
    assert!(err.contains("list.txt:6") && err.contains("see you on Friday"), "{err}");
    assert!(err.contains("wars-of-honor"), "the game is guessed and said so: {err}");
    let toml = fs::read_to_string(here.join("f.toml")).unwrap();
    assert!(toml.contains("design = \"Vigilent\"") && toml.contains("# line 6: see you on Friday"), "{toml}");
    let (status, _, err) = run(here, &["import", "list.txt", "-o", "f.toml"]);
    assert!(status == 2 && err.contains("the file already exists"), "{err}");
    assert_eq!(fs::read_to_string(here.join("f.toml")).unwrap(), toml);
    // Mended, it is shared and read again.
    fs::write(here.join("g.toml"), toml.replace("Vigilent", "Vigilant")).unwrap();
    let (status, text, err) = run(here, &["share", "g.toml"]);
    assert_eq!(status, 0, "{err}");
    assert!(text.contains("- Vigilant \"HMS Argus\", CA-301 (") && text.contains("- 2 x Petrel ("), "{text}");
    assert_eq!(run(here, &["share", "g.toml", "-o", "out.txt"]).0, 0);
    assert_eq!(fs::read_to_string(here.join("out.txt")).unwrap(), text);
    assert_eq!(run(here, &["share", "g.toml", "-o", "out.txt"]).0, 2, "nothing is overwritten");
    let (status, again, err) = run(here, &["import", "out.txt", "-o", "-"]);
    assert_eq!(status, 0, "{err}");
    assert!(again.contains("hull_number = \"CA-301\""), "{again}");
    // Points that are not what the list says are told.
    let (points, _) = text.split_once(" points").unwrap();
    let points = points.rsplit('(').next().unwrap();
    fs::write(
        here.join("old.txt"),
        text.replace(&format!("({points} points"), "(7 points").replace("version 1", "version 0"),
    )
    .unwrap();
    let (status, _, err) = run(here, &["import", "old.txt", "-o", "-"]);
    assert!(status == 0 && err.contains("other-points") && err.contains("the list says 7"), "{status} {err}");
    // Faults of the file itself stand where the file says them, below its first line.
    fs::create_dir(here.join("schemas")).unwrap();
    fs::write(here.join("schemas/fleet.json"), "{}").unwrap();
    fs::write(here.join("hit.txt"), "Game: x (wars-of-honor)\n- Petrel\n  Damage: structure 5-1\n").unwrap();
    let (_, _, err) = run(here, &["import", "hit.txt", "-o", "hit.toml"]);
    let file = fs::read_to_string(here.join("hit.toml")).unwrap();
    let line = file.lines().position(|line| line.contains("5-1")).unwrap() + 1;
    assert!(
        file.starts_with("#:schema schemas/fleet.json\n") && err.contains(&format!("hit.toml:{line}:")),
        "{err}\n{file}"
    );
    // What cannot be had.
    fs::write(here.join("empty.txt"), "\n\n").unwrap();
    fs::write(here.join("design.toml"), include_str!("../designs/wars-of-honor/petrel.toml")).unwrap();
    for wrong in [
        &["import", "empty.txt", "-o", "x.toml"][..],
        &["import", "none.txt", "-o", "x.toml"],
        &["import", "list.txt", "-o", "x.txt"],
        &["import", "list.txt", "-o", "x.toml", "--rules", "none"],
        &["share", "design.toml"],
        &["share", "none.toml"],
    ] {
        let (status, out, err) = run(here, wrong);
        assert_eq!(status, 2, "{wrong:?} {out}{err}");
        assert!(!err.is_empty() && !here.join("x.toml").exists(), "{wrong:?}");
    }
}

/// Each line, what is made of it, and what is said of it.
#[test]
fn nothing_that_is_written_twice_or_below_zero_is_lost() {
    let games = games();
    let read = |text: &str| {
        import_list(games.store(), &games, &Source::new("l.txt", text), Some("wars-of-honor"), Path::new("f.toml"))
    };
    for (text, ships, said, line) in [
        (
            "- Petrel \"HMS A\", DD-1; Petrel \"HMS B\", DD-2",
            "1 HMS A DD-1, 1 HMS B DD-2",
            "one ship in a line, found 2",
            1,
        ),
        ("- 3 Petrel, 2 Vigilant", "3 - -, 2 - -", "one ship in a line, found 2", 1),
        ("- Petrel, Petrel, Petrel", "1 - -, 1 - -, 1 - -", "one ship in a line, found 3", 1),
        ("2x Petrel \"HMS A\", \"HMS B\"", "2 HMS A -", "found “\"HMS B\"”", 1),
        ("2 x Petrel, DD-1, DD-2", "2 - DD-1", "found “DD-2”", 1),
        ("- Petrel\n  Captain: A\n  Captain: B", "1 - -", "one captain, A, found “captain: B”", 3),
        ("Side: A\nSide: B\n- Petrel", "1 - -", "one side, A, found “side: B”", 2),
        ("Fleet: A\n- Petrel\n\nFleet: B\n- Vigilant", "1 - -, 1 - -", "one fleet, A, found “fleet: B”", 4),
        ("class,count\nPetrel,-1", "1 - -", "Petrel: -1", 2),
        ("qty;class\n1,5;Petrel", "1 - -", "Petrel: 1,5", 2),
        ("class,class\nPetrel,Vigilant", "1 - -", "Petrel: Vigilant", 2),
        ("- -2x Petrel", "1 - -", "unknown class `-2x Petrel`", 1),
        ("Budget: much\n- Petrel", "1 - -", "expected a whole number, such as 1500, found “budget: much”", 1),
    ] {
        let found = read(text);
        let word = |word: &Option<String>| word.clone().unwrap_or_else(|| "-".to_owned());
        let of = found.list.ships.iter();
        let of: Vec<String> = of
            .map(|ship| format!("{} {} {}", ship.count.unwrap_or(1), word(&ship.name), word(&ship.hull_number)))
            .collect();
        assert_eq!(of.join(", "), ships, "{text}: {:?}", found.findings);
        let is_said = found.findings.iter().any(|finding| finding.at.line == line && finding.message.contains(said));
        assert!(is_said, "{text}: {:?}", found.findings);
    }
    assert_eq!(read("Budget: 1500 pts\n- Petrel").list.budget, Some(1500));
    // The ship of a class that has its name.
    let first = read("- Vigilant, Vigilant, CA-1");
    assert_eq!((first.list.ships.len(), first.list.ships[0].name.as_deref()), (1, Some("Vigilant")));
}

/// A house layer has the classes of its game, too.
#[test]
fn a_list_is_of_the_game_and_not_of_a_layer_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("rulesets")).unwrap();
    let layer = "[ruleset]\nid = \"aa-house\"\ntitle = \"A house\"\nversion = \"1.0\"\nschema = 1\nextends = \"sky-full-of-ships\"\n\
                 [change.value.points]\nformula = \"base + 5\"\n";
    fs::write(here.join("rulesets/aa-house.toml"), layer).unwrap();
    fs::write(here.join("l.txt"), "- Tern\n").unwrap();
    let (_, toml, err) = run(here, &["import", "l.txt", "-o", "-"]);
    assert!(toml.contains("ruleset = \"sky-full-of-ships\"") && err.contains("missing ruleset"), "{toml}{err}");
    fs::write(here.join("l.txt"), "Game: A Sky Full of Ships\n- Tern\n").unwrap();
    let (_, toml, err) = run(here, &["import", "l.txt", "-o", "-"]);
    assert!(toml.contains("ruleset = \"sky-full-of-ships\"") && !err.contains("warning"), "{toml}{err}");
    // A title without its version, an id; a game that there is not is said to be unknown.
    for (game, id) in
        [("Wars of Honor", "wars-of-honor"), ("wars-of-honor", "wars-of-honor"), ("Star Navy", "star-navy")]
    {
        fs::write(here.join("l.txt"), format!("Game: {game}\n- Petrel\n")).unwrap();
        let (_, toml, err) = run(here, &["import", "l.txt", "-o", "-"]);
        let is_said = err.contains("missing ruleset") || err.contains("points may differ");
        assert!(toml.contains(&format!("ruleset = \"{id}\"")) && !is_said, "{toml}{err}");
    }
    fs::write(here.join("l.txt"), "Game: Wars of Honour\n- Petrel\n").unwrap();
    let (_, _, err) = run(here, &["import", "l.txt", "-o", "-"]);
    assert!(err.contains("unknown game “Wars of Honour” in the list; using the best match `wars-of-honor`"), "{err}");
    fs::write(here.join("l.txt"), "").unwrap();
    let (status, _, err) = run(here, &["import", "l.txt", "-o", "-"]);
    assert!(status == 2 && err.matches("error[").count() == 1 && err.contains("found no ships"), "{status} {err}");
}

/// A fleet's file that is only printed has no lines to look at.
#[test]
fn faults_of_a_list_that_is_only_shown_are_at_its_own_lines() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("l.txt"),
        "Game: Wars of Honor (wars-of-honor)\n\n- Vigilant\n- Petrel\n  Damage: structure 1-2 lost\n",
    )
    .unwrap();
    let (_, _, err) = run(here, &["import", "l.txt", "-o", "-"]);
    assert!(err.contains("l.txt:4") && !err.contains("fleet.toml"), "{err}");
}

#[test]
fn odd_names_are_kept_or_told() {
    let games = games();
    for name in [
        "“Bob's \\\"Big\\\" Ship”",
        "Notes: x",
        "3 x Tern",
        "[b]old[/b]",
        "a\\u0007b",
        "- -",
        "CON",
        "🚀 One",
        "名前",
        "(12 points)",
        "Tow: 3, 4",
    ] {
        let toml = format!(
            "ruleset = \"wars-of-honor\"\nname = \"{name}\"\n[[ship]]\ndesign = \"Petrel\"\nname = \"{name}\"\nhull_number = \"{name}\"\nnotes = \"{name}\"\n"
        );
        let path = Path::new("f.toml").to_path_buf();
        let fleet = check_fleet(&games, &Source::new("f.toml", &toml), &FileRef::on_disk(path.clone())).unwrap();
        let (text, findings) = write_list(&fleet, ShareOptions::default());
        let made = import_list(&Store::built_in(), &games, &Source::new("l.txt", &text), None, &path);
        let back = made.fleet.unwrap();
        let name = |fleet: &EvaluatedFleet| {
            fleet.units[0].evaluation.ship.name.clone().unwrap_or_default().replace('\u{7}', "")
        };
        if findings.is_empty() {
            assert_eq!(name(&back), name(&fleet), "{text}");
        }
        assert_eq!(back.units.len(), 1, "{text}");
        assert!(made.findings.iter().all(|finding| finding.severity != Severity::Error), "{:?}", made.findings);
    }
}

#[test]
fn notes_of_any_length_come_back_whole() {
    let games = games();
    let notes: String = (0..9_000).map(|n| format!("word{n} ")).collect();
    let notes = notes.trim_end();
    let fleet =
        format!("ruleset = \"wars-of-honor\"\nname = \"F\"\n[[ship]]\ndesign = \"Petrel\"\nnotes = \"{notes}\"\n");
    let lies = FileRef::built_in("designs/wars-of-honor/fleets/f.toml");
    let fleet = check_fleet(&games, &Source::new("f.toml", &fleet), &lies).unwrap();
    let (text, findings) = write_list(&fleet, ShareOptions { designs: false });
    assert!(findings.is_empty() && text.contains("word8999"), "{findings:?}");
    for text in [text.clone(), text.replace("\n    ", " ")] {
        let made = import_list(&Store::built_in(), &games, &Source::new("l.txt", &text), None, Path::new("f.toml"));
        assert_eq!(made.list.ships[0].notes.as_deref(), Some(notes));
    }
}

#[test]
fn no_key_of_a_fleet_drives_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "tow\\u001b]0;x\\u0007\\u009b2J\\u061c\\u2028";
    let fleet = format!(
        "ruleset = \"wars-of-honor\"\nname = \"{evil}\"\n[[ship]]\ndesign = \"Petrel\"\n\"{evil}\" = 3\nnotes = \"{evil}\"\n"
    );
    fs::write(folder.path().join("f.toml"), fleet).unwrap();
    for arguments in [&["share", "f.toml"][..], &["check", "f.toml"], &["check", "--json", "f.toml"]] {
        let (_, out, err) = run(folder.path(), arguments);
        let drives = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{61c}' | '\u{2028}');
        assert!(!out.contains(drives) && !err.contains(drives), "{arguments:?}\n{out:?}\n{err:?}");
        if arguments.contains(&"--json") {
            let report: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(report[0]["name"], "tow\u{1b}]0;x\u{7}\u{9b}2J\u{61c}\u{2028}");
        }
    }
}

#[test]
fn a_list_that_makes_too_large_a_fleet_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let list = format!("Game: Wars of Honor (wars-of-honor)\n\n- Petrel\n  Notes: {}\n", "word ".repeat(250_000));
    fs::write(folder.path().join("l.txt"), list).unwrap();
    let (status, _, err) = run(folder.path(), &["import", "l.txt", "-o", "f.toml"]);
    assert!(
        status == 2 && err.contains("file-too-large") && !folder.path().join("f.toml").exists(),
        "{status} {err:.400}"
    );
}

#[test]
fn a_roster_is_read_back_and_other_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let fleet = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/wars-of-honor/fleets"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .find(|path| path.ends_with("convoy-escort.toml"))
        .unwrap();
    let fleet = fleet.to_str().unwrap();
    for (table, option) in [("a.csv", None), ("b.csv", Some("--semicolons"))] {
        let arguments: Vec<&str> = ["pack", fleet, "-o", table].into_iter().chain(option).collect();
        assert_eq!(run(here, &arguments).0, 0);
        let bytes = fs::read(here.join(table)).unwrap();
        assert!(
            bytes.starts_with("\u{feff}".as_bytes()) && !String::from_utf8(bytes).unwrap().contains('–'),
            "{table}"
        );
        let made = format!("{table}.toml");
        let (status, out, err) = run(here, &["import", table, "--rules", "wars-of-honor", "-o", &made]);
        assert_eq!(status, 0, "{out}{err}");
        // The same ships with what they tow, for the same points; the roster has a line for each ship, and no budget.
        let total = |path: &str| {
            let (_, out, _) = run(here, &["check", path]);
            let (_, points) = out.split_once("4 ships and 1 carried, ").unwrap_or_else(|| panic!("{out}"));
            points.split(' ').next().map(str::to_owned)
        };
        assert_eq!(total(&made), total(fleet), "{table}");
    }
    fs::copy(fleet, here.join("own.toml")).unwrap();
    fs::write(
        here.join("a.ros"),
        "<?xml version=\"1.0\"?>\n<roster name=\"Test\"><selection name=\"Petrel\"/></roster>\n",
    )
    .unwrap();
    fs::write(here.join("a.pdf"), b"%PDF-1.7\n\xff\xfe").unwrap();
    fs::write(here.join("a.rosz"), [b"PK\x03\x04".as_slice(), &[0; 26], b"a.ros"].concat()).unwrap();
    for (file, what) in
        [("own.toml", "fleet file"), ("a.ros", "BattleScribe"), ("a.pdf", "a PDF"), ("a.rosz", "BattleScribe")]
    {
        let (status, out, err) = run(here, &["import", file, "--rules", "wars-of-honor", "-o", "x.toml"]);
        assert!(
            status == 2 && out.is_empty() && err.contains(what) && err.contains("not-a-list"),
            "{file}: {out}{err}"
        );
        assert!(err.lines().count() <= 3 && !here.join("x.toml").exists(), "{file}: {err}");
    }
}

#[test]
fn what_the_program_chose_or_found_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let petrel = include_str!("../designs/wars-of-honor/petrel.toml").replace("\"Petrel\"", "\"Kestrel\"");
    fs::write(here.join("kestrel.toml"), &petrel).unwrap();
    fs::write(here.join("kestrel (1).toml"), petrel.replace("count = 4", "count = 3")).unwrap();
    let fleet = "ruleset = \"wars-of-honor\"\nname = \"F\"\ncolour = \"#1f4e9e\"\npattern = \"dots\"\nbudget = 100\n\
                 [[ship]]\ndesign = \"Kestrel\"\n";
    fs::write(here.join("f.toml"), fleet).unwrap();
    for command in
        [&["check", "f.toml"][..], &["share", "f.toml"], &["pack", "f.toml", "--only", "roster", "-o", "f.pdf"]]
    {
        let (_, out, err) = run(here, command);
        let said = out + &err;
        assert!(
            said.contains("two designs are called Kestrel: kestrel (1).toml (")
                && said.contains("kestrel.toml (442 points)"),
            "{command:?}: {said}"
        );
    }
    let (status, text, err) = run(here, &["share", "f.toml"]);
    assert!(status == 0 && err.contains("fleet-not-legal"), "{err}");
    assert!(text.contains("\nLegal: no, ") && text.contains("\nColour: #1f4e9e\nPattern: dots\n"), "{text}");
    fs::write(here.join("l.txt"), &text).unwrap();
    let (_, toml, err) = run(here, &["import", "l.txt", "-o", "-"]);
    assert!(
        toml.contains("colour = \"#1f4e9e\"\npattern = \"dots\"\n") && !err.contains("not-understood"),
        "{toml}{err}"
    );
    // A class that is named by its file is no choice of the program's, nor is one of two equal texts.
    fs::write(here.join("g.toml"), fleet.replace("\"Kestrel\"", "\"kestrel.toml\"")).unwrap();
    assert!(!run(here, &["check", "g.toml"]).1.contains("two designs"));
    fs::write(here.join("kestrel (1).toml"), &petrel).unwrap();
    assert!(!run(here, &["check", "f.toml"]).1.contains("two designs"));
}
