//! Text, findings and progress on the two outputs of a terminal, safe from control characters of a file.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::ColorChoice;
use serde_json::Value;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize;

use super::render::{self, TerminalStyle};

// What is said, the same words in every subcommand.
#[derive(clap::Args)]
pub struct TerminalArgs {
    /// Colour findings: on a terminal (unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Print only errors and what was asked for: no warnings, no notes, no names of written files, no progress
    #[arg(short, long, global = true)]
    quiet: bool,
}

/// Of the process: it has one terminal.
static QUIET: AtomicBool = AtomicBool::new(false);

impl TerminalArgs {
    /// From here on, all that is printed follows these.
    pub fn apply(&self) {
        QUIET.store(self.quiet, Ordering::Relaxed);
        TerminalStyle::choose(self.color);
    }
}

pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes to standard output. A closed pipe (`| head`) is not an error.
///
/// # Errors
/// A finding for any other failure.
pub fn print_stdout(text: &str) -> Result<(), Finding> {
    print_bytes(sanitize::for_output(text).as_bytes())
}

/// As [`print_stdout`], a file's bytes.
///
/// # Errors
/// As [`print_stdout`].
pub fn print_bytes(bytes: &[u8]) -> Result<(), Finding> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Finding::error("unwritable", format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}

/// As [`print_stdout`], what was done: nothing with `--quiet`.
///
/// # Errors
/// As [`print_stdout`].
pub fn print_done(text: &str) -> Result<(), Finding> {
    if is_quiet() { Ok(()) } else { print_stdout(text) }
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
        if !is_quiet() || finding.severity == Severity::Error {
            render::render_finding(&mut text, finding, style);
        }
    }
    // If even this fails, there is no way to report it.
    let _ = std::io::stderr().lock().write_all(sanitize::for_output(&text).as_bytes());
}

/// Does a piece of work; on a terminal it shows meanwhile how far it is.
pub fn with_progress<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    const REDRAW_INTERVAL: Duration = Duration::from_millis(120);
    if is_quiet() || !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = || {
            let mut shown = 0;
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(REDRAW_INTERVAL);
                let (done_now, of) = progress.done_and_total();
                if of > 0 && !done.load(Ordering::Relaxed) {
                    let words = format!("{} {done_now} of {of}", progress.unit());
                    let words = words.trim_start();
                    let mut out = std::io::stderr().lock();
                    let _ = write!(out, "\r{words:<width$}\r", width = shown);
                    let _ = out.flush();
                    shown = words.chars().count();
                }
            }
            if shown > 0 {
                let _ = write!(std::io::stderr().lock(), "\r{:shown$}\r", "");
            }
        };
        // Without a thread, progress is not shown.
        let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        done.store(true, Ordering::Relaxed);
        if let Ok(watcher) = watcher {
            watcher.thread().unpark();
        }
        result
    })
}
