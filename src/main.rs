//! Starts the program.

use std::process::ExitCode;

/// A fifth more designs a second than with the system's own, which threads wait for one another on.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[cfg(feature = "editor")]
const OPEN_EDITOR: Option<moldloft::cli::OpenEditorFn> = Some(moldloft::editor::open);
#[cfg(not(feature = "editor"))]
const OPEN_EDITOR: Option<moldloft::cli::OpenEditorFn> = None;

fn main() -> ExitCode {
    ExitCode::from(moldloft::cli::run(std::env::args_os(), OPEN_EDITOR))
}
