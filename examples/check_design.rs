//! Checks designs and prints what is wrong with them: `cargo run --example check_design [FILE.toml …]`. Without a file it checks the built-in designs
//! of one game.

use moldloft::{Error, FileRef, Workspace};

fn main() -> Result<(), Error> {
    let workspace = Workspace::built_in();
    // Files that are named, or files of the program: both are a `FileRef`.
    let mut files: Vec<FileRef> = std::env::args_os().skip(1).map(FileRef::on_disk).collect();
    if files.is_empty() {
        let built_in = workspace.designs().into_iter().filter(|design| design.id.starts_with("star-navy/"));
        files.extend(built_in.map(|design| design.file));
    }
    for file in files {
        // An error means that there is nothing to check; what is wrong with the design is in the ship's findings.
        let ship = workspace.check(&workspace.read_design(&file)?)?;
        let verdict = if ship.is_legal() { "legal" } else { "not legal" };
        println!("{file}: {}, {verdict}, {} points", ship.class(), ship.points().unwrap_or(0));
        for finding in ship.findings() {
            println!("  {finding}");
        }
    }
    Ok(())
}
