//! `moldloft completions`: what a shell needs to complete commands and options.

use clap::Command;
use clap_complete::{Shell, generate};

use moldloft_base::finding::Finding;

use super::outcome::RunOutcome;
use super::terminal::print_bytes;

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// # Errors
/// A finding when the output cannot be written.
pub fn run(arguments: &CompletionsArgs, mut program: Command) -> Result<RunOutcome, Finding> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, "moldloft", &mut script);
    print_bytes(&script).map(|()| RunOutcome::Success)
}
