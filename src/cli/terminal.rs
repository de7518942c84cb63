//! Text and findings on the two outputs of a terminal, safe from control characters of a file.

use std::io::{ErrorKind, IsTerminal, Write};

use serde_json::Value;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize;

use super::render::{self, TerminalStyle};

/// Writes to standard output. A closed pipe (`| head`) is not an error.
///
/// # Errors
/// A finding for any other failure.
pub fn print_stdout(text: &str) -> Result<(), Finding> {
    let mut out = std::io::stdout().lock();
    match out.write_all(sanitize::for_output(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Finding::error("unwritable", format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A JSON report: an array of objects, as text.
///
/// # Errors
/// `unwritable`.
pub fn json_report(objects: &[Value]) -> Result<String, Finding> {
    let text = serde_json::to_string_pretty(objects)
        .map_err(|error| Finding::error("unwritable", format!("cannot write the report: {error}")))?;
    Ok(sanitize::for_json(text + "\n"))
}

pub fn print_findings<'f>(findings: impl IntoIterator<Item = &'f Finding>) {
    let style = TerminalStyle::for_terminal(std::io::stderr().is_terminal());
    let mut text = String::new();
    for finding in findings {
        render::render_finding(&mut text, finding, style);
    }
    // If even this fails, there is no way to report it.
    let _ = std::io::stderr().lock().write_all(sanitize::for_output(&text).as_bytes());
}
