//! Broken fleets in `tests/cases/fleets/`: beside each stands what is told of it, with its line, in the order it is told.

use std::path::Path;

use moldloft::design::fleet::Fleet;
use moldloft::finding::Finding;
use moldloft::library::{Rulesets, evaluate_fleet};
use moldloft::store::{FileRef, Store};

use crate::support::expected;

/// A finding as the cases write it.
fn line(finding: &Finding) -> String {
    format!("{}[{}] line {}: {}", finding.severity.as_str(), finding.code, finding.at.line, finding.message)
}

#[test]
fn what_is_wrong_with_a_fleet_is_told_at_its_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/fleets");
    let workspace = tempfile::tempdir().unwrap();
    let folder = workspace.path().join("fleets");
    std::fs::create_dir(&folder).unwrap();
    let chicago = moldloft::store::built_in_source("designs/star-navy/chicago.toml").unwrap();
    std::fs::write(workspace.path().join("chicago.toml"), &*chicago.text).unwrap();
    let games = Rulesets::without_settings(&Store::open(Some(workspace.path())).unwrap());
    let mut files: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let fleets = || files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    for file in fleets() {
        std::fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let mut wrong = Vec::new();
    for file in fleets() {
        let path = folder.join(file.file_name().unwrap());
        let source = moldloft::store::read(&path).unwrap();
        let findings: Vec<Finding> = match Fleet::read(&source) {
            Ok(fleet) => {
                let evaluated = evaluate_fleet(&games, fleet, &FileRef::on_disk(path), None);
                assert!(!evaluated.legal, "{}", file.display());
                evaluated.all_findings().cloned().collect()
            }
            Err(findings) => findings,
        };
        let expected = std::fs::read_to_string(file.with_extension("txt")).unwrap();
        let mut left: Vec<&Finding> =
            findings.iter().filter(|finding| finding.severity != moldloft::finding::Severity::Info).collect();
        let mut last: Option<&Finding> = None;
        for said in expected.lines() {
            if let Some(help) = said.strip_prefix("    ") {
                let found = last.and_then(|finding| finding.help.as_deref()).unwrap_or_default();
                if found != help {
                    wrong.push(format!("{}: help is `{found}`, expected `{help}`", file.display()));
                }
                continue;
            }
            let is_it = |finding: &&&Finding| match said.strip_suffix('*') {
                Some(start) => line(finding).starts_with(start),
                None => line(finding) == *said,
            };
            last = left.iter().find(is_it).copied();
            match last {
                Some(found) => left.retain(|finding| !std::ptr::eq(*finding, found)),
                None => wrong.push(format!("{}: missing: {said}", file.display())),
            }
        }
        if expected::blessing() {
            // A line that ends in a star is written by hand and stays.
            let stars: Vec<&str> = expected.lines().filter_map(|line| line.strip_suffix('*')).collect();
            let text = findings.iter().filter(|finding| finding.severity != moldloft::finding::Severity::Info).map(
                |finding| {
                    let own = line(finding);
                    match stars.iter().find(|start| own.starts_with(**start)) {
                        Some(start) => format!("{start}*\n"),
                        None => {
                            own + "\n" + &finding.help.iter().map(|help| format!("    {help}\n")).collect::<String>()
                        }
                    }
                },
            );
            std::fs::write(file.with_extension("txt"), text.collect::<String>()).unwrap();
            wrong.clear();
            continue;
        }
        let more = left.iter().filter(|finding| !expected.contains(&*finding.code));
        wrong.extend(more.map(|finding| format!("{}: further: {}", file.display(), line(finding))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
