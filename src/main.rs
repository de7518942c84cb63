//! Starts the program.

use std::process::ExitCode;

/// A fifth more designs a second than with the system's own, which threads wait for one another on.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(moldloft::cli::run(std::env::args_os()))
}
