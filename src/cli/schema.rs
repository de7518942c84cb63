//! `moldloft schema`: what text editors complete and check TOML with.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::finding::Finding;
use crate::library::{Games, Loaded};
use crate::schema::{self, file_name, text};
use crate::store::{Kind, Store, make_folder, save};

use super::games::need;
use super::{Outcome, complain, say};

/// Print the JSON Schema by which a text editor completes and checks designs and rulesets as they are typed
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

const HELP: &str = "\
A text editor follows a schema when the first line of a file says where it lies, relative to that file:

    #:schema schemas/design.wars-of-honor.json

Editors with Taplo or its Even Better TOML read this line, if no key stands before it; everything else takes it for a comment, and so
does Moldloft. No network is asked. `moldloft schema write` puts the schemas of all games into a folder `schemas/`, and `moldloft new` writes the line whenever it
finds that folder beside the new design or above it. After a change of a ruleset, run `moldloft schema write` again.";

#[derive(Subcommand)]
enum What {
    /// The schema of designs: of one game's, exact to its fields and systems, or of any
    Design {
        /// A ruleset's id, such as wars-of-honor [default: what designs of any game may say]
        #[arg(value_name = "RULESET")]
        ruleset: Option<String>,
    },
    /// The schema of rulesets and layers
    Ruleset,
    /// The schema of fleets
    Fleet,
    /// Write all schemas into a folder, that files there and below can name
    Write {
        /// Where to make the folder schemas/ [default: the workspace, or else the current folder]
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let schema = match &arguments.what {
        What::Design { ruleset: None } => schema::any_design(),
        What::Design { ruleset: Some(id) } => schema::design(&*need(&Games::new(store, &[])?, id)?),
        What::Ruleset => schema::ruleset(),
        What::Fleet => schema::fleet(),
        What::Write { folder } => return write(store, folder.as_deref()),
    };
    say(&text(&schema))?;
    Ok(Outcome::Fine)
}

/// Writes every schema; a ruleset that cannot be used is named, and the others are done.
fn write(store: &Store, folder: Option<&Path>) -> Result<Outcome, Finding> {
    let folder = folder.or(store.workspace()).unwrap_or(Path::new(".")).join("schemas");
    let games = Games::new(store, &[])?;
    let mut all = vec![
        (file_name("design", None), schema::any_design()),
        (file_name("ruleset", None), schema::ruleset()),
        (file_name("fleet", None), schema::fleet()),
    ];
    let mut errors = false;
    for one in store.list(Kind::Ruleset) {
        match games.get(&one.id)? {
            Loaded::Ready(ruleset, _) => all.push((file_name("design", Some(&one.id)), schema::design(&ruleset))),
            Loaded::Broken(findings) => {
                complain(&*findings);
                errors = true;
            }
            Loaded::Missing(finding) => {
                complain(std::slice::from_ref(&finding));
                errors = true;
            }
        }
    }
    make_folder(&folder)?;
    let count = all.len();
    for (name, schema) in all {
        save(&folder.join(name), text(&schema).as_bytes())?;
    }
    say(&format!(
        "{count} schemas are written into {0}\nA file names its own in the first line, relative to itself: #:schema schemas/{1}\n",
        folder.display(),
        file_name("design", Some("RULESET")),
    ))?;
    Ok(Outcome::of(errors))
}
