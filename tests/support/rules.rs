//! What tests of rulesets share: loading, evaluating, findings as text. Expected messages are kept beside their inputs.

#![allow(dead_code, reason = "each test program uses a part")]

use super::expected;

pub use expected::same;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::finding::Finding;
use moldloft::formula::Value;
use moldloft::ruleset::{Ruleset, extends};
use moldloft::source::Source;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the repository.
pub fn source(path: &str) -> Source {
    Source::new(path, &std::fs::read_to_string(root().join(path)).unwrap())
}

/// The TOML files of a folder, sorted.
pub fn folder(path: &str) -> Vec<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join(path)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let tomls = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    tomls.map(|file| format!("{path}/{}", file.file_name().unwrap().to_string_lossy())).collect()
}

/// A built-in ruleset with the layers below it; it must load without a finding.
pub fn load(id: &str) -> Arc<Ruleset> {
    let sources = chain(id);
    let (ruleset, findings) = Ruleset::load_layers(&sources);
    assert!(findings.is_empty(), "{id}: {}", said(&findings));
    Arc::new(ruleset.unwrap())
}

/// The sources of a built-in ruleset, what it extends first.
pub fn chain(id: &str) -> Vec<Source> {
    let own = source(&format!("rulesets/{id}.toml"));
    let mut sources: Vec<Source> = Vec::new();
    for one in extends(&own).iter().flat_map(|base| chain(base)) {
        if !sources.iter().any(|known| known.file == one.file) {
            sources.push(one);
        }
    }
    sources.push(own);
    sources
}

/// Evaluates a design file.
pub fn check(rules: &Arc<Ruleset>, path: &str) -> Evaluation {
    evaluate(rules, &Design::read(&source(path)).unwrap(), &Ship::default())
}

/// Findings as lines, with places and carets.
pub fn said(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let _ = writeln!(out, "{severity}[{}]: {}", finding.code, finding.message);
        let place = &finding.at;
        let item = place.item.as_deref().map(|item| format!("  {item}")).unwrap_or_default();
        let _ = writeln!(out, "  --> {}:{}:{}{item}", place.file.as_deref().unwrap_or("?"), place.line, place.column);
        if let Some(snippet) = &place.snippet {
            let _ = writeln!(
                out,
                "   | {}\n   | {}{}",
                snippet.text,
                " ".repeat(snippet.start),
                "^".repeat(snippet.length)
            );
        }
        if let Some(numbers) = &finding.numbers {
            let _ = writeln!(out, "   = {numbers}");
        }
        if let Some(rule) = &finding.rule {
            // The line moves whenever the ruleset is edited.
            let _ = writeln!(out, "   rule: {}", rule.split(':').next().unwrap());
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "   help: {help}");
        }
    }
    out
}

/// Compares with the text kept beside the input, `.txt`.
pub fn expected(input: &str, got: &str) -> Result<(), String> {
    same(&root().join(input).with_extension("txt"), got)
}

/// A whole number among the values.
pub fn value(evaluation: &Evaluation, id: &str) -> i64 {
    match &evaluation.values.iter().find(|value| &*value.id == id).unwrap().value {
        Value::Int(number) => *number,
        other => panic!("{id} is {other:?}"),
    }
}

/// The rows of a track.
pub fn rows<'e>(evaluation: &'e Evaluation, id: &str) -> &'e [u32] {
    evaluation.tracks.iter().find(|track| &*track.id == id).map_or(&[], |track| &track.rows)
}
