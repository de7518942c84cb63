//! `moldloft man`: a manual page for the program and for each command.

use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::plural;
use moldloft_library::store::{make_folder, save};

use super::outcome::RunOutcome;
use super::terminal::print_done;

#[derive(clap::Args)]
pub struct ManArgs {
    /// The folder; it is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// # Errors
/// A finding when a page cannot be written.
pub fn run(arguments: &ManArgs, mut program: Command) -> Result<RunOutcome, Finding> {
    program.build();
    let mut pages = Vec::new();
    collect_pages(&program, &mut pages)
        .map_err(|error| Finding::error("unwritable", format!("cannot make a manual page: {error}")))?;
    make_folder(&arguments.folder)?;
    for (name, page) in &pages {
        save(&arguments.folder.join(name), page)?;
    }
    print_done(&format!("{}: {}\n", arguments.folder.display(), plural(pages.len(), "manual page")))?;
    Ok(RunOutcome::Success)
}

/// The page of a command and those of its subcommands, each with the name of its file.
fn collect_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    let manual = Man::new(command.clone());
    let mut page = Vec::new();
    manual.render(&mut page)?;
    pages.push((manual.get_filename(), page));
    let mut own = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    own.try_for_each(|subcommand| collect_pages(subcommand, pages))
}
