//! `moldloft import`: makes a fleet's file from a list, or a design's from the text of its QR code.

use std::io::Read;
use std::path::{Path, PathBuf};

use moldloft_base::finding::{Cause, Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_base::source::Source;
use moldloft_library::exchange::bundle::{MAX_BUNDLE_BYTES, bundle_of_text, is_bundle_text};
use moldloft_library::exchange::list::{import_list, refuse_foreign};
use moldloft_library::library::Rulesets;
use moldloft_library::print::has_errors;
use moldloft_library::store::{MAX_TOML_BYTES, Store, read, read_bytes, save_new, schema_for};
use moldloft_rules::design::{Design, is_design_code, toml_of_code};

use super::load::RulesetArgs;
use super::open_bundle::{bundle_in, open_bundle};
use super::outcome::RunOutcome;
use super::output::is_standard_output;
use super::render::clean;
use super::rulesets::require_ruleset;
use super::terminal::{print_done, print_findings, print_stdout};

#[derive(clap::Args)]
pub struct ImportArgs {
    /// The list, the QR code's text or the bundle to read: a file, - for standard input
    #[arg(value_name = "LIST")]
    list: PathBuf,
    /// Write the fleet or design to this .toml file, - for standard output; of a bundle, all its files to this folder; an existing file is never replaced
    #[arg(short, long, value_name = "FLEET")]
    output: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ImportArgs) -> Result<RunOutcome, Finding> {
    let is_stdin = arguments.list.as_os_str() == "-";
    if !is_stdin && let Some(finding) = foreign_file(&arguments.list) {
        return Err(finding);
    }
    if !is_stdin && let Some(bundle) = bundle_in(&arguments.list)? {
        return open_bundle(&bundle, arguments.output.as_deref());
    }
    let read_source = || if is_stdin { read_stdin() } else { read(&arguments.list) };
    let Some(output) = &arguments.output else {
        let source = read_source()?;
        if is_bundle_text(&source.text) {
            return open_bundle(&bundle_of_text(&source.text)?, None);
        }
        return Err(Finding::error("missing-output", "expected a file to write: -o FLEET.toml")
            .help("only a bundle can be listed without -o"));
    };
    let aloud = is_standard_output(output);
    let is_toml = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if !aloud && !is_toml && !is_stdin {
        return Err(Finding::error("unknown-format", format!("unknown file type: {}", output.display()))
            .help("use a file name that ends in .toml"));
    }
    let source = read_source()?;
    if is_bundle_text(&source.text) {
        return open_bundle(&bundle_of_text(&source.text)?, Some(output));
    }
    if !aloud && !is_toml {
        return Err(Finding::error("unknown-format", format!("unknown file type: {}", output.display()))
            .help("use a file name that ends in .toml"));
    }
    if let Some(finding) = refuse_foreign(source.text.as_bytes()) {
        return Err(finding);
    }
    if is_design_code(&source.text) {
        return import_design(&source, output);
    }
    let games = Rulesets::new(store, &arguments.rules.set)?;
    if let Some(id) = &arguments.rules.rules {
        require_ruleset(&games, id)?;
    }
    let path = if aloud { PathBuf::from("fleet.toml") } else { output.clone() };
    let mut imported = import_list(store, &games, &source, arguments.rules.rules.as_deref(), &path);
    let schema = schema_for(&path, "fleet.json").filter(|_| !aloud);
    if schema.is_some() {
        // The file begins with a line that was absent when the fleet was evaluated.
        let name = path.to_string_lossy();
        let there = imported.findings.iter_mut().filter(|finding| finding.at.file.as_deref() == Some(&*name));
        there.filter(|finding| finding.at.line > 0).for_each(|finding| finding.at.line += 1);
    }
    if aloud {
        imported.place_in_list(&source);
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
        print_done(&format!("wrote {path} with {words}; `moldloft check {path}` reports what to fix\n"))?;
    }
    Ok(RunOutcome::from_errors(has_errors(&imported.findings)))
}

/// What a file is that is no list; reading reports one that cannot be read.
fn foreign_file(path: &Path) -> Option<Finding> {
    let mut finding = refuse_foreign(&read_bytes(path, MAX_BUNDLE_BYTES).ok()?)?;
    finding.message = format!("{}: {}", path.display(), finding.message);
    Some(finding)
}

/// The largest text from standard input, bytes.
const MAX_STDIN_BYTES: u64 = 1 << 20;

fn read_stdin() -> Result<Source, Finding> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_STDIN_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Finding::error("cannot-read", format!("cannot read standard input: {error}")))?;
    if bytes.len() as u64 > MAX_STDIN_BYTES {
        let message = format!("standard input is too large, the limit is {MAX_STDIN_BYTES} bytes");
        return Err(Finding::caused(Cause::FileTooLarge, message));
    }
    Ok(Source::new("standard input", &String::from_utf8_lossy(&bytes)))
}

/// Writes the design in the text of a QR code.
fn import_design(source: &Source, output: &Path) -> Result<RunOutcome, Finding> {
    let toml = toml_of_code(&source.text)?;
    let design = Design::read(&Source::new(output.to_string_lossy().as_ref(), &toml));
    let design = design.map_err(|findings| {
        let first = findings.into_iter().next();
        first.unwrap_or_else(|| Finding::error("not-a-code", "cannot read the design in the code"))
    })?;
    if is_standard_output(output) {
        print_stdout(&toml)?;
    } else {
        let line = schema_for(output, "design.json").map(|schema| format!("#:schema {schema}\n")).unwrap_or_default();
        save_new(output, (line + &toml).as_bytes())?;
        let name = design.name.as_ref().map_or("a design", |name| &name.text);
        let path = output.to_string_lossy();
        print_stdout(&format!(
            "wrote {0} with {1}; `moldloft check {0}` reports what to fix\n",
            clean(&path),
            clean(name)
        ))?;
    }
    Ok(RunOutcome::from_errors(false))
}
