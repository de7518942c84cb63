//! `moldloft import`: a fleet's file of a text.

use std::path::PathBuf;

use crate::exchange::list::import;
use crate::finding::{Finding, Severity};
use crate::library::Games;
use crate::press::many;
use crate::store::{LIMIT_TOML, Store, read, save_new, schema_for};

use super::games::need;
use super::load::Rules;
use super::render::clean;
use super::{Outcome, complain, say};

/// Make a fleet file from a plain-text list: one written by `share`, edited or not, or one such as `3 x Tern`
#[derive(clap::Args)]
pub struct Args {
    /// The list to read, a text file
    #[arg(value_name = "LIST")]
    list: PathBuf,
    /// Write the fleet to this .toml file, - for standard output; an existing file is never replaced
    #[arg(short, long, value_name = "FLEET")]
    output: PathBuf,
    #[command(flatten)]
    rules: Rules,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let aloud = arguments.output.as_os_str() == "-";
    if !aloud && !arguments.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        return Err(Finding::error("unknown-format", format!("unknown file type: {}", arguments.output.display()))
            .help("use a file name that ends in .toml"));
    }
    let games = Games::new(store, &arguments.rules.set)?;
    if let Some(id) = &arguments.rules.rules {
        need(&games, id)?;
    }
    let source = read(&arguments.list)?;
    let path = if aloud { PathBuf::from("fleet.toml") } else { arguments.output.clone() };
    let mut made = import(store, &games, &source, arguments.rules.rules.as_deref(), &path);
    let schema = schema_for(&path, "fleet.json").filter(|_| !aloud);
    if schema.is_some() {
        // The file begins with a line that the fleet was judged without.
        let name = path.to_string_lossy();
        let there = made.findings.iter_mut().filter(|finding| finding.at.file.as_deref() == Some(&*name));
        there.filter(|finding| finding.at.line > 0).for_each(|finding| finding.at.line += 1);
    }
    complain(made.findings.iter().filter(|finding| finding.severity < Severity::Info));
    if made.toml.len() as u64 > LIMIT_TOML {
        let message = format!("nothing was written to {}", path.display());
        return Err(Finding::error("file-too-large", message).help("shorten the notes, or split the list"));
    }
    if made.list.ships.is_empty() {
        let finding =
            Finding::error("not-understood", format!("found no ships in {}; nothing was written", source.file));
        return Err(finding.help("start a ship's line with a hyphen or a count: 3 x Tern \"HMS Argus\", DD-12"));
    }
    if aloud {
        say(&made.toml)?;
    } else {
        let line = schema.map(|schema| format!("#:schema {schema}\n")).unwrap_or_default();
        save_new(&path, (line + &made.toml).as_bytes())?;
        let ships: u32 = made.list.ships.iter().map(|ship| ship.count.unwrap_or(1)).sum();
        let words = many(ships as usize, "ship");
        let path = clean(&path.to_string_lossy());
        say(&format!("wrote {path} with {words}; `moldloft check {path}` reports what to fix\n"))?;
    }
    Ok(Outcome::of(made.findings.iter().any(|finding| finding.severity == Severity::Error)))
}
