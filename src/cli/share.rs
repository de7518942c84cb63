//! `moldloft share`: a fleet as plain text.

use std::path::PathBuf;

use crate::exchange::list::{Sharing, share};
use crate::finding::{Finding, Severity};
use crate::store::{Store, save_new};

use super::load::{Item, Rules, load};
use super::{Outcome, complain, say};

/// Write a fleet as plain text for a forum or e-mail; `import` reads it back
#[derive(clap::Args)]
pub struct Args {
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
    rules: Rules,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let job = load(store, std::slice::from_ref(&arguments.fleet), &arguments.rules)?;
    complain(&job.beside);
    let mut fleets = Vec::new();
    for item in job.items {
        match item {
            Item::Fleet(fleet) => fleets.push(fleet),
            other => {
                complain(other.findings().into_iter().filter(|finding| finding.severity == Severity::Error));
                if matches!(other, Item::Design(_)) {
                    let message = format!("{} is not a fleet", arguments.fleet.display());
                    let help = "a fleet file has [[ship]] tables; a design file can be sent unchanged";
                    complain(&[Finding::error("not-a-fleet", message).help(help)]);
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
        return Ok(Outcome::Nothing);
    };
    let (text, findings) = share(fleet, Sharing { designs: arguments.designs });
    complain(&findings);
    let left_out: Vec<&Finding> = fleet.left_out.iter().flat_map(|one| &one.findings).collect();
    complain(left_out.iter().copied());
    match &arguments.output {
        Some(path) => {
            save_new(path, text.as_bytes())?;
            say(&format!("wrote {}\n", path.display()))?;
        }
        None => say(&text)?,
    }
    Ok(Outcome::of(!left_out.is_empty()))
}
