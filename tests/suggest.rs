//! `moldloft suggest` as a player uses it: answers, files, reports, and questions that cannot be asked.

use std::fs;

use crate::support::program;
use program::Folder;

const PETREL: &str = include_str!("../designs/wars-of-honor/petrel.toml");
const MORE: [&str; 8] =
    ["suggest", "petrel.toml", "--maximise", "launchers", "--goal", "points <= 500", "--vary", "missile-launcher"];

fn folder() -> Folder {
    Folder::with(&[("petrel.toml", PETREL.as_bytes())])
}

#[test]
fn an_answer_names_its_changes_its_limits_and_what_is_proved() {
    let answer = folder().run(&MORE);
    answer.expect(0).says("launchers: 7 instead of 6; 476 points; legal\n");
    answer.says("missile launcher, forward chase: 1 → 2\n").says("goes with it (launcher-without-magazine)");
    answer.says("Proved: no design within these limits is better.\n").says("no error, no new warning\n");
}

#[test]
fn the_changed_design_is_written_once_and_is_legal() {
    let folder = folder();
    let with = |more: &[&'static str]| [&MORE[..], more].concat();
    folder.run(&with(&["-o", "seven.toml"])).expect(0).says("wrote seven.toml");
    let text = fs::read_to_string(folder.path("seven.toml")).unwrap();
    assert!(
        text.contains("# chase armament") && text.contains("feeds = 7") && text.len() < PETREL.len() + 40,
        "{text}"
    );
    folder.run(&["check", "seven.toml"]).expect(0).says("legal, 476 points");
    // An existing file is not replaced unasked.
    fs::write(folder.path("mine.toml"), "mine").unwrap();
    folder.run(&with(&["-o", "mine.toml"])).expect(2).says("file-exists").says("--force");
    assert_eq!(fs::read_to_string(folder.path("mine.toml")).unwrap(), "mine");
    folder.run(&with(&["-o", "mine.toml", "--force"])).expect(0);
    assert_eq!(fs::read_to_string(folder.path("mine.toml")).unwrap(), text);
    // Without an answer nothing is written.
    let none = [
        "suggest",
        "petrel.toml",
        "--maximise",
        "launchers",
        "--goal",
        "points < 9",
        "--vary",
        "laser",
        "-o",
        "none.toml",
    ];
    folder.run(&none).expect(1).says("meets that").says("nothing was written");
    assert_eq!(folder.files(), ["mine.toml", "petrel.toml", "seven.toml"]);
}

#[test]
fn the_report_for_programs_has_the_claim_and_the_limits() {
    let report = folder().run(&[&MORE[..], &["--json"]].concat()).expect(0).json();
    let report = &report[0];
    assert_eq!(
        (report["best"].as_i64(), report["before"].as_i64(), report["proved"].as_bool()),
        (Some(7), Some(6), Some(true))
    );
    assert_eq!(report["claim"], "Proved: no design within these limits is better.");
    assert_eq!(report["after"]["points"], 476);
    assert_eq!(report["after"]["values"]["launchers"], 7);
    assert_eq!(report["changes"][1]["follows"], "launcher-without-magazine");
    assert_eq!(report["levers"].as_array().unwrap().len(), 4);
    let spend = folder().run(&["suggest", "petrel.toml", "--spend", "460", "--json"]).expect(0).json();
    assert!(spend[0]["bought"].as_array().unwrap().iter().all(|one| one["after"]["points"].as_i64().unwrap() <= 460));
    let breaks = folder().run(&["suggest", "petrel.toml", "--breaks", "thrust", "--json"]).expect(0).json();
    assert!(!breaks[0]["breaks"].as_array().unwrap().is_empty());
    let legal = folder().run(&["suggest", "petrel.toml", "--legal", "--json"]).expect(0).json();
    assert_eq!((legal[0]["fewest"].as_u64(), legal[0]["claim"].as_str()), (Some(0), Some("It is legal as it is.")));
}

#[test]
fn a_system_is_added_where_it_is_named() {
    let question = [
        "suggest",
        "petrel.toml",
        "--maximise",
        "count('graser')",
        "--goal",
        "points <= 480",
        "--vary",
        "graser@forward",
    ];
    let folder = folder();
    folder
        .run(&[&question[..], &["-o", "x.toml"]].concat())
        .expect(0)
        .says("graser, forward chase: 0 → 1")
        .says("Proved");
    folder.run(&["check", "x.toml"]).expect(0).says("legal");
    assert!(fs::read_to_string(folder.path("x.toml")).unwrap().contains("system = \"graser\"\nmount = \"forward\""));
}

#[test]
fn what_is_pinned_stays_and_other_numbers_can_be_spent() {
    let folder = folder();
    let ask = ["suggest", "petrel.toml", "--cheaper", "--vary", "cnc", "--vary", "laser-cluster", "--json"];
    let free = folder.run(&ask).expect(0).json();
    let pinned = folder.run(&[&ask[..], &["--pin", "cnc"]].concat()).expect(0).json();
    let levers = |report: &[serde_json::Value]| {
        let levers = report[0]["levers"].as_array().unwrap();
        levers.iter().map(|one| one["lever"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(levers(&free).contains(&"cnc@core".to_owned()) && !levers(&pinned).contains(&"cnc@core".to_owned()));
    assert!(!levers(&pinned).is_empty() && pinned[0]["best"].as_i64() >= free[0]["best"].as_i64());
    let spend = folder.run(&["suggest", "petrel.toml", "--spend", "9", "--of", "launchers", "--json"]).expect(0).json();
    assert_eq!((spend[0]["of"].as_str(), spend[0]["most"].as_i64()), (Some("launchers"), Some(9)));
    let bought = spend[0]["bought"].as_array().unwrap();
    assert!(!bought.is_empty());
    assert!(bought.iter().all(|one| (7..=9).contains(&one["after"]["values"]["launchers"].as_i64().unwrap())));
}

#[test]
fn what_cannot_be_asked_is_named() {
    let folder = folder();
    for (question, code) in [
        (&["--maximise", "launchers", "--vary", "missile-luncher"][..], "unknown-lever"),
        (&["--maximise", "launchers", "--vary", "laser:9..1"], "empty-window"),
        (&["--maximise", "launchers", "--vary", "laser:0..999999"], "too-large"),
        (&["--maximise", "launchers", "--goal", "points"], "goal-not-a-condition"),
        (&["--maximise", "lunchers"], "unknown-name"),
        (&["--maximise", "launchers +"], "not-a-formula"),
        (&["--maximise", "'x'"], "wrong-type"),
        (&["--breaks", "structur"], "unknown-name"),
        (&["--legal", "--pin", "missile-luncher"], "unknown-lever"),
        (&["--spend", "9", "--of", "lunchers"], "unknown-name"),
    ] {
        folder.run(&[&["suggest", "petrel.toml"], question].concat()).expect(2).says(&format!("error[{code}]"));
    }
    let unused = folder.run(&["suggest", "petrel.toml", "--legal", "--vary", "laser"]);
    unused.expect(0).says("--vary and --goal do not count").says("--pin");
    // What to do is said.
    let pinned = ["--maximise", "launchers", "--pin", "missile-launcher", "--vary", "missile-launcher"];
    folder.run(&[&["suggest", "petrel.toml"][..], &pinned].concat()).expect(2).says("is pinned").says("pin less");
    folder.run(&["suggest", "petrel.toml", "--spend", "9", "--of", "lunchers"]).expect(2).says("--of: unknown name");
    let system = folder.run(&["suggest", "petrel.toml", "--maximise", "graserz"]);
    system.expect(2).says("`graser` is a system: write count('graser') for how many there are");
    let other = ["--maximise", "odds.all", "--vary", "laser@port:0..2", "--against", "swordfish"];
    folder.run(&[&["suggest", "petrel.toml"][..], &other].concat()).expect(2).says("other-game").says("the same game");
    let over = folder.run(&["suggest", "petrel.toml", "--spend", "-5"]);
    over.expect(0).says("so nothing can be added");
    for wrong in [
        &["suggest", "petrel.toml"][..],
        &["suggest", "petrel.toml", "--legal", "--cheaper"],
        &["suggest", "petrel.toml", "--legal", "--effort", "0"],
        &["suggest", "petrel.toml", "--legal", "--of", "launchers"],
    ] {
        folder.run(wrong).expect(2);
    }
    folder.run(&["suggest", "nowhere.toml", "--legal"]).expect(2).says("no-such-file");
    folder.write("misspelt.toml", PETREL.replace("\"manticore\"", "\"mantikore\"").as_bytes());
    let misspelt = folder.run(&["suggest", "misspelt.toml", "--legal"]);
    misspelt.expect(0).says("One change makes it legal. This one does:").says("set nation to Manticore Alliance");
    folder.write("unknown.toml", PETREL.replace("\"manticore\"", "\"zz\"").as_bytes());
    let unknown = folder.run(&["suggest", "unknown.toml", "--legal"]);
    unknown.expect(0).says("One change makes it legal. Each of these").says("set nation to Manticore Alliance");
    folder.write("bad.toml", b"name =");
    folder.run(&["suggest", "bad.toml", "--legal"]).expect(1).says("not-toml");
}

/// A target by its name and by its file, in every game: the rules are the same, however often they are loaded.
#[test]
fn figures_of_odds_are_against_any_ship_of_the_game_by_name_and_by_file() {
    let folder = Folder::with(&[]);
    let design = |game: &str, name: &str| {
        let path = format!("{}/designs/{game}/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        fs::read(path).unwrap()
    };
    for (game, own, target, figure, vary) in [
        ("wars-of-honor", "petrel", "vigilant", "odds.all", "laser@port:1..3"),
        ("sky-full-of-ships", "swordfish", "tern", "odds.all", "primary_forward:6..9"),
        ("star-navy", "pittsburgh", "milwaukee", "odds.all", "laser:1..2"),
        ("battleships-1890s", "saltholm", "hammerfest", "odds.all", "secondary-gun:0..2"),
        ("b5-house-rules", "varnic", "sirenna", "odds.all.structure", "thrust:6..8"),
    ] {
        folder.write(&format!("{own}.toml"), &design(game, own));
        folder.write(&format!("{target}-copy.toml"), &design(game, target));
        let file = format!("{own}.toml");
        let ask = |against: &str| {
            let run = folder.run(&["suggest", &file, "--maximise", figure, "--vary", vary, "--against", against]);
            run.expect(0).says("odds: against ").says("Proved");
            run.out.clone()
        };
        let copy = format!("{target}-copy.toml");
        assert_eq!(ask(target), ask(&copy), "{game}");
    }
}

/// A command that lacks what it needs says what to write.
#[test]
fn what_a_search_gave_up_is_said() {
    let folder = folder();
    let stripped = folder.run(&["suggest", "petrel.toml", "--minimise", "points", "--goal", "count('laser') >= 4"]);
    stripped.expect(0).says("since no goal asks for more: keep what must stay with --pin, or use --cheaper");
    let system = folder.run(&["suggest", "petrel.toml", "--maximise", "missile-launcher"]);
    system.expect(2).says("write count('missile-launcher') for how many there are");
    let goal = folder.run(&["suggest", "petrel.toml", "--maximise", "launchers", "--goal", "missile-launcher >= 7"]);
    goal.expect(2).says("write count('missile-launcher')");
}

const CNC_IN_CORE: &str = "system = \"cnc\"\nmount = \"core\"";

/// Two plain errors at once: what findings' own fixes do is combined with other numbers.
#[test]
fn fixes_of_findings_are_part_of_the_fewest_changes() {
    let folder = folder();
    assert!(PETREL.contains(CNC_IN_CORE));
    let moved = PETREL.replace(CNC_IN_CORE, "system = \"cnc\"\nmount = \"forward\"");
    folder.write("both.toml", moved.replace("feeds = 6", "feeds = 4").as_bytes());
    let both = folder.run(&["suggest", "both.toml", "--legal", "-o", "mended.toml"]);
    both.expect(0).says("No single change makes it legal").says("These two do:");
    both.says(
        "move the CnC from forward chase to core and set launchers it feeds of the missile magazine in core to 6\n",
    );
    assert_eq!(fs::read_to_string(folder.path("mended.toml")).unwrap(), PETREL);
    // A word that is misspelt twice over, and a number.
    let misspelt = moved.replace("\"ew-drone\"", "\"ew-dron\"");
    folder.write("words.toml", misspelt.as_bytes());
    let words = folder.run(&["suggest", "words.toml", "--legal", "-o", "words.toml", "--force"]);
    words.expect(0).says("These two do:").says("change the ew-dron in core to EW drone");
    assert_eq!(fs::read_to_string(folder.path("words.toml")).unwrap(), PETREL);
    let sky = b"ruleset = \"sky-full-of-ships\"\nname = \"P\"\n[fields]\nmass = 8\nscreens = 7\nfighter_bays = 8\nsecondary = 8\nengine = 4\n";
    folder.write("sky.toml", sky);
    let sky = folder.run(&["suggest", "sky.toml", "--legal"]);
    sky.expect(0)
        .says("No single change makes it legal")
        .says("electronic defences to 4")
        .says("set fighter bays to 6");
    // What is not mended is named.
    folder.write(
        "unknown.toml",
        PETREL
            .replace("ruleset = \"wars-of-honor\"", "ruleset = \"wars-of-honor\"\n[[system]]\nid = \"own\"")
            .as_bytes(),
    );
    let unknown = folder.run(&["suggest", "unknown.toml", "--legal"]);
    unknown.expect(1).says("fix the errors in its file first").says("no fix is known: missing `like`");
}

/// Five numbers are out of bounds, and with one of them at its bound the design has a warning that it had not.
#[test]
fn a_warning_that_comes_with_the_fixes_throws_no_way_out() {
    let folder = folder();
    let broken = "ruleset = \"sky-full-of-ships\"\nname = \"P\"\n[fields]\nmass = 0\nscreens = 9\nengine = 12\nhull_strength = 0\nsecondary = -3\n";
    for more in ["", "primary_left = -1\nprimary_right = -1\n"] {
        folder.write("broken.toml", format!("{broken}{more}").as_bytes());
        folder.run(&["suggest", "broken.toml", "--legal", "-o", "mended.toml", "--force"]).expect(0).says("These ");
        folder.run(&["check", "mended.toml"]).expect(0).says("legal");
    }
}

/// More words are wrong than changes are tried together, and a number beside them.
#[test]
fn the_fixes_of_all_findings_together_are_one_way() {
    let folder = folder();
    let words = PETREL
        .replace("launcher\"", "launchr\"")
        .replace("-node\"", "-nodee\"")
        .replace("laser-cluster\"", "laser-clustr\"");
    let wrong = words.lines().zip(PETREL.lines()).filter(|(wrong, right)| wrong != right).count();
    assert!(wrong > 4, "{wrong}");
    folder.write("words.toml", words.as_bytes());
    let mended = folder.run(&["suggest", "words.toml", "--legal", "-o", "mended.toml"]);
    mended.expect(0).says(&format!("These {wrong} do:"));
    assert_eq!(fs::read_to_string(folder.path("mended.toml")).unwrap(), PETREL);
    folder.write("more.toml", words.replace("feeds = 6", "feeds = 4").as_bytes());
    folder.run(&["suggest", "more.toml", "--legal"]).expect(0).says(&format!("These {} do:", wrong + 1));
}

/// What is not tried is named beside what is ruled out.
#[test]
fn a_claim_names_the_rows_that_were_not_tried() {
    let varnic = include_str!("../designs/b5-house-rules/varnic.toml");
    let (row, boxes) = ("from = 10, to = 10, hits = \"primary\"", "armour = 4\nboxes = 40\n");
    assert!(varnic.contains(row) && varnic.contains(boxes));
    let broken =
        varnic.replace(row, "from = 10, to = 11, hits = \"primary\"").replacen(boxes, "armour = 4\nboxes = 0\n", 1);
    let folder = Folder::with(&[("b.toml", broken.as_bytes())]);
    let found = folder.run(&["suggest", "b.toml", "--legal"]);
    found.expect(1).says("numbers may change, no rows or own systems)").says("words and rows,");
}

/// Errors forbid every purchase, which is not a proof about the design; and one of many is one.
#[test]
fn what_can_be_bought_is_said_in_words_that_hold() {
    let folder = folder();
    folder.write("wrong.toml", PETREL.replacen("\"laser-cluster\"", "\"laser-clustr\"", 1).as_bytes());
    let wrong = folder.run(&["suggest", "wrong.toml", "--spend", "900"]);
    wrong.says("nothing: the design has 1 error, so that no purchase makes it legal");
    assert!(!wrong.out.contains("Proved"), "{}", wrong.out);
    folder.write("sky.toml", b"ruleset = \"sky-full-of-ships\"\nname = \"P\"\n[fields]\nmass = 8\nhull_strength = 4\nfighter_bays = 1\nengine = 4\n");
    let more = folder.run(&["suggest", "sky.toml", "--spend", "10"]);
    more.says("1 more fighter bay");
    assert!(!more.out.contains("1 more fighter bays") && !more.out.contains("1 more secondaries"), "{}", more.out);
}

/// What points buy is ordered by what it does, mixtures among it, and each says so.
#[test]
fn purchases_come_best_first_with_what_they_do() {
    let folder = folder();
    let report = folder.run(&["suggest", "petrel.toml", "--spend", "600", "--json"]).expect(0).json();
    let bought = report[0]["bought"].as_array().unwrap();
    let trades: Vec<f64> = bought.iter().map(|one| one["trade"].as_f64().unwrap()).collect();
    assert!(trades.len() > 5 && trades.is_sorted_by(|a, b| a + 1e-9 >= *b), "{trades:?}");
    assert!(trades[0] > 1.0, "{trades:?}");
    let mixed: Vec<_> = bought.iter().filter(|one| !one["also"].is_null()).collect();
    assert!(!mixed.is_empty(), "{bought:?}");
    for one in &mixed {
        assert!(one["after"]["points"].as_i64().unwrap() <= 600 && one["also"]["more"].as_i64().unwrap() > 0);
        // It does more than the most of each alone.
        for part in [&one["lever"], &one["also"]["lever"]] {
            let alone = bought.iter().find(|other| other["also"].is_null() && other["lever"] == *part).unwrap();
            assert!(one["trade"].as_f64() > alone["trade"].as_f64(), "{one}");
        }
    }
    let text = folder.run(&["suggest", "petrel.toml", "--spend", "600"]);
    text.expect(0).says("points destroyed for each lost 1.00 → ").says("best first, by points destroyed for each lost");
}

/// Where odds are more work than a question may take, nothing is said of them but that.
#[test]
fn odds_that_are_not_worked_out_are_not_claimed() {
    let layer = "[ruleset]\nid = \"storms\"\ntitle = \"Storms\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
        [[attack]]\nid = \"storm\"\n[[attack.step]]\nx = \"d200\"\ny = \"d200\"\n[[attack.step]]\nz = \"d200\"\n\
        [[attack.step]]\nleft.structure = \"left.structure - x * y * z % 2\"\n";
    let path = format!("{}/designs/wars-of-honor/vigilant.toml", env!("CARGO_MANIFEST_DIR"));
    let folder =
        Folder::with(&[("vigilant.toml", &fs::read(path).unwrap()), ("rulesets/storms.toml", layer.as_bytes())]);
    let ask = |more: &[&str]| folder.run(&[&["suggest", "vigilant.toml", "--rules", "storms"][..], more].concat());
    let cheaper = ["--cheaper", "--vary", "laser-cluster"];
    let less = ask(&cheaper);
    less.says("the odds were not compared: more than ");
    assert!(!less.out.contains("nothing less in a fight"), "{}", less.out);
    let report = ask(&[&cheaper[..], &["--json"]].concat()).json();
    assert!(report[0]["odds_not_compared"].is_string(), "{report:?}");
    ask(&["--spend", "1800"]).expect(0).says("best first, by the values that are shown large, not by odds: ");
    let report = ask(&["--spend", "1800", "--json"]).json();
    assert_eq!(report[0]["by_odds"], false, "{report:?}");
}

/// The largest ships of each game, too; and weapons say how far they reach.
/// The reach of what is bought is that of its own attack, also where others read it.
#[test]
fn secondaries_reach_as_far_as_they_do_more() {
    let path = format!("{}/designs/sky-full-of-ships/burlington.toml", env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::with(&[("own.toml", &fs::read(path).unwrap())]);
    let told = folder.run(&["suggest", "own.toml", "--spend", "11", "--of", "weapon_mass"]);
    let (_, secondaries) = told.out.split_once("more secondaries:").unwrap();
    let line = secondaries.lines().nth(1).unwrap();
    assert!(line.ends_with("bears up to range 6 inches"), "{line}");
}

#[test]
fn what_points_buy_is_compared_by_odds_for_every_sample() {
    let mut reaches = 0;
    for game in ["sky-full-of-ships", "wars-of-honor", "star-navy", "battleships-1890s"] {
        let designs = fs::read_dir(format!("{}/designs/{game}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let designs = designs.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        for path in designs {
            let folder = Folder::with(&[("own.toml", &fs::read(&path).unwrap())]);
            let points = folder.run(&["check", "own.toml", "--json"]).json()[0]["points"].as_i64().unwrap();
            let report = folder.run(&["suggest", "own.toml", "--spend", &(points + 60).to_string(), "--json"]).json();
            assert_eq!(report[0]["by_odds"], true, "{}: {report:?}", path.display());
            for one in report[0]["bought"].as_array().unwrap().iter().filter(|one| one["reach"].is_number()) {
                assert!(
                    one["odds"].as_str().unwrap().contains(&format!("; bears up to range {}", one["reach"])),
                    "{one}"
                );
                reaches += 1;
            }
        }
    }
    assert!(reaches > 50, "{reaches}");
    let vigilant = format!("{}/designs/wars-of-honor/vigilant.toml", env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::with(&[("vigilant.toml", &fs::read(vigilant).unwrap())]);
    folder.run(&["suggest", "vigilant.toml", "--cheaper"]).expect(0).says("nothing less in a fight with itself");
}

/// The same for less has every box, value and system, and does as much.
#[test]
fn the_same_for_less_loses_no_box() {
    for (game, name) in [
        ("sky-full-of-ships", "burlington"),
        ("sky-full-of-ships", "swordfish"),
        ("sky-full-of-ships", "halberd"),
        ("wars-of-honor", "vigilant"),
        ("star-navy", "chicago"),
        ("battleships-1890s", "saltholm"),
    ] {
        let path = format!("{}/designs/{game}/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let folder = Folder::with(&[("own.toml", &fs::read(path).unwrap())]);
        let run = folder.run(&["suggest", "own.toml", "--cheaper", "-o", "less.toml"]);
        if !folder.path("less.toml").exists() {
            run.says("nothing-to-vary");
            continue;
        }
        let boxes = |file: &str| {
            let report = folder.run(&["check", file, "--json"]).json();
            let tracks = report[0]["tracks"].as_object().unwrap_or_else(|| panic!("{report:?}")).clone();
            let size = |track: &serde_json::Value| {
                track["rows"]
                    .as_array()
                    .map_or(0, |rows| rows.iter().filter_map(serde_json::Value::as_i64).sum::<i64>())
            };
            tracks.iter().map(|(id, track)| (id.clone(), size(track))).collect::<Vec<_>>()
        };
        let (before, after) = (boxes("own.toml"), boxes("less.toml"));
        for (track, size) in before {
            let now = after.iter().find(|(id, _)| *id == track).map_or(0, |(_, size)| *size);
            assert!(now >= size, "{name}: {track} {size} -> {now}\n{}", run.out);
        }
    }
}

const PITTSBURGH: &str = include_str!("../designs/star-navy/pittsburgh.toml");
const HAMMERFEST: &str = include_str!("../designs/battleships-1890s/hammerfest.toml");
const BURLINGTON: &str = include_str!("../designs/sky-full-of-ships/burlington.toml");

/// Of what nobody named, only what a check needs moves, and nothing is given up for a purchase.
#[test]
fn what_goes_with_it_moves_only_as_far_as_a_check_needs() {
    let folder = Folder::with(&[("p.toml", PITTSBURGH.as_bytes()), ("h.toml", HAMMERFEST.as_bytes())]);
    let most = ["suggest", "p.toml", "--maximise", "count('pulser', 'left-rear')", "--vary", "pulser@left-rear"];
    let most = folder.run(&[&most[..], &["--goal", "points <= 170"]].concat());
    most.expect(0).says("Proved").lacks("pulser, rear").lacks("goes with it");
    folder.run(&["suggest", "p.toml", "--spend", "170"]).expect(0).says("Proved").lacks("goes with it");
    let tubes = folder.run(&["suggest", "h.toml", "--spend", "54"]);
    tubes.expect(0).says("1 more torpedo tube, bow tube").lacks("goes with it");
    // Where tubes are asked for, others are too many for them.
    let bow = ["suggest", "h.toml", "--maximise", "count('torpedo-tube', 'bow')", "--vary", "torpedo-tube@bow:0..3"];
    let bow = folder.run(&bow);
    bow.expect(0).says("1 → 0    goes with it (tubes-over-torpedoes)").says("only as far as checks need");
}

/// Some way, where trying all ways finds none, changes nothing that it need not.
#[test]
fn a_way_to_be_legal_leaves_what_it_can() {
    let fit = |system: &str, mount: &str, count: i32| {
        format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n")
    };
    let swap = |text: String, from: (&str, &str, i32), to: String| {
        let from = fit(from.0, from.1, from.2);
        assert!(text.contains(&from), "{from}");
        text.replace(&from, &to)
    };
    let differ = swap(PITTSBURGH.to_owned(), ("laser", "left-front", 2), fit("cannon", "left-front", 2));
    let engine = swap(differ.clone(), ("engine", "core", 6), fit("engine", "core", -2));
    let six = swap(engine, ("marine", "core", 2), fit("marine", "rear", 2));
    let apart = swap(differ, ("integrity", "core", 3), String::new());
    let folder = Folder::with(&[("six.toml", six.as_bytes()), ("apart.toml", apart.as_bytes())]);
    let six = folder.run(&["suggest", "six.toml", "--legal", "-o", "legal.toml"]);
    six.expect(0).says("engine, core: 0 → ").lacks("torpedo, front").lacks("hull");
    folder.run(&["check", "legal.toml"]).expect(0).says("legal");
    // Two errors, each of which is mended alone.
    let apart = folder.run(&["suggest", "apart.toml", "--legal", "-o", "both.toml"]);
    apart.expect(0).says("add 1 integrity in core").says("cannon, left front: 2 → 0").lacks("torpedo, front");
    folder.run(&["check", "both.toml"]).expect(0).says("legal");
}

#[test]
fn another_option_is_one_change() {
    let house = "[ruleset]\nid = \"s30\"\ntitle = \"Club\"\nversion = \"1.0\"\nschema = 1\nextends = \"sky-full-of-ships\"\n\
        extends_version = \"1.0.0\"\n[change.field.special.options.particle-cannon]\nremove = true\nreason = \"too strong\"\n";
    let banned = BURLINGTON.replace("\"sky-full-of-ships\"", "\"s30\"");
    assert!(banned.contains("\"particle-cannon\""));
    let unknown = BURLINGTON.replace("\"particle-cannon\"", "\"xyzzy\"");
    let folder = Folder::with(&[("banned.toml", banned.as_bytes()), ("unknown.toml", unknown.as_bytes())]);
    folder.write("rulesets/s30.toml", house.as_bytes());
    for file in ["banned.toml", "unknown.toml"] {
        let mended = folder.run(&["suggest", file, "--legal"]);
        assert_eq!(mended.out.contains("particle cannon"), file == "unknown.toml", "{}", mended.out);
        mended.expect(0).says("One change makes it legal").says("set special weapon to mass driver").lacks("no fix");
    }
    // What a house banned is not recommended.
    folder.write("none.toml", banned.replace("\"particle-cannon\"", "\"none\"").as_bytes());
    folder.run(&["check", "none.toml"]).expect(1).says("special-without-type").lacks("particle-cannon");
}

/// Between two break-points other values, boxes and findings may change.
#[test]
fn a_number_before_a_break_point_is_not_said_to_change_nothing() {
    let launcher = folder().run(&["suggest", "petrel.toml", "--breaks"]);
    launcher.expect(0).lacks("changes nothing");
    launcher.says("forward chase: 1 now; 4 changes none of these values (+45 points), not legal by itself; 5: ");
    launcher.says("CnC, core: 1 now; 4 changes none of these values (+30 points); 5: ");
}
