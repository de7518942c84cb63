//! Prints the fleets of a league, each to a PDF of its own: `cargo run --example print_league [FOLDER [OUTPUT]]`. `FOLDER` has the league's `designs/`, and
//! may have `rulesets/` and `templates/`; without it, the fleets that come with one game are printed.

use std::path::PathBuf;

use moldloft::{Error, ExportOptions, FileFormat, PackOptions, PackPart, Severity, Workspace};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args_os().skip(1);
    let folder = arguments.next();
    let output = PathBuf::from(arguments.next().unwrap_or_else(|| ".".into()));
    let workspace = folder.as_ref().map_or_else(|| Ok(Workspace::built_in()), Workspace::open)?;
    // Of a league's own folder, what is in it; else one game's fleets.
    let is_wanted = |file: &moldloft::ListedAsset| match folder {
        Some(_) => !file.file.built_in,
        None => file.id.starts_with("star-navy/"),
    };
    let options = PackOptions::default().parts([PackPart::Roster, PackPart::Sheets, PackPart::Chits].into());
    for listed in workspace.fleets().into_iter().filter(is_wanted) {
        let fleet = workspace.check_fleet(&workspace.read_fleet(&listed.file)?);
        let errors = fleet.findings().filter(|finding| finding.severity == Severity::Error).count();
        println!(
            "{}: {} points, {errors} errors, code {}",
            fleet.name(),
            fleet.points().unwrap_or(0),
            fleet.code().unwrap_or_default()
        );
        // What is against the rules is not printed: its player gets the findings.
        if !fleet.is_legal() {
            fleet.findings().for_each(|finding| println!("  {finding}"));
            continue;
        }
        let pages = workspace.print_pack(&[fleet], &options, FileFormat::Pdf)?;
        let name = listed.id.replace('/', "-");
        for file in pages.save(output.join(name).with_extension("pdf"), &ExportOptions::default())? {
            println!("  {}: {} pages", file.display(), pages.len());
        }
    }
    Ok(())
}
