//! `moldloft import`: makes a fleet's file from a list.

use std::path::PathBuf;

use crate::exchange::list::import_list;
use crate::finding::{Cause, Finding, Severity};
use crate::library::Rulesets;
use crate::print::has_errors;
use crate::sanitize::plural;
use crate::store::{MAX_TOML_BYTES, Store, read, save_new, schema_for};

use super::load::RulesetArgs;
use super::outcome::RunOutcome;
use super::render::clean;
use super::rulesets::require_ruleset;
use super::terminal::{print_findings, print_stdout};

/// Make a fleet file from a plain-text list: one written by `share`, edited or not, or one such as `3 x Tern`
#[derive(clap::Args)]
pub struct ImportArgs {
    /// The list to read, a text file
    #[arg(value_name = "LIST")]
    list: PathBuf,
    /// Write the fleet to this .toml file, - for standard output; an existing file is never replaced
    #[arg(short, long, value_name = "FLEET")]
    output: PathBuf,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ImportArgs) -> Result<RunOutcome, Finding> {
    let aloud = arguments.output.as_os_str() == "-";
    if !aloud && !arguments.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        return Err(Finding::error("unknown-format", format!("unknown file type: {}", arguments.output.display()))
            .help("use a file name that ends in .toml"));
    }
    let games = Rulesets::new(store, &arguments.rules.set)?;
    if let Some(id) = &arguments.rules.rules {
        require_ruleset(&games, id)?;
    }
    let source = read(&arguments.list)?;
    let path = if aloud { PathBuf::from("fleet.toml") } else { arguments.output.clone() };
    let mut imported = import_list(store, &games, &source, arguments.rules.rules.as_deref(), &path);
    let schema = schema_for(&path, "fleet.json").filter(|_| !aloud);
    if schema.is_some() {
        // The file begins with a line that was absent when the fleet was evaluated.
        let name = path.to_string_lossy();
        let there = imported.findings.iter_mut().filter(|finding| finding.at.file.as_deref() == Some(&*name));
        there.filter(|finding| finding.at.line > 0).for_each(|finding| finding.at.line += 1);
    }
    print_findings(imported.findings.iter().filter(|finding| finding.severity < Severity::Info));
    if imported.toml.len() as u64 > MAX_TOML_BYTES {
        let message = format!("nothing was written to {}", path.display());
        return Err(Finding::caused(Cause::FileTooLarge, message).help("shorten the notes, or split the list"));
    }
    if imported.list.ships.is_empty() {
        let finding =
            Finding::error("not-understood", format!("found no ships in {}; nothing was written", source.file));
        return Err(finding.help("start a ship's line with a hyphen or a count: 3 x Tern \"HMS Argus\", DD-12"));
    }
    if aloud {
        print_stdout(&imported.toml)?;
    } else {
        let line = schema.map(|schema| format!("#:schema {schema}\n")).unwrap_or_default();
        save_new(&path, (line + &imported.toml).as_bytes())?;
        let ships: u32 = imported.list.ships.iter().map(|ship| ship.count.unwrap_or(1)).sum();
        let words = plural(ships as usize, "ship");
        let path = clean(&path.to_string_lossy());
        print_stdout(&format!("wrote {path} with {words}; `moldloft check {path}` reports what to fix\n"))?;
    }
    Ok(RunOutcome::from_errors(has_errors(&imported.findings)))
}
