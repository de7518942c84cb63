//! `moldloft new`: makes a new design from the ruleset, with the possible contents as comments.

use std::path::PathBuf;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::design_file_name;
use moldloft_library::library::{Rulesets, commented_design};
use moldloft_library::store::{Store, save_new, schema_for};
use moldloft_rules::schema::file_name as schema_name;

use super::outcome::RunOutcome;
use super::output::is_standard_output;
use super::rulesets::require_ruleset;
use super::terminal::{print_done, print_stdout};

#[derive(clap::Args)]
pub struct NewArgs {
    /// A ruleset's id, such as wars-of-honor; see `moldloft list`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// Name of the ship class
    #[arg(value_name = "NAME")]
    name: String,
    /// Write to this file, - for standard output [default: NAME.toml in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// # Errors
/// A finding when the command cannot run; an existing file is never changed.
pub fn run(store: &Store, arguments: &NewArgs) -> Result<RunOutcome, Finding> {
    let ruleset = require_ruleset(&Rulesets::new(store, &[])?, &arguments.ruleset)?;
    let text = commented_design(&ruleset, &arguments.name);
    match &arguments.output {
        Some(path) if is_standard_output(path) => print_stdout(&text)?,
        path => {
            let path = path.clone().unwrap_or_else(|| design_file_name(&arguments.name).into());
            let schema = schema_for(&path, &schema_name("design", Some(&ruleset.id)));
            let line = schema.as_ref().map(|schema| format!("#:schema {schema}\n")).unwrap_or_default();
            save_new(&path, (line + &text).as_bytes())?;
            print_done(&format!("wrote {}; `moldloft check {0}` reports what is missing\n", path.display()))?;
            if schema.is_none() {
                print_done("run `moldloft schema write` once for completion in text editors\n")?;
            }
        }
    }
    Ok(RunOutcome::Success)
}
