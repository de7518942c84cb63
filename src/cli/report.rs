//! `moldloft report`: writes what is needed to mend the program or the rules.

use std::path::PathBuf;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_library::exchange::{Reported, report};
use moldloft_library::store::Store;

use super::load::{JobItem, RulesetArgs, load};
use super::outcome::RunOutcome;
use super::terminal::print_stdout;

#[derive(clap::Args)]
pub struct ReportArgs {
    /// A design or fleet file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the file cannot be read.
pub fn run(store: &Store, arguments: &ReportArgs) -> Result<RunOutcome, Finding> {
    let paths = std::slice::from_ref(&arguments.file);
    let (found, wrong) = store.inputs(paths);
    // Such as a name that several have.
    if let Some(error) = wrong.into_iter().find(|finding| finding.severity == Severity::Error) {
        return Err(error);
    }
    let [file] = &*found else {
        let message = format!("found {} in {}, expected one", plural(found.len(), "file"), arguments.file.display());
        return Err(Finding::error("not-a-file", message).help("name one design or fleet"));
    };
    let source = file.read()?;
    let job = load(store, paths, &arguments.rules)?;
    let findings = job.general_findings.iter().chain(job.items.iter().flat_map(JobItem::findings)).collect();
    let rules = arguments.rules.rules.as_deref();
    print_stdout(&report(store, &Reported { fault: None, source: Some(&source), rules, findings }))?;
    Ok(RunOutcome::Success)
}
