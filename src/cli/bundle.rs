//! `moldloft bundle`: packs designs, fleets and layers with all that they need, for another player.

use std::path::{Path, PathBuf};

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::plural;
use moldloft_base::source::toml::parse;
use moldloft_library::exchange::bundle::{BundleInput, gather_bundle, text_of_bundle, write_bundle};
use moldloft_library::library::Rulesets;
use moldloft_library::print::has_errors;
use moldloft_library::store::{AssetKind, FileRef, Store, is_there, read, save_new};

use super::outcome::RunOutcome;
use super::output::{is_standard_output, not_for_a_terminal};
use super::render::clean;
use super::terminal::{print_bytes, print_done, print_findings};

#[derive(clap::Args)]
pub struct BundleArgs {
    /// Design, fleet or ruleset files, or ids of rulesets
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write to this file; an existing file is never replaced
    #[arg(short, long, value_name = "FILE", required_unless_present = "text")]
    output: Option<PathBuf>,
    /// Write it as text for a chat or QR codes [default: to standard output]
    #[arg(long)]
    text: bool,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &BundleArgs) -> Result<RunOutcome, Finding> {
    let rulesets = Rulesets::new(store, &[])?;
    let mut inputs = Vec::new();
    let mut findings = Vec::new();
    for path in &arguments.paths {
        if is_ruleset(store, path) {
            inputs.push(BundleInput::Ruleset(path.to_string_lossy().into_owned()));
            continue;
        }
        let (found, more) = store.inputs(std::slice::from_ref(path));
        inputs.extend(found.into_iter().map(|input| BundleInput::File(input.file)));
        findings.extend(more);
    }
    let (bundle, more) = gather_bundle(&rulesets, &inputs)?;
    findings.extend(more);
    print_findings(&findings);
    let bytes = if arguments.text { text_of_bundle(&bundle)?.into_bytes() } else { write_bundle(&bundle)? };
    match &arguments.output {
        None => print_bytes(&bytes)?,
        Some(path) if is_standard_output(path) => {
            if !arguments.text {
                not_for_a_terminal("bundle")?;
            }
            print_bytes(&bytes)?;
        }
        Some(path) => {
            save_new(path, &bytes)?;
            let (files, path) = (plural(bundle.files.len(), "file"), clean(&path.to_string_lossy()));
            print_done(&format!("wrote {path} with {files}, {} bytes\n", bytes.len()))?;
            for file in &bundle.files {
                print_done(&format!("  {}\n", clean(&file.path)))?;
            }
        }
    }
    Ok(RunOutcome::from_errors(has_errors(&findings)))
}

/// Whether a path is a ruleset's file, or the id of one.
fn is_ruleset(store: &Store, path: &Path) -> bool {
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if is_toml {
        let source = if is_there(path) { read(path) } else { FileRef::built_in(path).read() };
        return source.is_ok_and(|source| parse(&source.text, 0).0.table("ruleset").is_some());
    }
    !is_there(path) && path.to_str().is_some_and(|id| store.find_asset(AssetKind::Ruleset, id).is_ok())
}
