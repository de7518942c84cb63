//! `moldloft share`: prints a fleet as plain text.

use std::path::PathBuf;

use moldloft_base::finding::{Finding, Severity};
use moldloft_library::exchange::list::{ShareOptions, write_list};
use moldloft_library::store::{Store, save_new};

use super::load::{JobItem, RulesetArgs, load};
use super::outcome::RunOutcome;
use super::output::is_standard_output;
use super::terminal::{print_done, print_findings, print_stdout};

#[derive(clap::Args)]
pub struct ShareArgs {
    /// A fleet file
    #[arg(value_name = "FLEET")]
    fleet: PathBuf,
    /// Write to this file; an existing file is never replaced [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Include complete classes with all their systems, so that the text needs no other file
    #[arg(long)]
    designs: bool,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ShareArgs) -> Result<RunOutcome, Finding> {
    let job = load(store, std::slice::from_ref(&arguments.fleet), &arguments.rules)?;
    print_findings(&job.general_findings);
    let mut fleets = Vec::new();
    for item in job.items {
        match item {
            JobItem::Fleet(fleet) => fleets.push(fleet),
            other => {
                other.print_errors();
                if matches!(other, JobItem::Design(_)) {
                    let message = format!("{} is not a fleet", arguments.fleet.display());
                    let help = "a fleet file has [[ship]] tables; a design file can be sent unchanged";
                    print_findings(&[Finding::error("not-a-fleet", message).help(help)]);
                }
            }
        }
    }
    let [fleet] = fleets.as_slice() else {
        if fleets.len() > 1 {
            let finding =
                Finding::error("not-a-fleet", format!("found {} fleets in this folder, expected one", fleets.len()));
            return Err(finding.help("name the file of one fleet"));
        }
        return Ok(RunOutcome::CannotRun);
    };
    let (text, findings) = write_list(fleet, ShareOptions { designs: arguments.designs });
    print_findings(&findings);
    print_findings(fleet.findings.iter().filter(|finding| finding.severity == Severity::Warning));
    let skipped: Vec<&Finding> = fleet.skipped.iter().flat_map(|one| &one.findings).collect();
    print_findings(skipped.iter().copied());
    match &arguments.output {
        Some(path) if !is_standard_output(path) => {
            save_new(path, text.as_bytes())?;
            print_done(&format!("wrote {}\n", path.display()))?;
        }
        _ => print_stdout(&text)?,
    }
    Ok(RunOutcome::from_errors(!skipped.is_empty()))
}
