//! A report for the makers of the program: the program and the system, a file with its findings, and those of its rules that
//! are not built in, as text. The player's folders and name are not in it.

use std::env::consts::{ARCH, OS};
use std::fmt::Write;
use std::path::Path;

use crate::library::layer_sources;
use crate::store::{self, Store};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_base::source::{Source, toml};
use moldloft_rules::ruleset::extends;

const MAX_FINDINGS: usize = 200;

#[derive(Default)]
pub struct Reported<'a> {
    /// What went wrong in the program, if it knows.
    pub fault: Option<&'a str>,
    /// A design, a fleet or a ruleset; `None` if nothing is open.
    pub source: Option<&'a Source>,
    /// Used instead of the ruleset that the file names.
    pub rules: Option<&'a str>,
    pub findings: Vec<&'a Finding>,
}

pub fn report(store: &Store, reported: &Reported<'_>) -> String {
    let mut out = format!("Moldloft {} on {OS} {ARCH}\n", env!("CARGO_PKG_VERSION"));
    if let Some(fault) = reported.fault {
        let _ = writeln!(out, "What happened: {fault}");
    }
    if let Some(source) = reported.source {
        let rules = rules_of(store, source, reported.rules);
        match &rules {
            Ok(rules) => rules.iter().for_each(|one| out.push_str(&ruleset_line(one))),
            Err(finding) => _ = writeln!(out, "Ruleset: {}", finding.message),
        }
        append_findings(&mut out, &reported.findings);
        let own = rules.iter().flatten().filter(|one| !is_built_in(one));
        for one in std::iter::once(source).chain(own) {
            let _ = write!(out, "\n----- {} -----\n{}", file_name(&one.file), one.text);
            out.push_str(if one.text.ends_with('\n') { "" } else { "\n" });
        }
    }
    without_home(out, store::home().as_deref())
}

/// From the ruleset that extends none to the one that a file names; of a ruleset, all that it extends.
fn rules_of(store: &Store, source: &Source, instead: Option<&str>) -> Result<Vec<Source>, Finding> {
    let (root, _) = toml::parse(&source.text, 0);
    let ids = match root.table("ruleset") {
        Some(_) => extends(source),
        None => instead.or(root.text("ruleset")).map(str::to_owned).into_iter().collect(),
    };
    let mut rules: Vec<Source> = Vec::new();
    for id in ids {
        let new = layer_sources(store, &id)?;
        rules.extend(new.into_iter().filter(|one| one.file != source.file));
    }
    Ok(rules)
}

fn ruleset_line(ruleset: &Source) -> String {
    let (root, _) = toml::parse(&ruleset.text, 0);
    let word = |key| root.table("ruleset").and_then(|table| table.text(key)).unwrap_or_default().to_owned();
    let place = if is_built_in(ruleset) { "built in" } else { "text below" };
    format!("Ruleset: {} {} ({place})\n", word("id"), word("version"))
}

fn is_built_in(ruleset: &Source) -> bool {
    let own = store::built_in_source(&format!("rulesets/{}", file_name(&ruleset.file)));
    own.is_some_and(|own| *own.text == *ruleset.text)
}

fn append_findings(out: &mut String, findings: &[&Finding]) {
    if findings.is_empty() {
        out.push_str("Findings: none\n");
    }
    for finding in findings.iter().take(MAX_FINDINGS) {
        let word = match finding.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Info => "Note",
        };
        let at = &finding.at;
        let line = if at.line > 0 { format!(":{}", at.line) } else { String::new() };
        let file = at.file.as_ref().map(|file| format!(", {}{line}", file_name(file))).unwrap_or_default();
        let item = at.item.as_ref().map(|item| format!(", {item}")).unwrap_or_default();
        let _ = writeln!(out, "{word} {}{file}{item}: {}", finding.code, finding.message);
    }
    if findings.len() > MAX_FINDINGS {
        let _ = writeln!(out, "and {} more", plural(findings.len() - MAX_FINDINGS, "finding"));
    }
}

fn file_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.into(), |name| name.to_string_lossy().into_owned())
}

/// Texts name files, and messages of the system name folders.
fn without_home(text: String, home: Option<&Path>) -> String {
    let Some((home, user)) = home.and_then(|home| Some((home.to_str()?, home.file_name()?.to_str()?))) else {
        return text;
    };
    let text = text.replace(home, "~");
    ['/', '\\'].iter().fold(text, |text, end| text.replace(&format!("{end}{user}{end}"), &format!("{end}~{end}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_home_nor_user_is_told() {
        let told = |text: &str, home: &str| without_home(text.to_owned(), Some(Path::new(home)));
        assert_eq!(told("cannot open /home/mara/ships/a.toml", "/home/mara"), "cannot open ~/ships/a.toml");
        assert_eq!(told("icon = \"/media/mara/stick/a.svg\"", "/home/mara"), "icon = \"/media/~/stick/a.svg\"");
        assert_eq!(told(r"icon = 'C:\Users\mara\a.svg'", "/home/mara"), r"icon = 'C:\Users\~\a.svg'");
        assert_eq!(told("name = \"Maramis\", mara", "/home/mara"), "name = \"Maramis\", mara", "a word is no folder");
        assert_eq!(told("/usr/share", "/"), "/usr/share");
    }
}
