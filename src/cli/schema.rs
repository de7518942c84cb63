//! `moldloft schema`: prints or writes the JSON Schemas for text editors.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use moldloft_base::finding::Finding;
use moldloft_library::library::{LoadedRuleset, Rulesets};
use moldloft_library::store::{AssetKind, Store, make_folder, save};
use moldloft_rules::schema::{self, file_name, text};

use super::outcome::RunOutcome;
use super::rulesets::require_ruleset;
use super::terminal::{print_done, print_findings, print_stdout};

#[derive(clap::Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct SchemaArgs {
    #[command(subcommand)]
    what: SchemaSubcommand,
}

const AFTER_HELP: &str = "\
A text editor uses a schema when the first line of a file gives its path, relative to that file:

    #:schema schemas/design.wars-of-honor.json

Editors with Taplo or Even Better TOML read this line if it comes before all keys; to everything else, Moldloft included, it is a
comment. No network access is needed. `moldloft schema write` writes the schemas of all games to a folder `schemas/`, and `moldloft new` adds the line if that
folder exists next to the new design or above it. After changing a ruleset, run `moldloft schema write` again.";

#[derive(Subcommand)]
enum SchemaSubcommand {
    /// Schema of designs: exact for one game's fields and systems, or for any game
    Design {
        /// A ruleset's id, such as wars-of-honor [default: designs of any game]
        #[arg(value_name = "RULESET")]
        ruleset: Option<String>,
    },
    /// Schema of rulesets and layers
    Ruleset,
    /// Schema of fleets
    Fleet,
    /// Write all schemas to a folder, for files in and below it to refer to
    Write {
        /// Parent folder of schemas/ [default: the workspace, or else the current folder]
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &SchemaArgs) -> Result<RunOutcome, Finding> {
    let schema = match &arguments.what {
        SchemaSubcommand::Design { ruleset: None } => schema::any_design_schema(),
        SchemaSubcommand::Design { ruleset: Some(id) } => {
            schema::design(&*require_ruleset(&Rulesets::new(store, &[])?, id)?)
        }
        SchemaSubcommand::Ruleset => schema::ruleset(),
        SchemaSubcommand::Fleet => schema::fleet(),
        SchemaSubcommand::Write { folder } => return write_schemas(store, folder.as_deref()),
    };
    print_stdout(&text(&schema))?;
    Ok(RunOutcome::Success)
}

/// Writes every schema; an unusable ruleset is reported and the others are written.
fn write_schemas(store: &Store, folder: Option<&Path>) -> Result<RunOutcome, Finding> {
    let folder = folder.or(store.workspace()).unwrap_or(Path::new(".")).join("schemas");
    let games = Rulesets::new(store, &[])?;
    let mut all = vec![
        (file_name("design", None), schema::any_design_schema()),
        (file_name("ruleset", None), schema::ruleset()),
        (file_name("fleet", None), schema::fleet()),
    ];
    let mut errors = false;
    for one in store.list_assets(AssetKind::Ruleset) {
        match games.get(&one.id)? {
            LoadedRuleset::Ready(ruleset, _) => {
                all.push((file_name("design", Some(&one.id)), schema::design(&ruleset)))
            }
            LoadedRuleset::Broken(findings) => {
                print_findings(&*findings);
                errors = true;
            }
            LoadedRuleset::Missing(finding) => {
                print_findings(std::slice::from_ref(&finding));
                errors = true;
            }
        }
    }
    make_folder(&folder)?;
    let count = all.len();
    for (name, schema) in all {
        save(&folder.join(name), text(&schema).as_bytes())?;
    }
    print_done(&format!(
        "wrote {count} schemas to {0}\nto use one, begin a file with its relative path: #:schema schemas/{1}\n",
        folder.display(),
        file_name("design", Some("RULESET")),
    ))?;
    Ok(RunOutcome::from_errors(errors))
}
