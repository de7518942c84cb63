//! `moldloft report`: all that is needed to see a fault again, and nothing of where the player keeps it.

use std::process::Command;

use crate::support::program::Folder;

const LAYER: &str = "[ruleset]\nid = \"mara-lasers\"\ntitle = \"Mara's lasers\"\nversion = \"3\"\nschema = 1\nextends = \"wars-of-honor\"\n\n\
                     [change.system.laser]\npoints = 12\nrule = \"they won every battle\"\n";

#[test]
fn a_report_has_the_design_its_rules_and_findings_without_the_folder() {
    let vigilant = include_str!("../designs/wars-of-honor/vigilant.toml");
    let text =
        vigilant.replace("ruleset = \"wars-of-honor\"", "ruleset = \"mara-lasers\"").replace("count = 5", "count = 7");
    let folder = Folder::with(&[
        ("home/quillsson/ships/rulesets/mara-lasers.toml", LAYER.as_bytes()),
        ("home/quillsson/ships/designs/mara-lasers/vigilant.toml", text.as_bytes()),
    ]);
    let home = folder.path("home/quillsson");
    let report = |file: &std::path::Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
        command.arg("report").arg(file).current_dir(home.join("ships")).env("HOME", &home);
        let output = command.output().unwrap();
        let words = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), words(output.stdout), words(output.stderr))
    };
    let (status, told, _) = report(&home.join("ships/designs/mara-lasers/vigilant.toml"));
    assert_eq!(status, Some(0), "{told}");
    let first = format!("Moldloft {} on {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS);
    assert!(told.starts_with(&first), "{told}");
    assert!(told.contains("Ruleset: wars-of-honor 1.0.0 (built in)\nRuleset: mara-lasers 3 (text below)\n"), "{told}");
    assert!(told.contains("\nError ") && told.contains(", vigilant.toml:"), "{told}");
    // The texts are whole, the game's own is left out.
    assert!(told.contains(&text) && told.contains(LAYER) && !told.contains("[[system]]"), "{told}");
    assert!(!told.contains("quillsson"), "{told}");
    // What cannot be read is a report, too; what is not there is none.
    std::fs::write(home.join("ships/broken.toml"), "name = \n").unwrap();
    let (_, told, _) = report(&home.join("ships/broken.toml"));
    assert!(told.contains("\nError not-toml") || told.contains("broken.toml:1"), "{told}");
    assert!(told.ends_with("----- broken.toml -----\nname = \n"), "{told}");
    let (status, told, why) = report(&home.join("ships/no-such.toml"));
    assert!(status == Some(2) && told.is_empty() && why.contains("no-such.toml"), "{told}{why}");
    // One file, as the others say it by name.
    assert!(report("germinal".as_ref()).1.contains("----- germinal.toml -----"));
    let (status, _, why) = report("vigilant".as_ref());
    assert!(status == Some(2) && why.contains("mara-lasers"), "two have this name: {why}");
    assert_eq!(report(&home.join("ships")).0, Some(2));
}
