//! `moldloft share`: a fleet as plain text.

use std::path::PathBuf;

use crate::exchange::list::{Sharing, share};
use crate::finding::{Finding, Severity};
use crate::store::{Store, save_new};

use super::load::{Item, Rules, load};
use super::{Outcome, complain, say};

/// Write a fleet as plain text for a forum or a letter; `import` makes a fleet of it again
#[derive(clap::Args)]
pub struct Args {
    /// A fleet's file
    #[arg(value_name = "FLEET")]
    fleet: PathBuf,
    /// Where to write it; an existing file is left alone [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Whole classes too, with all their systems, so that the text alone makes the fleet
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
                    let message = format!("{} is no fleet", arguments.fleet.display());
                    let help = "a fleet's file has [[ship]] tables; a design's own file can be sent as it is";
                    complain(&[Finding::error("not-a-fleet", message).help(help)]);
                }
            }
        }
    }
    let [fleet] = fleets.as_slice() else {
        if fleets.len() > 1 {
            let finding = Finding::error("not-a-fleet", format!("there are {} fleets in this folder", fleets.len()));
            return Err(finding.help("name one of their files"));
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
            say(&format!("{} is written\n", path.display()))?;
        }
        None => say(&text)?,
    }
    Ok(Outcome::of(!left_out.is_empty()))
}
