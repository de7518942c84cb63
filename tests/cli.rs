//! The program driven as a player drives it: every subcommand, its exit status, its output, and files that are broken in
//! every way that files are.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{outside, program};
use program::Folder;

const GOOD: &str = include_str!("cases/wars-of-honor/good/dd.toml");

fn codes(report: &Value) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

#[test]
fn without_arguments_it_opens_the_editor_or_says_why_not() {
    let none = Folder::new().run(&[]);
    if cfg!(feature = "editor") {
        assert_eq!(none.status, 2);
        assert!(
            none.err.starts_with("error[no-window]: cannot open a window: this session has no display\n"),
            "{}",
            none.err
        );
        let edit = Folder::new().run(&["edit", "x.toml"]);
        assert_eq!((edit.status, edit.err), (2, none.err));
    } else {
        none.expect(0).says("Usage").says("check");
        assert!(Folder::new().run(&["edit"]).err.starts_with("error[no-editor]"));
    }
    Folder::new().run(&["--help"]).expect(0).says("Usage").says("check").says("edit");
    Folder::new().run(&["--version"]).expect(0).says(env!("CARGO_PKG_VERSION"));
    for wrong in [&["fly"][..], &["check"], &["check", "--fly", "x.toml"], &["list", "systems"]] {
        Folder::new().run(wrong).expect(2);
    }
}

#[test]
fn a_good_design_is_legal() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes())]);
    folder.run(&["check", "dd.toml"]).expect(0).says("legal").says("442 points").says("1 design: 1 legal\n");
}

#[test]
fn a_picture_that_a_design_uses_is_not_replaced_unasked() {
    const HULL: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 9"><path d="M0 0h4v9z"/></svg>"#;
    let design = GOOD.replacen("[fields]", "silhouette = \"hull.svg\"\n[fields]", 1);
    let folder = Folder::with(&[("dd.toml", design.as_bytes()), ("hull.svg", HULL.as_bytes())]);
    let text = || fs::read_to_string(folder.path("hull.svg")).unwrap();
    let kept = folder.run(&["print", "dd.toml", "-o", "hull.svg"]);
    kept.expect(2);
    assert!(
        kept.err.contains("error[picture-in-use]: the existing picture is the silhouette of dd.toml"),
        "{}",
        kept.err
    );
    assert!(kept.err.contains("give another name with -o, or use --force to replace it"), "{}", kept.err);
    assert_eq!(text(), HULL);
    folder.run(&["print", "dd.toml", "-o", "sheet.svg"]).expect(0);
    folder.run(&["print", "dd.toml", "-o", "sheet.svg"]).expect(0);
    folder.run(&["print", "dd.toml", "-o", "hull.svg", "--force"]).expect(0);
    assert_ne!(text(), HULL);
}

#[test]
fn the_report_has_the_promised_shape() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes()), ("bad.toml", b"name = ")]);
    let reports = folder.run(&["check", "--json", "bad.toml", "dd.toml"]).expect(1).json();
    let keys = [
        "file",
        "ruleset",
        "name",
        "legal",
        "values",
        "points",
        "costs",
        "tracks",
        "tables",
        "findings",
        "own_systems",
    ];
    for report in &reports {
        let object = report.as_object().unwrap();
        assert_eq!(object.keys().map(String::as_str).collect::<Vec<_>>(), keys);
    }
    let [bad, good] = reports.as_slice() else { panic!("{} reports", reports.len()) };
    assert_eq!((&bad["file"], &bad["legal"], codes(bad)), (&"bad.toml".into(), &false.into(), vec!["not-toml"]));
    assert_eq!(bad["findings"][0]["at"]["line"], 1);
    assert_eq!(bad["findings"][0]["severity"], "error");
    assert_eq!((&good["legal"], &good["points"]), (&true.into(), &442.into()));
    assert_eq!(good["ruleset"]["id"], "wars-of-honor");
    assert_eq!(good["values"]["structure"], 15);
    assert_eq!(good["tracks"]["structure"]["rows"], serde_json::json!([3, 3, 3, 3, 3]));
    let costs = good["costs"].as_array().unwrap();
    assert_eq!(costs.iter().map(|line| line["total"].as_i64().unwrap()).sum::<i64>(), 442);
    for line in costs {
        assert_eq!(
            line.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>(),
            ["label", "count", "each", "total"]
        );
    }
}

#[test]
fn one_bad_file_never_stops_the_others() {
    let folder = Folder::with(&[
        ("fleet/a.toml", GOOD.as_bytes()),
        ("fleet/b.toml", b"ruleset = 'wars-of-honor'\nname = 'J\xe4ger'\n"),
        ("fleet/c.toml", GOOD.as_bytes()),
        ("fleet/rules.toml", b"[ruleset]\nid = 'mine'\n"),
    ]);
    let said = folder.run(&["check", "fleet", "nowhere.toml"]);
    said.expect(1).says("not-utf8").says("fleet/b.toml:2:10").says("byte 35").says("no-such-file");
    said.says("4 designs: 2 legal, 2 with errors").says("skipped 1 file in the folders");
    let said = folder.run(&["print", "fleet", "-o", "fleet.pdf"]);
    said.expect(1).says("fleet/b.toml");
    assert!(fs::read(folder.path("fleet.pdf")).unwrap().starts_with(b"%PDF"));
}

#[test]
fn what_cannot_run_is_status_2() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes()), ("empty/x.txt", b"")]);
    folder.run(&["check", "nowhere.toml"]).expect(2).says("no-such-file");
    folder.run(&["check", "empty"]).expect(2).says("empty-folder");
    folder.run(&["check", "dd.tom"]).expect(2).says("did you mean dd.toml?");
    folder.run(&["check", "dd.toml", "--rules", "wars-of-honour"]).expect(2).says("did you mean `wars-of-honor`?");
    folder.run(&["check", "dd.toml", "--set", "mu"]).expect(2).says("--set NAME=VALUE");
    folder.run(&["check", "dd.toml", "--set", "um=cm"]).expect(2).says("unknown-setting");
    folder.run(&["check", "dd.toml", "--workspace", "nowhere"]).expect(2).says("no-workspace");
    folder.run(&["reference", "nothing", "-o", "x.pdf"]).expect(2).says("unknown-ruleset");
    for n in 0..20 {
        folder.write(&format!("rulesets/club-{n}.toml"), b"");
    }
    let many = folder.run(&["reference", "nothing", "-o", "x.pdf"]);
    many.expect(2).says(" more");
    assert!(!many.err.contains("club-19") || !many.err.contains("wars-of-honor"), "{}", many.err);
    folder.run(&["list", "systems", "nothing"]).expect(2).says("unknown-ruleset");
}

/// Broken in every way that files are; each ends in a finding with this code, in the file's own report.
/// Slips at the keyboard: what is near is named, and nothing is said that is not so.
#[test]
fn slips_at_the_keyboard_are_answered() {
    let folder = Folder::with(&[("own.toml", GOOD.as_bytes())]);
    folder.run(&["print", "ardenes", "-o", "x.pdf"]).expect(2).says("no such file").says("did you mean `ardennes`?");
    folder
        .run(&["suggest", "own.toml", "--spend", "many"])
        .expect(2)
        .says("for '--spend <POINTS>': expected a whole number");
    folder.run(&["odds", "own.toml", "--dpi", "x", "-o", "x.png"]).expect(2).says("expected a number");
    let missing = folder.run(&["pack", "fleets/none.toml", "-o", "x.pdf"]);
    missing.expect(2).says("no such file");
    assert!(!missing.err.contains("found a design"), "{}", missing.err);
    folder.run(&["pack", "own.toml", "-o", "x.pdf"]).expect(1).says("expected a fleet, found a design");
}

#[test]
fn hostile_files_end_in_findings() {
    let head = "ruleset = 'wars-of-honor'\nname = 'x'\n";
    let deep = format!("{head}a = {}1{}\n", "[".repeat(50_000), "]".repeat(50_000));
    let wide = format!("{head}{}", "[[fit]]\nsystem = 'laser'\nmount = 'port'\ncount = 9999\n".repeat(15_000));
    let long = format!("{head}notes = '{}'\n[fields]\nnation = '{}'\n", "x".repeat(400_000), "y".repeat(400_000));
    let large = format!("{head}x = [{}]\n", "1,".repeat(1_900_000));
    let cases: &[(&str, &[u8], &str)] = &[
        ("latin.toml", b"ruleset = 'wars-of-honor'\nname = '\xe9'\n", "not-utf8"),
        ("utf16.toml", b"\xff\xfer\0u\0", "not-utf8"),
        ("binary.toml", b"\x00\x01\x02\x03", "not-toml"),
        ("unknown.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\nfeilds = 1\n", "unknown-key"),
        ("field.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[fields]\nnatoin = 'haven'\n", "unknown-field"),
        ("option.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[fields]\nnation = 'heaven'\n", "unknown-option"),
        ("system.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[fit]]\nsystem = 'lazer'\nmount = 'port'\n", "unknown-system"),
        ("mount.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[fit]]\nsystem = 'laser'\nmount = 'prot'\n", "unknown-mount"),
        ("types.toml", b"ruleset = 'wars-of-honor'\nname = 7\nfit = 'laser'\n", "wrong-type"),
        ("rules.toml", b"ruleset = 'war-of-honor'\nname = 'x'\n", "unknown-ruleset"),
        ("path.toml", b"ruleset = '../../etc/passwd'\nname = 'x'\n", "unknown-ruleset"),
        ("newer.toml", b"schema = 99\nruleset = 'wars-of-honor'\nname = 'x'\n", "newer-schema"),
        ("twice.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\nname = 'y'\n", "not-toml"),
        ("ids.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[system]]\nid = 'a'\nlike = 'laser'\n[[system]]\nid = 'a'\nlike = 'laser'\n", "duplicate-id"),
        ("count.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[fit]]\nsystem = 'laser'\nmount = 'port'\ncount = 1000000000000000000\n", "value-out-of-range"),
        ("minus.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[fit]]\nsystem = 'laser'\nmount = 'port'\ncount = -1\n", "value-out-of-range"),
        ("feeds.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[fit]]\nsystem = 'missile-magazine'\nmount = 'core'\nfeeds = 999999999999999\n", ""),
        ("nan.toml", b"ruleset = 'wars-of-honor'\nname = 'x'\n[[fit]]\nsystem = 'laser'\nmount = 'port'\ncount = nan\n", "wrong-type"),
        ("deep.toml", deep.as_bytes(), "not-toml"),
        ("wide.toml", wide.as_bytes(), ""),
        ("large.toml", large.as_bytes(), "file-too-large"),
        ("long.toml", long.as_bytes(), "unknown-option"),
        ("empty.toml", b"", "not-a-design"),
        ("nul.toml", b"ruleset = 'wars-of-honor'\nname = 'a\\u0000b'\n", ""),
    ];
    let folder = Folder::with(&cases.iter().map(|(name, bytes, _)| (*name, *bytes)).collect::<Vec<_>>());
    fs::create_dir(folder.path("folder.toml")).unwrap();
    let names: Vec<&str> = cases.iter().map(|case| case.0).collect();
    let reports = folder.run(&[&["check", "--json"], names.as_slice()].concat()).expect(1).json();
    assert_eq!(reports.len(), cases.len());
    for (report, (name, _, code)) in reports.iter().zip(cases) {
        assert_eq!(report["file"], *name);
        assert_eq!(report["legal"], false, "{name}");
        assert!(code.is_empty() || codes(report).contains(code), "{name}: {:?}, not {code}", codes(report));
        for finding in report["findings"].as_array().unwrap() {
            assert!(finding["at"]["file"].is_string(), "{name}: {finding}");
            let message = finding["message"].as_str().unwrap();
            assert!(message.chars().count() < 400 && !message.ends_with('.'), "{name}: {message}");
        }
    }
    // The same as text: nothing of a file reaches the terminal as a control character.
    let said = folder.run(&[&["check", "folder.toml"], names.as_slice()].concat());
    said.expect(1).says("empty-folder");
    assert!(said.out.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn line_ends_and_marks_make_no_difference() {
    let windows = GOOD.replace('\n', "\r\n");
    let marked = format!("\u{feff}{windows}");
    let folder =
        Folder::with(&[("a.toml", GOOD.as_bytes()), ("b.toml", windows.as_bytes()), ("c.toml", marked.as_bytes())]);
    let mut reports = folder.run(&["check", "--json", "a.toml", "b.toml", "c.toml"]).expect(0).json();
    for report in &mut reports {
        report["file"] = Value::Null;
        report["findings"] = Value::Null;
    }
    assert!(reports[1..].iter().all(|report| *report == reports[0]));
}

#[test]
fn numbers_are_explained() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes())]);
    folder
        .run(&["explain", "dd.toml", "structure"])
        .expect(0)
        .says("50 * 30 // 100")
        .says("= 15")
        .says("wars-of-honor.toml:");
    folder.run(&["explain", "dd.toml"]).expect(0).says("structure").says("missile launcher");
    folder.run(&["explain", "dd.toml", "launcher-without-magazine"]).expect(0).says("launcher-without-magazine");
    folder.run(&["explain", "dd.toml", "not-toml"]).expect(0).says("TOML");
    folder.run(&["explain", "dd.toml", "structur"]).expect(2).says("did you mean `structure`?");
    folder.run(&["explain", "nowhere.toml"]).expect(2).says("no-such-file");
    folder.write("bad.toml", b"name =");
    folder.run(&["explain", "bad.toml"]).expect(1).says("not-toml");
}

#[test]
fn help_and_manual_say_of_each_command_what_the_list_says() {
    let folder = Folder::new();
    let list = folder.run(&["--help"]).expect(0).out.clone();
    let list = list.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).unwrap();
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = joined(list);
    folder.run(&["man", "pages"]).expect(0);
    let names: Vec<String> = folder.files().into_iter().filter(|name| name.ends_with(".1")).collect();
    let commands: Vec<String> = std::fs::read_dir(folder.path("pages"))
        .unwrap()
        .filter_map(|file| {
            Some(file.unwrap().file_name().to_str()?.strip_prefix("moldloft-")?.strip_suffix(".1")?.to_owned())
        })
        .filter(|name| !name.contains('-') && name != "help")
        .collect();
    assert!(commands.len() > 20 && names.is_empty(), "{commands:?}");
    for command in commands {
        let help = folder.run(&[&command, "--help"]).expect(0).out.clone();
        let about = joined(help.split("\n\n").next().unwrap());
        assert!(list.contains(&format!("{command} {about}")), "`{command} --help` begins with “{about}”");
        let page = std::fs::read_to_string(folder.path(&format!("pages/moldloft-{command}.1"))).unwrap();
        let begin = about.split_whitespace().next().unwrap();
        let name = page.split(".SH NAME").nth(1).and_then(|rest| rest.split(".SH").next()).unwrap();
        assert!(name.contains(&format!("\\- {begin}")), "the manual of {command}: {name}");
    }
}

/// What `list designs` says is a name for all commands; a file comes first, and nothing is chosen of several.
#[test]
fn designs_are_named_as_the_list_says_them() {
    let folder = Folder::new();
    for name in ["vigilant", "Vigilant", "wars-of-honor/vigilant"] {
        folder.run(&["check", name]).expect(0).says("Vigilant, legal");
    }
    folder.run(&["print", "vigilant", "-o", "v.pdf"]).expect(0);
    folder.run(&["check", "nowhere"]).expect(2).says("no-such-file");
    std::fs::create_dir_all(folder.path("designs/star-navy")).unwrap();
    folder.write("designs/star-navy/vigilant.toml", b"ruleset = \"star-navy\"\nname = \"Vigilant\"\n");
    folder
        .run(&["check", "vigilant"])
        .expect(2)
        .says("`vigilant` is the name of 2 designs or fleets")
        .says("star-navy/vigilant");
    folder.write("vigilant.toml", b"ruleset = \"wars-of-honor\"\nname = \"Mine\"\n");
    folder.run(&["check", "vigilant"]).says("vigilant.toml: Mine");
}

#[test]
fn what_there_is_is_listed() {
    let folder = Folder::new();
    folder.run(&["list"]).expect(0).says("wars-of-honor").says("built-in");
    folder.run(&["list", "designs"]).expect(0).says("wars-of-honor/vigilant").says("376 points");
    let one = folder.run(&["list", "designs", "star-navy"]);
    one.expect(0).says("star-navy/").says("376 points");
    assert!(!one.out.contains("wars-of-honor"), "{}", one.out);
    folder.run(&["list", "designs", "star-nvy"]).expect(2).says("did you mean `star-navy`?");
    folder
        .run(&["list", "systems", "wars-of-honor"])
        .expect(0)
        .says("missile-launcher")
        .says("points 15")
        .says("starboard");
}

#[test]
fn a_new_design_lacks_only_what_a_beginner_must_decide() {
    let folder = Folder::new();
    folder.run(&["new", "wars-of-honor", "Patient \"Margin\""]).expect(0).says("patient-margin.toml");
    let text = fs::read_to_string(folder.path("patient-margin.toml")).unwrap();
    assert!(text.contains("manticore (Manticore Alliance)") && text.contains("# system = \"laser\""), "{text}");
    let report = &folder.run(&["check", "--json", "patient-margin.toml"]).json()[0];
    assert_eq!(report["name"], "Patient \"Margin\"");
    for finding in report["findings"].as_array().unwrap() {
        assert!(finding["help"].is_string(), "a beginner is told what to do: {finding}");
    }
    let never =
        ["not-toml", "wrong-type", "unknown-key", "unknown-field", "unknown-option", "missing-ruleset", "missing-name"];
    assert!(codes(report).iter().all(|code| !never.contains(code)), "{:?}", codes(report));
    // With every line uncommented that shows a fit, it is still a design that can be read and judged.
    let lines = text.lines().map(|line| match line.strip_prefix("# ") {
        Some(rest) if rest.starts_with("[[fit]]") || (rest.contains(" = ") && !rest.contains(':')) => rest,
        _ => line,
    });
    folder.write("full.toml", lines.collect::<Vec<_>>().join("\n").as_bytes());
    let report = &folder.run(&["check", "--json", "full.toml"]).json()[0];
    assert!(report["values"]["mass"].as_i64().unwrap() > 20);
    assert!(codes(report).iter().all(|code| !never.contains(code)), "{:?}", codes(report));
    // What is there is never written over.
    folder.run(&["new", "wars-of-honor", "Patient Margin"]).expect(2).says("file-exists");
    assert_eq!(fs::read_to_string(folder.path("patient-margin.toml")).unwrap(), text);
    folder.run(&["new", "wars-of-honor", "Other", "-o", "-"]).expect(0).says("name = \"Other\"");
    folder.run(&["new", "wars-of-honor", "Other", "-o", "no/where.toml"]).expect(2).says("no such folder");
}

#[test]
fn a_workspace_shadows_what_is_built_in() {
    let folder = Folder::with(&[("designs/dd.toml", GOOD.as_bytes())]);
    let rules = include_str!("../rulesets/wars-of-honor.toml").replace("Wars of Honor", "Wars of Ours");
    folder.write("rulesets/wars-of-honor.toml", rules.as_bytes());
    folder.run(&["list"]).expect(0).says("Wars of Ours");
    let there = folder.0.path().to_str().unwrap();
    Folder::new().run(&["list", "--workspace", there]).expect(0).says("Wars of Ours");
    folder.write("rulesets/wars-of-honor.toml", b"[ruleset]\nid = 'wars-of-honor'\nwrong = ");
    folder
        .run(&["check", "designs/dd.toml"])
        .expect(1)
        .says("not-toml")
        .says("unusable-ruleset")
        .says("wars-of-honor.toml:3");
    folder.write("rulesets/a.toml", b"[ruleset]\nid = 'a'\nextends = 'b'\n");
    folder.write("rulesets/b.toml", b"[ruleset]\nid = 'b'\nextends = 'a'\n");
    folder.run(&["check", "designs/dd.toml", "--rules", "a"]).expect(2).says("a → b → a");
}

#[test]
fn nobody_reading_on_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["check", "--json", concat!(env!("CARGO_MANIFEST_DIR"), "/designs")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

/// Every sample design keeps its game's rules and is free of warnings, but for a titan, which is more than basic rules cover by nature.
#[test]
fn all_sample_designs_are_legal() {
    let designs = concat!(env!("CARGO_MANIFEST_DIR"), "/designs");
    let reports = Folder::new().run(&["check", "--json", designs]).expect(0).json();
    assert!(reports.len() >= 12);
    for report in reports {
        assert_eq!(report["legal"], true, "{report}");
        let meant = |f: &&serde_json::Value| f["severity"] == "info" || f["code"] == "beyond-basic-rules";
        let bad: Vec<_> = report["findings"].as_array().unwrap().iter().filter(|f| !meant(f)).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", report["file"]);
    }
}

#[test]
fn outputs_are_whole_or_not_there() {
    let folder = Folder::with(&[("dd.toml", GOOD.as_bytes()), ("old.pdf", b"old"), ("folder.pdf/x", b"")]);
    let before = folder.files();
    folder.run(&["print", "dd.toml", "-o", "no/where.pdf"]).expect(2).says("no such folder");
    folder.run(&["print", "dd.toml", "-o", "folder.pdf"]).expect(2).says("folder");
    folder.run(&["print", "dd.toml", "-o", "sheet.doc"]).expect(2).says(".pdf");
    folder.run(&["print", "dd.toml", "-o", "sheet"]).expect(2).says(".pdf");
    folder.run(&["print", "nowhere.toml", "-o", "old.pdf"]).expect(2).says("no-such-file");
    assert_eq!(fs::read(folder.path("old.pdf")).unwrap(), b"old");
    assert_eq!(folder.files(), before);
    folder.run(&["print", "dd.toml", "-o", "old.pdf"]).expect(0);
    assert!(fs::read(folder.path("old.pdf")).unwrap().starts_with(b"%PDF"));
    assert_eq!(folder.files(), before);
}

#[test]
fn every_format_prints_and_pages_are_numbered() {
    let folder = Folder::with(&[("a.toml", GOOD.as_bytes()), ("b.toml", GOOD.as_bytes())]);
    folder.run(&["print", "a.toml", "b.toml", "-o", "two.svg", "--paper", "letter", "--grey"]).expect(0);
    folder.run(&["print", "a.toml", "-o", "one.PNG", "--dpi", "50"]).expect(0);
    folder.run(&["print", "a.toml", "-o", "one.svg", "--svg-text", "embedded", "--large-print"]).expect(0);
    let files = folder.files();
    for name in ["two-1.svg", "two-2.svg", "one.svg", "one.PNG"] {
        assert!(
            files.iter().any(|file| file == name) || files.iter().any(|file| file.starts_with("one-")),
            "{files:?}"
        );
    }
    assert!(Path::new(&folder.path("two-1.svg")).is_file());
    folder.run(&["print", "a.toml", "-o", "x.png", "--dpi", "0"]).expect(2);
    folder.run(&["print", "a.toml", "-o", "x.png", "--dpi", "1000000"]).expect(2).says("dpi");
}

#[test]
fn an_illegal_ship_still_prints() {
    let folder = Folder::with(&[("bad.toml", b"ruleset = 'wars-of-honor'\nname = 'Half Built'\n")]);
    folder.run(&["print", "bad.toml", "-o", "bad.pdf"]).expect(1).says("no-nodes");
    assert!(folder.path("bad.pdf").is_file());
}

/// The words of a PDF.
fn words(path: &Path) -> Vec<String> {
    let text = outside::tool("pdftotext", &[path.to_str().expect("a plain path"), "-"]);
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn chits_bear_the_numbers_of_the_sheets() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let pod = include_bytes!("cases/wars-of-honor/good/pod.toml");
    let folder = Folder::with(&[("a.toml", GOOD.as_bytes()), ("b.toml", pod), ("c.toml", GOOD.as_bytes())]);
    let ships = ["a.toml", "b.toml", "c.toml"];
    folder.run(&[&["print"], &ships[..], &["-o", "sheets.pdf"]].concat()).expect(0);
    folder.run(&[&["chits"], &ships[..], &["-o", "chits.pdf", "--size", "15", "--back", "none"]].concat()).expect(0);
    let (sheets, chits) = (words(&folder.path("sheets.pdf")), words(&folder.path("chits.pdf")));
    for number in 101..=170 {
        let count = |words: &[String]| words.iter().filter(|word| **word == number.to_string()).count();
        // A sheet may hold the number again as something else, such as a pod's points.
        assert!(count(&sheets) >= 1 && count(&chits) == 1, "missile {number}: {} {}", count(&sheets), count(&chits));
    }
    folder.run(&[&["print"], &ships[..], &["-o", "both.pdf", "--chits", "--offset", "0.5,-1"]].concat()).expect(0);
    assert!(words(&folder.path("both.pdf")).iter().filter(|word| *word == "170").count() >= 2);
    for wrong in [&["--size", "3"][..], &["--offset", "1"], &["--back", "sideways"]] {
        folder.run(&[&["chits", "a.toml", "-o", "x.pdf"], wrong].concat()).expect(2);
    }
}

#[test]
fn blank_and_reference_sheets_print() {
    let folder = Folder::new();
    folder.run(&["print", "--blank", "wars-of-honor", "-o", "blank.pdf"]).expect(0);
    folder.run(&["reference", "wars-of-honor", "-o", "reference.svg"]).expect(0);
    folder.run(&["template", "check", "wars-of-honor"]).expect(0).says("panel: track");
    folder.run(&["print", "x.toml", "--blank", "wars-of-honor", "-o", "x.pdf"]).expect(2);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = Folder::with(&[("a.toml", GOOD.as_bytes())]);
    for extension in ["pdf", "svg", "png"] {
        let names = [format!("1.{extension}"), format!("2.{extension}")];
        for name in &names {
            folder.run(&["print", "a.toml", "-o", name, "--dpi", "40"]).expect(0);
        }
        let [first, second] = names.map(|name| fs::read(folder.path(&name)).unwrap_or_default());
        assert!(!first.is_empty() && first == second, "{extension}");
    }
}

/// What somebody who writes a first game gets wrong, and is told.
#[test]
fn a_beginner_is_told() {
    let rules = r#"[ruleset]
id = "boats"
title = "Boats"
version = "1"
schema = 1
[attributes]
points = { default = 0 }
[[field]]
id = "hull"
kind = "integer"
default = 6
[[mount]]
id = "bow"
[[mount]]
id = "port"
mirror = "starboard"
[[mount]]
id = "starboard"
[[system]]
id = "gun"
abbr = "G"
parameters = { shells = { default = 4 } }
points = "it.shells"
[[value]]
id = "points"
formula = "hull + total('points')"
[[table]]
id = "moves"
columns = ["up_to", "turn"]
rows = [[3, 1]]
[[value]]
id = "turn"
formula = "step('moves', 'up_to', hull).turn"
[[check]]
code = "lopsided"
severity = "error"
for_each = "mount"
fails_when = "it.mirror and fitted(it.id) != fitted(it.mirror)"
message = "{{ it.label }} is not {{ it.mirror_label }}"
at = "mount"
[[sheet]]
id = "card"
kind = "design"
template = "card.svg"
"#;
    let ship = "ruleset = \"boats\"\nname = \"A\"\n\n[[fit]]\nsystem = \"gun\"\nmount = \"bow\"\n\n[[fit]]\nsystem = \"gun\"\nmount = \"port\"\nshells = 2\n";
    let card = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="210mm" height="297mm" viewBox="0 0 210 297">
<rect x="200" y="10" width="40" height="40" inkscape:label="panel: mount bow"/>
<rect x="10" y="10" width="40" height="40" inkscape:label="panel: art boat.svg"/>
<rect x="60" y="10" width="2" height="2" inkscape:label="panel: mount port"/>
<rect x="70" y="10" width="40" height="40" inkscape:label="panel mount starboard"/>
<rect x="120" y="10" width="40" height="40" id="panel:mount"/>
<rect x="10" y="60" width="40" height="40" inkscape:label="panel: rest"/>
<rect x="60" y="60" width="40" height="40" inkscape:label="panel: legend guns"/>
</svg>"#;
    let folder = Folder::with(&[
        ("rulesets/boats.toml", rules.as_bytes()),
        ("rulesets/ships.toml", rules.as_bytes()),
        ("rulesets/latin.toml", &rules.replace("Boats", "B\u{e4}").chars().map(|c| c as u8).collect::<Vec<_>>()),
        ("templates/boats/card.svg", card.as_bytes()),
        ("a.toml", ship.as_bytes()),
    ]);
    // A check of each mount points at the mount that fails, not at the first there is.
    folder.run(&["check", "a.toml"]).expect(1).says("port is not starboard\n  --> a.toml:8:1  port");
    folder
        .run(&["check", "a.toml"])
        .expect(1)
        .says("`moves` has no row that reaches 6")
        .says("add a row for it to the table");
    folder.run(&["check", "--rules", "ships", "a.toml"]).expect(1).says("id-is-not-file-name").says("ships.toml:1:1");
    folder.run(&["check", "--rules", "latin", "a.toml"]).expect(2).says("latin.toml:3:");
    folder
        .run(&["explain", "a.toml", "points"])
        .expect(0)
        .says("hull = default, not set by the design = 6")
        .says("gun, bow: shells = default, not set by the fit = 4")
        .says("gun, port: shells = set by the fit = 2");
    folder
        .run(&["template", "check", "boats"])
        .expect(1)
        .says("sheet-too-large")
        .says("panel-off-the-page")
        .says("`panel: art boat.svg`: no such template file `boat.svg`")
        .says("panel-too-small")
        .says("write `panel: mount starboard`, with a colon")
        .says("label-in-id")
        .says("rest-without-use")
        .says("use `panel: legend systems`");
}

#[test]
fn a_new_design_shows_how_every_game_wants_its_rows_and_its_own_systems() {
    let folder = Folder::new();
    for game in ["b5-house-rules", "battleships-1890s", "sky-full-of-ships", "star-navy", "wars-of-honor"] {
        let file = format!("{game}.toml");
        folder.run(&["new", game, "New", "-o", &file]).expect(0);
        // Every commented example takes the place of what it is an example of; the design is then still one that can be judged.
        let text = fs::read_to_string(folder.path(&file)).unwrap();
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            let shown = line.strip_prefix("# ").filter(|rest| {
                rest.starts_with("[[") || (rest.contains(" = ") && !rest.contains(": ") && !rest.contains(" ("))
            });
            let key = |line: &str| line.split(" = ").next().unwrap_or_default().to_owned();
            let said = lines.last().is_some_and(|last| last.contains(" = [{") && key(last) == key(line));
            if !said {
                lines.push(shown.unwrap_or(line).to_owned());
            }
        }
        folder.write(&file, lines.join("\n").as_bytes());
        let report = &folder.run(&["check", "--json", &file]).json()[0];
        let never = ["not-toml", "wrong-type", "unknown-key", "unknown-field", "unknown-option", "unknown-parameter"];
        assert!(
            codes(report).iter().all(|code| !never.contains(code)),
            "{game}: {:?}\n{}",
            codes(report),
            lines.join("\n")
        );
    }
    let b5 = fs::read_to_string(folder.path("b5-house-rules.toml")).unwrap();
    assert!(b5.contains("like = \"weapon\"") && b5.contains("movement = [{ speed = 1, delay = 1, half = 1 }]"), "{b5}");
}

#[test]
fn a_games_templates_are_copied_once_and_used() {
    let folder = Folder::with(&[("ship.toml", GOOD.as_bytes())]);
    folder.run(&["template", "copy", "no-such-game"]).expect(2).says("unknown-ruleset");
    folder.run(&["template", "copy", "wars-of-honor"]).expect(0).says("templates/wars-of-honor/ship.svg");
    let path = folder.path("templates/wars-of-honor/ship.svg");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("{{ verdict }}", "ours {{ verdict }}")).unwrap();
    folder.run(&["template", "copy", "wars-of-honor"]).expect(0).says("that existed");
    assert!(fs::read_to_string(&path).unwrap().contains("ours {{ verdict }}"), "what a player drew is not overwritten");
    folder.run(&["template", "check", "wars-of-honor"]).expect(0);
    folder.run(&["print", "ship.toml", "-o", "ship.svg", "--svg-text", "embedded"]).expect(0);
    assert!(fs::read_to_string(folder.path("ship.svg")).unwrap().contains("ours legal"));
}

#[test]
fn fleets_beside_designs_are_printed_when_named() {
    let fleet = b"ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"../dd.toml\"\n";
    let folder = Folder::with(&[("designs/dd.toml", GOOD.as_bytes()), ("designs/fleets/two.toml", fleet)]);
    folder
        .run(&["print", "designs", "-o", "x.pdf"])
        .expect(0)
        .says("1 ship on")
        .says("skipped 1 fleet in the same folder");
    folder.run(&["print", "designs", "designs/fleets/two.toml", "-o", "x.pdf"]).expect(0).says("2 ships on");
    folder.run(&["print", "designs/fleets", "-o", "x.pdf"]).expect(0).says("1 ship on");
    folder.run(&["check", "designs"]).expect(0).says("1 design: 1 legal; 1 fleet: 1 legal");
}
