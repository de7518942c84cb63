//! `moldloft explain`: shows where a number comes from, or what a code means.

use std::fmt::Write;
use std::path::PathBuf;

use moldloft_base::finding::{Finding, Severity, did_you_mean, nearest};
use moldloft_library::store::Store;
use moldloft_odds::odds::explain_attack;
use moldloft_rules::evaluate::{Evaluation, Explanation, Provenance, codes, explain, explain_code_in_fleet};
use moldloft_rules::ruleset::Ruleset;

use super::load::{JobItem, RulesetArgs, load_with_attacks};
use super::outcome::RunOutcome;
use super::render::clean;
use super::terminal::{print_findings, print_stdout};

#[derive(clap::Args)]
pub struct ExplainArgs {
    /// A design file, or a fleet
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    /// The value, `costs`, attribute such as laser.points, attack such as odds.missiles (on a sister ship), or code of a check to explain
    /// [default: all values and cost lines]
    #[arg(value_name = "VALUE|CODE")]
    what: Option<String>,
    /// The ship of a fleet to explain, by hull number or name
    #[arg(long, value_name = "SHIP")]
    ship: Option<String>,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ExplainArgs) -> Result<RunOutcome, Finding> {
    let job = load_with_attacks(store, std::slice::from_ref(&arguments.design), &arguments.rules)?;
    let nothing = job.is_empty();
    let evaluation = match job.items.as_slice() {
        [one] => match one.ships().as_slice() {
            [only] => *only,
            [] => {
                print_findings(&job.general_findings);
                let findings = one.findings();
                if findings.iter().all(|finding| finding.severity != Severity::Error) {
                    let message = format!("no ships in {}", arguments.design.display());
                    let help = "add a ship to the fleet: [[ship]] and design = \"CLASS\"";
                    print_findings(&[Finding::error("empty-fleet", message).help(help)]);
                }
                print_findings(findings);
                return Ok(if nothing { RunOutcome::CannotRun } else { RunOutcome::Errors });
            }
            several => find_ship(several, arguments)?,
        },
        [] => {
            print_findings(&job.general_findings);
            return Ok(RunOutcome::CannotRun);
        }
        several => {
            let message = format!("found {} designs, expected one", several.len());
            return Err(Finding::error("wrong-argument", message).help("name the file of one design"));
        }
    };
    let what = arguments.what.as_deref();
    let ruleset = &evaluation.ruleset;
    let is_fleet = matches!(job.items.as_slice(), [JobItem::Fleet(_)]);
    let lines = match what.and_then(|what| what.strip_prefix("odds.")) {
        _ if let Some(code) = what.filter(|what| is_fleet && asks_fleet(ruleset, what, arguments.ship.is_some())) => {
            explain_code_in_fleet(evaluation, code, &job.items[0].findings())
        }
        Some(attack) => explain_attack(evaluation, evaluation, attack),
        None => explain(evaluation, what),
    };
    if let Some(what) = what
        && lines.is_empty()
    {
        if let Some((code, meaning)) = codes().iter().find(|(code, _)| *code == what) {
            return print_stdout(&format!("{code}\n  {meaning}\n")).map(|()| RunOutcome::Success);
        }
        let known = evaluation.values.iter().map(|value| &*value.id);
        let known = known.chain(ruleset.check_codes().map(|code| &**code)).chain(codes().iter().map(|(code, _)| *code));
        let attacks: Vec<String> = ruleset.attack_rules.attacks.iter().map(|one| format!("odds.{}", one.id)).collect();
        let known: Vec<&str> = known.chain(["costs"]).chain(attacks.iter().map(String::as_str)).collect();
        let help = did_you_mean(what, known.iter().copied()).unwrap_or_else(|| {
            let values: Vec<&str> = evaluation.values.iter().map(|value| &*value.id).collect();
            format!("available values: {}; also `costs` and the codes of checks", values.join(", "))
        });
        let message = format!("unknown value or code `{}` in {}", clean(what), ruleset.id);
        return Err(Finding::error("unknown-name", message).help(help));
    }
    let is_code = |name: &str| evaluation.ruleset.check_codes().any(|code| **code == *name);
    print_stdout(&explanation_text(&lines, is_code))?;
    Ok(RunOutcome::Success)
}

/// Whether a word is a code to look for in a whole fleet: with a ship named, only that of a check over the fleet.
fn asks_fleet(ruleset: &Ruleset, word: &str, names_ship: bool) -> bool {
    let is_over_fleet = ruleset.fleet_checks.iter().any(|check| *check.code == *word);
    let is_code = || ruleset.check_codes().any(|code| **code == *word) || codes().iter().any(|(code, _)| *code == word);
    is_over_fleet || (!names_ship && is_code())
}

/// The requested ship of a fleet; for the meaning of a code, any ship.
fn find_ship<'e>(ships: &[&'e Evaluation], arguments: &ExplainArgs) -> Result<&'e Evaluation, Finding> {
    let names = |ship: &'e Evaluation| {
        let own = [Some(&*ship.ship.unit), ship.ship.hull_number.as_deref(), ship.ship.name.as_deref()];
        own.into_iter().flatten().filter(|name| !name.is_empty())
    };
    let such_as = ships.first().and_then(|ship| names(ship).nth(1).or_else(|| names(ship).next())).unwrap_or_default();
    let Some(asked) = &arguments.ship else {
        let is_code = |what: &&str| ships.iter().position(|ship| asks_fleet(&ship.ruleset, what, false));
        if let Some(ship) = arguments.what.as_deref().as_ref().and_then(is_code) {
            return Ok(ships[ship]);
        }
        let message = format!("found {} ships, expected one", ships.len());
        let help = format!("select one, such as --ship \"{}\"", clean(such_as));
        return Err(Finding::error("wrong-argument", message).help(help));
    };
    let wanted = asked.trim().to_lowercase();
    let found = ships.iter().find(|ship| names(ship).any(|name| name.to_lowercase() == wanted));
    found.copied().ok_or_else(|| {
        let help = match nearest(asked, ships.iter().flat_map(|ship| names(ship))) {
            Some(near) => format!("did you mean `{}`?", clean(near)),
            None => format!("name a ship by its hull number or name, such as \"{}\"", clean(such_as)),
        };
        Finding::error("wrong-argument", format!("unknown ship `{}` in this fleet", clean(asked))).help(help)
    })
}

fn explanation_text(lines: &[Explanation], is_code: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for line in lines {
        let indent = "  ".repeat(usize::try_from(line.depth).unwrap_or(0).min(20));
        let _ = write!(out, "{indent}{}", clean(&line.name));
        if !line.sentence.is_empty() {
            let _ = writeln!(out, ": {}", clean(&line.sentence));
            let mut steps: Vec<String> = Vec::new();
            for part in [&line.formula, &line.numbers, &line.result].into_iter().filter(|part| !part.is_empty()) {
                if steps.last().is_none_or(|last| *last != clean(part)) {
                    steps.push(clean(part));
                }
            }
            let _ = write!(out, "{indent}    = {}", steps.join(" = "));
        }
        let is_check = line.depth == 0 && is_code(&line.name);
        let mut last = "";
        for part in [&line.formula, &line.numbers, &line.result] {
            if line.sentence.is_empty() && !part.is_empty() && part != last {
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
