//! Starts the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(moldloft::cli::run(std::env::args_os()))
}
