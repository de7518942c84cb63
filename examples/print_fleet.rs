//! Prints everything a fleet needs on the table to one PDF: `cargo run --example print_fleet [FLEET.toml [OUTPUT.pdf]]`.

use moldloft::{Error, ExportOptions, FileFormat, FileRef, PackOptions, PackPart, Paper, Workspace};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args_os().skip(1);
    let workspace = Workspace::built_in();
    let fleet = match arguments.next() {
        Some(path) => workspace.read_fleet(&FileRef::on_disk(path))?,
        None => workspace.fleet("wars-of-honor/fleets/convoy-escort")?,
    };
    let fleet = workspace.check_fleet(&fleet);
    fleet.findings().for_each(|finding| eprintln!("{finding}"));
    println!("{}: {} ships, {} points", fleet.name(), fleet.ships().len(), fleet.points().unwrap_or(0));

    // Roster, control sheets and counters on A5; the default is every part on A4.
    let mut options = PackOptions::default().parts([PackPart::Roster, PackPart::Sheets, PackPart::Chits].into());
    options.print.page_setup.paper = Paper::A5;
    let pages = workspace.print_pack(&[fleet], &options, FileFormat::Pdf)?;
    pages.findings().iter().for_each(|finding| eprintln!("{finding}"));

    // A form: its boxes can be ticked on the screen.
    let output = arguments.next().unwrap_or_else(|| "fleet.pdf".into());
    for file in pages.save(output, &ExportOptions::default().form(true))? {
        println!("{}: {} pages", file.display(), pages.len());
    }
    Ok(())
}
