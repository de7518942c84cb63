//! `moldloft suggest` as a player uses it: answers, files, reports, and questions that cannot be asked.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

#[path = "support/program.rs"]
mod program;

use std::fs;

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
    unknown.expect(1).says("No number of the design can make it legal: fix the errors in its file first.");
    folder.write("bad.toml", b"name =");
    folder.run(&["suggest", "bad.toml", "--legal"]).expect(1).says("not-toml");
}
