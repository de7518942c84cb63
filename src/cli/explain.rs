//! `moldloft explain`: where a number comes from, and what a code means.

use std::fmt::Write;
use std::path::PathBuf;

use crate::evaluate::{Explained, Provenance, codes, explain};
use crate::finding::{Finding, nearest};
use crate::store::Store;

use super::load::{Rules, load};
use super::render::clean;
use super::{Outcome, complain, say};

/// Show where a design's numbers come from, or what a code means
#[derive(clap::Args)]
pub struct Args {
    /// A design file
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    /// A value, `costs`, an attribute such as laser.points, or the code of a check [default: all values and cost lines]
    #[arg(value_name = "VALUE|CODE")]
    what: Option<String>,
    #[command(flatten)]
    rules: Rules,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let job = load(store, std::slice::from_ref(&arguments.design), &arguments.rules)?;
    let nothing = job.is_nothing();
    let evaluation = match job.items.as_slice() {
        [one] => match one.ships().as_slice() {
            [only] => *only,
            [] => {
                complain(&job.beside);
                complain(one.findings());
                return Ok(if nothing { Outcome::Nothing } else { Outcome::Errors });
            }
            several => {
                let message = format!("{} ships stand there, one is explained at a time", several.len());
                return Err(Finding::error("wrong-argument", message).help("name the design's file"));
            }
        },
        [] => {
            complain(&job.beside);
            return Ok(Outcome::Nothing);
        }
        several => {
            let message = format!("{} designs stand there, one is explained at a time", several.len());
            return Err(Finding::error("wrong-argument", message).help("name one design's file"));
        }
    };
    let what = arguments.what.as_deref();
    let lines = explain(evaluation, what);
    if let Some(what) = what
        && lines.is_empty()
    {
        if let Some((code, meaning)) = codes().iter().find(|(code, _)| *code == what) {
            return say(&format!("{code}\n  {meaning}\n")).map(|()| Outcome::Fine);
        }
        let ruleset = &evaluation.ruleset;
        let known = evaluation.values.iter().map(|value| &*value.id);
        let known =
            known.chain(ruleset.checks.iter().map(|check| &*check.code)).chain(codes().iter().map(|(code, _)| *code));
        let known: Vec<&str> = known.chain(["costs"]).collect();
        let help = match nearest(what, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let values: Vec<&str> = evaluation.values.iter().map(|value| &*value.id).collect();
                format!("its values are {}; there are also `costs` and the codes of checks", values.join(", "))
            }
        };
        let message = format!("there is no value and no code `{}` in {}", clean(what), ruleset.id);
        return Err(Finding::error("unknown-name", message).help(help));
    }
    let is_code = |name: &str| evaluation.ruleset.checks.iter().any(|check| *check.code == *name);
    say(&text(&lines, is_code))?;
    Ok(Outcome::Fine)
}

fn text(lines: &[Explained], is_code: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for line in lines {
        let indent = "  ".repeat(usize::try_from(line.depth).unwrap_or(0).min(20));
        let _ = write!(out, "{indent}{}", clean(&line.name));
        let is_check = line.depth == 0 && is_code(&line.name);
        let mut last = "";
        for part in [&line.formula, &line.numbers, &line.result] {
            if !part.is_empty() && part != last {
                let sign = if !is_check {
                    " ="
                } else if last.is_empty() {
                    ": found when"
                } else {
                    ":"
                };
                let _ = write!(out, "{sign} {}", clean(part));
                last = part;
            }
        }
        out.push('\n');
        let mark = match line.provenance {
            Provenance::Published => "",
            Provenance::Derived => "derived",
            Provenance::Assumed => "assumed",
            Provenance::House => "house rule",
        };
        let note = line.note.as_deref().map(clean).unwrap_or_default();
        let source: Vec<String> =
            [clean(&line.rule), mark.to_owned(), note].into_iter().filter(|text| !text.is_empty()).collect();
        if !source.is_empty() {
            let _ = writeln!(out, "{indent}    {}", source.join("; "));
        }
    }
    out
}
